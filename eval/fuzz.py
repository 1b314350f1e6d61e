"""Random requests against the running server, made by schemathesis from the server's own OpenAPI description.

Any reply of 500 or above, and any that the description does not announce, is a failure. The server is a process of its
own with model doubles over the demo's documents. Needs the extra: pip install '.[fuzz]'
Try: python -m eval.fuzz --requests 500
"""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from config import PROJECT
from errors import UsageError
from eval.load import TOKEN, serving
from eval.timing import temporary

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
_A_ROUND = 300  # examples an operation; the server has eight or so
_KNOWN = """
[[operations]]
include-path = "/documents/{path}"
parameters = { path = "leave-policy.md" }
"""
"""Half of the rounds ask for a document that is there: random paths never reach the code behind it."""


def rounds(port: int, requests: int, folder: Path) -> tuple[int, list[str]]:
    """How many requests were made, at least `requests`, and what each round with a failure printed."""
    made, failed, number = 0, list[str](), 0
    known = folder / "schemathesis.toml"
    known.write_text(_KNOWN, encoding="utf-8")
    while made < requests:
        count, told = _round(port, max(5, min(_A_ROUND, requests // 8)), known if number % 2 else None, number)
        failed += [told] if told else []
        made, number = made + count, number + 1
        print(f"{made} requests, {len(failed)} rounds with a failure", flush=True)
    return made, failed


def _round(port: int, examples: int, known: Path | None, seed: int) -> tuple[int, str]:
    program = shutil.which("schemathesis", path=sysconfig.get_path("scripts"))
    if not program:
        raise UsageError("Random requests need schemathesis. Run: pip install '.[fuzz]'")
    flags = ["--config-file", str(known)] if known else []
    done = subprocess.run(
        [
            program, *flags, "run", f"http://127.0.0.1:{port}/openapi.json", "--checks", CHECKS, "--no-color",
            "--phases", "examples,coverage,fuzzing", "-n", str(examples), "--seed", str(seed),
            "-H", f"Authorization: Bearer {TOKEN}",
        ],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    counted = re.search(r"(\d+) generated", done.stdout)
    if not counted:
        raise UsageError(f"schemathesis made no request: {(done.stdout + done.stderr)[-800:]}")
    return int(counted[1]), done.stdout if done.returncode else ""


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: exit 0 when every reply was as described, 1 when one was not, 2 without schemathesis."""
    import commandline

    parser = commandline.bare_parser("Ask the server random requests.", "python -m eval.fuzz --requests 500")
    parser.add_argument("--requests", type=int, metavar="N", default=5000, help="how many, at least (default: 5000)")
    args = parser.parse_args(argv)
    with temporary() as folder:
        shutil.copytree(PROJECT / "docs", folder / "docs")
        with serving(folder, 8, folder / "log") as server:
            made, failed = rounds(server.port, args.requests, folder)
        log = (folder / "log").read_text(encoding="utf-8", errors="replace")
    for told in failed:
        print(told)
    if log:
        print(f"The server's log:\n{log[-4000:]}", file=sys.stderr)
    print(f"{made} requests: {'no reply out of order' if not failed else f'{len(failed)} rounds failed'}")
    return 1 if failed or "Traceback" in log else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
