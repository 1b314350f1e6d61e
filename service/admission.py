"""Who asks, found out before a request is routed: the identity stands in the scope, or the request ends here.

What needs none is the pages, their files, /docs and /healthz. Everything else has an identity, whatever its path, so
that nobody learns by asking which paths there are; each road then asks for its scope by `allowed`.
Knows no questions. Pure ASGI. Try: BRAIN_AUTH=tokens python server.py, then curl -i 127.0.0.1:8000/readyz
"""

import hmac
import threading
from collections.abc import Callable
from functools import partial

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from access import Caller
from access.identity import ASK, OPERATE, SYNC, Headers, Identity, Row, Unauthenticated, bearer
from config import Settings
from database import Connection
from errors import BrainError, Refused, StoreError
from service import logs
from service.door import SYNC_PATH
from service.line import Line
from service.record import INDEX_AWAY
from service.replies import error_reply
from service.signins import SignIns
from storage.schema import translated
from store import Store, store_of

_PUBLIC = frozenset({
    "/", "/search", "/graph", "/ingest", "/embed", "/embed.js", "/favicon.ico", "/docs", "/openapi.json", "/healthz",
})  # fmt: skip
AUDITOR = "/auditor"
"""The page of auditors: a browser shows it before it can send a token, so whoever is not known yet gets it, empty."""
_FILES = "/web/"
_KEY = "brain.identity"
_WORKERS, _PLACES = 16, 512  # an unanswered key server holds a thread for some seconds each


class Admission:
    """ASGI middleware between the door and the routes."""

    def __init__(
        self, app: ASGIApp, settings: Settings, knows_peers: Callable[[], bool], signins: SignIns | None = None
    ) -> None:
        """`knows_peers`: whether the server tells who is at the other end, or may have believed a header about it.

        `signins` hears whose credentials were taken or refused. Raises UsageError for settings of sign-in that cannot
        work.
        """
        self._app, self._settings, self._tables, self._knows_peers = app, settings, Tables(settings), knows_peers
        self._signins = signins
        self._row = Row(settings, self._tables)
        self._line = Line("sign-ins", _WORKERS, _PLACES)

    def close(self) -> None:
        """Closes the connections to the index file."""
        self._tables.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the request on with its identity, or replies itself: 401, 403, 431, 503."""
        if is_public(scope):
            await self._app(scope, receive, send)
            return
        headers = headers_of(scope)
        peer = (scope.get("client") or ("",))[0] if self._knows_peers() or "x-forwarded-for" not in headers else ""
        try:
            identity = self._by_sync_token(scope, headers)
            if identity is None and self._row.reads:
                identity = await self._line.run(partial(self._identified, headers, peer))
            identity = identity or self._row.identify(headers, peer)
        except BrainError as error:
            if self._signins and isinstance(error, Refused):
                self._signins.refused(error, peer)
            if isinstance(error, Unauthenticated) and (scope["method"], scope["path"]) == ("GET", AUDITOR):
                await self._app({**scope, _KEY: None}, receive, send)
                return
            await (await error_reply(Request(scope), error))(scope, receive, send)
            return
        if self._signins:
            self._signins.accepted(identity, peer)
        await self._app({**scope, _KEY: identity}, receive, send)

    def _identified(self, headers: Headers, peer: str) -> Identity:
        try:
            with translated(self._settings.db):
                return self._row.identify(headers, peer)
        except StoreError as error:  # names the file, which is nothing for somebody who is not known yet
            logs.LOG.error(str(error))
            raise type(error)(INDEX_AWAY) from error

    def _by_sync_token(self, scope: Scope, headers: Headers) -> Identity | None:
        """The holder of the setting `sync_token`, who may sync and nothing else."""
        if not self._row.asks or scope["path"] != SYNC_PATH or not is_token(self._settings.sync_token, bearer(headers)):
            return None
        return Identity(Caller("agent:sync", frozenset()), frozenset({SYNC}), "sync_token")


class Tables:
    """Connections to the index file, one a thread, from the first that is asked for until `close`."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._lock = settings, threading.Lock()
        self._store: Store | None = None

    def __call__(self) -> Connection:
        """This thread's. Raises StoreError."""
        with self._lock:
            store = self._store = self._store or store_of(self._settings)
        return store.connection()

    def close(self) -> None:
        """Closes them all."""
        with self._lock:
            if self._store:
                self._store.close()


def is_public(scope: Scope) -> bool:
    """Whether a request needs no identity: it reads the page, its files, a description, or whether the server lives."""
    return scope["method"] == "GET" and (scope["path"] in _PUBLIC or scope["path"].startswith(_FILES))


def allowed(request: Request, *scopes: str) -> Identity:
    """Who sent the request. Raises NotAllowed where they hold none of the scopes."""
    identity: Identity = request.scope[_KEY]
    return identity.need(*scopes)


def may_open(request: Request, scope_needed: str) -> bool:
    """Whether a page without data is shown: to who holds the scope, and to who may still sign in on it."""
    identity: Identity | None = request.scope[_KEY]
    return identity is None or scope_needed in identity.scopes


def caller_of(request: Request) -> Caller:
    """Who asks questions and reads. Raises NotAllowed without the scope `ask`."""
    return allowed(request, ASK).caller


def operates(request: Request) -> bool:
    """Whether whoever sent the request may see the state of the whole index."""
    return OPERATE in request.scope[_KEY].scopes


def is_token(wanted: str, held: str) -> bool:
    """Whether the bearer token `held` is the one that a setting names; compared in the same time whatever it is."""
    return bool(wanted) and hmac.compare_digest(held.encode("utf-8", "surrogateescape"), wanted.encode())


def headers_of(scope: Scope) -> Headers:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("utf-8", "surrogateescape"))
    return found
