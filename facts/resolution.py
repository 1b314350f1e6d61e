"""Which names are one thing: what may be joined for certain among the things that share a name or an id.

Of one type, what shares an id is one, unless two lists count so for themselves (`strangers`); what shares a name is
one, too, unless two that bear it have different ids of one scheme ("emp_1", "emp_2"): then the name is ambiguous and
joins nobody. A name without a type is looked up for each use.
Pure: the same answer whatever order things come in. Try: pytest tests/test_graph_view.py
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from facts.normal import is_counted, scheme
from facts.similar import REVIEW_FROM, similarity

_MOST_NAMED = 30  # nodes of one id that are compared; of more it is one thing's, whatever it is called


@dataclass(frozen=True, slots=True)
class Bearer:
    """A node with what it is called, in normal form."""

    node: int
    type: str
    names: frozenset[str]
    ids: frozenset[tuple[str, str]]  # (scheme, id)
    counted: frozenset[tuple[str, str]] = frozenset()  # those of them that each list counts for itself


@dataclass(frozen=True, slots=True)
class Joined:
    """Why two nodes are one."""

    nodes: tuple[int, int]
    reason: str  # "same id", "decided", "same name", "said to be the same"
    key: str


def bearer(node: int, kind: str, rows: Iterable[tuple[str, str, str]]) -> Bearer:
    """From its rows: (kind, name, key)."""
    names, ids, counted = set(), set(), set()
    for what, name, key in rows:
        if what == "id":
            ids.add((scheme(name), key))
            if is_counted(kind, name):
                counted.add((scheme(name), key))
        else:
            names.add(key)
    return Bearer(node, kind, frozenset(names), frozenset(ids), frozenset(counted))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person or a model said of two nodes."""

    nodes: tuple[int, int]
    is_one: bool
    is_sure: bool = True  # a person: counts also against different ids of one scheme


@dataclass(frozen=True, slots=True)
class Alias:
    """Names, in normal form, that a company says are one thing's."""

    keys: frozenset[str]
    type: str = ""  # "": whichever they have


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes that bear one counted id and no name alike: two lists may count so, each for itself."""

    nodes: tuple[int, int]
    type: str
    scheme: str


def doubtful(bearers: Iterable[Bearer]) -> Iterator[Pair]:
    """The pairs of which their lists must tell whether they are one thing."""
    by_id: dict[tuple[str, str, str], list[Bearer]] = {}
    for one in bearers:
        for ident in one.counted if one.names else ():
            by_id.setdefault((one.type, *ident), []).append(one)
    for (kind, scheme_, _), held in by_id.items():
        for one, other in combinations(sorted(held, key=lambda one: one.node) if len(held) <= _MOST_NAMED else (), 2):
            if likeness(one.names, other.names) < REVIEW_FROM:
                yield Pair((one.node, other.node), kind, scheme_)


def likeness(some: Collection[str], others: Collection[str]) -> float:
    """How alike the most alike two of these names are."""
    return max((similarity(one, other) for one in some for other in others), default=0.0)


def is_one_list(some: Mapping[str, Collection[str]], others: Mapping[str, Collection[str]]) -> bool:
    """Whether two lists mean the same by the ids that both have, by their names: at least as many agree as do not.

    What shares a word and is not alike ("Ann Lee", "Ann Berg") says neither: people marry.
    """
    alike = [likeness(some[made], others[made]) for made in some.keys() & others.keys()]
    return sum(one >= REVIEW_FROM for one in alike) >= sum(not one for one in alike)


def clusters(
    bearers: Collection[Bearer],
    aliases: Iterable[Alias] = (),
    verdicts: Iterable[Verdict] = (),
    strangers: Iterable[tuple[int, int]] = (),
) -> tuple[list[frozenset[int]], list[Joined]]:
    """The nodes that are one thing each, and why; what has no type stands alone.

    What somebody said comes first: things that a person keeps apart are not joined by an id either, and what only one
    of them shares with a third joins nobody. `strangers` share an id that two lists count for themselves.
    """
    typed = sorted((one for one in bearers if one.type), key=lambda one: one.node)
    said = sorted(verdicts, key=lambda one: (not one.is_sure, one.nodes))
    calls, aliases = {one.node: one.names for one in typed}, [*aliases]
    decided = {frozenset(one.nodes) for one in said if one.is_one and one.is_sure}
    parted = {
        pair
        for pair in strangers
        if frozenset(pair) not in decided
        and not any(one.keys & calls[pair[0]] and one.keys & calls[pair[1]] for one in aliases)
    }
    groups = _Groups(typed, [*(one.nodes for one in said if not one.is_one), *((a, b) for a, b in sorted(parted))])
    by_id: dict[tuple[str, str, str], list[int]] = {}
    by_name: dict[tuple[str, str], list[int]] = {}
    for one in typed:
        for ident in one.ids:
            by_id.setdefault((one.type, *ident), []).append(one.node)
        for name in one.names | {key for _, key in one.ids}:  # "D-0006" may be written as a name, too
            by_name.setdefault((one.type, name), []).append(one.node)
    for verdict in said:
        if verdict.is_one and verdict.is_sure and groups.has(verdict.nodes) and not groups.are_parted(verdict.nodes):
            groups.join(verdict.nodes, "decided", "")
    for (_, _, key), nodes in sorted(by_id.items()):
        if not groups.are_parted(nodes):
            groups.join(nodes, "same id", key)
        elif parted:  # what only an id tells may be any of them
            for pair in combinations(sorted(node for node in nodes if calls[node]), 2):
                if not groups.are_parted(pair):
                    groups.join(pair, "same id", key)
    for verdict in said:
        if verdict.is_one and not verdict.is_sure and groups.has(verdict.nodes) and not groups.are_apart(verdict.nodes):
            groups.join(verdict.nodes, "decided", "")
    for (_, key), nodes in sorted(by_name.items()):
        if not groups.are_apart(nodes):
            groups.join(nodes, "same name", key)
    for alias in aliases:
        named: dict[str, list[int]] = defaultdict(list)
        for (kind, key), nodes in by_name.items():
            if key in alias.keys and alias.type in ("", kind):
                named[kind] += nodes
        for _, nodes in sorted(named.items()):
            if not groups.are_apart(nodes):
                groups.join(nodes, "said to be the same", "")
    alone = [frozenset({one.node}) for one in bearers if not one.type]
    return [*groups.found(), *alone], groups.joined


class _Groups:
    """Disjoint sets of nodes, each with the ids that it has."""

    def __init__(self, bearers: Iterable[Bearer], parted: Iterable[tuple[int, int]]) -> None:
        self._of: dict[int, set[int]] = {}
        self._parted: dict[int, set[int]] = defaultdict(set)
        for a, b in parted:
            self._parted[a].add(b)
            self._parted[b].add(a)
        self._ids: dict[int, dict[str, set[str]]] = {}
        self.joined: list[Joined] = []
        for one in bearers:
            self._of[one.node] = {one.node}
            held = self._ids[one.node] = {}
            for kind, key in one.ids:
                held.setdefault(kind, set()).add(key)

    def are_apart(self, nodes: Collection[int]) -> bool:
        """Whether two of their groups are parted, or have different ids of one scheme and share none of it."""
        if self.are_parted(nodes):
            return True
        seen: dict[str, set[str]] = {}
        for root in {min(self._of[node]) for node in nodes}:
            for kind, keys in self._ids_of(root).items():
                if kind in seen and seen[kind].isdisjoint(keys):
                    return True
                seen.setdefault(kind, set()).update(keys)
        return False

    def has(self, nodes: Collection[int]) -> bool:
        """Whether all of them are here."""
        return all(node in self._of for node in nodes)

    def are_parted(self, nodes: Collection[int]) -> bool:
        """Whether somebody keeps two of their groups apart."""
        if not self._parted:
            return False
        whole = {one for node in nodes for one in self._of[node]}
        return any(not whole.isdisjoint(self._parted.get(node, ())) for node in whole)

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
