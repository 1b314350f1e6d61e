"""What tables state: who is whose, from when, how far, and that tables of other things state nothing."""

import pytest

from facts import Extraction, Named, Text
from facts.extract import extract
from facts.extractors.columns import Record, of_records

DECISION = "docs/decisions/0006-maps.md"


def read(markdown: str, path: str = "docs/page.md", title: str = "A page", **more: str) -> Extraction:
    lines = tuple(markdown.strip("\n").split("\n"))
    return extract(Text(path, title, more, lines))


def shown(named: Named | str) -> str:
    return named if isinstance(named, str) else f"{named.type} {named.shown}".strip()


def said(found: Extraction) -> list[str]:
    """Each statement as a line: "Team Bedrock owns Service plan-store [production] 2024-01-01..2025-01-01"."""
    told = []
    for one in found.statements:
        span = f" {one.valid_from}..{one.valid_to}" if one.valid_from or one.valid_to else ""
        qualifier = f" [{one.qualifier}]" if one.qualifier else ""
        told.append(f"{shown(one.subject)} | {one.predicate} | {shown(one.object)}{qualifier}{span}")
    return told


CATALOGUE = """
## Services

| Service | Owner team | Tier | Depends on | Owner |
|:--|---|---|---|---|
| `plan-store` | Bedrock | 1 | – | Ann Lee |
| billing | Moneta team | 2 | `plan-store`, [Vault](x.md) | |
"""


def test_a_catalogue() -> None:
    found = read(CATALOGUE)
    assert said(found) == [
        "Team Bedrock | owns | Service plan-store",
        "Service plan-store | tier | 1",
        "Service plan-store | owner | Ann Lee",  # the team column speaks; two owners would be a conflict
        "Team Moneta team | owns | Service billing",
        "Service billing | tier | 2",
        "Service billing | depends_on | Service plan-store",
        "Service billing | depends_on | Vault",
    ]
    first = found.statements[0]
    assert (first.first_line, first.last_line) == (5, 5)
    assert first.quote == "| `plan-store` | Bedrock | 1 | – | Ann Lee |"
    assert found.statements[3].subject == Named("Team", ("Moneta team", "Moneta"))


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param(
            "| Team | Lead | From | Until |\n|-|-|-|-|\n| Core | Ann Lee | 2024-02-01 | 2025-01-31 |",
            ["Person Ann Lee | leads | Team Core 2024-02-01..2025-01-31T24"],
            id="until the last of a month, that day included",
        ),
        pytest.param(
            "| Person | On call for | From | Until |\n|-|-|-|-|\n| Ann Lee | `a` | 2 Apr 2025 | 2025-07-02 |",
            ["Person Ann Lee | on_call_for | a 2025-04-02..2025-07-02"],
            id="a day of hand-over",
        ),
        pytest.param(
            "| Name | Team | Supervisor | Since |\n|-|-|-|-|\n| Ann Lee | Core | Bob Ray | 2024-02-01 |",
            ["Person Ann Lee | member_of | Team Core", "Person Ann Lee | reports_to | Person Bob Ray 2024-02-01.."],
            id="a date is of the column before it",
        ),
        pytest.param(
            "| Service | Ends on | Contact |\n|-|-|-|\n| `a` | 30 June 2026 | Ann Lee |",
            ["Service a | ends on | 30 June 2026", "Service a | contact | Ann Lee"],
            id="a date that dates no relation is the thing's",
        ),
        pytest.param(
            "| System | Owner | Ends on |\n|-|-|-|\n| Vault | Ann Lee | 31 May 2026 |",
            ["Ann Lee | owns | System Vault", "System Vault | ends on | 31 May 2026"],
            id="the end of the thing ends no relation",
        ),
        pytest.param(
            "| Service | Owner | Affects |\n|-|-|-|\n| pay | Bob Ray | reports |",
            ["Bob Ray | owns | Service pay"],
            id="a relation's word is no attribute",
        ),
        pytest.param(
            "| Document | Owner |\n|-|-|\n| [ADR 6: Maps move](adr/6-maps.md) | Ann Lee |\n| Leave policy | Bob Ray |",
            ["Decision Maps move | owner | Ann Lee", "Bob Ray | owns | Document Leave policy"],
            id="a decision among pages",
        ),
        pytest.param(
            "| System | Deprecated by | Ends on |\n|-|-|-|\n| Atlas 2 | ADR-0006 | 2026-06-30 |",
            ["Decision ADR-0006 | deprecates | System Atlas 2", "System Atlas 2 | ends on | 2026-06-30"],
            id="a decision that ends it",
        ),
        pytest.param(
            "| Group | Application | Environment | Level |\n|-|-|-|-|\n| ops | pay | production | read-only |\n| ops | pay | test | admin |",
            ["Team ops | has_access | Service pay [production; read-only]", "Team ops | has_access | Service pay [test; admin]"],
            id="access",
        ),
        pytest.param(
            "| Application | Level | Group | Env |\n|-|-|-|-|\n| pay | admin | ops | prod |",
            ["Team ops | has_access | Service pay [prod; admin]"],
            id="access, the columns in another order",
        ),
        pytest.param(
            "| Team | Members | Lead |\n|-|-|-|\n| Core | Ann Lee, Bob Ray and Cy Oh | [Ann Lee](mailto:ann@x.example) |",
            [
                "Person Ann Lee | member_of | Team Core",
                "Person Bob Ray | member_of | Team Core",
                "Person Cy Oh | member_of | Team Core",
                "Person Ann Lee | leads | Team Core",
            ],
            id="members",
        ),
        pytest.param(
            "| Service | Owner |\n|-|-|\n| pay | see the page of the team, or ask |\n| mail | none |\n| log | Ann Lee |",
            ["Service pay | owner | see the page of the team, or ask", "Ann Lee | owns | Service log"],
            id="a sentence names nobody",
        ),
        pytest.param(
            "| Service | Environment | On call |\n|-|-|-|\n| pay | production | Ann Lee |\n| pay | test | Bob Ray |",
            ["Ann Lee | on_call_for | pay [production]", "Bob Ray | on_call_for | pay [test]"],
            id="what narrows",
        ),
        pytest.param(
            "| Dienst | Verantwortlich | Hängt ab von |\n|-|-|-|\n| `kasse` | Team Blau | `konto` |",
            ["Team Team Blau | owns | Service kasse", "Service kasse | depends_on | konto"],
            id="German",
        ),
        pytest.param(
            "| Servicio | Propietario | Depende de |\n|-|-|-|\n| `pagos` | Equipo Azul | `cuentas` |",
            ["Team Equipo Azul | owns | Service pagos", "Service pagos | depends_on | cuentas"],
            id="Spanish",
        ),
        pytest.param(
            "| Équipe | Responsable | Depuis |\n|-|-|-|\n| Bleu | Ann Lee | 3 mars 2025 |",
            ["Person Ann Lee | leads | Team Bleu 2025-03-03.."],
            id="French",
        ),
        pytest.param(
            "| Office | City | Floor |\n|-|-|-|\n| North | Leipzig | 2 |\n| South | Porto | 1 |",
            ["North | city | Leipzig", "North | floor | 2", "South | city | Porto", "South | floor | 1"],
            id="things of no type",
        ),
    ],
)  # fmt: skip
def test_rows(table: str, expected: list[str]) -> None:
    assert said(read(table)) == expected


@pytest.mark.parametrize(
    "table",
    [
        "| Day | Hours |\n|-|-|\n| Monday | 8 to 6 |\n| Friday | 8 to 4 |",
        "| | Before | After |\n|-|-|-|\n| Builds | slow | fast |\n| Tests | slow | fast |",
        "| Tier | Uptime | Backup |\n|-|-|-|\n| 1 | 99 % | hourly |\n| 2 | 9 % | daily |",
        "| Status | Meaning |\n|-|-|\n| Proposed | under review |\n| Accepted | it holds |",
        "| Name | Type | Default | Required |\n|-|-|-|-|\n| `size` | int | 5 | no |\n| `path` | str | | yes |".replace("Name", "Variable"),
        "| If you need to | Start with |\n|-|-|\n| move a server | Ops |\n| buy a chair | Facilities |",
        "| Costs | 2023 | 2024 |\n|-|-|-|\n| 120 | 14 | 15 |\n| 3.5 % | 2 | 3 |",
        "| What | How |\n|-|-|\n| You go to the office and ask. Then wait. | It takes long |\n| You write to all of us | It takes longer |",
        "```\n| Service | Owner |\n|-|-|\n| pay | Ann |\n```",
        "<!--\n| Service | Owner |\n|-|-|\n| pay | Ann |\n-->",
        "    | Service | Owner |\n    |-|-|\n    | pay | Ann |",
        "| Service | Owner |\n| pay | Ann |",
        "| Service | Owner |\n|-|\n| pay | Ann |",
        "| Service | Owner | Service |\n|-|-|-|\n| pay | Ann | log |",
        "| Person | What they do |\n|-|-|\n| Onboarding buddy | answers questions |\n| Your supervisor | signs |",
    ],
)  # fmt: skip
def test_what_is_no_list_of_things(table: str) -> None:
    assert said(read(table)) == []


def test_people_with_ids_refer_to_each_other() -> None:
    rows: list[dict[str, str | tuple[str, ...]]] = [
        {"emp_id": "emp_1", "name": "Raj Patel", "email": "raj@x.example", "reports_to": "", "reportees": ("emp_2", "emp_3")},
        {"emp_id": "emp_2", "name": "Raj Patel", "email": "", "reports_to": "emp_1", "reportees": ()},
    ]  # fmt: skip
    records = [Record(row, at, at, f"row {at}") for at, row in enumerate(rows, 1)]
    found = of_records(records, list(rows[0]), "employees").statements
    first, second = (
        Named("Person", ("Raj Patel",), ("emp_1", "raj@x.example")),
        Named("Person", ("Raj Patel",), ("emp_2",)),
    )
    assert [(one.subject, one.predicate, one.object) for one in found] == [
        (second, "reports_to", first),
        (Named("Person", ids=("emp_3",)), "reports_to", first),  # in another file
        (second, "reports_to", first),
    ]


def test_a_list_by_number_is_told_apart_within_its_table_alone() -> None:
    records = [Record({"No": str(at), "Service": f"s-{at}", "Tier": "1"}, at, at, "") for at in (1, 2)]
    (first, _) = of_records(records, ["No", "Service", "Tier"], "Services of the north").statements
    assert first.subject == Named("Service", ("s-1",), ("services of the north#1",))


def test_an_alias_is_a_name_and_a_handle_is_an_id() -> None:
    table = "| Name | Called | Handle | Mail | Team |\n|-|-|-|-|-|\n| Siobhán Keane | Shiv | `@shiv` | s.keane@x.example | Core |"
    (called, member) = read(table).statements
    assert member.subject == Named("Person", ("Siobhán Keane", "Shiv"), ("@shiv", "s.keane@x.example"))
    assert (called.predicate, called.object) == ("called", "Shiv")


def test_where_to_write_is_no_id_of_a_team() -> None:
    table = "| Application | Owner |\n|-|-|\n| pay | Team Blue: blue@x.example |\n| log | Ann Lee <ann@x.example> |"
    found = read(table).statements
    assert [one.subject for one in found] == [
        Named("Team", ("Team Blue", "Blue")),
        Named("", ("Ann Lee",), ("ann@x.example",)),
    ]


FIELDS = """
# plan-store

| Field | Value |
|---|---|
| Owner | Bedrock |
| On-call channel | `#oc-bedrock` |
| Depends on | Vault |
"""


@pytest.mark.parametrize(
    ("markdown", "path", "subject"),
    [
        (FIELDS, "services/plan-store.md", "Service plan-store"),
        (FIELDS.replace("Field", "").replace("Value", ""), "services/plan-store.md", "Service plan-store"),
        (FIELDS, "wiki/plan-store.md", "plan-store"),
    ],
)
def test_a_table_of_fields_is_about_its_page(markdown: str, path: str, subject: str) -> None:
    assert said(read(markdown, path, "plan-store")) == [
        f"Bedrock | owns | {subject}",
        f"{subject} | on-call channel | #oc-bedrock",
        f"{subject} | depends_on | Vault",
    ]


def test_several_tables_of_fields_are_about_their_headings() -> None:
    markdown = "# Services\n## pay\n| | |\n|-|-|\n| Owner | Blue |\n| Tier | 1 |\n## log\n| | |\n|-|-|\n| Owner | Red |\n| Tier | 2 |"
    assert said(read(markdown, title="Services")) == [
        "Blue | owns | Service pay", "Service pay | tier | 1", "Red | owns | Service log", "Service log | tier | 2",
    ]  # fmt: skip


def test_the_page_itself_has_an_owner() -> None:
    markdown = "---\ntitle: Leave policy\nowner: Zoë Aldering\naccess: hr\napproved_by: [Ann Lee, Bob Ray]\n---\n# Leave policy"
    found = read(markdown, "leave.md", "Leave policy", title_="", owner="Zoë Aldering", access="hr", approved_by="Ann Lee, Bob Ray")  # fmt: skip
    page = Named("Document", ("Leave policy",), ("leave.md",))
    assert [(one.subject, one.predicate, one.object, one.quote) for one in found.statements] == [
        (Named("", ("Zoë Aldering",)), "owns", page, "owner: Zoë Aldering"),
        (page, "approved_by", Named("", ("Ann Lee",)), "approved_by: [Ann Lee, Bob Ray]"),
        (page, "approved_by", Named("", ("Bob Ray",)), "approved_by: [Ann Lee, Bob Ray]"),
    ]


@pytest.mark.parametrize(
    ("markdown", "path", "expected"),
    [
        pytest.param(
            "# `plan-store`\n\n- **Owner:** Bedrock\n- Tier: 1\n- Depends on: `vault`, Atlas 2\n\nIt keeps plans.",
            "services/plan-store.md",
            ["Bedrock | owns | Service plan-store", "Service plan-store | tier | 1",
             "Service plan-store | depends_on | vault", "Service plan-store | depends_on | Atlas 2"],
            id="a page in a folder of services",
        ),
        pytest.param(
            "# Teams\n## Bedrock\nLead: Ann Lee\nMembers: Bob Ray, Cy Oh\nChannel: `#oc`\n",
            "who.md",
            ["Person Ann Lee | leads | Team Bedrock", "Person Bob Ray | member_of | Team Bedrock",
             "Person Cy Oh | member_of | Team Bedrock", "Team Bedrock | channel | #oc"],
            id="a section under Teams",
        ),
        pytest.param("# Team Bedrock\n\n* Lead: Ann Lee\n* Slack: x", "a.md", ["Person Ann Lee | leads | Team Team Bedrock"], id="a team"),
        pytest.param("# Leave\n\n- Owner: Ann Lee\n- Tier: 1\n", "hr/leave.md", [], id="of what type does nobody say"),
        pytest.param("# Services\n\n## Who to ask\n\nOwner: of each.\nAsk: them. Or not.\n\n", "a.md", [], id="sentences"),
        pytest.param("# pay\n\nIt pays.\n- Owner: Ann Lee\n- Tier: 1\n", "services/pay.md", [], id="below other text"),
    ],
)  # fmt: skip
def test_labelled_lines(markdown: str, path: str, expected: list[str]) -> None:
    assert said(read(markdown, path, markdown.partition("\n")[0].strip("# `"))) == expected


@pytest.mark.parametrize(
    ("cell", "owners"),
    [
        ("~~Blue Team~~ Green Team", ["Green Team"]),
        ("<del>Blue Team</del> Green Team", ["Green Team"]),
        ("~~Blue Team, Red Team~~ Green Team", ["Green Team"]),
        ("formerly Blue Team", []),
        ("früher Team Blau", []),
        ("Green Team, previously Blue Team", ["Green Team"]),
        ("Green Team (formerly Blue Team)", ["Green Team"]),
        ("Green Team (since 2024-05-01)", ["Green Team"]),
        ("Green Team (until 2025-12-31)", []),
        ("Till Schmidt", ["Till Schmidt"]),
        ("Green Team (EMEA)", ["Green Team (EMEA)"]),
    ],
)
def test_who_it_is_no_more_owns_nothing(cell: str, owners: list[str]) -> None:
    found = read(f"| Service | Owner |\n|---|---|\n| mail | {cell} |\n| `maps` | Red Team |")
    assert [
        shown(one.subject).removeprefix("Team ") for one in found.statements if shown(one.object).endswith("mail")
    ] == owners
