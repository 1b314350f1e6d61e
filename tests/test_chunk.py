"""chunk.py: every line once, never across a heading, and pieces that can be understood alone."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import chunk as chunking
from chunk import Chunk, Document, embed_text, main, split

PROFILE = settings(max_examples=250, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
DOCS = os.environ.get("BRAIN_TEST_DOCS")

LINES = st.sampled_from(
    [
        *("# A", "## B", "### C", "#", "Title", "=====", "---", "...", "title: x", "title: [", "text", "One. Two", ""),
        *("- item", "  - deep", "      - deeper", "1. one", "  more", "\tcode", "    code", "```", "~~~ sh", "  ```"),
        *("| a | b |", "|---|---|", "| 1 | 2 |", "> quote", "> # quoted", "> - x", "<!--", "-->", "<!-- # c -->"),
        *("[a]: http://b", "{% alert %}", "{% endalert %}", "***", "a\0b", "a\fb", "a\u2028b", "\ufeff# bom", "x" * 70),
        *("<div>", "# no", "é 。", " "),
    ]
)
MARKDOWN = st.builds(
    lambda lines, ends, last: "".join(a + b for a, b in zip(lines, ends, strict=False)) + last,
    st.lists(LINES, max_size=40),
    st.lists(st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r"]), min_size=40, max_size=40),
    st.sampled_from(["", "end", "\n"]),
)


def expected_lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def assert_tiles(text: str, document: Document) -> None:
    lines, following = expected_lines(text), 1
    for chunk in document.chunks:
        assert chunk.first_line == following
        assert chunk.last_line >= chunk.first_line
        assert chunk.text == "\n".join(lines[chunk.first_line - 1 : chunk.last_line])
        following = chunk.last_line + 1
    assert following == len(lines) + 1


def headings_of(text: str) -> list[tuple[str, ...]]:
    return [chunk.heading for chunk in split(text, "notes.md").chunks]


def filled(text: str, **options: Any) -> list[Chunk]:
    return [chunk for chunk in split(text, "notes.md", **options).chunks if not chunk.is_empty]


@PROFILE
@given(MARKDOWN, st.sampled_from(["a.md", "a.txt", "a"]), st.sampled_from([10, 60, 900]))
def test_every_line_is_in_exactly_one_chunk(text: str, name: str, size: int) -> None:
    assert_tiles(text, split(text, name, max_chars=size))


@PROFILE
@given(st.text(max_size=200), st.sampled_from(["a.md", "a.txt"]))
def test_any_text_is_accepted(text: str, name: str) -> None:
    document = split(text, name, max_chars=40)
    assert_tiles(text, document)
    for chunk in document.chunks:
        embed_text(document, chunk)


@PROFILE
@given(MARKDOWN, st.sampled_from([60, 200]))
def test_no_chunk_crosses_a_heading_or_the_size_without_need(text: str, size: int) -> None:
    document = split(text, "a.md", max_chars=size)
    heads = section_starts(text)
    starts = {chunk.first_line for chunk in document.chunks}
    assert heads <= starts
    for chunk in document.chunks:
        body = chunk.body.strip("\n").rstrip()
        one_line = len([line for line in body.split("\n") if line.strip()]) <= 1
        needed = one_line or any(mark in body for mark in ("|---|", "```", "~~~", "<!--", "]: "))
        assert chunk.is_empty or len(body) <= size or needed


def section_starts(text: str) -> set[int]:
    """Lines of the headings that no front matter, list or quote holds, by the reference parser itself."""
    lines = expected_lines(text)
    has_front = bool(lines) and lines[0].lstrip("\ufeff").rstrip() == "---"
    front = split(text, "a.md").chunks[0].skip if has_front else 0
    body = "\n".join(lines[front:]).removeprefix("\ufeff")
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return {t.map[0] + front + 1 for t in tokens if t.type == "heading_open" and t.level == 0 and t.map}


@pytest.mark.parametrize(
    ("text", "last_line"),
    [
        ("", 0),
        ("\n", 1),
        ("a", 1),
        ("a\n", 1),
        ("a\r\nb\rc\n", 3),
        ("a\u2028b\fc\x85d", 1),
        ("\n\n# A", 3),
        ("a\0b\n", 1),
    ],
)
def test_a_line_ends_where_editors_end_it(text: str, last_line: int) -> None:
    chunks = split(text, "a.md").chunks
    assert (chunks[-1].last_line if chunks else 0) == last_line


# A deeper heading must not stick to the next section.
@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("# A\n## B\n### C\ntext\n## D\ntext", [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D")]),
        ("intro\n# A\nx", [("A",), ("A",)]),
        ("intro", [("Notes",)]),
        ("### C\nx\n# A\ny", [("C",), ("A",)]),
        ("Title\n=====\nx\n\nSub\n---\ny", [("Title",), ("Title", "Sub")]),
        ("# A `b` *c* [d](e) &amp; \\#f {#anchor}\nx", [("A b c d & #f",)]),
        ("# <a name='x'></a>A ![i](j)\nx", [("A i",)]),
        ("# A\n#\nx", [("A",), ("A",)]),
        ("# A\n> # quoted\n\n- # listed\n", [("A",)]),
        ("<div>\n\n# In\n</div>", [("In",), ("In",)]),
        ("\ufeff# A\nx", [("A",)]),
    ],
)
def test_heading_paths(text: str, paths: list[tuple[str, ...]]) -> None:
    assert headings_of(text) == paths


# A comment in a shell snippet must not start a section.
@pytest.mark.parametrize(
    "block",
    [
        "```sh\n# one\nls\n# two\n```",
        "~~~\n# one\n\n# two\n~~~",
        "- step:\n\n  ```sh\n  # one\n  ls\n  # two\n  ```\n- next",
        "1. a\n   ~~~\n# one\n   ~~~",
        "<!-- # one\n\n# two\n-->",
        "````\n```\n# one\n```\n````",
        "```\n# never closed",
        "    # indented code",
    ],
)
def test_marks_inside_code_and_comments_are_no_headings(block: str) -> None:
    paths = headings_of(f"# Runbook\n\n{block}\n")
    expected = {("Runbook",)} if "1. a" not in block else {("Runbook",), ("one",)}  # an unindented line leaves the list
    assert set(paths) == expected


def test_a_table_row_keeps_caption_and_header() -> None:
    rows = "\n".join(f"| City {n} | €{n} |" for n in range(1, 61))
    text = f"# Travel\n\n## Allowances 2025\n\nRates per night:\n\n| City | Rate |\n|---|---|\n{rows}\n"
    document = split(text, "travel.md", max_chars=400)
    holding = [chunk for chunk in document.chunks if "| City 55 |" in chunk.text]
    assert len(holding) == 1
    assert holding[0].heading == ("Travel", "Allowances 2025")
    assert holding[0].context == "Rates per night:\n\n| City | Rate |\n|---|---|"
    shown = embed_text(document, holding[0])
    assert shown.startswith("Travel > Allowances 2025\nRates per night:")
    assert "| City | Rate |" in shown
    assert len(holding[0].body.rstrip()) <= 400
    assert sum(chunk.text.count("| City 55 |") for chunk in document.chunks) == 1
    first = next(chunk for chunk in document.chunks if "| City 1 |" in chunk.text)
    assert first.context == ""
    assert first.text.startswith("## Allowances 2025")


def test_a_split_list_carries_its_lead_in_and_keeps_items_whole() -> None:
    items = "\n".join(f"- item {n} goes on\n  to a second line" for n in range(20))
    chunks = filled(f"# A\n\nSome words. You need all of these:\n\n{items}\n", max_chars=200)
    assert len(chunks) > 3
    assert all(chunk.context == "You need all of these:" for chunk in chunks[1:])
    assert all(chunk.body.strip().startswith("- item") for chunk in chunks[1:])
    assert all(chunk.text.rstrip().endswith("second line") for chunk in chunks)


def test_a_nested_list_that_is_split_carries_its_parents() -> None:
    inner = "\n".join(f"  - choice {n} of the form" for n in range(20))
    chunks = filled(f"Steps:\n\n- Open the form. Pick one:\n{inner}\n- Send it\n", max_chars=200)
    assert chunks[1].context == "Steps:\nPick one:"


def test_a_lead_in_stays_with_its_list_where_both_fit() -> None:
    filler = "word " * 30
    chunks = filled(f"{filler}\n\nYou need:\n\n- a card\n- a PIN\n", max_chars=170)
    assert [chunk.body.strip() for chunk in chunks][1] == "You need:\n\n- a card\n- a PIN"


def test_a_fence_stays_whole_or_repeats_its_opening() -> None:
    code = "\n".join(f"run {n}" for n in range(30))
    whole = filled(f"{'word ' * 30}\n\n```sh\n{code}\n```\n", max_chars=300)
    assert whole[1].text == f"```sh\n{code}\n```"
    parts = filled(f"```sh\n{code}\n```\n", max_chars=7)
    assert len(parts) > 1
    assert {part.context for part in parts[1:]} == {"```sh"}
    assert parts[-1].text == "run 29\n```"


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    lines = [f"Line {n} goes on and\nends here." for n in range(20)]
    chunks = filled("\n".join(lines), max_chars=120)
    assert len(chunks) > 3
    assert all(chunk.text.rstrip().endswith("ends here.") for chunk in chunks)


def test_a_line_is_never_cut() -> None:
    chunks = filled("x" * 3000 + "\nshort", max_chars=900)
    assert [len(chunk.text) for chunk in chunks] == [3000, 5]


@pytest.mark.parametrize(
    ("text", "title", "meta"),
    [
        (
            "---\ntitle: Leave\nversion: 1.10\nday: 2024-05-01\nok: yes\ntags: [a]\n---\n# Leave\nx",
            "Leave",
            {"version": "1.10"},
        ),
        (
            "---\ntitle: Leave\nowner: hr\ntags: [pay, time off]\naccess:\n  - hr\n  - finance\nempty: []\n---\nx",
            "Leave",
            {"owner": "hr", "tags": "pay, time off", "access": "hr, finance"},
        ),
        ("---\r\ntitle: 'A: b'\r\n---\r\nx", "A: b", {"title": "A: b"}),
        ("---\ndate: 2024-99-99\n---\n# H\nx", "H", {"date": "2024-99-99"}),
        ("---\ntitle: A: b: [\n---\n# H\nx", "H", {}),
        ("---\nno mapping here\n---\n# H\nx", "H", {}),
        ("---\n# only a comment\n---\nx", "My file", {}),
        ("---\ntitle: never closed\n\nx", "My file", {}),
        ("# First *h1*\n# Second", "First h1", {}),
        ("x", "My file", {}),
    ],
)
def test_title_and_front_matter(text: str, title: str, meta: dict[str, str]) -> None:
    document = split(text, "dir/my-file.md")
    assert document.title == title
    assert meta.items() <= document.meta.items()
    assert all(isinstance(value, str) for value in document.meta.values())
    assert_tiles(text, document)


def test_front_matter_and_headings_alone_are_empty_and_never_embedded() -> None:
    document = split("---\ntitle: T\nsecret: yaml\n---\n\n# T\n\n## B\n\ntext\n\n## C\n<!-- note -->\n", "a.md")
    assert [chunk.is_empty for chunk in document.chunks] == [True, True, False, True]
    assert document.chunks[0].body.strip() == ""
    assert all("yaml" not in embed_text(document, chunk) for chunk in document.chunks)


@pytest.mark.parametrize(
    "text",
    ["\n\n", "***", "<!-- a\n\nb -->", "{% include 'x' %}", "[a]: http://b", "<div>\n</div>", "# A", "---\na: b\n---"],
)
def test_chunks_without_content_are_recognised(text: str) -> None:
    assert all(chunk.is_empty for chunk in split(text, "a.md").chunks)


def test_embed_text() -> None:
    text = (
        "---\ntitle: Leave\n---\n# Leave\n## Days\nYou get [25](x).<!-- not\nthis -->\n\n"
        "```html\n<!-- kept -->\n```\n| a |\n|-----------------|\n| b      c |\n"
    )
    document = split(text, "a.md")
    assert embed_text(document, document.chunks[-1]) == (
        "Leave > Days\nYou get [25](x).\n\n```html\n<!-- kept -->\n```\n| a |\n|---|\n| b  c |"
    )


def test_an_oversized_comment_does_not_travel_with_prose() -> None:
    document = split(f"# A\n<!-- {'x ' * 600}\n\n{'y ' * 600} -->\nprose\n", "a.md")
    assert [chunk.is_empty for chunk in document.chunks] == [True, False]


def test_link_definitions_are_not_the_text_before_them() -> None:
    definitions = "\n".join(f"[{n}]: http://example.com/{n}" for n in range(60))
    document = split(f"# A\n\nprose\n\n{definitions}\n", "a.md")
    assert [chunk.is_empty for chunk in document.chunks] == [False, True]
    assert document.chunks[0].body.strip() == "prose"


def test_plain_text_has_no_markdown() -> None:
    document = split("# not a heading\n\n- one\n\n---\nx: y\n---\n", "team_notes.TXT", max_chars=20)
    assert document.title == "Team notes"
    assert {chunk.heading for chunk in document.chunks} == {("Team notes",)}
    assert [chunk.text.strip() for chunk in document.chunks] == ["# not a heading", "- one\n\n---\nx: y\n---"]


def test_front_matter_bombs_are_cheap() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    start = time.process_time()
    split(f"---\n{bomb}---\nx", "a.md")
    split("---\n" + "[" * 5000 + "\n---\nx", "a.md")
    long = split(f"---\na: &a {'x' * 9000}\nb: [{','.join(['*a'] * 9000)}]\n---\nx", "a.md")
    assert len(long.meta["b"]) <= 2000
    assert time.process_time() - start < 5


@pytest.mark.parametrize("pattern", ["{{", "{% ", "{%a%", "<!--", "a <!-- ", "a <!--\n", "![", "<a ", "{{\n", "> "])
def test_time_grows_with_the_length(pattern: str) -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        document = split(text, "a.md")
        for chunk in document.chunks:
            embed_text(document, chunk)
        return time.process_time() - start

    text = pattern * (100_000 // len(pattern))
    once, twice = min(seconds(text[:12_000]) for _ in range(3)), seconds(text[:24_000])
    assert twice < 3 * once + 0.3
    assert seconds(text) < 5


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"# A\r\nx\r\n")
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chunks"][0]["text"] == "# A\nx"
    assert main([str(file)]) == 0
    assert "L1-2  A" in capsys.readouterr().out
    file.write_bytes(b"\xff\xfe\xfa")
    assert main([str(file)]) == 2
    assert "a.md cannot be read" in capsys.readouterr().err


@pytest.mark.skipif(not DOCS, reason="BRAIN_TEST_DOCS names no folder")
def test_real_documents() -> None:
    texts = [file.read_bytes().decode("utf-8") for file in sorted(Path(DOCS or ".").rglob("*.md"))]
    for text in texts:
        document = split(text, "file.md")
        assert_tiles(text, document)
        assert all(embed_text(document, chunk) for chunk in document.chunks)
        assert section_starts(text) <= {chunk.first_line for chunk in document.chunks}

    def cost(work: object) -> float:
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            for text in texts:
                work(text)  # type: ignore[operator]
            best = min(best, time.process_time() - start)
        return best

    blocks_only = MarkdownIt("commonmark").enable("table").disable("inline")
    ratio = cost(lambda text: split(text, "file.md")) / cost(blocks_only.parse)
    print(f"split / block-only parse: {ratio:.2f}")
    assert ratio <= 2.0


def test_the_readings_of_a_name() -> None:
    assert split("x", "docs/leave/index.md").title == "Leave"
    assert split("x", "C:\\docs\\sick_leave-2024.md").title == "Sick leave 2024"
    assert chunking.lead_in("Long text. You need:") == "You need:"
    assert (
        chunking.lead_in("A whole sentence that is long enough to say something by itself. And then a second one.")
        == ""
    )
