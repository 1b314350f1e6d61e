"""What somebody decided of names and facts, as rows: which names are one thing's, which of two facts holds.

`merges` counts for who may read both of its names, `decisions` for who may read both facts. Who may decide and what it
means is said above (graph/decide.py). Knows rows, no question. Try: python -m graph.decide --list
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from database import Connection
from storage.naming import RULES, Outcome, changed, changes

if TYPE_CHECKING:
    from storage.facts import FactReader

MODEL = "model "
"""How the name of who decided begins where it is a model."""
Action = Literal["merge", "apart", "undo", "keep", "reopen"]
_COLUMNS = (
    "m.key, m.node_a, m.node_b, m.name_a, m.name_b, m.similarity, m.tier, m.reason, m.outcome, m.decided_by, "
    "m.path_a, m.path_b, m.at, m.in_force"
)
_IN_NUMBERS = "IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class MergeRow:
    """Two names of two nodes, and what became of them."""

    key: str
    nodes: tuple[int, int]
    names: tuple[str, str]  # in normal form
    similarity: int  # thousandths
    tier: Literal["certain", "judged"]
    reason: str
    outcome: Outcome
    decided_by: str  # "rules", "model NAME", a principal
    paths: tuple[str, str]  # of the documents whose words a model saw
    at: str
    in_force: bool  # joins, or keeps apart, what the rules alone would not

    @property
    def is_by_model(self) -> bool:
        """Whether a model decided it."""
        return self.decided_by.startswith(MODEL)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided: of a pair of names, or which of two facts holds."""

    made_at: str
    made_by: str
    action: Action
    subject: str
    closed: str
    why: str


def in_force_of(connection: Connection, nodes: Collection[int]) -> list[MergeRow]:
    """What was decided of names of these nodes; whether the caller may read them is left to who asks."""
    found = set[MergeRow]()
    for some in _some(nodes):
        for side in "ab":
            sql = f"SELECT {_COLUMNS} FROM merges m WHERE m.node_{side} {_IN_NUMBERS} AND m.in_force = 1"
            found |= {_row(row) for row in connection.execute(sql, (json.dumps(some),))}
    return sorted(found, key=lambda one: one.key)


def rulings_of(connection: Connection, facts: Collection[int]) -> dict[tuple[int, int], str]:
    """By (kept, closed) the day on which it was decided, of pairs of these facts; a pair's last decision counts."""
    last: dict[frozenset[int], tuple[int, int, str, str]] = {}
    for some in _some(facts):
        rows = connection.execute(
            "SELECT k.id, c.id, n.action, n.made_at FROM facts k JOIN decisions n ON n.subject = k.key "
            f"JOIN facts c ON c.key = n.closed WHERE k.id {_IN_NUMBERS} ORDER BY n.id",
            (json.dumps(some),),
        )
        for kept, closed, action, at in rows:
            if closed in facts:
                pair = frozenset((kept, closed))
                last[pair] = max(last.get(pair, (0, 0, "", "")), (kept, closed, action, at), key=lambda one: one[3])
    return {(kept, closed): at[:10] for kept, closed, action, at in last.values() if action == "keep"}


def visible(rows: "FactReader", found: Sequence[MergeRow]) -> list[MergeRow]:
    """Those of which the caller may read both names; a model's word only where they may read what it saw."""
    named = rows.names_of({node for one in found for node in one.nodes})
    anywhere, there = {(row.node, row.key) for row in named}, {(row.node, row.key, row.path) for row in named}
    shown = []
    for one in found:
        sides = [*zip(one.nodes, one.names, strict=True)]
        if all(side in anywhere for side in sides):
            seen = zip(sides, one.paths, strict=True)
            if one.is_by_model and not all((*side, path) in there for side, path in seen):
                one = replace(one, outcome="proposed", decided_by=RULES, paths=("", ""), in_force=False)
            shown.append(one)
    return shown


def newest(rows: "FactReader", limit: int, outcome: str = "", before: tuple[str, str] = ("~", "")) -> list[MergeRow]:
    """Pairs of names that the caller may read, the newest first, older than `before` (time and key).

    Of two things one pair, by which most is said of them: what was decided, what is certain, what is most alike.
    """
    found: list[MergeRow] = []
    while len(found) < limit:
        some = [
            _row(row)
            for row in rows.connection.execute(
                f"SELECT {_COLUMNS} FROM merges m WHERE m.at < ? OR (m.at = ? AND m.key < ?) "
                f"ORDER BY m.at DESC, m.key DESC LIMIT {_AT_ONCE}",
                (before[0], *before),
            )
        ]
        leading = _leading(rows, some)
        found += [shown for one in some if (shown := leading.get(one.key)) and outcome in ("", shown.outcome)]
        if len(some) < _AT_ONCE:
            break
        before = some[-1].at, some[-1].key
    return found[:limit]


def _leading(rows: "FactReader", some: Collection[MergeRow]) -> dict[str, MergeRow]:
    """For each two things of these pairs of names the pair that leads of all that the caller may read, by key."""
    wanted, every = {one.nodes for one in some}, set[MergeRow]()
    for firsts in _some({a for a, _ in wanted}):
        for seconds in _some({b for _, b in wanted}):
            sql = f"SELECT {_COLUMNS} FROM merges m WHERE m.node_a {_IN_NUMBERS} AND m.node_b {_IN_NUMBERS}"
            every |= {_row(row) for row in rows.connection.execute(sql, (json.dumps(firsts), json.dumps(seconds)))}
    best: dict[tuple[int, int], MergeRow] = {}
    for one in sorted(
        visible(rows, [*every]), key=lambda one: (one.in_force, one.tier == "certain", one.similarity, one.key)
    ):
        best[one.nodes] = one
    return {one.key: one for one in best.values()}


def pair(rows: "FactReader", key: str) -> MergeRow | None:
    """The pair of this key, where the caller may read both names."""
    row = rows.connection.execute(f"SELECT {_COLUMNS} FROM merges m WHERE m.key = ?", (key,)).fetchone()
    return next(iter(visible(rows, [_row(row)])), None) if row else None


def history(connection: Connection, keys: Iterable[str]) -> dict[str, list[Decision]]:
    """What people decided of these pairs, or to keep these facts, the last first."""
    found: dict[str, list[Decision]] = {}
    for some in _some(keys):
        rows = connection.execute(
            "SELECT made_at, made_by, action, subject, closed, why FROM decisions "
            "WHERE subject IN (SELECT value FROM json_each(?)) ORDER BY id DESC",
            (json.dumps(some),),
        )
        for row in rows:
            found.setdefault(row[3], []).append(Decision(*row))
    return found


def kept(rows: "FactReader") -> list[tuple[Decision, int, int]]:
    """The last decision on each pair of facts, with the numbers of the kept one and the closed one, newest first.

    Of pairs of which the caller may read both.
    """
    found = rows.connection.execute(
        "SELECT n.made_at, n.made_by, n.action, n.subject, n.closed, n.why, k.id, c.id FROM decisions n "
        "JOIN facts k ON k.key = n.subject JOIN facts c ON c.key = n.closed ORDER BY n.id DESC"
    ).fetchall()
    told = {row.fact for row in rows.facts_of({number for row in found for number in row[6:]})}
    last: dict[frozenset[int], tuple[Decision, int, int]] = {}
    for *row, kept_id, closed_id in found:
        if {kept_id, closed_id} <= told:
            last.setdefault(frozenset((kept_id, closed_id)), (Decision(*row), kept_id, closed_id))
    return [*last.values()]


def state(rows: "FactReader", known: dict[str, Any]) -> str:
    """Tells what was decided of what the caller may read from anything else; kept in `known` while nothing changes."""
    version = changes(rows.connection)
    if not version:
        return ""
    if known.get("facts decided", (0, ""))[0] != version:
        sql = f"SELECT {_COLUMNS} FROM merges m WHERE m.in_force = 1"
        every = [_row(row) for row in rows.connection.execute(sql).fetchall()]
        merges = [one for one in visible(rows, every) if one.in_force]
        joins = sorted((one.key, one.outcome, one.is_by_model) for one in merges)
        holds = sorted((one.made_at, one.action, one.subject, one.closed) for one, _, _ in kept(rows))
        told = repr((joins, holds)) if joins or holds else ""  # as where nobody ever decided: others' first is not told
        known["facts decided"] = version, told and hashlib.blake2b(told.encode(), digest_size=16).hexdigest()
    found: str = known["facts decided"][1]
    return found


def settle(
    connection: Connection, key: str, outcome: Outcome, by: str, *, in_force: bool,
    paths: tuple[str, str] = ("", ""), at: str = "",
) -> bool:  # fmt: skip
    """Writes down what becomes of a pair, inside the caller's transaction; False where it is no longer there.

    `at`: "" leaves the time at which it was found.
    """
    done = connection.execute(
        "UPDATE merges SET outcome = ?, decided_by = ?, path_a = ?, path_b = ?, at = coalesce(nullif(?, ''), at), "
        "in_force = ? WHERE key = ?",
        (outcome, by, *paths, at, int(in_force), key),
    ).rowcount
    changed(connection)
    return bool(done)


def add(connection: Connection, by: str, action: Action, subject: str, closed: str, why: str) -> None:
    """Adds what a person decided, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO decisions (made_at, made_by, action, subject, closed, why) VALUES (?, ?, ?, ?, ?, ?)",
        (now(), by, action, subject, closed, why),
    )
    changed(connection)


def now() -> str:
    """This moment, as the rows have it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _row(row: Sequence[Any]) -> MergeRow:
    key, node_a, node_b, name_a, name_b, similarity, tier, reason, outcome, by, path_a, path_b, at, in_force = row
    return MergeRow(
        key, (node_a, node_b), (name_a, name_b), similarity, tier, reason, outcome, by, (path_a, path_b), at,
        bool(in_force),
    )  # fmt: skip


def _some(values: Iterable[Any]) -> Iterator[list[Any]]:
    listed = sorted(values)
    for start in range(0, len(listed), _AT_ONCE):
        yield listed[start : start + _AT_ONCE]
