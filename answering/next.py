"""What could be asked next: questions from the sections around the cited passages, only those that can be answered.

Each is searched for the same caller and shown when its own section passes the limit. A failure here costs the
suggestions, never the answer. Off unless the setting `suggest` asks for it: up to MOST_TRIED searches an answer.
Try: BRAIN_SUGGEST=1 python answer.py "How many vacation days do I get after one year?"
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from access import Caller
from answering.candidates import Candidate, headings, questions
from errors import ModelError
from language.invisible import seen
from language.words import letters
from models.calls import Stop
from models.orders import gives_orders
from retrieval.found import Passage
from search import Searcher
from storage.filter import Filter
from storage.reader import ChunkRow

MOST = 3
MOST_TRIED = 8
"""Candidates searched for; with a second look, a call of the chat model each, MOST."""
_AROUND = 120  # lines before and behind a cited passage
_MOST_CHARS = 150


def suggestions(
    searcher: Searcher, caller: Caller, wanted: Filter, cited: Sequence[Passage], asked: Sequence[str], stop: Stop
) -> list[str]:
    """Up to MOST questions or topics near the `cited` passages; none of those `asked`. Raises StoreError, Stopped."""
    made: list[str] = []
    known = {letters(text) for text in asked}
    sections: set[tuple[str, tuple[str, ...]]] = set()
    tried = 0
    for candidate in _candidates(_rows(searcher, caller, wanted, cited)):
        row, text = candidate.row, " ".join(seen(candidate.text).split())
        section = row.path, row.heading
        if len(made) == MOST or tried == (MOST if searcher.reranker else MOST_TRIED):
            break
        if section in sections or letters(text) in known or len(text) > _MOST_CHARS:
            continue
        stop.check()
        tried += 1
        try:
            first = next(iter(searcher.search(caller, text, wanted=wanted).passages), None)
        except ModelError:
            break
        if first and (first.source, first.heading) == section and candidate.proof in first.text:
            sections.add(section)
            known.add(letters(text))
            made.append(text)
    return made


def _rows(searcher: Searcher, caller: Caller, wanted: Filter, cited: Sequence[Passage]) -> list[ChunkRow]:
    """The chunks around the cited passages, the nearest first, without those that are cited or give orders."""
    found: dict[int, tuple[int, ChunkRow]] = {}
    shown = {(passage.source, passage.heading) for passage in cited}
    with searcher.store.reader(caller, searcher.model_id, wanted) as reader:
        for passage in cited:
            first, last = passage.first_line, passage.last_line
            for row in reader.lines_of(passage.source, max(1, first - _AROUND), last + _AROUND):
                distance = max(first - row.last_line, row.first_line - last, 0)
                if (row.path, row.heading) not in shown and distance < found.get(row.id, (1 << 30, row))[0]:
                    found[row.id] = distance, row
    nearest = searcher.sendable(row for _, row in sorted(found.values(), key=lambda pair: pair[0]))
    return [row for row in nearest if not gives_orders(row.title, row.text, row.context)]


def _candidates(rows: list[ChunkRow]) -> Iterator[Candidate]:
    """Whole questions before topics."""
    return chain(questions(rows), headings(rows))
