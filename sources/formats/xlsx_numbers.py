"""A spreadsheet's stored numbers -> what its cells show: by its conditions, rounded half up, dates as written.

Fractions, powers and what else is rare are shown as plain numbers, dates in words of other languages in ISO form. Knows
no file. Try: python -c "from sources.formats.xlsx_numbers import shown; print(shown(45720.5, 'd/m/yy h:mm'))"
"""

import operator
import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from typing import NamedTuple

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    **dict.fromkeys((5, 6), '"$"#,##0'),
    **dict.fromkeys((7, 8, 44), '"$"#,##0.00'),
    **dict.fromkeys((37, 38, 41), "#,##0"),
    **dict.fromkeys((39, 40, 43), "#,##0.00"),
    42: '"$"#,##0',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),
}
"""The formats that files name by number alone."""
_TOKEN = re.compile(
    r"\"(?P<quoted>[^\"]*)\"?|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)(?:-(?P<lcid>[^\]]*))?\]"
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[(?P<sets>[^\]]*)\]|(?P<general>General)|(?P<half>AM/PM|A/P)"
    r"|(?P<moment>y+|m+|d+|h+|s+)|(?P<exponent>E[+-])|(?P<digit>[0#?])|(?P<mark>[.,@%])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_IS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "=": operator.eq, "<>": operator.ne}
_SILENT = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+|[<>=].*", re.IGNORECASE)
_MONTHS = re.findall(r"\w+", "January February March April May June July August September October November December")
_DAYS = re.findall(r"\w+", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_MONATE = re.findall(r"\w+", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
_TAGE = re.findall(r"\w+", "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag")
_GERMAN = ("407", "807", "C07", "DE")
_LONG_DATE = "F800"  # the system's


class _Token(NamedTuple):
    kind: str  # text, elapsed, general, half, moment, exponent, digit, mark, or unknown
    text: str


def shown(number: float, code: str, since_1904: bool = False) -> str:
    """The number as a cell of this format shows it; "" where it is hidden, the plain number where that is not known."""
    sections = _sections(code)
    if len(sections) > 1 and "@" in sections[-1]:
        sections = sections[:-1]  # for texts
    numeric = sections[:3]
    at = _chosen(number, numeric)
    if at is None:
        return _general(number)
    if not numeric[at]:
        return "" if len(_sections(code)) > 2 else _general(number)
    condition = _CONDITION.search(numeric[at])
    negative = number < 0 and not (
        (at == 1 and not condition) or (condition and condition[1][0] == "<" and float(condition[2]) <= 0)
    )
    tokens, lcid = _tokens(numeric[at])
    kinds = {token.kind for token in tokens}
    if kinds & {"moment", "elapsed", "half"} and "unknown" not in kinds:
        return _moment(number, tokens, lcid, since_1904) or _general(number)
    if kinds & {"unknown", "exponent"} or any(token.text == "@" for token in tokens):
        return _general(number)
    if "general" in kinds:
        told: str | None = "".join(_general(abs(number)) if t.kind == "general" else t.text for t in tokens)
    elif "digit" not in kinds:
        told = "".join(token.text for token in tokens)
    else:
        told = _figures(number, tokens)
    if told is None:
        return _general(number)
    return f"-{told.strip()}" if negative and re.search("[1-9]", told) else told.strip()


def shown_text(text: str, code: str) -> str:
    """A text as a cell of this format shows it."""
    sections = _sections(code)
    if len(sections) > 3 and not sections[3]:
        return ""
    if len(sections) < 2 or "@" not in sections[-1]:
        return text
    tokens = _tokens(sections[-1])[0]
    told = "".join(text if token.text == "@" else token.text for token in tokens)
    return text if any(token.kind not in ("text", "mark") for token in tokens) else told.strip()


def _chosen(number: float, sections: tuple[str, ...]) -> int | None:
    conditions = [_CONDITION.search(section) for section in sections]
    for at, condition in enumerate(conditions):
        if condition:
            fits = bool(_IS[condition[1]](number, float(condition[2])))
        elif at == len(sections) - 1:
            fits = True
        elif at == 0:
            fits = number > 0 or (number == 0 and len(sections) == 2)
        else:
            fits = number < 0
        if fits:
            return at
    return None


@lru_cache(maxsize=1000)
def _sections(code: str) -> tuple[str, ...]:
    parts, quoted = [""], False
    for at, char in enumerate(code[:500]):
        quoted ^= char == '"'
        if char == ";" and not quoted and code[at - 1 : at] != "\\":
            parts.append("")
        else:
            parts[-1] += char
    return tuple(parts) if code else ("General",)


@lru_cache(maxsize=1000)
def _tokens(section: str) -> tuple[tuple[_Token, ...], str]:
    """Its parts, and the language that it names."""
    tokens, lcid = [], ""
    for match in _TOKEN.finditer(section):
        kind = match.lastgroup or ""
        text = match[kind] if kind else ""
        if match["lcid"] is not None:
            lcid, kind, text = match["lcid"].upper(), "currency", match["currency"]
        if kind == "sets":
            kind = "" if _SILENT.fullmatch(text) else "unknown"
        elif kind == "other":
            kind = "unknown" if text.isalnum() else "text"
        if kind:
            tokens.append(_Token("text" if kind in ("quoted", "escaped", "currency") else kind, text))
    return tuple(tokens), lcid


def _figures(number: float, tokens: tuple[_Token, ...]) -> str | None:
    """The digits in their places; None for a pattern that is not known."""
    core = "".join(t.text if t.kind in ("digit", "mark") or t.text == "/" else "x" for t in tokens)
    if re.search(r"[0#?]x*/x*[0#?]", core):
        return None
    point = core.find(".")
    whole_places = [at for at, char in enumerate(core) if char in "0#?" and (at < point or point < 0)]
    part_places = [at for at, char in enumerate(core) if char in "0#?" and 0 <= point < at]
    inside = core[whole_places[0] : whole_places[-1]] if whole_places else ""
    if (part_places and "x" in core[point : part_places[-1]]) or core.count(".") > 1:
        return None
    ends = {places[-1] + 1 for places in (whole_places, part_places) if places}
    divided = sum(len(core[end:]) - len(core[end:].lstrip(",")) for end in ends)
    value = abs(Decimal(repr(number))) * 100 ** core.count("%")
    with localcontext(prec=700):
        value = (value / 1000**divided).quantize(Decimal(1).scaleb(-len(part_places)), ROUND_HALF_UP)
    whole, _, part = f"{value:f}".partition(".")
    whole = whole.lstrip("0")
    if "," in inside:
        if "x" in inside:
            return None
        least = whole.rjust(sum(core[at] == "0" for at in whole_places), "0")
        whole_text = f"{int(least):,}".rjust(len(least), "0") if least else ""
        filled = dict.fromkeys(whole_places, "")
        filled[whole_places[-1]] = whole_text
    else:
        filled = {}
        for at in reversed(whole_places):
            filled[at] = whole[-1:] or ("0" if core[at] == "0" else "")
            whole = whole[:-1]
        if whole_places:
            filled[whole_places[0]] = whole + filled[whole_places[0]]
    kept = part.rstrip("0")
    for n, at in enumerate(part_places):
        filled[at] = part[n] if n < len(kept) or core[at] == "0" else ""
    told = ""
    for at, token in enumerate(tokens):
        if token.kind == "digit":
            told += filled[at]
        elif token.text == "." and token.kind == "mark":
            told += "." if any(filled[place] for place in part_places) else ""
        elif token.text != "," or token.kind == "text":
            told += token.text
    return told


def _moment(number: float, tokens: tuple[_Token, ...], lcid: str, since_1904: bool) -> str:
    spans = any(token.kind == "elapsed" for token in tokens)
    letters = {token.text[0].lower() for token in tokens if token.kind == "moment"}
    is_date = bool(letters & set("yd")) or ("m" in letters and not letters & set("hs") and not spans)
    if any(t.kind in ("general", "mark") and t.text not in (".", ",") for t in tokens) or abs(number) > 3_000_000:
        return ""
    if (number < 0 and not (spans and not is_date)) or (is_date and number < 1 and not since_1904):
        return ""
    tenths = sum(token.kind == "digit" for token in tokens)
    if tenths > 3 or any(token.kind == "digit" and token.text != "0" for token in tokens):
        return ""
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30 if number >= 60 else 31)
    seconds = float(round(Decimal(repr(abs(number))) * 86_400, tenths))
    try:
        at = start + timedelta(seconds=seconds)
    except OverflowError:  # after the year 9999
        return ""
    names = any(len(t.text) > 2 and t.text[0] in "mMdD" for t in tokens if t.kind == "moment")
    if lcid == _LONG_DATE or (names and lcid not in (*_GERMAN, "", "409", "809", "C09", "1009", "F400")):
        time = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
        return at.date().isoformat() + (f" {time}" if letters & set("hs") else "")
    told, before = "", ""
    half = any(token.kind == "half" for token in tokens)
    for n, token in enumerate(tokens):
        text = token.text
        if token.kind == "elapsed":
            told += str(int(seconds // {"h": 3600, "m": 60, "s": 1}[text[0].lower()])).rjust(len(text), "0")
        elif token.kind == "half":
            told += ("AM", "PM")[at.hour > 11] if len(text) > 3 else "AP"[at.hour > 11]
        elif token.kind == "digit":
            told += f"{at.microsecond:06}"[sum(t.kind == "digit" for t in tokens[:n])]
        elif token.kind == "moment":
            after = next((t.text[0].lower() for t in tokens[n + 1 :] if t.kind in ("moment", "elapsed")), "")
            minutes = text[0] in "mM" and len(text) < 3 and (before == "h" or after == "s")
            told += _piece(at, "n" * len(text) if minutes else text.lower(), half, lcid in _GERMAN)
        else:
            told += text
        if token.kind in ("moment", "elapsed"):
            before = text[0].lower()
    return ("-" if number < 0 else "") + told.strip()


def _piece(at: datetime, letters: str, half: bool, german: bool) -> str:
    """A date's part: "yy", "mmm", "dd", "h", "nn" (minutes), "ss"."""
    kind, count = letters[0], len(letters)
    name: str
    if kind == "y":
        return f"{at.year:04}" if count > 2 else f"{at.year % 100:02}"
    if kind in "md" and count > 2:
        names = (_MONATE if german else _MONTHS) if kind == "m" else (_TAGE if german else _DAYS)
        name = names[at.month - 1 if kind == "m" else at.weekday()]
        short = 2 if german and kind == "d" else 3
        return name[:1] if count > 4 else name if count == 4 else name[:short]
    hour = (at.hour % 12 or 12) if half else at.hour
    value = {"m": at.month, "d": at.day, "h": hour, "n": at.minute, "s": at.second}[kind]
    return str(value).rjust(min(count, 2), "0")


def _general(number: float) -> str:
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    told = f"{number:.11g}"
    return f"{number:.15f}".rstrip("0") if "e-0" in told and abs(number) > 1e-9 else told
