"""What makes PostgreSQL quick must not change what is found: counts by list, noted lists, the index, rows together."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psycopg
import pytest

from access import EVERYONE, AccessList, Caller
from config import Settings, load
from errors import StoreError
from postgres import lists, prepare
from postgres.connection import Connection
from postgres.reader import PostgresReader
from postgres.schema import MIGRATIONS, READER
from postgres.store import PostgresStore
from sources.folder import FolderSource
from storage.filter import Filter
from storage.schema import writing
from storage.syncing import sync
from tests.conftest import SAMPLE, HashEmbedder, write

engine = pytest.importorskip("tests.engine")
STAFF, BOARD = Caller("user:1", frozenset({"group:staff"})), Caller("user:2", frozenset({"group:board"}))


@pytest.fixture
def database() -> Iterator[str]:
    """The application's address of a new one."""
    server = engine.needs_server()
    name = server.made()
    yield server.application(name)
    server.drop(name)


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    made = PostgresStore(database)
    yield made
    made.close()


class Ruled(FolderSource):
    """Every other document is the board's, the others are the staff's."""

    turned = False

    def access(self, path: str) -> AccessList:
        of = STAFF if self.turned == (sorted(SAMPLE).index(path) % 2 == 0) else BOARD
        return AccessList(of.sets[0])


def settings_for(docs: Path, place: Path) -> Settings:
    (place / "empty.toml").touch()
    return load({"docs_dir": docs}, {"BRAIN_CONFIG": str(place / "empty.toml")})


def states(store: PostgresStore) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """What is told of each list, and what they say themselves."""
    told = store.connection().execute("SELECT list_id, chunks, terms FROM list_states")
    counted = store.connection().execute("SELECT list_id, count(*), sum(terms) FROM chunks GROUP BY list_id")
    return {row[0]: row[1:] for row in told}, {row[0]: row[1:] for row in counted}


def test_what_is_told_of_a_list_follows_its_documents(store: PostgresStore, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, SAMPLE)
    source, settings = Ruled(docs), settings_for(docs, tmp_path)

    def state(caller: Caller) -> bytes:
        with store.reader(caller) as reader:
            return reader.state

    sync(store, source, HashEmbedder(), settings)
    told, counted = states(store)
    assert told == counted
    assert len(told) == 2
    staff, board = state(STAFF), state(BOARD)
    mine = next(path for path in sorted(SAMPLE) if STAFF.sets[0] == source.access(path).allow)
    (docs / mine).write_text("# Changed\n\nA page that is another one now.\n", encoding="utf-8")
    sync(store, source, HashEmbedder(), settings)
    told, counted = states(store)
    assert told == counted
    assert state(STAFF) != staff
    assert state(BOARD) == board, "what the board may read is as it was"
    source.turned = True
    sync(store, source, HashEmbedder(), settings)
    told, counted = states(store)
    assert told == counted
    assert state(BOARD) != board
    (docs / mine).unlink()
    sync(store, source, HashEmbedder(), settings, allow_empty=True)
    told, counted = states(store)
    assert told == counted
    both, lists_of = Caller("user:3", STAFF.sets[0] | BOARD.sets[0]), "SELECT count(*) FROM list_states"
    before, source.turned = state(both), False
    sync(store, source, HashEmbedder(), settings)
    assert state(both) == before, "who reads a document under either list is not told which it is"
    for path in SAMPLE:
        (docs / path).unlink(missing_ok=True)
    sync(store, source, HashEmbedder(), settings, allow_empty=True)
    assert store.connection().execute(lists_of).fetchone() == (0,), "of what is gone nothing is left"


def test_noted_lists_count_for_those_they_were_noted_for(store: PostgresStore, tmp_path: Path) -> None:
    write(tmp_path / "docs", SAMPLE)
    sync(store, Ruled(tmp_path / "docs"), HashEmbedder(), settings_for(tmp_path / "docs", tmp_path))
    connection = store.connection()
    paths = "SELECT array_agg(path ORDER BY path) FROM documents"

    def read() -> list[str]:
        return connection.execute(paths).fetchone()[0] or []

    connection.execute("BEGIN")
    connection.execute("SELECT become(?)", (lists.as_setting(STAFF),))
    staff = read()
    connection.execute("SELECT set_config('app.principals', ?, true)", (lists.as_setting(BOARD),))
    board = read()
    connection.execute("SELECT set_config('app.principals', '', true)")
    nobody = read()
    connection.execute("ROLLBACK")
    assert sorted([*staff, *board]) == sorted(SAMPLE)
    assert staff
    assert board
    assert nobody == []
    connection.execute("BEGIN")  # nothing is left of the last transaction
    connection.execute("SELECT set_config('role', ?, true)", (READER,))
    assert read() == []
    connection.execute("ROLLBACK")


def test_the_index_finds_what_a_scan_finds(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, embedder = np.random.default_rng(1), HashEmbedder()
    model_id = store.register(embedder)
    width = embedder.identity.dimension
    vectors = rng.standard_normal((600, width), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    connection, shelf = store.connection(), store.shelf()
    with writing(connection):
        connection.executemany(
            "INSERT INTO documents (id, path, title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(i + 1, f"{i}.md", "", "en", 1, 1, True, "", "", "{}", "") for i in range(60)],
        )
        shelf.set_lists((i + 1, AccessList(frozenset({EVERYONE if i % 3 else f"user:{i}"}))) for i in range(60))
        connection.executemany(
            "INSERT INTO chunks "
            "(id, document_id, heading, first_line, last_line, text, skip, context, terms, text_hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(i + 1, i // 10 + 1, "[]", 1, 1, "", 0, "", 1, bytes([i // 256, i % 256])) for i in range(600)],
        )
        newest = shelf.newest_vector()
        connection.executemany(
            "INSERT INTO vectors (model_id, text_hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(model_id, bytes([i // 256, i % 256]), vector.tobytes()) for i, vector in enumerate(vectors)],
        )
        shelf.pack(newest)
    connection.execute("SELECT index_model(?)", (model_id,))
    monkeypatch.setattr("postgres.reader.EXACT", 0)
    wide = Caller("user:0", frozenset({EVERYONE, "user:0"}))
    for query in vectors[::60]:
        with store.reader(wide, model_id) as reader:
            assert isinstance(reader, PostgresReader)
            found, cosines = reader.nearest(query, 10)
            exact, scores = reader.nearest(query, 10, exact=True)
        readable = np.array([i for i in range(600) if (i // 10) % 3 or i < 10])
        true = readable[np.argsort(-(vectors[readable] @ query), kind="stable")[:10]] + 1
        assert exact.tolist() == true.tolist()
        assert found.tolist() == true.tolist()
        assert np.allclose(cosines, scores)


@pytest.mark.parametrize("wanted", [Filter(), Filter(path="travel"), Filter(path="*e*.md"), Filter(path="none")])
def test_many_lists_and_documents_are_told_as_few_are(
    store: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Filter
) -> None:
    write(tmp_path / "docs", SAMPLE)
    embedder = HashEmbedder()
    sync(store, Ruled(tmp_path / "docs"), embedder, settings_for(tmp_path / "docs", tmp_path))
    both, query = Caller("user:3", STAFF.sets[0] | BOARD.sets[0]), embedder.embed_query("vacation days", "en")

    def found(caller: Caller) -> list[object]:
        with store.reader(caller, store.register(embedder), wanted) as reader:
            places = reader.places().tolist()
            held = reader.postings_of(["day", "vacat", "expens", "nothing"])
            phrases = [reader.phrase(words)[0].tolist() for words in (["vacat", "day"], ["travel", "expens"])]
            return [
                places, {term: [part.tolist() for part in parts] for term, parts in held.items()}, phrases,
                reader.nearest(query, 3)[0].tolist(), reader.documents(range(1, 40)), reader.count,
                [row.path for row in reader.chunks(places)], [reader.last_line(path) for path in sorted(SAMPLE)],
            ]  # fmt: skip

    few = [found(caller) for caller in (STAFF, BOARD, both)]
    store._held.clear()
    monkeypatch.setattr("postgres.reader._FEW_LISTS", 0)
    monkeypatch.setattr("postgres.reader._FEW_DOCUMENTS", 0)
    monkeypatch.setattr("postgres.reader.EXACT", 0)
    assert [found(caller) for caller in (STAFF, BOARD, both)] == few
    assert any(row[0] for row in few) == (wanted.path != "none")


def test_rows_that_are_inserted_together_are_all_there(database: str) -> None:
    connection = Connection(database, "brain_writer")
    rows = [(f"k{i}", f"it's 50% ? {i}") for i in range(2500)]
    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [*rows, *rows])
    held = connection.execute("SELECT key, value FROM meta WHERE key LIKE 'k%' ORDER BY substr(key, 2)::int").fetchall()
    connection.close()
    assert held == rows


def test_a_list_keeps_its_number(database: str) -> None:
    """Numbers do not grow with every sync: policies have a character for each."""
    connection = Connection(database, "brain_writer")
    listed = AccessList(frozenset({"group:x"}))
    numbers = []
    for _ in range(3):
        with writing(connection):
            numbers.append(lists._number_of(connection, listed))
            last = lists._number_of(connection, AccessList(frozenset({f"user:{len(numbers)}"})))
    connection.close()
    assert len(set(numbers)) == 1
    assert last == numbers[0] + 3


def test_sets_are_in_the_order_in_which_the_server_keeps_them(database: str) -> None:
    caller = Caller("user:1", frozenset({"group:b", "group:aa", "user:ü", "user:z", "group:\U0001f600", "everyone"}))
    sent = lists.as_setting(caller)
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT %s::jsonb::text", (sent,)).fetchone()
    assert row
    assert row[0] == json.dumps(json.loads(sent), ensure_ascii=False)


def test_a_file_that_settles_changes_no_state(store: PostgresStore, tmp_path: Path) -> None:
    """What is read within two seconds of its change is looked at once more, and nobody learns anything by it."""
    docs = tmp_path / "docs"
    write(docs, SAMPLE)
    sync(store, Ruled(docs), HashEmbedder(), settings_for(docs, tmp_path))

    def state() -> bytes:
        with store.reader(STAFF, 1) as reader:
            return reader.state

    before, connection = state(), store.connection()
    with writing(connection):
        connection.execute("UPDATE documents SET size = size, mtime_ns = mtime_ns, settled = 1 - settled")
    assert state() == before
    with writing(connection):
        connection.execute("UPDATE documents SET mtime_ns = mtime_ns + 1")
    assert state() != before


def test_the_sync_that_fills_a_table_tells_the_planner(database: str, tmp_path: Path) -> None:
    write(
        tmp_path / "docs", {f"{n}.md": f"# S\n\n| Service | Owner |\n|---|---|\n| s-{n} | Red |\n" for n in range(80)}
    )
    with contextlib.closing(PostgresStore(database)) as store:
        connection = store.connection()
        counted = "SELECT relname, reltuples FROM pg_class WHERE relname IN ('names', 'facts', 'evidence', 'documents')"
        sync(store, FolderSource(tmp_path / "docs"), None, settings_for(tmp_path / "docs", tmp_path))
        found = dict(connection.execute(counted).fetchall())
        assert found["evidence"] == connection.execute("SELECT count(*) FROM evidence").fetchone()[0] > 0
        assert min(found.values()) > 0, "each was looked at, by who owns none of them"


def test_a_database_of_the_first_facts_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server = engine.needs_server()
    name = f"{server.role}_older"
    server.run(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        with monkeypatch.context() as older:
            older.setattr(prepare, "MIGRATIONS", MIGRATIONS[:2])
            assert "migration 2" in prepare.prepare(server.owner(name), server.application(name))
        with pytest.raises(StoreError, match="older form"):
            PostgresStore(server.application(name)).connection()
        assert prepare.prepare(server.owner(name), server.application(name))[0] == "migration 3"
        write(tmp_path / "docs", {"s.md": "# S\n\n| Service | Owner |\n|---|---|\n| plan-store | Red |\n"})
        with contextlib.closing(PostgresStore(server.application(name))) as store:
            sync(store, FolderSource(tmp_path / "docs"), None, settings_for(tmp_path / "docs", tmp_path))
            assert store.connection().execute("SELECT count(*) FROM evidence").fetchone()[0] > 0
    finally:
        server.drop(name)
