"""Typed questions over a small company: rows with their facts, the same for a caller as if nothing else was there."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errors import UsageError
from graph.plan import plan
from graph.result import Result
from graph.shown import as_json, shown
from graph.tools import TOOLS
from graph.view import View
from search import Index
from tests.conftest import caller
from tests.told_facts import Company, seen, told

MakeIndex = Callable[..., Index]

COMPANY: Company = {
    "a/services.md": [
        ("Team/Pathfinders", "owns", "Service/legacy-maps", {"valid_from": "2024-01-01"}),
        ("Team/Pathfinders", "owns", "Service/geo-cache"),
        ("Team/Moneta", "owns", "Service/billing"),
        ("Service/legacy-maps", "depends_on", "System/Atlas 2"),
        ("Service/geo-cache", "depends_on", "Service/legacy-maps"),
        ("Service/billing", "depends_on", "Service/geo-cache"),
        ("Service/geo-cache", "depends_on", "Service/billing"),  # a cycle
        ("Service/legacy-maps", "tier", "3"),
        ("Service/geo-cache", "tier", "2"),
        ("Service/billing", "tier", "2"),
    ],
    "a/2025-09-10-decision.md": [
        ("Decision/Maps move|0006", "deprecates", "System/Atlas 2", {"valid_from": "2025-09-10"}),
        ("Decision/Maps move|0006", "status", "accepted"),
        ("Decision/Maps move|0006", "date", "10 September 2025"),
        ("Decision/Maps move|0006", "approved_by", "Person/Siobhán Keane|emp_1"),
        ("Decision/Maps move|0006", "affects", "Service/geo-cache", {"valid_from": "2025-09-10"}),
    ],
    "a/2025-10-01-rejected.md": [
        ("Decision/Split billing|0007", "deprecates", "Service/billing", {"valid_from": "2025-10-01"}),
        ("Decision/Split billing|0007", "status", "rejected"),
    ],
    "a/people.md": [
        ("Person/Siobhán Keane|emp_1", "leads", "Team/Pathfinders", {"valid_to": "2025-11-01"}),
        ("Person/Mirela Popescu|emp_2", "leads", "Team/Pathfinders", {"valid_from": "2025-11-01"}),
        ("Person/Ann Lee|emp_3", "leads", "Team/Moneta"),
        ("Person/Ann Lee|emp_3", "reports_to", "Person/Mirela Popescu|emp_2"),
        ("Person/Mirela Popescu|emp_2", "reports_to", "Person/Siobhán Keane|emp_1"),
        ("Person/Ann Lee|emp_3", "member_of", "Team/Moneta"),
        ("Team/Moneta", "has_access", "Service/billing", {"qualifier": "production; read-only"}),
        ("Team/Pathfinders", "has_access", "Service/geo-cache", {"qualifier": "production"}),
    ],
    "b/2026-02-03-talk.md": [
        ("Message/|b/talk#¶1", "uses", "/Atlas 2", {"rank": 1}),
        ("Message/|b/talk#¶1", "written_by", "Person/Ann Lee|emp_3", {"rank": 1}),
        ("Message/|b/talk#¶2", "contradicts", "Decision/Maps move|0006", {"rank": 1}),
        ("Message/|b/talk#¶3", "contradicts", "Decision/Split billing|0007", {"rank": 1}),
    ],
    "b/2025-01-01-talk.md": [("Message/|b/old#¶1", "uses", "/Atlas 2", {"rank": 1})],
    "b/secret.md": [
        ("Team/Shadow", "owns", "Service/hidden-thing"),
        ("Service/hidden-thing", "depends_on", "System/Atlas 2"),
        ("Service/hidden-thing", "tier", "2"),
        ("Team/Shadow", "owns", "Service/billing"),  # against the catalogue
    ],
}


@pytest.fixture
def index(docs: Path, make_index: MakeIndex) -> Index:
    return _index(docs, make_index, COMPANY)


def _index(docs: Path, make_index: MakeIndex, company: Company) -> Index:
    shutil.rmtree(docs)
    docs.mkdir()
    return told(docs, make_index, company)


@pytest.fixture
def a(index: Index) -> Iterator[View]:
    with seen(index, caller("a")) as view:
        yield view


@pytest.fixture
def both(index: Index) -> Iterator[View]:
    with seen(index, caller("a", "b")) as view:
        yield view


def cells(result: Result) -> list[tuple[str, ...]]:
    return [row.cells for row in result.rows]


def way(result: Result, row: int = 0) -> list[str]:
    return [f"{fact.subject.name} {fact.predicate} {fact.said}" for fact in result.rows[row].facts]


def test_a_chain_gives_its_ends_with_all_facts_of_the_way(a: View) -> None:
    steps = [["deprecates", "out"], ["depends_on", "in"], ["owns", "in"]]
    found = TOOLS["chain"](a, start=["Decision/0006"], steps=steps, end_type="Team")
    assert [row.cells[0] for row in found.rows] == ["Pathfinders"]
    assert way(found) == ["Maps move deprecates Atlas 2", "legacy-maps depends_on Atlas 2", "Pathfinders owns legacy-maps"]
    assert cells(TOOLS["chain"](a, start=["Decision/0006"], steps=steps, end_type="Person")) == []
    assert "reports_to" in TOOLS["chain"](a, start=["Team/Moneta"], steps=[["reports_to", "out"]]).why
    assert TOOLS["chain"](a, start=["Team/Nobody"], steps=steps).why == "No document that you may read names Team/Nobody."
