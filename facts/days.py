"""The last day of what ends, as a document states it, and the day from which it holds no more.

"Until 31 December" is written "2026-12-31T24", the end of that day, "until March 2026" is "2026-03T24"; what is stated
to be over on a day is that day alone. So both can be told: when it ended, and what the document says.
Try: python -c "from facts.days import ended; print(ended('2026-12-31T24'))"
"""

from calendar import monthrange
from datetime import date, timedelta

_END = "T24"  # ISO 8601 for the end of a day


def through(last: str) -> str:
    """The end of a day, month or year, as it is stored."""
    return f"{last}{_END}" if last else ""


def ended(stated: str) -> str:
    """The ISO day from which it holds no more; a text that is no such end stays as it is."""
    if not stated.endswith(_END):
        return stated
    try:
        year, month, day = (*map(int, told(stated).split("-")), 0, 0)[:3]
        month = month or 12
        following = date(year, month, day or monthrange(year, month)[1]) + timedelta(days=1)
    except (ValueError, OverflowError):  # the end of the year 9999 never comes
        return told(stated)
    return following.isoformat()


def told(stated: str) -> str:
    """The day, month or year as the document says it."""
    return stated.removesuffix(_END)


def is_last(stated: str) -> bool:
    """Whether it still holds on the day, or in the time, that is told."""
    return stated.endswith(_END)
