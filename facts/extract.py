"""All that is read of one document: the extractors that fit it, their results put together, each said once.

Pure and quick: a page without structure costs a few passes over its lines. Try: python -m facts docs/services.md
"""

from collections.abc import Callable
from dataclasses import replace

from facts import MESSAGE, NOTES, Extraction, Text
from facts.extractors import catalog, codeowners, front, jsonl, labels, mapped, notes, records, tables, talk
from facts.mapping import Mapping

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
    return Extraction(
        tuple(told),
        tuple(dict.fromkeys(one for extraction in found for one in extraction.mentions)),
    )
