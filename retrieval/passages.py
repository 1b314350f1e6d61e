"""Hits -> passages: what stands together in one section is given together, and what says the same takes one place.

Knows no index and no gate. Try: python answer.py "How many vacation days do I get?"
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from language.words import is_run, words
from retrieval.found import Hit, Passage
from storage.reader import ChunkRow

_BLANK = re.compile(r"\n\s*\n")
_LEAST_WORDS = 8  # "Yes." under two headings is not one answer written twice

Section = Callable[[ChunkRow], Sequence[ChunkRow]]
"""From a chunk to all chunks of its section, itself among them, in the file's order."""


def distinct(hits: Iterable[Hit], most: int) -> list[Hit]:
    """The first `most` hits that say something of their own; `also` names where later ones say the same.

    A later hit says the same when its paragraphs, but for case, line breaks and bold type, all stand whole and in that
    order in an earlier one: a text copied to another file. One character of difference makes another text, be it a
    figure, a currency, a sign or a "not". What passed the gate is never given up for what did not.
    """
    kept: list[Hit] = []
    texts: list[str] = []
    for hit in hits:
        text = _said(hit.chunk)
        at = next(
            (n for n, one in enumerate(texts) if text and text in one and (kept[n].passed or not hit.passed)), None
        )
        if at is not None:
            kept[at] = replace(kept[at], also=(*kept[at].also, f"{hit.chunk.path}:{hit.chunk.cited}"))
        elif len(kept) < most:
            kept.append(hit)
            texts.append(text)
        else:
            break
    return kept


def _said(chunk: ChunkRow) -> str:
    """The chunk's paragraphs, each between marks that no text holds; nothing for one of few words."""
    body = chunk.body.replace("**", "").casefold()
    count = sum(-(-len(word) // 2) if is_run(word) else 1 for word in words(body))  # two characters are about a word
    paragraphs = [" ".join(part.split()) for part in _BLANK.split(body)]
    return "".join(f"\0{part}\0" for part in paragraphs if part) if count >= _LEAST_WORDS else ""


def passages(hits: Sequence[Hit], section: Section, most_chars: int) -> list[Passage]:
    """The hits' passages, best first: runs of touching chunks of one section, each grown to about `most_chars`.

    Chunks around a hit are added while all of them together stay within `most_chars`; hits that touch are joined
    whatever their length, so that a citation is one run of lines.
    """
    by_section: dict[tuple[int, tuple[str, ...]], list[Hit]] = {}
    for hit in hits:
        by_section.setdefault((hit.chunk.document_id, hit.chunk.heading), []).append(hit)
    found = []
    for same in by_section.values():
        chunks = section(same[0].chunk)  # empty for one that is gone since it was found
        by_id = {hit.chunk.id: hit for hit in same}
        for first, last in _runs(chunks, {n for n, chunk in enumerate(chunks) if chunk.id in by_id}, most_chars):
            run = chunks[first : last + 1]
            found.append(_passage(run, [by_id[chunk.id] for chunk in run if chunk.id in by_id]))
    return sorted(found, key=lambda passage: -passage.fused)


def _runs(chunks: Sequence[ChunkRow], wanted: set[int], most_chars: int) -> list[tuple[int, int]]:
    """First and last place of each passage among a section's chunks."""
    taken = set(wanted)
    for first, last in _touching(chunks, wanted):
        size = sum(len(chunks[n].text) for n in range(first, last + 1))
        grown = True
        while grown:
            grown = False
            for place, beside in ((last + 1, last), (first - 1, first)):  # what follows says more of it, so it is first
                free = 0 <= place < len(chunks) and place not in taken
                if free and _touch(chunks, place, beside) and size + len(chunks[place].text) <= most_chars:
                    taken.add(place)
                    size += len(chunks[place].text)
                    first, last, grown = min(first, place), max(last, place), True
    return _touching(chunks, taken)


def _touching(chunks: Sequence[ChunkRow], places: set[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for place in sorted(places):
        if runs and runs[-1][1] == place - 1 and _touch(chunks, place, place - 1):
            runs[-1] = runs[-1][0], place
        else:
            runs.append((place, place))
    return runs


def _touch(chunks: Sequence[ChunkRow], one: int, other: int) -> bool:
    first, second = sorted((one, other))
    # A chunk with lines to skip begins with a heading: another section, though it may have the same heading path.
    return chunks[first].last_line + 1 == chunks[second].first_line and not chunks[second].skip


def _passage(run: Sequence[ChunkRow], hits: Sequence[Hit]) -> Passage:
    best = max(hits, key=lambda hit: hit.fused)
    row = best.chunk
    return Passage(
        row.path, row.title, row.lang, row.heading, run[0].first_line, run[-1].last_line,
        "\n".join(chunk.text for chunk in run), run[0].skip, run[0].context,
        max((hit.score for hit in hits if hit.score is not None), default=None), best.fused, row,
        tuple(dict.fromkeys(place for hit in hits for place in hit.also)),
        tuple(place for chunk in run for place in chunk.places),
    )  # fmt: skip
