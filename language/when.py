"""The time that a question asks for (since March, this quarter, the current one), as a span of documents' dates.

Plain phrases of eleven languages; what is not plain is left alone. The span orders passages, it never refuses one: a
question may name a time that its answer, not its document, belongs to. Knows no index.
Try: python -c "from language.when import asked_time; print(asked_time('What changed since March?', 'en'))"
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

_MONTHS = {
    "en": "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?",
    "de": "jan(?:uar)? feb(?:ruar)? märz apr(?:il)? mai juni? juli? aug(?:ust)? sept?(?:ember)? okt(?:ober)? nov(?:ember)? dez(?:ember)?",
    "es": "enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "ru": "январ\\w феврал\\w март\\w? апрел\\w ма[йяе] июн\\w июл\\w август\\w? сентябр\\w октябр\\w ноябр\\w декабр\\w",
}
# "|" parts alternatives. A unit's phrases follow in the order week, month, quarter, year.
_UNITS = ("week", "month", "quarter", "year")
_THIS = {
    "en": ("this week", "this month", "(?:this|the current) quarter", "this year"),
    "de": ("diese[rn]? woche", "diese[nrms]? monat", "diese[sm] quartal", "diese[sm] jahr|heuer"),
    "es": ("esta semana", "este mes", "este trimestre", "este año"),
    "fr": ("cette semaine", "ce mois", "ce trimestre", "cette année"),
    "pt": ("esta semana", "este mês", "este trimestre", "este ano"),
    "it": ("questa settimana", "questo mese", "questo trimestre", "quest'anno|quest’anno"),
    "nl": ("deze week", "deze maand", "dit kwartaal", "dit jaar"),
    "ru": ("(?:на )?этой неделе", "(?:в )?этом месяце", "(?:в )?этом квартале", "(?:в )?этом году"),
    "zh": ("本周|这周|这个?星期", "本月|这个月", "本季度|这个?季度", "今年|本年度?"),
    "ja": ("今週", "今月", "今四半期|この四半期", "今年|本年"),
    "ko": ("이번 ?주", "이번 ?달", "이번 ?분기", "올해|금년"),
}
_LAST = {
    "en": ("(?:last|past|previous) week", "(?:last|past|previous) month", "(?:last|past|previous) quarter", "(?:last|past|previous) year"),
    "de": ("(?:letzte|vorige|vergangene)[rn]? woche", "(?:letzte|vorige|vergangene)[nrms]? monat", "(?:letzte|vorige|vergangene)[smn]? quartal", "(?:letzte|vorige|vergangene)[smn]? jahr"),
    "es": ("(?:la )?semana pasada", "(?:el )?mes pasado", "(?:el )?(?:último trimestre|trimestre pasado)", "(?:el )?año pasado"),
    "fr": ("la semaine (?:dernière|passée)", "le mois (?:dernier|passé)", "le (?:dernier trimestre|trimestre dernier)", "l['’]année dernière|l['’]an dernier"),
    "pt": ("(?:a )?semana passada", "(?:o )?mês passado", "(?:o )?(?:último trimestre|trimestre passado)", "(?:o )?ano passado"),
    "it": ("(?:la )?(?:scorsa settimana|settimana scorsa)", "(?:lo )?(?:scorso mese|mese scorso)", "(?:lo )?(?:scorso trimestre|trimestre scorso)", "(?:lo )?(?:scorso anno|anno scorso)"),
    "nl": ("(?:vorige|afgelopen) week", "(?:vorige|afgelopen) maand", "(?:vorig|afgelopen) kwartaal", "(?:vorig|afgelopen) jaar"),
    "ru": ("(?:на )?прошлой неделе", "(?:в )?прошлом месяце", "(?:в )?прошлом квартале", "(?:в )?прошлом году"),
    "zh": ("上周|上个?星期", "上个?月", "上个?季度", "去年"),
    "ja": ("先週", "先月", "前四半期", "昨年|去年"),
    "ko": ("지난 ?주", "지난 ?달", "지난 ?분기", "작년|지난해"),
}  # fmt: skip
_SINCE = {
    "en": "since|after", "de": "seit|nach", "es": "desde|después de", "fr": "depuis|après", "pt": "desde|depois de",
    "it": "da|dopo|dal", "nl": "sinds|na", "ru": "с|после|начиная с",
}  # fmt: skip
_BEFORE = {
    "en": "before", "de": "vor", "es": "antes de", "fr": "avant", "pt": "antes de", "it": "prima di", "nl": "voor",
    "ru": "до",
}  # fmt: skip
_UNTIL = {
    "en": "until|up to", "de": "bis", "es": "hasta", "fr": "jusqu['’]à|jusqu['’]en", "pt": "até", "it": "fino a",
    "nl": "tot", "ru": "по",
}  # fmt: skip
_IN = {"en": "in|during", "de": "in|im|im jahr", "es": "en|durante", "fr": "en", "pt": "em", "it": "nel|in", "nl": "in", "ru": "в|за"}  # fmt: skip
_NEWEST = {
    "en": "(?<!the )current(?= (?:version|rule|rules|policy|policies|edition|price|prices|list|plan|process|procedure))|the current|currently|(?<!at the )latest|newest|most recent|up[- ]to[- ]date|in force", "de": "aktuell\\w*|neueste[nrsm]?|derzeit\\w*|gültige[nrsm]?",
    "es": "actual(?:es|mente)?|más recientes?|vigentes?|últim[oa]s? versi[oó]n", "fr": "actuel\\w*|plus récente?s?|en vigueur|dernière version",
    "pt": "atual(?:mente)?|atuais|mais recentes?|em vigor", "it": "attual[ei]\\w*|più recent[ei]|in vigore", "nl": "huidige|nieuwste|meest recente|actuele",
    "ru": "текущ\\w+|последн\\w+ верси\\w+|действующ\\w+|актуальн\\w+", "zh": "最新|现行|当前|目前", "ja": "最新|現行|現在の", "ko": "최신|현행|현재",
}  # fmt: skip
_ARTICLES = "the|dem|den|el|le|il|o"
_PART = "(?:the (?:start|beginning|middle|end) of )?"
_UNSPACED = ("zh", "ja", "ko")
_CJK_MONTH = {
    "zh": r"(?:(20\d\d)年|(?<![\d十]))(1[0-2]|[1-9]|十[一二]|[一二三四五六七八九十])月(?:份)?(?P<after>以来|以后|之后|起|至今)?",
    "ja": r"(?:(20\d\d)年|(?<!\d))(1[0-2]|[1-9])月(?P<after>以降|以来|から)?",
    "ko": r"(?:(20\d\d)년 ?|(?<!\d))(1[0-2]|[1-9])월 ?(?P<after>이후|부터)?",
}
_CJK_YEAR = {
    "zh": r"(20\d\d)年(以来|以后|之后|起|至今|以前|之前)?",
    "ja": r"(20\d\d)年(以降|以来|から|以前|まで)?",
    "ko": r"(20\d\d)년 ?(이후|부터|이전|까지)?",
}
_CJK_BEFORE = ("以前", "之前", "まで", "이전", "까지")
_HAN = {c: n for n, c in enumerate("一二三四五六七八九十", 1)} | {"十一": 11, "十二": 12}


@dataclass(frozen=True, slots=True)
class Span:
    """Dates of documents that a question asks for, both ends included; None: open. `newest`: the latest is meant."""

    since: date | None
    until: date | None
    newest: bool
    said: str  # the question's words

    def holds(self, day: date) -> bool:
        """Whether a document of that day is meant; always, where only the newest is asked for."""
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)


def month_of(name: str) -> int:
    """1 to 12 for a month's name or usual abbreviation in any of the languages here, 0 for another word."""
    word = name.lower().rstrip(".")
    for names in _MONTHS.values():
        for number, pattern in enumerate(names.split(" "), 1):
            if re.fullmatch(pattern, word):
                return number
    return 0


def asked_time(question: str, lang: str, today: date | None = None) -> Span | None:
    """The time that the question's words ask for, None where they do not. `today` is the day it is asked."""
    today = today or date.today()
    lowered = " ".join(question.lower().split())
    for read in (_iso, _month, _cjk_month, _unit, _year):
        try:
            found = read(lowered, lang, today)
        except OverflowError:  # the day before the first of all
            return None
        if found:
            return found
    match = _pattern(_NEWEST.get(lang, ""), lang).search(lowered)
    return Span(None, None, True, match.group()) if match else None


def _iso(text: str, lang: str, today: date) -> Span | None:
    if lang not in _SINCE:
        return None
    match = _pattern(rf"({_heads(lang)}) (\d{{4}}-\d\d)(-\d\d)?", lang).search(text)
    if not match:
        return None
    try:
        day = date.fromisoformat(match.group(2) + (match.group(3) or "-01"))
    except ValueError:
        return None
    first, last = (day, day) if match.group(3) else _bounds("month", day)
    return _bounded(match.group(1), lang, first, last, match.group())


def _month(text: str, lang: str, today: date) -> Span | None:
    if lang not in _MONTHS:
        return None
    months = "|".join(f"(?P<m{number}>{name})" for number, name in enumerate(_MONTHS[lang].split(" "), 1))
    before = rf"(?:(?:{_ARTICLES}) )?(?:(?P<d1>\d{{1,2}})\.? (?:de )?)?"
    after = r"(?: (?P<d2>\d{1,2})(?:st|nd|rd|th)?(?!\d),?)?(?: ?(?:de )?(?P<year>20\d\d))?"
    match = _pattern(rf"(?P<head>{_heads(lang)}) {_PART}{before}(?:{months}){after}", lang).search(text)
    if not match:
        return None
    number = next(n for n in range(1, 13) if match.group(f"m{n}"))
    year = int(match.group("year") or (today.year if number <= today.month else today.year - 1))
    first, last = _bounds("month", date(year, number, 1))
    day = int(match.group("d1") or match.group("d2") or 0)
    if 1 <= day <= last.day:
        first = last = date(year, number, day)
    return _bounded(match.group("head"), lang, first, last, match.group())


def _cjk_month(text: str, lang: str, today: date) -> Span | None:
    match = re.search(_CJK_MONTH.get(lang, "(?!)"), text)
    if not match or not (match.group(1) or match.group("after")):
        return None
    number = _HAN.get(match.group(2)) or int(match.group(2))
    year = int(match.group(1) or (today.year if number <= today.month else today.year - 1))
    first, last = _bounds("month", date(year, number, 1))
    return Span(first, None if match.group("after") else last, False, match.group())


def _unit(text: str, lang: str, today: date) -> Span | None:
    for table, back in ((_THIS, False), (_LAST, True)):
        for unit, phrase in zip(_UNITS, table.get(lang, ()), strict=False):
            since = "" if lang in _UNSPACED else f"(?P<since>(?:{_SINCE.get(lang, '(?!)')}) )?"
            match = _pattern(f"{since}(?:{phrase})(?! of )", lang).search(text)
            if match:
                first, last = _bounds(unit, today)
                if back:
                    first, last = _bounds(unit, first - timedelta(days=1))
                open_end = lang not in _UNSPACED and match.group("since")
                return Span(first, None if open_end else last, False, match.group())
    return None


def _year(text: str, lang: str, today: date) -> Span | None:
    if lang in _UNSPACED:
        match = re.search(_CJK_YEAR[lang], text)
        if not match:
            return None
        first, last = _bounds("year", date(int(match.group(1)), 1, 1))
        if not match.group(2):
            return Span(first, last, False, match.group())
        before = match.group(2) in _CJK_BEFORE
        return Span(None if before else first, last if before else None, False, match.group())
    if lang not in _SINCE:
        return None
    match = _pattern(rf"({_heads(lang)}) {_PART}(20\d\d)(?![-/]\d| [a-z]+s\b)", lang).search(text)
    if not match:
        return None
    first, last = _bounds("year", date(int(match.group(2)), 1, 1))
    return _bounded(match.group(1), lang, first, last, match.group())


def _heads(lang: str) -> str:
    return "|".join(table[lang] for table in (_SINCE, _BEFORE, _UNTIL, _IN))


def _bounded(head: str, lang: str, first: date, last: date, said: str) -> Span:
    if re.fullmatch(_SINCE[lang], head):
        return Span(first, None, False, said)
    if re.fullmatch(_BEFORE[lang], head):
        return Span(None, first - timedelta(days=1), False, said)
    if re.fullmatch(_UNTIL[lang], head):
        return Span(None, last, False, said)
    return Span(first, last, False, said)


def _bounds(unit: str, day: date) -> tuple[date, date]:
    """First and last day of the unit that `day` lies in."""
    if unit == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=6)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    start = (day.month - 1) // months * months
    first = date(day.year, start + 1, 1)
    following = date(day.year + (start + months) // 12, (start + months) % 12 + 1, 1)
    return first, following - timedelta(days=1)


@cache
def _pattern(phrase: str, lang: str) -> re.Pattern[str]:
    if not phrase:
        return re.compile("(?!)")
    return re.compile(phrase if lang in _UNSPACED else rf"(?<!\w)(?:{phrase})(?!\w)")
