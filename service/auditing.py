"""HTTP for auditors: is the log whole, its rows, who could have seen a document, what an answer knew, what syncs did.

Needs the scope `audit`; every reading is a row of the log before anything of it is told. The page at /auditor asks here
like any program. Knows no SQL.
Try: python server.py, then curl "http://127.0.0.1:8000/audit?kind=question&limit=5"
"""

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from access import Caller
from access.audit import Report, Row, head
from access.auditor import found_rows, noted, rows_of_answer, verified
from access.history import Seen, could_have_seen, day_of
from access.identity import AUDIT
from database import Connection
from errors import NotRecorded, StoreError
from service.admission import allowed
from service.brain import Brain
from service.documents import NotFound
from service.line import Line
from service.shapes import errors
from storage.facts import FactReader
from storage.runs import Recorded, recorded
from storage.schema import reading, translated

MOST_ROWS = 1000
"""Rows of one reply; the next are asked for by `after`."""
_T = TypeVar("_T")
_Text = Annotated[str, Query(max_length=1000)]
_SEEN, _REPORT = TypeAdapter(Seen), TypeAdapter(Report)
_REFUSED = errors(400, 401, 403, 404, 421, 422, 503)


class AuditRows(BaseModel):
    """What /audit returns, oldest first unless the newest are asked for."""

    model_config = ConfigDict(extra="forbid")

    rows: list[Row]
    more: bool = Field(description="there are more: ask with `after` the last number, `before` where newest come first")
    head: int = Field(description="number of the log's last row")


class RecordedRun(BaseModel):
    """A sync or an event; times are UTC, ISO 8601."""

    model_config = ConfigDict(extra="forbid")

    id: int
    started_at: str
    ended_at: str
    cause: str = Field(description='"sync" or "event"')
    caller: str = Field(description="by whom")
    outcome: str = Field(description='"done", or the code of the error')
    counts: dict[str, int] = Field(description="documents, statements, things, embedded texts and calls of a model")
    stages: dict[str, float] = Field(description="seconds of each")
    error: str
    times: int = Field(description="how often in a row it failed so")


class Runs(BaseModel):
    """What /audit/runs returns, newest first."""

    model_config = ConfigDict(extra="forbid")

    runs: list[RecordedRun]
    more: bool = Field(description="there are older ones: ask with `before` the last number")
    things: int = Field(description="names of things that whoever asks may read, before any are joined")
    facts: int = Field(description="statements that they may read")


class _Reads:
    """Whoever reads the log: who they are, whether they may, and that it stands in the log before it is told."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain

    async def __call__(
        self, request: Request, action: str, asked: Mapping[str, Any], work: Callable[[Connection], _T]
    ) -> _T:
        """What `work` finds. Raises NotAllowed, NotReady, NotRecorded, StoreError."""
        caller, store = allowed(request, AUDIT).caller, self._brain.index().store

        def reading() -> _T:
            with translated(store.path):
                connection = store.connection()
            try:
                with translated(store.path):
                    noted(connection, caller, action, asked, "http")
            except StoreError as error:
                raise NotRecorded(
                    f"This could not be written into the audit log, so it is not told. {error}"
                ) from error
            with translated(store.path):
                return work(connection)

        return await self._brain.searches.run(reading)


def add_audit(api: FastAPI, brain: Brain) -> None:
    """Adds the routes."""
    read = _Reads(brain)
    _add_rows(api, read)
    _add_answers(api, read)
    _add_runs(api, brain, read)
    _add_verify(api, brain)


def _add_rows(api: FastAPI, read: _Reads) -> None:
    @api.get("/audit", summary="read the audit log", response_model=AuditRows, responses=_REFUSED)
    async def audit(
        request: Request,
        since: _Text = "",
        until: _Text = "",
        caller: _Text = "",
        document: _Text = "",
        kind: _Text = "",
        after: Annotated[int, Query(ge=0, le=2**53)] = 0,
        before: Annotated[int, Query(ge=0, le=2**53)] = 0,
        newest: bool = False,
        limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 100,
    ) -> Response:
        """Rows in order, of these days (UTC), document and kind, between the rows `after` and `before`.

        Of a caller those are told, too, that an agent made for them, or they in another's name. `newest` first, else
        last.
        """
        wanted: dict[str, Any] = {
            "since": since, "until": until, "caller": caller, "document": document, "kind": kind, "after": after,
            "before": before,
        }  # fmt: skip

        def work(connection: Connection) -> AuditRows:
            last = head(connection)
            found = found_rows(connection, **wanted, newest=newest)
            some = [*islice(found, limit + 1)]
            return AuditRows(rows=some[:limit], more=len(some) > limit, head=last.number if last else 0)

        return JSONResponse((await read(request, "show", wanted, work)).model_dump(mode="json"))


def _add_answers(api: FastAPI, read: _Reads) -> None:
    @api.get(
        "/audit/could-have-seen", summary="who could have seen a document", response_model=Seen, responses=_REFUSED
    )
    async def could(request: Request, document: _Text, on: _Text) -> Response:
        """The lists in force `on` a day (UTC) or moment, whom of the directory they let in, and who was shown it."""
        begin, end = day_of(on)
        asked = {"document": document, "on": on}
        seen = await read(request, "could-have-seen", asked, lambda c: could_have_seen(c, document, begin, end))
        return JSONResponse(_SEEN.dump_python(seen, mode="json"))

    @api.get("/audit/answers/{id}", summary="what an answer knew", response_model=AuditRows, responses=_REFUSED)
    async def answer(request: Request, id: str) -> Response:
        """The rows of an answer: question, caller, documents with versions and lines, limit, model, judgements."""

        def work(connection: Connection) -> AuditRows:
            last = head(connection)
            return AuditRows(rows=rows_of_answer(connection, id), more=False, head=last.number if last else 0)

        told = await read(request, "answer", {"id": id[:40]}, work)
        if not told.rows:
            raise NotFound("The log holds no answer of this id.")
        return JSONResponse(told.model_dump(mode="json"))


def _add_runs(api: FastAPI, brain: Brain, read: _Reads) -> None:
    @api.get("/audit/runs", summary="what became of syncs and events", response_model=Runs, responses=_REFUSED)
    async def runs(
        request: Request,
        before: Annotated[int, Query(ge=0, le=2**53)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 100,
    ) -> Response:
        """The last syncs and events that changed something or failed, newest first; with `before` those below a row.

        By whom, how many documents and facts, how long each stage took, and the error where there was one.
        """

        def work(connection: Connection) -> list[Recorded]:
            return recorded(connection, limit + 1, before)

        found = await read(request, "runs", {"before": before, "limit": limit}, work)
        things, facts = await brain.searches.run(partial(_counted, brain, allowed(request, AUDIT).caller))
        runs = [RecordedRun(**one.told()) for one in found[:limit]]
        told = Runs(runs=runs, more=len(found) > limit, things=things, facts=facts)
        return JSONResponse(told.model_dump(mode="json"))


def _counted(brain: Brain, caller: Caller) -> tuple[int, int]:
    """Things and statements that the caller may read."""
    with brain.index().store.reader(caller) as reader:
        rows = FactReader(reader)
        return sum(rows.types().values()), sum(rows.predicates().values())


def _add_verify(api: FastAPI, brain: Brain) -> None:
    checks = Line("checks of the audit log", 1, 4)  # each may take seconds of one core

    @api.get("/audit/verify", summary="is the audit log whole?", response_model=Report, responses=_REFUSED)
    async def verify(request: Request, whole: bool = True) -> Response:
        """What a look through the chain finds, against the heads kept in `audit_head_file`; without `whole` at its end.

        Whole is a log without `faults`. It tells of no row what it says, so it leaves none itself.
        """
        allowed(request, AUDIT)
        path = brain.index().store.path

        def work() -> Report:
            with translated(path), contextlib.closing(reading(path)) as connection:
                return verified(connection, brain.settings, tail=not whole)

        return JSONResponse(_REPORT.dump_python(await checks.run(work), mode="json"))
