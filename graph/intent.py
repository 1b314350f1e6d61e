"""What a question speaks of besides things: relations, attributes with their values, time, what is to be done.

Each is a place in the question with what it may mean; which of it fits together is for frames.py. Words come from
tables (facts/relations.py, cues.py) and from the view's own attributes and values. Knows no tool's arguments.
Try: python -m graph ask "which services of tier 1 does Bedrock own?"
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from facts.normal import key
from facts.relations import Relation
from graph.cues import (
    ALIKE,
    AND,
    ARTICLES,
    CUES,
    ENVIRONMENTS,
    FILLERS,
    NEGATED,
    OR,
    PLACES,
    PLAIN,
    SELF,
    STATES,
    STATUS,
    WHY,
    Table,
)
from graph.dates import Time, asked
from graph.linking import Link, TypeWord, Unknown, is_written_as_name, link, type_words, unknown, written_names
from graph.sentence import Sentence, Span, told
from graph.view import View
from language.stopwords import ASKING
from language.words import is_function_word, is_run

ACTIVE, INVERSE, SUBJECT, OBJECT, UNSAID = "active", "inverse", "subject noun", "object noun", "unsaid"
_MOST_VALUES = 5_000  # rows of one attribute that are read for its values
_MOST_VALUE_TOKENS, _MOST_UNNAMED = 6, 4


@dataclass(frozen=True, slots=True)
class Said:
    """Words for relations: (relation, form) of each that they may stand for.

    `lesser`: what a part of the words means alone, for where the whole fits nothing ("gehört … zu" and "gehört").
    """

    spans: tuple[Span, ...]
    meanings: tuple[tuple[str, str], ...]
    lesser: tuple[tuple[str, str], ...] = ()

    @property
    def span(self) -> Span:
        """Where it begins."""
        return self.spans[0]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that is named, or one of whose values is; "" as value: none is said."""

    span: Span
    predicate: str
    values: tuple[str, ...] = ()
    value_spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Qualifier:
    """What narrows a fact: as said, then what it may be called in the documents."""

    span: Span
    words: tuple[str, ...]


@dataclass
class Asked:
    """Everything that was found in a question."""

    sentence: Sentence
    view: View
    kinds: list[TypeWord]
    links: list[Link]
    unknown: list[Unknown]
    relations: list[Said]
    cues: dict[str, list[Span]]
    time: Time | None
    time_span: Span | None
    negated: list[Span]
    is_own: bool  # it asks of the one who asks
    qualifiers: list[Qualifier]
    attributes: list[Attribute] = field(default_factory=list)

    @cached_property
    def predicates(self) -> Mapping[str, int]:
        """What anything is said by in this view; read once, and only where something was found before."""
        return dict.fromkeys(self.view.predicates(), 1)

    @property
    def is_yes_no(self) -> bool:
        """Whether no word asks for a thing, a number or a list."""
        return not any(self.cues.get(cue) for cue in ("who", "what", "count")) and not self._commands

    @cached_property
    def wants_reason(self) -> bool:
        """Whether it asks why, how, when or at what price."""
        spans = [span for span in _spans(self.sentence, WHY) if span not in self.cues["count"]]
        return any(not any(span.meets(other) for other in self.cues["count"]) for span in spans)

    def has(self, table: Table) -> list[Span]:
        """Where words of a table stand, outside names."""
        return _clear(_spans(self.sentence, table), self.named)

    @property
    def _commands(self) -> bool:
        return any(span.first == 0 for span in self.cues.get("list", ())) or bool(self.cues.get("card"))

    def content(self) -> list[int]:
        """Tokens that say something of their own."""
        return [at for at in range(len(self.sentence)) if not self.is_plain(at)]

    @cached_property
    def heads(self) -> set[int]:
        """The word that "which" or "how many" asks for, each."""
        found = set()
        for span in (*self.cues["list"], *self.cues["what"], *self.cues["count"]):
            at = span.end
            while at < len(self.sentence) and is_function_word(self.sentence.words[at], self.sentence.lang):
                at += 1
            found.add(at)
        return found

    @cached_property
    def together(self) -> list[tuple[Link, ...]]:
        """The named things; those of one type between which "and" or "or" stands are together: "mail, chat and wiki"."""
        found: list[tuple[Link, ...]] = []
        for one in self.links:
            if found and found[-1][-1].types & one.types and self._is_joined(found[-1][-1].span.end, one.span.first):
                found[-1] = (*found[-1], one)
            else:
                found.append((one,))
        return found

    def _is_joined(self, first: int, end: int) -> bool:
        """Whether these tokens and marks only put two names side by side."""
        lang, kinds = self.sentence.lang, [one.span for one in self.kinds]
        marks = {
            at for table in (AND, OR) for span in _spans(self.sentence, table) for at in range(span.first, span.end)
        }
        plain = {*marks, *(at for span in kinds for at in range(span.first, span.end))}
        between = self.sentence.text[self.sentence.places[first - 1][1] : self.sentence.places[end][0]]
        has_mark = any(at in marks for at in range(first, end)) or between.strip() in (",", "、", "&")
        return has_mark and all(
            at in plain or self.sentence.words[at].lower() in ARTICLES.get(lang, ()) for at in range(first, end)
        )

    @property
    def named(self) -> list[Span]:
        """Where things are named, known or not."""
        return [*(one.span for one in self.links), *(one.span for one in self.unknown)]

    @property
    def told(self) -> list[Span]:
        """Where attributes or their values are named."""
        return [span for one in self.attributes for span in (one.span, *one.value_spans)]

    @property
    def types(self) -> frozenset[str]:
        """Of the things that are named or asked for."""
        return frozenset[str]().union(*(one.types for one in self.links), *(one.types for one in self.kinds))

    def amount(self, left: Sequence[int]) -> float:
        """How many words these tokens are: of scripts without spaces two characters are one."""
        return sum(0.5 if is_run(self.sentence.words[at]) else 1.0 for at in left)

    def left_over(self, used: Iterable[Span]) -> list[int]:
        """Tokens with a meaning that nothing of `used`, no word for a type and no time explains."""
        taken = {at for span in used for at in range(span.first, span.end)}
        return [at for at in self.content() if at not in taken]

    def words_besides(self, spans: Iterable[Span]) -> tuple[str, ...]:
        """The words that say something of their own outside these places."""
        taken = {at for span in spans for at in range(span.first, span.end)}
        return tuple(self.sentence.words[at] for at in self.content() if at not in taken)

    def is_plain(self, at: int) -> bool:
        """Whether a token says nothing of its own."""
        if at in self._fillers:
            return True
        word = self.sentence.words[at]
        if is_run(word):
            hiragana = "\u3040" <= word <= "\u309f"
            return hiragana or word in PLAIN.get(self.sentence.lang, "")
        return is_function_word(word, self.sentence.lang) or (len(word) == 1 and not word.isdigit())

    @cached_property
    def _fillers(self) -> frozenset[int]:
        lang = self.sentence.lang
        asking = ASKING.get(lang, ()) if lang in ("zh", "ja", "ko") else ()
        spans = _spans(self.sentence, FILLERS) + [
            span for parts in self.sentence.find(asking) for span in parts if span.end - span.first > 0
        ]
        return frozenset(at for span in spans for at in range(span.first, span.end))


def read(question: str, lang: str, view: View, today: str) -> Asked:
    """What stands in the question; attributes are added by `with_attributes`, where there is a use for them."""
    sentence = Sentence(question, lang)
    kinds = type_words(sentence, view.relations)
    time = asked(sentence.text, lang, today)
    time_span = _place(sentence, time.said) if time else None
    relations = _relations(sentence, view)
    links = [one for one in link(sentence, view, kinds) if not _is_only_grammar(one, time_span, relations, kinds)]
    taken = [one.span for one in links]
    names = unknown(sentence, kinds, [*taken, *([time_span] if time_span else [])])
    named = [*taken, *(one.span for one in names)]
    called = {kind.span for kind in kinds}
    kept = [
        one
        for one in relations
        if one.spans[0] not in called
        and not _is_own(sentence, one.span.first)
        and not any(part.meets(span) for part in one.spans for span in named)
    ]
    cues = {name: _clear(_spans(sentence, table), named) for name, table in CUES.items()}
    return Asked(
        sentence, view,
        [one for one in kinds if not any(_within(one.span, span) for span in named)],
        links, names, _longest(kept), cues, time, time_span,
        _negations(sentence, named), _is_own(sentence), _qualifiers(sentence, named),
    )  # fmt: skip


def _is_own(sentence: Sentence, before: int = -1) -> bool:
    """Whether it asks of the one who asks, or says so directly before a word ("I need"); "tell me" only asks."""
    return any(
        span.first == 0 or sentence.words[span.first - 1].lower() not in ("tell", "give", "show", "name")
        for span in _spans(sentence, SELF)
        if before < 0 or span.end == before
    )


def _negations(sentence: Sentence, named: list[Span]) -> list[Span]:
    """Words that deny; not the second half of "accepted or not", nor a question that begins with "isn't"."""
    ors = {span.end for span in _spans(sentence, OR)}
    found: list[Span] = []
    for span in sorted(_clear(_spans(sentence, NEGATED), named), key=lambda span: (span.first, -span.end)):
        asks = sentence.lang == "en" and span.first == 0 and span.end == 2
        if span.end < len(sentence) and sentence.words[span.end][0].isdigit():
            continue  # "decision no. 3"
        one_denial = bool(found) and sentence.lang == "fr" and span.first - found[-1].end <= 3  # "ne dépend pas"
        if span.first not in ors and not asks and not one_denial and not any(span.meets(one) for one in found):
            found.append(span)
    return found


def _is_only_grammar(one: Link, time: Span | None, relations: list[Said], kinds: list[TypeWord]) -> bool:
    """A doubtful name that is a word for a relation, or part of the time."""
    if time and one.span.meets(time):
        return True
    return not one.sure and any(_within(one.span, part) for said in relations for part in said.spans)


def _within(inner: Span, outer: Span) -> bool:
    return outer.first <= inner.first and inner.end <= outer.end


def _clear(spans: list[Span], taken: Iterable[Span]) -> list[Span]:
    return [span for span in spans if not any(span.meets(other) for other in taken)]


def _spans(sentence: Sentence, table: Table) -> list[Span]:
    words = table.get(sentence.lang, ())
    return sorted({span for parts in sentence.find(words) for span in parts}, key=lambda span: span.first)


def _relations(sentence: Sentence, view: View) -> list[Said]:
    held: dict[tuple[Span, ...], dict[tuple[str, str], int]] = {}
    for one in view.relations.relations.values():
        for form, table in _forms(one):
            for spans, apart in sentence.match(table.get(sentence.lang, ())):
                held.setdefault(spans, {})[one.name, form] = apart
    return [
        Said(spans, tuple(sorted(meaning for meaning, apart in meanings.items() if apart == min(meanings.values()))))
        for spans, meanings in held.items()
    ]


def _forms(one: Relation) -> Iterable[tuple[str, Table]]:
    own = one.words or {"en": (one.name.replace("_", " "),)}
    return ((ACTIVE, own), (INVERSE, one.inverse), (SUBJECT, one.subject_nouns), (OBJECT, one.object_nouns))


def _longest(said: list[Said]) -> list[Said]:
    def width(one: Said) -> int:
        return sum(span.end - span.first for span in one.spans)

    found: list[Said] = []
    said = _put_together(said)
    for one in sorted(said, key=lambda one: (-width(one), one.span.first)):
        over = [held for held in found if any(part.meets(other) for part in one.spans for other in held.spans)]
        if not over:
            found.append(one)
        elif all(any(_within(part, other) for other in over[0].spans) for part in one.spans):
            more = tuple(meaning for meaning in one.meanings if meaning not in over[0].meanings)
            found[found.index(over[0])] = replace(over[0], lesser=(*over[0].lesser, *more))
    return sorted(found, key=lambda one: one.span.first)


def _put_together(said: list[Said]) -> list[Said]:
    """Words side by side for one relation as one: "pager duty"."""
    for one in said:
        for other in said:
            shared = tuple(meaning for meaning in one.meanings if meaning in other.meanings)
            if shared and len(one.spans) == len(other.spans) == 1 and one.span.end == other.span.first:
                whole = Said((Span(one.span.first, other.span.end),), shared)
                return _put_together([left for left in said if left not in (one, other)] + [whole])
    return said


def _place(sentence: Sentence, said: str) -> Span | None:
    """Where words stand that were read from the folded text."""
    words = Sentence(said, sentence.lang).stems
    for first in range(len(sentence) - len(words) + 1):
        if words and sentence.stems[first : first + len(words)] == words:
            return Span(first, first + len(words))
    return None


def _qualifiers(sentence: Sentence, named: list[Span]) -> list[Qualifier]:
    """Environments and levels, and whatever stands beside a word for such a place."""
    found: dict[Span, tuple[str, ...]] = {}
    for name, table in ENVIRONMENTS.items():
        for parts in sentence.find(told(table, sentence.lang)):
            found[parts[0]] = (*found.get(parts[0], ()), name)
    for place in _spans(sentence, PLACES):
        first = place.first - 1
        while first > 0 and sentence.joined(first - 1):
            first -= 1
        before = Span(max(first, 0), place.first)
        word = sentence.words[before.first]
        if before.first < before.end and not is_run(word) and not is_function_word(word, sentence.lang):
            found[before] = found.get(before, ())
    clear = [span for span in found if not any(span.meets(other) for other in named)]
    kept: list[Span] = []
    for span in sorted(clear, key=lambda span: (span.first - span.end, span.first)):
        if not any(span.meets(other) for other in kept):
            kept.append(span)
    return [
        Qualifier(span, (sentence.slice(span).lower(), *found[span]))
        for span in sorted(kept, key=lambda span: span.first)
    ]


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
                any(_within(Span(at, at + 1), part) for said in asked.relations for part in said.spans)
                or asked.is_plain(at)
                for at in range(span.first, span.end)
            ):
                continue  # "manager" is a relation first
            if not any(span.meets(one.span) for one in asked.links if one.sure and not _within(one.span, span)):
                held.setdefault(span, name)
    for span in sorted(held, key=lambda span: (span.first - span.end, span.first)):
        if not any(span.meets(one.span) for one in asked.attributes):
            values = said_values(asked, held[span], [span])
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
    heads = [span for span in _spans(sentence, STATUS) if not _taken(asked, span)]
    held = {key(value): value for value in values_of(asked, "status")}
    named: dict[Span, str] = {}
    for name, table in STATES.items():
        for parts in sentence.find(table.get(sentence.lang, ())):
            if not _taken(asked, parts[0]):
                named.setdefault(parts[0], held.get(name, name))
    is_one = len(asked.links) == 1 and "Decision" in asked.links[0].types
    is_choice = bool(named) and bool(_spans(sentence, OR)) and (asked.is_yes_no or bool(heads)) and is_one
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
    """Values written as names whose attribute is not named: "which services are in Oslo?"."""
    lists = asked.cues["list"] or asked.cues["count"] or asked.cues["what"]
    kinds = {kind for one in asked.kinds for kind in one.types}
    if not lists or not kinds or asked.attributes:
        return
    taken = [one.span for one in asked.links if one.sure] + ([asked.time_span] if asked.time_span else [])
    plain = _plain_values(asked, taken)
    taken += [one.span for one in asked.kinds]
    places = [
        span for span in asked.sentence.runs(_MOST_UNNAMED)
        if is_written_as_name(asked.sentence, span) and not any(span.meets(other) for other in taken)
    ]  # fmt: skip
    texts = {form: span for span in reversed([*places, *plain]) for form in _forms_of(asked.sentence, span)}
    names = [one for one in asked.predicates if one not in asked.view.relations.relations]
    if not texts or not names:
        return
    for row in asked.view.rows.holding(names, texts):
        span = texts[row.value]
        if any(span.meets(one.span) for one in asked.attributes):
            continue
        if any(fact.subject.type in kinds for fact in asked.view.by(row.predicate, row.value)):
            asked.attributes.append(Attribute(span, row.predicate, (row.value,), (span,)))
            asked.links = [one for one in asked.links if one.sure or not one.span.meets(span)]


def _plain_values(asked: Asked, taken: list[Span]) -> list[Span]:
    """Several plain words that may be a value: "senior engineers"."""
    return [
        span
        for span in asked.sentence.runs(_MOST_UNNAMED)
        if span.end - span.first > 1 and not any(span.meets(other) for other in taken)
        if not any(asked.is_plain(at) for at in (span.first, span.end - 1))
    ]


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
