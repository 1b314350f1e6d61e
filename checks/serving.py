"""The server: whether one answers at the settings' address, or something else has its port.

Try: python server.py, and in another terminal python doctor.py
"""

import contextlib
import http.client
import json
from collections.abc import Iterator
from typing import Any

from checks import Check, ok, warn
from config import Settings

_SECONDS = 3.0


def server(settings: Settings) -> Iterator[Check]:
    """What stands at host and port; asks /healthz and /readyz and nothing else."""
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
        ready = _asked(host, settings.port, "/readyz")
        if not ready.get("ready"):
            yield warn("server", f"runs at {where} and is not ready: {ready.get('detail', '')}", f"curl {where}/readyz")
            return
    yield ok("server", f"runs at {where}")


def _asked(host: str, port: int, path: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        told = json.loads(connection.getresponse().read(100_000))
        return told if isinstance(told, dict) else {}
    finally:
        connection.close()
