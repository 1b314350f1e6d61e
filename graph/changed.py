"""What one document changed for one caller: the facts that came with it, those it ended, and the conflicts it made.

Two views of the same moment are compared, one as if the document were not there; so it does not matter who else writes
meanwhile, and nothing is told that the caller may not read. Knows no event. Try: pytest tests/test_graph_changed.py
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from facts.timeline import first_day
from graph.tools import TOOLS
from graph.view import Entity, Fact, View
from graph.walk import TALK
from storage.facts import EvidenceRow

_MOST = 100  # facts, and conflicts, that are told
_MOST_WORDS = 3  # of one fact
_OF_DECISIONS = ("deprecates", "supersedes")


@dataclass(frozen=True, slots=True)
class Look:
    """What a view says of the things that a document names."""

    names: frozenset[str]
    predicates: frozenset[str]
    own: frozenset[int]  # evidence that stands in the document
    facts: tuple[Fact, ...]
    against: tuple[
        tuple[Fact, ...], ...
    ]  # where it goes against a decision: the facts that show it, and what that says
    words: dict[int, EvidenceRow]


@dataclass(frozen=True, slots=True)
class Changes:
    """What is another than without the document; each ready for JSON, with its words."""

    facts: list[dict[str, Any]] = field(default_factory=list)
    ended: list[dict[str, Any]] = field(default_factory=list)
    conflicts: list[list[dict[str, Any]]] = field(default_factory=list)  # what cannot hold together


def look(view: View, path: str, after: Look | None = None) -> Look:
    """What the view says around the document at `path`; without it, of what `after` says that it names."""
    rows, named = view.rows.said_in(path), view.rows.named_in(path)
    names = after.names if after else frozenset(row.name for row in named)
    predicates = after.predicates if after else frozenset(row.predicate for row in rows)
    things = {one.key: one for held in view.bearing(names).values() for one in held}
    facts = _facts(view, things.values(), predicates)
    own = frozenset(row.evidence for row in rows)
    against = _against(view, own, [row.dated for row in rows]) if not after and predicates & {*TALK} else []
    kept = [fact for fact in facts if fact.status == "disputed" or own & {*fact.evidence} or fact.valid_to]
    told = [
        *kept,
        *(other for fact in kept for other in fact.against),
        *(fact for row in against for fact in row),
    ]
    return Look(names, predicates, own, tuple(facts), tuple(against), view.words(told))


def changes_of(before: Look, after: Look) -> Changes:
    """What the document changed: `before` is a look without it, `after` one with it, both by `look`."""
    was = {number: fact for fact in before.facts for number in fact.evidence}
    found = Changes()
    seen = set[frozenset[tuple[int, ...]]]()
    for fact in after.facts:
        old = next((was[number] for number in fact.evidence if number in was), None)
        if old is None and after.own.issuperset(fact.evidence):
            found.facts.append(_told(fact, after.words))
        if old and fact.valid_to and fact.valid_to != old.valid_to:
            found.ended.append(_told(fact, after.words))
        if fact.status == "disputed" and (old is None or old.status != "disputed" or _touches(after.own, fact)):
            for other in fact.against:
                pair = frozenset((fact.evidence, other.evidence))
                if pair not in seen and after.own & {*fact.evidence, *other.evidence}:
                    seen.add(pair)
                    found.conflicts.append([_told(fact, after.words), _told(other, after.words)])
    found.conflicts.extend([_told(fact, after.words) for fact in row] for row in after.against)
    for told in (found.facts, found.ended, found.conflicts):
        del told[_MOST:]
    return found


def _facts(view: View, things: Iterable[Entity], predicates: Collection[str]) -> list[Fact]:
    """What is said of the things and about them; who else talks of them is no change of theirs."""
    things = [*things]
    about = [one for one in predicates if one not in TALK]
    facts = view.of(things, predicates) if predicates else []
    facts += view.about(things, about) if about else []
    return [*{fact.evidence: fact for fact in facts}.values()]


def _against(view: View, own: frozenset[int], days: Sequence[str]) -> list[tuple[Fact, ...]]:
    """Where the document goes against a decision that is in force."""
    day = next((first_day(day) for day in days if day), "")
    rows = TOOLS["contradicted"].function(view, since=day, until=day).rows
    mine = [row for row in rows if own.intersection(*(fact.evidence for fact in row.facts[:1]))]
    said = view.of([row.thing for row in mine if row.thing], _OF_DECISIONS) if mine else []
    return [
        tuple(dict.fromkeys([*row.facts, *(fact for fact in said if fact.subject == row.thing)])) for row in mine
    ]  # fmt: skip


def _touches(own: frozenset[int], fact: Fact) -> bool:
    return any(own & {*one.evidence} for one in (fact, *fact.against))


def _told(fact: Fact, words: dict[int, EvidenceRow]) -> dict[str, Any]:
    held = [words[number] for number in fact.evidence if number in words][:_MOST_WORDS]
    return {
        "subject": fact.subject.name, "predicate": fact.predicate, "object": fact.said, "qualifier": fact.qualifier,
        "valid_from": fact.valid_from, "valid_to": fact.valid_to, "until": fact.until, "status": fact.status,
        "words": [
            {"source": one.path, "lines": f"L{one.first_line}-{one.last_line}", "quote": one.quote} for one in held
        ],
    }  # fmt: skip
