"""What is written into the audit log of a question, a document that is read, a judgement, an export.

Every road tells its questions here before it tells the answer; what cannot be written down is not told. Knows neither
HTTP nor a command line. Try: python answer.py "How many vacation days do I get?", then python -m access.audit show
"""

import contextlib
import hashlib
import hmac
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from access import Caller
from access.audit import Head, Kind, append, read_key, write_head
from config import Settings
from errors import BrainError, NotRecorded, StoreBusy, StoreError, UsageError
from masking import mask_line
from retrieval.found import Found
from storage.filter import EVERYTHING, Filter
from storage.reader import ChunkRow
from storage.schema import BUSY_SECONDS, translated
from store import Store

if TYPE_CHECKING:
    from answering.shapes import Answer  # with pydantic, which search.py can do without: 0.2 s of its start

Road = Literal["cli", "http", "ask", "stream", "search", "mcp", "documents", "examples", "feedback", "graph"]
"""By which door something came."""
Asking = Literal["question", "search"]
"""An answer is asked for, or passages."""
_TEXT = 2000  # characters of a path or a question that are kept: none of ours is longer


class Log:
    """Writes into an index's audit log as the settings say; nothing where they say `audit = false`."""

    def __init__(self, settings: Settings, store: Store, notice: Callable[[str], None]) -> None:
        """`notice` hears when a head could not be written. Raises UsageError for a key that cannot be read."""
        self._store, self._notice = store, notice
        self.on = settings.audit
        self._hash_key, self._sign_key = keys_of(settings) if self.on else (None, None)
        self._head_file, self._every = settings.audit_head_file, settings.audit_head_every
        self._line, self._lock = threading.Lock(), threading.Lock()
        self._written: int | None = None  # number of the last head in the file, by this process

    def write(self, kind: Kind, caller: Caller, body: Mapping[str, Any]) -> None:
        """Writes a row, on the disk when this returns. Raises NotRecorded when that is not possible."""
        if not self.on:
            return
        try:
            with self._in_line(), translated(self._store.path):
                made = append(self._store.connection(), kind, caller.id, body)
        except StoreError as error:
            raise NotRecorded(
                f"This could not be written into the audit log, so it is not told. {error} "
                "(BRAIN_AUDIT=0 answers without a record.)"
            ) from error
        self._keep_head(made)

    @contextlib.contextmanager
    def _in_line(self) -> Iterator[None]:
        """One thread at a time: SQLite lets writers sleep ever longer; of 8 at once one waited 5 s, in a line 0.1 s."""
        if not self._line.acquire(timeout=BUSY_SECONDS):  # the first of them has waited as long for the file
            raise StoreBusy(f"{self._store.path} is locked by another process for more than {BUSY_SECONDS:.0f} s.")
        try:
            yield
        finally:
            self._line.release()

    def entry(
        self, kind: Asking, road: Road, caller: Caller, text: str, wanted: Filter = EVERYTHING, name: str = "",
        by: str = "",
    ) -> "Entry":  # fmt: skip
        """A question or a search, of which nothing is written down yet; `name` is its id until it has an answer.

        `by` is who asks for the caller, in their name.
        """
        return Entry(self, kind, road, caller, text, wanted, name or uuid.uuid4().hex, by)

    def read(
        self, road: Road, caller: Caller, documents: Sequence[Mapping[str, str]], status: str = "read", asked: str = ""
    ) -> None:
        """Documents opened by name or by a typed question (`asked`), or asked for in vain. Raises NotRecorded."""
        words = self.words("question", asked) if asked else {}
        self.write("read", caller, who(road, caller) | words | {"status": status, "documents": [*documents]})

    def words(self, name: str, text: str) -> dict[str, str]:
        """The text without secrets under this name or, where the setting says so, its keyed hash under `name_hash`."""
        if self._hash_key is None:
            return {name: mask_line(text)[:_TEXT]}
        return {f"{name}_hash": hmac.new(self._hash_key, text.encode("utf-8", "replace"), "sha256").hexdigest()}

    def digest(self, text: str) -> str:
        """By which a text in hand can be told to be the one that was given; keyed where the words are."""
        data = text.encode("utf-8", "replace")
        return (
            hmac.new(self._hash_key, data, "sha256").hexdigest() if self._hash_key else hashlib.sha256(data).hexdigest()
        )

    def _keep_head(self, made: Head) -> None:
        if self._head_file is None:
            return
        with self._lock:
            if self._written is not None and made.number - self._written < self._every:
                return
            try:
                write_head(self._head_file, made.signed(self._sign_key) if self._sign_key else made)
            except OSError as error:  # the row is written; a head that comes later vouches for it, too
                self._notice(f"the audit log's head cannot be kept in {self._head_file}: {error.strerror or error}")
            self._written = made.number


class Entry:
    """One question or search on its way into the log."""

    def __init__(
        self, log: Log, kind: Asking, road: Road, caller: Caller, text: str, wanted: Filter, name: str, by: str
    ) -> None:
        self._log, self._kind, self._caller, self._id, self._begun = log, kind, caller, name, ""
        narrowed = {name: mask_line(v) for name in ("since", "until", "path") if (v := getattr(wanted, name))}
        self._body = (
            who(road, caller)
            | ({"by": by} if by else {})
            | ({"filter": narrowed} if narrowed else {})
            | log.words("question", text)
        )

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Around the work: an error that ends it is written down, too, unless that is not possible."""
        try:
            yield
        except Exception as error:
            if not isinstance(error, NotRecorded):
                with contextlib.suppress(NotRecorded):  # nothing is told; what was in the way is
                    self.failed(error.code if isinstance(error, BrainError) else "internal")
            raise

    def begun(self, found: Found) -> None:
        """What was found is about to be told while the answer is still made. Raises NotRecorded."""
        self._write("begun", found, passages_of(found))
        self._begun = self._id

    def answered(self, found: Found, answer: "Answer", *, explained: bool = False) -> None:
        """The answer is about to be told, with `explained` the hits of the search, too. Raises NotRecorded."""
        self._id = answer.id
        told: dict[str, Any] = {"model": answer.model, "answer_hash": self._log.digest(answer.answer)}
        told |= self._log.words("asked", answer.asked) if answer.asked else {}
        told |= {"made_at": answer.made_at} if answer.cached else {}
        told |= {"next": answer.next} if answer.next else {}
        told |= {"begun": self._begun} if self._begun else {}
        documents = passages_of(found, answer) + (hits_of(found) if explained else [])
        self._write(answer.status, found, documents, told)

    def found(self, found: Found, *, hits: bool) -> None:
        """The passages of a search are about to be told or, with `hits`, all that was looked at. Raises NotRecorded."""
        documents = hits_of(found) if hits else passages_of(found)
        self._write("found" if found.passages else "not_found", found, documents)

    def failed(self, code: str) -> None:
        """It ended with an error of this code; nothing was told but what `begun` wrote down. Raises NotRecorded."""
        begun = {"begun": self._begun} if self._begun else {}
        told = {"id": uuid.uuid4().hex if self._begun else self._id, "status": code, "documents": []}
        self._log.write(self._kind, self._caller, self._body | told | begun)

    def _write(
        self, status: str, found: Found, documents: list[dict[str, Any]], more: Mapping[str, Any] | None = None
    ) -> None:
        limit = {
            "min_score": round(found.limit.min_score, 4), "min_coverage": round(found.limit.min_coverage, 4),
            "min_confidence": found.limit.min_confidence, "origin": found.limit.origin, "fits": found.limit.fits,
        }  # fmt: skip
        known = {"id": self._id, "status": status, "lang": found.lang, "limit": limit, "documents": documents}
        self._log.write(self._kind, self._caller, self._body | known | dict(more or {}))


def who(road: Road, caller: Caller) -> dict[str, Any]:
    """By which door, for whom an agent came, and what the caller held; the id is a column of the log."""
    within = {"within": [sorted(held) for held in caller.within]} if caller.within else {}
    person = {"for": caller.person} if caller.person else {}
    return {"road": road, "principals": sorted(caller.principals)} | person | within


def passages_of(found: Found, answer: "Answer | None" = None) -> list[dict[str, Any]]:
    """The passages that an answer is made from, those it cites marked; without any, the one named as nearest."""
    cited = {(source.source, source.lines) for source in answer.sources} if answer else set()
    told = [
        document(p.row, p.lines, "cited" if (p.source, p.lines) in cited else "given", p.also) for p in found.passages
    ]
    if not told and found.nearest:
        told = [document(found.nearest.chunk, found.nearest.chunk.lines, "named")]
    return told


def hits_of(found: Found) -> list[dict[str, Any]]:
    """Everything that a search shows of itself: hits below the limit, too."""
    return [document(hit.chunk, hit.chunk.lines, "shown", hit.also) for hit in found.hits]


def document(row: ChunkRow, lines: str, how: str, also: Sequence[str] = ()) -> dict[str, Any]:
    """Lines of a document as the log has them: its version is the SHA-256 of the file as it was indexed."""
    told: dict[str, Any] = {"path": row.path, "version": row.sha256, "lines": lines, "as": how}
    return told | ({"also": [*also]} if also else {})


def keys_of(settings: Settings) -> tuple[bytes | None, bytes | None]:
    """The key that hashes questions and the one that signs heads, None where none is asked for. Raises UsageError."""
    hashed = settings.audit_questions == "hash"
    if hashed and settings.audit_hash_key is None:
        raise UsageError(
            "BRAIN_AUDIT_QUESTIONS=hash needs a key, or who guesses a question could tell it by its hash: name its "
            "file with BRAIN_AUDIT_HASH_KEY."
        )
    hash_key = read_key(settings.audit_hash_key, "BRAIN_AUDIT_HASH_KEY") if hashed and settings.audit_hash_key else None
    return hash_key, sign_key(settings)


def sign_key(settings: Settings) -> bytes | None:
    """The key that signs heads, None where none is named. Raises UsageError."""
    return read_key(settings.audit_sign_key, "BRAIN_AUDIT_SIGN_KEY") if settings.audit_sign_key else None
