"""What decision records state, in the forms that people keep them in, and what a log of decisions tells of each."""

import os
from pathlib import Path

import pytest

from facts import NOTES, Named, Statement, Text
from facts.extract import extract
from facts.extractors.references import decision, numbered, status
from tests.test_facts_tables import read, shown

PLACE = "docs/decisions/0006-maps.md"


def told(markdown: str, path: str = PLACE, title: str = "6. Maps move", **meta: str) -> list[str]:
    """Each statement as a line, the record itself as "it"."""

    def name(one: Named | str) -> str:
        return "it" if isinstance(one, Named) and one.ids[:1] == (path,) else shown(one)

    lines = []
    for one in read(markdown, path, title, **meta).statements:
        span = f" {one.valid_from}..{one.valid_to}" if one.valid_from or one.valid_to else ""
        lines.append(f"{name(one.subject)} | {one.predicate} | {name(one.object)}{span}")
    return lines


PLAIN = ["it | date | 2025-09-10", "it | status | accepted 2025-09-10.."]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        pytest.param("# 6. Maps move\n\nDate: 2025-09-10\n\n## Status\n\nAccepted\n\n## Context\n\nAtlas is old.", PLAIN, id="Nygard"),
        pytest.param("# 6. Maps move\nDate: 2025-09-10\n## Status\n✅ Accepted\n## Decision\nYes.", PLAIN, id="a mark before the status"),
        pytest.param("# 6. Maps move\n\n* Status: accepted\n* Date: 2025-09-10\n\n## Context\n", PLAIN, id="bullets"),
        pytest.param("# 6. Maps move\n\n**Status:** Accepted | **Date:** 10 September 2025\n\n## Context\n", PLAIN, id="one line"),
        pytest.param("# 6. Maps move\n\n| | |\n|-|-|\n| Date | Sep 10th, 2025 |\n| Status | Approved |\n", PLAIN, id="a table"),
        pytest.param("# 6. Maps move\n\n| **Date** | September 10, 2025 |\n|-|-|\n| **Status** | Approved |\n", PLAIN, id="a head of fields"),
        pytest.param("# 6. Maps move\n\n| Field | Value |\n|-|-|\n| Date | 10-Sep-2025 |\n| Status | Agreed |\n", PLAIN, id="fields and values"),
        pytest.param("# 6. Maps move\n\n## Status\n\nAccepted, 10 September 2025\n\n## Context\n", PLAIN, id="a date beside the status"),
        pytest.param("# 6. Karten\n\nDatum: 10.09.2025\nStatus: beschlossen\n\n## Kontext\n", PLAIN, id="German"),
        pytest.param("# 6. Mapas\n\nFecha: 10 de septiembre de 2025\nEstado: aceptada\n\n## Contexto\n", PLAIN, id="Spanish"),
        pytest.param("# 6. Cartes\n\nDate : 10 septembre 2025\nStatut : acceptée\n\n## Contexte\n", PLAIN, id="French"),
        pytest.param("# 6. Maps\n\n## Status\n\n~~Proposed~~ Accepted\n\n## Date\n\n2025-09-10\n", PLAIN, id="struck out"),
        pytest.param(
            "# 6. Maps\nDate: 2025-09-10\n## Status\nRejected\n## Deciders\n- Ann Lee\n- [Bob Ray](@bob)\n## Context\nNo.",
            ["it | date | 2025-09-10", "it | status | rejected 2025-09-10..",
             "it | approved_by | Ann Lee 2025-09-10..", "it | approved_by | Bob Ray 2025-09-10.."],
            id="a section of names",
        ),
        pytest.param(
            "# 6. Maps\nStatus: accepted\nDate: 2025-09-10\nAuthors:\n- Ann Lee\n- Bob Ray\nAffects: `a`, `b-c`\nDeprecates: Atlas 2\nScope: maps\n\n## Why",
            [*PLAIN, "it | written_by | Person Ann Lee", "it | written_by | Person Bob Ray", "it | affects | a 2025-09-10..",
             "it | affects | b-c 2025-09-10..", "it | deprecates | Atlas 2 2025-09-10..", "it | scope | maps"],
            id="more lines",
        ),
        pytest.param(
            "# 6. Maps\nDate: 2025-09-10\n## Status\n\nSuperseded by [9. Better maps](0009-better.md) on 2026-01-31\n\n## Decision\nWe deprecate `atlas`.",
            ["it | date | 2025-09-10", "it | status | superseded 2026-01-31..", "Decision Better maps | supersedes | it 2026-01-31..",
             "it | deprecates | atlas 2025-09-10..2026-01-31"],
            id="superseded on a date",
        ),
        pytest.param(
            "# 6. Maps\nDate: 2025-09-10\n## Status\n\nAccepted\n\nSupersedes [3. Old maps](0003-old.md)\n\nAmended by ADR-0009\n\n## Context\n",
            [*PLAIN, "it | supersedes | Decision Old maps", "it | amended by | ADR-0009"],
            id="what it replaces is no status",
        ),
        pytest.param(
            "# 6. Maps\nStatus: superseded by 0012\nDate: 2025-09-10\n\n## Context\nSince 0004.",
            ["it | date | 2025-09-10", "it | status | superseded", "Decision 0012 | supersedes | it"],
            id="superseded by a number",
        ),
        pytest.param("# 6. Maps\n\n| Status | Date | Author |\n|-|-|-|\n| Accepted | 2025-09-10 | Ann Lee |\n\n## Why", [*PLAIN, "it | written_by | Person Ann Lee"], id="a table of one row"),
        pytest.param("# 6. Maps\n\n## Status: Accepted\n\n## Date: 2025-09-10\n\n## Why", PLAIN, id="headings with a value"),
        pytest.param("# 6. Maps\n\n**Status**\n\nAccepted\n\n**Date**\n\n2025-09-10\n\n## Why", PLAIN, id="bold labels"),
        pytest.param("6. Maps\n=======\n\nStatus\n------\nAccepted\n\nDate\n----\n2025-09-10\n", PLAIN, id="underlined headings"),
        pytest.param(
            "# 6. Maps\nDate: 2025-09-10\n## Status\n| When | What |\n|-|-|\n| 2025-08-01 | Proposed |\n| 2025-09-10 | Accepted |\n## Why", PLAIN,
            id="a history",
        ),
        pytest.param(
            "# 6. Maps\nDate: 2025-09-10\n## Status\nAccepted\n\nSuperseded by [9. New maps](0009-x.md)\n## Why",
            ["it | date | 2025-09-10", "it | status | superseded", "Decision New maps | supersedes | it"],
            id="the old status left there",
        ),
        pytest.param("# 6. Maps\nStatus: {proposed | rejected | accepted | deprecated}\n\n## Context", [], id="nothing chosen"),
        pytest.param("# 6. Maps\nStatus: done soon\n\n## Context", [], id="no status that we know"),
    ],
)  # fmt: skip
def test_forms(markdown: str, expected: list[str]) -> None:
    assert told(markdown) == expected


def test_front_matter() -> None:
    markdown = (
        "---\nstatus: accepted\ndate: 2026-02-17\ndecision-makers: [Ann Lee, Bob Ray]\nsupersedes: \"0004\"\n"
        "deprecates:\n  - yard-bus\n  - Atlas 2\nowner: Platform team\n---\n# 0012: Events move\n\n## Context\n"
    )  # fmt: skip
    meta = {
        "status": "accepted", "date": "2026-02-17", "decision-makers": "Ann Lee, Bob Ray", "supersedes": "0004",
        "deprecates": "yard-bus, Atlas 2", "owner": "Platform team",
    }  # fmt: skip
    found = extract(Text("d/0012-events.md", "0012: Events move", meta, tuple(markdown.split("\n")))).statements
    assert [(one.predicate, shown(one.object), one.valid_from, one.first_line, one.last_line) for one in found] == [
        ("owns", "Document 0012: Events move", "", 9, 9),
        ("date", "2026-02-17", "", 3, 3),
        ("status", "accepted", "2026-02-17", 2, 2),
        ("approved_by", "Ann Lee", "2026-02-17", 4, 4),
        ("approved_by", "Bob Ray", "2026-02-17", 4, 4),
        ("supersedes", "Decision 0004", "", 5, 5),
        ("deprecates", "yard-bus", "2026-02-17", 6, 8),
        ("deprecates", "Atlas 2", "2026-02-17", 6, 8),
    ]
    assert found[6].quote == "deprecates:\n  - yard-bus\n  - Atlas 2"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We deprecate Atlas 2 in favour of Atlas 3.", ["it | deprecates | Atlas 2"]),
        ("Yes. We will retire `yard-bus` from August.", ["it | deprecates | yard-bus"]),
        ("The system `jenkins` is deprecated.", ["it | deprecates | jenkins"]),
        ("`jenkins` is now deprecated and may go.", ["it | deprecates | jenkins"]),
        ("The new service is called `plan-store` and is owned by Bedrock.", ["Bedrock | owns | plan-store"]),
        ("The new service is called `plan-store` and is owned by\nthe Bedrock team.", ["Bedrock | owns | plan-store"]),
        ("We do not deprecate Atlas 2.", []),
        ("We would deprecate Atlas 2.", []),
        ("`jenkins` is not deprecated.", []),
        ("If `jenkins` is deprecated, builds move.", []),
        ("Some say `jenkins` is deprecated.", []),
        ("`plan-store` is not owned by Bedrock.", []),
        ("| x | We deprecate Atlas 2. |", []),
    ],
)
def test_sentences(sentence: str, expected: list[str]) -> None:
    record = f"# 6. Maps\nStatus: accepted\n\n## Decision\n\n{sentence}\n"
    assert told(record)[1:] == expected
    weighed = f"# 6. Maps\nStatus: accepted\n\n## Considered options\n\n### One\n\n{sentence}\n"
    assert told(weighed)[1:] == []


@pytest.mark.parametrize(
    ("path", "title", "names"),
    [
        ("docs/adr/0006-maps.md", "6. Maps move", {"Maps move", "6. Maps move", "0006", "D-0006", "ADR-0006", "ADR 6"}),
        ("security/006-maps.md", "ADR 006: Maps move", {"Maps move", "006", "ADR-006", "ADR 6"}),
        ("docs/decisions/maps.md", "D-0006: Maps move", {"Maps move", "D-0006", "ADR 6"}),
        ("x/ODH-ADR-Op-0003-maps.md", "Hub - Maps move", {"Hub - Maps move", "ODH-ADR-Op-0003"}),
        ("decisions/maps.md", "Maps move", {"Maps move"}),
    ],
)
def test_a_record_is_known_by_its_place_and_has_its_number_for_a_name(path: str, title: str, names: set[str]) -> None:
    (statement,) = read(f"# {title}\n\nStatus: accepted", path, title).statements
    assert statement.subject.ids == (path,)
    assert names <= set(statement.subject.names)


@pytest.mark.parametrize(
    ("path", "title", "markdown"),
    [
        ("docs/adr/0000-template.md", "Title", "# Title\n\nStatus: accepted"),
        ("docs/runbooks/03-restart.md", "Restart", "# Restart\n\nPress the button.\n\nNote: twice."),
        ("docs/leave.md", "Leave", "# Leave\n\nStatus: accepted\nDate: 2024-01-01"),
        ("docs/adr/README.md", "Decisions", "# Decisions\n\nStatus: accepted"),
    ],
)
def test_what_is_no_record(path: str, title: str, markdown: str) -> None:
    assert told(markdown, path, title) == []


LOGS = {
    "marks": "# Log\n1. ✅ [Use X](0001-x.md)\n1. ♻ [Use Y](0002-y.md)\n\n## Statuses\n- ✅ Accepted\n- ♻️ Amended\n",
    "words": "# Log\n- [0001](0001-x.md) Use X - Accepted\n- [0002](0002-y.md) Use Y - amended\n",
    "brackets": "# Log\n* [Use X](0001-x.md) (accepted)\n* [Use Y](0002-y.md) *(amended)*\n",
    "table": "# Log\n| No. | Decision | Status |\n|-|-|-|\n| 0001 | [Use X](0001-x.md) | Accepted |\n| 0002 | [Use Y](0002-y.md) | Amended |\n",
    "linked numbers": "# Log\n| ADR | Title | Status |\n|-|-|-|\n| [0001](0001-x.md) | Use X | Accepted |\n| [0002](0002-y.md) | Use Y | Amended |\n",
}


@pytest.mark.parametrize("form", LOGS)
def test_a_log_tells_the_status_of_records(form: str) -> None:
    found = read(LOGS[form], "docs/adr/index.md", "Log").statements
    assert [(one.subject.ids, one.predicate, one.object) for one in found] == [
        (("docs/adr/0001-x.md",), "status", "accepted"),
        (("docs/adr/0002-y.md",), "status", "amended"),
    ]
    assert all({"D-0001", "D-0002"} & set(one.subject.names) for one in found)
    assert [(one.valid_from, one.rank) for one in found] == [("", NOTES), ("", NOTES)]


def test_a_mark_that_nobody_explains_is_no_status() -> None:
    markdown = LOGS["marks"].partition("##")[0]
    assert read(markdown, "docs/adr/index.md", "Log").statements == ()


def test_a_table_of_options_in_a_record_states_nothing_of_them() -> None:
    record = (
        "# 6. Maps\nStatus: accepted\n\n## Options\n\n| Tool | Cost | Depends on |\n|-|-|-|\n| Atlas | 3 € | Vault |\n"
    )
    assert told(record)[1:] == ["System Atlas | depends_on | Vault"]


def test_words_of_status() -> None:
    cases = {"⌛️ Superseded [0019](0019-x.md)": "superseded", "Accepted, amended by ADR 3": "accepted", "in review": "proposed",
             "Accepted, then superseded by ADR 9": "superseded", "The vote accepted it": "", "Not accepted": "", "Refinement completed": "", "TBD": "", "Abgelehnt": "rejected", "obsolète": "deprecated"}  # fmt: skip
    assert {text: status(text) for text in cases} == cases


def test_what_begins_with_a_number() -> None:
    cases = {
        "12 factor apps": "",
        "Team 3": "",
        "2024 plan": "",
        "[ADR-0006] Use X": "0006",
        "0019-use-go": "0019",
        "ODH-ADR-0003-x": "0003",
    }
    assert {text: numbered(text)[1] for text in cases} == cases


@pytest.mark.parametrize(
    ("cell", "names", "ids"),
    [
        ("[0019](0019-go.md#status)", ("0019", "D-0019"), ("adr/0019-go.md",)),
        ("[Use Go](../old/0019-go.md)", ("Use Go", "0019"), ("old/0019-go.md",)),
        ("ADR 12", ("ADR-12", "D-12"), ()),
        ("[the record](https://x.example/0019-go.md), ADR-0019", ("ADR-0019", "0019"), ()),
    ],
)
def test_references(cell: str, names: tuple[str, ...], ids: tuple[str, ...]) -> None:
    found = decision(cell, "adr/0004-a.md")
    assert found is not None
    assert (found.names[:2], found.ids) == (names, ids)
    assert decision("N/A", "a.md") is decision("https://x.example/pull/23", "a.md") is None


DATA = os.environ.get("BRAIN_TEST_DATA", "")


@pytest.mark.skipif(not DATA, reason="BRAIN_TEST_DATA names no folder of real documents")
@pytest.mark.parametrize(("name", "fields"), [("moj-modernisation-platform", 90), ("adr-opendatahub", 132)])
def test_real_records(name: str, fields: int) -> None:
    """Status, date and authors of real records against what their projects' own lists say."""
    import json

    from chunk import split
    from facts.extractors import cells

    right = every = 0
    for line in (Path(DATA) / name / "decisions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = (Path(DATA) / name / row["file"]).read_text(encoding="utf-8")
        document = split(text, row["file"])
        found = extract(Text(row["file"], document.title, document.meta, tuple(text.split("\n")))).statements
        own = [one for one in found if one.subject.ids == (row["file"],)]
        wanted = {"status": status(row["status"] or ""), "date": cells.day(row["date"] or "")}
        for predicate, value in wanted.items():
            every += 1
            right += _objects(own, predicate) == [value] * bool(value)
        if "authors" in row:
            every += 1
            right += _objects(own, "written_by") == row["authors"]
    assert every == fields
    assert right >= 0.96 * every


def _objects(statements: list[Statement], predicate: str) -> list[str]:
    return [
        one.object if isinstance(one.object, str) else one.object.shown
        for one in statements
        if one.predicate == predicate
    ]
