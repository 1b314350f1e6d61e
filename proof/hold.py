"""Holds one claim against the passages it cites: does it stand there, in which sentences, and if not, why not.

Copied sentences hold; otherwise every hard fact must stand in a cited passage, enough of the content words too (or
words and meaning, where an embedder's comparison is handed in), no nearer sentence may say another figure, and the
proof must deny what the claim denies. Must not know markers or answers, and calls no model itself. Never says "holds"
of a claim of which nothing was compared.
Try: python verify.py "a question" shows each claim with its proof or its reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from language.words import forms, is_function_word, words
from models import Near
from proof.across import contrary
from proof.agree import has_subject, opener_says_opposite, opposite, other_duty, other_measure
from proof.facts import moments, names, numbers, plain, quotes, squash, without_figures
from proof.negation import clauses_of, denials, denies_all, differs, limits
from proof.source import Facts, Source
from proof.swap import exchanged
from proof.wording import ANYBODY
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
_MOST_PARTS = 4  # sentences shown as the proof of one claim
_LEAST_SHARE = 0.2  # of a claim's words, below which a like meaning in the same language is no support
_WITH_WORDS = 0.2  # what half the share of words must add to the cosine to reach the limit of the same meaning
_SURE = 0.1  # above the limit of the same meaning, from which a word that opens the claim may be another
_ABROAD = 0.15  # paraphrases in another language lie lower than translations
_WITH_FACTS = 0.25  # where figures or names tie the two together, too
_MOST_LABEL = 6  # words before a colon
_MOST_OF = 0.6  # of a sentence's words, from which the claim tells it whole


@dataclass(frozen=True)
class Part:
    """A verbatim piece of source `source` (index into the sources given), `start` to `end` in its text."""

    source: int
    start: int
    end: int


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
    copied = _copied(claim, sources)
    if copied:
        return Finding("", copied, 1.0)
    if code:
        return Finding(f"this line of code does not stand in {_cited(sources)}")
    stated = _Claim(claim, lang)
    support = _support(stated, sources)
    reason, parts = _judged(stated, sources, near)
    if reason:
        return Finding(reason, support=support / 2)
    return Finding("", _merged(parts, sources), support)


def _judged(stated: "_Claim", sources: Sequence[Source], near: Near | None) -> tuple[str, list[Part]]:
    """The reason against the claim, or "" and the units that prove it."""
    apart = _two_languages(stated, sources)  # words cannot be compared
    if missing := _missing(stated, sources, nouns=apart and near is not None and stated.lang == "de"):
        return f"“{missing}” does not stand in {_cited(sources)}", []
    enough = _covered(stated, sources, near)
    apart = apart and not enough
    if not enough and not (apart and (near or stated.hard)):
        return _too_little(stated, sources), []
    parts = _by_meaning(stated, sources, near) if apart and near else _parts(stated, sources)
    if not parts:
        return f"could not be checked: no sentence of {_cited(sources)} says anything of it", []
    turned = _other_figure(stated, sources) or _disagreement(stated, parts, sources, near) if enough else ""
    if reason := turned or (_contrary_abroad(stated, parts, sources) if apart and near else ""):
        return reason, []
    if apart:
        denied = _denied_abroad(stated, parts, sources)
    else:
        proof = [d for p in parts for d in denials(sources[p.source].lines[p.start], sources[p.source].lang)]
        denied = differs(stated.denials, stated.terms_set, proof)
    if denied:
        best = parts[0]
        return f"one denies what the other states; the passage says “{sources[best.source].lines[best.start]}”", []
    return "", parts


def _support(claim: "_Claim", sources: Sequence[Source]) -> float:
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


def lacks_fact(line: str, lang: str, sources: Sequence[Source]) -> bool:
    """Whether a name, quotation, figure or date of the line stands in none of the sources."""
    return bool(_missing(_Claim(line, lang), sources))


class _Claim:
    def __init__(self, text: str, lang: str) -> None:
        self.text, self.lang = plain(text), lang
        self.spoken = without_figures(self.text, lang)
        self.terms = content(self.spoken, lang)
        self.terms_set = frozenset(self.terms)
        self.quotes = [squash(q) for q in quotes(self.text)]
        self.numbers = [n for n in numbers(self.text, lang) if n.text.casefold() != "one"]  # mostly a pronoun
        self.moments = moments(self.text)
        self.names = names(self.text, lang)
        self.name_terms = frozenset(term for name in self.names for term in content(name, lang))
        self.denials = denials(self.text, lang)

    @property
    def hard(self) -> bool:
        return bool(self.quotes or self.numbers or self.moments or self.names)


def _copied(claim: str, sources: Sequence[Source]) -> tuple[Part, ...]:
    wanted = squash(claim).rstrip(" .!。！|")
    for index, source in enumerate(sources):
        for unit, line in zip(source.units, source.lines, strict=True):
            if wanted and line.rstrip(" .!。！|") == wanted:
                return (Part(index, unit.start, unit.end),)
    return ()


def _missing(claim: _Claim, sources: Sequence[Source], nouns: bool = False) -> str:
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
    for name in claim.names:
        if not (nouns and name.isalpha() and name[1:].islower()) and not any(
            f.has_name(name, claim.lang) for f in facts
        ):
            return name
    return ""


def _covered(claim: _Claim, sources: Sequence[Source], near: Near | None) -> bool:
    """Whether the passages speak of the same: by enough of the claim's words, or by words and meaning together."""
    if not claim.terms:
        return claim.hard
    every = claim.name_terms.union(*(s.terms for s in sources))  # names have been looked up already, in all their forms
    anybody = _anybody(claim, sources)
    terms = claim.terms_set - anybody
    share = len(terms & every) / len(terms) if terms else 1.0
    if unspaced(claim.terms):
        enough = share >= MIN_SHARE_PAIRS
    else:
        subject = _subject(claim)
        enough = share >= MIN_SHARE and (not subject or subject in every or subject in anybody)
    if enough or near is None or share < _LEAST_SHARE or _two_languages(claim, sources):
        return enough
    cosines = near.cosines(claim.text, tuple(line for s in sources for line in s.lines))
    return max(cosines, default=0.0) + share / 2 >= near.limit + _WITH_WORDS


def _anybody(claim: _Claim, sources: Sequence[Source]) -> frozenset[str]:
    """Terms of words such as "employees", which say nothing of their own where the page speaks to its reader."""
    if not any(s.addresses for s in sources):
        return frozenset()
    return frozenset(t for word in ANYBODY.get(claim.lang, ()) for t in content(word, claim.lang))


def _two_languages(claim: _Claim, sources: Sequence[Source]) -> bool:
    """Whether words cannot be compared. Many common words speak against what the detection says of a short passage."""
    if not all(s.foreign for s in sources):
        return False
    own = claim.terms_set - claim.name_terms
    every = frozenset[str]().union(*(s.terms for s in sources))
    return len(own & every) * 3 <= len(own)


def _subject(claim: _Claim) -> str:
    """The word a claim opens with, mostly what it is about; a passage without it speaks of another.

    "According to the handbook, interns get ..." opens behind its comma.
    """
    lead, comma, rest = claim.spoken.partition(", ")
    opening = rest if comma and len(words(lead)) <= 4 else claim.spoken
    first = next(iter(words(opening)), "")
    if not claim.numbers and is_function_word(first, claim.lang):
        return ""  # "You can hand it in ...": the first content word is a verb, and verbs are paraphrased
    return next(iter(content(opening, claim.lang)), "")


def _too_little(claim: _Claim, sources: Sequence[Source]) -> str:
    if not claim.terms:
        return "could not be checked: it holds no word that could be looked up"
    if _two_languages(claim, sources):
        langs = ", ".join(sorted({s.lang for s in sources}))
        return f"could not be checked: {_cited(sources)} is in another language ({langs}), no figure or name ties them"
    every = frozenset[str]().union(*(s.terms for s in sources))
    lost = [w for w in words(claim.spoken) if (own := content(w, claim.lang)) and not every.intersection(own)]
    return f"{_cited(sources)} does not speak of {', '.join(f'“{w}”' for w in lost[:3])}"


def _scores(claim: _Claim, source: Source) -> list[set[str]]:
    """For each unit what of the claim it holds: terms, and hard facts under names of their own."""
    held = []
    for terms, facts in zip(source.line_terms, source.line_facts, strict=True):
        found = set(terms & claim.terms_set)
        found |= {f"\0n{n.start}" for n in claim.numbers if facts.has_number(n) or n.values & facts.values}
        found |= {f"\0m{m.start}" for m in claim.moments if facts.has_moment(m)}
        found |= {f"\0w{name}" for name in claim.names if facts.has_name(name, claim.lang)}
        found |= {f"\0q{quote}" for quote in claim.quotes if quote in facts.text or quote in facts.spoken}
        held.append(found)
    return held


def _by_meaning(claim: _Claim, sources: Sequence[Source], near: Near) -> list[Part]:
    """The units that say the same in another language, nearest first; none below the limit.

    A second one is taken where the claim is nearer to both together than to the first.
    """
    places = [(i, j) for i, s in enumerate(sources) for j in range(len(s.units)) if s.units[j].kind != "heading"]
    cosines = near.cosines(claim.text, tuple(sources[i].lines[j] for i, j in places))
    ranked = sorted(zip(cosines, places, strict=True), reverse=True)[:_MOST_PARTS]
    if not ranked:
        return []
    best, (i, j) = ranked[0]
    pairs = tuple(sources[i].lines[j] + " " + sources[a].lines[b] for _, (a, b) in ranked[1:])
    together = max(zip(near.cosines(claim.text, pairs), ranked[1:], strict=True), default=None) if pairs else None
    chosen = [(i, j)]
    if together and together[0] > best:
        best, chosen = together[0], [(i, j), together[1][1]]
    limit = near.limit - (_WITH_FACTS if claim.hard else _ABROAD)
    return [Part(a, b, b + 1) for a, b in chosen] if best >= limit else []


def _weight(held: set[str]) -> int:
    return sum(2 if h[0] == "\0" else 1 for h in held)  # a fact is rarer than a word


def _parts(claim: _Claim, sources: Sequence[Source]) -> list[Part]:
    """The fewest units that hold what can be found of the claim, best first; `start`, `end` count units here."""
    held = {(i, j): found for i, s in enumerate(sources) for j, found in enumerate(_scores(claim, s)) if found}
    chosen: list[Part] = []
    have: set[str] = set()
    while held and len(chosen) < _MOST_PARTS:
        # Among equals the one that says least besides, then the earlier.
        place, found = max(
            held.items(),
            key=lambda h: (_weight(h[1] - have), -len(sources[h[0][0]].line_terms[h[0][1]]), -h[0][0], -h[0][1]),
        )
        if _weight(found - have) < (2 if chosen else 1):
            break
        chosen.append(Part(place[0], place[1], place[1] + 1))
        have |= found
        del held[place]
    return chosen


def _merged(parts: Sequence[Part], sources: Sequence[Source]) -> tuple[Part, ...]:
    merged: list[Part] = []
    for part in sorted(parts, key=lambda p: (p.source, p.start)):
        if merged and merged[-1].source == part.source and merged[-1].end == part.start:
            merged[-1] = Part(part.source, merged[-1].start, part.end)
        else:
            merged.append(part)
    return tuple(
        Part(p.source, sources[p.source].units[p.start].start, sources[p.source].units[p.end - 1].end) for p in merged
    )


def _other_figure(claim: _Claim, sources: Sequence[Source]) -> str:
    """The reason when the sentence nearest to the claim says another figure for the same thing."""
    rows = [(s, j) for s in sources for j in range(len(s.units))]
    near = {(id(s), j): len(s.line_terms[j] & claim.terms_set) for s, j in rows}
    for number in claim.numbers:
        if any(s.title.has_number(number) for s in sources):
            continue
        # A list's own numbering is in no unit: nothing holds it.
        holding = [near[id(s), j] for s, j in rows if number.values & s.line_facts[j].values] or [-1]
        nearest = max(near.values(), default=0)
        if max(holding) >= nearest:
            continue
        counted = content(claim.spoken[number.end :], claim.lang)[:1]
        for source, j in rows:
            others = [n for n in source.line_facts[j].numbers if not any(n.values & c.values for c in claim.numbers)]
            same_kind = source.units[j].kind == "row" or bool(set(counted) & source.line_terms[j])
            same_kind = same_kind or bool(number.unit and any(n.unit == number.unit for n in others) and not counted)
            if near[id(source), j] == nearest and others and same_kind:
                return f"the passage says {others[0].text}, not {number.text}: “{source.lines[j]}”"
    return ""


def _other_clause(claim: _Claim, source: Source, line: int) -> str:
    """A number of the claim that stands in another clause of its proof than all that the claim says beside it."""
    if len(source.line_facts[line].numbers) < 2:
        return ""
    clauses = [(frozenset(content(c, claim.lang)), Facts(c, source.reading)) for c in clauses_of(source.lines[line])]
    told = [(terms & claim.terms_set, facts) for terms, facts in clauses if facts.numbers]
    for number in claim.numbers:
        holding = [terms for terms, facts in told if number.values & facts.values]
        others = [terms for terms, facts in told if not any(n.values & facts.values for n in claim.numbers)]
        mine = frozenset[str]().union(*holding)
        if holding and any(other - mine and not mine - other for other in others):
            return number.text
    return ""


def _disagreement(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source], near: Near | None) -> str:
    """The reason when the proving sentences have another unit, limit or duty, or another subject."""
    proofs = [(sources[p.source].lines[p.start], sources[p.source].lang) for p in parts]
    every = [(line, s.lang) for s in sources for line in (squash(s.context), *s.lines)]
    if other := other_measure(claim.text, claim.lang, proofs, every):
        return f"“{other}” does not stand in {_cited(sources)}"
    proof = " ".join(line for line, _ in proofs)
    if number := _other_clause(claim, sources[parts[0].source], parts[0].start):
        return f"the passage says {number} of another thing: “{proofs[0][0]}”"
    if label := _label_of_another(claim, sources):
        return f"“{label}” is said of another thing: “{proof}”"
    if exchange := _exchange(claim, parts, sources):
        return f"{exchange}: “{proof}”"
    if name := _borrowed_name(claim, parts, sources):
        return f"the sentence that proves it does not speak of “{name}”: “{proofs[0][0]}”"
    word = opposite(claim.text, proof, claim.lang) or (len(parts) == 1 and other_duty(claim.text, proof, claim.lang))
    if word:
        return f"it says “{word}”, the passage another thing: “{proof}”"
    subject = _subject(claim)
    if subject in _anybody(claim, sources) or unspaced(claim.terms):
        return ""
    if not subject or not all(_is_of_another(subject, sources[p.source], p) for p in parts):
        return ""
    if near and max(near.cosines(claim.text, tuple(line for line, _ in proofs)), default=0.0) >= near.limit + _SURE:
        return ""
    return f"the sentence that comes nearest does not speak of “{subject}”: “{proof}”"


def _contrary_abroad(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source]) -> str:
    """The reason when the sentences in another language have other figures or units, or turn a sense round."""
    lines = [(sources[p.source].told[p.start], sources[p.source].lang) for p in parts]
    facts = [Facts(line, None) for line, _ in lines] + [s.title for s in sources]
    for number in claim.numbers:
        if not any(number.values & f.values or f.has_number(number) for f in facts):
            return f"the passage says another figure than {number.text}: “{lines[0][0]}”"
    own_names = {name for line, own in lines for name in names(line, own)}
    for name in claim.names:
        if not any(f.has_name(name, claim.lang) for f in facts) and own_names - set(claim.names):
            return f"the passage does not speak of “{name}” there: “{lines[0][0]}”"
    if other := other_measure(claim.text, claim.lang, lines, lines):
        return f"“{other}” does not stand in {_cited(sources)}"
    proof, own = " ".join(line for line, _ in lines), lines[0][1]
    sense = contrary(claim.text, claim.lang, proof, own)
    return f"{sense}: “{proof}”" if sense else ""


def _denied_abroad(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source]) -> bool:
    """Whether one denies and the other does not; of a proof that denies only a part nothing is said."""
    lines = [(sources[p.source].told[p.start], sources[p.source].lang) for p in parts]
    if claim.denials:
        return not any(denials(line, own) or limits(line) for line, own in lines)
    return all(denies_all(line, own) for line, own in lines) and not limits(claim.text)


def _borrowed_name(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source]) -> str:
    """A name that stands only in a sentence of which nothing else is told, where the one that is told has another."""
    whole = [p for p in parts if _told_whole(claim, sources[p.source], p.start)]
    if not whole or whole[0] is not parts[0]:
        return ""
    facts = [sources[p.source].line_facts[p.start] for p in whole] + [s.title for s in sources]
    others = {name for p in whole for name in names(sources[p.source].lines[p.start], claim.lang)} - set(claim.names)
    lost = [name for name in claim.names if not any(f.has_name(name, claim.lang) for f in facts)]
    return lost[0] if lost and others else ""


def _label_of_another(claim: _Claim, sources: Sequence[Source]) -> str:
    """The label of a claim "label: text" when the text is told under another one, which the label does not name."""
    label, colon, rest = claim.text.partition(": ")
    named, said = frozenset(content(label, claim.lang)), frozenset(content(rest, claim.lang))
    if not colon or not named or len(label.split()) > _MOST_LABEL or len(said) < 2:
        return ""
    rows = [(s, j) for s in sources for j in range(len(s.units))]
    source, best = max(rows, key=lambda row: len(row[0].line_terms[row[1]] & said), default=(None, 0))
    if source is None or len(source.line_terms[best] & said) < _MOST_OF * len(said):
        return ""
    above = [source.lines[j] for j in range(best) if source.units[j].kind in ("heading", "lead_in")]
    known = frozenset(content(" ".join([source.told[best], source.context, *above]), claim.lang))
    elsewhere = any(named <= s.line_terms[j] for s, j in rows if (s, j) != (source, best))
    return label if elsewhere and not named & known else ""


def _exchange(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source]) -> str:
    """What the claim exchanges for another thing in a sentence that it otherwise repeats."""
    proving = {(p.source, p.start) for p in parts if _told_whole(claim, sources[p.source], p.start)}
    others = [
        (terms, opening)
        for i, s in enumerate(sources)
        for j, (terms, opening) in enumerate(zip(s.line_terms, s.line_openings, strict=True))
        if (i, j) not in proving
    ]
    for part in parts:
        line = sources[part.source].told[part.start]
        apart = [o for o in others if o[0] is not sources[part.source].line_terms[part.start]]
        proved = frozenset[str]().union(
            *(sources[i].line_terms[j] for i, j in proving if (i, j) != (part.source, part.start))
        )
        if reason := exchanged(claim.text, line, claim.lang, apart, proved):
            return reason
    return ""


def _told_whole(claim: _Claim, source: Source, line: int) -> bool:
    terms = source.line_terms[line]
    return len(terms & claim.terms_set) >= _MOST_OF * len(terms)


def _is_of_another(subject: str, source: Source, part: Part) -> bool:
    """Whether a sentence opens with a subject of its own, and neither it nor what stands above it names this one."""
    line = part.start
    above = [j for j in range(line) if source.units[j].kind in ("heading", "lead_in")]
    told = set(content(squash(source.context), source.answer_lang))
    told = told.union(*(source.line_terms[j] for j in (line, *above)))
    return subject not in told and has_subject(source.lines[line], source.lang)


def _cited(sources: Sequence[Source]) -> str:
    return ("the cited passage " if len(sources) == 1 else "the cited passages ") + "".join(s.label for s in sources)
