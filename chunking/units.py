"""A passage -> the units of it that can be quoted: whole sentences, list items, table rows, blocks of code.

Read from parsed Markdown blocks, each with its lead-in or header, and with the exact bytes of the file as its quote.
Headings, link lists, comments, images, template tags, half sentences and what no reader sees are no units; questions
are marked as such.
It must not know questions asked, scores, models or files.
Try it: python -c "from chunking.units import units; print(units('You need:\\n\\n- a card\\n- a PIN', 1))"
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

import sentencex
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunk import is_label, lead_in
from chunking.hidden import blanked
from chunking.inline import Traced, is_template_line, trace, trace_html, without_raw
from language.invisible import seen

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_LISTS = ("bullet_list_open", "ordered_list_open")
_LED = (*_LISTS, "table_open", "fence", "code_block", "blockquote_open")
_WHOLE_ITEM_CHARS = 300
_LEAD_CHARS = 300
_CODE_CHARS = 1000
_LOOKED_AT_CHARS = 50_000
_WINDOW_CHARS = 4000
_SENTENCE_ENDS = tuple(".!?。！？…")
_CLOSERS = " *_)]\"'”’»«“"


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that can be quoted by itself.

    `text` is for choosing and matching (one line, without marks, lead-in or header included); `quote` is a contiguous
    span of the passage, byte for byte; `lead` is the lead-in or header row as plain text, "" when there is none.
    """

    kind: str  # sentence | item | row | code
    text: str
    quote: str
    first_line: int
    last_line: int
    lead: str
    position: int
    is_question: bool


def units(text: str, first_line: int, context: str = "", lang: str = "en") -> list[Unit]:
    """The quotable units of a passage, in its order.

    `first_line` is the passage's 1-based line in its file, `context` what its chunk carries from earlier lines, `lang`
    the ISO 639-1 code whose abbreviations sentences are split by. Of a huge passage only the beginning is read.
    Never raises for any text.
    """
    found = _read(text[:_LOOKED_AT_CHARS], first_line, context, lang)
    return [*(found if len(text) <= _LOOKED_AT_CHARS else found[:-1])]  # the last one may be cut


@lru_cache(maxsize=64)  # an answer looks at its passages' units three times: to choose, to count a list, to compare
def _read(text: str, first_line: int, context: str, lang: str) -> tuple[Unit, ...]:
    return tuple(_Reader(text, first_line, context, lang).read())


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int  # in the source of its Traced
    end: int
    traced: Traced


class _Reader:
    def __init__(self, text: str, first_line: int, context: str, lang: str) -> None:
        self.text = text
        self.first_line = first_line
        self.lang = lang
        self.found: list[Unit] = []
        # Same length as the text, so that positions hold in both.
        lines = blanked(text, context).replace("\0", "\ufffd").replace("\r\n", " \n").replace("\r", "\n").split("\n")
        self.lines = lines
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        head = _reopened(context)
        self.indent = _indent(lines) if context else 0
        self.lead = "" if head else _plain(context) if self.indent else _introduction(context)
        self.shift = len(head)
        source = "\n".join([*head, *(_dedented(line, self.indent) for line in lines)])
        self.env: dict[str, dict[str, object]] = {}
        self.tokens: list[Token] = []
        _MARKDOWN.block.parse(source, _MARKDOWN, self.env, self.tokens)

    def read(self) -> list[Unit]:
        self._walk(self._blocks(0, len(self.tokens), 0), self.lead)
        return self.found

    def _blocks(self, first: int, stop: int, level: int) -> list[int]:
        tokens = self.tokens
        return [i for i in range(first, stop) if tokens[i].level == level and tokens[i].nesting >= 0 and tokens[i].map]

    def _children(self, index: int) -> list[int]:
        level = self.tokens[index].level
        stop = index + 1
        while self.tokens[stop].level > level:
            stop += 1
        return self._blocks(index + 1, stop, level + 1)

    def _walk(self, blocks: Sequence[int], lead: str, item: bool = False) -> None:
        """Read neighbouring blocks. `lead` introduces the first one (all of them inside an item)."""
        before = ""
        for at, index in enumerate(blocks):
            kind = self.tokens[index].type
            following = self.tokens[blocks[at + 1]].type if at + 1 < len(blocks) else ""
            about = lead if item or at == 0 else ""
            introduced = _with_lead(about, _plain(before)) if before else about
            before = ""
            if kind == "paragraph_open":
                content = self.tokens[index + 1].content
                self._paragraph(index, about, item and at == 0, following)
                before = _last(self._plain_sentences(content)) if item else _introduction(lead_in(content))
            elif kind in _LISTS:
                for entry in self._children(index):
                    outside = self.indent and self._line_indent(entry) < self.indent
                    self._walk(self._children(entry), "" if outside else introduced, item=True)
            elif kind == "table_open":
                self._table(index)
            elif kind == "html_block" or (kind == "code_block" and "</" in self.tokens[index].content):
                self._html(index)  # the rest of a block after a blank line, indented by habit
            elif kind in ("fence", "code_block"):
                self._code(index, introduced)
            elif kind == "blockquote_open":
                self._walk(self._children(index), introduced)

    def _paragraph(self, index: int, lead: str, is_item: bool, following: str) -> None:
        token = self.tokens[index + 1]
        if is_label(token.content) or (is_item and "{:toc" in token.content):  # where a site puts its contents
            return
        for first, lines in _without_template_lines(token.content.split("\n"), self.text):
            line = self._own_line(index, first)
            origins = self._origins(line, lines)
            if origins is None:
                continue
            source = "\n".join(part.lstrip() for part in lines)
            traced = trace(source, self.env.get("references"))
            if traced.is_only_link():
                continue
            sentences = _sentences(traced, self.lang)
            if sentences and _only_introduces(sentences[-1].text, following):
                sentences = sentences[:-1]
            if is_item and sum(len(sentence.text) for sentence in sentences) <= _WHOLE_ITEM_CHARS:
                sentences = _as_one(sentences)
            for sentence in sentences:
                self._add("item" if is_item else "sentence", sentence, origins, lead)

    def _table(self, index: int) -> None:
        head, *body = self._children(index)
        names = [cell.text for cell in self._cells(self._children(head)[0])]
        header = " | ".join(" ".join(name.split()) for name in names if name)
        for row in self._children(body[0]) if body else []:
            line = self._own_line(row)
            cells = self._cells(row)
            filled = [cell for cell in cells if cell.text]
            if line < 0 or not filled or all(cell.is_only_link() for cell in filled):
                continue
            pairs = zip(names, cells, strict=False)  # markdown-it pads and cuts rows to the header's width
            told = [f"{name}: {cell.text}" if name else cell.text for name, cell in pairs if cell.text]
            start = self.starts[line] + _indent([self.lines[line]])
            end = self.starts[line] + len(self.lines[line].rstrip())
            self._append("row", "; ".join(told), start, end, header)

    def _cells(self, row: int) -> list[Traced]:
        cells: list[Traced] = []
        for token in self.tokens[row + 1 :]:
            if token.type == "tr_close":
                break
            if token.type == "inline":
                cell = trace(token.content, self.env.get("references"))
                cell.text = cell.text if cell.text.strip() else ""
                cells.append(cell)
        return cells

    def _code(self, index: int, lead: str) -> None:
        token = self.tokens[index]
        if token.map is None or not token.content.strip():
            return
        opened = 1 if token.type == "fence" else 0
        lines = token.content.removesuffix("\n").split("\n")
        first = token.map[0] + opened - self.shift
        for start, stop in _code_parts(lines, max(0, -first)):
            a, b = first + start, first + stop - 1
            self._append(
                "code",
                without_raw("\n".join(lines[start:stop])),
                self.starts[a],
                self._line_end(b),
                lead,
                with_lead=True,
            )

    def _html(self, index: int) -> None:
        token = self.tokens[index]
        if token.map is None:
            return
        first, stop = max(0, token.map[0] - self.shift), token.map[1] - self.shift
        origin = self.starts[first]
        source = "\n".join(self.lines[first:stop])
        for traced in trace_html(source):
            if traced.is_only_link():
                continue
            for sentence in _sentences(traced, self.lang):
                whole = sentence.text.rstrip(_CLOSERS)[-1:] in _SENTENCE_ENDS or len(sentence.text.split()) > 4
                if whole:
                    self._append("sentence", sentence.text, origin + sentence.start, origin + sentence.end, "")

    def _add(self, kind: str, sentence: _Sentence, origins: Sequence[tuple[int, int]], lead: str) -> None:
        start = _locate(origins, sentence.start)
        end = _locate(origins, sentence.end - 1) + 1
        self._append(kind, sentence.text, start, end, lead, with_lead=True)

    def _append(self, kind: str, own: str, start: int, end: int, lead: str, with_lead: bool = False) -> None:
        while start < end and self.text[start].isspace() and kind != "code":
            start += 1
        while start < end and self.text[end - 1].isspace():
            end -= 1
        if not any(char.isalnum() for char in own) or start >= end:
            return
        own = seen(own)
        told = own if kind == "code" else _task_text(" ".join(own.split()))
        first = self._line_of(start)
        self.found.append(
            Unit(
                kind=kind,
                text=_with_lead(lead, told) if with_lead else told,
                quote=self.text[start:end],
                first_line=self.first_line + first,
                last_line=self.first_line + self._line_of(end - 1),
                lead=lead,
                position=len(self.found),
                is_question=kind in ("sentence", "item") and told.rstrip(_CLOSERS)[-1:] in ("?", "？", "؟"),
            )
        )

    def _origins(self, line: int, lines: Sequence[str]) -> list[tuple[int, int]] | None:
        """For each content line its place in the joined source and in the passage; None when it is not there as is."""
        if line < 0 or line + len(lines) > len(self.lines):
            return None
        origins: list[tuple[int, int]] = []
        joined = 0
        for number, part in enumerate(lines, line):
            stripped, written = part.lstrip(), self.lines[number]
            if not written.endswith(stripped):
                written = written.rstrip()  # the last line of a paragraph
            if not written.endswith(stripped):
                return None
            origins.append((joined, self.starts[number] + len(written) - len(stripped)))
            joined += len(stripped) + 1
        return origins

    def _own_line(self, index: int, offset: int = 0) -> int:
        """Index in the passage's lines; negative for what stands in the context."""
        where = self.tokens[index].map
        return (where[0] if where else -1) + offset - self.shift

    def _line_of(self, position: int) -> int:
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= position else (low, middle)
        return low

    def _line_end(self, line: int) -> int:
        return self.starts[line] + len(self.lines[line])

    def _line_indent(self, index: int) -> int:
        line = self._own_line(index)
        return _indent(self.lines[line : line + 1]) if line >= 0 else 0

    def _plain_sentences(self, content: str) -> list[str]:
        return [s.text for s in _sentences(trace(content, self.env.get("references")), self.lang)]


def _sentences(traced: Traced, lang: str) -> list[_Sentence]:
    """Whole sentences: a piece goes to the one before when it starts in lower case, is no word, or follows a number."""
    text = traced.text
    spans: list[tuple[int, int]] = []
    done = 0
    for piece in (piece for line in text.split("\n") for piece in _segments(line, lang)):
        core = piece.strip()
        start = text.find(core, done)
        if not core or start < 0:
            continue
        done = start + len(core)
        continues = core[0].islower() or not any(char.isalnum() for char in core)
        if spans and (continues or _is_enumerator(text[slice(*spans[-1])])):
            spans[-1] = (spans[-1][0], done)
        else:
            spans.append((start, done))
    return [_Sentence(" ".join(traced.text[a:b].split()), *traced.source_span(a, b - 1), traced) for a, b in spans]


def _segments(line: str, lang: str) -> Iterator[str]:
    """The line cut by sentencex, some pages at a time: it takes quadratic time for a long line."""
    at = 0
    while at < len(line):
        pieces = sentencex.segment(lang, line[at : at + _WINDOW_CHARS])
        if at + _WINDOW_CHARS < len(line) and len(pieces) > 1:
            pieces = pieces[:-1]  # it may go on behind the window
        yield from pieces
        at += sum(map(len, pieces)) or _WINDOW_CHARS


def _is_enumerator(text: str) -> bool:
    """`3.`, `15.2.`, `a)`: the number of the sentence that follows."""
    letters = sum(char.isalpha() for char in text)
    return letters == 0 or (letters == 1 and len(text) == 2 and text[1] in ".)")


def _as_one(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    if not sentences:
        return []
    first, last = sentences[0], sentences[-1]
    return [_Sentence(" ".join(s.text for s in sentences), first.start, last.end, first.traced)]


def _only_introduces(sentence: str, following: str) -> bool:
    """Whether the last sentence of a paragraph is half of one without the `following` block ("": it is cut away)."""
    end = sentence.rstrip(_CLOSERS)[-1:]
    if end in (":", "："):
        return not following or following in _LED
    return following in _LED and end not in _SENTENCE_ENDS


def _introduction(lead: str) -> str:
    """The lead as plain text, unless it is a sentence of its own that happens to stand before a list."""
    plain = _plain(lead)
    end = plain.rstrip(_CLOSERS)[-1:]
    is_record = ": " in plain and end not in ":：?？"  # "Present: ... Excused: ..." above a list introduces nothing
    return "" if is_record or end in (".", "!", "。", "！", "…") else plain


def _without_template_lines(lines: Sequence[str], passage: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines between lines that are only a block's template tag, each with its offset."""
    cuts = [n for n, line in enumerate(lines) if is_template_line(line, passage, alone=len(lines) == 1)]
    for before, after in pairwise([-1, *cuts, len(lines)]):
        if after - before > 1:
            yield before + 1, list(lines[before + 1 : after])


def _code_parts(lines: Sequence[str], first: int) -> Iterator[tuple[int, int]]:
    """Line ranges of code from `first` on: whole when short, else cut at blank lines."""
    lengths = sum(len(line) + 1 for line in lines[first:])
    start = first
    for number in range(first, len(lines)):
        is_cut = lengths > _CODE_CHARS and not lines[number].strip()
        if is_cut or number + 1 == len(lines):
            stop = number if is_cut else number + 1
            if any(line.strip() for line in lines[start:stop]):
                yield start, stop
            start = number + 1


def _reopened(context: str) -> list[str]:
    """The context's lines when they open a table or a fence that the passage goes on with, with what joins them."""
    if not context:
        return []
    tokens: list[Token] = []
    _MARKDOWN.block.parse(context, _MARKDOWN, {}, tokens)
    last = [token.type for token in tokens if token.level == 0 and token.nesting >= 0][-1:]
    return context.split("\n") if last in (["table_open"], ["fence"], ["html_block"]) else []


def _indent(lines: Sequence[str]) -> int:
    first = next((line for line in lines if line.strip()), "")
    return len(first) - len(first.lstrip(" \t"))


def _dedented(line: str, indent: int) -> str:
    return line[min(indent, _indent([line])) :]


def _locate(origins: Sequence[tuple[int, int]], position: int) -> int:
    joined, own = origins[bisect_right(origins, position, key=itemgetter(0)) - 1]
    return own + position - joined


def _plain(markdown: str) -> str:
    return " ".join(trace(markdown).text.split())


def _with_lead(lead: str, text: str) -> str:
    """Both in one line; of a long chain of leads only the nearest is kept."""
    gap = " – " if lead[-1:].isalnum() and text else " "  # "you were on leave" and "in that case ..." are two things
    return f"{lead}{gap}{text}" if lead and len(lead) + (0 if text else 1) <= _LEAD_CHARS else text


def _task_text(text: str) -> str:
    return text[4:] if text[:4].lower() in ("[ ] ", "[x] ") else text


def _last(sentences: Sequence[str]) -> str:
    return sentences[-1] if sentences else ""
