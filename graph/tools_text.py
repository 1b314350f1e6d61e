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
from graph.walk import hop
from language.detect import language_of
from proof.align import spoken
from storage.facts import FactRow, NameRow

_AUTHORS = ("Person", "Team")
_PARTS = re.compile(r"\s*[:|()–—]\s*|\s+-\s+|^\s*\d+[.)]\s+")
_MOST_SAID = 3  # sentences of one thing
_MOST_CELL = 300  # characters


class _Join(Arguments):
    type: Annotated[str, Field(min_length=1, max_length=600, description='of this type: "Service"')]
    text: Annotated[str, Field(min_length=1, max_length=600, description='a subject: "data transfers outside the EU"')]


@tool(_Join, "Which things of a type do texts say something of, on a subject, and in which words?", of_texts=True)
def join(view: View, asked: _Join) -> Found:
    """Each thing once, that of the best passage first, with what is said and where it is named as of that type."""
    columns = (asked.type.lower(), "words")
    speakers, last = Speakers(view, asked.type), last_day(asked.as_of)
    found: dict[str, tuple[Entity, dict[Said, None], dict[Fact, None]]] = {}
    for passage in view.texts.on(asked.text) if view.texts else ():
        if last and passage.chunk.dated > last:
            continue  # what a text said before is not kept
        for one in passage.said:
            said, things = speakers.of(passage, one)
            for thing, facts in things:
                _, words, more = found.setdefault(thing.key, (thing, {}, {}))
                if len(words) < _MOST_SAID and not any(_overlap(said, held) for held in words):
                    words[said] = None
                    more |= dict.fromkeys(facts)
    rows = [
        Row((thing.name, _cell(words)), thing, tuple(facts), _typed(view, thing, words), tuple(words))
        for thing, words, facts in found.values()
    ]
    why = "" if rows else f"No text that you may read speaks of “{asked.text}” for a {asked.type.lower()}."
    return Found(columns, rows, why)


def _overlap(one: Said, other: Said) -> bool:
    return one.path == other.path and (one.quote in other.quote or other.quote in one.quote)


def _cell(words: Iterable[Said]) -> str:
    said = " ".join(next(iter(words)).quote.split())
    return said if len(said) <= _MOST_CELL else f"{said[: _MOST_CELL - 2]} …"


def _typed(view: View, thing: Entity, words: Iterable[Said]) -> tuple[NameRow, ...]:
    """Where it is named as a thing of its type: in full, and where texts speak of the subject, if it is."""
    paths = {said.path for said in words}
    rows = [row for row in view.naming(thing) if row.type == thing.type]
    return tuple(sorted(rows, key=lambda row: (row.name not in row.quote, row.path not in paths, -len(row.name)))[:1])


class Speakers:
    """Whose the sentences of passages are, among things of one type."""

    def __init__(self, view: View, kind: str) -> None:
        self._view, self._kind = view, kind
        self._ids: dict[str, list[NameRow]] = {}
        self._described: dict[str, list[FactRow]] = {}
        self._called: dict[str, list[Entity]] = {}

    def of(self, passage: Passage, said: Said) -> tuple[Said, list[tuple[Entity, tuple[Fact, ...]]]]:
        """The words, and the things that they are of, each with facts that make them so.

        A document that is a thing's record speaks of it; so does a row of a table of what it describes, a section of
        what its heading names, a page of what its title does. What a person or team wrote is theirs. Else it is of
        what stands in the sentence, or of the one thing that stands before it in its paragraph.
        """
        own, lang = self._own(said), passage.chunk.lang
        if found := self._typed(own) or self._in_record(said, lang):
            return said, [(one, ()) for one in found]
        for heading in (*reversed(passage.chunk.heading), passage.chunk.title):
            if found := self._heading(heading, lang):
                return said, [(one, ()) for one in found]
        if self._kind in _AUTHORS and (authors := [*self._authors(own)]):
            return said, authors
        found = self._linked(said.quote, lang)
        if not found and len(before := self._linked(said.opening, lang)) == 1:
            first = said.first_line - said.opening.count("\n")
            return Said(said.path, first, said.last_line, said.opening + said.quote), [(before[0], ())]
        return said, [(one, ()) for one in found]

    def _own(self, said: Said) -> list[Entity]:
        """The things whose record the document is, or this message of it."""
        path = said.path
        if path not in self._ids:
            self._ids[path] = [row for row in self._view.rows.named_in(path) if row.kind == "id"]
        nodes = {
            row.node
            for row in self._ids[path]
            if row.name == path
            or (row.name.startswith(f"{path}#") and row.first_line <= said.first_line <= row.last_line)
        }
        return [*self._view.of_nodes(nodes).values()]

    def _in_record(self, said: Said, lang: str) -> list[Entity]:
        """Of a line that describes something: what it describes, else the first that is named there."""
        if said.path not in self._described:
            self._described[said.path] = [row for row in self._view.rows.said_in(said.path) if row.object is None]
        nodes = {row.subject for row in self._described[said.path] if row.first_line == said.first_line}
        if not nodes and not said.is_row:
            return []
        return self._typed(self._view.standing_for(nodes)) or self._linked(said.quote, lang)[:1]

    def _authors(self, own: Sequence[Entity]) -> Iterator[tuple[Entity, tuple[Fact, ...]]]:
        written = [(fact.object, fact) for fact in hop(self._view, own, ["written_by"], "out")]
        owned = [(fact.subject, fact) for fact in hop(self._view, own, ["owns"], "in")]
        for thing, fact in written + owned:
            if thing and (thing.type == self._kind or (not thing.type and self._is_called_so(thing.name))):
                yield thing, (fact,)

    def _is_called_so(self, name: str) -> bool:
        """Whether a name holds a word for the type: "People team"."""
        found = type_words(Sentence(name, language_of(name)), self._view.relations)
        return any(self._kind in one.types for one in found)

    def _heading(self, text: str, lang: str) -> list[Entity]:
        """The things that a heading names: written as a name, or as all that stands between two of its marks."""
        if text not in self._called:
            parts = [part for part in (text, *_PARTS.split(text)) if part.strip()]
            whole = self._view.bearing(parts)
            self._called[text] = self._typed(one for part in parts for one in whole[part]) or self._linked(text, lang)
        return self._called[text]

    def _linked(self, text: str, lang: str) -> list[Entity]:
        """The things that a text names beyond doubt, in its order."""
        sentence = Sentence(spoken(text), lang)
        found = link(sentence, self._view, type_words(sentence, self._view.relations)) if len(sentence) else []
        return self._typed(thing for one in found if one.sure for thing in one.things)

    def _typed(self, things: Iterable[Entity]) -> list[Entity]:
        return [*{one.key: one for one in things if one.type == self._kind}.values()]
