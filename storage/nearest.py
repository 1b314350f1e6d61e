"""The nearest of a million vectors without reading them: signs first, then the exact vectors of the best from the file.

How many signs differ from the question's is counted for every chunk that may be read; the best _SIFTED are put in order
by the question's own values over two bits a dimension, and the best _RESCORED of them are read and scored exactly.
Knows codes, vectors and masks, no callers and no text. Try: python -m eval.bench search
"""

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from database import Connection
from models import Vector
from storage.packed import Codes, bits
from storage.reader import Ints

Mask = npt.NDArray[np.bool_]

BLOCK = 8192
"""Places a block of codes in memory: 1 MB at 1024 dimensions. 4,096 to 16,384 were alike, smaller ones slower."""
_SIFTED = 6144  # by signs the true ten of a cluster of 5,000 are among so many always, among 4,096 .997 of them
_RESCORED = 1024  # all of so few; recall@10 at a million synthetic chunks .997, with 512 of them .973 (eval/LOG.md)
_HELD_BYTES = 64_000_000  # exact vectors kept in memory: all of a small index
_FAR = np.uint16(np.iinfo(np.uint16).max)  # above any distance


def distances(blocks: Sequence[Codes], count: int, query: Vector) -> npt.NDArray[np.uint16]:
    """In how many signs each of the first `count` places differs from `query`, dimensions where that is zero left out.

    A block stands word by word, `(words, BLOCK)`: every step is one long run over its places. Row by row the same
    takes two and a half times as long (1,000,000 x 1024: 27 and 65 ms of processor time).
    """
    found = np.zeros(count, np.uint16)
    signs, counted = bits(query > 0), bits(query != 0)
    words = np.flatnonzero(counted)
    if not len(words):
        return found
    part = slice(int(words[0]), int(words[-1]) + 1)
    signs, counted = signs[part, None], counted[part, None]
    whole = bool((counted == ~np.uint64(0)).all())
    differing, ones = np.empty((len(signs), BLOCK), np.uint64), np.empty((len(signs), BLOCK), np.uint8)
    for start, block in zip(range(0, count, BLOCK), blocks, strict=True):
        size = min(BLOCK, count - start)
        some, few = differing[:, :size], ones[:, :size]
        np.bitwise_xor(block[part, :size], signs, out=some)
        if not whole:
            np.bitwise_and(some, counted, out=some)
        np.bitwise_count(some, out=few)
        np.add.reduce(few, axis=0, dtype=np.uint16, out=found[start : start + size])
    return found


def likeness(blocks: Sequence[Codes], places: Ints, query: Vector) -> npt.NDArray[np.int32]:
    """An estimate of each place's dot product, but for scale and offset: the question's values times the codes' 0 to 3.

    The question is cut finely, to -127 to 127, so the estimate follows the cosine closely where vectors differ by noise
    alone. Ones are counted a bit of the question at a time: looking the sums of bytes up took twice as long.
    """
    edges = np.searchsorted(places, np.arange(len(blocks) + 1) * BLOCK)
    parts = [
        np.take(block, places[first:last] - number * BLOCK, axis=1)
        for number, (block, first, last) in enumerate(zip(blocks, edges[:-1], edges[1:], strict=True))
        if first < last
    ]
    high, low = np.split(np.concatenate(parts, axis=1), 2)
    values = np.rint(query * (127 / max(float(np.abs(query).max()), 1e-30))).astype(np.int8)
    found, some, ones = np.zeros(len(places), np.int32), np.empty_like(high), np.empty(high.shape, np.uint8)
    for bit, weight in enumerate((1, 2, 4, 8, 16, 32, 64, -128)):  # of a negative number in two's complement, too
        asked = bits(values >> bit & 1 == 1)[:, None]
        for half, scale in ((high, 2 * weight), (low, weight)):
            np.bitwise_and(half, asked, out=some)
            np.bitwise_count(some, out=ones)
            found += scale * np.add.reduce(ones, axis=0, dtype=np.int32)
    return found


def candidates(blocks: Sequence[Codes], able: Mask, query: Vector, count: int) -> Ints:
    """Places, ascending, among which the `count` nearest are looked for: all that are `able` where these are few.

    What is not able has no say, also not in a tie at the end of the list, where the lower place is taken.
    """
    readable = int(np.count_nonzero(able))
    wanted = max(count, _RESCORED)
    if readable <= wanted:
        return np.flatnonzero(able)
    many = max(wanted, _SIFTED)
    if readable <= many:
        near = np.flatnonzero(able)
    else:
        found = distances(blocks, len(able), query)
        found[~able] = _FAR
        last = int(np.searchsorted(np.cumsum(np.bincount(found)), many))  # the distance at which there are enough
        nearer, tied = np.flatnonzero(found < last), np.flatnonzero(found == last)
        near = np.sort(np.concatenate([nearer, tied[: many - len(nearer)]]))
    return np.sort(near[np.argsort(-likeness(blocks, near, query), kind="stable")[:wanted]])


class Exact:
    """One model's vectors by id, read from the file; the last read are held. An id never gets another vector."""

    def __init__(self, dimension: int) -> None:
        size = max(_HELD_BYTES // (4 * max(dimension, 1)), 1) | 1  # odd: ids that are every fourth use all places
        self._vectors: Vector = np.empty((size, dimension), np.float32)  # takes memory as it is written to
        self._ids = np.zeros(size, np.int64)
        self._lock = threading.Lock()

    def cosines(self, connection: Connection, ids: Ints, query: Vector) -> Vector:
        """The dot product of `query` with each vector, in the order of `ids`.

        Not by `@`: BLAS sums a row differently by its place, so that others' rows would show in the last bits.
        """
        unique, back = np.unique(ids, return_inverse=True)  # copies of a text share a vector
        slots = unique % len(self._ids)
        with self._lock:
            held = self._ids[slots] == unique
            vectors = self._vectors[slots[held]]
        scores: Vector = np.empty(len(unique), np.float32)
        scores[held] = np.einsum("ij,j->i", vectors, query)
        if not held.all():
            slots = slots[~held]
            vectors = self._read(connection, unique[~held])
            scores[~held] = np.einsum("ij,j->i", vectors, query)
            with self._lock:
                self._vectors[slots] = vectors
                self._ids[slots] = unique[~held]
        return scores[back]

    def _read(self, connection: Connection, ids: Ints) -> Vector:
        rows = []
        for start in range(0, len(ids), 10_000):  # SQLite takes 32,766 values at once
            part = ids[start : start + 10_000].tolist()
            marks = ",".join("?" * len(part))
            rows += connection.execute(f"SELECT vector FROM vectors WHERE id IN ({marks}) ORDER BY id", part).fetchall()
        return np.frombuffer(b"".join(row[0] for row in rows), "<f4").reshape(len(ids), -1)
