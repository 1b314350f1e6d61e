"""All that is read of one document: the extractors that fit it, their results put together, each said once.

Pure and quick: a page without structure costs a few passes over its lines. Try: python -m facts docs/services.md
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from facts import MESSAGE, NOTES, Extraction, LeftOut, Statement, Text
from facts.days import ended, through
from facts.days import told as day
from facts.extractors import catalog, codeowners, front, jsonl, labels, mapped, notes, records, tables, talk
from facts.extractors.blanks import names_nothing
from facts.mapping import Mapping
from facts.timeline import first_day

EXTRACTORS: tuple[Callable[[Text], Extraction], ...] = (
    front.extract,
    records.extract,
    tables.extract,
    labels.extract,
    jsonl.extract,
    catalog.extract,
    codeowners.extract,
    notes.extract,
    talk.extract,
)
"""Which of them fit is for each to say: what holds nothing for it costs it next to nothing."""
MOST_TOLD = 5
"""Rows that are left out and told one by one."""
_MOST_RANK = {"message": MESSAGE, "note": NOTES}
"""Of what a document says that calls itself so: whoever may send one keeps no records by that."""


def extract(text: Text, mapping: Mapping | None = None) -> Extraction:
    """What the document states and names, its tables as `mapping` describes them. Never raises, whatever its text."""
    table = mapping.table_of(text.path) if mapping else None
    kind = text.meta.get("kind", "").strip().casefold()
    if kind == "message":
        found = [talk.extract(text)]
    elif mapping and table:
        found = [front.extract(text), mapped.extract(text, table, mapping.relations())]
    else:
        found = [one(text) for one in EXTRACTORS]
    statements = {
        (one.subject, one.predicate, one.object, one.first_line, one.last_line, one.qualifier): one
        for extraction in reversed(found)
        for one in extraction.statements
    }
    kept = {id(one) for one in statements.values()}
    told = [one for extraction in found for one in extraction.statements if id(one) in kept]
    if kind in _MOST_RANK:
        told = [replace(one, rank=min(one.rank, _MOST_RANK[kind])) for one in told]
    told = [one for one in told if not _is_of_nothing(one)]
    left_out = [one for extraction in found for one in extraction.left_out]
    left_out += [one for said in told if (one := _backwards(said))]
    return Extraction(
        tuple(_lasting(one) for one in told if not _backwards(one)),
        tuple(
            dict.fromkeys(one for extraction in found for one in extraction.mentions if not names_nothing(one.named))
        ),
        tuple(sorted(dict.fromkeys(left_out), key=lambda one: one.line)),
    )


def _is_of_nothing(one: Statement) -> bool:
    return names_nothing(one.subject) or (not isinstance(one.object, str) and names_nothing(one.object))


def _backwards(one: Statement) -> LeftOut | None:
    """What ends before it begins never held: a slip in the row, which its owner is told of."""
    begin, end = first_day(one.valid_from), ended(one.valid_to)
    if not begin or not end or end >= begin:
        return None
    return LeftOut(one.first_line, f"it ends ({day(one.valid_to)}) before it begins ({one.valid_from})")


def _lasting(one: Statement) -> Statement:
    """Of what begins and ends on one day that day is the last one."""
    is_a_day = one.valid_from and one.valid_from == one.valid_to
    return replace(one, valid_to=through(one.valid_to)) if is_a_day else one


def left_out(found: Extraction, places: Sequence[str] = ()) -> list[str]:
    """What is left out, for people: where and why, the first ones by name; `places` are those of Text."""
    told = []
    for one in found.left_out[:MOST_TOLD]:
        place = places[one.line - 1] if 0 < one.line <= len(places) else ""
        line = place.removeprefix("L").partition("-")[0] if place[:1] == "L" else str(one.line)
        where = (f"line {line}" if line.isdigit() else place) if one.line else ""
        told.append(f"{where}: {one.why}; no fact is read of it" if where else one.why)
    more = len(found.left_out) - MOST_TOLD
    return [*told, f"{more:,} more rows of which no fact is read"] if more > 0 else told
