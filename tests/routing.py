"""Questions with the typed question that each asks for, one a line: `language|question|what is asked`.

`chain X + Y: owns< leads<` walks from both ("<": object to subject), `list T a=v & r<X & !s=w`, `count T ... by a`,
`check X r Y`, `impact X`, `changes X since..until`, `card X`, `neighbours X`, `path X Y`, `text`, `refuse`; `@q`
narrows it, `as_of=D` dates it. Read by tests/test_route.py and eval; knows no router.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.route import Choice
from graph.view import View

HERE = Path(__file__).parent / "routes"
Wanted = tuple[str, dict[str, Any], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what it asks for, as written."""

    lang: str
    question: str
    told: str


def cases(name: str) -> list[Case]:
    """All of one file."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [Case(*line.split("|")) for line in lines if line and not line.startswith("#")]


def wanted(case: Case, view: View) -> Wanted:
    """Tool, arguments and date that a case wants."""
    told, as_of, qualifier = case.told, "", ""
    if match := re.search(r" as_of=(\S+)$", told):
        told, as_of = told[: match.start()], match[1]
    if match := re.search(r" @(\S+)$", told):
        told, qualifier = told[: match.start()], match[1]
    tool, _, rest = told.partition(" ")
    return tool, _arguments(tool, rest, qualifier, view), as_of


def _arguments(tool: str, rest: str, qualifier: str, view: View) -> dict[str, Any]:
    if tool == "chain":
        start, _, steps = rest.partition(": ")
        walked = [(step[:-1].strip(), "out" if step[-1] == ">" else "in") for step in re.findall("[^<>]+[<>]", steps)]
        starts = [_key(view, one) for one in start.split(" + ")]
        return {"start": starts, "steps": [list(step) for step in walked], "qualifier": qualifier}
    if tool == "check":
        predicate = max((p for p in (*view.predicates(), "has_access") if f" {p} " in rest), key=len)
        subject, _, other = rest.partition(f" {predicate} ")
        thing = _key(view, other) if predicate in view.relations.relations else other
        return {"subject": _key(view, subject), "predicate": predicate, "object": thing, "qualifier": qualifier}
    if tool in ("list", "count"):
        rest, _, by = rest.partition(" by ")
        kind, _, told = rest.partition(" ")
        parts = [one for one in told.split(" & ") if one]
        made = {"type": kind, "where": sorted(_conditions([one for one in parts if one[0] != "!"], view))}
        if denied := [*_conditions([one[1:] for one in parts if one[0] == "!"], view)]:
            made["without"] = sorted(denied)
        return made | ({"by": by} if tool == "count" else {})
    if tool == "path":
        return {"ends": set(_pair(rest, view))}
    if tool in ("changes", "contradicted"):
        thing, _, period = rest.rpartition(" ")
        since, _, until = period.partition("..")
        of = "thing" if tool == "changes" else "decision"
        return {"since": since, "until": until} | ({of: _key(view, thing)} if thing else {})
    return {"thing": _key(view, rest)} if rest else {}


def _conditions(told: list[str], view: View) -> Iterator[list[str]]:
    for one in told:
        match = re.fullmatch("(.*?)([<>=])(.*)", one)
        assert match, one
        predicate, sign, value = match.groups()
        yield [predicate, "in" if sign == "<" else "out", value if sign == "=" or not value else _key(view, value)]


def _pair(told: str, view: View) -> tuple[str, str]:
    words = told.split()
    for n in range(1, len(words)):
        one, other = " ".join(words[:n]), " ".join(words[n:])
        if view.named(one) and view.named(other):
            return _key(view, one), _key(view, other)
    raise AssertionError(told)


def _key(view: View, name: str) -> str:
    found = view.named(name)
    assert found, f"the company has no {name}"
    return found[0].key


def chosen(choice: Choice) -> Wanted:
    """A choice in the same form."""
    arguments = dict(choice.arguments)
    arguments.pop("end_type", None)
    if choice.tool == "path":
        arguments = {"ends": {arguments["a"], arguments["b"]}}
    if "where" in arguments:
        arguments["where"] = sorted(arguments["where"])
    if choice.tool in ("text", "refuse"):
        arguments = {}
    return choice.tool, arguments, choice.as_of if choice.tool == "chain" else ""
