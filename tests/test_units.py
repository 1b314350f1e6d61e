"""chunking/units.py: whole things to quote, byte for byte, and nothing that is no statement."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunk import split
from chunking.inline import trace, trace_html
from chunking.units import Unit, units

PROFILE = settings(max_examples=250, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
DOCS = os.environ.get("BRAIN_TEST_DOCS")

LINES = st.sampled_from(
    [
        *("# A", "text goes on", "One. Two here", "Is it? Yes.", "", "", "- item", "  - deep *x*", "      - deeper"),
        *("1. one", "\tcode", "    code", "```", "~~~ sh", "| a | b |", "|---|---|", "| 1 | `2\\|3` |", "> quote one."),
        *("> | q |", "<!--", "-->", "<p>html &amp; text. More</p>", "[a]: http://b", "[a][a] [b](c 'd e').", "![i](j)"),
        *("{% alert %}", "see [x]({% page '/y' %}).", "**bold. still** on", "a\0b", "a\fb\\", "a  ", "**a*b_c__`"),
        *("&copy; <b>x</b>", "é。あ。", "  indented on", "- [ ] task", "<http://a.b>", "Lead:", "{% tag 'a"),
        *("b' %} end.", "\\* \\", "***x** y*", "[[x](y)](z)", "\ta", "`` `x` ``", "> - > q"),
    ]
)
MARKDOWN = st.lists(LINES, max_size=14).map("\n".join)


def texts(markdown: str, context: str = "", lang: str = "en") -> list[str]:
    return [unit.text for unit in units(markdown, 1, context, lang)]


def quotes(markdown: str, context: str = "") -> list[str]:
    return [unit.quote for unit in units(markdown, 1, context)]


def assert_sound(text: str, first_line: int, found: list[Unit]) -> None:
    lines = text.split("\n")
    for position, unit in enumerate(found):
        assert unit.position == position
        assert unit.quote
        inside = "\n".join(lines[unit.first_line - first_line : unit.last_line - first_line + 1])
        assert unit.quote in inside
        assert unit.quote.count("\n") == unit.last_line - unit.first_line
        assert "\n" not in unit.text or unit.kind == "code"
    starts = [(unit.first_line, unit.last_line) for unit in found]
    assert starts == sorted(starts)


@PROFILE
@given(MARKDOWN, st.sampled_from(["", "Lead:", "Steps:\nPick one", "| a | b |\n|---|---|", "```sh", "Cap\n\n~~~"]))
def test_every_quote_stands_in_its_lines_byte_for_byte(text: str, context: str) -> None:
    assert_sound(text, 7, units(text, 7, context))


@PROFILE
@given(st.text(max_size=120), st.text(max_size=30), st.sampled_from(["en", "zh", "de", "xx"]))
def test_any_text_is_accepted(text: str, context: str, lang: str) -> None:
    for unit in units(text, 1, context, lang):
        assert unit.quote in text


@PROFILE
@given(MARKDOWN, st.sampled_from([40, 120]))
def test_pieces_of_a_document_are_read_with_their_context(text: str, size: int) -> None:
    for chunk in split(text, "a.md", max_chars=size).chunks:
        assert_sound(chunk.text, chunk.first_line, units(chunk.text, chunk.first_line, chunk.context))


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Use tools, e.g. Slack. Dr. Smith\nagrees.", "en", ["Use tools, e.g. Slack.", "Dr. Smith agrees."]),
        ("We close at 3 p.m. on Fridays. Call first.", "en", ["We close at 3 p.m. on Fridays.", "Call first."]),
        ("Das gilt z. B. für Urlaub. Am 3. Mai ist frei.", "de", ["Das gilt z. B. für Urlaub.", "Am 3. Mai ist frei."]),
        ("报销需在三十天内提交。请填写表格。", "zh", ["报销需在三十天内提交。", "请填写表格。"]),
        ("Use the approx. value now. Go.", "en", ["Use the approx. value now.", "Go."]),
        ("15.2. Members pay. 3. They vote.", "en", ["15.2. Members pay.", "3. They vote."]),
        ("Costs $1.50 at example.com/a.b now. Next.", "en", ["Costs $1.50 at example.com/a.b now.", "Next."]),
        ("ABC - one\\\nDEF - two  \nGHI - three", "en", ["ABC - one", "DEF - two", "GHI - three"]),
    ],
)
def test_sentences_are_whole(text: str, lang: str, expected: list[str]) -> None:
    assert texts(text, lang=lang) == expected


@pytest.mark.parametrize(
    ("text", "plain", "quote"),
    [
        ("The **rate** is `90` [euro](http://x.y 'a b').", "The rate is 90 euro.", None),
        ("**Note.** Rest.", "Note.", "**Note.**"),
        ("_One two._ Rest.", "One two.", "_One two._"),
        ("[Go now.](http://a.b) Rest.", "Go now.", "[Go now.](http://a.b)"),
        ('See the [TTS\n  Portfolio]({% page "/t/" %}) first. Rest.', "See the TTS Portfolio first.", None),
        ('Ask in {% slack_channel "help" %} first.', "Ask in help first.", None),
        ("Fees &amp; costs \\* <b>here</b>. Rest.", "Fees & costs * here.", None),
        ("Mail <a@b.cd> or [x][y] today.", "Mail a@b.cd or x today.", None),
        ("Kept 2 * 3 * 4 and snake_case_name here.", "Kept 2 * 3 * 4 and snake_case_name here.", None),
        ("Do it.{% comment %} Hidden. Later {% endcomment %} Rest.", "Do it.", "Do it."),
        ("A ![badge](b) picture stays. Rest.", "A picture stays.", None),
        ("See the [list]({{ site.url }}/a) first. Rest.", "See the list first.", None),
        ('See the [list]({{< relref "a.md" >}}) first. Rest.', "See the list first.", None),
        ("{{% notice tip %}}Lock it.{{% /notice %}} Rest.", "Lock it.", "Lock it."),
        ('Every {{< tip text="pod" id="p" >}} has one. Rest.', "Every pod has one.", None),
        ("Lock it.{: .note } Rest.", "Lock it.", "Lock it."),
        ("Set `{{ user }}` and ${{ secrets.KEY }} here. Rest.", "Set {{ user }} and ${{ secrets.KEY }} here.", None),
        ("Use `{% raw %}{% include %}{% endraw %}` here. Rest.", "Use {% include %} here.", None),
        ('Use `{{ "{%include%}" }}` here. Rest.', "Use {%include%} here.", None),
    ],
)
def test_marks_are_removed_from_the_text_and_kept_in_the_quote(text: str, plain: str, quote: str | None) -> None:
    first = units(text, 1)[0]
    assert first.text == plain
    assert first.quote == (quote or text.removesuffix(" Rest."))


@pytest.mark.parametrize(
    "text",
    [
        *("# Heading", "Heading\n===", "**Bold label**", "**Label:**", "", "***", "[a]: http://b", "```\n```"),
        *(
            "<!-- a note. -->",
            "<!--\n# x\n\ny\n-->",
            "![badge](b.svg) [![c](d)](e)",
            "[Only](http://a.b)",
            "<http://a.b>",
        ),
        *("- [A](b)\n- [C](d).\n- **[E](f)**\n- <http://a.b>\n- https://a.b/c", "| a |\n|---|\n| [x](y) |"),
        *("{{ content }}", "{{< toc >}}", "{{% children %}}", "{: .note }", "1. TOC\n{:toc}", "- Contents {:toc}"),
        *("{% include 'x' %}", "{% alert %}", "You need:\n\n- [A](b)", "You need:", "- Choose:\n  - [A](b)"),
        *(
            "<style>a { b }</style>",
            "<h2>A title for all to see.</h2>",
            "<div><button>Open it right now.</button></div>",
        ),
    ],
)
def test_what_is_no_statement_is_no_unit(text: str) -> None:
    assert units(text, 1) == []


def test_block_tags_do_not_cut_sentences() -> None:
    assert texts("{{< note >}}\nRead this.\n{{< /note >}}") == ["Read this."]
    assert texts("```\n{% raw %}\n{{ x }}\n{% endraw %}\n```") == ["{{ x }}"]
    text = "{% alert %}\nRead this\ncarefully.\n{% endalert %}"
    assert quotes(text) == ["Read this\ncarefully."]
    assert texts("Join\n{% channel 'ops' %}\ntoday.") == ["Join ops today."]


def test_questions_are_marked() -> None:
    found = units("Is it *open*? It is. “Really?”\n\n- Who pays?\n- 谁付？\n\n| Q |\n|---|\n| Why? |", 1)
    assert [unit.is_question for unit in found] == [True, False, True, True, True, False]


def test_items_carry_their_lead_in() -> None:
    text = "Before. You **need**:\n\n- a card\n- a PIN. Keep it\n  secret.\n\nAfter."
    found = units(text, 10)
    assert [(u.kind, u.text, u.quote, u.lead, u.first_line, u.last_line) for u in found] == [
        ("sentence", "Before.", "Before.", "", 10, 10),
        ("item", "You need: a card", "a card", "You need:", 12, 12),
        ("item", "You need: a PIN. Keep it secret.", "a PIN. Keep it\n  secret.", "You need:", 13, 14),
        ("sentence", "After.", "After.", "", 16, 16),
    ]


def test_a_sentence_before_a_list_is_no_lead_in() -> None:
    assert texts("Staff get 10 days.\n\n- Ask HR.") == ["Staff get 10 days.", "Ask HR."]
    assert texts("- Ask HR.", "Staff get 10 days.") == ["Ask HR."]
    assert texts("- a card\n\nAfter it.", "You need:") == ["You need: a card", "After it."]


def test_nested_items_carry_their_parents() -> None:
    text = "Steps:\n\n- Open the form. Pick:\n  - red\n\n    Or rather wine.\n- [Region](x)\n  1. five"
    assert texts(text) == [
        "Steps: Open the form.",
        "Steps: Pick: red",
        "Steps: Pick: Or rather wine.",
        "Steps: Region – five",
    ]


def test_a_long_item_gives_its_sentences() -> None:
    long = "This sentence has some length to it and goes on for a while. "
    found = units(f"Lead:\n\n- {long * 6}", 1)
    assert len(found) == 6
    assert {unit.text for unit in found} == {f"Lead: {long.strip()}"}
    assert len(units(f"Lead:\n\n- {long * 3}", 1)) == 1


def test_short_definitions_and_tasks() -> None:
    assert texts("- **Phone:** 555\n- [ ] Sign it") == ["Phone: 555", "Sign it"]


# The row of a split table is read with its header.
def test_rows_carry_their_header() -> None:
    text = "Rates:\n\n| City | Rate | |\n|:--|--:|---|\n| **Oslo** | €90 | x |\n| | a \\| b | |\n"
    found = units(text, 1)
    assert [(u.kind, u.text, u.quote, u.lead) for u in found] == [
        ("row", "City: Oslo; Rate: €90; x", "| **Oslo** | €90 | x |", "City | Rate"),
        ("row", "Rate: a | b", "| | a \\| b | |", "City | Rate"),
    ]
    assert units("| Rome | €80 |", 57, "Rates:\n\n| City | Rate |\n|---|---|") == [
        Unit("row", "City: Rome; Rate: €80", "| Rome | €80 |", 57, 57, "City | Rate", 0, False)
    ]


def test_a_row_of_a_split_table_of_a_document() -> None:
    rows = "\n".join(f"| City {n} | €{n} |" for n in range(60))
    document = split(f"# Allowances 2025\n\n| City | Rate |\n|---|---|\n{rows}\n", "a.md", max_chars=300)
    found = [u for c in document.chunks for u in units(c.text, c.first_line, c.context)]
    assert [u.text for u in found] == [f"City: City {n}; Rate: €{n}" for n in range(60)]
    assert [u.first_line for u in found] == list(range(5, 65))


def test_code_is_quoted_as_written() -> None:
    found = units("Run:\n\n```sh\n# not a heading\n  ls\n```\n\n    cat x\n", 1)
    assert [(u.kind, u.text, u.quote, u.first_line) for u in found] == [
        ("code", "Run: # not a heading\n  ls", "# not a heading\n  ls", 4),
        ("code", "cat x", "    cat x", 8),
    ]
    assert quotes("# two\nls\n```\nThen stop.", "```sh") == ["# two\nls", "Then stop."]


def test_blockquotes_are_quoted_with_their_marks() -> None:
    found = units("> One goes\n> on. Two.\n>\n> - three", 1)
    assert [u.quote for u in found] == ["One goes\n> on.", "Two.", "three"]
    assert found[0].text == "One goes on."


def test_html_prose_is_read_without_tags() -> None:
    text = "<div>\n<p>Open <b>daily</b> &amp; free\nfor all. Come in.</p><td>x</td><script>a. b.</script></div>"
    assert texts(text) == ["Open daily & free for all.", "Come in."]
    assert quotes(text)[0] == "Open <b>daily</b> &amp; free\nfor all."
    assert [traced.text.strip() for traced in trace_html("<td>a<br>b</td> c")] == ["a", "b", "c"]


def test_html_cut_at_a_blank_line_or_by_size_is_no_code() -> None:
    assert texts("<table>\n  <tr>\n\n      <td>We work on one thing.</td>\n</table>") == ["We work on one thing."]
    lines = "\n".join(f"      We work on {n} things." for n in range(20))
    chunks = split(f"<div class='x'>\n{lines}\n</div>", "a.md", max_chars=200).chunks
    assert {chunk.context for chunk in chunks[1:]} == {"<div class='x'>"}
    found = [unit for chunk in chunks for unit in units(chunk.text, chunk.first_line, chunk.context)]
    assert [unit.text for unit in found] == [f"We work on {n} things." for n in range(20)]


def test_a_piece_that_starts_inside_a_list_is_no_code() -> None:
    text = "    - five staff\n      members\n    - six\n- Click it"
    assert texts(text, "Pick one:") == ["Pick one: five staff members", "Pick one: six", "Click it"]
    assert quotes(text, "Pick one:")[0] == "five staff\n      members"


def test_notes_without_a_definition_are_plain_text() -> None:
    assert texts("Ask the finance [1][9]. See [the page][home].") == ["Ask the finance [1][9].", "See the page."]
    assert texts("See [it][9].\n\n[9]: http://a.b") == ["See it."]


def seconds(text: str) -> float:
    start = time.process_time()
    units(text, 1)
    return time.process_time() - start


HOSTILE = [
    "{{",
    "{{<",
    "`{{",
    "{{ a }} `",
    "{% raw %}",
    "{% ",
    "{% comment ",
    "{: ",
    "![",
    "<!--",
    "\n<div ",
    "<a ",
    "[a](",
    "`",
    "*a ",
    "A. \n",
    "a. ",
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_time_grows_with_the_length(pattern: str) -> None:
    text = f"x{pattern * (100_000 // len(pattern))}"
    once, twice = min(seconds(text[:12_000]) for _ in range(3)), seconds(text[:24_000])
    assert twice < 3 * once + 0.3
    assert seconds(text) < 5
    assert seconds(text[1:]) < 5


def test_of_a_huge_passage_the_beginning_is_read() -> None:
    line = " ".join(f"Rule {n} holds for **all** of us." for n in range(20_000))
    assert seconds(line) < 5
    found = units(line, 3)
    assert 500 < len(found) < 2000
    assert all(unit.text.endswith("us.") for unit in found)
    assert_sound(line, 3, found)


@PROFILE
@given(MARKDOWN)
def test_traced_characters_stand_where_they_say(source: str) -> None:
    traced = trace(source)
    assert len(traced.text) == len(traced.starts) == len(traced.ends) == len(traced.linked)
    for char, start, end in zip(traced.text, traced.starts, traced.ends, strict=True):
        written = source[start:end]
        assert char in written or char in " \n" or written[0] in "&{"
    assert traced.starts == sorted(traced.starts)


@pytest.mark.skipif(not DOCS, reason="BRAIN_TEST_DOCS names no folder")
def test_real_documents() -> None:
    for file in sorted(Path(DOCS or ".").rglob("*.md")):
        for chunk in split(file.read_bytes().decode("utf-8"), file.name).chunks:
            if not chunk.is_empty:
                assert_sound(chunk.text, chunk.first_line, units(chunk.text, chunk.first_line, chunk.context))
