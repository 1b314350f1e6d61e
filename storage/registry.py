"""Which models an index has vectors of: told apart by name and digest, and by the vectors of three fixed texts.

Knows the table of models and one connection. Try: python store.py --status
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from database import Connection
from models import Embedder, ModelIdentity, Vector
from storage import moving

PROBES = ("annual leave of new staff", "The nightly backup starts at 03:15.", "出差报销需要在三十天内提交")
"""Fixed texts whose vectors tell one model from another of the same name."""
SAME_MODEL = 0.999
"""A probe's cosine below this to the stored one is another model."""
Registered = tuple[int, bytes]
"""The id under which a model's vectors stand, and its probes as they are stored."""


def probes_of(embedder: Embedder) -> Vector:
    """The vectors of the fixed texts, one behind the other; empty where the model refuses them. Raises ModelError."""
    probes = [vector for vector in embedder.embed_documents(PROBES) if vector is not None]
    return np.concatenate(probes) if probes else np.empty(0, np.float32)


def registered(connection: Connection, identity: ModelIdentity, probes: Vector) -> Registered | None:
    """The model of this name whose probes are these, None when there is none."""
    rows = connection.execute(
        "SELECT id, probes FROM models WHERE backend = ? AND name = ? AND digest = ? AND dimension = ? "
        "AND prompt_version = ? ORDER BY id DESC",
        (identity.backend, identity.name, identity.digest, identity.dimension, identity.prompt_version),
    )
    for model_id, blob in rows:
        stored = np.frombuffer(blob, "<f4")
        if stored.shape == probes.shape and _least_cosine(stored, probes, identity.dimension) >= SAME_MODEL:
            return int(model_id), blob
    return None


def insert(connection: Connection, identity: ModelIdentity, probes: Vector) -> Registered:
    """A new row for this model, inside the caller's transaction."""
    columns = (identity.backend, identity.name, identity.digest, identity.dimension, identity.prompt_version)
    number, blob = moving.next_model(connection), probes.astype("<f4").tobytes()
    connection.execute(
        "INSERT INTO models (id, backend, name, digest, dimension, prompt_version, probes) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *columns, blob),
    )
    return number, blob


def status(connection: Connection, row: Sequence[Any], held: Sequence[int]) -> dict[str, Any]:
    """A row of `models` for people: identity, vectors, what is refused and missing, whether it answers (`held`)."""
    model_id, backend, name, digest, dimension, *_ = row
    filled, refused = connection.execute(
        "SELECT count(vector), count(*) - count(vector) FROM vectors WHERE model_id = ?", (model_id,)
    ).fetchone()  # fmt: skip
    missing = moving.lacking(connection, model_id)
    state = "answers" if held[:1] == (model_id,) else "answered before" if model_id in held else "not complete yet"
    return {
        "id": model_id, "backend": backend, "name": name, "digest": digest, "dimension": dimension,
        "vectors": filled, "refused": refused, "missing": missing, "state": state,
    }  # fmt: skip


def _least_cosine(stored: Vector, probes: Vector, dimension: int) -> float:
    if not len(probes):
        return 1.0  # a model that refuses all probes is told by its name alone
    return float((stored.reshape(-1, dimension) * probes.reshape(-1, dimension)).sum(axis=1).min())
