"""Which typed question a question in words asks for: the tool, its arguments, and why.

Words and names decide (frames.py), examples in several languages help (examples.py), a model is asked where both are
unsure (by_model.py). Ordinary search, the tool `text`, wins unless the question is clearly about things and relations
that the view holds. Try: python -m graph ask "who owns plan-store?"
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from graph.frames import Frame, frames
from graph.intent import Asked, read, with_attributes
from graph.view import View
from models import Embedder

SURE = 0.5
"""From this score on a typed question is asked."""
_WORD = 0.3  # what each word that nothing explains takes off


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked, and why."""

    tool: str  # of tools.TOOLS, or "text", "refuse"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    as_of: str = ""
    score: float = 0.0  # 0 to 1
    reason: str = ""  # for people
    by: Literal["examples", "words", "model"] = "words"
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The question's words for things, and the keys of what they name."""


def choose(question: str, lang: str, view: View, embed: Embedder | None, today: str) -> Choice:
    """The tool and arguments for a question; `text` where ordinary search answers it."""
    asked = read(question, lang, view, today)
    linked = {one.text: tuple(thing.key for thing in one.things) for one in asked.links}
    if not (asked.links or asked.kinds or asked.unknown):
        return Choice("text", reason="It names nothing that the facts hold.", linked=linked)
    asked = with_attributes(asked)
    rated = sorted(
        ((rate(asked, one), -n, one) for n, one in enumerate(frames(asked))), key=lambda one: one[:2], reverse=True
    )
    if not rated or rated[0][0] < SURE:
        return Choice(
            "text",
            score=rated[0][0] if rated else 0.0,
            reason="Too little of it is about things and relations.",
            linked=linked,
        )
    score, _, best = rated[0]
    return Choice(best.tool, best.arguments, best.as_of, score, best.about, "words", linked)


def rate(asked: Asked, frame: Frame) -> float:
    """How well a frame explains the question, from 0 to 1."""
    left = asked.left_over(frame.used)
    score = frame.likely - _WORD * len(left)
    if asked.is_own:
        score -= 0.3
    if asked.negated:
        score -= 0.5
    if frame.links and not any(one.sure for one in frame.links):
        score -= 0.2 if not left else 0.6
    return max(0.0, score)
