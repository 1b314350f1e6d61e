"""Where a text's sentences begin and end, whatever language it is in.

A list item, a table row, a heading and a line of code are units of their own; running text is cut by sentencex.
Reads lines, not a Markdown tree: a model's reply and a piece of a document are seldom whole Markdown (a table without
its delimiter row, a list that begins at 4, bullets like `•`), and every character must keep its place.
Knows no passages and no citations; a `[1]` behind a full stop merely stays with its sentence.
Try: python -c "from language.sentences import units; print(units('Hi, Dr. Ho. Go.\\n- at 3 p.m.', 'en'))"
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import sentencex

Kind = Literal["text", "item", "row", "heading", "lead_in", "code"]

_QUOTE = re.compile(r"(?:[ \t]*>)+[ \t]?")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?=[ \t])")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-{2,})[ \t]*\r?")
_DELIMITER_ROW = re.compile(r"[ \t]*(?=[^\n]*-)(?=[^\n]*\|)[|:\- \t]+\r?")
_BULLET = re.compile(r"[ \t]*(?:[-*+•·▪◦‣–—](?=[ \t])|[・●○■□])[ \t]*(?:\[[ xX]\](?=[ \t]))?")
_ORDINAL = re.compile(r"[ \t]*\(?([0-9]{1,3}|[a-z])(?:[.)](?=[ \t])|、)")
_BOLD_LINE = re.compile(r"(\*\*|__)(?:(?!\1)\D)+\1")  # a heading in the manner of chat models; figures stay claims
_MARKERS = re.compile(r"\s*(?:[\[【［]\s*\d+(?:\s*[,，、;–-]\s*\d+)*\s*[\]】］]\s*)+")
_STOP = re.compile(r"[.!?…。！？:：;；|\]】］][*_\"”»）)」』]*$")
_LETTER = re.compile(r"[^\W\d_]")
_COLON = re.compile(r"[:：][*_]*$")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WRAPPED = 50  # columns; a shorter line was ended on purpose, not by an editor's margin (they wrap at 60 to 120)


@dataclass(frozen=True)
class Unit:
    """One sentence, item sentence, row, heading, lead-in (a line that announces a list with `:`) or line of code.

    `start` and `end` are places in the text, without bullets, `#`, outer table pipes and surrounding white space.
    """

    start: int
    end: int
    kind: Kind


def sentences(text: str, lang: str) -> list[tuple[int, int]]:
    """Places (start, end) of the units of `text` in order, never overlapping, each with a letter or digit in it.

    `lang` is an ISO 639-1 code; an unknown one is cut like English.
    """
    return [(unit.start, unit.end) for unit in units(text, lang)]


def units(text: str, lang: str) -> list[Unit]:
    """The same places with what each one is."""
    state = _Scan(text, lang)
    for start, end in _lines(text):
        state.line(start, end)
    state.flush()
    return state.found


@dataclass
class _Scan:
    text: str
    lang: str
    found: list[Unit] = field(default_factory=list)
    block: tuple[int, int] | None = None  # the paragraph or item being read
    kind: Kind = "text"
    fence: str = ""
    ordinal: int = 0  # of the list's last numbered item
    listed: bool = False  # an indented line still belongs to the list
    table: bool = False

    def line(self, start: int, end: int) -> None:
        if self.fence or _FENCE.match(self.text, start, end):
            return self._code(start, end)
        if quote := _QUOTE.match(self.text, start, end):
            start = quote.end()
        line = self.text[start:end]
        if not line.strip():
            self.flush()
            self.table = False
        elif _DELIMITER_ROW.fullmatch(line):
            self._header_above()
        elif line.lstrip().startswith("|") or (self.table and "|" in line):
            self.flush()
            self._add(start, end, "row")
        elif _UNDERLINE.fullmatch(line) and self._underlines():
            self.flush("heading")
        elif heading := _HEADING.match(line):
            self.flush()
            self._add(start + heading.end(), end, "heading")
        elif _BOLD_LINE.fullmatch(line.strip()) and not re.search(r"[.!?。！？:：][*_]+$", line.strip()):
            self.flush()
            self._add(start, end, "heading")
        elif bullet := self._bullet(line):
            self.flush()
            self.block, self.kind, self.listed = (start + bullet, end), "item", True
        else:
            self._paragraph(start, end)
        return None

    def flush(self, kind: Kind | None = None) -> None:
        """End the paragraph or item being read and cut it into sentences."""
        if self.block is None:
            return
        (start, end), own = self.block, kind or self.kind
        self.block, self.kind = None, "text"
        cuts = [(start, end)] if kind else _cut(self.text, start, end, self.lang)
        for place, (a, b) in enumerate(cuts):
            last = place == len(cuts) - 1
            announces = last and own != "heading" and _COLON.search(self.text[a:b].rstrip())
            self._add(a, b, "lead_in" if announces else own)

    def _paragraph(self, start: int, end: int) -> None:
        if self.block is not None and _continues(self.text[slice(*self.block)], self.text[start:end]):
            self.block = (self.block[0], end)
            return
        self.flush()
        self.listed = self.listed and self.text[start] in " \t"
        self.block, self.kind = (start, end), "item" if self.listed else "text"

    def _code(self, start: int, end: int) -> None:
        mark = _FENCE.match(self.text, start, end)
        if not self.fence and mark:
            self.flush()
            self.fence = mark[1]
        elif mark and mark[1].startswith(self.fence) and not self.text[mark.end() : end].strip():
            self.fence = ""
        else:
            self._add(start, end, "code")

    def _header_above(self) -> None:
        self.flush()
        self.table = True
        if self.found and self.found[-1].kind in ("row", "text"):
            self.found[-1] = replace(self.found[-1], kind="heading")

    def _underlines(self) -> bool:
        return self.block is not None and self.kind == "text" and "\n" not in self.text[slice(*self.block)]

    def _bullet(self, line: str) -> int:
        if mark := _BULLET.match(line):
            return mark.end()
        mark = _ORDINAL.match(line)
        if mark is None:
            return 0
        number = int(mark[1]) if mark[1].isdigit() else ord(mark[1]) - ord("a") + 1
        # "30. Juni ist die Frist" begins no list; "1." or the last number plus one does.
        if number != 1 and number != self.ordinal + 1:
            return 0
        self.ordinal = number
        return mark.end()

    def _add(self, start: int, end: int, kind: Kind) -> None:
        edges = " \t\r\n\f\v|" if kind in ("row", "heading") else None
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip(edges))
        end = start + len(piece.strip(edges))
        if any(c.isalnum() for c in self.text[start:end]):
            self.found.append(Unit(start, end, kind))


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _continues(before: str, line: str) -> bool:
    """Whether a line break inside a paragraph is only a margin: the sentence goes on behind it."""
    last = before.rsplit("\n", 1)[-1].rstrip()
    if _STOP.search(last):
        return not _COLON.search(last) and not _MARKERS.match(line) and _width(last) >= _WRAPPED
    return line.lstrip()[:1].islower() or _width(last) >= _WRAPPED


def _width(line: str) -> int:
    if line.isascii():
        return len(line)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def _cut(text: str, start: int, end: int, lang: str) -> list[tuple[int, int]]:
    piece = _SURROGATE.sub("\ufffd", text[start:end])
    cuts: list[tuple[int, int]] = []
    at = 0
    for segment in sentencex.segment(lang, piece):
        begin, at = at, at + len(segment)
        if cuts and (behind := _MARKERS.match(piece, begin, at)):
            cuts[-1] = (cuts[-1][0], behind.end())
            begin = behind.end()
        if begin < at:
            _append(cuts, piece, begin, at)
    return [(start + a, start + b) for a, b in cuts]


def _append(cuts: list[tuple[int, int]], piece: str, begin: int, end: int) -> None:
    if cuts:
        before, here = piece[cuts[-1][0] : cuts[-1][1]], piece[begin:end]
        quoted = before[-1:] in ("」", "』") and here[:1] not in ("「", "『", "\n", " ")  # 「はい。」と言った。
        if quoted or not _LETTER.search(before) or not any(c.isalnum() for c in here):
            cuts[-1] = (cuts[-1][0], end)
            return
    cuts.append((begin, end))
