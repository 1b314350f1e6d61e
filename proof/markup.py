"""Links, images and HTML in an answer: what of them stands in no passage, and the answer without anything active.

Must not know claims or verdicts. Code is left as it is, unless a Markdown reader would not take it for code.
Try: python -c "from proof.markup import inert; print(inert('See [the form](//evil) <img src=x>.'))"
"""

import re

from markdown_it import MarkdownIt

from proof.markers import code_spans

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
_MARKDOWN = MarkdownIt("commonmark")
_ACTIVE = ("html_block", "html_inline", "link_open", "image")
_MOST_CHARS = 20_000  # a longer answer is not parsed


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


def inert(text: str) -> str:
    """The text with links reduced to their words, without images and tags: no Markdown reader shows anything active."""
    code = code_spans(text)
    pieces, at = [], 0
    for start, end in code:
        pieces += [_reduced(text[at:start]), text[max(at, start) : end]]
        at = max(at, end)
    clean = "".join([*pieces, _reduced(text[at:])])
    if len(clean) <= _MOST_CHARS and not _is_active(clean):
        return clean
    return _OPENS_TAG.sub("< ", clean).replace("](", "] (").replace("]:", "] :")


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
    return any(t.type in _ACTIVE for block in _MARKDOWN.parse(text) for t in (block, *(block.children or ())))
