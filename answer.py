"""question -> Answer: search, then a written or quoted answer, then the check of every sentence. Also the command line.

Without a passage that passes the gate no chat model is called and nothing is cited. Knows no HTTP.
Try: python answer.py "How many vacation days do I get after one year?"
"""

import contextlib
import hashlib
import json
import re
import stat
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from access import Caller, local_caller
from answering import prompt, quote
from errors import PromptTooLong, UsageError
from language.phrases import say
from language.words import fold, forms, names, terms
from models import ChatModel
from proof.verdict import Claim, Conflict, Problem, Verdict
from retrieval.explain import explained, explained_as_text
from retrieval.found import Found, Passage
from search import NOTHING_WANTED, Index, Searcher, open_index, synced
from sources import Source as DocumentSource
from storage.filter import EVERYTHING, Filter, filter_of
from storage.reader import ChunkRow

MOST_QUESTION_CHARS = 500
_SPAN_CHARS = 700  # a source's quotes are shown as one span of the file up to this length


class Source(BaseModel):
    """A cited passage. `lines` and `quote` are the file's as it was indexed."""

    model_config = ConfigDict(frozen=True)

    n: int
    source: str
    title: str
    link: str
    lines: str  # "L9-14"
    heading: str
    score: float | None  # cosine, the figure that the limit is compared with
    quote: str
    version: str  # sha256 of the indexed file
    also: list[str]  # path:lines of the same words in other documents that the caller may read
    dated: str  # ISO date: the document's front matter's, else the file's
    modified: str  # UTC, ISO 8601
    indexed_at: str
    stale: Literal["changed", "gone"] | None


class Limit(BaseModel):
    """The gate that was in force."""

    min_score: float
    min_coverage: float
    origin: str
    fits: bool
    why: str  # what is amiss where it does not fit
    min_confidence: float | None


class Answer(BaseModel):
    """What every road (command line, HTTP, evaluation) returns for a question."""

    id: str
    answer: str
    status: Literal["answered", "needs_review", "not_found"]
    needs_review: bool
    problems: list[Problem]
    claims: list[Claim]
    sources: list[Source]
    conflicts: list[Conflict] = []
    attempts: int = 0  # how often the chat model wrote; 0 for a quotation or a refusal without a model
    confidence: float | None  # 0 to 1; None where no decision was learned on these documents
    limit: Limit
    model: str
    lang: str
    timings: dict[str, float]  # seconds


class Assistant:
    """Answers questions over one index."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def ask(
        self, caller: Caller, question: str, k: int | None = None, wanted: Filter = EVERYTHING
    ) -> tuple[Answer, Found]:
        """The answer from the documents `wanted`, and the search it was made from (for `explain`).

        Raises UsageError for an empty or too long question, ModelError when a model is away, StoreError.
        """
        question = checked_question(question)
        clock = _Clock()
        searcher = self.index.searcher()
        with clock.measured("search"):
            found = searcher.search(caller, question, k, wanted)
        return self._answered(caller, searcher, found, wanted, clock), found

    def _answered(self, caller: Caller, searcher: Searcher, found: Found, wanted: Filter, clock: "_Clock") -> Answer:
        chat = self.index.models.chat
        notices = []
        if not found.limit.fits:
            told = f"limit not calibrated for this index ({found.limit.why})"
            notices.append(_notice("limit_not_calibrated", told))
        if found.second_look:
            notices.append(_notice("not_judged", f"what was found could not be judged: {found.second_look}"))
        if not found.hits and wanted != EVERYTHING:
            notices.append(_notice("nothing_wanted", NOTHING_WANTED))
        if not found.passages:
            return self._not_found(found, notices, clock)
        if chat:
            from verify import check  # quotes need none of its rules: 0.2 s of a command's start

            with clock.measured("model"):
                room = chat.window - self.index.settings.num_predict
                text, passages, dropped = _written(chat, found.question, found.passages, room)
            if prompt.is_refusal(text):
                return self._not_found(found, notices, clock)
            if dropped:
                notices.append(_notice("passages_dropped", f"{dropped} passages did not fit the model's window"))
            with clock.measured("verify"):
                verdict = check(prompt.without_refusal(text), passages, found.lang)
            if prompt.REFUSAL in text:
                found_too = "the model also said that the passages do not answer the question"
                verdict.problems.append(Problem(code="refusal_beside_answer", text=found_too, severity="error"))
        else:
            with clock.measured("quote"):
                verdict, passages = _quoted(caller, searcher, found)
            if not passages:
                return self._not_found(found, notices, clock)
        sources = [self._source(n, passages[n - 1], verdict.claims) for n in _cited(verdict, len(passages))]
        notices += _not_mentioned(found, [passages[source.n - 1] for source in sources])
        notices += [
            _notice("stale", f"{s.source} {'has changed' if s.stale == 'changed' else 'is gone'} since it was indexed")
            for s in sources
            if s.stale
        ]
        status: Literal["answered", "needs_review"] = "needs_review" if verdict.needs_review else "answered"
        return self._make(found, clock, verdict.text, status, verdict.claims, sources, [*verdict.problems, *notices])

    def _not_found(self, found: Found, notices: list[Problem], clock: "_Clock") -> Answer:
        return self._make(found, clock, say("not_found", found.lang), "not_found", [], [], notices)

    def _make(
        self,
        found: Found,
        clock: "_Clock",
        text: str,
        status: Literal["answered", "needs_review", "not_found"],
        claims: list[Claim],
        sources: list[Source],
        problems: list[Problem],
    ) -> Answer:
        return Answer(
            id=uuid.uuid4().hex, answer=text, status=status, needs_review=status == "needs_review", problems=problems,
            claims=claims, sources=sources, confidence=found.confidence, limit=Limit(**asdict(found.limit)),
            model=self.index.models.label, lang=found.lang, timings=clock.seconds(),
        )  # fmt: skip

    def _source(self, n: int, passage: Passage, claims: Sequence[Claim]) -> Source:
        row = passage.row
        return Source(
            n=n, source=passage.source, title=passage.title, link=_link(row.meta.get("url", "")),
            lines=f"L{passage.first_line}-{passage.last_line}", heading=" > ".join(passage.heading),
            score=None if passage.score is None else round(passage.score, 4),
            quote=_quote_of(n, passage, claims), version=row.sha256, also=list(passage.also), dated=row.dated,
            modified=datetime.fromtimestamp(row.mtime_ns / 1e9, UTC).isoformat(timespec="seconds"),
            indexed_at=row.indexed_at, stale=stale(self.index.source, row),
        )  # fmt: skip


def checked_question(question: str) -> str:
    """The question without white space around it. Raises UsageError when nothing is left or it is too long."""
    question = question.strip()
    if not question:
        raise UsageError('The question is empty. Example: python answer.py "How many vacation days do I get?"')
    if len(question) > MOST_QUESTION_CHARS:
        raise UsageError(f"The question has {len(question)} characters, {MOST_QUESTION_CHARS} are the most.")
    return question


def _written(chat: ChatModel, question: str, passages: Sequence[Passage], room: int) -> tuple[str, list[Passage], int]:
    """The model's reply, the passages it was given and how many had to be left out to fit `room` tokens."""
    given = list(passages)
    while True:
        messages = prompt.messages(question, given)
        if len(given) > 1 and prompt.estimated_tokens(messages) > room:
            given.pop()
            continue
        try:
            reply = chat.chat(messages)
        except PromptTooLong:
            if len(given) == 1:
                raise
            given.pop()
            continue
        return reply.text, given, len(passages) - len(given)


def _quoted(caller: Caller, searcher: Searcher, found: Found) -> tuple[Verdict, list[Passage]]:
    """The quoting answer and the passages it quotes, numbered in the order of their first quote."""
    chosen = quote.choose(
        found.question, found.lang, found.passages, lambda texts: searcher.cosines(caller, found, texts)
    )
    passages = list({id(q.passage): q.passage for q in chosen}.values())
    numbers = [next(n for n, p in enumerate(passages, 1) if p is q.passage) for q in chosen]
    return quote.verdict(chosen, numbers, found.lang), passages


def _not_mentioned(found: Found, cited: Sequence[Passage]) -> list[Problem]:
    """A notice when the question names something (France, TV-500) that no cited passage does."""
    held = {form for p in cited for form in terms(f"{p.above}\n{p.text}", p.lang)}
    missing = [
        word for word in names(found.question, found.lang) if not held & {forms(word, found.lang)[0], fold(word)}
    ]
    return [_notice("not_mentioned", f"the cited passages do not mention {', '.join(missing)}")] if missing else []


def _cited(verdict: Verdict, given: int) -> list[int]:
    """Numbers of the passages to show: the cited ones, or all that were given when none is cited."""
    cited = sorted({n for claim in verdict.claims for n in claim.citations if 1 <= n <= given})
    return cited or list(range(1, given + 1))


def _quote_of(n: int, passage: Passage, claims: Sequence[Claim]) -> str:
    """The words of the passage that prove its claims, byte for byte: one span, or the first where it would be long."""
    quotes = [e.quote for claim in claims for e in claim.evidence if e.n == n]
    starts = [passage.text.find(q) for q in quotes]
    if not quotes or min(starts) < 0:
        return "\n".join(passage.text.split("\n")[passage.skip :]).strip("\n") or passage.text
    span = passage.text[min(starts) : max(s + len(q) for s, q in zip(starts, quotes, strict=True))]
    return span if len(span) <= _SPAN_CHARS else quotes[0]


def _link(url: str) -> str:
    """The front matter's `url` where a page may link it; never a script."""
    return url if re.match(r"(?:https?://|mailto:)", url, re.I) else ""


def stale(source: DocumentSource, row: ChunkRow) -> Literal["changed", "gone"] | None:
    """How the file differs from what was indexed; None when it does not, or when there is no file to look at."""
    path = source.locate(row.path)
    if path is None:
        return None
    try:
        now = path.stat()
        if (now.st_size, now.st_mtime_ns) == (row.size, row.mtime_ns):
            return None
        if now.st_size != row.size or not stat.S_ISREG(now.st_mode):  # a pipe put in its place is not read
            return "changed"
        with path.open("rb") as file:
            return None if hashlib.file_digest(file, "sha256").hexdigest() == row.sha256 else "changed"
    except OSError:
        return "gone"


def _notice(code: str, text: str) -> Problem:
    return Problem(code=code, text=text, severity="notice")


class _Clock:
    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._laps: dict[str, float] = {}

    @contextlib.contextmanager
    def measured(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._laps[name] = time.perf_counter() - start

    def seconds(self) -> dict[str, float]:
        return {name: round(s, 4) for name, s in (self._laps | {"total": time.perf_counter() - self._started}).items()}


def command(argv: Sequence[str] | None = None, show_checks: bool = False) -> int:
    """The command line of answer.py and, with `show_checks`, of verify.py. Returns the exit code."""
    import commandline

    parser = commandline.parser(
        "Answer a question from the documents, with its sources, or say that they do not hold the answer.",
        f'python {"verify" if show_checks else "answer"}.py "How many vacation days do I get after one year?"',
    )
    commandline.add_filter_flags(parser)
    parser.add_argument("question")
    parser.add_argument("--strict", action="store_true", help="exit 4 when the answer is marked for review")
    args = parser.parse_args(argv)
    checked_question(args.question)
    settings = commandline.settings_of(args)
    wanted = filter_of(args.since, args.until, args.path, settings.docs_dir)
    with open_index(settings, notice=commandline.notice) as index:
        synced(index, commandline.notice, commandline.progress)
        answer, found = Assistant(index).ask(local_caller(), args.question, wanted=wanted)
    if args.json:
        explain = {"explain": explained(found)} if args.explain else {}
        print(json.dumps(answer.model_dump() | explain, ensure_ascii=False, indent=2))
    else:
        commandline.out(_as_text(answer))
        if show_checks:
            commandline.out("\n" + _checks_as_text(answer))
        if args.explain:
            commandline.out("\n" + explained_as_text(found))
    if answer.status == "not_found":
        return 1
    return 4 if args.strict and answer.needs_review else 0


def _as_text(answer: Answer) -> str:
    lines = [answer.answer]
    for source in answer.sources:
        score = "no vector" if source.score is None else f"score {source.score:.2f}"
        dated = f"  dated {source.dated}" if source.dated else ""
        stale = f"  {source.stale.upper()} since it was indexed" if source.stale else ""
        also = f"  also in {', '.join(source.also)}" if source.also else ""
        lines.append(f"\n[{source.n}] {source.source}:{source.lines} ({source.heading})  {score}{dated}{stale}{also}")
        proofs = dict.fromkeys(e.quote for c in answer.claims for e in c.evidence if e.n == source.n)
        for proof in [source.quote, *(p for p in proofs if p not in source.quote)]:
            lines += [f"    {line}" for line in proof.split("\n")]
    if answer.needs_review:
        lines.append("\nNeeds review:")
    lines += [f"- {p.text}" for p in answer.problems if p.severity == "error"]
    notices = [p.text for p in answer.problems if p.severity == "notice"]
    return "\n".join(lines + ([f"\nnote: {'; '.join(notices)}"] if notices else []))


def _checks_as_text(answer: Answer) -> str:
    lines = [f"Checks: {len(answer.claims)} claims"]
    for claim in answer.claims:
        lines.append(f"- {claim.status}: {claim.text}" + (f"  ({claim.reason})" if claim.reason else ""))
        names = {source.n: source.source for source in answer.sources}
        for evidence in claim.evidence:
            lines.append(f"    [{evidence.n}] {names.get(evidence.n, '')}:L{evidence.first_line}-{evidence.last_line}")
            lines += [f"        {line}" for line in evidence.quote.split("\n")]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """python answer.py "..."; exit 0 answered, 1 not found, 2 wrong use, 3 a backend away, 4 review under --strict."""
    return command(argv)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
