"""`python store.py --watch`: follows the documents and prints a line for every sync that changed something.

Knows how lines look and nothing of how changes are found (storage/follow.py). Try: python store.py --watch --docs docs
"""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import commandline
from errors import StoreBusy
from storage.follow import Follower
from storage.report import Progress, Summary

if TYPE_CHECKING:
    from search import Index


def watch(index: "Index", measure: Callable[[], None], *, allow_empty: bool = False, as_json: bool = False) -> None:
    """Syncs, then follows the folder until Ctrl-C; `measure` is called after each sync that changed something.

    Raises what the first sync raises; what is amiss later is told on stderr and tried again.
    """
    settings, first = index.settings, True

    def sync(progress: Progress) -> Summary:
        nonlocal first
        with commandline.progress("Indexing") as shown:

            def tell(done: int, total: int, path: str) -> None:
                progress(done, total, path)
                if shown:
                    shown(done, total, path)

            more = {"allow_empty": allow_empty, "retry_refused": True} if first else {}
            found = index.sync(wait=False, progress=tell, **more)
        first = False
        return found

    def wrote(summary: Summary) -> None:
        commandline.out(json_of(summary) if as_json else line_of(summary))
        sys.stdout.flush()  # also where a log takes it
        measure()

    follower = Follower(
        settings.docs_dir, sync, commandline.notice, wrote=wrote, every=settings.sync_every, own=index.store.path,
        epoch=index.store.epoch,
    )  # fmt: skip
    try:
        try:
            summary = follower.once()
            (wrote if summary.wrote else lambda _: measure())(summary)
        except StoreBusy:
            commandline.notice("another process is syncing this index; what it leaves is taken in when it has ended")
        commandline.notice(f"following {settings.docs_dir}; Ctrl-C ends it")
        follower.run()
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt(str(stop) or "the index holds the documents as they were read last") from stop


def line_of(summary: Summary) -> str:
    """What a sync changed, for people: the local time, numbers, names where they are few, seconds."""
    parts = []
    for what in ("added", "changed", "removed"):
        if count := getattr(summary, what):
            names = ", ".join(path for done, path in summary.few if done == what)
            parts.append(f"{count} {what}" + (f" ({names})" if names else ""))
    if not parts:
        parts = [f"{summary.embedded + summary.refused} texts embedded anew"]
    now = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    return f"{now}  {', '.join(parts)}, in {summary.seconds:.1f} s"


def json_of(summary: Summary) -> str:
    """The same as one line of JSON, the time in UTC."""
    told = {name: getattr(summary, name) for name in ("added", "changed", "removed", "embedded", "refused")}
    named = [{"done": done, "path": path} for done, path in summary.few]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return json.dumps({"time": now, **told, "named": named, "seconds": round(summary.seconds, 3)}, ensure_ascii=True)
