"""Which lines of a PDF's pages are running heads, feet and page numbers.

They stand in a margin, apart from the body (on most pages, not where it is set wide), and come again on most pages from
their first to their last, or on every other one: at the same height, with the same words; a number in them stays as it
is or rises as the pages do. All else is body. Knows no Markdown. Try: python chunk.py report.pdf
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from statistics import median

from sources.formats.pdf_layout import Column, Line, Table

_MARGIN = 0.11  # of a page's height: where running heads and feet stand
_MOST_RUNNING = 4  # lines at each end
_SAME_PLACE = 6.0  # points
_APART = 1.4  # of the distance between two lines: farther from the body
_MOST_NUMBERS = 3  # in a line, told from page numbers
_NUMBER = re.compile(r"(?:[-–—|]\s*)?((?:page|seite|página|pág\.?|p\.|s\.)\s*)?(?:(\d{1,4})|[ivxlc]{1,6})"
                     r"(?:\s*(?:/|of|von|de|sur)\s*\d{1,4})?(?:\s*[-–—|])?", re.I)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Edge:
    """A line in a margin."""

    page: int
    top: bool
    line: Line
    apart: bool  # from the body
    alone: bool  # nothing else is on its page


def running(pages: Sequence[tuple[Sequence[Column], float]]) -> set[int]:
    """The id() of each Line that is left out, from the columns and the height of each page."""
    edges = [edge for number, (columns, height) in enumerate(pages) for edge in _edges(number, columns, height)]
    places: dict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    numbered: dict[tuple[bool, int], set[int]] = defaultdict(set)
    leaves: dict[bool, set[int]] = defaultdict(set)
    for edge in filter(lambda edge: edge.apart, edges):
        leaves[edge.top].add(edge.page)
        for key in _keys(edge):
            places[key].append((edge.page, edge.line.y))
        for offset in _offsets(edge):
            numbered[edge.top, offset].add(edge.page)
    found = set()
    for edge in edges:
        again = any(_comes_again(edge, places[key], len(pages)) for key in _keys(edge))
        counts = [len(numbered[edge.top, offset]) for offset in _offsets(edge)]
        titled = any(n >= 4 and 2 * n > len(leaves[edge.top]) for n in counts)  # "Chapter 2: Terms 17" on page 17
        if again or (edge.apart and (titled or _is_number(edge, max(counts, default=0)))):
            found.add(id(edge.line))
    return found


def _edges(number: int, columns: Sequence[Column], height: float) -> Iterator[_Edge]:
    things = sorted((thing for column in columns for thing in column.things), key=lambda thing: thing.y)
    lines = [thing.y for thing in things if isinstance(thing, Line)]
    gaps = [b - a for a, b in pairwise(lines) if b - a > 2]
    usual = median(gaps) if len(gaps) > 3 else 0.0
    for top, order in ((True, things), (False, things[::-1])):
        ends = order[: _MOST_RUNNING + 1]
        wide = [n for n, (a, b) in enumerate(pairwise(ends)) if _is_apart(a, b, usual, top)]
        last = len(ends) if len(things) == 1 else max(wide, default=-1)
        for n, thing in enumerate(ends[:_MOST_RUNNING]):
            if isinstance(thing, Line) and (thing.y if top else height - thing.y) <= _MARGIN * height:
                yield _Edge(number, top, thing, n <= last, len(things) == 1)


def _is_apart(outer: Line | Table, inner: Line | Table, usual: float, top: bool) -> bool:
    upper, lower = (outer, inner) if top else (inner, outer)
    size = max((thing.size for thing in (upper, lower) if isinstance(thing, Line)), default=0.0)
    return lower.y - (upper.y if isinstance(upper, Line) else upper.bottom) > _APART * max(usual, 1.2 * size)


def _keys(edge: _Edge) -> Iterator[tuple[str, ...]]:
    """The line with each of its numbers as it is, or as what it differs by from the page's."""
    text = " ".join(edge.line.text.casefold().split())
    parts = re.split(r"(\d+)", text)
    count = len(parts) // 2
    ways = product((False, True), repeat=count) if count <= _MOST_NUMBERS else [(False,) * count]
    for rises in ways:
        told = [
            f"@{int(part) - edge.page}" if n % 2 and len(part) <= 4 and part.isdecimal() and rises[n // 2] else part
            for n, part in enumerate(parts)
        ]
        yield (str(edge.top), *told)


def _comes_again(edge: _Edge, places: Sequence[tuple[int, float]], count: int) -> bool:
    same = sorted({page for page, y in places if abs(y - edge.line.y) <= _SAME_PLACE})
    if len(same) < 3:
        return len(same) == 2 and count <= 6
    span = same[-1] - same[0] + 1
    step = 2 if len({page % 2 for page in same}) == 1 else 1
    return 2 * len(same) > span / step


def _offsets(edge: _Edge) -> set[int]:
    """By how much a number at the line's beginning or end differs from the page's."""
    words = (edge.line.words[0].text, edge.line.words[-1].text)
    return {int(word) - edge.page for word in words if word.isdecimal() and len(word) <= 4}


def _is_number(edge: _Edge, count: int) -> bool:
    """Whether the line is nothing but a page's number."""
    match = _NUMBER.fullmatch(edge.line.text.strip())
    if not match:
        return False
    digits = match[2]
    return bool(match[1] or edge.alone or not digits or count > 1 or int(digits) == edge.page + 1)
