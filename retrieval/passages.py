"""Hits -> passages: what touches within one section is joined, so that a citation is one run of lines.

Knows no index and no gate. Try: python answer.py "How many vacation days do I get?"
"""

from collections.abc import Sequence

from retrieval.found import Hit, Passage


def merge(hits: Sequence[Hit]) -> list[Passage]:
    """Joins hits that touch within one section, so that a citation is one run of lines; best passage first."""
    groups: list[list[Hit]] = []
    for hit in sorted(hits, key=lambda h: (h.chunk.document_id, h.chunk.first_line)):
        last = groups[-1][-1].chunk if groups else None
        touching = last and (last.document_id, last.heading, last.last_line + 1) == (
            hit.chunk.document_id, hit.chunk.heading, hit.chunk.first_line,
        )  # fmt: skip
        if touching:
            groups[-1].append(hit)
        else:
            groups.append([hit])
    return sorted(map(_passage, groups), key=lambda passage: -passage.fused)


def _passage(group: Sequence[Hit]) -> Passage:
    best = max(group, key=lambda hit: hit.fused)
    first, last, row = group[0].chunk, group[-1].chunk, best.chunk
    return Passage(
        row.path, row.title, row.lang, row.heading, first.first_line, last.last_line,
        "\n".join(hit.chunk.text for hit in group), first.skip, first.context,
        max((hit.score for hit in group if hit.score is not None), default=None), best.fused, row,
    )  # fmt: skip
