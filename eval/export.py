"""Adds cases to a file of one JSON object a line: each question once, checked by the reader, whole or not at all.

Knows no judgements. Try: python -m eval.feedback export --out my-questions.jsonl
"""

import json
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from errors import UsageError
from eval.cases import Case, read

_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029]")  # control characters that JSON lets stand


def as_line(value: Any) -> str:
    """JSON on one line, with nothing in it that steers a terminal."""
    text = json.dumps(value, ensure_ascii=False)
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def normal(question: str) -> str:
    """The question as it is compared with others: case, width of letters, punctuation and white space do not count."""
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", question).casefold()).strip() or question.strip()


def merged(path: Path, cases: Iterable[dict[str, Any]]) -> tuple[int, list[str]]:
    """Adds the cases whose questions the file does not hold; returns how many, and what people must know.

    Of two cases with the same question the later one is taken; a line that is in the file already is kept. Raises
    UsageError when the file holds a line that is no case, or cannot be written; it is then as it was.
    """
    path = Path(os.path.realpath(path))
    wanted: dict[str, dict[str, Any]] = {}
    told = []
    for case in cases:
        key = normal(case["question"])
        if key in wanted and not _alike(wanted.pop(key), case):
            told.append(f"approved twice, the later is taken: {as_line(case['question'])}")
        wanted[key] = case
    before = _bytes_of(path)
    held = {normal(case.question): case for case in read(path)} if before.strip() else {}
    new = {key: case for key, case in wanted.items() if key not in held}
    told += [
        f"is in the file already with another answer, which is kept: {as_line(case['question'])}"
        for key, case in wanted.items()
        if key in held and not _same(held[key], case)
    ]

    def checked(draft: Path) -> None:
        if len({normal(case.question) for case in read(draft)}) != len(held) + len(new):
            raise UsageError(f"What would be written to {path} is not read as it was meant. Nothing was written.")
        if _bytes_of(path) != before:
            raise UsageError(f"{path} was changed by another program meanwhile. Run again.")

    if new:
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        lines = "".join(f"{as_line(case)}\n" for case in new.values())
        written(path, before + gap + lines.encode(), checked)
    return len(new), told


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}. Name another file with --out.") from error


def written(path: Path, data: bytes, checked: Callable[[Path], None] = lambda draft: None) -> None:
    """Writes the file whole or not at all; `checked` sees it before and may raise. Raises UsageError."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():  # a device or pipe would be replaced by the file
        raise UsageError(f"{path} is no ordinary file. Name another.")
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", dir=path.parent)
        draft = Path(name)
        try:
            with open(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            checked(draft)
            if path.exists():
                shutil.copymode(path, draft)  # a new one is for its owner only
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}. Name another file.") from error


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("source", "alt_sources", "must_include"))


def _same(held: Case, case: dict[str, Any]) -> bool:
    sources = {case["source"], *case.get("alt_sources", [])} - {"-"}
    return set(held.sources) == sources and set(held.must_include) == set(case["must_include"])
