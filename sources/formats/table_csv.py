"""A CSV or TSV file -> one pipe table; the place of a row is its line in the file: "L5".

The separator is what parts most lines into equally many fields; the encoding is told as for any text file.
Try: python chunk.py prices.csv
"""

import contextlib
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sources.decode import SAVE_AS, Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Cell, Page, looks_like_header

_SEPARATORS = ",;\t|"
_LOOKED_AT = 50  # rows, to choose the separator
_MOST_COLUMNS = 2000
_MOST_OPEN = 20  # quotation marks that nothing closes; each may cost a reading of the whole file


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The file as a table. Raises Unreadable."""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")):
        raise Unreadable("is no text but an Office file or a PDF; name it by its kind")
    try:
        text = decode(data).text
    except Undecodable as error:
        told = str(error)
        if told.endswith(SAVE_AS):
            told += ' (in Excel: Save As, "CSV UTF-8")'
        raise Unreadable(told) from error
    if len(text) > 2 * limits.characters:
        raise Unreadable(f"its text is longer than {limits.characters / 1e6:g} MB (BRAIN_MAX_FILE_MB)")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    csv.field_size_limit(max(csv.field_size_limit(), min(len(text) + 1, 2**31 - 1)))  # of all who read CSV here
    skipped, separator = 0, ""
    if lines[0][:4].lower() == "sep=" and len(lines[0].strip()) == 5:  # Excel's own word for it
        skipped, separator = 1, lines[0][4]
    open_at: list[int] = []
    rows = list(_rows(lines[skipped:], separator or _separator(lines), skipped, open_at))
    page = Page(limits)
    while rows and sum(map(bool, rows[0][1])) == 1 and max(len(row) for _, row in rows) > 1:  # titles above the table
        line, row = rows.pop(0)
        page.prose(next(filter(None, row)), line)
    if rows:
        head = looks_like_header([row for _, row in rows[:_LOOKED_AT]]) or _is_named([row for _, row in rows[:2]])
        page.table([[Cell(cell) for cell in row] for _, row in rows], [line for line, _ in rows], head)
    return page.converted(notes=_told(open_at))


def _told(open_at: Sequence[int]) -> list[str]:
    many = "a quotation mark is never closed," if len(open_at) == 1 else "quotation marks are never closed, the first"
    return [f"{many} in line {open_at[0]}; such a line is read without them"] if open_at else []


def _is_named(rows: Sequence[Sequence[str]]) -> int:
    """A CSV file's first row is taken for names unless there is a figure in it."""
    return int(len(rows) > 1 and all(rows[0]) and not any(char.isdigit() for name in rows[0] for char in name))


def _rows(lines: Sequence[str], separator: str, skipped: int, open_at: list[int]) -> Iterator[tuple[str, list[str]]]:
    """(place, fields) of each row that holds anything; the numbers of lines with a quotation mark that nothing closes.

    Such a mark would take the rows after it into one field, so its line is read without quotation marks.
    """
    at = 0
    while at < len(lines):
        before, quoting = at, csv.QUOTE_MINIMAL if len(open_at) < _MOST_OPEN else csv.QUOTE_NONE
        reader = _reader(lines, at, separator, quoting, strict=True)
        try:
            for row in reader:
                yield from _row(row, before + skipped, at + reader.line_num + skipped)
                before = at + reader.line_num
            return
        except csv.Error as error:
            row, count = _lenient(lines, before, separator, "end of data" in str(error))
        if not count:
            open_at.append(before + 1 + skipped)
        at = before + max(count, 1)
        yield from _row(row, before + skipped, at + skipped)


def _lenient(lines: Sequence[str], at: int, separator: str, is_open: bool) -> tuple[list[str], int]:
    """The row at this line, and of how many lines it is; 0 where a quotation mark in its line has no end."""
    try:
        first = next(_reader(lines, 0, separator, csv.QUOTE_MINIMAL))
        loose = _reader(lines, at, separator, csv.QUOTE_MINIMAL)
        row = next(loose)
        swallowed = any("\n" in field and separator in field for field in row)  # other rows
        if not is_open and (loose.line_num == 1 or (len(row) == len(first) and not swallowed)):
            return row, loose.line_num
        return next(_reader(lines, at, separator, csv.QUOTE_NONE)), 0
    except csv.Error as error:
        raise Unreadable(f"is no CSV that can be read ({error})") from error


def _reader(lines: Sequence[str], at: int, separator: str, quoting: Any, strict: bool = False) -> Any:
    told = (lines[n] + "\n" for n in range(at, len(lines)))
    return csv.reader(told, delimiter=separator, quoting=quoting, strict=strict)


def _row(row: Sequence[str], before: int, last: int) -> Iterator[tuple[str, list[str]]]:
    if len(row) > _MOST_COLUMNS:
        raise Unreadable(f"has a row of {len(row):,} fields in line {before + 1}")
    if any(field.strip() for field in row):
        yield f"L{before + 1}" + (f"-{last}" if last > before + 1 else ""), [field.strip() for field in row]


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
