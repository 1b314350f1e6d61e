"""Random companies: whatever others hold, a caller's answers are those of an index of the caller's documents alone.

Names are few, so that they are borne by several, come with and without types and ids, and contradict each other; a
failure names its seed.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph.plan import plan
from graph.shown import as_json
from graph.tools import TOOLS
from graph.view import View
from search import Index
from tests.conftest import caller
from tests.told_facts import Company, Line, seen, told

pytestmark = pytest.mark.permission

NAMES = {
    "Team": ("red", "blue", "Red"),
    "Service": ("mail", "maps", "pay", "red"),
    "System": ("bus", "maps"),
    "Person": ("Ann|emp_1", "Ann|emp_2", "Ann", "Bo|emp_3|@bo", "|@bo"),
    "Decision": ("Move|D-1", "Stay|D-2", "|D-1"),
}
"""Names that several types share, that two people bear, and ids without a name."""
SAID = (
    ("Team", "owns", "Service"), ("Person", "owns", "System"), ("Service", "depends_on", "Service"),
    ("Service", "depends_on", "System"), ("Person", "leads", "Team"), ("Person", "reports_to", "Person"),
    ("Person", "member_of", "Team"), ("Team", "has_access", "Service"), ("Decision", "deprecates", "System"),
    ("Decision", "supersedes", "Decision"), ("Decision", "approved_by", "Person"), ("Decision", "affects", "Service"),
    ("Service", "tier", "12"), ("Decision", "status", ("accepted", "proposed")),
)  # fmt: skip


def thing(rng: random.Random, kind: str) -> str:
    name = rng.choice(NAMES[kind])
    return f"{'' if rng.random() < 0.25 and not name.startswith('|') else kind}/{name}"


def line(rng: random.Random, path: str) -> Line:
    if rng.random() < 0.15:
        spoken = rng.choice((("uses", thing(rng, "System")), ("contradicts", thing(rng, "Decision"))))
        return (f"Message/|{path}#¶{rng.randrange(3)}", *spoken, {"rank": 1})
    subject, predicate, end = rng.choice(SAID)
    said = thing(rng, end) if isinstance(end, str) and end in NAMES else rng.choice(end)
    more: dict[str, Any] = {}
    if rng.random() < 0.5:
        more["valid_from"] = f"202{rng.randrange(3, 6)}-0{rng.randrange(1, 9)}-01"
    if predicate == "has_access":
        more["qualifier"] = rng.choice(("production", "staging; read-only"))
    return (thing(rng, subject), predicate, said, more)


def company(rng: random.Random) -> Company:
    paths = [
        f"{'a' if n < 2 else rng.choice('ab')}/{rng.choice(('', '2025-03-01-', '2026-01-05-'))}n{n}.md"
        for n in range(8)
    ]
    return {path: [line(rng, path) for _ in range(rng.randint(1, 7))] for path in paths}


def answers(view: View) -> list[str]:
    """What every typed question says of every thing the caller may know, and of some that only others name."""
    keys = [one.key for kind in view.types() for one in view.of_type(kind)]
    some = [*keys[::3], "Service/pay", "Decision/d 1"]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("contradicted", {}), ("conflicts", {}), ("count", {"by": "type"}),
        ("count", {"type": "Service", "by": "owns"}),
        ("list", {"type": "Person"}), ("list", {"where": [["tier", "out", "1"], ["depends_on", "out", ""]]}),
        ("list", {"where": [["has_access", "in", "", "staging"]]}),
    ]  # fmt: skip
    for made, other in zip(some, reversed(some), strict=True):
        asked += [(name, {"thing": made}) for name in ("card", "neighbours", "impact", "changes")]
        asked += [("impact", {"thing": made, "as_of": "2024-06"}), ("path", {"a": made, "b": other})]
        asked.append(("check", {"subject": made, "predicate": "depends_on", "object": other}))
        asked.append(("chain", {"start": [made], "steps": [["depends_on", "in"], ["owns", "in"]]}))
    told = [f"{name} {args}: {as_json(view, TOOLS[name](view, **args))}" for name, args in asked]
    plans = [plan(view, [one], ["owns", "leads"], {"Person"}) for one in view.of_type("Service")]
    return [*told, str(plans), str(keys)]


@pytest.mark.parametrize("seed", range(12))
def test_what_others_may_read_changes_nothing(seed: int, docs: Path, make_index: Callable[..., Index]) -> None:
    whole = company(random.Random(seed))
    found = []
    for said in (whole, {path: lines for path, lines in whole.items() if path.startswith("a/")}):
        index = told(docs, make_index, said)
        with seen(index, caller("a")) as view:
            found.append(answers(view))
        index.store.close()
    assert found[0] == found[1]
    assert any('"cells"' in one.replace("'", '"') and "'rows': []" not in one for one in found[0])


@pytest.mark.parametrize("before", range(6))
def test_sides_that_look_alike_have_one_order(before: int, docs: Path, make_index: Callable[..., Index]) -> None:
    """Whatever rows of others came first, and with them the numbers of all that follow."""
    hidden = [("Person/Bo|emp_9", "member_of", f"Team/t{n}") for n in range(before + 1)]
    mine = [("Person/Cy|emp_5", "reports_to", f"Person/Ann|emp_{n}") for n in range(4)]
    index = told(docs, make_index, {"b/n.md": hidden, "a/n0.md": mine[:2], "a/n1.md": mine[2:]})
    with seen(index, caller("a")) as view:
        rows = TOOLS["conflicts"](view).rows
    assert [[fact.object.key for fact in row.facts if fact.object] for row in rows] == [
        [f"Person/emp {n}" for n in range(4)]
    ]
    index.store.close()
