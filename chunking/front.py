"""The front matter of a Markdown file: its scalars as written, its lists with commas between what they hold.

It is read and never indexed as text. Knows no Markdown.
Try: python -c "from chunking.front import front_matter; print(front_matter(['---', 'tags: [a, b]', '---']))"
"""

from collections.abc import Sequence
from itertools import takewhile

import yaml

ACCESS = "access"
"""The key under which a document narrows who may read it. Kept, empty, where what it says cannot be read."""
_YAML = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # scalars stay as written: 1.10, yes, 2024-05-01
_MOST_LINES = 300
_MOST_ITEMS, _MOST_CHARS = 100, 2000  # of a list: aliases can make one that fills the memory


def front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """What the front matter says and how many lines it takes (0: there is none)."""
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return {}, 0
    marks = (n for n in range(1, min(len(lines), _MOST_LINES)) if lines[n].rstrip() in ("---", "..."))
    last = next(marks, 0)
    if not last:
        return _closed(list(takewhile(str.strip, lines[1:_MOST_LINES]))), 0
    inside = lines[1:last]
    try:
        loaded = yaml.load("\n".join(inside), Loader=_YAML)  # builds only strings, lists and dicts
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        keys = [entry.partition(":") for entry in inside if entry.strip() and entry[0] not in " -#"]
        return _closed(inside), last + 1 if keys and keys[0][1] and " " not in keys[0][0] else 0
    if loaded is not None and not isinstance(loaded, dict):
        return ({}, last + 1) if loaded == "" else ({}, 0)
    told = {key: _told(value) for key, value in (loaded or {}).items()}
    found = {key: value for key, value in told.items() if value is not None}
    lists = [_all_of(value) for key, value in (loaded or {}).items() if _is_access(key)]
    if lists or _closed(inside):
        found = {key: value for key, value in found.items() if not _is_access(key)}
        found[ACCESS] = lists[0] if len(lists) == len(_lines_of_access(inside)) == 1 else ""
    return found, last + 1


def _is_access(key: object) -> bool:
    return isinstance(key, str) and key.strip().lower() == ACCESS


def _lines_of_access(lines: Sequence[str]) -> list[str]:
    keys = [(line, *line.partition(":")[:2]) for line in lines]
    return [line for line, key, colon in keys if colon and key[:1] != " " and _is_access(key.strip("\"'"))]


def _closed(lines: Sequence[str]) -> dict[str, str]:
    """What is known of front matter that cannot be read: that it has an access list, and not which."""
    return {ACCESS: ""} if _lines_of_access(lines) else {}


def _all_of(value: object) -> str:
    """A whole access list, commas between; "" where it is not made of texts."""
    parts = value if isinstance(value, list) else [value]
    texts = [part for part in parts if isinstance(part, str)]
    return ", ".join(texts) if len(texts) == len(parts) else ""


def _told(value: object) -> str | None:
    """A scalar as written, a list's scalars with commas between them."""
    if not isinstance(value, list):
        return value if isinstance(value, str) else None
    told = ", ".join(one[:_MOST_CHARS] for one in value[:_MOST_ITEMS] if isinstance(one, str))
    return told[:_MOST_CHARS] or None
