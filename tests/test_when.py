"""Time phrases of questions, and the dates of documents."""

from datetime import date

import pytest

from language.when import Span, asked_time
from sources.dates import stated_date

TODAY = date(2026, 11, 30)  # a Monday


def day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


SPANS = [
    ("en", "What changed since March?", "2026-03-01", ""),
    ("en", "What changed since December?", "2025-12-01", ""),
    ("en", "What changed since March 2024?", "2024-03-01", ""),
    ("en", "Which rules came in after 2025-03-09?", "2025-03-09", ""),
    ("en", "What did we decide before June 2025?", "", "2025-05-31"),
    ("en", "What was in force until 2024?", "", "2024-12-31"),
    ("en", "Which decisions were made this quarter?", "2026-10-01", "2026-12-31"),
    ("en", "Which decisions were made last quarter?", "2026-07-01", "2026-09-30"),
    ("en", "What happened last week", "2026-11-23", "2026-11-29"),
    ("en", "What is new since last month?", "2026-10-01", ""),
    ("en", "Travel rules in 2024", "2024-01-01", "2024-12-31"),
    ("en", "What is new since May 5, 2025?", "2025-05-05", ""),
    ("en", "What is new since the 5th?  What since 5 May 2025?", "2025-05-05", ""),
    ("en", "What  applies since  2024-03 ?", "2024-03-01", ""),
    ("en", "What applied before the start of 2025?", "", "2024-12-31"),
    ("en", "What applies since the beginning of 2024?", "2024-01-01", ""),
    ("en", "What applies until the end of March?", "", "2026-03-31"),
    ("de", "Was gilt seit dem 1. Mai 2025?", "2025-05-01", ""),
    ("ru", "Что решили в мае?", "2026-05-01", "2026-05-31"),
    ("zh", "2025年3月的规定", "2025-03-01", "2025-03-31"),
    ("de", "Was hat sich seit März geändert?", "2026-03-01", ""),
    ("de", "Was wurde letztes Jahr beschlossen?", "2025-01-01", "2025-12-31"),
    ("es", "¿Qué cambió desde marzo de 2025?", "2025-03-01", ""),
    ("es", "¿Qué se decidió el mes pasado?", "2026-10-01", "2026-10-31"),
    ("fr", "Qu'est-ce qui a changé depuis janvier ?", "2026-01-01", ""),
    ("pt", "O que mudou desde março?", "2026-03-01", ""),
    ("it", "Che cosa è cambiato dopo marzo 2025?", "2025-03-01", ""),
    ("nl", "Wat is er sinds maart veranderd?", "2026-03-01", ""),
    ("ru", "Что изменилось с марта?", "2026-03-01", ""),
    ("zh", "三月以来有什么变化？", "2026-03-01", ""),
    ("zh", "2024年的政策是什么？", "2024-01-01", "2024-12-31"),
    ("zh", "上个季度做了哪些决定？", "2026-07-01", "2026-09-30"),
    ("ja", "3月以降の変更は？", "2026-03-01", ""),
    ("ja", "昨年の規定", "2025-01-01", "2025-12-31"),
    ("ko", "지난달에 무엇이 바뀌었나요?", "2026-10-01", "2026-10-31"),
]


@pytest.mark.parametrize(("lang", "question", "since", "until"), SPANS)
def test_a_plain_time_phrase_is_a_span(lang: str, question: str, since: str, until: str) -> None:
    found = asked_time(question, lang, TODAY)
    assert found is not None
    assert (found.since, found.until, found.newest) == (day(since), day(until), False)
    assert found.said in " ".join(question.lower().split())


NEWEST = [
    ("en", "What is the current parental leave policy?"), ("de", "Wie lautet die aktuelle Regelung?"),
    ("es", "¿Cuál es la versión más reciente?"), ("fr", "Quelle est la règle en vigueur ?"),
    ("zh", "最新的报销规定是什么？"), ("ja", "最新の規定は？"), ("ko", "최신 규정은?"),
    ("ru", "Какая действующая редакция?"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "question"), NEWEST)
def test_the_newest_is_asked_for(lang: str, question: str) -> None:
    found = asked_time(question, lang, TODAY)
    assert found is not None
    assert found.newest


NO_TIME = [
    ("en", "Who may I ask?"), ("en", "How many days after one year?"), ("en", "Is ISO 27001:2022 required?"),
    ("en", "What may I do when I march to work?"), ("de", "Wer darf im Büro arbeiten?"), ("zh", "报销要多久内提交？"),
    ("xx", "since March"), ("en", ""), ("en", "after 2025-13-45"), ("en", "since the 99999"),
    ("en", "before 0001-01-01"), ("en", "May I write in 2024 characters?"), ("en", "the order of 2025 units"),
    ("en", "the number of Jan"), ("en", "by Friday at the latest"), ("en", "the maximum current of the charger"),
    ("en", "in the last month of employment"), ("zh", "3月"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "question"), NO_TIME)
def test_other_questions_ask_for_no_time(lang: str, question: str) -> None:
    assert asked_time(question, lang, TODAY) is None


def test_a_span_holds_its_ends() -> None:
    span = Span(date(2026, 3, 1), date(2026, 3, 31), False, "")
    assert [span.holds(date(2026, m, d)) for m, d in ((2, 28), (3, 1), (3, 31), (4, 1))] == [False, True, True, False]


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"date": "2025-03-09"}, "2025-03-09"),
        ({"date": "2020-01-01", "updated": "2026-02-03T10:00:00Z"}, "2026-02-03"),
        ({"last-reviewed": "5 March 2026"}, "2026-03-05"),
        ({"Date": "March 5th, 2026"}, "2026-03-05"),
        ({"effective": "05.03.2026"}, "2026-03-05"),
        ({"date": "2026-03"}, "2026-03-01"),
        ({"date": "2026"}, "2026-01-01"),
        ({"date": "20260305"}, "2026-03-05"),
        ({"date": "March 2026"}, "2026-03-01"),
        ({"date": "Monday, 5 March 2026"}, "2026-03-05"),
        ({"date": "5. März 2026"}, "2026-03-05"),
        ({"date": "5. Mai 2026"}, "2026-05-05"),
        ({"date": "5 de marzo de 2026"}, "2026-03-05"),
        ({"date": "2026年3月5日"}, "2026-03-05"),
        ({"date": "2026-03-05 10:00:00+02:00"}, "2026-03-05"),
        ({"date": "decade 5 2026"}, ""),
        ({"date": "Marchioness 5, 2026"}, ""),
        ({"date": "soon"}, ""),
        ({"date": "2026-13-45"}, ""),
        ({"date": "12 Foo 2026", "created": "2024/1/2"}, "2024-01-02"),
        ({}, ""),
    ],
)
def test_the_date_of_a_document(meta: dict[str, str], expected: str) -> None:
    assert stated_date(meta) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Leave\n\nVersion of 10 January 2022\n\nYou get 25 days.", "2022-01-10"),
        ("# Leave\n\n**Version of 1 June 2025**", "2025-06-01"),
        ("Version 2.1, 1 June 2025", "2025-06-01"),
        ("Version: 2025-06-01", "2025-06-01"),
        ("Version 3 of June 1st, 2025", "2025-06-01"),
        ("*Valid from 1 June 2025.*", "2025-06-01"),
        ("**Last updated:** 2025-06-01", "2025-06-01"),
        ("> Last updated on June 1, 2025 by HR", "2025-06-01"),
        ("# Travel (Effective: 06/2025)\n\nEffective date: 2025/06/01", "2025-06-01"),
        ("Owner: HR | Last reviewed: 2025-06-01", "2025-06-01"),
        ("| Version | 1 June 2025 |", "2025-06-01"),
        ("Date: 1 June 2025", "2025-06-01"),
        ("Stand: 1. April 2025", "2025-04-01"),
        ("Reisekosten (Stand 04/2025), Stand: 01.04.2025", "2025-04-01"),
        ("Stand: April 2025", "2025-04-01"),
        ("Gültig ab 1. März 2025", "2025-03-01"),
        ("Version 2.0 vom 1. März 2025", "2025-03-01"),
        ("Zuletzt geändert am 01.03.2025", "2025-03-01"),
        ("En vigueur depuis le 1er mars 2025", "2025-03-01"),
        ("Version du 3 mars 2025", "2025-03-03"),
        ("Dernière mise à jour : 3 mars 2025", "2025-03-03"),
        ("Vigente desde el 1 de marzo de 2025", "2025-03-01"),
        ("Última actualización: 1 de marzo de 2025", "2025-03-01"),
        ("更新日期：2025年3月1日", "2025-03-01"),
        ("- Version of 10 January 2022\n- Version of 1 June 2025", "2025-06-01"),
        ("---\ntitle: x\n---\nStand: 1. April 2025", "2025-04-01"),
        # no date of the document
        ("The office opened on 1 June 2025.", ""),
        ("Replaces the version of 10 January 2022.", ""),
        ("Effective 1 January 2020, staff get 30 days.", ""),
        ("As of 1 June 2025 we pay 300 euro.", ""),
        ("Valid until 31 December 2025", ""),
        ("Version 3.1", ""),
        ("The date: soon", ""),
        ("Version of 45 June 2025", ""),
        ("x\n" * 15 + "Version of 1 June 2025", ""),
    ],
)  # fmt: skip
def test_a_line_of_the_beginning_dates_a_document(text: str, expected: str) -> None:
    assert stated_date({}, text) == expected
    assert stated_date({"date": "2020-02-02"}, text) == "2020-02-02"
