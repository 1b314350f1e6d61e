"""A stand-in for an Ollama server: its real HTTP protocol on loopback, deterministic models, faults on call.

Knows nothing of the product. Shapes and texts follow what Ollama 0.33 was seen to reply; one word counts as one token.
Try: with OllamaDouble(handler=lambda messages: "Paris [1].") as double: OllamaChat(double.host, "qwen3.5:9b", ...)
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from tests.doubles import Connection, Double, Fault, Refusal, read

FaultKind = Literal[
    "status",  # status=, text=: an error reply
    "eof",  # the model's process dies: 400 for embed, 500 for chat
    "nan",  # 400 as of 0.33
    "old_nan",  # 500 as before
    "busy",  # 503, as while a model loads
    "too_long",  # the nested JSON of a prompt refused
    "error_line",  # chat: the stream breaks off with an error line
    "no_done",  # chat: the stream ends without its last line
    "length",  # chat: text= cut at num_predict (default: broken JSON)
    "thinking",  # chat: everything spent in `thinking`, content empty, done_reason length
    "thinks",  # chat: a `thinking` field beside the good answer
    "not_json",  # 200 with HTML
    "json_list",  # 200 with JSON that is no object
    "drop",  # the connection closes without a reply
    "cut",  # chat: the connection closes after text=
    "slow",  # seconds= of silence before the first byte
    "drip",  # chat: seconds= of pause before every word
    "stall",  # chat: seconds= of silence after the first word
    "few",  # embed: one vector fewer than texts
    "nan_vector",  # embed: 200 with NaN in a vector
]


@dataclass(frozen=True)
class Model:
    """What the double holds under a name."""

    does: Literal["chat", "embed"]
    trained_context: int = 32768
    thinks: bool = False

    def digest(self, name: str) -> str:
        return hashlib.sha256(f"{name} {self}".encode()).hexdigest()


DEFAULT_MODELS = {"qwen3-embedding:0.6b": Model("embed"), "qwen3.5:9b": Model("chat", thinks=True)}


@dataclass
class OllamaDouble(Double):
    """See Double; `.loads` tells which models were (re)loaded."""

    models: dict[str, Model] = field(default_factory=lambda: dict(DEFAULT_MODELS))
    version: str | None = "0.33.0-rc2"
    max_queue: int = 512
    obeys_truncate: bool = True  # False: an older server, which cuts prompts whatever is asked
    loads: list[str] = field(default_factory=list)  # one entry a (re)load, the model's name

    def __post_init__(self) -> None:
        super().__post_init__()
        self._loaded: dict[str, tuple[Any, ...]] = {}
        self._loading = threading.Lock()
        self._waiting = 0

    def speaks(self) -> type[Connection]:
        return _Connection

    def find(self, body: dict[str, Any], missing: str) -> tuple[str, Model]:
        name = body.get("model", "")
        if not name:
            raise Refusal(400, "model is required")
        full = name.lower() if ":" in name else f"{name.lower()}:latest"
        held = {key if ":" in key else f"{key}:latest": model for key, model in self.models.items()}
        if full not in held:
            raise Refusal(404, missing.format(name))
        return full, held[full]

    def load(self, name: str, body: dict[str, Any]) -> int:
        """Loads the model where an option of the loader differs; returns nanoseconds spent."""
        options = body.get("options") or {}
        wanted = tuple(options.get(key) for key in ("num_ctx", "num_batch", "num_gpu", "num_thread"))
        with self._lock:
            if self._loaded.get(name) == wanted:
                return 1_000_000
            if self._waiting > self.max_queue:
                raise Refusal(*_REFUSALS["busy"])
            self._waiting += 1
        try:
            with self._loading:
                if self._loaded.get(name) != wanted:
                    time.sleep(self.load_seconds)
                    self._loaded[name] = wanted
                    self.loads.append(name)
        finally:
            with self._lock:
                self._waiting -= 1
        if body.get("keep_alive") == 0:
            self._loaded.pop(name, None)
        return int(self.load_seconds * 1e9) or 500_000_000


def _window(body: dict[str, Any], model: Model) -> int:
    asked: int = (body.get("options") or {}).get("num_ctx", 4096)
    return min(asked, model.trained_context)


def _tokens(messages: Sequence[dict[str, str]]) -> int:
    return sum(len(message["content"].split()) + 4 for message in messages)


class _Connection(Connection):
    double: OllamaDouble
    POSTS = ("/api/chat", "/api/embed", "/api/show")
    GETS = ("/", "/api/tags", "/api/version", "/api/ps")

    def refuse(self, refusal: Refusal) -> None:
        self.json(refusal.status, {"error": refusal.text})

    def answer(self, method: str, raw: bytes) -> None:
        known = {"GET": self.GETS, "POST": self.POSTS}[method]
        if self.path not in known:
            there = self.path in self.GETS + self.POSTS
            return self.text(405, "405 method not allowed") if there else self.text(404, "404 page not found")
        fault = self.double.next_fault(self.path)
        if fault and self._failed_whole(fault):
            return None
        if method == "GET":
            return self._get()
        body = self._body(raw)
        if self.path == "/api/show":
            return self._show(body)
        return self._embed(body, fault) if self.path == "/api/embed" else self._chat(body, fault)

    def _failed_whole(self, fault: Fault) -> bool:
        if fault.kind == "slow":
            self.pause(fault.seconds)
        elif fault.kind == "drop":
            self.close_connection = True
            return True
        elif fault.kind in _NO_OBJECT:
            self.text(200, _NO_OBJECT[fault.kind])
            return True
        elif fault.kind == "status":
            raise Refusal(fault.status, fault.text)
        elif fault.kind == "eof" and self.path == "/api/chat":
            raise Refusal(500, "model runner has unexpectedly stopped, this may be due to resource limitations")
        elif fault.kind in _REFUSALS:
            raise Refusal(*_REFUSALS[fault.kind])
        return False

    def _body(self, raw: bytes) -> dict[str, Any]:
        body = read(raw)
        if not isinstance(body, dict):
            raise Refusal(400, "unexpected EOF" if raw else "missing request body")
        keep = body.get("keep_alive")
        if isinstance(keep, str) and not re.fullmatch(r"-?(\d+(\.\d+)?(ns|us|ms|s|m|h))+", keep):
            raise Refusal(400, f'time: invalid duration "{keep}"')
        for option, value in (body.get("options") or {}).items():
            if option == "temperature" and not isinstance(value, int | float):
                raise Refusal(500, 'option "temperature" must be of type float32')
        return body

    def _get(self) -> None:
        double = self.double
        if self.path == "/":
            return self.text(200, "Ollama is running", "text/plain; charset=utf-8")
        if self.path == "/api/version":
            return (
                self.json(200, {"version": double.version}) if double.version else self.text(404, "404 page not found")
            )
        names = (
            double.models if self.path == "/api/tags" else [name for name in double.models if name in double._loaded]
        )
        return self.json(200, {"models": [_listed(name, double.models[name]) for name in names]})

    def _show(self, body: dict[str, Any]) -> None:
        name, model = self.double.find(body, "model '{}' not found")
        able = ["embedding"] if model.does == "embed" else ["completion"] + ["thinking"] * model.thinks
        info = {"general.architecture": "qwen3", "qwen3.context_length": model.trained_context}
        listed = _listed(name, model)
        reply = {"modelfile": f"FROM {name}", "template": "{{ .Prompt }}", "details": listed["details"]}
        self.json(200, {**reply, "model_info": info, "capabilities": able, "modified_at": listed["modified_at"]})

    def _embed(self, body: dict[str, Any], fault: Fault | None) -> None:
        started = time.monotonic_ns()
        name, model = self.double.find(body, 'model "{}" not found, try pulling it first')
        given = body.get("input")
        if not isinstance(given, str | list | None) or any(not isinstance(text, str) for text in given or []):
            raise Refusal(400, "invalid input type")
        if model.does == "chat":
            raise Refusal(501, "This server does not support embeddings. Start it with `--embeddings`")
        load = self.double.load(name, body)
        if not given:
            return self.json(200, {"model": body["model"], "embeddings": []})
        texts: list[str] = [given] if isinstance(given, str) else given
        self.double.refuse_poison(texts)
        window = _window(body, model)
        limit = min(window, (body.get("options") or {}).get("num_batch", min(2048, window)))
        if body.get("truncate") is False and any(len(text.split()) + 2 > limit for text in texts):
            raise Refusal(400, "the input length exceeds the context length")
        vectors = [self.double.vector(" ".join(text.split()[: limit - 2])) for text in texts]
        if fault and fault.kind == "few":
            vectors.pop()
        if fault and fault.kind == "nan_vector":
            vectors[-1] = [math.nan] * self.double.dimension
        counted = sum(min(len(text.split()) + 2, limit) for text in texts)
        times = {"total_duration": time.monotonic_ns() - started + 1, "load_duration": load}
        reply = {"model": body["model"], "embeddings": vectors, **times, "prompt_eval_count": counted}
        return self.json(200, reply, chunked=True)

    def _chat(self, body: dict[str, Any], fault: Fault | None) -> None:
        started = time.monotonic_ns()
        name, model = self.double.find(body, "model '{}' not found")
        self._refuse_chat(body, model)
        head = {"model": body["model"], "created_at": datetime.now(UTC).isoformat().replace("+00:00", "123Z")}
        load = self.double.load(name, body)
        if not body.get("messages"):
            reason = "unload" if body.get("keep_alive") == 0 else "load"
            empty = {"role": "assistant", "content": ""}
            return self.json(200, {**head, "message": empty, "done": True, "done_reason": reason})
        messages, prompt = self._fit(body, model)
        words, reason = self._reply(body, messages, fault)
        counts = {"total_duration": time.monotonic_ns() - started + load, "load_duration": load}
        counts |= {"prompt_eval_count": prompt, "prompt_eval_duration": 1_000_000 * prompt}
        made = len(words) or 2 * (fault is not None and fault.kind == "thinking")
        counts |= {"eval_count": made, "eval_duration": 1_000_000 * made}
        end = {"done": True, "done_reason": reason, **{key: count for key, count in counts.items() if count}}
        if body.get("stream", True):
            return self._stream(self._lines(head, words, end, fault))
        whole: dict[str, Any] = {"role": "assistant", "content": "".join(words)}
        if fault and fault.kind == "error_line":
            raise Refusal(500, _MID_STREAM)
        if fault and fault.kind == "no_done":
            end = {"done": False}
        if fault and fault.kind in ("thinking", "thinks"):
            whole = {**whole, "thinking": "Paris, the City of Light"}
        return self.json(200, {**head, "message": whole, **end})

    def _refuse_chat(self, body: dict[str, Any], model: Model) -> None:
        if not isinstance(body.get("messages", []), list):
            field = "ChatRequest.messages of type []api.Message"
            raise Refusal(400, f"json: cannot unmarshal string into Go struct field {field}")
        if model.does == "embed":
            raise Refusal(400, f'"{body["model"]}" does not support chat')
        if body.get("think") and not model.thinks:
            raise Refusal(400, f'"{body["model"]}" does not support thinking')
        form = body.get("format")
        if not isinstance(form, dict) and form not in (None, "", "json"):
            raise Refusal(
                500, f'invalid format: {json.dumps(json.dumps(form))}; expected "json" or a valid JSON Schema object'
            )

    def _fit(self, body: dict[str, Any], model: Model) -> tuple[list[dict[str, str]], int]:
        """What the real server does with a prompt over the window: old messages go, then the middle of the last."""
        messages, window = list(body["messages"]), _window(body, model)
        needed = _tokens(messages)
        if needed <= window:
            return messages, needed
        if body.get("truncate") is False and self.double.obeys_truncate:
            raise Refusal(400, _too_long(needed, window))
        while _tokens(messages) > window and (old := [m for m in messages[:-1] if m["role"] != "system"]):
            messages.remove(old[0])
        if _tokens(messages) <= window:
            return messages, _tokens(messages)
        words = messages[-1]["content"].split()
        kept = words[:4] + words[-(window // 2 - 2) :]
        return [{"role": "user", "content": " ".join(kept)}], window // 2 + 2

    def _reply(
        self, body: dict[str, Any], messages: list[dict[str, str]], fault: Fault | None
    ) -> tuple[list[str], str]:
        if fault and fault.kind == "thinking":
            return [], "length"
        if fault and fault.kind == "length":
            return re.findall(r"\s*\S+", fault.text or '{\n  "city": "'), "length"
        said = fault.text if fault and fault.kind == "cut" else self.double.handler(messages)
        words = re.findall(r"\s*\S+", said)
        limit = (body.get("options") or {}).get("num_predict", -1)
        return (words, "stop") if limit < 0 or len(words) <= limit else (words[:limit], "length")

    def _lines(self, head: Any, words: list[str], end: Any, fault: Fault | None) -> Iterator[dict[str, Any]]:
        kind, seconds = (fault.kind, fault.seconds) if fault else ("", 0.0)
        if kind in ("thinking", "thinks"):
            for word in ("Paris,", " the City [1]"):
                yield {**head, "message": {"role": "assistant", "content": "", "thinking": word}, "done": False}
        for place, word in enumerate(words):
            if kind == "drip":
                time.sleep(seconds)
            if kind == "stall" and place == 1:
                self.pause(seconds)
            yield {**head, "message": {"role": "assistant", "content": word}, "done": False}
        if kind == "cut":
            raise BrokenPipeError
        if kind == "error_line":
            yield {"error": fault.text if fault and fault.text else _MID_STREAM}
        elif kind != "no_done":
            yield {**head, "message": {"role": "assistant", "content": ""}, **end}

    def _stream(self, lines: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in lines:
            self.chunk(json.dumps(line).encode() + b"\n")
        self.chunk(b"")


def _too_long(tokens: int, window: int) -> str:
    message = f"request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it"
    inner = {"code": 400, "message": message, "type": "exceed_context_size_error"}
    return json.dumps({"error": {**inner, "n_prompt_tokens": tokens, "n_ctx": window}}, separators=(",", ":"))


def _listed(name: str, model: Model) -> dict[str, Any]:
    full = name if ":" in name else f"{name}:latest"
    details = {"parent_model": "", "format": "gguf", "family": "qwen3", "families": ["qwen3"]}
    return {
        "name": full,
        "model": full,
        "modified_at": "2026-01-02T03:04:05.123456789Z",
        "size": 639_153_152,
        "digest": model.digest(full),
        "details": {**details, "parameter_size": "595.78M", "quantization_level": "Q8_0"},
        "capabilities": ["completion"],  # as unreliable as the real list, which says this of embedding models too
    }


_MID_STREAM = "an error was encountered while running the model: unexpected EOF"
_NO_OBJECT = {"not_json": "<html>Sign in</html>", "json_list": "[1]"}
_REFUSALS = {
    "busy": (503, "server busy, please try again.  maximum pending requests exceeded"),
    "too_long": (400, _too_long(1210, 512)),
    "nan": (400, "embedding contains NaN or Inf values"),
    "old_nan": (500, "failed to encode response: json: unsupported value: NaN"),
    "eof": (400, 'do embedding request: Post "http://127.0.0.1:46673/v1/embeddings": EOF'),
}
