"""Secrets that are told by their name: "Passwort: ...", `api_key=...`, "the password is ...", a table's column.

The weaker the link between name and value, the more the value itself must look like a secret. Knows lines, no document.
Try: python -m eval.secrets --half open --misses 3
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from masking import guards
from masking.names import COUNTED, CUES, NAME, OTHER, VERB
from masking.shapes import CONNECTION, KEY, PASSWORD, TOKEN, Span

_OPEN = "`\"'“„«‘‚「『*_ "
_CLOSE = {"`": "`", '"': '"', "'": "'", "“": "”", "„": "“”", "«": "»", "‘": "’", "‚": "‘’", "「": "」", "『": "』"}
_TAIL = re.compile(r"[\w-]{0,60}(?:\s?\([^()\"']{0,30}\))?")
_SET = re.compile(
    r"[\"'`*_\])]{0,9}\s{0,40}(?P<tight>=>|:=|\((?=[\"'])|[:=：＝]|\"?\s{1,9}value\s?[=:]|>)(?![=:/])\s{0,40}"
    r"|[\"'`*_]{0,9}\s{0,40}\|\s{0,40}(?P<cell>)|(?P<near>[\"'`*_]{0,9}(?:[\s,]|<br ?/?>)\s{0,40})"
)
_FAR = re.compile(rf"[^.:=|!?;&\[\]\n\"`]{{0,40}}?[\s\"'`*_)]{{0,9}}(?P<verb>{VERB})\s{{0,9}}", re.IGNORECASE)
_VALUE = re.compile(r"[^\s|`\"“”„«»\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef\uac00-\ud7af\0-\x1f]{1,600}")
_CUT = re.compile(r"</|<br|\]\(|&(?=[\w.-]+=)|;(?=\s|$|\w+ ?=)|,(?=\s|$)|'(?=[\s,;:)\]}]|$)", re.IGNORECASE)
_TRAILING = ".,;:)]}>'’”\\"
_LONGEST = 600  # characters of a value: one alone in 1 MB without a blank would be looked at ten thousand times
_TAIL_CHARS, _ALONE_CHARS = 80, 300  # of a name at the end of its line, of a value alone on one
_NAME_CHARS = 24  # to each side of a cue that a name takes at most
_BEFORE, _BEHIND = 40, 70  # characters about a name in which something may be its secret
_DIGITS = re.compile(r"[^.:=|!?;\n\"`\d]{0,30}?[:=]?\s{0,9}[#*]?(?!(?:19|20)\d\d\b)(\d{4,8}\b[#*]?)(?![.,:/-]?\d)")
_LONGER = re.compile(r"(?!(?:key|value|prod|test|dev)[^a-z])[a-zà-ÿ]{3}")  # "secretary", "tokenizer", "Passwortschutz"
_FOR_INSTANCE = re.compile(
    r"such as|for example|for instance|\be\.g\.|z\. ?B\.|zum Beispiel|par exemple|por ejemplo", re.IGNORECASE
)
_NUMERIC = re.compile(r"\d{6,12}")
_HEX = re.compile(r"[0-9a-fA-F-]+")
_PAIRS = re.compile(r"\b[\w ]{2,30}\s?=\s?[^\s;=]+\s*[; ]")
_FOLLOWS = re.compile(r"^[\s>*+|-]*(?:value:\s*)?[`\"'“„«*]*(?P<value>[^\s`\"'“”„«»|]+)[`\"'”“»*|]*\s*$")
_NO_VALUE = re.compile(
    r"[\w-]{0,20}(?:\s?\([^()]{0,30}\))?[\s\"'`*_]*(?:[:=：]|ist|is|lautet)?[\s\"'`*_\\>]*", re.IGNORECASE
)
_REST = re.compile(r"[^\s|`\"]*")
_CELLS = re.compile(r"(?<!\\)\|")
_DELIMITERS = frozenset(" \t>|:-")
_WRAPPED = re.compile(r"^[\s>]*(?P<value>[A-Za-z0-9+/=._-]{8,})\s*\\?\s*$")


def cues_in(lowered: str) -> list[str]:
    """What of CUES a text in small letters holds; where it is nothing, no secret is named."""
    return [cue for cue in CUES if cue in lowered]


def names_in(line: str, lowered: str, cues: Sequence[str]) -> list[re.Match[str]]:
    """The names of secrets in a line, which the functions below want.

    Looked for about the cues alone: over whole lines it took three times as long as to cut the text into chunks.
    """
    found: list[re.Match[str]] = []
    for begin, end in _about(lowered, cues):
        found += NAME.finditer(line, begin, end)
    return found


def _about(lowered: str, cues: Sequence[str]) -> Iterator[tuple[int, int]]:
    places = []
    for cue in cues:
        at = lowered.find(cue)
        while at >= 0:
            places.append((max(0, at - _NAME_CHARS), at + len(cue) + _NAME_CHARS))
            at = lowered.find(cue, at + 1)
    begin = end = 0
    for first, last in sorted(places):
        if first > end:
            if end:
                yield begin, end
            begin = first
        end = max(end, last)
    if end:
        yield begin, end


def in_line(line: str, names: Sequence[re.Match[str]]) -> Iterator[Span]:
    """Secrets that stand in a line with their name."""
    done = 0
    for name in names:
        if name.start() < done:
            continue
        kind = _kind(name)
        before = line[max(0, name.start() - 12) : name.start()]
        if COUNTED.search(before) or _LONGER.match(line, name.end()) or (kind == KEY and _is_id(line, name.end())):
            continue
        found = _after(line, name, kind)
        if found:
            if found.end - found.start >= _LONGEST - 1 and (rest := _REST.match(line, found.end)):
                found = found._replace(end=rest.end())
            done = found.end
            about = line[max(0, found.start - 300) : found.end + 300]
            yield found._replace(kind=CONNECTION) if kind != TOKEN and _is_connection(about) else found
        elif not (OTHER.match(line, name.end()) or _is_example(line, name)):
            yield from _near(line, name, kind)


def _kind(name: re.Match[str]) -> str:
    return PASSWORD if name.lastgroup == "short" else str(name.lastgroup)


def _is_example(line: str, name: re.Match[str]) -> bool:
    return bool(_FOR_INSTANCE.search(line, max(0, name.start() - 60), name.end() + 60))


def _is_id(line: str, end: int) -> bool:
    return bool(re.match(r"[ _-]?(?:id|name)\b", line[end : end + 6], re.IGNORECASE))


def _is_connection(line: str) -> bool:
    return len(_PAIRS.findall(line)) >= 2 and bool(re.search(r"server|host|data source|endpoint|account", line, re.I))


def _after(line: str, name: re.Match[str], kind: str) -> Span | None:
    tail = _TAIL.match(line, name.end())
    end = tail.end() if tail else name.end()
    if OTHER.search(line[name.end() : end]):
        return None
    flag = re.search(r"--[\w-]*$", line[max(0, name.start() - 40) : name.start()])
    link = _SET.match(line, end)
    if link and link["near"] is None and link["cell"] is None:
        called = "(" in link[0]
        tight = "=" in link[0] or ">" in link[0] or line[end : end + 1] in "\"'`"
        found = _value(line, link.end())
        if found and (_told(kind)(line[slice(*found)]) if called else _fits(line, found, kind, name[0], tight)):
            return Span(*found, kind)
        return None
    if link:
        found = _value(line, link.end())
        if found and flag and guards.chosen(line[slice(*found)]) and not line[slice(*found)].startswith("-"):
            return Span(*found, kind)
        test = _alone(kind) if link["cell"] is None else _told(kind)
        if found and test(line[slice(*found)]):
            return Span(*found, kind)
    if name.lastgroup == "short" and (number := _DIGITS.match(line, end)):
        return Span(*number.span(1), kind) if _is_code(name[0]) else None
    far = _FAR.match(line, end)
    if far and not OTHER.search(line[end : far.start("verb")]):
        found = _value(line, far.end())
        value = line[slice(*found)] if found else ""
        is_number = kind == PASSWORD and far["verb"] in ":=：" and _NUMERIC.fullmatch(value)
        if found and (is_number or _told(kind)(value) or _is_quoted_word(line, found, kind)):
            return Span(*found, kind)
    return None


def _near(line: str, name: re.Match[str], kind: str) -> Iterator[Span]:
    """What stands somewhere about a name and looks like a secret by itself."""
    test: guards.Test = guards.telling if kind == PASSWORD else _is_drawn
    begin = max(0, name.start() - _BEFORE)
    begin = line.rfind(" ", max(0, begin - _LONGEST), begin) + 1 or begin  # not in the middle of a value
    for found in _VALUE.finditer(line, begin, name.end() + _BEHIND):
        value = _value(line, found.start())
        if value and not (value[0] < name.end() and value[1] > name.start()) and test(line[slice(*value)]):
            yield Span(*value, kind)


def _is_drawn(value: str) -> bool:
    return guards.keyish(value, 16) and guards.switches(value) > 0.3 and not _HEX.fullmatch(value)


def _told(kind: str) -> guards.Test:
    return (lambda v: guards.mixed(v) or guards.marked(v)) if kind == PASSWORD else (lambda v: guards.keyish(v, 12))


def _alone(kind: str) -> guards.Test:
    return guards.strong if kind == PASSWORD else (lambda v: guards.keyish(v, 20))


def _is_quoted_word(line: str, found: tuple[int, int], kind: str) -> bool:
    quoted = line[found[0] - 1 : found[0]] in "`„“«「" and found[0] > 0
    return quoted and kind == PASSWORD and guards.chosen(line[slice(*found)])


def _fits(line: str, found: tuple[int, int], kind: str, name: str, tight: bool) -> bool:
    """Whether the value is a secret where it is set as one; `tight`: as programs write it."""
    value = line[slice(*found)]
    quoted = found[0] > 0 and line[found[0] - 1] in _CLOSE
    rest = line[found[1] : found[1] + 60].strip("`\"'“”»*_ |.,;)}]")
    if kind == PASSWORD:
        if _is_code(name):
            return guards.mixed(value, 4) or (bool(re.fullmatch(r"[#*]?\d{4,10}[#*]?", value)) and not rest)
        if " " in value:
            is_phrase = quoted and "phrase" in name.lower() and guards.phrase(value)
            return is_phrase or guards.strong(value.split(" ")[0])
        if (
            guards.mixed(value, 4)
            or guards.marked(value)
            or guards.drawn(value)
            or (_NUMERIC.fullmatch(value) and not rest)
        ):
            return True
        return (tight or quoted) and guards.chosen(value) and len(value) >= 5 and (quoted or not rest)
    if guards.keyish(value, 8 if tight or quoted else 12):
        return True
    return bool(re.fullmatch(r"[0-9a-fA-F-]{16,}", value)) and not name.lower().endswith("_key")


def _is_code(name: str) -> bool:
    return name.lower().startswith("pin") or name.lower().endswith("code")


def _value(line: str, start: int) -> tuple[int, int] | None:
    """Where the value that begins at `start` or behind its quotation mark begins and ends."""
    while start < len(line) and line[start] in _OPEN:
        mark = line[start]
        start += 1
        if mark in _CLOSE and mark != " ":
            ends = [at for close in _CLOSE[mark] if (at := line.find(close, start, start + _LONGEST)) >= 0]
            if not ends:
                break
            first, last = start, min(ends)
            while first < last and line[first] in _OPEN:
                first += 1
            while last > first and line[last - 1] in " *_":
                last -= 1
            return (first, last) if last > first else None
    found = _VALUE.match(line, start)
    if not found:
        return None
    end = found.end()
    if cut := _CUT.search(line, start, end + 1):
        end = cut.start()
    while end > start and line[end - 1] in _TRAILING:
        end -= 1
    return (start, end) if end > start else None


def over_lines(lines: Sequence[str], number: int, last: re.Match[str]) -> Iterator[tuple[int, Span]]:
    """(index of the line, what of it): a value alone on its line below its name, the `last` of the line."""
    line = lines[number]
    if COUNTED.search(line[max(0, last.start() - 12) : last.start()]):
        return
    tail = line[last.end() : last.end() + _TAIL_CHARS + 1]
    if len(tail) > _TAIL_CHARS or not _NO_VALUE.fullmatch(tail) or OTHER.search(tail):
        return
    sets = bool(re.search(r"[:=：\\]|is|lautet", tail)) or line.lstrip().startswith(("- name:", "#"))
    for below in range(number + 1, min(number + 4, len(lines))):
        if not lines[below].strip(" >\t"):
            continue
        found = _FOLLOWS.match(lines[below]) if len(lines[below]) < _ALONE_CHARS else None
        kind = _kind(last)
        if found and sets and not NAME.search(found["value"]):
            start, end = found.span("value")
            while end > start and lines[below][end - 1] in ".,;:":
                end -= 1
            if _told(kind)(lines[below][start:end]):
                yield below, Span(start, end, kind)
        return


def in_columns(lines: Sequence[str], number: int) -> Iterator[tuple[int, Span]]:
    """(index of the line, what of it): cells of a pipe table whose head names secrets; `number`: its delimiter row."""
    if number >= len(lines) or not _DELIMITERS.issuperset(lines[number]) or "|" not in lines[number - 1]:
        return
    columns = {at: kind for at, (_, _, text) in enumerate(_cells(lines[number - 1])) if (kind := _named(text))}
    if not columns:
        return
    for below in range(number + 1, len(lines)):
        if "|" not in lines[below] or ("-" in lines[below] and _DELIMITERS.issuperset(lines[below])):
            return
        cells = _cells(lines[below])
        for at, kind in columns.items():
            if at < len(cells):
                start, end, text = cells[at]
                if _in_cell(kind, text):
                    yield below, Span(start, end, kind)


def _named(head: str) -> str:
    found = NAME.search(head)
    if not found or OTHER.search(head[found.end() :]) or len(head) > 40:
        return ""
    return _kind(found)


def _in_cell(kind: str, text: str) -> bool:
    if " " in text:
        return False
    if kind != PASSWORD:
        return guards.keyish(text, 12) or bool(re.fullmatch(r"[0-9a-fA-F-]{16,}", text))
    return guards.mixed(text, 4) or guards.marked(text) or bool(re.fullmatch(r"\d{4,12}", text))


def _cells(line: str) -> list[tuple[int, int, str]]:
    """(start, end, text) of each cell, without blanks, marks and quotes around it."""
    bars = [-1, *(found.start() for found in _CELLS.finditer(line)), len(line)]
    if not line[: bars[1]].strip(" >\t"):
        bars = bars[1:]
    found = []
    for left, right in pairwise(bars):
        cell = line[left + 1 : right]
        bare = cell.strip(" \t`*_\"'")
        start = left + 1 + cell.find(bare) if bare else left + 1
        found.append((start, start + len(bare), bare))
    return found


def goes_on(line: str) -> Span | None:
    """The rest of a key or token that a line end cut in two: all of the next line."""
    found = _WRAPPED.match(line) if len(line) < _ALONE_CHARS else None
    if found and guards.switches(found["value"]) > 0.3 and any(map(str.isdigit, found["value"])):
        return Span(*found.span("value"), KEY)
    return None
