"""The Ollama backend against the double, through the real client and real sockets: every fault, and what is sent.

The double is checked against recorded replies of a real server where BRAIN_OLLAMA_RECORDED names their folder.
Try: pytest tests/test_ollama_backend.py, or OLLAMA_HOST=http://127.0.0.1:11434 pytest -m ollama
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong, UsageError
from models import ChatModel, Embedder, ModelIdentity, served
from models.ollama_backend import OllamaChat, OllamaEmbedder, canonical_name, server_models, server_url
from tests.doubles import closed_port
from tests.ollama_double import FaultKind, Model, OllamaDouble

EMBED, CHAT = "qwen3-embedding:0.6b", "qwen3.5:9b"
ASK = [{"role": "system", "content": "You are terse."}, {"role": "user", "content": "What is the capital of France?"}]


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PAUSES", (0.01, 0.02))


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


def chat_of(host: str, **settings: Any) -> OllamaChat:
    base: dict[str, Any] = {"num_ctx": 512, "num_predict": 64, "temperature": 0.2, "keep_alive": "10m"}
    limits = {"connect_seconds": 1.0, "read_seconds": 5.0, "total_seconds": 10.0}
    return OllamaChat(host, settings.pop("model", CHAT), **{**base, **limits, **settings})


def embedder_of(host: str, **settings: Any) -> OllamaEmbedder:
    base: dict[str, Any] = {"connect_seconds": 1.0, "read_seconds": 5.0, "total_seconds": 10.0, "keep_alive": "10m"}
    return OllamaEmbedder(host, settings.pop("model", EMBED), **{**base, **settings})


def test_the_classes_are_what_the_protocols_ask_for(double: OllamaDouble) -> None:
    embedder: Embedder = embedder_of(double.host)
    chat: ChatModel = chat_of(double.host)
    assert embedder.default_min_score == 0.45
    assert chat.window == 512


# --- chat ---------------------------------------------------------------------------------------------------------


def test_chat_returns_text_and_counts(double: OllamaDouble) -> None:
    reply = chat_of(double.host).chat(ASK)
    assert reply.text == "Paris is the capital of France."
    assert (reply.prompt_tokens, reply.reply_tokens) == (17, 6)
    assert reply.seconds > 0


def test_chat_sends_think_false_truncate_false_and_its_limits(double: OllamaDouble) -> None:
    chat_of(double.host).chat(ASK)
    assert double.bodies("/api/chat") == [
        {
            "model": CHAT,
            "messages": ASK,
            "stream": True,
            "think": False,
            "truncate": False,
            "options": {"num_ctx": 512, "num_predict": 64, "temperature": 0.2},
            "keep_alive": "10m",
        }
    ]


def test_ten_requests_carry_one_set_of_options_and_the_model_loads_once(double: OllamaDouble) -> None:
    double.handler = lambda messages: '{"city": "Paris"}'
    chat, embedder = chat_of(double.host), embedder_of(double.host)
    chat.warm_up()
    _ = chat.identity, embedder.identity
    for _ in range(4):
        chat.chat(ASK)
        chat.chat(ASK, {"type": "object"})
        embedder.embed_query("leave", "en")
    embedder.embed_documents(["leave", "sick"])
    for path, requests in (("/api/chat", 9), ("/api/embed", 6)):
        bodies = double.bodies(path)
        assert len(bodies) == requests
        assert len({json.dumps([body["options"], body["keep_alive"]]) for body in bodies}) == 1
    assert sorted(double.loads) == sorted([CHAT, EMBED])


def test_the_double_counts_a_reload_when_the_window_changes(double: OllamaDouble) -> None:
    for num_ctx in (512, 512, 1024):
        chat_of(double.host, num_ctx=num_ctx).chat(ASK)
    assert double.loads == [CHAT, CHAT]


@pytest.mark.parametrize(("given", "sent"), [("10m", "10m"), ("-1", -1), ("0", 0), ("300", 300)])
def test_keep_alive_without_a_unit_is_sent_as_a_number(double: OllamaDouble, given: str, sent: object) -> None:
    chat_of(double.host, keep_alive=given).chat(ASK)
    assert double.bodies("/api/chat")[0]["keep_alive"] == sent


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("<think>see [1]</think>\nParis [2].", "Paris [2]."),
        ("\n <think>\n\n</think>\n\nParis.", "Paris."),
        ("<think>a</think><think>b</think> Paris.", "Paris."),
        ("the template opened it [1] </think> Paris [2].", "Paris [2]."),
        ("Write <think> and </think> around it.", "Write <think> and </think> around it."),
    ],
)
def test_leading_reasoning_is_stripped(double: OllamaDouble, said: str, kept: str) -> None:
    double.handler = lambda messages: said
    assert chat_of(double.host).chat(ASK).text == kept


def test_the_thinking_field_is_never_used(double: OllamaDouble) -> None:
    double.fail("thinks")
    assert chat_of(double.host).chat(ASK).text == "Paris is the capital of France."


def test_reasoning_before_json_is_stripped_and_json_is_checked(double: OllamaDouble) -> None:
    said = ['<think>x</think>{"queries":["a </think> b"]}', "Sure! Here you are."]
    double.handler = lambda messages: said.pop(0)
    chat = chat_of(double.host)
    assert json.loads(chat.chat(ASK, {"type": "object"}).text) == {"queries": ["a </think> b"]}
    assert double.bodies("/api/chat")[0]["format"] == {"type": "object"}
    with pytest.raises(BadReply, match="did not write the JSON asked for"):
        chat.chat(ASK, {"type": "object"})


SHIFT_REFUSED = "the prompt is longer than the context length currently available to the model; shorten the prompt"
NESTED = '{"error":{"code":400,"message":"request (9 tokens) exceeds the available context size"}}'
CHAT_FAULTS: list[tuple[FaultKind, dict[str, Any], type[ModelError], str]] = [
    ("error_line", {}, BadReply, r"broke off.*unexpected EOF.*ollama serve"),
    ("no_done", {}, BadReply, "without an end mark"),
    ("length", {"text": "Paris is the"}, BadReply, "was cut at num_predict=64"),
    ("length", {}, BadReply, "was cut at num_predict=64"),
    ("thinking", {}, BadReply, "hidden reasoning at num_predict=64"),
    ("too_long", {}, PromptTooLong, r"request \(1210 tokens\) exceeds the available context size"),
    ("status", {"status": 400, "text": SHIFT_REFUSED}, PromptTooLong, "raise num_ctx"),
    ("error_line", {"text": NESTED}, PromptTooLong, r"request \(9 tokens\) exceeds"),
    ("busy", {"times": 3}, ModelBusy, "server busy"),
    ("eof", {"times": 3}, ModelError, "unexpectedly stopped"),
    ("drop", {"times": 3}, ModelError, "dropped the connection"),
    ("status", {"text": "llama-server process has terminated: out of memory"}, ModelError, r"ollama run qwen3.5:9b"),
    ("status", {"status": 403, "text": "cloud is off"}, ModelError, "refuses"),
    ("not_json", {}, BadReply, "made no sense"),
    ("json_list", {}, BadReply, "made no sense"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "error", "text"), CHAT_FAULTS)
def test_chat_faults(
    double: OllamaDouble, kind: FaultKind, settings: dict[str, Any], error: type[ModelError], text: str
) -> None:
    double.fail(kind, path="/api/chat", **settings)
    with pytest.raises(error, match=text) as caught:
        chat_of(double.host).chat(ASK)
    assert "'code'" not in str(caught.value)  # the sentence is unwrapped, not the object shown
    if error is ModelError:
        assert not isinstance(caught.value, BadReply | ModelBusy | ModelMissing | PromptTooLong)
    assert CHAT in str(caught.value) or double.host in str(caught.value)


@pytest.mark.parametrize("kind", ["busy", "eof", "drop"])
def test_what_passes_is_tried_again(double: OllamaDouble, kind: FaultKind) -> None:
    double.fail(kind, times=2)
    assert chat_of(double.host).chat(ASK).text.startswith("Paris")
    double.fail(kind, times=2)
    assert embedder_of(double.host).embed_documents(["leave"])[0] is not None


def test_an_empty_answer_is_an_error(double: OllamaDouble) -> None:
    double.handler = lambda messages: "<think>on and on"
    with pytest.raises(BadReply, match="empty answer"):
        chat_of(double.host).chat(ASK)


@pytest.mark.parametrize("num_ctx", [512, 4096])
def test_a_cut_in_silence_is_noticed(double: OllamaDouble, num_ctx: int) -> None:
    long = [{"role": "user", "content": "The password is XYZZY. " + "alpha " * num_ctx}]
    with pytest.raises(PromptTooLong, match="exceeds the available context size"):
        chat_of(double.host, num_ctx=num_ctx).chat(long)
    double.obeys_truncate = False
    with pytest.raises(PromptTooLong, match=f"{num_ctx // 2 + 2} [+] 6 tokens"):
        chat_of(double.host, num_ctx=num_ctx).chat(long)


def test_a_window_filled_to_the_brim_counts_as_cut(double: OllamaDouble) -> None:
    chat = chat_of(double.host)
    with pytest.raises(PromptTooLong, match=r"506 [+] 6 tokens"):
        chat.chat([{"role": "user", "content": "word " * 502}])
    assert chat.chat([{"role": "user", "content": "word " * 501}]).prompt_tokens == 505


def test_no_answer_is_waited_for_longer_than_told(double: OllamaDouble) -> None:
    double.fail("slow", seconds=0.8)
    with pytest.raises(ModelError, match=r"did not answer within 0.2 s.*ollama ps"):
        chat_of(double.host, read_seconds=0.2).chat(ASK)
    double.fail("stall", seconds=0.8)
    with pytest.raises(ModelError, match=r"within 0.2 s"):
        chat_of(double.host, read_seconds=0.2).chat(ASK)
    double.fail("slow", seconds=0.8)
    with pytest.raises(ModelError, match=r"within 0.2 s"):
        chat_of(double.host, total_seconds=0.2).chat(ASK)


def test_a_slow_first_byte_within_the_read_limit_is_waited_for(double: OllamaDouble) -> None:
    double.load_seconds = 0.4
    assert chat_of(double.host, read_seconds=2.0).chat(ASK).text.startswith("Paris")


def test_the_total_deadline_ends_a_stream_that_never_pauses_and_frees_the_server(double: OllamaDouble) -> None:
    double.handler = lambda messages: "word " * 60
    double.fail("drip", seconds=0.05)
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"within 0.3 s") as caught:
        chat_of(double.host, total_seconds=0.3).chat(ASK)
    assert time.monotonic() - started < 2.5  # all of it takes 3 s
    for _ in range(40):
        if double.abandoned:
            break
        time.sleep(0.05)
    assert double.abandoned == 1
    assert caught.value.__traceback__  # alive until here, so it was not the garbage collector that hung up


def test_retries_stop_at_the_deadline(double: OllamaDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "PAUSES", (5.0, 5.0))
    double.fail("busy", times=3)
    with pytest.raises(ModelBusy):
        chat_of(double.host, total_seconds=1.0).chat(ASK)
    assert len(double.bodies("/api/chat")) == 1


def test_warm_up_has_no_deadline(double: OllamaDouble) -> None:
    double.load_seconds = 0.6
    chat = chat_of(double.host, read_seconds=0.1, total_seconds=0.1)
    chat.warm_up()
    assert double.bodies("/api/chat")[0]["messages"] == []
    assert double.loads == [CHAT]


def test_503_only_while_the_model_loads() -> None:
    with OllamaDouble(load_seconds=0.5, max_queue=1) as double, ThreadPoolExecutor(6) as pool:
        chats = [chat_of(double.host) for _ in range(6)]

        def outcome(chat: OllamaChat) -> str:
            try:
                return chat.chat(ASK).text
            except ModelBusy:
                return "busy"

        assert "busy" in set(pool.map(outcome, chats))
        assert "busy" not in set(pool.map(outcome, chats))


# --- embeddings ---------------------------------------------------------------------------------------------------


def test_documents_go_raw_and_questions_behind_the_instruction(double: OllamaDouble) -> None:
    embedder = embedder_of(double.host)
    embedder.embed_documents(["Leave is 30 days."])
    embedder.embed_query("How long is leave?", "en")
    document, query = double.bodies("/api/embed")
    assert document == {
        "model": EMBED,
        "input": ["Leave is 30 days."],
        "truncate": False,
        "options": {"num_ctx": 2048, "num_batch": 2048},
        "keep_alive": "10m",
    }
    assert query["input"][0].startswith("Instruct: Given a question")
    assert query["input"][0].endswith("\nQuery:How long is leave?")


def test_other_models_get_the_question_as_it_is() -> None:
    with OllamaDouble(models={"bge-m3": Model("embed")}) as double:
        embedder_of(double.host, model="bge-m3").embed_query("leave", "en")
        assert double.bodies("/api/embed")[0]["input"] == ["leave"]


def test_vectors_are_float32_unit_length_in_order_and_batched(double: OllamaDouble) -> None:
    texts = [f"text {number}" for number in range(70)]
    vectors = embedder_of(double.host).embed_documents(texts)
    assert [len(body["input"]) for body in double.bodies("/api/embed")] == [32, 32, 6]
    for text, vector in zip(texts, vectors, strict=True):
        assert vector is not None
        assert vector.dtype == np.float32
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-6
        assert float(vector @ np.asarray(double.vector(text), dtype=np.float32)) > 0.9999


def test_nothing_to_embed_asks_nothing(double: OllamaDouble) -> None:
    assert embedder_of(double.host).embed_documents([]) == []
    assert double.requests == []


TEXT_FAULTS = [
    (400, "embedding contains NaN or Inf values"),
    (500, "failed to encode response: json: unsupported value: NaN"),
    (400, "the input length exceeds the context length"),
    (500, "something nobody has seen"),
    (400, 'do embedding request: Post "http://127.0.0.1:1/v1/embeddings": EOF'),
]


@pytest.mark.parametrize(("status", "text"), TEXT_FAULTS)
@pytest.mark.parametrize("others", [3, 0])
def test_one_bad_text_loses_only_itself(double: OllamaDouble, status: int, text: str, others: int) -> None:
    double.poison("cursed", status, text)
    texts = ["good"] * others + ["cursed"] + ["fine"] * others
    vectors = embedder_of(double.host).embed_documents(texts)
    assert [vector is None for vector in vectors] == [False] * others + [True] + [False] * others


def test_a_text_over_the_window_loses_only_itself(double: OllamaDouble) -> None:
    vectors = embedder_of(double.host).embed_documents(["short", "word " * 2047, "word " * 2046])
    assert [vector is None for vector in vectors] == [False, True, False]
    assert len(double.bodies("/api/embed")) == 4  # the fault is known to be the text's: no probe


def test_a_text_that_cannot_be_sent_loses_only_itself(double: OllamaDouble) -> None:
    vectors = embedder_of(double.host).embed_documents(["good", "half a pair \udc80"])
    assert [vector is None for vector in vectors] == [False, True]


@pytest.mark.parametrize("kind", ["few", "nan_vector", "not_json", "json_list"])
def test_a_bad_batch_is_made_good_singly(double: OllamaDouble, kind: FaultKind) -> None:
    double.fail(kind)
    vectors = embedder_of(double.host).embed_documents(["one", "two", "three"])
    assert all(vector is not None for vector in vectors)
    assert [len(body["input"]) for body in double.bodies("/api/embed")] == [3, 1, 1, 1]


def test_a_batch_too_slow_is_tried_singly(double: OllamaDouble) -> None:
    double.fail("slow", seconds=0.5)
    vectors = embedder_of(double.host, read_seconds=0.2).embed_documents(["one", "two"])
    assert all(vector is not None for vector in vectors)


SERVER_FAULTS: list[tuple[FaultKind, dict[str, Any], type[ModelError]]] = [
    ("busy", {}, ModelBusy),
    ("eof", {}, ModelError),
    ("drop", {}, ModelError),
    ("few", {}, BadReply),
    ("status", {"text": "llama-server process has terminated"}, ModelError),
    ("status", {"status": 403, "text": "cloud is off"}, ModelError),
    ("status", {"status": 404, "text": 'model "x" not found, try pulling it first'}, ModelMissing),
]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("kind", "settings", "error"), SERVER_FAULTS)
def test_a_fault_of_the_server_is_raised_and_not_blamed_on_texts(
    double: OllamaDouble, kind: FaultKind, settings: dict[str, Any], error: type[ModelError], count: int
) -> None:
    double.fail(kind, times=1000, path="/api/embed", **settings)
    with pytest.raises(error):
        embedder_of(double.host).embed_documents(["text"] * count)
    hopeless = "status" in settings
    assert len(double.bodies("/api/embed")) <= (1 if hopeless else 9)  # a batch, a text and the probe, each three times


@pytest.mark.parametrize(
    ("kind", "error"), [("too_long", PromptTooLong), ("nan", BadReply), ("old_nan", BadReply), ("nan_vector", BadReply)]
)
def test_a_question_without_a_vector_is_an_error(
    double: OllamaDouble, kind: FaultKind, error: type[ModelError]
) -> None:
    double.fail(kind)
    with pytest.raises(error):
        embedder_of(double.host).embed_query("leave", "en")


def test_a_model_replaced_while_in_use_is_noticed(double: OllamaDouble) -> None:
    embedder = embedder_of(double.host)
    assert embedder.identity.dimension == 256
    double.dimension = 128
    with pytest.raises(BadReply, match="not 256 long"):
        embedder.embed_query("leave", "en")


def test_similar_texts_are_near(double: OllamaDouble) -> None:
    near, far = embedder_of(double.host).embed_documents(["parental leave lasts a year", "printers are on floor two"])
    assert near is not None
    assert far is not None
    question = np.asarray(double.vector("how long is parental leave"), dtype=np.float32)
    assert float(question @ near) > float(question @ far) + 0.3


# --- who is there -------------------------------------------------------------------------------------------------


def test_identity_is_asked_for_once(double: OllamaDouble) -> None:
    embedder, chat = embedder_of(double.host, model="Qwen3-Embedding:0.6B"), chat_of(double.host)
    for _ in range(2):
        digest = double.models[EMBED].digest(EMBED)
        assert embedder.identity == ModelIdentity("ollama", EMBED, f"{digest}@0.33.0-rc2", 256, "instruct-1")
        assert chat.identity.digest == double.models[CHAT].digest(CHAT)
        assert chat.identity.dimension == 0
    assert [path for path, _ in double.requests] == ["/api/tags", "/api/version", "/api/embed", "/api/tags"]


def test_identity_without_a_version_route(double: OllamaDouble) -> None:
    double.version = None
    assert "@" not in embedder_of(double.host).identity.digest


def test_a_slow_version_is_an_error_not_another_identity(double: OllamaDouble) -> None:
    double.fail("slow", path="/api/version", seconds=0.5)
    with pytest.raises(ModelError, match="did not answer"):
        _ = embedder_of(double.host, read_seconds=0.2).identity


def test_identity_waits_for_a_slow_load(double: OllamaDouble) -> None:
    double.load_seconds = 0.5
    assert embedder_of(double.host, read_seconds=0.2, total_seconds=0.2).identity.dimension == 256


CALLS: list[Callable[[str], object]] = [
    lambda host: embedder_of(host).embed_documents(["a", "b"]),
    lambda host: embedder_of(host).embed_query("a", "en"),
    lambda host: embedder_of(host).identity,
    lambda host: chat_of(host).chat(ASK),
    lambda host: chat_of(host).identity,
    lambda host: chat_of(host).warm_up(),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_server_away_names_host_and_command(call: Callable[[str], object]) -> None:
    host = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(ModelError, match=rf"No Ollama answers at {host} .*refused.*ollama serve") as caught:
        call(host)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("call", CALLS)
def test_a_model_missing_names_the_pull(call: Callable[[str], object]) -> None:
    with (
        OllamaDouble(models={"other": Model("chat")}) as double,
        pytest.raises(ModelMissing, match=rf"^Model \S+ is not on the Ollama at {double.host}. Run: ollama pull \S+$"),
    ):
        call(double.host)


def test_the_wrong_kind_of_model(double: OllamaDouble) -> None:
    with pytest.raises(ModelError, match=r"does not support embeddings.*ollama show"):
        embedder_of(double.host, model=CHAT).embed_documents(["a", "b"])
    with pytest.raises(ModelError, match="does not support chat"):
        chat_of(double.host, model=EMBED).chat(ASK)


def test_a_check_says_what_is_missing() -> None:
    with OllamaDouble(models={"bge-m3:latest": Model("embed")}) as double:
        embedder_of(double.host, model="BGE-M3").check()
        with pytest.raises(ModelMissing) as caught:
            chat_of(double.host).check()
        assert str(caught.value) == f"Model {CHAT} is not on the Ollama at {double.host}. Run: ollama pull {CHAT}"
        assert server_models(double.host, 1.0) == {
            "bge-m3:latest": double.models["bge-m3:latest"].digest("bge-m3:latest")
        }


def test_a_look_where_nothing_listens_imports_no_client() -> None:
    program = (
        "import sys; from errors import ModelError; from models.ollama_backend import server_models\n"
        "try:\n"
        f"    server_models('127.0.0.1:{closed_port()}', 1.0)\n"
        "except ModelError as error:\n"
        "    print(error)\n"
        "assert not {'ollama', 'httpx'} & set(sys.modules)"
    )
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Start it with: ollama serve" in done.stdout


def test_a_look_where_something_else_listens(double: OllamaDouble) -> None:
    double.fail("not_json")
    with pytest.raises(ModelError, match="made no sense"):
        server_models(double.host, 1.0)
    double.fail("status", status=404, text="404 page not found")
    with pytest.raises(ModelError, match="This is no Ollama"):
        server_models(double.host, 1.0)


def test_a_redirect_is_not_followed() -> None:
    with OllamaDouble() as double, socket.create_server(("127.0.0.1", 0)) as listener:

        def redirect() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                target = f"Location: {double.host}/api/chat\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                connection.sendall(b"HTTP/1.1 307 Temporary Redirect\r\n" + target.encode())

        thread = threading.Thread(target=redirect)
        thread.start()
        with pytest.raises(ModelError, match="307"):
            chat_of(f"127.0.0.1:{listener.getsockname()[1]}").chat(ASK)
        thread.join()
        assert double.requests == []


def test_proxies_in_the_environment_do_not_matter(double: OllamaDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert chat_of(double.host).chat(ASK).text.startswith("Paris")
    assert embedder_of(double.host).embed_query("leave", "en").shape == (256,)
    assert CHAT in server_models(double.host, 1.0)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("gpu-box", "http://gpu-box:11434"),
        (":5000", "http://127.0.0.1:5000"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:11434/", "http://127.0.0.1:11434"),
        ("http://gpu-box", "http://gpu-box:80"),
        ("HTTPS://gpu-box/ollama/", "https://gpu-box:443/ollama"),
        ("[::1]:7000", "http://[::1]:7000"),
    ],
)
def test_addresses_are_read_as_ollama_reads_them(given: str, url: str) -> None:
    assert server_url(given) == url


@pytest.mark.parametrize("given", ["ftp://gpu-box", "gpu-box:port", "gpu-box:99999", "http://[::1"])
def test_an_address_that_is_none(given: str) -> None:
    with pytest.raises(UsageError, match=r"not usable. Write it as http://127.0.0.1:11434"):
        embedder_of(given)


def test_names_are_compared_as_the_server_does() -> None:
    assert canonical_name("All-MiniLM") == canonical_name(" all-minilm:latest ")
    assert canonical_name("registry:5000/team/model") == "registry:5000/team/model:latest"
    assert canonical_name(EMBED) != canonical_name("qwen3-embedding")


# --- the double against the real server ---------------------------------------------------------------------------

RECORDED = {  # recorded reply -> the double's model for the name in its request
    "chat": "chat", "chat-stream": "chat", "chat-num-predict": "chat", "chat-no-messages-load": "chat",
    "chat-model-not-found": "", "chat-model-empty": "", "chat-bad-json": "chat",
    "chat-no-body": "chat", "chat-bad-keep-alive": "chat", "chat-bad-option-type": "chat", "chat-wrong-method": "chat",
    "chat-bad-field-type": "chat", "chat-format-invalid-string": "chat", "chat-think-unsupported": "chat",
    "chat-on-embed-model": "embed", "chat-overflow-truncate-false": "chat", "chat-overflow-single-message": "chat",
    "embed-single": "embed", "embed-batch": "embed", "embed-empty-list": "embed", "embed-empty-string": "embed",
    "embed-missing-input": "embed", "embed-null-input": "embed", "embed-prompt-field": "embed",
    "embed-bad-type-list": "embed", "embed-bad-type-number": "embed", "embed-model-not-found": "",
    "embed-on-chat-model": "chat", "embed-whitespace": "embed", "embed-list-with-empty-string": "embed",
    "no-such-route": "", "root": "", "version": "", "show-not-found": "",
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDED)
def test_the_double_replies_in_the_recorded_shape(name: str) -> None:
    folder = os.environ.get("BRAIN_OLLAMA_RECORDED")
    if not folder:
        pytest.skip("BRAIN_OLLAMA_RECORDED names no folder of recorded replies")
    recorded = json.loads((Path(folder) / f"{name}.json").read_text(encoding="utf-8"))
    request = recorded["request"]
    asked = request["body"]["model"] if isinstance(request["body"], dict) else ""
    does = RECORDED[name]
    models = {asked: Model("chat" if does == "chat" else "embed", 8192)} if asked and does else {}
    with OllamaDouble(models=models, handler=lambda messages: "word " * 20) as double:
        status, kind, body = fetch(double.host, request)
    assert (status, kind) == (recorded["status"], recorded["content_type"])
    if "body_text" in recorded:
        assert body == recorded["body_text"]
        return
    wanted = recorded.get("lines") or [recorded["body"]]
    got = [json.loads(line) for line in body.splitlines()]
    assert shape(got[0]) == shape(wanted[0])
    assert shape(got[-1]) == shape(wanted[-1])
    for key in ("model", "done", "done_reason"):
        assert got[-1].get(key) == wanted[-1].get(key)
    assert without_counts(got[-1].get("error", "")) == without_counts(wanted[-1].get("error", ""))
    if name == "chat-overflow-single-message":
        assert got[-1]["prompt_eval_count"] == wanted[-1]["prompt_eval_count"]


def fetch(host: str, recorded: dict[str, Any]) -> tuple[int, str, str]:
    body = recorded["body"]
    if isinstance(body, dict):
        body = json.dumps({**body, "messages": as_sent(body["messages"])} if "messages" in body else body)
    data = None if body is None else body.encode()
    asked = urllib.request.Request(host + recorded["path"], data, method=recorded["method"])
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(asked, timeout=5) as reply:
            return reply.status, reply.headers["Content-Type"], reply.read().decode()
    except urllib.error.HTTPError as reply:
        with reply:
            return reply.code, reply.headers["Content-Type"], reply.read().decode()


def as_sent(messages: Any) -> Any:
    """Long contents were recorded as their start and their length."""
    if not isinstance(messages, list):
        return messages
    contents = [re.fullmatch(r"(.*)\.\.\. \((\d+) chars\)", message["content"], re.DOTALL) for message in messages]
    return [
        {**message, "content": (found[1] * int(found[2]))[: int(found[2])]} if found else message
        for message, found in zip(messages, contents, strict=True)
    ]


def without_counts(error: str) -> str:
    return re.sub(r"\d+", "N", error)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


@pytest.mark.parametrize(
    ("fault", "path", "name"),
    [
        ("error_line", "/api/chat", "chat-stream-runner-killed"),
        ("busy", "/api/chat", "overloaded-503"),
        ("thinking", "/api/chat", "think-cut"),
        ("eof", "/api/embed", "embed-runner-killed"),
    ],
)
def test_the_doubles_faults_look_as_recorded(double: OllamaDouble, fault: FaultKind, path: str, name: str) -> None:
    folder = os.environ.get("BRAIN_OLLAMA_RECORDED")
    if not folder:
        pytest.skip("BRAIN_OLLAMA_RECORDED names no folder of recorded replies")
    recorded = json.loads((Path(folder) / f"{name}.json").read_text(encoding="utf-8"))
    double.fail(fault)
    content: dict[str, Any] = (
        {"model": CHAT, "messages": ASK} if path == "/api/chat" else {"model": EMBED, "input": "a"}
    )
    if fault == "thinking":
        content["stream"] = False
    status, _, body = fetch(double.host, {"method": "POST", "path": path, "body": content})
    wanted = recorded.get("example", recorded)
    last = json.loads(body.splitlines()[-1])
    assert status == wanted["status"]
    assert shape(last) == shape(wanted.get("lines_last", [wanted.get("body")])[-1])
    if "error" in last and fault != "eof":
        assert last == wanted.get("lines_last", [wanted.get("body")])[-1]


# --- a real server ------------------------------------------------------------------------------------------------


@pytest.mark.ollama
def test_end_to_end_with_a_real_server() -> None:
    host = os.environ.get("OLLAMA_HOST", "")
    embed, chat = os.environ.get("BRAIN_E2E_EMBED", EMBED), os.environ.get("BRAIN_E2E_CHAT", CHAT)
    assert {canonical_name(embed), canonical_name(chat)} <= server_models(host, 2.0).keys()
    slow = {"read_seconds": 600.0, "total_seconds": 600.0}
    embedder = embedder_of(host, model=embed, **slow)
    assert embedder.identity.dimension > 0
    near, far, too_long = embedder.embed_documents(
        ["Paris is the capital of France.", "Milk is white.", "word " * 9000]
    )
    query = embedder.embed_query("What is the capital of France?", "en")
    assert near is not None
    assert far is not None
    assert too_long is None
    assert float(query @ near) > float(query @ far)
    model = chat_of(host, model=chat, num_ctx=2048, num_predict=256, **slow)
    model.warm_up()
    reply = model.chat([{"role": "user", "content": "What is the capital of France? Answer with one word."}])
    assert reply.text
    with pytest.raises(PromptTooLong):
        model.chat([{"role": "user", "content": "word " * 4000}])
