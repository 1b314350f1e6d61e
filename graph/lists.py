"""Whether two documents mean the same by an id that both count: "emp_1" in the lists of two companies is two people.

Told by all the ids that the two lists share, from names that the caller may read; looked at only where one id goes by
names that are not alike. Knows no question. Try: pytest tests/test_graph_lists.py
"""

from collections.abc import Iterable

from facts.normal import id_key, scheme
from facts.resolution import Bearer, Pair, doubtful, is_one_list
from storage.facts import FactReader

_Names = dict[str, set[str]]
"""The names, in normal form, by the id that they stand beside."""


class Lists:
    """What was read of documents for this, and how they were compared."""

    def __init__(self, rows: FactReader) -> None:
        self._rows = rows
        self._named: dict[str, dict[tuple[str, str], _Names]] = {}
        self._are_one: dict[tuple[frozenset[str], frozenset[str], str, str], bool] = {}

    def strangers(self, bearers: Iterable[Bearer]) -> list[tuple[int, int]]:
        """The pairs of nodes that share an id and are two things, because their documents count each for itself."""
        pairs = [*doubtful(bearers)]
        if not pairs:
            return []
        where: dict[int, set[str]] = {node: set() for pair in pairs for node in pair.nodes}
        for row in self._rows.names_of(where):
            where[row.node].add(row.path)
        return [pair.nodes for pair in pairs if not self._is_one(pair, *(frozenset(where[one]) for one in pair.nodes))]

    def _is_one(self, pair: Pair, here: frozenset[str], there: frozenset[str]) -> bool:
        if here & there:
            return True  # one document calls it by both
        asked = here, there, pair.type, pair.scheme
        if asked not in self._are_one:
            some, others = (self._of(paths, pair) for paths in (here, there))
            # A page that tells of one thing under another name is no list; of people nobody has a code name.
            are_lists = pair.type == "Person" or min(len(some), len(others)) > 1
            self._are_one[asked] = not are_lists or is_one_list(some, others)
        return self._are_one[asked]

    def _of(self, paths: frozenset[str], pair: Pair) -> _Names:
        found: _Names = {}
        for path in paths:
            for made, names in self._read(path).get((pair.type, pair.scheme), {}).items():
                found.setdefault(made, set()).update(names)
        return found

    def _read(self, path: str) -> dict[tuple[str, str], _Names]:
        if path not in self._named:
            ids, names = dict[int, set[tuple[str, str, str]]](), dict[int, set[str]]()
            for row in self._rows.named_in(path):
                if row.kind == "id":
                    ids.setdefault(row.node, set()).add((row.type, scheme(row.name), id_key(row.name)))
                else:
                    names.setdefault(row.node, set()).add(row.key)
            found = self._named[path] = {}
            for node, told in ids.items():
                for kind, scheme_, made in told if node in names else ():
                    found.setdefault((kind, scheme_), {}).setdefault(made, set()).update(names[node])
        return self._named[path]
