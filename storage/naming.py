"""Which names of different things may be meant for one: looked for as documents come in, each pair once and for all.

A pair of names is judged by the two alone (facts/similar.py), so that what is kept of it tells nothing of other
documents; whether it joins anything is worked out for who asks. Untyped names, documents and messages are let be.
Knows rows of names. Try: pytest tests/test_decide.py
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from database import Connection, meta, set_meta
from facts.normal import BESIDE, scheme
from facts.similar import REVIEW_FROM, blocked, parts, similarity, why

MOST_BEARERS = 200
"""A part that more names have tells nothing: nothing is looked up by it."""
RULES = "rules"
"""Who decided where nobody did."""
_APART = frozenset({"", "Document", "Message"})  # a document is told by its place
_AT_ONCE = 500
_IN = "IN (SELECT value FROM json_each(?))"
_IN_NUMBERS = "IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"
_CHANGED = "facts_decided"  # in `meta`: grows with everything that joins or parts what the rules alone would not
Outcome = Literal["proposed", "blocked", "merged", "apart"]


@dataclass(frozen=True, slots=True)
class Bearing:
    """One name or id of a node."""

    node: int
    type: str
    node_key: str  # nodes.key: "id:emp 1", "name:ann lee", "id:emp 1\nann lee"
    kind: str  # "name", "id"
    key: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules say of two names."""

    similarity: int  # thousandths
    tier: Literal["certain", "judged"]
    reason: str
    outcome: Outcome


def ruled(a: Bearing, b: Bearing) -> Ruled | None:
    """Whether two names of nodes of one type are the same, may be, or must not be; None where they are not alike."""
    if a.node_key.partition(BESIDE)[0] == b.node_key.partition(BESIDE)[0]:
        return None  # their id tells, or the lists that count it
    other = _other_id(a.node_key, b.node_key)
    if a.key == b.key:
        if other:
            return Ruled(1000, "certain", other, "blocked")
        return Ruled(1000, "certain", "same id" if a.kind == b.kind == "id" else "same name", "merged")
    if other or "id" in (a.kind, b.kind):
        return None
    alike = similarity(a.key, b.key)
    if alike < REVIEW_FROM:
        return None
    first, second = sorted((a.key, b.key))
    against = blocked(first, second)
    return Ruled(round(alike * 1000), "judged", against or why(first, second), "blocked" if against else "proposed")


def _other_id(a: str, b: str) -> str:
    """Two nodes that go by different ids of one scheme are two things: whoever sees them sees these ids."""
    (kind, one), (other_kind, other) = (key.partition(BESIDE)[0].split(":", 1) for key in sorted((a, b)))
    if kind == other_kind == "id" and one != other and scheme(one) == scheme(other):
        return f"other id: {one} / {other}"
    return ""


def pair_key(a: Bearing, b: Bearing) -> str:
    """Tells a pair of names from any other, in every index alike."""
    told = (a.type, *sorted(((a.node_key, a.key), (b.node_key, b.key))))
    return hashlib.blake2b(repr(told).encode("utf-8", "replace"), digest_size=12).hexdigest()


class Naming:
    """What one sync looks for; all inside its transactions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def look(self, bearings: Iterable[Bearing]) -> None:
        """Compares the names that no document gave these nodes before with those that may be meant for the same."""
        fresh = self._fresh({one for one in bearings if one.type not in _APART})
        if not fresh:
            return
        wanted = {one: _parts_of(one) for one in fresh}
        self._connection.executemany(
            "INSERT INTO name_parts (part, node_id, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(part, one.node, one.key) for one, found in wanted.items() for part in found],
        )
        bearers = self._bearers({part for found in wanted.values() for part in found})
        now = datetime.now(UTC).isoformat(timespec="seconds")
        made = {}
        for one, found in wanted.items():
            others = {other for part in found for other in bearers.get(part, ()) if other.node != one.node}
            for other in sorted(others, key=lambda two: (two.kind, two.node, two.key)):
                said = ruled(one, other) if (told := pair_key(one, other)) not in made else None
                if said:
                    a, b = sorted((one, other), key=lambda two: (two.node_key, two.key))
                    at = (a.node, b.node, a.key, b.key)
                    made[told] = (told, *at, said.similarity, said.tier, said.reason, said.outcome, RULES, now)
        self._connection.executemany(
            "INSERT INTO merges (key, node_a, node_b, name_a, name_b, similarity, tier, reason, outcome, decided_by, "
            "at, path_a, path_b, in_force) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', 0) ON CONFLICT DO NOTHING",
            [*made.values()],
        )

    def forget(self, nodes: Collection[int]) -> None:
        """Takes out what was found by names that no document gives these nodes any more.

        What a model said goes with the documents whose words it saw.
        """
        listed = json.dumps(sorted(nodes))
        gone = "NOT EXISTS (SELECT 1 FROM names n WHERE n.node_id = {0} AND n.key = {1})"
        lost = gone.format("name_parts.node_id", "name_parts.key")
        self._connection.execute(f"DELETE FROM name_parts WHERE node_id {_IN_NUMBERS} AND {lost}", (listed,))
        shown = (
            "NOT EXISTS (SELECT 1 FROM names n JOIN documents d ON d.id = n.document_id "
            "WHERE n.node_id = merges.node_{0} AND n.key = merges.name_{0} AND d.path = merges.path_{0})"
        )
        for side in "ab":
            found = f"node_{side} {_IN_NUMBERS}"
            lost = gone.format(f"merges.node_{side}", f"merges.name_{side}")
            self._connection.execute(f"DELETE FROM merges WHERE {found} AND {lost}", (listed,))
            self._connection.execute(
                f"UPDATE merges SET outcome = 'proposed', decided_by = '{RULES}', in_force = 0, path_a = '', "
                f"path_b = '' WHERE {found} AND path_{side} <> '' AND {shown.format(side)}",
                (listed,),
            )

    def _fresh(self, bearings: set[Bearing]) -> list[Bearing]:
        known = set[tuple[int, str]]()
        for some in _some({one.node for one in bearings}):
            sql = f"SELECT DISTINCT node_id, key FROM name_parts WHERE node_id {_IN_NUMBERS}"
            known |= {(node, key) for node, key in self._connection.execute(sql, (json.dumps(some),))}
        return sorted(
            (one for one in bearings if (one.node, one.key) not in known), key=lambda one: (one.node, one.key)
        )

    def _bearers(self, wanted: set[str]) -> dict[str, list[Bearing]]:
        """Who bears each of these parts; nobody where they are too many."""
        found: dict[str, list[Bearing]] = {}
        for some in _some(wanted):
            rare = self._connection.execute(
                "SELECT value FROM json_each(?) v WHERE NOT EXISTS "
                f"(SELECT 1 FROM name_parts p WHERE p.part = v.value LIMIT 1 OFFSET {MOST_BEARERS})",
                (json.dumps(some),),
            ).fetchall()
            rows = self._connection.execute(
                "SELECT p.part, p.node_id, t.type, t.key, p.key FROM name_parts p JOIN nodes t ON t.id = p.node_id "
                f"WHERE p.part {_IN}", (json.dumps([part for (part,) in rare]),),
            )  # fmt: skip
            for part, node, kind, node_key, key in rows:
                what = "id" if part.startswith(f"{kind}#") else "name"
                found.setdefault(part, []).append(Bearing(node, kind, node_key, what, key))
        return found


def changed(connection: Connection) -> None:
    """Notes that something joins or parts now what it did not; inside the caller's transaction."""
    set_meta(connection, _CHANGED, str(int(meta(connection, _CHANGED) or 0) + 1))


def changes(connection: Connection) -> int:
    """How often that was noted: another number, something may have changed for somebody."""
    return int(meta(connection, _CHANGED) or 0)


def _parts_of(one: Bearing) -> list[str]:
    whole = f"{one.type}={one.key}"  # an id may be written as a name, too
    if one.kind == "id":
        return [f"{one.type}#{one.key}", whole]
    return [whole, *(f"{one.type}:{part}" for part in parts(one.key))]


def _some(values: Iterable[object]) -> Iterator[list[object]]:
    listed = sorted(values, key=str)
    for start in range(0, len(listed), _AT_ONCE):
        yield listed[start : start + _AT_ONCE]
