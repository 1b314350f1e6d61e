"""Answers that were given already, for the same question by the same caller while nothing has changed.

In memory, bounded, the longest unused goes first; off unless the setting `cache` says how many. The key holds whatever
an answer depends on, so that a change of documents, rights, models, limit or settings finds nothing, and who asks:
neither `cached` nor the time it takes tells what others asked. A cited file that has changed since is looked for at
each hit. Knows no HTTP. Try: pytest tests/test_cache.py
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from access import Caller
from answering.cited import stale
from answering.shapes import MODEL_FAILED, Answer
from retrieval.found import Found
from search import Index, Searcher
from sources import Source
from storage import decided
from storage.facts import FactReader
from storage.filter import Filter
from storage.reader import ChunkRow


@dataclass(frozen=True, slots=True)
class _Kept:
    answer: Answer
    found: Found
    rows: tuple[ChunkRow, ...]  # of the files cited
    at: str


class Cache:
    """Up to `most` answers; safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, files: Source) -> tuple[Answer, Found] | None:
        """The answer kept under `key`, `cached` and with its time; None where a cited file is no longer as it was."""
        with self._lock:
            kept = self._kept.get(key)
            if kept:
                self._kept.move_to_end(key)
        if kept is None:
            return None
        if any(stale(files, row) for row in kept.rows):
            with self._lock:
                self._kept.pop(key, None)
            return None
        return kept.answer.model_copy(update={"cached": True, "made_at": kept.at}), kept.found

    def put(self, key: Hashable, answer: Answer, found: Found) -> None:
        """Keeps an answer, unless something failed beside it, a sentence is unproved, or a cited file has changed."""
        codes = {problem.code for problem in answer.problems}
        if codes & MODEL_FAILED or any(source.stale for source in answer.sources):
            return
        if answer.needs_review and answer.attempts:  # the model may do better when it is asked again
            return
        cited = {source.source for source in answer.sources}
        rows = {passage.source: passage.row for passage in found.passages if passage.source in cited}
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._lock:
            self._kept[key] = _Kept(answer, found, tuple(rows.values()), at)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def key_of(
    index: Index,
    searcher: Searcher,
    caller: Caller,
    question: str,
    k: int | None,
    wanted: Filter,
    verify: str,
    before: Sequence[str] = (),
) -> Hashable:
    """All an answer depends on; its suggestions do on what was asked `before`.

    Made before the search: what changes meanwhile is kept under a key that is past.
    """
    with index.store.reader(caller, searcher.model_id) as reader:
        state = reader.state  # a number of the whole index would tell, by `cached`, that others' documents changed
        said = decided.state(FactReader(reader), reader.kept)  # of what this caller may read, for the same reason
    return (
        " ".join(question.split()), k, wanted, verify, tuple(before), caller.id, caller.person, caller.sets, state,
        said, index.aliases, index.store.epoch(), index.models.label, searcher.model_id, searcher.limit_for(caller),
        repr(searcher.measured), index.settings,
        date.today(),  # "last week" is another week tomorrow
    )  # fmt: skip
