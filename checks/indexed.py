"""The index and the documents it is of: rights, room, damage, what is lacking, stale or left out, and the limit.

Reads the file as storage.examine does, so nothing is made, brought to a newer form or locked.
Try: python doctor.py --full
"""

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from access import OPEN_LIST, AccessList
from access.audit import verify
from checks import Check, fail, listed, many, ok, warn
from checks.people import people
from checks.sources import gone_through
from checks.thinking import Found
from config import PROJECT, Settings
from database import Connection
from errors import SourceError, StoreError
from retrieval.gate import MUCH_CHANGED, parsed_calibration, shipped_calibration
from sources import Entry, Source
from sources.folder import folder_of
from storage import lists, moving, readings
from storage.examine import ANEW, AUDIT, SYNC, VACUUM, Fault, damage, examine, pages
from storage.report import LACKS_NOTHING, passed_by
from storage.schema import MIGRATIONS, ORPHANED, reading

_LOST = {
    "orders": "not sent, as they give a model orders", "unreadable": "with a reply that could not be read",
    "refused": "too long for the model",
    "failed": "not read yet, as the call failed",
}  # fmt: skip
_LEAST_FREE = 200e6  # bytes
_EXTRA = "pip install '.[formats]'"  # in the reason of a file that needs it
_NO_TEXT = "no text"  # in the note of a document of which all or a part has none
_AHEAD_NS = 120 * 10**9  # a file's time may be so far before our clock


@dataclass(frozen=True, slots=True)
class _Documents:
    """What the folder holds now."""

    source: Source  # has just been listed
    root: str
    entries: dict[str, Entry]
    skipped: list[tuple[str, str]]


def index(settings: Settings, found: Found, *, full: bool = False) -> Iterator[Check]:
    """Everything about the index file and its documents; adds to `found` what the index takes in memory."""
    documents = None
    try:
        source = folder_of(settings)
        entries = {entry.path: entry for entry in source.entries()}
        documents = _Documents(source, source.root, entries, source.skipped())
        if entries:
            yield ok("documents", f"{many(len(entries), 'file')} in {settings.docs_dir}")
        else:
            yield fail("documents", f"no document that is read in {settings.docs_dir}", "python doctor.py --docs DIR")
        if passed := source.not_looked_at():
            yield ok("not looked at", f"{passed_by(passed)}: nothing here reads such (manual/formats.md)")
    except SourceError as error:
        helps = "python doctor.py --docs DIR, or BRAIN_DOCS_DIR=DIR, or mount the share again"
        yield fail("documents", str(error).partition(" Name it")[0], helps)
    if settings.database:
        from checks.database import database  # its driver is loaded only where it is needed

        yield from database(settings, partial(content, settings=settings, found=found, documents=documents), full=full)
        return
    path = Path(os.path.realpath(settings.db))
    yield from _room(path)
    if not path.exists():
        yield warn("index", f"none yet at {path}", SYNC)
        return
    yield from _file(path)
    faults = _faults(path, full)
    for what, mends in dict.fromkeys((fault.what, fault.mends) for fault in faults):
        yield fail("integrity", f"{what}: {listed([one.where for one in faults if one.what == what], '; ')}", mends)
    if faults:
        return
    yield ok("integrity", "looked through" if full else "quick look; python doctor.py --full looks through it")
    with contextlib.closing(reading(path)) as connection:
        connection.execute("BEGIN")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < len(MIGRATIONS):
            yield warn("form", f"of an older version ({version} of {len(MIGRATIONS)}); the next use brings it up", SYNC)
            return
        yield from content(connection, lists.stored(connection), settings, found, documents)


def _room(path: Path) -> Iterator[Check]:
    folder = path.parent
    if not folder.is_dir():
        if folder == PROJECT / ".brain":
            folder = PROJECT
        else:
            yield fail("index", f"its folder {folder} is not there", f"mkdir {folder}")
            return
    if not os.access(folder, os.W_OK | os.X_OK):
        yield fail("rights", f"{folder} cannot be written to", f"chmod u+rwx {folder}, or BRAIN_DB=FILE elsewhere")
    free = shutil.disk_usage(folder).free
    need = max(_LEAST_FREE, path.stat().st_size if path.exists() else 0)
    told = f"{free / 1e9:.1f} GB free in {folder}"
    if free < need / 10:
        yield fail("disk", f"{told}: a sync will fail", f"free some space, at least {need / 1e6:.0f} MB")
    elif free < need:
        yield warn("disk", f"{told}, a vacuum or backup takes {need / 1e6:.0f} MB", "free some space")
    else:
        yield ok("disk", told)


def _file(path: Path) -> Iterator[Check]:
    if not os.access(path, os.R_OK | os.W_OK):
        yield fail("rights", f"{path} cannot be read and written", f"chmod u+rw {path}")
    there = [file for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")) if file.exists()]
    open_to = [str(file) for file in there if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077]
    if open_to:
        yield warn("mode", f"others of this machine may read {', '.join(open_to)}", f"chmod 600 {' '.join(open_to)}")
    parts = sorted(file.name for file in path.parent.glob(f"{path.name}.*.part"))
    if parts:
        told = f"left by a backup or restore that was killed: {listed(parts)}"
        yield warn("leftovers", told, f"delete them if none runs now, in {path.parent}")
    size = sum(file.stat().st_size for file in there) / 1e6
    yield ok("index", f"{path}, {size:.1f} MB")


def _faults(path: Path, full: bool) -> list[Fault]:
    if full:
        try:
            return examine(path)
        except StoreError as error:
            return [Fault("cannot be used", str(error), ANEW)]
    try:
        with contextlib.closing(reading(path)) as connection:
            return pages(connection, quick=True)
    except StoreError as error:
        return [Fault("cannot be used", str(error), "python doctor.py --db FILE")]
    except sqlite3.Error as error:
        return damage(error) or [Fault("cannot be opened", str(error), f"chmod u+rw {path}")]


def _access(held: Mapping[str, AccessList]) -> Iterator[Check]:
    """Who may read what there is: documents that nobody may are seldom meant."""
    closed = sorted(path for path, one in held.items() if not one.allow or one.narrow == frozenset())
    mends = "python -m access.sources, then an access.toml or a default (manual/access.md)"
    if held and len(closed) == len(held):
        yield fail("access", "nobody may read any document", mends)
    elif closed:
        yield warn("access", f"nobody may read {many(len(closed), 'document')}: {listed(closed)}", mends)
    elif held:
        opened = sum(one == OPEN_LIST for one in held.values())
        yield ok("access", f"everyone may read {opened} of {many(len(held), 'document')}")


def content(
    connection: Connection,
    held: Mapping[int, AccessList],
    settings: Settings,
    found: Found,
    documents: _Documents | None,
) -> Iterator[Check]:
    """What an index holds, in whichever engine; `held`: its access lists by document."""
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    if documents and meta.get("docs_root") not in (None, documents.root):
        told = f"is of {meta['docs_root']}, not of {documents.root}"
        yield fail("folder", f"the index {told}", f"python doctor.py --docs {meta['docs_root']}, or leave BRAIN_DB out")
        return
    by_path = lists.by_path(connection, held)
    if documents:
        yield from _stale(connection, documents)
        yield from rights(connection, by_path, documents.source, documents.entries)
    yield from _left_out(connection, documents)
    yield from _orphans(connection)
    yield from _access(by_path)
    yield from people(connection, settings)
    yield from gone_through(connection)
    yield from _audit(connection, settings)
    yield from _vectors(connection, settings, found)
    yield from _prose(connection, settings)


def _prose(connection: Connection, settings: Settings) -> Iterator[Check]:
    """What the chat model read in prose, and what it could not."""
    texts = readings.counts(connection)
    if not texts:
        if settings.read_facts:
            yield ok("prose", "no text was read for facts yet")
        return
    read = f"{many(texts.get('ok', 0) + texts.get('empty', 0), 'text')} read for facts, {texts.get('ok', 0)} with some"
    lost = [f"{texts[one]} {told}" for one, told in _LOST.items() if one in texts]
    if lost:
        yield warn("prose", f"{read}; {', '.join(lost)}", "manual/graph.md, under Prose, by a model, tells what helps")
    else:
        yield ok("prose", read)


def _stale(connection: Connection, documents: _Documents) -> Iterator[Check]:
    rows = connection.execute("SELECT path, size, mtime_ns, indexed_at FROM documents").fetchall()
    held = {path: (size, mtime_ns) for path, size, mtime_ns, _ in rows}
    now = documents.entries
    changed = [path for path, at in held.items() if path in now and at != (now[path].size, now[path].mtime_ns)]
    passed_over = {path for path, _ in documents.skipped}
    gone = [path for path in held if path not in now and path not in passed_over]
    refused = {path for path, _ in _refused(connection)}
    new = [path for path in now if path not in held and path not in refused]
    parts = [f"{len(paths)} {word} ({listed(paths)})" for word, paths in
             (("changed", changed), ("new", new), ("gone", gone)) if paths]  # fmt: skip
    last = max((row[3] for row in rows), default="")
    if parts:
        yield warn("fresh", f"since the last sync: {', '.join(parts)}", SYNC)
    else:
        yield ok("fresh", f"{many(len(held), 'document')} as in the folder, the last one read {last[:16] or 'never'}")
    ahead = [path for path, entry in now.items() if entry.mtime_ns > time.time_ns() + _AHEAD_NS]
    if ahead:
        yield warn("times", f"files changed in the future: {listed(ahead)}", "set the clock, then: touch FILE")


def rights(
    connection: Connection, held: Mapping[str, AccessList], source: Source, paths: Container[str]
) -> Iterator[Check]:
    """Whether the lists in the index, `held` by path, are what the rules say now.

    The source has just been listed, as `paths`.
    """
    if lists.terms_of(connection) != source.access_terms:
        told = "the access lists are of other settings, or half compared: nobody is answered before a sync has ended"
        yield fail("rules", told, SYNC)
        return
    source.recall(dict(connection.execute("SELECT path, text FROM access_rules")))
    changed = []
    for path, was in held.items():
        with contextlib.suppress(OSError):  # told as a file that cannot be read
            if path in paths and replace(source.access(path), narrow=was.narrow) != was:
                changed.append(path)
    if changed:
        told = f"who may read {many(len(changed), 'document')} is not what the rules say now: {listed(changed)}"
        yield warn("rules", told, SYNC)
    else:
        yield ok("rules", "the lists in the index are what the rules say now")


def _refused(connection: Connection) -> list[tuple[str, str]]:
    """What the last sync left out, with the reason."""
    return list(connection.execute("SELECT path, reason FROM left_out ORDER BY path"))


def _left_out(connection: Connection, documents: _Documents | None) -> Iterator[Check]:
    """Files that nobody can find, and those of which a part has no text."""
    reasons = dict(_refused(connection)) | dict(documents.skipped if documents else [])
    lacking = [path for path, reason in reasons.items() if _EXTRA in reason]
    if lacking:
        told = f"a library is not installed that reads {many(len(lacking), 'file')}: {listed(lacking)}"
        yield warn("formats", f"{told}; the next sync leaves them out", f"{_EXTRA}, then {SYNC}")
    amiss = [
        f"{path} {reason}" for path, reason in reasons.items() if reason not in LACKS_NOTHING and path not in lacking
    ]
    if amiss:
        told = f"{many(len(amiss), 'file')} cannot be found: {listed(amiss, '; ')}"
        yield warn(
            "left out", told, f"what to do with each: manual/formats.md, of text files manual/operate.md; then {SYNC}"
        )
    rows = connection.execute("SELECT path, notes FROM documents WHERE notes <> '[]' ORDER BY path").fetchall()
    every = [(path, note) for path, notes in rows for note in json.loads(notes)]
    for name, silent in (("no text", True), ("notes", False)):
        of: dict[str, list[str]] = {}
        for path, note in every:
            if (_NO_TEXT in note) == silent:
                of.setdefault(path, []).append(note)
        if of:
            told = listed([f"{path}: {', '.join(notes)}" for path, notes in of.items()], "; ")
            mends = "manual/formats.md tells what each means; all of them: python store.py --receipts"
            yield warn(name, f"{many(len(of), 'file')}: {told}", mends)


def _orphans(connection: Connection) -> Iterator[Check]:
    (orphans,) = connection.execute(f"SELECT count(*) FROM vectors v WHERE {ORPHANED}").fetchone()
    (empty,) = connection.execute(
        "SELECT count(*) FROM documents d WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)"
    ).fetchone()
    if empty:
        yield fail("orphans", f"{many(empty, 'document')} without a passage", ANEW)
    if orphans:
        yield warn("orphans", f"{many(orphans, 'vector')} of texts that no document holds", VACUUM)
    if not orphans and not empty:
        yield ok("orphans", "none")


def _audit(connection: Connection, settings: Settings) -> Iterator[Check]:
    """The log's last thousand rows; all of them are looked at with the whole file."""
    report = verify(connection, tail=True)
    if report.faults:
        yield fail("audit", f"the log is not as it was written: {listed(report.faults, '; ')}", AUDIT)
    elif not settings.audit:
        yield warn(
            "audit", f"off: no question is written down; {many(report.rows, 'row')} from before", "BRAIN_AUDIT=1"
        )
    else:
        kept = settings.audit_head_file
        told = f"its head is kept in {kept}" if kept else "its head is kept nowhere else (BRAIN_AUDIT_HEAD_FILE)"
        yield ok("audit", f"{many(report.rows, 'row')} of the log, the last ones whole; {told}")


def _vectors(connection: Connection, settings: Settings, found: Found) -> Iterator[Check]:
    """Which model answers, what it lacks, and whether the limit was measured with it on these documents."""
    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    rows = {row[0]: row[1:] for row in connection.execute("SELECT id, backend, name, digest, dimension FROM models")}
    held = [model for model in moving.answering(connection) if model in rows]
    wanted = [model for model, row in rows.items() if row[:2] == (found.backend, found.embed_model)]
    if not chunks or not rows:
        yield ok("vectors", "none yet" if chunks else "no passage yet")
        return
    answers = held[0] if held else max(wanted or rows)
    backend, name, digest, dimension = rows[answers]
    found.needs["index"] = chunks * (dimension / 4 + 40) / 1e9
    lacks = moving.lacking(connection, answers)
    if found.backend and (backend, name) != (found.backend, found.embed_model):
        done = max((chunks - moving.lacking(connection, model) for model in wanted), default=0)
        told = f"{backend}/{name} answers until {found.backend}/{found.embed_model} is complete: {done} of {chunks}"
        yield warn("vectors", told, SYNC)
    elif lacks:
        yield warn("vectors", f"{many(lacks, 'passage')} of {chunks} without one of {backend}/{name}", SYNC)
    else:
        yield ok("vectors", f"{many(chunks, 'passage')}, all with one of {backend}/{name}")
    unused = [rows[model][1] for model in rows if model != answers and model not in wanted]
    if unused:
        told = f"{', '.join(sorted(unused))}: vectors that answer nothing"
        yield ok("models", f"{told}; python store.py --vacuum --drop-models drops them")
    label = f"{backend}/{name}" + (f"@{digest}" if digest else "")
    yield from _limit(connection, settings, answers, label, chunks)


def _limit(connection: Connection, settings: Settings, model_id: int, label: str, chunks: int) -> Iterator[Check]:
    again = "python -m eval.calibrate"
    if settings.min_score is not None:
        yield ok("limit", f"{settings.min_score:g}, set by hand")
        return
    stored = dict(connection.execute("SELECT model_id, value FROM calibrations"))
    measured = parsed_calibration(stored[model_id]) if model_id in stored else None
    measured = measured or shipped_calibration(settings.docs_dir, label)
    if measured is None:
        told = "measured with another model only" if stored else "never measured on these documents"
        yield warn("limit", f"{told}; the built-in one is in force", again)
    elif abs(chunks - measured.chunks) > MUCH_CHANGED * measured.chunks:
        told = f"measured on {measured.chunks} passages, now there are {chunks}"
        yield warn("limit", told, again)
    else:
        yield ok("limit", f"{measured.min_score:.3f}, measured {measured.measured.get('date', '')} on these documents")
