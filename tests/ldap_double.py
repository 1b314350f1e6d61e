"""A small LDAP server on loopback, written from RFC 4511 (messages) and RFC 2696 (pages): bind, search, unbind.

It gives long attributes in ranges as Active Directory does, speaks TLS where it gets a context, and fails where a test
says.
"""

import contextlib
import re
import socketserver
import ssl
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.directory_double import SECRET, World

BASE = "dc=example,dc=com"
USER = f"cn=reader,{BASE}"
PAGED = b"1.2.840.113556.1.4.319"
Entry = tuple[str, dict[str, list[bytes]]]


def tlv(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    size = len(body)
    length = bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")
    return bytes([tag]) + length + body


def number(value: int, tag: int = 0x02) -> bytes:
    return tlv(tag, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The (tag, body) pairs that stand one after the other."""
    at = 0
    while at < len(data):
        tag, size = data[at], data[at + 1]
        at += 2
        if size & 0x80:
            more = size & 0x7F
            size, at = int.from_bytes(data[at : at + more], "big"), at + more
        yield tag, data[at : at + size]
        at += size


def id_of(name: str) -> uuid.UUID:
    """The server's own id of an entry of the world."""
    return uuid.uuid5(uuid.NAMESPACE_DNS, name)


@dataclass
class LdapDouble:
    """Use as a context manager; `url` is its address. `fault` may return a result code, or "close" or "bytes"."""

    world: World
    page: int = 100
    most_values: int = 0  # longer attributes are given in ranges; 0: whole
    ad: bool = False
    tls: ssl.SSLContext | None = None
    hidden: tuple[str, ...] = ()  # attributes that the reader may not see
    referral: bool = False
    loud: bool = False  # names members otherwise than it names the entries
    fault: Callable[[int], int | str] = lambda number: 0
    searches: list[tuple[str, list[str]]] = field(default_factory=list)  # base, attributes
    moved: dict[str, str] = field(default_factory=dict)  # id -> another part of its name

    def __post_init__(self) -> None:
        handler = type("_Bound", (_Session,), {"double": self})
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"{'ldaps' if self.tls else 'ldap'}://127.0.0.1:{self.port}"

    def __enter__(self) -> "LdapDouble":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def dn(self, id_: str) -> str:
        if id_ in self.world.groups:
            return f"cn={self.moved.get(id_, id_)},ou=groups,{BASE}"
        return f"uid={self.moved.get(id_, id_)},ou=people,{BASE}"

    def entries(self) -> list[Entry]:
        made: list[Entry] = []
        own = "objectGUID" if self.ad else "entryUUID"
        for id_, told in self.world.users.items():
            values = {
                "objectClass": [b"user" if self.ad else b"inetOrgPerson"], "objectCategory": [b"person"],
                "cn": [told["name"].encode()], "mail": [told["mail"].encode()],
                "employeeID" if self.ad else "employeeNumber": [told["number"].encode()],
            }  # fmt: skip
            if self.ad:
                values["userAccountControl"] = [b"514" if told.get("off") else b"512"]
            elif told.get("off"):
                values["pwdAccountLockedTime"] = [b"000001010000Z"]
            made.append((self.dn(id_), values))
        for id_, name in self.world.groups.items():
            members = [self.dn(one).encode() for one in self.world.members.get(id_, [])]
            if self.loud:
                members = [member.upper().replace(b",", b", ") for member in members]
            kinds = {"objectClass": [b"groupOfNames"], "objectCategory": [b"group"]}
            made.append((self.dn(id_), {**kinds, "cn": [name.encode()]} | ({"member": members} if members else {})))
        for id_, (_, values) in zip([*self.world.users, *self.world.groups], made, strict=True):
            values[own] = [id_of(id_).bytes_le if self.ad else str(id_of(id_)).encode()]
            for name in self.hidden:
                values.pop(name, None)
        return made


class _Session(socketserver.StreamRequestHandler):
    double: LdapDouble
    wbufsize = 1 << 16

    def handle(self) -> None:
        if self.double.tls is None:
            self.serve()
            return
        with contextlib.suppress(OSError), self.double.tls.wrap_socket(self.request, server_side=True) as secure:
            self.request = secure
            self.setup()
            self.serve()
            self.finish()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while (message := self.message()) and self.answer(*message):
                self.wfile.flush()

    def message(self) -> tuple[int, int, bytes, bytes] | None:
        """(id, operation, its body, controls) of the next message."""
        head = self.rfile.read(2)
        if len(head) < 2:
            return None
        size = head[1]
        if size & 0x80:
            size = int.from_bytes(self.rfile.read(size & 0x7F), "big")
        pieces = list(parts(self.rfile.read(size)))
        controls = next((body for tag, body in pieces[2:] if tag == 0xA0), b"")
        return int.from_bytes(pieces[0][1], "big"), pieces[1][0], pieces[1][1], controls

    def send(self, id_: int, operation: bytes, controls: bytes = b"") -> None:
        self.wfile.write(tlv(0x30, number(id_), operation, *([tlv(0xA0, controls)] if controls else [])))

    def answer(self, id_: int, operation: int, body: bytes, controls: bytes) -> bool:
        if operation == 0x60:
            (_, _), (_, user), (_, password) = parts(body)
            right = (user.decode(), password.decode()) == (USER, SECRET)
            self.send(id_, tlv(0x61, number(0 if right else 49, 0x0A), tlv(0x04), tlv(0x04)))
            return True
        if operation == 0x63:
            return self.search(id_, list(parts(body)), controls)
        return False

    def search(self, id_: int, told: list[tuple[int, bytes]], controls: bytes) -> bool:
        base, scope, chosen = told[0][1].decode(), told[1][1][0], told[6]
        attributes = [name.decode() for _, name in parts(told[7][1])]
        self.double.searches.append((base, attributes))
        fault = self.double.fault(len(self.double.searches))
        if fault == "close":
            return False
        if fault == "bytes":
            self.wfile.write(b"\x30\x05hello")
            return True
        if fault:
            done = tlv(0x65, number(int(fault), 0x0A), tlv(0x04), tlv(0x04, b"as the test says"))
            self.send(id_, done)
            return True
        found = [
            entry
            for entry in self.double.entries()
            if (entry[0].lower() == base.lower() if scope == 0 else entry[0].lower().endswith(base.lower()))
            and fits(chosen, entry[1])
        ]
        start, size = 0, len(found)
        for _, control in parts(controls):
            oid, *_, (_, value) = parts(control)
            if oid[1] == PAGED:
                ((_, pair),) = parts(value)
                (_, wanted), (_, cookie) = parts(pair)
                start, size = int(cookie or b"0"), min(int.from_bytes(wanted, "big"), self.double.page)
        for dn, values in found[start : start + size]:
            self.send(id_, tlv(0x64, tlv(0x04, dn.encode()), tlv(0x30, *self.given(values, attributes))))
        if self.double.referral:
            self.send(id_, tlv(0x73, tlv(0x04, b"ldap://other.example/dc=other")))
        cookie = str(start + size).encode() if start + size < len(found) else b""
        paged = tlv(0x30, tlv(0x04, PAGED), tlv(0x04, tlv(0x30, number(0), tlv(0x04, cookie))))
        self.send(id_, tlv(0x65, number(0, 0x0A), tlv(0x04), tlv(0x04)), paged)
        return True

    def given(self, values: dict[str, list[bytes]], attributes: list[str]) -> Iterator[bytes]:
        for asked in attributes:
            name, _, option = asked.partition(";")
            found = next((held for own, held in values.items() if own.lower() == name.lower()), None)
            if found is None:
                continue
            most, label = self.double.most_values, name
            if most and (option or len(found) > most):
                first = int(match[1]) if (match := re.match(r"range=(\d+)-", option)) else 0
                last = first + most - 1
                label = f"{name};range={first}-{'*' if last >= len(found) - 1 else last}"
                found = found[first : last + 1]
            yield tlv(0x30, tlv(0x04, label.encode()), tlv(0x31, *(tlv(0x04, value) for value in found)))


def fits(chosen: tuple[int, bytes], values: dict[str, list[bytes]]) -> bool:
    """Whether an entry fits a filter of and, or, not, equality and presence."""
    tag, body = chosen
    if tag == 0xA0:
        return all(fits(part, values) for part in parts(body))
    if tag == 0xA1:
        return any(fits(part, values) for part in parts(body))
    if tag == 0xA2:
        return not any(fits(part, values) for part in parts(body))
    lower: dict[str, Any] = {name.lower(): [value.lower() for value in held] for name, held in values.items()}
    if tag == 0x87:
        return body.decode().lower() in lower
    assert tag == 0xA3, tag
    (_, name), (_, value) = parts(body)
    return value.lower() in lower.get(name.decode().lower(), [])
