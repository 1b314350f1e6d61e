"""What the tests share: a small model double, a folder of sample documents, settings free of anyone's own."""

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from access import EVERYONE, AccessList, Caller
from answer import Answer, Assistant
from config import Settings, load
from database import Connection
from errors import ModelError
from models import Embedder, ModelIdentity, Models, Vector
from search import Index, open_index
from sources.folder import FolderSource
from storage import phrases
from storage.masked import MaskedReader
from storage.registry import PROBES
from store import Store, store_of
from tests import engine
from tests.engine import on_postgres
from tests.ollama_double import OllamaDouble

if TYPE_CHECKING:
    from tests.served import Held

SAMPLE = {
    "leave.md": "# Leave\n\n## Annual leave\n\nStaff get 28 days of annual leave after one year.\n\n"
    "## Sick leave\n\nTell your manager before ten in the morning.\n",
    "travel/expenses.md": "---\ntitle: Expenses\nowner: finance\n---\n\n# Expenses\n\n## Claims\n\n"
    "Hand in receipts within thirty days.\n\n## Hotels\n\nA night costs at most 120 euro.\n",
    "travel/vpn.txt": "The gateway is called VPN-2.\n\nIts key is foo_bar and its bucket is on S3.\n",
    "zh.md": "# 报销\n\n出差报销需要在三十天内提交。\n",
}
"""Documents by path; Markdown and plain text, two folders, two languages."""


class HashEmbedder:
    """An honest small Embedder: hashed words as unit vectors, so texts that share words are alike. Counts its calls.

    `refuses`: texts that hold this word get None. `fails_after`: so many texts are embedded before it is away.
    """

    embeds_units = False
    url = ""

    def __init__(
        self, name: str = "hash", dimension: int = 64, *, refuses: str = "", fails_after: int | None = None
    ) -> None:
        self.name, self.dimension, self.refuses, self.fails_after = name, dimension, refuses, fails_after
        self.salt = ""  # other weights under the same name
        self.texts: list[str] = []  # every document text embedded, without the program's own
        self.before: Callable[[], None] | None = None  # called before documents are embedded

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("test", self.name, "", self.dimension, "1")

    @property
    def default_min_score(self) -> float:
        return 0.3

    @property
    def same_meaning(self) -> float:
        return 0.6

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        if tuple(texts) not in (PROBES, *phrases.LISTS):
            if self.before:
                self.before()
            if self.fails_after is not None and len(self.texts) + len(texts) > self.fails_after:
                raise ModelError("The model is away.")
            self.texts += texts
        return [None if self.refuses and self.refuses in text else self._vector(text) for text in texts]

    def embed_query(self, text: str, lang: str) -> Vector:
        if self.fails_after == 0:
            raise ModelError("The model is away.")
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector: Vector = np.zeros(self.dimension, np.float32)
        for word in re.findall(r"\w+", text.lower()) or [""]:
            digest = hashlib.blake2b((self.salt + word).encode("utf-8", "replace"), digest_size=8).digest()
            vector[int.from_bytes(digest, "little") % self.dimension] += 1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class Grants(FolderSource):
    """A folder whose documents have access lists: path -> principals. One that is not named is nobody's."""

    def __init__(self, root: Path, lists: dict[str, set[str]]) -> None:
        super().__init__(root)
        self.lists = lists
        self.reads: list[str] = []

    def access(self, path: str) -> AccessList:
        return AccessList(frozenset(self.lists.get(path, ())))

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        return super().read(path)


class Counting(FolderSource):
    """A folder that remembers which files were opened."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.reads: list[str] = []

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        return super().read(path)


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes the files with a time long enough ago that a sync takes it at its word."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        age(path)


def age(path: Path, seconds: float = 3600) -> None:
    """Sets a file's time to so long ago, to the nanosecond another one at every call."""
    then = time.time_ns() - int(seconds * 1e9)
    os.utime(path, ns=(then, then))


@contextlib.contextmanager
def mounted(place: Path, size: str) -> Iterator[Path]:
    """A disk of its own of that size ("400k") at `place`; skips the test where none can be mounted."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def caller(*principals: str) -> Caller:
    """Somebody who holds these principals, by default what the folder source grants to."""
    return Caller("tester", frozenset(principals or {EVERYONE}))


NOBODY = Caller("nobody", frozenset())


def all_places(store: Store) -> list[int]:
    """Every place that a reader of this index could be asked for, whoever may read it."""
    if not on_postgres():
        with store.reader(NOBODY) as reader:
            assert isinstance(reader, MaskedReader)
            return list(range(len(reader._mask)))
    return [number for (number,) in store.connection().execute("SELECT id FROM chunks ORDER BY id")]


def searched_as_stored(store: Store) -> bool:
    """Whether what a search goes through says of every chunk and vector what their tables say, and nothing more."""
    if on_postgres():
        return rows_as_stored(store.connection())
    connection = store.connection()
    chunks: dict[int, list[tuple[int, int]]] = {}
    for document_id, chunk_id, count in connection.execute("SELECT document_id, id, terms FROM chunks ORDER BY id"):
        chunks.setdefault(document_id, []).append((chunk_id, count))
    vectors = {
        (model_id, chunk_id): (number, _code(np.frombuffer(blob, "<f4")))
        for model_id, chunk_id, number, blob in connection.execute(
            "SELECT v.model_id, c.id, v.id, v.vector FROM chunks c JOIN vectors v ON v.text_hash = c.text_hash "
            "WHERE v.vector IS NOT NULL"
        )
    }
    rows = connection.execute("SELECT document_id, ids, terms FROM packed_chunks").fetchall()
    told = {n: list(zip(np.frombuffer(a, "<i8"), np.frombuffer(b, "<i4"), strict=True)) for n, a, b in rows}
    found = {}
    for document_id, model_id, ids, codes in connection.execute(
        "SELECT document_id, model_id, vectors, codes FROM packed_codes"
    ):
        size = len(codes) // len(chunks[document_id])
        for i, ((chunk_id, _), number) in enumerate(zip(chunks[document_id], np.frombuffer(ids, "<i8"), strict=True)):
            if number:
                found[model_id, chunk_id] = (int(number), codes[i * size : (i + 1) * size])
    return told == chunks and found == vectors


def rows_as_stored(connection: Connection) -> bool:
    """The same of postings and embeddings, and that each row has its document's list."""
    chunks = connection.execute(
        "SELECT c.id, d.id, d.list_id, w.terms, c.terms FROM chunks c JOIN documents d ON d.id = c.document_id "
        "JOIN words w ON w.rowid = c.id WHERE c.list_id = d.list_id"
    ).fetchall()
    postings = {
        (term, number, listed, count, length)
        for number, _, listed, terms, length in chunks
        for term, count in Counter(terms.split()).items()
    }
    embeddings = {
        (number, document, listed, model_id, vector_id, halved(np.frombuffer(blob, "<f4")))
        for number, document, listed, *_ in chunks
        for model_id, vector_id, blob in connection.execute(
            "SELECT v.model_id, v.id, v.vector FROM chunks c JOIN vectors v ON v.text_hash = c.text_hash "
            "WHERE c.id = ? AND v.vector IS NOT NULL",
            (number,),
        )
    }
    texts = "SELECT count(*) FROM texts t JOIN documents d ON d.id = t.document_id WHERE t.list_id <> d.list_id"
    stored = connection.execute("SELECT chunk_id, document_id, list_id, model_id, vector_id, embedding FROM embeddings")
    return (
        connection.execute("SELECT count(*) FROM chunks").fetchone()[0] == len(chunks)
        and connection.execute(texts).fetchone()[0] == 0
        and {*connection.execute("SELECT term, chunk_id, list_id, count, length FROM postings")} == postings
        and {(*row, halved(np.array(json.loads(text), np.float32))) for *row, text in stored} == embeddings
    )


def halved(vector: Vector) -> bytes:
    """A vector in half precision."""
    return vector.astype("<f2").tobytes()


def levels(vector: Vector) -> list[int]:
    """What two bits tell of each value: 0 to 3, cut at minus the root mean square, at zero and at plus."""
    bound = float(np.float32(len(vector) ** -0.5))
    return [int(x >= -bound) + int(x > 0) + int(x > bound) for x in vector.tolist()]


def _code(vector: Vector) -> bytes:
    """A vector's stored code: the high bits of all levels, then the low ones."""
    size = 8 * -(-len(vector) // 64)
    planes = (sum((level >> bit & 1) << i for i, level in enumerate(levels(vector))) for bit in (1, 0))
    return b"".join(plane.to_bytes(size, "little") for plane in planes)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=("sqlite", "postgres"), help="where the indexes of the tests stand")


def pytest_configure(config: pytest.Config) -> None:
    if chosen := config.getoption("--engine"):
        engine.choose(chosen)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is about the file of an index is not asked of the other engine."""
    for item in items:
        if on_postgres() and item.get_closest_marker("sqlite"):
            item.add_marker(pytest.mark.skip(reason="about the SQLite file"))


@pytest.fixture(autouse=True)
def _databases_end_with_the_test(_clean_environment: None) -> Iterator[None]:
    """Each test begins with those of a module's fixtures alone."""
    before = engine.known()
    yield
    engine.forget(*engine.known() - before)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of the person who runs the tests reaches them."""
    for name in [n for n in os.environ if n.startswith("BRAIN_") and n != "BRAIN_OLLAMA_RECORDED"]:
        monkeypatch.delenv(name)
    for name in ("QWEN_CHAT_MODEL", "RAG_MIN_SCORE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    """A connection to a new index without documents."""
    connection = engine.connection_to(tmp_path / "index.db")
    yield connection
    connection.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with the sample documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    write(folder, SAMPLE)
    return folder


@pytest.fixture
def make_settings(tmp_path: Path) -> Callable[..., Settings]:
    """Settings over an empty file and environment: make_settings(docs_dir, k=3, ...)."""
    empty = tmp_path / "empty.toml"
    empty.touch()

    def made(docs_dir: Path, **values: Any) -> Settings:
        flags = {"docs_dir": docs_dir, "db": tmp_path / "index.db", **values}
        flags = {"database": engine.database_of(flags["db"]), **flags}
        return load(flags, {"BRAIN_CONFIG": str(empty)})

    return made


@pytest.fixture
def make_index(make_settings: Callable[..., Settings]) -> Iterator[Callable[..., Index]]:
    """An Index over a folder: make_index(docs, embedder, source=..., **settings). Closed when the test ends."""
    opened: list[Index] = []

    def made(docs_dir: Path, embedder: Embedder | None = None, source: Any = None, **values: Any) -> Index:
        settings = make_settings(docs_dir, **values)
        index = Index(settings, Models(embedder, None, ""), source or FolderSource(docs_dir), store_of(settings))
        opened.append(index)
        return index

    yield made
    for index in opened:
        index.store.close()


@pytest.fixture
def double() -> Iterator["Held"]:
    """A model server whose replies can be held back."""
    from tests.served import Held  # with the server: half a second that most tests can do without

    with Held() as held:
        yield held


# --- answers written by a double of the model server --------------------------------------------------------------

FACTS = {
    "cars.md": "# Company cars\n\nThe fleet desk hands out seven electric cars every Tuesday.\n",
    "phones.md": "# Mobile phones\n\nA broken phone is replaced by the helpdesk within four days.\n",
    "keys.md": "# Building keys\n\nReception keeps the spare building keys in a grey cabinet.\n",
}


def passages(messages: list[dict[str, str]]) -> dict[int, str]:
    """What the model was shown, by number."""
    found = re.findall(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', messages[1]["content"], re.S)
    return {int(n): text for n, text in found}


def reads(messages: list[dict[str, str]]) -> str:
    """A model that copies the first sentence of the passage sharing most words with the question."""
    question = set(re.findall(r"\w{4,}", messages[-1]["content"].rpartition("Question: ")[2].lower()))
    shown = passages(messages)
    n = max(shown, key=lambda n: len(question & set(re.findall(r"\w{4,}", shown[n].lower()))))
    line = next(line for line in shown[n].split("\n") if line and not line.startswith("#"))
    return f"{line.partition('. ')[0].removesuffix('.')}. [{n}]"


class World:
    """An assistant over documents and a double."""

    def __init__(self, index: Index, double: OllamaDouble) -> None:
        self.index, self.double = index, double

    def ask(self, question: str, who: Caller | None = None, k: int | None = None) -> Answer:
        return Assistant(self.index).ask(who or caller(), question, k)[0]

    def says(self, text: str) -> None:
        self.double.handler = lambda messages: text


Opener = Callable[..., World]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Opener]:
    """world(files, **settings): the documents indexed, the double answering by `reads`."""
    with OllamaDouble(handler=reads) as double:
        opened: list[Index] = []

        def made(files: dict[str, str] = FACTS, **values: object) -> World:
            docs = tmp_path / "docs"
            docs.mkdir()
            write(docs, dict(files))
            index = open_index(settings_on(tmp_path, docs, double, **values), notice=lambda text: None)
            opened.append(index)
            index.sync()
            return World(index, double)

        yield made
        for index in opened:
            index.store.close()


def settings_on(tmp_path: Path, docs: Path, double: OllamaDouble, **values: object) -> Settings:
    empty = tmp_path / "empty.toml"
    empty.touch()
    flags = {"docs_dir": docs, "db": tmp_path / "i.db", "backend": "ollama", "ollama_host": double.host}
    flags["database"] = engine.database_of(tmp_path / "i.db")
    return load(flags | {"min_score": 0.2} | values, {"BRAIN_CONFIG": str(empty)})
