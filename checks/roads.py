"""Every road by which somebody gets at documents, asked in this process: rows, search, answer, kept answer, document,
facts, examples. HTTP, MCP and the commands are doors to these.

Says for each what was shown. Knows no rules: what may be shown is for whoever asks. Asks whatever models the index has.
Try: python doctor.py --access
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from access import Caller
from answer import Answer, Assistant
from answering import typed
from answering.cache import Cache
from errors import BrainError
from graph.overview import MOST_NODES, MOST_THINGS
from retrieval.found import Found
from search import Index
from service.documents import document_lines
from service.examples import Examples

NOWHERE = "no-such-folder/no-such-document.md"
_LINES = 400
_ROWS = 100


class Told(NamedTuple):
    """What a road showed: documents it named, and all of its words."""

    road: str
    documents: frozenset[str]
    text: str


class Roads:
    """The roads to one index, with what a server keeps from one question to the next."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._plain, self._keeping, self._examples = Assistant(index), Assistant(index, Cache(100)), Examples()

    def told(self, caller: Caller, question: str, path: str) -> Iterator[Told]:
        """Asks `question` and for the document `path` on each road. Raises StoreError, ModelError."""
        found = self.index.searcher().search(caller, question, 50)
        yield Told("search", _named(found), _text(found))
        answer, found = self._plain.ask(caller, question)
        yield Told("answer", _cited(answer) | _named(found), answer.model_dump_json() + _text(found))
        for _ in range(2):  # the second is the kept one
            answer, _found = self._keeping.ask(caller, question)
        yield Told("kept answer", _cited(answer), answer.model_dump_json())
        shown = self.document(caller, path)
        yield Told("document", frozenset({path} if shown.startswith("{") else ()), shown)
        yield self.facts(caller)
        made = self._examples.of(self.index, caller)
        origins = frozenset(one.origin["path"] for one in (*made.examples, *made.topics))
        yield Told("examples", origins, made.model_dump_json())

    def document(self, caller: Caller, path: str) -> str:
        """The document's lines as JSON, or the error that takes their place."""
        try:
            return document_lines(self.index, caller, path, 1, _LINES).model_dump_json()
        except BrainError as error:
            return f"{error.http_status} {error.code} {error}"

    def facts(self, caller: Caller) -> Told:
        """All things and what joins them, each relation with its words, and the documents that the log is told of."""
        named = set[str]()

        def opened(told: Sequence[Mapping[str, str]], status: str) -> None:
            named.update(one["path"] for one in told)

        texts = [typed.mapped(self.index, caller, (), (), "", "", MOST_NODES, opened).model_dump_json()]
        texts.append(typed.things(self.index, caller, "", "", MOST_THINGS, opened).model_dump_json())
        for arguments in ({}, {"type": "Service", "where": [["owns", "in", ""]]}):
            found = typed.asked(self.index, caller, "list", arguments, 0, _ROWS, opened)
            named |= {source.source for source in found.sources}
            texts.append(found.model_dump_json())
        return Told("facts", frozenset(named), "\n".join(texts))

    def answer(self, caller: Caller, question: str) -> Answer:
        """The answer alone."""
        return self._plain.ask(caller, question)[0]


def _named(found: Found) -> frozenset[str]:
    also = [one for hit in found.hits for one in hit.also] + [one for p in found.passages for one in p.also]
    names = [hit.chunk.path for hit in found.hits] + [passage.source for passage in found.passages]
    return frozenset((*names, *(one.rpartition(":")[0] for one in also)))


def _cited(answer: Answer) -> frozenset[str]:
    return frozenset(source.source for source in answer.sources)


def _text(found: Found) -> str:
    return "\n".join((*(hit.chunk.text for hit in found.hits), *(passage.text for passage in found.passages)))
