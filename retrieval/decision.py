"""The learned decision over several signals of a search: a logistic model as plain numbers, and its limit.

Knows no question and no index; retrieval/signals.py computes what it weighs, calibration/ fits it.
Try: python store.py --status, which tells whether one is in force
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NAMES = (
    "score", "lead", "spread", "coverage", "most_coverage", "keywords", "keyword_lead", "agreement", "sentence", "kind",
    "named", "length", "same_language",
)  # fmt: skip
"""The signals in their order; a stored decision names them, and one that names others is not used."""
VERSION = 2
"""Raised when a signal is computed in another way."""
_FAR = 30.0  # a logit beyond it is certain in float64


def sigmoid(logits: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """1 / (1 + exp(-x)) of each, without overflow."""
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits, -_FAR, _FAR)))
    return found


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model as plain numbers: mean and scale of each input, its weight once standardised, and the bias."""

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def chance(self, row: npt.ArrayLike) -> float:
        """From 0 to 1 for one row of inputs. Raises ValueError when it has another number of them."""
        inputs = (np.asarray(row, np.float64) - np.asarray(self.means)) / np.asarray(self.scales)
        return float(sigmoid(inputs @ np.asarray(self.weights) + self.bias))


@dataclass(frozen=True, slots=True)
class Decision:
    """What is weighed, how, and the chance below which a question is refused although its score passes."""

    names: tuple[str, ...]  # of the signals, in the order of the weights
    version: int  # of their computation
    weights: Weights
    min_confidence: float | None  # 0 to 1; None: it gives a confidence and refuses nothing

    @property
    def usable(self) -> bool:
        """Whether the signals are those that this program computes."""
        return (self.names, self.version) == (NAMES, VERSION)
