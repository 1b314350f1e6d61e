"""One pass over Google Drive: the copy becomes what Drive holds, each file with those who may find it there.

A list is widened only once the content was seen to be the one it was made for; new content comes with the list that
Drive gave while it was the same; nothing leaves before everything was listed. Killed at any moment, the next one mends.
Knows Drive by listing.py and the disk by state.py, no index. Try: python -m access.sources --now NAME
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from access.entries import SystemAway
from access.readers.google import Holders
from access.readers.wire import Failing, NotThere, Refused, TooLarge
from errors import SourceError, Stopped
from sources.drive.crew import each
from sources.drive.listing import FOLDER, Drive, Item
from sources.drive.names import Node, placed
from sources.drive.state import Copy, File, State, Told, folder_of, replaced, translated

Connect = Callable[[], AbstractContextManager[Drive]]
Sizes = Callable[[str], int]
"""Of an ending: how many bytes a file may have."""

_BATCH, _BATCH_SECONDS = 100, 60.0  # files that come to their places at once; what waits is shown later
_MANY = 20  # files that do not all but vanish without a word
_IN_A_ROW = 3  # files that Drive fails at: then it is Drive, not the files
_LOOKS = 3  # at a file that changes while it is read
_EVERYWHERE = ("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "accessNotConfigured", "domainPolicy",
               "dailyLimitExceeded", "authError")  # fmt: skip
"""Reasons of a refusal that are none of the file's own."""
NOBODY = frozenset[str]()
UNKNOWN = "nobody may read it"


@dataclass(slots=True)
class Report:
    """What one pass did. `left_out`: (path, reason)."""

    files: int = 0
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    lists: int = 0  # of files that stayed as they were
    left_out: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def wrote(self) -> bool:
        """Whether the copy is another now."""
        return bool(self.added or self.changed or self.moved or self.removed or self.lists)


@dataclass(slots=True)
class _Seen:
    """What was found out about one file."""

    item: Item
    who: frozenset[str] | None  # None: not known as a whole
    staged: Path | None = None  # new content
    gone: bool = False
    reason: str = ""  # why it, or its new content, is not taken; or why nobody may read it
    stays: bool = True  # in the copy, whatever the reason
    error: SystemAway | None = None  # why its list is not known


class Mirror:
    """Passes over one folder of Drive."""

    def __init__(
        self, root: Path, folder: str, connect: Connect, holders: Holders, sizes: Sizes,
        lock: Callable[[], AbstractContextManager[None]], stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """`root`: where the copy stands. `lock`: while it holds no sync reads the copy. `stop` ends a pass early."""
        self.copy, self.folder, self.connect, self.holders, self.sizes = Copy(root), folder, connect, holders, sizes
        self.lock, self.stop = lock, stop
        self.report = Report()
        self.state = State(folder)
        self.paths: dict[str, str] = {}
        self.lists_only = False

    def contents(self, allow_empty: bool = False) -> Report:
        """Everything: files, names, lists. Raises SystemAway, and SourceError for a folder that is all but empty."""
        started = time.perf_counter()
        with translated(self.copy.root):
            self.state = self.copy.opened(self.folder)
            self.copy.begin()
            begun = _now()
            with self.connect() as drive:
                root = drive.item(self.folder)
                if root.kind != FOLDER or root.trashed:
                    raise SourceError(f"{self.folder} is no folder of Drive, or in its bin. The copy stays as it is.")
                items = list(self._until_stopped(drive.below(root)))
                wanted = self._planned(root.id, items)
                self._check_size(len(wanted), allow_empty)
                self._take(self._looks(self._look, wanted.values()), [*wanted.values()], drive)
                vanished = [id_ for id_ in self.state.files if id_ not in wanted]
                inside = {root.id, *(item.id for item in items if item.kind == FOLDER)}
                back = [item for id_ in vanished if (item := self._back(drive, id_, inside))]
                self._take(self._looks(self._look, back), back, drive)
                drive.item(self.folder)
                self._leave({*vanished} - {item.id for item in back})
            self._end(begun)
        self.report.seconds = time.perf_counter() - started
        return self.report

    def lists(self) -> Report:
        """Who may read what is there; no content, no name, and what is gone is nobody's. Raises as `contents` does."""
        started, self.lists_only = time.perf_counter(), True
        with translated(self.copy.root):
            self.state = self.copy.opened(self.folder)
            begun = _now()
            items = [_stub(id_, file) for id_, file in self.state.files.items()]
            with self.connect() as drive:
                self._take(self._looks(self._look_at_list, items), items, drive)
            self.copy.write_rules(self.state, {folder_of(file.path) for file in self.state.files.values()})
            told = [(path, why) for path, why in self.copy.told().left_out if not why.startswith(UNKNOWN)]
            self.copy.tell(Told(begun, tuple(sorted({*told, *self.report.left_out}))))
        self.report.files = len(self.state.files)
        self.report.seconds = time.perf_counter() - started
        return self.report

    def _until_stopped(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            self._check_stop()
            yield item

    def _check_stop(self) -> None:
        if self.stop():
            raise Stopped("The pass over Drive was stopped. The next one goes on.")

    def _planned(self, root: str, items: list[Item]) -> dict[str, Item]:
        """What can be taken, by id; every name and path is settled."""
        reasons = {i.id: i.hindrance(self.sizes(i.ending)) for i in items if i.kind != FOLDER}
        nodes = [Node(i.id, i.parent, i.name, "" if i.kind == FOLDER else i.ending or ".-") for i in items]
        self.paths, self.state.names = placed(nodes, root, self.state.names, self.copy.taken(self.state))
        for item in items:
            if reason := reasons.get(item.id):
                self.report.left_out.append((self.paths[item.id].removesuffix(".-"), reason))
        return {item.id: item for item in items if reasons.get(item.id) == ""}

    def _check_size(self, count: int, allow_empty: bool) -> None:
        known = len(self.state.files)
        if known and not allow_empty and (not count or (known >= _MANY and count * 10 < known)):
            raise SourceError(
                f"{count or 'No'} files are left of {known} in {self.folder} on Drive. The copy stays as it is. "
                "If they are really gone: python -m access.sources --now NAME --allow-empty"
            )

    def _looks(self, look: Callable[[Drive, Item], _Seen], items: Iterable[Item]) -> Generator[_Seen]:
        return each(items, self.connect, look)

    def _take(self, looks: Generator[_Seen], wanted: list[Item], drive: Drive) -> None:
        """Brings what was seen to the copy, batch by batch.

        What Drive fails at is the file's own fault only if Drive does better at others.
        """
        batch, doubtful = list[_Seen](), list[_Seen]()
        worked, at = not wanted, time.monotonic()
        try:
            with contextlib.closing(looks):
                for seen in looks:
                    self._check_stop()
                    if seen.error:
                        doubtful.append(seen)
                        if sum(isinstance(one.error, Failing) for one in doubtful) >= _IN_A_ROW:
                            raise seen.error
                        continue
                    batch += [*doubtful, seen]
                    doubtful, worked = [], True
                    if len(batch) >= _BATCH or time.monotonic() - at >= _BATCH_SECONDS:
                        self._bring(self._sure(batch, drive))
                        batch, at = [], time.monotonic()
            if not worked and doubtful and doubtful[0].error:
                raise doubtful[0].error
            batch = self._sure(batch + doubtful, drive)
        except SystemAway:
            self._bring([seen for seen in batch if not (seen.gone or seen.error)])  # each known as a whole by itself
            raise
        self._bring(batch)

    def _sure(self, batch: list[_Seen], drive: Drive) -> list[_Seen]:
        """The batch, if the folder is still there: a Drive that lets us in no more tells of every file that it is gone.

        Raises SystemAway.
        """
        if any(seen.gone or seen.error for seen in batch):
            drive.item(self.folder)
        return batch

    # What is found out about one file, in a thread of its own: it changes nothing but what waits in `.drive`.

    def _look(self, drive: Drive, item: Item) -> _Seen:
        held = self.state.files.get(item.id)
        try:
            for _ in range(_LOOKS):
                staged, is_here = None, held and held.mark == item.mark and self.copy.is_whole(held)
                if not is_here:
                    staged, reason, error = self._fetched(drive, item)
                    if reason:
                        return self._without(drive, item, held, reason, error)
                who = self._who(drive, item)
                if is_here and held and who <= held.who:
                    return _Seen(item, who)
                now = drive.now(item.id)
                if now is None:
                    return _Seen(item, NOBODY, gone=True)
                if now.mark == item.mark and (staged or is_here):
                    return _Seen(item, who, staged)
                item = replace(item, mark=now.mark, md5=now.md5, modified=now.modified, size=now.size)
        except NotThere:
            return _Seen(item, NOBODY, gone=True)
        except (Failing, Refused) as error:
            return self._unknown(item, error)
        reason = "changes while it is read" + ("; its former text stays" if held else "")
        return _Seen(item, who & held.who if held else NOBODY, reason=reason, stays=held is not None)

    def _without(self, drive: Drive, item: Item, held: File | None, reason: str, error: Failing | None) -> _Seen:
        """A file whose new content is not to be had: out it goes, or, after an error, its former text stays."""
        if held is None or error is None:
            return _Seen(item, NOBODY, reason=reason, stays=False, error=error)
        return _Seen(item, self._who(drive, item) & held.who, reason=f"{reason}; its former text stays", error=error)

    def _look_at_list(self, drive: Drive, item: Item) -> _Seen:
        held = self.state.files[item.id]
        try:
            who = self._who(drive, item)
            if not who <= held.who:
                now = drive.now(item.id)
                if now is None or now.mark != held.mark or not self.copy.is_whole(held):
                    who &= held.who  # wider for a content that is not here yet
            return _Seen(item, who)
        except NotThere:
            return _Seen(item, NOBODY, gone=True)
        except (Failing, Refused) as error:
            return self._unknown(item, error)

    def _unknown(self, item: Item, error: SystemAway) -> _Seen:
        if isinstance(error, Refused) and (error.status == 401 or error.reason in _EVERYWHERE):
            raise error
        told = "may not be read" if isinstance(error, Refused) else "cannot be read as a whole"
        return _Seen(item, None, reason=f"{UNKNOWN}, its permissions {told}", error=error)

    def _who(self, drive: Drive, item: Item) -> frozenset[str]:
        return self.holders.of(drive.grants(item.id), _now())

    def _fetched(self, drive: Drive, item: Item) -> tuple[Path | None, str, Failing | None]:
        """Where the content waits; or why there is none, and the error that may pass. None and "": it has changed."""
        staged = self.copy.staged(item.id, item.mark)
        part = staged.with_suffix(".part")
        most = self.sizes(item.ending)
        try:
            if not staged.exists():
                with part.open("w+b") as file:
                    drive.fetch(item, file, most)
                    file.seek(0)
                    if item.md5 and hashlib.file_digest(file, _md5).hexdigest() != item.md5:
                        return None, "", None
                os.replace(part, staged)
            return staged, "", None
        except TooLarge:
            return None, f"is larger than {most / 1e6:g} MB", None
        except Refused as error:
            if error.status == 401 or error.reason in _EVERYWHERE:
                raise SystemAway(str(error)) from error
            return None, f"Drive does not give its content ({error.reason or error.status})", None
        except Failing as error:
            return None, "Drive fails at its content", error
        finally:
            part.unlink(missing_ok=True)

    # What changes the copy.

    def _bring(self, batch: list[_Seen]) -> None:
        """One batch. Until its content is in its place, a file is for those alone whom both lists name."""
        if not self.lists_only:
            self._leave([seen.item.id for seen in batch if seen.gone or not seen.stays])
            batch = [seen for seen in batch if not seen.gone]
        self.report.left_out += [(self._path_of(seen.item.id), seen.reason) for seen in batch if seen.reason]
        batch = [seen for seen in batch if seen.stays]
        folders, moves = set[str](), list[tuple[_Seen, File, str]]()
        for seen in batch:
            who = seen.who or NOBODY
            file, path = self.state.files.get(seen.item.id), self._path_of(seen.item.id)
            if file is None:
                if seen.staged is None:
                    continue  # new, and its list is not known: not before it is
                file, old = File(path, who=who), ""
                self.state.files[seen.item.id] = file
                self.report.added += 1
            elif seen.staged is None and file.path == path:
                self.report.lists += file.who != who
                folders |= {folder_of(path)} if file.who != who else set()
                file.who = who
                continue
            else:
                old = file.path if file.path != path else ""
                self.report.changed += seen.staged is not None
                self.report.moved += bool(old)
                if old:
                    self.state.leaving[old] = (seen.item.id, file.who & who)
                self.state.leaving.pop(path, None)
                file.path, file.who = path, file.who & who
                file.mark = "" if seen.staged else file.mark
            folders |= {folder_of(path), folder_of(old)}
            moves.append((seen, file, old))
        if folders:
            self._settle(moves, folders)

    def _settle(self, moves: list[tuple[_Seen, File, str]], folders: set[str]) -> None:
        self.copy.save(self.state)
        self.copy.write_rules(self.state, folders)
        if not moves:
            return
        with self.lock():  # a sync that has read the old lists may not meet the new content
            for seen, file, old in moves:
                if seen.staged:
                    self.copy.place(seen.staged, file, seen.item.modified, seen.item.mark)
                    if old:
                        self.copy.remove(old, but=file.path)
                elif (self.copy.root / old).exists():
                    (self.copy.root / file.path).parent.mkdir(parents=True, exist_ok=True)
                    replaced(self.copy.root / old, self.copy.root / file.path)
                file.who = seen.who or NOBODY
                self.state.leaving.pop(old, None)
        self.copy.save(self.state)
        self.copy.write_rules(self.state, folders)

    def _leave(self, ids: Iterable[str]) -> None:
        """Files leave, then what was remembered of them."""
        gone = [self.state.files.pop(id_) for id_ in ids if id_ in self.state.files]
        if gone:
            for file in gone:
                self.copy.remove(file.path)
            self.report.removed += len(gone)
            self.copy.save(self.state)
            self.copy.write_rules(self.state, {folder_of(file.path) for file in gone})

    def _back(self, drive: Drive, id_: str, inside: set[str]) -> Item | None:
        """A file that was not listed, if it is there all the same: it was moved while the folders were listed."""
        self._check_stop()
        now = drive.now(id_)
        return now if now and now.parent in inside and not now.hindrance(self.sizes(now.ending)) else None

    def _path_of(self, id_: str) -> str:
        return self.paths[id_] if id_ in self.paths else self.state.files[id_].path

    def _end(self, begun: str) -> None:
        left = {path for path in self.state.leaving if path not in {f.path for f in self.state.files.values()}}
        for path in left:
            self.copy.remove(path)
        folders = {folder_of(path) for path in left} | {folder_of(file.path) for file in self.state.files.values()}
        self.state.leaving = {}
        self.copy.save(self.state)
        self.copy.write_rules(self.state, folders)
        self.copy.sweep()
        told = [(path, "is not from Drive, so nobody may read it") for path in self.copy.strangers(self.state)]
        self.report.left_out = sorted({*self.report.left_out, *told})
        self.report.files = len(self.state.files)
        self.copy.tell(Told(begun, tuple(self.report.left_out)))


def _stub(id_: str, file: File) -> Item:
    """A file of which only the list is wanted."""
    return Item(id_, file.path, "", "", file.mark, "", "", 0, False, False, "")


_md5 = partial(hashlib.md5, usedforsecurity=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
