"""Messages and notes that are sent to the server, each a Markdown file below the folder of events.

A file is there as a whole or not at all, under a name made of what it says: the same event twice is one file. What a
sender writes stands below the front matter, or in it as one quoted text, so it can be taken for nothing else.
Knows a folder, no index and no server. Try: BRAIN_EVENTS_DIR=docs/events python server.py, then manual/graph.md
"""

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal

from access import principal
from access.rules import RULES_FILE
from chunking.front import front_matter
from errors import BrainError

Kind = Literal["message", "note"]
MOST_TEXT = 20_000
"""Characters of an event."""
MOST_LABEL = 200
"""Characters of a channel, a thread or a name."""
MOST_READERS = 50
RULES = """# Written for the events in this folder: each says in its front matter who may read it.
[allow]
"[0-9][0-9][0-9][0-9]-[0-9][0-9]/????????????????????????????????.md" = ["everyone"]
"""
"""Lets the front matter decide where an access.toml above would. It names files as ours are named, and no others."""
_WAITING = ".waiting"  # a folder for files that are not whole yet; hidden, so no sync reads it
_OLD_SECONDS = 3600.0  # a file there that is older was left by a process that was killed
_MONTH, _FILE = re.compile(r"\d{4}-\d\d"), re.compile(r"[0-9a-f]{32}\.md")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_HEADING = re.compile(r"(?m)^( {0,3})(#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)")
_ID = "event"


class EventsOff(BrainError):
    """The setting `events_dir` is not set."""

    code = "events_off"
    http_status = 403


class NotWritten(BrainError):
    """The folder of events cannot be written into."""

    code = "events_folder"
    http_status = 503


@dataclass(frozen=True, slots=True)
class Event:
    """A message or a note. Its parts are as `event_of` makes them."""

    text: str
    kind: Kind
    author: str  # a principal
    name: str  # of the author, for people
    channel: str
    thread: str
    at: str  # ISO day and time, UTC, or a day alone
    key: str  # the time as it was sent, or the day on which it came: what the id is made of
    access: tuple[str, ...]  # principals, the author's first

    @property
    def id(self) -> str:
        """The same for the same author, channel, time and text."""
        told = json.dumps([self.author, self.channel, self.key, self.text])
        return hashlib.sha256(told.encode()).hexdigest()[:32]

    @property
    def path(self) -> str:
        """Below the folder of events, with slashes."""
        return f"{self.at[:7]}/{self.id}.md"

    def document(self) -> str:
        """What stands in its file."""
        what = "Message" if self.kind == "message" else "Note"
        where = f" in {self.channel}" if self.channel else ""
        front = {
            "title": f"{what} of {self.name}{where}, {self.at[:10]}", "kind": self.kind, _ID: self.id,
            "author": self.name, "principal": self.author, "channel": self.channel, "thread": self.thread,
            "date": self.at,
        }  # fmt: skip
        lines = [f"{key}: {_quoted(value)}" for key, value in front.items() if value]
        lines.append(f"access: [{', '.join(map(_quoted, self.access))}]")
        # A message is talk: what looks like a heading is no section. A note is Markdown as it was sent.
        text = _HEADING.sub(r"\1\\\2", self.text) if self.kind == "message" else self.text
        return "\n".join(["---", *lines, "---", "", text, ""])


def event_of(
    text: str,
    *,
    author: str,
    name: str = "",
    kind: Kind = "message",
    channel: str = "",
    thread: str = "",
    at: str = "",
    readers: Sequence[str] = (),
    now: datetime | None = None,
) -> Event:
    """The event as it is written. `author` is a principal; they may read it, and `readers` (default: nobody else).

    `at`: an ISO day, or day and time; left out, now, and then the same event on the same day is the same one.
    Raises ValueError for what no file may hold.
    """
    now = now or datetime.now(UTC)
    given = " ".join(at.split())
    when = _time(given, now) if given else now.replace(microsecond=0).isoformat().replace("+00:00", "Z")
    named = name.strip() or author.partition(":")[2]
    for what, value in (("name", named), ("channel", channel), ("thread", thread)):
        if len(value) > MOST_LABEL or not value.isprintable():
            raise ValueError(f"{what}: must be one line of printable characters, at most {MOST_LABEL}")
    held = dict.fromkeys((principal(author), *map(principal, readers)))
    if len(held) > MOST_READERS + 1:
        raise ValueError(f"access: at most {MOST_READERS} principals may be named; name a group")
    key = when if given else when[:10]
    return Event(_clean(text), kind, principal(author), named, channel.strip(), thread.strip(), when, key, tuple(held))


def _clean(text: str) -> str:
    made = re.sub(r"\r\n?|[\u2028\u2029\x85]", "\n", text).strip("\n").rstrip()
    if not made.strip():
        raise ValueError("text: is empty")
    if len(made) > MOST_TEXT:
        raise ValueError(f"text: has {len(made)} characters, at most {MOST_TEXT} may be")
    if any((char < " " and char not in "\n\t") or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in made):
        raise ValueError("text: holds a control character or half of a surrogate pair")
    return made


def _time(told: str, now: datetime) -> str:
    try:
        if _DAY.fullmatch(told):
            found = datetime.combine(date.fromisoformat(told), datetime.min.time(), UTC)
        else:
            found = datetime.fromisoformat(told)
            found = found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("at: is no ISO day or time, such as 2026-11-30T09:15:00Z") from error
    if found.year < 1970 or found > now + timedelta(days=1):
        raise ValueError("at: is before 1970 or more than a day ahead")
    return told if _DAY.fullmatch(told) else found.isoformat().replace("+00:00", "Z")


def _quoted(value: str) -> str:
    """A text as YAML reads it back, whatever it holds, on one line."""
    return json.dumps(value, ensure_ascii=False)


class Folder:
    """The folder of events."""

    def __init__(self, docs_dir: Path, folder: Path) -> None:
        self._docs, self._folder = docs_dir, folder
        self.below = folder.relative_to(docs_dir).as_posix()
        """Its path below the documents' folder."""

    def write(self, event: Event) -> bool:
        """Puts the event's file there, on the disk when this returns. False: it is there already.

        Raises NotWritten with the reason; then nothing of it is there.
        """
        try:
            self._ready()
            target = self._folder / event.path
            if target.exists():
                return False
            target.parent.mkdir(exist_ok=True)
            return self._put(target, event.document())
        except OSError as error:
            told = error.strerror or str(error)
            helps = "Free some space" if error.errno == errno.ENOSPC else f"Run: ls -ld {self._folder}"
            raise NotWritten(
                f"The event was not written into {self._folder}: {told}. {helps}, and send it again."
            ) from error

    def read(self, event: Event) -> bytes:
        """The bytes of the event's file. Raises NotWritten for one that cannot be read."""
        path = self._folder / event.path
        try:
            return path.read_bytes()
        except OSError as error:
            raise NotWritten(f"{path} cannot be read: {error.strerror or error}. Run: ls -l {path}") from error

    def take_back(self, event: Event) -> None:
        """Removes the file of an event that was written a moment ago and that no sync can take in."""
        with contextlib.suppress(OSError):
            (self._folder / event.path).unlink()

    def files(self) -> Iterator[Path]:
        """The files that `write` put there, by name."""
        if self._folder.is_symlink() or not self._folder.is_dir():
            return
        for month in sorted(self._folder.iterdir()):
            if _MONTH.fullmatch(month.name) and month.is_dir() and not month.is_symlink():
                yield from (path for path in sorted(month.iterdir()) if _is_event(path))

    def remove(self) -> int:
        """Removes them, and what else is ours; returns how many they were. Raises OSError."""
        files = [*self.files()]
        for path in files:
            path.unlink()
        if not self._folder.is_dir():
            return 0
        rules = self._folder / RULES_FILE
        if rules.is_file() and rules.read_bytes() == RULES.encode():
            rules.unlink()
        for path in (self._folder / _WAITING).glob("*"):
            path.unlink()
        months = {path.parent for path in files}
        for folder in (*months, self._folder / _WAITING, self._folder):
            with contextlib.suppress(OSError):  # something of somebody else's is in it
                folder.rmdir()
        return len(files)

    def _ready(self) -> None:
        """The folder with its rules. Raises OSError, NotWritten for one that is not ours alone."""
        if os.path.realpath(self._folder) != os.path.join(os.path.realpath(self._docs), *self.below.split("/")):
            raise NotWritten(
                f"{self._folder} leads elsewhere through a link. Name a folder of its own: BRAIN_EVENTS_DIR."
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        waiting = self._folder / _WAITING
        waiting.mkdir(exist_ok=True)
        for path in waiting.iterdir():
            with contextlib.suppress(OSError):  # another process was quicker
                if time.time() - path.stat().st_mtime > _OLD_SECONDS:
                    path.unlink()
        rules = self._folder / RULES_FILE
        if rules.exists() or not self._is_ruled():
            return
        ours = (_WAITING, *(path.name for path in self._folder.iterdir() if _MONTH.fullmatch(path.name)))
        if others := sorted({path.name for path in self._folder.iterdir()} - {*ours}):
            raise NotWritten(
                f"{self._folder} holds {others[0]!r}, which is no event, and no {RULES_FILE}. Name a folder of its own "
                "(BRAIN_EVENTS_DIR), or say there who may read."
            )
        self._put(rules, RULES)

    def _is_ruled(self) -> bool:
        """Whether an access.toml above would decide who may read an event."""
        above = (self._docs, *(self._docs / part for part in self._folder.relative_to(self._docs).parents))
        return any((folder / RULES_FILE).exists() for folder in above)

    def _put(self, target: Path, text: str) -> bool:
        """Writes a file that is whole at once. False: another process has put it there meanwhile."""
        made = self._folder / _WAITING / f"{target.stem}-{secrets.token_hex(8)}"
        try:
            number = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
            with open(number, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            is_new = _named(made, target)
            for folder in (target.parent, target.parent.parent):
                _keep(folder)
            return is_new
        finally:
            with contextlib.suppress(OSError):
                made.unlink()


def _named(made: Path, target: Path) -> bool:
    """Gives a whole file its name; False where one has it."""
    try:
        os.link(made, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS):
            raise
        if target.exists():  # a disk without hard links: of two at once the second puts the same event in place
            return False
        os.replace(made, target)
    return True


def _keep(folder: Path) -> None:
    """Makes a name outlive a power cut; Windows does so by itself and opens no folder."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _is_event(path: Path) -> bool:
    """Whether `write` made this file: by its name, and what its front matter says of it."""
    if not _FILE.fullmatch(path.name) or path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8") as file:
            lines = [line.rstrip("\n") for _, line in zip(range(40), file, strict=False)]
    except (OSError, UnicodeDecodeError):
        return False
    return front_matter(lines)[0].get(_ID) == path.stem
