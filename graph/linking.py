"""Which words of a question name things that the view holds: the longest spans, with what they may stand for.

One look-up asks for every run of tokens, quoted titles whole, numbers of decisions in their usual forms. A word of
everyday language that also is a name is linked with doubt (`sure` False), unless it is written as a name or stands
beside a word for its type. Knows no tool. Try: python -m graph ask "who owns plan-store?"
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from facts.relations import Relations
from graph.sentence import Sentence, Span, told
from graph.view import Entity, View
from language.words import is_function_word, is_run

_MOST_TOKENS = 12  # of an unquoted name
_PAPERS = frozenset({"Document", "Message"})
"""Their titles are phrases of everyday language: they count where quoted or called what they are."""
_NUMBERED = re.compile(r"([^\W\d_]{1,12})(\d{1,6})")
_WIDTHS = (1, 2, 3, 4, 5)
_BEFORE_NUMBER = ("no", "nr", "number", "nummer", "numero", "n", "号", "第", "#")


@dataclass(frozen=True, slots=True)
class TypeWord:
    """A word for types of things."""

    span: Span
    types: frozenset[str]
    is_foreign: bool = False  # no word of the question's language, which may be a name there: "Platform" in German


@dataclass(frozen=True, slots=True)
class Link:
    """A place of the question that names things: several where the name is ambiguous."""

    span: Span
    text: str
    things: tuple[Entity, ...]
    sure: bool
    typed: bool = False  # a word for its type stands beside it

    @property
    def types(self) -> frozenset[str]:
        """Of the things; "" fits everywhere."""
        return frozenset(one.type for one in self.things)

    def of(self, types: Collection[str]) -> "Link | None":
        """The same with those things only that are of these types, None where none is."""
        fits = tuple(one for one in self.things if one.type in types or not one.type)
        return replace(self, things=fits) if fits else None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A place that names a thing of a type, but none that the view holds."""

    span: Span
    text: str
    types: frozenset[str]  # none: no word for one stands beside it
    is_person: bool = False  # two words with capitals, and nothing else that makes a name


def type_words(sentence: Sentence, relations: Relations) -> list[TypeWord]:
    """The words for types, longest first where they overlap."""
    held: dict[Span, set[str]] = {}
    own = {span for one in relations.types.values() for span, *_ in sentence.find(one.words.get(sentence.lang, ()))}
    for one in relations.types.values():
        for span, *_ in sentence.find((*told(one.words, sentence.lang), one.name)):
            if not (sentence.lang == "en" and sentence.words[span.end - 1].lower().endswith("ing")):
                held.setdefault(span, set()).add(one.name)  # "Engineering" is no engineer
    found: list[TypeWord] = []
    for span in sorted(held, key=lambda span: (span.first - span.end, span.first)):
        if not any(span.meets(other.span) for other in found):
            found.append(TypeWord(span, frozenset(held[span]), span not in own))
    return sorted(found, key=lambda one: one.span.first)


def link(sentence: Sentence, view: View, kinds: list[TypeWord]) -> list[Link]:
    """What the question names, in its order."""
    texts: dict[str, list[Span]] = {}
    for span, text in _candidates(sentence, kinds):
        texts.setdefault(text, []).append(span)
    bearing = view.bearing(texts) if texts else {}
    held: dict[Span, dict[str, Entity]] = {}
    for text, spans in texts.items():
        for span in spans if bearing[text] else ():
            held.setdefault(span, {}).update({one.key: one for one in bearing[text]})
    found: list[Link] = []
    quotes = set(sentence.quotes)
    for span in sorted(held, key=lambda span: (span not in quotes, span.first - span.end, span.first)):
        if not any(span.meets(other.span) for other in found):
            made = _judged(sentence, span, [held[span][key] for key in sorted(held[span])], kinds)
            if made:
                found.append(made)
    return sorted(found, key=lambda one: one.span.first)


def unknown(sentence: Sentence, kinds: list[TypeWord], taken: Collection[Span]) -> list[Unknown]:
    """Names beside a word for their type that the view does not hold."""
    found = []
    for span in _names(sentence, kinds):
        if any(span.meets(other) for other in taken):
            continue
        kind = beside(sentence, span, kinds)
        turned = sentence.lang == "fr" and _is_grammar(sentence.words[span.end - 1], "fr")  # "avons-nous"
        if kind and not turned:
            found.append(Unknown(span, sentence.slice(span), kind.types))
    return found


def beside(sentence: Sentence, span: Span, kinds: list[TypeWord]) -> TypeWord | None:
    """The word for a type that stands directly before or behind a span, or within it."""
    before, after = span.first - 1, span.end
    while before >= 0 and sentence.stems[before] in _BEFORE_NUMBER:
        before -= 1
    for kind in kinds:
        inside = span.first <= kind.span.first and kind.span.end <= span.end and kind.span != span
        if kind.span.end - 1 == before or inside:
            return kind
    for kind in kinds:
        if kind.span.first == after and (after >= len(sentence) or not _breaks(sentence, after - 1)):
            return kind
    return None


def _breaks(sentence: Sentence, left: int) -> bool:
    """Whether a mark of the sentence stands between the token and the next."""
    between = sentence.text[sentence.places[left][1] : sentence.places[left + 1][0]]
    return any(mark in between for mark in ",;:()?!，、；：？")


def _candidates(sentence: Sentence, kinds: list[TypeWord]) -> Iterator[tuple[Span, str]]:
    for span in sentence.quotes:
        yield span, sentence.slice(span)
    for first in range(len(sentence)):
        for end in range(first + 1, min(first + _MOST_TOKENS, len(sentence)) + 1):
            span = Span(first, end)
            if not _may_name(sentence, span, kinds):
                continue
            text = sentence.slice(span)
            yield span, text
            if sentence.lang in ("de", "nl") and text.endswith("s") and len(text) > 3:
                yield span, text[:-1]
    yield from _turned(sentence, kinds)
    yield from _numbered(sentence, kinds)


def _may_name(sentence: Sentence, span: Span, kinds: list[TypeWord]) -> bool:
    own = [kind for kind in kinds if kind.span.first <= span.first and span.end <= kind.span.end]
    is_own = sentence.lang == "de" and not all(kind.is_foreign for kind in own)
    is_capital = not is_own and sentence.words[span.first][:1].isupper() and not _begins(sentence, span.first)
    if own and not is_capital and beside(sentence, span, [kind for kind in kinds if kind not in own]) is None:
        return False  # "service" alone names none; "platform" does in "platform team"
    words = sentence.words[span.first : span.end]
    if all(_is_grammar(word, sentence.lang) for word in words):
        return False
    if _is_grammar(words[-1], sentence.lang) and len(words) > 1 and len(words[-1]) == 1:
        return False
    for left, inner in ((span.first - 1, span.first - 1), (span.end - 1, span.end)):
        if sentence.joined(left) and not any(kind.span.first <= inner < kind.span.end for kind in kinds):
            return False  # a part of an identifier is another name: "core" in "zeppelin-core"
    return True


def _is_grammar(word: str, lang: str) -> bool:
    return is_function_word(word, lang) and not (word.isupper() and len(word) > 1)


def _turned(sentence: Sentence, kinds: list[TypeWord]) -> Iterator[tuple[Span, str]]:
    """ "platform team" as "team platform", and the other way: a name may hold the word for its type."""
    for kind in kinds:
        said = sentence.slice(kind.span)
        for width in range(1, 4):
            before, after = Span(kind.span.first - width, kind.span.first), Span(kind.span.end, kind.span.end + width)
            if before.first >= 0:
                yield Span(before.first, kind.span.end), f"{said} {sentence.slice(before)}"
            if after.end <= len(sentence):
                yield Span(kind.span.first, after.end), f"{sentence.slice(after)} {said}"


def _numbered(sentence: Sentence, kinds: list[TypeWord]) -> Iterator[tuple[Span, str]]:
    """ "decision 6", "ADR 12", "D-6": under the ids that such things have."""
    for at, word in enumerate(sentence.words):
        if word.isdecimal() and len(word) < 7:
            kind = beside(sentence, Span(at, at + 1), kinds)
            if kind:
                for form in _wide(word):
                    for prefix in ("", "D-", "ADR-", "DR-", *_initials(kind.types)):
                        yield Span(at, at + 1), prefix + form
            if at and sentence.words[at - 1].isalpha() and len(sentence.words[at - 1]) <= 12:
                for form in _wide(word):
                    yield Span(at - 1, at + 1), f"{sentence.words[at - 1]}-{form}"
        match = _NUMBERED.fullmatch(word)
        if match:
            for form in _wide(match[2]):
                yield Span(at, at + 1), f"{match[1]}-{form}"


def _initials(types: Iterable[str]) -> list[str]:
    return [f"{kind[0]}-" for kind in types if kind] + [f"{kind}-" for kind in types]


def _wide(digits: str) -> list[str]:
    bare = digits.lstrip("0") or "0"
    return list(dict.fromkeys([digits, *(bare.zfill(width) for width in _WIDTHS)]))


def _judged(sentence: Sentence, span: Span, things: list[Entity], kinds: list[TypeWord]) -> Link | None:
    kind = beside(sentence, span, kinds)
    typed = [one for one in things if kind and one.type in kind.types]
    is_quoted = span in sentence.quotes
    if typed:
        things = typed
    elif not is_quoted and not _is_title(sentence, span):
        things = [one for one in things if one.type not in _PAPERS]
    kinds = [one for one in kinds if not (one.is_foreign and sentence.lang == "de")]
    is_word = any(kind.span.first <= span.first and span.end <= kind.span.end for kind in kinds)
    if not things or (is_word and not typed and not is_quoted and not is_written_as_name(sentence, span)):
        return None
    if not any(one.type for one in things):
        return Link(span, sentence.slice(span), tuple(things), False) if is_quoted or kind else None
    sure = bool(typed) or is_quoted or is_written_as_name(sentence, span) or _is_spelt_so(sentence, span, things)
    return Link(span, sentence.slice(span), tuple(things), sure, bool(typed))


def _is_title(sentence: Sentence, span: Span) -> bool:
    """Whether several words, each with a capital, stand inside a sentence: "the Travel Rules"."""
    words = sentence.words[span.first : span.end]
    return len(words) > 1 and sentence.lang not in ("de", "zh", "ja") and all(word[:1].isupper() for word in words)


def _is_spelt_so(sentence: Sentence, span: Span, things: list[Entity]) -> bool:
    """Whether a German word with a capital is a person's name, letter by letter; other nouns may be mere words."""
    text = sentence.slice(span)
    return sentence.lang == "de" and text[:1].isupper() and any(
        one.type == "Person" and text in one.names for one in things
    )  # fmt: skip


def is_written_as_name(sentence: Sentence, span: Span) -> bool:
    """Whether a span looks like a name: by digits, marks within it, or capitals where these tell something."""
    words = sentence.words[span.first : span.end]
    if is_run(words[0]):
        return len(words) > 2
    if sentence.lang in ("zh", "ja"):
        return True  # in other letters than the sentence
    if any(sentence.joined(at) for at in range(span.first, span.end - 1)) or any(c.isdigit() for w in words for c in w):
        return True
    if any(c.isupper() for word in words for c in word[1:]):
        return True
    capitals = [word[:1].isupper() for word in words]
    if len(words) > 1:
        return sum(capitals) > 1 if sentence.lang == "de" else any(capitals[1:])
    return capitals[0] and sentence.lang != "de" and not _begins(sentence, span.first)


def _begins(sentence: Sentence, at: int) -> bool:
    start = sentence.places[at][0]
    before = sentence.text[:start].rstrip(" \"'“„«¿¡(")
    return not before or before[-1] in ".!?:"


def written_names(sentence: Sentence) -> Iterator[tuple[Span, bool]]:
    """Names that no word for a type is needed for: an identifier, a name with a number, several capitals (True)."""
    for span in _names(sentence, []):
        words = sentence.words[span.first : span.end]
        if span in sentence.quotes or all(word.isdecimal() for word in words):
            continue
        if any(c.isdigit() for word in words for c in word) or any(
            map(sentence.joined, range(span.first, span.end - 1))
        ):
            yield span, False
        elif len(words) > 1 and all(word[:1].isupper() for word in words):
            yield span, True


def _names(sentence: Sentence, kinds: list[TypeWord]) -> Iterator[Span]:
    """Spans that are written as names: quoted, in backticks, with marks or digits, a capital inside the sentence."""
    yield from sentence.quotes
    at = 0
    while at < len(sentence):
        end = at + 1
        while end < len(sentence) and (sentence.joined(end - 1) or _goes_on(sentence, at, end, kinds)):
            end += 1
        span = Span(at, end)
        in_kind = any(span.meets(kind.span) for kind in kinds)
        numeric = sentence.words[at].isdecimal() and end == at + 1
        is_plain = in_kind or _is_grammar(sentence.words[at], sentence.lang) or (numeric and not _follows(kinds, at))
        if not is_plain and is_written_as_name(sentence, span):
            yield span
        at = end


def _goes_on(sentence: Sentence, first: int, at: int, kinds: list[TypeWord]) -> bool:
    """Whether a name that begins with a capital goes on here: "Gregor Samsa", "Atlas 4"."""
    word = sentence.words[at]
    if _breaks(sentence, at - 1) or sentence.is_possessive(at) or not sentence.words[first][:1].isupper():
        return False
    if is_function_word(sentence.words[first].lower(), sentence.lang) or any(
        kind.span.first <= n < kind.span.end for kind in kinds for n in (first, at)
    ):
        return False
    return word[:1].isupper() or (word.isdecimal() and len(word) < 4)


def _follows(kinds: list[TypeWord], at: int) -> bool:
    return any(kind.span.end == at for kind in kinds)
