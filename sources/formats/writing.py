"""What the readers of formats write: Markdown that says what a person sees, with a place for each line.

A text is escaped only where it would turn into markup, so that quotes of it carry no backslashes. Paragraphs longer
than a passage are wrapped at sentence ends, which Markdown shows as they were. Knows no format.
Try: python -c "from sources.formats.writing import plain; print(plain('2 * 3 * 4, a *word*, <b>'))"
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from chunking.inline import trace
from sources.formats import Converted, Limits, Unreadable

_TRACED = 3900  # characters; a longer text is not parsed by `trace`
_WRAP = 500  # a passage has 900 characters by default and is cut between lines
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]{0,2}\s+|(?<=[。！？])")
_PUNCTUATION = r"!-/:-@\[-`{-~"
CODE, CODE_END = "\ue000", "\ue001"
"""What a reader puts around code within a line, and takes out of all that it reads."""
_MARKUP = re.compile(
    rf"\\(?=[{_PUNCTUATION}])|[*`]|(?<![^\W_])_|_(?![^\W_])|\[(?=[^\[\]]{{0,300}}\]\s?[(\[])|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w{1,40};)|(?<=\{)(?=[%{:.#<])"
)
_CODE = re.compile(f"{CODE}([^{CODE}{CODE_END}`]*){CODE_END}")
_ESCAPE = re.compile(rf"\\([{_PUNCTUATION}])")
_SUSPECT = re.compile(  # without one of these there is no markup: looking takes a fiftieth of parsing
    rf"\\(?=[{_PUNCTUATION}])|\*[^*]*\*|`[^`]*`|(?<![^\W_])_[^_]*_|\]\s?[(\[]|<[A-Za-z/!?]|&#?\w{{1,40}};|\{{[%{{:.#<]|!\["
)
_ANY_MARKUP = re.compile(rf"(?=[{_PUNCTUATION}])")
_BLOCK = re.compile(
    r"#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|```|~~~|[-=_*](?=[-=_*\s]*$)|[|:-](?=[|:\s-]*$)"
    r"|\[(?=[^\]]{1,300}\]:)|<(?=[A-Za-z/!?])"
)
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u2060\ufeff\ud800-\udfff\ufffe\uffff]"
)
_FIGURE = re.compile(r"[\W\d_]*\d[\W\d_]*[%€$£¥]?|\W*")
UP, UP_END, LOW, LOW_END = "\x0e", "\x0f", "\x10", "\x11"
"""What readers put around raised and lowered text; no document can hold them."""
_MARKED = re.compile(
    f"([^{UP}-{LOW_END}]{{0,3}})(?:{UP}([^{UP}-{LOW_END}]*){UP_END}|{LOW}([^{UP}-{LOW_END}]*){LOW_END})(?=(.?))",
    re.DOTALL,
)
_UP = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOW = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SMALL = re.compile(r"[\d+−=(),.\s-]*[\d+−-][\d+−=(),.\s-]*")
_TEN = re.compile(r"(?<!\d)10$")
_ORDINAL = re.compile(r"st|nd|rd|th|er|re|ère|e|ème|nde|[.ºª]", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d(?:\s?[/–-]\s?\d{2,4})?")
_MOST_REPEATED = 200  # characters of a merged cell that are told in each of its places
_MUCH_STRUCK = 0.1  # of the text
_MOST_COLUMNS = 256  # that merged cells make
_DEPTH = 8  # of lists; markdown-it stops at 20 levels of everything


def small(text: str) -> str:
    """Text with what stands between UP and UP_END, LOW and LOW_END raised and lowered: "m²", "H₂O", "10^6".

    It is never glued to a number before or after it: a superscript digit is read as a digit like any other.
    """
    if UP in text or LOW in text:
        text = text.replace(UP_END + UP, "").replace(LOW_END + LOW, "")
        for _ in range(4):  # raised inside of raised
            text = _MARKED.sub(_small, text)
    return text


def _small(match: re.Match[str]) -> str:
    before, up, low, after = match.groups()
    told = text = (low if up is None else up).strip()
    after_figure, glue = before[-1:].isdecimal(), ""
    if _SMALL.fullmatch(text):
        glue = " " if after_figure else ""
        if up is not None and after_figure and (_TEN.search(before) or sum(map(str.isdecimal, text)) > 2):
            glue = "^"  # three digits after a blank would be its thousands
        else:
            told = text.translate(_LOW if up is None else _UP)
    elif text.upper() == "TM":
        told = "™"
    elif up is not None and before[-1:].isalnum() and not (after_figure and _ORDINAL.fullmatch(text)):
        glue = "^" if text[:1] == "(" else ""
        told = f"^({text})" if text[:1].isalnum() and len(text) < 30 else text
        glue = glue or (" " if told[:1].isalnum() else "")
    elif after_figure and text[:1].isdecimal():
        glue = " "
    return before + glue + told + (" " if after.isdecimal() and told[-1:].isalnum() else "")


def line_of(text: str) -> str:
    """The text in one line, without characters that are not seen."""
    text = small(text)
    return " ".join(_INVISIBLE.sub("", text).split())


def plain(text: str) -> str:
    """One line of plain text as inline Markdown that shows it."""
    if _shows(text, text):
        return text
    for marks in (_MARKUP, _ANY_MARKUP):
        escaped = marks.sub(_escaped, text)
        if _shows(escaped, text):
            break
    return escaped


def _escaped(mark: re.Match[str]) -> str:
    return "\\" + mark.group()


def _shows(markdown: str, text: str) -> bool:
    if len(markdown) > _TRACED:  # escaped ones are not looked at again
        parts = (text[at : at + _TRACED] for at in range(0, len(text), _TRACED))
        return markdown != text or all(not _SUSPECT.search(part) or trace(part).text == part for part in parts)
    return not _SUSPECT.search(markdown) or trace(markdown).text == text


def _show_together(written: Sequence[str], raw: Sequence[str]) -> bool:
    joined = "  \n".join(written)
    if not _SUSPECT.search(joined) or len(joined) > _TRACED:
        return True
    return [" ".join(line.split()) for line in trace(joined).text.split("\n")] == list(raw)


def at_start(line: str) -> str:
    """An escaped line that begins no block."""
    mark = _BLOCK.match(line)
    if mark is None:
        return line
    at = mark.end() if mark.group().isdecimal() else 0
    return f"{line[:at]}\\{line[at:]}"


def _with_code(line: str) -> str:
    """What stands between CODE and CODE_END in backticks, as it is."""
    if CODE not in line and CODE_END not in line:
        return line
    parts = _CODE.split(line)
    parts[1::2] = ["`" + _ESCAPE.sub(r"\1", code) + "`" if code.strip() else code for code in parts[1::2]]
    return "".join(parts).replace(CODE, "").replace(CODE_END, "")  # of a span in two lines


def _wrapped(line: str) -> list[str]:
    if len(line) <= _WRAP:
        return [line]
    lines, start = [], 0
    ends = [m.end() for m in _SENTENCE_END.finditer(line)] + [len(line)]
    for end, following in zip_longest(ends, ends[1:], fillvalue=len(line) + _WRAP + 1):
        if following - start > _WRAP or end == len(line):
            part = line[start:end].strip()
            while len(part) > 2 * _WRAP and (space := part.find(" ", _WRAP)) > 0:
                lines.append(part[:space])
                part = part[space + 1 :]
            lines.append(part)
            start = end
    return [part for part in lines if part]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table before merged cells are resolved."""

    text: str
    columns: int = 1
    rows: int = 1
    head: bool = False


class Page:
    """A document's Markdown as it grows. Raises Unreadable when it grows over the limit."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lines: list[str] = []
        self._places: list[str] = []
        self._room = limits.characters
        self._kind = ""
        self._indent = 0  # of the last item
        self._count = 0
        self._struck = 0  # characters

    def leave_struck(self, text: str) -> None:
        """Counts a text that is struck through and so left out; much of it is told."""
        self._struck += len(text.strip())

    def next_block(self) -> str:
        """The place of the next block of a document without pages: "¶14"."""
        self._count += 1
        return f"¶{self._count}"

    def heading(self, level: int, text: str, place: str) -> bool:
        """A heading in one line; nothing (False) for an empty one."""
        text = line_of(text)
        if text:
            self.add([f"{'#' * min(max(level, 1), 6)} {plain(text)}"], place)
        return bool(text)

    def prose(self, text: str, place: str, before: str = "") -> None:
        """A paragraph; its newlines are line ends that a person sees. `before` stands before each line."""
        self.add([before + line for line in self._prose(text)], place)

    def wrapped(self, lines: Sequence[str], places: Sequence[str], before: str = "") -> None:
        """A paragraph whose lines were wrapped where they stand, each with its place."""
        told = [(line_of(line), place) for line, place in zip(lines, places, strict=True)]
        told = [(line, place) for line, place in told if line]
        raw = [line for line, _ in told]
        written = raw if _show_together(raw, raw) else [_MARKUP.sub(_escaped, line) for line in raw]
        self.add([before + at_start(line) for line in written], [place for _, place in told])

    def item(self, text: str, place: str, indent: int = 0, marker: str = "-", before: str = "") -> int:
        """An item of a list, without a blank line between items; returns how far what is in it is indented.

        A marker that Markdown does not know ("a)", "1.2", "(iv)") is text of the item.
        """
        if not re.fullmatch(r"[-*+]|\d{1,9}[.)]", marker):
            marker, text = "-", f"{marker} {text}" if marker else text
        indent, inner = min(indent, 4 * _DEPTH), min(indent, 4 * _DEPTH) + len(marker) + 1
        first, *rest = self._prose(text) or [""]
        lines = [f"{before}{' ' * indent}{marker} {first}", *(before + " " * inner + line for line in rest)]
        self.add(lines, place, kind="item" + before, apart=marker[:-1] not in ("", "1") and indent > self._indent)
        self._indent = indent
        return inner

    def more(self, text: str, place: str, before: str) -> None:
        """More lines of the item or paragraph just written."""
        lines = [before + line for line in self._prose(text)]
        if lines and self._lines and self._lines[-1]:
            self._lines[-1] = self._lines[-1].rstrip() + "  "
            self._take(lines, [place] * len(lines))

    def code(self, text: str, place: str | Sequence[str], info: str = "", before: str = "") -> None:
        """A fence with the text as it is; `place` is of all, or of each line of it."""
        written = _INVISIBLE.sub("", small(text).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)).rstrip()
        lines = written.split("\n")
        while lines and not lines[0].strip():
            lines = lines[1:]
        if not lines:
            return
        ticks = max([2, *(len(run) for run in re.findall(r"^\s*(`{3,})", written, re.MULTILINE))]) + 1
        fence = "`" * ticks
        places = [place] * len(lines) if isinstance(place, str) else list(place)[-len(lines) :]
        self.add(
            [before + line for line in (fence + info, *lines, fence)], [places[0], *places, places[-1]], kind="code"
        )

    def table(self, rows: Sequence[Sequence[Cell]], places: Sequence[str], head: int | None = None) -> None:
        """A pipe table with one header row; a table of one cell is a paragraph, an empty one nothing.

        `places` are the rows', `head` the number of header rows (None: as the cells say, or as the first row looks).
        """
        grid = resolved(rows)
        kept = [n for n, row in enumerate(grid) if any(row)]
        columns = [c for c in range(len(grid[0]) if grid else 0) if any(grid[n][c] for n in kept)]
        if len(kept) * len(columns) <= 1:
            for n in kept:
                self.prose(grid[n][columns[0]], places[n])
            return
        if head is None:
            marked = [n for n in kept if all(cell.head for cell in rows[n] if cell.text)]
            head = next((i for i, n in enumerate(kept) if n not in marked), len(kept))
            if not head and not any(cell.head for row in rows for cell in row):
                wide = any(1 < cell.columns < len(columns) for cell in rows[kept[0]])
                head = header_rows([[grid[n][c] for c in columns] for n in kept[:20]], wide)
        if head >= len(kept):
            head = 1 if len(kept) > 1 else 0
        names = [_joined(grid[n][c] for n in kept[:head]) for c in columns]
        first = places[kept[0]]
        self.add([_row(names), "|" + "---|" * len(columns)], first if head else "")
        for n in kept[head:]:
            self._take([_row(grid[n][c] for c in columns)], [places[n]])

    def add(self, lines: Sequence[str], place: str | Sequence[str], kind: str = "", apart: bool = False) -> None:
        """A block of ready Markdown lines, after a blank line unless it goes on with a list (`apart`: even then).

        A list that begins with another number than 1 is none without a blank line before it.
        """
        if not lines:
            return
        if self._lines and (apart or kind != self._kind or not kind.startswith("item")):
            self._take([""], [self._places[-1]])
        self._kind = kind
        self._take(lines, [place] * len(lines) if isinstance(place, str) else place)

    def converted(self, meta: Mapping[str, str] | None = None, notes: Iterable[str] = ()) -> Converted:
        """What was written. Raises Unreadable when that is no word."""
        text = "\n".join(self._lines) + "\n"
        if not any(char.isalnum() for char in text):
            raise Unreadable("holds no text")
        told = {key: line_of(value) for key, value in (meta or {}).items()}
        if self._struck > _MUCH_STRUCK * (self._struck + len(text)):
            notes = [*notes, f"{self._struck:,} characters that are struck through are left out"]
        return Converted(text, tuple(self._places), {k: v for k, v in told.items() if v}, tuple(dict.fromkeys(notes)))

    def _take(self, lines: Sequence[str], places: Sequence[str]) -> None:
        self._room -= sum(map(len, lines)) + len(lines)
        if self._room < 0:
            raise Unreadable(f"its text is longer than {self._limits.characters / 1e6:g} MB (BRAIN_MAX_FILE_MB)")
        self._lines += lines
        self._places += places

    def _prose(self, text: str) -> list[str]:
        parts = [line_of(part) for part in text.split("\n")]
        parts = [part for part in parts if part]
        wrapped = [_wrapped(part) for part in parts]
        raw = [line for lines in wrapped for line in lines]
        told = [plain(line) for line in raw]
        for marks in (_MARKUP, _ANY_MARKUP):
            if len(raw) < 2 or _show_together(told, raw):
                break
            told = [marks.sub(_escaped, line) for line in raw]  # marks in two lines that make a pair
        told = [_with_code(at_start(line)) for line in told]
        at = 0
        for lines in wrapped[:-1]:
            at += len(lines)
            told[at - 1] += "  "
        return told


def resolved(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Rows of equal length: what a merged cell says stands in each of its places, once where it is a whole row."""
    several = [sum(cell.columns for cell in row) for row in rows if len(row) > 1]
    width = min(max(several, default=1), _MOST_COLUMNS)
    grid: list[list[str]] = []
    waiting: dict[int, tuple[int, str]] = {}  # column -> rows to come, text
    for row in rows:
        line: dict[int, str] = {}
        column = 0
        for place, (left, text) in list(waiting.items()):
            line[place] = text
            waiting[place] = (left - 1, text)
            if left <= 1:
                del waiting[place]
        for cell in row:
            while column in line:
                column += 1
            text = line_of(cell.text)
            again = text if len(text) <= _MOST_REPEATED else ""
            span = max(1, min(cell.columns, width - column))
            whole = span == width > 1 and not cell.head
            for at in range(column, column + span):
                line[at] = text if at == column else ("" if whole else again)
                if cell.rows > 1:
                    waiting[at] = (cell.rows - 1, "" if whole else again)
            column += span
        grid.append([line.get(c, "") for c in range(max([width, *(c + 1 for c in line)]))])
    most = max(map(len, grid), default=0)
    return [line + [""] * (most - len(line)) for line in grid]


def header_rows(rows: Sequence[Sequence[str]], wide: bool) -> int:
    """How many rows of an unmarked table name its columns: two where the first has cells over several (`wide`)."""
    if wide and len(rows) > 2 and looks_like_header([list(map(_joined, zip(*rows[:2], strict=True))), *rows[2:]]):
        return 2
    return looks_like_header(rows)


def looks_like_header(rows: Sequence[Sequence[str]]) -> int:
    """1 when the first row of an unmarked table reads like names of columns, else 0."""
    if len(rows) < 2:
        return 0
    first, rest = rows[0], rows[1:]
    if sum(not name for name in first) > (1 if not first[0] else 0) or len(set(first)) < len(first):
        return 0
    columns = [[row[c] for row in rest if row[c : c + 1] not in ([], [""])] for c in range(len(first))]
    for at, name in enumerate(first):
        year = at > 0 and _YEAR.fullmatch(name) and not any(map(_YEAR.fullmatch, columns[at]))
        if name and ((_FIGURE.fullmatch(name) and not year) or len(name) > 60 or _is_sentence(name)):
            return 0
    colons = sum(name.endswith(":") for name in first)
    if 0 < colons < len(first):
        return 0
    if len(first) > 2:
        return 1
    kinds = [{bool(_FIGURE.fullmatch(cell)) for cell in cells} for cells in columns]  # two may be a name and its value
    if any(len(cells) > 1 and kind == {True} for cells, kind in zip(columns, kinds, strict=True)):
        return 1
    words = all(len(cells) > 1 for cells in columns) and all(kind == {False} for kind in kinds)
    return int(words and not any(cell.endswith(":") for cell in columns[0]))


def _is_sentence(name: str) -> bool:
    """Not "Nr." and the like."""
    return name.endswith(".") and (len(name) > 15 or name.count(" ") > 1)


def joined_pieces(pieces: Iterable[str]) -> str:
    """Paragraphs of one cell in one line: with "; " after one that ends in no punctuation."""
    told = ""
    for piece in filter(None, map(line_of, pieces)):
        told += (" " if told[-1:] in ".:;,!?。！？…–-" else "; ") + piece if told else piece
    return told


def roman(number: int) -> str:
    """1 to 3999 in small Roman figures."""
    values = (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")
    told = ""
    for value, figure in (*values, (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        told += figure * (number // value)
        number %= value
    return told


def _joined(names: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(filter(None, names)))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(plain(cell).replace("|", "\\|") for cell in cells) + " |"
