"""The date of a document: what its front matter says, else when its file was last changed.

Knows no index. Try: python -c "from sources.dates import date_of; print(date_of({'updated': '5 March 2026'}, 0))"
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

KEYS = (
    "updated", "last_updated", "lastupdated", "last_modified", "lastmod", "modified", "last_reviewed", "reviewed",
    "effective", "effective_date", "valid_from", "date", "published", "created",
)  # fmt: skip
"""Front matter keys that date a document, the first that is there and can be read decides. `-` counts as `_`."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FORMS = (
    re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)"),
    re.compile(r"(?P<d>\d{1,2})(?:st|nd|rd|th)? (?P<name>[a-z]{3})[a-z]*\.?,? (?P<y>\d{4})(?!\d)"),
    re.compile(r"(?P<name>[a-z]{3})[a-z]*\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})(?!\d)"),
)


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
        match = form.match(text.strip().lower())
        if match:
            parts = match.groupdict()
            month = parts.get("m") or str(_MONTHS.index(parts["name"]) + 1 if parts["name"] in _MONTHS else 0)
            try:
                return date(int(parts["y"]), int(month), int(parts["d"]))
            except ValueError:
                return None
    return None
