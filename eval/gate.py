"""Is this run worse than a stored one? Four measures, each with the interval of its change; below zero is worse.

right answers       answerable cases answered with every must_include and a right document cited, of all answerable
right refusals      unanswerable cases that were refused, of all unanswerable
citation precision  cited sources whose document is among the case's sources, of all sources cited for answerable cases
citation recall     answerable cases whose answer cites a right document, of all answerable; a refusal cites none

A case is the same when question, sources and must_include are: then both runs are compared case by case. Stored are
counts and hashes, no text. Asks nothing. Try: python -m eval.run --all --gate data/gate.json
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from errors import UsageError
from eval.cases import Case
from eval.export import normal, written
from eval.figures import difference, paired, resampled

_LEAST_PAIRS = 10  # with fewer answered cases a bootstrap tells too little
_SHARED = 0.5  # of the smaller run's cases, so that both are compared case by case


class Outcome(BaseModel):
    """What came of one case, without its text."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    key: str
    answerable: bool
    ok: bool  # rightly answered, or rightly refused
    cites: int = Field(ge=0)  # sources
    right_cites: int = Field(ge=0)  # of a right document

    @model_validator(mode="after")
    def _can_be(self) -> Self:
        """A refusal cites nothing, and what answers rightly cites a right document."""
        if self.right_cites > (self.cites if self.answerable else 0):
            raise ValueError("more right sources than there can be")
        if self.ok and not (self.cited if self.answerable else self.cites == 0):
            raise ValueError("right without a right source, or refused with one")
        return self

    @property
    def cited(self) -> bool:
        """Whether a right document is cited."""
        return self.right_cites > 0


class Run(BaseModel):
    """A run as it is stored."""

    model_config = ConfigDict(extra="forbid", strict=True)

    form: Literal[1] = 1  # raised when the file's meaning changes
    measured: str  # UTC date
    model: str
    cases: str  # hash over the cases in any order
    limit: dict[str, Any]
    outcomes: list[Outcome]


class Measure(BaseModel):
    """One row of the comparison; `then` and `now` are (count, of how many)."""

    name: str
    then: tuple[int, int]
    now: tuple[int, int]
    interval: tuple[float, float] | None  # of the change; None where there is nothing to compare
    verdict: Literal["worse", "better", "no worse", "not measured", "missing", "too few"]
    pairs: int  # cases compared one by one; 0: the runs are of different cases


def key_of(case: Case) -> str:
    """What tells a case from others, without telling its text."""
    parts = [normal(case.question), sorted(case.sources), sorted(case.must_include)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def run_of(outcomes: Sequence[Outcome], model: str, limit: dict[str, Any]) -> Run:
    """A run of today; of two outcomes of the same case the first counts."""
    unique = {outcome.key: outcome for outcome in reversed(outcomes)}
    ordered = [unique[key] for key in sorted(unique)]
    today = datetime.now(UTC).date().isoformat()
    return Run(measured=today, model=model, cases=_hash(ordered), limit=limit, outcomes=ordered)


def _hash(outcomes: Iterable[Outcome]) -> str:
    return hashlib.sha256("\n".join(sorted(outcome.key for outcome in outcomes)).encode()).hexdigest()


def read(path: Path) -> Run:
    """A stored run. Raises UsageError when it cannot be read or is none."""
    try:
        run = Run.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}. Store a run: --store {path}") from error
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        raise UsageError(f"{path} is no stored run ({where}). Store one: --store {path}") from error
    if not run.outcomes or len({outcome.key for outcome in run.outcomes}) != len(run.outcomes):
        raise UsageError(f"{path} holds no case, or one twice. Store a run: --store {path}")
    if run.cases != _hash(run.outcomes):
        raise UsageError(f"{path} holds other cases than it says. Store a run: --store {path}")
    return run


def write(path: Path, run: Run) -> None:
    """Stores the run, a line a case, in place of what is there. Raises UsageError."""
    head = run.model_dump(exclude={"outcomes"})
    rows = ",\n".join(f"  {outcome.model_dump_json()}" for outcome in run.outcomes)
    text = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}") + f',\n "outcomes": [\n{rows}\n ]\n}}\n'
    written(path, text.encode())


def compared(then: Run, now: Run) -> list[Measure]:
    """The four measures, in the order of the head."""
    return [
        _share("right answers", then, now, True, lambda outcome: outcome.ok),
        _share("right refusals", then, now, False, lambda outcome: outcome.ok),
        _precision(then, now),
        _share("citation recall", then, now, True, lambda outcome: outcome.cited),
    ]


def is_worse(measures: Sequence[Measure]) -> bool:
    """Whether the gate is shut: something is worse, or was measured then and is not now."""
    return any(measure.verdict in ("worse", "missing") for measure in measures)


def lost(then: Run, now: Run) -> set[str]:
    """Keys of the cases that were right then and are not now."""
    before = {outcome.key for outcome in then.outcomes if outcome.ok}
    return before & {outcome.key for outcome in now.outcomes if not outcome.ok}


def differing(then: Run, now: Run) -> list[str]:
    """What else than the program may have changed the figures, a sentence each."""
    told = []
    if then.model != now.model:
        told.append(f"the models differ: {then.model} then, {now.model} now")
    if then.limit != now.limit:
        names = [name for name in {**then.limit, **now.limit} if then.limit.get(name) != now.limit.get(name)]
        changes = ", ".join(f"{name} {then.limit.get(name)} then, {now.limit.get(name)} now" for name in names)
        told.append(f"the limits differ: {changes}")
    if then.cases != now.cases:
        keys, others = ({outcome.key for outcome in run.outcomes} for run in (then, now))
        told.append(
            f"the cases differ: {len(keys & others)} are the same, {len(keys - others)} were asked then only, "
            f"{len(others - keys)} now only"
        )
    return told


def table(then: Run, now: Run, measures: Sequence[Measure], lost_questions: Sequence[str] = ()) -> str:
    """The comparison for people; `lost_questions` may be shown."""
    lines = [f"compared with the run of {then.measured}, change with its 95 % interval in points of 100"]
    for one in measures:
        cells = [f"{name} {part:4} of {n:<4}{f'{100 * part / n:4.0f} %' if n else '':6}"
                 for name, (part, n) in (("then", one.then), ("now", one.now))]  # fmt: skip
        lines.append(f"{one.name:20}{'  '.join(cells)}  {_change(one):28}{one.verdict}")
    lines += [f"note: {text}" for text in differing(then, now)]
    lines += [f"lost: {question}" for question in lost_questions]
    if any(one.pairs for one in measures):
        lines.append(
            "Compared case by case. Fewer than 6 cases lost and none gained may be chance, and are no worse;\n"
            "where some are gained, more must be lost."
        )
    if any(one.interval and not one.pairs for one in measures):
        lines.append("Where few cases are the same, all are compared, as if they were drawn anew: that tells less.")
    return "\n".join([*lines, f"gate: {'shut, this run is worse' if is_worse(measures) else 'open'}"])


def as_json(then: Run, now: Run, measures: Sequence[Measure]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "open": not is_worse(measures),
        "then": then.model_dump(exclude={"outcomes"}),
        "notes": differing(then, now),
        "measures": [measure.model_dump() for measure in measures],
    }


def _change(one: Measure) -> str:
    if one.interval is None:
        return ""
    change = one.now[0] / one.now[1] - one.then[0] / one.then[1]
    low, high = (100 * bound for bound in one.interval)
    return f"{100 * change:+5.1f}  ({low:+.1f} to {high:+.1f})"


def _share(name: str, then: Run, now: Run, answerable: bool, good: Callable[[Outcome], bool]) -> Measure:
    before, after, pairs = _matched(then, now, answerable)
    counts = [(sum(map(good, part)), len(part)) for part in (before, after)]
    if pairs:
        fell = sum(good(a) and not good(b) for a, b in zip(before, after, strict=True))
        rose = sum(good(b) and not good(a) for a, b in zip(before, after, strict=True))
        return _measure(name, counts, paired(fell, rose, pairs), pairs)
    return _measure(name, counts, difference(*counts) if all(n for _, n in counts) else None, 0)


def _precision(then: Run, now: Run) -> Measure:
    before, after, pairs = _matched(then, now, True)
    counts = [(sum(o.right_cites for o in part), sum(o.cites for o in part)) for part in (before, after)]
    if not all(n for _, n in counts):
        return _measure("citation precision", counts, None, pairs)
    if not pairs:
        return _measure("citation precision", counts, difference(*counts), 0)
    interval = resampled(*([(o.right_cites, o.cites) for o in part] for part in (before, after)))
    made = _measure("citation precision", counts, interval, pairs)
    few = min(sum(o.cites > 0 for o in part) for part in (before, after)) < _LEAST_PAIRS
    return made.model_copy(update={"verdict": "too few"}) if few and made.verdict == "worse" else made


def _matched(then: Run, now: Run, answerable: bool) -> tuple[list[Outcome], list[Outcome], int]:
    """Outcomes of the same cases, in the same order, and how many; or all of each run, and 0."""
    before, after = ({o.key: o for o in run.outcomes if o.answerable == answerable} for run in (then, now))
    common = [key for key in before if key in after]
    if common and len(common) >= _SHARED * min(len(before), len(after)):
        return [before[key] for key in common], [after[key] for key in common], len(common)
    return list(before.values()), list(after.values()), 0


def _measure(name: str, counts: Sequence[tuple[int, int]], interval: tuple[float, float] | None, pairs: int) -> Measure:
    then, now = counts
    verdict: Literal["worse", "better", "no worse", "not measured", "missing"] = "no worse"
    if interval is None:
        verdict = "missing" if then[1] else "not measured"
    elif interval[1] < 0:
        verdict = "worse"
    elif interval[0] > 0:
        verdict = "better"
    return Measure(name=name, then=then, now=now, interval=interval, verdict=verdict, pairs=pairs)
