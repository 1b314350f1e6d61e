"""Who asks, and what they may read.

A Caller is a required argument from the question down to the SQL; nothing returns rows without one.
This package knows principals only: no HTTP, no documents. Try: python search.py "parental leave" --explain
"""

from dataclasses import dataclass

EVERYONE = "everyone"
"""The principal that the folder source grants every document to."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks: an id for the records and the principals (groups, roles) they hold.

    No principal means nothing may be read, never "no filter".
    """

    id: str
    principals: frozenset[str]


def local_caller() -> Caller:
    """The person at this machine's keyboard, who can read the files anyway."""
    return Caller("local", frozenset({EVERYONE}))
