"""Eight processes ask an index in PostgreSQL while a ninth syncs it: no error, no deadlock, nothing of another's.

Each asker has its own store and random callers. It knows what each must find and must never see: documents of fixed
rights, documents whose text says who may read them now, and a folder whose rule goes back and forth between two groups.
Knows the product by its search, its log and its sync. Try: python -m eval.bench postgres-at-once --seconds 30
"""

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg

from access import EVERYONE, Caller
from answering.recorded import Log
from config import PROJECT, Settings, load
from errors import UsageError
from eval import served, synthetic
from eval.filled import groups
from eval.timing import Figure, temporary
from models import Models
from postgres.store import PostgresStore
from retrieval.found import Hit
from retrieval.gate import Limit
from search import Index, Searcher
from sources.folder import FolderSource

_ASKERS = 8
_GROUPS = 12
_FIXED, _MOVING, _TURNED = 120, 60, 20  # documents
_DIMENSION = 64


def at_once(settings: Settings, seconds: float = 30.0) -> list[Figure]:
    """What went wrong in so many seconds, and how much was asked and synced in them."""
    with served.server() as owner, temporary() as folder:
        database = served.database(owner, "brain_bench_at_once")
        docs = Corpus(folder / "docs")
        with _opened(database.application, docs.folder) as index:
            index.sync()
            before = _deadlocks(database.owner)
            askers = [
                subprocess.Popen(
                    [sys.executable, "-c", _ASK, database.application, str(docs.folder), str(number), str(seconds)],
                    cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                )
                for number in range(_ASKERS)
            ]  # fmt: skip
            told = _synced(index, docs, seconds)
            found = [_told(asker) for asker in askers]
        deadlocks = _deadlocks(database.owner) - before
    questions = sum(one["questions"] for one in found)
    took = sorted(second for one in found for second in one["seconds"])
    errors = [error for one in [*found, told] for error in one["errors"]]
    wrong = [fault for one in found for fault in one["wrong"]]
    work = {
        "processes": _ASKERS, "questions": questions, "p50_ms": round(1000 * took[len(took) // 2], 1),
        "slowest_ms": round(1000 * took[-1], 1), "syncs": told["syncs"], "changed": told["changed"],
    }  # fmt: skip
    return [
        Figure("postgres-at-once", "errors", len(errors), 0.0, "", work | {"first": errors[:1]}),
        Figure("postgres-at-once", "deadlocks", deadlocks, 0.0, "", {}),
        Figure("postgres-at-once", "found wrongly or not", len(wrong), 0.0, "", {"first": wrong[:1]}),
    ]


class Corpus:
    """The documents and their rights: what is fixed, what moves, what is turned."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._random, self._turn = folder, random.Random(3), 0
        for number in range(_FIXED):
            self._write(f"fixed/{number % _GROUPS}/{number}.md", f"The word of this page is fixed{number}.")
        for number in range(_MOVING):
            self._move(number)
        for number in range(_TURNED):
            self._write(f"turned/{number}.md", f"The word of this page is turned{number}.")
        self._rule()

    def change(self) -> None:
        """Some pages get another text, some another reader with it, one goes and comes, the folder is turned."""
        for number in self._random.sample(range(_FIXED), 6):
            text = f"The word of this page is fixed{number}. It was edited: {self._random.random()}."
            self._write(f"fixed/{number % _GROUPS}/{number}.md", text)
        for number in self._random.sample(range(_MOVING), 6):
            self._move(number)
        gone = self.folder / "moving" / f"{self._random.randrange(_MOVING)}.md"
        gone.unlink(missing_ok=True)
        self._turn += 1
        self._rule()

    def _move(self, number: int) -> None:
        group = self._random.randrange(_GROUPS)
        text = f"---\naccess: group:{group}\n---\n\nThe word is moving{number}. Only group {group} reads this page."
        self._write(f"moving/{number}.md", text)

    def _rule(self) -> None:
        lines = [f'"fixed/{group}/" = ["group:{group}"]' for group in range(_GROUPS)]
        lines += [f'"moving/" = ["{EVERYONE}"]', f'"turned/" = ["group:{self._turn % 2}"]']
        path = self.folder / "access.toml"
        path.with_suffix(".new").write_text("[allow]\n" + "\n".join(lines) + "\n", encoding="utf-8")
        path.with_suffix(".new").replace(path)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n" if text.startswith("---") else f"# Page\n\n{text}\n", encoding="utf-8")
        then = time.time() - 3600 - self._random.random()
        os.utime(path, (then, then))  # old enough to be settled, of another time than before


def ask(url: str, docs: str, number: str, seconds: str) -> str:
    """For a process of its own: asks until the time is over and returns what became of it as JSON."""
    chosen, errors, wrong, took = random.Random(int(number)), list[str](), list[str](), list[float]()
    with _opened(url, Path(docs)) as index:
        searcher = _searcher(index)
        log = Log(index.settings, index.store, lambda text: None)
        ends = time.monotonic() + float(seconds)
        while time.monotonic() < ends:
            held = groups(*chosen.sample(range(_GROUPS), chosen.randint(1, 3)))
            caller = Caller(f"user:{number}", held | {EVERYONE})
            kind, count = chosen.choice((("fixed", _FIXED), ("moving", _MOVING), ("turned", _TURNED)))
            word = chosen.randrange(count)
            started = time.perf_counter()
            try:
                entry = log.entry("search", "search", caller, f"{kind}{word}")
                with entry.told():
                    found = searcher.search(caller, f"Which page has the word {kind}{word}?", 20)
                    entry.found(found, hits=True)
                wrong += _faults(caller, kind, word, found.hits)
            except Exception:  # whatever it is, it is counted
                errors.append(traceback.format_exc()[-600:])
            took.append(time.perf_counter() - started)
    return json.dumps({"questions": len(took), "seconds": took, "errors": errors, "wrong": wrong})


_ASK = "import sys; from eval.at_once import ask; print(ask(*sys.argv[1:]))"


def _faults(caller: Caller, kind: str, word: int, hits: list[Hit]) -> Iterator[str]:
    """What is not the caller's among the hits, and what is theirs and lacking."""
    held = caller.sets[0]
    for hit in hits:
        path, text = hit.chunk.path, hit.chunk.text
        folder = path.split("/")[0]
        groups_of = {"fixed": f"group:{path.split('/')[1]}", "turned": ""}.get(folder)
        if folder == "moving":
            said = re.search(r"Only group (\d+)", text)
            groups_of = f"group:{said[1]}" if said else "group:none"
        among = {groups_of} if groups_of else {"group:0", "group:1"}
        if not among & held:
            yield f"{sorted(held)} found {path}: {text[-60:]}"
    always = kind == "fixed" and f"group:{word % _GROUPS}" in held
    if (always or (kind == "turned" and {"group:0", "group:1"} <= held)) and not any(
        f"{kind}{word}." in hit.chunk.text for hit in hits
    ):
        yield f"{sorted(held)} did not find {kind}{word}"


def _synced(index: Index, docs: Corpus, seconds: float) -> dict[str, Any]:
    ends, syncs, changed, errors = time.monotonic() + seconds, 0, 0, list[str]()
    while time.monotonic() < ends:
        docs.change()
        try:
            summary = index.sync()
            changed += summary.added + summary.changed + summary.removed
        except Exception:
            errors.append(traceback.format_exc()[-600:])
        syncs += 1
    return {"syncs": syncs, "changed": changed, "errors": errors}


def _told(asker: "subprocess.Popen[str]") -> dict[str, Any]:
    out, complaint = asker.communicate()
    if asker.returncode:
        raise UsageError(f"an asking process failed: {complaint.strip()[-500:]}")
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


@contextlib.contextmanager
def _opened(url: str, docs: Path) -> Iterator[Index]:
    own = replace(load({}, {}), docs_dir=docs, database=url, min_score=-1.0, min_coverage=None)
    models = Models(synthetic.Double(_DIMENSION), None, "")
    with Index(own, models, FolderSource(docs), PostgresStore(url)) as index:
        yield index


def _searcher(index: Index) -> Searcher:
    embedder = index.models.embedder
    assert embedder is not None
    model_id = index.store.register(embedder)
    return Searcher(index.store, embedder, model_id, index.settings, Limit(-1.0, 1.0, "setting", True))


def _deadlocks(owner: str) -> int:
    with psycopg.connect(owner) as connection:
        sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        row = connection.execute(sql).fetchone()
    return int(row[0]) if row else 0
