"""facts/timeline.py: what holds when, what is in conflict, and that nothing else retires a fact."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts import MESSAGE, MODEL, NOTES, RECORD
from facts.relations import BUILT_IN, FIGURE
from facts.timeline import Atom, Held, consolidate, current

TODAY = "2026-11-30"


def atom(
    n: int, said: str, since: str = "", until: str = "", seen: str = "", rank: int = RECORD, **more: object
) -> Atom:
    """ "Bedrock owns plan-store", or "plan-store tier=1"; the fact's number is its evidence's unless told."""
    subject, predicate, *rest = said.split(" ")
    value = ""
    if "=" in predicate:
        predicate, value = predicate.split("=")
    types = ("Team", "Service") if predicate == "owns" else ("Person", "Person")
    made = Atom(
        n, subject, predicate, rest[0] if rest else None, value, "", since, until, seen, rank, "observed", n, types[1],
        types[0],
    )  # fmt: skip
    return made._replace(**more)  # type: ignore[arg-type]


def told(atoms: Sequence[Atom], as_of: str = "", decided: dict[tuple[int, int], str] | None = None) -> list[str]:
    """Each as "subject: from..to status [evidence]", for eyes."""
    return [line(one) for one in consolidate(atoms, BUILT_IN, TODAY, as_of, decided)]


def line(one: Held) -> str:
    name = one.value or one.subject
    return f"{name} {one.valid_from}..{one.valid_to} {one.status} {sorted(one.evidence)}"


OLD, NEW, ONCALL = "Quayside owns notify", "Roadside owns notify", "Ann on_call_for x"
CASES = {
    "said twice is one fact with two pieces of evidence": (
        [atom(1, OLD, seen="2026-01-01"), atom(2, OLD, seen="2026-05-01")],
        ["Quayside .. observed [1, 2]"],
    ),
    "intervals apart stay two": (
        [atom(1, ONCALL, "2026-01-01", "2026-04-01"), atom(2, ONCALL, "2026-07-01", "2026-10-01")],
        ["Ann 2026-01-01..2026-04-01 observed [1]", "Ann 2026-07-01..2026-10-01 observed [2]"],
    ),
    "intervals that touch are one": (
        [atom(1, ONCALL, "2026-01-01", "2026-04-01"), atom(2, ONCALL, "2026-04-01", "2026-10-01")],
        ["Ann 2026-01-01..2026-10-01 observed [1, 2]"],
    ),
    "months are dates, too": (
        [atom(1, "Ann on_call_for x", "2026-01", "2026-04"), atom(2, ONCALL, "2026-04-01", "2026-10")],
        ["Ann 2026-01-01..2026-10-01 observed [1, 2]"],
    ),
    "what has no dates belongs to the interval in which it was seen": (
        [
            atom(1, "Ann on_call_for x", "2026-01-01", "2026-04-01"),
            atom(2, ONCALL, "2026-07-01"),
            atom(3, "Ann on_call_for x", seen="2026-08-01"),
        ],
        ["Ann 2026-01-01..2026-04-01 observed [1]", "Ann 2026-07-01.. observed [2, 3]"],
    ),
    "two owners on one line of a document own it together": (
        [atom(1, OLD, where=("a", 7)), atom(2, NEW, where=("a", 7))],
        ["Quayside .. observed [1]", "Roadside .. observed [2]"],
    ),
    "and on two lines they do not": (
        [atom(1, OLD, where=("a", 7)), atom(2, NEW, where=("a", 8))],
        ["Quayside .. disputed [1]", "Roadside .. disputed [2]"],
    ),
    "a newer owner with a stated beginning closes the older": (
        [atom(1, OLD, "2024-01-01"), atom(2, NEW, "2026-03-01")],
        ["Quayside 2024-01-01..2026-03-01 observed [1]", "Roadside 2026-03-01.. observed [2]"],
    ),
    "one without any date, too": (
        [atom(1, OLD), atom(2, NEW, "2026-03-01")],
        ["Quayside ..2026-03-01 observed [1]", "Roadside 2026-03-01.. observed [2]"],
    ),
    "one seen before": (
        [atom(1, OLD, seen="2026-02-01"), atom(2, NEW, "2026-03-01")],
        ["Quayside ..2026-03-01 observed [1]", "Roadside 2026-03-01.. observed [2]"],
    ),
    "one that was seen after it is in conflict": (
        [atom(1, OLD, seen="2026-05-01"), atom(2, NEW, "2026-03-01")],
        ["Quayside .. disputed [1]", "Roadside 2026-03-01.. disputed [2]"],
    ),
    "no dates, no successor": (
        [atom(1, OLD, seen="2025-12-01"), atom(2, NEW, seen="2026-03-01")],
        ["Quayside .. disputed [1]", "Roadside .. disputed [2]"],
    ),
    "talk closes no record": (
        [atom(1, OLD, "2024-01-01"), atom(2, NEW, "2026-03-01", rank=MESSAGE)],
        ["Quayside 2024-01-01.. disputed [1]", "Roadside 2026-03-01.. disputed [2]"],
    ),
    "nor does talk that it ended": (
        [atom(1, OLD, "2024-01-01"), atom(2, OLD, "2024-01-01", "2026-03-01", rank=MESSAGE)],
        ["Quayside 2024-01-01.. disputed [1]", "Quayside 2024-01-01..2026-03-01 disputed [2]"],
    ),
    "nor does a record's word for the new value make talk's date good enough": (
        [atom(1, OLD, "2024-01-01"), atom(2, NEW, "2026-03-01", rank=NOTES), atom(3, NEW, seen="2026-04-01")],
        ["Quayside 2024-01-01.. disputed [1]", "Roadside 2026-03-01.. disputed [2, 3]"],
    ),
    "nor does talk move a record's beginning": (
        [atom(1, OLD, "2024-03-01"), atom(2, OLD, "2023-01-01", rank=MESSAGE)],
        ["Quayside 2024-03-01.. observed [1, 2]"],
    ),
    "but it may tell what was before": (
        [atom(1, ONCALL, "2026-04-01"), atom(2, ONCALL, "2026-01-01", "2026-04-01", rank=MESSAGE)],
        ["Ann 2026-01-01.. observed [1, 2]"],
    ),
    "a record opens again what notes have closed": (
        [atom(1, OLD, "2026-03", rank=NOTES), atom(2, NEW, "2026-06-01", rank=NOTES), atom(3, OLD, seen="2026-04-01")],
        ["Roadside 2026-06-01.. disputed [2]", "Quayside 2026-03-01.. disputed [1, 3]"],
    ),
    "two that ended on one day": (
        [atom(1, OLD, "", "2026-03-01", seen="2026-05-01"), atom(2, NEW, "", "2026-03-01", seen="2026-05-01")],
        ["Quayside ..2026-03-01 disputed [1]", "Roadside ..2026-03-01 disputed [2]"],
    ),
    "a record's end closes": (
        [atom(1, OLD, "2024-01-01"), atom(2, OLD, "", "2026-03-01")],
        ["Quayside 2024-01-01..2026-03-01 observed [1, 2]"],
    ),
    "an owner who comes back": (
        [atom(1, OLD, "2024-01-01"), atom(2, NEW, "2025-01-01"), atom(3, OLD, "2026-03-01")],
        [
            "Quayside 2024-01-01..2025-01-01 observed [1]",
            "Roadside 2025-01-01..2026-03-01 observed [2]",
            "Quayside 2026-03-01.. observed [3]",
        ],
    ),
    "the same day": (
        [atom(1, OLD, "2026-03-01"), atom(2, NEW, "2026-03-01")],
        ["Quayside 2026-03-01.. disputed [1]", "Roadside 2026-03-01.. disputed [2]"],
    ),
    "a stated end that reaches into the next": (
        [atom(1, OLD, "2026-01-01", "2026-06-01"), atom(2, NEW, "2026-03-01")],
        ["Quayside 2026-01-01..2026-06-01 disputed [1]", "Roadside 2026-03-01.. disputed [2]"],
    ),
    "what ended before the other was seen is no conflict": (
        [atom(1, OLD, "2023-01-01", "2024-01-01"), atom(2, NEW, seen="2026-03-01")],
        ["Quayside 2023-01-01..2024-01-01 observed [1]", "Roadside .. observed [2]"],
    ),
    "a person and a team both own": (
        [atom(1, OLD), atom(2, "Ann owns notify", subject_type="Person")],
        ["Quayside .. observed [1]", "Ann .. observed [2]"],
    ),
    "an attribute that a thing has once": (
        [atom(1, "notify tier=2"), atom(2, "notify tier=3"), atom(3, "notify tag=a"), atom(4, "notify tag=b")],
        ["2 .. disputed [1]", "3 .. disputed [2]", "a .. observed [3]", "b .. observed [4]"],
    ),
    "values are compared in their normal form": (
        [atom(1, "D-1 status=Accepted"), atom(2, "D-1 status=accepted", rank=NOTES)],
        ["Accepted .. observed [1, 2]"],
    ),
    "signs are values": (
        [atom(1, "D-1 status=✓"), atom(2, "D-1 status=✗")],
        ["✓ .. disputed [1]", "✗ .. disputed [2]"],
    ),
    "a new fact retires none of another subject": (
        [atom(1, "Payments uses Kafka"), atom(2, "Search uses Kafka", "2026-03-01")],
        ["Payments .. observed [1]", "Search 2026-03-01.. observed [2]"],
    ),
    "nor one of the same subject in a relation with many": (
        [atom(1, "Payments uses Kafka", "2024-01-01"), atom(2, "Payments uses Redis", "2026-03-01")],
        ["Payments 2024-01-01.. observed [1]", "Payments 2026-03-01.. observed [2]"],
    ),
    "stale": (
        [atom(1, OLD, seen="2025-11-29"), atom(2, "D-1 deprecates x", seen="2019"), atom(3, "n tag=a", seen="2020")],
        ["Quayside .. stale [1]", "D-1 .. observed [2]", "a .. stale [3]"],
    ),
    "what was confirmed a year ago is not stale": ([atom(1, OLD, seen="2025-11-30")], ["Quayside .. observed [1]"]),
    "nor is what ended": ([atom(1, OLD, "", "2020-01-01", seen="2019-01-01")], ["Quayside ..2020-01-01 observed [1]"]),
    "a model's reading is inferred until somebody wrote it": (
        [atom(1, OLD, rank=MODEL, status="inferred"), atom(2, "x tag=a", status="inferred"), atom(3, "x tag=a")],
        ["Quayside .. inferred [1]", "a .. observed [2, 3]"],
    ),
    "a person's word": ([atom(1, OLD, status="verified")], ["Quayside .. verified [1]"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_holds(name: str) -> None:
    atoms, expected = CASES[name]
    assert told(atoms) == expected
    assert told(atoms[::-1]) == expected


def test_a_conflict_is_told_on_both_sides_with_its_evidence() -> None:
    one, other = consolidate([atom(1, OLD), atom(2, NEW)], BUILT_IN, TODAY)
    assert [h.evidence for h in one.against] == [(2,)]
    assert [h.evidence for h in other.against] == [(1,)]
    assert one.against[0].status == "disputed"


def test_a_thousand_values_of_one_thing_are_told_with_a_few_of_the_others() -> None:
    held = consolidate([atom(n, f"x tier={n}") for n in range(3000)], BUILT_IN, TODAY)
    assert {one.status for one in held} == {"disputed"}
    assert max(len(one.against) for one in held) == 20


HISTORY = [
    atom(1, OLD, "2024-01-01"),
    atom(2, NEW, "2026-03-01"),
    atom(3, "Lantern owns docs", seen="2026-05-01"),
    atom(4, "Ann on_call_for x", "2026-01-01", "2026-04-01"),
    atom(5, "Ann on_call_for x", "2026-07-01", "2026-10-01"),
    atom(6, "Inflow owns docs", "2025-01-01", "2026-02-01"),
]
AS_OF = {
    "2023-12-31": [3],
    "2024-01-01": [1, 3],
    "2025-01-01": [1, 6],  # Inflow is stated to own docs then, Lantern was seen only later
    "2026-02-01": [1, 3, 4],  # the last day is not in it
    "2026-02-28": [1, 3, 4],
    "2026-03-01": [2, 3, 4],
    "2026-05-15": [2, 3],
    "2026-09-30": [2, 3, 5],
    "2026-10-01": [2, 3],
    "2026-03": [2, 3, 4],
    "2026-04": [2, 3],
    "2026": [1, 2, 3, 4, 5, 6],
    "2024": [1, 3],
}


@pytest.mark.parametrize("day", AS_OF)
def test_as_of_a_day_month_or_year(day: str) -> None:
    held = consolidate(HISTORY, BUILT_IN, TODAY, day)
    assert sorted({n for one in held for n in one.evidence}) == AS_OF[day]
    assert not any(one.against for one in held)


def test_a_conflict_is_told_for_the_days_on_which_there_was_one() -> None:
    atoms = [atom(1, OLD, "2023-01-01", "2026-01-01"), atom(2, NEW, seen="2025-12-05")]
    assert told(atoms, "2025-12") == ["Quayside 2023-01-01..2026-01-01 disputed [1]", "Roadside .. disputed [2]"]
    assert told(atoms, "2024") == ["Quayside 2023-01-01..2026-01-01 observed [1]"]
    assert told(atoms, "2026-01-01") == ["Roadside .. observed [2]"]


def test_a_change_that_is_still_to_come() -> None:
    held = consolidate([atom(1, OLD, "2024-01-01"), atom(2, NEW, "2027-01-01")], BUILT_IN, TODAY)
    assert [one.evidence for one in current(held, TODAY)] == [(1,)]
    assert [one.evidence for one in current(held, "2027-01-01")] == [(2,)]


def test_a_person_decides() -> None:
    atoms = [
        atom(1, OLD, seen="2025-01-01"),
        atom(2, NEW, seen="2025-02-01"),
        atom(3, "Lantern owns notify", seen="2026-01-01"),
    ]
    kept = {(2, 1): "2026-06-01"}
    assert told(atoms[:2], decided=kept) == ["Quayside ..2026-06-01 observed [1]", "Roadside .. verified [2]"]
    assert told(atoms[:1], decided=kept) == ["Quayside .. stale [1]"], "who cannot see the other side sees no decision"
    both = told(atoms, decided={**kept, (2, 3): "2026-07-01"})
    assert both == [
        "Quayside ..2026-06-01 observed [1]",
        "Roadside .. verified [2]",
        "Lantern ..2026-07-01 observed [3]",
    ]
    assert told(atoms, decided=kept)[1:] == ["Roadside .. disputed [2]", "Lantern .. disputed [3]"]
    dated = [atom(1, OLD, "2026-01-01", rank=RECORD), atom(2, NEW, "2026-03-01", rank=NOTES)]
    assert told(dated, decided=kept) == [
        "Quayside 2026-01-01..2026-03-01 observed [1]",
        "Roadside 2026-03-01.. verified [2]",
    ]
    assert told(dated, "2026-04-01", kept) == ["Roadside 2026-03-01.. verified [2]"]


DAYS = st.sampled_from(["", "", "2024-01-01", "2025", "2025-06-15", "2026-02", "2026-05-01"])
FACTS = [
    "Q owns n",
    "R owns n",
    "Q owns m",
    "A on_call_for n",
    "x tier=1",
    "x tier=2",
    "x tag=1",
    "P uses k",
    "S uses k",
]


@st.composite
def atoms_of(draw: st.DrawFn, names: Sequence[str] = FACTS) -> list[Atom]:
    return [
        atom(n, draw(st.sampled_from(names)), draw(DAYS), draw(DAYS), draw(DAYS), draw(st.integers(0, 3)))
        for n in range(draw(st.integers(0, 9)))
    ]


AS_OFS = st.sampled_from(["", "2024", "2025-06", "2026-02-01", "2026-11-30"])


@given(st.data(), atoms_of(), AS_OFS)
@settings(deadline=None)
def test_the_order_of_the_atoms_does_not_matter(data: st.DataObject, atoms: list[Atom], as_of: str) -> None:
    shuffled = data.draw(st.permutations(atoms))
    decided = {(0, 1): "2026-03-03", (3, 2): "2026-03-04"}
    first, second = (consolidate(one, BUILT_IN, TODAY, as_of, decided) for one in (atoms, shuffled))
    assert first == second
    assert [one.against for one in first] == [one.against for one in second]


@given(atoms_of(), atoms_of(["Z owns z", "Z tier=1", "Z uses k", "Y owns z"]), AS_OFS)
@settings(deadline=None)
def test_what_is_said_of_others_changes_nothing(atoms: list[Atom], others: list[Atom], as_of: str) -> None:
    others = [one._replace(evidence=one.evidence + 100, fact=one.fact + 100) for one in others]
    alone, together = (consolidate(one, BUILT_IN, TODAY, as_of) for one in (atoms, atoms + others))
    assert [one for one in together if one.evidence[0] < 100] == alone
    assert [one.against for one in together if one.evidence[0] < 100] == [one.against for one in alone]


@given(atoms_of())
@settings(deadline=None)
def test_no_atom_vanishes_and_none_is_told_twice(atoms: list[Atom]) -> None:
    held = consolidate(atoms, BUILT_IN, TODAY)
    assert sorted(n for one in held for n in one.evidence) == [one.evidence for one in atoms]
    assert all((one.status == "disputed") == bool(one.against) for one in held)


@given(atoms_of())
@settings(deadline=None)
def test_only_a_stated_end_or_a_successor_in_the_same_place_ends_a_fact(atoms: list[Atom]) -> None:
    held = consolidate(atoms, BUILT_IN, TODAY)
    stated = {one.evidence: one for one in atoms}
    for one in held:
        own = [stated[n] for n in one.evidence]
        ends = {(atom.valid_to + "-01-01")[:10] for atom in own if atom.valid_to}
        if one.valid_to and one.valid_to not in ends:
            successors = [
                other
                for other in held
                if (other.predicate, other.object, other.qualifier) == (one.predicate, one.object, one.qualifier)
                and (one.predicate == "owns" or (other.subject == one.subject and one.predicate == "tier"))
                and any((stated[n].valid_from + "-01-01")[:10] == one.valid_to for n in other.evidence)
            ]
            assert successors, one


@given(atoms_of(), st.integers(0, 8))
@settings(deadline=None)
def test_an_atom_taken_away_and_added_again_leaves_no_trace(atoms: list[Atom], n: int) -> None:
    rest = [one for one in atoms if one.evidence != n]
    back = rest + [one for one in atoms if one.evidence == n]
    assert consolidate(back, BUILT_IN, TODAY) == consolidate(atoms, BUILT_IN, TODAY)


def test_what_begins_on_a_date_did_not_hold_before_because_an_undated_page_has_it_too() -> None:
    atoms = [atom(1, NEW, "2026-02-01"), atom(2, NEW, qualifier="code"), atom(3, OLD, until="2026-02-01")]
    assert told(atoms, "2025-12-01") == ["Quayside ..2026-02-01 observed [3]"]
    assert told(atoms, "2026-03") == ["Roadside 2026-02-01.. observed [1]", "Roadside .. observed [2]"]


def read(atoms: Sequence[Atom]) -> list[Atom]:
    """As a model would have read them in prose."""
    numbered = [one._replace(evidence=one.evidence + 100, fact=one.fact + 100) for one in atoms]
    return [one._replace(rank=MODEL, status="inferred", valid_to="") for one in numbered]


@given(atoms_of(), atoms_of(), AS_OFS)
@settings(deadline=None)
def test_what_a_model_read_closes_and_edits_nothing(atoms: list[Atom], others: list[Atom], as_of: str) -> None:
    """Whatever it claims, all that others say is told with the same days and the same status, or as disputed."""
    atoms = [one._replace(rank=max(one.rank, MESSAGE)) for one in atoms]
    alone = consolidate(atoms, BUILT_IN, TODAY, as_of)
    together = consolidate([*atoms, *read(others)], BUILT_IN, TODAY, as_of)
    kept = [one for one in together if one.evidence[0] < 100]
    assert [
        replace(one, evidence=tuple(n for n in one.evidence if n < 100), facts=(), status="observed") for one in kept
    ] == [replace(one, facts=(), status="observed") for one in alone]
    for before, after in zip(alone, kept, strict=True):
        assert after.status in (before.status, "disputed")
        if after.status != before.status:
            assert any(other.rank == MODEL for other in after.against)


M: dict[str, Any] = {"rank": MODEL, "status": "inferred"}
BY_MODEL = {
    "it dates nothing that a record does not": (
        [atom(1, OLD, seen="2025-06-01"), atom(2, OLD, "2026-03-01", **M)],
        ["Quayside .. stale [1, 2]"],
    ),
    "it ends nothing": (
        [atom(1, OLD, "2025-12-01"), atom(2, NEW, "2026-03-01", **M)],
        ["Quayside 2025-12-01.. disputed [1]", "Roadside 2026-03-01.. disputed [2]"],
    ),
    "it takes no end back": (
        [atom(1, OLD, "2025-01-01", "2026-01-01"), atom(2, OLD, "2026-01-01", **M)],
        ["Quayside 2025-01-01..2026-01-01 observed [1]", "Quayside 2026-01-01.. inferred [2]"],
    ),
    "a record ends it": (
        [atom(1, NEW, "2026-03-01"), atom(2, OLD, "2025-06-01", **M)],
        ["Roadside 2026-03-01.. observed [1]", "Quayside 2025-06-01..2026-03-01 inferred [2]"],
    ),
    "two models' words of one place": (
        [atom(1, OLD, **M), atom(2, NEW, **M)],
        ["Quayside .. disputed [1]", "Roadside .. disputed [2]"],
    ),
    "of a name whose type no document says": (
        [atom(1, OLD), atom(2, NEW, subject_type="", **M)],
        ["Quayside .. disputed [1]", "Roadside .. disputed [2]"],
    ),
    "not where a person and a team own it": (
        [atom(1, OLD), atom(2, "Ann owns notify", subject_type="Person"), atom(3, NEW, subject_type="", **M)],
        ["Quayside .. observed [1]", "Ann .. observed [2]", "Roadside .. inferred [3]"],
    ),
}


@pytest.mark.parametrize("case", BY_MODEL)
def test_a_models_word(case: str) -> None:
    atoms, expected = BY_MODEL[case]
    assert told(atoms) == expected


def figures(*told_: tuple[str, str]) -> list[Atom]:
    made = [atom(n, f"leave {n}", **M) for n, _ in enumerate(told_, 1)]
    return [
        one._replace(predicate=FIGURE, object=None, object_type="", value=value, qualifier=narrowed)
        for one, (value, narrowed) in zip(made, told_, strict=True)
    ]


FIGURES = [
    ([("16 weeks", ""), ("12 Weeks", "")], True),
    ([("16 weeks", ""), ("16 Weeks", "")], False),
    ([("1,000 kg", ""), ("1000 kg", "")], False),
    ([("1 week", ""), ("2 weeks", "")], True),
    ([("16 weeks", ""), ("3 months", "")], False),
    ([("16 weeks", "in Oslo"), ("12 weeks", "in Lyon")], False),
    ([("16 weeks", "in Oslo"), ("12 weeks", "In Oslo")], True),
    ([("$400", ""), ("$1.200", "")], True),
]


@pytest.mark.parametrize(("told_", "disputed"), FIGURES)
def test_two_figures_of_one_thing(told_: list[tuple[str, str]], disputed: bool) -> None:
    held = consolidate(figures(*told_), BUILT_IN, TODAY)
    assert {one.status for one in held} == ({"disputed"} if disputed else {"inferred"})
