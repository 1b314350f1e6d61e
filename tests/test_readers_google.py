"""Google Workspace and Drive over loopback: every page or nothing, patience, circles, and who finds a file.

Try: pytest tests/test_readers_google.py
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from access import EVERYONE
from access.directory import main, principals_of
from access.directory_sync import replace
from access.entries import DirectoryError, Listing, SystemAway
from access.readers import read_system, wire
from access.readers.google import drive_list
from access.readers.options import Options
from database import Connection
from tests.directories import Commands, groups_of
from tests.directory_double import GoogleDouble, crowd
from tests.doubles import Refusal
from tests.mirrored import service_account

pytest.importorskip("cryptography")
NOW = "2026-11-30T15:00:00+00:00"


@pytest.fixture(scope="module")
def key() -> tuple[str, Any]:
    return service_account()


@pytest.fixture
def double(tmp_path: Path, key: tuple[str, Any]) -> Iterator[GoogleDouble]:
    (tmp_path / "key.json").write_text(key[0])
    with GoogleDouble(world=crowd(25), page=10, public_key=key[1]) as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)


def table(double: GoogleDouble, **more: Any) -> dict[str, Any]:
    return {
        "reader": "google", "key_file": "key.json", "admin": "admin@example.com", "url": double.host,
        "login_url": double.host, "drive_url": double.host, "pause_seconds": 0, **more,
    }  # fmt: skip


def read(double: GoogleDouble, folder: Path, **more: Any) -> Listing:
    return read_system("ws", table(double, **more), folder)


def finds(double: GoogleDouble, folder: Path, file: str = "f1", **groups: str) -> set[str]:
    return set(drive_list(Options("ws", table(double), folder), file, groups, NOW))


def test_250_members_over_several_pages(db: Connection, tmp_path: Path, double: GoogleDouble) -> None:
    double.world, double.page = crowd(250), 60
    change = replace(db, read(double, tmp_path))
    assert (change.people, change.groups) == (250, 6)
    assert double.count("/users?") == double.count("/groups/g-all/members") == 5
    assert db.execute("SELECT count(*) FROM memberships WHERE group_id = 'ws/g-all'").fetchone() == (250,)
    everybody = {"ws/customer", "ws/domain:example.com"}
    assert groups_of(db, "user:ws/u0") == {"ws/g-all", "ws/g-hr", "ws/g-board", *everybody}, "a circle of groups"
    assert groups_of(db, "user:user249@EXAMPLE.com") == {"ws/g-all", *everybody}
    row = db.execute("SELECT name, email_key, employee_id FROM accounts WHERE id = 'ws/u7'").fetchone()
    assert row == ("User 7", "user7@example.com", "7")
    assert [scope.split("/")[-1] for scope in double.scopes[0].split()] == [
        "admin.directory.user.readonly", "admin.directory.group.readonly",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "part", ["/users?", "/users?.*pageToken", "/groups?", "/g-all/members.*pageToken=p20", "/token"]
)
@pytest.mark.parametrize("status", [403, 500])
def test_a_page_that_fails_changes_nothing(
    double: GoogleDouble, db: Connection, tmp_path: Path, part: str, status: int
) -> None:
    replace(db, read(double, tmp_path))
    before = groups_of(db, "user:ws/u0")
    double.world.members["g-all"].remove("u0")
    part = part.replace("?", r"\?")
    double.fault = lambda number, path: Refusal(status, "") if re.search(part, path) else None
    with pytest.raises(SystemAway):
        replace(db, read(double, tmp_path))
    assert groups_of(db, "user:ws/u0") == before
    double.fault = lambda number, path: None
    replace(db, read(double, tmp_path))
    assert groups_of(db, "user:ws/u0") == before - {"ws/g-all"}


def test_throttled_at_every_third_request(double: GoogleDouble, tmp_path: Path) -> None:
    whole = read(double, tmp_path)
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "0"}) if number % 3 == 0 else None
    assert read(double, tmp_path) == whole


def test_a_token_that_ends_on_the_way_is_renewed(double: GoogleDouble, tmp_path: Path) -> None:
    whole = read(double, tmp_path)

    def fault(number: int, path: str) -> None:
        if "/groups?" in path and double.token == 1:
            double.token = 2

    double.fault = fault
    assert read(double, tmp_path) == whole
    assert len(double.scopes) == 3


def test_renamed_deleted_and_suspended(double: GoogleDouble, db: Connection, tmp_path: Path) -> None:
    replace(db, read(double, tmp_path))
    double.world.groups["g-hr"] = "People"
    del double.world.groups["g-board"]
    double.world.users["u5"]["off"] = True
    del double.world.users["u6"]
    double.world.users["u7"]["mail"] = "seven@example.com"
    change = replace(db, read(double, tmp_path))
    assert set(change.removed) == {"group:ws/g-board", "user:ws/u6"}
    everybody = {"ws/customer", "ws/domain:example.com"}
    assert groups_of(db, "user:ws/u0") == {"ws/g-all", "ws/g-hr", *everybody}
    assert db.execute("SELECT name FROM directory_groups WHERE id = 'ws/g-hr'").fetchone() == ("People",)
    assert groups_of(db, "user:ws/u5") == groups_of(db, "user:ws/u6") == {"unknown"}
    assert "user:seven@example.com" in principals_of(db, "user:ws/u7")
    assert groups_of(db, "user:user7@example.com") == {"unknown"}


def test_a_group_that_is_deleted_meanwhile(double: GoogleDouble, tmp_path: Path) -> None:
    def fault(number: int, path: str) -> None:
        if "/groups/g-all" in path:
            double.world.groups.pop("g-hr", None)

    double.fault = fault
    assert "ws/g-hr" not in {group.id for group in read(double, tmp_path).groups}


def test_the_name_of_the_sign_on_service(double: GoogleDouble, tmp_path: Path) -> None:
    told = {how: read(double, tmp_path, sign_in=how).accounts[1].login for how in ("", "id", "primaryEmail")}
    assert told == {"": "", "id": "u1", "primaryEmail": "User1@example.com"}


def test_members_of_every_kind(double: GoogleDouble, db: Connection, tmp_path: Path) -> None:
    double.world.members["g-none"] = ["C01", "guest@elsewhere.example", "gone"]
    change = replace(db, read(double, tmp_path))
    assert change.notes == ("2 members are from outside the organisation",)
    assert "ws/g-none" in groups_of(db, "user:ws/u9")


ODD: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("/users", lambda page: page.update(users={}), "is no list of objects"),
    ("/users", lambda page: page["users"][0].pop("id"), "is no list of objects"),
    ("/users", lambda page: page["users"][0].update(id="a\u200b"), "an id is none"),
    ("/users", lambda page: page["users"][0].pop("suspended"), "does not say whether it is suspended"),
    ("/groups", lambda page: page["groups"].append(3), "is no list of objects"),
    ("/members", lambda page: page.update(nextPageToken=3), "token of the next page is none"),
    ("/members", lambda page: page.update(nextPageToken="p0"), "go round in a circle"),
]


@pytest.mark.parametrize(("end", "adjust", "told"), ODD)
def test_a_page_of_something_else(
    double: GoogleDouble, tmp_path: Path, end: str, adjust: Callable[[dict[str, Any]], Any], told: str
) -> None:
    double.adjust = lambda path, page: adjust(page) if path.endswith(end) else None
    with pytest.raises(SystemAway, match=told):
        read(double, tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"client_email": "x", "private_key": "secret-word", "private_key_id": "1"}']
)
def test_a_wrong_key_file(double: GoogleDouble, tmp_path: Path, text: str) -> None:
    (tmp_path / "key.json").write_text(text)
    with pytest.raises(DirectoryError, match=r"key_file (is no JSON key|holds no private RSA key)") as raised:
        read(double, tmp_path)
    assert "secret-word" not in str(raised.value)
    assert double.asked == []


def test_an_administrator_who_is_not_permitted(double: GoogleDouble, tmp_path: Path) -> None:
    with pytest.raises(SystemAway, match=r"answers 400 at /token: invalid_grant"):
        read(double, tmp_path, admin="nobody@example.com")
    double.fault = lambda number, path: (
        Refusal(403, '{"error": {"message": "Not Authorized"}}') if "users" in path else None
    )
    with pytest.raises(SystemAway, match=r"403: Not Authorized.*admin.directory.user.readonly"):
        read(double, tmp_path)


def user(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"{number}", "type": "user", "role": "reader", "emailAddress": f"User{number}@example.com", **more}


def test_250_grants_of_a_file_over_several_pages(double: GoogleDouble, tmp_path: Path) -> None:
    double.page, double.grants["f1"] = 100, [user(number) for number in range(250)]
    assert finds(double, tmp_path) == {f"user:user{number}@example.com" for number in range(250)}
    assert double.count("/permissions?") == 3
    assert double.scopes == ["https://www.googleapis.com/auth/drive.metadata.readonly"]
    double.fault = lambda number, path: Refusal(500, "") if "pageToken=p200" in path else None
    with pytest.raises(SystemAway):
        finds(double, tmp_path)
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "0"}) if number % 2 else None
    assert len(finds(double, tmp_path)) == 250


GRANTS = [
    (user(1), {"user:user1@example.com"}),
    (user(1, role="owner"), {"user:user1@example.com"}),
    (user(1, role="commenter", expirationTime="2026-11-30T15:00:01.000Z"), {"user:user1@example.com"}),
    (user(1, expirationTime="2026-11-30T14:59:59.000Z"), set()),
    (user(1, deleted=True), set()),
    (user(1, role="later"), set()),
    (user(1, view="published"), set()),
    (user(1, emailAddress=""), set()),
    (user(1, type="group", emailAddress="HR@example.com"), {"group:ws/g1"}),
    (user(1, type="group", emailAddress="other@example.com"), set()),
    (user(1, type="domain", domain="Example.com"), set()),
    (user(1, type="domain", domain="Example.com", allowFileDiscovery=True), {"group:ws/domain:example.com"}),
    (user(1, type="anyone"), set()),
    (user(1, type="anyone", allowFileDiscovery=False), set()),
    (user(1, type="anyone", allowFileDiscovery=True), {EVERYONE}),
    (user(1, type="robot", allowFileDiscovery=True), set()),
]


@pytest.mark.parametrize(("grant", "expected"), GRANTS)
def test_who_finds_a_file(double: GoogleDouble, tmp_path: Path, grant: dict[str, Any], expected: set[str]) -> None:
    double.grants["f1"] = [grant]
    assert finds(double, tmp_path, **{"hr@example.com": "group:ws/g1"}) == expected


def test_a_file_that_may_not_be_seen_is_an_error_not_an_empty_list(double: GoogleDouble, tmp_path: Path) -> None:
    with pytest.raises(SystemAway, match="it has no /drive/v3/files/f1/permissions"):
        finds(double, tmp_path)
    double.grants["f1"] = []
    double.adjust = lambda path, page: page.pop("permissions")
    with pytest.raises(SystemAway, match="is no list of permissions"):
        finds(double, tmp_path)


def test_the_command_and_whom_it_means(
    double: GoogleDouble, db: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run = Commands(main, tmp_path, monkeypatch, capsys)
    file = tmp_path / "directory.json"
    file.write_text(json.dumps({"systems": {"ws": table(double)}}))
    assert run("sync", "--file", str(file)).returncode == 0
    double.grants["f/1"] = []
    double.grants["f1"] = [user(3), user(0, type="group", emailAddress="g-hr@example.com")]
    done = run("drive", "ws/f1", "--file", str(file), "--json")
    found = set(json.loads(done.stdout)["ws/f1"]["found by"])
    assert found == {"user:user3@example.com", "group:ws/g-hr"}
    assert {n for n in range(25) if principals_of(db, f"user:ws/u{n}") & found} == {0, 3}
    for name in ("", "ws", "ws/", "xy/f1"):
        assert run("drive", name, "--file", str(file)).returncode == 2
