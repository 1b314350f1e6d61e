"""Vectors of the program's own phrases: kept by a sync of facts, the same as made anew, gone with their model.

Try: pytest tests/test_phrases.py
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from database import meta, set_meta
from errors import ModelError
from graph.examples import EXAMPLES, likeness
from models import Vector
from search import Index
from storage import moving, phrases
from storage.schema import writing
from tests.conftest import HashEmbedder, caller, write

TABLE = "# Services\n\n| Service | Owner |\n|---|---|\n| `plan-store` | Bedrock |\n"
TEXTS = [one.text for one in EXAMPLES]


class Counting(HashEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        self.asked += texts
        return super().embed_documents(texts)


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def index(docs: Path, make_index: Callable[..., Index], embedder: Counting) -> Index:
    write(docs, {"services.md": TABLE})
    return make_index(docs, embedder)


def held(index: Index, model_id: int) -> Vector | None:
    with index.store.reader(caller(), model_id) as reader:
        return phrases.kept(reader.connection, reader.model_id, TEXTS)


def test_a_sync_keeps_them_once_and_they_are_what_is_made_anew(index: Index, embedder: Counting) -> None:
    index.sync()
    assert set(TEXTS) <= set(embedder.asked)
    model_id = index.searcher().model_id
    found = held(index, model_id)
    assert found is not None
    assert np.array_equal(found, phrases.embedded(TEXTS, HashEmbedder()))
    embedder.asked.clear()
    index.sync()
    assert set(TEXTS).isdisjoint(embedder.asked)
    like = likeness("Who owns the Service?", "en", embedder, lambda texts: found)
    assert max(like.tools, key=lambda tool: like.tools[tool]) == "chain"
    assert set(TEXTS).isdisjoint(embedder.asked)


def test_a_second_list_does_not_push_out_the_first(
    index: Index, embedder: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phrases, "LISTS", [("one", "two"), ("three",)])
    index.sync()
    embedder.asked.clear()
    index.sync()
    assert {"one", "two", "three"}.isdisjoint(embedder.asked)


def test_without_facts_nothing_is_embedded_for_them(docs: Path, index: Index, embedder: Counting) -> None:
    (docs / "services.md").write_text("# Services\n\nWhat runs where is told on request.\n", encoding="utf-8")
    for path in docs.rglob("*"):
        if path.is_file() and path.name != "services.md":
            path.unlink()
    index.sync()
    assert set(TEXTS).isdisjoint(embedder.asked)


@pytest.mark.parametrize("damage", ["", "no base64!", "AAAA", "AAAAAAA="])
def test_what_is_damaged_is_not_there(index: Index, damage: str) -> None:
    index.sync()
    model_id, connection = index.searcher().model_id, index.store.connection()
    (key,) = connection.execute("SELECT key FROM meta WHERE key LIKE 'phrases/%'").fetchone()
    with writing(connection):
        set_meta(connection, key, damage)
    assert held(index, model_id) is None


def test_they_go_with_their_model(index: Index) -> None:
    index.sync()
    connection, model_id = index.store.connection(), index.searcher().model_id
    with writing(connection):
        moving.drop(connection, [model_id])
    assert connection.execute("SELECT count(*) FROM meta WHERE key LIKE 'phrases/%'").fetchone() == (0,)


def test_a_model_that_went_away_is_asked_by_the_next_sync(
    index: Index, embedder: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(texts: Sequence[str]) -> list[Vector | None]:
        if TEXTS[0] in texts:
            raise ModelError("away")
        return HashEmbedder().embed_documents(texts)

    with monkeypatch.context() as gone:
        gone.setattr(embedder, "embed_documents", away)
        index.sync()
        assert held(index, index.searcher().model_id) is None
    index.sync()
    assert held(index, index.searcher().model_id) is not None
    assert meta(index.store.connection(), "phrases/0/none") is None
