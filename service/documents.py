"""The text of a document as it was indexed, for a reader who follows a citation: lines of it, never its file.

Every road leads through a Reader of the caller, so a path is a name to look up. Lines that no chunk holds (front
matter, a heading alone) are the file's while it is what was indexed, and empty afterwards.
Knows no HTTP. Try: curl "http://127.0.0.1:8000/documents/leave-policy.md?lines=9-19"
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from access import Caller
from answering.cited import stale
from answering.recorded import document
from errors import BrainError
from masking import mask_line
from masking.policy import Policy
from search import Index
from sources.decode import decode
from storage.reader import ChunkRow

MOST_LINES = 400
"""Lines of one reply; the next are asked for by their numbers."""
MOST_CHARS = 200_000
"""Characters of one reply, unless its first line alone is longer."""
_MOST_PATH = 1000  # characters of a path that is not there, in the audit log


class NotFound(BrainError):
    """No document of this name that the caller may read."""

    code = "not_found"
    http_status = 404


class WrongLines(BrainError):
    """Lines that are no range, or that the document does not have."""

    code = "invalid_request"
    http_status = 422


class DocumentLines(BaseModel):
    """Lines `first_line` to `last_line` of a document of `total_lines`, as they were when it was indexed."""

    model_config = ConfigDict(extra="forbid")

    path: str
    title: str
    first_line: int
    last_line: int
    total_lines: int
    text: str
    places: list[str] = Field(description="of each line where the file has none (p12); empty for a plain text")
    dated: str = Field(description="ISO date that the document states, empty where it states none")
    modified: str = Field(description="when its file was last changed: UTC, ISO 8601")
    indexed_at: str
    stale: Literal["changed", "gone"] | None = Field(description="what has become of the file since it was indexed")


def lines_asked(text: str) -> tuple[int, int]:
    """First and last line of `12-30`, `12-` (as many as a reply holds), `12` and "" (from the first).

    Raises WrongLines for anything else.
    """
    found = re.fullmatch(r"([1-9][0-9]{0,8})(?:(-)([1-9][0-9]{0,8})?)?", text) if text else None
    if text and (found is None or (found[3] and int(found[3]) < int(found[1]))):
        raise WrongLines(f"lines: {text[:40]!r} is no range of lines. Write it as 12-30, the first line is 1.")
    first = int(found[1]) if found else 1
    most = first + MOST_LINES - 1
    if found and not found[2]:
        return first, first
    return first, min(int(found[3]), most) if found and found[3] else most


class Opened(Protocol):
    """Who writes into the audit log what is about to be shown, or was asked for in vain."""

    def __call__(self, told: Sequence[Mapping[str, str]], status: str = "read") -> None:
        """Raises NotRecorded; then nothing is shown."""
        ...


def document_lines(
    index: Index, caller: Caller, path: str, first: int, last: int, opened: Opened | None = None
) -> DocumentLines:
    """These lines of a document that `caller` may read; those after its end are left out. `opened` hears of it first.

    Raises NotFound, the same for a document that is not there and one that is not theirs, and WrongLines when it ends
    before `first`.
    """
    try:
        lines, row = _lines(index, caller, path, first, last)
    except (NotFound, WrongLines) as error:
        if opened:
            opened([{"path": mask_line(path)[:_MOST_PATH]}], error.code)
        raise
    if opened:
        opened([document(row, f"L{lines.first_line}-{lines.last_line}", "shown")])
    return lines


def _lines(index: Index, caller: Caller, path: str, first: int, last: int) -> tuple[DocumentLines, ChunkRow]:
    with index.store.reader(caller) as reader:
        total = reader.last_line(path)
        if not total:
            raise NotFound("There is no such document, or it is not yours to read.")
        if first > total:
            raise WrongLines(f"lines: the document has {total} lines.")
        rows = reader.lines_of(path, first, last)
        (row, *_) = rows or reader.lines_of(path, total, total)
        converted, places = reader.converted(path)
    held = {number: line for row in rows for number, line in enumerate(row.text.split("\n"), row.first_line)}
    wanted = range(first, min(last, total) + 1)
    if converted:
        held = dict(enumerate(converted, 1))
    elif any(number not in held for number in wanted):
        held |= dict(enumerate(_as_indexed(index, row), 1))
    lines = [held.get(number, "") for number in wanted]
    while len(lines) > 1 and sum(map(len, lines)) > MOST_CHARS:
        lines.pop()
    told = DocumentLines(
        path=row.path, title=row.title, first_line=first, last_line=first + len(lines) - 1, total_lines=total,
        text="\n".join(lines), places=list(places[first - 1 : first - 1 + len(lines)]),
        dated=row.dated, modified=row.modified, indexed_at=row.indexed_at, stale=stale(index.source, row),
    )  # fmt: skip
    return told, row


def _as_indexed(index: Index, row: ChunkRow) -> list[str]:
    """All lines of the file if it is still what was indexed, for those that no chunk holds: front matter, headings."""
    try:
        data = index.source.read(row.path)
    except OSError:
        return []
    if hashlib.sha256(data).hexdigest() != row.sha256:
        return []
    text = Policy(index.settings).masked(decode(data).text, row.path).text
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
