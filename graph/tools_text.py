"""Search, then join: of which things of a type texts say something on a subject.

Passages tell what is said, names and facts whose it is. Knows no words of a question.
Try: python -m graph join --type Decision --text "customers' trucks"
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from pydantic import Field

from facts.timeline import last_day
from graph.linking import link, type_words
from graph.result import Row
from graph.sentence import Sentence
from graph.texts import Passage, Said
from graph.tool import Arguments, Found, tool
from graph.view import Entity, Fact, View
from proof.align import spoken
from storage.facts import NameRow

_AUTHORS = ("Person", "Team")
_PARTS = re.compile(r"\s*[:|()–—]\s*|\s+-\s+|^\s*\d+[.)]\s+")
_MOST_SAID = 3  # sentences of one thing
_MOST_CELL = 300  # characters


class _Join(Arguments):
    type: Annotated[str, Field(min_length=1, max_length=600, description='of this type: "Service"')]
    text: Annotated[str, Field(min_length=1, max_length=600, description='a subject: "data transfers outside the EU"')]


@tool(_Join, "Of which things of a type do texts speak of a subject, and in which words?")
def join(view: View, asked: _Join) -> Found:
    """Each thing once, that of the best passage first, with what is said and where it is named as of that type."""
    columns = (asked.type.lower(), "words")
    speakers, last = Speakers(view, asked.type), last_day(asked.as_of)
    found: dict[str, tuple[Entity, dict[Said, None], dict[Fact, None]]] = {}
    for passage in view.texts.on(asked.text) if view.texts else ():
        if last and passage.chunk.dated > last:
            continue  # what a text said before is not kept
        for said in passage.said:
            for thing, facts in speakers.of(passage, said):
                _, words, more = found.setdefault(thing.key, (thing, {}, {}))
                if len(words) < _MOST_SAID:
                    words[said] = None
                    more |= dict.fromkeys(facts)
    rows = [
        Row((thing.name, _cell(words)), thing, tuple(facts), _typed(view, thing), tuple(words))
        for thing, words, facts in found.values()
    ]
    why = "" if rows else f"No text that you may read speaks of “{asked.text}” for a {asked.type.lower()}."
    return Found(columns, rows, why)


def _cell(words: Iterable[Said]) -> str:
    said = " ".join(next(iter(words)).quote.split())
    return said if len(said) <= _MOST_CELL else f"{said[: _MOST_CELL - 2]} …"


def _typed(view: View, thing: Entity) -> tuple[NameRow, ...]:
    """Where it is named as a thing of its type."""
    return tuple(row for row in view.naming(thing) if row.type == thing.type)[:1]


class Speakers:
    """Whose a passage is, among things of one type."""

    def __init__(self, view: View, kind: str) -> None:
        self._view, self._kind = view, kind
        self._in: dict[str, list[NameRow]] = {}
        self._called: dict[str, list[Entity]] = {}

    def of(self, passage: Passage, said: Said) -> list[tuple[Entity, tuple[Fact, ...]]]:
        """The things, and facts that make a sentence theirs: whose page it is, else who wrote it, else who is named.

        A page is that of the thing that it records, or that its title names; a section that of the thing in its
        heading. A row of a table is that of the first thing in it.
        """
        own = self._own(passage.chunk.path, said)
        if found := [one for one in own if one.type == self._kind]:
            return [(one, ()) for one in found]
        for heading in (*reversed(passage.chunk.heading), passage.chunk.title):
            if found := self._heading(heading, passage.chunk.lang):
                return [(one, ()) for one in found]
        if self._kind in _AUTHORS and (facts := [*self._authors(own)]):
            return facts
        found = self._linked(spoken(said.quote), passage.chunk.lang)
        return [(one, ()) for one in (found[:1] if said.is_row else found)]

    def _own(self, path: str, said: Said) -> list[Entity]:
        """The things whose record the document is, or this message."""
        if path not in self._in:
            self._in[path] = [row for row in self._view.rows.named_in(path) if row.kind == "id"]
        nodes = {
            row.node
            for row in self._in[path]
            if row.name == path
            or (row.name.startswith(f"{path}#") and row.first_line <= said.first_line <= row.last_line)
        }
        return [*self._view.of_nodes(nodes).values()]

    def _authors(self, own: Sequence[Entity]) -> Iterator[tuple[Entity, tuple[Fact, ...]]]:
        written = [(fact.object, fact) for fact in self._view.of(own, ["written_by"])]
        owned = [(fact.subject, fact) for fact in self._view.about(own, ["owns"])]
        for thing, fact in written + owned:
            if thing and thing.type == self._kind:
                yield thing, (fact,)

    def _heading(self, text: str, lang: str) -> list[Entity]:
        """The things that a heading names: written as a name, or as all that stands between two of its marks."""
        if text not in self._called:
            parts = [part for part in (text, *_PARTS.split(text)) if part.strip()]
            whole = self._view.bearing(parts)
            self._called[text] = self._typed(one for part in parts for one in whole[part]) or self._linked(text, lang)
        return self._called[text]

    def _linked(self, text: str, lang: str) -> list[Entity]:
        sentence = Sentence(text, lang)
        found = link(sentence, self._view, type_words(sentence, self._view.relations))
        return self._typed(thing for one in found if one.sure for thing in one.things)

    def _typed(self, things: Iterable[Entity]) -> list[Entity]:
        return [*{one.key: one for one in things if one.type == self._kind}.values()]
