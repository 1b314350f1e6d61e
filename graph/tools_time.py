"""Typed questions about time and disagreement: what changed, which decisions talk goes against, where documents differ.

A change is a stated one: a fact whose first or last day a document states. Knows no words of a question.
Try: python -m graph contradicted --since 2026-01
"""

from collections.abc import Iterable

from pydantic import Field

from facts.relations import SINGLE_ATTRIBUTES
from facts.timeline import first_day
from graph import decisions
from graph.decisions import Decision
from graph.result import Row
from graph.tool import Arguments, Day, Found, Thing, Word, tool, unnamed
from graph.view import Entity, Fact, View
from graph.walk import TALK

_TALKERS = frozenset({"Message", "Document", ""})
_NO_CHANGE = frozenset({*TALK, "written_by"})
_MOST_WORDS = 160  # characters of a message in a cell


class _Contradicted(Arguments):
    since: Day = Field("", description="first day, month or year of the talk")
    until: Day = Field("", description="last one")
    decision: Word = Field("", description="a decision by key; empty: any")


@tool(_Contradicted, "Which decisions that are in force does talk of a period go against, in whose words?")
def contradicted(view: View, asked: _Contradicted) -> Found:
    """A row for each message: it says to act against a decision, or speaks of using what the decision has retired."""
    columns = "decision", "message", "author", "day"
    known = decisions.read(view, view.of_type("Decision"))
    active = {made: one for made, one in known.items() if one.is_in_force and asked.decision in ("", made)}
    if not active:
        return Found(columns, why="No document that you may read holds a decision that is in force.")
    against: dict[tuple[str, str], tuple[Decision, tuple[Fact, ...]]] = {}
    for fact in view.about([one.thing for one in active.values()], ["contradicts"]):
        if fact.object and fact.subject.type in _TALKERS:
            against[fact.object.key, fact.subject.key] = active[fact.object.key], (fact,)
    retired = [fact for one in active.values() for fact in one.by("deprecates") if fact.object]
    using: dict[str, list[Fact]] = {}
    for fact in view.about({fact.object.key: fact.object for fact in retired if fact.object}.values(), ["uses"]):
        if fact.object and fact.subject.type in _TALKERS:
            using.setdefault(fact.object.key, []).append(fact)
    for gone in retired:
        one = active[gone.subject.key]
        for fact in using.get(gone.object.key, []) if gone.object else []:
            if one.day and _when(fact) > one.day:
                against.setdefault((one.thing.key, fact.subject.key), (one, (fact, gone)))
    first, last = bounds(asked.since, asked.until)
    held = [(one, facts) for one, facts in against.values() if first <= _when(facts[0]) <= last]
    rows = _talk(view, held)
    return Found(columns, rows, "" if rows else "No talk of this time goes against a decision that is in force.")


def _talk(view: View, held: list[tuple[Decision, tuple[Fact, ...]]]) -> list[Row]:
    written: dict[str, list[Fact]] = {}
    for fact in view.of({facts[0].subject.key: facts[0].subject for _, facts in held}.values(), ["written_by"]):
        written.setdefault(fact.subject.key, []).append(fact)
    words = view.words([facts[0] for _, facts in held])
    rows = []
    for one, facts in held:
        by = written.get(facts[0].subject.key, [])
        quotes = [words[number].quote for number in facts[0].evidence if number in words]
        said = " ".join(quotes[0].split()) if quotes else facts[0].subject.name
        said = said if len(said) <= _MOST_WORDS else f"{said[: _MOST_WORDS - 2]} …"
        status = (one.status,) if one.status else ()
        cells = one.thing.name, said, ", ".join(fact.said for fact in by), _when(facts[0])
        rows.append(Row(cells, one.thing, (*facts, *by, *status)))
    return sorted(rows, key=lambda row: (row.cells[3], row.cells, row.facts[0].subject.key))


class _Changes(Arguments):
    thing: Thing = Field(description="a thing by key")
    since: Day = Field("", description="first day, month or year of the changes")
    until: Day = Field("", description="last one")


@tool(_Changes, "What changed about a thing in a period: from what to what, by which decision, and who approved that?")
def changes(view: View, asked: _Changes) -> Found:
    """A row for each day on which something of the thing, its owner or what it owns began or ended, oldest first."""
    columns = "day", "thing", "what", "before", "after", "decision", "approved by"
    found = view.things([asked.thing])
    if not found:
        return Found(columns, why=unnamed(asked.thing))
    first, last = bounds(asked.since, asked.until or view.as_of)
    view = view.at("")  # a change is seen from both sides of its day
    core = _core(view, found)
    facts = _around(view, found, core)
    touching = [fact for fact in facts if fact.subject.type == "Decision" and fact.subject.key not in found]
    others = {fact.subject.key: fact.subject for fact in touching}
    known = decisions.read(view, [*others.values(), *(one for one in found.values() if one.type == "Decision")])
    approved = {made: one.by("approved_by") for made, one in known.items()}
    rows = [
        _row(day, begun, ended, core, known)
        for (day, _), (begun, ended) in _events([fact for fact in facts if fact not in touching], first, last).items()
    ]
    for fact in touching:
        one = known[fact.subject.key]
        day = fact.valid_from or one.day
        if fact.object and day and first <= day <= last:
            cells = (
                day,
                fact.object.name,
                fact.predicate,
                "",
                one.thing.name,
                _decision(one),
                _said(approved[one.thing.key]),
            )
            rows.append(Row(cells, fact.object, (fact, *approved[one.thing.key])))
    rows.sort(key=lambda row: (row.cells, [fact.subject.key for fact in row.facts]))
    names = ", ".join(one.name for one in found.values())
    return Found(
        columns, rows, "" if rows else f"No document that you may read dates a change of {names} in this time."
    )


def _core(view: View, found: dict[str, Entity]) -> dict[str, Entity]:
    """The thing, what it owns or ever owned, and who owns or ever owned it."""
    core = dict(found)
    for fact in (*view.of(found.values(), ["owns"]), *view.about(found.values(), ["owns"])):
        for end in (fact.subject, fact.object):
            if end:
                core[end.key] = end
    return core


def _around(view: View, found: dict[str, Entity], core: dict[str, Entity]) -> list[Fact]:
    """What is said of these, each fact once; of the others' own holdings only those that touch the thing."""
    facts = [*view.of(core.values()), *view.about(core.values())]
    kept: dict[Fact, None] = {}
    for fact in facts:
        ends = {fact.subject.key, fact.object.key if fact.object else ""}
        if fact.predicate not in _NO_CHANGE and (fact.predicate != "owns" or not ends.isdisjoint(found)):
            kept[fact] = None
    return list(kept)


def _events(facts: Iterable[Fact], first: str, last: str) -> dict[tuple[str, object], tuple[list[Fact], list[Fact]]]:
    """By day and by what there can be but one of, what begins and what ends then."""
    found: dict[tuple[str, object], tuple[list[Fact], list[Fact]]] = {}
    for fact in facts:
        for n, day in enumerate((fact.valid_from, fact.valid_to)):
            if day and first <= first_day(day) <= last:
                found.setdefault((first_day(day), _place(fact)), ([], []))[n].append(fact)
    return dict(sorted(found.items(), key=lambda item: (item[0][0], str(item[0][1]))))


def _place(fact: Fact) -> object:
    return _sides(fact)[2]


def _sides(fact: Fact) -> tuple[Entity | None, str, tuple[str, ...]]:
    """The end that stays, the one that changes as a word, and what tells the place from others."""
    if fact.predicate in ("owns", "leads") and fact.object:
        return fact.object, fact.subject.name, (fact.predicate, fact.object.key, fact.qualifier)
    single = fact.predicate == "reports_to" or fact.predicate in SINGLE_ATTRIBUTES
    place = (fact.predicate, fact.subject.key, fact.qualifier)
    return fact.subject, fact.said, place if single else (*place, fact.object.key if fact.object else fact.value)


def _row(day: str, begun: list[Fact], ended: list[Fact], core: dict[str, Entity], known: dict[str, Decision]) -> Row:
    thing, _, (predicate, *_) = _sides((begun or ended)[0])
    before, after = (", ".join(dict.fromkeys(_sides(fact)[1] for fact in facts)) for facts in (ended, begun))
    by = [one for one in known.values() if one.day == day and _touches(one, begun or ended)]
    approvals = tuple(fact for one in by for fact in one.by("approved_by"))
    reasons = tuple(
        fact for one in by for fact in one.by("affects", "deprecates") if fact.object and fact.object.key in core
    )
    cells = (
        day, thing.name if thing else "", predicate, before, after,
        ", ".join(map(_decision, by)), _said(approvals),
    )  # fmt: skip
    return Row(cells, thing, (*ended, *begun, *reasons, *approvals))


def _decision(one: Decision) -> str:
    """Its name, with its status where it is not in force."""
    told = one.status and not one.is_in_force
    return f"{one.thing.name} ({one.status.value})" if told and one.status else one.thing.name


def _touches(one: Decision, facts: list[Fact]) -> bool:
    """Whether a decision affects an end of such a fact, or is one."""
    ends = {end.key for fact in facts for end in (fact.subject, fact.object) if end}
    return one.thing.key in ends or any(
        fact.object and fact.object.key in ends for fact in one.by("affects", "deprecates")
    )


def _said(facts: Iterable[Fact]) -> str:
    return ", ".join(dict.fromkeys(fact.said for fact in facts))


class _Conflicts(Arguments):
    thing: Thing | None = Field(None, description="only of this thing, by key")


@tool(_Conflicts, "Where do documents disagree, on which thing and in which words?")
def conflicts(view: View, asked: _Conflicts) -> Found:
    """A row for each disagreement that is not decided, with the facts of all its sides."""
    columns = "thing", "what", "said"
    if asked.thing:
        found = view.things([asked.thing])
        if not found:
            return Found(columns, why=unnamed(asked.thing))
        facts = [*view.of(found.values()), *view.about(found.values())]
    else:
        single = [name for name, one in view.relations.relations.items() if one.one]
        spoken = set(view.predicates())
        facts = [fact for name in sorted({*single, *SINGLE_ATTRIBUTES} & spoken) for fact in view.by(name)]
    rows: dict[frozenset[tuple[object, ...]], Row] = {}
    for fact in facts:
        if fact.status == "disputed" and fact.against:
            sides = sorted({fact, *fact.against}, key=_by_time)
            told = frozenset((one.subject.key, one.predicate, one.said, one.qualifier, one.valid_from) for one in sides)
            thing, _, (predicate, *_) = _sides(fact)
            said = " | ".join(dict.fromkeys(_sides(one)[1] for one in sides))
            rows.setdefault(told, Row((thing.name if thing else "", predicate, said), thing, tuple(sides)))
    listed = sorted(rows.values(), key=lambda row: (row.cells, [fact.subject.key for fact in row.facts]))
    return Found(columns, listed, "" if rows else "The documents that you may read do not disagree.")


def bounds(since: str, until: str) -> tuple[str, str]:
    """The first and last day of a period of days, months or years; all time where they are empty."""
    last = until + ("", "-31", "-12-31")[2 - until.count("-")] if until else "9999"
    return first_day(since), last


def _by_time(fact: Fact) -> tuple[object, ...]:
    """No two are alike in it: what a set's order told would hang on the numbers of rows that others read."""
    ends = fact.subject.key, fact.object.key if fact.object else ""
    return fact.observed_at, fact.said, fact.subject.name, *ends, fact.qualifier, fact.valid_from, fact.evidence


def _when(fact: Fact) -> str:
    """The day of what a message says."""
    return first_day(fact.valid_from) or fact.observed_at
