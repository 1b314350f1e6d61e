"""Access lists in PostgreSQL: each stands once, documents and what belongs to them name it.

The twin of storage/lists.py. What is asked here beside the policies of the database is the query's own filter; the two
must say the same. Knows SQL and access.AccessList. Try: pytest tests/test_postgres_rights.py
"""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import lru_cache

from access import EVERYONE, AccessList, Caller
from database import Connection
from postgres.schema import CLOSED_LIST, FOLLOWING

IS_OPEN = f"'{EVERYONE}' = ANY(allow) AND narrow IS NULL AND deny = '{{}}'"
"""Of `access_lists`: everyone may read, whatever happens to anybody's groups."""
OPEN = f"SELECT d.id FROM documents d JOIN access_lists l ON l.id = d.list_id WHERE {IS_OPEN}"
"""The documents of such lists."""
PARTS = ("allow", "narrow", "deny")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")  # what no text of the database can hold
_OF_WORDS = """
    FROM (
        SELECT DISTINCT c.list_id, w.rowid AS chunk_id, unnest(string_to_array(w.terms, ' ')) AS term
        FROM words w JOIN chunks c ON c.id = w.rowid WHERE c.document_id = ANY(?)
    ) x WHERE p.term = x.term AND p.list_id = x.list_id AND p.chunk_id = x.chunk_id"""


def as_setting(caller: Caller) -> str:
    """The caller's sets of principals as the policies read them. Raises AttributeError for what is no caller."""
    return _as_setting(caller.sets)


def readable(connection: Connection, caller: Caller, only_open: bool = False) -> list[int]:
    """The lists that let the caller in; with `only_open` those alone that let everyone in."""
    condition, values = IS_OPEN if only_open else "true", list[str]()
    for held in caller.sets:
        values.append(json.dumps(_keys(held)))
        let, narrowed, denied = (f"jsonb_exists_any(?{len(values)}::jsonb, {part})" for part in PARTS)
        condition += f" AND {let} AND (narrow IS NULL OR {narrowed}) AND NOT {denied}"
    return [number for (number,) in connection.execute(f"SELECT id FROM access_lists WHERE {condition}", values)]


def stored(connection: Connection) -> dict[int, AccessList]:
    """Every document's list by its id; a document whose list lets nobody in is left out."""
    rows = connection.execute(
        "SELECT allow, narrow, deny, array_agg(d.id) FROM access_lists l JOIN documents d ON d.list_id = l.id "
        "WHERE l.id <> ? GROUP BY l.id",
        (CLOSED_LIST,),
    )
    found: dict[int, AccessList] = {}
    for allow, narrow, deny, documents in rows:
        listed = AccessList(frozenset(allow), None if narrow is None else frozenset(narrow), frozenset(deny))
        found |= dict.fromkeys(documents, listed)
    return found


def write(connection: Connection, lists: Iterable[tuple[int, AccessList]]) -> None:
    """Gives documents these lists in place of what they had, with all that belongs to them; nothing else changes."""
    of: dict[AccessList, list[int]] = {}
    for document_id, listed in lists:
        of.setdefault(listed, []).append(document_id)
    for listed, documents in of.items():
        number = _number_of(connection, listed)
        changed = connection.execute(
            "UPDATE documents SET list_id = ? WHERE id = ANY(?) AND list_id <> ? RETURNING id",
            (number, documents, number),
        )
        ids = [document_id for (document_id,) in changed]
        if not ids:
            continue
        connection.execute(f"UPDATE postings p SET list_id = ? {_OF_WORDS}", (number, ids))  # by the chunks' old one
        for table in FOLLOWING:
            connection.execute(f"UPDATE {table} SET list_id = ? WHERE document_id = ANY(?)", (number, ids))


def remove_postings(connection: Connection, document_id: int) -> None:
    """Takes the postings of a document out, found by its words: an index of their own would be as large as they are."""
    connection.execute(f"DELETE FROM postings p USING {_OF_WORDS.lstrip().removeprefix('FROM')}", ([document_id],))


def _number_of(connection: Connection, listed: AccessList) -> int:
    if not listed.allow and listed.narrow is None and not listed.deny:
        return CLOSED_LIST
    allow, deny = _sorted(listed.allow), _sorted(listed.deny)
    narrow = None if listed.narrow is None else _sorted(listed.narrow)
    key = hashlib.sha256(json.dumps([allow, narrow, deny]).encode()).hexdigest()
    row = connection.execute("SELECT id FROM access_lists WHERE key = ?", (key,)).fetchone()
    if row is None:  # an insertion draws a number in any case, and they shall not grow with every sync
        row = connection.execute(
            "INSERT INTO access_lists (allow, narrow, deny, key) VALUES (?, ?, ?, ?) RETURNING id",
            (allow, narrow, deny, key),
        ).fetchone()
    return int(row[0])


@lru_cache(maxsize=64)
def _as_setting(sets: tuple[frozenset[str], ...]) -> str:
    return json.dumps([_keys(held) for held in sets])


def _keys(principals: Iterable[str]) -> dict[str, int]:
    """Keys of an object in the order in which the server keeps them: it has less to sort."""
    return dict.fromkeys(sorted(_sorted(principals), key=lambda one: (len(one.encode("utf-8", "replace")), one)), 1)


def _sorted(principals: Iterable[str]) -> list[str]:
    return sorted(one for one in principals if not _NO_TEXT.search(one))
