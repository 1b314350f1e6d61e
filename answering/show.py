"""An answer as text for a terminal: what was said, its sources with the words that prove it, and the checks.

Knows no search. Try: python verify.py "How many vacation days do I get after one year?"
"""

import re

from answering.events import Looked
from answering.shapes import Answer, Route, Source
from commandline import aimed
from language.phrases import say

_MADE_PLAIN = re.compile(r"^(\s*\d{0,9})\\(?=[.)#>+-])", re.MULTILINE)  # "2\." of a converted file: no list there
_BESIDE = ("not_addressed", "not_mentioned", "follow_up")  # notices that what follows may be no answer


def as_text(answer: Answer, nearest: Looked | None = None) -> str:
    """The answer, its sources and what is wrong with it; that it may be none is said first.

    Where nothing was found, what came `nearest` is named: the reader may find there what the search did not match.
    """
    beside = [p.text for p in answer.problems if p.code in _BESIDE]
    lines = [f"{say('understood', answer.lang)}: {answer.asked}\n"] if answer.asked else []
    lines += [f"{say('beside', answer.lang)}: {'; '.join(beside)}.\n"] if beside else []
    lines.append(answer.answer)
    if nearest and answer.status == "not_found":
        score = "no vector" if nearest.score is None else f"score {nearest.score:.2f}"
        place = f"{nearest.source}:{nearest.place or nearest.lines}"
        lines.append(f"{say('nearest', answer.lang)}: {place} ({nearest.heading})  {score}")
    by_facts = answer.route.tool != "text"  # found by what is said of things, not by likeness
    for source in answer.sources:
        score = "no vector" if source.score is None else f"score {source.score:.2f}"
        score = answer.route.tool if by_facts else score
        dated = f"  dated {source.dated}" if source.dated else f"  file changed on {source.modified[:10]}"
        stale = f"  {source.stale.upper()} since it was indexed" if source.stale else ""
        also = f"  also in {', '.join(source.also)}" if source.also else ""
        lines.append(f"\n[{source.n}] {source.source}:{source.cited} ({source.heading})  {score}{dated}{stale}{also}")
        for proof in _proofs(answer, source):
            lines += [f"    {line}" for line in _as_seen(proof, source.place).split("\n")]
    if by_facts:
        lines.append(f"\n{how(answer.route)}")
    errors = [p for p in answer.problems if p.severity == "error"]
    if errors and all(p.code == "conflict" for p in errors):  # all is proved: only which holds is not known
        lines += ["", *(p.text[:1].upper() + p.text[1:] for p in errors)]
    elif answer.needs_review:
        lines += ["\nNeeds review:", *(f"- {p.text}" for p in errors)]
    notices = [aimed(p.text) for p in answer.problems if p.severity == "notice" and p.code not in _BESIDE]
    lines += [f"\nnote: {'; '.join(notices)}"] if notices else []
    lines += [f"\n{say('next', answer.lang)}:", *(f"- {text}" for text in answer.next)] if answer.next else []
    return "\n".join(lines)


def how(route: Route) -> str:
    """By which typed question the facts answered, in a line: "by facts: chain from 0006 over deprecates, owns"."""
    said = route.arguments
    things = [one for name in ("start", "thing", "a", "b", "subject", "object") if (one := said.get(name))]
    names = [str(one) for each in things for one in (each if isinstance(each, list) else [each])]
    over = [str(one[0]) for one in said.get("steps", ())] or [str(one) for one in said.get("predicates", ())]
    over += [str(one[0]) for one in said.get("where", ())] + ([said["predicate"]] if said.get("predicate") else [])
    parts = [f"by facts: {route.tool}", str(said.get("type") or "")]
    parts += [f"from {', '.join(names)}" if names else "", f"over {', '.join(over)}" if over else ""]
    parts += [f"{word} {day}" for word in ("since", "until") if (day := said.get(word))]
    parts += [f"as of {route.as_of}" if route.as_of else ""]
    return " ".join(part for part in parts if part)


def _as_seen(quote: str, place: str) -> str:
    """The words without the backslash that a conversion put before the number of a line; a plain text's own stay."""
    return _MADE_PLAIN.sub(r"\1", quote) if place else quote


def _proofs(answer: Answer, source: Source) -> list[str]:
    """The words that prove something, in the order of the file; those within the source's own quote stand there."""
    found = sorted((e.first_line, e.quote) for c in answer.claims for e in c.evidence if e.n == source.n)
    quotes = dict.fromkeys(quote for _, quote in found if quote == source.quote or quote not in source.quote)
    return list(quotes) if source.quote in quotes else [source.quote, *quotes]


def checks_as_text(answer: Answer) -> str:
    """Every claim with its status and the words that prove it."""
    lines = [f"Checks: {len(answer.claims)} claims"]
    for claim in answer.claims:
        lines.append(f"- {claim.status}: {claim.text}" + (f"  ({claim.reason})" if claim.reason else ""))
        if claim.judged:
            said = claim.judged.replace("_", " ")
            lines.append(f"    model judge: {said}" + (f", {claim.judged_why}" if claim.judged_why else ""))
        names = {source.n: source.source for source in answer.sources}
        for evidence in claim.evidence:
            place = evidence.place or f"L{evidence.first_line}-{evidence.last_line}"
            lines.append(f"    [{evidence.n}] {names.get(evidence.n, '')}:{place}")
            lines += [f"        {line}" for line in _as_seen(evidence.quote, evidence.place).split("\n")]
    return "\n".join(lines)
