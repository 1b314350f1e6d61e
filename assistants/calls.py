"""Calls at work, so that a notification that withdraws one ends its work, whichever connection it comes by.

Over HTTP a call and its withdrawal are two requests, and a request's number is its client's own. So a client is given a
name nobody can guess when it initializes, and sends it with every request. Nothing is kept but the calls at work, and
any name is taken: a restarted server needs no new session. Knows no tool.
Try: pytest tests/test_mcp.py -k withdrawn
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from mcp.server.mcpserver import Context

from models.calls import Stop

SESSION = "mcp-session-id"
"""The header by which a client says its name."""


class Calls:
    """The calls at work of all clients."""

    def __init__(self) -> None:
        self._stops: dict[tuple[str, str], Stop] = {}

    @contextlib.contextmanager
    def entered(self, ctx: Context) -> Iterator[Stop]:
        """While the block runs, the call can be withdrawn; yields what is set then."""
        key, stop = ((ctx.headers or {}).get(SESSION, ""), ctx.request_id), Stop()
        if key[0]:
            self._stops[key] = stop
        try:
            yield stop
        finally:
            if self._stops.get(key) is stop:
                del self._stops[key]

    def withdraw(self, session: str, message: Any) -> None:
        """Ends the call that `message`, a client's notification, withdraws; any other message does nothing."""
        if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            params = message.get("params")
            number = params.get("requestId") if isinstance(params, dict) else None
            if stop := self._stops.get((session, str(number))):
                stop.set()
