"""The parts of the documents' folder that are sources of their own, as the settings declare them.

`[sources.NAME]` in brain.toml declares one, the setting `events_dir` another. Knows only the standard library.
Try: python -m access.sources
"""

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from errors import UsageError

_SPAN = re.compile(r"\d{1,6}[smhd]")


class Span(str):
    """A time such as `90s`, `30m`, `6h` or `2d`; "" for never. Raises ValueError."""

    def __new__(cls, text: str) -> "Span":
        made = super().__new__(cls, text.strip())
        if made and not (_SPAN.fullmatch(made) and 0 < made.seconds <= 366 * 86400):
            raise ValueError(text)
        return made

    @property
    def seconds(self) -> float:
        """Its length; infinity for never."""
        return float(self[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[self[-1]] if self else math.inf


class Declared(NamedTuple):
    """A part of the documents' folder that is a source of its own: `[sources.NAME]` in brain.toml."""

    name: str
    path: str = ""  # below the documents' folder, with slashes; "" for all of it
    owner: str = ""  # a principal
    sensitivity: str = "internal"
    change_rate: str = "weekly"
    default: str = ""  # who may read what no rule names, while there is no rule; principals with commas between them
    reader: str = "folder"
    schedule: Span = Span("")
    access_schedule: Span = Span("")  # of the access lists alone, where the reader brings them
    system: str = ""  # whose credentials the reader takes: [systems.NAME] of the directory's file
    folder: str = ""  # the id of the folder there, or of the shared drive
    anyone: str = ""  # principals that hold what is granted to anyone; nobody where there is none
    with_link: str = ""  # "domain", "anyone": whose grants count though they need the link
    special_categories: tuple[str, ...] = ()  # of SPECIAL_CATEGORIES, that its documents may hold
    reason: str = ""  # why they may
    is_for_events: bool = False  # made for the setting `events_dir`, not declared: it may be empty

    @property
    def terms(self) -> tuple[str, ...]:
        """What the access lists of its documents depend on."""
        return self[:6] + ((self.reader,) if self.reader != "folder" else ())

    def is_mirror_in(self, other: "Declared") -> bool:
        """Whether both are filled from outside, this one below the other."""
        return self.reader == other.reader == "drive" and self.path.startswith(f"{other.path}/")


READERS = ("folder", "drive")
LINKS = ("domain", "anyone")
SENSITIVITIES = ("public", "internal", "confidential", "restricted")
SPECIAL_CATEGORIES = ("origin", "politics", "belief", "union", "genetics", "biometrics", "health", "sexuality")
"""Data that Article 9 of the GDPR protects, each by one word."""
CHANGE_RATES = ("hourly", "daily", "weekly", "monthly", "rarely")
_NAMED = Declared._fields[1:-1]
_OWN_PLACE = "Name a folder of its own below the documents' folder, such as docs/events."


def nearest(name: str, known: Iterable[str]) -> str:
    """ " Did you mean ...?" where something known is near to the name, else ""."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean {close[0]}?" if close else ""


def sources_of(value: Any) -> tuple[Declared, ...]:
    """What the tables `[sources.NAME]` declare. Raises UsageError, TypeError for what are no tables."""
    if not isinstance(value, dict):
        raise TypeError
    found: list[Declared] = []
    for name, table in value.items():
        if not isinstance(table, dict):
            raise TypeError
        table = {**table, "special_categories": _categories(name, table)}
        if not all(isinstance(one, str) for key, one in table.items() if key != "special_categories"):
            raise UsageError(f"[sources.{name}] has a value that is no text.")
        if unknown := set(table) - set(_NAMED):
            raise UsageError(f"[sources.{name}]: unknown name `{min(unknown)}`.{nearest(min(unknown), _NAMED)}")
        made = Declared(name, **{**table, "path": table.get("path", "").replace("\\", "/").strip("/")})
        made = _checked(made)
        if {".", ".."} & set(made.path.split("/")) or made.path in (one.path for one in found):
            raise UsageError(f"[sources.{name}]: path {made.path!r} is not below the folder, or another source's.")
        if any(made.is_mirror_in(one) or one.is_mirror_in(made) for one in found):
            raise UsageError(f"[sources.{name}]: path {made.path!r} and another mirror's lie in each other.")
        found.append(made)
    return tuple(found)


def _categories(name: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    found = table.get("special_categories", [])
    if not isinstance(found, list) or not all(one in SPECIAL_CATEGORIES for one in found):
        raise UsageError(f"[sources.{name}]: special_categories is no list of {', '.join(SPECIAL_CATEGORIES)}.")
    if found and not str(table.get("reason", "")).strip():
        raise UsageError(f"[sources.{name}]: special_categories needs a `reason`: why such data may be kept here.")
    return tuple(found)


def _checked(made: Declared) -> Declared:
    where = f"[sources.{made.name}]"
    for held, choices in (
        (made.sensitivity, SENSITIVITIES), (made.change_rate, CHANGE_RATES), (made.reader, READERS),
        *((link.strip(), LINKS) for link in made.with_link.split(",") if link.strip()),
    ):  # fmt: skip
        if held not in choices:
            raise UsageError(f"{where}: {held!r} is not one of {', '.join(choices)}.")
    only = ("path", "system", "folder", "access_schedule", "anyone", "with_link")
    brought = {name: getattr(made, name) for name in only}
    if made.reader == "drive" and made.default:
        raise UsageError(f"{where}: default is for a folder; Drive says itself who may read.")
    if made.reader == "drive" and not all([*brought.values()][:3]):
        raise UsageError(f"{where}: the reader drive needs path, system and folder. See manual/drive.md")
    if made.reader == "folder" and (odd := [name for name, value in brought.items() if value and name != "path"]):
        raise UsageError(f'{where}: {odd[0]} is for a source with reader = "drive".')
    try:
        return made._replace(schedule=Span(made.schedule), access_schedule=Span(made.access_schedule))
    except ValueError as error:
        raise UsageError(f"{where}: a schedule: {str(error)!r} is not a time such as 30m or 6h.") from error


def with_events(sources: tuple[Declared, ...], folder: Path, docs_dir: Path, guarded: bool) -> tuple[Declared, ...]:
    """The sources and one more for the folder of events, unless it is declared: so its rules bind no other document.

    Everyone may read there what the front matter does not narrow, whatever holds around it, unless an access.toml
    says otherwise; `guarded`: people sign in. Raises UsageError for a folder that cannot hold documents.
    """
    try:
        path = folder.relative_to(docs_dir).as_posix()
    except ValueError as error:
        raise UsageError(f"events_dir: {folder} is not below {docs_dir}. {_OWN_PLACE}") from error
    if any(part.startswith((".", "~$")) for part in path.split("/")):  # `.` is the documents' folder itself
        told = "is the documents' folder itself" if path == "." else "is hidden, so nothing in it would be read"
        raise UsageError(f"events_dir: {folder} {told}. {_OWN_PLACE}")
    if any(one.path == path for one in sources):
        return sources
    around = [one for one in sources if not one.path or path.startswith(f"{one.path}/")]
    near = max(around, key=lambda one: len(one.path), default=Declared("", owner="" if guarded else "user:local"))
    if near.reader != "folder":
        raise UsageError(f"events_dir: {folder} lies in {near.name}, which is filled from outside. {_OWN_PLACE}")
    default = "everyone" if guarded or near.default else ""
    made = Declared(
        "events", path, near.owner, near.sensitivity, default=default, special_categories=near.special_categories,
        reason=near.reason, is_for_events=True,
    )  # fmt: skip
    return (*sources, made)
