"""Whether two figures that a model read in prose are about the same: what stands above them, and what narrows them.

"16 weeks" below the heading of one office and "12 weeks" below another's contradict each other no more than they do for
people who ask for them (proof/conflict/). Reads what the caller may read of their places. Knows no question.
Try: pytest tests/test_reading_figures.py
"""

from collections.abc import Callable, Sequence
from functools import cache

from facts.relations import FIGURE
from facts.timeline import Atom
from proof.conflict.apart import Labels, apart
from proof.conflict.scope import differs, scope
from storage.facts import FactReader, Standing


def keeps_apart(rows: FactReader, atoms: Sequence[Atom]) -> Callable[[Atom, Atom], bool] | None:
    """What says of two figures that they are about two things; None where no model read any."""
    numbers = {atom.evidence for atom in atoms if atom.predicate == FIGURE}
    if not numbers:
        return None
    places = rows.standing(numbers)

    @cache
    def are_apart(one: int, other: int) -> bool:
        first, second = places.get(one), places.get(other)
        return bool(first and second and _apart(first, second))

    def two(one: Atom, other: Atom) -> bool:
        return one.predicate == FIGURE == other.predicate and are_apart(one.evidence, other.evidence)

    return two


def _apart(one: Standing, other: Standing) -> bool:
    if apart(*(Labels((place.title, *place.heading), place.path, place.lang) for place in (one, other))):
        return True
    first, second = (
        scope(place.quote, "\n".join((place.title, *place.heading)), place.lang, path=place.path)
        for place in (one, other)
    )
    return differs(first, second)
