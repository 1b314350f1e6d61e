"""A document's bytes -> its text. UTF-8 always; a byte order mark is obeyed; another encoding only when it is certain.

Knows nothing of files. Try: python chunk.py FILE
"""

import codecs
from dataclasses import dataclass

from sources.legacy import proved

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

SAVE_AS = "save it as UTF-8"
"""How the reason of a text in an encoding that is not certain ends."""
_NUL = "holds NUL characters: it is binary, or UTF-16 without its mark"


class Undecodable(ValueError):
    """The bytes are no text whose encoding is certain; the text of the error is the reason."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding it was in."""

    text: str
    encoding: str  # "utf-8" for the normal case


def decode(data: bytes) -> Decoded:
    """The text of `data`. Raises Undecodable with the reason."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError as error:
                raise Undecodable(f"begins with a {encoding} mark but is not {encoding} ({error.reason})") from error
            if "\0" in text:
                raise Undecodable(_NUL)
            return Decoded(text, encoding.removesuffix("-sig"))
    if b"\0" in data:
        raise Undecodable(_NUL)
    if b"\x1b$" in data:  # pure ASCII to a UTF-8 decoder
        raise Undecodable(f"is in an old 7-bit encoding (ISO 2022); {SAVE_AS}")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        place = f"line {data.count(bytes([10]), 0, error.start) + 1}"
    if _mostly_utf8(data):
        raise Undecodable(f"is UTF-8 with a broken byte in {place}")
    found = proved(data)
    if found is None:
        raise Undecodable(f"is not UTF-8 (see {place}), and no other encoding is certain; {SAVE_AS}")
    return Decoded(*found)


def _mostly_utf8(data: bytes) -> bool:
    broken = data.decode("utf-8", "replace")
    lost = broken.count("\ufffd")
    beyond_ascii = sum(c > "\x7f" for c in broken)
    return beyond_ascii - lost > lost
