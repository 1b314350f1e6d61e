"""The command line of what people decide: names that may be one thing's, and facts that disagree.

Whoever the settings say asks at this machine sees what they may read, needs `audit` to see and `operate` to decide.
Knows no SQL. Try: python -m graph.decide --list
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict

import commandline
from access.auditor import noted
from access.identity import AUDIT, OPERATE
from errors import UsageError
from graph import decide
from graph.decide import Conflicts, Pair, Side, Words
from graph.view import view_of
from search import open_index

_PROMPT = "python -m graph.decide"


def command(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0, 1 for an empty list. Raises NotAllowed, UsageError, NoSuchDispute."""
    from access.local import local_identity

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    chosen = [name for name in ("merge", "apart", "undo", "keep", "reopen") if getattr(args, name)]
    if len(chosen) + bool(args.list) != 1:
        raise UsageError(f"Say one thing to do: {_PROMPT} --list, or --merge ID, --apart ID, --undo ID, --keep ID ID")
    with open_index(settings, notice=commandline.notice) as index:
        by = local_identity(settings, index.store.connection, scope=AUDIT)
        if chosen:
            by.need(OPERATE)
        else:
            noted(index.store.connection(), by.caller, "decide", {"outcome": args.outcome})
        with index.store.reader(by.caller) as reader:
            view = view_of(index, reader)
            is_pair = bool(chosen) and chosen[0] in decide.DECISIONS
            pairs = [decide.pair(view, getattr(args, chosen[0]))] if is_pair else []
            if args.list:
                pairs = decide.pairs(view, "" if args.outcome == "all" else args.outcome, limit=args.limit)
            found = decide.disagreements(view) if args.list or not is_pair else Conflicts()
        if is_pair:
            decide.decide(index.store.connection(), by.caller, pairs[0], chosen[0], args.why)
        elif chosen:
            rule, (kept, closed) = decide.keep if chosen[0] == "keep" else decide.reopen, getattr(args, chosen[0])
            rule(index.store.connection(), by.caller, found, kept, closed, args.why)
    if chosen:
        commandline.out(f"decided: {chosen[0]}")
        return 0
    if args.json:
        told = {"open": [asdict(one) for one in found.open], "decided": [asdict(one) for one in found.decided]}
        print(commandline.json_text({"pairs": [asdict(one) for one in pairs], "conflicts": told}))
    else:
        commandline.out(
            "\n".join(_lines(pairs, found)) or "Nothing to decide: no names are alike, and nothing disagrees."
        )
    return 0 if pairs or found.open or found.decided else 1


def _parser() -> argparse.ArgumentParser:
    made = commandline.bare_parser(
        "Decide which names are one thing's, and which of two facts that disagree holds.", f"{_PROMPT} --list"
    )
    made.prog = _PROMPT
    made.add_argument("--list", action="store_true", help="show pairs of names and conflicts, the newest first")
    made.add_argument(
        "--outcome",
        default="proposed",
        metavar="WORD",
        help="pairs that are proposed (these if none is named), blocked, merged, apart, or all",
    )
    made.add_argument("--limit", type=int, default=50, metavar="N", help="pairs to show (50)")
    made.add_argument("--merge", metavar="ID", help="the two names of this pair are one thing's")
    made.add_argument("--apart", metavar="ID", help="they are two things'")
    made.add_argument("--undo", metavar="ID", help="take back what was decided on the pair")
    for name, told in (
        ("keep", "the first of these two facts holds, the second does not"),
        ("reopen", "take that back"),
    ):
        made.add_argument(f"--{name}", nargs=2, metavar=("FACT", "FACT"), help=told)
    made.add_argument("--why", default="", metavar="TEXT", help="the reason, for the record")
    commandline.add_index_flags(made)
    made.add_argument("--json", action="store_true", help="print JSON")
    return made


def _lines(pairs: Sequence[Pair], found: Conflicts) -> list[str]:
    lines = []
    for one in pairs:
        how = f"{one.tier} {one.similarity:.2f}, {one.reason}; by {one.decided_by}, {one.at[:10]}"
        lines.append(f"{one.id}  {one.outcome}: {one.type} {one.a.name} = {one.b.name} ({how})")
        lines += [_cited(one.a.words), _cited(one.b.words)]
    for conflict in found.open:
        lines.append(f"conflict: {conflict.thing} {conflict.predicate}".rstrip())
        for side in conflict.sides:
            lines += [f"  {side.id}  {_said(side)}", *(_cited(words) for words in side.words[:2])]
    for ruled in found.decided:
        state = "decided" if ruled.is_in_force else "taken back"
        lines.append(f"{state} by {ruled.made_by}, {ruled.made_at[:10]}: {ruled.why}".rstrip(": "))
        lines += [f"  {ruled.kept.id}  kept: {_said(ruled.kept)}", f"  {ruled.closed.id}  not: {_said(ruled.closed)}"]
    return lines


def _said(side: Side) -> str:
    told = " ".join(part for part in (side.subject, side.predicate, side.said, side.qualifier) if part)
    read = ", read by a model" if side.by_model else ""
    return f"{told} ({side.observed_at or 'no date'}, {side.status}{read})"


def _cited(words: Words) -> str:
    quote = " ".join(words.quote.split())[:160]
    return f"    {words.path} L{words.first_line}-{words.last_line}: {quote}"
