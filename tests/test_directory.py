"""The directory: what its file may say, that half of it changes nothing, and who holds what at the next question.

Try: pytest tests/test_directory.py
"""

import json
import multiprocessing
import os
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from access import EVERYONE
from access.directory import UnknownPerson, closure, is_loaded, main, principals_of, version
from access.directory_file import read_file
from access.directory_sync import keep_only, last_sync, replace
from access.entries import Account, DirectoryError, Group, Listing
from database import Connection, Rows
from postgres.connection import Connection as PostgresConnection
from storage import schema
from storage.schema import connect
from tests.directories import Commands, Run, groups_of, listing, opened
from tests.engine import REFUSED, as_owner, database_of, on_postgres

TOML = """
[[people]]
id = 42
name = "Ana Lima"
email = "Ana@Example.com"
email_verified = true
employee_id = "1007"
accounts = ["entra/8f3a"]

[[people]]
id = "43"
disabled = true

[[groups]]
id = "hr"
name = "Human Resources"
members = ["user:42", "group:payroll"]

[[groups]]
id = "payroll"
members = ["user:43", "agent:helpdesk", "group:entra/77"]

[systems.entra]
reader = "graph"
"""
CSV = """kind,id,name,email,email_verified,employee_id,disabled,members
person,42,"Lima, Ana",Ana@Example.com,yes,1007,,
,,,,,,,
person,43,,,,,TRUE,
group,hr,Human Resources,,,,,user:42;group:payroll
group,payroll,,,,,,user:43; agent:helpdesk
"""
JSONL = """{"kind": "person", "id": 42, "name": "Ana Lima", "email": "Ana@Example.com", "email_verified": true}

{"kind": "person", "id": "43", "disabled": true, "name": null}
{"kind": "group", "id": "hr", "members": ["user:42", "group:payroll"]}
{"kind": "group", "id": "payroll", "members": ["user:43", "agent:helpdesk"]}
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Commands(main, tmp_path, monkeypatch, capsys)


def file(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(("name", "text"), [("d.toml", TOML), ("d.csv", CSV), ("d.jsonl", JSONL), ("D.CSV", CSV)])
def test_every_form_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    read = read_file(file(tmp_path, name, "\ufeff" + text.replace("\n", "\r\n")))
    ana, ben = read.listing.accounts
    assert (ana.id, ana.email, ana.email_key, ana.disabled) == ("42", "Ana@Example.com", "ana@example.com", False)
    assert "Ana" in ana.name
    assert (ben.id, ben.name, ben.disabled, ben.email_key) == ("43", "", True, "")
    hr, payroll = read.listing.groups
    assert (hr.id, set(hr.members)) == ("hr", {"user:42", "group:payroll"})
    assert {"user:43", "agent:helpdesk"} <= payroll.members
    assert set(read.systems) == ({"entra"} if name == "d.toml" else set())


def test_json_says_what_toml_says(tmp_path: Path) -> None:
    table = {"people": [{"id": 42, "email": "a@b.example"}], "groups": [{"id": "hr", "members": ["user:42"]}]}
    read = read_file(file(tmp_path, "d.json", json.dumps(table)))
    assert read.listing == Listing(
        "", (Account("42", email="a@b.example"),), (Group("hr", members=frozenset({"user:42"})),)
    )


WRONG = [
    ("d.toml", "[[people]]\nid = ?\n", "no TOML: .*line 2"),
    ("d.toml", TOML[:300], "no TOML"),
    ("d.toml", "[[person]]\nid = 1", "unknown name 'person'"),
    ("d.toml", "people = 3", "people is no list of tables"),
    ("d.toml", "[[people]]\nname = 'Ana'", "people, entry 1, id: is missing"),
    ("d.toml", "[[people]]\nid = true", "people, entry 1, id: True is not text"),
    (
        "d.toml",
        "[[people]]\nid = 1\nmail = 'a@b.c'",
        "people, entry 1: a person has no field 'mail'. Did you mean 'email'",
    ),
    ("d.toml", "[[people]]\nid = 1\nemail = 'ana'", "people, entry 1, email: 'ana' is no mail address"),
    ("d.toml", "[[people]]\nid = 1\nemail_verified = 'yes'", "email_verified: 'yes' is not true or false"),
    (
        "d.toml",
        "[[people]]\nid = 1\n[[people]]\nid = '1'",
        "people, entry 2, id: '1' stands already at people, entry 1",
    ),
    ("d.toml", "[[people]]\nid = 'a,b'", "people, entry 1, id: 'user:a,b' is no principal"),
    ("d.toml", "[[people]]\nid = 'a\u200bb'", "people, entry 1, id: .* is no principal"),
    ("d.toml", "[[people]]\nid = 1\naccounts = ['entra/1']", "accounts: 'entra/1' is of no system of this file"),
    (
        "d.toml",
        "[[groups]]\nid = 'a'\nmembers = ['user:9']",
        "groups, entry 1, members: 'user:9' is nobody in this file",
    ),
    ("d.toml", "[[groups]]\nid = 'a'\nmembers = ['group:b']", "groups, entry 1, members: 'group:b' is nobody"),
    ("d.toml", "[[groups]]\nid = 'a'\nmembers = ['everyone']", "groups, entry 1, members: everyone is no member"),
    ("d.toml", "[[groups]]\nid = 'a'\nmembers = ['ana']", "groups, entry 1, members: 'ana' is no principal"),
    ("d.toml", "[[groups]]\nid = 'a'\nmembers = 'user:1'", "groups, entry 1, members: 'user:1' is not a list of texts"),
    ("d.toml", "[[groups]]\nid = 'x/a'\n[systems.x]", "groups, entry 1, id: 'x/a' is for what the system 'x' tells"),
    ("d.toml", "[systems.'A B']", "systems, 'A B'"),
    ("d.toml", b"[[people]]\nid = 'a\xff'", "line 2: byte 0xff is no UTF-8"),
    ("d.toml", "x = " + "[" * 5000, "no TOML|nested too deeply"),
    ("d.json", "{", "line 1: no JSON"),
    ("d.json", "[]", "no JSON object"),
    ("d.json", "[" * 100_000, "nested too deeply"),
    ("d.json", '{"people": [{"id": "1", "id": "2"}]}', "a name stands twice"),
    ("d.jsonl", JSONL[:-8], "line 5: no JSON"),
    ("d.jsonl", '{"kind": "robot", "id": 1}', "line 1, kind: 'robot'"),
    ("d.jsonl", '{"id": 1}', "line 1, kind: None"),
    ("d.csv", "", "line 1: the first line names the columns"),
    ("d.csv", "kind,id,id\n", "each once"),
    ("d.csv", "id,mail\n1,a@b.c\n", "line 1: unknown column 'mail'. Did you mean 'email'"),
    ("d.csv", CSV + "person,44\n", "line 7: 2 cells under 8 columns"),
    ("d.csv", CSV + 'person,"44', "line 7: no CSV"),
    ("d.csv", CSV + "person,44,,,perhaps,,,\n", "line 7, email_verified: 'perhaps'"),
    ("d.csv", CSV + "group,b,,,,,,user:99\n", "line 7, members: 'user:99' is nobody"),
    ("d.yaml", "people: []", "'.yaml' is none of"),
]


@pytest.mark.parametrize(("name", "text", "told"), WRONG)
def test_a_wrong_file_is_told_where(tmp_path: Path, name: str, text: str | bytes, told: str) -> None:
    with pytest.raises(DirectoryError, match=told) as raised:
        read_file(file(tmp_path, name, text))
    assert "Nothing was changed" in str(raised.value)
    assert str(tmp_path / name) in str(raised.value)


def test_half_a_file_changes_nothing(tmp_path: Path, db: Connection, run: Run) -> None:
    """Cut anywhere, the file is an error or, where a whole entry ends, names all that its groups name."""
    text = TOML.replace("[systems.entra]", "").replace('reader = "graph"', "").replace('"group:entra/77"', "")
    text = text.replace('accounts = ["entra/8f3a"]', "")
    assert run("sync", "--file", str(file(tmp_path, "d.toml", text))).returncode == 0
    before = groups_of(db, "user:42")
    assert before == {"hr"}
    for cut in ('members = ["user:42"', 'id = "payroll"\nmem'):
        half = text[: text.index(cut) + len(cut)]
        done = run("sync", "--file", str(file(tmp_path, "d.toml", half)))
        assert done.returncode == 2
        assert "error: " in done.stderr
        assert groups_of(db, "user:42") == before


def test_without_a_directory_everybody_is_themselves(db: Connection) -> None:
    assert principals_of(db, " USER:42 ") == {"user:42", EVERYONE}
    assert principals_of(db, "agent:x") == {"agent:x", EVERYONE}
    for nobody in ("", "42", "everyone", "group:hr", "user:", "user:a,b"):
        with pytest.raises(UnknownPerson):
            principals_of(db, nobody)


@pytest.mark.permission
def test_with_a_directory_only_whom_it_knows(db: Connection) -> None:
    replace(db, listing("", "42", Account("43", disabled=True), hr="user:42 user:43 agent:helpdesk", all="group:hr"))
    assert principals_of(db, "user:42") == {"user:42", EVERYONE, "group:hr", "group:all"}
    assert principals_of(db, "agent:helpdesk") == {"agent:helpdesk", EVERYONE, "group:hr", "group:all"}
    assert principals_of(db, "agent:new") == {"agent:new", EVERYONE}
    told = set()
    for nobody in ("user:43", "user:44", "group:hr", EVERYONE, "user:4", "user:4_", "user:%", "user:42' OR '1'='1"):
        with pytest.raises(UnknownPerson) as raised:
            principals_of(db, nobody)
        told.add(str(raised.value).replace(repr(nobody), ""))
        assert (raised.value.http_status, raised.value.code) == (403, "unknown_person")
    assert len(told) == 1, "a disabled person is told what an unknown one is"


def test_the_name_of_a_sign_on_service_is_the_account_s(db: Connection) -> None:
    replace(db, listing("entra", Account("entra/8f", login="8f"), Account("entra/42", login="42"), a="user:entra/8f"))
    assert principals_of(db, "user:8f") == {"user:8f", "user:entra/8f", "group:entra/a", EVERYONE}
    replace(db, listing("", "42", hr="user:42"))
    assert groups_of(db, "user:42") == {"hr"}, "an id is nobody else's login"
    replace(db, listing("other", Account("other/1", login="8f"), b="user:other/1"))
    assert groups_of(db, "user:8f") == {"unknown"}, "a login of two people is nobody's"
    assert groups_of(db, "user:entra/8f") == {"entra/a"}


def test_the_first_empty_directory_closes_the_door(db: Connection) -> None:
    assert not is_loaded(db)
    replace(db, Listing(""))
    assert is_loaded(db)
    assert groups_of(db, "user:42") == {"unknown"}


@pytest.mark.freshness
def test_a_revoked_membership_has_effect_on_the_next_question(tmp_path: Path, db: Connection) -> None:
    replace(db, listing("", "42", "43", hr="user:42", board="group:hr"))
    other = opened(tmp_path)  # a second process's
    assert groups_of(other, "user:42") == {"hr", "board"}
    before = version(other)
    change = replace(db, listing("", "42", "43", hr="user:43", board="group:hr"))
    assert groups_of(other, "user:42") == set()
    assert groups_of(other, "user:43") == {"hr", "board"}
    assert version(other) > before
    assert (change.granted, change.revoked) == ((("user:43", "group:hr"),), (("user:42", "group:hr"),))
    other.close()


@pytest.mark.freshness
def test_a_person_who_is_gone_is_unknown_and_one_who_is_disabled_too(db: Connection) -> None:
    replace(db, listing("", "1", "2", "3", hr="user:1 user:2 user:3"))
    change = replace(db, listing("", "1", Account("3", disabled=True), hr="user:1 user:3"))
    assert change.removed == ("user:2",)
    assert [groups_of(db, f"user:{n}") for n in (1, 2, 3)] == [{"hr"}, {"unknown"}, {"unknown"}]
    assert replace(db, listing("", "1", "2", "3", hr="user:1")).added == ("user:2",)
    assert [groups_of(db, f"user:{n}") for n in (1, 2, 3)] == [{"hr"}, set(), set()]


def test_a_renamed_group_stays_and_a_deleted_one_is_gone(db: Connection) -> None:
    def groups(*made: Group) -> Listing:
        return Listing("", (Account("1"),), made)

    inner, outer = Group("g1", "Staff", frozenset({"user:1"})), Group("g2", "All", frozenset({"group:g1"}))
    replace(db, groups(inner, outer))
    assert groups_of(db, "user:1") == {"g1", "g2"}
    change = replace(db, groups(Group("g1", "Employees", inner.members), outer))
    assert (change.added, change.removed, change.granted) == ((), (), ())
    assert groups_of(db, "user:1") == {"g1", "g2"}
    assert db.execute("SELECT name FROM directory_groups WHERE id = 'g1'").fetchone() == ("Employees",)
    replace(db, groups(outer, Group("g3", "Staff")))  # another group of the old name inherits nothing
    assert groups_of(db, "user:1") == set()


def test_an_empty_or_halved_directory_asks_first(db: Connection) -> None:
    many = [f"{n}" for n in range(20)]
    everybody = " ".join(f"user:{n}" for n in many)
    replace(db, listing("", *many, hr=everybody))
    halved = [
        Listing(""),
        listing("", *many),
        listing("", *many, hr="user:1 user:2"),
        listing("", *many[:9], hr=everybody),
    ]
    for suddenly in halved:
        with pytest.raises(DirectoryError, match=r"are left of \d+ in the directory file.*--allow-empty"):
            replace(db, suddenly)
        assert groups_of(db, "user:19") == {"hr"}
    replace(db, listing("", *many[:15], hr=everybody))
    replace(db, Listing(""), allow_empty=True)
    assert groups_of(db, "user:1") == {"unknown"}


def test_a_file_that_vanished_keeps_the_last_known(tmp_path: Path, db: Connection, run: Run) -> None:
    path = file(tmp_path, "d.jsonl", JSONL)
    assert run("sync", "--file", str(path)).returncode == 0
    path.unlink()
    gone = run("sync", "--file", str(path), "--allow-empty")
    assert gone.returncode == 2
    assert "cannot be read" in gone.stderr
    path.write_text("")
    empty = run("sync", "--file", str(path))
    assert empty.returncode == 2
    assert re.search(r"0 people are left of 2 .* python -m access.directory .*sync --allow-empty", empty.stderr)
    assert groups_of(db, "user:42") == {"hr"}
    assert run("sync", "--file", str(path), "--allow-empty").returncode == 0
    assert groups_of(db, "user:42") == {"unknown"}


@pytest.mark.freshness
def test_a_system_that_is_no_longer_named_gives_no_rights(db: Connection) -> None:
    replace(db, listing("", "1", hr="user:1"))
    replace(db, listing("entra", "entra/1", staff="user:entra/1"))
    with pytest.raises(DirectoryError, match=r"0 people are left of 1 in the system entra"):
        keep_only(db, {""})
    assert groups_of(db, "user:entra/1") == {"entra/staff"}
    (change,) = keep_only(db, {""}, allow_empty=True)
    assert change.removed == ("group:entra/staff", "user:entra/1")
    assert (groups_of(db, "user:entra/1"), groups_of(db, "user:1")) == ({"unknown"}, {"hr"})


def test_two_directories_stand_side_by_side(db: Connection) -> None:
    """What one says of its own is untouched by the other's sync; groups hold each other's members."""
    replace(db, listing("entra", "entra/1", staff="user:entra/1"))
    replace(db, listing("", "1", hr="user:1 group:entra/staff"))
    assert groups_of(db, "user:entra/1") == {"entra/staff", "hr"}
    replace(db, listing("", "1", hr="user:1"))
    assert groups_of(db, "user:entra/1") == {"entra/staff"}
    replace(db, listing("entra", "entra/1", staff="user:entra/1", board="user:entra/1"))
    assert groups_of(db, "user:entra/1") == {"entra/staff", "entra/board"}
    assert groups_of(db, "user:1") == {"hr"}


def test_a_fault_in_the_middle_undoes_the_whole(db: Connection, tmp_path: Path) -> None:
    replace(db, listing("", "1", "2", hr="user:1"))
    before = version(db)
    if on_postgres():
        as_owner(tmp_path / "index.db", "ALTER TABLE memberships ADD CHECK (member <> 'user:3')")
    else:
        db.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON memberships BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    with pytest.raises(REFUSED):
        replace(db, listing("", "1", "3", hr="user:3"))
    assert not db.in_transaction
    assert (groups_of(db, "user:1"), groups_of(db, "user:3"), version(db)) == ({"hr"}, {"unknown"}, before)


class _Dying(PostgresConnection):
    def executemany(self, sql: str, values: Iterable[Any], /) -> Rows:
        if sql.startswith("INSERT INTO memberships"):
            os._exit(9)
        return super().executemany(sql, values)


def _sync_and_die(folder: str, database: str) -> None:
    if database:
        connection: Connection = _Dying(database, "brain_writer")
    else:
        file = connect(Path(folder) / "index.db")
        file.set_trace_callback(lambda sql: os._exit(9) if sql.startswith("INSERT INTO memberships") else None)
        connection = file
    replace(connection, listing("", "1", "3", hr="user:3"))


def test_killed_in_the_middle_the_old_directory_holds(tmp_path: Path, db: Connection) -> None:
    replace(db, listing("", "1", hr="user:1"))
    told = str(tmp_path), database_of(tmp_path / "index.db")
    process = multiprocessing.get_context("spawn").Process(target=_sync_and_die, args=told)
    process.start()
    process.join(60)
    assert process.exitcode == 9
    assert (groups_of(db, "user:1"), groups_of(db, "user:3")) == ({"hr"}, {"unknown"})
    replace(db, listing("", "1", "3", hr="user:3"))
    assert groups_of(db, "user:3") == {"hr"}


def test_what_was_read_before_another_sync_is_not_taken_in(tmp_path: Path, db: Connection) -> None:
    """Two processes: the slower one read the directory before somebody was taken out of a group."""
    replace(db, listing("", "1", hr="user:1"))
    other = opened(tmp_path)
    since, older = last_sync(other, ""), listing("", "1", hr="user:1")
    replace(db, listing("", "1", hr="agent:x"), since=last_sync(db, ""))
    with pytest.raises(DirectoryError, match="was synced by another process meanwhile"):
        replace(other, older, since=since)
    assert groups_of(other, "user:1") == set()
    other.close()


@pytest.mark.sqlite
def test_a_full_disk_and_a_locked_index_are_told(
    tmp_path: Path, db: Connection, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace(db, listing("", "1", hr="user:1"))
    many = tmp_path / "many.csv"
    many.write_text("id,name\n" + "".join(f"{n},{'x' * 200}\n" for n in range(2000)))
    made = schema.opened

    def small(path: Path, how: str) -> sqlite3.Connection:
        connection = made(path, how)
        connection.execute("PRAGMA max_page_count = 80")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(schema, "opened", small)
        full = run("sync", "--file", str(many), "--allow-empty")
    assert (full.returncode, "error: No space left for" in full.stderr) == (2, True), full
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.05)
    db.execute("BEGIN IMMEDIATE")
    locked = run("sync", "--file", str(many), "--allow-empty")
    db.execute("ROLLBACK")
    assert (locked.returncode, "is locked by another process" in locked.stderr) == (2, True), locked
    assert groups_of(db, "user:1") == {"hr"}


def test_a_sync_of_the_directory_is_no_change_of_the_index(db: Connection) -> None:
    generation = "SELECT value FROM meta WHERE key = 'generation'"
    before = db.execute(generation).fetchone()
    replace(db, listing("", "1", hr="user:1"))
    assert db.execute(generation).fetchone() == before


def test_an_older_index_gets_the_tables(tmp_path: Path) -> None:
    before = [sql for sql in schema.MIGRATIONS if "directory_version" not in sql][:1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", tuple(before))
        opened(tmp_path).close()
    with_tables = opened(tmp_path)
    assert principals_of(with_tables, "user:1") == {"user:1", EVERYONE}
    with_tables.close()


NAMES = [f"user:{n}" for n in range(4)] + [f"group:{n}" for n in range(6)]
EDGES = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 5)), max_size=25)


def reference(edges: list[tuple[str, int]], start: str) -> set[str]:
    held = {start}
    while True:
        more = {f"group:{group}" for member, group in edges if member in held}
        if more <= held:
            return held
        held |= more


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDGES)
@pytest.mark.permission
def test_groups_in_groups_as_by_hand(db: Connection, edges: list[tuple[str, int]]) -> None:
    groups = tuple(Group(f"{n}", members=frozenset(m for m, group in edges if group == n)) for n in range(6))
    replace(db, Listing("", tuple(Account(f"{n}") for n in range(4)), groups), allow_empty=True)
    for n in range(4):
        assert principals_of(db, f"user:{n}") == reference(edges, f"user:{n}") | {EVERYONE}
    for name in NAMES:
        assert closure(db, {name}) == reference(edges, name)


@pytest.mark.sqlite
@pytest.mark.parametrize("who", ["1", "login", "ana@example.com"])
def test_a_question_reads_no_whole_table(db: Connection, who: str) -> None:
    ana = Account("1", email="Ana@example.com", email_verified=True, login="login")
    replace(db, listing("", ana, hr="user:1", all="group:hr"))
    assert isinstance(db, sqlite3.Connection)
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    assert groups_of(db, f"user:{who}") == {"hr", "all"}
    db.set_trace_callback(None)
    selects = [sql for sql in asked if sql.lstrip().startswith(("SELECT", "WITH"))]
    plans = [row[3] for sql in selects for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert len(selects) >= 4
    scanned = [plan for plan in plans if plan.startswith("SCAN") and ("accounts" in plan or "memberships" in plan)]
    assert scanned == []


def test_a_chain_of_ten_thousand_groups_in_a_circle(db: Connection) -> None:
    depth = 10_000
    groups = [Group(f"{n}", members=frozenset({f"group:{(n - 1) % depth}", f"group:{n}"})) for n in range(depth)]
    groups[0] = Group("0", members=groups[0].members | {"user:1"})
    replace(db, Listing("", (Account("1"),), tuple(groups)))
    assert len(groups_of(db, "user:1")) == depth


def test_the_commands(tmp_path: Path, run: Run) -> None:
    path = str(file(tmp_path, "d.jsonl", JSONL))
    assert "No directory was loaded yet" in run("show", "user:42").stderr
    assert "No directory is set" in run("sync").stderr
    checked = run("check", path)
    assert (checked.returncode, "people: 2" in checked.stdout) == (0, True)
    synced = json.loads(run("sync", "--file", path, "--json").stdout)
    assert synced["file"]["granted"] == [
        ["agent:helpdesk", "group:payroll"], ["group:payroll", "group:hr"], ["user:42", "group:hr"],
        ["user:43", "group:payroll"],
    ]  # fmt: skip
    shown = json.loads(run("show", "user:ANA@example.com", "--json").stdout)["user:ANA@example.com"]
    assert "group:hr" in shown["holds"]
    assert "nothing: disabled" in run("show", "user:43").stdout
    assert "group:hr: members 2" in run("groups").stdout
    who = json.loads(run("who", "group:hr", "--json").stdout)
    assert who == {"group:hr": {"everybody in it": ["agent:helpdesk", "user:42"]}}
    for words in (["who", "group:x"], ["who"], ["show"], ["show", "42"], ["show", "user:9"]):
        done = run(*words)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert done.stderr.startswith("error: "), words
