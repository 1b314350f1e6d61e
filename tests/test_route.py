"""Questions in words to typed questions: tables of cases over an invented company, and what must never go there."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from access import Caller
from facts.relations import BUILT_IN
from graph.dates import asked as asked_time
from graph.route import Choice, choose
from graph.sentence import Sentence
from graph.view import View
from models import Embedder
from models.embedded import EmbeddedEmbedder
from search import Index
from tests.conftest import caller
from tests.route_company import PORT
from tests.routing import Case, cases, chosen, wanted
from tests.told_facts import TODAY, seen, told

MakeIndex = Callable[..., Index]
DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def port(docs: Path, make_index: MakeIndex) -> Index:
    return told(docs, make_index, PORT)


@pytest.fixture
def view(port: Index) -> Iterator[View]:
    with seen(port, caller("a")) as made:
        yield made


def ask(view: View, question: str, lang: str = "en", embed: Embedder | None = None) -> Choice:
    return choose(question, lang, View(view.rows, BUILT_IN, TODAY), embed, TODAY)


def wrong(view: View, some: list[Case], embed: Embedder | None = None) -> list[str]:
    found = []
    for case in some:
        choice = ask(view, case.question, case.lang, embed)
        if chosen(choice) != wanted(case, view):
            found.append(f"{case.question} ({case.told}): {choice}")
    return found


@pytest.mark.parametrize(("name", "most"), [("open", 0), ("second", 2), ("third", 0)])
def test_words_alone_find_the_tool_and_its_arguments(view: View, name: str, most: int) -> None:
    some = cases(name)
    assert len(some) > 50
    missed = wrong(view, some)
    assert len(missed) <= most, "\n".join(missed)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["open", "second", "third"])
def test_examples_make_it_no_worse(view: View, name: str) -> None:
    some = cases(name)
    missed = wrong(view, some, EmbeddedEmbedder())
    assert len(missed) <= len(some) // 20, "\n".join(missed)


def test_staff_questions_stay_with_search(view: View) -> None:
    lines = (DATA / "qa.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    taken = [row["question"] for row in rows if ask(view, row["question"], row["lang"]).tool != "text"]
    assert len(rows) > 150
    assert len(taken) <= 2, taken  # two ask which team looks after a service: facts answer them, where there is one


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Who owns identity?", "chain"),  # an everyday word, and the rest of the question fits
        ("Who checks my identity at the gate?", "text"),
        ("Who owns the identity service?", "chain"),
        ("Do I notify my manager when I am ill?", "text"),
        ("What does `notify` depend on?", "chain"),
        ("What is the parental leave?", "text"),  # a page's title is no thing to be told of
        ("Who wrote the document “Parental leave”?", "chain"),
        ("Which platform does the train leave from?", "text"),
    ],
)
def test_an_everyday_word_is_a_name_only_where_it_is_used_as_one(view: View, question: str, tool: str) -> None:
    assert ask(view, question).tool == tool


@pytest.mark.parametrize(
    "told",
    ["decision 3", "ADR 3", "D-3", "D3", "d-0003", "decision no. 3", "decision D-0003", "“Drop Oracle 12”", "ADR-0003"],
)  # fmt: skip
def test_a_decision_is_known_by_any_form_of_its_number(view: View, told: str) -> None:
    choice = ask(view, f"Who approved {told}?")
    assert (choice.tool, choice.arguments["start"]) == ("chain", ["Decision/d 0003"])


@pytest.mark.parametrize("told", ["berth-planner", "`Berth Planner`", "the service berth_planner", "Berth-planner's"])
def test_a_name_is_known_in_any_spelling(view: View, told: str) -> None:
    choice = ask(view, f"What tier is {told}?" if not told.endswith("s") else f"What is {told} tier?")
    assert choice.arguments["start"] == ["Service/berth planner"]


def test_a_part_of_an_identifier_is_no_name(view: View) -> None:
    assert ask(view, "Who owns identity-mapper-x2?").linked == {}
    assert ask(view, "Wem gehört der identity-Dienst?", "de").arguments["start"] == ["Service/identity"]


def test_refusals_tell_only_of_what_may_be_read(port: Index) -> None:
    """Somebody who may read nothing hears the same of a thing that is there as of one that is not."""
    with seen(port, caller("nobody")) as blind:
        for question in ("Who owns the service {}?", "What is the tier of the application {}?"):
            there, away = (ask(blind, question.format(name)) for name in ("berth-planner", "quux-planner"))
            assert (there.tool, there.score, there.reason.replace("berth", "quux")) == (
                away.tool,
                away.score,
                away.reason,
            )
    with seen(port, Caller("x", frozenset())) as none:
        assert ask(none, "Who owns berth-planner?") == ask(none, "Who owns berth-planner?")


def test_a_relation_that_nobody_states_of_it_is_refused_by_name(view: View) -> None:
    choice = ask(view, "Which department is Mateo Ruiz in?")
    assert choice.tool == "refuse"
    assert "department" in choice.reason
    assert "Mateo Ruiz" in choice.reason


@pytest.mark.parametrize(
    "question",
    [
        "", "?", "`", "«»", "the", "\ud800", "who owns \x00?", "((((" * 500, "a-" * 900, "谁" * 1999,
        "Who owns " + "x" * 5000, "Which team leads the way with berth-planner?",
        "Which service leads tide-feed of tier 1 to berth-planner?",
        "between 99 and 00 February 9999", "as of 0000-00-00 who owns berth-planner", "decision 99999999999999999999",
        "Who reports to who reports to who reports to who reports to Ada Blom?",
    ],
)  # fmt: skip
def test_any_text_is_read(view: View, question: str) -> None:
    for lang in ("en", "de", "zh", "xx"):
        assert ask(view, question, lang).score <= 1


@pytest.mark.parametrize(
    ("said", "lang", "since", "until", "as_of"),
    [
        ("as of 1 May 2025", "en", "2025-05-01", "2025-05-01", "2025-05-01"),
        ("in Q1 2026", "en", "2026-01-01", "2026-03-31", "2026-03-31"),
        ("im ersten Quartal 2026", "de", "2026-01-01", "2026-03-31", "2026-03-31"),
        ("since March", "en", "2026-03-01", "", ""),
        ("in March 2026", "en", "2026-03-01", "2026-03-31", "2026-03"),
        ("in 2025", "en", "2025-01-01", "2025-12-31", "2025"),
        ("before 2025-03", "en", "", "2025-02-28", "2025-02-28"),
        ("between 1 and 10 February 2026", "en", "2026-02-01", "2026-02-10", "2026-02-10"),
        ("from 15 February to the end of March 2026", "en", "2026-02-15", "2026-03-31", "2026-03-31"),
        ("am 1. Mai 2025", "de", "2025-05-01", "2025-05-01", "2025-05-01"),
        ("el 1 de mayo de 2025", "es", "2025-05-01", "2025-05-01", "2025-05-01"),
        ("au premier trimestre 2026", "fr", "2026-01-01", "2026-03-31", "2026-03-31"),
        ("2026年第一季度", "zh", "2026-01-01", "2026-03-31", "2026-03-31"),
        ("2026年3月以来", "zh", "2026-03-01", "", ""),
    ],
)
def test_times_are_read(said: str, lang: str, since: str, until: str, as_of: str) -> None:
    time = asked_time(f"Who owned it {said}?", lang, TODAY)
    assert time
    assert (time.since, time.until, time.as_of) == (since, until, as_of)


def test_no_time_is_read_from_other_numbers() -> None:
    assert [asked_time(text, "en", TODAY) for text in ("room 2025", "tier 1", "decision 0006", "Atlas 2")] == [None] * 4


def test_phrases_are_found_by_their_stems_and_across_other_words() -> None:
    sentence = Sentence("Wovon hängt der Dienst ab?", "de")
    assert [len(spans) for spans in sentence.find(["hängt … ab"])] == [2]
    assert Sentence("Das ist weg", "de").find(["Weg"]) == []
    assert len(Sentence("Was ist der Weg", "de").find(["Weg"])) == 1
