"""Names that a reverse proxy gives in headers, after it has signed people in.

Believed only when the connection comes from an address in the setting `proxy_addresses`; from anywhere else a request
with such a header is refused, whatever else it carries. Whoever can send from such an address can name anybody.
Knows no server. Try: pytest tests/test_admission.py -k proxy
"""

import ipaddress
import re

from access.identity import ASK, Authenticator, ForgedHeader, Headers, Identity, Tables, caller_of, named
from config import Settings
from errors import UsageError

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,99}")
_WIDEST = {4: 8, 6: 16}  # bits of a network: a wider one is no list of proxies
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Proxy(Authenticator):
    """`proxy`: whom the proxy names."""

    def __init__(self, settings: Settings, tables: Tables) -> None:
        """Raises UsageError for addresses or header names that cannot be meant."""
        self._tables = tables
        self._networks = [_network(text) for text in settings.proxy_addresses]
        if not self._networks:
            raise UsageError("BRAIN_PROXY_ADDRESSES is empty: name the proxy's address, for instance 127.0.0.1.")
        names = (settings.proxy_user_header, settings.proxy_groups_header)
        self._user, self._groups = (name.lower() for name in names)
        for name in names:
            if not _NAME.fullmatch(name) or name.lower() in ("authorization", "x-acting-for"):
                raise UsageError(f"BRAIN_PROXY_USER_HEADER, BRAIN_PROXY_GROUPS_HEADER: {name!r} is no name for them.")
        if self._user == self._groups:
            raise UsageError("BRAIN_PROXY_USER_HEADER and BRAIN_PROXY_GROUPS_HEADER are the same.")

    def check(self, headers: Headers, peer: str) -> None:
        """Raises ForgedHeader for a name from an address that is not the proxy's, and for two of them."""
        for name in (self._user, self._groups):
            sent = headers.get(name, [])
            if sent and not self._is_listed(peer):
                raise ForgedHeader(
                    f"The header {name} is believed from the proxy alone (BRAIN_PROXY_ADDRESSES), and this request "
                    "does not come from there.",
                    reason="untrusted_proxy",
                )
            if len(sent) > 1:
                raise ForgedHeader(f"There are two {name} headers. The proxy must set one and let none through.")

    def identify(self, headers: Headers, peer: str) -> Identity | None:
        """The person that the header names, with the groups beside it; `check` has looked where they come from.

        Raises Unauthenticated for a name that cannot be one, UnknownPerson.
        """
        (name,) = headers.get(self._user) or [""]
        if not name.strip():
            return None
        (groups,) = headers.get(self._groups) or [""]
        also = [named("group", part.strip()) for part in groups.split(",") if part.strip()]
        caller = caller_of(self._tables(), named("user", name.strip()), also)
        return Identity(caller, frozenset({ASK}), "proxy")

    def _is_listed(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:  # a Unix socket, or a server that hides who is there
            return False
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any((mapped or address) in network for network in self._networks)


def _network(text: str) -> Network:
    try:
        found = ipaddress.ip_network(text)
    except ValueError as error:
        raise UsageError(f"BRAIN_PROXY_ADDRESSES: {error}. Write 127.0.0.1, ::1 or 10.1.2.0/24.") from error
    if found.prefixlen < _WIDEST[found.version]:
        raise UsageError(f"BRAIN_PROXY_ADDRESSES: {text} would believe half the world. Name the proxy's own addresses.")
    return found
