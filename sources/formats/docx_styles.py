"""What a Word document's styles and numbering say of a paragraph: heading level, list level, and the number shown.

Styles go by outline level and by the names that programs keep in English; localized names are known as
well. Knows no text. Try: python chunk.py report.docx
"""

import re
from collections.abc import Iterator

from lxml import etree

from sources.formats.ooxml import attribute, child, is_on, local, whole
from sources.formats.writing import roman

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|заголовок|başlık|"
    r"標題|标题|見出し|제목)\s*([1-9])",
    re.IGNORECASE,
)
_TITLES = ("title", "titel", "titre", "título", "titolo")
_CONTENTS = re.compile(r"(?:toc|verzeichnis|tm|table of figures)\s*\d?|(?:toc|inhalts)\w*", re.IGNORECASE)
_LIST_LEVEL = re.compile(r"list (?:bullet|number|continue)\s*([2-5])", re.IGNORECASE)
_CHAIN = 12  # styles based on styles


class Styles:
    """The document's styles."""

    def __init__(self, root: etree._Element | None) -> None:
        self._by_id: dict[str, etree._Element] = {}
        self._default = ""
        for style in root if root is not None else ():
            if local(style) == "style":
                self._by_id[attribute(style, "styleId")] = style
                if attribute(style, "type") == "paragraph" and attribute(style, "default") in ("1", "true"):
                    self._default = attribute(style, "styleId")

    def _chain(self, style: str) -> Iterator[etree._Element]:
        for _ in range(_CHAIN):
            element = self._by_id.get(style)
            if element is None:
                return
            yield element
            style = attribute(child(element, "basedOn"), "val")

    def name(self, style: str) -> str:
        """The style's name, its id when it has none."""
        return attribute(child(self._by_id.get(style), "name"), "val") or style

    def level(self, paragraph: etree._Element | None) -> int:
        """1 to 9 for a heading, 0 for other text; `paragraph` is its <w:pPr>."""
        own = child(paragraph, "outlineLvl")
        if own is not None:
            return _outline(own)
        style = attribute(child(paragraph, "pStyle"), "val") or self._default
        for element in self._chain(style):
            outline = child(element, "pPr", "outlineLvl")
            if outline is not None:
                return _outline(outline)
            if match := _HEADING.fullmatch(attribute(child(element, "name"), "val")):
                return int(match.group(1))
        match = _HEADING.fullmatch(style) if style not in self._by_id else None
        return int(match.group(1)) if match else 0

    def is_title(self, paragraph: etree._Element | None) -> bool:
        """Whether it is the document's title."""
        return self.name(attribute(child(paragraph, "pStyle"), "val")).lower() in _TITLES

    def is_contents(self, paragraph: etree._Element | None) -> bool:
        """Whether it is a line of a table of contents."""
        return bool(_CONTENTS.fullmatch(self.name(attribute(child(paragraph, "pStyle"), "val"))))

    def is_plain_grid(self, table: etree._Element) -> bool:
        """Whether the table's style gives its cells no ground and no look of their own."""
        name = self.name(attribute(child(table, "tblPr", "tblStyle"), "val")).lower().replace(" ", "")
        return name in ("", "tablegrid", "normaltable", "tablenormal", "tablegridlight")

    def numbering(self, paragraph: etree._Element | None) -> tuple[str, int, int]:
        """(id of its numbering, level in it from 0, how deep it looks); ("", 0, 0) for a paragraph that is no item."""
        own = child(paragraph, "numPr")
        style = attribute(child(paragraph, "pStyle"), "val") or self._default
        number, level = attribute(child(own, "numId"), "val"), attribute(child(own, "ilvl"), "val")
        for element in self._chain(style):
            inherited = child(element, "pPr", "numPr")
            number = number or attribute(child(inherited, "numId"), "val")
            level = level or attribute(child(inherited, "ilvl"), "val")
        if number in ("", "0"):
            return "", 0, 0
        at = min(max(whole(level), 0), 8)
        match = _LIST_LEVEL.fullmatch(self.name(style))
        return number, at, at or (int(match.group(1)) - 1 if match else 0)

    def property(
        self, run: etree._Element | None, paragraph: etree._Element | None, name: str
    ) -> etree._Element | None:
        """What the run's properties say under this name, else its style, else its paragraph's style."""
        if (own := child(run, name)) is not None:
            return own
        of_run = attribute(child(run, "rStyle"), "val")
        of_paragraph = attribute(child(paragraph, "pStyle"), "val") or self._default
        chain = (element for style in (of_run, of_paragraph) if style for element in self._chain(style))
        return next((found for element in chain if (found := child(element, "rPr", name)) is not None), None)

    def hides(self, run: etree._Element | None, paragraph: etree._Element | None) -> bool:
        """Whether nobody sees the run: hidden, or white where nothing behind it has a colour."""
        if is_on(self.property(run, paragraph, "vanish")):
            return True
        color = self.property(run, paragraph, "color")
        return attribute(color, "val").upper() == "FFFFFF" and not self._has_ground(run, paragraph)

    def strikes(self, run: etree._Element | None, paragraph: etree._Element | None) -> bool:
        """Whether the run is struck through."""
        return any(is_on(self.property(run, paragraph, name)) for name in ("strike", "dstrike"))

    def _has_ground(self, run: etree._Element | None, paragraph: etree._Element | None) -> bool:
        shades = [self.property(run, paragraph, "shd"), self.property(run, paragraph, "highlight")]
        shades += [child(paragraph, "shd")]
        style = attribute(child(paragraph, "pStyle"), "val") or self._default
        shades += [child(element, "pPr", "shd") for element in self._chain(style)]
        place = run if run is not None else paragraph
        for above in place.iterancestors() if place is not None else ():
            kind = local(above)
            if kind in ("txbxContent", "document") and (kind[0] == "t" or child(above, "background") is not None):
                return True  # a box may be filled, the page has a colour
            if kind in ("tc", "tbl"):
                shades.append(child(above, f"{kind}Pr", "shd"))
            if kind == "tbl" and not self.is_plain_grid(above):
                return True
        fills = [attribute(one, "fill", attribute(one, "val")).upper() for one in shades]
        return any(fill not in ("", "AUTO", "FFFFFF", "NONE", "WHITE", "CLEAR") for fill in fills)


class Numbers:
    """Counts the document's lists as it is read from its beginning."""

    def __init__(self, root: etree._Element | None) -> None:
        abstract: dict[str, etree._Element] = {}
        by_style: dict[str, etree._Element] = {}
        self._levels: dict[str, dict[int, etree._Element]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._of: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()
        for one in root if root is not None else ():
            if local(one) == "abstractNum":
                abstract[attribute(one, "abstractNumId")] = one
                if link := attribute(child(one, "styleLink"), "val"):
                    by_style[link] = one
        for one in root if root is not None else ():
            if local(one) == "num":
                number, base = attribute(one, "numId"), attribute(child(one, "abstractNumId"), "val")
                found = abstract.get(base)
                found = by_style.get(attribute(child(found, "numStyleLink"), "val"), found)
                levels = {
                    whole(attribute(e, "ilvl")): e for e in (found if found is not None else ()) if local(e) == "lvl"
                }
                for override in (e for e in one if local(e) == "lvlOverride"):
                    at = whole(attribute(override, "ilvl"))
                    if (start := child(override, "startOverride")) is not None:
                        self._starts.setdefault(number, {})[at] = whole(attribute(start, "val"), 1)
                    if (level := child(override, "lvl")) is not None:
                        levels[at] = level
                self._levels[number], self._of[number] = levels, base

    def label(self, number: str, level: int) -> str:
        """What stands before the next paragraph of this list: "3.", "a)", "1.2", "-" for any bullet, "" for nothing."""
        levels = self._levels.get(number, {})
        if level not in levels:
            return "-"
        counts = self._counts.setdefault(self._of[number], {})
        if number not in self._begun:  # a list that says where it starts does so once
            self._begun.add(number)
            for at, start in self._starts.get(number, {}).items():
                counts[at] = start - 1
        start = self._starts.get(number, {}).get(level, whole(attribute(child(levels[level], "start"), "val"), 1))
        counts[level] = counts.get(level, start - 1) + 1
        for lower in [
            at for at in counts if at > level and attribute(child(levels.get(at), "lvlRestart"), "val") != "0"
        ]:
            del counts[lower]
        kind = attribute(child(levels[level], "numFmt"), "val", "decimal")
        if kind == "bullet":
            return "-"
        legal = is_on(child(levels[level], "isLgl"))

        def shown(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            count = counts.get(at, whole(attribute(child(levels.get(at), "start"), "val"), 1))
            return _figure(count, "decimal" if legal else attribute(child(levels.get(at), "numFmt"), "val", "decimal"))

        return re.sub(r"%([1-9])", shown, attribute(child(levels[level], "lvlText"), "val")).strip()


def _outline(element: etree._Element) -> int:
    level = whole(attribute(element, "val"), 9)
    return level + 1 if 0 <= level < 9 else 0


def _figure(count: int, kind: str) -> str:
    if kind in ("lowerLetter", "upperLetter") and count > 0:
        letters = chr(97 + (count - 1) % 26) * min((count - 1) // 26 + 1, 9)
        return letters.upper() if kind == "upperLetter" else letters
    if kind in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        return roman(count).upper() if kind == "upperRoman" else roman(count)
    if kind == "none":
        return ""
    return f"{count:02}" if kind == "decimalZero" else str(count)
