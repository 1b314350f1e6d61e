"""Follows a reply while it is written: its text piece by piece, and each sentence's check as soon as it is whole.

Knows no model and no HTTP. Try: pytest tests/test_stream.py -k following
"""

import re
from collections.abc import Callable, Sequence

from answering import prompt
from answering.clock import Clock
from answering.events import Checked, Tell, Token, Withdrawn
from proof.verdict import Claim, Verdict
from retrieval.found import Passage

Check = Callable[[str, Sequence[Passage]], Verdict]

_BEGUN = re.compile(r"[.!?。！？…\n\]】］][^.!?。！？…\n\[\]【】［］]*\w[^\[【［]*\Z")
"""A sentence has ended and the next has begun, not only the marker that belongs to the one before."""
_GROWTH = 1.1
"""A check reads all of the text so far: asking for a tenth more keeps their sum below some 11 times the last."""


class Follower:
    """Hears one attempt (models.calls.Listener) and tells it; without `tell` it only notes when the first word came."""

    def __init__(
        self, attempt: int, passages: Sequence[Passage], check: Check, clock: Clock, tell: Tell | None
    ) -> None:
        self._attempt, self._passages, self._check, self._clock, self._tell = attempt, passages, check, clock, tell
        self._begin()

    def _begin(self) -> None:
        self._text = ""
        self._told = self._checked = 0  # characters
        self._claims: list[Claim] = []

    def piece(self, text: str) -> None:
        """Further text of the reply. Nothing is told while it may still be a refusal."""
        self._clock.reached("first_token")
        if not self._tell:
            return
        self._text += text
        if prompt.may_be_refusal(self._text):
            return
        self._tell(Token(text=self._text[self._told or prompt.past_refusal(self._text) :]))
        self._told = len(self._text)
        if len(self._text) >= _GROWTH * self._checked and _BEGUN.search(self._text, self._checked):
            self._checked = len(self._text)
            with self._clock.measured("verify"):
                verdict = self._check(self._text, self._passages)
            self.claims(verdict.claims[:-1])  # the last may go on

    def withdrawn(self, why: str) -> None:
        """What was told of this attempt does not count."""
        if self._tell and self._told:
            self._tell(Withdrawn(attempt=self._attempt, why=[why]))
        self._begin()

    def whole(self, text: str, verdict: Verdict) -> None:
        """The attempt as it ended: what was not told of it yet."""
        if self._tell and not self._told:  # it looked like a refusal up to its end
            self._tell(Token(text=text))
        self.claims(verdict.claims)

    def claims(self, claims: Sequence[Claim]) -> None:
        """Tells those that are new or not as they were told."""
        for index, claim in enumerate(claims):
            if self._tell and claim not in self._claims[index : index + 1]:
                self._tell(Checked(index=index, claim=claim))
                self._claims[index : index + 1] = [claim]
