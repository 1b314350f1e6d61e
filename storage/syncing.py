"""One sync: what the source has now becomes what the index holds, some hundred texts a transaction.

Model calls happen outside transactions. Killed at any moment, the index holds each document old or new, whole: a
transaction holds whole documents, and one that fails is written again document by document.
Knows the Source and Embedder protocols only. Try: python store.py --sync --docs docs
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from access import CLOSED, AccessList
from access.egress import border
from access.rules import narrowed_by
from chunk import Chunk, Document, embed_text, lines_of
from chunking.front import ACCESS
from chunking.units import units
from config import Settings
from database import meta, set_meta
from errors import SourceError
from facts import Extraction
from facts import Text as Said
from facts.extract import extract, left_out
from facts.mapping import Mapping
from language.detect import language_of
from models import Embedder, Vector
from sources import Entry, Source
from sources.dates import file_date
from sources.formats import UNREAD, Unreadable, module_of
from storage import chain, vectors
from storage.granting import Granting
from storage.reader import text_hash
from storage.report import BARE, EMPTY, FILLING, NOT_LOOKED_AT, Progress, Summary
from storage.rows import Piece, Prepared, Rows
from storage.runs import Run
from storage.schema import translated, writing
from storage.text import Text, Texts
from store import Store

RECIPE_VERSION = "11"
"""Raised whenever conversion, masking, chunking, segmentation, dates, facts or the embedded text change."""
_BATCH = 256  # texts that are embedded and written at once, over as many documents as it takes
_BATCH_BYTES = 4_000_000  # of those documents; so that many long ones of few texts do not wait in memory
_MANY = 20  # documents that do not all but vanish without a word
_json = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps makes another encoder at each call
_FRESH_NS = 2_000_000_000  # file systems keep times as coarse as 2 s


@dataclass(frozen=True, slots=True)
class _Known:
    id: int
    size: int
    mtime_ns: int
    settled: bool
    sha256: str
    recipe: str
    access: AccessList


def sync(
    store: Store,
    source: Source,
    embedder: Embedder | None,
    settings: Settings,
    *,
    allow_empty: bool = False,
    retry_refused: bool = False,
    wait: bool = True,
    progress: Progress | None = None,
    only: Collection[str] = (),
    run: Run | None = None,
) -> Summary:
    """Brings the index up to date with the source and returns what was done.

    With `only` nothing but these paths is looked at: all other documents and their lists stay as they are. `run` is
    what it is written down as (storage/runs.py).
    Raises SourceError when the source is missing or suddenly empty, or cannot tell of one of `only` alone; StoreBusy
    when another sync runs and `wait` is false or lasts too long, or for `only` when none has run; ModelError when the
    embedder fails (documents done so far stay), StoreError.
    """
    run = run or Run()
    with run.recorded(store), translated(store.path):
        store.claim(source.root)  # before the wait: nobody answers from another folder's index meanwhile
        with store.locked(wait):
            at_work = _Sync(store, source, embedder, settings, progress, run)
            try:
                with contextlib.closing(at_work.texts):
                    return at_work.run_some(only) if only else at_work.run(allow_empty, retry_refused)
            except KeyboardInterrupt as stop:
                raise KeyboardInterrupt(_kept(at_work.summary)) from stop


def _kept(summary: Summary) -> str:
    done = summary.added + summary.changed + summary.removed
    if not summary.wrote:
        return "the index is as it was"
    return f"{done} documents were brought up to date and stay so; the next sync goes on from there"


class _Sync:
    def __init__(
        self, store: Store, source: Source, embedder: Embedder | None, settings: Settings, progress: Progress | None,
        run: Run,
    ) -> None:  # fmt: skip
        self.store, self.source, self.embedder, self.settings = store, source, embedder, settings
        self.progress = progress or (lambda done, total, path: None)
        self.cuts_units = bool(embedder and embedder.embeds_units)
        self.mapping: Mapping = getattr(source, "facts", Mapping)()
        whole = f"{RECIPE_VERSION}/{settings.chunk_chars}{'/' * bool(self.mapping.digest)}{self.mapping.digest}"
        self.recipe = whole if self.cuts_units else f"{whole}/no-units"  # to read units takes longer than to chunk
        self.border = border(settings, embedder)
        self.recipes = (self.recipe, whole)  # what may stay: units in the index are in nobody's way
        self.recording, self.summary = run, run.summary
        self.texts = Texts(settings)
        self.terms = f"{RECIPE_VERSION}/{self.texts.terms}"
        self.refused = dict[tuple[str, int, int], str]()  # path, size, time of what cannot be converted: the reason
        self.regranted = set[str]()  # documents that stand with another list since this sync began
        self.model_id = 0
        self.connection = store.connection()
        self.shelf = store.shelf()
        self.rows = Rows(self.connection, self.shelf)
        self.granting = Granting(self.connection, self.shelf, source, settings, self._writing)

    def run(self, allow_empty: bool, retry_refused: bool) -> Summary:
        started = time.perf_counter()
        with self.recording.stage("look"):
            known = self._known()
            entries = list(self.source.entries())
        few = len(known) >= _MANY and len(entries) * 10 < len(known)  # as where a note lies in place of a share
        if known and not allow_empty and (not entries or few):
            raise SourceError(
                f"{self.source.root} holds {len(entries) or 'no'} documents, the index holds {len(known)}. "
                "If the others are meant to go, run: python store.py --sync --allow-empty"
            )
        self.granting.begin({path: old.access for path, old in known.items()})
        self.summary.skipped = self.source.skipped()
        self._regrant(entries, known)
        self._pass_by()
        if not retry_refused:
            self.refused = self._refused()
        if self.embedder:
            self.model_id = self.store.register(self.embedder)
        kept = self._take(entries, known)
        gone = {path: old.id for path, old in known.items() if path not in kept}
        if gone and entries and next(iter(self.source.entries()), None) is None:  # a share may go in mid-sync
            raise SourceError(f"{self.source.root} lost its documents while they were read. Nothing was removed.")
        self._remove(gone)
        self.granting.end()
        if self.embedder:
            self._fill(retry_refused)
        self._tell_what_is_amiss(entries)
        chain.keep(self.connection, self.settings, self.summary, self.recording.caller)
        self.summary.notes += vectors.told(self.connection, self.model_id, self.border, entries)
        self.recording.ended(self.store)
        self.shelf.tidy()
        self.summary.seconds = time.perf_counter() - started
        return self.summary

    def run_some(self, only: Collection[str]) -> Summary:
        """The same for these paths alone. What is measured over the whole index waits for a sync of all."""
        started = time.perf_counter()
        with self.recording.stage("look"):
            held = self.granting.recalled()
            entries = self.source.some(only, held)
            self.granting.join(held)
            known = self._known(only)
            self._regrant(entries, known)
            self.refused = self._refused()
            if self.embedder:
                self.model_id = self.store.register(self.embedder)
        kept = self._take(entries, known)
        self._remove({path: old.id for path, old in known.items() if path not in kept})
        self._tell_what_is_amiss(entries, only)
        chain.keep(self.connection, self.settings, self.summary, self.recording.caller)
        self.recording.ended(self.store)
        self.shelf.tidy()
        self.summary.seconds = time.perf_counter() - started
        return self.summary

    def _regrant(self, entries: list[Entry], known: dict[str, _Known]) -> None:
        held = [(entry, known[entry.path]) for entry in entries if entry.path in known]
        changed = self.granting.early((new.path, old.id, old.access, self._is_same(new, old)) for new, old in held)
        known |= {path: replace(known[path], access=listed) for path, listed in changed.items()}
        self.regranted = {*changed}

    def _is_same(self, entry: Entry, old: _Known) -> bool:
        now = (entry.size, entry.mtime_ns)
        return bool(old.settled and self._is_as_cut(entry.path, old) and (old.size, old.mtime_ns) == now)

    def _pass_by(self) -> None:
        """Kinds of files that nothing reads, as the source counts them where it does, kept for who asks later."""
        counts: Callable[[], dict[str, int]] = getattr(self.source, "not_looked_at", dict)
        self.summary.not_looked_at = counts()
        told = _json(self.summary.not_looked_at)
        if told != (meta(self.connection, NOT_LOOKED_AT) or _json({})):
            with self._writing():
                set_meta(self.connection, NOT_LOOKED_AT, told)

    def _refused(self) -> dict[tuple[str, int, int], str]:
        sql = "SELECT path, size, mtime_ns, reason FROM left_out WHERE terms = ?"
        return {(path, *at): reason for path, *at, reason in self.connection.execute(sql, (self.terms,))}

    def _tell_what_is_amiss(self, entries: list[Entry], only: Collection[str] = ()) -> None:
        """What was left out, as the next sync and people who ask later find it; what is amiss with the documents.

        With `only` what is known of others stays.
        """
        found = {entry.path: entry for entry in entries}
        rows = []
        for path, reason in self.summary.skipped:
            entry = found.get(path)
            passes = reason.startswith(UNREAD)  # a lock, a right, a share: the file does not change when that goes by
            lasts = entry and module_of(path) and _settled(entry) and not passes
            at = (entry.size, entry.mtime_ns, self.terms) if entry and lasts else (0, 0, "")
            rows.append((path, reason.encode("utf-8", "replace").decode(), *at))
        held = self.connection.execute("SELECT path, reason, size, mtime_ns, terms FROM left_out").fetchall()
        rows += [row for row in held if only and row[0] not in only]
        if sorted(held) != sorted(rows):
            with self._writing():
                self.connection.execute("DELETE FROM left_out")
                self.connection.executemany("INSERT INTO left_out VALUES (?, ?, ?, ?, ?)", rows)
        sql = "SELECT path, notes FROM documents WHERE notes <> '[]' ORDER BY path"
        noted = [row for row in self.connection.execute(sql) if not only or row[0] in only]
        self.summary.notes = [(path, note) for path, notes in noted for note in json.loads(notes)]
        self.summary.warnings = len(self.summary.left_out) + len(noted)

    def _known(self, only: Collection[str] = ()) -> dict[str, _Known]:
        columns = "path, id, size, mtime_ns, settled, sha256, recipe"
        if only:
            wanted = "WHERE path IN (SELECT value FROM json_each(?))"
            rows = self.connection.execute(f"SELECT {columns} FROM documents {wanted}", (_json([*only]),)).fetchall()
        else:
            rows = self.connection.execute(f"SELECT {columns} FROM documents").fetchall()
        grants = self.shelf.lists() if rows else {}
        return {
            path: _Known(number, size, mtime_ns, settled, sha256, recipe, grants.get(number, CLOSED))
            for path, number, size, mtime_ns, settled, sha256, recipe in rows
        }

    def _take(self, entries: list[Entry], known: dict[str, _Known]) -> set[str]:
        """Writes what is new or changed; returns the paths that stay in the index."""
        kept: set[str] = set()
        waiting: list[Prepared] = []
        texts = size = 0
        for done, entry in enumerate(entries):
            old = known.get(entry.path)
            same = old is not None and self._is_same(entry, old)
            if not same:
                self.progress(done, len(entries), entry.path)
            try:
                prepared = self._prepare(entry, old, same)
            except Unreadable as error:
                self.summary.skipped.append((self.texts.shown(entry.path), str(error)))
                continue
            kept.add(entry.path)
            if prepared:
                waiting.append(prepared)
                texts += len(prepared.texts)
                size += entry.size
            if texts >= _BATCH or size >= _BATCH_BYTES:
                self._write(waiting, known)
                waiting, texts, size = [], 0, 0
        if waiting:
            self._write(waiting, known)
        self.progress(len(entries), len(entries), "")
        return kept

    def _prepare(self, entry: Entry, old: _Known | None, same: bool) -> Prepared | None:
        """The document ready to be written, None when its text is the same. Raises Unreadable with the reason.

        `same` says that its size and time are, so it is not opened; its access list is asked for all the same.
        """
        self.texts.check(entry)
        if reason := self.refused.get((entry.path, entry.size, entry.mtime_ns)):
            raise Unreadable(reason)
        settled = _settled(entry)  # before it is read: a write from now on may hide behind the same time
        try:
            listed = self.source.access(entry.path)
        except OSError as error:
            raise Unreadable(f"{UNREAD}: {error.strerror or error}") from error
        read, digest = None, ""
        if not same:
            with self.recording.stage("read"):
                data = self._bytes(entry.path)
                digest = hashlib.sha256(data).hexdigest()
                if not (old and old.sha256 == digest and self._is_as_cut(entry.path, old)):
                    read = self._cut(entry.path, data, listed)
        if old and not read:
            self._keep(entry, settled, replace(listed, narrow=old.access.narrow), old)  # what it says is as it was
            return None
        assert read
        text, document, stated, listed, lang, pieces = read
        with self.recording.stage("extract"):
            said = self._said(entry.path, document, text, lang, stated)
            text = replace(text, notes=(*text.notes, *left_out(said, text.places)))
        to_embed = vectors.sendable(self.border, entry.path, (piece.texts for piece in pieces))
        return Prepared(
            entry, settled, digest, document.title, lang, document.meta, stated, listed, text, pieces, to_embed,
            self.recipe + self.texts.mark(entry.path), said,
        )  # fmt: skip

    def _bytes(self, path: str) -> bytes:
        try:
            return self.source.read(path)
        except OSError as error:
            raise Unreadable(f"{UNREAD}: {error.strerror or error}") from error

    def _cut(
        self, path: str, data: bytes, listed: AccessList
    ) -> tuple[Text, Document, str, AccessList, str, list[Piece]]:
        """The text, the document, its date, its list as it narrows it itself, its language, and its pieces."""
        text = self.texts.read(data, path)
        document, stated = text.cut(path, self.settings.chunk_chars)
        if ACCESS in document.meta:
            listed, fault = narrowed_by(listed, document.meta[ACCESS])
            text = replace(text, notes=(*text.notes, fault)) if fault else text
        texts = [(chunk, embed_text(document, chunk)) for chunk in document.chunks if not chunk.is_empty]
        lang = language_of(" ".join(embedded for _, embedded in texts[:6]))
        pieces = [self._piece(chunk, embedded, lang) for chunk, embedded in texts]
        if not pieces:
            is_bare = any(line.startswith("#") for line in text.text.split("\n"))
            raise Unreadable(BARE if is_bare else EMPTY)
        if text.encoding not in ("utf-8", "ascii"):
            self.summary.decoded.append((path, text.encoding))
        return text, document, stated, listed, lang, pieces

    def _said(self, path: str, document: Document, text: Text, lang: str, stated: str) -> Extraction:
        lines = lines_of(text.text)
        said = Said(path, document.title, document.meta, lines, lang, stated, text.format, text.places)
        return extract(said, self.mapping)

    def _piece(self, chunk: Chunk, text: str, lang: str) -> Piece:
        found = units(chunk.text, chunk.first_line, chunk.context, lang) if self.cuts_units else ()
        return Piece(chunk, text, text_hash(text), {text_hash(unit.text): unit.text for unit in found})

    def _is_as_cut(self, path: str, old: _Known) -> bool:
        return old.recipe in (recipe + self.texts.mark(path) for recipe in self.recipes)

    def _keep(self, entry: Entry, settled: bool, listed: AccessList, old: _Known) -> None:
        now = (entry.size, entry.mtime_ns, settled)
        if (*now, listed) != (old.size, old.mtime_ns, bool(old.settled), old.access):
            with self._writing():
                self.connection.execute(
                    "UPDATE documents SET size = ?, mtime_ns = ?, settled = ?, "
                    "dated = CASE WHEN stated <> 0 THEN dated ELSE ? END WHERE id = ?",
                    (*now, file_date(entry.mtime_ns), old.id),
                )
                self.shelf.set_lists([(old.id, listed)])
                if listed != old.access:
                    self.granting.changed({entry.path: listed})
        if listed == old.access and entry.path not in self.regranted:
            self.summary.unchanged += 1
        else:
            self.summary.name("changed", entry.path)

    def _write(self, documents: list[Prepared], known: dict[str, _Known]) -> None:
        texts = vectors.together(doc.texts for doc in documents)
        if self.border.host and (freed := vectors.freed(self.connection, texts)):
            with self._writing():
                vectors.forget(self.connection, freed)
        embedded = self._embed(texts)
        try:
            self._commit(documents, embedded, known)
        except Exception:
            if len(documents) < 2:
                raise
            for doc in documents:  # the one that fails takes none of its neighbours with it
                self._commit([doc], embedded, known)

    def _commit(
        self, documents: list[Prepared], embedded: dict[bytes, Vector | None], known: dict[str, _Known]
    ) -> None:
        """Writes the documents, all or none: a transaction costs as much as the rows of ten short documents."""
        self.rows.counted()  # of a transaction that failed
        with self.recording.stage("index"), self._writing():
            newest = self.shelf.newest_vector()
            replaced = [known[doc.entry.path].id for doc in documents if doc.entry.path in known]
            for document_id in replaced:
                self.rows.delete(document_id)
            written = self.rows.insert(documents)
            made = ((key, embedded[key]) for doc in documents for key in doc.texts if key in embedded)
            vectors.insert(self.connection, self.model_id, made)
            if replaced:
                self.rows.sweep()
            self.shelf.pack(newest, written)
            self.granting.changed(
                {
                    doc.entry.path: doc.access
                    for doc in documents
                    if (old := known.get(doc.entry.path)) is None or old.access != doc.access
                }
            )
        self._count()
        for doc in documents:
            self.summary.name("changed" if doc.entry.path in known else "added", doc.entry.path)

    def _count(self) -> None:
        came, went, things = self.rows.counted()
        self.summary.facts_in += came
        self.summary.facts_out += went
        self.summary.things += things

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        self.connection = self.store.connection()  # fails where the file is no longer the one that was opened
        with writing(self.connection):
            yield

    def _embed(self, texts: dict[bytes, str | None]) -> dict[bytes, Vector | None]:
        """Vectors of the texts by hash, those in the index read from it; None for what is refused or held back."""
        if not self.embedder:
            return {}
        held = vectors.stored(self.connection, self.model_id, texts)
        missing = {key: text for key, text in texts.items() if text is not None and key not in held}
        started = time.perf_counter()
        with self.recording.stage("embed"):
            found = self.embedder.embed_documents([*missing.values()]) if missing else []
        self.summary.embed_seconds += time.perf_counter() - started
        self.summary.model_calls += bool(missing)
        self.summary.refused += sum(vector is None for vector in found)
        self.summary.embedded += sum(vector is not None for vector in found)
        return dict.fromkeys(texts) | held | dict(zip(missing, found, strict=True))

    def _remove(self, gone: dict[str, int]) -> None:
        for path, document_id in gone.items():
            with self.recording.stage("index"), self._writing():
                self.rows.delete(document_id)
                self.rows.sweep()
                self.granting.changed({path: None})
            self._count()
            self.summary.name("removed", path)

    def _fill(self, retry_refused: bool) -> None:
        """Embeds the chunks that have no vector of this model: indexed without an embedder, or for another model."""
        if retry_refused or vectors.is_other(self.connection, self.model_id, self.border):
            with self._writing():
                vectors.forget_all(self.connection, self.model_id)
                vectors.note(self.connection, self.model_id, self.border)
        missing = self._missing()
        for start in range(0, len(missing), _BATCH):
            self.progress(start, len(missing), FILLING)
            embedded = self._embed(dict(missing[start : start + _BATCH]))
            with self._writing():
                newest = self.shelf.newest_vector()
                vectors.insert(self.connection, self.model_id, embedded.items())
                self.shelf.pack(newest)

    def _missing(self) -> list[tuple[bytes, str | None]]:
        has = "EXISTS (SELECT 1 FROM vectors v WHERE v.model_id = ?1 AND v.text_hash = t.text_hash)"
        rows = self.connection.execute(
            "SELECT d.path, d.title, d.lang, c.heading, c.first_line, c.last_line, c.text, c.context, c.skip "
            "FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id IN ("
            f"SELECT t.id FROM chunks t WHERE NOT {has} UNION "
            f"SELECT t.chunk_id FROM units t WHERE ?2 <> 0 AND NOT {has})",
            (self.model_id, self.cuts_units),
        ).fetchall()
        made = []
        for path, title, lang, heading, *rest in rows:
            chunk = Chunk(tuple(json.loads(heading)), *rest)
            piece = self._piece(chunk, embed_text(Document(title, {}, ()), chunk), lang)
            made.append(vectors.sendable(self.border, path, [piece.texts]))
        found = vectors.together(made)
        held = vectors.stored(self.connection, self.model_id, found)
        return [(key, text) for key, text in found.items() if key not in held]


def _settled(entry: Entry) -> bool:
    return time.time_ns() - entry.mtime_ns > _FRESH_NS
