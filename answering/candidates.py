"""Questions that a passage of a document answers, made from its headings and sentences; whether they are found is
another's to try. Knows no index and no HTTP. Try: curl http://127.0.0.1:8000/examples
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chunking.units import units
from language.asking import question_for
from language.wanted import wanted
from storage.reader import ChunkRow

_ASKS = ("?", "？", "؟")
_BY_FORM = ("weekday", "clock", "money", "duration", "date", "number", "person")  # what a figure or a name answers


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question or a topic, and the passage it was made from."""

    row: ChunkRow
    text: str
    proof: str = ""  # the sentence that it was made from


def questions(rows: Iterable[ChunkRow]) -> Iterator[Candidate]:
    """Headings that are questions, and those for a figure or a name; then conditions, those with a figure first."""
    ranked: list[tuple[int, Candidate]] = []
    for row in rows:
        heading = row.heading[-1].strip() if row.heading else ""
        if heading.endswith(_ASKS) and says_something(row, heading) and _is_whole(heading):
            ranked.append((0, Candidate(row, heading)))
        for unit in units(row.text, row.first_line, row.context, row.lang):
            if unit.kind not in ("sentence", "item") or unit.lead:
                continue
            if text := question_for(unit.text, row.lang):
                rank = 0 if wanted(text, row.lang) in _BY_FORM else 1 if re.search(r"\d", unit.text) else 2
                ranked.append((rank, Candidate(row, text, unit.quote)))
    yield from (candidate for _, candidate in sorted(ranked, key=lambda pair: pair[0]))


def headings(rows: Iterable[ChunkRow]) -> Iterator[Candidate]:
    """The headings that tell a topic, other than their document's title."""
    for row in rows:
        heading = row.heading[-1].strip() if row.heading else ""
        if heading != row.title and says_something(row, heading):
            yield Candidate(row, heading)


def says_something(row: ChunkRow, heading: str) -> bool:
    """Whether a heading names a topic, and has a text below it."""
    narrow = row.lang in ("zh", "ja", "ko")
    if not (2 if narrow else 5) <= len(heading) <= 60 or len(row.body.strip()) < 60:
        return False
    return not re.search(r"^\W*\d|[:/|<>`\[\]{}*]|\d{2}", heading) and bool(re.search(r"[^\W\d_]{2}", heading))


def _is_whole(question: str) -> bool:
    """Whether it is understood without its document ("Fixed hours?" is not), and no title in capitals."""
    asked = question.split()
    capitals = sum(word[:1].isupper() for word in asked[1:])
    return (len(asked) >= 5 and capitals <= len(asked) / 2) or bool(re.fullmatch(r"[^\x00-\x7f]{8,}", question))
