"""GET /metrics over real sockets: what is counted, that nothing asked becomes a label, that a scrape embeds nothing.

Try: pytest tests/test_metrics.py
"""

import asyncio
import contextlib
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

import server
from access import Caller
from config import PROJECT
from errors import Stopped
from service.line import Line, Stopping
from service.metrics import Metrics
from tests.served import VACATION, Held, Running, refused, running, wait_until, write_docs

Counted = dict[tuple[str, str], float]


def scraped(service: Running) -> Counted:
    """Every sample: (name, labels as text) -> value."""
    reply = service.client.get("/metrics")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    families = list(text_string_to_metric_families(reply.text))
    names = [family.name for family in families]
    assert len(names) == len(set(names)), "a family that is told twice is refused by scrapers"
    return {
        (s.name, ",".join(f"{k}={v}" for k, v in sorted(s.labels.items()))): s.value
        for f in families
        for s in f.samples
    }


def risen(before: Counted, after: Counted, name: str) -> dict[str, float]:
    """What a counter rose by, by its labels."""
    rise = {key: after[key] - before.get(key, 0.0) for key in after if key[0] == name}
    return {labels: value for (_, labels), value in rise.items() if value}


def ask(service: Running, path: str = "/ask", **body: Any) -> None:
    service.client.post(path, json={"text": VACATION, **body})


@pytest.fixture(scope="module")
def double() -> Iterator[Held]:
    with Held() as held:
        yield held


@pytest.fixture(scope="module")
def live(double: Held, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    docs = write_docs(tmp_path_factory.mktemp("metrics") / "docs")
    (docs / "broken.md").write_bytes(b"# Broken\n\nNUL \0 here.\n")
    (docs / "empty.md").write_bytes(b"")  # lacks nothing: no file that is left out
    with running(double.settings(docs, metrics=True, queue=1, retries=0, total_seconds=5)) as service:
        service.ready()
        yield service


def test_there_is_no_such_path_unless_it_is_asked_for(double: Held, tmp_path: Path) -> None:
    with running(double.settings(write_docs(tmp_path / "docs"))) as service:
        refused(service.client.get("/metrics"), 404, "no_such_path")
        assert "/metrics" not in service.client.get("/openapi.json").json()["paths"]


def test_questions_are_counted_by_road_and_outcome(live: Running, double: Held) -> None:
    before = scraped(live)
    assert ("brain_questions_total", "road=ask,status=answered") in before, "told from the start, so that it can rise"
    ask(live)
    ask(live, "/ask/stream")
    ask(live, "/ask/stream")
    ask(live, "/search")
    ask(live, text="Who won the curling world cup in 1987?")
    ask(live, "/search", text="zzzz qqqq")
    double.handler, reply = lambda messages: "After one year you get 45 vacation days [1].", double.handler
    ask(live)
    double.handler = reply
    assert risen(before, scraped(live), "brain_questions_total") == {
        "road=ask,status=answered": 1, "road=stream,status=answered": 2, "road=search,status=found": 1,
        "road=ask,status=not_found": 1, "road=search,status=not_found": 1, "road=ask,status=needs_review": 1,
    }  # fmt: skip


def test_failures_and_model_errors_have_their_code(live: Running, double: Held) -> None:
    before = scraped(live)
    double.fail("thinking", path="/api/chat")  # an empty reply
    ask(live)
    double.fail("status", path="/api/chat", status=404, text="this is no Ollama")
    ask(live, "/ask/stream")
    ask(live, text="")  # refused by form: no question
    after = scraped(live)
    assert risen(before, after, "brain_questions_total") == {
        "road=ask,status=failed": 1,
        "road=stream,status=failed": 1,
    }
    failed = {"road=ask,code=bad_reply": 1, "road=stream,code=model_unavailable": 1}
    assert risen(before, after, "brain_failures_total") == {
        ",".join(sorted(labels.split(","))): n for labels, n in failed.items()
    }
    assert risen(before, after, "brain_model_errors_total") == {"code=bad_reply": 1, "code=model_unavailable": 1}


def test_a_failed_retry_is_a_model_error_of_an_answered_question(double: Held, tmp_path: Path) -> None:
    said = iter(["After one year you get 45 vacation days [1]."])
    with running(double.settings(write_docs(tmp_path / "docs"), metrics=True)) as service:
        service.ready()
        before, reply = scraped(service), double.handler
        double.handler = lambda messages: next(said, "")  # the second reply is empty
        ask(service)
        double.handler = reply
        after = scraped(service)
    assert risen(before, after, "brain_questions_total") == {"road=ask,status=needs_review": 1}
    assert risen(before, after, "brain_model_errors_total") == {"code=retry_failed": 1}


def test_the_queue_is_told_while_it_stands_and_a_full_one_is_no_model_error(live: Running, double: Held) -> None:
    before = scraped(live)
    double.hold_chat = True
    threads = [threading.Thread(target=ask, args=(live,)) for _ in range(2)]  # all that may be in hand
    for thread in threads:
        thread.start()

    def at_work() -> float:
        return scraped(live)["brain_queue", "line=questions,state=running"]

    wait_until(lambda: at_work() == 2)
    refused(live.ask(), 503, "busy")
    double.hold_chat = False
    double.go.set()
    for thread in threads:
        thread.join(20)
    double.go.clear()
    after = scraped(live)
    assert at_work() == 0
    assert risen(before, after, "brain_failures_total") == {"code=busy,road=ask": 1}
    assert risen(before, after, "brain_model_errors_total") == {}
    assert after["brain_stage_seconds_sum", "stage=waited"] > before["brain_stage_seconds_sum", "stage=waited"]


def test_a_line_tells_who_waits_and_who_is_at_work() -> None:
    line, go, begun = Line("things", 1, 3), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(10)

    async def three() -> tuple[int, int]:
        tasks = [asyncio.create_task(line.run(work)) for _ in range(3)]
        await asyncio.to_thread(begun.wait, 10)
        told = line.running, line.waiting
        tasks[2].cancel()  # who leaves the line waits no longer
        with contextlib.suppress(Stopping):
            await tasks[2]
        left = line.running, line.waiting
        go.set()
        await asyncio.gather(*tasks[:2])
        assert (told, left) == ((1, 2), (1, 1))
        return line.running, line.waiting

    assert asyncio.run(three()) == (0, 0)


def test_parts_of_an_answer_are_timed(live: Running) -> None:
    before = scraped(live)
    ask(live)
    rise = risen(before, scraped(live), "brain_stage_seconds_count")
    assert set(rise) == {
        f"stage={stage}" for stage in ("waited", "search", "first_token", "model", "verify", "conflicts", "total")
    }
    assert set(rise.values()) == {1}


def test_the_state_of_the_index_is_told(live: Running) -> None:
    told, ready = scraped(live), live.ready()
    state = {name: told[f"brain_{name}", ""] for name in ("ready", "documents", "chunks", "files_left_out")}
    assert state == {"ready": 1, "documents": 3, "chunks": ready["chunks"], "files_left_out": 1}
    for name in ("last_sync", "last_indexed"):
        assert 0 <= time.time() - told[f"brain_{name}_timestamp_seconds", ""] < 300
    assert (sys.platform != "linux") or told["process_resident_memory_bytes", ""] > 1e6


def test_a_scrape_embeds_and_writes_nothing(live: Running, double: Held) -> None:
    scraped(live)
    double.requests.clear()
    scraped(live)
    assert {path for path, _ in double.requests} <= {"/api/tags", "/api/version"}


def test_nothing_that_is_asked_becomes_a_label(live: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    scraped(live)
    before = set(scraped(live))
    asked = ("What is zebra{0}?", "Was ist Zebra{0}?", "Qu'est-ce que le zebra{0} ?", 'ze"bra{0}\n# x 1')
    for n, text in enumerate(asked):
        monkeypatch.setattr(server, "caller_of", lambda request, n=n: Caller(f"zebra{n}", frozenset({f"zebra{n}"})))
        for path in ("/ask", "/search"):
            live.client.post(path, json={"text": text.format(n), "path": f"zebra{n}/*"})
    assert set(scraped(live)) == before
    assert "zebra" not in live.client.get("/metrics").text


def test_two_services_in_one_process_count_apart(live: Running, double: Held, tmp_path: Path) -> None:
    before = scraped(live)
    with running(double.settings(write_docs(tmp_path / "docs"), metrics=True)) as other:
        other.ready()
        ask(other)
        assert scraped(other)["brain_questions_total", "road=ask,status=answered"] == 1
    assert risen(before, scraped(live), "brain_questions_total") == {}


def test_an_error_of_nobody_is_internal_and_a_withdrawn_question_is_none() -> None:
    metrics = Metrics()
    for error in (ValueError("a secret"), Stopped("x"), Stopping("x")):
        metrics.failed("stream", error)
    found = {
        (s.labels.get("code", ""), s.labels.get("status", "")): s.value
        for family in metrics.registry.collect()
        for s in family.samples
        if s.name in ("brain_failures_total", "brain_questions_total") and s.value
    }
    assert found == {
        ("internal", ""): 1,
        ("", "failed"): 1,
        ("", "stopped"): 2,
    }


def test_the_manual_names_every_series(live: Running) -> None:
    text = (PROJECT / "manual" / "operate.md").read_text(encoding="utf-8")
    names = {re.sub("_(total|bucket|sum|count)$", "", name) for name, _ in scraped(live)}
    assert {name for name in names if name.startswith("brain_") and name not in text} == set()
