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
from calibration.decide import cross_validated, teaching
from calibration.measure import Measured, auc, measure, sorted_measures
from calibration.questions import Question
from config import PROJECT, Settings
from errors import UsageError
from eval.cases import Case, read
from eval.figures import wilson
from retrieval.found import Hit
from search import Index, Searcher, open_index

OWN_CASES = PROJECT / "data" / "handbooks.jsonl"
"""Our own questions about three public handbooks; a line's `handbook` names the set it belongs to."""
DEPTH = 50
"""Hits among which the right document is looked for."""
SEED = 20261130
"""Of every sample drawn here."""
_ENGLISH_SETS = ("xquad", "squad2", "clapnq")
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
    gate: Callable[[Path, list[Case]], list[Case]] = lambda data, cases: cases  # what the gate is asked
    left_out: bool = False  # once more without the document that answers it


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


def _paragraph_files(data: Path, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Text -> (file, title) of each paragraph of the named sets; of a repeated one the first."""
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        for row in _lines(data / name / "contexts.jsonl"):
            if row.get("lang", "en") == _language(name):
                found.setdefault(_text(row), (f"{name}-{row['context_id']}.md", row["title"].replace("_", " ")))
    return found


def _paragraphs(*names: str) -> Callable[[Path, Path], Path]:
    """Writes each paragraph of the named sets as a file of its own; returns the folder."""

    def written(data: Path, work: Path) -> Path:
        folder = work / "-".join(names)
        folder.mkdir(parents=True, exist_ok=True)
        for text, (file, title) in _paragraph_files(data, names).items():
            if not (folder / file).exists():
                (folder / file).write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
        return folder

    return written


def _asked_of(*names: str, among: Sequence[str] = (), languages: Sequence[str] = ()) -> Callable[[Path], list[Case]]:
    """The answerable questions of the named sets about the paragraphs of `among`, or of themselves."""

    def cases(data: Path) -> list[Case]:
        files, found = _paragraph_files(data, among or names), []
        for name in names:
            rows = _lines(data / name / "contexts.jsonl")
            right = {
                row["context_id"]: files[_text(row)][0] for row in rows if row.get("lang", "en") == _language(name)
            }
            for row in _lines(data / name / "questions.jsonl"):
                lang = row.get("lang", "en")
                answerable = not row.get("unanswerable") and row.get("kind") != "unanswerable"
                if answerable and (not languages or lang in languages):
                    found.append(Case(row["question"], (right[row["context_id"]],), (), lang, False))
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
        _paragraphs(*_ENGLISH_SETS), _asked_of("xquad", among=_ENGLISH_SETS, languages=_PARAGRAPH_LANGUAGES),
        lambda case: case.lang, _never_below_the_better_half,
        gate=lambda data, _: _asked_of("squad2", "clapnq", among=_ENGLISH_SETS)(data), left_out=True,
    ),
    "jsquad": QuestionSet(
        _paragraphs("jsquad"), _asked_of("jsquad"), lambda case: case.lang, lambda *_: {"first_5": 0.90},
    ),
    "cmrc2018": QuestionSet(
        _paragraphs("cmrc2018"), _asked_of("cmrc2018"), lambda case: case.lang,
        lambda *_: {"first_5": 0.90},
    ),
}  # fmt: skip
"""Every set by name, in the order of the table."""
GATES = {
    "gsa-tts": ("handbooks, close but absent", 0.90),
    "osio": ("handbooks, close but absent", 0.90),
    "publiccode": ("handbooks, close but absent", 0.90),
    "paragraphs": ("paragraph left out", 0.93),
}
"""The sets whose questions the gate is measured on, pooled by name, with the bar of its AUC."""


def ranks(searcher: Searcher, cases: Iterable[Case]) -> Iterator[tuple[Case, tuple[int | None, ...]]]:
    """Each case with the right document's rank: fused, by vectors alone, by words alone.

    Ranks count distinct documents from 1; None where the right one is not among the hits. Raises ModelError.
    """
    for case in cases:
        found = searcher.search(local_caller(), case.question, DEPTH)
        halves = (_ordered(found.hits, lambda hit: hit.vector_rank), _ordered(found.hits, lambda hit: hit.keyword_rank))
        yield case, tuple(_rank(hits, case.sources) for hits in (found.hits, *halves))


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


def measured(
    name: str, data: Path, work: Path, settings: Settings, which: str, most: int
) -> tuple[list[Row], list[Measured]]:
    """The set's rows, and what the gate would compare for its questions.

    Raises UsageError when the data is not there, ModelError, StoreError.
    """
    asked = SETS[name]
    docs = asked.docs(data, work)
    cases = [case for case in asked.cases(data) if which == "all" or case.held == (which == "held")]
    own = replace(settings, docs_dir=docs, db=work / f"{name}.db", database="")
    with open_index(own, notice=_silent) as index:
        _sync(index, name)
        searcher = index.searcher()
        found: dict[str, list[tuple[int | None, ...]]] = {}
        answerable = [case for case in cases if case.answerable]
        for case, three in ranks(searcher, _sampled(answerable, asked.group, most)):
            found.setdefault(asked.group(case), []).append(three)
        questions = _sampled(asked.gate(data, cases), asked.group, most)
        gate = measure(searcher, local_caller(), list(_gate_questions(questions, asked.left_out)))
    rows = [row_of(name, group, three, asked.bars) for group, three in sorted(found.items())]
    return rows, [*gate.able, *gate.others]


def _gate_questions(cases: Iterable[Case], left_out: bool) -> Iterator[Question]:
    """Each case as a question; with `left_out` also as one whose document is left out of the search."""
    for case in cases:
        path = case.sources[0] if case.sources else ""
        question = Question(case.question, case.lang, case.answerable, "hand", path)
        yield question
        if left_out:
            yield question.left_out


def gate_rows(name: str, found: Sequence[Measured], bar: float) -> list[GateRow]:
    """How well the score, and the learned decision in cross-validation by document, tell the questions apart."""
    measures = sorted_measures(found)
    able, others = len(measures.able), len(measures.others)
    if not able or not others:
        return []
    rows = [GateRow(name, "score", able, others, measures.auc, bar)]
    chances = cross_validated(teaching(measures))
    if chances:
        rows.append(GateRow(name, "confidence", able, others, auc(chances[:able], chances[able:]), bar))
    return rows


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


def gate_line_of(row: GateRow) -> str:
    """The same of the gate."""
    counts = f"{row.answerable} answerable, {row.unanswerable} others"
    told = "" if row.by == "score" else ", cross-validated"
    figures = f"AUC of the {row.by}{told} {row.auc:.3f}  bar {row.bar:.2f}"
    return f"gate, {row.set}: {counts}  {figures}  {'ok' if row.ok else 'short'}"


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
    rows, gate = [], {name: list[Measured]() for name, _ in GATES.values()}
    for name in args.names or SETS:
        found, compared = measured(name, args.data, args.work, settings, args.which, args.questions)
        rows += found
        if name in GATES:
            gate[GATES[name][0]] += compared
        if not args.json:
            print("\n".join(map(line_of, found)), flush=True)
    gates = [row for name, bar in dict(GATES.values()).items() for row in gate_rows(name, gate[name], bar)]
    if args.json:
        report = {
            "retrieval": [asdict(row) | {"ok": row.ok} for row in rows],
            "gate": [asdict(row) | {"ok": row.ok} for row in gates],
        }
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print("\n".join(map(gate_line_of, gates)))
    return 0


if __name__ == "__main__":
    import commandline

    commandline.run(main, kept="the rows above are whole; indexes made so far stay and are used again")
