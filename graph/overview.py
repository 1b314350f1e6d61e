"""What there is to ask for: things by a part of their name, and a map of things with what joins them.

Both are made from what the caller may read alone: which are told, their order and their counts depend on nothing else.
Knows no HTTP. Try: curl "http://127.0.0.1:8000/graph/map?types=Service&types=Team"
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from facts import Status
from facts.normal import id_key, key
from graph.view import Entity, Fact, View
from graph.walk import TALK, stands
from storage.facts import NameRow

MOST_THINGS = 50
"""Of one search by name."""
MOST_NODES = 2_000
"""Of one map."""
MOST_READ = 20_000
"""Statements of a map's relations, up to which all of them are read for it."""
_SPARE = 2  # nodes for each thing of the largest map: several may be one thing
_AT_ONCE = 200  # names that are made things of at once
_APART = frozenset({"Message"})  # types that are on a map where they are asked for


@dataclass(frozen=True, slots=True)
class Node:
    """A thing of a map."""

    thing: Entity
    degree: int  # relations of the map's kinds that it stands in, also to things that found no place
    statuses: tuple[Status, ...]  # of these
    named: tuple[NameRow, ...] = ()  # where it is named, for one without relations


@dataclass(frozen=True, slots=True)
class Map:
    """Things and what joins them."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Fact, ...] = ()
    more: int = 0  # things that found no place


def called(view: View, text: str, kind: str = "", limit: int = MOST_THINGS) -> list[Entity]:
    """Things whose name or id is this text, begins with it or has a word that does, the closest first; "": any."""
    forms = sorted({key(text), id_key(text)} - {""}) if text else [""]
    if not forms:
        return []
    rows = [row for form in forms for row in view.rows.called(form)]
    best: dict[int, tuple[int, str, str]] = {}
    for row in rows:
        found = _closeness(row.key, forms), row.key, row.type
        best[row.node] = min(best.get(row.node, found), found)
    order = sorted(best, key=lambda node: best[node])
    things: dict[str, tuple[tuple[int, str, str], Entity]] = {}
    while order and len(things) < limit:
        last = best[order[min(_AT_ONCE, len(order)) - 1]]
        some = [node for node in order if best[node] <= last]  # none that stands equal is left to its number
        order = order[len(some) :]
        view.of_nodes(some)  # read together
        for node in some:
            for one in view.standing_for([node]):
                if kind in ("", one.type) and (kind or one.type not in _APART):
                    things[one.key] = min(things.get(one.key, (best[node], one)), (best[node], one), key=lambda x: x[0])
    return [one for _, one in sorted(things.values(), key=lambda found: (found[0], found[1].key))][:limit]


def _closeness(made: str, forms: Sequence[str]) -> int:
    return 0 if made in forms else 1 if made.startswith(tuple(forms)) else 2


def map_of(
    view: View,
    types: Collection[str] = (),
    relations: Collection[str] = (),
    around: Entity | None = None,
    limit: int = MOST_NODES,
) -> Map:
    """The things with the most relations and the facts between them; with `around` those nearest to it.

    `types` and `relations` narrow; without them all but messages and what they say. Where there is more than MOST_READ,
    what joins the busiest things is read alone, or what is around one until enough is met; `more` is then a guess.
    """
    wanted = [*relations] or [one for one in view.relations.relations if one not in TALK]
    there = view.rows.predicates()
    is_small = sum(there.get(one, 0) for one in wanted) <= MOST_READ

    def fits(kind: str) -> bool:
        return kind in types if types else kind not in _APART

    def is_on(thing: Entity | None) -> bool:
        return thing is not None and (fits(thing.type) or thing == around)

    degree, statuses, things = Counter[str](), defaultdict[str, set[Status]](set), dict[str, Entity]()
    if is_small:
        facts = [fact for name in sorted(set(wanted)) for fact in view.by(name)]
    elif around:
        facts = _near(view, around, wanted, limit, is_on)
    else:
        things, degree = _busiest(view, wanted, limit, is_on)
        facts = view.between(things.values(), wanted)
    is_counted = bool(things)
    facts = [fact for fact in facts if fact.object and stands(view, fact)]
    facts = [fact for fact in facts if is_on(fact.subject) and is_on(fact.object)]
    for fact in facts:
        for end in {end.key: end for end in (fact.subject, fact.object) if end}.values():
            things[end.key] = end
            degree[end.key] += not is_counted
            statuses[end.key].add(fact.status)
    if around is None and not relations and is_small:
        kinds = [one for one in types or view.types() if fits(one)]
        things |= {one.key: one for kind in kinds for one in view.of_type(kind) if one.key not in things}
    far = _distances(around, facts) if around else {}
    if around:
        things = {made: one for made, one in things.items() if made in far} | {around.key: around}
    order = sorted(things, key=lambda made: (far.get(made, 0), -degree[made], made))
    kept = {made: things[made] for made in order[:limit]}
    nodes = [
        Node(
            one, degree[made], tuple(sorted(statuses[made])), () if degree[made] else tuple(view.naming(one)[:1])
        )
        for made, one in kept.items()
    ]  # fmt: skip
    edges = [fact for fact in facts if fact.subject.key in kept and fact.object and fact.object.key in kept]
    all_of = (
        len(order) if is_small or around else sum(n for kind, n in view.rows.types().items() if kind and fits(kind))
    )
    return Map(tuple(nodes), tuple(edges), max(0, all_of - len(kept)))


def _busiest(
    view: View, wanted: Collection[str], limit: int, is_on: Callable[[Entity], bool]
) -> tuple[dict[str, Entity], Counter[str]]:
    """The things that the most is said of, and in how many facts each stands, whether they still hold or not."""
    counts = view.rows.busiest(wanted, _SPARE * MOST_NODES)
    view.of_nodes(counts)  # read together
    things, degree = dict[str, Entity](), Counter[str]()
    for node, count in counts.items():
        for one in view.standing_for([node]):
            if is_on(one) and (one.key in things or len(things) < limit):
                things[one.key] = one
                degree[one.key] += count
    return things, degree


def _near(
    view: View, around: Entity, wanted: Collection[str], limit: int, is_on: Callable[[Entity], bool]
) -> list[Fact]:  # fmt: skip
    """The facts of a thing, of what these join to it, and so on until enough is met."""
    met, fresh, found = {around.key: around}, [around], dict[tuple[int, ...], Fact]()
    while fresh and len(met) < limit and len(found) < MOST_READ:
        told = [fact for fact in (*view.of(fresh, wanted), *view.about(fresh, wanted)) if stands(view, fact)]
        found |= {fact.evidence: fact for fact in told}
        ends = {end.key: end for fact in told for end in (fact.subject, fact.object) if end and is_on(end)}
        fresh = [end for made, end in ends.items() if made not in met]
        met |= ends
    return [*found.values()]


def _distances(around: Entity, facts: Iterable[Fact]) -> dict[str, int]:
    beside = defaultdict[str, set[str]](set)
    for fact in facts:
        if fact.object:
            beside[fact.subject.key].add(fact.object.key)
            beside[fact.object.key].add(fact.subject.key)
    found, fresh, steps = {around.key: 0}, {around.key}, 0
    while fresh:
        steps += 1
        fresh = {other for one in fresh for other in beside[one]} - found.keys()
        found |= dict.fromkeys(fresh, steps)
    return found
