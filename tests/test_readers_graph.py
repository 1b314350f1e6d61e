"""Microsoft Graph over loopback: every page or nothing, patience, circles, and objects that may not be read.

Try: pytest tests/test_readers_graph.py
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access.directory import main
from access.directory_sync import replace
from access.entries import DirectoryError, Listing, SystemAway
from access.readers import read_system, wire
from database import Connection
from tests.directories import Commands, Run, groups_of
from tests.directory_double import SECRET, GraphDouble, crowd
from tests.doubles import Refusal


@pytest.fixture
def double() -> Iterator[GraphDouble]:
    with GraphDouble(world=crowd(12), page=5) as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("ENTRA_SECRET", SECRET)


def table(double: GraphDouble, **more: Any) -> dict[str, Any]:
    return {
        "reader": "graph", "tenant": "tenant-1", "client": "app-1", "secret_env": "ENTRA_SECRET", "url": double.host,
        "login_url": double.host, "pause_seconds": 0, "verified_domains": ["example.com"], **more,
    }  # fmt: skip


def read(double: GraphDouble, **more: Any) -> Listing:
    return read_system("entra", table(double, **more), Path())


def test_250_members_over_several_pages(db: Connection) -> None:
    with GraphDouble(world=crowd(250), page=60) as double:
        change = replace(db, read(double))
        assert (change.people, change.groups) == (250, 4)
        members = db.execute("SELECT count(*) FROM memberships WHERE group_id = 'entra/g-all'").fetchone()
        assert members == (250,)
        assert double.count("/v1.0/users?") == 5
        assert groups_of(db, "user:entra/u249") == {"entra/g-all"}
        assert groups_of(db, "user:entra/u0") == {"entra/g-all", "entra/g-hr", "entra/g-board"}, "a circle of groups"
        assert groups_of(db, "user:USER249@example.com") == {"entra/g-all"}
        row = db.execute("SELECT name, employee_id, email_key FROM accounts WHERE id = 'entra/u7'").fetchone()
        assert row == ("User 7", "7", "user7@example.com")


def test_the_pages_of_one_person_s_groups(double: GraphDouble) -> None:
    for number in range(35):
        double.world.groups[f"x{number}"] = f"X {number}"
        double.world.members[f"x{number}"] = ["u1"]
    held = {group.id for group in read(double).groups if "user:entra/u1" in group.members}
    assert held == {"entra/g-all", *(f"entra/x{number}" for number in range(35))}


@pytest.mark.parametrize("part", ["/users?", "/users?$", "/groups?", "/u7/transitiveMemberOf", "/oauth2/"])
@pytest.mark.parametrize("status", [403, 500])
def test_a_page_that_fails_changes_nothing(double: GraphDouble, db: Connection, part: str, status: int) -> None:
    replace(db, read(double))
    double.world.members["g-all"].remove("u0")
    second = part == "/users?$"  # its second page

    def fault(number: int, path: str) -> Refusal | None:
        hit = "skiptoken" in path if second else part.rstrip("$") in path
        return Refusal(status, '{"error": {"message": "no"}}') if hit else None

    double.fault = fault
    with pytest.raises(SystemAway):
        replace(db, read(double))
    assert groups_of(db, "user:entra/u0") == {"entra/g-all", "entra/g-hr", "entra/g-board"}
    double.fault = lambda number, path: None
    replace(db, read(double))
    assert groups_of(db, "user:entra/u0") == {"entra/g-hr", "entra/g-board"}


def test_throttled_at_every_third_request(double: GraphDouble) -> None:
    whole = read(double)
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "0"}) if number % 3 == 0 else None
    assert read(double) == whole


def test_a_token_that_ends_on_the_way_is_renewed(double: GraphDouble) -> None:
    whole = read(double)

    def fault(number: int, path: str) -> None:
        if "/u9/" in path:
            double.token = "token-2"

    double.fault = fault
    assert read(double) == whole
    assert double.count("/oauth2/") == 3


def test_renamed_deleted_and_disabled(double: GraphDouble, db: Connection) -> None:
    replace(db, read(double))
    double.world.groups["g-hr"] = "People"
    del double.world.groups["g-board"]
    double.world.users["u5"]["off"] = True
    del double.world.users["u6"]
    change = replace(db, read(double))
    assert set(change.removed) == {"group:entra/g-board", "user:entra/u6"}
    assert groups_of(db, "user:entra/u0") == {"entra/g-all", "entra/g-hr"}
    assert db.execute("SELECT name FROM directory_groups WHERE id = 'entra/g-hr'").fetchone() == ("People",)
    assert groups_of(db, "user:entra/u5") == groups_of(db, "user:entra/u6") == {"unknown"}
    double.world.groups["new"] = "Board"
    replace(db, read(double))
    assert groups_of(db, "user:entra/u0") == {"entra/g-all", "entra/g-hr"}


@pytest.mark.parametrize(("hidden", "needs"), [("user", "User.Read.All"), ("group", "GroupMember.Read.All")])
def test_null_properties_mean_not_permitted(double: GraphDouble, hidden: str, needs: str) -> None:
    double.hidden = hidden
    with pytest.raises(SystemAway, match=rf"properties of the {hidden} .* are null.*permission {needs}"):
        read(double)


def test_null_properties_in_memberships_alone(double: GraphDouble) -> None:
    def fault(number: int, path: str) -> None:
        double.hidden = "group" if "/u3/" in path else ""

    double.fault = fault
    with pytest.raises(SystemAway, match=r"null.*GroupMember.Read.All"):
        read(double)


def test_fewer_groups_than_counted_are_not_all(double: GraphDouble) -> None:
    double.lost = 1
    with pytest.raises(SystemAway, match=r"transitiveMemberOf.* has 3 objects, but only 2 came"):
        read(double)


def test_a_user_who_is_deleted_meanwhile(double: GraphDouble) -> None:
    def fault(number: int, path: str) -> None:
        if "/u2/" in path:
            double.world.users.pop("u3", None)

    double.fault = fault
    listing = read(double)
    assert "entra/u3" not in {account.id for account in listing.accounts}
    assert len(listing.accounts) == 11
    assert listing.notes == ("1 users were deleted while they were read",)


@pytest.mark.parametrize("link", ["http://127.0.0.1:9/v1.0/users", "/v1.0/users", 3, "https://evil.example/v1.0/users"])
def test_a_next_page_elsewhere_is_not_asked_for(double: GraphDouble, link: object) -> None:
    body = json.dumps({"value": [], "@odata.nextLink": link})
    double.fault = lambda number, path: Refusal(200, body) if "/users?" in path else None
    with pytest.raises(SystemAway, match=r"another host|link to the next page is none"):
        read(double)


@pytest.mark.parametrize(
    "body", [{}, {"value": None}, {"value": [None]}, {"value": [{"displayName": "x"}]},
             {"value": [{"id": "a,b", "accountEnabled": True}]}, {"value": [{"id": "a\u200b", "accountEnabled": True}]}]
)  # fmt: skip
def test_a_page_of_something_else(double: GraphDouble, body: dict[str, Any]) -> None:
    double.fault = lambda number, path: Refusal(200, json.dumps(body)) if "/users?" in path else None
    with pytest.raises(SystemAway):
        read(double)


def test_addresses_are_verified_in_the_directory_s_domains_only(double: GraphDouble) -> None:
    double.world.users["u1"]["mail"] = "ana@elsewhere.example"
    accounts = {account.id: account for account in read(double).accounts}
    assert (accounts["entra/u1"].email_key, accounts["entra/u2"].email_key) == ("", "user2@example.com")
    assert not any(account.email_key for account in read(double, verified_domains=[]).accounts)
    assert not any(account.employee_id for account in read(double, employee_ids=False).accounts)


def test_the_name_of_the_sign_on_service(double: GraphDouble) -> None:
    told = {how: read(double, sign_in=how).accounts[1].login for how in ("", "id", "userPrincipalName")}
    assert told == {"": "", "id": "u1", "userPrincipalName": "User1@example.com"}
    with pytest.raises(DirectoryError, match=r"sign_in: 'mail' is none of id, userPrincipalName"):
        read(double, sign_in="mail")


def test_wrong_credentials(double: GraphDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENTRA_SECRET", "wrong")
    with pytest.raises(DirectoryError, match=r"refuses /tenant-1/oauth2/v2.0/token \(401: invalid_client"):
        read(double)
    assert double.count("/v1.0/") == 0


def test_nothing_is_written_there_and_the_secret_goes_to_the_door_alone(double: GraphDouble) -> None:
    read(double)
    for path, headers in zip(double.asked, double.seen, strict=True):
        assert SECRET not in path + str(headers)
    assert len(double.requests) == len(double.asked)
    assert sum(bool(body) for _, body in double.requests) <= 1


def test_the_command_goes_on_where_one_system_is_away(
    tmp_path: Path, double: GraphDouble, db: Connection, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    run: Run = Commands(main, tmp_path, monkeypatch, capsys)
    tables = {"other": {**table(double), "url": "http://127.0.0.1:1"}, "entra": table(double)}
    file = tmp_path / "directory.json"
    people = [{"id": "42", "accounts": ["entra/u0"]}]
    file.write_text(json.dumps({"people": people, "groups": [{"id": "a", "members": ["group:entra/g-hr"]}],
                                "systems": tables}))  # fmt: skip
    done = run("sync", "--file", str(file))
    assert done.returncode == 3
    assert re.search(r"error: other: ", done.stderr), done.stderr
    assert groups_of(db, "user:42") == {"a", "entra/g-all", "entra/g-hr", "entra/g-board"}
    del tables["other"]
    file.write_text(json.dumps({"people": people, "groups": [], "systems": tables}))
    assert run("sync", "--file", str(file), "--allow-empty").returncode == 0
    assert run("check", str(file)).stdout.strip().endswith("entra")
