"""A stand-in for an OpenAI-compatible server in the dialect of vLLM, llama-server, text-embeddings-inference or a
strict gateway: real HTTP and server-sent events on loopback, deterministic models, faults on call.

Knows nothing of the product. llama-server's shapes and texts are as seen on a real one in November 2026, the others' as
their users report them; one word counts as one token.
Try: with OpenAIDouble(dialect="vllm") as double: httpx.get(double.url + "/models")
"""

from __future__ import annotations

import base64
import json
import re
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.doubles import Connection, Double, Fault, Refusal, read

Dialect = Literal["vllm", "llama", "tei", "strict"]
FaultKind = Literal[
    "status",  # status=, text=: an error reply
    "rate",  # 429 with Retry-After of seconds=
    "login",  # a web page, status= (200, 502, ...)
    "json_list",  # 200 with JSON that is no object
    "redirect",  # 307 to text=
    "drop",  # the connection closes without a reply
    "slow",  # seconds= of silence before the first byte
    "error_event",  # chat: an error object in the stream, text= and status= its code
    "no_end",  # chat: the stream ends without finish_reason and [DONE]
    "finish",  # chat: the reply ends with text= as finish_reason
    "thinking",  # chat: everything spent in `reasoning_content`, finish_reason length
    "thinks",  # chat: `reasoning_content` before the good answer
    "cut",  # chat: the connection closes after text=
    "drip",  # chat: seconds= of pause before every word
    "stall",  # chat: seconds= of silence after the first word
    "pings",  # chat: comments alone, seconds= apart, for three seconds
    "whole",  # chat: one JSON object, though a stream was asked for
    "few",  # embed: one vector fewer than texts
    "twice",  # embed: two vectors of one index
    "null_vector",  # embed: 200 with null in a vector
    "bad_base64",  # embed: 200 with text that is none
]
EMBED, CHAT = "Qwen/Qwen3-Embedding-0.6B", "Qwen/Qwen3.5-9B"


@dataclass
class OpenAIDouble(Double):
    """See Double; `.url` is the base address."""

    dialect: Dialect = "vllm"
    embeds: tuple[str, ...] = (EMBED,)
    chats: tuple[str, ...] = (CHAT,)
    key: str = ""
    window: int = 4096
    longest: int = 512  # tokens of a text to embed
    version: str = "0.11.0"
    refuses: tuple[str, ...] = ()  # fields, or json_schema and json_object
    lists: bool = True  # False: a gateway that tells no models
    shuffles: bool = False  # vectors come in another order than the texts
    packs: bool = False  # vectors come as base64
    ends: str = "\n"  # of the lines of a stream
    bytes_at_once: int = 0  # a stream comes in pieces of so many, 0 for an event each
    loading: int = 0  # so many requests find the model not loaded yet
    keys: list[str] = field(default_factory=list)  # the Authorization of every request

    @property
    def url(self) -> str:
        return f"{self.host}/v1"

    def speaks(self) -> type[Connection]:
        return _Connection


class _Connection(Connection):
    double: OpenAIDouble

    def refuse(self, refusal: Refusal) -> None:
        name = {400: "BadRequestError", 404: "NotFoundError"}.get(refusal.status, "InternalServerError")
        told: Any = {"message": refusal.text, "type": name, "param": None, "code": refusal.status}
        if self.double.dialect == "llama":
            told = {"code": refusal.status, "message": refusal.text, "type": "invalid_request_error"}
        if self.double.dialect == "strict":
            told |= {"code": None}
        if self.double.dialect == "tei":
            told = {"message": refusal.text, "code": refusal.status, "type": "Validation"}
            return self.json(refusal.status, told)
        return self.json(refusal.status, {"error": told}, headers=refusal.headers)

    def answer(self, method: str, raw: bytes) -> None:
        double = self.double
        double.keys.append(self.headers.get("Authorization", ""))
        if double.key and self.headers.get("Authorization") != f"Bearer {double.key}":
            given = self.headers.get("Authorization", "").removeprefix("Bearer ")
            raise Refusal(401, f"Incorrect API key provided: {given}" if double.dialect == "strict" else "Unauthorized")
        fault = double.next_fault(self.path)
        if fault and self._failed_whole(fault):
            return None
        if double.loading:
            double.loading -= 1
            raise Refusal(503, "Loading model")
        routes = {"/v1/embeddings": self._embed, "/v1/chat/completions": self._chat}
        if method == "POST" and self.path in routes and not (double.dialect == "tei" and "chat" in self.path):
            body = read(raw)
            if not isinstance(body, dict):
                raise Refusal(400, "the body is no JSON object")
            self._refuse_fields(body)
            return routes[self.path](body, fault)
        value = self._told() if method == "GET" else None
        if value is None:
            raise Refusal(404, "Not Found")
        return self.json(200, value)

    def _failed_whole(self, fault: Fault) -> bool:
        if fault.kind == "slow":
            self.pause(fault.seconds)
        elif fault.kind == "drop":
            self.close_connection = True
            return True
        elif fault.kind == "login":
            page = "<!DOCTYPE html><html><head><title>Sign in to Acme</title></head></html>"
            self.text(200 if fault.status == 500 else fault.status, page, "text/html")
            return True
        elif fault.kind == "json_list":
            self.json(200, [1])
            return True
        elif fault.kind == "redirect":
            self.json(307, {}, headers={"Location": fault.text})
            return True
        elif fault.kind == "status":
            raise Refusal(fault.status, fault.text)
        elif fault.kind == "rate":
            raise Refusal(429, "Too many requests", {"Retry-After": f"{fault.seconds:g}"})
        return False

    def _told(self) -> Any:
        double = self.double
        if self.path == "/v1/models" and double.dialect != "tei" and double.lists:
            return {"object": "list", "data": [self._listed(name) for name in (*double.embeds, *double.chats)]}
        if self.path == "/version" and double.dialect == "vllm":
            return {"version": double.version}
        if self.path == "/props" and double.dialect == "llama":
            return {"default_generation_settings": {"n_ctx": double.window}, "build_info": double.version}
        if self.path == "/info" and double.dialect == "tei":
            told = {"model_id": double.embeds[0], "model_sha": "97b0c614", "model_dtype": "float16"}
            return {**told, "max_input_length": double.longest, "auto_truncate": True, "version": double.version}
        return None

    def _listed(self, name: str) -> dict[str, Any]:
        told: dict[str, Any] = {"id": name, "object": "model", "created": int(time.time()), "owned_by": "acme"}
        if self.double.dialect == "vllm":
            told |= {"owned_by": "vllm", "root": f"/models/{name}", "parent": None, "max_model_len": self.double.window}
        if self.double.dialect == "llama":
            meta = {
                "vocab_type": 2,
                "n_vocab": 151936,
                "n_ctx_train": 32768,
                "n_params": 1777088000,
                "size": 1111370240,
            }
            told |= {"owned_by": "llamacpp", "meta": meta}
        return told

    def _refuse_fields(self, body: dict[str, Any]) -> None:
        double = self.double
        for name in double.refuses:
            if name == "max_tokens" and name in body:
                other = "Use 'max_completion_tokens' instead."
                raise Refusal(400, f"Unsupported parameter: 'max_tokens' is not supported with this model. {other}")
            if name in body:
                raise Refusal(400, f"Unrecognized request argument supplied: {name}")
            if body.get("response_format", {}).get("type") == name:
                raise Refusal(400, f"Invalid parameter: 'response_format' of type '{name}' is not supported")

    def _find(self, body: dict[str, Any], among: tuple[str, ...], ability: str) -> None:
        double, name = self.double, body.get("model")
        if double.dialect in ("llama", "tei"):  # which look at no name
            if not among:
                raise Refusal(501, f"This server does not support {ability}. Start it with `--{ability}`")
        elif name in (*double.embeds, *double.chats) and name not in among:
            raise Refusal(400, f"The model does not support {ability.title()} API")
        elif name not in among:
            raise Refusal(404, f"The model `{name}` does not exist.")

    def _embed(self, body: dict[str, Any], fault: Fault | None) -> None:
        double = self.double
        self._find(body, double.embeds, "embeddings")
        texts: list[str] = body["input"]
        double.refuse_poison(texts)
        for text in texts:
            count = len(text.split()) + 1
            if count > double.longest:
                raise self._too_long_text(count)
        data = []
        for index, text in enumerate(texts):
            vector: Any = double.vector(text)
            if double.packs:
                vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
            data.append({"object": "embedding", "index": index, "embedding": vector})
        if double.shuffles:
            data.reverse()
        if fault and fault.kind == "few":
            data.pop()
        if fault and fault.kind == "twice":
            data[-1]["index"] = 0
        if fault and fault.kind == "null_vector":
            data[-1]["embedding"] = [None] * double.dimension
        if fault and fault.kind == "bad_base64":
            data[-1]["embedding"] = "no base64!"
        self.json(200, {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 3}})

    def _too_long_text(self, count: int) -> Refusal:
        longest = self.double.longest
        if self.double.dialect == "llama":
            batch = f"increase the physical batch size (current batch size: {longest})"
            return Refusal(500, f"input ({count} tokens) is too large to process. {batch}")
        if self.double.dialect == "tei":
            return Refusal(
                413, f"Input validation error: `inputs` must have less than {longest} tokens. Given: {count}"
            )
        asked = f"However, you requested {count} tokens in the input for embedding generation."
        return Refusal(400, f"This model's maximum context length is {longest} tokens. {asked}")

    def _chat(self, body: dict[str, Any], fault: Fault | None) -> None:
        double = self.double
        self._find(body, double.chats, "chat completions")
        messages = body["messages"]
        prompt = sum(len(message["content"].split()) + 4 for message in messages)
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or 16
        if prompt + (0 if double.dialect == "llama" else limit) > double.window:
            raise self._too_long_prompt(prompt)
        time.sleep(double.load_seconds)
        said = fault.text if fault and fault.kind == "cut" else double.handler(messages)
        words = [] if fault and fault.kind == "thinking" else re.findall(r"\s*\S+", said)
        room = min(limit, double.window - prompt)
        reason = "length" if len(words) > room or (fault and fault.kind == "thinking") else "stop"
        reason = fault.text if fault and fault.kind == "finish" else reason
        words = words[:room]
        usage = {
            "prompt_tokens": prompt,
            "completion_tokens": limit if reason == "length" and not words else len(words),
        }
        head = {"id": "chatcmpl-1", "created": int(time.time()), "model": body.get("model")}
        if not body.get("stream") or (fault and fault.kind == "whole"):
            message = {"role": "assistant", "content": "".join(words)}
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return self.json(200, {**head, "object": "chat.completion", "choices": [choice], "usage": usage})
        with_usage = body.get("stream_options", {}).get("include_usage")
        return self._stream(self._events(head, words, reason, usage if with_usage else None, fault), fault)

    def _too_long_prompt(self, count: int) -> Refusal:
        window = self.double.window
        if self.double.dialect == "llama":
            size = f"exceeds the available context size ({window} tokens), try increasing it"
            return Refusal(400, f"request ({count} tokens) {size}")
        asked = f"However, your request has {count} input tokens. Please reduce the length of the input messages."
        return Refusal(400, f"This model's maximum context length is {window} tokens. {asked}")

    def _events(
        self, head: dict[str, Any], words: list[str], reason: str, usage: dict[str, int] | None, fault: Fault | None
    ) -> Iterator[str]:
        kind, seconds = (fault.kind, fault.seconds) if fault else ("", 0.0)

        def event(delta: dict[str, Any], finish: str | None = None) -> str:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return "data: " + json.dumps({**head, "object": "chat.completion.chunk", "choices": [choice]})

        if kind == "pings":
            for _ in range(int(3 / seconds)):
                time.sleep(seconds)
                yield ": ping"
        yield event({"role": "assistant", "content": None})
        if kind in ("thinking", "thinks"):
            yield event({"reasoning_content": "Paris, the City [1]"})
        for place, word in enumerate(words):
            if kind == "drip":
                time.sleep(seconds)
            if kind == "stall" and place == 1:
                self.pause(seconds)
            yield ": keep-alive"
            yield event({"content": word})
        if kind == "cut":
            raise BrokenPipeError
        if kind == "no_end":
            return
        if fault and kind == "error_event":
            yield "data: " + json.dumps({"error": {"message": fault.text, "type": "Error", "code": fault.status}})
        else:
            yield event({}, reason)
            if usage:
                yield "data: " + json.dumps({**head, "choices": [], "usage": usage})
        yield "data: [DONE]"

    def _stream(self, lines: Iterator[str], fault: Fault | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        ends, step = self.double.ends, self.double.bytes_at_once
        for line in lines:
            data = f"{line}{ends}{ends}".encode()
            for start in range(0, len(data), step or len(data)):
                self.chunk(data[start : start + step] if step else data)
        self.chunk(b"")
