"""How citations are written: every form that models use, what only looks like one, lists of sources, reasoning."""

from dataclasses import dataclass

import pytest

from answering.prompt import is_refusal, may_be_refusal, without_refusal
from models.spoken import Spoken
from models.spoken import without_reasoning as spoken_without_reasoning
from proof.markers import read, without_reasoning
from proof.verdict import Verdict
from tests.conftest import Opener
from verify import check

FIVE = ("Alpha is red.", "Beta is green.", "Gamma is blue.", "Delta is white.", "Omega is black.")


@dataclass
class Passage:
    text: str
    above: str = "Colours > Alpha and beta"
    first_line: int = 1


def ask(answer: str, *texts: str, round_brackets: bool = False) -> Verdict:
    return check(answer, [Passage(text) for text in texts or FIVE], "en", round_brackets=round_brackets)


def read_as(verdict: Verdict) -> list[tuple[str, list[int], str]]:
    return [(claim.text, claim.citations, claim.status) for claim in verdict.claims]


RED = [("Alpha is red.", [1], "supported")]


@pytest.mark.parametrize(
    "form",
    ["[^1]", "[Source 1]", "[source: 1]", "[Sources: 1]", "[Passage 2]", "[Doc 1]", "[Document #1]", "[Quelle 1]",
     "[siehe Quelle 1]", "[Источник 1]", "[出典1]", "【来源１】", "(Source 1)", "（出典1）", "【1†source】",
     "【1†L3-L5】", "[[1]]", "[[1]](leave.md)", "[1](leave.md)", "[1](docs/leave-2025.md#L7)", "[1](#1)", "[1 and 2]",
     "[Source 1, 2]", "[Sources 1 and 2]", "[Source 1; Source 2]", "[^1, ^2]", "¹", " [^1][^2]", "¹,²"],
)  # fmt: skip
def test_every_form_is_read_and_written_as_one(form: str) -> None:
    said = "Beta is green" if "Passage 2" in form else "Alpha is red"
    numbers = [2] if "Passage 2" in form else [1, 2] if "2" in form.replace("2025", "") or "²" in form else [1]
    for answer in (f"{said}{form}.", f"{said}.{form}", f"{said} {form}.", f"{said}. {form}"):
        if form.startswith("¹") and " ¹" in answer:
            continue  # raised digits stand directly behind what they prove
        verdict = ask(answer)
        assert read_as(verdict) == [(f"{said}.", numbers, "supported")], answer
        assert "".join(verdict.text.split()) in {
            "".join(text.split())
            for marks in ["".join(f"[{n}]" for n in numbers)]
            for text in (f"{said}{marks}.", f"{said}.{marks}")
        }


@pytest.mark.parametrize(
    "form",
    ["[1a]", "(1)", "[Smith, 2011]", '{"cite": "[\\"1\\"]"}', "[Page 1]", "[Section 1]", "[Source leave.md]", "`[^1]`",
     "【4:0†source】", "¹st", " m²", " 10²"],
)  # fmt: skip
def test_what_is_no_marker_is_reported_and_not_taken_for_checked(form: str) -> None:
    verdict = ask(f"Alpha is red {form}." if form[0] not in "¹ " else f"Alpha is red{form}.")
    assert [c.status for c in verdict.claims] == ["uncited"]


@pytest.mark.parametrize("form", ["[^9]", "[Source 9]", "【9†source】", "[[9]]", "[9](leave.md)", "(Passage 9)", "⁹"])
def test_a_number_that_no_passage_has_is_named_in_every_form(form: str) -> None:
    verdict = ask(f"Alpha is red.{form}", *FIVE[:2])
    assert [c.status for c in verdict.claims] == ["bad_citation"]
    assert "[9]" in verdict.claims[0].reason
    assert verdict.text == "Alpha is red."


@pytest.mark.parametrize(
    "text", ["The wall [Source 2] is red.", "The wall[^2] is red.", "The wall² is red.", "The wall (Doc 2) is red."]
)
def test_what_stands_in_the_passage_is_text_in_every_form(text: str) -> None:
    verdict = ask(f"{text} [1]", text, "Other.")
    assert [c.citations for c in verdict.claims] == [[1]]
    assert verdict.claims[0].text == text


def test_a_link_to_elsewhere_behind_a_number_is_still_a_foreign_link() -> None:
    for target in ("http://evil.example/x", "//evil.example/leave.md", "javascript:alert(1)"):
        verdict = ask(f"Alpha is red [1]({target}).")
        assert [c.status for c in verdict.claims] == ["unsupported"]
        assert "evil" not in verdict.text


@pytest.mark.parametrize(("raised", "count", "good"), [("¹²", 12, (12,)), ("¹²", 3, (1, 2)), ("¹,²", 12, (1, 2))])
def test_raised_digits_are_one_number_where_there_is_such_a_passage(
    raised: str, count: int, good: tuple[int, ...]
) -> None:
    assert [cite.good for cite in read(f"It is so.{raised}", ["x"] * count).cites] == [good]


# --- round brackets ------------------------------------------------------------------------------------------------


def test_round_brackets_cite_only_for_who_asks_for_them() -> None:
    answer = "Alpha is red (1). Beta is green. (2)"
    assert {c.status for c in ask(answer).claims} == {"uncited"}
    verdict = ask(answer, round_brackets=True)
    assert [c.citations for c in verdict.claims] == [[1], [2]]
    assert verdict.text == "Alpha is red [1]. Beta is green. [2]"


@pytest.mark.parametrize("answer", ["(1) Alpha is red.", "Alpha is red, § 5 (2).", "Alpha (2011) is red."])
def test_a_list_s_number_a_paragraph_and_a_year_cite_nothing_even_then(answer: str) -> None:
    assert [c.citations for c in ask(answer, round_brackets=True).claims] == [[]]


# --- headings ------------------------------------------------------------------------------------------------------


def test_a_heading_cites_for_all_below_it_that_cites_nothing() -> None:
    answer = (
        "## Alpha [1]\n\n- Alpha is red\n- Gamma is blue [3]\n\nAlpha is red. Beta is green [2]. Alpha is red.\n\n"
        "### More\n\nAlpha is red.\n\n## Beta\n\nAlpha is red."
    )
    assert [c.citations for c in ask(answer).claims] == [[1], [3], [1], [2], [1], [1], []]


def test_what_a_heading_cites_for_is_checked_against_it() -> None:
    assert read_as(ask("## Colours [1]\n\nGamma is blue.")) == [("Gamma is blue.", [1], "unsupported")]
    assert read_as(ask("**Colours** [^1]\n\nAlpha is red.")) == RED


# --- lists of sources ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "below",
    ["Sources: [1]", "Source: [1] leave.md", "**Sources:** [1]", "**Quellen**: [1]", "Quelle: [1](leave.md)",
     "出典：[1]", "## Sources\n[1] leave.md", "Sources:\n- [1] Colours, lines 3-5", "[^1]: leave.md",
     "[1]: docs/leave.md", "Sources:\n1. [1] Colours > Alpha and beta", "References: [Source 1]"],
)  # fmt: skip
def test_a_list_of_one_source_cites_for_what_cites_nothing_and_claims_nothing(below: str) -> None:
    verdict = ask(f"Alpha is red.\n\n{below}")
    assert read_as(verdict) == RED
    assert "[1]" in verdict.text.rpartition("\n\n")[2], "it is shown all the same"
    assert "]:" not in verdict.text, "and defines no link"
    other = ask(f"Beta is green [2]. Alpha is red.\n\n{below}")
    assert [c.citations for c in other.claims] == [[2], [1]]
    assert [c.status for c in ask(f"Gamma is blue.\n\n{below}").claims] == ["unsupported"]


@pytest.mark.parametrize(
    "below", ["Sources: [1], [2]", "Quellen: [1][2]", "Sources:\n- [1] a.md\n- [2] b.md", "[^1]: a.md\n[^2]: b.md"]
)
def test_of_several_sources_nobody_knows_which_says_what(below: str) -> None:
    answer = f"Alpha is red [1]. Beta is green.\n\n{below}"
    assert read_as(ask(answer)) == [*RED, ("Beta is green.", [], "uncited")]


@pytest.mark.parametrize(
    ("below", "claimed"),
    [
        ("Sources: [1] Gamma is green.", "Gamma is green."),
        ("[^1]: Gamma is green.", "Gamma is green."),
        ("Sources:\n- [1] leave.md says that gamma is green", "leave.md says that gamma is green"),
        ("Sources: [1] alpha is not red", "alpha is not red"),
    ],
)
def test_what_a_list_of_sources_says_beside_names_is_checked(below: str, claimed: str) -> None:
    verdict = ask(f"Alpha is red [1].\n\n{below}")
    assert verdict.claims[-1].status == "unsupported"
    assert claimed in verdict.claims[-1].text


def test_a_list_of_sources_with_a_number_that_no_passage_has_is_named() -> None:
    assert ask("Alpha is red [1].\n\nSources: [1], [9]").needs_review
    assert ask("Alpha is red.\n\nSources: [9]").needs_review


def test_a_list_of_sources_alone_states_nothing() -> None:
    assert [p.code for p in ask("Sources: [1]").problems] == ["no_claims"]


# --- reasoning -----------------------------------------------------------------------------------------------------

HIDDEN = [
    ("<THINK>a</THINK>b", "b"),
    ("<thought>a</thought>b", "b"),
    ("<Thinking>a</thinking>b", "b"),
    ("a</THOUGHT>b", "b"),
    ("[THINK]a[/THINK]b", "b"),
    ("<thought>cut off", ""),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b"),
    ("<|CHANNEL|>Analysis<|message|>a <|channel|>commentary<|message|>c<|channel|>final<|message|>b", "b"),
    ("<|channel|>analysis<|message|>cut off", ""),
    ("a thought: b", "a thought: b"),
]


@pytest.mark.parametrize(("reply", "left"), HIDDEN)
def test_reasoning_is_taken_out_whole_and_piece_by_piece(reply: str, left: str) -> None:
    assert without_reasoning(reply) == left
    assert spoken_without_reasoning(reply) == left
    spoken, told = Spoken(), ""
    for character in reply:
        text, withdrawn = spoken.add(character)
        told = text if withdrawn else told + text
    assert told + spoken.end() == left


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("b<thought>a</thought>c", "bc"),
        ("b<|channel|>analysis cut off", "b"),
        ("<|channel|>analysis<|message|>a<|end|>b<|return|>", "b"),
        ("b<|end|>", "b"),
    ],
)
def test_reasoning_in_the_middle_is_never_checked(reply: str, left: str) -> None:
    assert without_reasoning(reply) == left


# --- the refusal token ---------------------------------------------------------------------------------------------

FACT = "Reception keeps the spare building keys in a grey cabinet."


@pytest.mark.parametrize(
    ("reply", "refusal", "left"),
    [
        ("NOT_FOUND\n\nAlpha is red. [1]", False, "Alpha is red. [1]"),
        ("**NOT_FOUND** – Alpha is red [^1].", False, "Alpha is red [^1]."),
        ("NOT_FOUND. [1] Alpha is red.", False, "[1] Alpha is red."),
        ("NOT_FOUND. Alpha is red.", True, None),
        ("NOT_FOUND. I am sorry, the passages do not say it.", True, None),
        ("I am sorry: NOT_FOUND", True, None),
        ("[NOT_FOUND]", True, None),
        ("NOT_FOUND [Source 1]", True, None),
        ("NOT_FOUND, but perhaps it is red. [1]", True, None),
    ],
)
def test_a_refusal_is_one_unless_something_is_cited(reply: str, refusal: bool, left: str | None) -> None:
    assert is_refusal(reply) is refusal
    assert left is None or without_refusal(reply) == left
    assert all(may_be_refusal(reply[:end]) for end in range(9)) or not reply.startswith("NOT_FOUND")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (f"NOT_FOUND\n\n{FACT} [1]", "needs_review"),  # proved, but the model said both
        ("NOT_FOUND. Reception keeps nine dogs. [1]", "not_found"),
        ("NOT_FOUND. The passages do not say it. [1]", "not_found"),
    ],
)
def test_a_token_before_an_answer_is_taken_out_only_where_something_is_proved(
    world: Opener, reply: str, status: str
) -> None:
    it = world(retries=0)
    it.says(reply)
    found = it.ask("Where does reception keep the spare building keys?")
    assert found.status == status
    assert "NOT_FOUND" not in found.answer
    assert (found.answer == f"{FACT} [1]") is (status == "needs_review")
