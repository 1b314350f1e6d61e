"""Which names are one thing: what may be joined for certain among the things that share a name or an id.

Of one type, what shares an id is one; what shares a name is one, too, unless two that bear it have different ids of one
scheme ("emp_1", "emp_2"): then the name is ambiguous and joins nobody. A name without a type is looked up for each use.
Pure: the same answer whatever order things come in. Try: pytest tests/test_facts_resolution.py
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from facts.normal import scheme


@dataclass(frozen=True, slots=True)
class Bearer:
    """A node with what it is called, in normal form."""

    node: int
    type: str
    names: frozenset[str]
    ids: frozenset[tuple[str, str]]  # (scheme, id)


@dataclass(frozen=True, slots=True)
class Joined:
    """Why two nodes are one."""

    nodes: tuple[int, int]
    reason: str  # "same id", "same name"
    key: str


def bearer(node: int, kind: str, rows: Iterable[tuple[str, str, str]]) -> Bearer:
    """From its rows: (kind, name, key)."""
    names, ids = set(), set()
    for what, name, key in rows:
        if what == "id":
            ids.add((scheme(name), key))
        else:
            names.add(key)
    return Bearer(node, kind, frozenset(names), frozenset(ids))


def clusters(bearers: Collection[Bearer]) -> tuple[list[frozenset[int]], list[Joined]]:
    """The nodes that are one thing each, and why; what has no type stands alone."""
    typed = sorted((one for one in bearers if one.type), key=lambda one: one.node)
    groups = _Groups(typed)
    by_id: dict[tuple[str, str, str], list[int]] = {}
    by_name: dict[tuple[str, str], list[int]] = {}
    for one in typed:
        for ident in one.ids:
            by_id.setdefault((one.type, *ident), []).append(one.node)
        for name in one.names | {key for _, key in one.ids}:  # "D-0006" may be written as a name, too
            by_name.setdefault((one.type, name), []).append(one.node)
    for (_, _, key), nodes in sorted(by_id.items()):
        groups.join(nodes, "same id", key)
    for (_, key), nodes in sorted(by_name.items()):
        if not groups.are_apart(nodes):
            groups.join(nodes, "same name", key)
    alone = [frozenset({one.node}) for one in bearers if not one.type]
    return [*groups.found(), *alone], groups.joined


class _Groups:
    """Disjoint sets of nodes, each with the ids that it has."""

    def __init__(self, bearers: Iterable[Bearer]) -> None:
        self._of: dict[int, set[int]] = {}
        self._ids: dict[int, dict[str, set[str]]] = {}
        self.joined: list[Joined] = []
        for one in bearers:
            self._of[one.node] = {one.node}
            held = self._ids[one.node] = {}
            for kind, key in one.ids:
                held.setdefault(kind, set()).add(key)

    def are_apart(self, nodes: Collection[int]) -> bool:
        """Whether two of their groups have different ids of one scheme and share none of it."""
        seen: dict[str, set[str]] = {}
        for root in {min(self._of[node]) for node in nodes}:
            for kind, keys in self._ids_of(root).items():
                if kind in seen and seen[kind].isdisjoint(keys):
                    return True
                seen.setdefault(kind, set()).update(keys)
        return False

    def join(self, nodes: Collection[int], reason: str, key: str) -> None:
        first = min(nodes)
        for node in sorted(nodes):
            ours, theirs = self._of[first], self._of[node]
            if ours is not theirs:
                self.joined.append(Joined((first, node), reason, key))
                ours |= theirs
                for one in theirs:
                    self._of[one] = ours

    def _ids_of(self, root: int) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for node in self._of[root]:
            for kind, keys in self._ids[node].items():
                found.setdefault(kind, set()).update(keys)
        return found

    def found(self) -> list[frozenset[int]]:
        return [*{frozenset(group) for group in self._of.values()}]
