"""What people see: the pages, their files, the box for other pages, the documents behind citations, first questions.

The files are read once, from a fixed list: a request's path is looked up and never joined to a folder.
Try: python server.py, then http://127.0.0.1:8000/ in a browser
"""

import hashlib
import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from access import Caller
from access.identity import AUDIT
from config import PROJECT, Settings
from service.admission import AUDITOR, may_open
from service.brain import Brain
from service.documents import DocumentLines, NotFound, document_lines, lines_asked
from service.door import listed_origins
from service.examples import Examples, ExamplesReply
from service.replies import kind_asked
from service.shapes import errors

FILES = (
    "app.js", "ask.js", "audit-answer.js", "audit-decide.js", "audit-log.js", "audit-seen.js", "audit-words.js",
    "auditor.css", "auditor.js", "canvas.js", "copy.js", "docs.css", "dom.js", "facts-words.js", "facts.css",
    "facts.js", "graph-parts.js", "graph.js", "history.js", "icon.svg", "icons.js", "ingest.js", "links.js",
    "looks.js", "marks.js", "nearest.js", "problems.js", "render.js", "search.js", "shapes.js", "signin.js",
    "source.js", "state.js", "stream.js", "style.css", "theme.js", "words.js",
)  # fmt: skip
"""The files of web/ that are served at /web/NAME; the pages and embed.js have addresses of their own."""
_KINDS = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}  # fmt: skip
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors {}"
)
_FOLDER = PROJECT / "web"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str
    etag: str

    def reply(self, request: Request, **headers: str) -> Response:
        """The file, or 304 when the browser has it already; asked for each time, so an update is seen at once."""
        told = {"ETag": self.etag, "Cache-Control": "no-cache", **{k.replace("_", "-"): v for k, v in headers.items()}}
        if self.etag in [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=told)
        return Response(self.content, headers=told, media_type=self.kind)


def _read(path: Path) -> _File:
    content = path.read_bytes()
    return _File(content, _KINDS[path.suffix], f'"{hashlib.sha256(content).hexdigest()[:24]}"')


def _not_listed(origin: str) -> Response:
    """What a frame on a page of another origin shows: the box itself would stay empty there, and say nothing."""
    told = html.escape(origin[:200])
    text = (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=color-scheme content='light dark'>"
        f"<title>Company Brain</title><p>Company Brain may not be shown on pages of {told}. Whoever runs it can allow "
        f"that: BRAIN_ALLOWED_ORIGINS={told}</p></html>"
    )
    policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
    return HTMLResponse(text, 403, {"Content-Security-Policy": policy})


def add_page(api: FastAPI, settings: Settings, about: dict[str, str]) -> None:
    """The page, its files and the box for other pages. `about` is what a program gets at / that asks for JSON.

    Raises OSError when a file of web/ is missing.
    """
    page, embed = _read(_FOLDER / "index.html"), _read(_FOLDER / "embed.js")
    auditors, graph, ingest = (_read(_FOLDER / f"{name}.html") for name in ("auditor", "graph", "ingest"))
    files = {name: _read(_FOLDER / name) for name in FILES}
    framed_by = " ".join(sorted(listed_origins(settings))) or "'none'"

    @api.get("/", include_in_schema=False)
    async def root(request: Request) -> Response:
        if kind_asked(request, ("text/html", "application/json")) == "application/json":
            return JSONResponse(about, headers={"Vary": "Accept"})
        return page.reply(request, Content_Security_Policy=_POLICY.format("'none'"), Vary="Accept")

    @api.get("/search", include_in_schema=False)
    async def search_page(request: Request) -> Response:
        return page.reply(request, Content_Security_Policy=_POLICY.format("'none'"))

    @api.get("/graph", include_in_schema=False)
    async def graph_page(request: Request) -> Response:
        return graph.reply(request, Content_Security_Policy=_POLICY.format("'none'"))

    @api.get("/ingest", include_in_schema=False)
    async def ingest_page(request: Request) -> Response:
        return ingest.reply(request, Content_Security_Policy=_POLICY.format("'none'"))

    @api.get(AUDITOR, include_in_schema=False)
    async def auditor(request: Request) -> Response:
        if not may_open(request, AUDIT):
            raise HTTPException(404)  # as for a path that nobody made
        return auditors.reply(request, Content_Security_Policy=_POLICY.format("'none'"))

    @api.get("/embed", include_in_schema=False)
    async def embedded(request: Request, origin: str = "") -> Response:
        if origin and origin.lower() not in listed_origins(settings):
            return _not_listed(origin)
        return page.reply(request, Content_Security_Policy=_POLICY.format(framed_by))

    @api.get("/embed.js", include_in_schema=False)
    async def embed_script(request: Request) -> Response:
        return embed.reply(request, Cross_Origin_Resource_Policy="cross-origin")

    @api.get("/favicon.ico", include_in_schema=False)
    async def favicon(request: Request) -> Response:
        return files["icon.svg"].reply(request)

    @api.get("/web/{name}", include_in_schema=False)
    async def file(name: str, request: Request) -> Response:
        if name not in files:
            raise NotFound("There is no such file.")
        return files[name].reply(request)


def add_documents(api: FastAPI, brain: Brain, caller_of: Callable[[Request], Caller]) -> None:
    """The documents behind citations, and questions to begin with."""
    examples = Examples()
    refused = errors(401, 403, 404, 421, 422, 503)

    @api.get(
        "/documents/{path:path}", summary="read a document's lines", response_model=DocumentLines, responses=refused
    )
    async def documents(path: str, request: Request, lines: str = "") -> Response:
        """The lines as they were when the document was indexed, 400 at most; `lines` is `12-30`, `12-` or `12`.

        With `Accept: text/plain` the text alone. A document that is not there and one that the caller may not read
        get the same 404 (`not_found`).
        """
        raw = request.scope.get("raw_path", b"").lower()
        if b"%2f" in raw or "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise NotFound("There is no such document, or it is not yours to read.")
        caller, index = caller_of(request), brain.index()
        first, last = lines_asked(lines)
        opened = partial(brain.record.opened, "documents", caller)
        found = await brain.searches.run(lambda: document_lines(index, caller, path, first, last, opened))
        if kind_asked(request, ("application/json", "text/plain")) == "text/plain":
            return PlainTextResponse(found.text, headers={"Vary": "Accept"})
        return JSONResponse(found.model_dump(mode="json"), headers={"Vary": "Accept"})

    @api.get(
        "/examples",
        summary="questions to begin with",
        response_model=ExamplesReply,
        responses=errors(401, 403, 421, 503),
    )
    async def first_questions(request: Request, lang: str = "") -> Response:
        """A few questions made from documents that the caller may read: in `lang` where some are, else in most's."""
        caller, index = caller_of(request), brain.index()

        def work() -> ExamplesReply:
            made = examples.of(index, caller, lang)
            brain.record.opened("examples", caller, [one.origin for one in (*made.examples, *made.topics)])
            return made

        return JSONResponse((await brain.searches.run(work)).model_dump())
