"""Documents in a folder: text files and what sources/formats reads, recursive; hidden and ignored ones are left out.

`.gitignore` and `.brainignore` files are obeyed in the folder they stand in and below. A link that leads out of the
root is not followed. Knows no chunks and no database. Try: python store.py --sync --docs ~/handbook
"""

import contextlib
import errno
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from access import CLOSED, LOCAL, AccessList
from access.identity import signs_in
from access.rules import RULES_FILE, RuleBook, default_list
from access.sources import declared, source_of
from config import Settings
from errors import SourceError, UsageError
from facts.mapping import FACTS_FILE
from facts.mapping import Mapping as Facts
from facts.mapping import read as read_mapping
from settings.sources import Declared
from sources import Entry
from sources.drive.state import Copy, Told
from sources.exports import PEOPLE, is_day, is_export
from sources.formats import MODULES, OLD, SOME, ending_of, lacking
from sources.formats.slack import DAY
from sources.kinds import LOOKED_AT, is_named, is_structured, may_be

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".md", ".txt", ".markdown")
"""Endings of files that are text as they stand."""
IGNORE_FILES = (".gitignore", ".brainignore")

_LISTED = (*SUFFIXES, *OLD, *(ending for ending in MODULES if ending not in SOME))
_MOST_RULES_BYTES = 1_000_000
_MOST_FACTS_BYTES = 1_000_000
_MOST_ACCESS_BYTES = 8_000_000  # a mirror writes one: 1,000 files with 250 principals each
_JUNCTION = 0xA0000003  # stat.IO_REPARSE_TAG_MOUNT_POINT, which only Windows' Python has
_MOST_NS = 2**63 - 1  # the year 2262; what SQLite holds
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_Rules = tuple[tuple[str, "GitIgnoreSpec"], ...]


class _Named:
    """A file or folder of which the name is known, as a listing gives it."""

    def __init__(self, path: str) -> None:
        self.path, self.name = path, os.path.basename(path)

    def is_symlink(self) -> bool:
        return os.path.islink(self.path)

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return os.path.isdir(self.path) and (follow_symlinks or not self.is_symlink())

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return os.path.isfile(self.path) and (follow_symlinks or not self.is_symlink())

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self.path, follow_symlinks=follow_symlinks)


_Child = os.DirEntry[str] | _Named


class FolderSource:
    """The Source protocol over a folder, or several declared ones below it; access.toml says who may read."""

    def __init__(
        self, root: Path, sources: Sequence[Declared] = (), guarded: bool = False, max_hours: float = 0.0
    ) -> None:
        """`guarded`: people are asked who they are, and a source without rules is nobody's until its settings say.

        `max_hours`: lists that come from elsewhere hold no longer than that without a look there; 0 for ever.
        """
        self._root, self._guarded, self._max_hours = root, guarded, max_hours
        self._copies: dict[Declared, Told] = {}
        self._declared = declared(tuple(sources), guarded)
        self._skipped: list[tuple[str, str]] = []
        self._found: dict[str, str | None] = {}
        self._gone: dict[str, str] = {}
        self._holding: set[str] = set()  # folders with documents below
        self._books: dict[Declared, RuleBook] = {}
        self._links: dict[str, str] = {}  # a link's path -> where it leads, below the root
        self._walked: set[str] = set()
        self._unknown: Counter[str] = Counter()
        self._facts, self._facts_fault = Facts(), ""
        self._facts_mark: object = ()  # of the file as it was read

    @property
    def root(self) -> str:
        """The folder's absolute path, links resolved; bytes that are no UTF-8 are written as \\xff."""
        return os.fsencode(os.path.realpath(self._root)).decode("utf-8", "backslashreplace")

    def entries(self) -> Iterator[Entry]:
        """Every file below the root that can be read, the files of a folder by name."""
        self._skipped, self._found, self._gone, self._holding, self._books = [], {}, {}, set(), {}
        self._links, self._walked = {}, set()
        self._unknown, self._copies = Counter(), {}
        if not self._root.is_dir():
            reason = "is no folder" if self._root.exists() else "does not exist"
            raise SourceError(f"The documents' folder {self._root} {reason}. Name it with --docs or BRAIN_DOCS_DIR.")
        self._facts_mark = ()
        self.facts()
        if self._facts_fault:
            self._skipped.append((FACTS_FILE, f"{self._facts_fault}; nothing of it holds"))
        return self._walk()

    def some(self, paths: Collection[str], rules: Mapping[str, str]) -> list[Entry]:
        """The files at these paths, each folder on the way asked for its rules only.

        Raises SourceError for links, days of a Slack export and what the root itself is no folder for.
        """
        self.entries()  # forgets the last listing, and raises for a root that is none
        found: list[Entry] = []
        folders = {"", *(path[: at + 1] for path in paths for at, char in enumerate(path) if char == "/")}
        inside: dict[str, _Rules | None] = {}  # of each folder; None: nothing in it is listed
        for folder in sorted(folders):
            self._walked.add(folder)
            around: _Rules | None = ()
            if folder:
                around = self._inside(folder, inside[_above(folder)])
            if around is not None:
                children = self._named(folder, *IGNORE_FILES, RULES_FILE)
                around = self._with_rules_of(children, folder, around)
                self._note_access(children, folder)
            inside[folder] = around
        for path in sorted(paths):
            around, children = inside[_above(path)], self._named("", path)
            if path.endswith(".json") or any(child.is_symlink() for child in children):
                raise SourceError(f"{path} cannot be judged alone. Run: python store.py --sync")
            if around is not None and not _ignored(path, around) and self._is_document(path, None):
                found += [entry for child in children if not _hidden(child) and (entry := self._entry(child, path))]
        on_the_way = {path: text for path, text in rules.items() if path.removesuffix(RULES_FILE) in folders}
        # Where none is on the way it still counts that there are rules elsewhere.
        self._gone = {path: text for path, text in (on_the_way or rules).items() if path not in self._found}
        return found

    def _inside(self, folder: str, around: _Rules | None) -> _Rules | None:
        """The ignore rules around a folder's content; None where it is not gone into."""
        for child in self._named("", folder.rstrip("/")):
            if child.is_symlink():
                raise SourceError(f"{folder} is a link, so what is in it cannot be judged alone.")
            if around is not None and child.is_dir() and not (_hidden(child) or _ignored(folder, around)):
                return around
        return None

    def _named(self, below: str, *names: str) -> list[_Child]:
        """Those of these files and folders that are there."""
        found = (_Named(os.path.join(self._root, *f"{below}{name}".split("/"))) for name in names)
        return [child for child in found if os.path.lexists(child.path)]

    def facts(self) -> Facts:
        """What the facts.toml in the root says now; nothing without one that can be read. Costs a look at the disk."""
        path, mark = os.path.join(self._root, FACTS_FILE), None
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            mark = (status.st_mtime_ns, status.st_size, status.st_ino)
        if mark != self._facts_mark:
            self._facts, self._facts_fault = _facts_of(path) if mark else (Facts(), "")
            self._facts_mark = mark
        return self._facts

    def skipped(self) -> list[tuple[str, str]]:
        """Files and folders that could not be looked at or need what is not installed, with the reason.

        Access rules that cannot be read or have vanished, too.
        """
        faults = {fault for one in self._declared for fault in self._book_of(one).faults()}
        gone = [(path, "is gone; its rules still hold. Put one back that says who may read") for path in self._gone]
        links = filter(self._is_askew, self._links)
        askew = [(path, "a link to a file that others may read: nobody may") for path in links]
        empty = [
            (one.path, f"the source {one.name} in brain.toml has no document there; {_why_empty(one)}")
            for one in self._declared
            if one.path and not one.is_for_events and f"{one.path}/" not in self._holding
        ]
        elsewhere = [
            (f"{one.path}/{path}", reason)
            for one in self._declared
            for path, reason in self._told_of(one).left_out
            if not os.path.lexists(self._root / one.path / path)
        ]
        return [*self._skipped, *sorted(faults), *gone, *askew, *empty, *elsewhere]

    def not_looked_at(self) -> dict[str, int]:
        """How many files of each ending ("" for none) the last `entries` passed by, since nothing here reads such."""
        return dict(self._unknown)

    def read(self, path: str) -> bytes:
        """The file's bytes, with a day of a Slack export its people's names before them.

        Raises OSError, also for a pipe or device that has taken the file's place.
        """
        data = _bytes_of(os.path.join(self._root, path))
        if not path.endswith(".json") or not self._is_day(path):
            return data
        packed: Callable[[bytes, bytes], bytes] = import_module("sources.formats.slack").packed
        return packed(data, _bytes_of(os.path.join(self._root, *path.split("/")[:-2], PEOPLE)))

    def access(self, path: str) -> AccessList:
        """What the access.toml files on the way say, or the settings of the source where there is none.

        A link to a file with other readers is nobody's: who may write here could else show what they may not read.
        """
        is_past = self._is_past(source_of(self._declared, path))
        return CLOSED if is_past or self._is_askew(path) else self._list_of(path)

    def _told_of(self, source: Declared) -> Told:
        """What the last pass over the place says that the source comes from; nothing of a plain folder."""
        if source not in self._copies:
            self._copies[source] = Copy(self._root / source.path).told() if source.reader != "folder" else Told()
        return self._copies[source]

    def _is_past(self, source: Declared) -> bool:
        """Whether its lists are too old to be believed."""
        return source.reader != "folder" and 0 < self._max_hours < self._told_of(source).age_hours

    def _list_of(self, path: str) -> AccessList:
        return self._book_of(source_of(self._declared, path)).list_of(path)

    def _is_askew(self, path: str) -> bool:
        target = self._links.get(path)
        if target is None:
            return False
        there = (source_of(self._declared, target), self._list_of(target))
        is_known = not (self._found or self._gone) or f"{target.rpartition('/')[0]}/".lstrip("/") in self._walked
        return not is_known or there != (source_of(self._declared, path), self._list_of(path))

    @property
    def access_terms(self) -> str:
        """Whether people are asked who they are, and what is declared; "" where neither is."""
        told = [one.terms for one in self._declared if one.owner != LOCAL or one.default]
        return repr((self._guarded, told)) if self._guarded or told else ""

    def recall(self, rules: Mapping[str, str]) -> None:
        """Rules of an earlier listing: those whose folder has documents still, but no access.toml, hold on."""
        self._gone = {
            path: text
            for path, text in rules.items()
            if path not in self._found and path.removesuffix(RULES_FILE) in self._holding
        }
        self._books = {}

    def rules(self) -> dict[str, str]:
        """The access.toml files that could be read, and those that are gone but hold."""
        return {path: text for path, text in (self._gone | self._found).items() if text is not None}

    def _book_of(self, source: Declared) -> RuleBook:
        if source not in self._books:
            area = f"{source.path}/" if source.path else ""
            texts = {
                path: text
                for path, text in (self._gone | self._found).items()
                if source_of(self._declared, path) == source or area.startswith(path.removesuffix(RULES_FILE))
            }
            is_far = source.reader != "folder"  # its rules come before its files: without them somebody else was here
            default = CLOSED if is_far else default_list(self._guarded, source.default)
            self._books[source] = RuleBook(texts, source.owner, default)
        return self._books[source]

    def locate(self, path: str) -> Path | None:
        """The file itself."""
        return self._root / path

    def _walk(self) -> Iterator[Entry]:
        waiting: list[tuple[str, _Rules, str | None]] = [("", (), None)]  # the last: the Slack export it stands in
        while waiting:
            below, rules, export = waiting.pop()
            children = self._children(below)
            if ".json" in MODULES and is_export(children):
                export = below
            rules = self._with_rules_of(children, below, rules)
            self._walked.add(below)
            self._note_access(children, below)
            for child in children:
                path = below + child.name
                if _hidden(child):
                    continue
                if child.is_dir(follow_symlinks=False):
                    if not _ignored(path + "/", rules):
                        waiting.append((path + "/", rules, export))
                elif child.is_symlink() and os.path.isdir(child.path):  # one that stays inside is read at its own place
                    if not (_ignored(path, rules) or _ignored(path + "/", rules)):
                        self._leads_out(child, path)
                elif _ignored(path, rules) or child.name.lower() == RULES_FILE or path == FACTS_FILE:
                    continue
                elif self._is_document(path, export):
                    entry = self._entry(child, path)
                    if entry:
                        self._hold(below)
                        yield entry
                elif child.is_file(follow_symlinks=False) and not (export is not None and path.endswith(".json")):
                    self._unknown[_printable(ending_of(path))] += 1

    def _is_document(self, path: str, export: str | None) -> bool:
        """Whether a file that is not ignored is one; `export`: the Slack export it stands in."""
        if path.lower().endswith(_LISTED) or is_named(path):
            return True
        if export is not None and path.endswith(".json"):
            return is_day(path[len(export) :])
        return may_be(path) and self._is_kind(path)

    def _is_kind(self, path: str) -> bool:
        """Whether a file that must be looked into, or that facts.toml names, is a document."""
        if self._facts.table_of(path):
            return True
        with contextlib.suppress(OSError, ValueError):
            return is_structured(path, _head_of(os.path.join(self._root, path), LOOKED_AT))
        return False

    def _is_day(self, path: str) -> bool:
        """Whether it is a day of a Slack export, by what stands around it."""
        export = os.path.join(self._root, *path.split("/")[:-2])
        return DAY.fullmatch(path) is not None and os.path.isfile(os.path.join(export, PEOPLE))

    def _children(self, below: str) -> list[_Child]:
        try:
            with os.scandir(self._root / below) as found:
                return sorted(found, key=lambda child: child.name)
        except OSError as error:
            if not below:
                raise SourceError(f"The documents' folder {self._root} cannot be listed: {error.strerror}.") from error
            self._skipped.append((_printable(below), f"cannot be listed: {error.strerror}"))
            return []

    def _with_rules_of(self, children: list[_Child], below: str, rules: _Rules) -> _Rules:
        for name in IGNORE_FILES:  # the second has the last word
            child = next((child for child in children if child.name == name), None)
            if child:
                if self._leads_out(child, below + name):
                    continue
                try:
                    text = _bytes_of(child.path, _MOST_RULES_BYTES).decode("utf-8-sig", "replace")
                    rules = (*rules, (below, _read_rules(text.splitlines())))
                except OSError as error:
                    self._skipped.append((_printable(below + name), f"cannot be read: {error.strerror}"))
        return rules

    def _note_access(self, children: list[_Child], below: str) -> None:
        for child in children:
            if child.name.lower() != RULES_FILE:
                continue
            text = None
            with contextlib.suppress(OSError, UnicodeDecodeError):
                if not self._leads_out(child, below + child.name):
                    text = _bytes_of(child.path, _MOST_ACCESS_BYTES).decode("utf-8-sig")
            twice = below + RULES_FILE in self._found  # Access.toml beside access.toml: which of them?
            self._found[below + RULES_FILE] = None if twice else text

    def _hold(self, below: str) -> None:
        while below not in self._holding:
            self._holding.add(below)
            below = f"{below.rstrip('/').rpartition('/')[0]}/".lstrip("/")

    def _entry(self, child: _Child, path: str) -> Entry | None:
        try:
            path.encode("utf-8")
            if self._leads_out(child, path):
                return None
            if child.is_symlink():
                target = os.path.relpath(os.path.realpath(child.path), os.path.realpath(self._root))
                self._links[path] = _printable(target).replace(os.sep, "/")
            status = child.stat()
        except UnicodeEncodeError:
            self._skipped.append((_printable(path), "its name is not UTF-8"))
            return None
        except OSError as error:
            self._skipped.append((path, f"cannot be read: {error.strerror}"))
            return None
        if not child.is_file():
            return None  # a folder behind a link, a socket, ...
        ending = ending_of(path)
        unread = f"is not read; save it as {OLD[ending]}" if ending in OLD else lacking(ending)
        if unread:
            self._skipped.append((path, unread))
            return None
        return Entry(path, status.st_size, min(max(status.st_mtime_ns, 0), _MOST_NS))

    def _leads_out(self, child: _Child, path: str) -> bool:
        if not child.is_symlink():  # first: resolving the root for each of 10,000 files took longer than listing them
            return False
        inside = os.path.join(os.path.realpath(self._root), "")
        out = not os.path.join(os.path.realpath(child.path), "").startswith(inside)
        if out:
            self._skipped.append((_printable(path), "a link that leads out of the documents' folder"))
        return out


def folder_of(settings: Settings) -> FolderSource:
    """The documents' folder with its declared sources. Raises UsageError for a principal that is none."""
    return FolderSource(settings.docs_dir, settings.sources, signs_in(settings), settings.acl_max_hours)


def _above(path: str) -> str:
    """The folder that something stands in, with a slash behind it; "" for the root."""
    return path[: path.rstrip("/").rfind("/") + 1]


def _hidden(child: _Child) -> bool:
    """What people do not see, what Office keeps beside an open file, and junctions, which may lead in circles."""
    if child.name.startswith((".", "~$")):
        return True
    return sys.platform == "win32" and unseen(child.stat(follow_symlinks=False))


def unseen(status: os.stat_result) -> bool:
    """Whether Windows' marks say that a file is hidden, of the system, or a junction, no link to Python 3.11."""
    marks = getattr(status, "st_file_attributes", 0)
    junction = getattr(status, "st_reparse_tag", 0) == _JUNCTION
    return junction or bool(marks & (stat.FILE_ATTRIBUTE_HIDDEN | stat.FILE_ATTRIBUTE_SYSTEM))


def _bytes_of(path: str, most: int = -1) -> bytes:
    """A regular file's bytes, at most `most` of them (-1: any number). Raises OSError; waits for no pipe's writer."""
    number = os.open(path, _READING)  # by number: an object around it takes as long as the reading of a short file
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is no regular file")
        room = (status.st_size if most < 0 else most) + 1
        data = b""
        while not 0 <= most < len(data) and (more := os.read(number, room)):
            data += more
    finally:
        os.close(number)
    if 0 <= most < len(data):
        raise OSError(errno.EFBIG, f"is larger than {most / 1e6:g} MB")
    return data


def _facts_of(path: str) -> tuple[Facts, str]:
    """What a facts.toml says, or nothing and why."""
    try:
        if os.path.islink(path):
            return Facts(), "is a link, and is not read"
        return read_mapping(_bytes_of(path, _MOST_FACTS_BYTES).decode("utf-8-sig")), ""
    except UnicodeDecodeError:
        return Facts(), "is not UTF-8"
    except OSError as error:
        return Facts(), f"cannot be read: {error.strerror}"
    except UsageError as error:
        return Facts(), str(error).removeprefix(FACTS_FILE).strip(" :,.")


def _head_of(path: str, most: int) -> bytes:
    """The beginning of a regular file. Raises OSError."""
    number = os.open(path, _READING)
    try:
        return os.read(number, most) if stat.S_ISREG(os.fstat(number).st_mode) else b""
    finally:
        os.close(number)


def _why_empty(source: Declared) -> str:
    return (
        "upper and lower case count" if source.reader == "folder" else f"python -m access.sources --now {source.name}"
    )


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
