"""The few plain sentences of a decision record that state a fact, outside of what was only weighed.

One form each, without "not", "if" or "would"; all else is prose, which nothing here reads. Knows no fields.
Try: python -m facts docs/decisions/0003-planning-store-on-postgresql.md
"""

import re
from collections.abc import Iterator

from facts import Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors.markdown import Page, quote_of

_THING = r"(?:the |our |die |das |den |el |la |le )?(?P<{0}>`[^`\n]{{1,60}}`|\*\*[^*\n]{{1,60}}\*\*|[A-Z][\w.-]{{1,30}}(?: [A-Z0-9][\w.-]{{0,30}}){{0,3}})"
_ENDS = r"(?:\s(?:service|system|application|platform|database|dienst|team))?(?=[.;,\n)]|\s(?:in favou?r of|and (?:move|replace|use)|from|as of|by|on|since|with|because|and\b)|\Z)"
_DEPRECATES = (
    re.compile(
        rf"(?:^|(?<=[.;:!?]\s))(?:[-*+]\s+)?(?:We|This decision|This record)(?: hereby| will| now| therefore)? (?:deprecate|deprecates|retire|retires|sunset|sunsets|decommission|decommissions) {_THING.format('x')}{_ENDS}"
    ),
    re.compile(
        rf"(?:^|(?<=[.;:!?]\s))(?:[-*+]\s+)?(?:The (?:old |legacy )?(?:service|system|application|platform|database) )?{_THING.format('x')}(?:\s(?:service|system|application))? (?:is|are|becomes)(?: hereby| now| therefore)? (?:deprecated|retired|decommissioned)\b"
    ),
)
_OWNED = re.compile(
    rf"(?P<x>`[^`\n]{{1,60}}`)(?:\s(?:service|system|and|which|that|itself|now|,)){{0,3}},? (?:is|are|will be) owned by {_THING.format('y')}(?:\s+team)?(?=[.;,\n)]|\s(?:since|from|and|team|as of)|\Z)"
)
_ENDING = ("eprecat", "retire", "sunset", "decommission")
_UNDECIDED = re.compile(
    r"option|alternativ|context|considered|looked at|background|pros|cons|drawback|kontext|contexto|contexte|related|reference",
    re.I,
)


def sentences(text: Text, seen: Page, decided: Named) -> Iterator[Statement]:
    """What the sentences of this record state."""
    for at in _decided_lines(text, seen):
        line = text.lines[at]
        below = text.lines[at + 1].strip()[:500] if at + 1 < len(text.lines) else ""
        joined = f"{line} {below}" if below and seen.shown[at + 1] else line
        if any(word in joined for word in _ENDING):
            for found in (one for form in _DEPRECATES for one in form.finditer(joined) if one.start() < len(line)):
                last = at + 1 if found.end() <= len(line) else at + 2
                yield _said(text, decided, "deprecates", _thing(found["x"]), at + 1, last)
        if "owned by" in joined:
            for found in (one for one in _OWNED.finditer(joined) if one.start() < len(line)):
                last = at + 1 if found.end() <= len(line) else at + 2
                yield _said(text, _thing(found["y"]), "owns", _thing(found["x"]), at + 1, last)


def _thing(words: str) -> Named:
    return Named("", (c.plain(words).rstrip("."),))


def _said(text: Text, subject: Named, predicate: str, thing: Named, first: int, last: int) -> Statement:
    return Statement(subject, predicate, thing, first, last, quote_of(text.lines, first, last))


def _decided_lines(text: Text, seen: Page) -> Iterator[int]:
    """Lines of text, from 0, but those under a heading of options, context or the like."""
    headings = {one.line: one for one in seen.headings}
    weighed = 0
    for at, line in enumerate(text.lines):
        heading = headings.get(at + 1)
        if heading and not (weighed and heading.level > weighed):
            weighed = heading.level if heading.level > 1 and _UNDECIDED.search(heading.text) else 0
        elif not heading and not weighed and seen.shown[at] and len(line) <= 2000 and "|" not in line[:3]:
            yield at
