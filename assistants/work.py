"""A call at work: it waits for the index, tells how far it is, and ends when whoever called withdraws it.

Knows no tool and no transport. Try: pytest tests/test_mcp.py -k progress
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from answering.events import Answered, Checked, Event, Routed, Searched, Tell, Token, Withdrawn
from models.calls import Stop
from search import Index
from service.brain import Brain, NotReady
from service.stream import Runs

WAIT_SECONDS = 45.0
"""How long a call waits for the index: clients give a call up after a minute unless they are told otherwise."""
TICK_SECONDS = 0.5
HEARTBEAT_SECONDS = 5.0
"""After so long without news a call says that it lives."""
_UNDER_WAY = ("opening", "syncing", "measuring", "loading", "ready")
_T = TypeVar("_T")
Report = Callable[[float, float | None, str | None], Awaitable[None]]


class Steps:
    """Progress of one call: each notice counts one further, as the protocol wants it."""

    def __init__(self, report: Report) -> None:
        self._report, self._count = report, 0
        self._last, self._told = "", 0.0

    async def tell(self, message: str) -> None:
        """One step more; the same as before only after HEARTBEAT_SECONDS."""
        if message == self._last and time.monotonic() - self._told < HEARTBEAT_SECONDS:
            return
        self._count, self._last, self._told = self._count + 1, message, time.monotonic()
        await self._report(self._count, None, message)


async def when_ready(brain: Brain, steps: Steps) -> Index:
    """The index, once it can be asked. Raises NotReady after WAIT_SECONDS, or at once when something is in its way."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return brain.index()
        except NotReady as error:
            code = (await brain.looks.run(brain.readiness))["code"]
            if code not in _UNDER_WAY:
                raise NotReady(f"{error} (It is tried again by itself; index_status says how it stands.)") from None
            if time.monotonic() >= end:
                raise NotReady(f"{error} Call again in a minute; index_status says how far it is.") from None
            await steps.tell(str(error))
        await asyncio.sleep(TICK_SECONDS)


async def told(line: Runs, work: Callable[[Tell], _T], steps: Steps, stop: Stop) -> _T:
    """What `work` returns or raises, done in `line`; its events become steps, and cancelling this sets `stop`."""
    loop = asyncio.get_running_loop()
    heard: asyncio.Queue[Event | None] = asyncio.Queue()

    def tell(event: Event) -> None:
        if isinstance(event, Answered):  # is what `work` returns
            return
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to hear it
            loop.call_soon_threadsafe(heard.put_nowait, event)

    async def run() -> _T | BaseException:
        try:
            return await line.run(lambda: work(tell))
        except Exception as error:  # handed over; a task that nobody asks any more would log it
            return error
        finally:
            heard.put_nowait(None)

    task, written, last = asyncio.create_task(run()), 0, time.monotonic()
    try:
        while True:
            event: Event | None = Token(text="")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    event = await heard.get()
            if event is None:
                break
            written = written + len(event.text) if isinstance(event, Token) else written
            if not isinstance(event, Token) or time.monotonic() - last >= HEARTBEAT_SECONDS:
                last = time.monotonic()
                await steps.tell(_said(event, written))
        result = await task
    finally:
        stop.set()
        task.cancel()
    if isinstance(result, BaseException):
        raise result
    return result


def _said(event: Event, written: int) -> str:
    """The event in words; never the model's own before they are checked."""
    if isinstance(event, Searched):
        return f"The search found {len(event.passages) or 'no'} passage{'' if len(event.passages) == 1 else 's'}."
    if isinstance(event, Routed):
        return "Ordinary search answers." if event.tool == "text" else f"The facts answer, by {event.tool}."
    if isinstance(event, Checked):
        return f"Sentence {event.index + 1} is checked: {event.claim.status}."
    if isinstance(event, Withdrawn):
        return f"Not all was proved; the answer is written again (attempt {event.attempt})."
    return f"The answer is being written: {written} characters." if written else "At work."
