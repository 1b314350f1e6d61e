"""The units of the cited passages that come nearest to a claim, by words or by meaning.

Must not know verdicts; whether a unit proves the claim is decided elsewhere.
Try: python verify.py "a question" shows the units that prove each claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from models import Near
from proof.source import Source
from proof.stated import Stated
from proof.status import calls_error

_MOST_COMPARED = 300  # units by meaning, which takes a millisecond or two each
_MOST_PARTS = 4  # sentences shown as the proof of one claim
_ERROR = 3  # what a line that calls itself an error loses of its weight, so that the line that corrects it comes first
_ABROAD = 0.15  # paraphrases in another language lie lower than translations
_WITH_FACTS = 0.25  # where figures or names tie the two together, too


@dataclass(frozen=True)
class Part:
    """A verbatim piece of source `source` (index into the sources given), `start` to `end` in its text."""

    source: int
    start: int
    end: int


class Laid:
    """A claim laid on the units that come nearest to it, best first; what every rule looks at.

    `start` and `end` of its parts count units of their source.
    """

    def __init__(self, claim: Stated, sources: Sequence[Source], parts: Sequence[Part], near: Near | None) -> None:
        self.claim, self.sources, self.parts, self.near = claim, sources, parts, near

    @cached_property
    def places(self) -> list[tuple[Source, int]]:
        """The units as source and place in it."""
        return [(self.sources[part.source], part.start) for part in self.parts]

    @property
    def is_abroad(self) -> bool:
        """Whether the nearest unit is in another language than the claim, though they have words in common."""
        return self.places[0][0].foreign

    @cached_property
    def lines(self) -> list[str]:
        """The units' text."""
        return [source.lines[at] for source, at in self.places]

    @cached_property
    def told(self) -> list[str]:
        """The units' text, a list's items behind the line that announces them."""
        return [source.told[at] for source, at in self.places]

    @cached_property
    def proof(self) -> str:
        """The units' text in one, for rules and reasons."""
        return " ".join(self.lines)


def _scores(claim: Stated, source: Source) -> list[set[str]]:
    """For each unit what of the claim it holds: terms, and hard facts under names of their own."""
    held = []
    for terms, facts in zip(source.line_terms, source.line_facts, strict=True):
        found = set(terms & claim.terms_set)
        found |= {f"\0n{n.start}" for n in claim.numbers if facts.has_number(n) or n.values & facts.values}
        found |= {f"\0m{m.start}" for m in claim.moments if facts.has_moment(m)}
        found |= {f"\0w{name}" for name in claim.names if facts.has_name(name, claim.lang)}
        found |= {f"\0q{quote}" for quote in claim.quotes if quote in facts.text or quote in facts.spoken}
        held.append(found)
    return held


def by_meaning(claim: Stated, sources: Sequence[Source], near: Near) -> list[Part]:
    """The units that say the same in another language, nearest first; none below the limit.

    A second one is taken where the claim is nearer to both together than to the first.
    """
    places = [(i, j) for i, s in enumerate(sources) for j in range(len(s.units)) if s.units[j].kind != "heading"]
    places = places[:_MOST_COMPARED]
    cosines = near.cosines(claim.text, tuple(sources[i].lines[j] for i, j in places))
    ranked = sorted(zip(cosines, places, strict=True), reverse=True)[:_MOST_PARTS]
    if not ranked:
        return []
    best, (i, j) = ranked[0]
    pairs = tuple(sources[i].lines[j] + " " + sources[a].lines[b] for _, (a, b) in ranked[1:])
    together = max(zip(near.cosines(claim.text, pairs), ranked[1:], strict=True), default=None) if pairs else None
    chosen = [(i, j)]
    if together and together[0] > best:
        best, chosen = together[0], [(i, j), together[1][1]]
    limit = near.limit - (_WITH_FACTS if claim.hard else _ABROAD)
    return [Part(a, b, b + 1) for a, b in chosen] if best >= limit else []


def _weight(held: set[str]) -> int:
    return sum(2 if h[0] == "\0" else 1 for h in held)  # a fact is rarer than a word


def by_words(claim: Stated, sources: Sequence[Source]) -> list[Part]:
    """The fewest units that hold what can be found of the claim, best first; `start`, `end` count units here."""
    held = {(i, j): found for i, s in enumerate(sources) for j, found in enumerate(_scores(claim, s)) if found}
    chosen: list[Part] = []
    have: set[str] = set()

    error = 0 if calls_error(claim.text) else _ERROR

    def worth(place: tuple[int, int]) -> tuple[int, int, int, int]:
        # Among equals the one that says least besides, then the earlier.
        source, at = sources[place[0]], place[1]
        weight = _weight(held[place] - have) - error * source.errors[at]
        return weight, -len(source.line_terms[at]), -place[0], -at

    while held and len(chosen) < _MOST_PARTS:
        place = max(held, key=worth)
        if _weight(held[place] - have) < (2 if chosen else 1):
            break
        chosen.append(Part(place[0], place[1], place[1] + 1))
        have |= held.pop(place)
    return chosen


def merged(parts: Sequence[Part], sources: Sequence[Source]) -> tuple[Part, ...]:
    joined: list[Part] = []
    for part in sorted(parts, key=lambda p: (p.source, p.start)):
        source, last = sources[part.source], joined[-1] if joined else None
        header = source.units[part.start - 1].kind == "heading" and source.cells[part.start]  # is told on its own
        if last and last.source == part.source and last.end == part.start and not header:
            joined[-1] = Part(part.source, joined[-1].start, part.end)
        else:
            joined.append(part)
    return tuple(
        Part(p.source, sources[p.source].units[p.start].start, sources[p.source].units[p.end - 1].end) for p in joined
    )
