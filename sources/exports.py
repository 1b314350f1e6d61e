"""Which folder is a Slack export: it names people, and has channels or folders with days of talk.

Knows no documents. Try: pytest tests/test_folder.py -k slack
"""

import contextlib
import os
from collections.abc import Iterable
from typing import Protocol

from sources.formats.slack import DAY

PEOPLE = "users.json"
_CHANNELS = "channels.json"


class Child(Protocol):
    """What stands in a folder, as os.DirEntry tells it."""

    @property
    def name(self) -> str:
        """Its last part."""

    @property
    def path(self) -> str:
        """Where it is."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a folder, or a link to one."""


def is_day(path: str) -> bool:
    """Whether a path below an export is a day of a channel: "general/2025-03-04.json"."""
    return path.count("/") == 1 and DAY.fullmatch(path) is not None


def is_export(children: Iterable[Child]) -> bool:
    """Whether what stands in a folder makes it an export."""
    held = [*children]
    names = {child.name for child in held}
    with contextlib.suppress(OSError):
        folders = [child for child in held if child.is_dir(follow_symlinks=False)] if PEOPLE in names else []
        days = (f"{one.name}/{name}" for one in folders for name in os.listdir(one.path))
        return PEOPLE in names and (_CHANNELS in names or any(map(is_day, days)))
    return False
