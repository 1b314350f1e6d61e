"""Which typed question a question in words asks for: the tool, its arguments, and why.

Words and names decide (frames.py), examples in several languages help (examples.py), a model is asked where both are
unsure (by_model.py). Ordinary search, the tool `text`, wins unless the question is clearly about things and relations
that the view holds. Try: python -m graph ask "who owns plan-store?"
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from graph.frames import Frame, frames
from graph.intent import Asked, read, with_attributes
from graph.view import View
from models import Embedder

SURE = 0.5
"""From this score on a typed question is asked."""
_WORD, _WORD_UNNAMED = 0.2, 0.6  # what each word that nothing explains takes off, beside a sure name or none
_EXPLAIN = ("path", "neighbours", "impact", "changes", "conflicts", "contradicted", "refuse")
"""What "how" may ask for."""
_KANA, _HAN = re.compile("[\u3040-\u30ff]"), re.compile("[\u4e00-\u9fff]")
_LATIN = ("en", "de", "es", "fr")


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
    best: Choice | None = None
    for tongue in _tongues(question, lang):
        made = _read(question, tongue, view, embed, today)
        if best is None or made.score > best.score:
            best = made
        if best.tool != "text":
            break
    return best or Choice("text")


def _tongues(question: str, lang: str) -> list[str]:
    """The language that was told, then those that it may be instead: a short question shows little of its own."""
    if _KANA.search(question):
        return ["ja"]
    if _HAN.search(question):
        return ["zh", "ja"] if lang != "ja" else ["ja", "zh"]
    first = "es" if "¿" in question else lang
    return [first, *(one for one in _LATIN if one != first)]


def _read(question: str, lang: str, view: View, embed: Embedder | None, today: str) -> Choice:
    asked = read(question, lang, view, today)
    linked = {one.text: tuple(thing.key for thing in one.things) for one in asked.links}
    asked = with_attributes(asked) if asked.links or asked.kinds or asked.unknown else asked
    rated = [(rate(asked, one), -n, one) for n, one in enumerate(frames(asked))]
    score, _, best = max(rated, key=lambda one: one[:2], default=(0.0, 0, None))
    if best is None or score < SURE:
        about = "Too little of it is about things and relations." if rated else "It names nothing that the facts hold."
        return Choice("text", score=score, reason=about, linked=linked)
    if best.missing:
        why = f"No document that you may read says {best.missing.replace('_', ' ')} of {', '.join(linked)}."
        return Choice("refuse", {"why": why}, best.as_of, score, why, "words", linked)
    return Choice(best.tool, best.arguments, best.as_of, score, best.about, "words", linked)


def rate(asked: Asked, frame: Frame) -> float:
    """How well a frame explains the question, from 0 to 1."""
    left = asked.left_over(frame.used)
    is_named = any(one.sure for one in frame.links)
    score = frame.likely - (_WORD if is_named else _WORD_UNNAMED) * len(left)
    if any(span.end in left for span in (*asked.cues["list"], *asked.cues["what"], *asked.cues["count"])):
        score -= 0.4  # "which language": what is asked for is no thing
    if asked.wants_reason and frame.tool not in _EXPLAIN:
        score -= 0.6
    if asked.is_own:
        score -= 0.3
    if asked.negated:
        score -= 0.5
    if frame.links and not is_named:
        score -= 0.2
    return max(0.0, score)
