"""What a sync does to the index: nothing too much, nothing left behind, and whole at every moment it may be killed."""

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from access import OPEN_LIST, AccessList
from errors import IndexMismatch, ModelError, SourceError, StoreBusy, StoreError
from search import Index
from sources.folder import FolderSource
from storage import rows, schema, syncing, vectors
from storage.lock import locked
from storage.report import Summary
from store import Store
from tests.conftest import SAMPLE, Counting, Grants, HashEmbedder, age, caller, searched_as_stored, write
from tests.engine import database_of, on_postgres, store_at

MakeIndex = Callable[..., Index]
TABLES = ("documents", "grants", "chunks", "words", "units", "vectors")

SEARCHED = {False: ("packed_chunks", "packed_codes"), True: ("postings", "embeddings")}
"""What a search goes through, on each engine."""


def counts(store: Store) -> dict[str, int]:
    tables = (*TABLES, *SEARCHED[on_postgres()])
    return {table: store.connection().execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def paths(store: Store) -> set[str]:
    return {row[0] for row in store.connection().execute("SELECT path FROM documents")}


def did(summary: Summary) -> tuple[int, int, int, int, int]:
    return summary.added, summary.changed, summary.removed, summary.unchanged, summary.embedded


def texts_of(store: Store) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, text in store.connection().execute(
        "SELECT d.path, c.text FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY c.id"
    ):
        found[path] = found.get(path, "") + text + "\n"
    return found


def missing_vectors(store: Store) -> int:
    (count,) = store.connection().execute(
        "SELECT count(*) FROM chunks c, models m WHERE NOT EXISTS "
        "(SELECT 1 FROM vectors v WHERE v.model_id = m.id AND v.text_hash = c.text_hash)"
    ).fetchone()  # fmt: skip
    return int(count)


def test_first_sync(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    summary = index.sync()
    assert did(summary) == (4, 0, 0, 0, len(embedder.texts))
    assert summary.skipped == summary.decoded == []
    assert paths(index.store) == set(SAMPLE)
    found = counts(index.store)
    assert found["chunks"] == found["words"] == found["vectors"] == len(embedder.texts)
    assert found["grants"] == found["documents"] == 4
    assert missing_vectors(index.store) == 0


def test_an_unchanged_folder_opens_no_file(docs: Path, make_index: MakeIndex) -> None:
    embedder, source = HashEmbedder(), Counting(docs)
    index = make_index(docs, embedder, source)
    index.sync()
    assert sorted(source.reads) == sorted(SAMPLE)
    generation = index.store.connection().execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    source.reads, embedder.texts = [], []
    summary = index.sync()
    assert did(summary) == (0, 0, 0, 4, 0)
    assert not summary.wrote
    assert source.reads == embedder.texts == []
    assert generation == index.store.connection().execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()


def test_a_new_time_is_hashed_not_embedded(docs: Path, make_index: MakeIndex) -> None:
    embedder, source = HashEmbedder(), Counting(docs)
    index = make_index(docs, embedder, source)
    index.sync()
    age(docs / "leave.md")
    source.reads, embedder.texts = [], []
    assert did(index.sync()) == (0, 0, 0, 4, 0)
    assert (source.reads, embedder.texts) == (["leave.md"], [])
    index.sync()
    assert source.reads == ["leave.md"], "the new time is remembered"


@pytest.mark.freshness
def test_a_change_embeds_the_new_text_only(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    before = counts(index.store)
    embedder.texts = []
    write(docs, {"leave.md": str(SAMPLE["leave.md"]).replace("28 days", "30 days")})
    assert did(index.sync()) == (0, 1, 0, 3, 1)
    (text,) = embedder.texts
    assert "30 days" in text
    assert counts(index.store) == before
    assert "28 days" not in texts_of(index.store)["leave.md"]


def test_a_moved_or_copied_file_is_not_embedded(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    before = counts(index.store)
    embedder.texts = []
    (docs / "people").mkdir()
    (docs / "leave.md").rename(docs / "people" / "leave.md")
    assert did(index.sync()) == (1, 0, 1, 3, 0)
    assert counts(index.store) == before
    write(docs, {"copy.md": SAMPLE["leave.md"]})
    assert did(index.sync()) == (1, 0, 0, 4, 0)
    assert embedder.texts == []
    assert counts(index.store)["vectors"] == before["vectors"]
    assert missing_vectors(index.store) == 0
    (docs / "people" / "leave.md").unlink()
    index.sync()
    assert missing_vectors(index.store) == 0, "the copy keeps the vectors"


def test_two_files_that_change_places_are_not_embedded(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    before, embedder.texts = counts(index.store), []
    write(docs, {"leave.md": SAMPLE["zh.md"], "zh.md": SAMPLE["leave.md"]})
    assert did(index.sync()) == (0, 2, 0, 2, 0)
    assert embedder.texts == []
    assert counts(index.store) == before
    assert missing_vectors(index.store) == 0


def test_the_same_bytes_twice_in_one_sync_are_embedded_once(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"again.md": SAMPLE["leave.md"]})
    embedder = HashEmbedder()
    make_index(docs, embedder).sync()
    assert len(embedder.texts) == len(set(embedder.texts))


@pytest.mark.deletion
def test_a_deleted_file_leaves_no_row(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    embedder.embeds_units = True
    index = make_index(docs, embedder)
    index.sync()
    assert counts(index.store)["units"] > 0
    (docs / "leave.md").unlink()
    assert index.sync().removed == 1
    (docs / "zh.md").unlink()
    (docs / "travel" / "vpn.txt").unlink()
    index.sync()
    other = make_index(docs, embedder, db=docs.parent / "fresh.db")
    other.sync()
    assert counts(index.store) == counts(other.store)
    assert texts_of(index.store) == texts_of(other.store)


@pytest.mark.deletion
def test_a_folder_suddenly_empty_is_no_deletion(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    before = counts(index.store)
    docs.rename(tmp_path / "elsewhere")
    with pytest.raises(SourceError, match="does not exist"):
        index.sync(allow_empty=True)
    docs.mkdir()
    with pytest.raises(SourceError, match="--allow-empty"):
        index.sync()
    assert counts(index.store) == before
    assert index.sync(allow_empty=True).removed == 4
    assert not any(counts(index.store).values())
    assert did(index.sync()) == (0, 0, 0, 0, 0), "empty is a valid state"


BAD = {
    "empty.md": (b"", "is empty"),
    "blank.md": (b"# Only a heading\n\n<!-- nothing -->\n", "has no text below its headings"),
    "large.md": (b"word " * 3000, "is larger than 0.01 MB (BRAIN_MAX_FILE_MB)"),
    "broken.md": ("Größe\n\nfür".encode() + b"\xff\n", "is UTF-8 with a broken byte in line 3"),
    "picture.txt": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "NUL"),
}


def test_bad_files_are_named_and_the_rest_goes_on(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {name: data for name, (data, _) in BAD.items()})
    index = make_index(docs, HashEmbedder(), max_file_mb=0.01)
    summary = index.sync()
    assert summary.added == 4
    assert {path: reason for path, reason in summary.skipped if path in BAD}.keys() == BAD.keys()
    for path, reason in summary.skipped:
        assert BAD[path][1] in reason
    assert paths(index.store) == set(SAMPLE)
    assert len(index.sync().skipped) == len(BAD), "named again every time"


@pytest.mark.parametrize("name", BAD)
@pytest.mark.deletion
def test_the_old_version_of_a_file_gone_bad_leaves_the_index(docs: Path, make_index: MakeIndex, name: str) -> None:
    index = make_index(docs, HashEmbedder(), max_file_mb=0.01)
    write(docs, {name: "# Good\n\nA text.\n"})
    index.sync()
    assert name in paths(index.store)
    write(docs, {name: BAD[name][0]})
    summary = index.sync()
    assert (summary.removed, [path for path, _ in summary.skipped]) == (1, [name])
    assert paths(index.store) == set(SAMPLE)
    assert missing_vectors(index.store) == 0


def test_a_file_that_cannot_be_read_is_skipped(docs: Path, make_index: MakeIndex) -> None:
    class Failing(FolderSource):
        def read(self, path: str) -> bytes:
            if path == "leave.md":
                raise OSError(5, "Input/output error")
            return super().read(path)

    summary = make_index(docs, HashEmbedder(), Failing(docs)).sync()
    assert summary.skipped == [("leave.md", "cannot be read: Input/output error")]
    assert summary.added == 3


def test_other_encodings_are_told(docs: Path, make_index: MakeIndex) -> None:
    text = "Für größere Beträge fragen Sie bitte die Buchhaltung, weil sie das für alle macht und nicht jeder für sich."
    write(docs, {"old.txt": text.encode("cp1252"), "mark.txt": b"\xef\xbb\xbf" + text.encode()})
    index = make_index(docs)
    assert index.sync().decoded == [("old.txt", "cp1252")]
    assert texts_of(index.store)["old.txt"] == text + "\n" == texts_of(index.store)["mark.txt"]


def test_a_lowered_size_limit_is_obeyed(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"long.md": "word " * 3000})
    assert make_index(docs).sync().added == 5
    assert make_index(docs, max_file_mb=0.01).sync().removed == 1


def test_without_a_model_first_then_with_one(docs: Path, make_index: MakeIndex) -> None:
    assert did(make_index(docs).sync()) == (4, 0, 0, 0, 0)
    embedder, fresh = HashEmbedder(), HashEmbedder()
    embedder.embeds_units = fresh.embeds_units = True
    index = make_index(docs, embedder)
    assert index.sync().embedded == len(embedder.texts) > 0
    assert missing_vectors(index.store) == 0
    make_index(docs, fresh, db=docs.parent / "fresh.db").sync()
    assert sorted(embedder.texts) == sorted(fresh.texts), "what is filled in later is what is embedded at once"


def test_vectors_of_another_model_stand_beside(docs: Path, make_index: MakeIndex) -> None:
    small, large = make_index(docs, HashEmbedder("small", 32)), make_index(docs, HashEmbedder("large", 96))
    small.sync()
    chunks = counts(small.store)["chunks"]
    assert large.searcher().search(caller(), "annual leave").best_score is None, "no vector yet, and no error"
    assert did(large.sync()) == (0, 0, 0, 4, chunks)
    for index, dimension in ((small, 32), (large, 96)):
        best = index.searcher().search(caller(), "Hand in receipts within thirty days").hits[0]
        assert best.chunk.path == "travel/expenses.md"
        assert best.score is not None
        assert best.score > 0.3
        sizes = {model["dimension"]: model["vectors"] for model in index.store.status().models}
        assert sizes[dimension] == chunks
    write(docs, {"zh.md": "# New\n\nAnother text.\n"})
    large.sync()
    assert counts(large.store)["vectors"] == 2 * chunks - 1, "the old text's vectors are gone, of both models"
    assert small.sync().embedded == 1


def test_other_weights_of_the_same_name_are_another_model(docs: Path, make_index: MakeIndex) -> None:
    before, after = HashEmbedder(), HashEmbedder()
    after.salt = "retrained"
    assert before.identity == after.identity
    index = make_index(docs, before)
    index.sync()
    assert index.store.register(before) == index.store.register(HashEmbedder())
    assert index.store.register(after) != index.store.register(before)
    assert make_index(docs, after).sync().embedded == counts(index.store)["chunks"]


def test_a_text_that_the_model_refuses_is_found_by_its_words(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder(refuses="gateway")
    index = make_index(docs, embedder)
    summary = index.sync()
    chunks = counts(index.store)["chunks"]
    assert (summary.refused, summary.embedded) == (1, chunks - 1)
    found = index.searcher().search(caller(), "gateway VPN-2")
    assert (found.hits[0].chunk.path, found.hits[0].score, found.hits[0].passed) == ("travel/vpn.txt", None, "keywords")
    assert (index.sync().refused, index.sync(retry_refused=True).refused) == (0, 1)
    embedder.refuses = ""
    embedder.texts = []
    assert index.sync().embedded == 0
    assert index.sync(retry_refused=True).embedded == 1
    best = index.searcher().search(caller(), "gateway VPN-2").hits[0]
    assert best.score is not None, "a vector that came later is seen by a searcher that runs"


def test_a_model_lost_in_the_middle(docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncing, "_BATCH", 1)
    embedder = HashEmbedder(fails_after=4)
    index = make_index(docs, embedder)
    with pytest.raises(ModelError):
        index.sync()
    done = counts(index.store)
    assert 0 < done["documents"] < 4
    assert done["chunks"] == done["vectors"] == done["words"]
    embedder.fails_after = None
    embedder.texts = []
    summary = index.sync()
    assert (summary.unchanged, summary.added) == (done["documents"], 4 - done["documents"])
    assert len(embedder.texts) == counts(index.store)["chunks"] - done["chunks"], "nothing is embedded twice"


@pytest.mark.freshness
def test_an_edit_behind_the_same_size_and_time_is_found_while_fresh(docs: Path, make_index: MakeIndex) -> None:
    path, index = docs / "leave.md", make_index(docs, HashEmbedder())
    path.write_text("# A\n\nfirst\n")
    index.sync()
    status = path.stat()
    path.write_text("# A\n\nother\n")
    os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
    assert index.sync().changed == 1
    assert "other" in texts_of(index.store)["leave.md"]


@pytest.mark.freshness
def test_an_edit_while_the_model_works_is_found(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fresh is judged when the file is read, not when its text is written minutes later."""
    monkeypatch.setattr(syncing, "_FRESH_NS", 300_000_000)
    path, embedder = docs / "leave.md", HashEmbedder()
    index = make_index(docs, embedder)
    path.write_text("# A\n\nfirst\n")
    status = path.stat()

    def edit() -> None:
        embedder.before = None
        path.write_text("# A\n\nother\n")
        os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
        time.sleep(0.4)

    embedder.before = edit
    index.sync()
    assert "first" in texts_of(index.store)["leave.md"]
    assert index.sync().changed == 1
    assert "other" in texts_of(index.store)["leave.md"]


def test_a_time_in_the_future_is_read_every_time(docs: Path, make_index: MakeIndex) -> None:
    source = Counting(docs)
    index = make_index(docs, None, source)
    age(docs / "leave.md", -3600)
    index.sync()
    source.reads = []
    assert did(index.sync()) == (0, 0, 0, 4, 0)
    assert source.reads == ["leave.md"]


def test_other_chunk_sizes_cut_again(docs: Path, make_index: MakeIndex) -> None:
    lines = "".join(f"Line {n} of the long page says something of its own.\n\n" for n in range(30))
    write(docs, {"long.md": f"# Long\n\n{lines}"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    before = counts(index.store)["chunks"]
    smaller = make_index(docs, HashEmbedder(), chunk_chars=200)
    assert smaller.sync().changed == 5
    assert counts(index.store)["chunks"] > before
    assert texts_of(index.store)["long.md"] == f"# Long\n\n{lines}".rstrip("\n") + "\n\n"
    assert missing_vectors(index.store) == 0
    assert did(smaller.sync()) == (0, 0, 0, 5, 0)


def test_another_folder_on_the_same_index(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    index = make_index(docs)
    index.sync()
    before = counts(index.store)
    other = tmp_path / "others"
    write(other, {"a.md": "# A\n\nText.\n"})
    with pytest.raises(IndexMismatch) as raised:
        make_index(other).sync()
    assert str(docs) in str(raised.value)
    assert str(other) in str(raised.value)
    assert counts(index.store) == before
    with holding_the_lock(index.store), pytest.raises(IndexMismatch):
        make_index(other).sync(wait=False)


@pytest.mark.freshness
def test_access_lists_follow_the_source(docs: Path, make_index: MakeIndex) -> None:
    """A right that is withdrawn is gone after the next sync, though no file changed and none is opened."""
    source = Grants(docs, {"leave.md": {"hr", "staff"}, "zh.md": {"staff"}})
    index = make_index(docs, HashEmbedder(), source)
    index.sync()

    def readable(principal: str) -> set[str]:
        found = index.searcher().search(caller(principal), "leave 报销 days", 50)
        return {hit.chunk.path for hit in found.hits}

    assert (readable("hr"), readable("staff")) == ({"leave.md"}, {"leave.md", "zh.md"})
    source.reads = []
    source.lists = {"leave.md": {"hr"}, "zh.md": {"staff", "hr"}}
    assert did(index.sync()) == (0, 2, 0, 2, 0)
    assert (readable("hr"), readable("staff"), source.reads) == ({"leave.md", "zh.md"}, {"zh.md"}, [])
    age(docs / "leave.md")
    source.lists = {}
    assert index.sync().changed == 2
    assert readable("hr") == readable("staff") == set()
    assert counts(index.store)["grants"] == 0


@pytest.mark.deletion
def test_a_document_whose_access_list_cannot_be_read_leaves(docs: Path, make_index: MakeIndex) -> None:
    class Failing(Grants):
        def access(self, path: str) -> AccessList:
            if path in self.lists:
                raise OSError("page 2 of the access list is missing")
            return OPEN_LIST

    source = Failing(docs, {})
    index = make_index(docs, None, source)
    index.sync()
    source.lists = {"leave.md": set()}
    summary = index.sync()
    assert summary.skipped == [("leave.md", "cannot be read: page 2 of the access list is missing")]
    assert "leave.md" not in paths(index.store)


class holding_the_lock:
    """Another thread syncs meanwhile."""

    def __init__(self, store: Store) -> None:
        self.store, self.taken, self.release = store, threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with self.store.locked(wait=True):
            self.taken.set()
            self.release.wait(20)

    def __enter__(self) -> "holding_the_lock":
        self.thread.start()
        assert self.taken.wait(5)
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self.thread.join()


def test_two_syncs_at_once(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    with holding_the_lock(index.store) as other:
        with pytest.raises(StoreBusy):
            index.sync(wait=False)
        threading.Timer(0.2, other.release.set).start()
        assert index.sync(wait=True).added == 4


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_two_names_of_one_index_have_one_lock(docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    first = make_index(docs)
    (tmp_path / "alias.db").symlink_to("index.db")
    second = make_index(docs, db=tmp_path / "alias.db")
    with locked(first.store.path, wait=False), pytest.raises(StoreBusy):
        second.sync(wait=False)
    assert not (tmp_path / "alias.db.lock").exists()


@pytest.mark.parametrize("year", [1902, 1969, 2263, 2300])
def test_a_time_far_away_is_indexed(docs: Path, make_index: MakeIndex, year: int) -> None:
    seconds = int((year - 1970) * 365.25 * 86400)
    os.utime(docs / "leave.md", (seconds, seconds))
    if abs((docs / "leave.md").stat().st_mtime - seconds) > 86400:
        pytest.skip("this file system keeps no such time")
    index = make_index(docs)
    index.sync()
    with index.store.reader(caller()) as reader:
        (row,) = [row for row in reader.chunks(range(reader.count)) if row.path == "leave.md"][:1]
    assert datetime.fromtimestamp(row.mtime_ns / 1e9, UTC).year in (1970, 2262)
    assert did(index.sync()) == (0, 0, 0, 4, 0)


def test_readers_read_on_during_a_sync(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    seen: list[int] = []

    def look() -> None:
        embedder.before = None
        seen.append(len(index.searcher().search(caller(), "annual leave", 50).hits))

    embedder.before = look
    write(docs, {"leave.md": "# Leave\n\nAll other text.\n"})
    index.sync()
    assert seen == [counts(index.store)["chunks"] + 1], "the old version, whole, until the new one is written"


@pytest.mark.sqlite
def test_a_full_disk_loses_nothing(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    before, texts = counts(index.store), texts_of(index.store)
    lines = "".join(f"Line {n} of the long page says something of its own.\n\n" for n in range(3000))
    write(docs, {"long.md": f"# Long\n\n{lines}", "leave.md": "# Leave\n\nAnother text.\n"})
    connection = index.store.connection()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(StoreError, match="No space left"):
        index.sync()
    assert counts(index.store)["documents"] == before["documents"]
    assert {**texts, "leave.md": ""} == {**texts_of(index.store), "leave.md": ""}
    assert searched_as_stored(index.store)
    connection.execute("PRAGMA max_page_count = 1000000")
    index.sync()
    assert paths(index.store) == {*SAMPLE, "long.md"}
    assert missing_vectors(index.store) == 0


def test_progress_is_told_for_what_is_opened(docs: Path, make_index: MakeIndex) -> None:
    told: list[tuple[int, int, str]] = []
    index = make_index(docs, HashEmbedder())
    index.sync(progress=lambda done, total, path: told.append((done, total, path)))
    assert told[0] == (0, 4, "leave.md")
    assert told[-1][0] == told[-1][1]
    told.clear()
    index.sync(progress=lambda done, total, path: told.append((done, total, path)))
    assert [path for _, _, path in told if path] == []


# Killed at any moment

PAGES = 40  # enough for a kill between two transactions, of which each holds two


def page(number: int, version: int) -> str:
    sections = [
        f"## Part {part}\n\nThis is what page {number} has to say of part {part} in version {version}, and it is all."
        for part in range(3)
    ]
    return f"# Page {number}\n\n" + "\n\n".join(sections) + "\n"


def indexed(number: int, version: int) -> str:
    return page(number, version).split("\n\n", 1)[1]  # a heading alone is no chunk of the index


CHILD = """
import os, sys, time
from pathlib import Path
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
import config, search
from models import Models
from sources.folder import FolderSource
from store import store_of
from tests.conftest import HashEmbedder
from storage import syncing
syncing._BATCH = 8
docs, db = Path(sys.argv[1]), Path(sys.argv[2])
settings = config.load({"docs_dir": docs, "db": db, "database": sys.argv[3]}, {"BRAIN_CONFIG": os.devnull})
print("ready", flush=True)
for line in sys.stdin:  # seconds; this process has one thread, so a fork of it is safe
    child = os.fork()
    if child == 0:
        embedder = HashEmbedder()
        embedder.embeds_units = True
        index = search.Index(settings, Models(embedder, None, ""), FolderSource(docs), store_of(settings))
        index.sync()
        os._exit(0)
    time.sleep(float(line))
    if float(line):
        os.kill(child, 9)
    print(os.waitpid(child, 0)[1], flush=True)
"""


def _whole(db: Path, versions: dict[str, set[str]]) -> list[str]:
    """Fails unless every document in the index is one of its versions with all that belongs to it; returns them."""
    store = store_at(db)
    try:
        connection = store.connection()
        assert on_postgres() or connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        texts = texts_of(store)
        for path, text in texts.items():
            assert text in versions[path], path
        found = counts(store)
        assert found["documents"] == found["grants"] == len(texts)
        words = connection.execute("SELECT rowid FROM words ORDER BY rowid").fetchall()
        assert words == connection.execute("SELECT id FROM chunks ORDER BY id").fetchall()
        assert missing_vectors(store) == 0
        for table in ("chunks", "units"):
            (bare,) = connection.execute(
                f"SELECT count(*) FROM {table} t WHERE NOT EXISTS "
                "(SELECT 1 FROM vectors v WHERE v.text_hash = t.text_hash)"
            ).fetchone()  # fmt: skip
            assert bare == 0, table
        (orphans,) = connection.execute(
            "SELECT count(*) FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.text_hash = v.text_hash) "
            "AND NOT EXISTS (SELECT 1 FROM units u WHERE u.text_hash = v.text_hash)"
        ).fetchone()
        assert orphans == 0
        assert searched_as_stored(store)
        return list(texts.values())
    finally:
        store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_moment_every_document_is_whole(tmp_path: Path) -> None:
    docs, db, chance = tmp_path / "docs", tmp_path / "index.db", random.Random(7)
    versions = {f"page{n}.md": {indexed(n, 0), indexed(n, 1)} for n in range(PAGES)}
    write(docs, {f"page{n}.md": page(n, 0) for n in range(PAGES)})
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(docs), str(db), database_of(db)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1],
    ) as child:  # fmt: skip
        assert child.stdin
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
        started = time.perf_counter()
        assert _round(child.stdin, child.stdout, 0)
        usual = time.perf_counter() - started
        between = killed = 0
        for number in range(50):
            new = number % 2
            write(docs, {f"page{n}.md": page(n, 1 - new) for n in range(PAGES)})
            killed += not _round(child.stdin, child.stdout, chance.uniform(0.001, usual))
            found = _whole(db, versions)
            kinds = {"version 0" in text for text in found}
            between += len(kinds) == 2
        assert between >= 5, "some were killed half-way through the folder"
        assert killed >= 20
        assert _round(child.stdin, child.stdout, 0)
        child.stdin.close()
    assert sorted(_whole(db, versions)) == sorted(indexed(n, 1 - new) for n in range(PAGES))


KILLED_INSIDE = """
import os, sys
from pathlib import Path
import config, search
from models import Models
from sources.folder import FolderSource
from storage import rows
from store import store_of
from tests.conftest import HashEmbedder
insert = rows.Rows.insert
def dying(self, documents):
    assert len(documents) == 4
    insert(self, documents)
    os.kill(os.getpid(), 9)
rows.Rows.insert = dying
docs, db = Path(sys.argv[1]), Path(sys.argv[2])
settings = config.load({"docs_dir": docs, "db": db, "database": sys.argv[3]}, {"BRAIN_CONFIG": os.devnull})
embedder = HashEmbedder()
embedder.embeds_units = True
search.Index(settings, Models(embedder, None, ""), FolderSource(docs), store_of(settings)).sync()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_killed_inside_a_transaction_of_several_documents(make_index: MakeIndex, tmp_path: Path) -> None:
    """All of them are as before: none at the first sync, the old version later."""
    docs, db, embedder = tmp_path / "pages", tmp_path / "index.db", HashEmbedder()
    embedder.embeds_units = True
    command = [sys.executable, "-c", KILLED_INSIDE, str(docs), str(db), database_of(db)]
    for version, before in ((0, 0), (1, 4)):
        write(docs, {f"page{n}.md": page(n, version) for n in range(4)})
        done = subprocess.run(command, cwd=Path(__file__).parents[1], check=False, capture_output=True)
        assert done.returncode == -9, done.stderr
        assert len(_whole(db, {f"page{n}.md": {indexed(n, 0)} for n in range(4)})) == before
        make_index(docs, embedder).sync()
        assert len(_whole(db, {f"page{n}.md": {indexed(n, version)} for n in range(4)})) == 4


def _round(to_child: IO[str], from_child: IO[str], kill_after: float) -> bool:
    """One sync in a process of its own, killed after so many seconds (0: never); whether it came to its end."""
    to_child.write(f"{kill_after}\n")
    to_child.flush()
    return from_child.readline() == "0\n"


def test_vectors_are_unit_length_float32(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder(dimension=48))
    index.sync()
    for (blob,) in index.store.connection().execute("SELECT vector FROM vectors"):
        vector = np.frombuffer(blob, "<f4")
        assert vector.shape == (48,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)


def test_a_crash_of_our_own_in_a_document_leaves_the_old_one(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    before, texts = counts(index.store), texts_of(index.store)
    write(docs, {"leave.md": "# Leave\n\nAnother text.\n"})

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(vectors, "insert", fail)
    with pytest.raises(StoreError, match="disk I/O error"):
        index.sync()
    assert (counts(index.store), texts_of(index.store)) == (before, texts)


def test_a_document_that_fails_takes_no_neighbour_with_it(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    before, embedder.texts = texts_of(index.store), []
    write(docs, {"leave.md": "# Leave\n\nAnother text.\n", "zh.md": "# New\n\nNo longer Chinese.\n"})
    insert = rows.Rows.insert

    def failing(self: rows.Rows, documents: Sequence[rows.Prepared]) -> Sequence[int]:
        ids = insert(self, documents)
        if any(doc.entry.path == "zh.md" for doc in documents):
            raise sqlite3.OperationalError("disk I/O error")
        return ids

    monkeypatch.setattr(rows.Rows, "insert", failing)
    with pytest.raises(StoreError, match="disk I/O error"):
        index.sync()
    after = texts_of(index.store)
    assert after == before | {"leave.md": "# Leave\n\nAnother text.\n"}
    assert len(embedder.texts) == 2, "embedded once, though written twice"
    monkeypatch.undo()
    assert did(index.sync())[:4] == (0, 1, 0, 3)
    assert missing_vectors(index.store) == 0


def test_long_documents_do_not_wait_for_each_other(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few texts, many bytes: a line of 5 MB is one text, and 256 of them would not fit into memory."""
    write(docs, {f"long{n}.md": f"# Long {n}\n\n" + "word " * 1000 + "\n" for n in range(9)})
    monkeypatch.setattr(syncing, "_BATCH_BYTES", 12_000)
    sizes: list[int] = []
    original = syncing._Sync._write

    def noting(self: syncing._Sync, documents: list[rows.Prepared], known: dict[str, syncing._Known]) -> None:
        sizes.append(sum(doc.entry.size for doc in documents))
        original(self, documents, known)

    monkeypatch.setattr(syncing._Sync, "_write", noting)
    assert make_index(docs, HashEmbedder()).sync().added == 13
    assert max(sizes) < 12_000 + 5100
    assert len(sizes) > 3


def test_units_are_read_for_those_who_embed_them(docs: Path, make_index: MakeIndex) -> None:
    plain, fine = HashEmbedder("plain"), HashEmbedder("fine")
    fine.embeds_units = True
    index, other = make_index(docs, plain), make_index(docs, fine)
    index.sync()
    assert counts(index.store)["units"] == 0
    summary = other.sync()
    assert (summary.changed, summary.unchanged) == (4, 0), "cut again, with their units"
    found = counts(other.store)
    fresh = make_index(docs, fine, db=docs.parent / "fresh.db")
    fresh.sync()
    assert found["units"] == counts(fresh.store)["units"] > 0
    plain.texts = []
    assert did(index.sync()) == (0, 0, 0, 4, 0), "and units are in nobody's way"
    assert (plain.texts, counts(index.store)) == ([], found)


@pytest.mark.sqlite
def test_a_long_journal_is_emptied_after_a_sync(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MOST_JOURNAL", 10_000)
    index = make_index(docs, HashEmbedder())
    journal = Path(f"{index.store.path}-wal")
    write(docs, {"more.md": "# More\n\nAnother page.\n"})
    with index.store.reader(caller("everyone")):
        held = threading.Thread(target=index.sync)
        held.start()
        held.join(20)
        assert not held.is_alive(), "a reader that stays is not waited for"
    write(docs, {"last.md": "# Last\n\nOne page more.\n"})
    index.sync()
    assert journal.stat().st_size == 0
    assert index.store.connection().execute("PRAGMA busy_timeout").fetchone()[0] == 30_000
