"""Statements of a passage that say the like of several things, and claims that mix two of them.

"Gate A serves lorries, gate C serves vans": laid over each other, A and C stand in one slot, lorries and vans in
another. A claim that takes its words of one slot from the first and of another slot from the second says of one thing
what the passage says of the other. Rows of a table are such statements, and so are the cells of a row under their
column's head. Must not know sources or verdicts.
Try: python -c "from proof.parallel import mixed; print(mixed('Cats get 7.', [('', 'Cats get 5, dogs get 7.')], 'en'))"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations

from language.words import RUNS, is_run, words
from proof.clauses import clauses, keys, keys_of
from proof.facts import plain
from proof.tables import WORD_NUMBERS

_RESPECTIVELY = re.compile(r"\b(?:respectively|jeweils|respectivement|respectivamente)\b|分别", re.IGNORECASE)
_MOST_STATEMENTS = 60
_SHORT = 8  # words; two longer statements that have no word with a meaning in common say nothing alike
_VERY_SHORT = 5
_MOST_OF = 0.7
_MOST_KEYS = 4  # of one slot; more is another sentence
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True)
class Slot:
    """The keys that stand in one place of two parallel statements."""

    one: frozenset[str]
    other: frozenset[str]


def mixed(claim: str, statements: Sequence[tuple[str, str]], lang: str) -> tuple[str, str] | None:
    """Words of the claim that `statements` say of two different things, or None.

    Each statement is what stands above it (a heading, a lead-in) and a sentence or item; its clauses are statements,
    too. What stands above tells two statements apart where it differs.
    """
    every = list(dict.fromkeys((above, part) for above, text in statements for part in _parts(text, lang)))
    said = _said(claim, lang)
    known = [(a, part) for a, part in every if said and finer_keys(f"{a} {part}", lang) & said[0]][:_MOST_STATEMENTS]
    spoken_of = frozenset[str]().union(*(finer_keys(f"{a} {part}", lang) for a, part in known))
    for (above, one), (over, other) in combinations(known, 2):
        apart = above != over
        one, other = (f"{above}: {one}", f"{over}: {other}") if apart else (one, other)
        if not _may_mix(said[0] & spoken_of, finer_keys(one, lang), finer_keys(other, lang)):
            continue
        found = _taken(said, _slots(one, other, lang))
        if not found:
            continue
        beside = (part for a, part in every if one not in f"{a}: {part}" and other not in f"{a}: {part}")
        if not any(set(found) <= finer_keys(text, lang) for text in beside):
            return found
    return None


def mixed_rows(claim: str, rows: Sequence[Sequence[str]], lang: str) -> tuple[str, str] | None:
    """The same for rows of a table, given as their cells; columns are rows of head and cell."""
    said = _said(claim, lang)
    told = [[finer_keys(cell, lang) for cell in row] for row in rows]
    known = [row for row in told if said and any(cell & said[0] for cell in row)][:_MOST_STATEMENTS]
    for one, other in combinations(known, 2):
        slots = [Slot(mine - theirs, theirs - mine) for mine, theirs in zip(one, other, strict=False)]
        if found := _taken(said, slots):
            return found
    return None


def _may_mix(told: frozenset[str], one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether most of what the passages tell of a claim stands in two statements, some of it in each of them alone."""
    both = told & (one | other)
    return len(both) >= _MOST_OF * len(told) and not (both <= one or both <= other)


def _said(claim: str, lang: str) -> list[frozenset[str]]:
    """The keys of the claim and of each of its clauses."""
    if _RESPECTIVELY.search(claim):
        return []
    text = plain(claim)
    return [finer_keys(text, lang), *(finer_keys(clause.text, lang) for clause in clauses(text, lang))]


def _taken(said: Sequence[frozenset[str]], slots: Sequence[Slot]) -> tuple[str, str] | None:
    return next((found for mine in said if (found := _mixed(mine, slots))), None) if len(slots) > 1 else None


def _mixed(mine: frozenset[str], slots: Sequence[Slot]) -> tuple[str, str] | None:
    from_one = [min(mine & slot.one) for slot in slots if mine & slot.one and not mine & slot.other and slot.other]
    from_other = [min(mine & slot.other) for slot in slots if mine & slot.other and not mine & slot.one and slot.one]
    return next(((one, other) for one in from_one for other in from_other if one != other), None)


def _parts(statement: str, lang: str) -> Iterator[str]:
    text = plain(statement)
    yield text
    inside = [clause.text for clause in clauses(text, lang)]
    if 1 < len(inside) <= 6:
        yield from inside


@lru_cache(maxsize=2048)
def finer_keys(text: str, lang: str) -> frozenset[str]:
    """`keys`, with single characters in place of character pairs."""
    runs = frozenset(char for run in RUNS.findall(text) for char in run if not _is_filler(char))
    return runs | {key for key in keys(text, lang) if not is_run(key)}


def _is_filler(char: str) -> bool:
    return char in "的了是在和与及或为由于从到个"


@lru_cache(maxsize=1024)
def _slots(one: str, other: str, lang: str) -> tuple[Slot, ...]:
    """What stands in each other's place in the two; () where they have no key or too little in common."""
    first, second = _symbols(one, lang), _symbols(other, lang)
    common = finer_keys(one, lang) & finer_keys(other, lang)
    matcher = SequenceMatcher(None, [s for s, _ in first], [s for s, _ in second], autojunk=False)
    found: list[Slot] = []
    alike = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            alike += i2 - i1
        elif tag == "replace":
            found += _by_kind(first[i1:i2], second[j1:j2], common, lang)
    shorter, longer = sorted((len(first), len(second)))
    like = common or longer <= _SHORT
    least = max(2, shorter / 3) if longer > _VERY_SHORT else 1
    return tuple(found) if like and alike >= least else ()


def _by_kind(
    one: Sequence[tuple[str, bool]], other: Sequence[tuple[str, bool]], common: frozenset[str], lang: str
) -> Iterator[Slot]:
    """The words of a place, and its figures, as a slot each."""
    for figures in (False, True):
        mine, theirs = (
            frozenset(s for s, key in side if key and s not in common and _is_figure(s, lang) == figures)
            for side in (one, other)
        )
        if mine and theirs and max(len(mine), len(theirs)) <= _MOST_KEYS:
            yield Slot(mine, theirs)


def _is_figure(symbol: str, lang: str) -> bool:
    return bool(_FIGURE.search(symbol)) or symbol in WORD_NUMBERS.get(lang, ())


@lru_cache(maxsize=1024)
def _symbols(text: str, lang: str) -> list[tuple[str, bool]]:
    """The text's words in order as keys, characters of scripts without spaces, and whether each is one."""
    about = finer_keys(text, lang)
    found: list[tuple[str, bool]] = []
    for word in words(text):
        if is_run(word):
            found += [(char, char in about) for char in word]
        else:
            found += [(key, True) for key in keys_of(word, about, lang)] or [(word.casefold(), False)]
    return found
