"""Whether a heading, bold line, table header or lead-in of an answer states something that must be proved.

Must not know markers or verdicts. Harmless is a line of the passages' own words that names its subject and no more.
Try: python verify.py "a question" shows which lines were taken for claims.
"""

import re
from collections.abc import Sequence

from language.words import words
from proof.facts import plain
from proof.hold import MIN_SHARE, MIN_SHARE_PAIRS, holds, lacks_fact
from proof.negation import denials
from proof.source import Source
from proof.tables import ASKING, PLAIN_WORDS, POINTERS, VERBS
from proof.words import content, unspaced


def states(line: str, lang: str, sources: Sequence[Source]) -> bool:
    """Whether the line (without markers, its figures looked up elsewhere) is a claim, given the answer's passages."""
    line = plain(line).strip(" :：#")
    bare = _without_plain(line, lang)
    strange = len(words(line)) > 1 and lacks_fact(bare, lang, sources)
    asks = line.endswith(("?", "？")) or next(iter(words(line)), "").casefold() in ASKING
    if strange or (not asks and (denials(line, lang) or _says(line, lang))):
        return not sources or bool(holds(line, lang, sources).reason)
    terms = content(bare, lang)
    if len(terms) <= 1 or all(source.foreign for source in sources):
        return False
    known = frozenset[str]().union(*(source.terms for source in sources))
    enough = MIN_SHARE_PAIRS if unspaced(terms) else MIN_SHARE
    return len(known.intersection(terms)) < enough * len(terms)


def _without_plain(line: str, lang: str) -> str:
    dull = PLAIN_WORDS.get(lang, frozenset())
    return re.sub(r"[^\W\d_]+", lambda m: "" if m[0].casefold() in dull else m[0], line)


def _says(line: str, lang: str) -> bool:
    """Whether something stands behind a verb such as "may" or "is"; "You need" and "Here is the rule" say nothing."""
    pattern, points = VERBS.get(lang), POINTERS.get(lang)
    for verb in re.finditer(pattern, line, re.IGNORECASE) if pattern else ():
        pointed = points and re.search(points, line[: verb.start()], re.IGNORECASE)
        if not pointed and content(_without_plain(line[verb.end() :], lang), lang):
            return True
    return False
