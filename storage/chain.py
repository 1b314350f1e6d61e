"""The audit log where an index is synced, copied and put back: a restore takes documents back, never deeds.

The log of the index in use goes on when that of the backup is its beginning; else the backup's does, with the other's
rows written behind it. Knows two connections and the log's rows.
Try: python store.py --backup /tmp/index.db, then python store.py --restore /tmp/index.db
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from access import LOCAL
from access.audit import GUARDS, SYSTEM, Head, add, append, cut_of, head, prune, rows
from access.history import carried
from config import Settings
from database import Connection
from storage.report import Summary

_OF_RIGHTS = ("rights", "directory")  # what these tell holds in the index whose log they are


@dataclass(frozen=True, slots=True)
class Joint:
    """How the log of the index in use (`live`) and the backup's belong together."""

    live: Head | None
    saved: Head | None
    goes_on: bool  # the live log holds all of the backup's and is carried over


def keep(connection: Connection, settings: Settings, summary: Summary, who: str = SYSTEM) -> None:
    """Writes down a sync by `who` that changed something, and cuts off what is older than the settings say."""
    if not settings.audit:
        return
    if summary.wrote:
        counts = {name: getattr(summary, name) for name in ("added", "changed", "removed")}
        append(connection, "sync", who, counts | {"left_out": len(summary.skipped)})
    if settings.audit_days:
        prune(connection, datetime.now(UTC) - timedelta(days=settings.audit_days), SYSTEM, carried)


def export(connection: Connection, told: dict[str, Any]) -> None:
    """Writes down that a copy of everything is made. Raises sqlite3.Error."""
    append(connection, "export", LOCAL, {"road": "cli", **told})


def joint(live: Connection, saved: Connection) -> Joint:
    """Which of the two logs goes on. Raises sqlite3.Error."""
    here, there, cut = head(live), head(saved), cut_of(live)
    goes_on = bool(here) and (there is None or _has(live, there) or bool(cut and there.number <= cut.number))
    return Joint(here, there, goes_on)


def begin(live: Connection, found: Joint) -> None:
    """Writes down in a log that goes on that a backup will take the documents' place. Raises sqlite3.Error."""
    append(live, "restore", LOCAL, _told(found))


def go_on(live: Connection, saved: Connection) -> Joint:
    """The same inside the caller's transaction, where the live log stays whatever it is: nobody may take it away.

    What the other log tells besides is written behind, but for rights and memberships. Raises what they raise.
    """
    found = joint(live, saved)
    add(live, "restore", LOCAL, _told(found))
    for row in () if found.goes_on else rows(saved):
        if row.kind not in _OF_RIGHTS and not _has(live, Head(row.number, row.hash, row.at)):
            was = {"number": row.number, "at": row.at, "hash": row.hash}
            add(live, row.kind, row.caller, row.body | {"was": was})
    return found


def put_behind(live: Connection | None, made: Connection, found: Joint | None) -> None:
    """Writes into the backup's own log, which goes on instead, what it replaced, and the rows that it has not.

    Inside the caller's transaction. Rights and memberships are left out: those of the backup hold from now on. Without
    a `live` connection the index could not be read.
    """
    if live is None or found is None:
        add(made, "restore", LOCAL, {"replaced": None, "why": "the index could not be read"})
        return
    add(made, "restore", LOCAL, _told(found))
    for row in rows(live) if found.live and not _has(made, found.live) else ():
        if row.kind not in _OF_RIGHTS:
            was = {"number": row.number, "at": row.at, "hash": row.hash}
            add(made, row.kind, row.caller, row.body | {"was": was})


def bring(live: Connection, made: Connection) -> None:
    """Makes the log of `made` what the live one is now, inside the caller's transaction. Raises sqlite3.Error."""
    first, last = made.execute("SELECT coalesce(min(number), 0), coalesce(max(number), 0) FROM audit").fetchone()
    (begins,) = live.execute("SELECT min(number) FROM audit").fetchone()
    if first == begins:
        _copy(live, made, last)
        return
    with unguarded(made):  # what a retention has cut off does not come back
        made.execute("DELETE FROM audit")
        _copy(live, made, 0)


@contextlib.contextmanager
def unguarded(made: Connection) -> Iterator[None]:
    """Lets the block write a log anew in a file that is our own copy and nobody's index yet."""
    for name in GUARDS:
        made.execute(f"DROP TRIGGER IF EXISTS {name}")
    yield
    for sql in GUARDS.values():
        made.execute(sql)


def _copy(live: Connection, made: Connection, after: int) -> None:
    made.executemany(
        "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)",
        live.execute("SELECT * FROM audit WHERE number > ? ORDER BY number", (after,)),
    )


def _has(connection: Connection, one: Head) -> bool:
    row = connection.execute("SELECT hash FROM audit WHERE number = ?", (one.number,)).fetchone()
    return row is not None and row[0].hex() == one.hash


def _told(found: Joint) -> dict[str, Any]:
    ends = {"replaced": found.live, "backup": found.saved}
    return {name: {"number": one.number, "hash": one.hash, "at": one.at} if one else None for name, one in ends.items()}
