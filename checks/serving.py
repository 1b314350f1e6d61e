"""The server: whether one answers at the settings' address, or something else has its port.

Try: python server.py, and in another terminal python doctor.py
"""

import contextlib
import http.client
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from access.identity import Unauthenticated, signs_in
from checks import Check, fail, ok, warn
from config import Settings
from errors import BrainError, StoreError

_SECONDS = 3.0
_TOLD = ("documents", "chunks", "last_indexed")  # by /readyz, of the index that is served


def server(settings: Settings) -> Iterator[Check]:
    """What stands at host and port, and whether it serves the settings' index; asks /healthz and /readyz alone."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    where = f"{host}:{settings.port}"
    if not settings.port:
        yield ok("server", "takes any free port")
        return
    try:
        alive = _asked(host, settings.port, "/healthz")
    except (ConnectionRefusedError, ConnectionResetError):
        yield ok("server", f"none runs; port {where} is free")
        return
    except (OSError, http.client.HTTPException, ValueError) as error:
        alive = {"error": str(error)}
    if alive.get("status") != "alive":
        yield warn("server", f"port {where} belongs to another program", "python server.py --port 8080")
        return
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        before = _held(settings)
        ready = _asked(host, settings.port, "/readyz")
        if ready.get("code") == Unauthenticated.code:
            yield ok("server", f"runs at {where}; it asks who comes, so which index it serves was not looked at")
            return
        serves = {name: ready.get(name) for name in _TOLD}
        now = _held(settings)  # once more: a sync may have changed it meanwhile
        if now and serves["documents"] is not None and serves not in (before, now):
            told = f"serves another index: {_counted(serves)}, not {_counted(now)}"
            helps = "look with --docs and --db of that server, or start one of this index: python server.py --port 8080"
            yield warn("server", f"the one at {where} {told}", helps)
            return
        if not ready.get("ready"):
            yield warn("server", f"runs at {where} and is not ready: {ready.get('detail', '')}", f"curl {where}/readyz")
            return
    yield ok("server", f"runs at {where}")


def admits(settings: Settings) -> Iterator[Check]:
    """Whether the server at host and port asks who comes, where the settings say so; sends it no credentials."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    where = f"{host}:{settings.port}"
    try:
        told = _asked(host, settings.port, "/readyz") if settings.port else {}
    except (OSError, http.client.HTTPException, ValueError):
        told = {}
    if "code" not in told:  # which every reply of ours has here
        yield ok("server", f"none of ours runs at {where}: nobody can ask it")
    elif told["code"] == Unauthenticated.code:
        yield ok("server", f"the one at {where} shows nothing to whoever sends no credentials")
    elif signs_in(settings) and settings.auth[-1] != "none":
        shown = f"the one at {where} replies to whoever sends no credentials, whatever BRAIN_AUTH says"
        yield fail("server", f"{shown}: it was started with other settings", "restart it with these settings")
    else:
        yield ok("server", f"the one at {where} asks nobody who they are, as the settings say")


def _held(settings: Settings) -> dict[str, Any] | None:
    """What the index holds now, in the words of /readyz; None of one that cannot be read."""
    from storage.schema import reading  # it needs packages; where they lack, the other looks go on
    from store import connected

    counts = "SELECT count(*), (SELECT count(*) FROM chunks), max(indexed_at) FROM documents"
    if settings.database:
        with contextlib.suppress(BrainError), connected(settings) as held:
            return dict(zip(_TOLD, held.execute(counts).fetchone(), strict=True))
        return None
    path = Path(os.path.realpath(settings.db))
    if not path.exists():
        return dict(zip(_TOLD, (0, 0, None), strict=True))
    try:
        with contextlib.closing(reading(path)) as connection:
            return dict(zip(_TOLD, connection.execute(counts).fetchone(), strict=True))
    except (sqlite3.Error, StoreError):
        return None


def _counted(held: dict[str, Any]) -> str:
    return f"{held['documents']} documents read last {str(held['last_indexed'] or 'never')[:19]}"


def _asked(host: str, port: int, path: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        told = json.loads(connection.getresponse().read(100_000))
        return told if isinstance(told, dict) else {}
    finally:
        connection.close()
