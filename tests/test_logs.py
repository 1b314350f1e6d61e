"""The server's log: one line a question without its text, one form for all, and nothing in it that forges or steers.

Try: pytest tests/test_logs.py
"""

import json
import logging
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import server
from access import Caller
from answer import Assistant
from service import logs
from tests.served import VACATION, WRITTEN, Held, running, settings_for, start, wait_until, write_docs

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (info|warning|error) (brain|uvicorn[.a-z]*) ")
NASTY = 'x\n2026-11-30T12:00:00.000Z info brain question id=f0\r\x1b[2J\u202e\u2028"}\x85 tab\t'
ASKED = "How many vacation days do I get,\n\x1b[31mafter one year?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "docs")


@pytest.fixture(autouse=True)
def _loggers_as_before() -> Iterator[None]:
    """What a server has set up ends with the test."""
    kept = {name: (logging.getLogger(name).handlers[:], logging.getLogger(name).propagate) for name in logs._LOGGERS}
    yield
    for name, (handlers, propagate) in kept.items():
        logging.getLogger(name).handlers[:], logging.getLogger(name).propagate = handlers, propagate


def told(text: str, message: str = "question") -> list[dict[str, Any]]:
    """The events of a JSON log; every line must be one."""
    return [one for one in map(json.loads, text.splitlines()) if one["message"] == message]


def test_a_question_is_one_line_without_its_text(docs: Path, double: Held, capsys: pytest.CaptureFixture[str]) -> None:
    with running(double.settings(docs, log_format="json")) as service:
        service.ready()
        answer = service.ask(ASKED).json()
        service.client.post("/ask/stream", json={"text": VACATION})
        service.client.post("/search", json={"text": VACATION})
        service.ask("Who won the curling world cup in 1987?")
    written = capsys.readouterr().err
    first, stream, search, refused = told(written)
    assert set(first) == {
        "time", "level", "log", "message", "id", "road", "status", "caller", "lang", "needs_review", "sources", "best",
        "limit", "seconds", "model",
    }  # fmt: skip
    assert (first["id"], first["model"], first["limit"]) == (answer["id"], answer["model"], 0.2)
    assert (first["road"], first["status"], first["caller"], first["lang"]) == ("ask", "answered", "user:local", "en")
    assert (first["needs_review"], first["sources"]) == (False, len(answer["sources"]))
    assert first["best"] >= answer["sources"][0]["score"]
    assert first["seconds"] == {"waited": first["seconds"]["waited"], **answer["timings"]}
    assert (stream["road"], stream["status"]) == ("stream", "answered")
    assert (search["road"], search["status"], set(search["seconds"])) == ("search", "found", {"waited", "total"})
    assert (refused["status"], refused["sources"]) == ("not_found", 0)
    for text in ("acation", "curling", "fter one year"):
        assert text not in written


@pytest.mark.parametrize("form", ["human", "json"])
def test_a_sync_that_changed_something_is_one_line_and_no_other_is(
    docs: Path, double: Held, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    with running(double.settings(docs, log_format=form, follow=False, sync_token="a-long-secret-word")) as service:
        service.ready()

        def sync() -> dict[str, Any]:
            headers = {"Authorization": "Bearer a-long-secret-word"}
            did: dict[str, Any] = service.client.post("/sync", json={"wait": True}, headers=headers).json()["did"]
            return did

        assert sync()["unchanged"] == 3
        (docs / "umbrella \u202e stand.md").write_text("# Stand\n\nThe umbrella stand is green.\n", encoding="utf-8")
        assert sync()["added"] == 1
        for n in range(6):
            (docs / f"page {n}.md").write_text(f"# Page\n\nThis is page {n}.\n", encoding="utf-8")
        assert sync()["added"] == 6
    written = capsys.readouterr().err
    assert "is green" not in written
    assert "\u202e" not in written
    if form == "human":
        lines = [line for line in written.splitlines() if " info brain sync " in line]
        assert len(lines) == 3
        assert re.search(r"sync added=3 changed=0 removed=0 embedded=\d+ files=\"added [^\"]+\" seconds=\d", lines[0])
        assert "files=" not in lines[2]
    else:
        first, second, third = told(written, "sync")
        assert (first["added"], len(first["files"])) == (3, 3)
        assert second["files"] == ["added umbrella \u202e stand.md"]
        assert (third["added"], "files" in third) == (6, False)


@pytest.mark.parametrize("form", ["human", "json"])
def test_texts_are_written_when_asked_for_and_forge_nothing(
    docs: Path, double: Held, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    double.handler = lambda messages: WRITTEN + "\n2026-11-30T12:00:00.000Z info brain \x1b]0;title\x07"
    with running(double.settings(docs, log_format=form, log_questions=True, retries=0)) as service:
        service.ready()
        service.ask(ASKED)
    written = capsys.readouterr().err
    lines = [line for line in written.splitlines() if "question" in line]
    assert (len(lines), len(written.splitlines())) == (1, 2), "the first sync and the question"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", written)
    if form == "json":
        assert (json.loads(lines[0])["question"], "28 vacation" in json.loads(lines[0])["answer"]) == (ASKED, True)
    else:
        assert LINE.match(lines[0])
        assert r'question="How many vacation days do I get,\n\u001b[31mafter one year?"' in lines[0]


@pytest.mark.parametrize("form", ["human", "json"])
def test_whatever_an_event_holds_it_is_one_line(docs: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    logs.set_up(settings_for(docs, log_format=form))
    logs.event(logging.INFO, "question", {"caller": NASTY, "seconds": {"a": 1.0}, "empty": "", "nothing": None})
    logging.getLogger("uvicorn.error").warning("Invalid request: %s", NASTY)
    lines = capsys.readouterr().err.split("\n")
    assert (len(lines), lines[-1]) == (3, "")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u202e]", "".join(lines))
    if form == "json":
        events = [json.loads(line) for line in lines[:2]]
        assert (events[0]["caller"], events[0]["seconds"], "nothing" in events[0]) == (NASTY, {"a": 1.0}, False)
        assert (events[1]["log"], events[1]["message"]) == ("uvicorn.error", f"Invalid request: {NASTY}")
    else:
        assert all(LINE.match(line) for line in lines[:2])
        assert lines[0].endswith(' seconds=a:1.0 empty=""')


@pytest.mark.parametrize("form", ["human", "json"])
def test_an_error_is_one_line_with_its_id_and_a_fault_has_it_in_its_trace(
    docs: Path, double: Held, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(NASTY)

    with running(double.settings(docs, log_format=form)) as service:
        service.ready()
        double.fail("thinking", path="/api/chat")  # an empty reply
        assert service.ask().status_code == 503
        with monkeypatch.context() as patch:
            patch.setattr(Assistant, "ask", broken)  # a fault of ours, such as nobody foresaw
            assert service.ask().json()["code"] == "internal"
    written = capsys.readouterr().err
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", written)
    if form == "json":
        first, second = told(written)
        assert (first["level"], first["status"], first["code"]) == ("warning", "failed", "bad_reply")
        assert "detail" not in first, "it may hold what the model said"
        assert (second["level"], second["code"], "detail" in second) == ("error", "internal", False)
        (trace,) = told(written, "A request failed")
        assert f"question {second['id']}" in trace["traceback"]
    else:
        events = [line for line in written.splitlines() if LINE.match(line)]
        assert [line.split()[3] for line in events] == ["sync", "question", "question", "A"]
        assert all(line.startswith("  | ") for line in written.splitlines() if line not in events)
        found = re.search(r"id=(\w+)", events[2])
        assert found
        assert f"  | question {found[1]}" in written.splitlines()


def test_an_error_tells_its_sentence_unless_it_holds_the_question(
    docs: Path, double: Held, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(double.settings(docs, log_format="json")) as service:
        service.ready()
        for text in ("does not support that", f"does not support: {VACATION}"):  # a server may echo its prompt
            double.fail("status", path="/api/chat", status=400, text=text)
            assert service.ask().status_code == 503
    plain, echoed = told(capsys.readouterr().err)
    assert "does not support that" in plain["detail"]
    assert (echoed["code"], "detail" in echoed) == ("model_unavailable", False)


def test_the_caller_is_named_and_cannot_forge(
    docs: Path, double: Held, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "caller_of", lambda request: Caller(NASTY, frozenset()))
    with running(double.settings(docs)) as service:
        service.ready()
        service.ask()
    _, line = capsys.readouterr().err.splitlines()
    assert LINE.match(line)
    assert re.search(r' caller="x\\n2026[^"]*', line)


def test_two_services_write_no_line_twice(docs: Path, double: Held, capsys: pytest.CaptureFixture[str]) -> None:
    settings = double.settings(docs, log_format="json")
    server.Service(settings)
    with running(settings) as service:
        service.ready()
        service.ask()
    assert len(told(capsys.readouterr().err)) == 1


def said_by(process: "subprocess.Popen[str]", url: str) -> str:
    """All that a server writes to stderr while one question is asked of it."""

    def ready() -> bool:
        try:
            return httpx.get(f"{url}/readyz").status_code == 200
        except httpx.ConnectError:
            return False

    wait_until(ready)
    assert httpx.post(f"{url}/ask", json={"text": VACATION}).status_code == 200
    process.send_signal(signal.SIGTERM)
    return process.communicate(timeout=15)[1]


def test_server_py_writes_nothing_but_json_lines(docs: Path, double: Held) -> None:
    (docs / "broken.md").write_bytes(b"# Broken\n\nNUL \0 here.\n")  # left out, which is told
    environment = {"BRAIN_BACKEND": "ollama", "OLLAMA_HOST": double.host, "BRAIN_LOG_FORMAT": "json"}
    with start(["server.py", "--port", "0", "--json"], docs, **environment) as process:
        assert process.stdout
        written = said_by(process, json.loads(process.stdout.readline())["url"])
    events = [json.loads(line) for line in written.splitlines()]
    assert next(one["message"] for one in events if one["log"] == "brain") == "started"
    assert any("broken.md was left out" in one["message"] for one in events)
    assert len(told(written)) == 1


@pytest.mark.parametrize("form", ["human", "json"])
def test_a_secret_in_an_event_is_masked(docs: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    secret = "".join(["Larch", "!", "Log", "77"])
    logs.set_up(settings_for(docs, log_format=form))
    asked = f"Does the password {secret} still work?"
    logs.event(logging.INFO, "question", {"question": asked, "paths": [f"pw: {secret}.md"], "seconds": {"total": 0.1}})
    try:
        raise ValueError(f"token={secret}{secret}")
    except ValueError:
        logs.LOG.exception("failed for password %s", secret)
    logs.notice_for(settings_for(docs, log_format=form))(f"The password {secret} is in a message.")
    written = capsys.readouterr().err
    assert "Larch" not in written
    assert written.count("secret removed, password") >= 4
