"""One reading of a question as a typed question, and what all kinds of them share: what is asked for, what is used up.

Knows no tool in particular. Try: pytest tests/test_route.py
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from facts.normal import key
from graph.attributes import values_of
from graph.cues import ACCORDING, SOURCES, YES
from graph.intent import OBJECT, SUBJECT, Asked, Attribute, Said
from graph.linking import Link, TypeWord
from graph.sentence import Span
from graph.steps import OUT
from graph.view import Entity

ACTORS, RUNS = frozenset({"Person", "Team"}), frozenset({"Service", "System"})
_MOST_QUALIFIER = 4  # tokens
_LAST_TYPE = ("zh", "ja")  # what is asked for stands behind what describes it
_USUAL = ("member_of", "owns", "affects", "depends_on")
_SOFT = frozenset({("owns", "inverse"), ("member_of", "active"), ("depends_on", "active"), ("owns", "active")})
"""Words like "belong to", "work in", "need" that also lead to an attribute's value."""


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
    denies: bool = False  # it says what the denying words of the question deny
    unknown: str = ""  # the name that nothing readable bears, where that is why it is refused
    is_implied: bool = False  # no word names the relation, only the types do


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
    for said in asked.relations:  # "the lead of the team that owns it": a lead is asked for
        for name, form in said.meanings if not free or said.span.first < free[0].span.first else ():
            relation = asked.view.relations.relations[name]
            if form in (SUBJECT, OBJECT) and not any(span.end == said.span.first for span in heads):
                return relation.subjects if form == SUBJECT else relation.objects, said.span
    if free:
        chosen = free[-1] if asked.sentence.lang in _LAST_TYPE else free[0]
        return chosen.types, chosen.span
    return frozenset(), None


def free_kinds(asked: Asked) -> list[TypeWord]:
    """Words for types that stand for things to be found, not beside the name of one, in no word for a relation."""
    return [
        kind
        for kind in asked.kinds
        if not any(_is_for(asked, kind, span, types) for span, types in _typed(asked))
        and not any(kind.span.meets(span) for said in asked.relations for span in said.spans)
        and not any(kind.span.meets(span) for span in asked.told)
    ]


def _typed(asked: Asked) -> list[tuple[Span, frozenset[str]]]:
    """The names beside a word for their type."""
    known = [(one.span, one.types) for one in asked.links if one.typed]
    return known + [(one.span, one.types) for one in asked.unknown]


def _is_for(asked: Asked, kind: TypeWord, span: Span, types: frozenset[str]) -> bool:
    """Whether the word says the type of this name: the one before it, else the one behind."""
    if not types & kind.types:
        return False
    if kind.span.end == span.first:
        return True
    has_before = any(other.span.end == span.first and other.types & types for other in asked.kinds)
    return kind.span.first == span.end and not has_before


def keys_of(things: Sequence[Entity]) -> list[str]:
    return [one.key for one in things]


def cue(asked: Asked, *names: str) -> list[Span]:
    return [span for name in names for span in asked.cues[name]]


def base(asked: Asked, *names: str) -> list[Span]:
    """Words that a frame of a question explains anyway: types, time, who and which."""
    return [
        *(kind.span for kind in asked.kinds), *cue(asked, "who", "what", "list", *names),
        *([asked.time_span] if asked.time_span else []), *_where_to_look(asked),
    ]  # fmt: skip


def _where_to_look(asked: Asked) -> list[Span]:
    """ "according to our documents", "what does the wiki say about": nothing that is asked for."""
    sources = asked.has(SOURCES)
    says = [span for span in asked.cues["says"] if any(span.first - one.end in (0, 1) for one in sources)]
    according = asked.has(ACCORDING)
    told = [one for one in sources if says or any(one.first - span.end in (0, 1) for span in according)]
    return [*told, *says, *(span for span in according if any(one.first - span.end in (0, 1) for one in told))]


def said_of(asked: Asked, name: str) -> list[Said]:
    return [one for one in asked.relations if any(relation == name for relation, _ in one.meanings)]


def parts(said: Sequence[Said]) -> list[Span]:
    return [span for one in said for span in one.spans]


def qualifier_of(asked: Asked, predicates: Sequence[str], links: Sequence[Link]) -> tuple[str, list[Span]]:
    """The qualifier in the documents' words, where they have one for it, else in the question's."""
    if "has_access" not in predicates:
        return "", []
    things = [thing for one in links for thing in one.things]
    facts = [*asked.view.of(things, ["has_access"]), *asked.view.about(things, ["has_access"])]
    known = {key(part): part.strip() for fact in facts for part in fact.qualifier.split(";") if part.strip()}
    taken = [*asked.named, *(kind.span for kind in asked.kinds), *parts(asked.relations)]
    told: dict[Span, str] = {}
    for one in asked.qualifiers:
        fits = [known[key(word)] for word in one.words if key(word) in known]
        told[one.span] = fits[0] if fits else one.words[-1]
    for span in asked.sentence.runs(_MOST_QUALIFIER):
        word = key(asked.sentence.slice(span))
        if word in known and not any(span.meets(other) for other in (*taken, *told)):
            told[span] = known[word]
    return "; ".join(dict.fromkeys(told.values())), list(told)


def missing_of(asked: Asked, things: Sequence[Entity], step: tuple[str, str]) -> str:
    """The relation, if it is said of other things in this view, but not of these."""
    predicate, way = step
    if predicate not in asked.predicates:
        return ""
    facts = asked.view.of(things, [predicate]) if way == OUT else asked.view.about(things, [predicate])
    return "" if facts else predicate


def implied(asked: Asked, one: Link, kind: str) -> list[Said]:
    """ "services of the platform team": what joins the two most often, where no relation is named."""
    span = Span(one.span.first, one.span.first)
    for name in _USUAL:
        relation = asked.view.relations.relations.get(name)
        ends = ((relation.subjects, relation.objects), (relation.objects, relation.subjects)) if relation else ()
        if name in asked.predicates and any(one.types & here and (not kind or kind in there) for here, there in ends):
            return [Said((span,), ((name, "active"),))]
    return []


def nouns(asked: Asked) -> list[Span]:
    return parts([one for one in asked.relations if any(form == SUBJECT for _, form in one.meanings)])


def marked_values(asked: Asked, attribute: Attribute) -> list[str]:
    """The value by which a table marks it: "true", "yes"."""
    marks = {key(word) or word for words in YES.values() for word in words}
    values = values_of(asked, attribute.predicate)
    return sorted(value for value in values if (key(value) or value) in marks)[: len({*values}) < 3]


def as_of(asked: Asked) -> str:
    """The date of the question, "" for none."""
    return asked.time.as_of if asked.time else ""


def required(asked: Asked, one: Link | None = None, targets: Sequence[Attribute] = ()) -> list[Said]:
    """Relations that lead on, beside an attribute that is asked for; all of them where the thing itself has none."""
    if one and targets and not asked.view.of(one.things, [target.predicate for target in targets]):
        return asked.relations
    soft = {("owns", "inverse"), ("member_of", "active"), ("depends_on", "active"), ("owns", "active")}
    return [one for one in asked.relations if not soft & set(one.meanings)]
