"""Files for the tests of formats, written by the libraries that offices use, and a way to read them."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from email.message import EmailMessage
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any

import docx
import openpyxl
import pptx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from pptx.util import Inches

from sources.formats import MODULES, Converted, Limits

LIMITS = Limits(pages=50, characters=1_000_000)


def read(data: bytes | str, name: str, limits: Limits = LIMITS) -> Converted:
    """What the reader of this ending makes of it; the places are checked to be as many as the lines."""
    module = import_module(f"sources.formats.{MODULES[PurePosixPath(name).suffix]}")
    converted: Converted = module.convert(data.encode() if isinstance(data, str) else data, name, limits)
    assert converted.text.endswith("\n")
    assert len(converted.places) == converted.text.count("\n")
    return converted


def placed(converted: Converted) -> list[tuple[str, str]]:
    """(place, line) of the lines that are not blank."""
    lines = converted.text.split("\n")
    return [(place, line) for place, line in zip(converted.places, lines, strict=False) if line]


def saved(document: Any) -> bytes:
    """The bytes of what such a library holds."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def word(change: Callable[[Any], object] = lambda document: None) -> bytes:
    """A Word document: a heading, a paragraph, lists, a table with merged cells, notes of a reviewer."""
    document = docx.Document()
    document.core_properties.author = "Ann Author"
    document.add_heading("Leave", 1)
    paragraph = document.add_paragraph("Staff get ")
    paragraph.add_run("28 days").bold = True
    paragraph.add_run(" SECRET").font.hidden = True
    ns = nsdecls("w")
    paragraph._p.append(parse_xml(f'<w:ins {ns} w:id="1" w:author="x"><w:r><w:t> of leave</w:t></w:r></w:ins>'))
    paragraph._p.append(parse_xml(f'<w:del {ns} w:id="2" w:author="x"><w:r><w:delText>OLD</w:delText></w:r></w:del>'))
    for text, style in (
        ("card", "List Bullet"),
        ("PIN", "List Bullet 2"),
        ("ask", "List Number"),
        ("wait", "List Number"),
    ):
        document.add_paragraph(text, style=style)
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(
        table.rows, (("City", "Rent", "Food"), ("Berlin", "1|0", "20"), ("", "30", "40")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.sections[0].header.paragraphs[0].text = "HEADER"
    change(document)
    return saved(document)


def workbook(change: Callable[[Any], object] = lambda made: None) -> bytes:
    """A workbook: a title, two tables, formats, hidden row, column and sheet, a formula that was never calculated."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Budget 2025"
    sheet["B2"] = "Overview"
    for row in (
        ("City", "Rent", "Share", "From"),
        ("Berlin", 1234.5, 0.125, date(2025, 3, 4)),
        ("Paris", -99.999, 1, datetime(2025, 3, 4, 13, 30)),
        ("Total", "=SUM(C4:C5)", None, None),
    ):
        sheet.append((None, *row))
    for cell, code in (("C4", '#,##0.00 "€"'), ("C5", '#,##0.00 "€"'), ("D4", "0.0%"), ("D5", "0%")):
        sheet[cell].number_format = code
    rows: tuple[list[object], ...] = (["Second", "Table", "Here"], ["a|b", True, "x\ny"], ["GONE"] * 3)
    for n, texts in enumerate(rows, 10):
        for column, value in zip("BCD", texts, strict=True):
            sheet[f"{column}{n}"] = value
    sheet.row_dimensions[12].hidden = True
    sheet["H3"] = "GONE"
    sheet.column_dimensions["H"].hidden = True
    book.create_sheet("Secret")["A1"] = "GONE"
    book["Secret"].sheet_state = "hidden"
    book.create_sheet("Empty")
    change(book)
    return saved(book)


def slides(change: Callable[[Any], object] = lambda made: None) -> bytes:
    """A presentation: a list of two levels with notes, a slide whose shapes were not added in reading order."""
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Agenda"
    frame = slide.placeholders[1].text_frame
    frame.text = "One"
    frame.add_paragraph().text = "Inner"
    frame.paragraphs[1].level = 1
    slide.notes_slide.notes_text_frame.text = "Say hello."
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Rents"
    for text, left, top in (("Below", 1, 6), ("Right", 5, 1.5), ("Left", 1, 1.5)):
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(1)).text_frame.text = text
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(3), Inches(6), Inches(1)).table
    for n, text in enumerate(("City", "Rent", "Berlin", "1|0")):
        table.cell(n // 2, n % 2).text = text
    hidden = deck.slides.add_slide(deck.slide_layouts[5])
    hidden.shapes.title.text = "GONE"
    hidden._element.set("show", "0")
    change(deck)
    return saved(deck)


def mail() -> bytes:
    """A mail with both kinds of text, an earlier mail and an attachment."""
    message = EmailMessage()
    message["Subject"] = "Grüße: the VPN"
    message["From"] = "Jörg Müller <joerg@example.com>"
    message["To"] = "Ann <ann@example.com>, b@example.com"
    message["Date"] = "Tue, 04 Mar 2025 10:15:00 +0100"
    message.set_content(
        "Hi Ann,\n\nthe gateway is now called VPN-2, and everybody who works from home has to\nuse it from April.\n\n"
        "Steps:\n- install it\n- log in\n\nBest\nJörg\n\nOn Monday Ann wrote:\n> Which one?\n\n"
        "-----Original Message-----\nAn older one.\n"
    )
    message.add_alternative("<p>GONE</p>", subtype="html")  # much less than the plain text
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Bericht März.pdf")
    return message.as_bytes()


def notebook() -> bytes:
    """A notebook: text with a fence that it leaves open, code with outputs, a raw cell."""
    cells = [
        {"cell_type": "markdown", "source": ["# Rents\n", "\n", "Text\n", "```\n", "open"]},
        {
            "cell_type": "code",
            "source": "print('*hi*')",
            "outputs": [
                {"output_type": "stream", "text": ["hi\n", "\x1b[31mthere\x1b[0m"]},
                {"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>GONE</b>"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "bad"},
            ],
        },
        {"cell_type": "raw", "source": "GONE"},
    ]
    book = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book).encode()


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive of these parts, packed by this method."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def with_part(data: bytes, part: str, change: Callable[[bytes], bytes], *others: str) -> bytes:
    """The archive with some parts changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name in (part, *others):
        parts[name] = change(parts[name])
    return zipped(parts)


ALL: dict[str, Callable[[], bytes]] = {
    "a.docx": word,
    "a.xlsx": workbook,
    "a.pptx": slides,
    "a.eml": mail,
    "a.ipynb": notebook,
    "a.csv": lambda: b'Name;Age;City\n"Ann; A";4;"x\ny"\nBob;5;Rome\n',
    "a.rst": lambda: (
        b"Title\n=====\n\nA *paragraph*, :ref:`x`.\n\n.. note:: Careful.\n\n* one\n\n  * two\n\n"
        b"+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n\n.. code-block:: py\n\n   x = 1\n"
    ),
    "a.html": lambda: (
        b"<style>.x{display:none}</style><main><h1>T</h1><p class=x>GONE<p>A <b>b</b>.<ul><li>one"
        b"<ol><li>two</ol></ul><table><tr><th>a<th>b<tr><td rowspan=2>1<td>2</table><pre>x\n y</pre></main>"
    ),
}
"""By name a small file of each format."""
