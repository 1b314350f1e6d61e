"""Passages that disagree: different values for what was asked, each with its words, the newest document first.

Two statements are compared only when both hold the question's words, speak of the same thing and have the same scope
(proof.scope) and a value of the same kind (proof.values; proof.stance for yes and no, names and statuses). Rather
silent than wrong: an alarm without a disagreement costs more trust than a disagreement that is only shown twice.
Pure rules: must not know files, models or how it is shown.
Try: python -m pytest tests/test_conflict.py
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.units import Unit, units
from language.wanted import wanted
from language.words import is_function_word, words
from proof import stance, values
from proof.facts import without_figures
from proof.scope import Scope, differs, is_set_aside, scope
from proof.subject import asked_terms, modifiers, terms
from proof.values import Value
from proof.verdict import CitedText, Conflict, Side

Similar = Callable[[Sequence[str], Sequence[str]], npt.NDArray[np.float32]]
"""The cosines of some texts (rows) with others (columns)."""
_MEASURED = ("time", "money", "%", "count", "named", "date", "clock", "weekday", "year")
_KINDS: dict[str | None, tuple[str, ...]] = {
    "number": ("%", "count", "named", "money", "time"),
    "duration": ("time", "date"),
    "money": ("money", "%"),
    "date": ("date", "time", "clock", "weekday", "year"),
    "clock": ("clock",),
    "weekday": ("weekday",),
    "person": ("name", "email", "phone"),
    "place": ("email", "url", "phone", "named"),
    "steps": ("email", "phone"),
    "yes_no": ("stance", "status"),
    "thing": (*_MEASURED, "email", "url", "phone", "stance duty", "status", "name"),
    None: (*_MEASURED, "email", "url", "phone", "stance duty", "status", "name"),
}
"""Kinds of values that answer a wanted kind (language.wanted)."""
_SHARE = 0.5  # of the question's words that each statement must hold, what stands above it included
_TWINS = 0.8  # the same, of both: then one of the question's words is enough
_SAME_SUBJECT = 0.5  # shared words as a share of shared and own ones of the shorter statement
_SAME_DOCUMENT = 0.6  # sections of one document mostly speak of different things
_MOST_FOREIGN = 5  # units of a passage in another language that are looked at
_SIMILAR, _FOREIGN = 0.5, 0.6  # least cosine, where cosines are given: in one language, and between two
_NAME = re.compile(r"(?<=[\w,)'’] )[A-ZÀ-ÞŁŚŻ][\w-]+")
_LABEL = re.compile(r"\s*[*_]{0,2}[^\W\d_][\w -]{0,24}[*_]{0,2}[:：]\s*\S")
_CLAUSE = re.compile(
    r"[;:–—]\s|,(?!\d)|\.\s|[，；。、]|\s(?:and|but|while|whereas|und|aber|sondern|et|mais|y|pero|e|ma|mas|en|maar|и|а|но)\s",
    re.I,
)


class DatedText(CitedText, Protocol):
    """What is needed of a passage beside what a check needs."""

    @property
    def dated(self) -> str:
        """ISO date of the document, "" where not known."""

    @property
    def lang(self) -> str:
        """ISO 639-1 code."""

    @property
    def source(self) -> str:
        """Path of the document."""


@dataclass(frozen=True)
class _Stated:
    """A value with the words it is stated in."""

    place: "_Place"
    unit: Unit
    text: str  # the sentence, or its clause where it gives several values
    value: Value
    beside: tuple[Value, ...]  # other figures of the clause
    clause: str = ""  # where the value stands, "" for all of `text`

    @cached_property
    def subject(self) -> frozenset[str]:
        lang = self.place.lang
        own = terms(without_figures(self.text, lang), lang)
        for heading in self.place.headings:  # nearest first; "Uptime: 99 %" is about what stands above it
            if own >= self.place.asked:
                break
            own |= terms(heading, lang)
        return own

    @cached_property
    def scope(self) -> Scope:
        return scope(self.text, self.place.above, self.place.lang, self.clause or self.text)


class _Place:
    """A passage, taken apart once."""

    def __init__(self, n: int, passage: DatedText, asked: frozenset[str], lang: str) -> None:
        title, path, context = (*passage.above.split("\n", 2), "", "")[:3]
        self.n, self.lang, self.dated, self.source = n, passage.lang, passage.dated, passage.source
        self.text, self.above, self.path = passage.text, f"{title}\n{path}", path
        self.headings = [part for part in (*reversed(path.split(" > ")), title) if part]
        self.first_line = passage.first_line
        found = units(passage.text, passage.first_line, context, passage.lang)
        self.units = [part for unit in found for part in _labels(unit)]
        self.is_foreign = passage.lang != lang  # than the question
        self.asked_of_all, self.asked = asked, asked & self.every

    @cached_property
    def above_terms(self) -> frozenset[str]:
        return terms(self.above, self.lang)

    @cached_property
    def every(self) -> frozenset[str]:
        return self.above_terms | terms(self.text, self.lang)

    @cached_property
    def whole(self) -> str:
        return values.told(f"{self.above}\n{self.text}")

    @cached_property
    def values(self) -> list[Value]:
        return [v for unit in self.units for v in values.values(values.told(unit.text), self.lang, "")]


def conflicts(
    question: str, lang: str, passages: Sequence[DatedText], similar: Similar | None = None
) -> list[Conflict]:
    """Where the passages (numbered from 1) state different values for what `question`, in language `lang`, asks.

    Sides are newest first, undated last, one for each value. `similar` lets texts of two languages be compared and
    rules out texts of different meaning; without it passages of different languages never disagree. Raises nothing.
    """
    if len(passages) < 2:
        return []
    kinds = _KINDS[wanted(question, lang)]
    asked = asked_terms(question, lang)
    places = [_Place(n, passage, asked, lang) for n, passage in enumerate(passages, 1)]
    found = [s for place in places for s in _stated(place, kinds, _near(question, place, similar))]
    pairs = [*_disagreeing(question, lang, found, similar)]
    if "status" in kinds:
        pairs += _statuses(question, lang, places)
    return [_conflict(group) for group in _groups(pairs)]


def _labels(unit: Unit) -> list[Unit]:
    """The lines of a paragraph such as "Owner: ..." over "Status: ..." one by one; anything else as it is."""
    lines = unit.quote.split("\n")
    if unit.kind != "sentence" or len(lines) < 2 or not any(_LABEL.match(line) for line in lines):
        return [unit]
    parts: list[list[str]] = []
    firsts = []
    for at, line in enumerate(lines):
        if not parts or _LABEL.match(line) or _LABEL.match(parts[-1][-1]):
            parts.append([])
            firsts.append(unit.first_line + at)
        parts[-1].append(line)
    return [
        replace(
            unit,
            text=values.told(" ".join(part)),
            quote="\n".join(part).strip(),
            first_line=n,
            last_line=n + len(part) - 1,
        )
        for part, n in zip(parts, firsts, strict=True)
        if "".join(part).strip()
    ]


def _stated(place: _Place, kinds: tuple[str, ...], near: set[int]) -> Iterator[_Stated]:
    """The statements of a passage that may answer the question; `near`: units of another language that are near it."""
    asked = place.asked_of_all
    for at, unit in enumerate(place.units):
        if unit.is_question or unit.kind == "code":
            continue
        if place.is_foreign:
            if at not in near:
                continue
        else:
            own = terms(unit.text, place.lang)
            if not asked & (own | place.above_terms):
                continue
        yield from (s for s in _of_unit(place, unit) if s.value.kind.startswith(kinds) and not is_set_aside(s.text))


def _near(question: str, place: _Place, similar: Similar | None) -> set[int]:
    """The units in another language than the question's that may answer it: near in meaning, or with its names."""
    if not place.is_foreign or not place.units:
        return set()
    if similar is None:
        named = _told_names(question)
        return {at for at, unit in enumerate(place.units) if named & _parts(unit.text)}
    cosines = similar([question], [unit.text for unit in place.units])[0]
    best = sorted(range(len(place.units)), key=lambda at: -float(cosines[at]))[:_MOST_FOREIGN]
    return {at for at in best if cosines[at] >= _SIMILAR}


def _of_unit(place: _Place, unit: Unit) -> Iterator[_Stated]:
    if unit.kind == "row":
        yield from _of_row(place, unit)
        return
    text = values.told(unit.text)
    found = values.values(text, place.lang)
    counted = [v for v in found if not v.is_condition]
    for value in counted:
        start, end = _clause(text, value)
        clause = text[start:end]
        beside = tuple(v for v in found if v is not value and start <= v.start < end)
        if all(start <= v.start < end for v in counted):
            yield _Stated(place, unit, text, value, beside, clause)
        elif place.asked & terms(clause, place.lang) or not place.asked & terms(text, place.lang):
            yield _Stated(place, unit, clause, value, beside)
    for value in (*stance.stances(text, place.lang), *stance.names_of(text, place.lang)):
        yield _Stated(place, unit, text, value, ())


def _clause(text: str, value: Value) -> tuple[int, int]:
    cuts = [m.span() for m in _CLAUSE.finditer(text)]
    start = max((end for _, end in cuts if end <= value.start), default=0)
    end = min((begin for begin, _ in cuts if begin >= value.end), default=len(text))
    return start, end


def _of_row(place: _Place, unit: Unit) -> Iterator[_Stated]:
    """A row states each of its figures under its column's name."""
    names = unit.lead.split(" | ")
    cells: list[tuple[str, str]] = []
    for part in unit.text.split("; "):
        name = next((n for n in names if part.startswith(f"{n}: ")), "")
        if name or not cells:
            cells.append((name, values.told(part.removeprefix(f"{name}: "))))
        else:
            cells[-1] = (cells[-1][0], f"{cells[-1][1]}; {part}")
    read = [(name, cell, values.values(cell, place.lang, name)) for name, cell in cells]
    bare = [cell for name, cell, found in read if not found]
    for at, (name, cell, found) in enumerate(read):
        text = "; ".join([*bare, f"{name}: {cell}" if found else ""])
        if at and len(found) == 1 and not found[0].is_condition:
            yield _Stated(place, unit, text, found[0], ())
        if at and (value := stance.name_in_cell(name, cell, place.lang)):
            rest = "; ".join(c for c in bare if c != cell)
            yield _Stated(place, unit, f"{rest}; {name}", value, ())


def _disagreeing(
    question: str, lang: str, found: Sequence[_Stated], similar: Similar | None
) -> Iterator[tuple[_Stated, _Stated]]:
    best: dict[tuple[int, int, str], tuple[float, _Stated, _Stated]] = {}
    for one, other in combinations(found, 2):
        if one.place is other.place or _same_place(one.place, other.place) or one.value.kind != other.value.kind:
            continue
        if values.agree(one.value, other.value):
            continue
        score = _sameness(question, lang, one, other, similar)
        if score and (_known(one, other) or _known(other, one)):
            continue
        key = (one.place.n, other.place.n, one.value.kind)
        if score and score > best.get(key, (0.0,))[0]:
            best[key] = (score, one, other)
    yield from ((one, other) for _, one, other in best.values())


def _same_place(one: _Place, other: _Place) -> bool:
    return (one.source, one.path) == (other.source, other.path)


def _known(one: _Stated, other: _Stated) -> bool:
    """Whether the passage of `one` holds the value of `other`, too: then it speaks of both and tells them apart."""
    kind, said = other.value.kind, other.value.words
    if kind.startswith("name "):
        return any(said & value.words for value in stance.every(one.place.whole, one.place.lang))
    return not kind.startswith("stance") and any(values.same(v, other.value) for v in one.place.values)


def _sameness(question: str, lang: str, one: _Stated, other: _Stated, similar: Similar | None) -> float:
    """How surely two statements speak of the same thing, 0 for not."""
    foreign = one.place.lang != other.place.lang
    if foreign and not similar:  # both hold a name of the question
        share = _FOREIGN if _told_names(question) & _parts(one.text) & _parts(other.text) else 0.0
    else:
        share = 1.0 if foreign else _same_subject(question, lang, one, other)
    if not share or differs(one.scope, other.scope) or not _beside_agree(one, other):
        return 0.0
    if one.place.source == other.place.source and not _alike(one.subject, other.subject):
        return 0.0  # rules beside each other in one document are mostly rules of different things
    if not similar:
        return share
    cosine = float(similar([one.unit.text], [other.unit.text])[0][0])
    return share if cosine >= (_FOREIGN if foreign else _SIMILAR) else 0.0


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= len(one | other)


def _told_names(question: str) -> set[str]:
    """Names that stand alike in every language: VPN, ISO27001, PostgreSQL."""
    return {w for w in words(question) if (w.isupper() and len(w) > 2) or any(c.isupper() for c in w[1:])}


def _parts(text: str) -> set[str]:
    return {part for word in words(text) for part in word.split("-")}


def _beside_agree(one: _Stated, other: _Stated) -> bool:
    """Whether the other figures of both clauses are the same; "since 2024" and "from 9 a.m." limit nothing."""
    mine, theirs = ([v for v in s.beside if v.kind not in ("year", "date") or v.limit != "min"] for s in (one, other))
    mine, theirs = ([v for v in side if v.kind != "weekday" or len(v.words) < 5] for side in (mine, theirs))
    return all(any(values.same(v, w) for w in theirs) for v in mine) and len(mine) == len(theirs)


def _same_subject(question: str, lang: str, one: _Stated, other: _Stated) -> float:
    asked = asked_terms(question, lang)
    own, others = ((asked & (s.subject | terms(s.unit.text, s.place.lang))) for s in (one, other))
    lacks = (own - other.subject - other.place.above_terms) | (others - one.subject - one.place.above_terms)
    shared = one.subject & other.subject
    if not all(_is_asked(asked, s) for s in (one, other)) and not _twins(one, other, shared):
        return 0.0
    titled = {t for s in (one, other) if s.place.headings for t in terms(s.place.headings[0], s.place.lang)}
    if (
        not shared
        or lacks & titled
        or len(lacks) > (1 if len(own & others) > 1 else 0)
        or lacks & _told_apart(question, lang)
    ):
        return 0.0
    if one.value.kind.startswith("stance") and len(shared & asked) < min(2, len(asked)):
        return 0.0
    rests = [s.subject - t.subject - t.place.above_terms for s, t in ((one, other), (other, one))]
    share = _weight(shared) / (_weight(shared) + min(map(_weight, rests)))
    same_document = one.place.source == other.place.source
    if share <= (_SAME_DOCUMENT if same_document else _SAME_SUBJECT):
        return 0.0
    for s, t in ((one, other), (other, one)):
        text = "\n".join([s.text, *s.place.headings])
        if modifiers(text, shared, s.place.lang) - t.place.every - asked:
            return 0.0
        if _names(s) - set(words(t.place.whole)) - set(words(question)):
            return 0.0
    return share


def _is_asked(asked: frozenset[str], stated: _Stated) -> bool:
    """Whether a statement holds one of the words asked for, and enough of them with what stands above it."""
    place, own = stated.place, terms(stated.unit.text, stated.place.lang)
    near = own | terms("".join(place.headings[:1]), place.lang)
    return bool(asked & near) and len(asked & (own | place.above_terms)) >= _SHARE * len(asked)


def _twins(one: _Stated, other: _Stated, shared: frozenset[str]) -> bool:
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


def _told_apart(question: str, lang: str) -> frozenset[str]:
    """Names of the question: a statement that lacks one answers another question."""
    named = [w for w in words(question)[1:] if w[0].isupper() or any(c.isdigit() for c in w)] if lang != "de" else []
    return frozenset(t for w in named for t in terms(w, lang))


def _names(stated: _Stated) -> set[str]:
    """Capitalised words before the value, inside the sentence: what it speaks of by name."""
    is_contact = stated.value.kind.startswith(("email", "phone", "url", "name"))
    if is_contact or stated.unit.kind == "row" or stated.place.lang == "de":
        return set()
    before = stated.text[: stated.text.find(stated.value.text)]
    return {w for w in _NAME.findall(before) if not is_function_word(w, stated.place.lang)}


def _statuses(question: str, lang: str, places: Sequence[_Place]) -> Iterator[tuple[_Stated, _Stated]]:
    """A decision's record and an index of decisions that give it different statuses."""
    found = [
        (place, s)
        for place in places
        for s in stance.statuses(place.text, place.first_line, place.headings, place.units, place.lang)
    ]
    asked = asked_terms(question, lang)
    for (one, a), (other, b) in combinations(found, 2):
        if one is other or a.word == b.word or not stance.same_record(a, b):
            continue
        if len(asked & (a.subject | b.subject)) < _SHARE * len(asked):
            continue
        yield tuple(  # type: ignore[misc]
            _Stated(p, s.unit, s.unit.text, Value("status", 0, 0, s.word, words=frozenset({s.word})), ())
            for p, s in ((one, a), (other, b))
        )


def _groups(pairs: Sequence[tuple[_Stated, _Stated]]) -> list[list[_Stated]]:
    """Statements that disagree, directly or through a third, of one kind."""
    groups: list[list[_Stated]] = []
    for pair in pairs:
        joined = [g for g in groups if any(_is(s, t) for s in pair for t in g)]
        rest = [g for g in groups if g not in joined]
        merged = [s for g in joined for s in g]
        merged += [s for s in pair if not any(_is(s, t) for t in merged)]
        groups = [*rest, merged]
    return groups


def _is(one: _Stated, other: _Stated) -> bool:
    return one.unit is other.unit and one.value == other.value


def _conflict(group: Sequence[_Stated]) -> Conflict:
    ordered = sorted(group, key=lambda s: s.place.n)
    ordered.sort(key=lambda s: s.place.dated, reverse=True)  # "" last
    kept: list[_Stated] = []
    for stated in ordered:
        if not any(values.same(stated.value, other.value) for other in kept):
            kept.append(stated)
    return Conflict(sides=[_side(stated) for stated in kept])


def _side(stated: _Stated) -> Side:
    unit = stated.unit
    return Side(
        n=stated.place.n, value=stated.value.text, quote=unit.quote, first_line=unit.first_line,
        last_line=unit.last_line, dated=stated.place.dated,
    )  # fmt: skip
