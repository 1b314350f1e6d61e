"""Tokens: what the table holds, when they hold, who may act for whom, and the command that makes them."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import config
from access import EVERYONE, LOCAL
from access import tokens as rows
from access.identity import SCOPES, ForgedHeader, HeaderTooLarge, NotAllowed, Row, Unauthenticated
from access.local import local_identity
from access.tokens import main
from config import Settings, load
from database import Connection
from errors import UsageError
from tests.engine import connection_to, database_of, variables

pytestmark = pytest.mark.permission

NO_FILE = {config.CONFIG_VARIABLE: os.devnull}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Connection]:
    connection = connection_to(tmp_path / "index.db")
    yield connection
    connection.close()


def settings_of(folder: Path, **values: Any) -> Settings:
    db = folder / "index.db"
    return load({"docs_dir": folder, "db": db, "database": database_of(db), "auth": "tokens", **values}, NO_FILE)


def identify(table: Connection, text: str, **headers: str) -> Any:
    sent = {"authorization": [f"Bearer {text}"]} | {name.replace("_", "-"): [value] for name, value in headers.items()}
    row = Row(load({"auth": "tokens"}, NO_FILE), lambda: table)
    return row.identify(sent, "127.0.0.1")


def test_a_token_says_who_asks_and_what_they_may(table: Connection) -> None:
    token, text = rows.make(table, "user:42", ("ask", "sync"))
    found = identify(table, text)
    assert (found.caller.id, set(found.caller.principals)) == ("user:42", {"user:42", EVERYONE})
    assert (set(found.scopes), found.by, found.caller.within) == ({"ask", "sync"}, f"token:{token.id}", ())


@pytest.mark.sqlite
def test_the_secret_is_nowhere_in_the_file(table: Connection, tmp_path: Path) -> None:
    _, text = rows.make(table, "user:42")
    table.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    secret = text.split("_", 2)[2]
    assert len(secret) == 43
    held = b"".join(path.read_bytes() for path in tmp_path.glob("index.db*"))
    assert b"user:42" in held
    assert secret.encode() not in held


def test_no_two_tokens_are_alike(table: Connection) -> None:
    assert len({rows.make(table, "user:42")[1] for _ in range(50)}) == 50


def wrong_tokens(text: str, other: str) -> list[str]:
    number, secret = text.split("_", 2)[1:]
    swapped = "b" if secret[0] == "a" else "a"
    return [
        f"cb_{number}_{swapped}{secret[1:]}", f"cb_{number}_{secret[:-1]}", f"cb_{number}_{secret}x", f"cb_{number}_",
        "cb_", f"cb__{secret}", f"cb_{other.split('_', 2)[1]}_{secret}", text.upper().replace("CB_", "cb_"),
        f"cb_{number}_{secret}\n", f"cb_' OR 1=1 --_{secret}", f"cb_{number}_" + "a" * 43,
    ]  # fmt: skip


@pytest.mark.refusal
def test_every_token_that_does_not_hold_gets_the_same_words(table: Connection) -> None:
    _, text = rows.make(table, "user:42")
    _, other = rows.make(table, "user:7")
    ended, past = rows.make(table, "user:42", days=1)
    table.execute("UPDATE tokens SET expires_at = ? WHERE id = ?", (rows._iso(datetime.now(UTC)), ended.id))
    revoked, gone = rows.make(table, "user:42")
    assert identify(table, gone)
    rows.revoke(table, revoked.id)
    told = set()
    for wrong in [*wrong_tokens(text, other), past, gone]:
        if wrong.endswith("\n"):
            assert identify(table, wrong).caller.id == "user:42"  # white space around a header's value is no part of it
            continue
        with pytest.raises(Unauthenticated) as raised:
            identify(table, wrong)
        told.add(str(raised.value))
    assert len(told) == 1
    assert identify(table, text).caller.id == "user:42"


def test_a_token_of_another_index_opens_nothing(table: Connection, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    other = connection_to(tmp_path / "b" / "other.db")
    _, text = rows.make(other, "user:42")
    other.close()
    with pytest.raises(Unauthenticated):
        identify(table, text)


def test_expiry_is_a_moment(table: Connection) -> None:
    token, text = rows.make(table, "user:42", days=90)
    left = datetime.fromisoformat(token.expires_at) - datetime.now(UTC)
    assert timedelta(days=89.9) < left < timedelta(days=90.1)
    assert identify(table, text)
    assert [token.state(at) for at in (token.made_at, token.expires_at)] == ["valid", "expired"]


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, Unauthenticated),
        ({"authorization": ["Bearer"]}, Unauthenticated),
        ({"authorization": ["Bearer not-ours"]}, Unauthenticated),
        ({"authorization": ["TOKEN"]}, Unauthenticated),
        ({"authorization": ["Basic TOKEN"]}, Unauthenticated),
        ({"x-token": ["Bearer TOKEN"]}, Unauthenticated),
        ({"authorization": ["Bearer TOKEN", "Bearer TOKEN"]}, ForgedHeader),
        ({"authorization": ["Bearer TOKEN" + " " * 20_000]}, HeaderTooLarge),
    ],
)
def test_headers_that_say_nothing_or_too_much(
    table: Connection, tmp_path: Path, headers: dict[str, list[str]], error: type[Exception]
) -> None:
    _, text = rows.make(table, "user:42")
    sent = {name: [value.replace("TOKEN", text) for value in values] for name, values in headers.items()}
    with pytest.raises(error):
        Row(settings_of(tmp_path), lambda: table).identify(sent, "127.0.0.1")


def test_an_agent_is_bound_by_the_person_it_acts_for(table: Connection) -> None:
    _, text = rows.make(table, "agent:helpdesk", ("ask", "act"))
    alone, bound = identify(table, text), identify(table, text, x_acting_for="user:7")
    assert (alone.caller.within, bound.caller.within) == ((), (frozenset({"user:7", EVERYONE}),))
    assert (bound.caller.id, set(bound.caller.principals)) == ("agent:helpdesk", {"agent:helpdesk", EVERYONE})


@pytest.mark.parametrize(
    "name", ["group:hr", "everyone", "agent:x", "7", "", "user:", "user: 7", "user:7,user:8", "User:7"]
)
def test_nobody_but_a_person_is_acted_for(table: Connection, name: str) -> None:
    _, text = rows.make(table, "agent:helpdesk", ("ask", "act"))
    with pytest.raises((NotAllowed, Unauthenticated)):
        identify(table, text, x_acting_for=name)


@pytest.mark.parametrize(("who", "scopes"), [("agent:helpdesk", ("ask",)), ("user:42", SCOPES[:-1])])
def test_acting_for_somebody_needs_the_scope(table: Connection, who: str, scopes: tuple[str, ...]) -> None:
    _, text = rows.make(table, who, scopes)
    with pytest.raises(NotAllowed, match="`act`"):
        identify(table, text, x_acting_for="user:7")


def test_who_sends_no_token_asks_as_everyone_where_none_is_last(table: Connection, tmp_path: Path) -> None:
    _, text = rows.make(table, "user:42")
    row = Row(settings_of(tmp_path, auth="tokens,none"), lambda: table)
    assert row.identify({"authorization": [f"Bearer {text}"]}, "").caller.id == "user:42"
    for_all = row.identify({}, "")
    assert (set(for_all.caller.principals), set(for_all.scopes)) == ({EVERYONE}, {"ask"})
    with pytest.raises(Unauthenticated):  # a wrong token is no weaker right
        row.identify({"authorization": [f"Bearer {text}x"]}, "")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"auth": "token"}, "BRAIN_AUTH: 'token' is not"),
        ({"auth": ""}, "BRAIN_AUTH: 'nothing' is not"),
        ({"auth": "tokens,tokens"}, "BRAIN_AUTH"),
        ({"auth": "none,tokens"}, "none lets everybody in"),
        ({"auth": "none", "caller": "everyone"}, "BRAIN_CALLER: 'everyone' is nobody who asks"),
        ({"auth": "none", "caller": "ada"}, "BRAIN_CALLER: 'ada' is no principal"),
        ({"operators": "ada"}, "BRAIN_OPERATORS: 'ada' is no principal"),
    ],
)
def test_settings_that_cannot_work(tmp_path: Path, values: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Row(settings_of(tmp_path, **values), lambda: pytest.fail("no table is needed"))


# --- on this machine ----------------------------------------------------------------------------------------------


def test_at_this_machine_the_setting_says_who_asks(table: Connection, tmp_path: Path) -> None:
    local = local_identity(settings_of(tmp_path, auth="none"), lambda: pytest.fail("no table is needed"))
    assert (local.caller.id, set(local.scopes)) == (LOCAL, set(SCOPES))
    ada = local_identity(settings_of(tmp_path, auth="none", caller="user:ada", open=True), lambda: table)
    assert (set(ada.caller.principals), set(ada.scopes)) == ({"user:ada", EVERYONE}, set(SCOPES))
    boss = local_identity(settings_of(tmp_path, auth="none"), lambda: table, "user:boss")
    assert (boss.caller.id, set(boss.scopes), boss.by) == ("user:boss", {"ask"}, "none of user:local")


def test_where_people_sign_in_a_command_needs_a_token(table: Connection, tmp_path: Path) -> None:
    with pytest.raises(Unauthenticated, match=r"BRAIN_TOKEN.*access\.tokens make"):
        local_identity(settings_of(tmp_path), lambda: table)
    _, text = rows.make(table, "user:42")
    settings = settings_of(tmp_path, token=text)
    assert text not in repr(settings)
    assert local_identity(settings, lambda: table).caller.id == "user:42"
    with pytest.raises(NotAllowed, match="`impersonate`"):
        local_identity(settings, lambda: table, "user:boss")
    _, text = rows.make(table, "user:admin", ("ask", "impersonate"))
    (tmp_path / "token").write_text(text + "\n", encoding="ascii")
    settings = settings_of(tmp_path, token_file=tmp_path / "token")
    boss = local_identity(settings, lambda: table, "user:boss")
    assert (boss.caller.id, set(boss.scopes)) == ("user:boss", {"ask"})
    _, text = rows.make(table, "agent:clock", ("sync",))
    with pytest.raises(NotAllowed, match="`ask`"):
        local_identity(settings_of(tmp_path, token=text), lambda: table)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"one two", "folder"])
def test_a_token_file_that_holds_none(table: Connection, tmp_path: Path, content: bytes | str | None) -> None:
    path = tmp_path / "token"
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(UsageError, match="BRAIN_TOKEN_FILE"):
        local_identity(settings_of(tmp_path, token_file=path), lambda: table)


# --- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def at(table: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command line's index is the table's."""
    for name in [name for name in os.environ if name.startswith("BRAIN_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BRAIN_CONFIG", os.devnull)
    for name, value in variables(tmp_path / "index.db").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("BRAIN_AUTH", "tokens")
    return tmp_path


def test_made_listed_and_revoked(at: Path, table: Connection, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["make", "--for", "user:42", "--scopes", "ask,sync", "--days", "90", "--label", "laptop"]) == 0
    told, text = capsys.readouterr().out.strip().split("\n")
    assert "for user:42 (ask, sync) until " in told
    assert identify(table, text).scopes == {"ask", "sync"}
    main(["make", "--for", "Agent:helpdesk", "--json"])
    made = json.loads(capsys.readouterr().out)
    assert identify(table, made["token"]).caller.id == "agent:helpdesk"
    main(["list"])
    listed = capsys.readouterr().out
    assert [line.split()[1:3] for line in listed.splitlines()] == [["valid", "user:42"], ["valid", "agent:helpdesk"]]
    assert "laptop" in listed
    assert text.split("_", 2)[2] not in listed
    assert main(["revoke", made["id"]]) == 0
    with pytest.raises(Unauthenticated):
        identify(table, made["token"])
    first = json.loads(_listed(capsys))[1]["revoked_at"]
    main(["revoke", made["id"]])  # again is no error and no other time
    assert [(one["state"], one["revoked_at"]) for one in json.loads(_listed(capsys))] == [
        ("valid", ""),
        ("revoked", first),
    ]


def _listed(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    main(["list", "--json"])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["make"], "make takes whose token it is"),
        (["list", "--for", "user:42"], "make takes"),
        (["make", "x", "--for", "user:42"], "revoke takes"),
        (["revoke"], "revoke takes the token's id"),
        (["revoke", "zzz"], "There is no token 'zzz'"),
        (["make", "--for", "42"], "--for: '42' is no principal"),
        (["make", "--for", "group:hr"], "--for: 'group:hr' is nobody who asks"),
        (["make", "--for", "everyone"], "nobody who asks"),
        (["make", "--for", "user:42", "--scopes", "read"], "--scopes: 'read' is no list of ask, sync"),
        (["make", "--for", "user:42", "--scopes", ","], "--scopes"),
        (["make", "--for", "user:42", "--scopes", "act"], "`act` is for agents"),
        (["make", "--for", "user:42", "--days", "0"], "--days"),
        (["make", "--for", "user:42", "--days", "nan"], "--days"),
        (["make", "--for", "user:42", "--label", "a\nb"], "--label"),
    ],
)
def test_wrong_use_is_told_and_makes_nothing(at: Path, table: Connection, words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        main(words)
    assert said in str(raised.value)
    assert rows.listed(table) == []


@pytest.mark.sqlite
def test_without_an_index_none_is_made(at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_DB", str(at / "other.db"))
    with pytest.raises(UsageError, match=r"store\.py --sync"):
        main(["make", "--for", "user:42"])
    assert not (at / "other.db").exists()


def test_a_token_that_no_server_takes_is_told(
    at: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRAIN_AUTH", "none")
    main(["make", "--for", "user:42"])
    assert "BRAIN_AUTH=tokens" in capsys.readouterr().err
