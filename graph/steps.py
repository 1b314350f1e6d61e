"""From a thing and the relations that a question names to steps: which way each is read, and in which order.

Types decide where they can; else the words' form (owner, owned by), what stands before the thing (on, by, von, de) and
whether it stands before or behind the verb. Knows no tool. Try: pytest tests/test_route.py -k steps
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from facts.relations import Relation
from graph.cues import ARTICLES, BY_SUBJECT, PASSIVE, TO_OBJECT, Table
from graph.intent import ACTIVE, INVERSE, OBJECT, SUBJECT, UNSAID, Asked, Said
from graph.sentence import Span

OUT, IN = "out", "in"
_ACTORS = frozenset({"Person", "Team"})
_RUNS, _OWNS, _OF_OWNERS = frozenset({"Service", "System"}), "owns", ("leads", "reports_to")
_MOST_STEPS, _OTHER_ORDER = 5, 0.25
_IT = {
    "en": ("it", "them", "that", "this"), "de": ("es", "ihn", "sie", "das", "diese", "dieses"), "fr": ("cela", "ça"),
}  # fmt: skip
_AS = ("as", "als", "como", "comme", "their", "his", "her", "ihren", "ihrem", "su")
_SOFT = frozenset({("owns", INVERSE), ("member_of", ACTIVE), ("depends_on", ACTIVE), ("owns", ACTIVE)})
"""Words like "belong to", "work in", "need", "lleva" that also lead to an attribute's value."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps with the words that name them; `likely` is a sum over steps, of 1 where the words tell the direction."""

    steps: tuple[tuple[str, str], ...]
    ends: frozenset[str]
    said: tuple[Said, ...]
    likely: float


def walk(asked: Asked, start: Span, types: Collection[str], said: Sequence[Said], ends: Collection[str]) -> Walk | None:
    """The likeliest steps from a thing of these types by all these relations to something of `ends` (none: any)."""
    near = sorted(said[:_MOST_STEPS], key=lambda one: _distance(one, start))
    found: list[Walk] = []
    for n, order in enumerate(permutations(near)):  # the nearest words first, as they mostly stand
        walks = _walks(asked, start, frozenset(types), order, ())
        found += [replace(one, likely=one.likely - _OTHER_ORDER * (n > 0)) for one in walks]
    fits = [one for one in found if not ends or one.ends & frozenset(ends)]
    asks_who = any(span.first >= 0 for span in asked.cues["who"])
    return max(fits, key=lambda one: one.likely + (0.1 if asks_who and one.ends == {"Person"} else 0.0), default=None)


def _walks(
    asked: Asked,
    known: Span,
    types: frozenset[str],
    left: Sequence[Said],
    done: tuple[Said, ...],
    last: tuple[str, str] = ("", ""),
) -> Iterator[Walk]:
    if not left:
        yield Walk((), types, done, 0.0)
        return
    said, rest = left[0], left[1:]
    if (
        types & _RUNS
        and _OWNS in asked.view.relations.relations
        and any(name in _OF_OWNERS for name, _ in (*said.meanings, *said.lesser))
    ):  # "who leads plan-store?" asks for the lead of its owner
        for tail in _walks(asked, known, _ACTORS, left, done, (_OWNS, IN)):
            yield Walk(((_OWNS, IN), *tail.steps), tail.ends, tail.said, tail.likely - 0.3)
    for (name, form), weight in [*((one, 1.0) for one in said.meanings), *((one, 0.6) for one in said.lesser)]:
        relation = asked.view.relations.relations[name]
        for way in (OUT, IN):
            here, there = (relation.subjects, relation.objects) if way == OUT else (relation.objects, relation.subjects)
            if not (types & (here | {""})) or last == (name, IN if way == OUT else OUT):
                continue  # nobody asks to be led back
            likely = weight * _likely(asked, relation, form, said, known, way, types)
            if likely <= 0:
                continue
            head = _head(asked, said, known, there)
            for tail in _walks(asked, head, there, rest, (*done, said), (name, way)):
                yield Walk(((name, way), *tail.steps), tail.ends, tail.said, likely + tail.likely)


def _distance(one: Said, start: Span) -> int:
    return min(start.first - span.end if span.end <= start.first else span.first - start.end + 1 for span in one.spans)


def _head(asked: Asked, said: Said, known: Span, types: frozenset[str]) -> Span:
    """The noun that stands for what a step leads to: of its type, between the verb and the rest of the sentence."""
    fits = [
        kind.span
        for kind in asked.kinds
        if kind.types & types and kind.span != known and not any(kind.span.meets(span) for span in said.spans)
    ]
    return min(fits, key=lambda span: abs(span.first - said.span.first), default=said.span)


def _likely(
    asked: Asked, relation: Relation, form: str, said: Said, known: Span, way: str, types: frozenset[str]
) -> float:
    """How well a direction fits: 1 where words say so, 0 where they say the opposite."""
    if form == OBJECT and _marker(asked, said.span) in _AS and known.end <= said.span.first:
        return 1.0 if way == IN else 0.0  # "have X as their manager"
    if form in (SUBJECT, OBJECT):  # "owner of X": X is the other end
        return 1.0 if (form == SUBJECT) == (way == IN) else 0.0
    both = (relation.subjects & types) and (relation.objects & types)
    if not both and "" not in types:
        if form == ACTIVE and asked.sentence.lang in ("en", "de", "es", "fr") and not _is_passive(asked, said):
            return 1.0 if (way == IN) == _stands_as_object(asked, form, said, known) else 0.9
        return 1.0
    if form == UNSAID:
        return 0.6
    if _tells_nothing(asked, form, said, known):
        return 0.6
    is_object = _stands_as_object(asked, form, said, known)
    return 1.0 if (way == IN) == is_object else 0.05


def _tells_nothing(asked: Asked, form: str, said: Said, known: Span) -> bool:
    """ "welche Entscheidung hat D-1 ersetzt": who replaced whom?"""
    is_last = known.end <= said.span.first
    return (
        asked.sentence.lang == "de"
        and form in (ACTIVE, INVERSE)
        and is_last
        and not _is_passive(asked, said)
        and _marker(asked, known) not in (*TO_OBJECT["de"], *BY_SUBJECT["de"])
        and not _takes_preposition(said, asked)
    )


def _stands_as_object(asked: Asked, form: str, said: Said, known: Span) -> bool:
    """Whether the thing is the object of the verb, by what stands around it."""
    sentence, verb = asked.sentence, said.span
    before = known.end <= verb.first
    marker = _marker(asked, known)
    passive = _is_passive(asked, said)
    by_it = _in(marker, BY_SUBJECT, asked)
    if form == INVERSE:  # "manages": the one before it is the object of "reports to"
        ends_in_by = len(said.spans) == 1 and said.span.end - said.span.first > 1
        return by_it if passive and not ends_in_by else before and not by_it
    if passive:
        return not by_it
    behind = sentence.words[said.spans[-1].end].lower() if said.spans[-1].end < len(sentence) else ""
    if before and behind in _IT.get(sentence.lang, ()):
        return True  # "…: which service uses it?"
    if sentence.lang == "ja":
        after = sentence.text[sentence.places[known.end - 1][1] :][:2]
        return after.startswith(("に", "を", "へ")) and not after.startswith("には")
    if _in(marker, TO_OBJECT, asked):
        return True
    if len(said.spans) > 1 and said.spans[0].end <= known.first and known.end <= said.spans[-1].first:
        return False  # "under whom does X work"
    last = sentence.words[said.spans[-1].end - 1].lower()
    if sentence.lang != "zh" and last in TO_OBJECT.get(sentence.lang, ()) and known.first == said.spans[-1].end:
        return True
    if sentence.lang in ("de", "es", "fr") and _takes_preposition(said, asked):
        return False  # "wovon hängt X ab": an object would stand behind "von"
    return not before


def _takes_preposition(said: Said, asked: Asked) -> bool:
    return any(
        name in ("depends_on", "reports_to", "contradicts", "has_access") for name, _ in said.meanings
    ) and not any(
        word in asked.sentence.slice(said.span).lower()
        for word in (
            "nutz",
            "verwend",
            "brauch",
            "benöt",
            "us",
            "utili",
            "neces",
            "requi",
            "führ",
            "superv",
            "dirig",
            "encadr",
            "missacht",
            "viol",
            "contred",
            "ignor",
        )
    )


def _marker(asked: Asked, known: Span) -> str:
    """The word before a thing, beyond articles and words for its type."""
    at = known.first - 1
    sentence = asked.sentence
    while at >= 0:
        in_kind = next((kind.span for kind in asked.kinds if kind.span.first <= at < kind.span.end), None)
        if in_kind:
            at = in_kind.first - 1
        elif sentence.words[at].lower() in ARTICLES.get(sentence.lang, ()):
            at -= 1
        else:
            return sentence.words[at].lower()
    return ""


def _in(word: str, table: Table, asked: Asked) -> bool:
    return word in table.get(asked.sentence.lang, ())


def _is_passive(asked: Asked, said: Said) -> bool:
    sentence = asked.sentence
    helpers = PASSIVE.get(sentence.lang, ())
    if sentence.lang == "en":
        verb = sentence.words[said.span.first].lower()
        if not verb.endswith(("ed", "en", "wn", "led")):
            return False
        return any(word.lower() in helpers for word in sentence.words[max(0, said.span.first - 12) : said.span.first])
    if sentence.lang == "de":
        verb = sentence.words[said.span.first].lower()
        return (
            verb.startswith(("ge", "abge", "auf", "er"))
            and any(w.lower() in helpers for w in sentence.words)
            and not verb.endswith("ersetzt")
        ) or (verb == "ersetzt" and any(w.lower() in helpers for w in sentence.words))
    if sentence.lang == "ja":
        end = sentence.places[said.spans[-1].end - 1][1]
        return any(mark in sentence.text[end : end + 4] for mark in ("され", "られ"))
    if sentence.lang == "zh":
        return any(word in helpers for word in sentence.words)
    return any(word.lower() in helpers for word in sentence.words) and sentence.words[said.span.first].lower().endswith(
        ("ado", "ada", "ados", "adas", "ido", "ida", "é", "ée", "és", "ées", "u", "ue")
    )
