"""Fills a new embedding model behind a server that answers with the former one; the last step lets the new one answer.

In slices of some seconds, between which documents that change are taken in. Stopped or killed, the next start goes on.
Knows no HTTP. Try: python server.py, then BRAIN_EMBED_MODEL=use python server.py, and ask meanwhile
"""

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic

from calibration.first import first_limit
from errors import BrainError, StoreBusy
from search import Index
from storage.report import FILLING, Progress

SLICE_SECONDS = 30.0
"""For so long it is filled before changed documents are looked for; longer where to find what is lacking takes long."""
_PAUSE_SECONDS = 0.2
_BUSY_SECONDS = 3.0
_RETRY_SECONDS = 15.0
_log = logging.getLogger("uvicorn.error")


class _SliceEndedError(Exception):
    """Time for others."""


class Mover:
    """The thread that moves an index to the settings' embedding model; without a move it ends at once."""

    def __init__(
        self,
        index: Index,
        stopping: threading.Event,
        notice: Callable[[str], None],
        telling: Callable[[str], AbstractContextManager[Progress | None]],
    ) -> None:
        """`telling` may end the measuring of the new limit by raising, as the server does when it is stopped."""
        self._index, self._stopping, self._notice, self._telling = index, stopping, notice, telling
        self._thread = threading.Thread(target=self._run, name="move", daemon=True)

    def start(self) -> None:
        """Begins and returns at once."""
        self._thread.start()

    def ended(self, seconds: float) -> bool:
        """Whether it has ended, waiting for it for so long."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        last, told = "", False
        while not self._stopping.is_set():
            pause = _PAUSE_SECONDS
            try:
                moving = self._index.answering().moving
                if not moving:
                    break
                if not told:
                    self._notice(f"questions are {moving}")
                    told = True
                self._index.sync(wait=False, progress=self._slice())
            except _SliceEndedError:
                pass
            except StoreBusy:
                pause = _BUSY_SECONDS
            except Exception as error:
                if str(error) != last:
                    self._notice(f"{error} (the move is tried again every {_RETRY_SECONDS:.0f} s)")
                    if not isinstance(error, BrainError):
                        _log.exception("The move to another model failed")
                last, pause = str(error), _RETRY_SECONDS
            self._stopping.wait(pause)
        if told and not self._stopping.is_set():
            self._measure()

    def _measure(self) -> None:
        try:
            self._notice(f"questions are answered with {self._index.label} now")
            first_limit(self._index, self._notice, self._telling)
        except Exception as error:
            if not self._stopping.is_set():
                self._notice(f"the limit was not measured: {error}. Run: python -m eval.calibrate")

    def _slice(self) -> Progress:
        started, end = monotonic(), float("inf")

        def tell(done: int, total: int, path: str) -> None:
            nonlocal end
            if path == FILLING and end == float("inf"):
                end = monotonic() + max(SLICE_SECONDS, 10 * (monotonic() - started))
            if self._stopping.is_set() or monotonic() > end:
                raise _SliceEndedError

        return tell
