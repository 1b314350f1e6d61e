"""docs/ and data/qa.jsonl keep the properties that the measurements rely on.

qa.jsonl asks of the handbook; the pages about a quarter of the company's life are asked about by test_graph_eval.py.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from access import CLOSED
from access.rules import RuleBook
from eval.access import GUEST, PEOPLE, caller_of

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
QA = ROOT / "data" / "qa.jsonl"

KEYS = {"question", "source", "must_include", "lang", "held", "caller"}
LANGS = {"en", "de", "zh", "ja", "ko", "es", "fr", "pt", "it", "ru"}
# Function words only; content words stay out of this list.
STOP = frozenset(
    re.findall(
        r"\w+",
        """about after also among before both does each else ever every from have into just
        kept many more much must need only other over same shall should some such than that
        their them then there these they this those through under until very want what when
        where which while will with would your
        aber alle beim dass dein diese durch eine einen einer haben kann mein meine muss nach
        nicht oder sind über unser viele wenn werden wird zwischen""",
    )
)
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
ATX = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")


class Section(NamedTuple):
    path: tuple[str, ...]  # document title, then the headings down to this one
    text: str


def split_sections(text: str) -> list[Section]:
    """Cut a Markdown text at its headings; `#` lines inside fences are not headings."""
    lines = text.splitlines()
    title = ""
    if lines and lines[0] == "---":
        end = lines.index("---", 1)
        for line in lines[1:end]:
            if line.startswith("title:"):
                title = line.removeprefix("title:").strip(' "')
        lines = lines[end + 1 :]
    found: list[tuple[int, str, list[str]]] = [(0, title, [])]
    fence = ""
    for line in lines:
        body = found[-1][2]
        mark = FENCE.match(line)
        if mark:
            fence = mark[1] if not fence else "" if line.strip() == fence else fence
        elif not fence and (atx := ATX.match(line)):
            found.append((len(atx[1]), atx[2], []))
            continue
        elif not fence and re.fullmatch(r"=+|-{3,}", line) and body and body[-1].strip():
            found.append((1 if line[0] == "=" else 2, body.pop(), []))
            continue
        body.append(line)
    out: list[Section] = []
    stack: list[tuple[int, str]] = []
    for level, heading, body in found:
        stack = [s for s in stack if s[0] < level] + [(level, heading)]
        out.append(Section(tuple(h for _, h in stack), "\n".join(body)))
    return out


def stems(text: str) -> set[str]:
    """Lower-cased words of 4+ letters, minus the stop list, cut to 5 letters."""
    words = re.findall(r"[^\W\d_]{4,}", text.lower())
    return {w[:5] for w in words if w not in STOP}


def holding(case: dict[str, Any]) -> list[Section]:
    """The sections of the source that hold every must_include string."""
    text = (DOCS / case["source"]).read_text(encoding="utf-8")
    return [s for s in split_sections(text) if all(m in s.text for m in case["must_include"])]


def shares_heading_word(case: dict[str, Any]) -> bool:
    return any(stems(case["question"]) & stems(" ".join(s.path)) for s in holding(case))


CASES: list[dict[str, Any]] = [json.loads(line) for line in QA.read_text(encoding="utf-8").splitlines()]
ANSWERABLE = [c for c in CASES if c["source"] != "-"]
UNANSWERABLE = [c for c in CASES if c["source"] == "-"]
ALL = {p.relative_to(DOCS).as_posix(): p.read_text("utf-8") for p in DOCS.rglob("*.md")}
FILES = {name: text for name, text in ALL.items() if name in {c["source"] for c in ANSWERABLE}}
"""The handbook's."""


def test_keys_and_types() -> None:
    for c in CASES:
        assert set(c) == KEYS, c
        assert isinstance(c["question"], str)
        assert c["question"].strip() == c["question"] != ""
        assert isinstance(c["source"], str)
        assert isinstance(c["must_include"], list)
        assert all(isinstance(m, str) and m.strip() for m in c["must_include"])
        assert c["lang"] in LANGS
        assert isinstance(c["held"], bool)


def test_every_case_has_an_asker_who_may_know_and_others_who_may_not() -> None:
    rules = RuleBook({"access.toml": (ROOT / "data" / "access.toml").read_text("utf-8")}, "", CLOSED)
    assert rules.faults() == []
    assert {case["caller"] for case in CASES} < set(PEOPLE)
    for case in ANSWERABLE:
        able = {who for who in PEOPLE if rules.list_of(case["source"]).lets(caller_of(who))}
        assert case["caller"] in able, case["source"]
        assert GUEST not in able
    assert {rules.list_of(name) for name in ALL} == {rules.list_of(case["source"]) for case in ANSWERABLE}
    assert not any(rules.list_of(name).lets(caller_of(GUEST)) for name in ALL)


def test_counts() -> None:
    assert len(CASES) >= 96
    assert len(ANSWERABLE) >= 60
    assert len(UNANSWERABLE) >= 36
    assert sum(c["lang"] != "en" for c in CASES) >= 24
    assert {c["lang"] for c in CASES} == LANGS


def test_no_question_twice() -> None:
    seen = Counter(re.sub(r"\W+", " ", c["question"]).strip().lower() for c in CASES)
    assert [q for q, n in seen.items() if n > 1] == []


def test_a_third_is_held_with_the_same_mix() -> None:
    held = [c for c in CASES if c["held"]]
    assert len(held) == -(-len(CASES) // 3)
    for part in (ANSWERABLE, UNANSWERABLE, [c for c in CASES if c["lang"] != "en"]):
        assert 0.28 <= sum(c["held"] for c in part) / len(part) <= 0.39


@pytest.mark.parametrize("case", ANSWERABLE, ids=lambda c: c["source"])
def test_answer_stands_in_one_section(case: dict[str, Any]) -> None:
    assert case["source"] in FILES
    assert case["must_include"]
    assert len(holding(case)) == 1, [s.path for s in holding(case)]


def test_unanswerable_have_no_answer() -> None:
    assert all(c["must_include"] == [] for c in UNANSWERABLE)
    food = re.compile(r"canteen|cafeteria|kantine|lunch|\bmenu", re.IGNORECASE)
    assert [f for f, text in ALL.items() if food.search(text)] == []


@pytest.mark.parametrize("english_only", [False, True])
def test_half_share_no_word_with_their_headings(english_only: bool) -> None:
    cases = [c for c in ANSWERABLE if c["lang"] == "en" or not english_only]
    assert sum(not shares_heading_word(c) for c in cases) * 2 >= len(cases)


def test_docs_size() -> None:
    assert 12 <= len(FILES) <= 15
    sizes = {f: len(text.splitlines()) for f, text in FILES.items()}
    assert all(50 <= n <= 130 for n in sizes.values()), sizes
    assert 900 <= sum(sizes.values()) <= 1500


def test_one_file_is_german() -> None:
    common = {"der", "die", "das", "und", "nicht", "wird", "mit", "von"}
    german = []
    for name, text in FILES.items():
        words = re.findall(r"\w+", text.lower())
        if sum(w in common for w in words) / len(words) > 0.05:
            german.append(name)
    assert german == ["arbeitszeit.md"]


def test_leave_rule_stands_on_top() -> None:
    lines = FILES["leave-policy.md"].splitlines()
    assert "# Leave policy" in lines
    start = lines.index("## Annual leave")
    assert start < 12
    assert "28 days of paid vacation" in "\n".join(lines[start : start + 5])


@pytest.mark.parametrize(
    ("feature", "pattern", "files"),
    [
        ("front matter", r"\A---\ntitle: ", 8),
        ("table", r"^\|(---\|)+$", 8),
        ("backtick fence with a # comment", r"^```\w+\n(?:(?!```).*\n)*?# ", 3),
        ("tilde fence with a # comment", r"^~~~\w*\n(?:(?!~~~).*\n)*?# ", 2),
        ("fence inside a list item", r"^ +```", 1),
        ("setext heading", r"^\w.*\n(=|-){3,}$", 1),
        ("heading of level 4", r"^#### ", 5),
        ("HTML comment", r"<!--", 2),
        ("inline HTML", r"^<b>", 1),
        ("blockquote", r"^> ", 1),
        ("nested list", r"^  +- ", 4),
        ("list of links", r"(^- \[[^]]+\]\([^)]+\)\n){3}", 1),
        ("bold", r"\*\*\w", 4),
        ("non-ASCII", r"[^\x00-\x7f]", 12),
        ("table of 25 rows", r"(^\|.*\|\n){27}", 1),
    ],
)
def test_markdown_features(feature: str, pattern: str, files: int) -> None:
    found = [f for f, text in FILES.items() if re.search(pattern, text, re.MULTILINE)]
    assert len(found) >= files, (feature, found)


def test_some_files_have_no_front_matter() -> None:
    assert any(not text.startswith("---\n") for text in FILES.values())


def test_links_between_files_work() -> None:
    for name, text in ALL.items():
        for target in re.findall(r"\]\(([^):#]+\.md)\)", text):
            assert ((DOCS / name).parent / target).is_file(), (name, target)
