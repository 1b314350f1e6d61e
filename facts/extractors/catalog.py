"""Entities of a Backstage catalogue -> who owns what, what depends on what, who is in which team, and their attributes.

A reference such as "group:default/bedrock" is an id; one without a kind has that of its field. Knows the lines that
sources/formats/yaml_file.py makes of a catalogue. Try: python -m facts catalog-info.yaml
"""

from collections.abc import Iterator
from dataclasses import dataclass

from facts import Extraction, Mention, Named, Statement, Text
from facts.extractors import cells as c
from facts.extractors.columns import Record
from facts.extractors.jsonl import is_entity, rows
from facts.relations import BUILT_IN

EXTRACTOR = "catalog/1"
_TYPES = {
    "component": "Service", "api": "Service", "system": "System", "resource": "System", "domain": "System",
    "group": "Team", "user": "Person",
}  # fmt: skip
"""By kind of entity, the type of thing that it is."""


@dataclass(frozen=True, slots=True)
class _Link:
    relation: str
    kind: str  # of a reference without one
    inverse: bool = False  # the reference is the subject


_LINKS = {
    "owner": _Link("owns", "group", True),
    "depends on": _Link("depends_on", "component"),
    "dependency of": _Link("depends_on", "component", True),
    "consumes apis": _Link("depends_on", "api"),
    "member of": _Link("member_of", "group"),
    "members": _Link("member_of", "user", True),
    "parent": _Link("member_of", "group"),
    "children": _Link("member_of", "group", True),
}
_ATTRIBUTES = (
    "type", "lifecycle", "description", "tags", "system", "domain", "subcomponent of", "subdomain of", "provides apis",
)  # fmt: skip


def extract(text: Text) -> Extraction:
    """What the entities of a catalogue state; nothing of any other document."""
    if text.format not in ("yaml", "yml"):
        return Extraction()
    found = [(record, named) for record in rows(text) if (named := _entity(record))]
    known = {named.ids[0]: named for _, named in found}
    statements = tuple(one for record, named in found for one in _of(record, named, known))
    told = {one.first_line for one in statements}
    alone = ((record, named) for record, named in found if record.first_line not in told)
    mentions = (Mention(named, record.first_line, record.last_line, record.quote) for record, named in alone)
    return Extraction(statements, tuple(mentions))


def _entity(record: Record) -> Named | None:
    kind, name = (_text(record, key) for key in ("kind", "name"))
    type_ = _TYPES.get(kind.lower())
    if not (type_ and name and is_entity(record)):
        return None
    shown = [_text(record, key) for key in ("profile display name", "title")]
    email = _text(record, "profile email") if type_ in ("Person", "Team") else ""
    ids = [_reference(name, kind.lower(), _text(record, "namespace")), *([email] if "@" in email else [])]
    return Named(type_, tuple(dict.fromkeys(one for one in (*shown, name) if one)), tuple(ids))


def _of(record: Record, named: Named, known: dict[str, Named]) -> Iterator[Statement]:
    place = (record.first_line, record.last_line, record.quote)
    for heading, cell in record.cells.items():
        told = (cell,) if isinstance(cell, str) else cell
        if heading in _ATTRIBUTES:
            for value in c.value(cell):
                yield Statement(named, heading, value, *place, extractor=EXTRACTOR)
        link = _LINKS.get(heading)
        for one in told if link else ():
            assert link is not None
            other = _referred(one, link.kind, _text(record, "namespace"), known)
            if other is None:
                continue
            subject, object_ = (other, named) if link.inverse else (named, other)
            relation = BUILT_IN.relations[link.relation]
            if subject.type in relation.subjects and object_.type in relation.objects:
                yield Statement(subject, link.relation, object_, *place, extractor=EXTRACTOR)


def _referred(reference: str, kind: str, namespace: str, known: dict[str, Named]) -> Named | None:
    """The thing of "[kind:][namespace/]name"."""
    before, colon, rest = reference.strip().partition(":")
    kind, rest = (before.lower(), rest) if colon else (kind, before)
    within, slash, name = rest.partition("/")
    name = name if slash else within
    if kind not in _TYPES or not name.strip() or len(reference) > 300:
        return None
    identity = _reference(name, kind, within if slash else namespace)
    return known.get(identity) or Named(_TYPES[kind], (name.strip(),), (identity,))


def _reference(name: str, kind: str, namespace: str) -> str:
    """An entity's id; case does not count in it."""
    return f"{kind}:{namespace or 'default'}/{name}".lower()


def _text(record: Record, heading: str) -> str:
    cell = record.cells.get(heading, "")
    return cell.strip() if isinstance(cell, str) else ""
