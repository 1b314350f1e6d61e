"""Which model's vectors answer, and how far those of another one are: a row in `meta`, and what is counted.

The row `answering` names every model whose vectors have been complete, the one that answers first. Another one is
filled beside it and takes the first place in one step. Knows rows only; search.py decides by them who answers.
Try: python store.py --status
"""

from collections.abc import Iterable

from database import Connection, is_sqlite, meta, set_meta
from storage import phrases
from storage.schema import writing

_KEY = "answering"
_HIGHEST = "highest_model"  # the highest number that a dropped model had: none is ever given twice


def answering(connection: Connection) -> tuple[int, ...]:
    """The models whose vectors have been complete, the one that answers first; none before the first sync has ended."""
    held = meta(connection, _KEY)
    if held is not None:
        return tuple(map(int, held.split()))
    # Of an index that was made before there was the row: what is complete now.
    models = [row[0] for row in connection.execute("SELECT id FROM models ORDER BY id DESC")]
    return tuple(model for model in models if _has_any(connection, model) and is_complete(connection, model))


def lacking(connection: Connection, model_id: int) -> int:
    """How many chunks were never given to this model; one that it refused is not among them."""
    (count,) = connection.execute(
        "SELECT count(*) FROM chunks c WHERE NOT EXISTS "
        "(SELECT 1 FROM vectors v WHERE v.model_id = ? AND v.text_hash = c.text_hash)", (model_id,)
    ).fetchone()  # fmt: skip
    return int(count)


def is_complete(connection: Connection, model_id: int, *, units: bool = False) -> bool:
    """Whether every chunk, and with `units` every unit, has been given to this model."""
    tables = ("chunks", "units") if units else ("chunks",)
    return not any(
        connection.execute(
            f"SELECT EXISTS (SELECT 1 FROM {table} t WHERE NOT EXISTS "
            "(SELECT 1 FROM vectors v WHERE v.model_id = ? AND v.text_hash = t.text_hash))", (model_id,)
        ).fetchone()[0]
        for table in tables
    )  # fmt: skip


def settle(connection: Connection, model_id: int, *, units: bool) -> bool:
    """Lets this model answer from now on if its vectors are complete; returns whether it does."""
    held = answering(connection)
    if held[:1] == (model_id,) and _is_written(connection):
        return True
    if not is_complete(connection, model_id, units=units):
        if held and not _is_written(connection):
            with writing(connection):
                _write(connection, held)
        return False
    with writing(connection):
        if not is_complete(connection, model_id, units=units):  # another process has just added a document
            return False
        _write(connection, (model_id, *(other for other in answering(connection) if other != model_id)))
    return True


def drop(connection: Connection, model_ids: Iterable[int]) -> tuple[str, ...]:
    """Takes models with their vectors and limits out, inside the caller's transaction; returns their names."""
    dropped = set(model_ids)
    held = answering(connection)
    names = []
    for model_id in sorted(dropped):
        row = connection.execute("SELECT backend || '/' || name FROM models WHERE id = ?", (model_id,)).fetchone()
        if row is None:
            continue
        names.append(row[0])
        set_meta(connection, _HIGHEST, str(next_model(connection) - 1))
        searched = "packed_codes" if is_sqlite(connection) else "embeddings"
        for table in (searched, "vectors", "calibrations"):
            connection.execute(f"DELETE FROM {table} WHERE model_id = ?", (model_id,))
        connection.execute("DELETE FROM models WHERE id = ?", (model_id,))
        phrases.drop(connection, model_id)
    if dropped & set(held):
        _write(connection, tuple(model for model in held if model not in dropped))
    return tuple(names)


def next_model(connection: Connection) -> int:
    """The number of the next model: above all that are and all that were dropped."""
    (highest,) = connection.execute("SELECT coalesce(max(id), 0) FROM models").fetchone()
    return 1 + max(int(highest), int(meta(connection, _HIGHEST) or 0))


def _is_written(connection: Connection) -> bool:
    return meta(connection, _KEY) is not None


def _write(connection: Connection, models: tuple[int, ...]) -> None:
    set_meta(connection, _KEY, " ".join(map(str, models)))


def _has_any(connection: Connection, model_id: int) -> bool:
    sql = "SELECT 1 FROM vectors WHERE model_id = ? AND vector IS NOT NULL LIMIT 1"
    return connection.execute(sql, (model_id,)).fetchone() is not None
