"""Times what the product promises to be quick at, as ratios within one run: process time, the best of five.

Each bench prints its figure beside its bar; nothing is asserted, a short one is for people to look into. What a
machine does meanwhile moves seconds, less so ratios. Stores nothing outside a temporary folder but the demo's index.
Try: python -m eval.bench chunking unchanged
"""

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import fmean, median

import numpy as np
from markdown_it import MarkdownIt
from markdown_it.token import Token

from access import local_caller
from access.audit import verify
from answer import Assistant
from answering.recorded import Log
from chunk import split
from config import Settings
from errors import SourceError, UsageError
from eval import granted, load, over_mcp, scale, sent, soak, synthetic, unseen
from eval.timing import TIMES, Figure, best, ms, own_index, run, temporary
from models import Models, pick
from retrieval.gate import Limit
from search import Searcher
from sources.decode import Undecodable, decode
from sources.folder import FolderSource
from store import Store

UNNEEDED = (
    "fastapi", "starlette", "uvicorn", "ollama", "httpx", "rich", "py3langid", "charset_normalizer", "pathspec",
    "hypothesis", "pytest",
)  # fmt: skip
"""Modules that answering an English question from an unchanged folder has no use for."""
_QUESTION = "How many vacation days do I get after one year?"
_EVERYTHING = Limit(-1.0, 1.0, "setting", True)


def chunking(settings: Settings) -> list[Figure]:
    """Cutting the documents into chunks, against markdown-it-py's own block parse of the same texts.

    Raises SourceError when the folder holds no Markdown.
    """
    texts = [(path, text) for path, text in _texts(settings) if not path.lower().endswith(".txt")]
    if not texts:
        raise SourceError(f"{settings.docs_dir} holds no Markdown to time.")
    parser = MarkdownIt("commonmark").enable("table")

    def parse() -> None:
        for _, text in texts:
            tokens: list[Token] = []
            parser.block.parse(text, parser, {}, tokens)

    def cut() -> None:
        for path, text in texts:
            split(text, path, max_chars=settings.chunk_chars)

    ours, theirs = best(cut), best(parse)
    details = {"files": len(texts), "split_ms": ms(ours), "parse_ms": ms(theirs)}
    return [Figure("chunking", "split / block parse", ours / theirs, 2.0, "x", details)]


def unchanged(settings: Settings, files: int = 10_000) -> list[Figure]:
    """A sync in which nothing changed, against listing the same tree with every file's size and time."""
    with temporary() as folder, own_index(folder, folder / "docs", settings, None) as index:
        _small_files(folder / "docs", files)
        index.sync()
        index.sync()
        ours = best(index.sync)
        listed = best(lambda: _list(str(folder / "docs")))
    details = {"files": files, "list_s": round(listed, 4), "bar": "3 x list_s + 0.2 s"}
    return [Figure("unchanged", "sync, nothing changed", ours, 3 * listed + 0.2, "s", details)]


def search(settings: Settings, chunks: int = 100_000, dimension: int = synthetic.DIMENSION) -> list[Figure]:
    """A question over many chunks, against one matrix-vector product of that size; and the memory it takes."""
    query, corpus = synthetic.query_near_a_cluster(dimension), synthetic.Corpus()
    embedder = synthetic.Double(dimension, query)
    with temporary() as folder:
        store = Store(folder / "index.db")
        try:
            model_id = synthetic.fill(store, chunks, embedder, corpus)
            searcher = Searcher(store, embedder, model_id, settings, _EVERYTHING)
            ours = best(lambda: searcher.search(local_caller(), corpus.question()))
        finally:
            store.close()
        peak = _peak_of_a_search(folder / "index.db", model_id, dimension)
    matrix = np.random.default_rng(1).standard_normal((chunks, dimension), np.float32)
    product = best(lambda: matrix @ query)
    details = {"chunks": chunks, "dimension": dimension, "search_ms": ms(ours), "product_ms": ms(product)}
    memory = {"peak_mb": round(peak / 1e6), "vectors_mb": round(matrix.nbytes / 1e6)}
    return [
        Figure("search", "question / matrix-vector product", ours / product, 3.0, "x", details),
        Figure("search", "peak memory / the chunks' vectors", peak / matrix.nbytes, 1.5, "x", memory),
    ]


def first_sync(settings: Settings, models: Models | None = None) -> list[Figure]:
    """What a first sync of the documents takes outside the embedder, as a share of the time inside it (wall clock)."""
    models = models or pick(settings)
    if models.embedder is None:
        raise UsageError("Without an embedding model there is no first sync to time.")
    models.embedder.embed_documents(["the weights are loaded before the clock starts"])
    runs = []
    for _ in range(3):  # a run takes seconds; three tell
        with temporary() as folder, own_index(folder, settings.docs_dir, settings, models) as index:
            runs.append(index.sync())
    least = min(runs, key=lambda one: one.seconds - one.embed_seconds)
    inside = min(one.embed_seconds for one in runs)
    outside = least.seconds - least.embed_seconds
    details = {
        "documents": least.added, "texts": least.embedded, "outside_s": round(outside, 3),
        "embedder_s": round(inside, 3), "model": models.embedder.identity.label,
    }  # fmt: skip
    return [Figure("first-sync", "outside / inside the embedder", 100 * outside / inside, 15.0, "%", details)]


def ask(settings: Settings, chunks: int = 3000) -> list[Figure]:
    """A quoted answer over some thousand chunks, without the embedder's time and the check's."""
    corpus, embedder = synthetic.Corpus(), synthetic.Double()
    with temporary() as folder, own_index(folder, folder / "docs", settings, Models(embedder, None, "")) as index:
        synthetic.write_folder(folder / "docs", chunks, corpus)
        index.sync()
        assistant, questions = Assistant(index), [corpus.question(shift) for shift in range(5)]
        parts = [min(_own_seconds(assistant, embedder, question) for _ in range(TIMES)) for question in questions]
        details = {"chunks": index.store.chunk_count(), "questions": len(questions), "slowest_ms": ms(max(parts))}
    return [Figure("ask", "answer without embedder and check", 1000 * fmean(parts), 15.0, "ms", details)]


def audit(settings: Settings, rows: int = 2000, threads: int = 8) -> list[Figure]:
    """What a question's row in the audit log takes (wall clock: the disk is waited for), alone and of 8 at once."""
    corpus, embedder = synthetic.Corpus(), synthetic.Double()
    with temporary() as folder, own_index(folder, folder / "docs", settings, Models(embedder, None, "")) as index:
        synthetic.write_folder(folder / "docs", 300, corpus)
        index.sync()
        answer, found = Assistant(index).ask(local_caller(), corpus.question())
        log = Log(index.settings, index.store, lambda text: None)

        def timed(_: int) -> float:
            started = time.perf_counter()
            log.entry("question", "ask", local_caller(), corpus.question()).answered(found, answer)
            return time.perf_counter() - started

        before = index.store.status().megabytes
        alone = median(timed(n) for n in range(rows))
        grown = 1e6 * (index.store.status().megabytes - before) / rows
        with ThreadPoolExecutor(threads) as pool:
            at_once = sorted(pool.map(timed, range(rows)))
        started = time.perf_counter()
        report = verify(index.store.connection())
        seconds = time.perf_counter() - started
    passages = {"passages": len(found.passages), "bytes": round(grown)}
    chain = {"threads": threads, "slowest_ms": ms(at_once[-1]), "verify_us_a_row": round(1e6 * seconds / report.rows)}
    return [
        Figure("audit", "a row, median", 1000 * alone, 3.0, "ms", passages),
        Figure("audit", "a row, 8 at once, median", 1000 * at_once[rows // 2], 3.0 * threads, "ms", chain),
    ]


def cold(settings: Settings, question: str = _QUESTION) -> list[Figure]:
    """`python answer.py` over an index that is up to date: its process time, and modules it loads without need.

    Raises UsageError when the command fails, or on a system that does not tell a child's process time.
    """
    flags = ["--docs", str(settings.docs_dir), "--db", str(settings.db)]
    command = [sys.executable, "answer.py", question, *flags]
    run(command)
    seconds = min(_child_seconds(command) for _ in range(TIMES))
    code = (
        "import sys, json, answer; answer.main(sys.argv[2:]); "
        "print(json.dumps([m for m in sys.argv[1].split() if m in sys.modules]))"
    )
    printed = run([sys.executable, "-c", code, " ".join(UNNEEDED), question, *flags])
    loaded = json.loads(printed.splitlines()[-1])
    return [
        Figure("cold", "python answer.py, process time", seconds, 3.0, "s", {"question": question}),
        Figure("cold", "modules loaded without need", len(loaded), 0, "", {"modules": loaded}),
    ]


BENCHES: dict[str, Callable[[Settings], list[Figure]]] = {
    "access": granted.access,
    "chunking": chunking,
    "unchanged": unchanged,
    "search": search,
    "first-sync": first_sync,
    "first-sync-many": load.first_sync_many,
    "ask": ask,
    "concurrent": load.concurrent,
    "mcp": over_mcp.mcp,
    "follow": load.follow,
    "audit": audit,
    "cold": cold,
    "unseen": unseen.unseen,
    "plain": scale.plain,
    "recall": scale.recall,
}
"""Every bench by name, in the order of the table."""


def postgres(settings: Settings, chunks: int = 1_000_000) -> list[Figure]:
    """See eval.engine."""
    from eval import engine  # its driver is an extra

    return engine.postgres(settings, chunks)


def graph(settings: Settings) -> list[Figure]:
    """See eval.bench_graph."""
    from eval import bench_graph  # the typed questions are loaded for it alone

    return bench_graph.graph(settings)


def postgres_at_once(settings: Settings, seconds: float = 30.0) -> list[Figure]:
    """See eval.at_once."""
    from eval import at_once

    return at_once.at_once(settings, seconds)


ASKED_FOR: dict[str, Callable[[Settings], list[Figure]]] = {
    "event": sent.event,
    "graph": graph,
    "million": scale.million,
    "soak": soak.soak,
    "postgres": postgres,
    "postgres-at-once": postgres_at_once,
}
"""Those that take minutes or gigabytes, or a server: run when named only."""


def line_of(figure: Figure) -> str:
    """A figure for people: what, figure, bar, ok or short, and what it was made of."""
    details = ", ".join(f"{name} {value}" for name, value in figure.details.items())
    values = f"{figure.value:9.4g} {figure.unit:2}  bar {figure.bar:7.3g} {figure.unit:2}"
    return f"{figure.bench:17}{figure.what:43}{values}  {'ok' if figure.ok else 'short':6} {details}"


def _texts(settings: Settings) -> Iterator[tuple[str, str]]:
    source = FolderSource(settings.docs_dir)
    for entry in source.entries():
        with contextlib.suppress(OSError, Undecodable):
            yield entry.path, decode(source.read(entry.path)).text


def _small_files(folder: Path, files: int) -> None:
    then = time.time() - 3600  # a file changed within the last two seconds is opened to be sure
    for i in range(files):
        path = folder / f"{i // 100:04}" / f"{i:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {i}\n\nThis is what we said on the day of the note {i}.\n", encoding="utf-8")
        os.utime(path, (then, then))


def _list(folder: str) -> int:
    size = 0
    with os.scandir(folder) as found:
        for entry in found:
            size += _list(entry.path) if entry.is_dir(follow_symlinks=False) else entry.stat().st_size
    return size


def _peak_of_a_search(path: Path, model_id: int, dimension: int) -> int:
    code = "import sys; from eval.synthetic import search_once; print(search_once(*sys.argv[1:]))"
    return int(run([sys.executable, "-c", code, str(path), str(model_id), str(dimension)]))


def _own_seconds(assistant: Assistant, embedder: synthetic.Double, question: str) -> float:
    inside, started = embedder.seconds, time.process_time()
    answer, _ = assistant.ask(local_caller(), question)
    passed = time.process_time() - started
    return passed - (embedder.seconds - inside) - answer.timings.get("verify", 0.0)


def _child_seconds(command: Sequence[str]) -> float:
    try:
        import resource
    except ImportError as error:
        raise UsageError("The bench cold needs a system that tells a child's process time.") from error
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _parser() -> argparse.ArgumentParser:
    import commandline

    parser = commandline.parser(
        f"Time what must be quick, beside its bar. Benches: {', '.join(BENCHES)} (all these without a name), "
        f"{', '.join(ASKED_FOR)}.",
        "python -m eval.bench chunking cold",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benches to run")
    parser.add_argument("--questions", type=int, metavar="N", default=100_000, help="how many `soak` asks")
    parser.add_argument("--chunks", type=int, metavar="N", default=1_000_000, help="how many `postgres` looks through")
    parser.add_argument("--seconds", type=float, metavar="S", default=30.0, help="how long `postgres-at-once` asks")
    parser.add_argument("--data", type=Path, help="folder of .md and .jsonl files whose texts `recall` embeds")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 0 when they ran, whatever the figures say, 2 for an unknown name."""
    import commandline

    args = _parser().parse_args(argv)
    known = (
        BENCHES
        | ASKED_FOR
        | {
            "recall": partial(scale.recall, data=args.data),
            "soak": partial(soak.soak, questions=args.questions),
            "postgres": partial(postgres, chunks=args.chunks),
            "postgres-at-once": partial(postgres_at_once, seconds=args.seconds),
        }
    )
    unknown = [name for name in args.names if name not in known]
    if unknown:
        raise UsageError(f"There is no bench {unknown[0]!r}, only {', '.join(known)}.")
    settings = commandline.settings_of(args)
    figures = []
    for name in args.names or BENCHES:
        for figure in known[name](settings):
            figures.append(figure)
            if not args.json:
                print(line_of(figure), flush=True)
    if args.json:
        print(json.dumps([asdict(f) | {"ok": f.ok} for f in figures], ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main, kept="the figures above are whole, nothing else is kept")
