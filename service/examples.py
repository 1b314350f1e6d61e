"""Questions to begin with, made from documents that the caller may read, and tried before shown.

A heading that is a question is taken as it is; others come from sentences with a figure or a condition, in the
sentence's language. Where none comes out, the documents' titles are told as topics. Knows no HTTP.
Try: curl http://127.0.0.1:8000/examples
"""

import random
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from access import Caller
from chunking.units import units
from language.asking import question_for
from language.wanted import wanted
from search import Index, Searcher
from storage.reader import ChunkRow

MOST = 4
_MOST_TRIED = 12  # each is one embedding and one search
_MOST_LOOKED_AT = 240  # passages
_SEED = 20261130
_ASKS = ("?", "？", "؟")
_BY_FORM = ("weekday", "clock", "money", "duration", "date", "number", "person")  # what a figure or a name answers


class Example(BaseModel):
    """A question that the documents answer, and its language."""

    text: str
    lang: str


class ExamplesReply(BaseModel):
    """What /examples returns."""

    model_config = ConfigDict(extra="forbid")

    examples: list[Example] = Field(description=f"at most {MOST} questions")
    topics: list[Example] = Field(description=f"at most {MOST} titles of documents, where no question was found")


@dataclass(frozen=True, slots=True)
class _Candidate:
    row: ChunkRow
    text: str
    proof: str = ""  # the sentence that it was made from


@dataclass(slots=True)
class _Made:
    generation: int
    by_language: dict[str, ExamplesReply] = field(default_factory=dict)


class Examples:
    """The examples of an index, made once for each set of rights, language and state of the index."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[frozenset[str], _Made] = {}

    def of(self, index: Index, caller: Caller, lang: str = "") -> ExamplesReply:
        """Up to MOST questions, each from another document, that find the place they were made from.

        In `lang` where documents are in it, else in the language of most of them. Raises ModelError when the embedder
        is away, StoreError.
        """
        with index.store.reader(caller) as reader:
            generation = reader.generation
            spoken = reader.languages()
            lang = lang if lang in spoken else ""
            held = self._made.get(caller.principals)
            if held and held.generation == generation and lang in held.by_language:
                return held.by_language[lang]
            places = np.flatnonzero(reader.lengths).tolist()
            random.Random(_SEED).shuffle(places)
            rows = list(reader.chunks(places[:_MOST_LOOKED_AT]))
        counts = Counter(row.lang for row in rows)
        main = lang if counts[lang] else max(counts, key=counts.__getitem__, default="")
        made = _tried(index, caller, [row for row in rows if row.lang == main])
        with self._lock:
            if len(self._made) >= 64:
                self._made.clear()
            kept = self._made.get(caller.principals)
            if kept is None or kept.generation != generation:
                kept = self._made[caller.principals] = _Made(generation)
            kept.by_language[lang] = made
        return made


def _tried(index: Index, caller: Caller, rows: list[ChunkRow]) -> ExamplesReply:
    searcher = index.searcher()
    examples = _that_are_found(searcher, caller, _questions(rows))
    topics = [] if examples else _that_are_found(searcher, caller, _topics(rows))
    return ExamplesReply(examples=examples, topics=topics)


def _that_are_found(searcher: Searcher, caller: Caller, candidates: Iterable[_Candidate]) -> list[Example]:
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
            made.append(Example(text=candidate.text, lang=row.lang))
    return made


def _questions(rows: Iterable[ChunkRow]) -> Iterator[_Candidate]:
    """Headings that are questions, and those for a figure or a name; then conditions, those with a figure first."""
    ranked: list[tuple[int, _Candidate]] = []
    for row in rows:
        heading = row.heading[-1].strip() if row.heading else ""
        if heading.endswith(_ASKS) and _says_something(row, heading) and _is_whole(heading):
            ranked.append((0, _Candidate(row, heading)))
        for unit in units(row.text, row.first_line, row.context, row.lang):
            if unit.kind not in ("sentence", "item") or unit.lead:
                continue
            if text := question_for(unit.text, row.lang):
                rank = 0 if wanted(text, row.lang) in _BY_FORM else 1 if re.search(r"\d", unit.text) else 2
                ranked.append((rank, _Candidate(row, text, unit.quote)))
    yield from (candidate for _, candidate in sorted(ranked, key=lambda pair: pair[0]))


def _topics(rows: Iterable[ChunkRow]) -> Iterator[_Candidate]:
    """Titles of documents, and the headings of one that has none of its own."""
    for row in rows:
        if _says_something(row, row.title):
            yield _Candidate(row, row.title)
    for row in rows:
        heading = row.heading[-1].strip() if row.heading else ""
        if heading != row.title and _says_something(row, heading):
            yield _Candidate(row, heading)


def _is_whole(question: str) -> bool:
    """Whether it is understood without its document ("Fixed hours?" is not), and no title in capitals."""
    asked = question.split()
    capitals = sum(word[:1].isupper() for word in asked[1:])
    return (len(asked) >= 5 and capitals <= len(asked) / 2) or bool(re.fullmatch(r"[^\x00-\x7f]{8,}", question))


def _says_something(row: ChunkRow, heading: str) -> bool:
    narrow = row.lang in ("zh", "ja", "ko")
    if not (2 if narrow else 5) <= len(heading) <= 60 or len(row.body.strip()) < 60:
        return False
    return not re.search(r"^\W*\d|[:/|<>`\[\]{}*]|\d{2}", heading) and bool(re.search(r"[^\W\d_]{2}", heading))
