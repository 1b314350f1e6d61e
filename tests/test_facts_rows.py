"""Single rows: a bad one drops no table and is told, a template's is no fact, and an end is told as the document says."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from answering.from_facts import told_from
from facts import Extraction, Text
from facts.days import ended, through, told
from facts.extract import extract, left_out
from facts.extractors.blanks import is_nothing, is_template
from facts.mapping import read
from facts.relations import BUILT_IN
from graph.given import keyed
from graph.shown import shown
from graph.tools import TOOLS
from graph.view import View
from search import Index
from sources.formats import Converted, Limits, module_of
from storage.facts import FactReader
from tests.conftest import caller, write

HEAD = "service,owner,tier\n"
GOOD = ["plan-store,Bedrock,1\n", "gate,Bedrock,2\n", "mailer,Heron,1\n"]
JSON = ['{"service": "plan-store", "owner": "Bedrock"}', '{"service": "mailer", "owner": "Heron"}']


def of(data: bytes | str, name: str, mapping: str = "") -> tuple[Extraction, Converted]:
    """What is read of a file, by way of its conversion."""
    module = importlib.import_module(f"sources.formats.{module_of(name)}")
    made: Converted = module.convert(data.encode() if isinstance(data, str) else data, name, Limits(100, 1_000_000))
    lines = tuple(made.text.split("\n"))
    said = Text(name, name, made.meta, lines, format=name.rpartition(".")[2], places=tuple(made.places))
    return extract(said, read(mapping) if mapping else None), made


def owned(found: Extraction) -> list[str]:
    return [
        str(one.object.shown) for one in found.statements if one.predicate == "owns" and not isinstance(one.object, str)
    ]


def told_of(data: str, name: str, mapping: str = "") -> list[str]:
    found, made = of(data, name, mapping)
    return [*made.notes, *left_out(found, tuple(made.places))]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('"Pasted by mistake. A sentence is no name!",Bedrock,2\n', 'line 3: "Pasted by mistake. A sentence is no name!" names no service'),
        (",Bedrock,2\n", "line 3: it names no service"),
    ],
)  # fmt: skip
def test_a_bad_row_of_a_table_is_left_out_alone_and_told(row: str, why: str) -> None:
    data = HEAD + GOOD[0] + row + GOOD[2]
    assert owned(of(data, "services.csv")[0]) == ["plan-store", "mailer"]
    assert told_of(data, "services.csv") == [f"{why}; no fact is read of it"]


def test_a_note_in_the_column_of_ids_drops_no_list_of_people() -> None:
    data = (
        "employee_id,name,manager\nemp_1,Ann Lee,\na note that somebody left here,Bo Berg,emp_1\nemp_3,Cy Young,emp_1\n"
    )
    found, _ = of(data, "staff.csv")
    assert [one.subject.shown for one in found.statements] == ["Cy Young"]
    assert told_of(data, "staff.csv") == ['line 3: "a note that somebody left here" is no id; no fact is read of it']


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.jsonl", '\n'.join([JSON[0], '{"service": broken', JSON[1]]), "line 2 is no JSON; it is left out"),
        ("b.jsonl", '\n'.join([JSON[0], '{"service": "What is this? A sentence!", "owner": "Red"}', JSON[1]]),
         'line 2: "What is this? A sentence!" names no service; no fact is read of it'),
        ("c.json", f'[{JSON[0]},\n["no", "record"],\n{JSON[1]}]', "1 of 3 entries is no record"),
        ("d.json", f'[{JSON[0]},\n{{"service": "What is this? A sentence!", "owner": "Red"}},\n{JSON[1]}]',
         'line 2: "What is this? A sentence!" names no service; no fact is read of it'),
    ],
)  # fmt: skip
def test_a_bad_record_is_left_out_alone_and_told(name: str, text: str, why: str) -> None:
    assert owned(of(text, name)[0]) == ["plan-store", "mailer"]
    assert told_of(text, name) == [why]


def test_what_facts_toml_says_of_a_file_that_is_not_so_is_told() -> None:
    mapping = (
        '[[tables]]\nfiles = "*.csv"\nsubject = { type = "Service", name = "service" }\n'
        'relations.owns = { column = "squad", inverse = true }\n'
    )
    found, _ = of(HEAD + GOOD[0] + ",Bedrock,3\n" + GOOD[1], "apps.csv", mapping)
    assert {one.subject.shown for one in found.statements} == {"plan-store", "gate"}
    assert told_of(HEAD + GOOD[0] + ",Bedrock,3\n" + GOOD[1], "apps.csv", mapping) == [
        'facts.toml names a column "squad" that it has not',
        "line 3: it names no service; no fact is read of it",
    ]


def test_two_columns_of_one_heading_are_told() -> None:
    assert told_of("service,owner,owner\na-b,Red,Blue\nc-d,Red,Blue\n", "services.csv") == [
        'line 1: the heading "owner" stands twice; no fact is read of it'
    ]


@pytest.mark.parametrize(
    "name",
    [
        "Example Service", "example service 1", "Sample Team", "<name>", "<service name>", "{{ service }}", "${SERVICE}", "TBD", "N/A",
        "-", "–", "n. n.", "n.n.", "???", "...", "xxx", "to be defined", "Your team", "your service here", "Beispieldienst", "Muster",
        "Beispiel", "Ejemplo", "Insert name", "Name here", "[TBD]", "Not assigned", "noch offen", "à définir", "Service example",
    ],
)  # fmt: skip
def test_a_templates_row_is_no_fact(name: str) -> None:
    data = f"{HEAD}{name},Bedrock,1\nplan-store,{name},2\n{GOOD[1]}{GOOD[2]}"
    found, _ = of(data, "services.csv")
    assert [(one.subject.shown, str(getattr(one.object, "shown", one.object))) for one in found.statements] == [
        ("plan-store", "2"), ("Bedrock", "gate"), ("gate", "2"), ("Heron", "mailer"), ("mailer", "1"),
    ]  # fmt: skip
    assert left_out(found) == [], "a template is no slip"
    page = f"# Services\n\n| Service | Owner |\n|---|---|\n| {name} | Bedrock |\n| `gate` | Bedrock |\n"
    assert owned(extract(Text("s.md", "Services", {}, tuple(page.split("\n"))))) == ["gate"]


@pytest.mark.parametrize(
    "name",
    [
        "Sample Management",
        "Example Analytics",
        "Teamwork",
        "Nano",
        "sampler",
        "Service Bus",
        "Owner Portal",
        "Template Engine 2",
        "example",
        "x",
    ],
)
def test_a_name_with_such_a_word_in_it_is_one(name: str) -> None:
    assert not is_template(name)
    assert not is_nothing(name)


def test_what_ends_before_it_begins_is_no_fact_and_told() -> None:
    data = "service,owner,since,until\na-b,Red,2024-05-01,2023-01-01\nc-d,Blue,2024-01-01,2026-12-31\ne-f,Blue,2024-01-05,2024-01-05\n"
    found, _ = of(data, "services.csv")
    assert owned(found) == ["c-d", "e-f"]
    assert told_of(data, "services.csv") == [
        "line 2: it ends (2023-01-01) before it begins (2024-05-01); no fact is read of it"
    ]


@pytest.mark.parametrize(
    ("cell", "stated", "over", "shown"),
    [
        ("2026-12-31", "2026-12-31T24", "2027-01-01", "2026-12-31"),
        ("31 December 2026", "2026-12-31T24", "2027-01-01", "2026-12-31"),
        ("2026-07-02", "2026-07-02", "2026-07-02", "2026-07-02"),
        ("2027-01-01", "2027-01-01", "2027-01-01", "2027-01-01"),
        ("March 2026", "2026-03T24", "2026-04-01", "2026-03"),
        ("until March 2026", "2026-03T24", "2026-04-01", "2026-03"),
        ("2026-02", "2026-02T24", "2026-03-01", "2026-02"),
        ("2026", "2026T24", "2027-01-01", "2026"),
    ],
)  # fmt: skip
def test_an_end_is_kept_as_it_is_said(cell: str, stated: str, over: str, shown: str) -> None:
    found, _ = of(f"service,owner,since,until\na-b,Red,2024-05-01,{cell}\nc-d,Blue,2024-01-01,\n", "services.csv")
    (end,) = [one.valid_to for one in found.statements if one.valid_to]
    assert (end, ended(end), told(end)) == (stated, over, shown)


def test_the_last_day_never_comes_too_late() -> None:
    assert ended(through("9999-12-31")) == "9999-12-31"
    assert ended(through("2026-02-30")) == "2026-02-30"  # no day: told as it stands


def test_an_end_is_told_as_the_document_says_it_and_holds_through_it(
    docs: Path, make_index: Callable[..., Index]
) -> None:
    write(docs, {"services.csv": "service,owner,since,until\na-b,Red,2024-05-01,2026-12-31\nc-d,Red,2024-01-01,\n"})
    index = make_index(docs)
    index.sync()
    with index.store.reader(caller()) as reader:
        seen = {
            day: View(FactReader(reader), BUILT_IN, "2026-12-01", day).named("a-b")
            for day in ("2026-12-31", "2027-01-01")
        }
        held = {day: View(FactReader(reader), BUILT_IN, "2026-12-01", day).about(seen[day], ["owns"]) for day in seen}
    assert [(one.valid_to, one.until) for one in held["2026-12-31"]] == [("2027-01-01", "2026-12-31")]
    assert held["2027-01-01"] == []


def test_the_sync_tells_what_it_left_out(docs: Path, make_index: Callable[..., Index]) -> None:
    write(docs, {"services.csv": HEAD + GOOD[0] + ",Bedrock,2\n" + GOOD[2]})
    index = make_index(docs)
    index.sync()
    note = ("services.csv", "line 3: it names no service; no fact is read of it")
    assert note in index.sync().notes, "as long as it stands there"
    write(docs, {"services.csv": HEAD + "".join(GOOD)})
    assert note not in index.sync().notes


PAGE = "# Services\n\n| Service | Owner team | Depends on |\n|---|---|---|\n| gate | Bedrock | vault |\n| mailer | Heron | gate |\n"
ASKED: dict[str, dict[str, Any]] = {
    "chain": {"start": ["gate"], "steps": [["owns", "in"]]},
    "list": {"type": "Service", "where": [["owns", "in", "Bedrock"]]},
    "count": {"type": "Service", "by": "owns"},
    "card": {"thing": "gate"},
    "neighbours": {"thing": "gate"},
    "path": {"a": "Heron", "b": "vault"},
    "check": {"subject": "Bedrock", "predicate": "owns", "object": "gate"},
    "impact": {"thing": "vault"},
}


@pytest.mark.parametrize("tool", ASKED)
@pytest.mark.parametrize(
    ("date", "as_of", "is_undated"),
    [("", "1990", True), ("2026-10-01", "1990", True), ("2026-10-01", "2026-11", False), ("2026-10-01", "", False)],
)
def test_what_no_document_dates_is_told_so_as_of_a_day(
    docs: Path, make_index: Callable[..., Index], tool: str, date: str, as_of: str, is_undated: bool
) -> None:
    write(docs, {"services.md": f"---\ndate: {date}\n---\n\n{PAGE}" if date else PAGE})
    index = make_index(docs)
    index.sync()
    with index.store.reader(caller()) as reader:
        view = View(FactReader(reader), BUILT_IN, "2026-12-01")
        result = TOOLS[tool].function(view, **keyed(view, ASKED[tool]), as_of=as_of)
        answer = told_from(result, view, reader, "en")
        shown_ = shown(view, result)
    assert answer.rows
    assert {row.undated for row in answer.rows if row.steps} == {is_undated}
    assert {step.undated for row in answer.rows for step in row.steps} == {is_undated}
    assert ("start not stated" in answer.verdict.text) == ("start not stated" in shown_) == is_undated
    assert [one.code for one in answer.verdict.problems] == ["undated"] * is_undated
    assert {one.severity for one in answer.verdict.problems} <= {"notice"}


def test_a_stated_beginning_needs_no_such_word(docs: Path, make_index: Callable[..., Index]) -> None:
    write(docs, {"services.csv": "service,owner,since\na-b,Red,2024-05-01\nc-d,Red,2024-05-01\n"})
    index = make_index(docs)
    index.sync()
    asked: dict[str, Any] = {"type": "Service", "where": [["owns", "in", "Red"]]}
    with index.store.reader(caller()) as reader:
        view = View(FactReader(reader), BUILT_IN, "2026-12-01")
        found = {day: TOOLS["list"].function(view, **keyed(view, asked), as_of=day) for day in ("1990", "2025")}
        told_ = told_from(found["2025"], view, reader, "en")
    assert [len(one.rows) for one in found.values()] == [0, 2]
    assert not any(row.undated for row in told_.rows)
