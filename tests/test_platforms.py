"""Paths as Linux, macOS and Windows write them, wherever the tests run: they are judged by their text."""

import contextlib
import ntpath
import os
import posixpath
import random
import re
import sqlite3
import stat
import unicodedata
from collections.abc import Callable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from types import ModuleType, SimpleNamespace
from typing import Literal, cast

import pytest

from chunk import split
from errors import UsageError
from search import Index
from sources.folder import FolderSource, unseen
from storage.filter import Filter, _place, _regular, filter_of
from storage.schema import address_of
from tests.conftest import caller, write

WINDOWS, POSIX = (ntpath, PureWindowsPath), (posixpath, PurePosixPath)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/srv/brain/index.db"), "file:///srv/brain/index.db"),
        (PurePosixPath("/srv/50% of a?b#c/index.db"), "file:///srv/50%25%20of%20a%3Fb%23c/index.db"),
        (PurePosixPath("/Users/Zoë/index.db"), "file:///Users/Zo%C3%AB/index.db"),
        (PureWindowsPath(r"C:\Brain Data\index.db"), "file:///C:/Brain%20Data/index.db"),
        (PureWindowsPath(r"\\server\share\index.db"), "file:////server/share/index.db"),
    ],
)
def test_the_address_of_an_index(path: PurePath, uri: str) -> None:
    assert address_of(path) == uri


@pytest.mark.parametrize(
    ("system", "root", "path", "place"),
    [
        (POSIX, "/srv/docs", "/srv/docs/travel/", "travel"),
        (POSIX, "/srv/docs", "/srv/docs", "*"),
        (POSIX, "/srv/docs", "travel/*.md", "travel/*.md"),
        (POSIX, "/", "/travel", "travel"),
        (WINDOWS, r"C:\Docs", r"C:\Docs\travel\*.md", "travel/*.md"),
        (WINDOWS, r"C:\Docs", r"c:\docs\Travel", "Travel"),
        (WINDOWS, r"C:\Docs", r"travel\hotels.md", "travel/hotels.md"),
        (WINDOWS, r"C:\Docs", r".\travel", "travel"),
        (WINDOWS, r"\\server\share\docs", r"\\SERVER\share\docs\travel", "travel"),
        (WINDOWS, "C:\\", r"C:\travel", "travel"),
    ],
)
def test_a_place_below_the_root(system: tuple[ModuleType, type[PurePath]], root: str, path: str, place: str) -> None:
    module, flavour = system
    assert _place(path, flavour(root), module) == place


@pytest.mark.parametrize(
    ("system", "root", "path"),
    [
        (POSIX, "/srv/docs", "/srv/docs2/travel"),
        (POSIX, "/srv/docs", "/SRV/docs/travel"),
        (WINDOWS, r"C:\Docs", r"D:\Docs\travel"),
        (WINDOWS, r"C:\Docs", r"C:\Docs2\travel"),
    ],
)
def test_a_place_elsewhere(system: tuple[ModuleType, type[PurePath]], root: str, path: str) -> None:
    module, flavour = system
    with pytest.raises(UsageError, match="is not below"):
        _place(path, flavour(root), module)


Form = Literal["NFC", "NFD"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("kept", ["NFC", "NFD"])
def test_a_name_typed_in_the_other_form_of_its_accents(
    form: Form, kept: Form, make_index: Callable[..., Index], tmp_path: Path
) -> None:
    """macOS keeps names as they were given, often decomposed; keyboards compose."""
    folder = tmp_path / "docs"
    name = unicodedata.normalize(kept, "Büro/Zoë.md")
    write(folder, {name: "# Zoë\n\nSie sitzt in Halle 4.\n", "andere.md": "# Ben\n\nEr sitzt in Halle 5.\n"})
    index = make_index(folder)
    index.sync()
    for asked in ("Büro", "Büro/Zoë.md", "Büro/*.md"):
        wanted = filter_of(None, None, unicodedata.normalize(form, asked))
        with index.store.reader(caller("everyone"), 0, wanted) as reader:
            assert reader.count == 1, asked


def test_a_plain_name_is_looked_for_once() -> None:
    sql, values = Filter(path="travel").condition()
    assert (sql.count("GLOB"), len(values)) == (1, 4)


def test_what_office_keeps_beside_an_open_file_is_no_document(tmp_path: Path) -> None:
    write(tmp_path, {"~$plan.md": "owner", "._plan.md": "resource fork", "plan.md": "# Plan\n"})
    assert [entry.path for entry in FolderSource(tmp_path).entries()] == ["plan.md"]


@pytest.mark.parametrize(
    ("marks", "tag", "told"),
    [
        (stat.FILE_ATTRIBUTE_ARCHIVE, 0, False),
        (stat.FILE_ATTRIBUTE_HIDDEN, 0, True),
        (stat.FILE_ATTRIBUTE_SYSTEM, 0, True),
        (stat.FILE_ATTRIBUTE_DIRECTORY, 0xA0000003, True),  # a junction
        (stat.FILE_ATTRIBUTE_ARCHIVE, 0x9000001A, False),  # a file that a cloud's client keeps
    ],
)
def test_marks_of_windows(marks: int, tag: int, told: bool) -> None:
    status = cast(os.stat_result, SimpleNamespace(st_file_attributes=marks, st_reparse_tag=tag))
    assert unseen(status) is told


@pytest.mark.parametrize("name", [r"C:\docs\leave-policy.md", "/docs/leave-policy.md", r"\\s\docs\leave-policy.md"])
def test_a_title_from_a_file_name(name: str) -> None:
    assert split("Text.\n", name).title == "Leave policy"


def test_a_pattern_of_paths_means_the_same_as_a_regular_expression() -> None:
    """PostgreSQL has no GLOB: 3,000 patterns of brackets, ranges and stars on paths of the same letters."""
    letters = random.Random(5)
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for _ in range(3000):
            pattern = "".join(letters.choices("ab]-[^*?/.", k=letters.randrange(1, 9)))
            path = "".join(letters.choices("ab]-[^/.", k=letters.randrange(1, 6)))
            (fits,) = connection.execute("SELECT ? GLOB ?", (path, pattern)).fetchone()
            assert bool(re.match(_regular(pattern), path, re.DOTALL)) == bool(fits), (pattern, path)
