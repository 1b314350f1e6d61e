"""Calibration: questions made from documents, the choice of a limit, what is learned, drawn and stored."""

import contextlib
import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import search
from calibration import decide, first
from calibration.choose import (
    best_coverage_limit,
    best_score_limit,
    by_group,
    group_limits,
    interval,
    nearly_as_good,
    price_of,
)
from calibration.decide import cross_validated, learned
from calibration.first import Result, calibrated, calibration, first_limit
from calibration.logistic import fit
from calibration.measure import Measured, Measures, auc, measure, sorted_measures
from calibration.offtopic import QUESTIONS
from calibration.plot import drawn
from calibration.questions import Question, in_turn, mixed, off_topic, self_made, written
from errors import BadReply, ModelError, UsageError
from eval import calibrate
from language.detect import language_of
from models import Message, ModelIdentity, Models, Reply
from retrieval.decision import NAMES, VERSION, Decision, Weights
from retrieval.gate import Calibration, read_calibration
from retrieval.signals import signals
from search import Index, synced
from storage.filter import Filter
from storage.report import Progress

from .conftest import Grants, HashEmbedder, caller, write

MakeIndex = Callable[..., Index]
SUBJECTS = ("annual leave", "hotel bill", "parking permit", "laptop repair", "office plant", "fire drill", "pension")
VERBS = ("approved", "ordered", "reviewed", "cancelled", "documented", "renewed", "announced")


def question(answerable: bool = True, made: str = "hand", **values: Any) -> Question:
    return Question(values.pop("text", "q"), values.pop("lang", "en"), answerable, made, **values)


def measures(able: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]) -> Measures:
    return sorted_measures(
        [Measured(question(), *pair) for pair in able] + [Measured(question(False), *pair) for pair in others]
    )


def result(of: Measures) -> Result:
    return Result(of, of, calibration(of, "m", 5, 3))


@contextlib.contextmanager
def silent(label: str) -> Iterator[Progress | None]:
    yield None


@pytest.fixture
def corpus(docs: Path) -> Path:
    """Seven documents of seven sentences each, no two alike."""
    for i, subject in enumerate(SUBJECTS):
        rows = [
            f"The {subject} number {i}{j} is {verb} by the {SUBJECTS[j]} office before week {10 * i + j}.\n"
            for j, verb in enumerate(VERBS)
        ]
        write(docs, {f"{i}.md": f"# The {subject}\n\n" + "\n".join(f"## Part {j}\n\n{r}" for j, r in enumerate(rows))})
    return docs


@pytest.fixture
def index(corpus: Path, make_index: MakeIndex) -> Index:
    made = make_index(corpus, HashEmbedder(dimension=256))
    made.sync()
    return made


# --- the choice ---


def test_separated_lists_get_the_middle_of_the_gap() -> None:
    assert best_score_limit([0.5, 0.6, 0.9], [0.1, 0.3], 3) == pytest.approx(0.4)


def test_the_cost_moves_the_limit_through_an_overlap() -> None:
    able, others = [0.2, 0.4, 0.6, 0.8], [0.1, 0.3, 0.5, 0.7]
    assert best_score_limit(able, others, cost=3) == pytest.approx(0.75)  # refuses three quarters, lets none through
    assert best_score_limit(able, others, cost=0.1) == pytest.approx(0.15)  # refuses nothing


def test_both_lists_count_equally_however_long() -> None:
    able, others = [0.4, 0.6], [0.1, 0.5]
    assert best_score_limit(able, others, 3) == best_score_limit(able * 50, others, 3) == pytest.approx(0.55)


def test_how_sure_the_limit_is_is_told() -> None:
    assert nearly_as_good([0.5, 0.6, 0.9], [0.1, 0.3], 3) == pytest.approx((0.4, 0.4))
    # Each limit just above an unanswerable score costs 3/4: what is not let through is refused instead.
    low, high = nearly_as_good([0.2, 0.4, 0.6, 0.8], [0.1, 0.3, 0.5, 0.7], 1)
    assert (low, high) == pytest.approx((0.15, 0.75))


def test_lists_the_wrong_way_round_refuse_everything() -> None:
    limit = best_score_limit([0.1, 0.2], [0.8, 0.9], 3)
    assert limit > 0.9


def test_coverage_stops_where_words_do_more_harm() -> None:
    made = measures(
        [(0.9, 0.0), (0.2, 0.95), (0.2, 0.85), (0.2, 0.3)], [(0.1, 0.8), (0.1, 0.7), (0.1, 0.6), (0.1, 0.1)]
    )
    # From .8 on two are saved for one let through; from .7 on two for two; from .6 on three would pass.
    assert best_coverage_limit(made, 0.5) == pytest.approx(0.65)
    price = price_of(made, 0.5, best_coverage_limit(made, 0.5))
    assert (price.refused, price.through) == (1, 2)


def test_coverage_is_never_below_half_nor_above_one() -> None:
    assert best_coverage_limit(measures([(0.2, 0.1)], [(0.1, 0.2)]), 0.5) == 0.5
    assert best_coverage_limit(measures([(0.2, 0.1)], [(0.1, 1.0)]), 0.5) == 1.0


def test_too_few_cases_are_an_error() -> None:
    enough, few = [(0.5, 0.0)] * 10, [(0.1, 0.0)] * 9
    for able, others in ((enough, few), (few, enough), ([], [])):
        with pytest.raises(UsageError, match="Too few questions"):
            calibration(measures(able, others), "m", 5, 3)
    assert calibration(measures(enough, [(0.1, 0.0)] * 10), "m", 5, 3).min_score == pytest.approx(0.3)


def test_overlap_is_told_and_so_is_its_absence() -> None:
    able = [(0.3 + i / 100, 0.0) for i in range(10)]
    apart = measures(able, [(0.1 + i / 100, 0.0) for i in range(10)])
    over = measures(able, [(0.25 + i / 100, 0.0) for i in range(10)])
    assert not apart.overlap
    assert over.overlap
    assert "do not overlap" in calibrate.as_text(result(apart), False)
    text = calibrate.as_text(result(over), False)
    assert "The lists OVERLAP: 5 of 10 answerable" in text
    assert "5 of 10 unanswerable" in text


def test_limits_that_refuse_most_are_told() -> None:
    bad = measures([(0.1, 0.0)] * 10, [(0.5, 0.0)] * 10)
    assert "more than half" in calibrate.as_text(result(bad), False)


def test_languages_are_told_apart() -> None:
    able = [Measured(question(lang=lang), 0.5, 0) for lang in ("en", "de") for _ in range(10)]
    others = [Measured(question(False, lang=lang), 0.1, 0) for lang in ("en",) * 10 + ("fr",) * 3]
    report = by_group(sorted_measures(able + others), 3)
    assert report["en"]["auc"] == 1.0
    assert report["en"]["min_score"] == pytest.approx(0.3)
    assert report["others"] == {"answerable": 10, "unanswerable": 3}


def test_a_group_has_its_own_limit_only_where_the_intervals_are_apart() -> None:
    drawn_ = np.random.default_rng(1)

    def group(lang: str, shift: float) -> list[Measured]:
        able, others = drawn_.normal(0.5 + shift, 0.03, 40), drawn_.normal(0.3 + shift, 0.03, 40)
        return [Measured(question(lang=lang), float(s), 0) for s in able] + [
            Measured(question(False, lang=lang), float(s), 0) for s in others
        ]

    apart = group_limits(by_group(sorted_measures(group("en", 0.3) + group("de", 0.0)), 3))
    assert apart["en"] > 0.6 > apart["others"]
    assert group_limits(by_group(sorted_measures(group("en", 0.0) + group("de", 0.0)), 3)) == {}
    assert group_limits(by_group(sorted_measures(group("en", 0.3) + group("de", 0.0)[:9]), 3)) == {}


def test_far_questions_alone_give_a_group_no_limit() -> None:
    """Ten languages of off-topic questions stand against a few answerable ones in them."""
    rows = [Measured(question(lang="de"), 0.5, 0) for _ in range(12)]
    rows += [Measured(question(False, "off-topic", lang="fr"), 0.1, 0) for _ in range(50)]
    assert by_group(sorted_measures(rows), 3)["others"] == {"answerable": 12, "unanswerable": 0}
    near = [Measured(question(False, lang="de"), 0.1 + i / 100, 0) for i in range(12)]
    row = by_group(sorted_measures(rows + near), 3)["others"]
    assert (row["unanswerable"], row["min_score"]) == (12, pytest.approx(0.355))


def test_only_people_s_questions_tell_of_words() -> None:
    people = [Measured(question(answerable), 0.2, 0.6 * answerable) for answerable in (True, False) for _ in range(10)]
    made = [Measured(question(False, "self"), 0.2, 1.0) for _ in range(50)]
    assert calibration(sorted_measures(people + made), "m", 5, 3).min_coverage == 0.5
    assert calibration(sorted_measures(people[1:] + made + made_able()), "m", 5, 3).min_coverage == 0.75


def made_able() -> list[Measured]:
    return [Measured(question(True, "self"), 0.5, 1.0) for _ in range(10)]


def test_intervals_are_the_same_at_every_run_and_hold_the_choice() -> None:
    drawn_ = np.random.default_rng(2)
    able, others = drawn_.normal(0.5, 0.1, 60).tolist(), drawn_.normal(0.3, 0.1, 60).tolist()
    low, high = interval(able, others, 3)
    assert (low, high) == interval(able, others, 3)
    assert low < best_score_limit(able, others, 3) < high


def test_auc_counts_pairs() -> None:
    assert auc([3, 4], [1, 2]) == 1.0
    assert auc([1, 2], [3, 4]) == 0.0
    assert auc([1, 2], [1, 2]) == 0.5
    assert auc([1, 3], [2]) == 0.5
    assert math.isnan(auc([], [1]))


# --- questions ---


def test_off_topic_questions_are_in_ten_languages_and_each_in_its_own() -> None:
    assert len(QUESTIONS) == 10
    asked = off_topic()
    assert len(asked) == len({q.text for q in asked}) > 50
    assert [q.text for q in asked if language_of(q.text) != q.lang] == []
    assert len({q.lang for q in asked[:10]}) == 10  # cut anywhere, every language is there


def test_self_made_questions_are_spread_and_the_same_at_every_run(index: Index) -> None:
    made = self_made(index.searcher(), caller(), 20)
    assert made == self_made(index.searcher(), caller(), 20)
    assert len(made) == 20
    assert max(sum(q.path == path for q in made) for path in {q.path for q in made}) <= 4
    for q in made:
        assert q.sentence
        assert all(word in q.sentence for word in q.text.split())
        assert len(q.text) < len(q.sentence)
        assert (q.left_out.answerable, q.left_out.without, q.left_out.path) == (False, (q.path,), q.path)


def test_nobody_s_questions_are_made_of_what_they_may_not_read(corpus: Path, make_index: MakeIndex) -> None:
    lists = {f"{i}.md": {"a"} if i else {"b"} for i in range(len(SUBJECTS))}
    index = make_index(corpus, HashEmbedder(), Grants(corpus, lists))
    index.sync()
    made = self_made(index.searcher(), caller("a"), 100)
    assert made
    assert "0.md" not in {q.path for q in made}
    assert self_made(index.searcher(), caller("c"), 100) == []


def test_both_kinds_are_there_wherever_the_time_ends() -> None:
    asked = in_turn([question(path=f"{i}.md") for i in range(30)], off_topic())
    assert len(asked) == 60 + len(off_topic())
    for end in range(10, len(asked)):
        able = sum(q.answerable for q in asked[:end])
        assert 0.2 < able / end < 0.6


@given(st.floats(0.01, 1), st.integers(0, 9))
@examples(max_examples=30, deadline=None)
def test_a_faint_question_keeps_its_norm_and_lies_between(share: float, seed: int) -> None:
    rows = np.random.default_rng(seed).standard_normal((2, 8)).astype(np.float32)
    a, b = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    made = mixed(a, 2 * b, share)
    assert np.linalg.norm(made) == pytest.approx(1, abs=1e-5)
    assert made @ a >= mixed(a, 2 * b, share / 2) @ a - 1e-5


class Writer:
    """A ChatModel whose third reply is no question, whose fourth is cut, and which is away at the sixth call."""

    identity = ModelIdentity("test", "writer", "", 0, "1")
    window = 4000
    url = ""

    def __init__(self) -> None:
        self.calls: list[tuple[Sequence[Message], Any]] = []

    def warm_up(self) -> None: ...

    def chat(self, messages: Sequence[Message], schema: dict[str, Any] | None = None, **_: Any) -> Reply:
        self.calls.append((messages, schema))
        if len(self.calls) == 4:
            raise BadReply("cut")
        if len(self.calls) == 6:
            raise ModelError("away")
        text = "[]" if len(self.calls) == 3 else json.dumps({"question": f" Is this {len(self.calls)}? "})
        return Reply(text, None, None, 0.0)


def test_a_chat_model_writes_questions_until_it_is_away(index: Index) -> None:
    writer = Writer()
    made = written(index.searcher(), caller(), writer, 60)
    assert [q.text for q in made] == ["Is this 1?", "Is this 2?", "Is this 5?"]
    assert all(q.answerable and q.path and q.made == "written" for q in made)
    assert all(schema and schema["required"] == ["question"] for _, schema in writer.calls)
    assert written(index.searcher(), caller(), Writer(), -1) == []


# --- measuring ---


def test_a_document_left_out_is_as_if_it_might_not_be_read(index: Index, corpus: Path, make_index: MakeIndex) -> None:
    text = "Who approved the parking permit number 20?"
    with_, without = (index.searcher().search(caller(), text, 50, Filter(without=paths)) for paths in ((), ("2.md",)))
    assert with_.hits[0].chunk.path == "2.md"
    assert "2.md" not in {hit.chunk.path for hit in without.hits}
    (corpus / "2.md").unlink()
    smaller = make_index(corpus, HashEmbedder(dimension=256), db=corpus.parent / "smaller.db")
    smaller.sync()
    expected = smaller.searcher().search(caller(), text, 50)
    assert [(h.chunk.path, h.score, h.coverage, h.keywords) for h in without.hits] == [
        (h.chunk.path, h.score, h.coverage, h.keywords) for h in expected.hits
    ]


def test_a_question_and_its_left_out_are_embedded_once(index: Index) -> None:
    asked: list[str] = []
    embedder = index.models.embedder
    assert isinstance(embedder, HashEmbedder)
    known = embedder._vector
    embedder._vector = lambda text: asked.append(text) or known(text)  # type: ignore[func-returns-value,method-assign]
    made = in_turn(self_made(index.searcher(), caller(), 5), [])
    found = measure(index.searcher(), caller(), made)
    assert len(asked) == len(set(asked))
    assert (len(found.able), len(found.others)) == (5, 5)
    assert found.auc > 0.8
    short = measure(index.searcher(), caller(), made, seconds=-1, least=2)
    assert (len(short.able), len(short.others)) == (2, 2)


# --- the learned decision ---


def test_a_fit_finds_the_weights_it_was_drawn_from() -> None:
    drawn_ = np.random.default_rng(3)
    rows = drawn_.standard_normal((4000, 3)) * [1, 5, 0.1] + [0, 3, 7]
    chance = 1 / (1 + np.exp(-(1.5 * rows[:, 0] - 0.4 * (rows[:, 1] - 3))))
    labels = drawn_.random(4000) < chance
    found = fit(rows, labels.tolist(), ridge=0.01)
    assert found.weights == pytest.approx([1.5, -2, 0], abs=0.2)  # of inputs with scale 1
    assert found.chance([3, 3, 7]) > 0.9 > 0.1 > found.chance([-3, 3, 7])


@pytest.mark.parametrize("scale", [1e-6, 1, 1e6])
def test_a_fit_is_sane_for_separable_constant_and_huge_inputs(scale: float) -> None:
    rows = np.column_stack([np.arange(20) * scale, np.full(20, 7.0)])
    found = fit(rows, [0] * 10 + [1] * 10)
    assert np.isfinite([*found.weights, found.bias]).all()
    assert found.weights[1] == 0
    assert found.chance(rows[19]) > 0.9 > 0.1 > found.chance(rows[0])
    assert 0 <= found.chance([1e300, 0]) <= 1
    with pytest.raises(ValueError, match="both kinds"):
        fit(rows, [1] * 20)


def taught(n: int, gain: float, seed: int = 4) -> Measures:
    """Questions whose second signal tells more by `gain` than their score."""
    drawn_ = np.random.default_rng(seed)
    rows = []
    for i in range(2 * n):
        answerable = i % 2 == 0
        row = drawn_.standard_normal(len(NAMES))
        row[0] = 0.3 + 0.1 * answerable + 0.1 * drawn_.standard_normal()
        row[1] += gain * answerable
        rows.append(Measured(question(answerable, path=f"{i}.md"), float(row[0]), 0.0, row))
    return sorted_measures(rows)


def test_a_decision_refuses_only_where_it_pays_and_questions_are_enough() -> None:
    decision, figures = learned(taught(150, 2.0), 0.3, 3)
    assert decision is not None
    assert figures["auc_confidence"] > figures["auc_score"] + decide.GAIN
    assert decision.min_confidence is not None
    assert 0 <= decision.min_confidence <= 1
    as_good, figures = learned(taught(150, 0.3, seed=5), 0.3, 3)
    assert abs(figures["auc_confidence"] - figures["auc_score"]) < decide.GAIN
    assert as_good is not None
    assert as_good.min_confidence is None
    worse, figures = learned(taught(60, 0.0), 0.3, 3)
    assert figures["auc_confidence"] < figures["auc_score"] - decide.GAIN
    assert worse is None
    assert learned(taught(decide.LEAST - 1, 2.0), 0.3, 3) == (None, {})


def test_no_document_is_taught_and_judged_at_once() -> None:
    """One document a kind, each signal telling the documents apart: known by heart it would be certain."""
    rows = [
        Measured(question(i % 2 == 0, path=f"{i // 20}.md"), 0.5, 0.0, np.eye(len(NAMES))[i // 20 % len(NAMES)])
        for i in range(240)
    ]
    chances = cross_validated(sorted_measures(rows))
    assert chances is not None
    assert all(0.3 < chance < 0.7 for chance in chances)
    assert {decide._fold(m) for m in rows if m.question.path == "3.md"} == {decide._fold(rows[60])}


def test_a_decision_refuses_in_addition_and_a_setting_wins(index: Index, corpus: Path, make_index: MakeIndex) -> None:
    text = "Who approved the parking permit number 20?"
    row = signals(index.searcher().search(caller(), text))
    assert row is not None
    assert row.shape == (len(NAMES),)
    assert np.isfinite(row).all()
    n = len(NAMES)
    for bias, passes in ((5.0, True), (-5.0, False)):
        decision = Decision(NAMES, VERSION, Weights((0.0,) * n, (1.0,) * n, (0.0,) * n, bias), 0.5)
        made = Calibration(0.1, 0.9, "test/hash", index.store.chunk_count(), decision=decision)
        index.store.calibrate(1, made.as_json())
        found = index.searcher().search(caller(), text)
        assert found.confidence == pytest.approx(1 / (1 + math.exp(-bias)), abs=1e-4)
        assert found.limit.min_confidence == 0.5
        assert bool(found.passages) == passes
        assert found.hits[0].passed == "vector", "the score's gate is another"
    forced = make_index(corpus, index.models.embedder, min_score=0.1)
    found = forced.searcher().search(caller(), text)
    assert found.passages
    assert found.limit.origin == "setting"
    other = json.loads(made.as_json())
    other["decision"]["version"] = VERSION + 1
    index.store.calibrate(1, json.dumps(other))
    assert index.searcher().search(caller(), text).confidence is None


def test_confidence_does_not_tell_of_what_may_not_be_read(corpus: Path, make_index: MakeIndex) -> None:
    lists = {f"{i}.md": {"a"} for i in range(4)}
    alone = make_index(corpus, HashEmbedder(), Grants(corpus, lists), db=corpus.parent / "alone.db")
    beside = make_index(corpus, HashEmbedder(), Grants(corpus, lists | {"5.md": {"b"}, "6.md": {"b"}}))
    for made in (alone, beside):
        made.sync()
    for text in ("fire drill announced", "Who approved the annual leave?"):
        rows = [signals(made.searcher().search(caller("a"), text)) for made in (alone, beside)]
        assert rows[0] is not None
        assert rows[1] is not None
        assert rows[0].tolist() == rows[1].tolist()


# --- what is stored ---


def test_what_is_written_is_read_and_the_old_form_too() -> None:
    decision = Decision(("a",), 1, Weights((0.0,), (1.0,), (2.0,), 0.5), 0.4)
    made = Calibration(0.3, 0.7, "m", 5, {"date": "2026-11-30"}, {"en": 0.4, "others": 0.2}, decision)
    assert read_calibration(json.loads(made.as_json())) == made
    old = {"min_score": 0.3, "min_coverage": 0.7, "model": "m", "chunks": 5, "measured": {"auc": 0.8}}
    assert read_calibration(old) == Calibration(0.3, 0.7, "m", 5, {"auc": 0.8})


@pytest.mark.parametrize(
    "value",
    [None, [], {}, "x", {"min_score": "high"}, {"min_score": math.nan, "min_coverage": 1, "model": "m", "chunks": 1},
     {"min_score": 0.3, "min_coverage": 0.7, "model": "m", "chunks": 5, "decision": {"names": ["a"]}},
     {"min_score": 0.3, "min_coverage": 0.7, "model": "m", "chunks": 5, "groups": [1]}],
)  # fmt: skip
def test_what_cannot_be_read_counts_as_never_measured(index: Index, value: Any) -> None:
    assert read_calibration(value) is None
    index.store.calibrate(index.searcher().model_id, json.dumps(value))
    assert (index.searcher().limit.origin, index.searcher().limit.fits) == ("built-in", False)


def test_a_group_s_limit_is_the_gate_s_for_its_questions(index: Index) -> None:
    made = Calibration(0.3, 0.9, "test/hash", index.store.chunk_count(), groups={"en": 0.9, "others": 0.1})
    index.store.calibrate(1, made.as_json())
    searcher = index.searcher()
    assert searcher.limit.min_score == 0.3
    assert searcher.search(caller(), "What does a night in the hotel cost?").limit.min_score == 0.9
    german = searcher.search(caller(), "Was kostet eine Nacht in einem hotel?")
    assert german.limit.min_score == 0.1
    assert german.passages


# --- the first measurement ---


def test_a_first_sync_measures_and_a_second_does_not(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    synced(index, told.append, silent)
    limit, measured = index.searcher().limit, index.calibration()
    assert [text[:25] for text in told] == ["the limit was measured on"]
    assert (limit.origin, limit.fits, limit.why) == ("calibration", True, "")
    assert measured is not None
    assert measured.measured["questions"] == "self-made + off-topic"
    assert measured.measured["auc"] > 0.8
    assert 0.0 < measured.min_score < 0.9
    monkeypatch.setattr(first, "calibrated", lambda *_, **__: pytest.fail("measured again"))
    synced(index, told.append, silent)


def test_the_same_limit_comes_out_again(index: Index) -> None:
    limits = [calibrated(index, (), 3).made.min_score for _ in range(2)]
    assert limits[0] == limits[1]
    assert calibrated(index, (), 30).made.min_score >= limits[0] >= calibrated(index, (), 0.1).made.min_score


def test_it_does_not_run_where_it_has_no_say(corpus: Path, docs: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    set_by_hand = make_index(corpus, HashEmbedder(), min_score=0.2, db=tmp_path / "a.db")
    no_model = make_index(corpus, db=tmp_path / "b.db")
    small = tmp_path / "small"
    small.mkdir()
    write(small, {"a.md": "# A\n\nThe annual leave of new staff is thirty days in every year.\n"})
    too_small = make_index(small, HashEmbedder(), db=tmp_path / "c.db")
    for index in (set_by_hand, no_model, too_small):
        index.sync()
        told: list[str] = []
        first_limit(index, told.append, silent)
        assert told == []
        assert not index.store.is_calibrated()
    assert too_small.searcher().limit.why == (
        "never measured: the documents hold too few sentences to make questions from. Measure it with questions of "
        "yours: python -m eval.calibrate --cases FILE"
    )


def test_a_limit_that_nobody_tried_to_measure_says_how(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    assert index.searcher().limit.why == "never measured. Run: python -m eval.calibrate"


def test_copied_documents_do_not_raise_the_limit(corpus: Path, make_index: MakeIndex, tmp_path: Path) -> None:
    """A copy answers when its original is left out, so both are."""
    once = make_index(corpus, HashEmbedder(), db=tmp_path / "once.db")
    once.sync()
    alone = calibrated(once, (), 3).made
    for path in list(corpus.glob("*.md")):
        write(corpus, {f"old/{path.name}": path.read_bytes()})
    twice = make_index(corpus, HashEmbedder(), db=tmp_path / "twice.db")
    twice.sync()
    made = calibrated(twice, (), 3).made
    assert made.measured["auc"] == pytest.approx(alone.measured["auc"], abs=0.06)
    assert made.min_score == pytest.approx(alone.min_score, abs=0.15)


def test_questions_that_tell_nothing_give_no_limit(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    index.sync()
    monkeypatch.setattr(first, "FIRST_AUC", 1.1)
    told: list[str] = []
    first_limit(index, told.append, silent)
    assert "could not be measured" in told[0]
    assert not index.store.is_calibrated()


@pytest.mark.parametrize("text", ["{", "[" * 5000, "null", '{"min_score": 1e999}', "NaN"])
def test_a_stored_text_that_is_no_calibration_counts_as_never_measured(index: Index, text: str) -> None:
    index.sync()
    index.store.calibrate(index.store.register(HashEmbedder()), text)
    assert index.searcher().limit.origin == "built-in"


def test_a_failure_is_told_and_fails_no_sync(index: Index) -> None:
    embedder = index.models.embedder
    assert isinstance(embedder, HashEmbedder)
    index.searcher()
    embedder.fails_after = 0
    told: list[str] = []
    first_limit(index, told.append, silent)
    assert "could not be measured (The model is away.)" in told[0]


def test_it_can_be_interrupted_and_is_left_to_one_process(index: Index) -> None:
    @contextlib.contextmanager
    def impatient(label: str) -> Iterator[Progress | None]:
        assert label == "Measuring the limit"

        def tell(done: int, total: int, path: str) -> None:
            if done == 3:
                raise KeyboardInterrupt

        yield tell

    with pytest.raises(KeyboardInterrupt):
        first_limit(index, lambda text: None, impatient)
    assert not index.store.is_calibrated()
    with index.store.locked(wait=False):
        first_limit(index, lambda text: pytest.fail(text), impatient)
    assert index.searcher().search(caller(), "parking permit").hits


def test_what_another_process_measured_meanwhile_is_not_measured_again(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Calibration(0.3, 0.9, "test/hash", 5)

    @contextlib.contextmanager
    def overtaken(label: str) -> Iterator[Progress | None]:
        index.store.calibrate(1, made.as_json())  # between the first look and the lock
        yield None

    monkeypatch.setattr(first, "calibrated", lambda *_, **__: pytest.fail("measured again"))
    first_limit(index, pytest.fail, overtaken)
    assert index.calibration() == made


def test_another_model_s_limit_is_told_of(index: Index, corpus: Path, make_index: MakeIndex) -> None:
    calibrated(index, (), 3)
    other = make_index(corpus, HashEmbedder("other"))
    other.sync()
    assert other.searcher().limit.why == "measured with another model only"
    write(corpus, {"much.md": "".join(f"# Part {i}\n\nSomething.\n\n" for i in range(60))})
    index.sync()
    assert "changed much" in index.searcher().limit.why


# --- the picture and the command ---


def test_the_picture_is_svg_with_both_lists_and_the_limit() -> None:
    text = drawn([0.4, 0.5, 0.6], [0.1, 0.2], {"limit <a>": 0.3}, "docs & more")
    root = ET.fromstring(text)
    bars = [e.get("class") for e in root.iter() if e.tag.endswith("rect")]
    assert set(bars) == {"able", "others"}
    written_ = [e.text or "" for e in root.iter() if e.tag.endswith("text")]
    assert "limit <a> 0.300" in written_
    assert "answerable (3)" in written_
    assert "prefers-color-scheme: dark" in text
    assert ET.fromstring(drawn([0.5], [0.5], {"limit": 0.5}, "one")) is not None
    with pytest.raises(ValueError, match="both kinds"):
        drawn([], [0.1], {}, "")


def test_the_command_needs_no_questions_and_draws(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(search, "pick", lambda settings: Models(HashEmbedder(dimension=256), None, ""))
    flags = ["--docs", str(corpus), "--db", str(tmp_path / "c.db"), "--plot", str(tmp_path / "limit.svg")]
    assert calibrate.main(flags) == 0
    printed = capsys.readouterr().out
    assert "self-made + off-topic" in printed
    assert "confidence    none" in printed
    assert ET.parse(tmp_path / "limit.svg").getroot().tag.endswith("svg")
    with pytest.raises(UsageError, match="--plot"):
        calibrate.main([*flags[:-1], str(tmp_path / "no" / "limit.svg")])


def test_enough_questions_of_people_choose_alone(index: Index) -> None:
    hand = [question(text=f"annual leave {i}", path="0.md") for i in range(10)]
    hand += [question(False, text=f"zzz {i}") for i in range(10)]
    found = calibrated(index, hand, 3)
    assert found.made.measured["questions"] == "hand-made"
    assert (len(found.chosen_on.able), len(found.chosen_on.others)) == (10, 10)
    assert len(found.every.others) == 20  # each of the ten asked without its document, too
    few = calibrated(index, hand[:5], 3)
    assert few.made.measured["questions"] == "hand-made + self-made + off-topic"
    assert few.made.measured["answerable"] > 10
