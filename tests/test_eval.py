"""The evaluation: reading cases, the sums, the command that measures a limit, and every bench at a tiny size."""

import json
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import search
from access import Caller
from calibration.first import calibrated
from config import PROJECT, Settings
from errors import SourceError, UsageError
from eval import bench, calibrate, cases, load, run, scale, synthetic
from eval.cases import Case
from eval.figures import wilson
from eval.timing import Figure
from models import Embedder, ModelIdentity, Models, Vector
from models.embedded import EmbeddedEmbedder
from retrieval import gate
from search import Index
from store import Store

from .conftest import HashEmbedder, age, caller, write

QUESTIONS: list[dict[str, Any]] = [
    {"question": "How many days of annual leave do staff get?", "source": "leave.md", "must_include": ["28 days"]},
    {"question": "What does a night in a hotel cost at most?", "source": "travel/expenses.md", "must_include": ["120"]},
    {"question": "What is the gateway called?", "source": "travel/vpn.txt", "must_include": ["VPN-9"], "held": True},
    {"question": "Is there a swimming pool?", "source": "-", "must_include": []},
    {"question": "Who painted those zebras?", "source": "", "lang": "en", "held": True},
]


class Scored:
    """An Embedder whose question vector has exactly the cosine that the question names with every document."""

    embeds_units = False
    default_min_score = 0.3
    same_meaning = 0.6
    url = ""

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("test", "scored", "abc", 2, "1")

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        return [np.array([1, 0], np.float32) for _ in texts]

    def embed_query(self, text: str, lang: str) -> Vector:
        told = re.search(r" (-?[\d.]+)$", text)  # nothing is told by questions that calibration makes itself
        cosine = float(told[1]) if told else 0.0
        return np.array([cosine, math.sqrt(1 - cosine**2)], np.float32)


def case(question: str = "q", source: str = "a.md", **values: Any) -> Case:
    made: dict[str, Any] = {"must_include": (), "lang": "en", "held": False, **values}
    return Case(question, (source,) if source else (), **made)


def scored_cases(able: Sequence[float], others: Sequence[float]) -> list[dict[str, Any]]:
    """Questions of one unknown word and the score that Scored gives them."""
    rows = [{"question": f"zqx{i} {s}", "source": "leave.md", "must_include": []} for i, s in enumerate(able)]
    return rows + [{"question": f"zqy{i} {s}", "source": "-"} for i, s in enumerate(others)]


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return lines(tmp_path / "questions.jsonl", QUESTIONS)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Embedder], list[str]]:
    """Commands find this embedder; returns the flags that keep them to the sample documents."""
    empty = tmp_path / "none.toml"
    empty.touch()
    monkeypatch.setenv("BRAIN_CONFIG", str(empty))

    def chosen(embedder: Embedder) -> list[str]:
        monkeypatch.setattr(search, "pick", lambda settings: Models(embedder, None, ""))
        return ["--docs", str(tmp_path / "docs"), "--db", str(tmp_path / "main.db")]

    return chosen


# --- cases ---


def test_both_forms_are_read(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"question": " What? ", "source": "a.md", "must_include": ["x"], "lang": "de", "held": True},
        {"question": "Why is that so for us?", "source": "-", "must_include": [], "held": False},
        {"question": "How is it?", "source": "", "lang": "fr"},
        {"id": "g1", "question": "Who?", "lang": "en", "source": "a.md", "must_include": [], "kind": "answerable",
         "alt_sources": ["b.md", "a.md"]},
        {"id": "g2", "question": "Where?", "lang": "en", "source": None, "kind": "unanswerable", "note": "passed over"},
    ]  # fmt: skip
    read = cases.read(lines(tmp_path / "q.jsonl", rows))
    assert read[0] == Case("What?", ("a.md",), ("x",), "de", True)
    assert [c.answerable for c in read] == [True, False, False, True, False]
    assert read[1].lang == "en"  # told from the question
    assert read[3].sources == ("a.md", "b.md")
    assert [c.held for c in read] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no JSON ("),
        ("[]", "no JSON object"),
        ('{"source": "-"}', "`question` is missing"),
        ('{"question": " ", "source": "-"}', "`question` is missing"),
        ('{"question": "q"}', "`source` is missing"),
        ('{"question": "q", "source": 3}', "`source` is no path"),
        ('{"question": "q", "source": "a.md"}', "`must_include` is missing"),
        ('{"question": "q", "source": "a.md", "must_inlcude": ["x"]}', "`must_include` is missing"),
        ('{"question": "q", "source": "a.md", "must_include": "x"}', "`must_include` is no list"),
        ('{"question": "q", "source": "a.md", "must_include": [" "]}', "`must_include` is no list"),
        ('{"question": "q", "source": "-", "held": "yes"}', "`held` is neither"),
        ('{"question": "q", "source": "-", "lang": 1}', "`lang` is no"),
        ('{"question": "q", "source": "-", "kind": "maybe"}', "`kind` is 'maybe'"),
        ('{"question": "q", "source": "-", "kind": "answerable"}', "`kind` says answerable"),
        ('{"question": "q", "source": "a.md", "must_include": [], "kind": "unanswerable"}', "`kind` says unanswer"),
        ('{"question": "q", "source": "-", "alt_sources": ["a.md"]}', "`alt_sources` without"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f'{{"question": "fine", "source": "-"}}\n\n{line}\n', encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        cases.read(path)
    assert f"{path}:3: {reason}" in str(caught.value)


def test_files_without_cases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        cases.read(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n\n")
    with pytest.raises(UsageError, match="holds no questions"):
        cases.read(tmp_path / "empty.jsonl")


def test_the_demo_questions_are_read_and_are_for_the_demo_only(make_settings: Callable[..., Settings]) -> None:
    parser = run._parser()
    demo = make_settings(PROJECT / "docs")
    open_, every = (cases.chosen(parser.parse_args(flags), demo) for flags in ([], ["--all"]))
    held = cases.chosen(parser.parse_args(["--held"]), demo)
    assert open_
    assert not any(c.held for c in open_)
    assert all(c.held for c in held)
    assert len(open_) + len(held) == len(every)
    with pytest.raises(UsageError, match="--cases"):
        cases.chosen(parser.parse_args([]), make_settings(PROJECT / "manual"))


def test_no_case_of_the_wanted_kind_is_an_error(tmp_path: Path, make_settings: Callable[..., Settings]) -> None:
    path = lines(tmp_path / "q.jsonl", [{"question": "q", "source": "-"}])
    with pytest.raises(UsageError, match="no held cases"):
        cases.chosen(run._parser().parse_args(["--cases", str(path), "--held"]), make_settings(tmp_path))


# --- figures ---


def test_wilson_agrees_with_known_values() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)  # R: binom::binom.wilson(8, 10)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(20, 20)[1] == 1.0


# --- run ---


def test_sums_over_the_sample_documents(docs: Path, make_index: Callable[..., Index], questions: Path) -> None:
    index = make_index(docs, HashEmbedder(dimension=512), min_score=0.35, min_coverage=0.9)
    index.sync()
    results = list(run.ask(index, cases.read(questions), caller()))
    sums = run.summed(results)
    assert (sums.answerable, sums.unanswerable) == (3, 2)
    assert sums.first == 3
    assert sums.first <= sums.first_3 <= sums.first_5
    assert sums.met == sums.words == 2  # VPN-9 stands nowhere
    assert [r.ok for r in results] == [True, True, False, True, True]
    assert sums.falsely_refused == 0
    assert sums.refused == 2
    assert sums.seconds > 0
    nobody = run.summed(list(run.ask(index, cases.read(questions), Caller("nobody", frozenset()))))
    assert (nobody.first_5, nobody.met, nobody.falsely_refused, nobody.refused) == (0, 0, 3, 2)


def test_the_right_words_from_another_document_are_a_miss(docs: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(docs, HashEmbedder(dimension=512), min_score=0.2)
    index.sync()
    wrong = case(QUESTIONS[0]["question"], "zh.md", must_include=("28 DAYS",))
    (result,) = run.ask(index, [wrong], caller())
    assert result.includes
    assert not result.cited
    assert not result.ok
    assert "other document" in run.line_of(result)


def test_includes_overlooks_case_width_and_white_space() -> None:
    assert run.includes("At most\n１２０  Euro.", ["120 euro", "most 120"])
    assert not run.includes("At most 12 euro.", ["120"])


def test_groups_by_language_add_up() -> None:
    results = [
        run.Result(case(lang=lang), rank, "answered", "x", True, cited, 0.1)
        for lang, rank, cited in (("de", 1, True), ("en", 2, True), ("en", None, False), ("en", 6, True))
    ]
    groups = run.by_language(results)
    assert list(groups) == ["en", "de"]
    assert (groups["en"].first, groups["en"].first_3, groups["en"].first_5, groups["en"].met) == (0, 1, 1, 2)
    table = run.table(results, "the model")
    assert "right document first" in table
    assert "right document first 1 of 4 25 % (95 %: 5 to 70 %)" in " ".join(table.split())


def test_the_share_that_passed_at_the_first_try_is_over_written_answers() -> None:
    made = [
        ("answered", 1),
        ("answered", 2),
        ("needs_review", 1),
        ("needs_review", 3),
        ("not_found", 1),
        ("answered", 0),
    ]
    results = [run.Result(case(lang="en"), 1, status, "x", True, True, 0.1, attempts) for status, attempts in made]
    assert "passed at the first try 1 of 4 25 %" in " ".join(run.table(results, "m").split())
    quoted = [run.Result(case(lang="en"), 1, "answered", "x", True, True, 0.1)]
    assert "first try" not in run.table(quoted, "m")
    assert "passed at the first try" not in run.as_json(quoted, "m", show_held=True)["intervals"]


def test_run_shows_open_cases_and_only_counts_held_ones(
    docs: Path, questions: Path, use: Callable[[Embedder], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [*use(HashEmbedder(dimension=512)), "--cases", str(questions)]
    assert run.main(flags) == 0
    printed = capsys.readouterr().out
    assert "annual leave do staff" in printed
    assert "gateway" not in printed
    assert run.main([*flags, "--held"]) == 0
    printed = capsys.readouterr().out
    assert "gateway" not in printed
    assert "VPN" not in printed
    assert "of 1" in printed
    assert run.main([*flags, "--held", "--explain"]) == 0
    assert "gateway" in capsys.readouterr().out
    assert run.main([*flags, "--all", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["total"]["answerable"] == 3
    assert len(report["cases"]) == 3
    assert report["intervals"]["right document first"]["n"] == 3


def test_a_source_that_is_no_document_is_told(
    docs: Path, tmp_path: Path, use: Callable[[Embedder], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path = lines(tmp_path / "q.jsonl", [{"question": "q", "source": "leve.md", "must_include": []}])
    run.main([*use(HashEmbedder()), "--cases", str(path)])
    assert "leve.md" in capsys.readouterr().err


# --- calibrate: measuring and storing ---

_ABLE, _OTHERS = [0.5 + i / 50 for i in range(10)], [0.1 + i / 50 for i in range(10)]


def test_what_is_stored_is_in_force_until_the_corpus_has_grown(
    docs: Path, tmp_path: Path, make_index: Callable[..., Index]
) -> None:
    index = make_index(docs, Scored())
    index.sync()
    assert index.searcher().limit.origin == "built-in"
    asked = cases.read(lines(tmp_path / "q.jsonl", scored_cases(_ABLE, _OTHERS)))
    result = calibrated(index, calibrate.as_questions(asked), 3.0)
    made = result.made
    assert result.chosen_on.auc == 1.0
    assert made.min_score == pytest.approx((0.5 + 0.28) / 2, abs=1e-5)
    assert (made.model, made.chunks) == ("test/scored@abc", index.store.chunk_count())
    limit = index.searcher().limit
    assert (limit.origin, limit.fits) == ("calibration", True)
    assert limit.min_score == made.min_score
    more = "".join(f"## Part {i}\n\nSomething new.\n\n" for i in range(made.chunks // 5 + 1))
    write(docs, {"new.md": more})
    index.sync()
    assert (index.searcher().limit.origin, index.searcher().limit.fits) == ("calibration", False)


def test_another_model_does_not_use_it(docs: Path, tmp_path: Path, make_index: Callable[..., Index]) -> None:
    index = make_index(docs, Scored())
    index.sync()
    asked = cases.read(lines(tmp_path / "q.jsonl", scored_cases(_ABLE, _OTHERS)))
    calibrated(index, calibrate.as_questions(asked), 3)
    other = make_index(docs, HashEmbedder())
    other.sync()
    assert (other.searcher().limit.origin, other.searcher().limit.fits) == ("built-in", False)


def test_the_command_measures_stores_and_tells(
    docs: Path, tmp_path: Path, use: Callable[[Embedder], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = scored_cases(_ABLE, _OTHERS)
    rows[0]["held"] = rows[-1]["held"] = True
    path = lines(tmp_path / "q.jsonl", rows)
    flags = [*use(Scored()), "--cases", str(path)]
    with pytest.raises(UsageError, match="Too few"):
        calibrate.main(flags)  # nine of each are open
    assert calibrate.main([*flags, "--all", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["calibration"]["min_score"] == pytest.approx(0.39, abs=1e-4)
    assert not report["overlap"]
    assert report["price"] == {"refused": 0, "answerable": 10, "through": 0, "unanswerable": 10}
    assert report["lowest_answerable"]["question"] == "(a held case)"
    assert len(report["cases"]) == 18
    assert calibrate.main([*flags, "--all"]) == 0
    printed = capsys.readouterr().out
    assert "do not overlap" in printed
    assert "zqx0" not in printed
    store = Store(tmp_path / "main.db")
    stored = json.loads(store.calibration(1) or "")
    store.close()
    assert stored["measured"]["answerable"] == 10
    with pytest.raises(UsageError, match="--cost"):
        calibrate.main([*flags, "--all", "--cost", "0"])


def test_ship_is_refused_for_other_documents(
    docs: Path, tmp_path: Path, use: Callable[[Embedder], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "SHIPPED", tmp_path / "calibration.json")
    path = lines(tmp_path / "q.jsonl", scored_cases(_ABLE, _OTHERS))
    with pytest.raises(UsageError, match="--ship") as caught:
        calibrate.main([*use(Scored()), "--cases", str(path), "--ship"])
    assert caught.value.exit_code == 2
    assert not gate.SHIPPED.exists()


def test_what_is_shipped_is_read_by_an_index_of_the_demo(
    tmp_path: Path, make_index: Callable[..., Index], use: Callable[[Embedder], list[str]],
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(gate, "SHIPPED", tmp_path / "calibration.json")
    other = {"min_score": 0.4, "min_coverage": 0.7, "model": "other", "chunks": 3, "measured": {}}
    gate.SHIPPED.write_text(json.dumps([other, other | {"model": "test/scored@abc"}]))
    path = lines(tmp_path / "q.jsonl", scored_cases(_ABLE, _OTHERS))
    use(Scored())
    flags = ["--docs", str(PROJECT / "docs"), "--db", str(tmp_path / "main.db"), "--cases", str(path), "--ship"]
    assert calibrate.main(flags) == 0
    assert "calibration.json" in capsys.readouterr().out
    shipped = json.loads(gate.SHIPPED.read_text(encoding="utf-8"))
    assert [value["model"] for value in shipped] == ["other", "test/scored@abc"]
    index = make_index(PROJECT / "docs", Scored(), db=tmp_path / "fresh.db")
    index.sync()
    assert (index.searcher().limit.origin, index.searcher().limit.fits) == ("calibration", True)
    assert index.searcher().limit.min_score == pytest.approx(0.39, abs=1e-4)


# --- bench ---


def test_chunking_is_timed_on_markdown_only(docs: Path, make_settings: Callable[..., Settings]) -> None:
    (figure,) = bench.chunking(make_settings(docs))
    assert figure.details["files"] == 3
    assert figure.value > 0
    empty = docs.parent / "nothing"
    empty.mkdir()
    with pytest.raises(SourceError, match="no Markdown"):
        bench.chunking(make_settings(empty))


def test_unchanged_files_are_not_opened_again(docs: Path, make_settings: Callable[..., Settings]) -> None:
    (figure,) = bench.unchanged(make_settings(docs), files=30)
    assert figure.bar > 0.2
    assert figure.value > 0


def test_search_is_timed_and_its_memory_read(docs: Path, make_settings: Callable[..., Settings]) -> None:
    time_, memory = bench.search(make_settings(docs), chunks=300, dimension=32)
    assert time_.value > 0
    assert memory.value * 300 * 32 * 4 > 10e6  # a Python process has more than 10 MB


def test_first_sync_tells_embedder_from_the_rest(docs: Path, make_settings: Callable[..., Settings]) -> None:
    (figure,) = bench.first_sync(make_settings(docs), Models(HashEmbedder(), None, ""))
    assert figure.details["documents"] == 4
    assert figure.value > 0


def test_ask_takes_off_the_embedder(docs: Path, make_settings: Callable[..., Settings]) -> None:
    (figure,) = bench.ask(make_settings(docs), chunks=40)
    assert figure.details["chunks"] >= 40
    assert 0 < figure.value < 5000


def test_many_first_syncs_are_timed_and_their_memory_read(docs: Path, make_settings: Callable[..., Settings]) -> None:
    time_, memory = load.first_sync_many(make_settings(docs), documents=40)
    assert time_.details["documents"] == 40
    assert time_.value > 0
    assert memory.details["peak_mb"] > 10


def test_concurrent_questions_are_all_answered(docs: Path, make_settings: Callable[..., Settings]) -> None:
    ratio, failed = load.concurrent(make_settings(docs), questions=6, rounds=2, chunks=40)
    assert ratio.details["questions"] == 12
    assert ratio.value >= 1
    assert (failed.value, failed.details) == (0, {"first": []})


def test_synthetic_chunks_have_units_and_are_found(tmp_path: Path, make_settings: Callable[..., Settings]) -> None:
    embedder = synthetic.Double(16, synthetic.query_near_a_cluster(16))
    store, corpus = Store(tmp_path / "s.db"), synthetic.Corpus()
    model_id = synthetic.fill(store, 200, embedder, corpus)
    found = search.Searcher(store, embedder, model_id, make_settings(tmp_path), bench._EVERYTHING).search(
        caller(), corpus.question()
    )
    assert store.chunk_count() == 200
    assert len(found.words) >= 6
    assert found.passages
    (units,) = store.connection().execute("SELECT count(*) FROM units").fetchone()
    store.close()
    assert units == 200 * synthetic.UNITS_A_CHUNK
    assert synthetic.Corpus().question() == corpus.question()


def test_plain(make_settings: Callable[..., Settings], docs: Path) -> None:
    (figure,) = scale.plain(make_settings(docs), chunks=50, dimension=32)
    assert figure.value > 1


def test_million_at_a_small_size(
    make_settings: Callable[..., Settings], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale, "FOLDER", tmp_path / "bench")
    for _ in range(2):  # the second takes up what the first made
        figures = scale.million(make_settings(docs), chunks=3000, dimension=64)
        shares = [figure.value for figure in figures if figure.what.startswith("recall@10")]
        assert len(figures) == 8
        assert all(0.9 <= share <= 1 for share in shares)


def test_recall_of_real_texts(
    make_settings: Callable[..., Settings], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(scale, "FOLDER", tmp_path / "bench")
    assert scale.recall(make_settings(docs)) == []
    assert "skipped" in capsys.readouterr().err
    rows = [{"lang": lang, "question": "Who checks the lift of the house?"} for lang in ("en", "de")]
    write(docs, {"xquad/questions.jsonl": "\n".join(map(json.dumps, rows))})
    write(docs, {"notes.jsonl": json.dumps({"text": "\n".join(f"The lift number {n} is checked." for n in range(12))})})
    figures = scale.recall(make_settings(docs), docs)
    assert [figure.value for figure in figures] == [1, 1, 1, 1], "so few are all looked at"
    assert figures[0].ok
    monkeypatch.setattr(scale, "EmbeddedEmbedder", lambda: EmbeddedEmbedder("use+minilm"))
    monkeypatch.setattr(EmbeddedEmbedder, "embed_documents", None)
    assert len(scale.recall(make_settings(docs), docs)) == 4, "the vectors were kept"


def test_the_table_says_ok_or_short() -> None:
    good = Figure("x", "what", 1.0, 2.0, "x", {"n": 3})
    assert "ok" in bench.line_of(good)
    assert "n 3" in bench.line_of(good)
    assert "short" in bench.line_of(Figure("x", "what", 2.1, 2.0, "x", {}))
    assert "short" in bench.line_of(Figure("x", "what", 0.98, 0.99, "", {}, least=True))


def test_bench_by_name(docs: Path, use: Callable[[Embedder], list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    flags = use(HashEmbedder())
    with pytest.raises(UsageError, match="no bench 'chunk'"):
        bench.main([*flags, "chunk"])
    assert bench.main([*flags, "chunking", "--json"]) == 0
    (figure,) = json.loads(capsys.readouterr().out)
    assert figure["bench"] == "chunking"
    assert figure["ok"] == (figure["value"] <= 2)


@pytest.mark.slow
def test_cold_times_a_process_and_names_modules(
    docs: Path, monkeypatch: pytest.MonkeyPatch, make_settings: Callable[..., Settings]
) -> None:
    monkeypatch.setenv("BRAIN_BACKEND", "embedded")
    for path in docs.rglob("*.md"):
        age(path)
    seconds, modules = bench.cold(make_settings(docs), "How many days of annual leave?")
    assert seconds.value > 0
    assert set(modules.details["modules"]) <= set(bench.UNNEEDED)
