"""Days of the week that a text names, in any of the languages of `proof.tables.DAYS`, as numbers from 0 (Monday).

Must not know claims or passages. Try: python -c "from proof.weekdays import named; print(named('Mardi, 周五'))"
"""

import re
from functools import lru_cache
from itertools import pairwise

from proof.tables import DAYS

_PATTERNS = tuple(re.compile(rf"\b(?:{spaced})\b|{run}", re.IGNORECASE) for spaced, run in DAYS)
_SHORT = tuple(
    re.compile(rf"\b(?:{short})\b", re.IGNORECASE)
    for short in (
        "mon|mo|lun", "tues?|di|mar", "wed|mi|mer|mié", "thu(?:rs?)?|do|jeu|jue", "fri|fr|ven|vie", "sat|sa|sam|sáb",
        "sun|so|dim|dom",
    )
)  # fmt: skip
_ANY_DAY = re.compile(
    r"\b(?:week ?days?|daily|every day|any day|around the clock|24/7|werktags?|wochentags?|täglich|jours ouvr\w+|"
    r"tous les jours|quotidien\w*|laborables|diari\w+|todos los días|cada día)\b|每天|每日|工作日|毎日|平日",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*(?:[-–—]|to|through|until|till|bis|au|à|a|al|至|到|から)\s*", re.IGNORECASE)


def named(text: str) -> dict[int, str]:
    """The days whose names stand in a text, each with its word there."""
    return {day: found[0] for day, pattern in enumerate(_PATTERNS) if (found := pattern.search(text))}


def without(text: str) -> str:
    """The text of the same length with the names of days blanked out."""
    for pattern in _PATTERNS:
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


@lru_cache(maxsize=1024)
def covered(text: str) -> frozenset[int]:
    """The days that a text speaks of: named in full or short, in a range, or all of them ("daily", "weekdays")."""
    return spanned(text) | {day for _, _, day in _places(text)}


def spanned(text: str) -> frozenset[int]:
    """The days of a text that stand in a range ("Monday to Friday"); all where it says "daily" or "weekdays"."""
    if _ANY_DAY.search(text):
        return frozenset(range(7))
    days: set[int] = set()
    for (_, end, first), (start, _, last) in pairwise(_places(text)):
        if _RANGE.fullmatch(text[end:start]):
            days |= {day % 7 for day in range(first, last + 1 if last >= first else last + 8)}
    return frozenset(days)


def _places(text: str) -> list[tuple[int, int, int]]:
    """Start, end and day of each name of a day, in order."""
    return sorted(
        (match.start(), match.end(), day)
        for patterns in (_PATTERNS, _SHORT)
        for day, pattern in enumerate(patterns)
        for match in pattern.finditer(text)
    )
