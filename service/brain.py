"""The index behind the server: opened and synced in a background thread, asked meanwhile if it holds something.

Until the first sync has succeeded it is tried again, whatever was in its way; what comes later is enough. From then on
the same thread follows the documents (storage/follow.py).
Knows no HTTP. Try: python server.py, then curl http://127.0.0.1:8000/readyz
"""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import asdict, dataclass
from typing import Any

from access.identity import is_open, signs_in
from answer import Assistant
from answering.cache import Cache
from answering.recorded import Log
from calibration.first import first_limit
from config import Settings
from errors import BrainError, ModelError, StoreBusy
from search import Index, open_index
from service import logs
from service.line import Line
from service.moving import Mover
from service.recent import Recent
from service.record import Record
from service.scheduled import Runner, Schedule
from storage.follow import EndedError, Follower, Following
from storage.report import Progress, Summary

RETRY_SECONDS = 15.0
"""Pause before a failed first sync is tried again."""
BUSY_RETRY_SECONDS = 2.0
"""The same while another process syncs this index."""
OLD_SECONDS = 7200.0
"""An index that was compared with its documents longer ago is not said to be up to date."""
OPEN_WARNING = "everyone who reaches this port reads everything"
_PLAIN = {
    "ready": "Questions are answered.",
    "opening": "The index is being opened.",
    "syncing": "The documents are being read.",
    "measuring": "The limit is being measured.",
    "loading": "The chat model is being loaded.",
}
_IN_THE_WAY = "Something is in the way; whoever runs the server sees what."
_STOP_SECONDS = 3.0
_MOST_WORKERS = 32  # threads; a longer queue waits for one of them
_log = logging.getLogger("uvicorn.error")


class NotReady(BrainError):
    """The index cannot be asked yet."""

    code = "not_ready"
    http_status = 503


@dataclass(frozen=True, slots=True)
class State:
    """How far the first sync is."""

    code: str  # "opening" | "syncing" | "measuring" | "loading" | "ready", or the code of the error that stopped it
    detail: str


class Brain:
    """Opens the index of `settings`, brings it up to date, and says what is ready."""

    def __init__(
        self, settings: Settings, notice: Callable[[str], None], opens: Callable[[Settings], Index] | None = None
    ) -> None:
        """`opens` is for other models or documents than those that the settings name."""
        self.settings, self._notice = settings, notice
        self._open = opens or (lambda settings: open_index(settings, notice=notice))
        self.state = State("opening", "The index is being opened.")
        cores = max(2, os.cpu_count() or 2)
        self.questions = Line("questions", cores, cores + settings.queue)
        self.searches = Line("searches", cores, cores + settings.queue)
        self.looks = Line("status requests", 1, 64)
        self.judgements = Line("judgements", 1, 64)  # each may wait for a sync's transaction
        self.events = Line("events", 1, 1 + settings.queue)
        self.recent = Recent()
        self.record = Record(settings)
        self._cache = Cache(settings.cache) if settings.cache else None
        self._index: Index | None = None
        self._mover: Mover | None = None
        self._answers = False
        self._stopping = threading.Event()
        self._follower = Follower(
            settings.docs_dir, self._sync, notice, wrote=self._wrote, fault=self._log, own=settings.db,
            events=settings.follow, every=settings.sync_every, epoch=self._epoch, stop=self._stopping,
        )  # fmt: skip
        runner = Runner(settings, notice, self._sync_and_wait, self._stopping.is_set)
        self._schedule = Schedule(runner, lambda: self._index.store if self._index else None, self._stopping, self._log)
        self._thread = threading.Thread(target=self._run, name="sync", daemon=True)

    def start(self) -> None:
        """Begins to open and sync in the background; returns at once."""
        self._thread.start()
        self._schedule.start()

    def stop(self) -> None:
        """Ends the sync at its next document and closes the index, unless a model call holds it for over 3 seconds."""
        self._follower.stop()
        if self._thread.is_alive():
            self._thread.join(_STOP_SECONDS)
        lines = (self.questions, self.searches, self.looks, self.judgements, self.events)
        has_moved = self._mover is None or self._mover.ended(_STOP_SECONDS)
        has_moved &= self._schedule.ended(_STOP_SECONDS)
        if self._index and not self._thread.is_alive() and has_moved and all(line.idle for line in lines):
            self._index.store.close()

    def index(self) -> Index:
        """The index, once it can be asked: after the first sync, or at once when it holds documents of an earlier run.

        Raises NotReady with the reason.
        """
        if self._index is None or not self._answers:
            raise NotReady(f"The index is not ready. {self._detail_for_all()}")
        if not self._index.has_its_lists:
            raise NotReady("The index was put back, or filled by other settings; who may read what is being compared.")
        return self._index

    def assistant(self) -> Assistant:
        """Who answers. Raises NotReady."""
        return Assistant(self.index(), self._cache)

    def sync_soon(self) -> Future[Summary]:
        """Asks for a sync that begins from now on; returns what will hold its Summary or error.

        Raises NotReady while the index is not open.
        """
        if self._index is None:
            raise NotReady(f"The index is not ready. {self._detail_for_all()}")
        return self._follower.request()

    def _sync_and_wait(self) -> None:
        """A sync, for whoever has time. How it ends is told by the thread that does it."""
        asked = self.sync_soon()
        while not (self._stopping.is_set() or asked.done()):
            with contextlib.suppress(TimeoutError, CancelledError, BrainError, EndedError):
                asked.exception(1.0)

    def _detail_for_all(self) -> str:
        """The state's sentence; where not everyone runs the server who asks, one without counts and paths."""
        if signs_in(self.settings) or is_open(self.settings):
            return _PLAIN.get(self.state.code, _IN_THE_WAY)
        return self.state.detail

    def following(self) -> dict[str, Any]:
        """How it stands with the syncs: what /readyz tells as `sync`."""
        now = self._follower.state
        age, change = now.age, now.last_change
        waits = self._follower.is_asked and now.code == "idle"
        return {
            "state": "waiting" if waits else now.code, "done": now.done, "total": now.total,
            "left_out": len(now.summary.left_out) if now.summary else 0,
            "last": now.last.isoformat(timespec="seconds") if now.last else None,
            "age_seconds": None if age is None else round(age, 1),
            "last_change": {"time": change[0].isoformat(timespec="seconds"), **counts(change[1])} if change else None,
        }  # fmt: skip

    def readiness(self) -> dict[str, Any]:
        """What /readyz tells; `ready` is true when the first sync has ended well and the models answer now."""
        state, index = self.state, self._index
        detail = _detail(self._follower.state) if state.code == "ready" else state.detail
        detail = detail.encode("utf-8", "backslashreplace").decode()  # it may name a path that is no UTF-8
        told: dict[str, Any] = {
            "ready": state.code == "ready", "code": state.code, "detail": detail, "answers": self._answers,
            "sync": self.following(),
            "open": is_open(self.settings), "warning": OPEN_WARNING if is_open(self.settings) else "",
        }  # fmt: skip
        if index is None:
            return told
        status = index.store.status()
        told |= {"documents": status.documents, "chunks": status.chunks}
        told |= {"last_indexed": status.last_indexed, "notice": index.models.notice}
        told |= {"passes": {name: one.told() for name, one in index.store.passes().items()}}
        if state.code != "ready":
            return told
        try:
            measured = index.calibration()
            told |= {"limit": asdict(index.searcher().limit), "measured": measured.measured if measured else None}
            told |= {"model": index.label}
            index.models.check()
        except ModelError as error:
            told |= {"ready": False, "code": error.code, "detail": str(error)}
        return told

    def _run(self) -> None:
        last = ""  # what was in the way, told once
        while not self._stopping.is_set():
            pause = RETRY_SECONDS
            try:
                self._bring_up()
                self._follower.run()
                return
            except EndedError:
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
                    self._log(error)
                last = repr(error)
                self.state = State("internal", "The first sync failed; the server's log says how.")
            self._stopping.wait(pause)

    def _bring_up(self) -> None:
        index = self._index or self._opened()
        self.state = State("syncing", "The documents are being read.")
        first = self._follower.once()
        if first.wrote:
            _tell(first)
        index.searcher()  # the model's vectors are registered now, not at the first question
        _ = index.label
        self._answers = True
        self.state = State("measuring", "The limit is being measured.")
        first_limit(index, self._notice, self._telling)
        if index.models.chat:  # once and without a deadline: a load that is cut off at each question never ends
            self.state = State("loading", "The chat model is being loaded.")
            index.models.chat.warm_up()
        self.state = State("ready", "")
        self._mover = Mover(index, self._stopping, self._notice, self._telling)
        self._mover.start()

    def _sync(self, progress: Progress) -> Summary:
        assert self._index

        def tell(done: int, total: int, path: str) -> None:
            progress(done, total, path)
            if self.state.code == "syncing":
                self.state = State("syncing", _reading_text(done, total))

        return self._index.sync(wait=False, progress=tell, moves=False)

    def _epoch(self) -> int:
        return self._index.store.epoch() if self._index else 0

    def _wrote(self, summary: Summary) -> None:
        """Tells of a sync that changed something, and measures the limit of documents too few for one until now."""
        assert self._index
        _tell(summary)
        first_limit(self._index, self._notice, self._telling)

    def _opened(self) -> Index:
        index = self._open(self.settings)
        try:
            index.store.claim(index.source.root)  # the index of other documents is not asked while that is found out
            self._answers = index.has_its_lists and index.store.chunk_count() > 0
            index.store.terms = index.source.access_terms  # a sync of other settings may begin under a question
        except BaseException:
            index.store.close()
            raise
        if index.models.chat:
            places = 1 + self.settings.queue
            self.questions = Line("questions", min(places, _MOST_WORKERS), places)
        self.record.log = Log(self.settings, index.store, self._notice)  # before the first question can be answered
        self._index = index
        return index

    @contextlib.contextmanager
    def _telling(self, label: str) -> Iterator[Progress]:
        state = self.state

        def tell(done: int, total: int, path: str) -> None:
            if self._stopping.is_set():
                raise EndedError
            if state.code == "measuring":
                self.state = State(state.code, f"{label}: {done} of {total}.")

        yield tell

    def _log(self, _: Exception) -> None:
        _log.exception("A sync failed (it is tried again)")


def without_counts(told: dict[str, Any]) -> dict[str, Any]:
    """Of what `readiness` tells, that which says nothing of documents: for whoever does not run the server."""
    kept = {name: told[name] for name in ("ready", "code", "answers", "open", "warning", "model") if name in told}
    return kept | {"detail": _PLAIN.get(told["code"], _IN_THE_WAY)}


def _tell(summary: Summary) -> None:
    """A line of the log: how many documents, and which where they are few; never a word of what they hold."""
    few = [f"{done} {path}" for done, path in summary.few]
    told = {**counts(summary), "embedded": summary.embedded, "files": few or None, "seconds": round(summary.seconds, 2)}
    logs.event(logging.INFO, "sync", told)


def counts(summary: Summary) -> dict[str, int]:
    """How many documents a sync added, changed and removed."""
    return {"added": summary.added, "changed": summary.changed, "removed": summary.removed}


def _detail(now: Following) -> str:
    """What is to be said of an index that answers; "up to date" only when that was found out lately."""
    age = now.age or 0.0
    if now.code == "syncing" and now.total:
        return _reading_text(now.done, now.total)
    if now.code == StoreBusy.code:
        return now.detail
    if now.code not in ("idle", "syncing"):
        return f"The last sync failed; answers come from what the index holds. {now.detail}"
    if age > OLD_SECONDS:
        return f"The documents were looked at {age / 3600:.0f} hours ago. Run: python store.py --sync"
    return "The index is up to date."


def _reading_text(done: int, total: int) -> str:
    return f"The documents are being read: {done} of {total}."
