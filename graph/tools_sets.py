"""Typed questions about sets and about one thing: lists, counts by group, and the card of a thing.

A filter that names a thing is looked up from that thing, one that names a value from the attribute; the others are then
asked of what is left. Knows no words of a question. Try: python -m graph count --type Service --by owns
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from facts.normal import id_key, key
from graph.phrases import is_relation, noun, verb
from graph.result import Row
from graph.tool import Arguments, Filter, Found, Thing, Word, direction_of, tool, unnamed
from graph.view import Entity, Fact, View
from graph.walk import TALK, Direction, covers, far, hop, near, rating, stands
from storage.facts import NameRow

_MOST_NAMED = 3  # places where a thing is named, beside a row without facts
_MOST_GROUP = 50  # facts of one relation on a card
IS = "is"
"""In the place of a relation: the thing itself."""
_Kept = tuple[Entity, tuple[Fact, ...]]


class _List(Arguments):
    type: Word = Field("", description='of this type: "Service"; empty: of any')
    where: Annotated[list[Filter], Field(max_length=8)] = Field(
        [], description='all of these hold: ["owns", "in", "Team/bedrock"], ["tier", "out", "1"]'
    )
    without: Annotated[list[Filter], Field(max_length=8)] = Field(
        [], description='none of these is said: ["owns", "in", ""] for what has no owner; ["is", "out", a thing]: it'
    )


@tool(_List, "Which things of a type are there, or are related or described in these ways?")
def list_(view: View, asked: _List) -> Found:
    """Each thing once, with a fact for each filter, or where it is named."""
    columns = (asked.type.lower() or "thing", *(filter_[0] for filter_ in (*asked.where, *asked.without)))
    kept, unknown = _kept(view, asked)
    rows = [_row(view, thing, facts) for thing, facts in kept]
    why = "" if rows else f"No document that you may read tells of {_told(asked)}."
    return Found(columns, rows, unnamed(*unknown) if unknown else why)


class _Count(_List):
    by: Word | Annotated[list[Word], Field(min_length=2, max_length=2)] = Field(
        "", description='one row for each value of this: "owns", ["depends_on", "in"], "tier", "type"; empty: no groups'
    )


@tool(
    _Count,
    "How many things of a type, related or described in these ways, are there, and how many in each group?",
    is_whole=True,
)
def count(view: View, asked: _Count) -> Found:
    """One row with the number or, grouped, one for each group, the largest first; with the facts of what is counted."""
    kept, unknown = _kept(view, asked)
    if unknown or not kept:
        return Found(
            ("number",), why=unnamed(*unknown) if unknown else f"No document that you may read tells of {_told(asked)}."
        )
    held = {thing.key: facts for thing, facts in kept}
    things = {thing.key: thing for thing, _ in kept}
    if not asked.by:
        return Found(("number",), [_counted(view, (), None, things.values(), [*held.values()])])
    groups = _groups(view, asked, [thing for thing, _ in kept])
    rows = []
    for name, (of, by) in groups.items():
        told = [(*by[made], *held[made]) for made in by]
        rows.append(_counted(view, (name.partition("\0")[0],), of, (things[made] for made in by), told))
    rows.sort(key=lambda row: (-int(row.cells[1]), row.cells[0], row.thing.key if row.thing else ""))
    left = len(things.keys() - {made for _, by in groups.values() for made in by})
    what = asked.by if isinstance(asked.by, str) else asked.by[0]
    return Found(
        (what, "number"),
        rows,
        f"Of {left:,} more no document tells the {noun(what)}." if left else "",
    )


def _counted(
    view: View, group: tuple[str, ...], of: Entity | None, things: Iterable[Entity], facts: Sequence[Sequence[Fact]]
) -> Row:
    """A row with the number of things; where no facts put them there, with the places where they are named."""
    put = dict.fromkeys(fact for some in facts for fact in some)
    named = () if put else tuple(row for thing in things for row in _named(view, thing))
    return Row((*group, str(len(facts))), of, tuple(put), named)


class _Card(Arguments):
    thing: Thing = Field(description="a thing by key")


@tool(_Card, "What is known of a thing: what it is called, what holds of it now, and when that was last confirmed?")
def card(view: View, asked: _Card) -> Found:
    """A row for its names, then one for each fact that holds, by relation; talk comes last, newest first."""
    columns = "what", "value", "qualifier", "since", "status", "last confirmed"
    found = view.things([asked.thing])
    if not found:
        return Found(columns, why=unnamed(asked.thing))
    (thing,) = found.values()
    called = ", ".join(dict.fromkeys((thing.name, *thing.names, *thing.ids)))
    rows = [Row((thing.type or "thing", called, "", "", "", ""), thing, (), _named(view, thing))]
    groups: dict[tuple[bool, str, Direction], list[Fact]] = {}
    directions: tuple[Direction, ...] = ("out", "in")
    for direction in directions:
        for fact in hop(view, [thing], (), direction):
            groups.setdefault((fact.predicate in TALK, fact.predicate, direction), []).append(fact)
    left = []
    for (is_talk, predicate, direction), facts in sorted(groups.items()):
        facts.sort(key=lambda fact: (fact.observed_at if is_talk else "", _inverted(fact)), reverse=is_talk)
        what = predicate if direction == "out" else f"{predicate} (by)"
        left += [f"{len(facts) - _MOST_GROUP:,} more of {what}."] if len(facts) > _MOST_GROUP else []
        for fact in facts[:_MOST_GROUP]:
            end = far(fact, direction)
            cells = what, end.name, fact.qualifier, fact.valid_from, fact.status, fact.observed_at
            rows.append(Row(cells, end.thing, (fact,)))
    return Found(columns, rows, " ".join(left))


def _inverted(fact: Fact) -> tuple[str, ...]:
    return fact.subject.name, fact.said, fact.qualifier, fact.valid_from


def _kept(view: View, asked: _List) -> tuple[list[_Kept], list[str]]:
    """The things that pass all filters, each with its facts; and the keys in filters that nothing is known of."""
    filters = [*asked.where, *asked.without]
    wanted = view.things([filter_[2] for filter_ in filters if "/" in filter_[2]])
    unknown = [
        filter_[2]
        for filter_ in filters
        if filter_[2].partition("/")[0] in view.relations.types and "/" in filter_[2] and filter_[2] not in wanted
    ]
    if unknown:
        return [], unknown
    kept = _passing(view, asked, wanted)
    for filter_ in asked.without:
        kept = _other(view, asked, kept, filter_, wanted)
    return kept, []


def _other(
    view: View, asked: _List, kept: Sequence[_Kept], filter_: Sequence[str], wanted: dict[str, Entity]
) -> list[_Kept]:
    """Those of which a filter is not said, with what is said in its place.

    What can have but one value, as an owner or a tier, is kept only where another is stated: nothing is no denial.
    """
    predicate, told, value, *_ = filter_
    if predicate == IS:
        return [(thing, facts) for thing, facts in kept if thing.key != value]
    direction = direction_of(told)
    said = {thing.key for thing, _ in _passing(view, asked.model_copy(update={"where": [[*filter_]]}), wanted)}
    others: dict[str, list[Fact]] = {}
    for fact in hop(view, [thing for thing, _ in kept if thing.key not in said], [predicate], direction):
        others.setdefault(near(fact, direction).key, []).append(fact)
    relation = view.relations.relations.get(predicate)
    is_one = bool(value) and (relation is None or relation.one == ("object" if direction == "out" else "subject"))
    return [
        (thing, (*facts, *others.get(thing.key, ())[:_MOST_NAMED]))
        for thing, facts in kept
        if thing.key not in said and not (is_one and thing.key not in others)
    ]


def _passing(view: View, asked: _List, wanted: dict[str, Entity]) -> list[_Kept]:
    """The things of which all of `where` is said."""
    if not asked.where:
        return [(one, ()) for one in (view.of_type(asked.type) if asked.type else _all(view))]
    order = sorted(range(len(asked.where)), key=lambda n: (asked.where[n][2] not in wanted, not asked.where[n][2], n))
    kept: dict[str, dict[int, Fact]] = {}
    things: dict[str, Entity] = {}
    for number, n in enumerate(order):
        predicate, told, value, *more = asked.where[n]
        direction = direction_of(told)
        if number:
            facts = hop(view, things.values(), [predicate], direction)
        elif value in wanted:
            facts = hop(view, [wanted[value]], [predicate], "in" if direction == "out" else "out")
        else:
            is_value = bool(value) and predicate not in view.relations.relations
            facts = [fact for fact in view.by(predicate, value if is_value else None) if stands(view, fact)]
        passed: dict[str, dict[int, Fact]] = {}
        for fact in facts:
            if (direction == "in" and fact.object is None) or not covers(fact.qualifier, more[0] if more else ""):
                continue
            thing = near(fact, direction)
            if _fits(view, thing, asked.type, predicate, direction) and _matches(fact, direction, value, wanted):
                best = passed.setdefault(thing.key, dict(kept.get(thing.key, {})))
                if n not in best or rating([fact]) < rating([best[n]]):
                    best[n] = fact
                things[thing.key] = thing
        kept = passed
        things = {made: things[made] for made in kept}
    listed = sorted(kept.items(), key=lambda item: (things[item[0]].name, item[0]))
    return [(things[made], tuple(by[n] for n in sorted(by))) for made, by in listed]


def _all(view: View) -> list[Entity]:
    return [one for kind in view.types() if kind != "Message" for one in view.of_type(kind)]


def _fits(view: View, thing: Entity, kind: str, predicate: str, direction: Direction) -> bool:
    """Whether it is of the type; a bare name is where the relation joins that type."""
    if not kind or thing.type:
        return kind in ("", thing.type)
    relation = view.relations.relations.get(predicate)
    ends = (relation.subjects if direction == "out" else relation.objects) if relation else frozenset[str]()
    return kind in ends


def _matches(fact: Fact, direction: Direction, value: str, wanted: dict[str, Entity]) -> bool:
    if not value:
        return True
    end = far(fact, direction)
    if value in wanted:
        return end.thing is not None and end.thing.key == wanted[value].key
    if end.thing:
        return key(value) in map(key, end.thing.names) or id_key(value) in map(id_key, end.thing.ids)
    return key(end.value) == key(value)


def _groups(
    view: View, asked: _Count, things: Sequence[Entity]
) -> dict[str, tuple[Entity | None, dict[str, list[Fact]]]]:
    """Of each group its thing, if it is one, and its members with the facts that put them there."""
    found: dict[str, tuple[Entity | None, dict[str, list[Fact]]]] = {}
    if asked.by == "type":
        for thing in things:
            found.setdefault(thing.type or "-", (None, {}))[1][thing.key] = []
        return found
    predicate, direction = _by(view, asked)
    for fact in hop(view, things, [predicate], direction):
        end, thing = far(fact, direction), near(fact, direction)
        group = found.setdefault(f"{end.name}\0{end.key}", (end.thing, {}))
        group[1].setdefault(thing.key, []).append(fact)
    return found


def _by(view: View, asked: _Count) -> tuple[str, Direction]:
    if not isinstance(asked.by, str):
        return asked.by[0], direction_of(asked.by[1])
    relation = view.relations.relations.get(asked.by)
    if (
        relation
        and asked.type in relation.objects
        and (asked.type not in relation.subjects or relation.one == "subject")
    ):
        return asked.by, "in"
    return asked.by, "out"


def _row(view: View, thing: Entity, facts: tuple[Fact, ...]) -> Row:
    ends = [fact.subject.name if fact.object and fact.object.key == thing.key else fact.said for fact in facts]
    return Row((thing.name, *ends), thing, facts, () if facts else _named(view, thing))


def _named(view: View, thing: Entity) -> tuple[NameRow, ...]:
    """One place a document, the first ones."""
    first = {row.path: row for row in reversed(view.naming(thing))}
    return tuple(first[path] for path in sorted(first))[:_MOST_NAMED]


def _told(asked: _List) -> str:
    """What was looked for in vain: "a service that Bedrock owns and whose tier is 1"."""
    parts = [_part(*filter_) for filter_ in asked.where] + [f"not one {_part(*filter_)}" for filter_ in asked.without]
    what = asked.type.lower() or "thing"
    return " ".join([f"{'an' if what[0] in 'aeiou' else 'a'} {what}", " and ".join(parts)]).strip()


def _part(predicate: str, direction: str, value: str, *qualifier: str) -> str:
    name = value.partition("/")[2] or value
    if predicate == IS:
        part = f"that is {name}"
    elif is_relation(predicate) or "/" in value:
        out = f"{verb(predicate)} {name or 'anything'}"
        part = f"that {out}" if direction == "out" else f"that {name or 'anybody'} {verb(predicate)}"
    else:
        part = f"whose {predicate} is {name}" if name else f"with a {predicate}"
    return part + (f" ({qualifier[0]})" if qualifier and qualifier[0] else "")
