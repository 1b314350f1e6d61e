"""The shapes of requests and replies beside Answer: what is refused by form, and what /docs shows.

Knows no routes and no search. Try: http://127.0.0.1:8000/docs
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, StrictInt, model_validator

from answer import MOST_QUESTION_CHARS, Limit
from answering.history import MOST_TURN_CHARS, MOST_TURNS, Turn
from errors import UsageError
from storage.filter import Filter, filter_of

MOST_NOTE_CHARS = 2000


def usable(text: str) -> str:
    """A question without the white space around it. Raises ValueError for one that is empty, too long or unstorable."""
    text = storable(text.strip())
    if not 1 <= len(text) <= MOST_QUESTION_CHARS:
        if not text:
            raise ValueError(f"is empty; 1 to {MOST_QUESTION_CHARS} characters are needed")
        raise ValueError(f"has {len(text)} characters without the space around it, not 1 to {MOST_QUESTION_CHARS}")
    return text


def storable(text: str) -> str:
    """The text itself. Raises ValueError where it holds what no document can."""
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("holds a NUL character or half of a surrogate pair, which no document can")
    return text


def _short_note(text: str) -> str:
    text = storable(text.strip())
    if len(text) > MOST_NOTE_CHARS:
        raise ValueError(f"has {len(text)} characters without the space around it, at most {MOST_NOTE_CHARS} may be")
    return text


_Text = Annotated[
    str,
    AfterValidator(usable),
    Field(json_schema_extra={"minLength": 1, "maxLength": MOST_QUESTION_CHARS}, description="white space trimmed"),
]
_Day = Annotated[
    str | None,
    Field(
        description="documents dated so: 2026, 2026-03 or 2026-03-01; by what the document states, else its file's time"
    ),
]
_Path = Annotated[str | None, Field(max_length=500, description="a document, a folder, or a pattern with * and ?")]
_QUESTION: dict[str, JsonValue] = {"text": "How many vacation days do I get after one year?"}
_FEEDBACK: dict[str, JsonValue] = {
    "answer": "1f0e6c2b9a7d4c4f8e35d0a1b2c3d4e5",
    "verdict": "wrong",
    "note": "It is 30 days since May.",
}
_QUERY: dict[str, JsonValue] = {"text": "parental leave", "k": 5}


class _Narrowed(BaseModel):
    text: _Text
    since: _Day = None
    until: _Day = None
    path: _Path = None

    def wanted(self) -> Filter:
        """The documents asked for."""
        return filter_of(self.since, self.until, self.path)

    @model_validator(mode="after")
    def _can_be_filtered(self) -> Self:
        try:
            self.wanted()
        except UsageError as error:
            raise ValueError(str(error)) from error
        return self


class Before(BaseModel):
    """A turn of the conversation: what was asked, and the answer's text."""

    model_config = ConfigDict(extra="forbid")

    question: _Text
    answer: Annotated[str, Field(max_length=MOST_TURN_CHARS), AfterValidator(storable)]


class Question(_Narrowed):
    """What /ask and /ask/stream take."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _QUESTION})

    history: list[Before] = Field(
        [], max_length=MOST_TURNS, description="the last turns, oldest first, that `text` may point back to"
    )

    verify: Literal["rules", "rules+model"] | None = Field(
        None, description="who checks a written answer, by default the setting BRAIN_VERIFY"
    )

    def turns(self) -> list[Turn]:
        """The turns before it."""
        return [Turn(turn.question, turn.answer) for turn in self.history]


class Query(_Narrowed):
    """What /search takes."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _QUERY})

    k: StrictInt | None = Field(None, ge=1, le=50, description="passages looked at, by default the setting BRAIN_K")


class Feedback(BaseModel):
    """What /feedback takes: what the person who asked says of the answer."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _FEEDBACK})

    answer: str = Field(min_length=1, max_length=100, description="the `id` of the answer")
    verdict: Literal["right", "wrong", "should_be_found"] = Field(
        description='"should_be_found": the documents ought to tell this and do not'
    )
    note: Annotated[str, AfterValidator(_short_note), Field(json_schema_extra={"maxLength": MOST_NOTE_CHARS})] = ""


class Stored(BaseModel):
    """What /feedback returns once the judgement is on the disk."""

    stored: Literal[True] = True


class ErrorReply(BaseModel):
    """Every error: a code for programs, a sentence for people."""

    code: str
    detail: str


class Hit(BaseModel):
    """A passage that was looked at; `score` is the cosine, `passed_by` "vector", "keywords" or "" below the limit."""

    model_config = ConfigDict(extra="forbid")

    source: str
    lines: str
    place: str = Field(description="p12-13, slide 4, Budget!A1:D9: where the file has no lines of its own, else empty")
    also: list[str] = Field(description="path:lines or path:place where the same words stand, too")
    dated: str = Field(description="ISO date that the document states, empty where it states none")
    modified: str = Field(description="when its file was last changed: UTC, ISO 8601")
    heading: str
    text: str
    score: float | None
    coverage: float
    keywords: float
    fused: float
    gave: dict[str, float] = Field(description="what `fused` is the sum of")
    vector_rank: int | None
    keyword_rank: int | None
    judged: float | None = Field(description="by the second look, 0 to 1; null without one")
    passed: bool
    passed_by: str


class TimeAsked(BaseModel):
    """Documents of these dates, ends included, or the newest, stand first; `said` are the question's words."""

    since: str | None
    until: str | None
    newest: bool
    said: str


class SearchReply(BaseModel):
    """What /search returns, best hit first."""

    model_config = ConfigDict(extra="forbid")

    lang: str
    words: list[str]
    second_look: str = Field(description="why there was none although the setting asks for it, else empty")
    time: TimeAsked | None = Field(description="the time that the question's words ask for")
    limit: Limit
    confidence: float | None
    hits: list[Hit]


class Change(BaseModel):
    """What the last sync that changed something did, in documents."""

    model_config = ConfigDict(extra="forbid")

    time: str = Field(description="UTC, ISO 8601")
    added: int
    changed: int
    removed: int


class SyncState(BaseModel):
    """How it stands with the syncs: the first one, and those that follow the documents while questions are answered."""

    model_config = ConfigDict(extra="forbid")

    state: str = Field(
        description='"idle", "waiting" (one that was asked for is about to begin), "syncing", '
        "or the code of the error that ended the last one"
    )
    done: int = Field(description="documents of the sync that runs or ran last")
    total: int
    left_out: int = Field(description="files it could not use, empty ones aside")
    last: str | None = Field(description="when the documents were last found up to date or made so, UTC, ISO 8601")
    age_seconds: float | None = Field(description="the same, as seconds until now")
    last_change: Change | None


class SyncWish(BaseModel):
    """What /sync takes; the body may be left out."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"wait": True}})

    wait: bool = Field(False, description="reply when the sync has ended, or after a minute")


class SyncReply(SyncState):
    """What /sync returns: the state, and with `wait` what the sync did."""

    did: dict[str, int] | None = Field(
        None, description="documents `added`, `changed`, `removed`, `unchanged` and files `left_out` by this sync"
    )


class Readiness(BaseModel):
    """What /readyz returns, ready or not; some fields are there once the index is open, and for the scope `operate`."""

    model_config = ConfigDict(extra="forbid")

    ready: bool
    code: str = Field(
        description='"ready", "opening", "syncing", "measuring", "loading", or the code of the error in the way'
    )
    detail: str
    answers: bool = Field(description="questions are answered now, perhaps from an earlier run's documents")
    sync: SyncState | None = None
    open: bool
    warning: str = Field(description="what being open means, else empty")
    documents: int | None = None
    chunks: int | None = None
    last_indexed: str | None = Field(None, description="when a document was last read in, ISO 8601")
    passes: dict[str, dict[str, str]] | None = Field(
        None, description="of each source and directory: when it was last gone through as a whole, and what failed"
    )
    notice: str = Field("", description="which model is missing and the command that changes it")
    limit: Limit | None = None
    measured: dict[str, Any] | None = Field(None, description="when, on what and how the limit was measured")
    model: str = ""
    audits: bool = Field(False, description="whoever asks may read the audit log, for people at /auditor")
    writes: bool = Field(False, description="whoever asks may send messages (POST /events), for people at /ingest")
    events: bool = Field(False, description="messages are taken here at all")


WHEN = {
    400: "the body is no JSON (`invalid_json`)",
    401: "no credentials, or some that do not hold (`unauthenticated`; of /sync where nobody signs in `unauthorised`)",
    403: "the page's origin is not listed (`origin_not_allowed`, `cross_site`), the server not open (`not_open`), the "
    "scope is missing (`not_allowed`), the directory does not know the person (`unknown_person`), a header is not the "
    "sender's to send (`forged_header`), or the endpoint is off (`sync_off`, `events_off`)",
    404: "no such document or answer, or none that is the caller's (`not_found`, `unknown_answer`)",
    408: "the body did not arrive in time (`invalid_request`)",
    413: "the body is too large (`too_large`)",
    415: "the content type is not application/json (`unsupported_media_type`)",
    421: "the Host is not a name of this server (`host_not_allowed`)",
    422: "a field is missing, unknown or wrong (`invalid_request`), or the event cannot be indexed (`event_refused`)",
    503: "not ready, too many at once, a model away or the index file unusable (`not_ready`, `busy`, "
    "`model_unavailable`, `store`), the folder of events too (`events_folder`), or an event waits for the next sync "
    "(`event_kept`); see Retry-After",
}
"""What each status says, with the codes it comes with."""


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The error replies of an endpoint, for its OpenAPI description."""
    return {code: {"model": ErrorReply, "description": WHEN[code]} for code in codes}
