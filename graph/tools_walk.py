"""Typed questions that walk: chains of relations, neighbours, shortest paths, blast radius, yes or no.

Each step of each question is asked for all things together. Knows no words of a question: keys of things and names of
relations come in. Try: python -m graph impact --thing System/vault
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from facts.normal import key
from graph.decisions import read
from graph.phrases import noun, silent, verb
from graph.result import Row
from graph.tool import MOST, Arguments, Found, Relating, Thing, Word, tool, unnamed
from graph.view import Entity, Fact, View
from graph.walk import Direction, Reached, between, covers, far, hop, rating, spread, stands, walk

_BOTH: tuple[Direction, ...] = ("out", "in")
_THROUGH: dict[str, tuple[str, Direction]] = {"has_access": ("member_of", "out"), "depends_on": ("depends_on", "out")}
"""What a thing has through others: a member's access by the team, a dependency by a dependency."""
_MOST_SHOWN = 20  # facts that show a "no"


class _Chain(Arguments):
    start: Annotated[list[Thing], Field(min_length=1, max_length=50, description="things to start from, by key")]
    steps: Annotated[list[Relating], Field(min_length=1, max_length=8, description='[["owns", "in"], ...]')]
    end_type: Word = Field("", description="only ends of this type")
    qualifier: Word = Field("", description='one fact of the way is narrowed by it: "production"')


@tool(_Chain, "Who or what stands at the end of a chain of relations, such as owner of what depends on a system?")
def chain(view: View, asked: _Chain) -> Found:
    """The ends of the walk, each with the facts of its way."""
    columns = asked.end_type.lower() or asked.steps[-1][0], "by way of"
    start = view.things(asked.start)
    if not start:
        return Found(columns, why=unnamed(*asked.start))
    ends = walk(view, start.values(), asked.steps, asked.qualifier)
    rows = [
        Row((end.name, _way(end.facts)), end.thing, end.facts)
        for end in ends
        if not asked.end_type or end.thing is None or end.thing.type in (asked.end_type, "")
    ]
    return Found(columns, rows, "" if rows else _nowhere(asked, _names(start.values())))


def _nowhere(asked: _Chain, names: str) -> str:
    if len(asked.steps) == 1:
        return silent(asked.steps[0][0], names)
    way = ", then ".join(noun(predicate) for predicate, _ in asked.steps)
    return f"No documents that you may read lead from {names} to the end of this way: {way}."


class _Neighbours(Arguments):
    thing: Thing = Field(description="a thing by key")
    predicates: list[Word] = Field([], max_length=50, description="only these relations; none: all but mentions")


@tool(_Neighbours, "What is a thing related to, and how?")
def neighbours(view: View, asked: _Neighbours) -> Found:
    """Each thing that one fact joins it to, by relation."""
    columns = "relation", "direction", "thing"
    found = view.things([asked.thing])
    if not found:
        return Found(columns, why=unnamed(asked.thing))
    rows = []
    for direction in _BOTH:
        wanted = asked.predicates or [one for one in view.relations.relations if one != "mentions"]
        for fact in hop(view, found.values(), wanted, direction):
            end = far(fact, direction)
            if end.thing:
                rows.append(Row((fact.predicate, direction, end.name), end.thing, (fact,)))
    rows.sort(key=lambda row: (row.cells, row.thing.key if row.thing else "", rating(row.facts)))
    return Found(
        columns, rows, "" if rows else f"No document that you may read relates {_names(found.values())} to anything."
    )


class _Path(Arguments):
    a: Thing = Field(description="a thing by key")
    b: Thing = Field(description="the other")


@tool(_Path, "How are two things connected, by the shortest way?")
def path(view: View, asked: _Path) -> Found:
    """One row with the facts of the way in their order."""
    found = view.things([asked.a, asked.b])
    unknown = [one for one in (asked.a, asked.b) if one not in found]
    if unknown:
        return Found(("way",), why=unnamed(*unknown))
    one, other = found[asked.a], found[asked.b]
    facts = between(view, one, other)
    if facts is None:
        return Found(("way",), why=f"No facts that you may read join {one.name} to {other.name}.")
    names, at = [one.name], one
    for fact in facts:
        at = fact.object if fact.object and fact.subject == at else fact.subject
        names.append(at.name)
    return Found(("way",), [Row((" – ".join(names),), other, facts)], "" if facts else f"{one.name} is {other.name}.")


class _Impact(Arguments):
    thing: Thing = Field(description="a service, system, decision, or their owner, by key")


@tool(
    _Impact, "What is hit when a thing fails: what depends on it, who owns and leads that, which decisions affect it?"
)
def impact(view: View, asked: _Impact) -> Found:
    """Each thing once, at its smallest distance, with the facts that lead to it."""
    columns = "thing", "type", "distance", "because", "status"
    found = view.things([asked.thing])
    if not found:
        return Found(columns, why=unnamed(asked.thing))
    begin = [Reached(one, "", ()) for one in found.values()]
    runs = view.relations.relations["depends_on"].objects | {""}
    if all(one.type not in runs for one in found.values()):
        begin = _on(view, begin, ("owns", "deprecates", "affects"), "out")
    start = {one.key: one for one in begin}
    reach = {
        made: Reached(way.thing, "", (*start[_start(way)].facts, *way.facts))
        for made, way in spread(view, [one.thing for one in begin if one.thing], ("depends_on", "in")).items()
    }
    owners = _on(view, reach.values(), ("owns",), "in")
    leads = _on(view, owners, ("leads",), "in")
    decisions = _on(view, reach.values(), ("affects", "deprecates"), "in")
    known = read(view, [way.thing for way in decisions if way.thing])
    rows: dict[str, Row] = {}
    for way in (*reach.values(), *owners, *leads, *decisions):
        if way.thing and way.facts and way.key not in rows and way.key not in found:
            distance = sum(fact.predicate == "depends_on" for fact in way.facts)
            status = known[way.key].status if way.key in known else None
            cells = way.name, way.thing.type, str(distance), _because(way), status.value if status else ""
            rows[way.key] = Row(cells, way.thing, way.facts)
    listed = sorted(rows.values(), key=lambda row: (_LAST.get(row.cells[1], 0), int(row.cells[2]), row.cells))
    return Found(
        columns,
        listed,
        "" if rows else f"No document that you may read says that anything depends on {_names(found.values())}.",
    )


_LAST = {"Team": 1, "Person": 2, "Decision": 3}
"""Services and systems come first."""


class _Check(Arguments):
    subject: Thing = Field(description="a thing by key")
    predicate: Word = Field(description="a relation or an attribute")
    object: Word = Field(description="the other thing by key, or a value")
    qualifier: Word = Field("", description='what narrows it: "production"')


@tool(_Check, "Is it so that a thing is related to another in this way: yes or no?")
def check(view: View, asked: _Check) -> Found:
    """One row, "yes" or "no" with the facts that show it; none where the documents leave it open."""
    columns = "answer", "how"
    found = view.things([asked.subject, asked.object])
    subject, other = found.get(asked.subject), found.get(asked.object)
    is_relation = asked.predicate in view.relations.relations
    if subject is None or (is_relation and other is None):
        return Found(columns, why=unnamed(*(one for one in (asked.subject, asked.object) if one not in found)))
    said = view.of([subject], [asked.predicate])
    about = view.about([other], [asked.predicate]) if other else []
    proof = [fact for fact in said if _is(fact, other, asked.object)]
    fits = [fact for fact in proof if stands(view, fact) and covers(fact.qualifier, asked.qualifier)]
    if fits:
        return Found(columns, [Row(("yes", "stated"), other, (min(fits, key=lambda fact: rating([fact])),))])
    way = _through(view, subject, other, asked)
    if way:
        return Found(columns, [Row(("yes", _way(way)), other, way)])
    if any(stands(view, fact) and not fact.qualifier for fact in proof):
        return Found(columns, why=f'It is said, but not whether it holds for "{asked.qualifier}".')
    past = [fact for fact in proof if covers(fact.qualifier, asked.qualifier)]
    if past:
        last = max(past, key=lambda fact: fact.valid_to)
        how = _over(last) if last.valid_to else f"not before {min(fact.valid_from for fact in past)}"
        return Found(columns, [Row(("no", how), other, tuple(past))])
    shown = [fact for fact in (*about, *said) if stands(view, fact)]
    near = [fact for fact in shown if covers(fact.qualifier, asked.qualifier)] or shown
    if not near:
        end = other.name if other else asked.object
        what = f"the {asked.predicate} of {subject.name} is {end}"
        what = f"{subject.name} {verb(asked.predicate)} {end}" if is_relation else what
        return Found(columns, why=f"No document that you may read says whether {what}.")
    return Found(columns, [Row(("no", "not among those that are named"), other, tuple(near[:_MOST_SHOWN]))])


def _over(fact: Fact) -> str:
    is_last = fact.until != fact.valid_to  # it held on that day
    return f"no more after {fact.until}" if is_last else f"no more since {fact.valid_to}"


def _is(fact: Fact, other: Entity | None, value: str) -> bool:
    if other and fact.object:
        return fact.object.key == other.key
    return key(fact.said) == key(other.name if other else value)


def _through(view: View, subject: Entity, other: Entity | None, asked: _Check) -> tuple[Fact, ...]:
    """The facts by which the subject has it through others; () for none."""
    step = _THROUGH.get(asked.predicate)
    if step is None or other is None:
        return ()
    reach = spread(view, [subject], step, MOST)
    if step[0] == asked.predicate:
        return reach[other.key].facts if other.key in reach else ()
    ways = [
        (*reach[fact.subject.key].facts, fact)
        for fact in hop(view, [way.thing for way in reach.values() if way.thing], [asked.predicate], "out")
        if _is(fact, other, "") and covers(fact.qualifier, asked.qualifier)
    ]
    return min(ways, key=rating, default=())


def _on(view: View, ways: Iterable[Reached], predicates: Sequence[str], direction: Direction) -> list[Reached]:
    """One step further, each end once by its best way."""
    held = {way.key: way for way in ways if way.thing}
    found: dict[str, Reached] = {}
    for fact in hop(view, [way.thing for way in held.values() if way.thing], predicates, direction):
        end = far(fact, direction)
        origin = fact.subject if direction == "out" else fact.object
        if origin and end.thing:
            way = Reached(end.thing, "", (*held[origin.key].facts, fact))
            if end.key not in found or rating(way.facts) < rating(found[end.key].facts):
                found[end.key] = way
    return list(found.values())


def _start(way: Reached) -> str:
    """The key of the thing from which a spread against `depends_on` came."""
    if not way.facts:
        return way.key
    first = way.facts[0].object
    return first.key if first else way.key


def _because(way: Reached) -> str:
    last = way.facts[-1]
    return f"{last.subject.name} {verb(last.predicate)} {last.said}"


def _way(facts: Sequence[Fact]) -> str:
    """Its steps in short."""
    return "; ".join(f"{fact.subject.name} {verb(fact.predicate)} {fact.said}" for fact in facts)


def _names(things: Iterable[Entity]) -> str:
    return ", ".join(one.name for one in things)
