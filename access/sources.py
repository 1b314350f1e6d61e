"""The declared sources: parts of the documents' folder with an owner, and the inventory of who may read what in them.

`[sources.NAME]` in brain.toml declares one; what none covers is the source `documents`. Knows paths and lists, opens
no file. Try: python -m access.sources
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from access import CLOSED, LOCAL, OPEN_LIST, AccessList, principal
from access.rules import RULES_FILE, default_list
from config import Declared, Settings
from errors import UsageError

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


def late(sources: Sequence[Declared], paths: Iterable[str], age_hours: float) -> list[str]:
    """Names of the sources of these documents that were last compared with their folder too long ago for their rate."""
    found = {source_of(sources, path) for path in paths}
    return sorted(one.name for one in found if age_hours > LATE_HOURS.get(one.change_rate, float("inf")))


def _checked(source: Declared) -> Declared:
    try:
        default_list(True, source.default)
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
    last_pass: str  # when all its lists were last compared with it: UTC, ISO 8601; "" for never
    special: str  # categories of protected data that may stand in it, and why; "none" otherwise
    fresh_share: float  # of its lists, compared within FRESH_HOURS


def inventory(
    settings: Settings, guarded: bool, lists: Mapping[str, AccessList], rules: Iterable[str], last_pass: str,
    now: datetime,
) -> list[Inventory]:  # fmt: skip
    """Each source of `settings` with what the index holds of it: `lists` by path, `rules` the paths of access.toml."""
    sources = declared(settings.sources, guarded)
    files = {one: sum(source_of(sources, path) == one for path in rules) for one in sources}
    above = {one: any(f"{one.path}/".startswith(path.removesuffix(RULES_FILE)) for path in rules) for one in sources}
    fresh = bool(last_pass) and 0 <= (now - datetime.fromisoformat(last_pass)).total_seconds() <= 3600 * FRESH_HOURS
    found = []
    for one in reversed(sources):
        mine = [listed for path, listed in lists.items() if source_of(sources, path) == one]
        found.append(
            Inventory(
                one.name, one.path or ".", one.owner or "nobody", one.sensitivity, one.change_rate, "folder",
                _schedule(settings), _model(one, files[one], above[one], guarded), len(mine), mine.count(OPEN_LIST),
                sum(not (listed.allow and listed.narrow != CLOSED.allow) for listed in mine), last_pass,
                _special(one), float(fresh),
            )
        )  # fmt: skip
    return found


def _special(source: Declared) -> str:
    return f"{', '.join(source.special_categories)}: {source.reason}" if source.special_categories else "none"


def _schedule(settings: Settings) -> str:
    told = ["as it changes"] * settings.follow + [f"every {settings.sync_every:g} s"] * bool(settings.sync_every)
    return " and ".join(told) or "when it is asked for"


def _model(source: Declared, files: int, above: bool, guarded: bool) -> str:
    if files or above:
        where = f"{files} {RULES_FILE}" if files else f"{RULES_FILE} above it"
        return f"{where}; what they do not name is its owner's"
    if source.default:
        return f"default: {source.default}"
    return "none: nobody reads it until it has rules or a default" if guarded else "none: everyone reads it"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the inventory. Exit 0. Raises UsageError, StoreError."""
    from contextlib import closing
    from dataclasses import asdict
    from datetime import UTC

    import commandline
    from access.identity import signs_in
    from storage import lists
    from store import store_of

    parser = commandline.bare_parser(
        "Show every source: its owner, how sensitive it is, who may read it, and how fresh its access lists are.",
        "python -m access.sources --json",
    )
    commandline.add_index_flags(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    settings = commandline.settings_of(args)
    with closing(store_of(settings)) as store:
        rules = [path for (path,) in store.connection().execute("SELECT path FROM access_rules")]
        held, last_pass = store.lists_by_path(), lists.synced_at(store.connection())
    rows = inventory(settings, signs_in(settings), held, rules, last_pass, datetime.now(UTC))
    commandline.show({f"source {row.name}" if not args.json else row.name: asdict(row) for row in rows}, args.json)
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main)
