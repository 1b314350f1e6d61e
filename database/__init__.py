"""What a connection to an index can do, whichever engine holds it: SQLite or PostgreSQL.

Statements are written once, in what both understand, with `?` for values; where the two must differ, a room of the
engine says so (storage/, postgres/). Knows no table. Try: pytest tests/test_postgres_connection.py
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement found or did."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """The next row as a tuple, None when there is none."""

    def fetchall(self) -> list[Any]:
        """All that are left."""

    def fetchmany(self, size: int = ..., /) -> list[Any]:
        """The next `size`, fewer at the end."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection of one thread. A transaction is begun by a statement: BEGIN to read, BEGIN IMMEDIATE to write."""

    @property
    def in_transaction(self) -> bool:
        """Whether one is open."""

    def execute(self, sql: str, values: Any = ..., /) -> Rows:
        """Runs one statement. Raises sqlite3.Error or, on PostgreSQL, StoreError."""

    def executemany(self, sql: str, values: Iterable[Any], /) -> Rows:
        """Runs it once for each row of values."""

    def close(self) -> None:
        """Ends it; what was not committed is rolled back."""


def is_sqlite(connection: Connection) -> bool:
    """Whether it is a file's; else it is PostgreSQL's."""
    return isinstance(connection, sqlite3.Connection)


@contextlib.contextmanager
def lasting(connection: Connection) -> Iterator[None]:
    """A transaction that outlives a power cut once the block has ended. Raises sqlite3.Error, StoreError."""
    # On 2 cores with a virtual disk 0.19 ms instead of 0.03 ms (median): less than a queue of our own would save.
    relaxed = is_sqlite(connection)  # ours is otherwise in "normal"; PostgreSQL always waits
    if relaxed:
        connection.execute("PRAGMA synchronous = FULL")
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if relaxed:
            connection.execute("PRAGMA synchronous = NORMAL")


def alone(connection: Connection, what: str) -> None:
    """Until the transaction ends nobody else does `what`. In SQLite nobody writes beside it in any case."""
    if not is_sqlite(connection):
        connection.execute("SELECT pg_advisory_xact_lock(hashtext(?))", (f"company brain {what}",))


def meta(connection: Connection, key: str) -> str | None:
    """What the index notes under this name, None for nothing."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Notes it in place of what stood there."""
    connection.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
