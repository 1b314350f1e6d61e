"""One Ollama address: its HTTP through the `ollama` client, its three limits, and what it refuses as our errors.

Knows neither what is embedded nor what is said. The client package is imported only when something is asked.
Try: python -c "from models.ollama_server import server_url; print(server_url('0.0.0.0'))"
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong, UsageError
from models.calls import Stop

if TYPE_CHECKING:
    import httpx
    import ollama

_T = TypeVar("_T")

_DEFAULT_HOST = "127.0.0.1:11434"
LIST_SECONDS = 10.0
"""/api/tags and /api/version read no weights."""

_TOO_LONG = re.compile(r"exceeds?\b.{0,30}\bcontext|exceed_context_size|longer than the context", re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|\bInf\b")
_RUNNER_DIED = re.compile(r"\bEOF\b|unexpectedly stopped|connection (?:reset|refused)|forcibly closed")


class Hopeless(ModelError):
    """Nothing listens, or the model lacks the ability: no text is to blame, no second try helps."""


class RunnerDied(ModelError):
    """The process that holds the model stopped; the server starts it again by itself at the next request."""


class NotANumber(BadReply):
    """The model's vector for one of the texts holds NaN; it will the next time, too."""


def canonical_name(model: str) -> str:
    """The name as the server lists it: lower case, `:latest` where no tag is given."""
    name = model.strip().lower()
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def server_url(host: str) -> str:
    """The address as `scheme://host:port[/path]`, read by Ollama's own rules for OLLAMA_HOST; "" is the default server.

    The two "any address" forms, made for listening, become loopback. Raises UsageError for what is no address.
    """
    scheme, separator, rest = (host.strip() or _DEFAULT_HOST).partition("://")
    if not separator:
        scheme, rest = "http", scheme
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        default_port = 11434 if not separator else {"http": 80, "https": 443}[scheme.lower()]
        port = parts.port or default_port
    except (ValueError, KeyError):
        raise UsageError(
            f"The Ollama address {host!r} is not usable. Write it as http://127.0.0.1:11434 or host:port."
        ) from None
    name = parts.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    name = f"[{name}]" if ":" in name else name
    return f"{scheme.lower()}://{name}:{port}{parts.path.rstrip('/')}"


def missing_text(host: str, model: str) -> str:
    """The sentence to show for a model the server does not have, with the command that fetches it."""
    return f"Model {model} is not on the Ollama at {server_url(host)}. Run: ollama pull {model}"


class Server:
    """One address and its three limits; turns what the client raises into our errors."""

    def __init__(self, host: str, connect_seconds: float, read_seconds: float, total_seconds: float) -> None:
        self.url = server_url(host)
        self.connect_seconds = connect_seconds
        self.read_seconds = read_seconds
        self.total_seconds = total_seconds
        self._client: ollama.Client | None = None

    def knock(self) -> None:
        parts = urlsplit(self.url)
        port = parts.port or 80  # server_url always writes one
        try:
            socket.create_connection((parts.hostname or "", port), self.connect_seconds).close()
        except (OSError, UnicodeError) as error:
            raise self._away(error) from None

    def models(self) -> dict[str, str]:
        from ollama import ListResponse

        reply = self.call(ListResponse, "/api/tags", None, self.patience(time.monotonic() + LIST_SECONDS))
        return {canonical_name(entry.model or ""): entry.digest or "" for entry in reply.models}

    def digest(self, model: str) -> str:
        held = self.models()
        if canonical_name(model) not in held:
            raise ModelMissing(missing_text(self.url, model))
        return held[canonical_name(model)]

    def version(self) -> str:
        try:
            reply = self.call(dict[str, Any], "/api/version", None, self.patience(time.monotonic() + LIST_SECONDS))
        except (Hopeless, BadReply):  # a gateway may not pass this route; a mere delay must not change the identity
            return ""
        return str(reply.get("version", ""))

    def call(self, kind: type[_T], path: str, body: dict[str, Any] | None, timeout: httpx.Timeout) -> _T:
        with self._translated(str((body or {}).get("model", "")), timeout.read):
            return self._opened()._request(kind, "POST" if body else "GET", path, json=body, timeout=timeout)

    def stream(self, body: dict[str, Any], deadline: float, stop: Stop) -> Generator[ollama.ChatResponse, None, None]:
        """The lines of a reply as they come. Closing it, or `stop`, ends the server's work."""
        from ollama import ChatResponse

        timeout, wire = self.patience(deadline), _Wire()
        with self._translated(body["model"], timeout.read), stop.ending(wire.cut):
            asked = {"json": body, "timeout": timeout, "extensions": {"trace": wire.trace}}
            lines = self._opened()._request(ChatResponse, "POST", "/api/chat", stream=True, **asked)
            with contextlib.closing(cast("Generator[ollama.ChatResponse, None, None]", lines)) as open_lines:
                yield from open_lines

    def too_slow(self, model: str, seconds: float | None) -> ModelError:
        told = f"{model or 'The Ollama'} at {self.url} did not answer within {round(seconds or 0, 1):g} s."
        return ModelError(f"{told} Raise the time limit, or see what it is busy with: ollama ps")

    def _opened(self) -> ollama.Client:
        # `_request` is used because the public methods take neither `truncate` for a chat nor a timeout per call.
        if self._client is None:
            import httpx
            import ollama

            self._client = ollama.Client(
                host=self.url,
                trust_env=False,  # HTTP_PROXY would take even loopback calls
                verify=self.url.startswith("https:"),  # 60 ms for certificates, of no use to plain HTTP
                follow_redirects=False,  # no document text to a host nobody configured
                limits=httpx.Limits(max_keepalive_connections=0),  # an idle connection goes stale at a restart
            )
        return self._client

    def patience(self, deadline: float | None, read_seconds: float | None = None) -> httpx.Timeout:
        import httpx

        if deadline is None:
            return httpx.Timeout(None, connect=self.connect_seconds)
        left = max(deadline - time.monotonic(), 0.001)
        return httpx.Timeout(min(read_seconds or self.read_seconds, left), connect=self.connect_seconds)

    @contextlib.contextmanager
    def _translated(self, model: str, read_seconds: float | None) -> Iterator[None]:
        import httpx
        import ollama

        try:
            yield
        except ollama.ResponseError as error:
            raise _from_reply(self.url, model, error.status_code, error.error) from error
        except (ConnectionError, httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self._away(error.__context__ or error) from error
        except httpx.TimeoutException as error:
            raise self.too_slow(model, read_seconds) from error
        except httpx.HTTPError as error:
            raise RunnerDied(
                f"The Ollama at {self.url} dropped the connection ({error}). See its log, or restart it: ollama serve"
            ) from error
        except (ValueError, AttributeError, TypeError) as error:
            # No JSON, JSON without the needed fields, JSON that is no object (the client calls .get on it), or a text
            # with half a surrogate pair, which cannot be sent.
            text = str(error).partition("\n")[0]
            raise BadReply(f"The exchange with {self.url} made no sense: {text}. See: ollama --version") from error

    def _away(self, error: BaseException) -> Hopeless:
        return Hopeless(f"No Ollama answers at {self.url} ({error}). Start it with: ollama serve")


class _Wire:
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


def _from_reply(url: str, model: str, status: int, error: object) -> ModelError:
    text = _error_text(error)
    said = f"{model or 'Ollama'} at {url}: {text[:300]} (status {status})"
    if _TOO_LONG.search(text):
        return PromptTooLong(f"The text is longer than the model's window. {said}. Send less text, or raise num_ctx.")
    if status == -1:
        return BadReply(f"The answer broke off. {said}. Ask again; the reason is in the log of ollama serve.")
    if status == 404 and re.search("model .*not found", text):
        return ModelMissing(missing_text(url, model))
    if status == 404:
        return Hopeless(f"This is no Ollama, or a very old one. {said}. Check the address and: ollama --version")
    if status in (429, 503):
        return ModelBusy(f"The model server is busy. {said}. Ask again in a moment; see: ollama ps")
    if status in (401, 403, 501) or "does not support" in text:
        return Hopeless(f"The model server refuses. {said}. See what the model can do: ollama show {model}")
    if _NOT_A_NUMBER.search(text):
        return NotANumber(f"The model makes no vector of this text. {said}. Change the text, or update Ollama.")
    if _RUNNER_DIED.search(text):
        return RunnerDied(f"The model's process died. {said}. Free memory, or see the log of ollama serve.")
    return ModelError(f"The model server failed. {said}. Try: ollama run {model}, and see the log of ollama serve.")


def _error_text(error: object) -> str:
    if isinstance(error, str):
        with contextlib.suppress(ValueError):
            error = json.loads(error)
    for key in ("error", "message"):
        if isinstance(error, dict) and key in error:
            error = error[key]
    return " ".join(str(error).split())
