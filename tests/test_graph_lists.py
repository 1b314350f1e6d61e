"""Lists that count for themselves: an id of one is not the id of another, unless they agree on what it means."""

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from facts.normal import is_counted
from facts.relations import BUILT_IN
from facts.resolution import Alias, is_one_list
from graph.view import View
from search import Index
from storage.facts import FactReader
from tests.conftest import Grants, caller, write

Seen = dict[str, list[str]]
HEAD = "employee_id,name,department\n"
ACME = HEAD + "emp_1,Ann Lee,Sales\nemp_2,Bo Berg,Legal\nemp_3,Cy Young,Sales\n"
BOLT = HEAD + "emp_1,Zora Quist,Finance\nemp_2,Yann Petit,Legal\n"


@pytest.fixture
def people(docs: Path, make_index: Callable[..., Index]) -> Callable[..., Seen]:
    """The people of these documents by key, with their departments, for who is in these groups."""

    def made(files: dict[str, str], *groups: str, kind: str = "Person", same: Collection[Alias] = ()) -> Seen:
        write(docs, files)
        index = make_index(docs, None, Grants(docs, {path: {path.split("/")[0]} for path in files}))
        index.sync()
        found = {}
        with index.store.reader(caller(*(groups or {path.split("/")[0] for path in files}))) as reader:
            view = View(FactReader(reader), BUILT_IN, "2026-12-01", same=same)
            for one in view.of_type(kind):
                assert view.things([one.key]) == {one.key: one}, "a thing is found by its key"
                said = view.of([one], ["department"])
                found[one.key] = sorted(f"{fact.subject.name}: {fact.said} {fact.status}" for fact in said)
        return found

    return made


def test_two_companies_lists_with_one_scheme_are_of_two_peoples(people: Callable[..., Seen]) -> None:
    found = people({"acme/staff.csv": ACME, "bolt/staff.csv": BOLT})
    assert found == {
        "Person/emp 1 (ann lee)": ["Ann Lee: Sales observed"],
        "Person/emp 1 (zora quist)": ["Zora Quist: Finance observed"],
        "Person/emp 2 (bo berg)": ["Bo Berg: Legal observed"],
        "Person/emp 2 (yann petit)": ["Yann Petit: Legal observed"],
        "Person/emp 3": ["Cy Young: Sales observed"],
    }


def test_who_reads_one_list_alone_sees_its_ids_as_ever(people: Callable[..., Seen]) -> None:
    assert [*people({"acme/staff.csv": ACME, "bolt/staff.csv": BOLT}, "bolt")] == ["Person/emp 1", "Person/emp 2"]


@pytest.mark.parametrize(
    "other",
    [
        "emp_1,\"Lee, Ann\",Sales\n",  # the same words
        "emp_1,Ann Berg,Sales\n",  # she married
        "emp_1,Zora Quist,Sales\nemp_2,Bo Berg,Legal\n",  # one slip among ids that agree
    ],
)  # fmt: skip
def test_lists_that_agree_are_of_one_people(people: Callable[..., Seen], other: str) -> None:
    found = people({"acme/staff.csv": ACME, "acme/payroll.csv": HEAD + other})
    assert [*found] == ["Person/emp 1", "Person/emp 2", "Person/emp 3"]


def test_numbers_without_letters_and_ids_of_services_are_counted_by_lists_too(people: Callable[..., Seen]) -> None:
    head = "ID,Name,Department\n"
    numbers = {
        "a/employees.csv": head + "1,Ann Lee,Sales\n2,Bo Berg,Legal\n",
        "b/employees.csv": head + "1,Zora Quist,HR\n",
    }
    assert len(people(numbers)) == 3
    head = "| App ID | Service | Owner |\n|---|---|---|\n"
    services = {
        "a/apps.md": f"# Services\n\n{head}| APP-1 | Plan Store | Bedrock |\n| APP-2 | Gate | Bedrock |\n",
        "b/apps.md": f"# Services\n\n{head}| APP-1 | Payroll | Ledger |\n| APP-2 | Mailer | Ledger |\n",
    }
    assert len(people(services, kind="Service")) == 4


def test_an_address_a_handle_or_a_place_is_one_things_wherever_it_stands() -> None:
    assert all(is_counted("Service", one) for one in ("emp_1", "APP-12", "employees#1"))
    for one in (
        "a@b.example",
        "@ann",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "component:default/gate",
        "component:gate",
        "okafor",
    ):
        assert not is_counted("Person", one)
    assert not is_counted("Decision", "D-0006")  # known by the place of its record


def test_what_names_neither_of_them_is_nobodys(people: Callable[..., Seen]) -> None:
    rota = "| Person | Phone |\n|---|---|\n| emp_1 | 12 |\n"
    found = people({"acme/staff.csv": ACME, "bolt/staff.csv": BOLT, "acme/rota.md": f"# Rota\n\n{rota}"})
    assert {one for one in found if "emp 1" in one} >= {"Person/emp 1 (ann lee)", "Person/emp 1 (zora quist)"}


def test_lists_are_told_apart_by_most_of_the_ids_that_they_share() -> None:
    one = {"1": {"ann lee"}, "2": {"bo berg"}, "3": {"cy young"}}
    assert is_one_list(one, {"1": {"ann lee"}, "2": {"dan wu"}})
    assert not is_one_list(one, {"1": {"ann lee"}, "2": {"dan wu"}, "3": {"eve fox"}})
    assert is_one_list(one, {"1": {"ann berg"}})
    assert not is_one_list(one, {"1": {"zora quist"}})


def test_a_person_may_say_that_they_are_one_all_the_same(people: Callable[..., Seen]) -> None:
    found = people(
        {"acme/staff.csv": ACME, "bolt/staff.csv": BOLT}, same=[Alias(frozenset({"ann lee", "zora quist"}), "Person")]
    )
    assert {"Person/emp 1", "Person/emp 2 (bo berg)"} <= found.keys()
