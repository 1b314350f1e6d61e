"""The questions of the skill's evaluation, read from a file of one JSON object a line (README.md beside this file).

Knows no model, no server and no answer. Try: python skill_grade.py --help
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

TASKS = ("plain", "abroad", "two", "none", "conflict", "order")


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what its answer must and must not hold."""

    id: str
    question: str
    lang: str  # ISO 639-1 of the question; the answer's own words must be in it
    task: str
    sources: tuple[str, ...]  # files that may be cited; none: the documents do not answer
    cite_all: tuple[str, ...]  # of these, files that must each be cited
    must_include: tuple[str, ...]  # words of the documents that the quotations must hold
    must_say: tuple[tuple[str, ...], ...]  # the answer's own words must hold one of each
    must_not_say: tuple[str, ...]  # and none of these


def fail(text: str) -> NoReturn:
    """Ends the program: the text on stderr, exit code 2."""
    print(text, file=sys.stderr)
    raise SystemExit(2)


def read_cases(path: Path) -> list[Case]:
    """The file's cases in order. Ends the program with file and line number at a line that is no case."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"The questions' file {path} cannot be read: {error}.")
    found: dict[str, Case] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                case = _case(json.loads(line))
                if case.id in found:
                    raise ValueError(f"`id` {case.id} is there twice")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                fail(f"{path}:{number}: no case ({error!r}).")
            found[case.id] = case
    return list(found.values()) or fail(f"{path} holds no questions.")


def _case(row: dict[str, Any]) -> Case:
    source = row["source"]
    case = Case(
        id=row["id"],
        question=row["question"],
        lang=row["lang"],
        task=row["task"],
        sources=() if source == "-" else (source, *_texts(row, "alt_sources")),
        cite_all=_texts(row, "cite_all"),
        must_include=_texts(row, "must_include"),
        must_say=tuple(tuple(said.split("|")) for said in _texts(row, "must_say")),
        must_not_say=_texts(row, "must_not_say"),
    )
    if not all(isinstance(text, str) and text.strip() for text in (case.id, case.question, case.lang, source)):
        raise ValueError("`id`, `question`, `lang` and `source` are texts")
    if case.task not in TASKS:
        raise ValueError(f"`task` is none of {', '.join(TASKS)}")
    if (case.task == "none") == bool(case.sources):
        raise ValueError('`source` is "-" where `task` is none, and a path elsewhere')
    if case.sources and not (case.must_say and case.must_include):
        raise ValueError("`must_include` and `must_say` are needed where there is an answer")
    if not set(case.cite_all) <= set(case.sources):
        raise ValueError("`cite_all` names a file that may not be cited")
    return case


def _texts(row: dict[str, Any], key: str) -> tuple[str, ...]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise ValueError(f"`{key}` is no list of texts")
    return tuple(value)
