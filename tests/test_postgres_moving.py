"""An index goes from one engine to the other and back: same rows, same search, nothing embedded, all or nothing."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from access import AccessList, directory_sync, tokens
from access.audit import append, prune, verify
from access.directory_file import read_file
from access.history import carried
from database import Connection, is_sqlite
from errors import IndexMismatch, StoreBusy, StoreError, UsageError
from models import Models
from postgres import care as moving
from postgres import transfer
from postgres.care import backup, copy_to, restore
from postgres.examine import examine_store
from postgres.schema import FOLLOWING, GUARDED
from postgres.store import PostgresStore
from search import Index
from sources.folder import FolderSource
from storage.examine import examine
from storage.schema import connect
from store import Store, main, store_of
from tests.conftest import HashEmbedder, caller, mounted, write
from tests.engine import Server, needs_server

MakeIndex = Callable[..., Index]
ROOT = Path(__file__).parents[1]
QUESTIONS = (
    "annual leave after one year",
    "receipts within thirty days",
    "VPN-2",
    "差旅报销 三十天",
    "night hotel euro",
)
LISTS = {
    "leave.md": AccessList(frozenset({"everyone"})),
    "travel/expenses.md": AccessList(
        frozenset({"user:ada", "group:staff"}), frozenset({"user:ada"}), frozenset({"user:x"})
    ),
    "travel/vpn.txt": AccessList(frozenset({"group:staff", "user:tester"}), deny=frozenset({"user:eve"})),
}
DIRECTORY = """
[[people]]
id = "ada"
name = "Ada"
email = "ada@larkfell.example"

[[people]]
id = "eve"
name = "Eve"

[[groups]]
id = "staff"
name = "Staff"
members = ["user:ada", "group:leads"]

[[groups]]
id = "leads"
name = "Leads"
members = ["user:eve"]
"""


class Listed(FolderSource):
    """A folder with access lists of every kind; what is not named is nobody's."""

    def access(self, path: str) -> AccessList:
        return LISTS.get(path, AccessList(frozenset()))


@pytest.fixture
def server() -> Server:
    return needs_server()


@pytest.fixture
def databases(server: Server) -> Iterator[Callable[[], str]]:
    """Makes prepared, empty databases and gives the application's address; the addresses' passwords are in them."""
    names: list[str] = []

    def made() -> str:
        names.append(server.made())
        return server.application(names[-1])

    yield made
    for name in names:
        server.drop(name)


def embedder() -> HashEmbedder:
    """One that embeds sentences, too, and refuses a text."""
    made = HashEmbedder(refuses="bucket")
    made.embeds_units = True
    return made


@pytest.fixture
def index(docs: Path, make_index: MakeIndex) -> Index:
    """An index in a file, with something in every table."""
    made = make_index(docs, embedder(), Listed(docs), database="")
    write(
        docs,
        {
            "notes.bin.md": b"\xff\xfe\x00\x01",
            "old.md": "# Old\n\nGone soon.\n",
            "travel/vpn.txt.md": "# VPN\n\nNobody reads it.\n",
        },
    )
    made.sync()
    (docs / "old.md").unlink()
    made.sync()
    fill(made.store.connection(), docs)
    return made


def fill(connection: Connection, docs: Path) -> None:
    """What no sync writes: judgements, tokens, a directory with decisions, a log of which the beginning was cut off."""
    model = connection.execute("SELECT max(id) FROM models").fetchone()[0]
    connection.execute("INSERT INTO calibrations VALUES (?, '{\"min_score\": 0.4}')", (model,))
    columns = [row[1] for row in connection.execute("PRAGMA table_info(feedback)")]
    for number in range(3):
        row = [f"{name} {number} ü" for name in columns]
        row[columns.index("verdict")], row[columns.index("decision")] = "right", "approved" if number else ""
        connection.execute(f"INSERT INTO feedback VALUES ({','.join('?' * len(row))})", row)
    connection.execute("INSERT INTO access_rules VALUES ('travel/access.toml', 'read = [\"group:staff\"]')")
    connection.execute("INSERT INTO texts SELECT id, 'All of\nit.', '' FROM documents WHERE path = 'leave.md'")
    connection.execute("INSERT INTO left_out VALUES ('scan.pdf', 'has no text', 7, 1, '')")
    tokens.make(connection, "user:ada", ["ask"], label="ada's")
    place = docs.parent / "people.toml"
    place.write_text(DIRECTORY, encoding="utf-8")
    directory_sync.replace(connection, read_file(place).listing)
    connection.execute(
        "INSERT INTO identity_reviews (id, account_a, account_b, reason, found_at) VALUES (7, 'a', 'b', 'name', 'now')"
    )
    connection.execute("INSERT INTO identity_decisions VALUES (5, 'now', 'user:ada', 'merge', 'a', 'b', 'why', 'seen')")
    connection.execute("INSERT INTO nodes (id, type, key) VALUES (801, 'Team', 'name:x'), (802, 'Team', 'name:xx')")
    connection.execute("INSERT INTO name_parts VALUES ('Team=x', 801, 'x')")
    connection.execute(
        "INSERT INTO merges VALUES "
        "(9, 'k', 801, 802, 'x', 'xx', 900, 'judged', 'why', 'apart', 'user:ada', '', '', 'now', 1)"
    )
    connection.execute("INSERT INTO decisions VALUES (4, 'now', 'user:ada', 'apart', 'k', '', 'they say so')")
    connection.execute("INSERT INTO read_chunks SELECT min(id), 'h' FROM chunks")
    connection.execute("INSERT INTO readings VALUES (7, 'h', 'p', 'm', 'ok', '[]', 1, 2, NULL, 500, 'now', 1)")
    for number in range(20):
        append(connection, "question", f"user:{number}", {"question": f"how many? {number} 100% ' \" \\ ü \u2028"})
    time.sleep(0.002)
    from datetime import UTC, datetime

    prune(connection, datetime.now(UTC), "agent:test", carried)
    append(connection, "question", "user:ada", {"question": "after the cut"})


def on_postgres(index: Index, url: str) -> Any:
    return replace(index.settings, database=url)


def opened(index: Index, url: str) -> Index:
    """The same index where it was moved to, with a model that has embedded nothing."""
    settings = on_postgres(index, url)
    return Index(settings, Models(embedder(), None, ""), Listed(settings.docs_dir), store_of(settings))


def rows_of(connection: Connection, lists: dict[int, AccessList]) -> dict[str, list[Any]]:
    """Every row of every table that is copied, the lists, the words and the numbers that come next."""
    found: dict[str, list[Any]] = {"lists": sorted((number, repr(sorted_list(one))) for number, one in lists.items())}
    for table in (*transfer.CONTENT, *transfer.PEOPLE, transfer.LOG):
        names = ", ".join(transfer.columns(connection, table))
        found[table] = sorted(connection.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)
    found["words"] = connection.execute("SELECT rowid, terms FROM words ORDER BY rowid").fetchall()
    found["meta"] = connection.execute("SELECT key, value FROM meta WHERE key <> 'schema' ORDER BY key").fetchall()
    found["next"] = [transfer._last_given(connection, table) for table in transfer._SERIALS]
    return found


def sorted_list(one: AccessList) -> tuple[Any, ...]:
    return sorted(one.allow), None if one.narrow is None else sorted(one.narrow), sorted(one.deny)


def held(store: Store) -> dict[str, list[Any]]:
    return rows_of(store.connection(), store.shelf().lists())


def embedded(index: Index) -> list[str]:
    assert isinstance(index.models.embedder, HashEmbedder)
    return index.models.embedder.texts


def hits(index: Index) -> list[Any]:
    """What two people find, with the scores to six digits."""
    found = []
    for who in (caller(), caller("user:ada", "group:staff"), caller("user:tester", "everyone"), caller("user:eve")):
        for question in QUESTIONS:
            for hit in index.searcher().search(who, question, 50).hits:
                found.append((question, hit.chunk.path, hit.chunk.first_line, hit.score and round(hit.score, 5)))
    assert len(found) > 20
    return found


def test_there_and_back_again_every_row_is_the_same(index: Index, databases: Callable[[], str], tmp_path: Path) -> None:
    url, back = databases(), tmp_path / "back.db"
    told: list[tuple[int, int]] = []
    done = copy_to_without_password(index, url, progress=lambda done, total, name: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 10
    first = held(index.store)
    assert not [table for table, rows in first.items() if not rows], "something in every table"
    with contextlib.closing(PostgresStore(url)) as there:
        second = held(there)
        assert examine_store(there) == []
        assert not verify(there.connection()).faults
    assert second == first
    assert (done.documents, done.chunks, done.judgements, done.how) == (6, 8, 3, "into an empty database")
    assert "secret" not in done.file

    backup(on_postgres(index, url), back)
    with contextlib.closing(Store(back)) as again:
        third = held(again)
    last = third["audit"].pop()  # the backup itself
    assert json.loads(last[4]) == {"action": "backup", "file": str(back), "road": "cli"}
    assert third == first
    assert examine(back) == []
    assert back.stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert sorted(path.name for path in tmp_path.glob("back.db*")) == ["back.db"]


def copy_to_without_password(index: Index, url: str, **how: Any) -> Any:
    """The address as people write it; the password comes from where libpq looks."""
    with bare(url) as address:
        return copy_to(index.settings, address, **how)


@contextlib.contextmanager
def bare(url: str) -> Iterator[str]:
    """The address without its password, which stands in the environment meanwhile."""
    found = re.fullmatch(r"(.*//[^:]*):([^@]*)@(.*)", url)
    assert found
    os.environ["PGPASSWORD"] = found[2]
    try:
        yield f"{found[1]}@{found[3]}"
    finally:
        del os.environ["PGPASSWORD"]


def test_search_finds_the_same_and_nothing_is_embedded(
    index: Index, databases: Callable[[], str], tmp_path: Path
) -> None:
    url = databases()
    before = hits(index)
    copy_to_without_password(index, url)
    moved = opened(index, url)
    with contextlib.closing(moved.store):
        assert hits(moved) == before
        summary = moved.sync()
        assert (summary.added, summary.changed, summary.removed, summary.embedded) == (0, 0, 0, 0)
        assert embedded(moved) == []
        assert hits(moved) == before
        write(index.settings.docs_dir, {"new.md": "# New\n\nA new document.\n"})
        assert moved.sync().added == 1
        ids = [row[0] for row in moved.store.connection().execute("SELECT id FROM documents ORDER BY id")]
        assert ids == sorted(set(ids))
        assert max(ids) > 6
    back = tmp_path / "back.db"
    backup(on_postgres(index, url), back)
    here = Index(index.settings, Models(embedder(), None, ""), index.source, Store(back))
    with contextlib.closing(here.store):
        assert here.sync().added == 0
        assert embedded(here) == []
        assert here.searcher().search(caller(), "annual leave after one year", 5).hits


def test_what_stands_there_is_replaced_only_where_that_is_meant(index: Index, databases: Callable[[], str]) -> None:
    url = databases()
    copy_to_without_password(index, url)
    before = held_at(url)
    with pytest.raises(UsageError, match="holds an index already"):
        copy_to_without_password(index, url)
    assert held_at(url) == before
    write(index.settings.docs_dir, {"new.md": "# New\n\nA new document.\n"})
    index.sync()
    with contextlib.closing(PostgresStore(url)) as there:
        connection = there.connection()
        tokens.make(connection, "user:late", ["ask"])  # stays: a copy opens and shuts no door
        own = connection.execute("SELECT * FROM audit ORDER BY number").fetchall()
        assert copy_to_without_password(index, url, force=True).documents == 7
        assert connection.execute("SELECT count(*) FROM tokens").fetchone() == (2,)
        log = connection.execute("SELECT * FROM audit ORDER BY number").fetchall()
        assert log[: len(own)] == own, "nobody takes deeds away"
        assert [row[2] for row in log[len(own) :]] == ["restore", "sync", "export"], (
            "and those of the copy stand behind"
        )
        assert "was" in json.loads(log[-1][4])
        assert not verify(connection).faults
        assert there.lists_terms() == "not compared yet"


def held_at(url: str) -> dict[str, list[Any]]:
    with contextlib.closing(PostgresStore(url)) as there:
        return held(there)


def test_a_backup_is_put_back_into_the_index_in_use(index: Index, databases: Callable[[], str], tmp_path: Path) -> None:
    """Documents go back; tokens, the directory and the log go on, and nobody is answered until lists are compared."""
    url, saved = databases(), tmp_path / "saved.db"
    copy_to_without_password(index, url)
    settings = on_postgres(index, url)
    root = index.source.root
    backup(settings, saved)
    live = opened(index, url)
    with contextlib.closing(live.store) as store:
        hits(live)
        connection, generation = store.connection(), store.generation()
        tokens.revoke(connection, connection.execute("SELECT id FROM tokens").fetchone()[0])
        (index.settings.docs_dir / "leave.md").unlink()
        live.sync()
        rows = connection.execute("SELECT count(*) FROM audit").fetchone()[0]
        done = restore(settings, saved, root)
        assert (done.documents, done.how, done.replaced_log) == (6, "into the index in use", "goes on")
        assert store.generation() > generation + 900_000, "what running processes keep is worth nothing"
        assert connection.execute("SELECT count(*) FROM tokens WHERE revoked_at = ''").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM audit").fetchone() == (rows + 1,)
        assert connection.execute("SELECT kind FROM audit ORDER BY number DESC").fetchone() == ("restore",)
        assert not verify(connection).faults
        assert store.lists_terms() == "not compared yet"
        assert connection.execute("SELECT count(*) FROM documents WHERE path = 'leave.md'").fetchone() == (1,)
        assert examine_store(store) == []
        connection.execute("UPDATE feedback SET note = 'newer' WHERE decision = ''")
        with pytest.raises(UsageError, match="1 judgement of answers in postgresql://"):
            restore(settings, saved, root)
        with pytest.raises(IndexMismatch, match="is a backup of the index of"):
            restore(settings, saved, str(tmp_path))
        with store.locked(wait=False), pytest.raises(StoreBusy, match="Another process is syncing"):
            restore(settings, saved, root, force=True)
        assert restore(settings, saved, root, force=True).judgements_before == 3


def test_a_file_is_put_into_an_empty_database(index: Index, databases: Callable[[], str], tmp_path: Path) -> None:
    url = databases()
    index.store.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    first = held(index.store)
    done = restore(on_postgres(index, url), index.store.path, index.source.root)
    assert done.how == "into an empty database"
    second = held_at(url)
    for both in (first, second):
        both["meta"] = [row for row in both["meta"] if row[0] != "access_terms"]  # are compared before anybody asks
    assert second["audit"].pop()[2] == "restore"
    assert second == first
    broken = tmp_path / "broken.db"
    broken.write_bytes(index.store.path.read_bytes()[:5000])
    with pytest.raises(StoreError, match=r"broken\.db is"):
        restore(on_postgres(index, databases()), broken, index.source.root)


def test_a_password_stands_in_no_command(index: Index) -> None:
    for address in ("postgresql://app:secret@db/brain", "postgresql://app@db/brain?password=secret"):
        with pytest.raises(UsageError, match="pgpass") as raised:
            copy_to(index.settings, address)
        assert "secret" not in str(raised.value)


def test_an_index_is_not_copied_onto_itself(index: Index, databases: Callable[[], str]) -> None:
    url = databases()
    with bare(url) as address, pytest.raises(UsageError, match="is the index itself"):
        copy_to(on_postgres(index, url), address, force=True)


def test_from_one_database_into_another(index: Index, databases: Callable[[], str]) -> None:
    one, other = databases(), databases()
    copy_to_without_password(index, one)
    with bare(other) as address:
        copy_to(on_postgres(index, one), address)
    first, second = held_at(one), held_at(other)
    assert second == first


def test_a_full_disk_leaves_nothing(index: Index, databases: Callable[[], str], tmp_path: Path) -> None:
    url = databases()
    copy_to_without_password(index, url)
    with mounted(tmp_path / "disk", "300k") as disk:
        with pytest.raises(StoreError, match=r"b\.db was not written: |No space left for "):
            backup(on_postgres(index, url), disk / "b.db")
        assert os.listdir(disk) == []


@pytest.mark.parametrize("how", ["killed", "broken log"])
def test_half_a_copy_is_none(index: Index, databases: Callable[[], str], how: str) -> None:
    if how == "killed" and sys.platform == "win32":
        pytest.skip("signals of POSIX")
    url = databases()
    before = held_at(url)
    if how == "broken log":
        connection = index.store.connection()
        connection.execute("DROP TRIGGER audit_is_not_changed")
        connection.execute("UPDATE audit SET body = replace(body, 'cut', 'CUT') WHERE kind = 'question'")
        with pytest.raises(StoreError, match="the audit log of the copy is not whole"):
            copy_to_without_password(index, url)
    else:
        program = (
            "import os, signal, sys; from postgres import care, transfer; from config import load; "
            "whole = transfer.copy_rows\n"
            "def half(*args):\n    whole(*args)\n    if args[2] == 'vectors': os.kill(os.getpid(), signal.SIGKILL)\n"
            "transfer.copy_rows = half; care.copy_to(load({'db': sys.argv[1]}), sys.argv[2])"
        )
        with bare(url) as address:
            done = subprocess.run([sys.executable, "-c", program, index.store.path, address], cwd=ROOT, check=False)
        assert done.returncode == -9
    after = held_at(url)
    for both in (before, after):
        del both["next"]  # numbers are given, and never again
    assert after == before
    if how == "killed":
        assert copy_to_without_password(index, url).documents == 6


def test_the_command_moves_and_says_so(
    index: Index,
    databases: Callable[[], str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, saved = databases(), tmp_path / "saved.db"
    flags = ["--docs", str(index.settings.docs_dir)]
    with bare(url) as address:
        assert main([*flags, "--db", str(index.store.path), "--copy-to", address, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["copy"]["documents"] == 6
    monkeypatch.setenv("BRAIN_DATABASE", url)
    for job, said in (
        (["--copy-to", str(saved)], "megabytes"), (["--verify"], "faults: none"), (["--vacuum"], "orphans: 0"),
        (["--restore", str(saved)], "replaced_log: goes on"),
    ):  # fmt: skip
        assert main([*flags, *job]) == 0
        assert said in capsys.readouterr().out
    with pytest.raises(UsageError, match="--copy-to stands alone"):
        main([*flags, "--copy-to", "x", "--sync"])
    with pytest.raises(UsageError, match="--copy-to: '' is not"):
        main([*flags, "--copy-to", ""])


FAULTS = {
    "another list": ("UPDATE chunks SET list_id = 0 WHERE list_id <> 0", "rows of chunks have another access list"),
    "a posting's list": ("UPDATE postings SET list_id = 0", "rows of postings have another access list"),
    "a lost posting": ("DELETE FROM postings WHERE term = 'leav'", "cannot be found by all of its words"),
    "nothing": ("UPDATE chunks SET text = text", ""),
    "a searched vector": (
        "UPDATE embeddings e SET embedding = "
        "(SELECT o.embedding FROM embeddings o WHERE o.chunk_id <> e.chunk_id LIMIT 1)",
        "searched vector is not its vector",
    ),
    "no searched vector": ("DELETE FROM embeddings", "a passage's searched vector is not its vector"),
    "a text": ("UPDATE chunks SET text = replace(text, '28', '82')", "not the one that was embedded"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_look_through_the_database_finds(
    index: Index, databases: Callable[[], str], server: Server, case: str
) -> None:
    url = databases()
    copy_to_without_password(index, url)
    sql, said = FAULTS[case]
    with contextlib.closing(PostgresStore(url)) as store:
        store.connection().execute(sql)
        told = " ".join(map(str, examine_store(store)))
        assert said in told
        assert bool(told) == bool(said)


def test_vacuum_drops_what_belongs_to_nothing(index: Index, databases: Callable[[], str]) -> None:
    url = databases()
    copy_to_without_password(index, url)
    with contextlib.closing(PostgresStore(url)) as store:
        connection = store.connection()
        connection.execute("INSERT INTO vectors (model_id, text_hash) VALUES (1, ?)", (b"none",))
        assert moving.vacuum(store).orphans == 1
        assert moving.vacuum(store, [1]).dropped == ("test/hash",)
        assert connection.execute("SELECT count(*) FROM embeddings").fetchone() == (0,)


# --- both schemas ---------------------------------------------------------------------------------------------------

TYPES = {"INTEGER": {"integer", "bigint"}, "TEXT": {"text"}, "BLOB": {"bytea"}}
ONLY = {
    "sqlite": {"grants", "packed_chunks", "packed_codes"},
    "postgres": {"access_lists", "embeddings", "list_states"},
}
"""Tables of one engine alone, made anew by the other."""
OTHERWISE = {"words", "postings"}
"""The index of words, which each engine has in its own form."""


def shape(connection: Connection) -> dict[str, dict[str, str]]:
    """Columns with their types, by table."""
    if is_sqlite(connection):
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' "
            "AND name NOT LIKE 'sqlite_%' AND name NOT GLOB 'words_*'"
        ).fetchall()
        return {
            table: {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")} for (table,) in tables
        }
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in connection.execute(
        "SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c "
        "JOIN information_schema.tables t USING (table_schema, table_name) "
        "WHERE c.table_schema = 'brain' AND t.table_type = 'BASE TABLE'"
    ):
        found.setdefault(table, {})[column] = kind
    return found


def test_both_schemas_have_the_same_tables_and_columns(databases: Callable[[], str], tmp_path: Path) -> None:
    """A migration of one engine without its twin in the other is told here."""
    with contextlib.closing(connect(tmp_path / "i.db")) as connection:
        here = shape(connection)
    with contextlib.closing(PostgresStore(databases())) as store:
        there = shape(store.connection())
    assert set(here) - ONLY["sqlite"] == set(there) - ONLY["postgres"]
    assert ONLY["sqlite"] <= set(here)
    for table in set(here) & set(there) - OTHERWISE:
        listed = {"list_id"} if table in ("documents", *FOLLOWING) else set()
        assert set(here[table]) == set(there[table]) - listed, table
        kinds = there[table]
        assert {name: (kind, kinds[name]) for name, kind in here[table].items() if kinds[name] not in TYPES[kind]} == {}
    copied = {*transfer.CONTENT, *transfer.PEOPLE, transfer.LOG, "meta"}
    assert set(here) - ONLY["sqlite"] - OTHERWISE == copied, "every table is copied, or made anew"
    assert set(GUARDED) <= set(there)
