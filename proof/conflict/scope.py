"""Where, for whom, when and under which condition a statement holds: two of different scope do not disagree.

Strict on purpose: what only one of two statements is limited to makes them two rules, not a disagreement. Must not
know questions or what the statements give as their answer.
Try: python -c "from proof.conflict.scope import scope; print(scope('Interns in Poland get 20 days.', '', 'en'))"
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from proof.conflict.scope_tables import (
    BOUNDS,
    CONDITIONS,
    COUNTRIES,
    EXAMPLES,
    EXCEPTIONS,
    HAN_PLACES,
    HAN_RECORDS,
    HISTORY,
    ORDINALS,
    PLANS,
    RECORDS,
    ROLES,
    RULE_BOOKS,
    SETTINGS,
    SINCE,
)
from proof.words import content

_PLACES = re.compile(rf"(?<!\w)(?:{COUNTRIES})(?!\w)|{HAN_PLACES}")
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FROM_YEAR = re.compile(SINCE, re.IGNORECASE)
_RECORDS = re.compile(rf"(?<!\w)(?:{RECORDS})(?!\w)|{HAN_RECORDS}", re.IGNORECASE)
_RULE_BOOKS = re.compile(rf"(?<!\w)(?:{RULE_BOOKS})", re.IGNORECASE)
_BOUNDS = [re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for words in BOUNDS]
_SET_ASIDE = re.compile(f"{EXAMPLES}|{HISTORY}|{PLANS}", re.IGNORECASE)
_PAST = re.compile(HISTORY, re.IGNORECASE)
_EXAMPLE = re.compile(EXAMPLES, re.IGNORECASE)
_CONDITION = re.compile(f"{CONDITIONS}|{EXCEPTIONS}", re.IGNORECASE)
_NUMBERED = re.compile(r"[^\W\d_]{2,} \d{1,3}$", re.MULTILINE)  # "Desk 4" as a heading
_END = re.compile(r"[,;.:!?]\s|[，；。：、]")


_UNSPACED = re.compile("[\u3040-\uffef]")
_TABLES = (ROLES, SETTINGS, ORDINALS)
_NAMES = tuple(tuple(f"no. {n}" if table is ORDINALS else n for n in table) for table in _TABLES)


@dataclass(frozen=True)
class Scope:
    """What a statement is limited to; `conditions` are the words of each condition."""

    limits: frozenset[str]  # roles, settings, ordinals
    places: frozenset[str]
    years: frozenset[str]
    conditions: tuple[frozenset[str], ...]
    headed: frozenset[str]  # years of the title and headings
    of_records: bool  # whether the heading with the year tells of a time: a report, a party
    of_rules: bool  # or holds rules
    bounds: tuple[bool, bool]  # whether it tells the least, the most


def scope(text: str, above: str, lang: str, clause: str = "", path: str = "") -> Scope:
    """The scope of a statement with `above`, its title and headings; an ordinal counts only in its own clause.

    The document's `path` tells places and years.
    """
    head, own = _told(above), _told(text)
    dated = [part for part in re.split(r"\n| > |/", f"{above}\n{path}") if _YEARS.search(part)]
    part, folders = _told(clause) if clause else own, _told(re.sub(r"[\W_]+", " ", path).title())
    limits = head.roles | own.roles | head.settings | part.settings | part.ordinals | {*_NUMBERED.findall(above)}
    bounds = part.bounds if any(part.bounds) else head.bounds
    return Scope(
        limits, head.places | own.places | folders.places, own.years, _conditions(text, lang),
        head.years | folders.years, any(map(_RECORDS.search, dated)), any(map(_RULE_BOOKS.search, dated)), bounds,
    )  # fmt: skip


@dataclass(frozen=True)
class _Told:
    roles: frozenset[str]
    settings: frozenset[str]
    ordinals: frozenset[str]
    places: frozenset[str]
    years: frozenset[str]
    bounds: tuple[bool, bool]


@lru_cache(maxsize=2048)
def _told(text: str) -> _Told:
    found: dict[int, set[str]] = {0: set(), 1: set(), 2: set()}
    for pattern in _patterns():
        for match in pattern.finditer(text):
            _, table, name = str(match.lastgroup).split("_")
            found[int(table)].add(_NAMES[int(table)][int(name)])
    places = frozenset(map(_place, _PLACES.findall(text)))
    roles, settings, ordinals = (frozenset(found[n]) for n in range(3))
    low, high = (pattern.search(text) is not None for pattern in _BOUNDS)
    return _Told(roles, settings, ordinals, places, _years(text), (low, high))


def is_set_aside(text: str) -> bool:
    """Whether a statement only gives an example, a plan, or what held before."""
    return _SET_ASIDE.search(text) is not None


def is_example(text: str) -> bool:
    """Whether a statement only gives an example."""
    return _EXAMPLE.search(text) is not None


def is_history(text: str) -> bool:
    """Whether a statement tells what held before."""
    return _PAST.search(text) is not None


def differs(one: Scope, other: Scope) -> bool:
    """Whether two statements hold for different people, places, times or conditions."""
    if one.limits != other.limits or one.places != other.places:
        return True
    if one.years != other.years or _of_other_times(one, other):
        return True
    if {one.bounds, other.bounds} == {(True, False), (False, True)}:
        return True
    if bool(one.conditions) != bool(other.conditions):
        return True
    return any(not any(_same(a, b) for b in other.conditions) for a in one.conditions)


def _of_other_times(one: Scope, other: Scope) -> bool:
    """Whether two headings' years are times that are told of, not years in which the same rule was written down."""
    if one.headed == other.headed:
        return False
    return any(s.of_records and not s.of_rules for s in (one, other))


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    shared, (few, many) = len(one & other), sorted((len(one), len(other)))
    return 2 * shared >= max(many, 1) or (few > 1 and 5 * shared >= 4 * few)  # a clause put last ends at no comma


def _place(word: str) -> str:
    return word.casefold()[:4]  # German, Germany


def _years(text: str) -> frozenset[str]:
    """Years a statement is limited to; "since 2024" says how new it is, and limits nothing."""
    return frozenset(
        m[0] for m in _YEARS.finditer(text) if not _FROM_YEAR.search(text[max(0, m.start() - 30) : m.start()])
    )


def _conditions(text: str, lang: str) -> tuple[frozenset[str], ...]:
    found = []
    for match in _CONDITION.finditer(text):
        end = _END.search(text, match.end())
        words = content(text[match.start() : end.start() if end else len(text)], lang)
        found.append(frozenset(words))
    return tuple(found)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words with their edges, tried at a word's beginning only; marks of unspaced scripts, which have no edges."""
    words: list[str] = []
    marks: list[str] = []
    for number, table in enumerate(_TABLES):
        for name, pattern in enumerate(table.values()):
            every = alternatives(pattern)
            for kept, group in (
                (words, [p for p in every if not _UNSPACED.search(p)]),
                (marks, [p for p in every if _UNSPACED.search(p)]),
            ):
                if group:
                    kept.append(f"(?P<_{number}_{name}>{'|'.join(group)})")
    return (
        re.compile(rf"(?<!\w)(?=\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE),
        re.compile("|".join(marks)),
    )


def alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern on its top level."""
    found, depth, start = [], 0, 0
    for at, char in enumerate(pattern):
        depth += (char in "([") - (char in ")]")
        if char == "|" and not depth:
            found.append(pattern[start:at])
            start = at + 1
    return [*found, pattern[start:]]
