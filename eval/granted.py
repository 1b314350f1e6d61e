"""What access lists cost a search: 100,000 chunks, 2,000 groups, callers who may read all, some and few.

The same questions by a caller who may read everything by one principal, and by members of groups under allow, narrow
and deny, in one run. Try: python -m eval.bench access
"""

import random
from collections.abc import Iterable

import numpy as np

from access import Caller, local_caller
from config import Settings
from eval import synthetic
from eval.timing import Figure, best, ms, temporary
from retrieval.gate import Limit
from search import Searcher
from storage import lists
from storage.schema import writing
from store import Store

_GROUPS = 2_000
_EACH = 3  # groups that a document names
_DENIED, _NARROWED = 50, 20  # one document of so many denies a group, asks for another one too
_QUESTIONS = 30
_DIMENSION = 384
_NARROW = 1024  # chunks of a caller all of which are looked at


def access(settings: Settings, chunks: int = 100_000) -> list[Figure]:
    """Search with lists against search without, the rights of a caller read anew, and what narrow callers find."""
    embedder = synthetic.Double(_DIMENSION)
    with temporary() as folder:
        store = Store(folder / "index.db")
        model_id = synthetic.fill(store, chunks, embedder, synthetic.Corpus(), units=0)
        searcher = Searcher(store, embedder, model_id, settings, Limit(-1.0, 1.0, "setting", True))
        plain = _asked(searcher, local_caller())
        _grant(store)
        figures = [one for name, caller in _callers().items() for one in _figures(searcher, name, caller, plain)]
        store.close()
    return figures


def _callers() -> dict[str, Caller]:
    every, some = _groups(range(_GROUPS)), _groups(range(50))
    return {
        "nearly all": Caller("user:wide", every),
        "some": Caller("user:some", some),
        "few": Caller("user:few", _groups([7])),
        "an agent for some": Caller("agent:a", every, (some,)),
    }


def _groups(numbers: Iterable[int]) -> frozenset[str]:
    return frozenset(f"group:{number}" for number in numbers)


def _grant(store: Store) -> None:
    chosen, connection = random.Random(1), store.connection()
    rows = []
    for (document,) in connection.execute("SELECT id FROM documents ORDER BY id").fetchall():
        rows += [("allow", document, f"group:{n}") for n in chosen.sample(range(_GROUPS), _EACH)]
        if document % _DENIED == 0:
            rows.append(("deny", document, f"group:{chosen.randrange(_GROUPS)}"))
        if document % _NARROWED == 0:
            rows += [("narrow", document, name) for name in ("", f"group:{chosen.randrange(_GROUPS)}")]
    with writing(connection):
        connection.execute("DELETE FROM grants")
        connection.executemany("INSERT OR IGNORE INTO grants (kind, document_id, principal) VALUES (?, ?, ?)", rows)


def _asked(searcher: Searcher, caller: Caller) -> float:
    """Seconds a question, the caller's rights in memory."""
    corpus = synthetic.Corpus()
    questions = [corpus.question(shift) for shift in range(_QUESTIONS)]
    return best(lambda: [searcher.search(caller, question) for question in questions]) / _QUESTIONS


def _figures(searcher: Searcher, name: str, caller: Caller, plain: float) -> list[Figure]:
    seconds, query = _asked(searcher, caller), synthetic.query_near_a_cluster(_DIMENSION)
    with searcher.store.reader(caller, searcher.model_id) as reader:
        every = reader.places()
        exact = every[np.argsort(-reader.cosines_at(query, every), kind="stable")[:10]]
        found = float(np.isin(exact, reader.nearest(query, 10)[0]).mean())
    sql, values = lists.readable(caller)
    connection = searcher.store.connection()
    anew = best(lambda: connection.execute(f"SELECT count(*) FROM ({sql})", values).fetchone())
    details = {"readable": len(every), "ms": ms(seconds), "plain_ms": ms(plain), "rights_anew_ms": ms(anew)}
    least = 1.0 if len(every) <= _NARROW else 0.98
    return [
        Figure("access", f"search, {name} / without lists", seconds / plain, 1.3, "x", details),
        Figure("access", f"recall@10, {name}", found, least, "", {}, least=True),
    ]
