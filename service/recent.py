"""The answers given lately, by id, so that a judgement needs nothing but the id and trusts no page for the rest.

In memory only and bounded; the audit log keeps no answers. One a process.
Knows no HTTP and no SQL. Try: pytest tests/test_feedback.py -k recent
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from access import Caller
from answer import Answer
from errors import BrainError
from storage.filter import EVERYTHING, Filter

MOST_ANSWERS = 1000
MOST_SECONDS = 24 * 3600.0
_QUOTE_CHARS = 700  # of each source; a thousand answers then take some megabytes


class UnknownAnswer(BrainError):
    """No answer of this id was given to this caller lately."""

    code = "unknown_answer"
    http_status = 404


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given, and to which question."""

    caller: str
    held: tuple[frozenset[str], ...]  # what they held: an agent asks for one person and then for another
    question: str
    narrowed: dict[str, str]  # since, until, path, where they were given
    lang: str
    status: str
    answer: str
    sources: list[dict[str, str]]
    model: str
    limits: dict[str, Any]
    at: float  # seconds of the clock


class Recent:
    """The last answers; safe to use from several threads."""

    def __init__(
        self, most: int = MOST_ANSWERS, seconds: float = MOST_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Keeps up to `most` answers, each for `seconds` of `clock`."""
        self._most, self._seconds, self._clock = most, seconds, clock
        self._given: OrderedDict[str, Given] = OrderedDict()  # the oldest first
        self._lock = threading.Lock()

    def add(self, caller: Caller, question: str, answer: Answer, wanted: Filter = EVERYTHING) -> None:
        """Remembers what `caller` was answered to `question` about the documents `wanted`."""
        narrowed = {"since": wanted.since, "until": wanted.until, "path": wanted.path}
        given = Given(
            caller=caller.id, held=caller.sets, question=question.strip(),
            narrowed={name: v for name, v in narrowed.items() if v},
            lang=answer.lang, status=answer.status, answer=answer.answer, model=answer.model,
            sources=[
                {"source": s.source, "lines": s.lines, "version": s.version, "quote": s.quote[:_QUOTE_CHARS]}
                for s in answer.sources
            ],
            limits=answer.limit.model_dump() | {"confidence": answer.confidence}, at=self._clock(),
        )  # fmt: skip
        with self._lock:
            self._given[answer.id] = given
            while len(self._given) > self._most:
                self._given.popitem(last=False)
            self._forget_old()

    def get(self, caller: Caller, answer_id: str) -> Given:
        """What `caller` was answered. Raises UnknownAnswer, the same for another's answer as for one that never was."""
        with self._lock:
            self._forget_old()
            given = self._given.get(answer_id)
        if given is None or (given.caller, given.held) != (caller.id, caller.sets):
            raise UnknownAnswer(
                "No answer of this id was given to you lately. Answers can be judged for "
                f"{self._seconds / 3600:.0f} hours, until the server is restarted or {self._most} newer ones were "
                "given. Ask again and judge the new answer."
            )
        return given

    def _forget_old(self) -> None:
        oldest = self._clock() - self._seconds
        while self._given and next(iter(self._given.values())).at < oldest:
            self._given.popitem(last=False)
