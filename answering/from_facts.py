"""Rows of facts -> the text of an answer, its claims and the passages that prove them.

Each fact is a sentence with its citation. That its words stand in the document, on these lines, is looked up again in
the index while the answer is made; a sentence whose words do not is unproved. Knows no model and no router.
Try: python answer.py "Who owns plan-store?"
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from answering.disagree import told
from answering.fact_words import beside, called, sentence, word
from answering.shapes import RouteRow, Step, Thing, notice
from facts.timeline import first_day
from graph.result import Result, Row, is_undated
from graph.texts import Said
from graph.view import Entity, Fact, View
from proof.markup import literal
from proof.verdict import Claim, Conflict, Evidence, Problem, Side, Verdict, unproved
from retrieval.found import Passage
from storage.facts import EvidenceRow, NameRow
from storage.reader import ChunkRow, Reader

UNDATED = "no document states since when what is marked so holds, and none of that time says it"
MOST_ROWS = 30
"""Rows told in the text; `Route.rows` holds all of them."""
_GONE = "its words do not stand in the document as it is indexed now"
_DATED = ("changes", "contradicted")  # whose rows tell days themselves
_PLAIN = ("card", "neighbours", "conflicts")  # whose rows are named by nothing but their facts
_MOST_EVIDENCE = 3  # of one fact: further documents say the same


@dataclass(slots=True)
class Told:
    """What was made of rows."""

    verdict: Verdict
    passages: list[Passage]
    rows: list[RouteRow]


def told_from(result: Result, view: View, reader: Reader, lang: str) -> Told:
    """The answer to a typed question that found rows. `view` reads from `reader`, both as of one moment."""
    return _Teller(view, reader, lang).tell(result)


@dataclass(slots=True)
class _Proved:
    """A fact with its sentence and where it is proved."""

    fact: Fact
    claim: Claim
    numbers: list[int] = field(default_factory=list)


class _Teller:
    def __init__(self, view: View, reader: Reader, lang: str) -> None:
        self._view, self._reader, self._lang = view, reader, lang
        self._passages: list[Passage] = []
        self._number: dict[tuple[int, int], int] = {}  # of the passage, by document and first chunk
        self._proved: dict[Fact, _Proved] = {}
        self._names: dict[str, Claim] = {}
        self._spoken: dict[Said, Claim] = {}
        self._told = set[Fact]()  # facts that the text has told with their time and status
        self._words: dict[int, EvidenceRow] = {}
        self._as_of = ""

    def tell(self, result: Result) -> Told:
        facts = {fact for row in result.rows for fact in row.facts}
        self._words = self._view.words(facts | {other for fact in facts for other in fact.against})
        self._as_of = "" if result.tool in _DATED else result.as_of
        lines = [self._line(result, row) for row in result.rows[:MOST_ROWS]]
        left = len(result.rows) - MOST_ROWS
        if left > 0:
            lines.append(word("more", self._lang, left))
        rows = [self._told_row(result, row) for row in result.rows]
        if result.arguments.get("without") and result.tool == "list":
            lines.insert(0, word("without", self._lang))
        if result.as_of:
            is_bare = any(row.undated and not row.steps for row in rows)
            lines.insert(0, word("as_of_undated" if is_bare else "as_of", self._lang, result.as_of))
        if result.tool == "check" and result.rows:
            lines.insert(0, f"**{word('yes' if result.rows[0].cells[0] == 'yes' else 'no', self._lang)}.**")
        claims = [*(one.claim for one in self._proved.values()), *self._names.values(), *self._spoken.values()]
        conflicts = self._conflicts([one.fact for one in self._proved.values()])
        problems = [unproved(claim) for claim in claims if claim.status != "supported"]
        for conflict in conflicts:
            values = " | ".join(literal(side.value) for side in conflict.sides)
            problems.append(Problem(code="conflict", severity="error", text=f"the documents disagree: {values}"))
        if any(row.undated for row in rows):
            problems.append(notice("undated", f"asked as of {result.as_of}: {UNDATED}"))
        text = "\n".join(line for line in lines if line)
        if conflicts:
            text = f"{text}\n\n{told(conflicts, self._lang)}"
        return Told(Verdict(text=text, claims=claims, problems=problems, conflicts=conflicts), self._passages, rows)

    def _told_row(self, result: Result, row: Row) -> RouteRow:
        steps, citations = [*map(self._step, row.facts)], self._naming(row)
        undated = any(step.undated for step in steps)
        if self._as_of and not steps and result.tool != "card":  # a card's first row says what a thing is called
            days = [self._passages[n - 1].row.dated for n in citations]
            undated = not any(day and first_day(day) <= f"{self._as_of}~" for day in days)
        return RouteRow(
            cells=[*row.cells], thing=_thing(row.thing), steps=steps, citations=citations, undated=undated,
            said=[one for said in row.said for one in self._say(said).evidence],
        )  # fmt: skip

    def _line(self, result: Result, row: Row) -> str:
        """A row as a line: what it names, then the facts that lead there or the places where it is named."""
        steps = [self._sentence(fact) for fact in row.facts]
        if row.said:
            head = f"- **{literal(row.cells[0])}** {_marks(self._naming(row))}".rstrip()
            said = [f"“{one.text}” {_marks(one.citations)}".rstrip() for one in map(self._say, row.said)]
            return f"{head}: {'; '.join([*said, *steps])}"
        if not steps and row.named:
            return f"- {self._named(result, row)} {_marks(self._naming(row))}"
        if result.tool == "count":
            number = f"{literal(row.cells[0])}: {row.cells[-1]}" if len(row.cells) > 1 else row.cells[0]
            return "\n".join([f"**{number}**", *(f"- {step}" for step in steps)])
        if len(row.facts) == 1 and len(result.rows) == 1:
            return steps[0]
        if result.tool in _PLAIN:
            return f"- {'; '.join(steps)}" if steps else ""
        if result.tool == "changes":
            return f"- **{literal(row.cells[0])}**: {'; '.join(steps)}"
        if result.tool == "check":
            return "\n".join(f"- {step}" for step in steps)
        head = called(row.thing, self._lang) if row.thing and row.thing.name == row.cells[0] else literal(row.cells[0])
        return f"- **{head}**: {'; '.join(steps)}" if steps else f"- **{head}**"

    def _named(self, result: Result, row: Row) -> str:
        """What a row is that says no more than that something is there."""
        if result.tool != "card" or row.thing is None:
            return f"**{': '.join(literal(cell) for cell in row.cells[:2] if cell)}**"
        others = [name for name in (*row.thing.names, *row.thing.ids) if name != row.thing.name]
        told = [literal(row.cells[0])] + ([word("also", self._lang, literal(", ".join(others)))] if others else [])
        return f"**{called(row.thing, self._lang)}** ({', '.join(told)})"

    def _sentence(self, fact: Fact) -> str:
        proved = self._prove(fact)
        told = "" if fact in self._told else beside(fact, self._lang, undated=self._is_undated(fact))
        more = f" ({told})" if told else ""
        self._told.add(fact)
        return f"{proved.claim.text}{more} {_marks(proved.numbers)}".rstrip()

    def _is_undated(self, fact: Fact) -> bool:
        return is_undated(fact, self._words, self._as_of)

    def _naming(self, row: Row) -> list[int]:
        """Numbers of the passages that name the thing of a row, as a claim that it is there."""
        if (row.facts and not row.said) or not row.named:
            return []
        found = [self._evidence(one) for one in row.named[:MOST_ROWS]]  # of a count there may be thousands
        stands = [one for one in found if one]
        numbers = sorted({one.n for one in stands})
        name = row.thing.name if row.thing else row.cells[0]
        self._names[name] = Claim(
            text=literal(name), status="supported" if stands else "unsupported", citations=numbers, evidence=stands,
            support=1.0 if stands else 0.0, reason="" if stands else _GONE,
        )  # fmt: skip
        return numbers

    def _say(self, said: Said) -> Claim:
        """Words of a passage as a claim, which their own lines prove."""
        if said not in self._spoken:
            found = self._evidence(said)
            self._spoken[said] = Claim(
                text=literal(" ".join(said.quote.split())), status="supported" if found else "unsupported",
                citations=[found.n] if found else [], evidence=[found] if found else [],
                support=1.0 if found else 0.0, reason="" if found else _GONE,
            )  # fmt: skip
        return self._spoken[said]

    def _step(self, fact: Fact) -> Step:
        proved = self._prove(fact)
        return Step(
            subject=fact.subject.name, predicate=fact.predicate, object=fact.said, qualifier=fact.qualifier,
            valid_from=fact.valid_from, valid_to=fact.valid_to, until=fact.until, observed_at=fact.observed_at,
            status=fact.status, undated=self._is_undated(fact), citations=proved.numbers,
            evidence=proved.claim.evidence,
        )  # fmt: skip

    def _prove(self, fact: Fact) -> _Proved:
        held = self._proved.get(fact)
        if held is None:
            found = [self._evidence(row) for row in self._said(fact)[:_MOST_EVIDENCE]]
            stands = [one for one in found if one]
            numbers = sorted({one.n for one in stands})
            claim = Claim(
                text=sentence(fact, self._lang), status="supported" if stands else "unsupported", citations=numbers,
                evidence=stands, support=1.0 if stands else 0.0,
                reason="" if stands else _GONE,
            )  # fmt: skip
            held = self._proved[fact] = _Proved(fact, claim, numbers)
        return held

    def _said(self, fact: Fact) -> list[EvidenceRow]:
        """The words behind a fact, as View.evidence orders them; read for all facts together."""
        rows = [self._words[one] for one in fact.evidence if one in self._words]
        return sorted(rows, key=lambda one: (-one.rank, one.path, one.first_line, one.quote, one.id))

    def _evidence(self, row: EvidenceRow | NameRow | Said) -> Evidence | None:
        """Where the words stand in the passage that holds these lines now; None where they do not."""
        chunks = self._reader.lines_of(row.path, row.first_line, row.last_line)
        if not chunks:  # front matter is kept with what was read of it
            held = self._reader.unchunked(row.path, row.first_line, row.last_line, row.quote)
            chunks = [held] if held else []
        passage = _joined(chunks)
        if passage is None:
            return None
        lines = passage.text.split("\n")[row.first_line - passage.first_line : row.last_line - passage.first_line + 1]
        if row.quote not in "\n".join(lines):
            return None
        key = (chunks[0].document_id, passage.first_line)
        n = self._number.get(key)
        if n is None:
            self._passages.append(passage)
            n = self._number[key] = len(self._passages)
        return Evidence(n=n, quote=row.quote, first_line=row.first_line, last_line=row.last_line)

    def _conflicts(self, facts: Iterable[Fact]) -> list[Conflict]:
        """Each disagreement once, with the words of each side."""
        found: dict[frozenset[tuple[str, ...]], Conflict] = {}
        for fact in facts:
            parties = [fact, *fact.against]
            names = frozenset((one.subject.key, one.predicate, one.said, one.qualifier) for one in parties)
            if not fact.against or names in found:
                continue
            sides = [side for one in parties if (side := self._side(one))]
            if len(sides) > 1:
                found[names] = Conflict(sides=sorted(sides, key=lambda side: side.dated, reverse=True))
        return [*found.values()]

    def _side(self, fact: Fact) -> Side | None:
        for row in self._said(fact):
            evidence = self._evidence(row)
            if evidence:
                source = self._passages[evidence.n - 1].row
                return Side(
                    n=evidence.n, value=sentence(fact, self._lang), quote=evidence.quote,
                    first_line=evidence.first_line, last_line=evidence.last_line, dated=source.dated,
                    modified=source.modified,
                )  # fmt: skip
        return None


def _marks(numbers: Iterable[int]) -> str:
    return "".join(f"[{n}]" for n in numbers)


def _thing(thing: Entity | None) -> Thing | None:
    return Thing(key=thing.key, type=thing.type, name=thing.name) if thing else None


def _joined(chunks: Sequence[ChunkRow]) -> Passage | None:
    """The chunks that hold some lines, side by side, as one passage."""
    if not chunks:
        return None
    first = chunks[0]
    return Passage(
        first.path, first.title, first.lang, first.heading, first.first_line, chunks[-1].last_line,
        "\n".join(chunk.text for chunk in chunks), first.skip, first.context, None, 0.0, first, (),
        tuple(place for chunk in chunks for place in chunk.places),
    )  # fmt: skip
