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


_ACTORS, _RUNS = frozenset({"Person", "Team"}), frozenset({"Service", "System"})
_TALK = frozenset({"Message", "Document"})

BUILT_IN = Relations(
    {
        one.name: one
        for one in (
            Type("Person", {"en": ("person", "people", "employee", "colleague", "engineer"), "de": ("Person", "Mitarbeiter", "Kollege")}),
            Type("Team", {"en": ("team", "group", "business unit", "department"), "de": ("Team", "Gruppe", "Abteilung")}),
            Type("Service", {"en": ("service", "application", "app"), "de": ("Dienst", "Anwendung")}),
            Type("System", {"en": ("system", "platform", "database", "tool"), "de": ("System", "Werkzeug", "Datenbank")}),
            Type("Decision", {"en": ("decision", "decision record", "ADR"), "de": ("Entscheidung", "Beschluss")}),
            Type("Document", {"en": ("document", "page"), "de": ("Dokument", "Seite")}),
            Type("Message", {"en": ("message", "post"), "de": ("Nachricht",)}),
        )
    },
    {
        one.name: one
        for one in (
            Relation("owns", _ACTORS, _RUNS | {"Document"}, "subject"),
            Relation("leads", frozenset({"Person"}), frozenset({"Team"}), "subject"),
            Relation("member_of", _ACTORS, frozenset({"Team"})),
            Relation("reports_to", frozenset({"Person"}), frozenset({"Person"}), "object"),
            Relation("on_call_for", _ACTORS, frozenset({"Team"}) | _RUNS),
            Relation("depends_on", _RUNS, _RUNS),
            Relation("has_access", _ACTORS, _RUNS),
            Relation("deprecates", frozenset({"Decision"}), _RUNS, fresh_days=0),
            Relation("supersedes", frozenset({"Decision", "Document"}), frozenset({"Decision", "Document"}), fresh_days=0),
            Relation("contradicts", _TALK | {"Decision"}, frozenset({"Decision", "Document"}), fresh_days=0),
            Relation("approved_by", frozenset({"Decision", "Document"}), _ACTORS, fresh_days=0),
            Relation("written_by", frozenset({"Decision", "Document", "Message"}), _ACTORS, fresh_days=0),
            Relation("affects", frozenset({"Decision"}), _RUNS | _ACTORS, fresh_days=0),
            Relation("mentions", _TALK | {"Decision"}, frozenset({"Person", "Team", "Service", "System", "Decision"}), fresh_days=0),
        )
    },
)  # fmt: skip
"""What there is without a user's file."""
SINGLE_ATTRIBUTES = frozenset({"status", "tier", "level", "business unit", "department", "due", "date"})
"""Attributes that a thing has once: two values at a time are a conflict."""
