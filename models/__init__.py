"""What thinks: the two protocols every backend speaks, and `pick`, which chooses one backend for the process.

Knows no documents, no search and no HTTP server. A backend is one file here; it is imported only where chosen.
Try: python doctor.py, or python search.py "parental leave" --explain, which names the models.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
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


@dataclass(frozen=True, slots=True)
class Reply:
    """A chat model's whole reply, reasoning already stripped."""

    text: str
    prompt_tokens: int | None  # as counted by the server, None where it does not say
    reply_tokens: int | None
    seconds: float


class Embedder(Protocol):
    """Turns texts into unit vectors (L2 norm 1, float32), so that a dot product is a cosine."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def default_min_score(self) -> float:
        """Built-in limit on the cosine, used until a calibration is stored."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """One vector per text in order; None where the model refuses that one text.

        Raises ModelError when the backend is away.
        """
        ...

    def embed_query(self, text: str, lang: str) -> Vector:
        """The question's vector; `lang` is its ISO 639-1 code. Raises ModelError."""
        ...


class ChatModel(Protocol):
    """Writes text from messages, within one fixed window."""

    @property
    def identity(self) -> ModelIdentity: ...

    @property
    def window(self) -> int:
        """Tokens that prompt and reply may take together."""
        ...

    def chat(self, messages: Sequence[Message], schema: dict[str, Any] | None = None) -> Reply:
        """The reply to `messages`, as JSON text of `schema` when one is given.

        Raises PromptTooLong, BadReply (empty, cut, no end mark), ModelBusy, ModelMissing, ModelError.
        """
        ...
