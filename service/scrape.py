"""GET /metrics: the counters of service/metrics.py with the state of the index and the waiting lines, for Prometheus.

There only where the setting `metrics` asks for it, and for the scope `metrics` alone. The state is read
at a scrape as /readyz reads it, without an embedding. Try: BRAIN_METRICS=1 python server.py, then
    curl http://127.0.0.1:8000/metrics
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from access.identity import METRICS
from errors import BrainError
from service.admission import allowed
from service.brain import Brain
from service.shapes import errors

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

KIND = "text/plain; version=0.0.4"
"""The format of the reply, which every scraper reads."""


def add_metrics(api: FastAPI, brain: Brain) -> None:
    """GET /metrics, where the setting asks for it; otherwise there is no such path."""
    metrics = brain.record.metrics
    if metrics is None:
        return

    @api.get(
        "/metrics", summary="counts for Prometheus", response_class=PlainTextResponse, responses=errors(401, 403, 421)
    )
    async def scraped(request: Request) -> Response:
        """Questions, times, queue and the state of the index, in the text format of Prometheus."""
        allowed(request, METRICS)
        from prometheus_client import generate_latest

        try:
            told = await brain.looks.run(brain.readiness)
        except BrainError:
            told = {"ready": False}  # what was counted is told all the same
        text = generate_latest(metrics.registry) + generate_latest(_state_of(brain, told))
        return Response(text, media_type=KIND)


def _state_of(brain: Brain, told: dict[str, Any]) -> "CollectorRegistry":
    """The state as a registry of its own: it lasts for one reply, so what is no longer known is not told."""
    from prometheus_client import CollectorRegistry, Gauge

    registry, sync = CollectorRegistry(), brain.following()
    gauges: list[tuple[str, str, float | None]] = [
        ("ready", "1 when the first sync has ended and the models answer.", told["ready"]),
        ("documents", "Documents in the index.", told.get("documents")),
        ("chunks", "Chunks in the index.", told.get("chunks")),
        ("files_left_out", "Files that the last sync could not use, empty ones aside.", sync["left_out"]),
        ("last_sync_timestamp_seconds", "When the index was last known to be up to date.", _seconds(sync["last"])),
        ("last_indexed_timestamp_seconds", "When a document was last read in.", _seconds(told.get("last_indexed"))),
    ]
    for name, sentence, value in gauges:
        if value is not None:
            Gauge(f"brain_{name}", sentence, registry=registry).set(value)
    queue = Gauge("brain_queue", "What waits and what is at work.", ["line", "state"], registry=registry)
    for name, line in (("questions", brain.questions), ("searches", brain.searches), ("judgements", brain.judgements)):
        queue.labels(name, "waiting").set(line.waiting)
        queue.labels(name, "running").set(line.running)
    return registry


def _seconds(iso: str | None) -> float | None:
    return datetime.fromisoformat(iso).timestamp() if iso else None
