"""Whether two sentences deny the same things.

A sentence is cut into clauses; a clause with a negation word denies its content words. Must not know which of two
sentences is the claim. Coarse on purpose: it looks for a denial on one side that the other side lacks.
Try: python -c "from proof.negation import denials; print(denials('Leave is paid, not carried over.', 'en'))"
"""

import re

from proof.words import content

_NO = {
    "en": r"\b(?:not|never|nobody|nothing|none|neither|nor|without|cannot|no(?!\.?\s*\d)|prohibited|forbidden|banned|fail(?:s|ed)? to)\b|n't\b",
    "de": r"\b(?:nicht|nie|niemals|niemand|nichts|ohne|kein(?:e[mnrs]?)?|weder|verboten|untersagt|unzulässig)\b",
    "fr": r"\bn'|\b(?:ne|pas|jamais|aucune?|ni|sans|non|rien|interdite?s?)\b",
    "es": r"\b(?:no|nunca|jamás|ni|ning[uú]n[oa]?|nadie|nada|sin|tampoco|prohibid[oa]s?)\b",
    "pt": r"\b(?:não|nunca|jamais|nem|nenhum[a]?|ninguém|nada|sem)\b",
    "it": r"\b(?:non|mai|né|nessun[oa]?|niente|nulla|senza)\b",
    "nl": r"\b(?:niet|geen|nooit|niemand|niets|zonder|noch)\b",
    "ru": r"\b(?:не|нет|ни|никогда|никто|ничего|нельзя|без)\b",
    "zh": r"不(?![仅但同断久])|没|沒|未|无(?![论线])|無(?![論線])|勿|非(?![常洲])|禁止",
    "ja": r"ません|(?<!少)ない|なかった|ずに|禁止",
    "ko": r"않|없|못|아니|금지",
}  # fmt: skip
# "No later than" limits and does not deny; neither does "not only". A Japanese double negative obliges.
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?=(?:later|more|less|fewer|longer|earlier|lower|higher) than\b)|\bnot only\b|\bnicht nur\b|"
    r"\bn(?:e |')(?=\w+ (?:\w+ )?qu(?:e\b|'))|"
    r"なければなりません|なければならない|なくてはなりません|不得不|不可缺",
    re.IGNORECASE,
)
_LIMITED = (
    r"\bnon-\w+|\bun(?:paid|used|able|available|likely|authori[sz]ed|necessary)|\bin(?:eligible|valid|complete|active)|"
    r"\bimpossible|\b(?:only|except|unless|forbidden|prohibited|instead|rather|fail\w*|lack\w*|forfeit\w*|expire\w*|"
    r"exclud\w*|lost|lose|nur|außer|verboten|erst|ohne|statt|verf[aä]ll\w*|seulement|uniquement|sauf|sans|interdit\w*|"
    r"solo|sólo|salvo|sin|prohibid\w*|unless)\b|只|仅|除非|のみ|だけ"
)
# These deny their clause and not the word beside them.
_APART = re.compile(
    r"without|ohne|sans|sin|sem|senza|zonder|без|prohibited|forbidden|banned|verboten|untersagt|unzulässig|interdite?s?|"
    r"prohibid[oa]s?",
    re.IGNORECASE,
)
_CLOSE = 3  # words
_BEHIND = {"en": 0, "de": 8}  # "müssen Reisen bis zu drei Tagen nicht genehmigt werden"; "X does not" denies no X
_ONLY = re.compile(r"\b(?:only|nur|seulement|uniquement|solo|sólo)\b|只|仅|のみ|だけ", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:()–—|，；：、。（）\n]|\.\s|\b(?:and|but|und|aber|sondern|et|mais|pero|ma|mas|maar|и|а|но)\b"
)


def denials(text: str, lang: str) -> list[frozenset[str]]:
    """The content terms of each clause of `plain` text that denies something; a language not known denies nothing."""
    pattern = _NO.get(lang)
    if pattern is None:
        return []
    text = _NO_DENIAL.sub(" ", text)
    return [
        frozenset(content(clause, lang)) for clause in _CLAUSE.split(text) if re.search(pattern, clause, re.IGNORECASE)
    ]


def words_of(lang: str) -> str:
    """The pattern of the words that deny in `lang`; of one not known, a pattern that finds nothing."""
    return _NO.get(lang, "(?!)").replace(r"n't\b", r"\w+n't\b")


def clauses_of(text: str) -> list[str]:
    """The clauses of `plain` text, cut at commas and conjunctions."""
    return _CLAUSE.split(text)


def denied_at(text: str, start: int, end: int, lang: str) -> bool:
    """Whether the words of `plain` text from `start` to `end` are denied by a word close to them.

    "Without pay" denies nothing of what stands before it.
    """
    pattern = _NO.get(lang)
    if pattern is None:
        return False
    before = " ".join(_NO_DENIAL.sub(" ", clauses_of(text[max(0, start - 80) : start])[-1]).split()[-_CLOSE:])
    behind = " ".join(clauses_of(text[end : end + 80])[0].split()[: _BEHIND.get(lang, _CLOSE)])
    if lang == "zh":
        before, behind = text[max(0, start - _CLOSE) : start], ""
    return any(not _APART.fullmatch(m[0]) for m in re.finditer(pattern, f"{before} | {behind}", re.IGNORECASE))


def denial_before(text: str, end: int, lang: str) -> int | None:
    """Where the last denial in `text` up to `end` begins (in French its "ne"), None where there is none."""
    pattern = _NO.get(lang)
    found = [m.start() for m in re.finditer(pattern, text[:end], re.IGNORECASE)] if pattern else []
    return found[max(-len(found), -2 if lang == "fr" else -1)] if found else None


def denied_in(text: str, lang: str) -> bool:
    """Whether a word of the text denies."""
    return denial_before(text, len(text), lang) is not None


def denies_all(text: str, lang: str) -> bool:
    """Whether every clause of three words and more denies something."""
    pattern = _NO.get(lang)
    clauses = [clause for clause in clauses_of(_NO_DENIAL.sub(" ", text)) if len(clause.split()) > 2]
    return bool(pattern and clauses) and all(re.search(pattern or "", clause, re.IGNORECASE) for clause in clauses)


def limits(text: str) -> bool:
    """Whether something is denied or limited without a word of negation: "only", "unpaid", "non-remunerated"."""
    return re.search(_LIMITED, text, re.IGNORECASE) is not None


def limits_otherwise(text: str) -> bool:
    """The same by other words than "only"."""
    return limits(_ONLY.sub(" ", text))


def differs(claim: list[frozenset[str]], terms: frozenset[str], proof: list[frozenset[str]]) -> bool:
    """Whether the claim (its denials and all its terms) denies what the proof does not, or the reverse."""
    denied_alone = any(c and not any(_about(c, p) for p in proof) for c in claim)
    stated_anyway = any(p and 3 * len(p & terms) >= 2 * len(p) and not any(_about(c, p) for c in claim) for p in proof)
    return denied_alone or stated_anyway


def _about(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one or not other or bool(one & other)
