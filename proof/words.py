"""The terms by which two sentences are compared: stems of content words, character pairs of unspaced scripts.

Must not know passages or citations.
Try: python -c "from proof.words import content; print(content('Employees get 30 days', 'en'))"
"""

import re
from functools import cache, lru_cache

from language.words import forms, is_function_word, is_run, pairs, words

_NO_EDGES = ("zh", "ja", "ko")  # written without spaces, or with particles that cling to the word
# Lower-case "may" is no function word where months are searched; a capital May is a month or a name.
_EMPTY = {"en": frozenset({"may", "see", "See", "yes", "Yes"})}


@lru_cache(maxsize=1024)
def content(text: str, lang: str) -> tuple[str, ...]:
    """The content terms of a text in order, each once; empty where only function words and digits stand."""
    found: dict[str, None] = {}
    for word in words(text):
        if is_run(word):
            found |= dict.fromkeys(pairs(word)[:-1] or [word])
        elif word not in _EMPTY.get(lang, ()) and not is_function_word(word, lang) and any(c.isalpha() for c in word):
            every = forms(word, lang)
            parts = every[1:] or every  # of an identifier or a compound the parts, not the joined form
            found |= dict.fromkeys(part for part in parts if any(c.isalpha() for c in part))
    return tuple(found)


@cache
def whole(words: str, lang: str) -> re.Pattern[str]:
    """What finds `words`, alternatives of a regular expression, as whole words of `lang`; "" finds nothing."""
    if not words:
        return re.compile(r"(?!)")
    return re.compile(words if lang in _NO_EDGES else rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def unspaced(terms: tuple[str, ...]) -> bool:
    """Whether most of the terms are character pairs."""
    return 2 * sum(is_run(t) for t in terms) > len(terms)
