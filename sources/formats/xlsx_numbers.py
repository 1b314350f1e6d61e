"""A spreadsheet's stored numbers -> what its cells show: dates in ISO form, percent, currency, thousands, decimals.

Fractions and what else is rare are shown as plain numbers. Knows no file.
Try: python -c "from sources.formats.xlsx_numbers import shown; print(shown(45720.5, 'd/m/yy h:mm'))"
"""

import re
from datetime import datetime, timedelta
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
    22: "m/d/yy h:mm",
    **dict.fromkeys((5, 6), '"$"#,##0'),
    **dict.fromkeys((7, 8, 44), '"$"#,##0.00'),
    **dict.fromkeys((37, 38, 41), "#,##0"),
    **dict.fromkeys((39, 40, 43), "#,##0.00"),
    42: '"$"#,##0',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),
}
"""The formats that files name by number alone."""
_PARTS = re.compile(
    r"\"([^\"]*)\"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(h+|m+|s+)\]|\[[^\]]*\]|[_*].|(.)", re.IGNORECASE | re.DOTALL
)
_LAST = datetime(9999, 12, 31)


class _Format(NamedTuple):
    kind: str  # general, text, date, time, moment, span, number
    before: str = ""
    after: str = ""
    decimals: int = 0
    least: int = 1  # digits before the point
    thousands: bool = False
    divided: int = 0  # times by thousand
    percent: bool = False


def shown(number: float, code: str, since_1904: bool = False) -> str:
    """The number as a cell of this format shows it."""
    sections = _sections(code)
    section, value = sections[0], number
    if number < 0 and len(sections) > 1:
        section, value = sections[1], -number
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    form = _read(section)
    if form.kind in ("date", "time", "moment", "span"):
        return _moment(number, form.kind, since_1904) or _general(number)
    if form.kind != "number":
        return (form.before if form.kind == "literal" else "") or _general(number)
    value = value * (100 if form.percent else 1) / 1000**form.divided
    told = f"{value:,.{form.decimals}f}" if form.thousands else f"{value:.{form.decimals}f}"
    if "#" in section and "." in told and form.decimals and "0" not in section.partition(".")[2]:
        told = told.rstrip("0").rstrip(".")
    sign, digits = ("-", told[1:]) if told.startswith("-") else ("", told)
    digits = digits.rjust(form.least + (form.decimals + 1 if form.decimals else 0), "0")
    return f"{sign}{form.before}{digits}{form.after}".strip()


def is_date(code: str) -> bool:
    """Whether numbers of this format are dates or times."""
    return _read(_sections(code)[0]).kind in ("date", "time", "moment", "span")


@lru_cache(maxsize=1000)
def _sections(code: str) -> tuple[str, ...]:
    parts, quoted = [""], False
    for at, char in enumerate(code[:500]):
        quoted ^= char == '"'
        if char == ";" and not quoted and code[at - 1 : at] != "\\":
            parts.append("")
        else:
            parts[-1] += char
    return tuple(parts)


@lru_cache(maxsize=1000)
def _read(section: str) -> _Format:
    before, after, core, span = "", "", "", False
    for quoted, escaped, currency, elapsed, char in _PARTS.findall(section):
        literal = quoted or escaped or currency
        if elapsed:
            span, core = True, core + elapsed
        elif literal or char in tuple(" ()$€£¥-+/:%"):
            core += char if char in tuple("/:%-") else ""
            if not re.search("[0#?]", core):
                before += literal or char
            else:
                after += literal or char
        else:
            core += char
    letters = re.sub(r"general|am/pm|a/p|e[+-]", "", core.lower())
    if "general" in core.lower() or not core:
        return _Format("general" if core or not before.strip() else "literal", before)
    if "@" in core:
        return _Format("text")
    if re.search(r"[ymdhs]", letters) and not re.search("[#?]", letters):
        has_time = bool(re.search(r"[hs]", letters))
        has_date = bool(re.search(r"[yd]", letters)) or ("m" in letters and not has_time)
        return _Format("span" if span else "moment" if has_date and has_time else "date" if has_date else "time")
    if re.search(r"e[+-]", core.lower()) or re.search(r"[#?0]\s*/\s*[#?0\d]", core) or not re.search("[0#?]", core):
        return _Format("general" if re.search("[0#?]", core) else "literal", before + after)
    digits = re.sub(r"[^0#?.,]", "", core)
    units, _, rest = digits.partition(".")
    divided = len(digits) - len(digits.rstrip(","))
    return _Format(
        *("number", before, after, len(re.sub("[^0#?]", "", rest)), units.count("0")),
        *("," in units.rstrip(","), divided, "%" in core),
    )


def _moment(number: float, kind: str, since_1904: bool) -> str:
    if kind == "span":
        minutes = round(abs(number) * 1440)
        return f"{'-' if number < 0 else ''}{minutes // 60}:{minutes % 60:02}"
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30 if number >= 60 else 31)
    if number < 0 or number > 3_000_000:
        return ""
    at = start + timedelta(seconds=round(number * 86_400))
    if at > _LAST:
        return ""
    time = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
    return at.date().isoformat() if kind == "date" else time if kind == "time" else f"{at.date().isoformat()} {time}"


def _general(number: float) -> str:
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    told = f"{number:.11g}"
    return f"{number:.15f}".rstrip("0") if "e-0" in told and abs(number) > 1e-9 else told
