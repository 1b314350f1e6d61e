"""A question -> ranked passages that the caller may read, and the gate that decides whether any is good enough.

Two halves look: cosine of the embeddings, and words weighted by their rarity. Their sum ranks; the gate compares the
cosine itself with the calibrated limit, and the share of the question's words with a limit of its own.
Knows no chat model and no HTTP. Try: python search.py "parental leave" --explain
"""

import json
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from access import Caller, local_caller
from config import PROJECT, Settings
from errors import StoreBusy, UsageError
from language.detect import language_of
from language.words import content_words, forms, is_run
from models import Embedder, Models, Vector, pick
from sources import Source
from sources.folder import FolderSource
from storage.report import Progress, Summary
from store import ChunkRow, Reader, Store

Floats = npt.NDArray[np.float64]

MIN_COVERAGE = 0.75
"""Built-in share of a question's content words that a keyword hit must hold, until a calibration is stored."""
WORD_WEIGHT = 0.2
"""What a passage that holds all of the question's words is worth, in units of cosine."""
MUCH_CHANGED = 0.2
"""A corpus that grew or shrank by more than this share since it was calibrated needs a new calibration."""
SHIPPED = PROJECT / "data" / "calibration.json"
"""The demo documents' calibrations, one a model; read when the index has none of its own."""
_CANDIDATES = 50  # of each half
_K1, _B = 1.2, 0.75  # BM25's usual constants (Robertson and Zaragoza, 2009)
_LANGUAGES = 4  # corpus languages whose stems a question's words are also looked up by


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured limit, with what it was measured on."""

    min_score: float
    min_coverage: float
    model: str  # backend/name@digest
    chunks: int  # of the index at that time
    measured: dict[str, float | int | str] = field(default_factory=dict)

    def as_json(self) -> str:
        """For Store.calibrate and data/calibration.json."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Limit:
    """The gate in force and where each of its values comes from."""

    min_score: float
    min_coverage: float
    origin: str  # "setting" | "calibration" | "built-in"
    fits: bool  # measured with this model on this corpus, or set by a person


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was looked at, with what each half gave."""

    chunk: ChunkRow
    score: float | None  # see Searcher; compared with the limit; None where the chunk has no vector
    coverage: float  # share of the question's content words, weighted by rarity; compared with its limit
    keywords: float  # BM25 as a share of the most this question could reach
    fused: float  # what ranks
    vector_rank: int | None  # 1 is best; None: not among the vector candidates
    keyword_rank: int | None
    passed: str  # "vector", "keywords", or "" for below both limits


@dataclass(frozen=True, slots=True)
class Passage:
    """What an answer is made from: contiguous lines of one section, from one or more touching chunks."""

    source: str
    title: str
    lang: str
    heading: tuple[str, ...]
    first_line: int
    last_line: int
    text: str  # the file's lines
    skip: int  # leading lines of `text` that are front matter or the heading
    context: str
    score: float | None  # highest cosine of its chunks
    fused: float
    row: ChunkRow  # of the best chunk, for version and dates

    @property
    def above(self) -> str:
        """What stands above the passage in its document: title, heading path, and what it repeats of earlier lines."""
        return "\n".join((self.title, " > ".join(self.heading), self.context))


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one search. `passages` is empty when nothing passed the gate."""

    question: str
    lang: str
    hits: list[Hit]
    passages: list[Passage]
    limit: Limit
    vector: Vector | None  # the question's; None when only words were looked for
    words: tuple[str, ...]  # content words looked for

    @property
    def best_score(self) -> float | None:
        """The highest cosine of all hits, also below the limit."""
        return max((hit.score for hit in self.hits if hit.score is not None), default=None)


class Index:
    """One opened index with its documents and models: where commands, server and evaluation start from."""

    def __init__(self, settings: Settings, models: Models, source: Source, store: Store) -> None:
        self.settings, self.models, self.source, self.store = settings, models, source, store

    def sync(
        self,
        *,
        allow_empty: bool = False,
        retry_refused: bool = False,
        wait: bool = True,
        progress: Progress | None = None,
    ) -> Summary:
        """Brings the index up to date; see storage.syncing.sync for what it returns and raises."""
        from storage.syncing import sync

        return sync(
            self.store, self.source, self.models.embedder, self.settings,
            allow_empty=allow_empty, retry_refused=retry_refused, wait=wait, progress=progress,
        )  # fmt: skip

    def searcher(self) -> "Searcher":
        """A searcher with the limit now in force. Raises ModelError when the embedder is away."""
        embedder = self.models.embedder
        model_id = self.store.register(embedder) if embedder else 0
        return Searcher(self.store, embedder, model_id, self.settings, self._limit(model_id))

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def _limit(self, model_id: int) -> Limit:
        embedder, settings = self.models.embedder, self.settings
        built_in = embedder.default_min_score if embedder else 1.0
        measured = self._calibration(model_id)
        score = measured.min_score if measured else built_in
        coverage = measured.min_coverage if measured else MIN_COVERAGE
        if settings.min_coverage is not None:
            coverage = settings.min_coverage
        if settings.min_score is not None:
            return Limit(settings.min_score, coverage, "setting", True)
        if measured is None:
            return Limit(score, coverage, "built-in", embedder is None)
        chunks = self.store.chunk_count()
        return Limit(score, coverage, "calibration", abs(chunks - measured.chunks) <= MUCH_CHANGED * measured.chunks)

    def _calibration(self, model_id: int) -> Calibration | None:
        stored = self.store.calibration(model_id) if model_id else None
        if stored:
            return Calibration(**json.loads(stored))
        embedder = self.models.embedder
        if not embedder or self.settings.docs_dir != PROJECT / "docs" or not SHIPPED.exists():
            return None
        shipped = [Calibration(**value) for value in json.loads(SHIPPED.read_text(encoding="utf-8"))]
        return next((c for c in shipped if c.model == embedder.identity.label), None)


def open_index(settings: Settings, *, notice: Callable[[str], None]) -> Index:
    """Opens (or makes) the index of `settings.docs_dir` with the models that are there; `notice` hears what is amiss.

    Raises SourceError when the folder is missing, IndexMismatch, StoreError, ModelError.
    """
    source = FolderSource(settings.docs_dir)
    source.entries()  # a typo in the path is told before a database is made for it
    models = pick(settings)
    if models.notice:
        notice(models.notice)
    return Index(settings, models, source, Store(settings.db))


@dataclass(frozen=True, slots=True)
class Searcher:
    """An index, the model that embeds questions for it (or None: keywords only), and the limit in force.

    A hit's score is the cosine of the question with the passage or, where the model embeds units, the mean of that
    and the cosine with the passage's best unit: on the demo's open questions it ranks the right document first for
    84 % instead of 78 %, and tells answerable questions from others a little better (AUC .843, .835; November 2026).
    """

    store: Store
    embedder: Embedder | None
    model_id: int
    settings: Settings
    limit: Limit

    def search(self, caller: Caller, text: str, k: int | None = None) -> Found:
        """Ranks and gates what `caller` may read; k is the number of chunks, by default the setting's.

        Raises ModelError when the embedder is away, StoreError.
        """
        k = k or self.settings.k
        lang = language_of(text)
        vector = self.embedder.embed_query(text, lang) if self.embedder else None
        with self.store.reader(caller, self.model_id) as reader:
            hits = self._rank(reader, vector, words := look_up(reader, text, lang), k)
        passed = [hit for hit in hits if hit.passed]
        return Found(text, lang, hits, merge(passed), self.limit, vector, words.looked_for)

    def cosines(self, caller: Caller, found: Found, texts: Sequence[str]) -> list[float]:
        """The question's cosine with each of `texts`, units of the found passages; zeros without an embedder.

        What the index holds is not embedded again. Raises ModelError.
        """
        if found.vector is None or self.embedder is None:
            return [0.0] * len(texts)
        with self.store.reader(caller, self.model_id) as reader:
            vectors = reader.vectors_of(texts)
        lacking = [i for i, vector in enumerate(vectors) if vector is None]
        for i, vector in zip(lacking, self.embedder.embed_documents([texts[i] for i in lacking]), strict=True):
            vectors[i] = vector
        return [0.0 if vector is None else float(vector @ found.vector) for vector in vectors]

    def _rank(self, reader: Reader, query: Vector | None, words: "WordScores", k: int) -> list[Hit]:
        by_words = _top(np.where(words.bm25 > 0, words.bm25, -np.inf), _CANDIDATES)
        by_vector, cosines = list[int](), dict.fromkeys(by_words, -math.inf)
        if query is not None:
            cosines = dict(zip(by_words, reader.cosines_at(query, by_words).tolist(), strict=True))
            places, scores = reader.nearest(query, _CANDIDATES)
            by_vector = places.tolist()
            cosines |= zip(by_vector, scores.tolist(), strict=True)
        ranks = {place: i + 1 for i, place in enumerate(by_vector)}, {place: i + 1 for i, place in enumerate(by_words)}
        candidates = list(ranks[0] | ranks[1])
        units = reader.best_units(query, candidates) if query is not None else {}
        shown = {place: _score(cosines[place], units.get(place)) for place in candidates}
        fused = {place: self._fused(shown[place], float(words.coverage[place])) for place in candidates}
        best = sorted(candidates, key=lambda place: (-fused[place], place))[:k]
        found = []
        for place, row in zip(best, reader.chunks(best), strict=True):
            hit = Hit(
                row, shown[place], float(words.coverage[place]), float(words.bm25[place]), fused[place],
                ranks[0].get(place), ranks[1].get(place), "",
            )  # fmt: skip
            found.append(replace(hit, passed=gate(hit, self.limit)))
        return found

    def _fused(self, score: float | None, coverage: float) -> float:
        if score is None:  # no vector: a passage whose words pass the gate ranks as one whose score just does
            score = self.limit.min_score if coverage >= self.limit.min_coverage else 0.0
        return score + WORD_WEIGHT * coverage


def _score(cosine: float, unit: float | None) -> float | None:
    if not math.isfinite(cosine):
        return None
    return round(cosine if unit is None else (cosine + unit) / 2, 4)  # as it is shown, so it is compared


def gate(hit: Hit, limit: Limit) -> str:
    """Which half lets the hit through: "vector", "keywords", or "" for none."""
    if hit.score is not None and hit.score >= limit.min_score:
        return "vector"
    return "keywords" if hit.coverage >= limit.min_coverage else ""


@dataclass(frozen=True, slots=True)
class WordScores:
    """What the keyword half says of every chunk of a snapshot, zero where it says nothing."""

    bm25: Floats  # 0 to 1
    coverage: Floats  # 0 to 1
    looked_for: tuple[str, ...]


def look_up(reader: Reader, text: str, lang: str) -> WordScores:
    """Scores the chunks by the question's content words: BM25 over what the caller may read, and coverage.

    Each written word counts once, whichever of its forms (stems of the corpus's languages) a chunk holds. Statistics
    are taken over readable chunks only, so that no score tells of others.
    """
    lengths = reader.lengths
    total = max(reader.count, 1)
    mean = max(lengths.sum() / total, 1.0)
    bm25, coverage, most, weight = np.zeros(len(lengths)), np.zeros(len(lengths)), 0.0, 0.0
    languages = list(dict.fromkeys([lang, *reader.languages()[:_LANGUAGES]]))
    looked_for = content_words(text, lang)
    for alternatives in _units(looked_for, languages):
        counts = np.zeros(len(lengths))
        for term in alternatives:
            places, frequency = reader.postings(term)
            counts[places] = np.maximum(counts[places], frequency)
        held = np.flatnonzero(counts)
        idf = math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5))
        damping = _K1 * (1 - _B + _B * lengths[held] / mean)
        bm25[held] += idf * counts[held] * (_K1 + 1) / (counts[held] + damping)
        coverage[held] += idf
        weight += idf
        most += idf * (_K1 + 1)
    return WordScores(bm25 / max(most, 1e-9), coverage / max(weight, 1e-9), tuple(looked_for))


def _units(words: Sequence[str], languages: Sequence[str]) -> list[tuple[str, ...]]:
    """What is looked for: per word (and per part of an identifier, per pair of a run) the forms that count as it."""
    units: dict[tuple[str, ...], None] = {}
    for word in words:
        found = list(zip(*(forms(word, lang) for lang in languages), strict=True))
        if is_run(word) and len(found) > 1:
            found.pop()  # the last character alone, which stands in the index only at a run's end
        for variants in found:
            units[tuple(dict.fromkeys(variants))] = None
    return list(units)


def _top(scores: npt.NDArray[np.floating], count: int) -> list[int]:
    """Places of the `count` highest finite scores, best first."""
    chosen = np.flatnonzero(np.isfinite(scores))  # first: what may not be read has no say in a tie
    if count < len(chosen):
        chosen = np.sort(chosen[np.argpartition(-scores[chosen], count)[:count]])
    return [int(place) for place in chosen[np.argsort(-scores[chosen], kind="stable")]]


def merge(hits: Sequence[Hit]) -> list[Passage]:
    """Joins hits that touch within one section, so that a citation is one run of lines; best passage first."""
    groups: list[list[Hit]] = []
    for hit in sorted(hits, key=lambda h: (h.chunk.document_id, h.chunk.first_line)):
        last = groups[-1][-1].chunk if groups else None
        touching = last and (last.document_id, last.heading, last.last_line + 1) == (
            hit.chunk.document_id, hit.chunk.heading, hit.chunk.first_line,
        )  # fmt: skip
        if touching:
            groups[-1].append(hit)
        else:
            groups.append([hit])
    return sorted(map(_passage, groups), key=lambda passage: -passage.fused)


def _passage(group: Sequence[Hit]) -> Passage:
    best = max(group, key=lambda hit: hit.fused)
    first, last, row = group[0].chunk, group[-1].chunk, best.chunk
    return Passage(
        row.path, row.title, row.lang, row.heading, first.first_line, last.last_line,
        "\n".join(hit.chunk.text for hit in group), first.skip, first.context,
        max((hit.score for hit in group if hit.score is not None), default=None), best.fused, row,
    )  # fmt: skip


def explained(found: Found) -> dict[str, Any]:
    """What each half of the search gave, for --explain and POST /search."""
    return {
        "lang": found.lang,
        "words": list(found.words),
        "limit": asdict(found.limit),
        "hits": [
            {
                "source": hit.chunk.path,
                "lines": f"L{hit.chunk.first_line}-{hit.chunk.last_line}",
                "heading": " > ".join(hit.chunk.heading),
                "text": hit.chunk.text,
                "score": hit.score,
                "coverage": round(hit.coverage, 4),
                "keywords": round(hit.keywords, 4),
                "fused": round(hit.fused, 4),
                "vector_rank": hit.vector_rank,
                "keyword_rank": hit.keyword_rank,
                "passed": bool(hit.passed),
                "passed_by": hit.passed,
            }
            for hit in found.hits
        ],
    }


def explained_as_text(found: Found) -> str:
    """The same for people: a line a hit, those below the limit marked."""
    limit = found.limit
    fits = "" if limit.fits else ", not calibrated for this index"
    lines = [
        f"Limit: score {limit.min_score:.3f} or coverage {limit.min_coverage:.2f} ({limit.origin}{fits})",
        f"Words: {', '.join(found.words)} ({found.lang})",
    ]
    for hit in found.hits:
        score = "  -  " if hit.score is None else f"{hit.score:5.3f}"
        mark = f"passed by {hit.passed}" if hit.passed else "below the limit"
        ranks = f"vector rank {hit.vector_rank or '-'}, keyword rank {hit.keyword_rank or '-'}"
        lines.append(
            f"{score}  coverage {hit.coverage:.2f}  ranks by {hit.fused:.3f}  "
            f"{hit.chunk.path}:L{hit.chunk.first_line}-{hit.chunk.last_line} "
            f"({' > '.join(hit.chunk.heading)})  {mark}; {ranks}"
        )
    return "\n".join(lines)


def synced(
    index: Index,
    notice: Callable[[str], None],
    progress: Callable[[str], AbstractContextManager[Progress | None]],
) -> None:
    """What a command does before it looks: a sync, unless another process is at it and there is something to read."""
    try:
        with progress("Indexing") as tell:
            summary = index.sync(wait=not index.store.chunk_count(), progress=tell)
    except StoreBusy:
        notice("another process is syncing this index; answered from what it holds now")
        return
    skipped = [reason for _, reason in summary.skipped if reason != "is empty"]
    if skipped:
        files = "1 file was" if len(skipped) == 1 else f"{len(skipped)} files were"
        notice(f"{files} left out; python store.py --sync names them and why")
    if not index.store.chunk_count():
        notice(f"{index.settings.docs_dir} holds no .md or .txt file with text in it")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: ranked passages, those below the limit too and marked so. Exit 0, 1 when none passed."""
    import commandline

    parser = commandline.parser("Search the documents.", 'python search.py "parental leave" --explain')
    parser.add_argument("question")
    args = parser.parse_args(argv)
    if not args.question.strip():
        raise UsageError('The question is empty. Example: python search.py "parental leave"')
    with open_index(commandline.settings_of(args), notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress)
        found = index.searcher().search(local_caller(), args.question)
    if args.json:
        print(json.dumps(explained(found), ensure_ascii=False, indent=2))
    elif args.explain:
        commandline.out(explained_as_text(found))
    else:
        for hit in found.hits:
            score = "no vector" if hit.score is None else f"{hit.score:.2f}"
            mark = "" if hit.passed else "  (below the limit)"
            chunk = hit.chunk
            commandline.out(
                f"{chunk.path}:L{chunk.first_line}-{chunk.last_line} ({' > '.join(chunk.heading)})  {score}{mark}"
            )
            commandline.out("\n".join(f"    {line}" for line in chunk.text.split("\n")[chunk.skip :] if line.strip()))
    return 0 if found.passages else 1


if __name__ == "__main__":
    import commandline

    commandline.run(main)
