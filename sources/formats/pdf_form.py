"""What is filled into the fields of a PDF's form -> words that stand where the fields do.

A box that is ticked is ☒, one that is not ☐. Buttons, passwords, hidden fields and fields of turned pages are not read.
Knows PDFium, no layout. Try: python chunk.py form.pdf
"""

import contextlib
import ctypes
from collections.abc import Iterator
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from sources.formats.pdf_page import Page, Word

_UNSEEN = 0x01 | 0x02 | 0x20  # invisible, hidden, not on a screen
_PASSWORD = 1 << 13
_MOST_FIELDS = 2000  # of a page
_MOST_BYTES = 20_000
_BOXES = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_WRITTEN = (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)


@contextlib.contextmanager
def opened(document: Any) -> Iterator[Any]:
    """The document's form, None when it has none."""
    if pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_NONE:
        yield None
        return
    info = pdfium.FPDF_FORMFILLINFO(version=2)
    form = pdfium.FPDFDOC_InitFormFillEnvironment(document, info)
    try:
        yield form
    finally:
        if form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(form)


def filled(document: Any, number: int, form: Any, seen: Page) -> list[Word]:
    """The words in the fields of the page of this number, from 0."""
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        return []
    try:
        box = pdfium.FS_RECTF()
        if pdfium.FPDFPage_GetRotation(page) or not pdfium.FPDF_GetPageBoundingBox(page, box):
            return []
        usual = median(word.size for word in seen.words) if seen.words else 11.0
        found: list[Word] = []
        for i in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_FIELDS)):
            mark = pdfium.FPDFPage_GetAnnot(page, i)
            if text := _value(form, mark):
                place = pdfium.FS_RECTF()
                pdfium.FPDFAnnot_GetRect(mark, place)
                found += _words(text, place.left - box.left, box.top - place.top, place.top - place.bottom, usual)
            pdfium.FPDFPage_CloseAnnot(mark)
        return found
    finally:
        pdfium.FPDF_ClosePage(page)


def _value(form: Any, mark: Any) -> str:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, mark)
    if kind not in _BOXES + _WRITTEN or pdfium.FPDFAnnot_GetFlags(mark) & _UNSEEN:
        return ""
    if kind in _BOXES:
        state = _told(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(mark, b"AS", buffer, size))
        return "☐" if state in ("", "Off") else "☒"
    if pdfium.FPDFAnnot_GetFormFieldFlags(form, mark) & _PASSWORD and kind == pdfium.FPDF_FORMFIELD_TEXTFIELD:
        return ""
    return _told(lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(form, mark, buffer, size))


def _told(get: Any) -> str:
    size = get(None, 0)
    if not 2 < size < _MOST_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").replace("\0", "")


def _words(text: str, x: float, top: float, height: float, usual: float) -> Iterator[Word]:
    """Line by line: the first in the middle of a field of one line, at the top of a higher one."""
    size = max(min(usual, 0.9 * height), 2.0)
    y = top + (height + 0.7 * size if height < 2.5 * size else 2.2 * size) / 2
    for line in text.splitlines():
        at = x + 2
        for word in line.split():
            end = at + 0.5 * size * len(word)
            yield Word(at, end, y, size, False, word)
            at = end + 0.3 * size
        y += 1.15 * size
