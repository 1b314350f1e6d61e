"""What a statement gives as its answer: lengths, sums, shares, counts, dates, times, versions, addresses, phones.

Each has a kind; values of one kind are compared: 2 weeks are 14 days, "up to 30" holds 28, and of "at least 8" and
"at most 64" neither denies the other. Must not know questions, passages or what a statement is about.
Try: python -c "from proof.values import values; print(values('at least 2 weeks', 'en'))"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from language.words import is_function_word, stem
from proof.facts import Date, Moment, Number, moments, numbers, plain, same_date
from proof.scope_tables import DAYS, LIMIT_WORDS, OVER, PLACED, SPANS, WORKING
from proof.tables import PER, TIME_UNITS

_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0, "month": 730.0, "year": 8760.0}
_NEARLY = 0.12  # 4 weeks are a month to most writers, 90 days are three
_JOINS = re.compile(r"\s*(?:-|–|—|to|bis|till|until|a|à|al|ate|até|tot|и|до|至|到|~|〜|から)\s*", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|）)」』;]+", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w.-])(?:\+|\(?0)\d[\d ()/.-]{5,}\d(?![\w-])")
_NAMED = re.compile(r"(?<![\w.])(v|[^\W\d_][\w+#]*)[ \u00a0]?#?(\d+(?:\.\d+){0,3})(?![\w%€$£:]|[.,]\d)", re.IGNORECASE)
_NOUN = re.compile(r"[ -]?([^\W\d_][\w-]*)(?:\s+([^\W\d_][\w-]*))?")
_OF = frozenset(("of", "more", "full", "other", "further", "der", "von", "mehr", "weitere", "de", "des"))
_BEFORE = 28  # characters before a figure in which its limit stands
_CONDITION = re.compile(rf"(?:{OVER})\s*(?:a |the |the first |einem |einer |den )?$", re.IGNORECASE)


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


def values(text: str, lang: str, header: str = "") -> list[Value]:
    """The values of a `plain` text in order; `header` is the column's name where the text is a table's cell."""
    found = [*_addresses(text)]
    taken = [(v.start, v.end) for v in found]
    counted = [*_times(text, moments(text)), *_weekdays(text)]
    measured = [*_measured(text, lang, header)]
    found += [v for v in (*counted, *measured) if not any(a < v.end and v.start < b for a, b in taken)]
    return sorted(found, key=lambda v: v.start)


def agree(one: Value, other: Value) -> bool:
    """Whether two values of one kind may both be right."""
    if one.kind != other.kind:
        return True
    if one.words or other.words:
        return bool(one.words & other.words) or _prefix(one, other)
    if {one.limit, other.limit} == {"min", "max"}:
        return True
    if one.kind == "date":
        return any(same_date(a, b) or same_date(b, a) for a, b in product(one.dates, other.dates))
    if one.rate and other.rate and one.rate != other.rate:
        return True
    if one.kind == "time" and one.unit != other.unit:
        same_days = {one.unit, other.unit} == {"day", "working day"} and one.text.split()[0] == other.text.split()[0]
        return same_days or bool(one.rate or other.rate) or _overlap(one, other, _NEARLY)
    return _overlap(one, other)


def _overlap(one: Value, other: Value, slack: float = 0.0) -> bool:
    (a, b), (c, d) = (_reach(v, w) for v, w in ((one, other), (other, one)))
    return a <= d * (1 + slack) and c <= b * (1 + slack)


def _reach(value: Value, other: Value) -> tuple[float, float]:
    if value.limit == other.limit:
        return value.low, value.high
    if value.limit == "max":
        return 0.0, value.high
    return value.low, float("inf") if value.limit == "min" else value.high


def _prefix(one: Value, other: Value) -> bool:
    """Version 15 may be 15.4."""
    short, long = sorted((min(one.words, default=""), min(other.words, default="")), key=len)
    return one.kind.startswith("named") and long.startswith(f"{short}.")


def _addresses(text: str) -> Iterator[Value]:
    for kind, pattern in (("email", _EMAIL), ("url", _URL), ("phone", _PHONE)):
        for match in pattern.finditer(text):
            written = match[0].rstrip(".,;:!?")
            word = re.sub(r"\D", "", written).lstrip("0") if kind == "phone" else _bare(written)
            if kind != "phone" or 7 <= len(word) <= 15:
                yield Value(kind, match.start(), match.start() + len(written), written, words=frozenset({word}))


def _bare(address: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", address.casefold()).rstrip("/")


def _times(text: str, found: list[Moment]) -> Iterator[Value]:
    clocks = sorted((m for m in found if m.times), key=lambda m: m.start)
    skip = -1
    for at, moment in enumerate(clocks):
        if at == skip:
            continue
        last = moment
        if at + 1 < len(clocks) and _JOINS.fullmatch(text, moment.end, clocks[at + 1].start):
            last, skip = clocks[at + 1], at + 1
        low, high = (min(h * 60 + m for h, m in part.times) for part in (moment, last))
        opening = _edge(text, moment.start)
        kind = "clock span" if last is not moment else f"clock {opening}".strip()
        span = frozenset({f"{low}-{high}"}) if last is not moment else frozenset()
        yield Value(kind, moment.start, last.end, text[moment.start : last.end].strip(), low, high, words=span)
    for moment in (m for m in found if m.dates):
        limit = _edge(text, moment.start)
        yield Value("date", moment.start, moment.end, moment.text.strip(), dates=moment.dates, limit=limit)


def _edge(text: str, at: int) -> str:
    before = text[max(0, at - _BEFORE) : at]
    return next((side for side in ("max", "min") if _limit_words(f"{side} edge").search(before)), "")


@cache
def _limit_words(side: str) -> re.Pattern[str]:
    article = r"(?:the |dem |der |den |le |el |la |o |am |on |at |die |\W)*"
    return re.compile(rf"(?:(?<!\w)(?:{LIMIT_WORDS[side][0]})|{LIMIT_WORDS[side][1]})\s*{article}$", re.IGNORECASE)


def _weekdays(text: str) -> Iterator[Value]:
    found = [(m.start(), m.end(), day) for day, pattern in _days() for m in pattern.finditer(text)]
    if found:
        start, end = min(found)[0], max(f[1] for f in found)
        span = len(found) == 2 and _JOINS.fullmatch(text, min(found)[1], max(found)[0])
        days = {day for *_, day in found}
        if span:
            days = {str(d) for d in range(int(min(found)[2]), int(max(found)[2]) + 1)} or days
        yield Value("weekday", start, end, text[start:end], words=frozenset(days))


@cache
def _days() -> list[tuple[str, re.Pattern[str]]]:
    return [(str(n), re.compile(rf"(?<!\w)(?:{names})|{marks}", re.I)) for n, (names, marks) in enumerate(DAYS)]


def _measured(text: str, lang: str, header: str) -> Iterator[Value]:
    found = numbers(text, lang)
    named = {match.start(2): match for match in _NAMED.finditer(text)}
    skip = -1
    for at, number in enumerate(found):
        if at == skip:
            continue
        last = number
        if at + 1 < len(found):
            behind = found[at + 1]
            between = _between(text, number, lang)
            if _JOINS.fullmatch(text, between, behind.start) and _lowest(number) < _lowest(behind):
                last, skip = behind, at + 1
        value = _value(text, number, last, lang, header, named.get(number.start))
        if value:
            yield value
    for start, match in named.items():
        if match[1] in ("v", "V") and not any(n.start <= start < n.end for n in found):
            yield _name_of(match, lang)


def _between(text: str, number: Number, lang: str) -> int:
    """Where a number with its unit ends: "20 days to 30 days" is a range, too."""
    return _span(text, number.end, lang)[1] or number.end


def _lowest(number: Number) -> float:
    return float(min(number.values))


def _value(text: str, first: Number, last: Number, lang: str, header: str, named: re.Match[str] | None) -> Value | None:
    unit, end = _span(text, last.end, lang)
    low, high = float(min(first.values)), float(max(last.values))
    own = first.unit or last.unit
    limit, condition = _limit(text, first.start, end or last.end), bool(_CONDITION.search(text[: first.start]))
    rate = _rate(f"{text} {header}", end or last.end, lang)
    written = text[first.start : end or last.end].strip()
    if own or unit:
        kind = "%" if own == "%" else f"money {own}" if own else "time"
        factor = 1.0 if own else _HOURS[unit]
        if not own and _is_working(text, last.end):
            unit, factor = "working day", 24 * 1.4
        return Value(
            kind, first.start, end or last.end, written, low * factor, high * factor, unit, limit, rate,
            is_condition=condition,
        )  # fmt: skip
    if named and first is last and (is_name := named[1][0].isupper() or named[1].casefold() in PLACED) and is_name:
        return _name_of(named, lang)
    if first is last and 1980 <= low <= 2060 and first.text.isdigit() and len(first.text) == 4:
        return Value("year", first.start, first.end, written, low, high, limit=_edge(text, first.start))
    unit = _span(f"0 {header}", 1, lang)[0]
    if unit:
        return Value(
            "time",
            first.start,
            last.end,
            f"{written} {unit}s",
            low * _HOURS[unit],
            high * _HOURS[unit],
            unit,
            limit,
            rate,
        )
    noun = _noun(text, last.end, lang) or _header_noun(header, lang)
    if not noun:
        return None
    return Value(
        f"count {noun}", first.start, last.end, written, low, high, limit=limit, rate=rate, is_condition=condition
    )


def _name_of(match: re.Match[str], lang: str) -> Value:
    noun = match[1].casefold()
    kind = "named version" if noun in ("v", "ver", "version", "release") else f"named {stem(noun, lang)}"
    return Value(kind, match.start(), match.end(), match[0], words=frozenset({match[2]}))


def _span(text: str, at: int, lang: str) -> tuple[str, int]:
    """The unit of time behind a number, and its end; ("", 0) where none is."""
    pattern = _spans(lang)
    match = pattern.match(text, at) if pattern else None
    return (str(match.lastgroup), match.end()) if match else ("", 0)


@cache
def _spans(lang: str) -> re.Pattern[str] | None:
    units = SPANS.get(lang) or TIME_UNITS.get(lang)
    if not units:
        return None
    end = "" if lang in ("zh", "ja", "ko") else r"\b"
    choices = "|".join(f"(?P<{name}>{pattern})" for name, pattern in units.items())
    return re.compile(
        rf"[ \u00a0-]?(?:(?:{WORKING[lang]}) ?)?(?:{choices}){end}"
        if lang in WORKING
        else rf"[ \u00a0-]?(?:{choices}){end}",
        re.I,
    )


def _is_working(text: str, at: int) -> bool:
    return bool(
        re.match(r"[ -]?(?:working|business|work) ?days?\b|[ -]?(?:arbeits|werk)tag|个?工作日|営業日", text[at:], re.I)
    )


def _limit(text: str, start: int, end: int) -> str:
    before, behind = text[max(0, start - _BEFORE) : start], text[end : end + 24]
    for side in ("max", "min"):
        if _limit_words(side).search(before) or re.match(
            rf"\W*(?:{LIMIT_WORDS[f'{side} behind'][0]})(?!\w)", behind, re.I
        ):
            return side
    return ""


def _rate(text: str, at: int, lang: str) -> str:
    before, alone = PER.get(lang, ("", {}))
    if not before:
        return ""
    clause = re.split(r"[。；，]" if lang == "zh" else r"[.;:!?]\s|,\s", text[at : at + 60])[0]
    if lang == "zh":
        clause = text[max(0, at - 24) : at]
    start, stop = ("", "") if lang == "zh" else (r"(?<!\w)", r"\b")
    for name, pattern in TIME_UNITS[lang].items():
        if re.search(rf"{start}{before}{pattern}{stop}", clause, re.IGNORECASE):
            return name
    return next((alone[w] for w in re.findall(r"\w+", clause.casefold()) if w in alone), "")


def _noun(text: str, at: int, lang: str) -> str:
    match = _NOUN.match(text, at)
    if not match or (is_function_word(match[1], lang) and match[1].casefold() not in _OF):  # "number 4 has a chair"
        return ""
    word = next((w for w in match.groups() if w and not is_function_word(w, lang) and not w.endswith("ly")), "")
    return stem(word, lang) if (word and word == (match[1] or "")) or word else ""


def _header_noun(header: str, lang: str) -> str:
    found = [w for w in re.findall(r"[^\W\d_]{3,}", header) if not is_function_word(w, lang)]
    return stem(found[-1], lang) if found else ""


def told(text: str) -> str:
    """A statement's text in the form in which values are read."""
    return " ".join(plain(text).replace("`", "").split())


def same(one: Value, other: Value) -> bool:
    """Whether two values are one and the same (not merely such that both may be right)."""
    if one.kind != other.kind:
        return False
    if one.words or other.words:
        return bool(one.words & other.words)
    if one.kind == "date":
        return agree(one, other)
    slack = _NEARLY if one.unit != other.unit else 0.0
    return abs(one.low - other.low) <= slack * max(one.low, other.low) and abs(one.high - other.high) <= slack * max(
        one.high, other.high
    )
