"""Records, catalogues, org charts and CODEOWNERS as documents: which files are taken, their lines, and hostile ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search import Index
from sources.folder import FolderSource
from sources.formats import Unreadable, codeowners, json_file, jsonl, slack, yaml_file
from sources.formats.records import fields, heading, line, write
from sources.formats.writing import Page, line_of
from sources.kinds import is_structured
from tests.conftest import HashEmbedder  # fmt: skip
from tests.conftest import write as put
from tests.formats.made import LIMITS, placed, read

CATALOG = """\
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: plan-store
  annotations: {github.com/project-slug: larkfell/plan-store}
  tags: [java, core]
spec:
  type: service
  owner: group:default/bedrock   # since March
  dependsOn:
    - resource:plan-db
  definition: |
    a long text
# the team
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: bedrock}
spec: {type: team, profile: {displayName: "Bedrock: Team", email: b@l.example}, children: [], parent: ~}
"""
TREE = """\
{"company": "Larkfell", "people": [
 {"name": "Ann Lee", "title": "CEO", "email": "ann@l.example",
  "children": [
    {"name": "Bo", "id": "p2", "title": "CTO", "reports": [{"name": "Cy", "title": "CFO; acting"}]},
    {"name": "Bo", "id": "p3", "title": "COO", "reports": [{"name": "Di",
       "title": "Engineer"}]}
 ]}]}
"""


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("business_unit", "business unit"),
        ("businessUnit", "business unit"),
        ("line-manager", "line manager"),
        ("API", "API"),
        ("sourceURL", "source URL"),
        ("Issue", "Issue"),
        ("__x", "x"),
        ("Größe", "Größe"),
    ],
)
def test_keys_are_words(key: str, shown: str) -> None:
    assert heading(key) == shown


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["a; b", "[x]", '"', "a: b", "# x", "1. a", "*a*", "`b`", "<b>x</b>", "_x_ y", "\\n", "{a}", "x, y", "- a", "\\["]
)
_value = st.recursive(
    _text | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(_text.filter(line_of), inner), max_size=3).map(tuple)
    ),
    max_leaves=6,
)


def _said(value: Any) -> Any:
    """What is left of a value in a line; None for nothing."""
    if isinstance(value, list):
        return [one for part in value if (one := _said(part)) is not None] or None
    if isinstance(value, tuple):
        found, seen = [], set[str]()
        for key, part in value:
            shown = heading(key) or line_of(key)
            shown = line_of(key) if shown in seen else shown
            seen.add(shown)
            found += [(shown, one)] if (one := _said(part)) is not None else []
        return tuple(found) or None
    return ("true" if value else "false") if isinstance(value, bool) else line_of(value) or None if value else None


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(_text.filter(line_of), _value), min_size=1, max_size=4))
def test_a_record_is_one_line_and_its_fields_again(record: list[tuple[str, Any]]) -> None:
    page = Page(LIMITS)
    write(page, line(record), "L1")
    try:
        text = page.converted().text
    except Unreadable:
        return
    assert text.count("\n") == 1
    assert fields(text[:-1]) == (_said(tuple(record)) or ())


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='ab:;,[]{}" \\-', max_size=60))
def test_no_line_breaks_the_reader(text: str) -> None:
    fields("- " + text)
    fields("- a: " + text)


def test_a_hostile_line_is_read_in_time() -> None:
    assert fields("- " + "; ".join(f"a: {'[a, ' * 25}" for _ in range(3000))) != ()
    assert len(fields("- a: [" + "x, " * 100_000 + "x]")[0][1]) == 100_001  # type: ignore[arg-type]


# --- JSON Lines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected", "notes"),
    [
        (b'{"svc": "a", "squad": null}\n\n{"svc": "b", "n": 1.50}\n', [("L1", "- svc: a"), ("L3", "- svc: b; n: 1.50")], ()),
        (b'\xef\xbb\xbf{"a": "x"}\r\n{"b": [1, true, ""]}', [("L1", "- a: x"), ("L2", "- b: [1, true]")], ()),
        ('{"a": "ü\u2028x"}\n'.encode("utf-16"), [("L1", "- a: ü x")], ()),
        (b'{"a": "x"}\n{"a": \n[1]\n{"a": "y"}', [("L1", "- a: x"), ("L4", "- a: y")],
         ("line 2 is no JSON; it is left out", "line 3 is no record but another kind of JSON; it is left out")),
        (b'{"a": "x"}\n{"a": "\xff"}\n{"a": "y"}', [("L1", "- a: x"), ("L3", "- a: y")], ("line 2 is not UTF-8; it is left out",)),
        (b'{"owner": "A", "owner": "B"}', [("L1", "- owner: A; owner: B")], ()),
        (b'{"a": "x"}\n' + b"[" * 100_000, [("L1", "- a: x")], ("line 2 is nested too deeply; it is left out",)),
        (b'{"a": "x"}\n{' + b",".join(b'"k%d": 1' % n for n in range(1_000_000)) + b"}", [("L1", "- a: x")],
         ("line 2 has more than 2,000 fields; it is left out",)),
        (b'{"a": "x"}\n{"a": ' + b'{"a": ' * 40 + b"1" + b"}" * 41, [("L1", "- a: x")], ("line 2 is nested too deeply; it is left out",)),
        (b'{"a": "x"}\n' + b"no\n" * 9, [("L1", "- a: x")],
         (*(f"line {n} is no JSON; it is left out" for n in range(2, 7)), "4 more lines are left out")),
        (b'{"n": ' + b"9" * 5000 + b"}", [("L1", "- n: " + "9" * 5000)], ()),
    ],
)  # fmt: skip
def test_json_lines_are_a_line_a_record(data: bytes, expected: list[tuple[str, str]], notes: tuple[str, ...]) -> None:
    converted = jsonl.convert(data, "a.jsonl", LIMITS)
    assert placed(converted) == expected
    assert converted.notes == notes


@pytest.mark.parametrize(
    ("module", "data", "told"),
    [
        (jsonl, b'[\n {\n"a": 1}\n]', "holds no record: line 1 is no JSON"),
        (jsonl, b"\n \n", "holds no record"),
        (jsonl, b'{"a": "\0"}', "holds NUL characters"),
        (jsonl, b'{"a": "Gr\xf6"}\n' * 9 + b'{"b": "\xff"}', "no other encoding is certain"),
        (jsonl, b'{"a": "%s"}\n' % (b"x" * 500) * 3000, "its text is longer than 1 MB"),
        (json_file, b"[" * 100_000, "is nested too deeply"),
        (json_file, b'{"name": "x", "children": [' * 400 + b"]}" * 400, "is nested too deeply"),
        (json_file, b'[{"name": "x"}\n,]', "is no JSON that can be read (line 2)"),
        (json_file, b'[1, 2, "x"]', "holds no records"),
        (yaml_file, b"a: [" * 5000, "exceeded maximum nesting depth"),
        (yaml_file, b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(
            b"%c: &%c [%s]\n" % (n, n, b",".join([b"*%c" % (n - 1)] * 9)) for n in range(98, 108)), "unfolds to more than 500,000 values"),
        (yaml_file, b"a: &a [*a]\n", "is nested too deeply"),
        (yaml_file, b"a: b: c\n", "is no YAML that can be read (line 1"),
        (codeowners, b"\n\n", "holds no text"),
        (codeowners, b"* @a \xff\xfe\xfd", "is not UTF-8"),
    ],
)  # fmt: skip
def test_a_hostile_file_is_refused_with_its_reason(module: Any, data: bytes, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        module.convert(data, "a", LIMITS)
    assert told in str(refused.value)


# --- catalogues, org charts, CODEOWNERS -----------------------------------------------------------------------------


def test_a_catalogue_is_a_line_an_entity() -> None:
    assert placed(read(CATALOG, "catalog-info.yaml")) == [
        ("L2-14", "- kind: Component; name: plan-store; tags: [java, core]; type: service; owner: group:default/bedrock; "
         "depends on: [resource:plan-db]; api version: backstage.io/v1alpha1"),
        ("L17-20", '- kind: Group; name: bedrock; type: team; profile: {display name: Bedrock: Team; email: b@l.example}; '
         "api version: backstage.io/v1alpha1"),
    ]  # fmt: skip


def test_an_org_chart_says_whom_each_reports_to() -> None:
    assert placed(read(TREE, "org.json")) == [
        ("L2-7", "- name: Ann Lee; title: CEO; email: ann@l.example"),
        ("L4", "- name: Bo; reports to: Ann Lee; id: p2; title: CTO"),
        ("L4", '- name: Cy; reports to: p2; title: "CFO; acting"'),
        ("L5-6", "- name: Bo; reports to: Ann Lee; id: p3; title: COO"),
        ("L5-6", "- name: Di; reports to: p3; title: Engineer"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ('[{"name": "Ann", "manager": null},\n {"name": "Bo", "manager": "Ann"}]', "a.json", [("L1", "- name: Ann"), ("L2", "- name: Bo; manager: Ann")]),
        ('{"a": {"owner": "x"},\n "b": {"owner": "y"}}', "a.json", [("L1", "- name: a; owner: x"), ("L2", "- name: b; owner: y")]),
        ('{"v": "}{", "rows": [{"a": "{"},\n{"a": 2}]}', "a.json", [("L1", '- a: "{"'), ("L2", "- a: 2")]),
        ("- a: 1\n  b: yes\n\n# x\n- a: !!python/name:os.system\n  b: 010\n", "a.yaml", [("L1-2", "- a: 1; b: yes"), ("L5-6", "- b: 010")]),
        ("x: &x {owner: Bedrock}\nrows:\n  - <<: *x\n    name: a\n", "a.yml", [("L3-4", "- owner: Bedrock; name: a")]),
    ],
)  # fmt: skip
def test_records_of_json_and_yaml(text: str, name: str, expected: list[tuple[str, str]]) -> None:
    assert placed(read(text, name)) == expected


def test_codeowners_are_rules_in_their_order() -> None:
    text = "# Everything\r\n* @l/platform\n/docs/**/*_x.md  @l/writers a@l.example # both\n\n[Pay][2] @l/pay\n/pay/\n^[Old]\n/old/\n/a\\ b @x\n"
    assert placed(codeowners.convert(text.encode(), "CODEOWNERS", LIMITS)) == [
        ("L1", "Everything"),
        ("L2", "- `*`: @l/platform"),
        ("L3", "- `/docs/**/*_x.md`: @l/writers a@l.example"),
        ("L5", "## Pay"),
        ("L6", "- `/pay/`: @l/pay"),
        ("L7", "## Old"),
        ("L8", "- `/old/`"),
        ("L9", "- `/a\\ b`: @x"),
    ]


# --- which files are taken ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "head", "is_one"),
    [
        ("org.json", TREE, True),
        ("a.json", '[{"name": "Ann", "title": "CEO", "reports_to": null}', True),
        ("a.json", '[{"vorname": "Ann", "name": "Lee", "Vorgesetzte": "Bo"}]', True),
        ("a.json", '{"name": "Ann", "role": "CEO", "directReports": [', True),
        ("a.json", '{"employees": [{"full_name": "Ann", "job_title": "x", "department": "y"}]}', True),
        ("a.json", json.dumps([{"name": "Ann", "note": "n" * 9000, "manager": "Bo"}]), True),
        ("package.json", '{"name": "x", "version": "1", "author": {"name": "A", "email": "a@b"}, "scripts": {}}', False),
        ("package-lock.json", '{"name": "x", "lockfileVersion": 3, "packages": {"": {"name": "x"}}}', False),
        ("tsconfig.json", '{"compilerOptions": {"strict": true}, "include": ["src"]}', False),
        ("menu.json", '{"name": "Home", "title": "Home", "path": "/", "children": [{"name": "A", "title": "A"}]}', False),
        ("flare.json", '{"name": "flare", "children": [{"name": "a", "children": [{"name": "b", "size": 1}]}]}', False),
        ("contacts.json", '[{"name": "Ann", "email": "a@b.example", "company": "x"}]', False),
        ("coverage.json", '{"name": "run", "reports": ["a.xml"], "ok": true, "rows": 3}', False),
        ("deep.json", '{"a": {"b": {"c": [{"name": "Ann", "manager": "Bo"}]}}}', False),
        ("x.json", "not json {", False),
        ("x.json", '"' * 16_000, False),
        ("a.yaml", CATALOG, True),
        ("a.yml", "apiVersion: 'backstage.io/v1beta1'\nkind: Group\n", True),
        ("deploy.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: backstage.io/x\n", False),
    ],
)  # fmt: skip
def test_what_a_json_or_yaml_file_holds_decides(path: str, head: str, is_one: bool) -> None:
    assert is_structured(path, head.encode()) is is_one


def test_a_folder_takes_structured_files_and_no_others(tmp_path: Path) -> None:
    files = {
        "apps.jsonl": '{"a": "x"}\n', "docs/CODEOWNERS": "* @a\n", "svc/catalog-info.yaml": CATALOG, "org.json": TREE,
        "export/users.json": "[]", "export/channels.json": "[]", "export/general/2025-03-04.json": "[]",
        "export/people.json": TREE, "people/2025-03-04.json": TREE, "mapped.json": '[{"svc": "a"}]', "teams/a.yml": "- a: b\n",
    }  # fmt: skip
    others = ("package.json", "values.yaml", "codeowners", "CODEOWNERS.bak", "x.toml", "sub/facts.toml")
    put(tmp_path, files | dict.fromkeys(others, '{"name": "x"}'))
    always = ["apps.jsonl", "docs/CODEOWNERS", "export/general/2025-03-04.json", "org.json", "people/2025-03-04.json"]
    source = FolderSource(tmp_path)
    assert sorted(entry.path for entry in source.entries()) == [*always, "svc/catalog-info.yaml"]
    put(
        tmp_path,
        {"facts.toml": '[[tables]]\nfiles = ["mapped.json", "/teams/*.yml"]\nsubject = {type="Service", name="svc"}\n'},
    )
    assert sorted(entry.path for entry in source.entries()) == sorted(
        [*always, "svc/catalog-info.yaml", "mapped.json", "teams/a.yml"]
    )
    assert source.skipped() == []
    assert source.not_looked_at() == {".json": 1, ".yaml": 1, "": 1, ".bak": 1, ".toml": 2}
    assert source.read("people/2025-03-04.json") == TREE.encode()
    assert source.read("export/general/2025-03-04.json") == slack.packed(b"[]", b"[]")


def test_a_mapping_is_there_before_anything_is_listed_and_as_it_is_now(tmp_path: Path) -> None:
    put(tmp_path, {"facts.toml": "[types.Unit]\n", "a.md": "x"})
    source = FolderSource(tmp_path)
    assert "Unit" in source.facts().relations().types
    before = source.facts()
    assert source.facts() is before, "the same is not read again"
    put(tmp_path, {"facts.toml": "[types.Product]\n"})
    assert "Product" in source.facts().relations().types
    put(tmp_path, {"facts.toml": "[types"})
    assert source.facts().digest == ""
    (tmp_path / "facts.toml").unlink()
    assert (source.facts().digest, next(source.entries()).path, source.skipped()) == ("", "a.md", [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"[[tables]]\nfile = 1\n", "line 2: [[tables]] 1: has 'file'; allowed: files, subject"),
        (b"\xff", "is not UTF-8"),
        (b"[types", "is no TOML: "),
    ],
)
def test_a_broken_mapping_is_told_and_nothing_of_it_holds(tmp_path: Path, text: bytes, told: str) -> None:
    put(tmp_path, {"facts.toml": text, "a.json": '[{"svc": "a"}]', "a.md": "x"})
    source = FolderSource(tmp_path)
    assert [entry.path for entry in source.entries()] == ["a.md"]
    ((path, reason),) = source.skipped()
    assert path == "facts.toml"
    assert told in reason
    assert reason.endswith("nothing of it holds")


def test_structured_files_are_found_and_quoted_by_their_lines(tmp_path: Path, make_index: Callable[..., Index]) -> None:
    docs = tmp_path / "docs"
    put(
        docs,
        {
            "apps.jsonl": '{"svc": "plan-store", "squad": "Bedrock"}\n{"svc": "geo"}\n{bad\n',
            "org.json": TREE,
            "CODEOWNERS": "* @a\n",
        },
    )
    index = make_index(docs, HashEmbedder())
    summary = index.sync()
    assert summary.skipped == []
    assert summary.notes == [("apps.jsonl", "line 3 is no JSON; it is left out")]
    formats = {one.path: (one.format, one.chunks) for one in index.store.receipts()}
    assert formats == {"CODEOWNERS": ("codeowners", 1), "apps.jsonl": ("jsonl", 1), "org.json": ("json", 1)}
    assert index.sync().wrote is False
