"""A day of a Slack channel -> its messages: who wrote each, what it names and uses, which decision it sets aside.

A document whose front matter says `kind: message` is one message, whatever it looks like, of the author and day that
stand there. Each message is a thing of its own, "PATH#¶7". What it cites of others and its code are not its words. Who
owns what is taken from talk only in the plainest form ("Bedrock owns `docstore` now"), and ranks below every record.
Knows the form of sources/formats/slack.py. Try: pytest tests/test_talk.py
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from chunking.front import front_matter
from facts import MESSAGE, Extraction, Named, Statement, Text
from facts.extractors import cues, spoken
from facts.extractors.markdown import quote_of
from language.detect import language_of
from language.sentences import sentences
from sources.formats.slack import DAY

EXTRACTOR = "talk/1"
_LABEL = re.compile(
    r"(?P<answer>> )?(?P<who>\S.{0,200}?) \(\d\d:\d\d UTC(?:, in answer to a message of [^()]{1,250})?\):(?: |$)"
)
_MOST_NAMES, _MOST_SENTENCES = 20, 200  # of one message; who writes more than that is pasting a file


@dataclass(slots=True)
class _Message:
    named: Named
    author: Named
    before: str  # what stands before each of its lines: "> " for an answer
    lines: list[int] = field(default_factory=list)  # those with words of its own, counted from 1
    texts: list[str] = field(default_factory=list)
    room: int = spoken.MOST_BLOCK

    def takes(self, line: str) -> bool:
        """Whether there is still room for this line, which it then takes."""
        self.room -= len(line) + 1
        return self.room > 0


def extract(text: Text) -> Extraction:
    """What the messages of a day state, or a message in a file of its own; nothing for any other document."""
    if is_message(text):
        messages, day = _sent(text), text.dated
    else:
        found = DAY.fullmatch(text.path.replace("\\", "/"))
        if found is None or text.format not in ("json", "slack"):
            return Extraction()
        messages, day = _messages(text), found["day"]
    known = spoken.people(one.author.shown for one in messages)
    return Extraction(tuple(one for message in messages for one in _statements(text, message, known, day)))


def is_message(text: Text) -> bool:
    """Whether the document is one message."""
    return text.meta.get("kind", "").strip().casefold() == "message"


def _sent(text: Text) -> list[_Message]:
    """The message that the document is, without what it cites and its code; none without an author."""
    meta, front = front_matter(text.lines)
    named = [n for n, line in enumerate(text.lines[:front], 1) if line.startswith("author:")]
    if len(named) != 1 or not meta.get("author", "").strip():
        return []
    ids = tuple(one for one in [meta.get("principal", "").strip()] if one)
    author = Named("Person", (meta["author"].strip(),), ids)
    found = _Message(Named("Message", (), (f"{text.path}#¶1",)), author, "", [*named], [""])
    fence = False
    for number, line in enumerate(text.lines[front:], front + 1):
        if line.lstrip().startswith("```"):
            fence = not fence
        elif not fence and line.strip() and not line.startswith(">"):
            found.lines.append(number)
            found.texts.append(line)
    return [found]


def _messages(text: Text) -> list[_Message]:
    """The day's messages with the lines that are their writers' own words, in the text's order."""
    found: list[_Message] = []
    fence = False
    place = ""
    is_paragraph = True  # the line begins one
    for number, line in enumerate(text.lines, 1):
        here = text.places[number - 1] if number <= len(text.places) else ""
        label = _LABEL.match(line) if is_paragraph and not fence and (not here or here != place) else None
        is_paragraph = not line.strip(" >")
        if label:
            place = here
            identity = f"{text.path}#{here or f'¶{len(found) + 1}'}"
            author = Named("Person", (label["who"],))
            found.append(_Message(Named("Message", (), (identity,)), author, label["answer"] or ""))
            found[-1].lines.append(number)
            found[-1].texts.append(line[label.end() :][: spoken.MOST_BLOCK])
        elif found:
            own = line.removeprefix(found[-1].before) if found[-1].before else line
            if own.lstrip().startswith("```"):
                fence = not fence
            elif not fence and own.strip() and not own.startswith(">") and found[-1].takes(own):
                found[-1].lines.append(number)
                found[-1].texts.append(own)
    return found


def _statements(text: Text, message: _Message, known: Mapping[str, Named], day: str) -> Iterator[Statement]:
    def said(predicate: str, thing: Named, first: int, last: int) -> Statement:
        quote = quote_of(text.lines, first, last)
        return Statement(
            message.named, predicate, thing, first, last, quote, valid_from=day, rank=MESSAGE, extractor=EXTRACTOR
        )

    first = message.lines[0]
    yield said("written_by", message.author, first, first)
    whole = "\n".join(message.texts)
    lang = language_of(whole, text.lang)
    starts = [0]
    for one in message.texts:
        starts.append(starts[-1] + len(one) + 1)
    seen: set[tuple[str, Named]] = set()
    for begin, end in islice(sentences(whole, lang), _MOST_SENTENCES):
        if end - begin > spoken.MOST_CHARS:
            continue
        sentence = whole[begin:end].replace("\n", " ")
        at, to = (message.lines[bisect_right(starts, place) - 1] for place in (begin, end - 1))
        names = spoken.names_in(sentence, lang, known)
        for predicate, thing in _of_sentence(sentence, lang, names):
            if (predicate, thing) not in seen and len(seen) < _MOST_NAMES:
                seen.add((predicate, thing))
                yield said(predicate, thing, at, to)
        for told in spoken.owners(sentence, names, day) if cues.is_plain(sentence, lang) else ():
            owns = replace(said("owns", told.thing, at, to), subject=told.owner)
            yield replace(owns, valid_from=told.since, valid_to=told.until)


def _of_sentence(sentence: str, lang: str, names: Sequence[spoken.Name]) -> Iterator[tuple[str, Named]]:
    """What a sentence says of its message."""
    yield from (("mentions", one.named) for one in names if not one.is_weak)
    yield from (("mentions", one.named) for one in (spoken.bare(sentence, names) if lang == "en" else ()))
    decisions = [one for one in names if one.named.type == "Decision"]
    for n in cues.defied(sentence, _spans(decisions), lang):
        yield "contradicts", decisions[n].named
    things = [one for one in names if not one.named.type and not one.is_weak]
    yield from (("uses", things[n].named) for n in cues.used(sentence, _spans(things), lang))
    for start, end in cues.used_bare(sentence, _spans(things), lang, _spans(one for one in names if one.is_weak)):
        yield "uses", Named("", (sentence[start:end],))


def _spans(names: Iterable[spoken.Name]) -> list[cues.Span]:
    return [(one.start, one.end) for one in names]
