"""Questions about the demo's facts, from data/graph-questions.jsonl, and what an answer is worth.

A question names the tools that may answer it, the answers as a set, and the pages that prove them ("a|b": one of them).
Asked of `Assistant.ask`, whose `route` has the tool and its rows. Try: python -m eval.graph --only questions
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from access import Caller
from answer import Answer, Assistant
from config import PROJECT
from errors import UsageError
from eval.graph_truth import Truth
from search import Index

SHIPPED = PROJECT / "data" / "graph-questions.jsonl"
"""Questions about docs/."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question and what is right."""

    question: str
    lang: str
    tools: tuple[str, ...]  # any of them is right; "text": no question to the facts
    answers: tuple[str, ...]  # names, values, "group = count"; none: it is to be refused, or to find nothing
    evidence: tuple[tuple[str, ...], ...]  # of each, one page must be cited
    held: bool
    types: tuple[str, ...] = ()  # of the things in the rows only these count
    includes: bool = False  # the rows may hold more than the answers
    as_of: str = ""

    @property
    def is_text(self) -> bool:
        """Whether the passages answer it."""
        return "text" in self.tools

    @property
    def kind(self) -> str:
        """Under what it is counted."""
        if self.is_text or self.answers:
            return "as of a date" if self.as_of else self.tools[0]
        return "refusals"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one question."""

    question: Question
    tool: str
    routed: bool
    right: bool  # the answers are exactly these, or it is refused as it should be
    proved: bool  # with the right pages
    said: str


def read(path: Path = SHIPPED) -> list[Question]:
    """The questions of a file. Raises UsageError with file and line."""
    found = []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                found.append(_question(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UsageError(f"{path}:{number} is no question: {error!r}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The questions' file {path} cannot be read: {error}.") from error
    return found


def _question(row: dict[str, object]) -> Question:
    tools, evidence = row["tool"], row["evidence"]
    if not isinstance(tools, str) or not isinstance(evidence, list):
        raise TypeError("tool is a text, evidence a list")
    return Question(
        str(row["question"]), str(row["lang"]), tuple(tools.split("|")), _texts(row["answers"]),
        tuple(tuple(one.split("|")) for one in evidence), bool(row["held"]), _texts(row.get("types", [])),
        row.get("match") == "includes", str(row.get("as_of", "")),
    )  # fmt: skip


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("a list of texts is wanted")
    return tuple(map(str, value))


def ask(index: Index, truth: Truth, questions: Iterable[Question], caller: Caller) -> Iterator[Verdict]:
    """Asks one after another. Raises ModelError when a model is away."""
    assistant = Assistant(index)
    for one in questions:
        answer, _ = assistant.ask(caller, one.question)
        yield judge(truth, one, answer)


def judge(truth: Truth, one: Question, answer: Answer) -> Verdict:
    """Compares an answer with what is right."""
    route = answer.route
    tool = route.tool
    refused = answer.status == "not_found"
    if one.is_text:
        return Verdict(one, tool, tool == "text", tool == "text", tool == "text", answer.answer)
    if not one.answers:
        return Verdict(one, tool, refused or tool in one.tools, refused, refused, answer.answer)
    rows = [row.cells for row in route.rows]
    ends = [end for row in route.rows for step in row.steps for end in (step.subject, step.object)]
    right = not refused and tool != "text" and is_right(truth, one, rows, ends)
    cited = {source.source for source in answer.sources}
    proved = right and all(any(page in cited for page in pages) for pages in one.evidence)
    return Verdict(one, tool, tool in one.tools, right, proved, answer.answer)


def is_right(truth: Truth, one: Question, rows: Sequence[Sequence[str]], ends: Sequence[str] = ()) -> bool:
    """Whether rows hold the answers: one column of them and nothing else, or among others where that is enough.

    `ends` are the things of the facts behind the rows.
    """
    if one.includes:
        said = [*(cell for row in rows for cell in row), *ends]
        return all(any(_holds(truth, cell, wanted) for cell in said) for wanted in one.answers)
    if any(" = " in wanted for wanted in one.answers):
        return _groups(truth, one, rows)
    if "count" in one.tools and one.answers[0].isdigit():  # a row for each thing that was counted, or the number
        return len(rows) == int(one.answers[0]) or [[*row] for row in rows] == [[*one.answers]]
    for column in range(min(map(len, rows), default=0)):
        cells = list(dict.fromkeys(row[column] for row in rows if row[column]))
        kept = [cell for cell in cells if not one.types or _is_of(truth, cell, one.types)]
        if _alike(truth, kept, one.answers):
            return True
    return False


def _alike(truth: Truth, cells: Sequence[str], answers: Sequence[str]) -> bool:
    """Whether each cell is an answer, and each answer a cell."""
    return all(any(truth.same(cell, one) for one in answers) for cell in cells) and all(
        any(truth.same(cell, one) for cell in cells) for one in answers
    )


def _is_of(truth: Truth, cell: str, types: Sequence[str]) -> bool:
    """Whether a cell is a thing of these types; what the truth does not know is."""
    meant = truth.meant(cell)
    return not meant or any(truth.types[one] in types for one in meant)


def _holds(truth: Truth, cell: str, wanted: str) -> bool:
    """Whether a cell is it, or has it among the things that it lists or joins."""
    parts = [cell, *(part.strip() for mark in (",", " – ", ";", " → ") for part in cell.split(mark))]
    return any(truth.same(part, wanted) for part in parts)


def _groups(truth: Truth, one: Question, rows: Sequence[Sequence[str]]) -> bool:
    """Whether there is a row for each "group = count", and no other with a count."""
    left = [wanted.split(" = ") for wanted in one.answers]
    for row in rows:
        if row[0] == "-":  # things of which it is not said
            continue
        fits = [pair for pair in left if any(truth.same(cell, pair[0]) for cell in row) and pair[1] in row]
        if not fits:
            return False
        left.remove(fits[0])
    return not left
