"""What ranks: each half by what it knows, phrases, time and page, and the sum that --explain shows."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from retrieval.explain import explained, explained_as_text
from retrieval.found import Found
from retrieval.keywords import WordScores
from search import Index
from tests.conftest import Grants, HashEmbedder, caller, write

MakeIndex = Callable[..., Index]


def ask(index: Index, question: str, who: str = "", k: int = 50) -> Found:
    return index.searcher().search(caller(who) if who else caller(), question, k)


def scores(coverage: list[float]) -> WordScores:
    values = np.array(coverage)
    return WordScores(np.arange(len(values)), values, values, np.zeros(len(values)), ("word",))


@pytest.mark.parametrize(
    ("coverage", "margin"),
    [
        ([], 0.0), ([0.0] * 50, 0.0), ([0.8], 0.8), ([0.8, 0.8, 0.1], 0.8), ([0.8] * 21 + [0.1], 0.0),
        ([1.0] + [0.25] * 40, 0.75), ([1.0] * 20 + [0.25] * 40, 0.75), ([0.5] * 1000, 0.0),
    ],
)  # fmt: skip
def test_words_weigh_by_how_far_the_best_stand_out(coverage: list[float], margin: float) -> None:
    assert scores(coverage).margin == pytest.approx(margin)
    hidden = scores([*coverage, *[0.0] * 100])
    assert hidden.margin == pytest.approx(margin), "unreadable chunks, which are zeros, change nothing"


@pytest.fixture
def notes(docs: Path, make_index: MakeIndex) -> Index:
    """Forty pages that share a word, one of which has a word of its own."""
    write(docs, {f"n{i}.md": f"# Note {i}\n\nThe meeting of group {i} is on Monday in room {i}.\n" for i in range(40)})
    write(docs, {"odd.md": "# Odd\n\nThe meeting about the aquarium is on Monday.\n"})
    index = make_index(docs, HashEmbedder())
    index.sync()
    return index


def test_a_word_that_stands_everywhere_adds_nothing_a_rare_one_much(notes: Index) -> None:
    everywhere = ask(notes, "meeting").hits[0]
    assert everywhere.coverage == 1
    assert everywhere.gave.get("words", 0.0) == pytest.approx(0.0, abs=1e-9)
    rare = ask(notes, "aquarium").hits[0]
    assert rare.chunk.path == "odd.md"
    assert rare.gave["words"] > 0.4


def test_a_question_in_another_language_is_not_moved_by_words(notes: Index) -> None:
    for hit in ask(notes, "在哪里开会？").hits:
        assert hit.gave.get("words", 0.0) == 0.0
        assert hit.keyword_rank is None


def test_what_each_part_gave_is_what_ranks(notes: Index) -> None:
    found = ask(notes, 'Where is the "meeting about the aquarium" since March?')
    ranked = [hit.fused for hit in found.hits]
    assert ranked == sorted(ranked, reverse=True)
    assert {"vectors", "words", "phrase", "time", "page"} <= set(found.hits[0].gave)
    for told, hit in zip(explained(found)["hits"], found.hits, strict=True):
        assert sum(told["gave"].values()) == pytest.approx(told["fused"], abs=1e-3)
        assert hit.fused == pytest.approx(sum(hit.gave.values()))
    text = explained_as_text(found)
    assert "Found by: both halves" in text
    assert "Time: dated" in text
    assert " = vectors " in text
    assert " + phrase 0.500" in text


def test_two_passages_of_one_page_that_fit_stand_before_one_that_does(docs: Path, make_index: MakeIndex) -> None:
    both = "# Bicycles\n\n## Sheds\n\nA bicycle shed stands in the yard.\n\n## Keys\n\nThe bicycle shed key is blue.\n"
    one = "# Garden\n\n## Sheds\n\nA bicycle shed stands in the park.\n\n## Roses\n\nThey are red.\n"
    write(docs, {"both.md": both, "one.md": one})
    index = make_index(docs, HashEmbedder())
    index.sync()
    found = ask(index, "bicycle shed")
    page = {hit.chunk.path: hit.gave["page"] for hit in found.hits if "shed stands" in hit.chunk.text}
    assert page["both.md"] > page["one.md"]
    assert found.hits[0].chunk.path == "both.md"


def test_pages_that_may_not_be_read_change_no_part(docs: Path, make_index: MakeIndex) -> None:
    question = 'Which "annual leave" is current since 2020?'
    lists = {"leave.md": {"staff"}, "zh.md": {"staff"}}
    index = make_index(docs, HashEmbedder(), source=Grants(docs, lists))
    index.sync()
    before = [(hit.chunk.path, dict(hit.gave)) for hit in ask(index, question, "staff").hits]
    secret = {
        f"s{i}.md": f"---\ndate: 2030-01-0{i % 9 + 1}\n---\n\n# Annual leave\n\nannual leave {i}\n" for i in range(60)
    }
    write(docs, secret)
    lists |= {name: {"board"} for name in secret}
    index.sync()
    assert [(hit.chunk.path, dict(hit.gave)) for hit in ask(index, question, "staff").hits] == before
    assert before
