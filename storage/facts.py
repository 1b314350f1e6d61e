"""Facts in the index: written with their document, in the same transaction, and read as one caller may.

Rows are atoms: what they mean together is worked out above, from those that a reader gives. Knows no question, no
relation and no extractor. Try: pytest tests/test_graph_view.py
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from database import Connection
from facts import MODEL, Extraction, Named, Statement, Status
from models import Vector
from storage import counted, phrases
from storage.decided import MergeRow, in_force_of, rulings_of
from storage.naming import Bearing, Naming, changes
from storage.nodes import LONGEST, Node, keys_of, names_in, node_of
from storage.reader import Reader

_ROWS = 500  # values of one statement
_T = TypeVar("_T")


class FactShelf:
    """What one sync writes of facts; all inside its transactions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._facts, self._nodes = set[int](), set[int]()  # that lost a document
        self._naming = Naming(connection)
        self._counts = [0, 0, 0]

    def counted(self) -> tuple[int, int, int]:
        """Statements that came and that went, and things that were named, since this was asked last."""
        came, went, things = self._counts
        self._counts = [0, 0, 0]
        return came, went, things

    def forget(self, document_id: int) -> None:
        """Called before the document goes: what only it supports goes with `sweep`."""
        self._note(document_id)

    def _note(self, document_id: int, of_evidence: str = "true", of_names: str = "true") -> None:
        sql = f"SELECT fact_id FROM evidence WHERE document_id = ? AND {of_evidence}"
        went = [number for (number,) in self._connection.execute(sql, (document_id,))]
        self._facts |= {*went}
        self._counts[1] += len(went)
        sql = f"SELECT node_id FROM names WHERE document_id = ? AND {of_names}"
        self._nodes |= {number for (number,) in self._connection.execute(sql, (document_id,))}

    def forget_read(self, document_id: int) -> None:
        """Takes out what a model read in a document; what nobody else says goes with `sweep`."""
        self._note(document_id, "extractor LIKE 'model/%'", "by_model = 1")
        self._connection.execute(
            "DELETE FROM evidence WHERE document_id = ? AND extractor LIKE 'model/%'", (document_id,)
        )
        self._connection.execute("DELETE FROM names WHERE document_id = ? AND by_model = 1", (document_id,))

    def write(self, documents: Iterable[tuple[int, Extraction]], *, by_model: bool = False) -> None:
        """Stores what these documents say; that, or what a model read in them, is not stored yet."""
        names: list[tuple[int, Node, *tuple[Any, ...]]] = []
        facts: dict[str, tuple[Any, ...]] = {}
        told: list[tuple[int, str, Statement]] = []
        documents = [(number, said) for number, said in documents if said.statements or said.mentions]
        for number, said in documents:
            names += [(number, *row) for row in names_in(said)]
        nodes = self._numbered({row[1] for row in names})
        for number, said in documents:
            for one in said.statements:
                fact = self._fact(one, nodes)
                if fact:
                    facts[fact[0]] = fact
                    told.append((number, fact[0], one))
        self._counts[0] += len(told)
        self._counts[2] += len(nodes)
        ids = self._stored(facts)
        self._connection.executemany(
            "INSERT INTO names (node_id, document_id, kind, name, key, place, first_line, last_line, quote, by_model) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(nodes[node], number, *rest, int(by_model)) for number, node, *rest in names],
        )
        self._naming.look(Bearing(nodes[node], *node, row[0], row[2]) for _, node, *row in names)
        self._connection.executemany(
            "INSERT INTO evidence (fact_id, document_id, first_line, last_line, quote, rank, status, extractor) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    ids[fact], number, one.first_line, one.last_line, one.quote, one.rank,
                    "inferred" if one.rank == MODEL else "observed", one.extractor,
                )
                for number, fact, one in told
            ],
        )  # fmt: skip

    def sweep(self) -> None:
        """Takes out the facts without evidence and the things that nobody names any more."""
        for some in _parts(self._facts):
            self._connection.execute(
                "DELETE FROM facts WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) "
                "AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact_id = facts.id)",
                (json.dumps(some),),
            )
        self._naming.forget(self._nodes)
        for some in _parts(self._nodes):
            self._connection.execute(
                "DELETE FROM nodes WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) "
                "AND NOT EXISTS (SELECT 1 FROM names n WHERE n.node_id = nodes.id)",
                (json.dumps(some),),
            )
        self._facts.clear()
        self._nodes.clear()

    def _numbered(self, wanted: set[Node]) -> dict[Node, int]:
        self._connection.executemany(
            "INSERT INTO nodes (type, key) VALUES (?, ?) ON CONFLICT DO NOTHING", sorted(wanted)
        )
        found: dict[Node, int] = {}
        for some in _parts({made for _, made in wanted}):
            rows = self._connection.execute(
                "SELECT type, key, id FROM nodes WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(some),)
            )
            found |= {(kind, made): number for kind, made, number in rows}
        return found

    def _fact(self, one: Statement, nodes: dict[Node, int]) -> tuple[Any, ...] | None:
        ends = []
        for end in (one.subject, one.object):
            if isinstance(end, Named):
                held = keys_of(end)
                if not held:
                    return None
                ends.append(nodes[node_of(end, held)])
        thing = ends[1] if len(ends) > 1 else None
        value = "" if isinstance(one.object, Named) else one.object[:LONGEST]
        told = (ends[0], one.predicate[:LONGEST], thing, value, one.qualifier[:LONGEST], one.valid_from, one.valid_to)
        return hashlib.blake2b(repr(told).encode("utf-8", "replace"), digest_size=16).hexdigest(), *told

    def _stored(self, facts: dict[str, tuple[Any, ...]]) -> dict[str, int]:
        self._connection.executemany(
            "INSERT INTO facts (key, subject, predicate, object, value, qualifier, valid_from, valid_to) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            facts.values(),
        )
        found: dict[str, int] = {}
        for some in _parts(facts):
            rows = self._connection.execute(
                "SELECT key, id FROM facts WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(some),)
            )
            found |= dict(rows.fetchall())
        return found


def _possible(keys: Iterable[str]) -> Iterator[str]:
    return (made for made in keys if "\0" not in made)  # no document can hold one


def _parts(values: Iterable[object]) -> Iterator[list[object]]:
    listed = sorted(values, key=str)
    for start in range(0, len(listed), _ROWS):
        yield listed[start : start + _ROWS]


@dataclass(frozen=True, slots=True)
class NameRow:
    """How a document that the caller may read names a thing."""

    node: int
    type: str
    kind: str  # "name", "id"
    name: str
    key: str
    place: int
    document: int
    path: str
    first_line: int
    last_line: int
    quote: str


class Called(NamedTuple):
    """One name of a thing, without the places where it stands."""

    node: int
    type: str
    kind: str  # "name", "id"
    name: str
    key: str
    place: int
    documents: int  # that the caller may read and that say so


class FactRow(NamedTuple):
    """What such a document says."""

    evidence: int
    fact: int
    subject: int
    predicate: str
    object: int | None
    value: str
    qualifier: str
    valid_from: str
    valid_to: str
    rank: int
    status: Status
    dated: str  # ISO date that its document states, "" for none
    document: int
    path: str
    first_line: int


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """The words in which it does."""

    id: int
    path: str
    title: str
    first_line: int
    last_line: int
    quote: str
    rank: int
    extractor: str
    dated: str
    version: str  # sha256 of the indexed file


class FactReader:
    """What one caller may read of the facts, as of one moment: rows, in an order that tells nothing else."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.lookups = 0
        """Statements run so far, for who measures."""
        self._memory: dict[Hashable, Any] | None = None
        self._there: dict[str, bool] = self.kept("there", dict)

    def kept(self, what: Hashable, make: Callable[[], _T]) -> _T:
        """What whoever has these rights worked out, as long as neither documents nor decisions change."""
        if self._memory is None:
            self.lookups += 1
            decided, kept = changes(self.connection), self._reader.kept
            if "facts" not in kept or kept["facts"][0] != decided:
                kept["facts"] = decided, {}
            self._memory = kept["facts"][1]
        found: _T = self._memory.setdefault(what, make())
        return found

    def phrases(self, texts: Sequence[str]) -> Vector | None:
        """See storage.phrases.kept: of the model whose vectors are read."""
        return phrases.kept(self.connection, self._reader.model_id, texts)

    @property
    def reader(self) -> Reader:
        """What the same caller may read of the texts."""
        return self._reader

    @property
    def connection(self) -> Connection:
        """For statements on rows that tell nothing by themselves (storage/decided.py)."""
        return self._reader.connection

    def merges_of(self, nodes: Collection[int]) -> list[MergeRow]:
        """What was decided of names of these nodes; counts where both names are the caller's to read."""
        if not self._has("merges WHERE in_force = 1"):
            return []
        self.lookups += 2
        return in_force_of(self.connection, nodes)

    def rulings(self, facts: Collection[int]) -> dict[tuple[int, int], str]:
        """By (kept, closed) the day on which a person decided between two of these facts."""
        if len(facts) < 2 or not self._has("decisions WHERE closed <> ''"):
            return {}
        self.lookups += 1
        return rulings_of(self.connection, facts)

    def _has(self, some: str) -> bool:
        """Whether there is such a row at all: as a rule there is none."""
        if some not in self._there:
            self.lookups += 1
            self._there[some] = bool(self.connection.execute(f"SELECT EXISTS (SELECT 1 FROM {some})").fetchone()[0])
        return self._there[some]

    def called_by_key(self, keys: Iterable[str], but: Collection[int] = ()) -> list[Called]:
        """What things are called that bear one of these keys, beside some nodes."""
        return self._called("n.key", _possible(keys), but)

    def called_of(self, nodes: Iterable[int]) -> list[Called]:
        """What these nodes are called."""
        return self._called("n.node_id", nodes)

    def names_by_key(self, keys: Iterable[str]) -> list[NameRow]:
        """Where things are named that bear one of these keys."""
        return self._names("n.key", _possible(keys))

    def names_of(self, nodes: Iterable[int]) -> list[NameRow]:
        """All names of these nodes."""
        return self._names("n.node_id", nodes)

    def called(self, made: str) -> list[NameRow]:
        """Names in whose normal form this one is, or begins a word."""
        plain = re.sub(r"([\\%_])", r"\\\1", made)
        like = "n.key LIKE ? ESCAPE '\\'"
        words = [f"{plain}%", *(f"%{mark}{plain}%" for mark in " /.:@#" if made)]
        rows = self._guarded(
            "SELECT n.node_id, t.type, n.kind, n.name, n.key, n.place, n.document_id, d.path, n.first_line, "
            "n.last_line, n.quote FROM names n JOIN nodes t ON t.id = n.node_id "
            f"JOIN documents d ON d.id = n.document_id WHERE ({' OR '.join([like] * len(words))})", tuple(words), 6,
        )  # fmt: skip
        return [NameRow(*row) for row in rows]

    def nodes_of(self, kind: str) -> list[int]:
        """The nodes of a type that have a name to be read, ascending."""
        sql = "SELECT DISTINCT n.node_id, n.document_id FROM names n JOIN nodes t ON t.id = n.node_id "
        rows = self._guarded(f"{sql} JOIN documents d ON d.id = n.document_id WHERE t.type = ?", (kind,), 1)
        return sorted({node for node, _ in rows})

    def said_of(self, subjects: Iterable[int], predicates: Iterable[str] = ()) -> list[FactRow]:
        """What is said of these nodes; of all predicates where none is named."""
        return self._facts("f.subject", subjects, predicates)

    def said_about(self, objects: Iterable[int], predicates: Iterable[str] = ()) -> list[FactRow]:
        """What names these nodes as its object."""
        return self._facts("f.object", objects, predicates)

    def facts_of(self, facts: Iterable[int]) -> list[FactRow]:
        """What says these facts."""
        return self._facts("f.id", facts)

    def fact_keys(self, evidence: Iterable[int]) -> dict[int, str]:
        """What tells the fact behind each of these rows from others of this index, by their numbers."""
        found: dict[int, str] = {}
        for some in _parts(set(evidence)):
            rows = self._guarded(
                "SELECT e.id, f.key, e.document_id FROM evidence e JOIN facts f ON f.id = e.fact_id "
                "JOIN documents d ON d.id = e.document_id "
                f"WHERE e.id {self._among('e.id')}", (json.dumps(some),), 2,
            )  # fmt: skip
            found |= {number: made for number, made, _ in rows}
        return found

    def said_by(self, predicate: str, value: str | None = None) -> list[FactRow]:
        """All that is said by a predicate, of a value where one is given."""
        extra = ("", ()) if value is None else (" AND f.value = ?", (value,))
        return self._facts("f.predicate", (predicate,), (), *extra)

    def said_in(self, path: str) -> list[FactRow]:
        """What one document says."""
        return self._facts("d.path", [path])

    def named_in(self, path: str) -> list[NameRow]:
        """What it names."""
        return self._names("d.path", [path])

    def holding(self, predicates: Iterable[str], values: Iterable[str]) -> list[FactRow]:
        """What is said by these predicates with one of these values, to the letter."""
        return self._facts(
            "f.predicate", predicates, (), " AND f.value IN (SELECT value FROM json_each(?))", (json.dumps([*values]),)
        )

    def said_between(self, nodes: Collection[int], predicates: Iterable[str]) -> list[FactRow]:
        """What joins two of these nodes."""
        both = f" AND f.object {self._among('f.object')}"
        return self._facts("f.subject", nodes, predicates, both, (json.dumps(sorted(nodes)),))

    def busiest(self, predicates: Collection[str], most: int) -> dict[int, int]:
        """The nodes in the most facts that join two by one of these predicates, the busiest first: in how many."""
        return self._counted(("busiest", tuple(sorted(predicates)), most), counted.busiest, predicates, most)

    def predicates(self) -> dict[str, int]:
        """Each predicate with the number of rows that say something by it."""
        return self._counted("predicates", counted.predicates)

    def types(self) -> dict[str, int]:
        """Each type with the number of its nodes that have a name to be read; "" for none."""
        return self._counted("types", counted.types)

    def _counted(self, what: Hashable, count: Callable[..., dict[_T, int]], *arguments: Any) -> dict[_T, int]:
        """Worked out once for these rights: all rows are looked at."""
        held = self.kept(what, dict[str, dict[_T, int]])
        if not held:
            self.lookups += 1
            held["all"] = count(self._reader, *arguments)
        return held["all"]

    def evidence(self, ids: Iterable[int]) -> list[EvidenceRow]:
        """The words behind rows of facts, in the order of paths and lines."""
        found = []
        for some in _parts(set(ids)):
            rows = self._guarded(
                "SELECT e.id, d.path, d.title, e.first_line, e.last_line, e.quote, e.rank, e.extractor, d.dated, "
                "d.sha256, e.document_id FROM evidence e JOIN documents d ON d.id = e.document_id "
                f"WHERE e.id {self._among('e.id')}", (json.dumps(some),), 10,
            )  # fmt: skip
            found += [EvidenceRow(*row[:10]) for row in rows]
        return sorted(found, key=lambda one: (one.path, one.first_line, one.quote, one.id))

    def _called(self, column: str, values: Iterable[object], but: Collection[int] = ()) -> list[Called]:
        """Each name once: thousands of documents may have it."""
        reader, made = self._reader, list[Called]()
        condition, more = reader.guard
        guarded = "JOIN documents d ON d.id = n.document_id " if condition else ""
        order = f"{column}, {'n.node_id' if column == 'n.key' else 'n.key'}, n.kind, n.name, n.place"
        left_out = " AND n.node_id NOT IN (SELECT CAST(value AS BIGINT) FROM json_each(?))" if but else ""
        others = (json.dumps(sorted(but)),) if but else ()
        for some in _parts(set(values)):
            self.lookups += 1
            rows = reader.connection.execute(
                "SELECT n.node_id, t.type, n.kind, n.name, n.key, n.place, n.listed FROM (SELECT n.node_id, n.kind, "
                f"n.name, n.key, n.place, {reader.listing.format('n.document_id')} AS listed FROM names n {guarded}"
                f"WHERE {column} {self._among(column)}{left_out}{condition} GROUP BY {order}) AS n "
                "JOIN nodes t ON t.id = n.node_id",
                (json.dumps(some), *others, *more),
            )
            for *row, listed in rows.fetchall():
                if count := reader.how_many(listed):
                    made.append(Called._make((*row, count)))
        return made

    def _names(self, column: str, values: Iterable[object]) -> list[NameRow]:
        found = []
        for some in _parts(set(values)):
            rows = self._guarded(
                "SELECT n.node_id, t.type, n.kind, n.name, n.key, n.place, n.document_id, d.path, n.first_line, "
                "n.last_line, n.quote FROM names n JOIN nodes t ON t.id = n.node_id "
                f"JOIN documents d ON d.id = n.document_id WHERE {column} {self._among(column)}",
                (json.dumps(some),), 6,
            )  # fmt: skip
            found += [NameRow(*row) for row in rows]
        return sorted(found, key=lambda one: (one.path, one.first_line, one.place, one.kind, one.name, one.node))

    def _facts(
        self,
        column: str,
        values: Iterable[object],
        predicates: Iterable[str] = (),
        extra: str = "",
        more: tuple[str, ...] = (),
    ) -> list[FactRow]:
        wanted = [*predicates]
        found = []
        for some in _parts(set(values)):
            among = f" AND f.predicate {self._among('f.predicate')}" if wanted else ""
            rows = self._guarded(
                "SELECT e.id, f.id, f.subject, f.predicate, f.object, f.value, f.qualifier, f.valid_from, f.valid_to, "
                "e.rank, e.status, CASE WHEN d.stated <> 0 THEN d.dated ELSE '' END, e.document_id, d.path, "
                "e.first_line FROM facts f JOIN evidence e ON e.fact_id = f.id "
                f"JOIN documents d ON d.id = e.document_id WHERE {column} {self._among(column)}{among}{extra}",
                (json.dumps(some), *([json.dumps(wanted)] if wanted else ()), *more), 12,
            )  # fmt: skip
            found += [FactRow(*row) for row in rows]
        return sorted(found, key=lambda one: (one.path, one.evidence))

    def _among(self, column: str) -> str:
        """The condition that a column is one of the values of a JSON list."""
        value = "value" if column in ("n.key", "f.predicate", "d.path") else "CAST(value AS BIGINT)"
        return self._reader.among.format(f"SELECT {value} FROM json_each(?)")

    def _guarded(self, sql: str, values: tuple[object, ...], at: int, rest: str = "") -> list[Any]:
        """The rows of documents that the caller may read; `at`: the column with the document's id."""
        self.lookups += 1
        condition, more = self._reader.guard
        rows = self._reader.connection.execute(f"{sql}{condition}{rest}", (*values, *more)).fetchall()
        return self._reader.own(rows, at)
