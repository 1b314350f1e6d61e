"""Markdown or HTML inline text -> the text a reader sees, each character tied to its place in the source.

markdown-it-py gives inline tokens no positions, so its own rules are wrapped and note what they consumed.
It must not know blocks, lines, files or sentences.
Try it: python -c "from chunking.inline import trace; print(trace('**Rate:** [90](/fees)').text)"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_TAG = re.compile(
    r"\{%-?\s{0,9}comment\b.{0,4000}?endcomment\s{0,9}-?%\}"  # with what it hides
    r"|(?<!\{)\{%-?\s{0,9}(?P<name>[\w-]{0,60}).{0,500}?%\}"
    r"|\{[:.#][^{}\n]*\}"  # kramdown attributes
    r"|\{\{[<%](?P<short>[^{}]{0,500}?)[>%]\}\}"  # Hugo's shortcodes
    # Values; ${{ x }} is for no site.
    r"|(?<!\$)\{\{\{?[-~]?(?P<value>(?:\s{0,9}\"[^\"\n]{0,200}\"\s{0,9}|[^{}<%]?[^{}]{0,500}?))[-~]?\}?\}\}",
    re.DOTALL,
)
_RAW_END = re.compile(r"\{%-?\s{0,9}endraw\s{0,9}-?%\}")
_RAW = re.compile(r"\{%-?\s{0,9}(?:end)?raw\s{0,9}-?%\}")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_WORDS = re.compile(r"(?:^|\s)text=\"([^\"]*)\"")  # of a shortcode: what it shows
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_SILENT_TAGS = ("image", "include", "alert", "page", "raw")  # their arguments are no words of the sentence
_FULL_REFERENCE = re.compile(r"\]\[([^\[\]]+)\]")
_TAG_NAME = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_MASK = "\ue000"
_NO_MARKS = re.compile(
    r"[^*_\[\]<>&\\`{}~\n\r\0]*"
)  # most sentences: nothing to parse, half the time of a quoted answer
_MOST_CHARS = 4000  # of one block; the parsers take quadratic time for a text made to hurt them
_INLINE_HTML = {
    *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s"),
    *("samp", "small", "span", "strong", "sub", "sup", "time", "u", "var"),
}
_NO_PROSE = {"button", "h1", "h2", "h3", "h4", "h5", "h6", "script", "select", "style", "summary", "title"}


@dataclass(slots=True)
class Traced:
    """Visible text; character i came from source[starts[i]:ends[i]]. A newline in it is a line end the author set.

    `opens` and `closes` are source positions of markup that belongs to the character after or before it.
    """

    source: str
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    linked: list[bool] = field(default_factory=list)
    opens: set[int] = field(default_factory=set)
    closes: set[int] = field(default_factory=set)

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """The source range of the characters first..last (inclusive), with the markup that hugs them."""
        start, end = self.starts[first], self.ends[last]
        while start - 1 in self.opens:
            start -= 1
        while end in self.closes:
            end += 1
        return start, end

    def is_only_link(self) -> bool:
        """Whether every letter and digit is a link's text, or the whole is one bare address."""
        words = [linked for char, linked in zip(self.text, self.linked, strict=True) if char.isalnum()]
        bare = self.text.strip(" <>()[].,")
        return bool(words) and (all(words) or (bare.startswith(("http://", "https://")) and " " not in bare))


@dataclass(slots=True)
class _Sink:
    tokens: list[Token]
    found: list[tuple[str, int, int]] = field(default_factory=list)
    marks: dict[int, Token] = field(default_factory=dict)  # index in `found` -> what became of the delimiter
    links: list[tuple[int, int]] = field(default_factory=list)
    opens: set[int] = field(default_factory=set)
    closes: set[int] = field(default_factory=set)

    def add(self, text: str, start: int) -> None:
        self.found += [(char, start + i, start + i + 1) for i, char in enumerate(text)]


def trace(source: str, references: Mapping[str, object] | None = None) -> Traced:
    """The visible text of inline Markdown. Template tags show only their quoted words, images nothing.

    A text of more than some pages is taken as it is written.
    """
    if len(source) > _MOST_CHARS or _NO_MARKS.fullmatch(source):
        places = range(len(source) + 1)
        return Traced(source, source.replace("\n", " "), [*places[:-1]], [*places[1:]], [False] * len(source))
    masked, tags = _mask(source)
    known = dict(references or {})
    for label in _FULL_REFERENCE.findall(masked):  # the definition may stand in another chunk
        if not label.strip().isdecimal():  # "[1][9]" are two notes
            known.setdefault(normalizeReference(label), {"href": "#", "title": ""})
    sink = _Sink([])
    _PARSER.inline.parse(masked, _PARSER, {"references": known, "sink": sink}, sink.tokens)
    return _settle(source, sink, tags)


def trace_html(source: str) -> list[Traced]:
    """The visible text of an HTML block, one entry for each run of text between block tags; none of a huge one."""
    if len(source) > _MOST_CHARS:
        return []
    masked, tags = _mask(source)
    reader = _HtmlReader(masked)
    reader.feed(masked)
    reader.close()
    return [traced for sink in reader.runs if (traced := _settle(source, sink, tags)).text.strip()]


def is_template_line(line: str, passage: str, *, alone: bool) -> bool:
    """Whether a line is one template tag that stands for a block (`alone`: it is its whole paragraph), not a word."""
    match = _TAG.fullmatch(line.strip())
    if match is None:
        return False
    name = match.group("name") or ""
    return alone or not name or name in _SILENT_TAGS or name.startswith(("end", "include")) or f"end{name}" in passage


def without_raw(code: str) -> str:
    """Code without the tags that only tell a site's generator to leave it as it is."""
    if "raw" not in code or "{%" not in code:
        return code
    lines = ((line, _RAW.sub("", line)) for line in code.split("\n"))
    return "\n".join(rest for line, rest in lines if rest.strip() or rest == line)


def _mask(source: str) -> tuple[str, dict[int, tuple[int, int, str]]]:
    """The source with template tags as letters (so that they can be link targets), and what each shows instead."""
    tags: dict[int, tuple[int, int, str]] = {}
    pieces, at, raw = [], 0, -1
    for match in _TAG.finditer(source) if "{" in source else ():
        start, end = match.span()
        shown = _shown(match, source)
        if start < raw or shown is None:
            continue
        if match.group("name") == "raw" and (closed := _RAW_END.search(source, end)):
            raw = closed.start()
        pieces += [source[at:start], _MASK * (end - start)]
        at = end
        tags.update(dict.fromkeys(range(start, end), (start, end, shown)))
    return "".join([*pieces, source[at:]]), tags


def _shown(tag: re.Match[str], source: str) -> str | None:
    """What a template tag shows; None for what is no tag: an expression in a code span, which is about itself."""
    name, value = tag.group("name") or "", tag.group("value")
    if tag.group("short") is not None or value is not None:
        told = (value or "").strip()
        literal = told[1:-1] if len(told) > 1 and told[0] == told[-1] == '"' and '"' not in told[1:-1] else ""
        if not literal and "`" in source and any(s.start() < tag.start() < s.end() for s in _SPAN.finditer(source)):
            return None
        words = _WORDS.search(tag.group("short") or "")
        return words.group(1) if words else literal
    quoted = [a or b for a, b in _QUOTED.findall(tag.group())]
    return quoted[-1] if name and name not in _SILENT_TAGS and quoted else ""


def _settle(source: str, sink: _Sink, tags: Mapping[int, tuple[int, int, str]]) -> Traced:
    traced = Traced(source, opens=sink.opens, closes=sink.closes)
    linked = {i for first, stop in sink.links for i in range(first, stop)}
    chars: list[str] = []

    def keep(char: str, start: int, end: int, is_linked: bool) -> None:
        chars.append(char)
        traced.starts.append(start)
        traced.ends.append(end)
        traced.linked.append(is_linked)

    empty: list[int] = []
    for i, (char, start, end) in enumerate(sink.found):
        token = sink.marks.get(i)
        if token is not None and not (token.type == "text" and token.content):
            if token.type == "text":
                empty.append(start)
            else:
                (traced.opens if token.nesting > 0 else traced.closes).add(start)
        elif start in tags:
            tag_start, tag_end, shown = tags[start]
            if start == tag_start:
                for letter in shown:
                    keep(letter, tag_start, tag_end, i in linked)
        else:
            keep(char, start, end, i in linked)
    for start in reversed(empty):  # the other half of a strong mark
        (traced.opens if start + 1 in traced.opens else traced.closes).add(start)
    traced.text = "".join(chars)
    return traced


def _tracked(name: str, rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    def run(state: StateInline, silent: bool) -> bool:
        sink = state.env.get("sink")
        if silent or not isinstance(sink, _Sink) or state.tokens is not sink.tokens:  # lookahead, or inside an image
            return rule(state, silent)
        start, before = state.pos, len(sink.found)
        if not rule(state, False):
            return False
        _note(name, state, sink, start, before)
        return True

    return run


def _note(name: str, state: StateInline, sink: _Sink, start: int, before: int) -> None:
    end, source = state.pos, state.src
    if name == "emphasis":
        for offset, token in enumerate(state.tokens[start - end :]):
            sink.marks[len(sink.found)] = token
            sink.add(source[start + offset], start + offset)
    elif name == "newline":
        sink.found.append(("\n" if state.tokens[-1].type == "hardbreak" else " ", start, end))
    elif name in ("escape", "entity"):
        content = "\n" if state.tokens[-1].type == "hardbreak" else state.tokens[-1].content
        sink.found += [(char, start, end) for char in content]
    elif name == "backticks" and not state.pending:
        token = state.tokens[-1]
        inner = source.replace("\n", " ").find(token.content, start + len(token.markup))
        sink.add(token.content, inner)
        sink.opens.update(range(start, inner))
        sink.closes.update(range(inner + len(token.content), end))
    elif name == "link":
        sink.links.append((before, len(sink.found)))
        sink.opens.add(start)
        sink.closes.update(range(sink.found[-1][2] if len(sink.found) > before else start + 1, end))
    elif name == "autolink":
        sink.add(source[start + 1 : end - 1], start + 1)
        sink.links.append((before, len(sink.found)))
        sink.opens.add(start)
        sink.closes.add(end - 1)
    elif name == "html_inline":
        tag = _TAG_NAME.match(source, start)
        if tag and tag.group(2).lower() in _INLINE_HTML:
            (sink.closes if tag.group(1) else sink.opens).update(range(start, end))
        elif tag:
            sink.found.append(("\n" if tag.group(2).lower() == "br" else " ", start, end))
    elif name != "image":
        sink.add(source[start:end], start)


def _literal(state: StateInline, silent: bool) -> bool:
    """What the parser does by itself with a character no rule wants; as a rule it can be tracked."""
    if not silent:
        state.pending += state.src[state.pos]
    state.pos += 1
    return True


def _build() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    inline = parser.inline
    inline.ruler.push("literal", _literal)
    inline.ruler.enable("literal")
    for name, rule in zip(inline.ruler.get_active_rules(), inline.ruler.getRules(""), strict=True):
        inline.ruler.at(name, _tracked(name, rule))
    inline.ruler2.disable("fragments_join")  # it would merge delimiters before they are looked at
    return parser


class _HtmlReader(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.runs = [_Sink([])]
        self._lines = [0]
        for line in source.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._hidden = 0  # depth of elements that are not prose

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in _NO_PROSE
        self._break_at(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _NO_PROSE))
        self._break_at(tag)

    def handle_data(self, data: str) -> None:
        if self._hidden == 0:
            self.runs[-1].add(data.replace("\n", " "), self._at())

    def handle_entityref(self, name: str) -> None:
        self._entity(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._entity(f"&#{name};")

    def _entity(self, written: str) -> None:
        start = self._at()
        self.runs[-1].found += [(char, start, start + len(written)) for char in unescape(written)]

    def _break_at(self, tag: str) -> None:
        if tag not in _INLINE_HTML and self.runs[-1].found:
            self.runs.append(_Sink([]))

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column


_PARSER = _build()
