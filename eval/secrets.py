"""How many planted secrets are found, and how many ordinary lines are touched: the figures behind masking/.

Secrets are made at run time (secret_open.py, secret_held.py); ordinary lines are those of the demo's pages and, with
`--data`, of public documents, half of them held by their path. Choose by the open half, report the held one.
Try: python -m eval.secrets --half open --misses 5
"""

import argparse
import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import commandline
from config import PROJECT
from eval.secret_held import HELD
from eval.secret_made import Planted, leaked, planted
from eval.secret_open import OPEN, PLAIN
from masking import mask

SEEDS = {"open": 20261130, "held": 4711}
LEAST_FOUND, MOST_TOUCHED = 0.95, 0.01
_TEXTS = (".md", ".txt", ".jsonl", ".rst")


def ours(text: str) -> str:
    """The text as it would be stored."""
    return mask(text).text


def ordinary(half: str, data: Path | None) -> Iterator[tuple[str, str]]:
    """(path, text) of documents of this half: the demo's and those below `data`."""
    for folder in [PROJECT / "docs", *([data] if data else [])]:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            is_held = hashlib.sha256(name.encode()).digest()[0] % 2 == 1
            if path.suffix in _TEXTS and path.is_file() and is_held == (half == "held"):
                yield f"{folder.name}/{name}", path.read_text(encoding="utf-8", errors="replace")


def touched(before: str, after: str) -> list[tuple[int, str, str]]:
    """(line, before, after) of the lines that differ and are not blank."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return [(n, was, now) for n, (was, now) in enumerate(pairs, 1) if was != now]


def _found(half: str, each: int, misses: int) -> tuple[dict[str, Counter[bool]], list[str]]:
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    missed: list[str] = []
    cases: list[Planted] = [*planted(OPEN if half == "open" else HELD, SEEDS[half], each)]
    by_form: Counter[str] = Counter()
    for case in cases:
        is_missed = leaked(case.secret, ours(case.text))
        counts[case.kind][not is_missed] += 1
        if is_missed and by_form[case.form] < misses and half == "open":
            by_form[case.form] += 1
            missed.append(f"missed {case.kind}: {case.text!r}")
    return counts, missed


def _table(half: str, args: argparse.Namespace) -> bool:
    counts, missed = _found(half, args.each, args.misses)
    commandline.out(f"{half} half")
    total = Counter[bool]()
    for kind, count in sorted(counts.items()):
        total += count
        commandline.out(f"  {kind:20} {count[True]:5} of {count.total():5} found  {count[True] / count.total():6.1%}")
    share = total[True] / total.total()
    commandline.out(f"  {'all':20} {total[True]:5} of {total.total():5} found  {share:6.1%}")
    lines = hits = 0
    for path, text in ordinary(half, args.data):
        differing = touched(text, ours(text))
        lines += sum(bool(line.strip()) for line in text.splitlines())
        hits += len(differing)
        shown = differing if args.touched else []
        for number, was, now in shown:
            commandline.out(f"  touched {path}:{number}\n    {was[:300]}\n    {now[:300]}")
    commandline.out(f"  ordinary lines       {hits:5} of {lines:5} touched  {hits / max(lines, 1):.3%}")
    if half == "open":
        wrong = [line for line in PLAIN if ours(line) != line]
        commandline.out(f"  look-alikes          {len(wrong):5} of {len(PLAIN):5} touched")
        missed += [f"touched {line!r}" for line in wrong] if args.misses else []
    for line in missed:
        commandline.out(line)
    return share >= LEAST_FOUND and hits < MOST_TOUCHED * max(lines, 1)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints found and touched shares by kind. Exit 0, or 1 where one is short of its bar."""
    parser = commandline.bare_parser(
        "Measure how many planted secrets are found and how many ordinary lines are touched.",
        "python -m eval.secrets --data ../public --half held",
    )
    parser.add_argument("--half", choices=("open", "held", "both"), default="both", help="which half (default: both)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="public documents whose lines count as ordinary, too")
    parser.add_argument("--each", type=int, default=20, metavar="N", help="texts of each form (default: 20)")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show up to N misses of each open form")
    parser.add_argument("--touched", action="store_true", help="show every ordinary line that was touched")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N texts of the open half and end")
    args = parser.parse_args(argv)
    if args.show:
        for case in random.Random(0).sample([*planted(OPEN, SEEDS["open"], 1)], args.show):
            commandline.out(f"{case.kind}:\n{case.text}\n-> {ours(case.text)}\n")
        return 0
    halves = ["open", "held"] if args.half == "both" else [args.half]
    results = [_table(half, args) for half in halves]
    return 0 if all(results) else 1


if __name__ == "__main__":
    commandline.run(main)
