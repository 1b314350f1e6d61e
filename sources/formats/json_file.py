"""A JSON file that is a document: a day of a Slack export, an org chart, or records that facts.toml names.

Records are a line each that people can read; those of a tree name whom they stand below. The place of a line is where
its record stands in the file: "L12-18". Which JSON files are documents is decided in sources/kinds.py.
Try: python chunk.py org.json
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable, slack
from sources.formats.records import Field, heading, line, told_lines, write
from sources.formats.writing import Page, line_of

BELOW = frozenset({"children", "reports", "direct reports", "reportees", "subordinates", "mitarbeiter"})
"""Keys of a record that hold the records of those below it."""
ABOVE = "reports to"
"""The field by which a record of a tree names whom it stands below."""
_BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
_NAME = ("name", "full name", "display name", "nombre", "nom")
_ID = ("id", "employee id", "emp id", "email", "e mail", "mail")


@dataclass(frozen=True, slots=True)
class Record:
    """What stands between two braces."""

    fields: tuple[Field, ...]
    place: str = ""


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The messages of a day, or the records of another file. Raises Unreadable."""
    if slack.DAY.fullmatch(name.replace("\\", "/")) and slack.is_packed(data):
        return slack.convert(data, name, limits)
    try:
        text = decode(data).text
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    return of_records(_loaded(text), limits)


def of_records(found: object, limits: Limits) -> Converted:
    """The records in what a file holds, those of a tree after the one above them. Raises Unreadable."""
    page, bad, told = Page(limits), list[tuple[int, str]](), 0
    for number, record in enumerate(_Tree(_tops(found)).flat(), 1):
        try:
            shown = line(record.fields)
        except Unreadable as error:
            bad.append((int((re.findall(r"\d+", record.place) or [number])[0]), str(error)))
            continue
        write(page, shown, record.place)
        told += bool(shown)
    if not told:
        raise Unreadable(f"holds no record: line {bad[0][0]} {bad[0][1]}" if bad else "holds no records")
    notes = told_lines(bad)
    if isinstance(found, list) and (others := sum(not isinstance(one, Record) for one in found)):
        notes.append(f"{others:,} of {len(found):,} entries {'is no record' if others == 1 else 'are no records'}")
    return page.converted(notes=notes)


def _loaded(text: str) -> object:
    """The JSON with a Record for each object: its closing braces come in the order in which `json` ends objects."""
    starts, number, at = list[int](), 1, 0
    places = list[str]()
    for mark in _BRACES.finditer(text):
        if mark.group()[0] == '"':
            continue
        number += text.count("\n", at, mark.start())
        at = mark.start()
        if mark.group() == "{":
            starts.append(number)
        elif starts:
            first = starts.pop()
            places.append(f"L{first}" if first == number else f"L{first}-{number}")
    ends = iter(places)
    try:
        return json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str,
            object_pairs_hook=lambda pairs: Record(tuple(pairs), next(ends, "")),
        )  # fmt: skip
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"is no JSON that can be read{where}") from error


def _tops(found: object) -> Sequence[Record]:
    """The records of a list, of the one list in a record, of a record of records by name, or the record itself."""
    if isinstance(found, list):
        return [one for one in found if isinstance(one, Record)]
    if not isinstance(found, Record):
        return []
    if any(heading(key).lower() in BELOW for key, _ in found.fields):
        return [found]
    lists = [value for _, value in found.fields if isinstance(value, list) and _tops(value)]
    if len(lists) == 1:
        return _tops(lists[0])
    named = [(key, value) for key, value in found.fields if isinstance(value, Record)]
    if len(named) == len(found.fields) > 1:
        return [_with("name", key, value) for key, value in named]
    return [found]


def _with(key: str, value: str, record: Record) -> Record:
    """The record with one more field, the second; as it is where it has that already."""
    if any(heading(own).lower() == key for own, _ in record.fields):
        return record
    at = min(1, len(record.fields)) if key == ABOVE else 0
    return Record((*record.fields[:at], (key, value), *record.fields[at:]), record.place)


_Placed = tuple[Record, Record | None]
"""A record and the one above it."""


class _Tree:
    """Records and those below them, in the order of the file."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.names: Counter[str] = Counter()
        self.found = list(self._below(records, None, 0))

    def flat(self) -> Iterator[Record]:
        """Each record without those below it, which name it."""
        for record, above in self.found:
            yield _with(ABOVE, self._shown(above), record) if above else record

    def _below(self, records: Sequence[Record], above: Record | None, depth: int) -> Iterator[_Placed]:
        if depth > 200:
            raise Unreadable("is nested too deeply")
        for record in records:
            people, own = list[Record](), list[Field]()
            for key, value in record.fields:
                inner = [one for one in value if isinstance(one, Record)] if isinstance(value, list) else []
                if inner and heading(key).lower() in BELOW:
                    people += inner
                else:
                    own.append((key, _bare(value)))
            flat = Record(tuple(own), record.place)
            self.names[_first(flat, _NAME)] += 1
            yield flat, above
            yield from self._below(people, flat, depth + 1)

    def _shown(self, record: Record) -> str:
        """By what others name a record: its name, with what tells it from another of that name."""
        name, tells = _first(record, _NAME), _first(record, _ID)
        return name if name and (self.names[name] == 1 or not tells) else tells


def _first(record: Record, keys: Sequence[str]) -> str:
    told = {heading(key).lower(): value for key, value in record.fields}
    return next((line_of(str(told[key])) for key in keys if isinstance(told.get(key), str)), "")


def _bare(value: object, depth: int = 0) -> object:
    """A value without the places in it."""
    if isinstance(value, Record) and depth < 100:
        return tuple((key, _bare(inner, depth + 1)) for key, inner in value.fields)
    if isinstance(value, list) and depth < 100:
        return [_bare(one, depth + 1) for one in value]
    return None if isinstance(value, Record | list) else value
