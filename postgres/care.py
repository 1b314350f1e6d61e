"""Care of an index in PostgreSQL, as storage/care.py has it of a file: copied, put back, moved between the engines.

A copy is one transaction there and one moment here. What stands already is replaced only where that is meant, and then
as a restore does: documents go back, deeds and doors do not. Knows no question, no model and no documents' folder.
Try: BRAIN_DATABASE=postgresql://app@db/brain python store.py --backup /tmp/index.db
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from access import LOCAL, AccessList
from access.audit import add, verify
from config import Settings
from database import Connection, set_meta
from errors import IndexMismatch, StoreError, UsageError
from postgres import transfer
from postgres.connection import label
from postgres.store import PostgresStore
from storage import care, chain, lists, moving
from storage.care import Copied, Vacuumed
from storage.report import Progress
from storage.schema import ORPHANED, connect, translated, writing
from storage.shelf import SqliteShelf
from storage.snapshot import JUMP
from store import Store, store_of

_HERE = "SELECT pg_postmaster_start_time(), oid FROM pg_database WHERE datname = current_database()"
_ROW = 200  # bytes of a row besides its text and vectors, roughly


def copy_to(settings: Settings, address: str, *, force: bool = False, progress: Progress | None = None) -> Copied:
    """Copies the index of the settings, of either engine, into the database at `address`.

    One that holds an index already is refused without `force`. Raises UsageError, StoreBusy while somebody syncs there,
    StoreError. Killed or failing, the other index is as it was.
    """
    _check_address(address)
    with contextlib.closing(_own(settings)) as origin, contextlib.closing(PostgresStore(address)) as target:
        if isinstance(origin, PostgresStore) and _is_same(origin.connection(), target.connection()):
            raise UsageError(f"{target.name} is the index itself. Name another database.")
        _check_empty(target, force)
        note = _noted(origin, {"action": "copy", "to": target.name})
        with _moment(origin) as source:
            held = origin.shelf().lists()
            return replace(_put_into(target, source, held, progress, force=force), note=note)


def backup(settings: Settings, target: Path, *, force: bool = False, progress: Progress | None = None) -> Copied:
    """Copies the index as of one moment to a file, which is an index of the other engine; all go on meanwhile.

    Raises UsageError for a target that is there (without `force`), StoreError. What stood there stays unless the copy
    is whole.
    """
    target = Path(os.path.abspath(target))
    with contextlib.closing(_own(settings)) as origin:
        care.check_target(Path(origin.name), target, force)
        with care.beside(target, _size(origin.connection())) as part:
            note = _noted(origin, {"action": "backup", "file": str(target)})
            with contextlib.closing(connect(part)) as made, _moment(origin) as source:
                made.execute("PRAGMA journal_mode = MEMORY")  # nobody reads it yet; its end is made sure of
                made.execute("PRAGMA synchronous = OFF")
                with writing(made):
                    shelf, generation = SqliteShelf(made, part), transfer.generation_of(source)
                    held = origin.shelf().lists()
                    transfer.fill(source, made, held, shelf, generation, people=True, tell=progress)
                    _check_log(made, str(target))
                made.execute("PRAGMA journal_mode = DELETE")
            told = care.looked_at(part, target)
            care.take_the_place(part, target)
    return replace(told, file=str(target), note=note)


def restore(
    settings: Settings, saved: Path, root: str, *, rebind: bool = False, force: bool = False,
    progress: Progress | None = None,
) -> Copied:  # fmt: skip
    """Makes the index what the file `saved` is, a backup of either engine; see storage.care.restore.

    Raises UsageError, IndexMismatch, StoreBusy while a sync runs, StoreError. Killed or failing, the old index stays.
    """
    saved = Path(os.path.realpath(saved))
    care.check_there(saved, care.NAME_ONE)
    with (
        tempfile.TemporaryDirectory(prefix="company-brain-") as place,
        care.beside(Path(place) / "saved.db", care.size_of(saved)) as part,
    ):
        found = care.taken(saved, part, None)
        care.check_folder(found.docs_root, saved, root, rebind, force)
        with (
            contextlib.closing(PostgresStore(settings.database)) as target,
            contextlib.closing(Store(part)) as origin,
            _moment(origin) as source,
        ):
            if not force:
                _check_loss(target, source, root)
            return _put_into(target, source, origin.shelf().lists(), progress, force=True, root=root)


def vacuum(store: PostgresStore, drop: Sequence[int] = ()) -> Vacuumed:
    """Drops vectors of no document and those of the models `drop`; the server gives the space back.

    Raises StoreBusy while a sync runs, StoreError.
    """
    before = store.status().megabytes
    connection = store.connection()
    with store.locked(wait=False):
        with writing(connection):
            dropped = moving.drop(connection, drop)
            orphans = connection.execute(f"DELETE FROM vectors AS v WHERE {ORPHANED}").rowcount
        for model_id in drop:
            connection.execute("SELECT forget_model(?)", (model_id,))
    note = "the server uses free pages for new rows; to the disk only the owner's VACUUM FULL gives them"
    return Vacuumed(before, store.status().megabytes, orphans, dropped, note)


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.password is not None or "password" in parse_qs(parts.query):
        raise UsageError(
            f"--copy-to {label(address)}: a password in a command can be read by everyone at this machine. Leave it "
            "out, and put it into ~/.pgpass or PGPASSWORD (manual/postgres.md)."
        )


def _own(settings: Settings) -> Store:
    if not settings.database:
        care.check_there(settings.db, "There is no index yet. Run: python store.py --sync")
    return store_of(settings)


@contextlib.contextmanager
def _moment(store: Store) -> Iterator[Connection]:
    """The store's connection, in a transaction that sees one moment and writes nothing."""
    connection = store.connection()
    with translated(store.path):
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM meta").fetchone()  # a transaction's moment is its first look
    try:
        yield connection
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _noted(origin: Store, told: dict[str, str]) -> str:
    try:
        with translated(origin.path):
            chain.export(origin.connection(), told)
    except StoreError as error:
        return f"this copy stands in no audit log: {error}"
    return ""


def _put_into(
    target: PostgresStore, source: Connection, held: Mapping[int, AccessList], progress: Progress | None, *,
    force: bool, root: str = "",
) -> Copied:  # fmt: skip
    connection = target.connection()
    with target.locked(wait=False):
        with writing(connection):
            before, judged = transfer.generation_of(connection), len(care.judgements(connection))
            own = transfer.generation_of(source)
            _check_empty(target, force)  # once more, now that nobody else writes
            fresh = not transfer.holds(connection)
            generation = max(own, before + 1) if fresh else max(own, before) + JUMP
            transfer.fill(source, connection, held, target.shelf(), generation, people=fresh, tell=progress)
            if root:
                set_meta(connection, "docs_root", root)
                lists.distrust(connection)
            if fresh:
                _check_log(connection, target.name)
                if root:
                    add(connection, "restore", LOCAL, {"replaced": None, "why": "the database was empty"})
            documents, last, chunks, judgements, docs_root = transfer.counts(connection)
            if not fresh:
                lists.distrust(connection)
                chain.go_on(connection, source)  # last, as from here on whoever asks has to wait for the log
        target.shelf().tidy()
    return Copied(
        target.name, docs_root, documents, chunks, judgements, last, target.status().megabytes,
        how="into an empty database" if fresh else "into the index in use",
        judgements_before=None if fresh else judged, replaced_log="" if fresh else "goes on",
    )  # fmt: skip


def _check_empty(target: PostgresStore, force: bool) -> None:
    if not force and transfer.holds(target.connection()):
        raise UsageError(
            f"{target.name} holds an index already. Name another one, or replace its documents with --force."
        )


def _check_loss(target: PostgresStore, source: Connection, root: str) -> None:
    live = target.connection()
    of = transfer.counts(live)[4]
    if of not in (None, root) and os.path.isdir(of):
        raise IndexMismatch(
            f"{target.name} is the index of {of}, not of {root}. Name another database, or replace it with --force."
        )
    care.check_judgements(care.judgements(live), care.judgements(source), target.name)


def _check_log(made: Connection, name: str) -> None:
    if faults := verify(made).faults:
        raise StoreError(
            f"{name} was not written: the audit log of the copy is not whole ({'; '.join(faults[:3])}). See: "
            "python -m access.audit verify"
        )


def _is_same(one: Connection, other: Connection) -> bool:
    return bool(one.execute(_HERE).fetchone() == other.execute(_HERE).fetchone())


def _size(connection: Connection) -> int:
    """Bytes that a file of the same rows takes, roughly."""
    (vectors, chunks, texts, logged) = connection.execute(
        "SELECT (SELECT coalesce(sum(length(vector)), 0) FROM vectors), "
        f"(SELECT coalesce(sum(3 * length(text) + {_ROW}), 0) FROM chunks), "
        "(SELECT coalesce(sum(length(text)), 0) FROM texts), (SELECT coalesce(sum(length(body)), 0) FROM audit)"
    ).fetchone()
    return int(vectors + chunks + texts + logged)
