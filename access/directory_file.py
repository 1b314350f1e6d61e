"""Reads a directory file (.toml, .json, .jsonl, .csv) as a whole, or says in which line and field it is wrong.

manual/directory.md has the format. Knows no tables: what is read changes nothing yet.
Try: python -m access.directory check directory.toml
"""

import csv
import difflib
import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from access import principal
from access.entries import Account, DirectoryError, Group, Listing, address, identifier

MOST_BYTES = 200_000_000
_PERSON = ("id", "name", "email", "email_verified", "employee_id", "disabled", "accounts")
_GROUP = ("id", "name", "members")
_LISTS, _FLAGS = ("accounts", "members"), ("email_verified", "disabled")
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}
_SYSTEM = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class DirectoryFile(NamedTuple):
    """What a directory file says: people and groups of its own, and the systems to ask for more."""

    listing: Listing
    systems: dict[str, dict[str, Any]]


class _Row(NamedTuple):
    where: str
    kind: str  # person, group
    values: dict[str, Any]


class _Fault(ValueError):
    """What is wrong, without the file's name."""


def read_file(path: Path) -> DirectoryFile:
    """The whole file. Raises DirectoryError that names the line or entry, and the field."""
    try:
        return _parsed(path.suffix.lower(), _text(path))
    except OSError as error:
        raise DirectoryError(
            f"The directory {path} cannot be read: {error.strerror or error}. What was last known of it stays. "
            "Correct BRAIN_DIRECTORY, or put the file back."
        ) from error
    except (_Fault, RecursionError) as error:
        told = str(error) if isinstance(error, _Fault) else "it is nested too deeply"
        raise DirectoryError(
            f"{path}: {told}. Nothing was changed. Correct it and try: python -m access.directory check"
        ) from error


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _Fault(f"it is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Fault(f"line {line}: byte {data[error.start]:#04x} is no UTF-8") from error


def _parsed(ending: str, text: str) -> DirectoryFile:
    systems: dict[str, dict[str, Any]] = {}
    if ending == ".csv":
        rows = list(_csv(text))
    elif ending == ".jsonl":
        rows = list(_lines(text))
    elif ending in (".toml", ".json"):
        table = _toml(text) if ending == ".toml" else _json(text, "")
        rows, systems = list(_table(table)), _systems(table)
    else:
        raise _Fault(f"{ending or 'a name without ending'!r} is none of .toml, .json, .jsonl, .csv")
    return DirectoryFile(_checked(rows, set(systems)), systems)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # its text names line and column
        raise _Fault(f"no TOML: {str(error).rstrip('.')}") from error


def _json(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise _Fault(f"{where or f'line {error.lineno}: '}no JSON: {error.msg} at column {error.colno}") from error
    except _Fault as error:
        raise _Fault(f"{where}{error}") from error
    if not isinstance(value, dict):
        raise _Fault(f"{where}no JSON object")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _Fault("a name stands twice in one object")
    return made


def _table(table: dict[str, Any]) -> Iterator[_Row]:
    if unknown := sorted(set(table) - {"people", "groups", "systems"}):
        raise _Fault(f"unknown name {unknown[0]!r} beside people, groups and systems")
    for part, kind in (("people", "person"), ("groups", "group")):
        entries = table.get(part, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise _Fault(f"{part} is no list of tables")
        yield from (_Row(f"{part}, entry {n}", kind, entry) for n, entry in enumerate(entries, 1))


def _systems(table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    systems = table.get("systems", {})
    if not isinstance(systems, dict) or not all(isinstance(one, dict) for one in systems.values()):
        raise _Fault("systems is no table of tables")
    for name in systems:
        if not _SYSTEM.fullmatch(name):
            raise _Fault(f"systems, {name!r}: a name has lower-case letters, digits and - only")
    return systems


def _lines(text: str) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            values = _json(line, f"line {number}: ")
            yield _Row(f"line {number}", _kind(values.pop("kind", None), number), values)


def _csv(text: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        known = dict.fromkeys(("kind", *_PERSON, *_GROUP))
        if unknown := [name for name in header if name not in known]:
            raise _Fault(f"line 1: unknown column {unknown[0]!r}{_nearest(unknown[0], known)}")
        if "id" not in header or len(set(header)) < len(header):
            raise _Fault("line 1: the first line names the columns, each once, `id` among them")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            number = reader.line_num
            if len(cells) != len(header):
                raise _Fault(f"line {number}: {len(cells)} cells under {len(header)} columns")
            values: dict[str, Any] = {n: cell.strip() for n, cell in zip(header, cells, strict=True) if cell.strip()}
            kind = _kind(values.pop("kind", "person"), number)
            for name in _LISTS:
                if name in values:
                    values[name] = [part.strip() for part in values[name].split(";") if part.strip()]
            for name in _FLAGS:
                if name in values:
                    values[name] = _WORDS.get(values[name].lower(), values[name])
            yield _Row(f"line {number}", kind, values)
    except csv.Error as error:
        raise _Fault(f"line {reader.line_num}: no CSV: {error}") from error


def _kind(value: object, number: int) -> str:
    if value not in ("person", "group"):
        raise _Fault(f"line {number}, kind: {value!r} is neither person nor group")
    return str(value)


def _checked(rows: Iterable[_Row], systems: set[str]) -> Listing:
    accounts, groups = dict[str, Account](), dict[str, Group]()
    wheres = dict[str, str]()
    for row in rows:
        values = _typed(row)
        kind = "user" if row.kind == "person" else "group"
        id_ = _field(row, "id", identifier, kind, values["id"])
        if id_.partition("/")[0] in systems:
            raise _Fault(f"{row.where}, id: {id_!r} is for what the system {id_.partition('/')[0]!r} tells")
        if (place := wheres.setdefault(f"{kind}:{id_}", row.where)) != row.where:
            raise _Fault(f"{row.where}, id: {id_!r} stands already at {place}")
        if row.kind == "person":
            accounts[id_] = _person(row, id_, values)
        else:
            members = frozenset(_field(row, "members", principal, member) for member in values.get("members", []))
            groups[id_] = Group(id_, values.get("name", ""), members)
    _refer(accounts, groups, wheres, systems)
    return Listing("", tuple(accounts.values()), tuple(groups.values()))


def _person(row: _Row, id_: str, values: dict[str, Any]) -> Account:
    if values.get("email") and not address(values["email"]):
        raise _Fault(f"{row.where}, email: {values['email']!r} is no mail address")
    same = tuple(_field(row, "accounts", identifier, "user", one) for one in values.pop("accounts", []))
    return Account(**{**values, "id": id_, "same": same})


def _typed(row: _Row) -> dict[str, Any]:
    known: tuple[str, ...] = _PERSON if row.kind == "person" else _GROUP
    made: dict[str, Any] = {}
    for name, value in row.values.items():
        if name not in known:
            raise _Fault(f"{row.where}: a {row.kind} has no field {name!r}{_nearest(name, known)}")
        if value is None:
            continue
        if name in ("id", "employee_id") and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if name in _LISTS:
            fits, told = isinstance(value, list) and all(isinstance(one, str) for one in value), "a list of texts"
        elif name in _FLAGS:
            fits, told = isinstance(value, bool), "true or false"
        else:
            fits, told = isinstance(value, str), "text"
        if not fits:
            raise _Fault(f"{row.where}, {name}: {value!r} is not {told}")
        made[name] = value.strip() if isinstance(value, str) and name != "id" else value
    if not made.get("id"):
        raise _Fault(f"{row.where}, id: is missing")
    return made


def _refer(accounts: dict[str, Account], groups: dict[str, Group], wheres: dict[str, str], systems: set[str]) -> None:
    """Who is named must be there: a slip of the pen in a member's id must not silently be nobody."""
    owner = dict[str, str]()
    for account in accounts.values():
        for one in account.same:
            if one.partition("/")[0] not in systems:
                raise _Fault(f"{wheres[f'user:{account.id}']}, accounts: {one!r} is of no system of this file")
            if owner.setdefault(one, account.id) != account.id:
                raise _Fault(f"{wheres[f'user:{account.id}']}, accounts: {one!r} is also {owner[one]!r}'s")
    for group in groups.values():
        for member in sorted(group.members):
            kind, _, id_ = member.partition(":")
            there = kind == "agent" or (kind == "user" and id_ in accounts) or (kind == "group" and id_ in groups)
            if not there and id_.partition("/")[0] not in systems:
                told = "everyone is no member" if not id_ else f"{member!r} is nobody in this file"
                raise _Fault(f"{wheres[f'group:{group.id}']}, members: {told}")


def _field(row: _Row, name: str, make: Any, *arguments: str) -> str:
    try:
        return str(make(*arguments))
    except ValueError as error:
        raise _Fault(f"{row.where}, {name}: {error}") from error


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f". Did you mean {close[0]!r}?" if close else ""
