"""A PDF -> Markdown: headings by size and weight or by the outline, paragraphs, lists, tables; each line with its page.

Running heads, feet and page numbers are left out, also what nobody sees (pdf_page.py); columns are read one after
another (pdf_layout.py). A scanned page has no text: it is named, and nothing is guessed.
Knows no files. Try: python chunk.py report.pdf
"""

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from sources.formats import Converted, Limits, Unreadable
from sources.formats.pdf_damage import damaged
from sources.formats.pdf_form import filled, opened
from sources.formats.pdf_layout import BULLETS, MARKED, Column, Line, Table, columns, unbroken
from sources.formats.pdf_page import RIGHT_TO_LEFT, SOFT, Page, read
from sources.formats.pdf_running import running
from sources.formats.pdf_text import as_line, as_row, plain, told_date, told_title
from sources.formats.pdf_words import told

_OTHERS = (
    (b"pk\3\4", "an Office file or ZIP archive"), (b"\xd0\xcf\x11\xe0", "a file of an old Office program"),
    (b"{\\rtf", "RTF"), (b"<", "HTML or XML"), (b"\x89png", "a picture"), (b"\xff\xd8\xff", "a picture"),
)  # fmt: skip
_LARGER = 1.12  # than the body: a heading
_HEADING_CHARS = 150
_MOST_LEVELS = 5
_UNKNOWN = 0.3  # of a page's characters
_ENTRY = re.compile(r" … \S{1,8}$")  # of a table of contents


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The text of the PDF. Raises Unreadable: encrypted, broken, scanned, or over a limit."""
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        locked = pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD
        raise Unreadable("is encrypted: it opens with a password only" if locked else _no_pdf(data))
    try:
        count = pdfium.FPDF_GetPageCount(document)
        if count > limits.pages:
            raise Unreadable(f"has {count:,} pages, more than {limits.pages} (BRAIN_MAX_PAGES)")
        with opened(document) as form:
            pages, notes = _pages(document, count, form)
        writer = _Writer(_outline(document), limits)
        for number, found in _without_running(pages):
            writer.page(number, found)
        if not writer.has_text():
            raise Unreadable(_no_text(count))
        silent = sorted({number for number, page in enumerate(pages, 1) if _is_silent(page)} - writer.seen)
        return writer.converted(_meta(document), [*_silent_note(silent), *notes, *_damage_note(data)])
    finally:
        pdfium.FPDF_CloseDocument(document)


@dataclass(slots=True)
class _Read:
    columns: list[Column]
    height: float
    pictures: bool
    blank: bool  # nothing at all is on it


def _pages(document: Any, count: int, form: Any) -> tuple[list[_Read], list[str]]:
    found, laid_over, unknown = [], [], []
    for number in range(count):
        try:
            page = read(document, number)
            page.words += filled(document, number, form, page) if form else []
        except ValueError:
            page = Page(0, 0, pictures=True)
        seen = sum(len(word.text) for word in page.words)
        if page.unknown > _UNKNOWN * (seen + page.unknown):
            unknown.append(number + 1)
            page.words, page.pictures = [], True
        elif page.laid_over:
            laid_over.append(number + 1)
        blank = not (page.words or page.pictures or page.across or page.down)
        found.append(_Read(columns(page), page.height, page.pictures, blank))
    notes = []
    if unknown:
        notes.append(f"{_named(unknown)}: the letters have no code that tells what they are")
    if laid_over:
        notes.append(f"{_named(laid_over)}: scanned; the text is what the scanner's software recognised")
    return found, notes


def _is_silent(page: _Read) -> bool:
    return not page.blank


def _no_text(count: int) -> str:
    pages = "1 page" if count == 1 else f"{count:,} pages"
    return f"0 characters, not indexed (scanned? it has {pages} without text)"


def _no_pdf(data: bytes) -> str:
    if b"%PDF" in data[:1024]:
        return "is broken: its pages cannot be found"
    what = next((what for mark, what in _OTHERS if data.lstrip()[:9].lower().startswith(mark)), "")
    return f"is no PDF but {what}; name it by its kind" if what else "is no PDF: it does not begin as one"


def _damage_note(data: bytes) -> list[str]:
    return ["is damaged: some of its text may be lacking or wrong; fetch the file anew"] if damaged(data) else []


def _silent_note(silent: Sequence[int]) -> list[str]:
    return [f"{_named(silent)} {'has' if len(silent) == 1 else 'have'} no text (scanned?)"] if silent else []


def _named(numbers: Sequence[int]) -> str:
    """page 3; pages 3, 5-7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page {told}" if len(numbers) == 1 else f"pages {told}"


def _without_running(pages: Sequence[_Read]) -> Iterator[tuple[int, _Read]]:
    """Each page without its running heads, feet and number."""
    gone = running([(page.columns, page.height) for page in pages])
    for number, page in enumerate(pages, 1):
        for column in page.columns:
            column.things = [thing for thing in column.things if id(thing) not in gone]
        yield number, page


@dataclass(slots=True)
class _Paragraph:
    lines: list[tuple[int, Line]]  # with their pages
    style: tuple[float, bool] = (0.0, False)
    indent: float = 0.0
    item: str = ""  # the mark that begins it: "-", "3." or "- a)"
    depth: int = 0
    outline: int = 0  # its level there, 0 for none

    @property
    def text(self) -> str:
        text = ""
        for _, line in self.lines:
            text = unbroken(text, line.text) if text else line.text
        return text.replace(SOFT, "-")


@dataclass(slots=True)
class _Rows:
    """A table, from one page or several."""

    rows: list[tuple[int, list[str]]]
    edges: list[float]


@dataclass(slots=True)
class _Writer:
    """Collects what the pages hold, and writes it when the sizes of all are known."""

    outline: dict[tuple[int, str], int]
    limits: Limits
    found: list[_Paragraph | _Rows] = field(default_factory=list)
    sizes: Counter[float] = field(default_factory=Counter)
    seen: set[int] = field(default_factory=set)
    characters: int = 0

    def has_text(self) -> bool:
        return bool(self.seen)

    def page(self, number: int, page: _Read) -> None:
        for column in page.columns:
            lines: list[Line] = []
            for thing in column.things:
                if isinstance(thing, Table):
                    self._paragraphs(number, lines, column)
                    lines = []
                    self._table(number, thing)
                else:
                    lines.append(thing)
            self._paragraphs(number, lines, column)
        if self.characters > self.limits.characters:
            raise Unreadable(f"its text is longer than {self.limits.characters / 1e6:g} MB (BRAIN_MAX_FILE_MB)")

    def _table(self, number: int, table: Table) -> None:
        self.seen.add(number)
        rows = [(number, row) for row in table.rows]
        self.characters += sum(len(cell) for _, row in rows for cell in row)
        before = self.found[-1] if self.found else None
        goes_on = (
            isinstance(before, _Rows) and before.rows[-1][0] == number - 1 and len(before.edges) == len(table.edges)
        )
        if isinstance(before, _Rows) and goes_on and _same_edges(before.edges, table.edges):
            header = before.rows[0][1]
            before.rows += rows[1:] if rows[0][1] == header else rows
        else:
            self.found.append(_Rows(rows, table.edges))

    def _paragraphs(self, number: int, lines: list[Line], column: Column) -> None:
        gaps = sorted(b.y - a.y for a, b in pairwise(lines) if b.y - a.y < 2.5 * b.size)
        usual = gaps[len(gaps) // 3] if gaps else 0.0
        size = median(line.size for line in lines) if lines else 0.0
        before: Line | None = None
        for line in lines:
            if not any(char.isalnum() for char in line.text):
                continue
            self.seen.add(number)
            self.characters += len(line.text) + 1
            self.sizes[round(line.size, 1)] += len(line.text)
            if before is None:
                begins = not self._goes_on(number, line)
            else:
                apart = usual if line.size < 1.1 * size else 1.1 * line.size  # a title's lines are further apart
                begins = _begins(before, line, apart, column, self.found[-1])
            if begins:
                self.found.append(self._paragraph(number, line))
            else:
                last = self.found[-1]
                assert isinstance(last, _Paragraph)
                last.lines.append((number, line))
            before = line

    def _goes_on(self, number: int, line: Line) -> bool:
        """Whether a column's first line goes on with the paragraph that the column or page before it ended with."""
        last = self.found[-1] if self.found else None
        if not isinstance(last, _Paragraph) or last.style != _style(line) or _mark(line):
            return False
        end = last.lines[-1][1]
        right = max(one.x1 for _, one in last.lines)
        is_full = len(last.lines) > 1 and right - end.x1 < 0.2 * (right - end.x0)
        open_ended = end.text[-1:] not in ".!?:…"
        return end.text.endswith((SOFT, "-", ",", ";")) or (open_ended and (is_full or line.text[:1].islower()))

    def _paragraph(self, number: int, line: Line) -> _Paragraph:
        level = self.outline.get((number, _key(line.text)), 0)
        made = _Paragraph([(number, line)], _style(line), line.x0, outline=level)
        mark = _mark(line)
        if mark and len(line.words) > 1:
            made.item = mark if mark[:1].isdigit() else f"- {mark}" if mark[:1].isalpha() else "-"
            made.indent = line.words[1].x0
            last = self.found[-1] if self.found else None
            if isinstance(last, _Paragraph) and last.item:
                start = last.lines[0][1]
                deeper = line.x0 - start.x0
                made.depth = last.depth + (1 if deeper > 0.8 * line.size else 0)
                made.depth = max(0, made.depth - 1) if deeper < -0.8 * line.size else min(made.depth, 3)
        return made

    def converted(self, meta: dict[str, str], notes: Sequence[str]) -> Converted:
        """All of it as Markdown."""
        body = self.sizes.most_common(1)[0][0] if self.sizes else 0.0
        levels = self._levels(body)
        lines: list[tuple[str, str]] = []
        before: _Paragraph | _Rows | None = None
        for thing in self.found:
            tight = isinstance(thing, _Paragraph) and isinstance(before, _Paragraph) and thing.item and before.item
            if lines and not tight:
                lines.append(("", lines[-1][1]))
            if isinstance(thing, _Rows):
                lines += _table_lines(thing)
            elif level := self._level(thing, levels, body):
                lines.append((f"{'#' * level} {plain(thing.text)}", f"p{thing.lines[0][0]}"))
            else:
                lines += _paragraph_lines(thing)
            before = thing
        text = "\n".join(line for line, _ in lines) + "\n"
        return Converted(text, tuple(place for _, place in lines), meta, tuple(notes))

    def _levels(self, body: float) -> dict[tuple[float, bool], int]:
        """The level of each style that headings have: by the outline where it names some of them, else by size."""
        by_outline: dict[tuple[float, bool], Counter[int]] = {}
        styles = set()
        for thing in self.found:
            if isinstance(thing, _Paragraph) and _is_heading(thing, body):
                styles.add(thing.style)
                if thing.outline:
                    by_outline.setdefault(thing.style, Counter())[thing.outline] += 1
        found, level = {}, 0
        for style in sorted(styles, reverse=True):
            told = by_outline.get(style)
            level = told.most_common(1)[0][0] if told else level + 1
            level = min(level, _MOST_LEVELS)
            found[style] = level
        return found

    def _level(self, thing: _Paragraph, levels: dict[tuple[float, bool], int], body: float) -> int:
        if thing.outline:
            return min(thing.outline, 6)
        return levels.get(thing.style, 0) if _is_heading(thing, body) else 0


def _begins(before: Line, line: Line, usual: float, column: Column, last: _Paragraph | _Rows) -> bool:
    """Whether a line begins a paragraph."""
    if not isinstance(last, _Paragraph):
        return True
    gap = line.y - before.y
    if abs(line.size - before.size) > 0.12 * before.size or line.bold != before.bold:
        return True
    if gap > 1.28 * (usual or 1.2 * line.size) + 0.5 or gap > 2.2 * line.size:
        return True
    if _mark(line) and (last.item or before.text.rstrip()[-1:] in ".:;!?" or _mark(line) in ("-", "1.", "1)")):
        return True
    leftwards = _leftwards(line)
    room = 0.25 * (column.x1 - column.x0)
    short = before.x0 > column.x0 + room if leftwards else before.x1 < column.x1 - room
    if last.item:
        mark = last.lines[0][1].x0
        beside = line.x0 < last.indent - 0.5 * line.size  # not below the item's text
        return line.x0 < mark - 0.3 * line.size or (beside and (short or before.text[-1:] in ".;!?"))
    indented = not leftwards and line.x0 - column.x0 > 0.8 * line.size and abs(before.x0 - column.x0) < 0.5 * line.size
    return (indented and len(last.lines) > 1) or (short and before.text[-1:] in ".!?:" and not line.text[:1].islower())


def _leftwards(line: Line) -> bool:
    return bool(RIGHT_TO_LEFT.search(line.text))


def _style(line: Line) -> tuple[float, bool]:
    return round(line.size, 1), line.bold


def _mark(line: Line) -> str:
    """The mark of a list's item that the line begins with: "-", "3.", a dash that may be one of a sentence, or ""."""
    if len(line.words) < 2 or _leftwards(line) or not MARKED.fullmatch(line.words[0].text):
        return ""
    first = line.words[0].text
    if first == "o":  # a hollow bullet, or a word
        return "-" if line.words[1].x0 - line.words[0].x1 > 0.4 * line.size else ""
    return first if first in ("–", "—", "*") else "-" if first in BULLETS else first.strip("(")


def _is_heading(thing: _Paragraph, body: float) -> bool:
    if thing.outline:
        return True
    size, bold = thing.style
    if len(thing.lines) > 3 or not (bold or size >= _LARGER * body):
        return False
    text = thing.text
    if len(text) > _HEADING_CHARS or not any(char.isalpha() for char in text) or _ENTRY.search(text):
        return False
    if thing.item.startswith("-"):
        return False
    if size >= _LARGER * body:
        return not (text.endswith((".", ",", ";")) and len(text) > 60)
    return bold and size >= 0.98 * body and len(thing.lines) <= 2 and not text.endswith((".", ",", ";", ":", "?", "!"))


def _same_edges(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs((a - one[0]) - (b - other[0])) <= 6 for a, b in zip(one, other, strict=True))


def _table_lines(table: _Rows) -> Iterator[tuple[str, str]]:
    width = len(table.edges)
    for n, (page, row) in enumerate(table.rows):
        yield as_row(row), f"p{page}"
        if n == 0:
            yield f"|{'---|' * width}", f"p{page}"


def _paragraph_lines(thing: _Paragraph) -> Iterator[tuple[str, str]]:
    """Line by line, so that each keeps its page; a word parted at a line's end is whole in the first."""
    texts = [(page, told(line.words[1:]) if n == 0 and thing.item else line.text)
             for n, (page, line) in enumerate(thing.lines)]  # fmt: skip
    for n in range(len(texts) - 1):
        page, text = texts[n]
        following = texts[n + 1][1]
        head, _, rest = following.partition(" ")
        joined = unbroken(text, head)
        if joined != f"{text} {head}":
            texts[n], texts[n + 1] = (page, joined), (texts[n + 1][0], rest)
    indent = "  " * thing.depth
    for n, (page, text) in enumerate(texts):
        text = text.replace(SOFT, "-").strip()
        if not text:
            continue
        if n == 0 and thing.item:
            yield f"{indent}{thing.item} {as_line(text)}", f"p{page}"
        else:
            yield f"{indent}{'  ' if thing.item else ''}{as_line(text, first=n == 0)}", f"p{page}"


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _outline(document: Any) -> dict[tuple[int, str], int]:
    """The level of every heading of the outline, from 1, by its page and its letters."""
    found: dict[tuple[int, str], int] = {}
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    seen: set[int] = set()
    while waiting and len(seen) < 5000:
        mark, level = waiting.pop()
        address = ctypes.cast(mark, ctypes.c_void_p).value if mark else None
        if not address or address in seen:  # a broken file's outline may go round
            continue
        seen.add(address)
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, mark), level))
        waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, mark), level + 1))
        target = pdfium.FPDFBookmark_GetDest(document, mark)
        page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
        text = _key(_utf16(lambda buffer, size, mark=mark: pdfium.FPDFBookmark_GetTitle(mark, buffer, size)))
        if page >= 0 and text:
            found[page + 1, text] = level
    return found


def _utf16(get: Any) -> str:
    size = get(None, 0)
    if not 2 < size < 20_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get(buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")


def _meta(document: Any) -> dict[str, str]:
    """Title, owner and date, where the file tells them and a person wrote them."""

    def said(key: bytes) -> str:
        text = _utf16(lambda buffer, size: pdfium.FPDF_GetMetaText(document, key, buffer, size))
        return " ".join(text.replace("\0", " ").split())[:300]

    date = max(told_date(said(b"CreationDate")), told_date(said(b"ModDate")))
    author = said(b"Author")
    author = "" if author.casefold().strip("()") in ("anonymous", "unknown", "user", "admin") else author
    found = {"title": told_title(said(b"Title")), "owner": author, "date": date, "tags": said(b"Keywords")}
    return {key: value for key, value in found.items() if value}
