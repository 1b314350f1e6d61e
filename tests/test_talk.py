"""facts/extractors/talk.py, cues.py, spoken.py: what messages say, in whose words, and what only looks so."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts import MESSAGE, Extraction, Named, Statement, Text
from facts.extractors import cues, spoken, talk
from facts.normal import key
from language.sentences import sentences
from sources.formats import Limits
from sources.formats.slack import convert, packed
from tests.talk_cases import DEFYING, DEFYING_MORE, OWNING, USING, USING_MORE, WORLD, rows

DAY = "chat/ops/2026-02-02.json"
PEOPLE = [{"id": "U1", "profile": {"real_name": "Ann Lee"}}, {"id": "U2", "profile": {"real_name": "Jürgen Roß"}}]


def day(*messages: str | dict[str, str], places: bool = True) -> Text:
    """The text of a day as a sync makes it of an export; Ann says the bare ones, a minute apart."""
    export = [
        {"type": "message", "user": "U1", "ts": f"{1770022800 + 60 * n}.1"}
        | (one if isinstance(one, dict) else {"text": one})
        for n, one in enumerate(messages)
    ]
    made = convert(packed(json.dumps(export).encode(), json.dumps(PEOPLE).encode()), DAY, Limits(100, 10**7))
    return Text(
        DAY, made.meta["title"], made.meta, tuple(made.text.split("\n")), "en", made.meta["date"], "json",
        made.places if places else (),
    )  # fmt: skip


def said(found: Extraction, predicate: str) -> list[tuple[str, str]]:
    """(number of the message, the object) of each statement with this predicate."""
    told = [one for one in found.statements if one.predicate == predicate]
    return [(one.subject.shown.rpartition("#")[2], thing(one).shown) for one in told]


def thing(one: Statement) -> Named:
    assert isinstance(one.object, Named)
    return one.object


def uses(text: str) -> set[str]:
    return {key(name) for _, name in said(talk.extract(day(text)), "uses")}


def defies(text: str) -> set[str]:
    return {name for _, name in said(talk.extract(day(text)), "contradicts")}


WORLDLY = {key(name) for name in WORLD}
READ: list[tuple[str, Callable[[str], set[str]], Callable[[str], str]]] = [
    (USING + USING_MORE, lambda text: uses(text) & WORLDLY, key),
    (DEFYING + DEFYING_MORE, defies, lambda name: spoken.names_in(f"x {name}", "en", {})[0].named.shown),
]


@pytest.mark.parametrize("half", [0, 1], ids=["open", "held"])
@pytest.mark.parametrize(("table", "read", "normal"), READ, ids=["using", "defying"])
def test_what_messages_mean(
    table: str, read: Callable[[str], set[str]], normal: Callable[[str], str], half: int
) -> None:
    right = told = expected = 0
    for n, (_, names, text) in enumerate(rows(table)):
        if n // 2 % 2 == half:
            wanted, found = {normal(name) for name in names}, read(text)
            right, told, expected = right + len(wanted & found), told + len(found), expected + len(wanted)
    print(f"precision {right}/{told}, recall {right}/{expected}")
    assert right / told >= 0.95, "of what is told this is right"
    assert right / expected >= 0.9, "of what is meant this is told"


@pytest.mark.parametrize(("lang", "names", "text"), rows(OWNING), ids=[text for _, _, text in rows(OWNING)])
def test_who_owns_what_is_taken_from_talk_only_where_it_is_plain(lang: str, names: frozenset[str], text: str) -> None:
    found = [one for one in talk.extract(day(text)).statements if one.predicate == "owns"]
    told = {
        f"{one.subject.type + ':' if one.subject.type == 'Team' else ''}{one.subject.shown} owns {thing(one).shown}"
        + (f" from {one.valid_from}" if one.valid_from else "")
        for one in found
    }
    assert told == {name.replace("`", "") for name in names}
    assert all(one.rank == MESSAGE for one in found)


def test_a_message_is_a_thing_with_its_writer_its_day_and_what_it_names() -> None:
    text = day(
        "See D-6, ADR 12 and @Jürgen Roß: `plan-store` runs on Atlas 2, not on geo-cache. #team-x https://x.y/Foo-Bar"
    )
    found = talk.extract(text)
    assert said(found, "written_by") == [("¶1", "Ann Lee")]
    assert {name for _, name in said(found, "mentions")} == {
        "D-6",
        "ADR-12",
        "Jürgen Roß",
        "plan-store",
        "Atlas 2",
        "geo-cache",
    }
    assert {thing(one).type for one in found.statements if one.predicate == "mentions"} == {"Decision", "Person", ""}
    assert said(found, "uses") == [("¶1", "Atlas 2")]
    assert {(one.subject, one.valid_from, one.rank) for one in found.statements} == {
        (Named("Message", (), (f"{DAY}#¶1",)), "2026-02-02", MESSAGE)
    }


def test_answers_stand_under_their_question_and_keep_their_numbers() -> None:
    text = day(
        {"text": "What next?", "thread_ts": "1770022800.1"},
        "We keep Redis.",
        {"user": "U2", "text": "Kafka.\n• We use Kafka in notify\n• done", "thread_ts": "1770022800.1"},
    )
    found = talk.extract(text)
    assert said(found, "written_by") == [("¶1", "Ann Lee"), ("¶3", "Jürgen Roß"), ("¶2", "Ann Lee")]
    assert said(found, "uses") == [("¶3", "Kafka"), ("¶2", "Redis")]
    quotes = [one.quote for one in found.statements if one.predicate == "uses"]
    assert quotes == ["> - We use Kafka in notify", "Ann Lee (09:01 UTC): We keep Redis."]


@pytest.mark.parametrize("places", [True, False])
def test_what_somebody_cites_or_pastes_is_not_their_word(places: bool) -> None:
    text = day(
        "Look:\n> We keep Redis, says the page\n```we use Kafka```\nand `Grafana`",
        "```\nBob (09:00 UTC): we use S3\n```",
        places=places,
    )
    found = talk.extract(text)
    assert said(found, "uses") == []
    assert said(found, "written_by") == [("¶1", "Ann Lee"), ("¶2", "Ann Lee")]


def test_nobody_writes_in_the_name_of_another() -> None:
    text = day("So.\n> Jürgen Roß (09:00 UTC): We keep Redis.\n\n• x\nJürgen Roß (09:00 UTC): We keep Kafka.")
    assert {name for _, name in said(talk.extract(text), "written_by")} == {"Ann Lee"}


def test_a_first_name_is_who_bears_it_alone() -> None:
    text = day("Jürgen wanted this.", {"user": "U2", "text": "True."})
    assert said(talk.extract(text), "mentions") == [("¶1", "Jürgen Roß")]


def test_other_documents_are_no_talk() -> None:
    text = day("We keep Redis.")
    assert talk.extract(Text("notes/a.md", "a", {}, text.lines)) == Extraction()
    assert talk.extract(Text(DAY, "a", {}, text.lines, format="md")) == Extraction()


def check(found: Extraction, text: Text) -> None:
    for one in found.statements:
        assert 1 <= one.first_line <= one.last_line <= len(text.lines)
        assert one.quote == "\n".join(line.rstrip() for line in text.lines[one.first_line - 1 : one.last_line])


PIECES = st.sampled_from(
    [
        "Ann (08:00 UTC): ",
        "> ",
        "we keep ",
        "Jenkins ",
        "0006 ",
        "whatever ",
        "`a` ",
        "```",
        "\n",
        "\n\n",
        "@",
        "İ",
        "用 ",
        "owns ",
        "- ",
        "\ud800",
        "? ",
    ]
)


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30).map("".join),
    st.sampled_from(["en", "de", "zh", "xx"]),
)
@settings(deadline=None)
def test_no_text_breaks_it_and_every_quote_stands_on_its_lines(piece: str, lang: str) -> None:
    text = Text(DAY, "", {}, ("# ops", "", *piece.split("\n")), lang, "", "json")
    check(talk.extract(text), text)


def test_dates_of_talk() -> None:
    told = {
        "from 1 March": "2026-03-01",
        "on 2026-03-01": "2026-03-01",
        "ab 1. April 2027": "2027-04-01",
        "since December 30": "2025-12-30",
        "desde el 3 de mayo de 2026": "2026-05-03",
        "by 31 February": "",
        "2026年3月1日起": "2026-03-01",
        "May I ask 3 things": "",
    }
    assert {text: spoken.day_in(text, "2026-02-03") for text in told} == told
    assert spoken.day_in("from 1 March") == ""


def test_a_sentence_is_read_by_its_own_language() -> None:
    names = [(7, 14)]
    assert cues.used("We use Jenkins.", names, "en") == cues.used("We use Jenkins.", names, "pl") == [0]
    assert sentences("We use Jenkins.", "en") == [(0, 15)]


def test_what_is_kept_may_be_named_before() -> None:
    assert uses("Jenkins is old, but we keep it.") == {"jenkins"}
    assert uses("Jenkins ist alt, aber wir nutzen es weiter.") == {"jenkins"}
    assert uses("Jenkins is down, keep it in mind.") == set()
    assert uses("Jenkins was great, but we do not use it.") == set()


def test_a_name_in_small_letters_is_seen_where_english_wants_an_article() -> None:
    found = talk.extract(
        day("Do the profiles need a role in identity? Since yesterday docstore is ours. The copy was late of course.")
    )
    assert {name for _, name in said(found, "mentions")} == {"identity", "docstore"}


@pytest.mark.parametrize(
    "text",
    [
        "There is a bug in Jenkins.",
        "Outage on Kafka, all hands.",
        "Im Vortrag geht es um Fehler in Jenkins.",
        "Hay un problema en Redis.",
    ],
)
def test_talk_about_a_thing_is_no_use_of_it(text: str) -> None:
    assert uses(text) & WORLDLY == set()


@pytest.mark.parametrize(
    "text",
    [
        "does anybody still use Jenkins",
        "who is still on Jenkins",
        "wer nutzt noch Jenkins",
        "alguien usa Jenkins",
        "谁还在用 Jenkins",
    ],
)
def test_a_question_without_its_mark_is_one(text: str) -> None:
    assert uses(text) == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "I know that 0010 wants them in `flagboard`, but asking it costs 400 ms at every start.",
        "The board wants them in `jenkins`.",
    ],
)
def test_where_somebody_wants_things_to_be_is_no_word_of_using_it(sentence: str) -> None:
    start = sentence.index("`")
    assert cues.used(sentence, [(start, sentence.rindex("`") + 1)], "en") == []
