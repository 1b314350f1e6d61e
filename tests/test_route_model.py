"""A model's choice where words are unsure: asked over a real socket, held to its schema, ignored where it breaks it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from facts.relations import BUILT_IN
from graph.by_model import Closed, understood
from graph.route import Choice, choose, settled
from graph.tools import TOOLS
from graph.view import View
from models.ollama_backend import OllamaChat
from tests.conftest import caller
from tests.ollama_double import DEFAULT_MODELS, OllamaDouble
from tests.route_company import PORT
from tests.told_facts import TODAY, seen, told

UNSURE = "Who owns the screws and bolts of berth-planner?"
SURE = "Who owns berth-planner?"
OWNER = {"tool": "chain", "arguments": {"start": ["berth-planner"], "steps": [["owns", "in"]]}}
CLOSED = Closed(("berth-planner", "Kestrel"), ("owns", "depends_on"), ("Service", "Team"))


@pytest.fixture
def view(docs: Path, make_index: Callable[..., Any]) -> Iterator[View]:
    with seen(told(docs, make_index, PORT), caller("a")) as made:
        yield made


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with OllamaDouble() as double:
        yield double


def ask(view: View, server: OllamaDouble, reply: object, question: str = UNSURE) -> Choice:
    server.handler = lambda messages: reply if isinstance(reply, str) else json.dumps(reply)
    chat = OllamaChat(
        server.host, "qwen3.5:9b", num_ctx=8192, num_predict=300, temperature=0.2, connect_seconds=2, read_seconds=5,
        total_seconds=10, keep_alive="1m",
    )  # fmt: skip
    return settled(choose(question, "en", View(view.rows, BUILT_IN, TODAY), None, TODAY), question, chat)


def test_a_model_chooses_where_words_are_unsure(view: View, server: OllamaDouble) -> None:
    choice = ask(view, server, OWNER)
    assert (choice.tool, choice.by) == ("chain", "model")
    assert choice.arguments["start"] == ["Service/berth planner"]
    assert TOOLS["chain"].function(view, **choice.arguments).rows
    assert ask(view, server, {"tool": "text", "arguments": {}}).tool == "text"


def test_a_sure_choice_asks_no_model(view: View, server: OllamaDouble) -> None:
    assert ask(view, server, OWNER, SURE).by == "words"
    assert ask(view, server, OWNER, "How many vacation days do I get?").tool == "text"
    assert server.bodies("/api/chat") == []


def test_the_model_hears_the_question_and_no_document(view: View, server: OllamaDouble) -> None:
    ask(view, server, OWNER)
    (body,) = server.bodies("/api/chat")
    heard = json.dumps(body)
    assert UNSURE in heard
    assert not [word for word in ("cargo-ledger", "Heron", "RabbitMQ", "hosting region", "Oslo") if word in heard]
    assert body["options"]["temperature"] == 0.0


@pytest.mark.parametrize(
    "reply",
    [
        "NOT_FOUND", "{", {"tool": "drop_tables", "arguments": {}}, {"tool": "chain", "arguments": {}},
        {"tool": "chain", "arguments": {"start": ["cargo-ledger"], "steps": [["owns", "in"]]}},
        {"tool": "chain", "arguments": {"start": ["berth-planner"], "steps": [["loves", "in"]]}},
        {"tool": "chain", "arguments": {"start": ["berth-planner"], "steps": [["owns", "sideways"]]}},
        {"tool": "list", "arguments": {"type": "Secret", "where": []}}, [[[[]]]], "[" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_choice_changes_nothing(view: View, server: OllamaDouble, reply: object) -> None:
    before = choose(UNSURE, "en", View(view.rows, BUILT_IN, TODAY), None, TODAY)
    assert ask(view, server, reply) == before


def test_a_server_that_fails_changes_nothing(view: View, server: OllamaDouble) -> None:
    before = choose(UNSURE, "en", View(view.rows, BUILT_IN, TODAY), None, TODAY)
    for _ in range(5):
        server.fail("status", status=500, text="out of memory")
    assert ask(view, server, OWNER) == before


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(OWNER),
        f"Let me think {{about}} it [1]. {json.dumps(OWNER)}",
        json.dumps([OWNER]),
        json.dumps(["chain", OWNER["arguments"]]),
        json.dumps({"name": "chain", "parameters": {"start": "berth-planner", "steps": ["owns", "in"]}}),
        json.dumps({"tool": "chain", "start": "berth-planner", "steps": [{"relation": "owns", "direction": "in"}]}),
        json.dumps({"tool": "chain", "arguments": {**OWNER["arguments"], "qualifier": None, "end_type": ""}}),  # type: ignore[dict-item]
    ],
)
def test_what_small_models_write_is_understood(reply: str) -> None:
    assert understood(reply, CLOSED) == ("chain", {"start": ["berth-planner"], "steps": [["owns", "in"]]})


def test_the_schema_is_made_from_all_tools() -> None:
    choices = {one["properties"]["tool"]["const"]: one["properties"]["arguments"] for one in CLOSED.schema()["anyOf"]}
    assert choices.keys() == {*TOOLS, "text"}
    assert choices["card"]["properties"]["thing"]["enum"] == ["berth-planner", "Kestrel"]
    assert choices["chain"]["properties"]["start"]["items"]["enum"] == ["berth-planner", "Kestrel"]
    assert "qwen3.5:9b" in DEFAULT_MODELS
