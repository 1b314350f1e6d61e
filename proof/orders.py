"""Whether a text gives orders to the assistant instead of telling readers something, openly or hidden from them.

A help and no wall: whoever rewords an order is not found here. What holds whatever a document says is that every
sentence is checked and nothing active is shown. Quotations, code and "attackers write ..." speak about orders.
Must not know models or answers. Try: python -c "from proof.orders import *; print(addresses_assistant('...'))"
"""

import re
import unicodedata

from chunking.hidden import hidden, uncovered, visible
from language.invisible import seen, smuggled
from proof.order_tables import ABOUT, MARKS, ORDERS

__all__ = ["addresses_assistant", "gives_orders", "hidden", "proves_nothing", "visible"]

_ORDERS = re.compile("|".join(f"(?:{order})" for orders in ORDERS.values() for order in orders))
_MARKS = re.compile("|".join(MARKS), re.IGNORECASE | re.MULTILINE)
_ABOUT = re.compile(ABOUT, re.IGNORECASE)
_QUOTATION = re.compile(
    r"(?ms:^[ \t>]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z))|"
    r"(?s:(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\2(?!`))|"
    '"[^"\n]{1,300}"|“[^“”]{1,300}”|„[^„“”]{1,300}[“”]|«[^«»]{1,300}»|‘[^‘’]{1,300}’|「[^「」]{1,300}」|『[^『』]{1,300}』'
)
_TITLE = re.compile(
    r"(\]\([^\s()]*\s+|^\w+:\s*)[\"']([^\"\n]*)[\"'](?=\)|\s*$)", re.MULTILINE
)  # of a link, of front matter
_WRAPPED = re.compile(r"\s*(`+|[\"“„«「『])(.+?)(`+|[\"“”»」』])[\s.]*", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*+#>|]|\d+[.)]))")
_EMPHASIS = re.compile(r"[*~]{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_TURNED = re.compile("\u202e([^\u202c\n]{0,2000})")
# Letters that look like Latin ones, in a word that has Latin ones too.
_LOOKALIKE = str.maketrans(
    "асеорхуіјѕһԁԛԝвкмнтгАВСЕНІЈКМОРЅТХУαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyijshdqwbkmhtrABCEHIJKMOPSTXYaeiknoptuxABEZHIKMNOPTYX",
)
_MIXED = re.compile(r"\b(?=\w*[a-z])(?=\w*[\u0370-\u052f])\w+\b", re.IGNORECASE)
_MOST_CHARS = 50_000


def addresses_assistant(text: str) -> str:
    """The words of `text` that give the assistant an order, "" where none are found."""
    text = text[:_MOST_CHARS]
    for turned in _TURNED.findall(text):
        if found := _order(turned[::-1]):
            return found
    return _order(text)


def gives_orders(passage: str, context: str = "") -> str:
    """The words of a passage, seen or not, by which it addresses the assistant; what unseen characters spell.

    `context` is what it repeats of earlier lines. "" where nothing is found.
    """
    passage = passage[:_MOST_CHARS]
    places = hidden(passage, context)
    unseen = " ".join(passage[start:end].strip("<!->/[]: ") for start, end in places)
    return (
        addresses_assistant(uncovered(passage, context))
        or (places and addresses_assistant(unseen))
        or smuggled(passage)
        or ""
    )


def proves_nothing(claim: str, quote: str, passage: str) -> str:
    """The reason why `quote`, from `passage`, is no proof of the claim: it is an order, or no reader sees it."""
    wrapped = _WRAPPED.fullmatch(quote)
    if addresses_assistant(claim) or addresses_assistant(quote) or (wrapped and addresses_assistant(wrapped[2])):
        return "its passage gives orders to the assistant there; that is no statement"
    covered = " ".join(passage[start:end] for start, end in hidden(passage))
    if covered and _words(claim) & _words(covered) - _words(visible(passage)):
        return "it stands only in text that readers of the document do not see"
    return ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _order(text: str) -> str:
    text = _MIXED.sub(lambda m: m[0].translate(_LOOKALIKE), unicodedata.normalize("NFKC", seen(text)))
    text = _QUOTATION.sub(" … ", _TITLE.sub(r"\1\2", text))
    if mark := _MARKS.search(text):
        return mark[0].strip()
    for sentence in _SENTENCE_END.split(text):
        line = " ".join(_EMPHASIS.sub("", sentence or "").lower().split())
        for order in _ORDERS.finditer(line):
            if not _ABOUT.search(line[: order.start()]):
                return order[0].strip()
    return ""
