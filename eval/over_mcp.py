"""Times `search_company_knowledge` as an assistant sees it: through the SDK's client, over stdio and over HTTP.

The server is a process of its own over made-up documents; the clock is the wall's, and what the client does with the
reply (it checks it against the schema) counts. Once with an embedder that answers at once, once with the settings' own
beside it. Try: python -m eval.bench mcp
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np

from access import local_caller
from access.identity import SCOPES, Identity
from config import PROJECT, Settings, load
from errors import UsageError
from eval import synthetic
from eval.timing import Figure, ms, own_index, temporary
from models import Embedder, Models, Vector, pick
from search import Index

_READY_SECONDS = 300.0
_LOG = "process-times"
_CODE = "import sys; from eval.over_mcp import serve; serve(*sys.argv[1:])"


class Clocked(synthetic.Double):
    """The double, which writes this process's time down at each question; `real` embeds it, too, for its time alone."""

    def __init__(self, log: Path, real: Embedder | None) -> None:
        super().__init__()
        self._log, self._real = log.open("w", buffering=1), real

    def embed_query(self, text: str, lang: str) -> Vector:
        """The double's vector, whatever the other makes of the text."""
        print(time.process_time(), file=self._log)
        if self._real:
            self._real.embed_query(text, lang)
        return super().embed_query(text, lang)


def mcp(settings: Settings, chunks: int = 10_000, calls: int = 100) -> list[Figure]:
    """The median of a search over both transports, without and beside the embedder; the bar is on what is not its own.

    `search_ms` is the search's own median in this process, `embedder_ms` the embedder's; `cpu_ms` the mean processor
    time of a call in server and client, which other work on the machine moves less than the clock.
    """
    corpus = synthetic.Corpus()
    questions = [corpus.question(shift) for shift in range(calls)]
    figures = []
    with temporary() as folder:
        synthetic.write_folder(folder / "docs", chunks, corpus)
        own = _own(folder, settings, questions)
        for beside in ("", "beside"):
            for road in ("stdio", "http"):
                took, cpu = asyncio.run(_took(folder, road, beside, questions))
                median, slow = (float(np.percentile(took, part)) for part in (50, 95))
                details = {"chunks": chunks, "calls": calls, "p95_ms": ms(slow), "cpu_ms": ms(cpu)} | own
                what = f"search over {road}, {'with the' if beside else 'without'} embedder"
                bar = 30.0 + (own.get("embedder_ms", 0.0) if beside else 0.0)
                figures.append(Figure("mcp", what, 1000 * median, bar, "ms", details))
    return figures


def _own(folder: Path, settings: Settings, questions: list[str]) -> dict[str, float]:
    """Medians of the parts in this process, ms; the index is made on the way."""
    with own_index(folder, folder / "docs", settings, Models(synthetic.Double(), None, "")) as index:
        index.sync()
        parts: dict[str, Callable[[str], object]] = {
            "search_ms": lambda text: index.searcher().search(local_caller(), text, 5)
        }
        if real := pick(settings).embedder:
            parts["embedder_ms"] = lambda text: real.embed_query(text, "en")
        return {
            name: ms(float(np.median([_seconds(part, text) for text in questions]))) for name, part in parts.items()
        }


def _seconds(part: Callable[[str], object], text: str) -> float:
    started = time.perf_counter()
    part(text)
    return time.perf_counter() - started


async def _took(folder: Path, road: str, beside: str, questions: list[str]) -> tuple[list[float], float]:
    """Seconds of each call, and mean processor seconds of one. Raises UsageError when the server is never ready."""
    from mcp import Client, StdioServerParameters

    arguments = ["-c", _CODE, str(folder), road, beside]
    async with _target(arguments, road) as address:
        params = StdioServerParameters(command=sys.executable, args=arguments, cwd=PROJECT)
        async with Client(address or params) as client:
            end = time.monotonic() + _READY_SECONDS
            while not ((await client.call_tool("index_status", {})).structured_content or {}).get("ready"):
                if time.monotonic() > end:
                    raise UsageError("The server did not become ready; what it printed says why.")
                await asyncio.sleep(0.1)
            seconds, before = [], time.process_time()
            for question in [questions[0], *questions]:
                started = time.perf_counter()
                result = await client.call_tool("search_company_knowledge", {"query": question})
                seconds.append(time.perf_counter() - started)
                if result.is_error or not (result.structured_content or {}).get("result"):
                    raise UsageError(f"A search failed: {result.content}")
            ours = (time.process_time() - before) / len(seconds)
    theirs = [float(line) for line in (folder / _LOG).read_text().split()][-len(questions) :]
    return seconds[1:], ours + (theirs[-1] - theirs[0]) / (len(theirs) - 1)


@asynccontextmanager
async def _target(arguments: list[str], road: str) -> AsyncIterator[str]:
    """The address of a server of its own, "" over stdio, where the client starts one."""
    if road == "stdio":
        yield ""
        return
    with subprocess.Popen([sys.executable, *arguments], cwd=PROJECT, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout
            yield f"http://127.0.0.1:{await asyncio.to_thread(child.stdout.readline)}".strip() + "/mcp"
        finally:
            child.terminate()


def serve(folder: str, road: str, beside: str = "") -> None:
    """Serves `folder`/docs by that road, over HTTP on a free port that it prints. For a process of its own."""
    settings = load({"docs_dir": Path(folder, "docs"), "db": Path(folder, "index.db"), "port": 0})

    def opened(given: Settings) -> Index:
        embedder = Clocked(Path(folder, _LOG), pick(settings).embedder if beside else None)
        return own_index(Path(folder), settings.docs_dir, given, Models(embedder, None, ""))

    if road == "stdio":
        from assistants import stdio
        from service.brain import Brain

        local = Identity(local_caller(), frozenset(SCOPES), "none")
        stdio.serve(Brain(settings, lambda text: None, opened), lambda: local)
    from server import Service, http_server, listening

    with listening(settings) as bound:
        print(bound.getsockname()[1], flush=True)
        http_server(Service(settings, opens=opened)).run(sockets=[bound])
