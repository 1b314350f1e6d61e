"""Whether a refusal by the facts holds for the text, too: facts are what tables and records say, prose may say more.

Knows no HTTP and no model. Try: pytest tests/test_refused.py
"""

from collections.abc import Iterable

from facts.normal import key
from graph.route import Choice
from graph.view import View
from language.words import is_function_word, phrase_terms, terms
from storage.reader import Reader

_MOST_PLACES = 500


def is_spoken_of(question: str, choice: Choice, view: View, reader: Reader) -> bool:
    """Whether a passage names what no fact does, or asks for what no fact says of a thing, where no fact was read.

    Then ordinary search answers, or finds nothing.
    """
    languages = reader.languages()
    if choice.unknown:
        return bool(_places(reader, choice.unknown, languages))
    kinds = {key(kind) for kind in view.relations.types}  # "team" stands beside most names
    things = view.things([made for held in choice.linked.values() for made in held])
    read = {(row.path, row.first_line) for thing in things.values() for row in view.naming(thing)}
    for said in choice.linked:
        asked = [word for word in question.split() if key(word) not in kinds]
        places = _places(reader, said, languages) & _holding(reader, asked, said, languages)
        for chunk in reader.chunks(sorted(places)[:_MOST_PLACES]):
            lines = enumerate(chunk.text.split("\n"), chunk.first_line)
            if any((chunk.path, n) not in read and key(said) in key(line) for n, line in lines):
                return True
    return False


def _places(reader: Reader, name: str, languages: Iterable[str]) -> set[int]:
    found = set[int]()
    for lang in languages:
        if made := phrase_terms(name, lang):
            found.update(reader.phrase(made)[0].tolist())
    return found


def _holding(reader: Reader, asked: Iterable[str], said: str, languages: Iterable[str]) -> set[int]:
    """Places with one of these words that says something, beside the name."""
    found = set[int]()
    for lang in languages:
        words = [word for word in asked if not is_function_word(key(word), lang)]
        for term in {*terms(" ".join(words), lang)} - {*terms(said, lang)}:
            found.update(reader.postings(term)[0].tolist())
    return found
