"""The checker: markers, claims, support by rules, evidence; what users of such assistants complain about; any text."""

import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import verify
from proof.facts import moments, names, numbers, plain, quotes
from proof.markers import OUTPUT, code_spans, without_reasoning
from proof.verdict import Verdict
from verify import check

PAGE = (
    "Employees get 30 days of annual leave. Up to 5 days carry over until 31 March.\nThe allowance is EUR 1,500 a year."
)


@dataclass
class Passage:
    text: str
    above: str = "Handbook"
    first_line: int = 1


def ask(answer: str, *texts: str, lang: str = "en") -> Verdict:
    return check(answer, [Passage(text) for text in texts or (PAGE,)], lang)


def statuses(verdict: Verdict) -> list[str]:
    return [claim.status for claim in verdict.claims]


# --- markers -------------------------------------------------------------------------------------------------------

FIVE = ("Alpha is red.", "Beta is green.", "Gamma is blue.", "Delta is white.", "Omega is black.")

MARKERS = [
    ("Alpha is red [1].", "Alpha is red [1].", [[1]]),
    ("Alpha is red.[1] Beta is green. [2]", "Alpha is red.[1] Beta is green. [2]", [[1], [2]]),
    ("Alpha is red【1】. Beta is green［２］.", "Alpha is red[1]. Beta is green[2].", [[1], [2]]),
    ("Alpha is red [1, 2].", "Alpha is red [1][2].", [[1, 2]]),
    ("Alpha is red [1-3].", "Alpha is red [1][2][3].", [[1, 2, 3]]),
    ("Alpha is red [[1]].", "Alpha is red [1].", [[1]]),
    ("[1] Alpha is red.\n[2] Beta is green.", "[1] Alpha is red.\n[2] Beta is green.", [[1], [2]]),
    ("According to [1], alpha is red.", "According to [1], alpha is red.", [[1]]),
    ("Alpha is red.\n\n[1]", "Alpha is red.\n\n[1]", [[1]]),
    ("Alpha is red. Beta is green [2].", "Alpha is red. Beta is green [2].", [[], [2]]),
    ("Alpha is red `x[9]` [1].", "Alpha is red `x[9]` [1].", [[1]]),
    ("Alpha is red [2-1].", "Alpha is red.", [[]]),
    ("Alpha is red [1-99999].", "Alpha is red.", [[]]),
]


@pytest.mark.parametrize(("answer", "text", "citations"), MARKERS)
def test_markers_are_read_and_written_in_one_form(answer: str, text: str, citations: list[list[int]]) -> None:
    verdict = ask(answer, *FIVE)
    assert verdict.text == text
    assert [claim.citations for claim in verdict.claims] == citations


def test_a_lead_in_cites_for_the_items_that_cite_nothing_and_for_nobody_else() -> None:
    verdict = ask("Colours [1]:\n- Alpha is red\n- Beta is green [2]\n\nGamma is blue.", *FIVE)
    assert [(c.citations, c.status) for c in verdict.claims] == [
        ([1], "supported"),
        ([2], "supported"),
        ([], "uncited"),
    ]


@pytest.mark.parametrize(
    ("answer", "citations"),
    [
        ("- Alpha is red\n- Beta is green [2][1]", [[2, 1], [2, 1]]),
        ("- Alpha is red\n- Beta is green\n\n[2][1]", [[2, 1], [2, 1]]),
        ("- Alpha is red [1]\n- Gamma is blue\n- Beta is green [2]", [[1], [], [2]]),
        ("Gamma is blue.\n- Alpha is red\n- Beta is green [2][1]", [[], [2, 1], [2, 1]]),
        ("- Alpha is red\n- Gamma is blue [9]", [[], []]),
    ],
)
def test_markers_at_a_list_s_end_belong_to_the_list_when_none_of_its_items_cites(
    answer: str, citations: list[list[int]]
) -> None:
    assert [c.citations for c in ask(answer, *FIVE).claims] == citations


ABOUT = [
    ("The passages do not mention the cafeteria [1].", "en", "uncited", "notice"),
    ("The carry-over of annual leave is not mentioned in the documents.", "en", "uncited", "notice"),
    ("There are three documents about leave.", "en", "uncited", "notice"),
    ("Die Dokumente enthalten keine Angaben zur Kantine.", "de", "uncited", "notice"),
    ("文档没有提到食堂。", "zh", "uncited", "notice"),
    ("The passages do not mention days of annual leave [1].", "en", "unsupported", "error"),  # they do
    ("There are three documents that you must sign [1].", "en", "unsupported", "error"),
    ("All documents are stored in Drive.", "en", "uncited", "error"),
]


@pytest.mark.parametrize(("claim", "lang", "status", "severity"), ABOUT)
def test_a_claim_about_the_sources_is_marked_as_such(claim: str, lang: str, status: str, severity: str) -> None:
    verdict = ask(f"{claim} Employees get 30 days of annual leave [1].", lang=lang)
    assert verdict.claims[0].status == status, verdict.claims
    assert verdict.problems[0].severity == severity
    assert verdict.claims[1].status == "supported", "one sentence that cannot be cited does not strip the others"


def test_an_answer_only_about_the_sources_states_nothing() -> None:
    verdict = ask("The passages do not mention the cafeteria.")
    assert verdict.needs_review
    assert [p.code for p in verdict.problems] == ["about_sources", "no_claims"]


def test_removing_a_marker_never_makes_a_new_one() -> None:
    verdict = ask("[[9]1] and [1[9]] Employees get 30 days.")
    assert verdict.claims[0].citations == []
    assert not OUTPUT.search(verdict.text)


# --- what users complained about ------------------------------------------------------------------------------------


def test_each_fact_is_bound_to_its_own_passage_and_not_to_the_first_or_the_neighbour() -> None:
    verdict = ask("Alpha is red [1]. Gamma is blue [3]. Omega is black [5]. Beta is green [3].", *FIVE)
    assert [e.quote for c in verdict.claims for e in c.evidence] == [FIVE[0], FIVE[2], FIVE[4]]
    assert statuses(verdict)[-1] == "unsupported"


def test_numbers_outside_the_list_are_removed_and_named() -> None:
    verdict = ask("Alpha is red [9].", *FIVE[:2])
    assert verdict.text == "Alpha is red."
    assert statuses(verdict) == ["bad_citation"]
    assert verdict.needs_review
    assert "[9]" in verdict.problems[0].text
    assert verdict.problems[0].code == "bad_citation"


def test_model_text_with_markers_0_4_4_5_1() -> None:
    answer = "Omega is black [0]. Delta is white [4]. Delta is white [4]. Omega is black [5]. Alpha is red [1]."
    verdict = ask(answer, *FIVE)
    assert [c.citations for c in verdict.claims] == [[], [4], [4], [5], [1]]
    assert statuses(verdict) == ["bad_citation", *["supported"] * 4]
    assert OUTPUT.findall(verdict.text) == ["4", "4", "5", "1"]


def test_the_label_is_the_place_in_the_list_whatever_number_the_passage_bears() -> None:
    texts = ("Document number 4: alpha is red.", "Document number 7: beta is green.")
    assert statuses(ask("Beta is green [2]. Beta is green [7].", *texts)) == ["supported", "bad_citation"]


def test_citation_keys_of_a_passage_are_text() -> None:
    text = "The limit is 5 days [3] (Smith, 2011)."
    verdict = ask(f"{text} [1] “The limit is 5 days [3]” [1].", text, "Other.", "Another.")
    assert [c.citations for c in verdict.claims] == [[1], [1]]
    assert statuses(verdict) == ["supported", "supported"]
    assert OUTPUT.findall(verdict.text) == ["1", "1"]


def test_a_copied_bracket_at_a_sentence_s_end_that_could_be_a_citation_is_checked_as_one() -> None:
    texts = ("The wall is red [9]. The limit is 5 days [2].", "The limit is 5 days.")
    verdict = ask("The limit is 5 days [2]. The wall is red [9].", *texts)
    assert statuses(verdict) == ["supported", "uncited"]
    assert OUTPUT.findall(verdict.text) == ["2"]


def test_a_real_citation_that_says_nothing_of_the_kind_is_not_support() -> None:
    assert statuses(ask("Interns get 30 days of annual leave [1].")) == ["unsupported"]


@pytest.mark.parametrize(
    ("answer", "page"),
    [
        ("Munich offices get 30 days [1].", "Berlin offices get 30 days. Munich offices get 25 days."),
        ("| Munich | 30 | [1]", "| City | Days |\n|--|--|\n| Berlin | 30 |\n| Munich | 25 |"),
        ("- **Munich**: 30 days [1]", "- **Berlin**: 30 days\n- **Munich**: 25 days"),
    ],
)
def test_the_figure_of_another_row_or_sentence_is_not_support(answer: str, page: str) -> None:
    verdict = ask(answer, page)
    assert statuses(verdict) == ["unsupported"]
    assert "25" in verdict.claims[0].reason
    assert statuses(ask(answer.replace("30", "25"), page)) == ["supported"]


def test_the_numbering_of_a_list_is_no_figure() -> None:
    page = "1. A tip of 10 euros is fine.\n2. A lift is fine."
    assert statuses(ask("A tip of 2 euros is fine [1]. A tip of 10 euros is fine [1].", page)) == [
        "unsupported",
        "supported",
    ]


def test_reasoning_is_stripped_before_markers_are_read() -> None:
    verdict = ask("<think>Is it [1]? See [9].</think>\n\nBeta is green [2].", *FIVE)
    assert verdict.text == "Beta is green [2]."
    assert [c.citations for c in verdict.claims] == [[2]]


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("b<think>cut off", "b"),
        ("<THINK>a<think>b</think>c</think>d", "d"),
        ("x<think>a</think>y<think>b</think>z", "xyz"),
        ("no block", "no block"),
    ],
)
def test_reasoning_blocks(reply: str, left: str) -> None:
    assert without_reasoning(reply) == left


# --- claims --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("# Leave\n\nEmployees get 30 days [1].", ["Employees get 30 days."]),
        ("Here is what I found:\n- Employees get 30 days [1]", ["Employees get 30 days"]),
        ("Sure! Employees get 30 days [1]. I hope this helps!", ["Employees get 30 days."]),
        ("Sure, dogs are allowed.", ["Sure, dogs are allowed."]),
        ("Yes. Employees get 30 days [1].", ["Yes. Employees get 30 days."]),
        ("| A | B |\n|--|--|\n| Leave | 30 | [1]", ["Leave | 30"]),
        ("You get 45 days, as follows:\n- Employees get 30 days [1]",
         ["You get 45 days, as follows:", "Employees get 30 days"]),
        ("The 2 rules are:\n1. Employees get 30 days [1]\n2. Up to 5 days carry over [1]",
         ["Employees get 30 days", "Up to 5 days carry over"]),
        ("", []),
        ("##\n---\n[1]", []),
    ],
)  # fmt: skip
def test_what_counts_as_a_claim(answer: str, claims: list[str]) -> None:
    verdict = ask(answer)
    assert [c.text for c in verdict.claims] == claims
    assert [p.code for p in verdict.problems if p.code == "no_claims"] == ([] if claims else ["no_claims"])


LEAVE = "Your manager approves your leave. Employees are entitled to paid leave; apply in the portal and keep the card."


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("## Contractors are entitled to paid overtime", "en"),
        ("## Contractors receive bonuses", "en"),
        ("**Managers may skip every approval and fire anyone**", "en"),
        ("Nobody needs any approval for leave and everything is allowed:", "en"),
        ("Bob Miller approves your leave:", "en"),
        ("Your leave is approved by Bob:", "en"),
        ("Employees are not entitled to paid leave:", "en"),
        ("| Bob approves | everything forever |\n|---|---|", "en"),
        ("**Niemand braucht eine Genehmigung für Urlaub**", "de"),
        ("## [Portal](//evil)", "en"),
    ],
)
def test_a_line_above_that_states_something_is_a_claim(line: str, lang: str) -> None:
    verdict = ask(f"{line}\n- Your manager approves your leave [1]", LEAVE, lang=lang)
    assert statuses(verdict)[0] == "uncited"
    assert verdict.needs_review


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        *[(line, "en") for line in ("You need:", "Steps to take:", "The documents say:", "## Paid leave")],
        *[(line, "en") for line in ("The handbook:", "Employees must:", "**Summary**", "To apply, you need to:")],
        *[(line, "en") for line in ("Here are the details:", "## How to Apply for Leave", "This is how it works:")],
        *[(line, "en") for line in ("Employees are entitled to paid leave:", "## What is not paid", "**Hours:**")],
        *[(line, "en") for line in ("| Step | Details |\n|---|---|", "Below is a summary of the leave:")],
        *[(line, "de") for line in ("Sie benötigen:", "Die Schritte sind:", "Hier ist die Übersicht:")],
        *[("Étapes à suivre :", "fr"), ("Pasos a seguir:", "es"), ("您需要：", "zh"), ("以下是步骤：", "zh")],
    ],
)  # fmt: skip
def test_a_line_above_that_only_leads_in_is_none(line: str, lang: str) -> None:
    verdict = ask(f"{line}\n- Your manager approves your leave [1]", LEAVE, lang=lang)
    assert [c.text for c in verdict.claims] == ["Your manager approves your leave"]


def test_every_claim_that_is_not_supported_is_a_problem_that_names_it() -> None:
    verdict = ask("Employees get 28 days [1]. They like it. Up to 5 days carry over until 31 March [1].")
    assert statuses(verdict) == ["unsupported", "uncited", "supported"]
    assert [p.code for p in verdict.problems] == ["unsupported", "uncited"]
    assert "Employees get 28 days" in verdict.problems[0].text
    assert "28" in verdict.claims[0].reason
    assert verdict.claims[2].reason == ""


def test_lines_of_code_stand_in_the_passage_or_are_reported() -> None:
    verdict = ask("Run this [1]:\n```\npip install x[0]\nrm -rf /\n```", "Install:\n```\npip install x[0]\n```")
    assert statuses(verdict) == ["supported", "unsupported"]
    more = ask("Run this [1]:\n```\npip install x --user\n```", "To install, pip install x; for one user, use --user.")
    assert statuses(more) == ["unsupported"]


# --- support -------------------------------------------------------------------------------------------------------

SUPPORT = [
    # a claim, a passage, the language of the claim, whether it holds
    ("Employees receive 30 days of annual leave.", PAGE, "en", True),
    ("Employees get thirty days of annual leave.", PAGE, "en", True),
    ("Employees get 30.0 days of annual leave.", PAGE, "en", True),
    ("Up to 5 days may be carried over until 31.03.", PAGE, "en", True),
    ("Up to 5 days carry over until 30 March.", PAGE, "en", False),
    ("The allowance is 1500 euros a year.", PAGE, "en", True),
    ("The allowance is €1.5 thousand a year.", PAGE, "en", True),
    ("The allowance is 1,500 USD a year.", PAGE, "en", False),
    ("The allowance is 1,500 % a year.", PAGE, "en", False),
    ("The allowance is EUR 15,00 a year.", PAGE, "en", False),
    ("The team grew by 15 percent.", "The team grew by 15 %.", "en", True),
    ("The team grew by 1,5 percent.", "The team grew by 1.5 %.", "de", True),
    ("Doors open at 15:00.", "Doors open at 3 p.m.", "en", True),
    ("Doors open at 3 a.m.", "Doors open at 3 p.m.", "en", False),
    ("Apply by 5 May 2024.", "Apply no later than 2024-05-05.", "en", True),
    ("Apply by 5 May 2024.", "Apply by 5 May.", "en", False),
    ("Apply by 5 May.", "Apply by 5 May 2024.", "en", True),
    ("Apply by May 5, 2025.", "Apply no later than 2024-05-05.", "en", False),
    ("The team is led by Anna Schmidt.", "Anna Schmidt leads the team.", "en", True),
    ("The team is led by Anna Meier.", "Anna Schmidt leads the team.", "en", False),
    ("Müller leads the finance team.", "Schmidt leads the finance team.", "en", False),
    ("The VPN-3 gateway is slow.", "The VPN-2 gateway is slow.", "en", False),
    ("Write to it@acme.com for help.", "Write to hr@acme.com for help.", "en", False),
    ("See https://a.example/x for the form.", "The form: https://a.example/x", "en", True),
    ('The rule says "leave expires".', "The rule says leave\nexpires early.", "en", True),
    ('The rule says "leave lapses".', "The rule says leave expires.", "en", False),
    ("Die Regel sagt „Urlaub verfällt“.", "Die Regel sagt: Urlaub bleibt.", "de", False),
    ("Employees do not get 30 days of annual leave.", PAGE, "en", False),
    ("Leave can be carried over.", "Leave can be carried over, but it is not paid out.", "en", True),
    ("Leave is paid out.", "Leave can be carried over, but it is not paid out.", "en", False),
    ("Leave can't be carried over.", "Leave cannot be carried over.", "en", True),
    ("Der Urlaub verfällt nicht im März.", "Der Urlaub verfällt im März.", "de", False),
    ("Wir haben keine Kantine im Haus.", "Wir haben eine Kantine im Haus.", "de", False),
    ("Le congé ne peut pas être reporté.", "Le congé peut être reporté.", "fr", False),
    ("Las vacaciones no caducan.", "Las vacaciones caducan.", "es", False),
    ("Отпуск не переносится.", "Отпуск переносится.", "ru", False),
    ("年假不可以结转。", "年假可以结转。", "zh", False),
    ("年假没有结转。", "年假有结转。", "zh", False),
    ("有給休暇は繰り越せません。", "有給休暇は繰り越せます。", "ja", False),
    ("报销要在30天内提交。", "出差报销需要在三十天内提交。", "zh", True),
    ("报销要在二十天内提交。", "出差报销需要在三十天内提交。", "zh", False),
    ("规定写着「二十天内」。", "规定写着三十天内。", "zh", False),
    ("The office dog sleeps in the warm kitchen.", "The office kitchen is warm. Mind the stairs.", "en", False),
    ("They are the same person.", "Ask a person of the other desk. They are not the same person.", "en", False),
    ("The form is on the 5th page.", "The form is on page 5.", "en", True),
    ("See the form on page 12.", "The form is on page 12.", "en", True),
    ("The fee is 1.5 billion euros.", "The fee is 1.5 million euros.", "en", False),
    ("The fee is 20 euros.", "| Item | EUR |\n|--|--|\n| fee | 20 |", "en", True),
    ("Open from 9 to 17 Uhr in Bonn.", "In Bonn open from 9 to 17 Uhr.", "en", True),
    ("Leave may be paid out.", "Leave must not be paid out.", "en", False),
    ("It takes no more than 5 days.", "It takes at most 5 days.", "en", True),
    ("Payments are due in March.", "Payments are due by 31.3.", "en", True),
    ("Payments are due in April.", "Payments are due by 31.3.", "en", False),
    # the unit and the rate of a number belong to it
    ("Employees get 30 weeks of annual leave.", PAGE, "en", False),
    ("Leave is 28 days per month.", "Leave is 28 days of paid time per year.", "en", False),
    ("Leave is 28 days a year.", "Leave is 28 days of paid time per year.", "en", True),
    ("Annual leave is 28 days per year.", "Annual leave is 28 working days.", "en", True),
    ("A 28-day limit holds for claims.", "The limit for claims is 28 days.", "en", True),
    ("The team has 28 days.", "The team has 28 % of the days.", "en", False),
    ("The notice is 3 months.", "| Notice | Months |\n|--|--|\n| notice | 3 |", "en", True),
    ("Der Urlaub beträgt 28 Wochen.", "Der Urlaub beträgt 28 Arbeitstage.", "de", False),
    ("Der Urlaub beträgt 28 Tage pro Monat.", "Der Urlaub beträgt 28 Tage im Jahr.", "de", False),
    ("Der Urlaub beträgt 28 Arbeitstage.", "Der Urlaub beträgt 28 Arbeitstage im Jahr.", "de", True),
    ("Le congé est de 28 semaines.", "Le congé est de 28 jours par an.", "fr", False),
    ("Las vacaciones son 28 días al mes.", "Las vacaciones son 28 días al año.", "es", False),
    ("年假每月28天。", "年假每年28天。", "zh", False),
    ("年假为28周。", "年假为28天。", "zh", False),
    # opposites
    ("Trips under 50 euros need a receipt.", "Trips over 50 euros need a receipt.", "en", False),
    ("Ask before the trip for approval.", "Ask after the trip for approval.", "en", False),
    ("File the claim after 5 May.", "File the claim before 5 May.", "en", False),
    ("Leave lasts from 31 March.", "Leave lasts until 31 March.", "en", False),
    ("Take at least 5 days of leave.", "Take at most 5 days of leave.", "en", False),
    ("It takes no more than 5 days.", "It takes up to 5 days.", "en", True),
    ("Trips of more than 50 euros need a receipt.", "Trips over 50 euros need a receipt.", "en", True),
    ("Managers may approve the leave.", "Managers must approve the leave.", "en", False),
    ("Managers must approve the leave.", "Managers must approve the leave; others may ask.", "en", True),
    ("Sick leave is unpaid for interns.", "Sick leave is paid for interns.", "en", False),
    ("The first reminder comes by post.", "The second reminder comes by post.", "en", False),
    ("First, open the form in the portal.", "Open the form in the portal, then sign.", "en", True),
    ("Fahrten unter 50 Euro brauchen einen Beleg.", "Fahrten über 50 Euro brauchen einen Beleg.", "de", False),
    ("Es sind mindestens 5 Tage Urlaub.", "Es sind höchstens 5 Tage Urlaub.", "de", False),
    # the claim's subject stands in the sentence that proves it
    ("Interns get 30 days of leave.", "Employees get 30 days of leave. Interns are welcome here.", "en", False),
    ("Interns get 30 days of leave.", "Interns are welcome here. They get 30 days of leave.", "en", True),
    ("Interns get 30 days of leave.", "## Interns\n\nThere are 30 days of leave.", "en", True),
    ("Interns get 30 days of leave.", "Interns get:\n- 30 days of leave\n- a card", "en", True),
    ("Requests for more than 5 days need two weeks.", "Put requests in.\n\n- More than 5 days: two weeks", "en", True),
    ("Your lead answers within three weeks.", "Your lead answers within three days. Wait three weeks.", "en", False),
    ("Take up to 5 days, but you must use them by March.", "You may take up to 5 days. Use them by March.", "en", True),
    # another language than the passage's: only hard facts can be compared
    ("Die Kernzeit beginnt um 9 Uhr.", "The core hours begin at 9 a.m. for all of us.", "de", True),
    ("Die Kernzeit beginnt um 10 Uhr.", "The core hours begin at 9 a.m. for all of us.", "de", False),
    ("Urlaub gibt es reichlich.", "There is plenty of annual leave for all of us.", "de", False),
    # the document's own words always hold, even where nothing but function words stands
    ("It is so.", "It is so.", "en", True),
    ("So it is.", "It is so.", "en", False),
]


@pytest.mark.parametrize(("claim", "page", "lang", "holds"), SUPPORT)
def test_support(claim: str, page: str, lang: str, holds: bool) -> None:
    verdict = ask(f"{claim} [1]", page, lang=lang)
    assert statuses(verdict) == ["supported" if holds else "unsupported"], verdict.claims[0].reason
    assert bool(verdict.claims[0].evidence) == holds
    assert bool(verdict.claims[0].reason) != holds


@pytest.mark.parametrize(
    ("answer", "page", "lang", "holds"),
    [
        ("No. Employees get 30 days of annual leave [1].", PAGE, "en", False),
        ("No, employees receive 30 days of annual leave [1].", PAGE, "en", False),
        ("Nein, der Urlaub verfällt im März [1].", "Der Urlaub verfällt im März.", "de", False),
        ("No. Leave is not paid out [1].", "Leave is not paid out.", "en", True),
        ("No, only managers approve leave [1].", "Only managers approve leave.", "en", True),
        ("No, leave is unpaid for interns [1].", "Leave is unpaid for interns.", "en", True),
        ("Yes. Leave is not paid out [1].", "Leave is not paid out.", "en", True),
        ("Yes, employees get 30 days of annual leave [1].", PAGE, "en", True),
    ],
)
def test_a_no_before_what_denies_nothing_is_not_supported(answer: str, page: str, lang: str, holds: bool) -> None:
    claim = ask(answer, page, lang=lang).claims[0]
    assert claim.reason == ("" if holds else "the opening word says the opposite")


def test_a_claim_nothing_of_which_can_be_compared_says_so() -> None:
    reason = ask("Urlaub gibt es reichlich [1].", lang="de").claims[0].reason
    assert reason.startswith("could not be checked: ")
    assert "another language (en)" in reason
    assert ask("So it is [1].", "It is so.").claims[0].reason.startswith("could not be checked: ")


def test_the_title_counts_as_context_but_is_no_evidence() -> None:
    page = Passage("Employees get 30 days of annual leave in 12 months.", "Policy 2025 > Annual leave")
    good = check("In 2025, employees get 30 days of annual leave [1].", [page], "en").claims[0]
    assert (good.status, good.evidence[0].quote) == ("supported", page.text)
    assert check("Annual leave policy [1].", [Passage("Nothing else.", page.above)], "en").claims[0].evidence == []


def test_two_passages_prove_a_claim_together() -> None:
    verdict = ask("Alpha is red and beta is green [1][2].", *FIVE)
    assert [(e.n, e.quote) for e in verdict.claims[0].evidence] == [(1, FIVE[0]), (2, FIVE[1])]


def test_evidence_has_the_lines_of_the_file() -> None:
    page = Passage(
        "# Leave\r\n\r\nSome words here.\r\nUp to 5 days carry over\r\nuntil 31 March.\r\nEnd.", first_line=40
    )
    evidence = check("Up to 5 days carry over until 31 March [1].", [page], "en").claims[0].evidence[0]
    assert (evidence.quote, evidence.first_line, evidence.last_line) == (
        "Up to 5 days carry over\r\nuntil 31 March.",
        43,
        44,
    )


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Employees get [30 days](javascript:alert) of leave [1].", "Employees get 30 days of leave [1]."),
        ("Employees get [30 days](//evil) of leave [1].", "Employees get 30 days of leave [1]."),
        ("Employees get 30 days of leave ![x](http://evil/x.png) [1].", "Employees get 30 days of leave[1]."),
        ("Employees get 30 days of leave <img src=x onerror=alert()> [1].", "Employees get 30 days of leave[1]."),
        ("Employees get 30 days of annual leave <http://evil> [1].", None),
        ("Employees get 30 days of annual leave [1].\n\n[leave]: http://evil", None),
    ],
)  # fmt: skip
def test_a_link_or_tag_that_stands_in_no_passage_is_named_and_made_harmless(answer: str, shown: str | None) -> None:
    verdict = ask(answer)
    assert {*statuses(verdict)} & {"unsupported", "uncited"}
    assert shown is None or verdict.claims[0].reason == "it holds a link (or markup) that its passage does not"
    assert shown is None or " ".join(verdict.text.split()).replace(" [1]", "[1]") == shown.replace(" [1]", "[1]")


def test_a_link_of_the_passage_holds_and_is_shown_as_text() -> None:
    verdict = ask("Use [the form](forms.md) to apply [1].", "To apply, use [the form](forms.md).")
    assert statuses(verdict) == ["supported"]
    assert verdict.text == "Use the form to apply [1]."


ACTIVE = st.lists(
    st.sampled_from(
        ["[a](b)", "![", "](x)", "[1]", "[a", "][1]", "\n[1]: http://e", "<img src=x>", "<", "a>", "`", "```", "\n",
         "> ", "\\", "\n\n", "    ", "- ", "<http://e>", "<!--", "-->", "<br>", ' "t(i)t")', "(", ")", "[[1]](x)",
         "<script\n", "b"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(ACTIVE)
@settings(derandomize=True, max_examples=1000, deadline=None)
def test_nothing_active_is_shown(answer: str) -> None:
    shown = ask(answer, PAGE, PAGE).text
    found = {t.type for b in MarkdownIt("commonmark").parse(shown) for t in (b, *(b.children or ()))}
    assert not found & {"link_open", "image", "html_inline", "html_block"}


# --- normal forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lang", "values"),
    [
        ("1,500", "en", ["1500"]), ("1,500", "de", ["1.5"]), ("1.500", "de", ["1500"]), ("1,5", "en", ["1.5"]),
        ("1,500", None, ["1.5", "1500"]), ("1.234.567,89", "de", ["1234567.89"]), ("1 500", "fr", ["1500"]),
        ("0.125", "de", ["0.125"]), ("１５", "ja", ["15"]), ("twenty-five", "en", ["25"]), ("fünfzehn", "de", ["15"]),
        ("三十五天", "zh", ["35"]), ("1.5 Mio.", "en", ["1500000"]), ("3万", "zh", ["30000"]), ("5k", "en", ["5000"]),
        ("it was -5 here", "en", ["-5"]), ("VPN-2", "en", []), ("A4", "en", []), ("一般", "zh", []),
    ],
)  # fmt: skip
def test_numbers(text: str, lang: str | None, values: list[str]) -> None:
    assert sorted(format(v.normalize(), "f") for n in numbers(plain(text), lang) for v in n.values) == values


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("5 May 2024", (2024, 5, 5)), ("May 5, 2024", (2024, 5, 5)), ("5. Mai 2024", (2024, 5, 5)),
        ("5.5.2024", (2024, 5, 5)),
        ("2024-05-05", (2024, 5, 5)), ("5 de mayo de 2024", (2024, 5, 5)), ("5 mai 2024", (2024, 5, 5)),
        ("2024年5月5日", (2024, 5, 5)), ("31.3.", (None, 3, 31)), ("März 2024", (2024, 3, None)),
        ("1er août", (None, 8, 1)),
    ],
)  # fmt: skip
def test_dates(text: str, date: tuple[int | None, int, int | None]) -> None:
    assert [set(m.dates) for m in moments(text)] == [{date}]


@pytest.mark.parametrize(
    ("text", "time"),
    [("3 p.m.", (15, 0)), ("12 a.m.", (0, 0)), ("15:30", (15, 30)), ("15 Uhr", (15, 0)), ("9.30 Uhr", (9, 30)),
     ("15h30", (15, 30)), ("下午3点", (15, 0)), ("9時30分", (9, 30))],
)  # fmt: skip
def test_times(text: str, time: tuple[int, int]) -> None:
    assert [set(m.times) for m in moments(text)] == [{time}]


def test_names_and_quotes() -> None:
    assert names("The team of Anna Schmidt uses VPN-2 in May; GDPR applies.", "en") == [
        "Anna",
        "Schmidt",
        "VPN-2",
        "May",
        "GDPR",
    ]
    assert names("Die Abteilung von Anna Schmidt hat Urlaub.", "de") == ["Anna", "Schmidt"]
    assert names("It takes 3rd place, e.g. 30kg, on 5 May.", "en") == []
    assert quotes('“a b,” „c“ «d» 「e」 `f` "g"') == ["a b", "c", "d", "e", "f", "g"]


# --- properties ----------------------------------------------------------------------------------------------------

noise = st.text(max_size=120)
brackets = st.text(alphabet="[]【】［］0123456789,-– ab.`\\\n:|*<>'\"", max_size=60)
pieces = st.sampled_from(
    ["Employees get 30 days", "[1]", "[9]", "[0]", " ", ". ", "\n", "\n- ", "|", "```\n", "`", "[1, 2]", "[2-9]",
     "<think>", "</think>", "【1】", "[^1]", "[Source 1]", "[1](a.md)", "¹", "\nSources: ", "\n[^1]: a.md", "# ",
     "not ", "31 March", ":", "“", "”", "三十天。", "[", "]"],
)  # fmt: skip
anything = noise | brackets | st.lists(pieces, max_size=15).map("".join)
quick = settings(derandomize=True, max_examples=250, deadline=None)


def shown_markers(verdict: Verdict) -> list[int]:
    code = code_spans(verdict.text)
    found = OUTPUT.finditer(verdict.text)
    return [int(m[1]) for m in found if not any(a <= m.start() < b for a, b in code)]


@given(anything, st.lists(anything, max_size=3), st.sampled_from(["en", "de", "zh", "xx"]))
@example("[[9]1]", ["a"], "en")
@example("[1[9]] x [1]", ["a"], "en")
@example("a \ud800 [1]", ["a"], "en")
@example("[" * 3000 + "1" + "]" * 3000, ["a"], "en")
@quick
def test_any_text_gets_a_verdict_and_no_marker_points_outside(answer: str, texts: list[str], lang: str) -> None:
    verdict = check(answer, [Passage(t, first_line=7) for t in texts], lang)
    assert all(1 <= n <= len(texts) for n in shown_markers(verdict))
    assert all(1 <= n <= len(texts) for c in verdict.claims for n in c.citations)
    assert verdict.needs_review == (not verdict.claims or any(c.status != "supported" for c in verdict.claims))
    for claim in verdict.claims:
        assert (claim.status == "supported") == (claim.reason == "") == bool(claim.evidence)
        for evidence in claim.evidence:
            text = texts[evidence.n - 1]
            assert evidence.n in claim.citations
            assert evidence.quote
            assert evidence.quote in text
            lines = text.split("\n")[evidence.first_line - 7 : evidence.last_line - 6]
            assert evidence.quote in "\n".join(lines)


def test_a_verdict_can_always_be_sent() -> None:
    assert ask("Employees get \ud800 30 days [1].").model_dump_json()


@given(anything, st.lists(st.sampled_from([*FIVE, PAGE]), min_size=1, max_size=3))
@quick
def test_a_checked_answer_checks_the_same_again(answer: str, texts: list[str]) -> None:
    assume("`" not in answer and "~" not in answer)  # what is code may change with a marker gone
    assume(not re.search("[²³¹⁰-⁹]", answer))  # and behind which word a raised digit stands, with what is unseen
    once = ask(answer, *texts)
    again = ask(once.text, *texts)
    assert shown_markers(again) == shown_markers(once)


VOCABULARY = "employees managers leave days travel budget office approval report quickly never not Berlin Anna VPN-2"
words_of_a_sentence = st.lists(st.sampled_from(VOCABULARY.split(" ")), min_size=3, max_size=9)


@given(words_of_a_sentence, st.integers(2, 998), st.integers(2, 998), st.sampled_from([" ", "\n", "\n\n- "]))
@quick
def test_a_copied_sentence_holds_and_with_another_number_it_does_not(
    words: list[str], n: int, other: int, gap: str
) -> None:
    assume(n != other)
    sentence = f"The {' '.join(words)} takes {n} hours."
    passage = Passage(f"Some rules apply.{gap}{sentence}{gap}Ask your desk.", first_line=5)
    good = check(f"{sentence} [1]", [passage], "en")
    assert statuses(good) == ["supported"], good.claims[0].reason
    assert good.claims[0].evidence[0].quote == sentence
    assert not good.needs_review
    assert statuses(check(f"{sentence.replace(f' {n} ', f' {other} ')} [1]", [passage], "en")) == ["unsupported"]


# --- command line --------------------------------------------------------------------------------------------------


def test_the_command_asks_and_shows_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[str], bool]] = []

    def command(argv: list[str], *, show_checks: bool) -> int:
        calls.append((argv, show_checks))
        return 1

    answer = types.ModuleType("answer")
    monkeypatch.setattr(answer, "command", command, raising=False)
    monkeypatch.setitem(sys.modules, "answer", answer)
    assert verify.main(["How many days?"]) == 1
    assert calls == [(["How many days?"], True)]


def test_the_module_reads_no_files_and_knows_no_network() -> None:
    folder = Path(verify.__file__).parent
    for file in (folder / "verify.py", *(folder / "proof").glob("*.py"), folder / "language" / "sentences.py"):
        assert not re.search(r"\bopen\(|sqlite|httpx|requests|socket|\bPath\(", file.read_text(encoding="utf-8"))


# --- rows of tables ------------------------------------------------------------------------------------------------

TERMS = """\
| Level | Notice period | Vacation |
|---|---|---|
| Junior | 1 month | 28 days |
| Senior | 3 months | 32 days |"""
PRESSES = "| | Press A | Press B |\n|---|---|---|\n| Force | 80 t | 120 t |\n| Operator | Renske Vial | Ada Fenn |"
PLANS = """\
## What a plan includes

| Feature | Basic | Pro |
|---|---|---|
| Single sign-on | ✗ | ✓ |
| Audit log | ✗ | ✗ |
| CSV | x | |"""
PRICES = """\
**Prices for guests**

| Dish | Price |
|---|---|
| Salad | €6.40 |
| Soup | €4.10 |

**Prices for staff**

| Dish | Price |
|---|---|
| Salad | €3.90 |
| Soup | €2.60 |"""
BUDGET = (
    "## Budget (thousand euros)\n\n| Team | 2024 | 2025 |\n|---|---|---|\n| Sales | 420 | 455 |\n| Total | 890 | 93 |"
)
LEDGER = "| | 2020 | 2021 |\n|---|---|---|\n| Gains and losses | 40 | 52 |\n| Losses | 7 | 9 |"
PATCHES = (
    "| Of | When | Scope |\n|---|---|---|\n| Golang code | Weekly | Platform code |\n| Hosts | Daily | User code |"
)


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("Seniors have 32 days of vacation", TERMS),
        ("The notice period for juniors is one month", TERMS),
        ("Seniors have a notice period of 3 months and juniors one of 1 month", TERMS),
        ("Ada Fenn operates Press B", PRESSES),
        ("The force of Press A is 80 t", PRESSES),
        ("The Pro plan includes single sign-on", PLANS),
        ("The Basic plan does not include the audit log", PLANS),
        ("The price of a soup is €4.10 for guests", PRICES),
        ("Sales got 455 thousand euros in 2025", BUDGET),
        ("The total for 2024 is 890 thousand euros", BUDGET),
        ("The scope of Golang code is platform code", PATCHES),
        ("Gains and losses: 52 in 2021", LEDGER),
    ],
)
def test_a_cell_is_told_by_its_row_and_header(said: str, page: str) -> None:
    (claim,) = ask(f"{said} [1].", page).claims
    assert claim.status == "supported", claim.reason


@pytest.mark.parametrize(
    ("said", "page", "told"),
    [
        ("Seniors have 28 days of vacation", TERMS, "32"),
        ("The notice period for seniors is 1 month", TERMS, "3 months"),
        ("Juniors have 32 days of vacation and seniors 28", TERMS, "28"),
        ("Press B has a force of 80 t", PRESSES, "120 t"),
        ("Press A has a force of 120 t and Press B one of 80 t", PRESSES, "80 t"),
        ("The operator of Press A is Ada Fenn", PRESSES, "Renske Vial"),
        ("The Basic plan includes single sign-on", PLANS, "✗"),
        ("The Pro plan includes the audit log", PLANS, "✗"),
        ("The Pro plan does not include single sign-on", PLANS, "✓"),
        ("The Pro plan includes CSV", PLANS, "nothing"),
        ("The price of a soup is €4.10 for staff", PRICES, "€2.60"),
        ("Sales got 420 thousand euros in 2025", BUDGET, "455"),
        ("Sales got 455 million euros in 2025", BUDGET, "455 million"),
    ],
)
def test_the_value_of_another_row_column_or_table_is_refused(said: str, page: str, told: str) -> None:
    (claim,) = ask(f"{said} [1].", page).claims
    assert claim.status == "unsupported"
    assert told in claim.reason


def test_a_row_is_proof_with_its_header_beside_it() -> None:
    (claim,) = ask("Juniors have 28 days of vacation [1].", TERMS).claims
    assert [(e.quote, e.first_line) for e in claim.evidence] == [
        ("Level | Notice period | Vacation", 1),
        ("Junior | 1 month | 28 days", 3),
    ]
