"""What the settings say of masking: which paths and values stay as they are, and which sources may hold special data.

One object for a sync or a reader; a document's text goes through `masked` wherever its file is read. Opens no file.
Try: BRAIN_UNMASKED_PATHS=examples/ python store.py --sync
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from chunking.front import front_matter
from config import Settings
from errors import UsageError
from masking import Masked, mask, mask_line
from settings.sources import SPECIAL_CATEGORIES, Declared

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SPECIAL = "special"
"""The key of a document that says itself that it holds data of a special category."""
_HEAD_LINES = 10  # of a converted text, which has no front matter: its first lines that are not blank
_LINE = re.compile(r"[\s#>*|_\"']*special[\s*_\"']*:[\s*_\"']*(?P<told>.*?)[\s*_|\"']*$", re.IGNORECASE)
_FRONT = re.compile(
    r"\ufeff?---[ \t]*(?:\r\n|\r|\n)(?P<inside>.*?)(?:\r\n|\r|\n)(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z)", re.DOTALL
)


class Policy:
    """The rules of one installation."""

    def __init__(self, settings: Settings) -> None:
        """Raises UsageError for a pattern that cannot be read."""
        self._paths, self._with_personal = settings.unmasked_paths, settings.mask_personal
        self._sources = sorted(settings.sources, key=lambda one: -len(one.path))
        try:
            self._patterns = [re.compile(pattern) for pattern in settings.unmasked_patterns]
        except re.error as error:
            raise UsageError(f"unmasked_patterns: {error.pattern!r} is no regular expression: {error}.") from error
        self._is_plain = not (self._paths or self._patterns or self._with_personal or self._sources)
        self.terms = self._digest(str(self._paths), *(f"{one.path}/{one.special_categories}" for one in self._sources))
        """Changes with every setting that decides how a document is read."""

    def masked(self, text: str, path: str, places: Sequence[str] = ()) -> Masked:
        """The document's text as it may be stored and shown."""
        if self._is_spared(path):
            return Masked(text)
        return mask(text, places, self._is_kept if self._patterns else None, self._with_personal)

    def mark(self, path: str) -> str:
        """What a document's text depends on beside its file; "" where no setting says anything of it."""
        if self._is_plain:
            return ""
        allowed = self._source_of(path)
        told = [str(self._is_spared(path))] + ([str(allowed.special_categories)] if allowed else [])
        if told in (["False"], ["False", "()"]) and not (self._patterns or self._with_personal):
            return ""
        return "/" + self._digest(*told)

    def objection(self, text: str, path: str, meta: Mapping[str, str] | None) -> str:
        """Why the document must not be taken in, "" where nothing is against it.

        `meta` is what a converted file says of itself, None for a text that may have front matter.
        """
        if mask_line(path) != path:
            return "its name holds a secret. Rename it, and change the secret"
        told = special(text, meta)
        if told is None:
            return ""
        found = [part.strip().lower() for part in told.strip("[]").split(",") if part.strip()]
        unknown = [part for part in found if part not in SPECIAL_CATEGORIES] or [told] * (not found)
        if unknown:
            known = ", ".join(SPECIAL_CATEGORIES)
            return f"its line `{SPECIAL}` names {unknown[0][:40]!r}, which is none of: {known}"
        source = self._source_of(path)
        if missing := [part for part in found if source is None or part not in source.special_categories]:
            where = f"[sources.{source.name}]" if source else "no [sources.NAME]"
            return (
                f"holds special-category data ({', '.join(missing)}), and {where} in brain.toml "
                f"{'does not say' if source else 'says'} by special_categories and reason why it is kept"
            )
        return ""

    def _digest(self, *more: str) -> str:
        told = repr(([pattern.pattern for pattern in self._patterns], self._with_personal, more))
        return hashlib.sha256(told.encode()).hexdigest()[:8]

    def _source_of(self, path: str) -> Declared | None:
        return next((one for one in self._sources if not one.path or path.startswith(f"{one.path}/")), None)

    def _is_spared(self, path: str) -> bool:
        return bool(self._paths) and bool(self._spared.match_file(path.casefold()))

    def _is_kept(self, value: str) -> bool:
        return any(pattern.fullmatch(value) for pattern in self._patterns)

    @cached_property
    def _spared(self) -> "GitIgnoreSpec":
        from pathspec import GitIgnoreSpec  # most installations spare nothing

        try:
            return GitIgnoreSpec.from_lines([path.casefold() for path in self._paths])
        except ValueError as error:
            raise UsageError(f"unmasked_paths: {error}.") from error


def special(text: str, meta: Mapping[str, str] | None) -> str | None:
    """What a document says after `special:`, None where it says no such thing; "" where that cannot be read."""
    if meta is None:
        if not (front := _FRONT.match(text)):
            return None
        lines = front["inside"].splitlines()
        if not any(_LINE.match(line) for line in (line[:300] for line in lines) if line[:1] not in " \t#"):
            return None
        told = front_matter(["---", *lines, "---"])[0]
        return next((value for key, value in told.items() if key.strip().lower() == SPECIAL), "")
    tags = (part.partition(":") for part in meta.get("tags", "").split(","))
    named = [value.strip() for key, colon, value in tags if colon and key.strip().lower() == SPECIAL]
    head = [line for line in text.split("\n", 200)[:200] if line.strip()][:_HEAD_LINES]
    named += [found["told"] for line in head if (found := _LINE.match(line[:300]))]
    return ", ".join(named) if named else None
