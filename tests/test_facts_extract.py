"""What holds of everything read of a document, whatever its text: it stands there, and reading ends."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk import split
from chunking.front import front_matter
from facts import Named, Text
from facts.extract import extract
from facts.normal import key
from facts.relations import BUILT_IN

ROOT = Path(__file__).resolve().parents[1]
PIECES = st.sampled_from(
    [
        "| Service | Owner | Since |", "|-|-|-|", "| `a-b` | Ann Lee <ann@x.example> | 2024-01-01 |", "| c | | none |",
        "| | |", "|---|---|", "| Status | Accepted |", "| Date | 5 May 2025 |", "| Owner | Bedrock |", "| **Date** | x |",
        "# 6. Maps move", "## Status", "## Decision", "## Deciders", "Accepted", "Superseded by [9](0009-x.md)", "Status: accepted",
        "Date: 2025-05-05", "Deciders: Ann Lee, Bob Ray", "Authors:", "- Ann Lee", "- ✅ [Use X](0001-x.md)", "- ✅ Accepted",
        "- [0001](0001-x.md) Use X - Rejected", "We deprecate `a-b` in favour of c.", "`a-b` is owned by", "Bedrock.", "```", "---",
        "<!--", "-->", "", "    | a | b |", "===", "owner: Ann", "status: accepted", "| Name | Team | Mail |", "| Ann Lee | X | a@x.example |",
        "| Group | Application | Level |", "| ops | pay | admin |", "\u2028", "\\| x |", "| x \\| y | z | w |", "\x00", "\ufeff",
    ]
)  # fmt: skip
HEADINGS = st.sampled_from(
    ["Service", "Name", "Title", "ID", "No", "Team", "Person", "Owner", "Owner team", "Depends on", "Used by", "Lead", "Members", "Reports to",
     "Since", "Until", "Environment", "Level", "Group", "Application", "Status", "Date", "ADR", "Deciders", "Superseded by", "Called",
     "Mail", "Handle", "On call", "Deprecated by", "Tier", "Field", "Value", "", "Document", "Affects"]
)  # fmt: skip
CELLS = st.sampled_from(
    ["Ann Lee", "Bob Ray, Cy Oh", "`a-b`", "`a-b`, c_d", "–", "", "none", "emp_1", "emp_2", "1", "0006", "ADR-0006", "[9](0009-x.md)", "Bedrock team",
     "2024-01-31", "1 May 2025", "accepted", "Team X: x@x.example", "<ann@x.example>", "@ann", "#channel", "see the page. Or ask.", "9999-12-31",
     "[Ann](mailto:ann@x.example)", "a<br>b", "(x)", "**A**", "Ann and Bob", "\\|", "production", "0000-00-00", "yes", "* *", "`", "..."]
) | st.text(alphabet="aB1 `*[](),;:@<>&.\\-", max_size=12)  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> list[str]:
    """The lines of a table whose columns mean something."""
    head = draw(st.lists(HEADINGS, min_size=2, max_size=6))
    rows = draw(st.lists(st.lists(CELLS, min_size=len(head), max_size=len(head)), max_size=5))
    return [f"| {' | '.join(row)} |" for row in (head, ["-"] * len(head), *rows)]


LINES = st.lists(PIECES | st.text(alphabet="|-:`*[]()<>#@&\\ aA1.,;\u0130\ud800", max_size=30), max_size=20)
PATHS = st.sampled_from(["docs/adr/0006-maps.md", "services.md", "a/b.csv", "../x.md", "0006", ""])


PAGES = st.lists(LINES | tables(), max_size=3).map(lambda parts: [line for part in parts for line in (*part, "")])


@given(PAGES, PATHS)
def test_what_is_read_stands_there(lines: list[str], path: str) -> None:
    text = Text(
        path, next((line[2:] for line in lines if line[:2] == "# "), "A page"), front_matter(lines)[0], tuple(lines)
    )
    found = extract(text)
    assert found == extract(text)
    once = {(one.subject, one.predicate, one.object, one.qualifier, one.first_line) for one in found.statements}
    assert len(once) == len(found.statements)
    for one in found.statements:
        assert 1 <= one.first_line <= one.last_line <= len(lines)
        assert one.quote == "\n".join(line.rstrip() for line in lines[one.first_line - 1 : one.last_line])
        assert one.quote.strip()
        assert one.extractor
        for named in (one.subject, *([one.object] if isinstance(one.object, Named) else [])):
            assert named.names or named.ids
            assert all(map(key, named.names)), "a name holds a letter or a digit"
        relation = BUILT_IN.relations.get(one.predicate)
        assert bool(relation) == isinstance(one.object, Named)
        if relation and isinstance(one.object, Named):
            assert one.subject.type in ("", *relation.subjects)
            assert one.object.type in ("", *relation.objects)
        for date in (one.valid_from, one.valid_to):
            assert date == "" or len(date) == 10


HOSTILE = {
    "pipes": "|" * 10_000 + "\n" + "|-" * 10_000 + "|\n" + "|a" * 10_000,
    "a table of many columns": "|a" * 5000 + "|\n" + "|-" * 5000 + "|\n" + ("|b" * 5000 + "|\n") * 20,
    "a line of 5 MB": "x|" * 2_500_000,
    "a status of 5 MB": "Status: " + "accepted " * 600_000,
    "brackets": "Status: accepted\n\n|Service|Owner|\n|-|-|\n" + ("|" + "[" * 9000 + "|" + "(" * 9000 + "|\n") * 20,
    "links": "Status: accepted\n\n|Service|Owner|\n|-|-|\n" + "|a|" + "[a](" * 5000 + "|\n",
    "tags": "|Service|Owner|\n|-|-|\n" + ("|a|" + "<a" * 9000 + "|\n") * 5,
    "nesting": ("- " * 2000 + "[(" * 2000 + "\n") * 50,
    "sentences": "Status: accepted\n\n## Decision\n" + ("We deprecate " + "A " * 900 + "\n") * 200,
    "owners": "Status: accepted\n\n" + (" `x`" + " " * 1500 + "is owned by" + " " * 400 + "\n") * 200,
    "code": "Status: accepted\n\n" + ("`" * 1900 + "is deprecated\n") * 500,
    "labels": "Status: accepted\n" + ("**a: b** | " * 150 + "\n") * 2000,
    "comments": "<!--" * 200_000,
    "rules": ("|" + "-" * 50_000 + "|\n") * 100,
    "spaces": "|Service|Owner|\n|" + " " * 90_000 + "x\n|a|b|",
    "sections": "Status: accepted\n" + "## Status\n\naccepted\n\n" * 5000,
    "front matter": "---\n" + "a: b\n" * 50_000 + "---\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_to_its_end(name: str) -> None:
    """Each takes a fraction of a second; quadratic reading would take minutes."""
    lines = tuple(HOSTILE[name].split("\n"))
    extract(Text("docs/adr/0001-a.md", "1. A", {"status": "accepted"}, lines))


def test_the_demo_catalogue_is_read_whole() -> None:
    text = (ROOT / "docs" / "services.md").read_text(encoding="utf-8")
    document = split(text, "services.md")
    found = extract(Text("services.md", document.title, document.meta, tuple(text.split("\n")))).statements
    owned = {one.object.shown for one in found if one.predicate == "owns" and isinstance(one.object, Named)}
    rows = [
        line.split("|") for line in text.split("## Services")[1].split("\n### ")[0].split("\n") if line[:3] == "| `"
    ]
    assert owned == {*(row[1].strip(" `") for row in rows), "Service catalogue"}
    assert len(rows) == 15
    assert sum(one.predicate == "depends_on" for one in found) == sum(row[7].count("`") // 2 for row in rows)


def test_the_command_shows_what_is_read(tmp_path: Path) -> None:
    page = tmp_path / "systems.md"
    page.write_text("| System | Owner | Since |\n|-|-|-|\n| Vault | Ann Lee | 2024-01-01 |\n", encoding="utf-8")
    run = [sys.executable, "-m", "facts", "--words", str(page)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == [
        "  L3  something Ann Lee | owns | System Vault  (from 2024-01-01)",
        "      > | Vault | Ann Lee | 2024-01-01 |",
    ]
    missing = subprocess.run([*run, "no.md"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert (missing.returncode, missing.stderr.splitlines()) == (
        2,
        ["error: no.md cannot be read: No such file or directory."],
    )
