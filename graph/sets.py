"""Questions for all things of a type, listed or counted, with the conditions that they must meet.

Knows no chains. Try: python -m graph ask "how many services of tier 1 are there?"
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from facts.normal import key
from graph.cues import EXCEPT, OR
from graph.frame import (
    Frame,
    as_of,
    base,
    cue,
    free_kinds,
    implied,
    marked_values,
    nouns,
    parts,
    qualifier_of,
    wanted_types,
)
from graph.intent import INVERSE, SUBJECT, Asked, Said
from graph.linking import Link, TypeWord
from graph.sentence import Span
from graph.steps import IN, OUT, walk
from graph.tools_sets import IS

_OF_THE_PAST = ("deprecates", "supersedes")
_MOST_SAID = 5_000  # statements that are looked through for an environment
_OF_PLACES = ("owns", "has_access")
"""Relations that hold in an environment."""


@dataclass
class _Conditions:
    """What things must be or have, and what not; with the words and names that say so."""

    where: list[list[str]] = field(default_factory=list)
    without: list[list[str]] = field(default_factory=list)
    used: list[Span] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lost: int = 0  # names that found no use
    left: list[Span] = field(default_factory=list)  # words that deny, and found nothing to deny

    @property
    def any(self) -> bool:
        return bool(self.where or self.without)


def _conditions(asked: Asked, kind: str) -> _Conditions:
    found = _Conditions()
    said: list[tuple[Span, list[str]]] = []
    for attribute in asked.attributes:
        for n, value in enumerate(attribute.values or marked_values(asked, attribute)):
            place = attribute.value_spans[n] if n < len(attribute.value_spans) else attribute.span
            said.append((place, [attribute.predicate, OUT, value]))
        found.used += [attribute.span, *attribute.value_spans]
    taken: list[Said] = []
    steps: dict[Link, tuple[tuple[str, str], Said]] = {}
    excepted = [] if not asked.negated else _excepted(asked, kind)
    for one in asked.links:
        if any(one.span.meets(span) for span in found.used):
            continue
        if one in excepted:
            found.without.append([IS, OUT, one.things[0].key])
            found.used.append(one.span)
            found.links.append(one)
            continue
        held = next((last for group in asked.together if one in group for last in group if last in steps), None)
        made = _related(asked, one, kind, taken)
        if made and held:
            made = steps[held][0], steps[held][1], made[2]  # "on mail and chat": of each in the same way
        if made is None:
            found.lost += 1
            continue
        step, words, link = made
        steps[one] = step, words
        qualifier, spans = qualifier_of(asked, [step[0]], [link])
        said.append((one.span, [step[0], step[1], link.things[0].key, *([qualifier] if qualifier else [])]))
        found.used += [one.span, *words.spans, *spans]
        taken.append(words)
        found.links.append(link)
    said += _narrowed(asked, kind, found)
    if not said and not asked.links and not found.without:
        said += _gone(asked, kind, found)
    _deny(asked, kind, found, said, taken)
    return found


def _gone(asked: Asked, kind: str, found: _Conditions) -> list[tuple[Span, list[str]]]:
    """ "which systems are deprecated?": things that a decision speaks of so, whichever it is."""
    for said in asked.relations:
        for name, _ in said.meanings:
            if name in _OF_THE_PAST and kind in asked.view.relations.relations[name].objects:
                found.used += said.spans
                return [(said.span, [name, IN, ""])]
    return []


def _narrowed(asked: Asked, kind: str, found: _Conditions) -> list[tuple[Span, list[str]]]:
    """ "services in staging": an environment that no other condition uses narrows a relation of what is listed."""
    said = []
    for one in asked.qualifiers:
        for predicate in _OF_PLACES if not any(one.span.meets(span) for span in found.used) else ():
            relation = asked.view.relations.relations.get(predicate)
            few = asked.view.rows.predicates().get(predicate, 0) <= _MOST_SAID
            facts = asked.view.by(predicate) if relation and kind in relation.objects and few else []
            known = {key(part): part.strip() for fact in facts for part in fact.qualifier.split(";") if part.strip()}
            word = next((known[key(word)] for word in one.words if key(word) in known), "")
            if word:
                said.append((one.span, [predicate, IN, "", word]))
                found.used.append(one.span)
                break
    return said


def _excepted(asked: Asked, kind: str) -> list[Link]:
    """Names of what is listed that are left out: "which services other than mail need chat?"."""
    return [
        one
        for group in asked.together
        if any(0 <= group[0].span.first - span.end <= 2 for span in asked.has(EXCEPT))
        for one in group
        if kind in one.types
    ]


def _deny(
    asked: Asked, kind: str, found: _Conditions, said: list[tuple[Span, list[str]]], taken: Sequence[Said]
) -> None:
    """Tells which of the conditions each denying word denies: the next, or else the last; or that there is any."""
    denied: list[list[str]] = []
    free = [one for one in asked.relations if one not in taken]
    excepts = asked.has(EXCEPT)
    for span in asked.negated:
        if any(span.meets(other) for other in excepts):
            found.left += [] if any(one[0] == IS for one in found.without) else [span]
            continue
        behind = sorted((place.first, one) for place, one in said if place.first >= span.end and one not in denied)
        before = sorted((place.first, one) for place, one in said if place.end <= span.first and one not in denied)
        lacking = _lacking(asked, kind, span, free)
        if lacking and not behind:
            found.without.append(lacking[0])
            found.used += lacking[1].spans
        elif behind or before:
            denied.append(behind[0][1] if behind else before[-1][1])
        else:
            found.left.append(span)
    found.where += [one for _, one in said if one not in denied]
    found.without += denied
    if found.without and not found.where and any(one[0] == IS for one in found.without):
        for one in free[:1]:  # "which teams besides Platform own a service?"
            if lacked := _lacking(asked, kind, Span(0, 0), [one]):
                found.where.append(lacked[0])
                found.used += one.spans


def _lacking(asked: Asked, kind: str, denial: Span, free: Sequence[Said]) -> tuple[list[str], Said] | None:
    """The relation that things of this type are in with nobody: "have no owner", "report to nobody"."""
    near = sorted(free, key=lambda one: min(abs(span.first - denial.first) for span in one.spans))
    for said in near:
        for name, form in said.meanings:
            relation = asked.view.relations.relations[name]
            is_subject, is_object = kind in relation.subjects, kind in relation.objects
            if is_subject and is_object:
                is_subject = form not in (SUBJECT, INVERSE)
            if is_subject or is_object:
                return [name, OUT if is_subject else IN, ""], said
    return None


def _related(asked: Asked, one: Link, kind: str, taken: Sequence[Said]) -> tuple[tuple[str, str], Said, Link] | None:
    """How a named thing is related to what is listed: by the nearest words that fit, read from the thing listed."""
    ordered = sorted(asked.relations, key=lambda said: (said in taken, abs(said.span.first - one.span.first)))
    for said in (*ordered, *implied(asked, one, kind)):
        way = walk(asked, one.span, one.types, [said], {kind} if kind else ())
        if way and len(way.steps) == 1:
            ((predicate, direction),) = way.steps
            relation = asked.view.relations.relations[predicate]
            link = one.of(relation.subjects if direction == OUT else relation.objects) or one
            return (predicate, IN if direction == OUT else OUT), said, link
    return None


def _listed_types(asked: Asked) -> tuple[list[str], Span | None]:
    types, head = wanted_types(asked)
    if head in asked.cues["who"]:
        return ["Person"], head
    if not types:
        for said in asked.relations:
            for name, form in said.meanings:
                if form == SUBJECT and len(asked.view.relations.relations[name].subjects) <= 2:
                    return ["Person"] if "Person" in asked.view.relations.relations[name].subjects else [], said.span
    if not types:  # "senior engineers": the word for the type is part of a value
        within = [one for one in asked.kinds if any(one.span.meets(span) for span in asked.told)]
        return sorted({kind for one in within for kind in one.types}), head
    return sorted(types), head


def lists(asked: Asked) -> Iterator[Frame]:
    kinds, head = _listed_types(asked)
    if (
        asked.cues["count"]
        or (asked.is_yes_no and not asked.cues["list"])
        or (asked.cues["most"] and _grouped(asked, head)[0])
    ):
        return
    for kind in kinds:
        held = _conditions(asked, kind)
        if asked.links and not held.links and not held.any:
            continue
        if len(held.where) < 2 and held.links and not asked.attributes and not held.without:
            continue  # one relation of one thing is a chain
        if not held.any and not asked.cues["list"]:
            continue
        likely = 1.0 if held.any else 0.4 if asked.relations else 0.9  # "own more than one" narrows in a way unknown
        if len(held.links) > 1 and any({*held.links} >= {*group} for group in asked.together if len(group) > 1):
            is_each = asked.has(OR) or all(condition[1] == IN for condition in held.where)
            likely -= 0.3 if is_each else 0.0  # any of them will do
        yield _set(asked, "list", {"type": kind}, held, [], likely, kind)


def counts(asked: Asked) -> Iterator[Frame]:
    if not (asked.cues["count"] or asked.cues["most"]):
        return
    kinds, head = _listed_types(asked)
    group, group_span = _grouped(asked, head)
    if group_span and asked.cues["most"] and not asked.cues["count"]:
        kinds = _other_kinds(asked, group_span)
    for kind in kinds:
        held = _conditions(asked, kind)
        twice = [one for n, one in enumerate(held.where) if any(one[0] == other[0] for other in held.where[:n])]
        if twice and not group and twice[0][0] not in asked.view.relations.relations:
            group = twice[0][0]  # "how many in Oslo and how many in Bergen?"
        if group:
            held.where = [condition for condition in held.where if condition[0] != group]
        if not _is_told_of_most(asked, kind, [*held.where, *held.without]):
            held.lost += 2
        used = [group_span] if group_span else []
        used += parts(asked.relations) if group else nouns(asked)
        yield _set(asked, "count", {"type": kind, "by": group}, held, used, 1.0, kind)


def _is_told_of_most(asked: Asked, kind: str, where: list[list[str]]) -> bool:
    """Whether each attribute that is a condition is said of enough things of the type for a number to mean anything.

    A column "office" in a list of four first aiders does not tell how many people work there.
    """
    attributes = [condition[0] for condition in where if condition[0] not in asked.view.relations.relations]
    nodes = asked.view.rows.types().get(kind, 0) if attributes else 0
    return all(3 * len({row.subject for row in asked.view.rows.said_by(one)}) >= nodes for one in attributes)


def _other_kinds(asked: Asked, group: Span) -> list[str]:
    return sorted({kind for one in free_kinds(asked) if one.span != group for kind in one.types})


def _grouped(asked: Asked, head: Span | None) -> tuple[str, Span | None]:
    """What is counted by: an attribute or a relation whose end stands behind "per" or "each"."""
    marks = asked.cues["by"]
    for mark in marks:
        for attribute in asked.attributes:
            if 0 <= attribute.span.first - mark.end <= 1 and not attribute.values:
                return attribute.predicate, attribute.span
        for kind in asked.kinds:
            if 0 <= kind.span.first - mark.end <= 1 and kind.span != head:
                return _relation_to(asked, kind, head), kind.span
        for said in asked.relations:  # "for each owner"
            if 0 <= said.span.first - mark.end <= 1 and any(form == SUBJECT for _, form in said.meanings):
                return said.meanings[0][0], said.span
    if asked.cues["most"] and not asked.cues["count"]:
        for attribute in asked.attributes:
            if not attribute.values and any(attribute.span.first == span.end for span in asked.cues["what"]):
                return attribute.predicate, attribute.span
        types, span = wanted_types(asked)
        kind = next((one for one in asked.kinds if one.span == span), TypeWord(span or Span(0, 0), types))
        if span:
            return _relation_to(asked, kind, next((one.span for one in asked.kinds if one.span != span), None)), span
    return "", None


def _relation_to(asked: Asked, kind: TypeWord, head: Span | None) -> str:
    """The relation that is named, or the first that can lead from what is counted to this type."""
    for said in asked.relations:
        for name, _ in said.meanings:
            relation = asked.view.relations.relations[name]
            if kind.types & (relation.subjects | relation.objects):
                return name
    counted = next((one.types for one in asked.kinds if one.span == head), frozenset[str]())
    for name, relation in asked.view.relations.relations.items():
        ends = ((relation.subjects, relation.objects), (relation.objects, relation.subjects))
        if name in asked.predicates and any(counted & one and kind.types & other for one, other in ends):
            return name
    return ""


def _set(
    asked: Asked, tool: str, arguments: dict[str, Any], held: _Conditions, used: list[Span], likely: float, kind: str
) -> Frame:
    shared = [*base(asked), *cue(asked, "count", "by", "most")] if tool == "count" else base(asked)
    denials = [span for span in asked.negated if span not in held.left] if held.without else []
    if held.any and not held.links:
        used = [*used, *parts(asked.relations)]  # "services that run in the cloud"
    conditions = [" ".join(part for part in one if part) for one in held.where]
    conditions += ["no " + " ".join(part for part in one if part) for one in held.without]
    if held.without:
        arguments["without"] = held.without
    return Frame(
        tool,
        {**arguments, "where": held.where},
        [*shared, *held.used, *used, *denials],
        held.links,
        likely - 0.25 * held.lost,
        f"{tool} of {kind.lower()}s" + (f" with {' and '.join(conditions)}" if conditions else ""),
        as_of=as_of(asked),
        denies=bool(denials) and not held.left,
    )
