"""Whether two figures that a model read in prose are about the same: what stands above them, and what narrows them.

"16 weeks" below the heading of one office and "12 weeks" below another's contradict each other no more than they do for
people who ask for them (proof/conflict/). Reads what the caller may read of their places. Knows no question.
Try: pytest tests/test_reading_figures.py
"""

from functools import cache
from typing import NamedTuple

from facts.relations import FIGURE
from facts.timeline import Apart, Atom
from proof.conflict.apart import Labels, apart
from proof.conflict.scope import Scope, differs, scope
from storage.facts import FactReader


class _Place(NamedTuple):
    labels: Labels
    scope: Scope


def keeps_apart(rows: FactReader) -> Apart:
    """What says of two figures that they are about two things; of anything else, that they are not."""

    @cache
    def place(evidence: int) -> _Place | None:
        for one in rows.evidence([evidence]):
            for chunk in rows.reader.lines_of(one.path, one.first_line, one.first_line):
                above = (chunk.title, *chunk.heading)
                narrowed = scope(one.quote, "\n".join(above), chunk.lang, path=one.path)
                return _Place(Labels(above, one.path, chunk.lang), narrowed)
        return None

    def two(one: Atom, other: Atom) -> bool:
        if not one.predicate == FIGURE == other.predicate:
            return False
        first, second = place(one.evidence), place(other.evidence)
        if first is None or second is None:
            return False
        return apart(first.labels, second.labels) or differs(first.scope, second.scope)

    return two
