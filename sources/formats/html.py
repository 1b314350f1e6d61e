"""An HTML page -> Markdown of what a person sees of it; the place of a line is its block's number: "¶14".

The tree is lxml's, which mends broken pages as browsers do for most; it is walked without recursion. What is hidden is
told by html_seen.py. Where a page has <main> or <article>, navigation, headers, footers and asides around it are left
out. Nothing is fetched. Try: python chunk.py page.html
"""

import codecs
import re
from dataclasses import dataclass, field

from lxml import etree

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.equations import equation
from sources.formats.html_seen import Sight, tag_of
from sources.formats.writing import LOW, LOW_END, UP, UP_END, Cell, Page, joined_pieces, roman, small

_BLOCKS = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
    ),
    *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html"),
    *("legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td"),
    *("tfoot", "th", "thead", "tr", "ul", "caption", "listing", "xmp", "hgroup", "search", "colgroup", "col"),
}
_LISTS = {"ul", "ol", "dl", "menu", "dir"}
_VERBATIM = {"pre", "listing", "xmp"}
_SELF_CLOSED = re.compile(r"<(script|style|title|textarea|iframe)\b([^<>]*)/>", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{0,300}charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"\A\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE)
_AS_BROWSERS = {  # what these names mean on the web
    **dict.fromkeys(("iso8859-1", "ascii", "latin_1"), "cp1252"),
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}
_SEVEN_BIT = ("iso2022_jp", "hz")  # these look like ASCII
_META = {
    "title": ("og:title", "dcterms.title", "dc.title"),
    "date": (
        *("last-modified", "article:modified_time", "dcterms.modified", "dc.date.modified", "date"),
        *("dcterms.date", "dc.date", "article:published_time", "dcterms.created", "dcterms.issued"),
    ),
    "owner": ("author", "dcterms.creator", "dc.creator", "article:author"),
    "tags": ("keywords",),
    "description": ("description",),
}


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The page as a person sees it. Raises Unreadable."""
    page = Page(limits)
    return page.converted(_meta(write(_text(data), page)))


def write(text: str, page: Page) -> etree._Element:
    """Writes what a person sees of an HTML text; its tree. Raises Unreadable."""
    root = _tree(text)
    _Walk(root, page).run()
    return root


def _text(data: bytes) -> str:
    if data.startswith((b"%PDF", b"PK\x03\x04")):
        raise Unreadable("is no HTML but a " + ("PDF" if data[:1] == b"%" else "ZIP archive"))
    declared = ""
    if found := _XML_CHARSET.search(data[:400]) or _CHARSET.search(data[:4096]):
        try:
            codec = codecs.lookup(found.group(1).decode("ascii"))
            declared = _AS_BROWSERS.get(codec.name, codec.name) if getattr(codec, "_is_text_encoding", True) else ""
        except (LookupError, ValueError):
            declared = ""
    try:
        if declared in _SEVEN_BIT:
            return data.decode(declared)
        return decode(data).text
    except (Undecodable, UnicodeError) as error:
        if declared and not declared.startswith("utf") and b"\0" not in data:
            try:
                return data.decode(declared)
            except UnicodeError:
                pass
        raise Unreadable(str(error)) from error


def _tree(text: str) -> etree._Element:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    source = _SELF_CLOSED.sub(r"<\1\2></\1>", text.replace("\0", "")).encode("utf-8", "replace")
    try:
        root = etree.fromstring(source, parser) if source.strip() else None
    except (etree.LxmlError, ValueError, AssertionError) as error:  # an assertion: nothing but a comment
        raise Unreadable(f"is no HTML that can be read ({str(error)[:100]})") from error
    if root is None:
        raise Unreadable("holds no text")
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise Unreadable("is nested more than 2,000 elements deep")
    return root


def _meta(root: etree._Element) -> dict[str, str]:
    told: dict[str, str] = {}
    for element in root.iter("meta"):
        key = (element.get("name") or element.get("property") or element.get("http-equiv") or "").lower()
        told.setdefault(key, element.get("content") or "")
    found = {key: next((told[n] for n in names if told.get(n)), "") for key, names in _META.items()}
    title = next(
        (e for e in root.iter("title") if (above := e.getparent()) is not None and tag_of(above) == "head"), None
    )
    found["title"] = ("".join(map(str, title.itertext())) if title is not None else "") or found["title"]
    found["lang"] = (
        root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or told.get("content-language", "")
    )
    found["date"] = found["date"][:10] if re.match(r"\d{4}-\d\d-\d\d", found["date"]) else found["date"]
    return found


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int
    kind: str
    indent: int
    inner: int = 0
    marker: str = ""  # of the item that is open and not yet written
    step: int = 1


@dataclass(slots=True)
class _Table:
    rows: list[list[Cell]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    pieces: list[str] | None = None  # of the open cell
    head_rows: int = 0
    in_head: bool = False


class _Walk:
    """Reads a tree in its order; text gathers in a run until a block begins or ends."""

    def __init__(self, root: etree._Element, page: Page) -> None:
        self.root, self.page = root, page
        self.sight = Sight(root)
        self.layout = _layout_tables(root)
        self.run_: list[str] = []
        self.lists: list[_List] = []
        self.tables: list[_Table] = []
        self.quotes = 0
        self.main = 0
        self.verbatim = 0
        self.heading = 0

    def run(self) -> None:
        walker = etree.iterwalk(self.root, events=("start", "end"))
        skipped: etree._Element | None = None
        for event, element in walker:
            if event == "start":
                tag = tag_of(element)
                if self.sight.is_hidden(element, self.main > 0):
                    if self.sight.is_struck(element):
                        self.page.leave_struck("".join(map(str, element.itertext())))
                    walker.skip_subtree()
                    skipped = element
                    continue
                if tag == "math":
                    self.run_.append(equation(element, "".join(self.run_[-1:])))
                    walker.skip_subtree()
                    skipped = element
                    continue
                self._start(tag, element)
                if element.text:
                    self.run_.append(element.text)
            else:
                if element is skipped:
                    skipped = None
                else:
                    self._end(tag_of(element), element)
                if element.tail:
                    self.run_.append(element.tail)
        self._flush()

    def _start(self, tag: str, element: etree._Element) -> None:
        if tag in _BLOCKS:
            self._flush()
        if tag in ("main", "article") or element.get("role") == "main":
            self.main += 1
        self.run_ += _raised(tag, element)[:1]
        if tag == "br":
            self.run_.append("\n" if self.verbatim else "\x1e")
        elif tag in _LISTS:
            self._start_list(tag, element)
        elif tag in ("li", "dt") and self.lists:
            self._start_item(element)
        elif tag == "blockquote" and not self.tables:
            self.quotes += 1
        elif tag in _VERBATIM:
            self.verbatim += 1
        elif re.fullmatch("h[1-6]", tag):
            self.heading = int(tag[1])
        elif tag == "q":
            self.run_.append("“")
        elif tag == "input" and (element.get("type") or "").lower() == "checkbox":
            self.run_.append("[x] " if element.get("checked") is not None else "[ ] ")
        elif tag in ("table", "thead", "tr", "td", "th") and self._own_table(tag, element):
            self._start_table(tag, element)

    def _end(self, tag: str, element: etree._Element) -> None:
        self.run_ += _raised(tag, element)[1:]
        if tag in _VERBATIM:
            self._end_verbatim(element)
        elif tag in _BLOCKS:
            self._flush(tag)
        if tag in ("main", "article") or element.get("role") == "main":
            self.main -= 1
        if tag in _LISTS and self.lists:
            self.lists.pop()
        elif tag == "li" and self.lists:
            self.lists[-1].marker = ""
        elif tag == "blockquote" and not self.tables:
            self.quotes = max(0, self.quotes - 1)
        elif re.fullmatch("h[1-6]", tag):
            self.heading = 0
        elif tag == "q":
            self.run_.append("”")
        elif tag in ("table", "thead", "tr", "td", "th") and self._own_table(tag, element):
            self._end_table(tag, element)

    def _flush(self, tag: str = "") -> None:
        if not self.run_:
            return
        text = small("".join(self.run_))
        self.run_ = []
        text = "\n".join(" ".join(line.split()) for line in text.split("\x1e")).strip()
        if text:
            self._write(text, tag)

    def _write(self, text: str, tag: str) -> None:
        if self.tables:
            table = self.tables[-1]
            if table.pieces is not None:
                table.pieces.append(text)
            elif not table.rows:
                self._outside(text)  # its caption
            return
        before = "> " * min(self.quotes, 5)
        if self.lists:
            self._in_list(text, before, tag)
        elif self.heading:
            self.page.heading(self.heading, text, self.page.next_block())
        else:
            self.page.prose(text, self.page.next_block(), before)

    def _outside(self, text: str) -> None:
        tables, self.tables = self.tables, self.tables[:-1]
        self._write(text, "caption")
        self.tables = tables

    def _in_list(self, text: str, before: str, tag: str) -> None:
        now = self.lists[-1]
        if now.marker:
            marker, now.marker = now.marker, ""
            now.inner = self.page.item(text, self.page.next_block(), now.indent, marker, before)
        elif now.inner and tag == "dd":
            self.page.more(text, self.page.next_block(), before + " " * now.inner)
        else:
            self.page.prose(text, self.page.next_block(), before + " " * (now.inner or now.indent))

    def _start_list(self, tag: str, element: etree._Element) -> None:
        inside = self.lists[-1] if self.lists else None
        indent = (inside.indent if inside.marker else inside.inner) if inside else 0
        first, step = _number(element.get("start"), 1), 1
        if tag == "ol" and element.get("reversed") is not None:
            first, step = _number(element.get("start"), sum(tag_of(e) == "li" for e in element)), -1
        self.lists.append(_List(tag == "ol", first, element.get("type") or "1", indent, step=step))

    def _start_item(self, element: etree._Element) -> None:
        now = self.lists[-1]
        now.marker, now.inner = "-", 0
        if now.ordered:
            now.number = _number(element.get("value"), now.number)
            now.marker = _label(now.number, now.kind)
            now.number += now.step

    def _end_verbatim(self, element: etree._Element) -> None:
        self.verbatim -= 1
        text, self.run_ = "".join(self.run_).replace("\x1e", "\n"), []
        if self.tables:
            self._write(" ".join(text.split()), "pre") if text.strip() else None
        elif text.strip("\n"):
            named = " ".join(filter(None, [element.get("class"), *(e.get("class") for e in element.iter("code"))]))
            info = re.search(r"\b(?:language|lang|highlight-source)-([\w+#-]{1,30})", named)
            before = "> " * min(self.quotes, 5) + (" " * self.lists[-1].inner if self.lists else "")
            self.page.code(text, self.page.next_block(), info.group(1) if info else "", before)

    def _own_table(self, tag: str, element: etree._Element) -> bool:
        """Whether the tag is part of a table of data; one that only arranges the page is no table."""
        if tag == "table":
            return element not in self.layout
        above = element.getparent()
        for _ in range(3):
            if above is None or tag_of(above) == "table":
                break
            above = above.getparent()
        return above is not None and tag_of(above) == "table" and above not in self.layout and bool(self.tables)

    def _start_table(self, tag: str, element: etree._Element) -> None:
        if tag == "table":
            self.tables.append(_Table())
            return
        table = self.tables[-1]
        if tag == "thead":
            table.in_head = True
        elif tag == "tr":
            table.rows.append([])
            table.head_rows += table.in_head
        else:
            if not table.rows:
                table.rows.append([])
            table.pieces = []

    def _end_table(self, tag: str, element: etree._Element) -> None:
        table = self.tables[-1]
        if tag == "thead":
            table.in_head = False
        elif tag in ("td", "th") and table.pieces is not None:
            columns, rows = _number(element.get("colspan"), 1), _number(element.get("rowspan"), 1)
            rows = rows if rows > 0 else 65_534  # 0: to the end
            head = tag == "th" or table.in_head
            table.rows[-1].append(
                Cell(joined_pieces(table.pieces), min(max(columns, 1), 1000), min(rows, 65_534), head)
            )
            table.pieces = None
        elif tag == "table":
            self.tables.pop()
            self._write_table(table)

    def _write_table(self, table: _Table) -> None:
        if self.tables:  # inside a cell of another
            pieces = self.tables[-1].pieces
            if pieces is not None:
                pieces += [", ".join(cell.text for cell in row if cell.text) for row in table.rows]
            return
        places = [self.page.next_block() if any(cell.text for cell in row) else "" for row in table.rows]
        self.page.table(table.rows, places, table.head_rows or None)


def _layout_tables(root: etree._Element) -> set[etree._Element]:
    """Tables that only arrange the page: of one cell, of one column without a name, around headings or other tables."""
    layout: set[etree._Element] = set()
    facts: list[tuple[etree._Element, dict[str, int]]] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = tag_of(element)
        if event == "end":
            if tag == "table":
                table, seen = facts.pop()
                one = seen["cells"] <= 1 or (seen["cells"] <= seen["rows"] and not seen["names"])
                arranges = not seen["names"] and (seen["headings"] or seen["tables"])
                if one or arranges or table.get("role") in ("presentation", "none"):
                    layout.add(table)
        elif tag == "table":
            if facts:
                facts[-1][1]["tables"] += 1
            facts.append((element, dict.fromkeys(("cells", "rows", "names", "headings", "tables"), 0)))
        elif facts:
            seen = facts[-1][1]
            seen["cells"] += tag in ("td", "th")
            seen["rows"] += tag == "tr"
            seen["names"] += tag in ("th", "caption")
            seen["headings"] += tag in ("h1", "h2", "h3", "h4")
    return layout


def _raised(tag: str, element: etree._Element) -> list[str]:
    """What stands before and after a raised or lowered element's text."""
    style = re.search(r"vertical-align\s*:\s*(super|sub)\b", element.get("style") or "", re.IGNORECASE)
    place = style.group(1).lower() if style else {"sup": "super"}.get(tag, tag)
    return {"super": [UP, UP_END], "sub": [LOW, LOW_END]}.get(place, []) if tag not in _BLOCKS else []


def _number(value: str | None, otherwise: int) -> int:
    found = re.match(r"\s*(-?\d{1,6})", value or "")
    return int(found.group(1)) if found else otherwise


def _label(number: int, kind: str) -> str:
    if kind in ("a", "A") and 0 < number <= 26:
        letter = chr(96 + number)
        return (letter.upper() if kind == "A" else letter) + "."
    if kind in ("i", "I") and 0 < number < 4000:
        return (roman(number).upper() if kind == "I" else roman(number)) + "."
    return f"{number}."
