"""When each source and directory was last gone through as a whole, and what went wrong last.

Rows of the index's table `meta`, one a pass, each written by itself: they raise no generation, and questions go on.
Gets a connection, opens nothing. Try: python -m access.sources
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from database import Connection
from errors import BrainError, Stopped, StoreBusy, StoreError

DOCUMENTS, DIRECTORY = "documents", "directory"
"""Names of passes: the index compared with its documents; the directory's file, its systems as `directory NAME`."""
SECONDS = 60.0
"""Between two notes of syncs that ended well: a folder may be looked at each second."""
_KEY = "pass "
_MOST = 400  # characters of an error


@dataclass(frozen=True, slots=True)
class Pass:
    """How it stands with one. Times are UTC, ISO 8601, "" for never."""

    complete: str = ""  # when the last one that ended well ended
    failed: str = ""  # when the last one that did not, did not
    code: str = ""  # of its error
    error: str = ""  # what that says

    @property
    def is_failing(self) -> bool:
        """Whether none has ended well since the last failure."""
        return self.failed > self.complete

    def told(self) -> dict[str, str]:
        """For people who run the server."""
        told = asdict(self) | {name: seconds_of(getattr(self, name)) for name in ("complete", "failed")}
        return {name: value for name, value in told.items() if value}


def seconds_of(at: str) -> str:
    """A time as it is told."""
    return datetime.fromisoformat(at).isoformat(timespec="seconds") if at else ""


def contents(source: str) -> str:
    """The name of the pass over everything of a source."""
    return f"source {source}"


def lists(source: str) -> str:
    """The name of the pass over its access lists alone."""
    return f"access {source}"


def system(name: str) -> str:
    """The name of the pass over a directory: "" for the file's own people."""
    return f"{DIRECTORY} {name}".strip()


def every(connection: Connection) -> dict[str, Pass]:
    """All passes by name."""
    rows = connection.execute("SELECT key, value FROM meta WHERE key LIKE 'pass %' ORDER BY key")
    return {key.removeprefix(_KEY): _read(value) for key, value in rows.fetchall()}


def last(connection: Connection, name: str) -> Pass:
    """One of them."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY + name,)).fetchone()
    return _read(row[0]) if row else Pass()


def completed(connection: Connection, name: str) -> None:
    """Notes that a pass ended well now."""
    held, now = last(connection, name), datetime.now(UTC)
    if name == DOCUMENTS and held.complete and not held.is_failing:
        age = (now - datetime.fromisoformat(held.complete)).total_seconds()
        if 0 <= age < SECONDS:
            return
    _write(connection, name, Pass(_text(now), held.failed, held.code, held.error))


def failed(connection: Connection, name: str, error: Exception) -> None:
    """Notes that a pass failed now. Of an error that nobody foresaw, only its kind: its text may hold anything."""
    code, told = ("internal", type(error).__name__)
    if isinstance(error, BrainError):
        code, told = error.code, str(error)[:_MOST]
    _write(connection, name, Pass(last(connection, name).complete, _text(datetime.now(UTC)), code, told))


@contextlib.contextmanager
def noted(connection: Connection, *names: str, but: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Notes how the block ends: well for all names, badly for the first.

    That another process is at it, or that it was stopped, is no failure, and neither is one of `but`.
    """
    quiet: tuple[type[Exception], ...] = (StoreBusy, Stopped, *but)
    try:
        yield
    except quiet:
        raise
    except Exception as error:
        with contextlib.suppress(sqlite3.Error, StoreError):  # the index may be what failed
            failed(connection, names[0], error)
        raise
    with contextlib.suppress(sqlite3.Error, StoreError):
        for name in names:
            completed(connection, name)


def forget(connection: Connection, kept: set[str]) -> None:
    """Forgets the directories that are no longer named."""
    for name in every(connection):
        if name.startswith(f"{DIRECTORY} ") and name not in kept:
            connection.execute("DELETE FROM meta WHERE key = ?", (_KEY + name,))


def _write(connection: Connection, name: str, found: Pass) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_KEY + name, json.dumps(asdict(found))),
    )


def _read(value: str) -> Pass:
    with contextlib.suppress(ValueError, TypeError):
        return Pass(**json.loads(value))
    return Pass()


def _text(now: datetime) -> str:
    return now.isoformat(timespec="microseconds")
