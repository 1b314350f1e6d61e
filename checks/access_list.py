"""The owner's check list of who may read what: on the index as it is, and with rights given and taken in a scratch one.

On the live index nothing is written and no model is asked: what a stranger gets is compared with what the lists say in
Python, on every road. What an engine promises besides stands in checks/engines.py.
Try: python doctor.py --access
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

import numpy as np

from access import EVERYONE, AccessList, Caller
from access.identity import signs_in
from access.sources import Inventory, declared, inventory, late
from checks import Check, chosen, fail, listed, looked, many, ok, scratch, serving, warn
from checks.engines import Engine, engine_of
from checks.indexed import rights
from checks.people import people
from checks.roads import NOWHERE, Roads
from config import Settings
from database import Connection
from errors import SourceError, StoreError
from language.words import terms
from models import Models
from search import Index
from sources.folder import folder_of
from storage import lists, moving
from storage.examine import SYNC
from storage.reader import ChunkRow, Reader
from store import Store

_SOURCES = "python -m access.sources, then [sources.NAME] in brain.toml (manual/access.md)"
_LEAK = "stop the server and report it with this line: rules are not kept"
_SAMPLE = 3  # documents that are asked for
_PRINCIPALS = 20  # of those that rules name, whose rows are compared with the rules
_TRIES = 3
_NONSENSE = "zzyzx qwfpgj luyarst?"


def checks(settings: Settings) -> list[Check]:
    """Every line of the list. Fails in no other way than by lines."""
    engine = engine_of(settings)
    found = looked("sign-in", lambda: chosen.who_asks(settings))
    found += looked("engine", lambda: engine.checks(settings))
    found += looked("index", lambda: live(settings, engine))
    found += looked("server", lambda: serving.admits(settings))
    return found + looked("scratch index", lambda: scratch.checks(settings, engine))


def live(settings: Settings, engine: Engine) -> Iterator[Check]:
    """The index of the settings and its sources as they are; changes nothing."""
    try:
        store = engine.live(settings)
    except StoreError as error:
        told, _, mends = str(error).partition(" Run: ")
        yield fail("index", told, mends or "python doctor.py --full")
        return
    try:
        yield from _looked_through(settings, store)
    finally:
        store.close()


def _looked_through(settings: Settings, store: Store) -> Iterator[Check]:
    connection = store.connection()
    source = folder_of(settings)
    (root,) = connection.execute("SELECT max(value) FROM meta WHERE key = 'docs_root'").fetchone()
    if root != source.root:
        helps = f"python doctor.py --access --docs {root}, or leave BRAIN_DB out" if root else SYNC
        yield fail("folder", f"the index is of {root or 'no folder yet'}, not of {source.root}", helps)
        return
    last_pass = lists.synced_at(connection)
    held = store.lists_by_path()
    rules = [path for (path,) in connection.execute("SELECT path FROM access_rules")]
    rows = inventory(settings, signs_in(settings), held, rules, last_pass, store.passes(), datetime.now(UTC))
    yield from _sources(settings, rows)
    yield from _age(settings, store, held)
    try:
        entries = {entry.path for entry in source.entries()}
        yield from rights(connection, held, source, entries)
    except SourceError as error:
        yield fail(
            "rules", str(error).partition(" Name it")[0], "mount the share again, or python doctor.py --docs DIR"
        )
    yield from people(connection, settings)
    plain = replace(settings, rerank=False, suggest=False, verify="rules", min_score=None)
    index = Index(plain, Models(None, None, ""), source, store)  # words alone: no model is asked
    for _ in range(_TRIES):  # what a sync writes meanwhile is no fault
        before = store.generation()
        found = list(_compared(index))
        if store.generation() == before:
            yield from found
            return
    yield warn("rows", "the index was written to each time that it was looked at", "once no sync runs, again")


def _compared(index: Index) -> Iterator[Check]:
    held = index.store.lists_by_path()
    if not any(one.allow - one.deny and one.narrow != frozenset() for one in held.values()):
        told = "no list lets anybody read anything" if held else "the index holds no document"
        yield warn("rows", f"{told}, so that nobody is shown anything says nothing", SYNC)
        return
    yield from _rows(index.store, index.store.connection(), held)
    yield from _asked(Roads(index), held)


def _sources(settings: Settings, rows: Sequence[Inventory]) -> Iterator[Check]:
    """Every source has an owner and says who may read it."""
    named = {one.name for one in settings.sources}
    for row in rows:
        if not row.documents and row.name not in named:
            continue  # what no declared source covers, where they cover all
        where = f"{row.name} ({row.path})"
        owner = f"owner {row.owner}" if row.owner != "nobody" else "no owner"
        told = f"{owner}; {row.permission_model}; {many(row.documents, 'document')}"
        told += f", {row.open} everyone's, {row.nobody} nobody's" if row.documents else ""
        if row.owner == "nobody" or row.permission_model.startswith("none: nobody"):
            yield fail("source", f"{where}: {told}", _SOURCES)
        elif row.permission_model.startswith("none"):
            yield warn("source", f"{where}: {told}; nobody signs in", _SOURCES)
        else:
            yield ok("source", f"{where}: {told}")


def _age(settings: Settings, store: Store, held: Mapping[str, AccessList]) -> Iterator[Check]:
    """When everything was last compared with its source, and whether that is long ago for what it is."""
    age, at = store.pass_age(), lists.synced_at(store.connection())
    if age is None:
        yield fail("last pass", "documents and lists were never compared as a whole with their source", SYNC)
        return
    told = f"all documents and lists were last compared {at[:16]} UTC, {age / 3600:.1f} hours ago"
    names = [one.name for one, _ in late(declared(settings.sources, guarded=False), held, age / 3600, store.passes)]
    if store.list_seconds and abs(age) > store.list_seconds:
        told += f", more than BRAIN_ACL_MAX_HOURS={settings.acl_max_hours:g}: only what everyone may read is found"
        yield fail("last pass", told, SYNC)
    elif age < -60:
        yield fail("last pass", f"{told}: the clock was set back", "timedatectl set-ntp true, then " + SYNC)
    elif names:
        yield warn("last pass", f"{told}: long for {listed(names)}, which answers say", SYNC)
    else:
        yield ok("last pass", told)


def _rows(store: Store, connection: Connection, held: Mapping[str, AccessList]) -> Iterator[Check]:
    """What the index gives to nobody, to a stranger and to those whom lists name, beside what the lists say."""
    number = dict(connection.execute("SELECT path, id FROM documents"))
    model = next(iter(moving.answering(connection)), 0)
    (dimension,) = connection.execute("SELECT max(dimension) FROM models WHERE id = ?", (model,)).fetchone()
    age = store.pass_age()
    old = bool(store.list_seconds) and (age is None or abs(age) > store.list_seconds)

    def wrong(who: Caller) -> list[str]:
        with store.reader(who, model) as reader:
            got = {*reader.documents(reader.every().tolist()).values()}
        due = {number[path] for path, one in held.items() if one.lets(who) and (not old or _is_open(one))}
        return [path for path in held if (number[path] in got) != (number[path] in due)]

    with store.reader(store.custodian(), model) as reader:
        row, term = next(_probes(reader), (None, ""))
        given = _figures(reader, row, term, dimension)
    with store.reader(scratch.NOBODY, model) as reader:
        none = _figures(reader, row, term, dimension)
    if any(none.values()):
        told = ", ".join(f"{name} {value}" for name, value in none.items() if value)
        yield fail("no principals", f"who holds no principal gets {told}", _LEAK)
    elif not (given["documents"] and given["words"]):
        told = "who holds every principal gets nothing either, so that nobody else does says nothing"
        yield warn("no principals", told, "python store.py --status")
    else:
        ways = ", ".join(name for name, value in given.items() if value)
        yield ok("no principals", f"no row by {ways}; who holds all principals gets {many(given['count'], 'passage')}")
    alone = f"user:{secrets.token_hex(8)}"
    strangers = [Caller(alone, frozenset({alone})), Caller(alone, frozenset({alone, EVERYONE}))]
    if paths := sorted({path for who in strangers for path in wrong(who)}):
        yield fail("unrelated", f"a stranger gets other documents than everyone may read: {listed(paths)}", _LEAK)
    else:
        opened = sum(one.lets(strangers[1]) for one in held.values())
        yield ok("unrelated", f"a stranger gets {opened} of {many(len(held), 'document')}: what everyone may read")
    named = sorted({name for one in held.values() for name in (*one.allow, *(one.narrow or ()), *one.deny)})
    tried = [Caller(name, frozenset({name, EVERYONE})) for name in named[:: -(-len(named) // _PRINCIPALS) or 1]]
    if apart := [f"{who.id} ({listed(paths)})" for who in tried if (paths := wrong(who))]:
        yield fail("as listed", f"what is given is not what the lists say: {listed(apart, '; ')}", _LEAK)
    else:
        told = f"{len(tried)} of {many(len(named), 'principal')} in lists get what the lists say, to the document"
        yield ok("as listed", told)


def _is_open(one: AccessList) -> bool:
    return EVERYONE in one.allow and one.narrow is None and not one.deny


def _probes(reader: Reader) -> Iterator[tuple[ChunkRow, str]]:
    """Passages that the index holds for this reader, each with an index term of it."""
    for row in islice(reader.chunks(reader.every().tolist()), 50):
        for word in re.findall(r"\w{4,}", row.body):
            yield from ((row, term) for term in terms(word, row.lang))


def _figures(reader: Reader, row: ChunkRow | None, term: str, dimension: int | None) -> dict[str, int]:
    """How much each way to read an index gives, asked about one passage where it wants one."""
    places = reader.every().tolist()
    found = {
        "count": reader.count, "places": len(reader.places()), "languages": len(reader.languages()),
        "passages": sum(1 for _ in islice(reader.chunks(places), 5)), "documents": len(reader.documents(places)),
        "dates": len(reader.dates(places[:50])), "words": len(reader.postings(term)[0]),
        "phrases": len(reader.phrase([term])[0]) if term else 0,
    }  # fmt: skip
    if row:
        found["lines"] = len(reader.lines_of(row.path, 1, 400))
        found["section"] = len(reader.section(row))
    if dimension:
        query = np.full(dimension, dimension**-0.5, np.float32)  # whatever is nearest to it
        found["nearest"] = len(reader.nearest(query, 5)[0])
        found["cosines"] = int(np.isfinite(reader.cosines_at(query, places[:1000])).sum())
        found["units"] = len(reader.best_units(query, places[:500]))
    return found


def _asked(roads: Roads, held: Mapping[str, AccessList]) -> Iterator[Check]:
    """Some documents asked for on every road, as nobody and as a stranger; and what answers tell of their sources."""
    store = roads.index.store
    who = Caller(f"user:{secrets.token_hex(8)}", frozenset({EVERYONE}))
    mine = {path for path, one in held.items() if one.lets(who)}
    wanted = dict(_questions(store, [*sorted(held.keys() - mine), *sorted(mine)]))
    found, leaks = 0, list[str]()
    for path, question in wanted.items():
        found += path in {name for one in roads.told(store.custodian(), question, path) for name in one.documents}
        for asks, theirs in ((scratch.NOBODY, set[str]()), (who, mine)):
            for one in roads.told(asks, question, path):
                if more := one.documents - theirs:
                    leaks.append(f"{one.road} shows {listed(sorted(more))} to {asks.id}")
            if path not in theirs and roads.document(asks, path) != roads.document(asks, NOWHERE):
                leaks.append(f"{path} is refused in other words than what does not exist")
    if leaks:
        yield fail("roads", "; ".join(dict.fromkeys(leaks)), _LEAK)
    elif not found:
        told = "no document is found by who holds every principal either, so that nobody else finds one says nothing"
        yield warn("roads", told, "python store.py --status")
    else:
        told = f"{many(len(wanted), 'document')} asked for by search, answer, kept answer, path, facts and examples"
        yield ok("roads", f"{told}: without a principal and as a stranger nothing that is not everyone's")
    yield from _told(roads, wanted)


def _questions(store: Store, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Some documents, each with words of its own as a question."""
    with store.reader(store.custodian()) as reader:
        made = ((path, _words(reader, path)) for path in islice(paths, 50))
        yield from islice(((path, words) for path, words in made if words), _SAMPLE)


def _words(reader: Reader, path: str) -> str:
    last = reader.last_line(path)
    bodies = (row.body for row in (reader.lines_of(path, 1, last) if last else ()))
    return next((" ".join(words[:12])[:300] for body in bodies if len(words := re.findall(r"\w{3,}", body)) > 3), "")


def _told(roads: Roads, wanted: Mapping[str, str]) -> Iterator[Check]:
    """Every answer shows title, version and date of its sources, or says that there is none."""
    faults, sources = list[str](), 0
    for question in (*wanted.values(), _NONSENSE):
        answer = roads.answer(roads.index.store.custodian(), question)
        sources += len(answer.sources)
        if bool(answer.sources) != (answer.status != "not_found"):
            faults.append(f"an answer of the status {answer.status} has {many(len(answer.sources), 'source')}")
        for one in answer.sources:
            if not (one.title and re.fullmatch("[0-9a-f]{64}", one.version) and (one.dated or one.modified)):
                faults.append(f"{one.source} is cited without title, version or date")
    if faults:
        yield fail("sources told", "; ".join(dict.fromkeys(faults)), "python doctor.py --full")
    else:
        told = f"{many(sources, 'source')} of {many(len(wanted) + 1, 'answer')} with title, version and date"
        yield ok("sources told", f"{told}; one that nothing answers says so")
