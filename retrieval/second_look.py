"""The second look: hits that passed the gate are judged, put in the judgement's order, and gated by it once more.

The cosine's limit stays in force before it: a stage more never lets through what the gate refuses.
Knows the Reranker protocol, no chat model. Try: BRAIN_RERANK=1 python search.py "parental leave" --explain
"""

from collections.abc import Sequence
from dataclasses import replace

from errors import BadReply
from models import Reranker
from retrieval.found import Hit

DEPTH = 10
"""Hits that are judged, in one call: about 3,000 tokens."""


def judged(reranker: Reranker, question: str, hits: Sequence[Hit], least: float) -> tuple[list[Hit], str]:
    """The hits as they now stand, and why they could not be judged ("" when they were; unchanged otherwise).

    Judged ones come first, best first; below `least` they no longer pass. What the gate refused stays refused. Raises
    ModelError when the model is away.
    """
    passed = [hit for hit in hits if hit.passed][:DEPTH]
    if not passed:
        return list(hits), ""
    try:
        scores = reranker.rerank(question, [_shown(hit) for hit in passed])
    except BadReply as error:
        return list(hits), str(error)
    looked = [_with(hit, score, least) for hit, score in zip(passed, scores, strict=True)]
    looked.sort(key=lambda hit: -(hit.judged or 0.0))
    return [*looked, *(hit for hit in hits if hit not in passed)], ""


def _with(hit: Hit, score: float, least: float) -> Hit:
    return replace(hit, judged=score, gave={"second look": score}, passed=hit.passed if score >= least else "")


def _shown(hit: Hit) -> str:
    chunk = hit.chunk
    return "\n".join(part for part in (" > ".join((chunk.title, *chunk.heading)), chunk.context, chunk.text) if part)
