"""Times the facts: 10,000 documents with 110,000 of them under 2,000 access lists, in both engines.

One changed document, questions to the facts for who holds 2,000 principals and may read half, what facts cost the first
sync, memory. Process time (in PostgreSQL also of the server's process), the best of five; a query's time is told in
indexed look-ups of one row by the same caller. Try: python -m eval.bench graph
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from answer import Assistant
from answering.from_facts import told_from
from config import Settings
from errors import UsageError
from eval import made_facts
from eval.timing import TIMES, Figure, ms, own_index, peak_memory, temporary
from facts import Extraction
from graph.overview import map_of
from graph.plan import plan
from graph.result import Result
from graph.route import Choice, choose
from graph.tools import TOOLS
from graph.view import View
from models import Models
from search import Index
from sources.folder import FolderSource
from storage.facts import FactReader
from storage.reader import Reader
from storage.runs import Run
from store import Store

_CHANGE, _LOOKUPS, _ROUTE, _ANSWER, _MAP = 0.3, 20.0, 0.1, 0.3, 1.0  # bars: seconds, look-ups a row
_LOOKED_UP = 200
_SERVICE = "Service/svc 2533"
_CHAINS = {
    "to one row or two": (_SERVICE, [["depends_on", "in"], ["owns", "in"], ["leads", "in"]]),
    "to hundreds": ("Team/birch 1", [["owns", "out"], ["depends_on", "in"], ["depends_on", "in"]]),
    "by way of thousands": ("/vault", [["depends_on", "in"], ["owns", "in"], ["leads", "in"]]),
}
_TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "impact": ("impact", {"thing": _SERVICE}),
    "path": ("path", {"a": _SERVICE, "b": "Person/iris hansen"}),
    "no path, 2,000 things met": ("path", {"a": _SERVICE, "b": "Team/birch 1"}),
    "card of what thousands name": ("card", {"thing": "Team/core"}),
}
_QUESTIONS = (
    "Who owns svc-2533?",
    "Who leads the team that owns the service that depends on svc-2533?",
    "How many vacation days do I get after one year?",
)
_RECORDS = 100_000


def graph(settings: Settings, documents: int = 10_000) -> list[Figure]:
    """The whole on SQLite, then on PostgreSQL where a server can be had."""
    from eval import served
    from postgres.store import PostgresStore

    figures = []
    with temporary() as folder:
        docs = folder / "docs"
        made_facts.write(docs, documents)
        with own_index(folder, docs, settings, None) as index:
            figures += _all("SQLite", index, docs, time.process_time)
        figures += _costs(settings, folder, docs)
        try:
            with served.server() as owner:
                url = served.database(owner, "brain_bench_graph").application
                own = replace(settings, docs_dir=docs, database=url, min_score=-1.0, min_coverage=None)
                from eval.engine import Clock

                store = PostgresStore(url)
                with Index(own, Models(None, None, ""), FolderSource(docs), store) as index:
                    figures += _all("PostgreSQL", index, docs, Clock(store))
        except UsageError as error:
            print(f"graph: {error}")
    return figures


def _all(name: str, index: Index, docs: Path, clock: Callable[[], float]) -> list[Figure]:
    started = clock()
    index.sync()
    first = clock() - started
    (facts,) = index.store.connection().execute("SELECT count(*) FROM evidence").fetchone()
    details = {"facts": facts, "first_sync_s": round(first, 1), "peak_mb": round(peak_memory() / 1e6)}
    figures = _asked(name, index, clock)
    figures += _changed(name, index, docs, clock, details)
    return figures


def _least(clock: Callable[[], float], call: Callable[[], Any]) -> float:
    call()
    times = []
    for _ in range(TIMES):
        started = clock()
        call()
        times.append(clock() - started)
    return max(min(times), 1e-9)


def _changed(name: str, index: Index, docs: Path, clock: Callable[[], float], details: dict[str, Any]) -> list[Figure]:
    """One page with another tier: by a sync of the whole folder, of that one path, and which rows it touches."""
    index.sync()
    walked = _least(clock, index.sync)
    place, number = docs / made_facts.PAGE, int(Path(made_facts.PAGE).stem)
    tiers = iter(range(1, 1000))

    def change() -> None:
        then = place.stat().st_mtime - 60
        place.write_text(made_facts.page(number, next(tiers)), encoding="utf-8")
        os.utime(place, (then, then))

    def whole() -> None:
        change()
        index.sync()

    def one() -> None:
        change()
        index.sync_some([made_facts.PAGE], Run("event"))

    both, alone = _least(clock, whole), _least(clock, one)
    before = _rows(index.store)
    change()
    index.sync()
    after = _rows(index.store)
    touched = sum(len(before[table] ^ after[table]) for table in before)
    details = {**details, "whole_ms": ms(both), "walk_ms": ms(walked), "one_path_ms": ms(alone)}
    return [
        Figure("graph", f"{name}: one changed document, walk apart", both - walked, _CHANGE, "s", details),
        Figure("graph", f"{name}: that path alone", alone, _CHANGE, "s", {}),
        Figure("graph", f"{name}: rows touched of other documents", touched, 0, "", {}),
    ]


def _rows(store: Store) -> dict[str, set[tuple[Any, ...]]]:
    """The rows of facts but those of the changed page, with their numbers."""
    other = "document_id <> (SELECT id FROM documents WHERE path = ?)"
    tables = {
        "evidence": f"SELECT * FROM evidence WHERE {other}",
        "names": f"SELECT * FROM names WHERE {other}",
        "facts": f"SELECT * FROM facts WHERE id IN (SELECT fact_id FROM evidence WHERE {other})",
        "nodes": f"SELECT * FROM nodes WHERE id IN (SELECT node_id FROM names WHERE {other})",
    }
    return {
        table: {tuple(row) for row in store.connection().execute(sql, (made_facts.PAGE,))}
        for table, sql in tables.items()
    }


class _Asking:
    """Questions by the caller who may read half, each on a view of its own."""

    def __init__(self, name: str, index: Index, clock: Callable[[], float]) -> None:
        self.name, self.index, self.clock = name, index, clock
        self.caller, self.today = made_facts.half(), date.today().isoformat()

    @contextmanager
    def anew(self) -> Iterator[tuple[View, Reader]]:
        with self.index.store.reader(self.caller) as reader:
            yield self.view(reader), reader

    def view(self, reader: Reader) -> View:
        return View(FactReader(reader), self.index.relations, self.today)

    def timed(self, call: Callable[[View, Reader], Any]) -> float:
        spent = []
        for _ in range(TIMES + 1):
            with self.anew() as (view, reader):
                started = self.clock()
                call(view, reader)
                spent.append(self.clock() - started)
        return min(spent[1:])

    def figure(self, what: str, value: float, bar: float, unit: str, **details: Any) -> Figure:
        return Figure("graph", f"{self.name}: {what}", value, bar, unit, details)

    def first(self) -> Figure:
        """What is worked out once for a caller's rights after each change."""
        with self.anew() as (view, reader):
            reader.own([], 0)
            started = self.clock()
            view.predicates()
            view.types()
            return self.figure("what is there, after a change", self.clock() - started, _ANSWER, "s")

    def chains(self) -> Iterator[Figure]:
        lookup, bare = self.timed(_look_up) / _LOOKED_UP, self.timed(_look_up_bare) / _LOOKED_UP
        for what, (start, steps) in _CHAINS.items():
            ask = partial(TOOLS["chain"].function, start=[start], steps=steps)
            with self.anew() as (view, _):
                rows, statements = len(ask(view).rows), view.rows.lookups
            seconds, first = self.timed(_on_view(ask)), self.timed(partial(self._anew_after_a_change, ask))
            details = {"rows": rows, "ms": ms(seconds), "first_ms": ms(first), "statements": statements}
            details |= {"lookup_us": round(1e6 * lookup, 1), "bare_us": round(1e6 * bare, 1)}
            details["first_lookups"] = round(first / lookup / max(rows, 1), 1)
            yield self.figure(f"chain {what}, a row", seconds / lookup / max(rows, 1), _LOOKUPS, "x", **details)
        yield self.figure("planner", self.timed(lambda view, _: _planned(view)), _ROUTE, "s")

    def tools(self) -> Iterator[Figure]:
        for what, (name, given) in _TOOLS.items():
            ask: Callable[[View], Result] = partial(TOOLS[name].function, **given)
            with self.anew() as (view, reader):
                result = ask(view)
                claims = len(told_from(result, view, reader, "en").verdict.claims)
            seconds = self.timed(_on_view(ask))
            telling = self.timed(_telling(result))
            details: dict[str, Any] = {"rows": len(result.rows), "claims": claims, "told_ms": ms(telling)}
            yield self.figure(what, seconds, _ANSWER, "s", **details)

    def questions(self) -> Iterator[Figure]:
        assistant = Assistant(self.index)
        for question in _QUESTIONS:
            choosing = self._choosing(question)
            with self.anew() as (view, _):
                tool = choosing(view).tool
            seconds = self.timed(_on_view(choosing))
            yield self.figure("choose", seconds, _ROUTE, "s", tool=tool, question=question)
            whole = _least(self.clock, partial(assistant.ask, self.caller, question))
            yield self.figure("the whole answer", whole, _ANSWER, "s")

    def maps(self) -> Iterator[Figure]:
        """The first for these rights, and the next."""
        for what in ("the first map of 500 things", "another"):
            with self.anew() as (view, _):
                started = self.clock()
                edges = len(map_of(view, limit=500).edges)
                yield self.figure(what, self.clock() - started, _MAP, "s", edges=edges)

    def _anew_after_a_change(self, ask: Callable[[View], Any], view: View, reader: Reader) -> None:
        """As who is the first of their rights to ask."""
        reader.kept.clear()
        ask(self.view(reader))

    def _choosing(self, question: str) -> Callable[[View], Choice]:
        return lambda view: choose(question, "en", view, None, self.today)


def _on_view(ask: Callable[[View], Any]) -> Callable[[View, Reader], Any]:
    return lambda view, _: ask(view)


def _telling(result: Result) -> Callable[[View, Reader], Any]:
    return lambda view, reader: told_from(result, view, reader, "en")


def _asked(name: str, index: Index, clock: Callable[[], float]) -> list[Figure]:
    asking = _Asking(name, index, clock)
    return [asking.first(), *asking.chains(), *asking.tools(), *asking.maps(), *asking.questions()]


def _planned(view: View) -> None:
    start = [*view.things([_SERVICE]).values()]
    if not plan(view, start, ["leads", "owns", "depends_on"], ["Person"]):
        raise AssertionError("no order leads there")


def _look_up(view: View, reader: Reader) -> None:
    """One row by its number at a time, as the product reads it."""
    for number in range(_LOOKED_UP):
        view.rows.evidence([1 + 97 * number])


def _look_up_bare(view: View, reader: Reader) -> None:
    """The same by a statement alone."""
    condition, more = reader.guard
    for number in range(_LOOKED_UP):
        rows = reader.connection.execute(
            "SELECT e.id, e.quote, e.first_line, d.path, e.document_id FROM evidence e "
            f"JOIN documents d ON d.id = e.document_id WHERE e.id = ?{condition}",
            (1 + 97 * number, *more),
        ).fetchall()
        reader.own(rows, 4)


def _costs(settings: Settings, folder: Path, docs: Path) -> list[Figure]:
    """A first sync with and without facts, and one file of many records."""
    spent, _ = _synced(folder, docs, settings)
    details = {name: round(seconds, 1) for name, seconds in spent.items()}
    figures = [Figure("graph", "SQLite: first sync / without facts", spent["with"] / spent["without"], 2, "x", details)]
    place = folder / "records"
    (place / "docs").mkdir(parents=True)
    (place / "docs" / "jobs.jsonl").write_text(made_facts.records(_RECORDS), encoding="utf-8")
    spent, facts = _synced(place, place / "docs", settings)
    details = {"records": _RECORDS, "facts": facts} | {name: round(seconds, 1) for name, seconds in spent.items()}
    details["peak_mb"] = round(peak_memory() / 1e6)
    ratio = spent["with"] / spent["without"]
    figures.append(Figure("graph", "SQLite: one file of records / without facts", ratio, 3, "x", details))
    return figures


def _synced(folder: Path, docs: Path, settings: Settings) -> tuple[dict[str, float], int]:
    """Process time of a first sync "with" facts and "without", and how many places facts have."""
    spent, facts = {}, 0
    for name in ("with", "without"):
        (folder / name).mkdir()
        with own_index(folder / name, docs, settings, None) as index, contextlib.ExitStack() as stack:
            if name == "without":
                stack.enter_context(patch("storage.syncing.extract", lambda text, mapping: Extraction()))
            started = time.process_time()
            index.sync()
            spent[name] = time.process_time() - started
            (count,) = index.store.connection().execute("SELECT count(*) FROM evidence").fetchone()
            facts = max(facts, count)
    return spent, facts
