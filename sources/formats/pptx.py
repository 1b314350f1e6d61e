"""A presentation -> Markdown: a heading for each slide, its text from top to bottom, tables, and the speaker's notes.

Hidden slides, masters, footers and slide numbers are left out. The place of a line is its slide: "slide 4".
Try: python chunk.py talk.pptx
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from sources.formats import Converted, Limits, Unreadable
from sources.formats.equations import equation
from sources.formats.ooxml import Package, attribute, child, local, whole
from sources.formats.writing import LOW, LOW_END, UP, UP_END, Cell, Page, joined_pieces, line_of

_TITLES = ("title", "ctrTitle")
_LEFT_OUT = ("dt", "ftr", "sldNum", "hdr", "sldImg")
_LISTS = ("", "body", "obj")  # kinds of placeholders whose paragraphs are bullets unless they say otherwise
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
    parts = [related.get(_relation(one), ("", ""))[1] for one in (listed if listed is not None else ())]
    if len(parts) > limits.pages:
        raise Unreadable(f"has {len(parts):,} slides, more than {limits.pages} (BRAIN_MAX_PAGES)")
    page = Page(limits)
    notes: list[str] = []
    for number, part in enumerate(parts, 1):
        slide = package.xml(part) if part else None
        if slide is None:
            raise Unreadable(f"is broken: slide {number} is missing")
        if attribute(slide, "show") in ("0", "false"):
            notes.append(f"slide {number} is hidden and left out")
            continue
        try:
            if not _Slide(package, part, page, f"slide {number}").write(slide):
                notes.append(f"slide {number} has no text")
        except RecursionError as error:
            raise Unreadable("is nested too deeply") from error
    return page.converted(package.meta(), notes)


class _Slide:
    def __init__(self, package: Package, part: str, page: Page, place: str) -> None:
        self.package, self.page, self.place = package, page, place
        self.related = dict(package.related(part).values())
        self._written = 0

    def write(self, slide: etree._Element) -> int:
        """Writes the slide; how many blocks of it there are."""
        layout = self.package.xml(self.related.get("slideLayout", ""))
        places = _placed(layout) if layout is not None else {}
        tree = child(slide, "cSld", "spTree")
        shapes = list(_shapes(tree, places)) if tree is not None else []
        for run in slide.iter("{*}r"):
            if _is_struck(child(run, "rPr")):
                self.page.leave_struck("".join(map(str, run.itertext("{*}t"))))
        titles = [shape for shape in shapes if shape.kind in _TITLES]
        title = joined_pieces(" ".join(_lines(p)) for shape in titles for p in shape.element.iter("{*}p"))
        if line_of(title):
            self._written += 1
        elif not any(line_of(" ".join(_lines(p))) for shape in shapes for p in shape.element.iter("{*}p")):
            return 0
        self.page.heading(2, line_of(title) or self.place.capitalize(), self.place)  # else it had the last one's name
        for shape in _in_order([shape for shape in shapes if shape.kind not in _TITLES]):
            self._shape(shape)
        notes = self.package.xml(self.related.get("notesSlide", ""))
        tree = child(notes, "cSld", "spTree")
        said = [
            " ".join(_lines(p))
            for shape in (_shapes(tree, {}) if tree is not None else ())
            if shape.kind == "body"
            for p in shape.element.iter("{*}p")
        ]
        if any(map(line_of, said)):
            self._prose("Notes:")
            for paragraph in said:
                self._prose(paragraph)
        return self._written

    def _shape(self, shape: _Shape) -> None:
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
    parent: etree._Element, layout: dict[tuple[str, str], tuple[int, int]], moved: tuple[int, int] = (0, 0)
) -> Iterator[_Shape]:
    """Shapes with text, groups opened, with where they stand on the slide."""
    for element in parent:
        kind = local(element)
        if kind == "AlternateContent":
            inside = child(element, "Choice")
            if inside is not None:
                yield from _shapes(inside, layout, moved)
        elif kind in ("sp", "graphicFrame", "grpSp", "cxnSp", "pic"):
            properties = next((one for one in element if local(one).startswith("nv")), None)
            if attribute(child(properties, "cNvPr"), "hidden") in ("1", "true"):
                continue
            place = _offset(element)
            if kind == "grpSp":
                yield from _shapes(element, layout, place or moved)  # as a whole: what is in it goes by its place
                continue
            holder = child(properties, "nvPr", "ph")
            name = attribute(holder, "type", "obj" if holder is not None else "none")
            if name not in _LEFT_OUT:
                own = (attribute(holder, "type"), attribute(holder, "idx"))
                top, left = moved if moved != (0, 0) else place or layout.get(own) or layout.get((own[0], "")) or (0, 0)
                yield _Shape(element, top, left, name)


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


def _relation(slide: etree._Element) -> str:
    return next((str(value) for key, value in slide.attrib.items() if str(key).endswith("}id")), "")
