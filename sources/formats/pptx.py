"""A presentation -> Markdown: a heading for each slide, its text from top to bottom, tables, and the speaker's notes.

Hidden slides, masters, footers and slide numbers are left out. The place of a line is its slide: "slide 4".
Try: python chunk.py talk.pptx
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from sources.formats import Converted, Limits, Unreadable
from sources.formats.equations import equation
from sources.formats.ooxml import Package, attribute, child, local, relation, whole
from sources.formats.symbols import as_seen, is_symbols
from sources.formats.writing import LOW, LOW_END, UP, UP_END, Cell, Page, joined_pieces, line_of
from sources.formats.xlsx_numbers import shown

_TITLES = ("title", "ctrTitle")
_LEFT_OUT = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_LISTS = ("", "body", "obj")  # kinds of placeholders whose paragraphs are bullets unless they say otherwise
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:E[+-]?\d{1,2})?")
_ROW = 250_000  # units (7 mm): shapes whose tops are nearer than that stand in one row, read from the left


@dataclass(frozen=True, slots=True)
class _Shape:
    element: etree._Element
    top: int
    left: int
    kind: str  # of its placeholder, "none" for other shapes


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The slides as a person sees them, notes included. Raises Unreadable."""
    package = Package(data, ".pptx", "presentationml", limits)
    root = package.xml(package.main)
    related = package.related(package.main)
    listed = child(root, "sldIdLst")
    parts = [related.get(relation(one), ("", ""))[1] for one in (listed if listed is not None else ())]
    if len(parts) > limits.pages:
        raise Unreadable(f"has {len(parts):,} slides, more than {limits.pages} (BRAIN_MAX_PAGES)")
    page = Page(limits)
    size = child(root, "sldSz")
    width, height = (whole(attribute(size, name)) for name in ("cx", "cy"))
    notes: list[str] = []
    for number, part in enumerate(parts, 1):
        slide = package.xml(part) if part else None
        if slide is None:
            raise Unreadable(f"is broken: slide {number} is missing")
        if attribute(slide, "show") in ("0", "false"):
            notes.append(f"slide {number} is hidden and left out")
            continue
        try:
            writer = _Slide(package, part, page, f"slide {number}", (height, width))
            if not writer.write(slide):
                notes.append(f"slide {number} has no text")
            notes += writer.notes
        except RecursionError as error:
            raise Unreadable("is nested too deeply") from error
    return page.converted(package.meta(), notes)


class _Slide:
    def __init__(self, package: Package, part: str, page: Page, place: str, size: tuple[int, int]) -> None:
        self.package, self.page, self.place, self.size = package, page, place, size
        self.parts = package.related(part)
        self.related = dict(self.parts.values())
        self.notes: list[str] = []
        self._written = 0

    def write(self, slide: etree._Element) -> int:
        """Writes the slide; how many blocks of it there are."""
        layout = self.package.xml(self.related.get("slideLayout", ""))
        places = _placed(layout) if layout is not None else {}
        self._leave_unseen(slide, layout)
        tree = child(slide, "cSld", "spTree")
        shapes = list(_shapes(tree, places, self.size)) if tree is not None else []
        titles = [shape for shape in shapes if shape.kind in _TITLES]
        title = joined_pieces(" ".join(_lines(p)) for shape in titles for p in shape.element.iter("{*}p"))
        if line_of(title):
            self._written += 1
        elif next(slide.iter("{*}chart"), None) is None and not any(
            line_of(" ".join(_lines(p))) for shape in shapes for p in shape.element.iter("{*}p")
        ):
            return 0
        self.page.heading(2, line_of(title) or self.place.capitalize(), self.place)  # else it had the last one's name
        for shape in _in_order([shape for shape in shapes if shape.kind not in _TITLES]):
            self._shape(shape)
        notes = self.package.xml(self.related.get("notesSlide", ""))
        tree = child(notes, "cSld", "spTree")
        said = [
            " ".join(_lines(p))
            for shape in (_shapes(tree, {}, (0, 0)) if tree is not None else ())
            if shape.kind == "body"
            for p in shape.element.iter("{*}p")
        ]
        if any(map(line_of, said)):
            self._prose("Notes:")
            for paragraph in said:
                self._prose(paragraph)
        return self._written

    def _leave_unseen(self, slide: etree._Element, layout: etree._Element | None) -> None:
        """Empties runs in white where nothing on the slide has another colour, and counts struck ones."""
        part = self.related.get("slideLayout", "")
        master = self.package.xml(self.package.part_of(part, "slideMaster")) if part else None
        white = None
        for run in slide.iter("{*}r"):
            properties = child(run, "rPr")
            if _is_struck(properties):
                self.page.leave_struck("".join(map(str, run.itertext("{*}t"))))
            elif _is_white(child(properties, "solidFill")) and next(run.iterancestors("{*}tbl"), None) is None:
                if white is None:
                    grounds = [root for root in (slide, layout, master) if root is not None]
                    is_light = attribute(child(master, "clrMap"), "bg1", "lt1") == "lt1"
                    white = is_light and not any(map(_colours, grounds))
                for text in run.iter("{*}t"):
                    text.text = "" if white else text.text

    def _chart(self, frame: etree._Element) -> None:
        """The values that are stored of a chart, as a table."""
        root = self.package.xml(self.parts.get(relation(frame), ("", ""))[1])
        series = list(root.iter("{*}ser")) if root is not None else []
        names = [" ".join(_points(one, "tx").values()) or f"Series {n}" for n, one in enumerate(series, 1)]
        values = [_points(one, "val") or _points(one, "yVal") for one in series]
        groups = next((found for one in series if (found := _points(one, "cat") or _points(one, "xVal"))), {})
        rows = sorted({at for one in values for at in one})
        title = child(root, "chart", "title")
        if title is not None:
            self._prose(" ".join(" ".join(_lines(p)) for p in title.iter("{*}p")))
        if not rows:
            self.notes.append(f"a chart on {self.place} has no stored values")
            return
        grid = [["", *names], *([groups.get(at, str(at + 1)), *(one.get(at, "") for one in values)] for at in rows)]
        self.page.table([[Cell(text) for text in row] for row in grid], [self.place] * len(grid), 1)
        self._written += 1

    def _shape(self, shape: _Shape) -> None:
        chart = next(shape.element.iter("{*}chart"), None)
        if chart is not None:
            self._chart(chart)
            return
        table = next(shape.element.iter("{*}tbl"), None)
        if table is not None:
            rows = [[_cell(one) for one in row if local(one) == "tc"] for row in table if local(row) == "tr"]
            named = attribute(child(table, "tblPr"), "firstRow") in ("1", "true")
            grid = [[cell for cell in row if cell is not None] for row in rows]
            self.page.table(grid, [self.place] * len(grid), 1 if named and len(grid) > 1 else None)
            self._written += any(cell.text for row in grid for cell in row)
            return
        numbers: dict[int, int] = {}
        inner: dict[int, int] = {}
        for paragraph in shape.element.iter("{*}p"):
            text = "\n".join(_lines(paragraph))
            if not line_of(text):
                continue
            properties = child(paragraph, "pPr")
            level = min(whole(attribute(properties, "lvl")), 8)
            marker = _marker(properties, shape.kind, level, numbers)
            if marker:
                indent = max((at for above, at in inner.items() if above < level), default=0)
                inner = {above: at for above, at in inner.items() if above < level}
                inner[level] = self.page.item(text, self.place, indent, marker)
                self._written += 1
            else:
                inner, numbers = {}, {}
                self._prose(text)

    def _prose(self, text: str) -> None:
        self.page.prose(text, self.place)
        self._written += bool(line_of(text))


def _marker(properties: etree._Element | None, kind: str, level: int, numbers: dict[int, int]) -> str:
    for deeper in [at for at in numbers if at > level]:
        del numbers[deeper]
    automatic = child(properties, "buAutoNum")
    if automatic is not None:
        first = whole(attribute(automatic, "startAt"), 1)
        numbers[level] = numbers.get(level, first - 1) + 1
        form = attribute(automatic, "type")
        count = numbers[level]
        told = chr(96 + (count - 1) % 26 + 1) if form.startswith("alpha") and count > 0 else str(count)
        told = told.upper() if "Uc" in form else told
        return f"({told})" if "ParenBoth" in form else told + (")" if "Paren" in form else ".")
    numbers.pop(level, None)
    if child(properties, "buNone") is not None:
        return ""
    has_bullet = child(properties, "buChar") is not None or child(properties, "buBlip") is not None
    return "-" if has_bullet or kind in _LISTS else ""


def _lines(paragraph: etree._Element) -> list[str]:
    return [line.replace("\v", " ") for line in "".join(_texts(paragraph)).split("\n")]


def _texts(parent: etree._Element) -> Iterator[str]:
    for element in parent:
        kind = local(element)
        if kind == "br":
            yield "\n"
        elif kind == "oMath":
            yield f" {equation(element)} "
        elif kind in ("r", "fld"):
            properties = child(element, "rPr")
            raised = whole(attribute(properties, "baseline"))
            text = "".join(part.text or "" for part in element if local(part) == "t").replace("\n", " ")
            fonts = [attribute(child(properties, name), "typeface") for name in ("sym", "latin")]
            text = as_seen(text, next(filter(is_symbols, fonts), ""))
            if not _is_struck(properties):
                yield text if not raised else f"{UP}{text}{UP_END}" if raised > 0 else f"{LOW}{text}{LOW_END}"
        elif kind not in ("Fallback", "pPr", "endParaRPr"):
            yield from _texts(element)


def _is_struck(properties: etree._Element | None) -> bool:
    return attribute(properties, "strike", "noStrike") != "noStrike"


def _cell(cell: etree._Element) -> Cell | None:
    """The cell; None for a place that a merged one covers."""
    if "1" in (attribute(cell, "hMerge"), attribute(cell, "vMerge")):
        return None
    text = joined_pieces(" ".join(_lines(p)) for p in cell.iter("{*}p"))
    columns, rows = (max(1, min(whole(attribute(cell, name), 1), 256)) for name in ("gridSpan", "rowSpan"))
    return Cell(text, columns, rows)


def _shapes(
    parent: etree._Element, layout: dict[tuple[str, str], tuple[int, int]], size: tuple[int, int]
) -> Iterator[_Shape]:
    """Shapes with text that stand on a slide of this height and width (0: of any), groups opened, and where."""
    for element in parent:
        kind = local(element)
        if kind == "AlternateContent":
            inside = child(element, "Choice")
            if inside is not None:
                yield from _shapes(inside, layout, size)
        elif kind in ("sp", "graphicFrame", "grpSp", "cxnSp", "pic"):
            properties = next((one for one in element if local(one).startswith("nv")), None)
            if attribute(child(properties, "cNvPr"), "hidden") in ("1", "true"):
                continue
            place = _offset(element)
            if place and any(size) and _is_off(element, place, size):
                continue
            if kind == "grpSp":  # as a whole: what is in it has places of its own
                for shape in _in_order(list(_shapes(element, layout, (0, 0)))):
                    yield replace(shape, top=place[0], left=place[1]) if place else shape
                continue
            holder = child(properties, "nvPr", "ph")
            name = attribute(holder, "type", "obj" if holder is not None else "none")
            if name not in _LEFT_OUT:
                own = (attribute(holder, "type"), attribute(holder, "idx"))
                top, left = place or layout.get(own) or layout.get((own[0], "")) or (0, 0)
                yield _Shape(element, top, left, name)


def _is_off(element: etree._Element, place: tuple[int, int], size: tuple[int, int]) -> bool:
    for path in (("spPr", "xfrm", "ext"), ("xfrm", "ext"), ("grpSpPr", "xfrm", "ext")):
        if (extent := child(element, *path)) is not None:
            far = whole(attribute(extent, "cy")), whole(attribute(extent, "cx"))
            return any(at >= end or at + long < 0 for at, long, end in zip(place, far, size, strict=True))
    return False


def _is_white(fill: etree._Element | None) -> bool:
    colour = next(iter(fill), None) if fill is not None else None
    return colour is not None and len(colour) == 0 and attribute(colour, "val").upper() in ("FFFFFF", "BG1")


def _colours(root: etree._Element) -> bool:
    """Whether something on it may have another colour than white: a fill, a picture, a background."""
    if next(root.iter("{*}pic", "{*}blipFill", "{*}gradFill", "{*}pattFill"), None) is not None:
        return True
    filled = root.iter("{*}spPr", "{*}grpSpPr", "{*}bgPr")
    grounds = [*(fill for one in filled for fill in one if local(fill) == "solidFill"), *root.iter("{*}bgRef")]
    styled = (attribute(one, "idx", "0") for one in root.iter("{*}fillRef"))
    return not all(map(_is_white, grounds)) or any(idx != "0" for idx in styled)


def _points(series: etree._Element, name: str) -> dict[int, str]:
    """By number the stored points of a series, figures as their format shows them."""
    found: dict[int, str] = {}
    part = child(series, name)
    code = next(("".join(map(str, e.itertext())) for e in (part.iter("{*}formatCode") if part is not None else ())), "")
    for point in part.iter("{*}pt") if part is not None else ():
        text = getattr(child(point, "v"), "text", "") or ""
        if (above := point.getparent()) is not None and local(above) == "numCache" and _NUMBER.fullmatch(text):
            text = shown(float(text), attribute(point, "formatCode") or code)
        found.setdefault(whole(attribute(point, "idx")), text)
    return found


def _placed(layout: etree._Element) -> dict[tuple[str, str], tuple[int, int]]:
    """By kind and number, where the layout puts a placeholder."""
    tree = child(layout, "cSld", "spTree")
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for element in tree if tree is not None else ():
        holder = child(next((one for one in element if local(one).startswith("nv")), None), "nvPr", "ph")
        if holder is not None and (place := _offset(element)):
            found[(attribute(holder, "type"), attribute(holder, "idx"))] = place
            found.setdefault((attribute(holder, "type"), ""), place)
    return found


def _offset(element: etree._Element) -> tuple[int, int] | None:
    for path in (("spPr", "xfrm", "off"), ("xfrm", "off"), ("grpSpPr", "xfrm", "off")):
        if (off := child(element, *path)) is not None:
            return whole(attribute(off, "y")), whole(attribute(off, "x"))
    return None


def _in_order(shapes: list[_Shape]) -> list[_Shape]:
    """From top to bottom, those of one row from left to right; shapes of one place stay in their order."""
    rows: list[list[_Shape]] = []
    for shape in sorted(shapes, key=lambda shape: shape.top):
        if rows and shape.top - rows[-1][0].top < _ROW:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [shape for row in rows for shape in sorted(row, key=lambda shape: shape.left)]
