"""One page of a PDF -> the words that a person sees on it, with size, weight and place, and its drawn lines.

Left out is what nobody sees: invisible and white text, text off the page, too small, in the colour of what lies behind
it, clipped away or below a rectangle drawn later. Text that a scanner's software laid invisibly over a picture is read.
Coordinates run from the page's upper left corner. Knows PDFium, no Markdown. Try: python chunk.py report.pdf
"""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pypdfium2.raw as pdfium

_LEAST_SIZE = 1.5  # points
_SAME_COLOUR = 24  # of 255, in each of red, green and blue
_MOST_OBJECTS = 30_000  # of a drawing; the lines of tables are among the first
_MOST_FILLS = 3000
_MOST_COVERS = 500
_MOST_SEGMENTS = 400
_THIN = 3.0  # points: a filled path of at most that height or width is a line
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_HYPHENS = (0x02, 0xFFFE, 0xAD)  # what PDFium says of a hyphen at a line's end; a soft hyphen
SOFT = "\xad"
"""Ends a word that goes on in the next line, whatever mark the page shows there."""
_SPACES = frozenset((0x09, 0x0A, 0x0D, 0x20, 0xA0, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000))
_object_of = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)
"""The address of a character's text object: to cast the pointer for each took a seventh of all the time."""
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""A letter of Hebrew, Arabic and their like."""
_BOLD = ("bold", "black", "heavy", "demi")

Box = tuple[float, float, float, float]
_Matrix = tuple[float, float, float, float, float, float]
_ONE: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Word:
    """A run of characters without a space; x from the left, y (of the baseline) from the top, in points."""

    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    text: str
    at: int = 0  # in the order of the file


@dataclass(slots=True)
class Page:
    """What is seen of a page."""

    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    across: list[Box] = field(default_factory=list)  # horizontal lines: x0, y, x1, y
    down: list[Box] = field(default_factory=list)  # vertical ones: x, y0, x, y1
    pictures: bool = False
    laid_over: bool = False  # holds text that lies invisibly over a picture
    unknown: int = 0  # characters whose code is not told


@dataclass(frozen=True, slots=True)
class _Behind:
    """Something that covers what was drawn before it."""

    order: int
    box: Box
    colour: tuple[int, int, int] | None  # None: a picture


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    bold: bool
    seen: bool
    laid_over: bool
    turn: int  # quarter turns that set it upright; -1: slanted
    covers: Sequence[Box]  # what is drawn over it
    clip: Box  # what is outside is not drawn


def read(document: Any, number: int) -> Page:
    """The page of this number, from 0. Raises ValueError when PDFium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, number)
    if not page:
        raise ValueError(f"page {number + 1} cannot be loaded")
    try:
        text = pdfium.FPDFText_LoadPage(page)
        if not text:
            raise ValueError(f"the text of page {number + 1} cannot be loaded")
        try:
            return _Reading(page, text).page()
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)


class _Reading:
    def __init__(self, page: Any, text: Any) -> None:
        self.handle, self.text = page, text
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        found = pdfium.FPDFPage_GetCropBox(page, left, bottom, right, top) or pdfium.FPDFPage_GetMediaBox(
            page, left, bottom, right, top
        )
        flip = pdfium.FPDFPage_GetRotation(page) % 2
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        if flip:
            width, height = height, width
        self.box = (
            (left.value, bottom.value, left.value + width, bottom.value + height) if found else (0, 0, width, height)
        )
        self.behind: list[_Behind] = []
        self.orders: dict[int, tuple[int, _Matrix]] = {}  # of text objects
        self.covers: list[tuple[int, Box]] = []  # rectangles that nothing shows through, by their order
        self.lines: list[Box] = []  # in the page's own coordinates
        self.styles: dict[int, _Style] = {}
        self.fonts: dict[int, bool] = {}
        self.count = 0
        self.pictures = False
        self.glassy = False  # within something that may be seen through

    def page(self) -> Page:
        self._objects(self.handle, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, _ONE, 0)
        turns: Counter[int] = Counter()
        runs: list[tuple[int, Word]] = []
        laid_over = False
        unknown = 0
        for word, style in self._words():
            if style is None:
                unknown += len(word.text)
                continue
            laid_over = laid_over or style.laid_over
            turns[style.turn] += len(word.text)
            runs.append((style.turn, word))
        turn = turns.most_common(1)[0][0] if turns else 0
        x0, y0, x1, y1 = self.box
        size = (y1 - y0, x1 - x0) if turn % 2 else (x1 - x0, y1 - y0)
        made = Page(*size, pictures=self.pictures, laid_over=laid_over, unknown=unknown)
        made.words = [_upright(word, turn, self.box) for its_turn, word in runs if its_turn == turn]
        for line in self.lines:
            a, b, c, d = _turned_box(line, turn, self.box)
            if c - a >= d - b:
                made.across.append((a, (b + d) / 2, c, (b + d) / 2))
            else:
                made.down.append(((a + c) / 2, b, (a + c) / 2, d))
        return made

    def _words(self) -> Iterator[tuple[Word, _Style | None]]:
        """Words in the order of the file, in the page's own coordinates: `y` across the text's direction, x along it.

        A word without style stands for a character whose code is not told.
        """
        text = self.text
        box = pdfium.FS_RECTF()
        word: Word | None = None
        current: _Style | None = None
        style, held, start, cross, tied, cut = None, 0, math.nan, 0.0, 0, False
        for i in range(pdfium.FPDFText_CountChars(text)):
            code = pdfium.FPDFText_GetUnicode(text, i)
            if code in _SPACES:
                if word:
                    yield word, current
                word, cut = None, False
                continue
            key = _object_of(text, i) or 0
            pdfium.FPDFText_GetLooseCharBox(text, i, box)
            if key != held or style is None:
                style = self.styles.get(key) or self._style(key, i, box)
                held, cross = key, _across(style.turn, text, i)
            x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
            if not style.seen or style.turn < 0:
                continue
            cut = cut or self._is_cut(x, y, style)
            if cut:  # nothing is told of what is covered in part: of 120,000 not 12
                word = None
                continue
            char = _character(code)
            if not char:
                if code in (0, 0xFFFD):
                    yield Word(0, 0, 0, 0, False, "?"), None
                continue
            along, end = _along(style.turn, box)
            same = along == start  # a ligature is told as several characters in one place
            tied = tied + 1 if same else 0
            start = along
            if word and current and current.turn == style.turn and _goes_left(word, char, end, cross, style.size):
                at = len(word.text) - tied  # PDFium turns those of a ligature round
                word.text = word.text[:at] + char + word.text[at:]
                word.x0 = min(word.x0, along)
                continue
            if (
                word
                and current
                and current.turn == style.turn
                and abs(cross - word.y)
                < (0.25 if abs(style.size - word.size) < 0.15 * word.size else 0.12) * style.size
                and (same or -0.5 * style.size < along - word.x1 < 0.22 * style.size)
            ):
                word.text += char
                word.x1 = max(word.x1, end)
                word.size = max(word.size, style.size)
                continue
            if word:
                yield word, current
            word, current = Word(along, end, cross, style.size, style.bold, char, i), style
        if word:
            yield word, current

    def _is_cut(self, x: float, y: float, style: _Style) -> bool:
        if not (_within(x, y, self.box) and _within(x, y, style.clip)):
            return True
        return any(_within(x, y, cover) for cover in style.covers)

    def _style(self, key: int, i: int, box: Any) -> _Style:
        thing = pdfium.FPDFText_GetTextObject(self.text, i)
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self.text, i, matrix)
        size = pdfium.FPDFText_GetFontSize(self.text, i) * math.hypot(matrix.c, matrix.d)
        quarter = math.atan2(matrix.b, matrix.a) / (math.pi / 2)
        turn = round(quarter) % 4 if abs(quarter - round(quarter)) < 0.05 else -1
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        pdfium.FPDFText_GetFillColor(self.text, i, red, green, blue, alpha)
        colour = (red.value, green.value, blue.value)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
        order, its = self.orders.get(key, (self.count, _ONE))
        behind = self._behind(order, (box.left + box.right) / 2, (box.top + box.bottom) / 2)
        invisible = mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP) or not alpha.value
        is_picture = behind is not None and behind.colour is None
        ground = behind.colour if behind and behind.colour else (255, 255, 255)
        drowned = mode in (0, 4) and not is_picture
        drowned = drowned and max(abs(a - b) for a, b in zip(colour, ground, strict=True)) <= _SAME_COLOUR
        laid_over = invisible and self._over_picture(box)
        seen = size >= _LEAST_SIZE and (laid_over or not (invisible or drowned))
        made = _Style(size, self._is_bold(thing, i), seen, laid_over, turn, [], _clip(thing, its) or self.box)
        if self.covers and self.covers[-1][0] > order:
            x0, y0, x1, y1 = _bounds(thing, its)
            made = replace(made, covers=[
                box for when, box in self.covers
                if when > order and box[0] < x1 and x0 < box[2] and box[1] < y1 and y0 < box[3]
            ])  # fmt: skip
        self.styles[key] = made
        return made

    def _is_bold(self, thing: Any, i: int) -> bool:
        font = pdfium.FPDFTextObj_GetFont(thing)
        key = ctypes.cast(font, ctypes.c_void_p).value or 0
        if key not in self.fonts:
            name = ctypes.create_string_buffer(200)
            pdfium.FPDFText_GetFontInfo(self.text, i, name, 200, None)
            told = name.value.decode("latin-1").lower()
            self.fonts[key] = any(word in told for word in _BOLD) or pdfium.FPDFText_GetFontWeight(self.text, i) >= 600
        return self.fonts[key]

    def _behind(self, order: int, x: float, y: float) -> _Behind | None:
        found = None
        for one in self.behind:
            if one.order < order and one.box[0] <= x <= one.box[2] and one.box[1] <= y <= one.box[3]:
                found = one
        return found

    def _over_picture(self, box: Any) -> bool:
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        pictures = (one.box for one in self.behind if one.colour is None)
        return any(a <= x <= c and b <= y <= d for a, b, c, d in pictures)

    def _objects(self, owner: Any, counted: Any, nth: Any, matrix: _Matrix, depth: int) -> None:
        for i in range(counted(owner)):
            self.count += 1
            if self.count > _MOST_OBJECTS:
                return
            thing = nth(owner, i)
            kind = pdfium.FPDFPageObj_GetType(thing)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.orders[ctypes.cast(thing, ctypes.c_void_p).value or 0] = (self.count, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                if depth < 8:
                    inner = _times(_matrix_of(thing), matrix)
                    counts, nth_of = pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject
                    outside, self.glassy = self.glassy, self.glassy or bool(pdfium.FPDFPageObj_HasTransparency(thing))
                    self._objects(thing, counts, nth_of, inner, depth + 1)
                    self.glassy = outside
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
                self.pictures = True
                self._cover(_bounds(thing, matrix), None)
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._path(thing, matrix)

    def _cover(self, box: Box, colour: tuple[int, int, int] | None) -> None:
        if len(self.behind) < _MOST_FILLS:
            self.behind.append(_Behind(self.count, box, colour))

    def _path(self, thing: Any, matrix: _Matrix) -> None:
        filled, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(thing, filled, stroked)
        x0, y0, x1, y1 = _bounds(thing, matrix)
        if filled.value and min(x1 - x0, y1 - y0) > _THIN:
            red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
            pdfium.FPDFPageObj_GetFillColor(thing, red, green, blue, alpha)
            if alpha.value > 127:
                self._cover((x0, y0, x1, y1), (red.value, green.value, blue.value))
                if len(self.covers) < _MOST_COVERS and not self.glassy and _is_opaque_rectangle(thing, matrix):
                    self.covers.append((self.count, (x0, y0, x1, y1)))
        if not stroked.value and not filled.value:
            return
        if min(x1 - x0, y1 - y0) <= _THIN:
            if max(x1 - x0, y1 - y0) > 5:
                self.lines.append((x0, y0, x1, y1))
            return
        count = pdfium.FPDFPath_CountSegments(thing)
        if stroked.value or count > 5:
            self._segments(thing, min(count, _MOST_SEGMENTS), _times(_matrix_of(thing), matrix), bool(stroked.value))

    def _segments(self, thing: Any, count: int, matrix: _Matrix, stroked: bool) -> None:
        """Straight parts of a path along the axes; of a filled path those rectangles that are as thin as a line."""
        x, y = ctypes.c_float(), ctypes.c_float()
        start = last = (0.0, 0.0)
        boxes: list[list[tuple[float, float]]] = []
        for i in range(count):
            segment = pdfium.FPDFPath_GetPathSegment(thing, i)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            point = _moved(x.value, y.value, matrix)
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                start = point
                boxes.append([point])
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                if stroked:
                    self._straight(last, point)
                if boxes:
                    boxes[-1].append(point)
            if pdfium.FPDFPathSegment_GetClose(segment) and stroked:
                self._straight(point, start)
            last = point
        for points in [] if stroked else boxes:
            (a, b), (c, d) = (min(p[0] for p in points), min(p[1] for p in points)), (
                max(p[0] for p in points), max(p[1] for p in points),
            )  # fmt: skip
            if min(c - a, d - b) <= _THIN < 5 < max(c - a, d - b):
                self.lines.append((a, b, c, d))

    def _straight(self, a: tuple[float, float], b: tuple[float, float]) -> None:
        (x0, x1), (y0, y1) = sorted((a[0], b[0])), sorted((a[1], b[1]))
        if min(x1 - x0, y1 - y0) < 1 and max(x1 - x0, y1 - y0) > 5:
            self.lines.append((x0, y0, x1, y1))


def _character(code: int) -> str:
    """What a character is read as; "" for none."""
    if code in _LIGATURES:
        return _LIGATURES[code]
    if code in _HYPHENS:
        return SOFT
    if 0xE000 <= code <= 0xF8FF:
        return "\u2022"  # a symbol font's bullet or arrow
    if code > 0xFB00 and RIGHT_TO_LEFT.match(chr(min(code, 0xFFFF))):
        return unicodedata.normalize("NFKC", chr(code))  # a letter by its shape
    return "" if code < 0x20 or 0xD800 <= code <= 0xDFFF or code in (0xFFFD, 0xFEFF) or code > 0x10FFFF else chr(code)


def _goes_left(word: Word, char: str, end: float, cross: float, size: float) -> bool:
    """Whether a character goes on with a word that is read from right to left."""
    if word.text[0].isdecimal() or not RIGHT_TO_LEFT.search(word.text) or char.isdecimal():
        return False
    tied = word.x0 < end <= word.x1  # with a ligature
    return abs(cross - word.y) < 0.25 * size and (tied or abs(end - word.x0) < 0.22 * size)


def _across(turn: int, text: Any, i: int) -> float:
    """Where the baseline of a character stands across its text's direction; one for all of a text object."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, i, x, y)
    return x.value if turn % 2 else y.value


def _along(turn: int, box: Any) -> tuple[float, float]:
    """Begin and end along the text's direction, growing as one reads."""
    if turn == 0:
        return box.left, box.right
    if turn == 1:
        return box.bottom, box.top
    if turn == 2:
        return -box.right, -box.left
    return -box.top, -box.bottom


def _upright(word: Word, turn: int, box: Box) -> Word:
    """The word as seen with the page turned so that its text is upright."""
    x0, y0, x1, y1 = box
    if turn == 0:
        at, base = -x0, y1 - word.y
    elif turn == 1:
        at, base = -y0, word.y - x0
    elif turn == 2:
        at, base = x1, word.y - y0
    else:
        at, base = y1, x1 - word.y
    return Word(word.x0 + at, word.x1 + at, base, word.size, word.bold, word.text, word.at)


def _turned_box(line: Box, turn: int, box: Box) -> Box:
    a, b, c, d = line
    x0, y0, x1, y1 = box
    if turn == 0:
        return a - x0, y1 - d, c - x0, y1 - b
    if turn == 1:
        return b - y0, a - x0, d - y0, c - x0
    if turn == 2:
        return x1 - c, b - y0, x1 - a, d - y0
    return y1 - d, x1 - c, y1 - b, x1 - a


def _within(x: float, y: float, box: Box) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _clip(thing: Any, matrix: _Matrix) -> Box | None:
    """The box within which an object is drawn, None when it is not clipped."""
    path = pdfium.FPDFPageObj_GetClipPath(thing)
    found = None
    x, y = ctypes.c_float(), ctypes.c_float()
    for n in range(min(pdfium.FPDFClipPath_CountPaths(path), 20) if path else 0):
        points = []
        for i in range(min(pdfium.FPDFClipPath_CountPathSegments(path, n), _MOST_SEGMENTS + 1)):
            pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFClipPath_GetPathSegment(path, n, i), x, y)
            points.append(_moved(x.value, y.value, matrix))
        if points and len(points) <= _MOST_SEGMENTS:
            a, c, b, d = *_ends(p[0] for p in points), *_ends(p[1] for p in points)
            found = (max(a, found[0]), max(b, found[1]), min(c, found[2]), min(d, found[3])) if found else (a, b, c, d)
    return found


def _ends(values: Iterator[float]) -> tuple[float, float]:
    found = sorted(values)
    return found[0], found[-1]


def _is_opaque_rectangle(thing: Any, matrix: _Matrix) -> bool:
    path = pdfium.FPDFPageObj_GetClipPath(thing)
    turned = _times(_matrix_of(thing), matrix)
    return (
        pdfium.FPDFPath_CountSegments(thing) in (4, 5)
        and not pdfium.FPDFPageObj_HasTransparency(thing)
        and not (path and pdfium.FPDFClipPath_CountPaths(path) > 0)
        and min(abs(turned[0]) + abs(turned[3]), abs(turned[1]) + abs(turned[2])) < 1e-6
    )


def _matrix_of(thing: Any) -> _Matrix:
    m = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, m):
        return _ONE
    return m.a, m.b, m.c, m.d, m.e, m.f


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _moved(x: float, y: float, m: _Matrix) -> tuple[float, float]:
    return x * m[0] + y * m[2] + m[4], x * m[1] + y * m[3] + m[5]


def _bounds(thing: Any, matrix: _Matrix) -> Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    corners = [_moved(x, y, matrix) for x in (left.value, right.value) for y in (bottom.value, top.value)]
    xs, ys = [p[0] for p in corners], [p[1] for p in corners]
    return min(xs), min(ys), max(xs), max(ys)
