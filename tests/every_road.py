"""A company on a real server with sign-in, asked by its people on every road there is.

HTTP, its stream and MCP over a socket, the commands with --json; kept answers and suggestions are on. The model is a
double of Ollama's server. Try: pytest tests/test_every_road.py
"""

import contextlib
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import answer
import search
from access import tokens
from access.directory_sync import replace as put_directory
from access.entries import Account, Group, Listing
from commandline import run
from tests import engine
from tests.conftest import write
from tests.ollama_double import DEFAULT_MODELS, OllamaDouble
from tests.served import Running, running, settings_for

NOWHERE = "no-such/paper.md"
SYNC_TOKEN = "a-long-secret-word-for-syncs"
MCP = {"accept": "application/json, text/event-stream"}
SERVED = ("/search", "/ask", "/ask kept", "/ask/stream", "/documents", "/examples", "search_company_knowledge",
          "ask_company", "read_source", "/feedback", "/graph", "company_facts", "company_thing")  # fmt: skip
GRAPH = ("map?limit=2000", "things", "count?type=Service&by=owns", "list?type=Service&where=owns:in:",
         "join?type=Service&text=services", "join?type=Team&text=services")  # fmt: skip
"""Of the facts' addresses those that name nothing themselves."""
COMMANDS = ("search.py --json", "answer.py --json")
ROADS = (*SERVED, *COMMANDS)
OF_TEXTS = tuple(road for road in ROADS if road not in ("/examples", "/feedback"))
"""Those on which who may read a document is shown its words; examples show a choice, a judgement none."""
_QUOTE = r'\\*"'  # within a text of JSON it has backslashes before it
_OWN = re.compile(rf"{_QUOTE}id{_QUOTE}: ?{_QUOTE}[0-9a-f]{{32}}{_QUOTE}|{_QUOTE}timings{_QUOTE}: ?\{{[^}}]*\}}")
PEOPLE = ("ada", "bob", "eve")


class Company:
    """People with tokens, groups, documents with rules, and the server over them."""

    def __init__(self, service: Running, host: str) -> None:
        self.service, self.client, self.docs = service, service.client, service.settings.docs_dir
        self._host, self.tokens, self._rules = host, dict[str, str](), dict[str, str]()
        with self.tables() as connection:
            for name in PEOPLE:
                self.tokens[name] = tokens.make(connection, f"user:{name}", ("ask",), 1)[1]

    @contextlib.contextmanager
    def tables(self) -> Iterator[Any]:
        connection = engine.connection_to(self.service.settings.db)
        try:
            yield connection
        finally:
            connection.close()

    def members(self, **groups: Sequence[str]) -> None:
        """Syncs a directory with these groups; everybody else is in none."""
        made = tuple(Group(name, members=frozenset(f"user:{one}" for one in who)) for name, who in groups.items())
        with self.tables() as connection:
            put_directory(connection, Listing("", tuple(map(Account, PEOPLE)), made), allow_empty=True)

    def write(self, **files: str) -> None:
        """Documents `name.md`."""
        write(self.docs, {f"{name}.md": text for name, text in files.items()})

    def rule(self, name: str, who: str) -> None:
        """Lets `who` alone read a document, from the next sync on; everyone reads those without a rule."""
        self._rules[name] = who
        rows = [f'"{name}.md" = ["{who}"]' for name, who in self._rules.items()]
        write(self.docs, {"access.toml": "\n".join(["[allow]", '"**" = ["everyone"]', *rows, ""])})

    def sync(self) -> dict[str, Any]:
        """As an operator asks for it."""
        headers = {"authorization": f"Bearer {SYNC_TOKEN}"}
        reply = self.client.post("/sync", json={"wait": True}, headers=headers)
        assert reply.status_code == 200, reply.text
        did: dict[str, Any] = reply.json()["did"]
        return did

    def asked(self, who: str, question: str, path: str, roads: Sequence[str] = ROADS) -> dict[str, str]:
        """All that each road tells this person about the question and the document, but ids and timings."""
        return {road: _OWN.sub("", self._road(road)(who, question, path)) for road in roads}

    def _road(self, road: str) -> Callable[[str, str, str], str]:
        fetched: dict[str, Callable[[str, str, str], str]] = {
            "/search": lambda who, question, path: self.post(who, "/search", text=question, k=50),
            "/ask": lambda who, question, path: self.post(who, "/ask", text=question),
            "/ask kept": lambda who, question, path: [self.post(who, "/ask", text=question) for _ in range(2)][1],
            "/ask/stream": lambda who, question, path: self.post(who, "/ask/stream", text=question),
            "/documents": lambda who, question, path: self.get(who, f"/documents/{path}"),
            "/examples": lambda who, question, path: self.get(who, "/examples"),
            "/feedback": lambda who, question, path: self.judged(who, question),
            "search_company_knowledge": lambda who, question, path: self.tool(
                who, "search_company_knowledge", query=question, top=20
            ),
            "ask_company": lambda who, question, path: self.tool(who, "ask_company", question=question),
            "/graph": lambda who, question, path: "\n".join(self.get(who, f"/graph/{one}") for one in GRAPH),
            "company_facts": lambda who, question, path: self.tool(
                who, "company_facts", ask={"tool": "list", "type": "Service", "where": [["owns", "in", ""]]}
            ),
            "company_thing": lambda who, question, path: self.tool(who, "company_thing", name=desk(path)),
            "read_source": lambda who, question, path: self.tool(who, "read_source", path=path),
            "search.py --json": lambda who, question, path: self.command(search.main, who, question, "--json"),
            "answer.py --json": lambda who, question, path: self.command(answer.main, who, question, "--json"),
        }
        return fetched[road]

    def post(self, who: str, road: str, **body: Any) -> str:
        return self._sent("POST", who, road, body)

    def get(self, who: str, road: str) -> str:
        return self._sent("GET", who, road, None)

    def _sent(self, method: str, who: str, road: str, body: Any, **headers: str) -> str:
        if who:
            headers["authorization"] = f"Bearer {self.tokens[who]}"
        reply = self.client.request(method, road, json=body, headers=headers)
        return f"{reply.status_code} {reply.text}"

    def tool(self, who: str, name: str, /, **arguments: Any) -> str:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        told = self._sent("POST", who, "/mcp", call, **MCP)
        found = re.findall(r"^data: (\{.*)$", told, re.M)
        return json.dumps(json.loads(found[0])["result"], ensure_ascii=False) if found else told

    def judged(self, who: str, question: str) -> str:
        given = json.loads(self.post(who, "/ask", text=question).partition(" ")[2])
        return self.post(who, "/feedback", answer=given.get("id", "0" * 32), verdict="right")

    def command(self, main: Callable[[Sequence[str]], int], who: str, *words: str) -> str:
        """A command as from the shell, in this process: what it prints, and its exit code."""
        settings, out, err = self.service.settings, io.StringIO(), io.StringIO()
        chosen = {
            "BRAIN_CONFIG": os.devnull, "BRAIN_DB": str(settings.db), "BRAIN_DOCS_DIR": str(settings.docs_dir),
            "BRAIN_AUTH": "tokens", "BRAIN_BACKEND": "auto", "OLLAMA_HOST": self._host, "BRAIN_MIN_SCORE": "0.4",
            "BRAIN_SUGGEST": "1", "BRAIN_TOKEN": self.tokens[who] if who else "",
        }  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith("BRAIN_")]:
                patch.delenv(name)
            for name, value in chosen.items():
                patch.setenv(name, value)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as left:
                run(lambda _: main(words))
        return f"{left.value.code} {out.getvalue()}{err.getvalue()}"


def desk(path: str) -> str:
    """The service of a document, which nothing else names."""
    return f"{path.rpartition('/')[2].removesuffix('.md')}-desk"


def run_by(path: str, team: str) -> str:
    """What a document says of its service: a section with a table."""
    return f"\n## Services\n\n| Service | Owner |\n|---|---|\n| {desk(path)} | {team} |\n"


@contextlib.contextmanager
def company(folder: Path) -> Iterator[Company]:
    """A server over an empty folder with a rule that everyone may read."""
    docs = folder / "docs"
    docs.mkdir()
    embeds = {name: model for name, model in DEFAULT_MODELS.items() if model.does == "embed"}
    write(docs, {"access.toml": '[allow]\n"**" = ["everyone"]\n', "door.md": "# Door\n\nThe door bell is green.\n"})
    with OllamaDouble(models=embeds) as double:
        settings = settings_for(
            docs, backend="auto", ollama_host=double.host, min_score=0.4, auth="tokens", sync_token=SYNC_TOKEN,
            cache=100, suggest=True, follow=False,
        )  # fmt: skip
        with running(settings) as service:
            with contextlib.closing(engine.connection_to(settings.db)) as connection:
                token = tokens.make(connection, "user:watch", ("ask", "operate"), 1)[1]
            service.client.headers["authorization"] = f"Bearer {token}"
            service.ready()
            del service.client.headers["authorization"]
            yield Company(service, double.host)
