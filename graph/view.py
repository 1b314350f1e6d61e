"""The facts as one caller may see them, at one moment and as of one date: things, and what holds of them.

All that is derived (which names are one thing, what a newer fact closes, what is disputed) is made here from the rows
that the caller may read, so it tells nothing of others. Knows no question.
Try: pytest tests/test_graph_view.py
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from facts import Status
from facts.days import ended, is_last, told
from facts.normal import id_key, key
from facts.relations import Relations
from facts.resolution import Alias, Bearer, Verdict, bearer, clusters
from facts.timeline import Atom, Held, consolidate
from graph.lists import Lists
from search import Index
from storage.decided import MergeRow
from storage.facts import EvidenceRow, FactReader, FactRow, NameRow
from storage.reader import Reader

_MOST_REGION = 2_000  # nodes that hang together by names; more are told apart by their own names alone


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing, with all that it is called in documents the caller may read."""

    type: str  # "" where no document says
    name: str  # the one to show
    names: tuple[str, ...]  # all of them, also the one to show
    ids: tuple[str, ...]
    key: str  # "Service/plan store", "Person/emp 0431": of its first id, else of its name
    nodes: frozenset[int] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
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


def view_of(index: Index, reader: Reader, as_of: str = "", *, merged: bool = True) -> "View":
    """What the caller of `reader` may see of an index today, with its folder's own relations and names."""
    today = date.today().isoformat()
    return View(FactReader(reader), index.relations, today, as_of, same=index.aliases, merged=merged)


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
    ) -> None:
        self.rows, self.relations, self.today, self.as_of = rows, relations, today, as_of
        self.same, self.merged = same, merged
        self._also = {made: one.keys for one in same for made in one.keys} if merged else {}
        self._named: dict[int, list[NameRow]] = {}
        self._by_key: dict[str, list[NameRow]] = {}
        self._entities: dict[int, Entity] = {}
        self._untyped: dict[int, list[Entity]] = {}
        self._lists = Lists(rows)

    def named(self, text: str) -> list[Entity]:
        """The things that bear this name or id, by their keys."""
        return self.bearing([text])[text]

    def bearing(self, texts: Collection[str]) -> dict[str, list[Entity]]:
        """The same for several names, read together."""
        keys = {text: {made for made in (key(text), id_key(text)) if made} for text in texts}
        self._look_up({made for held in keys.values() for made in held})
        found = {}
        for text, held in keys.items():
            nodes = {row.node for made in held for row in self._by_key.get(made, ())}
            found[text] = self.standing_for(nodes)
        return found

    def at(self, as_of: str) -> "View":
        """The same as of another date, with what was read already; "": now, with what held before."""
        if as_of == self.as_of:
            return self
        other = View(self.rows, self.relations, self.today, as_of, same=self.same, merged=self.merged)
        other._named, other._by_key = self._named, self._by_key
        other._entities, other._untyped = self._entities, self._untyped
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
        """Where documents name it, by path and line, as far as it was read with the thing."""
        rows = {row for node in thing.nodes for row in self._named.get(node, ())}
        return sorted(rows, key=lambda row: (row.path, row.first_line, row.kind, row.name))

    def of_type(self, kind: str) -> list[Entity]:
        """All things of a type, by name."""
        return self.standing_for(self.rows.nodes_of(kind))

    def of_nodes(self, nodes: Collection[int]) -> dict[int, Entity]:
        """What each of these nodes is, of those that the caller may read."""
        self._load(nodes)
        return {node: self._entities[node] for node in nodes if node in self._entities}

    def standing_for(self, nodes: Iterable[int]) -> list[Entity]:
        """The things that these nodes are, a bare name in its bearer's place, by their keys."""
        nodes = [*nodes]
        self._load(nodes)
        found = {self._entities[node].key: self._entities[node] for node in nodes if node in self._entities}
        for node in nodes:  # a bare name is what bears it, where that is known
            if self._untyped.get(node):
                found.pop(self._entities[node].key, None)
                found |= {one.key: one for one in self._untyped[node]}
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
        for row in dict.fromkeys(rows):
            relation = self.relations.relations.get(row.predicate)
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
        helds = consolidate(atoms, self.relations, self.today, self.as_of, decided)
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
        found = self._entities[node]
        if found.type:
            return found
        fits = [one for one in self._untyped[node] if not allowed or one.type in allowed]
        return fits[0] if len(fits) == 1 else found

    def _nodes_for(self, things: Iterable[Entity]) -> set[int]:
        """Their nodes, and the bare names that may stand for them."""
        found = {node for one in things for node in one.nodes}
        self._load(found)
        keys = {row.key for node in found for row in self._named[node]}
        found |= {row.node for made in keys for row in self._by_key[made] if not row.type}
        return found

    def _look_up(self, keys: Iterable[str], known: Collection[int] = ()) -> set[int]:
        """Reads who bears these names, beside the `known` nodes whose names were read; returns all the nodes."""
        lacking = {made for made in keys if made not in self._by_key}
        if lacking:
            self._by_key |= {made: [] for made in lacking}
            held = [row for node in known for row in self._named[node] if row.key in lacking]
            for row in (*held, *self.rows.names_by_key(lacking, known)):
                self._by_key[row.key].append(row)
        return {row.node for made in keys for row in self._by_key[made]}

    def _load(self, nodes: Iterable[int]) -> None:
        """Makes the things that these nodes and all that shares names with them are."""
        region = {node for node in nodes if node not in self._entities}
        if not region:
            return
        fresh, most, said = set(region), len(region) + _MOST_REGION, list[MergeRow]()
        while fresh and len(region) < most:
            lacking = {node for node in fresh if node not in self._named}
            self._named |= {node: [] for node in lacking}
            for row in self.rows.names_of(lacking):
                self._named[row.node].append(row)
            keys = {row.key for node in fresh for row in self._named[node]}
            also = {other for made in keys for other in self._also.get(made, ())}
            beside = self._look_up(keys | also, fresh)
            if self.merged:
                said += (found := self.rows.merges_of(fresh))
                beside |= {node for one in found for node in one.nodes}
            fresh = {node for node in beside if node not in region and node not in self._entities}
            region |= fresh
        bearers = [
            bearer(node, rows[0].type, ((row.kind, row.name, row.key) for row in rows))
            for node in sorted(region)
            if (rows := self._named.get(node))
        ]
        if self.merged:
            groups, _ = clusters(bearers, self.same, self._verdicts(said), self._lists.strangers(bearers))
        else:
            groups = [frozenset({one.node}) for one in bearers]
        shared = _shared(groups, bearers)
        for group in groups:
            entity = _entity(group, [row for node in sorted(group) for row in self._named[node]], shared)
            self._entities |= dict.fromkeys(group, entity)
        for one in bearers:
            if not one.type:
                self._untyped[one.node] = self._bearing_typed(one.names | {made for _, made in one.ids})

    def _verdicts(self, rows: Iterable[MergeRow]) -> Iterator[Verdict]:
        """What was decided of names that the caller may read on both sides, in the documents that a model saw."""
        for one in dict.fromkeys(rows):
            sides = zip(one.nodes, one.names, one.paths, strict=True)
            if all(
                any(row.key == name and path in ("", row.path) for row in self._named.get(node, ()))
                for node, name, path in sides
            ):
                yield Verdict(one.nodes, one.outcome == "merged", not one.is_by_model)

    def _bearing_typed(self, keys: Iterable[str]) -> list[Entity]:
        nodes = {row.node for made in keys for row in self._by_key.get(made, ()) if row.type}
        found = {self._entities[node].key: self._entities[node] for node in nodes if node in self._entities}
        return [found[made] for made in sorted(found)]


def _shared(groups: Iterable[frozenset[int]], bearers: Iterable[Bearer]) -> set[str]:
    """The ids, in normal form, that tell none of several things from the others."""
    counted = {one.node: {key for _, key in one.counted} for one in bearers if one.counted}
    if not counted:
        return set()
    told = Counter(key for group in groups for key in {key for node in group for key in counted.get(node, ())})
    return {key for key, number in told.items() if number > 1}


def _entity(group: frozenset[int], rows: Sequence[NameRow], shared: Collection[str] = ()) -> Entity:
    own = {row.node for row in rows if row.kind == "id"}  # its own record rather than what others call it
    calls = [row for row in rows if row.kind == "name"]
    names = Counter(row.name for row in calls)
    shown_by = [row for row in calls if row.node in own] or calls
    best = min((row.place for row in shown_by), default=0)
    first = Counter(row.key for row in shown_by if row.place == best)
    keys = {row.name: row.key for row in rows}
    ids = sorted({row.name for row in rows if row.kind == "id"})
    order = sorted(names, key=lambda name: (-first[keys[name]], keys[name], -names[name], name))
    shown = (order or ids)[0]
    kind = rows[0].type
    record = sorted({row.name for row in rows if row.kind == "id" and not row.place})  # no other thing's are these
    told = f"{kind}/{keys[record[0]] if record else keys[shown]}"
    if record and order and keys[record[0]] in shared:
        told += f" ({keys[shown]})"
    return Entity(kind, shown, tuple(order), tuple(ids), told, group)


def _order(fact: Fact) -> tuple[object, ...]:
    return (
        fact.subject.name, fact.predicate, fact.said, fact.qualifier, fact.valid_from, fact.valid_to,
        fact.subject.key, fact.object.key if fact.object else "",
    )  # fmt: skip
