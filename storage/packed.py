"""What a search must know of every chunk, a row a document, so that a million of them are read in a second.

Ids, lengths and two bits a dimension of each vector. All is derived from `chunks` and `vectors`, in the
transaction that changes those, and goes with its document: nothing is rebuilt. Knows rows and bits only, no search.
Try: python -m eval.bench search
"""

import sqlite3
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from models import Vector

Codes = npt.NDArray[np.uint64]


def words_of(dimension: int) -> int:
    """How many 64-bit words one bit a dimension takes; the code of a vector takes twice as many."""
    return -(-dimension // 64)


def bits(flags: npt.NDArray[np.bool_]) -> Codes:
    """Rows of flags as rows of 64-bit words; the last word is filled up with zeros."""
    packed = np.packbits(flags, axis=-1, bitorder="little")
    room = np.zeros((*packed.shape[:-1], 8 * words_of(flags.shape[-1])), np.uint8)
    room[..., : packed.shape[-1]] = packed
    return room.view("<u8").astype(np.uint64, copy=False)


def coded(vectors: Vector) -> Codes:
    """Rows of unit vectors as rows of codes, `(n, 2 * words)`: the high bits of all dimensions, then the low ones.

    A dimension's two bits are a number, 0 to 3, growing with its value, cut at -t, 0 and t; the high one is the sign.
    With t the root mean square of a unit vector's dimensions, 1 / sqrt(d), that is nearly the best of four even steps
    for a normal distribution (.9957 of it; J. Max, Quantizing for minimum distortion, IRE Trans. IT-6, 1960).
    """
    positive = vectors > 0
    outer = np.abs(vectors) > np.float32(1 / np.sqrt(vectors.shape[-1]))
    return np.concatenate([bits(positive), bits(positive == outer)], axis=-1)


def newest_vector(connection: sqlite3.Connection) -> int:
    """The highest id in `vectors`: what is inserted after this moment has a higher one."""
    (found,) = connection.execute("SELECT coalesce(max(id), 0) FROM vectors").fetchone()
    return int(found)


def write(connection: sqlite3.Connection, newest: int, document_ids: Iterable[int] = ()) -> None:
    """Packs these new documents, and anew every other one that got a vector after `newest` (see newest_vector).

    Belongs at the end of the transaction that inserted them. A document's chunks never change, so the first half of
    it is written once; the second half when a model's vectors come.
    """
    touched = connection.execute(  # CROSS: by the new vectors, which are few
        "SELECT c.document_id FROM vectors v CROSS JOIN chunks c ON c.text_hash = v.text_hash "
        "WHERE v.id > ? AND v.vector IS NOT NULL",
        (newest,),
    )
    generation = connection.execute("SELECT value + 1 FROM meta WHERE key = 'generation'").fetchone()[0]
    models = connection.execute("SELECT id, dimension FROM models").fetchall()
    for document_id in sorted({*document_ids, *(row[0] for row in touched)}):
        _write_chunks(connection, document_id)
        for model_id, dimension in models:
            _write_codes(connection, document_id, model_id, dimension, generation)


def fill(connection: sqlite3.Connection) -> None:
    """Packs every document of an index that was made before there were packed rows."""
    write(connection, newest_vector(connection), [row[0] for row in connection.execute("SELECT id FROM documents")])


def _write_chunks(connection: sqlite3.Connection, document_id: int) -> None:
    rows = connection.execute("SELECT id, terms FROM chunks WHERE document_id = ? ORDER BY id", (document_id,))
    table = np.array(rows.fetchall(), np.int64).reshape(-1, 2)
    connection.execute(
        "INSERT OR IGNORE INTO packed_chunks VALUES (?, ?, ?)",
        (document_id, table[:, 0].astype("<i8").tobytes(), table[:, 1].astype("<i4").tobytes()),
    )


def _write_codes(
    connection: sqlite3.Connection, document_id: int, model_id: int, dimension: int, generation: int
) -> None:
    rows = connection.execute(
        "SELECT coalesce(v.id, 0), v.vector FROM chunks c LEFT JOIN vectors v ON v.model_id = ? "
        "AND v.text_hash = c.text_hash AND v.vector IS NOT NULL WHERE c.document_id = ? ORDER BY c.id",
        (model_id, document_id),
    ).fetchall()
    ids = np.array([row[0] for row in rows], "<i8")
    if not ids.any():
        return
    lacking = bytes(4 * dimension)
    vectors: Vector = np.frombuffer(b"".join(row[1] or lacking for row in rows), "<f4").reshape(len(rows), dimension)
    connection.execute(
        "INSERT OR REPLACE INTO packed_codes VALUES (?, ?, ?, ?, ?)",
        (document_id, model_id, generation, ids.tobytes(), coded(vectors).astype("<u8", copy=False).tobytes()),
    )
