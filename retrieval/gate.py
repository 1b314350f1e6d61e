"""The gate: the limits a hit must reach, where they come from, and what a measured limit was measured on.

Knows no index and no question. Try: python store.py --status, or python -m eval.calibrate
"""

import json
from dataclasses import asdict, dataclass, field

from config import PROJECT

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
    measured: dict[str, float | int | str] = field(default_factory=dict)

    def as_json(self) -> str:
        """For Store.calibrate and data/calibration.json."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Limit:
    """The gate in force and where each of its values comes from."""

    min_score: float
    min_coverage: float
    origin: str  # "setting" | "calibration" | "built-in"
    fits: bool  # measured with this model on this corpus, or set by a person


def passed_by(score: float | None, coverage: float, limit: Limit) -> str:
    """Which half lets a hit through: "vector", "keywords", or "" for none."""
    if score is not None and score >= limit.min_score:
        return "vector"
    return "keywords" if coverage >= limit.min_coverage else ""
