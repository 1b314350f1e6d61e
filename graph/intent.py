"""What a question speaks of besides things: relations, time, what is denied, what is to be done.

Each is a place in the question with what it may mean; which of it fits together is for frames.py. Words come from
tables (facts/relations.py, cues.py); attributes are for attributes.py. Knows no tool's arguments.
Try: python -m graph ask "which services are not owned by Bedrock?"
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from facts.relations import Relation
from graph.cues import (
    AND,
    ARTICLES,
    BY_SUBJECT,
    CUES,
    ENVIRONMENTS,
    FILLERS,
    HELPS,
    LOOKING,
    NAMED,
    NEGATED,
    OR,
    PLACES,
    PLAIN,
    SELF,
    TO_OBJECT,
    WHY,
    Table,
)
from graph.dates import Time, asked
from graph.linking import Link, TypeWord, Unknown, link, type_words, unknown
from graph.sentence import Sentence, Span, told
from graph.view import View
from language.stopwords import ASKING
from language.words import is_function_word, is_run

_BEFORE_WHO = ("à", "de", "par", "pour", "avec", "chez", "savoir", "dire", "sait", "sais", "moi", "est", "et", "sur")
_LATE = 3  # behind so many words "when" no longer asks
_MOST_PARTS = 5  # words that are looked up as parts of names, and people whom one of them may mean
_OF_PEOPLE = ("card", "relates", "changes", "conflicts")
ACTIVE, INVERSE, SUBJECT, OBJECT, UNSAID = "active", "inverse", "subject noun", "object noun", "unsaid"


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
        asks = any(self.cues.get(cue) for cue in ("who", "what", "count"))
        return not asks and not self._commands and not self.is_keywords

    @cached_property
    def is_keywords(self) -> bool:
        """Whether it is no sentence: "services that need chat or mail", "on-call person mail"."""
        if self.begins_with_noun:
            return True
        if self.sentence.lang != "en" or self.sentence.text.rstrip().endswith(("?", "？")):
            return False
        helps = spans_of(self.sentence, HELPS)
        return not any(span.first == 0 or self.sentence.words[span.first].lower() == "whether" for span in helps)

    @cached_property
    def begins_with_noun(self) -> bool:
        """ "services that need chat or mail", "owner of mail": no question of yes or no begins so."""
        at, lang = 0, self.sentence.lang
        while at < len(self.sentence) and self.sentence.words[at].lower() in ARTICLES.get(lang, ()):
            at += 1
        nouns = [one.span for one in self.relations if any(form in (SUBJECT, OBJECT) for _, form in one.meanings)]
        return any(span.first == at for span in (*(one.span for one in self.kinds), *nouns))

    @cached_property
    def wants_reason(self) -> bool:
        """Whether it asks why, how, when or at what price."""
        spans = [
            span for span in spans_of(self.sentence, WHY) if span.first <= _LATE and span not in self.cues["count"]
        ]
        others = [*self.cues["count"], *spans_of(self.sentence, NAMED)]
        return any(not any(span.meets(other) for other in others) for span in spans)

    def has(self, table: Table) -> list[Span]:
        """Where words of a table stand, outside names."""
        return _clear(spans_of(self.sentence, table), self.named)

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
        """The named things, those of one type beside each other together: "mail, chat and wiki"."""
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
            at for table in (AND, OR) for span in spans_of(self.sentence, table) for at in range(span.first, span.end)
        }
        spans = [span for table in (BY_SUBJECT, TO_OBJECT) for span in spans_of(self.sentence, table)]
        plain = {*marks, *(span.first for span in spans), *(at for span in kinds for at in range(span.first, span.end))}
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
        spans = (
            spans_of(self.sentence, FILLERS)
            + spans_of(self.sentence, LOOKING)
            + [span for parts in self.sentence.find(asking) for span in parts if span.end - span.first > 0]
        )
        return frozenset(at for span in spans for at in range(span.first, span.end))


def read(question: str, lang: str, view: View, today: str) -> Asked:
    """What stands in the question; attributes are added by `with_attributes`, where there is a use for them."""
    sentence = Sentence(question, lang)
    kinds = type_words(sentence, view.relations)
    time = asked(sentence.text, lang, today)
    time_span = _place(sentence, time.said) if time else None
    relations = _relations(sentence, view)
    links = [one for one in link(sentence, view, kinds) if not _is_only_grammar(one, time_span, relations, sentence)]
    if relations or any(spans_of(sentence, CUES[name]) for name in _OF_PEOPLE):
        links = _with_people(sentence, view, kinds, relations, links)
    taken = [one.span for one in links]
    names = unknown(sentence, kinds, [*taken, *([time_span] if time_span else [])])
    named = [*taken, *(one.span for one in names)]
    called, looking = {kind.span for kind in kinds}, spans_of(sentence, LOOKING)
    kept = [
        one
        for one in relations
        if one.spans[0] not in called
        and not _is_own(sentence, one.span.first)
        and not any(one.span.meets(span) for span in looking)
        and not any(part.meets(span) for part in one.spans for span in named)
    ]
    cues = {name: _clear(spans_of(sentence, table), named) for name, table in CUES.items()}
    cues["who"] = [span for span in cues["who"] if not _is_relative(sentence, span, kinds)]
    cues["count"] = [span for span in cues["count"] if not (span.first and sentence.stems[span.first] == "count")]
    return Asked(
        sentence, view,
        [one for one in kinds if not any(within(one.span, span) for span in named)],
        links, names, _longest(kept, sentence), cues, time, time_span,
        _negations(sentence, [*named, *cues["conflicts"]]), _is_own(sentence), _qualifiers(sentence, named),
    )  # fmt: skip


def _with_people(
    sentence: Sentence, view: View, kinds: list[TypeWord], relations: list[Said], links: list[Link]
) -> list[Link]:
    """The names, and people who are called by a part of theirs: "Tom's boss"; all of them, where it is several."""
    taken = [*(one.span for one in links), *(one.span for one in kinds)]
    taken += [span for one in relations for span in one.spans]
    parts = [
        Span(at, at + 1)
        for at, word in enumerate(sentence.words)
        if len(word) > 2 and word[:1].isupper() and word[1:].islower() and not is_run(word)
        if not is_function_word(word, sentence.lang) and not sentence.joined(at) and not sentence.joined(at - 1)
        if not any(span.first <= at < span.end for span in taken)
    ]
    for span in parts[:_MOST_PARTS]:
        word = sentence.slice(span)
        if things := view.partly(word) or (view.partly(word[:-1]) if sentence.lang == "de" and word[-1] == "s" else []):
            links = [*links, Link(span, sentence.slice(span), tuple(things), len(things) < _MOST_PARTS)]
    return sorted(links, key=lambda one: one.span.first)


def _is_relative(sentence: Sentence, span: Span, kinds: list[TypeWord]) -> bool:
    """Whether "who" asks nothing: "people who report to Ann", "les services qui en dépendent"."""
    if span.first == 0 or span.end - span.first > 1:
        return False
    before = sentence.words[span.first - 1].lower()
    if sentence.lang == "fr" and sentence.words[span.first].lower() == "qui":
        return span.first > 1 and before not in _BEFORE_WHO
    between = sentence.text[sentence.places[span.first - 1][1] : sentence.places[span.first][0]]
    return sentence.lang == "en" and not between.strip() and any(kind.span.end == span.first for kind in kinds)


def _is_own(sentence: Sentence, before: int = -1) -> bool:
    """Whether it asks of the one who asks, or says so directly before a word ("I need"); "tell me" only asks."""
    looking = spans_of(sentence, LOOKING)
    return any(
        span.first == 0 or sentence.words[span.first - 1].lower() not in ("tell", "give", "show", "name")
        for span in spans_of(sentence, SELF)
        if (before < 0 or span.end == before) and not any(within(span, one) for one in looking)
    )


def _negations(sentence: Sentence, named: list[Span]) -> list[Span]:
    """Words that deny; not the second half of "accepted or not", nor a question that begins with "isn't"."""
    ors = {span.end for span in spans_of(sentence, OR)}
    found: list[Span] = []
    for span in sorted(_clear(spans_of(sentence, NEGATED), named), key=lambda span: (span.first, -span.end)):
        asks = sentence.lang == "en" and span.first == 0 and span.end == 2
        if span.end < len(sentence) and sentence.words[span.end][0].isdigit():
            continue  # "decision no. 3"
        one_denial = bool(found) and sentence.lang == "fr" and span.first - found[-1].end <= 3  # "ne dépend pas"
        if span.first not in ors and not asks and not one_denial and not any(span.meets(one) for one in found):
            found.append(span)
    return found


def _is_only_grammar(one: Link, time: Span | None, relations: list[Said], sentence: Sentence) -> bool:
    """A doubtful name that is a word for a relation, or part of the time."""
    if time and one.span.meets(time):
        return True
    behind = sentence.words[one.span.end].lower() if one.span.end < len(sentence) else ""
    if sentence.lang == "en" and one.text.lower().endswith("ing") and behind != "to":
        return False  # "does reporting need mail?"
    return not one.sure and any(within(one.span, part) for said in relations for part in said.spans)


def within(inner: Span, outer: Span) -> bool:
    """Whether a place lies in another."""
    return outer.first <= inner.first and inner.end <= outer.end


def _clear(spans: list[Span], taken: Iterable[Span]) -> list[Span]:
    return [span for span in spans if not any(span.meets(other) for other in taken)]


def spans_of(sentence: Sentence, table: Table) -> list[Span]:
    """Where words of a table stand, in the order of the sentence."""
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


def _longest(said: list[Said], sentence: Sentence) -> list[Said]:
    def width(one: Said) -> int:
        return sum(span.end - span.first for span in one.spans)

    found: list[Said] = []
    said = _put_together(said, sentence)
    for one in sorted(said, key=lambda one: (-width(one), one.span.first)):
        over = [held for held in found if any(part.meets(other) for part in one.spans for other in held.spans)]
        if not over:
            found.append(one)
        elif all(any(within(part, other) for other in over[0].spans) for part in one.spans):
            more = tuple(meaning for meaning in one.meanings if meaning not in over[0].meanings)
            found[found.index(over[0])] = replace(over[0], lesser=(*over[0].lesser, *more))
    return sorted(found, key=lambda one: one.span.first)


def _put_together(said: list[Said], sentence: Sentence) -> list[Said]:
    """Words side by side for one relation as one: "pager duty"."""
    for one in said:
        for other in said:
            shared = tuple(meaning for meaning in one.meanings if meaning in other.meanings)
            if shared and len(one.spans) == len(other.spans) == 1 and one.span.end == other.span.first:
                if sentence.stems[one.span.first] == sentence.stems[other.span.first]:
                    continue  # "who does the one that Ann reports to report to?"
                whole = Said((Span(one.span.first, other.span.end),), shared)
                return _put_together([left for left in said if left not in (one, other)] + [whole], sentence)
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
    for place in spans_of(sentence, PLACES):
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
