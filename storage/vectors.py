"""The rows of one model's vectors in a sync, and the texts of restricted documents, which an outside model is not sent.

Those are stored without a vector and found by words alone, like a text that the model refuses. Knows rows and the
border, no model. Try: pytest tests/test_egress.py
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from access.egress import RESTRICTED, SETTING, Border
from access.sources import source_of
from database import Connection, meta, set_meta
from models import Vector
from sources import Entry

Texts = dict[bytes, str | None]
"""What is to be embedded, by hash; None where it must not be sent."""
_FLOAT = np.dtype("<f4")
_AT_ONCE = 256
_OF_ANY = "model_id IN (SELECT id FROM models) AND vector IS NULL"  # by the index, which begins with the model


def stored(connection: Connection, model_id: int, keys: Iterable[bytes]) -> dict[bytes, Vector | None]:
    """What the index holds of a model for these hashes; None for a text that has no vector of it."""
    held: dict[bytes, Vector | None] = {}
    waiting = list(keys)
    for start in range(0, len(waiting), _AT_ONCE):
        some = waiting[start : start + _AT_ONCE]
        rows = connection.execute(
            f"SELECT text_hash, vector FROM vectors WHERE model_id = ? AND text_hash IN ({','.join('?' * len(some))})",
            (model_id, *some),
        )
        held |= {key: None if blob is None else np.frombuffer(blob, _FLOAT) for key, blob in rows}
    return held


def insert(connection: Connection, model_id: int, made: Iterable[tuple[bytes, Vector | None]]) -> None:
    """Stores vectors by hash; one that is there already stays."""
    connection.executemany(
        "INSERT INTO vectors (model_id, text_hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(model_id, key, None if v is None else v.astype(_FLOAT, copy=False).tobytes()) for key, v in made],
    )


def sendable(border: Border, path: str, texts: Iterable[Mapping[bytes, str]]) -> Texts:
    """All texts of one document, None for each where the document is held back."""
    held = border.holds(path)
    return {key: None if held else text for some in texts for key, text in some.items()}


def together(documents: Iterable[Texts]) -> Texts:
    """The texts of all of them: one that also stands in a document that may be sent may be sent."""
    found: Texts = {}
    for texts in documents:
        found |= {key: text for key, text in texts.items() if text is not None or key not in found}
    return found


def freed(connection: Connection, texts: Texts) -> list[bytes]:
    """Those that may be sent and have no vector of some model: a restricted document had them first, or it refused."""
    held: list[bytes] = []
    waiting = [key for key, text in texts.items() if text is not None]
    for start in range(0, len(waiting), _AT_ONCE):
        some = waiting[start : start + _AT_ONCE]
        among = f"text_hash IN ({','.join('?' * len(some))})"
        rows = connection.execute(f"SELECT DISTINCT text_hash FROM vectors WHERE {_OF_ANY} AND {among}", some)
        held += (key for (key,) in rows)
    return held


def forget(connection: Connection, keys: Iterable[bytes]) -> None:
    """Lets texts that have no vector of a model be given to it once more."""
    connection.executemany(f"DELETE FROM vectors WHERE {_OF_ANY} AND text_hash = ?", [(key,) for key in keys])


def forget_all(connection: Connection, model_id: int) -> None:
    """The same for every text that has no vector of this model."""
    connection.execute("DELETE FROM vectors WHERE model_id = ? AND vector IS NULL", (model_id,))


def is_other(connection: Connection, model_id: int, border: Border) -> bool:
    """Whether other documents were held back from the model until now: settings have changed since."""
    return (meta(connection, _key(model_id)) or "") != _terms(border)


def note(connection: Connection, model_id: int, border: Border) -> None:
    """Notes what is held back from the model from now on."""
    set_meta(connection, _key(model_id), _terms(border))


def told(connection: Connection, model_id: int, border: Border, entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """For people, a line a source: its folder, and how many of its documents have no vector."""
    counts: Counter[str] = Counter()
    for entry in entries if border.host else ():
        source = source_of(border.sources, entry.path)
        if source.sensitivity == RESTRICTED:
            counts[source.path] += _lacks(connection, model_id, entry.path)
    where = f"the embedding model's host {border.host} is not in {SETTING}"
    return [
        (f"{path or '.'}/", f"is restricted and {where}: {count} document{'s' * (count > 1)} found by words alone")
        for path, count in sorted(counts.items())
        if count
    ]


def _lacks(connection: Connection, model_id: int, path: str) -> int:
    (lacks,) = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM documents d JOIN chunks c ON c.document_id = d.id "
        "JOIN vectors v ON v.model_id = ? AND v.text_hash = c.text_hash WHERE d.path = ? AND v.vector IS NULL)",
        (model_id, path),
    ).fetchone()
    return int(lacks)


def _key(model_id: int) -> str:
    return f"held_back_from_{model_id}"


def _terms(border: Border) -> str:
    if not border.host:
        return ""
    return repr([(one.path, one.sensitivity == RESTRICTED) for one in border.sources])
