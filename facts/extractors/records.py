"""Decision records in their usual forms -> status, date, who decided and wrote, what replaces what, and what it changes.

Fields are read from front matter, lines ("Status: accepted"), short sections ("## Status") and tables of fields; from
sentences only what is said in one plain form. A log of decisions gives the status that it tells of each.
Try: python -m facts docs/decisions/0003-planning-store-on-postgresql.md
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from facts import Extraction, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors import references as refs
from facts.extractors.columns import Record, about
from facts.extractors.headings import meaning
from facts.extractors.markdown import Heading, Page, Table, page, quote_of
from facts.normal import key

EXTRACTOR = "records/1"
_STATUS, _DATE = refs.STATUS_LABELS, refs.DATE_LABELS
_AMENDS = {key(word): name for name, words in {
    "amends": ("amends", "updates", "ergänzt", "modifica", "modifie"),
    "amended by": ("amended by", "updated by", "ergänzt durch", "modificado por", "modifié par"),
}.items() for word in words}  # fmt: skip
_DATED = frozenset({"approved_by", "deprecates", "affects"})
_LABEL = re.compile(
    r"\s{0,3}(?:[-*+]\s+|>\s?)?(?:\*\*|__|\*)?(?P<label>[^\W\d_][\w /()'’-]{1,40}?)(?:\*\*|__|\*)?\s?:(?:\*\*|__|\*)?(?=\s|\Z)\s*(?P<value>.*)\Z"
)
_PARTS = re.compile(r"\s+[|·•]\s+(?=(?:\*\*|__)?[^\W\d_][^|·•:]{1,40}:)")
_ITEM = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(?P<text>.*)\Z")
_MOST_LABEL_WORDS, _MOST_SECTION, _MOST_TOP = 4, 12, 60
_FOLDERS = re.compile(
    r"adrs?|decisions?|(?:architecture |architectural )?decision records?|entscheidungen|decisiones|décisions", re.I
)


@dataclass(frozen=True, slots=True)
class _Field:
    label: str
    value: str
    first: int
    last: int


def extract(text: Text) -> Extraction:
    """What a decision record, or a log of several, states."""
    seen = page(text.lines)
    fields = list(_fields(text, seen))
    decided = _decision(text, fields)
    if decided is None:
        return Extraction(tuple(_log(text, seen)))
    return Extraction(tuple(_statements(text, seen, decided, fields)))


def decision_of(text: Text, seen: Page) -> Named | None:
    """The decision that a page is the record of, None where it is none."""
    return _decision(text, list(_fields(text, seen)))


def _decision(text: Text, fields: Sequence[_Field]) -> Named | None:
    place = PurePosixPath(text.path)
    if "template" in key(place.stem).split() or place.stem.casefold() in ("readme", "index", "summary"):
        return None
    known = {key(one.label) for one in fields}
    if not known & _STATUS and not (known & _DATE and any(_is_link(one.label) for one in fields)):
        return None
    title = c.plain(text.title)
    prefix, number, _ = refs.numbered(place.stem)
    if "template" in key(title).split() and not number.strip("0"):
        return None
    prefix_said, number_said, bare = refs.numbered(title)
    inside = refs.mentioned(title)
    if not number:
        prefix, number = prefix_said, number_said
    is_kept = any(_FOLDERS.fullmatch(key(part)) for part in place.parts[:-1])
    if not (number or is_kept or inside):
        return None
    names = [bare if number_said and c.is_title(bare) else title, title]
    names += [
        *refs.names_of(prefix, number),
        *refs.names_of(prefix_said, number_said)[: 3 if number_said != number else 0],
        *inside,
    ]
    return Named("Decision", tuple(dict.fromkeys(name for name in names if name)), (text.path,))


def _is_known(label: str) -> bool:
    plain = key(c.plain(label))
    return plain in _STATUS or plain in _DATE or _is_link(plain)


def _is_link(label: str) -> bool:
    return any("Decision" in link.things for link in meaning(label).links)


def _statements(text: Text, seen: Page, decided: Named, fields: Sequence[_Field]) -> Iterator[Statement]:
    found: list[Statement] = []
    date, until, status = "", "", ""
    for field in fields:
        label = key(field.label)
        if label in _DATE and not date:
            date = c.day(field.value)
            if date:
                found.append(_said(decided, "date", date, field, text))
    for field in fields:
        label = key(field.label)
        if label in _STATUS:
            told = "" if status else refs.status(_first_status(field.value))
            on = _date_in(field.value)
            if told:
                status = told
                if told == "accepted" and not date and on:
                    date = on
                    found.append(_said(decided, "date", on, field, text))
                since = on if told in ("superseded", "deprecated", "amended", "rejected") else date
                if told in ("proposed", "rejected"):
                    since = on or date
                until = on if told == "superseded" else ""
                found.append(replace(_said(decided, "status", told, field, text), valid_from=since))
            found += _replacing(text, decided, field, on)
        elif label in _AMENDS:
            found += [
                _said(decided, _AMENDS[label], one.shown, field, text) for one in refs.decisions(field.value, text.path)
            ]
        elif label not in _DATE:
            found += _field(text, decided, field)
    found += _sentences(text, seen, decided)
    for one in dict.fromkeys(found):
        dated = one.predicate in _DATED and one.subject == decided and not one.valid_from
        one = replace(one, valid_from=date) if dated else one
        if until and one.predicate == "deprecates":
            one = replace(one, valid_to=until)
        yield replace(one, extractor=EXTRACTOR)


def _said(named: Named, predicate: str, value: Named | str, field: _Field, text: Text) -> Statement:
    return Statement(named, predicate, value, field.first, field.last, quote_of(text.lines, field.first, field.last))


def _first_status(value: str) -> str:
    """Of several lines the one that tells the status: "superseded by" if there is one, else the first that tells any."""
    lines = [line for line in value.split("\n") if line.strip() and not refs.is_mark_of_superseding(line)]
    told = [line for line in lines if refs.status(line)]
    return next((line for line in told if refs.status(line) == "superseded"), (told or lines or [""])[0])


def _date_in(value: str) -> str:
    """A date that is told with a status: "accepted on 2024-05-06", "Superseded (1 March 2025)"."""
    found = re.search(r"\d{4}-\d{2}-\d{2}|(?<!\d)\d{1,2}\.? [^\W\d]{3,12}\.? \d{4}|[^\W\d]{3,12} \d{1,2}, \d{4}", value)
    return c.day(found[0]) if found else ""


def _replacing(text: Text, decided: Named, field: _Field, on: str) -> list[Statement]:
    """What a status says of other decisions: "Superseded by [0041](...)", "Amends ADR 3"."""
    found = []
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


def _field(text: Text, decided: Named, field: _Field) -> list[Statement]:
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


def _fields(text: Text, seen: Page) -> Iterator[_Field]:
    """The fields of a record wherever they stand: front matter, tables, lines of the top, short sections."""
    yield from _front(text, seen)
    first_section = next((one.line for one in seen.headings if one.level > 1), len(text.lines) + 1)
    for table in seen.tables:
        if _is_top(table, first_section):
            for row in _rows(table):
                if row[2] == table.head.line and not _is_known(row[0]):
                    continue
                yield _Field(c.plain(row[0]).rstrip(" :"), row[1], row[2], row[2])
    yield from _lines(text, seen, min(first_section, _MOST_TOP + seen.front + 1))
    for at, heading in enumerate(seen.headings):
        label = key(c.plain(heading.text))
        if heading.level > 1 and (
            label in _STATUS | _DATE | _AMENDS.keys() or (_is_link(label) and label not in _PROSE)
        ):
            end = seen.headings[at + 1].line if at + 1 < len(seen.headings) else len(text.lines) + 1
            yield from _section(text, seen, heading, end)


_PROSE = frozenset(
    map(
        key,
        (
            "dependencies",
            "requirements",
            "impacts",
            "affects",
            "affected",
            "needs",
            "services",
            "applications",
            "systems",
            "team",
            "teams",
            "people",
            "approval",
        ),
    )
)


def _is_top(table: Table, first_section: int) -> bool:
    """Whether a table is the record's own head: two columns, before the first section, with fields that records have."""
    if len(table.head.cells) != 2 or table.head.line > first_section:
        return False
    labels = {key(c.plain(row[0])) for row in _rows(table)}
    return bool(labels & _STATUS) or len(labels & (_DATE | {key("author"), key("authors")})) > 1


def _rows(table: Table) -> list[tuple[str, str, int]]:
    return [
        (row.cells[0], row.cells[1], row.line)
        for row in (table.head, *table.rows)
        if len(row.cells) > 1 and key(row.cells[0])
    ]


def _front(text: Text, seen: Page) -> Iterator[_Field]:
    for label, value in text.meta.items():
        line = line_of_front(text.lines, seen.front, label)
        if line and label.casefold() not in ("title", "access"):
            last = line
            while last < seen.front - 1 and text.lines[last].lstrip().startswith("- "):
                last += 1
            yield _Field(label.replace("_", " ").replace("-", " "), value, line, last)


def line_of_front(lines: Sequence[str], front: int, label: str) -> int:
    """The line on which front matter says this, 0 where it does not stand there by itself."""
    for at in range(1, front):
        begin = lines[at].partition(":")
        if begin[1] and begin[0].strip("\"' ") == label and not lines[at].startswith((" ", "\t")):
            return at + 1
    return 0


def _lines(text: Text, seen: Page, end: int) -> Iterator[_Field]:
    """Lines "Label: value" before the first section, in blocks of which one at least is a record's field."""
    block: list[_Field] = []
    at = seen.front
    while at < min(end - 1, len(text.lines)):
        line = text.lines[at]
        if not seen.shown[at] or len(line) > 2000:
            yield from _if_known(block)
            block = []
        else:
            for part in _PARTS.split(line.strip()) if "|" not in line[:1] else ():
                found = _LABEL.match(part)
                if found and len(found["label"].split()) <= _MOST_LABEL_WORDS:
                    value, last = found["value"], at
                    while not value.strip() and last + 1 < end - 1 and (item := _ITEM.match(text.lines[last + 1])):
                        value, last = item["text"], last + 1
                        while last + 1 < end - 1 and (item := _ITEM.match(text.lines[last + 1])):
                            value, last = value + "\n" + item["text"], last + 1
                    block.append(_Field(found["label"].strip(), value.strip(), at + 1, last + 1))
        at += 1
    yield from _if_known(block)


def _if_known(block: Sequence[_Field]) -> Iterator[_Field]:
    if any(key(one.label) in _STATUS | _DATE or _is_link(one.label) for one in block):
        yield from block


def _section(text: Text, seen: Page, heading: Heading, end: int) -> Iterator[_Field]:
    """The lines of a short section whose heading is a field; a long one is prose about it."""
    lines = [at for at in range(heading.line, end - 1) if at < len(text.lines) and seen.shown[at]]
    lines = [at for at in lines if text.lines[at].strip("=- \t")]
    label = c.plain(heading.text)
    if not lines:
        return
    if key(label) in _STATUS or key(label) in _DATE:
        lines = lines[:4]
    elif len(lines) > _MOST_SECTION:
        return
    values = [
        (item["text"] if (item := _ITEM.match(text.lines[at])) else text.lines[at].strip())[:2000] for at in lines
    ]
    for at, value in zip(lines, values, strict=True):
        inner = _LABEL.match(text.lines[at][:2000])
        if inner and (key(inner["label"]) in _STATUS | _DATE or _is_link(inner["label"])):
            yield _Field(inner["label"], inner["value"], at + 1, at + 1)
        else:
            yield _Field(label, value, at + 1, at + 1)


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
    rf"`(?P<x>[^`\n]{{1,60}}`)(?:\s(?:service|system|and|which|that|itself|now|,)){{0,3}},? (?:is|are|will be) owned by {_THING.format('y')}(?:\s+team)?(?=[.;,\n)]|\s(?:since|from|and|team|as of)|\Z)"
)
_UNDECIDED = re.compile(
    r"option|alternativ|context|considered|looked at|background|pros|cons|drawback|kontext|contexto|contexte|related|reference",
    re.I,
)


def _sentences(text: Text, seen: Page, decided: Named) -> Iterator[Statement]:
    """The few plain sentences that state a fact, outside of what was only weighed."""
    headings = {one.line: one for one in seen.headings}
    open_at = 0
    for at, line in enumerate(text.lines):
        heading = headings.get(at + 1)
        if heading:
            if not open_at or heading.level <= open_at:
                open_at = heading.level if heading.level > 1 and _UNDECIDED.search(heading.text) else 0
            continue
        if open_at or not seen.shown[at] or len(line) > 2000 or "|" in line[:3]:
            continue
        field = _Field("", "", at + 1, at + 1)
        joined = (
            line
            if at + 1 >= len(text.lines)
            else line + " " + text.lines[at + 1].strip()[:500]
            if text.lines[at + 1].strip()
            else line
        )
        for form in (
            _DEPRECATES
            if "eprecat" in joined or "retire" in joined or "sunset" in joined or "decommission" in joined
            else ()
        ):
            for found in form.finditer(line):
                yield _said(decided, "deprecates", Named("", (c.plain(found["x"]).rstrip("."),)), field, text)
        if "owned by" in joined:
            for found in _OWNED.finditer(joined):
                if found.start() < len(line):
                    last = at + 1 if found.end() <= len(line) else at + 2
                    span = _Field("", "", at + 1, last)
                    yield _said(
                        Named("", (c.plain(found["y"]).rstrip("."),)),
                        "owns",
                        Named("", (found["x"].strip("`"),)),
                        span,
                        text,
                    )


def _log(text: Text, seen: Page) -> Iterator[Statement]:
    """The entries of a list of decisions that tell a status, by its word or by a mark that the page explains."""
    if not any("](" in line or refs.NUMBER_AHEAD.match(line) for line in text.lines):
        return
    marks = _marks(text, seen)
    found = []
    for at, line in enumerate(text.lines):
        item = _ITEM.match(line) if seen.shown[at] and len(line) <= 2000 else None
        if not item:
            continue
        status, rest = _status_of_entry(item["text"], marks)
        named = refs.decision(rest, text.path) if status else None
        if named and (len(named.names) > 1 or named.ids):
            field = _Field("", "", at + 1, at + 1)
            found.append(replace(_said(named, "status", status, field, text), extractor=EXTRACTOR))
    if len(found) > 1:
        yield from found


def _marks(text: Text, seen: Page) -> dict[str, str]:
    """What the marks of a list mean, where the page says so: "- ✅ Accepted"."""
    found: dict[str, str] = {}
    for at, line in enumerate(text.lines):
        item = _ITEM.match(line) if seen.shown[at] and len(line) < 60 else None
        told = (
            re.fullmatch(r"(?P<mark>[^\w\s\[\]()`*]{1,3})\s*[:=–-]?\s*(?P<word>[^\W\d_]+)", item["text"].strip())
            if item
            else None
        )
        if told and refs.status(told["word"]):
            found[told["mark"].strip("\ufe0f")] = refs.status(told["word"])
    return found


def _status_of_entry(entry: str, marks: dict[str, str]) -> tuple[str, str]:
    """(status, the rest) of an entry: "✅ [Title](0001-x.md)", "[0029](0029-x.md) Title - Accepted"."""
    begin = re.match(r"([^\w\s\[\]()`*]{1,3})\s*(?=[\w\[`*])", entry)
    mark = begin[1].strip("\ufe0f") if begin else ""
    if begin and mark in marks:
        return marks[mark], entry[begin.end() :]
    end = re.search(
        r"(?:\s[–—-]{1,2}\s|:\s|\s[(\[*_]{1,3})\s*(?P<word>[^\W\d_][^()\[\]–—:*_]{2,30})[)\]*_]{0,3}\.?\s*\Z", entry
    )
    if end and len(end["word"].split()) <= 3 and refs.status(end["word"]):
        return refs.status(end["word"]), entry[: end.start()]
    return "", entry
