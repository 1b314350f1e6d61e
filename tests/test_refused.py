"""A question is refused for want of a fact only where no prose speaks of it either: ordinary search answers those."""

from collections.abc import Callable
from pathlib import Path

import pytest

from access import local_caller
from answer import Assistant
from search import Index
from tests.conftest import write

PAGES = {
    "services.md": """# Services

| Service | Owner | Tier |
|---|---|---|
| mail | Red Team | 1 |
| pay | | 1 |
| wiki | | 3 |
""",
    "people.csv": "name,team,manager,email\nAnn Lee,Red Team,Bo Ray,a@x.example\nBo Ray,Red Team,,b@x.example\n",
    "prose.md": """# Payments

The pay service is owned by the Green Team. The invoice-hub is owned by the Green Team.

The head of Purple Team is Eve Orr. Cy Dow is the manager of Dee Fox.

The wiki is old. It is looked after by nobody in particular, and mail is slow.

## Chat

Nothing here runs on wiki but tea.
""",
}


@pytest.mark.parametrize(
    ("question", "tool", "said"),
    [
        ("Who owns mail?", "chain", "Red Team"),
        ("Who owns pay?", "text", "The pay service is owned by the Green Team."),
        ("Who owns invoice-hub?", "text", "The invoice-hub is owned by the Green Team."),
        ("Who is the head of Purple Team?", "text", "The head of Purple Team is Eve Orr."),
        ("Who is the manager of Dee Fox?", "text", "Cy Dow is the manager of Dee Fox."),
        ("Who owns wiki?", "text", " is owned by "),  # the sentence behind the one that names it speaks of care
        ("Who is on call for wiki?", "chain", ""),
        ("Who owns parcel-hub?", "refuse", ""),
        ("Who leads the Yellow Team?", "refuse", ""),
    ],
)
def test_prose_is_asked(question: str, tool: str, said: str, docs: Path, make_index: Callable[..., Index]) -> None:
    write(docs, PAGES)
    index = make_index(docs, None)
    index.sync()
    answer, _ = Assistant(index).ask(local_caller(), question)
    assert answer.route.tool == tool
    assert said in answer.answer
    assert (answer.status == "not_found") == (not said)
    index.store.close()
