"""Rows of any table -> what they state: which column names the thing, which relate, date, narrow or describe it.

The one engine for tables of Markdown, CSV, JSON Lines and workbooks. Of a table that is no list of things nothing is
read: a wrong fact costs more than a missing one. Knows no files.
Try: python -m facts docs/services.md
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from facts import RECORD, Extraction, LeftOut, Named, Statement
from facts.days import ended, through
from facts.extractors import blanks
from facts.extractors import cells as c
from facts.extractors import references as refs
from facts.extractors.cells import Cell, Thing
from facts.extractors.headings import Link, Meaning, is_end_of_thing, meaning, names_no_things, of_people, type_in
from facts.normal import id_key, key, scheme
from facts.relations import BUILT_IN

_PEOPLE = frozenset({"Person"})
_MOST_COLUMNS = 200
_AROUND = re.compile(r"until|till|ended|bis|vom|hasta|jusqu\w*|through|end of|ende|fin de?|finales de", re.I)
_NOW_WORDS = "present|current|now|today|ongoing|heute|aktuell|actualidad|presente|aujourd hui"
_LEFT_WORDS = (
    "left|left on|leaving date|last day|last working day|exit date|termination date|terminated|end of employment|"
    "departure|departed|austritt|austrittsdatum|ausgeschieden|fecha de baja|baja|date de départ"
)
_NOW, _LEFT = (frozenset(map(key, words.split("|"))) for words in (_NOW_WORDS, _LEFT_WORDS))


@dataclass(frozen=True, slots=True)
class Record:
    """One row: its cells by heading as written, markup and all, and where it stands."""

    cells: Mapping[str, Cell]
    first_line: int
    last_line: int
    quote: str


@dataclass(slots=True)
class _Columns:
    """What the columns of one table are for."""

    type: str = ""
    name: str = ""
    identity: str = ""
    contacts: list[str] = field(default_factory=list)
    links: dict[str, Link] = field(default_factory=dict)
    since: str = ""
    until: str = ""
    left: str = ""  # when a person went, and with them what they did
    qualifiers: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)


def of_records(
    records: Sequence[Record],
    headings: Sequence[str],
    subject_hint: str = "",
    *,
    base: str = "",
    extractor: str = "",
    rank: int = RECORD,
) -> Extraction:
    """What the rows state, in their order, and which rows name nothing; nothing of a table that is no list of things.

    `subject_hint` is what the table is said to be of: its heading, the file's name ("Service catalogue", "employees").
    `base` is the document's path, from which its links lead.
    """
    headings = [one for one in headings[:_MOST_COLUMNS] if one.strip()]
    if not records or len(headings) < 2:
        return Extraction()
    found, left_out = _granting(records, headings), list[LeftOut]()
    columns = None if found else _columns(headings, records, subject_hint)
    if columns:
        table = _Table(records, columns, subject_hint, base)
        found = [one for record in records for one in table.statements(record)]
        left_out = [LeftOut(record.first_line, why) for record in records if (why := table.nameless(record))]
    return Extraction(tuple(replace(one, extractor=extractor, rank=rank) for one in found), left_out=tuple(left_out))


def about(
    subject: Named, records: Sequence[Record], *, extractor: str = "", rank: int = RECORD
) -> tuple[Statement, ...]:
    """What rows of one field each ("Owner | Bedrock") state of the one thing that all of them are about."""
    headings = [heading for record in records for heading in record.cells]
    columns = _roles(headings, subject.type, set())
    found: list[Statement] = []
    table = _Table(records, columns, "")
    merged = {heading: cell for record in records for heading, cell in record.cells.items()}
    for record in records:
        found += table.of(subject, record, merged)
    return tuple(replace(one, extractor=extractor, rank=rank) for one in found)


def _columns(headings: Sequence[str], records: Sequence[Record], hint: str) -> _Columns | None:
    """The columns' roles; None where no column names things."""
    found = {heading: meaning(heading) for heading in headings}
    ids = [one for one in headings if found[one].kind == "id"]
    generic = [one for one in ids if not found[one].type]
    names = [one for one in headings if found[one].kind == "name"]
    typed = [one for one in headings if found[one].kind == "type"]
    identity = (generic or ids or [""])[0]
    name = ""
    if names and (not typed or headings.index(names[0]) < headings.index(typed[0]) or identity):
        name = names[0]
    elif typed and (headings.index(typed[0]) <= 1 or identity):
        name = typed[0]
    if name and names and found[name].type == "Decision" and not identity:  # "ADR | Title"
        name, identity = names[0], name
    type_ = (found[name].type if name else "") or (found[identity].type if identity else "")
    if name or identity:
        type_ = type_ or type_in(hint) or _implied(headings, found)
        if not type_ and name and of_people(headings):
            names = [value for record in records for value in c.value(record.cells.get(name, ""))]
            full = [one for one in names if len(one.split()) > 1 and c.is_person(one)]
            type_ = "Person" if names and len(full) >= 0.6 * len(names) else ""
    else:
        name = headings[0]
        if found[name].kind != "attribute":
            return None
    if not type_ and not identity and names_no_things(name, headings):
        return None
    if identity and not name and c.value(records[0].cells.get(identity, "")) == ():
        return None
    columns = _roles([one for one in headings if one not in (name, identity)], type_, {name, identity})
    columns.name, columns.identity = name, identity
    return columns if _is_list_of_things(columns, found, records) else None


def _dated(columns: _Columns, headings: Sequence[str]) -> set[str]:
    """Which relations the row's dates are of: of several the one before them ("Team, Supervisor, Since")."""
    first = next((at for at, one in enumerate(headings) if one in (columns.since, columns.until)), 0)
    lasting = {one for one, link in columns.links.items() if _lasts(link)}
    before = [one for one in headings[:first] if one in lasting]
    return {before[-1]} if before else lasting


def _lasts(link: Link) -> bool:
    """Whether what it says begins and ends, unlike what was once decided or written."""
    return BUILT_IN.relations[link.relation].fresh_days > 0


def _implied(headings: Sequence[str], found: Mapping[str, Meaning]) -> str:
    """The type that the relations of a table without a telling name all speak of."""
    of = [frozenset[str]().union(*(link.things for link in found[one].links)) for one in headings if found[one].links]
    common = frozenset.intersection(*of) - {""} if of else frozenset()
    return next(iter(common)) if len(common) == 1 else ""


def _roles(headings: Sequence[str], type_: str, taken: set[str]) -> _Columns:
    """What columns are for in a table about things of this type."""
    columns = _Columns(type_)
    for heading in headings:
        said = meaning(heading)
        link = next((one for one in said.links if type_ in one.things), None)
        if link:
            columns.links[heading] = link
        elif type_ == "Person" and key(heading) in _LEFT:
            columns.left = heading
            columns.attributes.append(heading)
        elif said.kind == "contact" and type_ in ("Person", "Team"):
            columns.contacts.append(heading)
        elif said.kind == "from" and not columns.since:
            columns.since = heading
        elif said.kind == "to" and not columns.until:
            columns.until = heading
        else:
            if said.kind == "qualifier":
                columns.qualifiers.append(heading)
            if said.kind == "alias":
                columns.aliases.append(heading)
            columns.attributes.append(heading)
    for heading, link in list(columns.links.items()):  # of a relation that has one, one column speaks
        heavier = [
            one
            for one, other in columns.links.items()
            if (other.relation, other.cell_is_subject) == (link.relation, link.cell_is_subject)
        ]
        if BUILT_IN.relations[link.relation].one and heading != max(heavier, key=lambda one: columns.links[one].weight):
            del columns.links[heading]
            columns.attributes.append(heading)
    if not columns.since and is_end_of_thing(columns.until):
        columns.attributes.append(columns.until)
        columns.until = ""
    if not any(map(_lasts, columns.links.values())):  # "Until": of the thing itself
        columns.attributes += [one for one in (columns.since, columns.until) if one]
        columns.since = columns.until = ""
    columns.qualifiers.sort(key=lambda heading: meaning(heading).type)
    return columns


def _is_list_of_things(columns: _Columns, found: Mapping[str, Meaning], records: Sequence[Record]) -> bool:
    """Whether the rows are things: the column says so in its heading, or its cells are all names, each its own."""
    if columns.identity and found[columns.identity].kind == "id":
        shown = [value for record in records for value in c.value(record.cells.get(columns.identity, ""))]
        if shown and _mostly(sum(map(_is_id, shown)), len(shown), 1):
            return bool(columns.name or columns.type or any(not one.isdigit() for one in shown))
        return False
    cells = [cell for record in records if isinstance(cell := record.cells.get(columns.name, ""), str)]
    cells = [cell for cell in cells if not blanks.is_template(c.plain(cell))]
    shown = [one for one in map(c.plain, cells) if one]
    if not shown:
        return False
    if columns.type == "Person" and not columns.identity:
        people = [one for one in shown if not c.is_nothing(one)]
        return _mostly(sum(map(c.is_person, people)), len(people), 0.6)
    if columns.type in ("Decision", "Document") and found[columns.name].kind in ("type", "name"):
        return _mostly(sum(map(c.is_title, shown)), len(shown), 0.8)
    if columns.type and found[columns.name].kind in ("type", "name"):
        good = [
            one for one in cells if (named := c.things(one, of_people=columns.type == "Person")) and len(named) == 1
        ]
        return _mostly(len(good), len([one for one in cells if not c.is_nothing(one)]), 0.8)
    if columns.links:
        return c.names_things(cells, most_bad=1)
    return len(shown) > 1 and c.names_things(cells)


def _mostly(good: int, of: int, share: float) -> bool:
    """Whether so many of the rows are what the column says; one slip drops no table in which others are right."""
    return good >= share * of or (good > 1 and of - good <= max(1, (1 - share) * of))


def _is_id(text: str) -> bool:
    return len(text) <= 100 and len(text.split()) <= 4


class _Table:
    """The rows of one table, which may speak of each other."""

    def __init__(self, records: Sequence[Record], columns: _Columns, hint: str, base: str = "") -> None:
        self._columns, self._hint, self._base = columns, hint, base
        self._records, self._day_first = records, dict[str, bool]()
        self._by_id: dict[str, Named] = {}
        self._by_name: dict[str, Named | None] = {}
        self._named: dict[int, Named | None] = {}
        for record in records if columns.name or columns.identity else ():
            named = self._named[id(record)] = self._name(record)
            if named:
                raw = c.value(record.cells.get(columns.identity, ""))[:1] if columns.identity else ()
                self._by_id |= {id_key(one): named for one in (*named.ids, *raw)}
                for one in map(key, named.names):
                    seen = self._by_name.get(one, named)
                    self._by_name[one] = named if seen == named else None
        self._schemes = {scheme(named.ids[0]) for named in self._by_id.values() if named.ids and columns.identity} - {
            "",
            "word",
        }
        shown = Counter(named.shown for named in self._named.values() if named)
        self._repeats = bool(shown) and shown.most_common(1)[0][1] > 1 and not columns.identity
        # Who was on call for what and when: such a list calls a system "service", whose own page knows better.
        self._is_rota = self._repeats and columns.type in ("Service", "System")
        self._dated = _dated(columns, [*dict.fromkeys(heading for record in records[:50] for heading in record.cells)])

    def statements(self, record: Record) -> list[Statement]:
        """What one row states of the thing that it names."""
        named = self._named.get(id(record))
        return self.of(named, record, record.cells) if named else []

    def nameless(self, record: Record) -> str:
        """Why a row that says something of a thing is left out, "" where it is not, or says next to nothing."""
        columns = self._columns
        filled = [heading for heading, cell in record.cells.items() if c.value(cell)]
        if self._named.get(id(record)) or 2 * len(filled) < len(record.cells):
            return ""
        if not any(heading in columns.links for heading in filled) and (columns.links or len(filled) < 2):
            return ""
        cell = record.cells.get(columns.name or columns.identity, "")
        told = c.plain(cell if isinstance(cell, str) else ", ".join(cell))[:60]
        if told and blanks.is_template(told):
            return ""
        wrong = next((one for one in c.value(record.cells.get(columns.identity, "")) if not _is_id(one)), "")
        if wrong:
            return f'"{wrong[:60]}" is no id'
        told = f'"{told}"' if told else "it"
        return f"{told} names no {(columns.type or 'thing').lower()}"

    def of(self, named: Named, record: Record, around: Mapping[str, Cell]) -> list[Statement]:
        """What the cells of `record` state of `named`; dates and what narrows may stand `around` it."""
        columns, found = self._columns, list[Statement]()
        since, until = self._days(around)
        left = self._last(around, columns.left)
        narrows = "; ".join(one for heading in columns.qualifiers for one in c.value(around.get(heading, ""))[:1])
        for heading, cell in record.cells.items():
            link = columns.links.get(heading)
            if link and named.type in link.things:
                ends = self._ends(cell, link, named.type)
                if ends is not None:
                    qualifier = narrows if self._repeats or link.relation == "on_call_for" else ""
                    for end in ends:
                        thing = replace(named, type="") if self._is_rota and heading in self._dated else named
                        pair = (end, link.relation, thing) if link.cell_is_subject else (thing, link.relation, end)
                        days = (since, until) if heading in self._dated else ("", "")
                        if left and not link.cell_is_subject and _lasts(link) and not days[1]:
                            days = (days[0], left)
                        place = (record.first_line, record.last_line, record.quote)
                        found.append(Statement(*pair, *place, qualifier, *days))
                    continue
            elif (
                not link
                and heading not in columns.attributes
                and not (heading == columns.since and not since)
                and not (heading == columns.until and not until)
            ):
                continue
            if (self._repeats and heading in columns.qualifiers) or (
                heading == columns.left and key(str(cell)) in _NOW
            ):
                continue
            predicate = " ".join(c.plain(heading).replace("_", " ").casefold().rstrip(" :?").split())
            is_word = bool(key(predicate)) and predicate not in BUILT_IN.relations  # "affects" without what it affects
            values = c.value(cell) if is_word else ()
            if link:  # a text in place of a name
                values = tuple(one for one in values if not blanks.is_template(one))
            if named.type == "Decision":
                predicate, values = refs.plain_field(predicate, values)
            for value in values:
                found.append(Statement(named, predicate, value, record.first_line, record.last_line, record.quote))
        return found

    def _days(self, around: Mapping[str, Cell]) -> tuple[str, str]:
        """From when the row holds, and from when no more."""
        return self._day(around, self._columns.since), self._last(around, self._columns.until)

    def _last(self, around: Mapping[str, Cell], heading: str) -> str:
        return until(around.get(heading, ""), self._day(around, heading))

    def _day(self, around: Mapping[str, Cell], heading: str) -> str:
        if not heading:
            return ""
        if heading not in self._day_first:
            self._day_first[heading] = c.is_day_first(one.cells.get(heading, "") for one in self._records)
        return c.day(around.get(heading, ""), self._day_first[heading])

    def _name(self, record: Record) -> Named | None:
        """The thing that a row is about."""
        columns = self._columns
        if columns.type in ("Decision", "Document"):
            return self._written(record)
        if columns.identity and not all(map(_is_id, c.value(record.cells.get(columns.identity, "")))):
            return None
        cell = record.cells.get(columns.name, "") if columns.name else ""
        named = (
            c.things(cell if isinstance(cell, str) else "", of_people=columns.type == "Person") if columns.name else ()
        )
        if columns.name and not columns.identity and (named is None or len(named) != 1):
            return None
        if (
            columns.type == "Person"
            and not columns.identity
            and not (named and (named[0].ids or c.is_person(named[0].name)))
        ):
            return None
        names = tuple(one.name for one in named or () if one.name)[:1]
        if columns.type == "Team" and names:
            names = c.team_names(names[0]) or names
        if columns.name and not names and isinstance(cell, str) and columns.identity and not c.is_nothing(cell):
            names = (c.plain(cell)[: c.MOST_VALUE],)
        for heading in columns.aliases if names else ():
            names += tuple(
                one.name for one in c.things(record.cells.get(heading, "")) or () if one.name and one.name not in names
            )
        ids = list(c.value(record.cells.get(columns.identity, ""))[:1]) if columns.identity else []
        if ids and ids[0].isdigit():  # a bare number tells things of one table apart, and no others
            ids = [f"{key(self._hint) or columns.type.lower()}#{ids[0]}"] if self._hint or columns.type else []
        for one in named or ():
            ids += one.ids if columns.type in ("Person", "Team") else ()
        for heading in columns.contacts:
            shown = c.value(record.cells.get(heading, ""))
            is_handle = "mail" not in key(heading)
            ids += [one if "@" in one or not is_handle else f"@{one}" for one in shown if len(one.split()) == 1]
        if columns.type == "Team":
            ids = ids[:1] if columns.identity else []
        return Named(columns.type, names, tuple(dict.fromkeys(ids))) if names or ids else None

    def _written(self, record: Record) -> Named | None:
        """The decision or page that a row is about: known by its place where the row links to it."""
        columns = [one for one in (self._columns.name, self._columns.identity) if one]
        cells = [cell for one in columns if isinstance(cell := record.cells.get(one, ""), str)]
        named = [one for cell in cells if (one := refs.decision(cell, self._base))]
        ids = tuple(dict.fromkeys(each for one in named for each in one.ids))
        names = [*dict.fromkeys(name for one in named for name in one.names)]
        title = c.plain(cells[0]) if cells and self._columns.name and not c.is_nothing(cells[0]) else ""
        is_title = c.is_title(title) and bool(key(title))
        if self._columns.type == "Document" and not any(map(refs.is_called_so, map(c.plain, cells))):
            return Named("Document", (title,) if is_title else (), ids) if is_title or ids else None
        if is_title and title not in names and meaning(self._columns.name).kind == "name":
            names.insert(0 if all(one.isdigit() or refs.is_numbered(one) for one in names) else len(names), title)
        return Named("Decision", tuple(names), ids) if names or ids else None

    def _ends(self, cell: Cell, link: Link, type_: str) -> list[Named] | None:
        """The things in a relation's cell; None where it holds a text."""
        relation = BUILT_IN.relations[link.relation]
        if link.relation == "supersedes" or link.cell == "Decision":
            return refs.decisions(cell if isinstance(cell, str) else ", ".join(cell), self._base)
        allowed = relation.subjects if link.cell_is_subject else relation.objects
        are_people = allowed == _PEOPLE or link.cell == "Person" or link.relation in ("approved_by", "on_call_for")
        named = c.things(cell, of_people=are_people)
        if named is None or any(one.name.startswith("#") for one in named):
            return None
        certain = link.cell or (next(iter(allowed)) if len(allowed) == 1 else "")
        return [self._end(one, certain, allowed) for one in named]

    def _end(self, one: Thing, certain: str, allowed: frozenset[str]) -> Named:
        told = (self._by_id.get(id_key(each)) for each in (one.name, *one.ids))
        here = next(filter(None, told), None if one.ids else self._by_name.get(key(one.name)))
        if here and (here.type in allowed or not here.type):
            return here
        if one.name and not one.ids and scheme(one.name) in self._schemes and self._columns.type in allowed:
            return Named(certain or self._columns.type, ids=(one.name,))
        ids = one.ids if certain != "Team" else tuple(each for each in one.ids if not each.count("@") or each[0] == "@")
        if not one.name and not ids:
            ids = one.ids
        team = c.team_names(one.name) if "Team" in allowed and certain in ("", "Team") else ()
        return Named("Team", team, ids) if team else Named(certain, (one.name,) if one.name else (), ids)


def until(cell: Cell, day: str) -> str:
    """The end that a cell tells whose date is `day`: who stays until the last of a month, or until March, is there.

    Of another day people write down both, the last one and the first one without; it is taken for the latter.
    """
    if not day or not isinstance(cell, str):
        return day
    figures = re.findall(r"\d+", cell)
    if len(figures) == 1 and len(figures[0]) == 4:  # "2026", "March 2026"
        return through(day[:7] if re.search(r"[^\W\d_]{3,}", _AROUND.sub("", cell)) else day[:4])
    if len(figures) == 2 and max(map(len, figures)) == 4 and not re.search(r"[^\W\d_]{3,}", _AROUND.sub("", cell)):
        return through(day[:7])  # "2026-03", "03/2026"
    return through(day) if ended(through(day)).endswith("-01") else day


def _granting(records: Sequence[Record], headings: Sequence[str]) -> list[Statement]:
    """Who has access to what: a column of groups or people, one of services or systems, and one of levels."""
    found = {heading: meaning(heading) for heading in headings}
    who = [one for one in headings if found[one].type in ("Team", "Person") and found[one].kind in ("type", "id")]
    what = [one for one in headings if found[one].type in ("Service", "System") and found[one].kind == "type"]
    how = [one for one in headings if found[one].kind == "qualifier"]
    is_grant = any(found[one].type == "1" for one in how)
    if (
        len(who) != 1
        or len(what) != 1
        or not is_grant
        or any(found[one].kind in ("id", "name") for one in headings if one not in who)
    ):
        return []
    how.sort(key=lambda heading: found[heading].type)
    spans = _Table(records, _roles([one for one in headings if found[one].kind in ("from", "to")], "", set()), "")
    statements = []
    for record in records:
        subjects = c.things(record.cells.get(who[0], ""), of_people=found[who[0]].type == "Person") or ()
        objects = c.things(record.cells.get(what[0], "")) or ()
        narrows = "; ".join(", ".join(c.value(record.cells.get(heading, ""))) for heading in how).strip("; ")
        since, until = spans._days(record.cells)
        for one in subjects:
            by = Named(found[who[0]].type, (one.name,) if one.name else (), one.ids)
            for other in objects:
                to = Named(found[what[0]].type, (other.name,)) if other.name else None
                if to:
                    place = (record.first_line, record.last_line, record.quote)
                    statements.append(Statement(by, "has_access", to, *place, narrows, since, until))
    return statements
