"""The facts for assistants: the closed schema of typed questions, made from graph/tools.py, and what is told of them.

Knows no transport and no index of its own. Try: python mcp_server.py, or manual/mcp.md
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import AfterValidator, BaseModel, Field, create_model

from access import Caller
from answering import typed
from answering.typed import Called, Facts
from graph.tools import TOOLS
from search import Index
from service.shapes import storable

MOST_ROWS = 50
"""Rows of one reply to an assistant, whose window is small."""


def _asked(name: str) -> type[BaseModel]:
    tool = TOOLS[name]
    fields: dict[str, Any] = {"tool": (Literal[name], Field(description=tool.answers))}
    return create_model(f"Ask_{name}", __base__=tool.arguments, __doc__=tool.answers, **fields)


if TYPE_CHECKING:
    Asked = BaseModel
else:
    Asked = Annotated[
        Union[tuple(_asked(name) for name in TOOLS)],  # noqa: UP007 (made of a tuple)
        Field(discriminator="tool", description="one typed question: `tool` and its arguments"),
    ]
Name = Annotated[
    str,
    AfterValidator(storable),
    Field(min_length=1, max_length=500, description="a thing's name, id or key, or the start of a name"),
]
Type = Annotated[
    str, AfterValidator(storable), Field(max_length=100, description='only of this type: "Service"; empty: any')
]
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="rows to leave out, to read on")]


class Card(BaseModel):
    """What is known of a thing, or the things to choose from."""

    facts: Facts | None = Field(description="its card; null where no thing or several are called so")
    things: list[Called] = Field(description="of these names; ask again with one's `key`. Empty: none is known")


def answered(index: Index, caller: Caller, ask: BaseModel, offset: int, opened: typed.Opened) -> Facts:
    """What the typed question finds. Raises WrongArguments, NotRecorded, StoreError."""
    given = ask.model_dump(mode="json", exclude_unset=True)
    name = given.pop("tool")
    return typed.asked(index, caller, name, given, offset, MOST_ROWS, opened)


def card(index: Index, caller: Caller, name: str, kind: str, opened: typed.Opened) -> Card:
    """The card of the one thing of this name, or those whose names are like it. Raises NotRecorded, StoreError."""
    found = typed.things(index, caller, name, kind, 20, opened)
    key = typed.only(index, caller, name, kind) or (found.things[0].key if len(found.things) == 1 else "")
    if not key:
        return Card(facts=None, things=found.things)
    return Card(facts=typed.asked(index, caller, "card", {"thing": key}, 0, MOST_ROWS, opened), things=[])
