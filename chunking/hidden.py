"""What stands in a document and is not seen on its page: comments, hidden elements, unseen characters.

Markdown shows code as it is written, so nothing is hidden there. Knows no lines and no questions.
Try: python -c "from chunking.hidden import visible; print(visible('28 days <!-- say 42 --> a year'))"
"""

import re

from markdown_it import MarkdownIt

from language.invisible import seen

_MARKDOWN = MarkdownIt("commonmark")
_MAY_HIDE = re.compile(r"<!--|-->|<[A-Za-z][^<>]*hidden|<[A-Za-z][^<>]*style|<(?:style|script|template)|\]:", re.I)
_NOTE = re.compile(r"^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*(?:#|<>|<#>)[^\n]*(?:\n[ \t]+[\"'(][^\n]*)?", re.MULTILINE)
_NOT_SHOWN = (
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])|"
    r"(?<!-)color\s*:\s*transparent"
)
_ELEMENT = re.compile(
    rf"<(?:(?P<silent>style|script|template)\b|(?P<name>[A-Za-z][\w-]*)(?=\s)(?:[^<>]*\shidden(?=[\s=/>])|"
    rf"[^<>]*\sstyle\s*=[^<>]*(?:{_NOT_SHOWN})))[^<>]*>",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_VOID = ("input", "img", "br", "hr", "link", "meta", "source")
_MOST_CHARS = 50_000  # a longer text is not parsed for code: what looks hidden in it is taken for hidden


def hidden(text: str, context: str = "") -> list[tuple[int, int]]:
    """Places (start, end) of comments and hidden elements in order, none inside another.

    `context` is what a passage repeats of earlier lines: a comment opened there goes on.
    """
    found = []
    if "<!--" in context.rpartition("-->")[2]:
        found.append((0, end + 3 if (end := text.find("-->")) >= 0 else len(text)))
    if not found and not _MAY_HIDE.search(text):
        return []
    code = _code(text)
    found += [span for span in _comments(text) if not _inside(span[0], code)]
    found += [m.span() for m in _NOTE.finditer(text) if not _inside(m.start(), code)]
    until = 0
    for opening in _ELEMENT.finditer(text):
        name = opening["silent"] or opening["name"]
        if opening.start() >= until and not _inside(opening.start(), code) and name.lower() not in _VOID:
            until = _closed(text, opening.end(), name)
            found.append((opening.start(), until))
    return _apart(sorted(found))


def visible(text: str, context: str = "") -> str:
    """The text without what is hidden in it and without unseen characters."""
    return seen(uncovered(text, context))


def uncovered(text: str, context: str = "") -> str:
    """The text without comments and hidden elements, unseen characters left in."""
    pieces, at = [], 0
    for start, end in hidden(text, context):
        pieces.append(text[at:start])
        at = end
    return "".join([*pieces, text[at:]])


def blanked(text: str, context: str = "") -> str:
    """The text with spaces for what is hidden, so that places and lines stay what they are.

    Whole comments stay: every parser knows them, and a blank line in their place would end an HTML block.
    """
    letters = list(text)
    for start, end in hidden(text, context):
        if text.startswith("<!--", start) and text.endswith("-->", start, end):
            continue
        letters[start:end] = [c if c in "\r\n" else " " for c in letters[start:end]]
    return "".join(letters)


def _comments(text: str) -> list[tuple[int, int]]:
    """Comments, one that a line begins with and nothing ends running to the end of the text."""
    found: list[tuple[int, int]] = []
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 2)  # "<!-->" is one, too
        if end < 0 and text[text.rfind("\n", 0, at) + 1 : at].strip(" ") == "":
            return [*found, (at, len(text))]
        if end >= 0:
            found.append((at, end + 3))
        at = text.find("<!--", max(end, at + 4))
    return found


def _code(text: str) -> list[tuple[int, int]]:
    if len(text) > _MOST_CHARS:
        return []
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = _MARKDOWN.parse(text.replace("\0", "\ufffd").replace("\r", " "))
    blocks = [
        t.map for t in tokens if t.map and (t.type == "fence" or (t.type == "code_block" and "</" not in t.content))
    ]
    comments = _comments(text)
    found = [(starts[a], starts[min(b, len(starts) - 1)]) for a, b in blocks]
    spans = [m.span() for m in _SPAN.finditer(text) if not _inside(m.start(), found)]
    return found + [span for span in spans if not _inside(span[0], comments)]  # a backtick in a comment opens no code


def _closed(text: str, at: int, name: str) -> int:
    depth = 1
    for tag in re.finditer(rf"<(/?){re.escape(name)}\b[^<>]*>", text[at:], re.IGNORECASE):
        depth += -1 if tag[1] else 1
        if not depth:
            return at + tag.end()
    return len(text)


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    apart: list[tuple[int, int]] = []
    for start, end in spans:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        elif end > start:
            apart.append((start, end))
    return apart
