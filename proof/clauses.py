"""Clauses of a claim and of its proof laid side by side: what each is about, and which of the proof's a claim's meets.

Must not know what a difference means (proof.senses, proof.parallel).
Try: python -c "from proof.clauses import clauses; print(clauses('Vans use gate A, lorries gate C.', 'en'))"
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from language.words import forms, is_function_word, is_run, words
from proof.facts import plain
from proof.negation import clauses_of
from proof.words import content

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True)
class Clause:
    """A clause as written, its keys (stems of content words, figures, single capitals), and the sentence it is of."""

    text: str
    keys: frozenset[str]
    sentence: str


@lru_cache(maxsize=1024)
def clauses(text: str, lang: str) -> tuple[Clause, ...]:
    """The clauses of `plain` text that hold any key, in order."""
    found = (Clause(part, keys(part, lang), text) for part in clauses_of(text))
    return tuple(clause for clause in found if clause.keys)


@lru_cache(maxsize=2048)
def keys(text: str, lang: str) -> frozenset[str]:
    """What a text is about: stems of content words, figures as written, single capital letters (Gate A)."""
    text = plain(text)
    letters = {w for w in words(text) if len(w) == 1 and w.isupper() and not is_run(w) and w != "I"}
    return frozenset((*content(text, lang), *_FIGURE.findall(text), *letters - _articles(letters, text)))


def _articles(letters: Iterable[str], text: str) -> set[str]:
    """Capitals that only open their sentence: "A guest ..."."""
    return {letter for letter in letters if text.lstrip().startswith(f"{letter} ") and is_function_word(letter, "en")}


def keys_of(word: str, about: frozenset[str], lang: str) -> list[str]:
    """Those of the keys `about` a text that one of its words gives."""
    every = forms(word, lang)
    return [word] if word in about else [form for form in (every[1:] or every) if form in about]


def as_written(key: str, text: str, lang: str) -> str:
    """The word of `text` that gives a key, for people; the key itself where none does."""
    return next((word for word in words(text) if key in (word, *forms(word, lang))), key)


def nearest(clause: Clause, others: Iterable[Clause]) -> list[Clause]:
    """Those of `others` that share most keys with `clause`, all of them where several do; [] where none shares any."""
    shared = [(len(clause.keys & other.keys), other) for other in others]
    most = max((n for n, _ in shared), default=0)
    return [other for n, other in shared if n == most] if most else []
