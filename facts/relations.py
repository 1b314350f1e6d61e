"""The types of things and the relations between them: one table, which a user's file extends.

Of each relation: which types it joins, on which side there can be but one, how long it is trusted, and the words people
use for it, which the questions are read by. Knows no documents.
Try: python -c "from facts.relations import BUILT_IN; print(BUILT_IN.relations['owns'])"
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Words = Mapping[str, tuple[str, ...]]
"""By language (ISO 639-1), words and phrases in their plain form."""


@dataclass(frozen=True, slots=True)
class Type:
    """A kind of thing."""

    name: str
    words: Words  # what people call one: "service", "application"


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of fact, read from its subject to its object: "Bedrock owns plan-store"."""

    name: str
    subjects: frozenset[str]  # types
    objects: frozenset[str]
    one: Literal["", "subject", "object"] = ""
    """On which side there is but one at a time for each of the other: `owns` has one subject (owner) for each object."""
    fresh_days: int = 365  # for so long after it was last confirmed it is not stale; 0: for ever
    words: Words = field(default_factory=dict)  # "owns", "responsible for": subject first
    inverse: Words = field(default_factory=dict)  # "owned by", "belongs to": object first


@dataclass(frozen=True, slots=True)
class Relations:
    """All types and relations in force."""

    types: Mapping[str, Type]
    relations: Mapping[str, Relation]
