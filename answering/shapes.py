"""Answer: what every road (command line, HTTP, stream, evaluation) returns for a question.

Knows no search and no model. Try: python answer.py "How many vacation days do I get after one year?" --json
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from proof.verdict import Claim, Conflict, Evidence, Problem

MODEL_FAILED = frozenset({"retry_failed", "judge_could_not_check", "not_judged", "rewrite_failed"})
"""Codes of notices that a model's call failed beside an answer; it may go well the next time."""


class Source(BaseModel):
    """A cited passage. `lines` and `quote` are the file's as it was indexed.

    A file that has no lines (a PDF, a workbook) has a `place`: where the words stand that prove something, else where
    the passage does. `lines` are then those of its text as it was read.
    """

    model_config = ConfigDict(frozen=True)

    n: int
    source: str
    title: str
    link: str
    lines: str  # "L9-14"
    place: str  # "p12-13", "Budget!A1:D9"; "" where the lines say it
    heading: str
    score: float | None  # cosine, the figure that the limit is compared with
    quote: str
    version: str  # sha256 of the indexed file
    also: list[str]  # path:lines or path:place of the same words in other documents that the caller may read
    dated: str  # ISO date that the document states, "" where it states none
    modified: str  # of its file: UTC, ISO 8601
    indexed_at: str
    stale: Literal["changed", "gone"] | None

    @property
    def cited(self) -> str:
        """Its place as a person looks it up: p12-13, or the lines."""
        return self.place or self.lines


class Limit(BaseModel):
    """The gate that was in force."""

    min_score: float
    min_coverage: float
    origin: str
    fits: bool
    why: str  # what is amiss where it does not fit
    min_confidence: float | None


class Thing(BaseModel):
    """A thing of the company as a row names it."""

    key: str  # "Team/bedrock": by which it is asked for
    type: str  # "" where no document says
    name: str


class Step(BaseModel):
    """A fact behind a row, as the documents that the caller may read say it."""

    subject: str
    predicate: str
    object: str  # a thing's name or a value
    qualifier: str = ""
    valid_from: str = ""  # ISO dates; "" where no document says
    valid_to: str = ""  # from then on no more
    until: str = ""  # that end as the document says it: its last day, month or year, or `valid_to`
    observed_at: str = ""  # when a document last said so
    undated: bool = False  # asked as of a day: no document states since when it holds, and none of that time says it
    status: Literal["observed", "verified", "inferred", "stale", "disputed"]
    citations: list[int]  # numbers of the answer's sources
    evidence: list[Evidence] = []  # its words in each of these


class RouteRow(BaseModel):
    """A row of what a tool found, with the steps that lead there."""

    cells: list[str]
    thing: Thing | None = None  # that it is about; None for a value or a number
    steps: list[Step]
    citations: list[int] = []  # where its thing is named, for a row without steps or with words of passages
    said: list[Evidence] = []  # words of passages that put it here
    undated: bool = False  # one of its steps is, or it has none and was asked as of a day


class Route(BaseModel):
    """How the question was answered: from passages (tool "text") or by a typed question to the facts."""

    tool: str
    arguments: dict[str, Any] = {}
    as_of: str = ""  # ISO date, month or year that the question asks for
    by: str = ""  # who chose: "examples", "words", "model"
    score: float | None = None  # of the choice, 0 to 1
    reason: str = ""
    columns: list[str] = []
    rows: list[RouteRow] = []


class Answer(BaseModel):
    """What every road (command line, HTTP, evaluation) returns for a question."""

    id: str
    answer: str
    status: Literal["answered", "needs_review", "not_found"]
    needs_review: bool
    problems: list[Problem]
    claims: list[Claim]
    sources: list[Source]
    conflicts: list[Conflict] = []
    attempts: int = 0  # how often the chat model wrote; 0 for a quotation or a refusal without a model
    confidence: float | None  # 0 to 1; None where no decision was learned on these documents
    limit: Limit
    model: str
    lang: str
    timings: dict[str, float]  # seconds
    asked: str = ""  # the question as a follow-up was understood, "" where it was asked as it was written
    route: Route = Route(tool="text")
    next: list[str] = []  # what could be asked next and is answered, where the setting `suggest` asks for it
    cached: bool = False  # made earlier, for the same question while nothing has changed
    made_at: str = ""  # when, where it is cached: UTC, ISO 8601


def notice(code: str, text: str) -> Problem:
    """Something a reader must know that makes no answer one for review."""
    return Problem(code=code, text=text, severity="notice")
