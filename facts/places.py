"""What there can be but one of at a time: the owner of a service, a person's manager, a tier, a figure of one unit.

Two values of one place contradict each other or follow each other (facts/timeline.py). Pure.
Try: python -c "from facts.places import unit; print(unit('1,200 hours'))"
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from facts import MODEL, normal
from facts.relations import FIGURE, SINGLE_ATTRIBUTES, Relations

if TYPE_CHECKING:
    from facts.timeline import Atom

_THOUSANDS = re.compile(r"(?<=\d)[.,\u00a0\u202f' ](?=\d{3}(?!\d))")
_AMOUNT = re.compile(r"\d[\d.,:\u00a0\u202f' ]*")


def place(atom: "Atom", relations: Relations) -> Hashable:
    """What there can be but one of at a time, None where there can be many. A person and a team take two places."""
    relation = relations.relations.get(atom.predicate)
    narrowed = fold(atom.qualifier)
    if relation and relation.one == "subject":
        return (atom.predicate, "one subject", atom.object, plain(atom.value), atom.subject_type, narrowed)
    if relation and relation.one == "object":
        return (atom.predicate, "one object", atom.subject, atom.object_type, atom.subject_type, narrowed)
    if not relation and atom.object is None and fold(atom.predicate) in SINGLE_ATTRIBUTES:
        counted = unit(atom.value) if atom.predicate == FIGURE else ""
        return (atom.predicate, "one value", atom.subject, atom.subject_type, narrowed, counted)
    return None


def unit(figure: str) -> str:
    """What a figure counts: hours and days of one thing may both be right."""
    return " ".join(word.rstrip("s") for word in fold(_AMOUNT.sub(" ", figure)).split())


def typed(atoms: Sequence["Atom"], relations: Relations) -> Iterable["Atom"]:
    """The atoms; a name in the place of one thing, of which no document says the type, as of the type of what others
    put there, where that is one: else what a model read there would contradict nobody.
    """
    if all(atom.rank > MODEL for atom in atoms):
        return atoms
    types: dict[Hashable, set[str]] = defaultdict(set)
    for atom in atoms:
        if side := _free(atom, relations):
            types[atom.predicate, side[0]].add(side[1])
    found = []
    for atom in atoms:
        side = _free(atom, relations) if atom.rank == MODEL else None
        known = types[atom.predicate, side[0]] - {""} if side and not side[1] else set[str]()
        if len(known) == 1:
            is_subject = relations.relations[atom.predicate].one == "subject"
            atom = atom._replace(subject_type=known.pop()) if is_subject else atom._replace(object_type=known.pop())
        found.append(atom)
    return found


def _free(atom: "Atom", relations: Relations) -> tuple[Hashable, str] | None:
    """Of what there is but one at this atom's other end: that end, and the type of what stands here."""
    one = relations.relations[atom.predicate].one if atom.predicate in relations.relations else ""
    if one == "subject":
        return (atom.object, plain(atom.value)), atom.subject_type
    return (atom.subject, atom.object_type) if one == "object" else None


def value_key(atom: "Atom") -> str:
    """What tells its value from others, however a figure parts its thousands."""
    return plain(_THOUSANDS.sub("", atom.value) if atom.predicate == FIGURE else atom.value)


def plain(value: str) -> str:
    """A value as it is compared."""
    return value and (normal.key(value) or fold(value))  # "✓" and "✗" have no normal form


def fold(text: str) -> str:
    """In lower case, its white space as one blank."""
    return text and " ".join(text.casefold().split())
