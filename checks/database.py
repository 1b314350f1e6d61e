"""An index in PostgreSQL: the server, the role that asks, the policies that bind it, and what the tables hold.

Each look is told by itself, for a database of which one thing is wrong is one that the product itself refuses to open.
Changes nothing; a transaction that asks as somebody is rolled back. Try: BRAIN_DATABASE=ADDRESS python doctor.py
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from access import AccessList
from checks import Check, fail, looked, ok, warn
from config import Settings
from database import Connection
from errors import StoreError, UsageError
from postgres import check_driver
from storage.examine import SYNC, Fault

if TYPE_CHECKING:
    from postgres.connection import Connection as Connected

PREPARE = "python -m postgres.prepare, with BRAIN_DATABASE_OWNER"
_SPARE = 5  # connections of the server that others need besides
_NAMED = 3
_ENDS = {  # what mends each of postgres.prepare.dangers, by its first words
    "is a superuser": "ALTER ROLE {} NOSUPERUSER, or name another role in BRAIN_DATABASE",
    "has BYPASSRLS": "ALTER ROLE {} NOBYPASSRLS",
    "asks as": "REVOKE brain_writer FROM brain_reader",
    "owns": "name a role in BRAIN_DATABASE that owns nothing, then " + PREPARE,
}


class Content(Protocol):
    """What is looked at in any engine; see checks.indexed.content."""

    def __call__(self, connection: Connection, held: Mapping[int, AccessList]) -> Iterator[Check]: ...


def database(settings: Settings, content: Content, *, full: bool = False) -> Iterator[Check]:
    """Everything about the index in the database of the settings; `full` looks through all of its rows."""
    before = [*engine(settings)]
    yield from before
    if any(check.status == "fail" for check in before):
        return
    from postgres.store import PostgresStore

    with contextlib.closing(PostgresStore(settings.database)) as store:
        yield ok("index", f"{store.name}, {store.status().megabytes:.1f} MB")
        if full:
            from postgres.examine import examine_store

            yield from _faults(examine_store(store))
        else:
            yield ok("integrity", "not looked through; python doctor.py --full does")
        connection = store.connection()
        connection.execute("BEGIN")
        yield from content(connection, store.shelf().lists())


def engine(settings: Settings) -> Iterator[Check]:
    """What this engine alone can have wrong: server, role, policies, form, vector index, connections."""
    try:
        check_driver()
    except UsageError as error:
        yield fail("database", str(error).partition(" Run:")[0], "pip install '.[postgres]'")
        return
    from postgres.connection import Connection as Opened
    from postgres.connection import label

    try:
        connection = Opened(settings.database)
    except (StoreError, UsageError) as error:
        yield fail("database", str(error).partition(" Is the server up")[0], _reaches(settings.database))
        return
    with contextlib.closing(connection):
        looks: tuple[tuple[str, Callable[[Connected], Iterator[Check]]], ...] = (
            ("role", _role), ("policies", _policies), ("without principals", _nobody), ("form", _form),
            ("vector index", _index), ("connections", _room),
        )  # fmt: skip
        server = looked("database", lambda: _server(connection, label(settings.database)))
        yield from server
        if any(check.status == "fail" for check in server):
            return
        yield from looked("encryption", lambda: _encryption(connection, settings.database))
        for name, look in looks:
            found = looked(name, lambda look=look: look(connection))  # type: ignore[misc]
            yield from found
            if name == "role" and any(check.status == "fail" and PREPARE in check.mends for check in found):
                return  # nothing can be asked yet
    if settings.database_owner:
        told = "BRAIN_DATABASE_OWNER is set here: who takes this process over can take the policies away"
        yield warn("owner", told, "unset it; only python -m postgres.prepare needs it")


def _server(connection: Connection, name: str) -> Iterator[Check]:
    from postgres.prepare import OLDEST, OLDEST_VECTOR, vector_version

    number, version = connection.execute(
        "SELECT current_setting('server_version_num')::integer, current_setting('server_version')"
    ).fetchone()
    row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    told = f"{name}: PostgreSQL {version.split()[0]}"
    if number < OLDEST:
        yield fail("database", f"{told} is older than 16", "upgrade the server: pg_upgrade, or store.py --copy-to")
    elif row is None:
        yield fail("database", f"{told} has no pgvector in this database", PREPARE)
    elif vector_version(row[0]) < OLDEST_VECTOR:
        yield fail(
            "database", f"{told}, pgvector {row[0]} is older than 0.8", "as its owner: ALTER EXTENSION vector UPDATE"
        )
    else:
        yield ok("database", f"{told}, pgvector {row[0]}")


def _encryption(connection: Connection, url: str) -> Iterator[Check]:
    """Whether passages travel readable: a socket or this machine itself is nobody's wire."""
    row = connection.execute(
        "SELECT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), host(inet_client_addr())"
    ).fetchone()
    here = row[1] is None or row[1] in ("127.0.0.1", "::1") or urlsplit(url).hostname in ("localhost", "127.0.0.1")
    if not here and not row[0]:
        yield warn("encryption", "documents travel readable to the server", "BRAIN_DATABASE=...?sslmode=verify-full")


def _role(connection: "Connected") -> Iterator[Check]:
    from postgres.prepare import dangers
    from postgres.schema import READER, WRITER

    (role,) = connection.execute("SELECT session_user").fetchone()
    found = dangers(connection, role)
    for told in found[:1]:  # a superuser owns everything, too
        mends = next((mends for begins, mends in _ENDS.items() if told.startswith(begins)), PREPARE)
        yield fail("role", f"{role} {told}: it reads past the access lists", mends.format(role))
    may = "SELECT count(*) FROM pg_roles WHERE rolname IN (?, ?) AND pg_has_role(oid, 'SET')"
    if connection.execute(may, (READER, WRITER)).fetchone()[0] < 2:
        yield fail("role", f"{role} may not ask and sync yet", PREPARE)
    elif not found:
        yield ok("role", f"{role}: no superuser, no BYPASSRLS, owns nothing")


def _policies(connection: "Connected") -> Iterator[Check]:
    from postgres.prepare import unguarded
    from postgres.schema import GUARDED

    if found := unguarded(connection):
        told = f"row-level security is off, not forced, lacks a policy or has one too many: {', '.join(found)}"
        yield fail("policies", told, PREPARE)
    else:
        yield ok("policies", f"enabled and forced on {len(GUARDED)} tables")


def _nobody(connection: "Connected") -> Iterator[Check]:
    from postgres.prepare import shown_to_nobody

    if found := shown_to_nobody(connection):
        told = f"who asks without principals, or with an unknown one, is shown rows of {', '.join(found)}"
        yield fail("without principals", told, f"stop the server, then {PREPARE}")
    else:
        yield ok("without principals", "no row of any table, nor with a principal that nobody holds")


def _form(connection: Connection) -> Iterator[Check]:
    from postgres.prepare import VERSION
    from postgres.schema import MIGRATIONS, WRITER

    connection.execute(f"SET ROLE {WRITER}")  # from here on, as the product does
    held = int(connection.execute("SELECT value FROM meta WHERE key = ?", (VERSION,)).fetchone()[0])
    if held < len(MIGRATIONS):
        yield fail("form", f"the tables are of an older version ({held} of {len(MIGRATIONS)})", PREPARE)
    elif held > len(MIGRATIONS):
        yield fail("form", f"the tables are of a newer version ({held}, this one knows {len(MIGRATIONS)})", "git pull")
    else:
        yield ok("form", f"version {held}, as this program's")


def _index(connection: Connection) -> Iterator[Check]:
    from postgres.shelf import MANY

    for model_id, name, dimension in connection.execute("SELECT id, name, dimension FROM models").fetchall():
        sql = "SELECT count(*) FROM (SELECT 1 FROM embeddings WHERE model_id = ? LIMIT ?) AS few"
        many = connection.execute(sql, (model_id, MANY + 1)).fetchone()[0] > MANY
        (there,) = connection.execute("SELECT to_regclass(?)::text", (f"embeddings_of_model_{model_id}",)).fetchone()
        valid = there and connection.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)", (f"embeddings_of_model_{model_id}",)
        ).fetchone() == (True,)
        if many and not valid and dimension <= 4000:
            told = f"{name} has more than {MANY:,} passages and no vector index: each search reads all of them"
            yield warn("vector index", told, SYNC)
        elif valid:
            yield ok("vector index", f"there for {name}")


def _room(connection: Connection) -> Iterator[Check]:
    most, reserved, own, used = connection.execute(
        "SELECT current_setting('max_connections')::integer, "
        "current_setting('superuser_reserved_connections')::integer, "
        "(SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user), "
        "(SELECT sum(numbackends)::integer FROM pg_stat_database)"
    ).fetchone()
    free = most - reserved if own < 0 else min(most - reserved, own)
    needs = 2 * max(2, os.cpu_count() or 2) + 16 + 5  # see manual/postgres.md: what one server process takes at most
    told = f"{used} of {free} in use; a server process takes up to {needs}"
    if free < needs + _SPARE:
        yield warn("connections", told, f"ALTER SYSTEM SET max_connections = {2 * (needs + _SPARE)}, then restart it")
    else:
        yield ok("connections", told)


def _faults(faults: list[Fault]) -> Iterator[Check]:
    for what, mends in dict.fromkeys((fault.what, fault.mends) for fault in faults):
        where = [fault.where for fault in faults if fault.what == what]
        yield fail("integrity", f"{what}: {'; '.join(where[:_NAMED])}", mends)
    if not faults:
        yield ok("integrity", "looked through")


def _reaches(url: str) -> str:
    with contextlib.suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("postgresql", "postgres"):
            return f"pg_isready -h {parts.hostname or 'localhost'} -p {parts.port or 5432}"
    return "BRAIN_DATABASE=postgresql://USER@HOST/DATABASE"
