"""Markdown that shows exactly the text that was written, and says so without needless backslashes."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chunking.inline import trace
from chunking.units import units
from sources.formats import Limits, Unreadable
from sources.formats.writing import Cell, Page, line_of, looks_like_header, plain, resolved

MARKDOWN = MarkdownIt("commonmark").enable("table")
MARKUP = st.text(alphabet="ab *_`[]()<>&;\\{}%:.#!|~-+=1\"'", max_size=30)


def page() -> Page:
    return Page(Limits(1, 100_000))


def written(page: Page) -> list[str]:
    return page.converted().text.rstrip("\n").split("\n")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        *(
            (text, text)
            for text in ("2 * 3 * 4", "a_b_c", "C:\\dir", "a < b & c", "[1] and [2]", "f(x)[0]", "{x}", "50% *")
        ),
        ("a *word* here", "a \\*word\\* here"),
        ("<b>bold</b>", "\\<b>bold\\</b>"),
        ("see [x](y)", "see \\[x](y)"),
        ("&amp;", "\\&amp;"),
        ("{{ name }}", "{\\{ name }}"),
        ("__init__", "\\_\\_init\\_\\_"),
    ],
)
def test_only_what_would_be_markup_is_escaped(text: str, markdown: str) -> None:
    assert plain(text) == markdown


@given(MARKUP)
@settings(max_examples=200, deadline=None)
def test_plain_text_shows_as_it_is(text: str) -> None:
    line = line_of(text)
    assert trace(plain(line)).text == line


@given(st.lists(MARKUP.filter(lambda line: line_of(line) and not line_of(line).endswith("\\")), min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_paragraph_stays_one_whatever_its_lines_begin_with(lines: list[str]) -> None:
    one = page()
    one.prose("x\n" + "\n".join(lines), "p")
    tokens = MARKDOWN.parse(one.converted().text)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert re.sub(" *\n", "\n", trace(tokens[1].content).text) == "\n".join(["x", *map(line_of, lines)])


def test_lists_nest_and_a_marker_that_markdown_lacks_is_text() -> None:
    one = page()
    inner = one.item("one", "a")
    one.item("three", "b", inner, "3.")
    one.item("alpha", "c", 0, "a)")
    assert written(one) == [
        "- one",
        "",
        "  3. three",
        "- a) alpha",
    ]  # without the blank line "3." would go on with "one"
    assert [unit.text for unit in units("\n".join(written(one)), 1)] == ["one – three", "a) alpha"]


def test_long_paragraphs_are_wrapped_at_sentence_ends_and_long_ones_at_words() -> None:
    one = page()
    one.prose(" ".join(["This sentence has seven words in it."] * 40), "a")
    one.prose("word " * 1000, "b")
    lines = [line for line in written(one) if line]
    assert all(len(line) <= 1000 for line in lines)
    assert all(line.endswith(".") for line in lines if line.startswith("This"))
    assert sum(line.count("word ") + line.endswith("word") for line in lines) == 1000


@pytest.mark.parametrize(
    ("rows", "grid"),
    [
        ([[Cell("a", 2), Cell("b")], [Cell("1"), Cell("2"), Cell("3")]], [["a", "a", "b"], ["1", "2", "3"]]),
        ([[Cell("a", rows=9), Cell("b")], [Cell("c")]], [["a", "b"], ["a", "c"]]),
        ([[Cell("whole", 1000)], [Cell("1"), Cell("2")]], [["whole", ""], ["1", "2"]]),
        ([[Cell("a", 2, 2), Cell("b")], [Cell("c")], [Cell("d")]], [["a", "a", "b"], ["a", "a", "c"], ["d", "", ""]]),
        ([], []),
    ],
)
def test_merged_cells_are_resolved(rows: list[list[Cell]], grid: list[list[str]]) -> None:
    assert resolved(rows) == grid


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        ([["City", "Rent"], ["Berlin", "10"], ["Rome", "20 €"]], 1),
        ([["City", "Rent", "Food"], ["Berlin", "x", "y"]], 1),
        ([["Name", "Ann"], ["Phone", "123"], ["City", "Rome"]], 0),
        ([["Berlin", "10"], ["Rome", "20"]], 0),
        ([["City", "City"], ["a", "1"]], 0),
        ([["", "Rent"], ["Berlin", "10"], ["Rome", "20"]], 1),
        ([["City", "Rent"]], 0),
        ([["City", "Rent"], ["Berlin"], []], 0),
    ],
)
def test_names_of_columns_are_told_from_rows(rows: list[list[str]], head: int) -> None:
    assert looks_like_header(rows) == head


def test_tables_drop_what_is_empty_and_one_cell_is_text() -> None:
    one = page()
    one.table([[Cell("")], [Cell("")]], ["a", "b"])
    one.table([[Cell(""), Cell("only | this")]], ["c"])
    one.table([[Cell("A"), Cell(""), Cell("B|C")], [Cell("1"), Cell(""), Cell("2")]], ["d", "e"], 1)
    assert written(one) == ["only | this", "", "| A | B\\|C |", "|---|---|", "| 1 | 2 |"]


def test_a_text_over_the_limit_names_the_setting() -> None:
    with pytest.raises(Unreadable, match=r"longer than 0\.1 MB \(BRAIN_MAX_FILE_MB\)"):
        page().prose("long " * 30_000, "a")
