"""reStructuredText -> Markdown; the place of a line is its line in the file: "L12".

docutils reads it, with nothing included, fetched or passed through raw. Directives and roles that only Sphinx knows are
taken for their text; what builds indexes or documents code is left out. Try: python chunk.py guide.rst
"""

import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, cast

import docutils.core
from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.utils import SystemMessage

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Cell, Page, joined_pieces, line_of, roman

_LEFT_OUT = {
    *(
        "toctree",
        "raw",
        "include",
        "literalinclude",
        "index",
        "date",  # the day of conversion
        "contents",
        "image",
        "highlight",
        "tabularcolumns",
        "meta",
    ),
    *(
        "default-domain",
        "currentmodule",
        "module",
        "py:module",
        "py:currentmodule",
        "sectionauthor",
        "codeauthor",
        "todolist",
    ),
    *(
        "bibliography",
        "graphviz",
        "digraph",
        "graph",
        "mermaid",
        "plantuml",
        "ifconfig",
        "testsetup",
        "testcleanup",
        "doctest",
    ),
}
_CODE = {"code-block", "sourcecode", "code", "prompt", "parsed-literal", "testcode", "testoutput", "ipython"}
_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
_DIRECTIVE = re.compile(r"^[ \t*#+-]*(?:\d+[.)] )?\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.+-]+?)::(?:\s|$)", re.MULTILINE)
_ROLE = re.compile(r":((?:[A-Za-z][\w.+-]*:)*[A-Za-z][\w.+-]*):`|`:((?:[A-Za-z][\w.+-]*:)*[A-Za-z][\w.+-]*):")
_SUBSTITUTION = re.compile(r"^[ \t]*\.\.[ \t]+\|([^|\n]+)\|[ \t]+(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_REFERENCE = re.compile(r"\|(?=\S)([^|\n]+)\|")
_MOST_INSIDE = 20_000  # substitutions in substitutions: ten lines can stand for millions
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "doctitle_xform": False,
    "line_length_limit": 10**8,
    "_disable_config": True,
    "syntax_highlight": "none",
    "smart_quotes": False,
}
_META = {
    "author": "owner",
    "authors": "owner",
    "owner": "owner",
    "date": "date",
    "updated": "date",
    "tags": "tags",
    "title": "title",
}
_PAGE_FIELDS = {
    "orphan",
    "tocdepth",
    "nocomments",
    "nosearch",
    "no-search",
    "version",
    "status",
    "revision",
    "organization",
}
_SILENT = (
    *(nodes.comment, nodes.substitution_definition, nodes.target, nodes.raw, nodes.pending),
    *(nodes.meta, nodes.decoration, nodes.image, nodes.transition),
)


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The document as a person sees it. Raises Unreadable."""
    try:
        text = decode(data).text
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    _learn(text)
    page = Page(limits)
    try:
        if _inside(text) > _MOST_INSIDE:
            raise Unreadable(f"has more than {_MOST_INSIDE:,} substitutions in substitutions")
        tree = docutils.core.publish_doctree(text, settings_overrides={**_SETTINGS, "warning_stream": io.StringIO()})
        writer = _Writer(page, text)
        writer.blocks(tree.children)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except Unreadable:
        raise
    except (SystemMessage, ValueError, TypeError, AttributeError, IndexError, KeyError, AssertionError) as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())[:100]
        raise Unreadable(f"is no reStructuredText that can be read ({told})") from error  # docutils' own slips
    return page.converted(writer.meta, writer.notes)


def _inside(text: str) -> int:
    """How many substitutions the text's own ones expand to, beyond themselves."""
    inner = {
        name.lower(): [one.lower() for one in _REFERENCE.findall(body)] for name, body in _SUBSTITUTION.findall(text)
    }
    counts: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in counts:
            counts[name] = 0  # in a circle, which docutils refuses
            counts[name] = sum(1 + count(one) for one in inner.get(name, ()))
        return counts[name]

    return sum(count(name.lower()) for name in _REFERENCE.findall(text)) if any(inner.values()) else 0


def _learn(text: str) -> None:
    """Tells docutils the directives and roles of this text that it does not know."""
    for name in _LEFT_OUT.union(match.lower() for match in _DIRECTIVE.findall(text)):
        if name in _CODE:
            directives.register_directive(name, _Code)
        elif name in _LEFT_OUT or name.rpartition(":")[2].startswith("auto"):
            directives.register_directive(name, _Nothing)
        elif name not in en.directives:
            directives.register_directive(name, _Text)
    for name in {(one or other).lower() for one, other in _ROLE.findall(text)}:
        if name not in en.roles:
            roles.register_local_role(name, cast("Any", _role))


def _taken(value: str | None) -> str:
    return value or ""


class _Text(Directive):
    """A directive taken for its argument and its content."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = defaultdict(lambda: _taken, {"class": _taken})  # any name

    def run(self) -> list[nodes.Node]:
        """A container with both."""
        holder = nodes.container()
        if self.arguments and (when := _VERSIONS.get(self.name.lower())):
            return [_of_version(self, when)]
        if self.arguments and self.name.lower() not in ("only", "rst-class", "tabs", "grid", "card-carousel"):
            told, _ = self.state.inline_text(self.arguments[0], self.lineno)
            paragraph = nodes.paragraph("", "", *told)
            paragraph.line = self.lineno
            holder += paragraph
        self.state.nested_parse(self.content, self.content_offset, holder)
        return [holder]


def _of_version(directive: Directive, when: str) -> nodes.Node:
    """A directive that names a version: that, and what it says of it."""
    version, _, rest = directive.arguments[0].partition("\n" if "\n" in directive.arguments[0] else " ")
    told, _ = directive.state.inline_text(" ".join(rest.split()), directive.lineno)
    holder = nodes.container()
    directive.state.nested_parse(directive.content, directive.content_offset, holder)
    first = holder.children[0] if holder.children and not told else None
    if isinstance(first, nodes.paragraph):
        first.insert(0, nodes.Text(f"{when} {version}: "))
    else:
        paragraph = nodes.paragraph("", "", nodes.Text(f"{when} {version}" + (": " if told else "")), *told)
        paragraph.line = directive.lineno
        holder.insert(0, paragraph)
    return holder


class _Code(_Text):
    """Code, whatever options go with it."""

    def run(self) -> list[nodes.Node]:
        """The code as it is written."""
        told = "\n".join(self.content)
        block = nodes.literal_block(told, told, language=self.arguments[0] if self.arguments else "")
        block.line = self.content_offset + 1
        return [block] if told else []


class _Nothing(_Text):
    """A directive that shows nothing of its own."""

    def run(self) -> list[nodes.Node]:
        """Nothing."""
        return []


def _role(
    role: str, rawtext: str, text: str, lineno: int, inliner: object, options: object = None, content: object = None
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """The words that a role shows: its title, or the last part of a name that begins with ~."""
    told = nodes.unescape(text)
    if titled := re.fullmatch(r"(.+?)\s*<[^<>]*>", told, re.DOTALL):
        told = titled.group(1)
    elif told.startswith("~"):
        told = told[1:].rpartition(".")[2]
    return [nodes.inline(rawtext, told.removeprefix("!"))], []


class _Writer:
    def __init__(self, page: Page, source: str) -> None:
        self.page = page
        self.notes: list[str] = []
        self._source = source.splitlines()
        self.meta: dict[str, str] = {}
        self._level = 0
        self._line = 1
        self._begun = False  # whether anything but titles has been seen

    def blocks(self, children: Iterable[nodes.Node], before: str = "", label: str = "") -> None:
        """Writes blocks; `before` stands before each line, `label` in the first one's text."""
        for node in children:
            if not isinstance(node, nodes.Element) or _is_silent(node):
                continue
            self._line = self._at(node)
            if label and isinstance(node, nodes.paragraph):
                self._paragraph(node, before, label)
                label = ""
            else:
                self._block(node, before)

    def _block(self, node: nodes.Element, before: str) -> None:
        if isinstance(node, nodes.section):
            self._level += 1
            self.blocks(node.children, before)
            self._level -= 1
        elif isinstance(node, nodes.title | nodes.subtitle):
            self._title(node, before)
        elif isinstance(node, nodes.field_list | nodes.docinfo) and not self._begun:
            self._fields(node)
        else:
            self._begun = True
            self._text_block(node, before)

    def _text_block(self, node: nodes.Element, before: str) -> None:
        if isinstance(node, nodes.system_message):
            self._unread(node, before)
        elif isinstance(node, nodes.literal_block | nodes.doctest_block | nodes.math_block):
            self._code(node, before)
        elif isinstance(node, nodes.bullet_list | nodes.enumerated_list):
            self._list(node, before)
        elif isinstance(node, nodes.definition_list | nodes.option_list | nodes.field_list):
            self._definitions(node, before)
        elif isinstance(node, nodes.table):
            self._table(node)
        elif isinstance(node, nodes.block_quote):
            self.blocks(node.children, before + "> ")
        elif isinstance(node, nodes.line_block):
            lines = [_shown(line) for line in node.findall(nodes.line)]
            self.page.prose("\n".join(lines), f"L{self._at(node)}", before)
        elif isinstance(node, nodes.footnote | nodes.citation):
            name = next((_shown(one) for one in node.children if isinstance(one, nodes.label)), "")
            self.blocks([one for one in node.children if not isinstance(one, nodes.label)], before, f"[{name}] ")
        elif isinstance(node, nodes.Admonition) and not isinstance(node, nodes.admonition):
            self.blocks(node.children, before, node.tagname.capitalize() + ": ")
        elif any(isinstance(one, nodes.Text | nodes.Inline) for one in node.children):
            self._paragraph(node, before)
        else:
            self.blocks(node.children, before)

    def _title(self, node: nodes.Element, before: str) -> None:
        if isinstance(node.parent, nodes.section) and not before:
            self.page.heading(self._level, _shown(node), f"L{max(1, self._at(node) - 1)}")  # its line is the rule's
        else:
            self.page.prose(_shown(node), f"L{self._at(node)}", before)

    def _paragraph(self, node: nodes.Element, before: str, label: str = "") -> None:
        lines = (label + _shown(node)).split("\n")
        at = self._at(node)
        self.page.wrapped(lines, [f"L{at + n}" for n in range(len(lines))], before)

    def _code(self, node: nodes.Element, before: str) -> None:
        lines = node.astext().split("\n")
        language = str(node.get("language", ""))
        language = language if re.fullmatch(r"[\w+#.-]{1,30}", language) else ""
        at = self._at(node)
        self.page.code("\n".join(lines), [f"L{at + n}" for n in range(len(lines))], language, before)

    def _unread(self, node: nodes.system_message, before: str) -> None:
        """A block with an error stays as it is written."""
        lines = _written(node).split("\n")
        told = int(node.get("line") or self._line)  # of the error, which may be inside of the block
        starts = (n for n in range(told, max(0, told - len(lines)), -1) if lines[0] in "".join(self._source[n - 1 : n]))
        at = next(starts, told)
        self.page.code("\n".join(lines), [f"L{at + n}" for n in range(len(lines))], "", before)
        why = line_of(node.children[0].astext())[:120]
        self.notes.append(f"line {told} is not as reStructuredText wants it, and stands as it is written ({why})")

    def _list(self, node: nodes.Element, before: str) -> None:
        count = int(node.get("start", 1))
        for item in node.children:
            if not isinstance(item, nodes.list_item):
                continue
            marker = "-" if isinstance(node, nodes.bullet_list) else _marker(node, count)
            count += 1
            self._item(item.children, marker, before)

    def _item(self, children: Iterable[nodes.Node], marker: str, before: str) -> None:
        rest = [one for one in children if isinstance(one, nodes.Element) and not _is_silent(one)]
        text = ""
        if rest and isinstance(rest[0], nodes.paragraph):
            self._line = self._at(rest[0])
            text = _shown(rest.pop(0)).replace("\n", " ")
        marks = re.match(r"[> ]*", before)
        outer = marks.group() if marks else ""
        quotes, indent = outer[: outer.rfind(">") + 2] if ">" in outer else "", 0
        indent = len(outer) - len(quotes)
        inner = self.page.item(text, f"L{self._line}", indent, marker, quotes) if text else indent
        self.blocks(rest, quotes + " " * inner)

    def _definitions(self, node: nodes.Element, before: str) -> None:
        for item in node.children:
            parts = [one for one in item.children if isinstance(one, nodes.Element)]
            names = [
                one
                for one in parts
                if isinstance(one, nodes.term | nodes.classifier | nodes.option_group | nodes.field_name)
            ]
            rest = [one for part in parts if part not in names for one in part.children]
            self._line = self._at(item)
            name = ", ".join(_shown(one) for one in names)
            if isinstance(item, nodes.field):
                self._item([nodes.paragraph("", f"{name}: {joined_pieces(map(_told, rest))}")], "-", before)
                continue
            self._item([nodes.paragraph("", name)], "-", before)
            first = rest.pop(0) if rest and isinstance(rest[0], nodes.paragraph) else None
            if isinstance(first, nodes.paragraph):
                self.page.more(_shown(first).replace("\n", " "), f"L{self._at(first)}", before + "  ")
            self.blocks(rest, before + "  ")

    def _fields(self, node: nodes.Element) -> None:
        """The field list below the title is about the document."""
        for item in node.children:
            parts = [_told(one) for one in item.children if isinstance(one, nodes.Element)]
            name, told = (parts[0], " ".join(parts[1:])) if len(parts) > 1 else ("", item.astext())
            key = name.strip().lower()
            if key in _META:
                self.meta.setdefault(_META[key], line_of(told))
            elif key not in _PAGE_FIELDS and told.strip():
                self.page.prose(f"{name}: {told}" if name else told, f"L{self._at(item)}")

    def _table(self, table: nodes.Element) -> None:
        rows, places, head = [], [], 0
        for one in table.children:
            if isinstance(one, nodes.title):
                self.page.prose(_shown(one), f"L{self._at(table)}")
        at = self._at(table)
        for row in table.findall(nodes.row):
            head += isinstance(row.parent, nodes.thead)
            lines = [p.line for p in row.findall(nodes.paragraph) if p.line and p.line >= at]
            at = min(lines, default=at)
            places.append(f"L{at}")
            cells = [one for one in row.children if isinstance(one, nodes.entry)]
            spans = [(int(one.get("morecols", 0)) + 1, int(one.get("morerows", 0)) + 1) for one in cells]
            rows.append([Cell(_cell(one), *span) for one, span in zip(cells, spans, strict=True)])
        self.page.table(rows, places, head)

    def _at(self, node: nodes.Node) -> int:
        """The node's line; where docutils does not tell it, the last one told."""
        line = node.line or (self._line if node.parent is None else node.parent.line)
        return line if line and line >= self._line else self._line


def _written(node: nodes.system_message) -> str:
    """The source of the block that an error costs; "" where it costs none (a warning, or a word in a paragraph)."""
    lost = (one for one in node.children if isinstance(one, nodes.literal_block))
    return next((one.astext().rstrip() for one in lost if node["level"] > 2), "")


def _told(node: nodes.Node) -> str:
    if isinstance(node, nodes.field_body):
        return "\n\n".join(filter(None, map(_told, node.children)))
    return _written(node) if isinstance(node, nodes.system_message) else node.astext()


def _is_silent(node: nodes.Node) -> bool:
    return isinstance(node, _SILENT) or (isinstance(node, nodes.system_message) and not _written(node))


def _cell(entry: nodes.Element) -> str:
    inside = (nodes.paragraph, nodes.literal_block, nodes.line, nodes.system_message)
    found = (one for one in entry.findall() if isinstance(one, inside))
    return joined_pieces(_shown(one) for one in found if not isinstance(one.parent, nodes.system_message))


def _shown(node: nodes.Node) -> str:
    """The text of a node: no images and messages, references as their words."""
    if isinstance(node, nodes.Text):
        return str(node)
    if _is_silent(node):
        return ""
    if isinstance(node, nodes.system_message):
        return _written(node)
    if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        return f"[{node.astext()}]"
    if isinstance(node, nodes.problematic):
        return node.astext().strip("`_|")
    return "".join(map(_shown, node.children))


def _marker(node: nodes.Element, count: int) -> str:
    kind = node.get("enumtype", "arabic")
    told = str(count)
    if kind.endswith("alpha"):
        told = chr(97 + (count - 1) % 26)
    elif kind.endswith("roman") and 0 < count < 4000:
        told = roman(count)
    told = told.upper() if kind.startswith("upper") else told
    return f"{node.get('prefix', '')}{told}{node.get('suffix', '.')}"
