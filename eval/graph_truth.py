"""What the demo's pages state, from data/graph.json, and what an extraction is worth beside it.

The truth was written by hand from the pages; no extractor reads it. A fact that it calls optional may be read or not.
Where its pages are complete, whatever else is said of a known thing counts as wrong; elsewhere only a wrong relation
does. Knows no index. Try: python -m eval.graph --only extraction
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from config import PROJECT
from errors import UsageError
from facts import Extraction, Named, Statement
from facts.days import ended
from facts.normal import id_key, key
from facts.relations import BUILT_IN
from sources.dates import stated_date

SHIPPED = PROJECT / "data" / "graph.json"
"""The truth about docs/."""
ATTRIBUTES = "(attributes)"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a page states; `object` is a thing's id, or `value` a text."""

    subject: str
    predicate: str
    source: str
    phrase: str  # of the words that state it
    object: str = ""
    value: str = ""
    qualifier: str = ""
    valid_from: str | None = None  # None: the page leaves it open whether its date is meant
    valid_to: str | None = None
    optional: bool = False
    either: tuple[str, ...] = ()  # things that may stand for the object

    @property
    def kind(self) -> str:
        """Under what it is counted."""
        return self.predicate if self.predicate in BUILT_IN.relations or self.predicate == "uses" else ATTRIBUTES


class Truth:
    """The things and facts, and which thing a name means."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.types: dict[str, str] = {one["id"]: one["type"] for one in raw["entities"]}
        self.names: dict[str, str] = {one["id"]: one["name"] for one in raw["entities"]}
        self.facts = [_fact(row) for row in raw["facts"]]
        self.complete: frozenset[str] = frozenset(raw["complete"])
        self._by_key: dict[str, set[str]] = {}
        for one in raw["entities"]:
            for name in (one["name"], *one["aliases"], *one["ids"]):
                for made in {key(name), id_key(name)} - {""}:
                    self._by_key.setdefault(made, set()).add(one["id"])

    def bearing(self, named: Named) -> frozenset[str]:
        """The things that a name may mean. One with the names of two things of a type means neither."""
        made = {key(name) for name in named.names} | {id_key(one) for one in named.ids}
        found = {one for name in made for one in self._by_key.get(name, ())}
        if not named.type:
            return frozenset(found)
        fitting = [one for one in found if self.types[one] == named.type]
        return frozenset(fitting if len(fitting) == 1 else ())

    def meant(self, text: str) -> frozenset[str]:
        """The same for a word of an answer, which is no more than a word."""
        return self.bearing(Named("", (text,), (text,)))

    def same(self, one: str, other: str) -> bool:
        """Whether two words of answers mean one thing, one day or one value."""
        return bool(self.meant(one) & self.meant(other)) or same_value(one, other)


def read(path: Path = SHIPPED) -> Truth:
    """The truth in a file. Raises UsageError."""
    try:
        return Truth(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no truth about facts: {error!r}.") from error


def _fact(row: Mapping[str, Any]) -> Fact:
    plain = {name: row[name] for name in Fact.__dataclass_fields__ if name in row}
    return Fact(**plain, either=tuple(row.get("or", ())))


def same_value(one: str, other: str) -> bool:
    """Whether two values are one: letters and digits alike, or the same day in two forms."""
    if key(one) == key(other):
        return True
    days = {stated_date({"date": text}) for text in (one, other)}
    return len(days) == 1 and "" not in days


@dataclass(slots=True)
class Sum:
    """Counts of one kind of fact."""

    stated: int = 0  # in the truth, the optional ones left out
    found: int = 0  # of these
    right: int = 0  # statements that the truth has
    wrong: int = 0

    @property
    def precision(self) -> float:
        """Share of what is said that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of what is stated that is found."""
        return self.found / self.stated if self.stated else 1.0


@dataclass(slots=True)
class Reading:
    """What an extraction is worth."""

    sums: dict[str, Sum] = field(default_factory=dict)
    missed: list[Fact] = field(default_factory=list)
    wrong: list[tuple[str, Statement]] = field(default_factory=list)
    beside: Counter[str] = field(default_factory=Counter)  # by page: of what the truth does not speak
    idle: int = 0  # words of talk that could be names, but are those of nothing: they join nothing
    dates: list[bool] = field(default_factory=list)  # of each right statement whose dates the truth knows
    misdated: list[tuple[Fact, Statement]] = field(default_factory=list)
    quotes: list[bool] = field(default_factory=list)  # whether the words of each right statement are the right ones

    @property
    def whole(self) -> Sum:
        """All kinds together."""
        each = self.sums.values()
        return Sum(*(sum(getattr(one, name) for one in each) for name in ("stated", "found", "right", "wrong")))


def judge(truth: Truth, extractions: Mapping[str, Extraction], lines: Mapping[str, Sequence[str]]) -> Reading:
    """Compares what is read of each page (by path; `lines` are those of its text) with what it states."""
    reading, found = Reading(), set[int]()
    by_source: dict[str, list[tuple[int, Fact]]] = {}
    for number, fact in enumerate(truth.facts):
        by_source.setdefault(fact.source, []).append((number, fact))
        if not fact.optional:
            reading.sums.setdefault(fact.kind, Sum()).stated += 1
    for path, extraction in extractions.items():
        for one in extraction.statements:
            _judge(truth, reading, found, by_source.get(path, ()), path, one)
        for mention in extraction.mentions:
            words = "\n".join(lines[path][mention.first_line - 1 : mention.last_line])
            for number, fact in by_source.get(path, ()):
                ours = truth.types[fact.subject] != "Message" or _stands(fact.phrase, words)
                if fact.predicate == "mentions" and ours and fact.object in truth.bearing(mention.named):
                    found.add(number)
    for number, fact in enumerate(truth.facts):
        if number in found and not fact.optional:
            reading.sums[fact.kind].found += 1
        elif not fact.optional:
            reading.missed.append(fact)
    return reading


def _judge(
    truth: Truth, reading: Reading, found: set[int], facts: Iterable[tuple[int, Fact]], path: str, one: Statement
) -> None:
    fits = [(number, fact) for number, fact in facts if _says(truth, one, fact)]
    if fits:
        sums = reading.sums.setdefault(fits[0][1].kind, Sum())
        sums.right += 1
        found |= {number for number, _ in fits}
        fact = max(
            (fact for _, fact in fits), key=lambda fact: (_dated(fact, one) is True, _stands(fact.phrase, one.quote))
        )
        reading.quotes.append(any(_stands(fact.phrase, one.quote) for _, fact in fits))
        dated = _dated(fact, one)
        if dated is not None:
            reading.dates.append(dated)
            if not dated:
                reading.misdated.append((fact, one))
        return
    subjects = truth.bearing(one.subject)
    said = one.object
    if one.predicate in ("mentions", "uses") and isinstance(said, Named) and not (said.type or truth.bearing(said)):
        reading.idle += 1
        return
    is_relation = one.predicate in BUILT_IN.relations or one.predicate == "uses"
    if one.predicate == "mentions" and "Message" not in {truth.types[subject] for subject in subjects}:
        reading.beside[path] += 1  # the truth lists what messages mention, and of notes only who was there
    elif is_relation or (path in truth.complete and subjects):
        kind = one.predicate if is_relation else ATTRIBUTES
        reading.sums.setdefault(kind, Sum()).wrong += 1
        reading.wrong.append((path, one))
    else:
        reading.beside[path] += 1


def _says(truth: Truth, one: Statement, fact: Fact) -> bool:
    if key(one.predicate) != key(fact.predicate) or fact.subject not in truth.bearing(one.subject):
        return False
    if fact.qualifier and key(one.qualifier) != key(fact.qualifier):
        return False
    if fact.object:
        said = truth.meant(one.object) if isinstance(one.object, str) else truth.bearing(one.object)
        return not said.isdisjoint({fact.object, *fact.either})
    return same_value(one.object if isinstance(one.object, str) else one.object.shown, fact.value)


def _dated(fact: Fact, one: Statement) -> bool | None:
    """Whether the dates are those of the page; None where the truth leaves them open.

    The last day of a span may be told as such or as the day on which it holds no more.
    """
    told = [(fact.valid_from, {fact.valid_from}, one.valid_from), (fact.valid_to, {fact.valid_to}, ended(one.valid_to))]
    if fact.valid_to:
        told[1][1].add((date.fromisoformat(fact.valid_to) + timedelta(days=1)).isoformat())
    known = [said in days for stated, days, said in told if stated is not None]
    return all(known) if known else None


def _stands(phrase: str, words: str) -> bool:
    """Whether a phrase stands in words; code may be marked in one of them alone."""
    return phrase.replace("`", "") in words.replace("`", "")
