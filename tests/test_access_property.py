"""Random companies: every road gives a caller what the rules of access_worlds allow, all of it, and not a trace more.

Plain pytest looks at some 150 cases (a caller with a question in a world), BRAIN_ACCESS_CASES=500 at others; a failure
names its seed. Many: python -m tests.prove_access --cases 20000, one again: --seed N --cases 1
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from access import Caller
from answer import Assistant
from answering import typed
from answering.cache import Cache
from errors import BrainError
from language.words import terms
from postgres.reader import PostgresReader, Rights
from retrieval.explain import explained
from retrieval.found import Found
from retrieval.gate import Calibration
from search import Index
from service.documents import document_lines
from service.examples import Examples
from service.feedback import judge
from service.recent import Recent
from service.shapes import Feedback
from storage.filter import Filter
from storage.reader import ChunkRow
from tests.access_mutants import MUTANTS
from tests.access_worlds import ALL, RUN, SHARED, Doc, World, callers, change, made, may, opened, questions, resynced
from tests.conftest import NOBODY, HashEmbedder, all_places
from tests.engine import on_postgres
from tests.postgres_mutants import POSTGRES
from tests.prove_access import ROOT

pytestmark = pytest.mark.permission

CASES = int(os.environ.get("BRAIN_ACCESS_CASES", "150"))
STEPS = 2
"""States of a world that are looked at: as made, and after some changes."""
_NOWHERE = "nowhere/n0.md"


def rows_by_path(index: Index, paths: Sequence[str]) -> dict[str, list[ChunkRow]]:
    """Every document's chunks, whoever may read them: what a slip of another road could hand in."""
    store = index.store
    if not on_postgres():
        with store.reader(NOBODY) as reader:
            return {path: list(reader._rows("d.path = ?", (path,))) for path in paths}
    seeing_all = PostgresReader(store.connection(), (0, 0), Rights(0, [], None, 0, 0, []), NOBODY)
    seeing_all.guard = "", ()
    return {path: list(seeing_all._rows("d.path = ?", (path,))) for path in paths}


def check_reader(world: World, index: Index, caller: Caller) -> None:
    """Every method of a Reader gives the chunks of the documents that the caller may read, all and no other."""
    able = {path for path in world.docs if may(world, path, caller)}
    model_id = index.searcher().model_id
    query = HashEmbedder().embed_query(" ".join(SHARED), "en")
    every, rows = all_places(index.store), rows_by_path(index, [*world.docs])
    with index.store.reader(caller, model_id) as reader:
        read = [row.path for row in reader.chunks(every)]
        path_of = dict(zip(reader.documents(every), read, strict=True))
        assert set(path_of.values()) == able
        mine = sorted(path_of)
        assert reader.count == len(mine) == sum(len(rows[path]) for path in able)
        assert reader.places().tolist() == mine
        assert np.array(every)[np.isfinite(reader.cosines_at(query, every))].tolist() == mine
        assert sorted(reader.nearest(query, 10_000)[0].tolist()) == mine
        assert sorted(reader.documents(every)) == sorted(reader.dates(every)) == mine
        assert sorted(reader.best_units(query, every)) == mine
        assert set(reader.languages()) == {rows[path][0].lang for path in able}
        for path, doc in world.docs.items():
            (row, *_) = rows[path]
            held = path in able
            assert bool(reader.last_line(path)) == bool(reader.lines_of(path, 1, 999)) == held, path
            assert bool(reader.section(row)) == held, path
            term, before = (terms(word, row.lang)[0] for word in (doc.words[0], doc.shared))
            assert {path_of[place] for place in reader.postings(term)[0].tolist()} == ({path} if held else set())
            together, _ = reader.phrase((before, term))
            assert {path_of[place] for place in together.tolist()} == ({path} if held else set())
            assert reader.converted(path) == ([], ())


def replies(
    index: Index, examples: Examples, caller: Caller, asked: Sequence[str], paths: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(road, all that it tells) but ids of replies and timings."""
    for wanted in (Filter(path="c/"), Filter(since="2020"), Filter(without=tuple(paths[:1]))):
        found = index.searcher().search(caller, asked[0], 50, wanted)
        yield f"filtered {wanted} {asked[0]}", as_json([explained(found), given(found)])
    for question in asked:
        found = index.searcher().search(caller, question, 50)
        yield f"search {question}", as_json([explained(found), given(found)])
        yield f"ask {question}", answered(Assistant(index), caller, question)
    for path in (*paths, _NOWHERE):
        yield f"document {path}", document(index, caller, path)
    yield from facts(index, caller, asked)
    for lang in ("", "de"):
        yield f"examples {lang}", examples.of(index, caller, lang).model_dump_json()


def facts(index: Index, caller: Caller, asked: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The facts as a caller is told them: things, maps, and each typed question."""
    for merged in (True, False):
        reply = typed.mapped(index, caller, (), (), "", "", 2000, None, merged=merged)
        yield f"map {merged}", reply.model_dump_json()
    around = typed.mapped(index, caller, ("Service", "Team"), ("owns",), "", RUN[0], 5, None)
    yield "map around", around.model_dump_json()
    word = re.sub(r".*?(\w+zq\w+)?.*", r"\1", asked[0])
    for text in ("", "run", RUN[0], word):
        yield f"things {text}", typed.things(index, caller, text, "", 50, None).model_dump_json()
    one, other = RUN[:2]
    tools: dict[str, dict[str, Any]] = {
        "card": {"thing": one}, "neighbours": {"thing": other}, "impact": {"thing": one},
        "path": {"a": one, "b": other}, "list": {"type": "Team"},
        "chain": {"start": [one], "steps": [["depends_on", "in"], ["owns", "in"]]},
        "count": {"type": "Service", "by": "owns"},
        "check": {"subject": one, "predicate": "depends_on", "object": other},
        "changes": {"thing": one}, "contradicted": {}, "conflicts": {},
    }  # fmt: skip
    for name, arguments in tools.items():
        yield f"facts {name}", typed.asked(index, caller, name, arguments, 0, 1000, None).model_dump_json()
    run = typed.asked(index, caller, "list", {"type": "Service"}, 0, 1000, None)
    yield "facts services", json.dumps([row.cells[0] for row in run.rows])


def given(found: Found) -> list[Any]:
    return [(p.source, p.lines, p.title, p.lang, p.heading, p.text, p.score, p.fused, p.also) for p in found.passages]


def answered(assistant: Assistant, caller: Caller, question: str) -> str:
    answer, _ = assistant.ask(caller, question)
    return as_json(answer.model_dump(exclude={"id", "timings"}))


def document(index: Index, caller: Caller, path: str) -> str:
    try:
        return document_lines(index, caller, path, 1, 400).model_dump_json()
    except BrainError as error:
        return f"{error.http_status} {error.code} {error}"


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def check_replies(world: World, index: Index, examples: Examples, caller: Caller, asked: Sequence[str]) -> None:
    """No word, name or count of what the caller may not read stands in a reply; what they may read is found."""
    able = {path for path in world.docs if may(world, path, caller)}
    hidden = set(world.docs) - able
    traces = {word for path in hidden for word in world.docs[path].words} | {path.rpartition("/")[2] for path in hidden}
    for road, told in replies(index, examples, caller, asked, sorted(world.docs)):
        left = [trace for trace in traces if trace in told.casefold() and trace not in road]
        assert not left, f"{road} tells {left}"
        kind, _, about = road.partition(" ")
        if kind in ("search", "filtered"):
            assert {hit["source"] for hit in json.loads(told)[0]["hits"]} <= able, road
        if kind == "document":
            assert told.startswith("{") == (about in able), about
            assert about in able or told == document(index, caller, _NOWHERE)
        if road in ("map True", "map False"):
            said = [row for path in able for row in world.docs[path].facts]
            names = {node["name"] for node in json.loads(told)["nodes"]}
            assert names >= {name for row in said for name in row}, f"{road} lacks some of {said}"
            assert bool(said) or not names & {*RUN}, f"{road} tells {names}"
        if road == "facts services":
            assert {*json.loads(told)} == {row[0] for path in able for row in world.docs[path].facts}
        if kind == "search":
            sources = {hit["source"] for hit in json.loads(told)[0]["hits"]}
            whole = {path for path in able if any(word in about for word in world.docs[path].words)}
            assert whole <= sources, f"{road} lacks {whole - sources}"


def check_memory(world: World, index: Index, who: Sequence[Caller], question: str) -> None:
    """What is kept for one caller, answers and judgements, is not given to another."""
    shared, recent = Assistant(index, Cache(50)), Recent()
    for caller in who:
        told = [answered(assistant, caller, question) for assistant in (Assistant(index), shared)]
        assert told[0].replace('"made_at": ""', "") == made_anew(told[1]), caller
    answer, _ = Assistant(index).ask(who[0], question)
    recent.add(who[0], question, answer)
    for wrong in (answer.id, "0" * 32):
        with pytest.raises(BrainError, match="answer") as error:
            judge(index.store, recent, None, who[1], Feedback(answer=wrong, verdict="right"))
        assert answer.id not in str(error.value)


def made_anew(told: str) -> str:
    """A kept answer as it was when it was made."""
    answer = json.loads(told)
    return as_json(answer | {"cached": False, "made_at": ""}).replace('"made_at": ""', "")


def check(seed: int, steps: int = STEPS, per_caller: int = 2) -> int:
    """Looks at every road of a world in several states; how many cases that were. Raises AssertionError."""
    world, examples, cases = made(seed), Examples(), 0
    with opened(world) as index:
        for step in range(steps):
            for _ in range(2 * bool(step)):
                change(world)
            if step:
                resynced(world, index)
            who = callers(world)
            for caller in who:
                asked = questions(world, per_caller)
                cases += len(asked)
                check_reader(world, index, caller)
                check_replies(world, index, examples, caller, asked)
            check_memory(world, index, who, questions(world, 1)[0])
    return cases


def check_silence(seed: int, rounds: int = 3) -> int:
    """Whatever becomes of what a caller may not read, every reply stays the same byte for byte; how many were compared.

    Also of answers that are kept: neither `cached` nor its time tells that something changed elsewhere.
    """
    world, compared = made(seed), 0
    with opened(world) as index:
        if world.rng.random() < 0.5:
            measured = Calibration(0.25, 0.6, "test/hash", index.store.chunk_count(), open=index.store.open_count())
            index.store.calibrate(index.searcher().model_id, measured.as_json())
        who, kept = callers(world), Kept(Assistant(index, Cache(1000)), Examples())
        for _ in range(rounds):
            asked, paths = questions(world, 2), sorted(world.docs)
            before = [seen_by(world, caller) for caller in who]
            told = [everything(index, kept, caller, asked, paths) for caller in who]
            for _ in range(world.rng.randint(1, 3)):
                change(world)
            resynced(world, index)
            for caller, then, was in zip(who, told, before, strict=True):
                if seen_by(world, caller) == was:
                    now = everything(index, kept, caller, asked, paths)
                    differing = [one for one in zip(then, now, strict=True) if one[0] != one[1]]
                    assert not differing, f"{caller}: {differing[0]}"
                    compared += len(now)
    return compared


def seen_by(world: World, caller: Caller) -> dict[str, tuple[str, bool]]:
    """The texts that a caller may read, and whether everybody may, by which a limit's fit is told."""
    each = [Caller(one, frozenset({one, "everyone"})) for one in ALL]
    able = [path for path in world.docs if may(world, path, caller)]
    return {path: (world.docs[path].text, all(may(world, path, one) for one in each)) for path in able}


class Kept(NamedTuple):
    """What a server keeps from one question to the next."""

    assistant: Assistant
    examples: Examples


def everything(
    index: Index, kept: Kept, caller: Caller, asked: Sequence[str], paths: Sequence[str]
) -> list[tuple[str, str]]:
    for question in asked:
        answered(kept.assistant, caller, question)  # the next one is a kept one
    again = [(f"kept {question}", answered(kept.assistant, caller, question)) for question in asked]
    with index.store.reader(caller) as reader:
        figures = [("count", str(reader.count)), ("languages", str(reader.languages()))]
    return [*replies(index, kept.examples, caller, asked, paths), *again, *figures]


def seeds(cases: int) -> range:
    """So many that `cases` are looked at: six callers with a question or more in each state."""
    return range(-(-cases // (6 * 2 * STEPS)))


@pytest.mark.parametrize("seed", seeds(CASES))
def test_every_road_gives_what_the_rules_allow_and_nothing_else(seed: int) -> None:
    assert check(seed)


@pytest.mark.parametrize("seed", range(1000, 1000 + max(8, CASES // 20)))
def test_what_a_caller_may_not_read_changes_no_byte_of_a_reply(seed: int) -> None:
    check_silence(seed)


def test_examples_and_suggestions_are_tried_as_the_caller_alone() -> None:
    """A better match that somebody else has takes no example and no suggestion away."""
    world = made(2)
    who = callers(world)[2]
    asked = [f"What is the {doc.words[1]} budget?" for doc in world.docs.values()]
    with opened(world) as index:

        def told() -> tuple[list[str], list[str]]:
            found = Examples().of(index, who)
            suggested = {text for question in asked for text in Assistant(index).ask(who, question)[0].next}
            return [one.text for one in (*found.examples, *found.topics)], sorted(suggested)

        before = told()
        assert all(before)
        for number, text in enumerate([*before[0], *before[1]]):
            page = f"---\naccess: user:u9\n---\n\n# {text}\n\n{text}\n"
            world.docs[f"better{number}.md"] = Doc(page, (), "", "user:u9")
        resynced(world, index)
        assert told() == before


def test_every_filter_that_can_be_taken_away_stands_once() -> None:
    """A change of the product that moves one leaves it in the list of tests.prove_access."""
    for one in (*MUTANTS, *POSTGRES):
        assert (ROOT / one.file).read_text(encoding="utf-8").count(one.old) == 1, one.name
