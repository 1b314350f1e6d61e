"""From what a question says to the typed questions that it may be: each with arguments, and how much it explains.

A frame says what must stand in a question for its tool, fills the arguments, and names the words that it used; what is
left over counts against it. Which frame wins is for route.py. Knows no embedder and no model.
Try: python -m graph ask "how many services does Bedrock own?"
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from facts.normal import key
from graph.cues import DECIDED, SOURCES, STATES, TALK, YES
from graph.intent import OBJECT, SUBJECT, UNSAID, Asked, Attribute, Said, said_values, strangers, values_of
from graph.linking import Link, TypeWord
from graph.plan import plan
from graph.sentence import Span
from graph.steps import IN, OUT, Walk, walk
from graph.view import Entity
from graph.walk import walk as lead

ACTORS, RUNS = frozenset({"Person", "Team"}), frozenset({"Service", "System"})
_FAILING = RUNS | {"Team", "Person", "Decision", ""}
_TOLD = 0.9  # a direction that the words tell
_MOST_QUALIFIER = 4  # tokens
_LAST_TYPE = ("zh", "ja")  # what is asked for stands behind what describes it


@dataclass
class Frame:
    """One reading of a question."""

    tool: str
    arguments: dict[str, Any]
    used: list[Span] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    likely: float = 1.0  # 0 to 1: whether the words for this tool stand there
    about: str = ""  # what it asks, for people
    is_guess: bool = False  # an example told the relation, no word
    missing: str = ""  # the relation or attribute that is said of others, but not of these things
    as_of: str = ""


def frames(asked: Asked) -> list[Frame]:
    """All that the words allow."""
    found: list[Frame] = []
    for one in (
        _conflicts,
        _contradicted,
        _impact,
        _changes,
        _path,
        _neighbours,
        _checks,
        _counts,
        _chains,
        _lists,
        _cards,
        _joins,
        _refusals,
    ):
        found += one(asked)
    return found


def _refusals(asked: Asked) -> Iterator[Frame]:
    """It asks for a fact of a thing that it calls by its type or writes as a name, and no such thing is named anywhere."""
    for one in asked.unknown or strangers(asked):
        said = [
            said
            for said in asked.relations
            for name, _ in said.meanings
            if not one.types or one.types & _ends(asked, name)
            if one.types or not one.is_person or name == "reports_to"
        ]
        cues = _cue(asked, "impact", "changes", "relates", "card") if one.types else []
        if said or (asked.attributes and one.types) or cues:
            used = [*_base(asked, "count", "impact", "changes", "relates", "card"), one.span, *_parts(asked.relations)]
            used += [span for attribute in asked.attributes for span in (attribute.span, *attribute.value_spans)]
            used += [other.span for other in asked.links] + [one.span for one in asked.qualifiers]
            kind = f"a {' or '.join(sorted(one.types)).lower()} " if one.types else ""
            why = f"No document that you may read names {kind}“{one.text}”."
            yield Frame("refuse", {"why": why}, used, asked.links, 1.0 if one.types else 0.8, why)


def _ends(asked: Asked, name: str) -> frozenset[str]:
    relation = asked.view.relations.relations[name]
    return relation.subjects | relation.objects


def wanted_types(asked: Asked) -> tuple[frozenset[str], Span | None]:
    """The types of what is asked for, and the word that says so."""
    free = free_kinds(asked)
    who = asked.cues["who"]
    heads = [*asked.cues["list"], *asked.cues["what"], *asked.cues["count"]]
    for kind in free:
        if any(span.end == kind.span.first for span in heads) and not (who and who[0].first < kind.span.first):
            return kind.types, kind.span
    if who:
        return ACTORS, who[0]
    if free:
        chosen = free[-1] if asked.sentence.lang in _LAST_TYPE else free[0]
        return chosen.types, chosen.span
    return frozenset(), None


def free_kinds(asked: Asked) -> list[TypeWord]:
    """Words for types that stand for things to be found, not beside the name of one, in no word for a relation."""
    beside = [one.span for one in (*asked.links, *asked.unknown) if getattr(one, "typed", True)]
    attributes = [span for one in asked.attributes for span in (one.span, *one.value_spans)]
    return [
        kind
        for kind in asked.kinds
        if not any(
            kind.span.end == span.first or kind.span.first == span.end for span in beside if _is_for(asked, kind, span)
        )
        and not any(kind.span.meets(span) for said in asked.relations for span in said.spans)
        and not any(kind.span.meets(span) for span in attributes)
    ]


def _is_for(asked: Asked, kind: TypeWord, span: Span) -> bool:
    for one in (*asked.links, *asked.unknown):
        if one.span == span:
            fits = bool(one.types & kind.types)
            behind = kind.span.first == span.end and _has_before(asked, span, one.types)
            return fits and not behind
    return False


def _has_before(asked: Asked, span: Span, types: frozenset[str]) -> bool:
    return any(kind.span.end == span.first and kind.types & types for kind in asked.kinds)


def _kinds_used(asked: Asked) -> list[Span]:
    return [kind.span for kind in asked.kinds]


def _keys(things: Sequence[Entity]) -> list[str]:
    return [one.key for one in things]


def _cue(asked: Asked, *names: str) -> list[Span]:
    return [span for name in names for span in asked.cues[name]]


def _base(asked: Asked, *names: str) -> list[Span]:
    """Words that a frame of a question explains anyway: types, time, who and which."""
    return [
        *_kinds_used(asked), *_cue(asked, "who", "what", "list", *names),
        *([asked.time_span] if asked.time_span else []),
    ]  # fmt: skip


def _of(asked: Asked, name: str) -> list[Said]:
    return [one for one in asked.relations if any(relation == name for relation, _ in one.meanings)]


def _parts(said: Sequence[Said]) -> list[Span]:
    return [span for one in said for span in one.spans]


def _contradicted(asked: Asked) -> Iterator[Frame]:
    said = _of(asked, "contradicts")
    decided = asked.has(DECIDED)
    if said and decided and not asked.links:
        time = asked.time
        arguments = {"since": time.since if time else "", "until": time.until if time else ""}
        more = [*_of(asked, "mentions"), *_of(asked, "deprecates"), *_of(asked, "approved_by")]
        states = [span for table in STATES.values() for span in asked.has(table)]
        used = [*_base(asked), *_parts([*said, *more]), *decided, *asked.has(TALK), *_states(asked), *states]
        yield Frame("contradicted", arguments, used, about="decisions that talk goes against")


def _states(asked: Asked) -> list[Span]:
    return [span for one in asked.attributes if one.predicate == "status" for span in (one.span, *one.value_spans)]


def _conflicts(asked: Asked) -> Iterator[Frame]:
    sources = asked.has(SOURCES)
    if asked.cues["conflicts"] and sources and len(asked.links) < 2:
        used = [*_base(asked, "conflicts"), *sources, *[one.span for one in asked.links], *_parts(asked.relations)]
        used += [span for one in asked.attributes for span in (one.span, *one.value_spans)]
        about = f" about {asked.links[0].things[0].name}" if asked.links else ""
        arguments = {"thing": asked.links[0].things[0].key} if asked.links else {}
        yield Frame("conflicts", arguments, used, list(asked.links), about=f"where documents disagree{about}")


def _impact(asked: Asked) -> Iterator[Frame]:
    cues = asked.cues["impact"]
    for one in asked.links if cues else ():
        fits = one.of(_FAILING)
        if fits:
            said = [*_of(asked, "affects"), *_of(asked, "depends_on"), *_of(asked, "owns")]
            for thing in fits.things[:1]:
                yield Frame(
                    "impact",
                    {"thing": thing.key},
                    [*_base(asked, "impact"), one.span, *_parts(said)],
                    [fits],
                    about=f"what is hit if {thing.name} fails",
                )


def _changes(asked: Asked) -> Iterator[Frame]:
    for one in asked.links if asked.cues["changes"] else ():
        time = asked.time
        arguments = {
            "thing": one.things[0].key,
            "since": time.since if time else "",
            "until": time.until if time else "",
        }
        said = [*_of(asked, "approved_by"), *_of(asked, "written_by")]
        yield Frame(
            "changes",
            arguments,
            [*_base(asked, "changes"), one.span, *_parts(said)],
            [one],
            about=f"what changed about {one.things[0].name}",
        )


def _path(asked: Asked) -> Iterator[Frame]:
    if asked.cues["relates"] and len(asked.links) > 1:
        one, *_, other = asked.links
        arguments = {"a": one.things[0].key, "b": other.things[0].key}
        yield Frame(
            "path",
            arguments,
            [*_base(asked, "relates"), one.span, other.span],
            [one, other],
            about=f"the way from {one.things[0].name} to {other.things[0].name}",
        )


def _neighbours(asked: Asked) -> Iterator[Frame]:
    if asked.cues["relates"] and len(asked.links) == 1:
        one = asked.links[0]
        yield Frame(
            "neighbours",
            {"thing": one.things[0].key},
            [*_base(asked, "relates"), one.span],
            [one],
            about=f"what {one.things[0].name} is related to",
        )


def _cards(asked: Asked) -> Iterator[Frame]:
    if asked.cues["card"] and len(asked.links) == 1 and not asked.relations and not asked.attributes:
        one = asked.links[0]
        likely = 1.0 if one.sure else 0.6
        yield Frame(
            "card",
            {"thing": one.things[0].key},
            [*_base(asked, "card"), one.span],
            [one],
            likely,
            f"what is known of {one.things[0].name}",
        )


def _joins(asked: Asked) -> Iterator[Frame]:
    free = [kind for kind in free_kinds(asked) if not kind.types & {"Document", "Message", "Person"}]
    says = asked.cues["says"]
    if free and says and not asked.links and asked.cues["list"] and free[0].span.end <= says[0].first:
        rest = [at for at in asked.left_over([*_base(asked, "says")]) if at >= says[0].end]
        if len(rest) >= 2:
            last = len(asked.sentence)
            text = asked.sentence.slice(Span(says[0].end, last))
            (kind, *_) = sorted(free[0].types)
            yield Frame(
                "join",
                {"type": kind, "text": text},
                [*_base(asked, "says"), Span(says[0].first, last)],
                [],
                0.8,
                f"{kind.lower()}s of which texts say: {text}",
            )


def _qualifier(asked: Asked, predicates: Sequence[str], links: Sequence[Link]) -> tuple[str, list[Span]]:
    """The qualifier in the documents' words, where they have one for it, else in the question's."""
    if "has_access" not in predicates:
        return "", []
    things = [thing for one in links for thing in one.things]
    facts = [*asked.view.of(things, ["has_access"]), *asked.view.about(things, ["has_access"])]
    known = {key(part): part.strip() for fact in facts for part in fact.qualifier.split(";") if part.strip()}
    taken = [one.span for one in (*asked.links, *asked.kinds)] + _parts(asked.relations)
    told: dict[Span, str] = {}
    for one in asked.qualifiers:
        fits = [known[key(word)] for word in one.words if key(word) in known]
        told[one.span] = fits[0] if fits else one.words[-1]
    for span in asked.sentence.runs(_MOST_QUALIFIER):
        word = key(asked.sentence.slice(span))
        if word in known and not any(span.meets(other) for other in (*taken, *told)):
            told[span] = known[word]
    return "; ".join(dict.fromkeys(told.values())), list(told)


def _missing(asked: Asked, things: Sequence[Entity], step: tuple[str, str]) -> str:
    """The relation, if it is said of other things in this view, but not of these."""
    predicate, way = step
    if predicate not in asked.predicates:
        return ""
    facts = asked.view.of(things, [predicate]) if way == OUT else asked.view.about(things, [predicate])
    return "" if facts else predicate


def _chains(asked: Asked) -> Iterator[Frame]:
    types, _ = wanted_types(asked)
    for one in asked.links:
        if types and not asked.relations and not asked.attributes and not asked.is_yes_no:
            for kind in sorted(types & {"Person", "Team", "Service", "System"}):
                way = walk(asked, one.span, one.types, _implied(asked, one, kind), {kind})
                if way and way.steps:
                    frame = _chain(asked, one, way, [], types, 0)
                    frame.likely -= 0.25
                    yield frame
                    break
        targets = [attribute for attribute in asked.attributes if not attribute.values or _is_choice(asked, attribute)]
        for said, lost in _selections(asked, one, targets):
            if not said:
                continue
            ends = types if not targets else frozenset[str]()
            way = walk(asked, one.span, one.types, said, ends)
            if way is None and ends == ACTORS:  # "who depends on it?" may ask for services
                way = walk(asked, one.span, one.types, said, ())
            if way:
                yield _chain(asked, one, way, targets, types, lost)
                break
        if targets and not _required(asked):
            yield _chain(asked, one, Walk((), one.types, (), 0.0), targets, types, 0)


def _required(asked: Asked, one: Link | None = None, targets: Sequence[Attribute] = ()) -> list[Said]:
    """Relations that lead on, beside an attribute that is asked for; all of them where the thing itself has none."""
    if one and targets and not asked.view.of(one.things, [target.predicate for target in targets]):
        return asked.relations
    soft = {("owns", "inverse"), ("member_of", "active"), ("depends_on", "active"), ("owns", "active")}
    return [one for one in asked.relations if not soft & set(one.meanings)]


def _selections(asked: Asked, one: Link, targets: Sequence[Attribute]) -> Iterator[tuple[list[Said], int]]:
    """All relations that are named, then all but one: a word may mean nothing here."""
    every = _required(asked, one, targets) if targets else asked.relations
    yield every, 0
    least = _required(asked)
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
    qualifier, spans = _qualifier(asked, [step[0] for step in steps], [start])
    ends = way.ends & types if types else frozenset[str]()
    end_type = next(iter(ends)) if len(ends) == 1 and not targets else ""
    used = [*_base(asked), one.span, *_parts(way.said), *spans]
    used += [span for attribute in targets[:1] for span in (attribute.span, *attribute.value_spans)]
    if targets:
        used += _parts([said for said in asked.relations if said not in way.said and said not in _required(asked)])
    missing = _missing(asked, start.things, (steps[0][0], steps[0][1]))
    is_guess = any(form == UNSAID for said in way.said for _, form in said.meanings)
    if missing and len(steps) == 1 and way.likely < _TOLD:
        steps = [list(step) for step in plan(asked.view, start.things, [steps[0][0]], types)] or steps
        missing = _missing(asked, start.things, (steps[0][0], steps[0][1]))
        end_type = "Person" if asked.cues["who"] and "Person" in types and len(steps) == 1 else ""
    if len(way.said) > 1 and not targets and not missing:
        steps = _that_lead_on(asked, start, steps, way, types)
    told = " → ".join(f"{predicate} ({direction})" for predicate, direction in steps)
    likely = 0.75 if asked.is_yes_no and not targets else 1.0
    if lost:
        likely -= 0.2
    if asked.cues["count"]:
        likely -= 0.3
    if any(other is not one for other in asked.links):
        likely -= 0.25
    arguments = {"start": _keys(start.things), "steps": steps, "end_type": end_type, "qualifier": qualifier}
    as_of = asked.time.as_of if asked.time else ""
    about = f"{told} from {start.things[0].name}"
    return Frame("chain", arguments, used, [start], likely, about, is_guess, missing, as_of)


def _that_lead_on(
    asked: Asked, start: Link, steps: list[list[str]], way: Walk, types: frozenset[str]
) -> list[list[str]]:
    """These steps, or others by the same relations, if these lead nowhere and others do."""
    if lead(asked.view, start.things, [(name, OUT if told == OUT else IN) for name, told in steps]):
        return steps
    order = sorted(way.said, key=lambda said: said.span.first)
    names = [step[0] for step in way.steps]
    mentioned = [name for said in order for name, _ in said.meanings if name in names]
    return [list(step) for step in plan(asked.view, start.things, list(dict.fromkeys(mentioned)), types)] or steps


def _conditions(asked: Asked, kind: str, skip: Span | None) -> tuple[list[list[str]], list[Span], list[Link], int]:
    """What the things asked for must be or have: filters, the words used, the links, and how many links found no use."""
    where: list[list[str]] = []
    used: list[Span] = []
    links: list[Link] = []
    lost = 0
    for attribute in asked.attributes:
        for value in attribute.values or _said_to_hold(asked, attribute):
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
        qualifier, spans = _qualifier(asked, [step[0]], [link])
        where.append([step[0], step[1], link.things[0].key, *([qualifier] if qualifier else [])])
        used += [one.span, *said.spans, *spans]
        taken.append(said)
        links.append(link)
    return where, used, links, lost


def _said_to_hold(asked: Asked, attribute: Attribute) -> list[str]:
    """The value by which a table marks it: "true", "yes"."""
    marks = {key(word) or word for words in YES.values() for word in words}
    return sorted(value for value in values_of(asked, attribute.predicate) if (key(value) or value) in marks)[:1]


def _related(asked: Asked, one: Link, kind: str, taken: Sequence[Said]) -> tuple[tuple[str, str], Said, Link] | None:
    """How a named thing is related to what is listed: by the nearest words that fit, read from the thing listed."""
    ordered = sorted(asked.relations, key=lambda said: (said in taken, abs(said.span.first - one.span.first)))
    for said in (*ordered, *_implied(asked, one, kind)):
        way = walk(asked, one.span, one.types, [said], {kind} if kind else ())
        if way:
            ((predicate, direction),) = way.steps
            relation = asked.view.relations.relations[predicate]
            link = one.of(relation.subjects if direction == OUT else relation.objects) or one
            return (predicate, IN if direction == OUT else OUT), said, link
    return None


def _implied(asked: Asked, one: Link, kind: str) -> list[Said]:
    """ "services of the platform team": what joins the two most often, where no relation is named."""
    span = Span(one.span.first, one.span.first)
    for name in _USUAL:
        relation = asked.view.relations.relations.get(name)
        ends = ((relation.subjects, relation.objects), (relation.objects, relation.subjects)) if relation else ()
        if name in asked.predicates and any(one.types & here and (not kind or kind in there) for here, there in ends):
            return [Said((span,), ((name, "active"),))]
    return []


_USUAL = ("member_of", "owns", "affects", "depends_on")


def _listed_types(asked: Asked) -> tuple[list[str], Span | None]:
    types, head = wanted_types(asked)
    if head in asked.cues["who"]:
        return ["Person"], head
    if not types:
        for said in asked.relations:
            for name, form in said.meanings:
                if form == SUBJECT and len(asked.view.relations.relations[name].subjects) <= 2:
                    return ["Person"] if "Person" in asked.view.relations.relations[name].subjects else [], said.span
    return sorted(types), head


def _lists(asked: Asked) -> Iterator[Frame]:
    kinds, head = _listed_types(asked)
    if asked.cues["count"] or asked.is_yes_no and not asked.cues["list"]:
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


def _counts(asked: Asked) -> Iterator[Frame]:
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
        arguments = {"type": kind, "where": where, "by": group}
        used += [group_span] if group_span else []
        used += _parts(_of(asked, group)) if group else _nouns(asked)
        yield _set(asked, "count", arguments, used, links, 1.0 - 0.25 * lost, kind)


def _nouns(asked: Asked) -> list[Span]:
    return _parts([one for one in asked.relations if any(form == SUBJECT for _, form in one.meanings)])


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
        if (counted & relation.objects and kind.types & relation.subjects) or (
            counted & relation.subjects and kind.types & relation.objects
        ):
            if name in asked.predicates:
                return name
    return ""


def _set(
    asked: Asked, tool: str, arguments: dict[str, Any], used: list[Span], links: list[Link], likely: float, kind: str
) -> Frame:
    base = [*_base(asked), *_cue(asked, "count", "by", "most")] if tool == "count" else _base(asked)
    told = " and ".join(" ".join(part for part in condition if part) for condition in arguments["where"])
    as_of = asked.time.as_of if asked.time else ""
    return Frame(
        tool,
        arguments,
        [*base, *used],
        links,
        likely,
        f"{tool} of {kind.lower()}s" + (f" with {told}" if told else ""),
        as_of=as_of,
    )


def _checks(asked: Asked) -> Iterator[Frame]:
    if not asked.is_yes_no:
        return
    if len(asked.links) == 2:
        yield from _related_pair(asked, *asked.links)
    if len(asked.links) == 1:
        one = asked.links[0]
        for attribute in asked.attributes:
            if len(attribute.values) == 1 or (not attribute.values and _said_to_hold(asked, attribute)):
                value = attribute.values[0] if attribute.values else _said_to_hold(asked, attribute)[0]
                arguments = {
                    "subject": one.things[0].key,
                    "predicate": attribute.predicate,
                    "object": value,
                    "qualifier": "",
                }
                used = [
                    *_base(asked),
                    one.span,
                    attribute.span,
                    *attribute.value_spans,
                    *_parts([said for said in asked.relations if said not in _required(asked)]),
                ]
                missing = _missing(asked, one.things, (attribute.predicate, OUT))
                as_of = asked.time.as_of if asked.time else ""
                yield Frame(
                    "check",
                    arguments,
                    used,
                    [one],
                    1.0,
                    f"whether {attribute.predicate} of {one.things[0].name} is {value}",
                    missing=missing,
                    as_of=as_of,
                )


def _related_pair(asked: Asked, one: Link, other: Link) -> Iterator[Frame]:
    best: tuple[float, str, Link, Link, Said] | None = None
    allowed = [Said((place.span,), (("has_access", "active"),)) for place in asked.qualifiers[:1]]
    for said in asked.relations or allowed:
        way = walk(asked, one.span, one.types, [said], other.types - {""})
        back = walk(asked, other.span, other.types, [said], one.types - {""})
        for walked, start, end in ((way, one, other), (back, other, one)):
            if walked is None:
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
        qualifier, spans = _qualifier(asked, [predicate], [first, second])
        nouns = _nouns(asked)
        arguments = {
            "subject": first.things[0].key,
            "predicate": predicate,
            "object": second.things[0].key,
            "qualifier": qualifier,
        }
        as_of = asked.time.as_of if asked.time else ""
        yield Frame(
            "check", arguments, [*_base(asked), one.span, other.span, *said.spans, *spans, *nouns], [first, second], 1.0,
            f"whether {first.things[0].name} {predicate} {second.things[0].name}", as_of=as_of,
        )  # fmt: skip


def _owner_of(said: Said, one: Link, other: Link) -> Link | None:
    """Of two names the one that a noun between or behind them belongs to: "the boss of X", "X's boss"."""
    if not any(form in (SUBJECT, OBJECT) for _, form in said.meanings):
        return None
    behind = other.span.first - said.span.end
    return other if behind < _CLOSE and (behind >= 0 or other.span.end <= said.span.first) else None


_CLOSE = 4  # tokens
Reader = Callable[[Asked], Iterator[Frame]]
__all__ = ["Frame", "Reader", "frames", "free_kinds", "said_values", "wanted_types"]
