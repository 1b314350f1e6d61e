"""Passages that disagree: different values for what was asked, each with its words, the newest document first.

Two statements are compared only when both hold the question's words, speak of the same thing and have the same scope
(`scope`) and a value of the same kind (`values`; `stance` for yes and no, names and statuses). Rather
silent than wrong: an alarm without a disagreement costs more trust than a disagreement that is only shown twice.
Pure rules: must not know files, models or how it is shown.
Try: python -m pytest tests/test_conflict.py
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from chunking.units import Unit
from language.words import words
from proof.conflict import foreign, stance
from proof.conflict.sameness import Question, alike, beside_agree, is_apart, is_asked, is_same_line, same_subject
from proof.conflict.scope import is_example, is_history, is_set_aside
from proof.conflict.statements import DatedText, Place, Stated, stated_in
from proof.conflict.subject import terms
from proof.conflict.twins import Line, compare
from proof.conflict.twins import alike as are_near
from proof.conflict.value import Value, agree, same
from proof.verdict import Conflict, Side

_MEASURED = ("time", "money", "%", "count", "named", "date", "clock", "weekday", "year", "often", "monthday")
_KINDS: dict[str | None, tuple[str, ...]] = {
    "number": ("%", "count", "named", "money", "time", "often", "phone"),
    "duration": ("time", "date"),
    "money": ("money", "%"),
    "date": ("date", "time", "clock", "weekday", "year", "monthday", "often"),
    "clock": ("clock", "phone"),
    "weekday": ("weekday", "date", "monthday"),
    "person": ("name", "email", "phone"),
    "place": ("email", "url", "phone", "named"),
    "steps": ("email", "phone"),
    "yes_no": ("stance", "status", "money free"),
    "thing": (*_MEASURED, "email", "url", "phone", "stance duty", "status", "name"),
    None: (*_MEASURED, "email", "url", "phone", "stance duty", "status", "name"),
}
"""Kinds of values that answer a wanted kind (language.wanted)."""
_NAMING = ("person", "place", "thing", "steps", None)  # a name may be the answer
_EXACT = ("person", "place")  # another kind of value is no answer at all
_SHARE = 0.5  # of the question's words that a decision's title must hold
_BY_NAME = 0.6  # how surely two statements are about one thing that only share a name of the question


def conflicts(
    question: str, lang: str, passages: Sequence[DatedText], meaning: foreign.Meaning | None = None
) -> list[Conflict]:
    """Where the passages (numbered from 1) state different values for what `question`, in language `lang`, asks.

    Sides are newest first, undated last, one for each value. `meaning` lets texts in another language than
    the question be compared; without it they are compared only where both hold a name of the question. Raises what
    `meaning` raises.
    """
    if len(passages) < 2:
        return []
    asked = Question(question, lang)
    kinds = _KINDS[asked.wanted]
    places = [Place(n, passage, asked.terms, lang) for n, passage in enumerate(passages, 1)]
    found = [s for place in places for s in _stated(asked, place, kinds)]
    pairs = [*_twins(asked, places, kinds)]
    twins = [{id(one.unit), id(other.unit)} for one, other in pairs]
    pairs += [(one, other) for one, other in _disagreeing(asked, found) if {id(one.unit), id(other.unit)} not in twins]
    if meaning and any(place.is_foreign for place in places):
        pairs += foreign.disagreeing(asked, places, kinds, meaning)
    if "status" in kinds:
        pairs += _statuses(asked, places)
    return [_conflict(group) for group in _groups(pairs)]


def _stated(question: Question, place: Place, kinds: tuple[str, ...]) -> Iterator[Stated]:
    """The statements of a passage that may answer the question."""
    for unit, line in zip(place.units, place.lines, strict=True):
        if not _speaks(unit):
            continue
        if place.is_foreign:
            if not question.names & _parts(unit.text):
                continue
        elif not question.terms & (terms(unit.text, place.lang) | place.above_terms):
            continue
        yield from (
            s
            for s in stated_in(place, unit, line)
            if s.value.kind.startswith(kinds) and not _is_set_aside(place, s.text)
        )


def _speaks(unit: Unit) -> bool:
    return not unit.is_question and unit.kind != "code"


def _is_set_aside(place: Place, text: str) -> bool:
    """Whether a statement, or all that stands under its heading, is an example, a plan, or what held before."""
    return is_set_aside(text) or is_set_aside("".join(place.headings[:1]))


def _twins(question: Question, places: Sequence[Place], kinds: tuple[str, ...]) -> Iterator[tuple[Stated, Stated]]:
    """Sentences of two documents that are alike but for one value, duty, denial or name."""
    is_named = question.wanted in _NAMING
    asked = [
        [(unit, line) for unit, line in zip(place.units, place.bare, strict=True) if _is_asked(question, place, unit)]
        for place in places
    ]
    for (one, mine), (other, theirs) in combinations(zip(places, asked, strict=True), 2):
        if one.source == other.source or one.lang != other.lang:
            continue
        for (unit, line), (unit2, line2) in product(mine, theirs):
            if not are_near(line, line2, is_named) or line.plain in other.said or line2.plain in one.said:
                continue  # what the other passage says, too, is told apart there
            if is_same_line(question, one, line, other, line2):
                yield from _differences(question, kinds, (one, unit, line), (other, unit2, line2))


def _is_asked(question: Question, place: Place, unit: Unit) -> bool:
    return _speaks(unit) and is_asked(question, place, unit)


_Told = tuple[Place, Unit, Line]


def _differences(
    question: Question, kinds: tuple[str, ...], mine: _Told, theirs: _Told
) -> Iterator[tuple[Stated, Stated]]:
    (one, unit, line), (other, unit2, line2) = mine, theirs
    named = "person" if question.wanted == "person" else "name" if question.wanted in _NAMING else ""
    found = compare(line, line2, named)
    if not found or any(is_example(text) for text in (unit.text, unit2.text, *one.headings[:1], *other.headings[:1])):
        return
    texts = (_without(unit, line, [a for a, _ in found]), _without(unit2, line2, [b for _, b in found]))
    for a, b in found:
        pair = Stated(one, unit, texts[0], a, ()), Stated(other, unit2, texts[1], b, ())
        is_topic = a.kind == "name twin" and any(_is_headed(s, v) for s, v in zip(pair, (a, b), strict=True))
        if _tells_of_before(one, line, b) or _tells_of_before(other, line2, a):
            continue
        if not is_topic and _answers(question, kinds, a, line) and not is_apart(question, *pair):
            yield pair


def _tells_of_before(place: Place, own: Line, value: Value) -> bool:
    """Whether another line of a passage gives a value as what held before: then it says which of the two holds."""
    lines = (line for line in place.lines if line is not own and is_history(line.text))
    return any(same(v, value) for line in lines for v in line.values)


def _is_headed(stated: Stated, name: Value) -> bool:
    """Whether a name stands in the headings, too: then the page is about it."""
    return bool(terms(name.text, stated.place.lang) & stated.place.above_terms)


def _without(unit: Unit, line: Line, found: Sequence[Value]) -> str:
    """A sentence without what it says differently, behind the words that introduce it: what it is limited to."""
    text = [*line.text]
    for value in found:
        if value.kind != "stance duty":
            text[value.start : value.end] = " " * (value.end - value.start)
    return f"{unit.lead if unit.kind != 'row' else ''} {''.join(text)}"


def _answers(question: Question, kinds: tuple[str, ...], value: Value, line: Line) -> bool:
    """Whether what differs is of the kind asked for, or nothing else in the sentence is."""
    if value.kind.startswith(("stance", "name")) or value.kind.startswith(kinds):
        return True
    return question.wanted not in _EXACT and not any(v.kind.startswith(kinds) for v in line.values)


def _disagreeing(question: Question, found: Sequence[Stated]) -> Iterator[tuple[Stated, Stated]]:
    best: dict[tuple[int, int, str], tuple[float, Stated, Stated]] = {}
    for one, other in combinations(found, 2):
        if one.place is other.place or _same_place(one.place, other.place) or agree(one.value, other.value):
            continue
        score = _sameness(question, one, other)
        if score and (_known(one, other) or _known(other, one)):
            continue
        key = (one.place.n, other.place.n, one.value.kind)
        if score and score > best.get(key, (0.0,))[0]:
            best[key] = (score, one, other)
    yield from ((one, other) for _, one, other in best.values())


def _same_place(one: Place, other: Place) -> bool:
    return (one.source, one.path) == (other.source, other.path)


def _known(one: Stated, other: Stated) -> bool:
    """Whether the passage of `one` holds the value of `other`, too: then it speaks of both and tells them apart."""
    kind, said = other.value.kind, other.value.words
    if kind.startswith("name "):
        return any(said & value.words for value in stance.every(one.place.whole, one.place.lang))
    return not kind.startswith("stance") and any(same(v, other.value) for v in one.place.values)


def _sameness(question: Question, one: Stated, other: Stated) -> float:
    """How surely two statements speak of the same thing, 0 for not."""
    if one.place.lang != other.place.lang:  # both hold a name of the question
        share = _BY_NAME if question.names & _parts(one.text) & _parts(other.text) else 0.0
    else:
        share = same_subject(question, one, other)
    if not share or is_apart(question, one, other) or not beside_agree(one, other):
        return 0.0
    if one.place.source == other.place.source and not alike(one.subject, other.subject):
        return 0.0  # rules beside each other in one document are mostly rules of different things
    return share


def _parts(text: str) -> frozenset[str]:
    return frozenset(part for word in words(text) for part in word.split("-"))


def _statuses(question: Question, places: Sequence[Place]) -> Iterator[tuple[Stated, Stated]]:
    """A decision's record and an index of decisions that give it different statuses."""
    found = [
        (place, s)
        for place in places
        for s in stance.statuses(place.text, place.first_line, place.headings, place.units, place.lang)
    ]
    asked = question.terms
    for (one, a), (other, b) in combinations(found, 2):
        if one is other or a.word == b.word or not stance.same_record(a, b):
            continue
        if len(asked & (a.subject | b.subject)) < _SHARE * len(asked):
            continue
        yield tuple(  # type: ignore[misc]
            Stated(p, s.unit, s.unit.text, Value("status", 0, 0, s.word, words=frozenset({s.word})), ())
            for p, s in ((one, a), (other, b))
        )


def _groups(pairs: Sequence[tuple[Stated, Stated]]) -> list[list[Stated]]:
    """Statements that disagree, directly or through a third, of one kind."""
    groups: list[list[Stated]] = []
    for pair in pairs:
        joined = [g for g in groups if any(_is(s, t) for s in pair for t in g)]
        rest = [g for g in groups if g not in joined]
        merged = [s for g in joined for s in g]
        merged += [s for s in pair if not any(_is(s, t) for t in merged)]
        groups = [*rest, merged]
    return groups


def _is(one: Stated, other: Stated) -> bool:
    return one.unit is other.unit and one.value == other.value


def _conflict(group: Sequence[Stated]) -> Conflict:
    ordered = sorted(group, key=lambda s: s.place.n)
    ordered.sort(key=lambda s: s.place.dated, reverse=True)  # "" last
    kept: list[Stated] = []
    for stated in ordered:
        if not any(same(stated.value, other.value) for other in kept):
            kept.append(stated)
    return Conflict(sides=[_side(stated) for stated in kept])


def _side(stated: Stated) -> Side:
    unit = stated.unit
    return Side(
        n=stated.place.n, value=stated.value.text, quote=unit.quote, first_line=unit.first_line,
        last_line=unit.last_line, dated=stated.place.dated,
    )  # fmt: skip
