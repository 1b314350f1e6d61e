"""What a sync tells while it runs and when it has ended. Try: python store.py --sync --json"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

Progress = Callable[[int, int, str], None]
"""Called with how many are done, how many there are, and the path at hand."""

FILLING = "vectors"
"""The path at hand while what is indexed already is embedded."""


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

    def after(self, first: "Summary") -> "Summary":
        """This sync and the one just before it as one."""
        both = replace(self)
        for name in ("added", "changed", "removed", "embedded", "refused", "seconds", "embed_seconds"):
            setattr(both, name, getattr(first, name) + getattr(self, name))
        both.unchanged = max(0, self.unchanged - first.added - first.changed)
        return both

    @property
    def wrote(self) -> bool:
        """Whether anything in the index changed."""
        return bool(self.added or self.changed or self.removed or self.embedded or self.refused)
