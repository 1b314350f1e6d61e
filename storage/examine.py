"""Looks through a whole index for what cannot be: pages, rows, words, lines, hashes and vectors that disagree.

Reads only, as of one moment, also beside a sync. Knows what the tables mean and nothing of how they are searched.
Try: python store.py --verify
"""

import contextlib
import json
import math
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from access.audit import verify
from chunk import Chunk, Document, embed_text
from database import Connection
from errors import StoreError
from storage.packed import coded
from storage.reader import text_hash
from storage.report import Progress
from storage.schema import MIGRATIONS, ORPHANED, reading, translated

ANEW = "python store.py --restore FILE; without a backup, move the index away and run: python store.py --sync"
VACUUM = "python store.py --vacuum"
SYNC = "python store.py --sync"
AUDIT = "python -m access.audit verify --head FILE"
MOST = 20
"""Places that are named of each kind of fault; the rest are counted."""
Look = Callable[[Connection], Iterable["Fault"]]
_UNIT = 1e-3  # by which a unit vector's norm may differ from 1
_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of an index that cannot be right."""

    what: str
    where: str  # a document's path and lines, or a row
    mends: str  # the command that helps

    def __str__(self) -> str:
        return f"{self.what}: {self.where} -> {self.mends}"


def examine(path: Path, progress: Progress | None = None) -> list[Fault]:
    """Every fault of the index, none when it is whole; of each kind the first MOST.

    Raises StoreError for a file that is no index of ours or cannot be opened at all.
    """
    faults = _examined(path, progress)
    if faults and os.path.exists(f"{path}-wal"):  # a process may have begun to write while its log was not looked at
        faults = _examined(path, progress)
    return faults


def pages(connection: Connection, *, quick: bool = False) -> list[Fault]:
    """What SQLite itself finds wrong with pages, indexes and references; `quick` leaves the indexes out."""
    name = "quick_check" if quick else "integrity_check"
    told = "\n".join(row[0] for row in connection.execute(f"PRAGMA {name}({MOST})") if row[0] != "ok")
    if told:
        return [_damaged(line) for line in told.split("\n") if not line.startswith("***")]
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST)
    return [Fault(f"a row of {table} without its {other}", f"row {row}", ANEW) for table, row, other, _ in rows]


def damage(error: BaseException | None) -> list[Fault]:
    """The fault that SQLite's error tells of; none for any other error."""
    return [_damaged(str(error))] if type(error) is sqlite3.DatabaseError else []


def _damaged(text: str) -> Fault:
    return Fault("pages of the file are damaged", text, ANEW)


def _examined(path: Path, progress: Progress | None) -> list[Fault]:
    try:
        with translated(path), contextlib.closing(reading(path)) as connection:
            connection.execute("BEGIN")
            return _looked_through(connection, path, progress or (lambda done, total, name: None))
    except StoreError as error:
        if found := damage(error.__cause__):
            return found
        raise


def _looked_through(connection: Connection, path: Path, tell: Progress) -> list[Fault]:
    faults = pages(connection)
    if faults:
        return faults  # what else would be read may be anything
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < len(MIGRATIONS):
        return [Fault(f"the index is of an older form ({version} of {len(MIGRATIONS)})", str(path), SYNC)]
    looks = (*OF_ROWS, _words, _packed_chunks, _packed_codes, *OF_ALL)
    return faults + all_of(connection, looks, tell)


def all_of(connection: Connection, looks: Sequence[Look], tell: Progress) -> list[Fault]:
    """What the looks find, of each the first MOST."""
    faults = []
    for done, look in enumerate(looks):
        tell(done, len(looks), look.__name__.strip("_").replace("_", " "))
        found = list(look(connection))
        faults += found[:MOST]
        if len(found) > MOST:
            faults.append(Fault("as many more of these", str(len(found) - MOST), found[0].mends))
    return faults


def _meta(connection: Connection) -> Iterator[Fault]:
    held = dict(connection.execute("SELECT key, value FROM meta"))
    if not held.get("generation", "").isdigit():
        yield Fault("the generation is no number", f"meta: {held.get('generation')!r}", ANEW)
    if "docs_root" not in held and connection.execute("SELECT 1 FROM documents").fetchone():
        yield Fault("whose documents these are is not told", "meta: docs_root", SYNC)
    for model_id, value in connection.execute("SELECT model_id, value FROM calibrations"):
        try:
            json.loads(value)
        except ValueError:
            yield Fault("a stored limit cannot be read", f"model {model_id}", "python -m eval.calibrate")


def _documents(connection: Connection) -> Iterator[Fault]:
    for path, sha256, meta, dated, chunks in connection.execute(
        "SELECT d.path, d.sha256, d.meta, d.dated, (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) "
        "FROM documents d"
    ):
        if not chunks:
            yield Fault("a document with no passage", path, ANEW)
        if len(sha256) != 64 or set(sha256) - set("0123456789abcdef"):
            yield Fault("a document's sha256 is none", path, ANEW)
        if not _is_json(meta, dict) or len(dated) not in (0, 10):
            yield Fault("a document's front matter or date cannot be read", path, ANEW)


def _lines(connection: Connection) -> Iterator[Fault]:
    before, end = "", 0
    for path, first, last, text, skip in connection.execute(
        "SELECT d.path, c.first_line, c.last_line, c.text, c.skip FROM chunks c JOIN documents d "
        "ON d.id = c.document_id ORDER BY d.id, c.id"
    ):
        lines = text.count("\n") + 1
        if first < 1 or last - first + 1 != lines or not 0 <= skip <= lines:
            yield Fault(f"a passage of {lines} lines says it has others", f"{path}:L{first}-{last}", ANEW)
        elif path == before and first <= end:
            yield Fault("passages of a document overlap or are out of order", f"{path}:L{first}-{last}", ANEW)
        before, end = path, last


def _hashes(connection: Connection) -> Iterator[Fault]:
    for path, title, heading, first, last, text, context, skip, held in connection.execute(
        "SELECT d.path, d.title, c.heading, c.first_line, c.last_line, c.text, c.context, c.skip, c.text_hash "
        "FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY c.id"
    ):
        where = f"{path}:L{first}-{last}"
        if not _is_json(heading, list):
            yield Fault("a passage's heading cannot be read", where, ANEW)
            continue
        chunk = Chunk(tuple(json.loads(heading)), first, last, text, context, skip)
        if text_hash(embed_text(Document(title, {}, ()), chunk)) != held:
            yield Fault("a passage's text is not the one that was embedded", where, ANEW)
    for (chunk_id,) in connection.execute("SELECT chunk_id FROM units WHERE length(text_hash) <> 16"):
        yield Fault("a sentence's hash is none", f"chunk {chunk_id}", ANEW)


def _words(connection: Connection) -> Iterator[Fault]:
    """Postings against what was given to the index of words, and that against the chunks."""
    counted: dict[int, list[int]] = {}
    sums: dict[str, int] = {}
    for chunk_id, term in connection.execute("SELECT doc, term FROM postings"):
        if term not in sums:
            sums[term] = zlib.crc32(term.encode())
        found = counted.setdefault(chunk_id, [0, 0])
        found[0] += 1
        found[1] += sums[term]
    for chunk_id, path, first, last, count, given in connection.execute(
        "SELECT c.id, d.path, c.first_line, c.last_line, c.terms, w.c0 FROM chunks c "
        "JOIN documents d ON d.id = c.document_id LEFT JOIN words_content w ON w.id = c.id"
    ):
        found, words = counted.pop(chunk_id, [0, 0]), (given or "").split()
        if found != [len(words), sum(zlib.crc32(word.encode()) for word in words)] or len(words) != count:
            yield Fault("a passage cannot be found by all of its words", f"{path}:L{first}-{last}", ANEW)
    for chunk_id in counted:
        yield Fault("words of a passage that is not there", f"chunk {chunk_id}", ANEW)


def _packed_chunks(connection: Connection) -> Iterator[Fault]:
    for document_id, path, ids, terms in connection.execute(
        "SELECT d.id, d.path, p.ids, p.terms FROM documents d LEFT JOIN packed_chunks p ON p.document_id = d.id"
    ):
        rows = connection.execute("SELECT id, terms FROM chunks WHERE document_id = ? ORDER BY id", (document_id,))
        table = np.array(rows.fetchall(), np.int64).reshape(-1, 2)
        if ids != table[:, 0].astype("<i8").tobytes() or terms != table[:, 1].astype("<i4").tobytes():
            yield Fault("a document's packed passages are not its passages", path, ANEW)


def _packed_codes(connection: Connection) -> Iterator[Fault]:
    for model_id, name, dimension in connection.execute("SELECT id, name, dimension FROM models").fetchall():
        for document_id, path, ids, codes in connection.execute(
            "SELECT d.id, d.path, p.vectors, p.codes FROM documents d LEFT JOIN packed_codes p "
            "ON p.document_id = d.id AND p.model_id = ?",
            (model_id,),
        ):
            rows = connection.execute(
                "SELECT coalesce(v.id, 0), v.vector FROM chunks c LEFT JOIN vectors v ON v.model_id = ? "
                "AND v.text_hash = c.text_hash AND v.vector IS NOT NULL WHERE c.document_id = ? ORDER BY c.id",
                (model_id, document_id),
            ).fetchall()
            if any(blob and len(blob) != 4 * dimension for _, blob in rows):
                continue  # told of the vector
            numbers = np.array([row[0] for row in rows], "<i8")
            if not numbers.any() and ids is None:
                continue
            whole = np.frombuffer(b"".join(row[1] or bytes(4 * dimension) for row in rows), "<f4")
            right = coded(whole.reshape(len(rows), dimension)).astype("<u8", copy=False).tobytes()
            if (ids, codes) != (numbers.tobytes(), right):
                yield Fault(f"a document's packed vectors of {name} are not its vectors", path, ANEW)


def _vectors(connection: Connection) -> Iterator[Fault]:
    for model_id, name, dimension, probes in connection.execute("SELECT id, name, dimension, probes FROM models"):
        if dimension < 1 or len(probes) % (4 * dimension):
            yield Fault(f"the model {name} cannot be told from others", f"model {model_id}", ANEW)
            continue
        cursor = connection.execute(
            "SELECT id, text_hash, vector FROM vectors WHERE model_id = ? AND vector IS NOT NULL", (model_id,)
        )
        while rows := cursor.fetchmany(_AT_ONCE):
            fits = [row for row in rows if len(row[2]) == 4 * dimension and len(row[1]) == 16]
            norms = np.linalg.norm(
                np.frombuffer(b"".join(row[2] for row in fits), "<f4").reshape(-1, dimension), axis=1
            )
            bad = {row[0] for row, norm in zip(fits, norms.tolist(), strict=True) if not _is_one(norm)}
            for number in sorted(bad | {row[0] for row in rows} - {row[0] for row in fits}):
                what = "is not of length 1" if number in bad else f"has not the {dimension} dimensions"
                yield Fault(f"a vector of {name} {what}", f"vector {number}", ANEW)


def _orphans(connection: Connection) -> Iterator[Fault]:
    for model_id, count in connection.execute(
        f"SELECT model_id, count(*) FROM vectors v WHERE {ORPHANED} GROUP BY model_id"
    ):
        yield Fault(f"{count} vectors of texts that no document holds", f"model {model_id}", VACUUM)


def _log(connection: Connection) -> Iterator[Fault]:
    for fault in verify(connection).faults:
        yield Fault("the audit log is not as it was written", fault, AUDIT)


OF_ROWS: tuple[Look, ...] = (_meta, _documents, _lines, _hashes, _vectors)
"""The looks at rows that every engine has alike."""
OF_ALL: tuple[Look, ...] = (_orphans, _log)
"""The same at what belongs to no document."""


def _is_one(norm: float) -> bool:
    return math.isfinite(norm) and abs(norm - 1) <= _UNIT


def _is_json(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except ValueError:
        return False
