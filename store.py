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
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from access import Caller
from errors import IndexMismatch, StoreError
from models import Embedder, ModelIdentity, Vector
from storage import snapshot
from storage.filter import EVERYTHING, Filter
from storage.nearest import Ints, Mask, candidates
from storage.schema import connect, translated, writing
from storage.snapshot import Snapshot

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
    dated: str  # ISO date: the front matter's, else the file's

    @property
    def lines(self) -> str:
        """Its lines as a citation has them: L9-14."""
        return f"L{self.first_line}-{self.last_line}"


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


@dataclass(slots=True)
class _Rights:
    """What one set of principals may read of a snapshot."""

    generation: int
    mask: Mask  # of places
    count: int
    languages: list[str]


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
        self._counted = "", 0  # generation, chunks
        self._rights: OrderedDict[tuple[int, frozenset[str], Filter], _Rights] = OrderedDict()
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
    def reader(self, caller: Caller, model_id: int = 0, wanted: Filter = EVERYTHING) -> Iterator["Reader"]:
        """A consistent view of what `caller` may read and `wanted` lets in, with the vectors of one model (0: none)."""
        connection = self.connection()
        with translated(self.path):
            taken = None
            while taken is None:
                connection.execute("BEGIN")
                try:
                    taken = self._snapshot(connection, model_id)
                    if taken is not None:
                        yield Reader(connection, taken, self._may_read(connection, taken, caller, wanted), caller)
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
        """How many chunks the index holds, whoever may read them; counted once a generation."""
        with translated(self.path):
            sql = "SELECT value, CASE WHEN value <> ? THEN (SELECT count(*) FROM chunks) END FROM meta"
            row = self.connection().execute(f"{sql} WHERE key = 'generation'", (self._counted[0],)).fetchone()
        if row[1] is not None:
            self._counted = row[0], int(row[1])
        return self._counted[1]

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

    def _snapshot(self, connection: sqlite3.Connection, model_id: int) -> Snapshot | None:
        """The state that this transaction reads; None when another thread holds a newer one: begin again."""
        generation = int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])
        with self._lock:
            held = self._snapshots.get(model_id)
            if held is not None and held.generation > generation:
                return None
            if held is None or held.generation < generation:
                row = connection.execute("SELECT dimension FROM models WHERE id = ?", (model_id,)).fetchone()
                if model_id and row is None:
                    raise StoreError(f"{self.path} holds no vectors of model {model_id}. Run: python store.py --sync")
                held = snapshot.load(connection, generation, model_id, row[0] if row else 0, held)
                self._snapshots[model_id] = held
            return held

    def _may_read(self, connection: sqlite3.Connection, taken: Snapshot, caller: Caller, wanted: Filter) -> _Rights:
        if wanted.without:  # not held: each is asked for once, and would push callers' rights out
            rights = self._may_read(connection, taken, caller, replace(wanted, without=()))
            marks = ",".join("?" * len(wanted.without))
            sql = f"SELECT group_concat(id) FROM documents WHERE path IN ({marks})"
            left_out = numbers(connection, sql, wanted.without)
            mask = rights.mask & ~np.repeat(np.isin(taken.documents, left_out), taken.sizes)
            return replace(rights, mask=mask, count=int(np.count_nonzero(mask)))
        key = (taken.model_id, caller.principals, wanted)
        with self._lock:
            held = self._rights.get(key)
            if held is not None and held.generation == taken.generation:
                self._rights.move_to_end(key)
                return held
        marks = ",".join("?" * len(caller.principals))  # none: `IN ()`, which matches nothing
        condition, values = wanted.condition()
        granted = (
            f"SELECT DISTINCT g.document_id FROM grants g{' JOIN documents d ON d.id = g.document_id' * bool(values)} "
            f"WHERE g.principal IN ({marks}){condition}"
        )
        values = [*sorted(caller.principals), *values]
        documents = numbers(connection, f"SELECT group_concat(document_id) FROM ({granted})", values)
        mask = np.repeat(np.isin(taken.documents, documents), taken.sizes)
        languages = connection.execute(
            f"SELECT lang FROM documents WHERE id IN ({granted}) GROUP BY lang ORDER BY count(*) DESC, min(id)",
            values,
        )
        found = _Rights(taken.generation, mask, int(np.count_nonzero(mask)), [row[0] for row in languages])
        with self._lock:
            self._rights[key] = found
            while len(self._rights) > 64:
                self._rights.popitem(last=False)
        return found


class Reader:
    """What one caller may read, as of one moment. Chunks are told by their place in the snapshot's arrays."""

    def __init__(self, connection: sqlite3.Connection, taken: Snapshot, rights: _Rights, caller: Caller) -> None:
        self._connection, self._snapshot, self._rights, self.caller = connection, taken, rights, caller
        self._mask = rights.mask

    @property
    def count(self) -> int:
        """How many chunks the caller may read."""
        return self._rights.count

    @property
    def lengths(self) -> Ints:
        """Index terms of each chunk; 0 for one the caller may not read."""
        return np.where(self._mask, self._snapshot.terms, 0)

    def languages(self) -> list[str]:
        """Languages of the documents the caller may read, the most frequent first."""
        return list(self._rights.languages)

    def nearest(self, query: Vector, count: int) -> tuple[Ints, Vector]:
        """Places of the `count` readable chunks nearest to the question, best first, ties by place; their cosines.

        The cosines are exact. Which places are looked at is exact where the caller may read 1,024 chunks or fewer;
        of a million, .997 of the true ten are (eval/LOG.md).
        """
        taken = self._snapshot
        places = candidates(taken.blocks, self._mask & (taken.vectors > 0), query, count)
        scores = taken.exact.cosines(self._connection, taken.vectors[places], query)
        best = np.argsort(-scores, kind="stable")[:count]
        return places[best], scores[best]

    def cosines_at(self, query: Vector, places: Sequence[int] | Ints) -> Vector:
        """The question's cosine with each of these chunks; minus infinity for one without a vector or not readable."""
        wanted = np.asarray(places, np.int64)
        scores: Vector = np.full(len(wanted), -np.inf, np.float32)
        has = self._mask[wanted] & (self._snapshot.vectors[wanted] > 0)
        ids = self._snapshot.vectors[wanted[has]]
        scores[has] = self._snapshot.exact.cosines(self._connection, ids, query)
        return scores

    def postings(self, term: str) -> tuple[Ints, Ints]:
        """Places of the chunks that hold an index term, and how often each holds it."""
        held = numbers(self._connection, "SELECT group_concat(doc) FROM postings WHERE term = ?", (term,))
        firsts = np.flatnonzero(np.diff(held, prepend=-1))  # they come in the order of their ids
        places, inside = self._places(held[firsts])
        readable = self._mask[places]
        return places[readable], np.diff(firsts, append=len(held))[inside][readable]

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

    def chunks(self, places: Iterable[int]) -> Iterator[ChunkRow]:
        """The chunks at `places`, in that order, read as they are asked for; those not to be read are left out."""
        for place in places:
            if self._mask[place]:
                yield from self._rows("c.id = ?", (int(self._snapshot.ids[place]),))

    def documents(self, places: Iterable[int]) -> dict[int, int]:
        """The document of each readable place, by a number that means nothing outside this reader."""
        taken, wanted = self._snapshot, [place for place in places if self._mask[place]]
        at = np.searchsorted(np.cumsum(taken.sizes), np.array(wanted, np.int64), side="right")
        return dict(zip(wanted, taken.documents[at].tolist(), strict=True))

    def dates(self, places: Iterable[int]) -> dict[int, str]:
        """The ISO date of the document of each readable place, "" for one synced before dates were kept."""
        documents = self.documents(places)
        wanted = sorted(set(documents.values()))
        rows = self._connection.execute(
            f"SELECT id, dated FROM documents WHERE id IN ({','.join('?' * len(wanted))})", wanted
        )
        dated = dict(rows.fetchall())
        return {place: dated[document] for place, document in documents.items()}

    def section(self, chunk: ChunkRow) -> list[ChunkRow]:
        """All chunks under the heading of a chunk that the caller may read, in the file's order; none of another."""
        places, _ = self._places(np.array([chunk.id]))
        if not self._mask[places].any():
            return []  # removed, or no longer to be read, since it was found
        heading = json.dumps(chunk.heading, ensure_ascii=False)
        return list(self._rows("c.document_id = ? AND c.heading = ?", (chunk.document_id, heading)))

    def _rows(self, condition: str, values: Sequence[int | str]) -> Iterator[ChunkRow]:
        rows = self._connection.execute(
            "SELECT c.id, d.id, d.path, d.title, d.lang, c.heading, c.first_line, c.last_line, c.text, "
            "c.skip, c.context, d.meta, d.size, d.mtime_ns, d.sha256, d.indexed_at, d.dated FROM chunks c "
            f"JOIN documents d ON d.id = c.document_id WHERE {condition} ORDER BY c.first_line",
            values,
        )
        for row in rows:
            columns = list(row)
            columns[5], columns[11] = tuple(json.loads(row[5])), json.loads(row[11])
            yield ChunkRow(*columns)

    def phrase(self, terms: Sequence[str]) -> Ints:
        """Places of the chunks that hold these index terms one after another."""
        rows = self._connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{" ".join(terms)}"',))
        places, _ = self._places(np.fromiter((row[0] for row in rows), np.int64))
        return places[self._mask[places]]

    def _places(self, chunk_ids: Ints) -> tuple[Ints, Mask]:
        """Where these chunks stand in the snapshot, and which of them do: a chunk of another version's sync may not."""
        ids = self._snapshot.ids
        places = np.searchsorted(ids, chunk_ids)
        inside = places < len(ids)
        inside[inside] = ids[places[inside]] == chunk_ids[inside]
        return places[inside], inside


def numbers(connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> Ints:
    """The whole numbers that `sql` joins by group_concat: a quarter of the time that a row each would take."""
    (found,) = connection.execute(sql, values).fetchone()
    return np.fromstring(found, np.int64, sep=",") if found is not None else np.empty(0, np.int64)


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
