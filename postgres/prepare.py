"""Makes or updates the tables of an index in PostgreSQL, once, by the database's owner: `python -m postgres.prepare`.

Needs two addresses: BRAIN_DATABASE_OWNER, who makes and owns the tables, and BRAIN_DATABASE, as whom the application
connects and who gets the rights to ask and to sync, and nothing more. Knows roles and migrations, no documents.
Try: python -m postgres.prepare --help
"""

if __name__ == "__main__":
    import sys

    import commandline
    from errors import UsageError
    from postgres import check_driver

    commandline.stop_quietly()
    try:
        check_driver()  # what is imported below needs it
    except UsageError as error:
        commandline.out(f"error: {error}", sys.stderr)
        raise SystemExit(error.exit_code) from None

import re
import secrets
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql

from access import Caller
from errors import StoreError, UsageError
from postgres import lists
from postgres.connection import SCHEMA, Connection, label
from postgres.schema import GUARDED, MIGRATIONS, READER, WRITER

OLDEST = 160000
"""PostgreSQL 16: rights that a role holds but does not use before it says so (WITH INHERIT FALSE)."""
OLDEST_VECTOR = (0, 8)
"""pgvector 0.8: an index scan that goes on until enough of what may be read is found."""
_POLICIES = re.compile(r"^CREATE POLICY (\w+) ON (\w+) .*?;$", re.MULTILINE | re.DOTALL)
_WAIT = "10s"  # for the locks of a repair; who waits for one holds up everybody behind
VERSION = "schema"
"""The row in `meta` with the number of the last migration."""


def prepare(owner: str, application: str = "") -> list[str]:
    """Brings the tables up to date and grants the application's role its rights; returns what was done.

    Any number of times. Without an `application` address nobody is granted anything. Raises StoreError, UsageError.
    """
    done = []
    try:
        with psycopg.connect(owner, autocommit=True, connect_timeout=10) as connection:
            if connection.info.server_version < OLDEST:
                raise StoreError(f"{label(owner)} is older than PostgreSQL 16. Use a newer server.")
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise StoreError(f"{label(owner)} is not in UTF8. Make another: CREATE DATABASE ... ENCODING 'UTF8'")
            _roles(connection)
            done += _migrate(connection)
            done += _repair(connection)
            if application:
                done += _grant(connection, application)
    except psycopg.Error as error:
        told = str(error).strip().split("\n")[0]
        raise StoreError(f"{label(owner)}: {told}.{_helps(error)}") from error
    return done or ["nothing: all is as it should be"]


def _helps(error: psycopg.Error) -> str:
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return (
            " The owner needs CREATEROLE and CREATE on the database. Where the server lets a superuser alone make "
            "pgvector's extension, a superuser does it once: CREATE EXTENSION vector (manual/postgres.md)"
        )
    if isinstance(error, psycopg.errors.FeatureNotSupported | psycopg.errors.UndefinedFile):
        return " Install pgvector on the server, as the package postgresql-18-pgvector on Debian."
    if isinstance(error, psycopg.OperationalError):
        return " Is the server up, and are the addresses in BRAIN_DATABASE_OWNER and BRAIN_DATABASE right?"
    return ""


def _roles(connection: psycopg.Connection) -> None:
    """The two roles, which nobody can log in as; the owner must be able to use them in its migrations."""
    for role in (READER, WRITER):
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))


def _migrate(connection: psycopg.Connection) -> list[str]:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('company brain migration'))")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(SCHEMA)))
        ours = "SELECT pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = %s"
        if connection.execute(ours, (SCHEMA,)).fetchone() != (True,):
            raise StoreError(f"A schema {SCHEMA} is there, somebody else's. Run: ALTER SCHEMA {SCHEMA} OWNER TO OWNER")
        where = connection.execute(
            "SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
            "WHERE e.extname = 'vector'"
        ).fetchone()
        if where is None or where[0] not in ("public", SCHEMA):
            raise StoreError(
                "pgvector stands in another schema than public. Run: ALTER EXTENSION vector SET SCHEMA public"
            )
        if vector_version(where[1]) < OLDEST_VECTOR:
            raise StoreError(f"pgvector {where[1]} is too old, 0.8 is needed. Run: ALTER EXTENSION vector UPDATE")
        connection.execute(sql.SQL("SET LOCAL search_path = {}, public").format(sql.Identifier(SCHEMA)))
        held = version(connection)
        if held > len(MIGRATIONS):
            raise StoreError(f"The database was made by a newer version (schema {held}). Update the program.")
        for number in range(held + 1, len(MIGRATIONS) + 1):
            connection.execute(MIGRATIONS[number - 1].encode())
            connection.execute(
                "INSERT INTO meta VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (VERSION, str(number)),
            )
        return [f"migration {number}" for number in range(held + 1, len(MIGRATIONS) + 1)]


def version(connection: psycopg.Connection) -> int:
    """The number of the last migration of the schema on the search path, 0 for none."""
    if connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.meta",)).fetchone() == (None,):
        return 0
    row = connection.execute(f"SELECT value FROM {SCHEMA}.meta WHERE key = %s".encode(), (VERSION,)).fetchone()
    return int(row[0]) if row else 0


def _grant(connection: psycopg.Connection, application: str) -> list[str]:
    with psycopg.connect(application, connect_timeout=10) as other:
        row = other.execute("SELECT current_user").fetchone()
    name = row[0] if row else ""
    faults = dangers(connection, name)
    if faults:
        raise UsageError(f"BRAIN_DATABASE: the role {name} {faults[0]}. Name one that is bound by the access lists.")
    held = (
        "SELECT count(*) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid WHERE r.rolname IN (%s, %s) "
        "AND m.member = %s::regrole AND m.set_option AND NOT m.inherit_option"
    )
    _shut_out(connection, name)
    if connection.execute(held, (READER, WRITER, sql.Identifier(name).as_string())).fetchone() == (2,):
        return []
    for role in (READER, WRITER):
        connection.execute(
            sql.SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(sql.Identifier(role), sql.Identifier(name))
        )
    return [f"{name} may ask and sync"]


def _shut_out(connection: psycopg.Connection, name: str) -> None:
    """Of the server's other roles none connects: the application's of another index may act as the same two roles."""
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("REVOKE CONNECT, TEMPORARY ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, sql.Identifier(name)))


def _repair(connection: psycopg.Connection) -> list[str]:
    """Makes the policies anew, as the migrations have them, where one is off, missing, more or lets anybody in."""
    may = connection.execute(
        "SELECT pg_has_role(%s, 'SET'), pg_has_role(%s, 'MEMBER WITH ADMIN OPTION')", (READER, READER)
    ).fetchone()
    if may == (False, True):  # who makes a role may give it, also to themselves, and does not have it yet
        reader = sql.Identifier(READER)
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE").format(reader))
    shown = shown_to_nobody(connection) if may != (False, False) else []
    broken = sorted({*unguarded(connection), *shown})
    if not broken:
        return []
    last = {(found[2], found[1]): found[0] for text in MIGRATIONS for found in _POLICIES.finditer(text)}
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = '{_WAIT}'".encode())
        connection.execute(sql.SQL("SET LOCAL search_path = {}, public").format(sql.Identifier(SCHEMA)))
        for table, name in connection.execute(_POLICIES_THERE, (SCHEMA, list(GUARDED))).fetchall():
            connection.execute(sql.SQL("DROP POLICY {} ON {}").format(sql.Identifier(name), sql.Identifier(table)))
        for table in GUARDED:
            for how in ("ENABLE", "FORCE"):
                connection.execute(f"ALTER TABLE {table} {how} ROW LEVEL SECURITY".encode())
        for statement in last.values():
            connection.execute(statement.encode())
    return [f"policies made anew, which did not hold on {', '.join(broken)}"]


def shown_to_nobody(connection: psycopg.Connection | Connection) -> list[str]:
    """Tables that show a row to who asks without principals, or with one that nobody holds. Really asked, as reader.

    The connection's role must be one that may act as the reader; it is in no transaction.
    """
    found = set()
    nobody = Caller("nobody", frozenset({f"user:nobody-{secrets.token_hex(8)}"}))
    for principals in ("", lists.as_setting(nobody)):
        connection.execute("BEGIN")
        try:
            connection.execute(f"SET LOCAL ROLE {READER}")
            connection.execute(f"SET LOCAL search_path = {SCHEMA}, public")
            connection.execute(f"SELECT set_config('app.principals', '{principals}', true)")
            found |= {
                table for table in GUARDED if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
            }  # fmt: skip
        finally:
            connection.execute("ROLLBACK")
    return sorted(found)


def vector_version(told: str) -> tuple[int, ...]:
    """A version as numbers: 0.8.5 is (0, 8, 5)."""
    return tuple(int(part) for part in re.findall(r"\d+", told))


def dangers(connection: psycopg.Connection | Connection, role: str) -> list[str]:
    """Why this role could read past the access lists, as ends of a sentence; none for a good one."""
    found = []
    rows: Sequence[tuple[str, str]] = (
        ("is a superuser, or may act as one, for whom no policy holds", "rolsuper"),
        ("has BYPASSRLS, or may act as a role that has, so no policy holds for it", "rolbypassrls"),
    )
    for told, column in rows:
        if _asked(connection, f"SELECT 1 FROM pg_roles WHERE pg_has_role(?, oid, 'MEMBER') AND {column}", (role,)):
            found.append(told)
    joined = "SELECT 1 FROM pg_roles WHERE rolname = ? AND pg_has_role(oid, ?, 'MEMBER')"
    if _asked(connection, joined, (READER, WRITER)):
        found.append(f"asks as {READER}, which may act as {WRITER} and so sees all rows")
    owns = (
        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = ? AND pg_has_role(?, c.relowner, 'MEMBER')"
    )
    if _asked(connection, owns, (SCHEMA, role)):
        found.append("owns the tables, or may act as their owner, and could take the policies away")
    return found


def unguarded(connection: psycopg.Connection | Connection) -> list[str]:
    """Tables that should obey the access lists and do not: policies are off, not forced, missing, or others."""
    query = (
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = ? AND c.relname = ANY(?) AND c.relrowsecurity AND c.relforcerowsecurity "
        "AND (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) = 2 "
        "AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'all_rows' "
        "AND p.polroles = ARRAY[to_regrole(?)]::oid[]) "
        "AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'who_may_read' "
        "AND p.polroles = ARRAY[to_regrole(?)]::oid[] AND p.polcmd = 'r' AND pg_get_expr(p.polqual, c.oid) <> 'true')"
    )
    rows = _asked(connection, query, (SCHEMA, list(GUARDED), WRITER, READER))
    return sorted(set(GUARDED) - {name for (name,) in rows})


def _asked(connection: psycopg.Connection | Connection, query: str, values: Sequence[Any]) -> list[Any]:
    """Rows, whether it is the owner who asks or the application."""
    if isinstance(connection, psycopg.Connection):
        return connection.execute(query.replace("?", "%s").encode(), values).fetchall()
    return connection.execute(query, values).fetchall()


_POLICIES_THERE = (
    "SELECT c.relname, p.polname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relname = ANY(%s)"
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0, 2 for a wrong setting or a database that cannot be used."""
    import commandline
    from config import load

    parser = commandline.bare_parser(
        "Make or update the tables of an index in PostgreSQL, and grant the application its rights.",
        "BRAIN_DATABASE_OWNER=postgresql://postgres@db/brain python -m postgres.prepare",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = load()
    if not settings.database_owner:
        raise UsageError("BRAIN_DATABASE_OWNER is not set: the address as whom the tables are made and owned.")
    done = prepare(settings.database_owner, settings.database)
    if not settings.database:
        commandline.notice("BRAIN_DATABASE is not set: nobody was granted the rights to ask and sync")
    commandline.show({"prepare": {"database": label(settings.database_owner), "done": done}}, args.json)
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
