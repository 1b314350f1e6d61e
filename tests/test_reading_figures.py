"""Contradictions in prose, by a model: two figures of one thing, two owners, a lie about who owns whom."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from access import EVERYONE, Caller
from facts.relations import FIGURE
from graph import decide
from graph.tools import TOOLS
from graph.view import view_of
from search import Index
from tests.conftest import caller
from tests.reading_house import ORDERS, House, fact, facts, house, left, passage, words

__all__ = ["house"]

LEAVE = "Parental leave is {} for everybody.\n"


def figure(value: str, **told: str) -> dict[str, str]:
    base = {"quote": "Parental leave is", "subject": "Parental leave", "relation": "figure", "object": value}
    return fact(**base | told)


def answering(replies: Mapping[str, Sequence[Any]]) -> Any:
    """A model that says this of the passages that hold these words."""
    return lambda messages: json.dumps(
        [one for key, told in replies.items() if key in passage(messages) for one in told]
    )


def disputed(index: Index, who: Caller | None = None) -> list[tuple[str, ...]]:
    """The quotes of each conflict."""
    with index.store.reader(who or caller()) as reader:
        found = decide.disagreements(view_of(index, reader)).open
    return [tuple(sorted(words.quote for side in one.sides for words in side.words)) for one in found]


@pytest.mark.permission
def test_two_policies_on_one_number_are_a_conflict_until_a_person_decides(house: House) -> None:
    index = house.index(
        {"handbook.md": f"# Handbook\n\n{LEAVE.format('16 weeks')}", "old.md": f"# Leave\n\n{LEAVE.format('12 weeks')}",
         "hr/secret.md": f'---\naccess: ["user:ann"]\n---\n# Plan\n\n{LEAVE.format("20 weeks")}'},
    )  # fmt: skip
    house.double.handler = answering({f"{n} weeks": [figure(f"{n} weeks")] for n in (12, 16, 20)})
    index.sync()
    quotes = tuple(LEAVE.format(f"{n} weeks").strip() for n in (12, 16, 20))
    assert disputed(index) == [quotes[:2]]
    assert {one.status for one in facts(index, FIGURE)} == {"disputed"}
    ann = caller("user:ann", EVERYONE)
    assert sorted({quote for one in disputed(index, ann) for quote in one}) == sorted(quotes)
    with index.store.reader(caller()) as reader:
        found = decide.disagreements(view_of(index, reader))
    kept, closed = sorted(found.open[0].sides, key=lambda side: side.said, reverse=True)
    decide.keep(index.store.connection(), caller(), found, kept.id, closed.id, "the handbook is newer")
    assert disputed(index) == []
    assert {one.value: one.status for one in facts(index, FIGURE) if not one.valid_to} == {"16 weeks": "verified"}
    assert house.asked() == 3, "what disagrees is seen without another call"


def test_only_the_new_passage_is_read_and_the_conflict_goes_with_it(house: House) -> None:
    index = house.index({"handbook.md": f"# Handbook\n\n{LEAVE.format('16 weeks')}"})
    house.double.handler = answering({f"{n} weeks": [figure(f"{n} weeks")] for n in (12, 16)})
    index.sync()
    assert (house.asked(), disputed(index)) == (1, [])
    house.index({"old.md": f"# Leave\n\n{LEAVE.format('12 weeks')}"})
    index.sync()
    assert (house.asked(), len(disputed(index))) == (2, 1)
    (house.docs / "old.md").unlink()
    index.sync()
    assert (house.asked(), disputed(index)) == (2, [])


APART = {
    "pages of two offices": ("offices/oslo/leave.md", "Leave", LEAVE, "offices/lyon/leave.md", "Leave", LEAVE),
    "headings of two offices": ("a.md", "Offices\n\n## Oslo", LEAVE, "b.md", "Offices\n\n## Lyon", LEAVE),
    "two services": ("a.md", "Services\n\n## planner", LEAVE, "b.md", "Services\n\n## docstore", LEAVE),
    "places": ("a.md", "Leave", "In Oslo parental leave is {}.\n", "b.md", "Leave", "In Lyon parental leave is {}.\n"),
}


@pytest.mark.parametrize("case", APART)
def test_figures_of_two_things_are_no_conflict(house: House, case: str) -> None:
    path, heading, text, other_path, other_heading, other_text = APART[case]
    files = {path: f"# {heading}\n\n{text.format('16 weeks')}"}
    files |= {other_path: f"# {other_heading}\n\n{other_text.format('12 weeks')}"}
    index = house.index(files)
    house.double.handler = answering({f"{n} weeks": [figure(f"{n} weeks", quote="arental leave is")] for n in (12, 16)})
    index.sync()
    assert len(facts(index, FIGURE)) == 2
    assert disputed(index) == []


TEXT = "In Oslo, parental leave is 16 weeks, and sick leave is paid for 1,200 hours."
FIGURES: dict[str, tuple[dict[str, str], tuple[str, str, str] | None]] = {
    "as it stands": (figure("16 weeks"), ("Parental leave", "16 weeks", "")),
    "narrowed": (figure("16 weeks", only="in Oslo"), ("Parental leave", "16 weeks", "Oslo")),
    "another number": (figure("12 weeks"), None),
    "a part of a number": (figure("6 weeks"), None),
    "a part of a number in thousands": (figure("200 hours", subject="sick leave"), None),
    "in thousands": (figure("1,200 hours", subject="sick leave"), ("sick leave", "1,200 hours", "")),
    "another unit": (figure("16 months"), None),
    "no number": (figure("weeks"), None),
    "narrowed by what is not said": (figure("16 weeks", only="in Lyon"), None),
    "of what is not named": (figure("16 weeks", subject="notice period"), None),
}


@pytest.mark.parametrize("case", FIGURES)
def test_a_figure_counts_as_it_stands(house: House, case: str) -> None:
    told, expected = FIGURES[case]
    index = house.index({"a.md": f"# Leave\n\n{TEXT}\n"})
    house.double.handler = lambda messages: json.dumps([told | {"quote": "parental leave is 16 weeks"}])
    summary = index.sync()
    assert [(one.subject.name, one.value, one.qualifier) for one in facts(index, FIGURE)] == (
        [expected] if expected else []
    )
    assert summary.read_dropped == (expected is None)


TWO = [
    "Parental leave is 16 weeks for mothers and 8 weeks for others.",
    "Parental leave is 16 weeks.\nOn probation parental leave is 8 weeks.",
]


@pytest.mark.parametrize("text", TWO)
def test_of_two_figures_in_one_passage_neither_counts(house: House, text: str) -> None:
    index = house.index({"a.md": f"# Leave\n\n{text}\n"})
    told = figure("8 weeks", quote=text.partition("\n")[2] or text)
    house.double.handler = answering({"8 weeks": [figure("16 weeks"), told]})
    assert index.sync().read_dropped == 2
    assert left(index)["evidence"] == 0


def test_two_owners_in_prose_are_a_conflict(house: House) -> None:
    other = "Rumour has it that Bolt runs `plan-store` now.\n"
    index = house.index({"a.md": f"# Orders\n\n{ORDERS}", "b.md": f"# Talk\n\n{other}"})
    bolt = fact(subject="Bolt", quote=other.strip())
    house.double.handler = answering({"Bolt": [bolt], "Bedrock": [fact()]})
    index.sync()
    assert disputed(index) == [tuple(sorted((ORDERS.strip(), other.strip())))]


def test_a_model_disagrees_with_a_record_also_by_a_name_that_no_document_types(house: House) -> None:
    files = {
        "teams.md": "# Teams\n\n| Team | Lead |\n|---|---|\n| Bolt | Ann Lee |\n",
        "services.md": "# Services\n\n| Service | Owner |\n|---|---|\n| plan-store | Bolt |\n",
        "a.md": f"# Orders\n\n{ORDERS}",
    }
    index = house.index(files)
    house.double.handler = answering({"Bedrock": [fact()]})
    index.sync()
    assert disputed(index) == [tuple(sorted(("| plan-store | Bolt |", ORDERS.strip())))]
    with index.store.reader(caller()) as reader:
        view = view_of(index, reader)
        (thing,) = view.named("plan-store")
        found = TOOLS["chain"].function(view, start=[thing.key], steps=[["owns", "in"]])
    assert {(fact.subject.name, fact.status, fact.rank) for row in found.rows for fact in row.facts} == {
        ("Bolt", "disputed", 3),
        ("Bedrock", "disputed", 0),
    }


def test_who_owns_whom_is_not_turned_round(house: House) -> None:
    files = {
        "services.md": "# Services\n\n| Service | Tier |\n|---|---|\n| plan-store | 1 |\n",
        "a.md": f"# Orders\n\n{ORDERS}",
    }
    index = house.index(files)
    lie = fact(subject="plan-store", subject_type="Team", object="Bedrock", object_type="Service")
    house.double.handler = answering({"Bedrock": [lie]})
    index.sync()
    assert left(index)["readings"] == 1
    assert facts(index) == [], "plan-store is a service, and owns nothing"


def test_a_quote_from_another_passage_makes_no_fact(house: House) -> None:
    index = house.index({"a.md": f"# Orders\n\n{ORDERS}", "b.md": "# Vans\n\nAll vans are kept clean by Bedrock.\n"})
    house.double.handler = lambda messages: json.dumps([fact()])
    assert index.sync().read_dropped == 1
    assert [row[2] for row in words(index)] == ["a.md"]


def test_a_model_that_was_asked_before_is_asked_no_more(house: House) -> None:
    from tests.ollama_double import Model

    index = house.index({"a.md": f"# Orders\n\n{ORDERS}"})
    house.double.models["other:1b"] = Model("chat")
    house.double.handler = answering({"Bedrock": [fact()]})
    index.sync()
    other = house.index({}, chat_model="other:1b")
    house.double.handler = lambda messages: "[]"
    other.sync()
    assert (house.asked(), facts(index)) == (2, [])
    index.sync()
    assert (house.asked(), len(facts(index)), left(index)["readings"]) == (2, 1, 2)
    house.double.handler = lambda messages: "no list at all"
    third = house.index({"facts.toml": '[relations.funds]\nsubjects = ["Team"]\nobjects = ["Team"]\n'})
    assert third.sync().unread == 1
    assert (house.asked(), len(facts(third))) == (3, 1), "what was read before holds where nothing else could be read"
    assert third.sync().read_anew == 0


def test_without_a_chat_model_the_rest_is_as_it_was(house: House) -> None:
    files = {
        "services.md": "# Services\n\n| Service | Owner |\n|---|---|\n| plan-store | Bolt |\n",
        "a.md": f"# O\n\n{ORDERS}",
    }
    index = house.index(files, backend="embedded", chat_model="")
    assert (index.models.chat, index.sync().notes) == (None, [])
    assert [row[:3] for row in words(index)] == [("Bolt", "plan-store", "services.md")]
    assert house.double.requests == []
