"""A waiting line in front of slow work: so many at once, so many waiting, and the next is told at once that it is full.

The work runs in daemon threads of the line's own, which live as long as the process: the index keeps a connection a
thread, and a stopping server does not wait for a model. Knows no HTTP. Try: pytest tests/test_server.py -k line
"""

import asyncio
import concurrent.futures
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from errors import BrainError, ModelBusy

_T = TypeVar("_T")
_Job = tuple["concurrent.futures.Future[Any]", Callable[[], Any]]


class Stopping(BrainError):
    """The server is being stopped while the question is at work."""

    code = "stopping"
    http_status = 503


class Full(ModelBusy):
    """More wait than may: our own line is full, whatever the model does."""


class Line:
    """Runs work in up to `workers` threads and holds at most `places`, those at work counted."""

    def __init__(self, name: str, workers: int, places: int) -> None:
        self._name, self._workers, self._places = name, workers, places
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._inside = self._running = self._threads = 0

    @property
    def idle(self) -> bool:
        """Whether nothing is at work or waits."""
        return self._inside == 0

    @property
    def running(self) -> int:
        """How many are at work."""
        return self._running

    @property
    def waiting(self) -> int:
        """How many wait for a thread."""
        return max(0, self._inside - self._running)

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises; ModelBusy at once when every place is taken, Stopping when cancelled."""
        self._enter()
        done: concurrent.futures.Future[_T] = concurrent.futures.Future()
        done.add_done_callback(self._leave)  # also when the waiter gives up: the place is free when the work has ended
        self._jobs.put((done, work))
        try:
            return await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            raise Stopping("Nobody waits for it: whoever asked has left, or the server is being stopped.") from None

    def _enter(self) -> None:
        with self._lock:
            if self._inside >= self._places:
                raise Full(
                    f"{self._inside} {self._name} are being answered or wait already, more may not. "
                    "Ask again in a few seconds; BRAIN_QUEUE says how many may wait."
                )
            self._inside += 1
            if self._threads < min(self._inside, self._workers):
                self._threads += 1
                threading.Thread(target=self._work, name=f"{self._name}-{self._threads}", daemon=True).start()

    def _leave(self, _: object) -> None:
        with self._lock:
            self._inside -= 1

    def _work(self) -> None:
        while True:
            done, work = self._jobs.get()
            if not done.set_running_or_notify_cancel():
                continue
            self._count(1)
            try:
                result = work()
            except BaseException as error:  # handed to the one who waits, whatever it is
                self._count(-1)
                done.set_exception(error)
            else:
                self._count(-1)
                done.set_result(result)
            del done, work  # an idle thread keeps no question and no answer

    def _count(self, more: int) -> None:
        with self._lock:
            self._running += more
