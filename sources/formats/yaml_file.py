"""A YAML file that is a document: entities of a Backstage catalogue, or records that facts.toml names, a line each.

Of an entity `metadata` and `spec` are one record; its annotations, definitions and nested settings are left out.
Scalars stay as they are written; nothing is constructed from a tag. What anchors unfold to is counted. The place of a
line is where its record stands in the file: "L3-24". Which YAML files are documents is decided in sources/kinds.py.
Try: python chunk.py catalog-info.yaml
"""

from collections.abc import Iterator

import yaml

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.json_file import Record, of_records
from sources.formats.records import Field

API = "backstage.io/"
"""How `apiVersion` of an entity begins."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # eight times as fast, and it ends at 1,000 levels
_NULL, _MERGE = "tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"
_MOST_NODES = 500_000
_FIRST = ("kind", "name", "namespace", "title", "description")
_LEFT_OUT = frozenset({"annotations", "definition"})
_DEPTH = 100


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The records, one a line. Raises Unreadable."""
    try:
        text = decode(data).text
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    reader = _Reader(text)
    try:
        found = [reader.value(node, 0) for node in yaml.compose_all(text, Loader=_LOADER) if node is not None]
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1}: {getattr(error, 'problem', '')})" if mark else ""
        raise Unreadable(f"is no YAML that can be read{where}") from error
    entities = [one for one in found if isinstance(one, Record) and _is_entity(one)]
    if entities:
        return of_records([_entity(one) for one in entities], limits)
    return of_records(found[0] if len(found) == 1 else found, limits)


def _is_entity(record: Record) -> bool:
    told = dict(record.fields)
    return str(told.get("apiVersion", "")).startswith(API) and isinstance(told.get("kind"), str)


def _entity(record: Record) -> Record:
    told = dict(record.fields)
    fields: list[Field] = [("kind", told["kind"])]
    for part in (told.get("metadata"), told.get("spec")):
        if isinstance(part, Record):
            fields += [(key, value) for key, value in part.fields if key not in _LEFT_OUT and _is_flat(key, value)]
    fields.sort(key=lambda field: _FIRST.index(field[0]) if field[0] in _FIRST else len(_FIRST))
    return Record((*fields, ("apiVersion", told["apiVersion"])), record.place)


def _is_flat(key: str, value: object) -> bool:
    if isinstance(value, list):
        return not any(isinstance(one, list) for one in value) and (key == "links" or not any(map(_is_record, value)))
    return not _is_record(value) or key in ("profile", "labels")


def _is_record(value: object) -> bool:
    return isinstance(value, Record)


class _Reader:
    """Nodes as texts, lists and records with their lines."""

    def __init__(self, text: str) -> None:
        self.lines, self.room = text.split("\n"), _MOST_NODES

    def value(self, node: yaml.Node, depth: int) -> object:
        self.room -= 1
        if self.room < 0:
            raise Unreadable(f"unfolds to more than {_MOST_NODES:,} values")
        if depth > _DEPTH:
            raise Unreadable("is nested too deeply")
        if isinstance(node, yaml.SequenceNode):
            return [self.value(one, depth + 1) for one in node.value]
        if isinstance(node, yaml.MappingNode):
            return Record(tuple(self._fields(node, depth)), self._place(node))
        return None if node.tag == _NULL else str(node.value)

    def _fields(self, node: yaml.MappingNode, depth: int) -> Iterator[Field]:
        for key, value in node.value:
            if key.tag == _MERGE:
                merged = self.value(value, depth + 1)
                for one in merged if isinstance(merged, list) else [merged]:
                    yield from one.fields if isinstance(one, Record) else ()
            elif isinstance(key, yaml.ScalarNode):
                yield str(key.value), self.value(value, depth + 1)

    def _place(self, node: yaml.MappingNode) -> str:
        first, last = node.start_mark.line, node.end_mark.line - (node.end_mark.column == 0)
        while last > first and (last >= len(self.lines) or self.lines[last].strip()[:1] in ("", "#")):
            last -= 1
        return f"L{first + 1}" if last <= first else f"L{first + 1}-{last + 1}"
