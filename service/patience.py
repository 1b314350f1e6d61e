"""How long a connection may stand without a whole request: uvicorn itself waits for ever for the rest of a header.

Once a header is there, the door bounds the body. Try: pytest tests/test_server.py -k half
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0


class Patience(H11Protocol):
    """uvicorn's HTTP over one connection, closed when a request's header has not come whole within HEADER_SECONDS."""

    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Waits on from the first byte of a header; what comes later buys no more time."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:  # a request is at work
            self._stop()
        elif self._end is None:
            self._end = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
