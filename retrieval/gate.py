"""The gate: the limits a hit must reach, where they come from, and what a measured limit was measured on.

Knows no index and no question. Try: python store.py --status, or python -m eval.calibrate
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from config import PROJECT
from retrieval.decision import Decision, Weights

MIN_COVERAGE = 0.75
"""Built-in share of a question's content words that a keyword hit must hold, until a calibration is stored."""
MUCH_CHANGED = 0.2
"""A corpus that grew or shrank by more than this share since it was calibrated needs a new calibration."""
SHIPPED = PROJECT / "data" / "calibration.json"
"""The demo documents' calibrations, one a model; read when the index has none of its own."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured limit, with what it was measured on."""

    min_score: float
    min_coverage: float
    model: str  # backend/name@digest
    chunks: int  # of the index at that time
    measured: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, float] = field(default_factory=dict)  # min_score by group_of(question's language)
    decision: Decision | None = None
    open: int | None = None  # of `chunks`, those of documents that everyone may read; None: all of them

    def as_json(self) -> str:
        """For Store.calibrate and data/calibration.json."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


def parsed_calibration(text: str) -> Calibration | None:
    """The calibration of a JSON text, None for any other text."""
    try:
        return read_calibration(json.loads(text))
    except (ValueError, RecursionError):
        return None


def shipped_calibration(docs: Path, label: str) -> Calibration | None:
    """What ships of the model `label` with the project's own documents; None for the documents of any other folder."""
    if docs != PROJECT / "docs" or not SHIPPED.exists():
        return None
    values = map(read_calibration, json.loads(SHIPPED.read_text(encoding="utf-8")))
    return next((one for one in values if one and one.model == label), None)


def read_calibration(value: Any) -> Calibration | None:
    """The calibration that `as_json` wrote, also before there were groups; None for anything else.

    So a value of another version's form counts as never measured, and is measured again.
    """
    try:
        found = Calibration(
            float(value["min_score"]), float(value["min_coverage"]), str(value["model"]), int(value["chunks"]),
            dict(value.get("measured") or {}),
            {str(name): float(limit) for name, limit in (value.get("groups") or {}).items()},
            _decision(value.get("decision")), None if (opened := value.get("open")) is None else int(opened),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    figures = (found.min_score, found.min_coverage, *found.groups.values())
    return found if all(map(math.isfinite, figures)) else None


def _decision(value: Any) -> Decision | None:
    if value is None:
        return None
    parts = value["weights"]
    means, scales, weights = (tuple(float(x) for x in parts[name]) for name in ("means", "scales", "weights"))
    names = tuple(map(str, value["names"]))
    if {len(means), len(scales), len(weights)} != {len(names)} or not all(scales):
        raise ValueError("a decision whose parts do not fit")
    made = Weights(means, scales, weights, float(parts["bias"]))
    limit = value["min_confidence"]
    figures = (*means, *scales, *weights, float(parts["bias"]), 0.0 if limit is None else float(limit))
    if not all(map(math.isfinite, figures)) or min(map(abs, scales)) < _LEAST_SCALE:
        raise ValueError("a decision with figures that no measurement gives")
    return Decision(names, int(value["version"]), made, None if limit is None else float(limit))


_LEAST_SCALE = 1e-12  # of a signal; divided by less, it would be infinite


def group_of(lang: str) -> str:
    """The group whose limit holds for a question: English, which the embedded models weigh otherwise, or not."""
    return "en" if lang == "en" else "others"


@dataclass(frozen=True, slots=True)
class Limit:
    """The gate in force and where each of its values comes from."""

    min_score: float
    min_coverage: float
    origin: str  # "setting" | "calibration" | "built-in"
    fits: bool  # measured with this model on this corpus, or set by a person
    why: str = ""  # what is amiss when it does not fit, for people
    min_confidence: float | None = None  # of the learned decision, where there is one; it refuses in addition

    def for_language(self, lang: str, groups: Mapping[str, float]) -> "Limit":
        """This limit with the score that a calibration measured for the question's language, where it did."""
        if self.origin != "calibration":
            return self
        return replace(self, min_score=groups.get(group_of(lang), self.min_score))


def passed_by(score: float | None, coverage: float, limit: Limit) -> str:
    """Which half lets a hit through: "vector", "keywords", or "" for none."""
    if score is not None and score >= limit.min_score:
        return "vector"
    return "keywords" if coverage >= limit.min_coverage else ""
