"""Who is who: what makes two accounts one person's, what never does, and that a decision holds until it is taken back.

Try: pytest tests/test_people.py
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from access import EVERYONE
from access.directory import principals_of
from access.directory_sync import replace
from access.entries import Account, Listing, address, verified_in
from access.people import decide, decisions, main, merge, reviews, unmerge
from database import Connection
from errors import UsageError
from tests.directories import Commands, Run, groups_of, listing, opened
from tests.engine import REFUSED, connection_to, forget, on_postgres

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Commands(main, tmp_path, monkeypatch, capsys)


def account(id_: str, email: str = "", number: str = "", *, proved: bool = True, name: str = "Ana Lima") -> Account:
    return Account(id_, name, email, email_verified=proved, employee_id=number)


def load(db: Connection, *accounts: Account, **groups: str) -> None:
    """Each account in the directory that its id names, and there in a group of its own name."""
    for source in sorted({one.id.partition("/")[0] for one in accounts}):
        own = [one for one in accounts if one.id.startswith(f"{source}/")]
        replace(db, listing(source, *own, **{f"g{one.id.partition('/')[2]}": f"user:{one.id}" for one in own}))


def together(db: Connection) -> list[list[str]]:
    """The people, each as its accounts."""
    people: dict[int, list[str]] = {}
    for id_, person in db.execute("SELECT id, person_id FROM accounts ORDER BY id"):
        people.setdefault(person, []).append(id_)
    return sorted(people.values())


def waiting(db: Connection) -> list[str]:
    return [f"{r.account_a} {r.account_b}: {r.reason}" for r in reviews(db)]


MAIL = "ana@example.com"
CASES = [
    ("employee id", [account("a/1", "", "1007"), account("b/1", "", " 1007 ")], True, ""),
    ("employee id, case", [account("a/1", "", "e7"), account("b/1", "", "E7")], True, ""),
    ("employee id before address", [account("a/1", MAIL, "7"), account("b/1", "al@corp.example", "7")], True, ""),
    ("verified address", [account("a/1", MAIL), account("b/1", " ANA@Example.COM")], True, ""),
    ("address, composed", [account("a/1", "zoe\u0301@x.example"), account("b/1", "zo\xe9@x.example")], True, ""),
    ("address, punycode", [account("a/1", "a@xn--bcher-kva.example"), account("b/1", "a@b\xfccher.example")], True, ""),
    ("never the name", [account("a/1"), account("b/1")], False, ""),
    ("no employee id is no id", [account("a/1", "", ""), account("b/1", "", " ")], False, ""),
    ("other ids", [account("a/1", "", "1007"), account("b/1", "", "01007")], False, ""),
    ("another letter", [account("a/1", "a@stra\xdfe.example"), account("b/1", "a@strasse.example")], False, ""),
    ("a look-alike", [account("a/1", MAIL), account("b/1", "\u0430na@example.com")], False, ""),
    ("wide letters", [account("a/1", MAIL), account("b/1", "\uff41na@example.com")], False, ""),
    ("no address", [account("a/1", "ana"), account("b/1", "ana")], False, ""),
    ("one not verified", [account("a/1", MAIL), account("b/1", MAIL, proved=False)], False, "not verified for both"),
    ("none verified", [account("a/1", MAIL, proved=False), account("b/1", MAIL, proved=False)], False, "not verified"),
    ("address against employee ids", [account("a/1", MAIL, "7"), account("b/1", MAIL, "8")], False, "ids differ"),
    ("employee id against addresses", [account("a/1", MAIL, "7"), account("b/1", "ben@example.com", "7")], False,
     "two verified addresses of one domain"),
    ("two of one directory", [account("a/1", "", "7"), account("a/2", "", "7")], False, "are of one directory"),
    ("two of one directory by address", [account("a/1", MAIL), account("a/2", MAIL)], False, "of one directory"),
]  # fmt: skip


@pytest.mark.parametrize(("accounts", "one", "told"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_makes_two_accounts_one_person(db: Connection, accounts: list[Account], one: bool, told: str) -> None:
    load(db, *accounts)
    ids = [account.id for account in accounts]
    assert together(db) == ([ids] if one else [[id_] for id_ in ids])
    assert len(waiting(db)) == bool(told)
    assert all(told in line for line in waiting(db))
    evidence = [row[0] for row in db.execute("SELECT match_evidence FROM accounts")]
    assert all(evidence) if one else not any(evidence)


def test_a_person_holds_what_each_account_holds(db: Connection) -> None:
    load(db, account("a/1", MAIL, "7"), account("b/9", "", "7"), account("c/5", MAIL), account("c/6"))
    held = {"user:a/1", "user:b/9", "user:c/5", f"user:{MAIL}", EVERYONE, "group:a/g1", "group:b/g9", "group:c/g5"}
    for subject in ("user:a/1", "user:b/9", "user:c/5", f"user:{MAIL}"):
        assert principals_of(db, subject) == held
    assert groups_of(db, "user:c/6") == {"c/g6"}
    rows = dict(db.execute("SELECT id, match_evidence FROM accounts"))
    assert rows["a/1"] == f"employee id 7; verified address {MAIL}"
    assert rows["b/9"] == "employee id 7"


def test_a_disabled_account_disables_the_person(db: Connection) -> None:
    load(db, account("a/1", "", "7"), account("b/1", "", "7"))
    replace(db, listing("b", Account("b/1", employee_id="7", disabled=True), g1="user:b/1"))
    assert groups_of(db, "user:a/1") == groups_of(db, "user:b/1") == {"unknown"}
    unmerge(db, "b/1", "ada", "a former contract")
    assert groups_of(db, "user:a/1") == {"a/g1"}
    assert groups_of(db, "user:b/1") == {"unknown"}


def test_a_third_account_that_contradicts_is_left_to_a_person(db: Connection) -> None:
    """A shared mailbox: none of its users becomes another."""
    load(db, account("a/1", MAIL, "7"), account("b/1", MAIL), account("c/1", MAIL, "8"))
    assert together(db) == [["a/1"], ["b/1"], ["c/1"]]
    assert len(waiting(db)) == 2
    assert groups_of(db, f"user:{MAIL}") == {"unknown"}, "an address of two people is nobody's"
    assert f"user:{MAIL}" not in principals_of(db, "user:a/1")


def test_an_address_that_is_another_s_id_gives_nothing(db: Connection) -> None:
    replace(db, listing("", MAIL, hr=f"user:{MAIL}"))
    replace(db, listing("a", account("a/1", MAIL), g1="user:a/1"))
    assert principals_of(db, "user:a/1") == {"user:a/1", "group:a/g1", EVERYONE}
    assert groups_of(db, f"user:{MAIL}") == {"hr"}


def test_what_no_longer_holds_is_taken_apart(db: Connection) -> None:
    load(db, account("a/1", MAIL), account("b/1", MAIL))
    assert groups_of(db, "user:a/1") == {"a/g1", "b/g1"}
    load(db, account("b/1", "other@example.com"))
    assert (groups_of(db, "user:a/1"), groups_of(db, "user:b/1")) == ({"a/g1"}, {"b/g1"})
    load(db, account("b/1", MAIL))
    load(db, account("a/1", MAIL), account("a/2", MAIL))
    assert together(db) == [["a/1"], ["a/2"], ["b/1"]], "a second one of the address makes it uncertain"


def test_the_directory_s_own_word(db: Connection) -> None:
    replace(db, listing("", Account("42", same=("a/1", "b/1")), hr="user:42"))
    assert groups_of(db, "user:42") == {"hr"}
    load(db, account("a/1", MAIL, "7"), account("b/1", "x@example.com", "8"))
    assert groups_of(db, "user:42") == groups_of(db, "user:b/1") == {"hr", "a/g1", "b/g1"}
    unmerge(db, "user:b/1", "ada", "a slip in the file")
    assert groups_of(db, "user:42") == {"hr", "a/g1"}
    replace(db, listing("", Account("42", same=("a/1", "b/1")), hr="user:42"))
    assert groups_of(db, "user:b/1") == {"b/g1"}, "a person's decision outlives the next sync"


@pytest.mark.freshness
def test_merge_gives_and_unmerge_takes_at_once(tmp_path: Path, db: Connection) -> None:
    load(db, account("a/1"), account("b/1"), account("b/2"))
    other = opened(tmp_path)
    merge(db, "user:a/1", "b/1", "ada", "same badge")
    assert groups_of(other, "user:a/1") == groups_of(other, "user:b/1") == {"a/g1", "b/g1"}
    load(db, account("a/1"), account("b/1"), account("b/2"))
    assert groups_of(other, "user:a/1") == {"a/g1", "b/g1"}, "also after the next sync"
    unmerge(db, "a/1", "bob", "it was not")
    assert groups_of(other, "user:a/1") == {"a/g1"}
    merge(db, "b/1", "a/1", "ada", "it was")
    assert groups_of(other, "user:b/1") == {"a/g1", "b/g1"}
    told = [(made.made_by, made.action, made.account_a, made.account_b, made.why) for made in decisions(db)]
    assert told == [
        ("ada", "merge", "a/1", "b/1", "same badge"),
        ("bob", "unmerge", "a/1", "b/1", "it was not"),
        ("ada", "merge", "b/1", "a/1", "it was"),
    ]
    assert all(re.match(r"\d{4}-\d\d-\d\dT.*\+00:00", made.made_at) for made in decisions(db))
    other.close()


def test_records_of_decisions_stay(db: Connection) -> None:
    load(db, account("a/1"), account("b/1"))
    merge(db, "a/1", "b/1", "ada", "same badge")
    for sql in ("DELETE FROM identity_decisions", "UPDATE identity_decisions SET made_by = 'bob'"):
        with pytest.raises(REFUSED, match=r"decisions are kept|lacks a right"):
            db.execute(sql)
    replace(db, Listing("b"), allow_empty=True)
    load(db, account("b/1"))
    assert groups_of(db, "user:a/1") == {"a/g1", "b/g1"}, "an account that comes back is the one it was"


def test_the_review_list_is_decided(db: Connection) -> None:
    load(db, account("a/1", MAIL), account("b/1", MAIL, proved=False), account("c/1", "ben@x.example", proved=False),
         account("d/1", "ben@x.example"))  # fmt: skip
    first, second = reviews(db)
    (made,) = decide(db, first.id, True, "ada", "asked her")
    assert (made.action, made.evidence) == ("merge", f"address {MAIL}, but it is not verified for both")
    (made,) = decide(db, second.id, False, "ada", "asked him")
    assert made.action == "unmerge"
    assert together(db) == [["a/1", "b/1"], ["c/1"], ["d/1"]]
    assert waiting(db) == []
    load(db, account("a/1", MAIL), account("b/1", MAIL, proved=False))
    assert (waiting(db), len(together(db))) == ([], 3)
    load(db, account("c/1", "ben@x.example"))
    assert ["c/1"] in together(db), "what was decided is not undone by new evidence"
    with pytest.raises(UsageError, match="not on the review list"):
        decide(db, first.id, True, "ada", "again")


def test_taking_one_of_three_apart(db: Connection) -> None:
    load(db, account("a/1", "", "7"), account("b/1", "", "7"), account("c/1", "", "7"))
    assert len(unmerge(db, "b/1", "ada", "other badge")) == 2
    assert together(db) == [["a/1"], ["b/1"], ["c/1"]], "which of the others the number means is no longer sure"
    (review,) = reviews(db)
    decide(db, review.id, True, "ada", "checked")
    assert together(db) == [["a/1", "c/1"], ["b/1"]]
    assert waiting(db) == []
    merge(db, "b/1", "c/1", "ada", "all wrong")
    assert together(db) == [["a/1", "b/1", "c/1"]]


def test_wrong_use_changes_nothing(db: Connection) -> None:
    load(db, account("a/1", MAIL), account("a/2", MAIL), account("b/1"))
    merge(db, "a/1", "b/1", "ada", "badge")
    for a, b, told in (("a/1", "b/1", "one person already"), ("a/1", "a/1", "one person already"),
                       ("a/1", "b/2", "no account"), (MAIL, "b/1", "is of user:a/1, user:a/2")):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            merge(db, a, b, "ada", "x")
    with pytest.raises(UsageError, match="merged with no other"):
        unmerge(db, "a/2", "ada", "x")
    assert not db.in_transaction
    assert len(decisions(db)) == 1


@pytest.mark.parametrize(
    ("domains", "email", "expected"),
    [
        (["Example.com"], "a@EXAMPLE.com", True),
        (["example.com"], "a@sub.example.com", False),
        (["example.com"], "a@example.com@evil.example", False),
        (["example.com"], "example.com", False),
        ([], MAIL, False),
        ([""], "a@", False),
        (["xn--bcher-kva.example"], "a@b\xfccher.example", True),
    ],
)
def test_addresses_of_the_directory_s_own_domains(domains: list[str], email: str, expected: bool) -> None:
    assert verified_in(domains, email) is expected


def test_an_address_with_unseen_characters_is_none() -> None:
    assert [address(text) for text in ("a\u200b@x.example", "a b@x.example", "@x", "a@", "")] == [""] * 5


ACCOUNTS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["", "m1@x.example", "M1@x.example", "m2@x.example", "m3@y.example"]),
        st.booleans(),
        st.sampled_from(["", "7", "8"]),
    ),
    max_size=7,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACCOUNTS, st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 6)), max_size=4))
@pytest.mark.permission
def test_whoever_is_joined_without_a_person_has_proof(
    db: Connection, told: list[tuple[str, str, bool, str]], decided: list[tuple[bool, int, int]]
) -> None:
    """Of any accounts: nobody in one person with two employee ids, two accounts of a directory, or no link at all."""
    path = Path(f"{uuid4()}.db")
    empty, db = db, connection_to(path) if on_postgres() else sqlite3.connect(":memory:", isolation_level=None)
    if isinstance(empty, sqlite3.Connection) and isinstance(db, sqlite3.Connection):
        empty.backup(db)
    made = [account(f"{source}/{n}", mail, number, proved=p) for n, (source, mail, p, number) in enumerate(told)]
    for source in "abc":
        replace(db, Listing(source, tuple(a for a in made if a.id[0] == source)), allow_empty=True)
    by_id = {a.id: a for a in made}
    for ids in together(db):
        people = [by_id[id_] for id_ in ids]
        assert len({a.employee_id for a in people} - {""}) <= 1
        assert len({id_[0] for id_ in ids}) == len(ids)
        if len(ids) > 1:
            for one in people:
                others = [a for a in people if a is not one]
                keys = {a.email_key for a in others} | {f"#{a.employee_id}" for a in others}
                assert keys & ({one.email_key, f"#{one.employee_id}"} - {"", "#"})
    for same, a, b in decided:
        if a < len(made) and b < len(made) and a != b:
            try:
                (merge if same else lambda db, a, _, by, why: unmerge(db, a, by, why))(
                    db, made[a].id, made[b].id, "ada", "chance"
                )
            except UsageError:
                continue
            joined = any({made[a].id, made[b].id} <= set(ids) for ids in together(db))
            assert joined is same
    parted = {}
    for d in decisions(db):
        parted[frozenset((d.account_a, d.account_b))] = d.action == "unmerge"
    for ids in together(db):
        assert not any(parted.get(frozenset(pair)) for pair in combinations(ids, 2)), "what was parted stays parted"
    db.close()
    forget(path)


def test_the_commands(db: Connection, run: Run) -> None:
    load(db, account("a/1", MAIL), account("b/1", MAIL, proved=False))
    assert "a/1 and b/1: address ana@example.com, but it is not verified" in run("review").stdout
    assert "Say why" in run("decide", "1", "same").stderr
    number = str(reviews(db)[0].id)
    done = run("decide", number, "same", "--why", "asked her", "--by", "Ada")
    assert re.search(r"Ada: merge user:a/1 user:b/1; asked her; address ana@", done.stdout), done
    assert "pairs: none" in run("review").stdout
    assert run("unmerge", "user:b/1", "--why", "no").returncode == 0
    told = json.loads(run("decisions", "--json").stdout)["decisions"]
    assert [line.split(": ")[1][:5] for line in told.values()] == ["merge", "unmer"]
    for words in (["decide", "x", "same"], ["decide", "1", "maybe"], ["merge", "a/1"], ["unmerge"]):
        assert run(*words, "--why", "x").returncode == 2


@pytest.mark.parametrize("module", ["access.directory", "access.people"])
def test_the_manual_and_the_help_name_the_command(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    shown = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert f"example: python -m {module} " in shown
    page = (ROOT / "manual" / "directory.md").read_text(encoding="utf-8")
    for action in re.findall(r"\w+", re.search(r"\{(.*?)\}", shown)[1]):  # type: ignore[index]
        assert f"python -m {module} {action}" in page, action
