"""Every error the product raises on purpose. A message says what, where, and the command that helps.

BrainError
├── UsageError            wrong use: a flag, a setting, an empty question
│   └── IndexMismatch     the database belongs to another docs root
├── Refused               whoever asks is not let in, or may not do this
├── SourceError           the documents cannot be listed
├── StoreError            the database cannot be used
│   ├── StoreBusy         another process holds it
│   └── NotRecorded       the audit log cannot be written, so nothing is told
├── Stopped               whoever asked is gone
└── ModelError            a model cannot answer now
    ├── ModelMissing      the server has no such model
    ├── ModelBusy         the server or our own queue is full
    ├── PromptTooLong     the prompt does not fit the model's window
    └── BadReply          the model's reply is broken, empty or cut

The server adds NotReady, Stopping, UnknownAnswer, NotFound, WrongLines, EventRefused and EventKept (service/); sources/
adds EventsOff and NotWritten; access/ adds Unauthenticated,
NotAllowed, ForgedHeader, HeaderTooLarge and UnknownPerson, which are Refused, and KeysUnavailable. The command line
exits with `exit_code`; the server answers with `http_status` and `code`.
"""


class BrainError(Exception):
    """Base of the family; its text is meant for people."""

    code = "error"
    exit_code = 2
    http_status = 500


class UsageError(BrainError):
    """A flag, a setting or a request is wrong."""

    code = "usage"
    http_status = 400


class IndexMismatch(UsageError):
    """The database holds another folder of documents than the one asked for."""

    code = "index_mismatch"
    http_status = 409


class Refused(BrainError):
    """Whoever asks is not let in, or may not do this.

    Beside the text stands what the audit log alone is told: a reason code, the credential ("token:ID"), whose it is and
    for whom an agent came, each "" where that is not known.
    """

    code = "refused"
    http_status = 403

    def __init__(self, told: str, *, reason: str = "", credential: str = "", whose: str = "") -> None:
        super().__init__(told)
        self.reason, self.credential, self.whose, self.person = reason or self.code, credential, whose, ""


class SourceError(BrainError):
    """The documents' root is missing, unreadable, or suddenly empty."""

    code = "source"
    http_status = 503


class StoreError(BrainError):
    """The database cannot be opened, read or written."""

    code = "store"
    http_status = 503


class StoreBusy(StoreError):
    """Another process is syncing this database, or has locked its file for too long."""

    code = "store_busy"


class NotRecorded(StoreError):
    """What was asked cannot be written into the audit log, so it is not told."""

    code = "not_recorded"


class Stopped(BrainError):
    """The question was withdrawn while it was at work."""

    code = "stopped"
    http_status = 503


class ModelError(BrainError):
    """A model backend is unavailable or failed."""

    code = "model_unavailable"
    exit_code = 3
    http_status = 503


class ModelMissing(ModelError):
    """The model server runs but has no model of that name."""

    code = "model_missing"


class ModelBusy(ModelError):
    """More questions wait for the model than may."""

    code = "busy"


class PromptTooLong(ModelError):
    """The prompt is longer than the model's window; fewer passages may fit."""

    code = "prompt_too_long"


class BadReply(ModelError):
    """The model replied, but not with something that can be used."""

    code = "bad_reply"
