"""Which documents a search looks at, beside the caller's right to read them: by date and by place.

Knows SQL, no callers and no questions. Try: python search.py "travel" --since 2026-01 --path "travel/*"
"""

import calendar
import re
from dataclasses import dataclass

from errors import UsageError

_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


@dataclass(frozen=True, slots=True)
class Filter:
    """Documents that are looked at; an empty part asks for nothing."""

    since: str = ""  # ISO dates, both ends included, compared with the document's own date
    until: str = ""
    path: str = ""  # a document, a folder, or a pattern with * and ?
    without: str = ""  # the path of a document that is left out

    def condition(self) -> tuple[str, list[str]]:
        """The filter but for `without`, as SQL over documents `d`, beginning with AND, and its values."""
        dates = (("d.dated >= ?", self.since), ("d.dated <= ?", self.until))
        parts = [(sql, [value]) for sql, value in dates if value]
        path = self.path.replace("\\", "/").rstrip("/")
        if any(mark in path for mark in "*?["):
            parts.append(("d.path GLOB ?", [path]))
        elif path:
            parts.append(("(d.path = ? OR substr(d.path, 1, length(?)) = ?)", [path, f"{path}/", f"{path}/"]))
        return "".join(f" AND {sql}" for sql, _ in parts), [value for _, values in parts for value in values]


EVERYTHING = Filter()


def filter_of(since: str | None, until: str | None, path: str | None) -> Filter:
    """The filter for dates as people write them: 2026, 2026-03 or 2026-03-01, whole years and months included.

    Raises UsageError for what is no date.
    """
    return Filter(_day(since, "since", last=False), _day(until, "until", last=True), path or "")


def _day(text: str | None, name: str, last: bool) -> str:
    if not text:
        return ""
    match = _DAY.fullmatch(text.strip())
    if match and 1 <= int(match[2] or 1) <= 12 and int(match[1]):
        year, month = int(match[1]), int(match[2] or (12 if last else 1))
        days = calendar.monthrange(year, month)[1]
        day = int(match[3] or (days if last else 1))
        if 1 <= day <= days:
            return f"{year:04}-{month:02}-{day:02}"
    raise UsageError(f"{name}: {text!r} is no date. Write 2026, 2026-03 or 2026-03-01.")
