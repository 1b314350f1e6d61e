"""The same random companies asked from outside: over HTTP and MCP on a socket, MCP over stdio, the command line.

A case is a caller with a question, or a whole run of a command. Plain pytest looks at a few, BRAIN_ACCESS_ROADS=20 at
so many on each road; 300: python -m tests.prove_access --roads 300
"""

import contextlib
import json
import os
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

import server
from access import EVERYONE, Caller, local_caller
from answer import Assistant
from config import Settings
from models import Models
from retrieval.explain import explained
from search import Index
from server import Service, listening
from sources.folder import FolderSource
from store import store_of
from tests.access_worlds import World, callers, made, may, questions, written
from tests.conftest import HashEmbedder
from tests.ollama_double import DEFAULT_MODELS, OllamaDouble
from tests.served import settings_for, start, wait_until
from tests.test_access_property import _NOWHERE, answered, as_json, document
from tests.test_mcp import Remote, command, environment, result_of, rpc

pytestmark = pytest.mark.permission

CASES = int(os.environ.get("BRAIN_ACCESS_ROADS", "1"))
WHO = "x-test-caller"
MCP = {"accept": "application/json, text/event-stream"}


# --- who asks: the one place that knows how a caller comes in -----------------------------------------------------


def let_in(monkeypatch: pytest.MonkeyPatch, who: Sequence[Caller]) -> None:
    """The server takes a header's number for one of these callers."""
    monkeypatch.setattr(server, "caller_of", lambda request: who[int(request.headers[WHO])])


def at_this_machine(settings: Settings, road: str) -> Caller:
    """Who asks where nobody signs in."""
    if road == "stdio" and hasattr(settings, "mcp_caller"):
        return Caller(settings.mcp_caller, frozenset({EVERYONE}))
    return local_caller()


# --- HTTP and MCP on a socket -------------------------------------------------------------------------------------


class Roads:
    """A server over a world, asked as any of its callers."""

    def __init__(self, client: httpx.Client, index: Index) -> None:
        self.client, self.index = client, index

    def post(self, road: str, number: int, **body: Any) -> str:
        reply = self.client.post(road, json=body, headers={WHO: str(number)})
        return reply.text if reply.status_code == 200 else f"{reply.status_code} {reply.text}"

    def get(self, road: str, number: int) -> str:
        reply = self.client.get(road, headers={WHO: str(number)})
        return reply.text if reply.status_code == 200 else f"{reply.status_code} {reply.text}"

    def tool(self, number: int, name: str, **arguments: Any) -> str:
        call = rpc("tools/call", name=name, arguments=arguments)
        return json.dumps(result_of(self.client.post("/mcp", json=call, headers=MCP | {WHO: str(number)})))


@contextlib.contextmanager
def served(world: World, folder: Path) -> Iterator[Roads]:
    root = folder / "docs"
    root.mkdir(parents=True)
    written(world, root)
    opened: list[Index] = []

    def opens(settings: Settings) -> Index:
        embedder = HashEmbedder()
        embedder.embeds_units = True
        source = FolderSource(root, world.declared, world.guarded)
        opened.append(Index(settings, Models(embedder, None, ""), source, store_of(settings)))
        return opened[0]

    settings = settings_for(root, suggest=True, follow=False)
    with listening(settings) as bound:
        at_work = server.http_server(Service(settings, opens=opens))
        thread = threading.Thread(target=at_work.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            address = f"http://127.0.0.1:{bound.getsockname()[1]}"
            with httpx.Client(base_url=address, timeout=30, trust_env=False) as client:
                wait_until(lambda: client.get("/readyz", headers={WHO: "0"}).json()["code"] == "ready")
                yield Roads(client, opened[0])
        finally:
            at_work.should_exit = True
            thread.join(20)


def traces(world: World, caller: Caller, about: str) -> set[str]:
    """Words and names that a reply to this caller must not hold: of what they may not read and did not say."""
    hidden = [path for path in world.docs if not may(world, path, caller)]
    secret = {word for path in hidden for word in world.docs[path].words} | {path.rpartition("/")[2] for path in hidden}
    return {one for one in secret if one not in about}


def clean(world: World, caller: Caller, about: str, told: str) -> str:
    left = [one for one in traces(world, caller, about) if one in told.casefold()]
    assert not left, f"{about} tells {left}"
    return told


def anew(told: str) -> str:
    """An answer without what is its own."""
    return as_json({name: value for name, value in json.loads(told).items() if name not in ("id", "timings")})


def check_served(world: World, roads: Roads, number: int, caller: Caller, question: str) -> None:
    index, paths = roads.index, [*sorted(world.docs), _NOWHERE]
    told = {road: roads.post(road, number, text=question) for road in ("/ask", "/ask/stream")}
    told["/search"] = roads.post("/search", number, text=question, k=50)
    told["/examples"] = roads.get("/examples", number)
    told["ask_company"] = roads.tool(number, "ask_company", question=question)
    told["search_company_knowledge"] = roads.tool(number, "search_company_knowledge", query=question, top=20)
    told["error"] = roads.post("/ask", number, text=question, path="c/", verify="no")
    for road, reply in told.items():
        clean(world, caller, f"{road} {question}", reply)
    assert anew(told["/ask"]) == anew(answered(Assistant(index), caller, question))
    last = re.findall(r"^event: answer\ndata: (.*)$", told["/ask/stream"], re.M)
    assert anew(last[-1]) == anew(told["/ask"])
    assert as_json(json.loads(told["/search"])) == as_json(explained(index.searcher().search(caller, question, 50)))
    assert anew(as_json(json.loads(told["ask_company"])["structuredContent"])) == anew(told["/ask"])
    for path in paths:
        able, here = path in world.docs and may(world, path, caller), document(index, caller, path)
        reply, read = roads.get(f"/documents/{path}", number), roads.tool(number, "read_source", path=path)
        assert clean(world, caller, path, reply) == (here if able else roads.get(f"/documents/{_NOWHERE}", number))
        assert json.loads(clean(world, caller, path, read))["isError"] is not able
        if not able:
            assert read == roads.tool(number, "read_source", path=_NOWHERE)
    given = json.loads(told["/ask"])["id"]
    wrong = (number + 1) % 2  # the first two callers are two people
    if number < 2:
        other, none = (roads.post("/feedback", wrong, answer=one, verdict="right") for one in (given, "0" * 32))
        assert other == none
        assert other.startswith("404")
    assert roads.post("/feedback", number, answer=given, verdict="right") == '{"stored":true}'


def numbered(cases: int) -> list[tuple[int, int]]:
    """(seed, how many cases of its world): six callers each."""
    return [(seed, min(6, cases - 6 * seed)) for seed in range(-(-cases // 6))]


@pytest.mark.parametrize(("seed", "count"), numbered(CASES))
def test_over_http_and_mcp_each_gets_their_own(
    seed: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = made(seed)
    who = callers(world)
    let_in(monkeypatch, who)
    with served(world, tmp_path) as roads:
        for number, question in enumerate(questions(world, count)):
            check_served(world, roads, number, who[number], question)


# --- MCP over stdio and the command line, in processes of their own -----------------------------------------------


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    embeds = {name: model for name, model in DEFAULT_MODELS.items() if model.does == "embed"}
    with OllamaDouble(models=embeds) as found:
        yield found


def folder_of(seed: int, place: Path) -> tuple[World, Path]:
    """A world whose rules stand in its folder alone."""
    world = made(seed)
    world.declared, world.guarded = [], False
    root = place / f"docs{seed}"
    root.mkdir(parents=True)
    written(world, root)
    return world, root


def test_over_stdio_each_gets_their_own(tmp_path: Path, double: OllamaDouble) -> None:
    for seed, count in numbered(CASES):
        world, root = folder_of(seed, tmp_path / str(seed))
        caller = at_this_machine(settings_for(root), "stdio")
        first, *rest = command(root)
        target = StdioServerParameters(command=first, args=rest, env=environment(double), cwd="/")
        with (tmp_path / "stderr").open("w") as errors, Remote(stdio_client(target, errors), "legacy") as one:
            for question in questions(world, count):
                for tool, asked in (("search_company_knowledge", "query"), ("ask_company", "question")):
                    clean(world, caller, question, as_json(one.good(tool, **{asked: question})))
            for path in (*sorted(world.docs), _NOWHERE):
                told = one.call("read_source", path=path)
                assert told.is_error is not (path in world.docs and may(world, path, caller))
                clean(world, caller, path, str(told))


def test_on_the_command_line_each_gets_their_own(tmp_path: Path, double: OllamaDouble) -> None:
    chosen = {"BRAIN_BACKEND": "auto", "OLLAMA_HOST": double.host, "BRAIN_MIN_SCORE": "0.2"}
    for seed, count in numbered(CASES):
        world, root = folder_of(seed, tmp_path / str(seed))
        caller = at_this_machine(settings_for(root), "command line")
        able = {path for path in world.docs if may(world, path, caller)}
        for question in questions(world, count):
            for program in ("search.py", "answer.py")[: 1 + (seed == 0)]:
                with start([program, question, "--json", "--explain", "-k", "50"], root, **chosen) as process:
                    told, errors = process.communicate(timeout=120)
                assert process.returncode in (0, 1), errors
                clean(world, caller, question, told + errors)
                found = json.loads(told)
                hits = found["hits"] if program == "search.py" else found["explain"]["hits"]
                assert {hit["source"] for hit in hits} <= able
                sure = {path for path in able if any(word in question for word in world.docs[path].words)}
                assert sure <= {hit["source"] for hit in hits}
