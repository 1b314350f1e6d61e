"""A public table of who may do what where, as a directory and access rules, and questions answered from both.

`access.jsonl` has a row for each grant: application, environment, group, level. A group is `group:NAME`; the folder
APPLICATION/ENVIRONMENT/ may be read by the groups with a grant of any level there, for a level says what may be done,
not what may be known. The table names no people, so each group gets one made-up member.
Try: python -m eval.grants --data DIR --keep FOLDER
"""

import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from access import AccessList, Caller, principal
from access.directory import principals_of
from access.directory_file import read_file
from access.directory_sync import replace
from database import Connection
from errors import UsageError
from eval.timing import temporary
from storage.schema import connect

_MAY = re.compile(r"May members of (\S+) get into the (\S+) environment of (\S+)\?")
_WHO = re.compile(r"Which groups have access to the (\S+) environment of (\S+)\?")
_WHERE = re.compile(r"Which applications can the group (\S+) reach in (\S+)\?")
_Lists = Mapping[str, AccessList]


class Made(NamedTuple):
    """The two files as text."""

    directory: str  # .jsonl
    rules: str  # access.toml


def convert(rows: Sequence[Mapping[str, Any]]) -> Made:
    """Directory and rules of the grants. Raises UsageError for a row that is none."""
    places: dict[str, set[str]] = defaultdict(set)
    for number, row in enumerate(rows, 1):
        parts = [row.get(name) for name in ("application", "environment", "group")]
        if not all(isinstance(part, str) and re.fullmatch(r"[\w.-]+", part) for part in parts):
            raise UsageError(f"access.jsonl, line {number}: no application, environment and group")
        places[f"{parts[0]}/{parts[1]}/"].add(principal(f"group:{parts[2]}"))
    groups = sorted(name.removeprefix("group:") for name in set().union(*places.values()))
    people: list[dict[str, Any]] = [{"kind": "person", "id": f"of-{name}"} for name in groups]
    made = [{"kind": "group", "id": name, "members": [f"user:of-{name}"]} for name in groups]
    rules = [f"{json.dumps(place)} = {json.dumps(sorted(who))}" for place, who in sorted(places.items())]
    return Made("".join(json.dumps(row) + "\n" for row in people + made), "\n".join(["[allow]", *rules, ""]))


def answer(connection: Connection, lists: _Lists, question: str) -> list[str] | None:
    """The answer from directory and rules; None for another kind of question."""
    if found := _MAY.fullmatch(question):
        group, environment, application = found.groups()
        return ["yes" if _enters(connection, lists, group, f"{application}/{environment}/") else "no"]
    if found := _WHO.fullmatch(question):
        environment, application = found.groups()
        place = f"{application}/{environment}/"
        groups = connection.execute("SELECT id FROM directory_groups ORDER BY id").fetchall()
        return [group for (group,) in groups if _enters(connection, lists, group, place)]
    if found := _WHERE.fullmatch(question):
        group, environment = found.groups()
        places = [place for place in sorted(lists) if place.endswith(f"/{environment}/")]
        return [place.partition("/")[0] for place in places if _enters(connection, lists, group, place)]
    return None


def _enters(connection: Connection, lists: _Lists, group: str, place: str) -> bool:
    """Whether the group's member reads what stands there."""
    who = f"user:of-{group}"
    return place in lists and lists[place].lets(Caller(who, principals_of(connection, who)))


def check(folder: Path, questions: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    """Loads the two files in `folder` and asks: how many questions there were, and each wrong answer in a line."""
    allow = tomllib.loads((folder / "access.toml").read_text(encoding="utf-8"))["allow"]
    lists = {place: AccessList(frozenset(map(principal, who))) for place, who in allow.items()}
    asked, wrong = 0, []
    with closing(connect(folder / "index.db")) as connection:
        replace(connection, read_file(folder / "directory.jsonl").listing)
        for case in questions:
            given = answer(connection, lists, case["question"])
            if given is not None:
                asked += 1
                if sorted(given) != sorted(case["answers"]):
                    wrong.append(f"{case['question']} {given}, not {case['answers']}")
    return asked, wrong


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}. Name the folder of public data with --data.") from error


def run(data: Path, folder: Path) -> tuple[str, list[str]]:
    """Converts the table of `data` into `folder` and asks the questions: a sentence, and each wrong answer."""
    rows = _lines(data / "moj-modernisation-platform" / "access.jsonl")
    made = convert(rows)
    (folder / "directory.jsonl").write_text(made.directory, encoding="utf-8")
    (folder / "access.toml").write_text(made.rules, encoding="utf-8")
    asked, wrong = check(folder, _lines(data / "graph-qa" / "questions.jsonl"))
    groups, places = made.directory.count('"group", '), made.rules.count(" = ")
    return f"{len(rows)} grants, {groups} groups, {places} places; {asked} questions, {len(wrong)} wrong", wrong


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: exit 0 when every answer was right, 1 when one was wrong."""
    import argparse

    import commandline

    parser = argparse.ArgumentParser(
        prog=commandline.program(), description="Load a public table of grants as directory and rules, and ask.",
        epilog="example: python -m eval.grants --data DIR --keep FOLDER",
    )  # fmt: skip
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder of public data")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="make the two files in this new folder")
    args = parser.parse_args(argv)
    with temporary() as room:
        folder: Path = args.keep or room
        try:
            folder.mkdir(exist_ok=folder == room)
        except OSError as error:
            raise UsageError(f"{folder} cannot be made: {error.strerror}. Name a new folder.") from error
        told, wrong = run(args.data, folder)
        (folder / "index.db").unlink()
    print(told)
    for line in wrong:
        commandline.out(f"wrong: {line}", sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
