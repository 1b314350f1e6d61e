"""Who comes in: from a request's credentials to an Identity, by the authenticators that the setting `auth` names.

Each authenticator knows one kind of credentials; the first that finds its own decides, and credentials that do not hold
end the matter: nobody falls through to a weaker one. Principals come from credentials and the directory alone.
Knows headers as a mapping, no server. Try: BRAIN_AUTH=tokens python server.py, then curl 127.0.0.1:8000/readyz
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from access import EVERYONE, LOCAL, Caller, directory, local_caller, principal
from config import Settings
from database import Connection
from errors import Refused, UsageError

ASK, SYNC, METRICS, OPERATE = "ask", "sync", "metrics", "operate"
WRITE, AUDIT, IMPERSONATE, ACT = "write", "audit", "impersonate", "act"
SCOPES = (ASK, SYNC, METRICS, OPERATE, WRITE, AUDIT, IMPERSONATE, ACT)
"""What an identity may do: ask and read, start a sync, read counts, see the whole index's state, send events, read the
audit, ask as somebody else from the command line or send events in their name, act for people."""
ACTING_FOR = "x-acting-for"
"""The header by which an agent says for which person it asks; that takes rights away, so nobody passes over it."""
NO_CREDENTIALS = "no_credentials"
"""The reason why somebody is refused who did not try to sign in."""
MOST_CREDENTIAL = 16_384
"""Characters of a credential; a longer one is refused unread."""
Headers = Mapping[str, list[str]]
"""Values by name in lower case, each as often as it was sent."""
Tables = Callable[[], Connection]
"""Gives the calling thread's connection to the index file, where the identity tables stand."""


class Unauthenticated(Refused):
    """No credentials, or some that do not hold."""

    code = "unauthenticated"
    http_status = 401


class NotAllowed(Refused):
    """Known, but without the scope."""

    code = "not_allowed"
    http_status = 403


class ForgedHeader(Refused):
    """A header that names a person, from somebody who may not name any; or one that is there twice."""

    code = "forged_header"
    http_status = 403


class HeaderTooLarge(Refused):
    """A credential longer than any that is made."""

    code = "header_too_large"
    http_status = 431


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks, what they may do, and by what they were known: "none", "token:ID", "oidc", "proxy", "sync_token"."""

    caller: Caller
    scopes: frozenset[str]
    by: str

    def need(self, *scopes: str) -> "Identity":
        """Itself. Raises NotAllowed when it has none of the scopes."""
        if self.scopes.isdisjoint(scopes):
            wanted = " or ".join(f"`{scope}`" for scope in scopes)
            raise NotAllowed(f"This needs the scope {wanted}, which {self.caller.id} does not have here.")
        return self


class Authenticator(Protocol):
    """Knows one kind of credentials."""

    def check(self, headers: Headers, peer: str) -> None:
        """Raises ForgedHeader for headers that nobody at this address may send, whoever else they say it is."""
        return

    def identify(self, headers: Headers, peer: str) -> Identity | None:
        """Who sent the headers from the address `peer`; None: no credentials of this kind.

        Raises Unauthenticated for credentials that do not hold, and what the directory raises.
        """


class NoSignIn(Authenticator):
    """`none`: nobody is asked who they are."""

    def __init__(self, settings: Settings, tables: Tables) -> None:
        """Raises UsageError for a `caller` that is no person and no agent."""
        self._everybody = settings.open or signs_in(settings)
        self._name, self._tables = subject(settings.caller, "BRAIN_CALLER"), tables

    def identify(self, headers: Headers, peer: str) -> Identity:
        """Everybody where others reach the port or may sign in; else the person at this machine, with every scope."""
        if self._everybody:
            return Identity(Caller(EVERYONE, frozenset({EVERYONE})), frozenset({ASK}), "none")
        if self._name == LOCAL:
            return Identity(local_caller(), frozenset(SCOPES), "none")
        return Identity(caller_of(self._tables(), self._name), frozenset(SCOPES), "none")


class Row:
    """The authenticators in force, in their order."""

    def __init__(self, settings: Settings, tables: Tables) -> None:
        """Raises UsageError for settings of `auth` and its parts that cannot work."""
        _check(settings)
        self.reads = signs_in(settings) or settings.caller != LOCAL
        """Whether identities may need the tables or the network; otherwise `identify` returns at once."""
        self.asks = signs_in(settings)
        """Whether anybody is asked who they are."""
        self._members = [self._made(kind, settings, tables) for kind in settings.auth]
        rights = [
            (settings.operators, "operators", (SYNC, METRICS, OPERATE)),
            (settings.writers, "writers", (WRITE,)),
            (settings.auditors, "auditors", (AUDIT,)),
        ]
        self._rights = [(_principals(names, setting), frozenset(scopes)) for names, setting, scopes in rights]

    def _made(self, kind: str, settings: Settings, tables: Tables) -> Authenticator:
        if kind == "tokens":
            from access.tokens import Tokens  # each knows Identity, which stands here

            return Tokens(tables)
        if kind == "oidc":
            from access.oidc import Oidc  # 0.1 s of cryptography that others can do without

            return Oidc(settings, tables)
        if kind == "proxy":
            from access.proxy import Proxy

            return Proxy(settings, tables)
        return NoSignIn(settings, tables)

    def identify(self, headers: Headers, peer: str) -> Identity:
        """Who sent the headers from the address `peer`.

        Raises Unauthenticated for none or wrong credentials, ForgedHeader, HeaderTooLarge, NotAllowed, UnknownPerson,
        StoreError and what else the tables raise.
        """
        if self.asks:
            bearer(headers)
        for member in self._members:
            member.check(headers, peer)
        for member in self._members:
            found = member.identify(headers, peer)
            if found:
                if headers.get(ACTING_FOR) and not found.by.startswith("token:"):
                    raise NotAllowed(
                        "X-Acting-For is for tokens with the scope `act`; leave it out.", reason="may_not_act",
                        credential=found.by, whose=found.caller.id,
                    )  # fmt: skip
                return self._with_rights(found)
        raise unauthenticated("unknown_token" if "authorization" in headers else NO_CREDENTIALS)

    def _with_rights(self, found: Identity) -> Identity:
        if found.by not in ("oidc", "proxy"):  # a token's scopes are its limit
            return found
        more = [scopes for principals, scopes in self._rights if principals & found.caller.principals]
        return replace(found, scopes=found.scopes.union(*more))


def unauthenticated(reason: str = NO_CREDENTIALS) -> Unauthenticated:
    """The error of whoever sends nothing that says who they are."""
    return Unauthenticated("Say who asks: send the header Authorization: Bearer TOKEN, or sign in.", reason=reason)


def bearer(headers: Headers) -> str:
    """The bearer token in the headers, "" where there is none. Raises ForgedHeader for two, HeaderTooLarge."""
    sent = headers.get("authorization", [])
    if len(sent) > 1:
        raise ForgedHeader("There are two Authorization headers. Send one.")
    if sent and len(sent[0]) > MOST_CREDENTIAL:
        raise HeaderTooLarge(f"The header Authorization is longer than {MOST_CREDENTIAL} characters.")
    scheme, _, token = sent[0].partition(" ") if sent else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else ""


def signs_in(settings: Settings) -> bool:
    """Whether anything but `none` says who asks."""
    return any(kind != "none" for kind in settings.auth)


def is_open(settings: Settings) -> bool:
    """Whether everyone who reaches the port may ask without saying who they are, from other machines too."""
    return settings.open and "none" in settings.auth


def may_be_reached(settings: Settings) -> bool:
    """Whether the server may listen beyond this machine: nobody asks unnamed, or that is meant."""
    return settings.open or "none" not in settings.auth


def subject(text: str, where: str) -> str:
    """The principal of a person or an agent. Raises UsageError that names `where` it stands."""
    try:
        made = principal(text)
    except ValueError as error:
        raise UsageError(f"{where}: {error}.") from error
    if not made.startswith(("user:", "agent:")):
        raise UsageError(f"{where}: {text!r} is nobody who asks. Write user:NAME or agent:NAME.")
    return made


def named(kind: str, name: str) -> str:
    """The principal of a name that credentials hold. Raises Unauthenticated where it would not stay as it is.

    Two names that differ must not become one principal, so none is trimmed or rewritten.
    """
    text = f"{kind}:{name}"
    try:
        made = principal(text)
    except ValueError:
        made = ""
    if made != text:
        told = f"The credentials hold {name[:100]!r}, which cannot be the name of a {kind} here."
        raise Unauthenticated(told, reason="bad_name")
    return made


def caller_of(connection: Connection, who: str, also: Iterable[str] = ()) -> Caller:
    """The caller of a person or agent, with their groups as of now and those in `also`. Raises UnknownPerson."""
    return Caller(who, directory.principals_of(connection, who) | frozenset(also))


def _principals(names: Iterable[str], setting: str) -> frozenset[str]:
    try:
        return frozenset(principal(name) for name in names)
    except ValueError as error:
        raise UsageError(f"BRAIN_{setting.upper()}: {error}.") from error


def _check(settings: Settings) -> None:
    known = ("none", "tokens", "oidc", "proxy")
    wrong = [kind for kind in settings.auth if kind not in known]
    if wrong or not settings.auth or len(set(settings.auth)) < len(settings.auth):
        raise UsageError(f"BRAIN_AUTH: {', '.join(settings.auth) or 'nothing'!r} is not a list of {', '.join(known)}.")
    if "none" in settings.auth[:-1]:
        raise UsageError("BRAIN_AUTH: none lets everybody in, so it must be the last of the list, or be left out.")
    if re.search(r"\s", settings.token):
        raise UsageError("BRAIN_TOKEN holds white space, which no token does.")
