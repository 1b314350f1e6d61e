"""An index in PostgreSQL when things go wrong: killed processes, two syncs at once, a server that goes and comes back.

Try: pytest tests/test_postgres_lasts.py
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errors import StoreBusy, StoreError
from postgres import connection as postgres_connection
from postgres.connection import Connection
from postgres.store import PostgresStore
from search import Index
from storage.schema import writing
from tests import engine
from tests.conftest import SAMPLE, HashEmbedder, caller, write
from tests.engine import Server

MakeIndex = Callable[..., Index]
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Whatever engine the run was asked for."""
    held, before = engine.needs_server(), engine.known()
    monkeypatch.setattr(engine, "_chosen", "postgres")
    yield held
    engine.forget(*engine.known() - before)


SYNCS = """
import os, sys
from pathlib import Path
import config, search
from models import Models
from sources.folder import FolderSource
from storage import rows
from store import store_of
from tests.conftest import HashEmbedder
docs, url, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
insert = rows.Rows.insert
def dying(self, documents):
    ids = insert(self, documents)
    print("inserted", flush=True)
    if how == "killed":
        os.kill(os.getpid(), 9)
    sys.stdin.readline()
    return ids
rows.Rows.insert = dying
settings = config.load({"docs_dir": docs, "database": url}, {"BRAIN_CONFIG": os.devnull})
search.Index(settings, Models(HashEmbedder(), None, ""), FolderSource(docs), store_of(settings)).sync()
"""


def syncing(docs: Path, database: str, how: str) -> "subprocess.Popen[str]":
    """A process that syncs and, its rows written and not yet committed, is killed or waits for a line."""
    return subprocess.Popen(
        [sys.executable, "-c", SYNCS, str(docs), database, how],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def documents(index: Index) -> set[str]:
    return {path for (path,) in index.store.connection().execute("SELECT path FROM documents")}


def test_killed_in_the_middle_of_a_sync_nothing_of_it_is_there(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    with syncing(docs, index.settings.database, "killed") as process:
        assert process.wait(60) == -9
    assert documents(index) == set()
    assert index.sync(wait=False).added == len(SAMPLE), "and its lock went with it"


def test_one_syncs_and_another_waits_or_is_told(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    with syncing(docs, index.settings.database, "waits") as process:
        assert process.stdout
        assert process.stdin
        assert process.stdout.readline() == "inserted\n"
        with pytest.raises(StoreBusy, match="Another process is syncing"):
            index.sync(wait=False)
        assert documents(index) == set(), "what is not committed is nobody's"
        later: list[int] = []
        waits = threading.Thread(target=lambda: later.append(index.sync(wait=True).unchanged))
        waits.start()
        process.stdin.write("\n")
        process.stdin.flush()
        waits.join(60)
        assert later == [len(SAMPLE)]
        process.communicate("\n" * 9, timeout=60)
        assert process.returncode == 0


def terminated(server: Server, database: str) -> None:
    """The server ends every connection to it, as when it is restarted."""
    server.run(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{database}'")


def test_a_server_that_was_restarted_answers_the_next_question(
    docs: Path, make_index: MakeIndex, server: Server
) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    database = server.names[index.settings.db.absolute()]
    found = index.searcher().search(caller(), "annual leave")

    def in_flight() -> None:
        with index.store.reader(caller()) as reader:
            terminated(server, database)
            list(reader.chunks(reader.places()))

    with pytest.raises(StoreBusy, match="does not answer"):
        in_flight()
    assert index.searcher().search(caller(), "annual leave").hits == found.hits
    terminated(server, database)  # between two questions
    assert index.searcher().search(caller(), "annual leave").hits == found.hits
    assert len(index.store._connections) == 1
    write(docs, {"new.md": "# New\n\nA page that came later.\n"})
    assert index.sync().added == 1


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://x@127.0.0.1:1/x", r"cannot be reached.*python doctor\.py"),
        ("postgresql://x@nowhere.invalid/x", r"cannot be reached.*BRAIN_DATABASE"),
        ("{missing}", r"cannot be reached.*does not exist"),
        ("{empty}", r"holds no index.*python -m postgres\.prepare"),
    ],
)
def test_a_server_that_is_away_or_empty_is_told_with_the_remedy(server: Server, address: str, told: str) -> None:
    empty = server.made("template0")
    try:
        url = address.format(missing=server.application("brain_test_nowhere"), empty=server.application(empty))
        with pytest.raises(StoreError, match=told) as raised:
            PostgresStore(url)
        assert server._password not in str(raised.value)
    finally:
        server.drop(empty)


def test_a_lock_held_too_long_is_told(docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(postgres_connection._SETTINGS, "lock_timeout", "50ms")
    index = make_index(docs)
    index.store.claim("/somewhere")
    with contextlib.closing(Connection(index.settings.database, "brain_writer")) as other, writing(other):
        other.execute("UPDATE meta SET value = 'x' WHERE key = 'docs_root'")
        with pytest.raises(StoreBusy, match="locked by another process"), writing(index.store.connection()):
            index.store.connection().execute("UPDATE meta SET value = 'y' WHERE key = 'docs_root'")


def test_many_ask_while_one_syncs(docs: Path, make_index: MakeIndex) -> None:
    """No error and no deadlock, and each sees a whole state."""
    index = make_index(docs, HashEmbedder())
    index.sync()
    stop, faults = threading.Event(), list[BaseException]()

    def asks() -> None:
        try:
            while not stop.is_set():
                found = index.searcher().search(caller(), "annual leave receipts", 50)
                assert len({hit.chunk.path for hit in found.hits}) >= len(SAMPLE) - 1
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=asks) for _ in range(4)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 60
    for number in range(6):
        write(docs, {f"page{number % 2}.md": f"# Page\n\nText {number} of the page on leave.\n"})
        assert index.sync().wrote
    stop.set()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    assert faults == []


def test_a_lock_that_is_lost_ends_what_it_was_for(docs: Path, make_index: MakeIndex, server: Server) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    with index.store.locked(True):
        (number,) = index.store.connection().execute("SELECT pg_backend_pid()").fetchone()
        server.run(f"SELECT pg_terminate_backend({number})")
        time.sleep(0.2)
        with pytest.raises(StoreBusy, match="was lost on the way"):
            index.store.connection()
    index.sync()


def test_one_lock_is_one_s(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    told = list[str]()

    def another() -> None:
        try:
            with index.store.locked(False):
                told.append("held twice")
        except StoreBusy:
            told.append("busy")

    for wanted in (True, False):
        with index.store.locked(wanted):
            thread = threading.Thread(target=another)
            thread.start()
            thread.join()
    another()
    assert told == ["busy", "busy", "held twice"]


def test_a_lock_leaves_the_connection_as_it_was(docs: Path, make_index: MakeIndex) -> None:
    """Also who does not get it, and who ends in the middle of a transaction."""
    index = make_index(docs, HashEmbedder())
    store, waits, inside = index.store, set[str](), threading.Event()

    def wait() -> None:
        waits.add(store.connection().execute("SHOW lock_timeout").fetchone()[0])

    def another() -> None:
        with contextlib.suppress(StoreBusy), store.locked(False):
            inside.set()
        wait()

    def in_a_thread() -> bool:
        inside.clear()
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
        return inside.is_set()

    for wanted in (True, False):
        with store.locked(wanted):
            wait()
            assert not in_a_thread()
        wait()
    with contextlib.suppress(ZeroDivisionError), store.locked(True):
        store.connection().execute("BEGIN IMMEDIATE")
        with contextlib.suppress(StoreError):
            store.connection().execute("SELECT 1 / 0")
        raise ZeroDivisionError
    assert waits == {"30s"}
    assert in_a_thread(), "the lock is free again"


def test_a_word_that_is_longer_than_any_key(docs: Path, make_index: MakeIndex) -> None:
    long = "ab12" * 1500
    write(docs, {"dump.md": f"# Dump\n\nThe signature is {long} and ends.\n", "after.md": "# After\n\nA word.\n"})
    index = make_index(docs, HashEmbedder())
    assert not index.sync().skipped
    found = index.searcher().search(caller("everyone"), f"{long} signature")
    assert found.hits[0].chunk.path == "dump.md"
    assert found.hits[0].coverage == 1
