"""Search: both halves find, no character harms, the gate holds, and what is printed is what was compared."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from config import Settings
from errors import SourceError, StoreBusy
from models import Vector
from retrieval import gate
from retrieval.explain import explained, explained_as_text
from retrieval.found import Found
from retrieval.gate import Calibration
from search import Index, open_index, synced
from storage.report import Summary
from tests.conftest import SAMPLE, HashEmbedder, caller, write

MakeIndex = Callable[..., Index]


def ask(index: Index, question: str, k: int | None = None) -> Found:
    return index.searcher().search(caller(), question, k)


def top(index: Index, question: str) -> str:
    return ask(index, question).hits[0].chunk.path


@pytest.fixture
def index(docs: Path, make_index: MakeIndex) -> Index:
    made = make_index(docs, HashEmbedder())
    made.sync()
    return made


WORD_FINDS = [
    ("leave.md", "How many days of annual leave do I get?"),
    ("leave.md", "Do employees on leaves get days?"),
    ("travel/expenses.md", "receipt"),
    ("travel/expenses.md", "RECEIPTS"),
    ("travel/vpn.txt", "VPN-2"),
    ("travel/vpn.txt", "vpn"),
    ("travel/vpn.txt", "what is in S3?"),
    ("travel/vpn.txt", "foo_bar"),
    ("travel/vpn.txt", "FOO BAR"),
    ("zh.md", "报销"),
    ("zh.md", "报销要多久内提交？"),
    ("zh.md", "出差的规定"),
    ("de.md", "Wie melde ich eine Überstunde?"),
    ("de.md", "überstunden"),
    ("de.md", "Uberstunden"),
    ("de.md", "GRÖSSE"),
    ("ja.md", "出張"),
    ("ja.md", "出張費の精算はいつまでですか"),
    ("ko.md", "휴가"),
    ("ko.md", "연차 휴가를 언제까지 신청하나요?"),
]
MORE = {
    "de.md": "# Arbeitszeit\n\nÜberstunden meldet man im Portal. Die Größe der Gruppe ist egal.\n",
    "ja.md": "# 旅費\n\n出張費は三十日以内に精算してください。\n",
    "ko.md": "# 휴가\n\n연차 휴가는 이 주 전에 신청합니다.\n",
}


@pytest.mark.parametrize(("path", "question"), WORD_FINDS)
def test_words_alone_find(docs: Path, make_index: MakeIndex, path: str, question: str) -> None:
    write(docs, MORE)
    index = make_index(docs)
    index.sync()
    found = ask(index, question)
    assert found.vector is None
    assert found.hits[0].chunk.path == path
    assert found.hits[0].score is None
    assert found.hits[0].keyword_rank == 1


@pytest.mark.parametrize("word", ["报销", "出差", "提交", "出張", "精算", "연차", "휴가", "신청"])
def test_a_word_of_two_characters_passes_the_gate_alone(docs: Path, make_index: MakeIndex, word: str) -> None:
    write(docs, MORE)
    index = make_index(docs)
    index.sync()
    found = ask(index, word)
    assert found.passages
    assert found.hits[0].passed == "keywords"
    assert found.hits[0].coverage == 1


class Meaning(HashEmbedder):
    """Knows that a holiday is leave, and has no idea of VPN-2."""

    def _vector(self, text: str) -> Vector:
        return super()._vector(text.lower().replace("holiday", "annual leave").replace("vpn-2", "zzz"))


def test_each_half_finds_what_the_other_misses(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, Meaning())
    index.sync()
    by_meaning = ask(index, "holiday").hits[0]
    assert (by_meaning.chunk.path, by_meaning.keyword_rank, by_meaning.passed) == ("leave.md", None, "vector")
    by_word = next(hit for hit in ask(index, "VPN-2 please").hits if hit.chunk.path == "travel/vpn.txt")
    assert (by_word.keyword_rank, by_word.passed) == (1, "keywords")


HARMLESS = [
    '"', "'", '"unclosed', "*", "leave*", "-", "-leave", "NEAR", "NEAR(leave days)", "leave NEAR/2 days", ":",
    "terms:leave", "(", "leave AND OR NOT", "^leave", "{leave}", "leave\0", "\0", "\ud800", "leave \udfff days",
    "🙂", "🙂 leave 🙂", "%_", "\\", "; DROP TABLE chunks;--", "\u202eevael", "\n\n\t", "a" * 500, "!" * 500,
    "?" * 250 + " leave " + "(" * 243, "报" * 500, "_" * 40, "''''", "--", "/*", "é\u0301\u0301\u0301", "ﷺ", "𠮷",
]  # fmt: skip


@pytest.mark.parametrize("question", HARMLESS)
def test_every_character_is_harmless(index: Index, question: str) -> None:
    found = ask(index, question)
    json.dumps(explained(found))
    assert explained_as_text(found)
    assert top(index, "annual leave") == "leave.md", "and leaves the index as it was"


@given(question=st.text(max_size=80))
@examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_a_question(index: Index, question: str) -> None:
    for hit in ask(index, question).hits:
        assert 0 <= hit.coverage <= 1.0000001
        assert 0 <= hit.keywords <= 1


@pytest.mark.parametrize("limit", [-1, 0.2, 0.30004, 0.5, 0.99995, 1])
def test_printed_score_and_limit_agree_with_the_gate(docs: Path, make_index: MakeIndex, limit: float) -> None:
    """In JSON and in text: a passage passed by its vector if and only if its printed score reaches the limit."""
    index = make_index(docs, HashEmbedder(), min_score=limit, min_coverage=1)
    write(docs, {f"n{n}.md": f"# N\n\nannual leave {'days of the year ' * n}\n" for n in range(30)})
    index.sync()
    for question in ("annual leave", "days of the year", "How many days of annual leave do I get after one year?"):
        report = explained(ask(index, question, 50))
        assert report["limit"]["min_score"] == limit
        for row in report["hits"]:
            assert row["score"] == round(row["score"], 4), "as every other door prints it"
            assert (row["passed_by"] == "vector") == (row["score"] >= limit)
        text = explained_as_text(ask(index, question, 50)).splitlines()
        printed_limit = float(text[0].split()[2])
        for line in text[2:]:
            if "passed by vector" in line:
                assert float(line.split()[0]) >= printed_limit


def test_nothing_passes_below_both_limits(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder(), min_score=1, min_coverage=1)
    index.sync()
    found = ask(index, "How many days of leave does the mayor of Paris get?")
    assert found.hits
    assert not any(hit.passed for hit in found.hits)
    assert found.passages == []
    assert found.best_score == max(hit.score or 0 for hit in found.hits)
    assert "below the limit" in explained_as_text(found)


def test_the_keyword_gate_weighs_words_by_their_rarity(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {f"n{n}.md": f"# Note {n}\n\nThe office says something on the office {n}.\n" for n in range(20)})
    write(docs, {"gym.md": "# Sport\n\nA gymnasium is near.\n"})
    index = make_index(docs, min_coverage=0.75)
    index.sync()
    passed = [hit.chunk.path for hit in ask(index, "gymnasium office", 50).hits if hit.passed]
    assert passed == ["gym.md"], "the rare word counts, the common one does not"
    assert ask(index, "gymnasium helicopter submarine").passages == [], "one word of three unknown ones"


def test_gibberish_scores_nothing_and_the_exact_question_all(docs: Path, make_index: MakeIndex) -> None:
    notes = {f"n{n:02}.md": f"# Note {n}\n\nTopic{n} is kept by team{n} in building{n}.\n" for n in range(44)}
    write(docs, notes)
    index = make_index(docs, HashEmbedder(dimension=4096))
    index.sync()
    gibberish = ask(index, "qwxz vbnmk plorth")
    exact = ask(index, "Topic7 is kept by team7 in building7.")
    assert gibberish.passages == []
    assert (exact.hits[0].chunk.path, exact.hits[0].coverage) == ("n07.md", 1)
    assert exact.hits[0].score is not None
    assert exact.hits[0].score > 0.8 > 0.2 > (gibberish.best_score or 0)
    assert exact.hits[0].fused > 4 * max(hit.fused for hit in gibberish.hits)


def test_hits_that_touch_become_one_run_of_lines(docs: Path, make_index: MakeIndex) -> None:
    items = "\n\n".join(f"Rule {n}: the visitor of the lab wears badge number {n} at all times." for n in range(12))
    page = f"# Lab\n\n## Visitors\n\n{items}\n\n## Fire\n\nThe visitor leaves the lab by the stairs.\n"
    write(docs, {"lab.md": page})
    index = make_index(docs, HashEmbedder(), chunk_chars=200)
    index.sync()
    found = ask(index, "What does a visitor of the lab wear, badge number?", 50)
    lines = page.split("\n")
    from_lab = [passage for passage in found.passages if passage.source == "lab.md"]
    assert len([hit for hit in found.hits if hit.passed and hit.chunk.path == "lab.md"]) > len(from_lab) >= 1
    for passage in from_lab:
        assert passage.text == "\n".join(lines[passage.first_line - 1 : passage.last_line])
        assert passage.heading in (("Lab", "Visitors"), ("Lab", "Fire"))
    assert from_lab[0].last_line - from_lab[0].first_line > 6
    scores = [passage.fused for passage in found.passages]
    assert scores == sorted(scores, reverse=True)


def test_two_sections_are_two_passages_though_they_touch(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {"lab.md": "# Lab\n\n## Gloves\n\nGloves for the laser.\n\n## Glasses\n\nGlasses for the laser.\n"})
    index = make_index(docs)
    index.sync()
    passages = [p for p in ask(index, "laser").passages if p.source == "lab.md"]
    assert sorted(p.heading for p in passages) == [("Lab", "Glasses"), ("Lab", "Gloves")]
    assert [p.first_line for p in passages] in ([3, 7], [7, 3])


def test_every_passage_is_lines_of_its_file(index: Index, docs: Path) -> None:
    for question in ("annual leave days", "receipts hotels night euro", "VPN-2 bucket", "报销"):
        for passage in ask(index, question, 50).passages:
            lines = (docs / passage.source).read_text(encoding="utf-8").split("\n")
            assert passage.text == "\n".join(lines[passage.first_line - 1 : passage.last_line])


def test_k_is_how_many_are_looked_at(index: Index) -> None:
    assert [len(ask(index, "leave days manager", k).hits) for k in (1, 2, 3)] == [1, 2, 3]
    assert len(ask(index, "leave days manager").hits) == 5


def test_a_metadata_title_is_searched_and_shown(index: Index) -> None:
    hit = ask(index, "Expenses").hits[0].chunk
    assert (hit.title, hit.meta["owner"]) == ("Expenses", "finance")


def test_an_empty_index_answers_nothing(tmp_path: Path, make_index: MakeIndex) -> None:
    (tmp_path / "none").mkdir()
    index = make_index(tmp_path / "none", HashEmbedder())
    index.sync()
    assert ask(index, "annual leave").hits == []


# The limit: a setting, else the stored calibration, else what the model says


def stored(chunks: int) -> str:
    return Calibration(0.42, 0.6, "test/hash", chunks).as_json()


def test_where_the_limit_comes_from(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    limit = index.searcher().limit
    assert (limit.min_score, limit.min_coverage, limit.origin, limit.fits) == (
        0.3, gate.MIN_COVERAGE, "built-in", False,
    )  # fmt: skip
    chunks = index.store.chunk_count()
    index.store.calibrate(index.searcher().model_id, stored(chunks))
    limit = index.searcher().limit
    assert (limit.min_score, limit.min_coverage, limit.origin, limit.fits) == (0.42, 0.6, "calibration", True)
    set_by_hand = make_index(docs, HashEmbedder(), min_score=0.1, min_coverage=0.2).searcher().limit
    assert (set_by_hand.min_score, set_by_hand.min_coverage, set_by_hand.origin) == (0.1, 0.2, "setting")
    assert set_by_hand.fits


def test_a_calibration_of_another_model_or_corpus_does_not_fit(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    chunks = index.store.chunk_count()
    index.store.calibrate(index.searcher().model_id, stored(chunks * 2))
    assert not index.searcher().limit.fits
    index.store.calibrate(index.searcher().model_id, stored(chunks))
    other = make_index(docs, HashEmbedder("other"))
    other.sync()
    assert other.searcher().limit.origin == "built-in"
    for number in range(chunks):
        write(docs, {f"n{number}.md": f"# N\n\nText {number}.\n"})
    index.sync()
    assert not index.searcher().limit.fits, "the corpus has doubled"


def test_keywords_only_has_no_limit_to_calibrate(docs: Path, make_index: MakeIndex) -> None:
    limit = make_index(docs).searcher().limit
    assert (limit.min_score, limit.origin, limit.fits) == (1.0, "built-in", True)


# At a command's start


def test_a_command_answers_from_what_is_there_while_another_syncs(
    index: Index, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commandline import progress

    asked: list[bool] = []

    def busy(*, wait: bool, progress: object, moves: bool, reads: bool) -> Summary:
        asked.append(wait)
        raise StoreBusy("busy")

    said: list[str] = []
    monkeypatch.setattr(index, "sync", busy)
    synced(index, said.append, progress)
    assert asked == [False], "there is something to read: no wait"
    assert len(said) == 1
    assert "answered from what it holds" in said[0]


def test_a_command_says_that_files_were_left_out(docs: Path, make_index: MakeIndex) -> None:
    from commandline import progress

    write(docs, {"empty.md": "", "odd.md": b"\xff\xfe\xfd"})  # an empty one is worth no word
    said: list[str] = []
    index = make_index(docs)
    synced(index, said.append, progress)
    assert said == ["1 file was left out; python store.py --sync names them and why"]
    synced(index, said.append, progress)
    assert len(said) == 2, "as long as it is so: the answer may stand in that file"


def test_a_wrong_folder_makes_no_database(tmp_path: Path, make_settings: Callable[..., Settings]) -> None:
    there = make_settings(tmp_path / "typo", backend="embedded")
    with pytest.raises(SourceError, match="does not exist"):
        open_index(there, notice=print)
    assert not there.db.exists()


def test_the_sample_is_what_the_tests_say() -> None:
    assert set(SAMPLE) == {"leave.md", "travel/expenses.md", "travel/vpn.txt", "zh.md"}
