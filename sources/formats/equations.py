"""An equation of Word or of MathML -> one line of text: "1/2", "10^3", "x²", "√(a+b)". No digits are glued together.

Elements go by their local names, which the two languages do not share. Knows no format.
Try: python chunk.py report.docx
"""

import re

from lxml import etree

from sources.formats.ooxml import attribute, child, local
from sources.formats.writing import LOW, LOW_END, UP, UP_END, small

_DEEPEST = 40
_SILENT = ("annotation", "annotation-xml", "rPr", "ctrlPr")


def equation(element: etree._Element, before: str = "") -> str:
    """The equation in one line, apart from a figure or word `before` it."""
    told = " ".join(linear(element).split())
    return " " + told if before[-1:].isalnum() and told[:1].isalnum() else told


def linear(element: etree._Element, depth: int = 0) -> str:
    """A part of an equation; blanks stand around fractions."""
    kind = local(element)
    if not kind or kind in _SILENT or kind.endswith("Pr"):
        return ""
    if depth > _DEEPEST:
        return " ".join(map(str, element.itertext()))
    parts = [(local(one), linear(one, depth + 1)) for one in element if local(one)]
    named = dict(parts)
    texts = [text for _, text in parts]
    if kind in ("f", "mfrac") and len(texts) > 1:
        top, bottom = (named.get("num", ""), named.get("den", "")) if kind == "f" else texts[:2]
        return f" {_whole(top)}/{_whole(bottom)} "
    if kind in ("sSup", "sSub", "sSubSup", "msup", "msub", "msubsup", "munder", "mover", "munderover"):
        return _scripts(kind, named, texts)
    if kind in ("limLow", "limUpp", "nary"):
        sign = attribute(child(element, "naryPr", "chr"), "val", "∫") if kind == "nary" else named.get("e", "")
        low, high = (named.get(name, "") for name in (("sub", "sup") if kind == "nary" else ("lim", "")))
        told = sign + (f"_{_whole(low)}" if low else "") + (f"^{_whole(high)}" if high else "")
        return f"{told} {named.get('e', '')}" if kind == "nary" else told
    if kind in ("rad", "msqrt", "mroot"):
        degree = named.get("deg", "") if kind == "rad" else texts[1] if kind == "mroot" and len(texts) > 1 else ""
        inside = named.get("e", "") if kind == "rad" else texts[0] if kind == "mroot" and texts else "".join(texts)
        return f" root {degree.strip()} of ({inside.strip()})" if degree.strip() else f"√({inside.strip()})"
    if kind in ("d", "mfenced"):
        marks = child(element, "dPr")
        first = attribute(child(marks, "begChr"), "val", "(") if kind == "d" else element.get("open", "(")
        last = attribute(child(marks, "endChr"), "val", ")") if kind == "d" else element.get("close", ")")
        between = attribute(child(marks, "sepChr"), "val", "|") if kind == "d" else ", "
        return first + between.join(text.strip() for name, text in parts if not name.endswith("Pr")) + last
    if kind in ("m", "eqArr", "mtable", "mr", "mtr"):
        return (", " if kind in ("mr", "mtr") else "; ").join(filter(None, map(str.strip, texts)))
    if kind in ("mspace", "func"):
        return " ".join(texts) or " "
    return _joined([element.text or "" if kind in ("t", "mn", "mi", "mo", "mtext", "ms") else "", *texts])


def _joined(texts: list[str]) -> str:
    told = ""
    for text in texts:
        told += (" " if told[-1:].isdecimal() and text[:1].isdecimal() else "") + text
    return told


def _scripts(kind: str, named: dict[str, str], texts: list[str]) -> str:
    base, low, high = "", "", ""
    if kind[0] == "s":
        base, low, high = (named.get(name, "") for name in ("e", "sub", "sup"))
    elif len(texts) > 1:
        base, low = texts[0], texts[1] if kind not in ("msup", "mover") else ""
        high = texts[-1] if kind in ("msup", "mover", "msubsup", "munderover") else ""
    told = _whole(base)
    if low.strip():
        told = small(f"{told}{LOW}{low.strip()}{LOW_END}") if kind[1] != "u" else f"{told}_{_whole(low)}"
    if not high.strip():
        return told
    return small(f"{told}{UP}{high.strip()}{UP_END}") if told[-1:].isalpha() else f"{told}^{_whole(high)}"


def _whole(text: str) -> str:
    """In brackets when it is more than one figure or name."""
    text = text.strip()
    is_one = re.fullmatch(r"[\w.,]*|\([^()]*\)|[-−]?\d+|\W", text)
    return text if is_one else f"({text})"
