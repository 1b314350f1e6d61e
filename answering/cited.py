"""The sources of an answer: which passages are shown, the words of each, and whether its file is still the same.

Knows no model. Try: python answer.py "How many vacation days do I get after one year?"
"""

import hashlib
import re
import stat
from collections.abc import Sequence
from typing import Literal

from answering.shapes import Source, notice
from language.words import fold, forms, names, terms
from models.orders import gives_orders
from proof.verdict import Claim, Conflict, Evidence, Problem, Side, Verdict
from retrieval.found import Found, Passage
from sources import Source as DocumentSource
from storage.reader import ChunkRow

_SPAN_CHARS = 700  # a source's quotes are shown as one span of the file up to this length


def sources_of(files: DocumentSource, verdict: Verdict, passages: Sequence[Passage]) -> list[Source]:
    """The cited passages, or all that were given when none is cited, with the state of their files now."""
    return [_source(files, n, passages[n - 1], verdict.claims) for n in _cited(verdict, len(passages))]


def placed(claims: Sequence[Claim], passages: Sequence[Passage], conflicts: Sequence[Conflict] = ()) -> None:
    """Writes into each evidence and side where its words stand in a file that has no lines."""
    told: list[Evidence | Side] = [e for claim in claims for e in claim.evidence]
    told += [side for conflict in conflicts for side in conflict.sides]
    for one in told:
        if 1 <= one.n <= len(passages):
            one.place = passages[one.n - 1].place_of(one.first_line, one.last_line)


def stale_notices(sources: Sequence[Source]) -> list[Problem]:
    """A notice for each source whose file is no longer what was indexed."""
    told = {"changed": "has changed", "gone": "is gone"}
    return [notice("stale", f"{s.source} {told[s.stale]} since it was indexed") for s in sources if s.stale]


def _source(files: DocumentSource, n: int, passage: Passage, claims: Sequence[Claim]) -> Source:
    row = passage.row
    proofs = [e for claim in claims for e in claim.evidence if e.n == n and not e.above]
    first = min((e.first_line for e in proofs), default=passage.first_line)
    last = max((e.last_line for e in proofs), default=passage.last_line)
    return Source(
        n=n, source=passage.source, title=passage.title, link=_link(row.meta.get("url", "")),
        lines=passage.lines, place=passage.place_of(first, last), heading=" > ".join(passage.heading),
        score=None if passage.score is None else round(passage.score, 4),
        quote=_quote_of(n, passage, claims), version=row.sha256, also=list(passage.also), dated=row.dated,
        modified=row.modified, indexed_at=row.indexed_at, stale=stale(files, row),
    )  # fmt: skip


def in_another_language(found: Found) -> list[Problem]:
    """A notice when what came nearest is in another language than the question: then less is found."""
    if not found.nearest or found.nearest.chunk.lang == found.lang:
        return []
    other = found.nearest.chunk.lang
    text = f"the question is in another language ({found.lang}) than what came nearest ({other}): across "
    return [notice("other_language", f"{text}languages less is found, so try the documents' own")]


def not_mentioned(found: Found, cited: Sequence[Passage]) -> list[Problem]:
    """A notice when the question names something (France, TV-500) that no cited passage does."""
    held = {form for p in cited for form in terms(f"{p.above}\n{p.text}", p.lang)}
    texts = [fold(f"{p.above}\n{p.text}") for p in cited]
    missing = [
        word
        for word in names(found.question, found.lang)
        if not held & {forms(word, found.lang)[0], fold(word)} and not any(_spelled(word, text) for text in texts)
    ]
    return [notice("not_mentioned", f"the cited passages do not mention {', '.join(missing)}")] if missing else []


def _spelled(word: str, text: str) -> bool:
    """Whether the word's letters and digits stand in the folded text, marks between them: 401k as 401(k) or 401-k."""
    spelled = r"[^\w\s]{0,2}".join(re.escape(c) for c in fold(word) if c.isalnum())
    return bool(spelled and re.search(rf"(?<!\w){spelled}(?!\w)", text))


def _cited(verdict: Verdict, given: int) -> list[int]:
    """Numbers of the passages to show: the cited ones, or all that were given when none is cited."""
    disputed = {side.n for conflict in verdict.conflicts for side in conflict.sides}
    cited = sorted(disputed | {n for claim in verdict.claims for n in claim.citations if 1 <= n <= given})
    return cited or list(range(1, given + 1))


def _quote_of(n: int, passage: Passage, claims: Sequence[Claim]) -> str:
    """The words of the passage that prove its claims, byte for byte: one span, or the first where it would be long."""
    quotes = [e.quote for claim in claims for e in claim.evidence if e.n == n]
    starts = [passage.text.find(q) for q in quotes]
    if not quotes or min(starts) < 0:
        return "\n".join(passage.text.split("\n")[passage.skip :]).strip("\n") or passage.text
    span = passage.text[min(starts) : max(s + len(q) for s, q in zip(starts, quotes, strict=True))]
    return span if len(span) <= _SPAN_CHARS else quotes[0]


def _link(url: str) -> str:
    """The front matter's `url` where a page may link it; never a script."""
    return url if re.match(r"(?:https?://|mailto:)", url, re.I) else ""


def stale(source: DocumentSource, row: ChunkRow) -> Literal["changed", "gone"] | None:
    """How the file differs from what was indexed; None when it does not, or when there is no file to look at."""
    path = source.locate(row.path)
    if path is None:
        return None
    try:
        now = path.stat()
        if (now.st_size, now.st_mtime_ns) == (row.size, row.mtime_ns):
            return None
        if now.st_size != row.size or not stat.S_ISREG(now.st_mode):  # a pipe put in its place is not read
            return "changed"
        return None if hashlib.sha256(source.read(row.path)).hexdigest() == row.sha256 else "changed"
    except OSError:
        return "gone"


def giving_orders(passages: Sequence[Passage]) -> list[Problem]:
    """A notice for each passage that speaks to the assistant, openly or hidden from readers."""
    told = "holds text that addresses the assistant or is hidden from readers; what it says is no order here"
    return [
        notice("passage_gives_orders", f"{p.source}:{p.cited} {told}")
        for p in passages
        if gives_orders(p.title, p.text, p.context)
    ]
