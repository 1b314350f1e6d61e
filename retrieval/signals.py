"""What one search shows of whether the question is answered, as a row of numbers for the learned decision.

Computed from Found alone, so nothing of what the caller may not read has a say. Knows no index and no chat model.
Try: python -m eval.calibrate --docs docs
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from language.sentences import sentences
from language.wanted import holds, wanted
from language.words import content_words, fold, forms, names, terms
from retrieval.found import Found, Hit

Signals = npt.NDArray[np.float64]


def signals(found: Found) -> Signals | None:
    """One finite number for each of decision.NAMES, in their order; None when no hit has a vector.

    score: the best cosine; lead: how far it is above the second; spread: above the mean of all hits. coverage and
    keywords: those of the hit that ranks first; most_coverage: of all hits; keyword_lead: by how much its keywords
    exceed those of all others. agreement: 1 / rank in the keyword half of the hit best by its vector. sentence: the
    largest share of the question's content words in one sentence of these two hits. kind: 1 when they hold something of
    the wanted kind, 0.5 where any text may, 0 when not. named: share of the question's names that some hit mentions.
    length: log of the number of content words. same_language: 1 when the best hit's document is in the question's
    language.
    """
    scored = sorted((hit for hit in found.hits if hit.score is not None), key=lambda hit: -(hit.score or 0.0))
    if not scored:
        return None
    scores = [hit.score or 0.0 for hit in scored]
    best, first = scored[0], found.hits[0]
    near = list({id(hit): hit for hit in (first, best)}.values())
    row = (
        scores[0],
        scores[0] - (scores[1] if len(scores) > 1 else 0.0),
        scores[0] - sum(scores) / len(scores),
        first.coverage,
        max(hit.coverage for hit in found.hits),
        first.keywords,
        first.keywords - max((hit.keywords for hit in found.hits if hit is not first), default=0.0),
        1 / best.keyword_rank if best.keyword_rank else 0.0,
        _sentence(found, near),
        _kind(found, near),
        _named(found),
        math.log1p(len(found.words)),
        float(best.chunk.lang == found.lang),
    )
    return np.asarray(row, np.float64)


def _sentence(found: Found, hits: Sequence[Hit]) -> float:
    """The largest share of the question's content words that stand in one sentence of `hits`."""
    wanted_words = content_words(found.question, found.lang)
    most = 0.0
    for hit in hits:
        looked_for = [set(forms(word, hit.chunk.lang)) for word in wanted_words]
        for start, end in sentences(hit.chunk.text, hit.chunk.lang):
            held = set(terms(hit.chunk.text[start:end], hit.chunk.lang))
            most = max(most, sum(bool(found_forms & held) for found_forms in looked_for) / max(len(looked_for), 1))
    return most


def _kind(found: Found, hits: Sequence[Hit]) -> float:
    kind = wanted(found.question, found.lang)
    if kind in (None, "steps", "thing"):
        return 0.5
    return float(any(holds(kind, hit.chunk.text) for hit in hits))


def _named(found: Found) -> float:
    asked = names(found.question, found.lang)
    if not asked:
        return 1.0
    chunks = [hit.chunk for hit in found.hits]
    held = {form for c in chunks for form in terms(f"{c.title}\n{' '.join(c.heading)}\n{c.text}", c.lang)}
    return sum(bool({forms(name, found.lang)[0], fold(name)} & held) for name in asked) / len(asked)
