"""What the characters of symbol fonts show; files store them under codes that mean something else elsewhere.

A "£" in the font Symbol is a "≤", an "ü" in Wingdings a check mark. Signs that change what a sentence or a cell says
are known here; pictures are left out. Knows no file.
Try: python -c "from sources.formats.symbols import as_seen; print(as_seen('ü', 'Wingdings'))"
"""

_GREEK = dict(
    zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True),
) | dict(zip("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
_SIGNS = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑"  # from A0 on
_SYMBOL = {ord(code): sign for code, sign in _GREEK.items()} | {0xA0 + n: sign for n, sign in enumerate(_SIGNS)}
_SYMBOL |= {0x22: "∀", 0x24: "∃", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼", 0xF2: "∫"}
_ARROWS = {0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xEF: "⇦", 0xF0: "⇨", 0xF3: "⇔"}
_BOXES = {0x6E: "■", 0x6F: "□", 0xA8: "☐", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑"}
_FONTS = {
    "symbol": _SYMBOL,
    "wingdings": _ARROWS | _BOXES | {0x4A: "☺", 0x4C: "☹"},
    "wingdings 2": {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x54: "☒", 0xA3: "□"},
    "webdings": {0x61: "✓", 0x63: "□", 0x67: "■", 0x72: "✗"},
}


def is_symbols(font: str) -> bool:
    """Whether letters in this font are signs."""
    return font.lower() in _FONTS


def as_seen(text: str, font: str) -> str:
    """The text as it is seen in this font; any other font's is as it is."""
    signs = _FONTS.get(font.lower())
    return text if signs is None else "".join(_sign(char, signs, signs is _SYMBOL) for char in text)


def _sign(char: str, signs: dict[int, str], has_text: bool) -> str:
    code = ord(char) - 0xF000 if "\uf020" <= char <= "\uf0ff" else ord(char)
    if code > 0xFF or char.isspace():  # taken from another font by whoever shows it
        return char
    return signs.get(code, chr(code) if has_text and code < 0x7F else "")
