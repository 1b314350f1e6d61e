"""What a search did, for --explain and POST /search: the limit, and what each half gave for each hit.

Try: python search.py "parental leave" --explain
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from language.when import Span
from retrieval.found import Found, Hit
from retrieval.gate import Limit


def explained(found: Found) -> dict[str, Any]:
    """What each half of the search gave, for --explain and POST /search."""
    return {
        "lang": found.lang,
        "words": list(found.words),
        "second_look": found.second_look,
        "time": _span_as_json(found.span),
        "limit": asdict(found.limit),
        "confidence": found.confidence,
        "hits": [
            {
                "source": hit.chunk.path,
                "lines": hit.chunk.lines,
                "place": hit.chunk.place,
                "also": list(hit.also),
                "dated": hit.chunk.dated,
                "modified": hit.chunk.modified,
                "heading": " > ".join(hit.chunk.heading),
                "text": hit.chunk.text,
                "score": hit.score,
                "coverage": round(hit.coverage, 4),
                "keywords": round(hit.keywords, 4),
                "fused": round(hit.fused, 4),
                "gave": {name: round(value, 4) for name, value in hit.gave.items()},
                "vector_rank": hit.vector_rank,
                "keyword_rank": hit.keyword_rank,
                "judged": hit.judged,
                "passed": bool(hit.passed),
                "passed_by": hit.passed,
            }
            for hit in found.hits
        ],
    }


def explained_as_text(found: Found) -> str:
    """The same for people: a line a hit, those below the limit marked."""
    limit = found.limit
    fits = "" if limit.fits else ", not calibrated for this index"
    lines = [
        f"Limit: score {limit.min_score:.3f} or coverage {limit.min_coverage:.2f} ({limit.origin}{fits})",
        f"Words: {', '.join(found.words)} ({found.lang})",
        f"Found by: {_halves(found.hits)}",
    ]
    if found.second_look:
        lines.append(f"No second look: {found.second_look}")
    if found.span:
        lines.append(f"Time: {_span_as_text(found.span)}")
    if found.confidence is not None:
        lines.append(f"Confidence: {found.confidence:.3f}, {_confidence_as_text(found.confidence, found.limit)}")
    for hit in found.hits:
        score = "  -  " if hit.score is None else f"{hit.score:5.3f}"
        mark = f"passed by {hit.passed}" if hit.passed else "below the limit"
        gave = " + ".join(f"{name} {value:.3f}" for name, value in hit.gave.items()) or "nothing"
        ranks = f"vector rank {hit.vector_rank or '-'}, keyword rank {hit.keyword_rank or '-'}"
        ranks += "" if hit.judged is None else f"; judged {hit.judged:.1f}"
        also = f"; also in {', '.join(hit.also)}" if hit.also else ""
        lines.append(
            f"{score}  coverage {hit.coverage:.2f}  ranks by {hit.fused:.3f} = {gave}  "
            f"{hit.chunk.path}:{hit.chunk.cited} ({' > '.join(hit.chunk.heading)})  {mark}; {ranks}{also}"
        )
    return "\n".join(lines)


def _confidence_as_text(confidence: float, limit: Limit) -> str:
    if limit.min_confidence is None:
        return "which refuses nothing"
    told = "below its limit, refused:" if confidence < limit.min_confidence else "its limit is"
    return f"{told} {limit.min_confidence:.3f}"


def _halves(hits: Sequence[Hit]) -> str:
    both = sum(bool(hit.vector_rank and hit.keyword_rank) for hit in hits)
    vectors = sum(bool(hit.vector_rank) for hit in hits) - both
    words = sum(bool(hit.keyword_rank) for hit in hits) - both
    return f"both halves {both}, vectors alone {vectors}, words alone {words}"


def _span_as_text(span: Span) -> str:
    if span.newest:
        return f"the newest first ({span.said!r})"
    return f"dated {span.since or '...'} to {span.until or '...'} first ({span.said!r})"


def _span_as_json(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    since, until = (day.isoformat() if day else None for day in (span.since, span.until))
    return {"since": since, "until": until, "newest": span.newest, "said": span.said}
