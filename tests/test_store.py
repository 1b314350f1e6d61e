"""The index file: who may open it, what is refused as not ours, and that no failure at the door harms a file."""

import contextlib
import os
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from errors import StoreBusy, StoreError
from models import Vector
from search import Index
from storage import schema, snapshot
from storage.schema import MIGRATIONS, connect, writing
from store import Store, store_of
from tests.conftest import HashEmbedder, caller, write
from tests.engine import connection_to, on_postgres, store_at

MakeIndex = Callable[..., Index]


def refused(path: Path) -> str:
    with pytest.raises(StoreError) as raised:
        Store(path)
    assert str(path) in str(raised.value)
    return str(raised.value)


def test_a_new_index_is_made_and_is_empty(tmp_path: Path) -> None:
    store = store_at(tmp_path / ".brain" / "index.db")
    status = store.status()
    assert (status.documents, status.chunks, status.models, status.docs_root) == (0, 0, (), None)
    with store.reader(caller()) as reader:
        assert (reader.count, len(reader.places()), reader.languages(), list(reader.chunks([]))) == (0, 0, [], [])
        assert len(reader.postings("leave")[0]) == 0
    store.close()


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ["a/index.db", "a/.brain/index.db"])
def test_a_folder_that_is_missing_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    message = refused(path)
    assert f"{path.parent} does not exist. Create it" in message
    assert "Errno" not in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_its_files_are_for_its_owner_only(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_index(docs, HashEmbedder()).sync()
    finally:
        os.umask(before)
    files = sorted(tmp_path.glob("index.db*"))
    assert len(files) == 4, "with its log, its memory and its lock"
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
@pytest.mark.parametrize("kind", ["link to nothing", "empty"])
def test_a_file_that_is_made_or_empty_is_for_its_owner_only(tmp_path: Path, kind: str) -> None:
    path, named = tmp_path / "index.db", tmp_path / "named.db"
    before = os.umask(0)
    try:
        if kind == "empty":
            named.touch()
        else:
            named.symlink_to(path)
        Store(named).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(named.stat().st_mode) == 0o600
    named.chmod(0o640)
    Store(named).close()
    assert stat.S_IMODE(named.stat().st_mode) == 0o640, "an index that is there is its owner's to share"


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_pipe_is_no_index(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db", 0o644)
    assert "no regular file" in refused(tmp_path / "pipe.db")
    assert stat.S_IMODE((tmp_path / "pipe.db").stat().st_mode) == 0o644
    assert len(list(tmp_path.iterdir())) == 1


def in_a_thread(work: Callable[[], object]) -> BaseException | None:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).exception()


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="a file in use can be neither removed nor replaced there")
@pytest.mark.parametrize("how", ["removed", "replaced", "moved away"])
def test_an_index_removed_or_replaced_in_use_is_told(
    docs: Path, make_index: MakeIndex, tmp_path: Path, how: str
) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    path = index.store.path
    if how == "moved away":
        path.rename(tmp_path / "old.db")
    else:
        path.unlink()
    if how == "replaced":
        Store(path).close()

    def read() -> None:
        with index.store.reader(caller()):
            pass

    for work in (read, index.store.status, index.store.chunk_count, index.sync, lambda: index.store.calibrate(1, "{}")):
        for error in (in_a_thread(work), in_a_thread(work)):
            assert isinstance(error, StoreError), work
            assert "removed or replaced while in use" in str(error)
        with pytest.raises(StoreError, match="removed or replaced while in use"):
            work()
    assert path.exists() == (how == "replaced"), "nothing is made again"


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be removed there")
def test_an_index_removed_during_a_sync_is_told(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    embedder.before = lambda: index.store.path.unlink(missing_ok=True)
    with pytest.raises(StoreError, match="removed or replaced while in use"):
        index.sync()


@pytest.mark.sqlite
def test_a_name_with_signs_of_an_address(tmp_path: Path) -> None:
    for name in ("a?mode=ro.db", "b#c.db", "50%25.db", "ü 长.db"):
        if sys.platform != "win32" or "?" not in name:
            store = Store(tmp_path / name)
            assert in_a_thread(store.status) is None
            store.close()
            assert (tmp_path / name).stat().st_size > 0


def test_what_another_process_changed_is_not_called_damaged(tmp_path: Path) -> None:
    store = store_at(tmp_path / "index.db")
    with pytest.raises(StoreError, match=r"changed by another process.*Run again"):
        store.calibrate(7, "{}")  # a model that is no longer there
    store.close()


@pytest.mark.sqlite
def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n" * 200)
    before = path.read_bytes()
    assert "damaged or no database" in refused(path)
    assert path.read_bytes() == before


@pytest.mark.sqlite
@pytest.mark.parametrize(("version", "table"), [
    (0, "bookmarks"), (1, "bookmarks"), (7, "bookmarks"), (1, ""), (7, ""), (0, "meta"), (1, "documents"),
])  # fmt: skip
def test_somebody_elses_database_is_left_alone(tmp_path: Path, version: int, table: str) -> None:
    path = tmp_path / "bookmarks.db"
    with sqlite3.connect(path) as other:
        if table:
            other.execute(f"CREATE TABLE {table} (url TEXT)")
        other.execute(f"PRAGMA user_version = {version}")
    other.close()
    before = path.read_bytes()
    assert "a database, but not one of ours" in refused(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.sqlite
def test_an_index_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    Store(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    before = path.read_bytes()
    assert "newer version" in refused(path)
    assert path.read_bytes() == before


@pytest.mark.sqlite
def test_a_damaged_index_is_told(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    index = make_index(docs)
    index.sync()
    index.store.close()
    path = tmp_path / "index.db"
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    with pytest.raises(StoreError, match=r"damaged.*python store\.py --sync"):
        Store(path).status()


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ["folder.db", "file.md/index.db", "x" * 300 + ".db"])
def test_a_place_that_cannot_hold_an_index(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.db").mkdir()
    (tmp_path / "file.md").write_text("x")
    assert "--db" in refused(tmp_path / name)


@pytest.mark.sqlite
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert "Permission denied" in refused(closed / "index.db")


@pytest.mark.sqlite
def test_a_lock_file_that_cannot_be_made(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    index = make_index(docs)
    (tmp_path / "index.db.lock").mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        index.sync()


@pytest.mark.sqlite
def test_many_open_a_new_index_at_once(tmp_path: Path) -> None:
    for number in range(5):
        path = tmp_path / f"{number}.db"
        with ThreadPoolExecutor(8) as pool:
            for store in pool.map(Store, [path] * 8):
                assert store.status().documents == 0
                store.close()


@pytest.mark.sqlite
def test_a_new_index_that_many_open_at_once_is_whole(tmp_path: Path) -> None:
    """None makes a migration again that another has made, which would take the version back."""
    path, faults = tmp_path / "index.db", list[Exception]()

    def open_it() -> None:
        try:
            connect(path).close()
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with contextlib.closing(connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
    assert faults == []


def test_every_migration_is_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index.db"
    Store(path).close()
    broken = "CREATE TABLE half (x); CREATE TABLE documents (already there);"
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, broken))
    refused(path)
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE added (x);"))
    store = Store(path)
    names = {row[0] for row in store.connection().execute("SELECT name FROM sqlite_master")}
    assert "added" in names
    assert "half" not in names
    store.close()


@pytest.mark.sqlite
@pytest.mark.parametrize(("version", "said"), [((3, 30, 1), "too old")])
def test_an_old_sqlite_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], said: str
) -> None:
    monkeypatch.setattr("storage.schema.sqlite3.sqlite_version_info", version)
    with pytest.raises(StoreError, match=said):
        Store(tmp_path / "index.db")
    assert list(tmp_path.iterdir()) == []


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    connection = connection_to(tmp_path / "index.db")

    def half() -> None:
        with writing(connection):
            connection.execute("INSERT INTO meta VALUES ('a', 'b')")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    before = dict(connection.execute("SELECT * FROM meta").fetchall())
    assert {**before, "schema": ""} == {"generation": "0", "schema": ""}
    with writing(connection):
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
    assert dict(connection.execute("SELECT * FROM meta").fetchall()) == {**before, "a": "b", "generation": "1"}
    connection.close()


@pytest.mark.sqlite
def test_a_lock_held_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.05)
    store = Store(tmp_path / "index.db")
    other = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="locked by another process"):
        store.claim("/somewhere")
    other.close()
    store.close()


def test_calibrations_are_kept_by_model(tmp_path: Path) -> None:
    store = store_at(tmp_path / "index.db")
    first, second = store.register(HashEmbedder("a")), store.register(HashEmbedder("b"))
    assert store.calibration(first) is None
    store.calibrate(first, "{}")
    store.calibrate(first, '{"x": 1}')
    assert (store.calibration(first), store.calibration(second)) == ('{"x": 1}', None)
    store.close()


def test_a_model_that_refuses_the_probes_is_told_by_its_name(tmp_path: Path) -> None:
    class Mute(HashEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
            return [None] * len(texts)

    store = store_at(tmp_path / "index.db")
    assert store.register(Mute()) == store.register(Mute())
    assert store.register(Mute()) != store.register(HashEmbedder())
    store.close()


def test_threads_read_while_another_writes(docs: Path, make_index: MakeIndex) -> None:
    """Every reading thread sees a whole state: as many hits as chunks, whichever moment it takes."""
    index = make_index(docs, HashEmbedder())
    index.sync()
    stop, wrong = threading.Event(), list[str]()

    def read() -> None:
        while not stop.is_set():
            with index.store.reader(caller(), 1) as reader:
                places, cosines = reader.nearest(HashEmbedder().embed_query("leave", "en"), 100)
                if not reader.count == len(places) == int(np.isfinite(cosines).sum()) == len(reader.places()):
                    wrong.append(f"{reader.count} {len(places)}")

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(15):
        write(docs, {"page.md": f"# Page\n\n## A\n\nText {number}.\n\n## B\n\nOther {number}.\n"})
        index.sync()
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def nearest(store: Store, embedder: HashEmbedder) -> list[tuple[int, float]]:
    with store.reader(caller(), 1) as reader:
        places, cosines = reader.nearest(embedder.embed_query("leave text", "en"), 100)
        return list(zip([row.id for row in reader.chunks(places.tolist())], cosines.tolist(), strict=True))


def test_what_is_held_in_memory_is_what_is_stored(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any number of changes a running searcher ranks as a new one does, whoever made them."""
    embedder = HashEmbedder()
    embedder.embeds_units = True
    index = make_index(docs, embedder)
    for number in range(12):
        write(docs, {f"page{number % 3}.md": f"# Page\n\nText {number} on leave. More {number}.\n"})
        (index if number % 2 else make_index(docs, embedder)).sync()
        fresh = store_of(index.settings)
        assert nearest(index.store, embedder) == nearest(fresh, embedder)
        assert on_postgres() or len(fresh._snapshots[1].ids) == fresh.chunk_count()
        fresh.close()
    if on_postgres():
        return  # holds nothing in memory
    assert len(index.store._snapshots[1].ids) > index.store.chunk_count(), "removed ones are carried for a while"
    monkeypatch.setattr(snapshot, "_DEAD", -100)
    write(docs, {"page0.md": "# Page\n\nThe last text.\n"})
    index.sync()
    nearest(index.store, embedder)
    assert len(index.store._snapshots[1].ids) == index.store.chunk_count()


def test_a_closed_store_opens_again(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs)
    index.sync()
    index.store.close()
    assert index.store.status().documents == 4


@pytest.mark.sqlite
def test_an_index_of_the_first_facts_gets_its_indexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index.db"
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", MIGRATIONS[:11])
        with contextlib.closing(schema.connect(path)) as first:
            first.execute("INSERT INTO nodes VALUES (1, 'Team', 'name:red')")
            first.commit()
    covers = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'names' AND sql LIKE '%document_id)'"
    with contextlib.closing(Store(path)) as store:
        connection = store.connection()
        assert {name for (name,) in connection.execute(covers)} == {
            "names_by_key",
            "names_by_node",
            "names_by_document",
        }
        assert connection.execute("SELECT key FROM nodes").fetchall() == [("name:red",)]
        plan = connection.execute("EXPLAIN QUERY PLAN SELECT node_id, name, document_id FROM names WHERE key = 'red'")
        assert "COVERING INDEX names_by_key" in str(plan.fetchall())
