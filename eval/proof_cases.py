"""The checker on small cases written by hand: a passage, a claim that repeats its words, and whether it is proved.

Two thirds are false by one thing only: a unit, a dropped exception, another column, roles exchanged. Half of the cases
are held back: nobody reads or tunes by them. Those of kind `table_...` are about cells of tables, `table_public` about
ones in public documents, left out where `DIR` lacks them. Knows no rules of the checker.
Try: python -m eval.proof --data . --only cases
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval import lines
from eval.judged import Text, verdict
from eval.proof_pairs import passage_of


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with the passages it cites, all of them; `kind` says what a false one has wrong."""

    id: str
    kind: str
    lang: str
    held: bool
    supported: bool
    claim: str
    passages: tuple[Text, ...]

    @property
    def answer(self) -> str:
        """The claim with its citations before its full stop."""
        said = self.claim.rstrip()
        end = said[-1] if said[-1:] in (".", "!", "。") else ""
        marks = "".join(f"[{n}]" for n, _ in enumerate(self.passages, 1))
        return f"{said.removesuffix(end)} {marks}{end}"


@dataclass(frozen=True, slots=True)
class CaseRow:
    """How many cases of a kind the checker judges as labelled: false ones refused, true ones taken for proved."""

    kind: str
    refused: int
    false: int
    proved: int
    true: int


def cases(path: Path, data: Path) -> list[Case]:
    """The cases of a file, one a line, whose documents are in `data`. Raises UsageError with file and line."""
    found = lines.read(path, lambda row: _case(row, data), "case of claim and passages")
    return [case for case in found if case]


def _case(row: dict[str, Any], data: Path) -> Case | None:
    places = row["passages"]
    if not all((data / place["document"]).exists() for place in places if "document" in place):
        return None
    passages = tuple(passage_of(p, data) if "document" in p else Text(p["text"], p["above"]) for p in places)
    return Case(row["id"], row["kind"], row["lang"], row["held"], row["supported"], row["claim"], passages)


def judged(found: Sequence[Case]) -> tuple[list[CaseRow], list[str]]:
    """A row for each kind, one for all of them first, and the open cases judged wrongly, with reasons."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    wrong = []
    for case in found:
        claims = verdict(case.answer, case.passages, case.lang).claims
        passed = bool(claims) and all(claim.status == "supported" for claim in claims)
        for kind in ("all", case.kind):
            counts[kind][2 * case.supported] += passed == case.supported
            counts[kind][2 * case.supported + 1] += 1
        if passed != case.supported and not case.held:
            why = "; ".join(claim.reason for claim in claims if claim.reason) or "taken for proved"
            wrong.append(f"{case.id} ({case.kind}, {case.lang}): {case.answer}\n      {why}")
    return [CaseRow(kind, *counts[kind]) for kind in ("all", *sorted(counts.keys() - {"all"}))], wrong
