"""Looks through a whole index in PostgreSQL for what cannot be; the twin of storage/examine.py.

Above all for a row that carries another access list than its document: the policies go by what the row carries. Pages
and indexes are the server's (pg_amcheck). Reads only, as of one moment. Try: python store.py --verify
"""

from collections.abc import Iterator

import numpy as np

from database import Connection
from postgres.transfer import Streamed
from storage.examine import OF_ALL, OF_ROWS, Fault, all_of
from storage.report import Progress
from store import Store

ANEW = (
    "restore a backup into another database: python store.py --restore FILE; without one, sync into an empty one: "
    "python store.py --sync (manual/postgres.md)"
)
_HALF = 2e-3  # by which a number of half precision may differ from its own, of a unit vector


def examine_store(store: Store, progress: Progress | None = None) -> list[Fault]:
    """Every fault of the index, none when it is whole; of each kind the first MOST. Raises StoreError."""
    connection = store.connection()
    connection.execute("BEGIN")
    try:
        looks = (*OF_ROWS, _lists, _words, _embeddings, *OF_ALL)
        found = all_of(Streamed(connection), looks, progress or (lambda done, total, name: None))
    finally:
        connection.execute("ROLLBACK")
    return [Fault(one.what, one.where, ANEW) if "move the index away" in one.mends else one for one in found]


def _lists(connection: Connection) -> Iterator[Fault]:
    of = "SELECT DISTINCT d.path FROM {} JOIN documents d ON d.id = t.document_id WHERE {}.list_id <> d.list_id"
    looks = {table: of.format(f"{table} t", "t") for table in ("chunks", "texts", "embeddings")}
    looks["postings"] = of.format("postings p JOIN chunks t ON t.id = p.chunk_id", "p")
    for table, sql in looks.items():
        for (path,) in connection.execute(sql):
            yield Fault(f"rows of {table} have another access list than their document", path, ANEW)


def _words(connection: Connection) -> Iterator[Fault]:
    for number, path, first, last in connection.execute(
        "WITH made AS (SELECT w.rowid AS chunk_id, t.term, count(*) AS count FROM words w "
        "CROSS JOIN LATERAL unnest(string_to_array(w.terms, ' ')) t (term) GROUP BY 1, 2), "
        "wrong AS (SELECT chunk_id FROM made m FULL JOIN postings p USING (term, chunk_id) "
        "WHERE m.count IS DISTINCT FROM p.count UNION "
        "SELECT c.id FROM chunks c LEFT JOIN words w ON w.rowid = c.id "
        "WHERE c.terms IS DISTINCT FROM cardinality(string_to_array(w.terms, ' ')) UNION "
        "SELECT p.chunk_id FROM postings p JOIN chunks c ON c.id = p.chunk_id WHERE p.length <> c.terms) "
        "SELECT w.chunk_id, d.path, c.first_line, c.last_line FROM wrong w LEFT JOIN chunks c ON c.id = w.chunk_id "
        "LEFT JOIN documents d ON d.id = c.document_id ORDER BY w.chunk_id"
    ):
        if path is None:
            yield Fault("words of a passage that is not there", f"chunk {number}", ANEW)
        else:
            yield Fault("a passage cannot be found by all of its words", f"{path}:L{first}-{last}", ANEW)


def _embeddings(connection: Connection) -> Iterator[Fault]:
    for path, first, last, number, held, vector, half in connection.execute(
        "SELECT d.path, c.first_line, c.last_line, v.id, e.vector_id, v.vector, e.embedding::real[] FROM vectors v "
        "JOIN chunks c ON c.text_hash = v.text_hash JOIN documents d ON d.id = c.document_id "
        "LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.model_id = v.model_id WHERE v.vector IS NOT NULL"
    ):
        if held != number or not _is_half(half, vector):
            yield Fault("a passage's searched vector is not its vector", f"{path}:L{first}-{last}", ANEW)


def _is_half(half: list[float], vector: bytes) -> bool:
    whole = np.frombuffer(vector, "<f4")
    return len(half) == len(whole) and bool(np.allclose(np.array(half, np.float32), whole, atol=_HALF))
