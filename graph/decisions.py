"""What is known of decisions: when they were taken, by whom, whether they are in force, what they retire.

A decision is in force where its status says that it was accepted and no later one, itself in force, supersedes it.
Knows no question. Try: pytest tests/test_graph_tools.py
"""

from collections.abc import Iterable
from dataclasses import dataclass

from facts.normal import key
from graph.view import Entity, Fact, View
from graph.walk import stands
from sources.dates import stated_date

_IN_FORCE = (
    "accepted", "approved", "adopted", "agreed", "decided", "ratified", "active", "in force", "implemented",
    "angenommen", "akzeptiert", "beschlossen", "genehmigt", "in kraft", "gültig",
    "aceptad", "aprobad", "adoptad", "vigente", "en vigor", "accepté", "acceptee", "approuve", "adopte", "en vigueur",
    "已接受", "已批准", "已采纳", "承認", "採択", "승인", "채택",
)  # fmt: skip
_WORDS = tuple(sorted({key(word) for word in _IN_FORCE}))
_READ = ("status", "date", "approved_by", "supersedes", "deprecates", "affects")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, with the facts that say what it is."""

    thing: Entity
    day: str  # ISO date on which it was taken, "" unknown
    status: Fact | None  # the one that counts, of several
    facts: tuple[Fact, ...]  # all that it says
    replaced_by: tuple[Fact, ...]

    @property
    def is_in_force(self) -> bool:
        """Accepted, and not superseded."""
        return bool(self.status and is_in_force(self.status.value) and not self.replaced_by)

    def by(self, *predicates: str) -> tuple[Fact, ...]:
        """What it says by these relations."""
        return tuple(fact for fact in self.facts if fact.predicate in predicates)


def is_in_force(status: str) -> bool:
    """Whether a status says that a decision was accepted: "Accepted", "accepted (2024-03-01)", "Beschlossen"."""
    return key(status).startswith(_WORDS)


def read(view: View, things: Iterable[Entity]) -> dict[str, Decision]:
    """These decisions by key, read together, with those that supersede them (which are not in the answer)."""
    things = list(things)
    replacing = [fact for fact in view.about(things, ["supersedes"]) if stands(view, fact)]
    known = {one.key: one for one in things}
    others = {fact.subject.key: fact.subject for fact in replacing if fact.subject.key not in known}
    said: dict[str, list[Fact]] = {made: [] for made in (*known, *others)}
    for fact in view.of([*known.values(), *others.values()], _READ):
        if stands(view, fact):
            said[fact.subject.key].append(fact)
    found = {}
    for made, thing in known.items():
        by = [fact for fact in replacing if fact.object and fact.object.key == made and _counts(said[fact.subject.key])]
        found[made] = Decision(thing, _day(said[made]), _status(said[made]), tuple(said[made]), tuple(by))
    return found


def _counts(facts: list[Fact]) -> bool:
    """Whether a decision that says so supersedes: one that is only proposed, or was rejected, does not."""
    status = _status(facts)
    return status is None or is_in_force(status.value) or key(status.value).startswith("superseded")


def _status(facts: list[Fact]) -> Fact | None:
    told = [fact for fact in facts if fact.predicate == "status"]
    return max(told, key=lambda fact: (fact.rank, fact.observed_at, is_in_force(fact.value), fact.value), default=None)


def _day(facts: list[Fact]) -> str:
    stated = [day for fact in facts if fact.predicate == "date" and (day := stated_date({"date": fact.value}))]
    begun = [fact.valid_from for fact in facts if fact.valid_from and fact.predicate != "supersedes"]
    seen = [fact.observed_at for fact in facts if fact.observed_at]
    return min(stated or begun or seen, default="")
