"""Proves the tests of who may read what: takes each filter away in a copy of the project and shows that they fail.

Prints a line a filter, exit 1 when one is not missed. With --cases or --roads it looks at so many random cases instead
(tests/test_access_property.py, tests/test_access_roads.py). Try: python -m tests.prove_access --only mask
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests import engine
from tests.access_mutants import MUTANTS, SLICE, Mutant
from tests.postgres_mutants import POSTGRES, POSTGRES_SLICE

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    "tests/test_access_rules.py", "tests/test_access.py", "tests/test_access_property.py", "tests/test_drive.py",
    "tests/test_facts_api.py", "tests/test_decide.py",
)  # fmt: skip
DATABASE_TESTS = ("tests/test_postgres_rights.py", "tests/test_postgres_pace.py", *TESTS[:3])
_NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "manual", "skills", "deploy", "*.db")
STANDS = "tests/test_access_property.py::test_every_filter_that_can_be_taken_away_stands_once"
_SECONDS = 1800


def copied(place: Path) -> Path:
    """A copy of the project to spoil."""
    return Path(shutil.copytree(ROOT, place / "project", ignore=_NOT_COPIED, symlinks=True))


def missed(project: Path, mutant: Mutant | None) -> str:
    """The first test that fails in the copy with that filter gone (None: as it is), "" when none does."""
    path = project / mutant.file if mutant else project / "store.py"
    before = path.read_text(encoding="utf-8")
    if mutant:
        if before.count(mutant.old) != 1:
            raise SystemExit(f"{mutant.name}: {mutant.file} holds its text {before.count(mutant.old)} times, not once")
        path.write_text(before.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        for chosen in ([mutant.by] if mutant else []), []:
            if failed := _first_failure(project, chosen, spoilt=mutant is not None):
                return failed
    finally:
        path.write_text(before, encoding="utf-8")
    return ""


def _first_failure(project: Path, chosen: Sequence[str], *, spoilt: bool) -> str:
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "--tb=no"]
    tests = DATABASE_TESTS if os.environ.get("BRAIN_TEST_ENGINE") == "postgres" else TESTS
    command += [*tests, *(part for text in chosen for part in ("-k", text))]
    command += ["--deselect", STANDS] if spoilt else []  # it sees the edit, not what is lost by it
    environment = os.environ | {"PYTHONPATH": str(project), "BRAIN_ACCESS_CASES": "72"}
    done = subprocess.run(
        command, cwd=project, env=environment, text=True, capture_output=True, check=False, timeout=_SECONDS
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    failed = [line.split()[1] for line in done.stdout.split("\n") if line.startswith(("FAILED", "ERROR"))]
    return failed[0].partition("::")[2] if failed else ""


def proved(mutants: Sequence[Mutant], jobs: int, first: bool = True) -> list[str]:
    """Tries the mutants, prints a line for each, and returns the names of those that no test noticed.

    `first`: the tests are run on the project as it is before.
    """
    with tempfile.TemporaryDirectory(prefix="brain-prove-") as place:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            (Path(place) / str(number)).mkdir()
            copies.put(copied(Path(place) / str(number)))

        def tried(mutant: Mutant | None) -> tuple[Mutant | None, str, float]:
            project, started = copies.get(), time.monotonic()
            try:
                return mutant, missed(project, mutant), time.monotonic() - started
            finally:
                copies.put(project)

        if first and (failed := tried(None)[1]):
            raise SystemExit(f"The tests fail as the project is: {failed}")
        survived = []
        with ThreadPoolExecutor(jobs) as pool:
            for mutant, failed, seconds in pool.map(tried, mutants):
                assert mutant
                print(
                    f"{'missed' if failed else 'NOT MISSED':11}{seconds:5.0f} s  {mutant.name:34}{failed}", flush=True
                )
                survived += [] if failed else [mutant.name]
    return survived


def looked_at(cases: int, seed: int) -> int:
    """Looks at `cases` random cases from `seed` on, and as many replies that others' documents must not change."""
    from tests.test_access_property import check, check_silence

    started, done, compared = time.process_time(), 0, 0
    while done < cases:
        try:
            done += check(seed)
            compared += check_silence(seed) if seed % 4 == 0 else 0
        except AssertionError:
            print(f"seed {seed}: see it again with --seed {seed} --cases 1", file=sys.stderr)
            raise
        seed += 1
        if seed % 10 == 0:
            print(f"{done} cases, {compared} replies compared", file=sys.stderr, flush=True)
    seconds = time.process_time() - started
    print(f"{done} cases without a leak, {compared} replies the same; {seconds:.0f} s of processor time")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Exit 0, 1 when a filter can be taken away without any test failing."""
    parser = argparse.ArgumentParser(prog="python -m tests.prove_access", description=__doc__)
    parser.add_argument("--cases", type=int, default=0, help="look at so many random cases instead")
    parser.add_argument("--seed", type=int, default=0, help="the first world of these")
    parser.add_argument("--roads", type=int, default=0, help="ask so many over HTTP, MCP and the command line instead")
    parser.add_argument("--only", metavar="TEXT", help="filters whose name holds this")
    parser.add_argument("--slice", action="store_true", help="the few filters that every CI run tries")
    parser.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite", help="where the indexes stand")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    args = parser.parse_args(argv)
    os.environ["BRAIN_TEST_ENGINE"] = args.engine  # for those that pytest runs
    if args.cases:
        engine.choose(args.engine)
        return looked_at(args.cases, args.seed)
    if args.roads:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "tests/test_access_roads.py"]
        environment = os.environ | {"BRAIN_ACCESS_ROADS": str(args.roads)}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    every, few = (POSTGRES, POSTGRES_SLICE) if args.engine == "postgres" else (MUTANTS, SLICE)
    chosen = [one for one in every if (args.only or "") in one.name and (not args.slice or one.name in few)]
    survived = proved(chosen, min(args.jobs, len(chosen) or 1), not args.slice)
    print(f"{len(chosen) - len(survived)} of {len(chosen)} filters are missed when they are gone")
    return 1 if survived or not chosen else 0


if __name__ == "__main__":
    raise SystemExit(main())
