"""What every model behind a server does, whatever the protocol: batches, retries, unit vectors, whole replies.

Knows no protocol, document or prompt. A backend fills in what is asked of its server, and how.
Try: pytest tests/test_ollama_backend.py tests/test_openai_backend.py
"""

import contextlib
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong
from models import Message, ModelIdentity, Reply, Vector
from models.calls import AskedToWait, Hopeless, Listener, NotANumber, RunnerDied, Stop
from models.spoken import Spoken, without_reasoning
from models.wire import Address
from models.written import json_text

_T = TypeVar("_T")
_A = TypeVar("_A", bound=Address)
_log = logging.getLogger(__name__)

PAUSES = (0.2, 0.8)
"""Seconds before the second and third try, when the model's process died or the queue was full."""
LONGEST_PAUSE = 30.0
"""A server that asks for a longer one is not waited for."""
LOAD_SECONDS = 600.0
"""Patience for a model that is being loaded: twice Ollama's own limit for a load that stalls."""
_PROBE = "probe"  # a text every model can embed: when it fails too, the fault is not the text's
_QUERY_TASK = "Given a question from an employee, retrieve passages of company documents that answer the question"
_NO_TEXT_IS_TO_BLAME = (Hopeless, ModelMissing, ModelBusy)


class _Served(ABC, Generic[_A]):
    backend: str

    def __init__(self, server: _A, model: str, name: str) -> None:
        self._server = server
        self._model = model
        self._name = name  # as the identity tells it
        self._identity: ModelIdentity | None = None

    @property
    def url(self) -> str:
        """Where texts are sent to."""
        return self._server.url

    def check(self) -> None:
        """Raises ModelError when the model cannot be asked now; loads nothing."""
        self._server.check(self._model)

    @abstractmethod
    def _digest(self) -> str:
        """What tells these weights from others; loads nothing. Raises ModelMissing, ModelError."""


class ServedEmbedder(_Served[_A]):
    """An `Embedder`: documents raw, questions behind the instruction their model was trained with."""

    embeds_units = False  # a large model finds a fact within its passage, and every text costs a call
    mend: str  # the command or advice for a server that sends the wrong number of vectors

    def __init__(self, server: _A, model: str, name: str, batch: int, instructed: bool) -> None:
        super().__init__(server, model, name)
        self._batch = max(1, batch)
        self._instructed = instructed

    @abstractmethod
    def _rows(self, texts: Sequence[str], deadline: float, read_seconds: float | None) -> Sequence[Sequence[float]]:
        """The server's vectors, in the order of the texts. Raises ModelError."""

    @property
    def identity(self) -> ModelIdentity:
        """Asked for once a process; loads the model. The digest names the server's version too, as versions differ
        in the vectors they make of one model. Raises ModelMissing, ModelError.
        """
        if self._identity is None:
            digest = self._digest()
            probe = self._embed([_PROBE], LOAD_SECONDS)[0]
            prompt = "instruct-1" if self._instructed else "raw-1"
            self._identity = ModelIdentity(self.backend, self._name, digest, len(probe), prompt)
        return self._identity

    @property
    def same_meaning(self) -> float:
        """A stated value: it is not measured on this model."""
        return 0.6

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
        def once(deadline: float) -> list[Vector]:
            return self._unit(self._rows(texts, deadline, read_seconds), len(texts))

        return retrying(once, max(self._server.total_seconds, read_seconds or 0.0))

    def _unit(self, rows: Sequence[Sequence[float]], expected: int) -> list[Vector]:
        where = f"The model {self._model} at {self._server.url}"
        if len(rows) != expected:
            raise BadReply(f"{where} sent {len(rows)} vectors for {expected} texts. {self.mend}")
        expected_length = self._identity.dimension if self._identity else len(rows[0])
        if {len(row) for row in rows} != {expected_length}:
            raise BadReply(f"{where} sent vectors that are not {expected_length} long. Restart this program.")
        matrix = np.asarray(rows, dtype=np.float64)
        with np.errstate(over="ignore"):
            norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise NotANumber(f"{where} sent a vector without a direction (zero, NaN or infinite). Change the text.")
        return list((matrix / norms).astype(np.float32))


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a chat model."""

    messages: list[Message]
    schema: dict[str, Any] | None
    temperature: float


@dataclass(frozen=True, slots=True)
class End:
    """How a reply ended, and what it took."""

    reason: str
    prompt_tokens: int | None
    reply_tokens: int | None


class ServedChat(_Served[_A]):
    """A `ChatModel` with one fixed window, whose replies are whole or an error."""

    advice: str  # after "Ask again": what else helps against an empty answer

    def __init__(self, server: _A, model: str, name: str, window: int, limit: int, temperature: float) -> None:
        super().__init__(server, model, name)
        self._who = f"{model} at {server.url}"
        self._window = window
        self._limit = limit
        self._temperature = temperature

    @abstractmethod
    def _pieces(self, asked: Asked, deadline: float, stop: Stop) -> Generator[str | End, None, None]:
        """The reply as it comes, its End last where the server tells one. Closing it ends the server's work."""

    @abstractmethod
    def _check_end(self, raw: str, end: End) -> None:
        """Raises PromptTooLong or BadReply where the end shows that prompt or reply was cut."""

    @property
    def identity(self) -> ModelIdentity:
        """Asked for once a process; loads nothing. Raises ModelMissing, ModelError."""
        if self._identity is None:
            self._identity = ModelIdentity(self.backend, self._name, self._digest(), 0, "chat-1")
        return self._identity

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may take together."""
        return self._window

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
        asked = Asked(list(messages), schema, self._temperature if temperature is None else temperature)
        stop = stop or Stop()
        try:
            raw, end = retrying(
                lambda deadline: self._whole(asked, deadline, listener, stop), self._server.total_seconds, stop
            )
        except ModelError:
            stop.check()  # the connection was cut on purpose
            raise
        self._check_end(raw, end)
        text = without_reasoning(raw)
        if not text:
            raise BadReply(f"{self._who} gave an empty answer. Ask again{self.advice}")
        if schema is not None:
            said, text = text, json_text(text)
            if not text:
                raise BadReply(
                    f"{self._who} did not write the JSON asked for: {said[:80]!r}. Ask again, or change the model."
                )
        return Reply(text, end.prompt_tokens, end.reply_tokens, time.monotonic() - started)

    def _whole(self, asked: Asked, deadline: float, listener: Listener | None, stop: Stop) -> tuple[str, End]:
        told = _Told(listener)
        end: End | None = None
        try:
            with contextlib.closing(self._pieces(asked, deadline, stop)) as pieces:
                for piece in pieces:
                    stop.check()
                    if isinstance(piece, End):
                        end = piece
                        continue
                    told.add(piece)
                    if time.monotonic() > deadline:
                        raise self._server.too_slow(self._model, self._server.total_seconds)
        except (RunnerDied, ModelBusy):
            stop.check()
            told.withdraw("the model's process died while it wrote")
            raise
        if end is None:
            raise BadReply(f"{self._who} stopped without an end mark, its answer is not whole. Ask again.")
        told.end()
        return told.raw, end

    def _cut(self, raw: str) -> BadReply:
        what = "was cut" if raw.strip() else "is empty: everything was spent on hidden reasoning"
        return BadReply(f"The answer of {self._who} {what} at num_predict={self._limit} tokens. Raise num_predict.")


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


def retrying(attempt: Callable[[float], _T], total_seconds: float, stop: Stop | None = None) -> _T:
    """What `attempt` returns, given its deadline; tried three times at most within `total_seconds`.

    Raises what the last try raised; Stopped.
    """
    stop = stop or Stop()
    deadline = time.monotonic() + total_seconds
    for short in PAUSES:
        try:
            return attempt(deadline)
        except (RunnerDied, ModelBusy) as error:
            pause = max(short, error.seconds) if isinstance(error, AskedToWait) else short
            if pause > LONGEST_PAUSE or time.monotonic() + pause >= deadline:
                raise
            stop.wait(pause)
            stop.check()
    return attempt(deadline)


def is_instructed(model: str) -> bool:
    """Whether this embedding model wants an instruction before a question."""
    return "qwen3-embedding" in model.lower()
