"""Decisions on who is who: the review list, merge and unmerge, each with who, when and why, and in force at once.

What is matched without a person is in matching.py. Gets a connection to the index; decisions are added, never changed.
Try: python -m access.people review
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from access.audit import add
from access.directory_sync import changing, now
from access.entries import address
from access.matching import decided_pairs, pair_of, resolve
from database import Connection
from errors import UsageError


class Review(NamedTuple):
    """Two accounts that may be one person's, and what speaks for and against it."""

    id: int
    account_a: str
    account_b: str
    reason: str
    found_at: str  # UTC, ISO 8601


class Decision(NamedTuple):
    """What somebody decided on a pair of accounts."""

    id: int
    made_at: str  # UTC, ISO 8601
    made_by: str
    action: str  # merge, unmerge
    account_a: str
    account_b: str
    why: str
    evidence: str  # the reason on the review list, if it stood there


def reviews(connection: Connection) -> list[Review]:
    """The pairs that wait for somebody's decision."""
    return [Review(*row) for row in connection.execute("SELECT * FROM identity_reviews ORDER BY id")]


def decisions(connection: Connection) -> list[Decision]:
    """All decisions, in the order in which they were made."""
    return [Decision(*row) for row in connection.execute("SELECT * FROM identity_decisions ORDER BY id")]


def decide(connection: Connection, number: int, same: bool, by: str, why: str) -> list[Decision]:
    """Decides a pair of the review list; see `merge` and `unmerge`. Raises UsageError."""
    with changing(connection):
        row = connection.execute("SELECT * FROM identity_reviews WHERE id = ?", (number,)).fetchone()
        if not row:
            raise UsageError(f"{number} is not on the review list. See: python -m access.people review")
        found = Review(*row)
        if same:
            return _merge(connection, found.account_a, found.account_b, by, why)
        return _record(connection, "unmerge", [(found.account_a, found.account_b)], by, why)


def merge(connection: Connection, a: str, b: str, by: str, why: str) -> list[Decision]:
    """From now on the two accounts are one person's, with the principals of both. Raises UsageError."""
    with changing(connection):
        return _merge(connection, _account(connection, a), _account(connection, b), by, why)


def unmerge(connection: Connection, a: str, by: str, why: str) -> list[Decision]:
    """From now on the account is nobody else's: a decision for each other account of its person. Raises UsageError."""
    with changing(connection):
        account = _account(connection, a)
        others = [id_ for id_ in _accounts_with(connection, account) if id_ != account]
        if not others:
            raise UsageError(f"user:{account} is merged with no other account.")
        return _record(connection, "unmerge", [(account, other) for other in others], by, why)


def _merge(connection: Connection, a: str, b: str, by: str, why: str) -> list[Decision]:
    ours, theirs = _accounts_with(connection, a), _accounts_with(connection, b)
    if b in ours:
        raise UsageError(f"user:{a} and user:{b} are one person already.")
    apart = {pair for pair, (_, action) in decided_pairs(connection).items() if action == "unmerge"}
    pairs = [(one, other) for one in ours for other in theirs if pair_of(one, other) in apart]  # also decided now
    made = _record(connection, "merge", [(a, b), *(pair for pair in pairs if pair != (a, b))], by, why)
    if b not in _accounts_with(connection, a):
        raise UsageError(f"user:{a} and user:{b} cannot be merged: other decisions part them.")
    return made


def _record(connection: Connection, action: str, pairs: Sequence[tuple[str, str]], by: str, why: str) -> list[Decision]:
    made = []
    for a, b in pairs:
        found = connection.execute(
            "SELECT reason FROM identity_reviews WHERE account_a = ? AND account_b = ?", pair_of(a, b)
        ).fetchone()
        row = (now(), by, action, a, b, why, found[0] if found else "")
        number = connection.execute(
            "INSERT INTO identity_decisions (made_at, made_by, action, account_a, account_b, why, evidence) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            row,
        ).fetchone()[0]
        made.append(Decision(number, *row))
        told = {"action": action, "accounts": [f"user:{a}", f"user:{b}"], "why": why, "evidence": row[-1]}
        add(connection, "identity", by, {"decision": number, **told})
    resolve(connection)
    return made


def _account(connection: Connection, named: str) -> str:
    """The id of the account that is named by id or verified address, with or without `user:`."""
    key = named.removeprefix("user:")
    rows = connection.execute("SELECT id FROM accounts WHERE id = ?", (key,)).fetchall()
    if not rows and (mail := address(key)):
        rows = connection.execute("SELECT id FROM accounts WHERE email_key = ? ORDER BY id", (mail,)).fetchall()
    if len(rows) != 1:
        told = "is of " + ", ".join(f"user:{id_}" for (id_,) in rows) if rows else "is no account of the directory"
        raise UsageError(f"{named!r} {told}. Name an account: python -m access.directory show user:ID")
    return str(rows[0][0])


def _accounts_with(connection: Connection, account: str) -> list[str]:
    rows = connection.execute(
        "SELECT id FROM accounts WHERE person_id = (SELECT person_id FROM accounts WHERE id = ?) ORDER BY id",
        (account,),
    )
    return [id_ for (id_,) in rows]


def main(argv: Sequence[str] | None = None) -> int:
    """Shows and decides who is who. Exit 0, 2 for wrong use."""
    import commandline
    from access.directory_command import index, who_decides

    parser = commandline.bare_parser(
        "Decide which accounts are one person's.",
        'python -m access.people merge user:42 user:graph/8f3a --why "same badge"',
    )
    parser.add_argument(
        "action", choices=("review", "decide", "merge", "unmerge", "decisions"),
        help="review: the pairs to decide; decide NUMBER same|different; merge A B; unmerge A; decisions: all so far",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", help="numbers of the review list, or accounts as user:42")
    commandline.add_index_flags(parser)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, for the record")
    parser.add_argument("--by", metavar="NAME", help="who decides; by default the system's user")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    with index(settings) as connection:
        report: dict[str, Any]
        if args.action == "review":
            report = {
                "review": {f"{r.id}": f"{r.account_a} and {r.account_b}: {r.reason}" for r in reviews(connection)}
            }
            report["review"] = report["review"] or {"pairs": "none"}
        elif args.action == "decisions":
            report = {"decisions": {str(made.id): _line(made) for made in decisions(connection)} or {"made": "none"}}
        else:
            by, why = who_decides(args.by), " ".join(args.why.split())
            if not why:
                raise UsageError('Say why, for the record: --why "same badge"')
            made = _decided(connection, args.action, args.names, by, why)
            report = {"decided": {str(one.id): _line(one) for one in made}}
    commandline.show(report, args.json)
    return 0


def _decided(connection: Connection, action: str, names: Sequence[str], by: str, why: str) -> list[Decision]:
    if action == "decide" and len(names) == 2 and names[0].isascii() and names[0].isdecimal():
        if names[1] in ("same", "different"):
            return decide(connection, int(names[0][:18]), names[1] == "same", by, why)
    elif action == "merge" and len(names) == 2:
        return merge(connection, names[0], names[1], by, why)
    elif action == "unmerge" and len(names) == 1:
        return unmerge(connection, names[0], by, why)
    raise UsageError("Write: decide NUMBER same, decide NUMBER different, merge A B, or unmerge A.")


def _line(made: Decision) -> str:
    told = f"{made.made_at} {made.made_by}: {made.action} user:{made.account_a} user:{made.account_b}"
    return told + "".join(f"; {part}" for part in (made.why, made.evidence) if part)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
