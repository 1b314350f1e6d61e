"""An empty index in a database of its own that goes when it is closed: for checks that must not touch the one in use.

Needs the tables' owner, with the right to make databases. Knows no document. Try: python doctor.py --access
"""

import contextlib
import secrets
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg

from access import Caller
from errors import StoreError
from postgres.connection import Connection, label
from postgres.prepare import prepare
from postgres.schema import GUARDED, WRITER
from postgres.store import PostgresStore
from storage.filter import EVERYTHING, Filter
from storage.reader import Reader


def made(owner: str, application: str, *, with_policies: bool = True) -> PostgresStore:
    """The index; without policies everybody reads everything in it. Raises StoreError, UsageError."""
    name = f"company_brain_scratch_{secrets.token_hex(4)}"
    _as_owner(owner, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        prepare(_in(owner, name), _in(application, name))
        if with_policies:
            return _Scratch(owner, application, name)
        _as_owner(_in(owner, name), *(f"ALTER TABLE brain.{table} DISABLE ROW LEVEL SECURITY" for table in GUARDED))
        return _Unfiltered(owner, application, name)
    except BaseException:
        _as_owner(owner, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        raise


class _Scratch(PostgresStore):
    def __init__(self, owner: str, application: str, name: str) -> None:
        self._owner, self._database = owner, name
        super().__init__(_in(application, name))

    def close(self) -> None:
        super().close()
        _as_owner(self._owner, f"DROP DATABASE IF EXISTS {self._database} WITH (FORCE)")


class _Unfiltered(_Scratch):
    def _check(self, connection: Connection) -> None:
        connection.execute(f"SET ROLE {WRITER}")  # else it is refused, as it should be

    @contextlib.contextmanager
    def reader(self, caller: Caller, model_id: int = 0, wanted: Filter = EVERYTHING) -> Iterator[Reader]:
        with super().reader(self.custodian(), model_id, wanted) as found:
            yield found


def _in(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _as_owner(url: str, *statements: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
            for statement in statements:
                connection.execute(statement.encode())
    except psycopg.Error as error:
        told = str(error).strip().split("\n")[0]
        raise StoreError(f"{label(url)}: no scratch database: {told}. Run: ALTER ROLE OWNER CREATEDB") from error
