"""Figures with what bounds and measures them: at least or more than 5, by or to 6 %, kilograms or grams, two years.

Quantities of one kind are brought to one unit, so that two years are 24 months and half is 50 %. Must not know passages
or verdicts. Try: python -c "from proof.measures import quantities; print(quantities('two years or half a day', 'en'))"
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache, lru_cache

from proof.facts import Number, numbers, plain
from proof.measure_tables import BOUNDS, BY_OR_TO, EVERY, PARTS, UNITS
from proof.negation import denial_before, denied_at, denied_in
from proof.tables import BETWEEN, TIME_UNITS
from proof.words import whole

Quantity = tuple[str, Decimal]
"""A kind of unit (`minute`, `day`, `month`, `share`, `kg`, ...) and how many of it."""
_TIMES = {
    "minute": ("minute", 1), "hour": ("minute", 60), "day": ("day", 1), "week": ("day", 7), "month": ("month", 1),
    "year": ("month", 12),
}  # fmt: skip
_CLOSE = 3  # words from a denial to the limit it denies
_LIMITS = ("more", "less", "most", "least")
_DENIED = {"more": "most", "less": "least"}
_FORBIDDEN = re.compile(
    r"\b(?:not (?:allowed|permitted)|prohibited|forbidden|verboten|nicht (?:erlaubt|zulässig)|interdit\w*|prohibid\w+|"
    r"no (?:se )?permit\w+)\b|不允许|禁止",
    re.IGNORECASE,
)
_SAME_BEFORE = re.compile(r"\d[\d.,]* ?[^\W\d]*(?: [^\W\d]+)? ?\($")  # up to 13 days (104 hours)
_NO_LATER = re.compile(r"\bno later than\W*$|\bspätestens\W*$|\bau plus tard\W*$|\ba más tardar\W*$", re.IGNORECASE)
_IN_ADVANCE = re.compile(r"(?: ?[-\w]+){1,2} (?:before|prior|ahead|in advance|vor|avant|antes)\b", re.IGNORECASE)
_BEFORE, _BEHIND = 40, 30  # characters around a figure in which its bound stands


def unit_of(text: str, number: Number, lang: str) -> str:
    """The unit behind a number of `plain` text: `%`, a currency code, a unit of time, mass or data; "" for none."""
    if number.unit:
        return number.unit
    end = "" if lang == "zh" else r"\b"
    for name, pattern in TIME_UNITS.get(lang, {}).items():
        if _unit_pattern(rf"[ -]?{BETWEEN.get(lang, '')}{pattern}{end}").match(text, number.end):
            return name
    match = _SYMBOL.match(text, number.end)
    return UNITS.get(match[1].casefold(), "") if match else ""


_SYMBOL = re.compile(r"[ -]?(°\s?[CFK]\b|[^\W\d_]+(?:/[^\W\d_]+)?[²³]?)")


@cache
def _unit_pattern(written: str) -> re.Pattern[str]:
    return re.compile(written, re.IGNORECASE)


@lru_cache(maxsize=1024)
def quantities(text: str, lang: str) -> frozenset[Quantity]:
    """The quantities that a text states, in the unit of their kind."""
    text = plain(text)
    found: set[Quantity] = set()
    for number in numbers(text, lang):
        found |= set(quantities_of(text, number, lang))
    found |= {("share", part) for part in parts_of_a_whole(text, lang)}
    return frozenset(found | {("month", every) for every in _worded(text, EVERY.get(lang, {}), lang)})


def parts_of_a_whole(text: str, lang: str) -> dict[Decimal, str]:
    """The parts that a text names in words, with these: half, a quarter."""
    return _worded(text, PARTS.get(lang, {}), lang)


def _worded(text: str, table: Mapping[str, str], lang: str) -> dict[Decimal, str]:
    found: dict[Decimal, str] = {}
    for words, value in table.items():
        if match := whole(words, lang).search(text):
            found[Decimal(value)] = match[0]
    return found


def quantities_of(text: str, number: Number, lang: str) -> Iterator[Quantity]:
    """What a number of a text amounts to in the unit of its kind; nothing where it has no unit that has others."""
    unit = unit_of(text, number, lang)
    for value in number.values:
        if unit == "%":
            yield "share", value / 100
        elif unit in _TIMES:
            kind, factor = _TIMES[unit]
            yield kind, value * factor


def bounds(text: str, number: Number, lang: str) -> str:
    """How a number is bounded: "least", "most", "more", "less", "about", or "" for none."""
    before = re.split(r"[.;!?。；]", text[max(0, number.start - _BEFORE) : number.start])[-1]
    before = _SAME_BEFORE.sub("", before)
    behind = re.split(r"[.;!?。；]", text[number.end : number.end + _BEHIND])[0]
    if _IN_ADVANCE.match(behind) and _NO_LATER.search(before):
        return "least"
    for name, (left, right) in _bounds(lang).items():
        found = left.search(before) if left else None
        if found and name in _DENIED and (denied_at(before, *found.span(), lang) or _FORBIDDEN.search(behind)):
            return _DENIED[name]
        if found or (right and right.match(behind)):
            return name
    return ""


def without_limits(text: str, lang: str) -> str:
    """The text without the words from a denial to the figure that it limits: "may not weigh more than 8 kg"."""
    for number in reversed(numbers(text, lang)):
        start = max(0, number.start - _BEFORE)
        before = re.split(r"[.;!?。；]", text[start : number.start])[-1]
        for name in _LIMITS:
            found = _limit(name, lang, before)
            denied = denial_before(before, found.end(), lang) if found else None
            if not found or denied is None:
                continue
            close = len(before[denied : found.start()].split()) <= _CLOSE
            # "No more than" denies more; of "may not take up to" another thing is denied.
            if denied_in(found[0], lang) if name in ("most", "least") else close:
                text = text[: number.start - len(before) + denied] + text[number.start :]
                break
    return text


def _limit(name: str, lang: str, before: str) -> re.Match[str] | None:
    left, _ = _bounds(lang)[name]
    return left.search(before) if left else None


@cache
def _bounds(lang: str) -> dict[str, tuple[re.Pattern[str] | None, re.Pattern[str] | None]]:
    start = "" if lang == "zh" else r"(?<!\w)"
    found: dict[str, tuple[re.Pattern[str] | None, re.Pattern[str] | None]] = {}
    for name, rows in BOUNDS.items():
        left, right = rows.get(lang, ("", ""))
        found[name] = (
            re.compile(rf"{start}(?:{left})\W{{0,3}}$", re.IGNORECASE) if left else None,
            re.compile(rf"\W{{0,3}}(?:\w+ ){{0,2}}(?:{right})", re.IGNORECASE) if right else None,
        )
    return found


def by_or_to(text: str, number: Number, lang: str) -> str:
    """Whether a value changes "by" or "to" the number, as far as the word before it says so."""
    before = text[max(0, number.start - _BEFORE) : number.start]
    for name, words in BY_OR_TO.get(lang, {}).items():
        if re.search(rf"(?:{words})\s?$", before, re.IGNORECASE):
            return name
    return ""
