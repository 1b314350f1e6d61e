"""The map of things as one caller may see them: which there are, what joins them, and where each stands.

Places are those of all that ever held, so that another date moves nothing. Of more things than wanted those with the
most ties are taken. Knows no HTTP. Try: curl "http://127.0.0.1:8000/graph/map?types=Service"
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from errors import UsageError
from facts.timeline import first_day
from graph.layout import placed
from graph.view import Entity, Fact, View
from graph.walk import stands

MOST = 2_000
"""Things of one map."""
MOST_FACTS = 200_000
"""Rows that are looked through for the map of everything."""
MOST_KEPT = 12
_WORST = ("disputed", "stale", "inferred")  # of facts that say the same, the first of these is told


@dataclass(frozen=True, slots=True)
class Node:
    """A thing on the map."""

    key: str
    type: str
    name: str
    degree: int  # ties to others at this date, of all that there are
    flags: tuple[str, ...]  # of these ties: disputed, stale, inferred
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Edge:
    """What joins two things of the map."""

    source: str
    target: str
    predicate: str
    status: str
    valid_from: str
    valid_to: str


@dataclass(frozen=True, slots=True)
class Map:
    """What /graph/map returns. `types` and `relations`: how many of each there are before any is chosen."""

    nodes: list[Node]
    edges: list[Edge]
    types: dict[str, int]
    relations: dict[str, int]
    total: int = field(default=0)  # things that fit, also those for which there was no room


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which things and ties; empty: all."""

    types: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    around: str = ""
    limit: int = 500


def map_of(view: View, wanted: Wanted, as_of: str = "", kept: dict[str, Any] | None = None) -> Map:
    """The map at a date, "" for today. `view` is one of no date; what takes long is kept in `kept` for the next.

    Raises UsageError where there is too much to look through for a map of everything.
    """
    kept = {} if kept is None else kept
    things, facts = _all(view, kept) if not wanted.around else _around(view, wanted.around)
    types = dict(sorted(Counter(one.type for one in things.values()).items()))
    relations = dict(sorted(Counter(fact.predicate for fact in facts).items()))
    fits = {made for made, one in things.items() if not wanted.types or one.type in wanted.types}
    facts = [fact for fact in facts if _ends(fact) <= fits and fact.predicate in (wanted.relations or relations)]
    ties = Counter(end for pair in {frozenset(_ends(fact)) for fact in facts} for end in pair)
    taken = sorted(fits, key=lambda made: (made != wanted.around, -ties[made], made))[: wanted.limit]
    spots = _once(kept, f"spots {view.merged} {sorted(wanted.types)} {sorted(wanted.relations)} {wanted.around} "
                  f"{wanted.limit}", lambda: _spots(taken, facts))  # fmt: skip
    now = _held(view, things, facts, as_of, kept)
    edges = _edges(fact for fact in now if _ends(fact) <= fits)
    inside = [edge for edge in edges if edge.source in spots and edge.target in spots]
    degrees = Counter(end for pair in {frozenset((one.source, one.target)) for one in edges} for end in pair)
    flags: dict[str, set[str]] = {}
    for edge in edges:
        for end in (edge.source, edge.target):
            flags.setdefault(end, set()).update({edge.status} & {*_WORST})
    nodes = [
        Node(one.key, one.type, one.name, degrees[made], tuple(sorted(flags.get(made, ()))), *spots[made])
        for made in taken
        for one in (things[made],)
    ]
    return Map(nodes, inside, types, relations, len(fits))


def _all(view: View, kept: dict[str, Any]) -> tuple[dict[str, Entity], list[Fact]]:
    """Every thing and tie that the caller may read."""
    rows = sum(count for name, count in view.rows.predicates().items() if name in view.relations.relations)
    if rows > MOST_FACTS:
        raise UsageError(f"{rows:,} facts are too many for one map: name a thing to look around.")

    def made() -> tuple[dict[str, Entity], list[Fact]]:
        things = {one.key: one for kind in view.types() for one in view.of_type(kind)}
        known = view.rows.predicates()
        facts = [fact for name in sorted(view.relations.relations) if name in known for fact in view.by(name)]
        return _with_ends(things, facts)

    return _once(kept, f"all {view.merged}", made)


def _around(view: View, key: str) -> tuple[dict[str, Entity], list[Fact]]:
    """The thing, what one step leads to, and what joins these among each other."""
    found = view.things([key])
    if not found:
        return {}, []
    (thing,) = found.values()
    names = [*view.relations.relations]
    first = [*view.of([thing], names), *view.about([thing], names)]
    things, first = _with_ends({thing.key: thing}, first)
    if len(things) > MOST:
        return things, first
    among = [fact for fact in view.of(things.values(), names) if _ends(fact) <= things.keys()]
    return _with_ends(things, [*{fact.evidence: fact for fact in [*first, *among]}.values()])


def _with_ends(things: dict[str, Entity], facts: Iterable[Fact]) -> tuple[dict[str, Entity], list[Fact]]:
    """With those that facts name, and of the facts those between two."""
    facts = [fact for fact in facts if fact.object and fact.subject.key != fact.object.key]
    ends = {end.key: end for fact in facts for end in (fact.subject, fact.object) if end}
    return {**ends, **things}, facts


def _held(view: View, things: dict[str, Entity], facts: list[Fact], as_of: str, kept: dict[str, Any]) -> list[Fact]:
    """Of the facts those that hold at the date."""
    if not as_of:
        return [fact for fact in facts if stands(view, fact)]
    day = first_day(as_of)
    names = frozenset(fact.predicate for fact in facts)

    def made() -> dict[tuple[int, ...], Fact]:
        then = view.at(as_of)
        subjects = {fact.subject.key: fact.subject for fact in facts}
        return {fact.evidence: fact for fact in then.of(subjects.values(), names)}

    subjects = hash(frozenset(fact.subject.key for fact in facts))
    held = _once(kept, f"held {view.merged} {day} {sorted(names)} {subjects}", made)
    return [fact for fact in held.values() if fact.object and fact.object.key in things]


def _spots(taken: list[str], facts: list[Fact]) -> dict[str, tuple[float, float]]:
    number = {made: place for place, made in enumerate(taken)}
    ties = {
        (number[fact.subject.key], number[fact.object.key])
        for fact in facts
        if fact.object and fact.subject.key in number and fact.object.key in number
    }
    return dict(zip(taken, placed(len(taken), sorted(ties)), strict=True))


def _edges(facts: Iterable[Fact]) -> list[Edge]:
    """One for each pair and relation: several facts (of several qualifiers) are told by the one to look at first."""
    found: dict[tuple[str, str, str], Edge] = {}
    for fact in facts:
        if fact.object:
            ends = fact.subject.key, fact.object.key, fact.predicate
            edge = Edge(*ends, fact.status, fact.valid_from, fact.valid_to)
            if ends not in found or _place(edge) < _place(found[ends]):
                found[ends] = edge
    return [found[ends] for ends in sorted(found)]


def _place(edge: Edge) -> int:
    return _WORST.index(edge.status) if edge.status in _WORST else len(_WORST)


def _ends(fact: Fact) -> set[str]:
    return {fact.subject.key, fact.object.key} if fact.object else set()


def _once(kept: dict[str, Any], name: str, make: Callable[[], Any]) -> Any:
    """Made once, as long as few others were asked for since."""
    if name not in kept:
        made = make()
        for old in [*kept][: max(0, len(kept) - MOST_KEPT + 1)]:
            kept.pop(old, None)
        kept[name] = made
    return kept[name]


def known_names(texts: Collection[str]) -> frozenset[str]:
    """Names of one parameter, as `a,b` or several times."""
    return frozenset(name.strip() for text in texts for name in text.split(",") if name.strip())
