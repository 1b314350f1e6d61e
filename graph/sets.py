"""Questions for all things of a type, listed or counted, with the conditions that they must meet.

Knows no chains. Try: python -m graph ask "how many services of tier 1 are there?"
"""

from collections.abc import Iterator, Sequence
from typing import Any

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
    said_of,
    wanted_types,
)
from graph.intent import SUBJECT, Asked, Said
from graph.linking import Link, TypeWord
from graph.sentence import Span
from graph.steps import IN, OUT, walk


def _conditions(asked: Asked, kind: str, skip: Span | None) -> tuple[list[list[str]], list[Span], list[Link], int]:
    """What things must be or have: filters, the words used, the links, and how many links found no use."""
    where: list[list[str]] = []
    used: list[Span] = []
    links: list[Link] = []
    lost = 0
    for attribute in asked.attributes:
        for value in attribute.values or marked_values(asked, attribute):
            where.append([attribute.predicate, OUT, value])
        used += [attribute.span, *attribute.value_spans]
    taken: list[Said] = []
    for one in asked.links:
        if any(one.span.meets(span) for span in used):
            continue
        made = _related(asked, one, kind, taken)
        if made is None:
            lost += 1
            continue
        step, said, link = made
        qualifier, spans = qualifier_of(asked, [step[0]], [link])
        where.append([step[0], step[1], link.things[0].key, *([qualifier] if qualifier else [])])
        used += [one.span, *said.spans, *spans]
        taken.append(said)
        links.append(link)
    return where, used, links, lost


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
    if asked.cues["count"] or (asked.is_yes_no and not asked.cues["list"]):
        return
    for kind in kinds:
        where, used, links, lost = _conditions(asked, kind, head)
        if asked.links and not links and not where:
            continue
        if len(where) < 2 and links and not asked.attributes:
            continue  # one relation of one thing is a chain
        if not where and not asked.cues["list"]:
            continue
        likely = (1.0 if where else 0.9) - 0.25 * lost
        yield _set(asked, "list", {"type": kind, "where": where}, used, links, likely, kind)


def counts(asked: Asked) -> Iterator[Frame]:
    if not (asked.cues["count"] or asked.cues["most"]):
        return
    kinds, head = _listed_types(asked)
    group, group_span = _grouped(asked, head)
    if group_span and asked.cues["most"] and not asked.cues["count"]:
        kinds = _other_kinds(asked, group_span)
    for kind in kinds:
        where, used, links, lost = _conditions(asked, kind, head)
        if group and any(condition[0] == group for condition in where):
            where = [condition for condition in where if condition[0] != group]
        if not _is_told_of_most(asked, kind, where):
            lost += 2
        arguments = {"type": kind, "where": where, "by": group}
        used += [group_span] if group_span else []
        used += parts(said_of(asked, group)) if group else nouns(asked)
        yield _set(asked, "count", arguments, used, links, 1.0 - 0.25 * lost, kind)


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
    if asked.cues["most"] and not asked.cues["count"]:
        types, span = wanted_types(asked)
        kind = next((one for one in asked.kinds if one.span == span), TypeWord(span or Span(0, 0), types))
        if span:
            return _relation_to(asked, kind, None), span
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
    asked: Asked, tool: str, arguments: dict[str, Any], used: list[Span], links: list[Link], likely: float, kind: str
) -> Frame:
    shared = [*base(asked), *cue(asked, "count", "by", "most")] if tool == "count" else base(asked)
    told = " and ".join(" ".join(part for part in condition if part) for condition in arguments["where"])
    return Frame(
        tool,
        arguments,
        [*shared, *used],
        links,
        likely,
        f"{tool} of {kind.lower()}s" + (f" with {told}" if told else ""),
        as_of=as_of(asked),
    )
