"""The machine: Python, packages, SQLite, the clock, memory. Knows no index; what it needs of one is handed in.

Try: python doctor.py
"""

import ctypes
import importlib.metadata
import re
import sqlite3
import sys
import time
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from checks import Check, fail, ok, warn
from config import PROJECT
from database import Connection

BUILT = datetime(2026, 11, 1, tzinfo=UTC)
"""No clock that is right tells an earlier time."""
OLDEST_SQLITE = (3, 37, 0)
FEATURES = {
    "FTS5": "CREATE VIRTUAL TABLE temp.doctor_words USING fts5 (x)",
    "STRICT": "CREATE TEMP TABLE doctor_strict (x INTEGER) STRICT",
    "JSON": """SELECT json('["x"]')""",
    "upsert": "INSERT INTO doctor_strict SELECT 1 WHERE 0 ON CONFLICT DO NOTHING",
}
_LITTLE = 0.05  # GB
_NEWER = "uv python install 3.12"


def python() -> Iterator[Check]:
    """Which Python, and whether the packages it needs are there."""
    yield ok("Python", f"{sys.version.split()[0]} at {sys.executable}")
    wanted = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    lacking = [name for row in wanted if not _is_installed(name := re.split(r"[^\w.-]", row, maxsplit=1)[0])]
    if lacking:
        yield fail("packages", f"not installed: {', '.join(lacking)}", "pip install .")
    else:
        yield ok("packages", f"{len(wanted)} of {len(wanted)} installed")


def sqlite(connection: Connection | None = None) -> Iterator[Check]:
    """Whether this Python's SQLite is new enough and can what the index asks of it."""
    own = connection or sqlite3.connect(":memory:")
    try:
        lacking = [name for name, sql in FEATURES.items() if not _can(own, sql)]
    finally:
        if connection is None:
            own.close()
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        yield fail("SQLite", f"{sqlite3.sqlite_version} is older than {'.'.join(map(str, OLDEST_SQLITE))}", _NEWER)
    elif lacking:
        yield fail("SQLite", f"{sqlite3.sqlite_version} lacks {', '.join(lacking)}", _NEWER)
    else:
        yield ok("SQLite", f"{sqlite3.sqlite_version} with {', '.join(FEATURES)}")


def clock(now: float | None = None) -> Iterator[Check]:
    """Whether the machine's clock can be right."""
    told = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    if told < BUILT:
        yield fail("clock", f"says {told:%Y-%m-%d}, before this program was made", "timedatectl set-ntp true")
    else:
        yield ok("clock", f"{told:%Y-%m-%d %H:%M} UTC")


def memory(needs: dict[str, float], machine: tuple[float, float] | None = None) -> Iterator[Check]:
    """Whether what is needed (name -> GB) fits the machine's memory; `machine`: GB in all and free."""
    found = machine or _memory()
    if not found:
        yield ok("memory", "this system does not tell how much there is")
        return
    total, free = found
    parts = ", ".join(f"{name} {size:.1f}" for name, size in needs.items() if size >= _LITTLE)
    told = f"{total:.1f} GB, {free:.1f} free; " + (f"{parts} needed" if parts else "hardly any needed")
    if sum(needs.values()) > total:
        helps = "smaller models: QWEN_CHAT_MODEL, BRAIN_EMBED_MODEL; a smaller BRAIN_NUM_CTX (manual/ollama.md)"
        yield warn("memory", told, helps)
    else:
        yield ok("memory", told)


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _can(connection: Connection, sql: str) -> bool:
    try:
        connection.execute(sql)
    except sqlite3.Error:
        return False
    return True


def _memory() -> tuple[float, float] | None:
    """GB in all and free; None where the system does not tell."""
    rows = Path("/proc/meminfo")
    if rows.exists():
        text = rows.read_text(encoding="ascii")
        told = {name: int(size) / 1e6 for name, size in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
        return told["MemTotal"], told.get("MemAvailable", told["MemFree"])
    if sys.platform == "win32":
        return _windows_memory()
    import os

    try:
        size = os.sysconf("SC_PAGE_SIZE")
        total = os.sysconf("SC_PHYS_PAGES") * size / 1e9
        return total, total
    except (ValueError, OSError):
        return None


def _windows_memory() -> tuple[float, float] | None:
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong), ("load", ctypes.c_ulong), ("total", ctypes.c_ulonglong),
            ("free", ctypes.c_ulonglong), ("rest", ctypes.c_ulonglong * 5),
        )  # fmt: skip

    told = Status(length=ctypes.sizeof(Status))
    windows = getattr(ctypes, "windll", None)
    if windows is None or not windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(told)):
        return None
    return told.total / 1e9, told.free / 1e9
