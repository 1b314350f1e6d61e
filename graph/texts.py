"""What texts say on a subject, as one caller may read them: the sentences that speak of it.

Search finds passages above its limit. Of these only sentences count in which the subject's own words stand or which, in
another language, a citation could rest on (proof/mention.py). Knows no question.
Try: python -m graph join --type Decision --text "customers' trucks"
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from access.egress import border
from chunking.hidden import hidden
from language.detect import language_of
from models import Near
from models.orders import proves_nothing
from proof.mention import mentions
from proof.source import Source
from search import Searcher
from storage.reader import ChunkRow, Reader

MOST_PASSAGES = 200
"""Passages that are looked at: of those above the limit the best by meaning and the best by words, so many each."""
_MOST_ABROAD = 40  # of them in another language, where each sentence is compared by meaning


class Texts:
    """The text search of whom a reader is for, as of the reader's moment."""

    def __init__(self, searcher: Searcher, reader: Reader) -> None:
        self._searcher, self._reader = searcher, reader

    def on(self, subject: str) -> Iterator["Passage"]:
        """The passages that speak of a subject, best first, each with the sentences that do. Raises ModelError."""
        hits = self._searcher.on(self._reader, subject, MOST_PASSAGES)
        lang, left = language_of(subject), _MOST_ABROAD
        near = self._near(lang, [hit.chunk for hit in hits])
        for chunk in (hit.chunk for hit in hits):
            is_abroad = chunk.lang != lang
            left -= is_abroad
            found = [*_said(chunk, subject, lang, near if not is_abroad or left >= 0 else None)]
            if found:
                yield Passage(chunk, tuple(found))

    def _near(self, lang: str, given: Sequence[ChunkRow]) -> Near | None:
        """Compares meanings; None without an embedder, or where it must not be sent all that is given."""
        embedder = self._searcher.embedder
        if embedder is None or border(self._searcher.settings, embedder).why(chunk.path for chunk in given):
            return None
        vector = cache(partial(embedder.embed_query, lang=lang))

        def cosines(subject: str, lines: tuple[str, ...]) -> list[float]:
            held = self._reader.vectors_of(lines)
            lacking = [n for n, one in enumerate(held) if one is None]
            for n, made in zip(lacking, embedder.embed_documents([lines[n] for n in lacking]), strict=True):
                held[n] = made
            return [0.0 if one is None else float(one @ vector(subject)) for one in held]

        return Near(cosines, embedder.same_meaning)


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a passage, on these lines of the text as indexed."""

    path: str
    first_line: int
    last_line: int
    quote: str
    is_row: bool = False  # of a table
    opening: str = ""  # what stands before them in their paragraph


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with what it says on a subject, the plainest first."""

    chunk: ChunkRow
    said: tuple[Said, ...]


def _said(chunk: ChunkRow, subject: str, lang: str, near: Near | None) -> Iterator[Said]:
    unseen = hidden(chunk.text, chunk.context)
    over = "\n".join((chunk.title, " > ".join(chunk.heading), chunk.context))
    for tongue in dict.fromkeys((lang, chunk.lang)):  # of one word or two nothing tells the language
        source = Source("", chunk.text, over, tongue)
        places = mentions(subject, tongue, source, near if tongue == lang else None)
        for unit in (source.units[at] for at in places):
            quote = chunk.text[unit.start : unit.end]
            first = chunk.first_line + chunk.text.count("\n", 0, unit.start)
            is_seen = not any(start < unit.end and unit.start < end for start, end in unseen)
            if is_seen and not proves_nothing(quote, quote, chunk.text):
                opening = chunk.text[: unit.start].rpartition("\n\n")[2] if unit.kind == "text" else ""
                yield Said(chunk.path, first, first + quote.count("\n"), quote, unit.kind == "row", opening)
        if places:
            return
