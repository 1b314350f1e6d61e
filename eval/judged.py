"""The one place where the measurements call the checker, so that a new argument of it is added here and nowhere else.

Knows no data sets. Try: python -m eval.proof --data ~/public-data --only speed
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from eval.mutations import Record
from models import Near, Vector
from models.embedded import EmbeddedEmbedder
from proof.verdict import CitedText, Verdict
from verify import check


@dataclass(frozen=True, slots=True)
class Text:
    """A passage made from a bare text."""

    text: str
    above: str = ""
    first_line: int = 1


@cache
def _embedder() -> EmbeddedEmbedder:
    return EmbeddedEmbedder("")


@cache
def _line(text: str) -> Vector:
    (vector,) = _embedder().embed_documents([text])
    assert vector is not None
    return vector


@cache
def _claim(text: str, lang: str) -> Vector:
    return _embedder().embed_query(text, lang)


def near(lang: str) -> Near:
    """The embedded models' comparison of meanings, for claims in `lang`."""
    return Near(
        lambda claim, lines: [float(_line(line) @ _claim(claim, lang)) for line in lines], _embedder().same_meaning
    )


def verdict(answer: str, passages: Sequence[CitedText], lang: str) -> Verdict:
    """What the checker says of an answer."""
    return check(answer, passages, lang, near(lang))


def judged(record: Record) -> bool:
    """Whether the checker takes the record's claim for proved: every claim in its answer is supported."""
    said = verdict(record.answer, record.passages, record.lang)
    return bool(said.claims) and all(claim.status == "supported" for claim in said.claims)


def reason(record: Record) -> str:
    """Why the checker refuses the record's claim, "" when it does not."""
    said = verdict(record.answer, record.passages, record.lang)
    return "; ".join(claim.reason for claim in said.claims if claim.reason)
