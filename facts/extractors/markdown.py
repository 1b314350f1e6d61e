"""A Markdown page's headings and pipe tables with their lines, found in one pass. Code and comments hold none.

Knows no facts. A parser of the whole of CommonMark would take twenty times as long for what is needed here.
Try: python -c "from facts.extractors.markdown import page; print(page(('# A', '|b|c|', '|-|-|', '|1|2|')).tables)"
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_MOST_CELLS, _MOST_LINE = 200, 100_000
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DELIMITER = re.compile(r":?-+:?")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: how deep, its words with markup, its line."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells with markup, its line and the line's text without blanks at its end."""

    cells: tuple[str, ...]
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Table:
    """A pipe table, and the headings that it stands under, the outermost first."""

    head: Row
    rows: tuple[Row, ...]
    under: tuple[Heading, ...]


@dataclass(slots=True)
class Page:
    """What there is on a page. `shown` tells of each line whether it is text: no code, comment or front matter."""

    headings: list[Heading] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    shown: list[bool] = field(default_factory=list)
    front: int = 0  # lines of front matter


def page(lines: Sequence[str]) -> Page:
    """The page in these lines, which are counted from 1."""
    found = Page(front=_front(lines))
    found.shown = _shown(lines, found.front)
    under: list[Heading] = []
    at = found.front
    while at < len(lines):
        line = lines[at]
        if not found.shown[at] or len(line) > _MOST_LINE:
            at += 1
            continue
        heading = _heading(lines, at, found.shown)
        if heading:
            under = [*(one for one in under if one.level < heading.level), heading]
            found.headings.append(heading)
        elif "|" in line and at + 1 < len(lines) and found.shown[at + 1] and _is_head(line, lines[at + 1]):
            table = _table(lines, at, found.shown, tuple(under))
            found.tables.append(table)
            at = table.rows[-1].line if table.rows else at + 2
            continue
        at += 1
    return found


def quote_of(lines: Sequence[str], first: int, last: int) -> str:
    """The lines first to last, whole, without blanks at their ends: how a statement quotes them."""
    return "\n".join(line.rstrip() for line in lines[first - 1 : last])


def _front(lines: Sequence[str]) -> int:
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    marks = (n + 1 for n in range(1, min(len(lines), 300)) if lines[n].rstrip() in ("---", "..."))
    return next(marks, 0)


def _shown(lines: Sequence[str], front: int) -> list[bool]:
    shown, fence, in_comment, in_code = [False] * len(lines), "", False, False
    is_blank = True
    for at in range(front, len(lines)):
        line = lines[at]
        if fence:
            mark = _FENCE.match(line)
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
            continue
        if in_comment or line.lstrip().startswith("<!--"):
            in_comment = "-->" not in line
            continue
        mark = _FENCE.match(line)
        if mark and "`" not in line[mark.end() :]:
            fence = mark[1]
            continue
        is_indented = line.startswith(("    ", "\t"))
        in_code = is_indented and (in_code or is_blank)
        if line.strip():
            shown[at] = not in_code
        is_blank = not line.strip()
        in_code = in_code or (is_blank and in_code)
    return shown


def _heading(lines: Sequence[str], at: int, shown: Sequence[bool]) -> Heading | None:
    line = lines[at]
    mark = _HEADING.match(line)
    if mark:
        return Heading(len(mark[1]), _CLOSING.sub("", line[mark.end() :]).strip(), at + 1)
    below = lines[at + 1].strip() if at + 1 < len(lines) and shown[at + 1] else ""
    is_alone = at == 0 or not shown[at - 1]
    if len(below) > 1 and is_alone and set(below) in ({"="}, {"-"}) and line.strip()[:1] not in "|-*>+":
        return Heading(1 if below[0] == "=" else 2, line.strip(), at + 1)
    return None


def _is_head(line: str, below: str) -> bool:
    """Whether a line is a table's head: a delimiter row with as many cells below it."""
    if "-" not in below or "|" not in below or len(below) > _MOST_LINE or not set(below) <= set("|:- \t\r"):
        return False
    marks = cells_of(below)
    return all(map(_DELIMITER.fullmatch, marks)) and len(cells_of(line)) == len(marks)


def _table(lines: Sequence[str], at: int, shown: Sequence[bool], under: tuple[Heading, ...]) -> Table:
    head = _row(lines, at)
    rows, end = [], at + 2
    while end < len(lines) and shown[end] and "|" in lines[end] and len(lines[end]) <= _MOST_LINE:
        rows.append(_row(lines, end))
        end += 1
    return Table(head, tuple(rows), under)


def _row(lines: Sequence[str], at: int) -> Row:
    return Row(cells_of(lines[at]), at + 1, lines[at].rstrip())


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a row; a pipe that is escaped parts none."""
    line = line.strip()
    inner = line[1:] if line.startswith("|") else line
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip() for cell in _PIPE.split(inner, _MOST_CELLS)[:_MOST_CELLS])
