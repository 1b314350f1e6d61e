"""What the tests of the directory share: an index, a listing in one line, and 250 people in groups."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import commandline
from access.directory import UnknownPerson, principals_of
from access.entries import Account, Group, Listing
from database import Connection
from storage.schema_directory import DIRECTORY
from tests.engine import connection_to, variables


@cache
def without_directory() -> sqlite3.Connection:
    """The tables of a directory that was never loaded, in memory; one for all tests, as nobody writes there."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    made.executescript(DIRECTORY)
    return made


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@dataclass
class Commands:
    """Runs a `main` as from the shell, its index in the folder."""

    main: Callable[[Sequence[str] | None], int]
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Done:
        for name, value in variables(self.folder / "index.db").items():
            self.monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as left:
            commandline.run(lambda _: self.main(words))
        out, err = self.capsys.readouterr()
        return Done(int(left.value.code or 0), out, err)


def opened(folder: Path) -> Connection:
    """A new index in the folder, or the one that is there."""
    return connection_to(folder / "index.db")


def listing(source: str = "", *accounts: Account | str, **groups: str) -> Listing:
    """Accounts by id, groups as name="user:1 group:x"."""
    made = tuple(one if isinstance(one, Account) else Account(one) for one in accounts)
    prefix = f"{source}/" if source else ""
    return Listing(
        source, made, tuple(Group(prefix + name, name, frozenset(told.split())) for name, told in groups.items())
    )


def groups_of(connection: Connection, subject: str) -> set[str]:
    """Ids of all groups of somebody; of nobody, {"unknown"}."""
    try:
        held = principals_of(connection, subject)
    except UnknownPerson:
        return {"unknown"}
    return {name.removeprefix("group:") for name in held if name.startswith("group:")}
