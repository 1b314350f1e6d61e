"""The database's shape: numbered migrations, never edited after they have landed, and how a connection is opened.

Knows SQLite only; what the tables mean is told beside each. Try: python store.py --status
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path, PurePath
from urllib.parse import quote

from access.audit import SCHEMA as _AUDIT
from database import Connection, alone
from errors import StoreBusy, StoreError
from storage import packed
from storage.schema_decided import DECIDED
from storage.schema_directory import DIRECTORY
from storage.schema_facts import COVERING, FACTS
from storage.schema_readings import READINGS

_OLDEST = (3, 37, 0)  # STRICT tables
BUSY_SECONDS = 30.0
MOST_JOURNAL = 16_000_000

_M001 = """
-- What the index is about: docs_root, generation (grows with every committed change).
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0');

CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so a stale id finds nothing
    path TEXT NOT NULL UNIQUE,             -- below the docs root, with slashes
    title TEXT NOT NULL,
    lang TEXT NOT NULL,                    -- ISO 639-1, decides the stems
    size INTEGER NOT NULL,                 -- bytes
    mtime_ns INTEGER NOT NULL,
    settled INTEGER NOT NULL,              -- 0: so fresh when read that a later write may hide behind the same time
    sha256 TEXT NOT NULL,
    recipe TEXT NOT NULL,                  -- how the text was cut and segmented; another recipe, cut again
    meta TEXT NOT NULL,                    -- front matter, JSON
    indexed_at TEXT NOT NULL               -- UTC, ISO 8601
) STRICT;

-- Who may read a document. No row: nobody.
CREATE TABLE grants (
    principal TEXT NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    PRIMARY KEY (principal, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_document ON grants (document_id);

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    heading TEXT NOT NULL,                 -- JSON list
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    text TEXT NOT NULL,                    -- the file's lines
    skip INTEGER NOT NULL,                 -- how many of them, from the first, are front matter or the heading
    context TEXT NOT NULL,                 -- what the piece needs from earlier lines
    terms INTEGER NOT NULL,                -- how many index terms it has
    text_hash BLOB NOT NULL                -- of the embedded text
) STRICT;
CREATE INDEX chunks_by_document ON chunks (document_id);
CREATE INDEX chunks_by_hash ON chunks (text_hash);

-- The sentences, list items and table rows of a chunk that have vectors of their own, by the hash of their text.
CREATE TABLE units (
    chunk_id INTEGER NOT NULL REFERENCES chunks(id) ON DELETE CASCADE,
    text_hash BLOB NOT NULL,
    PRIMARY KEY (chunk_id, text_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX units_by_hash ON units (text_hash);

-- Postings. What is stored is already cut into terms of letters, digits and `_` (language/words.py).
CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = "ascii tokenchars '_'");
CREATE VIRTUAL TABLE postings USING fts5vocab (words, 'instance');

CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    backend TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    prompt_version TEXT NOT NULL,
    probes BLOB NOT NULL                   -- three fixed texts' vectors, float32
) STRICT;

CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model_id INTEGER NOT NULL REFERENCES models(id),
    text_hash BLOB NOT NULL,
    vector BLOB,                           -- float32, L2 norm 1; NULL: the model refused the text
    UNIQUE (model_id, text_hash)
) STRICT;

CREATE TABLE calibrations (
    model_id INTEGER PRIMARY KEY REFERENCES models(id),
    value TEXT NOT NULL                    -- JSON of search.Calibration
) STRICT;
"""

_DATED = """
ALTER TABLE documents ADD COLUMN dated TEXT NOT NULL DEFAULT '';  -- ISO date: the front matter's, else the file's
"""

_STATED = """
ALTER TABLE documents ADD COLUMN stated INTEGER NOT NULL DEFAULT 0;  -- 1: `dated` stands in the document
"""

_PACKED = """
-- What a search holds in memory, a row a document (storage/packed.py): derived from `chunks` and `vectors` in the
-- transaction that changes those. Arrays are little-endian, an element a chunk, in the order of the chunks' ids.
CREATE TABLE packed_chunks (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    ids BLOB NOT NULL,                     -- int64
    terms BLOB NOT NULL                    -- int32, chunks.terms
) STRICT;
CREATE TABLE packed_codes (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES models(id),
    generation INTEGER NOT NULL,           -- in which it was written
    vectors BLOB NOT NULL,                 -- int64, vectors.id; 0: the chunk has none
    codes BLOB NOT NULL,                   -- signs, then low bits (packed.py); dimension i is bit i % 64 of word i / 64
    PRIMARY KEY (document_id, model_id)
) STRICT;
CREATE INDEX packed_codes_by_generation ON packed_codes (model_id, generation);
"""

_FEEDBACK = """
-- What people said of answers, and what was made of it (storage/feedback.py). No sync touches it.
CREATE TABLE feedback (
    id TEXT PRIMARY KEY,                   -- of the answer
    created_at TEXT NOT NULL,              -- UTC, ISO 8601
    caller TEXT NOT NULL,                  -- who asked and judged
    question TEXT NOT NULL,
    narrowed TEXT NOT NULL,                -- JSON: since, until and path of the question, where they were given
    lang TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'should_be_found')),
    note TEXT NOT NULL,
    status TEXT NOT NULL,                  -- of the answer
    answer TEXT NOT NULL,
    sources TEXT NOT NULL,                 -- JSON list: source, lines, version (sha256 of the file), quote
    model TEXT NOT NULL,
    limits TEXT NOT NULL,                  -- JSON: the gate that was in force
    decision TEXT NOT NULL DEFAULT '' CHECK (decision IN ('', 'approved', 'rejected')),
    decided_at TEXT NOT NULL DEFAULT '',
    decided_by TEXT NOT NULL DEFAULT '',
    made TEXT NOT NULL DEFAULT ''          -- JSON: the case that was approved
) STRICT;
"""

_FORMATS = """
ALTER TABLE documents ADD COLUMN format TEXT NOT NULL DEFAULT '';         -- its ending without the dot
ALTER TABLE documents ADD COLUMN characters INTEGER NOT NULL DEFAULT 0;   -- of its text
ALTER TABLE documents ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';        -- JSON list: "page 3 has no text"
-- Where the chunk's lines stand in a file that has none: JSON, each place ("p12") with its number of lines; '': as told
ALTER TABLE chunks ADD COLUMN places TEXT NOT NULL DEFAULT '';

-- The whole text of a document that was converted: to convert again is slow. `places` as in `chunks`.
CREATE TABLE texts (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    places TEXT NOT NULL
) STRICT;

-- What the last sync did not take in. A file of the same size, time and terms is not tried again; terms '': it is.
CREATE TABLE left_out (
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    terms TEXT NOT NULL
) STRICT;
"""

_LISTS = """
-- Who may read a document: who stands under `allow` and, where it has a row `narrow` of '', under `narrow` as well, but
-- nobody under `deny`. No row `allow`: nobody.
ALTER TABLE grants RENAME TO granted;
CREATE TABLE grants (
    principal TEXT NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('allow', 'narrow', 'deny')),
    PRIMARY KEY (principal, document_id, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO grants SELECT principal, document_id, 'allow' FROM granted;
DROP TABLE granted;
CREATE INDEX grants_by_document ON grants (document_id);

-- The access rules that the last sync found: where a file of rules vanishes, they hold on.
CREATE TABLE access_rules (path TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""

_TOKENS = """
-- By which people and agents say who they are (access/tokens.py); the secret itself is nowhere. No sync touches them.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,                   -- the part that may be seen
    secret BLOB NOT NULL,                  -- sha256 of the other
    subject TEXT NOT NULL,                 -- the principal whose it is
    scopes TEXT NOT NULL,                  -- words with blanks between
    label TEXT NOT NULL,
    made_at TEXT NOT NULL,                 -- UTC, ISO 8601, like the two below
    expires_at TEXT NOT NULL DEFAULT '',   -- '': it does not
    revoked_at TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (
    _M001, _DATED, _PACKED, _FEEDBACK, _STATED, _FORMATS, _LISTS, _TOKENS, DIRECTORY, _AUDIT, FACTS + DECIDED,
    COVERING, READINGS,
)  # fmt: skip
ORPHANED = (
    "NOT EXISTS (SELECT 1 FROM chunks c WHERE c.text_hash = v.text_hash) "
    "AND NOT EXISTS (SELECT 1 FROM units u WHERE u.text_hash = v.text_hash)"
)
"""Of `vectors v`: those of a text that no document holds."""
_FILLS = {3: packed.fill}  # what SQL alone cannot derive, in the same transaction as its migration
_OURS = {
    "meta", "documents", "grants", "chunks", "units", "words", "postings", "models", "vectors", "calibrations",
}  # fmt: skip


def connect(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """A connection in WAL mode with every migration applied; with `create` the file is made if it is missing.

    Raises StoreError with the remedy when SQLite is too old, lacks FTS5, or the file is no index of ours.
    """
    _check_sqlite()
    with translated(path):
        if create:
            make_room(path)
            private(path)
        connection = opened(path, "mode=rw")  # SQLite itself makes no file, which would be readable by everyone
        try:
            check_ours(connection, path)  # before the first pragma that changes the file
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def address_of(path: PurePath) -> str:
    """An absolute path as the URI that SQLite opens: a drive after an empty host, a share with two more slashes."""
    address = path.as_posix()
    return f"file://{'' if address.startswith('/') else '/'}{quote(os.fsencode(address), safe='/:')}"


def opened(path: Path, how: str) -> sqlite3.Connection:
    """A bare connection to a file, `how` being SQLite's words for its address: "mode=ro". Raises sqlite3.Error."""
    return sqlite3.connect(
        f"{address_of(path.absolute())}?{how}",
        uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False,
    )  # fmt: skip


def reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even which files stand beside it. Raises sqlite3.Error, StoreError."""
    # Without a log no process has the index open; SQLite would make one, also for a connection that only reads.
    connection = opened(path, "mode=ro" if os.path.exists(f"{path}-wal") else "mode=ro&immutable=1")
    try:
        check_ours(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def private(path: Path) -> Path:
    """The path of a file that is now there, readable by its owner only when it was not or was empty.

    Raises OSError, and StoreError for what is no regular file.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        return path
    found = path.stat()  # not opened: to close it again would free the locks that this process has on it
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{path} cannot be used: it is no regular file. Name another file with --db.")
    if not found.st_size and found.st_mode & 0o077:
        path.chmod(0o600)
    return path


def make_room(path: Path) -> None:
    folder = path.parent
    if folder.name == ".brain" and folder.parent.is_dir():  # our own; any other that is missing is a typing error
        folder.mkdir(exist_ok=True)
    if not folder.is_dir():
        reason = "is no folder. Name" if folder.exists() else "does not exist. Create it, or name"
        raise StoreError(f"{path} cannot be made: {folder} {reason} another file with --db.")


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < _OLDEST:
        needed = ".".join(map(str, _OLDEST))
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old, {needed} is needed. "
            "Install a Python whose sqlite3 module is newer: uv python install 3.12"
        )
    probe = sqlite3.connect(":memory:")
    try:
        probe.execute("CREATE VIRTUAL TABLE probe USING fts5 (x)")
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"This Python's SQLite {sqlite3.sqlite_version} has no FTS5 ({error}). "
            "Install a Python whose sqlite3 module has it: uv python install 3.12"
        ) from error
    finally:
        probe.close()


def check_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for a database that is not ours or is newer than this program; an empty one may be ours."""
    connection.execute("BEGIN")  # both as of one moment: another process may be making the index now
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.execute("ROLLBACK")
    if (version or tables) and not tables >= _OURS:
        raise StoreError(f"{path} is a database, but not one of ours. Name another file with --db.")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path} was made by a newer version (schema {version}, this one knows {len(MIGRATIONS)}). "
            "Update the program, or name another file with --db."
        )


_ONLY_BEFORE = "SELECT abs(-9223372036854775808) FROM pragma_user_version WHERE user_version >= {};"
"""Fails where the version is that high: SQL has no other way to leave a script."""


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number in range(version + 1, len(MIGRATIONS) + 1):
        # Two processes may start at once: the second finds the version raised and skips. It must look within the
        # transaction, since some migrations could be made twice, and the version would go back.
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {_ONLY_BEFORE.format(number)} {MIGRATIONS[number - 1]}")
            if number in _FILLS:
                _FILLS[number](connection)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except sqlite3.OperationalError:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if connection.execute("PRAGMA user_version").fetchone()[0] < number:
                raise


def shorten_journal(connection: Connection, path: Path) -> None:
    """Makes a journal of more than MOST_JOURNAL bytes empty: where questions never pause, nothing else would.

    Waits for readers for a moment only; one that stays longer is met again after the next sync.
    """
    with contextlib.suppress(OSError):
        if os.path.getsize(f"{path}-wal") > MOST_JOURNAL:
            empty_journal(connection, 0.5)


def empty_journal(connection: Connection, patience: float) -> bool:
    """Moves the journal into the file. False: a reader stays longer than `patience`, in seconds: it is not empty."""
    connection.execute(f"PRAGMA busy_timeout = {1000 * patience:.0f}")
    try:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS:.0f}")
    return not busy


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns SQLite's and the file system's errors inside the block into StoreError, with what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text:
            raise StoreError(f"No space left for {path}. Nothing was lost; free some space and run again.") from error
        if "locked" in text:
            raise StoreBusy(f"{path} is locked by another process for more than {BUSY_SECONDS:.0f} s.") from error
        raise StoreError(f"{path} cannot be used: {text}. Name another file with --db.") from error
    except sqlite3.IntegrityError as error:  # what was read a moment ago is no longer so
        raise StoreError(f"{path} was changed by another process meanwhile ({error}). Run again.") from error
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:  # a fault of the program, not of the file
            raise
        raise StoreError(
            f"{path} is damaged or no database ({error}). Move it away and run: python store.py --sync"
        ) from error
    except OSError as error:
        told = f"{error.filename or path} cannot be used: {error.strerror or error}."
        raise StoreError(f"{told} Name another file with --db.") from error


@contextlib.contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """One transaction: all of the block's writes or, when it fails, none; readers go on meanwhile.

    Raises the generation, by which every process sees that something changed.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        alone(connection, "index")
        yield
        connection.execute("UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'generation'")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
