"""Whether a refusal by the facts holds for the text, too: facts are what tables and records say, prose may say more.

Prose speaks of it where a sentence, a row or a section names the thing and says, there or in the next sentence and in
any language of the index, the relation that was asked for or another word of the question. Knows no HTTP and no model.
Try: pytest tests/test_refused.py
"""

import re
from collections.abc import Collection, Iterable, Iterator

from facts.normal import key
from facts.relations import Relation
from graph.route import Choice
from graph.sentence import Sentence
from graph.view import View
from language.sentences import units
from language.words import phrase_terms, terms
from storage.reader import ChunkRow, Reader

_MOST_PLACES = 500
_CLAUSES = re.compile("[;；]")


def is_spoken_of(choice: Choice, view: View, reader: Reader) -> bool:
    """Whether a passage names what no fact does, or asks for what no fact says of a thing, where no fact was read.

    Then ordinary search answers, or finds nothing.
    """
    languages = reader.languages()
    if choice.unknown:
        return bool(_places(reader, choice.unknown, languages))
    things = view.things([made for held in choice.linked.values() for made in held])
    read = {(row.path, row.first_line) for thing in things.values() for row in view.naming(thing)}
    relations = [one for name in choice.said if (one := view.relations.relations.get(name))]
    for said in choice.linked:
        for chunk in reader.chunks(sorted(_places(reader, said, languages))[:_MOST_PLACES]):
            for part in _parts(chunk, said, read):
                if _says(part, chunk.lang, relations, choice.words):
                    return True
    return False


def _parts(chunk: ChunkRow, said: str, read: Collection[tuple[str, int]]) -> Iterator[str]:
    """What a chunk says of a name: all of it under a heading that has it, else clauses with the name, and the next.

    Lines of which a fact was read say nothing more.
    """
    name = key(said)
    is_under = any(name in key(part) for part in chunk.heading)
    was_named = False
    for unit in units(chunk.text, chunk.lang):
        text = chunk.text[unit.start : unit.end]
        first = chunk.first_line + chunk.text.count("\n", 0, unit.start)
        lines = range(first, first + text.count("\n") + 1)
        is_read = unit.kind == "heading" or any((chunk.path, n) in read for n in lines)
        for part in _CLAUSES.split(text) if unit.kind == "text" else (text,):
            is_named = name in key(part) and not is_read
            if not is_read and (is_under or is_named or (was_named and unit.kind == "text")):
                yield part
            was_named = is_named and unit.kind == "text"


def _says(text: str, lang: str, relations: Iterable[Relation], words: Iterable[str]) -> bool:
    sentence = Sentence(text, lang)
    for one in relations:
        for table in (one.words, one.inverse, one.subject_nouns, one.object_nouns):
            if sentence.find(table.get(lang, ())):
                return True
    return bool({*terms(" ".join(words), lang)} & {*terms(text, lang)})


def _places(reader: Reader, name: str, languages: Iterable[str]) -> set[int]:
    found = set[int]()
    for lang in languages:
        if made := phrase_terms(name, lang):
            found.update(reader.phrase(made)[0].tolist())
    return found
