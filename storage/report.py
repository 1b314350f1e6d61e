"""What a sync tells while it runs and when it has ended. Try: python store.py --sync --json"""

from collections.abc import Callable
from dataclasses import dataclass, field

EMPTY = "is empty"
"""Why a file without text is left out: nobody needs to be warned of it."""
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
    notes: list[tuple[str, str]] = field(default_factory=list)  # path, what is amiss with a document that is indexed
    decoded: list[tuple[str, str]] = field(default_factory=list)  # path, encoding other than UTF-8
    warnings: int = 0  # files with a note, or left out though not empty
    seconds: float = 0.0
    embed_seconds: float = 0.0

    @property
    def wrote(self) -> bool:
        """Whether anything in the index changed."""
        return bool(self.added or self.changed or self.removed or self.embedded or self.refused)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a file that is indexed."""

    path: str
    format: str  # its ending without the dot
    characters: int  # of its text
    chunks: int
    notes: tuple[str, ...]  # "page 3 has no text"
    indexed_at: str  # UTC, ISO 8601

    def __str__(self) -> str:
        notes = "".join(f"; {note}" for note in self.notes)
        return f"{self.path}: {self.format}, {self.characters:,} characters in, {self.chunks} chunks out{notes}"
