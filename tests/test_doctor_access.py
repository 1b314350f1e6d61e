"""doctor.py --access: every line of the owner's list seen to fail with a thing that is really broken."""

import contextlib
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import doctor
from access import Caller
from access.directory_sync import replace as put_directory
from access.entries import Account, Group, Listing
from checks import Check, access_list, looked, scratch, serving
from checks.engines import SQLite, engine_of
from checks.people import people
from checks.roads import Roads
from config import PROJECT, Settings, load
from retrieval.found import Found
from search import Index, Searcher
from service.documents import document_lines
from sources.folder import folder_of
from storage import lists
from storage.masked import MaskedReader
from store import Store
from tests.conftest import HashEmbedder, write
from tests.served import Held, running
from tests.test_doctor import state_of

RULES = "[allow]\n'**' = ['everyone']\n'travel/' = ['group:travel']\n"
LIVE = {"sign-in", "engine", "source", "last pass", "rules", "no principals", "unrelated", "as listed", "roads",
        "sources told", "server"}  # fmt: skip
SCRATCH = {"granted", "no principals", "unrelated", "revocation", "revoked rule", "revoked token", "old lists",
           "sources told", "edit", "deletion", "policy off"}  # fmt: skip
Company = Callable[..., Settings]


@pytest.fixture
def company(docs: Path, make_index: Callable[..., Index]) -> Company:
    """company(**settings): a folder with rules, synced."""
    write(docs, {"access.toml": RULES})

    def made(**values: Any) -> Settings:
        first = make_index(docs, HashEmbedder(), port=0, **values)
        first.source = folder_of(first.settings)
        first.sync()
        return first.settings

    return made


def looked_at(settings: Settings, whole: bool = False) -> dict[str, Check]:
    """The worst check of each name, of the live index or the whole list."""
    found = access_list.checks(settings) if whole else looked("live", lambda: access_list.live(settings, SQLite()))
    worst: dict[str, Check] = {}
    for check in sorted(found, key=lambda check: ["fail", "warn", "ok"].index(check.status)):
        worst.setdefault(check.name, check)
    return worst


def failing(found: dict[str, Check]) -> set[str]:
    return {name for name, check in found.items() if check.status == "fail"}


def sql(settings: Settings, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(settings.db)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_house_in_order(company: Company, tmp_path: Path) -> None:
    settings = company()
    before = state_of(tmp_path)
    checks = access_list.checks(settings)
    assert {check.name for check in checks} == LIVE | SCRATCH
    assert {check.status for check in checks} == {"ok"}, checks
    told = [check.text for check in checks]
    assert "a stranger gets 2 of 4 documents: what everyone may read" in told
    (rows,) = [text for text in told if "who holds all principals gets" in text]
    ways = "count, places, languages, passages, documents, dates, words, phrases, lines, section, nearest, cosines"
    assert rows == f"no row by {ways}; who holds all principals gets 6 passages"
    assert state_of(tmp_path) == before, "nothing is changed, and nothing is left"


# --- the filter, taken away ---------------------------------------------------------------------------------------


def everything(caller: Caller) -> tuple[str, list[str]]:
    return "SELECT id AS document_id FROM documents", []


def test_an_index_that_asks_for_nobody_s_rights(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = company()
    monkeypatch.setattr(lists, "readable", everything)
    found = looked_at(settings, whole=True)
    assert failing(found) == {
        "no principals", "unrelated", "as listed", "roads", "revocation", "revoked rule",
    }  # fmt: skip
    assert "stop the server" in found["roads"].mends


def a_reader_s(name: str, value: Any) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(MaskedReader, name, value)


def searched(self: Searcher, caller: Caller, *rest: Any, **more: Any) -> Found:
    return FIND(self, self.store.custodian(), *rest, **more)


FIND = Searcher.search
LEAKS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], set[str], str]] = {
    "places": (a_reader_s("places", lambda self: np.arange(6)), {"no principals"}, "places 6"),
    "words": (
        a_reader_s("postings", lambda self, term: (np.array([1, 2]), np.ones(2, int), np.ones(2, int))),
        {"no principals"},
        "words 2",
    ),
    "search": (lambda patch: patch.setattr(Searcher, "search", searched), {"roads"}, "answer shows travel/"),
    "document": (
        lambda patch: patch.setattr(
            "checks.roads.document_lines",
            lambda index, caller, *rest: document_lines(index, index.store.custodian(), *rest),
        ),
        {"roads", "unrelated"}, "document shows travel/",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LEAKS)
def test_one_road_that_is_not_filtered(company: Company, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    breaks, names, text = LEAKS[case]
    settings = company()
    breaks(monkeypatch)
    found = looked_at(settings, whole="unrelated" in names)
    assert names <= failing(found), found
    assert any(text in check.text for check in found.values()), found


# --- what the scratch index finds, and that it could not be blind -------------------------------------------------


def steps(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in scratch.checks(settings, SQLite())}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "empty.toml").touch()
    return load({"docs_dir": tmp_path, "db": tmp_path / "i.db"}, {"BRAIN_CONFIG": str(tmp_path / "empty.toml")})


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"k": 1, "chunk_chars": 200, "passage_chars": 0, "min_score": 0.99, "min_coverage": 1.0, "max_file_mb": 0.001},
        {"auth": ("none",), "open": True, "rerank": True, "verify": "rules+model", "acl_max_hours": 0.001},
        {"audit": False, "cache": 5, "restricted_hosts": ("gpu",), "operators": ("user:x",)},
    ],
)
def test_the_list_holds_with_every_owner_s_settings(settings: Settings, values: dict[str, Any]) -> None:
    found = steps(replace(settings, **values))
    assert set(found) == SCRATCH
    assert {check.status for check in found.values()} == {"ok"}, found


def no_sync_of(what: str) -> Callable[[pytest.MonkeyPatch], None]:
    """The first sync does its work, each later one nothing: as one that runs no more."""
    first = Index.sync

    def sync(self: Index, **more: Any) -> Any:
        return first(self, **more) if not self.store.chunk_count() else None

    return lambda patch: patch.setattr(Index, "sync", sync)


def forgetful_cache(patch: pytest.MonkeyPatch) -> None:
    """Kept answers that depend on the question alone."""
    patch.setattr("answer.key_of", lambda index, searcher, caller, question, *rest: question)
    patch.setattr("answering.cache.stale", lambda files, row: None)


def untold(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("answering.cited.stale", lambda files, row: None)


def any_token(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("access.tokens.Token.state", lambda self, now: "valid")


def undated(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("storage.reader.ChunkRow.modified", property(lambda self: ""))


def blind(patch: pytest.MonkeyPatch) -> None:
    """A check that sees nothing: what it finds well is not to be believed."""
    patch.setattr(scratch.House, "seen", lambda self, who, doc: [])


def trusting(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Store, "_are_lists_old", lambda self, connection: False)


FAULTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], set[str]]] = {
    "no sync": (no_sync_of("rules"), {"revoked rule", "edit", "deletion"}),
    "kept answers": (forgetful_cache, {"no principals", "unrelated", "revocation", "revoked rule", "edit", "deletion"}),
    "stale is not told": (untold, {"edit", "deletion"}),
    "revoked tokens hold": (any_token, {"revoked token"}),
    "old lists hold": (trusting, {"old lists"}),
    "sources without a date": (undated, {"sources told"}),
    "blind": (blind, {"granted", "revocation", "revoked rule", "deletion", "policy off"}),
}


def test_a_road_that_could_not_show_anything_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well without the filter, too, on a road that is not really asked."""
    told = Roads.told

    def deaf(self: Any, caller: Caller, question: str, path: str) -> Iterator[Any]:
        yield from (one for one in told(self, caller, question, path) if one.road != "document" or caller.principals)

    monkeypatch.setattr(Roads, "told", deaf)
    found = steps(settings)
    assert failing(found) == {"policy off"}
    assert "nothing is noticed by the road document" in found["policy off"].text


@pytest.mark.parametrize("case", FAULTS)
def test_what_a_scratch_index_finds(settings: Settings, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    breaks, names = FAULTS[case]
    breaks(monkeypatch)
    found = steps(settings)
    assert names <= failing(found), {name: check.text for name, check in found.items() if check.status != "ok"}
    assert doctor.exit_code([*found.values()]) == 2


def test_a_folder_for_it_that_cannot_be_made_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuses(*rest: Any, **more: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuses)
    assert "No space left" in looked_at(settings, whole=True)["scratch index"].text


# --- the index as it is -------------------------------------------------------------------------------------------


def sources(**tables: dict[str, str]) -> Any:
    return load({"sources": tables}, {}).sources


def test_every_source_has_an_owner_and_says_who_may_read(company: Company, docs: Path) -> None:
    (docs / "access.toml").unlink()
    write(docs, {"travel/access.toml": "[allow]\n'**' = ['group:travel']\n"})
    settings = company(auth="tokens")
    assert "documents (.): no owner" in looked_at(settings)["source"].text
    settings = replace(settings, sources=sources(whole={"owner": "user:eva"}, b={"path": "b", "owner": "user:eva"}))
    found = looked_at(settings)
    assert found["source"].status == "fail"
    assert found["rules"].text.startswith("the access lists are of other settings")
    sql(settings, "DELETE FROM access_rules")
    assert "none: nobody reads it until it has rules" in looked_at(settings)["source"].text


def test_without_rules_and_sign_in_it_says_that_everyone_reads(company: Company, docs: Path) -> None:
    (docs / "access.toml").unlink()
    check = looked_at(company())["source"]
    assert (check.status, "everyone reads it" in check.text) == ("warn", True)


@pytest.mark.parametrize(
    ("days", "values", "status", "text"),
    [
        (None, {}, "fail", "never compared"),
        (0, {}, "ok", "hours ago"),
        (13, {}, "ok", "hours ago"),
        (15, {}, "warn", "long for documents"),
        (3, {"acl_max_hours": 48.0}, "fail", "BRAIN_ACL_MAX_HOURS=48"),
        (-1, {}, "fail", "clock"),
    ],
)
def test_how_old_the_lists_are(
    company: Company, days: float | None, values: dict[str, Any], status: str, text: str
) -> None:
    settings = replace(company(), **values)
    at = "" if days is None else (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    sql(settings, f"UPDATE meta SET value = '{at}' WHERE key = 'access_synced_at'")
    found = looked_at(settings)
    check = found["last pass"]
    assert (check.status, text in check.text) == (status, True), check
    assert "as listed" not in failing(found), "what old lists leave is compared with what they leave"


def test_rules_that_changed_since_the_last_sync(company: Company, docs: Path) -> None:
    settings = company()
    write(docs, {"access.toml": RULES + "'zh.md' = ['group:zh']\n"})
    check = looked_at(settings)["rules"]
    assert (check.status, "1 document is not" in check.text, "zh.md" in check.text) == ("warn", True, True), check
    (docs / "access.toml").unlink()
    assert looked_at(settings)["rules"].status == "ok", "rules that vanish hold"
    write(docs, {"access.toml": "[allow"})
    assert "who may read 4 documents" in looked_at(settings)["rules"].text


def test_lists_that_somebody_changed_in_the_file(company: Company) -> None:
    settings = company()
    opened = "SELECT id, 'allow', 'everyone' FROM documents WHERE path = 'travel/vpn.txt'"
    sql(settings, f"INSERT INTO grants (document_id, kind, principal) {opened}")
    check = looked_at(settings)["rules"]
    assert (check.status, "travel/vpn.txt" in check.text) == ("warn", True)


def test_what_cannot_be_looked_at_is_told(company: Company, docs: Path, tmp_path: Path) -> None:
    settings = company()
    assert "is of" in looked_at(replace(settings, docs_dir=tmp_path))["folder"].text
    sql(settings, "PRAGMA user_version = 3")
    before = state_of(tmp_path)
    found = looked_at(settings)["index"]
    assert (found.status, "older version (3 of" in found.text, found.mends) == ("fail", True, "python store.py --sync")
    assert state_of(tmp_path) == before, "nor is it brought to today's form"
    settings.db.unlink()
    assert "none yet" in looked_at(settings)["index"].text
    assert not settings.db.exists()


def test_an_index_without_documents_says_so(docs: Path, make_index: Callable[..., Index]) -> None:
    for path in docs.rglob("*.*"):
        path.unlink()
    index = make_index(docs, HashEmbedder(), port=0)
    index.sync()
    assert "the index holds no document" in looked_at(index.settings)["rows"].text


def test_beside_a_sync_it_looks_again(company: Company, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, rounds = company(), list[int]()
    compared = access_list._rows

    def meanwhile(store: Store, *rest: Any) -> Iterator[Check]:
        if not rounds:
            sql(settings, "DELETE FROM grants WHERE document_id = 1", "UPDATE meta SET value = value + 1 "
                "WHERE key = 'generation'")  # fmt: skip
        rounds.append(1)
        yield from compared(store, *rest)

    monkeypatch.setattr(access_list, "_rows", meanwhile)
    found = looked_at(settings)
    assert len(rounds) == 2
    assert not failing(found) & {"unrelated", "as listed"}, found


def test_a_server_that_was_started_with_other_settings(docs: Path) -> None:
    with Held() as double:
        open_, signed = double.settings(docs), double.settings(docs, auth="tokens")
        for serves, asked, status, text in (
            (open_, open_, "ok", "asks nobody"),
            (open_, signed, "fail", "whatever BRAIN_AUTH says"),
            (signed, signed, "ok", "shows nothing"),
        ):
            with running(serves) as service:
                (check,) = serving.admits(replace(asked, port=service.port))
                assert (check.status, text in check.text) == (status, True), check
        (check,) = serving.admits(replace(signed, port=service.port))
        assert "none of ours runs" in check.text


# --- people and groups --------------------------------------------------------------------------------------------


def told_of(db: sqlite3.Connection, settings: Settings, hours: float = 0.0) -> dict[str, Check]:
    found = people(db, settings, datetime.now(UTC) + timedelta(hours=hours))
    return {check.name: check for check in sorted(found, key=lambda check: check.status == "ok")}


def directory(db: sqlite3.Connection, source: str, *accounts: Account, **groups: set[str]) -> None:
    made = tuple(Group(name.replace("_", "/"), members=frozenset(who)) for name, who in groups.items())
    put_directory(db, Listing(source, accounts, made), allow_empty=True)


def test_without_a_directory_nothing_is_said(db: sqlite3.Connection, settings: Settings) -> None:
    assert told_of(db, settings) == {}


def test_memberships_of_long_ago(db: sqlite3.Connection, settings: Settings) -> None:
    directory(db, "", Account("ada"), hr={"user:ada"})
    found = told_of(db, settings)
    assert (found["memberships"].status, found["memberships"].text[:21]) == ("ok", "1 account and 1 group")
    check = told_of(db, settings, 50)["memberships"]
    assert (check.status, "the file (2 days ago)" in check.text, "directory sync" in check.mends) == (
        "warn", True, True,
    )  # fmt: skip


def test_a_directory_file_says_what_it_said_until_it_is_changed(
    db: sqlite3.Connection, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "directory.toml"
    file.write_text("[[people]]\nid = 'ada'\n")
    settings = replace(settings, directory=file)
    directory(db, "", Account("ada"))
    assert {check.status for check in told_of(db, settings, 500).values()} == {"ok"}
    os.utime(file, (time.time() + 9,) * 2)
    check = told_of(db, settings)["directory"]
    assert (check.status, "was changed since" in check.text) == ("warn", True)
    assert told_of(db, settings, 500)["memberships"].status == "warn"
    directory(db, "graph", Account("graph/1"))
    os.utime(file, (time.time() - 9,) * 2)
    assert "graph (21 days ago)" in told_of(db, settings, 500)["memberships"].text


def test_a_system_that_the_last_sync_did_not_take_in(
    db: sqlite3.Connection, settings: Settings, tmp_path: Path
) -> None:
    """As after objects with null properties: what was known of it stays, the file's own part is newer."""
    file = tmp_path / "directory.toml"
    file.write_text("[[people]]\nid = 'ada'\n[systems.entra]\nreader = 'graph'\ntenant = 't'\n")
    settings = replace(settings, directory=file)
    assert "never taken in" in told_of(db, settings)["directory"].text
    directory(db, "entra", Account("entra/1"))
    directory(db, "", Account("ada"))
    check = told_of(db, settings)["directory"]
    assert (check.status, "entra (" in check.text, "null" in check.text) == ("fail", True, True)
    directory(db, "entra", Account("entra/1"))
    assert "directory" not in told_of(db, settings)
    file.write_text("[[people")
    assert told_of(db, settings)["directory"].status == "fail"


def test_groups_that_rules_name_in_vain(company: Company) -> None:
    settings = company()
    with contextlib.closing(sqlite3.connect(settings.db, isolation_level=None)) as db:
        directory(db, "", Account("ada"), travl={"user:ada"})
        check = told_of(db, settings)["principals"]
        assert (check.status, "group:travel: not in the directory" in check.text) == ("warn", True)
        proxied = replace(settings, auth=("proxy",))
        assert told_of(db, proxied)["principals"].status == "ok", "groups come with the proxy's headers"
        directory(db, "", Account("ada"), travel=set())
        assert "group:travel: without a member" in told_of(db, settings)["principals"].text
        directory(db, "", Account("ada"), travel={"user:ada"})
        assert told_of(db, settings)["principals"].status == "ok"
    assert looked_at(settings)["principals"].status == "ok"


def two(name: str, other: str, number: str = "7") -> Sequence[tuple[str, Account]]:
    return (("a", Account("a/1", name, employee_id="7")), ("b", Account("b/1", other, employee_id=number)))


def test_two_people_merged_into_one(db: sqlite3.Connection, settings: Settings) -> None:
    for source, account in two("Ana Lima", "Lima, Ana Maria"):
        directory(db, source, account)
    check = told_of(db, settings)["identity"]
    assert (check.status, check.text[:29]) == ("ok", "1 person with several account")
    for source, account in two("Ana Lima", "Ben Okafor"):
        directory(db, source, account)
    check = told_of(db, settings)["identity"]
    assert (check.status, "user:b/1" in check.text, "employee id 7" in check.text) == ("warn", True, True), check
    assert "unmerge" in check.mends


def test_pairs_that_wait(db: sqlite3.Connection, settings: Settings) -> None:
    directory(db, "a", Account("a/1", "Ana", "ana@x.example", True))
    directory(db, "b", Account("b/1", "Ana", "ana@x.example", False))
    assert "1 pair of accounts" in told_of(db, settings)["identity"].text


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command(company: Company, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    settings = company()
    monkeypatch.setenv("BRAIN_CONFIG", os.devnull)
    monkeypatch.setenv("BRAIN_PORT", "0")
    flags = ["--access", "--docs", str(settings.docs_dir), "--db", str(settings.db)]
    assert doctor.main(flags) == 0
    assert "0 failed, 0 to look at" in capsys.readouterr().out
    sql(settings, "DELETE FROM meta WHERE key = 'access_terms'", "INSERT INTO meta VALUES ('access_terms', 'x')")
    assert doctor.main([*flags, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["exit_code"]) == ("fail", 2)
    (row,) = [row for row in told["checks"] if row["status"] == "fail"]
    assert (row["name"], str(settings.db) in row["mends"]) == ("rules", True)


def test_each_engine_has_its_place() -> None:
    assert engine_of(load({}, {"BRAIN_CONFIG": os.devnull})).name == "SQLite"


def test_every_line_that_the_manual_names_is_one() -> None:
    page = (PROJECT / "manual" / "troubleshooting.md").read_text(encoding="utf-8").partition("## Who may see what")[2]
    rows = [row.strip("| ").split(" | ") for row in page.splitlines() if row.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([a-z -]+)`", row[-1] if len(row) > 2 else row[0])}
    source = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "checks").glob("*.py"))
    assert named - {"--access"} >= SCRATCH | {"principals", "identity", "memberships", "directory", "fresh", "mode"}
    assert {name for name in named - {"--access", "everyone"} if f'"{name}"' not in source} == set()
