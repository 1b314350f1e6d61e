"""What a typed question is: a name, the model of its arguments, a function from a view to rows, and what it answers.

Arguments are ready for JSON: things by `Entity.key`, dates in ISO form, relations by name. Knows no question in
particular; those stand in tools.py. Try: python -m graph --help
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import UsageError
from graph.result import Result, Row
from graph.view import View
from graph.walk import Direction

_DAY = r"^(\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?)?$"
Day = Annotated[str, Field(pattern=_DAY)]
"""An ISO day, month or year; "" for none."""
Thing = Annotated[str, Field(min_length=1, max_length=600)]
"""A thing by its key: "Service/plan store"."""
Word = Annotated[str, Field(max_length=600)]
Relating = tuple[Word, Literal["out", "in"]]
"""A relation or attribute, and which way it is read: "out" from its subject, "in" from its object."""
Filter = Annotated[list[Word], Field(min_length=3, max_length=4)]
"""[relation or attribute, "out" or "in", a thing's key or a value ("": any), qualifier (may be left out)]."""
MOST = 1_000
"""Rows of one result."""


class Arguments(BaseModel):
    """What every typed question takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    as_of: Day = Field("", description="as of this day, month or year; empty: now")


@dataclass(frozen=True, slots=True)
class Found:
    """What a question found, before it is a Result."""

    columns: tuple[str, ...]
    rows: Sequence[Row] = ()
    why: str = ""


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """A typed question."""

    name: str
    look: Callable[[View, A], Found]
    arguments: type[A]
    answers: str  # one line, for people and for models that choose
    is_whole: bool = False  # all rows are given, as they are counted
    of_texts: bool = False  # it searches texts: its view has them (View.texts)

    def function(self, view: View, **arguments: Any) -> Result:
        """Asks it. Raises UsageError for arguments that are not of its model."""
        try:
            given = self.arguments(**arguments)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            where = ".".join(map(str, first["loc"])) or "arguments"
            raise UsageError(f"{self.name}: {where}: {first['msg']}. See: python -m graph {self.name} --help") from None
        looked = view.at(given.as_of) if given.as_of else view
        found = self.look(looked, given)
        why = found.why
        if len(found.rows) > MOST and not self.is_whole:
            why = f"{why} The first {MOST:,} of {len(found.rows):,} rows.".strip()
        told, rows = given.model_dump(mode="json"), found.rows if self.is_whole else found.rows[:MOST]
        return Result(self.name, told, found.columns, tuple(rows), why, looked.as_of)

    __call__ = function


def tool(
    arguments: type[A], answers: str, *, is_whole: bool = False, of_texts: bool = False
) -> Callable[[Callable[[View, A], Found]], Tool[A]]:
    """Makes a function that looks a typed question up a Tool of its name."""

    def made(look: Callable[[View, A], Found]) -> Tool[A]:
        return Tool(look.__name__.strip("_"), look, arguments, answers, is_whole, of_texts)

    return made


def direction_of(word: str) -> Direction:
    """A direction as it is written. Raises UsageError for any other word."""
    if word in ("out", "in"):
        return "out" if word == "out" else "in"
    raise UsageError(f'"{word}" is no direction: "out" is from the subject, "in" from the object')


def unnamed(*keys: str) -> str:
    """What to say when nothing that the caller may read names these things."""
    return f"No document that you may read names {' or '.join(keys)}."
