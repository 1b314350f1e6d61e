"""Who may read what: nothing without a principal, nothing of others, and not a trace of others in any figure."""

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from access import EVERYONE, OPEN_LIST, Caller, local_caller
from answer import Assistant
from answering.cache import Cache
from retrieval.found import Found
from retrieval.gate import Calibration
from retrieval.keywords import look_up
from search import Index
from sources.folder import FolderSource
from storage.masked import MaskedReader
from tests.conftest import NOBODY, SAMPLE, Grants, HashEmbedder, all_places, caller, write

pytestmark = pytest.mark.permission

MakeIndex = Callable[..., Index]
QUESTIONS = (
    "annual leave",
    "receipts within thirty days",
    "VPN-2 foo_bar",
    "报销",
    "the salary of the board",
    "zzz qqq",
)


@pytest.fixture
def shared(docs: Path, make_index: MakeIndex) -> Index:
    """An index whose documents belong to two groups, one to both, one to nobody."""
    write(docs, {"board.md": "# Board\n\n## Salary\n\nThe salary of the board is secret-word 90000 euro.\n"})
    lists = {"leave.md": {"staff", "board"}, "travel/expenses.md": {"staff"}, "zh.md": {"staff"}, "board.md": {"board"}}
    embedder = HashEmbedder()
    embedder.embeds_units = True
    index = make_index(docs, embedder, Grants(docs, lists))
    index.sync()
    return index


def ask(index: Index, who: Caller, question: str) -> Found:
    return index.searcher().search(who, question, 50)


def read(index: Index, who: Caller) -> set[str]:
    return {hit.chunk.path for question in QUESTIONS for hit in ask(index, who, question).hits}


def figures(found: Found) -> list[Any]:
    """Everything a caller is told, without the numbers of rows."""
    hits = [
        (hit.chunk.path, hit.chunk.first_line, hit.score, hit.coverage, hit.keywords, hit.fused, hit.vector_rank,
         hit.keyword_rank, hit.passed)
        for hit in found.hits
    ]  # fmt: skip
    return [hits, [(p.source, p.text, p.score, p.fused) for p in found.passages], found.best_score, found.words]


def test_each_reads_their_own(shared: Index) -> None:
    assert read(shared, caller("staff")) == {"leave.md", "travel/expenses.md", "zh.md"}
    assert read(shared, caller("board")) == {"leave.md", "board.md"}
    assert read(shared, caller("staff", "board")) == set(SAMPLE) - {"travel/vpn.txt"} | {"board.md"}
    assert read(shared, caller("Staff")) == read(shared, caller("staff ")) == read(shared, caller(EVERYONE)) == set()


@pytest.mark.parametrize("who", [NOBODY, caller("guests"), caller("*"), caller("")])
@pytest.mark.refusal
def test_who_holds_no_listed_principal_gets_nothing_at_all(shared: Index, who: Caller) -> None:
    for question in QUESTIONS:
        found = ask(shared, who, question)
        assert (found.hits, found.passages, found.best_score) == ([], [], None)
    everything = all_places(shared.store)
    with shared.store.reader(who, 1) as reader:
        assert reader.count == 0
        assert not len(reader.places())
        assert reader.languages() == []
        assert list(reader.chunks(everything)) == []
        query = HashEmbedder().embed_query("salary", "en")
        assert len(reader.nearest(query, 50)[0]) == 0
        assert np.isneginf(reader.cosines_at(query, everything)).all()
        assert reader.best_units(HashEmbedder().embed_query("salary", "en"), everything) == {}
        assert len(reader.postings("salari")[0]) == 0


def test_the_keyboard_s_owner_reads_what_the_folder_holds(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs)
    index.sync()
    assert read(index, local_caller()) == set(SAMPLE)
    assert read(index, NOBODY) == set()


def test_a_document_without_an_access_list_is_nobody_s(shared: Index) -> None:
    assert "travel/vpn.txt" not in read(shared, caller("staff", "board", EVERYONE, "", "*"))


def test_a_reader_reads_its_own_part_only(shared: Index) -> None:
    store, query = shared.store, HashEmbedder().embed_query("salary of the board", "en")
    every = np.array(all_places(store))
    with store.reader(caller("board"), 1) as reader:
        mine = reader.cosines_at(query, every)
        assert sorted(reader.nearest(query, 50)[0].tolist()) == every[np.isfinite(mine)].tolist()
        theirs = every[~np.isfinite(mine)].tolist()
        places, *_ = reader.postings("salari")
        assert len(places) == 1
        assert list(reader.chunks(theirs)) == []
        assert reader.best_units(query, theirs) == {}
        assert not np.isin(theirs, reader.places()).any()
        assert reader.count == np.isfinite(mine).sum() == 3
        assert {row.path for row in reader.chunks(every)} == {"leave.md", "board.md"}
    with store.reader(caller("staff"), 1) as reader:
        assert len(reader.postings("salari")[0]) == 0
        assert sorted(reader.languages()) == ["en", "zh"]
        scores = look_up(reader, "salary", "en")
        assert not scores.bm25.any()
        assert not scores.coverage.any()


def test_no_figure_tells_of_what_others_have(shared: Index, docs: Path) -> None:
    """Every score, rank, share and count of a caller is the same to the last bit whatever others' documents hold."""
    staff = caller("staff")
    before = [figures(ask(shared, staff, question)) for question in QUESTIONS]
    texts = ("annual leave receipts salary", "报销 thirty days of leave", "zzz qqq VPN-2 foo_bar", "Wir sind die Firma")
    for number in range(120):
        write(docs, {f"a{number:03}.md": f"# Secret {number}\n\n{texts[number % 4]} {'leave ' * (number % 7)}\n"})
    assert isinstance(shared.source, Grants)
    shared.source.lists |= {f"a{number:03}.md": {"board"} for number in range(0, 120, 2)}
    shared.sync()
    assert shared.store.chunk_count() > 120
    assert [figures(ask(shared, staff, question)) for question in QUESTIONS] == before


def test_ties_are_not_decided_by_what_others_have(docs: Path, make_index: MakeIndex) -> None:
    """With more equal hits than are looked at, those taken are the same with and without others' equal hits."""

    def note(number: int) -> str:
        return f"# Note\n\nThe lift {1000 + number} is checked by the house technician.\n"

    write(docs, {f"aa/n{number:03}.md": note(number) for number in range(81)})
    source = Grants(docs, {f"aa/n{number:03}.md": {"staff"} for number in range(81)})
    embedder = HashEmbedder(dimension=1000)
    rare = np.random.default_rng(5).normal(size=1000)  # the last bits of its sums differ by the order
    embedder._vector = lambda text: np.asarray(rare / np.linalg.norm(rare), np.float32)  # type: ignore[method-assign]
    index = make_index(docs, embedder, source)
    index.sync()
    before = figures(ask(index, caller("staff"), "lift technician"))
    with index.store.reader(caller("staff"), 1) as reader:
        _, cosines = reader.nearest(embedder.embed_query("lift", "en"), 100)
        assert len(cosines) == 81
        assert len(set(cosines.tolist())) == 1
    write(docs, {f"m{number:03}.md": note(100 + number) for number in range(333)})
    source.lists |= {f"m{number:03}.md": {"board"} for number in range(333)}
    index.sync()
    assert figures(ask(index, caller("staff"), "lift technician")) == before


def test_callers_who_take_turns_get_their_own(shared: Index) -> None:
    """What is kept in memory for one is not given to the next."""
    for _ in range(3):
        assert read(shared, caller("board")) == {"leave.md", "board.md"}
        assert read(shared, NOBODY) == set()
        assert read(shared, caller("staff")) == {"leave.md", "travel/expenses.md", "zh.md"}


def test_nothing_can_be_read_without_a_caller(shared: Index) -> None:
    with pytest.raises(TypeError):
        shared.store.reader()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        shared.searcher().search("annual leave")  # type: ignore[call-arg,arg-type]
    with pytest.raises(TypeError):
        Caller()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        MaskedReader(shared.store.connection(), None, None)  # type: ignore[call-arg,arg-type]
    with pytest.raises(AttributeError), shared.store.reader(None):  # type: ignore[arg-type]
        pass
    optional = [field.name for field in dataclasses.fields(Caller) if field.default is not dataclasses.MISSING]
    assert optional == ["within", "person"], "one takes rights away, the other is for the records"


def test_one_string_is_not_a_set_of_principals(shared: Index) -> None:
    """A slip of the caller's maker: the letters of "staff" are no principals."""
    assert read(shared, Caller("slip", "staff")) == set()  # type: ignore[arg-type]


def test_principals_are_values_never_sql(shared: Index) -> None:
    for odd in ("staff' OR '1'='1", "%", "staff\0", '"', "ﬆaff"):
        assert read(shared, caller(odd)) == set()


def test_very_many_principals(shared: Index) -> None:
    many = caller("staff", *(f"group-{number}" for number in range(30_000)))
    assert read(shared, many) == {"leave.md", "travel/expenses.md", "zh.md"}


def test_the_folder_source_grants_everyone(docs: Path) -> None:
    assert FolderSource(docs).access("leave.md") == OPEN_LIST


def test_a_document_that_others_got_leaves_kept_answers_and_the_limit_s_notice_as_they_are(
    shared: Index, docs: Path
) -> None:
    """Neither `cached`, nor its time, nor "the documents changed much" tells that somebody else has new documents."""
    assert isinstance(shared.source, Grants)
    shared.source.lists["leave.md"] = {EVERYONE}
    shared.sync()
    chunks, open_chunks = shared.store.chunk_count(), shared.store.open_count()
    assert 0 < open_chunks < chunks
    made = Calibration(0.1, 0.5, "test/hash", chunks, open=open_chunks)
    shared.store.calibrate(shared.searcher().model_id, made.as_json())
    assistant, who = Assistant(shared, Cache(9)), caller("staff", EVERYONE)
    ask_kept = partial(assistant.ask, who, "annual leave")
    ask_kept()
    kept, _ = ask_kept()
    assert kept.cached
    assert kept.limit.fits
    write(docs, {f"more{number}.md": f"# More\n\nBoard paper {number}.\n" for number in range(2 * chunks)})
    shared.source.lists |= {f"more{number}.md": {"board"} for number in range(2 * chunks)}
    shared.sync()
    again, _ = ask_kept()
    assert again.model_dump(exclude={"id", "timings"}) == kept.model_dump(exclude={"id", "timings"})
    write(docs, {f"open{number}.md": f"# Open\n\nPaper {number}.\n" for number in range(chunks)})
    shared.source.lists |= {f"open{number}.md": {EVERYONE} for number in range(chunks)}
    shared.sync()
    anew, _ = ask_kept()
    assert not anew.cached
    assert not anew.limit.fits
    assert ask(shared, caller("staff"), "annual leave").limit.fits, "of what everyone reads they are told nothing"


def test_a_text_that_was_converted_from_another_format_is_its_readers_alone(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"board.html": "<html><body><h1>Board</h1><p>The salary is 90000 euro.</p></body></html>"})
    index = make_index(docs, None, Grants(docs, {"board.html": {"board"}, "leave.md": {"staff"}}))
    index.sync()
    with index.store.reader(caller("board")) as reader:
        assert "The salary is 90000 euro." in reader.converted("board.html")[0]
    with index.store.reader(caller("staff")) as reader:
        assert reader.converted("board.html") == reader.converted("leave.md") == ([], ())


def test_an_agent_reads_for_each_person_what_that_one_may(shared: Index) -> None:
    """Rights are kept by all that a caller holds: the same agent asks for one person and then for another."""
    agent = frozenset({"agent:bot", "staff", "board"})
    for _ in range(2):
        assert read(shared, Caller("agent:bot", agent, (frozenset({"board"}),))) == {"leave.md", "board.md"}
        assert "board.md" not in read(shared, Caller("agent:bot", agent, (frozenset({"staff"}),)))
        assert read(shared, Caller("agent:bot", agent, (frozenset(),))) == set()


@pytest.mark.permission
def test_a_kept_answer_is_its_caller_s_alone(shared: Index) -> None:
    """Whoever is given it sees by `cached` and by the time it takes that these words were asked before."""
    assistant, held = Assistant(shared, Cache(9)), frozenset({"staff"})
    callers = (Caller("user:a", held), Caller("user:b", held), Caller("user:a", held, person="user:7"))
    for kept in (False, True):
        assert [assistant.ask(who, "annual leave")[0].cached for who in callers] == [kept] * 3


@pytest.mark.freshness
def test_a_kept_answer_goes_with_the_right_to_read_it(shared: Index) -> None:
    assert isinstance(shared.source, Grants)
    assistant, who = Assistant(shared, Cache(9)), caller("staff")
    ask_kept = partial(assistant.ask, who, "How many days of annual leave?")
    ask_kept()
    kept, _ = ask_kept()
    assert kept.cached
    assert "leave.md" in {source.source for source in kept.sources}
    shared.source.lists["leave.md"] = {"board"}
    shared.sync()
    anew, _ = ask_kept()
    assert not anew.cached
    assert "leave.md" not in {source.source for source in anew.sources}
