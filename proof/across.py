"""A claim beside its proof in another language: duties, limits, an order in time, and whether something is denied.

Words cannot be compared there, senses can. Must not know passages or verdicts.
Try: python -c "from proof.across import contrary; print(contrary('höchstens 3', 'de', 'at least 3', 'en'))"
"""

from proof.negation import clauses_of
from proof.senses import duties, sides
from proof.wording import CONTRARY, SENSES


def contrary(claim: str, lang: str, proof: str, own: str) -> str:
    """The sense of the claim (in `lang`) that its proof (in `own`) turns round, for people; "" when there is none."""
    said, told = _duties(claim, lang), _duties(proof, own)
    if said and told and not said & told:
        return f"it says what {_NAMES[min(said)]}, the passage what {_NAMES[min(told)]}"
    sided, other_sided = sides(claim, lang), sides(proof, own)
    for name in sided.keys() & other_sided.keys():
        if sided[name].keys().isdisjoint(other_sided[name]):
            return f"it says “{min(sided[name].values())}”, the passage “{min(other_sided[name].values())}”"
    mine, theirs = _senses(claim, lang), _senses(proof, own)
    for pair in CONTRARY:
        for sense, other in (pair, pair[::-1]):
            if sense in mine and other not in mine and other in theirs and sense not in theirs:
                return f"it says “{mine[sense]}”, the passage “{theirs[other]}”"
    return ""


_NAMES = {"must": "must be", "should": "should be", "may": "may be", "never": "must not be"}


def _duties(text: str, lang: str) -> set[str]:
    return {kind for clause in clauses_of(text) for kind in duties(clause, lang)}


def _senses(text: str, lang: str) -> dict[str, str]:
    found = {sense: rows[lang].search(text) for sense, rows in SENSES.items() if lang in rows}
    return {sense: match[0] for sense, match in found.items() if match}
