"""What an auditor asks of the log: is it whole, what happened, who could have seen a document, what an answer knew.

Needs the scope `audit`; every reading of the log is written into it first. Its `command` is what
`python -m access.audit` runs. Try: python -m access.audit show
"""

import argparse
import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import commandline
from access import Caller
from access.audit import (
    Head,
    Kind,
    Report,
    Row,
    append,
    canonical,
    head,
    prune,
    read_heads,
    read_key,
    rows,
    verify,
    write_head,
)
from access.history import carried, could_have_seen, day_of
from access.identity import AUDIT
from access.local import local_identity
from config import Settings
from database import Connection
from errors import UsageError

_ASKING: tuple[Kind, ...] = ("question", "search", "feedback")
_NARROWS = ("since", "until", "caller", "document", "kind")
_PROMPT = "python -m access.audit"


def command(argv: Sequence[str] | None = None) -> int:
    """The command line, for whoever the settings say asks at this machine and holds the scope `audit`.

    Exit 0, 1 for nothing found, 2 for wrong use or a fault of the chain. Raises NotAllowed, Unauthenticated.
    """
    from storage.schema import reading, translated
    from store import name_of, store_of

    args = _parser().parse_args(argv)
    settings = commandline.settings_of(args)
    if not settings.database and not settings.db.is_file():
        raise UsageError(f"There is no index yet at {settings.db}. Run: python store.py --sync")
    args.place = name_of(settings)
    with contextlib.ExitStack() as stack:
        stack.enter_context(translated(settings.db))
        connection: Connection
        if args.job in ("verify", "head") and not settings.database:
            connection = stack.enter_context(contextlib.closing(reading(settings.db)))
            _check_form(connection, settings)
        else:
            connection = stack.enter_context(contextlib.closing(store_of(settings))).connection()
        by = local_identity(settings, lambda: connection, scope=AUDIT).caller
        return _JOBS[args.job](args, settings, connection, by)


def _check_form(connection: Connection, settings: Settings) -> None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'audit'").fetchone():
        raise UsageError(f"{settings.db} is of a form without an audit log; the next sync brings it up.")


def _parser() -> argparse.ArgumentParser:
    made = commandline.bare_parser(
        "Look through the audit log: is it whole, who asked what, who could have seen a document.",
        f"{_PROMPT} could-have-seen leave-policy.md --on 2026-11-30",
    )
    jobs = made.add_subparsers(dest="job", required=True, metavar="JOB")

    def job(name: str, told: str) -> argparse.ArgumentParser:
        one = jobs.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
        commandline.add_index_flags(one)
        one.add_argument("--json", action="store_true", help="print JSON")
        return one

    one = job("verify", "look through the chain; exit 2 for a fault")
    one.add_argument("--head", metavar="FILE", help="heads kept elsewhere, to compare with (BRAIN_AUDIT_HEAD_FILE)")
    one = job("show", "print the rows in order, with --json one a line")
    one.add_argument("--since", metavar="DAY", help="from this day (UTC) or moment on")
    one.add_argument("--until", metavar="DAY", help="to the end of this day or to this moment")
    one.add_argument("--caller", metavar="ID", help="by this caller, or by an agent for them: user:ada")
    one.add_argument("--document", metavar="PATH", help="in which this document was told or its rights changed")
    one.add_argument("--kind", metavar="KIND", help="of this kind: question, read, rights, ...")
    one = job("could-have-seen", "say who could have seen a document on a day, and who was shown it")
    one.add_argument("document", metavar="PATH")
    one.add_argument("--on", metavar="DAY", required=True, help="2026-11-30 (UTC), or a moment: 2026-11-30T14:05")
    one = job("answer", "say what the assistant knew when it gave an answer")
    one.add_argument("id", metavar="ID", help="the answer's id, or its beginning")
    one = job("head", "print the chain's head, to be kept elsewhere")
    one.add_argument("--sign", action="store_true", help="sign it with the key of BRAIN_AUDIT_SIGN_KEY")
    one.add_argument("--out", metavar="FILE", help="add it to FILE as a line")
    one = job("prune", "cut off what is older than BRAIN_AUDIT_DAYS, in a way that the chain tells of")
    one.add_argument("--days", type=int, metavar="N", help="instead of BRAIN_AUDIT_DAYS")
    return made


def noted(connection: Connection, by: Caller, action: str, asked: Mapping[str, Any], road: str = "cli") -> None:
    """Writes down that the log is about to be read; what cannot be written down is not read. Raises sqlite3.Error."""
    told = {"action": action, "asked": {name: value for name, value in asked.items() if value}}
    within = {"within": [sorted(held) for held in by.within]} if by.within else {}
    person = {"for": by.person} if by.person else {}
    append(connection, "audit", by.id, {"road": road, "principals": sorted(by.principals)} | person | within | told)


def found_rows(
    connection: Connection, *, since: str = "", until: str = "", caller: str = "", document: str = "",
    kind: str = "", after: int = 0, before: int = 0, newest: bool = False,
) -> Iterator[Row]:  # fmt: skip
    """The rows from one day (or moment) to another, by a caller, that tell of a document, of a kind, between numbers.

    `newest`: the last one first. Raises UsageError for a day or kind that is none.
    """
    kinds = [one for one in get_args(Kind) if one == kind]
    if kind and not kinds:
        raise UsageError(f"There is no kind {kind!r}, only {', '.join(get_args(Kind))}.")
    first = day_of(since)[0].isoformat(timespec="microseconds") if since else ""
    last = (day_of(until)[1] + timedelta(microseconds=1)).isoformat(timespec="microseconds") if until else ""
    holding = canonical(document) if document else ""
    return rows(
        connection, kinds=kinds, since=first, until=last, caller=caller, holding=holding, after=after, before=before,
        newest=newest,
    )  # fmt: skip


def rows_of_answer(connection: Connection, name: str) -> list[Row]:
    """What was written of the answer (or search) whose id begins so. Raises UsageError where there are two of them."""
    if not re.fullmatch(r"[0-9a-f]{4,32}", name):
        raise UsageError(f"{name[:40]!r} is no answer's id: 4 to 32 of the digits 0-9 a-f. See: {_PROMPT} show")
    found = [
        row for row in rows(connection, kinds=_ASKING, holding=f'"id":"{name}')
        if str(row.body.get("id", "")).startswith(name)
    ]  # fmt: skip
    if len({row.body["id"] for row in found}) > 1:
        raise UsageError(f"More than one answer begins with {name!r}. Give more of its id.")
    return found


def verified(connection: Connection, settings: Settings, named: str = "", *, tail: bool = False) -> Report:
    """What a look through the chain finds, against the heads in the file `named` or else the setting's.

    `tail`: at the last thousand rows alone. Raises UsageError for a file that cannot be read, sqlite3.Error.
    """
    kept = Path(named) if named else settings.audit_head_file
    heads = read_heads(kept) if kept and (named or kept.exists()) else []
    key = read_key(settings.audit_sign_key, "BRAIN_AUDIT_SIGN_KEY") if settings.audit_sign_key else None
    report = verify(connection, heads, key, tail=tail)
    if not heads:
        report.notes.append(
            "whether rows were cut off the end, or all written anew, only a kept head tells: --head FILE"
        )
    return report


def _verify(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    report = verified(connection, settings, args.head or "")
    told = {"database" if settings.database else "file": args.place, **asdict(report)}
    if not args.json:
        told |= {"head": report.head.as_line() if report.head else "none", "cut": report.cut and report.cut.as_line()}
    commandline.show({"audit": {name: value for name, value in told.items() if value is not None}}, args.json)
    return 2 if report.faults else 0


def _show(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    found = found_rows(
        connection, since=args.since or "", until=args.until or "", caller=args.caller or "",
        document=args.document or "", kind=args.kind or "",
    )  # fmt: skip
    noted(connection, by, "show", {name: getattr(args, name) for name in _NARROWS})
    some = False
    for row in found:
        some = True
        commandline.out(commandline.json_text(asdict(row), None) if args.json else _line(row))
    return 0 if some else 1


def _line(row: Row) -> str:
    """A row for people: number, time, kind, who, and the first things its body says."""
    body = dict(row.body)
    caller = f"{row.caller} for {body.pop('for')}" if "for" in body else row.caller
    told = [str(body.pop(name)) for name in ("road", "status", "reason", "action", "verdict") if name in body]
    told += [f"asked by {body.pop('by')}"] if "by" in body else []
    if "question" in body:
        told.append(json.dumps(body.pop("question"), ensure_ascii=False))
    documents = body.pop("documents", [])
    told += [f"{one['path']}:{one['lines']}" if "lines" in one else str(one["path"]) for one in documents]
    if not told or row.kind not in (*_ASKING, "read"):
        told.append(canonical(body))
    return f"{row.number}  {row.at[:19]}Z  {row.kind}  {caller}  {'  '.join(told)}"


def _could_have_seen(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    begin, end = day_of(args.on)
    noted(connection, by, "could-have-seen", {"document": args.document, "on": args.on})
    seen = could_have_seen(connection, args.document, begin, end)
    lists = [
        {"since": span.since or "before the log begins"}
        | ({"indexed": "no"} if span.rights is None else {
            "allow": _names(span.rights.allow), "deny": _names(span.rights.deny),
            "narrow": None if span.rights.narrow is None else _names(span.rights.narrow) or "nobody",
        })
        for span in seen.spans
    ]  # fmt: skip
    told = {
        "document": seen.document, "from": seen.begin, "to": seen.end, "lists": lists,
        "could": [f"{name} by {held}" for name, held in sorted(seen.people.items())],
        "came_and_could": [f"{name} by {held}" for name, held in sorted(seen.came.items())],
        "was_shown_it": [f"{name}, {times} time{'s' * (times > 1)}" for name, times in sorted(seen.did.items())],
        "notes": seen.notes,
    }  # fmt: skip
    commandline.show({"could_have_seen": told}, args.json)
    return 0 if seen.spans else 1


def _names(principals: Collection[str]) -> str:
    return ", ".join(sorted(principals))


def _answer(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    noted(connection, by, "answer", {"id": args.id})
    found = rows_of_answer(connection, args.id)
    for row in found:
        body = dict(row.body)
        documents = [
            f"{one['as']}: {one['path']}:{one['lines']} version {one['version']}" + (
                f", also in {', '.join(one['also'])}" if "also" in one else ""
            )
            for one in body.pop("documents", [])
        ]  # fmt: skip
        told = {"row": row.number, "at": row.at, "caller": row.caller, **body, "documents": documents}
        commandline.show({row.kind: asdict(row) if args.json else told}, args.json)
    if not found:
        commandline.notice("the log holds no answer of this id: it was never given, or a retention cut it off")
    return 0 if found else 1


def _head(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    made = head(connection)
    if made is None:
        commandline.notice("the log is empty: there is no head yet")
        return 1
    if args.sign:
        if settings.audit_sign_key is None:
            raise UsageError("--sign needs a key: name its file with BRAIN_AUDIT_SIGN_KEY.")
        made = made.signed(read_key(settings.audit_sign_key, "BRAIN_AUDIT_SIGN_KEY"))
    if args.out:
        _add_head(Path(args.out), made)
    print(made.as_line())
    return 0


def _add_head(path: Path, made: Head) -> None:
    try:
        write_head(path, made)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Name another file with --out.") from error


def _prune(args: argparse.Namespace, settings: Settings, connection: Connection, by: Caller) -> int:
    days = settings.audit_days if args.days is None else args.days
    if days < 1:
        raise UsageError("For how many days rows stay is not said: --days N, or BRAIN_AUDIT_DAYS.")
    gone = prune(connection, datetime.now(UTC) - timedelta(days=days), by.id, carried)
    commandline.show({"prune": {"rows": gone, "older_than_days": days}}, args.json)
    return 0


_JOBS: dict[str, Callable[[argparse.Namespace, Settings, Connection, Caller], int]] = {
    "verify": _verify, "show": _show, "could-have-seen": _could_have_seen, "answer": _answer, "head": _head,
    "prune": _prune,
}  # fmt: skip
