"""What a claim must share with the very sentence that proves it: units, rates, limits, sides, the opening word.

Only a disagreement counts: what one of the two leaves out is no fault. Must not know passages, markers or verdicts.
Try: python -c "from proof.agree import opposite; print(opposite('Over 5 kg.', 'Under 5 kg.', 'en'))"
"""

import re
from collections.abc import Iterator, Sequence

from language.words import is_function_word, words
from proof.facts import Number, numbers
from proof.measures import bounds, by_or_to, unit_of
from proof.negation import denials
from proof.tables import ARTICLES, LIMITS, NOES, OPPOSITES_WITH_OBJECT, PER, TIME_UNITS
from proof.words import content

Told = tuple[str, str]
"""A sentence and its language."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_RANGE = re.compile(r"\d ?[-–] ?\d")
_SINCE = re.compile(r"\b(?:after|from|ab|nach|après|después de|tras) $", re.IGNORECASE)
_SHARE = re.compile(r"(?:\W*[^\W\d]+){0,2}? (?:per|pro|par|por|je|for each|for every) ([^\W\d]+)", re.IGNORECASE)
_MOST_FIGURES = 40  # of a claim; who writes more writes a table
_SHOWN = 4  # words, the figure the last
_WINDOW = 60  # characters behind a number in which its rate stands


def other_measure(claim: str, lang: str, proofs: Sequence[Told], every: Sequence[Told]) -> str:
    """The first number of the claim whose equals, in its proofs or else anywhere, all have another unit or rate."""
    for number in numbers(claim, lang)[:_MOST_FIGURES]:
        same = _equal(number, proofs) or _equal(number, every)
        if not same:
            continue
        unit, rate = unit_of(claim, number, lang), _rate(claim, number, lang)
        if unit and all(told and told != unit for told in (unit_of(text, n, own) for n, text, own in same)):
            return claim[number.start : number.end].strip() + " " + unit + "s" * (unit in TIME_UNITS["en"])
        if rate and all(told and told != rate for told in (_rate(text, n, own) for n, text, own in same)):
            return f"{claim[number.start : number.end].strip()} per {rate}"
    return ""


def other_bound(claim: str, lang: str, proofs: Sequence[Told]) -> str:
    """The first number of the claim that its proofs bound otherwise ("more than 5" for 5), or change "to" for "by".

    Years and ranges have no bounds.
    """
    for number in numbers(claim, lang)[:_MOST_FIGURES]:
        if _YEAR.fullmatch(number.text) or _RANGE.search(claim[max(0, number.start - 2) : number.end + 2]):
            continue
        same = [(n, text, own) for n, text, own in _equal(number, proofs) if own == lang]
        mine, theirs = bounds(claim, number, lang), {bounds(text, n, own) for n, text, own in same}
        if "within" in (mine, *theirs) and {mine, *theirs} <= {"within", "most", ""}:
            continue  # in three days, within three days, no later than after three days
        if mine == "" and theirs == {"least"} and _SINCE.search(claim[: number.start]):
            continue  # "after six months" for "six months or more"
        if same and mine not in theirs:
            return " ".join(claim[: number.end].split()[-_SHOWN:])
        change, changes = by_or_to(claim, number, lang), {by_or_to(text, n, own) for n, text, own in same}
        if change and same and all(changes) and change not in changes:
            return f"{change} {number.text}"
    return ""


def other_share(claim: str, lang: str, told: str) -> str:
    """For whom or what a figure of the claim is counted ("per person"), where its proof, `told`, does not name that."""
    known = frozenset(content(told, lang))
    for number in numbers(claim, lang)[:_MOST_FIGURES]:
        behind = re.split(r"[.;:!?\d]", claim[number.end : number.end + _WINDOW])[0]
        found = _SHARE.match(behind)
        counted = frozenset(content(found[1], lang)) if found else frozenset()
        if found and counted and known.isdisjoint(counted) and not (_time_of(found[1], lang) & _times_of(told, lang)):
            return f"{claim[number.start : number.end].strip()} {found[0].strip()}"
    return ""


def _time_of(word: str, lang: str) -> set[str]:
    return {name for name, unit in TIME_UNITS.get(lang, {}).items() if re.fullmatch(unit, word, re.IGNORECASE)}


def _times_of(text: str, lang: str) -> set[str]:
    """The units of time that a text names, also as "daily" or "annual"."""
    alone = PER.get(lang, ("", {}))[1]
    words_of = re.findall(r"\w+", text.casefold())
    return {alone[word] for word in words_of if word in alone}.union(*(_time_of(word, lang) for word in words_of))


def _equal(number: Number, stated: Sequence[Told]) -> list[tuple[Number, str, str]]:
    return [(n, text, own) for text, own in stated for n in numbers(text, own) if n.values & number.values]


def _rate(text: str, number: Number, lang: str) -> str:
    """What a number is counted by: "per year"; in Chinese it stands before the number."""
    before, alone = PER.get(lang, ("", {}))
    if not before:
        return ""
    if lang == "zh":
        clause = re.split(r"[。；，\d]", text[max(0, number.start - 12) : number.start])[-1]
    else:
        clause = re.split(r"[.;:!?\d]", text[number.end : number.end + _WINDOW])[0]
    found: list[tuple[int, str]] = []
    for name, pattern in TIME_UNITS[lang].items():
        start, end = ("", "") if lang == "zh" else (r"(?<!\w)", r"\b")
        if match := re.search(rf"{start}{before}{pattern}{end}", clause, re.IGNORECASE):
            found.append((match.start(), name))
    found += [(m.start(), alone[m[0].casefold()]) for m in re.finditer(r"\w+", clause) if m[0].casefold() in alone]
    return min(found)[1] if found else ""


def opposite(claim: str, proof: str, lang: str) -> str:
    """The word of the claim whose opposite stands in its proof instead; "" when there is none."""
    for family in OPPOSITES_WITH_OBJECT.get(lang, ()):
        said, told = ([_found(side, text) for side in family] for text in (claim, proof))
        for mine, theirs, others in zip(said, told, reversed(told), strict=True):
            objects = {_object(proof, m, lang) for m in others} - {""}
            for match in mine:
                if not theirs and _object(claim, match, lang) in objects:
                    return match[0]
    return ""


def _found(pattern: str, text: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE))


def _object(text: str, match: re.Match[str], lang: str) -> str:
    """The word behind: its figure, else its first content word; "" at a clause's end."""
    behind = re.split(r"[.;:!?,]\s", text[match.end() :])[0]
    if figure := re.match(r"\W*(?:the |dem |den |der )?[€$£]?(\d+)", behind):
        return figure[1]
    return next(iter(content(behind, lang)), "")


def opener_says_opposite(opener: str, claim: str, proofs: Sequence[Told], lang: str) -> bool:
    """Whether a "No" stands before what neither denies nor limits anything, or a "Yes" before what only denies."""
    denied = bool(denials(claim, lang))
    if any(denials(text, own) for text, own in proofs):
        return False
    if opener.strip(" .!,，。！、").casefold() in NOES:
        return not denied and not any(re.search(LIMITS, t, re.IGNORECASE) for t in (claim, *_texts(proofs)))
    return denied


def _texts(proofs: Sequence[Told]) -> Iterator[str]:
    return (text for text, _ in proofs)


def has_subject(sentence: str, lang: str) -> bool:
    """Whether a sentence opens with what it is about; "They get ..." and "Up to 5 days ..." go on about another."""
    opening = [word for word in words(sentence)[:2] if word.casefold() not in ARTICLES]
    return bool(opening) and not opening[0][0].isdigit() and not is_function_word(opening[0], lang)
