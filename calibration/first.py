"""Measures a limit from start to end: makes the questions, asks them, chooses, stores. After a first sync unasked.

Try: python store.py --sync --docs ~/handbook, then python store.py --status --docs ~/handbook
"""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from access import Caller
from calibration.choose import (
    LEAST_CASES,
    best_coverage_limit,
    best_score_limit,
    by_group,
    by_people,
    group_limits,
    interval,
    price_of,
    scores,
    steady_score_limit,
)
from calibration.decide import learned
from calibration.measure import Measured, Measures, measure, sorted_measures
from calibration.questions import Question, in_turn, off_topic, self_made, written
from errors import BrainError, ModelError, StoreBusy, UsageError
from retrieval.gate import MIN_COVERAGE, Calibration
from search import Index
from storage.report import Progress

TOO_FEW = (
    "never measured: the documents hold too few sentences to make questions from. Measure it with questions of yours: "
    "python -m eval.calibrate --cases FILE"
)
"""Why small folders have no limit of their own."""
FIRST_LEAST = 30
"""Questions of each kind that a first measurement asks whatever the time: ten gave limits .05 apart."""
FIRST_OFF_TOPIC = 30
FIRST_SECONDS = 12.0
"""For the questions of a first measurement: with loading and choosing it stays under 20 s on 2 busy cores."""
FIRST_AUC = 0.75
"""Self-made questions are told apart at .98 and better; much less means documents that say the same many times over."""
WRITING_SECONDS = 120.0
"""For the chat model's questions, which only the command asks for: its first call may have to load the model."""


class TooFewError(UsageError):
    """There are not enough questions of each kind to measure a limit."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a measurement."""

    every: Measures  # all that was asked
    chosen_on: Measures  # what the limits were chosen on
    made: Calibration


def calibrated(
    index: Index,
    hand: Sequence[Question],
    cost: float,
    *,
    stored: bool = True,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measures with people's questions and self-made ones, stores the limits with the index if told, returns all.

    Where people's questions are enough of each kind they alone choose the limit, since no self-made question is as
    good; fewer are added to the self-made ones. Raises TooFewError, ModelError, StoreError.
    """
    searcher, caller = index.searcher(), index.store.custodian()
    embedder = searcher.embedder
    if embedder is None:
        raise UsageError("Without an embedding model there is no score to calibrate. Run: python doctor.py")
    questions = _with_left_out(hand)
    enough = min(_counts(hand)) >= LEAST_CASES
    if not enough:
        questions = [*questions, *_own(index, caller, seconds)]
    if min(_counts(questions)) < LEAST_CASES:
        raise _too_few(*_counts(questions))
    every = measure(searcher, caller, questions, seconds=seconds, least=FIRST_LEAST, progress=progress)
    chosen_on = _only(every, lambda m: m.question.made == "hand" and not m.question.without) if enough else every
    made = calibration(chosen_on, embedder.identity.label, index.store.chunk_count(), cost, every)
    made = replace(made, open=index.store.open_count())
    if stored:
        index.store.calibrate(searcher.model_id, made.as_json())
    return Result(every, chosen_on, made)


def calibration(
    measures: Measures, model: str, chunks: int, cost: float, teaching: Measures | None = None
) -> Calibration:
    """The limits chosen from the measures, with what they were measured on; `teaching` may teach a decision.

    Raises TooFewError with fewer than LEAST_CASES questions of either kind.
    """
    if min(len(measures.able), len(measures.others)) < LEAST_CASES:
        raise _too_few(len(measures.able), len(measures.others))
    able, others = scores(measures.able), scores(measures.others)
    words = by_people(measures)
    choice = best_score_limit if words else steady_score_limit
    min_score = round(choice(able, others, cost), 6)
    min_coverage = round(best_coverage_limit(words, min_score), 6) if words else MIN_COVERAGE
    price = price_of(measures, min_score, min_coverage if words else math.inf)
    groups = by_group(measures, cost)
    decision, figures = learned(teaching or measures, min_score, cost)
    measured: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "questions": _made(measures),
        "answerable": price.answerable,
        "unanswerable": price.unanswerable,
        "auc": round(measures.auc, 4),
        "cost": cost,
        "interval": [round(x, 4) for x in interval(able, others, cost)],
        "answerable_refused": round(price.refused / price.answerable, 4),
        "unanswerable_let_through": round(price.through / price.unanswerable, 4),
    }
    if figures:
        measured["cross_validated"] = figures
    return Calibration(min_score, min_coverage, model, chunks, measured, group_limits(groups), decision)


def first_limit(
    index: Index,
    notice: Callable[[str], None],
    progress: Callable[[str], AbstractContextManager[Progress | None]],
) -> None:
    """Measures the limit of an index that has none, in FIRST_SECONDS and by one process; never fails a sync.

    Documents too few to ask about keep the built-in limit until they are twice as many. What `progress` raises, and
    Ctrl-C, pass through: the index stays as it is.
    """
    try:
        if not index.needs_limit() or index.store.chunk_count() < 2 * index.tried_chunks:
            return
        index.tried_chunks = index.store.chunk_count()
        with index.store.locked(wait=False), progress("Measuring the limit") as tell:
            if index.needs_limit():
                found = calibrated(
                    index, (), index.settings.gate_cost, stored=False, seconds=FIRST_SECONDS, progress=tell
                )
                made = found.made
                if found.every.auc < FIRST_AUC:
                    raise UsageError("questions made from these documents tell too little")
                index.store.calibrate(index.searcher().model_id, made.as_json())
                asked = made.measured["answerable"] + made.measured["unanswerable"]
                notice(f"the limit was measured on {asked} questions made from the documents: {made.min_score:.3f}")
    except StoreBusy:
        index.tried_chunks = 0
        return  # another process syncs or measures
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt("the documents are indexed; their limit is measured at the next run") from stop
    except TooFewError:
        index.unmeasured = TOO_FEW
    except (BrainError, ValueError, LookupError, ArithmeticError) as error:
        if isinstance(error, ModelError):
            index.tried_chunks = 0  # it may be back by the next sync
        notice(
            f"the limit could not be measured ({error}); the built-in one is in force. Run: python -m eval.calibrate"
        )


def _own(index: Index, caller: Caller, seconds: float | None) -> list[Question]:
    """Self-made questions, by the chat model where there is time for one, and the off-topic ones; none of too few."""
    searcher, chat = index.searcher(), index.models.chat
    made = written(searcher, caller, chat, WRITING_SECONDS) if chat and seconds is None else []
    if len(made) < LEAST_CASES:
        made = [*made, *self_made(searcher, caller)]
    far = off_topic()[: None if seconds is None else FIRST_OFF_TOPIC]
    return in_turn(made, far) if len(made) >= LEAST_CASES else []


def _with_left_out(hand: Sequence[Question]) -> list[Question]:
    """People's questions, and those that one document alone answers also without it: they teach the decision."""
    return [*hand, *(question.left_out for question in hand if question.answerable and question.path)]


def _only(measures: Measures, belongs: Callable[[Measured], bool]) -> Measures:
    return sorted_measures(m for m in (*measures.able, *measures.others) if belongs(m))


def _counts(questions: Sequence[Question]) -> tuple[int, int]:
    able = sum(question.answerable for question in questions)
    return able, len(questions) - able


def _made(measures: Measures) -> str:
    kinds = {m.question.made for m in (*measures.able, *measures.others)}
    told = {"hand": "hand-made", "written": "written by the chat model", "self": "self-made", "off-topic": "off-topic"}
    return " + ".join(name for kind, name in told.items() if kind in kinds)


def _too_few(able: int, others: int) -> TooFewError:
    return TooFewError(
        f"Too few questions to calibrate: {able} answerable and {others} unanswerable, at least {LEAST_CASES} of "
        "each are needed, and the documents hold too few sentences to make them from. Write a file of questions and "
        "name it with --cases; manual/calibrate.md shows how."
    )
