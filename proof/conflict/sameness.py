"""Whether two statements speak of the same thing: by the question's words, their own, and what stands above them.

Rather silent than wrong: what only one of two statements is about makes them two rules. Must not know files or models.
Try: python -m pytest tests/test_conflict.py
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property

from chunking.units import Unit
from language.wanted import wanted
from language.words import is_function_word, words
from proof.conflict.apart import apart, leaves
from proof.conflict.scope import Scope, differs
from proof.conflict.scope_tables import EDGES
from proof.conflict.statements import Place, Stated
from proof.conflict.subject import asked_terms, complements, modifiers, terms
from proof.conflict.twins import Line
from proof.conflict.value import same
from proof.facts import without_figures

_SHARE = 0.5  # of the question's words that each statement must hold, what stands above it included
_TWINS = 0.8  # the same, of both: then one of the question's words is enough
_SAME_SUBJECT = 0.5  # shared words as a share of shared and own ones of the shorter statement
_SAME_DOCUMENT = 0.6  # sections of one document mostly speak of different things
_NAME = re.compile(r"(?<=[\w,)'’] )[A-ZÀ-ÞŁŚŻ][\w-]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True)
class Question:
    """What is asked, read once."""

    text: str
    lang: str

    @cached_property
    def wanted(self) -> str | None:
        """The kind of answer (language.wanted)."""
        return wanted(self.text, self.lang)

    @cached_property
    def terms(self) -> frozenset[str]:
        """What it is about."""
        return asked_terms(self.text, self.lang)

    @cached_property
    def told_apart(self) -> frozenset[str]:
        """Terms of its names: a statement that lacks one answers another question."""
        if self.lang == "de":
            return frozenset()
        named = [w for w in words(self.text)[1:] if w[0].isupper() or any(c.isdigit() for c in w)]
        return frozenset(t for w in named for t in terms(w, self.lang))

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that stand alike in every language: VPN, ISO27001, PostgreSQL."""
        found = words(self.text)
        return frozenset(w for w in found if (w.isupper() and len(w) > 2) or any(c.isupper() for c in w[1:]))

    @cached_property
    def has_year(self) -> bool:
        """Whether it asks for a year's value."""
        return _YEAR.search(self.text) is not None


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of terms are half the same."""
    return 2 * len(one & other) >= len(one | other)


def beside_agree(one: Stated, other: Stated) -> bool:
    """Whether the other figures of both clauses are the same; "since 2024" and "from 9 a.m." limit nothing."""
    mine, theirs = ([v for v in s.beside if v.kind not in ("year", "date") or v.limit != "min"] for s in (one, other))
    if one.value.kind.startswith("clock"):  # of "from 8:00 to 18:00" the other end
        mine, theirs = ([v for v in side if not v.kind.startswith("clock")] for side in (mine, theirs))
    mine, theirs = ([v for v in side if v.kind != "weekday" or len(v.words) < 5] for side in (mine, theirs))
    return all(any(same(v, w) for w in theirs) for v in mine) and len(mine) == len(theirs)


def same_subject(question: Question, one: Stated, other: Stated) -> float:
    """How much two statements share of what they are about, 0 for not enough."""
    asked = question.terms
    own, others = ((asked & (s.subject | terms(s.unit.text, s.place.lang))) for s in (one, other))
    lacks = (own - other.subject - other.place.above_terms) | (others - one.subject - one.place.above_terms)
    if one.value.kind.startswith("clock"):
        lacks -= _edges(one.place.lang)
    shared = one.subject & other.subject
    if not all(is_asked(question, s.place, s.unit) for s in (one, other)) and not _twins(one, other, shared):
        return 0.0
    titled = {t for s in (one, other) if s.place.headings for t in terms(s.place.headings[0], s.place.lang)}
    if not shared or lacks & titled or len(lacks) > (1 if len(own & others) > 1 else 0) or lacks & question.told_apart:
        return 0.0
    if one.value.kind.startswith("stance") and len(shared & asked) < min(2, len(asked)):
        return 0.0
    rests = [s.subject - t.subject - t.place.above_terms for s, t in ((one, other), (other, one))]
    share = _weight(shared) / (_weight(shared) + min(map(_weight, rests)))
    same_document = one.place.source == other.place.source
    if share <= (_SAME_DOCUMENT if same_document else _SAME_SUBJECT):
        return 0.0
    whose = [complements(s.text, shared, s.place.lang) - asked for s in (one, other)]
    if all(whose) and not whose[0] & whose[1]:
        return 0.0
    for s, t in ((one, other), (other, one)):
        text = "\n".join([without_figures(s.text, s.place.lang), *s.place.headings])
        if modifiers(text, shared, s.place.lang) - t.place.every - asked:
            return 0.0
        if _names(s) - set(words(t.place.whole)) - set(words(question.text)):
            return 0.0
    return share


@cache
def _edges(lang: str) -> frozenset[str]:
    return frozenset(t for word in EDGES for t in terms(word, lang))


def is_asked(question: Question, place: Place, unit: Unit) -> bool:
    """Whether a unit holds one of the words asked for, and enough of them with what stands above it."""
    asked, own = question.terms, terms(unit.text, place.lang)
    near = own | terms("".join(place.headings[:1]), place.lang)
    return bool(asked & near) and len(asked & (own | place.above_terms)) >= _SHARE * len(asked)


def _twins(one: Stated, other: Stated, shared: frozenset[str]) -> bool:
    """Whether two statements of different documents differ in hardly more than their value."""
    most = max(_weight(s.subject - shared) for s in (one, other))
    return (
        one.place.source != other.place.source
        and (len(shared) > 1 or one.subject == other.subject)
        and _weight(shared) >= _TWINS * (_weight(shared) + most)
    )


def _weight(found: frozenset[str]) -> int:
    """Long words say more of what is spoken of: a compound against a verb."""
    return sum(map(len, found))


def _names(stated: Stated) -> set[str]:
    """Capitalised words before the value, inside the sentence: what it speaks of by name."""
    is_contact = stated.value.kind.startswith(("email", "phone", "url", "name"))
    if is_contact or stated.unit.kind == "row" or stated.place.lang == "de":
        return set()
    before = stated.text[: stated.text.find(stated.value.text)]
    return {w for w in _NAME.findall(before) if not is_function_word(w, stated.place.lang)}


def is_apart(question: Question, one: Stated, other: Stated) -> bool:
    """Whether two statements hold for different people, places, times, things or conditions."""
    mine, theirs = one.scope, other.scope
    if differs(mine, theirs) or apart(one.place.labels, other.place.labels):
        return True
    if mine.headed != theirs.headed and (question.has_year or _is_dated_apart(one, mine, theirs)):
        return True
    a, b = leaves(one.place.labels, other.place.labels)
    told = a & terms(one.unit.text, one.place.lang), b & terms(other.unit.text, other.place.lang)
    return all(told) and not (a | b) & question.terms


def _is_dated_apart(one: Stated, mine: Scope, theirs: Scope) -> bool:
    """The party of 2024 and the party of 2025 are on two days; the deadline of two years' rules is one deadline."""
    return one.value.kind in ("date", "weekday") and not (mine.of_rules or theirs.of_rules)


def is_same_line(question: Question, one: Place, first: Line, other: Place, second: Line) -> bool:
    """Whether of two sentences that are alike none lacks a word of the question by which pages are told apart."""
    held = [
        question.terms & (terms(line.text, place.lang) | place.above_terms)
        for place, line in ((one, first), (other, second))
    ]
    titled = one.above_terms | other.above_terms
    return not (held[0] ^ held[1]) & (titled | question.told_apart)
