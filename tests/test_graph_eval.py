"""eval.graph: the truth and the questions fit the pages; each fault of an extraction or answer costs what it should."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from access import CLOSED
from access.rules import RuleBook
from answering.shapes import Answer
from config import load
from errors import UsageError
from eval import graph_answers, graph_truth
from eval.access import PEOPLE, caller_of
from eval.graph import BARS, Report, texts_of
from eval.graph_truth import Truth, judge
from facts import Extraction, Mention, Named, Statement, Text

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def truth() -> Truth:
    return graph_truth.read()


@pytest.fixture(scope="module")
def pages() -> Mapping[str, Text]:
    return texts_of(load({"docs_dir": str(ROOT / "docs")}))


@pytest.fixture(scope="module")
def questions() -> list[graph_answers.Question]:
    return graph_answers.read()


def test_every_fact_names_known_things_and_words_of_its_page(truth: Truth, pages: Mapping[str, Text]) -> None:
    for one in truth.facts:
        assert one.subject in truth.types, one
        assert bool(one.object) != bool(one.value), one
        assert not one.object or one.object in truth.types, one
        assert one.phrase.replace("`", "") in "\n".join(pages[one.source].lines).replace("`", ""), one
    assert truth.complete <= set(pages)
    for one in truth.raw["contradictions"]:
        for side in (one["left"], one["right"]):
            assert side["phrase"].replace("`", "") in "\n".join(pages[side["source"]].lines).replace("`", ""), side
    for pair in (*truth.raw["same"], *truth.raw["apart"]):
        assert all(side["source"] in pages for side in pair), pair
        meant = [truth.bearing(Named(side["type"], (side["name"],), (side["name"],))) for side in pair]
        assert all(len(things) == 1 for things in meant), pair
        assert (meant[0] == meant[1]) is (pair in truth.raw["same"]), pair


def test_the_story_has_what_it_is_told_to_have(truth: Truth) -> None:
    of = Counter(truth.types.values())
    assert of["Person"] >= 13
    assert of["Team"] >= 5
    assert of["Service"] >= 12
    assert of["System"] >= 5
    assert of["Decision"] >= 10
    assert len(truth.raw["contradictions"]) >= 8
    assert len(truth.raw["no_contradiction"]) >= 15
    assert sum(bool(one["aliases"]) for one in truth.raw["entities"] if one["type"] == "Person") >= 13


def test_questions_are_many_in_four_languages_and_half_are_held(questions: list[graph_answers.Question]) -> None:
    assert len(questions) >= 140
    assert sum(one.is_text for one in questions) >= 30
    assert set(Counter(one.lang for one in questions)) == {"en", "de", "es", "zh"}
    assert min(Counter(one.lang for one in questions).values()) >= 20
    assert len({one.question.casefold() for one in questions}) == len(questions)
    assert abs(2 * sum(one.held for one in questions) - len(questions)) <= 1
    for kind in {one.kind for one in questions}:
        of = [one.held for one in questions if one.kind == kind]
        assert 0.35 <= sum(of) / len(of) <= 0.65, kind


def test_every_page_of_the_story_is_asked_about(
    questions: list[graph_answers.Question], pages: Mapping[str, Text]
) -> None:
    asked = {json.loads(line)["source"] for line in (ROOT / "data" / "qa.jsonl").read_text("utf-8").splitlines()}
    asked |= {page for one in questions for pages_ in one.evidence for page in pages_}
    assert asked - {"-"} == set(pages)


def test_a_guest_reads_none_of_the_pages_and_eva_reads_the_story(truth: Truth, pages: Mapping[str, Text]) -> None:
    rules = RuleBook({"access.toml": (ROOT / "data" / "access.toml").read_text("utf-8")}, "", CLOSED)
    assert all(rules.list_of(page).lets(caller_of("user:eva")) for page in truth.complete)
    assert not any(rules.list_of(page).lets(caller_of("user:tom")) for page in truth.complete)
    assert all(not rules.list_of(page).lets(caller_of("user:guest")) for page in pages)
    assert set(PEOPLE) == {"user:eva", "user:jonas", "user:mina", "user:tom", "user:guest"}


SMALL = Truth(
    {
        "complete": ["a.md"],
        "entities": [
            {"id": "Person/Ann", "type": "Person", "name": "Ann Lee", "aliases": ["Ann"], "ids": ["@ann"]},
            {"id": "Person/Bob", "type": "Person", "name": "Bob Ray", "aliases": [], "ids": []},
            {"id": "Team/Red", "type": "Team", "name": "Red", "aliases": [], "ids": []},
            {"id": "Service/mill", "type": "Service", "name": "mill", "aliases": [], "ids": []},
            {"id": "Message/a.md#¶1", "type": "Message", "name": "a.md#¶1", "aliases": [], "ids": []},
        ],
        "facts": [
            {
                "subject": "Person/Ann", "predicate": "leads", "object": "Team/Red", "source": "a.md",
                "phrase": "| Red | Ann Lee |", "valid_from": "2025-01-01", "valid_to": "2025-06-30",
            },
            {"subject": "Team/Red", "predicate": "owns", "object": "Service/mill", "source": "a.md", "phrase": "mill"},
            {"subject": "Service/mill", "predicate": "since", "value": "3 May 2025", "source": "a.md", "phrase": ""},
            {
                "subject": "Service/mill", "predicate": "tier", "value": "2", "source": "a.md", "phrase": "mill",
                "optional": True,
            },
            {
                "subject": "Message/a.md#¶1", "predicate": "mentions", "object": "Person/Bob", "source": "a.md",
                "phrase": "says Bob",
            },
        ],
        "same": [], "apart": [], "contradictions": [], "no_contradiction": [], "no_conflict": [], "as_of": [],
    }
)  # fmt: skip
LINES = ("| Red | Ann Lee |", "| mill |", "Ann: says Bob")
RED, ANN, MILL = Named("Team", ("Red",)), Named("Person", ("Ann Lee",), ("@ann",)), Named("Service", ("mill",))
LEADS = Statement(ANN, "leads", RED, 1, 1, LINES[0], valid_from="2025-01-01", valid_to="2025-07-01")
OWNS = Statement(Named("", ("RED",)), "owns", MILL, 2, 2, LINES[1])
SINCE = Statement(MILL, "since", "2025-05-03", 2, 2, LINES[1])
BOB = Mention(Named("", ("Bob Ray",)), 3, 3, LINES[2])


def whole(*statements: Statement, mentions: tuple[Mention, ...] = (BOB,), path: str = "a.md") -> tuple[float, float]:
    found = judge(SMALL, {path: Extraction(statements, mentions)}, {path: LINES}).whole
    return found.recall, found.precision


@pytest.mark.parametrize(
    ("statements", "recall", "precision"),
    [
        ((LEADS, OWNS, SINCE), 1.0, 1.0),
        ((LEADS, OWNS), 0.75, 1.0),  # one is missed
        ((LEADS, OWNS, SINCE, SINCE), 1.0, 1.0),  # said twice is said once
        ((LEADS, OWNS, SINCE, Statement(MILL, "tier", "2", 2, 2, LINES[1])), 1.0, 1.0),  # optional
        ((LEADS, OWNS, SINCE, Statement(MILL, "tier", "3", 2, 2, LINES[1])), 1.0, 0.75),  # a wrong value
        ((LEADS, OWNS, SINCE, replace(LEADS, subject=Named("Person", ("Bob Ray",)))), 1.0, 0.75),  # a wrong person
        ((LEADS, OWNS, SINCE, replace(LEADS, subject=RED, object=ANN)), 1.0, 0.75),  # the wrong way round
        ((replace(LEADS, subject=Named("Person", ("Ann Lee", "Bob Ray"))), OWNS, SINCE), 0.75, 2 / 3),  # two in one
        ((replace(LEADS, subject=Named("Team", ("Ann Lee",))), OWNS, SINCE), 0.75, 2 / 3),  # of a wrong type
        ((LEADS, OWNS, SINCE, Statement(Named("", ("Oslo",)), "rate", "3", 3, 3, LINES[2])), 1.0, 1.0),  # beside it
    ],
)
def test_each_fault_of_an_extraction_is_counted(
    statements: tuple[Statement, ...], recall: float, precision: float
) -> None:
    assert whole(*statements) == pytest.approx((recall, precision))


def test_a_word_of_talk_that_names_nothing_is_counted_apart() -> None:
    message = Named("Message", (), ("a.md#¶1",))
    idle = Statement(message, "uses", Named("", ("tonight",)), 3, 3, LINES[2])
    found = judge(SMALL, {"a.md": Extraction((idle, replace(idle, object=MILL)))}, {"a.md": LINES})
    assert (found.idle, found.whole.wrong) == (1, 1)


def test_a_mention_counts_where_the_message_stands() -> None:
    assert whole(LEADS, OWNS, SINCE, mentions=()) == (0.75, 1.0)
    assert whole(LEADS, OWNS, SINCE, mentions=(replace(BOB, first_line=1, last_line=1),)) == (0.75, 1.0)


def test_beside_the_listed_pages_only_a_wrong_relation_counts() -> None:
    tier = Statement(MILL, "tier", "3", 2, 2, LINES[1])
    assert whole(tier, path="b.md") == (0.0, 1.0)
    assert whole(OWNS, path="b.md") == (0.0, 0.0)


def test_dates_and_words_are_measured_apart() -> None:
    def of(one: Statement) -> tuple[list[bool], list[bool]]:
        found = judge(SMALL, {"a.md": Extraction((one,))}, {"a.md": LINES})
        return found.dates, found.quotes

    assert of(LEADS) == ([True], [True])
    assert of(replace(LEADS, valid_to="2025-06-30")) == ([True], [True])
    assert of(replace(LEADS, valid_from="2025-01-02")) == ([False], [True])
    assert of(replace(LEADS, quote=LINES[1])) == ([True], [False])
    assert of(OWNS) == ([], [True])


def asked(*answers: str, tool: str = "list", **other: object) -> graph_answers.Question:
    plain = graph_answers.Question("?", "en", (tool,), answers, (("a.md", "b.md"),), False)
    return replace(plain, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "rows", "right"),
    [
        (asked("Ann Lee"), [["Ann", "leads Red"]], True),  # by another of her names
        (asked("Ann Lee", "Bob Ray"), [["x", "Bob Ray"], ["y", "Ann Lee"]], True),
        (asked("Ann Lee"), [["Ann Lee"], ["Bob Ray"]], False),  # one too many
        (asked("Ann Lee", "Bob Ray"), [["Ann Lee"]], False),  # one too few
        (asked("Ann Lee"), [], False),
        (asked("Ann Lee", includes=True), [["Red", "Ann Lee, Bob Ray"]], True),
        (asked("Ann Lee", "mill", includes=True), [["Red", "Ann Lee"]], False),
        (asked("mill", types=("Service",)), [["mill"], ["Red"]], True),
        (asked("3 May 2025"), [["2025-05-03"]], True),
        (asked("2", tool="count"), [["Ann Lee"], ["Bob Ray"]], True),
        (asked("2", tool="count"), [["2"]], True),
        (asked("3", tool="count"), [["Ann Lee"], ["Bob Ray"]], False),
        (asked("1 = 5", "2 = 7", tool="count"), [["2", "7"], ["1", "5"], ["-", "1"]], True),
        (asked("1 = 5", "2 = 7", tool="count"), [["2", "7"], ["1", "6"]], False),
        (asked("1 = 5", tool="count"), [["1", "5"], ["2", "7"]], False),
        (asked("1 = 5", "2 = 7", tool="count"), [["1", "5"]], False),
    ],
)
def test_rows_are_right_when_they_hold_the_answers_and_nothing_else(
    one: graph_answers.Question, rows: list[list[str]], right: bool
) -> None:
    assert graph_answers.is_right(SMALL, one, rows) is right


def answer(tool: str, rows: list[list[str]], status: str = "answered", cited: str = "a.md") -> Answer:
    source = {
        "n": 1, "source": cited, "title": "", "link": "", "lines": "L1-1", "place": "", "heading": "", "score": None,
        "quote": "", "version": "", "also": [], "dated": "", "modified": "", "indexed_at": "", "stale": None,
    }  # fmt: skip
    limit = {"min_score": 0, "min_coverage": 0, "origin": "", "fits": True, "why": "", "min_confidence": None}
    route = {"tool": tool, "rows": [{"cells": cells, "steps": []} for cells in rows]}
    return Answer.model_validate(
        {
            "id": "1", "answer": "x", "status": status, "needs_review": False, "problems": [], "claims": [],
            "sources": [source], "confidence": None, "limit": limit, "route": route, "timings": {}, "model": "m",
            "lang": "en",
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "given", "marks"),
    [
        (asked("Ann Lee"), answer("list", [["Ann Lee"]]), (True, True, True)),
        (asked("Ann Lee"), answer("list", [["Ann Lee"]], cited="b.md"), (True, True, True)),
        (asked("Ann Lee"), answer("list", [["Ann Lee"]], cited="c.md"), (True, True, False)),
        (asked("Ann Lee"), answer("chain", [["Ann Lee"]]), (False, True, True)),
        (asked("Ann Lee"), answer("list", [["Bob Ray"]]), (True, False, False)),
        (asked("Ann Lee"), answer("text", []), (False, False, False)),
        (asked(), answer("text", [], "not_found"), (True, True, True)),
        (asked(), answer("list", [["Ann Lee"]]), (True, False, False)),
        (asked(tool="text"), answer("text", []), (True, True, True)),
        (asked(tool="text"), answer("list", [["Ann Lee"]]), (False, False, False)),
    ],
)
def test_an_answer_is_judged_by_its_tool_its_rows_and_its_pages(
    one: graph_answers.Question, given: Answer, marks: tuple[bool, bool, bool]
) -> None:
    found = graph_answers.judge(SMALL, one, given)
    assert (found.routed, found.right, found.proved) == marks


def test_bars_are_missed_below_them_and_by_a_single_wrong_merge() -> None:
    report = Report(dict.fromkeys(BARS, (100.0, 100.0)) | {"wrong merges": (0.0, 100.0)})
    assert report.below() == []
    report.figures |= {"routing": (94.0, 100.0), "wrong merges": (1.0, 100.0)}
    assert set(report.below()) == {"routing", "wrong merges"}


@pytest.mark.parametrize("line", ["nothing", "[]", '{"question": "?"}', '{"question": "?", "tool": 1, "evidence": []}'])
def test_a_line_that_is_no_question_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "q.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"q\.jsonl:1 is no question"):
        graph_answers.read(tmp_path / "q.jsonl")
