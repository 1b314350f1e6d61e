"""Readers of directory systems, one module each: read-only, page by page to the end, all of it or an error.

A reader makes a Listing of what its system tells; it knows no tables. `[systems.NAME]` of the directory file says which
reader and with what. Try: python -m access.directory sync
"""

import importlib
from pathlib import Path
from typing import Any

from access.entries import DirectoryError, Listing
from access.readers.options import Options

READERS = ("graph", "scim", "google", "ldap")


def read_system(name: str, table: dict[str, Any], base: Path) -> Listing:
    """What the system tells, as a whole. `base`: where relative paths in the table begin.

    Raises DirectoryError for a wrong table, SystemAway when the system does not tell everything.
    """
    options = Options(name, table, base)
    reader = options.text("reader")
    if reader not in READERS:
        raise DirectoryError(f"[systems.{name}]: reader {reader!r} is none of {', '.join(READERS)}.")
    module = importlib.import_module(f"access.readers.{reader}")
    listing: Listing = module.read(options)
    return listing
