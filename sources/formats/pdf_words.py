"""Words of a PDF that stand beside each other -> text: raised and lowered digits, and what runs from right to left.

Knows no pages. Try: python chunk.py report.pdf
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from sources.formats.pdf_page import RIGHT_TO_LEFT, Word

_LEADERS = re.compile(r"(?:\s*[.…_]){5,}\s*")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()", _RAISED)
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", _LOWERED)


def told(words: Sequence[Word]) -> str:
    """The text of words that stand beside each other."""
    text = ""
    for before, word in pairwise([None, *words]):
        assert word is not None
        close = before is not None and word.x0 - before.x1 < 0.3 * word.size
        wide = close and text[-1:] > "\u2e80" and word.text[:1] > "\u2e80"  # Chinese, Japanese
        script = (
            close and before is not None and word.x0 - before.x1 < 0.1 * word.size and text[-1] in _RAISED + _LOWERED
        )
        text += ("" if before is None or wide or script else " ") + word.text
    if words and RIGHT_TO_LEFT.search(text):
        return _logical(words)
    return _LEADERS.sub(" … ", text) if "..." in text or ". ." in text or "__" in text else text


def _logical(words: Sequence[Word]) -> str:
    """The text in the order of the file, which is PDFium's of what is read from right to left."""
    text = ""
    for before, word in pairwise([None, *sorted(words, key=lambda word: word.at)]):
        assert word is not None
        gap = max(before.x0, word.x0) - min(before.x1, word.x1) if before else 0.0
        text += (" " if gap > 0.15 * word.size else "") + word.text
    return text


def is_script(word: Word, y: float, size: float) -> bool:
    """Whether the word is raised or lowered in a line of this height and size."""
    return word.size < 0.85 * size and abs(word.y - y) > 0.12 * size


def join_script(words: list[Word], y: float, size: float, word: Word) -> None:
    """Joins a raised or lowered word to the one of the line that it stands at; digits and signs are written as such."""
    low = word.y > y
    if any(char.isdecimal() or char in "+-−" for char in word.text):
        word.text = word.text.translate(_SUBSCRIPTS if low else _SUPERSCRIPTS)
    over = [w for w in words if low and w.x0 <= word.x0 + 1 and word.x1 - 0.5 * word.size < w.x1 < word.x1 + 1]
    before = [w for w in words if abs(w.x1 - word.x0) < 0.15 * size]
    if over and over[0].text[-1:] in _RAISED:  # a fraction
        over[0].text += f"⁄{word.text}"
    elif before:
        before[0].text += word.text
        before[0].x1 = word.x1
    else:
        words.append(word)
