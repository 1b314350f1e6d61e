"""The engines that an index can stand in, as the owner's check list sees them: the one place where an engine is added.

An engine opens the index of the settings and an empty scratch one, and can switch its filter off in a scratch one, so
that a check which cannot fail is told from one that can. What it alone promises are its own `checks`.
Try: python doctor.py --access
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from access import Caller
from checks import Check, database, ok, warn
from config import Settings
from errors import StoreError
from storage.examine import SYNC
from storage.filter import EVERYTHING, Filter
from storage.reader import Reader
from storage.schema import MIGRATIONS, reading, translated
from store import Store, store_of


class Engine(Protocol):
    """What the check list asks of an engine."""

    name: str

    def live(self, settings: Settings) -> Store:
        """The index of the settings. Changes nothing in it. Raises StoreError."""
        ...

    def scratch(self, place: Path) -> Store:
        """An empty index of its own, which goes with the folder `place`. Raises StoreError."""
        ...

    def without_policy(self, place: Path) -> Store:
        """The same with its filter switched off: whoever asks gets everything. Raises StoreError."""
        ...

    def checks(self, settings: Settings) -> Iterable[Check]:
        """What this engine alone can do wrong: its role, its policies, its pooled connections."""
        ...


class Unfiltered(Store):
    """An index that asks for nobody's rights: everyone reads as one who holds every principal there is."""

    @contextlib.contextmanager
    def reader(self, caller: Caller, model_id: int = 0, wanted: Filter = EVERYTHING) -> Iterator[Reader]:
        """What everybody may read together, whoever asks."""
        with super().reader(self.custodian(), model_id, wanted) as found:
            yield found


class SQLite:
    """One file; the filter is the query that storage.lists writes."""

    name = "SQLite"

    def live(self, settings: Settings) -> Store:
        """The file of the settings, where it is there and of today's form: to open it any other changes it."""
        path = Path(os.path.realpath(settings.db))
        if not path.exists():
            raise StoreError(f"none yet at {path} Run: {SYNC}")
        with translated(path), contextlib.closing(reading(path)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version < len(MIGRATIONS):
            raise StoreError(f"of an older version ({version} of {len(MIGRATIONS)}) Run: {SYNC}")
        return Store(path, 3600 * settings.acl_max_hours)

    def scratch(self, place: Path) -> Store:
        """A file in the folder."""
        return Store(place / "scratch.db")

    def without_policy(self, place: Path) -> Store:
        """A file in the folder, read without the query."""
        return Unfiltered(place / "scratch.db")

    def checks(self, settings: Settings) -> Iterable[Check]:
        """Whoever may read the file reads all of it, past every rule; what the doctor's line `mode` finds."""
        yield ok("engine", f"{self.name}: who may read {settings.db} on the disk reads all of it, whatever the rules")


class PostgreSQL:
    """A database; the filter stands in each query and, besides, in its policies."""

    name = "PostgreSQL"

    def __init__(self, settings: Settings) -> None:
        self._owner, self._application = settings.database_owner, settings.database

    def live(self, settings: Settings) -> Store:
        """The database of the settings; to open it changes nothing."""
        return store_of(settings, 3600 * settings.acl_max_hours)

    def scratch(self, place: Path) -> Store:
        """A database that the owner makes for it; where no owner is set, a file in the folder."""
        return self._made() if self._owner else SQLite().scratch(place)

    def without_policy(self, place: Path) -> Store:
        """The same with the policies taken away and read without the query's own filter."""
        return self._made(with_policies=False) if self._owner else SQLite().without_policy(place)

    def checks(self, settings: Settings) -> Iterable[Check]:
        """Server, role, policies and rows without principals; see checks/database.py."""
        yield from database.engine(settings)
        if not self._owner:
            told = "the scratch index stands in a file: no owner is named who may make a database for it"
            yield warn("scratch", told, "BRAIN_DATABASE_OWNER=ADDRESS python doctor.py --access")

    def _made(self, *, with_policies: bool = True) -> Store:
        from postgres.scratch import made

        return made(self._owner, self._application, with_policies=with_policies)


def engine_of(settings: Settings) -> Engine:
    """The engine that holds the index of the settings."""
    return PostgreSQL(settings) if settings.database else SQLite()
