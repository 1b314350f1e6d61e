"""POST /ask/stream over real sockets: what is told and when, and that a client which leaves ends the work.

Try: pytest tests/test_stream.py
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import server
from answer import Assistant
from answering import events
from answering.clock import Clock
from answering.following import Follower
from answering.write import Checker
from config import PROJECT
from models.spoken import Spoken, without_reasoning
from service import brain
from tests.served import (
    NO_FILE,
    VACATION,
    WRITTEN,
    Held,
    Running,
    refused,
    running,
    settings_for,
    wait_until,
    write_docs,
)

WRONG = "After one year you get 45 vacation days [1]."
Told = list[tuple[str, Any]]


def read(text: str) -> Told:
    """Server-sent events by the standard's rules, comments left out."""
    found: Told = []
    for block in text.removesuffix("\n\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        if lines:
            (event,) = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
            data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
            found.append((event, json.loads("\n".join(data))))
    return found


def asked(service: Running, text: str = VACATION, **more: Any) -> Told:
    reply = service.client.post("/ask/stream", json={"text": text, **more})
    assert reply.status_code == 200, reply.text
    return read(reply.text)


def names(told: Told) -> list[str]:
    """The events' names in order, one for a run of tokens."""
    found = [name for name, _ in told]
    return [name for i, name in enumerate(found) if name != "token" or found[i - 1 : i] != ["token"]]


def shown(told: Told) -> tuple[str, dict[int, Any]]:
    """What a page shows at the end that does as manual/http.md says, before the answer comes."""
    text = ""
    claims: dict[int, Any] = {}
    for name, data in told:
        if name == "retry":
            text, claims = "", {}
        elif name == "token":
            text += data["text"]
        elif name == "claim":
            claims[data["index"]] = data["claim"]
    return text, claims


def bare(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("id", "timings")}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "docs")


@pytest.fixture(scope="module")
def quoting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(settings_for(write_docs(tmp_path_factory.mktemp("quoting") / "docs"))) as service:
        service.ready()
        yield service


def opened(port: int, text: str = VACATION) -> socket.socket:
    """A connection on which the question was sent."""
    body = json.dumps({"text": text}).encode()
    client = socket.create_connection(("127.0.0.1", port), 20)
    head = (
        f"POST /ask/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    client.sendall(head.encode() + b"\r\n\r\n" + body)
    return client


def until(client: socket.socket, wanted: bytes) -> bytes:
    got = b""
    while wanted not in got:
        part = client.recv(65536)
        assert part, got
        got += part
    return got


# --- what is told -------------------------------------------------------------------------------------------------


def test_quoted_claims_in_order_then_the_answer_of_ask(quoting: Running) -> None:
    told = asked(quoting)
    claims = told[-1][1]["claims"]
    assert names(told) == ["search", "route", *["claim"] * len(claims), "answer"]
    assert [data for name, data in told if name == "claim"] == [
        {"index": index, "claim": claim} for index, claim in enumerate(claims)
    ]
    assert bare(told[-1][1]) == bare(quoting.ask().json())
    assert "first_token" not in told[-1][1]["timings"]
    (looked, *_) = told[0][1]["passages"]
    assert (looked["source"], looked["lines"][0], told[0][1]["nearest"]) == ("leave.md", "L", None)


@pytest.mark.refusal
def test_nothing_found_tells_what_came_nearest(quoting: Running) -> None:
    told = asked(quoting, "Wer gewann 1987 die Weltmeisterschaft im Curling?")
    assert names(told) == ["search", "route", "answer"]
    assert told[0][1]["passages"] == []
    assert told[0][1]["nearest"]["score"] < told[0][1]["limit"]["min_score"]
    assert told[1][1]["tool"] == "text"
    assert (told[2][1]["status"], told[2][1]["sources"]) == ("not_found", [])


def test_a_written_answer_comes_word_by_word_and_equals_that_of_ask(docs: Path, double: Held) -> None:
    double.handler = lambda messages: f"{WRITTEN} Five days carry over [2]."
    with running(double.settings(docs, retries=0)) as service:
        service.ready()
        told, asks = asked(service), service.ask().json()
    assert names(told)[:4] == ["search", "route", "token", "claim"]
    assert [name for name, _ in told].count("token") > 8
    assert bare(told[-1][1]) == bare(asks)
    text, claims = shown(told)
    assert text == double.handler([])
    assert [claims[i] for i in sorted(claims)] == asks["claims"]
    for timings in (told[-1][1]["timings"], asks["timings"]):
        assert 0 < timings["first_token"] < timings["total"]
    first = next(i for i, (name, _) in enumerate(told) if name == "claim")
    assert [data["text"] for name, data in told[first:] if name == "token"] == [" days", " carry", " over", " [2]."]


def test_a_retry_withdraws_and_the_page_shows_what_is_kept(docs: Path, double: Held) -> None:
    replies = iter([WRONG, WRITTEN])
    double.handler = lambda messages: next(replies)
    with running(double.settings(docs)) as service:
        service.ready()
        told = asked(service)
    assert names(told) == ["search", "route", "token", "claim", "retry", "token", "claim", "answer"]
    (retry,) = [data for name, data in told if name == "retry"]
    assert retry["attempt"] == 2
    assert "45" in retry["why"][0]
    answer = told[-1][1]
    assert (answer["status"], answer["attempts"]) == ("answered", 2)
    text, claims = shown(told)
    assert (text, [claims[0]]) == (WRITTEN, answer["claims"])


def test_the_better_first_attempt_stands_again_at_the_end(docs: Path, double: Held) -> None:
    first = f"{WRITTEN} Ten days carry over [2]."
    replies = iter([first, WRONG, f"{WRONG} Nine days carry over [2]."])
    double.handler = lambda messages: next(replies)
    with running(double.settings(docs)) as service:
        service.ready()
        told = asked(service)
    text, claims = shown(told)
    assert text == first
    assert [claims[i] for i in sorted(claims)] == told[-1][1]["claims"]
    assert [data["attempt"] for name, data in told if name == "retry"] == [2, 3, 1]


@pytest.mark.parametrize(("part", "withdrawn"), [("After one year you get", True), ("NOT_", False)])
def test_a_runner_that_dies_while_it_writes_begins_anew(docs: Path, double: Held, part: str, withdrawn: bool) -> None:
    with running(double.settings(docs)) as service:
        service.ready()
        double.fail("cut", path="/api/chat", text=part)
        told = asked(service)
    assert [data["attempt"] for name, data in told if name == "retry"] == [1] * withdrawn
    assert (told[-1][1]["attempts"], shown(told)[0]) == (1, WRITTEN)


@pytest.mark.refusal
def test_a_refusal_is_never_shown_as_text(docs: Path, double: Held) -> None:
    double.handler = lambda messages: "NOT_FOUND. The passages say nothing."
    with running(double.settings(docs)) as service:
        service.ready()
        told = asked(service)
    assert names(told) == ["search", "route", "answer"]
    assert told[-1][1]["status"] == "not_found"


def test_reasoning_is_never_told(docs: Path, double: Held) -> None:
    double.handler = lambda messages: f"<think>Perhaps 45? See [3].</think> {WRITTEN}"
    with running(double.settings(docs)) as service:
        service.ready()
        assert shown(asked(service))[0] == WRITTEN


def test_a_model_that_fails_after_the_search_is_an_event(docs: Path, double: Held) -> None:
    with running(double.settings(docs, retries=0)) as service:
        service.ready()
        double.fail("status", path="/api/chat", status=500, text="out of memory")
        told = asked(service)
        assert (names(told), told[-1][1]["code"]) == (["search", "route", "error"], "model_unavailable")
        assert "out of memory" in told[-1][1]["detail"]
        assert told[-1][1]["retry_after"] > 0
        assert names(asked(service))[-1] == "answer"


# --- before the first event ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"text": " "}', 422, "invalid_request"),
        (b'{"text": "days", "verify": "model"}', 422, "invalid_request"),
        (b'{"text": "days", "k": 3}', 422, "invalid_request"),
        (b"text=days", 400, "invalid_json"),
    ],
)
def test_wrong_requests_have_their_status(quoting: Running, body: bytes, status: int, code: str) -> None:
    reply = quoting.client.post("/ask/stream", content=body, headers={"Content-Type": "application/json"})
    refused(reply, status, code)


def test_the_door_stands_before_streams_too(quoting: Running) -> None:
    reply = quoting.client.post("/ask/stream", json={"text": "x"}, headers={"Host": "evil.example"})
    refused(reply, 421, "host_not_allowed")
    reply = quoting.client.post("/ask/stream", content=b"{}", headers={"Content-Type": "text/plain"})
    refused(reply, 415, "unsupported_media_type")
    reply = quoting.client.post("/ask/stream", json={"text": VACATION})
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (reply.headers["cache-control"], reply.headers["x-accel-buffering"]) == ("no-store", "no")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "content-length" not in reply.headers


def test_a_full_line_and_a_lost_model_have_their_status(docs: Path, double: Held) -> None:
    with running(double.settings(docs, queue=0)) as service, ThreadPoolExecutor(1) as pool:
        service.ready()
        double.hold_chat = True
        held = pool.submit(service.ask)
        assert double.asked.acquire(timeout=30)
        refused(service.client.post("/ask/stream", json={"text": VACATION}), 503, "busy")
        double.go.set()
        held.result()
        models, double.models = double.models, {}
        refused(service.client.post("/ask/stream", json={"text": VACATION}), 503, "model_missing")
        double.models = models
        assert names(asked(service))[-1] == "answer"


def test_an_unforeseen_error_tells_nothing(quoting: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, tell: events.Tell, **__: object) -> None:
        if early:
            raise RuntimeError("secret of the insides")
        tell(events.Token(text="begun"))
        raise RuntimeError("secret of the insides")

    monkeypatch.setattr(Assistant, "ask", broken)
    for early in (True, False):
        reply = quoting.client.post("/ask/stream", json={"text": VACATION})
        assert "secret" not in reply.text
        if early:
            refused(reply, 500, "internal")
        else:
            name, data = read(reply.text)[-1]
            assert (name, data["code"], data["retry_after"]) == ("error", "internal", 0)


# --- who leaves, who waits, who stops -----------------------------------------------------------------------------


def test_while_nothing_comes_it_says_that_it_lives(docs: Path, double: Held) -> None:
    with running(double.settings(docs), heartbeat_seconds=0.1) as service:
        service.ready()
        double.hold_chat = True
        with opened(service.port) as client:
            got = until(client, b": waiting\n\n\r\n") + until(client, b": waiting\n\n")
            assert b"event: search" in got
            double.go.set()
            until(client, b"event: answer")


def test_a_question_that_waits_in_the_line_says_so_too(docs: Path, double: Held) -> None:
    with running(double.settings(docs, queue=1), heartbeat_seconds=0.1) as service:
        service.ready()
        double.hold_texts = "vacation days do I get"  # the search of both questions waits
        with opened(service.port) as client:
            got = until(client, b": waiting")
            assert got.startswith(b"HTTP/1.1 200")
            assert b"event: search" not in got
            double.go.set()
            until(client, b"event: answer")


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        ({"kind": "slow", "seconds": 60.0}, b"event: search"),  # a cold model: not a byte yet
        ({"kind": "stall", "seconds": 60.0}, b"event: token"),
    ],
)
def test_a_client_that_leaves_ends_the_call_and_frees_its_place(
    docs: Path, double: Held, fault: dict[str, Any], seen: bytes
) -> None:
    with running(double.settings(docs, queue=0)) as service:
        service.ready()
        double.fail(**fault, path="/api/chat")
        with opened(service.port) as client:
            until(client, seen)
            wait_until(lambda: len(double.bodies("/api/chat")) == 2)  # the first is the load
            assert double.hung_up == 0
            refused(service.ask(), 503, "busy")
        wait_until(lambda: double.hung_up == 1)
        wait_until(lambda: service.ask().status_code == 200)


def test_a_client_that_leaves_the_line_gives_its_place_to_the_next(
    docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brain, "_MOST_WORKERS", 1)
    with running(double.settings(docs, queue=1)) as service, ThreadPoolExecutor(2) as pool:
        service.ready()
        double.hold_chat = True
        held = pool.submit(service.ask)
        assert double.asked.acquire(timeout=30)

        def place() -> bool:
            """Whether another question is let into the line: it waits there until it gives up."""
            try:
                url = f"http://127.0.0.1:{service.port}/ask/stream"
                return httpx.post(url, json={"text": VACATION}, timeout=0.3).is_success
            except httpx.ReadTimeout:
                return True

        with opened(service.port, "Which class do I book on trains?"):
            wait_until(lambda: not place())
        wait_until(place)
        double.go.set()
        assert held.result().status_code == 200
        assert service.ask().status_code == 200
    prompts = [body["messages"][-1]["content"] for body in double.bodies("/api/chat") if body["messages"]]
    assert len(prompts) == 2, "nobody else was answered"


def test_a_server_that_stops_ends_its_streams(docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STOP_SECONDS", 1)
    with ThreadPoolExecutor(1) as pool:
        with running(double.settings(docs)) as service:
            service.ready()
            double.fail("slow", path="/api/chat", seconds=60.0)
            client = opened(service.port)
            until(client, b"event: search")
            rest = pool.submit(until, client, b"0\r\n\r\n")
        assert b'event: error\ndata: {"code": "stopping"' in rest.result()
        client.close()
    wait_until(lambda: double.hung_up == 1)


# --- in a terminal ------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="has no pty")
@pytest.mark.parametrize(("flags", "drafts"), [([], True), (["--json"], False)])
def test_a_terminal_sees_the_text_come_and_withdrawn(docs: Path, double: Held, flags: list[str], drafts: bool) -> None:
    import pty

    replies = iter([f"\x1b[31m{WRONG}", WRITTEN])
    double.handler = lambda messages: next(replies)
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        **NO_FILE,
        "BRAIN_BACKEND": "ollama",
        "OLLAMA_HOST": double.host,
        "RAG_MIN_SCORE": "0.2",
    }
    words = ["answer.py", VACATION, "--docs", str(docs), "--db", str(docs.parent / "i.db"), *flags]
    ended = subprocess.run(
        [sys.executable, *words], cwd=PROJECT, env=environment, stdout=theirs, stderr=subprocess.PIPE, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # how the end of a terminal is told
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    text = shown.decode().replace("\r\n", "\n")
    assert "\x1b" not in text, ended.stderr
    if drafts:
        draft, checked, answer = text.partition("\n\n-- checked:\n\n")
        assert checked
        assert draft.startswith(f"\\x1b[31m{WRONG}\n\n-- withdrawn: “")
        assert draft.endswith(f"\n\n{WRITTEN}")
        assert answer.startswith(f"{WRITTEN}\n\n[1] leave.md:L")
    else:
        assert json.loads(text)["attempts"] == 2


# --- the parts ----------------------------------------------------------------------------------------------------

PARTS = ["<think>", "</think>", "<thi", "nk>", "</", "think>", "{", " ", "\n", "a", "b c", "<", "é"]


@example(["so", "</", "think>", "yes"])
@given(st.one_of(st.lists(st.sampled_from(PARTS), max_size=14), st.text("<>/think{ a\n", max_size=40).map(list)))
def test_what_is_told_piece_by_piece_is_the_reply(pieces: list[str]) -> None:
    spoken, told = Spoken(), ""
    for piece in pieces:
        text, withdrawn = spoken.add(piece)
        told = text if withdrawn else told + text
    assert told + spoken.end() == without_reasoning("".join(pieces))


def test_a_block_at_the_start_is_never_told_in_part() -> None:
    spoken = Spoken()
    assert [spoken.add(piece)[0] for piece in ("<thi", "nk>so", " </th", "ink>", " Yes", ", </b> ok")] == [
        "", "", "", "", "Yes", ", </b> ok",
    ]  # fmt: skip


def test_every_event_is_in_the_manual_with_its_fields() -> None:
    manual = (Path(__file__).parents[1] / "manual" / "http.md").read_text(encoding="utf-8")
    section = manual.partition("## POST /ask/stream")[2].partition("\n## ")[0]
    for event in (events.Searched, events.Token, events.Checked, events.Withdrawn, events.Answered, events.Failed):
        (row,) = re.findall(rf"^\| `{event.name}` \|.*$", section, re.M)
        fields = set(event.model_fields) - ({"answer"} if event is events.Answered else set())
        assert fields <= set(re.findall(r"`(\w+)`", row)), event.name
    looked = set(re.findall(r"`(\w+)`", section))
    assert set(events.Looked.model_fields) <= looked


def test_a_long_reply_is_not_checked_at_every_sentence() -> None:
    checks: list[int] = []

    class Counting(Clock):
        @contextlib.contextmanager
        def measured(self, name: str) -> Iterator[None]:
            checks.append(1)
            yield

    follower = Follower(1, [], Checker("en", None), Counting(), lambda event: None)
    for _ in range(300):
        follower.piece("One more short sentence stands here. ")
    assert 20 < len(checks) < 80
