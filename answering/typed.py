"""Typed questions to the facts, asked by name: what they find, each step with its words as the index has them now.

One thing for HTTP and for assistants. Everything of one reply is read as of one moment, as its caller may read, and who
writes the audit log hears whose words are told before anything is. Knows no HTTP.
Try: curl "http://127.0.0.1:8000/graph/card?thing=plan-store"
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from access import Caller
from answering import cited
from answering.from_facts import told_from
from answering.recorded import document
from answering.shapes import RouteRow, Source, Thing
from errors import BrainError, UsageError
from graph.given import FORMS, key_of, keyed
from graph.layout import beside
from graph.overview import MOST_NODES, Map, Node, called, map_of
from graph.result import is_undated
from graph.tool import MOST, Tool
from graph.tools import TOOLS
from graph.view import Entity, Fact, View, view_of
from proof.verdict import Conflict, Problem
from search import Index
from storage.naming import changes
from storage.reader import Reader

_MOST_KEPT = 16  # maps of one caller's rights of which the places are kept
_LANG = "en"  # of what stands beside the documents' words
Opened = Callable[[Sequence[Mapping[str, str]], str], None]
"""Hears the documents whose words are about to be told, and "found" or "not_found". Raises NotRecorded."""


class WrongArguments(BrainError):
    """Arguments that are not the tool's, or a name that is several things'."""

    code = "invalid_request"
    http_status = 422


class Facts(BaseModel):
    """What a typed question found. `steps` and `citations` of a row name `sources` by their `n`, as an answer's do."""

    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, Any]
    as_of: str
    columns: list[str]
    rows: list[RouteRow]
    total: int = Field(description="rows that were found; these are told from `offset` on")
    why: str = Field(description="what was looked for in vain, or what was left out; else empty")
    sources: list[Source]
    conflicts: list[Conflict]
    problems: list[Problem] = Field(description="what is not proved, disputed, changed since it was indexed")


class Things(BaseModel):
    """Things by name, the closest first."""

    model_config = ConfigDict(extra="forbid")

    things: list["Called"]


class Called(Thing):
    """A thing with all its names."""

    names: list[str]
    ids: list[str]


class MapNode(Thing):
    """A thing on the map."""

    degree: int = Field(description="relations that it stands in, also to things that are not told")
    statuses: list[str] = Field(description="of these: observed, verified, inferred, stale, disputed")
    x: float = Field(description="where to draw it: neighbours are about 1 apart, the same on every day")
    y: float


class MapEdge(BaseModel):
    """A fact between two of its things."""

    source: str = Field(description="key of the subject")
    target: str = Field(description="key of the object")
    predicate: str
    qualifier: str
    status: str
    valid_from: str
    valid_to: str
    until: str
    undated: bool = Field(description="as of a day: no document states since when, and none of that time says it")


class MapReply(BaseModel):
    """Things and what joins them, as far as the caller may read of it."""

    model_config = ConfigDict(extra="forbid")

    nodes: list[MapNode]
    edges: list[MapEdge]
    more: int = Field(description="things that found no place")
    types: list[str] = Field(description="all types of which there is anything")
    relations: list[str] = Field(description="all relations by which anything is said")
    as_of: str


@contextmanager
def _looking(
    index: Index, caller: Caller, as_of: str = "", *, merged: bool = True, texts: bool = False
) -> Iterator[tuple[View, Reader]]:
    searcher = index.searcher() if texts else None  # facts are told while the embedder is away, too
    with index.store.reader(caller, searcher.model_id if searcher else 0) as reader:
        yield view_of(index, reader, as_of, merged=merged, searcher=searcher), reader


def asked(
    index: Index, caller: Caller, name: str, given: Mapping[str, Any], offset: int, limit: int, opened: Opened | None
) -> Facts:
    """What the tool of this name finds, with things by key or by a name that is one thing's.

    Nothing that is said and nothing that the caller may read get the same reply, one without rows.
    Raises WrongArguments, NotRecorded, StoreError; ModelError where texts are searched and the embedder is away.
    """
    tool = TOOLS[name]
    checked(tool, given)
    with _looking(index, caller, texts=tool.of_texts) as (view, reader):
        try:
            result = tool.function(view, **keyed(view, given))
        except UsageError as error:
            raise WrongArguments(str(error)) from error
        told = told_from(replace(result, rows=result.rows[offset : offset + limit]), view, reader, _LANG)
    if opened:
        documents = [document(one.row, one.lines, "shown") for one in told.passages]
        opened(documents, "found" if result.rows else "not_found")
    cited.placed(told.verdict.claims, told.passages, told.verdict.conflicts)
    sources = cited.sources_of(index.source, told.verdict, told.passages)
    notices = [*cited.giving_orders(told.passages), *cited.stale_notices(sources)]
    return Facts(
        tool=result.tool, arguments=dict(result.arguments), as_of=result.as_of, columns=[*result.columns],
        rows=told.rows, total=len(result.rows), why=result.why, sources=sources, conflicts=told.verdict.conflicts,
        problems=[*told.verdict.problems, *notices],
    )  # fmt: skip


def checked(tool: Tool[Any], given: Mapping[str, Any]) -> None:
    """Raises WrongArguments where these are not the tool's."""
    try:
        tool.arguments(**given)
    except ValidationError as error:
        (first, *_) = error.errors(include_url=False, include_context=False)
        where, kind = ".".join(map(str, first["loc"]))[:100], first["type"]
        forms = f" Written {FORMS[name]}." if (name := where.partition(".")[0]) in FORMS else ""
        takes = f"{tool.name} takes {', '.join(tool.arguments.model_fields)}.{forms}"
        wrong = {"missing": "is missing", "extra_forbidden": "is not known"}.get(kind, f"is wrong: {first['msg']}")
        raise WrongArguments(f"{where}: {wrong}. {takes}") from None


def things(index: Index, caller: Caller, text: str, kind: str, limit: int, opened: Opened | None) -> Things:
    """Things whose name or id is, begins with, or has a word that begins with this text. Raises NotRecorded."""
    with _looking(index, caller) as (view, _):
        found = called(view, text, kind, limit)
        naming = [row for one in found for row in view.naming(one)]
    if opened:
        opened(_lines_of((row.path, row.first_line, row.last_line) for row in naming), _status(found))
    return Things(things=[_called(one) for one in found])


def only(index: Index, caller: Caller, name: str, kind: str) -> str:
    """The key of the one thing of this key or name; "" where there is none, or several."""
    with _looking(index, caller) as (view, _):
        held = view.things([name]).get(name)
        found = [held] if held else [one for one in view.named(name) if kind in ("", one.type)]
    return found[0].key if len(found) == 1 else ""


def mapped(
    index: Index,
    caller: Caller,
    types: Sequence[str],
    relations: Sequence[str],
    as_of: str,
    around: str,
    limit: int,
    opened: Opened | None,
    *,
    merged: bool = True,
) -> MapReply:
    """The map for this caller; around a thing unknown to them it is empty. Raises WrongArguments, NotRecorded."""
    with _looking(index, caller, as_of, merged=merged) as (view, reader):
        centre = None
        if around:
            try:
                centre = view.things([key_of(view, around)]).get(key_of(view, around))
            except UsageError as error:
                raise WrongArguments(str(error)) from error
        made = map_of(view, types, relations, centre, min(limit, MOST_NODES)) if centre or not around else Map()
        spots = _places(view, reader, made, centre, (tuple(types), tuple(relations), around, limit, merged))
        words = view.words(made.edges)
        kinds, said = view.types(), [one for one in view.predicates() if one in view.relations.relations]
    told = [(one.path, one.first_line, one.last_line) for one in words.values()]
    told += [(row.path, row.first_line, row.last_line) for node in made.nodes for row in node.named]
    if opened:
        opened(_lines_of(told), _status(made.nodes))
    return MapReply(
        nodes=[_node(one, spots[one.thing.key]) for one in made.nodes],
        edges=[_edge(one, is_undated(one, words, as_of)) for one in made.edges], more=made.more, types=kinds,
        relations=said, as_of=as_of,
    )  # fmt: skip


def _called(one: Entity) -> Called:
    return Called(key=one.key, type=one.type, name=one.name, names=[*one.names], ids=[*one.ids])


def _places(
    view: View, reader: Reader, made: Map, centre: Entity | None, asked: tuple[Any, ...]
) -> dict[str, tuple[float, float]]:
    """Where its things stand: as on the map of today, so that another day moves none; kept while nothing is written."""
    state = view.today, changes(reader.connection)
    if reader.kept.get("map places", (None,))[0] != state or len(reader.kept["map places"][1]) >= _MOST_KEPT:
        reader.kept["map places"] = state, {}
    known: dict[tuple[Any, ...], dict[str, tuple[float, float]]] = reader.kept["map places"][1]
    if asked not in known:
        types, relations, _, limit, _ = asked
        base = map_of(view.at(""), types, relations, centre, min(limit, MOST_NODES)) if view.as_of else made
        known[asked] = beside([one.thing.key for one in base.nodes], _ties(base), {})
    return beside([one.thing.key for one in made.nodes], _ties(made), known[asked])


def _ties(made: Map) -> list[tuple[str, str]]:
    return [(fact.subject.key, fact.object.key) for fact in made.edges if fact.object]


def _node(one: Node, place: tuple[float, float]) -> MapNode:
    thing, (x, y) = one.thing, place
    return MapNode(
        key=thing.key, type=thing.type, name=thing.name, degree=one.degree, statuses=[*one.statuses], x=x, y=y
    )


def _edge(fact: Fact, undated: bool) -> MapEdge:
    return MapEdge(
        source=fact.subject.key, target=fact.object.key if fact.object else "", predicate=fact.predicate,
        qualifier=fact.qualifier, status=fact.status, valid_from=fact.valid_from, valid_to=fact.valid_to,
        until=fact.until, undated=undated,
    )  # fmt: skip


def _status(found: Sequence[object]) -> str:
    return "found" if found else "not_found"


def _lines_of(places: Iterable[tuple[str, int, int]]) -> list[dict[str, str]]:
    """Each document once, from its first line that is told to its last."""
    found: dict[str, tuple[int, int]] = {}
    for path, first, last in places:
        held = found.get(path, (first, last))
        found[path] = min(held[0], first), max(held[1], last)
    return [{"path": path, "lines": f"L{a}-{b}", "as": "shown"} for path, (a, b) in sorted(found.items())]


MOST_ROWS = MOST
"""Rows of one reply."""
