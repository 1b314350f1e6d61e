"""One Ollama address: its HTTP through the `ollama` client, its three limits, and what it refuses as our errors.

Knows neither what is embedded nor what is said. The client package is imported only when something is asked.
Try: python -c "from models.ollama_server import server_url; print(server_url('0.0.0.0'))"
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong, UsageError
from models.calls import Hopeless, NotANumber, RunnerDied, Stop
from models.wire import LIST_SECONDS, Address, Wire, client_options

if TYPE_CHECKING:
    import httpx
    import ollama

_T = TypeVar("_T")

_DEFAULT_HOST = "127.0.0.1:11434"
_TOO_LONG = re.compile(r"exceeds?\b.{0,30}\bcontext|exceed_context_size|longer than the context", re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|\bInf\b")
_RUNNER_DIED = re.compile(r"\bEOF\b|unexpectedly stopped|connection (?:reset|refused)|forcibly closed")


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


class Server(Address):
    """One Ollama; turns what its client raises into our errors."""

    kind = "Ollama"
    start = "Start it with: ollama serve"
    busy = "see what it is busy with: ollama ps"
    log = "See its log, or restart it: ollama serve"
    version_of = "See: ollama --version"

    def __init__(self, host: str, connect_seconds: float, read_seconds: float, total_seconds: float) -> None:
        super().__init__(server_url(host), connect_seconds, read_seconds, total_seconds)
        self._client: ollama.Client | None = None

    def models(self) -> dict[str, str]:
        from ollama import ListResponse

        reply = self.call(ListResponse, "/api/tags", None, self.patience(time.monotonic() + LIST_SECONDS))
        return {canonical_name(entry.model or ""): entry.digest or "" for entry in reply.models}

    def check(self, model: str) -> None:
        self.digest(model)

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

        timeout, wire = self.patience(deadline), Wire()
        with self._translated(body["model"], timeout.read), stop.ending(wire.cut):
            asked = {"json": body, "timeout": timeout, "extensions": {"trace": wire.trace}}
            lines = self._opened()._request(ChatResponse, "POST", "/api/chat", stream=True, **asked)
            with contextlib.closing(cast("Generator[ollama.ChatResponse, None, None]", lines)) as open_lines:
                yield from open_lines

    def _opened(self) -> ollama.Client:
        # `_request` is used because the public methods take neither `truncate` for a chat nor a timeout per call.
        if self._client is None:
            import ollama

            self._client = ollama.Client(host=self.url, **client_options(self.url))
        return self._client

    @contextlib.contextmanager
    def _translated(self, model: str, read_seconds: float | None) -> Iterator[None]:
        import ollama

        with self.translated(model, read_seconds):
            try:
                yield
            except ollama.ResponseError as error:
                raise _from_reply(self.url, model, error.status_code, error.error) from error


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
