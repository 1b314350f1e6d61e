"""The checker on public pairs of source and answer (begin-wow, halueval-qa), and on answers labelled by sentence.

A pair's score is the least support among its claims. The threshold is chosen on one half of the pairs and judged on the
other, both ways round; the halves come from a hash of the pair's id. Knows no planted faults.
Try: python -m eval.proof --data ~/public-data --only begin,halueval
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.measure import auc
from errors import UsageError
from eval import lines
from eval.judged import Text, verdict
from language.sentences import units
from proof.verdict import Claim


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer with its only source, and what a person said of it."""

    id: str
    question: str  # "" where there is none
    source: str
    answer: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """What the checker made of a pair: the least support among its claims, and whether all are `supported`."""

    id: str
    supported: bool
    support: float
    passed: bool
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """A data set's figures; `supported` is the class that F1 is of."""

    set: str
    n: int
    base_rate: float  # share of supported pairs
    auc: float
    balanced: float  # balanced accuracy by the support score, threshold from the other half
    f1: float
    thresholds: tuple[float, float]
    status_balanced: float  # by `status` alone
    status_f1: float


def statement(pair: Pair) -> str:
    """What is put before the checker: the answer alone. Behind its question nearly every fragment is refused."""
    return cited(pair.answer)


def cited(text: str) -> str:
    """`text` with `[1]` at the end of each sentence, before its full stop."""
    pieces, at = [], 0
    for unit in units(text, "en"):
        core = text[unit.start : unit.end].rstrip()
        end = unit.start + len(core)
        stop = re.search(r"[.!?]+$", core)
        place = end - len(stop[0]) if stop else end
        pieces += [text[at:place], " [1]"]
        at = place
    return "".join([*pieces, text[at:]])


def pairs(path: Path, *, with_question: bool) -> list[Pair]:
    """The pairs of a file with `id`, `source`, `answer`, `label` (and `question`) a line.

    Raises UsageError with file and line for a line that is none.
    """
    return lines.read(path, lambda row: _pair(row, with_question), "pair of id, source, answer and label")


def _pair(row: dict[str, Any], with_question: bool) -> Pair:
    question = row.get("question", "") if with_question else ""
    return Pair(row["id"], question, row["source"], row["answer"], row["label"] == "supported")


def scored(found: Sequence[Pair]) -> list[Scored]:
    """The checker's word on each pair."""
    done = []
    for pair in found:
        claims = verdict(statement(pair), [Text(pair.source)], "en").claims
        support = min((claim.support for claim in claims), default=0.0)
        passed = bool(claims) and all(claim.status == "supported" for claim in claims)
        why = "; ".join(claim.reason for claim in claims if claim.reason)
        done.append(
            Scored(pair.id, pair.supported, support, passed, why, f"{statement(pair)}\n      source: {pair.source}")
        )
    return done


def row_of(name: str, found: Sequence[Scored]) -> PairRow:
    """The figures of a data set, threshold from one half and judgement on the other, averaged over both ways."""
    halves = [[s for s in found if _half(s.id) == half] for half in (0, 1)]
    results, thresholds = [], []
    for taught, asked in (halves, halves[::-1]):
        limit = threshold(taught)
        thresholds.append(limit)
        results.append(_both(asked, _at_least(limit)))
    status = _both(found, lambda s: s.passed)
    yes, no = [s.support for s in found if s.supported], [s.support for s in found if not s.supported]
    return PairRow(
        name, len(found), len(yes) / len(found) if found else 0.0, auc(yes, no) if yes and no else 0.5,
        sum(b for b, _ in results) / 2, sum(f for _, f in results) / 2, (thresholds[0], thresholds[1]), *status,
    )  # fmt: skip


def threshold(found: Sequence[Scored]) -> float:
    """The least support that counts as supported, with the best balanced accuracy on these pairs."""
    limits = sorted({s.support for s in found}) or [0.5]
    return max(limits, key=lambda limit: _both(found, _at_least(limit))[0])


def _at_least(limit: float) -> Callable[[Scored], bool]:
    return lambda one: one.support >= limit


def _half(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2


def _both(found: Sequence[Scored], says: Callable[[Scored], bool]) -> tuple[float, float]:
    """Balanced accuracy and F1 of `says`."""
    hit = sum(s.supported and says(s) for s in found)
    wrong = sum(not s.supported and says(s) for s in found)
    yes = sum(s.supported for s in found)
    no = len(found) - yes
    balanced = (hit / yes + (no - wrong) / no) / 2 if yes and no else 0.0
    return balanced, 2 * hit / (hit + wrong + yes) if yes else 0.0


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """Precision and recall per sentence of one class in labelled answers."""

    label: str  # "supported" | "not supported"
    n: int  # sentences that people gave this label
    said: int  # sentences that the checker gave it
    right: int

    @property
    def precision(self) -> float:
        """Share of the checker's that are right."""
        return self.right / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """Share of the people's that the checker found."""
        return self.right / self.n if self.n else 0.0


def labelled(path: Path, data: Path) -> tuple[list[SentenceRow], list[str], int]:
    """The rows, the sentences judged otherwise than labelled, and how many labelled sentences no claim matches.

    An unmatched sentence is one that the checker said nothing of: in neither class. Raises UsageError for a bad line.
    """
    judged = lines.read(path, lambda row: _judged(row, data), "labelled answer")
    outcomes = [(truth, says) for answer in judged for truth, says, _ in answer]
    misses = [miss for answer in judged for _, _, miss in answer if miss]
    rows = []
    for label, value in (("supported", True), ("not supported", False)):
        right = sum(truth is value and says is value for truth, says in outcomes)
        n, said = sum(truth is value for truth, _ in outcomes), sum(says is value for _, says in outcomes)
        rows.append(SentenceRow(label, n, said, right))
    return rows, misses, sum(says is None for _, says in outcomes)


def _judged(row: dict[str, Any], data: Path) -> list[tuple[bool, bool | None, str]]:
    """Of each sentence its label, what the checker says (None: nothing), and the miss in words, "" for none."""
    claims = verdict(row["answer"], [passage_of(p, data) for p in row["passages"]], row["lang"]).claims
    found: list[tuple[bool, bool | None, str]] = []
    for sentence in row["sentences"]:
        mine = _matching(sentence["text"], claims)
        says = all(claim.status == "supported" for claim in mine) if mine else None
        why = "; ".join(claim.reason for claim in mine if claim.reason) or "taken for supported"
        told = f"{row['id']}: {sentence['text']}\n      labelled: {sentence.get('why')}\n      checker: {why}"
        found.append((sentence["supported"], says, told if says not in (None, sentence["supported"]) else ""))
    return found


def passage_of(place: dict[str, Any], data: Path) -> Text:
    """The lines `first_line` to `last_line` of a `document` in `data` or here. Raises UsageError without it."""
    path = data / place["document"]
    if not path.exists():
        path = Path(place["document"])
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"The document {place['document']} is not in {data}.") from error
    first, last = place["first_line"], place["last_line"]
    return Text("\n".join(lines[first - 1 : last]), place.get("above", ""), first)


def _matching(sentence: str, claims: Sequence[Claim]) -> list[Claim]:
    """The claims made from a labelled sentence: those that share most of their words with it."""
    mine = _words(sentence)
    shares = [(len(mine & (own := _words(claim.text))) / max(1, min(len(mine), len(own))), claim) for claim in claims]
    best = max((share for share, _ in shares), default=0.0)
    return [claim for share, claim in shares if share >= max(0.6, best - 0.05)]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", re.sub(r"\[\d+\]", " ", text.lower())))
