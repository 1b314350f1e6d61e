"""What is kept of a question on its way through the server: how it ended and how long its parts took.

Counted where the setting `metrics` asks for it (service/metrics.py). Knows no routes.
Try: pytest tests/test_metrics.py
"""

import time
from collections.abc import Callable
from typing import Literal, TypeVar

from access import Caller
from answer import Answer
from config import Settings
from retrieval.found import Found
from service.line import Line
from service.metrics import Metrics

Road = Literal["ask", "stream", "search", "mcp"]
"""By which door a question came."""
_T = TypeVar("_T")


class Record:
    """What this server's questions leave behind."""

    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics() if settings.metrics else None

    def asked(self, line: Line, road: Road, caller: Caller, text: str) -> "Asked":
        """A question of `caller` that is about to be worked on in `line`."""
        return Asked(self, line, road, caller, text)


class Asked:
    """One question; it is recorded once, when `run` ends."""

    def __init__(self, record: Record, line: Line, road: Road, caller: Caller, text: str) -> None:
        self._record, self._line, self.road, self.caller, self.text = record, line, road, caller, text
        self.waited = 0.0  # seconds in the line
        self.answer: Answer | None = None
        self.found: Found | None = None

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises, done in the line; it says by `ended` what was found."""
        queued = time.perf_counter()

        def begun() -> _T:
            self.waited = time.perf_counter() - queued
            return work()

        metrics = self._record.metrics
        try:
            result = await self._line.run(begun)
        except Exception as error:
            if metrics:
                metrics.failed(self.road, error)
            raise
        if metrics and self.found:
            metrics.ended(self.road, self.answer, self.found, self.waited)
        return result

    def ended(self, found: Found, answer: Answer | None = None) -> None:
        """Notes what the search found, and the answer where one was made; the last word counts."""
        self.found, self.answer = found, answer
