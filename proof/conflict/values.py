"""What a statement gives as its answer: lengths, sums, shares, counts, dates, times, versions, addresses, phones.

Each has a kind; values of one kind are compared (`value`). What no figure with a unit tells is read in `said`.
Must not know questions, passages or what a statement is about.
Try: python -c "from proof.conflict.values import values; print(values('at least 2 weeks', 'en'))"
"""

import re
from collections.abc import Iterator
from functools import cache

from language.words import is_function_word, stem
from proof.conflict.said import said
from proof.conflict.scope_tables import LIMIT_WORDS, OVER, PLACED, SPANS, WORKING
from proof.conflict.value import Value
from proof.conflict.value_tables import PEOPLE, ZONES
from proof.facts import Moment, Number, moments, numbers, plain
from proof.tables import DAYS, PER, TIME_UNITS

_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0, "month": 730.0, "year": 8760.0}
_JOINS = re.compile(r"\s*(?:-|–|—|to|bis|till|until|a|à|al|ate|até|tot|и|до|至|到|~|〜|から)\s*", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|）)」』;]+", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w.-])(?:\+|\(?0)\d[\d ()/.-]{5,}\d(?![\w-])")
_NAMED = re.compile(r"(?<![\w.])(v|[^\W\d_][\w+#]*)[ \u00a0]?#?(\d+(?:\.\d+){0,3})(?![\w%€$£:]|[.,]\d)", re.IGNORECASE)
_NOUN = re.compile(r"[ -]?([^\W\d_][\w-]*)(?:\s+([^\W\d_][\w-]*))?")
_OF = frozenset(("of", "more", "full", "other", "further", "der", "von", "mehr", "weitere", "de", "des"))
_LONGEST_FIRST = sorted(ZONES, key=len, reverse=True)
_ZONE = re.compile(  # "9:00 EST", but not "9:00 est"
    rf"\W{{0,2}}(?:U\.?S\.? )?({'|'.join(zone.upper() if len(zone) < 5 else zone.title() for zone in _LONGEST_FIRST)})"
    r"(?![^\W\d])([+-]\d{1,2})?"
)
_PEOPLE = re.compile(PEOPLE, re.IGNORECASE)
_BEFORE = 28  # characters before a figure in which its limit stands
_CONDITION = re.compile(rf"(?:{OVER})\s*(?:a |the |the first |einem |einer |den )?$", re.IGNORECASE)


def values(text: str, lang: str, header: str = "") -> list[Value]:
    """The values of a `plain` text in order; `header` is the column's name where the text is a table's cell."""
    found = [*_addresses(text)]
    found += [v for v in said(text, lang) if not any(a.start < v.end and v.start < a.end for a in found)]
    taken = [(v.start, v.end) for v in found]
    counted = [*_times(text, moments(text)), *_weekdays(text)]
    measured = [*_measured(text, lang, header)]
    found += [v for v in (*counted, *measured) if not any(a < v.end and v.start < b for a, b in taken)]
    return sorted(found, key=lambda v: v.start)


def _addresses(text: str) -> Iterator[Value]:
    for kind, pattern in (("email", _EMAIL), ("url", _URL), ("phone", _PHONE)):
        for match in pattern.finditer(text):
            written = match[0].rstrip(".,;:!?")
            word = re.sub(r"\D", "", written).removeprefix("00").lstrip("0") if kind == "phone" else _bare(written)
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
        if last is moment:
            yield _clock(text, moment, _edge(text, moment.start), _zone(text, moment.end))
        else:
            zone = _zone(text, last.end)
            yield from (_clock(text, m, edge, zone) for m, edge in ((moment, "min"), (last, "max")))
    for moment in (m for m in found if m.dates):
        limit = _edge(text, moment.start)
        yield Value("date", moment.start, moment.end, moment.text.strip(), dates=moment.dates, limit=limit)


def _clock(text: str, moment: Moment, edge: str, zone: int | None) -> Value:
    minutes = min(h * 60 + m for h, m in moment.times)
    written = text[moment.start : moment.end].strip()
    return Value(f"clock {edge}".strip(), moment.start, moment.end, written, minutes, minutes, zone=zone)


def _zone(text: str, at: int) -> int | None:
    match = _ZONE.match(text, at)
    if not match:
        return None
    return ZONES[match[1].casefold()] + 60 * int(match[2] or 0)


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
    if _PEOPLE.fullmatch(word):
        return "person"
    return stem(word, lang) if word else ""


def _header_noun(header: str, lang: str) -> str:
    found = [w for w in re.findall(r"[^\W\d_]{3,}", header) if not is_function_word(w, lang)]
    return stem(found[-1], lang) if found else ""


def told(text: str) -> str:
    """A statement's text in the form in which values are read."""
    return " ".join(plain(text).replace("`", "").split())
