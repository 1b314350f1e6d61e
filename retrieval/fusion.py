"""Both halves together: candidates of each, their scores, and the order in which they stand.

Knows no chat model and no HTTP. Try: python search.py "parental leave" --explain
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice

import numpy as np

from language.when import Span
from models import Vector
from retrieval.found import Hit
from retrieval.gate import Limit, passed_by
from retrieval.keywords import Floats, WordScores
from retrieval.passages import distinct
from storage.reader import Ints, Reader

WORD_WEIGHT = 0.5
"""What a passage that alone holds all of the question's words is worth, in units of cosine; see WordScores.margin."""
PHRASE_WEIGHT = 0.5
"""The same of the phrases in quotation marks: more than the scores of good and bad passages differ by."""
TIME_WEIGHT = 0.1
"""The same of a document's date that is asked for: an older passage that answers much better stays before it."""
PAGE_WEIGHT = 0.4
"""What the best two passages of a document are worth to each of it: two that fit say more than one. On four handbooks
the right page is first for 42 instead of 39 of 58 questions in English, among five for 54 instead of 53, and for 20
instead of 19 of 24 in other languages (November 2026)."""
_CANDIDATES = 50  # of each half


def rank(
    reader: Reader,
    query: Vector | None,
    words: WordScores,
    span: Span | None,
    limit: Limit,
    k: int,
    *,
    of_each: int = _CANDIDATES,
    copies: bool = False,
) -> list[Hit]:
    """The `k` best readable chunks that say something of their own (or `copies`, too), best first, gated by `limit`.

    Candidates are the best `of_each` of the vectors, and as many by words.

    A hit's score is the cosine of the question with the passage or, where the model embeds units, the mean of that
    and the cosine with the passage's best unit: on the demo's open questions it ranks the right document first for
    84 % instead of 78 %, and tells answerable questions from others a little better (AUC .843, .835; November 2026).
    """
    by_words = words.places[_top(words.bm25, of_each)].tolist()
    by_vector, cosines = list[int](), dict.fromkeys(by_words, -math.inf)
    if query is not None:
        cosines = dict(zip(by_words, reader.cosines_at(query, by_words).tolist(), strict=True))
        places, nearest = reader.nearest(query, of_each)
        by_vector = places.tolist()
        cosines |= zip(by_vector, nearest.tolist(), strict=True)
    ranks = {place: i + 1 for i, place in enumerate(by_vector)}, {place: i + 1 for i, place in enumerate(by_words)}
    candidates = list(ranks[0] | ranks[1])
    units = reader.best_units(query, candidates) if query is not None else {}
    scores = {place: _score(cosines[place], units.get(place)) for place in candidates}
    timely, weight = _timely(reader, candidates, span), WORD_WEIGHT * words.margin
    gave = {place: _gave(scores[place], words, weight, place, limit, timely.get(place, 0.0)) for place in candidates}
    for place, page in _pages(reader, gave).items():
        gave[place]["page"] = PAGE_WEIGHT * page
    best = sorted(candidates, key=lambda place: (-sum(gave[place].values()), place))

    def hits() -> Iterator[Hit]:
        for place, row in zip(best, reader.chunks(best), strict=True):
            bm25, coverage, _ = words.at(place)
            yield Hit(
                row, scores[place], coverage, bm25, gave[place],
                ranks[0].get(place), ranks[1].get(place), passed_by(scores[place], coverage, limit),
            )  # fmt: skip

    return [*islice(hits(), k)] if copies else distinct(hits(), k)


def _score(cosine: float, unit: float | None) -> float | None:
    if not math.isfinite(cosine):
        return None
    return round(cosine if unit is None else (cosine + unit) / 2, 4)  # as it is shown, so it is compared


def _gave(
    score: float | None, words: WordScores, weight: float, place: int, limit: Limit, timely: float
) -> dict[str, float]:
    _, coverage, phrases = words.at(place)
    # Without a vector a passage whose words pass the gate ranks as one whose score just does.
    instead = limit.min_score if coverage >= limit.min_coverage else 0.0
    found = {
        **({"no vector": instead} if score is None else {"vectors": score}),
        "words": weight * coverage,
        "phrase": PHRASE_WEIGHT * phrases,
        "time": timely,
    }
    return {name: value for name, value in found.items() if value}


def _pages(reader: Reader, gave: Mapping[int, Mapping[str, float]]) -> dict[int, float]:
    """For each place the mean of the best two of its document; a second that is no candidate counts as the worst is."""
    own = {place: sum(parts.values()) for place, parts in gave.items()}
    worst = min(own.values(), default=0.0)
    by_document: dict[int, list[float]] = {}
    documents = reader.documents(own)
    for place, value in own.items():
        by_document.setdefault(documents[place], []).append(value)
    pages = {document: sum(sorted((*values, worst))[-2:]) / 2 for document, values in by_document.items()}
    return {place: pages[documents[place]] for place in own}


def _timely(reader: Reader, places: Sequence[int], span: Span | None) -> dict[int, float]:
    """What each place gains by its document's date; where the newest is asked for, by its rank among all dates."""
    if span is None:
        return {}
    dates = reader.dates(places, only_stated=span.newest)  # a copy makes any file the newest
    order = sorted({day for day in dates.values() if day})
    if span.newest:
        return {place: TIME_WEIGHT * order.index(day) / len(order) for place, day in dates.items() if day}
    return {place: TIME_WEIGHT for place, day in dates.items() if day and span.holds(date.fromisoformat(day))}


def _top(scores: Floats, count: int) -> Ints:
    """Where the `count` highest scores above zero stand, best first."""
    chosen = np.flatnonzero(scores > 0)
    if count < len(chosen):
        chosen = np.sort(chosen[np.argpartition(-scores[chosen], count)[:count]])
    return chosen[np.argsort(-scores[chosen], kind="stable")]
