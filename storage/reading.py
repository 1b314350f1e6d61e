"""The chat model reads facts in prose: after a sync, a call for each text that it has not read, as many as are allowed.

Off unless `BRAIN_READ_FACTS` says how many. What is kept after each call stays, whatever ends it: the next sync goes on
there. A model that is away ends it; what must not be sent to the model is not, nor what gives it orders. Knows
chunks, no question.
Try: BRAIN_READ_FACTS=20 python store.py --sync, then python store.py --runs
"""

import time
from collections.abc import Iterator

from access.egress import border
from config import Settings
from database import lasting
from errors import BadReply, ModelBusy, ModelError, ModelMissing, PromptTooLong
from facts.extractors import prose
from facts.relations import Relations
from models import ChatModel, Message, fenced
from models.calls import Hopeless
from models.orders import gives_orders
from storage.facts import FactShelf
from storage.readings import Outcome, Piece, Reading, Readings, Terms
from storage.report import READING, Progress
from storage.runs import Run
from storage.schema import translated, writing
from store import Store

_AWAY = (Hopeless, ModelMissing, ModelBusy)
"""The text is not to blame, so nothing is noted of it."""


def read_prose(
    store: Store, chat: ChatModel, settings: Settings, relations: Relations, progress: Progress, run: Run
) -> str:
    """Reads what is not read yet, outside of transactions; returns why it ended early, "" where it did not.

    `progress` is called before each call and may end it by what it raises. What was done is counted in `run`.
    Raises StoreError.
    """
    with run.recorded(store), translated(store.path), run.stage("prose"):
        return _Reader(store, chat, settings, relations, run).run(progress)


class _Reader:
    def __init__(self, store: Store, chat: ChatModel, settings: Settings, relations: Relations, run: Run) -> None:
        self.store, self.chat, self.relations, self.summary = store, chat, relations, run.summary
        self.border, self.most = border(settings, chat), settings.read_facts
        self.without: list[int] = []  # chunks that hold no prose
        self.system, self.schema = prose.system(relations), prose.schema(relations)
        self.room = f"{settings.num_predict}/{settings.num_ctx}"
        self.connection = store.connection()
        self.facts = FactShelf(self.connection)
        self.readings = Readings(self.connection, self.facts)

    def run(self, progress: Progress) -> str:
        try:
            terms = Terms(prose.version(self.relations), self.chat.identity.label, self.room)
            for failed in (False, True):  # what could not be read does not stand before what was not tried
                self._read(self.readings.due(terms, failed=failed), terms, progress)
        except ModelError as error:
            return str(error)
        finally:
            if self.without:
                with lasting(self.connection):
                    self.readings.mark(self.without)
        return ""

    def _read(self, pieces: Iterator[Piece], terms: Terms, progress: Progress) -> None:
        for piece in pieces:
            if not prose.is_prose(piece.body, piece.format):
                self.without.append(piece.chunk_id)
                continue
            key = prose.text_key(piece.body)
            known = self.readings.held(key, terms)
            if not known and self.border.holds(piece.path):
                continue  # the same text in a document that may be sent is read there, and holds here as well
            if not known and self.summary.read_anew >= self.most:
                return
            progress(self.summary.read_anew, self.most, READING)
            if not known and gives_orders(piece.path, piece.body):
                self._keep(key, piece, terms, Reading("orders", "[]", 0, None, None, 0.0))
                continue
            self._keep(key, piece, terms, None if known else self._asked(key, piece, terms))

    def _asked(self, key: str, piece: Piece, terms: Terms) -> Reading:
        """What the model says of it. Raises ModelError where it cannot be asked now."""
        messages: list[Message] = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": fenced(piece.body, 'n="1"')},
        ]
        started = time.perf_counter()
        self.summary.read_anew += 1
        self.summary.model_calls += 1
        outcome: Outcome
        try:
            reply = self.chat.chat(messages, self.schema, temperature=0.0)
        except (BadReply, PromptTooLong) as error:
            outcome = "refused" if isinstance(error, PromptTooLong) else "unreadable"
            return self._lost(outcome, started)
        except _AWAY:
            raise
        except ModelError:
            self._keep(key, piece, terms, self._lost("failed", started))
            raise
        try:
            read = prose.understood(reply.text, piece.body, self.relations, piece.lang)
        except prose.NotRead:
            return self._lost("unreadable", started)
        self.summary.read_facts += len(read.statements)
        self.summary.read_dropped += read.dropped
        return Reading(
            "ok" if read.statements else "empty", prose.as_json(read.statements), read.dropped,
            reply.prompt_tokens, reply.reply_tokens, reply.seconds,
        )  # fmt: skip

    def _lost(self, outcome: Outcome, started: float) -> Reading:
        self.summary.unread += 1
        return Reading(outcome, "[]", 0, None, None, time.perf_counter() - started)

    def _keep(self, key: str, piece: Piece, terms: Terms, reading: Reading | None) -> None:
        """One transaction; only what changes facts makes others read the index anew."""
        self.connection = self.store.connection()  # fails where the file is no longer the one that was opened
        with (writing if self.readings.changes(key, reading) else lasting)(self.connection):
            kept = self.readings.keep(key, piece, terms, reading)
        self.summary.read += kept.is_there and (reading is None or reading.was_read)
        self.summary.facts_in += kept.came
        self.summary.facts_out += kept.went
