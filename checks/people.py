"""The directory as rules and answers depend on it: how old memberships are, whom rules name in vain, who is who.

Reads tables of the index, and the directory file for the names of its systems; asks no system.
Try: python doctor.py --access
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from access import EVERYONE, LOCAL
from access.directory import is_loaded
from access.directory_sync import last_sync
from access.entries import DirectoryError
from access.sources import FRESH_HOURS, declared
from checks import Check, fail, listed, many, ok, warn
from config import Settings
from database import Connection
from errors import UsageError

_SYNC = "python -m access.directory sync"
_SHOW = "python -m access.directory show user:ID, then python -m access.people unmerge"


def people(connection: Connection, settings: Settings, now: datetime | None = None) -> Iterator[Check]:
    """How things stand with the directory; nothing where none is named and none was loaded."""
    named = _named(settings)
    if isinstance(named, str):
        yield fail("directory", named, "python -m access.directory check")
    if not is_loaded(connection):
        if settings.directory:
            told = f"{settings.directory} was never taken in: everybody is in no group"
            yield warn("directory", told, _SYNC)
        return
    unchanged = _is_unchanged(connection, settings)
    if unchanged is False and not isinstance(named, str):
        yield warn("directory", f"{settings.directory} was changed since it was taken in", _SYNC)
    yield from _ages(connection, [] if isinstance(named, str) else named, bool(unchanged), now or datetime.now(UTC))
    yield from _in_vain(connection, settings)
    yield from _who_is_who(connection)


def _named(settings: Settings) -> list[str] | str:
    """The systems that the directory file names, or what is wrong with it."""
    if settings.directory is None:
        return []
    from access.directory_file import read_file  # most installations have no directory

    try:
        return [*read_file(settings.directory).systems]
    except (DirectoryError, UsageError) as error:
        return f"{error} What was last known of it holds."


def _is_unchanged(connection: Connection, settings: Settings) -> bool | None:
    """Whether the directory file is as it was taken in; None where that cannot be told."""
    at = last_sync(connection, "")
    if not at or not settings.directory:
        return None
    try:
        return settings.directory.stat().st_mtime <= datetime.fromisoformat(at).timestamp()
    except OSError:
        return None


def _ages(connection: Connection, systems: Sequence[str], unchanged: bool, now: datetime) -> Iterator[Check]:
    """Whether memberships are of today, and whether the last sync took in every system that the file names.

    A file that is `unchanged` since says what it said, however long ago.
    """
    at = dict(connection.execute("SELECT source, synced_at FROM directories ORDER BY source"))
    behind = [name for name in systems if at.get(name, "") < at.get("", "")]
    if behind:
        lacks = [f"{name} ({at[name][:16] if name in at else 'never'})" for name in behind]
        yield fail(
            "directory",
            f"the last sync did not take in {', '.join(lacks)}, unless it still runs: a page that failed, or objects "
            "whose properties are null, which means not permitted to read. What was known before holds",
            f"{_SYNC}, which names what is in the way",
        )
    hours = {name: (now - datetime.fromisoformat(when)).total_seconds() / 3600 for name, when in at.items()}
    if unchanged:
        hours.pop("")
    old = [f"{name or 'the file'} ({_age(age)})" for name, age in hours.items() if age > FRESH_HOURS]
    if old:
        told = f"memberships were last synced long ago: {', '.join(old)}; who left a group since still finds"
        yield warn("memberships", told, f"{_SYNC}, from cron or a timer")
    else:
        accounts, groups = connection.execute("SELECT sum(people), sum(groups_) FROM directories").fetchone()
        told = f"{many(accounts, 'account')} and {many(groups, 'group')}, synced {min(at.values())[:16]} UTC"
        yield ok("memberships", told)


def _in_vain(connection: Connection, settings: Settings) -> Iterator[Check]:
    """Principals that lists or sources name and nobody holds: a group that finds nothing is often of another name."""
    named = {one for (one,) in connection.execute("SELECT DISTINCT principal FROM grants WHERE principal <> ''")}
    named |= {one.owner for one in declared(settings.sources, guarded=True) if one.owner}
    named -= {EVERYONE, LOCAL, *(one for one in named if one.startswith("agent:"))}
    groups = {f"group:{id_}" for (id_,) in connection.execute("SELECT id FROM directory_groups")}
    accounts = connection.execute("SELECT id, login, email_key FROM accounts").fetchall()
    users = {f"user:{name}" for row in accounts for name in row if name}
    unknown = sorted(named - groups - users)
    filled = {f"group:{id_}" for (id_,) in connection.execute("SELECT DISTINCT group_id FROM memberships")}
    empty = sorted(named & groups - filled)
    brought = "proxy" in settings.auth or ("oidc" in settings.auth and settings.oidc_groups_claim)
    if brought:
        unknown = [one for one in unknown if not one.startswith("group:")]
    parts = [f"{listed(unknown)}: not in the directory"] * bool(unknown)
    parts += [f"{listed(empty)}: without a member"] * bool(empty)
    if parts:
        told = f"rules name whom nobody is: {'; '.join(parts)}"
        yield warn("principals", told, "python -m access.directory groups, then the rule or the directory")
    else:
        yield ok("principals", f"{many(len(named), 'person or group', 'people and groups')} in rules, all known")


def _who_is_who(connection: Connection) -> Iterator[Check]:
    """People with several accounts, pairs that wait for a decision, and one person of two names."""
    rows = connection.execute(
        "SELECT person_id, id, name, match_evidence FROM accounts WHERE person_id IN "
        "(SELECT person_id FROM accounts GROUP BY person_id HAVING count(*) > 1) ORDER BY person_id, id"
    ).fetchall()
    persons = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[0])]
    strange = [told for group in persons if (told := _two_names([row[1:] for row in group]))]
    if strange:
        told = f"one person of names that share no word: {listed(strange, '; ')}"
        yield warn("identity", told, _SHOW)
    (waiting,) = connection.execute("SELECT count(*) FROM identity_reviews").fetchone()
    if waiting:
        told = f"{many(waiting, 'pair')} of accounts may be one person's and wait for a decision"
        yield warn("identity", told, "python -m access.people review")
    if not strange and not waiting:
        yield ok("identity", f"{many(len(persons), 'person', 'people')} with several accounts, none in doubt")


def _two_names(accounts: Sequence[tuple[str, str, str]]) -> str:
    """Two accounts of one person whose names share no word, and by what they were matched; "" where all do."""
    for (a, name, _), (b, other, why) in itertools.combinations(accounts, 2):
        words, others = ({*one.casefold().replace(",", " ").split()} for one in (name, other))
        if words and others and words.isdisjoint(others):
            return f"user:{a} ({json.dumps(name, ensure_ascii=False)}) and user:{b} " + (
                f"({json.dumps(other, ensure_ascii=False)}), by {why or 'nothing'}"
            )
    return ""


def _age(hours: float) -> str:
    return f"{hours:.1f} hours ago" if hours < 48 else f"{hours / 24:.0f} days ago"
