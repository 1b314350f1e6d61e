"""The gate of eval.run: what is worse, what may be chance, what cannot be compared, and what a stored run holds.

Try: pytest tests/test_gate.py
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import search
from errors import UsageError
from eval import gate, run
from eval.cases import Case
from eval.figures import difference, paired, resampled
from eval.gate import Outcome, Run, compared, is_worse
from models import Embedder, Models
from tests.conftest import HashEmbedder

FIGURES = {"min_score": 0.3}


def outcomes(right: int, wrong: int, answerable: bool = True, first: int = 0) -> list[Outcome]:
    """`right` rightly done cases, then `wrong` ones; keys count from `first`."""
    return [
        Outcome(
            key=f"{'a' if answerable else 'u'}{first + i:05}", answerable=answerable, ok=i < right,
            cites=int(answerable), right_cites=int(answerable and i < right),
        )
        for i in range(right + wrong)
    ]  # fmt: skip


def a_run(*parts: list[Outcome], model: str = "m") -> Run:
    return gate.run_of([outcome for part in parts for outcome in part], model, FIGURES)


def verdicts(then: Run, now: Run) -> dict[str, str]:
    return {measure.name: measure.verdict for measure in compared(then, now)}


ALL = ("right answers", "right refusals", "citation precision", "citation recall")


# --- figures ---


def test_known_intervals() -> None:
    assert paired(0, 0, 50) == (0.0, 0.0)
    # R: binom.test(1, 8)$conf.int is 0.003160 to 0.526510, of 8 changed among 100
    assert paired(7, 1, 100) == pytest.approx(((2 * 0.003160 - 1) * 0.08, (2 * 0.526510 - 1) * 0.08), abs=1e-5)
    assert paired(1, 7, 100) == pytest.approx(tuple(-bound for bound in reversed(paired(7, 1, 100))))
    # Newcombe 1998, table II (a): 56/70 and 48/80, method 10
    assert difference((48, 80), (56, 70)) == pytest.approx((0.0524, 0.3339), abs=1e-4)


@pytest.mark.parametrize(
    ("lost", "gained", "worse"),
    [(5, 0, False), (6, 0, True), (7, 1, False), (8, 1, True), (0, 9, False), (600, 500, True), (560, 500, False)],
)
def test_paired_agrees_with_mcnemar_s_exact_test(lost: int, gained: int, worse: bool) -> None:
    assert (paired(lost, gained, 2000)[1] < 0) == worse
    assert (paired(gained, lost, 2000)[0] > 0) == worse


def test_the_bootstrap_draws_the_same_each_time() -> None:
    then, now = [(1, 1)] * 30, [(1, 2)] * 15 + [(1, 1)] * 15
    low, high = resampled(then, now)
    assert (low, high) == resampled(then, now)
    assert -0.5 < low < 30 / 45 - 1 < high < 0
    assert resampled([(0, 0)] * 3, now[:3]) == (-1.0, 1.0)


# --- the comparison ---


def test_the_same_run_is_no_worse() -> None:
    one = a_run(outcomes(40, 10), outcomes(20, 5, False))
    assert verdicts(one, one) == dict.fromkeys(ALL, "no worse")
    assert not is_worse(compared(one, one))
    assert gate.differing(one, one) == []
    assert gate.lost(one, one) == set()


@pytest.mark.parametrize(
    ("answers", "refusals", "expected"),
    [
        ((35, 15), (20, 5), set()),  # 5 lost: chance
        ((30, 20), (20, 5), {"right answers", "citation precision", "citation recall"}),
        ((40, 10), (13, 12), {"right refusals"}),
        ((50, 0), (25, 0), set()),
    ],
)
def test_what_is_lost_shuts_the_gate(answers: tuple[int, int], refusals: tuple[int, int], expected: set[str]) -> None:
    then = a_run(outcomes(40, 10), outcomes(20, 5, False))
    now = a_run(outcomes(*answers), outcomes(*refusals, False))
    found = verdicts(then, now)
    if not expected:
        found.pop("citation precision")  # the bootstrap sees 5 of 50
    assert {name for name, verdict in found.items() if verdict == "worse"} == expected
    assert not expected or is_worse(compared(then, now))


def test_precision_counts_sources_and_recall_counts_cases() -> None:
    def made(cites: int) -> Run:
        return a_run([Outcome(key=f"{i:03}", answerable=True, ok=True, cites=cites, right_cites=1) for i in range(20)])

    found = {measure.name: measure for measure in compared(made(1), made(3))}
    assert (found["citation precision"].then, found["citation precision"].now) == ((20, 20), (20, 60))
    assert found["citation precision"].verdict == "worse"
    assert found["citation recall"].verdict == found["right answers"].verdict == "no worse"
    assert found["right refusals"].verdict == "not measured"


def test_few_cases_are_too_few() -> None:
    then = a_run(outcomes(3, 0))
    assert verdicts(then, a_run(outcomes(0, 3)))["citation precision"] == "too few"
    assert not is_worse(compared(then, a_run(outcomes(0, 3))))


def test_what_is_no_longer_measured_shuts_the_gate() -> None:
    then = a_run(outcomes(20, 0), outcomes(20, 0, False))
    measures = compared(then, a_run(outcomes(20, 0)))
    assert [m.name for m in measures if m.verdict == "missing"] == ["right refusals"]
    assert is_worse(measures)
    assert not is_worse(compared(a_run(outcomes(20, 0)), then)), "what is new is no fault"


def test_other_cases_and_models_are_compared_and_told() -> None:
    then, far = a_run(outcomes(45, 5)), a_run(outcomes(45, 5, first=1000), model="other")
    told = " ".join(gate.differing(then, far))
    assert "m then, other now" in told
    assert "0 are the same, 50 were asked then only, 50 now only" in told
    assert [measure.pairs for measure in compared(then, far)] == [0, 0, 0, 0]
    assert verdicts(then, far)["right answers"] == "no worse"
    assert verdicts(then, a_run(outcomes(25, 25, first=1000)))["right answers"] == "worse"
    assert verdicts(then, a_run(outcomes(35, 15, first=1000)))["right answers"] == "worse"
    assert verdicts(then, a_run(outcomes(40, 10, first=1000)))["right answers"] == "no worse"
    grown = a_run(outcomes(45, 5), outcomes(0, 40, first=1000))
    found = compared(then, grown)[0]
    assert (found.pairs, found.now, found.verdict) == (50, (45, 50), "no worse")


def test_a_case_is_another_when_its_answer_is() -> None:
    one = Case("What is it?", ("a.md",), ("x",), "en", False)
    assert gate.key_of(one) == gate.key_of(Case(" what is  it", ("a.md",), ("x",), "en", True))
    others = [("a.md",), ("y",)], [("b.md",), ("x",)], [(), ()]
    keys = {gate.key_of(Case("What is it?", sources, must, "en", False)) for sources, must in others}
    assert len(keys | {gate.key_of(one)}) == 4


# --- the file ---


def test_a_run_is_read_as_it_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    one = a_run(outcomes(3, 2), outcomes(1, 1, False), outcomes(0, 1))
    gate.write(path, one)
    assert gate.read(path) == one
    assert len(one.outcomes) == 7, "of two outcomes of one case the first counts"
    assert one.outcomes[0].ok
    assert [item.name for item in tmp_path.iterdir()] == ["gate.json"]


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(form=2),
        lambda told: told.update(outcomes=[]),
        lambda told: told["outcomes"].append(told["outcomes"][0]),
        lambda told: told["outcomes"][0].update(ok="yes"),
        lambda told: told["outcomes"][0].update(question="What?"),
        lambda told: told.pop("model"),
        lambda told: told.update(cases="0" * 64),
        lambda told: told["outcomes"][0].update(cites=-1),
        lambda told: told["outcomes"][0].update(right_cites=told["outcomes"][0]["cites"] + 1),
        lambda told: told["outcomes"][0].update(ok=True, cites=0, right_cites=0),  # right without a source
        lambda told: told["outcomes"][0].update(answerable=False, ok=True, cites=1, right_cites=0),  # refused with one
        lambda told: told["outcomes"][0].update(answerable=False, ok=False, cites=1, right_cites=1),
    ],
)
def test_what_is_no_stored_run_is_told(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = tmp_path / "gate.json"
    gate.write(path, a_run(outcomes(2, 1)))
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))
    with pytest.raises(UsageError, match=r"gate\.json .*--store"):
        gate.read(path)
    with pytest.raises(UsageError, match="--store"):
        gate.read(tmp_path / "none.json")


def test_the_shipped_run_is_of_the_shipped_cases_without_their_text() -> None:
    from eval.cases import SHIPPED_CASES, read

    path = SHIPPED_CASES.parent / "gate.json"
    stored, cases = gate.read(path), read(SHIPPED_CASES)
    same = {outcome.key for outcome in stored.outcomes} == {gate.key_of(case) for case in cases}
    assert same, "data/qa.jsonl has changed: python -m eval.run --all --store data/gate.json"
    text = path.read_text(encoding="utf-8")
    shown = sum(case.question in text or any(len(m) > 6 and m in text for m in case.must_include) for case in cases)
    assert shown == 0


# --- the command ---


def test_the_command_stores_compares_and_fails(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none.toml").touch()
    monkeypatch.setenv("BRAIN_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("BRAIN_MIN_SCORE", "0.2")
    embedder: Embedder = HashEmbedder(dimension=512)
    monkeypatch.setattr(search, "pick", lambda settings: Models(embedder, None, ""))
    rows = [
        {"question": f"How many days of annual leave do staff get{'?' if i else ''} {i}", "source": "leave.md",
         "must_include": ["28 days"], "held": i % 2 == 1}
        for i in range(8)
    ]  # fmt: skip
    path, stored = tmp_path / "q.jsonl", tmp_path / "gate.json"
    path.write_text("\n".join(map(json.dumps, rows)))
    flags = ["--docs", str(docs), "--db", str(tmp_path / "main.db"), "--cases", str(path), "--all"]
    assert run.main([*flags, "--store", str(stored)]) == 0
    before = stored.read_bytes()
    assert run.main([*flags, "--gate", str(stored)]) == 0
    assert "gate: open" in capsys.readouterr().out
    monkeypatch.setenv("BRAIN_MIN_SCORE", "0.99")
    monkeypatch.setenv("BRAIN_MIN_COVERAGE", "1")
    assert run.main([*flags, "--gate", str(stored), "--store", str(stored)]) == 1
    printed = capsys.readouterr().out
    assert "gate: shut" in printed
    assert "min_score 0.2 then, 0.99 now" in printed
    assert printed.count("lost: How many days") == 4, "open cases only"
    assert stored.read_bytes() == before, "a worse run is not stored in its place"
    assert run.main([*flags, "--gate", str(stored), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)["gate"]
    assert not report["open"]
    assert report["measures"][0]["then"] == [8, 8]
