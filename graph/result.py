"""What a typed question returns: rows, each with the facts that show it.

Knows no question and no index. Try: python -m graph "who owns plan-store?"
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facts.timeline import first_day
from graph.texts import Said
from graph.view import Entity, Fact
from storage.facts import EvidenceRow, NameRow


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by `Result.columns`, the thing it is about, and the steps that lead there, each a fact."""

    cells: tuple[str, ...]
    thing: Entity | None
    facts: tuple[Fact, ...] = ()
    named: tuple[NameRow, ...] = ()  # where the thing is named, for a row that says no more than that it is there
    said: tuple[Said, ...] = ()  # words of passages that put it here


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool found; no rows: nothing that the caller may read says it, `why` says what was looked for."""

    tool: str
    arguments: Mapping[str, Any]  # ready for JSON
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    why: str = ""
    as_of: str = ""


def is_undated(fact: Fact, words: Mapping[int, EvidenceRow], as_of: str) -> bool:
    """Whether no word shows that a fact holds as of a day: none states since when, and none of that time says it."""
    if not as_of or fact.valid_from:
        return False
    said = (words[one].dated for one in fact.evidence if one in words)
    return not any(day and first_day(day) <= f"{as_of}~" for day in said)
