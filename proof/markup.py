"""Links, images and HTML in an answer: what of them stands in no passage, and the answer without anything active.

What a model wrote is reduced to words; what is quoted keeps every character that is seen, behind backslashes.
Must not know claims or verdicts. Code is left as it is, unless a Markdown reader would not take it for code.
Try: python -c "from proof.markup import inert; print(inert('See [the form](//evil) <img src=x>.'))"
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape

from markdown_it import MarkdownIt

from language.invisible import seen
from proof.markers import OUTPUT, code_spans

_LABEL = r"(?P<label>(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,500})"
_LINK = re.compile(
    rf"(?<!\\)(?P<image>!?)\[{_LABEL}\]\(\s*(?P<target><[^<>\n]*>|[^()\s<]*(?:\([^()\s]*\)[^()\s]*)*)[^()]*\)"
)
_DEFINITION = re.compile(r"^([ \t>]*\[[^\[\]\n]{1,200}\]):[ \t]*(\S*)", re.MULTILINE)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.{0,2000}?-->|<[!?][^<>]*>", re.DOTALL)
_LINE_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_KNOWN_TAG = re.compile(
    r"</?(?:a|audio|b|base|blockquote|body|button|center|code|del|details|div|em|embed|font|form|h[1-6]|head|hr|html|i|"
    r"iframe|img|input|ins|kbd|li|link|mark|math|meta|object|ol|p|pre|s|script|small|source|span|strong|style|sub|"
    r"summary|sup|svg|table|tbody|td|template|textarea|th|thead|title|tr|u|ul|video)(?=[\s/>])[^<>]*>|<!--.{0,2000}?-->",
    re.IGNORECASE | re.DOTALL,
)
_OPENS_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_READERS = (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable("table"))  # a cell's end ends a code span, too
_ACTIVE = ("html_block", "html_inline", "link_open", "image")
_MOST_CHARS = 20_000  # a longer answer is not parsed
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SPECIAL = "<>&[]()`*_\\|#\"'!~"
_SPLIT = re.compile(r"(?<=[\w:/])\\(?=[:/.@?])")
_LOWEST = re.compile(r"(?<!\\)(\\*)(<(?=[A-Za-z/!?]))|(?<=\])(\\*)(\()")
_DEFINED = re.compile(r"^([ \t>]*)(?=\[[^\[\]\n]{1,200}\]:)", re.MULTILINE)
_END = r"[^\s<>\"'`|“”„«»（）」』)\]]"
_ADDRESS = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{1,20}}://|//(?=[\w-]+\.)|(?:javascript|vbscript|mailto|blob):(?=\S)|data:(?=[\w/+.-]*[;,])|"
    rf"www\.){_END}*|"
    rf"[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+|"
    rf"(?<![\w@./-])(?:[\w-]{{1,63}}\.){{1,8}}(?:[a-z]{{2,24}}[/?]{_END}+|"
    rf"(?:com|net|org|edu|gov|biz|info|shop|example|io|dev|xyz|top|site|online|link|click|ru|cn|tk)\b)",
    re.IGNORECASE,
)  # what readers that turn bare addresses into links would take for one
GONE = "(…)"
"""Stands where an address was that no cited passage holds: whoever follows one tells its owner what the link says."""


def foreign(text: str, passages: list[str]) -> str:
    """The first link target, image or tag of `text` that stands in none of the passages; "" when there is none."""
    for part in _outside_code(text):
        found = [m["target"].strip("<>") for m in _LINK.finditer(part)]
        found += [m[2].strip("<>") for m in _DEFINITION.finditer(part)] + [m[1] for m in _AUTOLINK.finditer(part)]
        found += [m[0] for m in _TAG.finditer(part) if not _LINE_BREAK.fullmatch(m[0]) and not _AUTOLINK.match(m[0])]
        for one in found:
            if one and not any(one in passage for passage in passages):
                return one
    return ""


@lru_cache(maxsize=512)  # the last look reads again what an earlier one has read
def inert(text: str) -> str:
    """The text with links reduced to their words, without images, tags and unseen characters: nothing in it is active.

    Bare addresses stay: `without_addresses` takes those away that no passage holds.
    """
    text = _SPLIT.sub("", seen(_ENTITY.sub(_decoded, text)))
    code = code_spans(text)
    pieces, at = [], 0
    for start, end in code:
        pieces += [_reduced(text[at:start]), text[max(at, start) : end]]
        at = max(at, end)
    clean = "".join([*pieces, _reduced(text[at:])])
    if len(clean) <= _MOST_CHARS and not _is_active(clean):
        return clean
    return _OPENS_TAG.sub("< ", clean).replace("](", "] (").replace("]:", "] :")


def literal(text: str) -> str:
    """Quoted text for a Markdown reader to show as it is: a backslash before what would be a tag, link or citation."""
    text = OUTPUT.sub(r"\\\g<0>", seen(text))
    text = _DEFINED.sub(r"\1\\", _LOWEST.sub(_escaped, text))
    return _OPENS_TAG.sub("< ", text) if len(text) <= _MOST_CHARS and _is_active(text) else text


def without_addresses(text: str, passages: Sequence[str]) -> str:
    """The text with GONE for every address, link or not, that stands whole in none of the passages."""
    return _ADDRESS.sub(lambda m: m[0] if _stands(m[0].rstrip(".,;:!?…*_"), passages) else GONE, text)


def _stands(address: str, passages: Sequence[str]) -> bool:
    whole = re.compile(rf"(?<![\w.@-]){re.escape(address)}(?![\w/?&=%#@:+~-]|\.\w)", re.IGNORECASE)
    return any(whole.search(passage) for passage in passages)


def _decoded(entity: re.Match[str]) -> str:
    char = unescape(entity[0])
    return entity[0] if any(c in _SPECIAL for c in char) else char


def _escaped(match: re.Match[str]) -> str:
    slashes, mark = (match[1], match[2]) if match[2] else (match[3], match[4])
    return f"{slashes}{'' if len(slashes) % 2 else chr(92)}{mark}"


def _outside_code(text: str) -> list[str]:
    parts, at = [], 0
    for start, end in code_spans(text):
        parts.append(text[at:start])
        at = max(at, end)
    return [*parts, text[at:]]


def _reduced(text: str) -> str:
    for _ in range(2):  # an image inside a link
        text = _LINK.sub(_words, text)
    text = _DEFINITION.sub(r"\1 \2", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _KNOWN_TAG.sub("", _LINE_BREAK.sub(" ", text))
    return _OPENS_TAG.sub("< ", text)


def _words(link: re.Match[str]) -> str:
    if link["image"]:
        return ""
    return f"[{link['label']}]" if link["label"].isdecimal() else link["label"]


def _is_active(text: str) -> bool:
    if "<" not in text and "[" not in text:  # no tag, link or image begins without one of them
        return False
    return any(
        t.type in _ACTIVE
        for reader in _READERS
        for block in reader.parse(text)
        for t in (block, *(block.children or ()))
    )
