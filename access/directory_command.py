"""The command behind `python -m access.directory`: sync, check, show, groups, who.

A door's inside: it opens the index, asks the readers and prints; the rules are in the modules beside it.
Try: python -m access.directory --help
"""

import getpass
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import commandline
from access import directory, passes
from access.directory_file import read_file
from access.directory_sync import Change, keep_only, last_sync, now, replace
from access.entries import DirectoryError
from access.readers import read_system
from access.readers.options import Options
from config import Settings
from database import Connection
from errors import UsageError

_MOST_SHOWN = 20


def command(argv: Sequence[str] | None) -> int:
    """Runs the command line; see directory.main."""
    parser = commandline.bare_parser(
        "Sync the directory of people and groups, or show what it says.",
        "python -m access.directory show user:42",
    )
    parser.add_argument(
        "action", choices=("sync", "check", "show", "groups", "who", "drive"),
        help="sync: take the directory in; check: read its file only; show: a person's principals; "
        "groups: all groups; who: everybody in a group; drive: who finds a file of Google Drive",
    )  # fmt: skip
    parser.add_argument(
        "name",
        nargs="?",
        help="for show and who a principal, as user:42 or group:hr; for check a file; for drive SYSTEM/FILE-ID",
    )
    commandline.add_index_flags(parser)
    parser.add_argument("--file", metavar="FILE", help="the directory file (BRAIN_DIRECTORY)")
    parser.add_argument("--allow-empty", action="store_true", help="accept that most of it is gone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    code = 0
    if args.action == "check":
        report: dict[str, Any] = {"read": _checked(_path(args.name or args.file, settings))}
    else:
        with index(settings) as connection:
            if args.action == "sync":
                report, code = synced(
                    connection, _path(args.file, settings), args.allow_empty,
                    lambda error: commandline.out(f"error: {error}", sys.stderr),
                )  # fmt: skip
            elif args.action == "drive":
                report = _drive(connection, _path(args.file, settings), args.name or "")
            else:
                report = _shown(connection, args.action, args.name or "")
    commandline.show(report if args.json or args.action != "sync" else _short(report), args.json)
    return code


@contextmanager
def index(settings: Settings) -> Iterator[Connection]:
    """A connection to the index of the settings, made if there is none. Raises StoreError."""

    def command() -> AbstractContextManager[Connection]:
        from store import connected

        return connected(settings)

    with command() as connection:
        yield connection


def _path(named: str | None, settings: Settings) -> Path:
    path = Path(named).expanduser() if named else settings.directory
    if path is None:
        raise UsageError("No directory is set. Name its file with --file, or in BRAIN_DIRECTORY or brain.toml.")
    return path


def _checked(path: Path) -> dict[str, Any]:
    read = read_file(path)
    return {**read.listing.sizes, "systems": tuple(read.systems)}


def synced(
    connection: Connection, path: Path, allow_empty: bool, tell: Callable[[str], None]
) -> tuple[dict[str, Any], int]:
    """One report a directory, and the exit code; how each ended is noted (access/passes.py).

    A system that cannot be read keeps what was known, `tell` hears why, and the others go on. Raises DirectoryError.
    """
    report, code = dict[str, Any](), 0
    with passes.noted(connection, passes.system("")):
        since = last_sync(connection, "")
        read = read_file(path)
        for change in keep_only(connection, {"", *read.systems}, allow_empty=allow_empty):
            report[f"{change.source or 'file'} (no longer named)"] = _told(change)
        passes.forget(connection, {*map(passes.system, read.systems)})
        report["file"] = _told(replace(connection, read.listing, allow_empty=allow_empty, since=since))
    for name, table in read.systems.items():
        try:
            with passes.noted(connection, passes.system(name)):
                since = last_sync(connection, name)
                listing = read_system(name, table, path.absolute().parent)
                report[name] = _told(replace(connection, listing, allow_empty=allow_empty, since=since))
        except DirectoryError as error:
            tell(str(error))
            report[name] = {"error": str(error)}
            code = max(code, error.exit_code)
    (open_,) = connection.execute("SELECT count(*) FROM identity_reviews").fetchone()
    report["identity"] = {"to review": f"{open_} pairs: python -m access.people review" if open_ else "nothing"}
    return report, code


def _drive(connection: Connection, path: Path, name: str) -> dict[str, Any]:
    from access.readers import google

    system, _, file = name.partition("/")
    table = read_file(path).systems.get(system)
    if not table or table.get("reader") != "google" or not file:
        raise UsageError("Say which file: python -m access.directory drive SYSTEM/FILE-ID, SYSTEM being a google one.")
    rows = connection.execute("SELECT address, 'group:' || id FROM directory_groups WHERE source = ?", (system,))
    found = google.drive_list(Options(system, table, path.absolute().parent), file, dict(rows.fetchall()), now())
    return {name: {"found by": tuple(sorted(found)) or "nobody"}}


def _told(change: Change) -> dict[str, Any]:
    """The sizes, and what changed."""
    told = asdict(change)
    return {name: value for name, value in told.items() if name != "source" and value != ()}


def _short(value: Any) -> Any:
    """A report for a terminal: of a long list the beginning."""
    if isinstance(value, dict):
        return {name: _short(part) for name, part in value.items()}
    if isinstance(value, tuple) and len(value) > _MOST_SHOWN:
        return (*value[:_MOST_SHOWN], f"... {len(value)} in all, see --json")
    return value


def _shown(connection: Connection, action: str, name: str) -> dict[str, Any]:
    if not directory.is_loaded(connection):
        raise UsageError("No directory was loaded yet. Run: python -m access.directory sync")
    if action == "groups":
        rows = connection.execute(
            "SELECT 'group:' || id, name, count(m.member) FROM directory_groups "
            "LEFT JOIN memberships m ON m.group_id = id GROUP BY id ORDER BY id"
        )
        return {
            "groups": {id_: {"name": told, "members": count} for id_, told, count in rows},
            "synced": _ages(connection),
        }
    if action == "show":
        if not name.startswith(("user:", "agent:")):
            raise UsageError("Say who: python -m access.directory show user:42")
        try:
            return {name: _person(connection, name)}
        except directory.UnknownPerson as error:
            raise UsageError(f"{name} is nobody in the directory, or its address is two people's.") from error
    kind, _, id_ = name.partition(":")
    if kind != "group" or not connection.execute("SELECT 1 FROM directory_groups WHERE id = ?", (id_,)).fetchone():
        raise UsageError(f"{name or 'Nothing'} is no group of the directory. See: python -m access.directory groups")
    return {name: {"everybody in it": _everybody(connection, name)}}


def _ages(connection: Connection) -> dict[str, Any]:
    """When each directory was synced last, and what went wrong since."""
    rows = connection.execute("SELECT source, synced_at FROM directories ORDER BY source").fetchall()
    told: dict[str, Any] = {source or "file": when for source, when in rows}
    for source, when in rows:
        found = passes.last(connection, passes.system(source))
        if found.is_failing:
            told[source or "file"] = {"last": when, "failed": found.failed, "error": found.error}
    return told


def _person(connection: Connection, name: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if name.startswith("user:"):
        person = directory.person_of(connection, name.removeprefix("user:"))
        rows = connection.execute(
            "SELECT id, name, email, email_key != '', employee_id, disabled, match_evidence FROM accounts "
            "WHERE person_id = ? ORDER BY id",
            (person,),
        ).fetchall()
        told["accounts"] = [
            {
                "id": id_, "name": who, "email": mail + ("" if proved or not mail else " (not verified)"),
                "employee_id": number, "state": "disabled" if off else "", "matched by": why,
            }
            for id_, who, mail, proved, number, off, why in rows
        ]  # fmt: skip
        if any(row[5] for row in rows):
            return told | {"holds": ["nothing: disabled"]}
    return told | {"holds": sorted(directory.principals_of(connection, name))}


def _everybody(connection: Connection, group: str) -> list[str]:
    """People and agents in the group or in a group of it; a disabled person is none of them."""
    inside, fresh = {group}, {group}
    while fresh:
        groups = json.dumps(sorted(name.removeprefix("group:") for name in fresh if name.startswith("group:")))
        sql = "SELECT member FROM memberships WHERE group_id IN (SELECT value FROM json_each(?))"
        fresh = {member for (member,) in connection.execute(sql, (groups,))} - inside
        inside |= fresh
    off = connection.execute(
        "SELECT DISTINCT a.id FROM accounts a JOIN accounts b ON b.person_id = a.person_id WHERE b.disabled <> 0"
    )
    disabled = {f"user:{id_}" for (id_,) in off}
    return sorted(name for name in inside - disabled if not name.startswith("group:"))


def who_decides(named: str | None) -> str:
    """Who stands in the record: the name given, else the system's user. Raises UsageError for nobody."""
    by = " ".join((named or _user()).split())[:100]
    if not by:
        raise UsageError("Nobody knows who you are here. Say who decides: --by NAME")
    return by


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user without a name; Windows without USERNAME
        return ""
