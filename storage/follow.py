"""Keeps an index as its documents are: a sync after each burst of changes, on a schedule, and when somebody asks.

One thread runs it (`run`), others ask for a sync and read the state. What fails is told once and tried again after
growing pauses; the index stays as it is meanwhile. A second process that follows the same folder has nothing to do.
Knows a folder and a function that syncs, no models, no HTTP. Try: python store.py --watch
"""

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from errors import BrainError, SourceError, StoreBusy
from sources import watching
from storage.report import Progress, Summary

BUSY_SECONDS = 2.0
"""Pause while another process syncs this index."""
PAUSE_SECONDS = 2.0
"""Pause after a sync that failed; twice as long after each further one, up to MOST_PAUSE_SECONDS."""
MOST_PAUSE_SECONDS = 300.0
SETTLED_SECONDS = 2.2
"""After a change the documents are looked at once more: a file written within 2 s may have changed unseen."""
LOST_SECONDS = 1800.0
"""They are looked at so often whatever is told: events get lost."""
_SHARE = 4  # looking that found nothing takes at most a fifth of the time, however much else is written to the folder
_MOST_WAIT = 1.0  # for a signal: Windows interrupts no wait


class EndedError(Exception):
    """The follower is being stopped while it syncs."""


@dataclass(frozen=True, slots=True)
class Following:
    """How it stands with the syncs."""

    code: str = "idle"  # or "syncing", or the code of the error that ended the last one
    detail: str = ""  # what that error says
    done: int = 0  # documents, of the sync that runs or ran last
    total: int = 0
    last: datetime | None = None  # when the last sync that ended well ended, UTC
    at: float = 0.0  # the same by the monotonic clock
    summary: Summary | None = None  # what it did
    last_change: tuple[datetime, Summary] | None = None  # the last one that changed something

    @property
    def age(self) -> float | None:
        """Seconds since the last sync ended well; None when none has."""
        return monotonic() - self.at if self.last else None


class Follower:
    """Syncs an index whenever its folder changes."""

    def __init__(
        self,
        folder: Path,
        sync: Callable[[Progress], Summary],
        tell: Callable[[str], None],
        *,
        wrote: Callable[[Summary], None] = lambda summary: None,
        fault: Callable[[Exception], None] | None = None,
        events: bool = True,
        every: float = 0.0,
        own: Path | None = None,
        epoch: Callable[[], int] = lambda: 0,
        stop: threading.Event | None = None,
    ) -> None:
        """`sync` syncs without waiting for other processes; `wrote` hears of each one in `run` that changed something.

        `tell` hears what is amiss, once. `fault` hears of errors that nobody foresaw, without it they end `run`.
        `events`: by what the system tells of `folder`, where the index's own files begin with the path `own`.
        `epoch` tells of a restore of the index by another number. `every`: all documents are looked at after so many
        seconds, 0 for never. Setting `stop` ends `run`.
        """
        self.state = Following()
        self._folder, self._sync, self._tell, self._wrote, self._fault = folder, sync, tell, wrote, fault
        self._events, self._every, self._own = events, every or math.inf, own
        self._stop = stop or threading.Event()
        self._woken = threading.Event()
        self._changed = False
        self._held = 0.0  # no change is looked at before (monotonic)
        self._busy = 0.0  # nothing at all before, since another process syncs
        self._epoch, self._seen = epoch, 0
        self._pause = 0.0
        self._amiss = ""  # the error told last
        self._left_out: set[tuple[str, str]] = set()
        self._asked: Future[Summary] | None = None
        self._lock = threading.Lock()

    def once(self) -> Summary:
        """One sync, now, in this thread. Raises what the sync raises, EndedError when it is stopped."""
        with self._lock:
            asked, self._asked, self._changed = self._asked, None, False
        self.state = replace(self.state, code="syncing", detail="", done=0, total=0)
        try:
            self._seen = self._epoch()
            summary = self._sync(self._progress)
        except StoreBusy as error:
            self.state = replace(self.state, code=error.code, detail="Another process is syncing this index.")
            self._ask_again(asked)
            raise
        except BaseException as error:
            code, detail = "internal", "It ended with an error that nobody foresaw; the log says how."
            if isinstance(error, BrainError):
                code, detail = error.code, str(error)
            self.state = replace(self.state, code=code, detail=detail)
            if asked:
                asked.set_exception(error)
            raise
        now = datetime.now(UTC)
        change = (now, summary) if summary.wrote else self.state.last_change
        self.state = replace(self.state, code="idle", last=now, at=monotonic(), summary=summary, last_change=change)
        if asked:
            asked.set_result(summary)
        self._tell_left_out(summary)
        return summary

    def _ask_again(self, asked: Future[Summary] | None) -> None:
        """What was asked for is still to be done: with what was asked for meanwhile, where there is such."""
        with self._lock:
            later, self._asked = self._asked, self._asked or asked
        if asked and later:
            later.add_done_callback(lambda done: _hand_on(done, asked))

    def request(self) -> Future[Summary]:
        """Asks for a sync that begins from now on; returns what will hold its Summary or error.

        One that was asked for and has not begun will see what is there now: all who ask until then share it.
        """
        with self._lock:
            self._asked = asked = self._asked or Future()
        self._woken.set()
        return asked

    @property
    def is_asked(self) -> bool:
        """Whether a sync was asked for that has not begun."""
        return self._asked is not None

    def stop(self) -> None:
        """Ends `run`, a sync at its next document."""
        self._stop.set()
        self._woken.set()

    def run(self) -> None:
        """Follows the folder until it is stopped; begins with a sync."""
        with self._watching():
            due = 0.0
            while not self._stop.is_set():
                if self._is_due(due):
                    with contextlib.suppress(EndedError):
                        due = self._attempt()
                    continue
                until = min(due, self._held) if self._changed else due
                self._woken.wait(min(_MOST_WAIT, max(0.0, until - monotonic())))
                self._woken.clear()

    def _is_due(self, due: float) -> bool:
        now = monotonic()
        if now < self._busy:
            return False
        return now >= due or self._asked is not None or (self._changed and now >= self._held) or self._is_restored()

    def _is_restored(self) -> bool:
        with contextlib.suppress(BrainError):  # told by the next sync
            return self._epoch() != self._seen
        return False

    def _attempt(self) -> float:
        """One sync, and what is to be told of it; returns when the next one is due (monotonic)."""
        had_changed = self._changed
        started = monotonic()
        try:
            summary = self.once()
            ended = monotonic()
            if summary.wrote:
                self._wrote(summary)
        except StoreBusy:
            self._busy = monotonic() + BUSY_SECONDS
            return self._busy
        except BrainError as error:
            return self._failed(error, str(error))
        except EndedError:
            raise
        except Exception as error:
            if self._fault is None:
                raise
            return self._failed(error, "")
        if self._amiss:
            self._tell(f"the documents in {self._folder} are followed again")
        self._amiss, self._pause = "", 0.0
        self._held = 0.0 if summary.wrote else ended + _SHARE * (ended - started)
        soon = SETTLED_SECONDS if had_changed else math.inf
        return monotonic() + min(soon, self._every, LOST_SECONDS if self._events else math.inf)

    def _failed(self, error: Exception, said: str) -> float:
        if (said or repr(error)) != self._amiss:
            if said:
                self._tell(f"{said} (the index stays as it is; tried again until it works)")
            elif self._fault:
                self._fault(error)
        self._amiss = said or repr(error)
        self._pause = min(2 * self._pause or PAUSE_SECONDS, MOST_PAUSE_SECONDS)
        due = monotonic() + self._pause
        # What is written meanwhile does not bring a model back, but it may be the documents that do.
        self._held = 0.0 if isinstance(error, SourceError) else due
        return due

    def _progress(self, done: int, total: int, path: str) -> None:
        if self._stop.is_set():
            raise EndedError
        self.state = replace(self.state, done=done, total=total)

    def _on_change(self) -> None:
        self._changed = True
        self._woken.set()

    @contextlib.contextmanager
    def _watching(self) -> Iterator[None]:
        """Events come in a thread of their own, which has ended afterwards: one in foreign code may not outlive us."""
        arguments = (self._folder, self._on_change, self._stop, self._tell, self._own)
        thread = threading.Thread(target=watching.watch, args=arguments, name="folder", daemon=True)
        if self._events:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            with self._lock:
                asked, self._asked = self._asked, None
            if asked:
                asked.set_exception(EndedError())
            if self._events:
                thread.join(2 * watching.LOOK_SECONDS)

    def _tell_left_out(self, summary: Summary) -> None:
        """What cannot be used, each once, and again when it was mended and broke anew."""
        now = set(summary.left_out)  # an empty file may be an editor's first step
        new = sorted(now - self._left_out)
        self._left_out = now
        if len(new) > 3:
            self._tell(f"{len(new)} files were left out; python store.py --sync names them and why")
        else:
            for path, reason in new:
                self._tell(f"{path} was left out: {reason}")


def _hand_on(done: Future[Summary], to: Future[Summary]) -> None:
    if error := done.exception():
        to.set_exception(error)
    else:
        to.set_result(done.result())
