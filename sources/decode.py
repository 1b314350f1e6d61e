"""A document's bytes -> its text. UTF-8 always; a byte order mark is obeyed; another encoding only when it is certain.

Knows nothing of files. Try: python chunk.py FILE
"""

import codecs
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Thresholds of charset-normalizer's two figures, read off short texts in twelve encodings (tests/test_decode.py):
# what it gets right has little mess and reads like a language.
_MOST_MESS = 0.1
_LEAST_COHERENCE = 0.2


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
                return Decoded(data.decode(encoding), encoding.removesuffix("-sig"))
            except UnicodeDecodeError as error:
                raise Undecodable(f"begins with a {encoding} mark but is not {encoding} ({error.reason})") from error
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        place = f"line {data.count(bytes([10]), 0, error.start) + 1}"
    if _mostly_utf8(data):
        raise Undecodable(f"is UTF-8 with a broken byte in {place}")
    return _detected(data, place)


def _mostly_utf8(data: bytes) -> bool:
    broken = data.decode("utf-8", "replace")
    lost = broken.count("\ufffd")
    beyond_ascii = sum(c > "\x7f" for c in broken)
    return beyond_ascii - lost > lost


def _detected(data: bytes, place: str) -> Decoded:
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise Undecodable(f"is neither UTF-8 (see {place}) nor any other known encoding")
    if best.chaos > _MOST_MESS or best.coherence < _LEAST_COHERENCE:
        raise Undecodable(f"is not UTF-8 (see {place}), and {best.encoding} is only a guess; save it as UTF-8")
    return Decoded(str(best), best.encoding)
