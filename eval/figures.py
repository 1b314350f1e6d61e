"""The two statistics behind every table here: an interval for a share, and how well two lists are told apart.

Knows no questions and no index.
Try: python -c "from eval.figures import wilson; print(wilson(61, 71))"
"""

import math
from collections.abc import Sequence

_Z95 = 1.959964  # the normal distribution's 97.5 % point


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share, each bound from 0 to 1; (0, 1) when nothing was counted.

    Wilson's score interval (E. B. Wilson, JASA 22, 1927): unlike the usual one it holds for few cases and shares
    near 0 or 1.
    """
    if not n:
        return 0.0, 1.0
    share, z2 = successes / n, _Z95**2
    centre = share + z2 / (2 * n)
    half = _Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, (centre - half) / (1 + z2 / n)), min(1.0, (centre + half) / (1 + z2 / n))


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The chance that one drawn from `higher` exceeds one drawn from `lower`, ties counted half; nan without cases.

    The area under the ROC curve as the Mann-Whitney statistic U / (n1 n2); 1 is a clean separation, 0.5 is none.
    """
    if not higher or not lower:
        return math.nan
    wins = sum((h > low) + 0.5 * (h == low) for h in higher for low in lower)
    return wins / (len(higher) * len(lower))
