"""What `python store.py` does besides syncing: --backup, --restore, --copy-to, --verify, --vacuum, --runs.

Only translates flags into storage.care and storage.examine, or their twins in postgres/, and the results into a report.
Try: python store.py --verify
"""

import argparse
import contextlib
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import commandline
from config import Settings
from errors import UsageError
from sources.folder import FolderSource
from storage import care
from storage.examine import Fault, examine
from storage.report import Progress
from storage.runs import recorded
from store import connected, name_of, store_of

CARE = ("backup", "restore", "copy_to", "verify", "vacuum", "runs")


def add_flags(made: argparse.ArgumentParser) -> None:
    """The flags of care, each of which is a job of its own."""
    made.add_argument("--backup", metavar="FILE", help="copy the index to FILE, also while it is in use")
    made.add_argument("--force", action="store_true", help="replace what stands in the target's or index's place")
    made.add_argument("--restore", metavar="FILE", help="make the index what a backup holds, also while it is in use")
    made.add_argument(
        "--copy-to", metavar="TARGET",
        help="copy the index, without embedding again, into the PostgreSQL at TARGET (postgresql://...) or a file",
    )  # fmt: skip
    made.add_argument("--verify", action="store_true", help="look through the whole index; exit 2 for a fault")
    made.add_argument(
        "--runs", action="store_true", help="show the last syncs and events that changed something or failed"
    )
    made.add_argument("--vacuum", action="store_true", help="give the index's free space back")
    made.add_argument(
        "--drop-models", action="store_true", help="with --vacuum: drop the vectors of models that no longer answer"
    )


def command(args: argparse.Namespace, settings: Settings) -> tuple[dict[str, Any], int] | None:
    """Does what the flags of care ask for: the report and the exit code; None when they ask for nothing.

    Raises UsageError for flags that do not go together, and what the jobs raise.
    """
    wanted = [name for name in CARE if getattr(args, name) not in (None, False)]
    if wanted and getattr(args, wanted[0]) == "":  # a script's variable that nobody set
        raise UsageError(f"{_flag(wanted[0])}: '' is not a file.")
    if args.force and not (args.backup or args.restore or args.copy_to):
        raise UsageError("--force goes with --backup, --restore and --copy-to: python store.py --backup FILE --force")
    if args.drop_models and not args.vacuum:
        raise UsageError("--drop-models goes with --vacuum: python store.py --vacuum --drop-models")
    others = [name for name in ("sync", "status", "watch", "receipts") if getattr(args, name, False)]
    if wanted and len(wanted + others) > 1:
        raise UsageError(f"One job at a time: {_flag(wanted[0])} stands alone. See: python store.py --help")
    if not wanted:
        return None
    if args.restore:
        return _restored(args, settings), 0
    if not settings.database:
        care.check_there(settings.db, "There is no index yet. Run: python store.py --sync")
    if args.backup or args.copy_to:
        return _copied(args, settings), 0
    if args.verify:
        return _verified(args, settings)
    if args.runs:
        return _runs(args, settings), 0
    unused: list[int] = []
    if args.drop_models:
        from search import open_index

        with open_index(settings, notice=commandline.notice) as index:
            unused = index.unused_models()
    with contextlib.closing(store_of(settings)) as store:
        done = _engine().vacuum(store, unused) if settings.database else care.vacuum(store, unused)
    return {"vacuum": _told(done)}, 0


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _engine() -> ModuleType:
    """The care of the other engine. Raises UsageError without its driver."""
    from postgres import check_driver

    check_driver()
    from postgres import care

    return care


def _copied(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    target = args.backup or args.copy_to
    with commandline.progress("Copying") as progress:
        if target.startswith(("postgresql://", "postgres://")):
            if args.backup:
                raise UsageError("A backup is a file. Into a database: python store.py --copy-to ADDRESS")
            done = _engine().copy_to(settings, target, force=args.force, progress=progress)
            return {"copy": _told(done)}
        place = Path(target).expanduser()
        if settings.database:
            return {"backup": _told(_engine().backup(settings, place, force=args.force, progress=progress))}
        return {"backup": _told(care.backup(settings.db, place, force=args.force, progress=progress))}


def _restored(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    root, saved = FolderSource(settings.docs_dir).root, Path(args.restore).expanduser()
    how = {"rebind": args.docs is not None, "force": args.force}
    with commandline.progress("Restoring") as progress:
        if settings.database:
            return {"restore": _told(_engine().restore(settings, saved, root, **how, progress=progress))}
        return {"restore": _told(care.restore(settings.db, saved, root, **how, progress=progress))}


def _verified(args: argparse.Namespace, settings: Settings) -> tuple[dict[str, Any], int]:
    with commandline.progress("Looking through the index") as progress:
        found = _looked_through(settings, progress)
    faults = [replace(fault, mends=commandline.aimed(fault.mends)) for fault in found]
    where = {"database" if settings.database else "file": name_of(settings)}
    told = {**where, "faults": [asdict(fault) if args.json else str(fault) for fault in faults]}
    return {"verify": told}, 2 if faults else 0


def _runs(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    with connected(settings, create=False) as connection:
        found = recorded(connection)
    return {"runs": {"newest first": [asdict(one) if args.json else str(one) for one in found]}}


def _looked_through(settings: Settings, progress: Progress | None) -> list[Fault]:
    if not settings.database:
        return examine(settings.db, progress)
    _engine()
    from postgres.examine import examine_store

    with contextlib.closing(store_of(settings)) as store:
        return examine_store(store, progress)


def _told(done: care.Copied | care.Vacuumed) -> dict[str, Any]:
    return {name: value for name, value in asdict(done).items() if value not in ("", None)}
