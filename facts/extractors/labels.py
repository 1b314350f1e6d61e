"""Lines "Owner: Bedrock" under the heading of a service, a system or a team -> what they state of it.

Only where the page says of which type the thing is: by its folder ("services/"), by a heading above ("Services"), or in
its own ("Team Bedrock"). Knows no tables. Try: python -m facts services/plan-store.md
"""

from collections.abc import Sequence
from pathlib import PurePosixPath

from facts import Extraction, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors.columns import Record, about
from facts.extractors.fields import LABEL
from facts.extractors.headings import meaning, type_in
from facts.extractors.markdown import Heading, Page, page, quote_of
from facts.extractors.records import decision_of
from facts.normal import key
from facts.relations import BUILT_IN

EXTRACTOR = "labels/1"
_MOST_LINES = 20


def extract(text: Text) -> Extraction:
    """What the labelled lines of a page state."""
    if sum(": " in line for line in text.lines) < 2:
        return Extraction()
    seen = page(text.lines)
    found: list[Statement] = []
    under: list[Heading] = []
    for heading in seen.headings:
        under = [*(one for one in under if one.level < heading.level), heading]
        subject = _subject(text, under)
        records = _records(text, seen, heading) if subject else []
        told = about(subject, records, extractor=EXTRACTOR) if subject and len(records) > 1 else ()
        if any(one.predicate in BUILT_IN.relations for one in told):
            found += told
    if found and decision_of(text, seen) is not None:
        return Extraction()
    return Extraction(tuple(found))


def _subject(text: Text, under: Sequence[Heading]) -> Named | None:
    """The thing that a heading is the name of."""
    shown = c.plain(under[-1].text)
    words = shown.split()
    team = c.team_names(shown)
    if team:
        return Named("Team", team)
    first = meaning(words[0].rstrip(":")) if words else None
    if first and first.type in ("Service", "System", "Team") and len(words) > 1 and c.is_name(" ".join(words[1:])):
        return Named(first.type, (" ".join(words[1:]),))  # "Service plan-store"
    if not (c.is_name(shown) or under[-1].text.startswith("`")) or not key(shown):
        return None
    places = [one.text for one in reversed(under[:-1])]
    places += [PurePosixPath(text.path).parent.name] if under[-1].level == 1 else [text.title]
    type_ = next((found for one in places if (found := type_in(one))), "")
    return Named(type_, (shown,)) if type_ in ("Service", "System", "Team", "Person") else None


def _records(text: Text, seen: Page, heading: Heading) -> list[Record]:
    """The labelled lines right below a heading, [] where other text stands between."""
    found: list[Record] = []
    for at in range(heading.line, min(len(text.lines), heading.line + _MOST_LINES)):
        line = text.lines[at]
        if not line.strip("=- \t") and not found:
            continue
        label = LABEL.match(line.rstrip()) if seen.shown[at] and len(line) <= 500 else None
        if not label:
            return found if not line.strip() else []
        found.append(Record({label["label"]: label["value"]}, at + 1, at + 1, quote_of(text.lines, at + 1, at + 1)))
    return found
