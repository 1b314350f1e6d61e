"""Asks questions of an index and keeps what the gate would compare: best score, best coverage, the signals.

Nothing is answered and no chat model is asked. Knows no files of questions and no choice of a limit.
Try: python -m eval.calibrate
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from access import Caller
from calibration.questions import Question, mixed
from models import Embedder, ModelIdentity, Vector
from retrieval.signals import Signals, signals
from search import Searcher
from storage.filter import Filter
from storage.report import Progress

TEACHING = ("hand", "written")
"""Questions in people's or a chat model's words: the only ones a decision is learned from."""
_ALIKE = 1e-3  # largest difference of two vectors that are the same


@dataclass(frozen=True, slots=True)
class Measured:
    """What the gate would compare for one question: the best of the passages that it looks at."""

    question: Question
    score: float  # -1 where no passage has a vector
    coverage: float  # 0 to 1
    signals: Signals | None = None


@dataclass(frozen=True, slots=True)
class Measures:
    """Both lists, lowest score first."""

    able: list[Measured]
    others: list[Measured]

    @property
    def auc(self) -> float:
        """How well the score tells the lists apart; see auc."""
        return auc([m.score for m in self.able], [m.score for m in self.others])

    @property
    def overlap(self) -> bool:
        """Whether no limit separates the lists."""
        return self.able[0].score <= self.others[-1].score


def sorted_measures(found: Iterable[Measured]) -> Measures:
    """The two lists, lowest score first."""
    rows = sorted(found, key=lambda m: m.score)
    return Measures([m for m in rows if m.question.answerable], [m for m in rows if not m.question.answerable])


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The chance that one drawn from `higher` exceeds one drawn from `lower`, ties counted half; nan without cases.

    The area under the ROC curve as the Mann-Whitney statistic U / (n1 n2); 1 is a clean separation, 0.5 is none.
    """
    if not len(higher) or not len(lower):
        return float("nan")
    rest = np.sort(np.asarray(lower, np.float64))
    at_most, below = (np.searchsorted(rest, np.asarray(higher, np.float64), side) for side in ("right", "left"))
    return float((at_most + below).sum() / 2 / (len(higher) * len(rest)))


def measure(
    searcher: Searcher,
    caller: Caller,
    questions: Sequence[Question],
    *,
    seconds: float | None = None,
    least: int = 0,
    progress: Progress | None = None,
) -> Measures:
    """Searches every question as an answer would (the setting's k); after `seconds` no more than `least` of each kind.

    A self-made question is embedded as a sentence made faint (calibration/questions.py) and not asked twice of the
    model: with its document and without. Raises ModelError when the embedder is away.
    """
    embedder = _Faint(searcher, caller, searcher.embedder) if searcher.embedder else None
    asking = replace(searcher, embedder=embedder, reranker=None)
    started, found = time.monotonic(), list[Measured]()
    for done, question in enumerate(questions):
        if seconds is not None and time.monotonic() - started > seconds:
            able = sum(m.question.answerable for m in found)
            if min(able, done - able) >= least:
                break
        if progress:
            progress(done, len(questions), question.path)
        if embedder:
            embedder.question = question
        result = asking.search(caller, question.text, wanted=Filter(without=question.without))
        score = -1.0 if result.best_score is None else result.best_score
        coverage = max((hit.coverage for hit in result.hits), default=0.0)
        teaches = question.made in TEACHING
        found.append(Measured(question, score, coverage, signals(result) if teaches else None))
    return sorted_measures(found)


class _Faint:
    """The embedder, but for a self-made question: its sentence's vector mixed with an off-topic question's."""

    embeds_units = False  # of documents, which are not embedded here

    def __init__(self, searcher: Searcher, caller: Caller, embedder: Embedder) -> None:
        self._searcher, self._caller, self._embedder = searcher, caller, embedder
        self._held: dict[tuple[str, str], Vector] = {}
        self._alike: dict[str, bool] = {}  # language: a text's vector is the same as a question and as a document
        self.question: Question | None = None

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    @property
    def url(self) -> str:
        return self._embedder.url

    @property
    def default_min_score(self) -> float:
        return self._embedder.default_min_score

    @property
    def same_meaning(self) -> float:
        return self._embedder.same_meaning

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        return self._embedder.embed_documents(texts)

    def embed_query(self, text: str, lang: str) -> Vector:
        question = self.question
        if question is None or not question.sentence:
            return self._vector(text, lang)
        lang = question.lang  # a handful of its words would be taken for another language
        return mixed(self._sentence(question.sentence, lang), self._vector(question.beside, lang), question.share)

    def _sentence(self, text: str, lang: str) -> Vector:
        """From the index where the model makes no difference between question and document; seen once a language.

        Embedding one text at a time was four fifths of a measurement (November 2026).
        """
        if not self._alike.get(lang, True):
            return self._vector(text, lang)
        with self._searcher.store.reader(self._caller, self._searcher.model_id) as reader:
            (stored,) = reader.vectors_of([text])
        if stored is None:
            return self._vector(text, lang)
        if lang not in self._alike:
            self._alike[lang] = float(np.abs(self._vector(text, lang) - stored).max()) < _ALIKE
        return stored if self._alike[lang] else self._vector(text, lang)

    def _vector(self, text: str, lang: str) -> Vector:
        if (text, lang) not in self._held:
            self._held[text, lang] = self._embedder.embed_query(text, lang)
        return self._held[text, lang]
