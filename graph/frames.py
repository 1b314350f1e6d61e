"""From what a question says to the typed questions that it may be: each with arguments, and how much it explains.

A frame says what must stand in a question for its tool, fills the arguments, and names the words that it used; what is
left over counts against it. Which frame wins is for route.py. Knows no embedder and no model.
Try: python -m graph ask "what changed about plan-store since March?"
"""

from collections.abc import Iterator

from graph.attributes import strangers
from graph.chains import chains, checks
from graph.cues import DECIDED, PAPERS, SOURCES, STATES, TALK
from graph.frame import RUNS, Frame, base, cue, free_kinds, parts, said_of
from graph.intent import Asked
from graph.sentence import Span
from graph.sets import counts, lists

_ABOUT_CHANGES = {"approved_by", "written_by"}
_FAILING = RUNS | {"Team", "Person", "Decision", ""}


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
        checks,
        counts,
        chains,
        lists,
        _cards,
        _joins,
        _refusals,
    ):
        found += one(asked)
    return found


def _refusals(asked: Asked) -> Iterator[Frame]:
    """It asks for a fact of a thing, called by its type or written as a name, and no such thing is named anywhere."""
    for one in asked.unknown or strangers(asked):
        said = [
            said
            for said in asked.relations
            for name, _ in said.meanings
            if not one.types or one.types & _ends(asked, name)
            if one.types or not one.is_person or name == "reports_to"
        ]
        cues = cue(asked, "impact", "changes", "relates", "card") if one.types else []
        if said or (asked.attributes and one.types) or cues:
            used = [*base(asked, "count", "impact", "changes", "relates", "card"), one.span, *parts(asked.relations)]
            used += [span for attribute in asked.attributes for span in (attribute.span, *attribute.value_spans)]
            used += [other.span for other in asked.links] + [one.span for one in asked.qualifiers]
            kind = f"a {' or '.join(sorted(one.types)).lower()} " if one.types else ""
            why = f"No document that you may read names {kind}“{one.text}”."
            likely = 1.0 if one.types else 0.8
            yield Frame("refuse", {"why": why}, used, asked.links, likely, why, unknown=one.text)


def _ends(asked: Asked, name: str) -> frozenset[str]:
    relation = asked.view.relations.relations[name]
    return relation.subjects | relation.objects


def _contradicted(asked: Asked) -> Iterator[Frame]:
    said = said_of(asked, "contradicts")
    decided = asked.has(DECIDED)
    links = [one for one in asked.links if one.types == {"Decision"}]
    if said and (decided or links) and len(asked.links) == len(links) < 2 and (not links or asked.has(TALK)):
        time = asked.time
        arguments = {"since": time.since if time else "", "until": time.until if time else ""}
        arguments |= {"decision": links[0].things[0].key} if links else {}
        more = [*said_of(asked, "mentions"), *said_of(asked, "deprecates"), *said_of(asked, "approved_by")]
        other = [span for table in STATES.values() for span in asked.has(table)]
        used = [*base(asked), *parts([*said, *more]), *decided, *asked.has(TALK), *other, *asked.told]
        used += [one.span for one in links]
        yield Frame("contradicted", arguments, used, links, about="decisions that talk goes against")


def _conflicts(asked: Asked) -> Iterator[Frame]:
    sources = asked.has(SOURCES)
    if asked.cues["conflicts"] and sources and len(asked.links) < 2:
        used = [*base(asked, "conflicts"), *sources, *[one.span for one in asked.links], *parts(asked.relations)]
        used += [span for one in asked.attributes for span in (one.span, *one.value_spans)]
        about = f" about {asked.links[0].things[0].name}" if asked.links else ""
        arguments = {"thing": asked.links[0].things[0].key} if asked.links else {}
        likely = 0.9 if asked.has(TALK) and asked.has(DECIDED) else 1.0  # talk against decisions is told first
        yield Frame("conflicts", arguments, used, list(asked.links), likely, about=f"where documents disagree{about}")


def _impact(asked: Asked) -> Iterator[Frame]:
    cues = asked.cues["impact"]
    for one in asked.links if cues else ():
        fits = one.of(_FAILING)
        if fits:
            said = [*said_of(asked, "affects"), *said_of(asked, "depends_on"), *said_of(asked, "owns")]
            for thing in fits.things[:1]:
                yield Frame(
                    "impact",
                    {"thing": thing.key},
                    [*base(asked, "impact"), one.span, *parts(said)],
                    [fits],
                    about=f"what is hit if {thing.name} fails",
                    denies=all(any(span.meets(at) for at in asked.cues["impact"]) for span in asked.negated),
                )


def _changes(asked: Asked) -> Iterator[Frame]:
    for one in asked.links if asked.cues["changes"] else ():
        time = asked.time
        arguments = {
            "thing": one.things[0].key,
            "since": time.since if time else "",
            "until": time.until if time else "",
        }
        yield Frame(
            "changes",
            arguments,
            [*base(asked, "changes"), one.span, *parts(asked.relations)],
            [one],
            0.95 if {name for said in asked.relations for name, _ in said.meanings} - _ABOUT_CHANGES else 1.0,
            about=f"what changed about {one.things[0].name}",
        )


def _path(asked: Asked) -> Iterator[Frame]:
    if asked.cues["relates"] and len(asked.links) > 1:
        one, *_, other = asked.links
        arguments = {"a": one.things[0].key, "b": other.things[0].key}
        yield Frame(
            "path",
            arguments,
            [*base(asked, "relates"), one.span, other.span],
            [one, other],
            about=f"the way from {one.things[0].name} to {other.things[0].name}",
        )


def _neighbours(asked: Asked) -> Iterator[Frame]:
    if asked.cues["relates"] and len(asked.links) == 1:
        one = asked.links[0]
        yield Frame(
            "neighbours",
            {"thing": one.things[0].key},
            [*base(asked, "relates"), one.span],
            [one],
            about=f"what {one.things[0].name} is related to",
        )


def _cards(asked: Asked) -> Iterator[Frame]:
    tells = asked.cues["card"] or _tells(asked)
    if tells and len(asked.links) == 1 and not asked.relations and not asked.attributes:
        one = asked.links[0]
        likely = 1.0 if one.sure else 0.8
        yield Frame(
            "card",
            {"thing": one.things[0].key},
            [*base(asked, "card"), *tells, one.span],
            [one],
            likely,
            f"what is known of {one.things[0].name}",
        )


def _tells(asked: Asked) -> list[Span]:
    """ "tell me all you have on it", "alles zu ihm": words that only ask for whatever there is."""
    return asked.cues["list"] if not asked.kinds and not asked.cues["who"] else []


def _joins(asked: Asked) -> Iterator[Frame]:
    """Of things of a type it asks which say something of a subject that is no thing: a subject of texts."""
    free = [kind for kind in free_kinds(asked) if not kind.types & {"Document", "Message", "Person"}]
    says = [span for span in asked.cues["says"] if free and free[0].span.end <= span.first]
    if not says or asked.links or not asked.cues["list"]:
        return
    explained = [*base(asked, "says"), *(span for span in asked.has(PAPERS) if span.end <= says[0].first)]
    rest = asked.left_over(explained)
    subject = [at for at in rest if at >= says[0].end] or [at for at in rest if free[0].span.end <= at < says[0].first]
    if subject and asked.amount(subject) >= 1:
        span = Span(subject[0], len(asked.sentence) if subject[0] >= says[0].end else subject[-1] + 1)
        (kind, *_), text = sorted(free[0].types), asked.sentence.slice(span)
        about = f"{kind.lower()}s of which texts say: {text}"
        yield Frame("join", {"type": kind, "text": text}, [*explained, span], [], 0.8, about)
