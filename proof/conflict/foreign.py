"""Statements in a language that the question is not in: compared by meaning, and by values that need no language.

Figures, dates, times, days and yes or no are the same in every language; whether two sentences are about one thing
tells the embedder, and only for the few lines that hold a value of the kind asked for. Must not know how it does so.
Try: python -m pytest tests/test_conflict.py -k languages
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from chunking.units import Unit
from models import Near
from proof.conflict import stance
from proof.conflict.apart import apart
from proof.conflict.sameness import Question, is_apart, is_asked
from proof.conflict.scope import Scope, is_set_aside
from proof.conflict.statements import Place, Stated
from proof.conflict.value import Value, agree, same

Meaning = Callable[[str], Near | None]
"""How near texts in a language, by its ISO 639-1 code, are to others in any language."""
_MOST_LINES, _BEST_LINES = 8, 3  # of a passage: held against the question, and then against other lines
_MOST_HOME = 6  # lines in the question's language; each is embedded, 5 ms with the smallest model
_FREE = (
    "time", "money", "%", "count", "clock", "date", "weekday", "year", "monthday", "often", "phone", "email", "url",
    "stance",
)  # fmt: skip
"""Kinds of values that need no language."""


@dataclass(frozen=True)
class _Line:
    """A sentence with its values that may answer the question."""

    place: Place
    unit: Unit
    text: str
    values: tuple[Value, ...]

    @cached_property
    def families(self) -> dict[str, list[Value]]:
        """The values by kind; what is counted has another name in every language."""
        found: dict[str, list[Value]] = {}
        for value in self.values:
            family = value.kind if value.kind.startswith("stance") else value.kind.split()[0]
            found.setdefault(family, []).append(replace(value, kind="count") if family == "count" else value)
        return found

    def stated(self, value: Value) -> Stated:
        """One of the values with its sentence."""
        return Stated(self.place, self.unit, self.text, value, ())


def disagreeing(
    question: Question, places: Sequence[Place], kinds: tuple[str, ...], meaning: Meaning
) -> Iterator[tuple[Stated, Stated]]:
    """Pairs of statements of which one or both are in another language than the question.

    Raises what `meaning` raises.
    """
    home = [line for place in places if not place.is_foreign for line in _lines(place, kinds)]
    home = [line for line in home if is_asked(question, line.place, line.unit)]
    for lang in sorted({place.lang for place in places if place.is_foreign}):
        near = meaning(lang)
        if near:
            own = [line for place in places if place.lang == lang for line in _near(question, place, kinds, near)]
            yield from _compared(question, home, own, near)


def _compared(
    question: Question, home: Sequence[_Line], foreign: Sequence[_Line], near: Near
) -> Iterator[tuple[Stated, Stated]]:
    """The foreign lines with those in the question's language, and with each other."""
    families = {family for line in foreign for family in line.families}
    home = [line for line in home if families & line.families.keys()][:_MOST_HOME]
    told = tuple(line.unit.text for line in foreign)
    cosines = {(a, b): c for a, line in enumerate(home) for b, c in enumerate(near.cosines(line.unit.text, told))}
    for (one, other), cosine in cosines.items():
        rivals = [
            c
            for (a, b), c in cosines.items()
            if (a == one) != (b == other) and _beside(home[a], home[one], foreign[b], foreign[other])
        ]
        if cosine >= near.limit and cosine >= max(rivals, default=0.0):
            yield from _pairs(question, home[one], foreign[other])
    for first, second in combinations(foreign, 2):
        if first.place is not second.place and near.cosines(first.unit.text, (second.unit.text,))[0] >= near.limit:
            yield from _pairs(question, first, second)


def _beside(one: _Line, own: _Line, other: _Line, theirs: _Line) -> bool:
    """Whether two lines stand in the passages of two others: which of them are meant is then to be found out."""
    return one.place is own.place and other.place is theirs.place


def _lines(place: Place, kinds: tuple[str, ...]) -> Iterator[_Line]:
    for unit, line in zip(place.units, place.lines, strict=True):
        text = line.text
        if unit.is_question or unit.kind == "code" or is_set_aside(text):
            continue
        every = (*line.values, *stance.stances(text, place.lang))
        found = tuple(v for v in every if v.kind.startswith(kinds) and v.kind.startswith(_FREE) and not v.is_condition)
        if found:
            yield _Line(place, unit, text, found)


def _near(question: Question, place: Place, kinds: tuple[str, ...], near: Near) -> list[_Line]:
    """The lines of a passage in another language that are nearest to the question."""
    found = [*_lines(place, kinds)][:_MOST_LINES]
    cosines = (
        near.cosines(question.text, tuple(line.unit.text for line in found))
        if len(found) > _BEST_LINES
        else [0.0] * len(found)
    )
    ranked = sorted(zip(cosines, range(len(found)), strict=True), reverse=True)
    return [found[at] for _, at in ranked[:_BEST_LINES]]


def _pairs(question: Question, one: _Line, other: _Line) -> Iterator[tuple[Stated, Stated]]:
    """The values of one kind that are not meant by the other line: all, or of several in one order a single one."""
    for family, mine in one.families.items():
        theirs = other.families.get(family, [])
        differing = [(a, b) for a, b in product(mine, theirs) if not _agree(a, b)]
        if len(mine) == len(theirs):
            differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if not _agree(a, b)]
        if not differing or len(differing) != (1 if len(mine) == len(theirs) else len(mine) * len(theirs)):
            continue
        a, b = differing[0]
        pair = one.stated(a), other.stated(b)
        if not _is_apart(question, *pair) and not _tells_both(*pair) and not _tells_both(*pair[::-1]):
            yield pair


def _agree(one: Value, other: Value) -> bool:
    """1,500 is written the same by whoever forgets to translate it."""
    written = [re.sub(r"\D", "", value.text) for value in (one, other)]
    return agree(one, other) or bool(written[0] == written[1] and written[0] and one.unit == other.unit)


def _tells_both(one: Stated, other: Stated) -> bool:
    return any(same(value, other.value) for value in one.place.values)


def _is_apart(question: Question, one: Stated, other: Stated) -> bool:
    if one.place.lang == other.place.lang:
        return is_apart(question, one, other)
    return apart(one.place.labels, other.place.labels) or _differs(one.scope, other.scope)


def _differs(one: Scope, other: Scope) -> bool:
    """Of two languages neither places nor the words of conditions can be compared, only whether there are some."""
    mine, theirs = ((s.limits, s.years, len(s.places), bool(s.conditions)) for s in (one, other))
    return mine != theirs
