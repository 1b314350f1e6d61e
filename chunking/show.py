"""The command line of chunk.py: one file, converted where it must be, and how it is cut.

Try: python chunk.py README.md
"""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import commandline
from chunk import Document
from errors import SourceError


def _show(document: Document, places: Sequence[str]) -> str:
    shown = [f"{document.title}  ({len(document.chunks)} chunks)"]
    for chunk, place in zip(document.chunks, places, strict=True):
        mark = "  [empty]" if chunk.is_empty else ""
        lines = f"L{chunk.first_line}-{chunk.last_line}{f' {place}' if place else ''}"
        shown.append(f"\n{lines}  {' > '.join(chunk.heading)}{mark}")
        shown += [f"  ~ {line}" for line in chunk.context.split("\n") if line]
        shown += [f"  | {line}" for line in chunk.text.split("\n")]
    return "\n".join(shown)


def command(argv: Sequence[str] | None = None) -> int:
    """Shows the chunks of one file. Returns the exit code: 0, or 2 when the file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="chunk.py",
        description="Show how a document is cut into chunks.",
        epilog="example: python chunk.py handbook/leave.md --json",
    )
    parser.add_argument("file", metavar="FILE", help="any document that a sync reads: .md, .txt, .pdf, ...")
    parser.add_argument("--json", action="store_true", help="print title, meta and chunks as JSON")
    parser.add_argument("--max-chars", type=int, default=900, metavar="N", help="size of a chunk (default: 900)")
    options = parser.parse_args(argv)
    from config import load
    from sources.formats import Unreadable, ending_of, lacking
    from sources.formats.place import over
    from storage.text import Texts

    try:
        if missing := lacking(ending_of(options.file)):
            raise Unreadable(missing)
        with contextlib.closing(Texts(load())) as texts:
            text = texts.read(Path(options.file).read_bytes(), options.file)
    except (OSError, Unreadable) as error:
        told = getattr(error, "strerror", None) or str(error)
        commandline.out(f"chunk.py: {options.file} cannot be read: {told}.", sys.stderr)
        return SourceError.exit_code
    document, _ = text.cut(options.file, options.max_chars)
    places = [over(text.places[chunk.first_line - 1 : chunk.last_line]) for chunk in document.chunks]
    for note in text.notes:
        commandline.notice(note)
    if options.json:
        rows = [asdict(chunk) | {"place": place} for chunk, place in zip(document.chunks, places, strict=True)]
        print(commandline.json_text(asdict(document) | {"chunks": rows, "notes": text.notes}))
    else:
        commandline.out(_show(document, places))
    return 0
