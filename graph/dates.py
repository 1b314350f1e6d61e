"""The time of a question as ISO dates: a day, month, quarter or year, with the word before it (since, until, as of).

What language/when.py reads for the order of passages is taken from there; here are also exact days and quarters, and
whether the time is a moment ("as of 1 May") or a span. Knows no view.
Try: python -c "from graph.dates import asked; print(asked('Who owned it as of 1 May 2025?', 'en', '2026-11-30'))"
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from language.when import asked_time, month_of

_QUARTER = {
    "en": r"(?:q([1-4])|(first|second|third|fourth) quarter)(?: of)?(?: (?:the year )?(20\d\d))?",
    "de": r"(?:q([1-4])|(erste[ns]?|zweite[ns]?|dritte[ns]?|vierte[ns]?) quartal|([1-4])\. quartal)(?: (?:des jahres )?(20\d\d))?",
    "es": r"(?:q([1-4])|(primer|segundo|tercer|cuarto) trimestre)(?: de)?(?: (20\d\d))?",
    "fr": r"(?:[qt]([1-4])|(premier|deuxième|second|troisième|quatrième) trimestre)(?: (?:de )?(20\d\d))?",
    "zh": r"(?:(20\d\d)年)?第?([一二三四1-4])季度",
    "ja": r"(?:(20\d\d)年)?(?:の)?第?([1-4一二三四])四半期",
}
_NUMBERS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "erste": 1, "ersten": 1, "zweite": 2, "zweiten": 2, "dritte": 3,
    "dritten": 3, "vierte": 4, "vierten": 4, "primer": 1, "segundo": 2, "tercer": 3, "cuarto": 4, "premier": 1, "deuxième": 2,
    "troisième": 3, "quatrième": 4, "一": 1, "二": 2, "三": 3, "四": 4,
}  # fmt: skip
_DAYS = (
    r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)",
    r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|º)?\.? (?:of |de )?(?P<name>[^\W\d_]{3,12})\.?,? (?:de |del )?(?P<y>\d{4})",
    r"(?P<name>[^\W\d_]{3,12}) (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})",
    r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]",
    r"(?P<y>\d{4})-(?P<m>\d\d)(?!-?\d)",
    r"(?P<y>\d{4})年(?P<m>\d{1,2})月",
    r"(?P<name>[^\W\d_]{3,12})\.? (?:de |of )?(?P<y>\d{4})",
    r"(?<![\w-])(?P<y>(?:19|20)\d\d)(?:年)?(?![\w-])",
)
_SINCE = r"(?:since|after|from|as from|seit|ab|nach|von|desde|a partir del?|después de|depuis|après|à partir de|自从?|从)(?: (?:the|dem|der|el|le|la|l['’]))?"
_UNTIL = r"(?:until|till|up to|through|bis(?: zum)?|hasta|jusqu['’](?:au|à|en)|to|截至|到)(?: (?:the|dem|el|le))?"
_BEFORE = r"(?:before|prior to|vor|antes de|avant)(?: (?:the|dem|der|el|le|la))?"
_MOMENT = (
    r"(?:as of|as at|as on|on|at|per|in|during|by|back in|for|end of|stand|am|zum|im|im jahr|in|en|a|al|a fecha de|el|le|au|à la date du|dans|durante|pendant|au cours de|在|截至)"
    r"(?: (?:the|dem|der|el|le|la|all of|whole of|month of|year|jahr|año|monat|mes de|mois de|mois d['’]))*"
)
_AFTER_CJK = {
    "以来": "since",
    "以后": "since",
    "之后": "since",
    "起": "since",
    "から": "since",
    "以降": "since",
    "以前": "before",
    "之前": "before",
    "まで": "until",
}


_NUMBER_BESIDE = re.compile(r"(?<=\d) (?=[年月日号])|(?<=[年月]) (?=\d)")
_SEASONS = {
    3: "spring|frühling|frühjahr|primavera|printemps|春天|春季", 6: "summer|sommer|verano|été|夏天|夏季",
    9: "autumn|fall|herbst|otoño|automne|秋天|秋季", 12: "winter|invierno|hiver|冬天|冬季",
}  # fmt: skip
"""By the first month; of the northern half."""
_MIDDLE = r"(?:mid[- ]|mitte |mediados de |mi-|the middle of )(20\d\d)"


@dataclass(frozen=True, slots=True)
class Time:
    """First and last day that are meant, "" where open; `as_of` where it can be read as a moment, month or year."""

    since: str
    until: str
    as_of: str
    said: str  # as in the question, folded to lower case

    @property
    def is_span(self) -> bool:
        """Whether it begins or ends open."""
        return not (self.since and self.until)


def asked(question: str, lang: str, today: str) -> Time | None:
    """The time that the question names, None where it names none."""
    text = _NUMBER_BESIDE.sub("", " ".join(question.lower().split()))
    return (
        _quarter(text, lang, today)
        or _season(text)
        or _between(text)
        or _open_day(text)
        or _day(text)
        or _plain(question, lang, today)
    )


def _quarter(text: str, lang: str, today: str) -> Time | None:
    for tongue in dict.fromkeys((lang, "en")):
        match = re.search(rf"(?<!\w)(?:{_QUARTER[tongue]})" if tongue in _QUARTER else "(?!)", text)
        if match:
            told = [one for one in match.groups() if one]
            year = int(next((one for one in told if len(one) == 4 and one.isdigit()), 0))
            word = next((one for one in told if not (len(one) == 4 and one.isdigit())), "")
            number = int(word) if word.isdigit() else _NUMBERS.get(word, _NUMBERS.get(word[:-1], 0))
            if number:
                year = year or _year_of(number * 3 - 2, today)
                first, last = date(year, number * 3 - 2, 1), _end_of_month(year, number * 3)
                return _bounded(text, match, first, last, last.isoformat())
    return None


def _season(text: str) -> Time | None:
    """ "in the summer of 2025"; of "mid-2025" the middle of the year."""
    for month, names in _SEASONS.items():
        match = re.search(rf"(?<!\w)(?:{names})(?: of| de| del| des jahres| 的)? ?(20\d\d)(?!\d)", text)
        if match:
            year, end = int(match[1]), month + 2
            last = _end_of_month(year + (end > 12), end if end <= 12 else end - 12)
            return _bounded(text, match, date(year, month, 1), last, last.isoformat())
    match = re.search(rf"(?<!\w){_MIDDLE}", text)
    if match:
        middle = date(int(match[1]), 7, 1)
        return _bounded(text, match, middle, middle, middle.isoformat())
    return None


def _between(text: str) -> Time | None:
    """ "between 2025-01-01 and 2025-03-31", "from March 2025 to May 2025"."""
    for pattern in _DAYS:
        twice = rf"({pattern})(?: and | to | until | und | bis(?: zum)? | y | et | au | a | al |到|至|から|-|–| - | – )({_anew(pattern)})"
        match = re.search(twice, text)
        if match:
            first, last = (
                _read(match.groupdict()),
                _read({k[:-1]: v for k, v in match.groupdict().items() if k.endswith("2")}),
            )
            if first and last and first[0] <= last[1]:
                return Time(first[0].isoformat(), last[1].isoformat(), last[1].isoformat(), match.group())
    return None


def _open_day(text: str) -> Time | None:
    """ "from 15 February to the end of March 2026": a first day whose year stands at the end."""
    first = r"(?:(?P<d>\d{1,2})\.?(?: (?:de )?(?P<name>[^\W\d_]{3,12}))?|(?P<alone>[^\W\d_]{3,12}))"
    last = r"(?P<d2>\d{1,2})?\.? ?(?:de )?(?P<name2>[^\W\d_]{3,12})(?: de)? (?P<y2>\d{4})"
    to = r"(?:to|until|and|und|bis|a|al|y|et|hasta|au|à|jusqu['’]au)(?: (?:the|zum|dem|el|la|le))?(?: (?:end of|ende|final de|fin de?))?"
    match = re.search(
        rf"(?:from (?:the )?|between (?:the )?|vom |von |zwischen dem |del? |entre (?:el |le )?|du )?{first} {to} {last}",
        text,
    )
    if not match:
        return None
    told = {**match.groupdict(), "y": match["y2"], "name": match["name"] or match["alone"] or match["name2"]}
    begin, end = _read(told), _read({name[:-1]: value for name, value in told.items() if name.endswith("2")})
    if not begin or not end or begin[0] > end[1]:
        return None
    return Time(begin[0].isoformat(), end[1].isoformat(), end[1].isoformat(), match.group())


def _anew(pattern: str) -> str:
    return re.sub(r"\?P<(\w+)>", r"?P<\g<1>2>", pattern)


def _day(text: str) -> Time | None:
    for pattern in _DAYS:
        for match in re.finditer(pattern, text):
            read = _read(match.groupdict())
            if read and _is_time(text, match):
                return _bounded(text, match, *read)
    return None


def _is_time(text: str, match: re.Match[str]) -> bool:
    """A bare year is one only behind a word for times: 2025 may be a number."""
    if "-" in match.group() or "年" in match.group() or not match.group().isdigit():
        return True
    if re.search(r"(?<!\w)(?:sich|wurde|wurden|hat|haben) $", text[: match.start()]):
        return True  # "was hat sich 2025 geändert"
    return bool(re.search(rf"(?<!\w)(?:{_SINCE}|{_UNTIL}|{_BEFORE}|{_MOMENT}) ?$", text[: match.start()]))


def _read(parts: dict[str, str | None]) -> tuple[date, date, str] | None:
    """First day, last day, and the ISO form of what is named."""
    year, month, day = (int(parts.get(name) or 0) for name in ("y", "m", "d"))
    if parts.get("name"):
        month = month_of(str(parts["name"]))
        if not month:
            return None
    try:
        if day:
            only = date(year, month, day)
            return only, only, only.isoformat()
        if month:
            return date(year, month, 1), _end_of_month(year, month), f"{year:04}-{month:02}"
        return date(year, 1, 1), date(year, 12, 31), f"{year:04}"
    except ValueError:
        return None


def _bounded(text: str, match: re.Match[str], first: date, last: date, as_of: str) -> Time:
    before, after = text[: match.start()], text[match.end() :]
    for head, kind in ((_SINCE, "since"), (_UNTIL, "until"), (_BEFORE, "before"), (_MOMENT, "")):
        found = re.search(rf"(?<!\w)(?:{head}) ?$", before)
        if found:
            return _spanned(kind, first, last, as_of, text[found.start() : match.end()])
    for tail, kind in _AFTER_CJK.items():
        if after.startswith(tail):
            return _spanned(kind, first, last, as_of, match.group() + tail)
    return _spanned("", first, last, as_of, match.group())


def _spanned(kind: str, first: date, last: date, as_of: str, said: str) -> Time:
    if kind == "since":
        return Time(first.isoformat(), "", "", said)
    if kind == "until":
        return Time("", last.isoformat(), last.isoformat(), said)
    if kind == "before":
        until = first - timedelta(days=1) if first > date.min else first
        return Time("", until.isoformat(), until.isoformat(), said)
    return Time(first.isoformat(), last.isoformat(), as_of, said)


def _plain(question: str, lang: str, today: str) -> Time | None:
    span = asked_time(question, lang, date.fromisoformat(today))
    if span is None or span.newest:
        return None
    since, until = (day.isoformat() if day else "" for day in (span.since, span.until))
    return Time(since, until, _moment(since, until, today), span.said)


def _moment(since: str, until: str, today: str) -> str:
    if not until:
        return ""
    if since and since[:7] == until[:7] and since.endswith("-01") and since != until:
        return since[:7]
    if since.endswith("-01-01") and until.endswith("-12-31") and since[:4] == until[:4]:
        return since[:4]
    return min(until, today)


def _end_of_month(year: int, month: int) -> date:
    return (date(year + month // 12, month % 12 + 1, 1) if (year, month) < (9999, 12) else date.max) - timedelta(days=1)


def _year_of(month: int, today: str) -> int:
    now = date.fromisoformat(today)
    return now.year if month <= now.month else now.year - 1
