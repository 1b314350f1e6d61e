"""A Word document -> Markdown of what a person sees of it, the place of a line being its block's number: "¶14".

The document's own XML is read: tracked changes are taken as accepted, comments, hidden text, headers, footers and the
table of contents left out, text boxes kept after their paragraph, footnotes under it. Only headings by style or
outline level are headings. Try: python chunk.py report.docx
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from sources.formats import Converted, Limits, Unreadable
from sources.formats.docx_styles import Numbers, Styles
from sources.formats.equations import equation
from sources.formats.ooxml import Package, attribute, child, is_on, local, whole
from sources.formats.symbols import as_seen
from sources.formats.writing import LOW, LOW_END, UP, UP_END, Cell, Page, joined_pieces, roman

_LEFT_OUT = {
    *(
        "del",
        "moveFrom",
        "rPr",
        "pPr",
        "instrText",
        "delText",
        "delInstrText",
        "footnoteRef",
        "endnoteRef",
        "annotationRef",
    ),
    *("commentReference", "sectPr", "tblPr", "tblGrid", "sdtPr", "sdtEndPr", "Fallback", "rt", "lastRenderedPageBreak"),
}
_SPACES = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "‑"}
_MOST_CELLS = 2_000_000


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The document as a person sees it. Raises Unreadable."""
    package = Package(data, ".docx", "wordprocessingml", limits)
    root = package.xml(package.main)
    body = child(root, "body")
    if body is None:
        raise Unreadable("is broken: the document has no body")
    reader = _Reader(package, Page(limits))
    try:
        reader.blocks(body)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    meta = package.meta()
    meta["title"] = reader.title or meta["title"]
    return reader.page.converted(meta, reader.notes)


@dataclass(slots=True)
class _Paragraph:
    """What gathers while a paragraph is read."""

    text: list[str] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)  # mark, kind, id


class _Reader:
    def __init__(self, package: Package, page: Page) -> None:
        parts = dict(package.related(package.main).values())
        self.page = page
        self.styles = Styles(package.xml(parts.get("styles", "")))
        self.numbers = Numbers(package.xml(parts.get("numbering", "")))
        self.foot = {kind: _notes(package.xml(parts.get(f"{kind}s", ""))) for kind in ("footnote", "endnote")}
        self.counts = {"footnote": 0, "endnote": 0}
        self.title = ""
        self.notes: list[str] = []
        self._font = ""  # of the run that is read
        self._fields: list[bool] = []  # of each open field, whether its result has begun
        self._held = ""  # of a paragraph whose end is deleted
        self._inner: dict[int, int] = {}  # by list level, how far what is in its last item is indented
        self._cells = 0

    def blocks(self, parent: etree._Element) -> None:
        """Writes the blocks inside an element."""
        for element in parent:
            kind = local(element)
            if kind == "p":
                self._paragraph(element)
            elif kind == "tbl":
                self._table(element)
            elif kind == "altChunk":
                self.notes.append("a document embedded as a whole is left out")
            elif kind == "sdt" and is_on(child(element, "sdtPr", "showingPlcHdr")):
                continue
            elif kind not in _LEFT_OUT:
                self.blocks(element)

    def _paragraph(self, element: etree._Element) -> None:
        properties = child(element, "pPr")
        seen = _Paragraph()
        self._inline(element, seen)
        text = self._held + "".join(seen.text)
        self._held = ""
        if child(properties, "rPr", "del") is not None or child(properties, "rPr", "moveFrom") is not None:
            self._held = text
        elif any(char.isalnum() for char in text) or text.strip():
            if not self.styles.is_contents(properties):
                self._write(text, properties)
        elif self.styles.numbering(properties)[0] == "":
            self._inner = {}
        self._below(seen)

    def _write(self, text: str, properties: etree._Element | None) -> None:
        place = self.page.next_block()
        level = self.styles.level(properties)
        number, at, depth = self.styles.numbering(properties)
        label = self.numbers.label(number, at) if number else ""
        if self.styles.is_title(properties):
            self.title = self.title or " ".join(text.split())
            level = 1
        if level:
            self._inner = {}
            self.page.heading(level, f"{label} {text}" if label not in ("", "-") else text, place)
        elif number:
            indent = max((inner for at, inner in self._inner.items() if at < depth), default=0)
            self._inner = {at: inner for at, inner in self._inner.items() if at < depth}
            self._inner[depth] = self.page.item(text, place, indent, label or "-")
        else:
            self._inner = {}
            self.page.prose(text, place)

    def _below(self, seen: _Paragraph) -> None:
        """Writes the paragraph's footnotes and text boxes."""
        for mark, kind, name in seen.notes:
            note = self.foot[kind].get(name)
            inside = self._cell(note) if note is not None else ""
            if inside:
                self.page.prose(f"[{mark}] {inside}", self.page.next_block())
                self._inner = {}
        for box in seen.boxes:
            self.blocks(box)

    def _inline(self, parent: etree._Element, seen: _Paragraph) -> None:
        for element in parent:
            kind = local(element)
            if kind == "t":
                if all(self._fields):
                    seen.text.append(as_seen(element.text or "", self._font))
            elif kind in _LEFT_OUT:
                continue
            elif kind == "r":
                self._run(element, seen)
            elif kind == "oMath":
                seen.text.append(equation(element, "".join(seen.text[-1:])))
            elif kind in _SPACES:
                if all(self._fields):
                    seen.text.append(" " if attribute(element, "type") in ("page", "column") else _SPACES[kind])
            elif kind == "fldChar":
                self._field(attribute(element, "fldCharType"))
            elif kind in ("footnoteReference", "endnoteReference"):
                self._reference(element, kind.removesuffix("Reference"), seen)
            elif kind == "sym":
                seen.text.append(_symbol(attribute(element, "char"), attribute(element, "font")))
            elif kind == "txbxContent":
                seen.boxes.append(element)
            elif kind == "sdt" and is_on(child(element, "sdtPr", "showingPlcHdr")):
                continue
            elif kind == "AlternateContent":
                choice = child(element, "Choice")
                self._inline(choice if choice is not None else element, seen)
            elif kind == "p":
                seen.boxes.append(parent)
                return
            else:
                self._inline(element, seen)

    def _run(self, run: etree._Element, seen: _Paragraph) -> None:
        properties, paragraph = child(run, "rPr"), next(run.iterancestors("{*}p"), None)
        paragraph = child(paragraph, "pPr")
        if self.styles.strikes(properties, paragraph):
            self.page.leave_struck("".join(map(str, run.itertext("{*}t"))))
            self._field_marks(run)
        elif self.styles.hides(properties, paragraph):
            self._field_marks(run)
        else:
            place = attribute(self.styles.property(properties, paragraph, "vertAlign"), "val")
            before, after = {"superscript": (UP, UP_END), "subscript": (LOW, LOW_END)}.get(place, ("", ""))
            if next(run.iter("{*}footnoteReference", "{*}endnoteReference"), None) is not None:
                before = after = ""  # its mark is in brackets
            at, fonts = len(seen.text), self.styles.property(properties, paragraph, "rFonts")
            self._font = attribute(fonts, "hAnsi") or attribute(fonts, "ascii")
            self._inline(run, seen)
            self._font = ""
            if before and "".join(seen.text[at:]).strip():
                seen.text.insert(at, before)
                seen.text.append(after)

    def _field_marks(self, run: etree._Element) -> None:
        for element in run:
            if local(element) == "fldChar":
                self._field(attribute(element, "fldCharType"))

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _reference(self, element: etree._Element, kind: str, seen: _Paragraph) -> None:
        self.counts[kind] += 1
        count = self.counts[kind]
        mark = str(count) if kind == "footnote" else roman(min(count, 3999))
        if attribute(element, "customMarkFollows") not in ("1", "true"):  # else the text has its own
            seen.text.append(f"[{mark}]")
        seen.notes.append((mark, kind, attribute(element, "id")))

    def _cell(self, parent: etree._Element) -> str:
        """The text of a cell, a note or a box in one line; boxes and notes inside of it stand at its end."""
        pieces: list[str] = []
        for element in _descend(parent):
            if local(element) == "tbl":
                pieces += [", ".join(filter(None, map(self._cell, _cells(row)))) for row in _rows(element)]
                continue
            properties = child(element, "pPr")
            seen = _Paragraph()
            self._inline(element, seen)
            text = "".join(seen.text).replace("\n", " ").strip()
            number, at, _ = self.styles.numbering(properties)
            label = self.numbers.label(number, at) if number and text else ""
            pieces.append(f"{label} {text}" if label not in ("", "-") else text)
            pieces += [self._cell(box) for box in seen.boxes]
            for mark, kind, name in seen.notes:
                note = self.foot[kind].get(name)
                pieces.append(f"[{mark}] {self._cell(note)}" if note is not None else "")
        return joined_pieces(pieces)

    def _table(self, table: etree._Element) -> None:
        self._inner = {}
        rows = list(_rows(table))
        cells = [list(_cells(row)) for row in rows]
        named = sum(1 for row in rows if is_on(child(row, "trPr", "tblHeader")))
        if not named and (max(map(len, cells), default=0) <= 1 or self._arranges(cells)):
            for cell in (cell for row in cells for cell in row):
                self.blocks(cell)
            return
        grid = self._grid(rows, cells)
        places = [self.page.next_block() if any(cell.text for cell in row) else "" for row in grid]
        looks = len(cells) > 1 and (self._marks_first_row(table) or (_all_bold(cells[0]) and not _all_bold(cells[1])))
        self.page.table(grid, places, named or (1 if looks else None))

    def _marks_first_row(self, table: etree._Element) -> bool:
        """Whether the table's style sets its first row off; the plain grids do not, whatever the table asks for."""
        look = child(table, "tblPr", "tblLook")
        value = attribute(look, "val")
        bits = int(value, 16) if re.fullmatch("[0-9A-Fa-f]{1,8}", value) else 0
        asked = attribute(look, "firstRow") in ("1", "true") or bool(bits & 0x20)
        return asked and not self.styles.is_plain_grid(table)

    def _arranges(self, cells: list[list[etree._Element]]) -> bool:
        """Whether a table only arranges text on the page: there are headings in it."""
        paragraphs = (p for row in cells for cell in row for p in cell if local(p) == "p")
        return any(self.styles.level(child(p, "pPr")) for p in paragraphs)

    def _grid(self, rows: list[etree._Element], cells: list[list[etree._Element]]) -> list[list[Cell]]:
        grid: list[list[Cell]] = []
        above: dict[int, tuple[int, int]] = {}  # column -> row and index of the cell that is merged downwards from it
        for n, (row, line) in enumerate(zip(rows, cells, strict=True)):
            before = whole(attribute(child(row, "trPr", "gridBefore"), "val"))
            grid.append([Cell("", before)] if 0 < before < 100 else [])
            column = before
            for cell in line:
                self._cells += 1
                if self._cells > _MOST_CELLS:
                    raise Unreadable("has tables of more than 2,000,000 cells")
                span = min(max(whole(attribute(child(cell, "tcPr", "gridSpan"), "val"), 1), 1), 256)
                merge = child(cell, "tcPr", "vMerge")
                if merge is not None and attribute(merge, "val") != "restart" and column in above:
                    at, index = above[column]
                    first = grid[at][index]
                    grid[at][index] = Cell(first.text, first.columns, n - at + 1)
                else:
                    grid[n].append(Cell(self._cell(cell), span))
                    above.pop(column, None)
                    if merge is not None:
                        above[column] = (n, len(grid[n]) - 1)
                column += span
        return grid


def _notes(root: etree._Element | None) -> dict[str, etree._Element]:
    found = root if root is not None else ()
    return {attribute(one, "id"): one for one in found if attribute(one, "type", "normal") == "normal"}


def _descend(parent: etree._Element) -> Iterator[etree._Element]:
    """Paragraphs and tables inside an element, through what only wraps them."""
    for element in parent:
        if local(element) in ("p", "tbl"):
            yield element
        elif local(element) not in _LEFT_OUT:
            yield from _descend(element)


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    for element in table:
        if local(element) == "tr":
            if child(element, "trPr", "del") is None and not is_on(child(element, "trPr", "hidden")):
                yield element
        elif local(element) not in _LEFT_OUT:
            yield from _rows(element)


def _cells(row: etree._Element) -> Iterator[etree._Element]:
    for element in row:
        if local(element) == "tc":
            if child(element, "tcPr", "cellDel") is None:
                yield element
        elif local(element) not in (*_LEFT_OUT, "trPr", "tblPrEx"):
            yield from _cells(element)


def _all_bold(cells: list[etree._Element]) -> bool:
    runs = [r for cell in cells for r in cell.iter("{*}r") if "".join(map(str, r.itertext("{*}t"))).strip()]
    return bool(runs) and all(is_on(child(run, "rPr", "b")) for run in runs)


def _symbol(code: str, font: str) -> str:
    """The character of a symbol font: those of private use that no font of ours explains are pictures."""
    number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code) else 0
    char = as_seen(chr(number), font) if 32 < number < 0xF100 and not 0xD800 <= number < 0xE000 else ""
    return "" if char >= "\ue000" else char
