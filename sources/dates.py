"""The date of a document: what its front matter says, else when its file was last changed.

Knows no index. Try: python -c "from sources.dates import date_of; print(date_of({'updated': '5 March 2026'}, 0))"
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

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
        r"(?:[^\W\d]+,? )?(?P<d>\d{1,2})(?:st|nd|rd|th)?\.? (?:de )?(?P<name>[^\W\d]+)\.?,?(?: de)? (?P<y>\d{4})(?!\d)",
        r"(?:[^\W\d]+, )?(?P<name>[^\W\d]+)\.?(?: (?P<d>\d{1,2})(?:st|nd|rd|th)?,?)? (?P<y>\d{4})(?!\d)",
        r"(?P<y>\d{4})(?![\d.:/-])$",
    )
)
"""Tried in this order at the value's beginning."""


def date_of(meta: Mapping[str, str], mtime_ns: int) -> str:
    """ISO date of a document with this front matter and file time (UTC nanoseconds)."""
    by_key = {key.lower().replace("-", "_"): value for key, value in meta.items()}
    for key in KEYS:
        found = key in by_key and _read(by_key[key])
        if found:
            return found.isoformat()
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC).date().isoformat()


def _read(text: str) -> date | None:
    for form in _FORMS:
        match = form.match(text.strip())
        if match:
            parts = match.groupdict()
            month = int(parts.get("m") or (month_of(parts["name"]) if parts.get("name") else 1))
            try:
                return date(int(parts["y"]), month, int(parts.get("d") or 1))
            except ValueError:
                continue
    return None
