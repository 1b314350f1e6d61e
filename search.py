"""A question -> ranked passages that the caller may read, and the gate that decides whether any is good enough.

Two halves look: cosine of the embeddings, and words weighted by their rarity. Their sum ranks; the gate compares the
cosine itself with the calibrated limit, and the share of the question's words with a limit of its own.
Knows no chat model and no HTTP. Try: python search.py "parental leave" --explain
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import contextlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cache, partial

from access import EVERYONE, Caller, passes
from access.egress import border
from access.local import local_identity
from config import Settings
from errors import ModelError, StoreBusy, UsageError
from facts.mapping import FACTS_FILE, Mapping
from facts.relations import Relations
from facts.resolution import Alias
from language.detect import language_of
from language.when import asked_time
from models import ChatModel, Embedder, Models, Near, Reranker, Vector, pick
from models.rerank import ChatReranker
from retrieval import gate
from retrieval.answering import Answering, Choice
from retrieval.explain import explained, explained_as_text
from retrieval.found import Found, Hit, Passage
from retrieval.fusion import rank
from retrieval.gate import MIN_COVERAGE, MUCH_CHANGED, Calibration, Limit
from retrieval.keywords import look_up
from retrieval.passages import passages
from retrieval.second_look import DEPTH, judged
from retrieval.signals import signals
from sources import Source
from sources.folder import folder_of
from storage import phrases
from storage.filter import EVERYTHING, Filter, filter_of
from storage.judging import judge_names
from storage.reader import ChunkRow, Reader
from storage.reading import read_prose
from storage.report import Progress, Summary
from storage.runs import Run
from store import Store, store_of

NOTHING_WANTED = "no document that you may read is of this time and place (since, until, path)"
"""What to say when a filter left nothing to look at, which is not the same as knowing nothing."""


class Index:
    """One opened index with its documents and models: where commands, server and evaluation start from."""

    def __init__(self, settings: Settings, models: Models, source: Source, store: Store) -> None:
        self.settings, self.models, self.source, self.store = settings, models, source, store
        self._choice = Choice(store, settings, models.embedder)
        self._syncing = threading.RLock()  # a sync and a move of one process wait for each other
        self._reading = threading.Lock()
        self.unmeasured = "never measured. Run: python -m eval.calibrate"
        """Why no limit was measured, and what helps; calibration.first knows more once it has tried."""
        self.tried_chunks = 0
        """How many chunks there were when a first limit was tried last."""

    @property
    def relations(self) -> Relations:
        """The types of things and the relations in force: the built-in ones and those of the folder's facts.toml."""
        return self._mapping.relations()

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """The names that its facts.toml says are one thing's."""
        return self._mapping.aliases()

    @property
    def _mapping(self) -> Mapping:
        made: Mapping = getattr(self.source, "facts", Mapping)()
        return made

    def sync(
        self,
        *,
        allow_empty: bool = False,
        retry_refused: bool = False,
        wait: bool = True,
        progress: Progress | None = None,
        moves: bool = True,
        reads: bool = True,
    ) -> Summary:
        """Brings the index up to date; see storage.syncing.sync for what it returns and raises.

        While a former model answers, documents are embedded with that, and then, if `moves`, what there is with the
        settings' model: killed or stopped, the next sync goes on there, and when it is complete it answers.
        Facts in prose are read last, if `reads`; what is posted or asked for meanwhile does not wait for that.
        """
        from storage.follow import EndedError
        from storage.syncing import sync

        with self._syncing:
            wanted, former = self.models.embedder, None
            with contextlib.suppress(ModelError):  # said once who may read has been brought up to date
                former = self._former()
            rounds = [former, wanted] if former and moves else [former or wanted]
            summary = Summary()
            for embedder in rounds:
                with passes.noted(self.store.connection(), passes.DOCUMENTS, but=(EndedError,)):
                    done = sync(
                        self.store, self.source, embedder, self.settings,
                        allow_empty=allow_empty, retry_refused=retry_refused, wait=wait, progress=progress,
                    )  # fmt: skip
                summary = done.after(summary)
            self._choice.settle()
            for embedder in filter(None, rounds):
                with contextlib.suppress(ModelError):  # then the next sync does
                    phrases.keep(self.store.connection(), self.store.register(embedder), embedder)
            if self.settings.judge_names and self.models.chat:
                told = judge_names(self.store.connection(), self.models.chat, self.settings)
                summary.notes += [(FACTS_FILE, f"names were not all judged: {told.told}")] if told.told else []
        return self._read(summary, progress) if reads else summary

    def _read(self, summary: Summary, progress: Progress | None) -> Summary:
        """The summary with what the chat model then read in prose; of two syncs of this process one reads."""
        chat = self.models.chat
        if not chat or not self.settings.read_facts or not self._reading.acquire(blocking=False):
            return summary
        try:
            run = Run()
            tell = progress or (lambda done, total, path: None)
            fault = read_prose(self.store, chat, self.settings, self.relations, tell, run)
        finally:
            self._reading.release()
        run.summary.seconds = run.stages.get("prose", 0.0)
        both = summary.after(run.summary)
        both.notes += [(FACTS_FILE, f"prose was not all read: {fault}")] if fault else []
        return both

    @contextlib.contextmanager
    def alone(self, seconds: float) -> Iterator[None]:
        """While the block runs no other thread of this process syncs the index.

        Raises StoreBusy when one still does after so many seconds.
        """
        if not self._syncing.acquire(timeout=seconds):
            raise StoreBusy("The documents are being read. Send it again in a few seconds.")
        try:
            yield
        finally:
            self._syncing.release()

    def sync_some(self, paths: Collection[str], run: Run) -> Summary:
        """The same for these paths alone, with the model that answers now; see storage.syncing.sync."""
        from storage.syncing import sync

        with self._syncing:
            embedder = self.models.embedder and self.answering().embedder
            return sync(self.store, self.source, embedder, self.settings, only=paths, run=run)

    @property
    def has_its_lists(self) -> bool:
        """Whether the access lists in the index come from the settings of now; rights may have been taken since."""
        return self.store.lists_terms() == self.source.access_terms

    def is_moving(self) -> bool:
        """Whether the settings' model is not complete yet and another answers, or words alone. Raises ModelError."""
        return bool(self.answering().moving)

    def answering(self) -> Answering:
        """Who answers questions now. Raises ModelError when the settings' model is away, StoreError."""
        return self._choice.now()

    def unused_models(self) -> list[int]:
        """The models whose vectors answer nothing any more. Raises ModelError, StoreError."""
        return self._choice.unused()

    @property
    def label(self) -> str:
        """For people: who embeds and who writes at this moment. Raises ModelError, StoreError."""
        return replace(self.models, embedder=self.answering().embedder).label

    def _former(self) -> Embedder | None:
        """The model that goes on answering while the settings' own is filled, None when there is no move."""
        now = self.answering() if self.store.chunk_count() else None
        return now.embedder if now and now.moving else None

    def searcher(self) -> "Searcher":
        """A searcher with the limit now in force. Raises ModelError when the embedder is away."""
        now = self.answering()
        measured = self._calibration(now)
        limit = self._limit(measured, now.embedder)
        reranker = ChatReranker(self.models.chat) if self.settings.rerank and self.models.chat else None
        return Searcher(self.store, now.embedder, now.model_id, self.settings, limit, measured, reranker, now.moving)

    def calibration(self) -> Calibration | None:
        """What was measured with the model that answers on these documents, or ships with them. Raises ModelError."""
        return self._calibration(self.answering())

    def needs_limit(self) -> bool:
        """Whether a first measurement is due: a model, documents, no limit set by a person and none measured.

        Raises ModelError when the embedder is away.
        """
        if self.models.embedder is None or self.settings.min_score is not None or not self.store.chunk_count():
            return False
        now = self.answering()
        return now.embedder is not None and self._calibration(now) is None

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def _limit(self, measured: Calibration | None, embedder: Embedder | None) -> Limit:
        settings = self.settings
        built_in = embedder.default_min_score if embedder else 1.0
        score = measured.min_score if measured else built_in
        coverage = measured.min_coverage if measured else MIN_COVERAGE
        if settings.min_coverage is not None:
            coverage = settings.min_coverage
        if settings.min_score is not None:
            return Limit(settings.min_score, coverage, "setting", True)
        if measured is None:
            why = "measured with another model only" if self.store.is_calibrated() else self.unmeasured
            return Limit(score, coverage, "built-in", embedder is None, "" if embedder is None else why)
        then, chunks = measured.chunks if measured.open is None else measured.open, self.store.open_count()
        fits = abs(chunks - then) <= MUCH_CHANGED * then  # of what everyone may read: the rest is not for every caller
        why = "" if fits else "the documents changed much since it was measured"
        decision = measured.decision
        confidence = decision.min_confidence if decision and decision.usable else None
        return Limit(score, coverage, "calibration", fits, why, confidence)

    def _calibration(self, now: Answering) -> Calibration | None:
        stored = self.store.calibration(now.model_id) if now.model_id else None
        if stored and (found := gate.parsed_calibration(stored)):
            return found
        if now.embedder is None:
            return None
        return gate.shipped_calibration(self.settings.docs_dir, now.embedder.identity.label)


def open_index(settings: Settings, *, notice: Callable[[str], None]) -> Index:
    """Opens (or makes) the index of `settings.docs_dir` with the models that are there; `notice` hears what is amiss.

    Raises SourceError when the folder is missing, IndexMismatch, StoreError, ModelError.
    """
    source = folder_of(settings)
    source.entries()  # a typo in the path is told before a database is made for it
    models = pick(settings)
    if models.notice:
        notice(models.notice)
    if settings.rerank and not models.chat:
        notice("BRAIN_RERANK needs a chat model, and there is none: what is found is not judged")
    if settings.verify == "rules+model" and not models.chat:
        notice("BRAIN_VERIFY=rules+model needs a chat model, and there is none: answers are quotations, word for word")
    return Index(settings, models, source, store_of(settings, 3600 * settings.acl_max_hours))


@dataclass(frozen=True, slots=True)
class Searcher:
    """An index, the model that embeds questions for it (or None: keywords only), and the limit in force."""

    store: Store
    embedder: Embedder | None
    model_id: int
    settings: Settings
    limit: Limit
    measured: Calibration | None = None  # what the limit comes from, with the limits of groups of languages
    reranker: Reranker | None = None
    moving: str = ""  # what to tell while another model than the settings' own answers

    def search(self, caller: Caller, text: str, k: int | None = None, wanted: Filter = EVERYTHING) -> Found:
        """Ranks and gates what `caller` may read of the documents `wanted`; k chunks, by default the setting's.

        Raises ModelError when the embedder is away, StoreError.
        """
        k = k or self.settings.k
        lang = language_of(text)
        vector = self.embedder.embed_query(text, lang) if self.embedder else None
        limit = self.limit_for(caller)
        limit = limit.for_language(lang, self.measured.groups) if self.measured else limit
        span = asked_time(text, lang)
        with self.store.reader(caller, self.model_id, wanted) as reader:
            words = look_up(reader, text, lang)
            hits = rank(reader, vector, words, span, limit, max(k, DEPTH) if self.reranker else k)
            joined = [] if self.reranker else self._passages(reader, hits[:k])
        found = Found(text, lang, hits[:k], joined, limit, vector, words.looked_for, span, moving=self.moving)
        confidence = self._confidence(found)
        if self.reranker:  # a model call: no transaction is open meanwhile
            missed, held_back = "", border(self.settings, self.reranker).why(h.chunk.path for h in hits if h.passed)
            if not held_back:
                hits, missed = judged(self.reranker, text, hits, self.settings.rerank_min)
            with self.store.reader(caller, self.model_id, wanted) as reader:  # what the caller may read by now
                joined = self._passages(reader, hits[:k])
            found = replace(found, hits=hits[:k], passages=joined, second_look=missed or held_back, held_back=held_back)
        refused = confidence is not None and limit.min_confidence is not None and confidence < limit.min_confidence
        return replace(found, confidence=confidence, passages=[] if refused else found.passages)

    def on(self, reader: Reader, subject: str, most: int) -> list[Hit]:
        """Chunks that `reader` may read on a subject and that pass the limit, best first; each copy of a text is one.

        Raises ModelError when the embedder is away.
        """
        lang = language_of(subject)
        vector = self.embedder.embed_query(subject, lang) if self.embedder else None
        limit = self.limit_for(reader.caller)
        limit = limit.for_language(lang, self.measured.groups) if self.measured else limit
        hits = rank(reader, vector, look_up(reader, subject, lang), None, limit, most, of_each=most, copies=True)
        return [hit for hit in hits if hit.passed]

    def limit_for(self, caller: Caller) -> Limit:
        """The limit as this caller is told of it: how much of what everyone reads has changed only if they do, too."""
        if self.limit.origin != "calibration" or all(EVERYONE in held for held in caller.sets):
            return self.limit
        return replace(self.limit, fits=True, why="")

    def _passages(self, reader: Reader, hits: Sequence[Hit]) -> list[Passage]:
        return passages([hit for hit in hits if hit.passed], reader.section, self.settings.passage_chars)

    def _confidence(self, found: Found) -> float | None:
        """Of the learned decision, where there is one; below its limit no passage is given."""
        decision = self.measured.decision if self.measured else None
        row = signals(found) if decision and decision.usable else None
        if decision is None or row is None:
            return None
        return round(decision.weights.chance(row), 4)  # as it is shown, so it is compared

    def cosines(self, caller: Caller, found: Found, texts: Sequence[str]) -> list[float]:
        """The question's cosine with each of `texts`, units of the found passages.

        Zeros without an embedder, or where it must not be sent all of them. What the index holds is not embedded again.
        Raises ModelError.
        """
        if found.vector is None or self.embedder is None or self._holds_back(found.passages):
            return [0.0] * len(texts)
        return self._cosines(caller, self.embedder, found.vector, texts)

    def meaning(self, caller: Caller, lang: str, given: Sequence[Passage]) -> Near | None:
        """Compares claims in `lang` with sentences of the passages `given`, which `caller` may read.

        None without an embedder, or where it must not be sent all of them.
        """
        embedder = self.embedder
        if embedder is None or self._holds_back(given):
            return None
        vector = cache(partial(embedder.embed_query, lang=lang))  # a claim is compared with several sets of lines

        def cosines(claim: str, lines: tuple[str, ...]) -> list[float]:
            return self._cosines(caller, embedder, vector(claim), lines)

        return Near(cosines, embedder.same_meaning)

    def sendable(self, rows: Iterable[ChunkRow], *others: ChatModel) -> list[ChunkRow]:
        """The rows whose words may be searched for and sent to `others`: restricted ones to no model outside."""
        held = border(self.settings, self.embedder, self.reranker, *others)
        return [row for row in rows if not held.holds(row.path)]

    def _holds_back(self, given: Iterable[Passage]) -> bool:
        return bool(border(self.settings, self.embedder).why(passage.source for passage in given))

    def _cosines(self, caller: Caller, embedder: Embedder, vector: Vector, texts: Sequence[str]) -> list[float]:
        with self.store.reader(caller, self.model_id) as reader:
            vectors = reader.vectors_of(texts)
        lacking = [i for i, held in enumerate(vectors) if held is None]
        for i, made in zip(lacking, embedder.embed_documents([texts[i] for i in lacking]), strict=True):
            vectors[i] = made
        return [0.0 if held is None else float(held @ vector) for held in vectors]


def synced(
    index: Index,
    notice: Callable[[str], None],
    progress: Callable[[str], AbstractContextManager[Progress | None]],
    *,
    measures: bool = True,
    moves: bool = True,
) -> None:
    """What a command does before it looks: a sync, unless another process is at it and there is something to read.

    Documents whose limit was never measured are measured then, unless `measures` is false; see calibration.first.
    Without `moves` nobody waits for a new model to be filled while the former one answers.
    """
    try:
        with progress("Indexing") as tell:
            summary = index.sync(wait=not index.store.chunk_count(), progress=tell, moves=moves, reads=moves)
    except StoreBusy:
        if not index.has_its_lists:
            raise
        notice("another process is syncing this index; answered from what it holds now")
        return
    if not moves and index.is_moving():
        notice("another embedding model is set than the index was filled with; python store.py --sync fills it")
    if summary.left_out:
        files = "1 file was" if len(summary.left_out) == 1 else f"{len(summary.left_out)} files were"
        notice(f"{files} left out; python store.py --sync names them and why")
    if not index.store.chunk_count():
        notice(f"{index.settings.docs_dir} holds no document with text in it")
    if measures and index.needs_limit():
        from calibration.first import first_limit  # it asks this module; 60 ms that most commands can do without

        first_limit(index, notice, progress)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: ranked passages, those below the limit too and marked so. Exit 0, 1 when none passed."""
    import commandline
    from answering.recorded import Log

    parser = commandline.parser("Search the documents.", 'python search.py "parental leave" --explain')
    commandline.add_filter_flags(parser)
    commandline.add_caller_flag(parser)
    commandline.add_question(parser)
    args = parser.parse_args(argv)
    question = commandline.question_of(args, "search.py")
    if not question.strip():
        raise UsageError('The question is empty. Example: python search.py "parental leave"')
    settings = commandline.settings_of(args)
    wanted = filter_of(args.since, args.until, args.path, settings.docs_dir)
    with open_index(settings, notice=commandline.notice) as index:
        asks = local_identity(settings, index.store.connection, args.as_whom)
        caller, by = asks.caller, asks.by if args.as_whom else ""
        synced(index, commandline.notice, commandline.progress, moves=False)
        entry = Log(settings, index.store, commandline.notice).entry("search", "cli", caller, question, wanted, by=by)
        with entry.told():
            found = index.searcher().search(caller, question, wanted=wanted)
            entry.found(found, hits=True)
    if found.moving:
        commandline.notice(found.moving)
    if not found.hits and wanted != EVERYTHING:
        commandline.notice(NOTHING_WANTED)
    if args.json:
        print(commandline.json_text(explained(found)))
    elif args.explain:
        commandline.out(explained_as_text(found))
    else:
        for hit in found.hits:
            score = "no vector" if hit.score is None else f"{hit.score:.2f}"
            mark = {"vector": "", "keywords": "  (its words pass)"}.get(hit.passed, "  (below the limit)")
            chunk = hit.chunk
            dated = f"  dated {chunk.dated}" if chunk.dated else f"  file changed on {chunk.modified[:10]}"
            also = f"  also in {', '.join(hit.also)}" if hit.also else ""
            commandline.out(f"{chunk.path}:{chunk.cited} ({' > '.join(chunk.heading)})  {score}{mark}{dated}{also}")
            commandline.out("\n".join(f"    {line}" for line in chunk.body.split("\n") if line.strip()))
    return 0 if found.passages else 1


if __name__ == "__main__":
    import commandline

    commandline.run(main)
