"""The list of sources that models put below an answer: "Sources: [1], [2]", or a line `[^1]: leave.md` each.

It says where the answer is from and claims nothing, as long as nothing stands in it but numbers, file names and the
documents' own titles; with any other word in it, it is read like any other text.
Try: python -c "from proof.source_list import begins; print(begins('A [1].\\n\\nSources: [1] a.md', []))"
"""

import re
from collections.abc import Sequence

from proof.marker_forms import FILE, MARKER

_HEADLINE = re.compile(
    r"[ \t>]*(?:#{1,6}[ \t]+)?[*_]{0,3}(?:sources?|references?|citations?|footnotes?|quellen?|quellenangaben?|belege?|"
    r"fußnoten|fuentes?|referencias|références?|fontes?|referências|fonti|riferimenti|bron|bronnen|źródł[oa]|источники?|"
    r"kaynak(?:lar)?|出典|参照|参考(?:资料|文献|情報)?|来源|來源|资料来源|출처|المصادر|المصدر)"
    r"[*_]{0,3}[ \t]*(?P<colon>[:：])?[*_]{0,3}[ \t]*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[ \t>]*(?:[-*+•·][ \t]+|\d{1,2}[.)][ \t]+)?")
_FILE = re.compile(FILE)
_LINES = re.compile(r"\b(?:lines?|zeilen?|lignes?|l)\.?\s?\d+(?:\s?[-–]\s?l?\d+)?", re.IGNORECASE)
_PARTS = re.compile(r"[>›|,;:：–—()\n]|\s-\s|\.(?:\s|$)|\b(?:and|und|et|y|e|en)\b")
_DEFINES = re.compile(r"\[\^?\d{1,9}\]:")
_MOST_LINES = 60


def begins(answer: str, titles: Sequence[str]) -> int:
    """Where the list of sources at the answer's end begins; the answer's length where there is none.

    `titles` are what stands above the passages: title and headings.
    """
    named = [_words(title) for title in titles]
    at, start = len(answer), len(answer)
    certain = True  # each line so far is a footnote or names a file
    for line in reversed(answer.split("\n")[-_MOST_LINES:]):
        begin = at - len(line)
        if line.strip():
            head = _HEADLINE.match(line)
            rest = line[head.end() :] if head else ""
            if head and not rest.strip():
                return begin if start < len(answer) else len(answer)
            if head and (head["colon"] or MARKER.match(rest)) and _lists(rest, named):
                return begin
            entry = line[_match_end(_BULLET, line) :]
            if not MARKER.match(entry) or not _lists(entry, named):
                break
            certain = certain and bool(_DEFINES.match(entry) or _FILE.search(entry))
            start = begin
        at = begin - 1
    return start if certain else len(answer)


def _lists(text: str, titles: Sequence[str]) -> bool:
    """Whether there is a marker in `text` and nothing else that says anything."""
    markers = list(MARKER.finditer(text))
    pieces = MARKER.split(text)
    return bool(markers) and all(_is_label(piece, titles) for piece in pieces)


def _is_label(text: str, titles: Sequence[str]) -> bool:
    for part in _PARTS.split(_LINES.sub(",", _FILE.sub(",", text))):
        words = _words(part)
        if words.strip() and not any(words in title for title in titles):
            return False
    return True


def _words(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
