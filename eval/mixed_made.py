"""The good files of eval/mixed.py: each kind as its usual library writes it, or LibreOffice, or a person by hand.

A writer returns the file's bytes and, by planted word, a pattern of the place where a reader must find it.
Try: python -m eval.mixed --files 40
"""

import csv
import io
import json
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Preformatted, Table

from errors import UsageError
from eval.mixed_text import Block, Page, markdown

Written = tuple[bytes, dict[str, str]]
_FONTS = Path("/usr/share/fonts/truetype/dejavu")  # Cyrillic and Greek; reportlab's own Vera has Latin letters only
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")


def saved(document: Any) -> bytes:
    """The bytes of what python-docx, python-pptx or openpyxl hold."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def plain(page: Page) -> Written:
    """Markdown as it was written, the planted section at its end."""
    return page.raw.encode(), {word: f"L{_line_of(page.raw, word)}" for word in page.words}


def text(page: Page) -> Written:
    """Plain text with underlined headings; every third in UTF-16 with its mark, every third with Windows' line ends."""
    told = markdown(page.blocks, setext=True)
    places = {word: f"L{_line_of(told, word)}" for word in page.words}
    if page.number % 3 == 0:
        return told.encode("utf-16"), places
    return (told.replace("\n", "\r\n") if page.number % 3 == 1 else told).encode(), places


def web(page: Page) -> Written:
    """A web page written by hand, with navigation, a script and something hidden around its main part."""
    told = list[str]()
    for block in page.blocks:
        lines = [[escape(cell) for cell in row] for row in block.lines]
        if block.kind == "heading":
            told.append(f"<h{block.level} id=h{len(told)}>{lines[0][0]}</h{block.level}>")
        elif block.kind == "items":
            told.append("<ul>" + "".join(f"<li>{row[0]}</li>" for row in lines) + "</ul>")
        elif block.kind == "code":
            told.append(f"<pre><code>{chr(10).join(row[0] for row in lines)}</code></pre>")
        elif block.kind == "table":
            rows = [
                "".join(f"<t{'d' if n else 'h'}>{c}</t{'d' if n else 'h'}>" for c in r) for n, r in enumerate(lines)
            ]
            told.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        else:
            told.append(f"<p>{lines[0][0]}</p>")
    body = "\n".join(told)
    return (
        f"<?xml version='1.0' encoding='utf-8'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Page "
        f"{page.number}</title><script>var GONE = 1;</script></head><body><nav><a href='/'>Home</a></nav><main>\n{body}"
        f"\n<p hidden='hidden'>GONE</p></main><footer>© GONE</footer></body></html>"
    ).encode(), {}


def word(page: Page) -> Written:
    """A Word document by python-docx."""
    made = docx.Document()
    for block in page.blocks:
        if block.kind == "heading":
            made.add_heading(block.text, min(block.level, 9))
        elif block.kind == "items":
            for row in block.lines:
                made.add_paragraph(row[0], style="List Bullet")
        elif block.kind == "table":
            table = made.add_table(len(block.lines), len(block.lines[0]), style="Table Grid")
            for cells, row in zip(table.rows, block.lines, strict=True):
                for cell, told in zip(cells.cells, row, strict=True):
                    cell.text = told
        else:
            made.add_paragraph(block.text)
    made.sections[0].footer.paragraphs[0].text = "Printed on paper"
    return saved(made), {}


def workbook(page: Page) -> Written:
    """A workbook by openpyxl: a sheet for each table, what stands before it above it, the planted one among them."""
    book, places = openpyxl.Workbook(), dict[str, str]()
    sheet, row = book.active, 1
    sheet.title = "Overview"
    for block in page.blocks:
        if block.kind == "heading" and page.heading in block.text:
            sheet, row = book.create_sheet(block.text), 1
            places[page.heading] = rf"'?{sheet.title}'?!.*"
        elif block.kind == "table" and sheet.max_row > 1 and page.heading not in sheet.title:
            sheet, row = book.create_sheet(f"Table {len(book.sheetnames)}"), 2
        row += block.kind == "table"
        for cells in block.lines[:60]:
            for n, told in enumerate(cells):
                cell = sheet.cell(row, 2 + n)
                cell.value = int(told) if told.isascii() and told.isdigit() and len(told) < 9 else told
                cell.data_type = cell.data_type if cell.data_type == "n" else "s"  # "=..." is a text here
                name = f"'?{re.escape(sheet.title)}'?"
                places |= {
                    found: rf"{name}![A-Z]+{row}(:[A-Z]+{row})?" for found in page.words
                    if found in told and found != page.heading
                }  # fmt: skip
            row += 1
        row += block.kind == "table"
    return saved(book), places


def slides(page: Page) -> Written:
    """A presentation by python-pptx: a slide for each heading, its table on it."""
    deck, places = pptx.Presentation(), dict[str, str]()
    slide: Any = None
    for block in page.blocks:
        if slide is None or block.kind == "heading":
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = block.text if block.kind == "heading" else f"Page {page.number}"
        place = f"slide {len(deck.slides)}"
        places |= {found: place for found in page.words for row in block.lines if any(found in cell for cell in row)}
        if block.kind == "table":
            size = len(block.lines), len(block.lines[0])
            table = slide.shapes.add_table(*size, Inches(1), Inches(5), Inches(8), Inches(1)).table
            for r, row in enumerate(block.lines):
                for c, told in enumerate(row):
                    table.cell(r, c).text = told
        elif block.kind != "heading":
            frame = slide.placeholders[1].text_frame
            for told in block.text.split("\n"):
                (frame.add_paragraph() if frame.text else frame.paragraphs[0]).text = told
    return saved(deck), places


def table(separator: str) -> Callable[[Page], Written]:
    """A writer of CSV files: a table of the page's sentences, some with line breaks and quotes in their cells."""

    def write(page: Page) -> Written:
        out, places = io.StringIO(), dict[str, str]()
        writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
        writer.writerow(("Kind", "Text", "Remark"))
        for block in page.blocks:
            for n, row in enumerate(block.lines):
                told = " / ".join(row)
                line = out.getvalue().count("\n") + 1
                places |= {found: rf"L{line}(-{line + 1})?" for found in page.words if found in told}
                writer.writerow((block.kind, told, 'said "so",\nand so' if n % 4 == 1 else f"no {n}"))
        return out.getvalue().encode("utf-8-sig" if page.number % 2 else "utf-8"), places

    return write


def mail(page: Page) -> Written:
    """A mail: the planted heading is its subject; every other one is HTML alone."""
    made = EmailMessage()
    made["Subject"] = f"Rules for {page.heading}: Größe und Maß, 規則"
    made["From"], made["To"] = "Jörg Müller <joerg@example.com>", "ann@example.com"
    made["Date"] = "Tue, 04 Mar 2025 10:15:00 +0100"
    blocks = [block for block in page.blocks if block.kind != "heading"]
    if page.number % 2:
        made.set_content(web(Page(page.number, blocks, ""))[0].decode(), subtype="html")
    else:
        rows = [
            [f"- {row[0]}" for row in block.lines]
            if block.kind == "items"
            else [" ; ".join(row) for row in block.lines]
            for block in blocks
        ]
        made.set_content("\n\n".join("\n".join(lines) for lines in rows) + "\n")
    if page.number % 3 == 0:
        made.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="Anhang ü.pdf")
    return made.as_bytes(), {}


def notebook(page: Page) -> Written:
    """A notebook: a text cell for each block, code with a printed result."""
    cells, places = list[dict[str, Any]](), dict[str, str]()
    for block in page.blocks:
        if block.kind == "code":
            out = {"output_type": "stream", "name": "stdout", "text": ["done\n"]}
            cells.append({"cell_type": "code", "source": block.text, "outputs": [out], "metadata": {}})
        else:
            told = markdown([block])
            cells.append({"cell_type": "markdown", "source": told.splitlines(True), "metadata": {}})
            places |= {found: f"cell {len(cells)}" for found in page.words if found in told}
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode(), places


def rst(page: Page) -> Written:
    """reStructuredText by hand: underlined titles, lists, grid tables, code blocks."""
    lines = list[str]()
    for block in page.blocks:
        rows = [[re.sub(r"([\\*`|_])", r"\\\1", cell) for cell in row] for row in block.lines]
        if block.kind == "heading":
            lines += [rows[0][0], "=" * (_width(rows[0][0]) + 1)]
        elif block.kind == "items":
            lines += [f"* {row[0]}" for row in rows]
        elif block.kind == "code":
            lines += [".. code-block:: text", "", *(f"   {row[0]}" for row in block.lines)]
        elif block.kind == "table":
            wide = [max(_width(row[n]) for row in rows) for n in range(len(rows[0]))]
            rule = "+" + "+".join("-" * (size + 2) for size in wide) + "+"
            lines.append(rule)
            for n, row in enumerate(rows):
                cells = (f" {cell}{' ' * (size - _width(cell))} " for cell, size in zip(row, wide, strict=True))
                lines += [f"|{'|'.join(cells)}|", rule if n else rule.replace("-", "=")]
        else:
            lines.append(rows[0][0])
        lines.append("")
    told = "\n".join(lines)
    return told.encode(), {found: f"L{_line_of(told, found)}" for found in page.words}


def day(page: Page) -> Written:
    """A day of a Slack channel: a message for each block."""
    said, places = list[dict[str, Any]](), dict[str, str]()
    for n, block in enumerate(page.blocks):
        told = "\n".join(("• " if block.kind == "items" else "") + " ; ".join(row) for row in block.lines)
        fence = "```" if block.kind == "code" else ""
        escaped = told.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        stamp = f"{1741080000 + 60 * n}.000100"
        said.append({"type": "message", "user": f"U{n % 3}", "text": f"{fence}{escaped}{fence}", "ts": stamp})
        places |= {found: f"¶{n + 1}" for found in page.words if found in told}
    return json.dumps(said).encode(), places


def records(page: Page) -> Written:
    """Records in JSON, one a line, for each row of the page's blocks."""
    told, places = list[str](), dict[str, str]()
    for block in page.blocks:
        for n, row in enumerate(block.lines):
            text = "; ".join(row)
            told.append(
                json.dumps({"kind": block.kind, "text": text, "no": n, "tags": [*row]}, ensure_ascii=n % 2 == 0)
            )
            places |= {found: f"L{len(told)}" for found in page.words if found in text}
    return ("\r\n" if page.number % 2 else "\n").join(told).encode(), places


def entities(page: Page) -> Written:
    """A Backstage catalogue: a component for each row of the page's blocks, by hand, with comments between them."""
    told, places = list[str](), dict[str, str]()
    for block in page.blocks:
        for n, row in enumerate(block.lines):
            text, first = " / ".join(row), sum(one.count("\n") for one in told) + 2
            about = json.dumps(text, ensure_ascii=False)
            told.append(
                f"--- # {n}\napiVersion: backstage.io/v1alpha1\nkind: Component\n# a note\n"
                f"metadata:\n  name: {block.kind}\n  description: {about}\nspec: {{owner: team-a}}\n\n"
            )
            places |= {found: f"L{first}-{first + 6}" for found in page.words if found in text}
    return "".join(told).encode(), places


def report(page: Page) -> Written:
    """A PDF by reportlab: running head and page numbers, tables with lines; every third in two columns."""
    fonts, places = _registered(), dict[str, str]()
    wide, high = A4
    columns = 2 if page.number % 3 == 0 else 1
    each = (wide - 100) / columns
    frames = [Frame(50 + n * each, 60, each - 10, high - 130) for n in range(columns)]
    out = io.BytesIO()
    made = BaseDocTemplate(out, pagesize=A4, title=f"Page {page.number}", invariant=1)

    def running(canvas: Any, _: Any) -> None:
        canvas.setFont(fonts[0], 8)
        canvas.drawString(50, high - 40, "Handbook of the company")
        canvas.drawCentredString(wide / 2, 30, f"Page {canvas.getPageNumber()}")

    def drawn(flowable: Any) -> None:
        n = made.page
        places.update(dict.fromkeys(getattr(flowable, "planted", ()), f"p({n}|{n}-{n + 1}|{n - 1}-{n})"))

    made.addPageTemplates(PageTemplate(frames=frames, onPage=running))
    made.afterFlowable = drawn
    made.build([flowable for block in page.blocks for flowable in _flowables(block, page, fonts, each - 24)])
    return out.getvalue(), places


def _flowables(block: Block, page: Page, fonts: tuple[str, str], wide: float) -> list[Any]:
    size = {1: 18, 2: 15, 3: 13}.get(block.level, 12) if block.kind == "heading" else 10
    font = fonts[1] if block.kind == "heading" else fonts[0]
    style = ParagraphStyle("s", fontName=font, fontSize=size, leading=size * 1.25, spaceBefore=8, spaceAfter=4)

    def paragraph(told: str, indent: int = 0) -> Any:
        own = ParagraphStyle("o", parent=style, leftIndent=indent)
        if _WIDE.search(told):
            own.fontName = "STSong-Light" if not re.search(r"[\u3040-\u30ff]", told) else "HeiseiMin-W3"
        made = Paragraph(escape(_drawable(told, own.fontName)), own, bulletText="•" if indent else None)
        made.planted = [found for found in page.words if found in told]
        return made

    if block.kind == "table":
        grid = [[paragraph(cell) for cell in row] for row in block.lines]
        planted = any(cell.planted for row in grid for cell in row)
        count = len(grid[0])
        widths = [wide / 2, *[wide / 2 / (count - 1)] * (count - 1)] if planted else [wide / count] * count  # no break
        made = Table(grid, widths, repeatRows=1, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
        made.planted = [found for row in grid for cell in row for found in cell.planted]
        return [made]
    if block.kind == "items":
        return [paragraph(row[0], 18) for row in block.lines]
    if block.kind == "code":
        style.fontSize, style.leading = 7, 9
        return [Preformatted("\n".join(_drawable(row[0], font)[:55] for row in block.lines), style)]
    return [paragraph(block.text)]


@cache
def _registered() -> tuple[str, str]:
    """The names of the fonts for text and headings."""
    has = (_FONTS / "DejaVuSans.ttf").exists() and (_FONTS / "DejaVuSans-Bold.ttf").exists()
    files = (
        (_FONTS / "DejaVuSans.ttf", _FONTS / "DejaVuSans-Bold.ttf") if has else (Path("Vera.ttf"), Path("VeraBd.ttf"))
    )
    for name, file in zip(("Text", "Bold"), files, strict=True):
        pdfmetrics.registerFont(TTFont(name, str(file)))
    for name in ("STSong-Light", "HeiseiMin-W3"):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    return "Text", "Bold"


def _drawable(told: str, font: str) -> str:
    if font not in ("Text", "Bold"):
        return told
    glyphs = pdfmetrics.getFont(font).face.charToGlyph
    return "".join(char if ord(char) in glyphs or char == "\n" else "?" for char in told)


def _line_of(told: str, word: str) -> int:
    return next((n for n, line in enumerate(told.split("\n"), 1) if word in line), 0)


def _width(told: str) -> int:
    """Columns in a terminal, as docutils counts them."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in told
    )


WRITERS: Mapping[str, Callable[[Page], Written]] = {
    ".md": plain, ".markdown": plain, ".txt": text, ".html": web, ".htm": web, ".xhtml": web, ".docx": word,
    ".docm": word, ".xlsx": workbook, ".xlsm": workbook, ".pptx": slides, ".pptm": slides, ".csv": table(";"),
    ".tsv": table("\t"), ".eml": mail, ".ipynb": notebook, ".rst": rst, ".json": day, ".pdf": report,
    ".jsonl": records, ".ndjson": records, ".yaml": entities, ".yml": entities,
}  # fmt: skip
"""By ending, what writes such a file."""
OFFICE: Mapping[str, str] = {".docx": ".docx", ".xlsx": ".xlsx", ".pptx": ".pptx", ".pdf": ".docx", ".html": ".docx"}
"""What LibreOffice makes, and of which file."""


def converted(files: Sequence[tuple[str, bytes]], ending: str, folder: Path) -> list[bytes]:
    """The files, each (ending, bytes), as LibreOffice saves them under `ending`, in one call. Raises UsageError."""
    program = shutil.which("soffice")
    if not program:
        raise UsageError("LibreOffice (soffice) is not on this machine.")
    given, made = folder / "given", folder / "made"
    given.mkdir(parents=True)
    for n, (kind, data) in enumerate(files):
        (given / f"{n:04}{kind}").write_bytes(data)
    profile = f"-env:UserInstallation={(folder.parent / 'profile').as_uri()}"
    told = sorted(map(str, given.iterdir()))
    subprocess.run(
        [program, profile, "--headless", "--convert-to", ending[1:], "--outdir", str(made), *told],
        capture_output=True, check=False, timeout=1200,
    )  # fmt: skip
    found = [made / f"{n:04}{ending}" for n in range(len(files))]
    if lacking := [path.name for path in found if not path.exists()]:
        raise UsageError(f"LibreOffice did not convert {len(lacking)} of {len(files)} files to {ending}.")
    return [path.read_bytes() for path in found]
