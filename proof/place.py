"""Whether what a claim says stands in its passage of another thing: another figure, clause, label, name or subject.

Rules over a claim and the units nearest to it (proof.evidence.Laid); each returns its reason, "" for none.
Must not know markers or verdicts. Try: python verify.py "a question" shows the reasons.
"""

import re

from proof.agree import has_subject, opposite, other_bound, other_measure, other_share
from proof.clauses import Clause, as_written, clauses, keys, nearest
from proof.evidence import Laid
from proof.facts import names, squash
from proof.measures import without_limits
from proof.negation import clauses_of, denials, limits
from proof.parallel import mixed, mixed_rows
from proof.senses import sides, turned
from proof.source import Facts, Source
from proof.stated import Stated, anybody, cited, subject
from proof.status import calls_error, no_longer
from proof.swap import exchanged
from proof.turns import is_compared_the_other_way, other_order, same_order, step_out_of_order, turned_about
from proof.words import content, unspaced

_SURE = 0.1  # above the limit of the same meaning, from which a word that opens the claim may be another
_OPENS_WITH_PLACE = re.compile(r"(?:in|under|according to|im|nach|laut|dans|selon|en|según)\b", re.IGNORECASE)
_MOST_LABEL = 6  # words before a colon
_MOST_OF = 0.6  # of a sentence's words, from which the claim tells it whole


def other_figure(laid: Laid) -> str:
    """The sentence nearest to the claim says another figure for the same thing."""
    claim = laid.claim
    rows = [(s, j) for s in laid.sources for j in range(len(s.units))]
    near = {(id(s), j): len(s.line_terms[j] & claim.terms_set) for s, j in rows}
    for number in claim.numbers:
        if any(s.title.has_number(number) for s in laid.sources):
            continue
        # A list's own numbering is in no unit: nothing holds it.
        holding = [near[id(s), j] for s, j in rows if number.values & s.line_facts[j].values] or [-1]
        most = max(near.values(), default=0)
        if max(holding) >= most:
            continue
        counted = content(claim.spoken[number.end :], claim.lang)[:1]
        for source, j in rows:
            others = [n for n in source.line_facts[j].numbers if not any(n.values & c.values for c in claim.numbers)]
            same_kind = source.units[j].kind == "row" or bool(set(counted) & source.line_terms[j])
            same_kind = same_kind or bool(number.unit and any(n.unit == number.unit for n in others) and not counted)
            if near[id(source), j] == most and others and same_kind:
                return f"the passage says {others[0].text}, not {number.text}: “{source.lines[j]}”"
    return ""


def other_clause(laid: Laid) -> str:
    """A number of the claim stands in another clause of its proof than all that the claim says beside it."""
    (source, line), claim = laid.places[0], laid.claim
    if len(source.line_facts[line].numbers) < 2:
        return ""
    every = [(frozenset(content(c, claim.lang)), Facts(c, source.reading)) for c in clauses_of(source.lines[line])]
    told = [(terms & claim.terms_set, facts) for terms, facts in every if facts.numbers]
    for number in claim.numbers:
        holding = [terms for terms, facts in told if number.values & facts.values]
        others = [terms for terms, facts in told if not any(n.values & facts.values for n in claim.numbers)]
        mine = frozenset[str]().union(*holding)
        if holding and any(other - mine and not mine - other for other in others):
            return f"the passage says {number.text} of another thing: “{laid.lines[0]}”"
    return ""


def other_amount(laid: Laid) -> str:
    """The proving sentences have another unit, limit or share."""
    claim = laid.claim
    proofs = [(source.lines[at], source.lang) for source, at in laid.places]
    every = [(line, s.lang) for s in laid.sources for line in (squash(s.context), *s.lines)]
    if other := other_measure(claim.text, claim.lang, proofs, every):
        return f"“{other}” does not stand in {cited(laid.sources)}"
    if bound := other_bound(
        claim.text, claim.lang, [(told, s.lang) for told, (s, _) in zip(laid.told, laid.places, strict=True)]
    ):
        return f"it says “{bound}”, the passage another limit: “{laid.proof}”"
    around = " ".join([*laid.told, *(s.context for s in laid.sources), *(s.above[at] for s, at in laid.places)])
    if shared := other_share(claim.text, claim.lang, around):
        return f"“{shared}” does not stand in {cited(laid.sources)}"
    return ""


def other_side(laid: Laid) -> str:
    """The proving sentences say the opposite before the same figure or word: before and after, under and over."""
    claim = laid.claim
    word = opposite(claim.text, laid.proof, claim.lang)
    return f"it says “{word}”, the passage another thing: “{laid.proof}”" if word else ""


def turned_round(laid: Laid) -> str:
    """A clause of the claim says the contrary of the clause it repeats."""
    claim = laid.claim
    told = [line for line in laid.told if not is_compared_the_other_way(claim.text, line, claim.lang)]
    reason = turned(claim.text, told, claim.lang)
    return f"{reason}: “{laid.proof}”" if reason else ""


def turned_sides(laid: Laid) -> str:
    """The claim turns round who does what to whom, what is more than what, or the order of numbered steps."""
    claim = laid.claim
    for line in laid.lines:
        if same_order(claim.text, line, claim.lang):
            continue
        if reason := turned_about(claim.text, line, claim.lang):
            return f"{reason}: “{line}”"
        if first := other_order(claim.text, line, claim.lang):
            return f"“{first}” comes first: “{line}”"
    for source in laid.sources:
        steps = [(number, line) for number, line in zip(source.numbering, source.lines, strict=True) if number]
        if reason := step_out_of_order(claim.text, steps, claim.lang) if len(steps) > 1 else "":
            return f"{reason}: {source.label}"
    return ""


def of_two_things(laid: Laid) -> str:
    """The claim joins what its passages say of two things: two clauses, sentences, items, rows or columns."""
    claim = laid.claim
    sources = laid.sources
    told = [
        (s.above[j], s.lines[j]) for s in sources for j in range(len(s.units)) if s.units[j].kind in ("text", "item")
    ]
    found = mixed(claim.text, told, claim.lang)
    for source in sources:
        found = found or mixed_rows(claim.text, [cells for cells in source.cells if cells], claim.lang)
    for source, at in laid.places:
        columns = list(zip(source.heads[at], source.cells[at], strict=False))[1:]  # the first is the row's label
        found = found or mixed_rows(claim.text, columns, claim.lang)
    if not found:
        return ""
    one, other = (as_written(key, claim.text, claim.lang) for key in found)
    return f"the passage says “{one}” and “{other}” of different things: “{laid.proof}”"


def not_in_force(laid: Laid) -> str:
    """The sentence that proves the claim tells what is no rule: an error, the past, a plan, or what is forbidden."""
    (source, at), claim = laid.places[0], laid.claim
    line, over = source.lines[at], source.forbidden(at)
    if calls_error(claim.text):
        return ""
    if over and not claim.denials and not limits(claim.text):
        return f"it stands under “{over}”: “{line}”"
    if source.errors[at]:
        return f"the passage calls it an error: “{line}”"
    said = Clause(claim.text, keys(claim.text, claim.lang), claim.text)
    near = [clause.text for clause in nearest(said, clauses(line, source.lang))]
    label, colon, _ = line.partition(":")
    near += [label] if colon and len(label.split()) <= _MOST_LABEL else []
    near += [line.partition(",")[0]] if _OPENS_WITH_PLACE.match(line) else []  # "In the draft, ..."
    if word := next((found for text in near if (found := no_longer(text, claim.text, claim.lang))), ""):
        return f"the passage says “{word}” of it: “{line}”"
    return ""


def says_by_contrary(laid: Laid) -> bool:
    """Whether the claim says the same by the contrary: "not granted" for "denied", "B is smaller" for "A is larger"."""
    claim = laid.claim
    for line in laid.lines:
        if same_order(claim.text, line, claim.lang):
            return True
        mine, theirs = sides(claim.text, claim.lang), sides(line, claim.lang)
        shared = mine.keys() & theirs.keys()
        if is_compared_the_other_way(claim.text, line, claim.lang):
            return any(mine[family].keys().isdisjoint(theirs[family]) for family in shared)
        alike = any(
            mine[family][side].startswith("not ") != theirs[family][side].startswith("not ")
            for family in shared
            for side in mine[family].keys() & theirs[family].keys()
        )
        if alike and len(clauses(claim.text, claim.lang)) == 1:
            return True
    return False


def limits_by_denial(laid: Laid) -> bool:
    """Whether one of the two denies nothing but that a figure is more or less, where the other has it as its limit."""
    lang, texts = laid.claim.lang, (laid.claim.text, laid.lines[0])
    rests = [without_limits(text, lang) for text in texts]
    one, other = (rest != text for rest, text in zip(rests, texts, strict=True))
    return one != other and not any(denials(rest, lang) for rest in rests)


def label_of_another(laid: Laid) -> str:
    """The text of a claim "label: text" is told under another label, which the claim's does not name."""
    claim = laid.claim
    label, colon, rest = claim.text.partition(": ")
    named, said = frozenset(content(label, claim.lang)), frozenset(content(rest, claim.lang))
    if not colon or not named or len(label.split()) > _MOST_LABEL or len(said) < 2:
        return ""
    rows = [(s, j) for s in laid.sources for j in range(len(s.units))]
    source, best = max(rows, key=lambda row: len(row[0].line_terms[row[1]] & said))
    if len(source.line_terms[best] & said) < _MOST_OF * len(said):
        return ""
    above = [source.lines[j] for j in range(best) if source.units[j].kind in ("heading", "lead_in")]
    known = frozenset(content(" ".join([source.told[best], source.context, *above]), claim.lang))
    elsewhere = any(named <= s.line_terms[j] for s, j in rows if (s, j) != (source, best))
    return f"“{label}” is said of another thing: “{laid.proof}”" if elsewhere and not named & known else ""


def borrowed_name(laid: Laid) -> str:
    """A name stands only in a sentence of which nothing else is told, where the one that is told has another."""
    claim = laid.claim
    whole = [(source, at) for source, at in laid.places if _told_whole(claim, source, at)]
    if not whole or whole[0] != laid.places[0]:
        return ""
    facts = [source.line_facts[at] for source, at in whole] + [s.title for s in laid.sources]
    others = {name for source, at in whole for name in names(source.lines[at], claim.lang)} - set(claim.names)
    lost = [name for name in claim.names if not any(f.has_name(name, claim.lang) for f in facts)]
    return f"the sentence that proves it does not speak of “{lost[0]}”: “{laid.lines[0]}”" if lost and others else ""


def exchange(laid: Laid) -> str:
    """The claim exchanges something for another thing in a sentence that it otherwise repeats."""
    claim = laid.claim
    proving = {(p.source, p.start) for p in laid.parts if _told_whole(claim, laid.sources[p.source], p.start)}
    others = [
        (terms, opening)
        for i, s in enumerate(laid.sources)
        for j, (terms, opening) in enumerate(zip(s.line_terms, s.line_openings, strict=True))
        if (i, j) not in proving
    ]
    for part, (source, at) in zip(laid.parts, laid.places, strict=True):
        apart = [o for o in others if o[0] is not source.line_terms[at]]
        rest = proving - {(part.source, part.start)}
        proved = frozenset[str]().union(*(laid.sources[i].line_terms[j] for i, j in rest))
        if reason := exchanged(claim.text, source.told[at], claim.lang, apart, proved):
            return f"{reason}: “{laid.proof}”"
    return ""


def another_subject(laid: Laid) -> str:
    """All sentences that come near open with a subject of their own, and nothing names the claim's."""
    claim, opening = laid.claim, subject(laid.claim)
    if not opening or opening in anybody(claim, laid.sources) or unspaced(claim.terms):
        return ""
    if not all(_is_of_another(opening, source, at) for source, at in laid.places):
        return ""
    near = laid.near
    if near and max(near.cosines(claim.text, tuple(laid.lines)), default=0.0) >= near.limit + _SURE:
        return ""
    return f"the sentence that comes nearest does not speak of “{opening}”: “{laid.proof}”"


def _told_whole(claim: Stated, source: Source, line: int) -> bool:
    terms = source.line_terms[line]
    return len(terms & claim.terms_set) >= _MOST_OF * len(terms)


def _is_of_another(opening: str, source: Source, line: int) -> bool:
    """Whether a sentence opens with a subject of its own, and neither it nor what stands above it names this one."""
    above = [j for j in range(line) if source.units[j].kind in ("heading", "lead_in")]
    told = set(content(squash(source.context), source.answer_lang))
    told = told.union(*(source.line_terms[j] for j in (line, *above)))
    return opening not in told and has_subject(source.lines[line], source.lang)
