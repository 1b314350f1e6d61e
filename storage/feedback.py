"""What people said of answers: kept beside the index, replaced when they judge again, decided on by an approver.

No sync touches these rows. Written in transactions of their own, which a sync in another process may delay; what is
not written is an error. Knows rows only, no HTTP and no cases.
Try: python -m eval.feedback list
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal

from database import Connection, lasting
from errors import StoreError, UsageError
from masking import mask_line
from storage.reader import marks
from storage.schema import translated
from store import Store

Decision = Literal["", "approved", "rejected"]
_JSON = ("narrowed", "sources", "limits", "made")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one person said of one answer, with the question and the answer as the server gave it."""

    id: str  # the answer's
    created_at: str  # UTC, ISO 8601
    caller: str
    question: str
    narrowed: dict[str, str]  # since, until, path
    lang: str
    verdict: str  # right, wrong, should_be_found
    note: str
    status: str
    answer: str
    sources: list[dict[str, str]]  # source, lines, version, quote
    model: str
    limits: dict[str, Any]
    decision: str = ""  # approved, rejected; "": nobody decided yet
    decided_at: str = ""
    decided_by: str = ""
    made: dict[str, Any] = field(default_factory=dict)  # the approved case


_COLUMNS = tuple(column.name for column in fields(Judgement))


def now() -> str:
    """This moment as it is stored: UTC, ISO 8601, to the microsecond."""
    return datetime.now(UTC).isoformat()


def put(store: Store, judgement: Judgement) -> None:
    """Stores the judgement in place of an earlier one of the same answer, whose approval falls with it.

    Secrets in its texts are masked.

    Raises StoreError when it is not stored: the file is locked for too long, full, read-only or gone.
    """
    question, note, answer = map(mask_line, (judgement.question, judgement.note, judgement.answer))
    told = replace(judgement, question=question, note=note, answer=answer)
    values = [_stored(name, getattr(told, name)) for name in _COLUMNS]
    with _writing(store) as connection:
        connection.execute(
            f"INSERT INTO feedback ({','.join(_COLUMNS)}) VALUES ({marks(values)}) ON CONFLICT (id) DO UPDATE SET "
            + ",".join(f"{name} = excluded.{name}" for name in _COLUMNS),
            values,
        )


def listed(store: Store, decision: Decision | None = None) -> list[Judgement]:
    """All judgements, or those with this decision, in the order in which they were made. Raises StoreError."""
    return _read(
        store, "WHERE ? IN (decision, 'all') ORDER BY created_at, id", ("all" if decision is None else decision,)
    )


def found(store: Store, start: str) -> Judgement:
    """The judgement whose id begins with `start`. Raises UsageError when it is not one, StoreError."""
    rows = _read(store, "WHERE substr(id, 1, length(?)) = ? ORDER BY id LIMIT 2", (start, start)) if start else []
    if len(rows) != 1:
        told = "More than one judgement begins" if rows else "No judgement begins"
        raise UsageError(f"{told} with {start!r}. Run: python -m eval.feedback list")
    return rows[0]


def decide(store: Store, judged: Judgement, decision: Decision, by: str, made: dict[str, Any]) -> None:
    """Writes down what `by` decided on the judgement they have seen, with the case that was made of it.

    Raises UsageError when it was judged again or removed meanwhile, StoreError.
    """
    with _writing(store) as connection:
        changed = connection.execute(
            "UPDATE feedback SET decision = ?, decided_at = ?, decided_by = ?, made = ? "
            "WHERE id = ? AND created_at = ?",
            (decision, now(), _stored("by", by), _stored("made", made), judged.id, judged.created_at),
        )
        if not changed.rowcount:
            raise UsageError(f"{judged.id} was judged again meanwhile. Run: python -m eval.feedback show {judged.id}")


def forget(store: Store, judged: Judgement) -> None:
    """Removes the judgement with its question. Raises StoreError."""
    with _writing(store) as connection:
        connection.execute("DELETE FROM feedback WHERE id = ?", (judged.id,))


def versions(store: Store) -> dict[str, str]:
    """The sha256 of every document of the index by its path, whoever may read it. Raises StoreError."""
    with translated(store.path):
        return dict(store.connection().execute("SELECT path, sha256 FROM documents").fetchall())


def texts(store: Store, paths: Sequence[str]) -> list[str]:
    """What the index holds of these documents, each from its beginning on, whoever may read it. Raises StoreError."""
    with translated(store.path):
        rows = store.connection().execute(
            "SELECT d.id, d.title, c.text FROM documents d JOIN chunks c ON c.document_id = d.id "
            f"WHERE d.path IN ({marks(paths)}) ORDER BY d.id, c.id",
            tuple(paths),
        )
        found: dict[int, list[str]] = {}
        for number, title, text in rows:
            found.setdefault(number, [title]).append(text)
        return ["\n".join(parts) for parts in found.values()]


@contextlib.contextmanager
def _writing(store: Store) -> Iterator[Connection]:
    """A transaction that is on the disk when the block has ended, and does not tell readers that the index changed."""
    try:
        with translated(store.path), lasting(store.connection()):  # the index can be made again, this not
            yield store.connection()
    except StoreError as error:
        raise type(error)(f"This was not stored: {error}") from error


def _read(store: Store, condition: str, values: Sequence[str]) -> list[Judgement]:
    with translated(store.path):
        rows = store.connection().execute(f"SELECT {','.join(_COLUMNS)} FROM feedback {condition}", values).fetchall()
    return [
        Judgement(**{n: json.loads(v or "{}") if n in _JSON else v for n, v in zip(_COLUMNS, row, strict=True)})
        for row in rows
    ]


def _stored(name: str, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if name in _JSON else str(value)
    return text.encode("utf-8", "replace").decode()  # a model may write half of a surrogate pair
