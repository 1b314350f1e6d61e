"""Words as people write them: tokens, stems and function words, the same for indexing, questions and checking.

A word is a run of letters and digits, lower-cased, without Latin accents, cut to its stem. Scripts written without
spaces (Chinese, Japanese, Thai, ...) and Korean, whose particles cling to the word, become overlapping character
pairs. An identifier (`VPN-2`, `foo_bar`) is kept whole beside its parts.
Knows no documents, no index and no model.
Try: python -c "from language.words import terms; print(terms('VPN-2 出差报销', 'en'))"
"""

import hashlib
import re
import threading
import unicodedata
from functools import cache, lru_cache
from itertools import chain
from typing import Protocol

import snowballstemmer

from language.stopwords import ASKING, FUNCTION_WORDS

# Thai and Lao, Burmese, Khmer; kana, Han, Hangul.
_RUN = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
RUNS = re.compile(f"[{_RUN}]+")
"""Runs of the scripts that are cut into character pairs."""
_BEGINS_RUN = re.compile(f"[{_RUN}]")
_PIECES = re.compile(rf"[{_RUN}]+|[^\W{_RUN}]+(?:['’\-./&+][^\W{_RUN}]+)*")
_QUOTED = re.compile(  # a mark after a figure is an inch; no phrase is longer than a question
    r'(?<!\w)"([^"]{1,500})"(?!\w)|“([^”“]{1,500})[”“]|„([^“”„]{1,500})[“”]|«([^»«]{1,500})»|»([^«»]{1,500})«'
    "|「([^」「]{1,500})」|『([^』『]{1,500})』|《([^》《]{1,500})》"
)
_MOST_PIECES, _MOST_CHARS = 100_000, 40  # kept of a language, 20 MB; a longer piece is a sentence without spaces
_PARTS = re.compile(r"[^\W_]+")
_LONGEST, _KEPT = 200, 100  # characters of a term; PostgreSQL's keys end at 2,704 bytes
_STEMMERS = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "pt": "portuguese",
    "it": "italian", "nl": "dutch", "ru": "russian",
}  # fmt: skip
_RAISED = re.compile("(?<=[0-9])(?=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089])")
_stemming = threading.Lock()  # a stemmer keeps the word at hand: of two threads' words it makes a third, or fails


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@lru_cache(maxsize=16)
def _stemmer(lang: str) -> _Stemmer | None:
    name = _STEMMERS.get(lang)
    return snowballstemmer.stemmer(name) if name else None


def stem(word: str, lang: str) -> str:
    """The word's stem in `lang` (Snowball), folded; unchanged for a language without a stemmer."""
    lowered = unicodedata.normalize("NFKC", word).casefold()
    return _stem(lowered, lang) if lowered.isalpha() else short(fold(lowered))


@lru_cache(maxsize=50_000)  # to stem a word takes 60 us; numbers would push the words out
def _stem(lowered: str, lang: str) -> str:
    stemmer = _stemmer(lang)
    if stemmer is None:
        return short(fold(lowered))
    with _stemming:
        return short(fold(stemmer.stemWord(lowered)))


def short(term: str) -> str:
    """The term, or of one that is longer than any word its beginning with a hash: an index has a longest key."""
    if len(term) <= _LONGEST:
        return term
    return f"{term[:_KEPT]}_{hashlib.blake2b(term.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def compatible(text: str) -> str:
    """The text in Unicode's compatibility form; a raised or lowered figure is none of the number before it (28¹)."""
    return unicodedata.normalize("NFKC", _RAISED.sub(" ", text))


def letters(text: str) -> str:
    """Letters and figures alone, in lower case: texts that differ in marks and case have the same."""
    return re.sub(r"[\W_]", "", text).casefold()


def fold(word: str) -> str:
    """Lower case in compatibility form, accents of Latin, Greek and Cyrillic letters removed (`Zoë` -> `zoe`)."""
    if word.isascii():
        return word.lower()
    word = unicodedata.normalize("NFKC", word).casefold()
    if word.isascii() or is_run(word):
        return word
    marks_off = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", marks_off)


def is_run(word: str) -> bool:
    """Whether `word` begins in a script that is cut into character pairs."""
    return _BEGINS_RUN.match(word) is not None


def words(text: str) -> list[str]:
    """The text's words as written, in order: letters-and-digits runs, identifiers whole, unspaced scripts as runs."""
    found: list[str] = []
    for piece in compatible(text).split():
        word = piece[:-1] if piece[-1] in ".,;:!?" else piece
        if word.isalpha() and word.isascii():  # most are; the expression takes three times as long for a whole text
            found.append(word)
        else:
            found += _PIECES.findall(piece)
    return found


def pairs(run: str) -> list[str]:
    """A run's overlapping character pairs, and its last character alone (so that one character finds a run's end)."""
    return [run[i : i + 2] for i in range(len(run) - 1)] + [run[-1]]


def forms(word: str, lang: str) -> list[str]:
    """Index terms of one written word: its stem; of an identifier also its parts; of a run its pairs."""
    if is_run(word):
        return pairs(word)
    parts = _PARTS.findall(word)
    if len(parts) < 2:  # none in a rule of underscores
        return [stem(part, lang) for part in parts]
    if "'" in word or "’" in word:  # company's, don't; l'année: the longer side carries the meaning
        return [stem(max(parts, key=len), lang)]
    joined = short("_".join(fold(p) for p in parts))
    return [joined, *(stem(p, lang) for p in parts)]


def terms(text: str, lang: str) -> list[str]:
    """Every index term of a text in order, function words included (a phrase needs them). Letters, digits, `_` only."""
    pieces = (text.lower() if text.isascii() else compatible(text)).split()
    return [*chain.from_iterable(map(_terms_of(lang).__getitem__, pieces))]


class _Terms(dict[str, tuple[str, ...]]):
    """The terms of what stands between two spaces, found once: a word met again takes a third of the time."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def __missing__(self, piece: str) -> tuple[str, ...]:
        if piece.isascii() and piece.isalpha():  # most pieces, in a quarter of the time
            return self.setdefault(piece, (_stem(piece.lower(), self._lang),))
        found = tuple(term for word in _PIECES.findall(piece) for term in forms(word, self._lang))
        if len(piece) <= _MOST_CHARS:
            self[piece] = found
        return found


def _terms_of(lang: str) -> _Terms:
    found = _terms.get(lang)
    if found is None or len(found) > _MOST_PIECES:  # the frequent ones are soon back
        found = _terms[lang] = _Terms(lang)
    return found


_terms: dict[str, _Terms] = {}


def quoted(text: str) -> list[str]:
    """What stands between quotation marks (not apostrophes), in order: it is meant word for word."""
    return [part for found in _QUOTED.findall(text) for part in found if part.strip()]


def phrase_terms(phrase: str, lang: str) -> tuple[str, ...]:
    """The index terms of a phrase in order, as they stand wherever it stands.

    The last character of a run stands in the index alone only where the run ends, and a phrase may end before.
    """
    found = terms(phrase, lang)
    last = words(phrase)[-1:]
    return tuple(found[:-1] if last and is_run(last[0]) and len(last[0]) > 1 else found)


def is_function_word(word: str, lang: str) -> bool:
    """Whether the word only holds a sentence together in `lang` (the, how, do) and says nothing of its subject."""
    return fold(word) in folded_function_words(lang)


@cache
def folded_function_words(lang: str) -> frozenset[str]:
    """The function words of `lang`, folded; empty for a language whose are not known."""
    return frozenset(fold(w) for w in FUNCTION_WORDS.get(lang, ()))


@cache
def _asking(lang: str) -> re.Pattern[str]:
    phrases = sorted(ASKING.get(lang, ()), key=len, reverse=True)  # 하나요 before the 나요 in it
    pattern = "|".join(map(re.escape, phrases))
    spaced = lang not in ("zh", "ja", "ko")
    return re.compile(rf"\b(?:{pattern})\b" if spaced else pattern, re.I) if phrases else re.compile(r"(?!)")


def content_words(text: str, lang: str) -> list[str]:
    """The written words that carry a question's or sentence's subject, in order, each once.

    Where nothing but function words stands, all words are returned: "who is who" still asks for something.
    """
    text = _asking(lang).sub(" ", text)
    every = list(dict.fromkeys(words(text)))
    return [w for w in every if not is_function_word(w, lang)] or every


def names(text: str, lang: str) -> list[str]:
    """Words of a question that name something: a capital inside a sentence (not in German), letters with digits."""
    found = []
    for sentence in re.split(r"(?<=[.!?¿¡:])\s+", text):
        for at, word in enumerate(words(sentence)):
            is_mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
            is_capital = at > 0 and lang != "de" and word[:1].isupper() and not is_function_word(word, lang)
            if len(word) > 1 and not is_run(word) and (is_mixed or is_capital):
                found.append(word)
    return list(dict.fromkeys(found))
