"""A workbook -> Markdown: a heading for each visible sheet, its tables with cells as shown, and where each row stands.

Hidden sheets, rows and columns are left out and named. Formulas are never evaluated: what the file has stored of them
is shown. Rows are read as they come, so a sheet may be longer than memory. Try: python chunk.py budget.xlsx
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from sources.formats import Converted, Limits, Unreadable
from sources.formats.ooxml import Package, attribute, child, is_on, local, relation, whole
from sources.formats.symbols import as_seen, is_symbols
from sources.formats.writing import LOW, LOW_END, UP, UP_END, Cell, Page, header_rows, line_of, looks_like_header
from sources.formats.xlsx_numbers import BUILT_IN, shown, shown_text

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")
_PLAIN_NAME = re.compile(r"(?![A-Za-z]{1,3}\d+$)[^\W\d][\w.]*")
_MOST_MERGED = 200_000  # cells that merged ones cover


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The workbook as a person sees it. Raises Unreadable."""
    page = Page(limits)
    book = _Book(Package(data, ".xlsx", "spreadsheetml", limits), limits, page)
    notes: list[str] = []
    if len(book.sheets) > limits.pages:
        raise Unreadable(f"has {len(book.sheets):,} sheets, more than {limits.pages} (BRAIN_MAX_PAGES)")
    for title, part, is_hidden in book.sheets:
        if is_hidden:
            notes.append(f"the hidden sheet {title} is left out")
        elif part:
            sheet = book.read(title, part)
            _write(sheet, page)
            notes += sheet.notes()
    return page.converted(book.package.meta(), notes)


@dataclass(slots=True)
class _Sheet:
    title: str
    rows: dict[int, dict[int, str]] = field(default_factory=dict)  # what is seen
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)  # first row, column, last row, column
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    hidden_rows: int = 0
    left_columns: set[int] = field(default_factory=set)  # hidden ones that hold something
    names: dict[tuple[int, ...], list[tuple[list[str], str]]] = field(default_factory=dict)  # of the last table
    unknown: list[str] = field(default_factory=list)  # cells of formulas without a value

    def place(self, row: int, first: int, last: int) -> str:
        """ "Budget!A5:D5", names quoted as spreadsheets do."""
        name = self.title if _PLAIN_NAME.fullmatch(self.title) else "'" + self.title.replace("'", "''") + "'"
        return f"{name}!{letters(first)}{row}" + (f":{letters(last)}{row}" if last > first else "")

    def notes(self) -> Iterator[str]:
        """What of the sheet is not seen."""
        if self.hidden_rows or self.left_columns:
            rows, columns = self.hidden_rows, len(self.left_columns)
            told = [f"{n:,} hidden {what}{'s' * (n > 1)}" for n, what in ((rows, "row"), (columns, "column")) if n]
            yield f"sheet {self.title}: {' and '.join(told)} left out"
        if self.unknown:
            count = len(self.unknown)
            what = (
                f"{count:,} formulas have no stored value, the first" if count > 1 else "a formula has no stored value,"
            )
            yield f"sheet {self.title}: {what} in {self.unknown[0]}; open and save it in a spreadsheet program"


class _Book:
    def __init__(self, package: Package, limits: Limits, page: Page) -> None:
        self.package, self._limits, self._page = package, limits, page
        self._room = limits.characters
        root = package.xml(package.main)
        related = package.related(package.main)
        of_kind = dict(related.values())
        self._since_1904 = attribute(child(root, "workbookPr"), "date1904") in ("1", "true")
        self._texts = [_text_of(one) for one in package.elements(of_kind.get("sharedStrings", ""), "si")]
        styles = package.xml(of_kind.get("styles", ""))
        self._formats, (self._struck, self._signs) = _formats(styles), _fonts(styles)
        self.sheets: list[tuple[str, str, bool]] = []
        found = child(root, "sheets")
        for one in found if found is not None else ():
            kind, part = related.get(relation(one), ("", ""))
            title = line_of(attribute(one, "name"))
            if kind == "worksheet":
                self.sheets.append((title, part, attribute(one, "state", "visible") != "visible"))

    def read(self, title: str, part: str) -> _Sheet:
        """What is seen of a sheet."""
        sheet = _Sheet(title)
        row = 0
        for element in self.package.elements(part, "row", "col", "mergeCell"):
            kind = local(element)
            if kind == "row":
                row = whole(attribute(element, "r"), row + 1)
                self._row(sheet, row, element)
            elif kind == "col":
                if attribute(element, "hidden") in ("1", "true"):
                    sheet.hidden_columns.append((whole(attribute(element, "min")), whole(attribute(element, "max"))))
            elif (match := _REFERENCE.fullmatch(attribute(element, "ref"))) and match[3]:
                sheet.merged.append((int(match[2]), number(match[1]), int(match[4]), number(match[3])))
        return sheet

    def _row(self, sheet: _Sheet, row: int, element: etree._Element) -> None:
        cells: dict[int, str] = {}
        column = 0
        for cell in element:
            match = _REFERENCE.fullmatch(cell.get("r", ""))
            column = number(match[1]) if match else column + 1
            text, style = self._shown(cell), whole(cell.get("s", "0"), 0)
            if text and style in self._signs:
                text = as_seen(text, self._signs[style])
            if text and style in self._struck:
                self._page.leave_struck(text)
                continue
            if text is None:
                sheet.unknown.append(f"{letters(column)}{row}")
                text = "(no stored value)"
            if text and any(first <= column <= last for first, last in sheet.hidden_columns):
                sheet.left_columns.add(column)
            elif text:
                cells[column] = text
        if cells and attribute(element, "hidden") in ("1", "true"):
            sheet.hidden_rows += 1
        elif cells:
            self._room -= sum(map(len, cells.values())) + 3 * len(cells)
            if self._room < 0:
                raise Unreadable(f"its text is longer than {self._limits.characters / 1e6:g} MB (BRAIN_MAX_FILE_MB)")
            sheet.rows[row] = {**sheet.rows.get(row, {}), **cells}

    def _shown(self, cell: etree._Element) -> str | None:
        """What the cell shows; None for a formula whose value is not stored."""
        kind, value, formula = cell.get("t", "n"), "", False
        for part in cell:
            name = local(part)
            if name == "v":
                value = part.text or ""
            elif name == "is":
                value = _text_of(part)
            elif name == "f":
                formula = True
        if not value:
            return None if formula and kind != "str" else ""
        style = whole(cell.get("s", "0"), 0)
        code = self._formats[style] if 0 <= style < len(self._formats) else ""
        if kind == "s":
            at = whole(value, -1)
            return shown_text(self._texts[at], code) if 0 <= at < len(self._texts) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "d":
            return value.replace("T00:00:00", "").replace("T", " ")
        if kind != "n":
            return shown_text(line_of(value), code)
        try:
            figure = float(value)
        except ValueError:
            return line_of(value)
        return shown(figure, code, self._since_1904) if math.isfinite(figure) else line_of(value)


def _write(sheet: _Sheet, page: Page) -> None:
    if not sheet.rows:
        return
    top = min(sheet.rows)
    page.heading(2, sheet.title, sheet.place(top, min(sheet.rows[top]), max(sheet.rows[top])))
    _fill(sheet)
    for block in _with_names(sheet, list(_blocks(sorted(sheet.rows)))):
        columns = sorted({column for row in block for column in sheet.rows[row]})
        for part in _apart(sheet, block, columns):
            _write_table(sheet, block, part, page)


def _write_table(sheet: _Sheet, rows: Sequence[int], columns: Sequence[int], page: Page) -> None:
    seen = [row for row in rows if any(column in sheet.rows[row] for column in columns)]
    places = {row: sheet.place(row, columns[0], columns[-1]) for row in seen}
    titled = False
    while seen and (len(columns) == 1 or _is_title(sheet, seen[0], columns)):  # above its table, or no table at all
        row, titled = seen.pop(0), True
        at = next(column for column in columns if column in sheet.rows[row])
        page.prose(sheet.rows[row][at], sheet.place(row, at, at))
    grid = [[sheet.rows[row].get(column, "") for column in columns] for row in seen]
    wide = any(first == seen[0] and b > a for first, a, _, b in sheet.merged) if seen else False
    head = header_rows(grid[:50], wide)
    known = sheet.names.get(tuple(columns), [])
    told = [places[row] for row in seen]
    if grid and known and not titled and not _is_set_off(grid) and grid[0] != known[0][0]:  # goes on after a blank row
        head = len(known)
        grid, told = [line for line, _ in known] + grid, [place for _, place in known] + told
    page.table([[Cell(text) for text in line] for line in grid], told, head)
    if head:
        sheet.names = {tuple(columns): list(zip(grid[:head], told[:head], strict=True))}


def _is_set_off(grid: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is of words and a column below it of figures: a header, whatever stands above."""
    return looks_like_header(grid[:50]) > 0 and any(
        len(grid) > 1 and all(re.search(r"\d", line[c]) for line in grid[1:]) and not re.search(r"\d", grid[0][c])
        for c in range(len(grid[0]))
    )


def _with_names(sheet: _Sheet, blocks: list[list[int]]) -> Iterator[list[int]]:
    """The blocks, a row of names together with what stands below a blank row under it."""
    names: list[int] = []
    for at, block in enumerate(blocks):
        block, names = names + block, []
        below = blocks[at + 1] if at + 1 < len(blocks) else []
        row = sheet.rows[block[-1]]
        if len(block) == 1 and below and len(row) > 1 and {c for n in below for c in sheet.rows[n]} == set(row):
            grid = [[sheet.rows[n].get(c, "") for c in sorted(row)] for n in (*block, *below)]
            if looks_like_header(grid[:50]) and not _is_set_off(grid[1:]):
                names = block
                continue
        yield block


def _is_title(sheet: _Sheet, row: int, columns: Sequence[int]) -> bool:
    return sum(column in sheet.rows[row] for column in columns) == 1 and len(columns) > 1


def _blocks(rows: Sequence[int]) -> Iterator[list[int]]:
    """Runs of rows between blank ones."""
    block: list[int] = []
    for row in rows:
        if block and row > block[-1] + 1:
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _apart(sheet: _Sheet, rows: Sequence[int], columns: Sequence[int]) -> list[list[int]]:
    """The columns of tables that stand beside each other: with a blank column between them and names of their own."""
    parts: list[list[int]] = [[]]
    for column in columns:
        if (
            parts[-1]
            and column > parts[-1][-1] + 1
            and not any(first < column <= last + 1 for first, last in sheet.hidden_columns)
        ):
            parts.append([])
        parts[-1].append(column)
    lines = [[[sheet.rows[row].get(column, "") for column in part] for row in rows[:20]] for part in parts]
    tables = all(
        len(part) > 1 and looks_like_header([r for r in line if any(r)])
        for part, line in zip(parts, lines, strict=True)
    )
    return parts if tables else [list(columns)]


def _fill(sheet: _Sheet) -> None:
    """What a merged cell says stands in each of its places; one over a whole row of the sheet's cells stays one."""
    room = _MOST_MERGED
    for top, left, bottom, right in sheet.merged:
        text = sheet.rows.get(top, {}).get(left, "")
        if not text or (bottom == top and set(sheet.rows[top]) == {left}):
            continue
        for row in (row for row in range(top, min(bottom, top + 10_000) + 1) if row in sheet.rows):
            for column in range(left, min(right, left + 255) + 1):
                room -= 1
                if room < 0:
                    return
                if not any(first <= column <= last for first, last in sheet.hidden_columns):
                    sheet.rows[row].setdefault(column, text)


def _formats(root: etree._Element | None) -> list[str]:
    """The number format of each cell style."""
    own = child(root, "numFmts")
    codes = {
        whole(attribute(one, "numFmtId")): attribute(one, "formatCode") for one in (own if own is not None else ())
    }
    styles = child(root, "cellXfs")
    ids = [whole(attribute(one, "numFmtId")) for one in (styles if styles is not None else ())]
    return [codes.get(its, BUILT_IN.get(its, "")) for its in ids]


def _text_of(element: etree._Element) -> str:
    """The text of a shared or inline string, without the readings above it and what is struck through."""
    told = ""
    for run in element:
        text = (run.text if local(run) == "t" else getattr(child(run, "t"), "text", "")) or ""
        if local(run) in ("t", "r") and not is_on(child(run, "rPr", "strike")):
            place = attribute(child(run, "rPr", "vertAlign"), "val")
            before, after = {"superscript": (UP, UP_END), "subscript": (LOW, LOW_END)}.get(place, ("", ""))
            told += before + text + after
    return line_of(told)


def _fonts(root: etree._Element | None) -> tuple[set[int], dict[int, str]]:
    """The cell styles whose letters are struck through, and the fonts of those whose letters are signs."""
    fonts, styles = (list(one) if one is not None else [] for one in (child(root, "fonts"), child(root, "cellXfs")))
    ids = [whole(attribute(style, "fontId"), -1) for style in styles]
    used = {n: fonts[its] for n, its in enumerate(ids) if 0 <= its < len(fonts)}
    names = {n: attribute(child(font, "name"), "val") for n, font in used.items()}
    struck = {n for n, font in used.items() if is_on(child(font, "strike"))}
    return struck, {n: name for n, name in names.items() if is_symbols(name)}


def letters(column: int) -> str:
    """The column's letters: 28 is "AB"."""
    told = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        told = chr(65 + rest) + told
    return told or "A"


def number(column: str) -> int:
    """The column's number from 1."""
    told = 0
    for letter in column:
        told = told * 26 + ord(letter) - 64
    return told
