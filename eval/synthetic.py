"""Made-up documents and vectors in the size that a measurement needs, and the embedder double that goes with them.

Words are drawn by Zipf's law, English function words first, so that a question's words are as common and as rare as
in real texts. The same seed makes the same corpus. Knows no models. Try: python -m eval.bench search
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from access import EVERYONE
from database import Connection
from language.stopwords import FUNCTION_WORDS
from language.words import terms
from models import Message, ModelIdentity, Reply, Vector
from storage import packed
from storage.reader import text_hash
from storage.schema import writing
from store import Store

DIMENSION = 512
WORDS_A_CHUNK = 60
UNITS_A_CHUNK = 3
CHUNKS_A_DOCUMENT = 20
_VOCABULARY = 50_000
CLUSTERS = 200
_CONTENT_RANKS = (80, 200, 500, 1500, 5000, 15000)  # of the question's content words: common to rare
_SYLLABLES = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]


class Double:
    """An Embedder of no meaning: a vector drawn from the text's hash. Counts the time it takes."""

    url = ""

    def __init__(self, dimension: int = DIMENSION, query: Vector | None = None) -> None:
        self.dimension, self.query = dimension, query
        self.seconds = 0.0  # process time

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("double", "hash", "", self.dimension, "1")

    @property
    def default_min_score(self) -> float:
        """Everything passes."""
        return -1.0

    @property
    def same_meaning(self) -> float:
        """No two different texts do."""
        return 1.0

    @property
    def embeds_units(self) -> bool:
        return True

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """One unit vector a text."""
        started = time.process_time()
        found: list[Vector | None] = [self._drawn(text) for text in texts]
        self.seconds += time.process_time() - started
        return found

    def embed_query(self, text: str, lang: str) -> Vector:
        """The given vector, or the text's own."""
        started = time.process_time()
        found = self._drawn(text) if self.query is None else self.query
        self.seconds += time.process_time() - started
        return found

    def _drawn(self, text: str) -> Vector:
        rng = np.random.default_rng(int.from_bytes(text_hash(text)[:8], "little"))
        return _normal(rng.standard_normal(self.dimension, np.float32))


class Constant(Double):
    """The same vector for every text, at no cost; units get none of their own unless `embeds_units`."""

    def __init__(self, embeds_units: bool = False) -> None:
        super().__init__()
        self._units, self._same = embeds_units, _normal(np.ones(self.dimension, np.float32))

    @property
    def embeds_units(self) -> bool:
        return self._units

    def _drawn(self, text: str) -> Vector:
        return self._same


class Echo:
    """A ChatModel of no thought, which replies at once: the first passage's last line, cited."""

    window, url = 8192, ""

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("double", "echo", "", 0, "1")

    def warm_up(self) -> None:
        """Nothing to load."""

    def chat(self, messages: Sequence[Message], schema: dict[str, Any] | None = None, **_: Any) -> Reply:
        """The line before the first closing mark, with `[1]` before its full stop."""
        line = messages[-1]["content"].split("\n</passage>", 1)[0].rsplit("\n", 1)[-1]
        return Reply(f"{line.removesuffix('.')} [1].", None, None, 0.0)


@dataclass(slots=True)
class Corpus:
    """A vocabulary and the texts drawn from it."""

    seed: int = 7
    vocabulary: list[str] = field(init=False)
    _cumulative: np.ndarray[tuple[int], np.dtype[np.float64]] = field(init=False)
    _rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        short = ["".join(parts) for parts in product(_SYLLABLES, repeat=2)]
        heads = self._rng.choice(len(short), _VOCABULARY)
        tails = self._rng.choice(["", *_SYLLABLES], _VOCABULARY)
        made = (short[head] + tail for head, tail in zip(heads, tails, strict=True))
        self.vocabulary = list(dict.fromkeys([*sorted(FUNCTION_WORDS["en"])[:60], *made]))
        weights = 1 / np.arange(1, len(self.vocabulary) + 1)  # Zipf's law with exponent 1
        self._cumulative = np.cumsum(weights) / weights.sum()

    def draw(self, count: int) -> list[int]:
        """Ranks of `count` words, 0 is the most common."""
        found: list[int] = np.searchsorted(self._cumulative, self._rng.random(count)).tolist()
        return found

    def text(self, ranks: Sequence[int]) -> str:
        """Sentences of ten words each."""
        named = [self.vocabulary[rank] for rank in ranks]
        rows = (" ".join(named[i : i + 10]).capitalize() + "." for i in range(0, len(named), 10))
        return " ".join(rows)

    def question(self, shift: int = 0) -> str:
        """A question with six content words, from common to rare; another `shift`, other words of like rarity."""
        a, b, c, d, e, f = (self.vocabulary[rank + shift] for rank in _CONTENT_RANKS)
        return f"How many {a} {b} do I get for the {c} when my {d} is {e} after the {f}?"


def write_folder(folder: Path, chunks: int, corpus: Corpus) -> None:
    """Markdown files of ten sections, each as long as a chunk."""
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, chunks, 10):
        lines = [f"# {corpus.text(corpus.draw(3))[:-1]}"]
        for _ in range(start, min(start + 10, chunks)):
            lines += ["", f"## {corpus.text(corpus.draw(4))[:-1]}", "", corpus.text(corpus.draw(WORDS_A_CHUNK))]
        (folder / f"{start:06}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_notes(folder: Path, documents: int, corpus: Corpus) -> None:
    """Short Markdown files, a hundred in a folder: one or two headings and 40 to 80 words; an hour old."""
    then = time.time() - 3600  # a file changed within the last two seconds is opened again to be sure
    for i in range(documents):
        path = folder / f"{i // 100:04}" / f"{i:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        half = 20 + i % 21
        lines = [f"# {corpus.text(corpus.draw(4))[:-1]} {i}", "", corpus.text(corpus.draw(half))]
        if i % 2:
            lines += ["", f"## {corpus.text(corpus.draw(3))[:-1]}"]
        lines += ["", corpus.text(corpus.draw(half))]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        os.utime(path, (then, then))


def fill(store: Store, chunks: int, embedder: Double, corpus: Corpus, units: int = UNITS_A_CHUNK) -> int:
    """Writes `chunks` synthetic chunks with vectors, and `units` of each with theirs, straight into the tables.

    One transaction, rows in the order of a sync; returns the model's id. Not for a store that holds something.
    """
    model_id = store.register(embedder)
    connection = store.connection()
    stems = cache(lambda rank: " ".join(terms(corpus.vocabulary[rank], "en")))
    vectors = _clustered(chunks, embedder.dimension, corpus.seed, units)
    with writing(connection):
        connection.execute("INSERT OR IGNORE INTO meta VALUES ('docs_root', 'synthetic')")
        for start in range(0, chunks, CHUNKS_A_DOCUMENT):
            size = min(CHUNKS_A_DOCUMENT, chunks - start)
            document_id = start // CHUNKS_A_DOCUMENT + 1
            newest = packed.newest_vector(connection)
            _insert_document(connection, document_id)
            for i in range(start, start + size):
                ranks = corpus.draw(WORDS_A_CHUNK)
                found = " ".join(map(stems, ranks))
                _insert_chunk(connection, i + 1, document_id, corpus.text(ranks), found)
                _insert_vectors(connection, model_id, i + 1, vectors())
            packed.write(connection, newest, [document_id])
    return model_id


def add_document(store: Store, model_id: int, vector: Vector) -> int:
    """Adds a document of CHUNKS_A_DOCUMENT chunks as a sync does, the first with `vector`; returns its id."""
    connection, corpus = store.connection(), Corpus()
    with writing(connection):
        newest = packed.newest_vector(connection)
        first, document_id = (
            connection.execute("SELECT seq + 1 FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()[0]
            for table in ("chunks", "documents")
        )
        _insert_document(connection, document_id)
        others = np.random.default_rng(first).standard_normal((CHUNKS_A_DOCUMENT, len(vector)), np.float32)
        others[0] = vector
        for i, own in enumerate(_normal(others), first):
            ranks = corpus.draw(WORDS_A_CHUNK)
            found = " ".join(stem for rank in ranks for stem in terms(corpus.vocabulary[rank], "en"))
            _insert_chunk(connection, i, document_id, corpus.text(ranks), found)
            _insert_vectors(connection, model_id, i, own[None])
        packed.write(connection, newest, [document_id])
    return int(document_id)


def remove_document(store: Store, document_id: int) -> None:
    """Takes a document of add_document away again."""
    connection = store.connection()
    with writing(connection):
        chunks = "FROM chunks WHERE document_id = ?"
        connection.execute(f"DELETE FROM words WHERE rowid IN (SELECT id {chunks})", (document_id,))
        connection.execute(f"DELETE FROM vectors WHERE text_hash IN (SELECT text_hash {chunks})", (document_id,))
        connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))


def _insert_document(connection: Connection, document_id: int) -> None:
    connection.execute(
        "INSERT INTO documents "
        "(id, path, title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at, dated, stated) "
        "VALUES (?, ?, ?, 'en', 1, 1, 1, '', 'synthetic', '{}', '2026-01-01T00:00:00+00:00', '2026-01-01', 0)",
        (document_id, f"{document_id:06}.md", f"Document {document_id}"),
    )
    connection.execute("INSERT INTO grants VALUES (?, ?, 'allow')", (EVERYONE, document_id))


def _insert_chunk(connection: Connection, chunk_id: int, document_id: int, text: str, found: str) -> None:
    line = 4 * chunk_id
    heading, key = json.dumps([f"Section {chunk_id}"]), _key(chunk_id, 0)
    connection.execute(
        "INSERT INTO chunks (id, document_id, heading, first_line, last_line, text, skip, context, terms, text_hash) "
        "VALUES (?, ?, ?, ?, ?, ?, 0, '', ?, ?)",
        (chunk_id, document_id, heading, line, line + 1, text, WORDS_A_CHUNK, key),
    )
    connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (chunk_id, found))


def _insert_vectors(connection: Connection, model_id: int, chunk_id: int, vectors: Vector) -> None:
    keys = [_key(chunk_id, n) for n in range(len(vectors))]
    connection.executemany("INSERT INTO units VALUES (?, ?)", [(chunk_id, key) for key in keys[1:]])
    connection.executemany(
        "INSERT INTO vectors (model_id, text_hash, vector) VALUES (?, ?, ?)",
        [(model_id, key, vector.astype("<f4").tobytes()) for key, vector in zip(keys, vectors, strict=True)],
    )


def _key(chunk_id: int, n: int) -> bytes:
    return text_hash(f"{chunk_id}/{n}")


def _clustered(chunks: int, dimension: int, seed: int, units: int) -> Callable[[], Vector]:
    """Gives, call by call, a chunk's vector near one of the clusters' centres and its units' vectors near it."""
    rng = np.random.default_rng(seed)
    centres = _normal(rng.standard_normal((CLUSTERS, dimension), np.float32))
    spread = np.float32(1 / np.sqrt(dimension))

    def batches() -> Iterator[Vector]:
        for start in range(0, chunks, 1000):
            size = min(1000, chunks - start)
            noise = rng.standard_normal((size, 1 + units, dimension), np.float32) * spread
            own = centres[rng.integers(CLUSTERS, size=size)] + noise[:, 0]
            noise[:, 1:] = own[:, None] + noise[:, 1:]
            noise[:, 0] = own
            yield from noise / np.linalg.norm(noise, axis=2, keepdims=True)

    return batches().__next__


def search_once(path: str, model_id: str, dimension: str) -> int:
    """For a fresh process: opens an index that `fill` made, asks one question, and returns peak_memory."""
    from access import local_caller
    from config import load
    from eval.timing import peak_memory
    from retrieval.gate import Limit
    from search import Searcher

    embedder = Double(int(dimension), query_near_a_cluster(int(dimension)))
    store = Store(Path(path))
    searcher = Searcher(store, embedder, int(model_id), load({}, {}), Limit(-1.0, 1.0, "setting", True))
    searcher.search(local_caller(), Corpus().question())
    store.close()
    return peak_memory()


def query_near_a_cluster(dimension: int = DIMENSION, seed: int = 7) -> Vector:
    """A question's vector: the first cluster's centre."""
    drawn = np.random.default_rng(seed).standard_normal((CLUSTERS, dimension), np.float32)
    return _normal(drawn[0])


def _normal(vectors: Vector) -> Vector:
    found: Vector = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return found
