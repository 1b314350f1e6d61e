"""Which documents a search looks at, beside the caller's right to read them: by date and by place.

Knows SQL, no callers and no questions. Try: python search.py "travel" --since 2026-01 --path "travel/*"
"""

import calendar
import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath
from types import ModuleType

from errors import UsageError

_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


@dataclass(frozen=True, slots=True)
class Filter:
    """Documents that are looked at; an empty part asks for nothing."""

    since: str = ""  # ISO dates, both ends included, compared with the document's own date
    until: str = ""
    path: str = ""  # a document, a folder, or a pattern of the whole path with * (also across /) and ?
    without: tuple[str, ...] = ()  # paths of documents that are left out

    def condition(self, *, regular: bool = False) -> tuple[str, list[str]]:
        """The filter but for `without`, as SQL over documents `d`, beginning with AND, and its values.

        `regular`: for an engine that has no GLOB, but regular expressions.
        """
        matches, made = ("~", _regular) if regular else ("GLOB", str)
        dates = (("d.dated >= ?", self.since), ("d.dated <= ?", self.until))
        parts = [(sql, [value]) for sql, value in dates if value]
        path = self.path.rstrip("/")
        if path:  # a name may hold a bracket, so what is written is also looked for as it stands
            sql = f"d.path = ? OR substr(d.path, 1, length(?)) = ? OR d.path {matches} ?"
            forms = dict.fromkeys((path, *(unicodedata.normalize(form, path) for form in ("NFC", "NFD"))))
            values = [value for one in forms for value in (one, f"{one}/", f"{one}/", made(one))]
            parts.append((f"({' OR '.join([sql] * len(forms))})", values))
        return "".join(f" AND {sql}" for sql, _ in parts), [value for _, values in parts for value in values]


EVERYTHING = Filter()


def _regular(pattern: str) -> str:
    """What GLOB takes, as a regular expression of the whole path; a bracket that is not closed fits nothing."""
    parts, at = [], 0
    while at < len(pattern):
        char, at = pattern[at], at + 1
        if char == "[":
            part, at = _class(pattern, at)
            parts.append(part)
        else:
            parts.append({"*": ".*", "?": "."}.get(char) or re.escape(char))
    return f"^(?:{''.join(parts)})$"


def _class(pattern: str, at: int) -> tuple[str, int]:
    """What stands between brackets, from behind the first of them, and where it ends. "]" at first is a letter."""
    negated = pattern.startswith("^", at)
    at += negated
    pairs, before, first = list[tuple[str, str]](), "", at
    while at < len(pattern) and (pattern[at] != "]" or at == first):
        if pattern[at] == "-" and before and pattern[at + 1 : at + 2] not in ("", "]"):
            pairs.append((before, pattern[at + 1]))
            before, at = "", at + 2
        else:
            before = "" if pattern[at] == "]" else pattern[at]
            pairs.append((pattern[at], pattern[at]))
            at += 1
    if at == len(pattern):
        return "(?!)", at
    made = "".join(f"\\U{ord(low):08x}-\\U{ord(high):08x}" for low, high in pairs if low <= high)
    return f"[{'^' * negated}{made}]" if made else "." if negated else "(?!)", at + 1


def filter_of(since: str | None, until: str | None, path: str | None, root: PurePath | None = None) -> Filter:
    """The filter for dates as people write them: 2026, 2026-03 or 2026-03-01, whole years and months included.

    An absolute `path` below `root`, the documents' folder, is taken as below it. None asks for nothing. Raises
    UsageError for what is empty or no date, a span that ends before it begins, and a path elsewhere.
    """
    made = Filter(_day(since, "since", last=False), _day(until, "until", last=True), _place(path, root))
    if made.until and made.since > made.until:
        raise UsageError(f"since {since} is after until {until}: no document can be dated so.")
    return made


def _place(path: str | None, root: PurePath | None, system: ModuleType = os.path) -> str:
    """`system` is ntpath or posixpath: on Windows the letters of a folder's name are of no case."""
    if path is None:
        return ""
    place = path.strip().replace("\\", "/")
    if root is not None and system.isabs(path.strip()):
        base = f"{root.as_posix().rstrip('/')}/"
        if not system.normcase(f"{place}/").startswith(system.normcase(base)):
            raise UsageError(f"path: {path} is not below {root}. Write it from there: travel/*.md")
        place = f"{place}/"[len(base) :].rstrip("/") or "*"
    place = place.removeprefix("./")
    if not place:
        raise UsageError('path: is empty. Write a document, a folder or a pattern: "travel/*.md"')
    return place


def _day(text: str | None, name: str, last: bool) -> str:
    if text is None:
        return ""
    match = _DAY.fullmatch(text.strip())
    if match and 1 <= int(match[2] or 1) <= 12 and int(match[1]):
        year, month = int(match[1]), int(match[2] or (12 if last else 1))
        days = calendar.monthrange(year, month)[1]
        day = int(match[3] or (days if last else 1))
        if 1 <= day <= days:
            return f"{year:04}-{month:02}-{day:02}"
    raise UsageError(f"{name}: {text!r} is no date. Write 2026, 2026-03 or 2026-03-01.")
