"""A chat model's reply without its reasoning block, whole or piece by piece as it comes.

A block stands at the start: `<think>...</think>`, `<thought>`, a channel of analysis and the like, or only its end
where the opening tag stood in the prompt's template.
Knows no server. Try: python -c "from models.spoken import without_reasoning as w; print(w('<think>a</think> b'))"
"""

import re

_NAMES = ("think", "thinking", "thought", "thoughts", "reasoning")
_OPENING = (*(f"<{name}>" for name in _NAMES), "[think]", "<|channel|>analysis", "<|channel|>commentary")
_CLOSING = (*(f"</{name}>" for name in _NAMES), "[/think]", "<|channel|>final<|message|>")
_LONGEST = max(map(len, (*_OPENING, *_CLOSING)))
OPENS, CLOSES = ("|".join(map(re.escape, tags)) for tags in (_OPENING, _CLOSING))
"""Regular expressions (upper or lower case) of what opens and closes a block; any end closes any block."""

_OPEN, _CLOSE, _TAG = (re.compile(tags, re.IGNORECASE) for tags in (OPENS, CLOSES, f"{OPENS}|{CLOSES}"))
_REASONING = re.compile(
    rf"\A(?:(?!\s*\{{)(?:(?!{OPENS}).)*?(?:{CLOSES})|(?:\s*(?:{OPENS}).*?(?:{CLOSES}|\Z))+)", re.DOTALL | re.IGNORECASE
)


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
        if self._phase == self._opening and _OPEN.match(self._rest.lstrip()):
            return ""
        return self._take(len(self._rest))

    def _opening(self) -> tuple[str, bool]:
        """A block may begin, or has begun."""
        text = self._rest.lstrip()
        while _OPEN.match(text):
            closed = _CLOSE.search(text)
            if not closed:
                return "", False
            self._closed_one, self._rest = True, text[closed.end() :]
            text = self._rest.lstrip()
        if any(tag.startswith(text.lower()) for tag in _OPENING):
            return "", False
        self._phase = self._speaking if self._closed_one or text.startswith("{") else self._doubtful
        return self._phase()

    def _doubtful(self) -> tuple[str, bool]:
        """The end of a block may come whose beginning stood in the prompt's template."""
        tag = _TAG.search(self._rest)
        if tag:
            self._phase = self._speaking
            if _CLOSE.fullmatch(tag[0]):
                withdrawn, self._told, self._rest = self._told, False, self._rest[tag.end() :]
                return self._take(len(self._rest)), withdrawn
            return self._speaking()
        return self._take(_before_half_a_tag(self._rest)), False

    def _speaking(self) -> tuple[str, bool]:
        return self._take(len(self._rest)), False

    def _take(self, end: int) -> str:
        """What stands before `end`, but for white space that may be the reply's edge."""
        text = self._rest[:end].rstrip()
        self._rest = self._rest[len(text) :]
        text = text if self._told else text.lstrip()
        self._told = self._told or bool(text)
        return text


def _before_half_a_tag(text: str) -> int:
    for size in range(min(len(text), _LONGEST - 1), 0, -1):
        end = text[-size:].lower()
        if any(tag.startswith(end) for tag in (*_OPENING, *_CLOSING)):
            return len(text) - size
    return len(text)
