"""The rows of an index from one database into another, with their ids, whatever engine has either: nothing is embedded.

What is derived is made anew there: access lists in the engine's own form, postings, what a search looks through, the
numbers that come next. Read and written piece by piece. Knows tables, no address and no file.
Try: pytest tests/test_postgres_moving.py
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from access import AccessList
from database import Connection, Rows, is_sqlite, meta, set_meta
from postgres import connection as postgres
from postgres.prepare import VERSION
from storage import chain
from storage.entrants import GO_ON, STAY
from storage.report import Progress
from storage.shelf import Shelf

CONTENT = ("models", "documents", "chunks", "texts", "units", "vectors", "calibrations", "feedback", "left_out",
           "access_rules", "nodes", "names", "facts", "evidence", "runs", "name_parts", "merges",
           "decisions", "readings", "read_chunks")  # fmt: skip
"""Tables of what an index holds, each behind those that it refers to."""
PEOPLE = (*GO_ON, STAY)
"""Tables of who comes in."""
LOG = "audit"
OWN = "list_id"
"""The column that PostgreSQL has besides, filled from a document's list."""
_SERIALS = ("documents", "chunks", "vectors", "nodes", "names", "facts", "evidence", "runs", "merges", "decisions",
            "readings")  # fmt: skip
_OF_PEOPLE = ("people", "identity_reviews", "identity_decisions")
_AT_ONCE = {"texts": 8, "documents": 200, "feedback": 200, "audit": 200, "units": 5000, "memberships": 5000}
_FEW = 500  # rows that are read and written together, where the table says no other number: some megabytes
_PACKED = 64  # documents that are made ready to be searched together
_OURS = ("generation", VERSION)  # rows of `meta` that stay each engine's own


class Streamed:
    """A connection whose SELECTs come piece by piece, not whole into memory. Inside a transaction only.

    SQLite's do so by themselves; PostgreSQL needs a cursor of its own for each.
    """

    def __init__(self, held: Connection) -> None:
        self._held, self._number = held, 0

    @property
    def in_transaction(self) -> bool:
        """Whether one is open."""
        return self._held.in_transaction

    def execute(self, sql: str, values: Any = (), /) -> Rows:
        """Runs one statement. Raises what the connection raises."""
        if is_sqlite(self._held) or not sql.lstrip().startswith(("SELECT", "WITH")):
            return self._held.execute(sql, values)
        self._number += 1
        name = f"pieces_{self._number}"
        self._held.execute(f"DECLARE {name} NO SCROLL CURSOR FOR {sql}", values)
        return _Pieces(self._held, name)

    def executemany(self, sql: str, values: Iterable[Any], /) -> Rows:
        """Runs it once for each row of values."""
        return self._held.executemany(sql, values)

    def close(self) -> None:
        """Ends the connection."""
        self._held.close()


class _Pieces:
    """The rows of a cursor, which ends with its last row or the transaction."""

    rowcount = -1

    def __init__(self, held: Connection, name: str) -> None:
        self._held, self._name, self._ready, self._ended = held, name, list[Any](), False

    def fetchmany(self, size: int = _FEW, /) -> list[Any]:
        while len(self._ready) < size and not self._ended:
            wanted = max(size - len(self._ready), 1)
            found = self._held.execute(f"FETCH FORWARD {wanted} FROM {self._name}").fetchall()
            self._ready += found
            self._ended = len(found) < wanted
            if self._ended:
                self._held.execute(f"CLOSE {self._name}")
        given, self._ready = self._ready[:size], self._ready[size:]
        return given

    def fetchone(self) -> Any:
        if not self._ready:
            self._ready = self.fetchmany()
        return self._ready.pop(0) if self._ready else None

    def fetchall(self) -> list[Any]:
        return [*self]

    def __iter__(self) -> Iterator[Any]:
        while rows := self.fetchmany():
            yield from rows


def fill(
    source: Connection,
    target: Connection,
    lists: Mapping[int, AccessList],
    shelf: Shelf,
    generation: int,
    *,
    people: bool,
    tell: Progress | None = None,
) -> None:
    """Makes what `target` holds what `source` holds, inside transactions of both; `target` is left in `generation`.

    `lists` are the source's access lists by document, `shelf` is the target's. With `people` who comes in and the log
    are brought as well, into tables that are empty. The caller's transaction adds one to the generation in the end.
    Raises what the connections raise.
    """
    told = _Told(source, tell)
    _clear(target, people)
    set_meta(target, "generation", str(generation - 1))
    for table in CONTENT:
        copy_rows(source, target, table, told)
        if table == "documents":
            shelf.set_lists(lists.items())
        elif table == "chunks":
            _words(source, shelf, told)
    if people:
        for table in PEOPLE:
            copy_rows(source, target, table, told)
        with chain.unguarded(target) if is_sqlite(target) else contextlib.nullcontext():  # it may begin at any number
            copy_rows(source, target, LOG, told)
    for key, value in source.execute("SELECT key, value FROM meta ORDER BY key").fetchall():
        if key not in _OURS:
            set_meta(target, key, value)
    for table in (*_SERIALS, *(_OF_PEOPLE if people else ())):
        _count_on(target, table, _last_given(source, table))
    documents = [number for (number,) in target.execute("SELECT id FROM documents ORDER BY id")]
    newest = shelf.newest_vector()
    for start in range(0, len(documents), _PACKED):
        some = documents[start : start + _PACKED]
        shelf.pack(newest, some)
        told.more("packed", len(some))


def copy_rows(source: Connection, target: Connection, table: str, told: "_Told | None" = None) -> None:
    """Copies all rows of a table that both have alike."""
    names = columns(source, table)
    kinds = {} if is_sqlite(target) else _kinds(target, table)
    found = Streamed(source).execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY 1")
    while rows := found.fetchmany(_AT_ONCE.get(table, _FEW)):
        if is_sqlite(target):
            marks = ",".join("?" * len(names))
            target.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)
        else:
            cast(postgres.Connection, target).insert(table, {name: kinds[name] for name in names}, rows)
        if told:
            told.more(table, len(rows))


def columns(connection: Connection, table: str) -> list[str]:
    """The names of a table's columns in order, without what is PostgreSQL's own."""
    if is_sqlite(connection):
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    return [name for name in _kinds(connection, table) if name != OWN]


def holds(connection: Connection) -> bool:
    """Whether there is anything that somebody would miss: documents, judgements, who comes in, a log."""
    kept = ("documents", "feedback", *(table for table in PEOPLE if table != "directory_version"), LOG)
    found = " UNION ALL ".join(f"(SELECT 1 FROM (SELECT 1 FROM {table} LIMIT 1) AS x)" for table in kept)
    return bool(connection.execute(f"SELECT count(*) FROM ({found}) AS y").fetchone()[0])


def _kinds(connection: Connection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute "
        "WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        (table,),
    )
    return dict(rows.fetchall())


def _clear(target: Connection, people: bool) -> None:
    derived = () if is_sqlite(target) else ("postings", "embeddings", "words")
    if derived:  # an index is of one model's dimension
        target.execute("SELECT forget_model(id) FROM models").fetchall()
    entrants = reversed(GO_ON) if people else ()
    for table in (*derived, *reversed(CONTENT), *entrants):
        target.execute(f"DELETE FROM {table}")
    target.execute(f"DELETE FROM meta WHERE key NOT IN ({','.join('?' * len(_OURS))})", _OURS)


def _words(source: Connection, shelf: Shelf, told: "_Told") -> None:
    found = Streamed(source).execute(
        "SELECT w.rowid, c.document_id, w.terms FROM words w JOIN chunks c ON c.id = w.rowid ORDER BY w.rowid"
    )
    while rows := found.fetchmany(_FEW):
        shelf.add_words((chunk, document, terms.split()) for chunk, document, terms in rows)
        told.more("words", len(rows))


def _last_given(connection: Connection, table: str) -> int:
    """The highest id that the table ever gave: none is given twice."""
    if is_sqlite(connection):
        sql = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?"
    else:
        sql = "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass), 0)"
    return int(connection.execute(sql, (table,)).fetchone()[0])


def _count_on(target: Connection, table: str, after: int) -> None:
    after = max(after, _last_given(target, table))
    if not after:
        return
    if not is_sqlite(target):
        target.execute("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", (table, after))
    elif not target.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (after, table)).rowcount:
        target.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, after))


class _Told:
    """Counts what is done, in rows of the large tables."""

    def __init__(self, source: Connection, tell: Progress | None) -> None:
        self._tell, self._done, self._total = tell, 0, 0
        for table, times in (("documents", 2), ("chunks", 2), ("vectors", 1)) if tell else ():
            self._total += times * source.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def more(self, what: str, count: int) -> None:
        if what in ("documents", "chunks", "words", "vectors", "packed") and self._tell:
            self._done += count
            self._tell(self._done, self._total, what)


def generation_of(connection: Connection) -> int:
    """Which state of the index this is."""
    return int(meta(connection, "generation") or 0)


def counts(connection: Connection) -> Sequence[Any]:
    """Documents, when the last one was read, passages, judgements, docs root."""
    found: Sequence[Any] = connection.execute(
        "SELECT count(*), max(indexed_at), (SELECT count(*) FROM chunks), (SELECT count(*) FROM feedback), "
        "(SELECT value FROM meta WHERE key = 'docs_root') FROM documents"
    ).fetchone()
    return found
