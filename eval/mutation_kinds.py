"""Ways to make a true claim false: one function a kind of fault, each changing one thing that a reader would act on.

A fault must be false by its passage: what is planted does not stand there, or stands there for another thing (`subject`).
Knows no checker: only text, so that the set measures a checker instead of mirroring it.
Try: python -m eval.mutations --data ~/public-data --kind negation --show 10
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from eval.rewordings import MONTHS, NUMBER_WORDS


@dataclass(frozen=True, slots=True)
class Place:
    """What a fault may know: the passage, its neighbours in reach of a mix-up, and the claim's own words there."""

    passage: str  # plain text with its headings
    sentence: str  # the passage's words that the claim says, plain
    others: tuple[str, ...]  # sentences of the same passage, plain
    items: tuple[
        str, ...
    ]  # cells of the same column, or items of the same list, that the claim's could be mixed up with
    strangers: str  # plain text of the distractors and of other places of the document
    lang: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The claim made false, and what was planted in it ("" where something was taken out)."""

    claim: str
    planted: str


Kind = Callable[[str, Place, random.Random], Fault | None]

_MONTH = rf"(?:{'|'.join(MONTHS)}|(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\b\.?|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|(?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre))"
_SPAN = (
    r"(?:minutes?|hours?|(?:business |working |calendar |consecutive )*days?|weeks?|months?|years?|fiscal years?|pay periods?"
    r"|Minuten?|Stunden?|(?:Kalender|Werk|Arbeits)?[Tt]agen?|Tage|Wochen?|Monaten?|Monate|Jahren?|Jahre"
    r"|heures?|(?:jours?|semaines?|mois|années?|ans?)|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)"
)
_WORDS = "|".join(NUMBER_WORDS[2:])
_DIGITS = r"(?<![\w$€£.,:/#–-])(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?![\w%:/–]|[.,]\d|-\w)"
_NUMBER = re.compile(rf"{_DIGITS}|(?<![\w-])(?:{_WORDS})(?![\w-])", re.I)
_DURATION = re.compile(
    rf"(?<![\w$€£.,:/–-])(?P<value>\d{{1,4}}|(?:{_WORDS}|one))(?P<gap>[ -])(?P<unit>{_SPAN})(?![\w-])", re.I
)
_AMOUNT = re.compile(
    r"(?P<before>[$€£] ?)(?P<value>\d{1,3}(?:,\d{3})+|\d+)(?P<cents>\.\d\d)?(?![\d,]*\d)(?=[kKmM+.,;:)/ ]|$|\b)"
    r"|(?<![\w.,])(?P<value2>\d{1,3}(?:[.,]\d{3})+|\d+)(?P<after> (?:USD|EUR|euros?|dollars?|Dollar|Euro|dólares|€|\$))(?!\w)"
)
_PERCENT = re.compile(r"(?<![\w.,])(?P<value>\d{1,3})(?P<sign> ?%| percent\b| Prozent\b| pour cent\b| por ciento\b)")
_TIME = re.compile(
    r"(?<![\w:.-])(?P<hour>\d{1,2})(?P<minute>[:.]\d\d)?(?P<half> ?[ap]\.?m\b\.?)|(?<![\w:.-])(?P<hour2>\d{1,2})(?P<minute2>:\d\d)(?![\w:])"
    r"|(?<![\w:.-])(?P<hour3>\d{1,2})(?P<uhr> Uhr| h\b)",
    re.I,
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_DATE = re.compile(
    rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?P<th>st|nd|rd|th)?\b(?!:)|\b(?P<day2>\d{{1,2}})(?P<th2>st|nd|rd|th|er|\.)? (?:de )?(?P<month2>{_MONTH})"
    rf"|(?P<month3>\b{_MONTH}) (?P<year3>(?:19|20)\d\d)\b|(?<![\w$€,./–-])(?P<year>(?:19|20)\d\d)(?![\w,/–%-]| ?(?:USD|EUR|hours|h\b)|\.\w)|\b(?P<weekday>{'|'.join(_DAYS)})(?!s)\b"
)
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINAL = re.compile(
    rf"(?<=\bthe )(?:{'|'.join(_ORDINALS)})(?= [a-z])|(?<=\byour )(?:{'|'.join(_ORDINALS)})(?= [a-z])"
    rf"|(?<=\btheir )(?:{'|'.join(_ORDINALS)})(?= [a-z])|(?<=\ba )(?:second|third|fourth)(?= [a-z])|\b(?P<n>\d{{1,2}})(?P<th>st|nd|rd|th)\b"
)


def stands_in(text: str, figure: str) -> bool:
    """Whether a figure stands in `text`, as digits or as a word, grouped or not."""
    bare = figure.replace(",", "").lower()
    forms = {bare}
    if bare.isdigit():
        forms.add(f"{int(bare):,}")
        forms |= {NUMBER_WORDS[int(bare)]} if int(bare) <= 20 else set()
    elif bare in NUMBER_WORDS:
        forms.add(str(NUMBER_WORDS.index(bare)))
    elif bare in _ORDINALS:
        forms.add(_ordinal(_ORDINALS.index(bare) + 1))
    lowered = text.lower()
    return any(_whole(lowered, form) for form in forms)


def _whole(text: str, form: str) -> bool:
    """Whether `form` stands in `text` as a word; by hand, because a pattern for each figure would be compiled each time."""
    at = text.find(form)
    while at >= 0:
        end = at + len(form)
        free = (not at or not _is_word(text[at - 1])) and not _is_word(text[end : end + 1])
        if free and not re.match(r",\d{3}", text[end : end + 4]):
            return True
        at = text.find(form, at + 1)
    return False


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _ordinal(n: int) -> str:
    return f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def _other(figure: str, passage: str, rng: random.Random, least: int = 1, most: int = 10**9) -> str | None:
    """Another figure of the same looks and size that stands nowhere in the passage."""
    grouped, is_word = "," in figure, figure.lower() in NUMBER_WORDS
    value = NUMBER_WORDS.index(figure.lower()) if is_word else int(figure.replace(",", "").replace(".", ""))
    if value > 100 and value % 5 == 0:
        step = next(s for s in (1000, 500, 100, 50, 10, 5) if (value % s == 0 and value > s) or s == 5)
        near = [value + step * k for k in (-3, -2, -1, 1, 2, 3, 5)]
    elif value >= 15 and value % 5 == 0:
        near = [value + 5 * k for k in (-2, -1, 1, 2, 3, 4, 6)]
    else:
        near = [value + k for k in (-3, -2, -1, 1, 2, 3, 4, 6)]
    near = [n for n in near if least <= n <= most and (not is_word or 2 <= n <= 20)]
    near = [n for n in near if n > 1 and not stands_in(passage, str(n))]
    if not near:
        return None
    chosen = rng.choice(near)
    if is_word:
        word = NUMBER_WORDS[chosen]
        return word.capitalize() if figure[0].isupper() else word
    return f"{chosen:,}" if grouped else str(chosen)


def _put(claim: str, found: re.Match[str], group: str | int, text: str) -> str:
    return claim[: found.start(group)] + text + claim[found.end(group) :]


def _taken(claim: str) -> list[tuple[int, int]]:
    """Places of figures that have a kind of their own, and of identifiers, so that `number` leaves them alone."""
    shapes = (_DURATION, _AMOUNT, _PERCENT, _TIME, _DATE, _ORDINAL, _ADDRESS, _CODE)
    places = [found.span() for shape in shapes for found in shape.finditer(claim)]
    named = re.compile(
        r"\b(?:Step|Phase|Section|Level|Part|Chapter|Articles?|Title|Form|Appendix|Tier|Windows|Version|GS|Room|Suite|Public Law|Order|HRM|OMB|Standard|CFR|U\.?S\.?C\.?|ISO|NIST|Lot|Grade|Slack|Pay Band|Gate)\.? \d+|\d+ (?:C\.?F\.?R|U\.?S\.?C|F\b|Street|St\b)", re.I
    )  # fmt: skip
    return places + [found.span() for found in named.finditer(claim)]


def number(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A bare number by another of its size."""
    taken = _taken(claim)
    free = [f for f in _NUMBER.finditer(claim) if not any(a < f.end() and f.start() < b for a, b in taken)]
    rng.shuffle(free)
    for found in free:
        if (found.start() == 0 and not claim[found.end() :].startswith(" ")) or found[0][0] == "0" or found[0] == "1":
            continue
        if planted := _other(found[0], place.passage, rng):
            return Fault(_put(claim, found, 0, planted), planted)
    return None


def duration(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A span of time by a longer or shorter one."""
    for found in _shuffled(_DURATION, claim, rng):
        if found["value"].lower() in ("one", "1"):
            continue
        if planted := _other(found["value"], place.passage, rng, least=2):
            return Fault(_put(claim, found, "value", planted), f"{planted}{found['gap']}{found['unit']}")
    return None


_UNIT_SWAPS = {
    "minutes": ("hours", "days"), "minute": ("hour",), "hours": ("days", "minutes"), "hour": ("day", "week"),
    "days": ("weeks", "months", "hours"), "day": ("week", "month"), "weeks": ("days", "months"), "week": ("month", "day"),
    "months": ("weeks", "years"), "month": ("week", "year"), "years": ("months", "weeks"), "year": ("month", "week"),
    "km": ("miles",), "miles": ("km", "yards"), "mile": ("km",), "feet": ("meters",), "GB": ("MB", "TB"), "MB": ("GB", "KB"),
    "kg": ("g", "tonnes"), "grams": ("kilograms",), "gallons": ("litres",), "pounds": ("ounces",), "inches": ("feet",), "Tage": ("Wochen", "Monate"),
    "Tagen": ("Wochen", "Monaten"), "Stunden": ("Tage", "Minuten"), "Wochen": ("Monate", "Tage"),
    "Monate": ("Wochen", "Jahre"), "Monaten": ("Wochen", "Jahren"), "Jahre": ("Monate",), "Jahren": ("Monaten",),
    "jours": ("semaines", "mois"), "heures": ("jours", "minutes"), "semaines": ("mois", "jours"), "mois": ("semaines",),
    "ans": ("mois",), "días": ("semanas", "meses"), "horas": ("días", "minutos"), "semanas": ("meses", "días"),
    "meses": ("semanas", "años"), "años": ("meses",), "minutos": ("horas",), "Minuten": ("Stunden",),
}  # fmt: skip
_UNIT = re.compile(
    rf"(?<![\w$€.,:/-])(?P<value>[\d,]*\d|{_WORDS}|one|a|an|ein|eine|un|une|una)(?P<gap>[ -](?:(?:business|working|calendar|consecutive|fiscal) )?)(?P<unit>{'|'.join(sorted(_UNIT_SWAPS, key=len, reverse=True))})(?![\w-])"
)


def unit(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """The unit of a figure by another (days by weeks, km by miles)."""
    for found in _shuffled(_UNIT, claim, rng):
        if found["value"] in ("a", "an", "un", "une", "una", "ein", "eine") and claim[: found.start()].endswith(
            ("hours ", "days ", "times ", "times per ", "once ", "twice ", "weeks ", "half ")
        ):
            continue
        if found["value"] == "a" and found["unit"] in ("day", "month", "year", "minute", "hour"):
            continue  # "have a day", "in a minute": no figure; "an hour" by "a week" would need its article changed
        new = rng.choice(_UNIT_SWAPS[found["unit"]])
        planted = f"{found['value']}{found['gap']}{new}"
        if found["value"] in ("an", "a", "ein", "eine", "un", "une", "una") or stands_in(place.passage, planted):
            continue
        plain = f"{found['value']} {new}"
        if any(stands_in(place.passage, form) for form in (plain, plain.replace(" ", "-"), plain.rstrip("s"))):
            continue
        return Fault(_put(claim, found, "unit", new), planted)
    return None


def amount(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A sum of money by another one, or in another currency."""
    swaps = {
        "$": "€",
        "€": "$",
        "£": "€",
        " USD": " EUR",
        " EUR": " USD",
        " euro": " USD",
        " euros": " USD",
        " dollars": " euros",
    }
    for found in _shuffled(_AMOUNT, claim, rng):
        group, mark = ("value", "before") if found["value"] else ("value2", "after")
        new_mark = swaps.get(found[mark].strip() if mark == "before" else found[mark])
        if new_mark and rng.random() < 0.25 and not stands_in(place.passage, new_mark.strip()):
            return Fault(_put(claim, found, mark, new_mark), f"{new_mark}{found[group]}".strip())
        planted = _other(found[group], place.passage, rng, least=2) if not re.search(r"\.\d{3}", found[group]) else None
        if planted:
            return Fault(_put(claim, found, group, planted), planted)
    return None


def percentage(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A percentage by another."""
    for found in _shuffled(_PERCENT, claim, rng):
        most = 99 if int(found["value"]) <= 100 else 10**9
        if planted := _other(found["value"], place.passage, rng, most=most):
            return Fault(_put(claim, found, "value", planted), planted + found["sign"])
    return None


def time(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A time of day by another hour, or morning by afternoon."""
    for found in _shuffled(_TIME, claim, rng):
        group = "hour" if found["hour"] else "hour2" if found["hour2"] else "hour3"
        hour = int(found[group])
        if hour > 23 or re.search(r"articles? $", claim[: found.start()], re.I):
            continue
        if found["half"] and rng.random() < 0.25 and not re.search(r"[ap]\.?m.*[ap]\.?m", claim, re.I):
            old = re.search(r"[ap]", found["half"], re.I)
            letter = old[0] if old else "a"
            new_half = found["half"].replace(letter, {"a": "p", "p": "a", "A": "P", "P": "A"}[letter], 1)
            if not re.search(rf"\b{hour}(?::00)? ?{new_half.strip()[0]}", place.passage, re.I):
                return Fault(_put(claim, found, "half", new_half), new_half.strip())
        near = [h for h in (hour - 2, hour - 1, hour + 1, hour + 2) if 1 <= h <= (12 if found["half"] else 23)]
        near = [h for h in near if not any(stands_in(place.passage, str(x)) for x in (h, h % 12 or 12, h % 12 + 12))]
        near = [
            h
            for h in near
            if not re.search(rf"(?<!\d)(?:{h}|{h % 12 or 12})(?:[:.]\d\d)? ?(?:[ap]\.?m|:)", place.passage, re.I)
        ]
        if near:
            planted = str(rng.choice(near))
            return Fault(_put(claim, found, group, planted), planted)
    return None


def date(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """A day, month, year or weekday by another."""
    for found in _shuffled(_DATE, claim, rng):
        if found["weekday"]:
            free = [d for d in _DAYS if not re.search(rf"\b{d}|\b{d[:3]}\b", place.passage)]
            if free and not re.search(r"week(?:day|end|ly)", found.string):
                planted = rng.choice(free)
                return Fault(_put(claim, found, "weekday", planted), planted)
            continue
        year = "year" if found["year"] else "year3" if found["year3"] else ""
        if year:
            free_years = [
                y for k in (-3, -2, -1, 1, 2, 3) if not stands_in(place.passage, y := str(int(found[year]) + k))
            ]
            if free_years:
                planted = rng.choice(free_years)
                return Fault(_put(claim, found, year, planted), planted)
            continue
        day, month = ("day", "month") if found["day"] else ("day2", "month2")
        if found[month] in MONTHS and rng.random() < 0.5:
            free = [m for m in MONTHS if not re.search(rf"\b{m[:3]}", place.passage)]
            if free:
                planted = rng.choice(free)
                return Fault(_put(claim, found, month, planted), planted)
        if found["th"] or found["th2"] in ("st", "nd", "rd", "th", "er"):
            continue
        if other := _other(found[day], place.passage, rng, least=2, most=28):
            return Fault(_put(claim, found, day, other), other)
    return None


def ordinal(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """`the first` by `the third`."""
    for found in _shuffled(_ORDINAL, claim, rng):
        if found["n"]:
            if (
                not 1 <= int(found["n"]) <= 60
                or claim[found.end() :].startswith(" century")
                or re.search(r"[A-Z]\w+ $|\d $", claim[: found.start()])
            ):
                continue
            free = [_ordinal(k) for d in (-2, -1, 1, 2, 3) if 1 <= (k := int(found["n"]) + d) <= 31]
        else:
            if re.match(
                r" (?:time|place|thing|half|person|party|week ?day|century|two|three|few|or)\b", claim[found.end() :]
            ):
                continue
            free = [w for w in _ORDINALS[:5] if w != found[0]]
        free = [w for w in free if not stands_in(place.passage, w)]
        if free:
            planted = rng.choice(free)
            return Fault(_put(claim, found, 0, planted), planted)
    return None


def _shuffled(shape: re.Pattern[str], claim: str, rng: random.Random) -> list[re.Match[str]]:
    found = list(shape.finditer(claim))
    rng.shuffle(found)
    return found


_ADDRESS = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s)>\]]*[\w/]|\b(?:[\w-]+\.)+(?:gov|org|net|com|io|us)(?:/[\w./-]*\w)?\b|(?<!\w)#[a-z][\w-]+"
)
_CODE = re.compile(
    r"\b[A-Z]{2,6}[- ]?\d{2,5}(?:[.-]\d+)*[A-Z]?\b|\b[A-Z]{2,}-[A-Z]?\d+\b|\b\d+ C\.?F\.?R\.? (?:part )?\d+|\b\d{3}-\d{3}-\d{4}\b|\(\d{3}\) \d{3}-\d{4}"
)


def identifier(claim: str, place: Place, rng: random.Random) -> Fault | None:
    """An e-mail, link, channel, form number or telephone number by another."""
    for shape in rng.sample([_ADDRESS, _CODE], 2):
        for found in _shuffled(shape, claim, rng):
            planted = _other_address(found[0], place, rng) if shape is _ADDRESS else _other_code(found[0], rng)
            if planted and planted.lower() not in place.passage.lower() and planted != found[0]:
                return Fault(_put(claim, found, 0, planted), planted)
    return None


def _other_address(address: str, place: Place, rng: random.Random) -> str | None:
    known: list[str] = [
        a
        for a in _ADDRESS.findall(place.strangers)
        if ("@" in a) == ("@" in address) and (a[0] == "#") == (address[0] == "#")
    ]
    known = [a for a in known if ("/" in a) == ("/" in address)]
    if known and rng.random() < 0.4:
        return rng.choice(sorted(set(known)))
    if "@" in address and rng.random() < 0.5:
        local, _, domain = address.partition("@")
        host, dot, end = domain.rpartition(".")
        return f"{local}@{host}{dot}{'com' if end != 'com' else 'org'}"
    words = ["support", "help", "office", "finance", "travel", "team", "news", "admin", "legal", "staff"]
    parts = list(re.finditer(r"[A-Za-z]{3,}", address.partition("@")[0] if "@" in address else address))
    parts = [p for p in parts if p[0].lower() not in ("https", "http", "www", "gov", "org", "net", "com", "html")]
    if not parts:
        return None
    part = rng.choice(parts)
    return address[: part.start()] + rng.choice([w for w in words if w not in address]) + address[part.end() :]


def _other_code(code: str, rng: random.Random) -> str:
    places = [at for at, char in enumerate(code) if char.isdigit()]
    at = rng.choice(places)
    return (
        code[:at]
        + str((int(code[at]) + rng.choice((1, 2, 3, 4))) % 10 if at != places[0] else int(code[at]) % 9 + 1)
        + code[at + 1 :]
    )


KINDS: dict[str, Kind] = {
    "number": number,
    "date": date,
    "amount": amount,
    "percentage": percentage,
    "duration": duration,
    "time": time,
    "ordinal": ordinal,
    "unit": unit,
    "identifier": identifier,
}
"""The kinds of fault in figures; eval/mutation_words.py has those in words. A kind returns None where it does not fit."""
