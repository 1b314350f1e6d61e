"""Holds one claim against the passages it cites: does it stand there, in which sentences, and if not, why not.

Rules only: copied sentences hold; otherwise every hard fact must stand in a cited passage, enough of the content
words too, no nearer sentence may say another figure, and the proof must deny what the claim denies.
Must not know markers, answers or models. Never says "holds" of a claim of which nothing was compared.
Try: python verify.py "a question" shows each claim with its proof or its reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from language.detect import language_of
from language.sentences import Unit, units
from language.words import fold, is_function_word, stem, words
from proof.agree import has_subject, opener_says_opposite, opposite, other_duty, other_measure
from proof.facts import (
    Moment,
    Number,
    moments,
    names,
    numbers,
    plain,
    quotes,
    same_date,
    squash,
    units_named,
    without_figures,
)
from proof.negation import denials, differs
from proof.tables import MONTHS
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
_MOST_PARTS = 4  # sentences shown as the proof of one claim


@dataclass(frozen=True)
class Part:
    """A verbatim piece of source `source` (index into the sources given), `start` to `end` in its text."""

    source: int
    start: int
    end: int


@dataclass(frozen=True)
class Finding:
    """`reason` is "" when the claim holds; then `parts` prove it."""

    reason: str
    parts: tuple[Part, ...] = ()


class Source:
    """One cited passage, taken apart once."""

    def __init__(self, label: str, text: str, context: str, answer_lang: str) -> None:
        self.label, self.text, self.context = label, text, context
        self.lang = language_of(f"{context}\n{text}", answer_lang)
        self.answer_lang = answer_lang
        self.foreign = self.lang != answer_lang
        self.units: list[Unit] = units(text, self.lang)

    @cached_property
    def whole(self) -> str:
        return squash(f"{self.context}\n{self.text}")

    @cached_property
    def lines(self) -> list[str]:
        return [squash(self.text[u.start : u.end]) for u in self.units]

    @cached_property
    def line_terms(self) -> list[frozenset[str]]:
        return [frozenset(content(line, self.answer_lang)) for line in self.lines]

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(content(f"{self.context}\n{self.text}", self.answer_lang))

    @cached_property
    def facts(self) -> "_Facts":
        return _Facts(self.whole, self.reading)

    @cached_property
    def title(self) -> "_Facts":
        return _Facts(squash(self.context), self.reading)

    @cached_property
    def line_facts(self) -> list["_Facts"]:
        return [_Facts(line, self.reading) for line in self.lines]

    @property
    def reading(self) -> str | None:
        return None if self.foreign else self.lang


class _Facts:
    """The hard facts stated in a text."""

    def __init__(self, text: str, lang: str | None) -> None:
        self.text = text
        self.numbers = numbers(text, lang)
        self.moments = moments(text)

    @cached_property
    def values(self) -> set[Decimal]:
        """Every number, those inside dates and times included."""
        inside = {Decimal(p) for m in self.moments for d in (*m.dates, *m.times) for p in d if p is not None}
        return inside | {value for n in self.numbers for value in n.values}

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def words(self) -> set[str]:
        return {part for w in words(self.text) for part in (fold(w), *fold(w).replace("'", "-").split("-"))}

    def has_number(self, number: Number) -> bool:
        same = [n for n in self.numbers if n.text == number.text or n.values & number.values]
        if not number.unit:
            return bool(same) or bool(number.values & self.values)
        # A table writes its unit once, in the header.
        told = number.unit in units_named(self.text)
        return any(n.unit == number.unit or (not n.unit and told) for n in same)

    def has_moment(self, moment: Moment) -> bool:
        if moment.times:
            return any(moment.times & m.times for m in self.moments)
        for claimed in moment.dates:
            for stated in (d for m in self.moments for d in m.dates):
                year_known = claimed[0] is None or stated[0] is not None or Decimal(claimed[0]) in self.values
                if same_date(claimed, stated) and year_known:
                    return True
        return False

    def has_name(self, name: str, lang: str) -> bool:
        folded = fold(name)
        if folded in MONTHS and any(d[1] == MONTHS[folded] for m in self.moments for d in m.dates):
            return True
        if folded in self.words or _stands(folded, self.folded):
            return True
        parts = [p for p in folded.replace("'", "-").replace("/", "-").split("-") if len(p) > 1]
        if any(c.isdigit() or c in "_@." for c in name):
            return False
        stems = {stem(word, lang) for word in self.words}
        return bool(parts) and all(part in self.words or stem(part, lang) in stems for part in parts)


def holds(claim: str, lang: str, sources: Sequence[Source], *, code: bool = False) -> Finding:
    """Whether `claim` (no markers, language `lang`) stands in the sources; `code` compares it as one line of code."""
    opener = OPENER.match(claim)
    said = (claim[opener.end() :] if opener else claim) or claim
    finding = _holds(said, lang, sources, code)
    if opener and not finding.reason:
        proofs = [(squash(sources[p.source].text[p.start : p.end]), sources[p.source].lang) for p in finding.parts]
        if opener_says_opposite(opener[0], plain(said), proofs, lang):
            return Finding("the opening word says the opposite")
    return finding


def _holds(claim: str, lang: str, sources: Sequence[Source], code: bool) -> Finding:
    copied = _copied(claim, sources)
    if copied:
        return Finding("", copied)
    if code:
        return Finding(f"this line of code does not stand in {_cited(sources)}")
    stated = _Claim(claim, lang)
    if missing := _missing(stated, sources):
        return Finding(f"“{missing}” does not stand in {_cited(sources)}")
    enough = _covered(stated, sources)
    if not enough and not (_two_languages(stated, sources) and stated.hard):
        return Finding(_too_little(stated, sources))
    parts = _parts(stated, sources)
    if not parts:
        return Finding(f"could not be checked: no sentence of {_cited(sources)} says anything of it")
    if enough and (reason := _other_figure(stated, sources) or _disagreement(stated, parts, sources)):
        return Finding(reason)
    proof = [d for p in parts for d in denials(sources[p.source].lines[p.start], sources[p.source].lang)]
    apart = not enough  # two languages: words cannot be compared, only whether something is denied at all
    if (bool(stated.denials) != bool(proof)) if apart else differs(stated.denials, stated.terms_set, proof):
        best = parts[0]
        return Finding(f"one denies what the other states; the passage says “{sources[best.source].lines[best.start]}”")
    return Finding("", _merged(parts, sources))


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


def _missing(claim: _Claim, sources: Sequence[Source]) -> str:
    facts = [s.facts for s in sources]
    for quote in claim.quotes:
        if not any(quote in f.text for f in facts):
            return quote
    for number in claim.numbers:
        if not any(f.has_number(number) for f in facts):
            return claim.text[number.start : number.end].strip()
    for moment in claim.moments:
        if not any(f.has_moment(moment) for f in facts):
            return moment.text.strip()
    for name in claim.names:
        if not any(f.has_name(name, claim.lang) for f in facts):
            return name
    return ""


def _covered(claim: _Claim, sources: Sequence[Source]) -> bool:
    if not claim.terms:
        return claim.hard
    every = claim.name_terms.union(*(s.terms for s in sources))  # names have been looked up already, in all their forms
    share = len(claim.terms_set & every) / len(claim.terms)
    if unspaced(claim.terms):
        return share >= MIN_SHARE_PAIRS
    subject = _subject(claim)
    return share >= MIN_SHARE and (not subject or subject in every)


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
        found |= {f"\0q{quote}" for quote in claim.quotes if quote in facts.text}
        held.append(found)
    return held


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
            if near[id(source), j] == nearest and others and same_kind:
                return f"the passage says {others[0].text}, not {number.text}: “{source.lines[j]}”"
    return ""


def _disagreement(claim: _Claim, parts: Sequence[Part], sources: Sequence[Source]) -> str:
    """The reason when the proving sentences have another unit, limit or duty, or another subject."""
    proofs = [(sources[p.source].lines[p.start], sources[p.source].lang) for p in parts]
    every = [(line, s.lang) for s in sources for line in (squash(s.context), *s.lines)]
    if other := other_measure(claim.text, claim.lang, proofs, every):
        return f"“{other}” does not stand in {_cited(sources)}"
    proof = " ".join(line for line, _ in proofs)
    word = opposite(claim.text, proof, claim.lang) or (len(parts) == 1 and other_duty(claim.text, proof, claim.lang))
    if word:
        return f"it says “{word}”, the passage another thing: “{proof}”"
    subject = _subject(claim)
    if subject and not unspaced(claim.terms) and all(_is_of_another(subject, sources[p.source], p) for p in parts):
        return f"the sentence that comes nearest does not speak of “{subject}”: “{proof}”"
    return ""


def _is_of_another(subject: str, source: Source, part: Part) -> bool:
    """Whether a sentence opens with a subject of its own, and neither it nor what stands above it names this one."""
    line = part.start
    above = [j for j in range(line) if source.units[j].kind in ("heading", "lead_in")]
    told = set(content(squash(source.context), source.answer_lang))
    told = told.union(*(source.line_terms[j] for j in (line, *above)))
    return subject not in told and has_subject(source.lines[line], source.lang)


def _cited(sources: Sequence[Source]) -> str:
    return ("the cited passage " if len(sources) == 1 else "the cited passages ") + "".join(s.label for s in sources)


def _stands(needle: str, text: str) -> bool:
    at = text.find(needle)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(needle) : at + len(needle) + 1]
        if not (before.isalnum() and before.isascii()) and not (after.isalnum() and after.isascii()):
            return True
        at = text.find(needle, at + 1)
    return False
