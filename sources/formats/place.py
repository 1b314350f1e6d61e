"""Where cited lines stand in a file that has no lines: a page, cells, a slide, joined from the places of single lines.

Knows no format.
Try: python -c "from sources.formats.place import joined; print(joined('Budget!A5:D5', 'Budget!A9:F9'))"
"""

import json
import re
from collections.abc import Sequence
from itertools import chain, groupby

_NUMBERED = re.compile(r"(?P<kind>.*?)(?P<from>\d+)(?:-(?P<to>\d+))?")
_CELLS = re.compile(r"(?P<sheet>.+)!(?P<a>[A-Z]+)(?P<from>\d+)(?::(?P<b>[A-Z]+)(?P<to>\d+))?")


def joined(first: str, last: str) -> str:
    """The place that reaches from `first` to `last`: p12 and p13 are p12-13, Budget!A5:D5 and Budget!A9:F9 are
    Budget!A5:F9, another kind or sheet is "p12 to L3". An empty one adds nothing.
    """
    if not first or not last or first == last:
        return first or last
    one, other = _CELLS.fullmatch(first), _CELLS.fullmatch(last)
    if one and other and one["sheet"] == other["sheet"]:
        columns = sorted((m[c] or m["a"] for m in (one, other) for c in "ab"), key=lambda name: (len(name), name))
        rows = sorted(int(m[c] or m["from"]) for m in (one, other) for c in ("from", "to"))
        return f"{one['sheet']}!{columns[0]}{rows[0]}:{columns[-1]}{rows[-1]}"
    one, other = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
    if one and other and one["kind"] == other["kind"] and not _CELLS.fullmatch(first):
        numbers = sorted(int(m[c] or m["from"]) for m in (one, other) for c in ("from", "to"))
        return f"{one['kind']}{numbers[0]}" + (f"-{numbers[-1]}" if numbers[-1] > numbers[0] else "")
    return f"{first} to {last}"


def over(places: Sequence[str]) -> str:
    """The place of all these lines together; blank lines may have none. "" for lines of a plain text."""
    told = [place for place in places if place]
    return joined(told[0], told[-1]) if told else ""


def packed(places: Sequence[str]) -> str:
    """The places of lines as they are stored: JSON, each with how many lines it holds; "" for none."""
    runs = chain.from_iterable((place, len(list(group))) for place, group in groupby(places))
    return json.dumps(list(runs), ensure_ascii=False) if any(places) else ""


def unpacked(stored: str) -> tuple[str, ...]:
    """What was given to `packed`; nothing for ""."""
    runs = json.loads(stored) if stored else []
    return tuple(place for place, count in zip(runs[::2], runs[1::2], strict=True) for _ in range(count))
