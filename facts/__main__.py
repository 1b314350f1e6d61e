"""`python -m facts FILE`: what is read of a file, a statement each, with the words that say it.

Try: python -m facts docs/services.md
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import commandline
from errors import SourceError
from facts import Extraction, Named, Text
from facts.days import is_last
from facts.days import told as day
from facts.extract import extract, left_out

if TYPE_CHECKING:
    from pathlib import Path


def told(found: Extraction) -> Iterator[str]:
    """Lines for people: "L12 Team Bedrock | owns | Service plan-store", then the words of the document."""
    for one in found.statements:
        span = " ".join(
            part
            for part in (
                f"[{one.qualifier}]" if one.qualifier else "",
                f"from {one.valid_from}" if one.valid_from else "",
                f"{'until' if is_last(one.valid_to) else 'until before'} {day(one.valid_to)}" if one.valid_to else "",
            )
            if part
        )
        says = one.object if isinstance(one.object, str) else _named(one.object)
        lines = f"L{one.first_line}" + (f"-{one.last_line}" if one.last_line > one.first_line else "")
        yield f"{lines}  {_named(one.subject)} | {one.predicate} | {says}{f'  ({span})' if span else ''}"
    for mention in found.mentions:
        yield f"L{mention.first_line}  names {_named(mention.named)}"


def _named(named: Named) -> str:
    return f"{named.type or 'something'} {named.shown}"


def _bytes(path: "Path") -> bytes:
    """The file as a sync reads it: a day of a Slack export with the names of its people."""
    from sources.formats.slack import DAY, packed

    people = path.parent.parent / "users.json"
    data = path.read_bytes()
    return packed(data, people.read_bytes()) if DAY.fullmatch(path.as_posix()) and people.is_file() else data


def main(argv: Sequence[str] | None = None) -> int:
    """Prints what each file states. Returns the exit code: 0, or that of a file that cannot be read."""
    parser = commandline.bare_parser(
        "Show what is read of a file: the things that it names and what it says of them.",
        "python -m facts docs/services.md",
    )
    parser.add_argument("file", metavar="FILE", nargs="+", help="any document that a sync reads: .md, .csv, .xlsx, ...")
    parser.add_argument("--words", action="store_true", help="with the words of the document below each")
    options = parser.parse_args(argv)
    import contextlib
    from pathlib import Path

    from config import load
    from language.detect import language_of
    from sources.formats import Unreadable, ending_of, lacking
    from storage.text import Texts

    with contextlib.closing(Texts(load())) as texts:
        for name in options.file:
            try:
                if missing := lacking(ending_of(name)):
                    raise Unreadable(missing)
                read = texts.read(_bytes(Path(name)), name)
            except (OSError, Unreadable) as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise SourceError(f"{name} cannot be read: {reason}.") from error
            document, dated = read.cut(name, 900)
            lines = read.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            path = Path(name).as_posix()
            lang = language_of(read.text[:4000])
            said = Text(path, document.title, document.meta, tuple(lines), lang, dated, read.format, read.places)
            found = extract(said)
            commandline.out(f"{name}: {len(found.statements):,} statements")
            for statement, line in zip(found.statements, told(found), strict=False):
                commandline.out(f"  {line}")
                if options.words:
                    commandline.out("".join(f"      > {part}\n" for part in statement.quote.split("\n")), end="")
            for note in (*read.notes, *left_out(found, read.places)):
                commandline.out(f"  {note}")
    return 0


if __name__ == "__main__":
    commandline.run(main)
