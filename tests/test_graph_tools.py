"""Typed questions over a small company: rows with their facts, the same for a caller as if nothing else was there."""

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
        ("Message/|b/talk#¶1", "mentions", "System/Atlas 2", {"rank": 1}),
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
    return told(docs, make_index, COMPANY)


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
    assert way(found) == [
        "Maps move deprecates Atlas 2",
        "legacy-maps depends_on Atlas 2",
        "Pathfinders owns legacy-maps",
    ]
    assert cells(TOOLS["chain"](a, start=["Decision/0006"], steps=steps, end_type="Person")) == []
    assert "the manager of Moneta" in TOOLS["chain"](a, start=["Team/Moneta"], steps=[["reports_to", "out"]]).why
    assert (
        TOOLS["chain"](a, start=["Team/Nobody"], steps=steps).why == "No document that you may read names Team/Nobody."
    )


def test_a_chain_takes_closed_facts_only_as_of_a_date(a: View) -> None:
    asked = {"start": ["Service/legacy-maps"], "steps": [["owns", "in"], ["leads", "in"]]}
    assert [row.cells[0] for row in TOOLS["chain"](a, **asked).rows] == ["Mirela Popescu"]
    found = TOOLS["chain"](a, **asked, as_of="2025-10-31")
    assert [row.cells[0] for row in found.rows] == ["Siobhán Keane"]
    assert found.as_of == "2025-10-31"
    assert cells(TOOLS["chain"](a, **asked, as_of="2023-12")) == []  # Pathfinders own it since 2024


def test_what_was_done_stays_done_though_a_document_dates_its_end(docs: Path, make_index: MakeIndex) -> None:
    until = {"valid_to": "2026-06-30"}
    lines = [
        ("Decision/Maps move|0006", "deprecates", "System/bus", until),
        ("Service/s", "depends_on", "System/bus", until),
    ]
    index = told(docs, make_index, {"a/systems.md": lines})
    with seen(index, caller("a")) as view:
        found = TOOLS["chain"](view, start=["Decision/0006"], steps=[["deprecates", "out"]])
        assert way(found) == ["Maps move deprecates bus"]
        assert cells(TOOLS["chain"](view, start=["System/bus"], steps=[["depends_on", "in"]])) == []


def test_a_way_without_dispute_is_told_before_one_with(docs: Path, make_index: MakeIndex) -> None:
    lines = [("Service/s", "depends_on", f"System/{name}") for name in ("a", "b")]
    lines += [("Team/Red", "owns", "System/a"), ("Team/Blue", "owns", "System/a"), ("Team/Red", "owns", "System/b")]
    index = told(docs, make_index, {"a/all.md": lines})
    with seen(index, caller("a")) as view:
        found = TOOLS["chain"](view, start=["Service/s"], steps=[["depends_on", "out"], ["owns", "in"]])
    assert [[fact.said for fact in row.facts] for row in found.rows] == [["a", "a"], ["b", "b"]]


def test_a_chain_ends_in_values_and_is_narrowed_by_a_qualifier(a: View) -> None:
    owned_tiers = [["owns", "out"], ["tier", "out"]]
    found = TOOLS["chain"](a, start=["Team/Pathfinders"], steps=owned_tiers)
    assert [(row.cells[0], row.thing) for row in found.rows] == [("2", None), ("3", None)]
    reach = {"start": ["Team/Moneta"], "steps": [["has_access", "out"]]}
    assert [row.cells[0] for row in TOOLS["chain"](a, **reach, qualifier="Production").rows] == ["billing"]
    assert cells(TOOLS["chain"](a, **reach, qualifier="staging")) == []


def test_of_several_ways_to_an_end_the_undisputed_one_is_told(both: View) -> None:
    found = TOOLS["chain"](
        both, start=["Service/billing"], steps=[["depends_on", "out"], ["depends_on", "in"], ["owns", "in"]]
    )
    assert [row.cells[0] for row in found.rows] == ["Moneta", "Shadow"]
    assert {fact.status for fact in found.rows[1].facts} == {"observed", "disputed"}
    assert [other.subject.name for fact in found.rows[1].facts for other in fact.against] == ["Moneta"]


@pytest.mark.parametrize(
    ("start", "mentioned", "types", "steps"),
    [
        ("0006", ["owns", "depends_on", "deprecates"], {"Team"}, "deprecates out, depends_on in, owns in"),
        ("0006", ["deprecates", "depends_on", "owns"], {"Team"}, "deprecates out, depends_on in, owns in"),
        ("0006", ["depends_on", "owns", "deprecates"], {"Team"}, "deprecates out, depends_on in, owns in"),
        ("Ann Lee", ["reports_to", "reports_to"], {"Person"}, "reports_to out, reports_to out"),
        ("Ann Lee", ["reports_to"], {"Person"}, "reports_to out"),
        ("Mirela Popescu", ["reports_to"], {"Person"}, "reports_to out"),
        ("Mirela Popescu", [("reports_to", "in")], {"Person"}, "reports_to in"),
        ("Siobhán Keane", ["reports_to"], {"Person"}, "reports_to in"),  # she reports to nobody
        ("Mirela Popescu", ["reports_to", "reports_to"], {"Person"}, "reports_to out, reports_to in"),
        ("legacy-maps", ["leads", "owns"], {"Person"}, "owns in, leads in"),
        ("legacy-maps", ["tier"], set(), "tier out"),
        ("geo-cache", ["owns", "depends_on"], {"Team"}, "depends_on in, owns in"),  # both ways there is something
        ("Pathfinders", ["tier", "owns"], set(), "owns out, tier out"),
        ("geo-cache", ["depends_on"], {"Service"}, "depends_on out"),
        ("0006", ["owns", "deprecates"], {"Decision"}, ""),
        ("0006", [], {"Team"}, ""),
        ("Nobody", ["owns"], {"Team"}, ""),
    ],
)
def test_a_plan_follows_types_and_what_is_there(
    a: View, start: str, mentioned: list[str], types: set[str], steps: str
) -> None:
    made = plan(a, a.named(start), mentioned, types)
    assert ", ".join(f"{predicate} {direction}" for predicate, direction in made) == steps


def test_impact_goes_through_cycles_once_to_owners_leaders_and_decisions(a: View) -> None:
    found = TOOLS["impact"](a, thing="System/Atlas 2")
    assert [(row.cells[0], row.cells[2]) for row in found.rows] == [
        ("legacy-maps", "1"), ("geo-cache", "2"), ("billing", "3"), ("Pathfinders", "1"), ("Moneta", "3"),
        ("Mirela Popescu", "1"), ("Ann Lee", "3"), ("Maps move", "0"), ("Split billing", "3"),
    ]  # fmt: skip
    assert way(found, 6) == [
        "legacy-maps depends_on Atlas 2", "geo-cache depends_on legacy-maps", "billing depends_on geo-cache",
        "Moneta owns billing", "Ann Lee leads Moneta",
    ]  # fmt: skip
    assert [row.cells[4] for row in found.rows[-2:]] == ["accepted", "rejected"]
    assert [row.cells[0] for row in TOOLS["impact"](a, thing="Service/billing").rows][:2] == ["geo-cache", "Moneta"]
    of_decision = TOOLS["impact"](a, thing="Decision/0006")
    assert way(of_decision)[0] == "Maps move deprecates Atlas 2"
    assert "billing" in [row.cells[0] for row in of_decision.rows]


def test_changes_have_both_sides_the_decision_and_who_approved_it(a: View) -> None:
    found = TOOLS["changes"](a, thing="Service/geo-cache", since="2025")
    assert cells(found) == [
        ("2025-09-10", "geo-cache", "affects", "", "Maps move", "Maps move", "Siobhán Keane"),
        ("2025-11-01", "Pathfinders", "leads", "Siobhán Keane", "Mirela Popescu", "", ""),
    ]
    assert way(found, 0) == ["Maps move affects geo-cache", "Maps move approved_by Siobhán Keane"]
    assert cells(TOOLS["changes"](a, thing="Service/geo-cache", since="2025", until="2025-10"))[0][0] == "2025-09-10"
    assert cells(TOOLS["changes"](a, thing="Service/geo-cache", since="2025-09-11", until="2025-10")) == []
    assert "billing" in TOOLS["changes"](a, thing="Service/billing", since="2026").why
    assert cells(TOOLS["changes"](a, thing="Team/Pathfinders", as_of="2025-11"))[-1][3:5] == (
        "Siobhán Keane", "Mirela Popescu",
    )  # fmt: skip


def test_talk_goes_against_decisions_in_force(both: View) -> None:
    found = TOOLS["contradicted"](both, since="2026-02", until="2026-02")
    assert [(row.cells[0], row.cells[2], row.cells[3], row.facts[0].predicate) for row in found.rows] == [
        ("Maps move", "Ann Lee", "2026-02-03", "uses"),
        ("Maps move", "", "2026-02-03", "contradicts"),
    ]
    assert way(found)[:2] == ["b/talk#¶1 uses Atlas 2", "Maps move deprecates Atlas 2"]
    assert cells(TOOLS["contradicted"](both)) == cells(found)  # neither talk before the decision nor of a rejected one
    assert cells(TOOLS["contradicted"](both, since="2026-03")) == []
    assert cells(TOOLS["contradicted"](both, decision="Decision/0006")) == cells(found)
    assert cells(TOOLS["contradicted"](both, decision="Decision/0007")) == []


def test_without_the_talk_there_is_nothing_against_a_decision(a: View) -> None:
    assert cells(TOOLS["contradicted"](a)) == []
    assert cells(TOOLS["conflicts"](a)) == []


def test_a_superseded_decision_is_contradicted_no_more(docs: Path, make_index: MakeIndex) -> None:
    newer = [("Decision/Back to maps|0009", "supersedes", "Decision/Maps move|0006")]
    for status, left in (("proposed", 2), ("accepted", 0)):
        said = [*newer, ("Decision/Back to maps|0009", "status", status)]
        index = told(docs, make_index, {**COMPANY, "a/newer.md": said})
        with seen(index, caller("a", "b")) as view:
            assert len(TOOLS["contradicted"](view).rows) == left, status
        index.store.close()


def test_lists_are_narrowed_by_all_filters_and_say_where_they_have_it_from(a: View) -> None:
    tier = ["tier", "out", "2"]
    found = TOOLS["list"](a, type="Service", where=[tier, ["owns", "in", "Team/Pathfinders"]])
    assert cells(found) == [("geo-cache", "2", "Pathfinders")]
    assert way(found) == [
        "geo-cache tier 2",
        "Pathfinders owns geo-cache",
    ]
    assert [row[0] for row in cells(TOOLS["list"](a, type="Service", where=[tier]))] == ["billing", "geo-cache"]
    assert cells(TOOLS["list"](a, type="Team", where=[tier])) == []
    access = ["has_access", "in", "", "read-only"]
    assert [row[0] for row in cells(TOOLS["list"](a, type="Service", where=[access]))] == ["billing"]
    teams = TOOLS["list"](a, type="Team")
    assert [(row.cells, row.named[0].path) for row in teams.rows] == [
        (("Moneta",), "a/people.md"), (("Pathfinders",), "a/people.md"),
    ]  # fmt: skip
    assert TOOLS["list"](a, type="Service", where=[["owns", "in", "Team/Shadow"]]).why.endswith("names Team/Shadow.")


def test_what_is_denied_is_listed_with_what_is_said_instead(a: View) -> None:
    found = TOOLS["list"](a, type="Service", without=[["owns", "in", "Team/Pathfinders"]])
    assert cells(found) == [("billing", "Moneta")]
    assert way(found) == ["Moneta owns billing"]
    found = TOOLS["list"](a, type="Service", without=[["depends_on", "out", "System/Atlas 2"]])
    assert [row[0] for row in cells(found)] == ["billing", "geo-cache"]
    tier = ["tier", "out", "2"]
    found = TOOLS["list"](a, type="Service", where=[tier], without=[["is", "out", "Service/billing"]])
    assert [row[0] for row in cells(found)] == ["geo-cache"]
    assert cells(TOOLS["count"](a, type="Service", without=[tier])) == [("1",)]
    assert TOOLS["list"](a, type="Service", without=[["owns", "in", "Team/Shadow"]]).why.endswith("names Team/Shadow.")


def test_what_nobody_is_said_to_own_is_found_by_the_lack_of_it(a: View) -> None:
    found = TOOLS["list"](a, type="System", without=[["owns", "in", ""]])
    assert [(row.cells, row.facts, bool(row.named)) for row in found.rows] == [(("Atlas 2",), (), True)]
    assert cells(TOOLS["list"](a, type="Service", without=[["owns", "in", ""]])) == []
    assert [row[0] for row in cells(TOOLS["list"](a, type="Person", without=[["reports_to", "out", ""]]))] == [
        "Siobhán Keane"
    ]


def test_counts_are_grouped_and_say_how_many_are_in_no_group(a: View) -> None:
    found = TOOLS["count"](a, type="Service")
    assert cells(found) == [("3",)]
    assert len({row.name for row in found.rows[0].named}) == 3
    found = TOOLS["count"](a, type="Service", where=[["tier", "out", "2"]])
    assert (cells(found), way(found)) == ([("2",)], ["billing tier 2", "geo-cache tier 2"])
    assert cells(TOOLS["count"](a, type="Service", by="owns")) == [("Pathfinders", "2"), ("Moneta", "1")]
    assert cells(TOOLS["count"](a, type="Service", by="tier")) == [("2", "2"), ("3", "1")]
    assert cells(TOOLS["count"](a, type="Team", by="leads")) == [("Ann Lee", "1"), ("Mirela Popescu", "1")]
    found = TOOLS["count"](a, type="Decision", by="approved_by")
    assert (cells(found), found.why) == ([("Siobhán Keane", "1")], "Of 1 more no document tells the approval.")
    assert ("System", "1") in cells(TOOLS["count"](a, by="type"))
    assert cells(TOOLS["count"](a, type="Service", by=["depends_on", "in"]))[0] == ("geo-cache", "2")


def test_a_card_holds_what_stands_now(a: View) -> None:
    found = TOOLS["card"](a, thing="Team/Pathfinders")
    assert [row.cells[:2] for row in found.rows] == [
        ("Team", "Pathfinders"), ("has_access", "geo-cache"), ("leads (by)", "Mirela Popescu"),
        ("owns", "geo-cache"), ("owns", "legacy-maps"),
    ]  # fmt: skip
    assert found.rows[-1].cells[2:] == ("", "2024-01-01", "observed", "")


def test_neighbours_and_paths_name_their_facts(a: View) -> None:
    found = TOOLS["neighbours"](a, thing="System/Atlas 2")
    assert cells(found) == [("depends_on", "in", "legacy-maps"), ("deprecates", "in", "Maps move")]
    found = TOOLS["path"](a, a="Person/emp 3", b="System/Atlas 2")
    assert way(found) == ["Ann Lee reports_to Mirela Popescu", "Mirela Popescu leads Pathfinders",
                          "Pathfinders owns legacy-maps", "legacy-maps depends_on Atlas 2"]  # fmt: skip
    assert found.rows[0].cells == ("Ann Lee – Mirela Popescu – Pathfinders – legacy-maps – Atlas 2",)
    assert TOOLS["path"](a, a="Team/Moneta", b="Team/Moneta").rows[0].facts == ()


def test_no_path_goes_by_talk(both: View) -> None:
    assert len(TOOLS["path"](both, a="Person/emp 3", b="System/Atlas 2").rows[0].facts) == 4


@pytest.mark.parametrize(
    ("asked", "answer", "facts"),
    [
        (("Team/Moneta", "has_access", "Service/billing", "production"), "yes", 1),
        (("Person/emp 3", "has_access", "Service/billing", "production"), "yes", 2),
        (("Person/emp 3", "has_access", "Service/geo-cache", "production"), "no", 1),
        (("Team/Moneta", "has_access", "Service/billing", "staging"), "no", 2),
        (("Service/billing", "depends_on", "System/Atlas 2", ""), "yes", 3),
        (("Service/legacy-maps", "depends_on", "Service/billing", ""), "no", 2),
        (("Person/emp 1", "leads", "Team/Pathfinders", ""), "no", 1),
        (("Service/billing", "tier", "2", ""), "yes", 1),
        (("Service/billing", "tier", "1", ""), "no", 1),
        (("Service/billing", "colour", "red", ""), "", 0),
        (("Person/emp 1", "on_call_for", "Team/Moneta", ""), "", 0),
        (("Person/emp 9", "leads", "Team/Moneta", ""), "", 0),
    ],
)
def test_yes_and_no_are_shown_and_else_it_is_left_open(
    a: View, asked: tuple[str, str, str, str], answer: str, facts: int
) -> None:
    found = TOOLS["check"](a, **dict(zip(("subject", "predicate", "object", "qualifier"), asked, strict=True)))
    assert [row.cells[0] for row in found.rows] == ([answer] if answer else [])
    assert len(found.rows[0].facts) == facts if answer else found.why


def test_a_no_says_since_when_and_what_is_not_narrowed_is_left_open(docs: Path, make_index: MakeIndex) -> None:
    lines = [
        ("Team/Red", "has_access", "Service/mail"),
        ("Team/Red", "has_access", "Service/pay", {"qualifier": "staging", "valid_to": "2025-01-01"}),
    ]
    index = told(docs, make_index, {"a/all.md": lines})
    with seen(index, caller("a")) as view:
        asked = {"subject": "Team/Red", "predicate": "has_access"}
        found = TOOLS["check"](view, **asked, object="Service/pay", qualifier="staging")
        assert cells(found) == [("no", "no more since 2025-01-01")]
        found = TOOLS["check"](view, **asked, object="Service/mail", qualifier="production")
        assert (cells(found), found.why) == ([], 'It is said, but not whether it holds for "production".')


def test_a_key_is_the_thing_of_that_key_and_no_namesake(docs: Path, make_index: MakeIndex) -> None:
    lines = [(f"Person/Ann{ids}", "member_of", "Team/Red") for ids in ("|emp_1", "|emp_2", "")]
    index = told(docs, make_index, {"a/all.md": lines})
    with seen(index, caller("a")) as view:
        found = view.things(["Person/ann", "Person/emp 2", "Person/Ann", "Team/ann", "ann", "Person/"])
        assert {told: one.ids for told, one in found.items()} == {"Person/ann": (), "Person/emp 2": ("emp_2",)}


def test_disagreements_are_told_with_all_sides(both: View) -> None:
    found = TOOLS["conflicts"](both)
    assert cells(found) == [("billing", "owns", "Moneta | Shadow")]
    assert len(found.rows[0].facts) == 2
    assert cells(TOOLS["conflicts"](both, thing="Service/geo-cache")) == []


QUESTIONS: list[tuple[str, dict[str, object]]] = [
    ("chain", {"start": ["System/Atlas 2"], "steps": [["depends_on", "in"], ["owns", "in"]]}),
    ("impact", {"thing": "System/Atlas 2"}),
    ("impact", {"thing": "System/Atlas 2", "as_of": "2025-10"}),
    ("changes", {"thing": "Service/billing"}),
    ("changes", {"thing": "Service/hidden-thing"}),
    ("contradicted", {}),
    ("list", {"type": "Service"}),
    ("list", {"where": [["tier", "out", "2"]]}),
    ("count", {"type": "Service", "by": "owns"}),
    ("count", {"by": "type"}),
    ("card", {"thing": "Service/billing"}),
    ("card", {"thing": "Decision/0006"}),
    ("neighbours", {"thing": "System/Atlas 2"}),
    ("path", {"a": "Team/Moneta", "b": "System/Atlas 2"}),
    ("path", {"a": "Team/Shadow", "b": "System/Atlas 2"}),
    ("check", {"subject": "Team/Shadow", "predicate": "owns", "object": "Service/billing"}),
    ("check", {"subject": "Team/Moneta", "predicate": "owns", "object": "Service/billing"}),
    ("conflicts", {}),
]


@pytest.mark.permission
@pytest.mark.parametrize("who", ["a", "b", "nobody"])
def test_each_answer_is_that_of_an_index_of_what_the_caller_may_read(
    docs: Path, make_index: MakeIndex, who: str
) -> None:
    def answers(index: Index) -> list[str]:
        said = []
        for name, asked in QUESTIONS:
            with seen(index, caller(who)) as view:
                result = TOOLS[name](view, **asked)
                said.append(f"{as_json(view, result)}\n{shown(view, result)}".replace("\\\\", "/"))
        return said

    whole = told(docs, make_index, COMPANY)
    among_others = answers(whole)
    whole.store.close()
    alone = told(docs, make_index, {path: said for path, said in COMPANY.items() if path.startswith(f"{who}/")})
    assert among_others == answers(alone)
    assert "Shadow" not in "".join(among_others) or who == "b" or "names Team/Shadow" in "".join(among_others)


def test_a_chain_reads_by_hops_and_not_by_things(docs: Path, make_index: MakeIndex) -> None:
    lines = [("Decision/Big|0001", "deprecates", "System/old")]
    lines += [(f"Service/s{n}", "depends_on", "System/old") for n in range(60)]
    lines += [(f"Team/t{n % 7}", "owns", f"Service/s{n}") for n in range(60)]
    index = told(docs, make_index, {"a/all.md": lines})
    with seen(index, caller("a")) as view:
        steps = [["deprecates", "out"], ["depends_on", "in"], ["owns", "in"]]
        found = TOOLS["chain"](view, start=["Decision/0001"], steps=steps)
        assert len(found.rows) == 7
        assert view.rows.lookups <= 15


@pytest.mark.parametrize(
    ("name", "asked", "where"),
    [
        ("chain", {"start": [], "steps": [["owns", "in"]]}, "start"),
        ("chain", {"start": ["a"], "steps": [["owns", "up"]]}, "steps.0.1"),
        ("list", {"where": [["owns", "in"]]}, "where.0"),
        ("changes", {"thing": "a", "since": "yesterday"}, "since"),
        ("card", {"thing": "a", "as_of": "2025-13"}, "as_of"),
        ("card", {}, "thing"),
        ("card", {"thing": "a", "colour": "red"}, "colour"),
    ],
)
def test_wrong_arguments_are_told(a: View, name: str, asked: dict[str, object], where: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: {where}: .*python -m graph {name} --help"):
        TOOLS[name](a, **asked)
