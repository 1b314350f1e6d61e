"""A connection to PostgreSQL that takes the statements of storage/ as they are and fails as they do.

`?` becomes a parameter, a bool a whole number, an error of the server one of ours, with what to do. Knows no table and
no caller. Try: pytest tests/test_postgres_connection.py
"""

import contextlib
import re
import select
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.pq import TransactionStatus

from database import Rows
from errors import StoreBusy, StoreError, UsageError

BUSY_SECONDS = 30.0
SCHEMA = "brain"
"""Where all our tables stand."""
_WORDS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|\?(\d*)|(?<![:\w]):([a-z_]+)|%")
_MANY_ROWS = re.compile(r"(INSERT INTO [^?']* VALUES )(\((?:\?, )*\?\))((?: ON CONFLICT DO NOTHING)?)")
_MOST_VALUES = 65_535  # in one statement
_BEGINS = {
    "BEGIN": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",  # as of one moment
    "BEGIN IMMEDIATE": "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",  # sees what was there after a wait
}
_SETTINGS = {
    "lock_timeout": f"{BUSY_SECONDS:.0f}s",
    "search_path": f"{SCHEMA},public",  # pgvector stands in public
    "timezone": "UTC",
    "statement_timeout": "0",  # what the role has set would end a sync in the middle
    "idle_session_timeout": "0",
    "row_security": "on",
    "default_transaction_read_only": "off",
    "jit": "off",  # compiling a plan takes longer than any of ours
    "hnsw.iterative_scan": "relaxed_order",  # goes on until enough of what may be read is found,
    "hnsw.max_scan_tuples": "40000",  # or has gone through so many
    "hnsw.ef_search": "800",  # by 400 one question of 60 found none of its ten in a million (eval/LOG.md)
}


class Connection:
    """One connection of one thread, in no transaction until one is begun."""

    def __init__(self, url: str, role: str = "") -> None:
        """Connects, and acts as `role` where one is named. Raises StoreError with the remedy, UsageError."""
        self._where = label(url)
        options = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
        try:
            self._raw = psycopg.connect(
                url, autocommit=True, options=options, connect_timeout=10, application_name="company-brain",
                client_encoding="utf8", prepare_threshold=None,  # a plan made for one caller is not kept for the next
            )  # fmt: skip
        except psycopg.Error as error:
            raise _away(self._where, error) from error
        if role:
            self.execute(f"SET ROLE {role}")

    @property
    def in_transaction(self) -> bool:
        """Whether one is open."""
        return self._raw.info.transaction_status is not TransactionStatus.IDLE and not self._raw.closed

    @property
    def closed(self) -> bool:
        """Whether it can be used no more: closed here, or by the server, which may have been restarted meanwhile."""
        with contextlib.suppress(psycopg.OperationalError):  # its end, perhaps after a word why
            while not self._raw.closed and not self.in_transaction and _has_something_to_say(self._raw.fileno()):
                self._raw.pgconn.consume_input()
        return self._raw.closed or self._raw.broken

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = (), /) -> Rows:
        """Runs one statement. Raises StoreBusy, StoreError."""
        text = _BEGINS.get(sql, sql)
        if sql in _BEGINS and self.in_transaction:  # the server would warn, and go on as who began the first
            raise StoreError(f"{self._where}: a transaction within a transaction.")
        with self._translated():
            if not values:
                return self._raw.execute(text.encode())
            text, names = adapted(text)
            return self._raw.execute(text.encode(), _values(values, names))

    def executemany(self, sql: str, values: Iterable[Any], /) -> Rows:
        """Runs it once for each row of values; rows to be inserted go together. Raises StoreBusy, StoreError."""
        rows = [*values]
        many = _MANY_ROWS.fullmatch(sql)
        text, names = adapted(sql)
        with self._translated():
            cursor = self._raw.cursor()
            if many is None:
                cursor.executemany(text.encode(), [_values(row, names) for row in rows])
                return cursor
            begin, row, end = many.groups()
            at_once = min(1000, _MOST_VALUES // row.count("?"))
            for start in range(0, len(rows), at_once):  # a statement each took four times as long
                some = rows[start : start + at_once]
                text = adapted(f"{begin}{', '.join([row] * len(some))}{end}")[0]
                cursor.execute(text.encode(), [_value(value) for one in some for value in one])
            return cursor

    def insert(self, table: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> None:
        """Writes many rows at once, `columns` being names and types: COPY is not for tables with policies.

        Raises StoreBusy, StoreError.
        """
        arrays = [list(map(_value, column)) for column in zip(*rows, strict=True)]
        if arrays:
            sent = ["text" if kind == "halfvec" else kind for kind in columns.values()]
            names = ", ".join(f"{name}::{kind}" for name, kind in columns.items())
            self.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {names} "
                f"FROM unnest({', '.join(f'?::{kind}[]' for kind in sent)}) AS found ({', '.join(columns)})",
                arrays,
            )

    def close(self) -> None:
        """Ends it; what was not committed is rolled back."""
        self._raw.close()

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise _told(self._where, error) from error


def _has_something_to_say(socket: int) -> bool:
    if not hasattr(select, "poll"):
        return bool(select.select([socket], [], [], 0)[0])
    waiting = select.poll()  # takes sockets of any number
    waiting.register(socket, select.POLLIN)
    return bool(waiting.poll(0))


def label(url: str) -> str:
    """The address without the password, for people. Raises UsageError for one that is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("postgresql", "postgres"):
            raise ValueError(parts.scheme)
        at = f"{parts.hostname or 'localhost'}{f':{parts.port}' if parts.port else ''}"
        return f"postgresql://{at}{parts.path}"
    except ValueError as error:
        raise UsageError("database is no address of PostgreSQL. Write it as postgresql://USER@HOST/DATABASE") from error


@lru_cache(maxsize=4096)
def adapted(sql: str) -> tuple[str, bool]:
    """The statement with the server's placeholders; whether they are named (?1, :name)."""
    named = False

    def placed(found: re.Match[str]) -> str:
        nonlocal named
        whole = found[0]
        if whole == "%" or whole[0] in "'-":
            return whole.replace("%", "%%")
        if whole == "?":
            return "%s"
        named = True
        return f"%({f'p{found[1]}' if found[1] else found[2]})s"

    return _WORDS.sub(placed, sql), named


def _values(values: Sequence[Any] | Mapping[str, Any], named: bool) -> Any:
    if isinstance(values, Mapping):
        return {name: _value(value) for name, value in values.items()}
    made = [_value(value) for value in values]
    return {f"p{number}": value for number, value in enumerate(made, 1)} if named else made


def _value(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [_value(one) for one in value]
    if isinstance(value, str) and "\0" in value:
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}")  # PostgreSQL has no text with a zero in it
    return value


def _away(where: str, error: psycopg.Error) -> StoreError:
    said = str(error).strip().splitlines()
    return StoreError(
        f"{where} cannot be reached: {said[-1] if said else error}. Is the server up, and is the address in "
        "BRAIN_DATABASE right? See: python doctor.py"
    )


def _told(where: str, error: psycopg.Error) -> StoreError:
    said = str(error).strip().split("\n")[0]
    if isinstance(error, psycopg.errors.LockNotAvailable | psycopg.errors.DeadlockDetected):
        return StoreBusy(f"{where} is locked by another process for more than {BUSY_SECONDS:.0f} s.")
    if isinstance(error, psycopg.errors.DiskFull):
        return StoreError(f"No space left for {where}. Nothing was lost; free some space and run again.")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return StoreError(
            f"{where}: {said}. The application's role lacks a right. Run, as the owner: python -m postgres.prepare"
        )
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        return StoreError(f"{where} holds no index ({said}). Run, as the owner: python -m postgres.prepare")
    if isinstance(error, psycopg.IntegrityError) and not isinstance(error, psycopg.errors.RaiseException):
        return StoreError(f"{where} was changed by another process meanwhile ({said}). Run again.")
    if isinstance(error, psycopg.OperationalError) and not isinstance(error, psycopg.errors.ProgramLimitExceeded):
        return StoreBusy(f"{where} does not answer: {said}. Ask again in a few seconds.")
    return StoreError(f"{where}: {said}.")
