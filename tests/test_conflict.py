"""Passages that disagree, and near-misses that do not: the cases stand in tests/conflicts/*.txt as readable pages."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from proof.conflict import conflicts

CASES = Path(__file__).with_name("conflicts")


@dataclass(frozen=True)
class Page:
    text: str
    above: str
    first_line: int
    dated: str
    lang: str
    source: str


@dataclass(frozen=True)
class Case:
    name: str
    lang: str
    question: str
    expected: tuple[str, ...]  # a piece of each side's quote, newest first; none for a near-miss
    pages: tuple[Page, ...]


def read(path: Path) -> list[Case]:
    """`## name`, `? lang question`, `= side | side`, then pages: `@ date source | title > heading` and their lines."""
    found = []
    for block in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        name, asked, expected, *rest = block.strip("\n").split("\n")
        lang, question = asked.removeprefix("? ").split(" ", 1)
        sides = () if expected == "= none" else tuple(expected.removeprefix("= ").split(" | "))
        pages = []
        for part in re.split(r"^@ ", "\n".join(rest), flags=re.M)[1:]:
            head, text = part.split("\n", 1)
            where, path_of = head.split(" | ")
            dated, source = where.split(" ")[0], where.split(" ")[1]
            own = re.fullmatch(r"(.*)\{(\w\w)\}", source)
            titles = path_of.split(" > ")
            above = f"{titles[0]}\n{path_of}\n"
            page_lang = own[2] if own else lang
            pages.append(Page(text.strip("\n"), above, 5, dated, page_lang, own[1] if own else source))
        found.append(Case(name, lang, question, sides, tuple(pages)))
    return found


ALL = [case for path in sorted(CASES.glob("*.txt")) for case in read(path)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_cases(case: Case) -> None:
    found = conflicts(case.question, case.lang, case.pages)
    if not case.expected:
        assert found == []
        return
    assert len(found) == 1
    sides = found[0].sides
    assert len(sides) == len(case.expected), sides
    for side, expected in zip(sides, case.expected, strict=True):
        page = case.pages[side.n - 1]
        assert expected in side.quote
        assert side.quote in page.text and side.dated == page.dated
        assert side.quote == "\n".join(page.text.split("\n")[side.first_line - 5 : side.last_line - 4])[
            (at := "\n".join(page.text.split("\n")[side.first_line - 5 : side.last_line - 4]).find(side.quote)) :
        ][: len(side.quote)] and at >= 0
    dates = [side.dated for side in sides]
    assert dates == sorted(dates, reverse=True)
