"""What a document states, in typed pieces: the things that it names and what it says of them, each with its words.

`Named`, `Statement` and `Extraction` are what an extractor returns (facts/extractors/); relations.py says which
relations there are, normal.py when two names are alike, resolution.py which are one thing, timeline.py what holds when.
All of it is pure: no index, no model, no file. Try: python -m facts docs/services.md
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Status = Literal["observed", "verified", "inferred", "stale", "disputed"]
"""observed: stands there. verified: a person confirmed it. inferred: a model read it. stale: not confirmed for longer
than its relation stays trustworthy. disputed: another document says otherwise, and nobody has decided."""

RECORD, NOTES, MESSAGE, MODEL = 3, 2, 1, 0
"""How far a source is trusted: what is kept as a record (catalogue, decision, directory), notes, talk, a model's word.
What has a lower rank never closes or edits what a higher one says; it makes a conflict."""


@dataclass(frozen=True, slots=True)
class Named:
    """A thing as one document names it. It needs a name or an id."""

    type: str  # of facts.relations: "Person"
    names: tuple[str, ...] = ()  # the one to show first, then what else it is called there, as written but for markup
    ids: tuple[str, ...] = ()  # what tells it from others of the name: "a@b.example", "@ann", "emp_0431", "D-0006"

    @property
    def shown(self) -> str:
        """The name for people, else the id."""
        return (self.names or self.ids)[0]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a document says. `quote` is a slice of its text, on the lines `first_line` to `last_line`."""

    subject: Named
    predicate: str  # a relation of facts.relations ("owns"), or an attribute as it is headed there ("business unit")
    object: Named | str  # a thing, or the value of an attribute
    first_line: int  # of the text as indexed, from 1
    last_line: int
    quote: str
    qualifier: str = ""  # what narrows it, in the document's word: "production", "read-only"
    valid_from: str = ""  # ISO date from which it holds, only where the document states one; "" unknown
    valid_to: str = ""  # ISO date from which it holds no more, or the end of the last day (facts/days.py)
    rank: int = RECORD
    extractor: str = ""  # its module and version: "tables/1"


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a document names a thing, whether or not it says anything of it."""

    named: Named
    first_line: int
    last_line: int
    quote: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that is not read as the fact that it looks like, and why: its owner is told."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that is read of one document. Names that stand in statements need no mention of their own."""

    statements: tuple[Statement, ...] = ()
    mentions: tuple[Mention, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A document as an extractor sees it. Lines are those of the text as indexed, secrets masked already."""

    path: str  # below the root, with slashes
    title: str
    meta: Mapping[str, str]  # front matter's scalars, or what a converted file tells of itself
    lines: tuple[str, ...]
    lang: str = "en"
    dated: str = ""  # ISO date that the document states, "" for none
    format: str = "md"  # "csv", "jsonl", "slack", ...
    places: tuple[str, ...] = ()  # of each line in a file that has no lines of its own: "¶7", a message of a day
