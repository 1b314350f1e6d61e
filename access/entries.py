"""What a directory tells: accounts and groups, whole, whichever reader brought them; and how addresses are compared.

Knows no file, no system and no table.
Try: python -c "from access.entries import address; print(address('Ana@Example.COM'))"
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from access import principal
from errors import BrainError


class DirectoryError(BrainError):
    """A directory cannot be read as a whole; what was last known stays."""

    code = "directory"
    http_status = 503


class SystemAway(DirectoryError):
    """A directory system does not answer, or not with all of it."""

    code = "directory_away"
    exit_code = 3


@dataclass(frozen=True, slots=True)
class Account:
    """One account of somebody. `same`: ids of accounts that this directory says are the same person's."""

    id: str
    name: str = ""
    email: str = ""
    email_verified: bool = False
    employee_id: str = ""
    disabled: bool = False
    same: tuple[str, ...] = ()
    login: str = ""  # what a sign-on service calls it besides its id

    @property
    def email_key(self) -> str:
        """The address as it is compared, where it is verified; else ""."""
        return address(self.email) if self.email_verified else ""


@dataclass(frozen=True, slots=True)
class Group:
    """One group. `members` are principals: accounts, groups, agents."""

    id: str
    name: str = ""
    members: frozenset[str] = frozenset()
    address: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A whole directory as of one moment. `source` is "" for the file, else the system's name."""

    source: str
    accounts: tuple[Account, ...] = ()
    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def sizes(self) -> dict[str, int]:
        """How many people, groups and memberships."""
        members = sum(len(group.members) for group in self.groups)
        return {"people": len(self.accounts), "groups": len(self.groups), "memberships": members}


def address(text: str) -> str:
    """A mail address as it is compared: NFC, lower case, the domain not in punycode. "" for what is none.

    Not casefold and not NFKC: these make `straße.de` and `strasse.de`, two domains, one.
    """
    made = unicodedata.normalize("NFC", text.strip()).lower()
    local, at, domain = made.rpartition("@")
    if not (at and local and domain) or any(unicodedata.category(char)[0] in "CZ" for char in made):
        return ""
    return f"{local}@{'.'.join(map(_label, domain.split('.')))}"


def _label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return unicodedata.normalize("NFC", label[4:].encode("ascii").decode("punycode")).lower()
    except UnicodeError:
        return label


def identifier(kind: str, text: str) -> str:
    """An id as it stands in the principal `kind:ID`. Raises ValueError."""
    return principal(f"{kind}:{text}").partition(":")[2]


def verified_in(domains: Iterable[str], email: str) -> bool:
    """Whether the address is of one of the domains in which the directory is at home."""
    return address(email).rpartition("@")[2] in {address(f"x@{domain}").rpartition("@")[2] for domain in domains} - {""}
