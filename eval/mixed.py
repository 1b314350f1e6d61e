"""A folder of every kind of file that is read, good and bad, synced for real: nothing may be lost without a word.

Good files hold planted words, which must stand in the index under their heading and at their place; bad ones must be
named with what is wrong with them. The same seed makes the same folder. Needs: pip install '.[test]'
Try: python -m eval.mixed --files 40
"""

import contextlib
import json
import os
import random
import re
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

from config import load
from eval.mixed_bad import BAD, Bad
from eval.mixed_made import OFFICE, WRITERS, converted
from eval.mixed_text import Page, page_of, sources
from eval.synthetic import Constant
from eval.timing import temporary
from sources.folder import FolderSource
from sources.formats import MODULES, Limits, ending_of
from storage import syncing
from storage.examine import examine
from storage.report import Summary
from store import Store

EXPORT = "Slack export März/"
PLACES = {
    "pdf": r"p\d+(-\d+)?", "html": r"¶\d+(-\d+)?", "docx": r"¶\d+(-\d+)?", "xlsx": r".+![A-Z]+\d+(:[A-Z]+\d+)?",
    "table_csv": r"L\d+(-\d+)?", "pptx": r"slide \d+", "mail": r"¶\d+(-\d+)?", "notebook": r"cell \d+",
    "rst": r"L\d+(-\d+)?", "json_file": r"¶\d+", "jsonl": r"L\d+", "yaml_file": r"L\d+(-\d+)?",
}  # fmt: skip
"""By module, the form of the places in its files."""
_ERROR_NAME = re.compile(r"\b\w+(Error|Exception|Warning)\b|could not be read \(|Traceback|<class ")
_NO_HEADINGS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".yaml", ".yml")
_NAMES = (
    "{n}", "minutes of the meeting {n}", "Größe & Maß {n}", "Bob's “plan” {n}", "日本語の規則 {n}", "v1.2.final {n}",
    "#5 100% [draft] {n}", "Cafe\u0301 {n}", "an unusually long name " * 6 + "{n}", 'the "new" one {n}',
)  # fmt: skip
_FOLDERS = ("", "HR/", "Projekte/2025/Büro/", "a folder/with spaces/", "/".join("abcdefghijkl") + "/", "人事/規則/")


@dataclass(slots=True)
class File:
    """A file of the folder and what must become of it."""

    path: str
    kind: str
    page: Page
    places: dict[str, str] = field(default_factory=dict)  # by planted word, a pattern; "": only its form is known
    bad: Bad | None = None


@dataclass(slots=True)
class Row:
    """What became of the files of one kind."""

    files: int = 0
    indexed: int = 0
    out: int = 0
    planted: int = 0
    found: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Report:
    """What a run found; it is good when nothing is in `faults`."""

    rows: dict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    faults: list[str] = field(default_factory=list)
    told: list[tuple[str, str, str]] = field(default_factory=list)  # of bad files: kind, path, reason or note
    notes: Counter[str] = field(default_factory=Counter)  # of good ones, figures left out
    summary: Summary = field(default_factory=Summary)


def make(folder: Path, count: int, bad: int, data: Path | None, seed: int, office: bool) -> list[File]:
    """Writes `count` files, `bad` of them bad, and returns what each is. Raises UsageError where LibreOffice fails."""
    chance, texts = random.Random(seed), sources(data)
    kinds = [*WRITERS, *(f"{ending} by LibreOffice" for ending in OFFICE if office)]
    ways = sorted(BAD, key=lambda _: chance.random())
    files, waiting = list[File](), defaultdict[str, list[tuple[File, bytes]]](list)
    for n in range(count):
        page = page_of(n, chance, texts)
        way = ways[n % len(ways)] if n < bad else None
        ending, _, by = (way.ending if way else kinds[n % len(kinds)]).partition(" ")
        file = File(_name(n, ending, way), f"bad: {way.kind}" if way else f"{ending} {by}".strip(), page, bad=way)
        files.append(file)
        if way:
            written = way.make(page, chance)
        else:
            written, file.places = WRITERS[OFFICE[ending] if by else ending](page)
        if by:
            waiting[ending].append((file, written))
        else:
            _write(folder, file.path, written)
    for ending, some in waiting.items():
        with temporary() as room:
            made = converted([(OFFICE[ending], written) for _, written in some], ending, room / "office")
        for (file, _), written in zip(some, made, strict=True):
            file.places = file.places if OFFICE[ending] == ending else {}
            _write(folder, file.path, written)
    people = [{"id": f"U{n}", "profile": {"real_name": f"Person {n}"}} for n in range(3)]
    _write(folder, EXPORT + "users.json", json.dumps(people).encode())
    _write(folder, EXPORT + "channels.json", b"[]")
    return files


def _name(n: int, ending: str, way: Bad | None) -> str:
    if ending == ".json":
        return f"{EXPORT}allgemein-{n % 3}/20{10 + n // 336:02}-{1 + n // 28 % 12:02}-{1 + n % 28:02}.json"
    names = [name for name in _NAMES if os.name != "nt" or '"' not in name]
    name = names[n % len(names)].format(n=n)
    return f"{_FOLDERS[n % len(_FOLDERS)]}{name}{ending.upper() if n % 7 == 3 else ending}"


def _write(folder: Path, path: str, data: bytes) -> None:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    then = time.time() - 3600  # what is fresh is read again to be sure
    os.utime(target, (then, then))


class Counted(FolderSource):
    """A folder that remembers what was read of it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.opened: list[str] = []

    def read(self, path: str) -> bytes:
        """The file's bytes, as always."""
        self.opened.append(path)
        return super().read(path)


def check(folder: Path, files: Sequence[File], index: Path) -> Report:
    """Syncs the folder twice into a new index and holds what became of it against what it should."""
    report = Report()
    settings = replace(load({}, {}), docs_dir=folder, db=index, database="")
    by_path = {file.path: file for file in files}
    store = Store(index)
    with contextlib.closing(store):
        source, clock = Counted(folder), _Clock(by_path, report)
        report.summary = syncing.sync(store, source, Constant(), settings, progress=clock)
        _sums(store, folder, files, report)
        _bad_ones(store, files, report)
        for file in files:
            if not file.bad:
                _planted(store, file, (folder / file.path).read_bytes(), report)
        again = Counted(folder)
        second = syncing.sync(store, again, Constant(), settings)
        kept_out = dict(second.skipped)
        opened = [path for path in again.opened if ending_of(path) in MODULES or path not in kept_out]
        report.faults += [f"{path}: read again by the second sync" for path in opened]
        if second.wrote or sorted(second.skipped) != sorted(report.summary.skipped):
            report.faults.append(f"the second sync found another folder: {second.few}")
    report.faults += [f"store --verify: {fault}" for fault in examine(index)]
    return report


class _Clock:
    """Told by the sync where it is; adds the seconds since to the kind of the file before."""

    def __init__(self, files: dict[str, File], report: Report) -> None:
        self.files, self.report = files, report
        self.row, self.since = Row(), time.perf_counter()

    def __call__(self, done: int, total: int, path: str) -> None:
        now = time.perf_counter()
        self.row.seconds += now - self.since
        self.row, self.since = self.report.rows[self.files[path].kind] if path in self.files else Row(), now


def _sums(store: Store, folder: Path, files: Sequence[File], report: Report) -> None:
    """Every file has one receipt or one reason, and no good one a reason."""
    receipts = {one.path: one for one in store.receipts()}
    left_out = dict(store.left_out())
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    listed = there - {EXPORT + "users.json", EXPORT + "channels.json"}
    report.faults += [
        f"{path}: neither in the receipts nor left out" for path in sorted(listed - {*receipts, *left_out})
    ]
    report.faults += [f"{path}: in the receipts and left out" for path in sorted({*receipts} & {*left_out})]
    if len(receipts) + len(left_out) != len(listed):
        report.faults.append(f"{len(receipts)} receipts and {len(left_out)} reasons for {len(listed)} files")
    for file in files:
        row = report.rows[file.kind]
        row.files += 1
        row.indexed += file.path in receipts
        row.out += file.path in left_out
        if not file.bad and file.path in left_out:
            report.faults.append(f"{file.path}: is good and was left out ({left_out[file.path]})")
        elif not file.bad and file.path in receipts:
            report.notes.update(f"{file.kind}: {re.sub('[0-9]+', 'N', note)}" for note in receipts[file.path].notes)


def _bad_ones(store: Store, files: Sequence[File], report: Report) -> None:
    """Each bad file is left out or noted, with what is wrong in words of people."""
    notes = {one.path: "; ".join(one.notes) for one in store.receipts()}
    left_out = dict(store.left_out())
    for file in files:
        told = left_out.get(file.path) or notes.get(file.path, "")
        if _ERROR_NAME.search(told):
            report.faults.append(f"{file.path}: its reason is a program's, not a person's: {told}")
        if not file.bad:
            continue
        report.told.append((file.kind, file.path, told))
        indexed = file.path in notes
        if file.bad.indexed is not None and file.bad.indexed != indexed:
            report.faults.append(
                f"{file.path} ({file.kind}): is {'' if indexed else 'not '}indexed; {told or 'no note'}"
            )
        elif not re.search(file.bad.told, told) and not (
            indexed and file.bad.indexed is None and _is_whole(store, file)
        ):
            what = "indexed" if indexed else "left out"
            report.faults.append(
                f"{file.path} ({file.kind}): {what}, and what is wrong is not told: {told or 'no note'}"
            )


def _is_whole(store: Store, file: File) -> bool:
    """Whether the damaged file's text is that of the one it was made of."""
    ending = ending_of(file.path)
    limits = Limits(2000, 10_000_000)
    convert = import_module(f"sources.formats.{MODULES[ending]}").convert
    whole = convert(WRITERS[ending](file.page)[0], file.path, limits).text
    sql = "SELECT t.text FROM texts t JOIN documents d ON d.id = t.document_id WHERE d.path = ?"
    return bool(store.connection().execute(sql, (file.path,)).fetchone()[0] == whole)


def _planted(store: Store, file: File, data: bytes, report: Report) -> None:
    """Every planted word stands in the file's passages, under its heading, at its place."""
    rows = store.connection().execute(
        "SELECT c.heading, c.first_line, c.text, c.places FROM chunks c JOIN documents d ON d.id = c.document_id "
        "WHERE d.path = ?", (file.path,),
    ).fetchall()  # fmt: skip
    ending = ending_of(file.path)
    for word, what in file.page.words.items():
        if what == "heading" and ending in (*_NO_HEADINGS, ".eml") and not any(word in row[2] for row in rows):
            continue  # a mail has it in its subject, whose heading is not always a line
        report.rows[file.kind].planted += 1
        found = [row for row in rows if word in row[2]]
        if not found:
            report.faults.append(f"{file.path}: {word} ({what}) is not in the index")
            continue
        fault = ""
        if ending not in _NO_HEADINGS and not any(file.page.heading in row[0] for row in found):
            fault = f"stands under {found[0][0]}, not under {file.page.heading}"
        elif not any(_fits(file, word, where) for where in _wheres(found, word, ending)):
            fault = f"is at {[*_wheres(found, word, ending)]}, not at {file.places.get(word, 'a place of its kind')}"
        report.rows[file.kind].found += not fault
        report.faults += [f"{file.path}: {word} ({what}) {fault}"] if fault else []


def _wheres(rows: Sequence[tuple[str, int, str, str]], word: str, ending: str) -> list[str]:
    """The places of the lines that hold the word; of a plain text "L" and the line."""
    from sources.formats.place import unpacked

    found = []
    for _, first, text, places in rows:
        lines, told = text.split("\n"), unpacked(places)
        hits = [n for n, line in enumerate(lines) if word in line]
        found += [told[n] if n < len(told) else f"L{first + n}" if ending not in MODULES else "" for n in hits]
    return found


def _fits(file: File, word: str, where: str) -> bool:
    form = PLACES.get(MODULES.get(ending_of(file.path), ""), r"L\d+")
    return bool(re.fullmatch(form, where) and re.fullmatch(file.places.get(word, form), where))


def _print(report: Report, told: bool) -> None:
    print(f"{'kind':<28}{'files':>6}{'in':>6}{'out':>6}{'planted':>9}{'found':>7}{'seconds':>9}")
    total = Row()
    for kind, row in sorted(report.rows.items(), key=lambda pair: (pair[0].startswith("bad"), pair[0])):
        for name in Row.__slots__:
            setattr(total, name, getattr(total, name) + getattr(row, name))
        _print_row(kind, row)
    _print_row("all", total)
    if told:
        print("\n".join(f"{kind}: {path[-60:]}: {what}" for kind, path, what in report.told))
        print("\n".join(f"{count:>5} times {note}" for note, count in report.notes.most_common()))
    for fault in report.faults:
        print(f"lost: {fault}", file=sys.stderr)
    summary = report.summary
    sums = f"{summary.added} indexed + {len(summary.skipped)} left out, {summary.warnings} warnings"
    print(f"{sums}: {f'{len(report.faults)} faults' if report.faults else 'nothing lost'}")


def _print_row(kind: str, row: Row) -> None:
    print(f"{kind:<28}{row.files:>6}{row.indexed:>6}{row.out:>6}{row.planted:>9}{row.found:>7}{row.seconds:>9.2f}")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: exit 0 when nothing was lost, 1 when something was."""
    import argparse

    import commandline

    parser = argparse.ArgumentParser(
        prog=commandline.program(), description="Sync a folder of mixed files.",
        epilog="example: python -m eval.mixed --files 110 --no-office --told",
    )  # fmt: skip
    parser.add_argument("--files", type=int, metavar="N", default=500, help="how many (default: 500)")
    parser.add_argument(
        "--bad", type=int, metavar="N", help="how many of them are bad (default: a tenth, at least all kinds)"
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a folder with handbook-*/docs, whose pages are the texts"
    )
    parser.add_argument("--seed", type=int, metavar="N", default=1, help="another one, another folder (default: 1)")
    parser.add_argument("--no-office", action="store_true", help="without files by LibreOffice")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="make the files in this new folder and leave them there"
    )
    parser.add_argument("--told", action="store_true", help="also show what was told of each bad file, and all notes")
    args = parser.parse_args(argv)
    bad = min(args.files // 2, max(args.files // 10, len(BAD))) if args.bad is None else args.bad
    office = bool(shutil.which("soffice")) and not args.no_office
    with temporary() as room:
        folder = args.keep or room / "files"
        files = make(folder, args.files, bad, args.data, args.seed, office)
        report = check(folder, files, room / "index.db")
    if not office:
        print("without files by LibreOffice")
    _print(report, args.told)
    return 1 if report.faults else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
