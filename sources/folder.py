"""Documents in a folder: .md and .txt files, recursive; hidden and ignored ones are left out.

`.gitignore` and `.brainignore` files are obeyed in the folder they stand in and below. A link that leads out of the
root is not followed. Knows no chunks and no database. Try: python store.py --sync --docs ~/handbook
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from access import EVERYONE
from errors import SourceError
from sources import Entry

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".md", ".txt", ".markdown")
IGNORE_FILES = (".gitignore", ".brainignore")

_Rules = tuple[tuple[str, "GitIgnoreSpec"], ...]


class FolderSource:
    """The Source protocol over a folder; everyone who reaches the index may read its documents."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._skipped: list[tuple[str, str]] = []

    @property
    def root(self) -> str:
        """The folder's absolute path, links resolved."""
        return os.path.realpath(self._root)

    def entries(self) -> Iterator[Entry]:
        """Every .md and .txt file below the root, the files of a folder by name."""
        self._skipped = []
        if not self._root.is_dir():
            reason = "is no folder" if self._root.exists() else "does not exist"
            raise SourceError(f"The documents' folder {self._root} {reason}. Name it with --docs or BRAIN_DOCS_DIR.")
        return self._walk()

    def skipped(self) -> list[tuple[str, str]]:
        """Files and folders that could not be looked at, with the reason."""
        return list(self._skipped)

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises OSError."""
        return (self._root / path).read_bytes()

    def principals(self, path: str) -> frozenset[str]:
        """Everyone: a plain folder keeps no access list."""
        return frozenset({EVERYONE})

    def locate(self, path: str) -> Path | None:
        """The file itself."""
        return self._root / path

    def _walk(self) -> Iterator[Entry]:
        waiting: list[tuple[str, _Rules]] = [("", ())]
        while waiting:
            below, rules = waiting.pop()
            children = self._children(below)
            rules = self._with_rules_of(children, below, rules)
            for child in children:
                path = below + child.name
                if child.name.startswith("."):
                    continue
                if child.is_dir(follow_symlinks=False):
                    if not _ignored(path + "/", rules):
                        waiting.append((path + "/", rules))
                elif child.name.lower().endswith(SUFFIXES) and not _ignored(path, rules):
                    entry = self._entry(child, path)
                    if entry:
                        yield entry

    def _children(self, below: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._root / below) as found:
                return sorted(found, key=lambda child: child.name)
        except OSError as error:
            if not below:
                raise SourceError(f"The documents' folder {self._root} cannot be listed: {error.strerror}.") from error
            self._skipped.append((_printable(below), f"cannot be listed: {error.strerror}"))
            return []

    def _with_rules_of(self, children: list[os.DirEntry[str]], below: str, rules: _Rules) -> _Rules:
        for name in IGNORE_FILES:  # the second has the last word
            child = next((child for child in children if child.name == name), None)
            if child:
                try:
                    lines = Path(child.path).read_text(encoding="utf-8-sig", errors="replace").splitlines()
                    rules = (*rules, (below, _read_rules(lines)))
                except OSError as error:
                    self._skipped.append((_printable(below + name), f"cannot be read: {error.strerror}"))
        return rules

    def _entry(self, child: os.DirEntry[str], path: str) -> Entry | None:
        try:
            path.encode("utf-8")
            if child.is_symlink() and not os.path.realpath(child.path).startswith(os.path.join(self.root, "")):
                self._skipped.append((path, "a link that leads out of the documents' folder"))
                return None
            status = child.stat()
        except UnicodeEncodeError:
            self._skipped.append((_printable(path), "its name is not UTF-8"))
            return None
        except OSError as error:
            self._skipped.append((path, f"cannot be read: {error.strerror}"))
            return None
        if not child.is_file():
            return None  # a folder behind a link, a socket, ...
        return Entry(path, status.st_size, status.st_mtime_ns)


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()


def _read_rules(lines: list[str]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # most folders have no rules

    def is_rule(line: str) -> bool:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:  # git passes over a line it cannot read, too
            return False
        return True

    return GitIgnoreSpec.from_lines(filter(is_rule, lines))


def _ignored(path: str, rules: _Rules) -> bool:
    # The rule nearest to the file that says something decides, as in git.
    for below, spec in reversed(rules):
        said = spec.check_file(path[len(below) :]).include
        if said is not None:
            return said
    return False
