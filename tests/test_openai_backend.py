"""The OpenAI-compatible backend against the double, over real sockets: every dialect, every fault, and what is sent.

Against a real server: BRAIN_E2E_OPENAI=http://127.0.0.1:8080/v1 pytest tests/test_openai_backend.py -k real
Try: pytest tests/test_openai_backend.py
"""

import json
import logging
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import answer
import config
from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong, Stopped, UsageError
from models import ChatModel, Embedder, ModelIdentity, is_there, named, pick, served
from models.calls import AskedToWait, Hopeless, Stop
from models.openai_backend import OpenAIChat, OpenAIEmbedder
from models.openai_server import UNTOLD, Server, events, server_url
from search import open_index
from tests.conftest import FACTS, reads, write
from tests.doubles import closed_port
from tests.openai_double import CHAT, EMBED, Dialect, FaultKind, OpenAIDouble
from tests.served import running, wait_until

ASK = [{"role": "system", "content": "You are terse."}, {"role": "user", "content": "What is the capital of France?"}]
OBJECT = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
KEY = "sk-sesame-9"


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PAUSES", (0.01, 0.02))


@pytest.fixture
def double() -> Iterator[OpenAIDouble]:
    with OpenAIDouble() as running:
        yield running


def server_of(address: str, key: str = "", **limits: float) -> Server:
    base = {"connect_seconds": 1.0, "read_seconds": 5.0, "total_seconds": 10.0}
    return Server(address, key, ("BRAIN_OPENAI_URL", "BRAIN_MODEL"), **{**base, **limits})


def chat_of(address: str, key: str = "", model: str = CHAT, num_predict: int = 64, **limits: float) -> OpenAIChat:
    return OpenAIChat(server_of(address, key, **limits), model, UNTOLD, window=4096, num_predict=num_predict)


def embedder_of(address: str, key: str = "", model: str = EMBED, **limits: float) -> OpenAIEmbedder:
    server = server_of(address, key, **limits)
    return OpenAIEmbedder(server, model, (server.cards() or {}).get(model, UNTOLD) if not key else UNTOLD)


class Heard:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def piece(self, text: str) -> None:
        self.told.append(text)

    def withdrawn(self, why: str) -> None:
        self.told.append(f"<{why}>")


def test_the_classes_are_what_the_protocols_ask_for(double: OpenAIDouble) -> None:
    embedder: Embedder = embedder_of(double.url)
    chat: ChatModel = chat_of(double.url)
    assert embedder.default_min_score == 0.45
    assert chat.window == 4096


# --- the stream ---------------------------------------------------------------------------------------------------

STREAM = (
    ': a comment\n\ndata: {"a": "é"}\n\nevent: x\ndata: one\ndata:two\n\nid: 7\nretry: 5\n\n'
    "data: \u2028 is no line's end\n\ndata: [DONE]"
)
HEARD = ['{"a": "é"}', "one\ntwo", "\u2028 is no line's end", "[DONE]"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_events_are_read_however_they_are_cut(ends: str, step: int) -> None:
    data = STREAM.replace("\n", ends).encode()
    assert list(events(data[start : start + step] for start in range(0, len(data), step))) == HEARD


def test_an_event_without_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="without end"):
        list(events(b"x" * (1 << 20) for _ in range(5)))


@pytest.mark.parametrize(("ends", "step"), [("\n", 0), ("\r\n", 5), ("\n", 1)])
def test_a_reply_however_its_bytes_come(ends: str, step: int) -> None:
    with OpenAIDouble(ends=ends, bytes_at_once=step, handler=lambda messages: "Łódź is in Poland.") as double:
        reply = chat_of(double.url).chat(ASK)
    assert reply.text == "Łódź is in Poland."
    assert (reply.prompt_tokens, reply.reply_tokens) == (17, 4)


# --- chat ---------------------------------------------------------------------------------------------------------


def test_what_is_sent(double: OpenAIDouble) -> None:
    chat_of(double.url).chat(ASK, temperature=0.7)
    assert double.bodies("/v1/chat/completions") == [
        {
            "model": CHAT,
            "messages": ASK,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0.7,
            "max_tokens": 64,
            "chat_template_kwargs": {"enable_thinking": False},
        }
    ]


@pytest.mark.parametrize(
    ("refuses", "left_out", "told"),
    [
        (("chat_template_kwargs",), {"chat_template_kwargs"}, "reasons"),
        (("stream_options",), {"stream_options"}, ""),
        (("temperature", "stream_options"), {"temperature", "stream_options"}, "vary"),
        (("max_tokens", "chat_template_kwargs"), {"max_tokens", "chat_template_kwargs"}, "reasons"),
    ],
)
def test_a_field_that_is_refused_is_left_out_from_then_on_and_told_once(
    refuses: tuple[str, ...], left_out: set[str], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    with OpenAIDouble(dialect="strict", refuses=refuses) as double, caplog.at_level(logging.WARNING):
        chat = chat_of(double.url)
        for _ in range(2):
            assert chat.chat(ASK).text.startswith("Paris")
        bodies = double.bodies("/v1/chat/completions")
    assert len(bodies) == len(refuses) + 2
    assert left_out.isdisjoint(bodies[-1])
    assert ("max_tokens" in left_out) == ("max_completion_tokens" in bodies[-1])
    assert len(caplog.records) == bool(told)
    assert told in caplog.text


@pytest.mark.parametrize(
    ("refuses", "form"),
    [((), "json_schema"), (("json_schema",), "json_object"), (("json_schema", "json_object"), None)],
)
def test_json_is_asked_for_in_the_best_form_the_server_takes(refuses: tuple[str, ...], form: str | None) -> None:
    with OpenAIDouble(refuses=refuses, handler=lambda messages: '```json\n{"city": "Paris"}\n```') as double:
        chat = chat_of(double.url)
        for _ in range(2):
            assert json.loads(chat.chat(ASK, OBJECT).text) == {"city": "Paris"}
        last = double.bodies("/v1/chat/completions")[-1]
        assert last.get("response_format", {}).get("type") == form
        assert ('"city"' in last["messages"][-1]["content"]) == bool(refuses)
        if not refuses:
            assert last["response_format"]["json_schema"]["schema"] == OBJECT
        double.handler = lambda messages: "Sure! Here you are."
        with pytest.raises(BadReply, match="did not write the JSON asked for"):
            chat.chat(ASK, OBJECT)


def test_a_refusal_that_names_nothing_is_told(double: OpenAIDouble) -> None:
    double.fail("status", status=400, text="messages must alternate")
    with pytest.raises(ModelError, match=r"refuses the request.*must alternate"):
        chat_of(double.url).chat(ASK)
    assert len(double.bodies("/v1/chat/completions")) == 1


def test_reasoning_is_never_part_of_a_reply(double: OpenAIDouble) -> None:
    double.fail("thinks")
    assert chat_of(double.url).chat(ASK).text == "Paris is the capital of France."
    double.handler = lambda messages: "<think>see [1]</think>\nParis [2]."
    assert chat_of(double.url).chat(ASK).text == "Paris [2]."
    double.handler = lambda messages: "<think>on and on"
    with pytest.raises(BadReply, match="empty answer"):
        chat_of(double.url).chat(ASK)


TLS_PORT = "The plain HTTP request was sent to HTTPS port"
CHAT_FAULTS: list[tuple[FaultKind, dict[str, Any], type[ModelError], str]] = [
    ("error_event", {"text": "EngineCore encountered an issue"}, BadReply, "broke off.*EngineCore"),
    ("error_event", {"status": 400, "text": "This model's maximum context length is 9 tokens."}, PromptTooLong, "is 9"),
    ("error_event", {"status": 503, "text": "overloaded", "times": 3}, ModelBusy, "overloaded"),
    ("error_event", {"status": 400, "text": "temperature is odd"}, BadReply, "temperature is odd"),
    ("no_end", {}, BadReply, "without an end mark"),
    ("cut", {"text": "Paris is", "times": 3}, ModelError, "dropped the connection"),
    ("finish", {"text": "length"}, PromptTooLong, r"was cut after 17 [+] 6 tokens"),
    ("finish", {"text": "content_filter"}, BadReply, "content filter"),
    ("finish", {"text": "tool_calls"}, BadReply, "ended with 'tool_calls'"),
    ("thinking", {}, BadReply, "hidden reasoning at num_predict=64"),
    ("status", {"status": 401, "text": "Unauthorized"}, Hopeless, "BRAIN_OPENAI_KEY is not set"),
    ("status", {"status": 403, "text": "no"}, Hopeless, "BRAIN_OPENAI_KEY"),
    ("status", {"status": 404, "text": f"The model `{CHAT}` does not exist."}, ModelMissing, f"which has .*{EMBED}"),
    ("status", {"status": 404, "text": "Not Found"}, Hopeless, r"No such path.*mostly ending in /v1"),
    ("status", {"status": 429, "text": "You exceeded your current quota"}, Hopeless, "may ask no more"),
    ("status", {"status": 503, "text": "Loading model", "times": 3}, ModelBusy, "Loading model"),
    ("status", {"status": 500, "text": "CUDA out of memory"}, ModelError, "failed.*out of memory"),
    ("status", {"status": 400, "text": TLS_PORT}, ModelError, "HTTPS port"),
    ("drop", {"times": 3}, ModelError, "dropped the connection"),
    ("login", {}, Hopeless, r"web page \('Sign in to Acme'\), status 200.*BRAIN_OPENAI_URL"),
    ("login", {"status": 403}, Hopeless, "web page.*BRAIN_OPENAI_KEY"),
    ("login", {"status": 502, "times": 3}, ModelError, "does not reach it"),
    ("json_list", {}, BadReply, "without an end mark|made no sense"),
    ("redirect", {"text": "https://sso.acme.example/a?token=1"}, Hopeless, r"https://sso.acme.example .status 307"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "error", "text"), CHAT_FAULTS)
def test_chat_faults(
    double: OpenAIDouble, kind: FaultKind, settings: dict[str, Any], error: type[ModelError], text: str
) -> None:
    double.fail(kind, path="/v1/chat/completions", **settings)
    with pytest.raises(error, match=text) as caught:
        chat_of(double.url).chat(ASK)
    assert CHAT in str(caught.value) or double.url in str(caught.value)
    assert len(double.bodies("/v1/chat/completions")) == settings.get("times", 1)


TOO_LONG = [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8200 in the messages, 800 "
    "in the completion). Please reduce the length of the messages or completion.",
    "'max_tokens' or 'max_completion_tokens' is too large: 800. This model's maximum context length is 4096 tokens",
    "max_tokens must be at least 1, got -186.",
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
    "request (9030 tokens) exceeds the available context size (4096 tokens), try increasing it",
    "Illegal param: prefill 744 tokens exceed n_ctx_per_seq, try increasing total context size",
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length "
    "of only 4096 tokens, which exceeds the context length",
    "Input validation error: `inputs` must have less than 512 tokens. Given: 516",
    "input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
    "Input prompt (35247 tokens) is too long and exceeds limit of 1000",
]


def test_a_prompt_too_long_in_the_words_of_every_server(double: OpenAIDouble) -> None:
    chat = chat_of(double.url)
    for status, text in [*((400, text) for text in TOO_LONG), (500, TOO_LONG[-2])]:
        double.fail("status", status=status, text=text)
        with pytest.raises(PromptTooLong):
            chat.chat(ASK)


@pytest.mark.parametrize("dialect", ["vllm", "llama", "strict"])
def test_a_prompt_over_the_window(dialect: Dialect) -> None:
    with OpenAIDouble(dialect=dialect, window=512) as double:
        chat = chat_of(double.url)
        with pytest.raises(PromptTooLong, match="512"):
            chat.chat([{"role": "user", "content": "word " * 600}])
        with pytest.raises(PromptTooLong, match=r"512|was cut after 509"):  # room for the prompt, none for the reply
            chat.chat([{"role": "user", "content": "word " * 505}])
        assert chat.chat([{"role": "user", "content": "word " * 400}]).prompt_tokens == 404


@pytest.mark.parametrize("kind", ["drop", "login", "rate", "status"])
def test_what_passes_is_tried_again(double: OpenAIDouble, kind: FaultKind) -> None:
    faults: dict[str, dict[str, Any]] = {"login": {"status": 502}, "rate": {"seconds": 0.05}, "status": {"status": 503}}
    settings = faults.get(kind, {})
    double.fail(kind, times=2, path="/v1/chat/completions", **settings)
    assert chat_of(double.url).chat(ASK).text.startswith("Paris")
    double.fail(kind, times=2, path="/v1/embeddings", **settings)
    assert embedder_of(double.url).embed_documents(["leave"])[0] is not None


def test_a_server_that_asks_to_wait_is_waited_for_unless_it_is_too_long(double: OpenAIDouble) -> None:
    double.fail("rate", seconds=0.3)
    assert chat_of(double.url).chat(ASK).seconds > 0.3
    double.fail("rate", seconds=60)
    with pytest.raises(AskedToWait, match="Ask again in 60 s"):
        chat_of(double.url).chat(ASK)
    double.fail("rate", seconds=20)
    with pytest.raises(ModelBusy):
        chat_of(double.url, total_seconds=1.0).chat(ASK)


@pytest.mark.parametrize(
    ("kind", "seconds", "limits"),
    [
        ("slow", 0.8, {"read_seconds": 0.2}),
        ("stall", 0.8, {"read_seconds": 0.2}),
        ("slow", 0.8, {"total_seconds": 0.2}),
        ("drip", 0.05, {"total_seconds": 0.2}),
        ("pings", 0.05, {"total_seconds": 0.2}),
    ],
)
def test_no_answer_is_waited_for_longer_than_told(
    double: OpenAIDouble, kind: FaultKind, seconds: float, limits: dict[str, Any]
) -> None:
    double.handler = lambda messages: "word " * 60
    double.fail(kind, seconds=seconds)
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"did not answer within 0.2 s"):
        chat_of(double.url, **limits).chat(ASK)
    assert time.monotonic() - started < 2  # all of it takes 3 s


@pytest.mark.parametrize("kind", ["slow", "stall"])
def test_a_stop_ends_a_read_that_waits_and_frees_the_server(double: OpenAIDouble, kind: FaultKind) -> None:
    double.fail(kind, seconds=20)
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    heard = Heard()
    with pytest.raises(Stopped):
        chat_of(double.url).chat(ASK, stop=stop, listener=heard)
    assert "<" not in "".join(heard.told), "nothing died"
    assert time.monotonic() - started < 5
    wait_until(lambda: double.hung_up == 1, 2)


def test_a_listener_hears_the_reply_and_what_does_not_count(double: OpenAIDouble) -> None:
    double.fail("cut", text="Paris is")
    heard = Heard()
    assert chat_of(double.url).chat(ASK, listener=heard).text == "Paris is the capital of France."
    died = next(place for place, text in enumerate(heard.told) if text.startswith("<"))
    assert "".join(heard.told[:died]) == "Paris is"
    assert "".join(heard.told[died + 1 :]) == "Paris is the capital of France."


def test_a_server_that_does_not_stream(double: OpenAIDouble) -> None:
    double.fail("whole")
    assert chat_of(double.url).chat(ASK).prompt_tokens == 17


def test_warm_up_waits_for_the_load_and_learns_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.openai_backend._LOOK_AGAIN", 0.01)
    with OpenAIDouble(dialect="llama", loading=3, load_seconds=0.3, refuses=("chat_template_kwargs",)) as double:
        chat = chat_of(double.url, read_seconds=0.1, total_seconds=0.1)
        chat.warm_up()
        assert [body["max_tokens"] for body in double.bodies("/v1/chat/completions")] == [1] * 5
        assert "chat_template_kwargs" not in double.bodies("/v1/chat/completions")[-1]


# --- embeddings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shuffles", "packs"), [(False, False), (True, False), (True, True)])
def test_vectors_are_of_unit_length_in_order_and_batched(shuffles: bool, packs: bool) -> None:
    texts = [f"text {number}" for number in range(70)]
    with OpenAIDouble(shuffles=shuffles, packs=packs) as double:
        vectors = embedder_of(double.url).embed_documents(texts)
        assert [len(body["input"]) for body in double.bodies("/v1/embeddings")] == [32, 32, 6]
        for text, vector in zip(texts, vectors, strict=True):
            assert vector is not None
            assert vector.dtype == np.float32
            assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6
            assert float(vector @ np.asarray(double.vector(text), dtype=np.float32)) > 0.9999


@pytest.mark.parametrize(
    ("model", "root", "instructed"), [(EMBED, "", True), ("e", "", False), ("e", "Qwen/Qwen3-Embedding-8B", True)]
)
def test_questions_go_behind_the_instruction_of_their_model(model: str, root: str, instructed: bool) -> None:
    with OpenAIDouble(embeds=(model,)) as double:
        card = UNTOLD.__class__("", None, root)
        embedder = OpenAIEmbedder(server_of(double.url), model, card)
        embedder.embed_documents(["Leave is 30 days."])
        embedder.embed_query("How long is leave?", "en")
        document, query = (body["input"][0] for body in double.bodies("/v1/embeddings"))
    assert document == "Leave is 30 days."
    assert query.startswith("Instruct: ") == instructed
    assert query.endswith("How long is leave?")


@pytest.mark.parametrize("dialect", ["vllm", "llama", "tei", "strict"])
def test_a_text_over_the_window_loses_only_itself(dialect: Dialect) -> None:
    with OpenAIDouble(dialect=dialect) as double:
        vectors = embedder_of(double.url).embed_documents(["short", "word " * 512, "word " * 511])
        assert [vector is None for vector in vectors] == [False, True, False]
        assert len(double.bodies("/v1/embeddings")) == 4  # the fault is known to be the text's: no probe


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (400, "Input content cannot be empty"),
        (500, "something nobody has seen"),
        (500, "Out of range float values: NaN"),
    ],
)
@pytest.mark.parametrize("others", [2, 0])
def test_one_bad_text_loses_only_itself(double: OpenAIDouble, status: int, text: str, others: int) -> None:
    double.poison("cursed", status, text)
    texts = ["good"] * others + ["cursed"] + ["fine"] * others
    vectors = embedder_of(double.url).embed_documents(texts)
    assert [vector is None for vector in vectors] == [False] * others + [True] + [False] * others


def test_a_text_that_cannot_be_sent_loses_only_itself(double: OpenAIDouble) -> None:
    vectors = embedder_of(double.url).embed_documents(["good", "half a pair \udc80"])
    assert [vector is None for vector in vectors] == [False, True]


@pytest.mark.parametrize("kind", ["few", "twice", "null_vector", "bad_base64", "json_list"])
def test_a_bad_batch_is_made_good_singly(double: OpenAIDouble, kind: FaultKind) -> None:
    double.fail(kind, path="/v1/embeddings")
    vectors = embedder_of(double.url).embed_documents(["one", "two", "three"])
    assert all(vector is not None for vector in vectors)
    assert [len(body["input"]) for body in double.bodies("/v1/embeddings")] == [3, 1, 1, 1]


SERVER_FAULTS: list[tuple[FaultKind, dict[str, Any], type[ModelError]]] = [
    ("status", {"status": 503, "text": "Loading model"}, ModelBusy),
    ("drop", {}, ModelError),
    ("few", {}, BadReply),
    ("login", {}, Hopeless),
    ("status", {"status": 401}, Hopeless),
    ("status", {"status": 501, "text": "This server does not support embeddings"}, Hopeless),
    ("status", {"status": 404, "text": "The model `x` does not exist."}, ModelMissing),
]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("kind", "settings", "error"), SERVER_FAULTS)
def test_a_fault_of_the_server_is_raised_and_not_blamed_on_texts(
    double: OpenAIDouble, kind: FaultKind, settings: dict[str, Any], error: type[ModelError], count: int
) -> None:
    double.fail(kind, times=1000, path="/v1/embeddings", **settings)
    with pytest.raises(error):
        embedder_of(double.url).embed_documents(["text"] * count)
    assert len(double.bodies("/v1/embeddings")) <= (1 if error in (Hopeless, ModelMissing) else 9)


def test_a_model_replaced_while_in_use_is_noticed(double: OpenAIDouble) -> None:
    embedder = embedder_of(double.url)
    assert embedder.identity.dimension == 256
    double.dimension = 128
    with pytest.raises(BadReply, match="not 256 long"):
        embedder.embed_query("leave", "en")


def test_the_wrong_kind_of_model(double: OpenAIDouble) -> None:
    with pytest.raises(Hopeless, match=r"cannot do this.*does not support Embeddings API"):
        embedder_of(double.url, model=CHAT).embed_documents(["a", "b"])
    with pytest.raises(Hopeless, match="does not support Chat"):
        chat_of(double.url, model=EMBED).chat(ASK)


# --- who is there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "versioned"), [("vllm", True), ("llama", True), ("tei", False), ("strict", False)])
def test_an_identity_is_of_the_weights_and_the_server_s_version(dialect: Dialect, versioned: bool) -> None:
    def told(version: str, model: str = EMBED) -> str:
        with OpenAIDouble(dialect=dialect, version=version, embeds=(model,)) as double:
            identity = embedder_of(double.url, model=model).identity
            assert (identity.backend, identity.name, identity.dimension) == ("openai", model, 256)
            return identity.digest

    assert told("0.11.0") == told("0.11.0")
    assert told("0.11.0").endswith("@0.11.0") == versioned
    if dialect != "strict":  # which tells nothing of either
        assert told("0.11.0") != told("0.12.0")
    if dialect == "vllm":
        assert told("0.11.0") != told("0.11.0", "other")


def test_a_slow_version_is_an_error_not_another_identity(double: OpenAIDouble) -> None:
    double.fail("slow", path="/version", seconds=0.5)
    with pytest.raises(ModelError, match="did not answer"):
        _ = embedder_of(double.url, read_seconds=0.2).identity


CALLS: list[Callable[[str], object]] = [
    lambda url: embedder_of(url, "k").embed_documents(["a", "b"]),
    lambda url: embedder_of(url, "k").embed_query("a", "en"),
    lambda url: embedder_of(url, "k").identity,
    lambda url: embedder_of(url, "k").check(),
    lambda url: chat_of(url).chat(ASK),
    lambda url: chat_of(url).identity,
    lambda url: chat_of(url).warm_up(),
    lambda url: chat_of(url).check(),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_server_away_names_address_and_setting(call: Callable[[str], object]) -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    with pytest.raises(ModelError, match=rf"No OpenAI-compatible server answers at {url} .*BRAIN_OPENAI_URL") as caught:
        call(url)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("call", CALLS)
def test_a_model_missing_names_what_is_there(call: Callable[[str], object]) -> None:
    with (
        OpenAIDouble(embeds=(), chats=("a", "b")) as double,
        pytest.raises(ModelMissing, match=rf"^Model \S+ is not at {double.url}, which has [ab], [ab]. Set "),
    ):
        call(double.url)


# --- the key ------------------------------------------------------------------------------------------------------


def test_the_key_is_sent_and_never_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with OpenAIDouble(dialect="strict", key=KEY) as double:
        assert chat_of(double.url, KEY).chat(ASK).text
        assert set(double.keys) == {f"Bearer {KEY}"}
        double.key = "another"
        with pytest.raises(Hopeless, match=r"is not the one it wants.*Incorrect API key provided: \*\*\*") as caught:
            chat_of(double.url, KEY).chat(ASK)
        assert KEY not in str(caught.value)
        with pytest.raises(Hopeless, match="BRAIN_OPENAI_KEY is not set"):
            chat_of(double.url).chat(ASK)
    monkeypatch.setenv("BRAIN_OPENAI_KEY", KEY)
    assert config.main([]) == 0
    assert "BRAIN_OPENAI_KEY = set" in (shown := capsys.readouterr().out)
    assert KEY not in shown + repr(config.load())


@pytest.mark.parametrize("key", ["sesame open", "sésame", "sesame\r\nX-Evil: 1"])
def test_a_key_that_is_none_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(UsageError, match="BRAIN_OPENAI_KEY") as caught:
        server_of("http://gpu-host", key)
    assert "same" not in str(caught.value)


def test_text_and_key_follow_no_redirect(double: OpenAIDouble) -> None:
    with OpenAIDouble() as other:
        double.fail("redirect", text=f"{other.url}/chat/completions")
        with pytest.raises(Hopeless, match="307"):
            chat_of(double.url, KEY).chat(ASK)
        assert other.requests == []


def test_proxies_in_the_environment_do_not_matter(double: OpenAIDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    assert chat_of(double.url).chat(ASK).text.startswith("Paris")
    assert embedder_of(double.url).embed_query("leave", "en").shape == (256,)


def test_tls_to_a_server_without_it_is_told(double: OpenAIDouble) -> None:
    with pytest.raises(Hopeless, match=r"No safe connection to https://127.*SSL_CERT_FILE.*http://"):
        chat_of(double.url.replace("http:", "https:")).chat(ASK)


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to make a certificate with")
def test_a_certificate_is_trusted_if_its_authority_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    named = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    made = ["openssl", "req", "-x509", *curve, *named, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(made, check=True, capture_output=True)
    double = OpenAIDouble()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    double._server.socket = context.wrap_socket(double._server.socket, server_side=True)
    with double:
        url = double.url.replace("http:", "https:")
        with pytest.raises(Hopeless, match=r"CERTIFICATE_VERIFY_FAILED.*SSL_CERT_FILE"):
            chat_of(url).chat(ASK)
        with pytest.raises(ModelError, match="if it speaks TLS, write https://"):
            chat_of(double.url).chat(ASK)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert chat_of(url).chat(ASK).text.startswith("Paris")


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://gpu-host:8000/v1", "http://gpu-host:8000/v1"),
        (" http://gpu-host:8000 ", "http://gpu-host:8000/v1"),
        ("HTTPS://llm.acme.example/openai/v1/", "https://llm.acme.example/openai/v1"),
        ("http://gpu-host:8000/v1/chat/completions", "http://gpu-host:8000/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_addresses(given: str, url: str) -> None:
    assert server_url(given, "BRAIN_OPENAI_URL") == url


@pytest.mark.parametrize(
    "given",
    [
        "",
        "gpu-host:8000",
        "ftp://gpu-host",
        "http://gpu host",
        "http://x:99999",
        "http://me:sesame@gpu",
        "http://g/v1?k=sesame",
    ],
)
def test_an_address_that_is_none(given: str) -> None:
    with pytest.raises(UsageError, match=r"BRAIN_OPENAI_URL.*Write") as caught:
        server_url(given, "BRAIN_OPENAI_URL")
    assert "sesame" not in str(caught.value)


# --- chosen by setting --------------------------------------------------------------------------------------------

Made = Callable[..., config.Settings]


@pytest.fixture
def settings_of(tmp_path: Path, make_settings: Made) -> Made:
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, dict(FACTS))

    def made(url: str = "", **values: Any) -> config.Settings:
        return make_settings(docs, **{"backend": "openai", "openai_url": url, "min_score": 0.2, **values})

    return made


def test_pick_takes_the_models_that_are_named(double: OpenAIDouble, settings_of: Made) -> None:
    models = pick(settings_of(double.url, embed_model=EMBED, chat_model=CHAT, num_ctx=4096))
    assert models.label.startswith(f"openai/{EMBED}@")
    assert f"+ openai/{CHAT}@" in models.label
    assert models.notice == ""
    models.check()
    double.chats = ()
    with pytest.raises(ModelMissing, match=CHAT):
        models.check()


def test_pick_takes_the_only_model_of_each_address(settings_of: Made) -> None:
    with OpenAIDouble(dialect="llama", embeds=()) as chats, OpenAIDouble(dialect="tei", chats=()) as embeds:
        models = pick(settings_of(chats.url, openai_embed_url=embeds.host))
        assert models.label.startswith(f"openai/{EMBED}@")
        assert f"+ openai/{CHAT}@" in models.label
    assert "window of 4096 tokens" in models.notice
    assert "--auto-truncate false" in models.notice


@pytest.mark.parametrize(
    ("values", "label", "told"),
    [
        ({}, "embedded/use+minilm", "No embedding model is named"),
        ({"embed_model": "use"}, "embedded/use@", ""),
        (
            {"embed_model": EMBED, "chat_model": "away"},
            "+ quotes",
            "Model away is not at .*Until then answers are quot",
        ),
        ({"embed_model": EMBED, "num_ctx": 8192}, CHAT, "window of 4096 tokens, used instead of BRAIN_NUM_CTX=8192"),
    ],
)
def test_pick_tells_what_is_not_there(
    double: OpenAIDouble, settings_of: Made, values: dict[str, Any], label: str, told: str
) -> None:
    models = pick(settings_of(double.url, **{"chat_model": CHAT, "num_ctx": 4096, **values}))
    assert label in models.label
    assert (models.notice == "") == (told == "")
    assert told.partition(" .*")[0] in models.notice
    assert told.rpartition(".*")[2] in models.notice


def test_an_address_that_lists_nothing(settings_of: Made) -> None:
    with OpenAIDouble(lists=False, dialect="strict") as double:
        models = pick(settings_of(double.url, embed_model=EMBED, chat_model=CHAT))
        assert models.chat is not None
        assert models.chat.chat(ASK).text.startswith("Paris")
        assert (models.label, models.notice) == (f"openai/{EMBED} + openai/{CHAT}", "")
        models = pick(settings_of(double.url, openai_embed_url=double.url, chat_model=CHAT))
        assert models.label.startswith("embedded/")
        assert "lists no models" in models.notice


def test_the_model_of_an_index_is_found_while_the_chat_model_s_address_is_away(
    double: OpenAIDouble, settings_of: Made
) -> None:
    away = f"http://127.0.0.1:{closed_port()}/v1"
    identity = ModelIdentity("openai", EMBED, "", 256, "instruct-1")
    embedder = named(settings_of(away, openai_embed_url=double.url), identity)
    assert embedder is not None
    assert is_there(embedder)
    assert named(settings_of(away, openai_embed_url=double.url), replace(identity, name="gone")) is None
    double.embeds = ()
    assert not is_there(embedder)


def test_an_address_for_embeddings_alone_quotes(settings_of: Made) -> None:
    with OpenAIDouble(chats=()) as double:
        assert pick(settings_of(openai_embed_url=double.url)).label.endswith("+ quotes")


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        ({"url": ""}, UsageError, "Set BRAIN_OPENAI_URL="),
        ({"embed_model": "away"}, ModelMissing, f"Model away is not at .*which has .*{EMBED}"),
        ({"chat_model": "away"}, ModelMissing, "Model away is not at"),
        ({"chat_model": CHAT, "num_ctx": 8192, "num_predict": 5000}, UsageError, "leaves no room"),
        ({"url": "http://127.0.0.1:9/v1"}, ModelError, "No OpenAI-compatible server answers"),
    ],
)
def test_pick_raises(
    double: OpenAIDouble, settings_of: Made, values: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        pick(settings_of(**{"url": double.url, **values}))


def test_auto_never_looks_there(double: OpenAIDouble, settings_of: Made) -> None:
    away = f"http://127.0.0.1:{closed_port()}"
    models = pick(settings_of(double.url, backend="auto", ollama_host=away))
    assert models.chat is None
    assert double.requests == []


@pytest.mark.parametrize("dialect", ["vllm", "llama", "strict"])
def test_a_question_on_the_command_line_is_answered_and_checked(
    dialect: Dialect, settings_of: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refuses = ("chat_template_kwargs", "stream_options") if dialect == "strict" else ()
    with OpenAIDouble(dialect=dialect, handler=reads, window=8192, refuses=refuses, key=KEY) as double:
        settings = settings_of(double.url)
        for name in ("backend", "openai_url", "min_score", "db", "docs_dir"):
            monkeypatch.setenv(f"BRAIN_{name.upper()}", str(getattr(settings, name)))
        for name, value in {"EMBED_MODEL": EMBED, "CHAT_MODEL": CHAT, "OPENAI_KEY": KEY}.items():
            monkeypatch.setenv(f"BRAIN_{name}", value)
        assert answer.main(["Who hands out the electric cars?", "--json"]) == 0
        told = json.loads((shown := capsys.readouterr()).out)
        assert told["answer"] == "The fleet desk hands out seven electric cars every Tuesday. [1]"
        assert (told["status"], told["needs_review"]) == ("answered", False)
        assert told["claims"][0]["status"] == "supported"
        assert f"openai/{CHAT}" in told["model"]
        assert KEY not in shown.out + shown.err
        double.handler = lambda messages: "The fleet desk hands out nine electric cars every Tuesday. [1]"
        assert answer.main(["Who hands out the electric cars?", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["needs_review"]


def test_a_question_over_http_and_a_model_lost_later(settings_of: Made) -> None:
    with OpenAIDouble(handler=lambda asked: reads(asked) if len(asked) > 1 else "Hi", window=8192) as double:
        settings = settings_of(double.url, embed_model=EMBED, chat_model=CHAT, host="127.0.0.1", port=0)
        with running(settings) as service:
            assert f"openai/{EMBED}" in service.ready()["model"]
            assert any(body["max_tokens"] == 1 for body in double.bodies("/v1/chat/completions"))  # warmed up
            reply = service.client.post("/ask", json={"text": "How soon is a broken phone replaced?"})
            assert reply.status_code == 200
            assert reply.json()["answer"] == "A broken phone is replaced by the helpdesk within four days. [1]"
            assert not reply.json()["needs_review"]
            held, double.chats = double.chats, ()
            assert CHAT in service.ready("model_missing")["detail"]
            double.chats = held
            service.ready()


def test_other_weights_under_the_same_name_are_noticed(settings_of: Made) -> None:
    class Other(OpenAIDouble):
        def vector(self, text: str) -> list[float]:
            return super().vector(f"{text} other")

    with OpenAIDouble(dialect="strict", window=8192) as double, Other(dialect="strict", window=8192) as other:
        for url in (double.url, other.url):
            with open_index(settings_of(url, embed_model=EMBED, chat_model=CHAT), notice=lambda text: None) as index:
                index.sync()
        assert len(double.bodies("/v1/embeddings")) > 1
        assert any("fleet desk" in str(body) for body in other.bodies("/v1/embeddings")), "embedded anew"


# --- a real server ------------------------------------------------------------------------------------------------


REAL, REAL_KEY = os.environ.get("BRAIN_E2E_OPENAI", ""), os.environ.get("BRAIN_E2E_OPENAI_KEY", "")


@pytest.mark.skipif(not REAL, reason="BRAIN_E2E_OPENAI names no server")
def test_end_to_end_with_a_real_server() -> None:
    server = server_of(REAL, REAL_KEY, read_seconds=600.0, total_seconds=600.0)
    cards = server.cards()
    assert cards
    name, card = next(iter(cards.items()))
    version, window = server.particulars(card)
    assert version
    assert window
    chat = OpenAIChat(server, name, card, window=window, num_predict=32)
    chat.warm_up()
    heard = Heard()
    reply = chat.chat([{"role": "user", "content": "What is the capital of France? One word."}], listener=heard)
    assert "Paris" in reply.text
    assert "".join(heard.told) == reply.text
    assert reply.prompt_tokens
    told = chat.chat([{"role": "user", "content": "The capital of France, as JSON."}], OBJECT)
    assert "city" in json.loads(told.text)
    with pytest.raises(PromptTooLong):
        chat.chat([{"role": "user", "content": "word " * window}])
    with pytest.raises(Hopeless, match="does not support embeddings"):
        OpenAIEmbedder(server, name, card).embed_query("a", "en")
