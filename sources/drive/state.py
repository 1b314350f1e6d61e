"""What a copy of Drive remembers between passes, and how it writes: which file is where, and who may read it.

All of it stands in the folder `.drive` of the copy, hidden from those who look for documents. Every file is written
beside its place and renamed. Knows no network. Try: python -m access.sources
"""

import contextlib
import errno
import json
import math
import os
import secrets
import shutil
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from access.rules import RULES_FILE, folded
from errors import SourceError
from sources.drive.names import FOLDERS, Named, key, mark

OWN = ".drive"
_HEAD = "# Written by each pass over Google Drive: what you change here is gone with the next one.\n"
_REPLACES = 20  # tries, 0.1 s apart: Windows renames nothing over a file that somebody reads


@dataclass(slots=True)
class File:
    """A document of the copy. `mark` is "" while its content is not that of Drive; an empty `who` is nobody."""

    path: str
    mark: str = ""
    who: frozenset[str] = frozenset()
    size: int = -1
    mtime_ns: int = -1


@dataclass(slots=True)
class State:
    """Everything remembered. `leaving`: a path that is being left -> the file's id and who may read it until then."""

    folder: str
    files: dict[str, File] = field(default_factory=dict)
    names: dict[str, Named] = field(default_factory=dict)
    leaving: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """What the last complete pass says to whoever reads the copy. `rights_at`: UTC, ISO 8601; "" for never."""

    rights_at: str = ""
    left_out: tuple[tuple[str, str], ...] = ()  # (path it would have, reason)

    @property
    def age_hours(self) -> float:
        """How long ago that was; infinite for never, and for a time to come: a clock was set back."""
        with contextlib.suppress(ValueError):
            age = (datetime.now(UTC) - datetime.fromisoformat(self.rights_at)).total_seconds() / 3600
            return age if age > -0.1 else math.inf
        return math.inf


class Copy:
    """The folder on the disk."""

    def __init__(self, root: Path) -> None:
        self.root, self.own = root, root / OWN
        self.waiting = self.own

    def opened(self, folder: str) -> State:
        """What is remembered of the copy of a folder of Drive. Raises SourceError for another's copy, OSError."""
        file = self.own / "state.json"
        if file.exists():
            state = _read(file)
            if state.folder != folder:
                raise SourceError(
                    f"{self.root} is a copy of {state.folder}, another folder. Name another path in brain.toml."
                )
            return state
        state = State(folder)
        self.save(state)
        return state

    def make(self) -> None:
        """Makes the folder, or sees that it may be used. Raises SourceError for one that holds something else."""
        is_new = not (self.own / "state.json").exists()
        if is_new and self.root.exists() and set(os.listdir(self.root)) - {OWN}:
            raise SourceError(
                f"{self.root} holds files, but is no copy of Drive. Name another path in brain.toml, or empty it."
            )
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # what it holds is not everybody's on this machine
        self.own.mkdir(mode=0o700, exist_ok=True)

    def save(self, state: State) -> None:
        """Writes what is remembered."""
        told = {
            "folder": state.folder,
            "files": {id_: [f.path, f.mark, sorted(f.who), f.size, f.mtime_ns] for id_, f in state.files.items()},
            "names": {id_: [n.parent, n.wanted, n.name] for id_, n in state.names.items()},
            "leaving": {path: [id_, sorted(who)] for path, (id_, who) in state.leaving.items()},
        }
        self._write(self.own / "state.json", json.dumps(told))

    def tell(self, told: Told) -> None:
        """Writes what others read."""
        self._write(self.own / "told.json", json.dumps(asdict(told)))

    def told(self) -> Told:
        """What the last complete pass said; nothing where none has ended or it cannot be read."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads((self.own / "told.json").read_text(encoding="utf-8"))
            return Told(str(found["rights_at"]), tuple((str(path), str(why)) for path, why in found["left_out"]))
        return Told()

    def write_rules(self, state: State, folders: Iterable[str]) -> None:
        """Makes the access.toml of these folders ("" or with a slash at the end) say what the state says."""
        wanted = {*folders, ""}
        lists: dict[str, dict[str, tuple[str, frozenset[str]]]] = {folder: {} for folder in wanted}
        leaving = [(path, who) for path, (_, who) in state.leaving.items()]
        for path, who in [*((file.path, file.who) for file in state.files.values()), *leaving]:
            if (folder := folder_of(path)) in wanted:
                name, held = path[len(folder) :], lists[folder]
                before = held.get(folded(name), (name, who))  # one that is renamed from A to a is both for a moment
                held[folded(name)] = name, who & before[1]
        for folder in sorted(wanted):
            named = defaultdict[tuple[str, ...], list[str]](list)
            for name, who in lists[folder].values():
                named[tuple(sorted(who))].append(name)
            rules = self.root / folder / RULES_FILE
            if named or not folder:
                text = _rules(named, closes=not folder)
                with contextlib.suppress(OSError, UnicodeDecodeError):
                    if rules.read_text(encoding="utf-8") == text:
                        continue
                rules.parent.mkdir(parents=True, exist_ok=True)
                self._write(rules, text)
            else:
                rules.unlink(missing_ok=True)
                self._prune(folder)

    def _prune(self, folder: str) -> None:
        while folder:
            try:
                (self.root / folder).rmdir()
            except OSError:  # it holds something
                return
            folder = folder_of(folder.rstrip("/"))

    def staged(self, id_: str, mark_: str) -> Path:
        """Where the content of a file waits."""
        return self.waiting / f"{mark(id_, 32)}-{mark(mark_, 16)}"

    def begin(self) -> None:
        """Takes over what waits. A thread of an earlier pass that still fetches finds its place gone."""
        earlier = sorted(self.own.glob("wait-*"))
        self.waiting = self.own / f"wait-{secrets.token_hex(8)}"
        if earlier:
            os.replace(earlier[0], self.waiting)
        else:
            self.waiting.mkdir()
        for path in (*earlier[1:], *self.waiting.glob("*.part"), *self.own.glob("*.part")):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def place(self, staged: Path, file: File, modified: str, mark_: str) -> None:
        """Brings content that waits to its place."""
        at = _ns_of(modified, f"{file.path} {mark_}")
        os.utime(staged, ns=(at, at))
        path = self.root / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        replaced(staged, path)
        self.note(file, mark_)

    def note(self, file: File, mark_: str) -> None:
        """Remembers that the file in its place holds this content."""
        status = os.stat(self.root / file.path)
        file.mark, file.size, file.mtime_ns = mark_, status.st_size, status.st_mtime_ns

    def is_whole(self, file: File) -> bool:
        """Whether the file stands as it was put there."""
        try:
            status = os.stat(self.root / file.path, follow_symlinks=False)
        except OSError:
            return False
        return (status.st_size, status.st_mtime_ns) == (file.size, file.mtime_ns)

    def remove(self, path: str, but: str = "") -> None:
        """Takes a document away, unless it is the very file that stands at `but`: on a disk that knows no case."""
        with contextlib.suppress(FileNotFoundError):
            if not (but and os.path.samefile(self.root / path, self.root / but)):
                os.unlink(self.root / path)

    def taken(self, state: State) -> dict[str, str]:
        """Key of every path there is -> the id of the file that has it, "" for a stranger, FOLDERS for a folder."""
        found: dict[str, str] = {}
        for folder, folders, names in os.walk(self.root):
            below = Path(folder).relative_to(self.root).as_posix()
            prefix = "" if below == "." else f"{below}/"
            folders[:] = [name for name in folders if prefix or name != OWN]
            found |= {key(prefix + name): FOLDERS for name in folders}
            found |= {key(prefix + name): "" for name in names if name != RULES_FILE}
        found |= {key(path): id_ for path, (id_, _) in state.leaving.items()}
        return found | {key(file.path): id_ for id_, file in state.files.items()}

    def strangers(self, state: State) -> list[str]:
        """Files of the copy that no pass has put there."""
        known = {file.path for file in state.files.values()} | {*state.leaving}
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            paths = [(Path(folder) / name).relative_to(self.root).as_posix() for name in names if name[0] != "."]
            found += [path for path in paths if path not in known and not path.endswith(RULES_FILE)]
        return sorted(found)

    def sweep(self) -> None:
        """Takes away content that waits for nothing any more."""
        shutil.rmtree(self.waiting, ignore_errors=True)

    def _write(self, path: Path, text: str) -> None:
        part = self.own / f"{path.name}.part"
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        replaced(part, path)


def folder_of(path: str) -> str:
    """The folder of a path: "" or with a slash at the end."""
    return path[: path.rfind("/") + 1]


def replaced(new: Path, place: Path) -> None:
    """Renames a file to its place, over what stands there."""
    for left in reversed(range(_REPLACES)):
        try:
            os.replace(new, place)
            return
        except PermissionError as error:
            if not left or os.name != "nt" or error.errno not in (errno.EACCES, errno.EPERM):
                raise
            time.sleep(0.1)


@contextlib.contextmanager
def translated(root: Path) -> Iterator[None]:
    """Turns errors of the disk into SourceError."""
    try:
        yield
    except OSError as error:
        told = f"{error.filename or root} cannot be used: {error.strerror or error}."
        raise SourceError(f"{told} The copy of Drive stays as it is; the next pass goes on.") from error


def _read(file: Path) -> State:
    try:
        told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return State(
            told["folder"],
            {id_: File(path, mark, frozenset(who), *at) for id_, (path, mark, who, *at) in told["files"].items()},
            {id_: Named(*named) for id_, named in told["names"].items()},
            {path: (id_, frozenset(who)) for path, (id_, who) in told["leaving"].items()},
        )
    except (ValueError, TypeError, KeyError) as error:
        raise SourceError(
            f"{file} is damaged ({type(error).__name__}). Empty {file.parent.parent} and run the pass again."
        ) from error


def _rules(lists: Mapping[tuple[str, ...], list[str]], closes: bool) -> str:
    """The text of an access.toml. `closes`: what it does not name is nobody's, whatever the folders above say."""
    parts = [_HEAD, '[allow]\n"**" = []\n' if closes else ""]
    for who, names in sorted(lists.items()):
        listed = ",\n".join(f"    {_quoted(name)}" for name in sorted(names))
        parts.append(f"[[files]]\nwho = [{', '.join(map(_quoted, who))}]\nnames = [\n{listed},\n]\n")
    return "\n".join(filter(None, parts))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _ns_of(modified: str, told: str) -> int:
    """A file's time. What differs in content must differ in time, whatever time Drive tells: below a millisecond."""
    try:
        seconds = datetime.fromisoformat(modified.replace("Z", "+00:00")).astimezone(UTC).timestamp()
    except (ValueError, OverflowError):
        seconds = 0.0
    whole = min(max(int(seconds * 1000), 0), int(time.time() * 1000)) * 1_000_000
    return whole + int(mark(told, 8), 16) % 10_000 * 100
