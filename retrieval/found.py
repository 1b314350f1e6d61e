"""What a search returns: hits with what each half gave, and the passages that an answer is made from.

Knows no index. Try: python search.py "parental leave" --explain
"""

from collections.abc import Mapping
from dataclasses import dataclass

from language.when import Span
from models import Vector
from retrieval.gate import Limit
from sources.formats.place import over
from storage.reader import ChunkRow


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was looked at, with what each half gave."""

    chunk: ChunkRow
    score: float | None  # see Searcher; compared with the limit; None where the chunk has no vector
    coverage: float  # share of the question's content words, weighted by rarity; compared with its limit
    keywords: float  # BM25 as a share of the most this question could reach
    gave: Mapping[str, float]  # what ranks, by where it comes from (manual/search.md names the parts)
    vector_rank: int | None  # 1 is best; None: not among the vector candidates
    keyword_rank: int | None
    passed: str  # "vector", "keywords", or "" for below both limits
    also: tuple[str, ...] = ()  # path:lines (or place) of the same words elsewhere, where the caller may read them
    judged: float | None = None  # by the second look, 0 to 1; it then decides the order, and a limit of its own

    @property
    def fused(self) -> float:
        """What ranks: the sum of what each part gave."""
        return sum(self.gave.values())


@dataclass(frozen=True, slots=True)
class Passage:
    """What an answer is made from: contiguous lines of one section, from one or more touching chunks."""

    source: str
    title: str
    lang: str
    heading: tuple[str, ...]
    first_line: int
    last_line: int
    text: str  # the file's lines
    skip: int  # leading lines of `text` that are front matter or the heading
    context: str
    score: float | None  # highest cosine of its chunks
    fused: float
    row: ChunkRow  # of the best chunk, for version and dates
    also: tuple[str, ...] = ()  # where its words stand, too
    places: tuple[str, ...] = ()  # of each line in a file that has no lines: "p12"; empty for a plain text

    @property
    def lines(self) -> str:
        """Its lines as a citation has them: L9-14."""
        return f"L{self.first_line}-{self.last_line}"

    @property
    def cited(self) -> str:
        """Its place as a person looks it up: p12-13, or the lines."""
        return over(self.places) or self.lines

    def place_of(self, first_line: int, last_line: int) -> str:
        """Where these of its lines stand in a file that has none: p12-13. "" for a plain text."""
        return over(self.places[max(0, first_line - self.first_line) : last_line - self.first_line + 1])

    @property
    def dated(self) -> str:
        """The ISO date that the document states, "" where it states none."""
        return self.row.dated

    @property
    def modified(self) -> str:
        """When its file was last changed: UTC, ISO 8601."""
        return self.row.modified

    @property
    def above(self) -> str:
        """What stands above the passage in its document: title, heading path, and what it repeats of earlier lines."""
        return "\n".join((self.title, " > ".join(self.heading), self.context))


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one search. `passages` is empty when nothing passed the gate."""

    question: str
    lang: str
    hits: list[Hit]
    passages: list[Passage]
    limit: Limit
    vector: Vector | None  # the question's; None when only words were looked for
    words: tuple[str, ...]  # content words looked for
    span: Span | None = None  # the time that the question asks for
    second_look: str = ""  # why there was none although it is asked for
    held_back: str = ""  # the same where the reason is that what was found must not be sent to the model
    confidence: float | None = None  # 0 to 1, of the learned decision; None where there is none
    moving: str = ""  # who answers until the settings' model is complete

    @property
    def nearest(self) -> Hit | None:
        """The hit of the highest cosine, also below the limit; None where nothing was looked at."""
        return max(self.hits, key=lambda hit: -2.0 if hit.score is None else hit.score, default=None)

    @property
    def best_score(self) -> float | None:
        """The highest cosine of all hits, also below the limit."""
        return max((hit.score for hit in self.hits if hit.score is not None), default=None)
