"""Care of an index that is in use: a backup, a restore, free pages given back.

Every copy is written beside its place under another name and takes its name when it is whole, so a kill or a full disk
leaves the former file. Knows no question, no model and no documents' folder.
Try: python store.py --backup /tmp/index.db, then python store.py --restore /tmp/index.db
"""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from commandline import quoted
from database import Connection, is_sqlite
from errors import IndexMismatch, StoreBusy, StoreError, UsageError
from storage import chain, entrants, moving
from storage.lock import locked
from storage.report import Progress
from storage.schema import ORPHANED, check_ours, connect, empty_journal, make_room, opened, translated, writing
from storage.snapshot import JUMP
from store import Store

_PAGES = 1000  # copied between two words of progress: 4 MB
Judged = tuple[str, str, str, str]
"""A judgement: its id, verdict, note and what was decided."""
NAME_ONE = "Name the file that python store.py --backup has written."
_SHOWN = 3  # faults of a copy that its error names


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup holds, or an index after a restore."""

    file: str
    docs_root: str | None
    documents: int
    chunks: int
    judgements: int  # of answers, by people
    last_indexed: str | None
    megabytes: float
    how: str = ""  # restored "into the index in use", or "in its place" where it was missing or damaged
    judgements_before: int | None = None  # of the index that a restore replaced; None: it could not be read
    note: str = ""
    replaced_log: str = ""  # the head of the audit log that a restore replaced, as JSON, or how that goes on


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """What a vacuum did; megabytes on the disk, the write-ahead log among them."""

    megabytes_before: float
    megabytes_after: float
    orphans: int  # vectors of texts that no document holds
    dropped: tuple[str, ...]  # models whose vectors went
    note: str = ""  # why the file is not smaller yet


def backup(index: Path, target: Path, *, force: bool = False, progress: Progress | None = None) -> Copied:
    """Copies the index as of one moment to `target`, readable by its owner only; syncs and questions go on meanwhile.

    Raises UsageError for a target that is there (without `force`) or is the index, StoreError for a full disk or an
    index that is missing or damaged. What stood at `target` stays unless the copy is whole.
    """
    index, target = Path(os.path.realpath(index)), Path(os.path.abspath(target))
    check_there(index, "There is no index yet to back up. Run: python store.py --sync")
    check_target(index, target, force)
    with beside(target, size_of(index)) as part:
        note = _noted(index, target)
        _copy(index, "mode=rw", part, progress)
        told = looked_at(part, index)
        take_the_place(part, target)
    return replace(told, file=str(target), note=note)


def _noted(index: Path, target: Path) -> str:
    """Writes the backup into the audit log; what was in the way, for a full disk is no reason to go without one."""
    try:
        with translated(index), contextlib.closing(connect(index, create=False)) as live:
            chain.export(live, {"action": "backup", "file": str(target)})
    except StoreError as error:
        return f"this backup stands in no audit log: {error}"
    return ""


def restore(
    index: Path,
    saved: Path,
    root: str,
    *,
    rebind: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Copied:
    """Makes the index what `saved` is, after looking at it: ours, whole, of the documents at `root`.

    An index that can be read is written into, in one transaction, so that running processes see all of the old or all
    of the new; one that is damaged is moved to `.damaged` and replaced, and processes that have it open say that they
    must be restarted. `rebind`: the backup of a folder that is gone becomes the index of `root`; with `force` also that
    of one that is there. `force` gives up judgements that the backup has not, and the index of another folder.
    Raises UsageError, IndexMismatch, StoreBusy while a sync runs, StoreError. Killed or failing, the old index stays.
    """
    index, saved = Path(os.path.realpath(index)), Path(os.path.realpath(saved))
    check_there(saved, NAME_ONE)
    if saved == index:
        raise UsageError(f"{saved} is the index itself. {NAME_ONE}")
    with translated(index):
        make_room(index)
    with beside(index, 2 * size_of(saved)) as part:  # a copy, and the log of the index that takes it in
        found = taken(saved, part, progress)
        check_folder(found.docs_root, saved, root, rebind, force)
        with locked(index, wait=False):
            before = _state_of(index)
            if before and not force:
                _check_loss(index, part, root)
            joint = _prepare(part, index, root, before[0] if before else None)
            if before is None and index.exists() and index.stat().st_size:
                _set_aside(index)
            if before is None:
                take_the_place(part, index)
            else:
                _write_into(part, index, progress, bool(joint and joint.goes_on))
    how = "into the index in use" if before else "in its place"
    return replace(
        found, file=str(index), docs_root=root, how=how, judgements_before=before[1] if before else None,
        replaced_log=_replaced(joint),
    )  # fmt: skip


def taken(saved: Path, part: Path, progress: Progress | None) -> Copied:
    """Copies a backup to `part` and tells what it holds. Raises StoreError for one that is not whole or not ours."""
    lone = not os.path.exists(f"{saved}-wal")  # else a copy made by hand, with its log
    try:
        _copy(saved, "mode=ro&immutable=1" if lone else "mode=ro", part, progress)
    except StoreError as error:
        if not isinstance(error.__cause__, sqlite3.DatabaseError):
            raise
        raise StoreError(f"{saved} is no backup of an index, or damaged ({error.__cause__}). {NAME_ONE}") from error
    return looked_at(part, saved)


def _replaced(joint: chain.Joint | None) -> str:
    if joint is None or joint.live is None:
        return ""
    return "goes on" if joint.goes_on else joint.live.as_line()


def vacuum(store: Store, drop: Sequence[int] = ()) -> Vacuumed:
    """Drops vectors of no document and those of the models `drop`, and gives free pages back; readers go on.

    Raises StoreBusy while a sync runs, StoreError (a full disk: it takes the index's size once more for a while).
    """
    before = size_of(store.path)
    with translated(store.path), locked(store.path, wait=False):
        connection = store.connection()
        with writing(connection):
            dropped = moving.drop(connection, drop)
            orphans = connection.execute(f"DELETE FROM vectors AS v WHERE {ORPHANED}").rowcount
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")  # else words of what is gone stay there
        connection.execute("VACUUM")
        shrunk = empty_journal(connection, 1.0)
    note = "" if shrunk else "another process reads it now; the file shrinks when that has ended"
    return Vacuumed(round(before / 1e6, 1), round(size_of(store.path) / 1e6, 1), orphans, dropped, note)


def check_there(path: Path, helps: str) -> None:
    """Raises UsageError, with what helps, unless there is a regular file."""
    if not path.is_file():
        reason = "is no regular file" if path.exists() else "does not exist"
        raise UsageError(f"{path} {reason}. {helps}")


def check_target(index: Path, target: Path, force: bool) -> None:
    """Raises UsageError for a file that a copy of the index cannot or, without `force`, may not be written to."""
    real = Path(os.path.realpath(target))
    if real in (index, *(Path(f"{index}{end}") for end in ("-wal", "-shm", ".lock"))):
        raise UsageError(f"{target} belongs to the index itself. Name another file for the backup.")
    if target.exists() and not target.is_file():
        raise UsageError(f"{target} is no regular file. Name a file for the backup.")
    if os.path.lexists(target) and not force:
        raise UsageError(f"{target} is there already. Name another file, or replace it with --force.")
    if not target.parent.is_dir():
        raise UsageError(f"{target} cannot be made: {target.parent} is no folder. Create it, or name another file.")


@contextlib.contextmanager
def beside(target: Path, size: int) -> Iterator[Path]:
    """An empty file beside `target`, for its owner only, that is gone at the end unless it took the target's name.

    Errors inside that have no words yet are told as the target's: it could not be written.
    """
    part = None
    try:
        free = shutil.disk_usage(target.parent).free
        if free < size:
            raise StoreError(_unwritten(target, f"{size / 1e6:.1f} MB are needed, {free / 1e6:.1f} MB are free"))
        number, name = tempfile.mkstemp(".part", f"{target.name}.", target.parent)  # with mode 0600
        os.close(number)
        part = Path(name)
        yield part
    except (sqlite3.OperationalError, OSError) as error:
        raise StoreError(_unwritten(target, str(getattr(error, "strerror", "") or error))) from error
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                os.unlink(f"{part}{end}")


def check_folder(of: str | None, saved: Path, root: str, rebind: bool, force: bool) -> None:
    """Raises IndexMismatch for a backup of another folder's index (`of`), unless it is meant; see restore."""
    if of in (None, root):
        return
    told, restores = f"{saved} is a backup of the index of {of}, not of {root}.", f"--restore {quoted(saved)}"
    if not os.path.isdir(of):
        if not rebind:
            raise IndexMismatch(
                f"{told} If the documents have moved, say where they are now: python store.py {restores} --docs DIR"
            )
    elif not (rebind and force):
        raise IndexMismatch(
            f"{told} Run: python store.py --docs {quoted(of)} {restores}. Only to make it the index of other "
            f"documents: python store.py --docs {quoted(root)} {restores} --force"
        )


def _check_loss(index: Path, part: Path, root: str) -> None:
    """Raises UsageError where the restore would take from the index what no sync brings back."""
    with contextlib.closing(opened(index, "mode=ro")) as live, translated(index):
        of = live.execute("SELECT value FROM meta WHERE key = 'docs_root'").fetchone()
        judged = judgements(live)
    with contextlib.closing(opened(part, "mode=ro")) as copy:
        kept = judgements(copy)
    if of and of[0] != root and os.path.isdir(of[0]):
        raise IndexMismatch(
            f"{index} is the index of {of[0]}, not of {root}. Leave --db and BRAIN_DB out, or replace it with --force."
        )
    check_judgements(judged, kept, str(index))


def check_judgements(held: set[Judged], kept: set[Judged], where: str) -> None:
    """Raises UsageError where people's judgements that `where` holds are not among those that are kept."""
    if lost := len(held - kept):
        told = "1 judgement" if lost == 1 else f"{lost} judgements"
        raise UsageError(
            f"{told} of answers in {where} would be lost: the backup does not hold them as they are. Keep them "
            "with --backup FILE first, or give them up with --force."
        )


def judgements(connection: Connection) -> set[Judged]:
    """People's judgements of answers; none in an index of a form without them."""
    has = (
        not is_sqlite(connection)
        or connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'feedback'").fetchone()
    )
    return set(connection.execute("SELECT id, verdict, note, decision FROM feedback")) if has else set()


def _unwritten(target: Path, why: str) -> str:
    helps = f"Free some space in {target.parent}, or name another file"
    return f"{target} was not written: {why}. {helps}; what stood there is as it was."


def _copy(origin: Path, how: str, part: Path, progress: Progress | None) -> None:
    """All pages as of one moment, into a database of one file. Raises StoreError for an origin that cannot be read."""
    with translated(origin):
        source = opened(origin, how)
    with contextlib.closing(source), contextlib.closing(sqlite3.connect(part, isolation_level=None)) as copy:
        copy.execute("PRAGMA locking_mode = EXCLUSIVE")  # no memory shared with others: it may lie on a network drive
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")  # made sure of once, at its end
        with translated(origin):
            check_ours(source, origin)
            source.execute("BEGIN")  # else each write of another process would make the copy begin again
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES, progress=_counting(progress, origin))
        source.execute("ROLLBACK")
        copy.execute("PRAGMA journal_mode = DELETE")


def _counting(progress: Progress | None, path: Path) -> Callable[[int, int, int], None]:
    return lambda _, left, total: progress(total - left, total, path.name) if progress else None


def looked_at(part: Path, origin: Path) -> Copied:
    """What the copy holds. Raises StoreError when it is not whole."""
    try:
        with contextlib.closing(opened(part, "mode=ro")) as copy:
            check_ours(copy, origin)
            faults = [row[0] for row in copy.execute("PRAGMA integrity_check(10)") if row[0] != "ok"]
            faults += [f"a row of {row[0]} without its {row[2]}" for row in copy.execute("PRAGMA foreign_key_check")]
            documents, last = copy.execute("SELECT count(*), max(indexed_at) FROM documents").fetchone()
            (chunks,) = copy.execute("SELECT count(*) FROM chunks").fetchone()
            judged = len(judgements(copy))
            root = copy.execute("SELECT value FROM meta WHERE key = 'docs_root'").fetchone()
    except sqlite3.DatabaseError as error:
        faults = [str(error)]
    if faults:
        told = "; ".join(fault.replace("\n", " ") for fault in faults[:_SHOWN])
        raise StoreError(
            f"{origin} is damaged ({told}), so nothing was written. Restore a backup that is whole: "
            "python store.py --restore FILE"
        )
    size = round(part.stat().st_size / 1e6, 1)
    return Copied(str(part), root[0] if root else None, documents, chunks, judged, last, size)


def take_the_place(part: Path, target: Path) -> None:
    """Gives a whole file its name, so that it outlives a power cut. Raises OSError."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    for end in ("-wal", "-shm", "-journal"):  # of a file that stood there: a log would be played into this one
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{target}{end}")
    os.replace(part, target)
    if os.name == "posix":  # the name, too, outlives a power cut
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _state_of(index: Path) -> tuple[int, int] | None:
    """Generation and judgements of the index in place; None when there is none or it cannot be read.

    Raises StoreError for a database that is not ours, StoreBusy.
    """
    if not index.exists():
        return None
    try:
        with contextlib.closing(connect(index, create=False)) as live, translated(index):
            (generation,) = live.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
            (judged,) = live.execute("SELECT count(*) FROM feedback").fetchone()
            return int(generation), int(judged)
    except StoreBusy:
        raise
    except StoreError as error:
        if type(error.__cause__) is not sqlite3.DatabaseError:
            raise
    return None


def _prepare(part: Path, index: Path, root: str, before: int | None) -> chain.Joint | None:
    """Makes what stands in memory of running processes worthless: numbers of chunks and vectors may mean others now.

    Tells how the audit logs of both belong together, None where there is no index to be read (no generation `before`).
    """
    with (
        translated(part),
        contextlib.closing(connect(part, create=False)) as made,
        contextlib.closing(opened(index if before is not None else part, "mode=rw")) as live,
    ):
        joint = chain.joint(live, made) if before is not None else None
        if joint and joint.goes_on:
            chain.begin(live, joint)
        with writing(made):
            (own,) = made.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generation'").fetchone()
            made.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (str(max(own, before or 0) + JUMP),))
            made.execute("INSERT OR REPLACE INTO meta VALUES ('docs_root', ?)", (root,))
            if joint is None or not joint.goes_on:
                chain.put_behind(live if joint else None, made, joint)
            entrants.bring(live if joint else None, made)
    return joint


def _write_into(part: Path, index: Path, progress: Progress | None, brings_log: bool) -> None:
    """Readers see the old pages until the last one is written; then, at once, the new ones.

    With `brings_log` the audit log is the index's own, up to the moment from which nobody else can write.
    """
    counted, waits = _counting(progress, index), brings_log
    with (
        contextlib.closing(opened(part, "mode=rw")) as made,
        contextlib.closing(opened(index, "mode=rw")) as live,
        contextlib.closing(opened(index, "mode=rw")) as seen,
    ):

        def bring() -> None:
            made.execute("BEGIN IMMEDIATE")
            chain.bring(seen, made)
            made.execute("COMMIT")

        def tell(status: int, left: int, total: int) -> None:
            nonlocal waits
            if waits:  # the first step has locked the index; what one connection writes meanwhile is copied, too
                waits = False
                bring()
            counted(status, left, total)

        if brings_log:
            bring()  # nearly all of it before anybody has to wait
        (pages,) = made.execute("PRAGMA page_count").fetchone()
        made.backup(live, pages=min(_PAGES, max(1, pages - 1)), progress=tell)  # two steps at least
        live.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(index: Path) -> None:
    """Keeps a damaged index as `.damaged`, from which a specialist may still read people's judgements."""
    kept = Path(f"{index}.damaged")
    with contextlib.suppress(FileNotFoundError):
        kept.unlink()
    try:
        os.link(index, kept)  # the index's name is never without a file
    except OSError:
        shutil.copy2(index, kept)
    for end in ("-wal", "-shm"):  # a log would be played into the file that takes the place
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{index}{end}", f"{kept}{end}")


def size_of(index: Path) -> int:
    """On the disk, with what stands in the write-ahead log and not in the file yet."""
    return sum(file.stat().st_size for file in (index, Path(f"{index}-wal")) if file.exists())
