"""How long the parts of an answer took. Try: python answer.py "..." --json, and see `timings`."""

import contextlib
import time
from collections.abc import Iterator


class Clock:
    """Begins to run when it is made."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._laps: dict[str, float] = {}

    @contextlib.contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """Adds what the block takes to `name`."""
        start = time.perf_counter()
        yield
        self._laps[name] = self._laps.get(name, 0.0) + time.perf_counter() - start

    def reached(self, name: str) -> None:
        """Notes how long it took from the start to here; the first time counts."""
        self._laps.setdefault(name, time.perf_counter() - self._started)

    def seconds(self) -> dict[str, float]:
        """Every part in seconds, and the `total` until now."""
        return {name: round(s, 4) for name, s in (self._laps | {"total": time.perf_counter() - self._started}).items()}
