"""What thinks: the protocols every backend speaks, and `pick`, which chooses a backend once for the process.

Knows no documents, no search and no HTTP server. A backend is one file here; it is imported only where chosen.
Try: python doctor.py, or python search.py "parental leave" --explain, which names the models.
"""

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from config import Settings
from errors import ModelError, ModelMissing, UsageError
from models.calls import Listener, Stop

Vector = npt.NDArray[np.float32]
EMBED_MODEL = "qwen3-embedding:0.6b"
"""On Ollama, where no other is set."""
TEMPERATURE = 0.2
"""Of the chat model: close to the passages, yet able to phrase."""
Message = dict[str, str]
"""{"role": "system" | "user" | "assistant", "content": text}"""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """What makes two vectors comparable, apart from the probes the store adds to it."""

    backend: str  # "ollama" | "embedded"
    name: str
    digest: str  # of the weights, "" where the backend cannot tell
    dimension: int  # 0 for a chat model
    prompt_version: str  # changes whenever what is sent around a text changes

    @property
    def label(self) -> str:
        """For people and for calibrations: `backend/name@digest`."""
        return f"{self.backend}/{self.name}" + (f"@{self.digest}" if self.digest else "")


@dataclass(frozen=True, slots=True)
class Reply:
    """A chat model's whole reply, reasoning already stripped."""

    text: str
    prompt_tokens: int | None  # as counted by the server, None where it does not say
    reply_tokens: int | None
    seconds: float


_OPENING = "<\uff1c\u2039\u27e8\u3008\ufe64\u02c2\u1438"
_LOOKS = {"p": "p\u0440\u03c1", "a": "a\u0430\u03b1", "s": "s\u0455", "g": "g\u0261", "e": "e\u0435\u03b5"}
_WORD = "".join(f"[{_LOOKS[letter]}]" for letter in "passage")
_PASSAGE_MARK = re.compile(
    rf"(?:[{_OPENING}]|&lt;|&#0*60;|&#x0*3c;)(\s*[/\uff0f\u2044\u2215\\]?\s*{_WORD})", re.IGNORECASE
)
# Servers read these as the end of a turn wherever they stand: the prompt is one text before it is cut into tokens.
_TURN_MARK = re.compile(
    r"<(?=\|)|(?<=\|)>|<(?=/?(?:think|thinking|thoughts?|reasoning|tool_call|tool_response|start_of_turn|end_of_turn|s|bos|eos)>)|<(?=/?<?SYS>)|"
    r"\[(?=/?INST\])",
    re.IGNORECASE,
)


def fenced(text: str, attributes: str) -> str:
    """A document's text between <passage> marks; marks that stand in it, or look like one, close and open nothing.

    The marks are the same in every prompt: a name that changes would spare the server's cache nothing of a passage,
    and a system text could not tell it.
    """
    return f"<passage {attributes}>\n{without_turns(_PASSAGE_MARK.sub(_broken, text))}\n</passage>"


def without_turns(text: str) -> str:
    """The text with the marks that end or open a turn of a conversation (`<|im_end|>`) broken by a space."""
    return _TURN_MARK.sub(lambda m: f" {m[0]}" if m[0] == ">" else f"{m[0]} ", text)


def _broken(mark: re.Match[str]) -> str:
    return f"< {mark[1].lstrip(' /').replace(chr(0xFF0F), '')}"


class Embedder(Protocol):
    """Turns texts into unit vectors (L2 norm 1, float32), so that a dot product is a cosine."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def url(self) -> str:
        """Address of the server that texts are sent to, "" where it runs in this process."""
        ...

    @property
    def default_min_score(self) -> float:
        """Built-in limit on the cosine, used until a calibration is stored."""
        ...

    @property
    def same_meaning(self) -> float:
        """The cosine from which two sentences, in one language or two, say the same."""
        ...

    @property
    def embeds_units(self) -> bool:
        """Whether sentences, list items and table rows get vectors of their own beside their chunk's.

        Worth it for small models, which lose a single fact in the mean of a passage.
        """
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """One vector per text in order; None where the model refuses that one text.

        Raises ModelError when the backend is away.
        """
        ...

    def embed_query(self, text: str, lang: str) -> Vector:
        """The question's vector; `lang` is its ISO 639-1 code. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Near:
    """How near meanings are, in any languages the embedder knows: `cosines` of a claim with each of some sentences.

    From `limit` on two sentences say the same.
    """

    cosines: Callable[[str, tuple[str, ...]], Sequence[float]]
    limit: float


class ChatModel(Protocol):
    """Writes text from messages, within one fixed window."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def url(self) -> str:
        """Address of the server that texts are sent to, "" where it runs in this process."""
        ...

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may take together."""
        ...

    def warm_up(self) -> None:
        """Loads the model and returns when it is ready, however long that takes. Raises ModelError."""
        ...

    def chat(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any] | None = None,
        *,
        temperature: float | None = None,
        listener: Listener | None = None,
        stop: Stop | None = None,
    ) -> Reply:
        """The reply to `messages`, as JSON text of `schema` when one is given.

        `temperature` is for this call alone, by default the model's own. `listener` hears the reply as it comes.
        Raises PromptTooLong, BadReply (empty, cut, no end mark), ModelBusy, ModelMissing, ModelError; Stopped soon
        after another thread has set `stop`, also while nothing has come yet.
        """
        ...


@runtime_checkable
class Served(Protocol):
    """A model that is behind a server, and so may be lost later."""

    def check(self) -> None:
        """Raises ModelError when the model cannot be asked now; loads nothing."""
        ...


class Reranker(Protocol):
    """Judges passages that a search found: the second look."""

    @property
    def url(self) -> str:
        """Address of the server that texts are sent to, "" where it runs in this process."""
        ...

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers the question, in order, from 0 to 1. Raises BadReply, ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """What `pick` found."""

    embedder: Embedder | None
    chat: ChatModel | None  # None: answers are quotations
    notice: str  # one line for people about what is missing and the command that changes it, or ""

    @property
    def label(self) -> str:
        """For Answer.model: who embeds and who writes."""
        embeds = self.embedder.identity.label if self.embedder else "keywords only"
        return f"{embeds} + {self.chat.identity.label if self.chat else 'quotes'}"

    def check(self) -> None:
        """Raises ModelError when a model that was there at the start is no longer; loads nothing."""
        for model in (self.embedder, self.chat):
            if isinstance(model, Served):
                model.check()


def pick(settings: Settings) -> Models:
    """The models of the configured backend; `auto` takes Ollama's where it answers and has them.

    Raises ModelError or ModelMissing when the backend that was asked for by name cannot serve.
    """
    if settings.backend == "embedded":
        return Models(_embedded(settings), None, "")
    if settings.backend == "openai":
        from models.openai_backend import choose

        there, writer, notice = choose(settings)
        return Models(there or _embedded(settings), writer, notice)
    from models import ollama_backend as ollama

    try:
        held = ollama.server_models(settings.ollama_host, settings.connect_seconds)
    except ModelError as error:
        if settings.backend == "ollama":
            raise
        change = "Until then answers are quotations; BRAIN_BACKEND=embedded keeps it so and ends this note."
        return Models(_embedded(settings), None, f"{error}. {change}")
    embed_model = settings.embed_model or EMBED_MODEL
    lacking = [m for m in (embed_model, settings.chat_model) if ollama.canonical_name(m) not in held]
    notice = " ".join(ollama.missing_text(settings.ollama_host, model) for model in lacking)
    if settings.backend == "ollama" and lacking:
        raise ModelMissing(notice)
    deadlines = _deadlines(settings)
    embedder: Embedder | None = None
    if embed_model not in lacking:
        embedder = ollama.OllamaEmbedder(settings.ollama_host, embed_model, **deadlines)
    chat: ChatModel | None = None
    if settings.chat_model not in lacking:
        chat = ollama.OllamaChat(
            settings.ollama_host, settings.chat_model, **deadlines,
            num_ctx=settings.num_ctx, num_predict=settings.num_predict, temperature=TEMPERATURE,
        )  # fmt: skip
    return Models(embedder or _embedded(settings), chat, notice)


def named(settings: Settings, identity: ModelIdentity) -> Embedder | None:
    """The embedder of this backend and name if it can be had now: the model that an index was filled with before.

    Whether it makes the same vectors still is for the store to say. Raises nothing that a missing model explains.
    """
    if identity.backend == "embedded":
        from models.embedded import NAMES, EmbeddedEmbedder

        return EmbeddedEmbedder(identity.name) if identity.name in NAMES else None
    if identity.backend == "ollama":
        from models import ollama_backend as ollama

        embedder = ollama.OllamaEmbedder(settings.ollama_host, identity.name, **_deadlines(settings))
        return embedder if is_there(embedder) else None
    if identity.backend == "openai":
        from models.openai_backend import choose_embedder

        with contextlib.suppress(ModelError, UsageError):
            return choose_embedder(replace(settings, embed_model=identity.name), [])
    return None


def is_there(model: Embedder | ChatModel) -> bool:
    """Whether a model can be asked now: one on a server may have been removed."""
    try:
        if isinstance(model, Served):
            model.check()
    except ModelError:
        return False
    return True


def _deadlines(settings: Settings) -> dict[str, Any]:
    return {
        "connect_seconds": settings.connect_seconds,
        "read_seconds": settings.read_seconds,
        "total_seconds": settings.total_seconds,
        "keep_alive": settings.keep_alive,
    }


def _embedded(settings: Settings) -> Embedder:
    from models.embedded import EmbeddedEmbedder

    return EmbeddedEmbedder(settings.embed_model)
