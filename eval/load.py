"""Times the product under load: very many documents at the first sync, questions at once, changes while it answers.

What is measured runs in a process of its own, with model doubles that answer at once, so that what is left is ours.
Try: python -m eval.bench first-sync-many concurrent follow
"""

import contextlib
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from config import PROJECT, Settings, load
from errors import UsageError
from eval import synthetic
from eval.timing import Figure, ms, own_index, peak_memory, run, temporary
from language.detect import language_of
from models import Models
from search import Index

TOKEN = "the-token-of-a-bench"
"""What the benches' server asks for at POST /sync."""
_READY_SECONDS = 120.0
_WAIT_SECONDS = 60.0  # for one answer


def first_sync_many(settings: Settings, documents: int = 100_000) -> list[Figure]:
    """The first sync of very many short documents, without the embedder's time, and how its memory grows with them.

    The vectors are of 512 dimensions; the embedder embeds no units, as Ollama's. `with_units_us` is for one that does,
    over a tenth of the documents, where words met for the first time weigh more, as they do in `tenth_us`.
    """
    with temporary() as folder:
        synthetic.write_notes(folder / "few", max(1, documents // 10), synthetic.Corpus(seed=8))
        synthetic.write_notes(folder / "many", documents, synthetic.Corpus())
        few, units, many = (
            json.loads(run([sys.executable, "-c", _SYNC, str(folder / name), flag]).splitlines()[-1])
            for name, flag in (("few", ""), ("few", "units"), ("many", ""))
        )
    more = (many["peak"] - few["peak"]) / max(1, many["documents"] - few["documents"])
    details = {
        "documents": many["documents"], "per_s": round(1e6 / many["us"]), "parse_us": many["parse_us"],
        "tenth_us": few["us"], "with_units_us": units["us"],
    }  # fmt: skip
    memory = {"peak_mb": round(many["peak"] / 1e6), "tenth_mb": round(few["peak"] / 1e6)}
    return [
        Figure("first-sync-many", "process time a document", many["us"], 333.0, "us", details),
        Figure("first-sync-many", "memory a further document", more, 1000.0, "B", memory),
    ]


_SYNC = "import sys; from eval.load import sync_once; print(sync_once(*sys.argv[1:]))"


def sync_once(folder: str, flag: str) -> str:
    """Syncs the folder into a new index and returns JSON: documents, us a document, peak memory. For a fresh process.

    `flag` is "units" for an embedder that embeds units. `parse_us` is markdown-it-py's block parse of one document at
    that time, as a measure of the machine.
    """
    from markdown_it import MarkdownIt

    language_of("Faktura Lieferung Montage Protokoll")  # no function word: loads what tells by letters, 90 MB
    embedder = synthetic.Constant(flag == "units")
    parser, texts = MarkdownIt("commonmark").enable("table"), [p.read_text() for p in Path(folder, "0000").iterdir()]
    with temporary() as own, own_index(own, Path(folder), load({}, {}), Models(embedder, None, "")) as index:
        before = time.process_time()
        summary = index.sync()
        seconds = time.process_time() - before - embedder.seconds
    before = time.process_time()
    for text in texts:
        parser.block.parse(text, parser, {}, [])
    parse = time.process_time() - before
    found = {"documents": summary.added, "us": round(1e6 * seconds / summary.added), "peak": peak_memory()}
    return json.dumps(found | {"parse_us": round(1e6 * parse / len(texts))})


def concurrent(settings: Settings, questions: int = 32, rounds: int = 8, chunks: int = 3000) -> list[Figure]:
    """Questions that all come at once to the real server, over sockets, for a chat model that replies at once.

    Every question counts, those of the first round too. The bar is on the slowest hundredth against the median.
    """
    corpus = synthetic.Corpus()
    with temporary() as folder:
        synthetic.write_folder(folder / "docs", chunks, corpus)
        asked = [corpus.question(shift) for shift in range(questions)]
        seconds: list[float] = []
        failed: list[str] = []
        with serving(folder, questions) as server, ThreadPoolExecutor(questions) as pool:
            for _ in range(rounds):
                together = threading.Barrier(questions)
                for took, error in pool.map(lambda text, wait=together.wait: _ask(server.port, text, wait), asked):
                    seconds.append(took)
                    failed += [error] if error else []
    median, slowest = (float(np.percentile(seconds, part)) for part in (50, 99))
    details = {"questions": len(seconds), "at_once": questions, "p50_ms": ms(median), "p99_ms": ms(slowest)}
    return [
        Figure("concurrent", "p99 / p50 of a question", slowest / median, 10.0, "x", details),
        Figure("concurrent", "questions not answered", len(failed), 0.0, "", {"first": failed[:1]}),
    ]


def follow(settings: Settings, rounds: int = 10, chunks: int = 3000) -> list[Figure]:
    """How long after a document was saved the real server finds its new words; wall clock, an embedder without delay.

    The bar is on the slowest. `burst_s` is the same for the last of 300 documents written at once.
    """
    with temporary() as folder:
        docs = folder / "docs"
        synthetic.write_folder(docs, chunks, synthetic.Corpus())
        with serving(folder, 8) as server:
            seconds = []
            for number in range(rounds):
                (docs / "gate.md").write_text(f"# Gate\n\nThe code of the gate is now codeword{number}.\n", "utf-8")
                seconds.append(_found_after(server.port, f"codeword{number}"))
                time.sleep(0.3 * number)  # some meet the look that follows a change
            for number in range(300):
                (docs / f"burst{number}.md").write_text(f"# Burst\n\nThe code is now burstword{number}.\n", "utf-8")
            burst = _found_after(server.port, "burstword299")
    details: dict[str, Any] = {"chunks": chunks, "rounds": rounds, "p50_s": round(float(np.median(seconds)), 2)}
    details["burst_s"] = round(burst, 2)
    return [Figure("follow", "from saving to being found", max(seconds), 2.0, "s", details)]


def _found_after(port: int, word: str) -> float:
    started = time.monotonic()
    while True:
        status, reply = _got(port, "POST", "/search", json.dumps({"text": f"Which code is {word}?"}))
        passed = time.monotonic() - started
        if status == 200 and any(word in hit["text"] for hit in reply["hits"]):
            return passed
        if passed > _WAIT_SECONDS:
            raise UsageError(f"The server did not find {word} within {_WAIT_SECONDS:.0f} s.")
        time.sleep(0.02)


def _ask(port: int, text: str, together: Any) -> tuple[float, str]:
    """Seconds of one question on a connection of its own, and what went wrong, "" for nothing."""
    body = json.dumps({"text": text})
    together()
    started = time.perf_counter()
    try:
        status, reply = _got(port, "POST", "/ask", body)
    except OSError as error:
        return time.perf_counter() - started, repr(error)
    took = time.perf_counter() - started
    return took, "" if status == 200 and reply["sources"] else f"{status} {reply}"[:200]


def _got(port: int, method: str, path: str, body: str | None = None) -> tuple[int, Any]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=_WAIT_SECONDS)) as connection:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())


@dataclass(frozen=True, slots=True)
class Served:
    """A server in a process of its own."""

    port: int
    pid: int


@contextlib.contextmanager
def serving(
    folder: Path, queue: int, log: Path | None = None, retries: int = 2, audit: bool = True
) -> Iterator[Served]:
    """A server that is ready to answer from `folder`/docs, with model doubles; what it says goes to `log` or stderr."""
    code = "import sys; from eval.load import serve; serve(sys.argv[1], *map(int, sys.argv[2:]))"
    command = [sys.executable, "-c", code, str(folder), str(queue), str(retries), str(int(audit))]
    with contextlib.ExitStack() as opened:
        errors = opened.enter_context(log.open("wb")) if log else None
        child = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=errors, text=True)
        opened.enter_context(child)
        opened.callback(child.terminate)
        assert child.stdout
        port = int(child.stdout.readline() or 0)
        end = time.monotonic() + _READY_SECONDS
        while not port or _got(port, "GET", "/readyz")[0] != 200:
            if not port or time.monotonic() > end:
                raise UsageError("The server did not become ready; what it printed says why.")
            time.sleep(0.05)
        yield Served(port, child.pid)


def serve(folder: str, queue: int, retries: int, audit: int) -> None:
    """Serves `folder`/docs with model doubles on a free port, which it prints first. For a process of its own."""
    from server import Service, http_server, listening

    settings = load({"docs_dir": Path(folder, "docs"), "db": Path(folder, "served.db"), "port": 0}, {})
    settings = replace(settings, queue=queue, retries=retries, sync_token=TOKEN, metrics=True, audit=bool(audit))

    def opened(settings: Settings) -> Index:
        return own_index(Path(folder), settings.docs_dir, settings, Models(synthetic.Double(), synthetic.Echo(), ""))

    with listening(settings) as bound:
        print(bound.getsockname()[1], flush=True)
        http_server(Service(settings, opens=opened)).run(sockets=[bound])
