"""Shows a terminal what a chat model writes while it writes it; the checked answer is printed below when it is there.

Knows no search. Try: python answer.py "How many vacation days do I get after one year?", with a chat model
"""

from collections.abc import Callable
from typing import TypeVar

from answering.events import Event, Tell, Token, Withdrawn
from commandline import out

_T = TypeVar("_T")


def drafted(ask: Callable[[Tell], _T]) -> _T:
    """What `ask` returns, its text shown meanwhile."""
    draft = _Draft()
    try:
        answered = ask(draft.tell)
    finally:
        draft.end_line()  # also before an error's line
    if draft.begun:
        out("-- checked:\n")
    return answered


class _Draft:
    def __init__(self) -> None:
        self.begun = self._open = False

    def tell(self, event: Event) -> None:
        if isinstance(event, Token):
            self.begun = self._open = True
            out(event.text, end="")
        elif isinstance(event, Withdrawn) and self.begun:
            self.end_line()
            out(f"-- withdrawn: {'; '.join(event.why)}\n")

    def end_line(self) -> None:
        if self._open:
            out("\n")
        self._open = False
