"""Measures where the gate's limits must stand for these documents and this model, and stores them with the index.

Questions with known answers are searched; their best scores say which limit costs least. Nothing is answered, no chat
model is asked. `--ship` also writes the demo's limits to data/calibration.json.
Try: python -m eval.calibrate
"""

import argparse
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from access import Caller, local_caller
from config import PROJECT, Settings
from errors import UsageError
from eval.cases import Case, add_flags, chosen
from eval.figures import auc
from retrieval import gate
from retrieval.gate import Calibration
from search import Index, Searcher, open_index, synced

LEAST_CASES = 10
"""Fewer answerable or unanswerable questions than this say nothing about a limit."""
COST = 3.0
"""What an unanswerable question that is answered costs, in answerable ones that are refused."""
NEARLY = 1.05
"""Limits that cost at most this times the least are told beside the chosen one."""
LOWEST_COVERAGE = 0.5
"""A passage that holds less than half of what was asked for is no answer, whatever the cases say."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the gate would compare for one question: the best of the passages that it looks at."""

    case: Case
    score: float  # -1 where no passage has a vector
    coverage: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class Measures:
    """Both lists, lowest score first."""

    able: list[Measured]
    others: list[Measured]

    @property
    def auc(self) -> float:
        """How well the score tells the lists apart; see figures.auc."""
        return auc([m.score for m in self.able], [m.score for m in self.others])

    @property
    def overlap(self) -> bool:
        """Whether no limit separates the lists."""
        return self.able[0].score <= self.others[-1].score


@dataclass(frozen=True, slots=True)
class Price:
    """What a pair of limits does to the measured questions."""

    refused: int  # answerable ones
    answerable: int
    through: int  # unanswerable ones
    unanswerable: int


def measure(searcher: Searcher, caller: Caller, cases: Iterable[Case]) -> Measures:
    """Searches every case as an answer would (the setting's k). Raises ModelError when the embedder is away."""
    found = []
    for case in cases:
        result = searcher.search(caller, case.question)
        score = -1.0 if result.best_score is None else result.best_score
        found.append(Measured(case, score, max((hit.coverage for hit in result.hits), default=0.0)))
    found.sort(key=lambda m: m.score)
    return Measures([m for m in found if m.case.answerable], [m for m in found if not m.case.answerable])


def best_score_limit(answerable: Sequence[float], unanswerable: Sequence[float], cost: float = COST) -> float:
    """The limit that minimises `cost` times the share of unanswerables at or above it plus that of answerables below.

    Shares, so that both lists count equally however long they are. Limits midway between neighbouring scores are
    tried, one that lets everything through and one that refuses everything; of equally cheap ones the highest is taken.
    """
    return min(_priced(answerable, unanswerable, cost), key=lambda priced: (priced[0], -priced[1]))[1]


def nearly_as_good(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> tuple[float, float]:
    """The lowest and the highest limit that costs at most NEARLY times the least: how sure the choice is."""
    priced = _priced(answerable, unanswerable, cost)
    least = min(priced)[0]
    limits = [limit for price, limit in priced if price <= NEARLY * least]
    return min(limits), max(limits)


def best_coverage_limit(measures: Measures, min_score: float) -> float:
    """The lowest limit at which the words alone let through at most as many unanswerables as they save answerables.

    Counted are questions below `min_score`, as shares of their list. From LOWEST_COVERAGE to 1; 1, all words, when
    none is good enough.
    """
    saved = [m.coverage for m in measures.able if m.score < min_score]
    through = [m.coverage for m in measures.others if m.score < min_score]
    levels = sorted({c for c in (*saved, *through) if c >= LOWEST_COVERAGE})
    for limit in [LOWEST_COVERAGE, *((a + b) / 2 for a, b in pairwise(levels))]:
        gain = sum(c >= limit for c in saved) / len(measures.able)
        loss = sum(c >= limit for c in through) / len(measures.others)
        if loss <= gain:
            return limit
    return 1.0


def price_of(measures: Measures, min_score: float, min_coverage: float) -> Price:
    """What the gate does with these limits; a coverage limit above 1 asks for the score alone."""

    def passes(m: Measured) -> bool:
        return m.score >= min_score or m.coverage >= min_coverage

    return Price(
        sum(not passes(m) for m in measures.able), len(measures.able),
        sum(passes(m) for m in measures.others), len(measures.others),
    )  # fmt: skip


def calibration(measures: Measures, model: str, chunks: int, cost: float = COST) -> Calibration:
    """The limits chosen from the measures, with what they were measured on.

    Raises UsageError with fewer than LEAST_CASES questions of either kind.
    """
    _check_enough(measures)
    min_score = round(best_score_limit(_scores(measures.able), _scores(measures.others), cost), 6)
    min_coverage = round(best_coverage_limit(measures, min_score), 6)
    price = price_of(measures, min_score, min_coverage)
    measured: dict[str, float | int | str] = {
        "date": datetime.now(UTC).date().isoformat(),
        "answerable": price.answerable,
        "unanswerable": price.unanswerable,
        "auc": round(measures.auc, 4),
        "cost": cost,
        "answerable_refused": round(price.refused / price.answerable, 4),
        "unanswerable_let_through": round(price.through / price.unanswerable, 4),
    }
    return Calibration(min_score, min_coverage, model, chunks, measured)


def by_language(measures: Measures, cost: float = COST) -> dict[str, dict[str, Any]]:
    """For information: English and the other languages on their own, with the limit each would choose."""
    groups: dict[str, Callable[[Measured], bool]] = {
        "en": lambda m: m.case.lang == "en",
        "others": lambda m: m.case.lang != "en",
    }
    report: dict[str, dict[str, Any]] = {}
    for name, belongs in groups.items():
        part = Measures([m for m in measures.able if belongs(m)], [m for m in measures.others if belongs(m)])
        row: dict[str, Any] = {"answerable": len(part.able), "unanswerable": len(part.others)}
        if min(row.values()) >= LEAST_CASES:
            limit = best_score_limit(_scores(part.able), _scores(part.others), cost)
            price = price_of(part, limit, math.inf)
            row |= {"auc": round(part.auc, 4), "min_score": round(limit, 4)}
            row |= {"refused": price.refused, "through": price.through}
        report[name] = row
    return report


def ship(made: Calibration) -> None:
    """Writes the calibration to gate.SHIPPED in place of the one of the same model."""
    held = json.loads(gate.SHIPPED.read_text(encoding="utf-8")) if gate.SHIPPED.exists() else []
    kept = [value for value in held if value["model"] != made.model]
    values = sorted([*kept, asdict(made)], key=lambda value: str(value["model"]))
    gate.SHIPPED.write_text(json.dumps(values, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def as_json(measures: Measures, made: Calibration, cost: float, show_held: bool) -> dict[str, Any]:
    """The report: the calibration, the lists' extremes, overlap, prices, and each case's figures."""
    low, high = measures.able[0], measures.others[-1]
    nearly = nearly_as_good(_scores(measures.able), _scores(measures.others), cost)
    shown = [m for m in (*measures.able, *measures.others) if show_held or not m.case.held]
    return {
        "calibration": asdict(made),
        "overlap": measures.overlap,
        "lowest_answerable": {"score": round(low.score, 4), "question": _named(low, show_held)},
        "highest_unanswerable": {"score": round(high.score, 4), "question": _named(high, show_held)},
        "nearly_as_good": {"from": round(nearly[0], 4), "to": round(nearly[1], 4)},
        "price_of_the_score_alone": asdict(price_of(measures, made.min_score, math.inf)),
        "price": asdict(price_of(measures, made.min_score, made.min_coverage)),
        "languages": by_language(measures, cost),
        "cases": [
            {
                "question": m.case.question, "answerable": m.case.answerable, "lang": m.case.lang,
                "score": round(m.score, 4), "coverage": round(m.coverage, 4),
            }
            for m in sorted(shown, key=lambda m: m.score)
        ],
    }  # fmt: skip


def as_text(measures: Measures, made: Calibration, cost: float, show_held: bool) -> str:
    """The report for people."""
    able, others = measures.able, measures.others
    low, high = able[0], others[-1]
    alone, price = (price_of(measures, made.min_score, c) for c in (math.inf, made.min_coverage))
    nearly = nearly_as_good(_scores(able), _scores(others), cost)
    lines = [
        f"answerable    {len(able):4}  score {low.score:.3f} to {able[-1].score:.3f}",
        f"              lowest   {low.score:.3f}  {_named(low, show_held)}",
        f"unanswerable  {len(others):4}  score {others[0].score:.3f} to {high.score:.3f}",
        f"              highest  {high.score:.3f}  {_named(high, show_held)}",
        f"AUC {measures.auc:.3f} (1: cleanly separated, 0.5: not at all)",
        _overlap_text(measures),
        "",
        f"min_score     {made.min_score:.4f}  alone refuses {_counts(alone)}",
        f"              limits from {nearly[0]:.4f} to {nearly[1]:.4f} hold some that cost hardly more",
        f"min_coverage  {made.min_coverage:.4f}  with it the gate refuses {_counts(price)}",
        f"(letting an unanswerable question through counts {cost:g} times refusing an answerable one)",
        "",
        "languages, for information; the limit is one for all:",
        *_language_lines(by_language(measures, cost)),
    ]
    if 2 * price.refused > price.answerable:
        lines.append(
            "\nThese limits refuse more than half of the answerable questions: with this model the score does not "
            "tell them from the others. A lower --cost answers more of both; a larger embedding model tells better."
        )
    if show_held:
        rows = sorted((*able, *others), key=lambda m: m.score)
        lines += ["", *(f"{m.score:6.3f} {m.coverage:5.2f}  {_kind(m)}  {m.case.question}" for m in rows)]
    return "\n".join(lines)


def _priced(answerable: Sequence[float], unanswerable: Sequence[float], cost: float) -> list[tuple[float, float]]:
    scores = sorted({*answerable, *unanswerable})
    limits = [scores[0], *((a + b) / 2 for a, b in pairwise(scores)), (scores[-1] + 1) / 2]
    priced = []
    for limit in limits:
        through = sum(score >= limit for score in unanswerable) / len(unanswerable)
        refused = sum(score < limit for score in answerable) / len(answerable)
        priced.append((round(cost * through + refused, 9), limit))
    return priced


def _scores(measured: Sequence[Measured]) -> list[float]:
    return [m.score for m in measured]


def _check_enough(measures: Measures) -> None:
    able, others = len(measures.able), len(measures.others)
    if min(able, others) < LEAST_CASES:
        raise UsageError(
            f"Too few questions to calibrate: {able} answerable and {others} unanswerable, at least {LEAST_CASES} of "
            "each are needed. Add lines to the questions' file; manual/calibrate.md shows how."
        )


def _overlap_text(measures: Measures) -> str:
    low, high = measures.able[0].score, measures.others[-1].score
    if not measures.overlap:
        return f"The lists do not overlap: every limit above {high:.3f} up to {low:.3f} separates them."
    below = sum(m.score <= high for m in measures.able)
    above = sum(m.score >= low for m in measures.others)
    return (
        f"The lists OVERLAP: {below} of {len(measures.able)} answerable questions score no higher than the highest "
        f"unanswerable one,\nand {above} of {len(measures.others)} unanswerable ones no lower than the lowest "
        "answerable one. No limit separates them; every one errs on some."
    )


def _named(measured: Measured, show_held: bool) -> str:
    return measured.case.question if show_held or not measured.case.held else "(a held case)"


def _kind(measured: Measured) -> str:
    return "answerable  " if measured.case.answerable else "unanswerable"


def _counts(price: Price) -> str:
    return (
        f"{price.refused} of {price.answerable} answerable, "
        f"lets {price.through} of {price.unanswerable} unanswerable through"
    )


def _language_lines(report: dict[str, dict[str, Any]]) -> list[str]:
    lines = []
    for name, row in report.items():
        line = f"  {name:7} {row['answerable']} answerable, {row['unanswerable']} unanswerable: "
        if "auc" in row:
            line += f"AUC {row['auc']:.3f}, its own min_score {row['min_score']:.3f} "
            line += f"would refuse {row['refused']} and let {row['through']} through"
        else:
            line += f"too few for a limit of its own ({LEAST_CASES} of each)"
        lines.append(line)
    return lines


def _calibrated(index: Index, cases: Sequence[Case], cost: float) -> tuple[Measures, Calibration]:
    """Measures and stores. Raises UsageError, ModelError."""
    searcher, embedder = index.searcher(), index.models.embedder
    if embedder is None:
        raise UsageError("Without an embedding model there is no score to calibrate. Run: python doctor.py")
    measures = measure(searcher, local_caller(), cases)
    made = calibration(measures, embedder.identity.label, index.store.chunk_count(), cost)
    index.store.calibrate(searcher.model_id, made.as_json())
    return measures, made


def _check_shippable(settings: Settings) -> None:
    if settings.docs_dir != PROJECT / "docs":
        raise UsageError(
            f"--ship writes the demo's limits, but the documents are {settings.docs_dir}. "
            "Leave --ship out: the limits are stored with the index."
        )


def _parser() -> argparse.ArgumentParser:
    import commandline

    parser = commandline.parser(
        "Measure the gate's limits on questions with known answers and store them with the index.",
        "python -m eval.calibrate --docs ~/handbook --cases ~/questions.jsonl",
    )
    add_flags(parser)
    parser.add_argument(
        "--cost", type=float, default=COST, metavar="X",
        help="what answering an unanswerable question costs, in answerable ones refused (default 3)",
    )  # fmt: skip
    parser.add_argument("--ship", action="store_true", help="also write data/calibration.json (demo documents only)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0 when stored, 2 for wrong use or too few cases, 3 for a model away."""
    import commandline

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    if not 0 < args.cost < math.inf:
        raise UsageError("--cost must be above 0.")
    if args.ship:
        _check_shippable(settings)
    cases = chosen(args, settings)
    with open_index(settings, notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress)
        measures, made = _calibrated(index, cases, args.cost)
    if args.ship:
        ship(made)
    if args.json:
        print(json.dumps(as_json(measures, made, args.cost, args.explain), ensure_ascii=False, indent=2))
    else:
        print(as_text(measures, made, args.cost, args.explain))
        print(f"\nstored for {made.model} at {made.chunks} chunks in {settings.db}")
        if args.ship:
            print(f"and in {gate.SHIPPED}")
    if settings.min_score is not None:
        commandline.notice(f"RAG_MIN_SCORE is set to {settings.min_score:g} and stays in force")
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
