"""The arguments of a typed question as people write them, with names in the place of keys -> as the tool takes them.

A thing may be called as people call it ("Atlas 2"); a name of several is told with the keys to choose from. From a line
of text a step is `owns:in`, a filter `owns:in:Team/bedrock:production`; `\\:` is a colon within a word.
Knows no command line and no HTTP. Try: python -m graph card --thing "plan-store"
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from errors import UsageError
from graph.tools_sets import IS
from graph.view import View

THINGS = ("start", "thing", "a", "b", "subject", "object", "decision")
"""Arguments that are things."""
FORMS = {
    "steps": "owns:in", "where": "owns:in:Team/bedrock:production", "without": "owns:in:Team/bedrock",
    "by": "owns, or depends_on:in",
}  # fmt: skip
"""Arguments whose words are split at colons where they are written as text, with an example of each."""
LISTS = ("start", "steps", "where", "without", "predicates")
"""Arguments of which there may be several."""
_COLON = re.compile(r"(?<!\\):")


def keyed(view: View, given: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the keys of things that are named. Raises UsageError for a name of several."""
    told, relations = dict(given), view.relations.relations
    for name in told.keys() & {*THINGS}:
        if not (name == "object" and told.get("predicate") not in relations):
            one = told[name]
            told[name] = key_of(view, one) if isinstance(one, str) else [key_of(view, each) for each in one]
    for name in told.keys() & {"where", "without"}:
        told[name] = [
            [*one[:2], key_of(view, one[2]), *one[3:]] if len(one) > 2 and one[0] in (*relations, IS) else [*one]
            for one in told[name]
        ]
    return told


def key_of(view: View, told: str) -> str:
    """The key of what is called so; the word itself where it is a key, or nothing is. Raises UsageError for several."""
    if not told or told in view.things([told]):
        return told
    found = view.named(told)
    if len(found) > 1:
        keys = ", ".join(f'"{one.key}"' for one in found)
        raise UsageError(f'"{told}" is a name of several things. Say which: {keys}')
    return found[0].key if found else told


def from_text(texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Arguments written as texts, each as often as it was given. Raises UsageError for two where one is taken."""
    found: dict[str, Any] = {}
    for name, given in texts.items():
        if name not in LISTS and len(given) > 1:
            raise UsageError(f"{name}: is given {len(given)} times, it can be given once")
        parts = [_split(one) if name in FORMS else one for one in given]
        found[name] = parts if name in LISTS else parts[0]
    if isinstance(found.get("by"), list) and len(found["by"]) == 1:
        (found["by"],) = found["by"]
    return found


def _split(text: str) -> list[str]:
    return [part.replace("\\:", ":") for part in _COLON.split(text)]
