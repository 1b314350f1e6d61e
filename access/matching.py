"""Who is who: one person, many accounts, matched by what proves it; the rest is for a person to decide.

The directory's own word first, then the employee id, then the verified address; never the name. What contradicts itself
or is not proved goes to a review list. Made anew from the accounts and the decisions with each sync, so what no longer
holds is taken apart. Gets a connection to the index, within a transaction.
Try: pytest tests/test_people.py
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, NamedTuple

from access.entries import address
from database import Connection

Pair = tuple[str, str]


class Known(NamedTuple):
    """An account as the index has it."""

    id: str
    source: str
    person: int
    email: str
    email_key: str
    employee_id: str
    same: tuple[str, ...]
    evidence: str


class _Matching:
    """Sets of accounts that grow together where nothing speaks against it."""

    def __init__(self, accounts: Iterable[Known], apart: Iterable[Pair]) -> None:
        self.accounts = {account.id: account for account in accounts}
        self.sets = {id_: {id_} for id_ in self.accounts}
        self.evidence: dict[str, list[str]] = defaultdict(list)
        self.reviews: dict[Pair, str] = {}
        self.apart: dict[str, set[str]] = defaultdict(set)
        for a, b in apart:
            self.apart[a].add(b)
            self.apart[b].add(a)

    def parted(self, one: set[str], other: set[str]) -> bool:
        """Whether somebody decided that the two sets are not one person's."""
        return any(self.apart[id_] & other for id_ in one if id_ in self.apart)

    def join(self, ids: Sequence[str], evidence: str) -> None:
        """Makes the accounts one person's, except where somebody decided otherwise."""
        first = ids[0]
        for id_ in ids[1:]:
            if self.sets[first] is self.sets[id_] or self.parted(self.sets[first], self.sets[id_]):
                continue
            whole = self.sets[first] | self.sets[id_]
            for one in whole:
                self.sets[one] = whole
        together = [id_ for id_ in ids if self.sets[id_] is self.sets[first]]
        for id_ in together if len(together) > 1 else ():
            self.evidence[id_].append(evidence)

    def match(self, ids: Sequence[str], evidence: str) -> None:
        """Joins the accounts if they can be one person's, else puts their pairs on the review list.

        Not when two of them are of one directory, which knows its own people, when their employee ids differ, or
        their verified addresses of one domain do.
        """
        whole = set().union(*(self.sets[id_] for id_ in ids))
        if len({id(self.sets[id_]) for id_ in ids}) == 1:
            return self.join(ids, evidence)
        against = ""
        mails = {self.accounts[id_].email_key for id_ in whole} - {""}
        if len({employee(self.accounts[id_]) for id_ in whole} - {""}) > 1:
            against = "but their employee ids differ"
        elif len({mail.rpartition("@")[2] for mail in mails}) < len(mails):
            against = "but they have two verified addresses of one domain"
        elif self._twice(ids):
            against = "but two of them are of one directory"
        elif any(self.parted(self.sets[a], self.sets[b]) for a, b in combinations(ids, 2)):
            against = "but some were taken apart by hand"
        if not against:
            return self.join(ids, evidence)
        return self.doubt(ids, f"{evidence}, {against}")

    def doubt(self, ids: Sequence[str], reason: str) -> None:
        """Puts each account beside the first one on the review list, unless it is decided."""
        first = ids[0]
        for id_ in ids[1:]:
            if self.sets[first] is not self.sets[id_] and not self.parted(self.sets[first], self.sets[id_]):
                self.reviews.setdefault(pair_of(first, id_), reason)

    def _twice(self, ids: Sequence[str]) -> bool:
        """Whether to join them would bring accounts of one directory together that were not yet."""
        distinct = {id(self.sets[id_]): self.sets[id_] for id_ in ids}.values()
        sources = [{self.accounts[id_].source for id_ in one} for one in distinct]
        return sum(map(len, sources)) > len(set().union(*sources))


def employee(account: Known) -> str:
    """The employee id as it is compared."""
    return account.employee_id.strip().lower()


def resolve(connection: Connection) -> None:
    """Makes people and the review list from the accounts and decisions as they are now, within a transaction."""
    rows = connection.execute(
        "SELECT id, source, person_id, email, email_key, employee_id, same, match_evidence FROM accounts ORDER BY id"
    )
    accounts = [Known(*row)._replace(same=tuple(json.loads(row[6]))) for row in rows]
    decided = decided_pairs(connection)
    matching = _Matching(accounts, (pair for pair, (_, action) in decided.items() if action == "unmerge"))
    _match(matching, decided)
    _store_people(connection, matching)
    _store_reviews(connection, matching.reviews)


def _match(matching: _Matching, decided: dict[Pair, tuple[int, str]]) -> None:
    accounts = matching.accounts
    for pair, (number, action) in sorted(decided.items(), key=lambda item: -item[1][0]):
        if action == "merge" and pair[0] in accounts and pair[1] in accounts:
            matching.join(pair, f"decision {number}")
    for account in accounts.values():
        if there := [id_ for id_ in account.same if id_ in accounts]:
            matching.join([account.id, *there], f"the directory's word on {account.id}")
    for number_, ids in _by(accounts, employee):
        matching.match(ids, f"employee id {number_}")
    for mail, ids in _by(accounts, lambda account: account.email_key):
        matching.match(ids, f"verified address {mail}")
    for mail, ids in _by(accounts, lambda account: address(account.email)):
        proved = sorted(ids, key=lambda id_: (not accounts[id_].email_key, id_))
        unproved = [id_ for id_ in proved if not accounts[id_].email_key]
        others = [id_ for id_ in unproved if accounts[id_].source != accounts[proved[0]].source]
        if others:
            matching.doubt([proved[0], *others], f"address {mail}, but it is not verified for both")


def _by(accounts: dict[str, Known], key: Any) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = defaultdict(list)
    for account in accounts.values():
        if value := key(account):
            found[value].append(account.id)
    return [(value, ids) for value, ids in sorted(found.items()) if len(ids) > 1]


def decided_pairs(connection: Connection) -> dict[Pair, tuple[int, str]]:
    """The last decision on each pair: (its number, merge or unmerge)."""
    rows = connection.execute("SELECT account_a, account_b, id, action FROM identity_decisions ORDER BY id")
    return {pair_of(a, b): (number, action) for a, b, number, action in rows}


def pair_of(a: str, b: str) -> Pair:
    """The two in the order in which pairs are kept."""
    return (a, b) if a < b else (b, a)


def _store_people(connection: Connection, matching: _Matching) -> None:
    taken: set[int] = set()
    distinct = {id(one): one for one in matching.sets.values()}.values()
    for ids in sorted(distinct, key=lambda one: min((matching.accounts[id_].person, id_) for id_ in one)):
        free = sorted({matching.accounts[id_].person for id_ in ids} - taken)
        person = free[0] if free else connection.execute("INSERT INTO people DEFAULT VALUES RETURNING id").fetchone()[0]
        taken.add(person)
        for id_ in sorted(ids):
            evidence = "; ".join(matching.evidence[id_]) if id_ in matching.evidence else ""
            if (person, evidence) != (matching.accounts[id_].person, matching.accounts[id_].evidence):
                connection.execute(
                    "UPDATE accounts SET person_id = ?, match_evidence = ? WHERE id = ?", (person, evidence, id_)
                )
    connection.execute("DELETE FROM people WHERE id NOT IN (SELECT person_id FROM accounts)")


def _store_reviews(connection: Connection, reviews: dict[Pair, str]) -> None:
    known = {
        (a, b): reason
        for a, b, reason in connection.execute("SELECT account_a, account_b, reason FROM identity_reviews")
    }
    gone = [pair for pair in known if known[pair] != reviews.get(pair)]
    connection.executemany("DELETE FROM identity_reviews WHERE account_a = ? AND account_b = ?", gone)
    found_at = datetime.now(UTC).isoformat(timespec="microseconds")
    connection.executemany(
        "INSERT INTO identity_reviews (account_a, account_b, reason, found_at) VALUES (?, ?, ?, ?)",
        [(*pair, reason, found_at) for pair, reason in sorted(reviews.items()) if known.get(pair) != reason],
    )
