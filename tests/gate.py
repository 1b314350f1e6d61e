"""The gate: the four kinds of test without which nobody should be let in, run by name, with a line for each.

permission: nobody is shown what they may not read. deletion: what was deleted is shown no more. freshness: an edit of
text or rights holds after the next sync, and what is old says so. refusal: what is not there and what is not allowed
are refused alike. Try: python -m tests.gate, or python -m tests.gate deletion
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("permission", "deletion", "freshness", "refusal")


class Tally:
    """Counts the tests of each kind by how they ended."""

    def __init__(self) -> None:
        self.kinds: dict[str, list[str]] = {}
        self.passed: dict[str, set[str]] = defaultdict(set)
        self.failed: dict[str, set[str]] = defaultdict(set)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.kinds = {item.nodeid: [kind for kind in KINDS if item.get_closest_marker(kind)] for item in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ended = self.failed if report.failed else self.passed if report.passed and report.when == "call" else {}
        for kind in self.kinds.get(report.nodeid, ()):
            if kind in KINDS and ended is not None:
                ended.setdefault(kind, set()).add(report.nodeid)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tests of each kind. Exit 0; 1 when one fails, or a kind has none."""
    parser = argparse.ArgumentParser(prog="python -m tests.gate", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}; all of them by default")
    parser.add_argument("--tests", default=str(ROOT / "tests"), metavar="PATH", help="where they are looked for")
    args = parser.parse_args(argv)
    if wrong := set(args.kinds) - set(KINDS):
        parser.error(f"{', '.join(sorted(wrong))}: the kinds are {', '.join(KINDS)}")
    kinds, tally = args.kinds or KINDS, Tally()
    chosen = f"({' or '.join(kinds)}) and not slow and not ollama"
    code = pytest.main([args.tests, "-c", str(ROOT / "pyproject.toml"), "-m", chosen], plugins=[tally])
    for kind in kinds:
        failed, passed = len(tally.failed[kind]), len(tally.passed[kind] - tally.failed[kind])
        told = f"{failed} FAILED" if failed else "open" if passed else "NO TEST"
        print(f"gate: {kind:12}{passed:5} passed  {told}")
    return 1 if code or not all(tally.passed[kind] for kind in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
