"""Where things stand on the map: apart from each other, near what they are tied to, the same every time.

Try: pytest tests/test_graph_map.py
"""

import math
import random
from itertools import pairwise

import pytest

from graph.layout import beside, placed


def ring(count: int) -> list[tuple[int, int]]:
    return [*pairwise(range(count)), (count - 1, 0)]


def test_the_same_ties_in_any_order_give_the_same_places() -> None:
    ties = [(n, random.Random(n).randrange(n)) for n in range(1, 300)]
    assert placed(320, ties) == placed(320, [(b, a) for a, b in reversed(ties)])


@pytest.mark.parametrize(("count", "ties"), [(0, []), (1, []), (2, [(0, 1)]), (3, [(0, 0)]), (40, ring(40))])
def test_each_thing_has_a_place_of_its_own(count: int, ties: list[tuple[int, int]]) -> None:
    spots = placed(count, ties)
    assert len(set(spots)) == len(spots) == count
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in spots)


def test_what_is_tied_stands_nearer_than_what_is_not() -> None:
    ties = [(a, b) for start in (0, 12) for a in range(start, start + 12) for b in range(a + 1, start + 12)] + [(0, 12)]
    spots = placed(24, ties)
    within = max(math.dist(spots[1], spots[n]) for n in range(2, 12))
    between = min(math.dist(spots[a], spots[b]) for a in range(1, 12) for b in range(13, 24))
    assert within < between


def test_what_has_no_ties_stands_below() -> None:
    spots = placed(10, ring(6))
    assert min(y for _, y in spots[6:]) > max(y for _, y in spots[:6])


def test_another_day_moves_nothing_and_what_is_new_stands_beside_its_neighbours() -> None:
    names = [f"Service/{n}" for n in range(30)]
    ties = [(names[a], names[b]) for a, b in ring(30)]
    known = beside(names, ties, {})
    then = beside([*names[:20], "Team/old"], [*ties[:19], ("Team/old", names[3])], known)
    assert {one: then[one] for one in names[:20]} == {one: known[one] for one in names[:20]}
    assert math.dist(then["Team/old"], known[names[3]]) < 1.5
    assert beside(["Team/old"], [], known)["Team/old"][1] > max(y for _, y in known.values())
