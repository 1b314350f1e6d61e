"""What may go to which model: the words of restricted sources to none on a host that is not named for them.

Decided by the name in a model's address alone; one that cannot be read is outside, and no name is looked up. Knows
paths and addresses, opens no file. Try: python doctor.py
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Protocol
from urllib.parse import urlsplit

from access.sources import declared, source_of
from config import Settings
from settings.sources import Declared

SETTING = "BRAIN_RESTRICTED_HOSTS"
RESTRICTED = "restricted"
UNREADABLE = "an address that cannot be read"
_THIS_MACHINE = ip_network("127.0.0.0/8"), ip_network("::1/128")


class Located(Protocol):
    """What says where it runs: an Embedder, a ChatModel, a Reranker."""

    @property
    def url(self) -> str:
        """Address of the server that texts are sent to, "" in this process."""
        ...


def host_of(url: str) -> str:
    """The host in an address, in lower case; UNREADABLE where two readers could take it for two hosts."""
    try:
        host = None if re.search(r"[^!-~]|[\\@%]", url) else urlsplit(url).hostname
    except ValueError:
        host = None
    return host or UNREADABLE


def is_inside(url: str, allowed: Iterable[str]) -> bool:
    """Whether what runs there may see restricted passages: this process, this machine by its usual names, a host in
    `allowed`."""
    if not url:
        return True
    host = host_of(url)
    if host in ("localhost", *(name.lower().strip("[]") for name in allowed)):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in _THIS_MACHINE)


@dataclass(frozen=True, slots=True)
class Border:
    """Between the documents and some models."""

    host: str  # the first outside; "" where none is, or where no source is restricted: then nothing is held back
    sources: tuple[Declared, ...]
    root: str  # the documents' folder

    def holds(self, path: str) -> bool:
        """Whether a document's words must not reach all of these models: by where it stands, or where a link leads."""
        return bool(self.host) and (self._is_restricted(path) or self._is_restricted(self._target(path)))

    def _is_restricted(self, path: str) -> bool:
        return source_of(self.sources, path).sensitivity == RESTRICTED

    def _target(self, path: str) -> str:
        place = os.path.join(self.root, path)
        if not os.path.islink(place):  # a folder behind a link is not read, so it can be the file alone
            return path
        return os.path.relpath(os.path.realpath(place), os.path.realpath(self.root)).replace(os.sep, "/")

    def why(self, paths: Iterable[str]) -> str:
        """A clause that names the first document held back and the setting; "" where none is."""
        held = next(filter(self.holds, paths), "")
        return f"{held} is restricted, and {SETTING} does not name {self.host}, where the model runs" if held else ""


def border(settings: Settings, *models: Located | None) -> Border:
    """What is held back from these models; None stands for one that is not there. Raises UsageError."""
    urls = [model.url for model in models if model] if restricted(settings) else []
    outside = [url for url in urls if not is_inside(url, settings.restricted_hosts)]
    return Border(host_of(outside[0]) if outside else "", declared(settings.sources, True), str(settings.docs_dir))


def restricted(settings: Settings) -> list[Declared]:
    """The sources marked `restricted`."""
    return [one for one in settings.sources if one.sensitivity == RESTRICTED]
