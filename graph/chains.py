"""Questions that walk from a named thing, and those of yes or no: which thing, by which relations or attribute.

Knows no lists and no counts. Try: python -m graph ask "who owns the service that depends on identity?"
"""

from collections.abc import Iterator, Sequence

from graph.cues import BELONGS, IN_FORCE, OR, SAME
from graph.frame import (
    ACTORS,
    Frame,
    as_of,
    base,
    free_kinds,
    implied,
    keys_of,
    marked_values,
    missing_of,
    nouns,
    parts,
    qualifier_of,
    required,
    wanted_types,
)
from graph.intent import OBJECT, SUBJECT, UNSAID, Asked, Attribute, Said
from graph.linking import Link
from graph.plan import plan
from graph.sentence import Span
from graph.steps import IN, OUT, Walk, walk
from graph.walk import Direction
from graph.walk import walk as lead

_TOLD = 0.9  # a direction that the words tell
_BY = ("approved_by", "written_by")
_CLOSE = 4  # tokens


def chains(asked: Asked) -> Iterator[Frame]:
    types, _ = wanted_types(asked)
    for group in asked.together:
        one = _as_one(group)
        if types and not asked.relations and not asked.attributes and not asked.is_yes_no:
            for kind in sorted(types & {"Person", "Team", "Service", "System"}):
                way = walk(asked, one.span, one.types, implied(asked, one, kind), {kind})
                if way and way.steps:
                    frame = _chain(asked, one, way, [], types, 0)
                    frame.likely -= 0.25
                    frame.is_implied = True
                    yield frame
                    break
        targets = [attribute for attribute in asked.attributes if not attribute.values or _is_choice(asked, attribute)]
        for said, lost in _selections(asked, one, targets):
            if not said:
                continue
            ends = types if not targets else frozenset[str]()
            # "Which service uses it, and who owns that?" asks for the owner; "who depends on it?" may ask for services.
            tries = [ends, *(_asked_besides(asked) if ends else ())]
            tries += [frozenset()] if ends == ACTORS else []
            ways = ((end, walk(asked, one.span, one.types, said, end)) for end in tries)
            end, way = next(((end, way) for end, way in ways if way), (ends, None))
            if way:
                asks = end if end in tries[1:] and end else types
                yield _chain(asked, one, _to_members(asked, way, asks), targets, asks, lost)
                break
        yield from _same(asked, one, types)
        if targets and not required(asked):
            yield _chain(asked, one, Walk((), one.types, (), 0.0), targets, types, 0)


def _asked_besides(asked: Asked) -> list[frozenset[str]]:
    """What else is asked for, the last first: of several questions in one the last asks for the end."""
    heads = [*asked.cues["what"], *asked.cues["list"]]
    found = [kind.types for kind in free_kinds(asked) if any(span.end == kind.span.first for span in heads)]
    return [*([ACTORS] if asked.cues["who"] else []), *reversed(found)]


def _to_members(asked: Asked, way: Walk, types: frozenset[str]) -> Walk:
    """ "the people in the team that owns it": on from the owner to who belongs to it."""
    teams = any("Team" in kind.types for kind in free_kinds(asked))
    if types != {"Person"} or not teams or way.ends != ACTORS or "member_of" not in asked.predicates:
        return way
    return Walk((*way.steps, ("member_of", IN)), frozenset({"Person"}), way.said, way.likely)


def _same(asked: Asked, one: Link, types: frozenset[str]) -> Iterator[Frame]:
    """ "who works in the same team as Ann?": by a relation to its end and back."""
    same = asked.has(SAME)
    said = asked.relations or implied(asked, one, "Team")
    if not same or len(said) != 1 or asked.is_yes_no:
        return
    way = walk(asked, one.span, one.types, said, {kind for at in asked.kinds for kind in at.types} - one.types)
    if way and len(way.steps) == 1:
        (predicate, direction), *_ = way.steps
        back = Walk(((predicate, direction), (predicate, IN if direction == OUT else OUT)), one.types, way.said, 1.0)
        frame = _chain(asked, one, back, [], one.types, 0)
        frame.used += same
        yield frame


def _choices(asked: Asked, others: Sequence[Link]) -> list[Span]:
    """ "by Heron or by Kestrel?": the names that one may choose from, if these are all the others."""
    groups = [group for group in asked.together if len(group) > 1 and {*others} == {*group}]
    if not groups or not asked.has(OR) or not asked.is_yes_no:
        return []
    return [one.span for one in others]


def _as_one(group: Sequence[Link]) -> Link:
    """Names side by side as one that stands for all: "who owns mail and chat?" is asked of each."""
    first, last = group[0], group[-1]
    things = {thing.key: thing for one in group for thing in one.things}
    shared = frozenset[str]().union(*(one.types for one in group)).intersection(*(one.types for one in group))
    fits = tuple(thing for thing in things.values() if len(group) == 1 or thing.type in shared)
    text = ", ".join(one.text for one in group)
    return Link(Span(first.span.first, last.span.end), text, fits, any(one.sure for one in group), first.typed)


def _selections(asked: Asked, one: Link, targets: Sequence[Attribute]) -> Iterator[tuple[list[Said], int]]:
    """All relations that are named, then all but one: a word may mean nothing here."""
    every = required(asked, one, targets) if targets else asked.relations
    yield every, 0
    least = required(asked)
    if targets and least != every:
        yield least, 0
    if len(every) > 1:
        for left in range(len(every)):
            yield [one for n, one in enumerate(every) if n != left], 1


def _is_choice(asked: Asked, attribute: Attribute) -> bool:
    """ "accepted, rejected or superseded?" names values to choose from."""
    return len(attribute.values) > 1


def _chain(asked: Asked, one: Link, way: Walk, targets: list[Attribute], types: frozenset[str], lost: int) -> Frame:
    start = one
    if way.steps:
        relation = asked.view.relations.relations[way.steps[0][0]]
        start = one.of(relation.subjects if way.steps[0][1] == OUT else relation.objects) or one
    steps = [list(step) for step in way.steps] + [[attribute.predicate, OUT] for attribute in targets[:1]]
    qualifier, spans = qualifier_of(asked, [step[0] for step in steps], [start])
    ends = way.ends & types if types else frozenset[str]()
    end_type = next(iter(ends)) if len(ends) == 1 and not targets else ""
    used = [*base(asked), one.span, *parts(way.said), *spans]
    used += [span for attribute in targets[:1] for span in (attribute.span, *attribute.value_spans)]
    if targets:
        used += parts([said for said in asked.relations if said not in way.said and said not in required(asked)])
    missing = missing_of(asked, start.things, (steps[0][0], steps[0][1]))
    is_guess = any(form == UNSAID for said in way.said for _, form in said.meanings)
    if missing and len(steps) == 1 and way.likely < _TOLD:
        steps = [list(step) for step in plan(asked.view, start.things, [steps[0][0]], types)] or steps
        missing = missing_of(asked, start.things, (steps[0][0], steps[0][1]))
        end_type = "Person" if asked.cues["who"] and "Person" in types and len(steps) == 1 else ""
    if len(way.said) > 1 and not targets and not missing:
        steps = _that_lead_on(asked, start, steps, way, types)
    told = " → ".join(f"{predicate} ({direction})" for predicate, direction in steps)
    chosen_from = _choices(asked, [other for other in asked.links if not one.span.meets(other.span)])
    used += chosen_from
    likely = 1.0 if chosen_from else _likely(asked, one, way, (steps[0][0], steps[0][1]), targets, types, lost)
    arguments = {"start": keys_of(start.things), "steps": steps, "end_type": end_type, "qualifier": qualifier}
    about = f"{told} from {one.text if one not in asked.links else start.things[0].name}"
    return Frame("chain", arguments, used, [start], likely, about, is_guess, missing, as_of(asked))


def _likely(
    asked: Asked,
    one: Link,
    way: Walk,
    step: tuple[str, str],
    targets: list[Attribute],
    types: frozenset[str],
    lost: int,
) -> float:
    """Whether the question asks for this chain, by what stands beside its words."""
    likely = 0.75 if asked.is_yes_no and not targets else 1.0
    if lost:
        likely -= 0.2
    named = any(form in (SUBJECT, OBJECT) for said in way.said for _, form in said.meanings)
    if asked.cues["what"] and not (asked.cues["who"] or types or named) and way.steps and way.steps[-1][0] in _BY:
        likely -= 0.55  # "what was decided in it" asks for no person
    if targets and asked.cues["who"] and not asked.cues["what"] and way.steps:
        likely -= 0.3  # "who" asks for somebody, not for their position
    if asked.cues["count"]:
        likely -= 0.3
    first = asked.view.relations.relations.get(step[0])
    if one not in asked.links and types and step[1] == IN and first and not first.one and not asked.has(OR):
        likely -= 0.1  # "which services need chat and mail?" asks for those that need both
    if any(not one.span.meets(other.span) for other in asked.links):
        likely -= 0.25
    return likely


def _way(told: str) -> Direction:
    return "out" if told == OUT else "in"


def _that_lead_on(
    asked: Asked, start: Link, steps: list[list[str]], way: Walk, types: frozenset[str]
) -> list[list[str]]:
    """These steps, or others by the same relations, if these lead nowhere and others do."""
    if lead(asked.view, start.things, [(name, _way(told)) for name, told in steps]):
        return steps
    order = sorted(way.said, key=lambda said: said.span.first)
    names = [step[0] for step in way.steps]
    if len({*names}) < len(names):
        return steps  # "the manager's manager" is nobody else where there is none
    mentioned = [name for said in order for name, _ in said.meanings if name in names]
    return [list(step) for step in plan(asked.view, start.things, list(dict.fromkeys(mentioned)), types)] or steps


def checks(asked: Asked) -> Iterator[Frame]:
    if not asked.is_yes_no:
        return
    if len(asked.links) == 2:
        yield from _related_pair(asked, *asked.links)
    if len(asked.links) == 1:
        one = asked.links[0]
        yield from _in_force(asked, one)
        for attribute in asked.attributes:
            if len(attribute.values) == 1 or (not attribute.values and marked_values(asked, attribute)):
                value = attribute.values[0] if attribute.values else marked_values(asked, attribute)[0]
                arguments = {
                    "subject": one.things[0].key,
                    "predicate": attribute.predicate,
                    "object": value,
                    "qualifier": "",
                }
                used = [
                    *base(asked),
                    one.span,
                    attribute.span,
                    *attribute.value_spans,
                    *parts([said for said in asked.relations if said not in required(asked)]),
                ]
                missing = missing_of(asked, one.things, (attribute.predicate, OUT))
                yield Frame(
                    "check",
                    arguments,
                    used,
                    [one],
                    1.0,
                    f"whether {attribute.predicate} of {one.things[0].name} is {value}",
                    missing=missing,
                    as_of=as_of(asked),
                )


def _in_force(asked: Asked, one: Link) -> Iterator[Frame]:
    """ "is decision 7 still valid?" is asked of its status."""
    said = asked.has(IN_FORCE)
    if said and one.types == {"Decision"} and "status" in asked.predicates and not asked.attributes:
        arguments = {"start": keys_of(one.things), "steps": [["status", OUT]], "end_type": "", "qualifier": ""}
        about = f"status of {one.things[0].name}"
        yield Frame("chain", arguments, [*base(asked), one.span, *said], [one], 1.0, about, as_of=as_of(asked))


def _related_pair(asked: Asked, one: Link, other: Link) -> Iterator[Frame]:
    best: tuple[float, str, Link, Link, Said] | None = None
    allowed = [Said((place.span,), (("has_access", "active"),)) for place in asked.qualifiers[:1]]
    for said in asked.relations or allowed or _belonging(asked, one, other):
        way = walk(asked, one.span, one.types, [said], other.types - {""})
        back = walk(asked, other.span, other.types, [said], one.types - {""})
        for walked, start, end in ((way, one, other), (back, other, one)):
            if walked is None or len(walked.steps) != 1:
                continue
            ((predicate, direction),) = walked.steps
            relation = asked.view.relations.relations[predicate]
            subject, thing = (start, end) if direction == OUT else (end, start)
            first, second = subject.of(relation.subjects), thing.of(relation.objects)
            likely = walked.likely + (0.1 if start is _owner_of(said, one, other) else 0.0)
            if first and second and (best is None or likely > best[0]):
                best = likely, predicate, first, second, said
    if best:
        _, predicate, first, second, said = best
        qualifier, spans = qualifier_of(asked, [predicate], [first, second])
        arguments = {
            "subject": first.things[0].key,
            "predicate": predicate,
            "object": second.things[0].key,
            "qualifier": qualifier,
        }
        used = [*base(asked), one.span, other.span, *said.spans, *spans, *nouns(asked)]
        about = f"whether {first.things[0].name} {predicate} {second.things[0].name}"
        yield Frame("check", arguments, used, [first, second], 1.0, about, as_of=as_of(asked))


def _belonging(asked: Asked, one: Link, other: Link) -> list[Said]:
    """ "is Ann in the Red Team?": what joins a person and a team, where a word for belonging stands between."""
    between = [span for span in asked.has(BELONGS) if one.span.end <= span.first < other.span.first]
    return implied(asked, one, next(iter(sorted(other.types)), "")) if between else []


def _owner_of(said: Said, one: Link, other: Link) -> Link | None:
    """Of two names the one that a noun between or behind them belongs to: "the boss of X", "X's boss"."""
    if not any(form in (SUBJECT, OBJECT) for _, form in said.meanings):
        return None
    behind = other.span.first - said.span.end
    return other if behind < _CLOSE and (behind >= 0 or other.span.end <= said.span.first) else None
