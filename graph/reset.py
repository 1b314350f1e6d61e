"""Takes back what was sent: removes the event files, and brings the index to what the other documents say.

Only files that POST /events wrote are removed, and they are listed first. Knows the folder of events and a sync.
Try: BRAIN_EVENTS_DIR=docs/events python -m graph.reset
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

from collections.abc import Sequence
from typing import Any

import commandline
from errors import StoreBusy, UsageError
from search import open_index
from sources.events import Folder
from storage.runs import Run

_MOST_NAMED = 20


def main(argv: Sequence[str] | None = None) -> int:
    """Lists the events, and with --yes removes them. Exit 0, 2 for wrong use or a folder that cannot be used."""
    parser = commandline.bare_parser(
        "Remove the messages and notes that POST /events wrote, and sync the index without them.",
        "python -m graph.reset --yes",
    )
    commandline.add_index_flags(parser)
    parser.add_argument("--yes", action="store_true", help="remove them; without it they are only listed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    if settings.events_dir is None:
        raise UsageError("There is no folder of events. Set BRAIN_EVENTS_DIR to the one the server writes into.")
    folder = Folder(settings.docs_dir, settings.events_dir)
    paths = [path.relative_to(settings.docs_dir).as_posix() for path in folder.files()]
    named = paths if args.json else paths[:_MOST_NAMED] + ["..."] * (len(paths) > _MOST_NAMED)
    told: dict[str, Any] = {"folder": str(settings.events_dir), "found": len(paths), "removed": 0, "files": named}
    if not args.yes:
        commandline.show({"events": told}, args.json)
        if paths:
            commandline.notice("nothing was removed; to remove these files: python -m graph.reset --yes")
        return 0
    try:
        told["removed"] = folder.remove()
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be removed: {error.strerror or error}. Then run again.") from error
    with open_index(settings, notice=commandline.notice) as index, commandline.progress("Indexing") as progress:
        if paths:
            try:  # alone first: a sync of all would take so many that vanish for a fault of the disk
                index.sync_some(paths, Run())
            except StoreBusy:
                commandline.notice("the index is read as a whole first")
        index.sync(progress=progress)
    commandline.show({"events": told}, args.json)
    return 0


if __name__ == "__main__":
    commandline.run(main)
