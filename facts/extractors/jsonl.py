"""Records of a structured file, a line each (JSON Lines, lists in JSON and YAML), as rows of one table.

Knows the lines that sources/formats/records.py writes. Try: python -m facts applications.jsonl
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from facts import Extraction, Text
from facts.extractors import codeowners
from facts.extractors.cells import Cell
from facts.extractors.columns import Record, of_records
from facts.extractors.headings import type_in
from sources.formats.records import MASKED, Field, fields, texts

EXTRACTOR = "jsonl/1"
FORMATS = ("jsonl", "ndjson", "json", "yaml", "yml")
"""Formats whose documents are such lines."""


def extract(text: Text) -> Extraction:
    """What the records state; nothing of a document of another format."""
    records = [one for one in rows(text) if not is_entity(one)]
    if rules := codeowners.of_rows(records, text.path):
        return Extraction(rules)
    headings = tuple(dict.fromkeys(heading for record in records for heading in record.cells))
    hints = (text.title, re.sub(r"[\W_]+", " ", PurePosixPath(text.path).stem))
    hint = next(filter(type_in, hints), text.title)
    return of_records(records, headings, hint, base=text.path, extractor=EXTRACTOR)


def is_entity(record: Record) -> bool:
    """Whether a record is an entity of a catalogue, which is no row of a table."""
    return str(record.cells.get("api version", "")).startswith("backstage.io/")


def rows(text: Text) -> tuple[Record, ...]:
    """Each record's line with its cells by heading; what is in a record within it is headed by both keys."""
    if text.format not in FORMATS:
        return ()
    found = []
    for number, line in enumerate(text.lines, 1):
        cells = dict[str, Cell]()
        for heading, cell in _cells(fields(line)):
            before = cells.get(heading)
            cells[heading] = cell if before is None else (*_listed(before), *_listed(cell))  # a key that stands twice
        if cells:
            found.append(Record(cells, number, number, line.rstrip()))
    return tuple(found)


def _cells(told: tuple[Field, ...]) -> Iterator[tuple[str, Cell]]:
    for key, value in told:
        if isinstance(value, tuple):
            yield from ((f"{key} {inner}", cell) for inner, cell in _cells(value))
        elif found := tuple(one for one in texts(value) if not one.startswith(MASKED)):
            yield key, found[0] if isinstance(value, str) else found


def _listed(cell: Cell) -> tuple[str, ...]:
    return (cell,) if isinstance(cell, str) else cell
