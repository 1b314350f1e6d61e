"""A chat model's reply without its reasoning block, whole or piece by piece as it comes.

A block stands at the start: `<think>...</think>`, or only its end where the opening tag stood in the prompt's template.
Knows no server. Try: python -c "from models.spoken import without_reasoning as w; print(w('<think>a</think> b'))"
"""

import re

_REASONING = re.compile(r"\A(?:(?!\s*\{)(?:(?!<think>).)*?</think>|(?:\s*<think>.*?(?:</think>|\Z))+)", re.DOTALL)
_OPEN, _CLOSE = "<think>", "</think>"


def without_reasoning(raw: str) -> str:
    """The whole reply without its reasoning and the white space around it."""
    return _REASONING.sub("", raw).strip()


class Spoken:
    """The same piece by piece: what `add` and `end` give, joined since the last withdrawal, is the whole reply."""

    def __init__(self) -> None:
        self._rest = ""  # not told yet
        self._phase = self._opening
        self._closed_one = False
        self._told = False

    def add(self, piece: str) -> tuple[str, bool]:
        """What can be told now, and whether everything told before turned out to be reasoning."""
        self._rest += piece
        return self._phase()

    def end(self) -> str:
        """What was held back in case a tag would come."""
        if self._phase == self._opening and self._rest.lstrip().startswith(_OPEN):
            return ""
        return self._take(len(self._rest))

    def _opening(self) -> tuple[str, bool]:
        """A block may begin, or has begun."""
        text = self._rest.lstrip()
        while text.startswith(_OPEN):
            _, closed, after = text.partition(_CLOSE)
            if not closed:
                return "", False
            self._closed_one, self._rest, text = True, after, after.lstrip()
        if _OPEN.startswith(text):
            return "", False
        self._phase = self._speaking if self._closed_one or text.startswith("{") else self._doubtful
        return self._phase()

    def _doubtful(self) -> tuple[str, bool]:
        """The end of a block may come whose beginning stood in the prompt's template."""
        tag = re.search(f"{_OPEN}|{_CLOSE}", self._rest)
        if tag:
            self._phase = self._speaking
            if tag[0] == _CLOSE:
                withdrawn, self._told, self._rest = self._told, False, self._rest[tag.end() :]
                return self._take(len(self._rest)), withdrawn
            return self._speaking()
        held = re.search(r"<[/a-z]{0,6}\Z", self._rest)  # half a tag
        return self._take(held.start() if held else len(self._rest)), False

    def _speaking(self) -> tuple[str, bool]:
        return self._take(len(self._rest)), False

    def _take(self, end: int) -> str:
        """What stands before `end`, but for white space that may be the reply's edge."""
        text = self._rest[:end].rstrip()
        self._rest = self._rest[len(text) :]
        text = text if self._told else text.lstrip()
        self._told = self._told or bool(text)
        return text
