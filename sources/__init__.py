"""Where documents come from. One reader a file; a third party's reader implements `Source`.

A source lists and reads, it decides nothing about chunks, models or the database.
Try: python store.py --sync --docs docs
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from access import AccessList


@dataclass(frozen=True, slots=True)
class Entry:
    """A document that the source has, before it is opened."""

    path: str  # below the root, with slashes; unique within the source
    size: int  # bytes
    mtime_ns: int  # last change, nanoseconds since 1970


class Source(Protocol):
    """What a sync asks of a place that holds documents."""

    @property
    def root(self) -> str:
        """What an index of this source belongs to, the same at every start."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Every document there is. Raises SourceError when the place cannot be listed as a whole."""
        ...

    def some(self, paths: Collection[str], rules: Mapping[str, str]) -> list[Entry]:
        """The entries of these paths alone, none for one that is gone or not to be listed; nothing else is listed.

        `rules`: the access rules that the last listing left; they hold on, but for what is on the way to a path now.
        Raises SourceError for a path that only a listing of all can judge.
        """
        ...

    def skipped(self) -> list[tuple[str, str]]:
        """(path, reason) of what the last `entries` passed over and a person should know of."""
        ...

    def read(self, path: str) -> bytes:
        """The document's bytes. Raises OSError."""
        ...

    def access(self, path: str) -> AccessList:
        """Who may read it, as the source says after `entries` has ended; nobody where that is not known as a whole.

        `narrow` is left to the document itself. Raises OSError where it cannot be found out: the document leaves.
        """
        ...

    @property
    def access_terms(self) -> str:
        """The settings that its access lists come from; an index with lists of other ones is not answered from."""
        ...

    def recall(self, rules: Mapping[str, str]) -> None:
        """What `rules` gave at an earlier listing; called before `access`. Rules that vanished still hold."""
        ...

    def rules(self) -> dict[str, str]:
        """The access rules in force, name -> text, for the index to keep; empty where lists come with the documents."""
        ...

    def locate(self, path: str) -> Path | None:
        """The file on this machine, None where there is none."""
        ...
