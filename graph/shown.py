"""A result for people at a terminal: its rows, and below each the words that show it, with path and lines.

Knows no question. Try: python -m graph card --thing Service/plan-store
"""

from graph.phrases import verb
from graph.result import Result, is_undated
from graph.texts import Said
from graph.view import Fact, View
from storage.facts import EvidenceRow, NameRow

_MOST_WORDS = 2  # of one fact
_MOST_QUOTE = 200


def shown(view: View, result: Result, rows: int = 40, *, with_words: bool = True) -> str:
    """The first `rows` rows and what shows them; or why there is none."""
    listed = result.rows[:rows]
    words = view.words([fact for row in listed for fact in row.facts]) if with_words else {}
    bare = " (start not stated)" if result.tool != "card" and any(not row.facts for row in listed) else ""
    lines = [f"As of {result.as_of}{bare}:"] if result.as_of else []
    lines += [_heads(result)] if listed and len(result.columns) > 1 else []
    for row in listed:
        lines.append("  ".join(cell or "-" for cell in row.cells))
        if with_words:
            for fact in row.facts:
                lines.append(f"    {_fact(fact, undated=is_undated(fact, words, result.as_of))}")
                held = [words[number] for number in fact.evidence if number in words][:_MOST_WORDS]
                lines += [_cited(one.path, one.first_line, one.last_line, one.quote) for one in held]
            lines += [_cited(one.path, one.first_line, one.last_line, one.quote) for one in row.said]
            lines += [_cited(one.path, one.first_line, one.last_line, one.quote) for one in row.named]
    left = len(result.rows) - len(listed)
    lines += [f"... and {left:,} more rows"] if left else []
    lines += [result.why] if result.why else []
    if len(result.rows) > 1:
        lines.append(f"{len(result.rows):,} rows")
    return "\n".join(lines)


def as_json(view: View, result: Result) -> dict[str, object]:
    """The same for programs, with all rows."""
    words = view.words([fact for row in result.rows for fact in row.facts])

    def of(fact: Fact) -> dict[str, object]:
        held = [_words(words[number]) for number in fact.evidence if number in words]
        return {
            "subject": fact.subject.key, "predicate": fact.predicate, "object": fact.object.key if fact.object else "",
            "value": fact.value, "qualifier": fact.qualifier, "valid_from": fact.valid_from, "valid_to": fact.valid_to,
            "until": fact.until, "observed_at": fact.observed_at, "status": fact.status,
            "undated": is_undated(fact, words, result.as_of), "evidence": held,
        }  # fmt: skip

    rows = [
        {
            "cells": [*row.cells], "thing": row.thing.key if row.thing else "",
            "facts": [of(fact) for fact in row.facts], "named": [_words(one) for one in row.named],
            "said": [_words(one) for one in row.said],
        }
        for row in result.rows
    ]  # fmt: skip
    return {
        "tool": result.tool, "arguments": dict(result.arguments), "as_of": result.as_of, "why": result.why,
        "columns": [*result.columns], "rows": rows,
    }  # fmt: skip


def _words(one: EvidenceRow | NameRow | Said) -> dict[str, object]:
    return {"source": one.path, "lines": [one.first_line, one.last_line], "quote": one.quote}


def _heads(result: Result) -> str:
    return "  ".join(result.columns).upper()


def _fact(fact: Fact, *, undated: bool) -> str:
    """What it says, with its time and status."""
    said = f"{fact.subject.name} {verb(fact.predicate) if fact.object else f'{fact.predicate}:'} {fact.said}"
    narrowed = f" ({fact.qualifier})" if fact.qualifier else ""
    times = ["start not stated"] if undated else []
    times += [f"{word} {day}" for word, day in (("since", fact.valid_from), ("until", fact.until)) if day]
    times += [f"last confirmed {fact.observed_at}"] if fact.observed_at else []
    read = ["read by a model"] if fact.by_model else []
    return f"{said}{narrowed}: {', '.join([*times, fact.status, *read])}"


def _cited(path: str, first: int, last: int, quote: str) -> str:
    said = " ".join(quote.split())
    said = said if len(said) <= _MOST_QUOTE else f"{said[: _MOST_QUOTE - 2]} …"
    return f"        {path}:L{first}{f'-{last}' if last != first else ''}  {said}"
