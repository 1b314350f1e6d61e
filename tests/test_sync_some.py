"""A sync of some paths alone, and the row that each run leaves.

Try: pytest tests/test_sync_some.py
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from access import EVERYONE
from errors import ModelError, SourceError, StoreBusy
from search import Index
from sources.folder import FolderSource
from storage import runs, syncing
from storage.runs import Run, recorded
from tests.conftest import Counting, HashEmbedder, caller, searched_as_stored, write

NEW = "# Ferries\n\n## Crossing\n\nThe ferry leaves at nine.\n"
Maker = Callable[..., Index]


def everything(index: Index, but: str = "") -> list[Any]:
    """All that the index says of documents, but for one, with their lists."""
    connection = index.store.connection()
    rows = connection.execute(
        "SELECT d.path, d.id, d.sha256, d.mtime_ns, d.settled, d.indexed_at, c.id, c.text, c.text_hash "
        "FROM documents d JOIN chunks c ON c.document_id = d.id WHERE d.path <> ? ORDER BY d.path, c.id",
        (but,),
    ).fetchall()
    lists = {path: held for path, held in index.store.lists_by_path().items() if path != but}
    return [rows, sorted(lists.items()), connection.execute("SELECT * FROM left_out ORDER BY path").fetchall()]


def some(index: Index, *paths: str) -> Run:
    run = Run("event", "user:ada")
    index.sync_some(paths, run)
    return run


def found(index: Index, path: str, *principals: str) -> bool:
    with index.store.reader(caller(*principals)) as reader:
        return reader.last_line(path) > 0


def test_only_what_is_named_is_looked_at(docs: Path, make_index: Maker) -> None:
    source = Counting(docs)
    index = make_index(docs, HashEmbedder(), source)
    (docs / "empty.md").write_text("")
    index.sync()
    before, calls = everything(index), len(source.reads)
    write(docs, {"travel/ferries.md": NEW, "leave.md": "# Leave\n\nChanged, and nobody asked.\n"})
    (docs / "zh.md").unlink()
    run = some(index, "travel/ferries.md")
    assert source.reads[calls:] == ["travel/ferries.md"]
    assert everything(index, "travel/ferries.md") == before
    assert found(index, "travel/ferries.md")
    assert (run.summary.added, run.summary.changed, run.summary.removed) == (1, 0, 0)
    assert searched_as_stored(index.store)
    done = index.sync()
    assert (done.added, done.changed, done.removed) == (0, 1, 1), "the others are found by the next sync of all"


def test_one_that_is_unchanged_costs_nothing_and_one_that_is_gone_leaves(docs: Path, make_index: Maker) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    embedded, generation = len(embedder.texts), index.store.generation()
    assert some(index, "leave.md").summary.unchanged == 1
    assert (len(embedder.texts), index.store.generation()) == (embedded, generation)
    (docs / "leave.md").unlink()
    assert some(index, "leave.md", "never/was.md").summary.removed == 1
    assert not found(index, "leave.md")
    assert searched_as_stored(index.store)


@pytest.mark.parametrize("path", [".hidden/a.md", "travel/.a.md", "build/a.md", "travel/drafts/a.md", "a.exe"])
def test_what_a_walk_passes_by_is_passed_by(docs: Path, make_index: Maker, path: str) -> None:
    write(docs, {".gitignore": "build/\n", "travel/.brainignore": "drafts\n", path: NEW})
    index = make_index(docs, HashEmbedder())
    index.sync()
    assert not some(index, path).summary.wrote
    assert not found(index, path)


@pytest.mark.parametrize("link", ["file", "folder", "day"])
def test_what_cannot_be_judged_alone_is_left_to_a_sync_of_all(docs: Path, make_index: Maker, link: str) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    path = {"file": "new.md", "folder": "new/expenses.md", "day": "new/2026-01-01.json"}[link]
    if link == "day":
        write(docs, {path: "[]"})
    else:
        (docs / "new" if link == "folder" else docs / path).symlink_to(
            docs / ("travel" if link == "folder" else "zh.md")
        )
    before = everything(index)
    with pytest.raises(SourceError):
        some(index, path)
    assert everything(index) == before


def rules(who: str) -> str:
    return f'[allow]\n"**" = ["{who}"]\n'


def test_lists_are_those_that_a_sync_of_all_gives(docs: Path, make_index: Maker) -> None:
    write(docs, {"access.toml": rules("group:staff"), "travel/access.toml": rules("group:hr")})
    index = make_index(docs, HashEmbedder())
    index.sync()
    write(docs, {"travel/ferries.md": NEW, "ferries.md": NEW.replace("nine", "ten")})
    (docs / "travel" / "access.toml").unlink()  # by accident: what it said holds on
    some(index, "travel/ferries.md", "ferries.md")
    assert not found(index, "travel/ferries.md", EVERYONE, "group:staff")
    assert found(index, "travel/ferries.md", "group:hr")
    assert found(index, "ferries.md", "group:staff")
    lists = index.store.lists_by_path()
    index.sync()
    assert index.store.lists_by_path() == lists


@pytest.mark.parametrize("broken", [b"[allow", b"\xff"])
def test_rules_that_cannot_be_read_let_nobody_in(docs: Path, make_index: Maker, broken: bytes) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    write(docs, {"travel/access.toml": broken, "travel/ferries.md": NEW})
    some(index, "travel/ferries.md")
    assert "travel/ferries.md" in index.store.lists_by_path()
    assert not found(index, "travel/ferries.md", EVERYONE, "user:local")
    assert found(index, "travel/expenses.md"), "the others wait for a sync of all"


def test_rules_elsewhere_in_the_source_count(docs: Path, make_index: Maker) -> None:
    write(docs, {"travel/access.toml": rules("group:hr")})
    index = make_index(docs, HashEmbedder())
    index.sync()
    write(docs, {"ferries.md": NEW})
    some(index, "ferries.md")
    assert not found(index, "ferries.md", EVERYONE), "what no rule names is its owner's where there are rules"
    assert found(index, "ferries.md", "user:local")


def test_a_sync_of_all_comes_first(docs: Path, make_index: Maker) -> None:
    index = make_index(docs, HashEmbedder())
    with pytest.raises(StoreBusy, match="--sync"):
        some(index, "leave.md")
    index.sync()
    other = FolderSource(docs, guarded=True)
    with pytest.raises(StoreBusy, match="--sync"):
        syncing.sync(index.store, other, None, index.settings, only=["leave.md"])


# --- recorded runs -------------------------------------------------------------------------------------------------


def rows(index: Index) -> list[runs.Recorded]:
    return recorded(index.store.connection())


def test_what_changed_something_leaves_a_row(docs: Path, make_index: Maker) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    generation = index.store.generation()
    index.sync()
    (one,) = rows(index)
    assert (one.cause, one.caller, one.outcome, one.error) == ("sync", "agent:company-brain", "done", "")
    assert one.counts["added"] == 4
    assert one.counts["model_calls"] == 1
    assert {"look", "read", "extract", "embed", "index"} == set(one.stages)
    assert one.started_at <= one.ended_at
    assert index.store.generation() == generation, "nobody reads anew for it"
    write(docs, {"ferries.md": NEW})
    some(index, "ferries.md")
    assert [(row.cause, row.caller, row.counts["added"]) for row in rows(index)] == [
        ("event", "user:ada", 1), ("sync", "agent:company-brain", 4),
    ]  # fmt: skip


def test_a_failed_stage_is_told_and_done_alone_by_the_next_sync(docs: Path, make_index: Maker) -> None:
    embedder = HashEmbedder()
    index = make_index(docs, embedder)
    index.sync()
    write(docs, {"ferries.md": NEW})
    embedder.fails_after, embedded = len(embedder.texts), len(embedder.texts)
    for _ in range(3):
        with pytest.raises(ModelError):
            index.sync()
    first = rows(index)[0]
    assert (first.outcome, first.error, first.times) == ("model_unavailable", "The model is away.", 3)
    assert len(rows(index)) == 2, "a night without a model is one row"
    embedder.fails_after = None
    assert index.sync().added == 1
    assert len(embedder.texts) == embedded + 1
    assert [row.outcome for row in rows(index)] == ["done", "model_unavailable", "done"]


def test_texts_without_vectors_are_embedded_alone(docs: Path, make_index: Maker) -> None:
    """Indexed while no model was there: the next sync embeds, and neither reads nor extracts again."""
    source = Counting(docs)
    make_index(docs, None, source).sync()
    reads = len(source.reads)
    index = make_index(docs, HashEmbedder(), source)
    index.sync()
    assert rows(index)[0].counts["embedded"] > 0
    assert "extract" not in rows(index)[0].stages
    assert len(source.reads) == reads


def test_a_sync_that_waits_in_vain_or_is_stopped_leaves_none(docs: Path, make_index: Maker) -> None:
    index = make_index(docs, HashEmbedder())
    with index.store.locked(wait=False), pytest.raises(StoreBusy):
        make_index(docs, HashEmbedder()).sync(wait=False)
    assert rows(index) == []


def test_the_last_thousand_are_kept(docs: Path, make_index: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST", 3)
    index = make_index(docs, HashEmbedder())
    index.sync()
    for n in range(4):
        write(docs, {"leave.md": f"# Leave\n\nPage {n}.\n"})
        index.sync()
    assert [row.id for row in rows(index)] == [5, 4, 3]
    assert [row.id for row in recorded(index.store.connection(), 1, before=5)] == [4]


def test_the_folder_that_vanished_is_a_failed_run(docs: Path, make_index: Maker) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    shutil.rmtree(docs)
    with pytest.raises(SourceError):
        index.sync()
    assert rows(index)[0].outcome == "source"
    assert json.dumps(rows(index)[0].told())
