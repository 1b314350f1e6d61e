"""Citation markers in a model's answer: which `[n]` are citations, which are text, which point nowhere.

Takes markers out of the answer (what is left is what the answer claims) and writes the good ones back in one form.
Must not know what a claim is or whether it holds. A marker that is text is written `\\[3]`, so that whoever turns
`[n]` into a link (OUTPUT) links citations only.
Try: python -c "from proof.markers import read; print(read('A【1】. B [9].', ['a', 'b']))"
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

OUTPUT = re.compile(r"(?<!\\)\[(\d+)\]")
"""A citation in a verdict's text, outside code."""

_MOST = 50  # numbers one range may stand for; a wider one is a year span or nonsense
_ITEM = r"\d{1,9}(?:\s*[-–—]\s*\d{1,9})?"
_LIST = rf"\s*{_ITEM}(?:\s*[,，、;；]\s*{_ITEM})*\s*"
_MARKER = re.compile(rf"(?<!\\)\[{_LIST}\]|【{_LIST}】|［{_LIST}］")
_REASONING = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
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
    """An answer read: `bare` without markers, `text` with the good ones as `[n]`, and the markers in order."""

    bare: str
    text: str
    cites: list[Cite]


def without_reasoning(answer: str) -> str:
    """The answer without `<think>` blocks; an unclosed block runs to the end, a lone `</think>` from the start."""
    kept: list[str] = []
    depth, at = 0, 0
    for tag in _REASONING.finditer(answer):
        if not tag[1]:
            if not depth:
                kept.append(answer[at : tag.start()])
            depth += 1
        else:
            if not depth:
                kept = []  # the template wrote the opening tag into the prompt
            depth = max(0, depth - 1)
            at = tag.end()
    if not depth:
        kept.append(answer[at:])
    return "".join(kept)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Places (start, end) of fenced blocks and inline code, in order."""
    fenced = [m.span() for m in _FENCED.finditer(text)]
    outside = _FENCED.sub(lambda m: "\n" * len(m[0]), text)
    return sorted(fenced + [m.span() for m in _SPAN.finditer(outside)])


def read(answer: str, passages: Sequence[str]) -> Marked:
    """Read the markers of `answer` against the texts of the passages it was given, numbered from 1."""
    found = _citations(answer, passages)
    bare, text = _Joined(), _Joined()
    cites: list[Cite] = []
    ours: set[int] = set()
    at = 0
    for index, marker in enumerate(found):
        piece = answer[at : marker.start()]
        at = marker.end()
        good, bad = _numbers(marker[0], len(passages))
        touching = index + 1 < len(found) and found[index + 1].start() == at
        loose = touching or not answer[at : at + 1].strip() or answer[at] in ".,;:!?。，、；：！？…)）"
        bare.add(piece, trim=loose)
        text.add(piece, trim=loose and not good)
        if not touching:
            bare.part(answer[at : at + 1])
        cites.append(Cite(bare.length, good, bad))
        for number in good:
            ours.add(text.length)
            text.add(f"[{number}]")
    bare.add(answer[at:])
    text.add(answer[at:])
    return Marked(bare.whole(), _escaped(text.whole(), ours), cites)


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


def _citations(answer: str, passages: Sequence[str]) -> list[re.Match[str]]:
    code = code_spans(answer)
    folded = [_fold(text) for text in passages]
    found = []
    for marker in _MARKER.finditer(answer):
        if not _inside(code, marker.start()) and not _is_text(answer, marker, folded):
            found.append(marker)
    return found


def _inside(spans: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return index >= 0 and place < spans[index][1]


def _is_text(answer: str, marker: re.Match[str], passages: list[str]) -> bool:
    """Whether the marker came along with words copied from a passage that holds the same characters."""
    before = answer[max(0, marker.start() - _NEAR) : marker.start()].rsplit("\n", 1)[-1]
    after = answer[marker.end() : marker.end() + _NEAR].split("\n", 1)[0]
    head = _fold(before + marker[0])
    if _MARKER.match(after.lstrip(" .。")) or after.lstrip(".。")[:1] in tuple('"”“»」』'):
        return len(head) > len(marker[0]) + 3 and any(head in p for p in passages)
    if next_one := _MARKER.search(after):
        after = after[: next_one.start()]
    after = re.split(r"[.!?。！？](?:\s|$)", after)[0]
    around = _fold(before + marker[0] + after)
    if any(c.isalnum() for c in after):
        return len(around) > len(marker[0]) + 7 and any(around in p for p in passages)
    # At a sentence's end the copied "[3]" and a citation look alike. One that can be a citation is read as one: its
    # passage is checked like any other.
    points_nowhere = bool(_numbers(marker[0], len(passages))[1])
    return points_nowhere and len(head) > len(marker[0]) + 3 and any(head in p for p in passages)


def _fold(text: str) -> str:
    return " ".join(text.split())


def _numbers(marker: str, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    good: dict[int, None] = {}
    bad: dict[int, None] = {}
    for item in re.finditer(r"(\d+)(?:\s*[-–—]\s*(\d+))?", marker):
        first, last = int(item[1]), int(item[2] or item[1])
        if not first <= last <= first + _MOST:
            bad |= dict.fromkeys((first, last))
            continue
        for number in range(first, last + 1):
            (good if 1 <= number <= count else bad)[number] = None
    return tuple(good), tuple(bad)


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
