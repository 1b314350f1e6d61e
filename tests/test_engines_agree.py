"""SQLite and PostgreSQL give the same answer to the same person: hits, scores, passages, status, words.

Try: pytest tests/test_engines_agree.py, and with -m slow all questions
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from answer import Assistant
from config import PROJECT, load
from eval.access import GUEST, RULES, RuledFolder, caller_of
from models import Models, pick
from retrieval.found import Found
from search import Index
from store import Store, store_of
from tests import engine
from tests.conftest import HashEmbedder

CASES = [json.loads(line) for line in (PROJECT / "data" / "qa.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", params=["hash", pytest.param("embedded", marks=pytest.mark.slow)])
def both(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[list[Index]]:
    """The demo's documents under its rules in each engine, with a small model's vectors or the real ones."""
    place = tmp_path_factory.mktemp("both")
    server = engine.needs_server()
    database = server.made()
    (place / "empty.toml").touch()
    flags = {
        "docs_dir": PROJECT / "docs",
        "db": place / "i.db",
        "backend": "embedded",
        "suggest": True,
        "min_score": 0.3,
    }
    one = load(flags, {"BRAIN_CONFIG": str(place / "empty.toml")})
    other = replace(one, database=server.application(database))
    opened = []
    models = pick(one) if request.param == "embedded" else Models(HashEmbedder(dimension=512), None, "")
    for settings in (one, other):
        source = RuledFolder(one.docs_dir, RULES.read_text(encoding="utf-8"))
        opened.append(Index(settings, models, source, store_of(settings)))
        opened[-1].sync()
    assert type(opened[0].store) is Store is not type(opened[1].store)
    yield opened
    for index in opened:
        index.store.close()
    server.drop(database)


def told(index: Index, who: str, question: str) -> dict[str, Any]:
    """All that is told of a question, without what is each index's own: times and ids."""
    answer, found = Assistant(index).ask(caller_of(who), question)
    dumped = answer.model_dump(exclude={"id", "timings"})
    for source in dumped["sources"]:
        del source["indexed_at"]
    return {"hits": hits(found), "passages": passages(found), "answer": rounded(dumped)}


def hits(found: Found) -> list[Any]:
    return [(hit.chunk.path, hit.chunk.lines, rounded(hit.score), hit.passed) for hit in found.hits]


def passages(found: Found) -> list[Any]:
    return [(p.source, p.lines, p.text, rounded(p.score), p.also) for p in found.passages]


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def agree(both: Sequence[Index], cases: Sequence[dict[str, Any]]) -> None:
    for number, case in enumerate(cases):
        for who in (case["caller"], GUEST):
            one, other = (told(index, who, case["question"]) for index in both)
            for part in ("hits", "passages", "answer"):
                assert one[part] == other[part], f"case {number}, {who}: {part}"


def test_ten_questions_are_answered_alike(both: list[Index]) -> None:
    agree(both, [case for case in CASES if not case["held"]][::11][:10])


@pytest.mark.slow
def test_every_question_is_answered_alike(both: list[Index]) -> None:
    agree(both, CASES)


def test_the_two_state_the_same(both: list[Index]) -> None:
    one, other = (index.store.status() for index in both)
    assert replace(one, path="", megabytes=0, last_indexed="") == replace(other, path="", megabytes=0, last_indexed="")
    first, second = (index.store for index in both)
    assert [replace(r, indexed_at="") for r in first.receipts()] == [
        replace(r, indexed_at="") for r in second.receipts()
    ]
    assert first.left_out() == second.left_out()
    assert first.not_looked_at() == second.not_looked_at()
    assert first.lists_by_path() == second.lists_by_path()
    assert first.open_count() == second.open_count()
    assert first.custodian() == second.custodian()
    assert both[0].source.access_terms == first.lists_terms() == second.lists_terms()
