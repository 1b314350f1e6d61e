"""Parts of a claim that its passages may not hold: a reason, a condition, an addition, an exception.

Each rule takes a claim laid on the units nearest to it and returns its reason, "" for none; the words that open such
a part stand in proof.segment_tables. Must not know verdicts.
Try: python verify.py "a question" shows the reasons.
"""

import re
from collections.abc import Iterator
from functools import cache

from proof.evidence import Laid
from proof.negation import denials, limits, limits_otherwise
from proof.segment_tables import AND, BECAUSE, EXCEPT, IF, ONLY_IF, REGARDLESS
from proof.words import content

_LEAST_TOLD = 0.5  # of a reason's or condition's terms
_ALL = re.compile(
    r"\b(?:all|every\w*|each|any\w*|daily|always|alle[nrs]?|jede[rnms]?|sämtliche\w*|täglich|immer|tou(?:s|tes?)|chaque|"
    r"toujours|tod[oa]s|cada|siempre)\b|所有|每|全|任何",
    re.IGNORECASE,
)
_DETERMINED = re.compile(r"\s*(?:an?|one|two|three|free|\d+|ein(?:e[nmrs]?)?|une?|una|des|unos|unas)\b", re.IGNORECASE)
_END = re.compile(r"[,;:.!?()，；：。、（）]|\s[–—-]\s")


def untold_part(laid: Laid) -> str:
    """A reason that the passages do not give, or something added behind "and" of which they say nothing."""
    claim = laid.claim
    if laid.is_abroad:
        return ""
    every = claim.name_terms.union(*(source.terms for source in laid.sources))
    for part in _parts(claim.text, BECAUSE, claim.lang):
        terms = frozenset(content(part, claim.lang))
        if terms and len(terms & every) < _LEAST_TOLD * len(terms):
            return f"the passage does not give “{part.strip()}” as a reason: “{laid.proof}”"
    for part in _coordinated(claim.text, claim.lang):
        terms = frozenset(content(part, claim.lang))
        if (len(terms) > 1 or (terms and _DETERMINED.match(part))) and not terms & every:
            return f"the passage says nothing of “{part.strip()}”: “{laid.proof}”"
    return ""


def other_condition(laid: Laid) -> str:
    """A condition that the proof does not set, or one that the proof sets strictly and the claim leaves out."""
    claim = laid.claim
    if laid.is_abroad:
        return ""
    told = frozenset[str]().union(*(s.line_terms[at] for s, at in laid.places))
    told |= frozenset(content(" ".join(source.above[at] for source, at in laid.places), claim.lang))
    for part in _parts(claim.text, IF, claim.lang):
        terms = frozenset(content(part, claim.lang)) - claim.name_terms
        if terms and len(terms & told) < _LEAST_TOLD * len(terms):
            return f"the passage does not set the condition “{part.strip()}”: “{laid.proof}”"
    if (found := _first(REGARDLESS, claim.text, claim.lang)) and not _first(REGARDLESS, laid.proof, claim.lang):
        return f"the passage does not say “{found}”: “{laid.proof}”"
    line = laid.lines[0]
    strict = _first(ONLY_IF, line, claim.lang)
    if strict and not any(_first(table, claim.text, claim.lang) for table in (ONLY_IF, IF)) and not limits(claim.text):
        main = frozenset(content(line.partition(strict)[0], claim.lang))
        if len(main & claim.terms_set) >= _LEAST_TOLD * len(main) > 0 and not denials(claim.text, claim.lang):
            return f"the passage says so only under a condition (“{strict}”): “{line}”"
    return ""


def other_exception(laid: Laid) -> str:
    """An exception left out, made up, or told as the rule."""
    claim = laid.claim
    if laid.is_abroad:
        return ""
    mine = [frozenset(content(part, claim.lang)) for part in _parts(claim.text, EXCEPT, claim.lang)]
    for line, (source, _) in zip(laid.lines, laid.places, strict=True):
        theirs = [part for part in _parts(line, EXCEPT, source.lang) if content(part, claim.lang)]
        for part in theirs:
            out = frozenset(content(part, claim.lang))
            if (
                not mine
                and 2 * len(out & claim.terms_set) > len(out)
                and not (claim.denials or limits_otherwise(claim.text))
            ):
                return f"the passage makes an exception of “{part.strip()}”: “{line}”"
            if not mine and not out & claim.terms_set and _tells_all(claim.text, line):
                return f"the passage makes an exception of “{part.strip()}”: “{line}”"
    lines = [(line, s.lang) for s in laid.sources for line in s.lines]
    excepted = [frozenset(content(part, own)) for line, own in lines for part in _parts(line, EXCEPT, own)]
    denied = [terms for line, own in lines for terms in denials(line, own)]
    told = frozenset[str]().union(*(source.line_terms[at] for source, at in laid.places))
    made_up = [out for out in mine if out and 2 * len(out & told) < len(out)]
    if any(not any(out & known for known in (*excepted, *denied)) for out in made_up):
        return f"the passage makes no such exception: “{laid.proof}”"
    return ""


def is_inverse(laid: Laid) -> bool:
    """Whether the claim denies of an exception what the proof says of the rest, or says of it what the proof denies."""
    claim = laid.claim
    for line, (source, _) in zip(laid.lines, laid.places, strict=True):
        for part in _parts(line, EXCEPT, source.lang):
            out = frozenset(content(part, claim.lang))
            rest = line.replace(part, " ")
            if (
                out
                and 2 * len(out & claim.terms_set) > len(out)
                and bool(claim.denials) != bool(denials(rest, source.lang))
            ):
                return True
    return False


def _tells_all(claim: str, line: str) -> bool:
    """Whether the claim says of all what the line says of all but some."""
    return bool(_ALL.search(claim) and _ALL.search(line))


def _coordinated(text: str, lang: str) -> Iterator[str]:
    """What stands behind "and", "," and their like, up to the next."""
    pattern = AND.get(lang)
    before, *pieces = re.split(pattern, text, flags=re.IGNORECASE) if pattern else [text]
    yield from (_END.split(piece)[0] for piece in (pieces if content(before, lang) else pieces[1:]))


def _parts(text: str, table: dict[str, str], lang: str) -> Iterator[str]:
    """What stands behind a word of the table, up to the clause's end."""
    for match in _compiled(table[lang], lang).finditer(text) if lang in table else ():
        piece = _END.split(text[match.end() :])[0]
        yield piece if piece.strip() else text[: match.start()]


def _first(table: dict[str, str], text: str, lang: str) -> str:
    found = _compiled(table[lang], lang).search(text) if lang in table else None
    return found[0] if found else ""


@cache
def _compiled(words: str, lang: str) -> re.Pattern[str]:
    return re.compile(words if lang == "zh" else rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
