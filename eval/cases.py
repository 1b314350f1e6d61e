"""Questions with known answers, read from a file of one JSON object a line.

Ours have `question`, `source` ("-" or "" when the documents do not answer it), `must_include`, `lang`, `held` and
`caller` (who asks it, for eval.access); files from elsewhere may have `kind` (answerable, unanswerable) and
`alt_sources` instead. Other keys are passed over.
Knows no index and no answer. Try: python -m eval.run --cases data/qa.jsonl
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import PROJECT, Settings
from errors import UsageError
from language.detect import language_of

SHIPPED_CASES = PROJECT / "data" / "qa.jsonl"
"""The questions about the demo documents."""
_KINDS = ("answerable", "unanswerable")


@dataclass(frozen=True, slots=True)
class Case:
    """A question, where its answer stands and what the answer must say."""

    question: str
    sources: tuple[str, ...]  # any of them is right; none: the documents do not answer it
    must_include: tuple[str, ...]
    lang: str  # ISO 639-1
    held: bool  # kept for the final reading; nothing is tuned on it
    caller: str = ""  # the principal whose question it is, where the documents are not everyone's

    @property
    def answerable(self) -> bool:
        """Whether the documents hold the answer."""
        return bool(self.sources)


class _BadError(Exception):
    """What is wrong with a line."""


def read(path: Path) -> list[Case]:
    """The file's cases in order; blank lines are passed over.

    Raises UsageError with file and line number for a line that is no case, or when there is none.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The questions' file {path} cannot be read: {error}.") from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_case(_object(line)))
            except _BadError as error:
                raise UsageError(f"{path}:{number}: {error}.") from error
    if not found:
        raise UsageError(f"{path} holds no questions.")
    return found


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags by which a program of this package is told its cases."""
    parser.add_argument("--cases", type=Path, metavar="FILE", help="the questions (data/qa.jsonl for the demo)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--open", action="store_const", dest="which", const="open", help="open cases only (default)")
    which.add_argument("--held", action="store_const", dest="which", const="held", help="held cases only")
    which.add_argument("--all", action="store_const", dest="which", const="all", help="open and held cases")
    parser.set_defaults(which="open")


def chosen(args: argparse.Namespace, settings: Settings) -> list[Case]:
    """The cases that the flags of `add_flags` name.

    Raises UsageError when the file is wrong, none is left, or the demo's questions would be asked of other documents.
    """
    path = args.cases
    if path is None:
        if settings.docs_dir != PROJECT / "docs":
            raise UsageError(f"Name the questions about {settings.docs_dir} with --cases FILE.")
        path = SHIPPED_CASES
    cases = [case for case in read(path) if args.which == "all" or case.held == (args.which == "held")]
    if not cases:
        raise UsageError(f"{path} holds no {args.which} cases.")
    return cases


def astray(cases: Iterable[Case], paths: Iterable[str]) -> list[str]:
    """Sources named by the cases that are not among the documents' `paths`, each once, in order."""
    known = set(paths)
    named = dict.fromkeys(source for case in cases for source in case.sources)
    return [source for source in named if source not in known]


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise _BadError(f"no JSON ({error})") from error
    if not isinstance(value, dict):
        raise _BadError("no JSON object")
    return value


def _case(row: dict[str, Any]) -> Case:
    question = row.get("question")
    if not isinstance(question, str) or not question.strip():
        raise _BadError("`question` is missing or empty")
    sources = _sources(row)
    if sources and "must_include" not in row:
        raise _BadError("`must_include` is missing; [] when the right source alone decides")
    lang, held = row.get("lang") or language_of(question), row.get("held", False)
    if not isinstance(lang, str):
        raise _BadError("`lang` is no language code")
    if not isinstance(held, bool):
        raise _BadError("`held` is neither true nor false")
    caller = row.get("caller", "")
    if not isinstance(caller, str):
        raise _BadError("`caller` is no principal")
    return Case(question.strip(), sources, _texts(row, "must_include"), lang, held, caller)


def _sources(row: dict[str, Any]) -> tuple[str, ...]:
    kind, source = row.get("kind"), row.get("source")
    if "source" not in row and kind is None:
        raise _BadError('`source` is missing; "-" when the documents do not answer the question')
    if source is not None and not isinstance(source, str):
        raise _BadError("`source` is no path")
    if kind is not None and kind not in _KINDS:
        raise _BadError(f"`kind` is {kind!r}, neither answerable nor unanswerable")
    main = () if source in (None, "", "-") else (source,)
    if kind is not None and bool(main) != (kind == "answerable"):
        raise _BadError(f"`kind` says {kind}, `source` says otherwise")
    alternatives: Sequence[str] = _texts(row, "alt_sources")
    if alternatives and not main:
        raise _BadError("`alt_sources` without a `source`")
    return tuple(dict.fromkeys([*main, *alternatives]))


def _texts(row: dict[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key) or []
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise _BadError(f"`{key}` is no list of texts")
    return tuple(value)
