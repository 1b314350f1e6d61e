"""Vectors of the program's own phrases, which questions are compared with: each sync of facts keeps them in the index.

To embed them takes seconds, which every new process would wait for. They come from no document, so they tell nothing.
Who compares questions with phrases says so by `compared`. Knows no question. Try: pytest tests/test_phrases.py
"""

import base64
import contextlib
import hashlib
from collections.abc import Sequence

import numpy as np

from database import Connection, meta, set_meta
from models import Embedder, Vector
from storage.schema import writing

_KEY = "phrases"
LISTS: list[tuple[str, ...]] = []
"""What questions are compared with, as far as modules that do so are loaded."""


def compared(texts: Sequence[str]) -> None:
    """Says that questions are compared with all of these: the next sync keeps their vectors."""
    if (wanted := tuple(texts)) not in LISTS:
        LISTS.append(wanted)


def keep(connection: Connection, model_id: int, embedder: Embedder) -> None:
    """Keeps all lists where one is lacking, in a transaction of its own, if there is any fact. Raises ModelError."""
    if not connection.execute("SELECT EXISTS (SELECT 1 FROM facts)").fetchone()[0]:
        return
    wanted = {_key(model_id, texts): texts for texts in LISTS}
    if all(meta(connection, key) for key in wanted):
        return
    made = {key: embedded(texts, embedder) for key, texts in wanted.items()}
    with writing(connection):
        drop(connection, model_id)  # lists of before
        for key, vectors in made.items():
            set_meta(connection, key, base64.b64encode(vectors.astype("<f4").tobytes()).decode())


def kept(connection: Connection, model_id: int, texts: Sequence[str]) -> Vector | None:
    """A row for each of these texts, by this model; None where they are not there."""
    held = meta(connection, _key(model_id, texts))
    with contextlib.suppress(ValueError):  # of another length, or damaged: made anew
        found = np.frombuffer(base64.b64decode(held or "", validate=True), "<f4")
        return found.reshape(len(texts), -1) if len(found) else None
    return None


def embedded(texts: Sequence[str], embedder: Embedder) -> Vector:
    """A row for each of these texts, of zeros where the model refuses it. Raises ModelError."""
    vectors = embedder.embed_documents(texts)
    width = next((len(one) for one in vectors if one is not None), 0)
    return np.stack([np.zeros(width, np.float32) if one is None else one for one in vectors])


def drop(connection: Connection, model_id: int) -> None:
    """Takes a model's out, inside the caller's transaction."""
    connection.execute("DELETE FROM meta WHERE key LIKE ?", (f"{_KEY}/{model_id}/%",))


def _key(model_id: int, texts: Sequence[str]) -> str:
    return f"{_KEY}/{model_id}/{hashlib.blake2b(repr([*texts]).encode(), digest_size=8).hexdigest()}"
