"""The audit log: whatever is done to it is found, it is written before anything is told, and it keeps no secret.

Try: pytest tests/test_audit.py
"""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import answer
import search
from access import EVERYONE, OPEN_LIST, AccessList, Caller, audit, auditor, tokens
from access.audit import Head, add, append, hash_of, read_heads, rows, verify, write_head
from access.directory import principals_of
from access.directory_sync import replace as replace_directory
from access.entries import Account, Group, Listing
from access.history import (
    carried,
    could_have_seen,
    day_of,
    lists_are,
    lists_changed,
    memberships_changed,
    rights_changed,
)
from access.identity import NotAllowed, Unauthenticated
from access.people import merge
from answering.recorded import keys_of
from database import Connection, lasting
from errors import UsageError
from postgres.connection import Connection as PostgresConnection
from search import Index
from sources.folder import FolderSource
from storage import care
from storage.examine import examine
from tests.conftest import Grants, HashEmbedder
from tests.engine import REFUSED as REFUSED_BY
from tests.engine import connection_to, database_of, on_postgres, server
from tests.served import SECURITY, VACATION, Held, running, write_docs

ROOT = Path(__file__).parents[1]
KEY = b"0123456789abcdef0123456789abcdef"
MakeIndex = Callable[..., Index]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Connection]:
    """The connection to a real index file with eight rows in its log."""
    with contextlib.closing(connection_to(tmp_path / "index.db")) as connection:
        for number in range(8):
            append(
                connection, "question", f"user:{number}", {"question": f"Was ist {number}? 年休", "id": f"a{number}"}
            )
        yield connection


def path_of(connection: Connection) -> Path:
    if on_postgres():
        (name,) = connection.execute("SELECT current_database()").fetchone()
        return next(path for path, held in server().names.items() if held == name)
    return Path(connection.execute("PRAGMA database_list").fetchone()[2])


@contextlib.contextmanager
def unguarded(connection: Connection) -> Iterator[Connection]:
    """The index as somebody has it who may write to it: the triggers are taken out, and put back as they were."""
    if on_postgres():
        with contextlib.closing(PostgresConnection(server().owner(server().names[path_of(connection)]))) as owner:
            owner.execute("ALTER TABLE audit DISABLE TRIGGER ALL")
            yield owner
            owner.execute("ALTER TABLE audit ENABLE TRIGGER ALL")
        return
    with contextlib.closing(sqlite3.connect(path_of(connection), isolation_level=None)) as other:
        stored = other.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in stored:
            other.execute(f"DROP TRIGGER {name}")
        yield other
        for _, sql in stored:
            other.execute(sql)


def written_anew(connection: Connection, first: int) -> None:
    """Makes every hash from row `first` on what it ought to be, as who knows the code can."""
    read = "SELECT number, at, kind, caller, body FROM audit WHERE number >= ? ORDER BY number"
    for number, *fields in connection.execute(read, (first,)).fetchall():
        before = connection.execute("SELECT hash FROM audit WHERE number = ?", (number - 1,)).fetchone()
        previous = before[0] if before else bytes(32)
        made = hash_of(previous, number, *fields)
        connection.execute("UPDATE audit SET previous = ?, hash = ? WHERE number = ?", (previous, made, number))


def test_a_log_that_nobody_touched_is_whole(log: Connection) -> None:
    report = verify(log, [head_of(log, 3), head_of(log, 8)])
    assert (report.rows, report.first, report.heads, report.faults, report.notes) == (8, 1, 2, [], [])
    assert report.head == audit.head(log) == head_of(log, 8)
    assert on_postgres() or examine(path_of(log)) == []


def head_of(connection: Connection, number: int) -> Head:
    made, at = connection.execute("SELECT hash, at FROM audit WHERE number = ?", (number,)).fetchone()
    return Head(number, made.hex(), at)


def test_a_hash_can_be_made_by_hand(log: Connection) -> None:
    """As manual/audit.md tells it, with nothing of ours."""
    import hashlib

    previous = bytes(32)
    for number, at, kind, who, body, made in log.execute("SELECT number, at, kind, caller, body, hash FROM audit"):
        fields = json.dumps([number, at, kind, who, body], ensure_ascii=True, separators=(",", ":"))
        assert made == hashlib.sha256(previous + fields.encode("ascii")).digest()
        assert body == json.dumps(json.loads(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        previous = made


CHANGES = {
    "a body": ("UPDATE audit SET body = replace(body, 'Was', 'Wer') WHERE number = 4", "row 4 is not what was written"),
    "a caller": ("UPDATE audit SET caller = 'user:9' WHERE number = 4", "row 4 is not what was written"),
    "a time": ("UPDATE audit SET at = replace(at, '20', '19') WHERE number = 4", "row 4 is not what was written"),
    "a kind": ("UPDATE audit SET kind = 'search' WHERE number = 4", "row 4 is not what was written"),
    "a hash": ("UPDATE audit SET hash = zeroblob(32) WHERE number = 4", "row 5 does not follow row 4"),
    "no JSON": ("UPDATE audit SET body = '{' WHERE number = 4", "row 4 is not what was written"),
    "one removed": ("DELETE FROM audit WHERE number = 4", "row 4 is missing"),
    "some removed": ("DELETE FROM audit WHERE number IN (4, 5, 6)", "rows 4 to 6 are missing"),
    "the first removed": ("DELETE FROM audit WHERE number < 3", "rows 1 to 2 are missing, and no retention says so"),
    "two swapped": ("UPDATE audit SET number = 1000 WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 5; "
                    "UPDATE audit SET number = 5 WHERE number = 1000", "row 4 does not follow row 3"),
    "removed and renumbered": ("DELETE FROM audit WHERE number = 4; UPDATE audit SET number = number + 999 WHERE number"
                               " > 4; UPDATE audit SET number = number - 1000 WHERE number > 999",
                               "row 4 does not follow row 3"),
    "one put in": ("INSERT INTO audit SELECT 9, at, kind, caller, body, hash, hash FROM audit WHERE number = 8",
                   "row 9 is not what was written"),
    "the end cut off": ("DELETE FROM audit WHERE number > 6", "the end is cut off: the log ends at row 6"),
    "all removed": ("DELETE FROM audit", "the end is cut off: the log ends at row 0"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_done_to_the_file_is_found(log: Connection, change: str) -> None:
    sql, fault = CHANGES[change]
    kept = head_of(log, 8)
    if on_postgres():
        sql = sql.replace("zeroblob(32)", "decode(repeat('00', 32), 'hex')")
    with unguarded(log) as other:
        for statement in sql.split("; "):
            other.execute(statement)
    faults = verify(log, [kept]).faults
    assert any(fault in told for told in faults), faults
    if "end" not in change and change != "all removed":
        assert verify(log).faults, "without a head, too"
        assert on_postgres() or any("audit log" in one.what for one in examine(path_of(log)))


@pytest.mark.parametrize("first", [1, 5])
def test_a_log_that_was_written_anew_is_told_by_a_kept_head_alone(log: Connection, first: int) -> None:
    kept = [head_of(log, number) for number in (2, 8)]
    with unguarded(log) as other:
        other.execute("UPDATE audit SET body = '{}' WHERE number = ?", (first,))
        written_anew(other, first)
    assert verify(log).faults == [], "the chain itself is whole again"
    faults = verify(log, kept).faults
    assert "row 8 is another than the head of row 8 that was kept: the log was written anew" in faults
    assert len(faults) == (2 if first == 1 else 1)


def test_a_head_that_was_forged_with_the_log_is_not_signed(log: Connection) -> None:
    good = head_of(log, 8).signed(KEY)
    assert verify(log, [good], KEY).faults == []
    with unguarded(log) as other:
        other.execute("UPDATE audit SET body = '{}' WHERE number = 5")
        written_anew(other, 5)
    forged = head_of(log, 8)
    assert verify(log, [forged]).faults == [], "a head that anybody may replace proves nothing"
    for one in (forged, replace(forged, signature=good.signature), forged.signed(b"another key" * 4)):
        assert verify(log, [one], KEY).faults == ["the head of row 8 that was kept is not signed with the key"]
    assert "the log was written anew" in verify(log, [good], KEY).faults[0]


@pytest.mark.sqlite
def test_a_trigger_that_was_taken_out_or_weakened_is_told(log: Connection) -> None:
    log.execute("DROP TRIGGER audit_is_not_changed")
    log.execute("DROP TRIGGER audit_only_grows")
    log.execute("CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit BEGIN SELECT 1; END")
    assert verify(log).faults == [
        "the trigger audit_only_grows is missing or another", "the trigger audit_is_not_changed is missing or another",
    ]  # fmt: skip


REFUSED = {
    "UPDATE audit SET caller = 'user:9' WHERE number = 4": "not changed",
    "UPDATE audit SET number = 99 WHERE number = 8": "not changed",
    "DELETE FROM audit WHERE number = 4": "nothing is removed",
    "DELETE FROM audit": "nothing is removed",
    "INSERT OR REPLACE INTO audit SELECT 4, at, kind, caller, '{}', previous, hash FROM audit WHERE number = 4": "grow",
    "INSERT INTO audit SELECT 12, at, kind, caller, body, previous, hash FROM audit WHERE number = 8": "only grows",
    "INSERT INTO audit SELECT 0, at, kind, caller, body, previous, hash FROM audit WHERE number = 8": "only grows",
    "INSERT INTO audit (at, kind, caller, body, previous, hash) SELECT at, kind, caller, body, previous, hash "
    "FROM audit WHERE number = 8": "only grows",
}


@pytest.mark.parametrize("sql", REFUSED)
@pytest.mark.sqlite
def test_the_table_refuses_all_but_a_next_row(log: Connection, sql: str) -> None:
    with pytest.raises(REFUSED_BY, match=REFUSED[sql]):
        log.execute(sql)
    assert verify(log, [head_of(log, 8)]).faults == []


def test_a_row_outside_a_transaction_is_a_fault_of_the_program(log: Connection) -> None:
    with pytest.raises(ValueError, match="BEGIN IMMEDIATE"):
        add(log, "sync", "user:a", {})


def test_text_that_is_no_unicode_is_kept(log: Connection) -> None:
    append(log, "read", "user:\udcff", {"path": "caf\udce9.md", "nul": "\0"})
    assert [row.body for row in rows(log, kinds=["read"])] == [{"path": "caf\udce9.md", "nul": "\0"}]
    assert verify(log).faults == []


APPENDS = """
import sys; from pathlib import Path
from access.audit import append; from storage.schema import connect
connection = connect(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    append(connection, "question", sys.argv[2], {"n": number, "text": "x" * 500})
    print(number, flush=True)
"""


def child(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.sqlite
def test_four_processes_at_once_make_one_chain(log: Connection) -> None:
    with contextlib.ExitStack() as stack:
        at_work = [stack.enter_context(child(APPENDS, path_of(log), f"user:p{n}", 60)) for n in range(4)]
        for process in at_work:
            assert process.communicate(timeout=60)[1] == ""
    report = verify(log)
    assert (report.rows, report.faults) == (248, [])
    for n in range(4):
        assert [row.body["n"] for row in rows(log, caller=f"user:p{n}")] == list(range(60))


@posix
@pytest.mark.sqlite
def test_a_log_whose_writer_was_killed_holds_every_row_that_was_told(log: Connection) -> None:
    for _ in range(3):
        before = verify(log).rows
        with child(APPENDS, path_of(log), "user:killed", 100_000) as process:
            assert process.stdout
            for line in process.stdout:
                if line.strip() == "30":
                    break
            process.send_signal(signal.SIGKILL)
            told = process.stdout.read().split()
        report = verify(log)
        assert report.faults == []
        assert report.rows - before >= 31 + len(told)
    append(log, "question", "user:after", {})
    assert verify(log).faults == []


LIMITED = """
import resource, sys; from pathlib import Path
from access.audit import append; from errors import StoreError; from storage.schema import connect, translated
path = Path(sys.argv[1]); connection = connect(path)
connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
size = path.stat().st_size + 60_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
done = 0
try:
    with translated(path):
        for done in range(100_000):
            append(connection, "question", "user:full", {"n": done, "text": "x" * 900})
except StoreError as error:
    print(done, error)
"""


@posix
@pytest.mark.sqlite
def test_a_file_that_cannot_grow_is_told_and_holds_no_half_row(log: Connection) -> None:
    with child(LIMITED, path_of(log)) as process:
        out, err = process.communicate(timeout=60)
    assert "index.db" in out, err
    report = verify(log)
    assert report.faults == []
    assert report.rows == 8 + int(out.split()[0])
    append(log, "question", "user:after", {})
    assert verify(log).faults == []


# --- retention, heads ------------------------------------------------------------------------------------------------

DAY = timedelta(days=1)
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def at(connection: Connection, day: int, kind: audit.Kind, who: str, body: dict[str, Any]) -> Head:
    """A row of noon of a day from 1 November on."""
    with lasting(connection):
        return add(connection, kind, who, body, now=NOON + (day - 1) * DAY)


def told_at(connection: Connection, day: int, tell: Callable[..., None], *what: object) -> None:
    """A change of rights or memberships told on that day, as a sync tells it in its own transaction."""
    first = (audit.head(connection) or Head(0, "", "")).number
    with lasting(connection):
        tell(connection, *what)
        if not on_postgres():
            with unguarded_in(connection):
                connection.execute("UPDATE audit SET at = ? WHERE number > ?", (moment(day), first))
                written_anew(connection, first + 1)
    if on_postgres():
        with unguarded(connection) as owner:
            owner.execute("UPDATE audit SET at = ? WHERE number > ?", (moment(day), first))
            written_anew(owner, first + 1)


@contextlib.contextmanager
def unguarded_in(connection: Connection) -> Iterator[None]:
    for name in audit.GUARDS:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for sql in audit.GUARDS.values():
        connection.execute(sql)


def moment(day: int) -> str:
    return (NOON + (day - 1) * DAY).isoformat(timespec="microseconds")


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Connection]:
    with contextlib.closing(connection_to(tmp_path / "index.db")) as connection:
        yield connection


def test_retention_cuts_off_old_rows_and_the_chain_still_holds(empty: Connection) -> None:
    for day in range(1, 11):
        at(empty, day, "question", "user:a", {"question": f"the words of day {day}"})
    kept = [head_of(empty, number) for number in (2, 5, 9)]
    assert audit.prune(empty, NOON + 5 * DAY, "user:ops", carried) == 5
    report = verify(empty, kept)
    assert (report.first, report.rows, report.cut, report.faults) == (6, 6, kept[1], [])
    assert report.notes == ["older than the log, so not compared: 1 of the kept heads (cut off up to 5)"]
    last = [*rows(empty)][-1]
    assert (last.kind, last.caller, last.body["cut"]["hash"], last.body["kinds"]) == (
        "retention", "user:ops", kept[1].hash, {"question": 5},
    )  # fmt: skip
    assert audit.prune(empty, NOON + 5 * DAY, "user:ops", carried) == 0, "once"
    assert verify(empty, [replace(kept[1], hash="0" * 64)]).faults == [
        "the head of row 5 that was kept is another than the retention says it cut off"
    ]
    with pytest.raises(REFUSED_BY, match=r"nothing is removed|lacks a right"):
        empty.execute("DELETE FROM audit WHERE number = 7")
    if not on_postgres():
        empty.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"words of day 5" not in path_of(empty).read_bytes(), "the words are gone, not only the row"
        assert b"words of day 6" in path_of(empty).read_bytes()
    assert audit.prune(empty, datetime.now(UTC) + DAY, "user:ops", carried) == 6
    assert (verify(empty, kept[2:]).faults, verify(empty).rows) == ([], 1)


def test_a_beginning_that_was_cut_off_by_hand_is_no_retention(empty: Connection) -> None:
    for day in range(1, 11):
        at(empty, day, "question", "user:a", {})
    audit.prune(empty, NOON + 3 * DAY, "user:ops", carried)
    with unguarded(empty) as other:
        other.execute("DELETE FROM audit WHERE number = 4")
    assert verify(empty).faults == ["the log begins at row 5, its last retention says after row 3"]


def test_heads_are_kept_in_a_file_line_by_line(log: Connection, tmp_path: Path) -> None:
    file = tmp_path / "heads.jsonl"
    for number in (3, 8):
        write_head(file, head_of(log, number).signed(KEY))
    assert read_heads(file) == [head_of(log, 3).signed(KEY), head_of(log, 8).signed(KEY)]
    assert file.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    for wrong in ("{", "[]", '{"number": 1}', '{"number": "1", "hash": "", "at": ""}'):
        file.write_text(f"{head_of(log, 3).as_line()}\n{wrong}\n", encoding="utf-8")
        with pytest.raises(UsageError, match="line 2, is no head"):
            read_heads(file)
    with pytest.raises(UsageError, match="cannot be read"):
        read_heads(tmp_path / "none")


# --- who could have seen ---------------------------------------------------------------------------------------------

HR = AccessList(frozenset({"group:hr"}))


def could(connection: Connection, path: str, day: str) -> set[str]:
    return set(could_have_seen(connection, path, *day_of(day)).people)


def test_who_could_have_seen_a_document_on_a_day(empty: Connection) -> None:
    told_at(empty, 1, memberships_changed, {
        "user:ada": ["group:berlin"], "user:bob": ["group:sales"], "group:berlin": ["group:hr"], "agent:x": [],
    })  # fmt: skip
    told_at(empty, 2, lists_are, [("pay.md", HR), ("menu.md", OPEN_LIST)])
    told_at(empty, 2, lists_are, [("pay.md", OPEN_LIST)])
    told_at(empty, 4, memberships_changed, {"user:bob": ["group:hr"]})
    told_at(empty, 6, memberships_changed, {"user:ada": None})
    told_at(empty, 8, rights_changed, "pay.md", AccessList(HR.allow, None, frozenset({"user:bob"})))
    told_at(empty, 10, rights_changed, "pay.md", None)
    days = {day: could(empty, "pay.md", f"2026-11-{day:02}") for day in range(1, 12)}
    assert days == {
        1: set(), 2: {"user:ada"}, 3: {"user:ada"}, 4: {"user:ada", "user:bob"}, 5: {"user:ada", "user:bob"},
        6: {"user:ada", "user:bob"}, 7: {"user:bob"}, 8: {"user:bob"}, 9: set(), 10: set(), 11: set(),
    }  # fmt: skip
    assert could(empty, "pay.md", "2026-11-04T11:59") == {"user:ada"}
    assert could(empty, "pay.md", "2026-11-04T12:00+00:00") == {"user:ada", "user:bob"}
    assert could(empty, "menu.md", "2026-11-05") == {"user:ada", "user:bob", "agent:x"}
    assert could_have_seen(empty, "other.md", *day_of("2026-11-05")).notes == [
        "the log tells of no access list of this document until then"
    ]
    early = could_have_seen(empty, "pay.md", *day_of("2026-10-31")).notes
    assert early[0] == f"the log begins at {moment(1)}: what was before is not known"
    for cut in (3, 5, 7):  # what is cut off still says who could later on
        audit.prune(empty, NOON + (cut - 0.5) * DAY, "user:ops", carried)
        assert verify(empty).faults == []
        assert {day: could(empty, "pay.md", f"2026-11-{day:02}") for day in range(cut + 1, 12)} == {
            day: who for day, who in days.items() if day > cut
        }
        assert could(empty, "menu.md", "2026-11-11") == {"user:bob", "agent:x"}
    notes = could_have_seen(empty, "pay.md", *day_of("2026-11-02")).notes
    assert notes == [f"the log was cut off up to {moment(6)}: what changed before is not known"]


def test_what_was_carried_over_is_not_carried_again(empty: Connection) -> None:
    told_at(empty, 1, lists_changed, {f"{n}.md": OPEN_LIST for n in range(50)})
    for day in range(2, 20):
        at(empty, day, "question", "user:a", {})
    for day in range(3, 19):
        audit.prune(empty, NOON + (day - 0.5) * DAY, "user:ops", carried)
    assert len([*rows(empty, kinds=["rights"])]) == 1
    assert could_have_seen(empty, "7.md", *day_of("2026-11-19")).spans[0].rights == OPEN_LIST


def test_random_changes_of_rights_against_a_plain_reference(empty: Connection) -> None:
    rng = random.Random(7)
    people, groups, paths = [f"user:{c}" for c in "abc"], [f"group:{n}" for n in range(3)], ["x.md", "y.md"]
    lists: dict[str, AccessList | None] = {}
    members: dict[str, list[str] | None] = {}
    states = []
    for day in range(1, 26):
        before = dict(lists), dict(members)
        if rng.random() < 0.5:
            allow, deny = (frozenset(rng.sample([*groups, *people, EVERYONE], rng.randint(0, n))) for n in (3, 1))
            change = {rng.choice(paths): None if rng.random() < 0.2 else AccessList(allow, None, deny)}
            lists |= change
            told_at(empty, day, lists_changed, change)
        else:
            name = rng.choice([*people, *groups])
            moved = {name: None if rng.random() < 0.2 else rng.sample(groups, rng.randint(0, 2))}
            members |= moved
            told_at(empty, day, memberships_changed, moved)
        states.append((before, (dict(lists), dict(members))))

    def allowed(state: tuple[dict[str, AccessList | None], dict[str, list[str] | None]], who: str, path: str) -> bool:
        lists, members = state
        rights, held = lists.get(path), {who, EVERYONE}
        for _ in range(5):
            held |= {group for one in held for group in members.get(one) or ()}
        return members.get(who) is not None and rights is not None and rights.lets(Caller(who, frozenset(held)))

    for cut in (0, 6, 13, 14):
        audit.prune(empty, NOON + (cut - 0.5) * DAY, "user:ops", carried)
        for day, pair in enumerate(states[cut:], cut + 1):
            for path in paths:
                wanted = {who for who in people for state in pair if allowed(state, who, path)}
                assert could(empty, path, f"2026-11-{day:02}") == wanted, (cut, day, path)


def test_who_came_that_day_is_told_by_what_they_held(empty: Connection) -> None:
    told_at(empty, 1, rights_changed, "pay.md", HR)
    documents = [{"path": "pay.md", "version": "00", "lines": "L1-2", "as": "cited"}]
    at(empty, 3, "question", "user:ada", {"principals": ["everyone", "group:hr"], "documents": documents})
    at(empty, 3, "search", "user:bob", {"principals": ["everyone"], "documents": []})
    bound = {"principals": ["everyone", "group:hr"], "within": [["everyone"]], "documents": []}
    at(empty, 3, "question", "agent:x", bound)
    seen = could_have_seen(empty, "pay.md", *day_of("2026-11-03"))
    assert (seen.came, seen.did) == ({"user:ada": "group:hr"}, {"user:ada": 1})
    assert could_have_seen(empty, "pay.md", *day_of("2026-11-04")).did == {}


def test_what_an_agent_did_for_a_person_is_told_of_both(empty: sqlite3.Connection) -> None:
    told_at(empty, 1, rights_changed, "pay.md", HR)
    documents = [{"path": "menu.md", "lines": "L1", "as": "cited", "also": ["pay.md"]}]
    held = {"principals": ["everyone", "group:hr"], "documents": documents}
    at(empty, 3, "question", "agent:x", held | {"for": "user:7", "within": [["group:hr", "user:7"]]})
    at(empty, 3, "question", "agent:x", held | {"for": "user:8", "within": [["user:8"]], "documents": []})
    at(empty, 3, "question", "user:7", {"principals": ["user:7"], "documents": []})
    at(empty, 3, "question", "user:77", {"principals": ["user:77"], "by": "token:ID of user:7 of sales"})
    at(empty, 3, "question", "user:9", {"principals": ["user:9"], "question": "What may user:7 see?"})
    at(empty, 3, "read", "agent:x", {"for": "user:9", "status": "not_found", "documents": [{"path": "pay.md"}]})

    def of(who: str, **more: Any) -> list[int]:
        return [row.number for row in rows(empty, caller=who, **more)]

    assert (of("user:7"), of("user:7", newest=True)) == ([2, 4], [4, 2])
    assert (of("agent:x"), of("user:7 of sales"), of('user:"7')) == ([2, 3, 7], [5], [])
    assert of("user:7", after=2) == of("user:7", after=2, before=5) == [4]
    seen = could_have_seen(empty, "pay.md", *day_of("2026-11-03"))
    assert seen.did == {"agent:x for user:7": 1}, "not who asked for it in vain"
    assert (seen.came, seen.acted) == ({"agent:x for user:7": "group:hr"}, {"agent:x for user:7": "user:7"})


@pytest.mark.parametrize("body", ["", "[]", "{"])
def test_a_row_that_somebody_spoiled_keeps_no_other_from_being_read(empty: sqlite3.Connection, body: str) -> None:
    for day in (1, 2):
        at(empty, day, "question", "user:7", {"principals": ["user:7"], "documents": []})
    with unguarded(empty) as other:
        other.execute("UPDATE audit SET body = ? WHERE number = 1", (body,))
    assert [row.body.get("unreadable") for row in rows(empty)] == [body, None]
    assert verify(empty).faults[0] == "row 1 is not what was written"
    assert could_have_seen(empty, "pay.md", *day_of("2026-11-01")).did == {}


def test_a_right_that_comes_through_groups_is_told_with_the_way(empty: sqlite3.Connection) -> None:
    told_at(empty, 1, memberships_changed, {
        "user:ada": ["group:a"], "user:bob": ["group:hr", "group:a"], "group:a": ["group:b"],
        "group:b": ["group:hr", "group:a"],
    })  # fmt: skip
    told_at(empty, 1, rights_changed, "pay.md", HR)
    people = could_have_seen(empty, "pay.md", *day_of("2026-11-02")).people
    assert people == {"user:ada": "group:hr through group:b through group:a", "user:bob": "group:hr"}


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "yesterday",
        "20261130",
        "2026-W48",
        "2026-13-01",
        "30.11.2026",
        "2026-11-30T99:00",
        "9999-12-31",
        "0001-01-01T00:00+10:00",
    ],
)
def test_a_day_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="is no day and no moment"):
        day_of(wrong)


# --- every road ------------------------------------------------------------------------------------------------------

TOKEN = "a-token-that-is-a-secret-0123456789"


def rows_of(db: Path, *kinds: audit.Kind) -> list[audit.Row]:
    """The log's rows of these kinds, without any all but those of access lists, which every sync has."""
    with contextlib.closing(connection_to(db)) as connection:
        assert verify(connection).faults == []
        return [row for row in rows(connection, kinds=kinds) if kinds or row.kind != "rights"]


@pytest.fixture
def served_docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "docs")


def test_every_road_of_the_server_leaves_a_row(served_docs: Path, double: Held) -> None:
    import hashlib

    settings = double.settings(served_docs, sync_token=TOKEN)
    narrowed = {"text": VACATION, "path": "leave.md"}
    secret = {"Authorization": f"Bearer {TOKEN}"}
    with running(settings) as service:
        service.ready()
        given = service.client.post("/ask", json=narrowed, headers=secret).json()
        service.client.post("/search", json={"text": "laptops"})
        refused = service.ask("Who won the curling world cup in 1987?").json()
        stream = service.client.post("/ask/stream", json={"text": VACATION}).text
        page = service.client.get("/documents/security.md?lines=3-5").json()
        assert service.client.get("/documents/other.md").status_code == 404
        assert service.client.get("/documents/security.md?lines=900").status_code == 422
        examples = service.client.get("/examples").json()
        assert service.client.post("/feedback", json={"answer": given["id"], "verdict": "right"}).status_code == 200
        assert service.client.post("/sync", headers=secret).status_code == 202
    asked, not_found, begun, told = rows_of(settings.db, "question")
    version = hashlib.sha256((served_docs / "leave.md").read_bytes()).hexdigest()
    assert (asked.caller, asked.body["road"], asked.body["principals"]) == (
        "user:local",
        "ask",
        ["everyone", "user:local"],
    )
    assert (asked.body["id"], asked.body["question"], asked.body["status"]) == (given["id"], VACATION, "answered")
    assert (asked.body["filter"], asked.body["model"]) == ({"path": "leave.md"}, given["model"])
    assert asked.body["limit"]["min_score"] == given["limit"]["min_score"] == 0.2
    cited = [(one["path"], one["lines"], one["version"]) for one in asked.body["documents"] if one["as"] == "cited"]
    assert cited == [(one["source"], one["lines"], one["version"]) for one in given["sources"]]
    assert {one[2] for one in cited} == {version}
    assert asked.body["answer_hash"] == hashlib.sha256(given["answer"].encode()).hexdigest()
    assert (not_found.body["id"], not_found.body["status"]) == (refused["id"], "not_found")
    assert [one["as"] for one in not_found.body["documents"]] == ["named"]
    assert (begun.body["status"], begun.body["road"], told.body["begun"]) == ("begun", "stream", begun.body["id"])
    assert f'"id": "{told.body["id"]}"' in stream
    (search,) = rows_of(settings.db, "search")
    assert search.body["documents"][0]["path"] == "security.md"
    assert {one["as"] for one in search.body["documents"]} == {"shown"}
    read, missing, beyond, first = rows_of(settings.db, "read")
    assert read.body["documents"] == [
        {"path": "security.md", "lines": "L3-5", "as": "shown",
         "version": hashlib.sha256(SECURITY.encode()).hexdigest()}
    ]  # fmt: skip
    assert (page["first_line"], missing.body["status"], beyond.body["status"]) == (3, "not_found", "invalid_request")
    assert (first.body["road"], len(first.body["documents"])) == (
        "examples", len(examples["examples"] + examples["topics"]),
    )  # fmt: skip
    (judged,) = rows_of(settings.db, "feedback")
    assert (judged.body["id"], judged.body["verdict"]) == (given["id"], "right")
    (synced,) = rows_of(settings.db, "sync")
    assert (synced.caller, synced.body["added"]) == (audit.SYSTEM, 3)
    with contextlib.closing(connection_to(settings.db)) as connection:
        everything = "\n".join(row[0] for row in connection.execute("SELECT caller || body FROM audit"))
    assert TOKEN not in everything


def test_auditors_read_over_http_and_that_is_written_down(served_docs: Path, double: Held) -> None:
    settings = double.settings(served_docs)
    with running(settings) as service:
        service.ready()
        given = service.ask().json()
        get = service.client.get
        reply = get("/audit", params={"kind": "question", "document": given["sources"][0]["source"]}).json()
        assert [row["body"]["id"] for row in reply["rows"]] == [given["id"]]
        page = get("/audit", params={"limit": 1, "after": 1}).json()
        assert ([row["number"] for row in page["rows"]], page["more"]) == ([2], True)
        newest = get("/audit", params={"limit": 2, "newest": True}).json()
        first, second = (row["number"] for row in newest["rows"])
        assert (first, newest["more"]) == (second + 1, True)
        older = get("/audit", params={"limit": 2, "newest": True, "before": second}).json()["rows"]
        assert [row["number"] for row in older] == [second - 1, second - 2]
        before = len(rows_of(settings.db))
        whole = get("/audit/verify").json()
        assert (whole["faults"], whole["head"]["number"], whole["rows"]) == ([], whole["rows"], whole["rows"])
        assert len(rows_of(settings.db)) == before, "of what rows say it tells nothing"
        (row,) = get(f"/audit/answers/{given['id'][:12]}").json()["rows"]
        assert row["body"]["question"] == VACATION
        seen = get("/audit/could-have-seen", params={"document": "leave.md", "on": row["at"][:10]}).json()
        assert seen["did"] == {"user:local": 1}
        assert [span["rights"]["allow"] for span in seen["spans"]] == [["everyone"]]
        for path, status in {
            "/audit?kind=x": 400, "/audit?since=x": 400, "/audit?limit=0": 422, "/audit/answers/x": 400,
            "/audit/answers/00000000": 404, "/audit/could-have-seen?document=a&on=x": 400,
            "/audit/could-have-seen?on=2026-11-30": 422, "/audit?until=9999-12-31": 400,
        }.items():  # fmt: skip
            assert get(path).status_code == status, path
    reads = [(row.body["road"], row.body["action"]) for row in rows_of(settings.db, "audit")]
    assert reads[:6] == [("http", action) for action in (*["show"] * 4, "answer", "could-have-seen")]
    with contextlib.closing(connection_to(settings.db)) as connection, unguarded(connection) as other:
        other.execute("UPDATE audit SET caller = 'user:eve' WHERE number = 2")
    with running(settings) as service:
        service.ready()
        assert service.client.get("/audit/verify").json()["faults"] == ["row 2 is not what was written"]
    with running(replace(settings, open=True)) as service:
        service.ready()
        roads = ("answers/00000000", "could-have-seen?document=a&on=2026-11-30", "verify", "verify?whole=false")
        for path in ("/audit", *(f"/audit/{road}" for road in roads)):
            refused = service.client.get(path)
            assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


@pytest.mark.sqlite
def test_what_cannot_be_written_down_is_not_told(served_docs: Path, double: Held) -> None:
    settings = double.settings(served_docs)
    with running(settings) as service:
        service.ready()
        with contextlib.closing(connection_to(settings.db)) as connection:
            connection.execute(
                "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
            )
        for reply in (
            service.ask(), service.client.post("/search", json={"text": VACATION}),
            service.client.post("/ask/stream", json={"text": VACATION}), service.client.get("/documents/leave.md"),
            service.client.get("/examples"), service.client.get("/audit"),
        ):  # fmt: skip
            assert (reply.status_code, reply.json()["code"]) == (503, "not_recorded"), reply.text
            assert "vacation days" not in reply.text
        with contextlib.closing(connection_to(settings.db)) as connection:
            connection.execute("DROP TRIGGER full")
        assert service.ask().status_code == 200
        assert [row.body["status"] for row in rows_of(settings.db, "question")] == ["answered"]


def test_a_question_that_ends_with_an_error_is_written_down(served_docs: Path, double: Held) -> None:
    settings = double.settings(served_docs)
    with running(settings) as service:
        service.ready()
        for _ in range(4):
            double.fail("status", path="/api/chat")
        failed = service.client.post("/ask/stream", json={"text": VACATION})
    statuses = [row.body["status"] for row in rows_of(settings.db, "question")]
    assert statuses[0] == "begun", failed.text
    assert statuses[1] == json.loads(failed.text.rpartition("data: ")[2])["code"]


def test_questions_are_hashed_with_a_key_where_that_is_set(served_docs: Path, double: Held, tmp_path: Path) -> None:
    import hmac

    settings = double.settings(served_docs, audit_questions="hash")
    with pytest.raises(UsageError, match="BRAIN_AUDIT_HASH_KEY"):
        keys_of(settings)
    key = tmp_path / "key"
    key.write_bytes(KEY[:31])
    settings = replace(settings, audit_hash_key=key)
    with pytest.raises(UsageError, match="holds 31 bytes"):
        keys_of(settings)
    key.write_bytes(KEY)
    with running(settings) as service:
        service.ready()
        service.ask()
    (row,) = rows_of(settings.db, "question")
    assert row.body["question_hash"] == hmac.new(KEY, VACATION.encode(), "sha256").hexdigest()
    with contextlib.closing(connection_to(settings.db)) as connection:
        assert not connection.execute("SELECT 1 FROM audit WHERE body LIKE '%vacation%'").fetchall()


def test_tools_of_assistants_leave_a_row(tmp_path: Path) -> None:
    from tests.ollama_double import OllamaDouble
    from tests.test_mcp import remote, write_docs  # with the SDK: a second that other tests can do without

    docs = write_docs(tmp_path / "docs")
    with OllamaDouble() as double, remote("http", docs, double) as client:
        found = client.good("search_company_knowledge", query=VACATION)["result"]
        client.good("ask_company", question=VACATION)
        client.good("read_source", path="leave.md", first=3, last=5)
        client.error("read_source", path="nowhere.md")
    (search,), (asked,), (read, missing) = (
        rows_of(tmp_path / "index.db", kind) for kind in ("search", "question", "read")
    )
    assert {row.caller for row in (search, asked, read)} == {"user:local"}
    assert {row.body["road"] for row in (search, asked, read, missing)} == {"mcp"}
    told = [(one["path"], one["lines"]) for one in search.body["documents"]]
    assert told == [(one["path"], one["lines"]) for one in found]
    assert (read.body["documents"][0]["lines"], missing.body["status"]) == ("L3-5", "not_found")


# --- the command line ------------------------------------------------------------------------------------------------


def test_commands_leave_rows_and_an_auditor_reads_them(
    served_docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db, key, heads = tmp_path / "index.db", tmp_path / "key", tmp_path / "heads.jsonl"
    key.write_bytes(KEY)
    for name, value in {
        "CONFIG": os.devnull, "BACKEND": "embedded", "DOCS_DIR": served_docs, "DB": db, "AUDIT_SIGN_KEY": key,
        "AUDIT_HEAD_FILE": heads, "AUDIT_HEAD_EVERY": 1, "DATABASE": database_of(db),
    }.items():  # fmt: skip
        monkeypatch.setenv(f"BRAIN_{name}", str(value))

    def run(main: Callable[[Sequence[str] | None], int], *arguments: str) -> tuple[int, str, str]:
        return main(arguments), *capsys.readouterr()

    code, out, err = run(answer.main, VACATION, "--json")
    assert code == 0, err
    answered = json.loads(out)
    assert run(search.main, "laptops")[0] == 0
    assert len(read_heads(heads)) == 2
    code, out, err = run(audit.main, "verify")
    assert (code, "faults: none" in out, "heads: 2" in out) == (0, True, True), out + err
    code, out, _ = run(audit.main, "show", "--document", "leave.md", "--kind", "question", "--json")
    (shown,) = map(json.loads, out.splitlines())
    assert (shown["caller"], shown["body"]["road"], shown["body"]["question"]) == ("user:local", "cli", VACATION)
    assert "leave.md:L" in run(audit.main, "show")[1]
    code, out, _ = run(audit.main, "answer", answered["id"][:12])
    assert code == 0
    for part in (answered["id"], VACATION, "user:local", "cited: leave.md:L", "min_score", answered["model"]):
        assert part in out, part
    code, out, err = run(audit.main, "answer", "00000000")
    assert (code, "holds no answer" in err) == (1, True)
    assert run(audit.main, "could-have-seen", "leave.md", "--on", "2020-11-30")[0] == 1
    with contextlib.closing(connection_to(db)) as connection, lasting(connection):
        memberships_changed(connection, {"user:ada": ["group:hr"]})
        rights_changed(connection, "leave.md", AccessList(HR.allow, None, frozenset({"user:bob"})))
    today = datetime.now(UTC).date().isoformat()
    code, out, _ = run(audit.main, "could-have-seen", "leave.md", "--on", today)
    assert (code, "user:ada by everyone" in out, "user:local, 2 times" in out) == (0, True, True), out
    code, out, _ = run(audit.main, "head", "--sign", "--out", str(tmp_path / "more.jsonl"))
    assert [Head(**json.loads(out))] == read_heads(tmp_path / "more.jsonl")
    assert Head(**json.loads(out)).holds(KEY)
    reads = [(row.caller, row.body["action"]) for row in rows_of(db, "audit")]
    actions = ("show", "show", "answer", "answer", "could-have-seen", "could-have-seen")
    assert reads == [("user:local", action) for action in actions]
    assert run(audit.main, "prune", "--days", "1")[1].split() == ["prune:", "rows:", "0", "older_than_days:", "1"]
    with contextlib.closing(connection_to(db)) as connection, unguarded(connection) as other:
        other.execute("DELETE FROM audit WHERE number >= 2")
    code, out, _ = run(audit.main, "verify")
    assert (code, "the end is cut off" in out) == (2, True)


def test_the_log_can_be_off(served_docs: Path, double: Held) -> None:
    settings = double.settings(served_docs, audit=False)
    with running(settings) as service:
        service.ready()
        assert service.ask().status_code == 200
        assert service.client.get("/documents/leave.md").status_code == 200
    assert rows_of(settings.db) == []


@pytest.mark.sqlite
def test_the_log_is_read_with_its_scope_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "index.db"
    with contextlib.closing(connection_to(db)) as connection:
        _, asks = tokens.make(connection, "user:ada", ("ask", "operate"))
        _, audits = tokens.make(connection, "user:ada", ("audit",))
    monkeypatch.setenv("BRAIN_AUTH", "tokens")
    for held, error in (("", Unauthenticated), (asks, NotAllowed)):
        monkeypatch.setenv("BRAIN_TOKEN", held)
        for job in (["show"], ["verify"], ["head"], ["answer", "abcd"], ["could-have-seen", "x", "--on", "2026-11-30"]):
            with pytest.raises(error):
                auditor.command([*job, "--db", str(db)])
    assert capsys.readouterr().out == ""
    assert [row.kind for row in rows_of(db)] == ["token", "token"]
    monkeypatch.setenv("BRAIN_TOKEN", audits)
    assert auditor.command(["show", "--db", str(db)]) == 0
    assert asks.split("_", 2)[2] not in capsys.readouterr().out
    assert [(row.kind, row.caller) for row in rows_of(db)][2:] == [("audit", "user:ada")]


# --- backup, restore, vacuum -----------------------------------------------------------------------------------------


@pytest.fixture
def index(make_index: MakeIndex, docs: Path) -> Index:
    made = make_index(docs, HashEmbedder())
    made.sync()
    return made


def note(index: Index, text: str) -> Head:
    return append(index.store.connection(), "question", "user:a", {"question": text})


def said(db: Path) -> list[str]:
    return [str(row.body.get("question", row.kind)) for row in rows_of(db)]


@pytest.mark.sqlite
def test_a_restore_takes_no_row_back(index: Index, tmp_path: Path) -> None:
    db, saved = index.store.path, tmp_path / "b.db"
    note(index, "before")
    assert care.backup(db, saved).note == ""
    kept = [note(index, "after"), note(index, "later")]
    done = care.restore(db, saved, index.source.root)
    assert (done.how, done.replaced_log) == ("into the index in use", "goes on")
    assert said(saved) == ["sync", "before", "export"]
    assert said(db) == ["sync", "before", "export", "after", "later", "restore"]
    connection = index.store.connection()
    assert verify(connection, kept).faults == []
    told = next(rows(connection, kinds=["restore"])).body
    assert (told["replaced"]["hash"], told["backup"]["number"]) == (kept[1].hash, 4)
    note(index, "goes on")
    assert said(db)[-1] == "goes on"
    assert examine(db) == []


@pytest.mark.sqlite
def test_a_restore_brings_nothing_back_that_a_retention_cut_off(index: Index, tmp_path: Path) -> None:
    db, saved = index.store.path, tmp_path / "b.db"
    note(index, "old")
    care.backup(db, saved)
    audit.prune(index.store.connection(), datetime.now(UTC) + DAY, "user:ops", carried)
    care.restore(db, saved, index.source.root)
    assert said(db) == ["retention", "restore"]
    assert examine(db) == []


@pytest.mark.sqlite
def test_a_restore_into_another_index_keeps_both_logs(
    index: Index, make_index: MakeIndex, docs: Path, tmp_path: Path
) -> None:
    saved, other = tmp_path / "b.db", make_index(docs, HashEmbedder(), db=tmp_path / "other.db")
    note(index, "here")
    care.backup(index.store.path, saved)
    other.sync()
    kept = note(other, "there")
    done = care.restore(other.store.path, saved, other.source.root)
    assert json.loads(done.replaced_log)["hash"] == kept.hash
    assert said(other.store.path) == ["sync", "here", "export", "restore", "sync", "there"]
    assert [*rows(other.store.connection())][-1].body["was"]["hash"] == kept.hash


@pytest.mark.sqlite
def test_a_restore_of_a_damaged_index_says_that_its_log_could_not_be_read(index: Index, tmp_path: Path) -> None:
    db, saved = index.store.path, tmp_path / "b.db"
    note(index, "here")
    care.backup(db, saved)
    index.store.close()
    db.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    care.restore(db, saved, index.source.root)
    assert said(db) == ["sync", "here", "export", "restore"]
    (row,) = rows_of(db, "restore")
    assert row.body["replaced"] is None


ASKS = """
import sys, time; from pathlib import Path
from access.audit import append; from storage.schema import connect
connection = connect(Path(sys.argv[1]))
print("ready", flush=True)
number = 0
while not Path(sys.argv[2]).exists():
    append(connection, "question", "user:busy", {"question": str(number)})
    number += 1
    time.sleep(0.001)
print(number)
"""


@pytest.mark.sqlite
def test_no_row_is_lost_that_was_written_while_a_restore_ran(index: Index, tmp_path: Path) -> None:
    db, saved, stop = index.store.path, tmp_path / "b.db", tmp_path / "stop"
    care.backup(db, saved)
    with child(ASKS, db, stop) as process:
        assert process.stdout
        process.stdout.readline()
        for _ in range(5):
            care.restore(db, saved, index.source.root)
        stop.touch()
        out, err = process.communicate(timeout=60)
    assert err == ""
    busy = [row.body["question"] for row in rows_of(db) if row.caller == "user:busy"]
    assert busy == [str(number) for number in range(int(out))]
    assert len(rows_of(db, "restore")) == 5


@pytest.mark.sqlite
def test_a_vacuum_keeps_the_log(index: Index) -> None:
    kept = note(index, "here")
    care.vacuum(index.store)
    assert verify(index.store.connection(), [kept]).faults == []


@pytest.mark.sqlite
def test_a_sync_cuts_off_what_is_too_old(index: Index) -> None:
    connection = index.store.connection()
    with lasting(connection), unguarded_in(connection):
        connection.execute("UPDATE audit SET at = '2020-01-01T00:00:00.000000+00:00'")
        written_anew(connection, 1)
    index.sync()
    assert said(index.store.path) == ["sync"]
    index.settings = replace(index.settings, audit_days=30)
    index.sync()
    assert said(index.store.path) == ["retention"]


@pytest.mark.sqlite
def test_a_backup_without_room_for_its_row_is_made_all_the_same(index: Index, tmp_path: Path) -> None:
    index.store.connection().execute(
        "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    assert "stands in no audit log" in care.backup(index.store.path, tmp_path / "b.db").note


@pytest.mark.sqlite
def test_who_asks_as_somebody_else_stands_beside_them(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "index.db"
    monkeypatch.setenv("BRAIN_BACKEND", "embedded")
    for program in (answer, search):
        program.main(["zzz qqq?", "--docs", str(docs), "--db", str(db), "--as", "user:ada"])
    asked = [(row.caller, row.body["by"]) for row in rows_of(db) if row.kind in ("question", "search")]
    assert asked == [("user:ada", "none of user:local")] * 2


def test_every_change_of_rights_is_a_row(docs: Path, make_index: MakeIndex) -> None:
    source = Grants(docs, {"leave.md": {"group:a"}, "zh.md": {"group:a"}})
    index = make_index(docs, None, source)
    index.sync()
    source.lists["leave.md"] = {"group:b"}
    index.sync()
    index.sync()
    (docs / "leave.md").unlink()
    index.sync()
    told = [row.body for row in rows_of(index.settings.db, "rights")]
    assert [{one["allow"][0]: one["documents"] for one in body["lists"] if one["allow"]} for body in told] == [
        {"group:a": ["leave.md", "zh.md"]}, {"group:b": ["leave.md"]}, {},
    ]  # fmt: skip
    assert told[-1]["removed"] == ["leave.md"]


def hr(*members: str) -> Listing:
    """A directory of three people and one group."""
    people = tuple(Account(name, name) for name in ("ada", "bob", "eve"))
    return Listing("", people, (Group("hr", "HR", frozenset(members)),))


def test_who_could_have_seen_is_answered_from_what_really_happened(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, None, Grants(docs, {"leave.md": {"group:hr"}}))
    index.sync()
    connection = index.store.connection()
    begun = datetime.now(UTC)
    for members in (["user:ada"], ["user:ada", "user:bob"], ["user:bob"]):
        replace_directory(connection, hr(*members))
    now = datetime.now(UTC)
    seen = could_have_seen(connection, "leave.md", begun, now)
    assert seen.people == {"user:ada": "group:hr", "user:bob": "group:hr"}
    late = could_have_seen(connection, "leave.md", now, now)
    assert late.people == {"user:bob": "group:hr"}
    merge(connection, "ada", "eve", "user:lead", "one person")
    decided = [(row.caller, row.body["action"]) for row in rows_of(index.settings.db, "identity")]
    assert decided == [("user:lead", "merge")]


@pytest.mark.sqlite
def test_a_restore_opens_no_door_that_was_shut_since(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    index = make_index(docs, None, FolderSource(docs))
    index.sync()
    connection = index.store.connection()
    replace_directory(connection, hr("user:ada"))
    token, _ = tokens.make(connection, "user:ada")
    care.backup(index.store.path, tmp_path / "b.db")
    tokens.revoke(connection, token.id)
    replace_directory(connection, hr("user:bob"))
    care.restore(index.store.path, tmp_path / "b.db", index.source.root)
    connection = index.store.connection()
    assert [one.revoked_at != "" for one in tokens.listed(connection)] == [True]
    assert "group:hr" not in principals_of(connection, "user:ada")
    assert not index.has_its_lists
    index.sync()
    assert index.has_its_lists
