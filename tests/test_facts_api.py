"""The facts over HTTP and MCP on a real server with sign-in: what each person is told, and what the audit log says.

The addresses are asked as a person would by curl. Try: pytest tests/test_facts_api.py
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from access import audit
from graph.tools import TOOLS
from tests.every_road import Company, company

SERVICES = (
    "# Services\n\n| Id | Service | Owner | Depends on |\n|---|---|---|---|\n"
    "| svc:quay | quay-plan | Team Heron | tide-feed |\n| svc-2 | tide-feed | Team Kestrel | |\n"
    "| svc-3 | berth:10 | Team Kestrel | tide-feed |\n"
)
SECRET = (
    "# Plans\n\n| Id | Service | Owner | Depends on |\n|---|---|---|---|\n"
    "| svc:quay | zander | Team Osprey | |\n| svc-9 | moonpool | Team Osprey | tide-feed |\n"
    "\n## Tiers\n\n| Service | Tier |\n|---|---|\n| tide-feed | 1 |\n"
    "\n## People\n\n| Person | Manager |\n|---|---|\n| Yuki Tanaka | Ingrid Solberg |\n"
)
TOLD = {
    "card": "thing=tide-feed", "neighbours": "thing=tide-feed", "impact": "thing=tide-feed",
    "path": "a=quay-plan&b=Kestrel", "chain": "start=tide-feed&steps=depends_on:in&steps=owns:in",
    "list": "type=Service&where=owns:in:Kestrel&where=depends_on:out:tide-feed", "count": "type=Service&by=owns",
    "check": "subject=quay-plan&predicate=depends_on&object=tide-feed", "changes": "thing=tide-feed",
    "contradicted": "since=2026", "conflicts": "", "join": "type=Service&text=depends",
}  # fmt: skip


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with company(tmp_path_factory.mktemp("port")) as made:
        made.write(services=SERVICES, plans=SECRET)
        made.rule("plans", "user:ada")
        made.sync()
        yield made


def told(port: Company, who: str, address: str) -> dict[str, Any]:
    status, _, text = port.get(who, f"/graph/{address}").partition(" ")
    assert status == "200", text
    found: dict[str, Any] = json.loads(text)
    return found


def refused(port: Company, address: str) -> str:
    status, _, text = port.get("bob", f"/graph/{address}").partition(" ")
    assert (status, json.loads(text)["code"]) == ("422", "invalid_request"), text
    return str(json.loads(text)["detail"])


def rows(found: dict[str, Any]) -> list[list[str]]:
    return [row["cells"] for row in found["rows"]]


def logged(port: Company) -> dict[str, Any]:
    with port.tables() as connection:
        last = audit.head(connection)
        assert last
        (row,) = audit.rows(connection, after=last.number - 1)
        return dict(row.body)


def test_each_typed_question_has_an_address(port: Company) -> None:
    assert TOLD.keys() == TOOLS.keys()
    described = port.client.get("/openapi.json").json()["paths"]
    for name, query in TOLD.items():
        found = told(port, "bob", f"{name}?{query}")
        assert (found["tool"], len(found["columns"])) == (
            name,
            len(found["rows"][0]["cells"] if found["rows"] else found["columns"]),
        )
        asked = {one["name"] for one in described[f"/graph/{name}"]["get"]["parameters"]}
        assert asked == {*TOOLS[name].arguments.model_fields, "limit", "offset"}
    assert rows(told(port, "bob", f"list?{TOLD['list']}")) == [["berth:10", "Team Kestrel", "tide-feed"]]
    assert [row[0] for row in rows(told(port, "bob", f"chain?{TOLD['chain']}"))] == ["Team Heron", "Team Kestrel"]
    assert rows(told(port, "bob", f"check?{TOLD['check']}"))[0][0] == "yes"


def test_each_step_has_its_words_as_they_stand_in_the_document(port: Company) -> None:
    found = told(port, "bob", f"impact?{TOLD['impact']}")
    assert {row["thing"]["name"] for row in found["rows"]} >= {"quay-plan", "berth:10", "Team Heron"}
    for step in (step for row in found["rows"] for step in row["steps"]):
        (evidence,) = step["evidence"]
        assert step["citations"] == [evidence["n"]]
        assert evidence["quote"] == SERVICES.split("\n")[evidence["first_line"] - 1]
        (source,) = (one for one in found["sources"] if one["n"] == evidence["n"])
        assert (source["source"], source["stale"]) == ("services.md", None)
        first, last = map(int, re.findall(r"\d+", source["lines"]))
        assert first <= evidence["first_line"] <= evidence["last_line"] <= last


def test_a_fact_whose_file_has_changed_says_so(port: Company) -> None:
    changed = SERVICES.replace("Heron", "Auk")
    port.write(services=changed)
    try:
        found = told(port, "bob", "card?thing=quay-plan")
        assert {one["stale"] for one in found["sources"]} == {"changed"}
        assert [one["code"] for one in found["problems"]] == ["stale"]
    finally:
        port.write(services=SERVICES)


@pytest.mark.permission
@pytest.mark.parametrize("tool", TOLD)
def test_what_is_not_theirs_is_as_if_it_were_not_there(port: Company, tool: str) -> None:
    query = TOLD[tool].replace("tide-feed", "{}").replace("quay-plan", "{}").replace("Kestrel", "{}")
    hidden, absent = (told(port, "bob", f"{tool}?{query.replace('{}', name)}") for name in ("moonpool", "nothing-0"))
    assert json.dumps(hidden).replace("moonpool", "nothing-0") == json.dumps(absent)
    for who, sees in (("ada", True), ("bob", False)):
        every = (
            port.get(who, "/graph/map") + port.get(who, "/graph/things") + port.get(who, "/graph/count?type=Service")
        )
        assert ("Osprey" in every, "plans.md" in every) == (sees, False if not sees else "plans.md" in every)


@pytest.mark.permission
def test_a_name_that_only_others_know_finds_nothing(port: Company) -> None:
    """It is a name of the same thing, by its id, in a document that they may not read."""
    assert [one["names"] for one in told(port, "ada", "things?text=zander")["things"]] == [["quay-plan", "zander"]]
    assert told(port, "bob", "things?text=zander")["things"] == []
    assert [one["names"] for one in told(port, "bob", "things?text=plan")["things"]] == [["quay-plan"]]
    numbers = {who: rows(told(port, who, "count?type=Service")) for who in ("ada", "bob")}
    assert numbers == {"ada": [["4"]], "bob": [["3"]]}


@pytest.mark.permission
def test_types_and_relations_are_those_of_what_one_may_read(port: Company) -> None:
    ada, bob = (told(port, who, "map") for who in ("ada", "bob"))
    assert (ada["types"], bob["types"]) == (["Person", "Service", "Team"], ["Service", "Team"])
    assert (ada["relations"], bob["relations"]) == (["depends_on", "owns", "reports_to"], ["depends_on", "owns"])


def test_things_are_found_by_the_beginning_of_a_word(port: Company) -> None:
    def names(query: str) -> list[str]:
        return [one["name"] for one in told(port, "bob", f"things?{query}")["things"]]

    assert names("text=tide") == ["tide-feed"]
    assert names("text=FEED") == ["tide-feed"]
    assert names("text=eed") == []
    assert names("text=%25") == names("text=_") == []
    assert names("text=svc:quay") == ["quay-plan"]
    assert names("type=Team") == ["Team Heron", "Team Kestrel"]
    assert names("type=Service&limit=1") == ["berth:10"]


def test_the_map_has_things_and_what_joins_them(port: Company) -> None:
    found = told(port, "bob", "map?types=Service&types=Team")
    names = {one["key"]: (one["type"], one["name"], one["degree"]) for one in found["nodes"]}
    assert ("Service", "tide-feed", 3) in names.values()
    assert all({edge["source"], edge["target"]} <= names.keys() for edge in found["edges"])
    assert sorted(edge["predicate"] for edge in found["edges"]) == ["depends_on"] * 2 + ["owns"] * 3
    assert [one["name"] for one in told(port, "bob", "map?limit=1")["nodes"]] == ["tide-feed"]
    around = told(port, "bob", "map?around=Heron&relations=owns")
    assert {one["name"] for one in around["nodes"]} == {"Team Heron", "quay-plan"}
    assert told(port, "bob", "map?around=moonpool")["nodes"] == []
    joined, apart = (
        len(told(port, "ada", f"map?types=Service&merged={told_}")["nodes"]) for told_ in ("true", "false")
    )
    assert joined < apart


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("card", "thing: is missing. card takes"),
        ("card?thing=x&colour=red", "colour: is not known"),
        ("card?thing=x&thing=y", "thing: is given 2 times"),
        ("card?thing=x&limit=0", "limit: '0' is no number from 1"),
        ("card?thing=x&as_of=lately", "as_of: is wrong"),
        ("card?thing=%00", "NUL"),
        ("chain?start=x&steps=owns", "Written owns:in."),
        ("list?where=owns:sideways:x", "is no direction"),
    ],
)
def test_what_is_wrong_with_a_question_is_told(port: Company, address: str, says: str) -> None:
    assert says in refused(port, address)


def test_a_colon_within_a_word_has_a_mark_before_it(port: Company) -> None:
    asked = "list?where=depends_on:in:berth\\:10"
    assert rows(told(port, "bob", asked)) == [["tide-feed", "berth:10"]]


def test_what_is_told_stands_in_the_audit_log(port: Company) -> None:
    told(port, "bob", "card?thing=quay-plan")
    row = logged(port)
    assert (row["road"], row["status"], row["question"]) == ("graph", "found", 'card {"thing": "quay-plan"}')
    assert {one["path"] for one in row["documents"]} == {"services.md"}
    told(port, "bob", "card?thing=moonpool")
    assert (logged(port)["status"], logged(port)["documents"]) == ("not_found", [])
    told(port, "ada", "map")
    assert {one["path"] for one in logged(port)["documents"]} == {"services.md", "plans.md"}


@pytest.mark.permission
def test_assistants_ask_the_same(port: Company) -> None:
    asked = {"tool": "list", "type": "Service", "where": [["owns", "in", ""]]}
    ada, bob = (port.tool(who, "company_facts", ask=asked) for who in ("ada", "bob"))
    assert "Osprey" in ada
    assert "Osprey" not in bob
    found = json.loads(bob)["structuredContent"]
    del asked["where"]
    assert found == told(port, "bob", "list?type=Service&where=owns:in:")
    card = json.loads(port.tool("bob", "company_thing", name="tide-feed"))["structuredContent"]
    assert card["things"] == []
    assert {row["thing"]["name"] for row in card["facts"]["rows"]} == {
        "tide-feed",
        "Team Kestrel",
        "quay-plan",
        "berth:10",
    }
    several = json.loads(port.tool("bob", "company_thing", name="svc"))["structuredContent"]
    assert (several["facts"], len(several["things"])) == (None, 3)
    hidden, absent = (port.tool("bob", "company_thing", name=name) for name in ("moonpool", "nothing-0"))
    assert hidden == absent
    assert "is wrong" in port.tool("bob", "company_facts", ask={"tool": "guess"})


def test_a_stream_tells_how_it_is_answered_before_it_answers(port: Company) -> None:
    events = re.findall(r"event: (\w+)\ndata: (.*)$", port.post("bob", "/ask/stream", text="Who owns quay-plan?"), re.M)
    names = [name for name, _ in events]
    assert names == ["search", "route", "claim", "answer"]
    route, answer = json.loads(events[1][1]), json.loads(events[-1][1])
    assert (route["tool"], route["arguments"]) == (answer["route"]["tool"], answer["route"]["arguments"])
    assert answer["route"]["rows"][0]["thing"]["name"] == "Team Heron"
