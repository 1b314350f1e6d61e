"""What people decide: which names are one thing's, and which of two facts that disagree holds.

Everybody is shown, and decides on, what they may read; a decision counts at once for whoever may read both its sides.
Each can be taken back, and stands in the audit log. Knows no HTTP. Try: python -m graph.decide --list
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from access import Caller
from access.audit import add as add_to_log
from database import Connection, lasting
from errors import BrainError, UsageError
from graph.tools_time import conflicts
from graph.view import Entity, Fact, View
from storage import decided
from storage.decided import Decision, MergeRow
from storage.facts import EvidenceRow, NameRow
from storage.naming import RULES, Outcome

DECISIONS = ("merge", "apart", "undo")
"""What may be decided of two names."""
OUTCOMES = ("proposed", "blocked", "merged", "apart")
MOST = 200
"""Pairs of one list."""
_MOST_FACTS = 20  # stated facts of one side, of which each is kept against each


class NoSuchDispute(BrainError):
    """Nothing of this id that the caller may read all of."""

    code = "not_found"
    http_status = 404


@dataclass(frozen=True, slots=True)
class Words:
    """Where something stands."""

    path: str
    first_line: int
    last_line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Called:
    """One side of a pair: a name where it is written first."""

    name: str
    thing: str  # key of what bears it, as things are joined now
    words: Words


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names that are one thing's, or may be, or are not, and why."""

    id: str
    type: str
    a: Called
    b: Called
    similarity: float
    tier: Literal["certain", "judged"]
    reason: str
    outcome: Outcome
    decided_by: str  # "rules", "model NAME", a principal
    at: str  # UTC, ISO 8601
    is_one: bool  # whether both are one thing now: other names may join them, or other ids part them
    can_undo: bool
    decisions: tuple[Decision, ...] = ()  # of people, the last first


@dataclass(frozen=True, slots=True)
class Side:
    """A fact of a conflict."""

    id: str
    subject: str
    predicate: str
    said: str
    qualifier: str
    valid_from: str
    observed_at: str
    status: str
    by_model: bool  # nobody but a model that read prose says so
    words: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """What documents disagree on, or did until somebody decided."""

    thing: str  # "" where it has no name
    predicate: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact that somebody decided for, against another."""

    kept: Side
    closed: Side
    made_at: str
    made_by: str
    why: str
    is_in_force: bool


@dataclass(frozen=True, slots=True)
class Conflicts:
    """All that the caller may read of them."""

    open: tuple[Conflict, ...] = ()
    decided: tuple[Kept, ...] = ()
    _facts: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def keys(self, side: str) -> frozenset[str]:
        """The stated facts behind a side, by facts.key. Raises NoSuchDispute."""
        if side not in self._facts:
            raise NoSuchDispute("There is no such fact in a conflict that you may read.")
        return self._facts[side]


def pairs(view: View, outcome: str = "", before: str = "", limit: int = 50) -> list[Pair]:
    """Pairs of names of which the caller may read both, the newest first; `before`: older than the one of this id.

    Of two things one pair; none is proposed of what is one already by other names.

    Raises UsageError for an outcome that is none, NoSuchDispute for an id that is none.
    """
    if outcome and outcome not in OUTCOMES:
        raise UsageError(f"There is no outcome {outcome!r}, only {', '.join(OUTCOMES)}.")
    if before:
        last = _row(view, before)
        found = decided.newest(view.rows, min(limit, MOST), outcome, (last.at, last.key))
    else:
        found = decided.newest(view.rows, min(limit, MOST), outcome)
    return [one for one in _pairs(view, found) if not (one.outcome == "proposed" and one.is_one)]


def pair(view: View, id_: str) -> Pair:
    """The pair of this id. Raises NoSuchDispute."""
    return _pairs(view, [_row(view, id_)])[0]


def decide(connection: Connection, by: Caller, told: Pair, decision: str, why: str) -> None:
    """From now on the two are one, or two, or what the rules say; outside of a transaction.

    Raises UsageError for what is no decision or has nothing to take back, NoSuchDispute where the pair has gone.
    """
    if decision not in DECISIONS:
        raise UsageError(f"There is no decision {decision!r}, only {', '.join(DECISIONS)}.")
    if decision == "undo" and not told.can_undo:
        raise UsageError("Nobody decided on these two, so there is nothing to undo.")
    outcome: Outcome = "merged" if decision == "merge" else "apart" if decision == "apart" else _by_rules(told)
    action: decided.Action = "merge" if decision == "merge" else "apart" if decision == "apart" else "undo"
    with lasting(connection):
        whom = by.id if action != "undo" else RULES
        if not decided.settle(connection, told.id, outcome, whom, in_force=action != "undo", at=decided.now()):
            raise NoSuchDispute("These two names are no longer there.")
        decided.add(connection, by.id, action, told.id, "", why)
        names = [f"{told.type} {side.name}" for side in (told.a, told.b)]
        _log(connection, by, {"action": action, "pair": told.id, "names": names, "was": told.outcome, "why": why})


def disagreements(view: View) -> Conflicts:
    """What documents disagree on that nobody decided, and what somebody did."""
    rows = conflicts(view).rows
    ruled = decided.kept(view.rows)
    held = view.stating({number for _, *two in ruled for number in two})
    facts = [*(fact for row in rows for fact in row.facts), *held.values()]
    words, keys = view.words(facts), view.rows.fact_keys({one for fact in facts for one in fact.evidence})
    behind: dict[str, set[str]] = {}
    for fact in facts:
        behind.setdefault(side_id(fact), set()).update(keys[one] for one in fact.evidence if one in keys)
    return Conflicts(
        tuple(
            Conflict(
                row.thing.name if row.thing else "",
                row.facts[0].predicate,
                tuple(_side(one, words) for one in row.facts),
            )
            for row in rows
        ),
        tuple(
            dict.fromkeys(
                Kept(
                    _side(held[a], words),
                    _side(held[b], words),
                    one.made_at,
                    one.made_by,
                    one.why,
                    one.action == "keep",
                )
                for one, a, b in ruled
                if a in held and b in held
            )
        ),
        {made: frozenset(found) for made, found in behind.items()},
    )


def keep(connection: Connection, by: Caller, found: Conflicts, kept: str, closed: str, why: str) -> None:
    """From now on the first fact holds and the second does not; outside of a transaction. By ids of their sides.

    Raises NoSuchDispute, UsageError for two facts that no conflict has.
    """
    _rule(connection, by, "keep", found, kept, closed, why)


def reopen(connection: Connection, by: Caller, found: Conflicts, kept: str, closed: str, why: str) -> None:
    """Takes `keep` back. Raises what it raises."""
    _rule(connection, by, "reopen", found, kept, closed, why)


def side_id(fact: Fact) -> str:
    """Tells a fact from others by what it says alone."""
    thing = fact.object.key if fact.object else fact.value
    told = (fact.subject.key, fact.predicate, bool(fact.object), thing, fact.qualifier, fact.valid_from)
    return hashlib.blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).hexdigest()


def _rule(
    connection: Connection, by: Caller, action: Literal["keep", "reopen"], found: Conflicts, kept: str, closed: str,
    why: str,
) -> None:  # fmt: skip
    ours, theirs = found.keys(kept), found.keys(closed)
    open_ = [{one.id for one in conflict.sides} for conflict in found.open]
    held = [{one.kept.id, one.closed.id} for one in found.decided]
    if kept == closed or not any({kept, closed} <= ids for ids in (held if action == "reopen" else open_ + held)):
        raise UsageError("These two facts are in no conflict with each other. See: python -m graph.decide --list")
    sides = {one.id: one for conflict in found.open for one in conflict.sides}
    sides |= {one.id: one for both in found.decided for one in (both.kept, both.closed)}
    with lasting(connection):
        for one, other in product(sorted(ours - theirs)[:_MOST_FACTS], sorted(theirs - ours)[:_MOST_FACTS]):
            decided.add(connection, by.id, action, one, other, why)
        told = {name: _told(sides[made]) for name, made in (("kept", kept), ("closed", closed))}
        _log(connection, by, {"action": action, **told, "why": why})


def _told(side: Side) -> str:
    return " ".join(part for part in (side.subject, side.predicate, side.said, side.qualifier) if part)


def _log(connection: Connection, by: Caller, body: dict[str, Any]) -> None:
    person = {"for": by.person} if by.person else {}
    add_to_log(connection, "decision", by.id, person | body)


def _by_rules(told: Pair) -> Outcome:
    if told.tier == "certain":
        return "blocked" if told.reason.startswith("other id") else "merged"
    return "blocked" if told.reason.startswith("other ") else "proposed"


def _row(view: View, id_: str) -> MergeRow:
    found = decided.pair(view.rows, id_)
    if not found:
        raise NoSuchDispute("There is no such pair of names that you may read.")
    return found


def _pairs(view: View, found: Sequence[MergeRow]) -> list[Pair]:
    nodes = {node for one in found for node in one.nodes}
    things = view.of_nodes(nodes)
    named: dict[tuple[int, str], NameRow] = {}
    for row in view.rows.names_of(nodes):
        named.setdefault((row.node, row.key), row)
    made = decided.history(view.rows.connection, [one.key for one in found])
    listed = []
    for one in found:
        a, b = (_called(named[at], things[at[0]]) for at in zip(one.nodes, one.names, strict=True))
        listed.append(
            Pair(
                one.key, things[one.nodes[0]].type, a, b, one.similarity / 1000, one.tier, one.reason, one.outcome,
                one.decided_by, one.at, things[one.nodes[0]] == things[one.nodes[1]],
                one.decided_by != RULES, tuple(made.get(one.key, ())),
            )
        )  # fmt: skip
    return listed


def _called(row: NameRow, thing: Entity) -> Called:
    return Called(row.name, thing.key, Words(row.path, row.first_line, row.last_line, row.quote))


def _side(fact: Fact, words: Mapping[int, EvidenceRow]) -> Side:
    found = [words[one] for one in fact.evidence if one in words]
    return Side(
        side_id(fact), fact.subject.name, fact.predicate, fact.said, fact.qualifier, fact.valid_from, fact.observed_at,
        fact.status, fact.by_model, tuple(Words(one.path, one.first_line, one.last_line, one.quote) for one in found),
    )  # fmt: skip


def main(argv: Iterable[str] | None = None) -> int:
    """See graph/deciding.py."""
    from graph.deciding import command

    return command(None if argv is None else [*argv])


if __name__ == "__main__":
    import commandline

    commandline.run(main)
