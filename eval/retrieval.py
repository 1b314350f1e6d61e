"""Is the right page among the first? Public questions on public documents, by language, beside each half alone.

Reads a folder of question sets (`--data`; manual/calibrate.md says what it holds) and keeps an index for each in
`--work`, so that only the first run embeds. Decides nothing. Held questions are counted only with --held or --all.
Try: python -m eval.retrieval --data ~/retrieval-data gsa-tts
"""

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from access import local_caller
from calibration.measure import auc
from config import PROJECT, Settings
from errors import UsageError
from eval.cases import Case, read
from eval.figures import wilson
from retrieval.found import Found, Hit
from search import Index, Searcher, open_index

OWN_CASES = PROJECT / "data" / "handbooks.jsonl"
"""Our own questions about three public handbooks; a line's `handbook` names the set it belongs to."""
DEPTH = 50
"""Hits among which the right document is looked for."""
SEED = 20261130
"""Of every sample drawn here."""
_PARAGRAPH_LANGUAGES = ("en", "de", "es", "zh", "ru")
_MOST = 10**9


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one group of questions; shares of its `n` questions, ranks among distinct documents."""

    set: str
    group: str
    n: int
    first: float
    first_5: float
    recall_10: float
    mrr: float  # mean reciprocal rank, 0 where the document is not among the hits
    vector_5: float  # first 5 by the vectors alone
    words_5: float
    low: float  # Wilson's interval of first_5
    high: float
    bars: dict[str, float]

    @property
    def ok(self) -> bool:
        """Whether every bar is met."""
        return all(round(getattr(self, name), 4) >= bar for name, bar in self.bars.items())


@dataclass(frozen=True, slots=True)
class GateRow:
    """How well a figure tells questions that the documents answer from others."""

    set: str
    by: str  # "score" | "confidence"
    answerable: int
    unanswerable: int
    auc: float
    bar: float

    @property
    def ok(self) -> bool:
        """Whether the bar is met."""
        return self.auc >= self.bar


Bars = Callable[[str, float], dict[str, float]]
"""From a group's name and the better half's first_5 to the bars of its row."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents and questions about them."""

    docs: Callable[[Path, Path], Path]  # (data, work) -> the folder to index
    cases: Callable[[Path], list[Case]]
    group: Callable[[Case], str]
    bars: Bars


def _handbook(name: str) -> Callable[[Path, Path], Path]:
    return lambda data, work: data / f"handbook-{name}" / "docs"


def _own(name: str) -> list[Case]:
    if not OWN_CASES.exists():
        return []
    lines = OWN_CASES.read_text(encoding="utf-8").splitlines()
    kept = [json.loads(line)["handbook"] == name for line in lines if line.strip()]
    return [case for case, keep in zip(read(OWN_CASES), kept, strict=True) if keep]


def _gsa_cases(data: Path) -> list[Case]:
    return [*read(data / "handbook-qa" / "gsa-tts.jsonl"), *_own("gsa-tts")]


def _paragraphs(*names: str) -> Callable[[Path, Path], Path]:
    """Writes each paragraph of the named sets as a file of its own, a repeated one once; returns the folder."""

    def written(data: Path, work: Path) -> Path:
        folder = work / "-".join(names)
        folder.mkdir(parents=True, exist_ok=True)
        seen: set[str] = set()
        for name in names:
            for row in _lines(data / name / "contexts.jsonl"):
                text = _text(row)
                if row.get("lang", "en") == _language(name) and text not in seen:
                    seen.add(text)
                    path = folder / f"{name}-{row['context_id']}.md"
                    if not path.exists():
                        path.write_text(f"# {row['title'].replace('_', ' ')}\n\n{text}\n", encoding="utf-8")
        return folder

    return written


def _asked_of_paragraphs(*names: str, languages: Sequence[str] = ()) -> Callable[[Path], list[Case]]:
    """The answerable questions of the named sets; where paragraphs repeat, each of their files is right."""

    def cases(data: Path) -> list[Case]:
        by_text: dict[str, list[str]] = {}
        texts: dict[str, str] = {}
        for name in names:
            for row in _lines(data / name / "contexts.jsonl"):
                if row.get("lang", "en") == _language(name):
                    texts[f"{name}-{row['context_id']}"] = _text(row)
                    by_text.setdefault(_text(row), []).append(f"{name}-{row['context_id']}.md")
        found = []
        for name in names:
            for row in _lines(data / name / "questions.jsonl"):
                lang = row.get("lang", "en")
                answerable = not row.get("unanswerable") and row.get("kind") != "unanswerable"
                if answerable and (not languages or lang in languages):
                    right = by_text[texts[f"{name}-{row['context_id']}"]]
                    found.append(Case(row["question"], tuple(right), (), lang, False))
        return found

    return cases


def _language(name: str) -> str:
    return {"jsquad": "ja", "cmrc2018": "zh"}.get(name, "en")


def _text(row: dict[str, Any]) -> str:
    text: str = row["text"].split("[SEP]", 1)[-1]  # one set repeats the title before this mark
    return " ".join(text.split())


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.strip())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}. --data names the folder of the sets.") from error


def _english_or_not(case: Case) -> str:
    return "en" if case.lang == "en" else "others"


def _never_below_the_better_half(group: str, better: float) -> dict[str, float]:
    return {"first_5": max(better - 0.01, 0.98 if group == "en" else 0.0)}


SETS: dict[str, QuestionSet] = {
    "gsa-tts": QuestionSet(
        _handbook("gsa-tts"), _gsa_cases, _english_or_not,
        lambda group, better: {"first": 0.68, "first_5": 0.94} if group == "en" else {"first_5": 0.80},
    ),
    "osio": QuestionSet(_handbook("osio"), lambda data: _own("osio"), _english_or_not, lambda *_: {"first_5": 0.92}),
    "publiccode": QuestionSet(
        _handbook("publiccode"), lambda data: _own("publiccode"), _english_or_not, lambda *_: {"first_5": 0.92},
    ),
    "paragraphs": QuestionSet(
        _paragraphs("xquad", "squad2", "clapnq"),
        _asked_of_paragraphs("xquad", languages=_PARAGRAPH_LANGUAGES),
        lambda case: case.lang, _never_below_the_better_half,
    ),
    "jsquad": QuestionSet(
        _paragraphs("jsquad"), _asked_of_paragraphs("jsquad"), lambda case: case.lang, lambda *_: {"first_5": 0.90},
    ),
    "cmrc2018": QuestionSet(
        _paragraphs("cmrc2018"), _asked_of_paragraphs("cmrc2018"), lambda case: case.lang,
        lambda *_: {"first_5": 0.90},
    ),
}  # fmt: skip
"""Every set by name, in the order of the table."""


def ranks(searcher: Searcher, cases: Iterable[Case]) -> Iterator[tuple[Case, Found, tuple[int | None, ...]]]:
    """Each case with what was found for it and the right document's rank: fused, by vectors alone, by words alone.

    Ranks count distinct documents from 1; None where the right one is not among the hits. Raises ModelError.
    """
    for case in cases:
        found = searcher.search(local_caller(), case.question, DEPTH)
        halves = (_ordered(found.hits, lambda hit: hit.vector_rank), _ordered(found.hits, lambda hit: hit.keyword_rank))
        yield case, found, tuple(_rank(hits, case.sources) for hits in (found.hits, *halves))


def row_of(name: str, group: str, found: Sequence[tuple[int | None, ...]], bars: Bars) -> Row:
    """The figures of one group from its questions' three ranks."""
    fused, vectors, words = ([ranks[half] for ranks in found] for half in range(3))
    n = len(found)
    by_vector, by_words = _share(vectors, 5), _share(words, 5)
    low, high = wilson(sum(rank is not None and rank <= 5 for rank in fused), n)
    return Row(
        name, group, n, _share(fused, 1), _share(fused, 5), _share(fused, 10),
        sum(1 / rank for rank in fused if rank) / n, by_vector, by_words, low, high,
        bars(group, max(by_vector, by_words)),
    )  # fmt: skip


def _ordered(hits: Iterable[Hit], rank: Callable[[Hit], int | None]) -> list[Hit]:
    return sorted((hit for hit in hits if rank(hit)), key=lambda hit: rank(hit) or 0)


def _rank(hits: Iterable[Hit], right: Sequence[str]) -> int | None:
    paths = list(dict.fromkeys(hit.chunk.path for hit in hits))
    return next((at for at, path in enumerate(paths, 1) if path in right), None)


def _share(found: Sequence[int | None], most: int) -> float:
    return sum(rank is not None and rank <= most for rank in found) / len(found)


def _left_out(found: Found, right: Sequence[str]) -> float:
    """The best score once the right documents are gone."""
    return max((hit.score for hit in found.hits if hit.score is not None and hit.chunk.path not in right), default=-1.0)


def measured(
    name: str, data: Path, work: Path, settings: Settings, which: str, most: int
) -> tuple[list[Row], list[tuple[bool, float]]]:
    """The set's rows, and for the gate: each question's best score with whether the documents answer it.

    Raises UsageError when the data is not there, ModelError, StoreError.
    """
    chosen_set = SETS[name]
    docs = chosen_set.docs(data, work)
    cases = [case for case in chosen_set.cases(data) if which == "all" or case.held == (which == "held")]
    own = replace(settings, docs_dir=docs, db=work / f"{name}.db")
    with open_index(own, notice=_silent) as index:
        _sync(index, name)
        searcher = index.searcher()
        found: dict[str, list[tuple[int | None, ...]]] = {}
        scores = []
        for case, result, three in ranks(searcher, _sampled(cases, chosen_set.group, most)):
            if case.answerable:
                found.setdefault(chosen_set.group(case), []).append(three)
            scores.append((case.answerable, -1.0 if result.best_score is None else result.best_score))
            if name == "paragraphs":
                scores.append((False, _left_out(result, case.sources)))
    return [row_of(name, group, three, chosen_set.bars) for group, three in sorted(found.items())], scores


def _sampled(cases: Sequence[Case], group: Callable[[Case], str], most: int) -> list[Case]:
    drawn = random.Random(SEED).sample(list(cases), len(cases))
    counts: dict[str, int] = {}
    kept = []
    for case in drawn:
        counts[group(case)] = counts.get(group(case), 0) + case.answerable
        if counts[group(case)] <= most:
            kept.append(case)
    return kept


def _sync(index: Index, name: str) -> None:
    import commandline

    with commandline.progress(f"Indexing {name}") as tell:
        index.sync(progress=tell)


def _silent(text: str) -> None:
    """The missing Ollama is no news here: --backend names the models that are measured."""


def line_of(row: Row) -> str:
    """A row for people: figures, interval, bars, ok or short."""
    bars = ", ".join(f"{name} {bar:.3f}" for name, bar in row.bars.items())
    return (
        f"{row.set:11}{row.group:7}{row.n:5}  first {row.first:.3f}  in 5 {row.first_5:.3f} ({row.low:.2f} to "
        f"{row.high:.2f})  recall@10 {row.recall_10:.3f}  MRR {row.mrr:.3f}  alone in 5: vectors {row.vector_5:.3f}, "
        f"words {row.words_5:.3f}  bar {bars}  {'ok' if row.ok else 'short'}"
    )


def _parser() -> argparse.ArgumentParser:
    import commandline

    parser = commandline.parser(
        f"Ask public questions of public documents. Sets: {', '.join(SETS)} (all without a name).",
        "python -m eval.retrieval --data ~/retrieval-data gsa-tts",
    )
    parser.add_argument("names", nargs="*", metavar="SET", help="sets to ask")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of the question sets")
    parser.add_argument(
        "--work",
        type=Path,
        default=PROJECT / ".brain" / "retrieval",
        metavar="DIR",
        help="where their indexes are kept",
    )
    parser.add_argument("--questions", type=int, default=_MOST, metavar="N", help="at most so many of each group")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--held", action="store_const", dest="which", const="held", help="our own held questions only")
    which.add_argument("--all", action="store_const", dest="which", const="all", help="ours open and held")
    parser.set_defaults(which="open")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit 0 when it ran, whatever the figures say, 2 for an unknown set or missing data."""
    import commandline

    args = _parser().parse_args(argv)
    unknown = [name for name in args.names if name not in SETS]
    if unknown:
        raise UsageError(f"There is no set {unknown[0]!r}, only {', '.join(SETS)}.")
    settings = commandline.settings_of(args)
    args.work.mkdir(parents=True, exist_ok=True)
    rows, gates = [], []
    for name in args.names or SETS:
        found, scores = measured(name, args.data, args.work, settings, args.which, args.questions)
        rows += found
        gates.append(_gate_row(name, scores))
        if not args.json:
            print("\n".join(map(line_of, found)), flush=True)
            print(gates[-1])
    if args.json:
        print(json.dumps({"rows": [asdict(row) | {"ok": row.ok} for row in rows]}, ensure_ascii=False, indent=2))
    return 0


def _gate_row(name: str, scores: Sequence[tuple[bool, float]]) -> GateRow:
    able, others = ([score for answerable, score in scores if answerable == wanted] for wanted in (True, False))
    return GateRow(name, "score", len(able), len(others), auc(able, others), 0.93 if name == "paragraphs" else 0.90)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
