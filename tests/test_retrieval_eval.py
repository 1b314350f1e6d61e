"""eval.retrieval on a small folder of sets: what it asks, counts and prints."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import search
from errors import UsageError
from eval import retrieval
from eval.retrieval import SETS, Row, row_of
from models import Models
from tests.conftest import HashEmbedder, write

PAGES = {
    "leave.md": "# Leave\n\nStaff get 28 days of annual leave.\n",
    "pets.md": "# Pets\n\nDogs may come on Fridays.\n",
}
ASKED: list[dict[str, Any]] = [
    {
        "question": "How many days of annual leave?",
        "lang": "en",
        "source": "leave.md",
        "must_include": [],
        "kind": "answerable",
    },
    {"question": "May dogs come?", "lang": "en", "source": "pets.md", "must_include": [], "kind": "answerable"},
    {"question": "Dürfen dogs kommen?", "lang": "de", "source": "pets.md", "must_include": [], "kind": "answerable"},
    {"question": "Where is the zebra?", "lang": "en", "source": "-", "must_include": [], "kind": "unanswerable"},
]
TEXTS = ["The river is four miles long.", "The tower was built of red brick.", "The river is four miles long."]


def lines(rows: Sequence[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a handbook and the paragraph sets, and a small embedder in place of the real one."""
    monkeypatch.setattr(search, "pick", lambda settings: Models(HashEmbedder(), None, ""))
    monkeypatch.setattr(retrieval, "OWN_CASES", tmp_path / "own.jsonl")
    own: dict[str, Any] = {**ASKED[1], "handbook": "gsa-tts", "question": "dogs on which day", "held": True}
    write(tmp_path, {"own.jsonl": lines([own])})
    folder = tmp_path / "data"
    write(folder / "handbook-gsa-tts" / "docs", PAGES)
    contexts = [{"context_id": f"c{i}", "title": "T_1", "text": text} for i, text in enumerate(TEXTS)]
    questions: list[dict[str, Any]] = [
        {"question": "How long is the river?", "context_id": "c0"},
        {"question": "What is the tower built of?", "context_id": "c1", "unanswerable": False},
        {"question": "Who painted the tower?", "context_id": "c1", "unanswerable": True},
    ]
    spanish: list[dict[str, Any]] = [{"question": "¿De qué es el tower?", "context_id": "c1", "lang": "es"}]
    files = {"handbook-qa/gsa-tts.jsonl": lines(ASKED)}
    for name in ("xquad", "squad2", "clapnq"):
        extra = spanish if name == "xquad" else []
        files |= {f"{name}/contexts.jsonl": lines(contexts), f"{name}/questions.jsonl": lines([*questions, *extra])}
    write(folder, files)
    return folder


Run = Callable[..., dict[str, list[dict[str, Any]]]]


@pytest.fixture
def run(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """run("gsa-tts", "--all") -> what the command printed as JSON."""

    def ran(*flags: str) -> dict[str, list[dict[str, Any]]]:
        assert retrieval.main([*flags, "--json", "--data", str(data), "--work", str(tmp_path / "work")]) == 0
        found: dict[str, list[dict[str, Any]]] = json.loads(capsys.readouterr().out)
        return found

    return ran


def test_a_handbook_by_language_with_the_gate(run: Run) -> None:
    report = run("gsa-tts")
    assert [(row["group"], row["n"], row["first"]) for row in report["retrieval"]] == [
        ("en", 2, 1.0),
        ("others", 1, 1.0),
    ]
    (gate,) = report["gate"]
    assert (gate["by"], gate["answerable"], gate["unanswerable"], gate["auc"]) == ("score", 3, 1, 1.0)


def test_our_own_held_questions_are_asked_only_when_told(run: Run) -> None:
    assert [
        sum(row["n"] for row in run("gsa-tts", *flags)["retrieval"]) for flags in ((), ("--held",), ("--all",))
    ] == [3, 1, 4]


def test_paragraphs_are_files_a_repeated_one_once_and_each_question_is_asked_without_its_own(
    run: Run, tmp_path: Path
) -> None:
    report = run("paragraphs")
    files = sorted(path.name for path in (tmp_path / "work" / "xquad-squad2-clapnq").iterdir())
    assert files == ["xquad-c0.md", "xquad-c1.md"]
    rows = {row["group"]: row for row in report["retrieval"]}
    assert {name: row["n"] for name, row in rows.items()} == {"en": 2, "es": 1}
    assert rows["en"]["first"] == 1.0
    gate = report["gate"][0]
    assert gate["answerable"] == 4
    assert gate["auc"] > 0.9


def test_a_sample_is_no_larger_than_asked(run: Run) -> None:
    assert [row["n"] for row in run("gsa-tts", "--questions", "1")["retrieval"]] == [1, 1]


def test_ranks_become_figures() -> None:
    found = [(1, 2, None), (3, 1, 7), (None, None, None), (8, 4, 1)]
    row = row_of("s", "en", found, lambda group, better: {"first_5": better - 0.01})
    assert (row.n, row.first, row.first_5, row.recall_10) == (4, 0.25, 0.5, 0.75)
    assert row.mrr == pytest.approx((1 + 1 / 3 + 1 / 8) / 4)
    assert (row.vector_5, row.words_5) == (0.75, 0.25)
    assert row.low < 0.5 < row.high
    assert not row.ok


def test_the_table_is_readable(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert retrieval.main(["gsa-tts", "--data", str(data), "--work", str(tmp_path / "work")]) == 0
    printed = capsys.readouterr().out
    assert "first 1.000" in printed
    assert "AUC of the score 1.000" in printed
    assert "ok" in printed


def test_what_is_missing_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no set 'nowhere'"):
        retrieval.main(["nowhere", "--data", str(data)])
    with pytest.raises(UsageError, match="--data names"):
        retrieval.main(["jsquad", "--data", str(data), "--work", str(tmp_path / "work")])


def test_every_set_has_bars() -> None:
    for name, asked in SETS.items():
        for group in ("en", "others", "zh"):
            bars = asked.bars(group, 0.9)
            assert bars, name
            assert set(bars) <= set(Row.__dataclass_fields__)
