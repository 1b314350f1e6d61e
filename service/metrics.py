"""Counts of what the server does, for Prometheus; service/scrape.py gives them out.

Labels come from short lists of ours alone: no question, path, name or language is one, so that nobody who asks can
make a series. Knows no routes and no index. Try: BRAIN_METRICS=1 python server.py, then curl 127.0.0.1:8000/metrics
"""

from answer import Answer
from answering.shapes import MODEL_FAILED
from errors import BrainError, ModelError, Stopped
from retrieval.found import Found
from service.line import Full, Stopping

_ROADS = ("ask", "stream", "search", "mcp")
_STATUSES = ("answered", "needs_review", "not_found")
_STAGES = (
    "waited", "rewrite", "search", "quote", "first_token", "model", "verify", "judge", "conflicts", "next", "total",
)  # fmt: skip
_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)  # seconds


class Metrics:
    """The counters of one server; another in the same process has its own."""

    def __init__(self) -> None:
        import prometheus_client as prometheus  # 0.2 s that a server without it can do without

        prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]  # else each counter has a twin that tells when it began
        self.registry = prometheus.CollectorRegistry()
        prometheus.ProcessCollector(registry=self.registry)
        self._questions = prometheus.Counter(
            "brain_questions", "Questions by how they came and how they ended.", ["road", "status"],
            registry=self.registry,
        )  # fmt: skip
        self._failures = prometheus.Counter(
            "brain_failures", "Questions that ended in an error, by its code.", ["road", "code"], registry=self.registry
        )
        self._models = prometheus.Counter(
            "brain_model_errors", "Failed calls of a model, whether or not the question was answered all the same.",
            ["code"], registry=self.registry,
        )  # fmt: skip
        self._cached = prometheus.Counter(
            "brain_cached_answers", "Questions that were given an answer made earlier.", registry=self.registry
        )
        self._seconds = prometheus.Histogram(
            "brain_stage_seconds", "How long the parts of an answer took.", ["stage"], buckets=_BUCKETS,
            registry=self.registry,
        )  # fmt: skip
        for road in _ROADS:  # from the start, so that the first one is a rise from 0
            for status in ("found", "not_found") if road == "search" else _STATUSES:
                self._questions.labels(road, status)

    def ended(self, road: str, answer: Answer | None, found: Found, waited: float) -> None:
        """Counts a question that was answered, or a search (no `answer`)."""
        status = answer.status if answer else "found" if found.passages else "not_found"
        self._questions.labels(road, status).inc()
        if answer and answer.cached:
            self._cached.inc()
        if answer:
            for stage, seconds in {"waited": waited, **answer.timings}.items():
                if stage in _STAGES:
                    self._seconds.labels(stage).observe(seconds)
            for problem in answer.problems:
                if problem.code in MODEL_FAILED:
                    self._models.labels(problem.code).inc()

    def failed(self, road: str, error: Exception) -> None:
        """Counts a question that ended in an error, or whose asker is gone."""
        code = code_of(error)
        status = status_of(error)
        self._questions.labels(road, status).inc()
        if status == "failed":
            self._failures.labels(road, code).inc()
        if isinstance(error, ModelError) and not isinstance(error, Full):
            self._models.labels(code).inc()


def status_of(error: BaseException) -> str:
    """Whether the question "failed", or was "stopped" because whoever asked is gone or the server ends."""
    return "stopped" if isinstance(error, Stopped | Stopping) else "failed"


def code_of(error: BaseException) -> str:
    """The code of an error of ours, "internal" for any other."""
    return error.code if isinstance(error, BrainError) else "internal"
