"""What the benches share: a figure beside its bar, the clock, an index in a temporary folder, a process's memory.

Knows no bench. Try: python -m eval.bench chunking
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from config import PROJECT, Settings
from errors import UsageError
from models import Models
from search import Index
from sources.folder import FolderSource
from store import Store

TIMES = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure."""

    bench: str
    what: str
    value: float
    bar: float
    unit: str
    details: dict[str, Any]
    least: bool = False  # the bar is the least that is enough, not the most

    @property
    def ok(self) -> bool:
        """Whether the figure is on the right side of its bar, or at it."""
        return self.value >= self.bar if self.least else self.value <= self.bar


def best(call: Callable[[], Any]) -> float:
    """The least process time of TIMES calls after one to warm up, seconds."""
    call()
    times = []
    for _ in range(TIMES):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return max(min(times), 1e-9)


def ms(seconds: float) -> float:
    """Milliseconds, for the details of a figure."""
    return round(1000 * seconds, 2)


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """A folder of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="brain-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def own_index(folder: Path, docs: Path, settings: Settings, models: Models | None) -> Index:
    """An index of its own in `folder`, whose gate lets everything through; no models: keywords only."""
    own = replace(settings, docs_dir=docs, db=folder / "index.db", database="", min_score=-1.0, min_coverage=None)
    return Index(own, models or Models(None, None, ""), FolderSource(docs), Store(own.db))


def run(command: Sequence[str]) -> str:
    """What a command prints. Raises UsageError with the end of its complaint when it fails."""
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):  # 1: not found, which is an answer
        raise UsageError(f"{' '.join(command[:2])} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def peak_memory() -> int:
    """This process's peak resident memory in bytes.

    Linux tells the peak since the program began; getrusage's includes what its parent held before exec, so it is the
    second choice.
    """
    status = Path("/proc/self/status")
    if status.exists():
        row = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM:"))
        return 1024 * int(row.split()[1])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
