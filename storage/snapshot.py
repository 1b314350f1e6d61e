"""What a search looks through, held in memory: which chunks there are and the codes of their vectors.

As of one generation of the index; the next one takes over what is there and reads only what is new. Places of removed
documents stay until they are many: nobody holds a right to them. Knows no callers: storage.reader masks what may not be
read before anything is ranked. Try: python search.py "parental leave" --explain
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from database import Connection
from storage.nearest import BLOCK, Exact
from storage.packed import Codes, words_of
from storage.reader import Ints

JUMP = 1_000_000
"""By so much a restore raises the generation: the numbers of documents, chunks and vectors may mean others then."""
_DEAD = 1000  # documents that are gone and carried along, besides as many as there are
_ROWS = 200  # documents that are read at once; a large one has thousands of chunks


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Chunks as parallel arrays in the order of their ids, a document's side by side."""

    generation: int
    model_id: int  # 0: no model, no vectors
    documents: Ints  # ids, ascending
    sizes: Ints  # how many chunks each has
    ids: Ints  # of the chunks, ascending
    terms: Ints  # length of each chunk in index terms
    vectors: Ints  # id of each chunk's vector, 0 where it has none
    blocks: tuple[Codes, ...] = field(repr=False)  # (2 * words, BLOCK) each; the last is filled as chunks come
    exact: Exact = field(repr=False)


def load(connection: Connection, generation: int, model_id: int, dimension: int, old: Snapshot | None) -> Snapshot:
    """The snapshot of `generation`, from an `old` one of the same model where there is one.

    Call it inside the transaction that `generation` was read in, for one model from one thread at a time, with the
    newest there is as `old`: what is new is written behind the end of its last block.
    """
    if old is not None:
        (alive,) = connection.execute("SELECT count(*) FROM packed_chunks").fetchone()
        if len(old.documents) > 2 * alive + _DEAD or generation - old.generation >= JUMP:
            old = None
    if old is None:
        none = np.empty(0, np.int64)
        old = Snapshot(generation, model_id, none, none, none, none, none, (), Exact(dimension))
    words = 2 * words_of(dimension)
    return replace(_with_new(connection, _with_changes(connection, old, words), words), generation=generation)


def _with_new(connection: Connection, old: Snapshot, words: int) -> Snapshot:
    """With the documents that came after the newest of `old`."""
    cursor = connection.execute(
        "SELECT p.document_id, p.ids, p.terms, c.vectors, c.codes FROM packed_chunks p LEFT JOIN packed_codes c "
        "ON c.document_id = p.document_id AND c.model_id = ? WHERE p.document_id > ? ORDER BY p.document_id",
        (old.model_id, _newest(old)),
    )
    parts: list[list[Ints]] = [[old.documents], [old.sizes], [old.ids], [old.terms], [old.vectors]]
    blocks, end = list(old.blocks), len(old.ids)
    while rows := cursor.fetchmany(_ROWS):
        numbers, chunks, terms, vectors, codes = zip(*rows, strict=True)
        sizes = [len(blob) // 8 for blob in chunks]
        parts[0].append(np.array(numbers, np.int64))
        parts[1].append(np.array(sizes, np.int64))
        parts[2].append(np.frombuffer(b"".join(chunks), "<i8"))
        parts[3].append(np.frombuffer(b"".join(terms), "<i4").astype(np.int64))
        parts[4].append(_joined(vectors, sizes, 1).view("<i8"))
        new = _joined(codes, sizes, words).reshape(sum(sizes), words)
        while len(blocks) * BLOCK < end + len(new):
            blocks.append(np.zeros((words, BLOCK), np.uint64))
        _put(blocks, end, new)
        end += len(new)
    documents, each, ids, lengths, found = (np.concatenate(part) for part in parts)
    return replace(old, documents=documents, sizes=each, ids=ids, terms=lengths, vectors=found, blocks=tuple(blocks))


def _with_changes(connection: Connection, old: Snapshot, words: int) -> Snapshot:
    """With the vectors that documents of `old` got since; blocks are copied, for others may be looking through them."""
    rows = connection.execute(
        "SELECT document_id, vectors, codes FROM packed_codes "
        "WHERE model_id = ? AND generation > ? AND document_id <= ?",
        (old.model_id, old.generation, _newest(old)),
    ).fetchall()
    if not rows:
        return old
    starts = np.cumsum(old.sizes) - old.sizes
    vectors, blocks, copied = old.vectors.copy(), list(old.blocks), set[int]()
    for document_id, new_vectors, new_codes in rows:
        place = int(np.searchsorted(old.documents, document_id))
        start, size = int(starts[place]), int(old.sizes[place])
        for number in range(start // BLOCK, (start + size - 1) // BLOCK + 1):
            if number not in copied:
                blocks[number] = blocks[number].copy()
                copied.add(number)
        vectors[start : start + size] = np.frombuffer(new_vectors, "<i8")
        _put(blocks, start, np.frombuffer(new_codes, "<u8").reshape(size, words))
    return replace(old, vectors=vectors, blocks=tuple(blocks))


def _put(blocks: Sequence[Codes], start: int, codes: Codes) -> None:
    done = 0
    while done < len(codes):
        block, column = divmod(start + done, BLOCK)
        size = min(BLOCK - column, len(codes) - done)
        blocks[block][:, column : column + size] = codes[done : done + size].T
        done += size


def _joined(blobs: Sequence[bytes | None], lengths: Sequence[int], words: int) -> Codes:
    """The documents' words of 8 bytes one after another; zeros for a document that has none of this model."""
    parts = (bytes(8 * words * length) if blob is None else blob for blob, length in zip(blobs, lengths, strict=True))
    return np.frombuffer(b"".join(parts), "<u8")


def _newest(taken: Snapshot) -> int:
    return int(taken.documents[-1]) if len(taken.documents) else 0
