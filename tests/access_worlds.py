"""Random companies for the tests of who may read what, with a reference of its own for who may.

A World is people in nested groups, a folder of documents with access.toml files, front matter and declared sources, all
from one seed. `may` says who may read a document in the words of manual/access.md and calls nothing of the product.
Try: python -m tests.prove_access --cases 2000
"""

import contextlib
import random
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from access import Caller
from config import load
from models import Models
from search import Index
from settings.sources import Declared
from sources.folder import FolderSource
from store import store_of
from tests import engine
from tests.conftest import HashEmbedder, write

FOLDERS = ("", "a/", "a/b/", "c/", "c/Deep/")
GROUPS = tuple(f"group:g{number}" for number in range(5))
PEOPLE = tuple(f"user:u{number}" for number in range(5))
AGENTS = ("agent:bot",)
ALL = ("everyone", *GROUPS, *PEOPLE, *AGENTS)
COPIES = (
    "Every visitor signs the yellow visitor book at the north gate before ten in the morning.",
    "Die Hausordnung gilt ab sofort und die Türen werden abends um acht Uhr von allen geschlossen.",
    "所有员工必须在三十天内提交差旅报销单据并且保留所有原始发票。",
)
"""Texts that stand in several documents, whoever may read those."""
TEMPLATES = (
    "The {word} budget is {figure} euro since March and it ends when the {word} office closes.",
    "If staff need a {word} badge, they ask the front desk within {figure} days.",
    "Der {word} Vertrag endet nach {figure} Tagen und wird dann von der Abteilung verlängert.",
    "关于{word}的规定：员工需要在{figure}天内完成培训并提交报告。",
    "El plan {word} empieza después de {figure} días y los empleados reciben una copia.",
)
RUN = ("gate-sync", "yard-bus", "tide-feed", "berth-book")
"""Services that documents of different readers name."""
SHARED = ("annual", "leave", "receipts", "gateway", "salary", "hotel")
PATTERNS = (
    "**",
    "*.md",
    "*.txt",
    "a/",
    "b/",
    "c/",
    "a/b/",
    "/a/*",
    "c/**",
    "**/Deep/",
    "b/n*",
    "n1*",
    "N2*.MD",
    "n?.md",
)
LINES = (
    "group:g{0}",
    "[user:u{0}, group:g{1}]",
    "everyone",
    "",
    "group g{0}",
    "[group:g{0}, [x]]",
    "user:u{0}, agent:bot",
)
"""What stands after `access:` in front matter; some of it is no list."""


@dataclass
class Doc:
    """A document: its text, the words that it alone holds, and its `access:` line (None: it has none)."""

    text: str
    words: tuple[str, ...]
    shared: str
    line: str | None = None
    facts: tuple[tuple[str, str, str], ...] = ()  # (service, the team that owns it, what it depends on)


Table = dict[str, list[str]]


@dataclass
class World:
    """A company at one moment. `rules`: folder -> (allow, deny), None for a file that cannot be read."""

    rng: random.Random
    docs: dict[str, Doc] = field(default_factory=dict)
    rules: dict[str, tuple[Table, Table] | None] = field(default_factory=dict)
    gone: dict[str, tuple[Table, Table] | None] = field(default_factory=dict)  # rules that were deleted and hold on
    in_force: dict[str, tuple[Table, Table] | None] = field(default_factory=dict)  # those that the last sync found
    declared: list[Declared] = field(default_factory=list)
    guarded: bool = False
    members: dict[str, set[str]] = field(default_factory=dict)
    made: int = 0


# --- the reference ------------------------------------------------------------------------------------------------


def may(world: World, path: str, caller: Caller) -> bool:
    """Whether the caller may read a document: an agent for a person only what both may."""
    return all(_may(world, path, held) for held in (caller.principals, *caller.within))


def _may(world: World, path: str, held: frozenset[str]) -> bool:
    source = max(
        (one for one in world.declared if path.startswith(one.path + "/")), key=lambda one: len(one.path), default=None
    )
    area = source.path + "/" if source else ""
    owner = source.owner if source else "" if world.guarded else "user:local"
    known = world.gone | world.rules
    allow: set[str] | None = None
    for folder in sorted((f for f in known if path.startswith(f)), key=len, reverse=True):  # the nearest first
        rules = known[folder]
        if rules is None:
            return False  # half a list is nobody's
        below = path[len(folder) :]
        if any(held & set(who) for pattern, who in rules[1].items() if names(pattern, below)):
            return False  # an explicit deny wins, wherever it stands
        named = [(letters(pattern), set(who)) for pattern, who in rules[0].items() if names(pattern, below)]
        if named and allow is None:
            allow = set.intersection(*(who for size, who in named if size == max(size for size, _ in named)))
    if allow is None and any(belongs(world, folder, area) for folder in known):
        allow = {owner} - {""}  # once a source has a rule, what none names is its owner's alone
    if allow is None:
        default = source.default if source else ""
        allow = set(default.split(", ")) if default else set() if world.guarded else {"everyone"}
    line = world.docs[path].line
    if line is not None:
        narrow = {one.strip() for one in line.strip("[]").split(",")} if re.fullmatch(r"[\[\]\w:, ]+", line) else set()
        if "[x" in line or not all(one == "everyone" or ":" in one for one in narrow):
            narrow = set()
        if not held & narrow:
            return False
    return bool(held & allow)


def belongs(world: World, folder: str, area: str) -> bool:
    """Whether rules of that folder are a source's: they stand above its folder, or below it and in no nearer source."""
    nearer = [one.path + "/" for one in world.declared if len(one.path + "/") > len(area)]
    return area.startswith(folder) or (folder.startswith(area) and not any(folder.startswith(one) for one in nearer))


def names(pattern: str, below: str) -> bool:
    """Whether a .gitignore pattern names a file, in any case of letters."""
    bare, folder = pattern.lower().strip("/"), pattern.endswith("/")
    anywhere = "/" not in pattern.rstrip("/")
    marks = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    found = "".join(marks.get(part) or re.escape(part) for part in re.split(r"(\*\*/|/\*\*|\*\*|\*|\?)", bare))
    return bool(
        re.fullmatch(("(?:.*/)?" if anywhere else "") + found + ("/.+" if folder else "(?:/.+)?"), below.lower())
    )


def letters(pattern: str) -> int:
    """How narrow a pattern is: its letters without the wild ones."""
    return len(re.sub(r"[*?\[\]]", "", pattern.strip("/")))


# --- random worlds ------------------------------------------------------------------------------------------------


def made(seed: int) -> World:
    """The world of a seed."""
    world = World(random.Random(seed))
    rng = world.rng
    world.members = {group: set(rng.sample([*GROUPS, *PEOPLE, *AGENTS], rng.randint(0, 4))) for group in GROUPS}
    world.guarded = rng.random() < 0.3
    if rng.random() < 0.5:
        for number, path in enumerate(rng.sample(["a", "c", "c/Deep", "a/b"], rng.randint(1, 2))):
            owner, default = rng.choice(["", *ALL[1:]]), rng.choice(["", "everyone", "group:g1, user:u2"])
            world.declared.append(Declared(f"s{number}", path, owner, default=default))
    for folder in rng.sample(FOLDERS, rng.choice([0, 1, 1, 2, 3])):
        world.rules[folder] = some_rules(rng)
    for _ in range(rng.randint(6, 11)):
        add(world)
    return world


def some_rules(rng: random.Random) -> tuple[Table, Table] | None:
    """A random access.toml; now and then one that cannot be read."""
    if rng.random() < 0.06:
        return None

    def table(most: int, who: Sequence[str]) -> Table:
        return {pattern: rng.sample(who, rng.randint(0, 3)) for pattern in rng.sample(PATTERNS, rng.randint(0, most))}

    return table(4, (*ALL, *["everyone"] * 4)), table(rng.choice([0, 0, 2]), ALL)


def add(world: World, folder: str | None = None) -> str:
    """Adds a document and returns its path."""
    rng, world.made = world.rng, world.made + 1
    ending = rng.choice([".md", ".md", ".txt"])
    path = f"{rng.choice(FOLDERS) if folder is None else folder}n{world.made}{ending}"
    line = None
    if rng.random() < 0.3:
        line = rng.choice(LINES).format(rng.randrange(5), rng.randrange(5))
    world.docs[path] = some_doc(world, line)
    return path


def some_doc(world: World, line: str | None) -> Doc:
    """A document of words of its own, one that others hold too, and sometimes a text that others hold as a whole."""
    rng = world.rng
    words = tuple("".join(rng.choices("bcdfghklmnprstvwz", k=2)) + f"zq{rng.randrange(10**6):06d}x" for _ in range(3))
    shared = rng.choice(SHARED)
    parts = [rng.choice(TEMPLATES).format(word=word, figure=rng.randint(2, 99)) for word in words[1:]]
    parts.insert(rng.randrange(3), f"Ask for {shared} {words[0]} and {rng.choice(SHARED)} there.")
    if rng.random() < 0.5:
        parts.append(rng.choice(COPIES))
    front = "" if line is None else f"---\naccess: {line}\n---\n\n"
    facts = some_facts(words)
    text = f"{front}# Page {words[0]}\n\n" + f"\n\n## Part {shared}\n\n".join(parts) + "\n" + table_of(facts)
    return Doc(text, words, shared, line, facts)


def some_facts(words: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Who owns which service, and what it depends on, of services that others name, too, and of one that none does."""
    rng = random.Random(words[0])  # the rest of a world is what it was without them
    if rng.random() < 0.3:
        return ()
    one, other = rng.sample(RUN, 2)
    return (one, f"team-{words[1]}", other), (f"run-{words[2]}", rng.choice(["Harbour", f"team-{words[1]}"]), one)


def table_of(facts: tuple[tuple[str, str, str], ...]) -> str:
    """The same as a table."""
    rows = "".join(f"| {' | '.join(row)} |\n" for row in facts)
    return f"\n## Services\n\n| Service | Owner | Depends on |\n|---|---|---|\n{rows}" if rows else ""


def held_by(world: World, who: str) -> frozenset[str]:
    """A person's or agent's principals: itself, everyone, and every group it is in, by others too."""
    found, news = {who, "everyone"}, {who}
    while news:
        news = {group for group, members in world.members.items() if members & (found - {"everyone"})} - found
        found |= news
    return frozenset(found)


def callers(world: World) -> list[Caller]:
    """Some who ask: people, the local one, an agent alone and for a person, nobody."""
    rng = world.rng
    one, other = rng.sample(PEOPLE, 2)
    bot = held_by(world, "agent:bot")
    return [
        Caller(one, held_by(world, one)),
        Caller(other, held_by(world, other)),
        Caller("user:local", frozenset({"user:local", "everyone"})),
        Caller("agent:bot", bot, (held_by(world, one),)),
        Caller("agent:bot", bot, (held_by(world, other), frozenset(ALL))),
        Caller("user:x", frozenset(rng.sample(ALL, rng.randint(0, 3)))),
    ]


def questions(world: World, count: int) -> list[str]:
    """Some of words that one document holds, some of words that many do."""
    docs = [world.docs[path] for path in sorted(world.docs)]
    made = []
    for _ in range(count):
        doc = world.rng.choice(docs)
        word, shared = world.rng.choice(doc.words), world.rng.choice(SHARED)
        made.append(
            world.rng.choice(
                [f"What is the {word} budget?", f"{shared} {word}", f"ask for {shared}", "visitor book north gate",
                 f"Who owns {world.rng.choice(RUN)}?", f"What depends on {world.rng.choice(RUN)}?",
                 "Wann endet der Vertrag und die Hausordnung?", "差旅报销单据", f'"{shared} {word}" days']
            )
        )  # fmt: skip
    return made


def change(world: World) -> None:
    """Something that happens in a company: documents and rules come, change and go."""
    rng = world.rng
    kind = rng.choice(["add", "many", "edit", "line", "remove", "rules", "rules", "unrule", "untell"])
    if kind in ("add", "many"):
        folder = rng.choice(FOLDERS)
        for _ in range(1 if kind == "add" else 25):
            add(world, folder)
    elif kind in ("edit", "line"):
        path = rng.choice(sorted(world.docs))
        line = world.docs[path].line if kind == "edit" else rng.choice([None, "group:g0", "everyone"])
        world.docs[path] = some_doc(world, line)
    elif kind == "remove" and len(world.docs) > 4:
        world.docs.pop(rng.choice(sorted(world.docs)))
    elif kind == "rules":
        folder = rng.choice(FOLDERS)
        world.rules[folder] = some_rules(rng)
    elif world.rules:
        world.rules.pop(rng.choice(sorted(world.rules)))


def written(world: World, root: Path) -> None:
    """Makes the folder what the world says, for the next sync."""
    world.gone = {
        folder: rules
        for folder, rules in world.in_force.items()
        if folder not in world.rules and any(path.startswith(folder) for path in world.docs)
    }
    world.in_force = world.gone | world.rules
    files: dict[str, str | bytes] = {path: doc.text for path, doc in world.docs.items()}
    for folder, rules in world.rules.items():
        files[f"{folder}access.toml"] = "[allow\n" if rules is None else as_toml(rules)
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.relative_to(root).as_posix() not in files:
            path.unlink()
    write(root, {name: text for name, text in files.items() if not _is(root / name, text)})


def _is(path: Path, text: str | bytes) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def as_toml(rules: tuple[Table, Table]) -> str:
    """The rules as a person writes them."""
    lines = []
    for name, table in zip(("allow", "deny"), rules, strict=True):
        lines += [f"[{name}]", *(f'"{pattern}" = {sorted(who)!r}'.replace("'", '"') for pattern, who in table.items())]
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def opened(world: World, **values: object) -> Iterator[Index]:
    """An index of the world's folder, synced; `resynced` brings it up to date. All of it is gone afterwards."""
    place = Path(tempfile.mkdtemp(prefix="brain-world-"))
    try:
        root = place / "docs"
        root.mkdir()
        (place / "empty.toml").touch()
        written(world, root)
        flags = {"docs_dir": root, "db": place / "i.db", "suggest": True, **values}
        flags["database"] = engine.database_of(place / "i.db")
        settings = load(flags, {"BRAIN_CONFIG": str(place / "empty.toml")})
        embedder = HashEmbedder()
        embedder.embeds_units = True
        source = FolderSource(root, world.declared, world.guarded)
        with Index(settings, Models(embedder, None, ""), source, store_of(settings)) as index:
            index.sync(allow_empty=True)
            yield index
    finally:
        engine.forget(place / "i.db")
        shutil.rmtree(place, ignore_errors=True)


def resynced(world: World, index: Index) -> None:
    """Writes the world as it is now and syncs."""
    written(world, Path(index.source.root))
    index.sync(allow_empty=True)
