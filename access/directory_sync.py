"""Puts a whole directory in the place of what was last known of it, in one transaction, or changes nothing.

Gets a connection to the index and a Listing, whichever reader made it. Knows no file and no system.
Try: python -m access.directory sync
"""

import contextlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from access.entries import DirectoryError, Listing
from access.history import memberships_changed
from access.matching import resolve
from database import Connection, alone, lasting

_FEW = 10
"""A directory of fewer entries may halve from one sync to the next."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one sync of one directory did. `granted` and `revoked`: (member, `group:ID`)."""

    source: str
    people: int
    groups: int
    memberships: int
    added: tuple[str, ...] = ()  # principals
    removed: tuple[str, ...] = ()
    granted: tuple[tuple[str, str], ...] = ()
    revoked: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@contextlib.contextmanager
def changing(connection: Connection) -> Iterator[None]:
    """One transaction, on the disk when the block has ended; raises the directory's version."""
    with lasting(connection):  # a revocation must outlive a power cut
        alone(connection, "directory")
        before = _memberships(connection)
        yield
        after = _memberships(connection)
        changed = {name: after.get(name) for name in before | after if before.get(name) != after.get(name)}
        memberships_changed(connection, changed)
        connection.execute("UPDATE directory_version SET version = version + 1")


def _memberships(connection: Connection) -> dict[str, list[str] | None]:
    """The groups that each account, agent and group is in itself; None for an account that is disabled."""
    accounts = connection.execute("SELECT id, disabled FROM accounts")
    found: dict[str, list[str] | None] = {f"user:{id_}": None if disabled else [] for id_, disabled in accounts}
    found |= {f"group:{id_}": [] for (id_,) in connection.execute("SELECT id FROM directory_groups")}
    for member, group in connection.execute("SELECT member, group_id FROM memberships ORDER BY member, group_id"):
        held = found.setdefault(member, [])
        if held is not None:
            held.append(f"group:{group}")
    return found


def now() -> str:
    """This moment as it is stored: UTC, ISO 8601, to the microsecond."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def last_sync(connection: Connection, source: str) -> str:
    """When a directory was last synced: UTC, ISO 8601; "" for never."""
    found = connection.execute("SELECT synced_at FROM directories WHERE source = ?", (source,)).fetchone()
    return str(found[0]) if found else ""


def replace(connection: Connection, listing: Listing, *, allow_empty: bool = False, since: str | None = None) -> Change:
    """Makes the directory `listing.source` what the listing says; all its other rows go. Raises DirectoryError.

    `allow_empty` accepts that it is suddenly empty, or half of what it was. `since`: its `last_sync` before it was
    read; if another process has synced it meanwhile, what was read may be the older, and nothing is changed.
    """
    with changing(connection):
        if since is not None and last_sync(connection, listing.source) != since:
            told = listing.source or "The directory file"
            raise DirectoryError(f"{told} was synced by another process meanwhile. Nothing was changed; sync again.")
        _check_size(connection, listing, allow_empty)
        change = _replaced(connection, listing)
        resolve(connection)
        return change


def keep_only(connection: Connection, sources: Collection[str], *, allow_empty: bool = False) -> list[Change]:
    """Takes away what was known of every other directory: its rights must not outlive it. Raises DirectoryError."""
    changes = []
    with changing(connection):
        for (source,) in connection.execute("SELECT source FROM directories ORDER BY source").fetchall():
            if source not in sources:
                empty = Listing(source)
                _check_size(connection, empty, allow_empty)
                changes.append(_replaced(connection, empty))
                connection.execute("DELETE FROM directories WHERE source = ?", (source,))
        if changes:
            resolve(connection)
    return changes


def _check_size(connection: Connection, listing: Listing, allow_empty: bool) -> None:
    known = connection.execute(
        "SELECT people, groups_, memberships FROM directories WHERE source = ?", (listing.source,)
    ).fetchone()
    if allow_empty or not known:
        return
    for (name, count), before in zip(listing.sizes.items(), known, strict=True):
        if before and (not count or (before >= _FEW and count * 2 < before)):
            told = f"the system {listing.source}" if listing.source else "the directory file"
            raise DirectoryError(
                f"{count} {name} are left of {before} in {told}. What was last known stays. If they are really gone: "
                "python -m access.directory sync --allow-empty"
            )


def _replaced(connection: Connection, listing: Listing) -> Change:
    source, sizes = listing.source, listing.sizes
    connection.execute(
        "INSERT INTO directories VALUES (?, ?, ?, ?, ?) ON CONFLICT (source) DO UPDATE SET "
        "synced_at = excluded.synced_at, people = excluded.people, groups_ = excluded.groups_, "
        "memberships = excluded.memberships",
        (source, now(), *sizes.values()),
    )
    added, removed = _accounts(connection, listing)
    new, gone = _groups(connection, listing)
    old = set(
        connection.execute(
            "SELECT m.member, m.group_id FROM memberships m JOIN directory_groups g ON g.id = m.group_id "
            "WHERE g.source = ?",
            (source,),
        )
    )
    wanted = {(member, group.id) for group in listing.groups for member in group.members}
    connection.executemany("DELETE FROM memberships WHERE member = ? AND group_id = ?", sorted(old - wanted))
    for id_ in sorted(gone):
        connection.execute("DELETE FROM directory_groups WHERE id = ?", (id_,))
    connection.executemany("INSERT INTO memberships VALUES (?, ?)", sorted(wanted - old))
    return Change(
        source, sizes["people"], sizes["groups"], sizes["memberships"],
        added=tuple(sorted({f"user:{id_}" for id_ in added} | {f"group:{id_}" for id_ in new})),
        removed=tuple(sorted({f"user:{id_}" for id_ in removed} | {f"group:{id_}" for id_ in gone})),
        granted=tuple((member, f"group:{id_}") for member, id_ in sorted(wanted - old)),
        revoked=tuple((member, f"group:{id_}") for member, id_ in sorted(old - wanted)),
        notes=listing.notes,
    )  # fmt: skip


def _accounts(connection: Connection, listing: Listing) -> tuple[set[str], set[str]]:
    columns = "id, name, email, email_key, employee_id, login, disabled, same"
    old = set(connection.execute(f"SELECT {columns} FROM accounts WHERE source = ?", (listing.source,)))
    wanted = {
        (a.id, a.name, a.email, a.email_key, a.employee_id, a.login, int(a.disabled), json.dumps(sorted(a.same)))
        for a in listing.accounts
    }
    before, after = {row[0] for row in old}, {row[0] for row in wanted}
    for row in sorted(wanted - old):
        if row[0] in before:
            connection.execute(
                "UPDATE accounts SET name = ?, email = ?, email_key = ?, employee_id = ?, login = ?, disabled = ?, "
                "same = ? WHERE id = ?",
                (*row[1:], row[0]),
            )
        else:  # a person of their own, until `resolve` says otherwise
            person = connection.execute("INSERT INTO people DEFAULT VALUES RETURNING id").fetchone()[0]
            connection.execute(
                f"INSERT INTO accounts (source, person_id, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (listing.source, person, *row),
            )
    connection.executemany("DELETE FROM accounts WHERE id = ?", [(id_,) for id_ in sorted(before - after)])
    return after - before, before - after


def _groups(connection: Connection, listing: Listing) -> tuple[set[str], set[str]]:
    old = set(connection.execute("SELECT id, name, address FROM directory_groups WHERE source = ?", (listing.source,)))
    wanted = {(group.id, group.name, group.address) for group in listing.groups}
    before, after = {row[0] for row in old}, {row[0] for row in wanted}
    for id_, name, mail in sorted(wanted - old):
        connection.execute(
            "INSERT INTO directory_groups VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address",
            (id_, listing.source, name, mail),
        )
    return after - before, before - after
