"""A file with a record in JSON on each line -> a line each that people can read; its place is its line: "L5".

A line that is no record is told in a note and costs itself alone. Of a key that stands twice both values are shown.
Try: python chunk.py applications.jsonl
"""

import json
from collections.abc import Iterator

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.records import Field, line, told_lines, write
from sources.formats.writing import Page

_FEW = 0.1  # of the lines may hold broken bytes before the file is in another encoding


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The records, one a line. Raises Unreadable."""
    page, bad, told = Page(limits), list[tuple[int, str]](), 0
    for number, text in enumerate(_lines(data), 1):
        if text is None:
            bad.append((number, "is not UTF-8"))
        elif text.strip():
            try:
                shown = line(_fields(text))
            except Unreadable as error:
                bad.append((number, str(error)))
                continue
            write(page, shown, f"L{number}")
            told += bool(shown)
    if not told:
        raise Unreadable(f"holds no record: line {bad[0][0]} {bad[0][1]}" if bad else "holds no record")
    return page.converted(notes=told_lines(bad))


def _lines(data: bytes) -> Iterator[str | None]:
    """Each line, None for one with a broken byte."""
    try:
        yield from decode(data).text.split("\n")
    except Undecodable as error:
        lines = [_utf8(one) for one in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
        if b"\0" in data or sum(one is None for one in lines) > max(1, _FEW * len(lines)):
            raise Unreadable(str(error)) from error
        yield from lines


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _fields(text: str) -> list[Field]:
    try:
        found = json.loads(text, object_pairs_hook=tuple, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except ValueError as error:
        raise Unreadable("is no JSON") from error
    if not isinstance(found, tuple):
        raise Unreadable("is no record but another kind of JSON")
    return list(found)
