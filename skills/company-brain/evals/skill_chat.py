"""Chat models with tools behind two protocols: OpenAI-compatible (/v1/chat/completions) and Ollama (/api/chat).

One reply at a time, whole; what a model or server does wrong is a ChatFault in a sentence. Knows no skill, no question
and no MCP. Try: python skills/company-brain/evals/skill_run.py --help
"""

import json
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
import ollama

Message = dict[str, Any]


class ChatFault(Exception):
    """The model cannot be reached, refused, or replied with what is no reply."""


@dataclass(frozen=True)
class Call:
    """A tool that the model wants called. `arguments` is None where they are no JSON object."""

    id: str
    tool: str
    arguments: dict[str, Any] | None


@dataclass(frozen=True)
class Reply:
    """What the model said. Token counts are None where the server does not tell them."""

    text: str
    calls: list[Call]
    tokens_in: int | None
    tokens_out: int | None
    message: Message  # as it goes back into the conversation


class Chat(Protocol):
    """A model at an address."""

    protocol: str

    async def say(self, messages: list[Message], tools: list[Message]) -> Reply:
        """The model's next message. Raises ChatFault."""
        ...

    def result(self, call: Call, text: str) -> Message:
        """The message that gives the model what its call returned."""
        ...

    async def close(self) -> None:
        """Lets the connections go."""
        ...


class OpenAIChat:
    """An OpenAI-compatible server. `address` ends before /chat/completions; `seconds` bounds one reply."""

    protocol = "openai"

    def __init__(self, address: str, model: str, key: str, temperature: float | None, seconds: float) -> None:
        self._body = {"model": model, "stream": False} | ({} if temperature is None else {"temperature": temperature})
        self.url = address.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.AsyncClient(headers=headers, timeout=seconds, trust_env=False)

    async def say(self, messages: list[Message], tools: list[Message]) -> Reply:
        """The model's next message. Raises ChatFault."""
        body = self._body | {"messages": messages} | ({"tools": tools} if tools else {})
        try:
            response = await self._client.post(self.url, json=body)
            if response.status_code != 200:
                raise ChatFault(f"{self.url} replied {response.status_code}: {response.text[:300]}")
            value = response.json()
            message, usage = value["choices"][0]["message"], value.get("usage") or {}
            calls = [_call(wanted) for wanted in message.get("tool_calls") or []]
            kept = {key: message[key] for key in ("role", "content", "tool_calls") if key in message}
            tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")
        except httpx.HTTPError as error:
            raise ChatFault(f"{self.url} cannot be asked: {error!r}") from error
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise ChatFault(f"{self.url} replied with something that is no chat completion ({error!r})") from error
        return Reply(str(message.get("content") or ""), calls, *tokens, kept)

    def result(self, call: Call, text: str) -> Message:
        """The message that gives the model what its call returned."""
        return {"role": "tool", "tool_call_id": call.id, "content": text}

    async def close(self) -> None:
        """Lets the connections go."""
        await self._client.aclose()


class OllamaChat:
    """A model on Ollama with a window of `num_ctx` tokens; its default window would cut the passages off unsaid."""

    protocol = "ollama"

    def __init__(self, address: str, model: str, num_ctx: int, temperature: float | None, seconds: float) -> None:
        self.url, self.model = address, model
        self._options = {"num_ctx": num_ctx} | ({} if temperature is None else {"temperature": temperature})
        self._client = ollama.AsyncClient(host=address, timeout=seconds, trust_env=False)

    async def say(self, messages: list[Message], tools: list[Message]) -> Reply:
        """The model's next message. Raises ChatFault."""
        try:
            response = await self._client.chat(self.model, messages, tools=tools or None, options=self._options)
        except ollama.ResponseError as error:
            raise ChatFault(f"Ollama at {self.url} replied {error.status_code}: {error.error}") from error
        except (httpx.HTTPError, ConnectionError, ValueError) as error:
            raise ChatFault(f"Ollama at {self.url} cannot be asked: {error!r}") from error
        message = response.message
        calls = [Call("", wanted.function.name, dict(wanted.function.arguments)) for wanted in message.tool_calls or []]
        kept = message.model_dump(exclude_none=True)
        return Reply(message.content or "", calls, response.prompt_eval_count, response.eval_count, kept)

    def result(self, call: Call, text: str) -> Message:
        """The message that gives the model what its call returned."""
        return {"role": "tool", "tool_name": call.tool, "content": text}

    async def close(self) -> None:
        """Lets the connections go."""
        await self._client.close()  # type: ignore[no-untyped-call]


def _call(wanted: Any) -> Call:
    return Call(str(wanted["id"]), str(wanted["function"]["name"]), _object(wanted["function"]["arguments"]))


def _object(text: Any) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
