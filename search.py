"""A question -> ranked passages that the caller may read, and the gate that decides whether any is good enough.

Two halves look: cosine of the embeddings, and words weighted by their rarity. Their sum ranks; the gate compares the
cosine itself with the calibrated limit, and the share of the question's words with a limit of its own.
Knows no chat model and no HTTP. Try: python search.py "parental leave" --explain
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np
import numpy.typing as npt

from access import Caller
from config import Settings
from language.detect import language_of
from language.words import content_words, forms
from models import Embedder
from store import ChunkRow, Reader, Store

Floats = npt.NDArray[np.float64]

MIN_COVERAGE = 0.75
"""Built-in share of a question's content words that a keyword hit must hold, until a calibration is stored."""
WORD_WEIGHT = 0.25
"""What a passage that holds all of the question's words is worth, in units of cosine."""
_CANDIDATES = 50  # of each half
_K1, _B = 1.2, 0.75  # BM25's usual constants (Robertson and Zaragoza, 2009)
_LANGUAGES = 4  # corpus languages whose stems a question's words are also looked up by


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured limit, with what it was measured on."""

    min_score: float
    min_coverage: float
    model: str  # backend/name@digest
    corpus: str  # Store.state at that time
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
    score: float  # cosine; compared with the limit
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
    score: float
    fused: float
    row: ChunkRow  # of the best chunk, for version and dates


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one search. `passages` is empty when nothing passed the gate."""

    question: str
    lang: str
    hits: list[Hit]
    passages: list[Passage]
    limit: Limit
    vectors: bool  # whether the embedding half took part
    words: tuple[str, ...]  # content words looked for

    @property
    def best_score(self) -> float | None:
        """The highest cosine of all hits, also below the limit."""
        return max((hit.score for hit in self.hits if math.isfinite(hit.score)), default=None)


@dataclass(frozen=True, slots=True)
class Searcher:
    """An index, the model that embeds questions for it (or None: keywords only), and the limit in force."""

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
            cosines = (
                reader.cosines(vector) if vector is not None else np.full(len(reader.lengths), -np.inf, np.float32)
            )
            words = look_up(reader, text, lang)
            hits = self._rank(reader, cosines, words, k)
        passed = [hit for hit in hits if hit.passed]
        return Found(text, lang, hits, merge(passed), self.limit, vector is not None, words.looked_for)

    def _rank(self, reader: Reader, cosines: npt.NDArray[np.float32], words: "WordScores", k: int) -> list[Hit]:
        known = np.where(np.isfinite(cosines), cosines, 0.0)
        fused = known + WORD_WEIGHT * words.bm25
        by_vector = _top(cosines, _CANDIDATES)
        by_words = [place for place in _top(words.bm25, _CANDIDATES) if words.bm25[place] > 0]
        ranks = {place: i + 1 for i, place in enumerate(by_vector)}, {place: i + 1 for i, place in enumerate(by_words)}
        candidates = sorted({*by_vector, *by_words}, key=lambda place: (-fused[place], place))[:k]
        found = []
        for place, row in zip(candidates, reader.chunks(candidates), strict=True):
            hit = Hit(
                row, float(cosines[place]), float(words.coverage[place]), float(words.bm25[place]),
                float(fused[place]), ranks[0].get(place), ranks[1].get(place), "",
            )  # fmt: skip
            found.append(replace(hit, passed=gate(hit, self.limit)))
        return found


def gate(hit: Hit, limit: Limit) -> str:
    """Which half lets the hit through: "vector", "keywords", or "" for none."""
    if hit.score >= limit.min_score:
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
        for variants in zip(*(forms(word, lang) for lang in languages), strict=True):
            units[tuple(dict.fromkeys(variants))] = None
    return list(units)


def _top(scores: npt.NDArray[np.floating], count: int) -> list[int]:
    """Places of the `count` highest finite scores, best first."""
    if count < len(scores):
        chosen = np.argpartition(-scores, count)[:count]
    else:
        chosen = np.arange(len(scores))
    chosen = chosen[np.isfinite(scores[chosen])]
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
        max(hit.score for hit in group), best.fused, row,
    )  # fmt: skip
