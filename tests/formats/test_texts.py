"""CSV files, mails, notebooks, reStructuredText and Slack exports."""

import csv
import json
from email.message import EmailMessage
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunking.hidden import visible
from sources.formats import Converted, Unreadable, slack
from tests.formats.made import LIMITS, mail, notebook, placed, read


def lines(converted: Converted) -> list[str]:
    return [line for _, line in placed(converted)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A,B\n1,2\n", [("L1", "| A | B |"), ("L1", "|---|---|"), ("L2", "| 1 | 2 |")]),
        ("A;B\n1,5;2,5\n3,5;4\n", [("L1", "| A | B |"), ("L1", "|---|---|"), ("L2", "| 1,5 | 2,5 |"), ("L3", "| 3,5 | 4 |")]),
        ("A\tB\r\n1\t2\r\n", [("L1", "| A | B |"), ("L1", "|---|---|"), ("L2", "| 1 | 2 |")]),
        ("sep=|\nA|B\n1|2\n", [("L2", "| A | B |"), ("L2", "|---|---|"), ("L3", "| 1 | 2 |")]),
        ('A,B\n"x\ny, z",2\n\n3,4\n', [("L1", "| A | B |"), ("L1", "|---|---|"), ("L2-3", "| x y, z | 2 |"), ("L5", "| 3 | 4 |")]),
        ("Rents of 2025,,\nCity,Rent,Food\nRome,1,2\n", [("L1", "Rents of 2025"), ("L2", "| City | Rent | Food |"), ("L2", "|---|---|---|"), ("L3", "| Rome | 1 | 2 |")]),
        ("1,2\n3,4\n", [("", "|  |  |"), ("", "|---|---|"), ("L1", "| 1 | 2 |"), ("L2", "| 3 | 4 |")]),
        ("only\none\ncolumn\n", [("L1", "| only |"), ("L1", "|---|"), ("L2", "| one |"), ("L3", "| column |")]),
    ],
)  # fmt: skip
def test_csv_is_a_table_with_its_lines(text: str, expected: list[tuple[str, str]]) -> None:
    assert placed(read(text, "a.csv")) == expected


def test_a_short_csv_leaves_others_the_room_that_they_have() -> None:
    before = csv.field_size_limit()
    read("A,B\n1,2\n", "a.csv")
    assert csv.field_size_limit() >= before


def test_csv_of_a_german_excel_says_how_to_save_it() -> None:
    data = "Artikel;Preis;Währung\nMüllbeutel;3,50;€\nKöder;12,00;€\n".encode("cp1252")
    with pytest.raises(Unreadable, match=r'save it as UTF-8 \(in Excel: Save As, "CSV UTF-8"\)$'):
        read(data, "prices.csv")


def test_csv_in_an_old_encoding_is_told_as_other_texts_are() -> None:
    rows = "Straße;Größe\nMüllerstraße;fünf für alle Gäste\nKönigsplatz;über zwölf Räume, schön und groß\n" * 3
    assert "Königsplatz" in read(rows.encode("cp1252"), "a.csv").text


def test_a_mail_reads_as_it_looks() -> None:
    converted = read(mail(), "a.eml")
    assert lines(converted) == [
        "# Grüße: the VPN",
        "From: Jörg Müller (joerg@example.com)  ",
        "To: Ann (ann@example.com), b@example.com  ",
        "Date: 2025-03-04 10:15",
        "Hi Ann,",
        "the gateway is now called VPN-2, and everybody who works from home has to use it from April.",
        *(
            "Steps:",
            "- install it",
            "- log in",
            "Best  ",
            "Jörg",
            "On Monday Ann wrote:",
            "> Which one?",
            "> An older one.",
        ),
    ]
    assert converted.meta == {"title": "Grüße: the VPN", "date": "2025-03-04", "owner": "Jörg Müller"}
    assert converted.notes == (
        "its plain text and its HTML differ much: the plain text is read",
        "attachment Bericht März.pdf is not read",
    )


DIFFER = "its plain text and its HTML differ much: the HTML is read"


@pytest.mark.parametrize(
    ("plain", "html", "seen", "notes"),
    [
        ("This is an HTML message.\n", "<p>Everyone gets <b>28 days</b>.</p>", ["Everyone gets 28 days."], (DIFFER,)),
        ("Everyone gets 99 days, by mail.\n", "<p>All of us have 28", ["All of us have 28"], (DIFFER,)),
        ("Everyone gets 28 days: https://x.y/z\n", "<p>Everyone gets 28 days: here", ["Everyone gets 28 days: here"], ()),
        ("Everyone gets 28 days.\n", "<p hidden>x</p>", ["Everyone gets 28 days."], ()),
        ("Everyone gets 28 days.\n", "", ["Everyone gets 28 days."], ()),
    ],
)  # fmt: skip
def test_of_a_mail_in_two_kinds_the_seen_one_is_read(plain: str, html: str, seen: list[str], notes: tuple[str]) -> None:
    message = EmailMessage()
    message["Subject"] = "s"
    message.set_content(plain)
    message.add_alternative(html, subtype="html")
    assert lines(read(message.as_bytes(), "a.eml"))[1:] == seen
    assert read(message.as_bytes(), "a.eml").notes == notes


HEAD = "Subject: s\nFrom: a@b.c\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (HEAD + "Content-Type: text/html; charset=utf-8\n\n<p>one<script>no</script><p hidden>NO", ["one"]),
        (
            HEAD
            + "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe",
            ["Grüße"],
        ),
        (HEAD + "Content-Type: text/plain; charset=nonsense\n\nplain", ["plain"]),
        (
            HEAD + "Content-Type: text/plain; format=flowed\n\na line that \ngoes on\n> quoted \n> too",
            ["a line that goes on", "> quoted too"],
        ),
        (HEAD + "\n> > twice\n> once", ["> > twice", "> once"]),
        (HEAD + "\n2. second\n   goes on\n* star", ["2. second goes on", "- star"]),
        (HEAD + "\n# no heading", ["\\# no heading"]),
        (HEAD + "\nBest\n-- \nAnn", ["Best", "Ann"]),
    ],
)
def test_bodies_of_mails(source: str, expected: list[str]) -> None:
    assert lines(read(source, "a.eml"))[2:] == expected


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        ("iso-8859-8-i", "iso-8859-8", "חופשה 28 ימים"),
        ("x-sjis", "cp932", "休暇は28日です①"),
        ("windows-31j", "cp932", "休暇は28日です"),
        ("x-gbk", "gbk", "年假28天"),
        ("Windows-874", "cp874", "วันลา 28"),
        ("x-mac-roman", "mac_roman", "Grüße 28"),
        ("cp-850", "cp850", "Grüße 28"),
        ("ks_c_5601-1987", "cp949", "휴가는 28일입니다"),
    ],
)
def test_charsets_under_the_names_that_mails_use(name: str, codec: str, text: str) -> None:
    head = f"{HEAD}Content-Type: text/plain; charset={name}\n\n".encode()
    converted = read(head + text.encode(codec), "a.eml")
    assert (lines(converted)[2:], converted.notes) == ([text], ())


def test_a_part_that_cannot_be_decoded_is_left_out_and_told() -> None:
    head = f"{HEAD}Content-Type: text/plain; charset=nonsense\n\n".encode()
    converted = read(head + "חופשה 28 ימים".encode("iso-8859-8"), "a.eml")
    assert lines(converted)[2:] == []
    assert converted.notes[0].endswith(" (it is left out)")


@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize(
    "head",
    [
        "Von: Bob, who has a long name and a longer address <bob@example.com>\nGesendet: Montag\nAn: Ann\nBetreff: x",
        "From: Bob\nSent: Monday\nTo: Ann\nSubject: x",
        "*De :* Bob\n*Envoyé :* lundi\n*À :* Ann\n*Objet :* x",
        "-----Original Message-----",
        "On Tue, 4 Mar 2025 at 10:00 Bob with his name <bob@example.com>\nwrote:",
        "Am Di., 4. März 2025 um 10:00 Uhr schrieb Bob <b@x.de>:",
        "Le mar. 4 mars 2025 à 10:00, Bob a écrit :",
        "El mar, 4 mar 2025 a las 10:00, Bob escribió:",
    ],
)
def test_earlier_mails_without_marks_are_quotes(kind: str, head: str) -> None:
    told = f"We now give 28 days.\n\n{head}\n\nWe give 25 days.\n\nAll of us."
    if kind == "html":
        head = head.replace("<", "&lt;").replace("\n", "<br>")
        told = f"<p>We now give 28 days.</p><div>{head}</div><p>We give 25 days.</p><p>All of us.</p>"
    found = lines(read(HEAD + f"Content-Type: text/{kind}; charset=utf-8\n\n" + told, "a.eml"))
    assert found[2] == "We now give 28 days."
    assert found[-2:] == ["> We give 25 days.", "> All of us."]
    assert not any(line.startswith(("Von", "From", "De")) for line in found[2:])


def test_the_head_of_an_earlier_mail_in_a_table_is_a_quote_with_all_of_it() -> None:
    rows = "".join(f"<tr><td>{name}:</td><td>x</td></tr>" for name in ("Von", "Gesendet", "An"))
    found = lines(read(HEAD + f"Content-Type: text/html\n\n<p>Yes<table>{rows}</table><p>old", "a.eml"))
    assert [line[:2] for line in found[2:]] == ["Ye", *["> "] * 6]


@pytest.mark.parametrize(
    "text",
    [
        "From: Rome\n\nTo: Paris",
        "On page 3 the auditor wrote:\n\nAll is well.",
        "On 4 March 2025 Bob wrote:\n> x\n\nYes.",
    ],
)
def test_what_only_looks_like_an_earlier_mail_is_none(text: str) -> None:
    assert not lines(read(HEAD + "\n" + text, "a.eml"))[-1].startswith(">")


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?= =?utf-8?b?4oKs?=", "# Grüße€"),
        ("Subject: =?nonsense?q?abc?=", "# abc"),
        ("Subject: =?cp-850?q?Gr=81=E1e?=", "# Grüße"),
        ("Subject: Grüße", "# Grüße"),
        ("Subject: folded\n line", "# folded line"),
        ("Date: soon\nSubject: x", "Date: soon"),
    ],
)
def test_headers_of_mails(header: str, line: str) -> None:
    assert line in lines(read(header + "\nFrom: a@b.c\n\ntext", "a.eml"))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "is empty"),
        ("just text\n\nmore", "is no mail"),
        (HEAD + "Content-Type: multipart/encrypted; boundary=x\n\n--x--", "is encrypted"),
        (HEAD + "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx", "is encrypted"),
        (
            HEAD + "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000)),
            "nested too deeply|parts",
        ),
    ],
)
def test_mails_that_cannot_be_used_have_a_reason(source: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(source, "a.eml")


def test_a_forwarded_mail_and_one_without_text() -> None:
    inner, outer = EmailMessage(), EmailMessage()
    inner["Subject"] = "Inner"
    inner.set_content("GONE")
    outer["Subject"] = "Outer"
    outer.add_attachment(inner)
    converted = read(outer.as_bytes(), "a.eml")
    assert lines(converted) == ["# Outer"]
    assert converted.notes == ("attachment Inner is not read", "the mail has no text of its own")


def test_a_notebook_reads_as_it_looks() -> None:
    assert placed(read(notebook(), "a.ipynb")) == [
        *(("cell 1", line) for line in ("# Rents", "Text", "```", "open", "```")),
        *(("cell 2", line) for line in ("```python", "print('*hi*')", "```")),
        *(("cell 2", line) for line in ("```text", "hi", "there", "```", "```text", "42", "```")),
        *(("cell 2", line) for line in ("```text", "ValueError: bad", "```")),
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "Words.\n\n<!-- TODO",
        "Words <!-- in a line",
        "- <!-- in an item",
        "<pre>words",
        "Words <script>",
        "<style>x",
        "<textarea>\n\nx",
        "<div hidden>\n\n<div>x",
        "<div hidden><p hidden>x",
        "<?php x",
        "<![CDATA[ x",
        "<!DOCTYPE x",
        "~~~~\nx\n```",
        "- item\n\n  ```\n  x",
        "- item",
        "| A | B |\n|---|---|\n| 1 | 2 |",
        "> quoted",
        "    code <pre>",
        "<template>" * 3 + "x",
    ],
)
def test_what_a_cell_leaves_open_does_not_swallow_the_next_cells(cell: str) -> None:
    cells = [
        "# Rent",
        cell,
        "  ## Budget\n\nIt is 40,000 EUR <!-- per\nyear --> in all.",
        "    total = 1",
        "## Last\nend --> here",
    ]
    book = {"cells": [{"cell_type": "markdown", "source": one} for one in cells]}
    converted = read(json.dumps(book), "a.ipynb")
    told = visible(converted.text)
    assert [token.content for token in _inline(told)][-4:] == [
        "Budget",
        "It is 40,000 EUR  in all.",
        "Last",
        "end --> here",
    ]
    places = dict(zip(converted.text.split("\n"), converted.places, strict=False))
    assert (places["## Budget"], places["## Last"], places["total = 1"]) == ("cell 3", "cell 5", "cell 4")


@pytest.mark.parametrize(("cell", "told"), [("- a\n" * 40_000, "- a"), ("- a\n" * 40_000 + "<pre>", "```")])
def test_a_very_long_cell_is_not_parsed_and_swallows_nothing_either(cell: str, told: str) -> None:
    book = {"cells": [{"cell_type": "markdown", "source": one} for one in (cell, "# Next")]}
    converted = read(json.dumps(book), "a.ipynb")
    assert converted.text.startswith(told)
    assert converted.text.endswith("- a\n\n# Next\n" if told != "```" else "```\n\n# Next\n")


def _inline(markdown: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return [token for token in tokens if token.type == "inline" and token.level == 1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "is no notebook") for text in ("{", "[]", "{}", "3", '{"cells": 3}', "[" * 100_000)),
        ("", "is empty"),
        ('{"cells": []}', "holds no text"),
        (
            '{"cells": [3, null, {"cell_type": "code", "source": {"a": 1}, "outputs": [1, {"data": 3}]}]}',
            "holds no text",
        ),
    ],
)
def test_what_is_no_notebook_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(text, "a.ipynb")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("====\nMain\n====\n\nSub\n---\n\ntext\n", [("L2", "# Main"), ("L5", "## Sub"), ("L8", "text")]),
        ("one *two*\n``three*`` `four <http://x.y>`_.\n", [("L1", "one two"), ("L2", "three* four.")]),
        (":ref:`the rule <rule>` and :py:func:`~os.path.join` and :unknown:`x`\n", [("L1", "the rule and join and x")]),
        ("* a\n\n  * b\n\n3. c\n4. d\n", [("L1", "- a"), ("L3", "  - b"), ("L5", "3. c"), ("L6", "4. d")]),
        ("a) x\nb) y\n", [("L1", "- a) x"), ("L2", "- b) y")]),
        ("term\n   meaning\n", [("L1", "- term  "), ("L2", "  meaning")]),
        (".. note:: Careful.\n\n   Very.\n", [("L1", "Note: Careful."), ("L3", "Very.")]),
        (".. versionadded:: 1.2\n   A thing.\n", [("L1", "New in version 1.2: A thing.")]),
        (".. unknown:: words\n   :option: x\n\n   content\n", [("L1", "words"), ("L4", "content")]),
        (".. code-block:: py\n   :linenos:\n\n   x = '*'\n   y\n", [("L4", "```py"), ("L4", "x = '*'"), ("L5", "y"), ("L5", "```")]),
        ("x::\n\n  y\n", [("L1", "x:"), ("L3", "```"), ("L3", "y"), ("L3", "```")]),
        ("== ==\nA  B\n== ==\n1  2\n== ==\n", [("L2", "| A | B |"), ("L2", "|---|---|"), ("L4", "| 1 | 2 |")]),
        (
            "+---+---+\n| A | B |\n+===+===+\n| x | 1 |\n|   +---+\n|   | 2 |\n+---+---+\n",
            [("L2", "| A | B |"), ("L2", "|---|---|"), ("L4", "| x | 1 |"), ("L6", "| x | 2 |")],
        ),
        (".. list-table:: Rates\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - 2\n", [("L1", "Rates"), ("L4", "| A | B |"), ("L4", "|---|---|"), ("L6", "| 1 | 2 |")]),
        ("  quoted\n", [("L1", "> quoted")]),
        ("| one\n| two\n", [("L1", "one  "), ("L1", "two")]),
        ("Rule [1]_.\n\n.. [1] Since 2024.\n", [("L1", "Rule [1]."), ("L3", "[1] Since 2024.")]),
        ("|x| is it\n\n.. |x| replace:: this\n", [("L1", "this is it")]),
    ],
)  # fmt: skip
def test_restructuredtext_reads_as_it_looks(text: str, expected: list[tuple[str, str]]) -> None:
    assert placed(read(text, "a.rst")) == expected


def test_what_rst_includes_or_hides_is_left_out_and_nothing_is_opened(tmp_path: Any) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET", encoding="utf-8")
    text = f"text\n\n.. include:: {secret}\n\n.. csv-table::\n   :file: {secret}\n\n.. raw:: html\n\n   NO\n\n.. comment NO\n\n"
    text += ".. toctree::\n\n   NO\n\n.. automodule:: no\n   :members:\n\n.. image:: no.png\n   :alt: NO\n\n"
    text += f".. literalinclude:: {secret}\n\n.. csv-table::\n   :url: file://{secret}\n"
    assert lines(read(text, "a.rst")) == ["text"]


@pytest.mark.parametrize(
    ("block", "at"),
    [
        (".. list-table::\n\n   * - Germany\n     - 120\n   * - France", 1),
        ("+------+-----+\n| City | Fee |\n+======+=====+\n| Rome | 40 |\n+------+-----+", 4),
        ('.. csv-table:: Fees\n\n   "Desk", 400\n   "Chair" x, "200', 1),
        (".. note::\n   :unknown: yes\n\n   Body text.", 1),
        (".. figure:: x.png\n   :bad: 1\n\n   Caption.", 1),
    ],
)
def test_a_block_with_an_error_stays_as_it_is_written(block: str, at: int) -> None:
    converted = read(f"one\n\n{block}\n\ntwo\n", "a.rst")
    told = [line for line in enumerate(block.split("\n"), 3) if line[1]]
    assert placed(converted)[2:-2] == [(f"L{n}", line) for n, line in told]
    assert [note.partition(" is not")[0] for note in converted.notes] == [f"line {2 + at}"]


def test_a_block_with_an_error_inside_a_list_a_table_or_a_definition_stays_too() -> None:
    note = ".. note::\n     :no: x\n\n     Body."
    text = f"* item\n\n  {note}\n\nterm\n  {note}\n\n.. list-table::\n\n   * - {note.replace('     ', '          ')}\n"
    assert read(text, "a.rst").text.count("Body.") == 3
    assert "unknown option" not in read(text, "a.rst").text


def test_a_heading_of_a_wrong_level_and_a_block_in_a_field_stay_too() -> None:
    assert "Sub" in lines(read("T\n=\n\nB\n~\n\nX\n=\n\nSub\n^^^\n\ntext\n", "a.rst"))
    made = read("text\n\n:Field: .. note::\n           :no: 1\n\n           Body.\n", "a.rst")
    assert "Body." in made.text
    assert "ERROR" not in made.text


def test_the_day_of_conversion_is_not_written() -> None:
    assert lines(read(".. |day| date::\n\nValid on |day|.\n", "a.rst")) == ["Valid on day."]


def test_substitutions_that_stand_for_millions_are_refused_at_once() -> None:
    text = "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n" for n in range(24))
    with pytest.raises(Unreadable, match="substitutions in substitutions"):
        read(text + ".. |a24| replace:: x\n\n|a0|\n", "a.rst")
    assert lines(read(".. |a| replace:: |b| |b|\n.. |b| replace:: x\n\n|a| |A|\n", "a.rst")) == ["x x x x"]


def test_fields_below_the_title_are_meta() -> None:
    converted = read("T\n=\n\n:Author: Ann\n:Date: 2025-03-04\n:orphan:\n\ntext\n\n:key: value\n", "a.rst")
    assert converted.meta == {"owner": "Ann", "date": "2025-03-04"}
    assert lines(converted) == ["# T", "text", "- key: value"]


PEOPLE = [
    {"id": "U1", "profile": {"real_name": "Ann Author"}},
    {"id": "U2", "name": "bob", "profile": {"display_name": "Bob"}},
]
DAY = [
    {"user": "U1", "text": "Hi <@U2>, the *VPN* is at <https://x.y|the gateway>:\n• one\n```a * b```", "ts": "1741083300.1", "thread_ts": "1741083300.1"},
    {"user": "U2", "subtype": "channel_join", "text": "joined", "ts": "1741083301.0"},
    {"user": "U9", "text": "2 &lt; 3, see <#C1|general> <!here>", "ts": "1741083400.0"},
    {"user": "U2", "text": "thanks", "ts": "1741083500.1", "thread_ts": "1741083300.1", "files": [{"name": "a.pdf"}]},
    {"username": "Bot", "text": "", "attachments": [{"fallback": "It broke."}], "ts": "x"},
]  # fmt: skip


def day(messages: object, people: object = PEOPLE) -> Converted:
    data = slack.packed(json.dumps(messages).encode(), json.dumps(people).encode())
    return slack.convert(data, "export/general/2025-03-04.json", LIMITS)


def test_a_day_of_slack_names_people_and_keeps_answers_together() -> None:
    converted = day(DAY)
    assert placed(converted) == [
        ("¶1", "# general, 2025-03-04"),
        ("¶5", "Bot (00:00 UTC): It broke."),
        ("¶1", "Ann Author (10:15 UTC): Hi @Bob, the VPN is at the gateway:"),
        *(("¶1", line) for line in ("- one", "```", "a * b", "```")),
        ("¶4", "> Bob (10:18 UTC): thanks"),
        ("¶3", "U9 (10:16 UTC): 2 < 3, see #general @here"),
    ]
    assert converted.meta == {"title": "general, 2025-03-04", "date": "2025-03-04"}
    assert converted.notes == ("file a.pdf is not read",)


RICH = [
    {"type": "rich_text_section", "elements": [{"type": "text", "text": "Rest < 3 "}, {"type": "user", "user_id": "U2"}, {"type": "text", "text": "GONE", "style": {"strike": True}}]},
    {"type": "rich_text_list", "elements": [{"type": "rich_text_section", "elements": [{"type": "link", "url": "https://x.y", "text": "one"}]}]},
    {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said"}]},
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"text": "", "blocks": [{"type": "header", "text": {"text": "Closed"}}, {"type": "section", "text": {"text": "on *24 May*"}, "fields": [{"text": "all day"}]}, {"type": "context", "elements": [{"text": "HR"}]}]}, ["Closed  ", "on 24 May  ", "all day  ", "HR"]),
        ({"text": "", "blocks": [{"type": "rich_text", "elements": RICH}]}, ["Rest < 3 @Bob", "- one", "> said"]),
        ({"text": "New: *a* b", "blocks": [{"type": "rich_text", "elements": [{"type": "text", "text": "a b"}]}]}, ["New: a b"]),
        ({"text": "cannot be shown", "blocks": [{"type": "section", "text": {"text": "28 days"}}]}, ["28 days"]),
        ({"text": "See:", "attachments": [{"blocks": [{"type": "table", "rows": [[{"type": "raw_text", "text": "City"}, {"type": "raw_text", "text": "Fee"}], [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "Berlin"}]}]}, {"type": "raw_text", "text": "5"}], "no row"]}]}]}, ["See:  ", "City | Fee  ", "Berlin | 5"]),
        ({"text": "See", "attachments": [{"title": "Shared", "text": "It costs 40.", "fallback": "GONE", "fields": [{"title": "City", "value": "Rome"}]}]}, ["See  ", "Shared  ", "It costs 40.  ", "City: Rome"]),
        ({"text": "See", "attachments": [{"text": "Their words", "is_msg_unfurl": True}]}, ["See", "> Their words"]),
        ({"text": "~25~ 28 days, `a ~b~ c`, <https://x.y/~ann/~bob>, ~5 or ~6"}, ["28 days, `a ~b~ c`, https://x.y/~ann/~bob, ~5 or ~6"]),
        ({"text": "Keep *`a_b` for `*x*`*, `_y_`\n\ue0003\ue001 or `x` &lt;b&gt;"}, ["Keep `a_b` for `*x*`, `_y_`  ", "3 or `x` \\<b>"]),
        ({"text": "", "blocks": [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "on "}, {"type": "text", "text": "plan_store*", "style": {"code": True}}]}]}]}, ["on `plan_store*`"]),
    ],
)  # fmt: skip
def test_all_that_is_seen_of_a_message_is_read(message: dict[str, Any], expected: list[str]) -> None:
    found = lines(day([{"user": "U1", "ts": "1741083300.1", **message}, {"user": "U2", "text": "ok"}]))
    assert [line.removeprefix("Ann Author (10:15 UTC): ") for line in found[2:]] == expected


def test_an_answer_to_the_thread_of_another_day_names_it_and_what_was_deleted_is_left_out() -> None:
    messages = [
        {"user": "U1", "text": "Yes, 30.", "ts": "1741083300.1", "thread_ts": "1740000000.0", "parent_user_id": "U2"},
        {"user": "U1", "text": "Yes.", "ts": "1741083300.2", "thread_ts": "1740000000.0"},
        {"user": "U1", "text": "GONE", "ts": "1741083300.3", "subtype": "message_deleted"},
        {"user": "U1", "text": "GONE", "ts": "1741083300.4", "hidden": True},
        {"user": "U1", "text": "~GONE~", "ts": "1741083300.5"},
    ]
    assert lines(day(messages))[1:] == [
        "Ann Author (10:15 UTC, in answer to a message of Bob of 2025-02-19): Yes, 30.",
        "Ann Author (10:15 UTC, in answer to a message of 2025-02-19): Yes.",
    ]


def test_a_renamed_person_makes_another_document() -> None:
    data = json.dumps(DAY).encode()
    names = [json.dumps([{"id": "U1", "name": name}, {"id": "U7", "name": name}]).encode() for name in ("ann", "anna")]
    assert slack.packed(data, names[0]) != slack.packed(data, names[1])
    assert b"U7" not in slack.packed(data, names[0])


@pytest.mark.parametrize("messages", [{}, 3, [], [3], [{"text": 3}], [{"subtype": "channel_join", "text": "x"}]])
def test_what_is_no_day_of_slack_has_a_reason(messages: object) -> None:
    with pytest.raises(Unreadable, match=r"no day of a Slack export|holds no message"):
        day(messages, "broken")


OPEN = "a quotation mark is never closed, in line {}; such a line is read without them"


@pytest.mark.parametrize(
    ("text", "rows", "note"),
    [
        ('"5 inch\nCid;three\nDan;four\n', ['L2 "5 inch', "L3 Cid three", "L4 Dan four"], OPEN.format(2)),
        ('Bob;"5 inch\nCid;"three"\nDan;4\n', ['L2 Bob "5 inch', "L3 Cid three", "L4 Dan 4"], OPEN.format(2)),
        ('Bob;"5 inch\n"Cid";three\nDan;4\n', ['L2 Bob "5 inch', "L3 Cid three", "L4 Dan 4"], OPEN.format(2)),
        ('Bob;5\nCid;"three', ["L2 Bob 5", 'L3 Cid "three'], OPEN.format(3)),
        ('Bob;"5" inch\nCid;three\n', ["L2 Bob 5 inch", "L3 Cid three"], ""),
        ('Bob;"5\ninch" \nCid;three\n', ["L2-3 Bob 5 inch", "L4 Cid three"], ""),
    ],
)
def test_a_quotation_mark_that_is_never_closed_costs_no_row(text: str, rows: list[str], note: str) -> None:
    made = read("Name;Text\n" + text, "a.csv")
    told = [f"{place} {' '.join(line.strip('|').replace('|', ' ').split())}" for place, line in placed(made)[2:]]
    assert [line.strip() for line in told] == rows
    assert made.notes == ((note,) if note else ())


def test_many_open_quotation_marks_are_told_once_and_read_in_time() -> None:
    made = read("Name;Text\n" + 'Bob;"5 inch\n' * 20_000, "a.csv")
    assert made.text.count("5 inch") == 20_000
    assert made.notes == ("quotation marks are never closed, the first in line 2; such a line is read without them",)


START = "Subject: Rent\nMIME-Version: 1.0\n"
PARTS = START + 'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nThe rent is 5.\n'


@pytest.mark.parametrize(
    ("mail", "note"),
    [
        (START + "\n \n", "the mail has no text of its own"),
        (
            START + "\nThe rent\0\0\0 is 5.\n",
            "holds NUL characters: it is damaged, and some of its text may be lacking",
        ),
        (
            START + "Content-Transfer-Encoding: base64\n\nVGhlIHJlbnQgaXM!!!!gNS4\n",
            "a part of it is damaged (base64), and some of its text may be lacking",
        ),
        (PARTS, "is cut off: its last part has no end"),
        (PARTS + "--b--\n", ""),
    ],
)
def test_a_mail_that_is_not_as_it_was_sent_has_a_note(mail: str, note: str) -> None:
    assert read(mail, "a.eml").notes == ((note,) if note else ())
