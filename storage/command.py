"""What `python store.py` does besides syncing: --backup, --restore, --verify, --vacuum. Called by store.py's main.

Only translates flags into storage.care and storage.examine, and their results into a report.
Try: python store.py --verify
"""

import argparse
import contextlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import commandline
from config import Settings
from errors import UsageError
from sources.folder import FolderSource
from storage import care
from storage.examine import examine
from store import Store

CARE = ("backup", "restore", "verify", "vacuum")


def add_flags(made: argparse.ArgumentParser) -> None:
    """The flags of care, each of which is a job of its own."""
    made.add_argument("--backup", metavar="FILE", help="copy the index to FILE, also while it is in use")
    made.add_argument("--force", action="store_true", help="replace FILE (--backup), or what stands there (--restore)")
    made.add_argument("--restore", metavar="FILE", help="make the index what a backup holds, also while it is in use")
    made.add_argument("--verify", action="store_true", help="look through the whole index; exit 2 for a fault")
    made.add_argument("--vacuum", action="store_true", help="give the index's free space back")
    made.add_argument(
        "--drop-models", action="store_true", help="with --vacuum: drop the vectors of models that no longer answer"
    )


def command(args: argparse.Namespace, settings: Settings) -> tuple[dict[str, Any], int] | None:
    """Does what the flags of care ask for: the report and the exit code; None when they ask for nothing.

    Raises UsageError for flags that do not go together, and what the jobs raise.
    """
    wanted = [name for name in CARE if getattr(args, name) not in (None, False)]
    if "" in (args.backup, args.restore):  # a script's variable that nobody set
        raise UsageError(f"--{wanted[0]}: '' is not a file.")
    if args.force and not (args.backup or args.restore):
        raise UsageError("--force goes with --backup and --restore: python store.py --backup FILE --force")
    if args.drop_models and not args.vacuum:
        raise UsageError("--drop-models goes with --vacuum: python store.py --vacuum --drop-models")
    others = [name for name in ("sync", "status", "watch", "receipts") if getattr(args, name, False)]
    if wanted and len(wanted + others) > 1:
        raise UsageError(f"One job at a time: --{wanted[0]} stands alone. See: python store.py --help")
    if not wanted:
        return None
    if args.restore:
        return _restored(args, settings), 0
    care.check_there(settings.db, "There is no index yet. Run: python store.py --sync")
    if args.backup:
        return _backed_up(args, settings), 0
    if args.verify:
        return _verified(args, settings)
    unused: list[int] = []
    if args.drop_models:
        from search import open_index

        with open_index(settings, notice=commandline.notice) as index:
            unused = index.unused_models()
    with contextlib.closing(Store(settings.db)) as store:
        return {"vacuum": _told(care.vacuum(store, unused))}, 0


def _backed_up(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    target = Path(args.backup).expanduser()
    with commandline.progress("Copying") as progress:
        return {"backup": _told(care.backup(settings.db, target, force=args.force, progress=progress))}


def _restored(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    root = FolderSource(settings.docs_dir).root
    with commandline.progress("Restoring") as progress:
        done = care.restore(
            settings.db,
            Path(args.restore).expanduser(),
            root,
            rebind=args.docs is not None,
            force=args.force,
            progress=progress,
        )
    return {"restore": _told(done)}


def _verified(args: argparse.Namespace, settings: Settings) -> tuple[dict[str, Any], int]:
    with commandline.progress("Looking through the index") as progress:
        faults = [replace(fault, mends=commandline.aimed(fault.mends)) for fault in examine(settings.db, progress)]
    told = {"file": str(settings.db), "faults": [asdict(fault) if args.json else str(fault) for fault in faults]}
    return {"verify": told}, 2 if faults else 0


def _told(done: care.Copied | care.Vacuumed) -> dict[str, Any]:
    return {name: value for name, value in asdict(done).items() if value not in ("", None)}
