"""Recorded runs: what became of each sync and each event that changed something or failed, and how long its parts took.

A row is written apart from what the run does, so it is there when that failed, and it makes nobody read anything anew.
Knows rows, no document and no model. Try: python store.py --sync, then python store.py --runs
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from access.audit import SYSTEM
from database import Connection, lasting
from errors import BrainError, Stopped, StoreBusy
from storage.follow import EndedError
from storage.report import Summary
from storage.schema import translated
from store import Store

MOST = 1000
"""Rows that are kept."""
DONE = "done"
_MOST_ERROR = 500  # characters
_COUNTED = ("added", "changed", "removed", "facts_in", "facts_out", "things", "embedded", "model_calls",
            "read", "read_facts", "read_dropped", "unread")  # fmt: skip
_COLUMNS = "id, started_at, ended_at, cause, caller, outcome, counts, stages, error, times"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One row; times are UTC, ISO 8601."""

    id: int
    started_at: str
    ended_at: str
    cause: str  # "sync", "event"
    caller: str  # by whom
    outcome: str  # "done", or the code of the error
    counts: dict[str, int]  # of documents, facts, texts embedded and calls of a model
    stages: dict[str, float]  # seconds
    error: str
    times: int  # how often in a row it failed so

    def __str__(self) -> str:
        counts = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in self.counts.items() if count)
        stages = ", ".join(f"{name} {seconds:.3g} s" for name, seconds in self.stages.items() if seconds >= 0.0005)
        error = f"; {self.error}" if self.error else ""
        often = f" {self.times} times, last at {self.ended_at[:19]}" if self.times > 1 else ""
        said = f"{self.id}  {self.started_at[:19]}  {self.cause} by {self.caller}: {self.outcome}{often}{error}"
        return "; ".join(part for part in (said, counts, stages) if part)

    def told(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


class Run:
    """One at work: who does it, and how long each stage took so far."""

    def __init__(
        self,
        cause: Literal["sync", "event"] = "sync",
        caller: str = SYSTEM,
        tell: Callable[[str, float], None] = lambda stage, seconds: None,
    ) -> None:
        """`tell` hears of each stage when it has ended, with its seconds."""
        self.cause, self.caller, self._tell = cause, caller, tell
        self.stages: dict[str, float] = {}
        self.summary = Summary()
        self._depth, self._started, self._is_written = 0, "", False

    def counts(self) -> dict[str, int]:
        """What it did so far."""
        return {name: getattr(self.summary, name) for name in _COUNTED}

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time that the block takes, also where it fails."""
        started = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - started
            self.stages[name] = self.stages.get(name, 0.0) + seconds
        self._tell(name, seconds)

    @contextlib.contextmanager
    def recorded(self, store: Store) -> Iterator[None]:
        """Writes down how the block ends; of several inside each other the outermost does."""
        self._depth += 1
        self._started = self._started or _now()
        error: BaseException | None = None
        try:
            yield
        except BaseException as raised:
            error = raised
            raise
        finally:
            if error or not self._is_written:
                self.ended(store, error)
            self._depth -= 1

    def ended(self, store: Store, error: BaseException | None = None) -> None:
        """Writes it down now, unless something around it goes on, or nothing was changed and nothing failed."""
        if self._depth == 1 and (self.summary.wrote or (error and not isinstance(error, StoreBusy))):
            with contextlib.suppress(BrainError):  # what it is about is raised or done, with a record or without
                self._write(store, error)
                self._is_written = True

    def _write(self, store: Store, error: BaseException | None) -> None:
        outcome, told = DONE, ""
        if isinstance(error, EndedError | Stopped) or not isinstance(error, Exception | type(None)):
            outcome = "stopped"  # it goes on later
        elif error:
            outcome = getattr(error, "code", "internal")
            told = str(error) if isinstance(error, BrainError) else type(error).__name__
            told = told.encode("utf-8", "replace").decode()[:_MOST_ERROR]
        if outcome == "stopped" and not self.summary.wrote:
            return
        counts = json.dumps(self.counts())
        stages = json.dumps({name: round(seconds, 4) for name, seconds in self.stages.items()})
        row = (self._started, _now(), self.cause, self.caller, outcome, counts, stages, told)
        with translated(store.path):
            _insert(store.connection(), row)


def _insert(connection: Connection, row: tuple[str, ...]) -> None:
    _, ended, cause, caller, outcome, counts, _, told = row
    with lasting(connection):
        last = connection.execute(
            "SELECT id, cause, caller, outcome, counts, error FROM runs ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if outcome != DONE and last and tuple(last[1:]) == (cause, caller, outcome, counts, told):
            # A model that is away all night must not push out what was there before.
            connection.execute("UPDATE runs SET times = times + 1, ended_at = ? WHERE id = ?", (ended, last[0]))
            return
        connection.execute(
            "INSERT INTO runs (started_at, ended_at, cause, caller, outcome, counts, stages, error, times) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)",
            row,
        )
        connection.execute("DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)", (MOST,))


def recorded(connection: Connection, limit: int = 100, before: int = 0) -> list[Recorded]:
    """The newest rows first, at most `limit`; with `before` those below this number. Raises sqlite3.Error."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM runs WHERE id < ? ORDER BY id DESC LIMIT ?", (before or 2**62, limit)
    )
    found = [Recorded(*row) for row in rows]
    return [replace(one, counts=json.loads(str(one.counts)), stages=json.loads(str(one.stages))) for one in found]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
