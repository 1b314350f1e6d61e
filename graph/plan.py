"""In which order and direction the relations that a question names lead from a thing to what is asked for.

Decided by the types that relations join and by what there really is: the first way, of the likely ones first, that
leads to something of the asked type. A nested question names the relation nearest its thing last ("who owns the service
that depends on the system deprecated by D-0006"). Knows no words. Try: pytest tests/test_graph_tools.py
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from graph.view import Entity, View
from graph.walk import Direction, Step, far, hop_or_last, near

Mentioned = str | Step
"""A relation or attribute; with a direction, as it is walked from the thing, where the words tell it."""
_MOST_MENTIONED = 5
_MOST_HOPS = 80  # of all that is tried


def plan(view: View, start: Sequence[Entity], mentioned: Sequence[Mentioned], end_types: Collection[str]) -> list[Step]:
    """The steps from `start` to something of `end_types` (none: whatever there is); [] where no order leads there.

    `mentioned`: in the order of the question. Each is used; one that is named twice may be used once or twice.
    """
    walker = _Walker(view, start)
    for order in _orders(list(mentioned)[:_MOST_MENTIONED]):
        found = walker.lead((), order, frozenset(end_types))
        if found:
            return list(found)
    return []


def _orders(mentioned: list[Mentioned]) -> Iterator[tuple[Mentioned, ...]]:
    """Backwards first, then as told, then any other; all that without repetitions, if there are any, at the end."""
    seen = set[tuple[Mentioned, ...]]()
    for told in (mentioned, list(dict.fromkeys(mentioned))):
        for order in (tuple(reversed(told)), tuple(told), *permutations(told)):
            if order and order not in seen:
                seen.add(order)
                yield order


class _Walker:
    """Walks from one start; what was walked once is not read again."""

    def __init__(self, view: View, start: Sequence[Entity]) -> None:
        self._view, self._hops = view, 0
        self._ends: dict[tuple[Step, ...], tuple[list[Entity], bool]] = {
            (): (list({one.key: one for one in start}.values()), False)
        }

    def lead(self, done: tuple[Step, ...], left: Sequence[Mentioned], wanted: frozenset[str]) -> tuple[Step, ...]:
        """The steps so far and those by which all that is left leads to what is wanted; () where it does not."""
        things, is_value = self._ends[done]
        if not left:
            fits = not wanted or is_value or any(one.type in wanted for one in things)
            return done if done and fits and (things or is_value) else ()
        for step in self._steps(things, left[0], bool(done) or len(left) > 1):
            way = (*done, step)
            if self._walk(way) and (found := self.lead(way, left[1:], wanted)):
                return found
        return ()

    def _steps(self, things: Sequence[Entity], named: Mentioned, is_chained: bool) -> list[Step]:
        """The directions in which a relation may lead on, the likelier first."""
        predicate = named if isinstance(named, str) else named[0]
        relation = self._view.relations.relations.get(predicate)
        if relation is None:
            return [(predicate, "out")]
        ends: dict[Direction, frozenset[str]] = {"out": relation.subjects, "in": relation.objects}
        types = {one.type for one in things}
        fits: list[Direction] = [way for way, allowed in ends.items() if types & (allowed | {""})]
        if len(fits) > 1:
            if not isinstance(named, str):
                return [(predicate, named[1])]
            if relation.one == "subject" or (not relation.one and is_chained):
                fits.reverse()  # to the one owner; to what depends on it
        return [(predicate, way) for way in fits]

    def _walk(self, way: tuple[Step, ...]) -> bool:
        """Whether the last of these steps leads anywhere."""
        if way not in self._ends:
            things, (predicate, direction) = self._ends[way[:-1]][0], way[-1]
            self._hops += 1
            may = things and self._hops <= _MOST_HOPS
            facts = hop_or_last(self._view, things, predicate, direction) if may else []
            ends = [far(fact, direction) for fact in facts if near(fact, direction)]
            reached = {end.key: end.thing for end in ends if end.thing}
            self._ends[way] = list(reached.values()), any(end.thing is None for end in ends)
        things, is_value = self._ends[way]
        return bool(things) or is_value
