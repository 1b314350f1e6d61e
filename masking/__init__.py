"""Secrets in a text -> marks with their kind and line; the lines stay as many as they were.

What is stored, shown or logged goes through here first (storage/text.py, service/logs.py, answering/recorded.py). It
finds what looks like a secret, not what is one. Knows text alone: no file, no index, no setting (see policy.py).
Try: python -c "from masking import mask; print(mask('Password: Sommer2024!').text)"
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from masking import named, shapes
from masking.personal import in_line as personal
from masking.shapes import KEY, KINDS, PRIVATE, TOKEN, Span

_LINE_ENDS = re.compile(r"(\r\n|\r|\n)")
_MARK = re.compile(r"\(secret removed, ([a-z ]+), line \d+\)")
_LONG = re.compile(r"[A-Za-z0-9+/_-]{32,}")
_RUN = re.compile(r"[\w.:/+~-]{15,}")
_PLACE = re.compile(r"[\w ¶!:.-]{1,30}")
_MOST_PLACES = 10  # that a note names
Keep = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets."""

    text: str
    found: tuple[tuple[str, str], ...] = ()  # kind and place of each, as in its mark; a private key's first line

    @property
    def note(self) -> str:
        """What was removed, without any of it: "2 secrets were removed: key 1, password 1 (line 3, line 12)"; or ""."""
        if not self.found:
            return ""
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(Counter(kind for kind, _ in self.found).items()))
        places = [*dict.fromkeys(place for _, place in self.found)]
        where = ", ".join(places[:_MOST_PLACES]) + (", ..." if len(places) > _MOST_PLACES else "")
        count = len(self.found)
        told = "secret was" if count == 1 else "secrets were"
        return f"{count} {told} removed: {kinds} ({where})"


def mask(text: str, places: Sequence[str] = (), keep: Keep | None = None, with_personal: bool = False) -> Masked:
    """The text with a mark in place of each secret: "(secret removed, password, line 12)".

    `places` are those of the lines where the file has no lines of its own. What `keep` says yes to stays.
    `with_personal`: numbers of accounts, cards and persons whose check digits are right are replaced, too.
    """
    if len(text) < 4:
        return Masked(text)
    lowered = text.lower()
    runs = "\n".join(_RUN.findall(text)).lower()  # a twentieth of a text, in which forty kinds of keys are looked for
    forms = [shape for shape in shapes.KEYS if any(cue in runs for cue in shape.cues)]
    forms += [shape for shape in shapes.OTHERS if any(cue in lowered for cue in shape.cues)]
    cues = named.cues_in(lowered)
    longs = [found.start() for found in _LONG.finditer(text)]
    if not (forms or cues or longs or with_personal):
        return Masked(text)
    parts = _LINE_ENDS.split(text)
    lines = parts[::2]
    numbers: Iterable[int] = range(len(lines))
    if not with_personal and len(lowered) == len(text):
        numbers = _lines_of(
            parts, [*longs, *_places(lowered, [*cues, *(cue for shape in forms for cue in shape.cues)])]
        )
    found = _found(lines, numbers, forms, cues, with_personal)
    if not found:
        return Masked(text)
    told: list[tuple[str, str]] = []
    private = -1  # the last line of a private key
    for number in sorted(found):
        line = lines[number]
        spans = [span for span in _merged(found[number]) if not (keep and keep(line[span.start : span.end]))]
        goes_on = private == number - 1 and bool(spans) and "BEGIN" not in line
        for span in spans:
            private = number if span.kind == PRIVATE else private
            if not (goes_on and span.kind == PRIVATE):
                told.append((span.kind, _place(number, places)))
        parts[2 * number] = _replaced(line, spans, _place(number, places), goes_on)
    return Masked("".join(parts), tuple(told))


def mask_line(text: str) -> str:
    """A text that is no document's, such as a question or a line of a log: its marks name no line."""
    return _MARK.sub(r"(secret removed, \1)", mask(text).text)


def _places(lowered: str, cues: Iterable[str]) -> Iterator[int]:
    for cue in cues:
        at = lowered.find(cue)
        while at >= 0:
            yield at
            at = lowered.find(cue, at + 1)


def _lines_of(parts: Sequence[str], places: Iterable[int]) -> list[int]:
    """Indexes of the lines in which these places of the text are; `parts`: lines and their ends in turns."""
    starts = [*accumulate(map(len, parts), initial=0)][::2]
    return sorted({bisect_right(starts, place) - 1 for place in places})


def _found(
    lines: Sequence[str],
    numbers: Iterable[int],
    forms: Sequence[shapes.Shape],
    cues: Sequence[str],
    with_personal: bool,
) -> dict[int, list[Span]]:
    """What each line holds, by its index; `numbers` are those of the lines that may hold something."""
    found: dict[int, list[Span]] = defaultdict(list)
    if "key" in cues:  # as in all their first lines
        for number, span in shapes.private_keys(lines):
            found[number].append(span)
    done = {*found, *shapes.public_lines(lines)} if any("-----" in line for line in lines) else {*found}
    for number in numbers:
        line = lines[number]
        if number in done:
            continue
        lowered = line.lower()
        spans = [*shapes.in_line(line, lowered, forms)]
        if names := named.names_in(line, lowered, cues):
            spans += named.in_line(line, names)
            for below, span in named.over_lines(lines, number, names[-1]):
                found[below].append(span)
            for below, span in named.in_columns(lines, number + 1):
                found[below].append(span)
        if not spans:
            spans += shapes.loose(line)
        if with_personal:
            spans += personal(line)
        if spans := shapes.outside_images(line, lowered, spans):
            found[number] += spans
            _follow(lines, number, spans, found)
    return {number: spans for number, spans in found.items() if spans}


def _follow(lines: Sequence[str], number: int, spans: Iterable[Span], found: dict[int, list[Span]]) -> None:
    """A key that ends with its line may go on in the next."""
    last = max(spans, key=lambda span: span.end)
    while last.kind in (KEY, TOKEN) and number + 1 < len(lines) and not lines[number][last.end :].strip(" \\"):
        more = named.goes_on(lines[number + 1])
        if more is None:
            return
        number, last = number + 1, more._replace(kind=last.kind)
        found[number].append(last)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            kind = min(last.kind, span.kind, key=KINDS.index)
            merged[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            merged.append(span)
    return merged


def _place(number: int, places: Sequence[str]) -> str:
    place = places[number] if number < len(places) else ""
    return place if _PLACE.fullmatch(place) else f"line {number + 1}"


def _replaced(line: str, spans: Iterable[Span], place: str, goes_on: bool) -> str:
    done, kept = 0, []
    for start, end, kind in spans:
        kept += [line[done:start], "(removed)" if goes_on and kind == PRIVATE else f"(secret removed, {kind}, {place})"]
        done = end
    return "".join(kept) + line[done:]
