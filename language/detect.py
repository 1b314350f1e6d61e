"""The language of a question or a document, as an ISO 639-1 code.

Script decides first, then function words; py3langid (which takes about half a second to load) is asked only for
Latin-script text whose function words do not tell. Knows no documents and no models.
Try: python -c "from language.detect import language_of; print(language_of('Wie viele Urlaubstage habe ich?'))"
"""

import re
from functools import cache, lru_cache
from typing import Any

from language.words import fold, folded_function_words, words

LATIN = ("en", "de", "es", "fr", "pt", "it", "nl", "pl")
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
)
_ASCII = re.compile("[\0-\x7f]+")
_LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_SURE = 0.6  # below it stand names, typing errors and mixtures
_SAMPLE = 2000  # characters of a document that are looked at


@lru_cache(maxsize=256)
def language_of(text: str, default: str = "en") -> str:
    """The code of the language most of `text` is written in; `default` where there is nothing to tell by."""
    sample = text[:_SAMPLE]
    if sample.isascii():
        return _latin_language(sample, default)
    foreign = _ASCII.sub("", sample)
    counts = {lang: len(pattern.findall(foreign)) for lang, pattern in _SCRIPTS}
    kana, han = counts["ja"], counts["zh"]
    if kana * 12 > han:  # a Japanese title of nouns is a ninth kana; Chinese has none
        counts["ja"], counts["zh"] = kana + han, 0
    script, most = max(counts.items(), key=lambda item: item[1])
    # One ideograph or syllable says about as much as three Latin letters.
    weight = 3 if script in ("ja", "ko", "zh") else 1
    if most * weight > len(_LATIN_LETTER.findall(sample)):
        return script
    return _latin_language(sample, default)


def _latin_language(text: str, default: str) -> str:
    found = words(text.lower()) if text.isascii() else [fold(word) for word in words(text)]
    telling = [*filter(_every_function_word().__contains__, found)]
    votes = {lang: sum(map(folded_function_words(lang).__contains__, telling)) for lang in LATIN}
    best, second = sorted(votes, key=votes.__getitem__, reverse=True)[:2]
    if votes[best] >= 2 and votes[best] >= 1.5 * votes[second]:
        return best
    if len(found) < 3 and not votes[best]:
        return default  # a name, an identifier, one word: nothing can tell
    lang, probability = _identifier().classify(text)
    return str(lang) if probability >= _SURE else default


@cache
def _every_function_word() -> frozenset[str]:
    return frozenset().union(*map(folded_function_words, LATIN))


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LATIN))
    return identifier
