"""Learns the decision over several signals where questions allow it; it refuses only where that pays.

Only questions in people's words (or a chat model's) teach: a sentence's own words are all in its passage, so that from
self-made ones it would learn to refuse whoever says it otherwise. Knows no index.
Try: python -m eval.calibrate --cases ~/questions.jsonl --docs ~/handbook
"""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.choose import best_score_limit
from calibration.logistic import fit
from calibration.measure import Measured, Measures, auc, sorted_measures
from retrieval.decision import NAMES, VERSION, Decision
from retrieval.signals import Signals

LEAST = 60
"""Questions of each kind that a decision over thirteen signals needs: five a weight or so."""
GAIN = 0.02
"""AUC that it must gain over the score in cross-validation to refuse; less is noise at a few hundred questions."""
_FOLDS = 5


def teaching(measures: Measures) -> Measures:
    """The questions in people's or a chat model's words that have signals."""
    rows = [*measures.able, *measures.others]
    return sorted_measures(m for m in rows if m.signals is not None)


def cross_validated(measures: Measures) -> list[float] | None:
    """For each of `able`, then of `others`, the chance given by a model that saw nothing about its document.

    A question about no document is a document of its own; one whose document was left out stays with that. None with
    fewer than LEAST of either kind.
    """
    rows = [*measures.able, *measures.others]
    if min(len(measures.able), len(measures.others)) < LEAST:
        return None
    folds, inputs, labels = np.array([_fold(m) for m in rows]), _inputs(rows), _labels(rows)
    chances = np.empty(len(rows))
    for fold in range(_FOLDS):
        here = folds == fold
        if not 0 < labels[~here].sum() < (~here).sum():
            return None
        weights = fit(inputs[~here], labels[~here].tolist())
        chances[here] = [weights.chance(row) for row in inputs[here]]
    found: list[float] = chances.tolist()
    return found


def learned(measures: Measures, min_score: float, cost: float) -> tuple[Decision | None, dict[str, float]]:
    """The decision, or None when it tells less than the score; and both their AUC in cross-validation.

    Where it tells hardly more than the score it gives a confidence and refuses nothing. Else its limit is the one at
    which both gates together cost least on the cross-validated chances.
    """
    taught = teaching(measures)
    chances = cross_validated(taught)
    if chances is None:
        return None, {}
    split = len(taught.able)
    gained = auc(chances[:split], chances[split:])
    figures = {"auc_score": round(taught.auc, 4), "auc_confidence": round(gained, 4)}
    if gained < taught.auc - GAIN:
        return None, figures
    rows = [*taught.able, *taught.others]
    weights = fit(_inputs(rows), _labels(rows).tolist())
    if gained < taught.auc + GAIN:
        return Decision(NAMES, VERSION, weights, None), figures
    passed = [chance if m.score >= min_score else -1.0 for m, chance in zip(rows, chances, strict=True)]
    limit = min(max(best_score_limit(passed[:split], passed[split:], cost), 0.0), 1.0)
    return Decision(NAMES, VERSION, weights, round(limit, 6)), figures


def _inputs(rows: Sequence[Measured]) -> Signals:
    return np.stack([m.signals for m in rows if m.signals is not None])


def _labels(rows: Sequence[Measured]) -> npt.NDArray[np.bool_]:
    return np.array([m.question.answerable for m in rows])


def _fold(measured: Measured) -> int:
    name = measured.question.path or measured.question.text
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=4).digest(), "big") % _FOLDS
