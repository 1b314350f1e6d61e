"""What record lines, catalogues, org charts and CODEOWNERS state, also such as no company of ours has written."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts import Extraction, Named, Text
from facts.extract import extract
from facts.extractors import catalog, codeowners, jsonl
from facts.mapping import read as mapping_of
from sources.formats import Limits, Unreadable, json_file, module_of, yaml_file
from sources.formats import codeowners as codeowners_file
from sources.formats import jsonl as jsonl_file
from tests.formats.test_structured import CATALOG, TREE

READERS = {"jsonl": jsonl_file, "json_file": json_file, "yaml_file": yaml_file, "codeowners": codeowners_file}


def text_of(data: str | bytes, path: str) -> Text:
    """The document as a sync makes it of the file."""
    made = READERS[module_of(path)].convert(
        data.encode() if isinstance(data, str) else data, path, Limits(9, 10_000_000)
    )
    kind = path.rpartition(".")[2] if "." in path else "codeowners"
    title = path.rpartition("/")[2].partition(".")[0].replace("-", " ").replace("_", " ").capitalize()
    return Text(path, title, {}, tuple(made.text.rstrip("\n").split("\n")), format=kind)


def told(found: Extraction) -> set[str]:
    """Each statement in a line for the eye."""

    def shown(one: Named) -> str:
        return f"{one.type or '?'}:{'/'.join((*one.names, *one.ids))}"

    return {
        f"{shown(one.subject)} {one.predicate} {one.object if isinstance(one.object, str) else shown(one.object)}"
        + (f" [{one.qualifier}]" if one.qualifier else "")
        + (f" until {one.valid_to}" if one.valid_to else "")
        for one in found.statements
    }


def holds(found: Extraction, text: Text) -> None:
    """Each quote is the text on its lines."""
    places = [(one.first_line, one.last_line, one.quote) for one in found.statements]
    places += [(one.first_line, one.last_line, one.quote) for one in found.mentions]
    for first, last, quote in places:
        assert quote == "\n".join(text.lines[first - 1 : last]).rstrip() != ""


def lines(*records: dict[str, object]) -> str:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in records)


# --- records, without any mapping -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        (
            "services.jsonl",
            lines({"svc": "plan-store", "squad": "Bedrock", "businessUnit": "Retail"}, {"svc": "geo", "squad": "Bedrock", "businessUnit": None}),
            set(),
        ),
        (
            "applications.jsonl",
            lines(
                {"application": "plan-store", "owner": "Bedrock: bedrock@l.example", "business_unit": "Retail", "environments": ["production", "test"], "critical": True},
                {"application": "geo", "owner": None, "business_unit": "Travel", "environments": [], "critical": False},
            ),
            {
                "?:Bedrock owns Service:plan-store", "Service:plan-store business unit Retail", "Service:plan-store environments production",
                "Service:plan-store environments test", "Service:plan-store critical true", "Service:geo business unit Travel",
                "Service:geo critical false",
            },
        ),
        (
            "zugriffe.jsonl",
            lines({"Anwendung": "plan-store", "Umgebung": "Produktion", "Gruppe": "betrieb", "Berechtigung": "lesen"}),
            {"Team:betrieb has_access Service:plan-store [Produktion; lesen]"},
        ),
        (
            "accesos.jsonl",
            lines({"grupo": "operaciones", "aplicación": "geo", "entorno": "producción", "nivel": "lectura"}),
            {"Team:operaciones has_access Service:geo [producción; lectura]"},
        ),
    ],
)  # fmt: skip
def test_records_with_usual_headings(path: str, data: str, expected: set[str]) -> None:
    text = text_of(data, path)
    found = extract(text)
    holds(found, text)
    assert told(found) >= expected


def test_a_mapping_says_what_headings_do_not() -> None:
    text = text_of(lines({"svc": "plan-store", "squad": "Bedrock"}, {"svc": "geo", "squad": "Ann Lee"}), "x/svc.jsonl")
    mapping = mapping_of(
        '[[tables]]\nfiles = "svc.jsonl"\nsubject = {type = "Service", name = "svc"}\n'
        'relations.owns = {column = "squad", inverse = true, type = "Team"}\n'
    )
    found = extract(text, mapping)
    holds(found, text)
    assert told(found) == {"Team:Bedrock owns Service:plan-store", "Team:Ann Lee owns Service:geo"}
    page = Text("x/svc.jsonl", "Svc", {}, ("| svc | squad |", "|---|---|", "| `geo` | Bedrock |"), format="csv")
    assert told(extract(page, mapping)) == {"Team:Bedrock owns Service:geo"}


def test_a_key_that_stands_twice_says_both() -> None:
    found = extract(
        text_of('{"application": "geo", "owner": "A1", "owner": "B2"}\n{"application": "x", "owner": "A1"}', "a.jsonl")
    )
    assert told(found) == {"?:A1 owns Service:geo", "?:B2 owns Service:geo", "?:A1 owns Service:x"}


# --- people ---------------------------------------------------------------------------------------------------------


def people(found: Extraction) -> set[tuple[str, ...]]:
    return {
        (*one.subject.ids, *one.subject.names, ">", *one.object.ids, *one.object.names, one.valid_to)
        for one in found.statements
        if one.predicate == "reports_to" and isinstance(one.object, Named)
    }


def test_people_of_one_name_are_told_apart_by_their_ids() -> None:
    data = lines(
        {"emp_id": "emp_1", "name": "Ann Lee", "reports_to": None},
        {"emp_id": "emp_2", "name": "Bo Ek", "reports_to": "emp_1"},
        {"emp_id": "emp_3", "name": "Bo Ek", "reports_to": "emp_2"},
        {"emp_id": "emp_4", "name": "Cy Oz", "reports_to": "emp_3"},
    )
    found = extract(text_of(data, "staff/employees.jsonl"))
    assert people(found) == {
        ("emp_2", "Bo Ek", ">", "emp_1", "Ann Lee", ""),
        ("emp_3", "Bo Ek", ">", "emp_2", "Bo Ek", ""),
        ("emp_4", "Cy Oz", ">", "emp_3", "Bo Ek", ""),
    }


def test_a_tree_says_who_reports_to_whom() -> None:
    text = text_of(TREE, "org.json")
    found = extract(text)
    holds(found, text)
    assert {one[-2] for one in people(found)} >= {"Ann Lee"}
    assert all(one.subject.type == "Person" for one in found.statements)
    assert len(people(found)) == 4


@pytest.mark.parametrize(
    "records",
    [
        [{"full_name": "Ann Lee", "job_title": "CEO", "line manager": ""}, {"full_name": "Bo Ek", "job_title": "CTO", "line manager": "Ann Lee"}],
        [{"name": "Ann Lee", "title": "CEO", "manager": None}, {"name": "Bo Ek", "title": "CTO", "manager": "Ann Lee"}],
        [{"Name": "Ann Lee", "Rolle": "CEO", "E-Mail": "ann@l.example"}, {"Name": "Bo Ek", "Rolle": "CTO", "Vorgesetzte": "ann@l.example"}],
        [{"nombre": "Ann Lee", "puesto": "CEO"}, {"nombre": "Bo Ek", "puesto": "CTO", "jefa": "Ann Lee"}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["org.json", "org.jsonl"])
def test_org_charts_in_other_words(records: list[dict[str, object]], path: str) -> None:
    found = extract(text_of(json.dumps(records) if path == "org.json" else lines(*records), path))
    ((*subject, _),) = people(found)
    assert [one for one in subject if "@" not in one] == ["Bo Ek", ">", "Ann Lee"]


def test_who_left_reports_to_nobody_any_more() -> None:
    data = lines(
        {"emp_id": "e1", "name": "Ann Lee", "left": "Present", "reports_to": None, "reportees": ["e2", "e3"]},
        {"emp_id": "e2", "name": "Bo Ek", "left": "14-03-2019", "reports_to": "e1"},
        {"emp_id": "e3", "name": "Cy Oz", "left": "03-04-2019", "reports_to": "e1"},
        {"emp_id": "e4", "name": "Di Po", "left": "", "reports_to": "e2"},
    )
    found = extract(text_of(data, "employees.jsonl"))
    ended = {(one[0], one[3], one[-1]) for one in people(found) if one[-1]}
    assert ended == {("e2", "e1", "2019-03-14"), ("e3", "e1", "2019-04-03")}, "its column tells which is the day"
    assert {(one[0], one[3]) for one in people(found) if not one[-1]} == {("e2", "e1"), ("e3", "e1"), ("e4", "e2")}
    assert [one.object for one in found.statements if one.predicate == "left"] == ["14-03-2019", "03-04-2019"]


def test_a_day_that_could_be_a_month_is_no_day() -> None:
    data = lines(
        {"emp_id": "e1", "name": "Ann Lee", "left": "03-04-2019", "reports_to": "e2"}, {"emp_id": "e2", "name": "Bo Ek"}
    )
    assert {one[-1] for one in people(extract(text_of(data, "employees.jsonl")))} == {""}


def test_a_list_of_decisions_names_them_by_their_whole_titles() -> None:
    data = lines(
        {
            "id": "0007",
            "title": "Use Terratest, Open Policy Agent and Go for testing",
            "status": "Accepted",
            "superseded_by": ["0009"],
        },
        {"id": "0009", "title": "OPS-12: One database for all", "status": "Proposed", "authors": ["Ann Lee", "Bo Ek"]},
    )
    found = extract(text_of(data, "decisions.jsonl"))
    status = {one.subject.names[0]: one.object for one in found.statements if one.predicate == "status"}
    assert status == {
        "Use Terratest, Open Policy Agent and Go for testing": "accepted",
        "One database for all": "proposed",
    }
    assert (
        "OPS-12: One database for all"
        in next(one for one in found.statements if "0009" in one.quote[:10]).subject.names
    )
    (said,) = (one for one in found.statements if one.predicate == "supersedes")
    assert isinstance(said.object, Named)
    assert ("0009" in said.subject.names, said.object.names[0]) == (
        True,
        "Use Terratest, Open Policy Agent and Go for testing",
    )


# --- catalogues -----------------------------------------------------------------------------------------------------


def test_a_catalogue_relates_its_entities() -> None:
    more = "---\napiVersion: backstage.io/v1alpha1\nkind: %s\nmetadata: {name: %s}\nspec: {%s}\n"
    data = CATALOG + "".join(
        more % one
        for one in (
            ("User", "ann", "profile: {displayName: Ann Lee, email: ann@l.example}, memberOf: [bedrock]"),
            ("Resource", "plan-db", "type: database, owner: user:ann, dependencyOf: ['component:plan-store']"),
            (
                "API",
                "plan-api, namespace: shop",
                "lifecycle: deprecated, owner: Group:other/Ops, system: planning, dependencyOf: [geo]",
            ),
            ("Group", "ops", "parent: bedrock, members: [ann]"),
            ("Location", "all", "targets: [./x.yaml]"),
            ("Component", "alone", ""),
        )
    )
    text = text_of(data, "services.yaml")
    found = catalog.extract(text)
    holds(found, text)
    store, team = (
        "Service:plan-store/component:default/plan-store",
        "Team:Bedrock: Team/bedrock/group:default/bedrock/b@l.example",
    )
    ann, database = "Person:Ann Lee/ann/user:default/ann/ann@l.example", "System:plan-db/resource:default/plan-db"
    api, ops = "Service:plan-api/api:shop/plan-api", "Team:ops/group:default/ops"
    assert told(found) == {
        f"{store} type service", f"{store} tags java", f"{store} tags core", f"{team} owns {store}", f"{store} depends_on {database}",
        f"{team} type team", f"{ann} member_of {team}", f"{database} type database", f"{ann} owns {database}",
        f"{api} lifecycle deprecated", f"Team:Ops/group:other/ops owns {api}", f"{api} system planning",
        f"Service:geo/component:shop/geo depends_on {api}",
        f"{ops} member_of {team}", f"{ann} member_of {ops}",
    }  # fmt: skip
    assert [one.named.names for one in found.mentions] == [("alone",)]
    assert extract(text) == found, "an entity is no row of a table"


@pytest.mark.parametrize(
    "spec", ["owner: [[a]]", "owner: ''", "owner: ':/'", "dependsOn: 'x'", "owner: planet:x", "memberOf: [a]"]
)
def test_an_odd_entity_states_nothing_wrong(spec: str) -> None:
    text = text_of(
        f"apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{name: a}}\nspec: {{{spec}}}\n", "a.yml"
    )
    assert {one.predicate for one in catalog.extract(text).statements} <= {"depends_on"}


# --- CODEOWNERS -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("* @l/core\n", {"Team:core/@l/core owns ?:shop [code]"}),
        ("/services/pay-roll/src/** @l/pay @ann\n", {"Team:pay/@l/pay owns Service:pay-roll [code]", "?:@ann owns Service:pay-roll [code]"}),
        ("/terraform/environments/geo.tf ops@l.example\n", {"?:ops@l.example owns ?:geo [code]"}),
        ("/docs/ @l/writers\n*.js @l/web\n", {"Team:writers/@l/writers owns ?:docs [code]"}),
        ("/docs/on-call.md @bo\n", {"?:@bo owns Document:docs/on-call.md [code]"}),
        ("/services/pay/ @l/a\n/services/geo/ @l/b\n/services/* @l/c\n",
         {"Team:c/@l/c owns Service:pay [code]", "Team:c/@l/c owns Service:geo [code]", "Team:c/@l/c owns ?:services [code]"}),
        ("/services/* @l/c\n/services/pay/ @l/a\n", {"Team:c/@l/c owns ?:services [code]", "Team:a/@l/a owns Service:pay [code]"}),
        ("/db/ @l/a\n/db/\n", set()),
        ("[Pay] @l/a\n/databases/plan-db\n[Ops]\n/databases/plan-db @l/b\n",
         {"Team:a/@l/a owns System:plan-db [code]", "Team:b/@l/b owns System:plan-db [code]"}),
        ("** @w\n/a\\ b/ @x\n!x @y\n\\#c @z\n/[x]/ @v\n/x @@role @\n", {"?:@x owns ?:a b [code]", "?:@z owns ?:\\#c [code]", "?:@w owns ?:shop [code]"}),
    ],
)  # fmt: skip
def test_codeowners_own_what_their_paths_name(data: str, expected: set[str]) -> None:
    text = text_of(data, "shop/CODEOWNERS")
    found = codeowners.extract(text)
    holds(found, text)
    assert told(found) == expected
    assert extract(text) == found


def test_rules_as_records_say_the_same() -> None:
    data = lines({"pattern": "*", "owners": ["@l/core"]}, {"pattern": "/services/geo/", "owners": ["@l/geo", "@bo"]})
    found = extract(text_of(data, "shop/owners.jsonl"))
    assert told(found) == {
        "Team:core/@l/core owns ?:shop [code]", "Team:geo/@l/geo owns Service:geo [code]", "?:@bo owns Service:geo [code]",
    }  # fmt: skip


# --- whatever the text ----------------------------------------------------------------------------------------------

_words = st.text(alphabet=' abAB@/.*`"\\:;,[]{}()|-#_é\u2028', max_size=20)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            _words | st.sampled_from(["name", "owner", "manager", "id", "pattern", "owners"]), _words, max_size=5
        ),
        max_size=6,
    )
)
def test_no_records_break_the_extractors(records: list[dict[str, object]]) -> None:
    for path, data in (("a.jsonl", lines(*records)), ("a.json", json.dumps(records)), ("a.yaml", json.dumps(records))):
        try:
            text = text_of(data, path)
        except Unreadable:
            continue
        holds(extract(text), text)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(_words.map("- ".__add__) | _words.map("- `".__add__) | _words, max_size=12),
    st.sampled_from([*jsonl.FORMATS, "codeowners"]),
)
def test_no_text_breaks_the_extractors(told_lines: list[str], kind: str) -> None:
    text = Text("a", "A", {}, tuple(told_lines), format=kind)
    for one in (jsonl.extract, catalog.extract, codeowners.extract):
        holds(one(text), text)


def test_a_page_without_records_costs_nothing() -> None:
    page = Text("a.md", "A", {}, ("- owner: Bedrock; application: geo",) * 3)
    for one in (jsonl.extract, catalog.extract, codeowners.extract):
        assert one(page) == Extraction()
