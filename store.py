"""What remembers: one SQLite file with documents, who may read them, chunks, postings and vectors.

All reading of content goes through a Reader, which is bound to a Caller and masks in SQL and in the vectors what that
caller may not read. Knows no question and no answer; the sync stands in storage/syncing.py.
Try: python store.py --sync --docs docs, then python store.py --status
"""

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from access import Caller
from errors import IndexMismatch, StoreError
from models import Embedder, ModelIdentity, Vector
from storage import snapshot
from storage.schema import connect, translated, writing
from storage.snapshot import Ints, Snapshot

PROBES = ("annual leave of new staff", "The nightly backup starts at 03:15.", "出差报销需要在三十天内提交")
"""Fixed texts whose vectors tell one model from another of the same name."""
SAME_MODEL = 0.999
"""A probe's cosine below this to the stored one is another model."""


def text_hash(text: str) -> bytes:
    """The 16 bytes under which a text's vectors are kept."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk with what is known of its document."""

    id: int
    document_id: int
    path: str
    title: str
    lang: str
    heading: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    skip: int  # leading lines of `text` that are front matter or the heading
    context: str
    meta: dict[str, str]
    size: int
    mtime_ns: int
    sha256: str
    indexed_at: str


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an index, for people who run it."""

    path: str
    docs_root: str | None
    documents: int
    chunks: int
    last_indexed: str | None
    models: tuple[dict[str, Any], ...]  # identity, vectors, refused, missing
    megabytes: float


class Store:
    """One index file; safe to use from several threads, each with its own connection."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file; nothing later makes it again. Raises StoreError with the remedy."""
        self.path = Path(os.path.realpath(path))  # an index behind two names has one lock
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._model_ids: dict[Embedder, int] = {}  # found once a process: it costs three embeddings
        self._snapshots: dict[int, Snapshot] = {}
        self._masks: OrderedDict[tuple[int, int, frozenset[str]], npt.NDArray[np.bool_]] = OrderedDict()
        self._adopt(connect(self.path))
        self._file = self._file_now()

    def connection(self) -> sqlite3.Connection:
        """This thread's connection; for sync and migrations, not for reading content.

        Raises StoreError when the file is no longer the one that was opened: there would be two truths.
        """
        self._check_file()
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._adopt(connect(self.path, create=False))
            self._check_file()
        return found

    def close(self) -> None:
        """Closes every thread's connection."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    def claim(self, root: str) -> None:
        """Binds the index to a docs root at the first sync. Raises IndexMismatch when it belongs to another."""
        known = self._meta("docs_root")
        if known is None:
            with translated(self.path), writing(self.connection()):
                self.connection().execute("INSERT OR IGNORE INTO meta VALUES ('docs_root', ?)", (root,))
            known = self._meta("docs_root")
        if known != root:
            raise IndexMismatch(
                f"{self.path} is the index of {known}, not of {root}. Name another file with --db, or leave --db out."
            )

    def register(self, embedder: Embedder) -> int:
        """The id under which this embedder's vectors stand; a new one when its probes differ from the stored ones.

        Raises ModelError when the embedder is away.
        """
        if embedder in self._model_ids:
            return self._model_ids[embedder]
        probes = [vector for vector in embedder.embed_documents(PROBES) if vector is not None]
        stacked = np.concatenate(probes) if probes else np.empty(0, np.float32)
        found = self._registered(embedder.identity, stacked)
        if not found:
            with translated(self.path), writing(self.connection()):
                found = self._registered(embedder.identity, stacked) or self._insert_model(embedder.identity, stacked)
        self._model_ids[embedder] = found
        return found

    @contextlib.contextmanager
    def reader(self, caller: Caller, model_id: int = 0, without: str | None = None) -> Iterator["Reader"]:
        """A consistent view of what `caller` may read, with the vectors of one model (0: none).

        `without` is the path of a document that is left out as if the caller might not read it.
        """
        connection = self.connection()
        with translated(self.path):
            connection.execute("BEGIN")
            try:
                taken = self._snapshot(connection, model_id)
                mask = self._mask(connection, taken, caller)
                if without is not None:  # not cached: each is asked for once, and would push callers' masks out
                    rows = connection.execute("SELECT id FROM documents WHERE path = ?", (without,))
                    mask = mask & ~np.isin(taken.documents, [row[0] for row in rows])
                yield Reader(connection, taken, mask, caller)
            finally:
                connection.execute("ROLLBACK")

    def status(self) -> Status:
        """Counts over the whole index, whoever may read it."""
        with translated(self.path):
            connection = self.connection()
            documents, last = connection.execute("SELECT count(*), max(indexed_at) FROM documents").fetchone()
            (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
            models = tuple(self._model_status(row) for row in connection.execute("SELECT * FROM models ORDER BY id"))
        files = [self.path, Path(f"{self.path}-wal")]
        megabytes = sum(f.stat().st_size for f in files if f.exists()) / 1e6
        return Status(str(self.path), self._meta("docs_root"), documents, chunks, last, models, round(megabytes, 1))

    def chunk_count(self) -> int:
        """How many chunks the index holds, whoever may read them."""
        with translated(self.path):
            (chunks,) = self.connection().execute("SELECT count(*) FROM chunks").fetchone()
        return int(chunks)

    def calibration(self, model_id: int) -> str | None:
        """The stored calibration of a model as JSON, None when it was never calibrated."""
        with translated(self.path):
            found = self.connection().execute("SELECT value FROM calibrations WHERE model_id = ?", (model_id,))
            row = found.fetchone()
        return row[0] if row else None

    def is_calibrated(self) -> bool:
        """Whether a calibration of any model is stored."""
        with translated(self.path):
            return self.connection().execute("SELECT 1 FROM calibrations LIMIT 1").fetchone() is not None

    def calibrate(self, model_id: int, value: str) -> None:
        """Stores a calibration (JSON) in place of the model's former one."""
        with translated(self.path), writing(self.connection()):
            self.connection().execute("INSERT OR REPLACE INTO calibrations VALUES (?, ?)", (model_id, value))

    def _adopt(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        self._local.connection = connection
        with self._lock:
            self._connections.append(connection)
        return connection

    def _file_now(self) -> tuple[int, int] | None:
        with translated(self.path):
            try:
                found = os.stat(self.path)
            except FileNotFoundError:
                return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        if self._file_now() != self._file:
            raise StoreError(f"{self.path} was removed or replaced while in use. Restart the program.")

    def _meta(self, key: str) -> str | None:
        with translated(self.path):
            row = self.connection().execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _registered(self, identity: ModelIdentity, probes: Vector) -> int | None:
        with translated(self.path):
            rows = self.connection().execute(
                "SELECT id, probes FROM models WHERE backend = ? AND name = ? AND digest = ? AND dimension = ? "
                "AND prompt_version = ? ORDER BY id DESC",
                (identity.backend, identity.name, identity.digest, identity.dimension, identity.prompt_version),
            )
            for model_id, blob in rows:
                stored = np.frombuffer(blob, "<f4")
                if stored.shape == probes.shape and _least_cosine(stored, probes, identity.dimension) >= SAME_MODEL:
                    return int(model_id)
        return None

    def _insert_model(self, identity: ModelIdentity, probes: Vector) -> int:
        columns = (identity.backend, identity.name, identity.digest, identity.dimension, identity.prompt_version)
        cursor = self.connection().execute(
            "INSERT INTO models (backend, name, digest, dimension, prompt_version, probes) VALUES (?, ?, ?, ?, ?, ?)",
            (*columns, probes.astype("<f4").tobytes()),
        )
        return int(cursor.lastrowid or 0)

    def _model_status(self, row: Sequence[Any]) -> dict[str, Any]:
        model_id, backend, name, digest, dimension, *_ = row
        filled, refused = self.connection().execute(
            "SELECT count(vector), count(*) - count(vector) FROM vectors WHERE model_id = ?", (model_id,)
        ).fetchone()  # fmt: skip
        (missing,) = self.connection().execute(
            "SELECT count(*) FROM chunks c WHERE NOT EXISTS "
            "(SELECT 1 FROM vectors v WHERE v.model_id = ? AND v.text_hash = c.text_hash)", (model_id,)
        ).fetchone()  # fmt: skip
        return {
            "id": model_id, "backend": backend, "name": name, "digest": digest, "dimension": dimension,
            "vectors": filled, "refused": refused, "missing": missing,
        }  # fmt: skip

    def _snapshot(self, connection: sqlite3.Connection, model_id: int) -> Snapshot:
        generation = int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])
        with self._lock:
            held = self._snapshots.get(model_id)
            if held is None or held.generation < generation:
                row = connection.execute("SELECT dimension FROM models WHERE id = ?", (model_id,)).fetchone()
                if model_id and row is None:
                    raise StoreError(f"{self.path} holds no vectors of model {model_id}. Run: python store.py --sync")
                held = snapshot.load(connection, generation, model_id, row[0] if row else 0, held)
                self._snapshots[model_id] = held
            if held.generation > generation:  # this transaction began before the newest one ended
                return snapshot.load(connection, generation, model_id, held.matrix.shape[1], held)
            return held

    def _mask(self, connection: sqlite3.Connection, taken: Snapshot, caller: Caller) -> npt.NDArray[np.bool_]:
        key = (taken.generation, taken.model_id, caller.principals)
        with self._lock:
            if key in self._masks:
                self._masks.move_to_end(key)
                return self._masks[key]
        marks = ",".join("?" * len(caller.principals))  # none: `IN ()`, which matches nothing
        rows = connection.execute(
            f"SELECT DISTINCT document_id FROM grants WHERE principal IN ({marks})",
            sorted(caller.principals),
        )
        mask = np.isin(taken.documents, np.fromiter((row[0] for row in rows), np.int64))
        with self._lock:
            self._masks[key] = mask
            while len(self._masks) > 64:
                self._masks.popitem(last=False)
        return mask


class Reader:
    """What one caller may read, as of one moment. Chunks are told by their place in the snapshot's arrays."""

    def __init__(
        self, connection: sqlite3.Connection, taken: Snapshot, mask: npt.NDArray[np.bool_], caller: Caller
    ) -> None:
        self._connection, self._snapshot, self._mask, self.caller = connection, taken, mask, caller

    @property
    def count(self) -> int:
        """How many chunks the caller may read."""
        return int(self._mask.sum())

    @property
    def lengths(self) -> Ints:
        """Index terms of each chunk; 0 for one the caller may not read."""
        return np.where(self._mask, self._snapshot.terms, 0)

    def languages(self) -> list[str]:
        """Languages of the documents the caller may read, the most frequent first."""
        readable = set(np.unique(self._snapshot.documents[self._mask]).tolist())
        rows = self._connection.execute("SELECT id, lang FROM documents")
        counts = Counter(lang for document_id, lang in rows if document_id in readable)
        return [lang for lang, _ in counts.most_common()]

    def cosines(self, query: Vector) -> Vector:
        """Cosine of every chunk with the question; minus infinity without a vector or without the right to read."""
        scores = self._snapshot.cosines(query)
        scores[~self._mask] = -np.inf
        return scores

    def postings(self, term: str) -> tuple[Ints, Ints]:
        """Places of the chunks that hold an index term, and how often each holds it."""
        rows = self._connection.execute("SELECT doc, count(*) FROM postings WHERE term = ? GROUP BY doc", (term,))
        flat = np.fromiter((value for row in rows for value in row), np.int64).reshape(-1, 2)
        places = np.searchsorted(self._snapshot.ids, flat[:, 0])
        readable = self._mask[places]
        return places[readable], flat[readable, 1]

    def best_units(self, query: Vector, places: Sequence[int]) -> dict[int, float]:
        """The highest cosine of the question with a unit of each chunk; a chunk without unit vectors is left out."""
        ids = {int(self._snapshot.ids[place]): place for place in places if self._mask[place]}
        rows = self._connection.execute(  # CROSS: units first; SQLite would else go through all of the model's vectors
            "SELECT u.chunk_id, v.vector FROM units u "
            "CROSS JOIN vectors v ON v.model_id = ? AND v.text_hash = u.text_hash "
            f"WHERE v.vector IS NOT NULL AND u.chunk_id IN ({','.join('?' * len(ids))})",
            (self._snapshot.model_id, *ids),
        ).fetchall()
        best: dict[int, float] = {}
        if rows:
            vectors = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), -1)
            for (chunk_id, _), score in zip(rows, np.einsum("ij,j->i", vectors, query), strict=True):
                best[ids[chunk_id]] = max(float(score), best.get(ids[chunk_id], -1.0))
        return best

    def vectors_of(self, texts: Sequence[str]) -> list[Vector | None]:
        """The stored vectors of units that stand in passages the caller was given; None for one that has none."""
        found = []
        for text in texts:
            row = self._connection.execute(
                "SELECT vector FROM vectors WHERE model_id = ? AND text_hash = ?",
                (self._snapshot.model_id, text_hash(text)),
            ).fetchone()
            found.append(np.frombuffer(row[0], "<f4") if row and row[0] else None)
        return found

    def chunks(self, places: Sequence[int]) -> list[ChunkRow]:
        """The chunks at `places`, in that order; those the caller may not read are left out."""
        found = []
        for place in places:
            if self._mask[place]:
                row = self._connection.execute(
                    "SELECT c.id, d.id, d.path, d.title, d.lang, c.heading, c.first_line, c.last_line, c.text, "
                    "c.skip, c.context, d.meta, d.size, d.mtime_ns, d.sha256, d.indexed_at FROM chunks c "
                    "JOIN documents d ON d.id = c.document_id WHERE c.id = ?",
                    (int(self._snapshot.ids[place]),),
                ).fetchone()
                columns = list(row)
                columns[5], columns[11] = tuple(json.loads(row[5])), json.loads(row[11])
                found.append(ChunkRow(*columns))
        return found


def _least_cosine(stored: Vector, probes: Vector, dimension: int) -> float:
    if not len(probes):
        return 1.0  # a model that refuses all probes is told by its name alone
    return float((stored.reshape(-1, dimension) * probes.reshape(-1, dimension)).sum(axis=1).min())


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: syncs, shows the state, or both. Exit 0, 2 for wrong use or documents, 3 for a model away."""
    import commandline
    from calibration.first import first_limit
    from search import open_index

    parser = commandline.parser(
        "Sync the index with the documents, or show its state.", "python store.py --sync --docs ~/handbook"
    )
    parser.add_argument("--sync", action="store_true", help="bring the index up to date (the default with no flag)")
    parser.add_argument("--status", action="store_true", help="show what the index holds")
    parser.add_argument("--allow-empty", action="store_true", help="accept that all documents are gone")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    report: dict[str, Any] = {}
    with open_index(settings, notice=commandline.notice) as index:
        if args.sync or not args.status:
            with commandline.progress("Indexing") as progress:
                summary = index.sync(allow_empty=args.allow_empty, retry_refused=True, progress=progress)
            first_limit(index, commandline.notice, commandline.progress)
            report["sync"] = asdict(summary)
        if args.status:
            measured = index.calibration()
            limits: dict[str, Any] = {"limit": asdict(index.searcher().limit), "measured": "never"}
            if measured:
                groups = {f"min_score_{name}": limit for name, limit in measured.groups.items()}
                limits["measured"] = measured.measured | groups | {"chunks": measured.chunks, "model": measured.model}
            report["status"] = asdict(index.store.status()) | limits
    commandline.show(report, args.json)
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
