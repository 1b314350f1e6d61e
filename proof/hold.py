"""Holds one claim against the passages it cites: does it stand there, in which sentences, and if not, why not.

Copied sentences hold; otherwise every hard fact must stand in a cited passage, enough of the content words too (or
words and meaning, where an embedder's comparison is handed in), and no rule may speak against it (RULES). Must not know
markers or answers, and calls no model itself. Never says "holds" of a claim of which nothing was compared.
Try: python verify.py "a question" shows each claim with its proof or its reason.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from language.words import forms, is_function_word, words
from models import Near
from proof import weekdays
from proof.across import contrary
from proof.agree import opener_says_opposite, other_measure
from proof.cells import Cells
from proof.evidence import Laid, Part, by_meaning, by_words, merged
from proof.facts import names, plain, squash
from proof.negation import denials, denies_all, differs, limits
from proof.place import (
    another_subject,
    borrowed_name,
    exchange,
    label_of_another,
    limits_by_denial,
    not_in_force,
    of_two_things,
    other_amount,
    other_clause,
    other_figure,
    other_side,
    says_by_contrary,
    turned_round,
    turned_sides,
)
from proof.segments import is_inverse, other_part
from proof.source import Facts, Source
from proof.stated import Stated, anybody, cited, settled, subject, two_languages
from proof.words import content, unspaced

# Share of a claim's content words that must stand in its passages. At 0.6 a claim of five words holds although two of
# them stand nowhere. Over the cases in tests/test_verify.py 0.65 to 0.75 lose no true claim and pass no false one; from
# 0.8 on true paraphrases fall. Few cases: to be measured again on answers of a real model.
# Character pairs lose two or three places at each particle, so they get the lower share.
MIN_SHARE = 0.7
MIN_SHARE_PAIRS = 0.6
OPENER = re.compile(
    r"(?:yes|no|ja|nein|oui|non|sí|si|no|sim|não|nee|да|нет|是的?|不是?|对|はい|いいえ|네|아니요)(?:[.!,，。！、]\s*|$)",
    re.IGNORECASE,
)
"""A reply to the question that only the sentence behind it can prove."""
_THE = r"(?:the |this |these |your |our )?(?:provided |given |cited |company |employee |staff )*"
_NOUNS = (
    r"(?:handbook|documents?|passages?|sources?|page|policy|text|guide|guidelines?|information)(?: provided| given)?"
)
FRAME = re.compile(
    rf"(?:(?:according to|based on|as per|per|in) {_THE}{_NOUNS}(?:,|:)\s*|"
    rf"{_THE}{_NOUNS} (?:says?|states?|notes?|mentions?|specif(?:y|ies)|tells? (?:you|us))(?: that|:|,)\s*|"
    r"(?:laut|gemäß|nach) (?:de[rmn] )?(?:handbuch|dokument(?:en)?|richtlinien?|quellen?|textstellen?)[,:]?\s+|"
    r"(?:das handbuch|das dokument|die richtlinie|die quelle) (?:sagt|besagt|schreibt)[,:]?(?: dass)?\s*|"
    r"(?:selon|d'après) (?:le|la|les) (?:manuel|documents?|sources?|règlement|passages?)[,:]?\s+|"
    r"(?:según|de acuerdo con) (?:el|la|los|las) (?:manual|documentos?|fuentes?|política)[,:]?\s+)",
    re.IGNORECASE,
)
"""Words that only say where the rest comes from, which its citation says already."""
RULES: tuple[Callable[[Laid], str], ...] = (
    other_figure, other_amount, other_side, turned_round, other_clause, label_of_another, exchange, borrowed_name,
    another_subject, turned_sides, of_two_things, not_in_force, other_part,
)  # fmt: skip
"""What may speak against a claim in its passage's language, in this order; each gives its reason, "" for none."""
OF_ROWS = (other_amount, other_side, turned_round, not_in_force, other_part)
"""Those for a claim that rows of a table tell with their headers: what is compared by its place is in its cell."""
_MOST_COMPARED = 40  # lines with most of the claim's words; a table may have thousands
_LEAST_SHARE = 0.2  # of a claim's words, below which a like meaning in the same language is no support
_WITH_WORDS = 0.2  # what half the share of words must add to the cosine to reach the limit of the same meaning


@dataclass(frozen=True)
class Finding:
    """`reason` is "" when the claim holds; then `parts` prove it. `support` is 0 to 1, see `_support`."""

    reason: str
    parts: tuple[Part, ...] = ()
    support: float = 0.0


def holds(claim: str, lang: str, sources: Sequence[Source], *, code: bool = False, near: Near | None = None) -> Finding:
    """Whether `claim` (no markers, language `lang`) stands in the sources; `code` compares it as one line of code.

    With `near` a claim whose words the passages do not have may hold by its meaning, between two languages too.
    """
    opener = OPENER.match(claim)
    said = (claim[opener.end() :] if opener else claim) or claim
    said = FRAME.sub("", said, count=1) or said
    finding = _holds(said, lang, sources, code, near)
    if opener and not finding.reason:
        proofs = [(squash(sources[p.source].text[p.start : p.end]), sources[p.source].lang) for p in finding.parts]
        if opener_says_opposite(opener[0], plain(said), proofs, lang):
            return Finding("the opening word says the opposite", support=finding.support / 2)
    return finding


def _holds(claim: str, lang: str, sources: Sequence[Source], code: bool, near: Near | None) -> Finding:
    copied, over = _copied(claim, sources)
    if copied and not over:
        return Finding("", copied, 1.0)
    if code:
        where = f"it stands under “{over}”" if over else f"this line of code does not stand in {cited(sources)}"
        return Finding(where)
    stated = settled(Stated(claim, lang), sources)
    support = _support(stated, sources)
    reason, parts = _judged(stated, sources, near)
    if reason:
        return Finding(reason, support=support / 2)
    return Finding("", merged(parts, sources), support)


def _judged(stated: Stated, sources: Sequence[Source], near: Near | None) -> tuple[str, list[Part]]:
    """The reason against the claim, or "" and the units that prove it."""
    apart = two_languages(stated, sources)  # words cannot be compared
    if missing := _missing(stated, sources, nouns=apart and near is not None and stated.lang == "de"):
        return f"“{missing}” does not stand in {cited(sources)}", []
    enough = _covered(stated, sources, near)
    apart = apart and not enough
    if not enough and not (apart and (near or stated.hard)):
        return _too_little(stated, sources), []
    cells = Cells(stated, sources)
    if told := not apart and cells.other_cell():
        return told, []
    rows = [] if apart else cells.proof()
    parts = rows or (by_meaning(stated, sources, near) if apart and near else by_words(stated, sources))
    if not parts:
        return f"could not be checked: no sentence of {cited(sources)} says anything of it", []
    laid = Laid(stated, sources, parts, near)
    if rows:
        laid.told = cells.statements(rows)
    if enough:
        rules = RULES if not rows else (*OF_ROWS, exchange) if cells.has_modal() else OF_ROWS
        reason = next((told for rule in rules if (told := rule(laid)) and not _excused(laid, rule)), "")
    else:
        reason = _contrary_abroad(laid) if near else ""
    denied = not reason and not rows and (_denied_abroad(laid) if apart else _denied(laid))
    if denied and not (enough and _excused(laid, _denied)):
        reason = f"one denies what the other states; the passage says “{laid.lines[0]}”"
    return reason, [] if reason else parts


def _excused(laid: Laid, rule: Callable[[Laid], str | bool]) -> bool:
    """Whether a rule speaks against what only says the same by its contrary; asked of few, since it takes a while."""
    if rule in BY_LIMIT and limits_by_denial(laid):
        return True
    return rule in BY_DENIAL and (is_inverse(laid) or says_by_contrary(laid))


def _support(claim: Stated, sources: Sequence[Source]) -> float:
    """The share of the claim's words and facts that its passages hold, in any order; a function word counts half.

    On public pairs of a text and what a model made of it, half did best (AUC .94; without function words .91).
    """
    every = frozenset[str]().union(*(s.words for s in sources))
    held = total = 0.0
    for word in words(claim.spoken):
        weight = 0.5 if is_function_word(word, claim.lang) else 1.0
        total += weight
        held += weight * (not every.isdisjoint(forms(word, claim.lang)))
    facts = [s.facts for s in sources]
    found = [any(f.has_number(n) for f in facts) for n in claim.numbers]
    found += [any(f.has_moment(m) for f in facts) for m in claim.moments]
    return (held + sum(found)) / (total + len(found)) if total or found else 0.0


def lacks_fact(line: str, lang: str, sources: Sequence[Source], *, nouns: bool = False) -> bool:
    """Whether a name, quotation, figure or date of the line stands in none of the sources.

    With `nouns` a capital may be that of a noun, which is translated.
    """
    return bool(_missing(Stated(line, lang), sources, nouns))


def _copied(claim: str, sources: Sequence[Source]) -> tuple[tuple[Part, ...], str]:
    """Where the claim stands word for word, and what stands above it that makes it no statement of its own."""
    wanted = squash(claim).rstrip(" .!。！|")
    over = ""
    for index, source in enumerate(sources):
        for at, (unit, line) in enumerate(zip(source.units, source.lines, strict=True)):
            if wanted and line.rstrip(" .!。！|") == wanted:
                over = source.forbidden(at) or (source.above[at] or line) * source.errors[at]
                if not over:
                    return (Part(index, unit.start, unit.end),), ""
    return (), over


def _missing(claim: Stated, sources: Sequence[Source], nouns: bool = False) -> str:
    """The first fact that stands in no source; with `nouns` a capital may be a noun's, which is translated."""
    facts = [s.facts for s in sources]
    for quote in claim.quotes:
        if not any(quote in f.text or quote in f.spoken for f in facts):
            return quote
    for number in claim.numbers:
        if not any(f.has_number(number) for f in facts):
            return claim.text[number.start : number.end].strip()
    for moment in claim.moments:
        if not any(f.has_moment(moment) for f in facts):
            return moment.text.strip()
    for day, word in claim.days.items():
        if not any(day in weekdays.covered(s.whole) for s in sources):
            return word
    for name in claim.names:
        if not (nouns and name.isalpha() and name[1:].islower()) and not any(
            f.has_name(name, claim.lang) for f in facts
        ):
            return name
    return ""


def _covered(claim: Stated, sources: Sequence[Source], near: Near | None) -> bool:
    """Whether the passages speak of the same: by enough of the claim's words, or by words and meaning together."""
    if not claim.terms:
        return claim.hard
    every = claim.name_terms.union(*(s.terms for s in sources))  # names have been looked up already, in all their forms
    nobody = anybody(claim, sources)
    terms = claim.terms_set - nobody
    share = len(terms & every) / len(terms) if terms else 1.0
    if unspaced(claim.terms):
        enough = share >= MIN_SHARE_PAIRS
    else:
        opening = subject(claim)
        enough = share >= MIN_SHARE and (not opening or opening in every or opening in nobody)
    if enough or near is None or share < _LEAST_SHARE or two_languages(claim, sources):
        return enough
    pairs = ((terms, line) for s in sources for terms, line in zip(s.line_terms, s.lines, strict=True))
    lines = [(len(terms & claim.terms_set), line) for terms, line in pairs]
    nearest = sorted(lines, key=lambda scored: -scored[0])[:_MOST_COMPARED]
    cosines = near.cosines(claim.text, tuple(line for _, line in nearest))
    return max(cosines, default=0.0) + share / 2 >= near.limit + _WITH_WORDS


def _too_little(claim: Stated, sources: Sequence[Source]) -> str:
    if not claim.terms:
        return "could not be checked: it holds no word that could be looked up"
    if two_languages(claim, sources):
        langs = ", ".join(sorted({s.lang for s in sources}))
        return f"could not be checked: {cited(sources)} is in another language ({langs}), no figure or name ties them"
    every = frozenset[str]().union(*(s.terms for s in sources))
    lost = [w for w in words(claim.spoken) if (own := content(w, claim.lang)) and not every.intersection(own)]
    return f"{cited(sources)} does not speak of {', '.join(f'“{w}”' for w in lost[:3])}"


def _denied(laid: Laid) -> bool:
    proof = [denied for source, at in laid.places for denied in denials(source.lines[at], source.lang)]
    proof += [source.line_terms[at] for source, at in laid.places if source.forbidden(at)]
    return differs(laid.claim.denials, laid.claim.terms_set, proof)


BY_LIMIT = (exchange, turned_round, _denied)
"""What takes "may not weigh more than 8 kg" for a denial."""
BY_DENIAL = (*BY_LIMIT, other_side)
"""What takes the same told by its contrary ("Pump 6 does not run" of an exception) for another statement."""


def _contrary_abroad(laid: Laid) -> str:
    """The reason when the sentences in another language have other figures or units, or turn a sense round."""
    claim = laid.claim
    lines = [(line, source.lang) for line, (source, _) in zip(laid.told, laid.places, strict=True)]
    facts = [Facts(line, None) for line, _ in lines] + [s.title for s in laid.sources]
    for number in claim.numbers:
        if not any(number.values & f.values or f.has_number(number) for f in facts):
            return f"the passage says another figure than {number.text}: “{lines[0][0]}”"
    own_names = {name for line, own in lines for name in names(line, own)}
    for name in claim.names:
        if not any(f.has_name(name, claim.lang) for f in facts) and own_names - set(claim.names):
            return f"the passage does not speak of “{name}” there: “{lines[0][0]}”"
    if other := other_measure(claim.text, claim.lang, lines, lines):
        return f"“{other}” does not stand in {cited(laid.sources)}"
    proof, own = " ".join(line for line, _ in lines), lines[0][1]
    sense = contrary(claim.text, claim.lang, proof, own)
    return f"{sense}: “{proof}”" if sense else ""


def _denied_abroad(laid: Laid) -> bool:
    """Whether one denies and the other does not; of a proof that denies only a part nothing is said."""
    lines = [(line, source.lang) for line, (source, _) in zip(laid.told, laid.places, strict=True)]
    if laid.claim.denials:
        return not any(denials(line, own) or limits(line) for line, own in lines)
    return all(denies_all(line, own) for line, own in lines) and not limits(laid.claim.text)
