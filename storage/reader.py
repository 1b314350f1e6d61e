"""What one caller may read of an index, as of one moment: every road to content goes through here.

Each engine finds by its own means what may be read (storage/masked.py, postgres/reader.py); rows are read here. Knows
no question and no ranking; store.Store makes a Reader for a caller. Try: python search.py "parental leave" --explain
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from access import Caller
from database import Connection
from models import Vector
from sources.formats.place import over, unpacked

Ints = npt.NDArray[np.int64]


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


class Reader(ABC):
    """What one caller may read, as of one moment. Chunks are told by whole numbers, their places.

    What a subclass adds finds places; what stands here reads rows of places that the caller may read.
    """

    guard: tuple[str, tuple[Any, ...]] = "", ()
    """A condition on documents `d`, beginning with AND, that every row fulfils, and its values."""
    among = "IN ({})"
    """A condition that a column has one of a subquery's values, by the column's index."""
    listing = "group_concat({})"
    """SQL for the numbers of a group with commas between them."""
    rows_at_once = 1
    """Chunks read by one statement: more where each is a way to a server and back."""

    def __init__(self, connection: Connection, model_id: int, caller: Caller) -> None:
        self._connection, self._model_id, self.caller = connection, model_id, caller

    @property
    def connection(self) -> Connection:
        """For statements that carry `guard` and whose rows `own` then sees."""
        return self._connection

    @property
    @abstractmethod
    def kept(self) -> dict[str, Any]:
        """What was worked out for these rights of this state of the index, for whoever reads by them next."""

    @abstractmethod
    def own(self, rows: Sequence[Any], at: int) -> list[Any]:
        """Of rows that a statement with `guard` found, those of documents that the caller may read.

        `at`: the column with the document's id.
        """

    @abstractmethod
    def how_many(self, joined: str) -> int:
        """Of documents that a statement with `guard` joined by `listing`, how many the caller may read."""

    @abstractmethod
    def readable(self, column: str) -> tuple[str, tuple[Any, ...]]:
        """The condition that a document is one that the caller may read, for a look through all rows; its values."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many chunks the caller may read."""

    @property
    @abstractmethod
    def mean_length(self) -> float:
        """Index terms that such a chunk has, on average; 0 for no chunk."""

    @property
    @abstractmethod
    def generation(self) -> int:
        """Which state of the index this is; it grows with every change."""

    @property
    @abstractmethod
    def state(self) -> bytes:
        """Tells this state of what the caller may read from any other, and nothing of the rest of the index."""

    @abstractmethod
    def languages(self) -> list[str]:
        """Languages of the documents the caller may read, the most frequent first."""

    @abstractmethod
    def places(self) -> Ints:
        """All readable chunks that have index terms, ascending."""

    def every(self) -> Ints:
        """Places at which there may be a chunk, whoever may read it: for who checks that it is not shown."""
        return self.places()

    @abstractmethod
    def nearest(self, query: Vector, count: int) -> tuple[Ints, Vector]:
        """Places of the `count` readable chunks nearest to the question, best first, ties by place; their cosines.

        The cosines are exact, the choice of places is where the caller may read few; see manual/search.md.
        """

    @abstractmethod
    def cosines_at(self, query: Vector, places: Sequence[int] | Ints) -> Vector:
        """The question's cosine with each of these chunks; minus infinity for one without a vector or not readable."""

    @abstractmethod
    def postings(self, term: str) -> tuple[Ints, Ints, Ints]:
        """Places of the chunks that hold an index term, how often each holds it, and how many terms it has."""

    def postings_of(self, terms: Iterable[str]) -> dict[str, tuple[Ints, Ints, Ints]]:
        """The postings of several terms."""
        return {term: self.postings(term) for term in dict.fromkeys(terms)}

    @abstractmethod
    def phrase(self, terms: Sequence[str]) -> tuple[Ints, Ints]:
        """Places of the chunks that hold these index terms one after another, and how many terms each has."""

    @abstractmethod
    def documents(self, places: Iterable[int]) -> dict[int, int]:
        """The document of each readable place, by a number that means nothing outside this reader."""

    @abstractmethod
    def last_line(self, path: str) -> int:
        """The last line of a document that the caller may read, 0 for one that is not there or not theirs."""

    @abstractmethod
    def _ids(self, places: Iterable[int]) -> dict[int, int]:
        """The id of the chunk at each of these places that may be read."""

    @abstractmethod
    def _may_read(self, chunk_id: int) -> bool:
        """Whether it is there now and the caller's."""

    def best_units(self, query: Vector, places: Sequence[int]) -> dict[int, float]:
        """The highest cosine of the question with a unit of each chunk; a chunk without unit vectors is left out."""
        ids = {number: place for place, number in self._ids(places).items()}
        if not ids:
            return {}
        rows = self._connection.execute(  # CROSS: units first; SQLite would else go through all of the model's vectors
            "SELECT u.chunk_id, v.vector FROM units u "
            "CROSS JOIN vectors v WHERE v.model_id = ? AND v.text_hash = u.text_hash "
            f"AND v.vector IS NOT NULL AND u.chunk_id IN ({marks(ids)})",
            (self._model_id, *ids),
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
                (self._model_id, text_hash(text)),
            ).fetchone()
            found.append(np.frombuffer(row[0], "<f4") if row and row[0] else None)
        return found

    def chunks(self, places: Iterable[int]) -> Iterator[ChunkRow]:
        """The chunks at `places`, in that order, read as they are asked for; those not to be read are left out."""
        wanted = [*places]
        held = self._ids(wanted)
        ids = [held[place] for place in wanted if place in held]
        for start in range(0, len(ids), self.rows_at_once):
            some = ids[start : start + self.rows_at_once]
            found = {row.id: row for row in self._rows(f"c.id IN ({marks(some)})", some)}
            yield from (found[number] for number in some if number in found)

    def dates(self, places: Iterable[int], *, only_stated: bool = False) -> dict[int, str]:
        """The ISO date of the document of each readable place: what it states, else (not `only_stated`) its file's."""
        documents = self.documents(places)
        wanted = sorted(set(documents.values()))
        dated: dict[int, str] = {}
        if wanted:
            rows = self._connection.execute(
                "SELECT id, CASE WHEN stated <> 0 OR ? <> 0 THEN dated ELSE '' END FROM documents "
                f"WHERE id IN ({marks(wanted)})",
                (not only_stated, *wanted),
            )
            dated = dict(rows.fetchall())
        return {place: dated[document] for place, document in documents.items()}

    def section(self, chunk: ChunkRow) -> list[ChunkRow]:
        """All chunks under the heading of a chunk that the caller may read, in the file's order; none of another."""
        if not self._may_read(chunk.id):
            return []  # removed, or no longer to be read, since it was found
        heading = json.dumps(chunk.heading, ensure_ascii=False)
        return list(self._rows("c.document_id = ? AND c.heading = ?", (chunk.document_id, heading)))

    def lines_of(self, path: str, first: int, last: int) -> list[ChunkRow]:
        """The chunks of a document that hold its lines `first` to `last`, in order; none when `last_line` is 0."""
        if not self.last_line(path):
            return []
        return list(self._rows("d.path = ? AND c.last_line >= ? AND c.first_line <= ?", (path, first, last)))

    def unchunked(self, path: str, first_line: int, last_line: int, text: str) -> ChunkRow | None:
        """Lines that no chunk holds, front matter as a rule, as one; None for a document that is not there or theirs.

        `text` is what stands there, as another table of the index has it.
        """
        if not self.last_line(path):
            return None
        row = self._connection.execute(
            "SELECT d.id, d.path, d.title, d.lang, d.meta, d.size, d.mtime_ns, d.sha256, d.indexed_at, "
            f"CASE WHEN d.stated <> 0 THEN d.dated ELSE '' END FROM documents d WHERE d.path = ?{self.guard[0]}",
            (path, *self.guard[1]),
        ).fetchone()
        if row is None:
            return None
        number, path, title, lang, meta, *rest = row
        return ChunkRow(
            0, number, path, title, lang, (title,), first_line, last_line, text, 0, "", json.loads(meta), *rest
        )

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
            "CASE WHEN d.stated <> 0 THEN d.dated ELSE '' END, c.places FROM chunks c "
            f"JOIN documents d ON d.id = c.document_id WHERE {condition}{self.guard[0]} ORDER BY c.first_line",
            (*values, *self.guard[1]),
        )
        for row in rows:
            columns = list(row)
            columns[5], columns[11] = tuple(json.loads(row[5])), json.loads(row[11])
            columns[-1] = unpacked(row[-1])
            yield ChunkRow(*columns)


def marks(values: Collection[Any]) -> str:
    """A mark for each value, with commas between."""
    return ",".join("?" * len(values))
