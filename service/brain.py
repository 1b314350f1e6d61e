"""The index behind the server: opened and synced in a background thread, asked meanwhile if it holds something.

Until the first sync has succeeded it is tried again, whatever was in its way; what comes later is enough.
Knows no HTTP. Try: python server.py, then curl http://127.0.0.1:8000/readyz
"""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from answer import Assistant
from calibration.first import first_limit
from config import Settings
from errors import BrainError, ModelError, StoreBusy
from search import Index, open_index
from service.line import Line
from service.moving import Mover
from service.recent import Recent
from storage.report import Progress, Summary

RETRY_SECONDS = 15.0
"""Pause before a failed first sync is tried again."""
BUSY_RETRY_SECONDS = 2.0
"""The same while another process syncs this index."""
OPEN_WARNING = "everyone who reaches this port reads everything"
_STOP_SECONDS = 3.0
_MOST_WORKERS = 32  # threads; a longer queue waits for one of them
_log = logging.getLogger("uvicorn.error")


class NotReady(BrainError):
    """The index cannot be asked yet."""

    code = "not_ready"
    http_status = 503


class _StoppedError(Exception):
    """The server is being stopped while a sync runs."""


@dataclass(frozen=True, slots=True)
class State:
    """How far the first sync is."""

    code: str  # "opening" | "syncing" | "ready", or the code of the error that stopped it
    detail: str
    done: int = 0  # documents
    total: int = 0


class Brain:
    """Opens the index of `settings`, brings it up to date, and says what is ready."""

    def __init__(
        self, settings: Settings, notice: Callable[[str], None], opens: Callable[[Settings], Index] | None = None
    ) -> None:
        """`opens` is for other models or documents than those that the settings name."""
        self.settings, self._notice = settings, notice
        self._open = opens or (lambda settings: open_index(settings, notice=notice))
        self.state = State("opening", "The index is being opened.")
        self.left_out = 0  # files the sync could not use
        cores = max(2, os.cpu_count() or 2)
        self.questions = Line("questions", cores, cores + settings.queue)
        self.searches = Line("searches", cores, cores + settings.queue)
        self.looks = Line("status requests", 1, 64)
        self.judgements = Line("judgements", 1, 64)  # each may wait for a sync's transaction
        self.recent = Recent()
        self._index: Index | None = None
        self._mover: Mover | None = None
        self._answers = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="first-sync", daemon=True)

    def start(self) -> None:
        """Begins to open and sync in the background; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the sync at its next document and closes the index, unless a model call holds it for over 3 seconds."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(_STOP_SECONDS)
        lines = (self.questions, self.searches, self.looks, self.judgements)
        has_moved = self._mover is None or self._mover.ended(_STOP_SECONDS)
        if self._index and not self._thread.is_alive() and has_moved and all(line.idle for line in lines):
            self._index.store.close()

    def index(self) -> Index:
        """The index, once it can be asked: after the first sync, or at once when it holds documents of an earlier run.

        Raises NotReady with the reason.
        """
        if self._index is None or not self._answers:
            raise NotReady(f"The index is not ready. {self.state.detail}")
        return self._index

    def assistant(self) -> Assistant:
        """Who answers. Raises NotReady."""
        return Assistant(self.index())

    def readiness(self) -> dict[str, Any]:
        """What /readyz tells; `ready` is true when the first sync has ended well and the models answer now."""
        state, index = self.state, self._index
        detail = state.detail.encode("utf-8", "backslashreplace").decode()  # it may name a path that is no UTF-8
        told: dict[str, Any] = {
            "ready": state.code == "ready", "code": state.code, "detail": detail, "answers": self._answers,
            "sync": {"done": state.done, "total": state.total, "left_out": self.left_out},
            "open": self.settings.open, "warning": OPEN_WARNING if self.settings.open else "",
        }  # fmt: skip
        if index is None:
            return told
        status = index.store.status()
        told |= {"documents": status.documents, "chunks": status.chunks}
        told |= {"last_indexed": status.last_indexed, "notice": index.models.notice}
        if state.code != "ready":
            return told
        try:
            measured = index.calibration()
            told |= {"limit": asdict(index.searcher().limit), "measured": measured.measured if measured else None}
            told |= {"model": index.label}
            _ask_for_models(index)
        except ModelError as error:
            told |= {"ready": False, "code": error.code, "detail": str(error)}
        return told

    def _run(self) -> None:
        last = ""  # what was in the way, told once
        while not self._stopping.is_set():
            pause = RETRY_SECONDS
            try:
                self._bring_up()
                return
            except _StoppedError:
                return
            except StoreBusy as error:
                pause = BUSY_RETRY_SECONDS
                self.state = State("syncing", str(error))
            except BrainError as error:
                if str(error) != last:
                    self._notice(f"{error} (tried again every {RETRY_SECONDS:.0f} s)")
                last = str(error)
                self.state = State(error.code, last)
            except Exception as error:
                if repr(error) != last:
                    _log.exception("The first sync failed (tried again every %.0f s)", RETRY_SECONDS)
                last = repr(error)
                self.state = State("internal", "The first sync failed; the server's log says how.")
            self._stopping.wait(pause)

    def _bring_up(self) -> None:
        index = self._index or self._opened()
        self.state = State("syncing", "The documents are being read.")
        summary = index.sync(wait=False, progress=self._tell, moves=False)
        index.searcher()  # the model's vectors are registered now, not at the first question
        _ = index.label
        self.left_out = len(summary.skipped)
        self._answers = True
        self.state = State("measuring", "The limit is being measured.", self.state.done, self.state.total)
        first_limit(index, self._notice, self._telling)
        if index.models.chat:  # once and without a deadline: a load that is cut off at each question never ends
            self.state = State("loading", "The chat model is being loaded.", self.state.done, self.state.total)
            index.models.chat.warm_up()
        self.state = State("ready", "The index is up to date.", self.state.done, self.state.total)
        self._mover = Mover(index, self._stopping, self._notice, self._telling)
        self._mover.start()
        if summary.skipped:
            self._notice(_left_out_text(summary))

    def _opened(self) -> Index:
        index = self._open(self.settings)
        try:
            index.store.claim(index.source.root)  # the index of other documents is not asked while that is found out
            self._answers = index.store.chunk_count() > 0
        except BaseException:
            index.store.close()
            raise
        if index.models.chat:
            places = 1 + self.settings.queue
            self.questions = Line("questions", min(places, _MOST_WORKERS), places)
        self._index = index
        return index

    def _tell(self, done: int, total: int, path: str) -> None:
        if self._stopping.is_set():
            raise _StoppedError
        self.state = State("syncing", f"The documents are being read: {done} of {total}.", done, total)

    @contextlib.contextmanager
    def _telling(self, label: str) -> Iterator[Progress]:
        state = self.state

        def tell(done: int, total: int, path: str) -> None:
            if self._stopping.is_set():
                raise _StoppedError
            self.state = State(state.code, f"{label}: {done} of {total}.", state.done, state.total)

        yield tell


def _ask_for_models(index: Index) -> None:
    """Raises ModelError when a model that was there at the start is no longer; loads nothing."""
    kinds = (index.models.embedder, index.models.chat)
    names = [model.identity.name for model in kinds if model and model.identity.backend == "ollama"]
    if names:
        from models.ollama_backend import available

        settings = index.settings
        missing = [text for text in available(settings.ollama_host, names, settings.connect_seconds).values() if text]
        if missing:
            raise ModelError(missing[0])


def _left_out_text(summary: Summary) -> str:
    return f"{len(summary.skipped)} files were left out; python store.py --sync names them and why"
