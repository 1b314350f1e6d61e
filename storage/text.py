"""A document's bytes -> its text, decoded or converted, with what its file says of itself and where its lines stand.

Starts the converting process (sources/formats/child.py) only with the first file that needs it.
Knows no database. Try: python store.py --sync --docs docs
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from chunk import Document, split
from config import Settings
from masking import mask_line
from masking.policy import Policy
from sources import Entry
from sources.dates import stated_date
from sources.decode import Undecodable, decode
from sources.formats import NAMED, Limits, Unreadable, ending_of, module_of
from sources.formats.child import Bounds, Worker
from storage.report import EMPTY

_LONGEST_PATH = 2000  # bytes; a key of PostgreSQL ends at 2,704


@dataclass(frozen=True, slots=True)
class Text:
    """What was read of a document."""

    text: str
    format: str  # its ending without the dot: "pdf"; "codeowners"
    places: tuple[str, ...] = ()  # of each line, where the file has no lines of its own
    meta: Mapping[str, str] | None = None  # what the file says of itself; None: front matter in `text` may
    notes: tuple[str, ...] = ()
    encoding: str = "utf-8"

    def cut(self, path: str, max_chars: int) -> tuple[Document, str]:
        """The chunks, and the date that the document states ("": none).

        A line of a converted text dates it before its file's own date does: that is often when it was exported.
        """
        document = split(self.text, path, max_chars=max_chars, meta=self.meta)
        if self.meta is None:
            return document, stated_date(document.meta, self.text)
        return document, stated_date({}, self.text) or stated_date(self.meta)


class Texts:
    """Reads documents one after another; to be closed."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._policy = settings, Policy(settings)
        limits = Limits(settings.max_pages, int(settings.max_file_mb * 1e6))
        self._worker = Worker(Bounds(limits, settings.file_seconds, settings.file_memory_mb))
        bounds = (settings.max_document_mb, settings.max_file_mb, settings.max_pages)
        self.terms = "/".join(map(str, (*bounds, settings.file_seconds, settings.file_memory_mb)))
        self.terms += f"/{self._policy.terms}"
        """What decides whether a file can be converted and taken in, beside the file."""
        self.mark, self.shown = self._policy.mark, mask_line

    def check(self, entry: Entry) -> None:
        """Raises Unreadable for a file that is too large to be opened, or stands too deep."""
        if len(os.fsencode(entry.path)) > _LONGEST_PATH:
            raise Unreadable(f"its path is longer than {_LONGEST_PATH:,} bytes")
        name, limit = "MAX_FILE_MB", self._settings.max_file_mb
        if module_of(entry.path):
            name, limit = "MAX_DOCUMENT_MB", self._settings.max_document_mb
        if entry.size > limit * 1e6:
            raise Unreadable(f"is larger than {limit:g} MB (BRAIN_{name})")

    def read(self, data: bytes, path: str) -> Text:
        """The document's text, its secrets masked. Raises Unreadable with the reason."""
        text = self._raw(data, path)
        if objection := self._policy.objection(text.text, path, text.meta):
            raise Unreadable(objection)
        masked = self._policy.masked(text.text, path, text.places)
        meta = None if text.meta is None else {name: mask_line(value) for name, value in text.meta.items()}
        notes = (*map(mask_line, text.notes), *([masked.note] if masked.note else []))
        return replace(text, text=masked.text, meta=meta, notes=notes)

    def _raw(self, data: bytes, path: str) -> Text:
        ending = ending_of(path)
        if module := module_of(path):
            if not data:
                raise Unreadable(EMPTY)
            made = self._worker.convert(data, path)
            kind = module if module in NAMED.values() else ending[1:]
            return Text(made.text, kind, made.places, made.meta, made.notes)
        try:
            decoded = decode(data)
        except Undecodable as error:
            raise Unreadable(str(error)) from error
        return Text(decoded.text, ending[1:], encoding=decoded.encoding)

    def close(self) -> None:
        """Ends the converting process, if one runs."""
        self._worker.close()
