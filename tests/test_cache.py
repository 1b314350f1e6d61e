"""The answer cache: what is given again, and that another caller, document, model, limit or setting never is.

The models are a double of the model server over real sockets. Try: pytest tests/test_cache.py
"""

import dataclasses
import datetime
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from access import EVERYONE, Caller
from answer import Answer, Assistant
from answering import cache as cache_module
from answering.cache import Cache
from answering.history import Turn
from models import Models
from search import Index
from storage.filter import EVERYTHING, Filter
from store import store_of
from tests.conftest import FACTS, Grants, HashEmbedder, Opener, World, age, caller, write
from tests.engine import database_of
from tests.served import Held, running, write_docs
from tests.test_history import rewriting
from tests.test_stream import asked as streamed

CARS = "How many electric cars does the fleet desk hand out?"


class Caching:
    """A world whose assistants share a cache; `written` counts how often the model wrote."""

    def __init__(self, world: World, most: int = 8) -> None:
        self.world, self.cache = world, Cache(most)

    @property
    def written(self) -> int:
        return sum(path == "/api/chat" for path, _ in self.world.double.requests)

    def ask(self, question: str = CARS, who: Caller | None = None, index: Index | None = None, **more: Any) -> Answer:
        return Assistant(index or self.world.index, self.cache).ask(who or caller(), question, **more)[0]

    def hits(self, **more: Any) -> bool:
        """Whether the question is answered from the cache; then the model was not asked."""
        before = self.written
        answer = self.ask(**more)
        assert answer.cached == (self.written == before), "what is marked and what was done must agree"
        return answer.cached


@pytest.fixture
def here(world: Opener) -> Caching:
    return Caching(world(retries=0))


def bare(answer: Answer) -> dict[str, Any]:
    return answer.model_dump(exclude={"id", "timings", "cached", "made_at"})


def test_the_same_question_gets_the_same_answer_and_says_so(here: Caching) -> None:
    first, again = here.ask(), here.ask(f"  {CARS.replace(' ', '  ')}\n")
    assert here.written == 1
    assert (first.cached, first.made_at, again.cached) == (False, "", True)
    assert again.made_at.startswith(time.strftime("%Y-%m-", time.gmtime()))
    assert bare(again) == bare(first)
    assert again.id != first.id, "each can be judged"
    assert set(again.timings) == {"search", "total"}
    assert here.ask().made_at == again.made_at, "the time stays the first one's"


def test_without_a_cache_nothing_is_kept(world: Opener) -> None:
    opened = world(retries=0)
    for _ in range(2):
        assert not opened.ask(CARS).cached
    assert sum(path == "/api/chat" for path, _ in opened.double.requests) == 2


def test_another_question_filter_or_way_of_checking_is_another(here: Caching) -> None:
    here.ask()
    assert here.hits()
    others: list[dict[str, Any]] = [
        {"question": CARS.lower()}, {"question": CARS.removesuffix("?")}, {"wanted": Filter(path="cars.md")},
        {"wanted": Filter(since="2000-01-01")}, {"k": 1}, {"verify": "rules+model"},
    ]  # fmt: skip
    for other in others:
        assert not here.hits(**other), other
    assert here.hits(wanted=EVERYTHING, verify="rules")


@pytest.mark.permission
def test_another_caller_never_gets_it_whatever_their_rights(tmp_path: Path, world: Opener) -> None:
    here = Caching(world(retries=0))
    settings = dataclasses.replace(here.world.index.settings, db=tmp_path / "granted.db")
    settings = dataclasses.replace(settings, database=database_of(settings.db))
    lists = {"cars.md": {"fleet", EVERYONE}, "keys.md": {"fleet"}, "phones.md": {EVERYONE}}
    index = Index(settings, here.world.index.models, Grants(settings.docs_dir, lists), store_of(settings))
    index.sync()
    fleet, both = Caller("f", frozenset({"fleet"})), Caller("b", frozenset({"fleet", EVERYONE}))
    assert here.ask(who=fleet, index=index).status == "answered"
    assert here.hits(who=fleet, index=index)
    assert not here.hits(who=Caller("another", frozenset({"fleet"})), index=index), "it would tell what others asked"
    assert not here.hits(who=Caller("f", frozenset({"fleet"}), person="user:7"), index=index), (
        "nor whom an agent asks for"
    )
    assert not here.hits(who=both, index=index)
    assert not here.hits(who=caller(), index=index)
    refused = here.ask(who=Caller("nobody", frozenset()), index=index)
    assert (refused.status, refused.cached, refused.sources) == ("not_found", False, [])
    lists["cars.md"] = set()  # the right is taken away
    index.sync()
    assert here.ask(who=fleet, index=index).status == "not_found"
    index.store.close()


@pytest.mark.freshness
def test_a_changed_document_is_read_anew(here: Caching) -> None:
    folder = here.world.index.settings.docs_dir
    here.ask()
    write(folder, {"cars.md": FACTS["cars.md"].replace("seven", "nine")})
    age(folder / "cars.md", 60)
    assert not here.hits(), "the file is no longer what is cited, though the index does not know yet"
    assert not here.hits(), "and an answer whose file has changed is not kept"
    here.world.index.sync()
    assert "nine electric cars" in here.ask().answer
    assert here.hits()


@pytest.mark.deletion
@pytest.mark.freshness
def test_any_change_of_the_index_ends_what_was_kept(here: Caching) -> None:
    folder = here.world.index.settings.docs_dir
    here.ask()
    write(folder, {"new.md": "# New\n\nSomething else is written here.\n"})
    here.world.index.sync()
    assert not here.hits()
    assert here.hits()
    (folder / "cars.md").unlink()
    assert not here.hits()
    here.world.index.sync()
    assert "seven" not in here.ask().answer


def test_another_model_limit_or_setting_never_hits(here: Caching, tmp_path: Path) -> None:
    index = here.world.index
    here.ask()
    assert here.hits()
    other = Index(index.settings, Models(HashEmbedder(), index.models.chat, ""), index.source, index.store)
    other.sync()
    here.ask()  # the sync was a change
    assert here.hits()
    assert not here.hits(index=other), "another embedder"
    quoting = Index(index.settings, Models(index.models.embedder, None, ""), index.source, index.store)
    assert not here.ask(index=quoting).cached, "no chat model"
    for change in ({"min_score": 0.21}, {"min_coverage": 0.9}, {"retries": 1}, {"k": 3}, {"passage_chars": 0}):
        settings = dataclasses.replace(index.settings, **change)
        assert not here.hits(index=Index(settings, index.models, index.source, index.store)), change
    assert here.hits()


def test_a_new_calibration_is_another_limit(here: Caching) -> None:
    settings = dataclasses.replace(here.world.index.settings, min_score=None, min_coverage=0.5)
    index = Index(settings, here.world.index.models, here.world.index.source, here.world.index.store)
    here.ask(index=index)
    assert here.hits(index=index)
    embedder = index.models.embedder
    assert embedder
    measured = {"model": embedder.identity.label, "min_score": 0.1, "min_coverage": 0.5, "chunks": 3, "measured": "x"}
    index.store.calibrate(index.store.register(embedder), json.dumps(measured))
    assert not here.hits(index=index)


def test_a_question_about_last_week_is_another_tomorrow(here: Caching, monkeypatch: pytest.MonkeyPatch) -> None:
    class Tomorrow(datetime.date):
        @classmethod
        def today(cls) -> "Tomorrow":
            return cls(2031, 1, 1)

    here.ask()
    monkeypatch.setattr(cache_module, "date", Tomorrow)
    assert not here.hits()


def test_what_failed_or_is_unproved_is_asked_again(world: Opener) -> None:
    here = Caching(world(retries=1))
    double = here.world.double
    right = double.handler
    double.handler = lambda messages: "The fleet desk hands out ninety electric cars [1]."
    assert here.ask().needs_review
    assert not here.hits()
    double.handler = right
    double.fail("thinking", path="/api/chat")  # an empty reply
    with pytest.raises(Exception, match="empty"):
        here.ask()
    assert not here.hits()
    assert here.hits()
    double.handler = lambda messages: "no JSON" if "Judge claims" in messages[-1]["content"] else right(messages)
    for _ in range(2):
        answer = here.ask(verify="rules+model")
        assert (answer.cached, [p.code for p in answer.problems]) == (False, ["judge_could_not_check"])


def test_a_follow_up_is_kept_as_it_was_understood_and_its_notices_are_not(here: Caching) -> None:
    double = here.world.double
    turns = (Turn("What does the fleet desk do?", "It hands out cars [1]."),)
    here.ask()
    double.handler = rewriting({"question": CARS})
    answer = here.ask("And how many of them?", history=turns)
    assert (answer.cached, answer.asked) == (True, CARS)
    assert not here.ask().asked
    double.handler = rewriting("no JSON")
    for _ in range(2):
        answer = here.ask("And how many cars of them?", history=turns)
        assert (answer.cached, [p.code for p in answer.problems][:2]) == (False, ["rewrite_failed", "follow_up"])
    answer = here.ask(history=turns)
    assert (answer.cached, [p.code for p in answer.problems]) == (True, ["rewrite_failed"])
    assert here.ask().problems == []


def test_without_a_chat_model_a_notice_to_one_asker_is_not_kept_for_others(here: Caching) -> None:
    index = here.world.index
    quoting = Index(index.settings, Models(index.models.embedder, None, ""), index.source, index.store)
    question, turns = "And what does the fleet desk hand out?", (Turn(CARS, "Cars. [1]"),)
    told = [
        [problem.code for problem in here.ask(question, index=quoting, history=history).problems]
        for history in (turns, (), turns, ())
    ]
    assert ["follow_up" in codes for codes in told] == [True, False, True, False]
    assert told[0] == told[2]


@pytest.mark.refusal
def test_a_refusal_is_kept_too(here: Caching) -> None:
    question = "Who won the curling world cup in 1987?"
    first, again = here.ask(question), here.ask(question)
    assert (first.status, again.status, again.cached) == ("not_found", "not_found", True)


def test_the_longest_unused_goes_first(world: Opener) -> None:
    here = Caching(world(retries=0), most=2)
    for text in ("one cars?", "two cars?", "one cars?", "three cars?"):
        here.ask(text)
    assert len(here.cache) == 2
    assert [here.ask(text).cached for text in ("one cars?", "three cars?")] == [True, True]
    assert not here.ask("two cars?").cached


def test_many_threads_at_once(world: Opener) -> None:
    here = Caching(world(retries=0), most=3)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: here.ask(f"How many cars {n % 5}?"), range(40)))
    assert len(here.cache) == 3
    assert {answer.status for answer in answers} <= {"answered", "needs_review", "not_found"}
    assert len({answer.id for answer in answers}) == 40


def test_the_server_keeps_answers_where_it_is_told_to(
    double: Held, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = double.settings(write_docs(tmp_path / "docs"), cache=5, metrics=True, log_format="json")
    with running(settings) as service:
        service.ready()
        first = service.ask().json()
        again = service.ask().json()
        events = streamed(service)
        assert "brain_cached_answers_total 2.0" in service.client.get("/metrics").text
        for one in (first, again):
            judged = service.client.post("/feedback", json={"answer": one["id"], "verdict": "right"})
            assert judged.status_code == 200
        assert service.ask().json()["cached"], "a judgement changes no answer"
    assert (first["cached"], again["cached"], again["answer"]) == (False, True, first["answer"])
    assert [name for name, _ in events] == ["search", "route", "answer"]
    assert events[-1][1]["made_at"] == again["made_at"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line.get("cached") for line in lines if line["message"] == "question"] == [None, True, True, True]
