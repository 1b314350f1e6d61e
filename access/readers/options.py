"""The table of one system in the directory file: checked, and its secret from a file or the environment.

Knows no system. Try: python -m access.directory check
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from access.entries import DirectoryError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Options:
    """Reads each value by name; `done` then refuses what nobody asked for."""

    def __init__(self, name: str, table: Mapping[str, Any], base: Path) -> None:
        self.name, self._table, self._base = name, table, base
        self._asked: set[str] = set()

    def wrong(self, told: str) -> DirectoryError:
        """The error of this table."""
        return DirectoryError(f"[systems.{self.name}]: {told}. Correct it in the directory file.")

    def _value(self, name: str, default: Any, kind: type, told: str) -> Any:
        self._asked.add(name)
        value = self._table.get(name, default)
        if value is None:
            raise self.wrong(f"{name} is missing")
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.wrong(f"{name}: {value!r} is not {told}")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """A text; without a default it must be there and not empty."""
        value = self._value(name, default, str, "text").strip()
        if not value and default is None:
            raise self.wrong(f"{name} is empty")
        return str(value)

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of the choices; "" if it is not there."""
        value = self.text(name, "")
        if value and value not in choices:
            raise self.wrong(f"{name}: {value!r} is none of {', '.join(choices)}")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        return bool(self._value(name, default, bool, "true or false"))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, empty by default."""
        value = self._value(name, [], list, "a list of texts")
        if not all(isinstance(one, str) for one in value):
            raise self.wrong(f"{name}: {value!r} is not a list of texts")
        return tuple(value)

    def seconds(self, name: str, default: float) -> float:
        """A number from 0 to 60."""
        value = float(self._value(name, default, int | float, "a number"))  # type: ignore[arg-type]
        if not 0 <= value <= 60:
            raise self.wrong(f"{name}: {value:g} is not from 0 to 60")
        return value

    def address(self, name: str, default: str | None = None) -> str:
        """An https address; http on this machine only: what is sent there is a secret."""
        value = self.text(name, default).rstrip("/")
        try:
            parts = urlsplit(value)
            secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
            fits = secure and parts.hostname and not parts.query and not parts.username and parts.port != 0
        except ValueError:
            fits = False
        if not fits:
            raise self.wrong(f"{name}: {value!r} is no https:// address")
        return value

    def file(self, name: str) -> str:
        """The text of the file that is named."""
        path = self._base / Path(self.text(name)).expanduser()
        try:
            with path.open(encoding="utf-8-sig") as file:
                return file.read(100_000).strip()
        except (OSError, UnicodeDecodeError) as error:
            told = getattr(error, "strerror", None) or "no UTF-8"
            raise self.wrong(f"{name}: {path} cannot be read: {told}") from error

    def path(self, name: str) -> str | None:
        """The path of a file that is there; None where none is named."""
        self._asked.add(name)
        if name not in self._table:
            return None
        path = self._base / Path(self.text(name)).expanduser()
        if not path.is_file():
            raise self.wrong(f"{name}: {path} is no file")
        return str(path)

    def secret(self, name: str) -> str:
        """From the file at `NAME_file`, or the environment variable at `NAME_env`; never from the table itself."""
        self._asked |= {f"{name}_file", f"{name}_env"}
        if name in self._table:
            raise DirectoryError(
                f"[systems.{self.name}]: a secret does not belong into the directory file. "
                f"Put it into a file of its own and write {name}_file, or {name}_env."
            )
        if f"{name}_file" in self._table:
            value = self.file(f"{name}_file")
        else:
            value = os.environ.get(self.text(f"{name}_env", ""), "").strip()
        if not value or not value.isprintable():
            raise self.wrong(f"the secret is empty or no single line: {name}_file or {name}_env names where it stands")
        return value

    def done(self) -> None:
        """Raises DirectoryError for a name that nobody asked for."""
        if unknown := sorted(set(self._table) - self._asked):
            raise self.wrong(f"unknown name {unknown[0]!r}; known are {', '.join(sorted(self._asked))}")
