"""What one caller may read of an index, as of one moment: every road to content goes through here.

Masked in SQL and in the vectors: chunks, postings, cosines, sections. Knows no question and no ranking; store.Store
makes a Reader for a caller. Try: python search.py "parental leave" --explain
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from access import Caller
from models import Vector
from sources.formats.place import over, unpacked
from storage.nearest import Ints, Mask, candidates
from storage.snapshot import Snapshot


def text_hash(text: str) -> bytes:
    """The 16 bytes under which a text's vectors are kept."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk with what is known of its document."""

    id: int
    document_id: int
    path: str
    title: str
    lang: str
    heading: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    skip: int  # leading lines of `text` that are front matter or the heading
    context: str
    meta: dict[str, str]
    size: int
    mtime_ns: int
    sha256: str
    indexed_at: str
    dated: str  # ISO date that the document states, "" where only its file has a time
    places: tuple[str, ...] = ()  # of each line in the file, where that has no lines: "p12"; empty for a plain text

    @property
    def modified(self) -> str:
        """When the file was last changed: UTC, ISO 8601."""
        return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC).isoformat(timespec="seconds")

    @property
    def body(self) -> str:
        """The text without its front matter or heading lines."""
        return "\n".join(self.text.split("\n")[self.skip :])

    @property
    def lines(self) -> str:
        """Its lines as a citation has them: L9-14."""
        return f"L{self.first_line}-{self.last_line}"

    @property
    def place(self) -> str:
        """Where it stands in a file that has no lines: p12-13. "" for a plain text."""
        return over(self.places)

    @property
    def cited(self) -> str:
        """Its place as a person looks it up: p12-13, or the lines."""
        return self.place or self.lines


@dataclass(slots=True)
class Rights:
    """What one set of principals may read of a snapshot."""

    generation: int
    mask: Mask  # of places
    count: int
    languages: list[str]
    state: bytes = b""  # of what may be read; empty until it is asked for


class Reader:
    """What one caller may read, as of one moment. Chunks are told by their place in the snapshot's arrays."""

    def __init__(self, connection: sqlite3.Connection, taken: Snapshot, rights: Rights, caller: Caller) -> None:
        self._connection, self._snapshot, self._rights, self.caller = connection, taken, rights, caller
        self._mask = rights.mask

    @property
    def count(self) -> int:
        """How many chunks the caller may read."""
        return self._rights.count

    @property
    def lengths(self) -> Ints:
        """Index terms of each chunk; 0 for one the caller may not read."""
        return np.where(self._mask, self._snapshot.terms, 0)

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

    def postings(self, term: str) -> tuple[Ints, Ints]:
        """Places of the chunks that hold an index term, and how often each holds it."""
        held = numbers(self._connection, "SELECT group_concat(doc) FROM postings WHERE term = ?", (term,))
        firsts = np.flatnonzero(np.diff(held, prepend=-1))  # they come in the order of their ids
        places, inside = self._places(held[firsts])
        readable = self._mask[places]
        return places[readable], np.diff(firsts, append=len(held))[inside][readable]

    def best_units(self, query: Vector, places: Sequence[int]) -> dict[int, float]:
        """The highest cosine of the question with a unit of each chunk; a chunk without unit vectors is left out."""
        ids = {int(self._snapshot.ids[place]): place for place in places if self._mask[place]}
        rows = self._connection.execute(  # CROSS: units first; SQLite would else go through all of the model's vectors
            "SELECT u.chunk_id, v.vector FROM units u "
            "CROSS JOIN vectors v ON v.model_id = ? AND v.text_hash = u.text_hash "
            f"WHERE v.vector IS NOT NULL AND u.chunk_id IN ({','.join('?' * len(ids))})",
            (self._snapshot.model_id, *ids),
        ).fetchall()
        best: dict[int, float] = {}
        if rows:
            vectors = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), -1)
            for (chunk_id, _), score in zip(rows, np.einsum("ij,j->i", vectors, query), strict=True):
                best[ids[chunk_id]] = max(float(score), best.get(ids[chunk_id], -1.0))
        return best

    def vectors_of(self, texts: Sequence[str]) -> list[Vector | None]:
        """The stored vectors of units that stand in passages the caller was given; None for one that has none."""
        found = []
        for text in texts:
            row = self._connection.execute(
                "SELECT vector FROM vectors WHERE model_id = ? AND text_hash = ?",
                (self._snapshot.model_id, text_hash(text)),
            ).fetchone()
            found.append(np.frombuffer(row[0], "<f4") if row and row[0] else None)
        return found

    def chunks(self, places: Iterable[int]) -> Iterator[ChunkRow]:
        """The chunks at `places`, in that order, read as they are asked for; those not to be read are left out."""
        for place in places:
            if self._mask[place]:
                yield from self._rows("c.id = ?", (int(self._snapshot.ids[place]),))

    def documents(self, places: Iterable[int]) -> dict[int, int]:
        """The document of each readable place, by a number that means nothing outside this reader."""
        taken, wanted = self._snapshot, [place for place in places if self._mask[place]]
        at = np.searchsorted(np.cumsum(taken.sizes), np.array(wanted, np.int64), side="right")
        return dict(zip(wanted, taken.documents[at].tolist(), strict=True))

    def dates(self, places: Iterable[int], *, only_stated: bool = False) -> dict[int, str]:
        """The ISO date of the document of each readable place: what it states, else (not `only_stated`) its file's."""
        documents = self.documents(places)
        wanted = sorted(set(documents.values()))
        rows = self._connection.execute(
            f"SELECT id, iif(stated OR ?, dated, '') FROM documents WHERE id IN ({','.join('?' * len(wanted))})",
            (not only_stated, *wanted),
        )
        dated = dict(rows.fetchall())
        return {place: dated[document] for place, document in documents.items()}

    def section(self, chunk: ChunkRow) -> list[ChunkRow]:
        """All chunks under the heading of a chunk that the caller may read, in the file's order; none of another."""
        places, _ = self._places(np.array([chunk.id]))
        if not self._mask[places].any():
            return []  # removed, or no longer to be read, since it was found
        heading = json.dumps(chunk.heading, ensure_ascii=False)
        return list(self._rows("c.document_id = ? AND c.heading = ?", (chunk.document_id, heading)))

    @property
    def state(self) -> bytes:
        """Tells this state of what the caller may read from any other, and nothing of the rest of the index."""
        if not self._rights.state:
            rows = self._connection.execute(
                "SELECT d.id, d.size, d.mtime_ns, d.dated, p.generation FROM documents d LEFT JOIN packed_codes p "
                "ON p.document_id = d.id AND p.model_id = ? ORDER BY d.id",
                (self._snapshot.model_id,),
            )
            mine = set(self.documents(np.flatnonzero(self._mask).tolist()).values())
            told = repr([row for row in rows if row[0] in mine])
            self._rights.state = hashlib.blake2b(told.encode(), digest_size=16).digest()
        return self._rights.state

    @property
    def generation(self) -> int:
        """Which state of the index this is; it grows with every change."""
        return self._snapshot.generation

    def last_line(self, path: str) -> int:
        """The last line of a document that the caller may read, 0 for one that is not there or not theirs."""
        one = "SELECT id FROM chunks WHERE document_id = (SELECT id FROM documents WHERE path = ?) LIMIT 1"
        row = self._connection.execute(one, (path,)).fetchone()
        places, _ = self._places(np.array(row or (0,), np.int64))  # nothing more is done for one that is not theirs,
        if not self._mask[places].any():  # lest a long document were told from none by the time that it takes
            return 0
        most = "SELECT max(last_line) FROM chunks WHERE document_id = (SELECT document_id FROM chunks WHERE id = ?)"
        return int(self._connection.execute(most, row).fetchone()[0])

    def lines_of(self, path: str, first: int, last: int) -> list[ChunkRow]:
        """The chunks of a document that hold its lines `first` to `last`, in order; none when `last_line` is 0."""
        if not self.last_line(path):
            return []
        return list(self._rows("d.path = ? AND c.last_line >= ? AND c.first_line <= ?", (path, first, last)))

    def converted(self, path: str) -> tuple[list[str], tuple[str, ...]]:
        """All lines of a document that was made from another format, and their places; none of any other.

        For a document that the caller may read: `last_line` is not 0.
        """
        row = self._connection.execute(
            "SELECT t.text, t.places FROM texts t JOIN documents d ON d.id = t.document_id WHERE d.path = ?", (path,)
        ).fetchone()
        return (row[0].split("\n"), unpacked(row[1])) if row and self.last_line(path) else ([], ())

    def _rows(self, condition: str, values: Sequence[int | str]) -> Iterator[ChunkRow]:
        rows = self._connection.execute(
            "SELECT c.id, d.id, d.path, d.title, d.lang, c.heading, c.first_line, c.last_line, c.text, "
            "c.skip, c.context, d.meta, d.size, d.mtime_ns, d.sha256, d.indexed_at, "
            "iif(d.stated, d.dated, ''), c.places FROM chunks c "
            f"JOIN documents d ON d.id = c.document_id WHERE {condition} ORDER BY c.first_line",
            values,
        )
        for row in rows:
            columns = list(row)
            columns[5], columns[11] = tuple(json.loads(row[5])), json.loads(row[11])
            columns[-1] = unpacked(row[-1])
            yield ChunkRow(*columns)

    def phrase(self, terms: Sequence[str]) -> Ints:
        """Places of the chunks that hold these index terms one after another."""
        rows = self._connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{" ".join(terms)}"',))
        places, _ = self._places(np.fromiter((row[0] for row in rows), np.int64))
        return places[self._mask[places]]

    def _places(self, chunk_ids: Ints) -> tuple[Ints, Mask]:
        """Where these chunks stand in the snapshot, and which of them do: a chunk of another version's sync may not."""
        ids = self._snapshot.ids
        places = np.searchsorted(ids, chunk_ids)
        inside = places < len(ids)
        inside[inside] = ids[places[inside]] == chunk_ids[inside]
        return places[inside], inside


def numbers(connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> Ints:
    """The whole numbers that `sql` joins by group_concat: a quarter of the time that a row each would take."""
    (found,) = connection.execute(sql, values).fetchone()
    return np.fromstring(found, np.int64, sep=",") if found is not None else np.empty(0, np.int64)
