"""The keyword half: BM25 over what the caller may read, and the share of the question's words that a chunk holds.

Knows no vectors and no gate. Try: python search.py "parental leave" --explain
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from language.words import content_words, forms, is_run, phrase_terms, quoted
from storage.reader import Ints, Reader

Floats = npt.NDArray[np.float64]
_K1, _B = 1.2, 0.75  # BM25's usual constants (Robertson and Zaragoza, 2009)
_REST = 20  # chunks that may share a subject; the next is one of the rest
_LANGUAGES = 4  # corpus languages whose stems a question's words are also looked up by


@dataclass(frozen=True, slots=True)
class WordScores:
    """What the keyword half says of the chunks that hold any of the words; of every other it says zero."""

    places: Ints  # ascending
    bm25: Floats  # 0 to 1, like the two below, a value a place
    coverage: Floats
    phrases: Floats  # how many of the phrases in quotation marks stand in it word for word
    looked_for: tuple[str, ...]

    @property
    def margin(self) -> float:
        """How much the words know, 0 to 1: by how far the best chunk's coverage exceeds that of the rest.

        It is small where the question is in a language the documents are not written in, or in words that stand
        everywhere. With it the words' weight is right for staff's own wording and for questions copied from a page
        (first place 29 and 75 of 37 and 81 questions; with one weight for all 27 and 75; November 2026).
        """
        if len(self.coverage) <= _REST:
            return float(self.coverage.max(initial=0.0))
        return float(self.coverage.max() - np.partition(self.coverage, -_REST - 1)[-_REST - 1])

    def at(self, place: int) -> tuple[float, float, float]:
        """BM25, coverage and phrases of one chunk."""
        index = int(np.searchsorted(self.places, place))
        if index == len(self.places) or self.places[index] != place:
            return 0.0, 0.0, 0.0
        return float(self.bm25[index]), float(self.coverage[index]), float(self.phrases[index])


@dataclass(frozen=True, slots=True)
class _Held:
    """Where one thing that is looked for stands."""

    places: Ints
    counts: Ints
    lengths: Ints  # of the chunks, in terms


def look_up(reader: Reader, text: str, lang: str) -> WordScores:
    """Scores the chunks by the question's content words: BM25 over what the caller may read, and coverage.

    Each written word counts once, whichever of its forms (stems of the corpus's languages) a chunk holds. Statistics
    are taken over readable chunks only, so that no score tells of others.
    """
    total, mean = max(reader.count, 1), max(reader.mean_length, 1.0)
    languages = list(dict.fromkeys([lang, *reader.languages()[:_LANGUAGES]]))
    looked_for = content_words(text, lang)
    phrases = _phrases(reader, text, languages)
    units = _units(looked_for, languages)
    held = reader.postings_of(term for alternatives in units for term in alternatives)
    found = [*phrases, *(_most(held[term] for term in alternatives) for alternatives in units)]
    places = np.unique(np.concatenate([one.places for one in found])) if found else np.empty(0, np.int64)
    bm25, coverage, most, weight = np.zeros(len(places)), np.zeros(len(places)), 0.0, 0.0
    for one in found:
        at = np.searchsorted(places, one.places)
        idf = math.log(1 + (total - len(at) + 0.5) / (len(at) + 0.5))
        damping = _K1 * (1 - _B + _B * one.lengths / mean)
        bm25[at] += idf * one.counts * (_K1 + 1) / (one.counts + damping)
        coverage[at] += idf
        weight += idf
        most += idf * (_K1 + 1)
    phrased = np.zeros(len(places))
    for one in phrases:
        phrased[np.searchsorted(places, one.places)] += 1
    return WordScores(
        places, bm25 / max(most, 1e-9), coverage / max(weight, 1e-9), phrased / max(len(phrases), 1), tuple(looked_for)
    )


def _most(alternatives: Iterable[tuple[Ints, Ints, Ints]]) -> _Held:
    """How often each chunk holds the most frequent of the alternatives."""
    parts = [*alternatives]
    if len(parts) == 1:
        return _Held(*parts[0])
    places, counts, lengths = (np.concatenate(part) for part in zip(*parts, strict=True))
    unique, first, back = np.unique(places, return_index=True, return_inverse=True)
    most = np.zeros(len(unique), np.int64)
    np.maximum.at(most, back, counts)
    return _Held(unique, most, lengths[first])


def _phrases(reader: Reader, text: str, languages: Sequence[str]) -> list[_Held]:
    """For each phrase in quotation marks, of two words or more, which chunks hold it in any language's forms."""
    found = []
    for phrase in quoted(text):
        variants = {phrase_terms(phrase, lang) for lang in languages}
        if max(map(len, variants)) > 1:
            held = map(reader.phrase, sorted(variants))
            found.append(_most((places, np.ones_like(places), lengths) for places, lengths in held))
    return found


def _units(words: Sequence[str], languages: Sequence[str]) -> list[tuple[str, ...]]:
    """What is looked for: per word (and per part of an identifier, per pair of a run) the forms that count as it."""
    units: dict[tuple[str, ...], None] = {}
    for word in words:
        found = list(zip(*(forms(word, lang) for lang in languages), strict=True))
        if is_run(word) and len(found) > 1:
            found.pop()  # the last character alone, which stands in the index only at a run's end
        for variants in found:
            units[tuple(dict.fromkeys(variants))] = None
    return list(units)
