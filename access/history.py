"""Whose document it was on a day that is past: access lists and memberships as the log has them.

Whoever changes a list or a membership tells it here, in the same transaction; rows are folded in order to the state of
any moment since the log began or was cut. Knows rows and principals, no document and no directory's file.
Try: python -m access.audit could-have-seen leave-policy.md --on 2026-11-30
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from access import EVERYONE, AccessList, Caller
from access.audit import SYSTEM, Kind, Row, add, cut_of, rows
from database import Connection
from errors import UsageError

_AT_ONCE = 1000  # documents or members a row
_SHOWN: tuple[Kind, ...] = ("question", "search", "read")


@dataclass(frozen=True, slots=True)
class Span:
    """An access list and since when it was in force; None: the index did not have the document."""

    since: str  # UTC, ISO 8601; "" for before the log began
    rights: AccessList | None


@dataclass(slots=True)
class Seen:
    """Who could have seen a document at some time on a day."""

    document: str
    begin: str  # UTC, ISO 8601
    end: str
    spans: list[Span] = field(default_factory=list)  # the lists in force on that day, in order
    people: dict[str, str] = field(default_factory=dict)  # known members: the principal by which they could
    came: dict[str, str] = field(default_factory=dict)  # who asked that day, with what they held when they asked
    did: dict[str, int] = field(default_factory=dict)  # who was shown it that day, and how often
    acted: dict[str, str] = field(default_factory=dict)  # agents among those two: the person each came for
    notes: list[str] = field(default_factory=list)


def rights_changed(connection: Connection, path: str, rights: AccessList | None, caller_id: str = SYSTEM) -> None:
    """Writes down a document's new access list, None when it left the index, inside the caller's transaction."""
    lists_changed(connection, {path: rights}, caller_id)


def lists_changed(connection: Connection, lists: Mapping[str, AccessList | None], caller_id: str = SYSTEM) -> None:
    """The same for many documents, which share a row: 1,000 with one list are 30 KB instead of 400."""
    for body in _bodies(lists):
        add(connection, "rights", caller_id, body)


def lists_are(connection: Connection, lists: Iterable[tuple[str, AccessList]]) -> None:
    """Writes down the lists of all documents where the log tells of none yet: an index from before there was a log."""
    if connection.execute("SELECT 1 FROM audit WHERE kind = 'rights' LIMIT 1").fetchone() is None:
        lists_changed(connection, dict(lists))


def memberships_changed(
    connection: Connection, members: Mapping[str, Iterable[str] | None], caller_id: str = SYSTEM
) -> None:
    """Writes down of each member (a person, an agent or a group) the groups it is in itself, in the caller's
    transaction; None when it is gone or disabled. Only of those that changed.
    """
    for part in _parts(sorted(members)):
        told = {name: None if (groups := members[name]) is None else sorted(groups) for name in part}
        add(connection, "directory", caller_id, {"members": told})


def carried(connection: Connection, cut: int) -> Iterator[tuple[Kind, dict[str, Any]]]:
    """What rows up to `cut` say of later days, for audit.prune: lists and memberships still in force there."""
    lists: dict[str, tuple[int, AccessList | None]] = {}
    members: dict[str, tuple[int, list[str] | None]] = {}
    stays = set[str]()  # what an earlier retention carried stands in a row that stays
    for order, row in _events(connection, ""):
        if order <= cut:
            told = dict(_lists(row.body)), dict(row.body.get("members", {}))
            lists |= {path: (row.number, rights) for path, rights in told[0].items()}
            members |= {name: (row.number, groups) for name, groups in told[1].items()}
            if row.number > cut:
                stays |= {*told[0], *told[1]}
    # That something is gone is said only against a row that says otherwise.
    for body in _bodies({path: now for path, (at, now) in lists.items() if at <= cut and (now or path in stays)}):
        yield "rights", body | {"carried": cut}
    within = {name: now for name, (at, now) in members.items() if at <= cut and (now is not None or name in stays)}
    for part in _parts(sorted(within)):
        yield "directory", {"members": {name: within[name] for name in part}, "carried": cut}


def day_of(text: str) -> tuple[datetime, datetime]:
    """A day in UTC as its begin and end; a moment (2026-11-30T14:05) as itself twice. Raises UsageError."""
    try:
        begin = datetime.fromisoformat(text)
        begin = begin.replace(tzinfo=UTC) if begin.tzinfo is None else begin.astimezone(UTC)
        if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ]|\Z)", text) or not 1900 <= begin.year <= 9000:
            raise ValueError(text)
    except (ValueError, OverflowError) as error:
        told = f"{text[:40]!r} is no day and no moment"
        raise UsageError(f"{told}. Write it as 2026-11-30 or 2026-11-30T14:05 (UTC).") from error
    return (begin, begin + timedelta(days=1, microseconds=-1)) if len(text) == 10 else (begin, begin)


def could_have_seen(connection: Connection, path: str, begin: datetime, end: datetime) -> Seen:
    """Who could have seen the document from `begin` to `end`, and who was shown it. Raises sqlite3.Error."""
    first, last = (moment.isoformat(timespec="microseconds") for moment in (begin, end))
    seen = Seen(path, first, last)
    rights, members = Span("", None), dict[str, list[str] | None]()
    known = False
    for _, row in _events(connection, path):
        if "carried" not in row.body:  # else it was so since before the log begins, whenever it was carried
            if row.at > last:
                continue
            if row.at > first and known:
                _weigh(seen, rights, members)  # as it was until then, on that day
        members |= row.body.get("members", {})
        for name, told in _lists(row.body):
            if name == path:
                known, rights = True, Span("" if "carried" in row.body else row.at, told)
    if known:
        _weigh(seen, rights, members)
    _who_came(connection, seen)
    _tell_what_is_not_known(connection, seen, bool(members), known)
    return seen


def _weigh(seen: Seen, now: Span, members: Mapping[str, list[str] | None]) -> None:
    if not seen.spans or seen.spans[-1] != now:
        seen.spans.append(now)
    if now.rights is None:
        return
    for name, groups in members.items():
        if groups is not None and not name.startswith("group:") and name not in seen.people:
            held = _held(name, members)
            if now.rights.lets(Caller(name, frozenset(held))):
                seen.people[name] = ", ".join(_way(held, one) for one in sorted(held.keys() & now.rights.allow))


def _held(name: str, members: Mapping[str, list[str] | None]) -> dict[str, str]:
    """Every principal that a member holds, groups of groups too, and the one that brought it, the nearest."""
    held, waiting = {name: "", EVERYONE: ""}, deque([name])
    while waiting:
        at = waiting.popleft()
        for group in members.get(at) or ():
            if group not in held:
                held[group] = at if at != name else ""
                waiting.append(group)
    return held


def _way(held: Mapping[str, str], principal: str) -> str:
    """The principal and, where it is held by others, through which: "group:staff through group:hr"."""
    told, at = principal, held[principal]
    while at:
        told, at = f"{told} through {at}", held[at]
    return told


def _who_came(connection: Connection, seen: Seen) -> None:
    """Whoever asked that day holding what a list of that day lets in, as credentials say more than a directory."""
    until = (datetime.fromisoformat(seen.end) + timedelta(microseconds=1)).isoformat(timespec="microseconds")
    path = seen.document
    for row in rows(connection, kinds=_SHOWN, since=seen.begin, until=until):
        person = row.body.get("for", "")
        name = f"{row.caller} for {person}" if person else row.caller
        within = tuple(frozenset(held) for held in row.body.get("within", ()))
        caller = Caller(row.caller, frozenset(row.body.get("principals", ())), within)
        for span in seen.spans:
            if span.rights is not None and span.rights.lets(caller):
                seen.came[name] = ", ".join(sorted(caller.principals & span.rights.allow))
        told = row.kind != "read" or row.body.get("status") == "read"  # else it was asked for in vain
        documents = row.body.get("documents", ()) if told else ()
        if any(one.get("path") == path or path in one.get("also", ()) for one in documents):
            seen.did[name] = seen.did.get(name, 0) + 1
        if person and (name in seen.came or name in seen.did):
            seen.acted[name] = person


def _tell_what_is_not_known(connection: Connection, seen: Seen, has_directory: bool, known: bool) -> None:
    row = connection.execute("SELECT at FROM audit ORDER BY number LIMIT 1").fetchone()
    cut = cut_of(connection)
    if cut and seen.begin < cut.at:
        seen.notes.append(f"the log was cut off up to {cut.at}: what changed before is not known")
    elif not cut and row and seen.begin < row[0]:
        seen.notes.append(f"the log begins at {row[0]}: what was before is not known")
    for back in rows(connection, kinds=("restore",)):
        if back.at <= seen.end:
            seen.notes.append(f"a backup was put back at {back.at}: until the next sync its own lists were in force")
    if not known:
        seen.notes.append("the log tells of no access list of this document until then")
    if not has_directory:
        seen.notes.append("the log tells of no memberships until then: whoever held one of the principals could")


def _events(connection: Connection, path: str) -> Iterator[tuple[int, Row]]:
    """Rows of rights (those that may name `path`) and of memberships, as what they tell came to be, with its order."""
    found = [row for row in rows(connection, kinds=("rights", "directory")) if not path or _tells_of(row, path)]
    for order, _, row in sorted((int(row.body.get("carried", row.number)), row.number, row) for row in found):
        yield order, row


def _tells_of(row: Row, path: str) -> bool:
    return row.kind == "directory" or any(name == path for name, _ in _lists(row.body))


def _bodies(lists: Mapping[str, AccessList | None]) -> Iterator[dict[str, Any]]:
    for part in _parts(sorted(lists)):
        of: dict[AccessList, list[str]] = {}
        removed = []
        for path in part:
            if (rights := lists[path]) is None:
                removed.append(path)
            else:
                of.setdefault(rights, []).append(path)
        body: dict[str, Any] = {"lists": [_as_json(rights) | {"documents": paths} for rights, paths in of.items()]}
        yield body | ({"removed": removed} if removed else {})


def _as_json(rights: AccessList) -> dict[str, Any]:
    told: dict[str, Any] = {"allow": sorted(rights.allow)}
    if rights.narrow is not None:
        told["narrow"] = sorted(rights.narrow)
    return told | ({"deny": sorted(rights.deny)} if rights.deny else {})


def _lists(body: Mapping[str, Any]) -> Iterator[tuple[str, AccessList | None]]:
    for one in body.get("lists", ()):
        narrow = frozenset(one["narrow"]) if "narrow" in one else None
        rights = AccessList(frozenset(one["allow"]), narrow, frozenset(one.get("deny", ())))
        yield from ((path, rights) for path in one["documents"])
    yield from ((path, None) for path in body.get("removed", ()))


def _parts(names: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(names), _AT_ONCE):
        yield names[start : start + _AT_ONCE]
