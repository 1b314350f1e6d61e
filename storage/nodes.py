"""By what the things of a document go in the index: each name with the node that it belongs to.

Pure. Knows no tables. Try: pytest tests/test_graph_view.py
"""

from collections.abc import Iterator, Sequence
from typing import Any

from facts import Extraction, Named
from facts.normal import BESIDE, id_key, is_counted, key

LONGEST = 500
"""Characters of a name or value that an index of the database takes."""
_BESIDE = 100  # characters of a name in the key of a node that goes by an id, too
Node = tuple[str, str]
"""Type and key."""


def keys_of(named: Named) -> list[tuple[str, str, str]]:
    """(kind, name, key) of each id and name that says something; the first is the one that its node goes by."""
    found = [("id", one, id_key(one)) for one in named.ids] + [("name", one, key(one)) for one in named.names]
    return [(kind, name[:LONGEST], made[:LONGEST]) for kind, name, made in found if made]


def node_of(named: Named, held: Sequence[tuple[str, str, str]]) -> Node:
    """What it goes by. A counted id is another list's with another name: such a node goes by both."""
    kind, told, made = held[0]
    beside = [key for other, _, key in held if other == "name"] if kind == "id" else []
    if not beside or not is_counted(named.type, told):
        return named.type, f"{kind}:{made}"
    return named.type, f"{kind}:{made}{BESIDE}{beside[0][:_BESIDE]}"


def names_in(said: Extraction) -> Iterator[tuple[Node, *tuple[Any, ...]]]:
    """(node, kind, name, key, place, lines, quote) of each name once, where it stands first."""
    seen = set[tuple[Any, ...]]()
    ends = [
        (end, one.first_line, one.last_line, one.quote)
        for one in said.statements
        for end in (one.subject, one.object)
        if isinstance(end, Named)
    ]
    ends += [(one.named, one.first_line, one.last_line, one.quote) for one in said.mentions]
    for named, first, last, quote in ends:
        held = keys_of(named)
        ids = sum(kind == "id" for kind, *_ in held)
        for n, (kind, name, made) in enumerate(held):
            place = n if kind == "id" else n - ids
            node = node_of(named, held)
            if (node, kind, name, made) not in seen:
                seen.add((node, kind, name, made))
                yield node, kind, name, made, place, first, last, quote
