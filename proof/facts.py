"""The hard facts of a sentence: numbers, amounts, percentages, dates, times, names, identifiers, quoted strings.

Each is brought to a normal form, so that `1,500 EUR` is `€1.500`, `3 p.m.` is `15:00` and `5. Mai 2024` is
`2024-05-05`. Must not know what is done with them; knows no passages and no citations.
Try: python -c "from proof.facts import numbers; print(numbers('1.5 million EUR, 30 %', 'en'))"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from html import unescape

from language.words import RUNS, compatible, is_function_word, is_run
from proof.tables import CURRENCIES, HAN, MONTHS, SCALES, WORD_NUMBERS

POINT_LANGUAGES = frozenset({"en", "zh", "ja", "ko", "th", "hi", "he"})
"""Languages in which `1,500` is one thousand five hundred; in the others it is one and a half."""

_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_TH = r"(?:st|nd|rd|th|\.|º|er)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d.])(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?![\d])",
        r"(?<![\d.])(?P<a>\d{1,2})([./-])(?P<b>\d{1,2})\2(?P<y>\d{4}|\d{2})(?!\d|\.\d)",
        r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?!\d)",
        rf"(?<![\d.,])(?P<d>\d{{1,2}}){_TH}\s+(?:de\s+|of\s+)?(?P<n>{_MONTH})\b\.?(?:,?\s+(?:de\s+|of\s+)?(?P<y>\d{{4}})(?!\d))?",
        rf"\b(?P<n>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:,?\s+(?P<y>\d{{4}})(?!\d))?",
        rf"\b(?P<n>{_MONTH})\b\.?,?\s+(?:de\s+|of\s+)?(?P<y>\d{{4}})(?!\d)",
        r"(?:(?P<y>\d{4})\s*[年년]\s*)?(?P<m>\d{1,2})\s*[月월](?:\s*(?P<d>\d{1,2})\s*[日号號일])?",
    )
)
_TIMES = (
    re.compile(r"(?<![\d.:])(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?\s*(?P<half>[ap])\.?\s?m\b\.?", re.IGNORECASE),
    re.compile(r"(?<![\d.:])(?P<h>\d{1,2}):(?P<m>\d{2})(?::\d{2})?(?!\d)"),
    re.compile(r"(?<![\d.:])(?P<h>\d{1,2})(?:\.(?P<m>\d{2}))?\s*Uhr\b", re.IGNORECASE),
    re.compile(r"(?<![\d.:])(?P<h>\d{1,2})\s?h\s?(?P<m>\d{2})\b", re.IGNORECASE),
    re.compile(
        r"(?P<half>下午|午後|晚上|오후)?\s*(?P<h>\d{1,2})\s*[点點時时시](?:\s*(?P<m>\d{1,2})\s*[分분])?(?!间|間|간)"
    ),
)
# A digit run that does not belong to an identifier: no letter before it, unless of a script without spaces.
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?![\d])(?:[.,]\d+)?)*")
_NAMED = re.compile(r"\d{1,4}(?![KMBGTPhHAVW]\b)[A-Z]\b")  # 18F, 4G
_DIGIT = re.compile(r"\d")
_HAN_NUMBER = re.compile(f"[{''.join(HAN)}]+")
_COUNTER = "天日个個月年点點时時元円人名次%％份页頁条條周週小分岁歳歲回件本台"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_BOTH = re.compile(r"\b(?:les|los|las|all|alle) $", re.IGNORECASE)  # les deux: both
_TOKEN = re.compile(r"[^\W_](?:[\w'’.\-&+/]*\w)?")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"'`|）」』]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_QUOTED = re.compile(
    '"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」|『([^『』\n]+)』|`([^`\n]+)`'
)
_PERCENT = re.compile(
    r"\s?(?:%|‰|percent|per cent|prozent|pour ?cent|por ?cento|por ciento|per ?cento|procent|процент)", re.IGNORECASE
)
_BEHIND = re.compile(r"\s?([€$£¥₹₽]|百万|[^\W\d_]+)\.?")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|ème|er|[eº°ª])\b", re.IGNORECASE)
_LEFT_UNIT = re.compile(r"([^\W\d_]+|[€$£¥₹₽])\s?$")
_BLANK = "\0"  # no letter, no white space, and ends no sentence
_OPENING = '.:!?|"“„«「『(（–—>。：！？*`'

Date = tuple[int | None, int, int | None]


@dataclass(frozen=True)
class Number:
    """A number as written, its place, what it may mean, and its unit (`%`, a currency code, or "")."""

    start: int
    end: int
    text: str
    values: frozenset[Decimal]
    unit: str = ""


@dataclass(frozen=True)
class Moment:
    """A date (year, month, day; None where not said) or a time (hour, minute) as written, with its readings."""

    start: int
    end: int
    text: str
    dates: frozenset[Date] = frozenset()
    times: frozenset[tuple[int, int]] = frozenset()


def plain(text: str) -> str:
    """Text in compatibility form without emphasis marks; curly apostrophes straight. Places move."""
    text = compatible(re.sub("([¼-¾])", r" \1", text)).replace("’", "'")
    text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", "", text)
    return re.sub(r"\\([\[\]*_`|])", r"\1", text)


def squash(text: str) -> str:
    """`plain` with white space folded and no code marks: the form in which copied words are compared."""
    return " ".join(plain(unescape(text)).replace("`", "").split())


def moments(text: str) -> list[Moment]:
    """Dates and times of `plain` text in order of pattern, none inside another."""
    found: list[Moment] = []
    if not _DIGIT.search(text):  # most sentences hold none, and the shapes take a tenth of a millisecond
        return found
    for pattern in _DATES:
        for match in pattern.finditer(text):
            dates = frozenset(_readings(match))
            if dates and _free(match, found):
                found.append(Moment(match.start(), match.end(), match[0], dates=dates))
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            time = _time(match)
            if time and _free(match, found):
                found.append(Moment(match.start(), match.end(), match[0], times=frozenset({time})))
    return found


def numbers(text: str, lang: str | None) -> list[Number]:
    """Numbers of `plain` text, dates and times left out. `lang` None reads `1,500` both ways."""
    return [*_numbers(text, lang)]


@lru_cache(maxsize=1024)  # a claim's and its proof's are asked for by every rule
def _numbers(text: str, lang: str | None) -> tuple[Number, ...]:
    taken = moments(text)
    found = [n for m in _NUMBER.finditer(text) if _free(m, taken) and (n := _number(text, m, lang))]
    words = WORD_NUMBERS.get(lang or "en", {})
    for match in _WORD.finditer(text) if words else ():
        value = (
            None
            if _BOTH.search(text[max(0, match.start() - 8) : match.start()])
            else _spelled(match[0].casefold(), words)
        )
        if value is not None:
            behind = _behind(text, match.end(), lang)
            written = text[match.start() : behind.scale_end]
            found.append(Number(match.start(), behind.end, written, frozenset({value * behind.factor}), behind.unit))
    for match in _HAN_NUMBER.finditer(text):
        value = _han(match[0]) if _counts(text, match) else None
        if value is not None:
            found.append(Number(match.start(), match.end(), match[0], frozenset({value})))
    return tuple(sorted(found, key=lambda n: n.start))


def names(text: str, lang: str) -> list[str]:
    """Names, addresses and identifiers of `plain` text that must stand in a proof letter by letter.

    A word that only opens its sentence is none. German capitals make a name only in a run (`Anna Schmidt`).
    """
    found = [m[0].rstrip(".,;:!?)'") for m in _ADDRESS.finditer(text)]
    rest = without_figures(_ADDRESS.sub(lambda m: _BLANK * len(m[0]), text), lang)
    rest = RUNS.sub(lambda m: _BLANK * len(m[0]), rest)  # GitHubは: a name and a particle
    before = False  # the previous word was capitalised and touches this one
    tokens = list(_TOKEN.finditer(rest))
    ended = -1  # where the previous word ended
    for place, token in enumerate(tokens):
        word = token[0]
        before = before and token.start() == ended + 1
        ended = token.end()
        capital = word[0].isupper() and not is_function_word(word, lang)
        opens = rest[: token.start()].rstrip()[-1:] in ("", *_OPENING)
        if _is_identifier(word) or (len(word) > 1 and word.isupper() and not is_run(word)):
            found.append(word)
        elif capital and not opens:
            after = tokens[place + 1 : place + 2]
            run = before or bool(after and after[0][0][0].isupper() and after[0].start() == token.end() + 1)
            if lang != "de" or run:
                found.append(word)
        before = capital and rest[token.end() : token.end() + 1] == " "
    return list(dict.fromkeys(found))


def quotes(text: str) -> list[str]:
    """Quoted strings and inline code of `text`, without the marks and the punctuation a style puts inside them."""
    found = ("".join(g or "" for g in m.groups()) for m in _QUOTED.finditer(text))
    return [q for raw in found if (q := raw.strip().rstrip(".,;:!?…。，").strip())]


def without_figures(text: str, lang: str) -> str:
    """`plain` text of the same length with dates, times and numbers, their units included, blanked out."""
    letters = list(text)
    places = [(m.start, m.end) for m in moments(text)] + [(n.start, n.end) for n in numbers(text, lang)]
    for start, end in places:
        letters[start:end] = _BLANK * (end - start)
    return "".join(letters)


def units_named(text: str) -> set[str]:
    """The units a `plain` text names anywhere, also apart from a number (a table's header does)."""
    named = {CURRENCIES[w] for w in re.findall(r"[^\W\d_]+|[€$£¥₹₽]", text.casefold()) if w in CURRENCIES}
    return named | ({"%"} if _PERCENT.search(text) else set())


def same_date(claimed: Date, stated: Date) -> bool:
    """Whether a claimed date says nothing that the stated one does not; a year not stated is left to the caller."""
    year, month, day = claimed
    return (
        month == stated[1]
        and (day is None or day == stated[2])
        and (year is None or stated[0] is None or year == stated[0])
    )


def _free(match: re.Match[str], taken: list[Moment]) -> bool:
    return not any(m.start < match.end() and match.start() < m.end for m in taken)


def _readings(match: re.Match[str]) -> Iterator[Date]:
    part = match.groupdict()
    year = int(part["y"]) if part.get("y") else None
    if year is not None and len(part["y"]) == 2:
        year += 2000
    if part.get("n"):
        name = part["n"]
        if name.islower() and name in ("may", "march"):
            return
        pairs = [(MONTHS[name.casefold()], part.get("d"))]
    elif part.get("a"):
        pairs = [(int(part["b"]), part["a"]), (int(part["a"]), part["b"])]  # both orders are in use
    else:
        pairs = [(int(part["m"]), part.get("d"))]
    for month, day in pairs:
        if 1 <= month <= 12 and (day is None or 1 <= int(day) <= 31):
            yield year, month, int(day) if day else None


def _time(match: re.Match[str]) -> tuple[int, int] | None:
    part = match.groupdict()
    hour, minute = int(part["h"]), int(part["m"] or 0)
    half = (part.get("half") or "").casefold()
    if half == "a":
        hour %= 12
    elif half and hour < 13:
        hour = hour % 12 + 12
    return (hour, minute) if hour <= 24 and minute < 60 else None


def _number(text: str, match: re.Match[str], lang: str | None) -> Number | None:
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    if before in ("-", "/"):  # VPN-2, but not -2
        joined = text[max(0, match.start() - 2) : match.start() - 1]
        before = joined if joined.isalpha() else before
    if (before.isalpha() and not is_run(before)) or before == "_" or _NAMED.match(text, match.start()):
        return None  # a part of an identifier
    behind = _behind(text, match.end(), lang)
    values = {value * behind.factor for value in _values(match[0], lang)}
    start, unit = match.start(), behind.unit
    left = _LEFT_UNIT.search(text[max(0, start - 8) : start])
    if not unit and left and left[1].casefold() in CURRENCIES:
        unit = CURRENCIES[left[1].casefold()]
        start -= len(left[0])
    sign = before in ("-", "\u2212") and text[max(0, match.start() - 2) : match.start() - 1] in (
        "",
        " ",
        "(",
        "\n",
        "|",
    )
    if sign:
        values = {-value for value in values}
    written = ("-" if sign else "") + " ".join(text[match.start() : behind.scale_end].split())
    return Number(start, behind.end, written, frozenset(values), unit)


def _values(raw: str, lang: str | None) -> set[Decimal]:
    digits = re.sub("[ \u00a0\u202f'’]", "", raw)
    marks = re.findall("[.,]", digits)
    if not marks:
        return {Decimal(digits)}
    whole, _, tail = digits.rpartition(marks[-1])
    grouped = all(len(part) == 3 for part in re.split("[.,]", digits)[1:]) and len(re.split("[.,]", digits)[0]) <= 3
    as_decimal = Decimal(re.sub("[.,]", "", whole) + "." + tail)
    as_whole = Decimal(re.sub("[.,]", "", digits))
    if len(marks) > 1:
        if len(set(marks)) == 1:
            return {as_whole} if grouped else {as_decimal}
        return {as_decimal}
    if not grouped or digits.startswith("0"):
        return {as_decimal}
    if lang is None:
        return {as_decimal, as_whole}
    return {as_whole if (marks[0] == ",") == (lang in POINT_LANGUAGES) else as_decimal}


@dataclass(frozen=True)
class _Behind:
    """Scale word and unit behind a number: where each ends, the factor, the unit."""

    scale_end: int
    end: int
    factor: Decimal
    unit: str


def _behind(text: str, end: int, lang: str | None) -> _Behind:
    factor = Decimal(1)
    if match := _ORDINAL.match(text, end):
        return _Behind(end, match.end(), factor, "")
    if match := _BEHIND.match(text, end):
        word = match[1].casefold()
        if word == "billion" and lang == "de":
            word = "trillion"
        if word in SCALES and not (word == "k" and match[0][0] == " "):
            factor, end = Decimal(SCALES[word]), match.end()
        elif is_run(word) and word[0] in SCALES:
            factor, end = Decimal(SCALES[word[0]]), match.start(1) + 1
    if match := _PERCENT.match(text, end):
        return _Behind(end, match.end(), factor, "%")
    if match := _BEHIND.match(text, end):
        word = match[1].casefold()
        if is_run(word):
            word = word[0]
        if word in CURRENCIES:
            return _Behind(end, match.start(1) + len(word), factor, CURRENCIES[word])
    return _Behind(end, end, factor, "")


def _spelled(word: str, words: dict[str, int]) -> Decimal | None:
    if word in words:
        return Decimal(words[word])
    tens, _, ones = word.partition("-")
    if words.get(tens, 0) >= 20 and 1 <= words.get(ones, 0) <= 9:
        return Decimal(words[tens] + words[ones])
    return None


def _counts(text: str, match: re.Match[str]) -> bool:
    """Whether Chinese numerals count something here (三十天) and do not only make a word (一般, 十分)."""
    word, after = match[0], text[match.end() : match.end() + 1]
    if word in ("一", "十") and after not in ("天", "月", "年", "日", "元"):
        return False
    return word[0] not in "百千万萬億亿" and (len(word) > 1 or (after != "" and after in _COUNTER))


def _han(word: str) -> Decimal | None:
    if all(HAN[c] < 10 for c in word):  # 二〇二四: digit by digit
        return Decimal("".join(str(HAN[c]) for c in word))
    total, section, digit = 0, 0, 0
    for char in word:
        value = HAN[char]
        if value < 10:
            digit = value
        elif value < 10_000:
            section += max(digit, 1) * value
            digit = 0
        else:
            total += max(section + digit, 1) * value
            section = digit = 0
    return Decimal(total + section + digit)


def _is_identifier(word: str) -> bool:
    """`ISO27001`, `VPN-2`, `foo_bar`, `leave.md`, `iPhone`, `1.2.3`; not `30kg`, `3rd`, `e.g`, `and/or`."""
    if _NAMED.fullmatch(word):
        return True
    if re.fullmatch(r"\d+(?:[.,:/-]\d+)*[^\W\d_]{0,4}", word):
        return word.count(".") >= 2 and not re.fullmatch(r"\d{1,3}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.\d{2,4}", word)
    digit, letter = any(c.isdigit() for c in word), any(c.isalpha() and not is_run(c) for c in word)
    if digit and letter and not re.match(r"\d+(?:[.,]\d+)?-", word):  # "30-day" is a number with a word
        return not any(is_run(c) for c in word)
    if "_" in word.strip("_") or re.search(r"[^\W\d_][a-z][A-Z]|^[a-z][A-Z]", word):
        return True
    dotted = [part for part in word.split(".") if part]
    return len(dotted) > 1 and all(len(part) > 1 for part in dotted)
