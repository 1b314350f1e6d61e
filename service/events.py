"""POST /events: a message or a note becomes a document at once; who sent it hears stage by stage what that changed.

It is a file below the folder of events (sources/events.py) before anything else, so the index can be made anew from the
documents; the author is whoever is signed in. Knows how a file is written and brought in, no facts in particular.
Try: BRAIN_EVENTS_DIR=docs/events python server.py, then
    curl -N -d '{"text": "We still use the old portal."}' -H "Content-Type: application/json" 127.0.0.1:8000/events
"""

import hashlib
import logging
from dataclasses import asdict
from datetime import date
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from access import Caller, principal
from access.directory import name_of
from access.identity import IMPERSONATE, WRITE, Identity, caller_of
from answering.events import Event, Tell
from errors import BrainError
from graph.changed import Changes, changes_of, look
from graph.view import View
from models.calls import Stop
from search import Index
from service import logs
from service.admission import allowed
from service.brain import Brain
from service.replies import kind_asked
from service.shapes import errors, storable
from service.stream import HEARTBEAT_SECONDS, Stream
from sources.events import MOST_LABEL, MOST_READERS, MOST_TEXT, EventsOff, Folder, NotWritten, event_of
from sources.events import Event as Written
from storage.facts import FactReader
from storage.filter import Filter
from storage.reader import Reader
from storage.runs import Run
from storage.schema import translated

WAIT_SECONDS = 60.0
"""How long an event waits for a sync that is at work."""
_EXAMPLE: dict[str, JsonValue] = {
    "text": "Decided with Ben: plan-store stays with Bedrock.", "channel": "platform", "at": "2026-11-30T09:15:00Z",
    "access": ["group:engineering"],
}  # fmt: skip
_Label = Annotated[str, Field(max_length=MOST_LABEL), AfterValidator(storable)]
_Principal = Annotated[str, Field(max_length=MOST_LABEL + 10), AfterValidator(storable)]


class EventRefused(BrainError):
    """What was sent is no event, or one that the index cannot hold."""

    code = "event_refused"
    http_status = 422


class EventKept(BrainError):
    """The event is on the disk, and what came after failed."""

    code = "event_kept"
    http_status = 503


class Wish(BaseModel):
    """What /events takes."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _EXAMPLE})

    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT), AfterValidator(storable)]
    kind: Literal["message", "note"] = Field("message", description='"note" is Markdown, with headings')
    channel: _Label = Field("", description="where it was said")
    thread: _Label = Field("", description="what it belongs to there")
    at: _Label = Field("", description="ISO day, or day and time; now where it is left out")
    access: list[_Principal] = Field(
        [],
        max_length=MOST_READERS,
        description="principals that may read it besides its author",
    )
    author: _Principal = Field("", description="a principal; for who holds the scope `impersonate`, else who sends it")
    name: _Label = Field("", description="the author's, for people; for who holds that scope")


class Changed(BaseModel):
    """What the event changed, as its author may see it."""

    model_config = ConfigDict(extra="forbid")

    facts: list[dict[str, Any]] = Field(description="facts that came with it, each with its words")
    ended: list[dict[str, Any]] = Field(description="facts that hold no more since")
    conflicts: list[list[dict[str, Any]]] = Field(description="facts that cannot hold together")


class Taken(BaseModel):
    """What /events returns: the event as it is written, and what it changed."""

    model_config = ConfigDict(extra="forbid")

    id: str
    path: str = Field(description="of its document")
    kind: str
    author: str
    name: str
    channel: str
    thread: str
    at: str
    access: list[str]
    deduplicated: bool = Field(description="it was there already, so nothing was written")
    stages: dict[str, float] = Field(description="seconds of each")
    counts: dict[str, int] = Field(description="documents, statements, things, embedded texts and calls of a model")
    changed: Changed


class Staged(Event):
    """A stage has ended."""

    name: ClassVar[str] = "stage"

    stage: str
    seconds: float


class Told(Event):
    """What changed."""

    name: ClassVar[str] = "changed"

    changed: Changed

    def data(self) -> dict[str, Any]:
        """The changes themselves."""
        return self.changed.model_dump(mode="json")


def add_events(api: FastAPI, brain: Brain, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
    """Adds the route."""
    refused = errors(400, 401, 403, 408, 413, 415, 421, 422, 503)
    told: dict[int | str, dict[str, Any]] = {
        200: {"model": Taken, "content": {Stream.media_type: {}}, "description": "see manual/http.md"}
    }

    @api.post("/events", summary="send a message or a note", response_model=Taken, responses={**refused, **told})
    async def events(wish: Wish, request: Request) -> Response:
        """Writes it as a document, brings that into the index, and tells what changed.

        As server-sent events: `stage` after each stage, `changed`, at last `event` or `error`; with
        `Accept: application/json` the data of `event` alone. The same event twice is one. Needs the scope `write`.
        """
        identity = allowed(request, WRITE)
        folder = _folder(brain)
        if wish.name or wish.author:
            _may_name(identity, wish)
        work = partial(_taken, brain, folder, identity, wish)
        if kind_asked(request, (Stream.media_type, "application/json")) == "application/json":
            return JSONResponse(await brain.events.run(partial(work, lambda event: None, Stop())))
        return await Stream(brain.events, work, heartbeat_seconds, last="event").begin(request.receive)


def _folder(brain: Brain) -> Folder:
    settings = brain.settings
    if settings.events_dir is None:
        raise EventsOff(
            "POST /events is off. Set BRAIN_EVENTS_DIR to a folder of its own below the documents' folder "
            f"({settings.docs_dir.name}/events) and restart the server."
        )
    return Folder(settings.docs_dir, settings.events_dir)


def _may_name(identity: Identity, wish: Wish) -> None:
    """Raises NotAllowed where somebody else is named as the author without the right to."""
    if wish.name or wish.author.strip() != identity.caller.id:
        identity.need(IMPERSONATE)


def _taken(brain: Brain, folder: Folder, identity: Identity, wish: Wish, tell: Tell, stop: Stop) -> dict[str, Any]:
    """The whole event; runs in the thread of the line."""
    index = brain.index()
    event, author = _made(index, identity, wish)
    path = f"{folder.below}/{event.path}"
    run = Run("event", identity.caller.id, lambda stage, seconds: tell(Staged(stage=stage, seconds=round(seconds, 4))))
    try:
        with run.recorded(index.store), index.alone(WAIT_SECONDS):  # before a sync can see the file and tell of nothing
            stop.check()
            with run.stage("write"):
                is_new = folder.write(event)
            changes = _brought(index, folder, event, author, run, is_new)
    except BrainError as error:
        if "write" not in run.stages or isinstance(error, NotWritten | EventRefused):
            raise
        raise EventKept(  # nothing takes the file away, and every later sync sees it
            f"The event is written into {folder.below}, and not in the index yet: {str(error).rstrip('.')}. The next "
            "sync takes it in; to send it again does no harm."
        ) from error
    changed = Changed(**asdict(changes))
    tell(Told(changed=changed))
    stages = {name: round(seconds, 4) for name, seconds in run.stages.items()}
    logs.event(logging.INFO, "event", {"id": event.id, "caller": identity.caller.id, "new": is_new, "seconds": stages})
    return Taken(
        id=event.id, path=path, kind=event.kind, author=event.author, name=event.name, channel=event.channel,
        thread=event.thread, at=event.at, access=[*event.access], deduplicated=not is_new, stages=stages,
        counts=run.counts(), changed=changed,
    ).model_dump(mode="json")  # fmt: skip


def _made(index: Index, identity: Identity, wish: Wish) -> tuple[Written, Caller]:
    """The event, and its author as who is told what it changed."""
    connection, caller = index.store.connection(), identity.caller
    try:
        author = principal(wish.author) if wish.author else caller.id
        if not author.startswith(("user:", "agent:")):
            raise ValueError(f"author: {author} is nobody who writes; name user:NAME or agent:NAME")
        readers = [*wish.access, *([caller.person] if caller.person and author == caller.id else [])]
        with translated(index.store.path):
            name = wish.name or _on_a_line(name_of(connection, author))
            as_whom = caller if author == caller.id else caller_of(connection, author)
        made = event_of(
            wish.text, author=author, name=name, kind=wish.kind, channel=wish.channel, thread=wish.thread, at=wish.at,
            readers=readers,
        )  # fmt: skip
    except ValueError as error:
        raise EventRefused(f"{str(error).rstrip('.')}. See /docs") from error
    return made, as_whom


def _on_a_line(name: str) -> str:
    """A name of the directory, which may hold anything."""
    return "".join(char if char.isprintable() else " " for char in name)[:MOST_LABEL].strip()


def _is_held(index: Index, folder: Folder, event: Written, path: str) -> bool:
    """Whether the index holds the document as its file is now: then nothing is left to do, and no model is asked."""
    with translated(index.store.path):
        row = index.store.connection().execute("SELECT sha256 FROM documents WHERE path = ?", (path,)).fetchone()
    return row is not None and row[0] == hashlib.sha256(folder.read(event)).hexdigest()


def _brought(index: Index, folder: Folder, event: Written, author: Caller, run: Run, is_new: bool) -> Changes:
    """Brings the file into the index, if it is not there as it is, and finds out what that changed."""
    path = f"{folder.below}/{event.path}"
    if is_new or not _is_held(index, folder, event, path):
        index.sync_some([path], run)
        if reason := dict(run.summary.skipped).get(path):
            _take_back(index, folder, event, path, is_new)
            raise EventRefused(f"The event cannot be taken in: its text {reason}.")
        if not _is_held(index, folder, event, path):
            _take_back(index, folder, event, path, is_new)
            raise NotWritten(
                f"{folder.below} is passed by: a .gitignore or .brainignore names it. Name another folder."
            )
    with run.stage("change"):  # another process may have brought it in: it is new all the same
        return _changes(index, author, path) if is_new or run.summary.wrote else Changes()


def _take_back(index: Index, folder: Folder, event: Written, path: str, is_new: bool) -> None:
    if is_new:
        folder.take_back(event)
        index.sync_some([path], Run())


def _changes(index: Index, author: Caller, path: str) -> Changes:
    """As the author may see it: the index now beside the index without this document."""
    today = date.today().isoformat()

    def view(reader: Reader) -> View:
        return View(FactReader(reader), index.relations, today, same=index.aliases)

    with index.store.reader(author) as reader:
        after = look(view(reader), path)
    with index.store.reader(author, 0, Filter(without=(path,))) as reader:
        return changes_of(look(view(reader), path, after), after)
