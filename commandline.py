"""What every command of the product shares: its flags, its progress bar, and errors as one sentence and an exit code.

Exit codes: 0 done or answered, 1 not found (eval.run --gate: worse than before), 2 wrong use or configuration, 3 a
backend is unavailable, 4 marked for review under --strict. Knows no documents. Try: python search.py --help
"""

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn, TextIO

from config import Settings, load
from errors import BrainError, UsageError
from language.invisible import UNSEEN

LINE_SECONDS = 10.0
"""Between two lines of progress where stderr is no terminal."""
_NAMED = re.compile(
    r"python (?:(?:store|search|answer|server|doctor|mcp_server)\.py|"
    r"-m eval\.(?:calibrate|feedback|run)|-m access\.(?:audit [a-z-]+|\w+))\b"
    r"(?! --help)(?P<flags>(?: --(?:docs|db) (?:'[^']*'|\"[^\"]*\"|\S*[^\s,;.]))*)"
)
_acting: Settings | None = None  # of the command that runs, once it has read its flags


def parser(description: str, example: str) -> argparse.ArgumentParser:
    """A parser with the flags that mean the same everywhere."""
    made = bare_parser(description, example)
    add_index_flags(made)
    made.add_argument("-k", type=int, metavar="N", help="passages to look at (BRAIN_K)")
    made.add_argument("--json", action="store_true", help="print JSON")
    made.add_argument("--explain", action="store_true", help="say what each half of the search gave, and the limit")
    return made


def bare_parser(description: str, example: str) -> argparse.ArgumentParser:
    """A parser without flags, whose help ends with the example."""
    return argparse.ArgumentParser(
        prog=program(),
        description=description,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_index_flags(made: argparse.ArgumentParser) -> None:
    """Which documents, and which index of them."""
    made.add_argument("--docs", metavar="DIR", help="the documents' folder (BRAIN_DOCS_DIR)")
    made.add_argument("--db", metavar="FILE", help="the index file (BRAIN_DB)")


def program() -> str | None:
    """How a module of a package was run ("python -m eval.run"), for its usage; None for a file: argparse names it."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return f"python -m {spec.name.removesuffix('.__main__')}" if spec and "." in spec.name else None


def add_question(made: argparse.ArgumentParser) -> None:
    """The question, one argument; `question_of` reads it."""
    made.add_argument("question", nargs="+", help="in quotation marks")


def question_of(args: argparse.Namespace, command: str) -> str:
    """What was asked of `command`. Raises UsageError for words that the shell has cut apart."""
    if len(args.question) > 1:
        raise UsageError(f'Put the question in quotation marks: python {command} "{" ".join(args.question)}"')
    return str(args.question[0])


def add_filter_flags(made: argparse.ArgumentParser) -> None:
    """The flags that narrow a question to some documents; see storage/filter.py for their meaning."""
    made.add_argument("--since", metavar="DATE", help="only documents dated since then: 2026, 2026-03 or 2026-03-01")
    made.add_argument("--until", metavar="DATE", help="only documents dated until then")
    made.add_argument("--path", metavar="PATTERN", help='only this document, folder or pattern: "travel/*.md"')


def add_caller_flag(made: argparse.ArgumentParser) -> None:
    """For whom it is asked; access/local.py says who may."""
    made.add_argument(
        "--as", dest="as_whom", default="", metavar="PRINCIPAL", help="ask as user:NAME or agent:NAME would"
    )


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings with the command's flags over environment and file. Raises UsageError.

    From then on the commands that notices and errors name act on the same documents and index.
    """
    global _acting
    _acting = load({"docs_dir": args.docs, "db": args.db, "k": getattr(args, "k", None)})
    return _acting


def aimed(text: str, settings: Settings | None = None) -> str:
    """The text, each command of ours in it with the flags that make it act on the settings' documents and index.

    Without settings those of the command that runs. Flags that are there already stay, and none are added for what a
    command takes by itself.
    """
    settings = settings or _acting
    if settings is None or not _NAMED.search(text):
        return text
    flags = same(settings)
    return _NAMED.sub(lambda at: at[0] + "".join(f" {n} {v}" for n, v in flags.items() if f" {n} " not in at[0]), text)


def same(settings: Settings) -> dict[str, str]:
    """`--docs` and `--db`, quoted for the shell, as far as environment and file do not give the same by themselves."""
    flags = {}
    try:
        if load().docs_dir != settings.docs_dir:
            flags["--docs"] = quoted(settings.docs_dir)
        given = load({"docs_dir": settings.docs_dir})
        if given.db != settings.db or (given.database and not settings.database):
            flags["--db"] = quoted(settings.db)
    except UsageError:  # the environment or the file is wrong: they give nothing
        flags = {"--docs": quoted(settings.docs_dir), "--db": quoted(settings.db)}
    return flags


def quoted(path: str | Path) -> str:
    """The path as one word of a shell."""
    if os.name == "nt":
        return f'"{path}"' if re.search(r"[^\w.:\\/-]", str(path)) else str(path)
    return shlex.quote(str(path))


def stop_quietly() -> None:
    """Until `run`, Ctrl-C ends the process at once with 130: a command's imports take half a second of its start."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is to be ignored
        signal.signal(signal.SIGINT, _stopped)


def _stopped(number: int, frame: object) -> NoReturn:
    os.write(2, b"stopped\n")
    os._exit(130)


def _stop(number: int, frame: object) -> NoReturn:
    """The first Ctrl-C lets what is at work close its files; while it does, the second ends the process at once."""
    signal.signal(signal.SIGINT, _stopped)
    raise KeyboardInterrupt


def run(main: Callable[[Sequence[str] | None], int], kept: str = "") -> NoReturn:
    """Runs a command's `main`; an error of ours becomes one line on stderr and its exit code, never a traceback.

    Ctrl-C is "stopped" and exit 130, with what is kept: `kept`, else the KeyboardInterrupt's text. A second one ends
    the process at once.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # a Windows console's code page is not
    before = signal.getsignal(signal.SIGINT)
    if before in (_stopped, signal.default_int_handler):
        signal.signal(signal.SIGINT, _stop)
    try:
        code = main(None)
        sys.stdout.flush()
    except BrainError as error:
        out(f"error: {aimed(str(error))}", sys.stderr)
        code = error.exit_code
    except OSError as error:  # `| head` has seen enough, or the disk that takes the output is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            out(f"error: the output cannot be written: {error.strerror}", sys.stderr)
        code = 0 if isinstance(error, BrokenPipeError) else 2
    except KeyboardInterrupt as stop:
        said = kept or str(stop)
        out(f"stopped: {said}" if said else "stopped", sys.stderr)
        code = 130
    finally:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, before)
    raise SystemExit(code)


def out(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    """Prints text that may come from a document: what would steer the terminal is shown as `\\x1b`, the unseen too.

    With another `end` than a line's it is seen at once.
    """
    print(shown(text), end=end, file=stream or sys.stdout, flush=end != "\n")


def shown(text: str) -> str:
    """The text with unseen and steering characters written as `\\x1b`; line ends and tabs stay."""
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def json_text(value: Any, indent: int | None = 2) -> str:
    """JSON for people and programs: the same value, with unseen characters written as `\\u202e`."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return UNSEEN.sub(lambda match: _units(match[0]), text)


def _units(char: str) -> str:
    data = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def notice(text: str) -> None:
    """One line for people on stderr."""
    out(f"note: {aimed(text)}", sys.stderr)


def _lines(label: str) -> Callable[[int, int, str], None]:
    last = monotonic()

    def tell(done: int, total: int, path: str) -> None:
        nonlocal last
        if monotonic() - last >= LINE_SECONDS:
            last = monotonic()
            out(f"{label}: {done} of {total}", sys.stderr)

    return tell


@contextlib.contextmanager
def progress(label: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """Progress on stderr while the block runs: a bar on a terminal, else a line every LINE_SECONDS."""
    if not sys.stderr.isatty():
        yield _lines(label)
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    tasks: list[Any] = []

    def tell(done: int, total: int, path: str) -> None:
        if not tasks:
            if done >= total:
                return  # there was nothing to do: no bar that is gone at once
            bar.start()
            tasks.append(bar.add_task(label, total=total))
        bar.update(tasks[0], completed=done, total=total, description=f"{label} {Path(path).name}"[:48])

    try:
        yield tell
    finally:
        bar.stop()


def show(report: dict[str, Any], as_json: bool) -> None:
    """Prints a report: JSON, or one `name: value` a line."""
    if as_json:
        print(json_text(report))
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
        return ", ".join(f"{name} {_told(part)}" for name, part in value.items() if part not in ("", None))
    if isinstance(value, list | tuple):
        return ": ".join(map(str, value))
    return f"{value:.2f}" if isinstance(value, float) else str(value)
