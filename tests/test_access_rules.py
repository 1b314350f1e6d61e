"""access.toml and `access:`: the nearest rule decides, deny wins, and what is not known as a whole is nobody's."""

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from access import CLOSED, EVERYONE, LOCAL, OPEN_LIST, AccessList, Caller, local_caller, principal
from access.rules import RuleBook, RulesError, default_list, narrowed_by, read_rules
from answer import Assistant
from chunking.front import front_matter
from config import load
from errors import ModelError, StoreBusy, UsageError
from search import Index, open_index, synced
from service.brain import Brain, NotReady
from sources import Entry
from sources.folder import FolderSource, folder_of
from tests.conftest import SAMPLE, all_places, caller, write
from tests.served import Held, wait_until

pytestmark = pytest.mark.permission

MakeIndex = Callable[..., Index]
ALL = "[allow]\n'**' = ['everyone']\n"
HR = "[allow]\n'**' = ['everyone']\n'salaries/' = ['group:hr']\n[deny]\n'salaries/board.md' = ['user:7']\n"


def lets(*principals: str, deny: frozenset[str] = frozenset()) -> AccessList:
    return AccessList(frozenset(principals), deny=deny)


def book(**files: str | None) -> RuleBook:
    """Rules of folders: `_` is the root, `a_b` is a/b."""
    texts = {f"{name.replace('_', '/').strip('/')}/access.toml".lstrip("/"): text for name, text in files.items()}
    return RuleBook(texts, "user:owner", OPEN_LIST)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("leave.md", lets(EVERYONE)),
        ("salaries/2026.md", lets("group:hr")),
        ("Salaries/deep/er.md", lets("group:hr")),
        ("salaries/board.md", lets("group:hr", deny=frozenset({"user:7"}))),
        ("old/salaries/2020.md", lets("group:hr")),
        ("salaries.md", lets(EVERYONE)),
    ],
)
def test_the_pattern_with_the_most_letters_decides(path: str, wanted: AccessList) -> None:
    assert book(_=HR).list_of(path) == wanted


NAMED = """[allow]
'**' = ['everyone']
'*.md' = ['group:md']
[deny]
'deep/*' = ['user:7']
[[files]]
who = ['group:hr', 'user:1']
names = ['a [b]*?.md', '!no.md', '#no.md', 'deep/É.md']
[[files]]
who = []
names = ['nobody.md']
"""


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("a [b]*?.md", lets("group:hr", "user:1")),
        ("A [B]*?.MD", lets("group:hr", "user:1")),
        ("a b.md", lets("group:md")),
        ("!no.md", lets("group:hr", "user:1")),
        ("#no.md", lets("group:hr", "user:1")),
        ("below/#no.md", lets("group:md")),
        ("deep/e\u0301.md", lets("group:hr", "user:1", deny=frozenset({"user:7"}))),
        ("nobody.md", CLOSED),
        ("other.txt", lets(EVERYONE)),
    ],
)
def test_a_name_to_the_letter_goes_before_patterns(path: str, wanted: AccessList) -> None:
    assert book(_=NAMED).list_of(path) == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[files]]\nwho = ['group:hr']", "has two lists of texts"),
        ("[[files]]\nwho = 'everyone'\nnames = ['a.md']", "has two lists of texts"),
        ("[[files]]\nwho = ['hr']\nnames = ['a.md']", "'hr' is no principal"),
        ("[[files]]\nwho = []\nnames = ['../a.md']", "is no file from here"),
        ("[[files]]\nwho = []\nnames = ['a\\b.md']", "is no file from here"),
        ("[[files]]\nwho = []\nnames = ['a.md']\nbut = []", "has two lists of texts"),
        ("[[files]]\nwho = []\nnames = ['a.md']\n[[files]]\nwho = ['user:1']\nnames = ['A.md']", "stands in two lists"),
        ("[files]\n'a.md' = ['everyone']", "has two lists of texts"),
        ("files = 1", "has two lists of texts"),
    ],
)
def test_names_that_cannot_be_read(text: str, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        read_rules(text)


def test_order_in_the_file_says_nothing() -> None:
    turned = "[deny]\n'salaries/board.md' = ['user:7']\n[allow]\n'salaries/' = ['group:hr']\n'**' = ['everyone']\n"
    for path in ("leave.md", "salaries/x.md", "salaries/board.md"):
        assert book(_=HR).list_of(path) == book(_=turned).list_of(path)


def test_of_two_patterns_as_narrow_both_must_allow() -> None:
    both = book(_="[allow]\n'*.md' = ['group:a', 'group:b']\n'a.m*' = ['group:b', 'group:c']\n")
    assert both.list_of("a.md") == lets("group:b")
    assert book(_="[allow]\n'*.md' = ['group:a']\n'a.m*' = ['group:c']\n").list_of("a.md") == CLOSED


def test_letters_are_counted_as_they_are_compared() -> None:
    """An accent written as a letter of its own makes no pattern narrower."""
    spelled = book(_="[allow]\n'*.ma\u0308' = ['group:a']\n'x.m\u00e4' = ['group:b']\n")
    assert spelled.list_of("x.m\u00e4") == lets("group:b")


def test_the_nearest_file_allows_and_every_file_denies() -> None:
    rules = book(
        _="[allow]\n'**' = ['everyone']\n[deny]\n'**' = ['user:out']\n",
        a="[allow]\n'*.md' = ['group:a']\n[deny]\n'b/' = ['user:b']\n",
        a_b="[allow]\n'x.md' = ['user:b', 'user:c']\n",
    )
    out = frozenset({"user:out"})
    assert rules.list_of("a/one.md") == lets("group:a", deny=out)
    assert rules.list_of("a/one.txt") == lets(EVERYONE, deny=out)
    assert rules.list_of("a/b/x.md") == lets("user:b", "user:c", deny=out | {"user:b"})
    assert rules.list_of("a/b/y.md") == lets("group:a", deny=out | {"user:b"})


def test_what_no_rule_names_is_its_owner_s_alone_once_there_is_a_rule() -> None:
    assert book(a=ALL).list_of("a/x.md") == lets(EVERYONE)
    assert book(a=ALL).list_of("x.md") == lets("user:owner")
    assert RuleBook({"access.toml": ""}, "", OPEN_LIST).list_of("x.md") == CLOSED
    assert book().list_of("x.md") == OPEN_LIST


@pytest.mark.parametrize(
    "text",
    [
        "[allow", "[allow]\n'**' = 'everyone'\n", "[allow]\n'**' = [1]\n", "[allow]\n'**' = ['staff']\n", "allow = 1\n",
        "[allow]\n'!x' = ['everyone']\n", "[allow]\n'../x' = ['everyone']\n", "[allow]\n'a\\b' = ['everyone']\n",
        "[alow]\n'**' = ['everyone']\n", "[allow]\n'' = ['everyone']\n", "[allow]\n'**' = ['everyone', 'group:']\n",
        "[allow]\n'**' = ['everyone']\n'**' = ['group:hr']\n", "[allow]\n'**' = ['user:a\u200b']\n",
    ],
)  # fmt: skip
def test_half_a_file_of_rules_is_none_and_closes_what_stands_below(text: str) -> None:
    with pytest.raises(RulesError):
        read_rules(text)
    rules = book(_=ALL, a=text, a_b=ALL)
    assert rules.list_of("a/x.md") == rules.list_of("a/b/x.md") == CLOSED
    assert rules.list_of("x.md") == OPEN_LIST
    assert [path for path, _ in rules.faults()] == ["a/access.toml"]


def test_principals_are_compared_as_they_are_normalised() -> None:
    assert principal(" GROUP:Ma\u0308rz ") == "group:M\u00e4rz"
    assert principal("Everyone") == EVERYONE
    for wrong in ("", "bob", "group:", "role:x", "user:a,b", "user:a\nb", "user:" + "x" * 201, "everyone:x"):
        with pytest.raises(ValueError, match="is no principal"):
            principal(wrong)


@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("access: group:hr", "group:hr"),
        ("Access: [group:hr, 'user:7']", "group:hr, user:7"),
        ("access:\n  - group:hr\n  - user:7", "group:hr, user:7"),
        ("access:", ""),
        ("access: []", ""),
        ("access: {group: hr}", ""),
        ("access: [group:hr, [user:7]]", ""),
        ("access: [group:hr", ""),
        ("access: group:hr\naccess: everyone", ""),
        ("access: group:hr\nACCESS: everyone", ""),
        ("{access: group:hr}", ""),
        ("title: x: y\naccess: group:hr", ""),
    ],
)
def test_the_front_matter_s_list_is_whole_or_known_to_be_none(front: str, line: str) -> None:
    meta, _ = front_matter(["---", *front.split("\n"), "---", "", "Text."])
    assert meta["access"] == line


@pytest.mark.parametrize("name", ["n.md", "n.txt", "N.TXT", "n.markdown"])
@pytest.mark.parametrize("front", ["access: group:hr", "title: x\nAccess: group:hr", "access: [x"])
def test_every_text_may_say_who_reads_it(docs: Path, company: Callable[..., Index], name: str, front: str) -> None:
    write(docs, {name: f"---\n{front}\n---\n\nThe board meets.\n"})
    index = company()
    index.sync()
    assert name not in readable(index, EVERYONE, LOCAL)
    assert (name in readable(index, EVERYONE, "group:hr")) == ("hr" in front)


def test_front_matter_that_does_not_end_hides_no_list() -> None:
    assert front_matter(["---", "access: group:hr", "", "Text."])[0] == {"access": ""}
    assert front_matter(["---", "", "Access: see the gate.", "Text."]) == ({}, 0)
    assert "access" not in front_matter(["---", "who:", "  access: group:hr", "---"])[0]
    many = "access: [" + ", ".join(f"group:{number}" for number in range(500)) + "]"
    assert front_matter(["---", many, "---"])[0]["access"].count("group:") == 500


def test_a_document_may_only_narrow() -> None:
    listed, fault = narrowed_by(lets("group:staff"), "group:hr, everyone")
    assert not fault
    assert not listed.lets(caller("group:hr", EVERYONE))
    assert listed.lets(caller("group:hr", "group:staff"))
    assert not narrowed_by(lets("group:staff"), "group:hr")[0].lets(caller("group:staff"))
    closed, fault = narrowed_by(OPEN_LIST, "hr")
    assert "hr" in fault
    assert not closed.lets(caller(EVERYONE, "hr"))


def test_an_agent_for_a_person_reads_what_both_may() -> None:
    person, agent = frozenset({"user:7", "group:hr", EVERYONE}), frozenset({"agent:help", "group:bots", EVERYONE})
    both = Caller("agent:help", agent, (person,))
    assert lets(EVERYONE).lets(both)
    assert lets("agent:help", "user:7").lets(both)
    assert not lets("group:hr").lets(both)
    assert not lets("group:bots").lets(both)
    assert not lets(EVERYONE, deny=frozenset({"group:bots"})).lets(both)


@pytest.fixture
def company(docs: Path, make_index: MakeIndex) -> Callable[..., Index]:
    """An index over declared sources and whatever access.toml files stand in the folder."""

    def made(declared: str = "", guarded: bool = False) -> Index:
        import tomllib

        table = tomllib.loads(declared).get("sources", {})
        source = FolderSource(docs, load({"sources": table}, {}).sources, guarded)
        return make_index(docs, None, source)

    return made


def readable(index: Index, *principals: str) -> set[str]:
    every = all_places(index.store)
    with index.store.reader(caller(*principals)) as reader:
        return {row.path for row in reader.chunks(every)}


def test_rules_are_what_the_index_asks(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": ALL + "'travel/' = ['group:travel']\n"})
    write(
        docs, {"travel/access.toml": "[deny]\n'*.txt' = ['user:7']\n", "n.md": "---\naccess: group:n\n---\n\nText.\n"}
    )
    index = company()
    index.sync()
    assert readable(index, EVERYONE) == {"leave.md", "zh.md"}
    assert readable(index, "group:travel") == {"travel/expenses.md", "travel/vpn.txt"}
    assert readable(index, "group:travel", "user:7") == {"travel/expenses.md"}
    assert readable(index, EVERYONE, "group:n") == {"leave.md", "zh.md", "n.md"}
    assert readable(index, "group:n") == set()
    known = index.store.shelf().lists()
    for number, path in index.store.connection().execute("SELECT id, path FROM documents"):
        for who in (caller(EVERYONE), caller("group:travel", "user:7"), caller(EVERYONE, "group:n")):
            assert known[number].lets(who) == (path in readable(index, *who.principals))


@pytest.mark.freshness
def test_a_changed_rule_holds_after_the_next_sync_without_reading_anything(
    docs: Path, company: Callable[..., Index]
) -> None:
    write(docs, {"access.toml": ALL})
    index = company()
    index.sync()
    opened: list[str] = []
    index.source.read = lambda path: opened.append(path) or b""  # type: ignore[func-returns-value,method-assign]
    write(docs, {"access.toml": ALL + "'leave.md' = ['group:hr']\n"})
    assert index.sync().changed == 1
    assert readable(index, EVERYONE) == {"travel/expenses.md", "travel/vpn.txt", "zh.md"}
    assert opened == []


@pytest.mark.freshness
def test_what_a_rule_takes_away_is_gone_while_the_model_is_away(docs: Path) -> None:
    write(docs, {"access.toml": ALL + "'zh.md' = ['group:zh']\n"})
    with Held() as double, contextlib.ExitStack() as opened:
        first, second = (opened.enter_context(open_index(double.settings(docs), notice=print)) for _ in range(2))
        first.sync()  # the second has not asked the model anything yet
        double.__exit__()
        for index, rule in ((first, "'leave.md' = ['group:hr']"), (second, "'travel/' = ['group:travel']")):
            lost = readable(index, EVERYONE)
            write(
                docs, {"access.toml": f"{ALL}{rule}\n", "zh.md": f"---\naccess: group:zh\n---\n\n# {rule}\n\nText.\n"}
            )
            with pytest.raises(ModelError):
                index.sync()
            assert readable(index, EVERYONE) != lost
        assert readable(second, EVERYONE) == {"leave.md"}
        assert readable(second, "group:travel") == {"travel/expenses.md", "travel/vpn.txt"}
        assert readable(second, EVERYONE, "group:zh") == {"leave.md"}, "what may be another text by now is not opened"


@pytest.mark.freshness
def test_rules_that_vanish_hold_on_and_are_told(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": ALL, "travel/access.toml": "[allow]\n'**' = ['group:travel']\n"})
    company().sync()
    (docs / "travel" / "access.toml").unlink()
    write(docs, {"travel/new.md": "# New\n\nSecret plan.\n"})
    index = company()  # a new process
    for _ in range(2):
        told = dict(index.sync().skipped)
        assert told["travel/access.toml"].startswith("is gone; its rules still hold")
        assert readable(index, EVERYONE) == {"leave.md", "zh.md"}
        assert readable(index, "group:travel") == {"travel/expenses.md", "travel/vpn.txt", "travel/new.md"}
    write(docs, {"travel/access.toml": ALL})
    assert index.sync().skipped == []
    assert "travel/new.md" in readable(index, EVERYONE)


def test_the_only_rules_vanish_and_nothing_opens(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": "[allow]\n'**' = ['group:hr']\n"})
    company().sync()
    (docs / "access.toml").unlink()
    index = company()
    index.sync()
    assert readable(index, EVERYONE, LOCAL) == set()
    assert len(readable(index, "group:hr")) == 4


@pytest.mark.deletion
def test_a_folder_that_goes_takes_its_rules_along(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": ALL, "travel/access.toml": "[allow]\n'**' = ['group:travel']\n"})
    index = company()
    index.sync()
    (docs / "travel").rename(docs / "trips")
    assert index.sync().skipped == []
    assert readable(index, "group:travel") == {"trips/expenses.md", "trips/vpn.txt"}
    held = {path for (path,) in index.store.connection().execute("SELECT path FROM access_rules")}
    assert held == {"access.toml", "trips/access.toml"}


@pytest.mark.parametrize("content", [b"[allow", b"\xff\xfe\xff", b"[allow]\n'**' = ['everyone']\n" + b"#" * 8_100_000])
def test_unreadable_rules_close_and_are_named(docs: Path, company: Callable[..., Index], content: bytes) -> None:
    index = company()
    index.sync()
    assert len(readable(index, EVERYONE)) == 4
    write(docs, {"travel/access.toml": content})
    told = dict(index.sync().skipped)
    assert set(told) == {"travel/access.toml"}
    assert "travel/expenses.md" not in readable(index, EVERYONE, LOCAL)


def test_a_malformed_line_stays_closed_at_every_later_sync(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"n.md": "---\naccess: hr\n---\n\nText.\n"})
    index = company()
    for _ in range(3):
        summary = index.sync()
        assert [path for path, note in summary.notes if "nobody may read it" in note] == ["n.md"]
        assert "n.md" not in readable(index, EVERYONE, LOCAL, "hr", "")


@pytest.mark.parametrize("kind", ["raw", "markdown"])
def test_the_first_cell_of_a_notebook_may_narrow(docs: Path, company: Callable[..., Index], kind: str) -> None:
    text = {"cell_type": "markdown", "source": "Plan of the year."}
    for name, line in (("n", "access: group:n"), ("bad", "access: n")):
        cells = [{"cell_type": kind, "source": ["---\n", "title: Note\n", f"{line}\n", "---\n"]}, text]
        write(docs, {f"{name}.ipynb": json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})})
    index = company()
    index.sync()
    assert readable(index, EVERYONE, LOCAL) == set(SAMPLE)
    assert readable(index, EVERYONE, "group:n") == {*SAMPLE, "n.ipynb"}
    assert index.store.connection().execute("SELECT title FROM documents WHERE path = 'n.ipynb'").fetchone() == (
        "Note",
    )


def test_a_guarded_source_is_closed_until_its_settings_open_it(docs: Path, company: Callable[..., Index]) -> None:
    index = company(guarded=True)
    index.sync()
    assert readable(index, EVERYONE, LOCAL) == set()
    index = company("[sources.all]\ndefault = 'everyone'\n[sources.trips]\npath = 'travel/'\nowner = 'user:9'\n", True)
    index.sync()
    assert readable(index, EVERYONE) == {"leave.md", "zh.md"}
    write(docs, {"travel/access.toml": "[allow]\n'*.md' = ['group:travel']\n"})
    index.sync()
    assert readable(index, "group:travel") == {"travel/expenses.md"}
    assert readable(index, "user:9") == {"travel/vpn.txt"}
    assert readable(index, EVERYONE) == {"leave.md", "zh.md"}, "rules of one source say nothing of the other's default"


@pytest.mark.freshness
def test_old_lists_hold_no_more_but_for_what_is_open(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": ALL + "'travel/' = ['group:travel', 'everyone']\n'zh.md' = ['group:zh']\n"})
    write(docs, {"n.md": "---\naccess: everyone\n---\n\nText.\n"})
    index = company()
    index.sync()
    index.store.list_seconds = 3600.0
    assert len(readable(index, EVERYONE, "group:zh")) == 5
    index.store.connection().execute("UPDATE meta SET value = '2020-01-01T00:00:00+00:00' WHERE key LIKE 'access_%'")
    assert readable(index, EVERYONE, "group:zh") == {"leave.md", "travel/expenses.md", "travel/vpn.txt"}
    index.sync()
    assert len(readable(index, EVERYONE, "group:zh")) == 5
    index.store.connection().execute("DELETE FROM meta WHERE key LIKE 'access_%'")
    assert len(readable(index, EVERYONE, "group:zh")) == 3, "never compared is older than any age"


@pytest.mark.parametrize(
    "table",
    [
        {"a": 1}, {"a": {"pth": "x"}}, {"a": {"path": "../x"}}, {"a": {"sensitivity": "secret"}}, {"a": {"owner": 1}},
        {"a": {"path": "x"}, "b": {"path": "x/"}}, {"a": {"change_rate": "never"}},
    ],
)  # fmt: skip
def test_a_declaration_with_a_fault_is_refused(table: object) -> None:
    with pytest.raises(UsageError, match="sources"):
        load({"sources": table}, {})


@pytest.mark.parametrize("table", [{"a": {"owner": "anna"}}, {"a": {"default": "staff"}}])
def test_a_declared_principal_must_be_one(table: object, docs: Path) -> None:
    with pytest.raises(UsageError, match="is no principal"):
        folder_of(load({"docs_dir": docs, "sources": table}, {}))


def test_the_local_person_owns_what_nobody_else_does(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"travel/access.toml": ALL})
    index = company()
    index.sync()
    assert readable(index, *local_caller().principals) == {"leave.md", "zh.md", "travel/expenses.md", "travel/vpn.txt"}
    assert readable(index, EVERYONE) == {"travel/expenses.md", "travel/vpn.txt"}


def test_the_default_of_a_source() -> None:
    assert default_list(False, "") == OPEN_LIST
    assert default_list(True, "") == CLOSED
    assert default_list(True, "group:a, everyone") == lets("group:a", EVERYONE)


@pytest.mark.freshness
def test_an_index_with_lists_of_other_settings_is_not_answered_from(docs: Path, company: Callable[..., Index]) -> None:
    company().sync()
    waits, index = threading.Event(), company(guarded=True)
    listed = index.source.entries

    def slow() -> Iterator[Entry]:
        waits.wait(30)
        return listed()

    index.source.entries = slow  # type: ignore[method-assign]
    brain = Brain(index.settings, print, lambda settings: index)
    brain.start()
    try:
        for _ in range(500):
            if brain.state.code == "syncing":
                break
            time.sleep(0.01)
        assert brain.state.code == "syncing"
        with pytest.raises(NotReady):
            brain.index()
    finally:
        waits.set()
        brain.stop()


def test_a_question_at_work_reads_nothing_by_lists_of_other_settings(docs: Path, company: Callable[..., Index]) -> None:
    opened = company(guarded=True)
    opened.sync()
    brain = Brain(opened.settings, print, lambda settings: opened)
    brain.start()
    try:
        wait_until(lambda: brain.state.code == "ready")
        index = brain.index()
        assert readable(index, EVERYONE) == set()
        company().sync()
        with pytest.raises(StoreBusy):
            readable(index, EVERYONE)
    finally:
        brain.stop()


def test_a_command_beside_a_sync_does_not_answer_from_lists_of_other_settings(
    docs: Path, company: Callable[..., Index]
) -> None:
    company().sync()
    for guarded, told in ((False, contextlib.nullcontext()), (True, pytest.raises(StoreBusy))):
        index = company(guarded=guarded)
        with index.store.locked(wait=True), told:
            synced(index, print, lambda label: contextlib.nullcontext(None))


def test_lists_half_compared_by_a_sync_of_other_settings_are_nobody_s(
    docs: Path, company: Callable[..., Index]
) -> None:
    guarded, other = company(guarded=True), company()
    guarded.sync()
    assert guarded.has_its_lists
    told: list[bool] = []

    def stops(done: int, total: int, path: str) -> None:
        told.append(guarded.has_its_lists)
        raise KeyboardInterrupt

    write(docs, {"zz.md": "# New\n\nIt comes last, when all others are open.\n"})
    with pytest.raises(KeyboardInterrupt):
        other.sync(progress=stops)
    assert readable(guarded, EVERYONE), "what is open by other settings"
    assert told == [False]
    assert not guarded.has_its_lists
    guarded.sync()
    assert guarded.has_its_lists
    assert readable(guarded, EVERYONE) == set()


@pytest.mark.freshness
def test_a_source_that_was_not_synced_for_long_is_told(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"rates/fee.md": "# Fee\n\nThe parking fee is 7 euro a day.\n"})
    index = make_index(docs)
    index.settings = replace(
        index.settings, sources=load({"sources": {"fees": {"path": "rates", "change_rate": "daily"}}}, {}).sources
    )
    index.sync()

    def told(question: str, days: float) -> list[str]:
        at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
        index.store.connection().execute("UPDATE meta SET value = ? WHERE key = 'access_synced_at'", (at,))
        answer, _ = Assistant(index).ask(local_caller(), question)
        return [problem.text.split(":")[0] for problem in answer.problems if problem.code == "not_synced"]

    fee, leave = "What is the parking fee a day?", "How many days of annual leave?"
    assert (told(fee, 1), told(leave, 3), told("zzz qqq?", 13)) == ([], [], [])
    assert (told(fee, 3), told(leave, 15), told("zzz qqq?", 15)) == (["fees"], ["documents"], ["documents"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_shows_nobody_what_its_file_does_not(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"access.toml": ALL + "'hr/' = ['group:hr']\n", "hr/pay.md": "# Pay\n\nSecret pay.\n"})
    write(docs, {".drafts/plan.md": "# Plan\n\nSecret plan.\n"})
    links = {"pay.md": "hr/pay.md", "hr/leave-too.md": "leave.md", "same.md": "leave.md", "plan.md": ".drafts/plan.md"}
    for link, target in links.items():
        (docs / link).symlink_to(docs / target)
    index = company()
    told = [path for path, reason in index.sync().skipped if reason.startswith("a link to")]
    assert sorted(told) == ["hr/leave-too.md", "pay.md", "plan.md"]
    assert readable(index, EVERYONE, LOCAL) == {*SAMPLE, "same.md"}
    assert readable(index, "group:hr") == {"hr/pay.md"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_without_rules_links_are_followed_as_before(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {".drafts/plan.md": "# Plan\n\nPlan.\n"})
    (docs / "plan.md").symlink_to(docs / ".drafts" / "plan.md")
    index = company()
    assert index.sync().skipped == []
    assert "plan.md" in readable(index, EVERYONE)


def test_a_declared_source_without_documents_is_told(docs: Path, company: Callable[..., Index]) -> None:
    skipped = company("[sources.trips]\npath = 'Travel'\nsensitivity = 'restricted'\n").sync().skipped
    assert [(path, "upper and lower case" in reason) for path, reason in skipped] == [("Travel", True)]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_rules_behind_a_link_that_leads_out_are_not_read_and_close(
    docs: Path, company: Callable[..., Index], tmp_path: Path
) -> None:
    (tmp_path / "theirs.toml").write_text(ALL)
    (docs / "travel" / "access.toml").symlink_to(tmp_path / "theirs.toml")
    index = company()
    told = dict(index.sync().skipped)
    assert "travel/access.toml" in told
    assert not {"travel/expenses.md", "travel/vpn.txt"} & readable(index, EVERYONE, LOCAL)


@pytest.mark.skipif(sys.platform != "linux", reason="names differ by more than case there")
def test_of_two_files_of_rules_none_is_chosen(docs: Path, company: Callable[..., Index]) -> None:
    write(docs, {"travel/access.toml": "[allow]\n'**' = ['group:travel']\n", "travel/Access.toml": ALL})
    index = company()
    assert "travel/access.toml" in dict(index.sync().skipped)
    assert not {"travel/expenses.md", "travel/vpn.txt"} & readable(index, EVERYONE, LOCAL, "group:travel")
