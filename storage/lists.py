"""Access lists in the index: written beside their document, and asked for whoever may read.

The one place that says in SQL what access.AccessList says in Python. Knows no files and no rules.
Try: pytest tests/test_access.py
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from access import CLOSED, EVERYONE, AccessList, Caller
from database import Connection, meta, set_meta

_IS_NARROWED = ""  # the principal of the row that says so; nobody holds it
_SYNCED, _TERMS = "access_synced_at", "access_terms"
_SECONDS = 60.0  # between two notes of the time: a folder may be looked at each second
OPEN = (
    "SELECT g.document_id FROM grants g GROUP BY g.document_id "
    f"HAVING count(*) FILTER (WHERE kind = 'allow' AND principal = '{EVERYONE}') > 0 "
    "AND count(*) FILTER (WHERE kind <> 'allow') = 0"
)
"""The documents that everyone may read, whatever happens to anybody's groups."""


def write(connection: Connection, lists: Iterable[tuple[int, AccessList]]) -> None:
    """Gives documents these lists in place of what they had."""
    lists = [*lists]
    connection.executemany("DELETE FROM grants WHERE document_id = ?", [(document_id,) for document_id, _ in lists])
    connection.executemany(
        "INSERT INTO grants (document_id, kind, principal) VALUES (?, ?, ?)",
        [(document_id, *row) for document_id, found in lists for row in _rows(found)],
    )


def _rows(found: AccessList) -> set[tuple[str, str]]:
    narrow = () if found.narrow is None else (_IS_NARROWED, *found.narrow)
    parts = (("allow", found.allow), ("narrow", narrow), ("deny", found.deny))
    return {(kind, held) for kind, listed in parts for held in listed}


def stored(connection: Connection) -> dict[int, AccessList]:
    """Every document's list by its id; a document that has no row is left out: nobody may read it."""
    found: dict[int, AccessList] = {}
    groups = connection.execute(
        "SELECT json_group_array(document_id), listed FROM (SELECT document_id, "
        "json_group_array(json_array(kind, principal)) AS listed FROM "
        "(SELECT * FROM grants ORDER BY document_id, kind, principal) GROUP BY document_id) GROUP BY listed"
    )
    for documents, listed in groups:  # most documents of a company have one of few lists
        found |= dict.fromkeys(json.loads(documents), _list_of(json.loads(listed)))
    return found


def by_path(connection: Connection, held: Mapping[int, AccessList]) -> dict[str, AccessList]:
    """Every document's list by its path, whoever may read it; `held`: by its id."""
    return {path: held.get(number, CLOSED) for number, path in connection.execute("SELECT id, path FROM documents")}


def _list_of(rows: Sequence[Sequence[str]]) -> AccessList:
    def of(wanted: str) -> frozenset[str]:
        return frozenset(principal for kind, principal in rows if kind == wanted)

    narrow = of("narrow")
    return replace(CLOSED, allow=of("allow"), narrow=narrow - {_IS_NARROWED} if narrow else None, deny=of("deny"))


def readable(caller: Caller) -> tuple[str, list[str]]:
    """SQL that gives the ids of the documents the caller may read, with its values: numbered, so they come first.

    Raises AttributeError for what is no caller.
    """
    parts, values = [], list[str]()
    for held in caller.sets:
        values.append(json.dumps(sorted(one for one in held if "\0" not in one)))  # which would end the text in SQL
        mine = f"(SELECT value FROM json_each(?{len(values)}))"  # as parameters 30,000 of them took seconds
        parts.append(
            f"SELECT document_id FROM grants WHERE kind = 'allow' AND principal IN {mine} "
            f"EXCEPT SELECT document_id FROM grants WHERE kind = 'deny' AND principal IN {mine} "
            "EXCEPT SELECT document_id FROM grants n WHERE n.kind = 'narrow' AND n.principal = '' AND NOT EXISTS ("
            "SELECT 1 FROM grants m WHERE m.document_id = n.document_id AND m.kind = 'narrow' AND m.principal <> '' "
            f"AND m.principal IN {mine})"
        )
    return " INTERSECT ".join(f"SELECT document_id FROM ({part})" for part in parts), values


def custodian(connection: Connection) -> Caller:
    """Who measures the limit: all who are granted anything at once. Their results are told to nobody."""
    held = connection.execute("SELECT DISTINCT principal FROM grants WHERE kind <> 'deny' AND principal <> ''")
    return Caller("custodian", frozenset(one for (one,) in held))


def note_synced(connection: Connection, terms: str) -> None:
    """Notes that all lists were compared with their source now, and what settings they come from.

    Changes nothing else, so nobody reads anew.
    """
    if (age := age_of(connection)) is None or not 0 <= age < _SECONDS or terms != terms_of(connection):
        now = datetime.now(UTC).isoformat(timespec="seconds")
        set_meta(connection, _SYNCED, now)
        set_meta(connection, _TERMS, terms)


def distrust(connection: Connection) -> None:
    """Says that the lists are of other settings or another day: nobody is answered until a sync has compared them."""
    set_meta(connection, _TERMS, "not compared yet")


def terms_of(connection: Connection) -> str:
    """The settings that the lists come from, as the source wrote them."""
    return meta(connection, _TERMS) or ""


def synced_at(connection: Connection) -> str:
    """When all lists were last compared with their source: UTC, ISO 8601; "" for never."""
    return meta(connection, _SYNCED) or ""


def age_of(connection: Connection) -> float | None:
    """Seconds since then; None for never."""
    at = synced_at(connection)
    return (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds() if at else None
