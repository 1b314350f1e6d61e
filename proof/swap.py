"""What an exchanged word means: another duty, side, place, person or name, or words that belong to another sentence.

Must not know markers or verdicts. An exchange that could be a paraphrase ("buy" for "purchase") is none of these.
Try: python verify.py "a question" shows the reasons.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from proof import weekdays
from proof.align import Change, Word, changes, in_place_of, put_in, tokens
from proof.wording import ACTORS, OPPOSED, ORDINALS

_MOST_OPENING = 4  # words of a subject
Others = tuple[AbstractSet[str], AbstractSet[str]]
"""The stems of a sentence, and those of its first words."""


def exchanged(claim: str, proof: str, lang: str, others: Sequence[Others], proved: AbstractSet[str]) -> str:
    """The words of the claim that make another thing of `proof`, with those they stand for; "" when there are none.

    `others` are the stems and first stems of the sentences that stand beside the proof and are no proof themselves,
    `proved` the stems of what other sentences prove of the claim.
    """
    spanned = weekdays.spanned(proof) if weekdays.named(claim) else frozenset()
    for change in changes(claim, proof, lang):
        if spanned & weekdays.named(_text(change.said)).keys():
            continue  # Wednesday for "Monday to Friday"
        for said, told in _contrary(change, lang):
            return f"it says “{said}” where the passage says “{told}”"
        if _of_another(change, others):
            return f"it says “{_text(change.said)}” where the passage says “{_text(change.told)}”"
    for mine, theirs in in_place_of(claim, proof, lang):
        if mine.stem in proved or spanned & weekdays.named(mine.text).keys():
            continue
        if _contradict(mine, theirs, lang) or (mine.name and theirs.name and mine.content and theirs.content):
            return f"it says “{mine.text}” where the passage says “{theirs.text}”"
    if word := put_in(claim, proof, lang):
        return f"“{word}” stands in one of the two only"
    for mine, theirs in _actors_in_place(tokens(claim, lang), tokens(proof, lang), lang):
        return f"it says “{mine.text}” where the passage says “{theirs.text}”"
    return ""


def _actors_in_place(said: Sequence[Word], told: Sequence[Word], lang: str) -> Iterator[tuple[Word, Word]]:
    """People or bodies of different kinds behind the same two words, up to two words between."""
    groups = Counter(_group(w, lang) for w in said), Counter(_group(w, lang) for w in told)
    for mine, before in _actors(said, lang):
        for theirs, other in _actors(told, lang):
            one, two = _group(mine, lang), _group(theirs, lang)
            if before & other and groups[0][one] > groups[1][one] and groups[1][two] > groups[0][two]:
                yield mine, theirs


def _actors(words: Sequence[Word], lang: str) -> Iterator[tuple[Word, set[tuple[str, str]]]]:
    for i, word in enumerate(words):
        if _group(word, lang) is not None:
            yield word, {(words[j - 1].stem, words[j].stem) for j in range(max(1, i - 3), i)}


def _group(word: Word, lang: str) -> int | None:
    groups, text = ACTORS.get(lang, {}), word.text.casefold()
    return groups.get(text, groups.get(text.removesuffix("s")))


def _contrary(change: Change, lang: str) -> Iterator[tuple[str, str]]:
    said, told = change.said, change.told
    for mine in said:
        for theirs in told:
            if _contradict(mine, theirs, lang):
                yield mine.text, theirs.text


def _contradict(mine: Word, theirs: Word, lang: str) -> bool:
    if mine.modal or theirs.modal:
        return bool(mine.modal and theirs.modal and mine.modal != theirs.modal)
    return _opposed(mine, theirs, lang) or _other_actor(mine, theirs, lang)


def _opposed(one: Word, other: Word, lang: str) -> bool:
    pair = frozenset((one.text.casefold(), other.text.casefold()))
    if pair in OPPOSED.get(lang, ()):
        return True
    places = [_ordinal(word, lang) for word in (one, other)]
    return all(places) and places[0] != places[1]


def _ordinal(word: Word, lang: str) -> int:
    text = word.text.casefold()
    known = ORDINALS.get(lang, {})
    if text in known:
        return known[text]
    return next((n for name, n in known.items() if lang != "en" and text.startswith(name) and len(text) < 10), 0)


def _other_actor(one: Word, other: Word, lang: str) -> bool:
    mine, theirs = _group(one, lang), _group(other, lang)
    return mine is not None and theirs is not None and mine != theirs


def _of_another(change: Change, others: Sequence[Others]) -> bool:
    """Whether a name stands in another's place, or all words come from one other sentence of the passages."""
    said, told = [w for w in change.said if w.content], [w for w in change.told if w.content]
    if not said or not told or {w.stem for w in said} & {w.stem for w in told}:
        return False
    if change.opens and len(said) > _MOST_OPENING:
        return False
    names = any(w.name for w in said), any(w.name for w in told)
    sure = all(w.name and (w.text.isupper() or not w.begins) for w in said[:1] + told[:1])
    if all(names) and sure:
        return True
    stems = {w.stem for w in said}
    return any(stems <= (opening if change.opens else every if any(names) else set()) for every, opening in others)


def _text(words: Sequence[Word]) -> str:
    return " ".join(w.text for w in words)
