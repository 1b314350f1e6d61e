"""What holds when: stated facts and their evidence -> what to tell of them: intervals, status, conflicts.

Pure, and a function of the atoms it is given alone, so that what somebody may not read changes nothing for them. Only
two things ever end a fact: a document that states the end, and in a relation with one place (one owner of a service) a
newer value that STATES its beginning and is trusted no less. All else that cannot hold together is `disputed`. What a
model read in prose is one more piece of evidence for what others say, or a fact of its own; it moves no date and no
status of theirs but to `disputed`. Knows no names and no index: subject and object are whatever tells clusters apart.
Try: python -c "from facts.timeline import first_day; print(first_day('2026-03'))"
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from facts import MODEL, Status
from facts.places import fold, place, plain, typed, value_key
from facts.relations import Relations

ATTRIBUTE_FRESH_DAYS = 365
"""An attribute that nothing confirmed for longer is stale."""
_EVER = "~"  # sorts behind every date
_MOST_AGAINST = 20  # quotes of more would be read by nobody; a table of 10,000 rows on one thing would take minutes


class Atom(NamedTuple):
    """One piece of readable evidence for one stated fact."""

    fact: int
    subject: Hashable
    predicate: str
    object: Hashable | None
    value: str
    qualifier: str
    valid_from: str
    valid_to: str
    observed_at: str  # the date that the document states for itself, "" for none; never when it was indexed
    rank: int
    status: Status
    evidence: int
    object_type: str = ""
    subject_type: str = ""
    where: Hashable = None  # document and line: what is said there together ("owner: Ann, Bo") is no conflict


@dataclass(slots=True, unsafe_hash=True)  # frozen takes 2 us more for each, a tenth of all that is done for a fact
class Held:
    """What is stated to hold, from the first day `valid_from` to the day `valid_to`, which is no longer in it."""

    subject: Hashable
    predicate: str
    object: Hashable | None
    value: str
    qualifier: str
    valid_from: str  # "": nobody states it
    valid_to: str  # as stated, or the beginning of what came after it; "": open
    observed_at: str  # the newest date of a document that says it, or of the decision of a person for it
    status: Status
    rank: int  # the highest of its evidence
    evidence: tuple[int, ...]  # what is trusted most first, then what is newest
    facts: tuple[int, ...] = ()
    subject_type: str = ""
    object_type: str = ""
    against: "tuple[Held, ...]" = field(default=(), compare=False, repr=False)
    """What cannot hold at the same time, each without its own `against`; at most 20."""


Decided = Mapping[tuple[int, int], str]
"""By (fact kept, fact closed) the ISO day on which a person decided so. Both must be among the atoms to count."""


Apart = Callable[[Atom, Atom], bool]
"""Whether two values of one place are about two things for reasons that stand in no atom."""


def consolidate(
    atoms: Sequence[Atom],
    relations: Relations,
    today: str,
    as_of: str = "",
    decided: Decided | None = None,
    apart: Apart | None = None,
) -> list[Held]:
    """What the atoms say, in the order of their evidence; every atom's evidence stands in exactly one Held.

    `as_of` (a day, month or year) leaves what holds on some day of it. A fact whose beginning nobody states holds at
    any time before its end, but before the day it was observed only where the same fact, or another value in its one
    place, is not stated to hold then; nor where the same, narrowed otherwise ("code"), is stated to begin later only.
    """
    stated = {atom.fact for atom in atoms} if decided else set()
    rulings = {pair: day for pair, day in (decided or {}).items() if stated.issuperset(pair)}
    places: dict[Hashable, dict[Hashable, list[Atom]]] = defaultdict(lambda: defaultdict(list))
    for atom in typed(atoms, relations):
        ends = (atom.subject, atom.subject_type, atom.object, atom.object_type, value_key(atom))
        key = (atom.predicate, ends, fold(atom.qualifier))
        places[place(atom, relations) or key][key].append(atom)
    held: list[Held] = []
    begins = _begins(atoms) if as_of else {}
    for by_key in places.values():
        alone = None if rulings else _alone(by_key)
        if alone:  # most facts, at .43 of the time
            if not as_of or _on([alone], as_of, today, begins):
                held.append(_held(alone, False, relations, today))
            continue
        spans = _spans(by_key)
        for (kept, closed), day in sorted(rulings.items()) if rulings else ():
            _decide(spans, kept, closed, day)
        if as_of:
            spans = _on(spans, as_of, today, begins)
        clashes = _clashes(spans, today, apart)
        bare = [_held(span, bool(clashes[n]), relations, today) for n, span in enumerate(spans)]
        held += [
            replace(one, against=_ordered(bare[m] for m in others)) if others else one
            for one, others in zip(bare, clashes, strict=True)
        ]
    return list(_ordered(held))


def _on(spans: "list[_Span]", as_of: str, today: str, begins: Mapping[Hashable, str]) -> "list[_Span]":
    """Those that hold then; without a stated beginning only where the same is not stated to begin later."""
    last = last_day(as_of)
    spans = _holding(spans, first_day(as_of), last, today)
    return [span for span in spans if span.start or begins.get(_told(span.atoms[0]), "") <= last]


def _told(atom: Atom) -> Hashable:
    """What is said, however it is narrowed."""
    return atom.predicate, atom.subject, atom.object, plain(atom.value)


def _begins(atoms: Iterable[Atom]) -> dict[Hashable, str]:
    """The first stated beginning of each of these, but for what a model read."""
    found: dict[Hashable, str] = {}
    for atom in atoms:
        if atom.valid_from and atom.rank > MODEL:
            start = first_day(atom.valid_from)
            found[_told(atom)] = min(start, found.get(_told(atom), start))
    return found


def current(held: Iterable[Held], today: str) -> list[Held]:
    """Those that hold on this day, or may."""
    return [one for one in held if first_day(one.valid_from) <= today < (first_day(one.valid_to) or _EVER)]


def _ordered(held: Iterable[Held]) -> tuple[Held, ...]:
    return tuple(sorted(held, key=lambda one: (one.evidence, one.valid_from)))


def first_day(when: str) -> str:
    """The first day of an ISO day, month or year; "" for ""."""
    return when + "-01" * (2 - when.count("-")) if when else ""


def last_day(when: str) -> str:
    """The last day of an ISO day, month or year, to be compared as text; "" for ""."""
    return when and when + ("", "-31", "-12-31")[max(0, 2 - when.count("-"))]  # compared as text: no calendar is needed


@dataclass(slots=True, eq=False)
class _Span:
    """One interval of one fact while it is worked out."""

    key: Hashable
    start: str  # "": nobody states it
    end: str  # _EVER: open
    atoms: list[Atom]
    begin_rank: int = 0  # of who states the start
    end_rank: int = 0  # of who states the end, or the beginning of what came after
    closed: bool = False  # by what came after it: nobody states the end
    verified: str = ""  # the day on which a person decided for it
    rejected: bool = False  # a person decided against it: it contradicts nothing any more
    read: list[Atom] = field(default_factory=list)  # by a model, which says the same

    @property
    def rank(self) -> int:
        return max([atom.rank for atom in self.atoms])

    @property
    def observed(self) -> str:
        return max([atom.observed_at for atom in self.atoms])

    def order(self) -> tuple[str, str, int]:
        """Sorts by time, and then so that the order of the atoms does not matter."""
        return self.start, self.end, min(atom.evidence for atom in self.atoms)

    def sure(self, otherwise: str) -> str:
        """From when it is known to hold: as stated, else since it was first seen, in any case before its end."""
        if self.start:
            return self.start
        seen = min((atom.observed_at for atom in self.atoms if atom.observed_at), default=otherwise)
        return seen if seen < self.end or self.closed else self.end[:-1] + chr(ord(self.end[-1]) - 1) + _EVER


def _spans(by_key: Mapping[Hashable, list[Atom]]) -> list[_Span]:
    """The intervals of everything that is said of one place: as if no model had read anything, then what one did."""
    said = {key: [atom for atom in atoms if atom.rank > MODEL] for key, atoms in by_key.items()}
    spans = _told_spans(said, ())
    own: dict[Hashable, list[_Span]] = defaultdict(list)
    for span in spans:
        own[span.key].append(span)
    left: dict[Hashable, list[Atom]] = defaultdict(list)
    for key, atoms in by_key.items():
        for atom in atoms:
            if atom.rank == MODEL:
                fitting = next((span for span in reversed(own[key]) if _says_the_same(atom, span)), None)
                (fitting.read if fitting else left[key]).append(atom)
    return spans + _told_spans(left, spans)


def _says_the_same(atom: Atom, span: _Span) -> bool:
    """Whether what a model read of one fact may be about this interval of it."""
    if atom.valid_from:
        return first_day(atom.valid_from) < span.end and (first_day(atom.valid_to) or _EVER) > span.start
    return not atom.observed_at or atom.observed_at < span.end


def _told_spans(by_key: Mapping[Hashable, list[Atom]], others: Iterable[_Span]) -> list[_Span]:
    """The intervals of what is said: stated ones first, then what has no dates joins them. `others` may end them."""
    own: dict[Hashable, list[_Span]] = {}
    undated: dict[Hashable, list[Atom]] = {}
    for key, atoms in by_key.items():
        apart: dict[tuple[str, str], list[Atom]] = defaultdict(list)
        for atom in atoms:
            apart[first_day(atom.valid_from), first_day(atom.valid_to) or _EVER].append(atom)
        undated[key] = apart.pop(("", _EVER), [])
        ranks = {when: max(atom.rank for atom in told) for when, told in apart.items()}
        own[key] = [_Span(key, *when, told, ranks[when], ranks[when]) for when, told in apart.items()]
    begins = _Begins([*others, *(span for spans in own.values() for span in spans)])
    for key, spans in own.items():
        for span in spans:
            begins.close(span)
        own[key] = _merged(spans)
    for key, atoms in undated.items():
        atoms.sort(key=lambda atom: (-atom.rank, atom.observed_at))
        starts = [span.start for span in own[key]]
        left = [atom for atom in atoms if not _joins(atom, own[key], starts)]
        if left:
            rest = _Span(key, "", _EVER, left)
            begins.close(rest)
            own[key].append(rest)
    return [span for spans in own.values() for span in spans]


def _alone(by_key: Mapping[Hashable, list[Atom]]) -> _Span | None:
    """The one interval of the only thing that is said of a place: once, or without dates. None for anything else."""
    if len(by_key) > 1:
        return None
    ((key, atoms),) = by_key.items()
    one = atoms[0]
    if len(atoms) > 1 and any(atom.valid_from or atom.valid_to or atom.rank == MODEL for atom in atoms):
        return None
    return _Span(key, first_day(one.valid_from), first_day(one.valid_to) or _EVER, atoms, one.rank, one.rank)


class _Begins:
    """The stated beginnings in one place, to find what closes a span."""

    def __init__(self, dated: Iterable[_Span]) -> None:
        told = {(span.start, span.begin_rank, span.key) for span in dated if span.start}
        self._told = sorted(told, key=lambda one: one[:2])
        self._starts = [start for start, _, _ in self._told]
        # Behind each the next of another fact, so that a long table about one fact is passed in a step.
        self._other = [len(self._told)] * len(self._told)
        for n in range(len(self._told) - 2, -1, -1):
            same = self._told[n][2] == self._told[n + 1][2]
            self._other[n] = self._other[n + 1] if same else n + 1

    def close(self, span: _Span) -> None:
        """Ends an open span where a newer one of another fact begins, trusted no less.

        Of one without a stated beginning only what begins after it was last seen is newer.
        """
        if span.end != _EVER:
            return
        n = bisect_right(self._starts, span.start) if span.start else bisect_left(self._starts, span.observed)
        while n < len(self._told):
            start, rank, key = self._told[n]
            if key == span.key:
                n = self._other[n]
            elif rank >= span.rank:
                span.end, span.end_rank, span.closed = start, rank, True
                return
            else:
                n += 1


def _merged(spans: Iterable[_Span]) -> list[_Span]:
    """Intervals of one fact, in their order, those that touch or overlap as one.

    A beginning and an end are those of who is trusted most. Of one that is open and one that is stated to end the end
    counts, unless the open one is trusted more: then both stay, and contradict each other.
    """
    found: list[_Span] = []
    contrary: list[_Span] = []
    for span in sorted(spans, key=_Span.order):
        last = found[-1] if found else None
        if last is None or span.start > last.end:
            found.append(span)
        elif span.start < last.end and _contrary(last, span):
            contrary.append(span)
        else:
            _take(last, span)
    return sorted(found + (_merged(contrary) if contrary else []), key=_Span.order)


def _contrary(one: _Span, other: _Span) -> bool:
    """Whether one of them is open and trusted more than what states the other's end."""
    opened, ended = (one, other) if one.end == _EVER else (other, one)
    return opened.end == _EVER != ended.end and not ended.closed and opened.rank > ended.end_rank


def _take(last: _Span, span: _Span) -> None:
    """Adds to a span one that touches it or overlaps it."""
    last.atoms = last.atoms + span.atoms
    overlaps = span.start < last.end
    if not last.start or (overlaps and span.begin_rank > last.begin_rank):
        last.start, last.begin_rank = span.start, span.begin_rank
    if not overlaps:
        newer = True
    elif last.closed or span.closed:
        newer = (last.closed and span.closed and span.end > last.end) or (last.closed and span.end == _EVER)
        newer = newer or (last.closed and not span.closed and span.end_rank >= last.begin_rank)
    elif _EVER in (last.end, span.end):
        newer = last.end == _EVER
    else:
        newer = span.end_rank > last.end_rank or (span.end_rank == last.end_rank and span.end > last.end)
    if newer:
        last.end, last.end_rank, last.closed = span.end, span.end_rank, span.closed


def _joins(atom: Atom, spans: Sequence[_Span], starts: Sequence[str]) -> bool:
    """Whether evidence without dates was added to the interval in which it was seen, or before which.

    What is trusted more than what ended the interval opens it again, or stays apart from an end that is stated.
    """
    if not spans:
        return False
    at = bisect_right(starts, atom.observed_at) - 1 if atom.observed_at else len(spans) - 1
    span = spans[max(at, 0)]
    if at >= 0 and atom.observed_at >= span.end:
        return False
    if span.end != _EVER and atom.rank > span.end_rank:
        if not span.closed:
            return False
        span.end, span.closed = _EVER, False
    span.atoms = [*span.atoms, atom]
    return True


def _decide(spans: Sequence[_Span], kept: int, closed: int, day: str) -> None:
    """Ends the fact that a person decided against: where the other begins, else on the day of the decision."""
    right = next((span for span in spans if any(atom.fact == kept for atom in span.atoms + span.read)), None)
    wrong = next((span for span in spans if any(atom.fact == closed for atom in span.atoms + span.read)), None)
    if right is None or wrong is None or right is wrong:
        return
    right.verified = max(right.verified, day)
    wrong.rejected = True
    end = right.start if right.start > wrong.start else max(day, wrong.start)
    if end < wrong.end:
        wrong.end, wrong.closed = end, True


def _holding(spans: Sequence[_Span], first: str, last: str, today: str) -> list[_Span]:
    """Those that hold on a day from `first` to `last`."""
    there = [span for span in spans if span.start <= last and span.end > first]
    trusted = max((span.rank > MODEL for span in there if span.start), default=None)
    return [
        span for span in there
        if span.start or trusted is None or (span.rank > MODEL) > trusted or span.sure(today) <= last
    ]  # fmt: skip


def _clashes(spans: Sequence[_Span], today: str, apart: Apart | None) -> list[set[int]]:
    """For each of the spans of one place, which others it disagrees with, by their numbers."""
    found: list[set[int]] = [set() for _ in spans]
    told = sorted(
        (span.sure(""), span.end, min(atom.evidence for atom in span.atoms), n) for n, span in enumerate(spans)
    )
    open_: list[tuple[str, int]] = []  # a heap by end
    for start, end, _, n in told:
        while open_ and open_[0][0] <= start:
            heappop(open_)
        for _, m in open_:
            if len(found[n]) == _MOST_AGAINST:
                break
            if _clash(spans[n], spans[m], today, apart):
                found[n].add(m)
                if len(found[m]) < _MOST_AGAINST:
                    found[m].add(n)
        heappush(open_, (end, n))
    return found


def _clash(one: _Span, other: _Span, today: str, apart: Apart | None) -> bool:
    """Whether two that meet are in conflict: two values of one place, or one that ends and is said to go on."""
    if one.rejected or other.rejected:
        return False
    if one.key == other.key:
        return _contrary(one, other)
    if not {atom.where for atom in one.atoms}.isdisjoint({atom.where for atom in other.atoms} - {None}):
        return False
    if apart and all(apart(a, b) for a in one.atoms for b in other.atoms):
        return False
    return max(one.sure(today), other.sure(today)) < min(one.end, other.end)


def _held(span: _Span, disputed: bool, relations: Relations, today: str) -> Held:
    atoms = _by_trust(span.atoms)
    said = [*atoms, *_by_trust(span.read)] if span.read else atoms
    best, observed = atoms[0], max(span.observed, span.verified)
    relation = relations.relations.get(best.predicate)
    fresh = relation.fresh_days if relation else ATTRIBUTE_FRESH_DAYS
    told = {atom.status for atom in atoms}
    status: Status = "verified" if span.verified or "verified" in told else "observed"
    if told == {"inferred"} and not span.verified:
        status = "inferred"
    if span.end > today and _older(observed, today, fresh):
        status = "stale"
    return Held(
        best.subject,
        best.predicate,
        best.object,
        best.value,
        best.qualifier,
        span.start,
        "" if span.end == _EVER else span.end,
        observed,
        "disputed" if disputed else status,
        best.rank,
        (best.evidence,) if len(said) == 1 else tuple(dict.fromkeys(atom.evidence for atom in said)),
        (best.fact,) if len(said) == 1 else tuple(dict.fromkeys(atom.fact for atom in said)),
        best.subject_type,
        best.object_type,
    )


def _by_trust(atoms: list[Atom]) -> list[Atom]:
    if len(atoms) < 2:
        return atoms
    atoms = sorted(atoms, key=lambda atom: atom.evidence)
    atoms.sort(key=lambda atom: (atom.rank, atom.observed_at), reverse=True)
    return atoms


@lru_cache(maxsize=4096)
def _older(observed: str, today: str, days: int) -> bool:
    try:
        return 0 < days < (date.fromisoformat(today) - date.fromisoformat(first_day(observed))).days
    except ValueError:  # unknown, or no date
        return False
