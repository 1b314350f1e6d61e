"""When two names are one: the normal form of a name and of an id, and which ids tell things apart.

Case, accents, markup, quotes and the marks between words are no difference; letters, digits and versions are one.
Knows no documents. Try: python -c "from facts.normal import key; print(key('`plan-store`') == key('Plan Store'))"
"""

import re
import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t", "ı": "i", "ŋ": "n"}
)
"""Letters of their own in Unicode that people type without their stroke."""
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\](?:\([^()\s]{0,2000}\)|\[[^\[\]]{0,300}\])")
_MARKS = re.compile("[`*\"'’‘‚‛“”„‟«»‹›\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
_BETWEEN = re.compile(r"[\s_\-\u2010-\u2015]+")
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_COUNTED = re.compile(r"\D*\d[\d._#:-]*")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CACHED = 80
BESIDE = "\n"
"""Between an id and a name that a thing goes by together: it stands in no normal form."""
_ADDRESS = re.compile(r"(?:mailto:)?([^\s@<>]+@[^\s@<>]+)")


def key(name: str) -> str:
    """The normal form: names with the same one are written alike. "" where a text holds no letter and no digit."""
    return _key(name) if len(name) <= _CACHED else _made(name)


def _made(name: str) -> str:
    folded = _folded(_MARKS.sub("", _LINK.sub(r"\1", name)))
    found = _BETWEEN.sub(" ", _MARKS.sub("", folded)).strip(" .,;:!?")
    return found if any(c.isalnum() for c in found) else ""


_key = lru_cache(maxsize=30_000)(_made)  # a table's names are asked for again and again: half of its time


def keys(names: str) -> frozenset[str]:
    """The normal forms of names with bars between them, for a table of words."""
    return frozenset(map(key, names.split("|")))


def id_key(identity: str) -> str:
    """The normal form of an id. In addresses and handles marks count: a_b@c.example is not a-b@c.example."""
    plain = identity.strip().strip("`<>").strip()
    address = _ADDRESS.fullmatch(plain)
    if address or plain.startswith("@"):
        return unicodedata.normalize("NFKC", address[1] if address else plain).casefold()
    if "/" in plain:  # a place, where marks count, too
        return unicodedata.normalize("NFC", plain)
    return key(plain)


def scheme(identity: str) -> str:
    """What kind of id it is: two different ids of one scheme are two things ("emp_1", "emp_2").

    "email", "handle", "uuid", "path" for a document's; else what stands before the first digit ("emp_", "d-"), before
    the last mark where there is none ("component:default/"), and "word" for a bare word.
    """
    plain = unicodedata.normalize("NFKC", identity).strip().strip("`<>").strip().casefold()
    if plain.startswith("@"):
        return "handle"
    if _ADDRESS.fullmatch(plain):
        return "email"
    if _UUID.fullmatch(plain):
        return "uuid"
    if plain.endswith((".md", ".markdown", ".txt", ".rst", ".adoc", ".html", ".docx", ".pdf")):
        return "path"
    before = re.match(r"\D*(?=\d)", plain)
    if before:
        return before[0]
    stem = re.match(r".*[:/#]", plain, re.S)
    return stem[0] if stem else "word"


def is_counted(type_: str, identity: str) -> bool:
    """Whether such ids are counted by each list for itself ("emp_1"), unlike addresses, places and words.

    Decisions, documents and messages are told apart by where they stand.
    """
    if type_ in ("", "Decision", "Document", "Message") or "/" in identity:
        return False
    return scheme(identity) not in ("email", "handle", "uuid", "path") and bool(_COUNTED.fullmatch(identity.strip()))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    if lower.isascii():
        return lower
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", lower)))
