"""What remembers: one SQLite file with documents, who may read them, chunks, postings and vectors.

All reading of content goes through a Reader (storage/reader.py), which is bound to a Caller. Knows no question and no
answer; the sync stands in storage/syncing.py.
Try: python store.py --sync --docs docs, then python store.py --status
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import contextlib
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from access import AccessList, Caller, passes
from access.passes import Pass
from config import Settings
from database import Connection, meta
from errors import IndexMismatch, StoreBusy, StoreError
from models import Embedder
from storage import lists, moving, registry, snapshot
from storage.filter import EVERYTHING, Filter
from storage.lock import locked
from storage.masked import MaskedReader, Rights, numbers
from storage.reader import Reader, marks
from storage.report import NOT_LOOKED_AT, Receipt, parted, passed_by
from storage.schema import connect, translated, writing
from storage.shelf import Shelf, SqliteShelf
from storage.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an index, for people who run it."""

    path: str
    docs_root: str | None
    documents: int
    chunks: int
    last_indexed: str | None
    models: tuple[dict[str, Any], ...]  # identity, vectors, refused, missing, state
    megabytes: float
    judgements: int  # of answers, by people
    undecided: int  # of those, that nobody has approved or rejected


class Store:
    """One index file; safe to use from several threads, each with its own connection."""

    open_documents = lists.OPEN
    """SQL that gives the documents which everyone may read, whatever happens to anybody's groups."""

    def __init__(self, path: Path, list_seconds: float = 0.0) -> None:
        """Opens or makes the file; nothing later makes it again. Raises StoreError with the remedy.

        Access lists that were compared with their source longer ago than `list_seconds` hold no more; 0: they do.
        """
        self.list_seconds = list_seconds
        self.terms: str | None = None
        """The settings that access lists must come from for anything to be read, None for any; see lists_terms."""
        self.path = Path(os.path.realpath(path))  # an index behind two names has one lock
        self.name = str(self.path)  # for people
        self._local = threading.local()
        self._connections: list[Connection] = []
        self._lock = threading.Lock()
        self._model_ids: dict[Embedder, tuple[int, bytes]] = {}  # with the probes, which cost three embeddings
        self._snapshots: dict[int, Snapshot] = {}
        self._counted = self._open = "", 0  # generation, chunks
        self._rights: OrderedDict[tuple[Hashable, ...], Rights] = OrderedDict()
        self._adopt(self._connect())
        self._file = self._file_now()

    def connection(self) -> Connection:
        """This thread's connection; for sync and migrations, not for reading content.

        Raises StoreError when the file is no longer the one that was opened: there would be two truths.
        """
        self._check_file()
        found: Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._adopt(self._connect(create=False))
            self._check_file()
        return found

    def close(self) -> None:
        """Closes every thread's connection."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    def shelf(self) -> Shelf:
        """What this thread's sync writes by."""
        return SqliteShelf(self.connection(), self.path)

    def locked(self, wait: bool, what: str = "") -> contextlib.AbstractContextManager[None]:
        """While the block runs nobody else syncs this index or measures its limit, or does `what`. Raises StoreBusy."""
        return locked(Path(f"{self.path}-{what}") if what else self.path, wait)

    def claim(self, root: str) -> None:
        """Binds the index to a docs root at the first sync. Raises IndexMismatch when it belongs to another."""
        known = self._meta("docs_root")
        if known is None:
            with translated(self.path), writing(self.connection()):
                self.connection().execute(
                    "INSERT INTO meta VALUES ('docs_root', ?) ON CONFLICT (key) DO NOTHING", (root,)
                )
            known = self._meta("docs_root")
        if known != root:
            raise IndexMismatch(
                f"{self.path} is the index of {known}, not of {root}. Name another file with --db, or leave --db out."
            )

    def register(self, embedder: Embedder) -> int:
        """The id under which this embedder's vectors stand; a new one when its probes differ from the stored ones.

        Raises ModelError when the embedder is away.
        """
        held = self._model_ids.get(embedder)
        if held and self._is_still(held):
            return held[0]
        identity, stacked = embedder.identity, registry.probes_of(embedder)
        with translated(self.path):
            found = registry.registered(self.connection(), identity, stacked)
            if not found:
                with writing(connection := self.connection()):
                    found = registry.registered(connection, identity, stacked)
                    found = found or registry.insert(connection, identity, stacked)
        self._model_ids[embedder] = found
        return found[0]

    def known(self, embedder: Embedder) -> int | None:
        """The id under which this embedder's vectors stand, None when it is not registered. Raises ModelError."""
        stacked = registry.probes_of(embedder)
        with translated(self.path):
            found = registry.registered(self.connection(), embedder.identity, stacked)
        return found[0] if found else None

    @contextlib.contextmanager
    def reader(self, caller: Caller, model_id: int = 0, wanted: Filter = EVERYTHING) -> Iterator[Reader]:
        """A consistent view of what `caller` may read and `wanted` lets in, with the vectors of one model (0: none)."""
        connection = self.connection()
        with translated(self.path):
            taken, again = None, False
            while taken is None:
                connection.execute("BEGIN")
                try:
                    if self.terms is not None and lists.terms_of(connection) != self.terms:
                        raise StoreBusy("Who may read what is being compared. Ask again in a few seconds.")
                    taken = self._snapshot(connection, model_id, again)
                    again = True
                    if taken is not None:
                        rights = self._may_read(connection, taken, caller, wanted)
                        yield MaskedReader(connection, taken, rights, caller)
                finally:
                    connection.execute("ROLLBACK")

    def status(self) -> Status:
        """Counts over the whole index, whoever may read it."""
        with translated(self.path):
            connection = self.connection()
            documents, last = connection.execute("SELECT count(*), max(indexed_at) FROM documents").fetchone()
            held = moving.answering(connection)
            rows = connection.execute("SELECT * FROM models ORDER BY id")
            models = tuple(registry.status(connection, row, held) for row in rows)
            judged = connection.execute(
                "SELECT count(*), count(*) FILTER (WHERE decision = '') FROM feedback"
            ).fetchone()
        return Status(
            self.name,
            self._meta("docs_root"),
            documents,
            self.chunk_count(),
            last,
            models,
            round(self._bytes() / 1e6, 1),
            *judged,
        )

    def receipts(self) -> list[Receipt]:
        """What became of every file that is indexed, by path, whoever may read it."""
        with translated(self.path):
            rows = self.connection().execute(
                "SELECT path, format, characters, (SELECT count(*) FROM chunks WHERE document_id = d.id), notes, "
                "indexed_at FROM documents d ORDER BY path"
            )
            return [
                Receipt(path, ending, characters, chunks, tuple(json.loads(notes)), indexed_at)
                for path, ending, characters, chunks, notes, indexed_at in rows
            ]

    def left_out(self) -> list[tuple[str, str]]:
        """(path, reason) of every file that the last sync listed and did not take in, by path."""
        with translated(self.path):
            rows = self.connection().execute("SELECT path, reason FROM left_out ORDER BY path, reason")
            return [(path, reason) for path, reason in rows]

    def not_looked_at(self) -> dict[str, int]:
        """How many files of each ending the last sync passed by, since nothing here reads such."""
        found: dict[str, int] = json.loads(self._meta(NOT_LOOKED_AT) or "{}")
        return found

    def chunk_count(self) -> int:
        """How many chunks the index holds, whoever may read them; counted once a generation."""
        with translated(self.path):
            sql = "SELECT value, CASE WHEN value <> ? THEN (SELECT count(*) FROM chunks) END FROM meta"
            row = self.connection().execute(f"{sql} WHERE key = 'generation'", (self._counted[0],)).fetchone()
        if row[1] is not None:
            self._counted = row[0], int(row[1])
        return self._counted[1]

    def open_count(self) -> int:
        """How many of them everyone may read; counted once a generation."""
        with translated(self.path):
            sql = f"(SELECT count(*) FROM chunks WHERE document_id IN ({self.open_documents}))"
            row = (
                self.connection()
                .execute(
                    f"SELECT value, CASE WHEN value <> ? THEN {sql} END FROM meta WHERE key = 'generation'",
                    self._open[:1],
                )
                .fetchone()
            )
        if row[1] is not None:
            self._open = row[0], int(row[1])
        return self._open[1]

    def generation(self) -> int:
        """Which state of the index this is; it grows with every change, by whatever process."""
        return int(self._meta("generation") or 0)

    def epoch(self) -> int:
        """A number that each restore of a backup raises."""
        return self.generation() // snapshot.JUMP

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
            self.connection().execute(
                "INSERT INTO calibrations VALUES (?, ?) ON CONFLICT (model_id) DO UPDATE SET value = excluded.value",
                (model_id, value),
            )

    def _connect(self, create: bool = True) -> Connection:
        return connect(self.path, create=create)

    def _adopt(self, connection: Connection) -> Connection:
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
            return meta(self.connection(), key)

    def _bytes(self) -> int:
        return sum(file.stat().st_size for file in (self.path, Path(f"{self.path}-wal")) if file.exists())

    def _is_still(self, held: tuple[int, bytes]) -> bool:
        """After a restore the number may be another model's."""
        with translated(self.path):
            row = self.connection().execute("SELECT 1 FROM models WHERE (id, probes) = (?, ?)", held).fetchone()
        return row is not None

    def _snapshot(self, connection: Connection, model_id: int, again: bool) -> Snapshot | None:
        """The state that this transaction reads; None when another thread holds a newer one: begin `again`.

        One that is newer still than a second beginning means that the file was set back by other means than ours.
        """
        generation = int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])
        with self._lock:
            held = self._snapshots.get(model_id)
            if held is not None and held.generation > generation:
                if not again:
                    return None
                self._snapshots.clear()
                self._rights.clear()
                held = None
            if held is None or held.generation < generation:
                row = connection.execute("SELECT dimension FROM models WHERE id = ?", (model_id,)).fetchone()
                if model_id and row is None:
                    raise StoreError(f"{self.path} holds no vectors of model {model_id}. Run: python store.py --sync")
                held = snapshot.load(connection, generation, model_id, row[0] if row else 0, held)
                self._snapshots[model_id] = held
            return held

    def pass_age(self) -> float | None:
        """Seconds since every document and list was last compared with the source; None for never."""
        with translated(self.path):
            return lists.age_of(self.connection())

    def passes(self) -> dict[str, Pass]:
        """How it stands with each pass over a source or a directory, by its name (access/passes.py)."""
        with translated(self.path):
            return passes.every(self.connection())

    def lists_terms(self) -> str:
        """The settings that the access lists in the index come from; see Source.access_terms."""
        with translated(self.path):
            return lists.terms_of(self.connection())

    def lists_by_path(self) -> dict[str, AccessList]:
        """Every document's list by its path, whoever may read it."""
        with translated(self.path):
            return lists.by_path(self.connection(), self.shelf().lists())

    def custodian(self) -> Caller:
        """Who measures the limit: nobody who asks. See storage.lists.custodian."""
        with translated(self.path):
            return lists.custodian(self.connection())

    def _are_lists_old(self, connection: Connection) -> bool:
        """Whether access lists hold no more, but for those that are open to everyone."""
        if not self.list_seconds:
            return False
        age = lists.age_of(connection)
        return age is None or abs(age) > self.list_seconds  # a clock set back is no reason to trust them

    def _may_read(self, connection: Connection, taken: Snapshot, caller: Caller, wanted: Filter) -> Rights:
        if wanted.without:  # not held: each is asked for once, and would push callers' rights out
            rights = self._may_read(connection, taken, caller, replace(wanted, without=()))
            sql = f"SELECT group_concat(id) FROM documents WHERE path IN ({marks(wanted.without)})"
            left_out = numbers(connection, sql, wanted.without)
            mask = rights.mask & ~np.repeat(np.isin(taken.documents, left_out), taken.sizes)
            return Rights(taken.generation, mask, int(np.count_nonzero(mask)), rights.languages)
        old = self._are_lists_old(connection)
        key = (taken.model_id, caller.sets, wanted, old)
        with self._lock:
            held = self._rights.get(key)
            if held is not None and held.generation == taken.generation:
                self._rights.move_to_end(key)
                return held
        granted, values = lists.readable(caller)
        condition, more = wanted.condition()
        if old:
            condition += f" AND d.id IN ({self.open_documents})"
        if condition:
            granted, values = (
                f"SELECT d.id AS document_id FROM documents d WHERE d.id IN ({granted}){condition}",
                values + more,
            )
        documents = numbers(connection, f"SELECT group_concat(document_id) FROM ({granted})", values)
        mask = np.repeat(np.isin(taken.documents, documents), taken.sizes)
        languages = connection.execute(
            f"SELECT lang FROM documents WHERE id IN ({granted}) GROUP BY lang ORDER BY count(*) DESC, min(id)",
            values,
        )
        found = Rights(taken.generation, mask, int(np.count_nonzero(mask)), [row[0] for row in languages])
        with self._lock:
            self._rights[key] = found
            while len(self._rights) > 64:
                self._rights.popitem(last=False)
        return found


def store_of(settings: Settings, list_seconds: float = 0.0) -> Store:
    """The index of the settings, in a file or in PostgreSQL. Raises StoreError, UsageError."""
    if not settings.database:
        return Store(settings.db, list_seconds)
    from postgres import check_driver  # it takes a while to load, and most have no use for it

    check_driver()
    from postgres.store import PostgresStore

    return PostgresStore(settings.database, list_seconds)


def name_of(settings: Settings) -> str:
    """Where the index of the settings is, for people: a path, or an address without its password. Raises UsageError."""
    if not settings.database:
        return str(settings.db)
    from postgres import check_driver

    check_driver()
    from postgres.connection import label

    return label(settings.database)


@contextlib.contextmanager
def connected(settings: Settings, *, create: bool = True) -> Iterator[Connection]:
    """A connection to the index of the settings, for a command. With `create` a file is made if there is none.

    Raises StoreError, UsageError.
    """
    if settings.database:
        with contextlib.closing(store_of(settings)) as store:
            yield store.connection()
        return
    with translated(settings.db), contextlib.closing(connect(settings.db, create=create)) as connection:
        yield connection


def _receipts(held: Store, as_json: bool) -> dict[str, Any]:
    receipts, out, passed = held.receipts(), held.left_out(), held.not_looked_at()
    if as_json:
        return {"indexed": list(map(asdict, receipts)), "left_out": out, "not_looked_at": passed}
    return {"indexed": list(map(str, receipts)), **parted(out), "not_looked_at": passed_by(passed)}


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: syncs, follows, shows the state, cares for the file.

    Exit 0, 2 for wrong use, documents or a fault that --verify found, 3 for a model away.
    """
    import commandline
    from calibration.first import first_limit
    from search import open_index
    from storage.command import add_flags, command

    parser = commandline.parser(
        "Sync the index with the documents, show its state, or care for its file or database.",
        "python store.py --sync --docs ~/handbook",
    )
    parser.add_argument("--sync", action="store_true", help="bring the index up to date (the default with no flag)")
    parser.add_argument("--watch", action="store_true", help="sync, then follow the documents until Ctrl-C")
    parser.add_argument("--status", action="store_true", help="show what the index holds")
    parser.add_argument("--receipts", action="store_true", help="show what became of every file")
    parser.add_argument("--allow-empty", action="store_true", help="accept that all documents are gone")
    add_flags(parser)
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    if done := command(args, settings):
        commandline.show(done[0], args.json)
        return done[1]
    report: dict[str, Any] = {}
    with open_index(settings, notice=commandline.notice) as index:
        if args.watch:
            from storage.watch import watch

            limit = partial(first_limit, index, commandline.notice, commandline.progress)
            watch(index, limit, allow_empty=args.allow_empty, as_json=args.json)
            return 0
        if args.sync or not (args.status or args.receipts):
            with commandline.progress("Indexing") as progress:
                summary = index.sync(allow_empty=args.allow_empty, retry_refused=True, progress=progress)
            first_limit(index, commandline.notice, commandline.progress)
            report["sync"] = {name: value for name, value in asdict(summary).items() if name != "named"}
            if not args.json:
                del report["sync"]["skipped"]
                report["sync"] |= {**parted(summary.skipped), "not_looked_at": passed_by(summary.not_looked_at)}
        if args.status:
            measured = index.calibration()
            searcher = index.searcher()
            in_force = asdict(searcher.limit)
            in_force["why"] = commandline.aimed(in_force["why"])
            limits: dict[str, Any] = {"limit": in_force, "measured": "never"}
            if searcher.moving:
                limits["moving"] = searcher.moving
            if measured:
                groups = {f"min_score_{name}": limit for name, limit in measured.groups.items()}
                limits["measured"] = measured.measured | groups | {"chunks": measured.chunks, "model": measured.model}
            report["status"] = asdict(index.store.status()) | limits
        if args.receipts:
            report["receipts"] = _receipts(index.store, args.json)
    commandline.show(report, args.json)
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
