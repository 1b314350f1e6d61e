"""The block of an answer that says where the documents disagree: each side's words, date and citation.

Which is the newest is said only where every document states its date: a copy makes any file the newest.

Knows no rules of what a disagreement is (proof.conflict.find) and no model.
Try: python -m pytest tests/test_disagree.py
"""

from collections.abc import Callable, Sequence

from language.phrases import say
from models.orders import addresses_assistant
from proof.conflict.find import conflicts as disagreements
from proof.conflict.foreign import Meaning
from proof.markup import literal
from proof.verdict import Conflict, Problem, Side, Verdict
from retrieval.found import Passage

MOST_CHARS = 300
"""Of a quote shown here; the side itself holds all of it."""


def with_conflicts(
    verdict: Verdict,
    question: str,
    lang: str,
    found: Sequence[Passage],
    numbered: Sequence[Passage],
    meaning: Meaning | None = None,
) -> tuple[Verdict, list[Passage]]:
    """The verdict with what the passages `found` disagree on, told below its text, and the passages it numbers now.

    `numbered` are those that the text cites already; a passage that only a conflict cites follows them.
    `meaning` compares passages in two languages. Raises what it raises.
    """
    passages = [*numbered]
    conflicts = []
    for conflict in disagreements(question, lang, found, meaning):
        if any(addresses_assistant(side.quote) for side in conflict.sides):
            continue
        for side in conflict.sides:
            if not any(p is found[side.n - 1] for p in passages):
                passages.append(found[side.n - 1])
            side.modified = found[side.n - 1].modified
            side.n = next(n for n, p in enumerate(passages, 1) if p is found[side.n - 1])
        conflicts.append(conflict)
    if not conflicts:
        return verdict, passages
    values = [" | ".join(literal(side.value) for side in conflict.sides) for conflict in conflicts]
    problems = [Problem(code="conflict", severity="error", text=f"the documents disagree: {v}") for v in values]
    text = f"{verdict.text}\n\n{told(conflicts, lang)}"
    update = {"text": text, "problems": [*verdict.problems, *problems], "conflicts": conflicts}
    return verdict.model_copy(update=update), passages


def told(conflicts: Sequence[Conflict], lang: str, label: Callable[[int], str] = "[{}]".format) -> str:
    """The text to stand below an answer, "" where nothing disagrees: a lead-in in `lang`, then a line for each side.

    `label` makes the citation of a passage's number. Sides come in their order; white space is folded.
    """
    return "\n\n".join(_block(conflict, lang, label) for conflict in conflicts)


def _block(conflict: Conflict, lang: str, label: Callable[[int], str]) -> str:
    lead_in = say("conflict" if conflict.is_dated else "conflict_undated", lang)
    return "\n".join([lead_in, *(_line(side, lang, label) for side in conflict.sides)])


def _line(side: Side, lang: str, label: Callable[[int], str]) -> str:
    quote = " ".join(side.quote.split())
    if len(quote) > MOST_CHARS:
        quote = _around(quote, " ".join(side.value.split()))
    changed = f"{say('changed', lang).format(date=side.modified[:10])}: " if side.modified else ""
    dated = f"{side.dated}: " if side.dated else changed
    return f"- {dated}“{literal(quote)}” {label(side.n)}"


def _around(quote: str, value: str) -> str:
    """The part of a long quote that holds the value."""
    at = max(quote.find(value), 0)
    start = max(0, min(at - MOST_CHARS // 2, len(quote) - MOST_CHARS))
    end = start + MOST_CHARS
    return f"{'…' if start else ''}{quote[start:end].strip()}{'…' if end < len(quote) else ''}"
