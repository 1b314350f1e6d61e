"""Whether a sentence tells a rule in force: not one of the past, a plan, an error, or what stands under "Never:".

Must not know claims' verdicts; the words stand in proof.status_tables.
Try: python -c "from proof.status import forbids; print(forbids('Never run this:', 'en'))"
"""

import re

from proof.status_tables import FORBIDS, PAST, PLANNED, WAS, WILL
from proof.words import whole

_ERROR = re.compile(
    r"^\W*(?:myth|misconception|rumou?r|false|wrong|incorrect|mythos|irrtum|falsch|gerücht|mythe|faux|idée reçue|mito|"
    r"falso|误区|谣言|错误)\W{0,3}[:：]",
    re.IGNORECASE,
)
_CALLS_ERROR = re.compile(
    r"\b(?:myths?|misconceptions?|mistakes?|errors?|wrong\w*|incorrect\w*|false|irrtum|irrig|fehler|falsch|mythos|erreurs?|"
    r"faux|mythe|error(?:es)?|falso|mito)\b|错误|误区",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^\W*\w+\W{0,3}[:：]")
_ERRORS_ABOVE = re.compile(
    r"\b(?:myths?|misconceptions?|rumou?rs|common mistakes|mythen|irrtümer|idées reçues|mythes|mitos)\b|误区",
    re.IGNORECASE,
)


def forbids(above: str, lang: str) -> bool:
    """Whether a heading or lead-in forbids or leaves out what stands under it; a question does not."""
    above = above.strip()
    return lang in FORBIDS and not above.endswith("?") and re.search(FORBIDS[lang], above, re.IGNORECASE) is not None


def tells_error(line: str, above: str) -> bool:
    """Whether a line states something only to call it wrong."""
    return bool(_ERROR.search(line)) or bool(_ERRORS_ABOVE.search(above) and not _LABELLED.search(line))


def calls_error(claim: str) -> bool:
    """Whether a claim itself calls something an error."""
    return _CALLS_ERROR.search(claim) is not None


def no_longer(line: str, claim: str, lang: str) -> str:
    """The words by which `line` speaks of the past or of a plan, where the claim speaks of what is; else ""."""
    for told, owned in ((PAST, WAS), (PLANNED, WILL)):
        spoken, owning = whole(told.get(lang, ""), lang), whole(owned.get(lang, ""), lang)
        found = spoken.search(line)
        if found and not owning.search(claim) and not spoken.search(claim):
            return found[0]
    return ""
