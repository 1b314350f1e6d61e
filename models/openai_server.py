"""One OpenAI-compatible address: its HTTP through httpx, its limits, its models, and what it refuses as our errors.

Knows neither what is embedded nor what is said. httpx itself and not the `openai` package: that is 30 MB, and brings
retries, redirects and proxies of its own to switch off, for two routes.
Try: python -c "from models.openai_server import server_url; print(server_url('http://gpu-host:8000', ''))"
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import json
import re
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from errors import BadReply, ModelError, ModelMissing, PromptTooLong, UsageError
from models.calls import AskedToWait, Hopeless, NotANumber, RunnerDied, Stop
from models.wire import LIST_SECONDS, Address, Wire, client_options

if TYPE_CHECKING:
    import httpx

_MOST_BYTES = 64 << 20  # of a whole reply; 32 vectors of 4096 dimensions take 3 MB as text
_MOST_LINE = 4 << 20  # of one event in a stream
_MOST_NAMES = 8  # a gateway may list hundreds of models

# llama-server, vLLM, text-embeddings-inference, LM Studio, OpenAI; each says it in its own words.
_TOO_LONG = re.compile(
    r"exceed_context_size|context_length_exceeded|maximum context length|(?:exceeds?|longer than|overflows?)\b.{0,60}"
    r"\b(?:context|model length|max_model_len|n_ctx)|too large to process|must have less than \d+"
    r"|max_tokens. is too large|max_tokens must be at least 1"
    r"|(?:input|prompt|text)s?\b.{0,40}\b(?:is|are) too (?:long|large|big)"
    r"|too many (?:input )?tokens|exceed.{0,30}\bmax(?:imum)?\b.{0,30}\b(?:length|tokens)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|\bmodel\b.{0,200}\b(?:not found|not exist|not available|unknown)"
    r"|(?:unknown|invalid|no such) model",
    re.IGNORECASE | re.DOTALL,
)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|\bInf\b|not JSON compliant")
_UNABLE = re.compile(
    r"does not support (?:embedding|chat|the embedding|the chat)|not an? (?:embedding|chat) model", re.I
)


class Refused(ModelError):
    """The server does not take the request as it is written; `said` is its own text."""

    def __init__(self, text: str, said: str) -> None:
        super().__init__(text)
        self.said = said


class NoRoute(Hopeless):
    """The address answers, but not at this path."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a server tells of one of its models."""

    facts: str  # what tells its weights from others, as text; "" for nothing
    window: int | None  # tokens it is served with
    root: str  # the model behind the name, "" where not told
    warning: str = ""  # a way of the server that spoils answers

    def digest(self, version: str = "") -> str:
        """Of the facts, with the server's version behind it; "" where neither is told."""
        parts = (hashlib.sha256(self.facts.encode()).hexdigest()[:12] if self.facts else "", version)
        return "@".join(part for part in parts if part)


UNTOLD = Card("", None, "")
"""A model of a server that lists none."""


def server_url(address: str, setting: str) -> str:
    """The base address, to which `/models` and the like are added; `/v1` where no path is given.

    Raises UsageError for what is no http address, or holds a name or key.
    """
    bare = address.strip()
    try:
        parts = urlsplit(bare)
        usable = parts.scheme.lower() in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable, parts = False, urlsplit("")
    if re.search("[@?#]", bare):  # what may hold a secret is not repeated
        raise UsageError(
            f"{setting} holds more than an address. Write http://HOST:PORT/v1; a key goes into BRAIN_OPENAI_KEY."
        )
    if not usable or not bare.isascii() or re.search(r"\s", bare):
        raise UsageError(f"{setting}: {address!r} is no address. Write it as http://gpu-host:8000/v1.")
    path = re.sub(r"/(?:chat/completions|completions|embeddings|models)$", "", parts.path.rstrip("/")) or "/v1"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme.lower()}://{host}{port}{path}"


class Server(Address):
    """One address and its key; turns what the HTTP client raises, and what the server refuses, into our errors."""

    kind = "OpenAI-compatible server"
    busy = "see its log."
    version_of = "Check that the address is the server's base, which mostly ends in /v1."

    def __init__(
        self,
        address: str,
        key: str,
        settings: tuple[str, str],
        connect_seconds: float,
        read_seconds: float,
        total_seconds: float,
    ) -> None:
        """`settings` are those that name address and model. Raises UsageError for an address or key that is none."""
        super().__init__(server_url(address, settings[0]), connect_seconds, read_seconds, total_seconds)
        if not re.fullmatch(r"[\x21-\x7e]*", key):
            raise UsageError("BRAIN_OPENAI_KEY holds a space or a character that no key has. Set it again.")
        self.setting, self._naming = settings
        self.start = f"Start it, or set {self.setting} to where it listens."
        if self.url.startswith("http:"):
            self.log = f"See its log; if it speaks TLS, write https:// in {self.setting}."
        self._key = key
        self._client: httpx.Client | None = None

    def check(self, model: str) -> None:
        cards = self.cards()
        if cards is not None and model not in cards:
            raise ModelMissing(self.missing_text(model, cards))

    def missing_text(self, model: str, cards: Mapping[str, Card] | None = None) -> str:
        """The sentence to show for a model the server does not have, with what it has."""
        if cards is None:
            with contextlib.suppress(ModelError):
                cards = self.cards()
        near = difflib.get_close_matches(model, cards or (), n=_MOST_NAMES, cutoff=0.0)
        named = f"Model {model} is not" if model else "BRAIN_EMBED_MODEL is empty, and there is not one model alone"
        has = f", which has {', '.join(near)}" + ", ..." * (len(cards or ()) > len(near)) if near else ""
        return f"{named} at {self.url}{has}. Set {self._naming} to one of its names."

    def cards(self) -> dict[str, Card] | None:
        """The models by name; None where the server lists none. Raises ModelError."""
        try:
            reply = self._get(self.url + "/models")
        except NoRoute:
            return self._of_embeddings_server()
        with self.translated("", None):
            entries = reply if isinstance(reply, list) else reply["data"]
            return {str(entry["id"]): _card(entry) for entry in entries}

    def particulars(self, card: Card) -> tuple[str, int | None]:
        """The server's own version, "" where not told, and the window in tokens. Raises ModelError when it is away."""
        paths = {"vllm": ("/version", "version"), "llamacpp": ("/props", "build_info")}
        path, field = next((told for owner, told in paths.items() if f'"{owner}"' in card.facts), ("", ""))
        if not path:
            return "", card.window
        try:
            told = self._get(self._root() + path)
            window = told.get("default_generation_settings", {}).get("n_ctx")  # llama-server's, of one of its slots
            smaller = min(window, card.window or window) if type(window) is int and window > 0 else card.window
            return str(told.get(field) or ""), smaller
        except (Hopeless, BadReply, Refused, AttributeError):  # a proxy may not pass this, or pass another's
            return "", card.window  # while a mere delay must not change the identity

    def post(self, path: str, body: dict[str, Any], timeout: httpx.Timeout, deadline: float | None) -> Any:
        """The JSON of the reply. Raises ModelError."""
        with self.translated(body["model"], timeout.read), self._open("POST", self.url + path, timeout, body) as reply:
            return _json(self._whole(reply, deadline, body["model"]))

    def stream(
        self, path: str, body: dict[str, Any], deadline: float, stop: Stop
    ) -> Generator[dict[str, Any] | None, None, None]:
        """The events of a reply as they come, None for the end mark. Closing it, or `stop`, ends the server's work."""
        model, timeout, wire = body["model"], self.patience(deadline), Wire()
        with (
            self.translated(model, timeout.read),
            stop.ending(wire.cut),
            self._open("POST", self.url + path, timeout, body, wire) as reply,
        ):
            if not reply.headers.get("content-type", "").startswith("text/event-stream"):  # it streams nothing
                yield self._event(_json(self._whole(reply, deadline, model)), model)
                yield None
                return
            for data in events(self._chunks(reply, deadline, model)):
                if data.strip() == "[DONE]":
                    yield None
                    return
                yield self._event(_json(data), model)

    def _event(self, value: Any, model: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"an event is no object: {str(value)[:80]}")
        error = value.get("error")
        if error:
            code = error.get("code") if isinstance(error, dict) else None
            known = code if isinstance(code, int) and (code < 500 or code == 503) else 0
            failed = self._from_reply(model, known, _error_text(value))
            raise BadReply(str(failed)) if isinstance(failed, Refused) else failed  # it took the request before
        return value

    def _root(self) -> str:
        return self.url.removesuffix("/v1")

    def _of_embeddings_server(self) -> dict[str, Card] | None:
        """text-embeddings-inference lists no models, and tells of its only one at /info."""
        with contextlib.suppress(Hopeless, BadReply, Refused):
            told = self._get(self._root() + "/info")
            if isinstance(told, dict) and isinstance(told.get("model_id"), str):
                cuts = (
                    f"The embedding server cuts texts over {told.get('max_input_length')} tokens in silence. Start it "
                    "with --auto-truncate false."
                )
                facts = {name: told[name] for name in ("model_sha", "model_dtype", "version") if told.get(name)}
                return {
                    told["model_id"]: Card(
                        json.dumps(facts, sort_keys=True),
                        None,
                        told["model_id"],
                        cuts if told.get("auto_truncate") else "",
                    )
                }
        return None

    def _get(self, url: str) -> Any:
        deadline = time.monotonic() + LIST_SECONDS
        timeout = self.patience(deadline)
        with self.translated("", timeout.read), self._open("GET", url, timeout) as reply:
            return _json(self._whole(reply, deadline, ""))

    @contextlib.contextmanager
    def _open(
        self,
        method: str,
        url: str,
        timeout: httpx.Timeout,
        body: dict[str, Any] | None = None,
        wire: Wire | None = None,
    ) -> Iterator[httpx.Response]:
        import httpx

        if self._client is None:
            keyed = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._client = httpx.Client(headers=keyed, **client_options(self.url))
        extensions = {"trace": wire.trace} if wire else {}
        with self._client.stream(method, url, json=body, timeout=timeout, extensions=extensions) as reply:
            if not reply.is_success:
                raise self._refusal(reply, str((body or {}).get("model", "")))
            yield reply

    def _chunks(self, reply: httpx.Response, deadline: float | None, model: str) -> Iterator[bytes]:
        for chunk in reply.iter_bytes():
            if deadline is not None and time.monotonic() > deadline:  # keep-alives alone would never end
                raise self.too_slow(model, self.total_seconds)
            yield chunk

    def _whole(self, reply: httpx.Response, deadline: float | None, model: str) -> str:
        parts, size = [], 0
        for chunk in self._chunks(reply, deadline, model):
            parts.append(chunk)
            size += len(chunk)
            if size > _MOST_BYTES:
                raise ValueError(f"a reply of more than {_MOST_BYTES >> 20} MB")
        text = b"".join(parts).decode("utf-8", "replace")
        if text.lstrip()[:1] == "<":
            raise self._web_page(reply.status_code, text)
        return text

    def _web_page(self, status: int, text: str) -> ModelError:
        found = re.search(r"<title[^>]*>(.*?)</title>", text[:10_000], re.DOTALL | re.IGNORECASE)
        title = f" ({self._without_key(' '.join(found[1].split()))[:80]!r})" if found else ""
        told = f"{self.url} answers with a web page{title}, status {status}"
        if status in (502, 503, 504):
            return RunnerDied(f"{told}: the proxy before the model server does not reach it. Start it, or ask again.")
        if status == 413:
            return PromptTooLong(f"{told}: the proxy takes no text this long. Send less, or raise its limit.")
        if status == 404:
            return NoRoute(f"{told}: no such path. {self.setting} is the server's base, mostly ending in /v1.")
        return Hopeless(
            f"{told}, not with JSON: a login or a proxy stands before it. Set {self.setting} to the model server's own "
            "address, and BRAIN_OPENAI_KEY if it wants a key."
        )

    def _refusal(self, reply: httpx.Response, model: str) -> ModelError:
        status = reply.status_code
        if status in range(300, 400):
            target = urlsplit(reply.headers.get("location", ""))
            where = f"{target.scheme}://{target.hostname}" if target.hostname else "elsewhere"
            return Hopeless(
                f"{self.url} sends on to {self._without_key(where)[:100]} (status {status}), where no text and no key "
                f"goes. Set {self.setting} to the final address."
            )
        try:
            text = self._whole(reply, time.monotonic() + LIST_SECONDS, model)
        except ModelError as error:
            return error
        try:
            text = _error_text(json.loads(text))
        except (ValueError, RecursionError):
            text = " ".join(text.split())
        return self._from_reply(model, status, text, reply.headers.get("retry-after", ""))

    def _from_reply(self, model: str, status: int, text: str, after: str = "") -> ModelError:
        text = self._without_key(text)
        said = f"{model or 'The server'} at {self.url}: {text[:300] or 'no reason given'} (status {status or 200})"
        if status in (401, 403):
            has = "is not the one it wants" if self._key else "is not set"
            return Hopeless(f"The model server asks for a key, and BRAIN_OPENAI_KEY {has}. {said}")
        if _TOO_LONG.search(text) or status == 413:
            return PromptTooLong(f"The text is longer than the model's window. {said}. Send less text.")
        if status in (400, 404, 422) and model and _NO_MODEL.search(text):
            return ModelMissing(f"{self.missing_text(model)} It says: {text[:200]}")
        if status == 501 or _UNABLE.search(text):
            return Hopeless(f"The model cannot do this. {said}. Name another model, or another address for embeddings.")
        if status in (404, 405):
            return NoRoute(f"No such path. {said}. {self.setting} is the server's base, mostly ending in /v1.")
        if status == 429 and re.search("quota|billing|credit", text, re.IGNORECASE):
            return Hopeless(f"The account may ask no more. {said}.")
        if status in (429, 503):
            seconds = float(after) if re.fullmatch(r"\d{1,6}(\.\d+)?", after) else 0.0
            wait = f" in {seconds:g} s" if seconds else " in a moment"
            return AskedToWait(f"The model server is busy. {said}. Ask again{wait}.", seconds)
        if _NOT_A_NUMBER.search(text):
            return NotANumber(f"The model makes no vector of this text. {said}. Change the text.")
        if status == 502:
            return RunnerDied(f"The model's process does not answer. {said}. {self.log}")
        if status in (400, 415, 422):
            return Refused(f"The model server refuses the request. {said}.", text)
        if status < 400:
            return BadReply(f"The answer broke off. {said}. Ask again; the reason is in the server's log.")
        return ModelError(f"The model server failed. {said}. See its log.")

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    def away(self, error: BaseException) -> Hopeless:
        if re.search("ssl|certificate|handshake", str(error), re.IGNORECASE):
            return Hopeless(
                f"No safe connection to {self.url} ({error}). If your own authority signed its certificate, set "
                f"SSL_CERT_FILE to that authority's file; if it speaks plain HTTP, write http:// in {self.setting}."
            )
        return super().away(error)


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each server-sent event, however the bytes are cut; comments and other fields are passed over.

    Raises ValueError for a line without end.
    """
    rest, data = b"", []
    for chunk in chunks:
        *lines, rest = re.split(rb"\r\n|\n|\r(?!\Z)", rest + chunk)  # a CR at the end may be half of a CRLF
        if len(rest) > _MOST_LINE:
            raise ValueError("an event without end")
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data).decode("utf-8", "replace")
                data = []
    if rest.startswith(b"data:"):
        data.append(rest[5:].removeprefix(b" "))
    if data:  # the empty line after the last event is left out by some
        yield b"\n".join(data).decode("utf-8", "replace")


def _card(entry: Mapping[str, Any]) -> Card:
    told = entry.get("meta")
    meta = told if isinstance(told, dict) else {}
    facts = {name: entry[name] for name in ("owned_by", "root") if entry.get(name)}
    facts |= {name: meta[name] for name in ("n_params", "n_vocab", "n_embd", "size", "ftype") if name in meta}
    window = next((w for w in (entry.get("max_model_len"), meta.get("n_ctx")) if type(w) is int and w > 0), None)
    ollama = entry.get("owned_by") == "library"
    cuts = "This is an Ollama, which cuts long prompts in silence at this address. Set BRAIN_BACKEND=ollama."
    return Card(json.dumps(facts, sort_keys=True), window, str(entry.get("root") or ""), cuts if ollama else "")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("JSON nested too deep") from None


def _error_text(value: Any) -> str:
    """The sentence in an error reply, or all of it where it holds none."""
    found = value
    for key in ("error", "message"):
        if isinstance(found, dict) and found.get(key):
            found = found[key]
    told = found if isinstance(found, str) else json.dumps(value)
    code = (
        value.get("error", {}).get("code") if isinstance(value, dict) and isinstance(value.get("error"), dict) else ""
    )
    return " ".join(f"{told} {code if isinstance(code, str) else ''}".split())
