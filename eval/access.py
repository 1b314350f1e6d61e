"""Asks every case as the one whose question it is, and as one who may not know: that one must learn nothing of it.

The rules are data/access.toml's, in memory: docs/ itself stays open. The asker is the case's `caller`; who may not know
is a colleague of another team and a guest. A trace is any difference to the reply of an index that holds nothing but
the pages that the person may read. Prints counts. Try: python -m eval.access
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import argparse
import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from access import CLOSED, EVERYONE, AccessList, Caller
from access.rules import RULES_FILE, RuleBook
from answer import Answer, Assistant
from config import PROJECT, Settings
from errors import UsageError
from eval.cases import Case, add_flags, chosen
from eval.run import includes
from models import pick
from retrieval.explain import explained
from search import Index
from sources import Entry
from sources.folder import FolderSource
from store import Store

RULES = PROJECT / "data" / RULES_FILE
PEOPLE = {
    "user:eva": ("group:engineering", "group:staff"),
    "user:jonas": ("group:germany", "group:staff"),
    "user:mina": ("group:staff",),
    "user:tom": ("group:contractors",),
    "user:guest": (),
}
"""Who asks, and their groups; the nearer to a page's readers, the earlier."""
GUEST = "user:guest"
"""Reads nothing."""


class RuledFolder(FolderSource):
    """A folder whose access rules stand elsewhere; with a `reader` it holds only what they may read."""

    def __init__(self, root: Path, rules: str, reader: Caller | None = None) -> None:
        """`rules` is the text of an access.toml."""
        super().__init__(root)
        self._book, self._reader = RuleBook({RULES_FILE: rules}, "", CLOSED), reader

    def access(self, path: str) -> AccessList:
        """What those rules say."""
        return self._book.list_of(path)

    def entries(self) -> Iterator[Entry]:
        """The files of the folder, or those of the reader."""
        return (e for e in super().entries() if self._reader is None or self.access(e.path).lets(self._reader))


@dataclass(frozen=True, slots=True)
class Tried:
    """A case asked by one person."""

    case: Case
    who: str
    may_know: bool
    status: str
    ok: bool  # for one who may know: answered rightly, or rightly refused
    traced: bool  # the reply differs from that of an index without the pages that this person may not read


def caller_of(who: str) -> Caller:
    """The person of PEOPLE with their groups. Raises UsageError for another."""
    if who not in PEOPLE:
        raise UsageError(f"The case's caller {who!r} is none of {', '.join(PEOPLE)}.")
    return Caller(who, frozenset({who, EVERYONE, *PEOPLE[who]}))


def asked(whole: Index, own: Mapping[str, Index], source: RuledFolder, cases: Sequence[Case]) -> Iterator[Tried]:
    """Every case as its asker, as the first of PEOPLE who may not read its pages, and as a guest.

    `own`: for each person an index of nothing but what they may read.
    """
    for case in cases:
        able = [who for who in PEOPLE if any(source.access(path).lets(caller_of(who)) for path in case.sources)]
        if case.answerable and case.caller not in able:
            raise UsageError(f"{case.caller or 'Nobody'} may not read {case.sources[0]}, and is the case's caller.")
        others = [who for who in PEOPLE if case.answerable and who not in able]
        for who in dict.fromkeys([case.caller, *others[:1], GUEST]):
            (answer, told), (_, alone) = (_asked(index, caller_of(who), case) for index in (whole, own[who]))
            yield Tried(case, who, who in able, answer.status, _is_right(case, answer), told != alone)


def _asked(index: Index, caller: Caller, case: Case) -> tuple[Answer, str]:
    answer, found = Assistant(index).ask(caller, case.question)
    told = [answer.model_dump(exclude={"id", "timings"}), explained(found)]
    return answer, re.sub(r"'indexed_at': '[^']*'", "", str(told))  # each index was made at its own time


def _is_right(case: Case, answer: Answer) -> bool:
    if not case.answerable:
        return answer.status == "not_found"
    cited = any(source.source in case.sources for source in answer.sources)
    return answer.status != "not_found" and cited and includes(answer.answer, case.must_include)


@contextlib.contextmanager
def opened(settings: Settings, place: Path, reader: Caller | None = None) -> Iterator[Index]:
    """An index of the folder under the rules, synced. Raises SourceError, ModelError, StoreError."""
    name = re.sub(r"\W", "-", reader.id) if reader else "all"
    settings = replace(settings, db=place / f"{name}.db", database="")
    source = RuledFolder(settings.docs_dir, RULES.read_text(encoding="utf-8"), reader)
    with Index(settings, pick(settings), source, Store(settings.db)) as index:
        index.sync()
        yield index


def report(tried: Sequence[Tried]) -> dict[str, Any]:
    """Counts by who asked."""
    askers = [one for one in tried if one.who == one.case.caller and one.case.answerable]
    others = [one for one in tried if not one.may_know and one.case.answerable]
    guests = [one for one in others if one.who == GUEST]
    colleagues = [one for one in others if one.who != GUEST]
    return {
        "asked by their asker": len(askers),
        "of these rightly answered": sum(one.ok for one in askers),
        "asked by a colleague who may not know": len(colleagues),
        "of these refused": sum(one.status == "not_found" for one in colleagues),
        "asked by a guest": len(guests),
        "of those refused": sum(one.status == "not_found" for one in guests),
        "replies": len(tried),
        "replies with a trace of a page that is not theirs": sum(one.traced for one in tried),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 1 when a reply holds a trace, or a guest is not refused."""
    import commandline

    parser: argparse.ArgumentParser = commandline.parser(
        "Ask each case as its asker and as one who may not know.", "python -m eval.access --all"
    )
    add_flags(parser)
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    cases = chosen(args, settings)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="brain-access-")))
        whole = stack.enter_context(opened(settings, place))
        own = {who: stack.enter_context(opened(settings, place, caller_of(who))) for who in PEOPLE}
        assert isinstance(whole.source, RuledFolder)
        tried = list(asked(whole, own, whole.source, cases))
    told = report(tried)
    traced = [one for one in tried if one.traced and (args.explain or not one.case.held)]
    if args.json:
        print(commandline.json_text(told | {"traces": [asdict(one) for one in traced]}))
    else:
        for name, count in told.items():
            print(f"{name:52}{count:5}")
        for one in traced:
            commandline.out(f"{one.who}: {one.case.question}")
    leaks = told["replies with a trace of a page that is not theirs"]
    return 1 if leaks or told["asked by a guest"] > told["of those refused"] else 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
