"""What a search must know of every chunk, a row a document, so that a million of them are read in a second.

Ids, lengths and two bits a dimension of each vector. All is derived from `chunks` and `vectors`, in the
transaction that changes those, and goes with its document: nothing is rebuilt. Knows rows and bits only, no search.
Try: python -m eval.bench search
"""

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from database import Connection
from models import Vector

Codes = npt.NDArray[np.uint64]
_AT_ONCE = 64  # documents that are read with one statement: one for each took eight times as long


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


def newest_vector(connection: Connection) -> int:
    """The highest id in `vectors`: what is inserted after this moment has a higher one."""
    (found,) = connection.execute("SELECT coalesce(max(id), 0) FROM vectors").fetchone()
    return int(found)


def write(connection: Connection, newest: int, document_ids: Iterable[int] = ()) -> None:
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
    waiting = sorted({*document_ids, *(row[0] for row in touched)})
    for start in range(0, len(waiting), _AT_ONCE):
        some = waiting[start : start + _AT_ONCE]
        _write_chunks(connection, some)
        for model_id, dimension in models:
            _write_codes(connection, some, model_id, dimension, generation)


def fill(connection: Connection) -> None:
    """Packs every document of an index that was made before there were packed rows."""
    write(connection, newest_vector(connection), [row[0] for row in connection.execute("SELECT id FROM documents")])


def _write_chunks(connection: Connection, document_ids: list[int]) -> None:
    rows = connection.execute(
        f"SELECT document_id, id, terms FROM chunks WHERE document_id IN ({_marks(document_ids)}) "
        "ORDER BY document_id, id",
        document_ids,
    ).fetchall()
    table = np.array(rows, np.int64).reshape(-1, 3)
    ids, terms = table[:, 1].astype("<i8"), table[:, 2].astype("<i4")
    connection.executemany(
        "INSERT OR IGNORE INTO packed_chunks VALUES (?, ?, ?)",
        [(number, ids[own].tobytes(), terms[own].tobytes()) for number, own in _runs(table[:, 0])],
    )


def _write_codes(
    connection: Connection, document_ids: list[int], model_id: int, dimension: int, generation: int
) -> None:
    rows = connection.execute(
        "SELECT c.document_id, coalesce(v.id, 0), v.vector FROM chunks c LEFT JOIN vectors v ON v.model_id = ? "
        f"AND v.text_hash = c.text_hash AND v.vector IS NOT NULL WHERE c.document_id IN ({_marks(document_ids)}) "
        "ORDER BY c.document_id, c.id",
        (model_id, *document_ids),
    ).fetchall()
    ids = np.array([row[1] for row in rows], "<i8")
    lacking = bytes(4 * dimension)
    vectors: Vector = np.frombuffer(b"".join(row[2] or lacking for row in rows), "<f4").reshape(len(rows), dimension)
    codes = coded(vectors).astype("<u8", copy=False)
    connection.execute(  # to replace row by row takes five times as long: SQLite then keeps each statement's way back
        f"DELETE FROM packed_codes WHERE model_id = ? AND document_id IN ({_marks(document_ids)})",
        (model_id, *document_ids),
    )
    connection.executemany(
        "INSERT INTO packed_codes VALUES (?, ?, ?, ?, ?)",
        [
            (number, model_id, generation, ids[own].tobytes(), codes[own].tobytes())
            for number, own in _runs(np.array([row[0] for row in rows]))
            if ids[own].any()
        ],
    )


def _runs(numbers: npt.NDArray[np.int64]) -> Iterator[tuple[int, slice]]:
    """Each number of a sorted array with the places it takes."""
    found, starts = np.unique(numbers, return_index=True)
    ends = [*starts[1:].tolist(), len(numbers)]
    return zip(found.tolist(), map(slice, starts.tolist(), ends), strict=True)


def _marks(values: list[int]) -> str:
    return ",".join("?" * len(values))
