"""What an answer tells while it is made: one small model an event, in the order of manual/http.md.

Knows no HTTP and no terminal. Try: curl -N on /ask/stream (manual/http.md), or python answer.py in a terminal
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from answering.shapes import Answer, Limit, Route
from proof.verdict import Claim
from retrieval.found import Found
from sources.formats.place import over


class Event(BaseModel):
    """Base of all of them; `name` is the event's on the wire."""

    model_config = ConfigDict(frozen=True)
    name: ClassVar[str]

    def data(self) -> dict[str, Any]:
        """What is sent, ready for JSON."""
        return self.model_dump(mode="json")


class Looked(BaseModel):
    """A passage that was found."""

    source: str
    title: str
    lines: str  # "L9-14"
    place: str  # "p12-13"; "" where the lines say it
    heading: str
    score: float | None  # cosine, the figure that the limit is compared with
    dated: str  # that the document states, "" where it states none
    modified: str  # of its file: UTC, ISO 8601


class Searched(Event):
    """Told at once after the search."""

    name = "search"

    lang: str
    passages: list[Looked]
    limit: Limit
    nearest: Looked | None  # what came nearest, where nothing passed the limit


class Asked(Event):
    """Told before the search where a follow-up was put in other words."""

    name = "asked"

    question: str


class Routed(Event):
    """Told after the search: how the question is answered, by which typed question to the facts or from passages."""

    name = "route"

    tool: str  # "text": from passages
    reason: str
    arguments: dict[str, Any]
    as_of: str


class Token(Event):
    """A further piece of the model's text as it writes: not checked, and it may hold anything."""

    name = "token"

    text: str


class Checked(Event):
    """A claim once its sentence is whole; one with an index that was told before replaces it."""

    name = "claim"

    index: int  # from 0
    claim: Claim


class Withdrawn(Event):
    """Text and claims so far are withdrawn; those of the attempt of this number follow."""

    name = "retry"

    attempt: int  # from 1
    why: list[str]


class Answered(Event):
    """The whole answer: the last event, unless it is Failed."""

    name = "answer"

    answer: Answer

    def data(self) -> dict[str, Any]:
        """The Answer itself."""
        return self.answer.model_dump(mode="json")


class Failed(Event):
    """The last event where there is no answer."""

    name = "error"

    code: str
    detail: str
    retry_after: int  # seconds; 0: asking again is of no use


Tell = Callable[[Event], None]
"""Who hears the events, in the thread that answers. It must be quick."""


def searched(found: Found) -> Searched:
    """What a search found, for whoever waits."""
    passages = [
        Looked(
            source=p.source, title=p.title, lines=p.lines, place=over(p.places), heading=" > ".join(p.heading),
            score=_rounded(p.score), dated=p.dated, modified=p.modified,
        )
        for p in found.passages
    ]  # fmt: skip
    nearest = None if passages else nearest_of(found)
    return Searched(lang=found.lang, passages=passages, limit=Limit(**asdict(found.limit)), nearest=nearest)


def routed(route: Route) -> Routed:
    """How a question is answered, for whoever waits."""
    return Routed(tool=route.tool, reason=route.reason, arguments=route.arguments, as_of=route.as_of)


def nearest_of(found: Found) -> Looked | None:
    """What came nearest, whether or not it passed the limit; None where nothing was looked at."""
    hit = found.nearest
    if hit is None:
        return None
    chunk = hit.chunk
    return Looked(
        source=chunk.path, title=chunk.title, lines=chunk.lines, place=chunk.place, heading=" > ".join(chunk.heading),
        score=_rounded(hit.score), dated=chunk.dated, modified=chunk.modified,
    )  # fmt: skip


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
