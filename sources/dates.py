"""The date that a document states: in its front matter, else in a line of its beginning ("Version of 1 June 2025").

When a file was changed is no such date: a copy or a clone makes all of them new. Knows no index.
Try: python -c "from sources.dates import stated_date; print(stated_date({}, 'Stand: 1. April 2025'))"
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from itertools import islice

from language.when import month_of

KEYS = (
    "updated", "last_updated", "lastupdated", "last_modified", "lastmod", "modified", "last_reviewed", "reviewed",
    "effective", "effective_date", "valid_from", "date", "published", "created",
)  # fmt: skip
"""Front matter keys that date a document, the first that is there and can be read decides. `-` counts as `_`."""
_FORMS = tuple(
    re.compile(form)
    for form in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)",  # 2026-03-01
        r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)(?!\d)",
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?![-/.\d])",  # a whole month or year counts from its first day
        r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)",  # 01.03.2026
        r"(?P<y>\d{4})[年년] ?(?P<m>\d{1,2})[月월](?: ?(?P<d>\d{1,2})[日일])?",
        r"(?:[^\W\d]+,? )?(?P<d>\d{1,2})(?:st|nd|rd|th|er|º)?\.? (?:de )?(?P<name>[^\W\d]+)\.?,?(?: de)? "
        r"(?P<y>\d{4})(?!\d)",
        r"(?:[^\W\d]+, )?(?P<name>[^\W\d]+)\.?(?: (?P<d>\d{1,2})(?:st|nd|rd|th)?,?)? (?P<y>\d{4})(?!\d)",
        r"(?P<y>\d{4})(?![\d.:/-])$",
    )
)
"""Tried in this order at the value's beginning."""

_FIRST_LINES = 15  # below the front matter
_MOST_LINE_CHARS = 160
_AT = r"(?: (?:on|as of|of|from|dated|vom|am|du|le|depuis le|del?|el|desde el))?"
# A line, or what follows a mark in it, that begins so and goes on with a date tells the date of its document.
_NAMES = (
    r"(?:document )?version(?: (?:date|n[or]\.?))?(?:[ :]+v?\d+(?:\.\d+)*(?:,|(?= (?:of|from|dated|vom|du|del?) )))?|"
    r"edition|revision|"
    r"(?:last )?(?:updated|changed|modified|revised|reviewed|edited)|last (?:update|change|revision|review)|"
    r"(?:document )?status as of|stand|fassung|ausgabe|(?:zuletzt )?(?:geändert|aktualisiert|überarbeitet|geprüft)|"
    r"letzte (?:änderung|aktualisierung|überarbeitung|prüfung)|dernière (?:mise à jour|modification|révision)|"
    r"mise? à jour|version en date|édition|versión|edición|última (?:actualización|modificación|revisión)|"
    r"actualizado|fecha de (?:actualización|vigencia|la versión)|最后更新(?:日期|时间)?|更新日期|修订日期|版本日期"
)
_HOLDS = (  # ... if nothing else is said with it: "From 1 May, valid for a year, ..." is a rule
    r"(?:valid|effective|in force|applies|applicable)(?: (?:from|since|as of|date))?|as of|"
    r"(?:gültig|in kraft|gilt) (?:ab|seit)|inkrafttreten|gültigkeit ab|"
    r"(?:en vigueur|valable|applicable) (?:depuis|dès|à (?:partir|compter))|date d[’'](?:effet|entrée en vigueur)|"
    r"(?:vigente|válid[oa]|en vigor) (?:desde|a partir)|生效日期|(?:date|datum|fecha|日期)(?=\s*[*_]*[:：])"
)
_LABEL = re.compile(
    rf"(?:^|[|(·;–—]|\.\s|,\s)[\s>#*_|-]*(?:(?P<named>{_NAMES})|{_HOLDS}){_AT}[\s:：*_|]*(?=[^\W_])", re.I
)
_GOES_ON = re.compile(r"[\s*_]*[,;]?\s*[^\W_]")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)


def stated_date(meta: Mapping[str, str], text: str = "") -> str:
    """ISO date that a document of this front matter and this whole text states for itself, "" where it states none.

    Of several lines the latest date counts: a list of versions ends or begins with the one that holds.
    """
    by_key = {key.lower().replace("-", "_"): value for key, value in meta.items()}
    for key in KEYS:
        found = key in by_key and _read(by_key[key])
        if found:
            return found[0].isoformat()
    return max(_told(_FRONT.sub("", text.replace("\r", "\n"), 1)), default="")


def file_date(mtime_ns: int) -> str:
    """ISO date of a file's time (UTC nanoseconds)."""
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC).date().isoformat()


def _told(text: str) -> Iterator[str]:
    """The dates that lines of the beginning tell, ISO."""
    lines = (line for line in text.split("\n", 2 * _FIRST_LINES)[: 2 * _FIRST_LINES] if line.strip())
    for line in islice(lines, _FIRST_LINES):
        if len(line) > _MOST_LINE_CHARS or not re.search(r"\d{4}", line):
            continue
        for label in _LABEL.finditer(line):
            rest = line[label.end() :]
            word = re.match(r"[^\W\d]+", rest)
            found = None if word and not month_of(word[0]) else _read(rest)  # "valid until ..." is another date
            if found and (label["named"] or not _GOES_ON.match(rest[found[1] :])):
                yield found[0].isoformat()


def _read(text: str) -> tuple[date, int] | None:
    """The date that a text begins with, and where it ends."""
    for form in _FORMS:
        match = form.match(text.strip())
        if match:
            parts = match.groupdict()
            month = int(parts.get("m") or (month_of(parts["name"]) if parts.get("name") else 1))
            try:
                return date(int(parts["y"]), month, int(parts.get("d") or 1)), match.end()
            except ValueError:
                continue
    return None
