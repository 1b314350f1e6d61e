"""GET /graph/map, /card and /path: things, what joins them and where to draw them, for the page at /graph.

Each is made from what the caller may read. Knows no SQL. Try: curl "127.0.0.1:8000/graph/map?limit=50"
"""

from datetime import date
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import TypeAdapter

from graph.map import MOST, Map, Wanted, known_names, map_of
from graph.shown import as_json
from graph.tools import TOOLS
from graph.view import View
from service.admission import caller_of
from service.brain import Brain
from service.shapes import errors
from storage.facts import FactReader
from storage.naming import changes

_MAP = TypeAdapter(Map)
_Names = Annotated[list[str], Query(max_length=200)]
_Key = Annotated[str, Query(min_length=1, max_length=600)]
_DAY = r"^(\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?)?$"
_Day = Annotated[str, Query(pattern=_DAY)]


def add_graph_map(api: FastAPI, brain: Brain) -> None:
    """Adds the routes."""
    _add_questions(api, brain)

    @api.get(
        "/graph/map",
        summary="things and what joins them",
        response_model=Map,
        responses=errors(400, 401, 403, 421, 422, 503),
    )
    async def graph_map(
        request: Request,
        types: _Names = [],  # noqa: B006
        relations: _Names = [],  # noqa: B006
        as_of: _Day = "",
        around: Annotated[str, Query(max_length=600)] = "",
        limit: Annotated[int, Query(ge=1, le=MOST)] = 500,
        merged: bool = True,
    ) -> Response:
        """Things of these types, ties of these relations (both `a,b`), at a day; `around` a thing: what is tied to it.

        Places are about 1 apart. Without `merged` each thing stands as its documents name it, joined with no other.
        """
        caller, index = caller_of(request), brain.index()
        wanted = Wanted(known_names(types), known_names(relations), around, limit)

        def work() -> dict[str, Any]:
            with index.store.reader(caller) as reader:
                today = date.today().isoformat()
                state = today, changes(reader.connection)
                held = reader.kept.get("graph map")
                if held is None or held[0] != state:
                    held = reader.kept["graph map"] = (state, {})
                view = View(FactReader(reader), index.relations, today, same=index.aliases, merged=merged)
                told: dict[str, Any] = _MAP.dump_python(map_of(view, wanted, as_of, held[1]), mode="json")
                return told

        return JSONResponse(await brain.searches.run(work))


def _add_questions(api: FastAPI, brain: Brain) -> None:
    refused = errors(400, 401, 403, 421, 422, 503)

    async def told(request: Request, tool: str, as_of: str, merged: bool, arguments: dict[str, str]) -> Response:
        caller, index = caller_of(request), brain.index()

        def work() -> dict[str, object]:
            with index.store.reader(caller) as reader:
                today = date.today().isoformat()
                view = View(FactReader(reader), index.relations, today, same=index.aliases, merged=merged)
                found = TOOLS[tool].function(view, **arguments, as_of=as_of)
                made = as_json(view, found)
                words = view.words([fact for row in found.rows for fact in row.facts]).values()
            places = {(one.path, f"L{one.first_line}-{one.last_line}") for one in words}
            places |= {(one.path, f"L{one.first_line}-{one.last_line}") for row in found.rows for one in row.named}
            shown = [{"path": path, "version": "", "lines": lines, "as": "shown"} for path, lines in sorted(places)]
            brain.record.opened("documents", caller, shown)
            return made

        return JSONResponse(await brain.searches.run(work))

    @api.get("/graph/card", summary="what is known of a thing", responses=refused)
    async def card(request: Request, thing: _Key, as_of: _Day = "", merged: bool = True) -> Response:
        """What holds of it, a row a fact, each with its words."""
        return await told(request, "card", as_of, merged, {"thing": thing})

    @api.get("/graph/path", summary="the shortest way between two things", responses=refused)
    async def path(request: Request, a: _Key, b: _Key, as_of: _Day = "", merged: bool = True) -> Response:
        """The facts of the way in their order, each with its words."""
        return await told(request, "path", as_of, merged, {"a": a, "b": b})
