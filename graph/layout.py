"""Where things stand on a map: those that hang together near each other, the same for the same things every time.

Every thing pushes every other away and each tie pulls its two ends together, cooler with every step. Numbers in and
out: knows no thing and no caller, so it tells nothing that the map does not. Try: pytest tests/test_graph_map.py
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

STEPS = 90
"""2,000 things with 4,000 ties take 0.33 s of process time (2 busy cores, 30 November 2026)."""
_GOLDEN = math.pi * (3 - math.sqrt(5))
_PULL = 0.5
_CENTRE = np.array([0.05, 0.11], np.float32)  # wider than high, as windows are


def placed(count: int, ties: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """(x, y) of each of `count` things, neighbours about 1 apart; those without a tie in rows below the others."""
    tied = sorted({end for tie in ties for end in tie})
    number = {end: place for place, end in enumerate(tied)}
    joined = {(number[min(tie)], number[max(tie)]) for tie in ties if tie[0] != tie[1]}
    pairs = np.array(sorted(joined), np.int64).reshape(-1, 2)
    spots = _settled(_begun(len(tied), pairs), pairs)
    found = dict(zip(tied, spots.tolist(), strict=True))
    low = float(spots[:, 1].max()) + 2.0 if len(tied) else 0.0
    alone = [one for one in range(count) if one not in number]
    wide = max(8, math.ceil(math.sqrt(len(alone) * 3)), math.ceil(float(np.ptp(spots[:, 0])) / 1.2) if len(tied) else 0)
    for place, one in enumerate(alone):
        row, column = divmod(place, wide)
        in_row = min(wide, len(alone) - row * wide)
        found[one] = [(column - (in_row - 1) / 2) * 1.2, low + row * 1.2]
    return [(round(found[one][0], 2), round(found[one][1], 2)) for one in range(count)]


def _begun(count: int, pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Along a spiral, each next to whom it is tied to: what hangs together begins together."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs.tolist():
        near[a].append(b)
        near[b].append(a)
    order, seen = list[int](), set[int]()
    for start in sorted(range(count), key=lambda one: (-len(near[one]), one)):
        fresh = [] if start in seen else [start]
        seen.update(fresh)
        while fresh:
            order += fresh
            fresh = [one for here in fresh for one in near[here] if not (one in seen or seen.add(one))]  # type: ignore[func-returns-value]
    spots = np.empty((count, 2), np.float32)
    for place, one in enumerate(order):
        far = 0.9 * math.sqrt(place + 0.5)
        spots[one] = far * math.cos(place * _GOLDEN), far * math.sin(place * _GOLDEN)
    return spots


def _settled(spots: NDArray[np.float32], pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    if len(spots) < 2:
        return spots
    ends = np.bincount(pairs.ravel(), minlength=len(spots))
    slack = (_PULL / np.sqrt(ends[pairs].min(1, keepdims=True))).astype(np.float32)  # hubs would be balls of thread
    heat = 0.12 * math.sqrt(len(spots)) + 0.5
    for step in range(STEPS):
        crowds, sizes = _crowds(spots)
        apart = (spots * spots).sum(1, keepdims=True) + (crowds * crowds).sum(1) - 2 * (spots @ crowds.T)
        pushed = (sizes / np.maximum(apart, 0.05)) @ np.hstack((crowds, np.ones((len(crowds), 1), np.float32)))
        moves = spots * pushed[:, 2:] - pushed[:, :2]
        along = spots[pairs[:, 1]] - spots[pairs[:, 0]]
        pull = along * slack
        for axis in (0, 1):
            moves[:, axis] += np.bincount(pairs[:, 0], pull[:, axis], len(spots))
            moves[:, axis] -= np.bincount(pairs[:, 1], pull[:, axis], len(spots))
        moves -= spots * _CENTRE
        length = np.maximum(np.sqrt((moves * moves).sum(1, keepdims=True)), 1e-6)
        cooler = max(heat * (1 - step / STEPS) ** 2, 0.02)
        spots = (spots + moves / length * np.minimum(length, cooler)).astype(np.float32)
    settled: NDArray[np.float32] = spots - spots.mean(0)
    return settled


def _crowds(spots: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The middles of squares with things in them, and how many each has: what pushes, in place of each thing alone."""
    low, high = spots.min(0), spots.max(0)
    across = max(2, int(math.sqrt(len(spots)) * 0.6))
    cells = ((spots - low) / np.maximum(high - low, 1e-3) * (across - 1e-3)).astype(np.int64)
    _, at, sizes = np.unique(cells[:, 0] * across + cells[:, 1], return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(at, spots[:, axis]) for axis in (0, 1)], axis=1)
    return (sums / sizes[:, None]).astype(np.float32), sizes.astype(np.float32)


def beside(
    things: Sequence[str], ties: Sequence[tuple[str, str]], known: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The place of each thing by its key: of `known` ones theirs, of others one near those that they are tied to."""
    if not known:
        number = {made: place for place, made in enumerate(sorted(things))}
        spots = placed(len(number), sorted({(number[a], number[b]) for a, b in ties}))
        return {made: spots[place] for made, place in number.items()}
    near: dict[str, list[str]] = {}
    for one, other in sorted({*ties, *((b, a) for a, b in ties)}):
        near.setdefault(one, []).append(other)
    found = {made: known[made] for made in things if made in known}
    low = max(y for _, y in known.values()) + 1.2
    for place, made in enumerate(sorted(set(things) - found.keys())):
        at = [known[other] for other in near.get(made, ()) if other in known]
        turn = place * _GOLDEN
        x = sum(x for x, _ in at) / len(at) + math.cos(turn) if at else 1.2 * (place % 20 - 10)
        y = sum(y for _, y in at) / len(at) + math.sin(turn) if at else low + 1.2 * (place // 20)
        found[made] = round(x, 2), round(y, 2)
    return found
