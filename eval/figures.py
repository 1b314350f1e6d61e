"""The interval for a share that every table here gives.

Knows no questions and no index.
Try: python -c "from eval.figures import wilson; print(wilson(61, 71))"
"""

import math

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
