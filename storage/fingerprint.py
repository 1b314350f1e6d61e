"""By what one embedding model is told from another of the same name: the vectors it makes of three fixed texts.

Knows rows of `models` and an embedder, no documents. Try: python store.py --status
"""

import numpy as np

from database import Connection
from models import Embedder, ModelIdentity, Vector
from storage import moving

PROBES = ("annual leave of new staff", "The nightly backup starts at 03:15.", "出差报销需要在三十天内提交")
"""Fixed texts whose vectors tell one model from another of the same name."""
SAME_MODEL = 0.999
"""A probe's cosine below this to the stored one is another model."""


def probes_of(embedder: Embedder) -> Vector:
    """The fixed texts' vectors one after another; fewer where the model refuses some. Raises ModelError."""
    probes = [vector for vector in embedder.embed_documents(PROBES) if vector is not None]
    return np.concatenate(probes) if probes else np.empty(0, np.float32)


def found(connection: Connection, identity: ModelIdentity, probes: Vector) -> tuple[int, bytes] | None:
    """The id of the model of this name whose stored probes these are, with those; None for one that is new."""
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


def insert(connection: Connection, identity: ModelIdentity, probes: Vector) -> tuple[int, bytes]:
    """Writes a new model down, inside a transaction; its id and probes."""
    columns = (identity.backend, identity.name, identity.digest, identity.dimension, identity.prompt_version)
    number, blob = moving.next_model(connection), probes.astype("<f4").tobytes()
    connection.execute(
        "INSERT INTO models (id, backend, name, digest, dimension, prompt_version, probes) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *columns, blob),
    )
    return number, blob


def is_still(connection: Connection, held: tuple[int, bytes]) -> bool:
    """Whether this id is that model's; after a restore the number may be another's."""
    return connection.execute("SELECT 1 FROM models WHERE id = ? AND probes = ?", held).fetchone() is not None


def _least_cosine(stored: Vector, probes: Vector, dimension: int) -> float:
    if not len(probes):
        return 1.0  # a model that refuses all probes is told by its name alone
    return float((stored.reshape(-1, dimension) * probes.reshape(-1, dimension)).sum(axis=1).min())
