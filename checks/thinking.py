"""The models: which backend would think, whether it is there, and whether the chat model's window fits the passages.

Asks a server what it holds; loads and embeds nothing. Try: BRAIN_BACKEND=ollama python doctor.py
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from checks import Check, fail, ok, warn
from config import Settings
from errors import ModelError, UsageError
from models import EMBED_MODEL
from models.embedded import NAMES, check_weights
from models.ollama_server import Server, canonical_name, missing_text
from models.wire import LIST_SECONDS

EMBEDDED_GB = {"use+minilm": 0.4, "use": 0.3}
"""Peak memory of a process that syncs the demo's documents (November 2026)."""
_OVERHEAD_TOKENS = 1200  # the system text, the question and what stands around each passage
_CHARS_A_TOKEN = 3.0  # of European languages; for Chinese it is nearer to one


@dataclass(slots=True)
class Found:
    """What the look found besides its checks: the backend that would embed, the model's name, and GB of memory."""

    backend: str
    embed_model: str
    needs: dict[str, float]


def models(settings: Settings, found: Found) -> Iterator[Check]:
    """Which models would think; fills `found`."""
    if settings.backend == "embedded":
        yield from _embedded(settings, found)
        return
    if settings.backend == "openai":
        yield from _openai(settings, found)
        return
    server = Server(settings.ollama_host, settings.connect_seconds, LIST_SECONDS, LIST_SECONDS)
    must = settings.backend == "ollama"
    try:
        server.knock()
        held = _held(server)
        version = server.version()
    except ModelError as error:
        helps, told = "ollama serve", str(error).partition(". Start it")[0]
        if must:
            yield fail("Ollama", told, helps, away=True)
        else:
            yield warn("Ollama", f"{told}; answers are quotations", f"{helps}, or BRAIN_BACKEND=embedded")
            yield from _embedded(settings, found)
        return
    yield ok("Ollama", f"{version or 'of an unknown version'} at {server.url}, {len(held)} models")
    wanted = {"embedding model": settings.embed_model or EMBED_MODEL, "chat model": settings.chat_model}
    for kind, name in wanted.items():
        size = held.get(canonical_name(name))
        if size is None:
            told = missing_text(server.url, name).partition(" Run:")[0]
            yield (
                fail(kind, told, f"ollama pull {name}", away=True) if must else warn(kind, told, f"ollama pull {name}")
            )
        else:
            found.needs[name] = size
            yield ok(kind, f"{name}, {size:.1f} GB")
    if canonical_name(wanted["embedding model"]) in held:
        found.backend, found.embed_model = "ollama", canonical_name(wanted["embedding model"])
    elif not must:
        yield from _embedded(settings, found)
    if canonical_name(settings.chat_model) in held:
        yield from _window(server, settings)


def _openai(settings: Settings, found: Found) -> Iterator[Check]:
    from models.openai_backend import choose

    try:
        embedder, chat, notice = choose(settings)
    except (ModelError, UsageError) as error:
        told, _, helps = str(error).partition(". ")
        yield fail("model server", told, helps or "see manual/openai.md", away=isinstance(error, ModelError))
        return
    yield warn("model server", notice, "see manual/openai.md") if notice else ok("model server", settings.openai_url)
    if embedder:
        found.backend, found.embed_model = "openai", settings.embed_model
        yield ok("embedding model", f"at {settings.openai_embed_url or settings.openai_url}")
    else:
        yield from _embedded(settings, found)
    if chat:
        yield ok("chat model", f"window {chat.window} tokens")


def _embedded(settings: Settings, found: Found) -> Iterator[Check]:
    name = settings.embed_model if settings.embed_model in NAMES else NAMES[0]
    found.backend, found.embed_model = "embedded", name
    if settings.backend == "embedded" and settings.embed_model not in ("", *NAMES):
        told = f"the embedded backend has no {settings.embed_model!r}, only {' and '.join(NAMES)}"
        yield fail("embedding model", told, "unset BRAIN_EMBED_MODEL")
        return
    found.needs["embedded models"] = EMBEDDED_GB[name]
    try:
        check_weights(name)
        yield ok("embedding model", f"{name}, embedded, weights as expected")
    except ModelError as error:
        told, _, helps = str(error).partition(" Run: ")
        yield fail("embedding model", told, helps or "pip install --force-reinstall .", away=True)


def _held(server: Server) -> dict[str, float]:
    """GB of each model on the server."""
    from ollama import ListResponse

    reply = server.call(ListResponse, "/api/tags", None, server.patience(monotonic() + LIST_SECONDS))
    return {canonical_name(entry.model or ""): (entry.size or 0) / 1e9 for entry in reply.models}


def _window(server: Server, settings: Settings) -> Iterator[Check]:
    """The window in tokens against what the model was trained for, and against the passages."""
    told = f"num_ctx {settings.num_ctx}"
    try:
        body = {"model": settings.chat_model}
        reply = server.call(dict[str, Any], "/api/show", body, server.patience(monotonic() + LIST_SECONDS))
        info = reply.get("model_info") or {}
        trained = next((int(value) for key, value in info.items() if key.endswith(".context_length")), 0)
    except (ModelError, UsageError, ValueError, TypeError):
        trained = 0
    if trained and settings.num_ctx > trained:
        yield warn("window", f"{told} is more than {settings.chat_model} was trained for ({trained})",
                   f"BRAIN_NUM_CTX={trained}")  # fmt: skip
        return
    chars = settings.k * max(settings.passage_chars, settings.chunk_chars)
    need = int(chars / _CHARS_A_TOKEN) + settings.num_predict + _OVERHEAD_TOKENS
    if need > settings.num_ctx:
        told += f" is too small for {settings.k} passages of {settings.passage_chars} characters and an answer ({need})"
        yield warn("window", f"{told}: passages are dropped", f"BRAIN_NUM_CTX={-(-need // 1024) * 1024}")
    else:
        trained_text = f" of {trained}" if trained else ""
        yield ok("window", f"{told}{trained_text} tokens, about {need} needed")
