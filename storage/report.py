"""What a sync tells while it runs and when it has ended. Try: python store.py --sync --json"""

from collections.abc import Callable
from dataclasses import dataclass, field

Progress = Callable[[int, int, str], None]
"""Called with how many are done, how many there are, and the path at hand."""


@dataclass(slots=True)
class Summary:
    """What a sync did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    embedded: int = 0  # texts
    refused: int = 0  # texts the model would not embed; found by keywords only
    skipped: list[tuple[str, str]] = field(default_factory=list)  # path, reason
    decoded: list[tuple[str, str]] = field(default_factory=list)  # path, encoding other than UTF-8
    seconds: float = 0.0
    embed_seconds: float = 0.0

    @property
    def wrote(self) -> bool:
        """Whether anything in the index changed."""
        return bool(self.added or self.changed or self.removed or self.embedded or self.refused)
