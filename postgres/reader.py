"""What one caller may read of an index in PostgreSQL: every statement names the lists, and the policies hold besides.

Places are the chunks' ids. Nothing is held in memory but counts. Knows no question and no ranking; PostgresStore makes
a Reader inside a transaction in which the database knows the caller. Try: pytest tests/test_postgres_pace.py
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from access import Caller
from database import Connection
from models import Vector
from postgres.shelf import as_text
from storage.reader import Ints, Reader

EXACT = 20_000
"""Chunks of a caller up to which each is looked at: the index must pass by those of others and takes as long."""
_MORE = 16  # read in full precision beyond what is asked for: half precision is wrong by 0.00015 at the most
_NONE = np.empty(0, np.int64)
_MARKED = "CASE WHEN substring(?::bytea, {} + 1, 1) = '1' THEN true ELSE false END"  # as the policies have it
_FEW_DOCUMENTS = 1_000
_FEW_LISTS = 50  # up to which they are a condition that an index can serve


@dataclass(slots=True)
class Rights:
    """What one set of principals may read of a state of the index."""

    generation: int
    lists: list[int]  # that let them in
    documents: list[int] | None  # where a filter asks for some of theirs alone
    count: int  # chunks
    terms: int  # of all these
    languages: list[str]
    state: bytes = b""  # of what may be read; empty until it is asked for
    marks: dict[str, str] = field(default_factory=dict)  # lists and documents in another form
    kept: dict[str, Any] = field(default_factory=dict)
    chunks: npt.NDArray[np.bool_] | None = None  # by their ids, of many documents; None until it is asked for

    def of(self, listed: str, document: str, *, by_index: bool = False) -> tuple[str, tuple[Any, ...]]:
        """A condition, beginning with AND, on the columns with a row's list and document, and its values.

        `by_index`: the rows are few and are to be found by their lists.
        """
        whole = self.documents is None
        few = len(self.lists) <= _FEW_LISTS or (by_index and whole)
        condition, values = (
            (f" AND {listed} = ANY(?::integer[])", (as_array(self.lists),))
            if few
            else (f" AND {_MARKED.format(listed)}", (self._marked("lists", self.lists),))
        )
        if self.documents is None:
            return condition, values
        if by_index or len(self.documents) <= _FEW_DOCUMENTS:
            return f"{condition} AND {document} = ANY(?::bigint[])", (*values, as_array(self.documents))
        marks = self._marked("documents", self.documents)
        return f"{condition} AND {_MARKED.format(f'{document}::integer')}", (*values, marks)

    def _marked(self, name: str, numbers: list[int]) -> str:
        """A character for each by its number, as the policies have the lists."""
        if name not in self.marks:
            marks = np.full(max(numbers) + 1, ord("0"), np.uint8)
            marks[numbers] = ord("1")
            self.marks[name] = marks.tobytes().decode()
        return self.marks[name]


class PostgresReader(Reader):
    """See Reader."""

    among = "= ANY(ARRAY({}))"  # of a table of unknown size it thinks 1,000 rows, and scans all
    listing = "string_agg(DISTINCT ({})::text, ',')"  # a model may have read a name that a rule had read as well
    rows_at_once = 32

    def __init__(self, connection: Connection, model: tuple[int, int], rights: Rights, caller: Caller) -> None:
        """`model`: id and dimension, zeros for none."""
        super().__init__(connection, model[0], caller)
        self._dimension, self._rights = model[1], rights
        self._document_of: dict[int, int | None] = {}  # as of the one moment of this reader; None: not to be read
        self.guard = rights.of("d.list_id", "d.id")

    @property
    def kept(self) -> dict[str, Any]:
        """What was worked out for these rights of this state."""
        return self._rights.kept

    def own(self, rows: Sequence[Any], at: int) -> list[Any]:
        """All of them: the statement has seen to it, and the policies besides."""
        return [*rows]

    def how_many(self, joined: str) -> int:
        """All of them."""
        return joined.count(",") + 1

    def readable(self, column: str) -> tuple[str, tuple[Any, ...]]:
        """See Reader."""
        condition, values = self.guard
        return f"{column} IN (SELECT d.id FROM documents d WHERE true{condition})", values

    @property
    def count(self) -> int:
        """How many chunks the caller may read."""
        return self._rights.count

    @property
    def mean_length(self) -> float:
        """Index terms that such a chunk has, on average; 0 for no chunk."""
        return self._rights.terms / max(self.count, 1)

    @property
    def generation(self) -> int:
        """Which state of the index this is; it grows with every change."""
        return self._rights.generation

    @property
    def state(self) -> bytes:
        """Tells this state of what the caller may read from any other, and nothing of the rest of the index."""
        if not self._rights.state:
            sql = "SELECT coalesce(sum(digest), 0) FROM list_states WHERE list_id = ANY(?::integer[])"
            (digest,) = self._connection.execute(sql, (as_array(self._rights.lists),)).fetchone()
            told = repr((digest, self._rights.documents))
            self._rights.state = hashlib.blake2b(told.encode(), digest_size=16).digest()
        return self._rights.state

    def languages(self) -> list[str]:
        """Languages of the documents the caller may read, the most frequent first."""
        return list(self._rights.languages)

    def places(self) -> Ints:
        """All readable chunks that have index terms, ascending."""
        condition, values = self._guarded("c")
        return self._columns("c.id", f"chunks c WHERE c.terms > 0{condition} ORDER BY c.id", values)[0]

    def nearest(self, query: Vector, count: int, *, exact: bool = False) -> tuple[Ints, Vector]:
        """Places of the `count` readable chunks nearest to the question, best first, ties by place; their cosines.

        `exact`: the caller's chunks are all looked at, however many they are.
        """
        if not self._model_id or not self.count:
            return _NONE, np.empty(0, np.float32)
        wanted, found = count + _MORE, None
        if self.count > EXACT and not exact:
            found = self._by_index(query, wanted)
        if found is None or len(found[0]) < min(wanted, self.count):
            found = self._row_by_row(query, wanted)
        places, numbers = found
        scores = self._cosines(query, numbers)
        order = np.lexsort((places, -scores))[:count]
        return places[order], scores[order]

    def _row_by_row(self, query: Vector, wanted: int) -> tuple[Ints, Ints]:
        condition, values = self._rights.of("e.list_id", "e.document_id", by_index=self.count <= EXACT)
        return self._near(f"e.embedding <=> ?::halfvec, e.chunk_id LIMIT {wanted}", condition, values, query)

    def _by_index(self, query: Vector, wanted: int) -> tuple[Ints, Ints]:
        """By the model's index, which goes on until it has found enough that may be read."""
        condition, values = self._rights.of("e.list_id", "e.document_id")
        width = f"halfvec({self._dimension})"
        return self._near(f"e.embedding::{width} <=> ?::{width} LIMIT {wanted}", condition, values, query)

    def _near(self, order: str, condition: str, values: tuple[Any, ...], query: Vector) -> tuple[Ints, Ints]:
        rows = self._connection.execute(
            "SELECT e.chunk_id, e.vector_id FROM embeddings e "
            f"WHERE e.model_id = {self._model_id}{condition} ORDER BY {order}",  # as the index has it: no parameter
            (*values, as_text(query)),
        ).fetchall()
        table = np.array(rows, np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def _cosines(self, query: Vector, numbers: Ints) -> Vector:
        """The dot product of `query` with each of these vectors in full precision."""
        rows = self._connection.execute("SELECT id, vector FROM vectors WHERE id = ANY(?)", (numbers.tolist(),))
        held = dict(rows.fetchall())
        if not held:
            return np.empty(0, np.float32)
        vectors = np.frombuffer(b"".join(held[number] for number in numbers.tolist()), "<f4").reshape(len(numbers), -1)
        scores: Vector = np.einsum("ij,j->i", vectors, query)
        return scores

    def cosines_at(self, query: Vector, places: Sequence[int] | Ints) -> Vector:
        """The question's cosine with each of these chunks; minus infinity for one without a vector or not readable."""
        wanted = np.asarray(places, np.int64)
        scores: Vector = np.full(len(wanted), -np.inf, np.float32)
        condition, values = self._guarded("e")
        found, numbers = self._columns(
            "e.chunk_id, e.vector_id",
            f"embeddings e WHERE e.model_id = ? AND e.chunk_id = ANY(?){condition} ORDER BY e.chunk_id",
            (self._model_id, wanted.tolist(), *values),
        )
        if len(found):
            cosines = self._cosines(query, numbers)
            at = np.searchsorted(found, wanted).clip(max=len(found) - 1)
            has = found[at] == wanted
            scores[has] = cosines[at[has]]
        return scores

    def postings(self, term: str) -> tuple[Ints, Ints, Ints]:
        """Places of the chunks that hold an index term, how often each holds it, and how many terms it has."""
        return self.postings_of([term])[term]

    def postings_of(self, terms: Iterable[str]) -> dict[str, tuple[Ints, Ints, Ints]]:
        """The postings of several terms, read by one statement."""
        condition, values = self._of_posting()
        wanted = sorted(set(terms))
        found = dict.fromkeys(wanted, (_NONE, _NONE, _NONE))
        rows = self._connection.execute(
            "SELECT p.term, string_agg(p.chunk_id::text, ','), "
            "string_agg((p.count::bigint << 32 | p.length)::text, ',') "
            f"FROM postings p WHERE p.term = ANY(?){condition} GROUP BY p.term",
            (wanted, *values),
        )
        for term, *joined in rows:
            places, both = map(_numbers, joined)
            order = np.argsort(places)
            order = order[self._wanted(places[order])]
            places, both = places[order], both[order]
            found[term] = places, both >> 32, both & 0xFFFFFFFF
        return found

    def phrase(self, terms: Sequence[str]) -> tuple[Ints, Ints]:
        """Places of the chunks that hold these index terms one after another, and how many terms each has."""
        condition, values = self._of_posting()
        counts = self._connection.execute(
            f"SELECT p.term, count(*) FROM postings p WHERE p.term = ANY(?){condition} GROUP BY p.term",
            ([*terms], *values),
        ).fetchall()
        if len(counts) < len(set(terms)):
            return _NONE, _NONE
        rarest, _ = min(counts, key=lambda row: row[1])
        places, lengths = self._columns(
            "p.chunk_id, p.length",
            "postings p JOIN words w ON w.rowid = p.chunk_id WHERE p.term = ? "
            f"AND position(? IN ' ' || w.terms || ' ') > 0{condition} ORDER BY p.chunk_id",
            (rarest, f" {' '.join(terms)} ", *values),
        )
        wanted = self._wanted(places)
        return places[wanted], lengths[wanted]

    def documents(self, places: Iterable[int]) -> dict[int, int]:
        """The document of each readable place, by a number that means nothing outside this reader."""
        wanted, held = [int(place) for place in places], self._document_of
        if lacking := [place for place in wanted if place not in held]:
            condition, values = self._guarded("c")
            rows = self._connection.execute(
                f"SELECT c.id, c.document_id FROM chunks c WHERE c.id = ANY(?){condition}",
                (lacking, *values),
            )
            held |= dict.fromkeys(lacking) | dict(rows.fetchall())
        return {place: document for place in wanted if (document := held[place]) is not None}

    def last_line(self, path: str) -> int:
        """The last line of a document that the caller may read, 0 for one that is not there or not theirs."""
        condition, values = self.guard
        row = self._connection.execute(
            "SELECT coalesce(max(c.last_line), 0) FROM documents d JOIN chunks c ON c.document_id = d.id "
            f"WHERE d.path = ?{condition}",
            (path, *values),
        ).fetchone()
        return int(row[0])

    def _ids(self, places: Iterable[int]) -> dict[int, int]:
        return {place: place for place in self.documents(places)}

    def _may_read(self, chunk_id: int) -> bool:
        return bool(self.documents([chunk_id]))

    def _guarded(self, table: str) -> tuple[str, tuple[Any, ...]]:
        return self._rights.of(f"{table}.list_id", f"{table}.document_id")

    def _of_posting(self) -> tuple[str, tuple[Any, ...]]:
        condition, values = replace(self._rights, documents=None).of("p.list_id", "")
        if self._rights.documents is None or len(self._rights.documents) > _FEW_DOCUMENTS:
            return condition, values  # the many are told from others by `_wanted`
        of = "(SELECT c.id FROM chunks c WHERE c.document_id = ANY(?::bigint[]))"
        return f"{condition} AND p.chunk_id IN {of}", (*values, as_array(self._rights.documents))

    def _wanted(self, places: Ints) -> npt.NDArray[np.bool_]:
        """Which of these readable chunks are of the documents that a filter asks for, where those are many."""
        if self._rights.documents is None or len(self._rights.documents) <= _FEW_DOCUMENTS:
            return np.ones(len(places), np.bool_)
        if self._rights.chunks is None:
            condition, values = self._guarded("c")
            (ids,) = self._columns("c.id", f"chunks c WHERE true{condition}", values)
            self._rights.chunks = np.zeros(max(ids, default=0) + 1, np.bool_)
            self._rights.chunks[ids] = True
        held = self._rights.chunks
        wanted: npt.NDArray[np.bool_] = (places < len(held)) & held[places.clip(max=len(held) - 1)]
        return wanted

    def _columns(self, columns: str, rest: str, values: Sequence[Any]) -> tuple[Ints, ...]:
        """Columns of whole numbers, joined by the server: a quarter of the time that a row each would take."""
        names = columns.split(", ")
        inner = ", ".join(f"{name} AS c{number}" for number, name in enumerate(names))
        outer = ", ".join(f"string_agg(c{number}::text, ',')" for number in range(len(names)))
        (*found,) = self._connection.execute(
            f"SELECT {outer} FROM (SELECT {inner} FROM {rest}) AS rows", values
        ).fetchone()
        return tuple(map(_numbers, found))


def _numbers(joined: str | None) -> Ints:
    return _NONE if joined is None else np.fromstring(joined, np.int64, sep=",")


def as_array(numbers: Iterable[int]) -> str:
    """Whole numbers as the server reads an array."""
    return f"{{{','.join(map(str, numbers))}}}"
