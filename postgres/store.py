"""An index in PostgreSQL: any number of processes ask, one syncs a source at a time, the database keeps the lists.

Every thread has a connection that acts as who syncs; to read content it becomes, for one transaction, who asks, with
the caller's principals told to the policies. Knows no question and no answer.
Try: BRAIN_DATABASE=postgresql://app@db/brain python store.py --sync
"""

import contextlib
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import replace
from pathlib import Path

from access import Caller
from errors import StoreBusy, StoreError
from postgres import lists
from postgres.connection import BUSY_SECONDS, Connection, label
from postgres.prepare import VERSION, dangers, unguarded
from postgres.reader import PostgresReader, Rights
from postgres.schema import MIGRATIONS, READER, WRITER
from postgres.shelf import PostgresShelf
from storage.filter import EVERYTHING, Filter
from storage.lists import terms_of
from storage.reader import Reader
from store import Store

_WAIT_SECONDS = 600
_KEPT = 64  # sets of principals whose counts are kept
_PREPARE = "Run, as the tables' owner: python -m postgres.prepare"


class PostgresStore(Store):
    """One index in one database; safe to use from several threads and processes."""

    open_documents = lists.OPEN

    def __init__(self, url: str, list_seconds: float = 0.0) -> None:
        """Connects. Raises StoreError with the remedy, also where the role could read past the lists."""
        self._url = url
        self._held: OrderedDict[tuple[Hashable, ...], Rights] = OrderedDict()
        super().__init__(Path(label(url)), list_seconds)
        self.name = label(url)
        self.path = Path(self.name)  # for messages alone

    def connection(self) -> Connection:
        """This thread's connection, as who syncs; for sync and records, not for reading content. Raises StoreError."""
        found: Connection | None = getattr(self._local, "connection", None)
        if found is None or found.closed:
            if found is not None:
                if getattr(self._local, "holds", False):  # its lock went with it, and another may be at work by now
                    raise StoreBusy(f"The connection to {self.name} was lost on the way. Run again.")
                self._forget(found)
            found = self._connect()
            self._adopt(found)
        return found

    def shelf(self) -> PostgresShelf:
        """What this thread's sync writes by."""
        return PostgresShelf(self.connection())

    @contextlib.contextmanager
    def locked(self, wait: bool, what: str = "") -> Iterator[None]:
        """While the block runs nobody else syncs this index or measures its limit, or does `what`. Raises StoreBusy."""
        own = self.connection()  # that writes as well, so that nothing is written once the lock is lost
        key = f"hashtext('company brain {what or 'sync'}')"
        try:
            if wait:
                own.execute(f"SET lock_timeout = '{_WAIT_SECONDS}s'")
                own.execute(f"SELECT pg_advisory_lock({key})")
            elif not own.execute(f"SELECT pg_try_advisory_lock({key})").fetchone()[0]:
                raise StoreBusy("locked")
        except StoreBusy as error:
            busy = f"Another process is syncing {self.name}. Wait until it has ended, then run again."
            raise StoreBusy(busy) from error
        finally:
            if wait and not own.closed:
                own.execute(f"SET lock_timeout = '{BUSY_SECONDS:.0f}s'")
        self._local.holds = True
        try:
            yield
        finally:
            self._local.holds = False
            with contextlib.suppress(StoreError):  # the server frees it with the connection
                if own.in_transaction:
                    own.execute("ROLLBACK")
                own.execute(f"SELECT pg_advisory_unlock({key})")

    @contextlib.contextmanager
    def reader(self, caller: Caller, model_id: int = 0, wanted: Filter = EVERYTHING) -> Iterator[Reader]:
        """A consistent view of what `caller` may read and `wanted` lets in, with the vectors of one model (0: none)."""
        connection, principals = self.connection(), lists.as_setting(caller)
        connection.execute("BEGIN")
        try:
            connection.execute("SELECT become(?)", (principals,))
            if self.terms is not None and terms_of(connection) != self.terms:
                raise StoreBusy("Who may read what is being compared. Ask again in a few seconds.")
            row = connection.execute("SELECT dimension FROM models WHERE id = ?", (model_id,)).fetchone()
            if model_id and row is None:
                raise StoreError(f"{self.name} holds no vectors of model {model_id}. Run: python store.py --sync")
            rights = self._rights_of(connection, caller, wanted)
            yield PostgresReader(connection, (model_id, row[0] if row else 0), rights, caller)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _forget(self, connection: Connection) -> None:
        connection.close()
        with self._lock, contextlib.suppress(ValueError):
            self._connections.remove(connection)

    def _connect(self, create: bool = True) -> Connection:
        made = Connection(self._url)
        try:
            self._check(made)
        except BaseException:
            made.close()
            raise
        return made

    def _check(self, connection: Connection) -> None:
        """Nobody is answered by a role for whom the policies do not hold, or from tables without them."""
        (role,) = connection.execute("SELECT session_user").fetchone()
        if found := dangers(connection, role):
            raise StoreError(f"{label(self._url)}: the role {role} {found[0]}. Set BRAIN_DATABASE to one that is not.")
        may = "SELECT count(*) FROM pg_roles WHERE rolname IN (?, ?) AND pg_has_role(oid, 'MEMBER')"
        if connection.execute(may, (READER, WRITER)).fetchone()[0] < 2:
            raise StoreError(f"{label(self._url)}: the role {role} may not ask and sync yet. {_PREPARE}")
        connection.execute(f"SET ROLE {WRITER}")
        if connection.execute("SELECT to_regclass('meta')").fetchone()[0] is None:
            raise StoreError(f"{label(self._url)} holds no index. {_PREPARE}")
        if found := unguarded(connection):
            raise StoreError(f"{label(self._url)}: the policy does not hold on {', '.join(found)}. {_PREPARE}")
        held = int(connection.execute("SELECT value FROM meta WHERE key = ?", (VERSION,)).fetchone()[0])
        if held != len(MIGRATIONS):
            told = "older" if held < len(MIGRATIONS) else "newer"
            mends = _PREPARE if held < len(MIGRATIONS) else "Update the program."
            raise StoreError(f"{label(self._url)} is of a {told} form (schema {held}). {mends}")

    def _file_now(self) -> None:
        return None

    def _bytes(self) -> int:
        sql = (
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'"
        )
        return int(self.connection().execute(sql).fetchone()[0])

    def _rights_of(self, connection: Connection, caller: Caller, wanted: Filter) -> Rights:
        """What the caller may read, asked of the database as the caller. Kept for each state of the index."""
        without, wanted = wanted.without, replace(wanted, without=())
        generation = int(connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0])
        old = self._are_lists_old(connection)
        key = (caller.sets, wanted, old)
        with self._lock:
            held = self._held.get(key)
            if held is not None and held.generation == generation:
                self._held.move_to_end(key)
        if held is None or held.generation != generation:
            held = _asked(connection, generation, lists.readable(connection, caller, old), wanted)
            with self._lock:
                self._held[key] = held
                while len(self._held) > _KEPT:
                    self._held.popitem(last=False)
        if not without:
            return held
        condition, values = held.of("d.list_id", "d.id")
        rows = connection.execute(
            f"SELECT d.id FROM documents d WHERE d.path <> ALL(?){condition}", ([*without], *values)
        )
        found = _counted(connection, generation, held.lists, [number for (number,) in rows])
        found.languages = held.languages  # a question is looked up by the same stems, whatever is left out
        return found


def _asked(connection: Connection, generation: int, listed: list[int], wanted: Filter) -> Rights:
    condition, values = wanted.condition(regular=True)
    if not condition:
        return _counted(connection, generation, listed, None)
    rows = connection.execute(f"SELECT d.id FROM documents d WHERE d.list_id = ANY(?){condition}", (listed, *values))
    return _counted(connection, generation, listed, [number for (number,) in rows])


def _counted(connection: Connection, generation: int, listed: list[int], documents: list[int] | None) -> Rights:
    made = Rights(generation, listed, documents, 0, 0, [])
    condition, values = made.of("c.list_id", "c.document_id")
    sql = f"SELECT count(*), coalesce(sum(c.terms), 0)::bigint FROM chunks c WHERE true{condition}"
    if documents is None:
        sql = "SELECT coalesce(sum(chunks), 0)::bigint, coalesce(sum(terms), 0)::bigint FROM list_states WHERE true"
        condition, values = made.of("list_id", "")
        sql += condition
    made.count, made.terms = connection.execute(sql, values).fetchone()
    condition, values = made.of("d.list_id", "d.id")
    order = "GROUP BY d.lang ORDER BY count(*) DESC, min(d.id)"
    languages = connection.execute(f"SELECT d.lang FROM documents d WHERE true{condition} {order}", values)
    made.languages = [lang for (lang,) in languages]
    return made
