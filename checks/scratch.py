"""A scratch index in a temporary folder, in which rights are given and taken and documents changed and deleted.

The same sync, directory, tokens, search, answer and caches as in the live one, with the owner's settings but for what
names places and models; a small embedder of its own, so that it takes seconds and no model. All of it is done once more
with the engine's filter off: a check that still passes then is worth nothing, and is told.
Try: python doctor.py --access
"""

import contextlib
import hashlib
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from access import EVERYONE, Caller
from access import tokens as bearer_tokens
from access.directory_sync import replace as put_directory
from access.entries import Account, Group, Listing
from access.identity import Row, Unauthenticated, caller_of
from checks import Check, fail, ok
from checks.engines import Engine
from checks.roads import NOWHERE, Roads
from config import Settings
from models import ModelIdentity, Models, Vector
from search import Index
from settings.sources import Declared
from sources.folder import folder_of
from store import Store

NOBODY = Caller("nobody", frozenset())
_ALL_ROADS = {"search", "answer", "kept answer", "document", "facts", "rows"}  # examples are a choice
_DIMENSION = 4096  # so many that two words seldom share one
_DEVELOPERS = "report it with this line: the rules of this installation are not kept"
_RULES = '[allow]\n"**" = ["everyone"]\n"pay/" = ["{group}"]\n[deny]\n"denied.md" = ["user:bob"]\n'


class Doc(NamedTuple):
    """A document of the scratch folder: its text, a question that finds it, and a word that it alone has."""

    path: str
    text: str
    question: str
    secret: str


def _run_by(team: str) -> str:
    """A section that says of a service who owns it, so that there are facts to be told or not."""
    return f"\n## Services\n\n| Service | Owner |\n|---|---|\n| desk-{team} | Team {team} |\n"


OPEN = Doc(
    "visitors.md", "# Visitors\n\nThe kestrel gate opens for visitors at daybreak.\n" + _run_by("daybreak"),
    "When does the kestrel gate open for visitors?", "daybreak",
)  # fmt: skip
PAY = Doc(
    "pay/salaries.md", "# Salaries\n\nThe harpsichord tuner is paid forty doubloons a month.\n" + _run_by("doubloons"),
    "What is the harpsichord tuner paid a month?", "doubloons",
)  # fmt: skip
NARROWED = Doc(
    "move.md", "---\ntitle: Move\naccess: group:pay\n---\n\n# Move\n\nThe archive moves to Zanzibar in spring.\n"
    + _run_by("Zanzibar"),
    "Where does the archive move?", "Zanzibar",
)  # fmt: skip
DENIED = Doc(
    "denied.md", "# Audit\n\nThe auditors visit the warehouse in Quetzaltenango next week.\n"
    + _run_by("Quetzaltenango"),
    "Which warehouse do the auditors visit?", "Quetzaltenango",
)  # fmt: skip
EDITED = "nightfall"
"""What takes the place of the secret of OPEN; like them no word of a question, which replies repeat, nor of an id."""


class Words:
    """The Embedder protocol by hashed words: texts that share words are alike. For the scratch index alone."""

    url = ""
    default_min_score = 0.2
    same_meaning = 0.6
    embeds_units = True

    @property
    def identity(self) -> ModelIdentity:
        """Of no model that anybody uses."""
        return ModelIdentity("doctor", "words", "", _DIMENSION, "1")

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """A vector each."""
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str, lang: str) -> Vector:
        """The same for a question."""
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(_DIMENSION, np.float32)
        for word in text.lower().split() or [""]:
            digest = hashlib.blake2b(word.strip(".,?!#").encode("utf-8", "replace"), digest_size=2).digest()
            vector[int.from_bytes(digest) % _DIMENSION] += 1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class Step(NamedTuple):
    """What one step of the list found."""

    name: str
    well: str  # what was done and seen, where nothing is wrong
    faults: list[str]
    by_filter: bool = True  # whether it must fail where the filter is off


class House:
    """The scratch folder with its index, and who lives in it: Ada is in group:pay, Bob is not."""

    def __init__(self, place: Path, settings: Settings, store: Store) -> None:
        self.docs = place / "docs"
        self.settings = replace(
            settings, docs_dir=self.docs, db=place / "scratch.db", database="", auth=("tokens",), open=False,
            directory=None, sources=(Declared("scratch", owner="user:owner"),), acl_max_hours=0.0, suggest=True,
            rerank=False, verify="rules", min_score=0.2, min_coverage=0.6, max_file_mb=1.0, audit_head_file=None,
        )  # fmt: skip
        self.docs.mkdir()
        for doc in (OPEN, PAY, NARROWED, DENIED):
            self.write(doc.path, doc.text)
        self.rules("group:pay")
        self.index = Index(self.settings, Models(Words(), None, ""), folder_of(self.settings), store)
        store.terms = self.index.source.access_terms
        self.index.sync()
        self.members("user:ada")
        self.roads = Roads(self.index)

    def write(self, path: str, text: str) -> None:
        """Writes a document."""
        (self.docs / path).parent.mkdir(exist_ok=True)
        (self.docs / path).write_text(text, encoding="utf-8")

    def rules(self, group: str) -> None:
        """Lets this group read pay/, nobody else."""
        self.write("access.toml", _RULES.format(group=group))

    def members(self, *names: str) -> None:
        """Syncs a directory in which these are in group:pay."""
        people = tuple(Account(name) for name in ("ada", "bob"))
        listing = Listing("", people, (Group("pay", members=frozenset(names)),))
        put_directory(self.index.store.connection(), listing, allow_empty=True)

    def person(self, name: str) -> Caller:
        """Who asks, with the groups of now: as a server knows them at each question."""
        return caller_of(self.index.store.connection(), name)

    def seen(self, who: Caller, doc: Doc) -> list[str]:
        """The roads on which a document shows: its word, or its name."""
        shown = [
            told.road
            for told in self.roads.told(who, doc.question, doc.path)
            if doc.secret in told.text or doc.path in told.documents
        ]
        with self.index.store.reader(who, self.index.searcher().model_id) as reader:
            rows = {row.path for row in reader.chunks(reader.every().tolist())}
            return [*shown, "rows"] if doc.path in rows else shown


def checks(settings: Settings, engine: Engine) -> Iterator[Check]:
    """The list done in a scratch index, and once more without the filter. Raises OSError, StoreError."""
    steps = list[Step]()
    with _house(settings, engine.scratch) as house:
        for step in _steps(house):
            steps.append(step)
            yield _check(step)
    with _house(settings, engine.without_policy) as house:
        blind = sorted(f"the road {road}" for road in _ALL_ROADS - {*house.seen(NOBODY, PAY)})
        blind += [step.name for step in _steps(house) if step.by_filter and not step.faults]
    where = f"with the filter switched off in a scratch index ({engine.name})"
    if blind:
        yield fail("policy off", f"{where} nothing is noticed by {', '.join(blind)}: not to be believed", _DEVELOPERS)
    else:
        count = sum(step.by_filter for step in steps)
        yield ok("policy off", f"{where} every road shows all to everyone, and {count} of these fail, as they must")


@contextlib.contextmanager
def _house(settings: Settings, opens: Callable[[Path], Store]) -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="brain-doctor-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve()
        store = opens(place)
        try:
            yield House(place, settings, store)
        finally:
            store.close()


def _check(step: Step) -> Check:
    if step.faults:
        return fail(step.name, f"scratch index: {'; '.join(step.faults)}", _DEVELOPERS)
    return ok(step.name, f"scratch index: {step.well}")


def _steps(house: House) -> Iterator[Step]:
    yield _granted(house)
    yield _no_principals(house)
    yield _unrelated(house)
    yield _membership(house)
    yield _rule(house)
    yield _old_lists(house)
    yield _token(house)
    yield _sources(house)
    yield _edit(house)
    yield _deletion(house)


def _granted(house: House) -> Step:
    """Whoever may read finds on every road: else nothing below would tell anything."""
    ada, faults = house.person("user:ada"), list[str]()
    for doc in (OPEN, PAY, NARROWED, DENIED):
        lacks = _ALL_ROADS - {*house.seen(ada, doc)}
        faults += [f"who may read {doc.path} does not get it by {', '.join(sorted(lacks))}"] if lacks else []
    return Step("granted", "who may read finds it on every road", faults, by_filter=False)


def _no_principals(house: House) -> Step:
    return Step("no principals", "no row on any road", _shown(house, NOBODY, OPEN, PAY, NARROWED, DENIED))


def _unrelated(house: House) -> Step:
    alone = f"user:{secrets.token_hex(8)}"
    faults = _shown(house, Caller(alone, frozenset({alone})), OPEN, PAY, NARROWED, DENIED)
    bob = house.person("user:bob")
    faults += _shown(house, bob, PAY, NARROWED, DENIED)
    able, unable = frozenset({"agent:bot", "group:pay", EVERYONE}), frozenset({"agent:bot", EVERYONE})
    ada = house.person("user:ada").principals
    for agent in (Caller("agent:bot", able, (bob.principals,)), Caller("agent:bot", unable, (ada,))):
        faults += _shown(house, agent, PAY, NARROWED)  # for a person it gets what both may read
    if not house.seen(bob, OPEN):
        faults.append(f"{bob.id} does not get what everyone may read")
    if house.roads.document(bob, PAY.path) != house.roads.document(bob, NOWHERE):
        faults.append("a document that may not be read is refused in other words than one that does not exist")
    told = "a stranger gets no row, a colleague or their agent what everyone may read; the rest is as if not there"
    return Step("unrelated", told, faults)


def _membership(house: House) -> Step:
    faults = [] if house.seen(house.person("user:ada"), PAY) else ["a member does not find what the group may read"]
    house.members()
    faults += _shown(house, house.person("user:ada"), PAY, NARROWED)
    house.members("user:ada")
    if not house.seen(house.person("user:ada"), PAY):
        faults.append("who is in the group again does not find again")
    return Step("revocation", "who left a group gets nothing of it with the next question", faults)


def _rule(house: House) -> Step:
    house.rules("group:board")
    house.index.sync()
    faults = _shown(house, house.person("user:ada"), PAY)
    house.rules("group:pay")
    house.index.sync()
    if not house.seen(house.person("user:ada"), PAY):
        faults.append("a rule that is put back does not hold again")
    for broken in ("[allow", None):
        house.write("access.toml", broken or "")
        if broken is None:
            (house.docs / "access.toml").unlink()
        house.index.sync()
        faults += _shown(house, house.person("user:bob"), PAY)
        house.rules("group:pay")
        house.index.sync()
    told = "what a rule takes from a group is gone for it after the next sync; rules that break or vanish open nothing"
    return Step("revoked rule", told, faults)


def _old_lists(house: House) -> Step:
    store, ada = house.index.store, house.person("user:ada")
    store.list_seconds = 3600.0
    at = "2000-01-01T00:00:00+00:00"
    store.connection().execute("UPDATE meta SET value = ? WHERE key = 'access_synced_at'", (at,))
    faults = _shown(house, ada, PAY, NARROWED, DENIED)
    if not house.seen(ada, OPEN):
        faults.append("what everyone may read is not found any more")
    house.index.sync()
    if not house.seen(ada, PAY):
        faults.append("after a sync they hold no more")
    store.list_seconds = 0.0
    told = "lists older than BRAIN_ACL_MAX_HOURS let nobody in but where everyone may read, until the next sync"
    return Step("old lists", told, faults, by_filter=False)


def _token(house: House) -> Step:
    connection = house.index.store.connection
    row = Row(house.settings, connection)
    made, text = bearer_tokens.make(connection(), "user:ada", ("ask",), 1)
    headers = {"authorization": [f"Bearer {text}"]}
    faults = [] if row.identify(headers, "").caller == house.person("user:ada") else ["a token is somebody else's"]
    bearer_tokens.revoke(connection(), made.id)
    for sent, whose in ((headers, "a revoked token"), ({}, "no token")):
        try:
            faults.append(f"{whose} lets {row.identify(sent, '').caller.id} in")
        except Unauthenticated:
            continue
    return Step("revoked token", "a revoked token is refused at once, and so is none", faults, by_filter=False)


def _sources(house: House) -> Step:
    ada, faults = house.person("user:ada"), list[str]()
    for doc in (OPEN, PAY):
        answer = house.roads.answer(ada, doc.question)
        version = hashlib.sha256((house.docs / doc.path).read_bytes()).hexdigest()
        faults += [] if answer.sources else [f"{doc.path}: answered without a source"]
        for source in answer.sources:
            if source.source == doc.path and source.version != version:
                faults.append(f"{doc.path}: the version told is not the file's sha256")
            if not (source.title and source.version and (source.dated or source.modified)):
                faults.append(f"{source.source}: cited without title, version or date")
    answer = house.roads.answer(ada, "zzyzx qwfpgj luyarst?")
    if answer.status != "not_found" or answer.sources:
        faults.append("what the documents do not hold is not said to be without a source")
    told = "an answer's sources have title, version (sha256) and date; without one it says that nothing was found"
    return Step("sources told", told, faults, by_filter=False)


def _edit(house: House) -> Step:
    ada, faults = house.person("user:ada"), list[str]()
    house.write(OPEN.path, OPEN.text.replace(OPEN.secret, EDITED))
    if not any(problem.code == "stale" for problem in house.roads.answer(ada, OPEN.question).problems):
        faults.append("before the sync an answer does not tell that its file has changed")
    house.index.sync()
    roads = {told.road: told.text for told in house.roads.told(ada, OPEN.question, OPEN.path)}
    faults += [f"the former text stands in {road} after the sync" for road in roads if OPEN.secret in roads[road]]
    faults += [f"the new text is not in {road}" for road in ("answer", "document") if EDITED not in roads[road]]
    house.write(OPEN.path, OPEN.text)
    house.index.sync()
    return Step("edit", "a changed file is told before the sync, and the new text after it", faults, by_filter=False)


def _deletion(house: House) -> Step:
    ada, faults = house.person("user:ada"), list[str]()
    if not house.seen(ada, OPEN):
        faults.append("what is to be deleted is not found before")
    (house.docs / OPEN.path).unlink()
    if not any(problem.code == "stale" for problem in house.roads.answer(ada, OPEN.question).problems):
        faults.append("before the sync an answer does not tell that its file is gone")
    house.index.sync()
    custodian = house.index.store.custodian()  # holds everything: nobody at all gets it
    faults += _shown(house, ada, OPEN) + _shown(house, custodian, OPEN)
    left = house.index.store.connection().execute("SELECT count(*) FROM chunks WHERE text LIKE '%kestrel%'").fetchone()
    faults += [f"{left[0]} passages of it are left in the index"] if left[0] else []
    told = "a deleted file is told before the sync; after it nobody gets it on any road, nor is a passage left"
    return Step("deletion", told, faults, by_filter=False)


def _shown(house: House, who: Caller, *docs: Doc) -> list[str]:
    found = {doc.path: house.seen(who, doc) for doc in docs}
    name = who.id if EVERYONE not in who.principals else f"{who.id} (with everyone)"
    return [f"{name} gets {path} by {', '.join(roads)}" for path, roads in found.items() if roads]
