"""The keyword half: BM25 over what the caller may read, and the share of the question's words that a chunk holds.

Knows no vectors and no gate. Try: python search.py "parental leave" --explain
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from language.words import content_words, forms, is_run, phrase_terms, quoted
from storage.reader import Reader

Floats = npt.NDArray[np.float64]
_K1, _B = 1.2, 0.75  # BM25's usual constants (Robertson and Zaragoza, 2009)
_REST = 20  # chunks that may share a subject; the next is one of the rest
_LANGUAGES = 4  # corpus languages whose stems a question's words are also looked up by


@dataclass(frozen=True, slots=True)
class WordScores:
    """What the keyword half says of every chunk of a snapshot, zero where it says nothing."""

    bm25: Floats  # 0 to 1
    coverage: Floats  # 0 to 1
    phrases: Floats  # 0 to 1: how many of the phrases in quotation marks stand in it word for word
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


def look_up(reader: Reader, text: str, lang: str) -> WordScores:
    """Scores the chunks by the question's content words: BM25 over what the caller may read, and coverage.

    Each written word counts once, whichever of its forms (stems of the corpus's languages) a chunk holds. Statistics
    are taken over readable chunks only, so that no score tells of others.
    """
    lengths = reader.lengths
    total = max(reader.count, 1)
    mean = max(lengths.sum() / total, 1.0)
    bm25, coverage, most, weight = np.zeros(len(lengths)), np.zeros(len(lengths)), 0.0, 0.0
    languages = list(dict.fromkeys([lang, *reader.languages()[:_LANGUAGES]]))
    looked_for = content_words(text, lang)
    phrases = _phrases(reader, text, languages, len(lengths))
    for counts in [
        *phrases,
        *(_counts(reader, alternatives, len(lengths)) for alternatives in _units(looked_for, languages)),
    ]:
        held = np.flatnonzero(counts)
        idf = math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5))
        damping = _K1 * (1 - _B + _B * lengths[held] / mean)
        bm25[held] += idf * counts[held] * (_K1 + 1) / (counts[held] + damping)
        coverage[held] += idf
        weight += idf
        most += idf * (_K1 + 1)
    word_for_word = sum(phrases, np.zeros(len(lengths))) / max(len(phrases), 1)
    return WordScores(bm25 / max(most, 1e-9), coverage / max(weight, 1e-9), word_for_word, tuple(looked_for))


def _counts(reader: Reader, alternatives: Sequence[str], chunks: int) -> Floats:
    """How often each chunk holds the most frequent of the alternatives."""
    counts = np.zeros(chunks)
    for term in alternatives:
        places, frequency = reader.postings(term)
        counts[places] = np.maximum(counts[places], frequency)
    return counts


def _phrases(reader: Reader, text: str, languages: Sequence[str], chunks: int) -> list[Floats]:
    """For each phrase in quotation marks, of two words or more, which chunks hold it in any language's forms."""
    found = []
    for phrase in quoted(text):
        variants = {phrase_terms(phrase, lang) for lang in languages}
        if max(map(len, variants)) > 1:
            held = np.zeros(chunks)
            for variant in variants:
                held[reader.phrase(variant)] = 1
            found.append(held)
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
