"""LDAP v3: the people and groups below a base, in pages, of Active Directory or of an OpenLDAP-like server.

Ids are the server's own (`objectGUID`, `entryUUID`), so renamed and moved entries keep theirs. Over TLS with a checked
certificate, except on this machine. Needs an account that may read these entries and nothing else.
Try: python -m access.directory sync
"""

import contextlib
import time
import uuid
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from access.entries import Account, DirectoryError, Group, Listing, SystemAway, identifier, verified_in
from access.readers import wire
from access.readers.options import Options

_PAGE = 500
_CONNECT_SECONDS, _READ_SECONDS = 10, 60
_BUSY = (51, 52)  # busy, unavailable
_PAGED = "1.2.840.113556.1.4.319"
_OFF = 2  # ACCOUNTDISABLE in userAccountControl


class _Kind(NamedTuple):
    """What one family of servers calls things."""

    id: str
    people: str
    groups: str
    employee: str
    state: str  # says whether an account is disabled


_KINDS = {
    "ad": _Kind("objectGUID", "(&(objectCategory=person)(objectClass=user))", "(objectCategory=group)", "employeeID",
                "userAccountControl"),
    "openldap": _Kind("entryUUID", "(objectClass=inetOrgPerson)",
                      "(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames))", "employeeNumber",
                      "pwdAccountLockedTime"),
}  # fmt: skip


@dataclass
class _Ldap:
    name: str
    kind: _Kind
    base: str
    domains: tuple[str, ...]
    numbers: bool
    people: str
    groups: str
    sign_in: str
    connection: Any = field(default=None)

    def away(self, told: str) -> SystemAway:
        return SystemAway(f"{self.name}: {told}. What was last known of it stays.")

    def all(self, chosen: str, attributes: list[str]) -> Iterator[dict[str, Any]]:
        """Every entry that the filter finds, as (dn, raw attributes by lower-case name)."""
        cookie: bytes | None = b""
        pages = 0
        while cookie is not None:
            result = self._page(chosen, attributes, cookie)
            yield from list(map(self.raw, self.connection.response or []))
            told = result.get("controls", {}).get(_PAGED, {}).get("value", {}).get("cookie") or None
            pages += 1
            if told == cookie or pages > wire.MOST_PAGES:
                raise self.away("its pages go round in a circle")
            cookie = told

    def _page(self, chosen: str, attributes: list[str], cookie: bytes) -> dict[str, Any]:
        return self._asked(
            search_base=self.base, search_filter=chosen, attributes=attributes, paged_size=_PAGE, paged_cookie=cookie,
            paged_criticality=True,
        )  # fmt: skip

    def _asked(self, **search: Any) -> dict[str, Any]:
        """The result of a search, asked again while the server is busy. Raises SystemAway for any but success."""
        wait = wire.FIRST_WAIT
        for _ in range(wire.TRIES):
            self.connection.search(**search)
            result: dict[str, Any] = self.connection.result
            if result["result"] == 0:
                return result
            if result["result"] not in _BUSY:
                break
            time.sleep(wait)
            wait *= 2
        told = f"{result['description']} {result['message']}".strip()[:200]
        raise self.away(f"the search for {search['search_filter']} below {search['search_base']} failed: {told}")

    def members(self, entry: dict[str, Any]) -> Iterator[bytes]:
        """All values of `member` and `uniqueMember`, which Active Directory gives in ranges of some 1,500.

        Asked for here and not by ldap3, which takes a range that fails for the end.
        """
        for name in ("member", "uniquemember"):
            yield from entry.get(name, [])
            ranged = next((told for told in entry if told.startswith(f"{name};range=")), None)
            while ranged:
                values = entry[ranged]
                yield from values
                last = ranged.rpartition("-")[2]
                if last == "*":
                    break
                if not last.isdecimal() or not values:
                    raise self.away(f"{ranged} of {entry['dn']} is no range")
                asked = f"{name};range={int(last) + 1}-*"
                self._asked(
                    search_base=entry["dn"], search_filter="(objectClass=*)", search_scope="BASE", attributes=[asked]
                )
                entry = next((self.raw(found) for found in self.connection.response or []), entry)
                ranged = next((told for told in entry if told.startswith(f"{name};range={int(last) + 1}-")), None)
                if ranged is None:
                    raise self.away(f"{entry['dn']} does not give {asked}")

    def raw(self, found: dict[str, Any]) -> dict[str, Any]:
        """An entry as `dn` and its attributes in bytes by lower-case name."""
        if found.get("type") != "searchResEntry":
            raise self.away(f"below {self.base} it refers to another server: name a base without referrals")
        values = {name.lower(): told for name, told in found["raw_attributes"].items() if told}
        return {"dn": found["dn"], **values}

    def account(self, entry: dict[str, Any]) -> Account:
        mail = self.text(entry, "mail")
        return Account(
            self.id_of("user", entry),
            self.text(entry, "displayName") or self.text(entry, "cn"),
            mail,
            email_verified=verified_in(self.domains, mail),
            employee_id=self.text(entry, self.kind.employee) if self.numbers else "",
            disabled=self.is_off(entry),
            login=self.text(entry, self.sign_in) if self.sign_in else "",
        )

    def is_off(self, entry: dict[str, Any]) -> bool:
        state = self.text(entry, self.kind.state)
        if self.kind.state != "userAccountControl":
            return bool(state)
        if not state.isdecimal():
            raise self.away(f"userAccountControl of {entry['dn']} is not there: its account may not read it")
        return bool(int(state) & _OFF)

    def id_of(self, kind: str, entry: dict[str, Any]) -> str:
        values = entry.get(self.kind.id.lower(), [])
        try:
            (value,) = values
            told = str(uuid.UUID(bytes_le=value)) if self.kind.id == "objectGUID" else str(uuid.UUID(value.decode()))
            return identifier(kind, f"{self.name}/{told}")
        except (ValueError, UnicodeDecodeError) as error:
            raise self.away(f"{entry['dn']} shows no {self.kind.id}: its account may not read it") from error

    def text(self, entry: dict[str, Any], name: str) -> str:
        """The first value at a name; "" for none. Raises SystemAway for bytes that are no text."""
        values = entry.get(name.lower()) or [b""]
        try:
            return str(values[0].decode("utf-8")).strip()
        except UnicodeDecodeError as error:
            raise self.away(f"{name} of {entry['dn']} is no UTF-8") from error


def read(options: Options) -> Listing:
    """All people and groups below the base. Raises DirectoryError, SystemAway."""
    kind = _KINDS.get(options.text("kind", "openldap"))
    if kind is None:
        raise options.wrong(f"kind is none of {', '.join(_KINDS)}")
    ldap = _Ldap(
        options.name, kind, options.text("base"), options.texts("verified_domains"),
        options.flag("employee_ids", True), options.text("people", kind.people), options.text("groups", kind.groups),
        options.text("sign_in", ""),
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ldap3 2.9 calls pyasn1 by old names
        try:
            import ldap3
            from ldap3.core.exceptions import LDAPException
        except ImportError as error:
            raise DirectoryError("The reader ldap needs ldap3. Run: pip install '.[ldap]'") from error
        ldap.connection = _connection(options, ldap3)
        try:
            _sign_in(ldap, options)
            return _listing(ldap)
        except (LDAPException, OSError, LookupError, TypeError, ValueError) as error:  # the latter: its BER decoder's
            raise ldap.away(f"it cannot be read ({' '.join(str(error).split())[:200]})") from error
        finally:
            _leave(ldap.connection, LDAPException)


def _connection(options: Options, ldap3: Any) -> Any:
    import ssl

    url = options.text("url")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise options.wrong(f"url: {url!r} is no address") from None
    secure = parts.scheme == "ldaps"
    if not host or not (secure or (parts.scheme == "ldap" and host in ("127.0.0.1", "localhost", "::1"))):
        raise options.wrong(f"url: {url!r} is no ldaps:// address")
    trusted = options.path("ca_file")
    tls = ldap3.Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=trusted, valid_names=[host], sni=host)
    server = ldap3.Server(
        host, port or (636 if secure else 389), use_ssl=secure, get_info=ldap3.NONE, tls=tls if secure else None,
        connect_timeout=_CONNECT_SECONDS,
    )  # fmt: skip
    user, password = options.text("user"), options.secret("password")
    options.done()
    return ldap3.Connection(
        server, user, password, auto_bind=ldap3.AUTO_BIND_NONE, auto_referrals=False, auto_range=False,
        return_empty_attributes=False,  # with them it fails at the second range
        receive_timeout=_READ_SECONDS, check_names=False, read_only=True,
    )  # fmt: skip


def _sign_in(ldap: _Ldap, options: Options) -> None:
    if not ldap.connection.bind():
        told = ldap.connection.result.get("description", "")
        raise wire.Refused(f"{ldap.name}: it refuses {options.text('user')} ({told}). See its credentials.")


def _leave(connection: Any, kind: type[Exception]) -> None:
    socket = connection.socket
    with contextlib.suppress(kind, OSError):
        connection.unbind()
    if socket is not None:
        socket.close()  # ldap3 forgets one that did not connect


def _listing(ldap: _Ldap) -> Listing:
    kind = ldap.kind
    wanted = [kind.id, "cn", "displayName", "mail", kind.employee, kind.state, *filter(None, [ldap.sign_in])]
    people = {_key(entry["dn"]): ldap.account(entry) for entry in ldap.all(ldap.people, wanted)}
    names, members = dict[str, Group](), dict[str, list[str]]()
    for entry in list(ldap.all(ldap.groups, [kind.id, "cn", "mail", "member", "uniqueMember"])):
        key = _key(entry["dn"])
        names[key] = Group(ldap.id_of("group", entry), ldap.text(entry, "cn"), address=ldap.text(entry, "mail"))
        members[key] = [_key(value.decode("utf-8", "surrogateescape")) for value in ldap.members(entry)]
    groups, left = [], 0
    for key, group in names.items():
        known = {f"user:{people[one].id}" for one in members[key] if one in people}
        known |= {f"group:{names[one].id}" for one in members[key] if one in names}
        left += sum(one not in people and one not in names for one in members[key])
        groups.append(Group(group.id, group.name, frozenset(known), group.address))
    notes = (f"{left} members are neither people nor groups below {ldap.base}",) if left else ()
    return Listing(ldap.name, tuple(people.values()), tuple(groups), notes)


def _key(dn: str) -> str:
    """A distinguished name as it is compared: without regard to case and to blanks after commas."""
    return ",".join(part.strip() for part in dn.lower().split(","))
