"""What is done on a schedule: the directory, the sources that Drive fills, their lists, and a sync of the index.

When each was done last stands in the index, so a restart changes nothing; one process at a time does it. What fails is
noted, told once, and tried again. Knows no HTTP. Try: python -m access.sources --due
"""

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from access import passes
from access.directory_command import synced
from access.entries import SystemAway
from config import Settings
from database import Connection
from errors import BrainError, Stopped, StoreBusy
from settings.sources import Declared, Span
from sources.drive import passing
from sources.drive.mirror import Report
from storage.lock import locked
from storage.schema import translated
from store import Store, store_of

LOOK_SECONDS = 5.0
"""Between two looks at what is due."""
RETRY_SECONDS = 300.0
"""What failed is tried again after that, or at its next turn if that is sooner."""


@dataclass(frozen=True, slots=True)
class Job:
    """One pass that has a schedule."""

    name: str  # of its pass
    every: Span
    source: Declared | None = None  # None: the directory
    lists_only: bool = False


def jobs(settings: Settings) -> list[Job]:
    """All that have a schedule, in the order in which they are done: who is in which group, lists, documents."""
    found = [Job(passes.system(""), settings.directory_every)] if settings.directory else []
    drives = [one for one in settings.sources if one.reader == "drive"]
    found += [Job(passes.lists(one.name), one.access_schedule, one, lists_only=True) for one in drives]
    found += [Job(passes.contents(one.name), one.schedule, one) for one in drives]
    found += [Job(passes.DOCUMENTS, one.schedule, one) for one in settings.sources if one.reader == "folder"]
    return [job for job in found if job.every]


def due(wanted: list[Job], held: Mapping[str, passes.Pass], now: datetime) -> list[Job]:
    """Those whose time has come; a source that is read as a whole needs its lists no second time."""
    found = [job for job in wanted if _is_due(job.every, _held(job, held), now)]
    whole = {job.source for job in found if not job.lists_only}
    return [job for job in found if not (job.lists_only and job.source in whole)]


def _held(job: Job, held: Mapping[str, passes.Pass]) -> passes.Pass:
    """How it stands with a job; with the directory badly if one of its systems is away."""
    systems = [one for name, one in held.items() if job.source is None and name.startswith(f"{passes.DIRECTORY} ")]
    return next((one for one in systems if one.is_failing), held.get(job.name, passes.Pass()))


def _is_due(every: Span, held: passes.Pass, now: datetime) -> bool:
    if held.is_failing:
        return not 0 <= _age(held.failed, now) < min(every.seconds, RETRY_SECONDS)
    age = _age(held.complete, now) if held.complete else every.seconds
    return age >= every.seconds or age < 0  # a clock that was set back


def _age(at: str, now: datetime) -> float:
    return (now - datetime.fromisoformat(at)).total_seconds()


class Runner:
    """Does what is due on one index."""

    def __init__(
        self, settings: Settings, tell: Callable[[str], None], sync: Callable[[], None],
        stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """`tell` hears what fails, once, and what passes did. `sync` compares the index with its documents."""
        self.settings, self.jobs, self._tell, self._sync, self._stop = settings, jobs(settings), tell, sync, stop
        self._amiss: dict[str, str] = {}

    def run(self, connection: Connection) -> tuple[list[str], list[BrainError]]:
        """Does all that is due; the names of what was done, and the errors. Another process at it: nothing, none."""
        done, errors = list[str](), list[BrainError]()
        if not due(self.jobs, passes.every(connection), datetime.now(UTC)):
            return done, errors
        looked = False
        with (
            translated(self.settings.db),
            contextlib.closing(store_of(self.settings)) as store,
            contextlib.suppress(StoreBusy),
            store.locked(False, "passes"),
        ):
            for job in due(self.jobs, passes.every(connection), datetime.now(UTC)):
                if self._stop():
                    break
                looked |= job.source is not None  # also where it fails: the rights that are known by then hold
                try:
                    self._do(job, connection)
                except (StoreBusy, Stopped):
                    continue
                except BrainError as error:
                    errors.append(error)
                    self._failed(job.name, str(error))
                    continue
                self._amiss.pop(job.name, None)
                done.append(job.name)
        if looked and not self._stop():  # though no file is another: lists may have been too old to be believed
            self._sync()
        return done, errors

    def _do(self, job: Job, connection: Connection) -> None:
        if job.source is None:
            assert self.settings.directory
            away = list[str]()
            synced(connection, self.settings.directory, False, away.append)
            if away:
                raise SystemAway(" ".join(away))
        elif job.source.reader != "folder":
            report = pull(self.settings, job.source, connection, lists_only=job.lists_only, stop=self._stop)
            if report.wrote:
                self._tell(f"{job.name}: {said(report)}")

    def _failed(self, name: str, error: str) -> None:
        if self._amiss.get(name) != error:
            self._tell(f"{error} ({name}; tried again)")
        self._amiss[name] = error


def pull(
    settings: Settings, source: Declared, connection: Connection, *, lists_only: bool = False,
    allow_empty: bool = False, stop: Callable[[], bool] = lambda: False,
) -> Report:  # fmt: skip
    """One pass over a source that Drive fills. Raises what sources.drive.passing.run raises."""
    with contextlib.closing(store_of(settings)) as store:
        return passing.run(
            settings, source, connection, locked, store.locked, lists_only=lists_only, allow_empty=allow_empty,
            stop=stop,
        )  # fmt: skip


def said(report: Report) -> str:
    """What a pass did, in a line."""
    parts = [
        f"{count} {what}"
        for what in ("added", "changed", "moved", "removed", "lists")
        if (count := getattr(report, what))
    ]
    told = f"{report.files} files, {', '.join(parts) or 'nothing new'}"
    return f"{told}, {len(report.left_out)} left out" if report.left_out else told


class Schedule:
    """A thread of the server that does what is due."""

    def __init__(
        self, runner: Runner, store: Callable[[], Store | None], stopping: threading.Event,
        fault: Callable[[Exception], None],
    ) -> None:  # fmt: skip
        """`store`: None while the index is not open. `fault` hears of errors that nobody foresaw."""
        self._runner, self._store, self._stopping, self._fault = runner, store, stopping, fault
        self._thread = threading.Thread(target=self._run, name="schedule", daemon=True)

    def start(self) -> None:
        """Begins, if anything has a schedule."""
        if self._runner.jobs:
            self._thread.start()

    def ended(self, seconds: float) -> bool:
        """Whether it has ended, after waiting for so long."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        last = ""
        while not self._stopping.is_set():
            try:
                if store := self._store():
                    self._runner.run(store.connection())
                last = ""
            except Exception as error:
                if repr(error) != last:
                    self._fault(error)
                last = repr(error)
            self._stopping.wait(LOOK_SECONDS)
