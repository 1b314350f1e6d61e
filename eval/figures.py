"""The intervals that every table here gives: of a share, of the difference between two, of one between paired runs.

All are 95 % intervals. Knows no questions and no index.
Try: python -c "from eval.figures import wilson; print(wilson(61, 71))"
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

_Z95 = 1.959964  # the normal distribution's 97.5 % point
_TAIL = 0.025
_DRAWS = 10_000
_SEED = 20261130


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


def difference(then: tuple[int, int], now: tuple[int, int]) -> tuple[float, float]:
    """The interval of share `now` minus share `then`, each (successes, n > 0) of cases of their own.

    From both Wilson intervals (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).
    """
    (low_then, high_then), (low_now, high_now) = wilson(*then), wilson(*now)
    before, after = then[0] / then[1], now[0] / now[1]
    return (
        after - before - math.hypot(after - low_now, high_then - before),
        after - before + math.hypot(high_now - after, before - low_then),
    )


def paired(lost: int, gained: int, n: int) -> tuple[float, float]:
    """The interval of a share's change between two runs of the same `n` cases, of which these changed.

    Exact, given how many changed (Clopper and Pearson on the gained among them): it lies below zero just when
    McNemar's exact test says so, which takes 6 lost and none gained.
    """
    changed = lost + gained
    if not changed:
        return 0.0, 0.0
    low = 0.0 if not gained else _bisected(lambda p: _at_least(gained, changed, p) - _TAIL)
    high = 1.0 if not lost else 1 - _bisected(lambda p: _at_least(lost, changed, p) - _TAIL)
    return (2 * low - 1) * changed / n, (2 * high - 1) * changed / n


def resampled(then: Sequence[tuple[int, int]], now: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """The interval of sum / sum `now` minus sum / sum `then`, case by case the same in both: (part, of how many).

    Bootstrap over cases, always the same draws; those without anything to divide by are passed over.
    """
    rng = np.random.default_rng(_SEED)
    table = np.array([[*a, *b] for a, b in zip(then, now, strict=True)], np.float64)
    sums = np.stack([table[rng.integers(0, len(table), len(table))].sum(axis=0) for _ in range(_DRAWS)])
    sums = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    if not len(sums):
        return -1.0, 1.0
    changes = sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1]
    low, high = np.quantile(changes, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def _at_least(k: int, n: int, p: float) -> float:
    """The chance of `k` or more of `n` at chance `p` each, 0 < p < 1; by logarithms, for `n` of thousands."""
    whole = math.lgamma(n + 1)
    return sum(
        math.exp(whole - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * math.log(p) + (n - i) * math.log1p(-p))
        for i in range(k, n + 1)
    )


def _bisected(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
