"""One HTTP interface of a directory system: JSON by GET, patient where it asks for patience, suspicious else.

No proxy of the environment, no redirect, no address on another host, limits on every wait and size. Knows no system.
Try: pytest tests/test_readers_wire.py
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from access.entries import SystemAway, identifier

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS, READ_SECONDS, REPLY_SECONDS = 10.0, 60.0, 180.0
TRIES = 6
FIRST_WAIT = 1.0
"""Seconds before a second try where the system names none; doubled each time."""
MOST_WAIT = 300.0
"""A system that asks for more patience at once is away."""
MOST_SECONDS = 6 * 3600.0
MOST_REPLY = 32_000_000
MOST_PAGES = 100_000
_AGAIN = (429, 500, 502, 503, 504)


class NotThere(SystemAway):
    """404: what was asked for is gone."""


class Refused(SystemAway):
    """401 or 403: the credentials are not valid, or do not permit this."""


class Api:
    """Requests to one origin. Use as a context manager. Every fault is a SystemAway that names the system."""

    def __init__(self, name: str, base: str, pause: float = 0.0) -> None:
        import httpx

        self.name, self.base, self.pause = name, base, pause
        self.headers: dict[str, str] = {}
        self.again: Callable[[], None] | None = None  # gets new credentials into `headers`, after a 401
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
        try:
            return self._asked("GET", self._url(where), needs, params=params, headers={**self.headers, **headers})
        except Refused:
            if self.again is None:
                raise
            renew, self.again = self.again, None
            renew()
            try:
                return self._asked("GET", self._url(where), needs, params=params, headers={**self.headers, **headers})
            finally:
                self.again = renew

    def post_form(self, where: str, form: Mapping[str, str], *, needs: str = "") -> dict[str, Any]:
        """The JSON object that answers a form: how tokens are asked for."""
        return self._asked("POST", self._url(where), needs, data=dict(form))

    def bearer(self, reply: Mapping[str, Any]) -> dict[str, str]:
        """The header of the token in the reply of a sign-in."""
        token = reply.get("access_token")
        if not isinstance(token, str) or not (token and token.isascii() and token.isprintable()):
            raise self.away("its sign-in gives no token")
        return {"Authorization": f"Bearer {token}"}

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
                raise self.away("its pages go round in a circle")
            asked.add(key)
            page = self.get(place[0], place[1] or None, **more)
            yield page
            place = following(page)

    def _url(self, where: str) -> str:
        url = where if "://" in where else urljoin(f"{self.base}/", where.lstrip("/"))
        if _origin(url) != _origin(self.base):
            raise self.away(f"it names an address on another host, {_origin(url)}")
        return url

    def _asked(self, method: str, url: str, needs: str, **how: Any) -> dict[str, Any]:
        import httpx

        wait, told = FIRST_WAIT, ""
        for attempt in range(TRIES):
            if attempt:
                self._sleep(wait, told)
                wait *= 2
            elif self.pause:
                time.sleep(self.pause)
            try:
                status, headers, body = self._sent(method, url, **how)
            except (httpx.TransportError, TimeoutError) as error:
                told = f"it cannot be reached at {_origin(url)} ({error or type(error).__name__})"
                continue
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise self.away(f"its reply cannot be read ({error})") from error
            if status not in _AGAIN:
                return self._read(url, status, body, needs)
            told = f"it answers {status} at {urlsplit(url).path}"
            wait = retry_after(headers.get("retry-after", ""), wait, time.time())
        raise self.away(f"{told}, {TRIES} times")

    def _sleep(self, seconds: float, told: str) -> None:
        if seconds > MOST_WAIT or time.monotonic() + seconds > self._until:
            raise self.away(f"{told} and asks to wait for {seconds:.0f} s")
        time.sleep(seconds)

    def _sent(self, method: str, url: str, **how: Any) -> tuple[int, httpx.Headers, bytes]:
        started, parts, size = time.monotonic(), [], 0
        if started > self._until:
            raise self.away(f"it was not read within {MOST_SECONDS / 3600:g} hours")
        with self._client.stream(method, url, **how) as reply:
            for part in reply.iter_bytes():
                size += len(part)
                if size > MOST_REPLY:
                    raise self.away(f"a reply is larger than {MOST_REPLY // 1_000_000} MB")
                if time.monotonic() - started > REPLY_SECONDS:
                    raise TimeoutError(f"a reply took longer than {REPLY_SECONDS:.0f} s")
                parts.append(part)
            return reply.status_code, reply.headers, b"".join(parts)

    def _read(self, url: str, status: int, body: bytes, needs: str) -> dict[str, Any]:
        path = urlsplit(url).path
        value: Any = None
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(body)
        if status == 200 and isinstance(value, dict):
            return value
        if status in (401, 403):
            hint = f". It needs the permission {needs}" if needs else ". See its credentials"
            raise Refused(f"{self.name}: it refuses {path} ({status}{_reason(value)}){hint}. Nothing was changed.")
        if status == 404:
            raise NotThere(f"{self.name}: it has no {path}. What was last known of it stays.")
        if 300 <= status < 400:
            raise self.away(f"it sends {path} elsewhere ({status}), which is not followed")
        if status == 200:
            raise self.away(f"its reply at {path} is no JSON object")
        raise self.away(f"it answers {status} at {path}{_reason(value)}")


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
    return f": {' '.join(str(said).split())[:200]}" if said else ""
