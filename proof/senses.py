"""Whether a claim turns round the sense of the clause it repeats: contraries, duties, how much and how often.

A clause of the claim is held against the clauses of its proof that share most with it; a denied word says its contrary.
Must not know verdicts.
Try: python -c "from proof.senses import turned; print(turned('Bets are legal.', ['Bets are illegal.'], 'en'))"
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from language.words import forms, is_run
from proof.align import expanded, tokens
from proof.clauses import Clause, clauses, nearest
from proof.facts import numbers
from proof.measures import parts_of_a_whole
from proof.negation import denials, denied_at
from proof.opposite_tables import CONTRARIES, DEGREES, FREE, NEGATING
from proof.wording import DENIED_DUTIES, MODALS
from proof.words import whole

_WORD = re.compile(r"\w+(?:-\w+)*")
_LEAST_STEM = 4  # letters behind "un", "in" and their like


def turned(claim: str, proofs: Sequence[str], lang: str) -> str:
    """The words of the claim and of its proof that say the contrary, for people; "" when there are none."""
    told = [clause for proof in proofs for clause in clauses(expanded(proof), lang)]
    for said in clauses(expanded(claim), lang):
        for look in (_contrary, _negated, _duty, _degree, _part, _free):
            if found := look(said, told, lang):
                return f"it says “{found[0]}” where the passage says “{found[1]}”"
    return ""


def sides(text: str, lang: str) -> dict[str, dict[int, str]]:
    """Name of a pair -> side (0 or 1) -> the word that says it; a denial close to the word turns the side round."""
    found: dict[str, dict[int, str]] = {}
    for start, end, family, side in _sided(text, lang):
        denied = denied_at(text, start, end, lang)
        found.setdefault(family, {})[side ^ denied] = f"not {text[start:end]}" if denied else text[start:end]
    return found


def _sided(text: str, lang: str) -> Iterator[tuple[int, int, str, int]]:
    """Place of each word that has a contrary, its family and side."""
    if lang == "zh":
        for word, places in _families(lang).items():
            if (at := text.find(word)) >= 0:
                yield from ((at, at + len(word), *place) for place in places)
        return
    for match in _WORD.finditer(text):
        for place in _families(lang).get(_stem(match[0], lang), ()):
            yield (*match.span(), *place)


@cache
def _families(lang: str) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for family, pair in CONTRARIES.get(lang, {}).items():
        for side, words in enumerate(pair):
            for stem in {_stem(word, lang) for word in words}:
                found.setdefault(stem, []).append((family, side))
    return found


def _stem(word: str, lang: str) -> str:
    return word if is_run(word) else " ".join(forms(word, lang)[:1])


def _contrary(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    for family, mine in sides(said.text, lang).items():
        known = [(clause, own) for clause in told if (own := sides(clause.text, lang).get(family))]
        near = nearest(said, [clause for clause, _ in known])
        theirs = [own for clause, own in known if clause in near]
        if len(mine) == 1 and theirs and not any(side in own for own in theirs for side in mine):
            return next(iter(mine.values())), next(iter(theirs[0].values()))
    return None


def _negated(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    """A word beside the same with "un-" before it, where only one of the two clauses denies."""
    for clause in nearest(said, told):
        if bool(denials(said.text, lang)) != bool(denials(clause.text, lang)):
            continue
        mine, theirs = ({w.text.casefold() for w in tokens(c.text, lang) if w.content} for c in (said, clause))
        for one in mine - theirs:
            for other in theirs - mine:
                apart = any(f"non {word}" in c.text.casefold() for c in (said, clause) for word in (one, other))
                if not apart and (_is_negation(one, other, lang) or _is_negation(other, one, lang)):
                    return one, other
    return None


def _is_negation(word: str, other: str, lang: str) -> bool:
    if is_run(word) or len(other) < _LEAST_STEM:
        return False
    stems = forms(other, lang)
    return any(
        word.startswith(prefix)
        and (word.removeprefix(prefix) == other or forms(word.removeprefix(prefix), lang) == stems)
        for prefix in NEGATING.get(lang, ())
    )


def duties(text: str, lang: str) -> dict[str, str]:
    """What a text says must, should, may or must not be, with its words; a denial turns a duty: "müssen nicht"."""
    found: dict[str, str] = {}
    modals = MODALS.get(lang)
    for match in modals.finditer(text) if modals else ():
        kind = match.lastgroup or ""
        turned = DENIED_DUTIES.get(lang, {}) if denied_at(text, *match.span(), lang) else {}
        found[turned.get(kind, kind)] = match[0]
    return found


def _duty(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    mine = duties(said.text, lang)
    near = nearest(said, [clause for clause in told if duties(clause.text, lang)])
    theirs = {kind: word for clause in near for kind, word in duties(clause.sentence, lang).items()}
    if not mine or not theirs or mine.keys() & theirs.keys():
        return None
    shares = max(len(said.keys & clause.keys) for clause in near)
    return (min(mine.values()), min(theirs.values())) if 2 * shares >= len(said.keys) else None


def _degree(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    for table in range(len(DEGREES)):
        mine = _degrees(said.text, lang, table)
        near = nearest(said, [clause for clause in told if _degrees(clause.text, lang, table)])
        theirs = {degree: word for clause in near for degree, word in _degrees(clause.text, lang, table).items()}
        if len(mine) != 1 or not theirs:
            continue
        (degree,) = mine
        # What holds for all holds for some; what happens seldom or to few is another statement.
        if not any(degree == other or 1 < degree < other for other in theirs):
            return mine[degree], next(iter(theirs.values()))
    return None


def _part(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    """A half where the proof says a third."""
    mine = parts_of_a_whole(said.text, lang)
    near = nearest(said, [clause for clause in told if parts_of_a_whole(clause.text, lang)])
    theirs = {part: word for clause in near for part, word in parts_of_a_whole(clause.text, lang).items()}
    return (min(mine.values()), min(theirs.values())) if mine and theirs and not mine.keys() & theirs.keys() else None


def _free(said: Clause, told: Sequence[Clause], lang: str) -> tuple[str, str] | None:
    """Free of charge where the proof names a sum for it."""
    found = FREE.search(said.text)
    for clause in nearest(said, told) if found else ():
        sums = [n.text for n in numbers(clause.text, lang) if n.unit not in ("", "%")]
        if found and sums and not FREE.search(clause.text):
            return found[0], sums[0]
    return None


def _degrees(text: str, lang: str, table: int) -> dict[int, str]:
    rows = DEGREES[table].get(lang, {})
    return {degree: match[0] for degree, words in rows.items() if (match := whole(words, lang).search(text))}
