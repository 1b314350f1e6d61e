"""An answer as server-sent events: what is found at once, the text as it is written, each checked sentence, the whole.

A client that goes away ends the work for it, in the waiting line or at the model. Knows no passages and no models.
Try: curl -N -d '{"text": "How many vacation days do I get?"}' -H "Content-Type: application/json" \\
     127.0.0.1:8000/ask/stream
"""

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from answering.events import Answered, Event, Tell
from models.calls import Stop
from service.line import Stopping
from service.replies import failed

HEARTBEAT_SECONDS = 10.0
"""After so long without an event a comment is sent, so that nothing on the way takes the connection for dead."""
Work = Callable[[Tell, Stop], dict[str, Any]]
"""Answers in a thread, telling events; returns the data of the last one."""
_T = TypeVar("_T")
_HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class _GoneError(Exception):
    """The client has left."""


class Runs(Protocol):
    """A Line, or whoever puts work into one."""

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises."""
        ...


_Item = Event | dict[str, Any] | BaseException


class Stream(Response):
    """The reply to one question. Only `begin` and then the server call it."""

    media_type = "text/event-stream"

    def __init__(
        self, line: Runs, work: Work, heartbeat_seconds: float = HEARTBEAT_SECONDS, last: str = Answered.name
    ) -> None:
        """`last` is the name of the event that holds what `work` returns."""
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._heartbeat = heartbeat_seconds
        self._stop = Stop()
        self._items: asyncio.Queue[_Item] = asyncio.Queue()
        self._first: _Item | None = None
        self._line, self._work, self._last = line, work, last
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, receive: Receive) -> "Stream":
        """Starts the work and waits for its first event, or for one heartbeat; then the reply may be sent.

        An error that comes before is raised, to be told with a status of its own: ModelBusy at a full line, ...
        """
        self._tasks = [asyncio.create_task(self._watch(receive)), asyncio.create_task(self._run())]
        try:
            self._first = await self._next()
        except BaseException:
            self._end()
            raise
        if isinstance(self._first, BaseException):
            self._end()
            raise Stopping("The client has left.") if isinstance(self._first, _GoneError) else self._first
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends what comes until the answer, an error, or the client's leaving."""
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            item, more = self._first, True
            while more:
                data, more = _as_sent(item, self._last)
                await send({"type": "http.response.body", "body": data, "more_body": more})
                item = await self._next() if more else None
        except asyncio.CancelledError:
            stopping = Stopping("The server is being stopped. Ask again when it is back.")
            await send({"type": "http.response.body", "body": _as_sent(stopping, "")[0], "more_body": False})
        finally:
            self._end()

    async def _next(self) -> _Item | None:
        """What comes next; None when nothing came for a heartbeat."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._heartbeat):
                return await self._items.get()
        return None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()

        def tell(event: Event) -> None:
            if not isinstance(event, Answered):  # comes with what `work` returns
                with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
                    loop.call_soon_threadsafe(self._items.put_nowait, event)

        try:
            self._items.put_nowait(await self._line.run(lambda: self._work(tell, self._stop)))
        except Exception as error:
            self._items.put_nowait(error)

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._stop.set()
        self._items.put_nowait(_GoneError())

    def _end(self) -> None:
        """Nothing goes on for this client. Work that has not begun leaves the line, other work is stopped."""
        self._stop.set()
        for task in self._tasks:
            task.cancel()


def _as_sent(item: _Item | None, last: str) -> tuple[bytes, bool]:
    """The bytes of one item, and whether another may follow; `last` names the event that is the result."""
    if item is None:
        return b": waiting\n\n", True
    if isinstance(item, _GoneError):
        return b"", False
    if isinstance(item, dict):
        return _event(last, item), False
    if isinstance(item, Event):
        return _event(item.name, item.data()), True
    told = failed(item)
    return _event(told.name, told.data()), False


def _event(name: str, data: dict[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False)  # one line: JSON writes line ends within texts as \n
    return f"event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")
