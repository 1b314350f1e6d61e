"""What surrounds a call of a model: who hears its words, how another thread ends it, and the ways in which it fails.

Knows no server and no prompt. Try: pytest tests/test_ollama_backend.py -k stop
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from errors import BadReply, ModelBusy, ModelError, Stopped


class Hopeless(ModelError):
    """Nothing listens, or the model lacks the ability: no text is to blame, no second try helps."""


class RunnerDied(ModelError):
    """What holds the model stopped or is being started; the next request may find it again."""


class NotANumber(BadReply):
    """The model's vector for one of the texts holds NaN; it will the next time, too."""


class AskedToWait(ModelBusy):
    """The server is busy and says for how long."""

    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self.seconds = seconds


class Listener(Protocol):
    """Hears a reply while it is written, in the thread that waits for it."""

    def piece(self, text: str) -> None:
        """Further text, without reasoning. All pieces together are the reply."""

    def withdrawn(self, why: str) -> None:
        """What was heard of this reply does not count; it begins anew."""


class Stop:
    """Ends the work of another thread, once and for good."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._ends: list[Callable[[], None]] = []

    def set(self) -> None:
        """Whoever works for this ends as soon as it can; a read that waits is broken off. Raises nothing."""
        with self._lock:
            self._event.set()
            for end in self._ends:
                end()

    def is_set(self) -> bool:
        """Whether it was asked for."""
        return self._event.is_set()

    def check(self) -> None:
        """Raises Stopped when it was asked for."""
        if self._event.is_set():
            raise Stopped("The question was withdrawn by the one who asked it.")

    def wait(self, seconds: float) -> None:
        """Waits so long, shorter when it is asked for meanwhile."""
        self._event.wait(seconds)

    @contextlib.contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """`end` is called (in the stopping thread) when it is asked for while the block runs, or was before.

        Once the block has ended `end` is not called any more, so what it ends may be let go.
        """
        with self._lock:
            if self._event.is_set():
                end()
            self._ends.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)
