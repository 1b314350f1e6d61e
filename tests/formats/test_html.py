"""HTML pages as a person sees them."""

import pytest

from sources.formats import Limits, Unreadable
from tests.formats.made import placed, read


def lines(body: str) -> list[str]:
    return [line for _, line in placed(read(body, "a.html"))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>A <i>b</i></h1><p>x &amp; y<p>z", ["# A b", "x & y", "z"]),
        ("<p>one<br>two</p>", ["one  ", "two"]),
        ("see <a href=/x>the list</a> <!-- no --><script>no</script>.", ["see the list ."]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["- a", "  - b", "- c"]),
        ("<ol start=3><li>a<li value=7>b</ol>", ["3. a", "7. b"]),
        ("<ol type=a><li>x</ol>", ["- a. x"]),
        ("<ul><li><p>a</p><p>b</p></ul>", ["- a", "  b"]),
        ("<dl><dt>Term<dd>Its meaning</dl>", ["- Term  ", "  Its meaning"]),
        ("<blockquote><p>q</p></blockquote>r", ["> q", "r"]),
        ("<pre><code class=language-py>a\n  *b*\n</code></pre>", ["```py", "a", "  *b*", "```"]),
        ("<details><summary>More</summary>Inside</details>", ["More", "Inside"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<p>un<b>closed <p>next</b>", ["unclosed", "next"]),
        ("<p>1. no list<p># no heading<p>---", ["1\\. no list", "\\# no heading", "\\---"]),
        ("<table><tr><td>just text</table>", ["just text"]),
        ("<table><tr><td></table><p>x", ["x"]),
        ("<table><tr><td><h2>Left</h2>text<td>right</table>", ["## Left", "text", "right"]),
    ],
)
def test_a_page_reads_as_it_looks(body: str, expected: list[str]) -> None:
    assert lines(body) == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("<tr><th>A<th>B<tr><td>1<td>2|3", ["| A | B |", "|---|---|", "| 1 | 2\\|3 |"]),
        (
            "<thead><tr><th rowspan=2>City<th colspan=2>2024<tr><th>Q1<th>Q2</thead><tr><td>Rome<td>1<td>2",
            ["| City | 2024 Q1 | 2024 Q2 |", "|---|---|---|", "| Rome | 1 | 2 |"],
        ),
        ("<tr><th>A<th>B<tr><td rowspan=2>x<td>1<tr><td>2", ["| A | B |", "|---|---|", "| x | 1 |", "| x | 2 |"]),
        ("<tr><th>A<td>1<tr><th>B<td>2", ["|  |  |", "|---|---|", "| A | 1 |", "| B | 2 |"]),
        ("<tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><table><tr><th>k<td>v</table>", ["| x; y | k, v |"]),
        ("<caption>Rates</caption><tr><th>A<th>B<tr><td>1<td>2", ["Rates", "| A | B |", "|---|---|", "| 1 | 2 |"]),
    ],
)
def test_tables_keep_their_header_and_resolve_merged_cells(table: str, expected: list[str]) -> None:
    assert lines(f"<table>{table}</table>")[-len(expected) :] == expected


@pytest.mark.parametrize(
    "hidden",
    [
        *(
            "<p hidden>NO",
            "<p><s>NO</s><del>NO</del>",
            "<p style='text-decoration: red line-through'>NO",
            "<p style='display: none'>NO",
            "<p style=visibility:hidden>NO",
        ),
        *("<p style='font-size:0px'>NO", "<p style='color:#fff'>NO", "<p style='background:white;color:#FFFFFF'>NO"),
        *("<style>.x{display:none}</style><p class='x y'>NO", "<style>p.x, #i {visibility:hidden}</style><p id=i>NO"),
        *("<template>NO</template>", "<noscript>NO</noscript>", "<dialog>NO</dialog>", "<select><option>NO</select>"),
        *("<svg><text>NO</text></svg>", "<textarea>NO</textarea>", "<p style='opacity:0'>NO"),
        "<style>.x{display:block}.a.x{display:none}</style><p class='x a'>NO",
    ],
)
def test_what_is_hidden_is_left_out(hidden: str) -> None:
    assert lines(f"<div>before</div><div>{hidden}</div><div>after</div>") == ["before", "after"]


@pytest.mark.parametrize(
    "seen",
    [
        *("<p style='font-size:0.8em'>YES", "<p style='color:white;background:#036'>YES", "<p aria-hidden=true>YES"),
        *(
            "<style>@media print{.x{display:none}}</style><p class=x>YES",
            "<style>.y .x{display:none}</style><p class=x>YES",
        ),
        *(
            "<style>.x{display:none}.x.open{display:block}</style><p class='x open'>YES",
            "<div bgcolor=#036 style=x:y><p style=color:white>YES",
        ),
        "<style>.x{display:none}</style><p class=x style=display:block>YES",
        "<style>.banner{background:#036}</style><div class=banner><p style=color:white>YES</div>",
    ],
)
def test_what_only_looks_hidden_stays(seen: str) -> None:
    assert "YES" in lines(f"<div>before{seen}</div>")


def test_boilerplate_goes_where_the_page_says_what_is_main() -> None:
    around = "<header>H</header><nav>N</nav>{}<footer>F</footer>"
    inside = "<header><h1>Title</h1></header><nav>contents</nav><p>text<aside>note</aside>"
    assert lines(around.format(f"<main>{inside}</main>")) == ["# Title", "text", "note"]
    assert lines(around.format(f"<article>{inside}</article>")) == ["# Title", "text", "note"]
    assert lines(around.format("<p>text")) == ["H", "N", "text", "F"]


def test_what_the_head_says_is_meta() -> None:
    head = (
        "<html lang=de><head><title>A &amp; B</title><meta name=author content=Ann><meta name=keywords content='x, y'>"
    )
    read_ = read(head + "<meta property='article:modified_time' content='2025-03-04T10:00Z'></head><p>text", "a.html")
    assert read_.meta == {"title": "A & B", "owner": "Ann", "tags": "x, y", "date": "2025-03-04", "lang": "de"}


def test_blocks_are_counted_as_a_person_counts_them() -> None:
    body = "<h1>A</h1><p>b<br>c<ul><li>d</ul><table><tr><th>e<th>f<tr><td>1<td>2</table>"
    places = [place for place, _ in placed(read(body, "a.htm"))]
    assert places == ["¶1", "¶2", "¶2", "¶3", "¶4", "¶4", "¶5"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>Größe".encode(), "Größe"),
        ("<meta charset=iso-8859-1><p>Größe “x”".encode("cp1252"), "Größe “x”"),
        ('<?xml version="1.0" encoding="windows-1251"?><p>Привет'.encode("cp1251"), "Привет"),
        ("<meta http-equiv=x content='text/html; charset=Shift_JIS'><p>休暇".encode("cp932"), "休暇"),
        ("<meta charset=iso-2022-jp><p>休暇".encode("iso2022_jp"), "休暇"),
        ("<p>Größe".encode("utf-16"), "Größe"),
        (b"<meta charset=utf-8><script/><p>x", ""),
        (
            b"<?xml version='1.0'?><html><head><script src='a'/><title/></head><body><p>x&nbsp;y</p></body></html>",
            "x y",
        ),
    ],
)
def test_the_encoding_is_told(data: bytes, text: str) -> None:
    if text:
        assert read(data, "a.xhtml").text == text + "\n"
    else:
        assert "x" in read(data, "a.html").text  # as XHTML, which the ending does not say


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "holds no text"),
        (b"<!-- only -->", "holds no text"),
        (b"<p>...</p>", "holds no text"),
        (b"%PDF-1.7", "is no HTML but a PDF"),
        (b"PK\x03\x04", "is no HTML but a ZIP archive"),
        (b"<p>\0", "NUL"),
        (b"<p>\xff\xfe\xfd broken", "not UTF-8"),
        (b"<div>" * 400_000 + b"x", "nested more than 2,000 elements deep"),
        (
            b"<table>" + b"<tr><td colspan=200 rowspan=9999>" + b"x" * 150 + b"<td>y" + b"<tr><td>a<td>b" * 3000,
            "longer than",
        ),
    ],
)
def test_broken_and_hostile_pages_have_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(data, "a.html", Limits(9, 100_000))


def test_deep_pages_and_quoted_ones_are_read() -> None:
    assert lines("<div>" * 1500 + "deep") == ["deep"]
    assert lines("<ul><li>" * 300 + "deep")[-1].endswith("- deep")
    assert lines("<table><tr><td>a<td>" * 200 + "deep")[-1] == "| a | deep |"
