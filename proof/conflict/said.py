"""Answers without a measured figure: free of charge, daily, the 25th of the month, extension 4400, version ... is 4.2.

Must not know questions, passages or what a statement is about.
Try: python -c "from proof.conflict.said import said; print([*said('Backups are made daily.', 'en')])"
"""

import re
from collections.abc import Iterator
from functools import cache

from proof.conflict.value import Value
from proof.conflict.value_tables import COUNTS, EVERY, EXTENSION, FREE, MONTH_DAY, OFTEN, TIMES, UNITS, VERSION, YEARLY

_UNSPACED = ("zh", "ja", "ko")
_EXTENSION = re.compile(EXTENSION, re.IGNORECASE)


def said(text: str, lang: str) -> Iterator[Value]:
    """The values of a `plain` text that no number with a unit tells; none inside another."""
    found: list[Value] = []
    for value in _every(text, lang):
        if not any(value.start < v.end and v.start < value.end for v in found):
            found.append(value)
            yield value


def _every(text: str, lang: str) -> Iterator[Value]:
    for match in _found(FREE, lang, text):
        yield Value("money free", match.start(), match.end(), match[0])
    for match in _found(MONTH_DAY, lang, text):
        day = next(part for part in match.groups() if part)
        yield Value("monthday", match.start(), match.end(), match[0], words=frozenset({str(int(day))}))
    yield from _often(text, lang)
    for match in _found(VERSION, lang, text):
        yield Value("named version", match.start("v"), match.end("v"), match["v"], words=frozenset({match["v"]}))
    for match in _EXTENSION.finditer(text):
        number = match["x"] or match["y"]
        yield Value("phone", match.start(), match.end(), match[0], words=frozenset({number}))


def _found(table: dict[str, str], lang: str, text: str) -> Iterator[re.Match[str]]:
    return _pattern(table[lang], lang).finditer(text) if lang in table else iter(())


@cache
def _pattern(words: str, lang: str) -> re.Pattern[str]:
    return re.compile(words if lang in _UNSPACED else rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _often(text: str, lang: str) -> Iterator[Value]:
    for pattern in _rhythms(lang):
        for match in pattern.finditer(text):
            part = match.groupdict()
            unit = next(name for name in YEARLY if part.get(name))
            yearly = YEARLY[unit] * _count(part.get("times")) / _count(part.get("n"))
            yield Value("often", match.start(), match.end(), match[0], yearly, yearly)


def _count(written: str | None) -> float:
    if not written:
        return 1.0
    found = re.match(r"\d+", written)
    if found:
        return float(found[0]) or 1.0
    word = written.casefold()
    return float(next((n for name, n in COUNTS.items() if word.startswith(name)), 1))


@cache
def _rhythms(lang: str) -> list[re.Pattern[str]]:
    """Patterns whose groups are named by units."""
    found = []
    if lang in OFTEN:
        found.append(_pattern("|".join(f"(?P<{unit}>{words})" for unit, words in OFTEN[lang].items()), lang))
    if lang in UNITS:
        units = "|".join(f"(?P<{unit}>{words})" for unit, words in UNITS[lang].items())
        found += [_pattern(table[lang].replace("UNIT", f"(?:{units})"), lang) for table in (EVERY, TIMES)]
    return found
