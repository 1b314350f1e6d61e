"""How SQLite stores what a sync hands over: access lists, postings, what a search holds in memory, and what goes.

The statements that PostgreSQL has otherwise (postgres/shelf.py); rows that both have alike are written by the sync.
Knows one connection and no documents. Try: python store.py --sync --docs docs
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from access import AccessList
from database import Connection
from storage import lists, packed
from storage.schema import shorten_journal

_CACHE_KB = 16_000  # hashes fall anywhere in their indexes, which 100,000 documents make larger than the usual 2 MB


class Shelf(Protocol):
    """What an engine does its own way; all but `lists` and `tidy` inside a transaction that writes."""

    def lists(self) -> dict[int, AccessList]:
        """Every document's list by its id; a document that has none is left out: nobody may read it."""

    def set_lists(self, wanted: Iterable[tuple[int, AccessList]]) -> None:
        """Gives documents these lists in place of what they had."""

    def new_ids(self, table: str, count: int) -> Sequence[int]:
        """Ids for rows that will be inserted, ascending, each above all that the table ever had."""

    def add_words(self, chunks: Iterable[tuple[int, int, Sequence[str]]]) -> None:
        """Stores the index terms of chunks: (chunk id, document id, terms in order)."""

    def delete(self, document_id: int) -> None:
        """Takes a document out with all that is its own; texts that nobody else has are left to `drop_orphans`."""

    def drop_orphans(self) -> None:
        """Takes the vectors out, of every model, of texts that no document holds any more."""

    def newest_vector(self) -> int:
        """The highest id in `vectors`: what is inserted after this moment has a higher one."""

    def pack(self, newest: int, document_ids: Iterable[int] = ()) -> None:
        """Makes these new documents, and every other one that got a vector after `newest`, ready to be searched."""

    def tidy(self) -> None:
        """What is done once a sync has ended."""


class SqliteShelf:
    """See Shelf."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection, self._path = connection, path
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")

    def lists(self) -> dict[int, AccessList]:
        """See Shelf."""
        return lists.stored(self._connection)

    def set_lists(self, wanted: Iterable[tuple[int, AccessList]]) -> None:
        """See Shelf."""
        lists.write(self._connection, wanted)

    def new_ids(self, table: str, count: int) -> Sequence[int]:
        """See Shelf."""
        row = self._connection.execute("SELECT seq + 1 FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        first = row[0] if row else 1
        return range(first, first + count)

    def add_words(self, chunks: Iterable[tuple[int, int, Sequence[str]]]) -> None:
        """See Shelf."""
        rows = [(chunk_id, " ".join(terms)) for chunk_id, _, terms in chunks]
        self._connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", rows)

    def delete(self, document_id: int) -> None:
        """See Shelf."""
        self._connection.execute(
            "DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE document_id = ?)", (document_id,)
        )
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS gone (text_hash BLOB PRIMARY KEY) WITHOUT ROWID")
        self._connection.execute(
            "INSERT OR IGNORE INTO gone SELECT text_hash FROM chunks WHERE document_id = ?1 UNION "
            "SELECT text_hash FROM units WHERE chunk_id IN (SELECT id FROM chunks WHERE document_id = ?1)",
            (document_id,),
        )
        self._connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))

    def drop_orphans(self) -> None:
        """See Shelf."""
        self._connection.execute(
            "DELETE FROM vectors WHERE text_hash IN (SELECT text_hash FROM gone "
            "WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.text_hash = gone.text_hash) "
            "AND NOT EXISTS (SELECT 1 FROM units WHERE units.text_hash = gone.text_hash))"
        )
        self._connection.execute("DELETE FROM gone")

    def newest_vector(self) -> int:
        """See Shelf."""
        return packed.newest_vector(self._connection)

    def pack(self, newest: int, document_ids: Iterable[int] = ()) -> None:
        """See Shelf."""
        packed.write(self._connection, newest, document_ids)

    def tidy(self) -> None:
        """See Shelf."""
        shorten_journal(self._connection, self._path)
