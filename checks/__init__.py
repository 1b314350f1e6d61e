"""Insides of doctor.py: what is looked at, a subject a file. A look changes nothing and loads no model.

Each look yields Checks; one that fails itself is told as a check that failed. Try: python doctor.py
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["ok", "warn", "fail"]
_NAMED = 3  # of things that a line tells by name


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of one thing."""

    name: str
    status: Severity
    text: str  # what, and where
    mends: str = ""  # the command that helps, "" where none is needed
    away: bool = False  # the failure is a model that cannot be asked


def ok(name: str, text: str) -> Check:
    """All is well."""
    return Check(name, "ok", text)


def warn(name: str, text: str, mends: str) -> Check:
    """It works, but not as it should, or not for long."""
    return Check(name, "warn", text, mends)


def fail(name: str, text: str, mends: str, *, away: bool = False) -> Check:
    """It does not work."""
    return Check(name, "fail", text, mends, away)


def looked(name: str, look: Callable[[], Iterable[Check]]) -> list[Check]:
    """What a look found; an error of its own is a check that failed, never the end of the others."""
    found: list[Check] = []
    try:
        found.extend(look())
    except ImportError as error:
        found.append(fail(name, f"a package is not installed: {error}", "pip install ."))
    except Exception as error:
        told = str(error) or type(error).__name__
        found.append(fail(name, f"cannot be looked at: {told}", "python store.py --status"))
    return found


def many(count: int, what: str, more: str = "") -> str:
    """`1 file`, `1,200 files`; `more` where the plural is no s."""
    return f"{count:,} {what if count == 1 else more or f'{what}s'}"


def listed(names: Sequence[str], between: str = ", ") -> str:
    """The first names in their order, and how many there are besides."""
    more = f"{between}and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return between.join(sorted(names)[:_NAMED]) + more
