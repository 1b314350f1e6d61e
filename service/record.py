"""What is kept of a question on its way through the server: how it ended and how long its parts took.

One line in the log (service/logs.py), and a count where the setting `metrics` asks for it (service/metrics.py). What
was asked and answered is not written down unless the setting `log_questions` says so. Knows no routes.
Try: pytest tests/test_logs.py
"""

import logging
import time
import uuid
from collections.abc import Callable
from typing import Literal, TypeVar

from access import Caller
from answer import Answer
from config import Settings
from errors import BadReply, BrainError
from retrieval.found import Found
from service import logs
from service.line import Line
from service.metrics import Metrics, code_of, status_of

Road = Literal["ask", "stream", "search", "mcp"]
"""By which door a question came."""
_MOST_DETAIL_CHARS = 300
_T = TypeVar("_T")


class Record:
    """What this server's questions leave behind."""

    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics() if settings.metrics else None
        self._tells_texts = settings.log_questions

    def asked(self, line: Line, road: Road, caller: Caller, text: str) -> "Asked":
        """A question of `caller` that is about to be worked on in `line`."""
        return Asked(self, line, road, caller, text)

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
            "caller": asked.caller.id, "lang": found.lang, "needs_review": answer.needs_review if answer else None,
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
    """One question; it is written down once, when `run` ends."""

    def __init__(self, record: Record, line: Line, road: Road, caller: Caller, text: str) -> None:
        self._record, self._line, self.road, self.caller, self.text = record, line, road, caller, text
        self.id = uuid.uuid4().hex  # until there is an answer, which has its own
        self.waited = 0.0  # seconds in the line
        self.answer: Answer | None = None
        self.found: Found | None = None

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises, done in the line; it says by `ended` what was found."""
        queued = time.perf_counter()

        def begun() -> _T:
            self.waited = time.perf_counter() - queued
            return work()

        try:
            result = await self._line.run(begun)
        except Exception as error:
            self._record.failed(self, error, time.perf_counter() - queued)
            raise
        self._record.ended(self, time.perf_counter() - queued)
        return result

    def ended(self, found: Found, answer: Answer | None = None) -> None:
        """Notes what the search found, and the answer where one was made; the last word counts."""
        self.found, self.answer = found, answer
