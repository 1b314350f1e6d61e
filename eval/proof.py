"""How many planted faults the answer checker finds, how often it doubts what is true, and how fast it is.

Prints, beside their bars: faults found per kind on verbatim and reworded claims (eval/mutations.py), false alarms per
rewording and language, small cases (eval/proof_cases.py), public pairs and labelled answers (eval/proof_pairs.py), and
the time of 1,000 claims. `--misses` shows what went wrong, never in the held half. `DIR` holds some of `docs` in
`handbook-gsa-tts`, `handbook-osio`, `handbook-publiccode`, and `pairs.jsonl` in `begin-wow`, `halueval-qa`.
Try: python -m eval.proof --data ~/public-data --half open --misses 3 --kinds negation
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import commandline
from config import PROJECT
from errors import UsageError
from eval import proof_cases, proof_pairs
from eval.figures import wilson
from eval.judged import Text, judged, reason
from eval.mutation_words import ALL_KINDS
from eval.mutations import CLAIMS, HANDBOOKS, SEED, Record, folders, records
from verify import check

PARTS = ("mutations", "cases", "begin", "halueval", "answers", "speed")
"""What can be measured, in the order of the table."""
BARS = dict.fromkeys(("number", "date", "amount", "name", "quotation"), 0.98) | {
    "negation": 0.9,
    "modality": 0.9,
    "subject": 0.8,
}
"""The least share of faults to be found in reworded claims."""
ALARM_BARS = {"verbatim": 0.03, "reworded": 0.10}
"""The greatest share of true claims that may be doubted."""
SPEED_BAR = 2.0
"""Seconds of processor time for 1,000 claims."""
_PAIRS = {"begin": ("begin-wow", False), "halueval": ("halueval-qa", True)}
_CASES = PROJECT / "data" / "proof-cases.jsonl"
_ANSWERS = PROJECT / "data" / "proof-answers.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """Faults of one kind found, or true claims of one group doubted, among `n`."""

    group: str
    base: str
    hits: int
    n: int
    bar: float | None
    most: bool = False  # whether the bar is the greatest share allowed instead of the least

    @property
    def share(self) -> float:
        """The share of `n`."""
        return self.hits / self.n if self.n else 0.0

    @property
    def ok(self) -> bool:
        """Whether the bar is met; a row without one always is."""
        if self.bar is None:
            return True
        return round(self.share, 4) <= self.bar if self.most else round(self.share, 4) >= self.bar


@dataclass(frozen=True, slots=True)
class Judged:
    """A record and whether the checker took it for proved."""

    record: Record
    passed: bool

    @property
    def is_right(self) -> bool:
        """Whether the checker was right about it."""
        return self.passed == (self.record.kind == "true")


def judge(found: Iterable[Record]) -> list[Judged]:
    """The checker's word on every record."""
    return [Judged(record, judged(record)) for record in found]


def fault_rows(found: Sequence[Judged]) -> list[Row]:
    """Faults found per kind, verbatim and reworded."""
    rows = []
    for kind in ALL_KINDS:
        for base in ALARM_BARS:
            mine = [j for j in found if j.record.kind == kind and j.record.base == base]
            rows.append(
                Row(
                    kind, base, sum(j.is_right for j in mine), len(mine), BARS.get(kind) if base == "reworded" else None
                )
            )
    return rows


def alarm_rows(found: Sequence[Judged]) -> list[Row]:
    """True claims doubted: by base, by rewording and by language."""
    groups: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in found:
        if one.record.kind == "true":
            groups["all", one.record.base].append(one)
            for name in one.record.rewording.split("+") if one.record.rewording else ():
                groups[name, "reworded"].append(one)
            groups[f"language {one.record.lang}", one.record.base].append(one)
    return [
        Row(group, base, sum(not j.passed for j in mine), len(mine), ALARM_BARS[base] if group == "all" else None, True)
        for (group, base), mine in sorted(groups.items())
    ]


def misses(found: Sequence[Judged], most: int, seed: int) -> list[str]:
    """Up to `most` wrong judgements of each kind and base, to be read; of the open half only."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for one in found:
        if not one.is_right and not one.record.held:
            groups[one.record.kind, one.record.base].append(one.record)
    lines = []
    for (kind, base), wrong in sorted(groups.items()):
        lines.append(f"{'false alarms' if kind == 'true' else 'missed ' + kind}, {base}: {len(wrong)}")
        for record in random.Random(f"{seed}:{kind}:{base}").sample(wrong, min(most, len(wrong))):
            lines += _told(record)
    return lines


def _told(record: Record) -> list[str]:
    passage = record.passages[record.right - 1]
    why = reason(record) if record.kind == "true" else f"planted {record.planted or '(something taken out)'!r}"
    lines = [f"  - {record.answer}  ({record.rewording or 'verbatim'}, {record.lang})", f"    {why}"]
    if record.kind != "true":
        lines.append(f"    true: {record.true_claim}")
    return [
        *lines,
        f"    {passage.document}:{passage.first_line} {passage.above!r}",
        *(f"    | {line}" for line in passage.text.split("\n")),
    ]


def line_of(row: Row) -> str:
    """A row of the table."""
    low, high = wilson(row.hits, row.n)
    bar = "" if row.bar is None else f"  {'≤' if row.most else '≥'} {row.bar:4.0%} {'' if row.ok else 'MISSED'}"
    share = f"{row.share:6.1%} [{low:4.0%}, {high:4.0%}]"
    return f"{row.group:14} {row.base:9} {row.hits:5} / {row.n:<5} {share}{bar}".rstrip()


def speed(claims: int = 1000, runs: int = 5) -> float:
    """Seconds of processor time of the best run: claims of about 30 words, each citing a passage of about 300."""
    made = [_made_up(n) for n in range(claims)]
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        for answer, passage in made:
            check(answer, [passage], "en")
        best = min(best, time.process_time() - began)
    return best


def _made_up(n: int) -> tuple[str, Text]:
    rng = random.Random(n)
    teams = ("finance", "travel", "security", "outreach", "people", "design", "legal", "research")
    verbs = ("reviews", "approves", "records", "plans", "publishes", "archives")
    things = ("expense report", "travel request", "access request", "press release", "contract", "survey")

    def sentence() -> str:
        who, helper, before = rng.choice(teams), rng.choice(("manager", "assistant")), rng.choice(teams)
        return (
            f"The {who} team {rng.choice(verbs)} every {rng.choice(things)} within {rng.randint(2, 40)} working days "
            f"after the {before} team has sent the form with the receipts and the number of the job to its {helper}."
        )

    sentences = [sentence() for _ in range(10)]
    said = rng.choice(sentences)
    return f"{said[:-1]} [1].", Text("\n".join(sentences), f"Handbook > Section {n}")


def _mutations(args: argparse.Namespace) -> dict[str, Any] | None:
    if not folders(args.data):
        print(f"mutations: skipped, none of {', '.join(f'{n}/docs' for n in HANDBOOKS)} is in {args.data}")
        return None
    found = records(args.data, seed=args.seed, claims=args.claims)
    found = [r for r in found if args.half == "all" or r.held == (args.half == "held")]
    if args.kinds:
        found = [r for r in found if r.kind in ("true", *args.kinds)]
    if args.limit:
        kept = set(sorted({r.id for r in found})[: args.limit])
        found = [r for r in found if r.id in kept]
    done = judge(found)
    faults = [row for row in fault_rows(done) if row.n]
    alarms = alarm_rows(done)
    if not args.json:
        print(f"faults found ({args.half} documents)", *map(line_of, faults), "", sep="\n")
        print("true claims doubted", *map(line_of, alarms), "", sep="\n", flush=True)
        if args.misses:
            print(*misses(done, args.misses, args.seed), "", sep="\n")
    told = [asdict(row) | {"share": row.share, "ok": row.ok} for row in [*faults, *alarms]]
    return {"faults": told[: len(faults)], "false_alarms": told[len(faults) :]}


def _cases(args: argparse.Namespace) -> dict[str, Any] | None:
    if not _CASES.exists():
        print(f"cases: skipped, {_CASES} is not there")
        return None
    found = [c for c in proof_cases.cases(_CASES, args.data) if args.half == "all" or c.held == (args.half == "held")]
    rows, wrong = proof_cases.judged(found[: args.limit or None])
    if not args.json:
        print(f"cases ({args.half} half): false ones refused, true ones proved")
        for row in rows:
            print(f"{row.kind:16} {row.refused:4} / {row.false:<4} {row.proved:4} / {row.true}")
        for line in random.Random(args.seed).sample(wrong, min(args.misses, len(wrong))):
            print(f"  - {line}")
    return {"rows": [asdict(row) for row in rows]}


def _pairs(part: str, args: argparse.Namespace) -> dict[str, Any] | None:
    folder, with_question = _PAIRS[part]
    path = args.data / folder / "pairs.jsonl"
    if not path.exists():
        print(f"{part}: skipped, {path} is not there")
        return None
    done = proof_pairs.scored(proof_pairs.pairs(path, with_question=with_question)[: args.limit or None])
    row = proof_pairs.row_of(folder, done)
    if not args.json:
        print(
            f"{row.set}: n {row.n}, supported {row.base_rate:.1%}, AUC of the support score {row.auc:.3f}",
            f"  by support: balanced accuracy {row.balanced:.1%}, F1 {row.f1:.3f}, thresholds "
            f"{row.thresholds[0]:.2f} and {row.thresholds[1]:.2f}",
            f"  by status:  balanced accuracy {row.status_balanced:.1%}, F1 {row.status_f1:.3f}",
            sep="\n",
            flush=True,
        )
        wrong = [s for s in done if s.passed != s.supported]
        for s in random.Random(args.seed).sample(wrong, min(args.misses, len(wrong))):
            print(f"  - {'doubted' if s.supported else 'missed'} ({s.support:.2f}): {s.text}\n      {s.reason}")
    return asdict(row)


def _answers(args: argparse.Namespace) -> dict[str, Any] | None:
    path = args.answers or _ANSWERS
    if not path.exists():
        print(f"answers: skipped, {path} is not there")
        return None
    rows, wrong, unmatched = proof_pairs.labelled(path, args.data)
    if not args.json:
        for row in rows:
            print(
                f"answers, {row.label}: precision {row.precision:.1%} of {row.said}, recall {row.recall:.1%} of {row.n}"
            )
        print(f"answers: {unmatched} labelled sentences that no claim matches")
        for line in random.Random(args.seed).sample(wrong, min(args.misses, len(wrong))):
            print(f"  - {line}")
    return {"unmatched": unmatched, "rows": [asdict(r) | {"precision": r.precision, "recall": r.recall} for r in rows]}


def _speed(args: argparse.Namespace) -> dict[str, Any]:
    seconds = speed()
    if not args.json:
        missed = "" if seconds <= SPEED_BAR else "MISSED"
        print(f"speed: 1,000 claims of about 30 words in {seconds:.2f} s  ≤ {SPEED_BAR:.0f} s {missed}")
    return {"seconds": seconds, "bar": SPEED_BAR, "ok": seconds <= SPEED_BAR}


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=commandline.program(),
        description=(__doc__ or "").splitlines()[0],
        epilog="example: python -m eval.proof --data ~/public-data --half open --kinds negation --misses 3",
    )
    made.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help=f"holds {', '.join(HANDBOOKS)}, begin-wow, halueval-qa"
    )
    made.add_argument("--only", type=_list, default=list(PARTS), metavar="PARTS", help=f"some of {','.join(PARTS)}")
    made.add_argument("--kinds", type=_list, default=[], metavar="KINDS", help=f"some of {','.join(ALL_KINDS)}")
    made.add_argument(
        "--half", choices=("open", "held", "all"), default="all", help="documents to measure on (default all)"
    )
    made.add_argument(
        "--misses", type=int, default=0, metavar="N", help="print N wrong judgements of each kind, of the open half"
    )
    made.add_argument("--claims", type=int, default=CLAIMS, metavar="N", help="true claims to make")
    made.add_argument(
        "--limit", type=int, default=0, metavar="N", help="judge only so many true claims (with their faults) and pairs"
    )
    made.add_argument(
        "--answers", type=Path, metavar="FILE", help=f"answers labelled by sentence (default {_ANSWERS.name})"
    )
    made.add_argument("--seed", type=int, default=SEED)
    made.add_argument("--json", action="store_true", help="print JSON")
    return made


def _refuse(args: argparse.Namespace) -> None:
    for given, known, what in ((args.only, PARTS, "part"), (args.kinds, tuple(ALL_KINDS), "kind of fault")):
        if unknown := [name for name in given if name not in known]:
            raise UsageError(f"There is no {what} {unknown[0]!r}, only {', '.join(known)}.")
    if args.misses and args.half == "held":
        raise UsageError("The held half is for the last figure only: --misses goes with --half open or all.")
    pairs_there = any((args.data / folder / "pairs.jsonl").exists() for folder, _ in _PAIRS.values())
    if not folders(args.data) and not pairs_there and not set(args.only) <= {"speed", "cases"}:
        wanted = [*(f"{name}/docs" for name in HANDBOOKS), *(f"{folder}/pairs.jsonl" for folder, _ in _PAIRS.values())]
        raise UsageError(f"There is nothing to measure with in {args.data}: it must hold some of {', '.join(wanted)}.")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 0 when it ran, whatever the figures say, 2 for wrong use or no data at all."""
    args = _parser().parse_args(argv)
    _refuse(args)
    report: dict[str, Any] = {}
    for part in PARTS:
        if part in args.only:
            if part in _PAIRS:
                report[part] = _pairs(part, args)
            else:
                report[part] = {"mutations": _mutations, "cases": _cases, "answers": _answers, "speed": _speed}[part](
                    args
                )
    if args.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    commandline.run(main, kept="the figures above are whole, nothing else is kept")
