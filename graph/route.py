"""Which typed question a question in words asks for: the tool, its arguments, and why.

Words and names decide (frames.py), examples in several languages help (examples.py), a model is asked where both are
unsure (by_model.py). Ordinary search, the tool `text`, wins unless the question is clearly about things and relations
that the view holds. Try: python -m graph ask "who owns plan-store?"
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from access.egress import is_inside
from errors import ModelError
from facts.normal import key
from graph.attributes import NAMING, said_values, with_attributes
from graph.by_model import THINGS, Closed, by_model
from graph.examples import Likeness, likeness, nearest
from graph.frame import Frame
from graph.frames import frames
from graph.intent import ACTIVE, UNSAID, Asked, Attribute, Said, read
from graph.linking import is_written_as_name
from graph.phrases import noun, silent
from graph.sentence import Span
from graph.steps import IN, OUT
from graph.tools import TOOLS
from graph.view import View
from models import ChatModel, Embedder

_UNSURE = (0.3, 0.65)
"""Between these scores a model is asked, if there is one."""
SURE = 0.5
"""From this score on a typed question is asked."""
_WORD, _WORD_UNNAMED = 0.2, 0.6  # what each word that nothing explains takes off, beside a sure name or none
_UNASKED = 0.5
_DENIED = 0.6  # what a word that denies takes off a reading that does not
_SURE_REFUSAL = 0.75
_SURE_ELSEWHERE = 0.9  # of a reading in another language than was told: nearly each word has to fit
_SHORT = 14  # tokens
_CERTAIN = 0.95  # the words alone decide
_NEAR, _NEARER, _FAR = 0.62, 0.12, 0.5  # cosines with examples
_SWAY = 0.3
_MEANT = 0.53  # cosine of words with an attribute's name: the lowest right one was .55, the highest wrong one .50
_MEANT_BESIDE = 0.42  # the same beside one of its values
_MOST_NAMES, _MOST_PHRASES, _MOST_TRIED = 100, 6, 5
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
    unknown: str = ""  # the name that nothing readable bears, where that is why it is refused
    said: tuple[str, ...] = ()  # the relations and attributes that it asks for
    words: tuple[str, ...] = ()  # those that say something besides names and types
    doubt: "Asked | None" = field(default=None, compare=False, repr=False)  # what a model may settle

    @property
    def is_certain(self) -> bool:
        """Whether the words leave no doubt of what is asked: finding nothing, one may say that nothing says it."""
        return self.by == "words" and self.score >= _SURE_REFUSAL


def choose(question: str, lang: str, view: View, embed: Embedder | None, today: str) -> Choice:
    """The tool and arguments for a question; `text` where ordinary search answers it.

    Where words and examples are unsure it has a `doubt`, for `settled`. Raises ModelError when the embedder is away.
    """
    best: tuple[Asked, _Rated | None] | None = None
    for tongue in _tongues(question, lang):
        asked = read(question, tongue, view, today)
        if asked.links or asked.kinds or asked.unknown or asked.relations or asked.cues["conflicts"]:
            asked = with_attributes(asked)
            made = _best(asked, None)
            if best and made and made[0] < _SURE_ELSEWHERE:
                continue
            if best is None or (made and made[0] > (best[1][0] if best[1] else 0.0)):
                best = asked, made
            if made and made[0] >= SURE:
                break
        if len(asked.sentence) > _SHORT:
            break  # a long question's language is known
    if best is None:
        return Choice("text", reason="It names nothing that the facts hold.")
    choice = _chosen(*best, embed)
    if _UNSURE[0] <= choice.score < _UNSURE[1] and (best[0].links or best[0].kinds):
        return replace(choice, doubt=best[0])
    return choice


def settled(choice: Choice, question: str, chat: ChatModel) -> Choice:
    """The choice, its doubt settled by a model if that can; reads nothing, so no transaction need be open meanwhile."""
    if choice.doubt:
        with contextlib.suppress(ModelError):
            return _by_model(question, choice.doubt, chat, choice) or choice
    return choice


def _by_model(question: str, asked: Asked, chat: ChatModel, before: Choice) -> Choice | None:
    """The model's choice with keys in the place of words; None where it is none."""
    text = key(question)
    attributes = [one.predicate for one in asked.attributes if key(one.predicate) in text]  # nothing else of documents
    relations = (*asked.view.relations.relations, *dict.fromkeys(attributes))
    closed = Closed(tuple({one.text: 0 for one in asked.links}), relations, tuple(asked.view.relations.types))
    made = by_model(question, chat, closed)
    if made is None:
        return None
    tool, arguments = made
    if tool == "text":
        return replace(before, tool="text", arguments={}, by="model", reason="The model sees no question to the facts.")
    steps = arguments.get("steps") or [[arguments.get("predicate", ""), OUT]]
    for name, value in arguments.items():
        if name == "start":
            arguments[name] = [one for word in value for one in _keys(asked, word, steps[0])]
        elif name in THINGS:
            arguments[name] = _keys(asked, value, steps[0] if name == "subject" else None)[0]
    if arguments.get("predicate") in asked.view.relations.relations and arguments.get("object") in closed.things:
        arguments["object"] = _keys(asked, arguments["object"], [arguments["predicate"], IN])[0]
    for condition in (*arguments.get("where", ()), *arguments.get("without", ())):
        if condition[2] in closed.things:
            condition[2] = _keys(asked, condition[2], None)[0]
    as_of = asked.time.as_of if asked.time and tool not in ("changes", "contradicted") else ""
    return Choice(tool, arguments, as_of, before.score, f"The model chose {tool}.", "model", before.linked)


def _keys(asked: Asked, word: str, step: Sequence[str] | None) -> list[str]:
    """The keys of what a word of the question names; of several those that may stand at this end of a relation."""
    found = next(one for one in asked.links if one.text == word)
    relation = asked.view.relations.relations.get(step[0]) if step else None
    if relation and step:
        found = found.of(relation.subjects if step[1] == OUT else relation.objects) or found
    return [one.key for one in found.things]


def _tongues(question: str, lang: str) -> list[str]:
    """The language that was told, then those that it may be instead: a short question shows little of its own."""
    if _KANA.search(question):
        return ["ja"]
    if _HAN.search(question):
        return ["zh", "ja"] if lang != "ja" else ["ja", "zh"]
    first = "es" if "¿" in question else lang
    return [first, *(one for one in _LATIN if one != first)]


def _chosen(asked: Asked, best: "_Rated | None", embed: Embedder | None) -> Choice:
    linked = {one.text: tuple(thing.key for thing in one.things) for one in asked.links}
    by: Literal["examples", "words"] = "words"
    if embed and (asked.links or asked.kinds) and not (best and best[0] > _CERTAIN and best[1].links):
        best, by = _compared(asked, best, embed)
    score, frame = best or (0.0, None)
    if frame is None or score < (_SURE_REFUSAL if frame.missing or frame.tool == "refuse" else SURE):
        return Choice(
            "text", score=score, reason="Too little of it is about things and relations.", by=by, linked=linked
        )
    words = asked.words_besides([*(one.span for one in asked.links), *(one.span for one in asked.kinds)])
    if frame.missing and (by == "examples" or frame.is_guess):
        return Choice(
            "text", score=score, reason=f"No fact tells the {noun(frame.missing)} of it.", by=by, linked=linked
        )
    if frame.missing:
        why = silent(frame.missing, ", ".join(linked))
        return Choice("refuse", {"why": why}, frame.as_of, score, why, by, linked, said=(frame.missing,), words=words)
    if frame.tool != "refuse" and frame.tool not in TOOLS:
        return Choice("text", score=score, reason=f"There is no tool for {frame.about}.", by=by, linked=linked)
    said = tuple(one[0] for name in ("steps", "where", "without") for one in frame.arguments.get(name, ()))
    return Choice(
        frame.tool, frame.arguments, frame.as_of, score, frame.about, by, linked, frame.unknown, said, words
    )  # fmt: skip


_Rated = tuple[float, Frame]


def _best(asked: Asked, like: Likeness | None) -> _Rated | None:
    rated = [(rate(asked, one, like), -n, one) for n, one in enumerate(frames(asked))]
    score, _, frame = max(rated, key=lambda one: one[:2], default=(0.0, 0, None))
    return (score, frame) if frame else None


def _compared(
    asked: Asked, before: _Rated | None, embed: Embedder
) -> tuple[_Rated | None, Literal["examples", "words"]]:
    """The best frame with what the embedder tells: nearness to examples, and attributes by meaning."""
    like = likeness(delexical(asked), asked.sentence.lang, embed, asked.view.rows.phrases)
    by_words = _best(asked, like)
    meant = _attribute_by_meaning(asked, before, embed)
    changed = suggested(asked, like)
    best = _best(asked, like) if meant or changed else by_words
    is_new = best is not None and (by_words is None or by_words[0] < SURE or best[1].tool != by_words[1].tool)
    was_unsure = before is None or before[0] < SURE
    return best, "examples" if is_new or was_unsure else "words"


def suggested(asked: Asked, like: Likeness) -> bool:
    """Adds what the nearest examples ask for, where no word says it; True where that was something."""
    if asked.relations:
        return False
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
            asked.relations.append(Said((place,), ((relation, UNSAID),)))
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
    if embed.url and not is_inside(embed.url, ()):
        return False  # names of attributes stand in documents, which may be restricted
    left = asked.left_over(before[1].used if before else [one.span for one in asked.links])
    unnamed = [one for one in asked.attributes if one.span in one.value_spans]
    if not left or (asked.attributes and not unnamed):
        return False
    if unnamed:
        names = [one.predicate for one in unnamed]
    elif asked.links:
        things = [thing for one in asked.links for thing in one.things]
        names = sorted({fact.predicate for fact in asked.view.of(things) if fact.object is None} - NAMING)
    else:
        names = [name for name in asked.predicates if name not in asked.view.relations.relations and name not in NAMING]
    spans = _phrases(asked, left)
    if not names or not spans:
        return False
    texts = [asked.sentence.slice(span) for span in spans]
    found = nearest(texts, asked.sentence.lang, names[:_MOST_NAMES], embed)
    for cosine, phrase, name in found[:_MOST_TRIED]:
        if cosine < (_MEANT_BESIDE if unnamed else _MEANT):
            return False
        if asked.links or unnamed or _has_kind(asked, name):
            span = spans[texts.index(phrase)]
            taken = [span, *(one.span for one in asked.links), *(one.span for one in unnamed)]
            values, places = ((), (span,)) if unnamed else said_values(asked, name, taken)
            asked.attributes = [one for one in asked.attributes if one not in unnamed or one.predicate != name]
            held = next((one for one in unnamed if one.predicate == name), None)
            if held:
                values, places = held.values, held.value_spans
            asked.attributes.append(Attribute(span, name, values, places))
            return True
    return False


def _has_kind(asked: Asked, name: str) -> bool:
    """Whether a thing of a type that the question speaks of has this attribute."""
    kinds = {kind for one in asked.kinds for kind in one.types}
    return any(fact.subject.type in kinds for fact in asked.view.by(name))


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
    adds or takes up to a third. The numbers were chosen on tests/routes/open.txt.
    """
    left = asked.amount(asked.left_over(frame.used))
    is_named = any(one.sure for one in frame.links) or _has_value(asked, frame)
    price = _WORD if is_named else _WORD_UNNAMED
    score = frame.likely
    if like and frame.tool != "refuse":
        near = _nearness(frame, like)
        text = like.tools["text"]
        score += max(-_SWAY, min(_SWAY, 0.6 * (near - max(text, _FAR))))
        if near > text and frame.tool != "card" and not frame.is_implied:
            price *= 1 - max(0.0, min(0.75, (near - _FAR) / 0.4))
    score -= price * left
    if left and (frame.tool == "card" or frame.is_implied):
        score -= _UNASKED  # "who is the deputy of Ann": what is left is what is asked for
    if asked.heads & {*asked.left_over(frame.used)}:
        score -= 2 * (_WORD if is_named else _WORD_UNNAMED)  # "which language": what is asked for is no thing
    if any(not any(one.span.meets(span) for span in frame.used) for one in asked.qualifiers):
        score -= _DENIED  # "in staging" narrows what is asked
    if asked.wants_reason and frame.tool not in _EXPLAIN:
        score -= 0.6
    if asked.is_own:
        score -= 0.3 if left or not is_named else 0.1
    if asked.negated and not frame.denies:
        score -= _DENIED
    if frame.links and not is_named:
        score -= 0.2
    return max(0.0, min(1.0, score))


def _has_value(asked: Asked, frame: Frame) -> bool:
    """Whether a condition of it has a value that is written as a name in the question."""
    held = {condition[2] for name in ("where", "without") for condition in frame.arguments.get(name, ())}
    return any(
        value in held and is_written_as_name(asked.sentence, span)
        for one in asked.attributes
        for value, span in zip(one.values, one.value_spans, strict=True)
    )


def _nearness(frame: Frame, like: Likeness) -> float:
    """Of the examples of its tool; of a chain of one step, of those of its relation."""
    steps = frame.arguments.get("steps", ())
    if len(steps) == 1 and steps[0][0] in like.relations:
        return like.relations[steps[0][0]]
    return like.tools.get(frame.tool, like.tools["chain"])


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
