"""How PostgreSQL stores what a sync hands over; see storage.shelf.Shelf.

A chunk's vector stands in `embeddings` in half precision, made ready for the index of its model once there are many.
Knows one connection and no documents. Try: BRAIN_DATABASE=postgresql://app@db/brain python store.py --sync
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from access import AccessList
from language.words import short
from models import Vector
from postgres import lists
from postgres.connection import Connection
from postgres.schema import CLOSED_LIST

MANY = 20_000
"""Chunks of one model above which they get an index."""


class PostgresShelf:
    """See storage.shelf.Shelf."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._gone: set[bytes] = set()  # hashes of texts that a document had which went

    def lists(self) -> dict[int, AccessList]:
        """See Shelf."""
        return lists.stored(self._connection)

    def set_lists(self, wanted: Iterable[tuple[int, AccessList]]) -> None:
        """See Shelf."""
        lists.write(self._connection, wanted)

    def new_ids(self, table: str, count: int) -> Sequence[int]:
        """See Shelf."""
        sql = "SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)"
        return [int(number) for (number,) in self._connection.execute(sql, (table, count))]

    def add_words(self, chunks: Iterable[tuple[int, int, Sequence[str]]]) -> None:
        """See Shelf."""
        rows = [(number, document_id, [*map(short, terms)]) for number, document_id, terms in chunks]
        self._connection.insert(
            "words", {"rowid": "bigint", "terms": "text"}, ((number, " ".join(terms)) for number, _, terms in rows)
        )
        documents = sorted({document_id for _, document_id, _ in rows})
        of = self._connection.execute("SELECT id, list_id FROM documents WHERE id = ANY(?)", (documents,))
        list_of = dict(of.fetchall())
        self._connection.insert(
            "postings",
            {"term": "text", "chunk_id": "bigint", "list_id": "integer", "count": "integer", "length": "integer"},
            (
                (term, number, list_of[document_id], count, len(terms))
                for number, document_id, terms in rows
                for term, count in Counter(terms).items()
            ),
        )  # fmt: skip

    def delete(self, document_id: int) -> None:
        """See Shelf."""
        held = self._connection.execute(
            "SELECT text_hash FROM chunks WHERE document_id = ? UNION SELECT u.text_hash FROM units u "
            "JOIN chunks c ON c.id = u.chunk_id WHERE c.document_id = ?",
            (document_id, document_id),
        )
        self._gone |= {key for (key,) in held}
        lists.remove_postings(self._connection, document_id)
        self._connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))

    def drop_orphans(self) -> None:
        """See Shelf."""
        self._connection.execute(
            "DELETE FROM vectors v WHERE text_hash = ANY(?) "
            "AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.text_hash = v.text_hash) "
            "AND NOT EXISTS (SELECT 1 FROM units u WHERE u.text_hash = v.text_hash)",
            (list(self._gone),),
        )
        self._gone.clear()

    def newest_vector(self) -> int:
        """See Shelf."""
        return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM vectors").fetchone()[0])

    def pack(self, newest: int, document_ids: Iterable[int] = ()) -> None:
        """See Shelf."""
        of = (
            "SELECT c.id, c.document_id, c.list_id, v.id, v.model_id, v.vector FROM vectors v "
            "JOIN chunks c ON c.text_hash = v.text_hash WHERE v.vector IS NOT NULL AND {} "
            "AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.chunk_id = c.id AND e.model_id = v.model_id)"
        )
        rows = self._connection.execute(
            f"{of.format('v.id > ?')} UNION {of.format('c.document_id = ANY(?)')}", (newest, [*document_ids])
        ).fetchall()
        self._connection.insert(
            "embeddings",
            {"chunk_id": "bigint", "model_id": "integer", "document_id": "bigint", "list_id": "integer",
             "vector_id": "bigint", "embedding": "halfvec"},
            (
                (chunk, model, document, listed, number, as_text(np.frombuffer(blob, "<f4")))
                for chunk, document, listed, number, model, blob in rows
            ),
        )  # fmt: skip

    def tidy(self) -> None:
        """See Shelf. Lists of no document go, with the principals that they name.

        A model with many chunks gets its index: all at once that takes a tenth of one by one. The planner learns of
        tables that have grown much.
        """
        self._connection.execute(
            "DELETE FROM access_lists l WHERE l.id <> ? "
            "AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.list_id = l.id)",
            (CLOSED_LIST,),
        )
        self._connection.execute("SELECT gather_statistics()")
        for model_id in self._many():
            self._connection.execute("SELECT index_model(?)", (model_id,))

    def _many(self) -> Iterator[int]:
        lacking = self._connection.execute(
            "SELECT id FROM models WHERE to_regclass('embeddings_of_model_' || id) IS NULL ORDER BY id"
        ).fetchall()
        for (model_id,) in lacking:
            sql = "SELECT count(*) FROM (SELECT 1 FROM embeddings WHERE model_id = ? LIMIT ?) AS few"
            if self._connection.execute(sql, (model_id, MANY + 1)).fetchone()[0] > MANY:
                yield int(model_id)


def as_text(vector: Vector) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map('{:.6g}'.format, vector.tolist()))}]"
