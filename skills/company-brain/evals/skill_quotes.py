"""Quotations and citations in an answer, and whether each stands in the named file on the named lines.

Reads the files' own bytes and asks no index: what is graded has no part in the grading. Every usual form is read, so
that no answer fails for its typography: block quotations, fences, quotation marks of any language; `path:L1-2`,
`path#L1-L2`, "path, lines 1-2". Knows lines only, no pages and no cells.
Try: python -c "import skill_quotes; print(skill_quotes.parse('> one two three four\n\n`a.md:L1-2`'))"
"""

import os
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

LEAST_WORDS = 4
"""A shorter quotation proves nothing: two words stand in any file."""
MOST_LINES = 40
"""A citation of more lines than the longest table of the demo documents points nowhere."""
FARTHEST = 400
"""Characters between a quotation and its citation."""
ALONE = "without a citation"

_SUFFIX = r"\.(?:md|markdown|txt|rst|html|pdf|docx|pptx|xlsx|csv|eml|ipynb)(?![0-9A-Za-z])"
_SIGN = r"0-9A-Za-z_À-ɏ.\-"  # Chinese stands before a bare path without a blank; other names need backticks
_PATH = rf"(?<![{_SIGN}/])(?:[{_SIGN}]+/)*[{_SIGN}]+{_SUFFIX}"
_NUMBER = r"\d{1,9}(?!\d)"
_TO = rf"(?:\s*(?:[-–—~至到]|to|bis|al?)\s*L?(?P<last%d>{_NUMBER}))?"
_CITATION = re.compile(
    rf"`(?P<path1>[^`\n]+?{_SUFFIX})[:#]L?(?P<first1>{_NUMBER}){_TO % 1}`"
    rf"|`?(?P<path2>{_PATH})`?(?:[:#]L?|[\s,:(（，、]*(?:lines?|zeilen?|l[ií]neas?|第|L)\s*L?)(?P<first2>{_NUMBER})"
    rf"{_TO % 2}(?:\s*行)?`?",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"`(?P<ticked>[^`\n]+?{_SUFFIX})`|(?P<bare>{_PATH})", re.IGNORECASE)
_BLOCK = re.compile(r"(?:^[ \t]*>.*(?:\n|$))+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?P<mark>```+|~~~+).*\n(?P<inside>(?s:.{0,5000}?))^[ \t]*(?P=mark)[ \t]*$", re.MULTILINE)
_MARKS = tuple((pair[0], pair[1]) for pair in ('""', "“”", "„“", "„”", "«»", "»«", "「」", "『』", "””"))
_INLINE = re.compile("|".join(f"{a}((?:[^{a}{b}\n]|\n(?!\\s*\n))+){b}" for a, b in _MARKS))
_CJK = r"぀-ヿ㐀-鿿가-힯"


@dataclass
class Citation:
    """A place that the answer names; `trouble` says what is wrong with it, `proved` that a quotation stands there."""

    path: str
    first: int | None  # None: a file named without lines
    last: int | None
    start: int
    end: int
    trouble: str = ""
    proved: bool = False

    def __str__(self) -> str:
        return self.path if self.first is None else f"{self.path}:L{self.first}-{self.last}"


@dataclass
class Quote:
    """A quotation of the answer; `at` is where it was found to stand, "" where it was not, `why` the reason then."""

    text: str
    start: int
    end: int
    at: str = ""
    why: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is long enough to prove anything."""
        return words(self.text) >= LEAST_WORDS


@dataclass
class Parsed:
    """An answer taken apart. `prose` is what is left without quotations and citations."""

    quotes: list[Quote] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    prose: str = ""


def words(text: str) -> float:
    """How many words; a character of a script without spaces is half a word."""
    dense = len(re.findall(f"[{_CJK}]", text))
    return dense / 2 + len(re.findall(r"[^\W_]+", re.sub(f"[{_CJK}]", " ", text)))


def parse(text: str) -> Parsed:
    """The quotations and citations of an answer, in order."""
    text = text.replace("\r\n", "\n")
    citations = [
        Citation(m["path1"] or m["path2"], first, int(m["last1"] or m["last2"] or first), m.start(), m.end())
        for m in _CITATION.finditer(text)
        for first in [int(m["first1"] or m["first2"])]
    ]
    blank = list(text)
    for citation in citations:
        _erase(blank, citation.start, citation.end)
    for named in _NAMED.finditer("".join(blank)):
        place = Citation(named["ticked"] or named["bare"], None, None, named.start(), named.end())
        if place.path not in {c.path for c in citations}:
            citations.append(place)
    quotes: list[Quote] = []
    for shape, group in ((_FENCE, "inside"), (_BLOCK, 0)):
        for found in shape.finditer("".join(blank)):
            start, end = found.span(group)
            quotes += _pieces(text, start, end, citations, r"^[ \t]*>[ \t]?" if shape is _BLOCK else r"^(?!)")
            _erase(blank, *found.span())
    for found in _INLINE.finditer("".join(blank)):
        quotes.append(Quote(_unmarked(text[slice(*found.span(found.lastindex or 0))]), *found.span()))
        if quotes[-1].counts:
            _erase(blank, *found.span())
    quotes = sorted((quote for quote in quotes if words(quote.text)), key=lambda quote: quote.start)
    return Parsed(quotes, sorted(citations, key=lambda citation: citation.start), "".join(blank))


def check(parsed: Parsed, docs: Path, own: frozenset[str] = frozenset()) -> None:
    """Marks every citation and quotation as proved or says why not, against the files under `docs`.

    `own` are `plain` texts that may stand in quotation marks without a citation: the question, searches.
    """
    for citation in parsed.citations:
        citation.trouble = _trouble(citation, docs)
    for quote in parsed.quotes:
        if not quote.counts:
            quote.why = f"fewer than {LEAST_WORDS} words"
            continue
        near = _near(quote, parsed)
        for citation in near:
            if not citation.trouble and whole(spaced(quote.text), _cited(citation, docs)):
                quote.at, citation.proved = str(citation), True
        if not quote.at:
            quote.why = "not, to the byte, at " + ", ".join(map(str, near)) if near else ALONE
    parsed.quotes = [q for q in parsed.quotes if q.why != ALONE or plain(q.text) not in own]
    for citation in parsed.citations:
        if not citation.trouble and not citation.proved:
            citation.trouble = "no quotation of it stands there"


def spaced(text: str) -> str:
    """The text with every run of blanks and line ends as one space; other bytes, hard spaces too, are untouched."""
    return re.sub(r"[ \t\r\n]+", " ", text).strip(" ")


def plain(text: str) -> str:
    """The text without what a repetition may change: case, blanks, marks at its ends."""
    return spaced(text).strip(" .,;:?!？。").casefold()


def unquoted(text: str) -> str:
    """The text without what stands in quotation marks, however short: to name words is not to say them."""
    return _INLINE.sub(" ", text)


def whole(part: str, text: str) -> bool:
    """Whether `part` stands in `text` with no word or figure cut at its ends ("8 days" does not stand in "28 days")."""
    before = r"(?<!\d)(?<!\d[.,])" if part[0].isdigit() else rf"(?<![^\W\d_{_CJK}])" if _letter(part[0]) else ""
    after = r"(?!\d)(?![.,]\d)" if part[-1].isdigit() else rf"(?![^\W\d_{_CJK}])" if _letter(part[-1]) else ""
    return re.search(before + re.escape(part) + after, text) is not None


def _letter(sign: str) -> bool:
    return sign.isalpha() and not re.match(f"[{_CJK}]", sign)


def _erase(blank: list[str], start: int, end: int) -> None:
    blank[start:end] = ["\n" if sign == "\n" else " " for sign in blank[start:end]]


def _pieces(text: str, start: int, end: int, citations: list[Citation], mark: str) -> list[Quote]:
    """A block's quotations: cut where a citation stands inside it."""
    inside = [c for c in citations if start <= c.start < end and c.first is not None]
    edges = [start, *(edge for c in inside for edge in (c.start, c.end)), end]
    pieces = []
    for number, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        piece = re.sub(mark, "", text[a:b], flags=re.MULTILINE)
        if number < len(inside):
            piece = re.sub(r"[\s(\[—–-]+$", "", piece)
        if number:
            piece = re.sub(r"^[\s)\].,;]+", "", piece)
        pieces.append(Quote(_unmarked(piece.strip(" \t\r\n")), a, b))
    return pieces


def _unmarked(text: str) -> str:
    """Without emphasis and quotation marks round the whole of it."""
    for a, b in (("**", "**"), ("*", "*"), ("_", "_"), *_MARKS):
        inner = text[len(a) : -len(b)]
        if text.startswith(a) and text.endswith(b) and inner and a not in inner and b not in inner:
            return _unmarked(inner)
    return text


def _near(quote: Quote, parsed: Parsed) -> list[Citation]:
    """The citation before the quotation and the one after, unless another paragraph's quotation lies between."""
    after = [c for c in parsed.citations if c.start >= quote.end and c.first is not None][:1]
    before = [c for c in parsed.citations if c.end <= quote.start and c.first is not None][-1:]
    return [c for c in after + before if _together(quote, c, parsed)]


def _together(quote: Quote, citation: Citation, parsed: Parsed) -> bool:
    a, b = (quote.end, citation.start) if citation.start >= quote.end else (citation.end, quote.start)
    between = [q for q in parsed.quotes if q.counts and q is not quote and a <= q.start < b]
    # prose is as long as the answer: what was taken out is blank there
    return b - a <= FARTHEST and (not between or re.search(r"\n\s*\n", parsed.prose[a:b]) is None)


def _trouble(citation: Citation, docs: Path) -> str:
    path = Path(citation.path)
    if path.is_absolute() or ".." in path.parts or not os.path.isfile(docs / path):
        return "no such document"
    if not (docs / path).resolve().is_relative_to(docs.resolve()):
        return "outside the documents"
    if citation.first is None or citation.last is None:
        return "named without lines"
    count = len(_lines(docs / path))
    if not 1 <= citation.first <= citation.last <= count:
        return f"no such lines, the file has {count}"
    if citation.last - citation.first >= MOST_LINES:
        return f"more than {MOST_LINES} lines"
    return ""


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig", errors="surrogateescape").split("\n")  # \r\n and \r are \n by now


def _cited(citation: Citation, docs: Path) -> str:
    return spaced("\n".join(_lines(docs / citation.path)[(citation.first or 1) - 1 : citation.last]))
