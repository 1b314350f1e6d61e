"""Answers by quotation: the few units of the passages that say what was asked, word for word.

Similarity of meaning, the question's rarer words and the wanted kind of answer choose together. Writes nothing of
its own but one frame sentence. Knows no files and no HTTP. Try: BRAIN_BACKEND=embedded python answer.py "..."
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answering.wanted import holds, wanted
from chunking.units import Unit, units
from language.phrases import say
from language.words import content_words, forms
from search import Passage

MOST_UNITS = 3
MOST_CHARS = 500
# Chosen on the open cases of data/qa.jsonl (python -m eval.run --tune).
_WORDS, _KIND, _PASSAGE = 0.25, 0.12, 0.35
_NEAR = 0.85  # a further unit is quoted when it scores at least this share of the best


@dataclass(frozen=True, slots=True)
class Quoted:
    """A unit that was chosen, with the passage it stands in and why."""

    passage: Passage
    unit: Unit
    score: float


Cosines = Callable[[Sequence[str]], Sequence[float]]
"""The question's cosine with each of some units' texts."""


def choose(question: str, lang: str, passages: Sequence[Passage], cosines: Cosines) -> list[Quoted]:
    """The units to quote, best first: at most MOST_UNITS, together at most MOST_CHARS unless one alone is longer."""
    candidates = _candidates(passages)
    if not candidates:
        return []
    scores = _scores(question, lang, candidates, cosines)
    order = sorted(range(len(candidates)), key=lambda i: -scores[i])
    chosen: list[Quoted] = []
    room = MOST_CHARS
    for place in order[: 4 * MOST_UNITS]:
        passage, unit = candidates[place]
        if chosen and (scores[place] < _NEAR * scores[order[0]] or len(unit.text) > room):
            continue
        if any(unit.text == other.unit.text for other in chosen):
            continue
        chosen.append(Quoted(passage, unit, scores[place]))
        room -= len(unit.text)
        if len(chosen) == MOST_UNITS or room <= 0:
            break
    return chosen


def phrase(chosen: Sequence[Quoted], numbers: Sequence[int], lang: str) -> str:
    """The answer's text: a frame sentence in the question's language, then a unit a line with its citation."""
    lines = [f"- {quoted.unit.text} [{n}]" for quoted, n in zip(chosen, numbers, strict=True)]
    if len(lines) == 1:
        return f"{say('quote', lang)}\n{lines[0][2:]}"
    return "\n".join([say("quote", lang), *lines])


def _candidates(passages: Sequence[Passage]) -> list[tuple[Passage, Unit]]:
    return [
        (passage, unit)
        for passage in passages
        for unit in units(passage.text, passage.first_line, passage.context, passage.lang)
        if not unit.is_question
    ]


def _scores(question: str, lang: str, candidates: Sequence[tuple[Passage, Unit]], cosines: Cosines) -> list[float]:
    kind = wanted(question, lang)
    asked = [frozenset(forms(word, lang)) for word in content_words(question, lang)]
    scores = list(cosines([unit.text for _, unit in candidates]))
    for i, (passage, unit) in enumerate(candidates):
        held = {form for word in content_words(unit.text, passage.lang) for form in forms(word, passage.lang)}
        share = sum(bool(word & held) for word in asked) / len(asked) if asked else 0.0
        scores[i] += _WORDS * share + _KIND * holds(kind, unit.text) + _PASSAGE * passage.fused
    return scores
