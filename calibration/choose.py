"""Which limits cost least on what was measured, how sure that is, and whether groups of languages need their own.

Knows scores, not questions' words and no index. Try: python -m eval.calibrate --cost 5
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.measure import Measured, Measures, sorted_measures
from retrieval.gate import group_of

Floats = npt.NDArray[np.float64]
LEAST_CASES = 10
"""Fewer answerable or unanswerable questions than this say nothing about a limit."""
NEARLY = 1.05
"""Limits that cost at most this times the least are told beside the chosen one."""
LOWEST_COVERAGE = 0.5
"""A passage that holds less than half of what was asked for is no answer, whatever the cases say."""
DRAWS = 200
"""Samples drawn with replacement for an interval (Efron and Tibshirani, An Introduction to the Bootstrap, 1993)."""
_SEED = 20261130
_SURE = (5.0, 95.0)  # percentiles of the draws that an interval spans


@dataclass(frozen=True, slots=True)
class Price:
    """What a pair of limits does to the measured questions."""

    refused: int  # answerable ones
    answerable: int
    through: int  # unanswerable ones
    unanswerable: int


def best_score_limit(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> float:
    """The limit that minimises `cost` times the share of unanswerables at or above it plus that of answerables below.

    Shares, so that both lists count equally however long they are. Limits midway between neighbouring scores are
    tried, one that lets everything through and one that refuses everything; of equally cheap ones the highest is taken.
    """
    limits, prices = _priced(answerable, unanswerable, cost)
    return float(limits[np.flatnonzero(prices == prices.min())[-1]])


def nearly_as_good(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> tuple[float, float]:
    """The lowest and the highest limit that costs at most NEARLY times the least: how sure the choice is."""
    limits, prices = _priced(answerable, unanswerable, cost)
    good = limits[prices <= NEARLY * prices.min()]
    return float(good.min()), float(good.max())


def interval(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> tuple[float, float]:
    """Between which limits nine of ten choices fall when the questions are drawn again (bootstrap, fixed seed)."""
    low, high = np.percentile(_choices(answerable, unanswerable, cost), _SURE)
    return float(low), float(high)


def steady_score_limit(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> float:
    """The mean of the choices when the questions are drawn again: steadier than the one choice.

    For self-made questions, which can be had at will but whose single best limit moved by .06 with the sentences drawn
    (bagging; L. Breiman, Machine Learning 24, 1996).
    """
    return float(np.mean(_choices(answerable, unanswerable, cost)))


def _choices(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> list[float]:
    drawn = np.random.default_rng(_SEED)
    able, others = np.asarray(answerable), np.asarray(unanswerable)
    return [
        best_score_limit(drawn.choice(able, len(able)).tolist(), drawn.choice(others, len(others)).tolist(), cost)
        for _ in range(DRAWS)
    ]


def best_coverage_limit(measures: Measures, min_score: float) -> float:
    """The lowest limit at which the words alone let through at most as many unanswerables as they save answerables.

    Counted are questions below `min_score`, as shares of their list. From LOWEST_COVERAGE to 1; 1, all words, when
    none is good enough. Not for self-made questions, see by_people.
    """
    able, others = measures.able, measures.others
    saved = [m.coverage for m in able if m.score < min_score]
    through = [m.coverage for m in others if m.score < min_score]
    levels = sorted({c for c in (*saved, *through) if c >= LOWEST_COVERAGE})
    for limit in [LOWEST_COVERAGE, *((a + b) / 2 for a, b in pairwise(levels))]:
        gain = sum(c >= limit for c in saved) / len(able)
        loss = sum(c >= limit for c in through) / len(others)
        if loss <= gain:
            return limit
    return 1.0


def by_people(measures: Measures) -> Measures | None:
    """People's questions alone, None with fewer than LEAST_CASES of either kind: only they tell of words.

    A self-made one has its words from the passage itself, so that nearly all of them stand there.
    """
    able, others = ([m for m in part if m.question.made == "hand"] for part in (measures.able, measures.others))
    return Measures(able, others) if min(len(able), len(others)) >= LEAST_CASES else None


def price_of(measures: Measures, min_score: float, min_coverage: float) -> Price:
    """What the gate does with these limits; a coverage limit above 1 asks for the score alone."""

    def passes(m: Measured) -> bool:
        return m.score >= min_score or m.coverage >= min_coverage

    return Price(
        sum(not passes(m) for m in measures.able), len(measures.able),
        sum(passes(m) for m in measures.others), len(measures.others),
    )  # fmt: skip


def by_group(measures: Measures, cost: float) -> dict[str, dict[str, Any]]:
    """English and the others on their own (gate.group_of), with the limit each would choose and its interval.

    Off-topic questions count at most as often as near ones: a group of which nobody asked anything near would else get
    a limit that only keeps the far ones out.
    """
    report: dict[str, dict[str, Any]] = {}
    for name in ("en", "others"):
        able_, others_ = (
            [m for m in of_kind if group_of(m.question.lang) == name] for of_kind in (measures.able, measures.others)
        )
        near = [m for m in others_ if m.question.made != "off-topic"]
        far = [m for m in others_ if m.question.made == "off-topic"][-len(near) :] if near else []
        part = sorted_measures([*able_, *near, *far])
        row: dict[str, Any] = {"answerable": len(able_), "unanswerable": len(near)}
        if min(row.values()) >= LEAST_CASES:
            able, others = scores(part.able), scores(part.others)
            limit = best_score_limit(able, others, cost)
            price = price_of(part, limit, math.inf)
            row |= {"auc": round(part.auc, 4), "min_score": round(limit, 6)}
            row |= {"interval": [round(x, 4) for x in interval(able, others, cost)]}
            row |= {"refused": price.refused, "through": price.through}
        report[name] = row
    return report


def group_limits(report: dict[str, dict[str, Any]]) -> dict[str, float]:
    """The limits of `by_group` where both groups have one and their intervals do not meet; else none: one for all."""
    rows = list(report.values())
    if not all("interval" in row for row in rows):
        return {}
    (low_a, high_a), (low_b, high_b) = (row["interval"] for row in rows)
    apart = high_a < low_b or high_b < low_a
    return {name: float(row["min_score"]) for name, row in report.items()} if apart else {}


def scores(measured: Sequence[Measured]) -> list[float]:
    """Their scores, in their order."""
    return [m.score for m in measured]


def _priced(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> tuple[Floats, Floats]:
    able, others = np.sort(np.asarray(answerable, np.float64)), np.sort(np.asarray(unanswerable, np.float64))
    every = np.unique(np.concatenate([able, others]))
    limits = np.concatenate([every[:1], (every[1:] + every[:-1]) / 2, [(every[-1] + 1) / 2]])
    through = 1 - np.searchsorted(others, limits, "left") / len(others)
    refused = np.searchsorted(able, limits, "left") / len(able)
    return limits, np.round(cost * through + refused, 9)
