"""The road from a question to the company's facts: a router chooses a typed question, its rows become the answer.

Where the router sees no such question, or the facts hold nothing for it, ordinary search answers. All of one answer is
read as of one moment, as its caller may read. Knows no HTTP.
Try: python answer.py "Who owns the service that depends on identity?" --json
"""

from dataclasses import dataclass
from functools import partial

from access import Caller
from answering.clock import Clock
from answering.from_facts import Told, told_from
from answering.refused import is_spoken_of
from answering.shapes import Route
from graph.route import Choice, choose, settled
from graph.tools import TOOLS
from graph.view import View, view_of
from language.detect import language_of
from retrieval.found import Found
from retrieval.gate import Limit
from search import Index, Searcher
from storage.filter import Filter
from storage.reader import Reader


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a question on this road."""

    route: Route
    found: Found | None = None  # the passages that prove the answer, as of a search; None: ordinary search answers
    told: Told | None = None  # None with `found`: it is refused


def take(index: Index, searcher: Searcher, caller: Caller, question: str, wanted: Filter, clock: Clock) -> Taken:
    """Answers from facts where the question asks for them. Raises ModelError when the embedder is away, StoreError."""
    lang, chat = language_of(question), index.models.chat
    reading = partial(searcher.store.reader, caller, searcher.model_id, wanted)
    with reading() as reader:
        view = view_of(index, reader, searcher=searcher)
        if not view.predicates():
            return Taken(Route(tool="text"))
        with clock.measured("route"):
            choice = choose(question, lang, view, searcher.embedder, view.today)
        if not (chat and choice.doubt):
            return _found(question, lang, choice, searcher.limit_for(caller), view, reader, clock)
    with clock.measured("route"):
        choice = settled(choice, question, chat)
    with reading() as reader:  # what the caller may read by now
        view = view_of(index, reader, searcher=searcher)
        return _found(question, lang, choice, searcher.limit_for(caller), view, reader, clock)


def _found(
    question: str, lang: str, choice: Choice, limit: Limit, view: View, reader: Reader, clock: Clock
) -> Taken:  # fmt: skip
    route = _route(choice)
    if choice.tool == "refuse" and is_spoken_of(choice, view, reader):
        return Taken(route.model_copy(update={"tool": "text", "reason": f"{route.reason[:-1]} as a fact."}))
    if choice.tool == "text":
        return Taken(route)
    found = Found(question, lang, [], [], limit, None, ())
    if choice.tool == "refuse":
        return Taken(route, found)
    with clock.measured("facts"):
        result = TOOLS[choice.tool].function(view, **{**choice.arguments, "as_of": choice.as_of})
    if not result.rows:
        route = route.model_copy(update={"reason": f"{route.reason}; {result.why}"})
        if choice.is_certain and not is_spoken_of(choice, view, reader):
            return Taken(route, found)
        return Taken(route.model_copy(update={"tool": "text"}))
    with clock.measured("verify"):
        told = told_from(result, view, reader, lang)
    found.passages.extend(told.passages)
    update = {"arguments": dict(result.arguments), "columns": [*result.columns], "rows": told.rows}
    return Taken(route.model_copy(update=update), found, told)


def _route(choice: Choice) -> Route:
    return Route(
        tool=choice.tool, arguments=dict(choice.arguments), as_of=choice.as_of, by=choice.by, score=choice.score,
        reason=choice.reason,
    )  # fmt: skip
