"""The tools at POST /mcp: the SDK's streamable HTTP without sessions, behind the server's own door.

Host, origin, content type and size have been judged by the door before a request comes here. GET and DELETE are
refused: nothing is told unasked, and there is no session to end. Knows no tool.
Try: python server.py, then an assistant's client at http://127.0.0.1:8000/mcp (manual/mcp.md)
"""

import asyncio
import contextlib
import json
import uuid
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import FastAPI, Request
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from access import Caller
from assistants.calls import SESSION, Calls
from service.door import again, refusal

PATH = "/mcp"


def add_mcp(
    api: FastAPI, server: MCPServer[Any], calls: Calls, caller_of: Callable[[Request], Caller]
) -> AbstractAsyncContextManager[None]:
    """Adds the route, for whom `caller_of` lets in; what is returned must be entered while requests are served."""
    judged = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # by service/door.py, with the settings
    server.streamable_http_app(stateless_http=True, transport_security=judged)
    api.router.routes.append(
        Route(PATH, _Endpoint(server.session_manager.handle_request, calls, caller_of), methods=["POST"])
    )
    return server.session_manager.run()


class _Endpoint:
    """Names a client that initializes, hears of calls that are withdrawn, and ends replies when the server ends."""

    def __init__(self, app: ASGIApp, calls: Calls, caller_of: Callable[[Request], Caller]) -> None:
        self._app, self._calls, self._caller_of = app, calls, caller_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self._caller_of(request)
        body = await request.body()
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            message = None  # the SDK says what is wrong with it
        self._calls.withdraw(request.headers.get(SESSION, ""), message)
        begins = isinstance(message, dict) and message.get("method") == "initialize"
        started = ended = False

        async def told(message: Message) -> None:
            nonlocal started, ended
            started, ended = True, message["type"] == "http.response.body" and not message.get("more_body")
            if begins and message["type"] == "http.response.start":
                MutableHeaders(scope=message)[SESSION] = uuid.uuid4().hex
            await send(message)

        with contextlib.suppress(asyncio.CancelledError):  # the server is being stopped, and its patience is over
            await self._app(scope, again(body, receive), told)
        if not started:
            await refusal(503, "stopping", "The server is being stopped.")(scope, receive, send)
        elif not ended:  # the SDK's streams break off then
            await send({"type": "http.response.body", "body": b"", "more_body": False})
