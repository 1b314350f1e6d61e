"""The door of the server: whose requests come in at all, decided before any of them is routed.

A page on the web can make its reader's browser send requests to 127.0.0.1, or point a name of its own at it. So the
Host must be a name of this server, the Origin its own or a listed one, and a POST must be JSON of a bounded size that
comes within a bounded time.
Knows no questions. Pure ASGI. Try: curl -H "Host: elsewhere.example" http://127.0.0.1:8000/healthz
"""

import asyncio
import contextlib
import ipaddress
import re

from fastapi.responses import JSONResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from access.identity import may_be_reached, signs_in
from config import Settings
from errors import UsageError

MOST_BODY_BYTES = 192 * 1024
"""Six turns of a conversation as long as they may be, every character escaped."""
BODY_SECONDS = 10.0
"""How long the whole body may take to come."""
LINGER_SECONDS = 2.0
"""How long what is too large is still taken, and thrown away, after the reply."""
_MOST_DISCARDED_BYTES = 8 * 1024 * 1024
SYNC_PATH = "/sync"
"""The one path that takes a POST without a body, from whoever holds its token."""
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")  # as browsers send it
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Content-Type",
    "Access-Control-Max-Age": "600",  # seconds
}
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


def refusal(status: int, code: str, detail: str, retry_after: int = 0) -> JSONResponse:
    """An error as every one of them is told: `{"code": ..., "detail": ...}`; `retry_after` in seconds, 0 for none."""
    headers = {"Retry-After": str(retry_after)} if retry_after else None
    safe = detail.encode("utf-8", "replace").decode()  # a lone surrogate of the request cannot be sent back
    return JSONResponse({"code": code, "detail": safe}, status, headers)


class Door:
    """ASGI middleware: refuses, answers preflights, and adds the headers that every reply carries."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Raises UsageError for an allowed host or origin that could never match."""
        self._app, self._signs_in = app, signs_in(settings)
        self._open = may_be_reached(settings)
        self._hosts = _LOCAL_HOSTS | {_listed_host(host) for host in settings.allowed_hosts} | {settings.host.lower()}
        self._origins = listed_origins(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the request in or replies itself."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin", "")
        reply = self._refused_caller(scope, headers, origin)
        allowed = origin.lower() in self._origins and reply is None
        send = _sending(send, origin if allowed else "")
        # Refused by the route whatever it holds: who sends no token is told so, and not what else is amiss.
        tokenless = scope["path"] == SYNC_PATH and "authorization" not in headers and not _is_json(headers)
        if reply is None and scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            reply = Response(status_code=204, headers=_preflight(headers, self._signs_in))
        if reply is None and scope["method"] == "POST":
            reply = _refused_post(headers, allowed, tokenless)
        if reply is None and scope["method"] == "POST":
            body = None if _announced(headers) > MOST_BODY_BYTES else await _body(receive)
            if body is None:
                await _refuse_unread(scope, receive, send)
                return
            if isinstance(body, Response):
                reply = body
            else:
                receive = again(b"" if tokenless else body, receive)
        if reply is not None:
            await reply(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # monitors ask so; the server leaves the body out
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)

    def _refused_caller(self, scope: Scope, headers: Headers, origin: str) -> Response | None:
        address = (scope.get("server") or ("", None))[0]
        if not self._open and not is_loopback(address):
            return refusal(
                403, "not_open",
                f"This server answers on {address} only when people sign in (BRAIN_AUTH), or when it is told that "
                "everyone who reaches the port may read everything: BRAIN_OPEN=1.",
            )  # fmt: skip
        hosts = headers.getlist("host")
        host = _host_name(hosts[0]) if len(hosts) == 1 else ""
        if not host or not (host in self._hosts or (self._open and _is_address(host))):
            told = _short(host or ", ".join(hosts))
            return refusal(
                421, "host_not_allowed",
                f"{told!r} is not a name of this server. If it is meant to be one, add it to BRAIN_ALLOWED_HOSTS.",
            )  # fmt: skip
        own = origin.lower() in (f"http://{hosts[0].lower()}", f"https://{hosts[0].lower()}")
        if "origin" in headers and not own and origin.lower() not in self._origins:
            return refusal(
                403, "origin_not_allowed",
                f"Pages of {_short(origin)!r} may not ask here. If they are meant to, add it to BRAIN_ALLOWED_ORIGINS.",
            )  # fmt: skip
        return None


def listed_origins(settings: Settings) -> frozenset[str]:
    """The origins whose pages may ask and may show the box. Raises UsageError for one that could never match."""
    return frozenset(_listed_origin(origin) for origin in settings.allowed_origins)


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address an ASGI server gives for itself ("" or a path: a Unix socket)."""
    if not _is_address(address):
        return True
    found = ipaddress.ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _host_name(header: str) -> str:
    """The name or address in a Host header, without port and brackets; "" when it is none."""
    found = _HOST.fullmatch(header.lower())
    return found[1].strip("[]").removesuffix(".") if found else ""


def _listed_host(host: str) -> str:
    name = _host_name(host)
    if not name or "*" in name:
        raise UsageError(f"BRAIN_ALLOWED_HOSTS: {host!r} is no host name. Write each as brain.example.org.")
    return name


def _listed_origin(origin: str) -> str:
    lower = origin.lower().removesuffix("/")
    if not _ORIGIN.fullmatch(lower):
        raise UsageError(
            f"BRAIN_ALLOWED_ORIGINS: {origin!r} is no origin. Write each as https://intranet.example.org, "
            "with the port where there is one, without a path, other than ASCII letters as xn--...; no wildcard."
        )
    return lower


def _preflight(headers: Headers, signs_in: bool) -> dict[str, str]:
    told = {**_PREFLIGHT}
    if signs_in:
        told["Access-Control-Allow-Headers"] += ", Authorization"
    if headers.get("access-control-request-private-network") == "true":
        told["Access-Control-Allow-Private-Network"] = "true"
    return told


def _refused_post(headers: Headers, allowed: bool, tokenless: bool) -> Response | None:
    if headers.get("sec-fetch-site") == "cross-site" and not allowed:
        return refusal(403, "cross_site", "Another site's page sent this. Its origin is not in BRAIN_ALLOWED_ORIGINS.")
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if tokenless or (empty and "authorization" in headers):  # a header that no page can send without asking first
        return None
    if not _is_json(headers):  # forms and plain text need no preflight, so any page can send them
        return refusal(415, "unsupported_media_type", "Send the request with Content-Type: application/json.")
    return None


def _is_json(headers: Headers) -> bool:
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


async def _body(receive: Receive) -> bytes | Response | None:
    """The whole body, None as soon as it is larger than it may be, and a refusal when it does not come in time."""
    body, more = b"", True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more and len(body) <= MOST_BODY_BYTES:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
    except TimeoutError:
        reply = refusal(408, "invalid_request", f"The body did not come within {BODY_SECONDS:g} seconds.")
        reply.headers["Connection"] = "close"
        return reply
    return body if len(body) <= MOST_BODY_BYTES else None


async def _refuse_unread(scope: Scope, receive: Receive, send: Send) -> None:
    """Replies that the body is too large, at once; then takes for a moment what is still sent, and lets it fall.

    A client still sending when its connection is closed may miss the reply.
    """

    async def unfinished(message: Message) -> None:
        await send({**message, "more_body": True} if message["type"] == "http.response.body" else message)

    reply = refusal(413, "too_large", f"A request may have {MOST_BODY_BYTES} bytes.")
    reply.headers["Connection"] = "close"
    await reply(scope, receive, unfinished)
    size, more = 0, True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while more and size <= _MOST_DISCARDED_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                more = message.get("more_body", False)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body which was read already, then goes on."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _sending(send: Send, origin: str) -> Send:
    """A `send` that adds the headers of every reply, and those that let a page of `origin` ("": none) read it."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
            headers.add_vary_header("Origin")
            if origin:
                headers["Access-Control-Allow-Origin"] = origin
                headers["Access-Control-Expose-Headers"] = "Retry-After"
        await send(message)

    return with_headers


def _short(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[:most] + "..."
