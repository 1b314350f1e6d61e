"""Whether an answer gives what was asked for: a "when" a time, a "how much" an amount, a "who" a person or team.

Only kinds that a text shows by its form are looked for; a notice, never a verdict on truth. Knows no passages.
Try: python -c "from proof.cover import uncovered; print(uncovered('When is it due?', 'en', ['It is due.']))"
"""

from collections.abc import Sequence

from language.wanted import holds, holds_unit, names_unit, wanted, wanted_unit
from language.words import is_function_word, words
from proof.facts import moments, numbers, plain
from proof.verdict import Problem
from proof.wording import ACTORS

_TOLD = {
    "weekday": "for a day",
    "clock": "for a time of day",
    "money": "for an amount",
    "duration": "for a length of time",
    "date": "for a time",
    "number": "for a number",
    "person": "for a person or team",
}


def uncovered(question: str, lang: str, said: Sequence[str]) -> list[Problem]:
    """A notice `not_addressed` when no sentence of the answer (in language `lang`) holds the kind asked for."""
    unit = wanted_unit(question, lang)
    if unit and said:
        if any(holds_unit(unit, t, or_next=True) or (numbers(t, lang) and not names_unit(t)) for t in said):
            return []  # "28 of them" may be days
        text = f"the question asks for {unit}, and no sentence of the answer gives them"
        return [Problem(code="not_addressed", text=text, severity="notice")]
    kind = wanted(question, lang) or ""
    if kind not in _TOLD or not said or any(_gives(kind, text, lang) for text in said):
        return []
    text = f"the question asks {_TOLD[kind]}, and no sentence of the answer gives it"
    return [Problem(code="not_addressed", text=text, severity="notice")]


def _gives(kind: str, text: str, lang: str) -> bool:
    """By the words of the kind, or by a figure, date or name in any language's form."""
    if holds(kind, text):
        return True
    text = plain(text)
    if kind == "person":  # a name may open its sentence
        actors = ACTORS.get(lang, {})
        return any((w[0].isupper() and not is_function_word(w, lang)) or w.casefold() in actors for w in words(text))
    return bool(moments(text)) or (kind not in ("weekday", "clock", "date") and bool(numbers(text, lang)))
