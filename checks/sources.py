"""Sources and directories: when each was last gone through as a whole, and whether it fails since.

Reads the notes in the index (access/passes.py), asks nobody. Try: python doctor.py
"""

from collections.abc import Iterator

from access import passes
from checks import Check, ok, warn
from database import Connection


def gone_through(connection: Connection) -> Iterator[Check]:
    """A line for what fails, or one that nothing does."""
    held = passes.every(connection)
    failing = {name: one for name, one in held.items() if one.is_failing}
    for name, one in failing.items():
        since = f"last whole {one.complete[:19]}" if one.complete else "never whole"
        yield warn(name, f"failed {one.failed[:19]}, {since}: {one.error}", _mends(name))
    if held and not failing:
        oldest, at = min(((name, one.complete) for name, one in held.items()), key=lambda pair: pair[1])
        yield ok("passes", f"{len(held)} ended well; the oldest is {oldest}, {at[:19]}")


def _mends(name: str) -> str:
    kind, _, source = name.partition(" ")
    if kind == passes.DIRECTORY:
        return "python -m access.directory sync"
    return f"python -m access.sources --now {source}" if source else "python store.py --sync"
