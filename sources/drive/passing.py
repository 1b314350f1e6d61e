"""A pass over one declared source that Drive fills: its settings, its credentials, one at a time, and how it ended.

Gets a connection to the index for the groups of the directory and for the note; knows no schedule.
Try: python -m access.sources --now NAME
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from access import passes, principal
from access.directory_file import read_file
from access.entries import DirectoryError
from access.readers.google import DRIVE_FILES, DRIVE_LISTS, Holders, drive
from access.readers.options import Options
from config import Settings
from database import Connection
from errors import SourceError, Stopped, UsageError
from settings.sources import Declared
from sources.drive.listing import Drive
from sources.drive.mirror import Mirror, Report
from sources.drive.state import translated
from sources.formats import MODULES

Lock = Callable[[Path, bool], AbstractContextManager[None]]
"""Holds the lock of a file; the second says whether to wait for it. Raises StoreBusy."""
Syncing = Callable[[bool], AbstractContextManager[None]]
"""The same of the index: while it holds no sync runs."""


def run(
    settings: Settings, source: Declared, connection: Connection, lock: Lock, syncing: Syncing, *,
    lists_only: bool = False, allow_empty: bool = False, stop: Callable[[], bool] = lambda: False,
) -> Report:  # fmt: skip
    """One pass, noted in the index. `lists_only`: who may read what is there, nothing else.

    Raises UsageError, SourceError, DirectoryError with SystemAway, StoreBusy where another process is at it, Stopped.
    """
    both = (passes.contents(source.name), passes.lists(source.name))
    with passes.noted(connection, *(both[1:] if lists_only else both)):
        if not settings.docs_dir.is_dir():  # a share that is not mounted is not made here
            raise SourceError(f"The documents' folder {settings.docs_dir} does not exist. Mount it, or name another.")
        mirror = _mirror(settings, source, connection, syncing, lists_only, stop)
        with translated(mirror.copy.root):
            mirror.copy.make()
        with lock(mirror.copy.own / "pass", False):
            try:
                return mirror.lists() if lists_only else mirror.contents(allow_empty)
            except (DirectoryError, SourceError) as error:
                if stop():
                    raise Stopped(f"{source.name}: the pass was stopped. The next one goes on.") from error
                raise


def _mirror(
    settings: Settings, source: Declared, connection: Connection, syncing: Syncing, lists_only: bool,
    stop: Callable[[], bool],
) -> Mirror:  # fmt: skip
    if settings.directory is None:
        raise UsageError(f"[sources.{source.name}] needs BRAIN_DIRECTORY: its file names the system {source.system}.")
    table = read_file(settings.directory).systems.get(source.system)
    if not table or table.get("reader") != "google":
        raise UsageError(
            f'[sources.{source.name}]: {settings.directory} has no [systems.{source.system}] with reader = "google".'
        )
    options = Options(source.system, table, settings.directory.absolute().parent)

    token = dict[str, str]()

    @contextlib.contextmanager
    def connect() -> Iterator[Drive]:
        with drive(options, DRIVE_LISTS if lists_only else DRIVE_FILES, token) as api:
            api.stop = stop
            yield Drive(api)

    def sizes(ending: str) -> int:
        return int(1e6 * (settings.max_document_mb if ending in MODULES else settings.max_file_mb))

    root = settings.docs_dir / source.path
    holders = _holders(source, connection)
    return Mirror(root, source.folder, connect, holders, sizes, lambda: syncing(True), stop)


def _holders(source: Declared, connection: Connection) -> Holders:
    rows = connection.execute(
        "SELECT address, 'group:' || id FROM directory_groups WHERE source = ? AND address <> ''", (source.system,)
    ).fetchall()
    count = Counter(address for address, _ in rows)
    groups = {address: name for address, name in rows if count[address] == 1}
    anyone = frozenset(principal(one) for one in _parts(source.anyone))
    return Holders(source.system, groups, anyone, frozenset(_parts(source.with_link)))


def _parts(listed: str) -> list[str]:
    return [one.strip() for one in listed.split(",") if one.strip()]
