"""Whether a PDF's parts can still be unpacked: PDFium reads on over damage in silence, and then letters are missing.

Only what text comes from is looked at: no pictures, nothing encrypted. An unpacked part is not kept.
Try: python -c "from sources.formats.pdf_damage import damaged; print(damaged(open('report.pdf', 'rb').read()))"
"""

import re
import zlib

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_HEAD = 3000  # bytes before a stream in which its dictionary stands
_FIRST_FILTER = re.compile(rb"/Filter\s*\[?\s*/(\w+)")
_NO_ASCII85 = re.compile(rb"[^!-uz~\s]|\0")
_ZEROED = bytes(64)
_PIECE = 1 << 18
_MOST_UNPACKED = 1 << 26  # of one part; more is no text, and the limits of the process hold anyway


def damaged(data: bytes) -> int:
    """How many parts of the PDF cannot be unpacked as they were packed."""
    if b"/Encrypt" in data:
        return 0
    at = found = 0
    while match := _STREAM.search(data, at):
        end = data.find(b"endstream", match.end())
        before = data[max(at, match.start() - _HEAD) : match.start()]
        head = before[before.rfind(b" obj") + 1 :]
        found += _ZEROED in data[at : match.start()]  # between two parts
        at = end if end >= 0 else len(data)
        told = _FIRST_FILTER.search(head)
        if told and b"/Image" not in head:
            body = memoryview(data)[match.end() : at]
            found += (told[1] == b"FlateDecode" and not _unpacks(body)) or (
                told[1] == b"ASCII85Decode" and bool(_NO_ASCII85.search(body))
            )
    return found + (_ZEROED in data[at:])


def _unpacks(body: memoryview) -> bool:
    """Whether it is whole; one that is too long to be text passes."""
    unpacker, size = zlib.decompressobj(), 0
    waiting: bytes | memoryview = body
    try:
        while waiting and not unpacker.eof and size < _MOST_UNPACKED:
            size += len(unpacker.decompress(waiting, _PIECE))
            waiting = unpacker.unconsumed_tail
    except zlib.error:
        return False
    return unpacker.eof or size >= _MOST_UNPACKED
