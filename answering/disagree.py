"""The block of an answer that says where the documents disagree: each side's words, date and citation.

Knows no rules of what a disagreement is (proof.conflict) and no model.
Try: python -m pytest tests/test_disagree.py
"""

from collections.abc import Callable, Sequence

from language.phrases import say
from proof.markers import OUTPUT
from proof.verdict import Conflict, Side

MOST_CHARS = 300
"""Of a quote shown here; the side itself holds all of it."""


def told(conflicts: Sequence[Conflict], lang: str, label: Callable[[int], str] = "[{}]".format) -> str:
    """The text to stand below an answer, "" where nothing disagrees: a lead-in in `lang`, then a line for each side.

    `label` makes the citation of a passage's number. Sides come in their order, newest first; white space is folded.
    """
    blocks = ["\n".join([say("conflict", lang), *(_line(side, label) for side in c.sides)]) for c in conflicts]
    return "\n\n".join(blocks)


def _line(side: Side, label: Callable[[int], str]) -> str:
    quote = " ".join(side.quote.split())
    if len(quote) > MOST_CHARS:
        quote = _around(quote, " ".join(side.value.split()))
    dated = f"{side.dated}: " if side.dated else ""
    copied = OUTPUT.sub(r"\\\g<0>", quote)  # the document's own "[7]" is no citation of ours
    return f"- {dated}“{copied}” {label(side.n)}"


def _around(quote: str, value: str) -> str:
    """The part of a long quote that holds the value."""
    at = max(quote.find(value), 0)
    start = max(0, min(at - MOST_CHARS // 2, len(quote) - MOST_CHARS))
    end = start + MOST_CHARS
    return f"{'…' if start else ''}{quote[start:end].strip()}{'…' if end < len(quote) else ''}"
