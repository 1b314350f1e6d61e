"""Questions to begin with, made from the headings of documents that the caller may read, and tried before shown.

A heading that is a question is taken as it is, another in a frame of its document's language. Knows no HTTP.
Try: curl http://127.0.0.1:8000/examples
"""

import random
import re
import threading
from collections.abc import Iterator

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from access import Caller
from search import Index
from storage.reader import ChunkRow

MOST = 4
_MOST_TRIED = 12  # each is one embedding and one search
_MOST_LOOKED_AT = 240  # passages
_SEED = 20261130
_ASKS = ("?", "？", "؟")
_FRAMES = {
    "en": "What should I know about {}?", "de": "Was muss ich über {} wissen?", "fr": "Que faut-il savoir sur {} ?",
    "es": "¿Qué debo saber sobre {}?", "pt": "O que devo saber sobre {}?", "it": "Che cosa devo sapere su {}?",
    "nl": "Wat moet ik weten over {}?", "pl": "Co muszę wiedzieć o: {}?", "ru": "Что нужно знать о теме «{}»?",
    "zh": "关于{}，我需要知道什么？", "ja": "{}について知っておくべきことは？", "ko": "{}에 대해 무엇을 알아야 하나요?",
    "ar": "ماذا يجب أن أعرف عن {}؟", "tr": "{} hakkında ne bilmeliyim?",
}  # fmt: skip


class Example(BaseModel):
    """A question that the documents answer, and its language."""

    text: str
    lang: str


class ExamplesReply(BaseModel):
    """What /examples returns."""

    model_config = ConfigDict(extra="forbid")

    examples: list[Example] = Field(description=f"at most {MOST}, none where no heading makes a question")


class Examples:
    """The examples of an index, made once for each set of rights and state of the index."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[frozenset[str], tuple[int, list[Example]]] = {}

    def of(self, index: Index, caller: Caller) -> list[Example]:
        """Up to MOST questions, each from another document, that find their own document.

        Raises ModelError when the embedder is away, StoreError.
        """
        with index.store.reader(caller) as reader:
            generation = reader.generation
            held = self._made.get(caller.principals)
            if held and held[0] == generation:
                return held[1]
            places = np.flatnonzero(reader.lengths).tolist()
            random.Random(_SEED).shuffle(places)
            rows = list(reader.chunks(places[:_MOST_LOOKED_AT]))
        made = _that_are_answered(index, caller, rows)
        with self._lock:
            if len(self._made) >= 64:
                self._made.clear()
            self._made[caller.principals] = generation, made
        return made


def _that_are_answered(index: Index, caller: Caller, rows: list[ChunkRow]) -> list[Example]:
    searcher, made, seen = index.searcher(), list[Example](), set[str]()
    for tried, (row, text) in enumerate(_candidates(rows)):
        if len(made) == MOST or tried == _MOST_TRIED:
            break
        if row.path in seen:
            continue
        passages = searcher.search(caller, text).passages
        if passages and passages[0].source == row.path:
            seen.add(row.path)
            made.append(Example(text=text, lang=row.lang))
    return made


def _candidates(rows: list[ChunkRow]) -> Iterator[tuple[ChunkRow, str]]:
    """Headings as questions: those that are questions first, then one of each document, then the rest."""
    usable = [(row, row.heading[-1].strip()) for row in rows if len(row.heading) > 1 and _says_something(row)]
    yield from ((row, text) for row, text in usable if text.endswith(_ASKS) and _is_whole(text))
    framed = [
        (row, _FRAMES[row.lang].format(text))
        for row, text in usable
        if not text.endswith(_ASKS) and row.lang in _FRAMES
    ]
    framed.sort(key=lambda pair: len(pair[0].heading[-1].split()) < 2)  # "Phones" says less than "Lost phones"
    firsts = {row.path: (row, text) for row, text in reversed(framed)}
    yield from firsts.values()
    yield from framed


def _is_whole(question: str) -> bool:
    """Whether it is understood without its document: "Fixed hours?" is not."""
    return len(question.split()) >= 5 or bool(re.fullmatch(r"[^\x00-\x7f]{8,}", question))


def _says_something(row: ChunkRow) -> bool:
    heading = row.heading[-1].strip()
    narrow = row.lang in ("zh", "ja", "ko")
    if not (2 if narrow else 5) <= len(heading) <= 60 or heading == row.title or len(row.body.strip()) < 60:
        return False
    return not re.search(r"^\W*\d|[:/|<>`\[\]{}*]|\d{2}", heading) and bool(re.search(r"[^\W\d_]{2}", heading))
