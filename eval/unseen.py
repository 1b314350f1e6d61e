"""Opening a long document that is not the caller's, against one that is not there: no time tells them apart.

Knows what the server does for a document's lines. Try: python -m eval.bench unseen
"""

import contextlib
import time
from pathlib import Path
from statistics import median

from access import local_caller
from config import Settings
from eval.timing import Figure, own_index, temporary
from search import Index
from service.documents import NotFound, document_lines


def unseen(settings: Settings) -> list[Figure]:
    """On SQLite."""
    with temporary() as folder, own_index(folder, folder / "docs", settings, None) as index:
        return [told_apart("unseen", index, folder / "docs")]


def told_apart(bench: str, index: Index, docs: Path, parts: int = 4000) -> Figure:
    """The figure for an index over the folder `docs`, where a document of so many parts is written."""
    docs.mkdir(exist_ok=True)
    long = "".join(f"## Part {number}\n\nText {number} of it.\n\n" for number in range(parts))
    (docs / "long.md").write_text(f"---\naccess: user:other\n---\n\n{long}", encoding="utf-8")
    index.sync()
    pairs = [(_seconds(index, "long.md"), _seconds(index, "none.md")) for _ in range(2000)]
    theirs, none = (median(times) for times in zip(*pairs, strict=True))
    details = {"chunks": parts, "not_yours_us": round(1e6 * theirs, 1), "not_there_us": round(1e6 * none, 1)}
    return Figure(bench, "p50, not yours / not there", theirs / none, 1.2, "x", details)


def _seconds(index: Index, path: str) -> float:
    started = time.perf_counter()
    with contextlib.suppress(NotFound):
        document_lines(index, local_caller(), path, 1, 400)
    return time.perf_counter() - started
