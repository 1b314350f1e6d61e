"""Parts of a claim that its passages may not hold: a reason, a condition, an addition, an exception.

The rule takes a claim laid on the units nearest to it and returns its reason, "" for none; the words that open such
a part stand in proof.segment_tables. Must not know verdicts.
Try: python verify.py "a question" shows the reasons.
"""

import re
from collections.abc import Iterator

from proof.evidence import Laid
from proof.negation import denials, limits, limits_otherwise
from proof.segment_tables import AND, BECAUSE, EXCEPT, IF, ONLY_IF, REGARDLESS
from proof.stated import Stated
from proof.words import content, whole

_LEAST_TOLD = 0.5  # of a reason's or condition's terms
_ALL = re.compile(
    r"\b(?:all|every\w*|each|any\w*|daily|always|alle[nrs]?|jede[rnms]?|sämtliche\w*|täglich|immer|tou(?:s|tes?)|chaque|"
    r"toujours|tod[oa]s|cada|siempre)\b|所有|每|全|任何",
    re.IGNORECASE,
)
_DETERMINED = re.compile(r"\s*(?:an?|one|two|three|free|\d+|ein(?:e[nmrs]?)?|une?|una|des|unos|unas)\b", re.IGNORECASE)
_END = re.compile(r"[,;:.!?()，；：。、（）]|\s[–—-]\s")


def other_part(laid: Laid) -> str:
    """A reason, condition, addition or exception that the passages do not give, or one of theirs left out."""
    return "" if laid.is_abroad else _untold(laid) or _other_condition(laid) or _other_exception(laid)


def _untold(laid: Laid) -> str:
    """A reason that the passages do not give, or something added behind "and" of which they say nothing."""
    claim = laid.claim
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


def _other_condition(laid: Laid) -> str:
    """A condition that the proof does not set, or one that the proof sets strictly and the claim leaves out."""
    claim = laid.claim
    told = _told_terms(laid) | frozenset(content(" ".join(s.above[at] for s, at in laid.places), claim.lang))
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
        if len(main & claim.terms_set) >= _LEAST_TOLD * len(main) > 0 and not claim.denials:
            return f"the passage says so only under a condition (“{strict}”): “{line}”"
    return ""


def _other_exception(laid: Laid) -> str:
    """An exception left out, made up, or told as the rule."""
    claim = laid.claim
    mine = [frozenset(content(part, claim.lang)) for part in _parts(claim.text, EXCEPT, claim.lang)]
    if not mine:
        return _left_out(laid)
    told = _told_terms(laid)
    made_up = [out for out in mine if 2 * len(out & told) < len(out)]
    lines = [(line, s.lang) for s in laid.sources for line in s.lines] if made_up else []
    known = [frozenset(content(part, own)) for line, own in lines for part in _parts(line, EXCEPT, own)]
    known += [terms for line, own in lines for terms in denials(line, own)]
    if any(not any(out & terms for terms in known) for out in made_up):
        return f"the passage makes no such exception: “{laid.proof}”"
    return ""


def _left_out(laid: Laid) -> str:
    claim = laid.claim
    for line, (source, _) in zip(laid.lines, laid.places, strict=True):
        for part in _parts(line, EXCEPT, source.lang):
            out = frozenset(content(part, claim.lang))
            as_rule = _is_of(claim, out) and not (claim.denials or limits_otherwise(claim.text))
            of_all = out and not out & claim.terms_set and _ALL.search(claim.text) and _ALL.search(line)
            if as_rule or of_all:
                return f"the passage makes an exception of “{part.strip()}”: “{line}”"
    return ""


def is_inverse(laid: Laid) -> bool:
    """Whether the claim denies of an exception what the proof says of the rest, or says of it what the proof denies."""
    claim = laid.claim
    return any(
        _is_of(claim, frozenset(content(part, claim.lang)))
        and bool(claim.denials) != bool(denials(line.replace(part, " "), source.lang))
        for line, (source, _) in zip(laid.lines, laid.places, strict=True)
        for part in _parts(line, EXCEPT, source.lang)
    )


def _is_of(claim: Stated, excepted: frozenset[str]) -> bool:
    """Whether a claim speaks of what is excepted."""
    return 2 * len(excepted & claim.terms_set) > len(excepted)


def _told_terms(laid: Laid) -> frozenset[str]:
    return frozenset[str]().union(*(source.line_terms[at] for source, at in laid.places))


def _coordinated(text: str, lang: str) -> Iterator[str]:
    """What stands behind "and", "," and their like, up to the next."""
    pattern = AND.get(lang)
    before, *pieces = re.split(pattern, text, flags=re.IGNORECASE) if pattern else [text]
    yield from (_END.split(piece)[0] for piece in (pieces if content(before, lang) else pieces[1:]))


def _parts(text: str, table: dict[str, str], lang: str) -> Iterator[str]:
    """What stands behind a word of the table, up to the clause's end."""
    for match in whole(table.get(lang, ""), lang).finditer(text):
        piece = _END.split(text[match.end() :])[0]
        yield piece if piece.strip() else text[: match.start()]


def _first(table: dict[str, str], text: str, lang: str) -> str:
    found = whole(table.get(lang, ""), lang).search(text)
    return found[0] if found else ""
