"""Citation markers in a model's answer: which are citations, which are text, which point nowhere.

Takes markers out of the answer (what is left is what the answer claims) and writes the good ones back in one form.
Must not know what a claim is or whether it holds. A marker that is text is written `\\[3]`, so that whoever turns
`[n]` into a link (OUTPUT) links citations only.
Try: python -c "from proof.markers import read; print(read('A【1】. B [9].', ['a', 'b']))"
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from models.spoken import CLOSES, OPENS
from proof.marker_forms import MARKER, ROUND, is_power, numbers
from proof.source_list import begins

OUTPUT = re.compile(r"(?<!\\)\[(\d+)\]")
"""A citation in a verdict's text, outside code."""

_CHANNEL = r"<\|channel\|>\s*(?P<channel>\w+)(?:\s*<\|message\|>)?|(?P<over><\|end\|>)"
_REASONING = re.compile(rf"{_CHANNEL}|(?P<opens>{OPENS})|(?P<closes>{CLOSES})", re.IGNORECASE)
_TURNS = re.compile(r"<\|(?:start\|>\s*assistant|end\|>|return\|>|message\|>)", re.IGNORECASE)
_FENCED = re.compile(
    r"^[ \t>]*(`{3,}|~{3,})[^\n]*\n(?:.*?\n)??[ \t>]*\1[`~]*[ \t]*$|^[ \t>]*(?:`{3,}|~{3,}).*\Z", re.M | re.S
)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.S)
_NEAR = 16  # characters on each side that tell a copied "[3]" from a citation put there


@dataclass(frozen=True)
class Cite:
    """One marker: its place in the bare text, the passages it names, the numbers it names that do not exist."""

    place: int
    good: tuple[int, ...]
    bad: tuple[int, ...]


@dataclass(frozen=True)
class Marked:
    """An answer read: `bare` without markers, `text` with the good ones as `[n]`, and the markers in order.

    `listed` are the passages of a list of sources at its end, which is no part of `bare`.
    """

    bare: str
    text: str
    cites: list[Cite]
    listed: tuple[int, ...] = ()


def without_reasoning(answer: str) -> str:
    """The answer without `<think>` blocks and channels of analysis, upper or lower case.

    An unclosed block runs to the end, one of which only the end is there from the start.
    """
    kept: list[str] = []
    depth, at, channel = 0, 0, False
    for tag in _REASONING.finditer(answer):
        final = (tag["channel"] or "").lower() == "final"
        if tag["opens"] or (tag["channel"] and not final):
            if not depth:
                kept.append(answer[at : tag.start()])
            channel = bool(tag["channel"])
            depth = 1 if channel else depth + 1  # channels follow one another, they do not nest
        elif tag["over"] and not (depth and channel):
            continue  # the end of a turn that was no reasoning
        else:
            if not depth:
                kept = []  # the template wrote the opening tag into the prompt
            depth = 0 if channel else max(0, depth - 1)
            at = tag.end()
    if not depth:
        kept.append(answer[at:])
    return _TURNS.sub("", "".join(kept)) if "<|" in answer else "".join(kept)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Places (start, end) of fenced blocks and inline code, in order."""
    fenced = [m.span() for m in _FENCED.finditer(text)]
    outside = _FENCED.sub(lambda m: "\n" * len(m[0]), text)
    return sorted(fenced + [m.span() for m in _SPAN.finditer(outside)])


def read(answer: str, passages: Sequence[str], titles: Sequence[str] = (), *, round_brackets: bool = False) -> Marked:
    """Read the markers of `answer` against the texts of the passages it was given, numbered from 1.

    `titles` are what stands above the passages. `(1)` is one with `round_brackets` only, however often an answer
    writes it: in most texts it is the number of a list or of a legal paragraph, and a figure that is taken out as a
    marker is checked by nobody.
    """
    end = _list_of_sources(answer, passages, titles)
    found = _citations(answer[:end], passages, round_brackets)
    bare, text = _Joined(), _Joined()
    cites: list[Cite] = []
    ours: set[int] = set()
    at = 0
    for index, marker in enumerate(found):
        piece = answer[at : marker.start()]
        at = marker.end()
        good, bad = numbers(marker[0], len(passages))
        touching = index + 1 < len(found) and found[index + 1].start() == at
        loose = touching or not answer[at : at + 1].strip() or answer[at] in ".,;:!?。，、；：！？…)）"
        bare.add(piece, trim=loose)
        text.add(piece, trim=loose and not good)
        if not touching:
            bare.part(answer[at : at + 1])
        cites.append(Cite(bare.length, good, bad))
        _write(text, good, ours)
        at += _defines(answer, marker)
    bare.add(answer[at:end])
    text.add(answer[at:end])
    listed: dict[int, None] = {}
    at = end
    for marker in MARKER.finditer(answer, end):
        text.add(answer[at : marker.start()])
        good = numbers(marker[0], len(passages))[0]
        listed |= dict.fromkeys(good)
        _write(text, good, ours)
        at = marker.end() + _defines(answer, marker)
    text.add(answer[at:])
    return Marked(bare.whole(), _escaped(text.whole(), ours), cites, tuple(listed))


def _defines(answer: str, marker: re.Match[str]) -> int:
    """1 where the colon of a footnote follows, which would make `[1]:` define a link for readers of Markdown."""
    opens_line = not answer[: marker.start()].rpartition("\n")[2].strip(" \t>")
    return int(opens_line and answer.startswith(":", marker.end()))


def _write(text: "_Joined", numbers: Sequence[int], ours: set[int]) -> None:
    for number in numbers:
        ours.add(text.length)
        text.add(f"[{number}]")


def _list_of_sources(answer: str, passages: Sequence[str], titles: Sequence[str]) -> int:
    """Where it begins; a list with a number that no passage has is read like any text, so that it is named."""
    start = begins(answer, titles)
    listed = MARKER.finditer(answer, start)
    if any(numbers(m[0], len(passages))[1] for m in listed) or _inside(code_spans(answer), start):
        return len(answer)
    return start


class _Joined:
    """A string being put together whose length is known all the time."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.length = 0

    def add(self, piece: str, *, trim: bool = False) -> None:
        piece = piece.rstrip(" \t") if trim else piece
        if piece:
            self._pieces.append(piece)
            self.length += len(piece)

    def part(self, following: str) -> None:
        """Keep two words apart between which a marker stood."""
        if self._pieces and (self._pieces[-1][-1] + following).isascii() and following.isalnum():
            self.add(" " if self._pieces[-1][-1].isalnum() else "")

    def whole(self) -> str:
        return "".join(self._pieces)


def _citations(answer: str, passages: Sequence[str], round_brackets: bool) -> list[re.Match[str]]:
    code = code_spans(answer)
    folded = [_fold(text) for text in passages]
    found = [
        marker
        for marker in MARKER.finditer(answer)
        if not is_power(answer[max(0, marker.start() - 4) : marker.start()], marker[0])
    ]
    if round_brackets:
        found += [m for m in ROUND.finditer(answer) if _cites_in_round(answer, m, len(passages))]
        found.sort(key=lambda marker: marker.start())
    return [m for m in found if not _inside(code, m.start()) and not _is_text(answer, m, folded)]


def _cites_in_round(answer: str, marker: re.Match[str], count: int) -> bool:
    """Not the number of a list at a line's start, nor a paragraph's behind a figure ("§ 5 (2)"), nor a year."""
    before = answer[: marker.start()].rpartition("\n")[2].rstrip()
    return bool(before) and not before[-1].isdigit() and not numbers(marker[0], count)[1]


def _inside(spans: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return index >= 0 and place < spans[index][1]


def _is_text(answer: str, marker: re.Match[str], passages: list[str]) -> bool:
    """Whether the marker came along with words copied from a passage that holds the same characters."""
    before = answer[max(0, marker.start() - _NEAR) : marker.start()].rsplit("\n", 1)[-1]
    after = answer[marker.end() : marker.end() + _NEAR].split("\n", 1)[0]
    head = _fold(before + marker[0])
    if MARKER.match(after.lstrip(" .。")) or after.lstrip(".。")[:1] in tuple('"”“»」』'):
        return len(head) > len(marker[0]) + 3 and any(head in p for p in passages)
    if next_one := MARKER.search(after):
        after = after[: next_one.start()]
    after = re.split(r"[.!?。！？](?:\s|$)", after)[0]
    around = _fold(before + marker[0] + after)
    if any(c.isalnum() for c in after):
        return len(around) > len(marker[0]) + 7 and any(around in p for p in passages)
    # At a sentence's end the copied "[3]" and a citation look alike. One that can be a citation is read as one: its
    # passage is checked like any other.
    points_nowhere = bool(numbers(marker[0], len(passages))[1])
    return points_nowhere and len(head) > len(marker[0]) + 3 and any(head in p for p in passages)


def _fold(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str, ours: set[int]) -> str:
    """Put a backslash before what looks like a citation and is none: copied text, or remains of a removed marker."""
    code = code_spans(text)
    pieces, at = [], 0
    for match in OUTPUT.finditer(text):
        if match.start() in ours or _inside(code, match.start()):
            continue
        pieces += [text[at : match.start()], "\\"]
        at = match.start()
    return "".join([*pieces, text[at:]])
