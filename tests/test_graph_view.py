"""What one caller sees of the facts: things put together from names, what holds of them, and nothing of others."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from access import Caller
from facts import MESSAGE, Extraction, Named, Statement
from facts.relations import BUILT_IN
from graph import overview
from graph import view as graph_view
from graph.overview import map_of
from graph.view import View
from search import Index
from storage import syncing
from storage.facts import FactReader
from storage.reader import Reader
from tests.conftest import Grants, caller, write

MakeIndex = Callable[..., Index]
TODAY = "2026-11-30"


def says(subject: Named, predicate: str, thing: Named | str, **more: object) -> Statement:
    return Statement(subject, predicate, thing, 1, 1, "# Said", extractor="test/1", **more)  # type: ignore[arg-type]


def team(name: str) -> Named:
    return Named("Team", (name,))


def service(name: str, *ids: str) -> Named:
    return Named("Service", (name,), ids)


@pytest.fixture
def told(docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Index]:
    """An index of documents that say what the test hands over, each readable by the group of its folder."""

    def made(said: Mapping[str, tuple[Statement, ...]]) -> Index:
        held = dict(said)
        monkeypatch.setattr(syncing, "extract", lambda text, mapping: Extraction(held.get(text.path, ())))
        for path in [*docs.rglob("*.md"), *docs.rglob("*.txt")]:
            path.unlink()
        write(docs, {path: f"# Said\n\nwords of {path}\n" for path in held})
        index = make_index(docs, None, Grants(docs, {path: {path.split("/")[0]} for path in held}))
        index.sync()
        return index

    return made


@contextmanager
def seen(index: Index, who: Caller, as_of: str = "") -> Iterator[View]:
    with index.store.reader(who) as reader:
        yield view_of(reader, as_of)


def view_of(reader: Reader, as_of: str = "") -> View:
    return View(FactReader(reader), BUILT_IN, TODAY, as_of)


def lines(view: View, name: str) -> list[str]:
    """What holds of the things of a name, both ways, as text."""
    things = view.named(name)
    return [
        f"{fact.subject.name} {fact.predicate} {fact.said} {fact.valid_from}..{fact.valid_to} {fact.status}"
        for fact in [*view.of(things), *view.about(things)]
    ]


def test_a_thing_has_all_the_names_that_documents_give_it(told: Callable[..., Index]) -> None:
    index = told(
        {
            "a/one.md": (says(team("Bedrock"), "owns", service("Plan Store", "component:plan-store")),),
            "a/two.md": (says(Named("", ("`plan-store`",)), "depends_on", service("identity")),),
        }
    )
    with seen(index, caller("a")) as view:
        assert lines(view, "plan_store") == [
            "Plan Store depends_on identity .. observed",
            "Bedrock owns Plan Store .. observed",
        ]
        assert [one.key for one in view.named("component:plan-store")] == ["Service/component:plan store"]
        (fact,) = view.about(view.named("Plan Store"))
        assert [(row.path, row.quote) for row in view.evidence(fact)] == [("a/one.md", "# Said")]


def test_two_people_of_one_name_are_two_and_a_bare_name_is_neither(told: Callable[..., Index]) -> None:
    one, two = Named("Person", ("Ann Lee",), ("emp_1",)), Named("Person", ("Ann Lee",), ("emp_2",))
    index = told(
        {
            "a/staff.md": (says(one, "member_of", team("Red")), says(two, "member_of", team("Blue"))),
            "a/note.md": (says(Named("Person", ("Ann Lee",)), "leads", team("Red")),),
        }
    )
    with seen(index, caller("a")) as view:
        assert [person.ids for person in view.named("Ann Lee")] == [(), ("emp_1",), ("emp_2",)]
        assert lines(view, "emp_2") == ["Ann Lee member_of Blue .. observed"]


def test_who_may_not_read_a_document_sees_what_there_would_be_without_it(told: Callable[..., Index]) -> None:
    said = {
        "a/one.md": (says(team("Red"), "owns", service("notify"), valid_from="2024-01-01"),),
        "b/two.md": (
            says(team("Blue"), "owns", Named("Service", ("Notify", "the pager"), ("svc-1",)), valid_from="2025-03-01"),
        ),
    }
    index = told(said)
    with seen(index, caller("a", "b")) as view:
        assert lines(view, "the pager") == [
            "Blue owns Notify 2025-03-01.. observed",
            "Red owns Notify 2024-01-01..2025-03-01 observed",
        ]
    with seen(index, caller("a")) as view:
        assert lines(view, "notify") == ["Red owns notify 2024-01-01.. observed"]
        assert (view.named("the pager"), view.named("svc-1"), view.named("Blue")) == ([], [], [])
        assert view.predicates() == ["owns"]
        assert view.types() == ["Service", "Team"]
        assert [one.name for one in view.of_type("Team")] == ["Red"]
    with seen(index, caller("nobody")) as view:
        assert (view.types(), view.predicates(), view.by("owns"), view.of_type("Team")) == ([], [], [], [])


def test_what_only_a_deleted_document_said_is_gone_and_begins_clean(told: Callable[..., Index], docs: Path) -> None:
    said = {
        "a/one.md": (says(team("Red"), "owns", service("notify", "svc-1")),),
        "a/two.md": (says(team("Red"), "owns", service("notify")),),
    }
    index = told(said)
    tables = ("nodes", "names", "facts", "evidence")
    (docs / "a/one.md").unlink()
    index.sync(allow_empty=True)
    with seen(index, caller("a")) as view:
        assert lines(view, "notify") == ["Red owns notify .. observed"]
        assert view.named("svc-1") == []
    (docs / "a/two.md").unlink()
    index.sync(allow_empty=True)
    connection = index.store.connection()
    assert [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [0, 0, 0, 0]
    write(docs, {"a/two.md": "# Said\n\nagain\n"})
    index.sync()
    with seen(index, caller("a")) as view:
        assert [one.ids for one in view.named("notify")] == [()]


def test_talk_does_not_end_what_a_record_says(told: Callable[..., Index]) -> None:
    index = told(
        {
            "a/list.md": (says(team("Red"), "owns", service("notify"), valid_from="2024-01-01"),),
            "a/talk.md": (says(team("Blue"), "owns", service("notify"), valid_from="2025-01-01", rank=MESSAGE),),
        }
    )
    with seen(index, caller("a")) as view:
        facts = view.about(view.named("notify"))
        assert [(fact.subject.name, fact.status, fact.valid_to) for fact in facts] == [
            ("Blue", "disputed", ""),
            ("Red", "disputed", ""),
        ]
        assert [[other.subject.name for other in fact.against] for fact in facts] == [["Red"], ["Blue"]]


def test_a_date_is_asked_for(told: Callable[..., Index]) -> None:
    index = told(
        {
            "a/one.md": (says(team("Red"), "owns", service("notify"), valid_from="2024-01-01"),),
            "a/two.md": (says(team("Blue"), "owns", service("notify"), valid_from="2025-03-01"),),
        }
    )
    for as_of, owner in (("2025-02-28", "Red"), ("2025-03-01", "Blue"), ("2024", "Red")):
        with seen(index, caller("a"), as_of) as view:
            assert [fact.subject.name for fact in view.about(view.named("notify"))] == [owner]
    with seen(index, caller("a"), "2023-06-30") as view:
        assert view.about(view.named("notify")) == []


def test_a_document_that_is_edited_keeps_what_it_still_says(told: Callable[..., Index], docs: Path) -> None:
    index = told({"a/one.md": (says(team("Red"), "owns", service("notify")),)})
    connection = index.store.connection()
    before = connection.execute("SELECT id FROM facts").fetchall()
    write(docs, {"a/one.md": "# Said\n\nanother text\n"})
    index.sync()
    assert connection.execute("SELECT id FROM facts").fetchall() == before
    assert connection.execute("SELECT count(*) FROM evidence").fetchone() == (1,)


def test_a_decision_or_a_sync_makes_what_is_kept_anew(told: Callable[..., Index], docs: Path) -> None:
    index = told({"a/one.md": (says(team("Red"), "owns", service("notify")),)})
    for _ in range(2):  # read, then as it was kept
        with seen(index, caller("a")) as view:
            assert [one.name for one in view.named("notify")] == ["notify"]
            assert [fact.subject.name for fact in view.about(view.named("notify"))] == ["Red"]
        with seen(index, caller("b")) as view:
            assert view.named("notify") == []
    (docs / "a" / "one.md").unlink()
    index.sync(allow_empty=True)
    with seen(index, caller("a")) as view:
        assert view.named("notify") == []


def test_what_is_kept_for_all_callers_is_bounded(told: Callable[..., Index], monkeypatch: pytest.MonkeyPatch) -> None:
    index = told(
        {f"{who}/one.md": tuple(says(team("Red"), "owns", service(f"s {n}")) for n in range(9)) for who in "ab"}
    )
    monkeypatch.setattr("graph.view._MOST_OF_ALL", 12)
    for who in "aba":
        with seen(index, caller(who)) as view:
            assert len(view.of(view.named("Red"))) == 9
            assert sum(len(one.nodes) for one in graph_view._every) <= 12


def test_many_things_read_at_once_are_what_each_is_alone(
    told: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All the bare names and their bearers are more than may hang together by names; these do not."""
    count = 60
    monkeypatch.setattr("graph.view._MOST_REGION", 20)
    monkeypatch.setattr("graph.view._AT_ONCE", 10)
    index = told(
        {
            "a/one.md": tuple(says(Named("", (f"s {n}",)), "affects", service(f"t {n}")) for n in range(count)),
            "a/two.md": tuple(says(service(f"s {n}"), "tier", "1") for n in range(count)),
        }
    )
    with seen(index, caller("a")) as view:
        nodes = view.rows.nodes_of("")
        assert len(nodes) == count
        assert {one.type for one in view.standing_for(nodes)} == {"Service"}


def test_a_large_map_is_of_what_the_most_is_said_of(
    told: Callable[..., Index], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = told(
        {
            "a/one.md": tuple(says(team("Red"), "owns", service(f"s {n}")) for n in range(9)),
            "a/two.md": tuple(says(service(f"s {n}"), "depends_on", service("s 0")) for n in range(1, 5)),
            "b/three.md": tuple(says(team("Blue"), "owns", service(f"u {n}")) for n in range(30)),
        }
    )
    with seen(index, caller("a")) as view:
        whole = map_of(view, limit=6)
    monkeypatch.setattr(overview, "MOST_READ", 5)
    with seen(index, caller("a")) as view:
        found = map_of(view, limit=6)
        near = map_of(view, around=view.named("s 4")[0], limit=4)
    assert [(one.thing.key, one.degree) for one in found.nodes] == [(one.thing.key, one.degree) for one in whole.nodes]
    assert {str(edge) for edge in found.edges} == {str(edge) for edge in whole.edges}
    assert found.more == whole.more == 4
    assert [one.thing.name for one in near.nodes][:1] == ["s 4"]
    assert {"Red", "s 0"} <= {one.thing.name for one in near.nodes}
