"""Embeddings and chat from any OpenAI-compatible address: vLLM, llama-server, LM Studio, a company's gateway.

Sends first what the best servers take and gives way where one refuses a field, told once. Knows no documents.
Try: BRAIN_BACKEND=openai BRAIN_OPENAI_URL=http://gpu-host:8000/v1 python answer.py "parental leave"
"""

import base64
import binascii
import contextlib
import json
import logging
import re
import time
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from config import SETTINGS, Settings
from errors import BadReply, ModelBusy, ModelMissing, PromptTooLong, UsageError
from models import TEMPERATURE, ChatModel, Embedder
from models.calls import NotANumber, Stop
from models.embedded import NAMES as EMBEDDED
from models.openai_server import UNTOLD, Card, Refused, Server
from models.served import LOAD_SECONDS, Asked, End, ServedChat, ServedEmbedder, is_instructed

_log = logging.getLogger(__name__)

_DEFAULT_CHAT = next(s.default for s in SETTINGS if s.name == "chat_model")
_CHAT_SETTINGS = ("BRAIN_OPENAI_URL", "QWEN_CHAT_MODEL")
_LOOK_AGAIN = 1.0  # seconds between two looks at a server that loads its model
_WHOLE = {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence"}  # reasons of an end that cuts nothing
_FORMS = ("json_schema", "json_object", "")  # how JSON is asked for, best first; the last by the prompt alone


def choose(settings: Settings) -> tuple[Embedder | None, ChatModel | None, str]:
    """The models at the configured addresses, None for one that is not there, and what to tell people about it.

    Raises UsageError for no address, ModelMissing where an embedding model that was named is not there or nothing is,
    ModelError when a server is away.
    """
    notices: list[str] = []
    embedder = choose_embedder(settings, notices)
    chat: ChatModel | None = None
    if settings.openai_url:
        server = _server(settings, settings.openai_url, _CHAT_SETTINGS)
        name, card = _found(server, settings.chat_model, _DEFAULT_CHAT, notices, "answers are quotations")
        if name:
            window = _window(server, name, card, settings, notices)
            chat = OpenAIChat(server, name, card, window=window, num_predict=settings.num_predict)
    if embedder is None and chat is None:
        raise ModelMissing(" ".join(notices))
    return embedder, chat, " ".join(notices)


def choose_embedder(settings: Settings, notices: list[str]) -> Embedder | None:
    """The embedding model alone, None for the embedded one; what to tell people is added to `notices`. Asks nothing of
    the chat model's address. Raises as `choose` does.
    """
    url, setting = settings.openai_embed_url, "BRAIN_OPENAI_EMBED_URL"
    if not url:
        url, setting = settings.openai_url, _CHAT_SETTINGS[0]
    if not url:
        raise UsageError("BRAIN_BACKEND=openai needs an address. Set BRAIN_OPENAI_URL=http://HOST:PORT/v1.")
    if not settings.embed_model and not settings.openai_embed_url:
        notices.append(
            f"No embedding model is named, so the embedded one is used. BRAIN_EMBED_MODEL names one at {url}, or "
            "keeps this one and ends the note as `use+minilm`."
        )
    elif settings.embed_model not in EMBEDDED:
        server = _server(settings, url, (setting, "BRAIN_EMBED_MODEL"))
        name, card = _found(server, settings.embed_model, "", notices, "")
        if not name and settings.embed_model:
            raise ModelMissing(notices[0])
        if name:
            return OpenAIEmbedder(server, name, card)
    return None


def _server(settings: Settings, url: str, naming: tuple[str, str]) -> Server:
    limits = (settings.connect_seconds, settings.read_seconds, settings.total_seconds)
    return Server(url, settings.openai_key, naming, *limits)


def _found(server: Server, wanted: str, default: str, notices: list[str], without: str) -> tuple[str, Card]:
    """The model to use, "" where there is none. One that nobody named is the only one there."""
    server.knock()
    cards = server.cards()
    if cards is None:  # a gateway that lists nothing: what was named is believed to be there
        if not wanted:
            notices.append(f"{server.url} lists no models, and BRAIN_EMBED_MODEL names none: the embedded one is used.")
        return wanted, UNTOLD
    name = next(iter(cards)) if wanted == default and wanted not in cards and len(cards) == 1 else wanted
    if name not in cards:
        told = f" Until then {without}." if without else ""
        notices.append(server.missing_text(wanted, cards) + told)
        return "", UNTOLD
    if cards[name].warning:
        notices.append(cards[name].warning)
    return name, cards[name]


def _window(server: Server, name: str, card: Card, settings: Settings, notices: list[str]) -> int:
    told = server.particulars(card)[1]
    if told is None or told >= settings.num_ctx:
        return settings.num_ctx
    window = f"{name} at {server.url} is served with a window of {told} tokens"
    if told <= settings.num_predict:
        raise UsageError(
            f"{window}, which leaves no room beside BRAIN_NUM_PREDICT={settings.num_predict}. Start it with more."
        )
    notices.append(f"{window}, used instead of BRAIN_NUM_CTX={settings.num_ctx}.")
    return told


class OpenAIEmbedder(ServedEmbedder[Server]):
    """An `Embedder` at /embeddings."""

    backend = "openai"
    mend = "See the server's log."

    def __init__(self, server: Server, model: str, card: Card = UNTOLD, batch: int = 32) -> None:
        """Asks nothing yet. `server.total_seconds` bounds one batch with its retries, not a whole sync."""
        self._card = card
        super().__init__(server, model, model, batch, is_instructed(f"{model} {card.root}"))

    def _digest(self) -> str:
        self._server.check(self._model)
        return self._card.digest(self._server.particulars(self._card)[0])

    def _rows(self, texts: Sequence[str], deadline: float, read_seconds: float | None) -> Sequence[Sequence[float]]:
        timeout = self._server.patience(deadline, read_seconds)
        reply = self._server.post("/embeddings", {"model": self._model, "input": list(texts)}, timeout, deadline)
        with self._server.translated(self._model, None):
            data = reply["data"]
            places = [entry.get("index", place) for place, entry in enumerate(data)]
            if sorted(places) != list(range(len(data))):
                raise ValueError(f"vectors numbered {str(places)[:80]}")
            rows = dict(zip(places, (_row(entry["embedding"]) for entry in data), strict=True))
            return [rows[place] for place in range(len(data))]


class OpenAIChat(ServedChat[Server]):
    """A `ChatModel` at /chat/completions; reasoning is off where the server can, and stripped where it leaks."""

    backend = "openai"
    advice = "; the server's log may say why."

    def __init__(
        self,
        server: Server,
        model: str,
        card: Card = UNTOLD,
        *,
        window: int,
        num_predict: int,
        temperature: float = TEMPERATURE,
    ) -> None:
        """Asks nothing yet. `window` is no larger than what the server gives, and is not sent: it is the server's."""
        self._card = card
        self._limit_name = "max_tokens"
        self._refused: set[str] = set()  # fields this server does not take
        self._form = 0  # place in _FORMS
        super().__init__(server, model, model, window, num_predict, temperature)

    def warm_up(self) -> None:
        """Has the model write one token, and returns when it did, however long a load takes. Raises ModelError."""
        asked = Asked([{"role": "user", "content": "Hi"}], None, self._temperature)
        end = time.monotonic() + LOAD_SECONDS
        while True:
            body = self._body(asked) | {self._limit_name: 1, "stream": False}
            body.pop("stream_options", None)
            try:
                self._server.post("/chat/completions", body, self._server.patience(None), None)
                return
            except Refused as error:
                if not self._gave_way(error.said, body):
                    raise
            except ModelBusy:  # llama-server says so while it loads
                if time.monotonic() > end:
                    raise
                time.sleep(_LOOK_AGAIN)

    def _digest(self) -> str:
        self._server.check(self._model)
        return self._card.digest()

    def _body(self, asked: Asked) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": asked.messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": asked.temperature,
            self._limit_name: self._limit,
            "chat_template_kwargs": {"enable_thinking": False},  # Qwen's switch; other templates do not look at it
        }
        form = _FORMS[self._form]
        if asked.schema is not None and form == "json_schema":
            # Not `strict`: some servers then refuse schemas that leave anything open.
            body["response_format"] = {"type": form, "json_schema": {"name": "reply", "schema": asked.schema}}
        elif asked.schema is not None:
            told = f"Reply with JSON only, of this schema: {json.dumps(asked.schema)}"
            *before, last = asked.messages
            body["messages"] = [*before, {**last, "content": f"{last['content']}\n\n{told}"}]
            if form:
                body["response_format"] = {"type": form}
        return {field: value for field, value in body.items() if field not in self._refused}

    def _pieces(self, asked: Asked, deadline: float, stop: Stop) -> Generator[str | End, None, None]:
        while True:
            body = self._body(asked)
            try:
                yield from self._reply(body, deadline, stop)
                return
            except Refused as error:  # comes before the first piece
                if not self._gave_way(error.said, body):
                    raise

    def _reply(self, body: dict[str, Any], deadline: float, stop: Stop) -> Generator[str | End, None, None]:
        reason: str | None = None
        usage: dict[str, Any] = {}
        with contextlib.closing(self._server.stream("/chat/completions", body, deadline, stop)) as replies:
            for event in replies:
                if event is None:
                    reason = reason or ""
                    break
                choices = event.get("choices")
                choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
                part = choice.get("delta") or choice.get("message")
                yield _text(part.get("content")) if isinstance(part, dict) else ""
                reason = str(choice["finish_reason"]) if choice.get("finish_reason") else reason
                usage = event["usage"] if isinstance(event.get("usage"), dict) else usage
        if reason is not None:
            yield End(reason, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))

    def _check_end(self, raw: str, end: End) -> None:
        prompt, reply = end.prompt_tokens, end.reply_tokens
        if end.reason == "length":
            if reply is not None and reply < self._limit:
                raise PromptTooLong(
                    f"{self._who} was cut after {prompt} + {reply} tokens, before num_predict={self._limit}: its "
                    "window or a limit of its own is smaller. Send fewer passages, or start it with a larger one."
                )
            raise self._cut(raw)
        if end.reason == "content_filter":
            raise BadReply(
                f"The content filter of {self._who} stopped the answer. Ask in other words, or see its rules."
            )
        if end.reason not in _WHOLE:
            raise BadReply(f"{self._who} ended with {end.reason[:40]!r}, its answer is not whole. Ask again.")

    def _gave_way(self, said: str, sent: dict[str, Any]) -> bool:
        """Whether the refusal names a field that was sent and can be done without, which is left out from now on."""
        text = said.lower()
        form = sent.get("response_format", {}).get("type")
        if "max_completion_tokens" in text and "max_tokens" in sent:
            self._limit_name = "max_completion_tokens"
            return True
        for field, named, loss in _DISPENSABLE:
            if field in sent and re.search(named, text):
                if field not in self._refused and loss:
                    _log.warning("%s does not take %s: %s", self._who, field, loss)
                self._refused.add(field)
                return True
        if form and re.search(r"response_format|json|schema|grammar|guided|structured", text):
            after = _FORMS.index(form) + 1
            if after > self._form:
                self._form = after
                _log.warning("%s does not take %s; JSON is asked for in the prompt and checked", self._who, form)
            return True
        return False


_DISPENSABLE = (
    (
        "chat_template_kwargs",
        "chat_template|enable_thinking",
        "a model that reasons does so at length before it answers",
    ),
    ("stream_options", "stream_options|include_usage", ""),
    ("temperature", "temperature", "answers vary more"),
)
"""Fields that can be left out, what names them in a refusal, and what is lost."""


def _row(value: Any) -> Sequence[float]:
    if isinstance(value, str):
        try:
            row: Sequence[float] = np.frombuffer(base64.b64decode(value, validate=True), "<f4").tolist()
        except binascii.Error as error:
            raise ValueError(f"a vector that is no base64: {error}") from error
        return row
    if None in value:  # how JSON without NaN writes one
        raise NotANumber("The server sent a vector that holds null. Change the text.")
    return [float(number) for number in value]


def _text(content: Any) -> str:
    """A reply's text: a string, or a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _count(usage: dict[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) else None
