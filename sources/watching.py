"""When something below a folder changes: told by the system's file events, for as long as it takes.

The folder itself is looked at every second, too: one that is gone, unmounted, replaced or back is a change like any
other, and is watched anew. Names no documents: what a change means is found out by a sync, which compares everything.
Knows no index. Try: python store.py --watch, then change a document
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from sources.folder import IGNORE_FILES

LOOK_SECONDS = 1.0
"""Between two looks at the folder itself."""
QUIET_MS = 200
"""So long nothing may change until a burst is over: editors and `git checkout` write file after file within that."""
MOST_BURST_MS = 1200
"""A burst is told after that, whether it is over or not."""
WITHOUT_EVENTS_SECONDS = 30.0
"""Between two tries to be told of changes, where the system refuses; each counts as a change."""


def watch(
    folder: Path,
    changed: Callable[[], None],
    stop: threading.Event,
    tell: Callable[[str], None],
    own: Path | None = None,
) -> None:
    """Calls `changed` soon after each burst of changes below `folder`, and once when it begins; returns on `stop`.

    Files that begin with the path `own` are the index's and no change, hidden ones but links and the ignore files
    neither.
    `tell` hears once when the system tells no changes.
    """
    from watchfiles import Change  # 20 ms that most commands can do without
    from watchfiles import watch as bursts

    root = os.path.realpath(folder)
    ours = os.path.realpath(own) if own else None

    def counts(_: Change, path: str) -> bool:
        if ours and path.startswith(ours):
            return False
        # A hidden link may be what seen ones lead through: Kubernetes and git-sync turn one to bring new documents.
        return not _is_hidden(os.path.relpath(path, root)) or os.path.islink(path)

    told = False
    while not stop.is_set():
        here = _identity(root := os.path.realpath(folder))
        if here is None:
            stop.wait(LOOK_SECONDS)
            continue
        begun = False
        try:
            for found in bursts(
                root, watch_filter=counts, debounce=MOST_BURST_MS, step=QUIET_MS, stop_event=stop,
                rust_timeout=int(1000 * LOOK_SECONDS), yield_on_timeout=True, raise_interrupt=False,
                ignore_permission_denied=True,
            ):  # fmt: skip
                if found or not begun:  # what changed before the events began is a change, too
                    changed()
                begun = True
                if _identity(folder) != here:
                    break
        except (OSError, RuntimeError, ValueError) as error:  # the watcher's own; a name that is no UTF-8
            if _identity(folder) is not None:
                if not told:
                    tell(_refused_text(folder, error))
                told = True
                stop.wait(WITHOUT_EVENTS_SECONDS)
        if not stop.is_set():
            changed()


def _identity(folder: str | Path) -> tuple[int, int] | None:
    """Which folder stands there now; a share that was unmounted leaves another one in its place. None for none."""
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_hidden(path: str) -> bool:
    *folders, name = Path(path).parts or ("",)
    return any(part.startswith(".") and part != ".." for part in folders) or (
        name.startswith(".") and name not in IGNORE_FILES and name != "."
    )


def _refused_text(folder: Path, error: Exception) -> str:
    return (
        f"changes in {folder} are not told by the system ({error}); it is looked at every "
        f"{WITHOUT_EVENTS_SECONDS:.0f} s instead. On Linux a higher fs.inotify.max_user_watches may help."
    )
