"""Questions to begin with, made from documents that the caller may read, and tried before shown.

A heading that is a question is taken as it is; others come from sentences with a figure or a condition, in the
sentence's language. Where none comes out, the documents' titles are told as topics. Knows no HTTP.
Try: curl http://127.0.0.1:8000/examples
"""

import random
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from access import Caller
from answering.candidates import Candidate, headings, questions, says_something
from answering.recorded import document
from search import Index, Searcher
from storage.reader import ChunkRow

MOST = 4
_MOST_TRIED = 12  # each is one embedding and one search
_MOST_LOOKED_AT = 240  # passages
_SEED = 20261130


class Example(BaseModel):
    """A question that the documents answer, and its language."""

    text: str
    lang: str
    _row: ChunkRow = PrivateAttr()

    @classmethod
    def of(cls, text: str, row: ChunkRow) -> "Example":
        """A question made from this passage."""
        made = cls(text=text, lang=row.lang)
        made._row = row
        return made

    @property
    def origin(self) -> dict[str, str]:
        """Where it comes from, for the audit log."""
        return document(self._row, self._row.lines, "shown")


class ExamplesReply(BaseModel):
    """What /examples returns."""

    model_config = ConfigDict(extra="forbid")

    examples: list[Example] = Field(description=f"at most {MOST} questions")
    topics: list[Example] = Field(description=f"at most {MOST} titles of documents, where no question was found")


@dataclass(slots=True)
class _Made:
    generation: int
    by_language: dict[str, ExamplesReply] = field(default_factory=dict)


class Examples:
    """The examples of an index, made once for each set of rights, language and state of the index."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[tuple[tuple[frozenset[str], ...], bytes], _Made] = {}

    def of(self, index: Index, caller: Caller, lang: str = "") -> ExamplesReply:
        """Up to MOST questions, each from another document, that find the place they were made from.

        In `lang` where documents are in it, else in the language of most of them. Raises ModelError when the embedder
        is away, StoreError.
        """
        with index.store.reader(caller) as reader:
            generation = reader.generation
            rights = caller.sets, reader.state  # lists that become too old change nothing else
            spoken = reader.languages()
            lang = lang if lang in spoken else ""
            held = self._made.get(rights)
            if held and held.generation == generation and lang in held.by_language:
                return held.by_language[lang]
            places = reader.places().tolist()
            random.Random(_SEED).shuffle(places)
            rows = list(reader.chunks(places[:_MOST_LOOKED_AT]))
        counts = Counter(row.lang for row in rows)
        main = lang if counts[lang] else max(counts, key=counts.__getitem__, default="")
        made = _tried(index, caller, [row for row in rows if row.lang == main])
        with self._lock:
            if len(self._made) >= 64:
                self._made.clear()
            kept = self._made.get(rights)
            if kept is None or kept.generation != generation:
                kept = self._made[rights] = _Made(generation)
            kept.by_language[lang] = made
        return made


def _tried(index: Index, caller: Caller, rows: list[ChunkRow]) -> ExamplesReply:
    searcher = index.searcher()
    rows = searcher.sendable(rows)
    examples = _that_are_found(searcher, caller, questions(rows))
    topics = [] if examples else _that_are_found(searcher, caller, _topics(rows))
    return ExamplesReply(examples=examples, topics=topics)


def _that_are_found(searcher: Searcher, caller: Caller, candidates: Iterable[Candidate]) -> list[Example]:
    made: list[Example] = []
    seen: set[str] = set()
    tried = 0
    for candidate in candidates:
        row = candidate.row
        if row.path in seen:
            continue
        if len(made) == MOST or tried == _MOST_TRIED:
            break
        tried += 1
        first = next(iter(searcher.search(caller, candidate.text).passages), None)
        if first and first.source == row.path and candidate.proof in first.text:
            seen.add(row.path)
            made.append(Example.of(candidate.text, row))
    return made


def _topics(rows: list[ChunkRow]) -> Iterator[Candidate]:
    """Titles of documents, and the headings of one that has none of its own."""
    for row in rows:
        if says_something(row, row.title):
            yield Candidate(row, row.title)
    yield from headings(rows)
