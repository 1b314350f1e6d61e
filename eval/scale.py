"""Times the vector half of the search at a million chunks, and counts what it finds of the true nearest.

`million` builds an index of 5 GB under .brain/bench, `recall` embeds real texts once and keeps the vectors there; both
take up what they find, the folder may be deleted. Knows the store's insides, no chat model.
Try: python -m eval.bench plain; python -m eval.bench recall --data ~/texts; python -m eval.bench million
"""

import hashlib
import json
import re
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from access import Caller, local_caller
from config import PROJECT, Settings
from eval import synthetic
from eval.timing import TIMES, Figure, best, ms, peak_memory, run, temporary
from models import Vector
from models.embedded import USE_DIMENSION, EmbeddedEmbedder
from retrieval.gate import Limit
from search import Searcher
from storage import packed
from storage.nearest import BLOCK, candidates
from storage.reader import Ints, Reader
from storage.schema import writing
from store import Store

FOLDER = PROJECT / ".brain" / "bench"
_FEW, _SOME = "few", "some"  # principals who may read 0.1 % and 0.5 % of the documents
_QUESTIONS = 60
_TEXTS = 50_000
_LANGUAGES = (("en", 100), ("de", 50), ("zh", 50))  # questions taken from a file of them


def plain(settings: Settings, chunks: int = 10_000, dimension: int = 1024) -> list[Figure]:
    """The plain way, vectors as JSON in SQLite and a loop in Python, against ours at the same size."""
    embedder = synthetic.Double(dimension)
    with temporary() as folder:
        store = Store(folder / "index.db")
        model_id = synthetic.fill(store, chunks, embedder, synthetic.Corpus(), units=0)
        with store.reader(local_caller(), model_id) as reader:
            query = embedder.embed_query("a question", "en")
            ours = best(lambda: reader.nearest(query, 10))
        simple = sqlite3.connect(folder / "plain.db")
        simple.execute("CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector TEXT)")
        rows = store.connection().execute("SELECT id, vector FROM vectors")
        values = ((number, json.dumps(np.frombuffer(blob, "<f4").tolist())) for number, blob in rows)
        simple.executemany("INSERT INTO vectors VALUES (?, ?)", values)
        asked = query.tolist()

        def loop() -> list[tuple[float, int]]:
            found = simple.execute("SELECT id, vector FROM vectors")
            scored = ((sum(a * b for a, b in zip(asked, json.loads(v), strict=True)), number) for number, v in found)
            return sorted(scored, reverse=True)[:10]

        started = time.process_time()
        loop()
        theirs = time.process_time() - started
        simple.close()
        store.close()
    details = {"chunks": chunks, "dimension": dimension, "ours_ms": ms(ours), "plain_ms": ms(theirs)}
    return [Figure("plain", "JSON and a loop / nearest", theirs / ours, 1000, "x", details, least=True)]


def recall(settings: Settings, data: Path | None = None, texts: int = _TEXTS) -> list[Figure]:
    """The share of the true ten nearest real texts that are looked at, by the embedded models' spaces.

    Without a folder of texts there is nothing to measure and no figure.
    """
    if data is None or not data.is_dir():
        print("recall     skipped: it needs --data FOLDER with .md and .jsonl files", file=sys.stderr)
        return []
    vectors, questions, english = _embedded(data, texts)
    use, both = slice(0, USE_DIMENSION), slice(0, vectors.shape[1])
    minilm = slice(USE_DIMENSION, vectors.shape[1])
    spaces = {
        "USE": (use, questions),
        "MiniLM, English": (minilm, questions[english]),
        "both, English": (both, questions[english]),
        "both, other languages": (both, questions[~english]),
    }
    figures = []
    for name, (part, asked) in spaces.items():
        own = vectors[:, part] / np.maximum(np.linalg.norm(vectors[:, part], axis=1, keepdims=True), 1e-12)
        found = [_share_looked_at(own, query[part]) for query in asked]
        details = {"texts": len(own), "dimension": own.shape[1], "questions": len(asked), "least": min(found)}
        figures.append(Figure("recall", f"recall@10, {name}", float(np.mean(found)), 0.99, "", details, least=True))
    return figures


def million(settings: Settings, chunks: int = 1_000_000, dimension: int = 1024) -> list[Figure]:
    """A million chunks: speed and recall, rights, opening, memory, and one more document."""
    path, embedder = FOLDER / f"{chunks}x{dimension}.db", synthetic.Double(dimension)
    store = _filled(path, chunks, embedder)
    try:
        model_id = store.register(embedder)
        figures = _opened(path, model_id, dimension)
        figures += _one_more(store, model_id, dimension)
        matrix, questions = _matrix(store, chunks, dimension), _questions(dimension)
        figures += _found(store, model_id, matrix, questions)
        figures.append(_whole_question(store, settings, model_id))
    finally:
        store.close()
    return figures


def open_once(path: str, model_id: str, dimension: str) -> str:
    """For a fresh process: seconds from opening the index to the first nearest chunks, and peak memory, as JSON."""
    query = synthetic.query_near_a_cluster(int(dimension))
    started = time.perf_counter()
    store = Store(Path(path))
    with store.reader(local_caller(), int(model_id)) as reader:
        reader.nearest(query, 50)
    seconds = time.perf_counter() - started
    store.close()
    return json.dumps({"seconds": seconds, "process_s": time.process_time(), "peak": peak_memory()})


def _opened(path: Path, model_id: int, dimension: int) -> list[Figure]:
    code = "import sys; from eval.scale import open_once; print(open_once(*sys.argv[1:]))"
    command = [sys.executable, "-c", code, str(path), str(model_id), str(dimension)]
    runs = [json.loads(run(command)) for _ in range(TIMES)]
    least = min(made["seconds"] for made in runs)
    whole = {"whole_process_s": round(min(made["process_s"] for made in runs), 2)}
    gigabytes = runs[0]["peak"] / 1e9
    size = {"file_gb": round(path.stat().st_size / 1e9, 2)}
    return [
        Figure("million", "opening to the first nearest", least, 3.0, "s", whole),
        Figure("million", "peak memory", gigabytes, 1.6, "GB", size),
    ]


def _one_more(store: Store, model_id: int, dimension: int) -> list[Figure]:
    """Another store object writes a document as a sync does; the one that answers takes it over."""
    other, query = Store(store.path), synthetic.query_near_a_cluster(dimension)
    seconds = []
    with store.reader(local_caller(), model_id) as reader:
        reader.nearest(query, 1)
    for _ in range(TIMES):
        started = time.process_time()
        document_id = synthetic.add_document(other, model_id, query)
        written = time.process_time() - started
        with store.reader(local_caller(), model_id) as reader:
            places, cosines = reader.nearest(query, 1)
            (row,) = reader.chunks(places.tolist())
        seconds.append((time.process_time() - started, written))
        assert row.document_id == document_id
        assert cosines[0] > 0.999
        synthetic.remove_document(other, document_id)
    other.close()
    whole, written = min(seconds)
    return [Figure("million", "one more document, and found", whole, 0.3, "s", {"written_ms": ms(written)})]


def _found(store: Store, model_id: int, matrix: Vector, questions: Vector) -> list[Figure]:
    product = best(lambda: matrix @ questions[0])
    figures, details = [], {"chunks": len(matrix), "dimension": matrix.shape[1], "product_ms": ms(product)}
    with store.reader(local_caller(), model_id) as reader:
        passes = np.array_split(questions, TIMES + 1)  # a question twice would find its vectors in memory
        ours = min(list(_seconds_each(reader, passes))[1:])
        shares = [_share(reader.nearest(query, 10)[0], matrix @ query) for query in questions]
    speed = details | {"nearest_ms": ms(ours)}
    figures.append(Figure("million", "nearest / matrix-vector product", ours / product, 0.25, "x", speed))
    figures.append(Figure("million", "recall@10", float(np.mean(shares)), 0.99, "", {"least": min(shares)}, least=True))
    for principal in (_FEW, _SOME):
        with store.reader(Caller("bench", frozenset({principal})), model_id) as reader:
            readable = reader.places()
            own = [
                _share(np.searchsorted(readable, reader.nearest(query, 10)[0]), matrix[readable] @ query)
                for query in questions
            ]
            spent = min(list(_seconds_each(reader, passes))[1:])
        what = {"readable": len(readable), "nearest_ms": ms(spent)}
        figures.append(Figure("million", f"recall@10, {principal} readable", float(np.mean(own)), 0.99, "", what, True))
    return figures


def _whole_question(store: Store, settings: Settings, model_id: int) -> Figure:
    embedder = synthetic.Double(_dimension(store, model_id), None)
    searcher = Searcher(store, embedder, model_id, settings, Limit(-1.0, 1.0, "setting", True))
    asked = iter(range(100))
    corpus = synthetic.Corpus()
    seconds = best(lambda: searcher.search(local_caller(), corpus.question(next(asked))))
    return Figure("million", "a whole question, words too", seconds, 1.0, "s", {})


def _dimension(store: Store, model_id: int) -> int:
    """Of a registered model's vectors."""
    (found,) = store.connection().execute("SELECT dimension FROM models WHERE id = ?", (model_id,)).fetchone()
    return int(found)


def _seconds_each(reader: Reader, passes: Sequence[Vector]) -> Iterator[float]:
    for questions in passes:
        started = time.process_time()
        for query in questions:
            reader.nearest(query, 50)
        yield (time.process_time() - started) / len(questions)


def _share(places: Ints, scores: Vector) -> float:
    """Of the ten highest scores, how many the places have; equal scores count as equal."""
    tenth = np.partition(scores, -10)[-10]
    return float(np.count_nonzero(scores[places] >= tenth - 1e-6)) / 10


def _questions(dimension: int) -> Vector:
    """A third at clusters' centres, the rest as far from them as the chunks are."""
    drawn = np.random.default_rng(7).standard_normal((synthetic.CLUSTERS, dimension), np.float32)
    centres = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    rng = np.random.default_rng(11)
    noise = rng.standard_normal((_QUESTIONS, dimension), np.float32) / np.float32(np.sqrt(dimension))
    noise[::3] = 0
    moved = centres[rng.permutation(synthetic.CLUSTERS)[:_QUESTIONS]] + noise
    found: Vector = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    return found


def _filled(path: Path, chunks: int, embedder: synthetic.Double) -> Store:
    """The index of an earlier run where it was finished, else a new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    store = Store(path)
    if store.chunk_count() == chunks:  # filled in one transaction
        return store
    synthetic.fill(store, chunks, embedder, synthetic.Corpus(), units=0)
    with writing(store.connection()):
        for principal, every in ((_FEW, 1000), (_SOME, 200)):
            store.connection().execute(
                "INSERT INTO grants SELECT ?, id, 'allow' FROM documents WHERE id % ? = 1", (principal, every)
            )
    return store


def _matrix(store: Store, chunks: int, dimension: int) -> Vector:
    """The chunks' vectors in the order of their ids, which is that of their places."""
    matrix: Vector = np.empty((chunks, dimension), np.float32)
    rows = store.connection().execute("SELECT vector FROM vectors ORDER BY id LIMIT ?", (chunks,))
    for number, (blob,) in enumerate(rows):
        matrix[number] = np.frombuffer(blob, "<f4")
    return matrix


def _share_looked_at(vectors: Vector, query: Vector) -> float:
    codes = packed.coded(vectors)
    blocks = [np.ascontiguousarray(codes[start : start + BLOCK].T) for start in range(0, len(codes), BLOCK)]
    scores = vectors @ query
    return _share(candidates(blocks, np.ones(len(codes), np.bool_), query, 10), scores)


def _embedded(data: Path, count: int) -> tuple[Vector, Vector, npt.NDArray[np.bool_]]:
    """Vectors of texts, of questions, and which of these are English; kept in FOLDER, for it takes half an hour."""
    texts, questions = _texts(data, count), list(_questions_in(data))
    embedder = EmbeddedEmbedder()
    told = "\n".join([embedder.identity.label, *texts, *(text for _, text in questions)])
    path = FOLDER / f"real-{hashlib.blake2b(told.encode('utf-8', 'replace'), digest_size=8).hexdigest()}.npz"
    english = np.array([lang == "en" for lang, _ in questions])
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        vectors = np.stack([vector for vector in embedder.embed_documents(texts) if vector is not None])
        asked = np.stack([embedder.embed_query(text, lang) for lang, text in questions])
        np.savez(path, vectors=vectors, asked=asked)
    with np.load(path) as held:
        return held["vectors"], held["asked"], english


def _texts(data: Path, count: int) -> list[str]:
    """Sentences of 25 to 160 characters, those of lowest hash: the same ones every time, of every file."""
    found: dict[str, None] = {}
    for path in sorted(path for path in data.rglob("*") if path.suffix in (".md", ".jsonl")):
        if "questions" not in path.name:
            for text in _strings(path):
                parts = (part.strip() for part in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n+", text))
                found |= dict.fromkeys(part for part in parts if 25 <= len(part) <= 160)
    return sorted(found, key=_by_hash)[:count]


def _strings(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        yield text
    else:
        for line in text.splitlines():
            yield from (value for value in json.loads(line).values() if isinstance(value, str))


def _questions_in(data: Path) -> Iterator[tuple[str, str]]:
    """(language, question) from xquad/questions.jsonl, rows with `lang` and `question`."""
    lines = (data / "xquad" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for lang, count in _LANGUAGES:
        own = sorted((row["question"] for row in rows if row["lang"] == lang), key=_by_hash)
        yield from ((lang, text) for text in islice(own, count))


def _by_hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
