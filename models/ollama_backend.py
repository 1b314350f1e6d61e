"""Embeddings and chat from an Ollama server, through the `ollama` client, with every wait bounded and no silent cut.

Knows no documents, passages or prompts: texts and messages go in, vectors and replies come out. The client package is
imported only when something is asked of a server, so a machine without one starts as fast as before.
Try: OLLAMA_HOST=http://127.0.0.1:11434 pytest -m ollama
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Sequence

from errors import PromptTooLong
from models.calls import Stop
from models.ollama_server import Server, canonical_name, missing_text, server_url
from models.served import Asked, End, ServedChat, ServedEmbedder, is_instructed
from models.wire import LIST_SECONDS

__all__ = ["OllamaChat", "OllamaEmbedder", "canonical_name", "missing_text", "server_models", "server_url"]


def server_models(host: str, connect_seconds: float, read_seconds: float = LIST_SECONDS) -> dict[str, str]:
    """The models on the server: canonical name -> digest of the weights.

    Costs one plain TCP connect when nothing listens; the client is imported only after it. Raises ModelError.
    """
    server = Server(host, connect_seconds, read_seconds, read_seconds)
    server.knock()
    return server.models()


class OllamaEmbedder(ServedEmbedder[Server]):
    """An `Embedder` on Ollama."""

    backend = "ollama"

    def __init__(
        self,
        host: str,
        model: str,
        *,
        connect_seconds: float,
        read_seconds: float,
        total_seconds: float,
        keep_alive: str,
        batch: int = 32,
        num_ctx: int = 2048,
    ) -> None:
        """Connects to nothing yet. `total_seconds` bounds one batch with its retries, not a whole sync.

        `num_ctx` tokens is the longest text. It is sent as num_batch too: a mean-pooled model cuts at the smaller of
        the two, and above 2048 some servers' qwen3-embedding runner crashes instead of refusing.
        """
        self.mend = f"Run: ollama stop {model}"
        self._constant = {
            "model": model,
            "truncate": False,
            "options": {"num_ctx": num_ctx, "num_batch": num_ctx},
            "keep_alive": _duration(keep_alive),
        }
        server = Server(host, connect_seconds, read_seconds, total_seconds)
        super().__init__(server, model, canonical_name(model), batch, is_instructed(model))

    def _digest(self) -> str:
        digest = self._server.digest(self._model)
        version = self._server.version()
        return f"{digest}@{version}" if version else digest

    def _rows(self, texts: Sequence[str], deadline: float, read_seconds: float | None) -> Sequence[Sequence[float]]:
        from ollama import EmbedResponse

        body = {**self._constant, "input": list(texts)}
        timeout = self._server.patience(deadline, read_seconds)
        return self._server.call(EmbedResponse, "/api/embed", body, timeout).embeddings


class OllamaChat(ServedChat[Server]):
    """A `ChatModel` on Ollama; reasoning is switched off, and stripped where it leaks."""

    backend = "ollama"

    def __init__(
        self,
        host: str,
        model: str,
        *,
        num_ctx: int,
        num_predict: int,
        temperature: float,
        connect_seconds: float,
        read_seconds: float,
        total_seconds: float,
        keep_alive: str,
    ) -> None:
        """Connects to nothing yet. `read_seconds` is the longest silence: before the first word it holds the load of
        the model and the reading of the prompt. `total_seconds` is looked at with every word that arrives.
        """
        self.advice = f", or try: ollama run {model}"
        # The same in every request: another num_ctx makes the server load the model again.
        self._options = {"num_ctx": num_ctx, "num_predict": num_predict, "temperature": temperature}
        self._constant = {
            "model": model,
            "think": False,
            "truncate": False,
            "options": self._options,
            "keep_alive": _duration(keep_alive),
        }
        server = Server(host, connect_seconds, read_seconds, total_seconds)
        super().__init__(server, model, canonical_name(model), num_ctx, num_predict, temperature)

    def warm_up(self) -> None:
        """Loads the model and returns when it is ready, however long that takes. Raises ModelMissing, ModelError."""
        from ollama import ChatResponse

        body = {**self._constant, "messages": [], "stream": False}
        self._server.call(ChatResponse, "/api/chat", body, self._server.patience(None))

    def _digest(self) -> str:
        return self._server.digest(self._model)

    def _pieces(self, asked: Asked, deadline: float, stop: Stop) -> Generator[str | End, None, None]:
        # Another temperature, unlike another window, makes no server load the model again.
        body = {**self._constant, "messages": asked.messages, "stream": True}
        body["options"] = {**self._options, "temperature": asked.temperature}
        if asked.schema is not None:
            body["format"] = asked.schema
        with contextlib.closing(self._server.stream(body, deadline, stop)) as lines:
            for line in lines:
                yield line.message.content or ""
                if line.done:
                    yield End(line.done_reason or "", line.prompt_eval_count, line.eval_count)

    def _check_end(self, raw: str, end: End) -> None:
        prompt, reply = end.prompt_tokens or 0, end.reply_tokens or 0
        # A server that ignores `truncate` cuts one long message to half the window + 2 and says nothing:
        # 258 tokens of a 512-token window were measured, with the start of the prompt gone.
        halved = abs(prompt - self._window / 2) <= 4
        if halved or prompt + reply >= self._window:
            raise PromptTooLong(
                f"{self._who} seems to have cut the prompt in silence: it counts {prompt} + {reply} tokens in a "
                f"window of {self._window}. Send fewer passages, or raise num_ctx."
            )
        if end.reason == "length":
            raise self._cut(raw)


def _duration(keep_alive: str) -> str | int:
    bare = keep_alive.strip()
    return int(bare) if re.fullmatch(r"-?\d+", bare) else bare  # the server refuses "-1" as text: no unit
