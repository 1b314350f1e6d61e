"""A CSV or TSV file -> one pipe table; the place of a row is its line in the file: "L5".

The separator is what parts most lines into equally many fields; the encoding is told as for any text file.
Try: python chunk.py prices.csv
"""

import contextlib
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Cell, Page, looks_like_header

_SEPARATORS = ",;\t|"
_LOOKED_AT = 50  # rows, to choose the separator
_MOST_COLUMNS = 2000
_END = "\ue000"  # a line behind the last one: where it is no row of its own, a quotation mark is still open


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The file as a table. Raises Unreadable."""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise Unreadable("is no text but an Office file or a PDF; name it by its kind")
    try:
        text = decode(data).text
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    if len(text) > 2 * limits.characters:
        raise Unreadable(f"its text is longer than {limits.characters / 1e6:g} MB (BRAIN_MAX_FILE_MB)")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    csv.field_size_limit(min(len(text) + 1, 2**31 - 1))
    skipped, separator = 0, ""
    if lines[0][:4].lower() == "sep=" and len(lines[0].strip()) == 5:  # Excel's own word for it
        skipped, separator = 1, lines[0][4]
    notes: list[str] = []
    rows = list(_rows(lines[skipped:], separator or _separator(lines), skipped, notes))
    page = Page(limits)
    while rows and sum(map(bool, rows[0][1])) == 1 and max(len(row) for _, row in rows) > 1:  # titles above the table
        line, row = rows.pop(0)
        page.prose(next(filter(None, row)), line)
    if rows:
        head = looks_like_header([row for _, row in rows[:_LOOKED_AT]]) or _is_named([row for _, row in rows[:2]])
        page.table([[Cell(cell) for cell in row] for _, row in rows], [line for line, _ in rows], head)
    return page.converted(notes=notes)


def _is_named(rows: Sequence[Sequence[str]]) -> int:
    """A CSV file's first row is taken for names unless there is a figure in it."""
    return int(len(rows) > 1 and all(rows[0]) and not any(char.isdigit() for name in rows[0] for char in name))


def _rows(
    lines: Sequence[str], separator: str, skipped: int, notes: list[str], quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> Iterator[tuple[str, list[str]]]:
    """(place, fields) of each row that holds anything.

    A quotation mark that is never closed takes the rest of the file into one field: from there it is read anew.
    """
    told = io.StringIO("\n".join([*lines, _END]), newline="")
    reader = csv.reader(told, delimiter=separator, strict=False, quoting=quoting)
    before = 0
    try:
        for row in reader:
            if row == [_END]:
                return
            first, last, before = before + 1 + skipped, reader.line_num + skipped, reader.line_num
            if reader.line_num > len(lines):
                notes.append(
                    f"a quotation mark opened in line {first} is never closed; from there they are read as plain text"
                )
                yield from _rows(lines[first - 1 - skipped :], separator, first - 1, notes, csv.QUOTE_NONE)
                return
            if len(row) > _MOST_COLUMNS:
                raise Unreadable(f"has a row of {len(row):,} fields in line {first}")
            if any(field.strip() for field in row):
                yield f"L{first}" + (f"-{last}" if last > first else ""), [field.strip() for field in row]
    except csv.Error as error:
        raise Unreadable(f"is no CSV that can be read (line {reader.line_num + skipped}: {error})") from error


def _separator(lines: Sequence[str]) -> str:
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        reader = csv.reader(io.StringIO("\n".join(lines[: 4 * _LOOKED_AT]), newline=""), delimiter=separator)
        counts: Counter[int] = Counter()
        with contextlib.suppress(csv.Error):
            for row, _ in zip(reader, range(_LOOKED_AT), strict=False):
                counts[len(row)] += 1
        fields, rows = max(counts.items(), key=lambda pair: (pair[1] * (pair[0] > 1), pair[0]), default=(1, 0))
        score = rows / max(1, sum(counts.values())) + fields / 1000 if fields > 1 else 0.0
        if score > most:
            best, most = separator, score
    return best
