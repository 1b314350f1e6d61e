"""Who embeds the questions of an index: the model of the settings, or the former one until the new one is complete.

An index filled with one model goes on answering with it while another is filled beside. Knows no ranking and no limit.
Try: BRAIN_EMBED_MODEL=use python search.py "parental leave", then python store.py --status
"""

import threading
import time
from dataclasses import dataclass

from config import Settings
from models import Embedder, ModelIdentity, is_there, named
from storage import moving
from storage.schema import translated
from store import Store

NEARLY = 0.05
"""A model that was complete once still answers where it lacks no more of the passages than this share."""
_RECHECK_SECONDS = 30.0  # whether the former model can be had
_TOLD_SECONDS = 1.0  # how old the count of what is lacking may be: a million passages take a second to count


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers now."""

    embedder: Embedder | None  # None: words alone
    model_id: int
    moving: str = ""  # what to tell whoever asks while another model is filled


@dataclass(frozen=True, slots=True)
class _Had:
    embedder: Embedder | None
    until: float


class Choice:
    """Chooses who answers over one index; safe to use from several threads."""

    def __init__(self, store: Store, settings: Settings, wanted: Embedder | None) -> None:
        self._store, self._settings, self._wanted = store, settings, wanted
        self._lock = threading.Lock()
        self._had: dict[int, _Had] = {}
        self._counted = 0.0, 0, 0  # until when, the model, what it lacks

    def now(self) -> Answering:
        """Who answers at this moment. Raises ModelError when the settings' model is away, StoreError."""
        wanted = self._wanted
        if wanted is None:
            return Answering(None, 0)
        model_id = self._store.register(wanted)
        with translated(self._store.path):
            held = moving.answering(self._store.connection())
        if not held or held[0] == model_id or self._is_good(model_id, model_id in held):
            return Answering(wanted, model_id)
        for other in held:
            if other != model_id and (former := self._former(other, wanted.identity.backend)):
                return Answering(former, other, _told(f"with {_name(former, wanted)}", wanted))
        return Answering(None, 0, _told("by words alone, the former model cannot be had,", wanted))

    def settle(self) -> None:
        """Lets the settings' model answer from now on if its vectors are complete. Raises ModelError, StoreError."""
        if self._wanted is not None:
            model_id = self._store.register(self._wanted)
            with translated(self._store.path):
                moving.settle(self._store.connection(), model_id, units=self._wanted.embeds_units)

    def unused(self) -> list[int]:
        """The models whose vectors answer nothing: not the one that answers, nor the settings' own.

        Raises ModelError, StoreError.
        """
        used = {self.now().model_id, self._store.register(self._wanted)} if self._wanted else set()
        with translated(self._store.path):
            held = moving.answering(self._store.connection())
            found = [row[0] for row in self._store.connection().execute("SELECT id FROM models ORDER BY id")]
        return [model_id for model_id in found if model_id not in used | set(held[:1])]

    def _is_good(self, model_id: int, was_complete: bool) -> bool:
        lacks = self._lacking(model_id)
        if was_complete:
            return lacks <= NEARLY * self._store.chunk_count()
        if lacks or self._wanted is None:
            return False
        with translated(self._store.path):
            return moving.is_complete(self._store.connection(), model_id, units=self._wanted.embeds_units)

    def _lacking(self, model_id: int) -> int:
        with self._lock:
            until, counted, lacks = self._counted
        if counted == model_id and time.monotonic() < until:
            return lacks
        started = time.monotonic()
        with translated(self._store.path):
            lacks = moving.lacking(self._store.connection(), model_id)
        ended = time.monotonic()
        with self._lock:
            self._counted = ended + max(_TOLD_SECONDS, 20 * (ended - started)), model_id, lacks
        return lacks

    def _former(self, model_id: int, backend: str) -> Embedder | None:
        """The embedder whose vectors these are, None where it cannot be had on the backend in use."""
        with self._lock:
            had = self._had.get(model_id)
            if had is None or had.until < time.monotonic():
                embedder = had.embedder if had else None
                if embedder is None or not is_there(embedder):
                    embedder = self._found(model_id, backend)
                had = self._had[model_id] = _Had(embedder, time.monotonic() + _RECHECK_SECONDS)
            return had.embedder

    def _found(self, model_id: int, backend: str) -> Embedder | None:
        with translated(self._store.path):
            columns = "backend, name, digest, dimension, prompt_version"
            row = self._store.connection().execute(f"SELECT {columns} FROM models WHERE id = ?", (model_id,)).fetchone()
        if row is None or row[0] != backend:
            return None
        embedder = named(self._settings, ModelIdentity(*row))
        return embedder if embedder and self._store.known(embedder) == model_id else None


def _told(who: str, wanted: Embedder) -> str:
    """Without a count: it stands in replies, and how many passages there are is not for every caller."""
    return f"answered {who} until {wanted.identity.backend}/{wanted.identity.name} is complete"


def _name(former: Embedder, wanted: Embedder) -> str:
    old, new = former.identity, wanted.identity
    return old.label if old.name == new.name else f"{old.backend}/{old.name}"
