"""Which typed question a question in words asks for: the tool, its arguments, and why.

Words and names decide (frames.py), examples in several languages help (examples.py), a model is asked where both are
unsure (by_model.py). Ordinary search, the tool `text`, wins unless the question is clearly about things and relations
that the view holds. Try: python -m graph ask "who owns plan-store?"
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from graph.examples import Likeness, likeness, nearest
from graph.frames import Frame, frames
from graph.intent import ACTIVE, Asked, Attribute, Said, read, said_values, with_attributes
from graph.sentence import Span
from graph.view import View
from models import Embedder

SURE = 0.5
"""From this score on a typed question is asked."""
_WORD, _WORD_UNNAMED = 0.2, 0.6  # what each word that nothing explains takes off, beside a sure name or none
_CERTAIN = 0.95  # the words alone decide
_NEAR, _NEARER, _FAR = 0.62, 0.12, 0.5  # cosines with examples
_SWAY = 0.3
_MEANT = 0.53  # cosine of words with an attribute's name: the lowest right one was .55, the highest wrong one .50
_MOST_NAMES, _MOST_PHRASES = 100, 6
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
    if not (asked.links or asked.kinds or asked.unknown or asked.relations):
        return Choice("text", reason="It names nothing that the facts hold.", linked=linked)
    asked = with_attributes(asked)
    best = _best(asked, None)
    by: Literal["examples", "words"] = "words"
    if embed and (asked.links or asked.kinds) and not (best and best[0] > _CERTAIN and best[1].links):
        best, by = _compared(asked, best, embed)
    if best is None or best[0] < SURE:
        about = "Too little of it is about things and relations."
        return Choice("text", score=best[0] if best else 0.0, reason=about, by=by, linked=linked)
    score, frame = best
    if frame.missing:
        why = f"No document that you may read says {frame.missing.replace('_', ' ')} of {', '.join(linked)}."
        return Choice("refuse", {"why": why}, frame.as_of, score, why, by, linked)
    return Choice(frame.tool, frame.arguments, frame.as_of, score, frame.about, by, linked)


_Rated = tuple[float, Frame]


def _best(asked: Asked, like: Likeness | None) -> _Rated | None:
    rated = [(rate(asked, one, like), -n, one) for n, one in enumerate(frames(asked))]
    score, _, frame = max(rated, key=lambda one: one[:2], default=(0.0, 0, None))
    return (score, frame) if frame else None


def _compared(
    asked: Asked, before: _Rated | None, embed: Embedder
) -> tuple[_Rated | None, Literal["examples", "words"]]:
    """The best frame with what the embedder tells: how near the examples of each tool are, and attributes by meaning."""
    like = likeness(delexical(asked), asked.sentence.lang, embed)
    by_words = _best(asked, like)
    meant = _attribute_by_meaning(asked, before, embed)
    changed = suggested(asked, like)
    best = _best(asked, like) if meant or changed else by_words
    is_new = best is not None and (by_words is None or by_words[0] < SURE or best[1].tool != by_words[1].tool)
    was_unsure = before is None or before[0] < SURE
    return best, "examples" if is_new or was_unsure else "words"


def suggested(asked: Asked, like: Likeness) -> bool:
    """Adds what the nearest examples ask for, where no word says it; True where that was something."""
    tools = {name: value for name, value in like.tools.items() if name != "text"}
    tool = max(tools, key=lambda name: tools[name])
    if tools[tool] < _NEAR or tools[tool] - like.tools["text"] < _NEARER:
        return False
    place = Span(asked.links[0].span.end, asked.links[0].span.end) if asked.links else Span(0, 0)
    if tool == "chain" or tool in ("count", "check", "list"):
        relation = max(like.relations, key=lambda name: like.relations[name])
        if asked.relations or asked.attributes or not asked.links or like.relations[relation] < _NEAR:
            return False
        if relation in asked.view.relations.relations:
            asked.relations.append(Said((place,), ((relation, ACTIVE),)))
        elif relation in asked.predicates:
            asked.attributes.append(Attribute(place, relation))
        else:
            return False
        return True
    cue = {"path": "relates", "neighbours": "relates"}.get(tool, tool)
    if cue in asked.cues and not asked.cues[cue]:
        asked.cues[cue] = [place]
        return True
    if tool == "contradicted" and not any(name == tool for said in asked.relations for name, _ in said.meanings):
        asked.relations.append(Said((place,), (("contradicts", ACTIVE),)))
        return True
    return False


def _attribute_by_meaning(asked: Asked, before: _Rated | None, embed: Embedder) -> bool:
    """Adds the attribute that words say in another language or another way ("Geschäftsbereich": business unit)."""
    left = asked.left_over(before[1].used if before else [one.span for one in asked.links])
    if not left or asked.attributes:
        return False
    if asked.links:
        things = [thing for one in asked.links for thing in one.things]
        names = sorted({fact.predicate for fact in asked.view.of(things) if fact.object is None})
    else:
        names = [name for name in asked.predicates if name not in asked.view.relations.relations]
    spans = _phrases(asked, left)
    if not names or not spans:
        return False
    texts = [asked.sentence.slice(span) for span in spans]
    cosine, phrase, name = nearest(texts, asked.sentence.lang, names[:_MOST_NAMES], embed)
    if cosine < _MEANT:
        return False
    span = spans[texts.index(phrase)]
    values, places = said_values(asked, name, [span, *(one.span for one in asked.links)])
    asked.attributes.append(Attribute(span, name, values, places))
    return True


def _phrases(asked: Asked, left: list[int]) -> list[Span]:
    """Runs of words that nothing explains, with the small words between them, then each of these words."""
    is_run_of = asked.sentence.lang in ("zh", "ja")
    runs: list[Span] = []
    for at in left:
        gap = at - runs[-1].end if runs else 9
        if runs and gap <= (0 if is_run_of else 1) and at - runs[-1].first < (8 if is_run_of else 4):
            runs[-1] = Span(runs[-1].first, at + 1)
        else:
            runs.append(Span(at, at + 1))
    single = [] if is_run_of else [Span(at, at + 1) for at in left]
    return list(dict.fromkeys([*runs, *single]))[:_MOST_PHRASES]


def rate(asked: Asked, frame: Frame, like: Likeness | None = None) -> float:
    """How well a frame explains the question, from 0 to 1.

    Each word that nothing explains takes something off, less where examples of the same tool are near; nearness itself
    adds or takes up to a third. The numbers were chosen on half of tests/routes.txt, see eval/LOG.md.
    """
    left = len(asked.left_over(frame.used))
    is_named = any(one.sure for one in frame.links)
    price = _WORD if is_named else _WORD_UNNAMED
    score = frame.likely
    if like:
        near = _nearness(frame, like)
        text = like.tools["text"]
        score += max(-_SWAY, min(_SWAY, 0.6 * (near - max(text, _FAR))))
        if near > text:
            price *= 1 - max(0.0, min(0.75, (near - _FAR) / 0.4))
    score -= price * left
    if any(span.end in asked.left_over(frame.used) for span in _heads(asked)):
        score -= 2 * price  # "which language": what is asked for is no thing
    if asked.wants_reason and frame.tool not in _EXPLAIN:
        score -= 0.6
    if asked.is_own:
        score -= 0.3
    if asked.negated:
        score -= 0.5
    if frame.links and not is_named:
        score -= 0.2
    return max(0.0, min(1.0, score))


def _nearness(frame: Frame, like: Likeness) -> float:
    """Of the examples of its tool; of a chain of one step, of those of its relation."""
    steps = frame.arguments.get("steps", ())
    if len(steps) == 1 and steps[0][0] in like.relations:
        return like.relations[steps[0][0]]
    return like.tools.get(frame.tool, like.tools["chain"])


def _heads(asked: Asked) -> list[Span]:
    return [*asked.cues["list"], *asked.cues["what"], *asked.cues["count"]]


def delexical(asked: Asked) -> str:
    """The question with types in the place of names, to be compared with examples."""
    marks = {one.span: sorted(one.types)[-1] or "thing" for one in asked.links}
    if asked.time_span:
        marks[asked.time_span] = "TIME"
    text, at = [], 0
    for span in sorted(marks, key=lambda span: span.first):
        first, last = asked.sentence.places[span.first][0], asked.sentence.places[span.end - 1][1]
        text += [asked.sentence.text[at:first], marks[span]]
        at = last
    return "".join([*text, asked.sentence.text[at:]])
