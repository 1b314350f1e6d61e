"""The fields of a decision record, wherever they stand: front matter, lines, short sections, a table at its top.

Knows what fields records have, and not what they say.
Try: python -m facts docs/decisions/0003-planning-store-on-postgresql.md
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facts import Text
from facts.extractors import cells as c
from facts.extractors import references as refs
from facts.extractors.headings import meaning
from facts.extractors.markdown import Heading, Page, Table
from facts.normal import key, keys

AMENDS = {key(word): name for name, words in {
    "amends": ("amends", "updates", "ergänzt", "modifica", "modifie"),
    "amended by": ("amended by", "updated by", "ergänzt durch", "modificado por", "modifié par"),
}.items() for word in words}  # fmt: skip
LABEL = re.compile(
    r"\s{0,3}(?:[-*+]\s+|>\s?)?(?:\*\*|__|\*)?(?P<label>[^\W\d_][\w /()'’-]{1,40}?)"
    r"(?:\*\*|__|\*)?\s?:(?:\*\*|__|\*)?(?=\s|\Z)\s*(?P<value>.*)\Z"
)
_ALONE = re.compile(r"(?:\*\*|__)(?P<label>[^\W\d_][\w /()'’-]{1,40}?)(?:\*\*|__)(?P<value>)")
_PARTS = re.compile(r"(?<=\s)[|·•]\s{1,5}(?=(?:\*\*|__)?[^\W\d_][^|·•:]{1,40}:)")
ITEM = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(?P<text>.*)\Z")
_MOST_LABEL_WORDS, _MOST_SECTION, _MOST_TOP = 4, 12, 60


@dataclass(frozen=True, slots=True)
class Field:
    """What one label says, and where: "Status: accepted"."""

    label: str
    value: str
    first: int
    last: int


def _is_known(label: str) -> bool:
    plain = key(c.plain(label))
    return plain in refs.STATUS_LABELS or plain in refs.DATE_LABELS or is_link(plain)


def is_link(label: str) -> bool:
    """Whether a label relates a decision to something: "Deciders"."""
    return any("Decision" in link.things for link in meaning(label).links)


def fields_of(text: Text, seen: Page) -> Iterator[Field]:
    """The fields of a record wherever they stand: front matter, tables, lines of the top, short sections."""
    yield from _front(text, seen)
    first_section = next((one.line for one in seen.headings if one.level > 1), len(text.lines) + 1)
    for table in seen.tables:
        if _is_top(table, first_section):
            for label, value, line in _rows(table):
                if line != table.head.line or _is_known(label):
                    yield Field(c.plain(label).rstrip(" :"), value, line, line)
        elif len(table.rows) == 1 and table.head.line < first_section and sum(map(_is_known, table.head.cells)) > 1:
            for label, value in zip(table.head.cells, table.rows[0].cells, strict=False):  # "| Status | Date |"
                yield Field(c.plain(label), value, table.rows[0].line, table.rows[0].line)
    yield from _lines(text, seen, min(first_section, _MOST_TOP + seen.front + 1))
    for at, heading in enumerate(seen.headings):
        label = key(c.plain(heading.text))
        said = LABEL.match(c.plain(heading.text)[:200])
        if said and heading.level > 1 and said["value"] and _is_known(said["label"]):  # "## Status: accepted"
            yield Field(said["label"], said["value"], heading.line, heading.line)
        elif heading.level > 1 and (
            label in refs.STATUS_LABELS | refs.DATE_LABELS | AMENDS.keys() or (is_link(label) and label not in _PROSE)
        ):
            end = seen.headings[at + 1].line if at + 1 < len(seen.headings) else len(text.lines) + 1
            yield from _section(text, seen, heading, end)


_PROSE = keys(
    "dependencies|requirements|impacts|affects|affected|needs|services|applications|systems|team|teams|people|approval"
)


def _is_top(table: Table, first_section: int) -> bool:
    """Whether a table is the record's own head: two columns before the first section, fields of records."""
    if len(table.head.cells) != 2 or table.head.line > first_section:
        return False
    labels = {key(c.plain(row[0])) for row in _rows(table)}
    return bool(labels & refs.STATUS_LABELS) or len(labels & (refs.DATE_LABELS | {key("author"), key("authors")})) > 1


def _rows(table: Table) -> list[tuple[str, str, int]]:
    return [
        (row.cells[0], row.cells[1], row.line)
        for row in (table.head, *table.rows)
        if len(row.cells) > 1 and key(row.cells[0])
    ]


def _front(text: Text, seen: Page) -> Iterator[Field]:
    for label, value in text.meta.items():
        line = line_of_front(text.lines, seen.front, label)
        if line and label.casefold() not in ("title", "access"):
            last = line
            while last < seen.front - 1 and text.lines[last].lstrip().startswith("- "):
                last += 1
            yield Field(label.replace("_", " ").replace("-", " "), value, line, last)


def line_of_front(lines: Sequence[str], front: int, label: str) -> int:
    """The line on which front matter says this, 0 where it does not stand there by itself."""
    for at in range(1, front):
        begin = lines[at].partition(":")
        if begin[1] and begin[0].strip("\"' ") == label and not lines[at].startswith((" ", "\t")):
            return at + 1
    return 0


def _lines(text: Text, seen: Page, end: int) -> Iterator[Field]:
    """Lines "Label: value" before the first section, in blocks of which one at least is a record's field."""
    block: list[Field] = []
    for at in range(seen.front, min(end - 1, len(text.lines))):
        line = text.lines[at]
        if not seen.shown[at] or len(line) > 2000:
            yield from _if_known(block)
            block = []
            continue
        for part in _PARTS.split(line.strip()) if "|" not in line[:1] else ():
            found = LABEL.match(part.rstrip()) or _ALONE.fullmatch(part.strip())
            if found and len(found["label"].split()) <= _MOST_LABEL_WORDS:
                block.append(
                    _with_below(text, seen, Field(found["label"].strip(), found["value"].strip(), at + 1, at + 1), end)
                )
    yield from _if_known(block)


def _with_below(text: Text, seen: Page, field: Field, end: int) -> Field:
    """A label with nothing beside it says what is listed below, or what the next line is."""
    if field.value:
        return field
    below = [at for at in range(field.first, min(end - 1, len(text.lines), field.first + 50)) if seen.shown[at]][
        :_MOST_SECTION
    ]
    items: list[str] = []
    for at in below:
        item = ITEM.match(text.lines[at])
        if not item or at != field.first + len(items):
            break
        items.append(item["text"][:2000])
    if items:
        return Field(field.label, "\n".join(items), field.first, field.first + len(items))
    if below and below[0] <= field.first + 1 and _is_known(field.label) and not LABEL.match(text.lines[below[0]]):
        return Field(field.label, text.lines[below[0]].strip()[:2000], below[0] + 1, below[0] + 1)
    return field


def _if_known(block: Sequence[Field]) -> Iterator[Field]:
    if any(key(one.label) in refs.STATUS_LABELS | refs.DATE_LABELS or is_link(one.label) for one in block):
        yield from block


def _section(text: Text, seen: Page, heading: Heading, end: int) -> Iterator[Field]:
    """The lines of a short section whose heading is a field; a long one is prose about it."""
    lines = [at for at in range(heading.line, end - 1) if at < len(text.lines) and seen.shown[at]]
    lines = [at for at in lines if text.lines[at].strip("=- \t")]
    label = c.plain(heading.text)
    history = next((one for one in seen.tables if one.under[-1:] == (heading,)), None)
    if history:  # the last of the rows that tells a status is the newest
        for row in reversed(history.rows if key(label) in refs.STATUS_LABELS else ()):
            yield from (Field(label, cell, row.line, row.line) for cell in row.cells if refs.status(cell))
        return
    if not lines:
        return
    if key(label) in refs.STATUS_LABELS or key(label) in refs.DATE_LABELS:
        lines = lines[:4]
    elif len(lines) > _MOST_SECTION:
        return
    values = [(item["text"] if (item := ITEM.match(text.lines[at])) else text.lines[at].strip())[:2000] for at in lines]
    for at, value in zip(lines, values, strict=True):
        inner = LABEL.match(text.lines[at][:2000])
        if inner and (key(inner["label"]) in refs.STATUS_LABELS | refs.DATE_LABELS or is_link(inner["label"])):
            yield Field(inner["label"], inner["value"], at + 1, at + 1)
        else:
            yield Field(label, value, at + 1, at + 1)
