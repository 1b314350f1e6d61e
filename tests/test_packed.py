"""The packed form of an index: always what the rows say, read in part when a part changed, and exact in its masks."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from errors import StoreError
from models import Vector
from search import Index
from storage import nearest, packed, schema, snapshot
from storage.nearest import Exact, candidates, distances, likeness
from storage.packed import coded
from storage.schema import writing
from store import Store
from tests.conftest import SAMPLE, Grants, HashEmbedder, caller, levels, searched_as_stored, write

MakeIndex = Callable[..., Index]
ROOT = Path(__file__).parents[1]


def blocks_of(vectors: Vector, size: int) -> list[packed.Codes]:
    codes = coded(vectors)
    return [np.ascontiguousarray(codes[start : start + size].T) for start in range(0, len(codes), size)]


def drawn(count: int, dimension: int, seed: int = 3) -> Vector:
    found = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def ranked(index: Index, who: str, text: str = "leave text") -> list[tuple[str, int, float]]:
    """What a caller's nearest chunks are, without the numbers of rows."""
    with index.store.reader(caller(who), 1) as reader:
        places, cosines = reader.nearest(HashEmbedder().embed_query(text, "en"), 100)
        rows = reader.chunks(places.tolist())
        return [(row.path, row.first_line, score) for row, score in zip(rows, cosines.tolist(), strict=True)]


# --- signs and masks ---


@pytest.mark.parametrize("dimension", [1, 63, 64, 65, 200, 896])
def test_distance_is_the_number_of_signs_that_differ(monkeypatch: pytest.MonkeyPatch, dimension: int) -> None:
    monkeypatch.setattr(nearest, "BLOCK", 16)
    vectors, query = drawn(50, dimension), drawn(1, dimension, 4)[0]
    query[dimension // 2 :: 3] = 0  # as of a question that weighs a part of the vector only
    told = distances(blocks_of(vectors, 16), 50, query)
    counted = query != 0
    assert told.tolist() == [int(((v > 0) != (query > 0))[counted].sum()) for v in vectors]


def test_a_question_of_zeros_is_no_error() -> None:
    blocks, query = blocks_of(drawn(5, 70), 8192), np.zeros(70, np.float32)
    assert distances(blocks, 5, query).tolist() == [0] * 5
    assert likeness(blocks, np.arange(5), query).tolist() == [0] * 5


def estimate(vector: Vector, query: Vector) -> int:
    """The question in steps of a 127th of its highest value, times the level of each of the vector's values."""
    highest = max(abs(float(value)) for value in query)
    steps = [round(float(value) * 127 / highest) for value in query]
    return sum(step * level for step, level in zip(steps, levels(vector), strict=True))


@pytest.mark.parametrize("dimension", [1, 63, 64, 65, 200, 896])
def test_likeness_is_the_question_over_two_bits_a_dimension(monkeypatch: pytest.MonkeyPatch, dimension: int) -> None:
    monkeypatch.setattr(nearest, "BLOCK", 16)
    vectors, query = drawn(50, dimension), drawn(1, dimension, 4)[0]
    query[dimension // 2 :: 3] = 0
    if dimension == 1:
        query[0] = -0.5
    places = np.array([0, 3, 15, 16, 40, 49])  # the third block has none
    told = likeness(blocks_of(vectors, 16), places, query)
    assert told.tolist() == [estimate(vectors[place], query) for place in places]
    if dimension >= 200:
        every = likeness(blocks_of(vectors, 16), np.arange(50), query)
        assert np.corrcoef(every, vectors @ query)[0, 1] > 0.9


@pytest.mark.parametrize("seed", range(12))
def test_candidates_are_the_likest_of_the_fewest_differing(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Against two sorts of the readable alone, with so few dimensions that most distances are tied."""
    monkeypatch.setattr(nearest, "BLOCK", 64)
    monkeypatch.setattr(nearest, "_RESCORED", 3)
    monkeypatch.setattr(nearest, "_SIFTED", 40)
    rng = np.random.default_rng(seed)
    vectors, query = drawn(500, 12, seed), rng.integers(-3, 4, 12).astype(np.float32)
    able = rng.random(500) < rng.choice([0.01, 0.04, 0.1, 0.9])
    readable = np.flatnonzero(able).tolist()
    counted = query != 0
    by_signs = sorted(readable, key=lambda p: (int(((vectors[p] > 0) != (query > 0))[counted].sum()), p))
    for wanted in (3, 7):
        order = sorted(by_signs[:40], key=lambda p: (-estimate(vectors[p], query), p))
        assert candidates(blocks_of(vectors, 64), able, query, wanted).tolist() == sorted(order[:wanted])


@pytest.mark.parametrize("dimension", [5, 64, 384, 896, 1000, 1024])
def test_a_cosine_does_not_depend_on_what_is_scored_beside_it(tmp_path: Path, dimension: int) -> None:
    store, vectors, query = Store(tmp_path / "x.db"), drawn(70, dimension), drawn(1, dimension, 9)[0]
    model = store.register(HashEmbedder(dimension=dimension))
    with writing(store.connection()):
        store.connection().executemany(
            "INSERT INTO vectors VALUES (?, ?, ?, ?)",
            [(n, model, bytes([n]), vector.tobytes()) for n, vector in enumerate(vectors, 1)],
        )
    ids = np.random.default_rng(2).permutation(np.arange(1, 71)).repeat(2)
    together = Exact(dimension).cosines(store.connection(), ids, query)
    one_by_one, exact = [], Exact(dimension)
    for number in (*ids, *ids):  # from the file, then from memory
        one_by_one += exact.cosines(store.connection(), np.array([number]), query).tolist()
    assert one_by_one == together.tolist() * 2
    assert together == pytest.approx(vectors[ids - 1] @ query, abs=1e-6)
    store.close()


def test_vectors_in_one_slot_of_memory_are_not_mistaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "_HELD_BYTES", 3 * 4 * 8)
    test_a_cosine_does_not_depend_on_what_is_scored_beside_it(tmp_path, 8)


@pytest.mark.parametrize("seed", range(4))
def test_a_reader_s_nearest_are_those_of_an_index_of_its_own(
    docs: Path, make_index: MakeIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Random rights over many documents: to the last bit what the caller finds in an index that holds no others."""
    monkeypatch.setattr(nearest, "_RESCORED", 15)
    monkeypatch.setattr(nearest, "_SIFTED", 25)
    monkeypatch.setattr(nearest, "BLOCK", 16)
    monkeypatch.setattr(snapshot, "BLOCK", 16)
    rng = np.random.default_rng(seed)
    pages = {f"p{n:03}.md": f"# P\n\nText {rng.integers(9)} on leave, {rng.integers(5)} days.\n" for n in range(90)}
    lists = {path: {who for who in "abc" if rng.random() < {"a": 0.1, "b": 0.5, "c": 0.9}[who]} for path in pages}
    write(docs, pages)
    index = make_index(docs, HashEmbedder(), Grants(docs, lists))
    index.sync()
    for who in "abc":
        folder = tmp_path / who
        folder.mkdir()
        own = {path: text for path, text in pages.items() if who in lists[path]}
        write(folder, own)
        alone = make_index(folder, HashEmbedder(), Grants(folder, lists), db=tmp_path / f"{who}.db")
        alone.sync()
        assert ranked(index, who) == ranked(alone, who)
        assert len(ranked(index, who)) == min(len(own), 100)


# --- what is packed ---


def test_packed_is_what_the_rows_say_after_every_kind_of_change(docs: Path, make_index: MakeIndex) -> None:
    first, second = HashEmbedder("a"), HashEmbedder("b", refuses="120")
    second.embeds_units = True
    write(docs, {"copy.md": SAMPLE["leave.md"]})
    for embedder in (None, first, None, second, first):
        index = make_index(docs, embedder)
        index.sync()
        assert searched_as_stored(index.store)
        write(docs, {"more.md": f"# More\n\nBy {embedder and embedder.name}.\n", "again.md": SAMPLE["zh.md"]})
        index.sync()
        assert searched_as_stored(index.store)
        (docs / "again.md").unlink()
        write(docs, {"zh.md": SAMPLE["leave.md"], "leave.md": SAMPLE["zh.md"]})
        index.sync(retry_refused=True)
        assert searched_as_stored(index.store)
        write(docs, SAMPLE)
    rows = index.store.connection().execute("SELECT model_id, count(*) FROM packed_codes GROUP BY model_id").fetchall()
    assert [model for model, _ in rows] == [1, 2]


def test_a_vector_that_comes_for_one_document_serves_all_that_hold_the_text(docs: Path, make_index: MakeIndex) -> None:
    """Indexed without a model; then the model comes with a document that repeats the text, and is lost after it."""
    write(docs, {"one.md": "# A\n\nThe same text.\n", "two.md": "# A\n\nThe same text.\n"})
    make_index(docs, None).sync()
    write(docs, {"three.md": "# A\n\nThe same text.\n"})
    index = make_index(docs, HashEmbedder(fails_after=1))
    with pytest.raises(Exception, match="away"):
        index.sync()
    assert searched_as_stored(index.store)
    assert {path for path, _, _ in ranked(index, "everyone", "same text")} == {"one.md", "two.md", "three.md"}


def test_a_text_without_a_vector_is_not_among_the_nearest(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder(refuses="120")
    index = make_index(docs, embedder)
    index.sync()
    with index.store.reader(caller(), 1) as reader:
        places, _ = reader.nearest(embedder.embed_query("a night", "en"), 50)
        everything = reader.cosines_at(embedder.embed_query("a night", "en"), range(reader.count))
    assert len(places) == index.store.chunk_count() - 1
    assert np.isneginf(everything).sum() == 1
    embedder.refuses = ""
    index.sync(retry_refused=True)
    assert len(ranked(index, "everyone")) == index.store.chunk_count(), "taken over by a reader that held the old state"
    assert searched_as_stored(index.store)


def test_vectors_that_come_later_reach_a_running_reader(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the edges of blocks, and without touching what an older reader looks through."""
    monkeypatch.setattr(nearest, "BLOCK", 2)
    monkeypatch.setattr(snapshot, "BLOCK", 2)
    monkeypatch.setattr(nearest, "_RESCORED", 1)
    index = make_index(docs, HashEmbedder())
    model = index.store.register(HashEmbedder())
    make_index(docs, None).sync()
    query = HashEmbedder().embed_query("leave", "en")
    with index.store.reader(caller(), model) as old:
        assert len(old.nearest(query, 9)[0]) == 0
        looked_through = index.store._snapshots[model].blocks
        thread = threading.Thread(target=lambda: (index.sync(), ranked(index, "everyone")))
        thread.start()
        thread.join()
        assert len(old.nearest(query, 9)[0]) == 0
        assert not any(block.any() for block in looked_through)
    fresh = Store(index.store.path)
    for store in (index.store, fresh):
        with store.reader(caller(), model) as reader:
            assert len(reader.nearest(query, 9)[0]) == reader.count
            assert reader.nearest(query, 3)[0].tolist()
    ours, new = index.store._snapshots[model], fresh._snapshots[model]
    assert all((a == b).all() for a, b in zip(ours.blocks, new.blocks, strict=True))
    fresh.close()


def test_an_older_reader_keeps_its_state(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    query = HashEmbedder().embed_query("leave", "en")
    with index.store.reader(caller(), 1) as old:
        before = old.nearest(query, 9)

        def change() -> None:
            write(docs, {"new.md": "# New\n\nMore leave.\n", "zh.md": "# Z\n\nLeave leave leave.\n"})
            index.sync()
            assert len(ranked(index, "everyone")) == len(before[0]) + 1

        thread = threading.Thread(target=change)
        thread.start()
        thread.join()
        after = old.nearest(query, 9)
        assert [part.tolist() for part in after] == [part.tolist() for part in before]
        assert len(list(old.chunks(after[0].tolist()))) == len(before[0])


def test_a_reader_behind_a_newer_state_begins_again(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    answers, real = iter([True, True, False]), Store._snapshot
    monkeypatch.setattr(Store, "_snapshot", lambda *given: None if next(answers) else real(*given))
    assert len(ranked(index, "everyone")) == index.store.chunk_count()
    assert next(answers, None) is None


SYNC = """
import os, sys
from pathlib import Path
import config, search
from models import Models
from sources.folder import FolderSource
from store import Store
from tests.conftest import HashEmbedder

docs, db = map(Path, sys.argv[1:])
settings = config.load({"docs_dir": docs, "db": db}, {"BRAIN_CONFIG": os.devnull})
search.Index(settings, Models(HashEmbedder(), None, ""), FolderSource(docs), Store(db)).sync()
"""


def test_what_another_process_synced_is_found(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    assert ranked(index, "everyone", "brand new")[0][0] != "new.md"
    write(docs, {"new.md": "# New\n\nBrand new text.\n"})
    (docs / "zh.md").unlink()
    subprocess.run([sys.executable, "-c", SYNC, str(docs), str(index.store.path)], check=True, cwd=ROOT)
    found = ranked(index, "everyone", "brand new")
    assert found[0][0] == "new.md"
    assert "zh.md" not in {path for path, _, _ in found}


# --- an index of the first schema ---


def as_first_schema(path: Path) -> None:
    """The file as it was before packed rows: tables and columns of the first migration, and no others."""
    first, old = sqlite3.connect(":memory:"), schema.connect(path)
    first.executescript(schema.MIGRATIONS[0])
    old.execute("PRAGMA foreign_keys = OFF")
    then, now = columns_of(first), columns_of(old)
    for table in now.keys() - then.keys():
        old.execute(f"DROP TABLE IF EXISTS {table}")
    (sql,) = first.execute("SELECT sql FROM sqlite_master WHERE name = 'grants'").fetchone()
    old.executescript(
        f"ALTER TABLE grants RENAME TO lists; {sql}; "
        "INSERT INTO grants SELECT principal, document_id FROM lists; DROP TABLE lists"
    )
    for table in then.keys() - {"grants"}:
        for column in now[table] - then[table]:
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    old.execute("PRAGMA user_version = 1")
    first.close()
    old.close()


def columns_of(connection: sqlite3.Connection) -> dict[str, set[str]]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    return {
        name: {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))}
        for (name,) in tables.fetchall()
    }


def test_an_index_of_the_first_schema_is_filled_without_embedding(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder(refuses="120")
    index = make_index(docs, embedder)
    index.sync()
    make_index(docs, HashEmbedder("other")).sync()
    before = ranked(index, "everyone")
    index.store.close()
    as_first_schema(index.store.path)
    embedder.texts = []
    again = make_index(docs, embedder)
    assert searched_as_stored(again.store)
    assert ranked(again, "everyone") == before
    assert again.sync().embedded == len(embedder.texts) == 0


def test_a_migration_cut_short_leaves_the_old_index(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    index.store.close()
    as_first_schema(index.store.path)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(packed, "_write_codes", fail)
        with pytest.raises(StoreError):
            Store(index.store.path)
    assert searched_as_stored(make_index(docs, HashEmbedder()).store)


def test_many_open_an_index_of_the_first_schema_at_once(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    index.store.close()
    as_first_schema(index.store.path)
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(Store(index.store.path))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [searched_as_stored(store) for store in stores] == [True] * 6
    for store in stores:
        store.close()
