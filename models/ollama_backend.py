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
import socket
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit

import numpy as np

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong, UsageError
from models import Message, ModelIdentity, Reply, Vector

if TYPE_CHECKING:
    import httpx
    import ollama

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_DEFAULT_HOST = "127.0.0.1:11434"
_PAUSES = (0.2, 0.8)  # seconds before the second and third try, when the runner died or the queue was full
_LIST_SECONDS = 10.0  # /api/tags and /api/version read no weights
_LOAD_SECONDS = 600.0  # twice the server's own limit for a load that stalls (OLLAMA_LOAD_TIMEOUT, 5 minutes)
_PROBE = "probe"  # a text every model can embed: when it fails too, the fault is not the text's

_QUERY_TASK = "Given a question from an employee, retrieve passages of company documents that answer the question"

_TOO_LONG = re.compile(r"exceeds?\b.{0,30}\bcontext|exceed_context_size|longer than the context", re.IGNORECASE)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|\bInf\b")
_RUNNER_DIED = re.compile(r"\bEOF\b|unexpectedly stopped|connection (?:reset|refused)|forcibly closed")
# The first form is a block whose opening tag stood in the prompt's template, so only its end is in the reply.
_REASONING = re.compile(r"\A(?:(?!\s*\{)(?:(?!<think>).)*?</think>|(?:\s*<think>.*?(?:</think>|\Z))+)", re.DOTALL)


class _Hopeless(ModelError):
    """Nothing listens, or the model lacks the ability: no text is to blame, no second try helps."""


class _RunnerDied(ModelError):
    """The process that holds the model stopped; the server starts it again by itself at the next request."""


class _NotANumber(BadReply):
    """The model's vector for one of the texts holds NaN; it will the next time, too."""


_NO_TEXT_IS_TO_BLAME = (_Hopeless, ModelMissing, ModelBusy)


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


def server_models(host: str, connect_seconds: float, read_seconds: float = _LIST_SECONDS) -> dict[str, str]:
    """The models on the server: canonical name -> digest of the weights.

    Costs one plain TCP connect when nothing listens; the client is imported only after it. Raises ModelError.
    """
    server = _Server(host, connect_seconds, read_seconds, read_seconds)
    server.knock()
    return server.models()


def available(
    host: str, models: Sequence[str], connect_seconds: float, read_seconds: float = _LIST_SECONDS
) -> dict[str, str | None]:
    """For each model asked about: None where it can be used, else the whole sentence to show, command included.

    A server that is away gives every model the same sentence. Raises UsageError for an address that is none.
    """
    try:
        held = server_models(host, connect_seconds, read_seconds)
    except ModelError as error:
        return dict.fromkeys(models, str(error))
    return {model: None if canonical_name(model) in held else missing_text(host, model) for model in models}


def missing_text(host: str, model: str) -> str:
    """The sentence to show for a model the server does not have, with the command that fetches it."""
    return f"Model {model} is not on the Ollama at {server_url(host)}. Run: ollama pull {model}"


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
        self._server = _Server(host, connect_seconds, read_seconds, total_seconds)
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
            if not isinstance(error, PromptTooLong | _NotANumber):
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
            raise _NotANumber(f"{where} sent a vector without a direction (zero, NaN or infinite). Change the text.")
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
        self._server = _Server(host, connect_seconds, read_seconds, total_seconds)
        self._model = model
        self._who = f"{model} at {self._server.url}"
        self._window = num_ctx
        self._limit = num_predict
        # The same in every request: another num_ctx makes the server load the model again.
        self._constant = {
            "model": model,
            "think": False,
            "truncate": False,
            "options": {"num_ctx": num_ctx, "num_predict": num_predict, "temperature": temperature},
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

    def chat(self, messages: Sequence[Message], schema: dict[str, Any] | None = None) -> Reply:
        """The whole reply; with `schema`, text that parses as JSON.

        Raises PromptTooLong (refused, or cut in silence by an older server), BadReply (empty, cut, broken off, no
        JSON), ModelBusy, ModelMissing, ModelError (away, too slow).
        """
        started = time.monotonic()
        body = {**self._constant, "messages": list(messages), "stream": True}
        if schema is not None:
            body["format"] = schema
        raw, last = _retrying(lambda deadline: self._stream(body, deadline), self._server.total_seconds)
        self._check_end(raw, last)
        text = _REASONING.sub("", raw).strip()
        if not text:
            raise BadReply(f"{self._who} gave an empty answer. Ask again, or try: ollama run {self._model}")
        if schema is not None and not _is_json(text):
            raise BadReply(
                f"{self._who} did not write the JSON asked for: {text[:80]!r}. Ask again, or change the model."
            )
        return Reply(text, last.prompt_eval_count, last.eval_count, time.monotonic() - started)

    def _stream(self, body: dict[str, Any], deadline: float) -> tuple[str, ollama.ChatResponse]:
        parts: list[str] = []
        last: ollama.ChatResponse | None = None
        with contextlib.closing(self._server.stream(body, deadline)) as lines:  # closing it stops the server's work
            for line in lines:
                parts.append(line.message.content or "")
                last = line if line.done else last
                if last is None and time.monotonic() > deadline:
                    raise self._server.too_slow(self._model, self._server.total_seconds)
        if last is None:
            raise BadReply(f"{self._who} stopped without an end mark, its answer is not whole. Ask again.")
        return "".join(parts), last

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


class _Server:
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

        reply = self.call(ListResponse, "/api/tags", None, self.patience(time.monotonic() + _LIST_SECONDS))
        return {canonical_name(entry.model or ""): entry.digest or "" for entry in reply.models}

    def digest(self, model: str) -> str:
        held = self.models()
        if canonical_name(model) not in held:
            raise ModelMissing(missing_text(self.url, model))
        return held[canonical_name(model)]

    def version(self) -> str:
        try:
            reply = self.call(dict[str, Any], "/api/version", None, self.patience(time.monotonic() + _LIST_SECONDS))
        except (_Hopeless, BadReply):  # a gateway may not pass this route; a mere delay must not change the identity
            return ""
        return str(reply.get("version", ""))

    def call(self, kind: type[_T], path: str, body: dict[str, Any] | None, timeout: httpx.Timeout) -> _T:
        with self._translated(str((body or {}).get("model", "")), timeout.read):
            return self._opened()._request(kind, "POST" if body else "GET", path, json=body, timeout=timeout)

    def stream(self, body: dict[str, Any], deadline: float) -> Generator[ollama.ChatResponse, None, None]:
        from ollama import ChatResponse

        timeout = self.patience(deadline)
        with self._translated(body["model"], timeout.read):
            lines = self._opened()._request(ChatResponse, "POST", "/api/chat", json=body, timeout=timeout, stream=True)
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
            raise _RunnerDied(
                f"The Ollama at {self.url} dropped the connection ({error}). See its log, or restart it: ollama serve"
            ) from error
        except (ValueError, AttributeError, TypeError) as error:
            # No JSON, JSON without the needed fields, JSON that is no object (the client calls .get on it), or a text
            # with half a surrogate pair, which cannot be sent.
            text = str(error).partition("\n")[0]
            raise BadReply(f"The exchange with {self.url} made no sense: {text}. See: ollama --version") from error

    def _away(self, error: BaseException) -> _Hopeless:
        return _Hopeless(f"No Ollama answers at {self.url} ({error}). Start it with: ollama serve")


def _retrying(attempt: Callable[[float], _T], total_seconds: float) -> _T:
    deadline = time.monotonic() + total_seconds
    for pause in _PAUSES:
        try:
            return attempt(deadline)
        except (_RunnerDied, ModelBusy):
            if time.monotonic() + pause >= deadline:
                raise
            time.sleep(pause)
    return attempt(deadline)


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
        return _Hopeless(f"This is no Ollama, or a very old one. {said}. Check the address and: ollama --version")
    if status in (429, 503):
        return ModelBusy(f"The model server is busy. {said}. Ask again in a moment; see: ollama ps")
    if status in (401, 403, 501) or "does not support" in text:
        return _Hopeless(f"The model server refuses. {said}. See what the model can do: ollama show {model}")
    if _NOT_A_NUMBER.search(text):
        return _NotANumber(f"The model makes no vector of this text. {said}. Change the text, or update Ollama.")
    if _RUNNER_DIED.search(text):
        return _RunnerDied(f"The model's process died. {said}. Free memory, or see the log of ollama serve.")
    return ModelError(f"The model server failed. {said}. Try: ollama run {model}, and see the log of ollama serve.")


def _error_text(error: object) -> str:
    if isinstance(error, str):
        with contextlib.suppress(ValueError):
            error = json.loads(error)
    for key in ("error", "message"):
        if isinstance(error, dict) and key in error:
            error = error[key]
    return " ".join(str(error).split())


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _duration(keep_alive: str) -> str | int:
    bare = keep_alive.strip()
    return int(bare) if re.fullmatch(r"-?\d+", bare) else bare  # the server refuses "-1" as text: no unit
