"""A document's text -> pieces of one section each, with exact line ranges. The front door of everything indexed.

Every line of the file is in exactly one chunk, so a citation can name lines. Markdown is parsed once by markdown-it-py
and cut along its blocks; `.txt` files are cut between paragraphs. A line ends at LF, CRLF or CR, and nowhere else.
It must not know files (only the command line opens one), models, databases or search.
Try it: python chunk.py README.md
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath

import sentencex
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunking.front import ACCESS, front_matter

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_CAPTION_CHARS = 200
_LEAD_CHARS = 120
_LABEL_CHARS = 100
_TAIL_CHARS = 4000
_LISTS = ("bullet_list_open", "ordered_list_open")
_LED = (*_LISTS, "table_open", "fence", "code_block")
_TEMPLATE_TAG = re.compile(r"\{%[^{}]{0,500}?%\}|\{\{[^{}]{0,500}?\}\}")  # bounded: any text in linear time
_HTML_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)
_RUN = re.compile(r"([-=_*~.#])\1{3,}")
_SPACES = re.compile(r"[ \t]{3,}")
_RUNS = (*(mark * 4 for mark in "-=_*~.#"), "   ", "\t")  # one of them is in every text that either finds
_MARKUP = re.compile(r"[\\`*_\[\]<&\n]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of one section. `text` is the file's lines first_line..last_line joined with LF, nothing else."""

    heading: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    context: str
    skip: int = 0  # leading lines of `text` that are front matter or the section's heading
    is_empty: bool = False  # nothing to find or quote: only front matter, headings, blank lines, comments, bare tags

    @property
    def body(self) -> str:
        """The text without its front matter or heading lines."""
        return "\n".join(self.text.split("\n")[self.skip :])


@dataclass(frozen=True, slots=True)
class Document:
    """What `split` returns: the title, the front matter's scalars and lists of them, and the chunks in file order."""

    title: str
    meta: dict[str, str]
    chunks: tuple[Chunk, ...]


def split(text: str, name: str, *, max_chars: int = 900, meta: Mapping[str, str] | None = None) -> Document:
    """Cut a document into chunks that hold every line of it once; an empty text has none.

    `meta` is what is known of a document whose text was made from another format: such a text is Markdown without
    front matter, whatever it begins with.

    `name` is the file's name or path: its ending chooses the reading, its stem is the last resort for a title.
    A chunk's body (without heading and trailing blank lines) has at most `max_chars` characters, unless a single line,
    table header with its first row, comment or run of link definitions is longer. Never raises for any text.
    """
    lines = _lines(text)
    if meta is None and name.lower().endswith(".txt"):
        title, said = _readable_stem(name), front_matter(lines)[0]
        meta = {ACCESS: said[ACCESS]} if ACCESS in said else {}  # no Markdown, but who may read it is meant
        return Document(title, meta, tuple(_PlainCutter(lines, max_chars).chunks((title,))))
    meta, front = front_matter(lines) if meta is None else (dict(meta), 0)
    cutter = _MarkdownCutter(lines, front, max_chars)
    title = " ".join(meta.get("title", "").split()) or cutter.first_h1() or _readable_stem(name)
    return Document(title, meta, tuple(cutter.chunks(title)))


def embed_text(document: Document, chunk: Chunk) -> str:
    """What is embedded and indexed for a chunk: title > headings, then context, then the body without HTML comments.

    Long runs of rule characters and spaces are shortened: a padded table's delimiter row alone can fill a small
    model's window.
    """
    path = list(chunk.heading)
    if not path or path[0].casefold() != document.title.casefold():
        path.insert(0, document.title)
    body = _without_comments(chunk.body)
    if any(run in body for run in _RUNS):  # to look with a regular expression takes ten times as long
        body = _SPACES.sub("  ", _RUN.sub(r"\1\1\1", body))
    parts = (" > ".join(path), chunk.context, body.strip())
    return "\n".join(part for part in parts if part)


def lines_of(text: str) -> tuple[str, ...]:
    """The lines as chunks number them."""
    return tuple(_lines(text))


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _readable_stem(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    stem = path.stem
    if stem.lower() in ("index", "readme") and path.parent.name:
        stem = path.parent.name
    words = " ".join(stem.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:] or name or "Untitled"


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    tokens: list[Token] = []
    _MARKDOWN.block.parse(text.replace("\0", "\ufffd"), _MARKDOWN, {}, tokens)
    code = {n for t in tokens if t.map and t.type in ("fence", "code_block") for n in range(*t.map)}
    starts = [0]
    for row in text.split("\n"):
        starts.append(starts[-1] + len(row) + 1)
    kept, done, at, last = [], 0, text.find("<!--"), text.rfind("-->")
    while at >= 0:
        line = bisect_right(starts, at) - 1
        end = text.find("-->", at) if at < last else -1
        if line in code or (end < 0 and text[starts[line] : at].strip()):
            at = text.find("<!--", starts[line + 1])  # what follows in this line is no comment either
            continue
        kept.append(text[done:at])
        done = end + 3 if end >= 0 else len(text)
        at = text.find("<!--", done)
    return "".join(kept) + text[done:]


@dataclass(slots=True)
class _Block:
    kind: str
    start: int
    end: int
    index: int  # of its token
    solid: bool = True  # holds something to find or quote


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    context: str
    solid: bool = True


class _Cutter:
    """What both readings share: sizes, packing pieces into chunks, cutting prose at sentence ends."""

    def __init__(self, lines: list[str], max_chars: int) -> None:
        self.lines = lines
        self.max_chars = max_chars
        self._offsets = [0]
        total = 0
        for line in lines:
            total += len(line) + 1
            self._offsets.append(total)

    def _trimmed(self, start: int, end: int) -> int:
        """`end` without the blank lines before it."""
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        return end

    def _fits(self, start: int, end: int) -> bool:
        end = self._trimmed(start, end)
        return self._offsets[end] - self._offsets[start] - 1 <= self.max_chars

    def _pack(
        self, start: int, end: int, body: int, pieces: Sequence[_Piece], heading: tuple[str, ...]
    ) -> Iterator[Chunk]:
        """Chunks of the lines start..end; the pieces tile body..end, where the heading has ended."""
        first, context, solid, filled = start, "", False, False
        for piece in pieces:
            if filled and not self._fits(max(first, body), piece.end):
                yield self._chunk(heading, first, piece.start, context, body, solid)
                first, context, solid = piece.start, piece.context, False
            solid = solid or piece.solid
            filled = True
        yield self._chunk(heading, first, end, context, body, solid)

    def _chunk(self, heading: tuple[str, ...], first: int, end: int, context: str, body: int, solid: bool) -> Chunk:
        text = "\n".join(self.lines[first:end])
        return Chunk(heading, first + 1, end, text, context, max(0, body - first), not solid)

    def _cut_prose(self, start: int, end: int, context: str) -> list[_Piece]:
        """Runs of lines up to a line that ends a sentence; a run too long for one chunk goes line by line."""
        starts = [start]
        last = self._trimmed(start, end) - 1
        for number in range(start, last + 1):
            if number == last or _ends_sentence(self.lines[number]):
                if not self._fits(starts[-1], number + 1):
                    starts += range(starts[-1] + 1, number + 1)
                starts.append(number + 1)
        return [_Piece(a, b, context) for a, b in pairwise([*starts[:-1], end])]


class _PlainCutter(_Cutter):
    """Plain text: paragraphs between blank lines."""

    def chunks(self, heading: tuple[str, ...]) -> Iterator[Chunk]:
        if not self.lines:
            return
        starts = [0] if self.lines[0].strip() else []
        starts += [n for n in range(1, len(self.lines)) if self.lines[n].strip() and not self.lines[n - 1].strip()]
        pieces: list[_Piece] = []
        for start, end in pairwise([*starts, len(self.lines)]):
            pieces += [_Piece(start, end, "")] if self._fits(start, end) else self._cut_prose(start, end, "")
        yield from self._pack(0, len(self.lines), 0, pieces, heading)


class _MarkdownCutter(_Cutter):
    """Markdown: sections by heading, blocks by token, oversized blocks by their children."""

    def __init__(self, lines: list[str], front: int, max_chars: int) -> None:
        super().__init__(lines, max_chars)
        self.front = front
        self.env: dict[str, object] = {}
        self.tokens: list[Token] = []
        source = "\n".join(lines[front:]).replace("\0", "\ufffd")
        _MARKDOWN.block.parse(source.removeprefix("\ufeff"), _MARKDOWN, self.env, self.tokens)
        self.top = self._blocks(0, len(self.tokens), 0, len(lines))

    def first_h1(self) -> str:
        for block in self.top:
            if block.kind == "heading_open" and self.tokens[block.index].tag == "h1":
                return self._heading_text(block)
        return ""

    def chunks(self, title: str) -> Iterator[Chunk]:
        start, stack = 0, list[tuple[str, str]]()
        heads = [i for i, block in enumerate(self.top) if block.kind == "heading_open"]
        first = self.top[heads[0]].start if heads else len(self.lines)
        before = self.top[: heads[0]] if heads else self.top
        if self.front:
            start = before[0].start if before else first
            yield self._chunk((title,), 0, start, "", start, False)
        if start < first:
            yield from self._pack(start, first, start, self._sequence(before), (title,))
        for at, following in pairwise([*heads, len(self.top)]):
            head, tag = self.top[at], self.tokens[self.top[at].index].tag
            while stack and stack[-1][0] >= tag:
                stack.pop()
            if text := self._heading_text(head):
                stack.append((tag, text))
            path = tuple(text for _, text in stack) or (title,)
            end = self.top[following].start if following < len(self.top) else len(self.lines)
            yield from self._pack(head.start, end, head.end, self._sequence(self.top[at + 1 : following]), path)

    def _blocks(self, first: int, stop: int, level: int, end: int) -> list[_Block]:
        """The blocks of one level among tokens first..stop, each reaching to the next one's start."""
        found: list[_Block] = []
        for index in range(first, stop):
            token = self.tokens[index]
            if token.level != level or token.nesting < 0 or token.map is None:
                continue
            start, own_end = token.map[0] + self.front, token.map[1] + self.front
            if found and start <= found[-1].start:
                continue
            if level == 0:
                self._close_gap(found, start)
            found.append(_Block(token.type, start, own_end, index, self._is_solid(index)))
        if level == 0:
            self._close_gap(found, end)
        for block, following in pairwise(found):
            if block.kind != "heading_open":
                block.end = following.start
        if found and found[-1].kind != "heading_open":
            found[-1].end = end
        return found

    def _close_gap(self, found: list[_Block], start: int) -> None:
        """Link definitions leave no token: they become a block of their own that holds nothing to quote."""
        gap = found[-1].end if found else self.front
        while gap < start and not self.lines[gap].strip():
            gap += 1
        if gap < start:
            found.append(_Block("definitions", gap, start, -1, False))

    def _is_solid(self, index: int) -> bool:
        token = self.tokens[index]
        if token.type in ("heading_open", "hr"):
            return False
        if token.type == "html_block":
            return bool(_HTML_TAG.sub("", token.content).strip())
        if token.type == "paragraph_open" and (content := self.tokens[index + 1].content).startswith("{"):
            return bool(_TEMPLATE_TAG.sub("", content).strip())
        return True

    def _heading_text(self, block: _Block) -> str:
        content = self.tokens[block.index + 1].content
        if content.endswith("}") and (at := max(content.rfind("{#"), content.rfind("{:"))) >= 0:
            content = content[:at]  # an explicit anchor is not part of the name
        if not _MARKUP.search(content):
            return content.strip()
        tokens: list[Token] = []
        _MARKDOWN.inline.parse(content, _MARKDOWN, self.env, tokens)
        return " ".join("".join(_visible(tokens)).split())

    def _children(self, block: _Block) -> list[_Block]:
        level = self.tokens[block.index].level + 1
        return self._blocks(block.index + 1, self._after(block), level, block.end)

    def _sequence(self, blocks: Sequence[_Block], context: str = "", inner: str = "") -> list[_Piece]:
        """Pieces of neighbouring blocks; a lead-in stays with the first piece of what it leads, where that fits.

        `context` explains the first block, `inner` the later ones.
        """
        pieces: list[_Piece] = []
        for position, block in enumerate(blocks):
            lead = self._lead(blocks[position - 1], block) if position else ""
            about = context if position == 0 else inner
            new = self._cut(block, _joined(about, lead) if lead not in about else about)
            if lead and self._fits(pieces[-1].start, new[0].end):
                pieces[-1] = replace(pieces[-1], end=new[0].end, solid=True)
                new = new[1:]
            pieces += new
        return pieces

    def _cut(self, block: _Block, context: str) -> list[_Piece]:
        if not block.solid or self._fits(block.start, block.end):
            return [_Piece(block.start, block.end, context, block.solid)]
        if block.kind == "table_open":
            return self._cut_table(block, context)
        if block.kind in ("fence", "code_block"):
            return self._cut_code(block, context)
        if block.kind in _LISTS:
            return [piece for item in self._children(block) for piece in self._cut(item, context)]
        if block.kind in ("list_item_open", "blockquote_open") and (children := self._children(block)):
            children[0].start = block.start
            inner = context
            if block.kind == "list_item_open" and children[0].kind == "paragraph_open":
                inner = _joined(context, _last_sentence(self.tokens[children[0].index + 1].content))
            return self._sequence(children, context, inner)
        pieces = self._cut_prose(block.start, block.end, context)
        if block.kind == "html_block":
            opening = self.tokens[block.index].content.lstrip().split("\n")[0]
            pieces[1:] = [replace(piece, context=opening) for piece in pieces[1:]]
        return pieces

    def _cut_table(self, block: _Block, context: str) -> list[_Piece]:
        head, *body = self._children(block)
        inside = self.tokens[head.index : self._after(head)]
        cells = [token.content.replace("|", "\\|") for token in inside if token.type == "inline"]
        repeated = f"| {' | '.join(cells)} |\n|{'---|' * len(cells)}"
        about = f"{context}\n\n{repeated}" if context else repeated
        rows = self._children(body[0]) if body else []
        starts = [block.start, *(row.start for row in rows[1:])]
        return [_Piece(a, b, about if n else context) for n, (a, b) in enumerate(pairwise([*starts, block.end]))]

    def _after(self, block: _Block) -> int:
        level = self.tokens[block.index].level
        return next(i for i in range(block.index + 1, len(self.tokens)) if self.tokens[i].level == level)

    def _cut_code(self, block: _Block, context: str) -> list[_Piece]:
        start, end = block.start, self._trimmed(block.start, block.end)
        about = context
        if block.kind == "fence":
            mark = self.tokens[block.index].markup
            about = f"{context}\n\n{mark}{self.tokens[block.index].info}".lstrip("\n")
            start += 1  # the marks stay with the first and the last line of code
            end -= self.lines[end - 1].lstrip(" >\t").startswith(mark)
        starts = [block.start, *range(start + 1, end)]
        return [_Piece(a, b, about if n else context) for n, (a, b) in enumerate(pairwise([*starts, block.end]))]

    def _lead(self, before: _Block, block: _Block) -> str:
        """The sentence that introduces a list or code, the caption of a table, a bold label; "" when there is none."""
        if before.kind != "paragraph_open" or not before.solid:
            return ""
        content = self.tokens[before.index + 1].content
        if is_label(content):
            return content
        if block.kind not in _LED:
            return ""
        if block.kind == "table_open" and len(content) <= _CAPTION_CHARS:
            return " ".join(content.split())
        return lead_in(content)


def is_label(paragraph: str) -> bool:
    """Whether a paragraph is one short run of bold text that ends no sentence: a heading in all but name."""
    inner = paragraph[2:-2]
    bold = paragraph[:2] == paragraph[-2:] and paragraph[:2] in ("**", "__") and paragraph[:2] not in inner
    return bold and 0 < len(inner) <= _LABEL_CHARS and not _ends_sentence(inner)


def lead_in(paragraph: str) -> str:
    """The part of a paragraph that introduces the list or code under it; "" when it does not read like a lead-in.

    That is its last sentence, when it ends in a colon or a question mark or without an end, or is a short paragraph.
    """
    sentence = _last_sentence(paragraph)
    end = sentence.rstrip("*_ )\"'”’»")[-1:]
    if sentence.startswith(("{%", "![")):
        return ""
    short = len(sentence) <= _LEAD_CHARS and len(sentence) == len(" ".join(paragraph.split()))
    return sentence if end in ":：?？" or (end not in ".!。！…" and len(sentence) <= _CAPTION_CHARS) or short else ""


def _last_sentence(paragraph: str) -> str:
    tail = " ".join(paragraph[-_TAIL_CHARS:].split())  # sentencex takes quadratic time
    sentences = [s.strip() for s in sentencex.segment("en", tail) if s.strip(" *_")]
    return sentences[-1] if sentences else ""


def _joined(context: str, more: str) -> str:
    return f"{context}\n{more}" if context and more else context or more


def _ends_sentence(line: str) -> bool:
    return line.rstrip().rstrip("*_`)]\"'”’»")[-1:] in tuple(".!?。！？…")


def _visible(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield from _visible(token.children or ())


def main(argv: Sequence[str] | None = None) -> int:
    """Show the chunks of one file. Returns the exit code: 0, or 2 when the file cannot be read."""
    from chunking.show import command

    return command(argv)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
