"""An HTTP address of a model server: limits on every wait, no proxy, no redirect, a connection that can be cut.

Knows no protocol above HTTP and imports no HTTP client before something is asked.
Try: pytest tests/test_ollama_backend.py tests/test_openai_backend.py -k "stop or redirect or proxies"
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from errors import BadReply, ModelError
from models.calls import Hopeless, RunnerDied

if TYPE_CHECKING:
    import httpx

LIST_SECONDS = 10.0
"""What only lists models reads no weights."""


class Address(ABC):
    """One address with its three limits; turns what the HTTP client raises into our errors."""

    kind = "model server"
    start = "Start it, or correct its address."
    busy = "see what it is busy with."
    log = "See its log, or restart it."
    version_of = "See which server this is."

    def __init__(self, url: str, connect_seconds: float, read_seconds: float, total_seconds: float) -> None:
        self.url = url
        self.connect_seconds = connect_seconds
        self.read_seconds = read_seconds
        self.total_seconds = total_seconds

    @abstractmethod
    def check(self, model: str) -> None:
        """Raises ModelMissing when the server has no such model, ModelError when it is away; loads nothing."""

    def knock(self) -> None:
        """One plain TCP connect, which needs no client. Raises Hopeless when nothing listens."""
        parts = urlsplit(self.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            socket.create_connection((parts.hostname or "", port), self.connect_seconds).close()
        except (OSError, UnicodeError) as error:
            raise self.away(error) from None

    def patience(self, deadline: float | None, read_seconds: float | None = None) -> httpx.Timeout:
        """The client's limits up to `deadline` (of time.monotonic); None is none."""
        import httpx

        if deadline is None:
            return httpx.Timeout(None, connect=self.connect_seconds)
        left = max(deadline - time.monotonic(), 0.001)
        return httpx.Timeout(min(read_seconds or self.read_seconds, left), connect=self.connect_seconds)

    def too_slow(self, model: str, seconds: float | None) -> ModelError:
        """The error of a wait that was over its limit."""
        told = f"{model or f'The {self.kind}'} at {self.url} did not answer within {round(seconds or 0, 1):g} s."
        return ModelError(f"{told} Raise the time limit, or {self.busy}")

    def away(self, error: BaseException) -> Hopeless:
        """The error of an address where nothing listens."""
        return Hopeless(f"No {self.kind} answers at {self.url} ({error}). {self.start}")

    @contextlib.contextmanager
    def translated(self, model: str, read_seconds: float | None) -> Iterator[None]:
        """Within the block the client's errors become ours."""
        import httpx

        try:
            yield
        except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self.away(error.__context__ or error) from error
        except httpx.TimeoutException as error:
            raise self.too_slow(model, read_seconds) from error
        except httpx.HTTPError as error:
            raise RunnerDied(f"The {self.kind} at {self.url} dropped the connection ({error}). {self.log}") from error
        except (ValueError, AttributeError, TypeError, LookupError) as error:
            # No JSON, JSON without the needed fields, JSON of another kind, or a text with half a surrogate pair,
            # which cannot be sent.
            text = str(error).partition("\n")[0]
            raise BadReply(f"The exchange with {self.url} made no sense: {text}. {self.version_of}") from error


def client_options(url: str) -> dict[str, Any]:
    """What the HTTP client of every model server is opened with."""
    import httpx

    return {
        "trust_env": False,  # HTTP_PROXY would take even loopback calls
        "verify": _trust() if url.startswith("https:") else False,  # 60 ms for certificates, of no use to plain HTTP
        "follow_redirects": False,  # no document text and no key to a host nobody configured
        "limits": httpx.Limits(max_keepalive_connections=0),  # an idle connection goes stale at a restart
    }


def _trust() -> Any:
    """The public authorities, and those of this machine: a company's own stands in the system's store or
    SSL_CERT_FILE, which the client alone would not read."""
    import httpx

    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


class Wire:
    """The connection of one request, so that another thread can cut it: a read that waits has no other end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Called by the HTTP client at each of its steps."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
            if self._is_cut:
                self.cut()

    def cut(self) -> None:
        """Shuts the connection down; the waiting read ends with an error, and the server sees that nobody listens."""
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                with contextlib.suppress(OSError):  # has ended by itself
                    # The plain socket's own: that of TLS would take the session from under the thread that reads.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
