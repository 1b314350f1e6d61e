"""A claim taken apart once: its terms, figures, dates, names, quotations and denials, and how it is cited.

Must not know verdicts or which sentence proves it.
Try: python -c "from proof.stated import Stated; print(Stated('You get 28 days.', 'en').numbers)"
"""

from collections.abc import Sequence

from language.words import is_function_word, words
from proof import weekdays
from proof.facts import moments, names, numbers, plain, quotes, squash, without_figures
from proof.measures import quantities, quantities_of
from proof.negation import denials
from proof.source import Source
from proof.tables import SCALES
from proof.wording import ANYBODY
from proof.words import content


class Stated:
    """One claim (no markers, in language `lang`); terms are those of `proof.words.content`, in order in `terms`."""

    def __init__(self, text: str, lang: str) -> None:
        self.text, self.lang = plain(text), lang
        self.spoken = without_figures(self.text, lang)
        self.terms = content(self.spoken, lang)
        self.terms_set = frozenset(self.terms)
        self.quotes = [squash(q) for q in quotes(self.text)]
        self.numbers = [n for n in numbers(self.text, lang) if n.text.casefold() != "one"]  # mostly a pronoun
        self.moments = moments(self.text)
        self.days = weekdays.named(self.text)
        self.names = names(weekdays.without(self.text) if self.days else self.text, lang)
        self.name_terms = frozenset(t for name in (*self.names, *self.days.values()) for t in content(name, lang))
        self.denials = denials(self.text, lang)

    @property
    def hard(self) -> bool:
        """Whether it holds a figure, date, name or quotation."""
        return bool(self.quotes or self.numbers or self.moments or self.names)


def settled(claim: Stated, sources: Sequence[Source]) -> Stated:
    """The claim without the quantities that a source states in another unit: two years where it says 24 months.

    "155 thousand" is 155 where a heading or a table's header says that its figures are thousands.
    """
    near = [s for s in sources if not s.foreign]
    text = claim.text
    for number in reversed(claim.numbers):
        bare, _, scale = number.text.partition(" ")
        if SCALES.get(scale.casefold(), 1) in {s for source in near for s in source.scales}:
            at = text.find(number.text, number.start)
            text = text[:at] + bare + text[at + len(number.text) :]
    if text != claim.text:
        claim = Stated(text, claim.lang)
    for number in reversed(claim.numbers):
        unit = next(iter(text[number.end :].split()), "").strip(".,;:!?")
        counted = content(unit, claim.lang)
        known = any(s.terms & {*counted} if counted else s.facts.has_number(number) for s in sources)
        own = () if known else quantities_of(text, number, claim.lang)
        if any(quantity in quantities(s.whole, s.lang) for quantity in own for s in near):
            text = text[: number.start] + text[text.find(unit, number.end) + len(unit) :]
    return claim if text == claim.text else Stated(text, claim.lang)


def anybody(claim: Stated, sources: Sequence[Source]) -> frozenset[str]:
    """Terms of words such as "employees", which say nothing of their own where the page speaks to its reader."""
    if not any(s.addresses for s in sources):
        return frozenset()
    return frozenset(t for word in ANYBODY.get(claim.lang, ()) for t in content(word, claim.lang))


def two_languages(claim: Stated, sources: Sequence[Source]) -> bool:
    """Whether words cannot be compared. Many common words speak against what the detection says of a short passage."""
    if not all(s.foreign for s in sources):
        return False
    own = claim.terms_set - claim.name_terms
    every = frozenset[str]().union(*(s.terms for s in sources))
    return len(own & every) * 3 <= len(own)


def subject(claim: Stated) -> str:
    """The word a claim opens with, mostly what it is about; a passage without it speaks of another.

    "According to the handbook, interns get ..." opens behind its comma.
    """
    lead, comma, rest = claim.spoken.partition(", ")
    opening = rest if comma and len(words(lead)) <= 4 else claim.spoken
    first = next(iter(words(opening)), "")
    if not claim.numbers and is_function_word(first, claim.lang):
        return ""  # "You can hand it in ...": the first content word is a verb, and verbs are paraphrased
    return next(iter(content(opening, claim.lang)), "")


def cited(sources: Sequence[Source]) -> str:
    """“the cited passage [1]”, for reasons."""
    return ("the cited passage " if len(sources) == 1 else "the cited passages ") + "".join(s.label for s in sources)
