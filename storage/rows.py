"""A document as a sync has it ready, and its rows: written table by table, as a call for each row takes twice the time.

Statements that both engines understand; what they have each its own way is the shelf's. Knows no source and no model.
Try: python store.py --sync --docs docs
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from access import AccessList
from chunk import Chunk
from database import Connection
from facts import Extraction
from language.words import terms
from sources import Entry
from sources.dates import file_date
from sources.formats import place as places
from storage.facts import FactShelf
from storage.readings import Readings
from storage.shelf import Shelf
from storage.text import Text

_json = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps makes another encoder at each call


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk, and what of it is embedded."""

    chunk: Chunk
    text: str  # embedded
    key: bytes  # its hash
    units: dict[bytes, str]  # what is embedded of its units, by hash; empty for an embedder that embeds none

    @property
    def texts(self) -> dict[bytes, str]:
        """All that is embedded, by hash."""
        return {self.key: self.text, **self.units}


@dataclass(slots=True)
class Prepared:
    """A document that is read and cut."""

    entry: Entry
    settled: bool
    sha256: str
    title: str
    lang: str
    meta: dict[str, str]
    stated: str  # the date that the document states, "" for none
    access: AccessList
    text: Text
    chunks: list[Piece]
    texts: dict[bytes, str | None]  # all that this embedder embeds of it, by hash; None: must not be sent to it
    recipe: str
    said: Extraction


class Rows:
    """What one sync writes of documents; all inside its transactions."""

    def __init__(self, connection: Connection, shelf: Shelf) -> None:
        self._connection, self._shelf, self._facts = connection, shelf, FactShelf(connection)
        self._readings = Readings(connection, self._facts)

    def delete(self, document_id: int) -> None:
        """Takes a document out; what nobody else has is left to `sweep`."""
        self._facts.forget(document_id)
        self._readings.forget(document_id)
        self._shelf.delete(document_id)

    def sweep(self) -> None:
        """Takes out what no document holds or says any more: vectors, readings, facts, names."""
        self._shelf.drop_orphans()
        self._readings.sweep()
        self._facts.sweep()

    def counted(self) -> tuple[int, int, int]:
        """Statements that came and that went, and things that were named, since this was asked last."""
        return self._facts.counted()

    def insert(self, documents: Sequence[Prepared]) -> Sequence[int]:
        """Rows of all of them; returns the documents' ids, which are drawn beforehand: nobody else writes now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        ids = self._shelf.new_ids("documents", len(documents))
        numbered = list(zip(ids, documents, strict=True))
        self._connection.executemany(
            "INSERT INTO documents "
            "(id, path, title, lang, size, mtime_ns, settled, sha256, recipe, meta, indexed_at, dated, stated, "
            "format, characters, notes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number, doc.entry.path, doc.title, doc.lang, doc.entry.size, doc.entry.mtime_ns, doc.settled,
                    doc.sha256, doc.recipe, _json(doc.meta), now, doc.stated or file_date(doc.entry.mtime_ns),
                    bool(doc.stated), doc.text.format, len(doc.text.text), _json(doc.text.notes),
                )
                for number, doc in numbered
            ],
        )  # fmt: skip
        self._shelf.set_lists((number, doc.access) for number, doc in numbered)
        self._connection.executemany(
            "INSERT INTO texts (document_id, text, places) VALUES (?, ?, ?)",
            [(n, doc.text.text, places.packed(doc.text.places)) for n, doc in numbered if doc.text.meta is not None],
        )
        self._insert_chunks([(number, doc, piece) for number, doc in numbered for piece in doc.chunks])
        self._facts.write((number, doc.said) for number, doc in numbered)
        self._readings.recall(ids)
        return ids

    def _insert_chunks(self, pieces: list[tuple[int, Prepared, Piece]]) -> None:
        """The pieces with the id of their documents."""
        found = [terms(piece.text, doc.lang) for _, doc, piece in pieces]
        ids = self._shelf.new_ids("chunks", len(pieces))
        self._connection.executemany(
            "INSERT INTO chunks "
            "(id, document_id, heading, first_line, last_line, text, skip, context, terms, text_hash, places) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number, document_id, _json(piece.chunk.heading), piece.chunk.first_line, piece.chunk.last_line,
                    piece.chunk.text, piece.chunk.skip, piece.chunk.context, len(words), piece.key,
                    places.packed(doc.text.places[piece.chunk.first_line - 1 : piece.chunk.last_line]),
                )
                for number, (document_id, doc, piece), words in zip(ids, pieces, found, strict=True)
            ],
        )  # fmt: skip
        self._shelf.add_words(
            (number, document_id, words) for number, (document_id, *_), words in zip(ids, pieces, found, strict=True)
        )
        self._connection.executemany(
            "INSERT INTO units (chunk_id, text_hash) VALUES (?, ?)",
            [(number, key) for number, (_, _, piece) in zip(ids, pieces, strict=True) for key in piece.units],
        )
