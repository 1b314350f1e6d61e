"""The declared sources: parts of the documents' folder with an owner, and the inventory of who may read what in them.

`[sources.NAME]` in brain.toml declares one; what none covers is the source `documents`. Knows paths and lists, opens
no file. Try: python -m access.sources
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from access import CLOSED, LOCAL, OPEN_LIST, AccessList, passes, principal
from access.passes import Pass
from access.rules import RULES_FILE, default_list
from config import Settings
from errors import UsageError
from settings.sources import Declared

LATE_HOURS = {"hourly": 6.0, "daily": 48.0, "weekly": 336.0, "monthly": 1488.0}
"""By its change rate, after how long without a complete sync a source's documents may be past: told in the answer."""
FRESH_HOURS = 24.0
"""Lists compared with their source within that time count as fresh."""


@cache
def declared(sources: tuple[Declared, ...], guarded: bool) -> tuple[Declared, ...]:
    """All sources, from the longest path to the shortest, principals normalised; the last covers every document.

    Raises UsageError for an owner or a default that is no principal.
    """
    whole = Declared("documents", owner="" if guarded else LOCAL)
    found = {one.path: one for one in (whole, *map(_checked, sources))}
    return tuple(sorted(found.values(), key=lambda one: -len(one.path)))


def source_of(sources: Sequence[Declared], path: str) -> Declared:
    """The source that a document belongs to: of those that `declared` gave, the nearest folder's."""
    return next(one for one in sources if not one.path or path.startswith(f"{one.path}/"))


def late(
    sources: Sequence[Declared], paths: Iterable[str], age_hours: float, held: Callable[[], Mapping[str, Pass]]
) -> list[tuple[Declared, float]]:
    """The sources of these documents that were last gone through too long ago for their rate, and how many hours ago.

    `age_hours` is that of the last sync; `held`, asked only for a source that comes from elsewhere, its passes.
    """
    found = []
    for one in sorted({source_of(sources, path) for path in paths}):
        hours = age_hours
        if one.reader != "folder":
            at = held().get(passes.contents(one.name), Pass()).complete
            age = datetime.now(UTC) - datetime.fromisoformat(at) if at else timedelta.max
            hours = max(hours, age.total_seconds() / 3600)
        if hours > LATE_HOURS.get(one.change_rate, float("inf")):
            found.append((one, hours))
    return found


def _checked(source: Declared) -> Declared:
    try:
        default_list(True, source.default)
        default_list(True, source.anyone)
        return source._replace(owner=principal(source.owner) if source.owner else "")
    except ValueError as error:
        raise UsageError(f"[sources.{source.name}] in brain.toml: {error}.") from error


@dataclass(frozen=True, slots=True)
class Inventory:
    """A source as those see it who answer for it."""

    name: str
    path: str  # below the documents' folder
    owner: str
    sensitivity: str
    change_rate: str
    reader: str
    schedule: str
    permission_model: str
    documents: int
    open: int  # that everyone may read
    nobody: int  # that nobody may read: a list that is empty, missing, or not known as a whole
    last_pass: str  # when all of it was last gone through: UTC, ISO 8601; "" for never
    access_pass: str  # the same of its access lists
    last_failure: str  # when that failed last; "" for never
    error: str  # how: the error's code and what it says
    special: str  # categories of protected data that may stand in it, and why; "none" otherwise
    fresh_share: float  # of its lists, compared with where they come from within FRESH_HOURS


def inventory(
    settings: Settings, guarded: bool, lists: Mapping[str, AccessList], rules: Iterable[str], synced: str,
    held: Mapping[str, Pass], now: datetime,
) -> list[Inventory]:  # fmt: skip
    """Each source of `settings` with what the index holds of it: `lists` by path, `rules` the paths of access.toml.

    `synced`: when the lists in the index were last compared with the folder; `held`: the passes.
    """
    sources = declared(settings.sources, guarded)
    files = {one: sum(source_of(sources, path) == one for path in rules) for one in sources}
    above = {one: any(f"{one.path}/".startswith(path.removesuffix(RULES_FILE)) for path in rules) for one in sources}
    found = []
    for one in reversed(sources):
        mine = [listed for path, listed in lists.items() if source_of(sources, path) == one]
        whole, of_lists, worst = _passes(one, held, synced)
        found.append(
            Inventory(
                one.name, one.path or ".", one.owner or "nobody", one.sensitivity, one.change_rate, one.reader,
                _schedule(settings, one), _model(one, files[one], above[one], guarded), len(mine),
                mine.count(OPEN_LIST), sum(not (listed.allow and listed.narrow != CLOSED.allow) for listed in mine),
                passes.seconds_of(whole), passes.seconds_of(of_lists), passes.seconds_of(worst.failed),
                f"{worst.code}: {worst.error}" if worst.code else "", _special(one),
                float(_is_fresh(min(of_lists, synced), now)),
            )
        )  # fmt: skip
    return found


def _special(source: Declared) -> str:
    return f"{', '.join(source.special_categories)}: {source.reason}" if source.special_categories else "none"


def _passes(source: Declared, held: Mapping[str, Pass], synced: str) -> tuple[str, str, Pass]:
    """When all of a source and when its lists were last gone through, and the pass that failed last."""
    documents = held.get(passes.DOCUMENTS, Pass())
    if source.reader == "folder":
        return documents.complete, synced, documents
    whole, of_lists = (held.get(name, Pass()) for name in (passes.contents(source.name), passes.lists(source.name)))
    return whole.complete, of_lists.complete, max(documents, whole, of_lists, key=lambda one: one.failed)


def _is_fresh(at: str, now: datetime) -> bool:
    return bool(at) and 0 <= (now - datetime.fromisoformat(at)).total_seconds() <= 3600 * FRESH_HOURS


def _schedule(settings: Settings, source: Declared) -> str:
    if source.reader != "folder":
        every = {"": source.schedule, "its lists ": source.access_schedule}
        return " and ".join(f"{what}every {span}" for what, span in every.items() if span) or "when it is asked for"
    told = [f"every {source.schedule}"] if source.schedule else []
    told += ["as it changes"] * settings.follow + [f"every {settings.sync_every:g} s"] * bool(settings.sync_every)
    return " and ".join(told) or "when it is asked for"


def _model(source: Declared, files: int, above: bool, guarded: bool) -> str:
    if source.reader != "folder":
        return "who finds each file at its source; anything else in the folder is nobody's"
    if files or above:
        where = f"{files} {RULES_FILE}" if files else f"{RULES_FILE} above it"
        return f"{where}; what they do not name is its owner's"
    if source.default:
        return f"default: {source.default}"
    return "none: nobody reads it until it has rules or a default" if guarded else "none: everyone reads it"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the inventory, or does what is due or asked for.

    Exit 0; 2 for wrong use or a folder that cannot be used, 3 for a system that is away. Raises BrainError.
    """
    import commandline

    parser = commandline.bare_parser(
        "Show every source: its owner, how sensitive it is, who may read it, how fresh it is. Or bring it up to date.",
        "python -m access.sources --due",
    )
    commandline.add_index_flags(parser)
    parser.add_argument("--due", action="store_true", help="do what the schedules say is due, then sync the index")
    parser.add_argument("--now", metavar="NAME", help="go through this source now, then sync the index")
    parser.add_argument("--lists", action="store_true", help="with --now: its access lists alone")
    parser.add_argument("--allow-empty", action="store_true", help="with --now: accept that most of it is gone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    if (args.due and args.now) or ((args.lists or args.allow_empty) and not args.now):
        raise UsageError("--lists and --allow-empty go with --now NAME, and --due goes alone.")
    if args.due or args.now:
        from service.bringing import bring

        report, code = bring(settings, args.now or "", args.lists, args.allow_empty)
        commandline.show(report, args.json)
        return code
    commandline.show(_shown(settings, args.json), args.json)
    return 0


def _shown(settings: Settings, as_json: bool) -> dict[str, Any]:
    from contextlib import closing
    from dataclasses import asdict

    def command() -> tuple[Mapping[str, AccessList], list[str], str, Mapping[str, Pass]]:
        from storage import lists
        from store import store_of

        with closing(store_of(settings)) as store:
            rules = [path for (path,) in store.connection().execute("SELECT path FROM access_rules")]
            return store.lists_by_path(), rules, lists.synced_at(store.connection()), store.passes()

    from access.identity import signs_in

    lists, rules, synced, held = command()
    rows = inventory(settings, signs_in(settings), lists, rules, synced, held, datetime.now(UTC))
    told: dict[str, Any] = {row.name if as_json else f"source {row.name}": asdict(row) for row in rows}
    return told | {name: one.told() for name, one in held.items() if name.startswith(passes.DIRECTORY)}


if __name__ == "__main__":
    import commandline

    commandline.run(main)
