"""One job at a time on an index: a sync, a measurement of its limit, a restore, a vacuum. Readers need no lock.

Knows a file's path only. Try: two `python store.py --sync` at once
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from errors import StoreBusy
from storage.schema import BUSY_SECONDS, private


@contextlib.contextmanager
def locked(index: Path, wait: bool) -> Iterator[None]:
    """While the block runs no other process syncs this index or measures its limit. Raises StoreBusy."""
    # A lock that the system frees with the process, on every platform: an exclusive transaction on a file of its own.
    path = private(Path(f"{index}.lock"))
    lock = sqlite3.connect(path, timeout=BUSY_SECONDS * 20 if wait else 0, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            busy = f"Another process is syncing {index}. Wait until it has ended, then run again."
            raise StoreBusy(busy) from error
        yield
    finally:
        lock.close()
