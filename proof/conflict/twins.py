"""Two sentences that are alike but for one thing: another figure, name or duty, or a denial.

Whoever copied a page and changed one figure made such a pair. The sentences are laid beside each other word by word;
what differs must be a value of one kind (`value`), a duty or denial, an opposite, or the name that was asked for.
Where anything else differs they speak of two things. Must not know passages' places, headings or scopes.
Try: python -m pytest tests/test_conflict.py -k twins
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache

from language.words import fold, is_function_word, is_run, stem
from proof import negation
from proof.conflict import values
from proof.conflict.stance_tables import STANCES
from proof.conflict.subject import terms
from proof.conflict.twin_tables import ADVISED, ANSWERS_WHO, OPPOSITE
from proof.conflict.value import WORDY, Value, agree, comparable, same
from proof.facts import without_figures
from proof.tables import ARTICLES, PER, TIME_UNITS

_WORD = re.compile(r"[^\W_]+(?:['’.@/+-][^\W_]+)*")
_ALIKE = 0.72  # of the characters of both sentences' terms that must be shared, values apart
_LEAST_TERMS = 2
_SHORT, _WORDS_FOR_ONE = 6, 6  # a longer sentence may hold a word that the other lacks, one for so many
_MANY = 10**6
_SHOWN = 60  # characters of a sentence that only lacks a denial
_VALUE, _DUTY = "\0", "\1"
_DENIES = ("permission no", "duty no", "not")
_FORBIDS = {"permission no", "not"}  # "do not use" is "may not use"
_TWO = re.compile(rf"(?:^|.*\W)(?:{ANSWERS_WHO})$", re.IGNORECASE)
_WHEN = re.compile(
    r"(?<!\w)(?:after|for|with|over|under|above|below|from|in|at|if|every|nach|bei|ab|für|mit|über|unter|après|pour|tras|"
    r"para|con|level|step|grade|stufe)(?: \w+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Token:
    """One word, value or word of duty, with the key by which it is laid beside another."""

    key: str
    start: int
    end: int
    value: Value | None = None
    duty: str = ""


class Line:
    """A sentence or row in the form in which it is laid beside another."""

    def __init__(self, text: str, lang: str) -> None:
        self.text, self.lang = text, lang

    @cached_property
    def every(self) -> frozenset[str]:
        """All terms of the text."""
        return terms(self.text, self.lang)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Of the text without its values."""
        letters = [*self.text]
        for value in (v for v in self.values if v.kind.startswith(WORDY)):
            letters[value.start : value.end] = " " * (value.end - value.start)
        return terms(without_figures("".join(letters), self.lang), self.lang)

    @cached_property
    def names(self) -> frozenset[str]:
        """Terms of the words with a capital behind the first word."""
        return terms(" ".join(m[0] for m in [*_WORD.finditer(self.text)][1:] if m[0][0].isupper()), self.lang)

    @cached_property
    def values(self) -> list[Value]:
        return values.values(self.text, self.lang)

    @cached_property
    def tokens(self) -> list[Token]:
        """Values first, then words of duty and denial, then the other words but function words; in their order."""
        found = [Token(f"{_VALUE}{v.kind.split()[0]}", v.start, v.end, v) for v in self.values]
        covered = [(t.start, t.end) for t in found]
        for duty, start, end in _duties(self.text, self.lang):
            if not any(a < end and start < b for a, b in covered):
                found.append(Token(_DUTY, start, end, duty=duty))
                covered.append((start, end))
        for match in _WORD.finditer(self.text):
            if any(a < match.end() and match.start() < b for a, b in covered):
                continue
            if is_run(match[0]):
                found += [Token(char, at, at + 1) for at, char in enumerate(match[0], match.start())]
            elif not is_function_word(match[0], self.lang) and not _is_filler(match[0], self.lang):
                found.append(Token(stem(match[0], self.lang), match.start(), match.end()))
        return sorted(found, key=lambda t: t.start)

    @cached_property
    def keys(self) -> list[str]:
        """By which the tokens are laid beside others."""
        return [token.key for token in self.tokens]

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """All that is written, folded: two equal ones say the same."""
        return tuple(fold(m[0]) for m in _WORD.finditer(self.text))


def alike(one: Line, other: Line, is_named: bool = False) -> bool:
    """Whether two lines share enough terms to be laid beside each other; cheap. `is_named`: names may differ."""
    mine, theirs = one.every, other.every
    if 2 * len(mine & theirs) < min(len(mine), len(theirs)):
        return False
    mine, theirs = one.terms, other.terms
    if min(len(mine), len(theirs)) < _LEAST_TERMS:
        return False
    if is_named:
        mine, theirs = mine - (one.names - theirs), theirs - (other.names - mine)
    shared = mine & theirs
    return len(shared) >= _LEAST_TERMS and sum(map(len, shared)) >= _ALIKE * sum(map(len, mine | theirs))


def compare(one: Line, other: Line, named: str = "") -> list[tuple[Value, Value]]:
    """What two sentences say differently, as pairs of values; nothing where they are no twins, or say the same.

    `named` is "name" where another name or place is another answer, "person" where another role is one, too.
    """
    found, rest = _reordered(one, other) or _laid_beside(one, other, named) or ([], _MANY)
    if rest > max(1, len(one.tokens) // _WORDS_FOR_ONE) or (found and rest and len(one.tokens) < _SHORT):
        return []
    found += _opposites(one, other) if not found and not rest else []
    return found if _is_one_change(one, found) else []


_Compared = tuple[list[tuple[Value, Value]], int]
"""What two sentences say differently, and how many words only one of them holds."""


def _laid_beside(one: Line, other: Line, named: str) -> _Compared | None:
    """None where something is named in another's place."""
    a, b = one.tokens, other.tokens
    found: list[tuple[Value, Value]] = []
    rest = 0
    blocks = SequenceMatcher(None, one.keys, other.keys, autojunk=False).get_opcodes()
    for tag, a0, a1, b0, b1 in blocks:
        if tag == "equal":
            found += _other_values(one, a[a0:a1], other, b[b0:b1])
            continue
        pair = _turned(one, a[a0:a1], other, b[b0:b1]) or (named and _renamed(one, a[a0:a1], other, b[b0:b1], named))
        if pair:
            found.append(pair)
        elif any(t.value for t in (*a[a0:a1], *b[b0:b1])) or (_words(a[a0:a1]) and _words(b[b0:b1])):
            return None
        else:
            rest += len(_words([*a[a0:a1], *b[b0:b1]]))
    return found, rest


def _reordered(one: Line, other: Line) -> _Compared | None:
    """The same words in another order, as where a clause was put first; what is not a word keeps its order."""
    mine, theirs = Counter(one.keys), Counter(other.keys)
    if any(key[0] in (_VALUE, _DUTY) for key in (mine - theirs) + (theirs - mine)):
        return None
    a, b = ([t for t in line.tokens if t.value or t.duty] for line in (one, other))
    if [t.key for t in a] != [t.key for t in b]:
        return None
    rest = sum(((mine - theirs) + (theirs - mine)).values())
    if mine - theirs and theirs - mine:
        return None
    found = [*_other_values(one, a, other, b)]
    return (found if len(found) < 2 or one.keys == other.keys else [], rest)  # several may have changed places


def _other_values(one: Line, a: Sequence[Token], other: Line, b: Sequence[Token]) -> Iterator[tuple[Value, Value]]:
    for mine, theirs in zip(a, b, strict=True):
        if mine.duty and mine.duty != theirs.duty and not {mine.duty, theirs.duty} <= _FORBIDS:
            yield _duty(one, mine), _duty(other, theirs)
        elif mine.value and theirs.value and _differ(mine.value, theirs.value):
            yield mine.value, theirs.value


def _differ(one: Value, other: Value) -> bool:
    if comparable(one, other):
        if not agree(one, other) or (one.unit == other.unit and one.limit == other.limit and not same(one, other)):
            return True
        one_bound = {one.limit, other.limit} == {"min", "max"} or (
            one.rate != other.rate and "" not in (one.rate, other.rate)
        )
        return one_bound and one.low == other.low
    return one.kind != other.kind and one.low == other.low and one.kind.split()[0] == "money"  # 500 EUR, 500 USD


def _duty(line: Line, token: Token) -> Value:
    return Value(
        "stance duty", token.start, token.end, line.text[token.start : token.end], words=frozenset({token.duty})
    )


def _turned(one: Line, a: Sequence[Token], other: Line, b: Sequence[Token]) -> tuple[Value, Value] | None:
    """A denial that only one of the two holds, or another duty in another place of the sentence."""
    mine, theirs = [t for t in a if t.duty], [t for t in b if t.duty]
    if len(mine) + len(theirs) != 1:
        return None
    token = (mine or theirs)[0]
    line, silent = (one, other) if mine else (other, one)
    rest = {t.key for t in (*a, *b) if t is not token}
    if token.duty not in _DENIES or rest - {
        stem(w, line.lang) for w in _WORD.findall(line.text[token.start : token.end])
    }:
        return None
    shown = silent.text[:_SHOWN]
    said, unsaid = _duty(line, token), Value("stance duty", 0, len(shown), shown, words=frozenset({"yes"}))
    return (said, unsaid) if mine else (unsaid, said)


def _renamed(one: Line, a: Sequence[Token], other: Line, b: Sequence[Token], named: str) -> tuple[Value, Value] | None:
    """Another person, team or place where one is named."""
    if not a or not b or len(a) > 3 or len(b) > 3 or any(t.value or t.duty for t in (*a, *b)):
        return None
    spans = [(tokens[0].start, tokens[-1].end) for tokens in (a, b)]
    for line, (start, _) in zip((one, other), spans, strict=True):
        before = line.text[:start].rstrip()
        if line.text[start].isupper() and start:
            continue
        opens = not before or before.casefold() in ARTICLES or before.endswith(":")
        if named != "person" or not (opens or _TWO.match(before.rstrip(","))):
            return None
    mine, theirs = (
        Value("name twin", start, end, line.text[start:end], words=frozenset({fold(line.text[start:end])}))
        for line, (start, end) in zip((one, other), spans, strict=True)
    )
    return (mine, theirs) if not agree(mine, theirs) else None


def _words(tokens: Sequence[Token]) -> list[Token]:
    return [t for t in tokens if not t.value and not t.duty]


def _opposites(one: Line, other: Line) -> list[tuple[Value, Value]]:
    """Two lines whose words are the same but for a pair of opposites."""
    for first, second in _opposite(one.lang):
        for x, y in ((first, second), (second, first)):
            mine, theirs = x.search(one.text), y.search(other.text)
            if mine and theirs and not y.search(one.text) and not x.search(other.text):
                left = [
                    one.text[: mine.start()] + one.text[mine.end() :],
                    other.text[: theirs.start()] + other.text[theirs.end() :],
                ]
                if [fold(w) for w in _WORD.findall(left[0])] == [fold(w) for w in _WORD.findall(left[1])]:
                    return [(_opposed(mine, "one"), _opposed(theirs, "other"))]
    return []


def _opposed(match: re.Match[str], side: str) -> Value:
    return Value("stance opposite", match.start(), match.end(), match[0], words=frozenset({side}))


def _is_one_change(one: Line, found: Sequence[tuple[Value, Value]]) -> bool:
    """Several figures may be changed, but not one that tells when the other holds, and a name alone."""
    if len(found) < 2:
        return bool(found)
    if len({v.kind.split()[0] for v, _ in found}) > 1 or len(found) > 3:
        return False
    return not any(v.is_condition or _WHEN.search(one.text[: v.start].rstrip()) for v, _ in found)


@cache
def _opposite(lang: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    edge = ("", "") if lang in ("zh", "ja") else (r"(?<!\w)(?:", r")(?!\w)")
    return [
        (re.compile(f"{edge[0]}{x}{edge[1]}", re.IGNORECASE), re.compile(f"{edge[0]}{y}{edge[1]}", re.IGNORECASE))
        for x, y in OPPOSITE.get(lang, ())
    ]


@lru_cache(maxsize=2048)
def _is_filler(word: str, lang: str) -> bool:
    """Whether a word tells nothing of the matter: employees, company; but a month is no year."""
    return not terms(word, lang) and not _is_of_time(lang).search(word)


@cache
def _is_of_time(lang: str) -> re.Pattern[str]:
    per = PER.get(lang, ("", {}))[1]
    return re.compile("|".join((*TIME_UNITS.get(lang, {}).values(), *per, r"\d")), re.IGNORECASE)


def _duties(text: str, lang: str) -> Iterator[tuple[str, int, int]]:
    """Words that forbid, oblige, advise, allow or deny, the longest where several begin at one place."""
    at = 0
    for match in _duty_words(lang).finditer(text) if lang in STANCES["duty"]["yes"] else ():
        if match.start() >= at:
            yield str(match.lastgroup).replace("_", " ").strip(), match.start(), match.end()
            at = match.end()


@cache
def _duty_words(lang: str) -> re.Pattern[str]:
    parts = [
        ("permission_no", STANCES["permission"]["no"][lang]), ("duty_no", STANCES["duty"]["no"][lang]),
        ("duty_yes", STANCES["duty"]["yes"][lang]), ("advised", ADVISED.get(lang, "(?!)")),
        ("permission_yes", STANCES["permission"]["yes"][lang]), ("not", negation.words_of(lang)),
    ]  # fmt: skip
    edge = ("", "") if lang in ("zh", "ja") else (r"(?<!\w)(?:", r")(?!\w)")
    every = "|".join(f"(?P<{name}>{edge[0]}{words}{edge[1]})" for name, words in parts)
    return re.compile(every, re.IGNORECASE)
