"""A log of decisions, one entry each -> the status that it tells of each, which the record may tell otherwise.

It tells it by a word at the entry's end, or by a mark before it that the page explains ("- ✅ Accepted"). What it says
counts less than the record does (NOTES). Knows no records.
Try: python -c "from facts.extractors.log import status_of; print(status_of('[0029](0029-x.md) Use X - Accepted', {}))"
"""

import re
from collections.abc import Iterator, Mapping

from facts import NOTES, Statement, Text
from facts.extractors import references as refs
from facts.extractors.fields import ITEM
from facts.extractors.markdown import Page

_EXPLAINED = re.compile(r"(?P<mark>[^\w\s\[\]()`*]{1,3})\s*[:=–-]?\s*(?P<word>[^\W\d_]+)")
_AHEAD = re.compile(r"([^\w\s\[\]()`*]{1,3})\s*(?=[\w\[`*])")
_AT_END = re.compile(
    r"(?:\s[–—-]{1,2}\s|:\s|\s[(\[*_]{1,3})\s*(?P<word>[^\W\d_][^()\[\]–—:*_]{2,30})[)\]*_]{0,3}\.?\s*\Z"
)


def entries(text: Text, seen: Page) -> Iterator[Statement]:
    """What the entries state of their decisions; nothing where there are not two."""
    if not any("](" in line or refs.NUMBER_AHEAD.match(line) for line in text.lines):
        return
    marks = _marks(text, seen)
    found = []
    for at, line in enumerate(text.lines):
        item = ITEM.match(line) if seen.shown[at] and len(line) <= 2000 else None
        if not item:
            continue
        status, rest = status_of(item["text"], marks)
        named = refs.decision(rest, text.path) if status else None
        if named and (any(map(refs.is_numbered, named.names)) or (named.ids and refs.is_kept(named.ids[0]))):
            found.append(Statement(named, "status", status, at + 1, at + 1, line.rstrip(), rank=NOTES))
    if len(found) > 1:
        yield from found


def _marks(text: Text, seen: Page) -> dict[str, str]:
    """What the marks of a list mean, where the page says so: "- ✅ Accepted"."""
    found: dict[str, str] = {}
    for at, line in enumerate(text.lines):
        item = ITEM.match(line) if seen.shown[at] and len(line) < 60 else None
        told = _EXPLAINED.fullmatch(item["text"].strip()) if item else None
        if told and refs.status(told["word"]):
            found[told["mark"].strip("\ufe0f")] = refs.status(told["word"])
    return found


def status_of(entry: str, marks: Mapping[str, str]) -> tuple[str, str]:
    """(status, the rest) of an entry, as in "✅ [Title](0001-x.md)" or "[0029](0029-x.md) Title - Accepted"."""
    begin = _AHEAD.match(entry)
    mark = begin[1].strip("\ufe0f") if begin else ""
    if begin and mark in marks:
        return marks[mark], entry[begin.end() :]
    end = _AT_END.search(entry)
    if end and len(end["word"].split()) <= 3 and refs.status(end["word"]):
        return refs.status(end["word"]), entry[: end.start()]
    return "", entry
