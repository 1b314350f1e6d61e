"""A table's cells as they are read: each with its row's label, its column's head and the caption above the table.

"Seniors have 32 days of vacation" takes its words from three places of a table: together they are one statement. The
label, head and caption that a claim names tell which cells it is about; its figures, dates and words must be theirs.
Must not know verdicts or markers. Try: python verify.py "a question" shows the row that proves a claim, and its header.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from proof.align import tokens
from proof.evidence import Part
from proof.facts import Moment, Number, moments, numbers, squash
from proof.negation import denials, differs, limits
from proof.parallel import finer_keys
from proof.source import Facts, Source
from proof.stated import Stated
from proof.tables import MARKS, NO_MARKS

_CUT = re.compile(
    r"[,;:](?=\s)|\.\s|[，；。]|\s[–—-]\s|\s(?:and|but|und|aber|sondern|et|mais|y|pero|e|ma|mas|en|maar)(?=\s)|而"
)
_LISTED = re.compile(r"[,;/，、；]|\s(?:and|or|und|oder|et|ou|y|o)\s")
_MOST_CELLS = 2_000  # of all tables of a claim's passages; beyond them nothing is said


Columns = frozenset[tuple[int, int, int]]


@dataclass(frozen=True)
class Cell:
    """What stands in one place of a table (`row` and `header` count units of source `source`; header -1: none)."""

    source: int
    row: int
    header: int
    column: int
    label: str
    head: str
    caption: str
    text: str
    lang: str
    reading: str | None

    @cached_property
    def facts(self) -> Facts:
        """Its figures and dates."""
        return Facts(self.text, self.reading)

    @property
    def is_hard(self) -> bool:
        """Whether it holds a figure or date."""
        return bool(self.facts.numbers or self.facts.moments)

    @property
    def of_column(self) -> tuple[int, int, int]:
        """Its column: source, header and place in it."""
        return self.source, self.header, self.column

    @property
    def mark(self) -> bool | None:
        """Whether it is a yes or a no (✓, nein); None for any other text."""
        return MARKS.get(self.text.casefold())

    @property
    def kind(self) -> object:
        """What tells cells apart by their form: dates, figures with their unit's words, other words."""
        figures = bool(self.facts.numbers)
        return bool(self.facts.moments), figures, finer_keys(self.text, self.lang) - _figures(self) if figures else ""


@dataclass(frozen=True)
class Reading:
    """A clause of a claim, the cells of the row or column that it names (maybe none), and those that it says."""

    text: str
    about: tuple[Cell, ...]
    said: tuple[Cell, ...]
    sure: bool  # whether no cell of another column could be meant


class Cells:
    """A claim laid on the tables of its passages."""

    def __init__(self, claim: Stated, sources: Sequence[Source]) -> None:
        self.claim, self.sources = claim, sources
        self.every = [cell for n, source in enumerate(sources) for cell in _cells(n, source)][: _MOST_CELLS + 1]

    @cached_property
    def readings(self) -> list[Reading]:
        """The claim's clauses that are about cells; one that names no row goes on about the row before."""
        found: list[Reading] = []
        rows: set[tuple[int, int]] = set()
        heads = last = Columns()
        for text in self._clauses() if 0 < len(self.every) <= _MOST_CELLS else ():
            own, lang = self._keys(text), self.claim.lang
            pool = _named(self.every, own, lang, lambda c: c.caption) or self.every
            columns = _named(pool, own, lang, lambda c: c.head)
            rest = own - self._keys(" | ".join({c.head for c in columns}))  # "Total" may head a row and a column
            lines = _named(pool, rest, lang, lambda c: c.label) or _named(pool, own, lang, lambda c: c.label)
            fresh = {(c.source, c.row) for c in lines}
            mine = frozenset(c.of_column for c in columns)
            heads = mine or (heads if fresh and rows else mine)
            last = heads or last
            rows = fresh or rows
            about = [
                c
                for c in pool
                if (rows or heads) and (not rows or (c.source, c.row) in rows) and (not heads or c.of_column in heads)
            ]
            found.append(self._reading(text, own, about, last))
        return found

    def _clauses(self) -> list[str]:
        """The claim's clauses, none cut inside the name of a row or column ("gains and losses")."""
        text = self.claim.text
        folded, names = text.casefold(), dict.fromkeys(name for c in self.every for name in (c.label, c.head))
        whole = [(at, at + len(n)) for n in names if _CUT.search(n) and (at := folded.find(n.casefold())) >= 0]
        cuts = [m for m in _CUT.finditer(text) if not any(start <= m.start() < end for start, end in whole)]
        edges = [0, *(place for cut in cuts for place in cut.span()), len(text)]
        return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]

    def _reading(self, text: str, own: frozenset[str], about: list[Cell], heads: Columns) -> Reading:
        named = frozenset[str]().union(*(self._keys(f"{c.label} {c.head} {c.caption}") for c in about))
        said = [c for c in self.every if self._says(text, own, c, about, named)] if about else []
        mine = [c for c in said if c in about]
        beside = [c for c in self.every if mine and (c.source, c.row) == (mine[0].source, mine[0].row)]
        by_head = heads and all(c.of_column in heads for c in mine)
        sure = bool(by_head) or not any(c.kind == m.kind and c != m for m in mine if m.is_hard for c in beside)
        return Reading(text, tuple(about), tuple(said), sure)

    def _says(self, text: str, own: frozenset[str], cell: Cell, about: list[Cell], named: frozenset[str]) -> bool:
        """Whether a clause says what stands in a cell: one of its figures or dates, or all words of what it lists."""
        if cell.mark is not None:
            return cell in about and len(about) == 1
        if cell.is_hard:
            return any(cell in _holding(x, [cell]) and not _above(x, about) for x in _hard(text, self.claim.lang))
        return any((keys := self._keys(part)) and keys <= own and keys - named for part in _LISTED.split(cell.text))

    def other_cell(self) -> str:
        """Why what the claim says is told of another row, column or table; "" where it is not."""
        about = [reading for reading in self.readings if reading.about]
        return next((why for one in about if (why := self._other_mark(one) or self._other_value(one))), "")

    def _other_mark(self, reading: Reading) -> str:
        """A yes told of a cell that says no or nothing, or a no of one that says yes."""
        first, denied = reading.about[0], bool(denials(reading.text, self.claim.lang))
        marks = {cell.mark for cell in reading.about}
        if marks in ({True}, {False}) and denied in marks and not limits(reading.text):
            return f"the table says “{first.text}” under “{_place(first)}”"
        if len(reading.about) > 1 or first.text.strip(NO_MARKS) or denied:
            return ""
        column = [c for c in self.every if c.of_column == first.of_column and c.text.strip(NO_MARKS)]
        marked = column and all(c.mark is not None for c in column)
        return f"the table marks nothing under “{_place(first)}”" if marked else ""

    def _other_value(self, reading: Reading) -> str:
        """A figure, date or words that only cells of other places hold, and no prose."""
        for fact in _hard(reading.text, self.claim.lang):
            holding = _holding(fact, self.every)
            elsewhere = _above(fact, reading.about) or _in_prose(fact, self.sources)
            if holding and not elsewhere and not set(holding) & set(reading.about):
                return _elsewhere(fact.text, holding[0], reading.about)
        words = [c for c in reading.said if not c.is_hard]
        if words and not set(reading.said) & set(reading.about):
            return _elsewhere(f"“{words[0].text}”", words[0], reading.about)
        return ""

    @cached_property
    def chosen(self) -> list[Cell]:
        """The cells that the claim names and says."""
        return [cell for reading in self.readings for cell in reading.said if cell in reading.about]

    def statements(self, parts: Sequence[Part]) -> list[str]:
        """What each row of `parts` tells in the claim's cells, with label and heads; "" for a header."""
        told = {(c.source, c.row): "" for c in self.chosen}
        for cell in self.chosen:
            told[cell.source, cell.row] += f"{cell.label}, {cell.head}: {cell.text}; "
        return [told.get((part.source, part.start), "") for part in parts]

    def proof(self) -> list[Part]:
        """The rows that tell the claim, then their headers; [] where rows and headers alone do not tell it all."""
        claim, chosen = self.claim, self.chosen
        told = [r for r in self.readings if _hard(r.text, claim.lang) or r.said]
        if not chosen or limits(claim.text) or not all(r.sure and set(r.said) & set(r.about) for r in told):
            return []
        units = " | ".join(f"{c.caption} | {c.label} | {c.head} | {c.text}" for c in chosen)
        around = " | ".join(squash(self.sources[c.source].context) for c in chosen)
        heads = " | ".join(line for c in chosen for line in self.sources[c.source].heads[c.row][:1])
        known = self._keys(f"{around} {heads} {units}")
        every = frozenset[str]().union(*(self._keys(s.whole) for s in self.sources))
        if (self._keys(claim.text) & every) - known or self._lacks(f"{around} | {heads} | {units}"):
            return []
        plain = [c for c in chosen if c.mark is None]
        denied = [d for c in plain for d in denials(f"{c.label} {c.head} {c.text}", c.lang)]
        if plain and differs(claim.denials, claim.terms_set, denied):
            return []
        rows = dict.fromkeys(Part(c.source, c.row, c.row + 1) for c in chosen)
        headers = dict.fromkeys(Part(c.source, c.header, c.header + 1) for c in chosen if c.header >= 0)
        return [*rows, *headers]

    def has_modal(self) -> bool:
        """Whether a cell that the claim says holds "must", "may" or the like."""
        return any(word.modal for c in self.chosen for word in tokens(c.text, self.claim.lang))

    def _lacks(self, unit: str) -> bool:
        facts = Facts(unit, self.sources[0].reading)
        claim = self.claim
        return not (
            all(facts.has_number(n) for n in claim.numbers)
            and all(facts.has_moment(m) for m in claim.moments)
            and all(facts.has_name(name, claim.lang) for name in claim.names)
            and all(quote in facts.text or quote in facts.spoken for quote in claim.quotes)
        )

    def _keys(self, text: str) -> frozenset[str]:
        return finer_keys(text, self.claim.lang)


@lru_cache(maxsize=32)  # of one answer: every claim asks for the same
def _cells(n: int, source: Source) -> tuple[Cell, ...]:
    header, found = -1, list[Cell]()
    for at, (unit, cells) in enumerate(zip(source.units, source.cells, strict=True)):
        if not cells:
            header = at if unit.kind == "heading" and "|" in source.lines[at] else -1
        heads = source.heads[at] or [""] * len(cells)
        for column, (head, text) in enumerate(zip(heads[1:], cells[1:], strict=True), 1):
            place = n, at, header, column, cells[0], head, source.above[at]
            found.append(Cell(*place, text, source.answer_lang, source.reading))
    return tuple(found)


def _named(cells: Sequence[Cell], own: frozenset[str], lang: str, name: Callable[[Cell], str]) -> list[Cell]:
    """The cells whose name holds most of the clause's words: none has more of them, or as many in a shorter name."""
    names = {text: finer_keys(text, lang) for text in dict.fromkeys(map(name, cells))}
    hits = {text: keys & own for text, keys in names.items() if keys & own}
    best = {
        text
        for text, hit in hits.items()
        if not any(hit < other or (hit == other and len(names[t]) < len(names[text])) for t, other in hits.items())
    }
    return [cell for cell in cells if name(cell) in best]


def _hard(text: str, lang: str) -> list[Number | Moment]:
    return [*(n for n in numbers(text, lang) if n.text.casefold() != "one"), *moments(text)]


def _place(cell: Cell) -> str:
    return " | ".join(part for part in (cell.label, cell.head) if part)


def _elsewhere(said: str, where: Cell, about: Sequence[Cell]) -> str:
    place = f"under “{_place(about[0])}”"
    if len(about) == 1 and about[0].text:
        return f"the table says “{about[0].text}” {place}, not {said}"
    return f"the table says {said} under “{_place(where)}”, not {place}"


def _has(facts: Facts, fact: Number | Moment) -> bool:
    return bool(fact.values & facts.values) if isinstance(fact, Number) else facts.has_moment(fact)


def _holding(fact: Number | Moment, cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if _has(cell.facts, fact)]


def _above(fact: Number | Moment, cells: Iterable[Cell]) -> bool:
    """Whether a figure is one of the label, head or caption ("5 days", "2024") of the cells."""
    texts = dict.fromkeys((f"{cell.caption} | {cell.label} | {cell.head}", cell.reading) for cell in cells)
    return any(_has(Facts(text, reading), fact) for text, reading in texts)


def _in_prose(fact: Number | Moment, sources: Sequence[Source]) -> bool:
    lines = ((s, at) for s in sources for at, cells in enumerate(s.cells) if not cells and "|" not in s.lines[at])
    return any(_has(source.line_facts[at], fact) for source, at in lines) or any(_has(s.title, fact) for s in sources)


def _figures(cell: Cell) -> frozenset[str]:
    return frozenset(key for key in finer_keys(cell.text, cell.lang) if any(c.isdigit() for c in key))
