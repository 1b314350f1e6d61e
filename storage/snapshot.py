"""What a search looks through, held in memory: which chunks there are and their vectors, as of one generation.

Vectors are appended, never moved: a changed index costs the reading of what is new. Knows no callers: store.Reader
masks what may not be read before anything is ranked. Try: python search.py "parental leave" --explain
"""

import sqlite3
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from models import Vector

Ints = npt.NDArray[np.int64]
_DEAD = 1000  # rows of vanished vectors that are carried along before the matrix is read anew


@dataclass(slots=True)
class Snapshot:
    """Chunks as parallel arrays in the order of their ids, and the matrix their vectors stand in."""

    generation: int
    model_id: int  # 0: no model, no vectors
    ids: Ints
    documents: Ints
    terms: Ints  # length of each chunk in index terms
    rows: Ints  # row of each chunk's vector in `matrix`, -1 where it has none
    matrix: Vector
    vector_ids: Ints = field(repr=False)  # of each row of `matrix`

    def cosines(self, query: Vector) -> Vector:
        """The dot product of every chunk's vector with `query`; minus infinity where a chunk has no vector."""
        scores: Vector = np.full(len(self.ids), -np.inf, np.float32)
        if len(self.matrix):
            has = self.rows >= 0
            # Not `@`: BLAS sums a row differently by its place, so that others' rows would show in the last bits.
            scores[has] = np.einsum("ij,j->i", self.matrix, query)[self.rows[has]]
        return scores


def load(
    connection: sqlite3.Connection, generation: int, model_id: int, dimension: int, old: Snapshot | None
) -> Snapshot:
    """The snapshot of `generation`, with the vectors that `old` (of the same model) holds already taken from it.

    Call it inside the transaction that `generation` was read in.
    """
    ids, documents, terms, vectors = _chunks(connection, model_id)
    if old is not None and old.model_id == model_id:
        matrix, vector_ids = old.matrix, old.vector_ids
    else:
        matrix, vector_ids = np.empty((0, dimension), np.float32), np.empty(0, np.int64)
    alive = np.unique(vectors[vectors > 0])
    if len(vector_ids) > 2 * len(alive) + _DEAD:  # mostly dead rows: read again rather than carry them
        matrix, vector_ids = matrix[:0], vector_ids[:0]
    matrix, vector_ids = _with_new(connection, matrix, vector_ids, np.setdiff1d(alive, vector_ids))
    order = np.argsort(vector_ids)
    rows = np.full(len(ids), -1)
    rows[vectors > 0] = order[np.searchsorted(vector_ids, vectors[vectors > 0], sorter=order)]
    return Snapshot(generation, model_id, ids, documents, terms, rows, matrix, vector_ids)


def _chunks(connection: sqlite3.Connection, model_id: int) -> tuple[Ints, Ints, Ints, Ints]:
    rows = connection.execute(
        "SELECT c.id, c.document_id, c.terms, CASE WHEN v.vector IS NULL THEN 0 ELSE v.id END FROM chunks c "
        "LEFT JOIN vectors v ON v.model_id = ? AND v.text_hash = c.text_hash ORDER BY c.id",
        (model_id,),
    )
    flat = np.fromiter((value for row in rows for value in row), np.int64)
    table = np.ascontiguousarray(flat.reshape(-1, 4).T)
    return table[0], table[1], table[2], table[3]


def _with_new(connection: sqlite3.Connection, matrix: Vector, vector_ids: Ints, new_ids: Ints) -> tuple[Vector, Ints]:
    if not len(new_ids):
        return matrix, vector_ids
    grown: Vector = np.empty((len(matrix) + len(new_ids), matrix.shape[1]), np.float32)  # filled in place: no copy
    grown[: len(matrix)] = matrix
    for row, vector_id in enumerate(new_ids.tolist(), len(matrix)):
        (blob,) = connection.execute("SELECT vector FROM vectors WHERE id = ?", (vector_id,)).fetchone()
        grown[row] = np.frombuffer(blob, "<f4")
    return grown, np.concatenate([vector_ids, new_ids])
