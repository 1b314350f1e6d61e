"""What a search did, for --explain and POST /search: the limit, and what each half gave for each hit.

Try: python search.py "parental leave" --explain
"""

from dataclasses import asdict
from typing import Any

from retrieval.found import Found


def explained(found: Found) -> dict[str, Any]:
    """What each half of the search gave, for --explain and POST /search."""
    return {
        "lang": found.lang,
        "words": list(found.words),
        "limit": asdict(found.limit),
        "confidence": found.confidence,
        "hits": [
            {
                "source": hit.chunk.path,
                "lines": f"L{hit.chunk.first_line}-{hit.chunk.last_line}",
                "heading": " > ".join(hit.chunk.heading),
                "text": hit.chunk.text,
                "score": hit.score,
                "coverage": round(hit.coverage, 4),
                "keywords": round(hit.keywords, 4),
                "fused": round(hit.fused, 4),
                "vector_rank": hit.vector_rank,
                "keyword_rank": hit.keyword_rank,
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
    ]
    if found.confidence is not None:
        refused = found.limit.min_confidence is not None and found.confidence < found.limit.min_confidence
        told = "below its limit, refused" if refused else "not below its limit"
        lines.append(f"Confidence: {found.confidence:.3f}, {told} {found.limit.min_confidence or 0.0:.3f}")
    for hit in found.hits:
        score = "  -  " if hit.score is None else f"{hit.score:5.3f}"
        mark = f"passed by {hit.passed}" if hit.passed else "below the limit"
        ranks = f"vector rank {hit.vector_rank or '-'}, keyword rank {hit.keyword_rank or '-'}"
        lines.append(
            f"{score}  coverage {hit.coverage:.2f}  ranks by {hit.fused:.3f}  "
            f"{hit.chunk.path}:L{hit.chunk.first_line}-{hit.chunk.last_line} "
            f"({' > '.join(hit.chunk.heading)})  {mark}; {ranks}"
        )
    return "\n".join(lines)
