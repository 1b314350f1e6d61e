"""Times the second engine: a million chunks in PostgreSQL, what access lists cost there, what a sync writes.

Times are of processors, the asking process's and its server process's, where both are of this machine and the system
tells; else by the clock. A filled database (brain_bench_CHUNKS, 8 GB for a million) stays and is taken up again.
Knows the search and the stores. Try: BRAIN_BENCH_POSTGRES=postgresql://postgres@localhost/postgres python -m eval.bench
postgres --chunks 100000
"""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import psycopg

from access import Caller, local_caller
from config import Settings
from eval import filled, served, synthetic
from eval.timing import Figure, ms, own_index, temporary
from eval.unseen import told_apart
from models import Models
from postgres.connection import SCHEMA
from postgres.reader import EXACT, PostgresReader
from postgres.schema import GUARDED
from postgres.store import PostgresStore
from retrieval.gate import Limit
from search import Index, Searcher
from sources.folder import FolderSource

_DIMENSION = 384
_QUESTIONS = 20
_WHOLE = 0.3  # seconds
_FOR_LISTS = 100_000  # chunks
_DOCUMENTS = 1_000


def postgres(settings: Settings, chunks: int = 1_000_000) -> list[Figure]:
    """Nearest against an exact scan, recall, whole questions; lists against none; unseen documents; a sync."""
    with served.server() as owner, temporary() as folder:
        figures = _searched(settings, owner, chunks)
        figures += _with_lists(settings, owner, min(chunks, _FOR_LISTS))
        synthetic.write_notes(folder / "docs", _DOCUMENTS, synthetic.Corpus())
        with own_index(folder, folder / "docs", settings, Models(synthetic.Double(_DIMENSION), None, "")) as index:
            file = _wall(index.sync)
        with _index(settings, owner, folder / "docs") as index:
            rows = _wall(index.sync)
            details = {"documents": _DOCUMENTS, "sqlite_s": round(file, 2), "postgres_s": round(rows, 2)}
            figures.append(Figure("postgres", "first sync / on SQLite", rows / file, 3.0, "x", details))
            figures.append(told_apart("postgres", index, folder / "docs"))
    return figures


class Clock:
    """Seconds that a store's questions take: of this process and of the server's for this thread's connection."""

    def __init__(self, store: PostgresStore) -> None:
        (pid,) = store.connection().execute("SELECT pg_backend_pid()").fetchone()
        self._of = Path(f"/proc/{pid}")
        try:
            self.name = "processors" if "postgres" in (self._of / "comm").read_text() else "clock"
        except OSError:
            self.name = "clock"

    def __call__(self) -> float:
        """Seconds since some moment."""
        if self.name == "clock":
            return time.perf_counter()
        return time.process_time() + int((self._of / "schedstat").read_text().split()[0]) / 1e9

    def of(self, call: Callable[..., Any], *values: Any, **named: Any) -> tuple[float, Any]:
        """Seconds of one call, and what it returned."""
        started = self()
        found = call(*values, **named)
        return self() - started, found


def _searched(settings: Settings, owner: str, chunks: int) -> list[Figure]:
    database = served.database(owner, f"brain_bench_{chunks}", anew=False)
    store = PostgresStore(database.application)
    if store.chunk_count() != chunks:  # never filled, or not to the end
        store.close()
        database = served.database(owner, f"brain_bench_{chunks}")
        store = PostgresStore(database.application)
        filled.fill(store, database.owner, chunks, synthetic.Double(_DIMENSION))
    figures = []
    with psycopg.connect(database.owner) as connection:
        callers = filled.callers(connection)
    for name, caller in callers.items():
        figures += _nearest(store, name, caller)
    for name in ("nearly all", "few"):
        figures.append(_whole(store, settings, name, callers[name]))
    store.close()
    return figures


def _nearest(store: PostgresStore, name: str, caller: Caller) -> list[Figure]:
    clock, (model_id,) = Clock(store), store.connection().execute("SELECT max(id) FROM models").fetchone()
    found, scanned, shares, walls = [], [], [], []
    with store.reader(caller, model_id) as reader:
        assert isinstance(reader, PostgresReader)
        for query in filled.questions(_QUESTIONS, _DIMENSION):
            reader.nearest(query, 50)  # what it reads is in memory for both
            seconds, (exact, _) = clock.of(reader.nearest, query, 10, exact=True)
            scanned.append(seconds)
            started = time.perf_counter()
            seconds, (places, _) = clock.of(reader.nearest, query, 50)
            found.append(seconds)
            walls.append(time.perf_counter() - started)
            shares.append(float(np.isin(exact, places[:10]).mean()))
        count = reader.count
    if not count:
        return []  # so small an index has nothing for them
    details = {
        "readable": count, "nearest_ms": ms(median(found)), "exact_ms": ms(median(scanned)),
        "p50_wall_ms": ms(median(walls)), "of": clock.name,
    }  # fmt: skip
    wide = count > EXACT
    ratio = Figure("postgres", f"nearest / exact scan, {name}", median(found) / median(scanned), 0.5, "x", details)
    least = {"least": min(shares)}
    recall = Figure("postgres", f"recall@10, {name}", fmean(shares), 0.98 if wide else 1.0, "", least, least=True)
    return [ratio, recall] if wide else [recall]


def _whole(store: PostgresStore, settings: Settings, name: str, caller: Caller) -> Figure:
    ask, clock = _asking(store, settings, caller), Clock(store)
    ask(_QUESTIONS)
    walls, spent = [], []
    for number in range(_QUESTIONS):
        started, before = time.perf_counter(), clock()
        ask(number)
        spent.append(clock() - before)
        walls.append(time.perf_counter() - started)
    details = {"p50_wall_ms": ms(median(walls)), "of": clock.name}
    return Figure("postgres", f"a whole question, {name}", median(spent), _WHOLE, "s", details)


def _asking(store: PostgresStore, settings: Settings, caller: Caller) -> Callable[[int], Any]:
    """Asks the question of a number, one of rare and common words with a vector near the chunks'."""
    embedder, corpus = synthetic.Double(_DIMENSION), synthetic.Corpus()
    searcher = Searcher(store, embedder, store.register(embedder), settings, Limit(-1.0, 1.0, "setting", True))
    vectors = filled.questions(_QUESTIONS + 1, _DIMENSION)

    def ask(number: int) -> Any:
        embedder.query = vectors[number]
        return searcher.search(caller, corpus.question(number))

    return ask


def _with_lists(settings: Settings, owner: str, chunks: int) -> list[Figure]:
    """Searches by turns in two databases: one with lists, one in which everything is everyone's and nothing asks."""
    stores = []
    for name in ("lists", "open"):
        database = served.database(owner, f"brain_bench_{name}")
        store = PostgresStore(database.application)
        filled.fill(store, database.owner, chunks, synthetic.Double(_DIMENSION), is_open=name == "open")
        with psycopg.connect(database.owner) as connection:
            if name == "lists":
                callers = filled.callers(connection)
            else:
                for table in GUARDED:
                    connection.execute(f"ALTER POLICY who_may_read ON {SCHEMA}.{table} USING (1 = 1)".encode())
        stores.append(store)
    figures = []
    plain = _asking(stores[1], settings, local_caller())
    for name, caller in callers.items():
        ask, clocks = _asking(stores[0], settings, caller), [Clock(store) for store in stores]
        spent = []
        for number in range(-1, _QUESTIONS):
            spent.append((clocks[0].of(ask, number)[0], clocks[1].of(plain, number)[0]))
        ours, theirs = (median(times) for times in zip(*spent[1:], strict=True))
        with stores[0].reader(caller) as reader:
            details = {"readable": reader.count, "ms": ms(ours), "plain_ms": ms(theirs), "of": clocks[0].name}
        figures.append(Figure("postgres", f"search, {name} / without lists", ours / theirs, 1.3, "x", details))
        figures += _nearest(stores[0], f"{name} of {chunks}", caller)[-1:]
    for store in stores:
        store.close()
    return figures


def _index(settings: Settings, owner: str, docs: Path) -> Index:
    url = served.database(owner, "brain_bench_sync").application
    own = replace(settings, docs_dir=docs, database=url, min_score=-1.0, min_coverage=None)
    models = Models(synthetic.Double(_DIMENSION), None, "")
    return Index(own, models, FolderSource(docs), PostgresStore(url))


def _wall(call: Callable[[], Any]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
