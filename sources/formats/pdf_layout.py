"""The words of a PDF's page -> lines, columns and tables in the order in which a person reads them.

Columns are told from tables by their prose: a gutter that many lines keep, with long lines on both sides. A table is
what lines are drawn around, or rows whose cells stand below each other. Knows no fonts' meaning and no Markdown.
Try: python chunk.py report.pdf
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from sources.formats.pdf_page import SOFT, Box, Page, Word
from sources.formats.pdf_words import is_script, join_script, told

_SAME_ROW = 0.35  # of a size: words whose baselines differ by less stand in one row
_GAP = 1.15  # of a size: a wider space parts cells, a narrower one words
_INDENT = 3.0  # of a size: what stands farther from the mark of an item does not belong to it
_NEAR = 2.5  # points: lines that lie closer are one
_LEAST_COLUMN_ROWS = 5
BULLETS = "•◦▪‣·●○■□–—-*➢►✓✔"
MARKED = re.compile(rf"(?:[{re.escape(BULLETS)}]|o|\(?\d{{1,3}}[.)]|\(?[a-zA-Z][.)])")
"""A word that begins an item of a list."""


@dataclass(slots=True)
class Line:
    """Words that stand beside each other, from left to right."""

    words: list[Word]
    y: float = 0.0
    x0: float = 0.0
    x1: float = 0.0
    size: float = 0.0
    bold: bool = False
    text: str = ""  # the words with a space between them

    def __post_init__(self) -> None:
        self.words.sort(key=lambda word: word.x0)
        self.y = median(word.y for word in self.words)
        self.x0, self.x1 = self.words[0].x0, max(word.x1 for word in self.words)
        sizes: dict[float, int] = {}
        for word in self.words:
            sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
        self.size = max(sizes, key=lambda size: (sizes[size], size))
        self.bold = sum(len(word.text) for word in self.words if word.bold) > 0.7 * sum(sizes.values())
        self.text = told(self.words)


@dataclass(slots=True)
class Table:
    """Cells by row; each row of the same length."""

    rows: list[list[str]]
    edges: list[float]  # of the columns
    y: float
    bottom: float
    x0: float
    x1: float


@dataclass(slots=True)
class Column:
    """Lines and tables from top to bottom, between two edges."""

    x0: float
    x1: float
    things: list[Line | Table] = field(default_factory=list)


_Row = Line | Table


def columns(page: Page) -> list[Column]:
    """The page's columns in reading order; one that spans the page comes where it stands between narrower ones."""
    tables, words = _ruled(page)
    rows: list[_Row] = [*_rows(words), *tables]
    rows.sort(key=lambda row: row.y)
    found: list[Column] = []
    for group in _parted(rows):
        lines: list[_Row] = _with_aligned(group, page.across)
        found.append(Column(min(r.x0 for r in group), max(r.x1 for r in group), lines))
    return found


def _rows(words: Sequence[Word]) -> list[Line]:
    groups: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.y):
        if groups and abs(word.y - groups[-1][0].y) <= _SAME_ROW * min(word.size, groups[-1][0].size):
            groups[-1].append(word)
        else:
            groups.append([word])
    lines: list[Line] = []
    for group in groups:
        line = Line(group)
        scripts = [word for word in group if is_script(word, line.y, line.size)]
        line = Line([word for word in group if word not in scripts]) if scripts else line
        lines.append(_joined(line, scripts))
    return _with_raised(lines)


def _with_raised(lines: list[Line]) -> list[Line]:
    """Small raised or lowered characters (m², a footnote's number) join the line that they stand in."""
    kept: list[Line] = []
    for at, line in enumerate(lines):
        small = len(line.words) <= 6 and sum(len(word.text) for word in line.words) <= 4 * len(line.words)
        beside = [lines[n] for n in (at - 1, at + 1) if 0 <= n < len(lines)]
        host = next((
            other for other in beside
            if small and abs(other.y - line.y) < 0.6 * other.size and line.size < 0.85 * other.size
            and other.x0 - other.size < line.x0 and line.x1 < other.x1 + other.size
        ), None)  # fmt: skip
        if host:
            _joined(host, line.words)
        else:
            kept.append(line)
    return kept


def _joined(line: Line, scripts: Sequence[Word]) -> Line:
    for word in scripts:
        join_script(line.words, line.y, line.size, word)
    if scripts:
        line.__post_init__()
    return line


def pieces(line: Line) -> list[list[Word]]:
    """The words of a line, parted where a space is wider than one between words."""
    found = [[line.words[0]]]
    for before, word in pairwise(line.words):
        if word.x0 - before.x1 > _GAP * max(before.size, word.size):
            found.append([word])
        else:
            found[-1].append(word)
    return found


def _spans(row: _Row) -> list[tuple[float, float]]:
    if isinstance(row, Table):
        return [(row.x0, row.x1)]
    found: list[tuple[float, float]] = []
    before = None  # the mark of an item: no cell, but the beginning of what follows it
    for piece in pieces(row):
        x0, x1 = piece[0].x0, max(word.x1 for word in piece)
        if before and x0 - before.x1 < _INDENT * before.size:
            x0 = found.pop()[0]
        found.append((x0, x1))
        before = piece[0] if len(piece) == 1 and MARKED.fullmatch(piece[0].text) else None
    return found


def _parted(rows: list[_Row]) -> list[list[_Row]]:
    """Groups of rows, each one column, in reading order."""
    if len(rows) < 2 * _LEAST_COLUMN_ROWS:
        return [rows] if rows else []
    x0, x1 = min(row.x0 for row in rows), max(row.x1 for row in rows)
    best: tuple[int, int, int, float] | None = None
    spans = [_spans(row) for row in rows]
    for step in range(20, 81, 2):
        x = x0 + (x1 - x0) * step / 100
        for first, stop in _free(spans, x):
            while first < stop and _is_cells(spans[first], x0, x1, x):
                first += 1
            while stop > first and _is_cells(spans[stop - 1], x0, x1, x):
                stop -= 1
            count = min(_prose(rows[first:stop], spans[first:stop], x0, x1, x, left) for left in (True, False))
            if count >= _LEAST_COLUMN_ROWS and (best is None or (count, stop - first) > (best[0], best[2] - best[1])):
                best = count, first, stop, x
    if best is None:
        return [rows]
    _, first, stop, x = best
    inside = rows[first:stop]
    left, right = _halves(inside, x)
    return [*_parted(rows[:first]), *_parted(left), *_parted(right), *_parted(rows[stop:])]


def _free(spans: Sequence[Sequence[tuple[float, float]]], x: float) -> list[tuple[int, int]]:
    """Runs of rows in which nothing stands at x, and beside it no cells of a table."""
    runs, start = [], 0
    for n, row in enumerate([*spans, [(x, x)]]):
        sides = [sum(b < x for _, b in row), sum(a > x for a, _ in row)]
        if any(a - 1 <= x <= b + 1 for a, b in row) or (min(sides) and max(sides) > 1):  # text, or cells of a table
            if n > start:
                runs.append((start, n))
            start = n + 1
    return runs


def _is_cells(parts: Sequence[tuple[float, float]], x0: float, x1: float, x: float) -> bool:
    """Whether a row looks like one of a table above or below the columns that are parted at x."""
    left, right = [part for part in parts if part[1] < x], [part for part in parts if part[0] > x]
    short = left and right and left[-1][1] - left[0][0] < (x - x0) / 2 and right[-1][1] - right[0][0] < (x1 - x) / 2
    return bool(short)


def _prose(
    rows: Sequence[_Row], spans: Sequence[Sequence[tuple[float, float]]], x0: float, x1: float, x: float, left: bool
) -> int:
    """How many rows have text on this side of x, 0 where it does not read like the lines of a column."""
    widths, words, count = [], [], 0
    for row, parts in zip(rows, spans, strict=True):
        own = [(a, b) for a, b in parts if (b < x) == left]
        if not own:
            continue
        count += 1
        if isinstance(row, Line):
            widths.append(max(b for _, b in own) - min(a for a, _ in own))
            words.append(sum((word.x1 < x) == left for word in row.words))
    room = (x - x0) if left else (x1 - x)
    if not widths or median(widths) < 0.6 * room or median(words) < 3:
        return 0
    return count


def _halves(rows: Sequence[_Row], x: float) -> tuple[list[_Row], list[_Row]]:
    left: list[_Row] = []
    right: list[_Row] = []
    for row in rows:
        if isinstance(row, Table):
            (left if row.x1 < x else right).append(row)
            continue
        for side, words in ((left, [w for w in row.words if w.x1 < x]), (right, [w for w in row.words if w.x1 >= x])):
            if words:
                side.append(Line(words))
    return left, right


def _ruled(page: Page) -> tuple[list[Table], list[Word]]:
    """Tables that are drawn with lines, and the words outside them."""
    words = page.words
    found: list[Table] = []
    for across, down in _grids(page):
        xs, ys = _merged([line[0] for line in down]), _merged([line[1] for line in across])
        if len(xs) < 3 or len(ys) < 2:
            continue
        inside = [w for w in words if xs[0] - 1 <= (w.x0 + w.x1) / 2 <= xs[-1] + 1 and ys[0] <= _middle(w) <= ys[-1]]
        table = _filled(inside, xs, ys, across, down)
        if table and sum(bool(cell) for row in table.rows for cell in row) >= 3:
            gone = {id(word) for word in inside}
            words = [word for word in words if id(word) not in gone]
            found.append(table)
    return found, words


def _middle(word: Word) -> float:
    return word.y - 0.3 * word.size


def _grids(page: Page) -> list[tuple[list[Box], list[Box]]]:
    """Lines that cross or touch each other, group by group."""
    lines = [(line, True) for line in page.across] + [(line, False) for line in page.down]
    if len(lines) > 3000 or not page.down:
        return []
    group = list(range(len(lines)))

    def root(n: int) -> int:
        while group[n] != n:
            group[n] = group[group[n]]
            n = group[n]
        return n

    order = sorted(range(len(page.across)), key=lambda n: page.across[n][1])
    ys = [page.across[n][1] for n in order]
    for at, (x, y0, _, y1) in enumerate(page.down, len(page.across)):
        for k in range(bisect_left(ys, y0 - _NEAR), bisect_right(ys, y1 + _NEAR)):
            a, _, b, _ = page.across[order[k]]
            if a - _NEAR <= x <= b + _NEAR:
                group[root(order[k])] = root(at)
    found: dict[int, tuple[list[Box], list[Box]]] = {}
    for n, (line, is_across) in enumerate(lines):
        found.setdefault(root(n), ([], []))[0 if is_across else 1].append(line)
    return _joined_grids([(a, d) for a, d in found.values() if a and d])


def _joined_grids(grids: list[tuple[list[Box], list[Box]]]) -> list[tuple[list[Box], list[Box]]]:
    """Boxes drawn cell by cell without touching make one grid where they overlap or lie side by side."""
    boxes = [
        (
            min(one[0] for one in both),
            min(one[1] for one in both),
            max(one[2] for one in both),
            max(one[3] for one in both),
        )
        for both in (across + down for across, down in grids)
    ]
    if len(grids) > 400:
        return grids
    made: list[tuple[list[Box], list[Box], Box]] = []
    for (a, d), box in sorted(zip(grids, boxes, strict=True), key=lambda pair: (pair[1][1], pair[1][0])):
        for n, (other_a, other_d, other) in enumerate(made):
            if all(box[i] <= other[i + 2] + _NEAR and other[i] <= box[i + 2] + _NEAR for i in (0, 1)):
                joined = (*(min(box[i], other[i]) for i in (0, 1)), *(max(box[i], other[i]) for i in (2, 3)))
                made[n] = other_a + a, other_d + d, (joined[0], joined[1], joined[2], joined[3])
                break
        else:
            made.append((a, d, box))
    return [(a, d) for a, d, _ in made]


def _merged(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _NEAR:
            kept.append(value)
    return kept


def _filled(
    words: Sequence[Word], xs: list[float], ys: list[float], across: Sequence[Box], down: Sequence[Box]
) -> Table | None:
    """The words by cell; cells between which no line is drawn are one."""
    wide, high = len(xs) - 1, len(ys) - 1
    if wide * high > 20_000:
        return None
    held: dict[tuple[int, int], list[Word]] = {}
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for r in range(high):
        for c in range(wide):
            y, x = (ys[r] + ys[r + 1]) / 2, (xs[c] + xs[c + 1]) / 2
            left = c and not any(abs(a - xs[c]) <= _NEAR and b - _NEAR <= y <= d + _NEAR for a, b, _, d in down)
            above = r and not any(abs(b - ys[r]) <= _NEAR and a - _NEAR <= x <= d + _NEAR for a, b, d, _ in across)
            owner[r, c] = owner[r, c - 1] if left else owner[r - 1, c] if above else (r, c)
    for word in words:
        r = max(sum(y <= _middle(word) for y in ys) - 1, 0)
        c = max(sum(x <= (word.x0 + word.x1) / 2 for x in xs) - 1, 0)
        held.setdefault(owner[min(r, high - 1), min(c, wide - 1)], []).append(word)
    rows = [[_cell(held.get((r, c), ())) for c in range(wide)] for r in range(high)]
    rows = [row for row in rows if any(row)]
    used = [c for c in range(wide) if any(row[c] for row in rows)]
    if len(used) < 2:
        return None
    edges = [xs[c] for c in used]
    return Table([[row[c] for c in used] for row in rows], edges, ys[0], ys[-1], xs[0], xs[-1])


def _cell(words: Sequence[Word]) -> str:
    """The text of a cell: its lines joined, hyphens at their ends resolved."""
    text = ""
    for line in _rows(words):
        text = unbroken(text, line.text) if text else line.text
    return text.replace(SOFT, "-" if text.endswith(SOFT) else "")


def unbroken(text: str, following: str) -> str:
    """Both in one: a word parted at the line's end is whole again."""
    if text.endswith(SOFT):
        text = f"{text[:-1]}-"
    parted = text.endswith("-") and text[-2:-1].isalnum()
    if parted and following[:1].islower():
        return text[:-1] + following
    return f"{text}{'' if parted else ' '}{following}"


def _with_aligned(rows: list[_Row], rules: Sequence[Box]) -> list[_Row]:
    """The rows, those whose cells stand below each other made tables."""
    found: list[_Row] = []
    at = 0
    while at < len(rows):
        stop = at
        while stop < len(rows) and _may_be_cells(rows, at, stop):
            stop += 1
        lines = [row for row in rows[at:stop] if isinstance(row, Line)]
        table = _aligned(lines, rules)
        if table:
            step = 1.3 * median(b.y - a.y for a, b in pairwise(lines))
            while stop < len(rows) and _keeps_to(table.edges, rows[stop], rows[stop].y - lines[-1].y, step):
                lines.append(rows[stop])  # type: ignore[arg-type]
                stop += 1
            while found and _keeps_to(table.edges, found[-1], lines[0].y - found[-1].y, step):
                lines.insert(0, found.pop())  # type: ignore[arg-type]
            found.append(_aligned(lines, rules, table.edges) or table)
            at = stop
        else:
            found.append(rows[at])
            at += 1
    return found


def _keeps_to(edges: Sequence[float], row: _Row, gap: float, most: float) -> bool:
    """Whether a row beside a table is one of it, its cells too near to each other to be told by their gaps."""
    if not isinstance(row, Line) or gap > (2 * most if row.bold else most):
        return False
    if any(word.x0 < edge - 1.5 and word.x1 > edge for word in row.words for edge in edges[1:]):
        return False
    if row.bold and len({bisect_right(edges, word.x0 + 1) for word in row.words} - {0}) == len(edges):
        return True  # a header in the middle of its columns
    starts = any(abs(word.x0 - edge) <= 1.5 for word in row.words for edge in edges[1:])
    return starts and gap <= most and abs(row.x0 - edges[0]) <= _NEAR


def _may_be_cells(rows: list[_Row], first: int, at: int) -> bool:
    row = rows[at]
    if not isinstance(row, Line):
        return False
    if at > first and row.y - rows[at - 1].y > 3.2 * row.size:
        return False
    parts = pieces(row)
    if MARKED.fullmatch(parts[0][0].text) and len(parts) == 2 and len(parts[0]) == 1:
        return False
    # A cell of several lines goes on below with nothing beside it, but not in the first column.
    goes_on = at > first and len(parts) == 1 and row.x0 > min(r.x0 for r in rows[first:at]) + 2 * row.size
    return len(parts) >= 2 or (goes_on and row.y - rows[at - 1].y < 1.6 * row.size)


def _edges(lines: Sequence[Line]) -> list[float]:
    """Where the columns begin that the cells of these lines keep to; none for fewer than three lines with cells."""
    full = [line for line in lines if len(pieces(line)) >= 2]
    if len(full) < 3:
        return []
    spans = sorted(span for line in full for span in _spans(line))
    merged = [list(spans[0])]
    for a, b in spans[1:]:
        if a <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], b)
        else:
            merged.append([a, b])
    return sorted({*(a for a, _ in merged), *_close_edges(full, [a for a, _ in merged])})


def _close_edges(lines: Sequence[Line], known: Sequence[float]) -> Iterator[float]:
    """Where further columns begin, too near to the one before to be told by each row's gap.

    Most rows have a word there, behind more than the space between two words, and none crosses it.
    """
    starts: dict[int, list[tuple[float, float]]] = {}  # by place: where exactly, and behind how wide a gap
    for line in lines:
        for before, word in pairwise(line.words):
            starts.setdefault(round(word.x0 / 3), []).append((word.x0, (word.x0 - before.x1) / word.size))
    for found in starts.values():
        edge = min(x for x, _ in found)
        if len(found) < max(3, 0.6 * len(lines)) or median(gap for _, gap in found) < 0.6:
            continue
        crossed = any(word.x0 < edge - 1.5 and word.x1 > edge for line in lines for word in line.words)
        if not crossed and all(abs(edge - other) > 6 for other in known):
            yield edge


def _aligned(lines: list[Line], rules: Sequence[Box], edges: Sequence[float] = ()) -> Table | None:
    """A table of at least three rows whose cells keep to common columns, or None."""
    edges = edges or _edges(lines)
    if len(edges) < 2:
        return None
    rows: list[list[list[Word]]] = []
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    rules = [(a, y, b, y) for a, y, b, _ in rules if min(b, x1) - max(a, x0) > 0.8 * (x1 - x0)]
    rules = [rule for rule in rules if lines[0].y < rule[1] < lines[-1].y]
    ends = [*edges[1:], max((rule[2] for rule in rules), default=x1)]
    for before, line in pairwise([None, *lines]):
        assert line is not None
        cells: list[list[Word]] = [[] for _ in edges]
        for word in line.words:
            cells[max(sum(edge <= word.x0 + 1 for edge in edges) - 1, 0)].append(word)
        filled = sum(bool(cell) for cell in cells)
        unruled = before and len(rules) > 1 and not any(before.y < rule[1] < line.y for rule in rules)
        if rows and ((filled == 1 and not cells[0]) or (unruled and _wraps(rows[-1], cells, ends))):
            for cell, more in zip(rows[-1], cells, strict=True):
                cell += more
        else:
            rows.append(cells)
    if sum(sum(bool(cell) for cell in row) >= 2 for row in rows) < 0.8 * len(rows):
        return None
    texts = [[_cell(cell) for cell in row] for row in rows]
    if len(rules) < 2 and median(len(text) for row in texts for text in row if text) > 60:
        return None
    return Table(texts, list(edges), lines[0].y, lines[-1].y, x0, x1)


def _wraps(row: Sequence[Sequence[Word]], cells: Sequence[Sequence[Word]], ends: Sequence[float]) -> bool:
    """Whether each of these cells goes on with the one above: its first word had no room there."""
    for above, cell, end in zip(row, cells, ends, strict=True):
        if cell and not above:
            return False
        if cell:
            last = max(word.y for word in above)
            stop = max(word.x1 for word in above if last - word.y < 0.5 * word.size)
            if stop + cell[0].x1 - cell[0].x0 < end - 1.6 * cell[0].size:
                return False
    return True
