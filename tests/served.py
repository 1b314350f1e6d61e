"""A server for tests: in a thread of this process or in one of its own, over three documents, with a held-back model.

Try: pytest tests/test_server.py
"""

import contextlib
import dataclasses
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

import config
import server
from config import PROJECT, Settings
from server import Service, listening
from service.shapes import ErrorReply
from service.stream import HEARTBEAT_SECONDS
from tests import engine
from tests.ollama_double import OllamaDouble

LEAVE = "# Leave\n\n## Vacation\n\nAfter one year you get 28 vacation days.\n\n## Carry-over\n\nFive days carry over.\n"
TRAVEL = "# Travel\n\n## Trains\n\nBook second class for trips under four hours.\n"
SECURITY = "# Security\n\n## Laptops\n\nLock your laptop's screen whenever you leave the desk.\n"
VACATION = "How many vacation days do I get after one year?"
WRITTEN = "After one year you get 28 vacation days [1]."
NO_FILE = {config.CONFIG_VARIABLE: os.devnull}


def write_docs(folder: Path) -> Path:
    """Makes the folder with three documents in it."""
    folder.mkdir()
    for name, text in (("leave.md", LEAVE), ("travel.md", TRAVEL), ("security.md", SECURITY)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def settings_for(docs: Path, **flags: Any) -> Settings:
    """Settings over no file and no environment: a free port, the embedded models."""
    chosen: dict[str, Any] = {"docs_dir": docs, "db": docs.parent / "index.db", "port": 0, "backend": "embedded"}
    chosen |= flags
    return config.load({"database": engine.database_of(chosen["db"]), **chosen}, NO_FILE)


@dataclasses.dataclass
class Running:
    """A server that listens, and a client of it."""

    client: httpx.Client
    port: int
    settings: Settings

    def ask(self, text: str = VACATION) -> httpx.Response:
        return self.client.post("/ask", json={"text": text})

    def ready(self, code: str = "ready", seconds: float = 30.0) -> dict[str, Any]:
        """What /readyz tells, once it tells `code`."""
        end = time.monotonic() + seconds
        while True:
            told: dict[str, Any] = self.client.get("/readyz").json()
            if told["code"] == code:
                return told
            assert time.monotonic() < end, told
            time.sleep(0.02)


@contextlib.contextmanager
def running(
    settings: Settings, explain: bool = False, heartbeat_seconds: float = HEARTBEAT_SECONDS
) -> Iterator[Running]:
    """A server of these settings in a thread of this process, until the block ends."""
    with listening(settings) as bound:
        port = bound.getsockname()[1]
        served = server.http_server(Service(settings, explain, heartbeat_seconds=heartbeat_seconds))
        thread = threading.Thread(target=served.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as client:
                yield Running(client, port, settings)
        finally:
            served.should_exit = True
            thread.join(20)


class Held(OllamaDouble):
    """A model server whose replies can be held back; `held` texts (by a part of them) wait until `go` is set."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked = threading.Semaphore(0)
        self.hold_texts = ""
        self.hold_chat = False
        super().__init__(handler=self._reply)

    def __exit__(self, *error: object) -> None:
        self.go.set()
        super().__exit__(*error)

    def _reply(self, messages: list[dict[str, str]]) -> str:
        self.asked.release()
        if self.hold_chat:
            self.go.wait(60)
        return WRITTEN

    def vector(self, text: str) -> list[float]:
        if self.hold_texts and self.hold_texts in text:
            self.asked.release()
            self.go.wait(60)
        return super().vector(text)

    def settings(self, docs: Path, **flags: Any) -> Settings:
        return settings_for(docs, **{"backend": "ollama", "ollama_host": self.host, "min_score": 0.2, **flags})


def refused(reply: httpx.Response, status: int, code: str) -> ErrorReply:
    """The error in a reply, which must have this status and code, and the form of every error."""
    assert (reply.status_code, reply.json()["code"]) == (status, code), reply.text
    assert set(reply.json()) == {"code", "detail"}
    assert reply.headers["content-type"] == "application/json"
    if status == 503:
        assert int(reply.headers["retry-after"]) > 0
    return ErrorReply(**reply.json())


def start(arguments: list[str], docs: Path, **environment: str) -> subprocess.Popen[str]:
    """A program of ours in a process of its own, with no settings but these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "OLLAMA_"))}
    chosen = {**NO_FILE, "BRAIN_DOCS_DIR": str(docs), "BRAIN_DB": str(docs.parent / "index.db")}
    chosen["BRAIN_DATABASE"] = engine.database_of(docs.parent / "index.db")
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=PROJECT, env={**kept, **chosen, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_until(fulfilled: Callable[[], object], seconds: float = 30.0) -> None:
    """Fails where it is not fulfilled within so many seconds."""
    end = time.monotonic() + seconds
    while not fulfilled():
        assert time.monotonic() < end
        time.sleep(0.02)
