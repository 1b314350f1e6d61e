"""Answers by quotation: the few units of the passages that say what was asked, word for word.

Similarity of meaning, the question's rarer words and the wanted kind of answer choose together. Writes nothing of
its own but one frame sentence. Knows no files and no HTTP. Try: BRAIN_BACKEND=embedded python answer.py "..."
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from chunking.units import Unit, units
from language.phrases import say
from language.wanted import holds, holds_unit, wanted, wanted_unit
from language.words import content_words, forms, names, terms
from models.orders import addresses_assistant
from proof.markup import literal
from proof.verdict import Claim, Evidence, Verdict
from retrieval.found import Passage

MOST_UNITS = 3
MOST_CHARS = 500
# Chosen on the open cases of data/qa.jsonl (November 2026): the quotes hold what they must for 82 % with 2.2 units.
_WORDS, _KIND, _PASSAGE = 0.1, 0.3, 2.0
_ENDS = (".", "!", "…", "。", "！")
# Shares of the best unit's score that a further one needs: with its passage's, without it, and that of another passage.
_NEAR, _NEAR_ALONE, _NEAR_ELSEWHERE = 0.8, 0.65, 0.75


@dataclass(frozen=True, slots=True)
class Quoted:
    """A unit that was chosen, with the passage it stands in."""

    passage: Passage
    unit: Unit

    @property
    def text(self) -> str:
        """What is said: the unit's text; code below its lead-in; a bare item without lead-in under its heading."""
        if self.unit.kind == "code" and self.unit.lead and self.unit.text.startswith(self.unit.lead):
            return f"{self.unit.lead}\n{self.unit.text.removeprefix(self.unit.lead).strip()}"
        bare = self.unit.kind == "item" and not self.unit.lead and not self.unit.text.endswith(_ENDS)
        return f"{self.passage.heading[-1]}: {self.unit.text}" if bare else self.unit.text

    @property
    def lead(self) -> str:
        """The lead-in that a list item's text begins with, "" for anything else."""
        return self.unit.lead if self.unit.kind == "item" and self.unit.text.startswith(self.unit.lead) else ""

    @property
    def number(self) -> str:
        """The item's own number with its mark ("3."), "" where it has none."""
        before = self.passage.text.partition(self.unit.quote)[0].rpartition("\n")[2]
        found = re.fullmatch(r"\s*(\d{1,3}[.)])\s+", before)
        return found[1] if found and self.unit.kind == "item" else ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: Passage
    unit: Unit
    words: float  # share of the question's content words it holds
    kind: float  # 1.0 when it gives what is asked for; in another unit than that asked for a half
    alone: float  # score of the unit itself
    score: float  # with its passage's
    follows: bool = False  # the best unit's text goes on in it


Cosines = Callable[[Sequence[str]], Sequence[float]]
"""The question's cosine with each of some units' texts."""


def choose(question: str, lang: str, passages: Sequence[Passage], cosines: Cosines) -> list[Quoted]:
    """The units to quote, best first: at most MOST_UNITS, together at most MOST_CHARS unless one alone is longer."""
    kind = wanted(question, lang)
    ranked = sorted(_candidates(question, lang, passages, cosines), key=lambda c: -c.score)
    giving = [c for c in ranked if c.kind == 1.0 and c.words >= ranked[0].words]
    if giving and ranked[0].kind < 1.0:  # it gives the kind asked for, and shares as many words
        first = max(giving, key=lambda c: c.words)
        ranked = [first, *(c for c in ranked if c is not first)]
    if ranked and kind == "steps" and ranked[0].unit.kind == "item":
        return _list_of(ranked[0], ranked)
    if ranked and kind in ("steps", "yes_no") and ranked[0].unit.kind == "sentence":
        ranked = [ranked[0], *_following(ranked[0], ranked), *ranked[1:]]
    chosen = _rows_of(ranked[0], ranked) if ranked and ranked[0].unit.kind == "row" else ranked[:1]
    room = MOST_CHARS - sum(len(c.unit.text) for c in chosen)
    for candidate in ranked[: 4 * MOST_UNITS]:
        if len(chosen) >= MOST_UNITS or room <= 0:
            break
        if len(candidate.unit.text) <= room and _adds(candidate, chosen):
            chosen.append(candidate)
            room -= len(candidate.unit.text)
    return _in_order([Quoted(c.passage, c.unit) for c in chosen])


def _rows_of(best: _Candidate, ranked: Sequence[_Candidate]) -> list[_Candidate]:
    """The best row, and those of its table that fit about as well: one city's, or all where the question names none."""
    rows = [c for c in ranked if c.passage is best.passage and (c.unit.kind, c.unit.lead) == ("row", best.unit.lead)]
    fitting = [row for row in rows if row.words >= best.words and row.alone >= _NEAR * best.alone]
    told = [*{row.unit.text: row for row in reversed(fitting)}.values()][::-1]  # best first, each text once
    reach = sum(total <= MOST_CHARS for total in accumulate(len(row.unit.text) for row in told))
    return sorted(told[: max(reach, 1)], key=lambda row: row.unit.position)


def _list_of(best: _Candidate, ranked: Sequence[_Candidate]) -> list[Quoted]:
    """The list that the best item is of, as one unit: from its first item on, or from the best if that lies too far."""
    items = sorted((c.unit for c in ranked if c.passage is best.passage), key=lambda unit: unit.position)
    items = [unit for unit in items if (unit.kind, unit.lead) == ("item", best.unit.lead)]
    lengths = [len(unit.text.removeprefix(unit.lead)) for unit in items]
    at = items.index(best.unit)
    start = 0 if sum(lengths[: at + 1]) <= MOST_CHARS else at
    reach = sum(total <= MOST_CHARS for total in accumulate(lengths[start:]))
    return [Quoted(best.passage, unit) for unit in items[start : start + max(reach, 1)]]


def _in_order(chosen: Sequence[Quoted]) -> list[Quoted]:
    """Items under one lead-in stand together, as their list has them, where the best of them stood."""
    groups: dict[tuple[int, str], list[Quoted]] = {}
    for quoted in chosen:
        groups.setdefault((id(quoted.passage if quoted.lead else quoted), quoted.lead), []).append(quoted)
    return [quoted for group in groups.values() for quoted in sorted(group, key=lambda q: q.unit.position)]


def _following(best: _Candidate, ranked: Sequence[_Candidate]) -> list[_Candidate]:
    # The next step, the condition or the exception stands in the next sentence.
    after = [
        c
        for c in ranked
        if c.passage is best.passage
        and c.unit.kind == best.unit.kind
        and 0 < c.unit.position - best.unit.position < MOST_UNITS
    ]
    return [replace(c, follows=True) for c in sorted(after, key=lambda c: c.unit.position)]


def _adds(candidate: _Candidate, chosen: Sequence[_Candidate]) -> bool:
    best, text = chosen[0], candidate.unit.text
    if any(text in other.unit.text or other.unit.text in text for other in chosen):
        return False
    if candidate.follows:
        return True
    alone = _NEAR_ALONE if candidate.passage is best.passage else _NEAR_ELSEWHERE
    if candidate.alone < alone * best.alone or candidate.score < _NEAR * best.score:
        return False
    # Another row of a table answers another question, unless it is told apart by nothing that was asked.
    rows = [
        c
        for c in chosen
        if c.unit.kind == "row" == candidate.unit.kind and c.passage.source == candidate.passage.source
    ]
    return all(candidate.words >= row.words for row in rows)


def verdict(chosen: Sequence[Quoted], numbers: Sequence[int], lang: str) -> Verdict:
    """The answer: a frame sentence in the question's language, then the units with their citations.

    Every claim is supported by construction: its evidence is the unit's own bytes in its passage.
    """
    lines = [say("quote", lang)]
    claims = []
    leads = [(id(quoted.passage), quoted.lead) for quoted in chosen]
    told = (0, "")
    last_rows = {_table(quoted): quoted for quoted in chosen if quoted.unit.kind == "row"}
    for quoted, n, lead in zip(chosen, numbers, leads, strict=True):
        text, indent = quoted.text, ""
        if quoted.lead and leads.count(lead) > 1:  # said once, above its items
            if lead != told:
                lines.append(f"- {literal(quoted.lead)}{_left_out(quoted, leads.count(lead))}")
            text, indent = text.removeprefix(quoted.lead).lstrip(" –"), "  "
        told = lead
        numbered = quoted.number if indent or not quoted.lead else ""
        bullet = f"{numbered or '-'} " if len(chosen) > 1 else ""
        first, *more = literal(text).split("\n")  # code keeps its lines
        lines += [f"{indent}{bullet}{first} [{n}]", *(f"    {line}" for line in more)]
        if quoted is last_rows.get(_table(quoted)) and _has_further_rows(quoted, chosen):
            lines.append(f"    {say('rows', lang)}")
        evidence = _evidence(quoted, n)
        claims.append(
            Claim(
                text=literal(quoted.text), status="supported", citations=[n], evidence=evidence, support=1.0, reason=""
            )
        )
    return Verdict(text="\n".join(lines), claims=claims, problems=[])


def _table(quoted: Quoted) -> tuple[int, str]:
    """Which table a row is of: its passage and its header."""
    return id(quoted.passage), quoted.unit.lead


def _left_out(quoted: Quoted, shown: int) -> str:
    """How many of a list's items are shown, where not all are: " (3/5)"."""
    of_list = _siblings(quoted)
    return f" ({shown}/{of_list})" if shown < of_list else ""


def _has_further_rows(quoted: Quoted, chosen: Sequence[Quoted]) -> bool:
    """Whether the row's table has rows that are not quoted; before a passage that begins inside a table there are."""
    shown = sum(q.unit.kind == "row" and _table(q) == _table(quoted) for q in chosen)
    return shown < _siblings(quoted) or "|" in quoted.passage.context


def _siblings(quoted: Quoted) -> int:
    """How many items the list has that `quoted` is of, or rows its table, in its passage."""
    passage, unit = quoted.passage, quoted.unit
    found = units(passage.text, passage.first_line, passage.context, passage.lang)
    return sum((other.kind, other.lead) == (unit.kind, unit.lead) for other in found)


def on_subject(question: str, lang: str, chosen: Sequence[Quoted]) -> list[str]:
    """The texts of those that share a word with the question, all where none does or words of two languages meet.

    A time in a sentence on something else is no answer to "when".
    """
    asked = _asked(question, lang)
    shared = [q.text for q in chosen if q.passage.lang != lang or _share(asked, q.passage, q.unit)]
    return shared or [q.text for q in chosen]


def _asked(question: str, lang: str) -> list[frozenset[str]]:
    return [frozenset(forms(word, lang)) for word in content_words(question, lang)]


def _share(asked: Sequence[frozenset[str]], passage: Passage, unit: Unit) -> float:
    """Share of the words that stand in the unit or its heading, which says of what a row or an item speaks."""
    said = content_words(f"{unit.text} {passage.heading[-1]}", passage.lang)
    held = {form for word in said for form in forms(word, passage.lang)}
    return sum(bool(word & held) for word in asked) / max(len(asked), 1)


def _evidence(quoted: Quoted, n: int) -> list[Evidence]:
    """The unit's own bytes and, where its text has them, those of its lead-in, header row or heading."""
    unit, passage = quoted.unit, quoted.passage
    found = [Evidence(n=n, quote=unit.quote, first_line=unit.first_line, last_line=unit.last_line)]
    above = unit.lead or (passage.heading[-1] if quoted.text != unit.text else "")
    tries = (_find(part, passage.text.partition(unit.quote)[0]) for part in (above, re.split(r"[:–] ", above)[-1]))
    match = next(filter(None, tries), None)
    if match:
        start, end = match.span()
        if unit.kind == "row":  # whole lines: a row without its marks reads as cut off
            start = passage.text.rfind("\n", 0, start) + 1
            start += len(passage.text[start:end]) - len(passage.text[start:end].lstrip())
            end = passage.text.find("\n", end)
        quote = passage.text[start:end].rstrip()
        first = passage.first_line + passage.text.count("\n", 0, start)
        last = first + quote.count("\n")
        found.append(Evidence(n=n, quote=quote, first_line=first, last_line=last, above=True))
    return found


def _find(plain: str, text: str) -> re.Match[str] | None:
    """Where the words of `plain` stand in a Markdown text, marks and a line's end between them allowed."""
    between = r"[^\w\n]{0,12}\n?[^\w\n]{0,12}"
    pattern = between.join(map(re.escape, re.findall(r"\w+", plain)))
    return re.search(pattern, text) if pattern else None


def _is_title(unit: Unit) -> bool:
    # A line of a plain text file such as "PRINTERS": no sentence, and nothing that could be an answer.
    return unit.kind == "sentence" and not unit.text.endswith(_ENDS) and not re.search(r"\d|\w\W+\w+\W+\w", unit.text)


def _given(kind: str | None, unit: str | None, text: str) -> float:
    """How well a text gives the wanted kind: where a unit is asked for, an amount in another one by half."""
    if unit and holds_unit(unit, text):
        return 1.0
    return holds(kind, text) * (0.5 if unit else 1.0)


def _candidates(question: str, lang: str, passages: Sequence[Passage], cosines: Cosines) -> Iterator[_Candidate]:
    found = [
        (passage, unit)
        for passage in passages
        for unit in units(passage.text, passage.first_line, passage.context, passage.lang)
        if not unit.is_question and not _is_title(unit) and (unit.kind == "code" or not addresses_assistant(unit.quote))
    ]
    # TV-500 is not told by the row of TV-250: an identifier that is asked for must stand in a row that answers.
    identifiers = [forms(name, lang)[0] for name in names(question, lang) if any(c.isdigit() for c in name)]
    found = [(p, u) for p, u in found if u.kind != "row" or set(identifiers) <= set(terms(u.text, p.lang))]
    asked, kind, asked_unit = _asked(question, lang), wanted(question, lang), wanted_unit(question, lang)
    similar = cosines([unit.text for _, unit in found])
    for (passage, unit), cosine in zip(found, similar, strict=True):
        share = _share(asked, passage, unit)
        given = _given(kind, asked_unit, unit.text)
        alone = cosine + _WORDS * share + _KIND * given
        yield _Candidate(passage, unit, share, given, alone, alone + _PASSAGE * passage.fused)
