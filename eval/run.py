"""Asks every question of a file and counts: right document found, right words said, rightly and wrongly refused.

Held cases are counted, not shown, unless --explain: whoever reads them would tune on them. With --gate it also tells
whether this run is worse than a stored one (eval/gate.py). Try: python -m eval.run
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from access import Caller, local_caller
from answer import Assistant
from eval import gate
from eval.cases import Case, add_flags, astray, chosen
from eval.figures import wilson
from language.phrases import say
from retrieval.found import Found
from search import Index, open_index, synced

DEPTH = 30
"""Hits among which the right document's rank is looked for."""
_SHOWN = 90  # characters of an answer


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case."""

    case: Case
    rank: int | None  # of the first right document among distinct ones, 1 is best
    status: str
    said: str
    includes: bool  # every must_include stands in the answer
    cited: bool  # a right document is among the sources
    seconds: float
    attempts: int = 0  # how often a chat model wrote
    documents: tuple[str, ...] = ()  # of each cited source

    @property
    def ok(self) -> bool:
        """Answered with the right words from a right document, or rightly refused."""
        if not self.case.answerable:
            return self.status == "not_found"
        return self.status != "not_found" and self.includes and self.cited


@dataclass(frozen=True, slots=True)
class Sums:
    """Counts over some results; the first six are over the answerable ones, the next two over the others."""

    answerable: int
    first: int
    first_3: int
    first_5: int
    words: int  # every must_include in the answer
    met: int  # that, and a right document cited
    falsely_refused: int
    unanswerable: int
    refused: int
    needs_review: int
    written: int  # by a chat model and not refused
    first_try: int  # of these, every sentence proved at the first attempt
    seconds: float  # mean a question


def ask(index: Index, cases: Iterable[Case], caller: Caller) -> Iterator[Result]:
    """Asks the cases one after another. Raises ModelError when a model is away."""
    assistant = Assistant(index)
    for case in cases:
        ranked = index.searcher().search(caller, case.question, DEPTH)
        answer, _ = assistant.ask(caller, case.question)
        yield Result(
            case, rank_of(case, ranked), answer.status, answer.answer, includes(answer.answer, case.must_include),
            any(source.source in case.sources for source in answer.sources), answer.timings["total"],
            answer.attempts,
            tuple(source.source for source in answer.sources),
        )  # fmt: skip


def rank_of(case: Case, found: Found) -> int | None:
    """The rank of the first right document among the distinct documents of the hits; None when it is not there."""
    paths = dict.fromkeys(hit.chunk.path for hit in found.hits)
    return next((rank for rank, path in enumerate(paths, 1) if path in case.sources), None)


def includes(answer: str, wanted: Iterable[str]) -> bool:
    """Whether every wanted text stands in the answer; case, width of letters and white space do not count."""
    plain = _plain(answer)
    return all(_plain(text) in plain for text in wanted)


def outcome_of(result: Result) -> gate.Outcome:
    """The result as the gate compares it, without any text."""
    right = sum(document in result.case.sources for document in result.documents)
    return gate.Outcome(
        key=gate.key_of(result.case), answerable=result.case.answerable, ok=result.ok, cites=len(result.documents),
        right_cites=right,
    )  # fmt: skip


def summed(results: Sequence[Result]) -> Sums:
    """The counts over `results`."""
    able = [r for r in results if r.case.answerable]
    others = [r for r in results if not r.case.answerable]

    def within(depth: int) -> int:
        return sum(r.rank is not None and r.rank <= depth for r in able)

    return Sums(
        answerable=len(able), first=within(1), first_3=within(3), first_5=within(5),
        words=sum(r.includes and r.status != "not_found" for r in able), met=sum(r.ok for r in able),
        falsely_refused=sum(r.status == "not_found" for r in able),
        unanswerable=len(others), refused=sum(r.ok for r in others),
        needs_review=sum(r.status == "needs_review" for r in results),
        written=sum(r.attempts > 0 and r.status != "not_found" for r in results),
        first_try=sum(r.attempts == 1 and r.status == "answered" for r in results),
        seconds=round(fmean([r.seconds for r in results]), 4) if results else 0.0,
    )  # fmt: skip


def by_language(results: Sequence[Result]) -> dict[str, Sums]:
    """The counts a language, the one with the most cases first."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.case.lang, []).append(result)
    order = sorted(groups, key=lambda lang: (-len(groups[lang]), lang))
    return {lang: summed(groups[lang]) for lang in order}


def totals(sums: Sums) -> dict[str, tuple[int, int]]:
    """What is told with an interval: name -> (count, of how many)."""
    able, others = sums.answerable, sums.unanswerable
    told = {
        "right document first": (sums.first, able),
        "right document in the first 3": (sums.first_3, able),
        "right document in the first 5": (sums.first_5, able),
        "right words": (sums.words, able),
        "right words and a right source": (sums.met, able),
        "falsely refused": (sums.falsely_refused, able),
        "unanswerable and refused": (sums.refused, others),
        "marked for review": (sums.needs_review, able + others),
    }
    return told | ({"passed at the first try": (sums.first_try, sums.written)} if sums.written else {})


def as_json(results: Sequence[Result], model: str, show_held: bool) -> dict[str, Any]:
    """Everything that was measured; held cases only with `show_held`."""
    sums = summed(results)
    shares = {
        name: {"count": count, "n": n, "low": round(wilson(count, n)[0], 4), "high": round(wilson(count, n)[1], 4)}
        for name, (count, n) in totals(sums).items()
    }
    return {
        "model": model,
        "total": asdict(sums),
        "intervals": shares,
        "languages": {lang: asdict(group) for lang, group in by_language(results).items()},
        "cases": [asdict(r) | {"ok": r.ok} for r in results if show_held or not r.case.held],
    }


def line_of(result: Result) -> str:
    """A case for people."""
    case = result.case
    rank = f"rank {result.rank or '-'}" if case.answerable else "no answer"
    frame = say("quote", case.lang)
    said = " ".join(result.said.removeprefix(frame).split())
    short = "refused" if result.status == "not_found" else said[:_SHOWN] + ("…" if len(said) > _SHOWN else "")
    why = ""
    if case.answerable and not result.ok and result.status != "not_found":
        why = " (other document)" if not result.cited else " (lacks " + " | ".join(_lacking(result)) + ")"
    review = " [review]" if result.status == "needs_review" else ""
    return f"{'ok  ' if result.ok else 'miss'}  {rank:9}  {case.question}\n      -> {short}{review}{why}"


def table(results: Sequence[Result], model: str) -> str:
    """The sums for people, a line a language, and the totals with their 95 % intervals."""
    sums = summed(results)
    lines = [
        "        answerable                                       unanswerable",
        "lang      n   first  in 3  in 5  words    met  refused     n  refused  review  s/question",
    ]
    groups = by_language(results)
    for lang, group in [*groups.items(), *([("all", sums)] if len(groups) > 1 else [])]:
        lines.append(
            f"{lang:6}{group.answerable:5}{group.first:8}{group.first_3:6}{group.first_5:6}{group.words:7}"
            f"{group.met:7}{group.falsely_refused:9}{group.unanswerable:6}{group.refused:9}"
            f"{group.needs_review:8}{group.seconds:12.3f}"
        )
    lines.append("")
    for name, (count, n) in totals(sums).items():
        if n:
            low, high = wilson(count, n)
            share = f"{count:4} of {n:<4}{100 * count / n:4.0f} %"
            lines.append(f"{name:32}{share}  (95 %: {100 * low:.0f} to {100 * high:.0f} %)")
    return "\n".join([*lines, f"{'models':32}   {model}"])


def _lacking(result: Result) -> list[str]:
    return [text for text in result.case.must_include if not includes(result.said, [text])]


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _lost(then: gate.Run, now: gate.Run, results: Iterable[Result], show_held: bool) -> list[str]:
    keys = gate.lost(then, now)
    shown = [result.case for result in results if show_held or not result.case.held]
    return [" ".join(case.question.split()) for case in shown if gate.key_of(case) in keys]


def _told(results: Iterable[Result], tell: Callable[[Result], None]) -> list[Result]:
    kept = []
    for result in results:
        tell(result)
        kept.append(result)
    return kept


def _parser() -> argparse.ArgumentParser:
    import commandline

    parser = commandline.parser(
        "Ask questions with known answers and count what came of them.",
        "python -m eval.run --docs ~/handbook --cases ~/questions.jsonl",
    )
    add_flags(parser)
    parser.add_argument("--gate", type=Path, metavar="FILE", help="exit 1 when this run is worse than the stored one")
    parser.add_argument("--store", type=Path, metavar="FILE", help="store this run, unless --gate says it is worse")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 0 when it ran, whatever came of it, but 1 when --gate finds it worse than before."""
    import commandline

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    cases = chosen(args, settings)
    then = gate.read(args.gate) if args.gate else None  # before minutes of asking
    with open_index(settings, notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress)
        missing = astray(cases, (entry.path for entry in index.source.entries()))
        if missing:
            commandline.notice(f"{len(missing)} sources of the cases are not among the documents: {missing[0]} ...")

        def tell(result: Result) -> None:
            if not args.json and (args.explain or not result.case.held):
                print(line_of(result), flush=True)

        results = _told(ask(index, cases, local_caller()), tell)
        label, limit = index.models.label, asdict(index.searcher().limit)
    now = gate.run_of([outcome_of(result) for result in results], label, limit)
    measures = gate.compared(then, now) if then else []
    if args.json:
        report = as_json(results, label, show_held=args.explain)
        gated = {"gate": gate.as_json(then, now, measures)} if then else {}
        print(json.dumps(report | gated, ensure_ascii=False, indent=2))
    else:
        print("\n" + table(results, label))
        if then:
            commandline.out("\n" + gate.table(then, now, measures, _lost(then, now, results, args.explain)))
    worse = gate.is_worse(measures)
    if args.store and not worse:
        gate.write(args.store, now)
        commandline.notice(f"this run is stored in {args.store}")
    return 1 if worse else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
