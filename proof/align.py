"""A claim laid over the sentence that proves it, word by word: which words stand in the place of which others.

Must not know passages or verdicts; what a difference means stands in proof.swap.
Try: python -c "from proof.align import changes; print(changes('Staff must ask Ben.', 'Staff may ask Ben.', 'en'))"
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from language.words import forms, is_function_word
from proof.facts import plain
from proof.tables import CURRENCIES, MONTHS
from proof.wording import HINGES, MODALS

_TOKEN = re.compile(r"[#@]?\w+(?:['’.\-&+/]\w+)*")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*[^()]*\)")
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^<>]*>")
_CONTRACTIONS = [
    (re.compile(short, re.IGNORECASE), long)
    for short, long in (
        (r"\bcannot\b|\bcan't\b", "can not"), (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"'ll\b", " will"),
        (r"'ve\b", " have"), (r"'re\b", " are"), (r"\b(it|that|there|he|she|what|here)'s\b", r"\1 is"),
        (r"\b(?:do|does|did) not\b(?! (?:have|need) to)", "not"),
    )
]  # fmt: skip
_ENDS = ("", *'.!?:;|"“„«(\n')
_MOST_WORDS = 8  # of one change; more is another sentence
_LEAST_ALIKE = 0.5  # of the shorter side's words


@dataclass(frozen=True)
class Word:
    """A word as written, its stem, its modal class ("must", "should", "may", "") and whether it carries meaning."""

    text: str
    stem: str
    modal: str
    content: bool
    begins: bool = False  # its sentence, where a capital says nothing

    @property
    def name(self) -> bool:
        """Whether it is written like a name or an identifier; figures, months and currencies are compared as such."""
        folded = self.text.casefold()
        if folded in MONTHS or folded in CURRENCIES or not any(c.isalpha() for c in folded):
            return False
        capital = self.text[0].isupper() and not (self.begins and self.text[1:].islower())
        return self.text[0] in "#@" or capital or any(c.isdigit() for c in self.text)


@dataclass(frozen=True)
class Change:
    """Words said by the claim where its proof has others. `opens`: no word with a meaning stands before."""

    said: tuple[Word, ...]
    told: tuple[Word, ...]
    opens: bool


_EDGE = Word("", "\0edge", "", False)


def spoken(text: str) -> str:
    """Markdown as it is read: links by their words, without template and HTML tags."""
    return _TAG.sub(" ", _LINK.sub(r"\1", text))


@lru_cache(maxsize=1024)
def tokens(text: str, lang: str) -> tuple[Word, ...]:
    """The words of a text; "have to" and its like are one word."""
    text = expanded(plain(spoken(text)))
    modals = MODALS.get(lang)
    found: list[Word] = []
    at = 0
    for match in modals.finditer(text) if modals else ():
        found += [_word(m, lang) for m in _TOKEN.finditer(text, at, match.start())]
        kind = match.lastgroup or ""
        found.append(Word(match[0], f"\0{kind}", kind, False))
        at = match.end()
    return (*found, *(_word(m, lang) for m in _TOKEN.finditer(text, at)))


def changes(claim: str, proof: str, lang: str) -> list[Change]:
    """Where the two differ although what stands around is the same; empty where they have too little in common."""
    said, told = tokens(claim, lang), tokens(proof, lang)
    matcher = SequenceMatcher(None, [w.stem for w in said], [w.stem for w in told], autojunk=False)
    codes = matcher.get_opcodes()
    alike = sum(i2 - i1 for tag, i1, i2, _, _ in codes if tag == "equal")
    if alike < _LEAST_ALIKE * min(len(said), len(told)) or alike < 2:
        return []
    found = []
    for place, (tag, i1, i2, j1, j2) in enumerate(codes):
        before, after = codes[place - 1] if place else None, codes[place + 1] if place + 1 < len(codes) else None
        opens = not any(w.content for w in (*said[:i1], *told[:j1]))
        anchored = (after is not None and after[2] - after[1] > 1) or (after is None and before is not None)
        if tag == "replace" and anchored and i2 - i1 <= _MOST_WORDS and j2 - j1 <= _MOST_WORDS:
            found.append(Change(said[i1:i2], told[j1:j2], opens))
    return found


def in_place_of(claim: str, proof: str, lang: str) -> list[tuple[Word, Word]]:
    """Pairs of a word of the claim and one of the proof that stand between the same neighbours, wherever that is.

    Two words before or two words behind are the same; clauses may have changed places. What both have is left out.
    """
    said, told = tokens(claim, lang), tokens(proof, lang)
    counts = Counter(w.stem for w in said), Counter(w.stem for w in told)
    found = [*_modals(said, told)]
    before: dict[tuple[str, str], list[Word]] = {}
    behind: dict[tuple[str, str], list[Word]] = {}
    for i, word in enumerate(told):
        before.setdefault(_stems(told, i - 2), []).append(word)
        behind.setdefault(_stems(told, i + 1), []).append(word)
    for i, word in enumerate(said):
        others = [*before.get(_stems(said, i - 2), ()), *behind.get(_stems(said, i + 1), ())]
        found += [
            (word, other)
            for other in others
            if counts[0][word.stem] > counts[1][word.stem] and counts[1][other.stem] > counts[0][other.stem]
        ]
    return found


def put_in(claim: str, proof: str, lang: str) -> str:
    """A word such as "only" or "not" that one of the two has between neighbours that touch in the other; else ""."""
    said, told = ((_EDGE, *tokens(text, lang), _EDGE) for text in (claim, proof))
    for one, other in ((said, told), (told, said)):
        touching = {(a.stem, b.stem) for a, b in pairwise(other)}
        hinges = HINGES.get(lang, frozenset()) - {w.text.casefold() for w in other}
        for a, word, b in zip(one, one[1:], one[2:], strict=False):
            if word.text.casefold() in hinges and (a.stem, b.stem) in touching:
                return word.text
    return ""


def _modals(said: tuple[Word, ...], told: tuple[Word, ...]) -> Iterator[tuple[Word, Word]]:
    """Modal words before the same verb."""
    verbs: dict[str, list[Word]] = {}
    for word, verb in _with_verbs(told):
        verbs.setdefault(verb, []).append(word)
    for word, verb in _with_verbs(said):
        others = verbs.get(verb, [])
        if all(other.modal != word.modal for other in others):
            yield from ((word, other) for other in others)


def _with_verbs(words: tuple[Word, ...]) -> Iterator[tuple[Word, str]]:
    for i, word in enumerate(words):
        verb = next((w.stem for w in words[i + 1 : i + 4] if w.content), "") if word.modal else ""
        if verb:
            yield word, verb


def expanded(text: str) -> str:
    """Contracted words in full: "don't" as "do not"."""
    for short, long in _CONTRACTIONS:
        text = short.sub(long, text)
    return text


def _stems(words: tuple[Word, ...], start: int) -> tuple[str, str]:
    pair = [w.stem for w in words[start : start + 2]] if start >= 0 else []
    return (pair[0], pair[1]) if len(pair) == 2 else (f"\0{start}", "")


def _word(match: re.Match[str], lang: str) -> Word:
    text = match[0]
    every = forms(text, lang)
    stem = every[0] if every else text.casefold()
    begins = match.string[: match.start()].rstrip(" *_")[-1:] in _ENDS
    return Word(text, stem, "", not is_function_word(text, lang), begins)
