"""Questions over public sets whose answer is a fact of a table or a record: are they answered exactly, with evidence?

DIR holds graph-qa/questions.jsonl (dataset, kind, question, answers) and a folder for each dataset. Right is an answer
whose rows name exactly these, each with a citation. Try: python -m eval.graph_open --data DIR
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import commandline
from access import local_caller
from answer import Assistant
from answering.shapes import Answer
from config import load
from errors import UsageError
from facts.normal import key
from models import Models
from search import Index, open_index


def answered(answer: Answer) -> set[str]:
    """What the rows of an answer name, in normal form; "yes" or "no" for a check."""
    return {key(row.cells[0]) for row in answer.route.rows if row.cells}


def is_right(answer: Answer, wanted: Sequence[str]) -> bool:
    """Whether it names exactly these, each proved by a citation."""
    proved = all(step.citations for row in answer.route.rows for step in row.steps)
    return answered(answer) == {key(one) for one in wanted} and proved and bool(answer.sources)


def main(argv: Sequence[str] | None = None) -> int:
    """python -m eval.graph_open; exit 1 where less than 95 % are right."""
    parser = argparse.ArgumentParser(
        description="Ask public questions whose answer is a fact of a table or a record, and count what is right.",
        epilog="example: python -m eval.graph_open --data DIR",
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with graph-qa and the sets")
    parser.add_argument("--kind", help="questions of this kind alone")
    parser.add_argument("--words", action="store_true", help="without an embedder: an index in seconds")
    args = parser.parse_args(argv)
    path = args.data / "graph-qa" / "questions.jsonl"
    if not path.is_file():
        raise UsageError(f"{path} is not there. Name the folder that holds it with --data.")
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    right, of = Counter[str](), Counter[str]()
    for name in sorted({case["dataset"] for case in cases}):
        with tempfile.TemporaryDirectory() as folder:
            settings = replace(load(), docs_dir=args.data / name, db=Path(folder) / "i.db", audit=False)
            with open_index(settings, notice=lambda text: None) as index:
                if args.words:
                    index = Index(settings, Models(None, None, ""), index.source, index.store)
                index.sync()
                _ask(index, [c for c in cases if c["dataset"] == name and args.kind in (None, c["kind"])], right, of)
    for kind in sorted(of):
        print(f"{kind}: {right[kind]} of {of[kind]}")
    share = sum(right.values()) / max(sum(of.values()), 1)
    print(f"all: {sum(right.values())} of {sum(of.values())} ({share:.3f})")
    return 0 if share >= 0.95 else 1


def _ask(index: Index, cases: Sequence[dict[str, object]], right: Counter[str], of: Counter[str]) -> None:
    for case in cases:
        kind, question = str(case["kind"]), str(case["question"])
        wanted = [str(one) for one in case["answers"]]  # type: ignore[attr-defined]
        answer, _ = Assistant(index).ask(local_caller(), question)
        of[kind] += 1
        if is_right(answer, wanted):
            right[kind] += 1
        else:
            got = sorted(answered(answer))[:6]
            print(
                f"wrong ({kind}, {answer.route.tool}): {question}\n    wanted {wanted[:6]}, got {got}", file=sys.stderr
            )


if __name__ == "__main__":
    commandline.run(main)
