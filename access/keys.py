"""The public keys of a sign-on service: fetched from its JWKS address, kept, and fetched again when they may be others.

HTTPS, or HTTP on this machine; no redirect, no proxy of the environment, a bounded size and time. Knows no tokens.
Try: pytest tests/test_oidc.py -k keys
"""

import ipaddress
import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import jwt

from errors import BrainError, UsageError

FETCH_SECONDS = 5.0
"""How long the key server may take for one reply."""
AGAIN_SECONDS = 30.0
"""Between two fetches, whatever is asked: nobody makes us knock at the key server by sending unknown keys."""
FRESH_SECONDS = 600.0
"""After so long the keys are fetched anew, so that one that was withdrawn ends."""
MOST_BYTES = 1_000_000
_MOST_KEYS = 100
_log = logging.getLogger("brain")
_LEAST_RSA_BITS = 2048
_PUBLIC = ("kty", "crv", "n", "e", "x", "y")
FAMILIES = {"RSA": ("RS", "PS"), "EC": ("ES",), "OKP": ("Ed",)}
"""Types of keys, and how the names of their algorithms begin."""


class KeysUnavailable(BrainError):
    """The sign-on service's keys cannot be had, and no former ones are young enough."""

    code = "keys_unavailable"
    http_status = 503


class Key(NamedTuple):
    """A public key, and the one algorithm it is for, "" where its publisher names none."""

    public: Any
    algorithm: str


class Keys:
    """The keys at one address."""

    def __init__(self, issuer: str, address: str, most_age: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`address` "": where the issuer's discovery document says. Fetches nothing yet.

        Keys serve for `most_age` seconds of `clock` after the last fetch that succeeded. Raises UsageError for an
        address that is neither HTTPS nor this machine.
        """
        self._issuer, self._address, self._most_age, self._clock = issuer, address, most_age, clock
        for url in (issuer, address or issuer):
            if not is_safe(url):
                raise UsageError(f"BRAIN_OIDC_ISSUER, _KEYS_URL: {url!r} is no https://, nor on this machine.")
        self._keys: dict[tuple[str, str], Key] = {}
        self._fetched = self._tried = -float("inf")
        self._failed = False
        self._lock = threading.Lock()

    def key(self, number: str, algorithm: str) -> Key | None:
        """The key of this `kid` ("": the only one there is) for this algorithm; None where there is none such.

        Raises KeysUnavailable.
        """
        self._refresh(FRESH_SECONDS)
        found, others_fetch = self._find(number, algorithm), False
        if found is None:
            others_fetch = not self._refresh(0.0)
            found = self._find(number, algorithm)
        is_old = self._clock() - self._fetched > self._most_age
        if is_old or (found is None and (others_fetch or self._failed)):  # it may be one that was published since
            raise KeysUnavailable("The sign-on service's keys cannot be had now, so nobody can be known by its tokens.")
        return found

    def _find(self, number: str, algorithm: str) -> Key | None:
        kind = next(kind for kind, begins in FAMILIES.items() if algorithm.startswith(begins))
        fitting = [
            key for (of, name), key in self._keys.items()
            if of == kind and name == (number or name) and key.algorithm in ("", algorithm)
        ]  # fmt: skip
        return fitting[0] if len(fitting) == 1 else None

    def _refresh(self, older: float) -> bool:
        """Fetches keys that are `older` than so many seconds, unless that was tried lately; False: another thread does.

        It is waited for only while there are no keys: a key server that hangs must hold one thread, not all.
        """
        if self._clock() - self._fetched <= older:
            return True
        if not self._lock.acquire(blocking=not self._keys):
            return False
        try:
            now = self._clock()
            if now - self._fetched > older and now - self._tried >= AGAIN_SECONDS:
                self._tried = now
                self._try()
            return True
        finally:
            self._lock.release()

    def _try(self) -> None:
        try:
            self._keys = _keys_in(self._fetch())
            self._fetched, self._failed = self._clock(), False
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
            self._failed = True
            told = str(error) or type(error).__name__
            _log.warning(f"The keys of {self._issuer} could not be fetched: {told}")

    def _fetch(self) -> Any:
        address = self._address
        if not address:
            told = _json_at(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
            address = str(told.get("jwks_uri", "")) if isinstance(told, dict) else ""
            if not isinstance(told, dict) or told.get("issuer") != self._issuer or not is_safe(address):
                raise ValueError("its discovery document names another issuer, or no safe address of keys")
        return _json_at(address)


def is_safe(url: str) -> bool:
    """Whether what is fetched from there is what its owner sends: over HTTPS, or from this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.fragment:
        return False
    if parts.scheme == "https":
        return True
    try:
        return parts.scheme == "http" and (host == "localhost" or ipaddress.ip_address(host).is_loopback)
    except ValueError:
        return False


def _json_at(address: str) -> Any:
    """The JSON at an address. Raises httpx.HTTPError, ValueError for what is no reply of 200, too large or no JSON."""
    ends, content = time.monotonic() + FETCH_SECONDS, b""
    with (
        httpx.Client(trust_env=False, follow_redirects=False, timeout=FETCH_SECONDS) as client,
        client.stream("GET", address, headers={"Accept": "application/json", "Accept-Encoding": "identity"}) as reply,
    ):
        if reply.status_code != 200:
            raise ValueError(f"{address} answers {reply.status_code}")
        for part in reply.iter_raw(65_536):
            content += part
            if len(content) > MOST_BYTES:
                raise ValueError(f"{address} sends more than {MOST_BYTES} bytes")
            if time.monotonic() > ends:
                raise ValueError(f"{address} takes longer than {FETCH_SECONDS:g} s")
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError(f"{address} sends no usable JSON") from error


def _keys_in(told: Any) -> dict[tuple[str, str], Key]:
    """The keys for signatures in a JWKS, by type and `kid`; what is none of them is left out. Raises ValueError."""
    listed = told.get("keys") if isinstance(told, dict) else None
    if not isinstance(listed, list) or len(listed) > _MOST_KEYS:
        raise ValueError("what it sends is no list of keys")
    found: dict[tuple[str, str], Key] = {}
    for row in listed:
        if not isinstance(row, dict) or row.get("kty") not in FAMILIES or row.get("use", "sig") != "sig":
            continue
        try:
            public = jwt.PyJWK({name: row[name] for name in _PUBLIC if name in row}).key
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        if row["kty"] != "RSA" or public.key_size >= _LEAST_RSA_BITS:
            found.setdefault((row["kty"], str(row.get("kid", ""))), Key(public, str(row.get("alg", ""))))
    if not found:
        raise ValueError("it sends no key for signatures")
    return found
