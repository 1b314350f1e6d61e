"""When two names are one, and which ids tell two things apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.normal import id_key, key, scheme


@pytest.mark.parametrize(
    "names",
    [
        (
            "`plan-store`",
            "Plan Store",
            "plan_store",
            "**Plan–Store**",
            "“plan store”",
            "[plan-store](services.md)",
            "plan-store.",
        ),
        ("Łukasz Wrona", "lukasz wrona", "ŁUKASZ  WRONA"),
        ("Siobhán Keane", "Siobhan Keane"),
        ("O’Brien", "O'Brien"),
        ("Straße", "STRASSE"),
        ("emp_0431", "EMP-0431"),
        ("東京", "東 京".replace(" ", "")),
    ],
)
def test_one_name_in_several_spellings(names: tuple[str, ...]) -> None:
    assert len({key(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("plan-store", "plan-store-2"),
        ("python 3.10", "python 3.1"),
        ("the Platform", "Platform"),
        ("C", "C++"),
        ("emp_0431", "emp_431"),
        ("が", "か"),
        ("й", "и"),
        ("#oc-docks", "oc-docks"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_marks_alone_are_no_name() -> None:
    assert [key(text) for text in ("", "–", " - ", "``", "…", "?")] == [""] * 6


def test_marks_count_in_addresses_handles_and_places() -> None:
    assert id_key("Ann_Lee@x.example") == id_key("<ann_lee@X.example>") == id_key("mailto:ann_lee@x.example")
    assert id_key("ann_lee@x.example") != id_key("ann-lee@x.example")
    assert id_key("@ann_l") == id_key("@Ann_L") != id_key("@ann-l")
    assert id_key("D-0006") == id_key("d_0006") != id_key("D-0007")
    assert id_key("docs/a_b.md") != id_key("docs/a-b.md")


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        ("ann@x.example", "email"),
        ("@ann", "handle"),
        ("emp_0431", "emp_"),
        ("D-0006", "d-"),
        ("0006", ""),
        ("docs/decisions/0006-x.md", "path"),
        ("talk/general.md#¶12", "talk/general.md#¶"),
        ("component:default/payments", "component:default/"),
        ("jsmith", "word"),
        ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
    ],
)
def test_scheme(identity: str, expected: str) -> None:
    assert scheme(identity) == expected


@given(st.text(max_size=60))
def test_the_form_is_its_own_form(text: str) -> None:
    assert key(key(text)) == key(text)
    scheme(text), id_key(text)
