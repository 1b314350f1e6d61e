"""What is said where documents disagree."""

import pytest

from answering.disagree import MOST_CHARS, told
from language.phrases import LANGUAGES, say
from proof.verdict import Conflict, Side


def side(n: int, quote: str, dated: str = "", value: str = "28 days") -> Side:
    return Side(n=n, value=value, quote=quote, first_line=1, last_line=1, dated=dated)


def test_each_side_has_its_date_words_and_citation() -> None:
    conflict = Conflict(sides=[side(2, "You get 28\ndays.", "2025-02-11"), side(1, "You get 25 days.")])
    assert told([conflict], "en") == (
        "The documents disagree, newest first:\n- 2025-02-11: “You get 28 days.” [2]\n- “You get 25 days.” [1]"
    )


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
    assert told([Conflict(sides=[side(1, "a"), side(2, "b")])], lang).startswith(say("conflict", lang))
    assert (say("conflict", lang) == say("conflict", "en")) == (lang == "en")
