"""What is kept of a question on its way through the server: how it ended and how long its parts took.

One line in the log (service/logs.py), a count where the setting `metrics` asks for it (service/metrics.py), and before
anything is told a row of the index's audit log (answering/recorded.py). Into the server's log what was asked and
answered is not written unless the setting `log_questions` says so. Knows no routes.
Try: pytest tests/test_logs.py
"""

import contextlib
import json
import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from access import Caller
from access.identity import is_open, signs_in
from answer import Answer
from answering.recorded import Asking, Entry, Log, Road
from config import Settings
from errors import BadReply, BrainError, StoreError
from retrieval.found import Found
from service import logs
from service.line import Line
from service.metrics import Metrics, code_of, status_of
from storage.filter import EVERYTHING, Filter

INDEX_AWAY = "The index file cannot be used now; whoever runs the server sees why."
_MOST_DETAIL_CHARS = 300
_T = TypeVar("_T")


class Record:
    """What this server's questions leave behind."""

    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics() if settings.metrics else None
        self._tells_texts = settings.log_questions
        self._tells_place = not (signs_in(settings) or is_open(settings))
        self.log: Log | None = None
        """The audit log, once the index is open; before that nobody is told anything."""

    def asked(
        self, line: Line, road: Road, caller: Caller, text: str, wanted: Filter = EVERYTHING, kind: Asking = "question"
    ) -> "Asked":
        """A question of `caller` about the documents `wanted` that is about to be worked on in `line`."""
        return Asked(self, line, road, caller, text, wanted, kind)

    def opened(self, road: Road, caller: Caller, told: Sequence[Mapping[str, str]], status: str = "read") -> None:
        """Writes down documents that are about to be shown, or were asked for in vain. Raises NotRecorded."""
        if self.log:
            self.log.read(road, caller, told, status)

    def read_facts(
        self, road: Road, caller: Caller, name: str, asked: Mapping[str, Any], told: Sequence[Mapping[str, str]],
        status: str,
    ) -> None:  # fmt: skip
        """Writes down a typed question, and whose words its reply is about to tell. Raises NotRecorded."""
        if self.log:
            self.log.read(road, caller, told, status, f"{name} {json.dumps(asked, ensure_ascii=False)}")

    def shown(self, error: Exception) -> Exception:
        """The error as it is told: where the index file stands is for the log, unless who asks runs the server."""
        if self._tells_place or not isinstance(error, StoreError) or str(error) == INDEX_AWAY:
            return error
        logs.LOG.error(str(error))
        return type(error)(INDEX_AWAY)

    def ended(self, asked: "Asked", seconds: float) -> None:
        """Writes down a question that was answered."""
        answer, found = asked.answer, asked.found
        if found is None:
            return
        if self.metrics:
            self.metrics.ended(asked.road, answer, found, asked.waited)
        scores = [hit.score for hit in found.hits if hit.score is not None]
        fields: dict[str, object] = {
            "id": answer.id if answer else asked.id, "road": asked.road,
            "status": answer.status if answer else "found" if found.passages else "not_found",
            "caller": asked.caller.id, "for": asked.caller.person or None, "lang": found.lang,
            "needs_review": answer.needs_review if answer else None,
            "cached": True if answer and answer.cached else None,
            "sources": len(answer.sources if answer else found.passages),
            "best": round(max(scores), 4) if scores else None, "limit": round(found.limit.min_score, 4),
            "seconds": _rounded({"waited": asked.waited, **(answer.timings if answer else {"total": seconds})}),
            "model": answer.model if answer else None,
        }  # fmt: skip
        logs.event(logging.INFO, "question", fields | self._texts(asked))

    def failed(self, asked: "Asked", error: Exception, seconds: float) -> None:
        """Writes down a question that was not answered, and its id into the error's own trace."""
        if self.metrics:
            self.metrics.failed(asked.road, error)
        status, level = status_of(error), logging.WARNING
        if not isinstance(error, BrainError):
            error.add_note(f"question {asked.id}")
            level = logging.ERROR
        elif status == "stopped":
            level = logging.INFO
        fields: dict[str, object] = {
            "id": asked.id, "road": asked.road, "status": status, "code": code_of(error), "caller": asked.caller.id,
            "for": asked.caller.person or None,
            "seconds": _rounded({"waited": asked.waited, "total": seconds}),
            "detail": self._detail(asked, error),
        }  # fmt: skip
        logs.event(level, "question", fields | self._texts(asked))

    def _detail(self, asked: "Asked", error: Exception) -> str | None:
        """The error's sentence, unless it may hold what was asked or answered: a model server's own words can."""
        detail = str(error)[:_MOST_DETAIL_CHARS]
        tells = isinstance(error, BadReply) or not isinstance(error, BrainError) or asked.text in str(error)
        return detail if self._tells_texts or not tells else None

    def _texts(self, asked: "Asked") -> dict[str, object]:
        if not self._tells_texts:
            return {}
        return {"question": asked.text, "answer": asked.answer.answer if asked.answer else None}


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in seconds.items()}


class Asked:
    """One question; it is written down once, when `run` ends, and in the audit log before anything is told."""

    def __init__(
        self, record: Record, line: Line, road: Road, caller: Caller, text: str, wanted: Filter, kind: Asking
    ) -> None:
        self._record, self._line, self.road, self.caller, self.text = record, line, road, caller, text
        self.wanted, self._kind = wanted, kind
        self.id = uuid.uuid4().hex  # until there is an answer, which has its own
        self.waited = 0.0  # seconds in the line
        self.answer: Answer | None = None
        self.found: Found | None = None
        self._shows_hits = False
        self._entry: Entry | None = None

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises, done in the line; it says by `ended` what was found.

        Raises NotRecorded where the audit log cannot be written.
        """
        queued = time.perf_counter()

        def begun() -> _T:
            self.waited = time.perf_counter() - queued
            entry = self._in_log()
            with entry.told() if entry else contextlib.nullcontext():
                result = work()
                self._write_down()
            return result

        try:
            result = await self._line.run(begun)
        except Exception as error:
            self._record.failed(self, error, time.perf_counter() - queued)
            shown = self._record.shown(error)
            if shown is error:
                raise
            raise shown from error
        self._record.ended(self, time.perf_counter() - queued)
        return result

    def seen(self, found: Found) -> None:
        """Notes that what was found is about to be told, before there is an answer. Raises NotRecorded."""
        if entry := self._in_log():
            entry.begun(found)

    def ended(self, found: Found, answer: Answer | None = None, *, hits: bool = False) -> None:
        """Notes what the search found, and the answer where one was made; the last word counts.

        `hits`: all that was looked at is told, not only what passed the limit.
        """
        self.found, self.answer, self._shows_hits = found, answer, hits

    def _write_down(self) -> None:
        entry = self._in_log()
        if entry and self.found and self.answer:
            entry.answered(self.found, self.answer, explained=self._shows_hits)
        elif entry and self.found:
            entry.found(self.found, hits=self._shows_hits)

    def _in_log(self) -> Entry | None:
        """Its place in the audit log; None while the index is not open, when there is nothing to tell."""
        if self._entry is None and (log := self._record.log):
            self._entry = log.entry(self._kind, self.road, self.caller, self.text, self.wanted, self.id)
        return self._entry
