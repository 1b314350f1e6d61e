"""Who somebody is: the principals of a person as of now, from the directory as last synced.

Groups in groups count, in any depth and in circles. Read at each question, so what a sync took away is gone with the
next one. Gets a connection to the index; knows no HTTP and no documents.
Try: python -m access.directory show user:42
"""

import contextlib
import json
from collections.abc import Iterator, Sequence

from access import EVERYONE, principal
from access.entries import address
from database import Connection
from errors import Refused

_GROUPS = "SELECT group_id FROM memberships WHERE member IN (SELECT value FROM json_each(?))"
_BY_LOGIN = "SELECT DISTINCT person_id FROM accounts WHERE login = ? AND login != ''"  # as the partial index wants it
_BY_MAIL = "SELECT DISTINCT person_id FROM accounts WHERE email_key = ? AND email_key != ''"
_OTHERS = """
    SELECT EXISTS (SELECT 1 FROM accounts WHERE email_key = :key AND email_key != '' AND person_id != :person)
        OR EXISTS (SELECT 1 FROM accounts WHERE id = :key AND person_id != :person)
"""


class UnknownPerson(Refused):
    """Somebody whom the directory does not know, or who is disabled in it: they hold nothing, not even `everyone`."""

    code = "unknown_person"
    http_status = 403


def principals_of(connection: Connection, subject: str) -> frozenset[str]:
    """What `subject` holds now: itself, `everyone`, all accounts of the person and all groups, in any depth.

    It is `user:` with an account's id, login or verified address, or `agent:` with a name. Where no directory was ever
    loaded it holds itself and `everyone`. Raises UnknownPerson, the same for a person who is not
    in the directory, is disabled, or whose address is two people's.
    """
    try:
        name = principal(subject)
    except ValueError as error:
        raise _unknown(subject) from error
    kind, _, key = name.partition(":")
    if kind not in ("user", "agent"):
        raise _unknown(subject)
    with one_moment(connection):
        if not is_loaded(connection):
            return frozenset({name, EVERYONE})
        own = {name} | (_names(connection, key) if kind == "user" else set())
        return closure(connection, own) | {EVERYONE}


def closure(connection: Connection, names: set[str]) -> frozenset[str]:
    """The principals and every group that holds one of them, or holds such a group."""
    held, fresh = set(names), set(names)
    while fresh:
        groups = {f"group:{id_}" for (id_,) in connection.execute(_GROUPS, (json.dumps(sorted(fresh)),))}
        fresh = groups - held
        held |= fresh
    return frozenset(held)


def is_loaded(connection: Connection) -> bool:
    """Whether a directory was ever loaded: from then on only whom it knows may ask."""
    return connection.execute("SELECT 1 FROM directories LIMIT 1").fetchone() is not None


def version(connection: Connection) -> int:
    """A number that grows whenever anybody's principals may have changed."""
    return int(connection.execute("SELECT version FROM directory_version").fetchone()[0])


def person_of(connection: Connection, key: str) -> int:
    """The row of the person with an account of this id, else login, else verified address. Raises UnknownPerson."""
    found = connection.execute("SELECT person_id FROM accounts WHERE id = ?", (key,)).fetchall()
    if not found:
        found = connection.execute(_BY_LOGIN, (key,)).fetchall()
    if not found and (mail := address(key)):
        found = connection.execute(_BY_MAIL, (mail,)).fetchall()
    if len(found) != 1:
        raise _unknown(f"user:{key}")
    return int(found[0][0])


def name_of(connection: Connection, subject: str) -> str:
    """What the directory calls the person of this principal, "" where it knows none."""
    kind, _, key = subject.partition(":")
    row = connection.execute("SELECT name FROM accounts WHERE id = ?", (key,)).fetchone() if kind == "user" else None
    return str(row[0]) if row else ""


@contextlib.contextmanager
def one_moment(connection: Connection) -> Iterator[None]:
    """All reads within the block see the directory as of one moment."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def _names(connection: Connection, key: str) -> set[str]:
    person = person_of(connection, key)
    rows = connection.execute("SELECT id, email_key, disabled FROM accounts WHERE person_id = ?", (person,)).fetchall()
    if any(disabled for _, _, disabled in rows):  # who leaves is disabled in one place first
        raise _unknown(f"user:{key}")
    names = {f"user:{id_}" for id_, _, _ in rows}
    for mail in {mail for _, mail, _ in rows if mail}:
        with contextlib.suppress(ValueError):  # an address with a comma is nobody's principal
            if not connection.execute(_OTHERS, {"key": mail, "person": person}).fetchone()[0]:
                names.add(principal(f"user:{mail}"))
    return names


def _unknown(subject: str) -> UnknownPerson:
    told = f"{subject!r} is nobody who may ask here. Ask the operators to add you to the directory."
    return UnknownPerson(told, whose=subject)


def main(argv: Sequence[str] | None = None) -> int:
    """Syncs the directory, or shows what it says.

    Exit 0; 2 for a wrong file or a name it does not know, 3 when a system is away.
    """
    from access.directory_command import command

    return command(argv)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
