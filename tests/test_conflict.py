"""Passages that disagree, and near-misses that do not: the cases stand in tests/conflicts/*.txt as readable pages."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.disagree import Page
from language.detect import language_of
from models import Near
from proof.conflict.apart import Labels, apart
from proof.conflict.find import conflicts
from proof.conflict.twins import Line, compare
from proof.conflict.value import agree
from proof.conflict.values import values

FIRST = 5  # the line on which every page begins
CASES = Path(__file__).with_name("conflicts")


@dataclass(frozen=True)
class Case:
    name: str
    lang: str
    question: str
    expected: tuple[str, ...]  # a piece of each side's quote, newest first; none for a near-miss
    pages: tuple[Page, ...]


def read(path: Path) -> list[Case]:
    """`## name`, `? lang question`, `= side | side`, then pages: `@ date source | title > heading` and their lines."""
    found = []
    for block in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        name, asked, expected, *rest = block.strip("\n").split("\n")
        lang, question = asked.removeprefix("? ").split(" ", 1)
        sides = () if expected == "= none" else tuple(expected.removeprefix("= ").split(" | "))
        pages = []
        for part in re.split(r"^@ ", "\n".join(rest), flags=re.M)[1:]:
            head, text = part.split("\n", 1)
            where, path_of = head.split(" | ")
            dated, source = where.split(" ")[0], where.split(" ")[1]
            own = re.fullmatch(r"(.*)\{(\w\w)\}", source)
            titles = path_of.split(" > ")
            above = f"{titles[0]}\n{path_of}\n"
            page_lang = own[2] if own else lang
            pages.append(Page(text.strip("\n"), above, FIRST, dated, page_lang, own[1] if own else source))
        found.append(Case(name, lang, question, sides, tuple(pages)))
    return found


ALL = [case for path in sorted(CASES.glob("*.txt")) for case in read(path)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_cases(case: Case) -> None:
    found = conflicts(case.question, case.lang, case.pages)
    if not case.expected:
        assert found == []
        return
    assert len(found) == 1
    sides = found[0].sides
    assert len(sides) == len(case.expected), sides
    for side, expected in zip(sides, case.expected, strict=True):
        page = case.pages[side.n - 1]
        assert expected in side.quote
        assert side.quote in page.text
        assert side.dated == page.dated
        first, last = side.first_line - FIRST, side.last_line - FIRST
        assert side.quote in "\n".join(page.text.split("\n")[first : last + 1])
    dates = [side.dated for side in sides]
    assert dates == sorted(dates, reverse=True)


def page(text: str, dated: str = "", lang: str = "en", source: str = "a.md", above: str = "T\nT > H\n") -> Page:
    return Page(text, above, FIRST, dated, lang, source)


def test_the_files_hold_enough_of_each_kind() -> None:
    assert sum(bool(case.expected) for case in ALL) >= 20
    assert sum(not case.expected for case in ALL) >= 25
    assert len({case.name for case in ALL}) == len(ALL)


def test_one_value_in_several_pages_is_told_by_the_newest() -> None:
    old = page("You get 25 vacation days.", "2022-01-01")
    again = page("You get 25 vacation days a year.", "2023-01-01", source="b.md")
    new = page("You get 28 vacation days.", "2025-01-01", source="c.md")
    found = conflicts("How many vacation days do I get?", "en", [old, again, new])
    assert [[(s.n, s.value) for s in c.sides] for c in found] == [[(3, "28 vacation days"), (2, "25 vacation days")]]


TWO_LANGUAGES = (
    "How long is the notice period?",
    page("The notice period is 3 months.", "2025-01-01"),
    page("Die Kündigungsfrist beträgt 2 Monate.", "2024-01-01", "de", "b.md"),
)


@pytest.mark.parametrize(("cosine", "sides"), [(0.9, [1, 2]), (0.3, [])])
def test_meaning_lets_two_languages_be_compared(cosine: float, sides: list[int]) -> None:
    question, *pages = TWO_LANGUAGES
    near = Near(lambda text, lines: [cosine] * len(lines), 0.6)
    found = conflicts(question, "en", pages, lambda lang: near)
    assert [s.n for c in found for s in c.sides] == sides
    assert conflicts(question, "en", pages) == []  # nothing but a figure in common


def test_both_pages_may_be_in_another_language_than_the_question() -> None:
    pages = [
        page("Die Kündigungsfrist beträgt 3 Monate.", "2025-01-01", "de", "a.md"),
        page("Für alle gilt eine Kündigungsfrist von 2 Monaten.", "2024-01-01", "de", "b.md"),
    ]
    found = conflicts(TWO_LANGUAGES[0], "en", pages, lambda lang: Near(lambda text, lines: [0.9] * len(lines), 0.6))
    assert [s.n for c in found for s in c.sides] == [1, 2]


FOREIGN = [
    ("When does the canteen close?", "The canteen closes at 15:00.", "Die Kantine schließt um 14:30 Uhr.", True),
    ("When does the canteen close?", "The canteen closes at 3 p.m.", "Die Kantine schließt um 15 Uhr.", False),
    ("How many vacation days do I get?", "You get 28 vacation days.", "Praktikanten erhalten 20 Urlaubstage.", False),
    ("How many vacation days do I get?", "You get 28 vacation days.", "Alle erhalten 30 Urlaubstage.", True),
    ("How many vacation days do I get?", "You get 28 vacation days.", "员工每年享有15天带薪年假。", True),
    ("May I bring a dog?", "You may bring a dog.", "Hunde mitzubringen ist verboten.", True),
    ("On which day is the meeting?", "The meeting is on Tuesday.", "La réunion a lieu le jeudi.", True),
    ("How much is the fee?", "The fee is 20 euros.", "Die Gebühr entfällt für 20 Euro nicht.", False),
]


@pytest.mark.parametrize(("question", "own", "foreign", "is_told"), FOREIGN)
def test_what_needs_no_language(question: str, own: str, foreign: str, is_told: bool) -> None:
    lang = language_of(foreign)
    pages = [page(own, "2025-01-01"), page(foreign, "2024-01-01", lang, "b.md")]
    near = Near(lambda text, lines: [0.8] * len(lines), 0.6)
    assert bool(conflicts(question, "en", pages, lambda lang: near)) == is_told


def test_of_several_lines_the_nearest_is_meant() -> None:
    own = page("The canteen closes at 15:00.", "2025-01-01")
    other = page("- Die Kantine öffnet um 11:30 Uhr.\n- Die Kantine schließt um 15:00 Uhr.", "2024-01-01", "de", "b.md")
    near = Near(lambda text, lines: [0.7 if "öffnet" in line else 0.8 for line in lines], 0.6)
    assert conflicts("When does the canteen close?", "en", [own, other], lambda lang: near) == []


def test_nothing_is_embedded_where_all_is_in_one_language() -> None:
    def never(text: str, lines: tuple[str, ...]) -> list[float]:
        raise AssertionError(text)

    pages = [page("You get 25 vacation days."), page("You get 28 vacation days.", source="b.md")]
    assert conflicts("How many vacation days do I get?", "en", pages, lambda lang: Near(never, 0.6))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 weeks", "14 days"),
        ("10 working days", "2 weeks"),
        ("1,500 EUR", "€1.5k"),
        ("15:00", "3 p.m."),
        ("up to 30 days", "28 days"),
        ("5 March", "March 5, 2025"),
        ("1 year", "12 months"),
        ("at least 8 GB", "at most 64 GB"),
        ("€5 per day", "€100 per month"),
    ],
)
def test_values_that_agree(one: str, other: str) -> None:
    [a], [b] = values(one, "en"), values(other, "en")
    assert a.kind == b.kind
    assert agree(a, b)
    assert agree(b, a)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 weeks", "10 days"),
        ("1,500 EUR", "€1,600"),
        ("15:00", "3:30 p.m."),
        ("up to 25 days", "28 days"),
        ("30 %", "25 percent"),
    ],
)
def test_values_that_do_not(one: str, other: str) -> None:
    [a], [b] = values(one, "en"), values(other, "en")
    assert not agree(a, b)


TWINS = [
    ("The desk costs 90 euros per month here.", "The desk costs 80 euros per month here.", ["90 euros", "80 euros"]),
    ("Guests should register at the desk first.", "Guests must register at the desk first.", ["should", "must"]),
    ("Checked is before the payment date.", "Checked is after the payment date.", ["before", "after"]),
    ("If the desk is away, call the hotline within 2 days.", "Call the hotline within 3 days if the desk is away.",
     ["2 days", "3 days"]),
    ("If you have a key, you may not ring the bell.", "You may not ring the bell if you have a key.", []),
    ("Guests get 8 rides, members 9 rides.", "Members get 9 rides, guests 8 rides.", []),
    ("Every guest gets 10 days of sick leave.", "Every guest gets 28 days of annual leave.", []),
    ("The desk costs 90 euros per month here.", "The desk costs 90 euros per month here.", []),
    ("After 5 years of service you get 28 free rides.", "After 10 years of service you get 30 free rides.", []),
    ("Do not use the old portal for claims.", "You may not use the old portal for claims.", []),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "expected"), TWINS)
def test_twins(one: str, other: str, expected: list[str]) -> None:
    found = compare(Line(one, "en"), Line(other, "en"))
    assert [value.text for pair in found for value in pair] == expected
    assert bool(compare(Line(other, "en"), Line(one, "en"))) == bool(expected)


APART = [
    (("Pump X100",), ("Pump X200",), True),
    (("Design meeting",), ("Sales meeting",), True),
    (("Project Heron",), ("Project Bittern",), True),
    (("Services", "Planner"), ("Services", "Docstore"), True),
    (("Pro plan",), ("Basic plan",), True),
    (("Parking (2023)",), ("Parking (2025)",), False),
    (("Old travel policy",), ("New travel policy",), False),
    (("Office hours",), ("Office rules",), False),
    (("Holidays",), ("Leave policy", "Annual leave"), False),
    (("Handbook v2",), ("Handbook v3",), False),
]


@pytest.mark.parametrize(("one", "other", "expected"), APART)
def test_titles_tell_things_apart(one: tuple[str, ...], other: tuple[str, ...], expected: bool) -> None:
    assert apart(Labels(one), Labels(other)) == expected
    assert apart(Labels(other), Labels(one)) == expected


PATHS = [
    ("offices/oslo/hours.md", "offices/porto/hours.md", True),
    ("leave/leave-de.md", "leave/leave-pl.md", True),
    ("hr/2023/leave.md", "hr/2025/leave.md", False),
    ("hr/archive/leave.md", "hr/leave.md", False),
    ("it/vpn.md", "no/vpn.md", False),
    ("services/billing.md", "services/index.md", False),
]


@pytest.mark.parametrize(("one", "other", "expected"), PATHS)
def test_paths_tell_things_apart(one: str, other: str, expected: bool) -> None:
    assert apart(Labels(("T",), one), Labels(("T",), other)) == expected


@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=60), st.sampled_from(["en", "de", "zh", "xx"]))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_it(texts: list[str], question: str, lang: str) -> None:
    pages = [page(text, lang=lang, source=str(n), above=text) for n, text in enumerate(texts)]
    for conflict in conflicts(question, lang, pages):
        assert len(conflict.sides) > 1


DATA = os.environ.get("BRAIN_TEST_DATA", "")
RECORDS = "docs/architecture-decision-record"


@pytest.mark.skipif(not DATA, reason="BRAIN_TEST_DATA names a folder of public documents")
def test_a_public_index_of_decisions_against_its_records() -> None:
    folder = Path(DATA) / "moj-modernisation-platform" / RECORDS
    index = page((folder / "README.md").read_text(encoding="utf-8"), above="Decisions\nDecisions > Table of contents\n")
    disagree = []
    for path in sorted(folder.glob("0*.md")):
        text = path.read_text(encoding="utf-8")
        title = text.split("\n")[0].lstrip("# ")
        status = re.search(r"## Status\n+.*?(?=\n## )", text, re.S)
        assert status
        record = page(status[0], "2024-01-01", source=path.name, above=f"{title}\n{title} > Status\n")
        question = f"Is the decision {title.split('. ', 1)[-1]} accepted?"
        if conflicts(question, "en", [index, record]):
            disagree.append(path.name[:4])
    assert disagree == ["0029", "0041"]
