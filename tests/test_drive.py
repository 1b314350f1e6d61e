"""A copy of Google Drive over loopback: contents with their lists, and never one without the other.

Try: pytest tests/test_drive.py
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from access import passes
from access.entries import SystemAway
from access.readers import wire
from config import PROJECT, Settings, load
from errors import SourceError, StoreBusy, UsageError
from sources.drive import mirror
from sources.drive.names import Named, Node, key, placed, safe
from sources.drive.state import Copy
from sources.folder import FolderSource, folder_of
from storage.lock import locked
from tests.doubles import Refusal
from tests.drive_double import DOC, FORM, ROOT, SHEET, SHORTCUT, SLIDES, group, person, throttled
from tests.mirrored import Mirrored, mirrored
from tests.served import wait_until

pytest.importorskip("cryptography")
ANNA, BEN, HR = "user:anna@example.com", "user:ben@example.com", "group:ws/g1"


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrored]:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)
    with mirrored(tmp_path) as made:
        yield made


def test_files_and_their_lists(wiki: Mirrored) -> None:
    wiki.drive.folder("d1", "HR")
    wiki.drive.put("f1", "Leave [draft] *.md", "28 days", who=[person("anna"), group("hr")], parent="d1")
    wiki.drive.put("f2", "travel.md", "second class", who=[person("ben", role="owner")])
    wiki.drive.put("f3", "Handbook", "# Hello", kind=DOC, who=[])
    report = wiki.go()
    assert (report.added, report.files, report.left_out) == (3, 3, [])
    assert wiki.texts() == {
        "wiki/HR/Leave [draft] _.md": "28 days", "wiki/travel.md": "second class", "wiki/Handbook.md": "# Hello",
    }  # fmt: skip
    assert wiki.lists() == {
        "wiki/HR/Leave [draft] _.md": {ANNA, HR}, "wiki/travel.md": {BEN}, "wiki/Handbook.md": set(),
    }  # fmt: skip
    assert wiki.drive.scopes == ["https://www.googleapis.com/auth/drive.readonly"], "once, whatever the threads"
    held = passes.every(wiki.connection)
    assert {name: bool(one.complete) and not one.failed for name, one in held.items()} == {
        "source wiki": True, "access wiki": True,
    }  # fmt: skip


def test_a_second_pass_fetches_nothing_and_changes_nothing(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "one")
    wiki.drive.put("f2", "b", "two", kind=DOC)
    wiki.go()
    before = {path: path.stat().st_mtime_ns for path in wiki.root.rglob("*.md")}
    rules = (wiki.root / "access.toml").stat().st_mtime_ns
    wiki.drive.asked.clear()
    report = wiki.go()
    assert not report.wrote
    assert wiki.drive.count("alt=media") == wiki.drive.count("/export") == 0
    assert before == {path: path.stat().st_mtime_ns for path in wiki.root.rglob("*.md")}
    assert rules == (wiki.root / "access.toml").stat().st_mtime_ns


def test_what_changes_at_drive_changes_here(wiki: Mirrored) -> None:
    wiki.drive.folder("d1", "Old")
    wiki.drive.folder("d2", "New")
    for id_ in ("edited", "renamed", "moved", "deleted", "binned", "rights"):
        wiki.drive.put(id_, f"{id_}.md", f"text of {id_}", parent="d1")
    wiki.go()
    wiki.drive.put("edited", "edited.md", "another text", parent="d1")
    wiki.drive.files["renamed"]["name"] = "other.md"
    wiki.drive.files["moved"]["parents"] = ["d2"]
    del wiki.drive.files["deleted"]
    wiki.drive.files["binned"]["trashed"] = True
    wiki.drive.grants["rights"] = [person("ben")]
    wiki.drive.asked.clear()
    report = wiki.go()
    assert (report.changed, report.moved, report.removed, report.lists, report.added) == (1, 2, 2, 1, 0)
    assert wiki.drive.count("alt=media") == 1, "what is only renamed or moved is not fetched again"
    assert wiki.texts() == {
        "wiki/Old/edited.md": "another text", "wiki/Old/other.md": "text of renamed",
        "wiki/New/moved.md": "text of moved", "wiki/Old/rights.md": "text of rights",
    }  # fmt: skip
    assert wiki.lists() == {
        "wiki/Old/edited.md": {ANNA}, "wiki/Old/other.md": {ANNA}, "wiki/New/moved.md": {ANNA},
        "wiki/Old/rights.md": {BEN},
    }  # fmt: skip
    wiki.drive.files["d1"]["name"] = "Older"
    wiki.drive.asked.clear()
    assert wiki.go().moved == 3
    assert sorted(path.name for path in wiki.root.iterdir() if path.name[0] != ".") == ["New", "Older", "access.toml"]
    assert wiki.drive.count("alt=media") == 0


def test_250_grants_in_several_pages(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text", who=[person(f"p{number}") for number in range(250)])
    wiki.go()
    assert wiki.drive.count("/permissions") == 3
    assert wiki.lists()["wiki/a.md"] == {f"user:p{number}@example.com" for number in range(250)}


KINDS: list[tuple[dict[str, Any], set[str], dict[str, str]]] = [
    ({"type": "anyone", "role": "reader", "allowFileDiscovery": True}, set(), {}),
    ({"type": "anyone", "role": "reader", "allowFileDiscovery": True}, {HR}, {"anyone": HR}),
    ({"type": "anyone", "role": "reader", "allowFileDiscovery": False}, set(), {"anyone": HR}),
    ({"type": "anyone", "role": "reader"}, {HR, "everyone"}, {"anyone": f"{HR}, everyone", "with_link": "anyone"}),
    ({"type": "domain", "role": "reader", "domain": "Example.com", "allowFileDiscovery": True},
     {"group:ws/domain:example.com"}, {}),
    ({"type": "domain", "role": "reader", "domain": "example.com"}, set(), {}),
    ({"type": "domain", "role": "reader", "domain": "example.com"}, {"group:ws/domain:example.com"},
     {"with_link": "domain"}),
    ({"type": "domain", "role": "reader", "domain": "a,b", "allowFileDiscovery": True}, set(), {}),
    (person("x,y"), set(), {}),
    (group("nobody-knows"), set(), {}),
    (person("anna", expirationTime="2020-01-01T00:00:00.000Z"), set(), {}),
    (person("anna", view="metadata"), set(), {}),
]  # fmt: skip


@pytest.mark.parametrize(("grant", "wanted", "declared"), KINDS)
def test_whom_a_grant_means(wiki: Mirrored, grant: dict[str, Any], wanted: set[str], declared: dict[str, str]) -> None:
    wiki.declare(**declared)
    wiki.drive.put("f1", "a.md", "text", who=[grant])
    wiki.go()
    assert wiki.lists() == {"wiki/a.md": wanted}


HOSTILE = [
    "..", ".", "", " ", "/", "../../etc/passwd", "a/b", "a\\b", "nul\0l", "CON", "con.md", "Aux.", "com1.tar", "LPT¹",
    ".hidden", "~$lock.docx", "access.toml", "ACCESS.TOML", ".gitignore", "x" * 300, "é" * 300, "𝒳" * 200, "trailing. ",
    "tab\tnew\nline", "\u202eevil", "\ud800", "a:b", "*?[]", "!important", "#hash", "e\u0301t\u00e9", "\u00e9t\u00e9",
    "ÉTÉ", "straße", "STRASSE", "ﬁle", "file", "FILE", "K", "\u212a",
]  # fmt: skip


def test_hostile_names_lie_inside_and_apart(wiki: Mirrored) -> None:
    for number, name in enumerate(HOSTILE):
        wiki.drive.put(f"f{number}", name, f"text {number}", kind=DOC, who=[person(f"p{number}")])
        wiki.drive.put(f"g{number}", f"{name}.md", f"other {number}", who=[person(f"q{number}")])
        wiki.drive.folder(f"d{number}", name)
        wiki.drive.put(f"h{number}", "same.md", f"inner {number}", parent=f"d{number}", who=[person(f"r{number}")])
    report = wiki.go()
    assert (report.left_out, report.files) == ([], 3 * len(HOSTILE))
    texts, lists = wiki.texts(), wiki.lists()
    assert len(texts) == 3 * len(HOSTILE)
    assert len({key(path) for path in texts}) == len(texts), "no two that a disk may take for one"
    for path, text in texts.items():
        kind, of = text.split()
        who = {"text": "p", "other": "q", "inner": "r"}[kind]
        assert lists[path] == {f"user:{who}{of}@example.com"}
        assert all(len(part.encode()) <= 255 and unicodedata.is_normalized("NFC", part) for part in path.split("/"))
    assert {child.name for child in wiki.settings.docs_dir.iterdir()} == {"wiki"}
    assert not wiki.go().wrote, "every name stays"


def test_names_stay_when_others_come_and_go() -> None:
    def plan(*nodes: Node, before: dict[str, Named] | None = None, taken: dict[str, str] | None = None) -> Any:
        return placed(nodes, "r", before or {}, taken or {})

    first, names = plan(Node("b", "r", "x", ".md"))
    assert first == {"b": "x.md"}
    second, names = plan(Node("a", "r", "X", ".md"), Node("b", "r", "x", ".md"), before=names)
    assert second["b"] == "x.md"
    assert second["a"].startswith("X ~")
    third, _ = plan(Node("a", "r", "X", ".md"), before=names)
    assert third["a"] == second["a"], "the one that is left keeps its name, too"
    taken, _ = plan(Node("c", "r", "x", ".md"), taken={key("x.md"): "b"})
    assert taken["c"] != "x.md", "a path is nobody else's while its file is there"
    deep = [Node(str(n), str(n - 1) if n else "r", "folder" * 9) for n in range(40)] + [Node("f", "39", "x", ".md")]
    assert len(plan(*deep)[0]["f"]) < 230


def test_a_name_is_one_part_of_a_path() -> None:
    assert [safe(name, ".md") for name in ("a.md", "A.MD", "a", "../a", "con", "Con.md")] == [
        "a.md", "A.MD", "a.md", "_.._a.md", "_con.md", "_Con.md",
    ]  # fmt: skip
    assert [safe(name) for name in ("..", "a.", "COM1.x", "access.toml")] == ["__", "a_", "_COM1.x", "_access.toml"]


def test_what_cannot_be_taken_is_named(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "Survey", kind=FORM)
    wiki.drive.put("f2", "Link", kind=SHORTCUT)
    wiki.drive.put("f3", "film.mp4", kind="video/mp4")
    wiki.drive.put("f4", "old.doc", kind="application/msword")
    wiki.drive.put("f5", "locked.md", "x", capabilities={"canDownload": False})
    wiki.drive.put("f6", "large.md", b"x" * 10_000_001)
    wiki.drive.put("f7", "Long", b"x" * 10_000_001, kind=DOC)
    wiki.drive.put("f8", "paper", b"%PDF", kind="application/pdf")
    wiki.drive.put("f9", "Sums", b"PK", kind=SHEET)
    wiki.drive.put("f10", "Talk", b"PK", kind=SLIDES)
    wiki.drive.put("f11", "never.md", "x", who=None)
    del wiki.drive.grants["f11"]
    report = wiki.go()
    told = dict(report.left_out)
    assert {name: told[name].split("(")[0].strip() for name in sorted(told)} == {
        "Link": "a shortcut; what it leads to is read where it stands itself",
        "Long.md": "Drive does not give its content",
        "Survey": "a form of Google's cannot be exported as text",
        "film.mp4": "is of a kind that nothing here reads",
        "large.md": "is larger than 10 MB",
        "locked.md": "its owner does not let it be downloaded",
        "never.md": "nobody may read it, its permissions may not be read",
        "old.doc": "is not read; save it as .docx",
    }
    assert {path.name for path in wiki.root.iterdir()} == {
        ".drive", "access.toml", "paper.pdf", "Sums.xlsx", "Talk.pptx",
    }  # fmt: skip
    skipped = dict(folder_of_walked(wiki.settings).skipped())
    assert skipped["wiki/Survey"] == "a form of Google's cannot be exported as text", "a sync names them, too"


def folder_of_walked(settings: Settings) -> FolderSource:
    source = folder_of(settings)
    list(source.entries())
    return source


@pytest.mark.parametrize("status", [429, 403, 503])
def test_throttled_at_every_third_request(wiki: Mirrored, status: int) -> None:
    for number in range(8):
        wiki.drive.put(f"f{number}", f"{number}.md", f"text {number}")
    refusal = replace(throttled(status), headers={"Retry-After": "0"})
    asked = Counter[str]()

    def fault(number: int, path: str) -> Refusal | None:
        """By address: of all requests together one and the same may be the third six times in a row."""
        asked[path] += 1
        return refusal if asked[path] % 3 == 1 and "token" not in path else None

    wiki.drive.fault = fault
    assert wiki.go().added == 8
    assert [*wiki.lists().values()] == [{ANNA}] * 8


@pytest.mark.parametrize("lists_only", [False, True])
@pytest.mark.parametrize("part", ["pageToken=p100", "/files?", "/token", "/permissions"])
def test_a_pass_that_fails_half_way_hides_nothing_and_shows_nothing_new(
    wiki: Mirrored, part: str, lists_only: bool
) -> None:
    if lists_only and part == "/files?":
        pytest.skip("it lists no files")
    for number in range(4):
        wiki.drive.put(f"f{number}", f"{number}.md", "text", who=[person(f"p{n}") for n in range(150)])
    wiki.go()
    texts, lists = wiki.texts(), wiki.lists()
    complete = passes.last(wiki.connection, "source wiki").complete
    del wiki.drive.files["f0"]
    wiki.drive.put("new", "new.md", "secret", who=[person("ben")] * 150)
    wiki.drive.page = 2 if part == "/files?" else 100
    wiki.drive.fault = lambda number, path: Refusal(500, "") if part in path else None
    with pytest.raises(SystemAway):
        wiki.go(lists_only)
    assert (wiki.texts(), wiki.lists()) == (texts, lists)
    held = passes.last(wiki.connection, "access wiki" if lists_only else "source wiki")
    assert (held.is_failing, held.code, "500" in held.error) == (True, "directory_away", True)
    assert held.complete >= complete
    wiki.drive.fault = lambda number, path: None
    wiki.go()
    assert set(wiki.texts()) == {"wiki/1.md", "wiki/2.md", "wiki/3.md", "wiki/new.md"}
    assert not passes.last(wiki.connection, "source wiki").is_failing


def test_a_file_whose_permissions_are_not_known_as_a_whole_is_nobody_s(wiki: Mirrored) -> None:
    for number in range(9):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    wiki.go()
    wiki.drive.put("new", "new.md", "text")
    del wiki.drive.grants["f1"]  # 403
    wiki.drive.adjust = lambda path, page: page.pop("permissions") if "/f2/" in path else None
    wiki.drive.fault = lambda number, path: Refusal(500, "") if "/new/permissions" in path else None
    report = wiki.go()
    assert [path for path, reason in report.left_out if reason.startswith("nobody may read it")] == [
        "1.md", "2.md", "new.md",
    ]  # fmt: skip
    lists = wiki.lists()
    assert {path for path, who in lists.items() if not who} == {"wiki/1.md", "wiki/2.md"}
    assert "wiki/new.md" not in lists
    wiki.drive.adjust, wiki.drive.fault = lambda path, page: None, lambda number, path: None
    wiki.drive.grants["f1"] = [person("anna")]
    assert wiki.go(lists_only=True).lists == 2
    assert wiki.lists()["wiki/1.md"] == wiki.lists()["wiki/2.md"] == {ANNA}
    wiki.go()
    assert wiki.lists()["wiki/new.md"] == {ANNA}


def test_a_right_that_is_gone_for_all_files_is_the_pass_s_failure(wiki: Mirrored) -> None:
    for number in range(5):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    wiki.go()
    lists = wiki.lists()
    wiki.drive.grants.clear()
    for lists_only in (True, False):
        with pytest.raises(SystemAway, match="does not have sufficient permissions"):
            wiki.go(lists_only)
    assert wiki.lists() == lists


@pytest.mark.parametrize("lists_only", [False, True])
def test_whoever_is_let_in_no_more_takes_nothing_away(wiki: Mirrored, lists_only: bool) -> None:
    for number in range(5):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    wiki.go()
    texts, lists = wiki.texts(), wiki.lists()

    def leave(path: str) -> None:
        if "/permissions" in path:
            wiki.drive.files.clear()

    wiki.drive.meddle = leave
    with pytest.raises(SystemAway, match="it has no /drive/v3/files/0ADRIVE"):
        wiki.go(lists_only)
    assert (wiki.texts(), wiki.lists()) == (texts, lists)


def test_a_right_that_is_taken_holds_though_the_pass_fails_later(wiki: Mirrored) -> None:
    for number in range(8):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    wiki.go()
    wiki.drive.grants["f0"] = []
    wiki.drive.fault = lambda number, path: Refusal(429, "", {"Retry-After": "999"}) if "f7/" in path else None
    with pytest.raises(SystemAway, match="asks to wait for 999 s"):
        wiki.go(lists_only=True)
    assert wiki.lists()["wiki/0.md"] == set()
    assert passes.last(wiki.connection, "access wiki").is_failing


def test_lists_alone(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text", who=[person("anna"), person("ben")])
    wiki.drive.put("f2", "b.md", "text", who=[person("anna")])
    wiki.drive.put("f3", "c.md", "secret", who=[person("anna")])
    wiki.go()
    wiki.drive.grants["f1"] = [person("ben")]
    wiki.drive.grants["f2"] = [person("anna"), person("ben")]
    wiki.drive.put("f3", "c.md", "opened", who=[person("anna"), person("ben")])
    wiki.drive.asked.clear()
    wiki.drive.scopes.clear()
    report = wiki.go(lists_only=True)
    assert report.lists == 2
    assert wiki.drive.count("alt=media") == wiki.drive.count("files?") == 0
    assert {scope.rpartition("/")[2] for scope in wiki.drive.scopes} == {"drive.metadata.readonly"}
    assert wiki.lists() == {"wiki/a.md": {BEN}, "wiki/b.md": {ANNA, BEN}, "wiki/c.md": {ANNA}}, (
        "who may read the new text of c.md may not read the old one"
    )
    wiki.go()
    assert (wiki.lists()["wiki/c.md"], wiki.texts()["wiki/c.md"]) == ({ANNA, BEN}, "opened")
    del wiki.drive.files["f1"]
    wiki.go(lists_only=True)
    assert wiki.lists()["wiki/a.md"] == set()


def test_a_text_that_is_cut_and_then_opened_is_never_open_whole(wiki: Mirrored) -> None:
    """Between our listing and our question for the list, somebody takes the secret out and lets everybody in."""
    wiki.drive.put("f1", "a.md", "with the secret", who=[person("anna")])

    def cut(path: str) -> None:
        if "/permissions" in path and wiki.drive.files["f1"]["data"] == b"with the secret":
            wiki.drive.put("f1", "a.md", "without", who=[person("anna"), person("ben")])

    for before in (False, True):
        if before:  # it is here already
            wiki.drive.put("f1", "a.md", "with the secret", who=[person("anna")])
            wiki.go()
        wiki.drive.meddle = cut
        wiki.go()
        wiki.drive.meddle = lambda path: None
        assert (wiki.texts(), wiki.lists()) == ({"wiki/a.md": "without"}, {"wiki/a.md": {ANNA, BEN}})


def test_a_file_that_never_stands_still(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text 0", who=[person("anna"), person("ben")])
    wiki.go()

    def write(path: str) -> None:
        if "alt=media" in path:
            wiki.drive.put("f1", "a.md", f"text {wiki.drive.clock}", who=[person("ben"), person("cy")])

    wiki.drive.put("f1", "a.md", "text 1")
    wiki.drive.meddle = write
    assert dict(wiki.go().left_out) == {"a.md": "changes while it is read; its former text stays"}
    assert (wiki.texts(), wiki.lists()) == ({"wiki/a.md": "text 0"}, {"wiki/a.md": {BEN}})


def test_a_file_that_is_moved_while_the_folders_are_listed(wiki: Mirrored) -> None:
    wiki.drive.folder("d1", "A")
    wiki.drive.folder("d2", "B")
    wiki.drive.put("f1", "a.md", "text", parent="d2")
    wiki.drive.put("f2", "b.md", "text")
    wiki.go()

    def move(path: str) -> None:
        if "d2" in path:
            wiki.drive.files["f1"]["parents"] = ["d1"]

    wiki.drive.meddle = move
    wiki.drive.grants["f1"] = [person("ben")]
    assert wiki.go().removed == 0
    assert wiki.lists() == {"wiki/B/a.md": {BEN}, "wiki/b.md": {ANNA}}
    wiki.go()
    assert wiki.lists() == {"wiki/A/a.md": {BEN}, "wiki/b.md": {ANNA}}


def test_an_incomplete_listing_and_a_root_that_is_gone_remove_nothing(wiki: Mirrored) -> None:
    for number in range(30):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    wiki.go()
    wiki.drive.adjust = lambda path, page: page.update(files=[], incompleteSearch=True) if path == "files" else None
    with pytest.raises(SystemAway, match="incomplete"):
        wiki.go()
    wiki.drive.adjust = lambda path, page: page.update(files=[]) if path == "files" else None
    with pytest.raises(SourceError, match=r"No files are left of 30 .*--allow-empty"):
        wiki.go()
    wiki.drive.files[ROOT]["trashed"] = True
    with pytest.raises(SourceError, match="is no folder of Drive, or in its bin"):
        wiki.go()
    assert len(wiki.texts()) == 30
    wiki.drive.adjust, wiki.drive.files[ROOT]["trashed"] = lambda path, page: None, False
    for number in range(30):
        del wiki.drive.files[f"f{number}"]
    assert wiki.go(allow_empty=True).removed == 30
    assert wiki.texts() == {}


def test_the_folder_is_the_copy_s_alone(wiki: Mirrored) -> None:
    wiki.root.mkdir()
    (wiki.root / "mine.md").write_text("my own")
    with pytest.raises(SourceError, match="holds files, but is no copy"):
        wiki.go()
    assert [path.name for path in wiki.root.iterdir()] == ["mine.md"]
    assert wiki.lists() == {"wiki/mine.md": set()}, "of a source that comes from elsewhere, and has no lists yet"
    (wiki.root / "mine.md").unlink()
    wiki.drive.put("f1", "a.md", "text", who=[person("ben")])
    wiki.go()
    (wiki.root / "b.md").write_text("a stranger")
    wiki.drive.put("f2", "b.md", "of Drive", who=[person("ben")])
    (wiki.root / "a.md").write_text("edited here")
    assert ("b.md", "is not from Drive, so nobody may read it") in wiki.go().left_out
    texts, lists = wiki.texts(), wiki.lists()
    assert (texts["wiki/b.md"], lists["wiki/b.md"], texts["wiki/a.md"]) == ("a stranger", set(), "text")
    assert sorted(texts.values()) == ["a stranger", "of Drive", "text"]
    wiki.declare(folder="another")
    with pytest.raises(SourceError, match="is a copy of 0ADRIVE"):
        wiki.go()


def test_documents_that_are_not_mounted_are_not_made(wiki: Mirrored) -> None:
    wiki.settings.docs_dir.rmdir()
    with pytest.raises(SourceError, match=r"does not exist\. Mount it"):
        wiki.go()
    assert not wiki.settings.docs_dir.exists()


def test_rules_above_open_nothing_of_it(wiki: Mirrored) -> None:
    (wiki.settings.docs_dir / "access.toml").write_text("[allow]\n'**' = ['everyone']\n")
    wiki.drive.folder("d1", "Deep")
    wiki.drive.put("f1", "a.md", "text", parent="d1", who=[])
    wiki.go()
    (wiki.root / "Deep" / "b.md").write_text("a stranger")
    assert wiki.lists() == {"wiki/Deep/a.md": set(), "wiki/Deep/b.md": set()}


@pytest.mark.parametrize("lists_only", [False, True])
def test_rules_that_somebody_edits_are_put_back(wiki: Mirrored, lists_only: bool) -> None:
    wiki.drive.folder("d1", "Deep")
    wiki.drive.put("f1", "a.md", "text", parent="d1")
    wiki.go()
    (wiki.root / "Deep" / "access.toml").write_text("[allow]\n'**' = ['everyone']\n")
    (wiki.root / "access.toml").unlink()
    assert not wiki.go(lists_only).wrote
    assert wiki.lists() == {"wiki/Deep/a.md": {ANNA}}
    assert "[]" in (wiki.root / "access.toml").read_text()


def test_two_passes_at_once(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text")
    wiki.go()
    with locked(wiki.root / ".drive" / "pass", wait=False), pytest.raises(StoreBusy):
        wiki.go()
    assert not passes.last(wiki.connection, "source wiki").failed, "that is no failure"


def test_new_content_waits_for_a_sync_and_lists_do_not(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    wiki.drive.put("f1", "a.md", "old", who=[person("anna"), person("ben")])
    wiki.drive.put("f2", "b.md", "same", who=[person("anna"), person("ben")])
    wiki.drive.put("f3", "c.md", "with the secret", who=[person("anna")])
    wiki.go()
    wiki.drive.put("f3", "c.md", "without", who=[person("anna"), person("ben")])
    wiki.drive.put("f1", "a.md", "secret", who=[person("anna")])
    wiki.drive.grants["f2"] = [person("ben")]
    monkeypatch.setattr("storage.lock.BUSY_SECONDS", 0.005)
    with locked(wiki.settings.db, wait=False), pytest.raises(StoreBusy):  # a sync that has read the old lists
        wiki.go()
    assert wiki.texts()["wiki/a.md"] == "old"
    assert wiki.lists() == {"wiki/a.md": {ANNA}, "wiki/b.md": {BEN}, "wiki/c.md": {ANNA}}
    wiki.go()
    assert wiki.texts() == {"wiki/a.md": "secret", "wiki/b.md": "same", "wiki/c.md": "without"}
    assert wiki.lists() == {"wiki/a.md": {ANNA}, "wiki/b.md": {BEN}, "wiki/c.md": {ANNA, BEN}}


def test_stopped_and_resumed(wiki: Mirrored) -> None:
    from errors import Stopped

    for number in range(20):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")
    with pytest.raises(Stopped):
        wiki.go(stop=lambda: wiki.drive.count("alt=media") > 5)
    assert not passes.last(wiki.connection, "source wiki").failed
    fetched = wiki.drive.count("alt=media")
    assert wiki.go().added == 20
    assert wiki.drive.count("alt=media") < fetched + 20, "what was fetched waits"
    assert {path.name for path in (wiki.root / ".drive").iterdir()} == {"state.json", "told.json", "pass.lock"}


def test_a_thread_of_a_failed_pass_that_fetches_on_brings_nothing(wiki: Mirrored) -> None:
    """It waits at Drive while the next pass reads the same document; what it gets then is nobody's business."""
    wiki.drive.put("f1", "a", "old", kind=DOC, who=[person("anna"), person("ben")])
    wiki.drive.put("f2", "b.md", "text")
    go, waits, once = threading.Event(), threading.Event(), threading.Lock()

    def hold(path: str) -> None:
        if "export" in path and once.acquire(blocking=False):
            waits.set()
            go.wait(20)

    wiki.drive.meddle = hold

    def refuse(number: int, path: str) -> Refusal | None:
        return Refusal(401, "") if "f2" in path and waits.wait(20) else None

    wiki.drive.fault = refuse
    with pytest.raises(SystemAway):
        wiki.go()
    wiki.drive.fault = lambda number, path: None
    before = {thread.name for thread in threading.enumerate()}
    mine = wiki.go()
    assert (mine.added, wiki.texts()["wiki/a.md"]) == (2, "old")
    wiki.drive.put("f1", "a", "secret", kind=DOC, who=[person("anna")])
    go.set()
    wait_until(lambda: not any(thread.name in before and "drive-" in thread.name for thread in threading.enumerate()))
    assert (wiki.texts()["wiki/a.md"], len(list((wiki.root / ".drive").iterdir()))) == ("old", 3)


KILLED = """
import os, sys
from functools import partial
from pathlib import Path
from config import load
from sources.drive import passing, state
from storage.lock import locked
from storage.schema import connect

left = int(sys.argv[1])
real = {name: getattr(os, name) for name in ("replace", "unlink", "rename", "fsync")}
def counted(name):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return real[name](*arguments, **more)
    return call
for name in real:
    setattr(os, name, counted(name))
settings = load()
passing.run(settings, settings.sources[0], connect(settings.db), locked, partial(locked, settings.db))
"""


def steps(wiki: Mirrored) -> Iterator[int]:
    """Kills a pass before its first step on the disk, its second, ... until one gets through."""
    environment = {**os.environ, "BRAIN_CONFIG": str(wiki.settings.directory.parent / "brain.toml")}  # type: ignore[union-attr]
    for step in range(200):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(step)], cwd=PROJECT, env=environment, capture_output=True, timeout=60
        )
        yield step
        if done.returncode == 0:
            return
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_killed_at_any_step_nothing_is_shown_to_others(wiki: Mirrored) -> None:
    """Old text or new, each only to those who may read it; and the next pass mends all."""
    may = {
        "old": {ANNA, BEN}, "new": {ANNA}, "with secret": {ANNA}, "without": {ANNA, BEN}, "first": {ANNA},
        "second": {BEN}, "moved": {ANNA, BEN}, "stays": {BEN}, "came": {BEN},
    }  # fmt: skip
    wiki.drive.folder("d1", "A")
    wiki.drive.folder("d2", "B")

    def begin() -> None:
        wiki.drive.put("f1", "closed.md", "old", who=[person("anna"), person("ben")])
        wiki.drive.put("f2", "opened.md", "with secret", who=[person("anna")])
        wiki.drive.put("f3", "x.md", "first", parent="d1", who=[person("anna")])
        wiki.drive.put("f4", "y.md", "second", parent="d1", who=[person("ben")])
        wiki.drive.put("f5", "moved.md", "moved", parent="d1", who=[person("anna"), person("ben")])
        wiki.drive.put("f6", "stays.md", "stays", who=[person("ben")])
        wiki.drive.files.pop("f7", None)
        wiki.go(allow_empty=True)

    begin()
    for _ in steps_with(wiki, begin):
        texts, lists = wiki.texts(), wiki.lists()
        for path, text in texts.items():
            assert lists[path] <= may[text], (path, text)
        assert {"stays", "moved"} <= {text for path, text in texts.items() if lists[path]}, "nothing is hidden"
        wiki.go()
        assert {text: lists for (_, text), lists in zip(wiki.texts().items(), wiki.lists().values(), strict=True)} == {
            text: may[text] for text in ("new", "without", "first", "second", "moved", "stays", "came")
        }
        assert {path.name for path in (wiki.root / ".drive").iterdir()} <= {"state.json", "told.json", "pass.lock"}


def steps_with(wiki: Mirrored, begin: Callable[[], None]) -> Iterator[int]:
    def change() -> None:
        wiki.drive.put("f1", "closed.md", "new", who=[person("anna")])
        wiki.drive.put("f2", "opened.md", "without", who=[person("anna"), person("ben")])
        wiki.drive.files["f3"]["name"], wiki.drive.files["f4"]["name"] = "y.md", "x.md"  # they change places
        wiki.drive.files["f5"]["parents"] = ["d2"]
        wiki.drive.put("f7", "came.md", "came", who=[person("ben")])

    change()
    for step in steps(wiki):
        yield step
        begin()
        change()


def test_a_disk_that_is_full_or_gone(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    wiki.drive.put("f1", "a.md", "old")
    wiki.go()
    wiki.drive.put("f1", "a.md", "new", who=[person("ben")])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match="No space left"):
        wiki.go()
    monkeypatch.undo()
    assert (wiki.texts(), wiki.lists()) == ({"wiki/a.md": "old"}, {"wiki/a.md": {ANNA}})
    assert passes.last(wiki.connection, "source wiki").code == "source"
    (wiki.root / ".drive" / "state.json").write_text('{"folder": ')
    with pytest.raises(SourceError, match=r"is damaged .*Empty"):
        wiki.go()


def test_lists_that_were_not_looked_at_for_long_hold_no_more(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text")
    wiki.go()
    wiki.settings = replace(wiki.settings, acl_max_hours=24)
    assert wiki.lists() == {"wiki/a.md": {ANNA}}
    copy = Copy(wiki.root)
    for at in ("2026-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00", "", "x"):
        copy.tell(replace(copy.told(), rights_at=at))
        assert wiki.lists() == {"wiki/a.md": set()}
    wiki.go(lists_only=True)
    assert wiki.lists() == {"wiki/a.md": {ANNA}}


def test_a_token_that_ends_on_the_way(wiki: Mirrored) -> None:
    for number in range(12):
        wiki.drive.put(f"f{number}", f"{number}.md", "text")

    def end(path: str) -> None:
        if "/permissions" in path and wiki.drive.token == 1:
            wiki.drive.token = 2

    wiki.drive.meddle = end
    assert wiki.go().added == 12
    assert 1 < len(wiki.drive.scopes) <= 6


def test_as_the_service_account_itself(wiki: Mirrored) -> None:
    file = wiki.settings.directory
    assert file
    file.write_text(file.read_text() + "drive_user = ''\n")
    wiki.drive.whom = ""
    wiki.drive.put("f1", "a.md", "text")
    assert wiki.go().added == 1


def test_a_secret_that_is_repeated_is_not_told(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "a.md", "text")
    told = json.dumps({"error": {"message": "Bad Bearer drive.readonly-1 there", "errors": [{"reason": "authError"}]}})
    wiki.drive.fault = lambda number, path: Refusal(403, told) if "/files" in path else None
    with pytest.raises(SystemAway) as raised:
        wiki.go()
    assert "Bad Bearer *** there" in str(raised.value)
    assert "drive.readonly-1" not in passes.last(wiki.connection, "source wiki").error


WRONG = [
    ("reader = 'drive'", "needs path, system and folder"),
    ("path = 'a'\nreader = 'dive'", "'dive' is not one of folder, drive"),
    ("path = 'a'\nsystem = 'ws'", "system is for a source with reader"),
    ("path = 'a'\nreader = 'drive'\nsystem = 'w'\nfolder = 'f'\ndefault = 'everyone'", "default is for a folder"),
    ("schedule = '6 hours'", "'6 hours' is not a time such as"),
    ("schedule = '0m'", "'0m' is not a time"),
    ("path = 'a'\nreader = 'drive'\nsystem = 'w'\nfolder = 'f'\nwith_link = 'all'", "'all' is not one of domain"),
    ("path = 'a'\nreader = 'drive'\nsystem = 'w'\nfolder = 'f'\n[sources.y]\npath = 'a/b'\nreader = 'drive'\n"
     "system = 'w'\nfolder = 'f'", "lie in each other"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_a_wrong_declaration(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "brain.toml").write_text(f"[sources.x]\n{text}\n")
    with pytest.raises(UsageError, match=told):
        load(environment={"BRAIN_CONFIG": str(tmp_path / "brain.toml")})


def test_a_system_that_is_not_there(wiki: Mirrored) -> None:
    wiki.declare(system="other")
    with pytest.raises(UsageError, match=r"has no \[systems.other\] with reader"):
        wiki.go()
    assert passes.last(wiki.connection, "source wiki").code == "usage"
    wiki.settings = replace(wiki.settings, directory=None)
    with pytest.raises(UsageError, match="needs BRAIN_DIRECTORY"):
        wiki.go()


def test_batches(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror, "_BATCH", 3)
    for number in range(10):
        wiki.drive.put(f"f{number}", f"{number}.md", f"text {number}", who=[person(f"p{number}")])
    wiki.drive.fault = lambda number, path: Refusal(500, "") if "/f9/" in path or "/f8/" in path else None
    wiki.go()
    assert len(wiki.lists()) == 8
    assert time.time_ns() > max(path.stat().st_mtime_ns for path in wiki.root.rglob("*.md"))
