"""The front matter of a Markdown file: its scalars as written, its lists with commas between what they hold.

It is read and never indexed as text. Knows no Markdown.
Try: python -c "from chunking.front import front_matter; print(front_matter(['---', 'tags: [a, b]', '---']))"
"""

from collections.abc import Sequence

import yaml

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
        return {}, 0
    inside = lines[1:last]
    try:
        loaded = yaml.load("\n".join(inside), Loader=_YAML)  # builds only strings, lists and dicts
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        keys = [entry.partition(":") for entry in inside if entry.strip() and entry[0] not in " -#"]
        return {}, last + 1 if keys and keys[0][1] and " " not in keys[0][0] else 0
    if loaded is not None and not isinstance(loaded, dict):
        return ({}, last + 1) if loaded == "" else ({}, 0)
    told = {key: _told(value) for key, value in (loaded or {}).items()}
    return {key: value for key, value in told.items() if value is not None}, last + 1


def _told(value: object) -> str | None:
    """A scalar as written, a list's scalars with commas between them."""
    if not isinstance(value, list):
        return value if isinstance(value, str) else None
    told = ", ".join(one[:_MOST_CHARS] for one in value[:_MOST_ITEMS] if isinstance(one, str))
    return told[:_MOST_CHARS] or None
