"""What is wrong with this installation, and the command that mends each thing. Changes nothing.

Looks at Python, SQLite, the settings, the models, the index, its documents and the server; a look that fails is told
and stops no other. With --access it goes through the owner's list of who may read what. Try: python doctor.py --access
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the other modules cannot even be read then
    print(f"fail  Python {sys.version.split()[0]} is older than 3.11. Run: uv python install 3.12")
    raise SystemExit(2)

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from checks import Check, looked

_RANKS = {"ok": 0, "warn": 1, "fail": 2}
_NAME_WIDTH = 16


def examined(flags: Mapping[str, Any], *, full: bool = False) -> list[Check]:
    """Every check, in the order they were made. `full` looks through the whole index.

    Raises UsageError for a flag that is wrong.
    """
    from checks import chosen, machine, serving
    from commandline import aimed

    settings, found = chosen.settings_of(flags)
    found += looked("Python", machine.python)
    found += looked("SQLite", machine.sqlite)
    found += looked("clock", machine.clock)
    if all(check.name != "settings" for check in found):
        found += looked("settings", lambda: chosen.settings(settings))

    needs: dict[str, float] = {}

    def thinking() -> list[Check]:
        from checks.thinking import Found, models

        told = Found("", "", needs)
        here = looked("models", lambda: models(settings, told))

        def indexed() -> Iterable[Check]:
            from checks.indexed import index

            return index(settings, told, full=full)

        return here + looked("index", indexed)

    found += looked("models", thinking)
    found += looked("memory", lambda: machine.memory(needs))
    found += looked("server", lambda: serving.server(settings))
    return [replace(one, text=aimed(one.text, settings), mends=aimed(one.mends, settings)) for one in found]


def access_list(flags: Mapping[str, Any]) -> list[Check]:
    """The owner's check list of who may read what: on the index of the settings, and in a scratch one.

    Raises UsageError for a flag that is wrong.
    """
    from checks import chosen
    from commandline import aimed

    settings, found = chosen.settings_of(flags)

    def listed() -> list[Check]:
        from checks.access_list import checks  # where a package lacks, that is told

        return checks(settings)

    found += looked("access", listed)
    return [replace(one, text=aimed(one.text, settings), mends=aimed(one.mends, settings)) for one in found]


def as_text(checks: Sequence[Check], width: int) -> str:
    """For a terminal of so many columns: the worst last, where the eye is, and a line that counts."""
    lines = []
    for check in sorted(checks, key=lambda check: _RANKS[check.status]):
        told = textwrap.wrap(check.text, max(width - _NAME_WIDTH - 7, 30), break_on_hyphens=False) or [""]
        lines.append(f"{check.status:<4}  {check.name:<{_NAME_WIDTH}} {told[0]}".rstrip())
        lines += [" " * (_NAME_WIDTH + 7) + more for more in told[1:]]
        if check.mends:
            lines.append(" " * (_NAME_WIDTH + 4) + f"-> {check.mends}")
    count = {status: sum(check.status == status for check in checks) for status in _RANKS}
    lines += ["", f"{count['fail']} failed, {count['warn']} to look at, {count['ok']} well"]
    return "\n".join(lines)


def exit_code(checks: Sequence[Check]) -> int:
    """0 all well or worth a look, 2 something failed, 3 nothing but a model that cannot be asked."""
    failed = [check for check in checks if check.status == "fail"]
    return 0 if not failed else 3 if all(check.away for check in failed) else 2


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0 all well or warnings only, 2 a failure, 3 a backend away."""
    import commandline

    parser = commandline.bare_parser(
        "Say what is wrong with this installation and what mends it.", "python doctor.py --docs ~/handbook --full"
    )
    commandline.add_index_flags(parser)
    wider = parser.add_mutually_exclusive_group()
    wider.add_argument("--full", action="store_true", help="look through the whole index, as store.py --verify does")
    wider.add_argument("--access", action="store_true", help="go through the check list of who may read what instead")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    flags = {"docs_dir": args.docs, "db": args.db}
    checks = access_list(flags) if args.access else examined(flags, full=args.full)
    code = exit_code(checks)
    if args.json:
        worst = max((check.status for check in checks), key=_RANKS.__getitem__)
        rows = [asdict(check) for check in checks]
        print(commandline.json_text({"status": worst, "exit_code": code, "checks": rows}))
    else:
        commandline.out(as_text(checks, shutil.get_terminal_size((100, 24)).columns))
    return code


if __name__ == "__main__":
    import commandline

    commandline.run(main)
