"""A logistic model of a few inputs: fitted by Newton's method with L2, kept as plain numbers.

Knows neither questions nor scores: rows of numbers and yes or no.
Try: python -c "from calibration.logistic import fit; print(fit([[0.], [1.], [2.], [3.]], [0, 0, 1, 1]))"
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from retrieval.decision import Weights, sigmoid

Floats = npt.NDArray[np.float64]
RIDGE = 1.0
"""L2 penalty on the weights of standardised inputs (not on the bias), in units of one question."""
_STEPS = 50


def fit(rows: npt.ArrayLike, labels: Sequence[int | bool], ridge: float = RIDGE) -> Weights:
    """The model that maximises the likelihood of `labels` (n) given `rows` (n x inputs), both labels weighing alike.

    Weights are those of standardised inputs; an input that never varies gets scale 1 and, by the penalty, weight 0.
    Newton's method (iteratively reweighted least squares; Hastie, Tibshirani, Friedman, 4.4.1), halving a step that
    does not gain, so it converges for separable labels too. Raises ValueError without both labels.
    """
    x, y = np.asarray(rows, np.float64), np.asarray(labels, np.float64)
    if not 0 < y.sum() < len(y):
        raise ValueError("a logistic model needs questions of both kinds")
    means, scales = x.mean(axis=0), x.std(axis=0)
    scales = np.where(scales > 1e-9, scales, 1.0)
    inputs = np.column_stack([np.ones(len(x)), (x - means) / scales])
    share = np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    penalty = np.full(inputs.shape[1], ridge)
    penalty[0] = 1e-6
    weights = np.zeros(inputs.shape[1])
    loss = _loss(inputs, y, share, penalty, weights)
    for _ in range(_STEPS):
        chance = sigmoid(inputs @ weights)
        slope = inputs.T @ (share * (chance - y)) + penalty * weights
        bend = (inputs * (share * chance * (1 - chance))[:, None]).T @ inputs + np.diag(penalty)
        step = np.linalg.solve(bend, slope)
        while (after := _loss(inputs, y, share, penalty, weights - step)) > loss and np.abs(step).max() > 1e-9:
            step = step / 2
        weights, gained, loss = weights - step, loss - after, after
        if gained < 1e-9:
            break
    return Weights(tuple(means.tolist()), tuple(scales.tolist()), tuple(weights[1:].tolist()), float(weights[0]))


def _loss(inputs: Floats, labels: Floats, share: Floats, penalty: Floats, weights: Floats) -> float:
    logits = inputs @ weights
    return float(share @ (np.logaddexp(0, logits) - labels * logits) + 0.5 * (penalty * weights**2).sum())
