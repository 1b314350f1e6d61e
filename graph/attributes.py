"""Which attributes a question names, with their values: by the view's own names, by what they may be called, by value.

Knows no tool's arguments. Try: python -m graph ask "which services of tier 1 does Bedrock own?"
"""

from collections.abc import Iterable
from functools import lru_cache

from facts.normal import key
from graph.cues import ALIKE, OR, STATES, STATUS
from graph.intent import SUBJECT, Asked, Attribute, spans_of, within
from graph.linking import Unknown, is_written_as_name, written_names
from graph.sentence import Sentence, Span
from language.words import is_function_word

_OF_PEOPLE = ("member_of", "reports_to")
NAMING = frozenset({"id", "name", "called", "alias", "aliases", "nickname", "short name", "goes by", "also called"})
"""Attributes that only say what a thing is called."""
_MOST_VALUES = 5_000  # rows of one attribute that are read for its values
_MOST_VALUE_TOKENS, _MOST_UNNAMED = 6, 4


def with_attributes(asked: Asked) -> Asked:
    """Adds the attributes that the question names, with those of their values that it says."""
    sentence, lang = asked.sentence, asked.sentence.lang
    names = [one for one in asked.predicates if one not in asked.view.relations.relations]
    held: dict[Span, str] = {}
    for name in names:
        words = Sentence(name, lang).words
        if all(is_function_word(word, lang) for word in words):
            continue  # a column "for" or "when"
        for span, *_ in [*sentence.find((key(name) or name,)), *sentence.find(_alike(name, lang))]:
            if all(
                any(within(Span(at, at + 1), part) for said in asked.relations for part in said.spans)
                or asked.is_plain(at)
                for at in range(span.first, span.end)
            ):
                continue  # "manager" is a relation first
            if not any(span.meets(one.span) for one in asked.links if one.sure and not within(one.span, span)):
                held.setdefault(span, name)
    for span in sorted(held, key=lambda span: (span.first - span.end, span.first)):
        if not any(span.meets(one.span) for one in asked.attributes):
            own = {key(value): value for value in values_of(asked, held[span])}.get(key(sentence.slice(span)))
            values = ((own,), (span,)) if own else said_values(asked, held[span], [span])
            asked.attributes.append(Attribute(span, held[span], *values))
    _add_states(asked)
    _add_own(asked)
    _add_unnamed(asked)
    asked.attributes.sort(key=lambda one: one.span.first)
    return asked


@lru_cache(maxsize=1_000)
def _alike(name: str, lang: str) -> tuple[str, ...]:
    """What an attribute may be called instead, in this language."""
    return tuple(
        word
        for table in ALIKE
        if any(key(name) == key(one) for words in table.values() for one in words)
        for word in table.get(lang, ())
        if key(word) != key(name)
    )


def _add_states(asked: Asked) -> None:
    """The status, by its own words or those of the states; a relation's words that only name a state are none."""
    if "status" not in asked.predicates or "Decision" not in asked.types:
        return
    sentence = asked.sentence
    heads = [span for span in spans_of(sentence, STATUS) if not _taken(asked, span)]
    held = {key(value): value for value in values_of(asked, "status")}
    named: dict[Span, str] = {}
    for name, table in STATES.items():
        for parts in sentence.find(table.get(sentence.lang, ())):
            if not _taken(asked, parts[0]):
                named.setdefault(parts[0], held.get(name, name))
    is_one = len(asked.links) == 1 and "Decision" in asked.links[0].types
    is_choice = bool(named) and bool(spans_of(sentence, OR)) and (asked.is_yes_no or bool(heads)) and is_one
    is_check = bool(named) and asked.is_yes_no and is_one
    if not (heads or is_choice or is_check or (named and not asked.links)):
        return
    spans = sorted(named, key=lambda span: span.first)
    if is_choice and len(named) == 1:
        named[Span(spans[0].first, len(sentence))] = ""
    asked.relations = [
        one for one in asked.relations if not any(part.meets(span) for part in one.spans for span in named)
    ]
    asked.attributes = [one for one in asked.attributes if one.predicate != "status"]
    asked.attributes.append(Attribute((heads or spans)[0], "status", tuple(named.values()), tuple(named)))


def _taken(asked: Asked, span: Span) -> bool:
    return any(span.meets(other) for other in (*asked.named, *asked.told))


def _add_own(asked: Asked) -> None:
    """Attributes of the named things, one of whose values is said: "is berth-planner in Oslo?"."""
    for one in asked.links if asked.is_yes_no or asked.cues["list"] else ():
        known = {fact.predicate for fact in asked.view.of(one.things) if fact.object is None}
        for predicate in sorted(known - {attribute.predicate for attribute in asked.attributes}):
            taken = [*(other.span for other in asked.links), *(other.span for other in asked.attributes)]
            values, spans = said_values(asked, predicate, taken)
            if values:
                asked.attributes.append(Attribute(spans[0], predicate, values, spans))


def strangers(asked: Asked) -> list[Unknown]:
    """Names beside no word for a type that nothing else in the question explains."""
    taken = [*(one.span for one in asked.links), *(one.span for one in asked.kinds), *asked.told]
    taken += [one.span for one in asked.qualifiers]
    taken += [span for one in asked.relations for span in one.spans] + ([asked.time_span] if asked.time_span else [])
    taken += [span for spans in asked.cues.values() for span in spans]
    return [
        Unknown(span, asked.sentence.slice(span), frozenset(), is_person)
        for span, is_person in written_names(asked.sentence)
        if not any(span.meets(other) for other in taken)
        if any(c.isdigit() for c in asked.sentence.slice(span)) or not _has_grammar(asked, span)
    ]


def _has_grammar(asked: Asked, span: Span) -> bool:
    """Whether a word of it only holds sentences together, as in "Est-ce"."""
    return any(asked.is_plain(at) for at in range(span.first, span.end))


def _add_unnamed(asked: Asked) -> None:
    """Values whose attribute is not named: "which services are in Oslo?", "critical services of Bedrock"."""
    lists = asked.cues["list"] or asked.cues["count"] or asked.cues["what"] or asked.cues["who"]
    kinds = _asked_for(asked)
    names = [one for one in asked.predicates if one not in asked.view.relations.relations and one not in NAMING]
    if not (lists or asked.is_keywords) or not kinds or not names:
        return
    texts = {form: span for span in _value_places(asked) for form in _forms_of(asked.sentence, span)}
    for row in asked.view.rows.holding(names, texts) if texts else ():
        span = texts[row.value]
        if any(span.meets(other) for other in asked.told):
            continue
        if any(fact.subject.type in kinds for fact in asked.view.by(row.predicate, row.value)):
            asked.attributes.append(Attribute(span, row.predicate, (row.value,), (span,)))
            asked.links = [one for one in asked.links if one.sure or not one.span.meets(span)]


def _asked_for(asked: Asked) -> set[str]:
    """The types that the words say, by their own words or as what stands in a relation: "members"."""
    said = {kind for one in asked.kinds for kind in one.types}
    relations = asked.view.relations.relations
    nouns = {name for one in asked.relations for name, form in one.meanings if form == SUBJECT}
    if said or nouns:
        return said or {kind for name in nouns for kind in relations[name].subjects}
    is_of_people = any(name in _OF_PEOPLE for one in asked.relations for name, _ in one.meanings)
    return {"Person"} if asked.cues["who"] or is_of_people else set()


def _value_places(asked: Asked) -> list[Span]:
    """Where a value may stand: what is written as a name, several plain words, a word that nothing explains."""
    taken = [one.span for one in asked.links if one.sure] + ([asked.time_span] if asked.time_span else [])
    taken += [*asked.told, *(one.span for one in asked.qualifiers)]
    kinds = [one.span for one in asked.kinds]
    said = [*kinds, *(span for one in asked.relations for span in one.spans)]
    said += [span for spans in asked.cues.values() for span in spans]
    found = []
    for span in asked.sentence.runs(_MOST_UNNAMED):
        if any(span.meets(other) for other in taken):
            continue
        is_name = is_written_as_name(asked.sentence, span) and not any(span.meets(other) for other in kinds)
        is_wide = span.end - span.first > 1
        is_plain = any(asked.is_plain(at) for at in (span.first, span.end - 1))
        if is_name or (not is_plain and (is_wide or not any(span.meets(other) for other in said))):
            found.append(span)
    return sorted(found, key=lambda span: span.end - span.first)  # the widest has the last word


def _forms_of(sentence: Sentence, span: Span) -> set[str]:
    """How a value may be written that the question says so."""
    text = sentence.slice(span)
    before = sentence.text[: sentence.places[span.first][0]][-1:]
    one = text.removesuffix("s")
    return {form for said in (text, one) for form in (said, said.lower(), said.capitalize(), said.upper())} | (
        {before + text} if before and before in "#@" else set()
    )


def said_values(asked: Asked, predicate: str, besides: Iterable[Span]) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """The values of this attribute, as they stand in the view, that the question says, and where."""
    values = values_of(asked, predicate)
    by_key = {key(value): value for value in sorted(values, reverse=True)}
    by_key |= {
        key(value).removeprefix(key(predicate)).strip(): value for value in values if key(value) != key(predicate)
    }
    found: dict[Span, str] = {}
    for first in range(len(asked.sentence)):
        for end in range(min(len(asked.sentence), first + _MOST_VALUE_TOKENS), first, -1):
            span = Span(first, end)
            value = by_key.get(key(asked.sentence.slice(span)) or "-")
            if value is None or any(span.meets(other) for other in (*besides, *found)):
                continue
            if (
                end == first + 1
                and is_function_word(asked.sentence.words[first], asked.sentence.lang)
                and not asked.sentence.words[first].isupper()
            ):
                continue
            found[span] = value
            break
    return tuple(found.values()), tuple(found)


def values_of(asked: Asked, predicate: str) -> set[str]:
    """The values that this attribute has anywhere in the view."""
    return {row.value for row in asked.view.rows.said_by(predicate)[:_MOST_VALUES] if row.value}
