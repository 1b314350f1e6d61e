"""HTTP for the company's facts: a typed question at its own address, things by name, and the map.

The addresses and their parameters are made from graph/tools.py. Every reply is what it would be without the documents
that the caller may not read, and stands in the audit log before it is told. Knows no SQL and no view.
Try: python server.py, then curl "http://127.0.0.1:8000/graph/impact?thing=identity"
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel

from access import Caller
from answering import typed
from answering.typed import MOST_ROWS, Facts, MapReply, Things, WrongArguments
from errors import UsageError
from graph.given import FORMS, LISTS, from_text
from graph.overview import MOST_NODES, MOST_THINGS
from graph.tool import Day, Tool, Word
from graph.tools import TOOLS
from search import Index
from service.brain import Brain
from service.shapes import errors, storable

_T = TypeVar("_T", bound=BaseModel)
_PAGING = {"offset": (0, 2**31, 0, "rows to leave out"), "limit": (1, MOST_ROWS, 100, "rows to tell at most")}
_REFUSED = errors(401, 403, 421, 422, 503)
CallerOf = Callable[[Request], Caller]


def add_facts(api: FastAPI, brain: Brain, caller_of: CallerOf) -> None:
    """Adds the routes."""
    _add_overviews(api, brain, caller_of)
    for tool in TOOLS.values():
        _add_tool(api, brain, caller_of, tool)


def _add_overviews(api: FastAPI, brain: Brain, caller_of: CallerOf) -> None:
    @api.get("/graph/things", summary="find things by name", response_model=Things, responses=_REFUSED)
    async def things(
        request: Request,
        text: Word = "",
        type: Word = "",
        limit: Annotated[int, Query(ge=1, le=MOST_THINGS)] = 20,
    ) -> Response:
        """Things whose name or id is `text`, begins with it, or has a word that does, the closest first."""
        _usable([text, type])
        asked = {"text": text, "type": type}
        return await _told(
            brain, caller_of(request), "things", asked,
            lambda index, caller, opened: typed.things(index, caller, text, type, limit, opened),
        )  # fmt: skip

    @api.get("/graph/map", summary="things and what joins them", response_model=MapReply, responses=_REFUSED)
    async def map(
        request: Request,
        types: Annotated[list[Word], Query(max_length=50)] = [],  # noqa: B006 (FastAPI copies it)
        relations: Annotated[list[Word], Query(max_length=50)] = [],  # noqa: B006
        as_of: Day = "",
        around: Word = "",
        merged: bool = True,
        limit: Annotated[int, Query(ge=1, le=MOST_NODES)] = 500,
    ) -> Response:
        """The things with the most relations, or those nearest to `around`, and the facts between them.

        `types` and `relations` may be given several times. Without `merged` each thing as one document names it.
        """
        _usable([*types, *relations, around])
        asked = {"types": types, "relations": relations, "as_of": as_of, "around": around, "merged": merged}
        return await _told(
            brain, caller_of(request), "map", asked,
            lambda index, caller, opened: typed.mapped(
                index, caller, types, relations, as_of, around, limit, opened, merged=merged
            ),
        )  # fmt: skip


def _add_tool(api: FastAPI, brain: Brain, caller_of: CallerOf, tool: Tool[Any]) -> None:
    async def ask(request: Request) -> Response:
        caller = caller_of(request)
        given, offset, limit = _given(request)
        typed.checked(tool, given)
        return await _told(
            brain, caller, tool.name, given,
            lambda index, caller, opened: typed.asked(index, caller, tool.name, given, offset, limit, opened),
        )  # fmt: skip

    api.add_api_route(
        f"/graph/{tool.name}", ask, methods=["GET"], summary=tool.answers, response_model=Facts, responses=_REFUSED,
        description="Things by key or by a name that is one thing's. The rows found, each step with its words.",
        operation_id=f"graph_{tool.name}", openapi_extra={"parameters": _parameters(tool)},
    )  # fmt: skip


async def _told(
    brain: Brain,
    caller: Caller,
    name: str,
    asked: Mapping[str, Any],
    work: Callable[[Index, Caller, typed.Opened], BaseModel],
) -> Response:
    index = brain.index()
    opened = partial(
        brain.record.read_facts, "graph", caller, name, {k: v for k, v in asked.items() if v not in ("", [])}
    )
    return JSONResponse((await brain.searches.run(lambda: work(index, caller, opened))).model_dump(mode="json"))


def _given(request: Request) -> tuple[dict[str, Any], int, int]:
    """The tool's arguments, and which rows. Raises WrongArguments."""
    texts: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        texts.setdefault(name, []).append(value)
    _usable([*texts, *(value for values in texts.values() for value in values)])
    try:
        given = from_text(texts)
    except UsageError as error:
        raise WrongArguments(str(error)) from error
    offset, limit = (_number(name, given.pop(name, None)) for name in _PAGING)
    return given, offset, limit


def _number(name: str, text: str | None) -> int:
    least, most, usual, _ = _PAGING[name]
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 11 and least <= int(text) <= most):
        raise WrongArguments(f"{name}: {text[:40]!r} is no number from {least} to {most}.")
    return int(text)


def _usable(texts: Sequence[str]) -> None:
    for text in texts:
        try:
            storable(text)
        except ValueError as error:
            raise WrongArguments(f"{text[:40]!a} {error}.") from error


def _parameters(tool: Tool[Any]) -> list[dict[str, Any]]:
    """The tool's arguments as OpenAPI describes those of an address."""
    made = []
    for name, field in tool.arguments.model_fields.items():
        form = f" Written {FORMS[name]}." if name in FORMS else ""
        text = {"type": "string", "maxLength": 2000}
        schema = {"type": "array", "items": text} if name in LISTS else text
        made.append(_parameter(name, f"{field.description or ''}{form}", schema, field.is_required()))
    for name, (least, most, usual, what) in _PAGING.items():
        made.append(_parameter(name, what, {"type": "integer", "minimum": least, "maximum": most, "default": usual}))
    return made


def _parameter(name: str, what: str, schema: dict[str, Any], required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "description": what, "schema": schema}
