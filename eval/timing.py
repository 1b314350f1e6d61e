"""What every bench shares: a figure beside its bar, and the clock.

Process time, the best of five after one to warm up: what else a machine does meanwhile moves it least. Knows no bench.
Try: python -c "from eval.timing import best; print(best(lambda: sum(range(10**6))))"
"""

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import PROJECT
from errors import UsageError

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
    """Milliseconds, for a table."""
    return round(1000 * seconds, 2)


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="brain-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def run(command: Sequence[str]) -> str:
    """What a command prints. Raises UsageError when it fails."""
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):  # 1: not found, which is an answer
        raise UsageError(f"{' '.join(command[:2])} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
