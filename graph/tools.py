"""The typed questions, by name: what endpoints, the command line, assistants' tools and a model's choice are made from.

Knows no words of a question (route.py chooses) and no phrasing (answering/). Try: python -m graph list --type Service
"""

from typing import Any

from graph.tool import Tool
from graph.tools_sets import card, count, list_
from graph.tools_text import join
from graph.tools_time import changes, conflicts, contradicted
from graph.tools_walk import chain, check, impact, neighbours, path

TOOLS: dict[str, Tool[Any]] = {
    one.name: one
    for one in (chain, contradicted, impact, changes, list_, count, card, neighbours, path, check, conflicts, join)
}
"""What can be asked."""
