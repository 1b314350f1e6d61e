"""Permission, deletion, freshness and refusal on every road: what a person is told before and after, side by side.

Each kind is a story told once on one server; a test looks at one road of it. Try: python -m tests.gate
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from access import tokens
from tests.every_road import COMMANDS, NOWHERE, OF_TEXTS, ROADS, SERVED, Company, company, run_by

Told = dict[str, str]
"""What each road told."""
ANSWERS = ("/ask", "/ask kept", "/ask/stream", "ask_company")
TEXTS = ("/documents", "read_source")
each_road = pytest.mark.parametrize("road", ROADS)
each_text = pytest.mark.parametrize("road", OF_TEXTS)


class Paper(NamedTuple):
    """A document, a question that finds it, and a word of it that the question does not have."""

    name: str
    text: str
    question: str
    secret: str

    @property
    def path(self) -> str:
        return f"{self.name}.md"


LEDGER = Paper(
    "ledger", "# Ledger\n\n## Pay\n\nThe lamp oil is paid with forty doubloons within 12 days.\n\n"
    "## When is the harvest counted?\n\nThe harvest is counted by the quartermaster after 30 days.\n",
    "What is the lamp oil paid with?", "doubloons",
)  # fmt: skip
CRATE = Paper(
    "crate", "# Crate\n\n## Delivery\n\nThe walrus crate is delivered by hovercraft within 3 days.\n\n"
    "## When is the gangway closed?\n\nThe gangway is closed by a bosun after 9 hours.\n",
    "By what is the walrus crate delivered?", "hovercraft",
)  # fmt: skip
FERRY = Paper("ferry", "# Ferry\n\nThe island ferry leaves the pier at daybreak.\n",
              "When does the island ferry leave?", "daybreak")  # fmt: skip
ATLAS = Paper("atlas", "# Atlas\n\nThe copper atlas is kept in the belfry.\n", "Where is the copper atlas kept?",
              "belfry")  # fmt: skip
VAULT = Paper("vault", "# Vault\n\nThe iron vault is opened with a gargoyle.\n", "With what is the iron vault opened?",
              "gargoyle")  # fmt: skip


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with company(tmp_path_factory.mktemp("firm")) as made:
        made.members(pay=["ada"])
        yield made


def put(firm: Company, paper: Paper, instead: str = "") -> None:
    """Its service belongs to a team that is called by its secret; `instead` takes the secret's place."""
    text = paper.text + run_by(paper.path, paper.secret)
    firm.write(**{paper.name: text.replace(paper.secret, instead or paper.secret)})


def ask(firm: Company, who: str, paper: Paper, roads: tuple[str, ...] = ROADS) -> Told:
    return firm.asked(who, paper.question, paper.path, roads)


def shows(told: str, paper: Paper) -> bool:
    return paper.secret in told or paper.path in told


# --- permission ---------------------------------------------------------------------------------------------------


class Permission(NamedTuple):
    member: Told
    other: Told
    nobody: Told
    left: Told


@pytest.fixture(scope="module")
def permission(firm: Company) -> Permission:
    put(firm, LEDGER)
    firm.rule("ledger", "group:pay")
    firm.sync()
    member, other, nobody = ask(firm, "ada", LEDGER), ask(firm, "bob", LEDGER), ask(firm, "", LEDGER)
    firm.members()
    left = ask(firm, "ada", LEDGER)
    firm.members(pay=["ada"])
    return Permission(member, other, nobody, left)


@pytest.mark.permission
@each_text
def test_who_may_read_is_shown_it(permission: Permission, road: str) -> None:
    assert LEDGER.secret in permission.member[road]


@pytest.mark.permission
@each_road
def test_who_may_not_read_is_shown_no_word_and_no_name(permission: Permission, road: str) -> None:
    told = permission.other[road]
    assert LEDGER.secret not in told
    assert "quartermaster" not in told
    assert road in TEXTS or "ledger" not in told
    assert not told.startswith(("5", "401"))


@pytest.mark.permission
@each_road
def test_who_does_not_say_who_they_are_is_shown_nothing(permission: Permission, road: str) -> None:
    told = permission.nobody[road]
    assert told.startswith("401 {") or ("error: This installation asks who you are" in told and road in COMMANDS)
    assert not shows(permission.nobody[road], LEDGER)


@pytest.mark.permission
@each_road
def test_who_left_the_group_is_shown_nothing_with_the_next_question(permission: Permission, road: str) -> None:
    """Without a sync of the documents, and though the answer was kept for who was in the group."""
    assert LEDGER.secret not in permission.left[road]
    left, other = (re.sub(r"made_at[^}]*", "", told[road]) for told in (permission.left, permission.other))
    assert left == other


@pytest.mark.permission
def test_suggestions_and_examples_come_from_what_one_may_read(permission: Permission) -> None:
    assert "When is the harvest counted?" in permission.member["/ask"]
    assert "harvest" not in permission.other["/examples"] + permission.left["/examples"]


@pytest.mark.permission
def test_a_revoked_token_opens_no_road(firm: Company, permission: Permission) -> None:
    with firm.tables() as connection:
        made, firm.tokens["gone"] = tokens.make(connection, "user:ada", ("ask",), 1)
        assert LEDGER.secret in firm.asked("gone", LEDGER.question, LEDGER.path, ("/ask",))["/ask"]
        tokens.revoke(connection, made.id)
    for road, told in ask(firm, "gone", LEDGER).items():
        assert told.startswith(("401 {", "2 ")), road
        assert "The token does not hold here" in told
        assert not shows(told, LEDGER)


# --- deletion -----------------------------------------------------------------------------------------------------


class Deletion(NamedTuple):
    before: Told
    unsynced: Told
    after: Told


@pytest.fixture(scope="module")
def deletion(firm: Company) -> Deletion:
    put(firm, CRATE)
    firm.sync()
    before = ask(firm, "ada", CRATE)
    (firm.docs / CRATE.path).unlink()
    unsynced = ask(firm, "ada", CRATE, SERVED)
    assert firm.sync()["removed"] == 1
    return Deletion(before, unsynced, ask(firm, "ada", CRATE))


@pytest.mark.deletion
@each_text
def test_it_was_there_before(deletion: Deletion, road: str) -> None:
    assert CRATE.secret in deletion.before[road]


@pytest.mark.deletion
@each_road
def test_a_deleted_document_is_shown_on_no_road(deletion: Deletion, road: str) -> None:
    """Neither as an answer that was kept, nor as a suggestion, an example or a place that came nearest."""
    told = deletion.after[road]
    assert CRATE.secret not in told
    assert "gangway" not in told
    assert road in TEXTS or CRATE.path not in told


@pytest.mark.deletion
@pytest.mark.parametrize("road", [*ANSWERS, *TEXTS])
def test_until_the_sync_it_is_told_that_the_file_is_gone(deletion: Deletion, road: str) -> None:
    assert "gone" in deletion.unsynced[road]
    assert "gone" not in deletion.before[road]


@pytest.mark.deletion
def test_no_row_of_it_is_left(firm: Company, deletion: Deletion) -> None:
    """But what people judged, with its quotation; in `words_data` FTS5 keeps terms until it merges its segments."""
    with closing(sqlite3.connect(firm.service.settings.db)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'words_data'")
        tables = [name for (name,) in names]
        held = {name: str(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in tables}
    found = {name for name, rows in held.items() if CRATE.secret in rows or "hovercraft" in rows}
    assert found == {"feedback"}


@pytest.mark.deletion
def test_a_document_that_comes_back_is_a_new_one(firm: Company, deletion: Deletion) -> None:
    put(firm, CRATE, "zeppelin")
    firm.sync()
    for road, told in ask(firm, "ada", CRATE, OF_TEXTS).items():
        assert ("zeppelin" in told, CRATE.secret in told) == (True, False), road
    (firm.docs / CRATE.path).unlink()
    firm.sync()


# --- freshness ----------------------------------------------------------------------------------------------------


class Edit(NamedTuple):
    before: Told
    unsynced: Told
    after: Told
    late: Told


@pytest.fixture(scope="module")
def edit(firm: Company) -> Edit:
    put(firm, FERRY)
    firm.sync()
    before = ask(firm, "bob", FERRY)
    put(firm, FERRY, "nightfall")
    unsynced = ask(firm, "bob", FERRY, SERVED)
    firm.sync()
    after = ask(firm, "bob", FERRY)
    with firm.tables() as connection:
        at = (datetime.now(UTC) - timedelta(days=20)).isoformat(timespec="seconds")
        (was,) = connection.execute("SELECT value FROM meta WHERE key = 'access_synced_at'").fetchone()
        connection.execute("UPDATE meta SET value = ? WHERE key = 'access_synced_at'", (at,))
        late = firm.asked("bob", f"{FERRY.question} Tell me.", FERRY.path, ANSWERS)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'access_synced_at'", (was,))
    return Edit(before, unsynced, after, late)


@pytest.mark.freshness
@each_text
def test_the_new_text_is_shown_after_the_sync_and_the_old_one_no_more(edit: Edit, road: str) -> None:
    assert FERRY.secret in edit.before[road]
    assert "nightfall" in edit.after[road]
    assert FERRY.secret not in edit.after[road]


@pytest.mark.freshness
@pytest.mark.parametrize("road", [*ANSWERS, *TEXTS])
def test_until_the_sync_it_is_told_that_the_file_has_changed(edit: Edit, road: str) -> None:
    told = "changed since it was indexed" if road in ANSWERS else '"stale'
    assert told in edit.unsynced[road]
    assert '"changed' in edit.unsynced[road].replace("\\", "")
    assert "changed since it was indexed" not in edit.before[road] + edit.after[road]


@pytest.mark.freshness
@pytest.mark.parametrize("road", ANSWERS)
def test_a_source_that_was_not_synced_for_long_is_told(edit: Edit, road: str) -> None:
    assert "last compared with its files 20 days ago" in edit.late[road]
    assert "last compared" not in edit.after[road]


class Rights(NamedTuple):
    ada: tuple[Told, Told]
    bob: tuple[Told, Told]


@pytest.fixture(scope="module")
def rights(firm: Company) -> Rights:
    put(firm, ATLAS)
    firm.rule("atlas", "user:ada")
    firm.sync()
    before = ask(firm, "ada", ATLAS), ask(firm, "bob", ATLAS)
    firm.rule("atlas", "user:bob")
    firm.sync()
    return Rights((before[0], ask(firm, "ada", ATLAS)), (before[1], ask(firm, "bob", ATLAS)))


@pytest.mark.freshness
@each_text
def test_a_changed_right_holds_after_the_sync(rights: Rights, road: str) -> None:
    assert [ATLAS.secret in told[road] for told in (*rights.ada, *rights.bob)] == [True, False, False, True]


@pytest.mark.freshness
@each_road
def test_whoever_lost_the_right_hears_what_others_without_it_heard(rights: Rights, road: str) -> None:
    assert not shows(rights.ada[1][road], ATLAS) or road in TEXTS
    if road in ("/documents", "read_source", "/feedback"):
        assert rights.ada[1][road] == rights.bob[0][road]


# --- refusal ------------------------------------------------------------------------------------------------------


class Refusal(NamedTuple):
    absent: Told
    hidden: Told
    reader: Told
    empty: Told


@pytest.fixture(scope="module")
def refusal(firm: Company) -> Refusal:
    firm.rule("vault", "user:ada")
    absent = [ask(firm, "eve", VAULT) for _ in range(2)][1]  # kept ones beside kept ones
    put(firm, VAULT)
    firm.sync()
    hidden, reader = ask(firm, "eve", VAULT), ask(firm, "ada", VAULT)
    return Refusal(absent, hidden, reader, firm.asked("ada", "zzyzx qwfpgj luyarst?", NOWHERE))


@pytest.mark.refusal
@each_road
def test_what_is_not_allowed_is_refused_like_what_does_not_exist(refusal: Refusal, road: str) -> None:
    """Byte for byte, but for the id and the time that it took."""
    assert refusal.hidden[road] == refusal.absent[road]


@pytest.mark.refusal
@each_text
def test_the_document_is_there_for_who_may_read_it(refusal: Refusal, road: str) -> None:
    assert VAULT.secret in refusal.reader[road]


@pytest.mark.refusal
@pytest.mark.parametrize("road", [*ANSWERS, "answer.py --json"])
def test_a_refusal_has_no_source_and_says_so(refusal: Refusal, road: str) -> None:
    for told in (refusal.hidden[road], refusal.empty[road]):
        plain = told.replace("\\", "").replace(" ", "")
        assert '"status":"not_found"' in plain
        assert '"sources":[]' in plain
        assert "Icouldnotfindthis" in plain


@pytest.mark.refusal
@pytest.mark.parametrize(
    ("road", "told"),
    [
        ("search_company_knowledge", "No passage is near enough"),
        ("/documents", "404 {"),
        ("read_source", '"isError": true'),
        ("search.py --json", "1 {"),
        ("answer.py --json", "1 {"),
    ],
)
def test_each_road_has_its_own_word_for_it(refusal: Refusal, road: str, told: str) -> None:
    assert told in refusal.hidden[road]
    assert told in refusal.empty[road]
    assert told not in refusal.reader[road]


@pytest.mark.refusal
def test_a_path_that_is_not_there_and_one_that_is_hidden_are_one(firm: Company, refusal: Refusal) -> None:
    for road in TEXTS:
        hidden, absent = (firm.asked("eve", VAULT.question, path, (road,))[road] for path in (VAULT.path, NOWHERE))
        assert hidden == absent
    assert json.loads(firm.get("eve", f"/documents/{NOWHERE}").partition(" ")[2])["code"] == "not_found"
