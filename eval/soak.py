"""A day's use in fast motion: very many questions to the real server while its documents change all along.

The server is a process of its own with model doubles, follows its folder as it does at work, and is looked at from
outside: resident memory, open handles, threads, the index file with its journal, what it wrote to its log. Without the
audit log, which grows by a row a question (`python -m eval.bench audit`).
Try: python -m eval.bench soak --questions 5000
"""

import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from config import Settings
from eval import synthetic
from eval.load import serving
from eval.timing import Figure, temporary

_CLIENTS = 4
_CHANGE_SECONDS = 0.25
_SAMPLES = 60
_WARM = 0.2  # of the run: caches fill, each worker thread opens its connection
_DOCUMENTS = 30
_QUESTIONS = 2000  # different ones


def soak(settings: Settings, questions: int = 100_000) -> list[Figure]:
    """Memory, handles, errors and sizes over `questions` questions. Needs /proc, so Linux."""
    with temporary() as folder:
        corpus = synthetic.Corpus()
        synthetic.write_folder(folder / "docs", 10 * _DOCUMENTS, corpus)
        run = _Run(questions, [corpus.question(shift) for shift in range(_QUESTIONS)])
        changes = _Changes(folder / "docs", corpus)
        with serving(folder, _CLIENTS, folder / "log", retries=0, audit=False) as server:
            _load_languages(server.port)
            helpers = [threading.Thread(target=run.ask, args=(server.port, n)) for n in range(_CLIENTS)]
            for helper in [*helpers, changes]:
                helper.start()
            samples = list(_samples(server.pid, folder, run))
            for helper in helpers:
                helper.join()
            changes.over.set()
            changes.join()
    return _figures(run, changes, samples)


def _load_languages(port: int) -> None:
    """A question whose language py3langid alone can tell: it takes 79 MB once, else in the middle of some run."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    body = json.dumps({"text": "Zwingli Umlaufbeschluss Kaffeekasse"})
    connection.request("POST", "/ask", body, {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()


@dataclass(slots=True)
class _Run:
    """Questions that the clients take one after another."""

    wanted: int
    texts: list[str]
    done: int = 0
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, port: int, seed: int) -> None:
        chosen = random.Random(seed)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while self._take():
            body = json.dumps({"text": chosen.choice(self.texts)})
            try:
                connection.request("POST", "/ask", body, {"Content-Type": "application/json"})
                reply = connection.getresponse()
                told = reply.read()
                error = "" if reply.status == 200 and json.loads(told)["sources"] else f"{reply.status} {told[:200]!r}"
            except (OSError, http.client.HTTPException) as failed:
                error = repr(failed)
                connection.close()
            if error:
                with self.lock:
                    self.errors.append(error)
        connection.close()

    def _take(self) -> bool:
        with self.lock:
            self.done += 1
            return self.done <= self.wanted


class _Changes(threading.Thread):
    """Rewrites, removes and adds a document every quarter of a second."""

    def __init__(self, docs: Path, corpus: synthetic.Corpus) -> None:
        super().__init__()
        self.over, self.count = threading.Event(), 0
        self._docs, self._corpus, self._chosen = docs, corpus, random.Random(5)

    def run(self) -> None:
        while not self.over.wait(_CHANGE_SECONDS):
            files = sorted(self._docs.iterdir())
            path = self._chosen.choice(files)
            if len(files) > _DOCUMENTS:
                path.unlink()
            else:
                new = path if self.count % 2 else self._docs / f"new-{self.count}.md"
                text = self._corpus.text(self._corpus.draw(synthetic.WORDS_A_CHUNK))
                new.write_text(f"# {text.split('.')[0]}\n\n{text}\n" * 10, encoding="utf-8")
            self.count += 1


@dataclass(frozen=True, slots=True)
class _Sample:
    memory: int  # bytes
    handles: int
    threads: int
    index: int  # bytes, with the journal
    log: int  # bytes


def _samples(pid: int, folder: Path, run: _Run) -> Iterator[_Sample]:
    """What the server takes, some sixty times over the run."""
    for number in range(1, _SAMPLES + 1):
        while run.done < run.wanted * number / _SAMPLES:
            time.sleep(0.02)
        yield _sample(pid, folder)


def _sample(pid: int, folder: Path) -> _Sample:
    process = Path(f"/proc/{pid}")
    told = dict(row.split(":", 1) for row in (process / "status").read_text().splitlines())
    index = sum(path.stat().st_size for path in folder.glob("index.db*"))
    return _Sample(
        1024 * int(told["VmRSS"].split()[0]), len(list((process / "fd").iterdir())), int(told["Threads"]), index,
        (folder / "log").stat().st_size,
    )  # fmt: skip


def _figures(run: _Run, changes: _Changes, samples: list[_Sample]) -> list[Figure]:
    warm = samples[int(_WARM * len(samples)) :]
    part = max(1, len(warm) // 5)
    details: dict[str, Any] = {"questions": run.wanted, "different": len(run.texts), "changes": changes.count}

    def grown(values: list[int]) -> tuple[float, float]:
        """The middle of the warm run's first fifth and of its last."""
        return median(values[:part]), median(values[-part:])

    memory = grown([one.memory for one in warm])
    half = len(warm) // 2  # the journal grows and is emptied, so middles say when they were looked at, the largest more
    index = max(one.index for one in warm[:half] or warm), max(one.index for one in warm[half:])
    handles, threads = grown([one.handles for one in warm]), grown([one.threads for one in warm])
    sizes = {"first_mb": round(index[0] / 1e6, 1), "last_mb": round(index[1] / 1e6, 1), "log_bytes": samples[-1].log}
    details |= {"first_mb": round(memory[0] / 1e6, 1), "last_mb": round(memory[1] / 1e6, 1)}
    return [
        Figure("soak", "memory, grown", 100 * (memory[1] / memory[0] - 1), 10.0, "%", details),
        Figure("soak", "handles, more", handles[1] - handles[0], 0.0, "", {"first": handles[0], "last": handles[1]}),
        Figure("soak", "threads, more", threads[1] - threads[0], 0.0, "", {"first": threads[0], "last": threads[1]}),
        Figure("soak", "questions not answered", len(run.errors), 0.0, "", {"first": run.errors[:1]}),
        Figure("soak", "index file, largest, grown", 100 * (index[1] / index[0] - 1), 10.0, "%", sizes),
    ]
