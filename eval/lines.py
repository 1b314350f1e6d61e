"""Files of one JSON object a line, read with the place of the first that is not what it should be.

Knows no data sets. Try: python -m eval.proof --data . --only cases
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from errors import UsageError

_Made = TypeVar("_Made")


def read(path: Path, made: Callable[[dict[str, Any]], _Made], what: str) -> list[_Made]:
    """What `made` makes of each line that is not blank. Raises UsageError at a line that is no `what`."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip():
            try:
                found.append(made(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(f"{path}:{number}: no {what} ({error}).") from error
    return found
