"""What a chat model read in prose, kept by text, model and what was asked: nothing is read twice on the same terms.

A reading holds for every chunk of its text, and goes with the last one. Of several of a text the last that could be
read is in force, so an older model's word stays where a newer one says nothing. Knows rows; storage/reading.py asks.
Try: pytest tests/test_reading.py
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from database import Connection
from facts import Extraction
from facts.extractors import prose
from storage.facts import FactShelf

Outcome = Literal["ok", "empty", "unreadable", "refused", "orders", "failed"]
"""ok: facts that stand there; empty: none, or none that does; unreadable: the reply was no list of facts; refused: the
text did not fit the model; orders: it gives orders to a model and was not sent; failed: the call did, and is tried
again."""
NO_PROSE = ""
"""In place of a text's hash."""
_PAGE = 200
_MOST_KEPT = 8  # readings of one text, by other models or of other relations: to go back to one costs no call
_IN = "IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a reading depends on besides its text."""

    prompt: str
    model: str
    room: str = ""  # the tokens of window and reply: what did not fit may fit in others

    @property
    def lost(self) -> str:
        """In place of `prompt` where nothing could be read."""
        return f"{self.prompt}/{self.room}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One row."""

    outcome: Outcome
    facts: str  # JSON of facts.extractors.prose
    dropped: int
    prompt_tokens: int | None
    reply_tokens: int | None
    seconds: float

    @property
    def was_read(self) -> bool:
        """Whether the reply was a list of facts."""
        return self.outcome in ("ok", "empty")


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of it."""

    is_there: bool
    came: int = 0  # statements, with their places
    went: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk that may have to be read."""

    chunk_id: int
    document_id: int
    path: str
    format: str
    lang: str
    body: str


class Readings:
    """The rows of readings; all that writes stands inside the caller's transaction."""

    def __init__(self, connection: Connection, facts: FactShelf) -> None:
        self._connection, self._facts = connection, facts
        self._gone = set[str]()  # hashes of texts that a document had which went

    def forget(self, document_id: int) -> None:
        """Called before the document goes: readings that no other has go with `sweep`."""
        sql = "SELECT l.text_hash FROM read_chunks l JOIN chunks c ON c.id = l.chunk_id WHERE c.document_id = ?"
        self._gone |= {key for (key,) in self._connection.execute(sql, (document_id,))} - {NO_PROSE}

    def sweep(self) -> None:
        """Takes out the readings of texts that no chunk has any more."""
        if self._gone:
            self._connection.execute(
                f"DELETE FROM readings WHERE text_hash {_IN} "
                "AND NOT EXISTS (SELECT 1 FROM read_chunks l WHERE l.text_hash = readings.text_hash)",
                (json.dumps(sorted(self._gone)),),
            )
            self._gone.clear()

    def recall(self, documents: Collection[int]) -> None:
        """Gives new documents what was read in texts that they have, so that no sync passes without it."""
        if not documents or not self._connection.execute("SELECT EXISTS (SELECT 1 FROM readings)").fetchone()[0]:
            return
        rows = self._connection.execute(
            "SELECT id, document_id, text, skip FROM chunks "
            "WHERE document_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            (json.dumps([*documents]),),
        ).fetchall()
        keys = {chunk_id: prose.text_key(_body(text, skip)[1]) for chunk_id, _, text, skip in rows}
        known = self._connection.execute(
            f"SELECT text_hash FROM readings WHERE text_hash {_IN}", (json.dumps(sorted({*keys.values()})),)
        )
        held = {key for (key,) in known}
        self._link((chunk_id, key) for chunk_id, key in keys.items() if key in held)
        for document_id in sorted({document for chunk_id, document, *_ in rows if keys[chunk_id] in held}):
            self._write(document_id)

    def due(self, terms: Terms, *, failed: bool) -> Iterator[Piece]:
        """The chunks that were not read on these terms, by id; with `failed` those that could not be, instead."""
        last, wanted = 0, _FAILED if failed else _UNREAD
        while True:
            rows = self._connection.execute(
                "SELECT c.id, c.document_id, d.path, d.format, d.lang, c.text, c.skip FROM chunks c "
                "JOIN documents d ON d.id = c.document_id LEFT JOIN read_chunks l ON l.chunk_id = c.id "
                f"WHERE c.id > ? AND {wanted} ORDER BY c.id LIMIT ?",
                (last, terms.model, terms.prompt, terms.lost, _PAGE),
            ).fetchall()
            for chunk_id, document_id, path, form, lang, text, skip in rows:
                yield Piece(chunk_id, document_id, path, form, lang, _body(text, skip)[1])
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def held(self, key: str, terms: Terms) -> bool:
        """Whether this text was read on these terms, whichever chunk it was."""
        sql = "SELECT 1 FROM readings WHERE (text_hash, model) = (?, ?) AND prompt IN (?, ?) AND outcome <> 'failed'"
        return self._connection.execute(sql, (key, terms.model, terms.prompt, terms.lost)).fetchone() is not None

    def changes(self, key: str, reading: Reading | None) -> bool:
        """Whether to keep this may change any document's facts."""
        sql = "SELECT EXISTS (SELECT 1 FROM readings WHERE text_hash = ? AND facts <> '[]')"
        return bool((reading and reading.facts != "[]") or self._connection.execute(sql, (key,)).fetchone()[0])

    def keep(self, key: str, piece: Piece, terms: Terms, reading: Reading | None) -> Kept:
        """Stores what was read in a piece, None for what is held already; nothing where the chunk is gone meanwhile."""
        row = self._connection.execute("SELECT text, skip FROM chunks WHERE id = ?", (piece.chunk_id,)).fetchone()
        if row is None or _body(*row)[1] != piece.body:
            return Kept(False)
        with_text, was = self._chunks(key), self._in_force(key)
        self._link([(piece.chunk_id, key)])
        if reading:
            self._insert(key, terms, reading)
        if reading is None or reading.was_read:
            self._put_in_force(key, terms)
        now = self._in_force(key)
        others = {} if now == was else with_text
        chunks = others | ({piece.chunk_id: piece.document_id} if now != was or piece.chunk_id not in with_text else {})
        if now != "[]" or was != "[]":
            for document_id in sorted({*chunks.values()}):
                self._write(document_id)
            self._facts.sweep()
        return Kept(True, len(chunks) * len(json.loads(now)), len(others) * len(json.loads(was)))

    def _insert(self, key: str, terms: Terms, reading: Reading) -> None:
        """In place of what was kept on the same terms, which had failed or had less room."""
        self._connection.execute(
            "DELETE FROM readings WHERE (text_hash, model) = (?, ?) AND prompt IN (?, ?)",
            (key, terms.model, terms.prompt, terms.lost),
        )
        self._connection.execute(
            "INSERT INTO readings (text_hash, prompt, model, outcome, facts, dropped, prompt_tokens, reply_tokens, "
            "milliseconds, read_at, in_force) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            (
                key, terms.prompt if reading.was_read else terms.lost, terms.model, reading.outcome, reading.facts,
                reading.dropped, reading.prompt_tokens, reading.reply_tokens, round(1000 * reading.seconds), _now(),
            ),
        )  # fmt: skip
        self._connection.execute(
            "DELETE FROM readings WHERE text_hash = ? AND in_force = 0 AND id NOT IN "
            "(SELECT id FROM readings WHERE text_hash = ? ORDER BY read_at DESC, id DESC LIMIT ?)",
            (key, key, _MOST_KEPT),
        )

    def _put_in_force(self, key: str, terms: Terms) -> None:
        """What was read on these terms, if anything could be."""
        ours = "(text_hash, model, prompt) = (?, ?, ?)"
        values = (key, terms.model, terms.prompt)
        if self._connection.execute(f"SELECT 1 FROM readings WHERE {ours} AND in_force = 0", values).fetchone():
            self._connection.execute("UPDATE readings SET in_force = 0 WHERE text_hash = ?", (key,))
            self._connection.execute(f"UPDATE readings SET in_force = 1, read_at = ? WHERE {ours}", (_now(), *values))

    def mark(self, chunks: Iterable[int]) -> None:
        """Notes that these hold no prose."""
        self._link((chunk_id, NO_PROSE) for chunk_id in chunks)

    def _link(self, pairs: Iterable[tuple[int, str]]) -> None:
        self._connection.executemany(
            "INSERT INTO read_chunks (chunk_id, text_hash) SELECT c.id, CAST(? AS TEXT) FROM chunks c WHERE c.id = ? "
            "ON CONFLICT (chunk_id) DO UPDATE SET text_hash = excluded.text_hash",
            [(key, chunk_id) for chunk_id, key in pairs],
        )

    def _chunks(self, key: str) -> dict[int, int]:
        """The chunks of a text, with their documents."""
        sql = "SELECT c.id, c.document_id FROM read_chunks l JOIN chunks c ON c.id = l.chunk_id WHERE l.text_hash = ?"
        return dict(self._connection.execute(sql, (key,)).fetchall())

    def _in_force(self, key: str) -> str:
        sql = "SELECT facts FROM readings WHERE text_hash = ? AND in_force = 1"
        row = self._connection.execute(sql, (key,)).fetchone()
        return str(row[0]) if row else "[]"

    def _write(self, document_id: int) -> None:
        """What was read in all of a document's chunks, in place of what stood there."""
        rows = self._connection.execute(
            "SELECT c.first_line, c.text, c.skip, r.facts, r.model FROM read_chunks l "
            "JOIN chunks c ON c.id = l.chunk_id JOIN readings r ON r.text_hash = l.text_hash "
            "WHERE c.document_id = ? AND r.in_force = 1 AND r.facts <> '[]' ORDER BY c.id",
            (document_id,),
        ).fetchall()
        self._facts.forget_read(document_id)
        said = (
            one
            for first, text, skip, kept, model in rows
            for one in prose.from_json(kept, first - 1 + _body(text, skip)[0], _name(model))
        )
        self._facts.write([(document_id, Extraction(tuple(said)))], by_model=True)


_ON_TERMS = "SELECT 1 FROM readings r WHERE r.text_hash = l.text_hash AND r.model = ? AND r.prompt IN (?, ?)"
_FAILED = f"EXISTS ({_ON_TERMS} AND r.outcome = 'failed')"
_UNREAD = (
    "(l.chunk_id IS NULL OR (l.text_hash <> '' "
    f"AND NOT EXISTS ({_ON_TERMS} AND (r.in_force = 1 OR r.outcome NOT IN ('ok', 'empty')))))"
)


def counts(connection: Connection) -> dict[str, int]:
    """How many texts have each outcome, of several readings of a text the last one's."""
    rows = connection.execute(
        "SELECT r.outcome, count(*) FROM readings r WHERE r.id = (SELECT n.id FROM readings n "
        "WHERE n.text_hash = r.text_hash ORDER BY n.read_at DESC, n.id DESC LIMIT 1) "
        "GROUP BY r.outcome ORDER BY r.outcome"
    )
    return dict(rows.fetchall())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _name(model: str) -> str:
    """The model's own name in its label, "backend/name@digest"."""
    name = model.partition("/")[2]
    return name.rpartition("@")[0] or name


def _body(text: str, skip: int) -> tuple[int, str]:
    """How many lines of a chunk are front matter, heading and blank before its text, and the text."""
    lines = text.split("\n")
    first = next((n for n in range(skip, len(lines)) if lines[n].strip()), len(lines))
    return first, "\n".join(lines[first:]).rstrip()
