"""Which principals a person or an agent holds.

Knows principals and tables, no request. Try: pytest tests/test_tokens.py -k principals
"""

import sqlite3

from access import EVERYONE
from errors import BrainError


class UnknownPerson(BrainError):
    """Nobody whom the directory lets in."""

    code = "unknown_person"
    http_status = 403


def principals_of(connection: sqlite3.Connection, subject: str) -> frozenset[str]:
    """The subject itself and everyone."""
    return frozenset({subject, EVERYONE})
