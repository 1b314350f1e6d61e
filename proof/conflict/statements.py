"""A passage taken apart: its statements, each a value with the sentence or clause it is stated in and their scope.

Must not know what is asked (but for the question's words) or which statements are compared.
Try: python -m pytest tests/test_conflict.py
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from chunking.units import Unit, units
from proof.conflict import stance, values
from proof.conflict.apart import Labels
from proof.conflict.scope import Scope, scope
from proof.conflict.subject import terms
from proof.conflict.twins import Line
from proof.conflict.value import WORDY, Value
from proof.facts import without_figures
from proof.verdict import CitedText

_LABEL = re.compile(r"\s*[*_]{0,2}[^\W\d_][\w -]{0,24}[*_]{0,2}[:：]\s*\S")
_CLAUSE = re.compile(
    r"[;:–—]\s|,(?!\d)|\.\s|[，；。、]|\s(?:and|but|while|whereas|und|aber|sondern|et|mais|y|pero|e|ma|mas|en|maar|и|а|но)\s",
    re.I,
)


class DatedText(CitedText, Protocol):
    """What is needed of a passage beside what a check needs."""

    @property
    def dated(self) -> str:
        """ISO date that the document states, "" where it states none."""

    @property
    def lang(self) -> str:
        """ISO 639-1 code."""

    @property
    def source(self) -> str:
        """Path of the document."""


class Place:
    """A passage, taken apart once."""

    def __init__(self, n: int, passage: DatedText, asked: frozenset[str], lang: str) -> None:
        title, path, context = (*passage.above.split("\n", 2), "", "")[:3]
        self.n, self.lang, self.dated, self.source = n, passage.lang, passage.dated, passage.source
        self.text, self.above, self.path = passage.text, f"{title}\n{path}", path
        self.headings = [part for part in (*reversed(path.split(" > ")), title) if part]
        self.first_line = passage.first_line
        found = units(passage.text, passage.first_line, context, passage.lang)
        self.units = [part for unit in found for part in _lines(unit)]
        self.is_foreign = passage.lang != lang  # than the question
        self.asked_of_all, self.asked = asked, asked & self.every

    @cached_property
    def above_terms(self) -> frozenset[str]:
        return terms(self.above, self.lang)

    @cached_property
    def every(self) -> frozenset[str]:
        return self.above_terms | terms(self.text, self.lang)

    @cached_property
    def labels(self) -> Labels:
        return Labels(tuple(reversed(self.headings)), self.source, self.lang, self.every)

    @cached_property
    def whole(self) -> str:
        return values.told(f"{self.above}\n{self.text}")

    @cached_property
    def lines(self) -> list[Line]:
        """The units in the form in which sentences are laid beside each other."""
        return [Line(values.told(unit.text), self.lang) for unit in self.units]

    @cached_property
    def bare(self) -> list[Line]:
        """The same without the words that introduce a list or a paragraph."""
        return [
            Line(values.told(unit.text.removeprefix(unit.lead).lstrip(" :–")), self.lang)
            if unit.lead and unit.kind != "row" and unit.text.startswith(unit.lead)
            else line
            for unit, line in zip(self.units, self.lines, strict=True)
        ]

    @cached_property
    def said(self) -> set[tuple[str, ...]]:
        """The words of each unit."""
        return {line.plain for line in self.bare}

    @cached_property
    def values(self) -> list[Value]:
        return [v for line in self.lines for v in line.values]


@dataclass(frozen=True)
class Stated:
    """A value with the words it is stated in."""

    place: "Place"
    unit: Unit
    text: str  # the sentence, or its clause where it gives several values
    value: Value
    beside: tuple[Value, ...]  # other figures of the clause
    clause: str = ""  # where the value stands, "" for all of `text`

    @cached_property
    def subject(self) -> frozenset[str]:
        lang = self.place.lang
        told = self.text.replace(self.value.text, " ", 1) if self.value.kind.startswith(WORDY) else self.text
        own = terms(without_figures(told, lang), lang)
        for heading in self.place.headings:  # nearest first; "Uptime: 99 %" is about what stands above it
            if own >= self.place.asked:
                break
            own |= terms(heading, lang)
        return own

    @cached_property
    def scope(self) -> Scope:
        place = self.place
        if self.value.kind == "stance pay":  # "unpaid" is the answer here, and no limit
            text = self.text.replace(self.value.text, " ", 1)
            return scope(text, place.above, place.lang, text, place.source)
        return scope(self.text, place.above, place.lang, self.clause or self.text, place.source)


def _lines(unit: Unit) -> list[Unit]:
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


def stated_in(place: Place, unit: Unit, line: Line) -> Iterator[Stated]:
    """The values of a unit, each with the clause that states it."""
    if unit.kind == "row":
        yield from _of_row(place, unit)
        return
    text, found = line.text, line.values
    counted = [v for v in found if not v.is_condition]
    for value in counted:
        start, end = _clause(text, value)
        clause = text[start:end]
        beside = tuple(v for v in found if v is not value and start <= v.start < end)
        is_alone = all(start <= v.start < end for v in counted)
        if is_alone or not terms(
            clause.replace(value.text, " "), place.lang
        ):  # "on Wednesdays" is about what is before
            yield Stated(place, unit, text, value, beside, clause)
        elif place.asked & terms(clause, place.lang) or not place.asked & terms(text, place.lang):
            yield Stated(place, unit, clause, value, beside)
    for value in (*stance.stances(text, place.lang), *stance.names_of(text, place.lang)):
        yield Stated(place, unit, text, value, ())


def _clause(text: str, value: Value) -> tuple[int, int]:
    cuts = [m.span() for m in _CLAUSE.finditer(text)]
    start = max((end for _, end in cuts if end <= value.start), default=0)
    end = min((begin for begin, _ in cuts if begin >= value.end), default=len(text))
    return start, end


def _of_row(place: Place, unit: Unit) -> Iterator[Stated]:
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
            yield Stated(place, unit, text, found[0], ())
        if at and (value := stance.name_in_cell(name, cell, place.lang)):
            rest = "; ".join(c for c in bare if c != cell)
            yield Stated(place, unit, f"{rest}; {name}", value, ())
