"""Does it help search to prefer passages that ground many facts? Ranks with and without, by several weights.

Half of each set's questions chooses the weight, the other tells. Search itself knows nothing of it: what was found is
put into another order here. Held questions are left out. Found not to help (eval/LOG.md).
Try: python -m eval.grounded --data ~/retrieval-data publiccode
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from access import local_caller
from config import PROJECT, Settings
from eval.cases import SHIPPED_CASES, Case, read
from eval.retrieval import DEPTH, SETS
from retrieval.found import Hit
from search import Index, open_index

WEIGHTS = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)
FORMS: dict[str, Callable[[float, float, int], float]] = {
    "added": lambda score, weight, facts: score + weight * math.log1p(facts),
    "factor": lambda score, weight, facts: score * (1 + weight * math.log1p(facts)),
}
"""How the number of facts counts; at the smallest weight it only parts those that are level."""
Asked = tuple[Case, list[tuple[Hit, int]]]


def _facts_in(index: Index) -> Callable[[Hit], int]:
    """How many statements of a hit's document stand on its lines."""
    lines: dict[str, list[int]] = {}
    rows = index.store.connection().execute(
        "SELECT d.path, e.first_line FROM evidence e JOIN documents d ON d.id = e.document_id"
    )
    for path, line in rows.fetchall():
        lines.setdefault(path, []).append(line)
    return lambda hit: sum(hit.chunk.first_line <= at <= hit.chunk.last_line for at in lines.get(hit.chunk.path, ()))


def _silent(text: str) -> None:
    """That another backend is missing is no news here."""


def asked(name: str, data: Path, work: Path, settings: Settings) -> Iterator[Asked]:
    """Each open question of a set with what search finds, and how many facts each hit grounds. Raises ModelError."""
    docs, cases = PROJECT / "docs", read(SHIPPED_CASES)
    if name in SETS:
        docs, cases = SETS[name].docs(data, work), SETS[name].cases(data)
    elif name != "demo":  # documents whose facts are asked for
        lines = (data / "graph-qa" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["dataset"] == name]
        docs, cases = data / name, [Case(row["question"], tuple(row["evidence"]), (), "en", False) for row in rows]
    with open_index(replace(settings, docs_dir=docs, db=work / f"{name}.db", database=""), notice=_silent) as index:
        index.sync()
        searcher, facts = index.searcher(), _facts_in(index)
        for case in cases:
            if case.answerable and not case.held:
                hits = searcher.search(local_caller(), case.question, DEPTH).hits
                yield case, [(hit, facts(hit)) for hit in hits]


def figures(found: Sequence[Asked], form: str, weight: float) -> tuple[float, float, float]:
    """First place, recall@10 and MRR among distinct documents."""
    ranks = []
    for case, hits in found:
        order = sorted(hits, key=lambda one: -FORMS[form](one[0].fused, weight, one[1]))
        paths = list(dict.fromkeys(hit.chunk.path for hit, _ in order))
        ranks.append(next((at for at, path in enumerate(paths, 1) if path in case.sources), 0))
    n = max(len(ranks), 1)
    return (
        sum(rank == 1 for rank in ranks) / n,
        sum(0 < rank <= 10 for rank in ranks) / n,
        sum(1 / rank for rank in ranks if rank) / n,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; prints both halves of each set for each weight. Exit 0."""
    import commandline

    parser = commandline.parser("Rank by facts, too.", "python -m eval.grounded --data ~/retrieval-data publiccode")
    parser.add_argument("names", nargs="+", metavar="SET", help=f"demo, {', '.join(SETS)}, or one of graph-qa's")
    parser.add_argument("--data", type=Path, default=Path(), metavar="DIR", help="the folder of the question sets")
    parser.add_argument("--work", type=Path, default=PROJECT / ".brain" / "retrieval", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    args.work.mkdir(parents=True, exist_ok=True)
    for name in args.names:
        found = [*asked(name, args.data, args.work, commandline.settings_of(args))]
        halves = {"choosing": found[::2], "telling": found[1::2]}
        grounded = sum(facts > 0 for _, hits in found for _, facts in hits) / max(sum(len(h) for _, h in found), 1)
        print(f"{name}: {len(found)} questions, {grounded:.0%} of hits ground a fact")
        for form in FORMS:
            for weight in WEIGHTS:
                told = {half: [round(x, 3) for x in figures(some, form, weight)] for half, some in halves.items()}
                print(f"  {form:7}{weight:6}  first, recall@10, MRR  {json.dumps(told)}", flush=True)
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
