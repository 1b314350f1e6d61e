"""What the stand-ins for model servers share: real HTTP on loopback, faults on call, hashed words as vectors.

Knows no protocol above HTTP. Try: pytest tests/test_ollama_backend.py tests/test_openai_backend.py
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import select
import socket
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handler = Callable[[list[dict[str, str]]], str]


@dataclass
class Fault:
    kind: str
    path: str | None = None  # None: any
    times: int = 1
    status: int = 500
    text: str = ""
    seconds: float = 0.5


@dataclass
class Refusal(Exception):
    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that hangs up is no news
            super().handle_error(request, client_address)


@dataclass
class Double(ABC):
    """Use as a context manager; `.host` is the address, `.requests` the (path, body) pairs received so far."""

    handler: Handler = lambda messages: "Paris is the capital of France."
    dimension: int = 256
    load_seconds: float = 0.0
    port: int = 0  # 0: a free one
    requests: list[tuple[str, Any]] = field(default_factory=list)
    abandoned: int = 0  # replies during which the client hung up
    hung_up: int = 0  # of these, those noticed in a pause ("slow", "stall")

    def __post_init__(self) -> None:
        self._faults: list[Fault] = []
        self._poison: dict[str, tuple[int, str]] = {}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", self.port), type("_Bound", (self.speaks(),), {"double": self}))
        self.host = f"http://127.0.0.1:{self._server.server_address[1]}"

    @abstractmethod
    def speaks(self) -> type[Connection]:
        """The protocol."""

    def __enter__(self) -> Any:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fail(self, kind: str, **settings: Any) -> None:
        """Adds a fault to the script (settings: see Fault); it meets the next `times` requests to `path`."""
        self._faults.append(Fault(kind, **settings))

    def poison(self, word: str, status: int = 400, text: str = "embedding contains NaN or Inf values") -> None:
        """From now on every embed call with a text that contains `word` fails as a whole."""
        self._poison[word] = (status, text)

    def bodies(self, path: str) -> list[Any]:
        """The JSON bodies received on `path`, in order."""
        return [body for asked, body in self.requests if asked == path]

    def vector(self, text: str) -> list[float]:
        """A unit vector: hashed words, so texts that share words are near each other."""
        counts = [1e-3] * self.dimension
        for word in re.findall(r"\w+", text.lower()):
            counts[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % self.dimension] += 1.0
        norm = math.sqrt(sum(count * count for count in counts))
        return [round(count / norm, 9) for count in counts]

    def next_fault(self, path: str) -> Fault | None:
        with self._lock:
            for fault in self._faults:
                if fault.path in (None, path):
                    fault.times -= 1
                    if fault.times == 0:
                        self._faults.remove(fault)
                    return fault
        return None

    def refuse_poison(self, texts: Sequence[str]) -> None:
        for word, (status, text) in self._poison.items():
            if any(word in given for given in texts):
                raise Refusal(status, text)


class Connection(BaseHTTPRequestHandler, ABC):
    """One request; a protocol fills in `answer` and how it words an error."""

    double: Any
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.serve("GET")

    def do_POST(self) -> None:
        self.serve("POST")

    def serve(self, method: str) -> None:
        try:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.double.requests.append((self.path, read(raw)))
            self.answer(method, raw)
        except Refusal as refusal:
            self.refuse(refusal)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            self.double.abandoned += 1

    @abstractmethod
    def answer(self, method: str, raw: bytes) -> None:
        """Sends the reply. Raises Refusal."""

    @abstractmethod
    def refuse(self, refusal: Refusal) -> None:
        """Sends the error."""

    def pause(self, seconds: float) -> None:
        """Silence, in which a client that hangs up is noticed, as the real server does."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            self.double.hung_up += 1
            raise ConnectionResetError

    def chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def json(self, status: int, value: Any, chunked: bool = False, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, told in (headers or {}).items():
            self.send_header(name, told)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(len(data)))))
        self.end_headers()
        if chunked:
            self.chunk(data)
            self.chunk(b"")
        else:
            self.wfile.write(data)

    def text(self, status: int, text: str, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


def closed_port() -> int:
    """A port of this machine at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode("utf-8", "replace")
