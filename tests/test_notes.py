"""facts/extractors/notes.py: who met, what was decided and approved, who does what by when, in five languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunk import split
from facts import NOTES, Extraction, Text
from facts.extractors import notes
from sources.dates import stated_date


def page(text: str, lang: str = "en", path: str = "notes/2026-02-17-leads.md") -> Text:
    document = split(text, path)
    return Text(path, document.title, document.meta, tuple(text.split("\n")), lang, stated_date(document.meta, text))


def told(text: Text) -> list[str]:
    """Each statement as a line, without the document's own name and the mentions."""
    found = notes.extract(text)
    for one in found.statements:
        assert one.quote == "\n".join(line.rstrip() for line in text.lines[one.first_line - 1 : one.last_line])
        assert one.rank == NOTES
    return [line for one in found.statements if one.predicate != "mentions" for line in [_line(one, text.path)]]


def _line(one: object, path: str) -> str:
    from facts import Statement

    assert isinstance(one, Statement)
    subject = "" if path in one.subject.ids else f"{one.subject.shown} "
    thing = one.object if isinstance(one.object, str) else one.object.shown
    more = [f"({one.qualifier})"] if one.qualifier else []
    more += [f"from {one.valid_from}"] if one.valid_from else []
    more += [f"until {one.valid_to}"] if one.valid_to else []
    return " ".join([f"L{one.first_line} {subject}{one.predicate} {thing}", *more])


def mentioned(text: Text) -> set[str]:
    found = notes.extract(text)
    return {
        one.object.shown for one in found.statements if one.predicate == "mentions" and not isinstance(one.object, str)
    }


ENGLISH = """# Platform weekly

Date: 17 February 2026
**Attendees:** Ann Lee (chair), Bo de Vries, Cy Young
Apologies: Di Stone
Minutes: Bo de Vries

## notify

Ann is happy with `notify`. Nobody
at geo-cache minds. `docstore` belongs to `Keycloak`.

## Decisions

- D-0011: Read from the copy. Approved by Ann Lee and Eva Marie Holm.
- ADR 7 is rejected.
- `notify` moves to Roadside on 1 March 2026. Signed off by Cy Young.
- 0009 is not accepted.
- If it rains, `notify` moves to Quayside on 2 March 2026.

## Action items

- [ ] Ann Lee: write to the customers of `legacy-maps` by 3 March
- [x] Bo de Vries - order the cores
- Nothing else.
"""
ENGLISH_TOLD = [
    "L6 written_by Bo de Vries",
    "L23 action Ann Lee (write to the customers of legacy-maps; due 2026-03-03)",
    "L24 action Bo de Vries (order the cores)",
    "L15 D-0011 approved_by Ann Lee from 2026-02-17",
    "L15 D-0011 approved_by Eva Marie Holm from 2026-02-17",
    "L16 ADR-7 status rejected from 2026-02-17",
    "L17 Roadside owns notify from 2026-03-01",
    "L17 approved_by Cy Young from 2026-02-17",
]
GERMAN = """---
datum: 2026-02-17
teilnehmer: [Ann Lee, Jürgen Roß]
---
# Runde der Leitungen

## Beschlüsse

1. Die Karten bleiben. Beschlossen von Jürgen Roß.
2. `notify` wechselt von Quayside zu Roadside am 1. März 2026.

## Aufgaben

| Aufgabe | Wer | Bis |
|---|---|---|
| Liste der Dienste | Ann Lee | 28.02.2026 |
"""
GERMAN_TOLD = [
    "L16 action Ann Lee (Liste der Dienste; due 2026-02-28)",
    "L9 approved_by Jürgen Roß from 2026-02-17",
    "L10 Quayside owns notify until 2026-03-01",
    "L10 Roadside owns notify from 2026-03-01",
]
SPANISH = """# Reunión de equipos, 17 de febrero de 2026

## Asistentes

- Ann Lee
- José Núñez

## Acuerdos

- ADR-12 se aprueba. Aprobado por José Núñez.
- `notify` pasa a Roadside el 1 de marzo de 2026.
"""
SPANISH_TOLD = [
    "L10 ADR-12 approved_by José Núñez from 2026-02-17",
    "L11 Roadside owns notify from 2026-03-01",
]
FRENCH = """# Réunion d'équipe

Date : 17 février 2026
Présents : Ann Lee, Zoé Roux

Décisions :

- On garde les cartes. Validé par Zoé Roux.

Actions :

- Ann Lee : écrire aux clients, d'ici le 3 mars
"""
FRENCH_TOLD = [
    "L12 action Ann Lee (écrire aux clients; due 2026-03-03)",
    "L8 approved_by Zoé Roux from 2026-02-17",
]
CHINESE = """# 周会 2026年2月17日

出席：Ann Lee、Bo Li

## 决定

- Roadside 负责 `notify`。

## 待办

- Ann Lee：写信给客户，截止 2026-03-03
"""
CHINESE_TOLD = [
    "L11 action Ann Lee (写信给客户; due 2026-03-03)",
    "L7 Roadside owns notify",
]


MINUTES = """# Board meeting, 12 May 2022

Attendees:

* Ann Lee, chair of the board
* Bo Li – treasurer

Absent:

* Cy Young

1. Agenda
   1. Budget
      1. Decision: we send it. Approved by Bo Li.

2. Approval:
   1. Ann Lee - Approved
   2. Bo Li, treasurer - Approved
3. Next meeting: in June, Ann Lee to call it
"""
MINUTES_TOLD = [
    "L17 approved_by Ann Lee from 2022-05-12",
    "L18 approved_by Bo Li from 2022-05-12",
    "L14 approved_by Bo Li from 2022-05-12",
]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", ENGLISH, ENGLISH_TOLD),
        ("en", MINUTES, MINUTES_TOLD),
        ("de", GERMAN, GERMAN_TOLD),
        ("es", SPANISH, SPANISH_TOLD),
        ("fr", FRENCH, FRENCH_TOLD),
        ("zh", CHINESE, CHINESE_TOLD),
    ],
)
def test_what_notes_state(lang: str, text: str, expected: list[str]) -> None:
    assert told(page(text, lang)) == expected


def test_what_notes_name() -> None:
    named = mentioned(page(ENGLISH))
    assert {"Ann Lee", "Bo de Vries", "Cy Young", "notify", "geo-cache", "D-0011", "ADR-7", "legacy-maps"} <= named
    assert named.isdisjoint({"Ann", "Nobody", "Vries", "Cy"})
    assert {"Ann Lee", "José Núñez"} <= mentioned(page(SPANISH, "es"))
    assert {"Ann Lee", "Bo Li"} <= mentioned(page(CHINESE, "zh"))
    assert {"Ann Lee", "Bo Li", "Cy Young"} <= mentioned(page(MINUTES))
    assert {"Ann Lee", "Jürgen Roß"} <= mentioned(page(GERMAN, "de"))


def test_only_the_name_of_whoever_was_there_is_a_person() -> None:
    text = page("# Weekly\n\nPresent: everyone\n\nKafka is down.")
    assert notes.extract(text) == Extraction()


@pytest.mark.parametrize(
    "text",
    [
        "# 0012: Go\n\nStatus: accepted\nDate: 2026-02-17\nParticipants: Ann Lee, Bo Li\n",
        "# Who we are\n\nAnn Lee owns `notify`.\n",
        "# Roles\n\n## Decisions\n\n- Approved by Ann Lee.\n",
    ],
)
def test_other_pages_are_no_notes(text: str) -> None:
    assert notes.extract(page(text, path="decisions/0012-go.md")) == Extraction()


def test_a_section_of_decisions_makes_notes_in_a_folder_of_notes() -> None:
    text = "# 17 February 2026\n\n## Decisions\n\n- Go. Approved by Ann Lee.\n"
    assert told(page(text, path="team/meetings/a.md")) == ["L5 approved_by Ann Lee from 2026-02-17"]


LANGUAGES = st.sampled_from(["en", "de", "zh", "xx"])
PIECES = st.sampled_from(
    [
        *(
            "## Decisions\n",
            "Present: Ann Lee\n",
            "- ",
            "\n",
            "\n\n",
            "`notify` moves to ",
            "Roadside",
            " on 1 March 2026",
        ),
        *("Approved by ", "Actions:\n", "|", "|-|-|\n", "---\n", "Ann Lee: ", "due ", "D-6 is accepted", "```\n", "İ"),
        *("\ud800", "0006: "),
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30).map("".join)


@given(TEXTS, LANGUAGES)
@settings(deadline=None)
def test_no_text_breaks_it_and_every_quote_stands_on_its_lines(piece: str, lang: str) -> None:
    text = "# a\n\nPresent: Ann Lee, Bo Li\n\n" + piece
    told(Text("notes/a.md", "a", {}, tuple(text.split("\n")), lang, "2026-01-01"))
