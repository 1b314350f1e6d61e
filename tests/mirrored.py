"""A drive on loopback and a copy of it below a documents' folder, for the tests of both and of schedules.

`with mirrored(folder) as wiki: wiki.go()` makes a pass.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from access import AccessList
from config import Settings, load
from sources.drive.mirror import Report
from sources.drive.passing import run
from sources.folder import folder_of
from storage.lock import locked
from storage.schema import connect
from tests.drive_double import ROOT, DriveDouble


@cache
def service_account() -> tuple[str, Any]:
    """The key file of one, and the public key."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    forms = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    told = {
        "type": "service_account", "client_email": "brain@project.iam", "private_key_id": "k1",
        "private_key": made.private_bytes(*forms).decode(),
    }  # fmt: skip
    return json.dumps(told), made.public_key()


@dataclass
class Mirrored:
    """A drive, and a copy of it below a documents' folder."""

    drive: DriveDouble
    settings: Settings
    connection: sqlite3.Connection

    @property
    def root(self) -> Path:
        return self.settings.docs_dir / "wiki"

    def go(self, lists_only: bool = False, **more: Any) -> Report:
        syncing = partial(locked, self.settings.db)
        source = self.settings.sources[0]
        return run(self.settings, source, self.connection, locked, syncing, lists_only=lists_only, **more)

    def texts(self) -> dict[str, str]:
        """Every document that the folder source finds, with its text."""
        source = folder_of(self.settings)
        return {entry.path: source.read(entry.path).decode() for entry in source.entries()}

    def lists(self) -> dict[str, set[str]]:
        """Who may read each document, as the rules say."""
        source = folder_of(self.settings)
        paths = [entry.path for entry in source.entries()]
        assert [one for one in source.skipped() if one[0].endswith("access.toml")] == []
        found = {path: source.access(path) for path in paths}
        assert all(listed == AccessList(listed.allow) for listed in found.values())
        return {path: set(listed.allow) for path, listed in found.items()}

    def declare(self, **more: Any) -> None:
        """The same with other words in brain.toml."""
        (source,) = self.settings.sources
        self.settings = replace(self.settings, sources=(source._replace(**more),))


def brain_toml(folder: Path, drive: DriveDouble, more: str = "") -> Settings:
    """Settings files in the folder, and what they say; `more` is added to the source's table."""
    (folder / "docs").mkdir()
    (folder / "key.json").write_text(service_account()[0])
    (folder / "directory.toml").write_text(
        "[systems.ws]\nreader = 'google'\nkey_file = 'key.json'\nadmin = 'admin@example.com'\npause_seconds = 0\n"
        + "".join(f"{name} = '{drive.host}'\n" for name in ("url", "login_url", "drive_url"))
    )
    (folder / "brain.toml").write_text(
        "docs_dir = 'docs'\ndb = 'index.db'\ndirectory = 'directory.toml'\nbackend = 'embedded'\nport = 0\n"
        f"[sources.wiki]\npath = 'wiki'\nreader = 'drive'\nsystem = 'ws'\nfolder = '{ROOT}'\nowner = 'user:owner'\n"
        + more
    )
    return load(environment={"BRAIN_CONFIG": str(folder / "brain.toml")})


@contextlib.contextmanager
def mirrored(folder: Path, more: str = "") -> Iterator[Mirrored]:
    """An empty drive, a group of the directory, and nothing copied yet."""
    with DriveDouble(public_key=service_account()[1], page=100) as drive:
        drive.folder(ROOT, "Drive", parent="")
        settings = brain_toml(folder, drive, more)
        with closing(connect(settings.db)) as connection:
            connection.execute("INSERT INTO directories VALUES ('ws', '2026-11-30T00:00:00+00:00', 0, 1, 0)")
            connection.execute("INSERT INTO directory_groups VALUES ('ws/g1', 'ws', 'HR', 'hr@example.com')")
            yield Mirrored(drive, settings, connection)
