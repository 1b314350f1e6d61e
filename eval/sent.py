"""Times an event beside many documents: one document brought in alone, and what it changed found out.

Process time without a model, the best of five; nothing grows with the number of documents but the tables.
Try: python -m eval.bench event
"""

import itertools
import os
import time
from dataclasses import replace
from pathlib import Path

from access import local_caller
from config import Settings
from eval.timing import Figure, best, ms, own_index, temporary
from graph.changed import Changes, changes_of, look
from graph.view import view_of
from search import Index
from sources.events import Folder, event_of
from storage.filter import Filter
from storage.runs import Run

_BAR = 0.3  # seconds
_ROWS = 5


def event(settings: Settings, files: int = 10_000) -> list[Figure]:
    """A message among `files` documents with ten facts each: into the index, and what it changed."""
    with temporary() as place:
        docs = place / "docs"
        _write(docs, files)
        own = replace(settings, sources=(), events_dir=docs / "events")
        with own_index(place, docs, own, None) as index:
            index.sync()
            (facts,) = index.store.connection().execute("SELECT count(*) FROM evidence").fetchone()
            folder, numbers, sent = Folder(docs, docs / "events"), itertools.count(), list[str]()

            def send() -> None:
                number = next(numbers)
                made = event_of(f"We still use `svc-{number}-0`, whatever it says there.", author="user:local")
                folder.write(made)
                sent.append(f"events/{made.path}")
                index.sync_some(sent[-1:], Run("event"))

            ours = best(send)
            told = best(lambda: _changes(index, sent[-1]))
    details = {"files": files, "facts": facts}
    return [
        Figure("event", "one document into the index", ours, _BAR, "s", {**details, "ms": ms(ours)}),
        Figure("event", "what it changed, for one caller", told, _BAR, "s", {**details, "ms": ms(told)}),
    ]


def _write(folder: Path, files: int) -> None:
    then = time.time() - 3600
    for i in range(files):
        path = folder / f"{i // 100:04}" / f"{i:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = "\n".join(f"| `svc-{i}-{k}` | Team {(7 * i + k) % 300} | {k % 3} |" for k in range(_ROWS))
        text = f"# Page {i}\n\n| Service | Owner | Tier |\n|---|---|---|\n{rows}\n"
        path.write_text(text, encoding="utf-8")
        os.utime(path, (then, then))


def _changes(index: Index, path: str) -> Changes:
    who = local_caller()
    with index.store.reader(who) as reader:
        after = look(view_of(index, reader), path)
    with index.store.reader(who, 0, Filter(without=(path,))) as reader:
        return changes_of(look(view_of(index, reader), path, after), after)
