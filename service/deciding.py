"""HTTP for what people decide: names that may be one thing's, and facts that disagree.

To see them needs the scope `audit`, to decide `operate`: who looks through what was done does not change it, and who
decides is named in the log. Both go by what the caller may read. Knows no SQL.
Try: python server.py, then curl "http://127.0.0.1:8000/audit/merges?outcome=proposed"
"""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from access import Caller
from access.auditor import noted
from access.identity import AUDIT, OPERATE
from database import Connection
from errors import NotRecorded, StoreError
from graph import decide
from graph.decide import Conflict, Kept, Pair
from graph.view import View, view_of
from service.admission import allowed
from service.brain import Brain
from service.shapes import errors, storable
from storage.schema import translated

MOST_WHY = 1000
_T = TypeVar("_T")
_Id = Annotated[str, Field(min_length=1, max_length=64)]
_Why = Annotated[str, Field(max_length=MOST_WHY, description="the reason, for the record"), AfterValidator(storable)]
_PAIR = TypeAdapter(Pair)
_REFUSED = errors(400, 401, 403, 404, 421, 422, 503)


class Merges(BaseModel):
    """What /audit/merges returns, newest first."""

    model_config = ConfigDict(extra="forbid")

    merges: list[Pair]
    more: bool = Field(description="there may be older ones: ask with `before` the last id")


class Disagreements(BaseModel):
    """What /audit/conflicts returns."""

    model_config = ConfigDict(extra="forbid")

    open: list[Conflict]
    decided: list[Kept]


class PairDecision(BaseModel):
    """What becomes of two names."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["merge", "apart", "undo"]
    why: _Why = ""


class FactDecision(BaseModel):
    """Which of two facts of a conflict holds, by the ids of its sides."""

    model_config = ConfigDict(extra="forbid")

    kept: _Id
    closed: _Id
    why: _Why = ""
    decision: Literal["keep", "reopen"] = Field("keep", description="`reopen` takes it back")


def add_deciding(api: FastAPI, brain: Brain) -> None:
    """Adds the routes."""
    _add_merges(api, brain)
    _add_conflicts(api, brain)


def _add_merges(api: FastAPI, brain: Brain) -> None:
    @api.get("/audit/merges", summary="names that may be one thing's", response_model=Merges, responses=_REFUSED)
    async def merges(
        request: Request,
        outcome: Annotated[str, Query(max_length=20)] = "",
        before: Annotated[str, Query(max_length=64)] = "",
        limit: Annotated[int, Query(ge=1, le=decide.MOST)] = 50,
    ) -> Response:
        """Pairs of names of which the caller may read both, the newest first: how alike, why, what was decided."""
        asked = {"outcome": outcome, "before": before}
        told = await _read(request, brain, asked, lambda view: decide.pairs(view, outcome, before, limit))
        return JSONResponse(Merges(merges=told, more=len(told) == limit).model_dump(mode="json"))

    @api.post("/audit/merges/{id}", summary="decide on two names", response_model=Pair, responses=_REFUSED)
    async def decided(request: Request, id: _Id, wish: PairDecision) -> Response:
        """From now on the two are one thing's, two things', or (`undo`) what the rules say; returns what becomes."""

        def work(caller: Caller, connection: Connection) -> Pair:
            found = _looked(brain, caller, lambda view: decide.pair(view, id))
            decide.decide(connection, caller, found, wish.decision, wish.why)
            return _looked(brain, caller, lambda view: decide.pair(view, id))

        return JSONResponse(
            Merges(merges=[await _decided(request, brain, work)], more=False).model_dump(mode="json")["merges"][0]
        )


def _add_conflicts(api: FastAPI, brain: Brain) -> None:
    @api.get("/audit/conflicts", summary="facts that disagree", response_model=Disagreements, responses=_REFUSED)
    async def conflicts(request: Request) -> Response:
        """What documents that the caller may read disagree on, with the words of each side, and what was decided."""
        told = await _read(request, brain, {}, decide.disagreements)
        return JSONResponse(Disagreements(open=[*told.open], decided=[*told.decided]).model_dump(mode="json"))

    @api.post("/audit/conflicts", summary="decide on two facts", response_model=Disagreements, responses=_REFUSED)
    async def decided(request: Request, wish: FactDecision) -> Response:
        """From now on `kept` holds and `closed` does not, until that is reopened; returns what is left and decided."""

        def work(caller: Caller, connection: Connection) -> decide.Conflicts:
            found = _looked(brain, caller, decide.disagreements)
            rule = decide.keep if wish.decision == "keep" else decide.reopen
            rule(connection, caller, found, wish.kept, wish.closed, wish.why)
            return _looked(brain, caller, decide.disagreements)

        told = await _decided(request, brain, work)
        return JSONResponse(Disagreements(open=[*told.open], decided=[*told.decided]).model_dump(mode="json"))


async def _read(request: Request, brain: Brain, asked: dict[str, str], look: Callable[[View], _T]) -> _T:
    """What the caller may see, once it stands in the log that they look."""
    caller, store = allowed(request, AUDIT).caller, brain.index().store

    def work() -> _T:
        action = request.url.path.rpartition("/")[2]
        try:
            with translated(store.path):
                noted(store.connection(), caller, action, asked, "http")
        except StoreError as error:
            raise NotRecorded(f"This could not be written into the audit log, so it is not told. {error}") from error
        return _looked(brain, caller, look)

    return await brain.searches.run(work)


async def _decided(request: Request, brain: Brain, work: Callable[[Caller, Connection], _T]) -> _T:
    caller, store = allowed(request, OPERATE).caller, brain.index().store

    def working() -> _T:
        with translated(store.path):
            return work(caller, store.connection())

    return await brain.searches.run(working)


def _looked(brain: Brain, caller: Caller, look: Callable[[View], _T]) -> _T:
    index = brain.index()
    with index.store.reader(caller) as reader:
        return look(view_of(index, reader))
