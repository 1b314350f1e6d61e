"""Embeddings and chat from an Ollama server, through the `ollama` client, with every wait bounded and no silent cut.

Knows no documents, passages or prompts: texts and messages go in, vectors and replies come out. The client package is
imported only when something is asked of a server, so a machine without one starts as fast as before.
Try: OLLAMA_HOST=http://127.0.0.1:11434 pytest -m ollama
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong
from models import Message, ModelIdentity, Reply, Vector
from models.calls import Listener, Stop
from models.ollama_server import (
    LIST_SECONDS,
    Hopeless,
    NotANumber,
    RunnerDied,
    Server,
    canonical_name,
    missing_text,
    server_url,
)
from models.spoken import Spoken, without_reasoning

if TYPE_CHECKING:
    import ollama

__all__ = ["OllamaChat", "OllamaEmbedder", "available", "canonical_name", "missing_text", "server_models", "server_url"]

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_PAUSES = (0.2, 0.8)  # seconds before the second and third try, when the runner died or the queue was full
_LOAD_SECONDS = 600.0  # twice the server's own limit for a load that stalls (OLLAMA_LOAD_TIMEOUT, 5 minutes)
_PROBE = "probe"  # a text every model can embed: when it fails too, the fault is not the text's

_QUERY_TASK = "Given a question from an employee, retrieve passages of company documents that answer the question"

_NO_TEXT_IS_TO_BLAME = (Hopeless, ModelMissing, ModelBusy)


def server_models(host: str, connect_seconds: float, read_seconds: float = LIST_SECONDS) -> dict[str, str]:
    """The models on the server: canonical name -> digest of the weights.

    Costs one plain TCP connect when nothing listens; the client is imported only after it. Raises ModelError.
    """
    server = Server(host, connect_seconds, read_seconds, read_seconds)
    server.knock()
    return server.models()


def available(
    host: str, models: Sequence[str], connect_seconds: float, read_seconds: float = LIST_SECONDS
) -> dict[str, str | None]:
    """For each model asked about: None where it can be used, else the whole sentence to show, command included.

    A server that is away gives every model the same sentence. Raises UsageError for an address that is none.
    """
    try:
        held = server_models(host, connect_seconds, read_seconds)
    except ModelError as error:
        return dict.fromkeys(models, str(error))
    return {model: None if canonical_name(model) in held else missing_text(host, model) for model in models}


class OllamaEmbedder:
    """An `Embedder`: documents raw, questions behind the instruction their model was trained with."""

    embeds_units = False  # a large model finds a fact within its passage, and every text costs a call

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
        self._server = Server(host, connect_seconds, read_seconds, total_seconds)
        self._model = model
        self._batch = max(1, batch)
        self._constant = {
            "model": model,
            "truncate": False,
            "options": {"num_ctx": num_ctx, "num_batch": num_ctx},
            "keep_alive": _duration(keep_alive),
        }
        self._instructed = "qwen3-embedding" in model.lower()
        self._identity: ModelIdentity | None = None

    @property
    def identity(self) -> ModelIdentity:
        """Asked for once a process; loads the model. The digest names the server's version too, as versions differ
        in the vectors they make of one model. Raises ModelMissing, ModelError.
        """
        if self._identity is None:
            digest = self._server.digest(self._model)
            version = self._server.version()
            probe = self._embed([_PROBE], _LOAD_SECONDS)[0]
            digest = f"{digest}@{version}" if version else digest
            prompt = "instruct-1" if self._instructed else "raw-1"
            self._identity = ModelIdentity("ollama", canonical_name(self._model), digest, len(probe), prompt)
        return self._identity

    @property
    def default_min_score(self) -> float:
        """A stated starting value, used until a calibration is stored."""
        # Not measured on this model; a calibration on the documents at hand replaces it.
        return 0.45

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """Unit vectors in order; None for a text that fails alone (too long, NaN, crash) while others do not.

        Raises ModelMissing, ModelBusy, ModelError when the cause is the server and not a text.
        """
        vectors: list[Vector | None] = []
        for start in range(0, len(texts), self._batch):
            vectors.extend(self._embed_batch(texts[start : start + self._batch]))
        return vectors

    def embed_query(self, text: str, lang: str) -> Vector:
        """The question's unit vector; `lang` is not needed, the model reads every language.

        Raises PromptTooLong, BadReply, ModelBusy, ModelMissing, ModelError.
        """
        return self._embed([f"Instruct: {_QUERY_TASK}\nQuery:{text}" if self._instructed else text])[0]

    def _embed_batch(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        if len(texts) > 1:
            try:
                return self._embed(texts)
            except _NO_TEXT_IS_TO_BLAME:
                raise
            except ModelError as error:  # the server does not say which text it was
                _log.info("batch of %d texts failed, trying them one by one: %s", len(texts), error)
        return [self._embed_alone(text) for text in texts]

    def _embed_alone(self, text: str) -> Vector | None:
        try:
            return self._embed([text])[0]
        except _NO_TEXT_IS_TO_BLAME:
            raise
        except ModelError as error:
            if not isinstance(error, PromptTooLong | NotANumber):
                self._embed([_PROBE])
            _log.info("text of %d characters has no vector: %s", len(text), error)
            return None

    def _embed(self, texts: Sequence[str], read_seconds: float | None = None) -> list[Vector]:
        from ollama import EmbedResponse

        body = {**self._constant, "input": list(texts)}

        def once(deadline: float) -> list[Vector]:
            timeout = self._server.patience(deadline, read_seconds)
            return self._unit(self._server.call(EmbedResponse, "/api/embed", body, timeout).embeddings, len(texts))

        return _retrying(once, max(self._server.total_seconds, read_seconds or 0.0))

    def _unit(self, rows: Sequence[Sequence[float]], expected: int) -> list[Vector]:
        where = f"The model {self._model} at {self._server.url}"
        if len(rows) != expected:
            raise BadReply(f"{where} sent {len(rows)} vectors for {expected} texts. Run: ollama stop {self._model}")
        expected_length = self._identity.dimension if self._identity else len(rows[0])
        if {len(row) for row in rows} != {expected_length}:
            raise BadReply(f"{where} sent vectors that are not {expected_length} long. Restart this program.")
        matrix = np.asarray(rows, dtype=np.float64)
        with np.errstate(over="ignore"):
            norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise NotANumber(f"{where} sent a vector without a direction (zero, NaN or infinite). Change the text.")
        return list((matrix / norms).astype(np.float32))


class OllamaChat:
    """A `ChatModel` with one fixed window; reasoning is switched off, and stripped where it leaks."""

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
        self._server = Server(host, connect_seconds, read_seconds, total_seconds)
        self._model = model
        self._who = f"{model} at {self._server.url}"
        self._window = num_ctx
        self._limit = num_predict
        self._options = {"num_ctx": num_ctx, "num_predict": num_predict, "temperature": temperature}
        # The same in every request: another num_ctx makes the server load the model again.
        self._constant = {
            "model": model,
            "think": False,
            "truncate": False,
            "options": self._options,
            "keep_alive": _duration(keep_alive),
        }
        self._identity: ModelIdentity | None = None

    @property
    def identity(self) -> ModelIdentity:
        """Asked for once a process; loads nothing. Raises ModelMissing, ModelError."""
        if self._identity is None:
            digest = self._server.digest(self._model)
            self._identity = ModelIdentity("ollama", canonical_name(self._model), digest, 0, "chat-1")
        return self._identity

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may take together."""
        return self._window

    def warm_up(self) -> None:
        """Loads the model and returns when it is ready, however long that takes. Raises ModelMissing, ModelError."""
        from ollama import ChatResponse

        body = {**self._constant, "messages": [], "stream": False}
        self._server.call(ChatResponse, "/api/chat", body, self._server.patience(None))

    def chat(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any] | None = None,
        *,
        temperature: float | None = None,
        listener: Listener | None = None,
        stop: Stop | None = None,
    ) -> Reply:
        """The whole reply; with `schema`, text that parses as JSON.

        Raises PromptTooLong (refused, or cut in silence by an older server), BadReply (empty, cut, broken off, no
        JSON), ModelBusy, ModelMissing, ModelError (away, too slow); Stopped once `stop` is set.
        """
        started = time.monotonic()
        body = {**self._constant, "messages": list(messages), "stream": True}
        if temperature is not None:  # which, unlike the window, makes no server load the model again
            body["options"] = {**self._options, "temperature": temperature}
        if schema is not None:
            body["format"] = schema
        stop = stop or Stop()
        try:
            raw, last = _retrying(
                lambda deadline: self._stream(body, deadline, listener, stop), self._server.total_seconds, stop
            )
        except ModelError:
            stop.check()  # the connection was cut on purpose
            raise
        self._check_end(raw, last)
        text = without_reasoning(raw)
        if not text:
            raise BadReply(f"{self._who} gave an empty answer. Ask again, or try: ollama run {self._model}")
        if schema is not None and not _is_json(text):
            raise BadReply(
                f"{self._who} did not write the JSON asked for: {text[:80]!r}. Ask again, or change the model."
            )
        return Reply(text, last.prompt_eval_count, last.eval_count, time.monotonic() - started)

    def _stream(
        self, body: dict[str, Any], deadline: float, listener: Listener | None, stop: Stop
    ) -> tuple[str, ollama.ChatResponse]:
        told = _Told(listener)
        last: ollama.ChatResponse | None = None
        try:
            with contextlib.closing(self._server.stream(body, deadline, stop)) as lines:
                for line in lines:
                    stop.check()
                    told.add(line.message.content or "")
                    last = line if line.done else last
                    if last is None and time.monotonic() > deadline:
                        raise self._server.too_slow(self._model, self._server.total_seconds)
        except (RunnerDied, ModelBusy):
            told.withdraw("the model's process died while it wrote")
            raise
        if last is None:
            raise BadReply(f"{self._who} stopped without an end mark, its answer is not whole. Ask again.")
        told.end()
        return told.raw, last

    def _check_end(self, raw: str, last: ollama.ChatResponse) -> None:
        prompt, reply = last.prompt_eval_count or 0, last.eval_count or 0
        # A server that ignores `truncate` cuts one long message to half the window + 2 and says nothing:
        # 258 tokens of a 512-token window were measured, with the start of the prompt gone.
        halved = abs(prompt - self._window / 2) <= 4
        if halved or prompt + reply >= self._window:
            raise PromptTooLong(
                f"{self._who} seems to have cut the prompt in silence: it counts {prompt} + {reply} tokens in a "
                f"window of {self._window}. Send fewer passages, or raise num_ctx."
            )
        if last.done_reason == "length":
            what = "was cut" if raw.strip() else "is empty: everything was spent on hidden reasoning"
            raise BadReply(f"The answer of {self._who} {what} at num_predict={self._limit} tokens. Raise num_predict.")


class _Told:
    """A reply as it comes in, told to a listener without its reasoning."""

    def __init__(self, listener: Listener | None) -> None:
        self._listener = listener
        self._spoken = Spoken()
        self._parts: list[str] = []
        self._heard = False

    @property
    def raw(self) -> str:
        return "".join(self._parts)

    def add(self, part: str) -> None:
        self._parts.append(part)
        if self._listener:
            text, withdrawn = self._spoken.add(part)
            if withdrawn:
                self.withdraw("what was written so far was the model's reasoning")
            self._tell(text)

    def end(self) -> None:
        if self._listener:
            self._tell(self._spoken.end())

    def withdraw(self, why: str) -> None:
        if self._listener and self._heard:
            self._heard = False
            self._listener.withdrawn(why)

    def _tell(self, text: str) -> None:
        if self._listener and text:
            self._heard = True
            self._listener.piece(text)


def _retrying(attempt: Callable[[float], _T], total_seconds: float, stop: Stop | None = None) -> _T:
    stop = stop or Stop()
    deadline = time.monotonic() + total_seconds
    for pause in _PAUSES:
        try:
            return attempt(deadline)
        except (RunnerDied, ModelBusy):
            if time.monotonic() + pause >= deadline:
                raise
            stop.wait(pause)
            stop.check()
    return attempt(deadline)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _duration(keep_alive: str) -> str | int:
    bare = keep_alive.strip()
    return int(bare) if re.fullmatch(r"-?\d+", bare) else bare  # the server refuses "-1" as text: no unit
