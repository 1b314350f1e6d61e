"""The command behind `python -m access.sources --due` and `--now NAME`: passes over sources, then a sync.

Prints nothing but what is amiss. Try: python -m access.sources --due
"""

from dataclasses import asdict
from typing import Any

import commandline
from access import passes
from access.directory_command import index
from access.entries import SystemAway
from config import Settings
from errors import UsageError
from service.scheduled import Runner, pull
from sources.drive.mirror import Report


def bring(settings: Settings, name: str, lists_only: bool, allow_empty: bool) -> tuple[dict[str, Any], int]:
    """Goes through the source of that name, or with "" does all that is due; then syncs the index.

    Returns what was done, and the exit code. Raises BrainError.
    """

    def sync() -> None:
        from calibration.first import first_limit
        from search import open_index

        with open_index(settings, notice=commandline.notice) as held:
            with commandline.progress("Indexing") as progress:
                held.sync(allow_empty=allow_empty, retry_refused=True, progress=progress)
            first_limit(held, commandline.notice, commandline.progress)

    if not name:
        runner = Runner(settings, commandline.notice, sync)
        with index(settings) as connection:
            done, errors = runner.run(connection)
            if not done and passes.last(connection, passes.DOCUMENTS).is_failing:
                sync()
        failed = {"failed": [str(error) for error in errors]} if errors else {}
        return {"due": {"done": done, **failed}}, max((error.exit_code for error in errors), default=0)
    source = next((one for one in settings.sources if one.name == name), None)
    if source is None:
        known = ", ".join(one.name for one in settings.sources) or "none"
        raise UsageError(f"No source {name} is declared in brain.toml; declared: {known}. See manual/access.md")
    report = Report()
    if source.reader != "folder":
        with index(settings) as connection:
            try:
                report = pull(settings, source, connection, lists_only=lists_only, allow_empty=allow_empty)
            except SystemAway:
                sync()  # the rights that were known until then hold
                raise
    sync()
    return {source.name: asdict(report) if source.reader != "folder" else {"synced": "the index"}}, 0
