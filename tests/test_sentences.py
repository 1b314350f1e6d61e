"""Sentence places: abbreviations, decimals, full-width stops, lists, tables, wrapped lines, markers behind stops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.sentences import sentences, units

CASES = [
    ("en", "One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("en", "See e.g. the rules. Dr. Ho left at 3 p.m. on Monday.",
     ["See e.g. the rules.", "Dr. Ho left at 3 p.m. on Monday."]),
    ("en", "It costs 1.5 EUR. Version 1.2.3 is out.", ["It costs 1.5 EUR.", "Version 1.2.3 is out."]),
    ("de", "Das gilt z. B. für Urlaub. Am 3. Mai ist frei.", ["Das gilt z. B. für Urlaub.", "Am 3. Mai ist frei."]),
    ("de", "30. Juni ist die Frist.", ["30. Juni ist die Frist."]),
    ("zh", "三十天内提交。请注意！好吗？", ["三十天内提交。", "请注意！", "好吗？"]),
    ("en", "三十天内提交。请注意！", ["三十天内提交。", "请注意！"]),
    ("ja", "「はい。そうです。」と言った。次です。", ["「はい。そうです。」と言った。", "次です。"]),
    ("en", "One.[1] Two. [2][3] Three [1].", ["One.[1]", "Two. [2][3]", "Three [1]."]),
    ("zh", "一号。[1]二号。【2】三号。", ["一号。[1]", "二号。【2】", "三号。"]),
    ("en", "- one\n- two. And more\n  of it.\n2) x\n1. first\n2. second",
     ["one", "two.", "And more\n  of it.", "2) x", "first", "second"]),
    ("en", "• a b\n・c d\n- [x] done", ["a b", "c d", "done"]),
    ("en", "| City | Days |\n|---|---|\n| Bonn. X | 30 |", ["City | Days", "Bonn. X | 30"]),
    ("en", "City | Days\n--- | ---\nBonn | 30", ["City | Days", "Bonn | 30"]),
    ("en", "# Head\nText.\n\nTitle\n=====\nMore.", ["Head", "Text.", "Title", "More."]),
    ("en", "Open Monday\nOpen Tuesday", ["Open Monday", "Open Tuesday"]),
    ("en", "This sentence is broken by the margin of an editor at\nSixty columns. Next.",
     ["This sentence is broken by the margin of an editor at\nSixty columns.", "Next."]),
    ("en", "broken\nhere in lower case", ["broken\nhere in lower case"]),
    ("en", "```\na. b. c\n\nd\n```\nText.", ["a. b. c", "d", "Text."]),
    ("en", "> quoted one. quoted Two.", ["quoted one.", "quoted Two."]),
    ("xx", "One. Two.", ["One.", "Two."]),
    ("en", " \n---\n...", []),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "expected"), CASES)
def test_cuts(lang: str, text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text, lang)] == expected


def test_kinds_are_told_apart() -> None:
    text = "## Head\nThe rules are:\n- item.\n  more\n\n| A | B |\n|--|--|\n| 1 | 2 |\n\nText.\n"
    text += "**Bold head**\n**30 days**\n```\nx = 1\n```"
    assert [u.kind for u in units(text, "en")] == [
        "heading", "lead_in", "item", "item", "heading", "row", "text", "heading", "text", "code",
    ]  # fmt: skip


@given(
    st.text(max_size=300) | st.text(alphabet="ab.。!|-#>*`~[1]: \n\t「」1", max_size=120),
    st.sampled_from(["en", "de", "zh", "ja", "??"]),
)
@settings(derandomize=True, max_examples=400, deadline=None)
def test_any_text_is_cut_in_order_and_loses_no_letter(text: str, lang: str) -> None:
    covered = 0
    places = sentences(text, lang)
    for start, end in places:
        assert covered <= start < end <= len(text)
        covered = end
    inside = "".join(text[a:b] for a, b in places)
    fences = [line for line in text.split("\n") if line.lstrip(" \t>").startswith(("```", "~~~"))]
    if not fences:  # a fence's own line (its language) says nothing
        bullets = sum(c.isalnum() for c in text) - sum(c.isalnum() for c in inside)
        assert bullets <= 3 * (text.count("\n") + 1)  # only the numbers of list items are left out


def test_a_lone_surrogate_is_no_reason_to_fail() -> None:
    assert sentences("One \ud800. Two.", "en") == [(0, 6), (7, 11)]
