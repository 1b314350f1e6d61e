"""What a sync tells while it runs and when it has ended. Try: python store.py --sync --json"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

EMPTY, BARE = "is empty", "has no text below its headings"
LACKS_NOTHING = (EMPTY, BARE)
"""Why a file without text is left out: nobody needs to be warned of it."""
Progress = Callable[[int, int, str], None]
"""Called with how many are done, how many there are, and the path at hand."""
MOST_NAMED = 5
"""Documents that a sync names; of more it tells the numbers."""

NOT_LOOKED_AT = "not_looked_at"
"""The row of `meta` that keeps the last sync's count of files that nothing reads, by ending, as JSON."""
_MOST_ENDINGS = 12

_ADDED = (
    "added", "changed", "removed", "embedded", "refused", "facts_in", "facts_out", "things", "model_calls", "seconds",
    "embed_seconds", "read", "read_anew", "read_facts", "read_dropped", "unread",
)  # fmt: skip

FILLING = "vectors"
"""The path at hand while what is indexed already is embedded."""
READING = "facts in prose"
"""The same while the chat model reads, of the calls that it may take."""


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
    not_looked_at: dict[str, int] = field(default_factory=dict)  # files of kinds that nothing reads, by ending
    named: list[tuple[str, str]] = field(default_factory=list)  # "added" | "changed" | "removed", path: the first ones
    warnings: int = 0  # files with a note, or left out though not empty
    facts_in: int = 0  # statements with their place, of documents that were written
    facts_out: int = 0  # the same of documents that were replaced or went
    things: int = 0  # that the written documents name
    model_calls: int = 0
    read: int = 0  # chunks of prose in which a chat model's facts were looked for, of texts read before as well
    read_anew: int = 0  # of these with a call of the model
    read_facts: int = 0  # that it found there
    read_dropped: int = 0  # that it told and that do not stand there
    unread: int = 0  # calls of which nothing could be read
    seconds: float = 0.0
    embed_seconds: float = 0.0

    def name(self, what: str, path: str) -> None:
        """Counts a document as "added", "changed" or "removed", and remembers its path unless there are many."""
        setattr(self, what, getattr(self, what) + 1)
        if len(self.named) < MOST_NAMED:
            self.named.append((what, path))

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """What could not be used, with the reason; empty files aside, which lack nothing."""
        return [(path, reason) for path, reason in self.skipped if reason not in LACKS_NOTHING]

    @property
    def few(self) -> list[tuple[str, str]]:
        """Every document that was touched, by name; empty where they are more than MOST_NAMED."""
        touched = self.added + self.changed + self.removed
        return list(self.named) if touched == len(self.named) else []

    def after(self, first: "Summary") -> "Summary":
        """This sync and the one just before it as one."""
        both = replace(self)
        for name in _ADDED:
            setattr(both, name, getattr(first, name) + getattr(self, name))
        both.decoded = list(dict.fromkeys(first.decoded + self.decoded))
        both.named = (first.named + self.named)[:MOST_NAMED]
        both.unchanged = max(0, self.unchanged - first.added - first.changed)
        return both

    @property
    def wrote(self) -> bool:
        """Whether anything in the index changed."""
        return bool(
            self.added or self.changed or self.removed or self.embedded or self.refused or self.read or self.unread
        )


def parted(left_out: Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """For people: what could not be used with its reason, and apart from it the files that are empty."""
    return {
        "left_out": [(path, reason) for path, reason in left_out if reason not in LACKS_NOTHING],
        "empty": [(path, reason) for path, reason in left_out if reason in LACKS_NOTHING],
    }


def passed_by(endings: Mapping[str, int]) -> str:
    """Files that nothing here reads, the most frequent endings first: "12 files (.msg 7, .png 4, .docm 1)"."""
    count = sum(endings.values())
    ranked = sorted(endings.items(), key=lambda one: (-one[1], one[0]))
    told = [f"{ending or 'no ending'} {n}" for ending, n in ranked[:_MOST_ENDINGS]]
    more = sum(n for _, n in ranked[_MOST_ENDINGS:])
    told += [f"others {more}"] if more else []
    return f"{count:,} file{'s' * (count != 1)} ({', '.join(told)})" if count else "none"


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
