"""Text of a PDF as Markdown that says the same: escaped only where it would otherwise be read as a mark.

Knows no layout. Try: python -c "from sources.formats.pdf_text import as_line; print(as_line('# 1 of 5 * 3'))"
"""

import re
from collections.abc import Sequence
from datetime import date

_LINE_MARKS = re.compile(r"(#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|`{3}|~{3}|\||(?:=+|-{2,}|(?:\*\s*){3,}|(?:_\s*){3,})\s*$)")
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_PAIRS = re.compile(
    r"(?<![\w*\\])(\*+)(?=\S)(?=[^*]*[^\s*]\*)|(?<=[^\s*])(\*+)(?![\w*])|"  # *so*
    r"(?<![\w_\\])(_+)(?=[^\s_][^_]*_)|(?<=[^\s_])(_+)(?![\w_])"
)
_INLINE = re.compile(r"<(?=[a-zA-Z/!?])|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w{2,31};)|\](?=[(\[:])|`(?=[^`]*`)")
_JUNK = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel|office\w*) - .*|untitled.*|unbenannt.*|document ?\d*|dokument ?\d*|"
    r"slide \d+|powerpoint.presentation|presentation ?\d*|book ?\d*|title|\(?anonymous\)?|"
    r".*\.(?:docx?|pptx?|xlsx?|pdf|indd|odt|rtf|html?|tex|dvi|qxd|pmd|ai|eps|tmp)|[\W\d_]*)",
    re.I,
)


def plain(text: str) -> str:
    """Text within a line so that Markdown shows it as it is."""
    text = " ".join(text.split())
    if any(mark in text for mark in "<\\&]`"):
        text = _INLINE.sub(lambda match: "\\" + match[0], text)
    if text.count("*") > 1 or text.count("_") > 1:
        text = _PAIRS.sub(lambda match: "".join("\\" + char for char in match[0]), text)
    return text


def as_line(text: str, *, first: bool = True) -> str:
    """The line so that Markdown shows it as it is; `first` of its paragraph, where a number may begin a list."""
    text = plain(text)
    if match := _LINE_MARKS.match(text):
        return f"{text[: match.start()]}\\{text[match.start() :]}"
    if not first and (match := _NUMBER.match(text)):
        return f"{match[1]}\\{match[2]}{text[match.end() :]}"
    return text


def as_row(cells: Sequence[str]) -> str:
    """A row of a pipe table."""
    return f"| {' | '.join(plain(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def told_title(text: str) -> str:
    """The title that a person gave; "" for what a program wrote there."""
    return "" if len(text) < 3 or _JUNK.fullmatch(text.strip()) else text.strip()


def told_date(text: str) -> str:
    """ISO date of a PDF's D:20250211093000Z; "" for anything else."""
    match = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)", text)
    if not match:
        return ""
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return ""
