"""Documents, a double of the model server that reads prose, and an index: what the tests of facts in prose share."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access import Caller
from graph.view import Fact, View
from search import Index, open_index
from storage.facts import FactReader
from tests.conftest import caller, settings_on, write
from tests.ollama_double import OllamaDouble

ORDERS = "The order engine `plan-store` is owned by Bedrock.\n"
LEADS = "Ann Lee leads the Bedrock team these days.\n"
PAGE = (
    f"# Orders\n\n## Engine\n\n{ORDERS}\n## People\n\n{LEADS}\n## Table\n\n| Team | Floor |\n|---|---|\n| Red | 2 |\n"
)


def fact(**told: str) -> dict[str, str]:
    base = {"quote": "`plan-store` is owned by Bedrock", "subject": "Bedrock", "subject_type": "Team"}
    return base | {"relation": "owns", "object": "plan-store", "object_type": "Service", "since": ""} | told


LED = fact(quote=LEADS.strip(), subject="Ann Lee", subject_type="Person", relation="leads", object="Bedrock",
           object_type="Team")  # fmt: skip


def passage(messages: list[dict[str, str]]) -> str:
    return messages[-1]["content"].partition("\n")[2].rpartition("\n")[0]


def reader(messages: list[dict[str, str]]) -> str:
    """A model that reads well."""
    text = passage(messages)
    return json.dumps({"facts": [one for one in (fact(), LED) if one["object"] in text and one["subject"] in text]})


class House:
    """Documents, a double of the model server, and an index with its settings."""

    def __init__(self, tmp_path: Path, double: OllamaDouble) -> None:
        self.tmp, self.double, self.docs = tmp_path, double, tmp_path / "docs"
        self.docs.mkdir()
        self.open: list[Index] = []

    def index(self, files: dict[str, str], **values: Any) -> Index:
        write(self.docs, dict(files))
        settings = settings_on(self.tmp, self.docs, self.double, **{"read_facts": 50, "total_seconds": 5.0, **values})
        index = open_index(settings, notice=lambda text: None)
        self.open.append(index)
        return index

    def asked(self) -> int:
        return sum(1 for path, body in self.double.requests if path == "/api/chat" and body.get("messages"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with OllamaDouble(handler=reader) as double:
        made = House(tmp_path, double)
        yield made
        for index in made.open:
            index.store.close()


def facts(index: Index, predicate: str = "owns", who: Caller | None = None) -> list[Fact]:
    with index.store.reader(who or caller()) as rows:
        return View(FactReader(rows), index.relations, "2026-11-30", same=index.aliases).by(predicate)


def words(index: Index, predicate: str = "owns", who: Caller | None = None) -> list[tuple[str, str, str, int, str]]:
    with index.store.reader(who or caller()) as rows:
        view = View(FactReader(rows), index.relations, "2026-11-30")
        return [
            (fact.subject.name, fact.said, one.path, one.first_line, one.quote)
            for fact in view.by(predicate)
            for one in view.evidence(fact)
        ]


def left(index: Index) -> dict[str, int]:
    run = index.store.connection().execute
    tables = ("readings", "read_chunks", "facts", "evidence", "names", "nodes")
    return {table: run(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
