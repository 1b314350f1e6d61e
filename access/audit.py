"""The record of who asked what, was shown what and changed whose rights: a chain of rows that only grows.

Each row's hash covers the row and the hash before it, so a change, a removal or another order shows (`verify`); that
the end was cut off shows against a head (number and hash of the last row) kept elsewhere. Old rows go by `prune` alone.
Knows a connection and rows: no question, no document, no store. Try: python -m access.audit verify
"""

import contextlib
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from database import Connection, alone, is_sqlite, lasting
from errors import UsageError

Kind = Literal[
    "question", "search", "read", "feedback", "rights", "directory", "grant", "identity", "token", "export", "audit",
    "sync", "retention", "restore", "sign_in", "decision",
]  # fmt: skip
"""What a row tells of; manual/audit.md says what stands in each."""
SYSTEM = "agent:company-brain"
"""Who does what nobody asked for: a sync, a retention."""
MOST = 20
"""Faults of a log that are named; the rest are counted."""
Carry = Callable[[Connection, int], Iterable[tuple[Kind, Mapping[str, Any]]]]
"""What the rows up to a number still say of later days, as rows to be written when they are cut off."""
_NONE = bytes(32)
_TAIL = 1000  # rows that a quick look checks
GUARDS = {
    # REPLACE removes a row without asking the other two, so a new row must be the next one.
    "audit_only_grows": """
CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit
WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'the audit log only grows at its end'); END""",
    "audit_is_not_changed": """
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is not changed'); END""",
    "audit_is_not_removed": """
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
WHEN NOT EXISTS (
    SELECT 1 FROM audit WHERE kind = 'retention' AND number > OLD.number
    AND json_extract(body, '$.cut.number') >= OLD.number
)
BEGIN SELECT RAISE(ABORT, 'of the audit log nothing is removed but by a retention row'); END""",
}
"""The triggers that guard the table, by name."""
SCHEMA = f"""
-- What happened, in order (access/audit.py). `hash` is the SHA-256 of `previous` and of the JSON list
-- [number, at, kind, caller, body], without blanks and in ASCII. No sync touches it.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,            -- from 1, without a gap
    at TEXT NOT NULL,                      -- UTC, ISO 8601, microseconds
    kind TEXT NOT NULL,
    caller TEXT NOT NULL,                  -- the id of whoever did it
    body TEXT NOT NULL,                    -- JSON: names in order, no blanks
    previous BLOB NOT NULL,                -- hash of the row before; of row 1: zeros
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX audit_by_kind ON audit (kind, number);
{";".join(GUARDS.values())};
"""
"""The table and the triggers that guard it, for the migration."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the log at some moment. Whoever keeps it elsewhere can tell later that nothing before it changed."""

    number: int
    hash: str  # hexadecimal
    at: str  # of the row: UTC, ISO 8601
    signature: str = ""  # hexadecimal HMAC-SHA256 of the three, "" for none

    def signed(self, key: bytes) -> "Head":
        """The same with a signature that only who has the key can make."""
        return Head(self.number, self.hash, self.at, self._signature(key))

    def holds(self, key: bytes) -> bool:
        """Whether the signature was made with this key."""
        return hmac.compare_digest(self.signature.encode(), self._signature(key).encode())

    def as_line(self) -> str:
        """The head as one line of JSON, without a line end."""
        told = {"number": self.number, "hash": self.hash, "at": self.at}
        return canonical(told | ({"signature": self.signature} if self.signature else {}))

    def _signature(self, key: bytes) -> str:
        return hmac.new(key, canonical([self.number, self.hash, self.at]).encode(), "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of the log."""

    number: int
    at: str
    kind: Kind
    caller: str
    body: dict[str, Any]
    hash: str  # hexadecimal


@dataclass(slots=True)
class Report:
    """What a look at the chain found; without faults it is whole as far as it can be told."""

    rows: int = 0
    first: int = 0  # number of the first row; more than 1 where older ones were cut off by a retention
    head: Head | None = None
    cut: Head | None = None  # the last row that a retention cut off
    heads: int = 0  # kept heads that were compared
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def canonical(value: Any) -> str:
    """The value as JSON in the one form that is hashed: names in order, no blanks, ASCII where it is not all text."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, as in the name of a file that is no UTF-8
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return text


def hash_of(previous: bytes, number: int, at: str, kind: str, caller: str, body: str) -> bytes:
    """The hash of a row, as SCHEMA tells it; 32 bytes."""
    fields = json.dumps([number, at, kind, caller, body], separators=(",", ":"))
    return hashlib.sha256(previous + fields.encode()).digest()


def add(
    connection: Connection, kind: Kind, caller_id: str, body: Mapping[str, Any], *, now: datetime | None = None
) -> Head:
    """Writes a row inside the caller's transaction, which must be one that writes; it stands or falls with that.

    Raises sqlite3.Error, ValueError outside a transaction.
    """
    if not connection.in_transaction:
        raise ValueError("a row of the log needs a transaction: BEGIN IMMEDIATE")
    alone(connection, "audit")
    last = connection.execute("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1").fetchone()
    number, previous = (last[0] + 1, last[1]) if last else (1, _NONE)
    at = (now or datetime.now(UTC)).isoformat(timespec="microseconds")
    caller = caller_id.encode("utf-8", "replace").decode()
    text = canonical(body)
    made = hash_of(previous, number, at, kind, caller, text)
    connection.execute(
        "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", (number, at, kind, caller, text, previous, made)
    )
    return Head(number, made.hex(), at)


def append(connection: Connection, kind: Kind, caller_id: str, body: Mapping[str, Any]) -> Head:
    """Writes a row in a transaction of its own, which is on the disk when this returns; returns the new head.

    Any number of threads (each with its connection) and processes may do so at once. Raises sqlite3.Error: then there
    is no row, and whoever calls must not go on as if there were.
    """
    with lasting(connection):
        return add(connection, kind, caller_id, body)


def head(connection: Connection) -> Head | None:
    """The last row's number, hash and time; None for an empty log. Raises sqlite3.Error."""
    row = connection.execute("SELECT number, hash, at FROM audit ORDER BY number DESC LIMIT 1").fetchone()
    return Head(row[0], row[1].hex(), row[2]) if row else None


def rows(
    connection: Connection,
    *,
    kinds: Sequence[Kind] = (),
    since: str = "",
    until: str = "",
    caller: str = "",
    holding: str = "",
    after: int = 0,
    before: int = 0,
    newest: bool = False,
) -> Iterator[Row]:
    """The rows in order, of these kinds, from `since` to before `until` (ISO 8601), `after` and `before` numbers.

    `caller`: what they did, what an agent did for them, and what they did in another's name. `holding`: those whose
    body has this text, as JSON writes it. `newest`: the last one first. Raises sqlite3.Error.
    """
    parts: list[tuple[str, list[Any]]] = [(f"kind IN ({','.join('?' * len(kinds))})", [*kinds])] if kinds else []
    parts += [(sql, [value]) for sql, value in (
        ("at >= ?", since), ("at < ?", until), ("replace(body, ?, '') <> body", holding), ("number > ?", after),
        ("number < ?", before),
    ) if value]  # fmt: skip
    parts += [("(caller = ? OR replace(body, ?, '') <> body)", [caller, canonical(caller)[1:-1]])] if caller else []
    condition = f"WHERE {' AND '.join(sql for sql, _ in parts)}" if parts else ""
    for number, at, kind, who, body, made in connection.execute(
        f"SELECT number, at, kind, caller, body, hash FROM audit {condition} ORDER BY number{' DESC' * newest}",
        [value for _, values in parts for value in values],
    ):
        row = Row(number, at, kind, who, _read(body), made.hex())
        if not caller or caller in doers(row):
            yield row


def _read(body: str) -> dict[str, Any]:
    """What a row says; of one that somebody spoiled the text itself, so that the others can be read all the same."""
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    return told if isinstance(told, dict) else {"unreadable": body}


def doers(row: Row) -> tuple[str, ...]:
    """Who stands behind a row: its caller, the person for whom an agent came, who used another's name."""
    _, _, by = str(row.body.get("by", "")).partition(" of ")  # "token:ID of user:ada"
    return tuple(dict.fromkeys(name for name in (row.caller, str(row.body.get("for", "")), by) if name))


def verify(
    connection: Connection, heads: Iterable[Head] = (), key: bytes | None = None, *, tail: bool = False
) -> Report:
    """Looks through the chain, as of one moment, and compares it with heads that were kept elsewhere.

    With a `key` only heads signed with it count. `tail` looks at the last thousand rows alone. Raises sqlite3.Error.
    """
    begun = not connection.in_transaction
    if begun:
        connection.execute("BEGIN")
    try:
        look = _Look(connection)
        look.guards()
        look.chain(tail)
        look.kept(list(heads), key)
        return look.report
    finally:
        if begun:
            connection.execute("ROLLBACK")


class _Look:
    def __init__(self, connection: Connection) -> None:
        self.connection, self.report = connection, Report()
        self.more = 0

    def fault(self, text: str) -> None:
        if len(self.report.faults) < MOST:
            self.report.faults.append(text)
        else:
            self.more += 1
            self.report.faults[MOST:] = [f"and {self.more} more"]

    def guards(self) -> None:
        if not is_sqlite(self.connection):
            rights = "SELECT has_table_privilege('audit', 'UPDATE') OR has_table_privilege('audit', 'DELETE, TRUNCATE')"
            if self.connection.execute(rights).fetchone()[0]:
                self.fault("the application's role may change or remove rows of the log")
            return
        stored = dict(self.connection.execute("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'audit'"))
        for name, sql in GUARDS.items():
            if stored.get(name) != sql.strip():
                self.fault(f"the trigger {name} is missing or another")

    def chain(self, tail: bool) -> None:
        report = self.report
        report.rows, first, last = self.connection.execute(
            "SELECT count(*), coalesce(min(number), 0), coalesce(max(number), 0) FROM audit"
        ).fetchone()
        report.first, start = first, max(first, last - _TAIL) if tail else first
        expected, before, stored = start, None, None
        for number, at, kind, caller, body, previous, made in self.connection.execute(
            "SELECT number, at, kind, caller, body, previous, hash FROM audit WHERE number >= ? ORDER BY number",
            (start,),
        ):
            if number != expected:
                self.fault(f"{_rows(expected, number - 1)} missing")
            elif stored is not None and previous != stored:
                self.fault(f"row {number} does not follow row {number - 1}: one of them was put here or changed")
            if not self._is_sound(number, at, kind, caller, body, previous, made):
                self.fault(f"row {number} is not what was written")
            if before is not None and at < before:
                report.notes.append(f"row {number} is of an earlier time than the row before: the clock was set back")
            expected, before, stored = number + 1, at, made
        report.head = head(self.connection) if last else None
        if first:
            self._beginning(first)

    def _is_sound(self, number: int, at: str, kind: str, caller: str, body: str, previous: bytes, made: bytes) -> bool:
        try:
            return hash_of(previous, number, at, kind, caller, body) == made and isinstance(json.loads(body), dict)
        except (TypeError, ValueError):
            return False

    def _beginning(self, first: int) -> None:
        (previous,) = self.connection.execute("SELECT previous FROM audit WHERE number = ?", (first,)).fetchone()
        self.report.cut = cut = cut_of(self.connection)
        if cut and (cut.number, cut.hash) != (first - 1, previous.hex()):
            self.fault(f"the log begins at row {first}, its last retention says after row {cut.number}")
        elif not cut and first != 1:
            self.fault(f"{_rows(1, first - 1)} missing, and no retention says so")
        elif not cut and previous != _NONE:
            self.fault("row 1 does not begin a log")

    def kept(self, heads: list[Head], key: bytes | None) -> None:
        report = self.report
        last, cut = report.head.number if report.head else 0, report.cut.number if report.cut else 0
        older = 0
        for one in heads:
            told = f"the head of row {one.number} that was kept"
            if key is not None and not one.holds(key):
                self.fault(f"{told} is not signed with the key")
                continue
            report.heads += 1
            row = self.connection.execute("SELECT hash FROM audit WHERE number = ?", (one.number,)).fetchone()
            if one.number > last:
                self.fault(f"the end is cut off: the log ends at row {last}, {told} is behind it")
            elif row:
                if row[0].hex() != one.hash:
                    self.fault(f"row {one.number} is another than {told}: the log was written anew")
            elif one.number == cut and report.cut and report.cut.hash != one.hash:
                self.fault(f"{told} is another than the retention says it cut off")
            elif one.number < cut:
                older += 1
        if older:
            report.notes.append(f"older than the log, so not compared: {older} of the kept heads (cut off up to {cut})")


def cut_of(connection: Connection) -> Head | None:
    """The last row that retention cut off, None while nothing was. Raises sqlite3.Error."""
    for row in connection.execute("SELECT body FROM audit WHERE kind = 'retention' ORDER BY number DESC LIMIT 1"):
        with contextlib.suppress(ValueError, TypeError, KeyError):
            cut = json.loads(row[0])["cut"]
            return Head(int(cut["number"]), str(cut["hash"]), str(cut["at"]))
    return None


def prune(
    connection: Connection,
    before: datetime,
    caller_id: str,
    carry: Carry,
) -> int:
    """Cuts off the rows older than `before`, and says so in a row that keeps number and hash of the last of them.

    What `carry` makes of the rows up to a number is written first: what they still say of later days. Returns how many
    rows went; all or nothing. Raises sqlite3.Error.
    """
    limit = before.astimezone(UTC).isoformat(timespec="microseconds")
    if not is_sqlite(connection):
        return _pruned(connection, limit, caller_id, carry)
    connection.execute("PRAGMA secure_delete = ON")  # the words of a question go, not only their row
    try:
        return _pruned(connection, limit, caller_id, carry)
    finally:
        connection.execute("PRAGMA secure_delete = OFF")


def _pruned(connection: Connection, limit: str, caller_id: str, carry: Carry) -> int:
    with lasting(connection):
        (first, last) = connection.execute("SELECT min(number), max(number) FROM audit").fetchone()
        stays = connection.execute(
            "SELECT number FROM audit WHERE at >= ? ORDER BY number LIMIT 1", (limit,)
        ).fetchone()
        cut = stays[0] - 1 if stays else last
        if first is None or cut < first:
            return 0
        counts = connection.execute(
            "SELECT kind, count(*) FROM audit WHERE number <= ? GROUP BY kind ORDER BY kind", (cut,)
        )
        kinds = dict(counts.fetchall())
        made, at = connection.execute("SELECT hash, at FROM audit WHERE number = ?", (cut,)).fetchone()
        for kind, body in carry(connection, cut):
            add(connection, kind, caller_id, body)
        sealed = {"number": cut, "hash": made.hex(), "at": at}
        add(connection, "retention", caller_id, {"cut": sealed, "kinds": kinds, "before": limit})
        if is_sqlite(connection):
            return connection.execute("DELETE FROM audit WHERE number <= ?", (cut,)).rowcount
        return int(connection.execute("SELECT cut_audit(?)", (cut,)).fetchone()[0])


def write_head(path: Path, kept: Head) -> None:
    """Adds the head to a file, as one line in one write. Raises OSError."""
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        line = f"{kept.as_line()}\n".encode()
        if os.write(number, line) != len(line):
            raise OSError(28, "No space left on device", str(path))
        os.fsync(number)
    finally:
        os.close(number)


def read_heads(path: Path) -> list[Head]:
    """The heads of a file, a line each. Raises UsageError for one that cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Make one: python -m access.audit head > FILE") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            made = Head(told["number"], told["hash"], told["at"], told.get("signature", ""))
            if type(made.number) is not int or not all(isinstance(part, str) for part in (made.hash, made.at)):
                raise TypeError
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(
                f"{path}, line {number}, is no head of a log: {line[:60]!r}. Take the line out if it was cut off."
            ) from error
        found.append(made)
    return found


def read_key(path: Path, named: str) -> bytes:
    """The key in a file that the setting `named` names. Raises UsageError when there is none worth the name."""
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise UsageError(f"{named}: {path} cannot be read: {error.strerror}.") from error
    if len(key) < 32:
        raise UsageError(
            f"{named}: {path} holds {len(key)} bytes, a key has 32 or more. "
            f'Make one: python -c "import secrets; print(secrets.token_hex(32))" > {path}'
        )
    return key


def _rows(first: int, last: int) -> str:
    return f"row {first} is" if first == last else f"rows {first} to {last} are"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; see access/auditor.py for its jobs and exit codes."""
    from access.auditor import command

    return command(argv)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
