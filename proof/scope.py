"""Where, for whom, when and under which condition a statement holds: two of different scope do not disagree.

Strict on purpose: what only one of two statements is limited to makes them two rules, not a disagreement. Must not
know questions or what the statements give as their answer.
Try: python -c "from proof.scope import scope; print(scope('Interns in Poland get 20 days.', '', 'en'))"
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from proof.scope_tables import (
    CONDITIONS,
    COUNTRIES,
    EXAMPLES,
    EXCEPTIONS,
    HAN_PLACES,
    HISTORY,
    ORDINALS,
    PLANS,
    ROLES,
    SETTINGS,
)
from proof.words import content

_PLACES = re.compile(rf"(?<!\w)(?:{COUNTRIES})(?!\w)|{HAN_PLACES}")
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FROM_YEAR = re.compile(
    r"(?<!\w)(?:since|from|as of|starting|effective|ab|seit|depuis|dès|desde|dal|vanaf|с)(?:\W+[\w.]+){0,3}?\W+$|(?:自|从)\W*$",
    re.IGNORECASE,
)
_SET_ASIDE = re.compile(f"{EXAMPLES}|{HISTORY}|{PLANS}", re.IGNORECASE)
_CONDITION = re.compile(f"{CONDITIONS}|{EXCEPTIONS}", re.IGNORECASE)
_END = re.compile(r"[,;.:!?]\s|[，；。：、]")


@dataclass(frozen=True)
class Scope:
    """What a statement is limited to; `conditions` are the words of each condition."""

    limits: frozenset[str]  # roles, settings, ordinals
    places: frozenset[str]
    years: frozenset[str]
    conditions: tuple[frozenset[str], ...]


@lru_cache(maxsize=1024)
def scope(text: str, above: str, lang: str, clause: str = "") -> Scope:
    """The scope of a statement with `above`, its title and headings; an ordinal counts only in its own clause."""
    whole, clause = f"{above}\n{text}", clause or text
    settings = _of(SETTINGS, f"{above}\n{clause}")
    limits = {*_of(ROLES, whole), *settings, *(f"no. {n}" for n in _of(ORDINALS, clause))}
    return Scope(frozenset(limits), frozenset(map(_place, _PLACES.findall(whole))), _years(whole), _conditions(text, lang))


def is_set_aside(text: str) -> bool:
    """Whether a statement only gives an example, a plan, or what held before."""
    return _SET_ASIDE.search(text) is not None


def differs(one: Scope, other: Scope) -> bool:
    """Whether two statements hold for different people, places, times or conditions."""
    if one.limits != other.limits or one.places != other.places:
        return True
    if one.years != other.years and (one.years and other.years or one.years | other.years):
        return True
    if bool(one.conditions) != bool(other.conditions):
        return True
    return any(not any(_same(a, b) for b in other.conditions) for a in one.conditions)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other), 1)


def _place(word: str) -> str:
    return word.casefold()[:4]  # German, Germany


def _years(text: str) -> frozenset[str]:
    """Years a statement is limited to; "since 2024" says how new it is, and limits nothing."""
    return frozenset(m[0] for m in _YEARS.finditer(text) if not _FROM_YEAR.search(text[max(0, m.start() - 30) : m.start()]))


def _conditions(text: str, lang: str) -> tuple[frozenset[str], ...]:
    found = []
    for match in _CONDITION.finditer(text):
        end = _END.search(text, match.end())
        words = content(text[match.start() : end.start() if end else len(text)], lang)
        found.append(frozenset(words))
    return tuple(found)


def _of(table: Mapping[str, str], text: str) -> Iterable[str]:
    return {_name(table, match) for match in _pattern(id(table)).finditer(text)} if _pattern(id(table)) else ()


def _name(table: Mapping[str, str], match: re.Match[str]) -> str:
    return list(table)[int((match.lastgroup or "_0")[1:])]


@cache
def _pattern(table: int) -> re.Pattern[str]:
    words = next(t for t in (ROLES, SETTINGS, ORDINALS) if id(t) == table)
    # Marks of unspaced scripts have no word's edge around them.
    choices = "|".join(f"(?P<_{n}>{'|'.join(map(_bounded, alternatives(p)))})" for n, p in enumerate(words.values()))
    return re.compile(choices, re.IGNORECASE)


def alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern on its top level."""
    found, depth, start = [], 0, 0
    for at, char in enumerate(pattern):
        depth += (char in "([") - (char in ")]")
        if char == "|" and not depth:
            found.append(pattern[start:at])
            start = at + 1
    return [*found, pattern[start:]]


def _bounded(word: str) -> str:
    return word if re.search("[\u3040-\uffef]", word) else rf"(?<!\w)(?:{word})(?!\w)"
