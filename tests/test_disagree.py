"""What is said where documents disagree."""

import pytest

from answering.disagree import MOST_CHARS, told
from language.phrases import LANGUAGES, say
from proof.verdict import Conflict, Side


def side(n: int, quote: str, dated: str = "", modified: str = "") -> Side:
    return Side(n=n, value="28 days", quote=quote, first_line=1, last_line=1, dated=dated, modified=modified)


def test_each_side_has_its_date_words_and_citation() -> None:
    conflict = Conflict(sides=[side(2, "You get 28\ndays.", "2025-02-11"), side(1, "You get 25 days.", "2022-01-10")])
    assert told([conflict], "en") == (
        "The documents disagree, newest first:\n- 2025-02-11: “You get 28 days.” [2]\n"
        "- 2022-01-10: “You get 25 days.” [1]"
    )


@pytest.mark.parametrize(
    ("dates", "expected"),
    [(("2025-02-11", ""), ["2025-02-11"]), (("", ""), []), (("2025-02-11",) * 2, ["2025-02-11"] * 2)],
)
def test_nothing_is_the_newest_where_a_date_is_not_known(dates: tuple[str, str], expected: list[str]) -> None:
    changed = "2026-03-01T10:00:00+00:00"
    conflict = Conflict(sides=[side(n, "a", date, changed) for n, date in enumerate(dates, 1)])
    lead_in, *lines = told([conflict], "en").split("\n")
    assert lead_in == "The documents disagree:"
    known = [*expected, "file changed on 2026-03-01", "file changed on 2026-03-01"][:2]
    assert [line.split(": “")[0] for line in lines] == [f"- {date}" for date in known]


def test_nothing_is_said_of_nothing() -> None:
    assert told([], "de") == ""


def test_labels_are_the_callers() -> None:
    assert told([Conflict(sides=[side(1, "a"), side(2, "b")])], "en", lambda n: f"[{n + 3}]").endswith("“b” [5]")


def test_brackets_of_the_document_are_no_citations() -> None:
    assert "“As in \\[7]” [1]" in told([Conflict(sides=[side(1, "As in [7]")])], "en")


def test_a_long_quote_is_cut_around_its_value() -> None:
    shown = told([Conflict(sides=[side(1, "word " * 200 + "28 days " + "word " * 200)])], "en").split("\n")[1]
    assert "28 days" in shown
    assert len(shown) < MOST_CHARS + 20
    assert shown.count("…") == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_a_lead_in(lang: str) -> None:
    for phrase, date in (("conflict", "2025-01-01"), ("conflict_undated", "")):
        sides = [side(1, "a", date), side(2, "b", date and "2022-01-01")]
        assert told([Conflict(sides=sides)], lang).startswith(say(phrase, lang))
        assert (say(phrase, lang) == say(phrase, "en")) == (lang == "en")
