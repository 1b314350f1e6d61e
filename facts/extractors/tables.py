"""Pipe tables of a page, and what was converted to them (CSV, workbooks) -> what their rows state.

A table of fields ("Field | Value") tells of the one thing that its page or heading is about; any other is read by
columns.py. In a decision record, where tables weigh options, only columns that relate things count.
Try: python -m facts docs/services.md
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from facts import NOTES, Extraction, LeftOut, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors.columns import Record, about, of_records
from facts.extractors.headings import meaning, type_in
from facts.extractors.markdown import Row, Table, page
from facts.extractors.records import decision_of
from facts.normal import key, keys
from facts.relations import BUILT_IN

EXTRACTOR = "tables/1"
_FILES = ("csv", "tsv", "xlsx", "ods")  # a page may have any table; who keeps a file of rows wants them read
_FIELD = keys("field|property|attribute|key|eigenschaft|feld|merkmal|campo|propiedad|champ|propriété")
_VALUE = keys("value|details|detail|wert|angabe|valor|valeur")


def extract(text: Text) -> Extraction:
    """What the tables of a page state."""
    if not any("|" in line for line in text.lines):
        return Extraction()
    found, left_out = list[Statement](), list[LeftOut]()
    seen = page(text.lines)
    is_decision = bool(seen.tables) and decision_of(text, seen) is not None
    fields = [table for table in seen.tables if is_fields(table)]
    for table in seen.tables:
        if table in fields:
            if not is_decision:
                found += _of_fields(text, table, len(fields) > 1)
        else:
            read = _of_list(text, table)
            told = [_as_log(one) for one in read.statements]
            found += [one for one in told if one.predicate in BUILT_IN.relations] if is_decision else told
            left_out += read.left_out if not is_decision else ()
    return Extraction(tuple(found), left_out=tuple(left_out))


def _as_log(one: Statement) -> Statement:
    """What a list says of decisions counts less than their records do."""
    is_of_decision = one.subject.type == "Decision" and isinstance(one.object, str)
    return replace(one, rank=NOTES) if is_of_decision else one


def is_fields(table: Table) -> bool:
    """Whether a table has a field of one thing in each row, by its head or by the fields' names."""
    if len(table.head.cells) != 2 or not table.rows:
        return False
    first, second = (key(c.plain(cell)) for cell in table.head.cells)
    if first in _FIELD and second in _VALUE:
        return True
    rows = [row for row in (table.head, *table.rows) if row.cells and key(row.cells[0])]
    known = [row for row in rows if _is_field(row.cells[0])]
    if first or second:  # the head is a field itself: what stands beside it heads no column
        if table.head not in known or not second or meaning(table.head.cells[1]).kind != "attribute":
            return False
        if meaning(table.head.cells[0]).kind == "type":
            return False
    return len(known) >= 2 and 2 * len(known) >= len(rows)


def records_of(table: Table) -> list[Record]:
    """The rows of a table of fields, one cell each, under the field's name."""
    is_named = key(c.plain(table.head.cells[0])) in _FIELD or not key(table.head.cells[0])
    rows: list[Row] = [*(() if is_named else (table.head,)), *table.rows]
    return [
        Record({c.plain(row.cells[0]).rstrip(" :"): row.cells[1]}, row.line, row.line, row.quote)
        for row in rows
        if len(row.cells) > 1 and key(c.plain(row.cells[0]))
    ]


def _is_field(cell: str) -> bool:
    return meaning(c.plain(cell).rstrip(" :")).kind != "attribute" or key(c.plain(cell)) in _COMMON


_COMMON = keys(
    "status|date|datum|scope|tier|contact|kontakt|contacto|criticality|repository|repo|runbook|estado|statut|"
    "fecha|language|tickets"
)


def _of_fields(text: Text, table: Table, is_one_of_several: bool) -> Sequence[Statement]:
    title = c.plain(text.title)
    named = title
    if is_one_of_several and table.under and table.under[-1].level > 1:
        named = c.plain(table.under[-1].text)
    type_ = _type_of_page(text, table)
    if not key(named) or len(named) > 100:
        return ()
    return about(Named(type_, (named,)), records_of(table), extractor=EXTRACTOR)


def _type_of_page(text: Text, table: Table) -> str:
    """The type of the thing that a page is about: of what its folder or the headings above are full."""
    folder = PurePosixPath(text.path).parent.name
    for words in (*(one.text for one in reversed(table.under[:-1])), folder):
        found = type_in(words)
        if found:
            return found
    return ""


def rows(text: Text) -> list[Record]:
    """The rows of all tables of a page, whatever they are about."""
    found = page(text.lines).tables if any("|" in line for line in text.lines) else ()
    return [record for table in found for record in _rows(table)[1]]


def _of_list(text: Text, table: Table) -> Extraction:
    names, records = _rows(table)
    if not records and table.rows and text.format in _FILES:
        twice = next((one for one in names if names.count(one) > 1), "")
        return Extraction(left_out=(LeftOut(table.head.line, f'the heading "{twice}" stands twice'),) if twice else ())
    hints = [one.text for one in reversed(table.under)]
    hints += [text.title, re.sub(r"[\W_]+", " ", PurePosixPath(text.path).stem)]
    hint = next((one for one in hints if type_in(one)), c.plain(hints[0]) if hints else "")
    return of_records(records, [one for one in names if one[0] != "\0"], hint, base=text.path, extractor=EXTRACTOR)


def _rows(table: Table) -> tuple[list[str], list[Record]]:
    """A table's headings and rows; nothing of one that has a heading twice."""
    names = [c.plain(cell) for cell in table.head.cells]
    while "" in names:
        names[names.index("")] = f"\0{names.index('')}"  # a column without a heading says nothing, but has its place
    if len(set(names)) < len(names):
        return names, []
    width = len(names)
    records = [
        Record(dict(zip(names, (*row.cells, *[""] * width), strict=False)), row.line, row.line, row.quote)
        for row in table.rows
        if sum(map(bool, row.cells)) > 1 and len(row.cells) <= width
    ]
    return names, records
