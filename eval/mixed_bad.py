"""The bad files of eval/mixed.py: broken, locked, misnamed, empty, hostile; each with what must be told of it.

What is told is a reason (the file is left out) or a note (it is indexed). Knows no index.
Try: python -m eval.mixed --files 40 --bad 40
"""

import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from eval.mixed_made import WRITERS, saved
from eval.mixed_text import Page

Make = Callable[[Page, random.Random], bytes]


@dataclass(frozen=True, slots=True)
class Bad:
    """A way to be bad."""

    kind: str
    ending: str
    make: Make
    told: str  # a pattern of the reason or note
    indexed: bool | None = False  # None: either will do, and where no text is lost nothing need be told


def _good(ending: str, page: Page) -> bytes:
    return WRITERS[ending](page)[0]


def _of(ending: str) -> Make:
    return lambda page, chance: _good(ending, page)


def _cut(ending: str, share: float = 0.6) -> Make:
    def make(page: Page, chance: random.Random) -> bytes:
        data = _good(ending, page)
        return data[: int(len(data) * share)]

    return make


def _zeroed(ending: str) -> Make:
    """A tenth of the bytes in the middle are zero, as after a crash of the disk."""

    def make(page: Page, chance: random.Random) -> bytes:
        data = bytearray(_good(ending, page))
        start, size = int(len(data) * chance.uniform(0.3, 0.5)), len(data) // 10
        data[start : start + size] = bytes(size)
        return bytes(data)

    return make


def _fixed(data: bytes) -> Make:
    return lambda page, chance: data


def _locked(page: Page, chance: random.Random) -> bytes:
    return _drawn(page, [0], StandardEncryption("secret", strength=128))


def _scanned(*pictures: int, of: int) -> Make:
    return lambda page, chance: _drawn(page, [int(n in pictures) for n in range(1, of + 1)])


def _drawn(page: Page, pictures: list[int], encrypt: StandardEncryption | None = None) -> bytes:
    """A PDF whose pages are text (0) or a picture of text (1)."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=encrypt, invariant=1)
    for n, picture in enumerate(pictures, 1):
        if picture:
            image = Image.new("L", (600, 800), 255)
            ImageDraw.Draw(image).text((40, 40), f"Rules for {page.heading}\nThe office is open on page {n}.", 0)
            canvas.drawImage(ImageReader(image), 0, 0, *A4)
        else:
            canvas.drawString(72, 700, f"What is written on page {n} about {page.heading} is a text of its own.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _with_part(ending: str, part: str, change: Callable[[bytes], bytes]) -> Make:
    def make(page: Page, chance: random.Random) -> bytes:
        out = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(_good(ending, page))) as old,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
        ):
            for name in old.namelist():
                new.writestr(name, change(old.read(name)) if name == part else old.read(name))
        return out.getvalue()

    return make


def _old(stream: str) -> bytes:
    """The beginning of a compound file with one stream's name in its directory."""
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    return head.ljust(1024, b"\xff") + stream.encode("utf-16-le").ljust(2048, b"\0")


def _quoting(page: Page, chance: random.Random) -> bytes:
    """A quote that is never closed: what a reader takes for one cell are all the lines after it."""
    lines = _good(".csv", page).decode("utf-8-sig").replace('"', "").split("\r\n")
    middle = len(lines) // 2
    lines[middle] = lines[middle].replace(";", ';"', 1)
    return "\r\n".join(lines).encode()


def _without_body(page: Page, chance: random.Random) -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"] = f"Rules for {page.heading}", "ann@example.com"
    return made.as_bytes()


def _empty_word(page: Page, chance: random.Random) -> bytes:
    import docx

    return saved(docx.Document())


def _empty_book(page: Page, chance: random.Random) -> bytes:
    import openpyxl

    return saved(openpyxl.Workbook())


_ROW = b'<row><c t="inlineStr"><is><t>' + b"x" * 50_000 + b"</t></is></c></row>"
_ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
_NO_TEXT = r"0 characters|no text|is empty|holds nothing"
_BROKEN = r"is broken|cannot be (read|opened)|is damaged"
_NUL = r"NUL characters"

BAD: tuple[Bad, ...] = (
    *(Bad("cut off", ending, _cut(ending), _BROKEN) for ending in (".docx", ".xlsx", ".pptx")),
    Bad("cut off", ".pdf", _cut(".pdf"), _BROKEN, None),
    Bad("cut off", ".ipynb", _cut(".ipynb"), "no JSON"),
    *(Bad("zeroed bytes", ending, _zeroed(ending), _BROKEN, None) for ending in (".docx", ".xlsx", ".pptx", ".pdf")),
    *(Bad("zeroed bytes", ending, _zeroed(ending), _NUL) for ending in (".md", ".txt", ".csv")),
    Bad("zeroed bytes", ".ipynb", _zeroed(".ipynb"), f"no JSON|{_NUL}"),
    *(Bad("zeroed bytes", ending, _zeroed(ending), _NUL, None) for ending in (".html", ".eml", ".rst")),
    Bad("wrong ending", ".pdf", _of(".docx"), "is no PDF but an Office file"),
    Bad("wrong ending", ".docx", _of(".pdf"), "is a PDF"),
    Bad("wrong ending", ".xlsx", _of(".html"), "is (HTML|XML)"),
    Bad("wrong ending", ".xlsx", _of(".csv"), "no ZIP archive|is text"),
    Bad("wrong ending", ".pptx", _of(".docx"), "is a Word document"),
    Bad("wrong ending", ".html", _of(".pdf"), "PDF"),
    Bad("wrong ending", ".md", _of(".docx"), f"{_NUL}|Office|ZIP"),
    Bad("wrong ending", ".csv", _of(".xlsx"), "Office"),
    Bad("wrong ending", ".eml", _of(".docx"), "no mail"),
    Bad("wrong ending", ".rst", _of(".docx"), f"{_NUL}|Office|ZIP"),
    Bad("wrong ending", ".ipynb", _of(".html"), "no JSON"),
    Bad("encrypted", ".pdf", _locked, "encrypted|password"),
    *(Bad("encrypted", ending, _fixed(_old("EncryptedPackage")), "is encrypted") for ending in (".docx", ".xlsx")),
    Bad("zip bomb", ".docx", _with_part(".docx", "word/document.xml", lambda old: old + b" " * 215_000_000),
        "unpacks to more than"),
    Bad("zip bomb", ".xlsx", _with_part(".xlsx", "xl/worksheets/sheet1.xml",
        lambda old: old.replace(b"<sheetData>", b"<sheetData>" + _ROW * 400)), "text is longer than"),
    Bad("entities", ".docx", _with_part(".docx", "word/document.xml",
        lambda old: re.sub(rb"<w:t>", b"<w:t>&b;", _ENTITY + old.partition(b"?>")[2])), "entities"),
    Bad("lost part", ".docx", _with_part(".docx", "word/document.xml", lambda old: old[: len(old) // 2]), _BROKEN),
    *(Bad("0 bytes", ending, _fixed(b""), "is empty") for ending in (".md", ".pdf", ".docx", ".csv", ".eml", ".rst")),
    Bad("no text", ".docx", _empty_word, _NO_TEXT),
    Bad("no text", ".xlsx", _empty_book, _NO_TEXT),
    Bad("no text", ".html", _fixed(b"<html><body><script>x = 1</script></body></html>"), _NO_TEXT),
    Bad("scanned", ".pdf", _scanned(1, 2, of=2), "scanned"),
    Bad("some pages scanned", ".pdf", _scanned(2, of=3), "page 2 .*no text", True),
    Bad("old Office", ".doc", _fixed(_old("WordDocument")), r"save it as \.docx"),
    Bad("old Office", ".xls", _fixed(_old("Workbook")), r"save it as \.xlsx"),
    Bad("old Office", ".rtf", _fixed(b"{\\rtf1\\ansi Hello}"), r"save it as \.docx"),
    Bad("broken quoting", ".csv", _quoting, "quot", None),
    Bad("without a body", ".eml", _without_body, "no text of its own", None),
    Bad("no encoding", ".md", _fixed("Größe zählt\n".encode("cp1250") + b"\x81\x8d\x8f\x90 \xa1\n"), "encoding"),
    Bad("no list of messages", ".json", _fixed(b'{"ok": true}'), "no list of messages"),
    Bad("cut off", ".json", _cut(".json"), "no JSON"),
    Bad("nobody wrote", ".json", _fixed(json.dumps([{"subtype": "channel_join", "ts": "1.0"}]).encode()), "no message"),
)  # fmt: skip
"""All of them; a run of fewer bad files takes some of each kind in turn."""
