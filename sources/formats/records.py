"""Records of a structured file -> one line each that people can read, and such a line -> its fields again.

"name: Ann Lee; title: CTO; skills: [Go, SQL]": a key, a colon, a value; a list in brackets, what it holds in braces.
A text that would end too early stands in quotation marks, as in JSON. What is empty is left out. A line is an item of a
Markdown list, so it is found and quoted by itself; its place is where the record stands in the file.
Knows no format. Try: python -c "from sources.formats.records import line; print(line([('line_manager', 'Ann; Bo')]))"
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sources.formats import Unreadable
from sources.formats.writing import Page, at_start, line_of, plain

Field = tuple[str, object]
"""A key and its value: a text, a list, or a tuple of fields."""
MOST_FIELDS = 2000
"""Of one record, what is in it included."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
_ENDS = re.compile(r"[;,\[\]{}\"]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
MASKED = "(secret removed,"
"""How what stands in a secret's place begins: masking/__init__.py."""
_MASKED = re.compile(re.escape(MASKED) + r"[^()]{0,100}\)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_DEPTH = 20  # of lists and records within a record
_STEPS = 50_000  # of reading one line; what remains of a broken one is plain


@lru_cache(maxsize=4096)  # the same in each record: half of the time
def heading(key: str) -> str:
    """A key as words: "businessUnit", "business_unit" and "business-unit" are "business unit"."""
    parts = _CAMEL.sub("_", line_of(key)).replace("-", "_").split("_")
    words = [part for part in parts if part]
    return " ".join([*words[:1], *(word if word.isupper() else word[:1].lower() + word[1:] for word in words[1:])])


def line(fields: Iterable[Field]) -> str:
    """The record in one line, "" for one that says nothing. Raises Unreadable for one that is too large or deep."""
    return _record(fields, [MOST_FIELDS], 0)


def fields(text: str) -> tuple[Field, ...]:
    """What `line` and `write` were given, by the line as it is indexed; nothing for a line that is no record."""
    if not text.startswith("- "):
        return ()
    reader = _Reader(_ESCAPED.sub(r"\1", text[2:].rstrip()))
    try:
        return tuple(reader.record(0))
    except ValueError:
        return ()


def write(page: Page, told: str, place: str) -> None:
    """Adds a line that `line` made."""
    if told:
        page.add(["- " + at_start(plain(told))], place, kind="item")


def texts(value: object) -> tuple[str, ...]:
    """The texts in a value, also those in lists of it."""
    if isinstance(value, str):
        return (value,)
    return tuple(text for one in value for text in texts(one)) if isinstance(value, list) else ()


def _record(fields: Iterable[Field], room: list[int], depth: int) -> str:
    told, seen = [], set[str]()
    for key, value in fields:
        shown = heading(key) or line_of(key)
        if shown in seen and shown != line_of(key):  # "unit id" beside "unit_id"
            shown = line_of(key)
        seen.add(shown)
        if text := _value(value, room, depth, "record"):
            shown = json.dumps(shown, ensure_ascii=False) if _ENDS.search(shown) or ": " in shown else shown
            told.append(f"{shown}: {text}")
    return "; ".join(told)


def _value(value: object, room: list[int], depth: int, within: str) -> str:
    room[0] -= 1
    if room[0] < 0:
        raise Unreadable(f"has more than {MOST_FIELDS:,} fields")
    if depth > _DEPTH:
        raise Unreadable("is nested too deeply")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        inner = [text for one in value if (text := _value(one, room, depth + 1, "list"))]
        return f"[{', '.join(inner)}]" if inner else ""
    if isinstance(value, dict | tuple):
        inner_fields = value.items() if isinstance(value, dict) else value
        text = _record(inner_fields, room, depth + 1)
        return f"{{{text}}}" if text else ""
    text = line_of(str(value))
    closes = _ENDS.search(text) if within == "list" or depth else text.startswith(('"', "[", "{")) or ";" in text
    return json.dumps(text, ensure_ascii=False) if closes else text


class _Reader:
    """Reads what `_record` writes; a mark in place of a secret is part of the text that it stands in."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.steps = text, 0, 0

    def record(self, depth: int) -> list[Field]:
        found: list[Field] = []
        while True:
            key = self._quoted() if self.text.startswith('"', self.at) else self._until(": ", depth)
            if not self.text.startswith(": ", self.at) or not key:
                raise ValueError
            self.at += 2
            found.append((key, self._value(depth, ";}" if depth else ";")))
            if not self.text.startswith("; ", self.at):
                if depth == 0 and self.at < len(self.text):
                    raise ValueError
                return found
            self.at += 2

    def _value(self, depth: int, ends: str) -> object:
        start, first = self.at, self.text[self.at : self.at + 1]
        self.steps += 1
        if first not in ('"', "[", "{") or self.steps > _STEPS:
            return self._plain(ends)
        try:
            found = self._closed(first, depth)
            if self.at < len(self.text) and self.text[self.at] not in ends:
                raise ValueError
        except ValueError:
            if depth:
                raise
            self.at = start
            return self._plain(ends)
        return found

    def _closed(self, first: str, depth: int) -> object:
        if first == '"':
            return self._quoted()
        if depth > _DEPTH + 1:
            raise ValueError
        self.at += 1
        inner: object = self._list(depth + 1) if first == "[" else tuple(self.record(depth + 1))
        if not self.text.startswith("]" if first == "[" else "}", self.at):
            raise ValueError
        self.at += 1
        return inner

    def _list(self, depth: int) -> list[object]:
        found = [self._value(depth, ",]")]
        while self.text.startswith(", ", self.at):
            self.at += 2
            found.append(self._value(depth, ",]"))
        return found

    def _quoted(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise ValueError
        self.at = match.end()
        return str(json.loads(match.group()))

    def _until(self, end: str, depth: int) -> str:
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise ValueError
        start, self.at = self.at, stop
        return self.text[start:stop]

    def _plain(self, ends: str) -> str:
        if masked := _MASKED.match(self.text, self.at):
            self.at = masked.end()
            return masked.group()
        stops = [stop for end in ends if (stop := self.text.find(end, self.at)) >= 0]
        start, self.at = self.at, min(stops, default=len(self.text))
        return self.text[start : self.at]


def told_lines(what: Sequence[tuple[int, str]], most: int = 5) -> list[str]:
    """Notes on lines of a file that are left out: the first ones by number and reason, the others by their count."""
    notes = [f"line {number} {reason}; it is left out" for number, reason in what[:most]]
    return [*notes, f"{len(what) - most:,} more lines are left out"] if len(what) > most else notes
