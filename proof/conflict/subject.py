"""What a statement or question is about: its content terms without the words that tell nothing of the matter.

Must not know values, scopes or passages.
Try: python -c "from proof.conflict.subject import terms; print(terms('Employees get 28 days of paid vacation', 'en'))"
"""

import re
from functools import cache, lru_cache

from language.words import is_function_word, is_run, words
from proof.conflict.scope_tables import GENERIC, IRREGULAR, SPANS, UNSPACED_GENERIC
from proof.tables import TIME_UNITS
from proof.words import content

_COMPLEMENT = re.compile(
    r"([^\W\d_]+) (?:of|for|in|into|inside|on|at|to|with|auf|an|zu|bei|von|vom|für|der|des|im|de|"
    r"du|des|pour|del|para|di|per|van|voor) "
    r"(?:(?:the|a|an|your|our|all|der|die|das|den|dem|la|le|les|el|los|las|il|het) )?([^\W\d_]+)",
    re.IGNORECASE,
)
_TOUCHING = re.compile(r"[ \u00a0-]")


@lru_cache(maxsize=2048)
def terms(text: str, lang: str) -> frozenset[str]:
    """The terms that tell what a text is about; pairs of characters of unspaced scripts."""
    if lang == "en":
        text = _past().sub(lambda m: IRREGULAR[m[0].casefold()], text)
    if lang in ("zh", "ja", "ko"):
        text = _unspaced_generic(lang).sub(" ", text)
    return frozenset(content(text, lang)) - _generic(lang)


def asked_terms(question: str, lang: str) -> frozenset[str]:
    """The same of a question; all its content terms where nothing else is left."""
    return terms(" ".join(w for w in words(question) if not is_function_word(w, lang)), lang) or frozenset(
        content(question, lang)
    )


def modifiers(text: str, heads: frozenset[str], lang: str) -> frozenset[str]:
    """Terms of the words that stand directly before one of `heads`: "sick" of "sick leave"."""
    found: set[str] = set()
    before = ""
    end = 0
    for match in re.finditer(r"[^\W_]+(?:['’][^\W_]+)*", text):
        word = match[0]
        touches = before and _TOUCHING.fullmatch(text, end, match.start())
        if touches and not is_run(word) and not is_function_word(before, lang) and terms(word, lang) & heads:
            found |= terms(before, lang) - heads
        before, end = word, match.end()
    return frozenset(t for t in found if not t.isdigit())


def complements(text: str, heads: frozenset[str], lang: str) -> frozenset[str]:
    """Terms of the words that one of `heads` is said to be of or for: "laptops" of "backups of the laptops"."""
    found: set[str] = set()
    for match in _COMPLEMENT.finditer(text):
        if terms(match[1], lang) & heads:
            found |= terms(match[2], lang) - heads
    return frozenset(found)


@cache
def _generic(lang: str) -> frozenset[str]:
    return frozenset(t for word in GENERIC.get(lang, "").split() for t in content(word, lang))


@cache
def _past() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(IRREGULAR)})(?!\w)", re.IGNORECASE)


@cache
def _unspaced_generic(lang: str) -> re.Pattern[str]:
    spans = "|".join({**TIME_UNITS.get(lang, {}), **SPANS.get(lang, {})}.values())
    return re.compile(rf"{UNSPACED_GENERIC}|\d+ ?(?:{spans})")
