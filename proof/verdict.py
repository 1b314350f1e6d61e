"""What a check says: claims with their evidence, problems, the verdict. Shared by written and quoted answers.

Knows no rules. Try: python verify.py "How many days of leave do I get?" --json
"""

from typing import Literal, Protocol

from pydantic import BaseModel

Status = Literal["supported", "unsupported", "uncited", "bad_citation"]


class CitedText(Protocol):
    """What a check needs of a passage."""

    @property
    def text(self) -> str:
        """The passage as it stands in its file."""

    @property
    def above(self) -> str:
        """Title, heading path and lead-in that stand above it."""

    @property
    def first_line(self) -> int:
        """The line of the file, from 1, on which `text` begins."""


class Evidence(BaseModel):
    """Words of passage `n` (from 1) that support a claim: a verbatim slice of its text, and its lines in the file."""

    n: int
    quote: str
    first_line: int
    last_line: int
    place: str = ""  # "p12" where the file has no lines of its own; `first_line` is then the line of its text as read
    above: bool = False  # what only heads the words: a header row, a lead-in, a heading


class Claim(BaseModel):
    """One thing the answer says, without markers; `reason` is "" when it is supported."""

    text: str
    status: Status
    about: Literal["documents", "sources"] = "documents"  # "sources": "there are three documents"; no passage proves it
    citations: list[int]
    evidence: list[Evidence]
    support: float = 0.0  # 0 to 1: how much of the claim its passages say
    reason: str
    judged: Literal["supported", "unsupported", "could_not_check"] | None = None  # by the model judge, if asked
    judged_why: str = ""


class Problem(BaseModel):
    """What a reader must know; only an `error` makes an answer one for review."""

    code: str
    text: str
    severity: Literal["error", "notice"]


def cut(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis: `most` characters at most."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def unproved(claim: Claim) -> Problem:
    """The problem that names a claim which is not supported, with its reason."""
    return Problem(code=claim.status, text=f"“{cut(claim.text, 60)}”: {claim.reason}", severity="error")


class Side(BaseModel):
    """One of the values that passages give for the same thing; `quote` is a verbatim slice of passage `n`."""

    n: int
    value: str
    quote: str
    first_line: int
    last_line: int
    place: str = ""  # as of Evidence
    dated: str  # ISO date that the document states, "" where it states none
    modified: str = ""  # when its file was last changed: UTC, ISO 8601; not what holds


class Conflict(BaseModel):
    """Passages that state different values for what was asked; those of dated documents first, newest of all first."""

    sides: list[Side]

    @property
    def is_dated(self) -> bool:
        """Whether it is known which side is the newest: every document states its date, the first a later one."""
        dates = [side.dated for side in self.sides]
        return all(dates) and dates[0] > dates[1]


class Verdict(BaseModel):
    """The answer as it may be shown (citations only as `[n]`; copied brackets as `\\[n]`), its claims and problems."""

    text: str
    claims: list[Claim]
    problems: list[Problem]
    conflicts: list[Conflict] = []

    @property
    def needs_review(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity == "error" for problem in self.problems)
