"""Times `search_company_knowledge` as an assistant sees it: through the SDK's client, over stdio and over HTTP.

The server is a process of its own over made-up documents; the clock is the wall's, and what the client does with the
reply (it checks it against the schema) counts. Once with an embedder that answers at once, once with the settings' own
beside it. Try: python -m eval.bench mcp
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np

from config import PROJECT, Settings, load
from errors import UsageError
from eval import synthetic
from eval.timing import Figure, ms, own_index, temporary
from models import Models, Vector, pick
from search import Index

_READY_SECONDS = 300.0
_CODE = "import sys; from eval.over_mcp import serve; serve(*sys.argv[1:])"


class Beside(synthetic.Double):
    """The double, which lets the settings' own embedder embed each question, too: for its time, not its vector."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._real = pick(settings).embedder

    def embed_query(self, text: str, lang: str) -> Vector:
        """The double's vector, after the other has made its own."""
        if self._real:
            self._real.embed_query(text, lang)
        return super().embed_query(text, lang)


def mcp(settings: Settings, chunks: int = 10_000, calls: int = 100) -> list[Figure]:
    """The median of a search over both transports, without and beside the embedder (whose own is `embedder_ms`)."""
    corpus = synthetic.Corpus()
    questions = [corpus.question(shift) for shift in range(calls)]
    real = pick(settings).embedder
    own: list[float] = []
    for question in questions[: calls if real else 0]:
        started = time.perf_counter()
        assert real
        real.embed_query(question, "en")
        own.append(time.perf_counter() - started)
    figures = []
    with temporary() as folder:
        synthetic.write_folder(folder / "docs", chunks, corpus)
        for beside in ("", "beside"):
            for road in ("stdio", "http"):
                took = asyncio.run(_took(folder, road, beside, questions))
                median, slow = (float(np.percentile(took, part)) for part in (50, 95))
                details = {"chunks": chunks, "calls": calls, "p95_ms": ms(slow)}
                if beside and own:
                    details["embedder_ms"] = ms(float(np.median(own)))
                what = f"search over {road}, {'with the' if beside else 'without'} embedder"
                figures.append(Figure("mcp", what, 1000 * median, 30.0, "ms", details))
    return figures


async def _took(folder: Path, road: str, beside: str, questions: list[str]) -> list[float]:
    """Seconds of each call. Raises UsageError when the server does not become ready."""
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
            seconds = []
            for question in [questions[0], *questions]:
                started = time.perf_counter()
                result = await client.call_tool("search_company_knowledge", {"query": question})
                seconds.append(time.perf_counter() - started)
                if result.is_error or not (result.structured_content or {}).get("result"):
                    raise UsageError(f"A search failed: {result.content}")
    return seconds[1:]


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
        embedder = Beside(settings) if beside else synthetic.Double()
        return own_index(Path(folder), settings.docs_dir, given, Models(embedder, None, ""))

    if road == "stdio":
        from assistants import stdio
        from service.brain import Brain

        stdio.serve(Brain(settings, lambda text: None, opened))
    from server import Service, http_server, listening

    with listening(settings) as bound:
        print(bound.getsockname()[1], flush=True)
        http_server(Service(settings, opens=opened)).run(sockets=[bound])
