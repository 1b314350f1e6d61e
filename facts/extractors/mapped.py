"""Rows of a table that facts.toml describes -> what they state: its columns are what the company says that they are.

The same cells are read as in any table (cells.py), but nothing is guessed from headings. A cell that is a sentence
still names nobody. Knows no files. Try: pytest tests/test_mapping.py
"""

from collections.abc import Iterator, Mapping, Sequence

from facts import Extraction, LeftOut, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors import jsonl, tables
from facts.extractors.cells import Cell, Thing
from facts.extractors.columns import Record, until
from facts.mapping import Cells, Table
from facts.normal import id_key, key, scheme
from facts.relations import BUILT_IN, Relations

EXTRACTOR = "mapped/1"
_MOST_NAME = 120


def extract(text: Text, table: Table, relations: Relations) -> Extraction:
    """What the records or the tables of a document state, as `table` describes them."""
    records = jsonl.rows(text) or tables.rows(text)
    return Extraction(of_rows(records, table, relations), left_out=tuple(_left_out(records, table)))


def _left_out(records: Sequence[Record], table: Table) -> Iterator[LeftOut]:
    """Columns that facts.toml names and no row has, and the rows in which nothing is named."""
    held = {_column(heading) for record in records for heading in record.cells}
    relating = [column for told in table.relations for column in told.columns]
    named = (table.name, table.id, *relating, *table.qualifiers, table.since, table.until, *(table.attributes or ()))
    for column in dict.fromkeys(named) if records else ():
        if column and column not in held:
            yield LeftOut(0, f'facts.toml names a column "{column}" that it has not')
    rows = _Rows(records, table, BUILT_IN) if held & {table.name, table.id} else None
    for record in rows.nameless() if rows else ():
        yield LeftOut(record.first_line, f"it names no {table.type.lower()}")


def of_rows(records: Sequence[Record], table: Table, relations: Relations) -> tuple[Statement, ...]:
    """What the rows state, in their order."""
    return tuple(_Rows(records, table, relations).statements())


class _Rows:
    def __init__(self, records: Sequence[Record], table: Table, relations: Relations) -> None:
        self._table, self._relations = table, relations
        self._records = [
            (record, {_column(heading): (heading, cell) for heading, cell in record.cells.items()})
            for record in records
        ]
        self._named = [self._name(columns) for _, columns in self._records]
        self._by: dict[str, Named | None] = {}
        for named in filter(None, self._named):
            for one in (*map(id_key, named.ids), *map(key, named.names)):
                self._by[one] = named if self._by.get(one, named) == named else None
        self._schemes = {scheme(named.ids[0]) for named in self._named if named and named.ids} - {"", "word"}
        self._day_first = c.is_day_first(
            _cell(columns, day) for _, columns in self._records for day in (table.since, table.until)
        )

    def nameless(self) -> Iterator[Record]:
        """Rows that say something, and not of what."""
        for (record, _), named in zip(self._records, self._named, strict=True):
            if named is None and 2 * sum(bool(c.value(cell)) for cell in record.cells.values()) >= len(record.cells):
                yield record

    def statements(self) -> Iterator[Statement]:
        for (record, columns), named in zip(self._records, self._named, strict=True):
            if named is None:
                continue
            place = (record.first_line, record.last_line, record.quote)
            since, end_ = self._days(columns)
            narrows = "; ".join(
                filter(None, (", ".join(c.value(_cell(columns, one))) for one in self._table.qualifiers))
            )
            for told in self._table.relations:
                for column in told.columns:
                    for end in self._ends(_cell(columns, column), told):
                        pair = (end, told.relation, named) if told.inverse else (named, told.relation, end)
                        yield Statement(*pair, *place, narrows, since, end_, extractor=EXTRACTOR)
            for column, (heading, cell) in columns.items():
                if self._is_attribute(column):
                    predicate = " ".join(c.plain(heading).replace("_", " ").casefold().rstrip(" :?").split())
                    for value in c.value(cell):
                        yield Statement(named, predicate, value, *place, extractor=EXTRACTOR)

    def _is_attribute(self, column: str) -> bool:
        table = self._table
        if not column or column in table.leave:
            return False
        if table.attributes is not None:
            return column in table.attributes
        taken = {table.name, table.id, table.since, table.until, *table.qualifiers}
        return column not in taken and not any(column in told.columns for told in table.relations)

    def _name(self, columns: Mapping[str, tuple[str, Cell]]) -> Named | None:
        names = [one for one in c.value(_cell(columns, self._table.name))[:1] if key(one)]
        ids = [one for one in c.value(_cell(columns, self._table.id))[:1] if id_key(one)]
        if ids and ids[0].isdigit():  # a bare number tells things of one kind of table apart, and no others
            ids = [f"{key(self._table.type)}#{ids[0]}"]
        return Named(self._table.type, tuple(names), tuple(ids)) if names or ids else None

    def _ends(self, cell: Cell, told: Cells) -> list[Named]:
        relation = self._relations.relations[told.relation]
        allowed = relation.subjects if told.inverse else relation.objects
        certain = told.type or (next(iter(allowed)) if len(allowed) == 1 else "")
        found = c.things(cell, of_people=certain == "Person")
        if found is None:  # the company says that it names something: a whole short cell does
            parts = (cell,) if isinstance(cell, str) else cell
            found = tuple(Thing(one) for one in map(c.plain, parts) if key(one) and len(one) <= _MOST_NAME)
        return [self._end(one, certain, allowed) for one in found]

    def _end(self, one: Thing, certain: str, allowed: frozenset[str]) -> Named:
        for told in (*one.ids, one.name, f"{key(self._table.type)}#{one.name}"):
            here = self._by.get(id_key(told)) or self._by.get(key(told))
            if here and here.type in allowed and certain in ("", here.type):
                return here
        if one.name and scheme(one.name) in self._schemes and self._table.type in allowed:
            return Named(certain or self._table.type, ids=(one.name,))
        return Named(certain, (one.name,) if one.name else (), one.ids)

    def _days(self, columns: Mapping[str, tuple[str, Cell]]) -> tuple[str, str]:
        """From when the row holds, and from when no more."""
        since, last = (c.day(_cell(columns, one), self._day_first) for one in (self._table.since, self._table.until))
        return since, until(_cell(columns, self._table.until), last)


def _cell(columns: Mapping[str, tuple[str, Cell]], column: str) -> Cell:
    return columns[column][1] if column in columns else ""


def _column(heading: str) -> str:
    return key(c.plain(heading))
