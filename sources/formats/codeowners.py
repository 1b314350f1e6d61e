"""CODEOWNERS -> a list of its rules in their order, comments as text, GitLab's sections as headings; "L5" is a line.

Try: python chunk.py CODEOWNERS
"""

import re

from sources.decode import Undecodable, decode
from sources.formats import Converted, Limits, Unreadable
from sources.formats.writing import Page, line_of, plain

_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?\s*(?P<owners>.*)")
_RULE = re.compile(r"(?P<pattern>(?:\\.|[^\s\\])+)\s*(?P<owners>.*)")


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    """The rules, one a line: "- `/docs/*`: @org/writers ann@larkfell.example". Raises Unreadable."""
    try:
        text = decode(data).text
    except Undecodable as error:
        raise Unreadable(str(error)) from error
    page, default = Page(limits), ""
    for number, line in enumerate(text.split("\n"), 1):
        line, place = line.strip(), f"L{number}"
        if line.startswith("#"):
            page.prose(line.lstrip("# "), place)
        elif section := _SECTION.fullmatch(line):
            page.heading(2, section["name"], place)
            default = section["owners"].partition(" #")[0]
        elif rule := _RULE.fullmatch(line):
            owners = line_of(f" {rule['owners']}".partition(" #")[0]) or line_of(default)
            pattern = line_of(rule["pattern"])
            shown = plain(pattern) if "`" in pattern else f"`{pattern}`"
            page.add([f"- {shown}: {plain(owners)}" if owners else f"- {shown}"], place, kind="item")
    return page.converted()
