"""Companies of the tests of typed questions: documents of one sentence a line, each line a fact with its words.

A line is (subject, relation, object or value) and what narrows or dates it; a thing is written "Type/name|id". The rows
are written by the FactShelf of a sync, so the tables are the real ones. Knows no question.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from access import Caller
from facts import Extraction, Named, Statement
from facts.relations import BUILT_IN
from graph.view import View
from search import Index
from storage.facts import FactReader, FactShelf
from storage.schema import writing
from tests import engine
from tests.conftest import Grants, write

TODAY = "2026-11-30"
Line = Sequence[Any]
Company = Mapping[str, Sequence[Line]]


def thing(told: str) -> Named:
    """A thing as "Type/name|id|id": "/name" for one whose type is not said, "Type/|id" for one without a name."""
    kind, _, rest = told.partition("/")
    name, *ids = rest.split("|")
    return Named(kind, (name,) if name else (), tuple(ids))


def is_thing(told: str) -> bool:
    """Whether a text is a thing, and no value."""
    kind, slash, rest = told.partition("/")
    return bool(slash and rest) and kind in {*BUILT_IN.types, ""}


def text_of(lines: Sequence[Line], dated: str = "") -> str:
    """The document: a sentence a line after its heading."""
    head = f"---\ndate: {dated}\n---\n" if dated else ""
    return f"{head}# Said\n\n" + "".join(f"{sentence(line)}\n" for line in lines)


def sentence(line: Line) -> str:
    subject, predicate, said, *more = line
    names = [thing(end).shown if is_thing(end) else end for end in (subject, said)]
    return " ".join([names[0], predicate, names[1], *(f"{one}" for one in (more[0].values() if more else ()))])


def statements(lines: Sequence[Line], first_line: int) -> tuple[Statement, ...]:
    """The same as statements."""
    return tuple(
        Statement(
            thing(subject), predicate, thing(said) if is_thing(said) else said, first_line + n, first_line + n,
            sentence((subject, predicate, said, *more)), extractor="test/1", **(more[0] if more else {}),
        )
        for n, (subject, predicate, said, *more) in enumerate(lines)
    )  # fmt: skip


def dated(path: str) -> str:
    """The date that a document states: what its name begins with, "a/2026-02-03-talk.md"."""
    name = path.rpartition("/")[2]
    return name[:10] if name[:4].isdigit() else ""


def told(folder: Path, make_index: Any, company: Company) -> Index:
    """An index of these documents alone, in the place of a former one. Who holds a folder's name may read it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder.parent / "index.db").unlink(missing_ok=True)
    engine.forget(folder.parent / "index.db")
    write(folder, {path: text_of(lines, dated(path)) for path, lines in company.items()})
    index: Index = make_index(folder, None, Grants(folder, {path: {path.split("/")[0]} for path in company}))
    index.sync()
    tell(index, company)
    return index


def tell(index: Index, company: Company) -> None:
    """Writes what the documents say."""
    connection = index.store.connection()
    numbers = dict(connection.execute("SELECT path, id FROM documents").fetchall())
    with writing(connection):
        FactShelf(connection).write(
            (numbers[path], Extraction(statements(lines, 6 if dated(path) else 3))) for path, lines in company.items()
        )


@contextmanager
def seen(index: Index, who: Caller, as_of: str = "", today: str = TODAY) -> Iterator[View]:
    """What a caller sees."""
    with index.store.reader(who) as reader:
        yield View(FactReader(reader), BUILT_IN, today, as_of)
