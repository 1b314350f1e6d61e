"""A question in pieces: tokens with their places and stems, quoted parts, and where phrases of a table stand in it.

Letters-and-digits runs are tokens, so are the single characters of scripts written without spaces; identifiers are cut
at their marks, so that "plan-store" is found in "plan-store-Dienst". Knows no view and no tool.
Try: python -c "from graph.sentence import Sentence; print(Sentence('Who owns plan-store?', 'en').stems)"
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from language.words import compatible, fold, is_run, quoted, stem

_TOKEN = re.compile(r"[^\W_]+")
_MARKED = re.compile(r"`([^`]{1,500})`")
_OUTER = re.compile(r"(?<!\w)[\"“„«](.{1,500})[\"”“»](?!\w)")
_GAP = "…"
_MOST_GAP = 12  # tokens that may stand for "…"
_JOINS = "-_./@+"


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens from `first` up to, not including, `end`."""

    first: int
    end: int

    def meets(self, other: "Span") -> bool:
        """Whether they share a token."""
        return self.first < other.end and other.first < self.end


class Sentence:
    """The question as tokens."""

    def __init__(self, text: str, lang: str) -> None:
        self.text, self.lang = compatible(text[:2_000]), lang
        self.words: list[str] = []
        self.places: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(self.text):
            for first, end in _pieces(match):
                self.words.append(self.text[first:end])
                self.places.append((first, end))
        self._has_capitals = any(word[:1].isupper() for word in self.words)
        self.stems = [stem(word, lang) for word in self.words]
        outer = _OUTER.findall(self.text)  # a title may hold quotes of its own
        self.quotes = [self._span_of(part) for part in (*quoted(self.text), *_MARKED.findall(self.text), *outer)]
        self.quotes = [span for span in self.quotes if span.first < span.end]

    def __len__(self) -> int:
        return len(self.words)

    def slice(self, span: Span) -> str:
        """Its characters, with all that stands between the tokens."""
        return self.text[self.places[span.first][0] : self.places[span.end - 1][1]]

    def runs(self, most: int) -> Iterator[Span]:
        """All runs of up to so many tokens, the longest of each beginning first."""
        for first in range(len(self)):
            for end in range(min(len(self), first + most), first, -1):
                yield Span(first, end)

    def joined(self, left: int) -> bool:
        """Whether the token and the next are parts of one written word: "plan-store"."""
        if not 0 <= left < len(self) - 1:
            return False
        between = self.text[self.places[left][1] : self.places[left + 1][0]]
        return len(between) == 1 and between in _JOINS

    def clings(self, left: int) -> bool:
        """Whether nothing at all stands between the token and the next."""
        return 0 <= left < len(self) - 1 and self.places[left][1] == self.places[left + 1][0]

    def is_possessive(self, at: int) -> bool:
        """Whether the token is the s of "Anna's"."""
        start = self.places[at][0]
        return at > 0 and self.stems[at] == "s" and self.text[start - 1] in "'’"

    def find(self, phrases: Iterable[str]) -> list[tuple[Span, ...]]:
        """Where any of these phrases stands, by its stems: its parts, between which other words stand for "…"."""
        return [spans for spans, _ in self.match(phrases)]

    def match(self, phrases: Iterable[str]) -> list[tuple[tuple[Span, ...], int]]:
        """The same with how far the written forms are apart: "manager" is nearer to "managers" than "manage" is."""
        found: dict[tuple[Span, ...], int] = {}
        for parts, written in _parts(tuple(phrases), self.lang):
            for spans in self._find(parts):
                said = [self.words[at] for span in spans for at in range(span.first, span.end)]
                if self._is_other_word(said, written):
                    continue
                apart = _apart(" ".join(said).lower(), written.lower())
                found[spans] = min(found.get(spans, apart), apart)
        return list(found.items())

    def _is_other_word(self, said: Sequence[str], written: str) -> bool:
        """Whether capitals tell two German words apart: "weg" is no "Weg"."""
        if self.lang != "de" or not self._has_capitals:
            return False
        return any(two[:1].isupper() and one[:1].islower() for one, two in zip(said, written.split(), strict=True))

    def _find(self, parts: tuple[tuple[str, ...], ...]) -> list[tuple[Span, ...]]:
        found = []
        for first in self._starts(parts[0], 0, len(self)):
            spans = [Span(first, first + len(parts[0]))]
            for part in parts[1:]:
                at = next(self._starts(part, spans[-1].end, spans[-1].end + _MOST_GAP), None)
                if at is None:
                    break
                spans.append(Span(at, at + len(part)))
            if len(spans) == len(parts):
                found.append(tuple(spans))
        return found

    def _starts(self, part: tuple[str, ...], first: int, last: int) -> Iterator[int]:
        for at in range(first, min(len(self) - len(part), last) + 1):
            if tuple(self.stems[at : at + len(part)]) == part:
                yield at

    def _span_of(self, part: str) -> Span:
        start = self.text.find(part)
        inside = [n for n, (first, end) in enumerate(self.places) if first >= start and end <= start + len(part)]
        return Span(inside[0], inside[-1] + 1) if start >= 0 and inside else Span(0, 0)


def _pieces(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The parts of a run: characters of unspaced scripts alone, others together."""
    start = match.start()
    at, text = 0, match.group()
    for n, char in enumerate(text):
        if is_run(char):
            if at < n:
                yield start + at, start + n
            yield start + n, start + n + 1
            at = n + 1
    if at < len(text):
        yield start + at, start + len(text)


@lru_cache(maxsize=2_000)
def _parts(phrases: tuple[str, ...], lang: str) -> tuple[tuple[tuple[tuple[str, ...], ...], str], ...]:
    """Each phrase as the stems of its parts between "…", and as it is written."""
    made = []
    for phrase in phrases:
        sentences = [Sentence(part, lang) for part in phrase.split(_GAP) if part.strip()]
        if sentences and all(one.words for one in sentences):
            written = " ".join(word for one in sentences for word in one.words)
            made.append((tuple(tuple(one.stems) for one in sentences), written))
    return tuple(made)


def _apart(one: str, other: str) -> int:
    """Characters behind the common beginning of two words."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return len(one) + len(other) - 2 * same


def told(words: Mapping[str, tuple[str, ...]], lang: str) -> tuple[str, ...]:
    """A table's words in this language; names are often English, so these count in the others, too."""
    own = words.get(lang, ())
    return (
        own
        if lang == "en"
        else (*own, *(word for word in words.get("en", ()) if fold(word) not in own and " " not in word))
    )
