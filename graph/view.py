"""The facts as one caller may see them, at one moment and as of one date: things, and what holds of them.

All that is derived (which names are one thing, what a newer fact closes, what is disputed) is made here from the rows
that the caller may read, so it tells nothing of others. Knows no question.
Try: pytest tests/test_graph_view.py
"""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any
from weakref import WeakSet

from facts import MODEL, Status
from facts.days import ended, is_last, told
from facts.normal import id_key, key
from facts.relations import Relation, Relations
from facts.resolution import Alias, Bearer, Verdict, bearer, clusters
from facts.timeline import Atom, Held, consolidate
from graph.figures import keeps_apart
from graph.lists import Lists
from graph.texts import Texts
from search import Index, Searcher
from storage.decided import MergeRow
from storage.facts import Called, EvidenceRow, FactReader, FactRow, NameRow
from storage.reader import Reader

_AT_ONCE = 500
_MOST_REGION = 2_000  # nodes that hang together by names; more are told apart by their own names alone
_MOST_KEPT = 20_000  # nodes, and names, of which it is kept for the rights of one caller what they are: 20 MB
_MOST_OF_ALL = 100_000  # nodes for all rights


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing, with all that it is called in documents the caller may read."""

    type: str  # "" where no document says
    name: str  # the one to show
    names: tuple[str, ...]  # all of them, also the one to show
    ids: tuple[str, ...]
    key: str  # "Service/plan store", "Person/emp 0431": of its first id, else of its name
    nodes: frozenset[int] = field(repr=False, compare=False)


@dataclass(slots=True, unsafe_hash=True)  # as facts.timeline.Held
class Fact:
    """What holds, or held, of a thing."""

    subject: Entity
    predicate: str
    object: Entity | None
    value: str
    qualifier: str
    valid_from: str
    valid_to: str
    observed_at: str
    status: Status
    rank: int
    evidence: tuple[int, ...]  # for View.evidence
    against: tuple["Fact", ...] = field(default=(), compare=False)  # what it is disputed with
    until: str = ""  # its end as the document says it, if it does: the last day, month or year, or `valid_to`

    @property
    def said(self) -> str:
        """Its object as a word."""
        return self.object.name if self.object else self.value

    @property
    def by_model(self) -> bool:
        """Whether nobody but a model that read prose says so."""
        return self.rank == MODEL


@dataclass(frozen=True, slots=True)
class _Known:
    """What a node is."""

    calls: tuple[Called, ...]
    entity: Entity
    typed: tuple[Entity, ...]  # of a bare name: the things that bear it
    bare: frozenset[int]  # the bare names that it bears


_every: WeakSet["_Kept"] = WeakSet()
_lock = threading.Lock()


@dataclass(slots=True, weakref_slot=True, eq=False)
class _Kept:
    """The same for all who have the caller's rights, as long as the index stays as it is."""

    nodes: dict[int, _Known] = field(default_factory=dict)
    bearers: dict[str, frozenset[int]] = field(default_factory=dict)  # by a name that some have

    def __post_init__(self) -> None:
        with _lock:
            _every.add(self)

    def keep(self, held: dict[Any, Any], found: Mapping[Any, Any]) -> None:
        """Adds what stays the same whoever asks next, in whatever order."""
        if len(held) + len(found) > _MOST_KEPT:
            held.clear()
        if len(found) > _MOST_KEPT:
            return
        held.update(found)
        with _lock:
            if sum(len(one.nodes) for one in _every) > _MOST_OF_ALL:
                for one in _every - {self}:
                    one.nodes.clear()
                    one.bearers.clear()


def view_of(
    index: Index, reader: Reader, as_of: str = "", *, merged: bool = True, searcher: Searcher | None = None
) -> "View":
    """What the caller of `reader` may see of an index today, with its folder's own relations and names.

    With a `searcher`, of whose model the reader's vectors are, also what texts say.
    """
    texts = Texts(searcher, reader) if searcher else None
    today = date.today().isoformat()
    return View(FactReader(reader), index.relations, today, as_of, same=index.aliases, merged=merged, texts=texts)


class View:
    """What one caller may see. `as_of`: an ISO date, month or year; "" for now, with what held before.

    `same`: names that the company says are one thing's. Not `merged`: each thing as its documents name it, joined with
    no other; what people decided on facts holds all the same.
    """

    def __init__(
        self,
        rows: FactReader,
        relations: Relations,
        today: str,
        as_of: str = "",
        *,
        same: Collection[Alias] = (),
        merged: bool = True,
        texts: Texts | None = None,
    ) -> None:
        self.texts = texts
        self.rows, self.relations, self.today, self.as_of = rows, relations, today, as_of
        self.same, self.merged = same, merged
        self._also = {made: one.keys for one in same for made in one.keys} if merged else {}
        self._by_key: dict[str, list[Called]] = {}
        self._naming: dict[int, list[NameRow]] = {}
        self._nodes: dict[int, _Known] = {}
        self._kept: _Kept = rows.kept(("things", merged, tuple(same)), _Kept)
        self._lists = Lists(rows)

    def named(self, text: str) -> list[Entity]:
        """The things that bear this name or id, by their keys."""
        return self.bearing([text])[text]

    def bearing(self, texts: Collection[str]) -> dict[str, list[Entity]]:
        """The same for several names, read together."""
        keys = {text: {made for made in (key(text), id_key(text)) if made} for text in texts}
        bearers = self._bearers({made for held in keys.values() for made in held})
        self._load({node for nodes in bearers.values() for node in nodes})
        return {
            text: self.standing_for({node for made in held for node in bearers[made]}) for text, held in keys.items()
        }

    def partly(self, word: str) -> list[Entity]:
        """The people with this word in their names, as "Ann" and "Lee" are in "Ann Lee", by their keys."""
        made = key(word)
        rows = self.rows.called(made) if made else []
        return self.standing_for(
            {row.node for row in rows if row.type == "Person" and row.kind == "name" and made in row.key.split()}
        )

    def at(self, as_of: str) -> "View":
        """The same as of another date, with what was read already; "": now, with what held before."""
        if as_of == self.as_of:
            return self
        other = View(self.rows, self.relations, self.today, as_of, same=self.same, merged=self.merged, texts=self.texts)
        other._by_key, other._naming, other._nodes = self._by_key, self._naming, self._nodes
        return other

    def things(self, keys: Collection[str]) -> dict[str, Entity]:
        """The things of these keys, read together; one that is unknown, or is a name of several things, is left out."""
        found, named = dict[str, Entity](), {told: told.partition("/")[2] for told in keys}
        beside = {told: name.partition(" (")[0] for told, name in named.items() if name.endswith(")")}
        held = self.bearing({name for name in (*named.values(), *beside.values()) if name})
        for wanted, name in named.items():
            typed = [one for one in held.get(name, ()) if one.type == wanted.partition("/")[0]]
            called = [*typed, *held.get(beside.get(wanted, ""), ())]  # of an id that two lists count: "emp 1 (ann lee)"
            typed = [one for one in called if one.key == wanted][:1] or typed
            if len(typed) == 1:
                found[wanted] = typed[0]
        return {told: found[told] for told in keys if told in found}

    def naming(self, thing: Entity) -> list[NameRow]:
        """Where documents name it, by path and line."""
        lacking = {node for node in thing.nodes if node not in self._naming}
        if lacking:
            lacking |= self._asked_next(thing)
            self._naming |= {node: [] for node in lacking}
            for row in self.rows.names_of(lacking):
                self._naming[row.node].append(row)
        rows = {row for node in thing.nodes for row in self._naming[node]}
        return sorted(rows, key=lambda row: (row.path, row.first_line, row.kind, row.name))

    def _asked_next(self, thing: Entity) -> set[int]:
        """Nodes of other things of its type, of which a list asks the same: read together, as long as they are few."""
        found, rows = set[int](), 0
        for node, known in self._nodes.items():
            if known.entity.type != thing.type or node in self._naming:
                continue
            if len(found) < _AT_ONCE and rows < 4 * _AT_ONCE:
                rows += (many := sum(row.documents for row in known.calls))
                found |= {node} if many <= _AT_ONCE else set()
        return found

    def of_type(self, kind: str) -> list[Entity]:
        """All things of a type, by name."""
        return self.standing_for(self.rows.nodes_of(kind))

    def of_nodes(self, nodes: Collection[int]) -> dict[int, Entity]:
        """What each of these nodes is, of those that the caller may read."""
        self._load(nodes)
        return {node: self._nodes[node].entity for node in nodes if node in self._nodes}

    def standing_for(self, nodes: Iterable[int]) -> list[Entity]:
        """The things that these nodes are, a bare name in its bearer's place, by their keys."""
        nodes = [*nodes]
        self._load(nodes)
        known = [self._nodes[node] for node in nodes if node in self._nodes]
        found = {one.entity.key: one.entity for one in known}
        for one in known:  # a bare name is what bears it, where that is known
            if one.typed:
                found.pop(one.entity.key, None)
                found |= {thing.key: thing for thing in one.typed}
        return [found[made] for made in sorted(found)]

    def types(self) -> list[str]:
        """Types of which there is anything, by name."""
        return [kind for kind in self.rows.types() if kind]

    def predicates(self) -> list[str]:
        """Relations and attributes by which anything is said, by name."""
        return [*self.rows.predicates()]

    def of(self, things: Iterable[Entity], predicates: Collection[str] = ()) -> list[Fact]:
        """What is said of these things as subject."""
        held = {one.key: one for one in things}
        rows = self.rows.said_of(self._nodes_for(held.values()), predicates)
        rows += self._siblings(rows, "subject")
        return self._facts(rows, lambda fact: fact.subject.key in held)

    def about(self, things: Iterable[Entity], predicates: Collection[str] = ()) -> list[Fact]:
        """What is said with these things as object."""
        held = {one.key: one for one in things}
        rows = self.rows.said_about(self._nodes_for(held.values()), predicates)
        rows += self._siblings(rows, "object")
        return self._facts(rows, lambda fact: fact.object is not None and fact.object.key in held)

    def between(self, things: Iterable[Entity], predicates: Collection[str]) -> list[Fact]:
        """What joins two of these things."""
        held = {one.key: one for one in things}
        rows = self.rows.said_between(self._nodes_for(held.values()), predicates)
        rows += [*self._siblings(rows, "subject"), *self._siblings(rows, "object")]
        return self._facts(
            rows, lambda fact: fact.subject.key in held and fact.object is not None and fact.object.key in held
        )

    def by(self, predicate: str, value: str | None = None) -> list[Fact]:
        """All that is said by a predicate; with a `value`, of those the ones that hold with it."""
        rows = self.rows.said_by(predicate)
        if value is None:
            return self._facts(rows, lambda fact: True)
        wanted = key(value)
        things = self.standing_for({row.subject for row in rows if key(row.value) == wanted})
        nodes = self._nodes_for(things)  # with other values of theirs, which may dispute or end it
        return self._facts([row for row in rows if row.subject in nodes], lambda fact: key(fact.value) == wanted)

    def stating(self, facts: Collection[int]) -> dict[int, Fact]:
        """What holds of these stated facts, by their numbers in the index."""
        rows = self.rows.facts_of(facts)
        found = {row.evidence: row.fact for row in rows}
        rows += [*self._siblings(rows, "subject"), *self._siblings(rows, "object")]
        held = self._facts(rows, lambda fact: not found.keys().isdisjoint(fact.evidence))
        return {found[one]: fact for fact in held for one in fact.evidence if one in found}

    def evidence(self, fact: Fact) -> list[EvidenceRow]:
        """The words behind a fact: of the highest rank first, then by path and line."""
        return sorted(self.rows.evidence(fact.evidence), key=lambda one: -one.rank)

    def words(self, facts: Iterable[Fact]) -> dict[int, EvidenceRow]:
        """The words behind several facts, read together, by the numbers in `Fact.evidence`."""
        return {row.id: row for row in self.rows.evidence({one for fact in facts for one in fact.evidence})}

    def _siblings(self, rows: Sequence[FactRow], side: str) -> list[FactRow]:
        """What else is said of the other ends of relations that have but one such end there: it may close these."""
        other = "object" if side == "subject" else "subject"
        found: list[FactRow] = []
        for predicate in sorted({row.predicate for row in rows}):
            relation = self.relations.relations.get(predicate)
            if relation and relation.one == side:
                ends = {getattr(row, other) for row in rows if row.predicate == predicate} - {None}
                read = self.rows.said_about if other == "object" else self.rows.said_of
                found += read(self._nodes_for(self.standing_for(ends)) | ends, [predicate])
        held = {row.evidence for row in rows}
        return [row for row in found if row.evidence not in held]

    def _facts(self, rows: Sequence[FactRow], wanted: Callable[[Fact], bool]) -> list[Fact]:
        self._load({end for row in rows for end in (row.subject, row.object) if end is not None})
        atoms, things = [], dict[str, Entity]()
        for row in {row.evidence: row for row in rows}.values():
            relation = self.relations.relations.get(row.predicate)
            if relation and row.rank == MODEL and not self._fits(row, relation):
                continue
            subject = self._end(row.subject, relation.subjects if relation else frozenset())
            thing = None if row.object is None else self._end(row.object, relation.objects if relation else frozenset())
            things[subject.key] = subject
            if thing:
                things[thing.key] = thing
            atoms.append(
                Atom(
                    row.fact, subject.key, row.predicate, thing.key if thing else None, row.value, row.qualifier,
                    row.valid_from, ended(row.valid_to), row.dated, row.rank, row.status, row.evidence,
                    thing.type if thing else "", subject.type, (row.document, row.first_line),
                )
            )  # fmt: skip
        decided = self.rows.rulings({atom.fact for atom in atoms})
        helds = consolidate(atoms, self.relations, self.today, self.as_of, decided, keeps_apart(self.rows))
        ends = {row.evidence: row.valid_to for row in rows if is_last(row.valid_to)}
        made = [self._fact(held, things, ends) for held in helds]
        return sorted(filter(wanted, made), key=_order)

    def _fact(self, held: Held, things: dict[str, Entity], ends: dict[int, str], deep: bool = True) -> Fact:
        against = tuple(self._fact(other, things, ends, False) for other in held.against) if deep else ()
        last = (ends[one] for one in held.evidence if one in ends)
        return Fact(
            things[str(held.subject)], held.predicate, things[str(held.object)] if held.object is not None else None,
            held.value, held.qualifier, held.valid_from, held.valid_to, held.observed_at, held.status, held.rank,
            held.evidence, against, next((told(one) for one in last if ended(one) == held.valid_to), held.valid_to),
        )  # fmt: skip

    def _end(self, node: int, allowed: frozenset[str]) -> Entity:
        """The thing that a node stands for, as an end at which these types may stand (none: any)."""
        known = self._nodes[node]
        fits = [one for one in known.typed if not allowed or one.type in allowed]
        return fits[0] if len(fits) == 1 else known.entity

    def _fits(self, row: FactRow, relation: Relation) -> bool:
        """Whether the ends of what a model read may be what documents say that they are."""
        for node, allowed in ((row.subject, relation.subjects), (row.object, relation.objects)):
            known = None if node is None else self._nodes[node]
            types = {one.type for one in (known.entity, *known.typed)} - {""} if known else set()
            if types and types.isdisjoint(allowed):
                return False
        return True

    def _nodes_for(self, things: Iterable[Entity]) -> set[int]:
        """Their nodes, and the bare names that may stand for them."""
        found = {node for one in things for node in one.nodes}
        self._load(found)
        return found.union(*(self._nodes[node].bare for node in found))

    def _bearers(self, keys: Collection[str]) -> dict[str, frozenset[int]]:
        """The nodes that bear each of these names."""
        kept = self._kept.bearers
        found = {made: nodes for made in keys if (nodes := kept.get(made))}
        lacking = keys - found.keys()
        self._look_up(lacking)
        made = {one: frozenset(row.node for row in self._by_key[one]) for one in lacking}
        self._kept.keep(kept, {one: nodes for one, nodes in made.items() if nodes})
        return found | made

    def _look_up(self, keys: Iterable[str], named: Mapping[int, Sequence[Called]] = MappingProxyType({})) -> set[int]:
        """Reads who bears these names, beside the nodes whose names were read; returns all the nodes."""
        lacking = {made for made in keys if made not in self._by_key}
        if lacking:
            self._by_key |= {made: [] for made in lacking}
            held = [row for rows in named.values() for row in rows if row.key in lacking]
            for row in (*held, *self.rows.called_by_key(lacking, named)):
                self._by_key[row.key].append(row)
        return {row.node for made in keys for row in self._by_key[made]}

    def _load(self, nodes: Iterable[int]) -> None:
        """Makes the things that these nodes and all that shares names with them are."""
        lacking = {node for node in nodes if node not in self._nodes}
        for node in [*lacking]:
            if known := self._kept.nodes.get(node):
                self._nodes[node] = known
                lacking.discard(node)
        listed = sorted(lacking)
        for start in range(0, len(listed), _AT_ONCE):  # else the beginning alone would be as large as a region may be
            self._load_region({node for node in listed[start : start + _AT_ONCE] if node not in self._nodes})

    def _load_region(self, lacking: set[int]) -> None:
        region, fresh, most = set(lacking), lacking, len(lacking) + _MOST_REGION
        named, said = dict[int, list[Called]](), list[MergeRow]()
        while fresh and len(region) < most:
            read: dict[int, list[Called]] = {node: [] for node in fresh}
            for row in self.rows.called_of(fresh):
                read[row.node].append(row)
            named |= {node: rows for node, rows in read.items() if rows}
            keys = {row.key for rows in read.values() for row in rows}
            also = {other for made in keys for other in self._also.get(made, ())}
            beside = self._look_up(keys | also, read)
            if self.merged:
                said += (found := self.rows.merges_of(fresh))
                beside |= {node for one in found for node in one.nodes}
            fresh = {node for node in beside if node not in region and node not in self._nodes}
            region |= fresh
        made = self._made(named, said)
        self._nodes |= made
        if not fresh:  # else it depends on where the walk began
            self._kept.keep(self._kept.nodes, made)

    def _made(self, named: Mapping[int, Sequence[Called]], said: Iterable[MergeRow]) -> dict[int, _Known]:
        """What these nodes are, by what they are called."""
        bearers = [
            bearer(node, rows[0].type, ((row.kind, row.name, row.key) for row in rows))
            for node, rows in sorted(named.items())
        ]
        if self.merged:
            groups, _ = clusters(bearers, self.same, self._verdicts(said, named), self._lists.strangers(bearers))
        else:
            groups = [frozenset({one.node}) for one in bearers]
        shared = _shared(groups, bearers)
        things = dict[int, Entity]()
        for group in groups:
            entity = _entity(group, [row for node in sorted(group) for row in named[node]], shared)
            things |= dict.fromkeys(group, entity)
        made = {}
        for node, rows in named.items():
            beside = [row for key in {row.key for row in rows} for row in self._by_key[key]]
            bare = frozenset(row.node for row in beside if not row.type)
            typed = {} if rows[0].type else {one.key: one for one in self._typed(beside, things)}
            made[node] = _Known(tuple(rows), things[node], tuple(typed[key] for key in sorted(typed)), bare)
        return made

    def _typed(self, rows: Iterable[Called], things: Mapping[int, Entity]) -> Iterator[Entity]:
        for node in {row.node for row in rows if row.type}:
            if node in things:
                yield things[node]
            elif node in self._nodes:
                yield self._nodes[node].entity

    def _verdicts(self, rows: Iterable[MergeRow], named: Mapping[int, Sequence[Called]]) -> Iterator[Verdict]:
        """What was decided of names that the caller may read on both sides, in the documents that a model saw."""
        rows = [*dict.fromkeys(rows)]
        seen = {node for one in rows if any(one.paths) for node in one.nodes}
        stand = {(row.node, row.key, row.path) for row in (self.rows.names_of(seen) if seen else ())}
        stand |= {(node, row.key, "") for one in rows for node in one.nodes for row in named.get(node, ())}
        for one in rows:
            if stand.issuperset(zip(one.nodes, one.names, one.paths, strict=True)):
                yield Verdict(one.nodes, one.outcome == "merged", not one.is_by_model)


def _shared(groups: Iterable[frozenset[int]], bearers: Iterable[Bearer]) -> set[str]:
    """The ids, in normal form, that tell none of several things from the others."""
    counted = {one.node: {key for _, key in one.counted} for one in bearers if one.counted}
    if not counted:
        return set()
    told = Counter(key for group in groups for key in {key for node in group for key in counted.get(node, ())})
    return {key for key, number in told.items() if number > 1}


def _entity(group: frozenset[int], rows: Sequence[Called], shared: Collection[str] = ()) -> Entity:
    if len(rows) == 1 and rows[0].kind == "name":  # as most are
        (row,) = rows
        return Entity(row.type, row.name, (row.name,), (), f"{row.type}/{row.key}", group)
    own = {row.node for row in rows if row.kind == "id"}  # its own record rather than what others call it
    calls = [row for row in rows if row.kind == "name"]
    names, first = Counter[str](), Counter[str]()
    shown_by = [row for row in calls if row.node in own] or calls
    best = min((row.place for row in shown_by), default=0)
    for row in calls:
        names[row.name] += row.documents
    for row in shown_by:
        first[row.key] += row.documents if row.place == best else 0
    keys = {row.name: row.key for row in calls}
    by_id = {row.name: row.key for row in rows if row.kind == "id"}
    ids = sorted(by_id)
    order = sorted(names, key=lambda name: (-first[keys[name]], keys[name], -names[name], name))
    shown = (order or ids)[0]
    kind = rows[0].type
    record = sorted({row.name for row in rows if row.kind == "id" and not row.place})  # no other thing's are these
    told = f"{kind}/{by_id[record[0]] if record else keys[shown] if order else by_id[shown]}"
    if record and order and by_id[record[0]] in shared:
        told += f" ({keys[shown]})"
    return Entity(kind, shown, tuple(order), tuple(ids), told, group)


def _order(fact: Fact) -> tuple[object, ...]:
    return (
        fact.subject.name, fact.predicate, fact.said, fact.qualifier, fact.valid_from, fact.valid_to,
        fact.subject.key, fact.object.key if fact.object else "",
    )  # fmt: skip
