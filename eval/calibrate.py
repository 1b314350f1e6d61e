"""Measures where the gate's limits must stand for these documents and this model, and stores them with the index.

Questions made from the documents, and people's own with `--cases`, are searched; their best scores say which limit
costs least. Nothing is answered. `--ship` also writes the demo's limits to data/calibration.json.
Try: python -m eval.calibrate
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from calibration import choose
from calibration.choose import LEAST_CASES, by_group, nearly_as_good, price_of, scores
from calibration.first import Result, calibrated
from calibration.measure import Measured, Measures
from calibration.plot import drawn
from calibration.questions import Question
from config import PROJECT, Settings
from errors import UsageError
from eval.cases import Case, add_flags, chosen
from retrieval import gate
from retrieval.gate import Calibration
from search import Index, open_index, synced
from store import name_of


def as_questions(cases: Sequence[Case]) -> list[Question]:
    """People's questions as calibration asks them.

    One that several documents answer has no path: leaving one of them out would not make it unanswerable.
    """
    return [
        Question(
            case.question, case.lang, case.answerable, "hand",
            case.sources[0] if len(case.sources) == 1 else "", held=case.held,
        )
        for case in cases
    ]  # fmt: skip


def ship(made: Calibration) -> None:
    """Writes the calibration to gate.SHIPPED in place of the one of the same model."""
    held = json.loads(gate.SHIPPED.read_text(encoding="utf-8")) if gate.SHIPPED.exists() else []
    kept = [value for value in held if value["model"] != made.model]
    values = sorted([*kept, asdict(made)], key=lambda value: str(value["model"]))
    gate.SHIPPED.write_text(json.dumps(values, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def as_json(result: Result, show_held: bool) -> dict[str, Any]:
    """The report: the calibration, the lists' extremes, overlap, prices, and each question's figures."""
    measures, made = result.chosen_on, result.made
    cost = float(made.measured["cost"])
    low, high = measures.able[0], measures.others[-1]
    nearly = nearly_as_good(scores(measures.able), scores(measures.others), cost)
    shown = [m for m in (*measures.able, *measures.others) if show_held or not m.question.held]
    return {
        "calibration": asdict(made),
        "overlap": measures.overlap,
        "lowest_answerable": {"score": round(low.score, 4), "question": _named(low, show_held)},
        "highest_unanswerable": {"score": round(high.score, 4), "question": _named(high, show_held)},
        "nearly_as_good": {"from": round(nearly[0], 4), "to": round(nearly[1], 4)},
        "price_of_the_score_alone": asdict(price_of(measures, made.min_score, math.inf)),
        "price": asdict(price_of(measures, made.min_score, made.min_coverage)),
        "languages": by_group(measures, cost),
        "cases": [
            {
                "question": m.question.text, "made": m.question.made, "answerable": m.question.answerable,
                "lang": m.question.lang, "score": round(m.score, 4), "coverage": round(m.coverage, 4),
            }
            for m in sorted(shown, key=lambda m: m.score)
        ],
    }  # fmt: skip


def as_text(result: Result, show_held: bool, show_all: bool = False) -> str:
    """The report for people; with `show_all` a line for every question, held ones only with `show_held`."""
    measures, made = result.chosen_on, result.made
    cost, (sure_from, sure_to) = float(made.measured["cost"]), made.measured["interval"]
    able, others = measures.able, measures.others
    low, high = able[0], others[-1]
    alone, price = (price_of(measures, made.min_score, c) for c in (math.inf, made.min_coverage))
    nearly, words = nearly_as_good(scores(able), scores(others), cost), choose.by_people(measures)
    lines = [
        f"questions     {made.measured['questions']}",
        f"answerable    {len(able):4}  score {low.score:.3f} to {able[-1].score:.3f}",
        f"              lowest   {low.score:.3f}  {_named(low, show_held)}",
        f"unanswerable  {len(others):4}  score {others[0].score:.3f} to {high.score:.3f}",
        f"              highest  {high.score:.3f}  {_named(high, show_held)}",
        f"AUC {measures.auc:.3f} (1: cleanly separated, 0.5: not at all)",
        _overlap_text(measures),
        "",
        f"min_score     {made.min_score:.4f}  alone refuses {_counts(alone)}",
        f"              nine of ten choices from such questions fall between {sure_from:.4f} and {sure_to:.4f}",
        *(
            [f"              limits from {nearly[0]:.4f} to {nearly[1]:.4f} hold some that cost hardly more"]
            if words
            else []
        ),
        f"min_coverage  {made.min_coverage:.4f}  "
        + (f"with it the gate refuses {_counts(price)}" if words else "built-in: self-made questions do not tell it"),
        f"(letting an unanswerable question through counts {cost:g} times refusing an answerable one)",
        "",
        "languages:",
        *_language_lines(by_group(measures, cost)),
        "  each has its own limit" if made.groups else "  one limit for all: their own are not surely apart",
        "",
        _confidence_text(made),
    ]
    if 2 * price.refused > price.answerable:
        lines.append(
            "\nThese limits refuse more than half of the answerable questions: with this model the score does not "
            "tell them from the others. A lower --cost answers more of both; a larger embedding model tells better."
        )
    if show_all:
        rows = [m for m in sorted((*able, *others), key=lambda m: m.score) if show_held or not m.question.held]
        lines += ["", *(f"{m.score:6.3f} {m.coverage:5.2f}  {_kind(m)}  {m.question.text}" for m in rows)]
    return "\n".join(lines)


def picture(result: Result, docs: Path) -> str:
    """The distributions and the limits as SVG."""
    made, measures = result.made, result.chosen_on
    limits = {f"limit ({name})": limit for name, limit in made.groups.items()} or {"limit": made.min_score}
    title = f"{docs.name}: {made.measured['questions']} questions, AUC {measures.auc:.2f}"
    return drawn(scores(measures.able), scores(measures.others), limits, title)


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


def _confidence_text(made: Calibration) -> str:
    figures = made.measured.get("cross_validated")
    if not figures:
        return "confidence    none: too few questions in people's words to learn it from (60 of each kind)"
    told = f"AUC {figures['auc_confidence']:.3f} instead of the score's {figures['auc_score']:.3f}, cross-validated"
    if made.decision is None:
        return f"confidence    none: it tells less than the score ({told})"
    if made.decision.min_confidence is None:
        return f"confidence    given with every answer, refuses nothing: that would not pay ({told})"
    return f"confidence    {made.decision.min_confidence:.4f} is its limit; {told}"


def _named(measured: Measured, show_held: bool) -> str:
    return measured.question.text if show_held or not measured.question.held else "(a held case)"


def _kind(measured: Measured) -> str:
    return "answerable  " if measured.question.answerable else "unanswerable"


def _counts(price: choose.Price) -> str:
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
            line += f"({row['interval'][0]:.3f} to {row['interval'][1]:.3f}) "
            line += f"would refuse {row['refused']} and let {row['through']} through"
        else:
            line += f"too few for a limit of its own ({LEAST_CASES} of each)"
        lines.append(line)
    return lines


def _hand(args: argparse.Namespace, settings: Settings) -> list[Question]:
    """People's questions: those of --cases, or the demo's; none for other documents."""
    if args.made_only or (args.cases is None and settings.docs_dir != PROJECT / "docs"):
        return []
    return as_questions(chosen(args, settings))


def _check(args: argparse.Namespace, settings: Settings) -> None:
    if args.cost is not None and not 0 < args.cost < math.inf:
        raise UsageError("--cost must be above 0.")
    if args.ship and settings.docs_dir != PROJECT / "docs":
        raise UsageError(
            f"--ship writes the demo's limits, but the documents are {settings.docs_dir}. "
            "Leave --ship out: the limits are stored with the index."
        )
    if args.plot is not None and not args.plot.absolute().parent.is_dir():
        raise UsageError(f"--plot {args.plot}: its folder does not exist.")


def _tell_of_cases(index: Index, hand: Sequence[Question], notice: Callable[[str], None]) -> None:
    known = {entry.path for entry in index.source.entries()}
    lost = list(dict.fromkeys(q.path for q in hand if q.path and q.path not in known))
    if lost:
        notice(f"the questions name documents that are not there: {', '.join(lost[:5])}")


def _stored_text(made: Calibration, before: Calibration | None, settings: Settings, dry_run: bool) -> str:
    if dry_run:
        return "\nnothing was stored (--dry-run)"
    told = f"\nstored for {made.model} at {made.chunks} chunks in {name_of(settings)}"
    if before is None:
        return told
    named = [before.measured.get(name, "?") for name in ("date", "questions")]
    return f"{told}\nin place of {before.min_score:.4f}, measured {named[0]} on {named[1]} questions"


def _parser() -> argparse.ArgumentParser:
    import commandline

    parser = commandline.parser(
        "Measure the gate's limits, on questions made from the documents or your own, and store them with the index.",
        "python -m eval.calibrate --docs ~/handbook --cases ~/questions.jsonl --plot limit.svg",
    )
    add_flags(parser)
    parser.add_argument("--made-only", action="store_true", help="ask only questions made from the documents")
    parser.add_argument(
        "--cost", type=float, metavar="X",
        help="what a wrongly answered question costs, in wrongly refused ones (BRAIN_GATE_COST)",
    )  # fmt: skip
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw both lists and the limit as SVG")
    parser.add_argument("--dry-run", action="store_true", help="measure and report, store nothing")
    parser.add_argument("--ship", action="store_true", help="also write data/calibration.json (demo documents only)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0 when stored, 2 for wrong use or too few questions, 3 for a model away."""
    import commandline

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    _check(args, settings)
    hand = _hand(args, settings)
    cost = settings.gate_cost if args.cost is None else args.cost
    with open_index(settings, notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress, measures=False)
        _tell_of_cases(index, hand, commandline.notice)
        before = index.calibration()
        with commandline.progress("Measuring the limit") as progress:
            result = calibrated(index, hand, cost, stored=not args.dry_run, progress=progress)
    if args.ship:
        ship(result.made)
    if args.plot is not None:
        args.plot.write_text(picture(result, settings.docs_dir), encoding="utf-8")
    show_held = args.explain
    if args.json:
        print(json.dumps(as_json(result, show_held), ensure_ascii=False, indent=2))
    else:
        commandline.out(as_text(result, show_held, args.explain))
        print(_stored_text(result.made, before, settings, args.dry_run))
        if args.ship:
            print(f"and in {gate.SHIPPED}")
    if settings.min_score is not None:
        commandline.notice(f"RAG_MIN_SCORE is set to {settings.min_score:g} and stays in force")
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main, kept="the index keeps what was read, the limit is as it was")
