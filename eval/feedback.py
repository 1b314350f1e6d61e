"""What people said of answers becomes cases for calibrate and run, once a person has approved it.

`list` and `show` print, `approve` and `reject` decide, `export` writes the approved cases in the form of data/qa.jsonl.
Nothing is a case without an approval that names what a right answer contains. Notes are printed, never acted on. Asks
no model. Try: python -m eval.feedback list
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import difflib
import getpass
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import commandline
from config import Settings
from errors import UsageError
from eval.export import as_line, merged
from eval.run import includes
from language.sentences import sentences
from language.wanted import holds, holds_unit, wanted, wanted_unit
from language.words import names
from storage import chain
from storage.feedback import Decision, Judgement, decide, forget, found, listed, texts, versions
from storage.schema import translated
from store import Store, store_of

ACTIONS = ("list", "show", "approve", "reject", "forget", "export")
_MOST_PROPOSED = 3
_BEHIND_CHARS = 25  # "28 paid vacation days"
_FIGURE = re.compile(r"(?<![\w.,])\d(?:[\d.,:/-]*\d)?(?:\s?(?:%|€|[^\W\d_]+))?")
_MARK = re.compile(r"\[\d+\]")
_MARKUP = re.compile(r"[*_`]")


def proposed(judged: Judgement) -> list[str]:
    """What an approver may want a right answer to contain: what the answer's first sentence gives of what was asked.

    Figures, else names (for a person or place the other way round), that stand in its sources, too. Of an answer that
    was judged wrong nothing is proposed.
    """
    if judged.verdict == "wrong":
        return []
    quotes = "\n".join(source["quote"] for source in judged.sources)
    kind = wanted(judged.question, judged.lang)
    lines = [line for line in _MARK.sub("", judged.answer).splitlines() if line.strip()]
    said = [line[a:b] for line in lines for a, b in sentences(line, judged.lang)]
    asked = [[m[0] for m in _FIGURE.finditer(text) if _is_asked(judged, kind, text, m)] for text in said]
    figures = [[m[0] for m in _FIGURE.finditer(text)] for text in said]
    named = [[*names(text, judged.lang)] for text in said]
    for rows in [named, figures] if kind in ("person", "place") else [asked, figures, named]:
        for of_one in rows:
            kept = [text for text in dict.fromkeys(of_one) if includes(quotes, [text])]
            if kept:
                return kept[:_MOST_PROPOSED]
    return []


def _is_asked(judged: Judgement, kind: str | None, text: str, figure: re.Match[str]) -> bool:
    """Whether a figure of the text is, with the words behind it, of the unit or kind asked for."""
    behind = re.match(r"\D*", text[figure.end() : figure.end() + _BEHIND_CHARS])
    near = figure[0] + (behind[0] if behind else "")
    unit = wanted_unit(judged.question, judged.lang)
    return holds_unit(unit, near) if unit else holds(kind, near)


def case_of(
    judged: Judgement, sources: Sequence[str], must: Sequence[str] | None, unanswerable: bool
) -> dict[str, Any]:
    """The case that an approver makes of a judgement; `must` is None as long as they said nothing about it.

    Raises UsageError with the flag that is missing or contradicts the judgement.
    """
    refused = judged.status == "not_found"
    if judged.verdict == "right" and refused and (sources or must):
        raise UsageError("The refusal was judged right, so the case has no --source and no --must.")
    if judged.verdict == "right" and not refused and unanswerable:
        raise UsageError("The answer was judged right, so the case is not --unanswerable. Reject it if it was not.")
    if unanswerable and (sources or must):
        raise UsageError("A case that is --unanswerable has no --source and no --must.")
    if judged.verdict == "right" and not refused and not sources:
        sources = list(dict.fromkeys(source["source"] for source in judged.sources))
    if judged.verdict == "wrong" and not sources and not unanswerable:
        raise UsageError("Say where the right answer stands (--source PATH --must TEXT), or that it is --unanswerable.")
    if not sources:
        if must:
            raise UsageError("--must needs a --source: the document that answers the question.")
        return _case(judged, "-", [])
    if must is None:
        raise UsageError(f"Say what a right answer contains: --must TEXT, --proposed or --no-must. {_proposal(judged)}")
    if judged.verdict == "right" and not includes(judged.answer, must):
        raise UsageError("The answer that was judged right does not contain every --must. Correct the text.")
    return _case(judged, sources[0], list(must)) | ({"alt_sources": list(sources[1:])} if sources[1:] else {})


def _case(judged: Judgement, source: str, must: list[str]) -> dict[str, Any]:
    return {"question": judged.question, "source": source, "must_include": must, "lang": judged.lang, "held": False}


def _proposal(judged: Judgement) -> str:
    told = proposed(judged)
    why = "the answer was judged wrong" if judged.verdict == "wrong" else "there is no figure or name"
    return f"Proposed: {' '.join(map(_quoted, told))}" if told else f"Nothing is proposed: {why}."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _approved(store: Store, judged: Judgement, args: argparse.Namespace) -> dict[str, Any]:
    """The case that the flags make of the judgement, its sources looked up in the index."""
    must = args.must
    if args.proposed:
        must = [*(must or []), *proposed(judged)]
        if not must:
            raise UsageError(f"{_proposal(judged)} Say it with --must TEXT, or --no-must.")
    if args.no_must:
        if must:
            raise UsageError("--no-must says that the right document alone decides; leave --must and --proposed out.")
        must = []
    if must and not all(text.strip() for text in must):
        raise UsageError("--must: a text is empty. The right document alone decides with --no-must.")
    sources = [source.strip().replace("\\", "/").removeprefix("./") for source in args.source or []]
    case = case_of(judged, list(dict.fromkeys(sources)), must, args.unanswerable)
    named = [case["source"], *case.get("alt_sources", [])] if case["source"] != "-" else []
    held = versions(store)
    for path in named:
        if path not in held:
            known = difflib.get_close_matches(path, held, n=1, cutoff=0.5)
            hint = f" Did you mean {known[0]}?" if known else ""
            raise UsageError(f"--source: {path} is no document of this index.{hint}")
    if judged.verdict != "right" or args.source:  # else each stands in the answer that was judged right
        _check_told(store, case["must_include"], named)
    return case


def _check_told(store: Store, must: Sequence[str], named: Sequence[str]) -> None:
    """Raises UsageError for a text that none of the named documents holds: no right answer could be cited for it."""
    held = "\n".join(texts(store, named))
    for text in must:
        if not includes(held, [text]) and not includes(_MARKUP.sub("", held), [text]):
            where = " or ".join(named)
            raise UsageError(
                f"--must: {_quoted(text)} does not stand in {where}. Write it as the document has it, or name the "
                "--source that does."
            )


def _notices(store: Store, judged: Judgement) -> list[str]:
    """What an approver must know beside the judgement."""
    told = []
    if judged.narrowed:
        asked = ", ".join(f"{name} {value}" for name, value in judged.narrowed.items())
        told.append(f"it was asked with {asked}; a case is asked of all documents")
    held = versions(store)
    for path, version in {source["source"]: source["version"] for source in judged.sources}.items():
        if path not in held:
            told.append(f"{path} is no longer in the index")
        elif held[path] != version:
            told.append(f"{path} has changed since the answer")
    return told


def _told_verdict(judged: Judgement) -> str:
    """The verdict; of a refusal "right refusal", or "wrong refusal" where the documents do tell it."""
    refusal = judged.status == "not_found" and judged.verdict != "should_be_found"
    return f"{judged.verdict} refusal" if refusal else judged.verdict


def _table(name: str, rows: Sequence[Judgement]) -> str:
    """Which index it is, what the columns are, and a line a judgement."""
    if not rows:
        told = f"Nobody has judged an answer of this index: {name}"
        return f"{told}\nFor that of other documents: --docs DIR, as the server has."
    head = _row("id", "judged on", "verdict", "decision", "lang", "question", "note")
    return "\n".join([f"judgements in {name}: {len(rows)}", head, *map(_line, rows)])


def _line(judged: Judgement) -> str:
    question, note = " ".join(judged.question.split()), " ".join(judged.note.split())
    verdict, decided = _told_verdict(judged), judged.decision or "-"
    return _row(judged.id[:8], judged.created_at[:10], verdict, decided, judged.lang, question, note)


def _row(id_: str, day: str, verdict: str, decided: str, lang: str, question: str, note: str) -> str:
    told = f"{id_:8}  {day:10}  {verdict:15}  {decided:8}  {lang:4}  {question}"
    return told + (f"  ({note})" if note else "")


def _shown(store: Store, judged: Judgement) -> str:
    decided = f"{judged.decision} {judged.decided_at[:10]} by {judged.decided_by}" if judged.decision else "not decided"
    lines = [f"{judged.id}  {judged.created_at}  by {judged.caller}", f"judged    {_told_verdict(judged)}; {decided}"]
    for name, text in (("question", judged.question), ("note", judged.note), (judged.status, judged.answer)):
        lines += [f"{name}:", *(f"    {line}" for line in text.splitlines())] if text else []
    for source in judged.sources:
        lines += [f"{source['source']}:{source['lines']}", *(f"    {line}" for line in source["quote"].splitlines())]
    lines += [f"model     {judged.model}", f"case      {as_line(judged.made) if judged.made else 'none'}"]
    lines += [f"note: {text}" for text in _notices(store, judged)]
    return "\n".join([*lines, _proposal(judged)] if judged.sources else lines)


def _decided(store: Store, judged: Judgement, args: argparse.Namespace) -> str:
    by = " ".join((args.by or _user()).split())[:100]
    if not by:
        raise UsageError("Nobody knows who you are here. Say who decides: --by NAME")
    made: dict[str, Any] = {}
    decision: Decision = "rejected"
    if args.action == "approve":
        decision, made = "approved", _approved(store, judged, args)
        for text in _notices(store, judged):
            commandline.notice(text)
    decide(store, judged, decision, by, made)
    return f"{decision} by {by}" + (f": {as_line(made)}" if made else "")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user without a name; Windows without USERNAME
        return ""


def _exported(store: Store, out: Path | None) -> str:
    approved = sorted(listed(store, "approved"), key=lambda judged: judged.decided_at)
    if out is None:
        return "\n".join(as_line(judged.made) for judged in approved)
    added, told = merged(out, [judged.made for judged in approved])
    return "\n".join([*told, f"{added} cases added to {out}"])


def _opened(settings: Settings) -> Store:
    if not settings.database and not settings.db.exists():
        raise UsageError(f"There is no index at {settings.db}, so nothing was judged. See --docs and --db.")
    return store_of(settings)


def _parser() -> argparse.ArgumentParser:
    parser = commandline.parser(
        "Read what people said of answers and make cases of it: list, show, approve, reject, forget, export.",
        'python -m eval.feedback approve 1f0e6c2b --must "28 days" --by "Ada"',
    )
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("id", nargs="?", help="the judgement's id, or how it begins")
    parser.add_argument("--must", nargs="+", action="extend", metavar="TEXT", help="what a right answer contains")
    parser.add_argument("--proposed", action="store_true", help="the same: take what `show` proposes")
    parser.add_argument("--no-must", action="store_true", help="the right document alone decides")
    parser.add_argument("--source", nargs="+", action="extend", metavar="PATH", help="documents that answer it")
    parser.add_argument("--unanswerable", action="store_true", help="no document answers it, and none should")
    parser.add_argument("--by", metavar="NAME", help="who decides; by default the system's user")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file of cases to add to (export)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line. Exit 0, 2 for wrong use or a file that cannot be used."""
    args = _parser().parse_intermixed_args(argv)
    if (args.id is None) != (args.action in ("list", "export")):
        raise UsageError(f"{args.action} {'needs' if args.id is None else 'takes no'} id. See --help")
    store = _opened(commandline.settings_of(args))
    try:
        if args.action == "list":
            rows = listed(store)
            told = as_line([asdict(row) for row in rows]) if args.json else _table(store.name, rows)
        elif args.action == "export":
            with translated(store.path):
                chain.export(store.connection(), {"action": "feedback", "file": str(args.out or "")})
            told = _exported(store, args.out)
        else:
            judged = found(store, args.id)
            if args.action == "show":
                told = as_line(asdict(judged)) if args.json else _shown(store, judged)
            elif args.action == "forget":
                forget(store, judged)
                told = f"{judged.id} is forgotten"
            else:
                told = _decided(store, judged, args)
    finally:
        store.close()
    if told:
        commandline.out(told)
    return 0


if __name__ == "__main__":
    commandline.run(main)
