"""Decision records in their usual forms -> status, date, who decided and wrote, what replaces or changes what.

Fields are read from front matter, lines ("Status: accepted"), short sections ("## Status") and tables of fields; from
sentences only what is said in one plain form. A log of decisions gives the status that it tells of each.
Try: python -m facts docs/decisions/0003-planning-store-on-postgresql.md
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from facts import Extraction, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors import references as refs
from facts.extractors.columns import Record, about
from facts.extractors.fields import AMENDS, Field, fields_of, is_link
from facts.extractors.headings import meaning
from facts.extractors.log import entries
from facts.extractors.markdown import Page, page, quote_of
from facts.extractors.sentences import sentences
from facts.normal import key

EXTRACTOR = "records/1"
_STATUS, _DATE = refs.STATUS_LABELS, refs.DATE_LABELS
_ENDED = ("superseded", "deprecated", "amended")
_DATED = frozenset({"approved_by", "deprecates", "affects"})


def extract(text: Text) -> Extraction:
    """What a decision record, or a log of several, states."""
    seen = page(text.lines)
    fields = list(fields_of(text, seen))
    decided = _decision(text, fields)
    if decided is None:
        return Extraction(tuple(replace(one, extractor=EXTRACTOR) for one in entries(text, seen)))
    return Extraction(tuple(_statements(text, seen, decided, fields)))


def decision_of(text: Text, seen: Page) -> Named | None:
    """The decision that a page is the record of, None where it is none."""
    return _decision(text, list(fields_of(text, seen)))


def _decision(text: Text, fields: Sequence[Field]) -> Named | None:
    place = PurePosixPath(text.path)
    if "template" in key(place.stem).split() or place.stem.casefold() in ("readme", "index", "summary"):
        return None
    known = {key(one.label) for one in fields}
    if not known & _STATUS and not (known & _DATE and any(is_link(one.label) for one in fields)):
        return None
    title = c.plain(text.title)
    prefix, number, _ = refs.numbered(place.stem)
    if "template" in key(title).split() and not number.strip("0"):
        return None
    prefix_said, number_said, bare = refs.numbered(title)
    inside = refs.mentioned(title)
    if not number:
        prefix, number = prefix_said, number_said
    if not (number or inside or refs.is_kept(text.path)):
        return None
    names = [bare if number_said and c.is_title(bare) else title, title]
    names += [
        *refs.names_of(prefix, number),
        *refs.names_of(prefix_said, number_said)[: 3 if number_said != number else 0],
        *inside,
    ]
    return Named("Decision", tuple(dict.fromkeys(filter(key, names))), (text.path,))


def _statements(text: Text, seen: Page, decided: Named, fields: Sequence[Field]) -> Iterator[Statement]:
    found: list[Statement] = []
    dates = ((day, field) for field in fields if key(field.label) in _DATE and (day := c.day(field.value)))
    date, dated_by = next(dates, ("", None))
    told, telling = _status(fields)
    on = _date_in(telling.value) if telling else ""  # "Accepted on 2024-05-06", "Superseded (1 March 2025)"
    if not date and told in ("accepted", "rejected", "proposed"):
        date, dated_by = on, telling
    if date and dated_by:
        found.append(_said(decided, "date", date, dated_by, text))
    if telling:
        since = on if told in _ENDED else on or date
        found.append(replace(_said(decided, "status", told, telling, text), valid_from=since))
    until = on if told == "superseded" else ""
    for field in fields:
        label = key(field.label)
        if label in _STATUS:
            found += _replacing(text, decided, field)
        elif label in AMENDS:
            others = refs.decisions(field.value, text.path)
            found += [_said(decided, AMENDS[label], one.shown, field, text) for one in others]
        elif label not in _DATE:
            found += _field(text, decided, field)
    found += sentences(text, seen, decided)
    for one in dict.fromkeys(found):
        dated = one.predicate in _DATED and one.subject == decided and not one.valid_from
        one = replace(one, valid_from=date) if dated else one
        if until and one.predicate == "deprecates":
            one = replace(one, valid_to=until)
        yield replace(one, extractor=EXTRACTOR)


def _said(named: Named, predicate: str, value: Named | str, field: Field, text: Text) -> Statement:
    return Statement(named, predicate, value, field.first, field.last, quote_of(text.lines, field.first, field.last))


def _status(fields: Sequence[Field]) -> tuple[str, Field | None]:
    """The status, and the field that tells it: "superseded" if one does, else the first that tells any."""
    told = []
    for field in fields:
        if key(field.label) in _STATUS:
            lines = [line for line in field.value.split("\n") if not refs.is_mark_of_superseding(line)]
            told += [(status, field) for line in lines if (status := refs.status(line))]
    return next((one for one in told if one[0] == "superseded"), told[0] if told else ("", None))


def _date_in(value: str) -> str:
    found = re.search(r"\d{4}-\d{2}-\d{2}|(?<!\d)\d{1,2}\.? [^\W\d]{3,12}\.? \d{4}|[^\W\d]{3,12} \d{1,2}, \d{4}", value)
    return c.day(found[0]) if found else ""


def _replacing(text: Text, decided: Named, field: Field) -> list[Statement]:
    """What a status says of other decisions: "Superseded by [0041](...)", "Amends ADR 3"."""
    found, on = [], _date_in(field.value)
    for line in field.value.split("\n"):
        shown = c.plain(line).casefold()
        told = re.search(
            r"\b(superseded|superceded|replaced|ersetzt|abgelöst|reemplazad[oa]|sustituid[oa]|remplacée?)\b", shown
        )
        is_active = re.search(r"\b(supersedes|supercedes|replaces|reemplaza|sustituye|remplace)\b", shown)
        amended = re.search(r"\b(amended|updated) by\b|\b(amends|updates)\b", shown)
        if not (told or is_active or amended):
            continue
        others = [one for one in refs.mentions(line, text.path) if one.ids != decided.ids[:1]]
        for other in others[:10]:
            if told:
                found.append(replace(_said(other, "supersedes", decided, field, text), valid_from=on))
            elif is_active:
                found.append(_said(decided, "supersedes", other, field, text))
            elif amended:
                found.append(_said(decided, "amended by" if amended[1] else "amends", other.shown, field, text))
    return found


def _field(text: Text, decided: Named, field: Field) -> list[Statement]:
    links = meaning(field.label).links
    link = next((one for one in links if "Decision" in one.things), None)
    if not link and any("Document" in one.things for one in links):
        return []  # "owner": of the page, which front.py reads
    if link and link.relation == "supersedes":
        others = refs.decisions(field.value.replace("\n", "; "), text.path)
        pairs = [(other, decided) if link.cell_is_subject else (decided, other) for other in others]
        return [_said(one, "supersedes", other, field, text) for one, other in pairs]
    quote = quote_of(text.lines, field.first, field.last)
    record = Record(
        {field.label: field.value.replace("\n", "; ") if link else field.value}, field.first, field.last, quote
    )
    return list(about(decided, [record]))
