"""What Google Drive tells of its files: the whole tree below a folder, who may read one, and its bytes.

Read-only. Every page or an error; a search that Drive itself calls incomplete is one. Knows no disk and no rules.
Try: pytest tests/test_drive.py
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from access.readers.google import DRIVE_FILES, DRIVE_LISTS, following, grants
from access.readers.wire import Api, NotThere, text
from sources.folder import SUFFIXES
from sources.formats import MODULES, OLD, SOME, ending_of

FOLDER = "application/vnd.google-apps.folder"
_GOOGLE = "application/vnd.google-apps."
_OFFICE = "application/vnd.openxmlformats-officedocument."
EXPORTS = {
    f"{_GOOGLE}document": ("text/markdown", ".md"),
    f"{_GOOGLE}spreadsheet": (f"{_OFFICE}spreadsheetml.sheet", ".xlsx"),
    f"{_GOOGLE}presentation": (f"{_OFFICE}presentationml.presentation", ".pptx"),
}
"""Kinds that have no bytes of their own: as what each is taken, and the ending that such a file has."""
_ENDINGS = {
    "text/plain": ".txt", "text/markdown": ".md", "application/pdf": ".pdf", "text/html": ".html", "text/csv": ".csv",
    "message/rfc822": ".eml", **dict(EXPORTS.values()),
    f"{_OFFICE}wordprocessingml.document": ".docx",
}  # fmt: skip
"""Of a file whose name tells none."""
_TAKEN = (*SUFFIXES, *(ending for ending in MODULES if ending not in SOME))
_FIELDS = "id,name,mimeType,parents,modifiedTime,md5Checksum,size,trashed,driveId,capabilities/canDownload"
_ID = re.compile(r"[\w-]{1,200}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Item:
    """A file or folder of Drive."""

    id: str
    name: str
    kind: str  # MIME type
    parent: str
    mark: str  # another as soon as the content is another
    md5: str  # "" where Drive tells none
    modified: str  # ISO 8601
    size: int  # bytes; 0 where Drive tells none
    locked: bool  # may not be downloaded
    trashed: bool
    drive: str  # id of the shared drive, ""

    @property
    def ending(self) -> str:
        """How the file ends here; "" for what nothing here reads."""
        if self.kind in EXPORTS:
            return EXPORTS[self.kind][1]
        named = next((ending for ending in _TAKEN if self.name.lower().endswith(ending)), "")
        is_told = ending_of(self.name) in OLD
        return named or ("" if is_told else _ENDINGS.get(self.kind, ""))

    def hindrance(self, most: int) -> str:
        """Why its content is not taken; "" where it is. `most`: bytes."""
        if self.kind.startswith(_GOOGLE) and self.kind not in EXPORTS:
            what = self.kind.removeprefix(_GOOGLE)
            told = "is read where it stands itself" if what == "shortcut" else "cannot be exported as text"
            return f"a {what} of Google's {told}" if what != "shortcut" else f"a shortcut; what it leads to {told}"
        if not self.ending:
            old = OLD.get(ending_of(self.name))
            return f"is not read; save it as {old}" if old else "is of a kind that nothing here reads"
        if self.locked:
            return "its owner does not let it be downloaded"
        return f"is larger than {most / 1e6:g} MB" if self.size > most else ""


class Drive:
    """One connection; not for two threads at once."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def item(self, id_: str) -> Item:
        """A file or folder as it is now. Raises SystemAway, NotThere, Refused."""
        told = self.api.get(f"files/{self._id(id_)}", {"supportsAllDrives": "true", "fields": _FIELDS}, needs=_of())
        return self._item(told, "")

    def now(self, id_: str) -> Item | None:
        """The same, None for what is deleted or in the bin."""
        try:
            found = self.item(id_)
        except NotThere:
            return None
        return None if found.trashed else found

    def below(self, root: Item) -> Iterator[Item]:
        """Everything below a folder, folders before what they hold, shortcuts not followed."""
        seen, waiting = {root.id}, [root.id]
        while waiting:
            for item in self._children(waiting.pop(0), root.drive):
                if item.id in seen:
                    continue
                seen.add(item.id)
                yield item
                if item.kind == FOLDER:
                    waiting.append(item.id)

    def _children(self, folder: str, drive: str) -> Iterator[Item]:
        params = {
            "q": f"'{self._id(folder)}' in parents and trashed = false", "pageSize": "1000", "spaces": "drive",
            "fields": f"nextPageToken,incompleteSearch,files({_FIELDS})", "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
        }  # fmt: skip
        params |= {"corpora": "drive", "driveId": drive} if drive else {"corpora": "user"}
        for page in self.api.pages("files", params, lambda p: following(self.api, p, "files", params), needs=_of()):
            files = page.get("files", [] if page.get("incompleteSearch") is False else None)
            if not isinstance(files, list) or not all(isinstance(one, dict) for one in files):
                raise self.api.away("a page of files is no list of files")
            if page.get("incompleteSearch") is True:
                raise self.api.away("it says that its list of files is incomplete")
            yield from (self._item(told, folder) for told in files if told.get("trashed") is not True)

    def _item(self, told: dict[str, Any], parent: str) -> Item:
        id_, name, kind, modified = (told.get(part) for part in ("id", "name", "mimeType", "modifiedTime"))
        if not isinstance(name, str) or not isinstance(kind, str) or not isinstance(modified, str):
            raise self.api.away("a file lacks its name, kind or time")
        parents, able = told.get("parents"), told.get("capabilities")
        if not parent and isinstance(parents, list) and parents and isinstance(parents[0], str):
            parent = parents[0]
        size, md5 = text(told, "size"), text(told, "md5Checksum").lower()
        return Item(
            self._id(id_), name, kind, parent, f"{kind} {md5 or modified}", md5, modified,
            int(size) if size.isdecimal() else 0, isinstance(able, dict) and able.get("canDownload") is False,
            told.get("trashed") is True, text(told, "driveId"),
        )  # fmt: skip

    def _id(self, id_: object) -> str:
        if not isinstance(id_, str) or not _ID.fullmatch(id_):
            raise self.api.away(f"{str(id_)[:60]!r} is no id of a file")
        return id_

    def grants(self, id_: str) -> list[dict[str, Any]]:
        """Every permission of a file. Raises SystemAway, NotThere, Refused."""
        return grants(self.api, self._id(id_))

    def fetch(self, item: Item, into: BinaryIO, most: int) -> None:
        """Writes the file's bytes, or what it is exported as; at most `most`.

        Raises TooLarge, SystemAway, NotThere, Refused, OSError.
        """
        if item.kind in EXPORTS:
            params = {"mimeType": EXPORTS[item.kind][0]}
            self.api.fetch(f"files/{item.id}/export", params, into, most, needs=f"of the scope {DRIVE_FILES}")
        else:
            params = {"alt": "media", "supportsAllDrives": "true"}
            self.api.fetch(f"files/{item.id}", params, into, most, needs=f"of the scope {DRIVE_FILES}")


def _of() -> str:
    return f"of the scope {DRIVE_LISTS}"
