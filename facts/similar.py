"""How alike two names of one type are, and what must keep them apart whatever else is alike.

For names in normal form (facts/normal.py). Alike is a reason to ask a person or a model, never to join: `blocked` says
why a pair is not even asked about. `parts` are what an index looks candidates up by.
Knows no documents. Try: python -c "from facts.similar import similarity; print(similarity('a. lee', 'lee, ann'))"
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from facts.first_names import FORMAL, GIVEN, GROUPS

REVIEW_FROM = 0.8
"""Pairs from here on are kept and asked about; what is less alike is not the same."""
_MOST_WORDS = 12  # of a name; longer ones are sentences
_LIGHT, _INITIAL = 0.12, 0.3  # weights beside 1 for a word: "Bedrock Team" is "Bedrock", "Ann M. Lee" is "Ann Lee"
_NICK, _BY_LETTER, _OTHERWISE_CUT = 0.9, 0.85, 0.98
_A_SLIP = 1.25  # of a word's letters: a lone word of six with a slip is another word (router, rooter)
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_VERSION = re.compile(r"v\d+")

_GENERIC_WORDS = """
a an the of for and und der die das den van von de la team squad group gruppe service dienst system app
application anwendung tool platform plattform department abteilung unit mr mrs ms dr prof herr frau inc ltd llc
gmbh ag
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_KINDS = {
    "generation": "jr=junior sr=senior ii iii iv vi vii viii ix",
    "region": "eu=europe us=usa uk apac emea amer=america latam anz asia africa india china japan germany france "
    "north=northern south=southern east=eastern west=western central northeast northwest southeast southwest "
    "domestic global=worldwide international",
    "environment": "prod=production=live stage=staging dev=development test=testing=tests qa uat preprod sandbox demo "
    "canary preview local",
    "part": "api worker legacy=old new next db=database ui=frontend backend web client server cli sdk gateway "
    "proxy job cron batch queue cache admin mobile ios android internal external public private reader writer "
    "producer consumer primary secondary replica mirror backup archive lite classic alpha beta",
}
_KIND_OF = {
    word: (kind, told.split("=")[0])
    for kind, listed in _KINDS.items()
    for told in listed.split()
    for word in told.split("=")
}


def similarity(a: str, b: str) -> float:
    """How alike two names in normal form are, from 0 to 1 (written alike); the order of their words counts for nothing.

    Words are paired: the same, a nickname, an initial, or a slip of the pen; what stands in one alone counts against.
    """
    if a == b:
        return 1.0
    ours, theirs = _words(a), _words(b)
    if not ours or not theirs:
        return 0.0
    cut = _OTHERWISE_CUT if "".join(ours) == "".join(theirs) else 0.0
    pairs, alone = _paired(ours, theirs)
    if not any(_weight(one) == 1 and _weight(other) == 1 for one, other, _ in pairs):
        return cut  # alike in nothing that names it
    both = sum(max(_weight(one), _weight(other)) for one, other, _ in pairs)
    rest = sum(map(_weight, alone[0])) + sum(map(_weight, alone[1]))
    score = sum(alike * max(_weight(one), _weight(other)) for one, other, alike in pairs) / (both + rest)
    return max(cut, min(score, 0.99))


def blocked(a: str, b: str) -> str:
    """Why two names in normal form must never be joined by rule or model, "" for no reason."""
    ours, theirs = _words(a), _words(b)
    if (one := _numbers(ours)) != (other := _numbers(theirs)):
        return f"other number: {' '.join(one) or 'none'} / {' '.join(other) or 'none'}"
    for kind in _KINDS:
        one, other = _of_kind(ours, kind), _of_kind(theirs, kind)
        if one != other:
            return f"other {kind}: {' '.join(one) or 'none'} / {' '.join(other) or 'none'}"
    pairs, alone = _paired(ours, theirs)
    given = [sorted(word for word in words if word in GIVEN) for words in alone]
    slips = [(one, other) for one, other, alike in pairs if alike not in (1, _NICK) and {one, other} <= GIVEN]
    for one_name, other_name in (*zip(*given, strict=False), *slips):
        return f"other first name: {one_name} / {other_name}"
    for word, longer in (
        (min(pair[:2], key=len), max(pair[:2], key=len)) for pair in pairs if pair[2] not in (1, _NICK)
    ):
        if len(pairs) > 1 and word in GIVEN and longer in (f"{word}a", f"{word}e", f"{word}ina", f"{word}o"):
            return f"other first name: {word} / {longer}"
    letters = [sorted(word for word in words if len(word) == 1) for words in alone]
    if all(letters):
        return f"other initial: {' '.join(letters[0])} / {' '.join(letters[1])}"
    return ""


def why(a: str, b: str) -> str:
    """What makes two names alike, for people: "same words", "nickname", "initial", "spelling"."""
    pairs, alone = _paired(_words(a), _words(b))
    said = [
        what
        for what, holds in (
            ("initial", any(1 in (len(one), len(other)) and one != other for one, other, _ in pairs)),
            ("nickname", any(alike == _NICK for _, _, alike in pairs)),
            ("spelling", any(_is_slip(one, other) for one, other, _ in pairs)),
            ("words between", any(alone[0]) or any(alone[1])),
        )
        if holds
    ]
    return ", ".join(said) or "same words"


def parts(name: str) -> list[str]:
    """What names like this one are looked up by: a word with another's initial; a lone word, and its halves.

    Two words that are both misspelt are not found, nor one whose first letter is wrong: what is rarer costs too much. A
    number is never misspelt or cut, so of "job 4711" and "job 4712" neither is looked up by what the other has, too.
    """
    words = [word for word in _words(name) if _weight(word) == 1 or len(word) == 1][:5]
    found = {"".join(_words(name))}
    for word in (word for word in words if len(word) > 1):
        others = [other for other in words if other is not word]
        beside = {other[0] if other.isalpha() else other for one in others for other in _forms(one)}
        found |= {f"{form} {other}" for form in _forms(word) for other in beside}
        if not any(len(other) > 1 for other in others):
            half = 3 if len(word) < 8 else 4
            cut = {f"{word[:half]}~", f"~{word[-half:]}", f"{''.join(sorted(word))}^"} if word.isalpha() else set[str]()
            found |= {*_forms(word), *cut}
    return sorted(one for one in found if one)


def _forms(word: str) -> set[str]:
    """The first names that it may be short for; else itself."""
    return FORMAL.get(word) or {word}


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[str, ...]:
    return tuple(_ZEROS.sub("", word) for word in _WORD.findall(name)[:_MOST_WORDS])


@lru_cache(maxsize=20_000)
def _weight(word: str) -> float:
    if len(word) == 1:
        return _INITIAL
    return _LIGHT if word in _GENERIC or word in _KIND_OF or _VERSION.fullmatch(word) else 1.0


def _numbers(words: Iterable[str]) -> list[str]:
    return sorted(found for word in words for found in _NUMBER.findall(word))


def _of_kind(words: Iterable[str], kind: str) -> list[str]:
    return sorted({_KIND_OF[word][1] for word in words if word in _KIND_OF and _KIND_OF[word][0] == kind})


def _paired(
    ours: Sequence[str], theirs: Sequence[str]
) -> tuple[list[tuple[str, str, float]], tuple[list[str], list[str]]]:
    """The words that go together, best first, with how alike they are; and those of either that go with none."""
    mine, left = [*ours], [*theirs]
    pairs = []
    for word in ours:
        if word in left:
            pairs.append((word, word, 1.0))
            mine.remove(word)
            left.remove(word)
    found = sorted(
        ((alike, n, m) for n, one in enumerate(mine) for m, other in enumerate(left) if (alike := _alike(one, other))),
        key=lambda made: (-made[0], *sorted((mine[made[1]], left[made[2]]))),
    )
    for alike, n, m in found:
        if mine[n] and left[m]:
            pairs.append((mine[n], left[m], alike))
            mine[n] = left[m] = ""
    return pairs, ([word for word in mine if word], [word for word in left if word])


@lru_cache(maxsize=100_000)
def _alike(one: str, other: str) -> float:
    if _KIND_OF.get(one, one) == _KIND_OF.get(other, other):
        return 1.0
    if one in _KIND_OF or other in _KIND_OF:
        return 0.0
    if 1 in (len(one), len(other)):
        return _BY_LETTER if one[0] == other[0] and one.isalpha() and other.isalpha() else 0.0
    if not GROUPS.get(one, set()).isdisjoint(GROUPS.get(other, ())):
        return _NICK
    return 1 - _A_SLIP * _slips(one, other) / max(len(one), len(other)) if _is_slip(one, other) else 0.0


def _is_slip(one: str, other: str) -> bool:
    """Whether one may be the other, badly typed: a letter of four, two of eight; numbers are never."""
    shorter = min(len(one), len(other))
    most = 0 if shorter < 4 else 1 if shorter < 8 else 2
    if not most or one == other or abs(len(one) - len(other)) > most or not (one + other).isalpha():
        return False
    if len({*one} ^ {*other}) > 2 * most:  # a slip changes two letters at the most; spares most of what follows
        return False
    return _slips(one, other) <= most


@lru_cache(maxsize=20_000)
def _slips(one: str, other: str) -> int:
    """Letters put in, left out, changed, or two swapped, from one word to the other."""
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    one, other = one[start:], other[start:]
    before, last = list[int](), list(range(len(other) + 1))
    for n, letter in enumerate(one, 1):
        row = [n]
        for m, against in enumerate(other, 1):
            least = min(last[m] + 1, row[m - 1] + 1, last[m - 1] + (letter != against))
            if n > 1 and m > 1 and letter == other[m - 2] and one[n - 2] == against:
                least = min(least, before[m - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]
