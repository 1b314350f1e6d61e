"""What only titles, headings and paths tell: whether two pages are about two things of one kind.

"Pump X100" and "Pump X200", "Services > planner" and "Services > docstore", offices/oslo and offices/porto: a sentence
that stands in both alike speaks of two things. A year, "old" or "archive" tells which page is newer, and no more.
Must not know values or questions.
Try: python -c "from proof.conflict.apart import Labels, apart; print(apart(Labels(('X1',)), Labels(('X2',))))"
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product, takewhile

from language.words import fold, stem
from proof.conflict.apart_tables import CODES, ONE_OF, PLAIN, SEVERAL
from proof.conflict.scope_tables import LONE_TIERS, TIERED, TIERS
from proof.conflict.subject import terms

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_YEAR = re.compile(r"(?:19|20)\d\d|v?\d{1,2}(?:\.\d+)*", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?<![\w.])(?!v\d)(?=[\w-]*\d)[A-Za-z]+-?(?!(?:19|20)\d\d(?!\d)|v\d)\d+[\w-]*", re.IGNORECASE)
_TIER = "|".join(TIERS.values())
_TIERS = re.compile(
    rf"^\W*({'|'.join(LONE_TIERS)})\W*$|(?<!\w)({_TIER}) (?:{TIERED})(?!\w)|(?<!\w)(?:{TIERED})[: ]+({_TIER})(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Labels:
    """Title and headings of a passage from the top, its document's path, and every term that stands there or below."""

    parts: tuple[str, ...]
    path: str = ""
    lang: str = "en"
    every: frozenset[str] = frozenset()

    @cached_property
    def chain(self) -> list[list[str]]:
        """The words of each part without those that tell nothing; a part that repeats the one above it left out."""
        found: list[list[str]] = []
        for part in self.parts:
            kept = _kept(part)
            if kept and [*map(fold, kept)] not in [[*map(fold, other)] for other in found]:
                found.append(kept)
        return found

    @cached_property
    def segments(self) -> list[str]:
        """Folders and the file's stem, folded."""
        return [fold(re.sub(r"\.\w{1,5}$", "", part)) for part in self.path.split("/") if part]

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """X100 and the like, of the headings and the file's name."""
        stem_of = self.segments[-1] if self.segments else ""
        return frozenset(fold(m) for part in (*self.parts, stem_of) for m in _IDENTIFIER.findall(part))

    @cached_property
    def tiers(self) -> frozenset[str]:
        """Plans that are named where they tell themselves apart: "Pro plan"."""
        return frozenset(fold(name) for part in self.parts for found in _TIERS.findall(part) for name in found if name)


def apart(one: Labels, other: Labels) -> bool:
    """Whether what stands above two passages names two things of one kind."""
    if one.identifiers and other.identifiers and not one.identifiers & other.identifiers:
        return True
    if one.tiers != other.tiers:
        return True
    if any(_parallel(a, b, one, other) for a, b in product(one.chain, other.chain)):
        return True
    return _siblings(one, other) or _paths_apart(one, other)


def _kept(text: str) -> list[str]:
    return [w for w in _WORD.findall(text) if fold(w) not in PLAIN and not _YEAR.fullmatch(w)]


def _parallel(a: Sequence[str], b: Sequence[str], one: Labels, other: Labels) -> bool:
    """Whether two labels differ in one word that tells which: "Design meeting", "Sales meeting"; not "Office rules"."""
    differing = [n for n, (x, y) in enumerate(zip(a, b, strict=False)) if stem(x, one.lang) != stem(y, other.lang)]
    if len(a) != len(b) or len(a) < 2 or len(differing) != 1:
        return False
    at = differing[0]
    is_named = fold(a[at - 1]) in ONE_OF and a[at][0].isupper() and b[at][0].isupper()
    if at == len(a) - 1 and not is_named:
        return False
    return not _mentions(other, [a[at]], one.lang) and not _mentions(one, [b[at]], other.lang)


def _mentions(labels: Labels, told: Sequence[str], lang: str) -> bool:
    return bool(terms(" ".join(told), lang) & labels.every)


def _siblings(one: Labels, other: Labels) -> bool:
    """Whether both stand below one heading of which there are several things."""
    shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(one.chain, other.chain, strict=False))])
    if not shared or min(len(one.chain), len(other.chain)) <= shared:
        return False
    return bool(SEVERAL & {*map(fold, one.chain[shared - 1])})


def leaves(one: Labels, other: Labels) -> tuple[frozenset[str], frozenset[str]]:
    """The terms of the first headings that differ below a common one; two empty sets where there are none."""
    shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(one.chain, other.chain, strict=False))])
    if not shared or min(len(one.chain), len(other.chain)) <= shared:
        return frozenset(), frozenset()
    mine, theirs = terms(" ".join(one.chain[shared]), one.lang), terms(" ".join(other.chain[shared]), other.lang)
    return mine - theirs, theirs - mine


def _paths_apart(one: Labels, other: Labels) -> bool:
    a, b = one.segments, other.segments
    if a == b or not a or not b:
        return False
    shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))])
    if shared < min(len(a), len(b)):
        x, y = (
            _kept(a[shared].replace("_", "-").replace("-", " ")),
            _kept(b[shared].replace("_", "-").replace("-", " ")),
        )
        is_telling = bool(x and y and x != y and not _languages(x, y, one, other))
        if is_telling and shared and a[shared - 1] in SEVERAL:
            return True
        if is_telling and shared and len(a) > shared + 1 and a[shared + 1 :] == b[shared + 1 :]:
            return True  # offices/oslo/hours.md, offices/porto/hours.md
    return _codes(one) != _codes(other) and bool(_codes(one)) and bool(_codes(other))


def _languages(x: Sequence[str], y: Sequence[str], one: Labels, other: Labels) -> bool:
    return [*x] == [one.lang] and [*y] == [other.lang]


def _codes(labels: Labels) -> frozenset[str]:
    """Countries by their letters; the letters of the passage's language tell its language."""
    found = {w for part in labels.segments for w in re.split(r"[-_. ]", part) if w in CODES}
    return frozenset(_without_language(found, labels.lang))


def _without_language(found: set[str], lang: str) -> Iterator[str]:
    yield from (w for w in found if w != lang)
