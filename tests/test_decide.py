"""Names that may be one thing's and facts that disagree: what is proposed, what people decide, for whom it counts."""

import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from access import Caller
from answering.cache import key_of
from errors import UsageError
from facts import Named, Statement
from facts.mapping import read
from facts.relations import BUILT_IN
from graph import decide
from graph.decide import Conflicts, NoSuchDispute, Pair
from graph.view import View
from models.ollama_backend import OllamaChat
from search import Index
from storage import decided, naming
from storage.facts import FactReader
from storage.filter import EVERYTHING
from storage.judging import judge_names
from store import main as store_main
from tests.conftest import caller, write
from tests.ollama_double import OllamaDouble
from tests.served import Held, running
from tests.test_graph_view import TODAY, lines, says, seen, service, team, told

__all__ = ["told"]
Told = Callable[..., Index]
BY = Caller("user:ada", frozenset({"user:ada"}))
BOTH, A, B = caller("a", "b"), caller("a"), caller("b")


def person(name: str, *ids: str) -> Named:
    return Named("Person", (name,), ids)


def leads(who: Named, what: str) -> Statement:
    return says(who, "leads", team(what))


def pairs(index: Index, who: Caller = BOTH) -> list[Pair]:
    with seen(index, who) as view:
        return decide.pairs(view)


def told_pairs(index: Index, who: Caller = BOTH) -> list[tuple[str, str, str, str]]:
    return sorted((one.a.name, one.b.name, one.outcome, one.reason) for one in pairs(index, who))


def choose(index: Index, decision: str, n: int = 0, why: str = "badge") -> Pair:
    one = pairs(index)[n]
    decide.decide(index.store.connection(), BY, one, decision, why)
    return one


def people(index: Index, who: Caller = BOTH, *, merged: bool = True) -> list[tuple[str, ...]]:
    with index.store.reader(who) as reader:
        view = View(FactReader(reader), BUILT_IN, TODAY, merged=merged)
        return [one.names for one in view.of_type("Person")]


@pytest.fixture
def two(told: Told) -> Index:
    return told(
        {"a/one.md": (leads(person("Siobhan Keane"), "Red"),), "b/two.md": (leads(person("S. Keane"), "Blue"),)}
    )


def test_names_that_are_alike_are_proposed_and_join_nothing(two: Index) -> None:
    (one,) = pairs(two)
    assert (one.tier, one.similarity, one.outcome, one.reason) == ("judged", 0.925, "proposed", "initial")
    assert (one.decided_by, one.is_one, one.can_undo) == ("rules", False, False)
    assert (one.a.name, one.a.words.path, one.b.name, one.b.words.quote) == (
        "S. Keane",
        "b/two.md",
        "Siobhan Keane",
        "# Said",
    )
    assert people(two) == [("S. Keane",), ("Siobhan Keane",)]


def test_a_person_joins_them_takes_it_back_and_parts_them(two: Index) -> None:
    choose(two, "merge")
    assert people(two) == [("S. Keane", "Siobhan Keane")]
    assert people(two, merged=False) == [("S. Keane",), ("Siobhan Keane",)]
    (one,) = pairs(two)
    assert (one.outcome, one.decided_by, one.is_one, one.can_undo) == ("merged", "user:ada", True, True)
    assert [(made.action, made.made_by, made.why) for made in one.decisions] == [("merge", "user:ada", "badge")]
    with seen(two, BOTH) as view:
        assert lines(view, "S. Keane") == ["S. Keane leads Blue .. observed", "S. Keane leads Red .. observed"]
    choose(two, "undo")
    assert people(two) == [("S. Keane",), ("Siobhan Keane",)]
    with pytest.raises(UsageError, match="nothing to undo"):
        choose(two, "undo")
    choose(two, "apart")
    (one,) = pairs(two)
    assert (one.outcome, [made.action for made in one.decisions]) == ("apart", ["apart", "undo", "merge"])
    kinds = [row[0] for row in two.store.connection().execute("SELECT body FROM audit WHERE kind = 'decision'")]
    assert len(kinds) == 3
    assert '"names":["Person S. Keane","Person Siobhan Keane"]' in kinds[0].replace(", ", ",").replace(": ", ":")


@pytest.mark.permission
@pytest.mark.parametrize("decision", ["merge", "apart", ""])
def test_who_may_not_read_one_side_sees_what_there_would_be_without_it(told: Told, decision: str) -> None:
    one = (leads(person("Siobhan Keane"), "Red"), leads(person("Ann Lee"), "Red"))
    index = told({"a/one.md": one, "b/two.md": (leads(person("S. Keane"), "Blue"),)})
    if decision:
        choose(index, decision)
    assert pairs(index, A) == pairs(index, B) == []
    hidden = pairs(index)[0].id
    with seen(index, A) as view, pytest.raises(NoSuchDispute):
        decide.pair(view, hidden)
    shown = _everything(index, A)
    assert shown == _everything(told({"a/one.md": one}), A)


def _everything(index: Index, who: Caller) -> object:
    with index.store.reader(who) as reader:
        view = View(FactReader(reader), BUILT_IN, TODAY)
        things = [(one.key, one.names, one.ids) for kind in view.types() for one in view.of_type(kind)]
        return things, decide.pairs(view), decide.disagreements(view), lines(view, "Siobhan Keane")


@pytest.mark.permission
def test_a_pair_is_told_by_the_names_that_one_may_read(told: Told) -> None:
    """Both things are there for everybody of a, but the name by which they are alike only in b."""
    both = (says(service("Ledger", "svc:one"), "depends_on", service("Plan", "app:two")),)
    index = told(
        {
            "a/one.md": both,
            "b/two.md": (says(service("Plan Store", "svc:one"), "depends_on", service("planstore", "app:two")),),
        }
    )
    assert told_pairs(index) == [("planstore", "Plan Store", "proposed", "words between")]
    assert pairs(index, A) == []
    choose(index, "merge")
    with seen(index, A) as view:
        assert len(view.of_type("Service")) == 2
    with seen(index, BOTH) as view:
        assert len(view.of_type("Service")) == 1


def test_what_must_not_be_joined_is_kept_with_its_reason(told: Told) -> None:
    names = ("plan-store", "plan-store v2", "ledger eu", "ledger us", "search-api", "search-worker")
    index = told({"a/one.md": tuple(says(team("Red"), "owns", service(name)) for name in names)})
    assert told_pairs(index, A) == [
        ("ledger eu", "ledger us", "blocked", "other region: eu / us"),
        ("plan-store", "plan-store v2", "blocked", "other number: none / 2"),
        ("search-api", "search-worker", "blocked", "other part: api / worker"),
    ]


def test_the_same_name_of_another_type_stays_apart(told: Told) -> None:
    index = told({"a/one.md": (says(team("Bedrock"), "owns", service("Bedrock")), leads(person("Bedrok"), "Red"))})
    assert pairs(index, A) == []


def test_what_is_certain_is_listed_and_may_be_parted(told: Told) -> None:
    index = told(
        {
            "a/one.md": (leads(person("Ann Lee", "ann@x.example"), "Red"),),
            "a/two.md": (leads(person("Ann Lee"), "Blue"),),
            "a/three.md": (leads(Named("Person", ("A. L. Lee",), ("@ann", "ann@x.example")), "Green"),),
        }
    )
    assert len(people(index, A)) == 1
    listed = {
        (one.reason, one.outcome, one.is_one): n for n, one in enumerate(pairs(index, A)) if one.tier == "certain"
    }
    assert {*listed} == {("same name", "merged", True), ("same id", "merged", True)}
    choose(index, "apart", listed["same name", "merged", True])
    assert len(people(index, A)) == 2
    parted = next(n for n, one in enumerate(pairs(index)) if one.outcome == "apart")
    choose(index, "undo", parted)
    assert len(people(index, A)) == 1
    n = next(n for n, one in enumerate(pairs(index)) if one.reason == "same id")
    choose(index, "apart", n)
    assert not next(one.is_one for one in pairs(index) if one.outcome == "apart")
    with seen(index, A) as view:
        keys = [one.key for one in view.of_type("Person")]
        assert len(keys) == len({*keys}) >= 2


def test_people_of_one_name_with_other_ids_are_two_until_a_person_says_so(told: Told) -> None:
    index = told(
        {
            "a/one.md": (leads(person("Ann Lee", "emp_1"), "Red"),),
            "a/two.md": (leads(person("Ann Lee", "emp_2"), "Blue"),),
        }
    )
    assert told_pairs(index, A) == [("Ann Lee", "Ann Lee", "blocked", "other id: emp 1 / emp 2")]
    assert len(people(index, A)) == 2
    choose(index, "merge")
    assert len(people(index, A)) == 1


def test_names_that_the_company_says_are_one_thing(told: Told) -> None:
    same = read('[[same]]\nnames = ["Bedrock", "Core platform"]\ntype = "Team"').aliases()
    index = told(
        {"a/one.md": (leads(person("Ann Lee"), "Bedrock"),), "b/two.md": (leads(person("Bo Day"), "Core Platform"),)}
    )
    for who, names in ((BOTH, [("Bedrock", "Core Platform")]), (A, [("Bedrock",)]), (B, [("Core Platform",)])):
        with index.store.reader(who) as reader:
            assert [one.names for one in View(FactReader(reader), BUILT_IN, TODAY, same=same).of_type("Team")] == names


def test_a_forgotten_thing_starts_clean_and_old_pairs_are_not_judged_again(two: Index, docs: Path) -> None:
    choose(two, "merge")
    connection = two.store.connection()
    before = connection.execute("SELECT id, key, at FROM merges").fetchall()
    write(docs, {"a/one.md": "# Said\n\nother words\n"})
    two.sync()
    assert connection.execute("SELECT id, key, at FROM merges").fetchall() == before
    assert len(people(two)) == 1
    (docs / "b/two.md").unlink()
    two.sync()
    assert connection.execute("SELECT count(*) FROM merges").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM name_parts WHERE key = 's. keane'").fetchone() == (0,)
    write(docs, {"b/two.md": "# Said\n\nback\n"})
    two.sync()
    (one,) = pairs(two)
    assert (one.outcome, one.decisions[0].action if one.decisions else "") == ("proposed", "merge")
    assert len(people(two)) == 2


def test_old_pairs_are_not_compared_again(two: Index, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = list[tuple[str, str]]()
    rule = naming.ruled

    def noting(a: naming.Bearing, b: naming.Bearing) -> naming.Ruled | None:
        compared.append((a.key, b.key))
        return rule(a, b)

    monkeypatch.setattr(naming, "ruled", noting)
    write(docs, {"a/one.md": "# Said\n\nother words\n"})
    assert two.sync().changed == 1
    assert compared == []


def test_a_name_that_a_thing_has_lost_finds_nothing(told: Told, docs: Path) -> None:
    index = told(
        {
            "a/one.md": (says(service("Ledger", "svc-1"), "depends_on", service("planstore")),),
            "a/two.md": (says(service("Plan Store", "svc-1"), "tier", "1"),),
        }
    )
    assert told_pairs(index, A) == [("Plan Store", "planstore", "proposed", "words between")]
    (docs / "a/two.md").unlink()
    index.sync()
    connection = index.store.connection()
    assert connection.execute("SELECT count(*) FROM merges").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM name_parts WHERE key = 'plan store'").fetchone() == (0,)


def test_nothing_is_proposed_of_what_is_one_by_other_names(told: Told) -> None:
    index = told(
        {
            "a/one.md": (leads(person("Siobhan Keane", "sk@x.example"), "Red"),),
            "a/two.md": (leads(Named("Person", ("S. Keane",), ("@sk", "sk@x.example")), "Blue"),),
            "a/three.md": (leads(person("S. Keane"), "Green"),),
        }
    )
    assert {one.outcome for one in pairs(index, A)} == {"merged"}
    assert len(people(index, A)) == 1


def test_lists_are_read_page_by_page(told: Told) -> None:
    index = told(
        {"a/one.md": tuple(leads(person(f"{name} Keane"), "Red") for name in ("Siobhan", "S.", "Bob", "Robert", "R."))}
    )
    every = pairs(index, A)
    assert len(every) == 3
    with seen(index, A) as view:
        found = decide.pairs(view, limit=2)
        assert found + decide.pairs(view, before=found[-1].id, limit=2) == every
        assert decide.pairs(view, "merged") == []
        with pytest.raises(UsageError, match="no outcome 'lost'"):
            decide.pairs(view, "lost")


# --- facts that disagree ------------------------------------------------------------------------------------------


@pytest.fixture
def disputed(told: Told) -> Index:
    return told(
        {
            "a/one.md": (says(team("Red"), "owns", service("notify")),),
            "a/again.md": (says(team("Red"), "owns", service("notify")),),
            "b/two.md": (says(team("Blue"), "owns", service("notify")),),
        }
    )


@contextmanager
def disagreeing(index: Index, who: Caller = BOTH) -> Iterator[Conflicts]:
    with seen(index, who) as view:
        found = decide.disagreements(view)
    yield found


def rule(index: Index, kept: str, how: Callable[..., None] = decide.keep) -> None:
    with disagreeing(index) as found:
        sides = {side.subject: side.id for one in found.open for side in one.sides}
        sides |= {side.subject: side.id for one in found.decided for side in (one.kept, one.closed)}
        (other,) = {*sides} - {kept}
        how(index.store.connection(), BY, found, sides[kept], sides[other], "asked them")


def owners(index: Index, who: Caller = BOTH) -> list[tuple[str, str, str]]:
    with seen(index, who) as view:
        return [(fact.subject.name, fact.status, fact.valid_to) for fact in view.about(view.named("notify"))]


def test_a_conflict_is_shown_with_both_quotes_and_decided(disputed: Index, docs: Path) -> None:
    with disagreeing(disputed) as found:
        (conflict,) = found.open
        assert (conflict.thing, conflict.predicate, found.decided) == ("notify", "owns", ())
        assert [(side.subject, [words.path for words in side.words]) for side in conflict.sides] == [
            ("Blue", ["b/two.md"]),
            ("Red", ["a/again.md", "a/one.md"]),
        ]
    assert owners(disputed) == [("Blue", "disputed", ""), ("Red", "disputed", "")]
    rule(disputed, "Blue")
    (blue, red) = owners(disputed)
    assert (blue, red[:2], bool(red[2])) == (
        ("Blue", "verified", ""),
        (
            "Red",
            "observed",
        ),
        True,
    )
    with disagreeing(disputed) as found:
        assert found.open == ()
        (ruled,) = found.decided
        assert (ruled.kept.subject, ruled.closed.subject, ruled.made_by, ruled.why) == (
            "Blue",
            "Red",
            "user:ada",
            "asked them",
        )
    rule(disputed, "Red")
    assert [one[1] for one in owners(disputed)] == ["observed", "verified"], "the last decision counts"
    rule(disputed, "Red", decide.reopen)
    assert [one[1] for one in owners(disputed)] == ["disputed", "disputed"]


def test_a_ruling_outlives_an_edit_and_ends_with_its_evidence(disputed: Index, docs: Path) -> None:
    rule(disputed, "Blue")
    write(docs, {"a/one.md": "# Said\n\nother words\n", "b/two.md": "# Said\n\nothers, too\n"})
    disputed.sync()
    assert [one[1] for one in owners(disputed)] == ["verified", "observed"]
    (docs / "b/two.md").unlink()
    disputed.sync()
    assert owners(disputed) == [("Red", "observed", "")]


@pytest.mark.permission
def test_a_ruling_is_nothing_to_who_may_not_read_both(disputed: Index) -> None:
    before = [_everything(disputed, who) for who in (A, B)]
    rule(disputed, "Blue")
    assert [_everything(disputed, who) for who in (A, B)] == before
    assert owners(disputed, A) == [("Red", "observed", "")]
    with disagreeing(disputed) as found, disagreeing(disputed, A) as mine:
        with pytest.raises(NoSuchDispute):
            decide.keep(disputed.store.connection(), BY, mine, found.decided[0].kept.id, found.decided[0].closed.id, "")
        with pytest.raises(UsageError, match="in no conflict"):
            decide.keep(disputed.store.connection(), BY, found, found.decided[0].kept.id, found.decided[0].kept.id, "")


@pytest.mark.freshness
def test_a_decision_changes_the_state_of_those_who_see_it_alone(told: Told) -> None:
    index = told(
        {
            "a/one.md": (leads(person("Siobhan Keane"), "Red"), says(team("Red"), "owns", service("notify"))),
            "b/two.md": (leads(person("S. Keane"), "Blue"), says(team("Blue"), "owns", service("notify"))),
        }
    )

    def states() -> list[str]:
        found = []
        for who in (BOTH, A, B):
            with index.store.reader(who) as reader:
                found.append(decided.state(FactReader(reader), reader.kept))
        return found

    seen_by = [states()]
    for step in (lambda: choose(index, "merge"), lambda: choose(index, "undo"), lambda: rule(index, "Red")):
        step()
        seen_by.append(states())
    both = [one for one, *_ in seen_by]
    assert len({*both}) >= 3
    assert both[1] != both[2] != both[3]
    assert {(a, b) for _, a, b in seen_by} == {("", "")}


@pytest.mark.freshness
def test_no_cached_answer_outlives_a_decision_that_its_caller_sees(two: Index) -> None:
    def key(who: Caller) -> Hashable:
        return key_of(two, two.searcher(), who, "who leads Red?", None, EVERYTHING, "rules")

    before = [key(who) for who in (BOTH, A, B)]
    choose(two, "merge")
    assert [key(who) == was for who, was in zip((BOTH, A, B), before, strict=True)] == [False, True, True]


# --- what a model says --------------------------------------------------------------------------------------------


def writer(double: OllamaDouble) -> OllamaChat:
    patience: dict[str, Any] = dict.fromkeys(("connect_seconds", "read_seconds", "total_seconds"), 10.0)
    return OllamaChat(
        double.host, "qwen3.5:9b", num_ctx=4096, num_predict=100, temperature=0, keep_alive="1m", **patience
    )


@pytest.mark.permission
def test_a_model_joins_for_who_may_read_what_it_saw_and_is_asked_once(told: Told) -> None:
    index = told(
        {
            "a/one.md": (leads(person("Siobhan Keane"), "Red"),),
            "b/two.md": (leads(person("Siobhan Kaene"), "Blue"),),
            "c/also.md": (leads(person("Siobhan Kaene"), "Blue"),),
        }
    )
    a_and_c = caller("a", "c")
    with OllamaDouble(handler=lambda messages: '{"why": "a slip", "same": "yes"}') as ollama:
        chat = writer(ollama)
        done = judge_names(index.store.connection(), chat, index.settings)
        assert (done.asked, done.merged, done.fault) == (1, 1, "")
        (one,) = pairs(index)
        assert (one.outcome, one.tier, one.decided_by[:13], one.can_undo) == ("merged", "judged", "model ollama/", True)
        assert len(people(index)) == 1
        (other,) = pairs(index, a_and_c)
        assert (other.outcome, other.decided_by, other.can_undo, other.at) == ("proposed", "rules", False, one.at)
        assert len(people(index, a_and_c)) == 2
        choose(index, "undo")
        assert len(people(index)) == 2
        assert judge_names(index.store.connection(), chat, index.settings).asked == 0


def test_a_model_that_says_no_is_not_asked_again(two: Index, docs: Path) -> None:
    said = ["yes", "no"]
    with OllamaDouble(handler=lambda messages: f'[{{"same": "{said[-1]}"}}]') as ollama:
        chat = writer(ollama)
        assert judge_names(two.store.connection(), chat, two.settings).apart == 1
        assert (pairs(two)[0].outcome, len(people(two))) == ("apart", 2)
        said.pop()
        assert judge_names(two.store.connection(), chat, two.settings).asked == 0, "a pair is asked about once"
        write(docs, {"a/one.md": "# Said\n\nother words\n"})
        two.sync()
        assert judge_names(two.store.connection(), chat, two.settings).asked == 0, "the page still names it"


@pytest.mark.parametrize("reply", ['{"same": "perhaps"}', "I cannot tell", "{}", '{"same": "yes"} {"same": "no"}'])
def test_a_reply_that_cannot_be_read_is_told_and_joins_nothing(two: Index, reply: str) -> None:
    with OllamaDouble(handler=lambda messages: reply) as ollama:
        chat = writer(ollama)
        done = judge_names(two.store.connection(), chat, two.settings)
        assert (done.unread, done.fault, "of 1 pairs the chat model said neither" in done.told) == (1, "", True)
        assert (pairs(two)[0].outcome, pairs(two)[0].decided_by[:5], len(people(two))) == ("proposed", "model", 2)
        again = judge_names(two.store.connection(), chat, two.settings)
        assert (again.unread, len(ollama.requests)) == (0, 2), "others wait behind it no longer"


# --- the roads ----------------------------------------------------------------------------------------------------

PAGES = {
    "teams.md": "# Teams\n\n| Team | Lead |\n|---|---|\n| Red | Siobhan Keane |\n| Blue | Bob Day |\n",
    "board.md": "# Teams of the board\n\n| Team | Lead |\n|---|---|\n| Green | Siobhan Kaene |\n",
    "services.md": "# Services\n\n| Service | Owner |\n|---|---|\n| notify | Red |\n",
    "old.md": "# Services of old\n\n| Service | Owner |\n|---|---|\n| notify | Blue |\n",
}


def test_over_http(double: Held, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, PAGES)
    with running(double.settings(docs)) as service:
        service.ready()
        (one,) = service.client.get("/audit/merges", params={"outcome": "proposed"}).json()["merges"]
        assert (one["a"]["name"], one["b"]["name"], one["reason"]) == ("Siobhan Kaene", "Siobhan Keane", "spelling")
        assert one["a"]["words"]["path"] == "board.md"
        road = f"/audit/merges/{one['id']}"
        told = service.client.post(road, json={"decision": "merge", "why": "same badge"}).json()
        assert (told["outcome"], told["decided_by"], told["is_one"]) == ("merged", "user:local", True)
        assert service.client.post(road, json={"decision": "undo"}).json()["outcome"] == "proposed"
        assert service.client.post(road, json={"decision": "undo"}).json()["code"] == "usage"
        assert service.client.post(road, json={"decision": "join"}).status_code == 422
        lost = service.client.post("/audit/merges/0000", json={"decision": "merge"})
        assert (lost.status_code, lost.json()["code"]) == (404, "not_found")
        (conflict,) = service.client.get("/audit/conflicts").json()["open"]
        ids = {side["subject"]: side["id"] for side in conflict["sides"]}
        wish = {"kept": ids["Red"], "closed": ids["Blue"], "why": "asked them"}
        told = service.client.post("/audit/conflicts", json=wish).json()
        assert (told["open"], [one["kept"]["subject"] for one in told["decided"]]) == ([], ["Red"])
        told = service.client.post("/audit/conflicts", json={**wish, "decision": "reopen"}).json()
        assert ([one["thing"] for one in told["open"]], told["decided"][0]["is_in_force"]) == (["notify"], False)
        rows = service.client.get("/audit", params={"kind": "decision"}).json()["rows"]
        assert [row["body"]["action"] for row in rows] == ["merge", "undo", "keep", "reopen"]
        asked = service.client.get("/audit", params={"kind": "audit"}).json()["rows"]
        assert [row["body"]["action"] for row in asked][:2] == ["merges", "conflicts"]


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "docs"
    write(docs, PAGES)
    flags = ["--docs", str(docs), "--db", str(tmp_path / "i.db")]
    assert store_main([*flags, "--sync"]) == 0
    capsys.readouterr()
    assert decide.main([*flags, "--list"]) == 0
    listed = capsys.readouterr().out
    assert "proposed: Person Siobhan Kaene = Siobhan Keane (judged 0.88, spelling; by rules" in listed
    assert "board.md L5-5: | Green | Siobhan Kaene |" in listed
    assert "conflict: notify owns" in listed
    assert decide.main([*flags, "--list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    pair = next(one["id"] for one in told["pairs"] if one["outcome"] == "proposed")
    sides = [side["id"] for side in told["conflicts"]["open"][0]["sides"]]
    for job in (["--merge", pair], ["--undo", pair], ["--apart", pair], ["--keep", *sides], ["--reopen", *sides]):
        assert decide.main([*flags, *job, "--why", "so they say"]) == 0
        assert capsys.readouterr().out == f"decided: {job[0].removeprefix('--')}\n"
    with pytest.raises(UsageError, match="Say one thing to do"):
        decide.main([*flags, "--list", "--merge", pair])
    with pytest.raises(NoSuchDispute):
        decide.main([*flags, "--apart", "0000"])


# --- what goes with its last document -------------------------------------------------------------------------------


@pytest.mark.deletion
def test_what_was_decided_of_a_thing_that_nobody_names_any_more_is_not_revived(disputed: Index, docs: Path) -> None:
    """Facts, names and rulings: who names the same again starts clean, though the words are the same."""
    rule(disputed, "Blue")
    assert [status for _, status, _ in owners(disputed)] == ["verified", "observed"]
    connection = disputed.store.connection()
    for path in ("a/one.md", "a/again.md", "b/two.md"):
        (docs / path).unlink()
    disputed.sync(allow_empty=True)
    for table in ("nodes", "names", "facts", "evidence", "merges", "name_parts"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    with seen(disputed, BOTH) as view:
        assert (view.types(), view.predicates(), view.named("notify")) == ([], [], [])
    with disagreeing(disputed) as found:
        assert (found.open, found.decided) == ((), ())
    write(docs, dict.fromkeys(("a/one.md", "a/again.md", "b/two.md"), "# Said\n\nback\n"))
    disputed.sync()
    assert owners(disputed) == [("Blue", "disputed", ""), ("Red", "disputed", "")]


@pytest.mark.deletion
def test_a_model_s_yes_goes_with_the_document_that_it_saw(two: Index, docs: Path) -> None:
    with OllamaDouble(handler=lambda messages: '{"same": "yes"}') as ollama:
        assert judge_names(two.store.connection(), writer(ollama), two.settings).merged == 1
        assert len(people(two)) == 1
        (docs / "b/two.md").unlink()
        two.sync()
        assert two.store.connection().execute("SELECT count(*) FROM merges").fetchone() == (0,)
        assert people(two) == [("Siobhan Keane",)]
        write(docs, {"b/two.md": "# Said\n\nback\n"})
        two.sync()
        assert len(people(two)) == 2, "the model is asked anew, and joins nothing until then"
