"""A written answer: the chat model writes, the rules check, and what failed is told to the model, which writes again.

Nothing unproved is lost or hidden: the best attempt is kept with its problems. Knows no search and no HTTP.
Try: pytest tests/test_write.py
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from answering import prompt
from answering.clock import Clock
from answering.events import Tell, Withdrawn
from answering.following import Follower
from answering.shapes import notice
from errors import ModelError, PromptTooLong
from models import ChatModel, Near
from models.calls import Stop
from proof.guard import guarded
from proof.verdict import Problem, Verdict
from retrieval.found import Passage
from verify import check


class Checker:
    """The check of a text in one language; a meaning once compared is remembered."""

    def __init__(self, lang: str, near: Near | None) -> None:
        self._lang = lang
        self._near = replace(near, cosines=cache(near.cosines)) if near else None

    def __call__(self, text: str, passages: Sequence[Passage]) -> Verdict:
        """The verdict on a reply, from which a refusal token is taken out."""
        return check(prompt.without_refusal(text), passages, self._lang, self._near)


Judge = Callable[[Verdict, Sequence[Passage]], Verdict]
"""A further check, which may add to a verdict and refuse what the rules found supported."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reply of the model."""

    number: int  # from 1
    text: str
    passages: list[Passage]  # that it was given
    verdict: Verdict | None  # None: it refused

    @property
    def supported(self) -> int:
        """Claims that are proved."""
        return sum(claim.status == "supported" for claim in self.verdict.claims) if self.verdict else 0

    @property
    def errors(self) -> list[str]:
        """What is wrong with it, a sentence each."""
        return [p.text for p in self.verdict.problems if p.severity == "error"] if self.verdict else []


@dataclass(frozen=True, slots=True)
class Written:
    """The attempt that is kept."""

    attempt: Attempt
    attempts: int  # how often the model wrote
    notices: list[Problem]


class Writer:
    """Writes the answer to one question from the passages found for it."""

    def __init__(
        self, chat: ChatModel, question: str, check: Checker, *, room: int, clock: Clock, tell: Tell | None, stop: Stop,
        judge: Judge | None = None,
    ) -> None:  # fmt: skip
        """`room` is what the prompt may take, in tokens. `tell` hears events as they come."""
        self._chat, self._question, self._check, self._room = chat, question, check, room
        self._clock, self._tell, self._stop, self._judge = clock, tell, stop, judge

    def write(self, passages: Sequence[Passage], retries: int) -> Written:
        """The best attempt of at most 1 + `retries`.

        Raises ModelError when the first one fails (a later one that fails is a notice), Stopped.
        """
        tries = [self._attempt(1, passages, None)]
        notices: list[Problem] = []
        while len(tries) <= retries and tries[-1].errors:
            last, number = tries[-1], len(tries) + 1
            self._stop.check()
            if self._tell:
                self._tell(Withdrawn(attempt=number, why=last.errors))
            try:
                tries.append(self._attempt(number, last.passages, last))
            except ModelError as error:
                notices.append(notice("retry_failed", f"the model could not write again: {error}"))
                break
            if tries[-1].text == last.text:  # the next prompt would be this one's, and its reply too
                break
        best = chosen(tries)
        if best is not tries[-1] or notices:
            self._tell_again(best)
        if len(best.passages) < len(passages):
            left_out = f"{len(passages) - len(best.passages)} passages did not fit the model's window"
            notices.append(notice("passages_dropped", left_out))
        return Written(best, len(tries), notices)

    def _attempt(self, number: int, passages: Sequence[Passage], after: Attempt | None) -> Attempt:
        """What the model replies, given as many of the passages as fit."""
        given = list(passages)
        while True:
            messages = prompt.messages(self._question, given)
            if after and after.verdict:
                messages += prompt.again(self._question, after.text, after.verdict)
            if len(given) > 1 and prompt.estimated_tokens(messages) > self._room:
                given.pop()
                continue
            follower = Follower(number, given, self._check, self._clock, self._tell)
            try:
                with self._clock.measured("model"):
                    reply = self._chat.chat(messages, listener=follower, stop=self._stop)
            except PromptTooLong:
                if len(given) == 1:
                    raise
                follower.withdrawn("the prompt was too long for the model's window; fewer passages are given")
                given.pop()
                continue
            return self._checked(number, reply.text, given, follower)

    def _checked(self, number: int, text: str, given: list[Passage], follower: Follower) -> Attempt:
        verdict = None if prompt.is_refusal(text) else self._verdict(text, given)
        if verdict is None:
            follower.withdrawn("the passages do not answer the question")
            return Attempt(number, text, given, None)
        follower.whole(prompt.without_refusal(text), verdict)
        if self._judge:
            with self._clock.measured("judge"):
                verdict = guarded(self._judge(verdict, given), given)
            follower.claims(verdict.claims)
        return Attempt(number, text, given, verdict)

    def _verdict(self, text: str, given: list[Passage]) -> Verdict | None:
        """The check of a reply; None for a refusal beside which nothing is proved."""
        with self._clock.measured("verify"):
            verdict = self._check(text, given)
        if prompt.past_refusal(text) and not any(claim.status == "supported" for claim in verdict.claims):
            return None
        if prompt.REFUSAL in text:
            found_too = "the model also said that the passages do not answer the question"
            verdict.problems.append(Problem(code="refusal_beside_answer", text=found_too, severity="error"))
        return verdict

    def _tell_again(self, best: Attempt) -> None:
        """The text that is kept stands before the reader again."""
        if self._tell:
            self._tell(Withdrawn(attempt=best.number, why=[f"attempt {best.number} was better and is kept"]))
            if best.verdict:
                Follower(best.number, best.passages, self._check, self._clock, self._tell).whole(
                    best.text, best.verdict
                )


def chosen(tries: Sequence[Attempt]) -> Attempt:
    """The best attempt: one with anything proved, then the fewest errors, then the most proved, then the later.

    A refusal is taken only where no attempt had anything proved: nothing but the model's own word was lost then. The
    later of equals was written knowing what is wrong, and is the one that a reader has before them.
    """
    proved = [one for one in tries if one.supported]
    refused = [one for one in tries if one.verdict is None]
    return max(proved or refused or tries, key=lambda one: (-len(one.errors), one.supported, one.number))
