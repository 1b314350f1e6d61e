"""question -> Answer: search, then a written or quoted answer, then the check of every sentence. Also the command line.

Without a passage that passes the gate no chat model is called and nothing is cited. Knows no HTTP.
Try: python answer.py "How many vacation days do I get after one year?"
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Literal

from access import Caller
from access.egress import border
from access.local import local_identity
from access.sources import declared, late
from answering import cited, quote
from answering.cache import Cache, key_of
from answering.clock import Clock
from answering.disagree import with_conflicts
from answering.events import Answered, Asked, Checked, Event, Tell, nearest_of, routed, searched
from answering.facts_road import Taken, take
from answering.from_facts import Told
from answering.history import Turn, standalone
from answering.next import suggestions
from answering.recorded import Log
from answering.shapes import Answer, Limit, Route, Source, notice
from errors import UsageError
from language.phrases import say
from models import ChatModel
from models.calls import Stop
from proof.cover import uncovered
from proof.verdict import Problem, Verdict
from retrieval.explain import explained, explained_as_text
from retrieval.found import Found, Passage
from search import NOTHING_WANTED, Index, Searcher, open_index, synced
from settings.sources import Declared
from storage.filter import EVERYTHING, Filter, filter_of

__all__ = ["MOST_QUESTION_CHARS", "Answer", "Assistant", "Limit", "Source", "checked_question", "command"]

JUDGED = "rules+model"
"""The setting `verify` with which the chat model has a word on each claim."""
MOST_QUESTION_CHARS = 500
"""A longer question is refused."""


class Assistant:
    """Answers questions over one index."""

    def __init__(self, index: Index, cache: Cache | None = None) -> None:
        """With a `cache`, which may outlive this, a question that was answered already is not answered anew."""
        self.index, self._cache = index, cache

    def ask(
        self,
        caller: Caller,
        question: str,
        k: int | None = None,
        wanted: Filter = EVERYTHING,
        *,
        verify: str | None = None,
        history: Sequence[Turn] = (),
        tell: Tell | None = None,
        stop: Stop | None = None,
        seen: Callable[[Found], None] | None = None,
    ) -> tuple[Answer, Found]:
        """The answer from the documents `wanted`, and the search it was made from (for `explain`).

        `verify` takes the place of the setting. After `history` the question is asked as it is understood there; see
        answering.history. `tell` hears answering.events while the answer is made, the whole one
        last; before it hears what was found, `seen` does. Raises UsageError for an empty or too long question,
        ModelError when a model is away, StoreError; Stopped soon after another thread has set `stop`.
        """
        question = checked_question(question)
        stop = stop or Stop()
        task = _Task(self.index, caller, wanted, verify or self.index.settings.verify, tell, stop)
        if history:
            question = task.understood(question, history)
        with task.clock.measured("search"):
            searcher = self.index.searcher()
            kept = key = taken = None
            if self._cache is not None:
                before = task.before if self.index.settings.suggest else ()
                key = key_of(self.index, searcher, caller, question, k, wanted, task.verify, before)
                kept = self._cache.get(key, self.index.source)
            if not kept:
                taken = take(self.index, searcher, caller, question, wanted, task.clock)
            found = kept[1] if kept else (taken and taken.found) or searcher.search(caller, question, k, wanted)
        stop.check()
        if seen:
            seen(found)
        if tell:
            tell(searched(found))
            if route := kept[0].route if kept else taken and taken.route:
                tell(routed(route))
        answer = task.again(kept[0]) if kept else task.answered(searcher, found, taken)
        if self._cache is not None and not kept and not task.notices:
            self._cache.put(key, answer, found)
        if tell:
            tell(Answered(answer=answer))
        return answer, found


class _Task:
    """One question on its way."""

    def __init__(
        self, index: Index, caller: Caller, wanted: Filter, verify: str, tell: Tell | None, stop: Stop
    ) -> None:
        self.index, self.caller, self.wanted, self.verify = index, caller, wanted, verify
        self.tell, self.stop, self.clock = tell, stop, Clock()
        self.asked, self.notices = "", list[Problem]()
        self.before, self.next, self.route = list[str](), list[str](), Route(tool="text")

    def understood(self, question: str, history: Sequence[Turn]) -> str:
        models = self.index.models  # the embedder is sent what comes out
        held = border(self.index.settings, models.chat, models.embedder)
        shown = [Turn(turn.question, "") for turn in history] if held.host else history  # answers may quote
        with self.clock.measured("rewrite"):
            told = standalone(models.chat, question, shown, MOST_QUESTION_CHARS, self.stop)
        self.asked, self.notices = told.asked, told.notices
        self.before = [turn.question for turn in history]
        if self.tell and told.asked:
            self.tell(Asked(question=told.asked))
        return told.question

    def again(self, kept: Answer) -> Answer:
        """An answer made earlier, as one of its own: judged and written down apart from the first."""
        own = {"id": uuid.uuid4().hex, "asked": self.asked, "timings": self.clock.seconds()}
        return kept.model_copy(update=own | {"problems": [*self.notices, *kept.problems]})

    def answered(self, searcher: Searcher, found: Found, taken: Taken | None) -> Answer:
        self.label = replace(self.index.models, embedder=searcher.embedder).label
        if taken:
            self.route = taken.route
        if taken and taken.found:
            return self._from_facts(taken.found, taken.told)
        notices = [*self.notices, *_search_notices(found, self.wanted)]
        if not found.passages:
            return self._not_found(found, notices)
        chat, attempts = self.index.models.chat, 0
        if held_back := border(self.index.settings, chat).why(passage.source for passage in found.passages):
            chat, self.label = None, replace(self.index.models, embedder=searcher.embedder, chat=None).label
            notices = [told for told in notices if told.code != "restricted"]  # the same, of the second look
            notices.append(notice("restricted", f"quoted, not written: {held_back}"))
        if chat:
            verdict, passages, attempts = self._written(chat, searcher, found, notices)
            said = [c.text for c in verdict.claims if c.status == "supported"] if verdict else []
        else:
            with self.clock.measured("quote"):
                verdict, passages, said = _quoted(self.caller, searcher, found)
            cited.placed(verdict.claims, passages)
            for index, claim in enumerate(verdict.claims):
                if self.tell:
                    self.tell(Checked(index=index, claim=claim))
        if verdict is None or not passages:
            return self._not_found(found, notices + cited.giving_orders(passages or found.passages), attempts)
        with self.clock.measured("conflicts"):
            verdict, passages = with_conflicts(
                verdict, found.question, found.lang, passages if chat else found.passages, passages,
                partial(searcher.meaning, self.caller, given=found.passages),
            )  # fmt: skip
        cited.placed(verdict.claims, passages, verdict.conflicts)
        sources = cited.sources_of(self.index.source, verdict, passages)
        notices += cited.giving_orders(passages)
        notices += cited.not_mentioned(found, [passages[source.n - 1] for source in sources])
        notices += uncovered(found.question, found.lang, said)
        notices += [*cited.stale_notices(sources), *self._late([source.source for source in sources])]
        if self.index.settings.suggest:
            with self.clock.measured("next"):
                cited_now = [passages[source.n - 1] for source in sources]
                self.next = suggestions(
                    searcher, self.caller, self.wanted, cited_now, [found.question, *self.before], self.stop
                )
        status: Literal["answered", "needs_review"] = "needs_review" if verdict.needs_review else "answered"
        verdict = verdict.model_copy(update={"problems": [*verdict.problems, *notices]})
        return self._make(found, verdict, status, sources, attempts)

    def _from_facts(self, found: Found, told: Told | None) -> Answer:
        if told is None:
            return self._not_found(found, [*self.notices, notice("not_in_facts", self.route.reason)])
        verdict, passages = told.verdict, told.passages
        cited.placed(verdict.claims, passages, verdict.conflicts)
        for index, claim in enumerate(verdict.claims):
            if self.tell:
                self.tell(Checked(index=index, claim=claim))
        sources = cited.sources_of(self.index.source, verdict, passages)
        notices = [*self.notices, *cited.giving_orders(passages), *cited.stale_notices(sources)]
        notices += self._late([source.source for source in sources])
        status: Literal["answered", "needs_review"] = "needs_review" if verdict.needs_review else "answered"
        verdict = verdict.model_copy(update={"problems": [*verdict.problems, *notices]})
        return self._make(found, verdict, status, sources, 0)

    def _written(
        self, chat: ChatModel, searcher: Searcher, found: Found, notices: list[Problem]
    ) -> tuple[Verdict | None, list[Passage], int]:
        """The verdict on the best attempt (None: a refusal), its passages, and how often the model wrote."""
        from answering.judge import judged
        from answering.write import Checker, Writer  # quotes need none of its rules: 0.2 s of a command's start

        settings = self.index.settings
        judge = (lambda verdict, given: judged(chat, verdict, given, self.stop)) if self.verify == JUDGED else None
        room = chat.window - settings.num_predict

        def tell(event: Event) -> None:
            if isinstance(event, Checked):
                cited.placed([event.claim], found.passages)  # an attempt is given these, or the first of them
            if self.tell:
                self.tell(event)

        writer = Writer(
            chat, found.question, Checker(found.lang, searcher.meaning(self.caller, found.lang, found.passages)),
            room=room, clock=self.clock, tell=tell if self.tell else None, stop=self.stop, judge=judge,
        )  # fmt: skip
        written = writer.write(found.passages, settings.retries)
        best = written.attempt
        if best.verdict:
            notices += written.notices
        return best.verdict, best.passages, written.attempts

    def _late(self, paths: list[str]) -> list[Problem]:
        """A notice when the sources of these documents were not synced for long; "" is the whole folder's."""
        hours = (self.index.store.pass_age() or 0.0) / 3600
        found = late(declared(self.index.settings.sources, guarded=False), paths, hours, self.index.store.passes)
        return [notice("not_synced", _late_text(source, hours)) for source, hours in found]

    def _not_found(self, found: Found, notices: list[Problem], attempts: int = 0) -> Answer:
        notices = [*notices, *cited.in_another_language(found), *self._late([""])]
        refusal = Verdict(text=say("not_found", found.lang), claims=[], problems=notices)
        return self._make(found, refusal, "not_found", [], attempts)

    def _make(
        self,
        found: Found,
        verdict: Verdict,
        status: Literal["answered", "needs_review", "not_found"],
        sources: list[Source],
        attempts: int,
    ) -> Answer:
        return Answer(
            id=uuid.uuid4().hex, answer=verdict.text, status=status, needs_review=status == "needs_review",
            problems=verdict.problems, claims=verdict.claims, conflicts=verdict.conflicts,
            sources=sources, confidence=found.confidence, limit=Limit(**asdict(found.limit)),
            attempts=attempts, model=self.label, lang=found.lang, timings=self.clock.seconds(),
            asked=self.asked, next=self.next, route=self.route,
        )  # fmt: skip


def _late_text(source: Declared, hours: float) -> str:
    far = source.reader != "folder"
    what = "where its files come from" if far else "its files"
    when = "never" if hours > 24 * 36500 else f"{hours / 24:.0f} days ago"
    command = f"python -m access.sources --now {source.name}" if far else "python store.py --sync"
    return f"{source.name}: last compared with {what} {when}: what changed since is not in this answer. Run: {command}"


def checked_question(question: str) -> str:
    """The question without white space around it. Raises UsageError when nothing is left or it is too long."""
    question = question.strip()
    if not question:
        raise UsageError('The question is empty. Example: python answer.py "How many vacation days do I get?"')
    if len(question) > MOST_QUESTION_CHARS:
        raise UsageError(f"The question has {len(question)} characters, {MOST_QUESTION_CHARS} are the most.")
    return question


def _search_notices(found: Found, wanted: Filter) -> list[Problem]:
    notices = []
    if found.moving:
        notices.append(notice("model_moving", found.moving))
    if not found.limit.fits:
        notices.append(notice("limit_not_calibrated", f"limit not calibrated for this index ({found.limit.why})"))
    if found.second_look:
        code = "restricted" if found.held_back else "not_judged"
        notices.append(notice(code, f"what was found could not be judged: {found.second_look}"))
    if not found.hits and wanted != EVERYTHING:
        notices.append(notice("nothing_wanted", NOTHING_WANTED))
    return notices


def _quoted(caller: Caller, searcher: Searcher, found: Found) -> tuple[Verdict, list[Passage], list[str]]:
    """The quoting answer, the passages it quotes (numbered as first quoted), and what is quoted on the subject."""
    chosen = quote.choose(
        found.question, found.lang, found.passages, lambda texts: searcher.cosines(caller, found, texts)
    )
    passages = list({id(q.passage): q.passage for q in chosen}.values())
    numbers = [next(n for n, p in enumerate(passages, 1) if p is q.passage) for q in chosen]
    return quote.verdict(chosen, numbers, found.lang), passages, quote.on_subject(found.question, found.lang, chosen)


def command(argv: Sequence[str] | None = None, show_checks: bool = False) -> int:
    """The command line of answer.py and, with `show_checks`, of verify.py. Returns the exit code."""
    import commandline
    from answering import show

    name = "verify.py" if show_checks else "answer.py"
    parser = commandline.parser(
        "Answer a question and show how each sentence of the answer was checked, and by which words it is proved."
        if show_checks
        else "Answer a question from the documents, with its sources, or say that it was not found in them.",
        f'python {name} "How many vacation days do I get after one year?"',
    )
    commandline.add_filter_flags(parser)
    commandline.add_caller_flag(parser)
    commandline.add_question(parser)
    parser.add_argument("--strict", action="store_true", help="exit 4 when the answer is marked for review")
    parser.add_argument("--verify", choices=("rules", JUDGED), help="who checks a written answer (BRAIN_VERIFY)")
    args = parser.parse_args(argv)
    question = checked_question(commandline.question_of(args, name))
    settings = commandline.settings_of(args)
    if args.verify:
        settings = replace(settings, verify=args.verify)
    wanted = filter_of(args.since, args.until, args.path, settings.docs_dir)
    with open_index(settings, notice=commandline.notice) as index:
        asks = local_identity(settings, index.store.connection, args.as_whom)
        caller, by = asks.caller, asks.by if args.as_whom else ""
        synced(index, commandline.notice, commandline.progress, moves=False)
        entry = Log(settings, index.store, commandline.notice).entry("question", "cli", caller, question, wanted, by=by)
        ask = partial(Assistant(index).ask, caller, question, wanted=wanted)
        with entry.told():
            if index.models.chat and sys.stdout.isatty() and not args.json:
                from answering.terminal import drafted

                answer, found = drafted(lambda tell: ask(tell=tell, seen=entry.begun))
            else:
                answer, found = ask()
            entry.answered(found, answer, explained=args.explain)
    if args.json:
        explain = {"explain": explained(found)} if args.explain else {}
        print(commandline.json_text(answer.model_dump() | explain))
    else:
        commandline.out(show.as_text(answer, nearest_of(found)))
        if show_checks:
            commandline.out("\n" + show.checks_as_text(answer))
        if args.explain:
            commandline.out("\n" + explained_as_text(found))
    if answer.status == "not_found":
        return 1
    return 4 if args.strict and answer.needs_review else 0


def main(argv: Sequence[str] | None = None) -> int:
    """python answer.py "..."; exit 0 answered, 1 not found, 2 wrong use, 3 a backend away, 4 review under --strict."""
    return command(argv)


if __name__ == "__main__":
    import commandline

    commandline.run(main)
