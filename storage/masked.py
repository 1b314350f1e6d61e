"""What one caller may read of an index in SQLite: a mask over the snapshot in memory, before anything is ranked.

Masked: chunks, postings, cosines, phrases, lengths. Knows no question; store.Store makes the mask.
Try: python search.py "parental leave" --explain
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from access import Caller
from database import Connection
from models import Vector
from storage.nearest import Mask, candidates
from storage.reader import Ints, Reader
from storage.snapshot import Snapshot


@dataclass(slots=True)
class Rights:
    """What one set of principals may read of a snapshot."""

    generation: int
    mask: Mask  # of places
    count: int
    languages: list[str]
    state: bytes = b""  # of what may be read; empty until it is asked for
    documents: frozenset[int] | None = None  # None until it is asked for
    kept: dict[str, Any] = field(default_factory=dict)


class MaskedReader(Reader):
    """Places are those of the snapshot's arrays."""

    def __init__(self, connection: Connection, taken: Snapshot, rights: Rights, caller: Caller) -> None:
        super().__init__(connection, taken.model_id, caller)
        self._snapshot, self._rights, self._mask = taken, rights, rights.mask

    @property
    def kept(self) -> dict[str, Any]:
        """What was worked out for these rights of this state."""
        return self._rights.kept

    def own(self, rows: Sequence[Any], at: int) -> list[Any]:
        """Of rows, those of documents that the caller may read."""
        mine = self._documents
        return [row for row in rows if row[at] in mine]

    def how_many(self, joined: str) -> int:
        """How many of these documents the caller may read."""
        return len(self._documents.intersection(map(int, joined.split(","))))

    def readable(self, column: str) -> tuple[str, tuple[Any, ...]]:
        """See Reader."""
        return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps(sorted(self._documents)),)

    @property
    def _documents(self) -> frozenset[int]:
        if self._rights.documents is None:
            taken = self._snapshot
            starts = np.cumsum(taken.sizes) - taken.sizes
            held = np.add.reduceat(self._mask, starts) > 0 if len(starts) else np.empty(0, np.bool_)
            self._rights.documents = frozenset(taken.documents[held].tolist())
        return self._rights.documents

    @property
    def count(self) -> int:
        """How many chunks the caller may read."""
        return self._rights.count

    @property
    def mean_length(self) -> float:
        """Index terms that such a chunk has, on average; 0 for no chunk."""
        return float(self._lengths.sum() / max(self.count, 1))

    @property
    def generation(self) -> int:
        """Which state of the index this is; it grows with every change."""
        return self._snapshot.generation

    @property
    def _lengths(self) -> Ints:
        return np.where(self._mask, self._snapshot.terms, 0)

    def places(self) -> Ints:
        """All readable chunks that have index terms, ascending."""
        return np.flatnonzero(self._lengths)

    def every(self) -> Ints:
        """Places at which there may be a chunk, whoever may read it: for who checks that it is not shown."""
        return np.arange(len(self._mask))

    def languages(self) -> list[str]:
        """Languages of the documents the caller may read, the most frequent first."""
        return list(self._rights.languages)

    def nearest(self, query: Vector, count: int) -> tuple[Ints, Vector]:
        """Places of the `count` readable chunks nearest to the question, best first, ties by place; their cosines.

        The cosines are exact. Which places are looked at is exact where the caller may read 1,024 chunks or fewer;
        of a million, .997 of the true ten are (eval/LOG.md).
        """
        taken = self._snapshot
        places = candidates(taken.blocks, self._mask & (taken.vectors > 0), query, count)
        scores = taken.exact.cosines(self._connection, taken.vectors[places], query)
        best = np.argsort(-scores, kind="stable")[:count]
        return places[best], scores[best]

    def cosines_at(self, query: Vector, places: Sequence[int] | Ints) -> Vector:
        """The question's cosine with each of these chunks; minus infinity for one without a vector or not readable."""
        wanted = np.asarray(places, np.int64)
        scores: Vector = np.full(len(wanted), -np.inf, np.float32)
        has = self._mask[wanted] & (self._snapshot.vectors[wanted] > 0)
        ids = self._snapshot.vectors[wanted[has]]
        scores[has] = self._snapshot.exact.cosines(self._connection, ids, query)
        return scores

    def postings(self, term: str) -> tuple[Ints, Ints, Ints]:
        """Places of the chunks that hold an index term, how often each holds it, and how many terms it has."""
        held = numbers(self._connection, "SELECT group_concat(doc) FROM postings WHERE term = ?", (term,))
        firsts = np.flatnonzero(np.diff(held, prepend=-1))  # they come in the order of their ids
        places, inside = self._places(held[firsts])
        readable = self._mask[places]
        places = places[readable]
        return places, np.diff(firsts, append=len(held))[inside][readable], self._snapshot.terms[places]

    def phrase(self, terms: Sequence[str]) -> tuple[Ints, Ints]:
        """Places of the chunks that hold these index terms one after another, and how many terms each has."""
        rows = self._connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{" ".join(terms)}"',))
        places, _ = self._places(np.fromiter((row[0] for row in rows), np.int64))
        places = places[self._mask[places]]
        return places, self._snapshot.terms[places]

    def documents(self, places: Iterable[int]) -> dict[int, int]:
        """The document of each readable place, by a number that means nothing outside this reader."""
        taken, wanted = self._snapshot, [place for place in places if self._mask[place]]
        at = np.searchsorted(np.cumsum(taken.sizes), np.array(wanted, np.int64), side="right")
        return dict(zip(wanted, taken.documents[at].tolist(), strict=True))

    @property
    def state(self) -> bytes:
        """Tells this state of what the caller may read from any other, and nothing of the rest of the index."""
        if not self._rights.state:
            rows = self._connection.execute(
                "SELECT d.id, d.size, d.mtime_ns, d.dated, p.generation FROM documents d LEFT JOIN packed_codes p "
                "ON p.document_id = d.id AND p.model_id = ? ORDER BY d.id",
                (self._model_id,),
            )
            mine = set(self.documents(np.flatnonzero(self._mask).tolist()).values())
            told = repr([row for row in rows if row[0] in mine])
            self._rights.state = hashlib.blake2b(told.encode(), digest_size=16).digest()
        return self._rights.state

    def last_line(self, path: str) -> int:
        """The last line of a document that the caller may read, 0 for one that is not there or not theirs."""
        one = "SELECT id FROM chunks WHERE document_id = (SELECT id FROM documents WHERE path = ?) LIMIT 1"
        row = self._connection.execute(one, (path,)).fetchone()
        places, _ = self._places(np.array(row or (0,), np.int64))  # nothing more is done for one that is not theirs,
        if not self._mask[places].any():  # lest a long document were told from none by the time that it takes
            return 0
        most = "SELECT max(last_line) FROM chunks WHERE document_id = (SELECT document_id FROM chunks WHERE id = ?)"
        return int(self._connection.execute(most, row).fetchone()[0])

    def _ids(self, places: Iterable[int]) -> dict[int, int]:
        return {place: int(self._snapshot.ids[place]) for place in places if self._mask[place]}

    def _may_read(self, chunk_id: int) -> bool:
        places, _ = self._places(np.array([chunk_id]))
        return bool(self._mask[places].any())

    def _places(self, chunk_ids: Ints) -> tuple[Ints, Mask]:
        """Where these chunks stand in the snapshot, and which of them do: a chunk of another version's sync may not."""
        ids = self._snapshot.ids
        places = np.searchsorted(ids, chunk_ids)
        inside = places < len(ids)
        inside[inside] = ids[places[inside]] == chunk_ids[inside]
        return places[inside], inside


def numbers(connection: Connection, sql: str, values: Sequence[Any]) -> Ints:
    """The whole numbers that `sql` joins by group_concat: a quarter of the time that a row each would take."""
    (found,) = connection.execute(sql, values).fetchone()
    return np.fromstring(found, np.int64, sep=",") if found is not None else np.empty(0, np.int64)
