"""Whether a claim turns round who does what to whom, which is more than which, or which step comes first.

The words around a shared verb, around "than" and around "before" are held against those of the proof. Must not know
verdicts.
Try: python -c "from proof.turns import turned_about; print(turned_about('Ana pays Ben.', 'Ben pays Ana.', 'en'))"
"""

import re
from collections.abc import Iterator, Sequence

from language.words import forms, is_run, words
from proof.clauses import as_written, clauses, keys, keys_of
from proof.facts import plain
from proof.senses import sides
from proof.turn_tables import BY, LATER, LESS, OF, PRONOUNS, SOONER, STEP, THAN, THEN
from proof.wording import ORDINALS
from proof.words import whole

Symbols = tuple[str, ...]
_LEAST_OF = 0.5  # of a step's keys
_CONTAINED, _MOSTLY = 0.75, 0.6  # of the keys of the shorter, of the longer sentence that both must share
_WINDOW = 2  # keys before and behind a verb


def turned_about(claim: str, proof: str, lang: str) -> str:
    """The two words that change sides between a claim and a sentence, for people; "" when none do."""
    for said in _pieces(claim, lang):
        for told in _pieces(proof, lang):
            whole = len(clauses(said, lang)) == len(clauses(told, lang)) == 1
            found = _compared(said, told, lang) or (_acted(said, told, lang) if whole else None)
            if found:
                one, other = (as_written(key, claim, lang) for key in found)
                return f"“{one}” and “{other}” change sides"
    return ""


def is_compared_the_other_way(said: str, told: str, lang: str) -> bool:
    """Whether both compare the same two things in the other order: "B is slower than A", "A is faster than B"."""
    return bool(_crossing(_around(said, lang, THAN), _around(told, lang, THAN)))


def _pieces(text: str, lang: str) -> list[str]:
    text = plain(text)
    return list(dict.fromkeys([text, *(clause.text for clause in clauses(text, lang))]))


def _compared(said: str, told: str, lang: str) -> tuple[str, str] | None:
    """A comparison told the other way round with a word of the same side ("larger", "larger")."""
    crossing = _crossing(_around(said, lang, THAN), _around(told, lang, THAN))
    if not crossing:
        return None
    mine, theirs = sides(said, lang), sides(told, lang)
    known = [(set(mine[family]), set(theirs[family])) for family in mine.keys() & theirs.keys()]
    turned = any(one.isdisjoint(other) for one, other in known) or _has(LESS, said, lang) != _has(LESS, told, lang)
    alike = known or _around(said, lang, THAN)[0][-1:] == _around(told, lang, THAN)[0][-1:]
    return crossing if alike and not turned else None


def _acted(said: str, told: str, lang: str) -> tuple[str, str] | None:
    """Two words that stand on other sides of a verb that both share, or on the same sides of its active and passive."""
    if _has(THAN, said, lang) or _has(THAN, told, lang):
        return None
    first, second = _symbols(said, lang), _symbols(told, lang)
    shared, shorter, longer = len({*first} & {*second}), *sorted((len({*first}), len({*second})))
    passive = _passive(said, lang), _passive(told, lang)
    same_voice = bool(passive[0]) == bool(passive[1])
    if shared < 3 or shared < (_CONTAINED * shorter if same_voice else _MOSTLY * longer):
        return None
    for pivot in dict.fromkeys(first):
        if pivot[0].isdigit() or first.count(pivot) != 1 or second.count(pivot) != 1:
            continue
        one, other = _close(first, pivot), _close(second, pivot)
        if same_voice:
            found = _crossing(one, other) if _is_of(pivot, said, lang) == _is_of(pivot, told, lang) else None
        else:
            acts = (pivot, *one[1][:1]) in passive or (pivot, *other[1][:1]) in passive
            found = _parallel(one, other) if acts else None
        if found:
            return found
    return None


def _passive(text: str, lang: str) -> tuple[str, str] | None:
    """The verb of a passive and the first word of its agent."""
    found = _pattern(BY, lang).search(text)
    if not found:
        return None
    verb, agent = _symbols(text[: found.end()], lang)[-1:], _symbols(text[found.end() :], lang)[:1]
    return (verb[0], agent[0]) if verb and agent else None


def _is_of(pivot: str, text: str, lang: str) -> bool:
    """Whether the word stands before "of": "is the responsibility of" names its two sides the other way round."""
    before = re.finditer(rf"(\w+) (?:{OF[lang]})\b", text, re.IGNORECASE) if lang in OF else ()
    return any(pivot in forms(found[1], lang) for found in before)


def _crossing(one: tuple[Symbols, Symbols], other: tuple[Symbols, Symbols]) -> tuple[str, str] | None:
    left = [key for key in one[0] if key in other[1] and key not in other[0] and key not in one[1]]
    right = [key for key in one[1] if key in other[0] and key not in other[1] and key not in one[0]]
    return (left[-1], right[0]) if left and right else None


def _parallel(one: tuple[Symbols, Symbols], other: tuple[Symbols, Symbols]) -> tuple[str, str] | None:
    left = [key for key in one[0] if key in other[0]]
    right = [key for key in one[1] if key in other[1]]
    return (left[-1], right[0]) if left and right else None


def _around(text: str, lang: str, table: dict[str, str]) -> tuple[Symbols, Symbols]:
    found = _pattern(table, lang).search(text)
    return (_symbols(text[: found.start()], lang), _symbols(text[found.end() :], lang)) if found else ((), ())


def _close(symbols: Symbols, pivot: str) -> tuple[Symbols, Symbols]:
    at = symbols.index(pivot)
    return symbols[max(0, at - _WINDOW) : at], symbols[at + 1 : at + 1 + _WINDOW]


def _symbols(text: str, lang: str) -> Symbols:
    """The keys of a text in their order, "we" and "us" among them."""
    about, pronouns = keys(text, lang), PRONOUNS.get(lang, {})
    found: list[str] = []
    for word in words(text):
        if is_run(word):
            found += [key for key in forms(word, lang) if key in about]
        elif word.casefold() in pronouns:
            found.append(pronouns[word.casefold()])
        else:
            found += keys_of(word, about, lang)
    return tuple(found)


def step_out_of_order(claim: str, steps: Sequence[tuple[int, str]], lang: str) -> str:
    """What the claim says of the order of numbered `steps` that is not so, for people; "" when there is nothing.

    Each step is its number and its text.
    """
    known = [(number, keys(text, lang)) for number, text in steps]
    for first, second in _orders(claim, lang):
        before, after = _step_of(first, known, lang), _step_of(second, known, lang)
        if before is not None and after is not None and before > after:
            return f"“{' '.join(second.split())}” comes first"
    number = _numbered(claim, lang)
    own = _step_of(claim, known, lang)
    if number and own is not None and own != number and any(number == n for n, _ in known):
        return f"it is step {own}, not {number}"
    return ""


def other_order(claim: str, proof: str, lang: str) -> str:
    """What a claim puts first although its proof, one sentence, puts it second; "" where it does not."""
    for (first, second), (one, other) in _both_orders(claim, proof, lang):
        only_one, only_other = one - other, other - one
        kept = (first & only_one) | (second & only_other)
        if (early := first & only_other) and (late := second & only_one) and len(early | late) > len(kept):
            return " ".join(as_written(key, claim, lang) for key in sorted(early))
    return ""


def same_order(claim: str, proof: str, lang: str) -> bool:
    """Whether "after" in one and "before" in the other put two things in one order: "fill after rinsing"."""
    later = _has(LATER, claim, lang), _has(LATER, proof, lang)
    sooner = _has(SOONER, claim, lang), _has(SOONER, proof, lang)
    if later[0] == later[1] or sooner != later[::-1]:
        return False
    pairs = _both_orders(claim, proof, lang)
    return all(first & one - other and second & other - one for (first, second), (one, other) in pairs)


Pair = tuple[frozenset[str], frozenset[str]]


def _both_orders(claim: str, proof: str, lang: str) -> list[tuple[Pair, Pair]]:
    mine, theirs = (
        [(keys(first, lang), keys(second, lang)) for first, second in _orders(text, lang)] for text in (claim, proof)
    )
    return [(one, other) for one in mine for other in theirs]


def _step_of(text: str, steps: Sequence[tuple[int, frozenset[str]]], lang: str) -> int | None:
    mine = keys(text, lang)
    shared = [(len(mine & own), number) for number, own in steps]
    most = max((n for n, _ in shared), default=0)
    best = [number for n, number in shared if n == most]
    return best[0] if most and len(best) == 1 and most >= _LEAST_OF * min(len(mine), 4) else None


def _orders(claim: str, lang: str) -> Iterator[tuple[str, str]]:
    """Pairs of what the claim says comes first and what comes second."""
    for table, turn in ((SOONER, False), (LATER, True), (THEN, False)):
        found = _pattern(table, lang).search(claim)
        if not found:
            continue
        left, right = claim[: found.start()], claim[found.end() :]
        if not keys(left, lang):  # "Before you sign, ask ..."
            right, _, left = right.partition("，" if lang == "zh" else ",")
        if keys(left, lang) and keys(right, lang):
            yield (right, left) if turn else (left, right)


def _numbered(claim: str, lang: str) -> int:
    """The number of the step that the claim speaks of, 0 for none."""
    found = _pattern(STEP, lang).search(claim)
    if not found:
        return 0
    figure = re.search(r"\d+", found[0])
    if figure:
        return int(figure[0])
    ordinals = ORDINALS.get(lang, {}).items()
    return next((n for word, n in ordinals if re.search(rf"\b{word}", found[0], re.IGNORECASE)), 0)


def _has(table: dict[str, str], text: str, lang: str) -> bool:
    return bool(_pattern(table, lang).search(text))


def _pattern(table: dict[str, str], lang: str) -> re.Pattern[str]:
    return whole(table.get(lang, ""), lang)
