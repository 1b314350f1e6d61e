"""HTTP: POST /ask, /ask/stream, /search and /feedback for programs and pages, /healthz and /readyz for operators.

Only translates: a request into a question by a caller, an Answer or an error of the family into JSON. Knows no
passages, prompts or SQL. Bound to this machine unless it is told to be open. Loads no model when it is imported.
Try: python server.py, or uvicorn server:app; then
    curl -d '{"text": "How many vacation days do I get?"}' -H "Content-Type: application/json" 127.0.0.1:8000/ask
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import asyncio
import json
import logging
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

import commandline
import config
from access.identity import ASK, AUDIT, METRICS, OPERATE, WRITE, is_open, may_be_reached
from answer import Answer
from answering.events import Tell
from config import Settings
from errors import BrainError, UsageError
from models.calls import Stop
from retrieval.explain import explained
from retrieval.found import Found
from search import Index
from service import VERSION, logs
from service.admission import Admission, allowed, caller_of, operates
from service.auditing import add_audit
from service.brain import OPEN_WARNING, Brain, NotReady, without_counts
from service.deciding import add_deciding
from service.door import Door, is_loopback
from service.events import add_events
from service.facts import add_facts
from service.feedback import judge
from service.page import POLICY, page
from service.patience import Patience
from service.record import Asked
from service.replies import error_reply, retry_after
from service.scrape import add_metrics
from service.shapes import Feedback, Query, Question, Readiness, SearchReply, Stored, errors
from service.signins import SignIns
from service.stream import HEARTBEAT_SECONDS, Stream
from service.syncing import add_sync
from service.web import add_documents, add_page
from sources.folder import FolderSource
from store import name_of, store_of

STOP_SECONDS = 5
"""How long questions at work may go on when the server is stopped."""
MOST_CONNECTIONS = 200
"""Connections at once, besides those whose questions wait; one more gets 503."""
KEEP_ALIVE_SECONDS = 5
_log = logging.getLogger("uvicorn.error")


class Service:
    """The ASGI application: FastAPI behind door and sign-in, over one index that is opened in the background at start.

    `knows_peers`: whether the server that runs it tells who is at the other end of a connection, whatever headers say.
    """

    knows_peers = False

    def __init__(
        self,
        settings: Settings | None = None,
        explain: bool = False,
        opens: Callable[[Settings], Index] | None = None,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
    ) -> None:
        """Without `settings` they are read when the server starts. `explain` adds the search to every answer.

        A stream in which nothing comes for `heartbeat_seconds` says that it lives.

        `opens` opens the index with models of its own choice; left out, those that the settings name.
        Raises UsageError for settings that cannot work.
        """
        self._explain, self._opens, self._heartbeat = explain, opens, heartbeat_seconds
        self._brain: Brain | None = None
        if settings:
            self._set_up(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starts and stops with the server, and gives every request to the door."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        try:
            await self._door(scope, receive, send)
        except Exception:  # has been replied to; raised on, the connection would be closed under the next request
            _log.exception("A request failed")

    @property
    def queue(self) -> int:
        """How many questions may wait; 0 while the settings are not read."""
        return self._brain.settings.queue if self._brain else 0

    def _set_up(self, settings: Settings) -> None:
        from assistants.calls import Calls  # the SDK takes 0.8 s, which a wrong flag or --help can do without
        from assistants.http import add_mcp
        from assistants.tools import tools_over

        logs.set_up(settings)
        self._brain = brain = Brain(settings, logs.notice_for(settings), self._opens)
        api, calls = build(brain, self._explain, self._heartbeat), Calls()
        tools = tools_over(brain, caller_of, operates, calls)
        self._assistants = add_mcp(api, tools, calls, caller_of)
        self._signins = SignIns(lambda: brain.record.log, keeps_peers=settings.audit_peers)
        self._admission = Admission(api, settings, lambda: self.knows_peers, self._signins)
        self._door = Door(self._admission, settings)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            if self._brain is None:
                self._set_up(config.load())
        except UsageError as error:
            await send({"type": "lifespan.startup.failed", "message": f"error: {error}"})
            return
        assert self._brain
        self._brain.start()
        try:
            async with self._assistants:
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except asyncio.CancelledError:  # a second Ctrl-C: at once
            return
        self._signins.close()
        self._brain.stop()
        self._admission.close()
        await send({"type": "lifespan.shutdown.complete"})


def build(brain: Brain, explain: bool = False, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> FastAPI:
    """The routes over `brain`, without the door in front of them."""
    api = FastAPI(
        title="Company Brain", version=VERSION, docs_url=None, redoc_url=None, redirect_slashes=False,
        description="Answers questions from the company's own documents and says where each sentence comes from.",
    )  # fmt: skip

    async def told(request: Request, error: Exception) -> Response:
        return await error_reply(request, brain.record.shown(error))

    for kind in (BrainError, RequestValidationError, HTTPException, Exception):
        api.add_exception_handler(kind, told)
    _add_questions(api, brain, explain, heartbeat_seconds)
    _add_feedback(api, brain)
    _add_state(api, brain)
    add_metrics(api, brain)

    about = {"name": "Company Brain", "version": VERSION, "docs": "/docs", "ask": "POST /ask", "ready": "/readyz"}
    add_page(api, brain.settings, about)
    add_documents(api, brain, caller_of)
    add_facts(api, brain, caller_of)
    add_sync(api, brain)
    add_events(api, brain, heartbeat_seconds)
    add_audit(api, brain)
    add_deciding(api, brain)

    @api.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(page(api.openapi()), headers={"Content-Security-Policy": POLICY})

    return api


def _add_questions(api: FastAPI, brain: Brain, explain: bool, heartbeat_seconds: float) -> None:
    refused = errors(400, 401, 403, 413, 415, 421, 422, 503)

    @api.post("/ask", summary="answer a question", response_model=Answer, responses=refused)
    async def ask(question: Question, request: Request) -> Response:
        """The answer from the documents, with its sources.

        `status` is `answered`, `needs_review` (a sentence could not be proved; `problems` says which) or `not_found`,
        all three with 200.
        """
        asked = brain.record.asked(brain.questions, "ask", caller_of(request), question.text, question.wanted())
        return JSONResponse(await asked.run(partial(_answered, brain, asked, question, explain)))

    events: dict[int | str, dict[str, Any]] = {
        200: {"content": {Stream.media_type: {}}, "description": "server-sent events; see manual/http.md"}
    }

    @api.post("/ask/stream", summary="answer a question, told while it is made", responses={**refused, **events})
    async def stream(question: Question, request: Request) -> Response:
        """The same as server-sent events: `search`, then `token`, `claim` and `retry`, at last `answer` or `error`.

        An error before the first event has its own status, one after it is the event `error`.
        """
        asked = brain.record.asked(brain.questions, "stream", caller_of(request), question.text, question.wanted())
        work = partial(_answered, brain, asked, question, explain)
        return await Stream(asked, work, heartbeat_seconds).begin(request.receive)

    @api.post("/search", summary="find passages", response_model=SearchReply, responses=refused)
    async def search(query: Query, request: Request) -> Response:
        """The passages nearest to a text, those below the limit too and marked so, without an answer."""
        asked = brain.record.asked(brain.searches, "search", caller_of(request), query.text, query.wanted(), "search")

        def work() -> Found:
            found = brain.index().searcher().search(asked.caller, query.text, query.k, asked.wanted)
            asked.ended(found, hits=True)
            return found

        return JSONResponse(explained(await asked.run(work)))


def _answered(
    brain: Brain, asked: Asked, question: Question, explain: bool, tell: Tell | None = None, stop: Stop | None = None
) -> dict[str, Any]:
    """The reply to a question; runs in a thread of the line. Raises what Assistant.ask raises, NotReady."""
    answer, found = brain.assistant().ask(
        asked.caller, question.text, wanted=asked.wanted, verify=question.verify, history=question.turns(), tell=tell,
        stop=stop, seen=asked.seen if tell else None,
    )  # fmt: skip
    brain.recent.add(asked.caller, answer.asked or question.text, answer, asked.wanted)
    asked.ended(found, answer, hits=explain)
    return answer.model_dump(mode="json") | ({"explain": explained(found)} if explain else {})


def _add_feedback(api: FastAPI, brain: Brain) -> None:
    refused = errors(400, 401, 403, 404, 413, 415, 421, 422, 503)

    @api.post("/feedback", summary="judge an answer", response_model=Stored, responses=refused)
    async def feedback(told: Feedback, request: Request) -> Response:
        """Stores what the person who asked says of an answer, in place of what they said of it before.

        It changes no answer: somebody reads it and decides (`python -m eval.feedback`).
        """
        caller, store = caller_of(request), brain.index().store
        await brain.judgements.run(lambda: judge(store, brain.recent, brain.record.log, caller, told))
        return JSONResponse(Stored().model_dump())


def _add_state(api: FastAPI, brain: Brain) -> None:
    @api.get("/healthz", summary="is the server alive?", responses=errors(403, 421))
    async def healthz() -> dict[str, str]:
        """Says nothing of documents or models."""
        return {"status": "alive"}

    unready: dict[int | str, dict[str, Any]] = {
        503: {"model": Readiness, "description": "not ready; `detail` says why"}
    }

    @api.get("/readyz", summary="can it answer?", response_model=Readiness, responses=errors(401, 403, 421) | unready)
    async def readyz(request: Request) -> Response:
        """Whether the first sync has ended and the models answer; if not, why. Counts, limit, model, and if it is open.

        `answers` is true when questions are answered already, from the documents of an earlier run. Counts, times and
        what is in the way are for the scope `operate`.
        """
        scopes = allowed(request, ASK, METRICS, OPERATE).scopes
        told = await brain.looks.run(brain.readiness)
        if not operates(request):
            told = without_counts(told)
        told["audits"] = AUDIT in scopes
        told["events"] = brain.settings.events_dir is not None
        told["writes"] = told["events"] and WRITE in scopes
        headers = {} if told["ready"] else {"Retry-After": str(retry_after(NotReady()))}
        return JSONResponse(told, 200 if told["ready"] else 503, headers)


app = Service()
"""For `uvicorn server:app`; its settings are the environment's."""


def listening(settings: Settings) -> socket.socket:
    """A socket bound to the settings' host and port. Raises UsageError when that is not possible or not allowed."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{settings.host!r} is no address of this machine ({error}). See --host.") from error
    family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    if not may_be_reached(settings) and not is_loopback(str(address[0])):
        raise UsageError(
            f"{settings.host} can be reached from other machines, and {OPEN_WARNING}. Let people sign in "
            "(BRAIN_AUTH, manual/access.md); if all may read all, add --open (BRAIN_OPEN=1); otherwise leave --host "
            "(BRAIN_HOST) out."
        )
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named: else asyncio leaves Nagle on, 40 ms
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise UsageError(
            f"Port {settings.port} of {settings.host} cannot be opened: {error.strerror or error}. "
            "End the program that has it, or choose another with --port (BRAIN_PORT)."
        ) from error
    return bound


def http_server(service: Service) -> uvicorn.Server:
    """The uvicorn server around the application; it trusts no proxy's headers and ends within STOP_SECONDS or so."""
    service.knows_peers = True
    made = uvicorn.Config(
        service, log_level="warning", log_config=None, access_log=False, lifespan="on", ws="none", server_header=False,
        proxy_headers=False, timeout_graceful_shutdown=STOP_SECONDS, timeout_keep_alive=KEEP_ALIVE_SECONDS,
        limit_concurrency=MOST_CONNECTIONS + service.queue, http=Patience,
    )  # fmt: skip
    return uvicorn.Server(made)


def _check_documents(settings: Settings) -> None:
    """Raises what is wrong with the folder or the index file before the port is opened."""
    source = FolderSource(settings.docs_dir)
    source.entries()
    store = store_of(settings)
    try:
        store.claim(source.root)
    finally:
        store.close()


def _announce(settings: Settings, bound: socket.socket, as_json: bool) -> None:
    host, port = bound.getsockname()[:2]
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    if as_json:
        told = {"url": url, "docs": str(settings.docs_dir), "db": name_of(settings), "open": is_open(settings)}
        print(json.dumps(told, ensure_ascii=False), flush=True)
    here = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")  # no address that browsers open
    if settings.log_format == "json":
        logs.event(logging.INFO, "started", {"url": here, "docs": str(settings.docs_dir), "open": is_open(settings)})
        return
    print(f"Company Brain answers from {settings.docs_dir}: open {here}/ in a browser", file=sys.stderr)
    if is_open(settings):
        print(f"warning: {OPEN_WARNING}", file=sys.stderr)
    elif not is_loopback(host):
        print("note: tokens and answers travel unencrypted; put TLS in front (manual/deploy.md)", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Serves until it is stopped. Exit 0, or 2 for wrong settings or documents, or a port that cannot be opened."""
    parser = commandline.parser(
        "Serve questions over HTTP: POST /ask, /ask/stream, /search, /feedback, GET /healthz, /readyz, /docs.",
        "python server.py --docs ~/handbook --port 8080",
    )
    parser.add_argument("--host", help="address to bind to (BRAIN_HOST)")
    parser.add_argument("--port", type=int, help="port to bind to, 0 for a free one (BRAIN_PORT)")
    parser.add_argument("--open", action="store_true", default=None, help=f"bind beyond loopback: {OPEN_WARNING}")
    args = parser.parse_args(argv)
    flags = {"docs_dir": args.docs, "db": args.db, "k": args.k, "host": args.host, "port": args.port, "open": args.open}
    settings = config.load(flags)
    service = Service(settings, args.explain)
    with listening(settings) as bound:
        _check_documents(settings)
        _announce(settings, bound, args.json)
        http_server(service).run(sockets=[bound])
    return 0


if __name__ == "__main__":
    commandline.run(main)
