"""SCIM over loopback: all that is counted or nothing, patience, circles of groups, odd members.

Try: pytest tests/test_readers_scim.py
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from access.directory_sync import replace
from access.entries import Listing, SystemAway
from access.readers import read_system, wire
from database import Connection
from tests.directories import groups_of
from tests.directory_double import SECRET, ScimDouble, crowd
from tests.doubles import Refusal


@pytest.fixture
def double() -> Iterator[ScimDouble]:
    with ScimDouble(world=crowd(25), page=10) as made:
        yield made


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)
    monkeypatch.setenv("SCIM_TOKEN", SECRET)


def read(double: ScimDouble, **more: Any) -> Listing:
    table = {
        "reader": "scim", "url": f"{double.host}/scim/v2/", "token_env": "SCIM_TOKEN", "pause_seconds": 0,
        "verified_domains": ["example.com"],
    }  # fmt: skip
    return read_system("hr", {**table, **more}, Path())


def test_250_members_over_several_pages(db: Connection) -> None:
    with ScimDouble(world=crowd(250), page=60) as double:
        change = replace(db, read(double))
        assert (change.people, change.groups) == (250, 4)
        assert double.count("/Users") == 5
        assert db.execute("SELECT count(*) FROM memberships WHERE group_id = 'hr/g-all'").fetchone() == (250,)
        assert groups_of(db, "user:hr/u0") == {"hr/g-all", "hr/g-hr", "hr/g-board"}, "a circle of groups"
        assert groups_of(db, "user:user249@EXAMPLE.com") == {"hr/g-all"}
        row = db.execute("SELECT name, email, employee_id FROM accounts WHERE id = 'hr/u7'").fetchone()
        assert row == ("User 7", "User7@example.com", "7")


@pytest.mark.parametrize("part", ["/Users?startIndex=1&", "/Users?startIndex=21", "/Groups"])
@pytest.mark.parametrize("status", [401, 500])
def test_a_page_that_fails_changes_nothing(double: ScimDouble, db: Connection, part: str, status: int) -> None:
    replace(db, read(double))
    double.world.members["g-all"].remove("u0")
    double.fault = lambda number, path: Refusal(status, "") if part in path else None
    with pytest.raises(SystemAway):
        replace(db, read(double))
    assert groups_of(db, "user:hr/u0") == {"hr/g-all", "hr/g-hr", "hr/g-board"}
    double.fault = lambda number, path: None
    replace(db, read(double))
    assert groups_of(db, "user:hr/u0") == {"hr/g-hr", "hr/g-board"}


def test_throttled_at_every_second_request(double: ScimDouble) -> None:
    whole = read(double)
    double.fault = lambda number, _: Refusal(429, "", {"Retry-After": "0"}) if number % 2 else None
    assert read(double) == whole


def test_renamed_deleted_and_disabled(double: ScimDouble, db: Connection) -> None:
    replace(db, read(double))
    double.world.groups["g-hr"] = "People"
    del double.world.groups["g-board"]
    double.world.users["u5"]["off"] = True
    del double.world.users["u6"]
    change = replace(db, read(double))
    assert set(change.removed) == {"group:hr/g-board", "user:hr/u6"}
    assert change.notes == ("2 members are neither users nor groups of the system",)
    assert groups_of(db, "user:hr/u0") == {"hr/g-all", "hr/g-hr"}
    assert db.execute("SELECT name FROM directory_groups WHERE id = 'hr/g-hr'").fetchone() == ("People",)
    assert groups_of(db, "user:hr/u5") == groups_of(db, "user:hr/u6") == {"unknown"}


def test_somebody_who_goes_between_two_pages(double: ScimDouble) -> None:
    """The list moves by one: the eleventh stands on no page, and as many come as are counted."""

    def fault(number: int, path: str) -> None:
        if "startIndex=11" in path:
            double.world.users.pop("u0", None)

    double.fault = fault
    with pytest.raises(SystemAway, match="Users changed while they were read"):
        read(double)


def drop_last(page: dict[str, Any]) -> None:
    if page["startIndex"] == 21:
        page["Resources"] = []


ODD: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (drop_last, "it has 25 Users, but only 20 came"),
    (lambda page: page.pop("totalResults"), "is no list of resources"),
    (lambda page: page.update(startIndex=5), "no list of resources from 1 on"),
    (lambda page: page.update(Resources={}), "is no list of resources"),
    (lambda page: page.update(Resources=[3]), "is no list of resources"),
    (lambda page: page["Resources"][0].pop("id"), "is no list of resources"),
    (lambda page: page["Resources"][0].update(id=f"a,{page['startIndex']}"), "an id is none"),
    (lambda page: page["Resources"][0].update(id="u1"), "changed while they were read"),
    (lambda page: page["Resources"][0].update(active="no"), "active of the user 'u0' is neither true nor false"),
]


@pytest.mark.parametrize(("adjust", "told"), ODD, ids=[told for _, told in ODD])
def test_a_page_of_something_else(double: ScimDouble, adjust: Callable[[dict[str, Any]], Any], told: str) -> None:
    double.adjust = lambda path, page: adjust(page) if path.endswith("Users") else None
    with pytest.raises(SystemAway, match=told):
        read(double)


@pytest.mark.parametrize("members", ["u1", [3], ["u1"], [{"display": "Ana"}], [{"value": 3}]])
def test_members_that_are_none(double: ScimDouble, members: object) -> None:
    double.adjust = lambda path, page: page["Resources"][0].update(members=members) if "Groups" in path else None
    with pytest.raises(SystemAway, match="members of the group 'g-all' are no list"):
        read(double)


def test_the_name_of_the_sign_on_service(double: ScimDouble) -> None:
    told = {how: read(double, sign_in=how).accounts[1].login for how in ("", "id", "userName", "externalId")}
    assert told == {"": "", "id": "u1", "userName": "User1@example.com", "externalId": ""}


def test_a_provider_without_anybody(double: ScimDouble, db: Connection) -> None:
    double.adjust = lambda path, page: page.update(totalResults=0) or page.pop("Resources")
    assert read(double).sizes == {"people": 0, "groups": 0, "memberships": 0}
