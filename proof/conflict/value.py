"""One answer as written and what it may mean: which two can be compared, agree, or are the same.

2 weeks are 14 days, "up to 30" holds 28, and of "at least 8" and "at most 64" neither denies the other. Must not know
how a value is read, what it is about, or passages.
Try: python -m pytest tests/test_conflict.py -k values
"""

import re
from dataclasses import dataclass
from itertools import product

from proof.facts import Date, same_date

WORDY = ("weekday", "often", "monthday", "money free", "clock", "date", "name ")
"""Kinds whose words are all of the value; of "25 vacation days" or "Python 3.12" some tell what it is the value of."""
NEARLY = 0.12
"""4 weeks are a month to most writers, 90 days are three."""
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True)
class Value:
    """One answer as written, its place, and what it may mean: an interval, or words of which any two may meet."""

    kind: str  # "time", "money EUR", "%", "count desk", "named python", "date", "clock", "weekday", "email", ...
    start: int
    end: int
    text: str
    low: float = 0.0
    high: float = 0.0
    unit: str = ""  # of a time
    limit: str = ""  # "min", "max" or ""
    rate: str = ""
    words: frozenset[str] = frozenset()
    dates: frozenset[Date] = frozenset()
    is_condition: bool = False  # "more than 8 hours": tells when, not how much
    zone: int | None = None  # of a clock time, minutes to be added to UTC


def comparable(one: Value, other: Value) -> bool:
    """Whether two values answer the same question: of one kind, or nothing and a sum, or a time and an opening time."""
    if one.kind == other.kind:
        return True
    mine, theirs = one.kind.split(" "), other.kind.split(" ")
    if mine[0] != theirs[0]:
        return False
    return (mine[0] == "money" and "free" in (mine[1], theirs[1])) or (
        mine[0] == "clock" and 1 in map(len, (mine, theirs))
    )


def agree(one: Value, other: Value) -> bool:
    """Whether two values may both be right; always where they cannot be compared."""
    if not comparable(one, other):
        return True
    if one.kind.startswith("name "):
        return bool(one.words & other.words) or _one_name(one, other) or _one_name(other, one)
    if one.kind == "phone":
        return any(a.endswith(b) or b.endswith(a) for a, b in product(one.words, other.words))
    if one.words or other.words:
        return bool(one.words & other.words) or _prefix(one, other)
    if one.kind.startswith("clock"):
        return _one_moment(one, other)
    if {one.limit, other.limit} == {"min", "max"}:
        return True
    if one.kind == "date":
        return any(same_date(a, b) or same_date(b, a) for a, b in product(one.dates, other.dates))
    if one.kind == "often":
        return _overlap(one, other, NEARLY)
    if one.rate and other.rate and one.rate != other.rate:
        return True
    if one.kind == "time" and one.unit != other.unit:
        same_days = {one.unit, other.unit} == {"day", "working day"} and one.text.split()[0] == other.text.split()[0]
        return same_days or bool(one.rate or other.rate) or _overlap(one, other, NEARLY)
    return _overlap(one, other)


def same(one: Value, other: Value) -> bool:
    """Whether two values are one and the same (not merely such that both may be right)."""
    if not comparable(one, other):
        return False
    if one.words or other.words or one.kind == "date" or one.kind.startswith("clock"):
        return agree(one, other)
    slack = NEARLY if one.unit != other.unit or one.kind == "often" else 0.0
    return abs(one.low - other.low) <= slack * max(one.low, other.low) and abs(one.high - other.high) <= slack * max(
        one.high, other.high
    )


def _overlap(one: Value, other: Value, slack: float = 0.0) -> bool:
    (a, b), (c, d) = (_reach(v, w) for v, w in ((one, other), (other, one)))
    return a <= d * (1 + slack) and c <= b * (1 + slack)


def _reach(value: Value, other: Value) -> tuple[float, float]:
    if value.limit == other.limit:
        return value.low, value.high
    if value.limit == "max":
        return 0.0, value.high
    return value.low, float("inf") if value.limit == "min" else value.high


def _one_moment(one: Value, other: Value) -> bool:
    """A zone that only one of the two tells may be meant by the other."""
    if one.low == other.low and (one.zone == other.zone or None in (one.zone, other.zone)):
        return True
    return (one.low - (one.zone or 0)) % _DAY_MINUTES == (other.low - (other.zone or 0)) % _DAY_MINUTES


def _one_name(short: Value, long: Value) -> bool:
    """Ben is Ben Ito."""
    return any(word in re.findall(r"\w+", long.text.casefold()) for word in short.words if " " not in short.text)


def _prefix(one: Value, other: Value) -> bool:
    """Version 15 may be 15.4."""
    short, long = sorted((min(one.words, default=""), min(other.words, default="")), key=len)
    return one.kind.startswith("named") and long.startswith(f"{short}.")
