"""What every command of the product shares: its flags, its progress bar, and errors as one sentence and an exit code.

Exit codes: 0 done or answered, 1 not found, 2 wrong use or configuration, 3 a backend is unavailable, 4 marked for
review under --strict. Knows no documents. Try: python search.py --help
"""

import argparse
import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from config import Settings, load
from errors import BrainError

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # control characters but tab and line feed


def parser(description: str, example: str) -> argparse.ArgumentParser:
    """A parser with the flags that mean the same everywhere."""
    made = argparse.ArgumentParser(
        description=description,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--docs", metavar="DIR", help="the documents' folder (BRAIN_DOCS_DIR)")
    made.add_argument("--db", metavar="FILE", help="the index file (BRAIN_DB)")
    made.add_argument("-k", type=int, metavar="N", help="passages to look at (BRAIN_K)")
    made.add_argument("--json", action="store_true", help="print JSON")
    made.add_argument("--explain", action="store_true", help="say what each half of the search gave, and the limit")
    return made


def add_filter_flags(made: argparse.ArgumentParser) -> None:
    """The flags that narrow a question to some documents; see storage/filter.py for their meaning."""
    made.add_argument("--since", metavar="DATE", help="only documents dated since then: 2026, 2026-03 or 2026-03-01")
    made.add_argument("--until", metavar="DATE", help="only documents dated until then")
    made.add_argument("--path", metavar="PATTERN", help='only this document, folder or pattern: "travel/*.md"')


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings with the command's flags over environment and file. Raises UsageError."""
    return load({"docs_dir": args.docs, "db": args.db, "k": args.k})


def run(main: Callable[[Sequence[str] | None], int]) -> NoReturn:
    """Runs a command's `main`; an error of ours becomes one line on stderr and its exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # a Windows console's code page is not
    try:
        code = main(None)
        sys.stdout.flush()
    except BrainError as error:
        out(f"error: {error}", sys.stderr)
        code = error.exit_code
    except OSError as error:  # `| head` has seen enough, or the disk that takes the output is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            out(f"error: the output cannot be written: {error.strerror}", sys.stderr)
        code = 0 if isinstance(error, BrokenPipeError) else 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        code = 130
    raise SystemExit(code)


def out(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Prints text that may come from a document: what would steer the terminal is shown as `\\x1b`.

    With another `end` than a line's it is seen at once.
    """
    shown = _STEERING.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
    print(shown, end=end, file=stream or sys.stdout, flush=end != "\n")


def notice(text: str) -> None:
    """One line for people on stderr."""
    out(f"note: {text}", sys.stderr)


@contextlib.contextmanager
def progress(label: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """A progress bar on stderr while the block runs, shown once there is something to do; None when not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: list[Any] = []

        def tell(done: int, total: int, path: str) -> None:
            if not tasks:
                tasks.append(bar.add_task(label, total=total))
            bar.update(tasks[0], completed=done, total=total, description=f"{label} {Path(path).name}"[:48])

        yield tell


def show(report: dict[str, Any], as_json: bool) -> None:
    """Prints a report: JSON, or one `name: value` a line."""
    if as_json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
        return
    for section, values in report.items():
        out(f"{section}:")
        for name, value in values.items():
            if isinstance(value, list | tuple):
                out(f"  {name}: {len(value) or 'none'}")
                for row in value:
                    out(f"    {_told(row)}")
            else:
                out(f"  {name}: {_told(value)}")


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_told(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ": ".join(map(str, value))
    return f"{value:.2f}" if isinstance(value, float) else str(value)
