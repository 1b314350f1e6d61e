"""Who asks, and what they may read.

A Caller is a required argument from the question down to the SQL; nothing returns rows without one. Principals are
strings: `user:42`, `group:engineering`, `agent:helpdesk`, `everyone`.
This package knows principals only: no HTTP, no documents. Try: python search.py "parental leave" --explain
"""

import re
import unicodedata
from dataclasses import dataclass

EVERYONE = "everyone"
"""The principal that everybody holds who comes in at all."""
LOCAL = "user:local"
"""Who sits at this machine, where nobody else is named."""
_PRINCIPAL = re.compile(r"(?:user|group|agent):(?! )[^,;]{1,200}(?<! )")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks: an id for the records and the principals (groups, roles) they hold.

    No principal means nothing may be read, never "no filter". Each set in `within` must be allowed as well: of a person
    for whom an agent acts, or of the agent.
    """

    id: str
    principals: frozenset[str]
    within: tuple[frozenset[str], ...] = ()
    person: str = ""  # for whom an agent asks; for the records, it gives no right

    @property
    def sets(self) -> tuple[frozenset[str], ...]:
        """The sets of principals each of which must be allowed; equal ones are one right."""
        return (self.principals, *self.within)


@dataclass(frozen=True, slots=True)
class AccessList:
    """Who may read a document: whoever `allow` names and, where there is one, `narrow` too, but nobody in `deny`.

    An empty `allow` or `narrow` is nobody.
    """

    allow: frozenset[str]
    narrow: frozenset[str] | None = None
    deny: frozenset[str] = frozenset()

    def lets(self, caller: Caller) -> bool:
        """Whether the caller may read it. What the index does in SQL, for one list."""
        return all(
            bool(held & self.allow) and (self.narrow is None or bool(held & self.narrow)) and not held & self.deny
            for held in caller.sets
        )


OPEN_LIST = AccessList(frozenset({EVERYONE}))
"""Everyone may read it."""
CLOSED = AccessList(frozenset())
"""Nobody may: the list is empty, or not known as a whole."""


def principal(text: str) -> str:
    """A principal as it is compared: NFC, blanks around it gone, the kind in lower case. Raises ValueError."""
    made = unicodedata.normalize("NFC", text.strip())
    kind, colon, name = made.partition(":")
    made = f"{kind.lower()}{colon}{name}"
    seen = all(char == " " or unicodedata.category(char)[0] not in "CZ" for char in made)  # no zero-width twins
    if made != EVERYONE and not (seen and _PRINCIPAL.fullmatch(made)):
        raise ValueError(f"{text!r} is no principal: write everyone, user:NAME, group:NAME or agent:NAME")
    return made


def local_caller() -> Caller:
    """The person at this machine's keyboard, where no other caller is named."""
    return Caller(LOCAL, frozenset({LOCAL, EVERYONE}))
