"""The typed questions at a terminal: rows, and below each the words that show it, with path and lines.

Things may be named as people do ("Atlas 2"); a name of several is told with the keys to choose from. `ask` shows which
typed question a question in words becomes, and why.
Try: python -m graph chain --start 0006 --steps deprecates out --steps depends_on in --steps owns in
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import uuid
from collections.abc import Sequence
from typing import Any

from graph.given import THINGS, keyed
from graph.result import Result
from graph.route import choose
from graph.shown import as_json, shown
from graph.tools import TOOLS
from graph.view import View, view_of
from language.detect import language_of
from models import Embedder

_TAKES: dict[str, dict[str, Any]] = {
    "start": {"nargs": "+", "metavar": "THING"},
    "steps": {"nargs": 2, "action": "append", "metavar": ("RELATION", "out|in")},
    "where": {"nargs": "+", "action": "append", "metavar": "WORD"},
    "without": {"nargs": "+", "action": "append", "metavar": "WORD"},
    "predicates": {"nargs": "+", "metavar": "RELATION"},
    "by": {"nargs": "+", "metavar": "RELATION"},
}
"""How arguments that are no single word are written."""


def _parser() -> argparse.ArgumentParser:
    import commandline

    example = 'python -m graph card --thing "plan-store"'
    parser = commandline.bare_parser("Ask the company's facts by typed questions.", example)
    parser.prog = "python -m graph"
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    for tool in TOOLS.values():
        one = tools.add_parser(tool.name, help=tool.answers, description=tool.answers)
        for name, field in tool.arguments.model_fields.items():
            takes = _TAKES.get(name, {"metavar": "THING" if name in THINGS else "WORD"})
            told = (field.description or "").replace("%", "%%")
            one.add_argument(f"--{name.replace('_', '-')}", required=field.is_required(), help=told, **takes)
        _add_flags(one)
    answers = "Which typed question a question in words becomes, and what it finds."
    one = tools.add_parser("ask", help=answers, description=answers)
    commandline.add_question(one)
    _add_flags(one)
    return parser


def _add_flags(made: argparse.ArgumentParser) -> None:
    import commandline

    commandline.add_index_flags(made)
    commandline.add_caller_flag(made)
    made.add_argument("--rows", type=int, default=40, metavar="N", help="rows to show (40)")
    made.add_argument("--json", action="store_true", help="print JSON, with all rows")


def _arguments(view: View, args: argparse.Namespace) -> dict[str, Any]:
    """The tool's arguments as they were given, names of things as keys."""
    given = {
        name: value for name in TOOLS[args.tool].arguments.model_fields if (value := getattr(args, name)) is not None
    }
    if len(given.get("by", ())) == 1:
        (given["by"],) = given["by"]
    return keyed(view, given)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0, 1 when no row was found."""
    import commandline
    from access.local import local_identity
    from answering.recorded import Log, who
    from search import open_index, synced

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    with open_index(settings, notice=commandline.notice) as index:
        asks = local_identity(settings, index.store.connection, args.as_whom)
        synced(index, commandline.notice, commandline.progress, measures=False, moves=False)
        log = Log(settings, index.store, commandline.notice)
        searcher = index.searcher()
        with index.store.reader(asks.caller, searcher.model_id) as reader:
            view = view_of(index, reader, searcher=searcher)
            result = _result(view, args, searcher.embedder)
            told = as_json(view, result) if args.json else shown(view, result, args.rows)
            documents = _documents(view, result)
        by = {"by": asks.by} if args.as_whom else {}
        asked = (
            f"{result.tool} {commandline.json_text(dict(result.arguments), None)}"
            if args.tool != "ask"
            else args.question[0]
        )
        status = "found" if result.rows else "not_found"
        body = log.words("question", asked) | {"id": uuid.uuid4().hex, "status": status, "documents": documents}
        log.write("search", asks.caller, who("cli", asks.caller) | by | body)
    commandline.out(told) if isinstance(told, str) else print(commandline.json_text(told))
    return 0 if result.rows else 1


def _result(view: View, args: argparse.Namespace, embedder: Embedder | None) -> Result:
    """What the tool finds, or the one that the words of a question ask for. Raises UsageError, ModelError."""
    import commandline

    if args.tool != "ask":
        return TOOLS[args.tool].function(view, **_arguments(view, args))
    question = commandline.question_of(args, "-m graph ask")
    choice = choose(question, language_of(question), view, embedder, view.today)
    commandline.notice(f"{choice.tool} {commandline.json_text(dict(choice.arguments), None)}: {choice.reason}")
    if choice.tool in TOOLS:
        return TOOLS[choice.tool].function(view, **{**choice.arguments, "as_of": choice.as_of})
    return Result(choice.tool, choice.arguments, (), (), choice.reason)


def _documents(view: View, result: Result) -> list[dict[str, Any]]:
    """Whose words are told, for the audit log."""
    words = view.words([fact for row in result.rows for fact in row.facts]).values()
    told = {(one.path, one.version, f"L{one.first_line}-{one.last_line}") for one in words}
    told |= {(one.path, "", f"L{one.first_line}-{one.last_line}") for row in result.rows for one in row.named}
    told |= {(one.path, "", f"L{one.first_line}-{one.last_line}") for row in result.rows for one in row.said}
    return [{"path": path, "version": version, "lines": lines, "as": "shown"} for path, version, lines in sorted(told)]


if __name__ == "__main__":
    import commandline

    commandline.run(main)
