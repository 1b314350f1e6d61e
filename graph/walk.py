"""Steps over facts: from things by a relation to others, many at once, with the facts that lead there.

What a walk costs is statements a step, not a thing: `View.of` and `View.about` take all of a step together. Without a
date a walk goes by what holds today. Knows no question. Try: pytest tests/test_graph_tools.py
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from facts.normal import key
from facts.timeline import first_day
from graph.view import Entity, Fact, View

Direction = Literal["out", "in"]
"""out: from the subject to its object; in: the other way."""
Step = tuple[str, Direction]
TALK = ("mentions", "uses", "contradicts")
"""What messages say of things: it is no way from one thing to another."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The end of a walk, a thing or a value, and the facts that lead there in their order."""

    thing: Entity | None
    value: str
    facts: tuple[Fact, ...]

    @property
    def name(self) -> str:
        """For people."""
        return self.thing.name if self.thing else self.value

    @property
    def key(self) -> str:
        """Tells ends apart."""
        return self.thing.key if self.thing else f"={key(self.value)}"


def stands(view: View, fact: Fact) -> bool:
    """Whether it holds on the view's date, or today. What was done, as a decision's approval, stays so."""
    if view.as_of:
        return True  # the view gives no other
    relation = view.relations.relations.get(fact.predicate)
    is_deed = relation is not None and not relation.fresh_days
    ended = fact.valid_to and first_day(fact.valid_to) <= view.today
    return first_day(fact.valid_from) <= view.today and (is_deed or not ended)


def hop(view: View, things: Iterable[Entity], predicates: Collection[str], direction: Direction) -> list[Fact]:
    """The facts by which one step leads on from these things."""
    facts = view.of(things, predicates) if direction == "out" else view.about(things, predicates)
    return [fact for fact in facts if stands(view, fact)]


def hop_or_last(view: View, things: Iterable[Entity], predicate: str, direction: Direction) -> list[Fact]:
    """The same for one relation; what has its place empty today is followed to what stood there last.

    Only where there is one place: whoever left the company had a manager, and the fact tells until when.
    """
    relation = view.relations.relations.get(predicate)
    place = "object" if direction == "out" else "subject"
    if view.as_of or relation is None or relation.one != place:
        return hop(view, things, [predicate], direction)
    facts = view.of(things, [predicate]) if direction == "out" else view.about(things, [predicate])
    found = [fact for fact in facts if stands(view, fact)]
    held = {near(fact, direction).key for fact in found}
    last: dict[str, str] = {}
    for fact in facts:
        if fact.valid_to and fact.valid_to <= view.today:
            one = near(fact, direction).key
            last[one] = max(last.get(one, ""), fact.valid_to)
    return found + [
        fact
        for fact in facts
        if fact.valid_to and (one := near(fact, direction).key) not in held and last.get(one) == fact.valid_to
    ]


def near(fact: Fact, direction: Direction) -> Entity:
    """The end from which a step in this direction comes."""
    end = fact.subject if direction == "out" else fact.object
    if end is None:
        raise ValueError("a value is the end of a walk")
    return end


def far(fact: Fact, direction: Direction) -> Reached:
    """The end to which it leads, by this one fact."""
    if direction == "in":
        return Reached(fact.subject, "", (fact,))
    return Reached(fact.object, fact.value, (fact,))


def walk(view: View, start: Iterable[Entity], steps: Sequence[Step], qualifier: str = "") -> list[Reached]:
    """Where these steps lead, each end once, by its best facts; the start itself where there are no steps.

    With a `qualifier` one fact of each way has it.
    """
    ways = {(one.key, not qualifier): Reached(one, "", ()) for one in start}
    for predicate, direction in steps:
        found: dict[tuple[str, bool], Reached] = {}
        best: dict[tuple[str, bool], tuple[object, ...]] = {}  # of those that more than one way leads to
        for fact in hop_or_last(view, [way.thing for way in ways.values() if way.thing], predicate, direction):
            for met in (True, False):
                way = ways.get((near(fact, direction).key, met))
                if way:
                    end = far(fact, direction)
                    made = Reached(end.thing, end.value, (*way.facts, fact))
                    at = end.key, met or covers(fact.qualifier, qualifier)
                    if at not in found:
                        found[at] = made
                        continue
                    before, told = best.get(at) or rating(found[at].facts), rating(made.facts)
                    best[at] = min(before, told)
                    if told < before:
                        found[at] = made
        ways = found
    return sorted((way for (_, met), way in ways.items() if met), key=lambda way: (way.name, way.key))


def spread(view: View, start: Iterable[Entity], step: Step, most: int = 5_000) -> dict[str, Reached]:
    """All that the step leads to, however often it is taken; by key, with the start at distance 0. Cycles end it.

    Stops after the round in which it has met `most` things.
    """
    found = {one.key: Reached(one, "", ()) for one in start}
    fresh = dict(found)
    while fresh and len(found) < most:
        made: dict[str, Reached] = {}
        for fact in hop(view, [way.thing for way in fresh.values() if way.thing], [step[0]], step[1]):
            end = far(fact, step[1])
            if end.thing and end.key not in found:
                way = Reached(end.thing, "", (*fresh[near(fact, step[1]).key].facts, fact))
                if end.key not in made or rating(way.facts) < rating(made[end.key].facts):
                    made[end.key] = way
        found |= made
        fresh = made
    return found


def between(view: View, one: Entity, other: Entity, most: int = 2_000) -> tuple[Fact, ...] | None:
    """The facts of a shortest way between two things, in whichever direction they are stated; () for one thing.

    None where there is no way, or none was found before `most` things were met. Talk and attributes are no steps.
    """
    if one.key == other.key:
        return ()
    predicates = [name for name in view.relations.relations if name not in TALK]
    sides = [_Side(one), _Side(other)]
    while all(side.fresh for side in sides) and sum(len(side.ways) for side in sides) < most:
        sides.sort(key=lambda side: (len(side.fresh), side.start.key))
        sides[0].widen(view, predicates)
        met = [side.key for side in sides[0].fresh if side.key in sides[1].ways]
        if met:
            first, second = (sides[0], sides[1]) if sides[0].start == one else (sides[1], sides[0])
            ways = [(*first.ways[made], *reversed(second.ways[made])) for made in met]
            return min(ways, key=rating)
    return None


class _Side:
    """What was met from one end, each thing with its facts from there."""

    def __init__(self, start: Entity) -> None:
        self.start, self.fresh = start, [start]
        self.ways: dict[str, tuple[Fact, ...]] = {start.key: ()}

    def widen(self, view: View, predicates: Collection[str]) -> None:
        made: dict[str, tuple[tuple[Fact, ...], Entity]] = {}
        directions: tuple[Direction, ...] = ("out", "in")
        for direction in directions:
            for fact in hop(view, self.fresh, predicates, direction):
                end = far(fact, direction).thing
                if end and end.key not in self.ways:
                    way = (*self.ways[near(fact, direction).key], fact)
                    if end.key not in made or rating(way) < rating(made[end.key][0]):
                        made[end.key] = way, end
        self.ways |= {key: way for key, (way, _) in made.items()}
        self.fresh = [end for _, end in made.values()]


def rating(facts: Sequence[Fact]) -> tuple[object, ...]:
    """The less, the better shown: short, undisputed, not narrowed, confirmed, of high rank; then by names."""
    return (
        len(facts),
        sum(fact.status == "disputed" for fact in facts),
        sum(bool(fact.qualifier) for fact in facts),  # "owns (code)" says less than "owns"
        sum(fact.status in ("stale", "inferred") for fact in facts),
        -min((fact.rank for fact in facts), default=0),
        [(fact.subject.key, fact.predicate, fact.said, fact.qualifier, fact.valid_from) for fact in facts],
    )


def covers(qualifier: str, wanted: str) -> bool:
    """Whether a fact narrowed by `qualifier` ("production; read-only") is one of what is `wanted` ("production")."""
    return {key(part) for part in wanted.split(";")} - {""} <= {key(part) for part in qualifier.split(";")}
