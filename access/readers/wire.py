"""One HTTP interface of another system: JSON and files by GET, patient where it asks for patience, suspicious else.

No proxy of the environment, no redirect, no address on another host, limits on every wait and size. Knows no system.
Try: pytest tests/test_readers_wire.py
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urljoin, urlsplit

from access.entries import SystemAway, identifier

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS, READ_SECONDS, REPLY_SECONDS, FILE_SECONDS = 10.0, 60.0, 180.0, 1800.0
TRIES = 6
FIRST_WAIT = 1.0
"""Seconds before a second try where the system names none; doubled each time."""
MOST_WAIT = 300.0
"""A system that asks for more patience at once is away."""
_STEP = 0.5  # seconds of a wait, where somebody may stop it
MOST_SECONDS = 6 * 3600.0
MOST_REPLY = 32_000_000
MOST_PAGES = 100_000
_AGAIN = (429, 500, 502, 503, 504)
_THROTTLED = ("rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded")
"""Reasons of a 403 by which Google asks for patience."""


class NotThere(SystemAway):
    """404: what was asked for is gone."""


class Refused(SystemAway):
    """401 or 403: the credentials are not valid, or do not permit this."""

    reason = ""  # the system's word for it
    status = 403


class Failing(SystemAway):
    """An error of the system's own, each time it was asked, or no sense in its reply; perhaps of this address alone."""


class TooLarge(SystemAway):
    """What was asked for is larger than was wanted."""


Sent = tuple[int, "httpx.Headers", bytes]


class Api:
    """Requests to one origin. Use as a context manager. Every fault is a SystemAway that names the system."""

    def __init__(self, name: str, base: str, pause: float = 0.0) -> None:
        import httpx

        self.name, self.base, self.pause = name, base, pause
        self.headers: dict[str, str] = {}
        self.again: Callable[[], None] | None = None  # gets new credentials into `headers`, after a 401
        self.stop: Callable[[], bool] | None = None  # asked while it waits: if so, the system is away
        self._secrets: set[str] = set()  # what was sent and must not be told, should the system repeat it
        self._until = time.monotonic() + MOST_SECONDS
        self._client = httpx.Client(
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS), trust_env=False, follow_redirects=False,
            verify=not base.startswith("http://"),  # that is loopback; to load the certificates takes 100 ms
        )  # fmt: skip

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def away(self, told: str) -> SystemAway:
        """The error of this system; nothing of it was taken in."""
        return SystemAway(f"{self.name}: {told}. What was last known of it stays.")

    def get(
        self, where: str, params: Mapping[str, str] | None = None, *, needs: str = "", headers: Mapping[str, str] = {}
    ) -> dict[str, Any]:
        """The JSON object at a path below the base, or at an address that the system itself named.

        `needs`: the permission that is missing if it is refused. Raises SystemAway, NotThere, Refused.
        """
        return self._json(self._signed(self._url(where), needs, params, headers), where)

    def fetch(self, where: str, params: Mapping[str, str], into: BinaryIO, most: int, *, needs: str = "") -> None:
        """Writes the bytes at a path into a file, from its beginning.

        Raises TooLarge for more than `most`, SystemAway, NotThere, Refused, OSError.
        """
        self._signed(self._url(where), needs, params, {}, into, most)

    def _signed(
        self, url: str, needs: str, params: Mapping[str, str] | None, headers: Mapping[str, str],
        into: BinaryIO | None = None, most: int = MOST_REPLY,
    ) -> bytes:  # fmt: skip
        def ask() -> bytes:
            return self._asked("GET", url, needs, into, most, params=params, headers={**self.headers, **headers})

        try:
            return ask()
        except Refused as error:
            if self.again is None or error.status != 401:
                raise
            renew, self.again = self.again, None
            renew()
            try:
                return ask()
            finally:
                self.again = renew

    def post_form(self, where: str, form: Mapping[str, str], *, needs: str = "") -> dict[str, Any]:
        """The JSON object that answers a form: how tokens are asked for."""
        self._secrets |= {told for told in form.values() if len(told) > 15}
        return self._json(self._asked("POST", self._url(where), needs, data=dict(form)), where)

    def bearer(self, reply: Mapping[str, Any]) -> dict[str, str]:
        """The header of the token in the reply of a sign-in."""
        token = reply.get("access_token")
        if not isinstance(token, str) or not (token and token.isascii() and token.isprintable()):
            raise self.away("its sign-in gives no token")
        self._secrets.add(token)
        return {"Authorization": f"Bearer {token}"}

    def take(self, headers: Mapping[str, str]) -> None:
        """Sends these headers, which hold a secret, from now on."""
        self.headers = dict(headers)
        self._secrets |= {told.removeprefix("Bearer ") for told in headers.values()}

    def id_of(self, kind: str, told: object) -> str:
        """An id of the system as ours, with the system's name before it."""
        try:
            return identifier(kind, f"{self.name}/{told}")
        except ValueError as error:
            raise self.away(f"an id is none: {error}") from error

    def pages(
        self,
        where: str,
        params: Mapping[str, str],
        following: Callable[[dict[str, Any]], tuple[str, Mapping[str, str]] | None],
        **more: Any,
    ) -> Iterator[dict[str, Any]]:
        """Every page, until `following` names no next one (address, parameters)."""
        asked: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
        place: tuple[str, Mapping[str, str]] | None = (where, params)
        while place is not None:
            key = (place[0], tuple(sorted(place[1].items())))
            if key in asked or len(asked) >= MOST_PAGES:
                raise Failing(str(self.away("its pages go round in a circle")))
            asked.add(key)
            page = self.get(place[0], place[1] or None, **more)
            yield page
            place = following(page)

    def _url(self, where: str) -> str:
        url = where if "://" in where else urljoin(f"{self.base}/", where.lstrip("/"))
        if _origin(url) != _origin(self.base):
            raise self.away(f"it names an address on another host, {_origin(url)}")
        return url

    def _asked(
        self, method: str, url: str, needs: str, into: BinaryIO | None = None, most: int = MOST_REPLY, **how: Any
    ) -> bytes:
        import httpx

        wait, told, failing = FIRST_WAIT, "", False
        for attempt in range(TRIES):
            if attempt:
                self._sleep(wait, told)
                wait *= 2
            elif self.pause:
                time.sleep(self.pause)
            try:
                status, headers, body = self._sent(method, url, into, most, **how)
            except (httpx.TransportError, TimeoutError) as error:
                told, failing = f"it cannot be reached at {_origin(url)} ({error or type(error).__name__})", False
                continue
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise self.away(f"its reply cannot be read ({error})") from error
            if status == 200:
                return body
            if status not in _AGAIN and not (status == 403 and _reason_word(body) in _THROTTLED):
                raise self._refusal(url, status, body, needs)
            told, failing = f"it answers {status} at {urlsplit(url).path}", status >= 500
            wait = retry_after(headers.get("retry-after", ""), wait, time.time())
        away = self.away(f"{told}, {TRIES} times")
        raise Failing(str(away)) if failing else away

    def _sleep(self, seconds: float, told: str) -> None:
        if seconds > MOST_WAIT or time.monotonic() + seconds > self._until:
            raise self.away(f"{told} and asks to wait for {seconds:.0f} s")
        while self.stop and seconds > _STEP:
            if self.stop():
                raise self.away(f"{told}, and we are stopping")
            time.sleep(_STEP)
            seconds -= _STEP
        time.sleep(seconds)

    def _sent(self, method: str, url: str, into: BinaryIO | None, most: int, **how: Any) -> Sent:
        started, parts, size = time.monotonic(), [], 0
        if started > self._until:
            raise self.away(f"it was not read within {MOST_SECONDS / 3600:g} hours")
        with self._client.stream(method, url, **how) as reply:
            file = into if reply.status_code == 200 else None
            most, seconds = (most, FILE_SECONDS) if file else (MOST_REPLY, REPLY_SECONDS)
            if file:
                file.seek(0)
                file.truncate()
            for part in reply.iter_bytes():
                size += len(part)
                if size > most:
                    raise TooLarge(str(self.away(f"a reply is larger than {most / 1e6:g} MB")))
                if time.monotonic() - started > seconds:
                    raise TimeoutError(f"a reply took longer than {seconds:.0f} s")
                if file:
                    file.write(part)
                else:
                    parts.append(part)
            return reply.status_code, reply.headers, b"".join(parts)

    def _json(self, body: bytes, where: str) -> dict[str, Any]:
        value = _loaded(body)
        if not isinstance(value, dict):
            raise self.away(f"its reply at {urlsplit(self._url(where)).path} is no JSON object")
        return value

    def _refusal(self, url: str, status: int, body: bytes, needs: str) -> SystemAway:
        path, told = urlsplit(url).path, _reason(_loaded(body))
        for secret in self._secrets:
            told = told.replace(secret, "***")
        told = f"{told[:200]}" if told else ""
        if status in (401, 403):
            hint = f". It needs the permission {needs}" if needs else ". See its credentials"
            refused = Refused(f"{self.name}: it refuses {path} ({status}{told}){hint}. Nothing was changed.")
            refused.reason, refused.status = _reason_word(body), status
            return refused
        if status == 404:
            return NotThere(f"{self.name}: it has no {path}. What was last known of it stays.")
        if 300 <= status < 400:
            return Failing(str(self.away(f"it sends {path} elsewhere ({status}), which is not followed")))
        return Failing(str(self.away(f"it answers {status} at {path}{told}")))


def _loaded(body: bytes) -> Any:
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(body)
    return None


def _reason_word(body: bytes) -> str:
    """Google's word for an error."""
    value = _loaded(body)
    error = value.get("error") if isinstance(value, dict) else None
    listed = error.get("errors") if isinstance(error, dict) else None
    first = listed[0] if isinstance(listed, list) and listed else None
    return text(first, "reason") if isinstance(first, dict) else ""


def text(found: Mapping[str, Any], name: str) -> str:
    """The text at a name; "" for anything else."""
    value = found.get(name)
    return value.strip() if isinstance(value, str) else ""


def retry_after(told: str, default: float, now: float) -> float:
    """Seconds to wait by a Retry-After header, a number or a date; `default` where it is neither. `now` is UTC's."""
    if told.strip().isdecimal():
        return float(told.strip()[:9])
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        return max(email.utils.parsedate_to_datetime(told).timestamp() - now, 0.0)
    return default


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        return "an unreadable address"
    return f"{parts.scheme}://{parts.hostname}:{port}"


def _reason(value: Any) -> str:
    """What the system says itself, if it does so in one of the usual places."""
    error = value.get("error") if isinstance(value, dict) else None
    said = error.get("message") or error.get("code") if isinstance(error, dict) else error
    said = said or (value.get("error_description") or value.get("detail") if isinstance(value, dict) else "")
    return f": {' '.join(str(said).split())}" if said else ""
