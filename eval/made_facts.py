"""A made-up company of 10,000 documents and some 100,000 facts, each document under one of many access lists.

Catalogue pages, decision records, chat days of a channel, pages of teams; the system `vault` and the team `Core` are
named by thousands of them. The same size makes the same company. Knows no index. Try: python -m eval.bench graph
"""

import json
import os
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from access import EVERYONE, Caller

GROUPS = 4_000
"""Groups that documents name, one each; a caller who holds half of them may read half."""
TEAMS = 300
SHARES = {"pages": 0.8, "records": 0.08, "chat": 0.1, "teams": 0.02}
"""Of the documents."""
PAGE = "pages/0000/000017.md"
"""A page whose services have dependents and an owner with a lead."""
_ROWS = 3
_MESSAGES = 10
_SYSTEMS = ("vault", "ledger", "beacon", "relay", "quarry")
_FIRST = ("Ada", "Ben", "Carla", "Deniz", "Elif", "Finn", "Greta", "Hugo", "Iris", "Jonas", "Kira", "Levin", "Mila")
_LAST = ("Adler", "Brandt", "Conti", "Duarte", "Egger", "Faber", "Gruber", "Hansen", "Ivanov", "Jensen", "Kowal")


def write(folder: Path, documents: int = 10_000) -> None:
    """Writes them below `folder`, an hour old: what is younger is opened to be sure."""
    then = time.time() - 3600
    for path, text in _files(documents):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        os.utime(place, (then, then))


def half() -> Caller:
    """Who holds 2,000 principals and may read half."""
    return Caller("user:half", frozenset({EVERYONE, *(f"group:{number}" for number in range(0, GROUPS, 2))}))


def page(number: int, tier: int = 0) -> str:
    """A catalogue page: services with owner, dependencies and tier."""
    rows = []
    for k in range(_ROWS):
        own = _ROWS * number + k
        others = [f"`svc-{own // 2}`", *([f"`svc-{own // 3}`"] if own % 2 else [])]
        others += ["`vault`"] if number % 3 == 0 and not k else []
        owner = "Core" if number % 4 == 0 else team(own)
        rows.append(f"| `svc-{own}` | {owner} | {', '.join(others)} | {(own + tier) % 4} |")
    table = "\n".join(rows)
    return (
        f'---\naccess: ["group:{_group(number)}"]\n---\n\n# Services of page {number}\n\n'
        f"What runs here, and for whom.\n\n| Service | Owner | Depends on | Tier |\n|---|---|---|---|\n{table}\n"
    )


def team(number: int) -> str:
    """The name of a team."""
    return f"{('Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord')[number % 6]} {number % TEAMS // 6}"


def person(number: int) -> str:
    """The name of a person."""
    return f"{_FIRST[number % len(_FIRST)]} {_LAST[number // len(_FIRST) % len(_LAST)]}"


def records(count: int) -> str:
    """So many records, a line each, for one file of JSON Lines."""
    return "".join(
        json.dumps({"service": f"job-{n}", "owner": team(n), "depends on": f"svc-{n % 5000}", "region": f"r{n % 9}"})
        + "\n"
        for n in range(count)
    )


def _files(documents: int) -> Iterator[tuple[str, str]]:
    counts = {kind: round(share * documents) for kind, share in SHARES.items()}
    for n in range(counts["pages"]):
        yield f"pages/{n // 100:04}/{n:06}.md", page(n)
    for n in range(counts["records"]):
        yield f"decisions/{n:04}-choice.md", _record(n)
    for n in range(counts["teams"]):
        yield f"teams/{n:04}.md", _teams(n)
    channels = max(counts["chat"] // 50, 1)
    people = [{"id": f"U{n:06}", "name": f"u{n}", "real_name": person(n)} for n in range(120)]
    names = [{"id": f"C{n:06}", "name": f"chan-{n}", "members": []} for n in range(channels)]
    yield "chat/users.json", json.dumps(people)
    yield "chat/channels.json", json.dumps(names)
    for n in range(counts["chat"]):
        day = date(2026, 1, 1) + timedelta(days=n // channels)
        yield f"chat/chan-{n % channels}/{day.isoformat()}.json", _day(n, day)
    lists = "".join(f'"chat/chan-{n}/" = ["group:{_group(n)}"]\n' for n in range(channels))
    yield "access.toml", f'[allow]\n"**" = ["everyone"]\n{lists}'


def _group(number: int) -> int:
    return number * 13 % GROUPS if number % 17 else 4  # 4: a list that hundreds of documents have


def _record(number: int) -> str:
    system = _SYSTEMS[number % len(_SYSTEMS)] if number % 9 == 0 else f"svc-{number * 11}"
    return (
        f'---\naccess: ["group:{_group(number)}"]\n---\n\n# D-{number:04}: No more {system}\n\nStatus: accepted\n'
        f"Date: 2025-{number % 12 + 1:02}-{number % 27 + 1:02}\nDecided by: {person(number)}\n"
        f"Deprecates: `{system}`\n\n## Why\n\nIt costs more than it gives, as everybody has seen.\n"
    )


def _teams(number: int) -> str:
    rows = [("Core", 0)] if number % 10 == 0 else []
    rows += [(team(number * 6 + k), number * 6 + k) for k in range(6)]
    table = "\n".join(f"| {name} | {person(n % TEAMS)} | Unit {n % 7} |" for name, n in rows)
    return (
        f'---\naccess: ["group:{_group(number)}"]\n---\n\n# Teams, part {number}\n\n'
        f"| Team | Lead | Business unit |\n|---|---|---|\n{table}\n"
    )


def _day(number: int, day: date) -> str:
    began = (day - date(1970, 1, 1)).days * 86_400
    said = [
        {
            "type": "message", "user": f"U{(number + k) % 120:06}", "ts": f"{began + 600 * k}.000{k:03}",
            "text": f"We still use `{'vault' if k == 0 else f'svc-{number * 9 + k}'}` for the gates, part {k}.",
        }
        for k in range(_MESSAGES)
    ]  # fmt: skip
    return json.dumps(said)
