"""Pages for eval/mixed.py: blocks of real Markdown, with a planted section whose sentences have a word of their own.

A planted word is in no other file, so where it turns up in an index tells which file, block and place was read.
Knows no file format. Try: python -m eval.mixed --files 40
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunking.front import front_matter
from config import PROJECT
from eval.synthetic import Corpus

SENTENCES = (
    "The {} form is kept for seven years.",
    "Die Frist für {} beträgt zwölf Tage, für Außenstellen fünfzehn.",
    "Le délai de {} est de douze jours après réception.",
    "Срок для {} составляет двенадцать дней.",
    "Η προθεσμία για {} είναι δώδεκα ημέρες.",
    "{} 的期限为十二天。",
    "{}の期限は十二日です。",
    "مدة {} اثنا عشر يوما.",
    "ระยะเวลาของ {} คือสิบสองวัน",
)
"""What is planted; what a PDF's font lacks shows as question marks there."""
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
_MOST_BLOCKS, _MOST_CELL, _MOST_COLUMNS, _MOST_ROWS = 40, 120, 5, 30


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph ("text"), a list ("items"), a table or code."""

    kind: str
    lines: tuple[tuple[str, ...], ...]  # rows of cells; of anything but a table one cell each
    level: int = 0

    @property
    def text(self) -> str:
        """The lines of what is no table."""
        return "\n".join(row[0] for row in self.lines)


@dataclass(slots=True)
class Page:
    """What a file is made of, and the words planted in it."""

    number: int
    blocks: list[Block]
    raw: str  # the same as Markdown, the planted section at its end
    heading: str = ""  # the word in the planted heading
    words: dict[str, str] = field(default_factory=dict)  # word: "heading" | "section" | "item" | "cell"


def word_of(number: int) -> str:
    """A word that no text holds, another for each number, all of one length."""
    told = "Quox"
    for _ in range(4):
        number, rest = divmod(number, len(_SYLLABLES))
        told += _SYLLABLES[rest]
    return told


@cache
def sources(data: Path | None) -> tuple[str, ...]:
    """Texts to draw from: the Markdown of the handbooks in `data`, the demo's, and made-up ones."""
    corpus = Corpus()
    made = [
        "\n\n".join(f"## {corpus.text(corpus.draw(4))[:-1]}\n\n{corpus.text(corpus.draw(size))}" for size in (60, 300))
        for _ in range(5)
    ]
    demo = sorted((PROJECT / "docs").rglob("*.md"))
    real = sorted(data.glob("handbook-*/docs/**/*.md")) if data else []
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in (*demo, *real)]
    return (*(text for text in texts if 500 < len(text) < 40_000), *made)


def page_of(number: int, chance: random.Random, texts: Sequence[str]) -> Page:
    """A page of one of the texts with a section planted in it."""
    lines = chance.choice(texts).split("\n")
    text = "\n".join(lines[front_matter(lines)[1] :])
    blocks = list(_blocks(text))[:_MOST_BLOCKS]
    words = [word_of(4 * number + n) for n in range(4)]
    h, s, i, c = words
    said = [SENTENCES[(number + n) % (len(SENTENCES))] for n in range(3)]
    section = [
        Block("heading", ((f"Rules for {h}",),), 2),
        Block("text", ((said[0].format(s),),)),
        Block("items", (("Ask the office.",), (said[1].format(i),), ("Wait for the answer.",))),
        Block(
            "table", (("Subject", "Term", "Who"), ("Rent", "three months", "owner"), (said[2].format(c), "12", "Ann"))
        ),
    ]
    at = chance.choice([n for n, block in enumerate(blocks) if block.kind == "heading"] or [len(blocks)])
    page = Page(number, [*blocks[:at], *section, *blocks[at:]], "", h)
    page.raw = f"{text.rstrip()}\n\n{markdown(section)}"
    page.words = dict(zip(words, ("heading", "section", "item", "cell"), strict=True))
    return page


def markdown(blocks: Sequence[Block], setext: bool = False) -> str:
    """The blocks as Markdown; `setext`: as people write plain text, headings underlined."""
    told = []
    for block in blocks:
        if block.kind == "heading":
            told.append(f"{block.text}\n{'=' * 20}" if setext else f"{'#' * block.level} {block.text}")
        elif block.kind == "items":
            told.append("\n".join(f"- {row[0]}" for row in block.lines))
        elif block.kind == "code":
            told.append(f"```\n{block.text}\n```")
        elif block.kind == "table":
            rows = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in block.lines]
            told.append("\n".join([rows[0], "|---" * len(block.lines[0]) + "|", *rows[1:]]))
        else:
            told.append(block.text)
    return "\n\n".join(told) + "\n"


def _blocks(text: str) -> Iterator[Block]:
    """The blocks of Markdown as plain text; what is nested in a list or quote becomes part of it."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    items: list[str] = []
    rows: list[list[str]] = []
    for n, token in enumerate(tokens):
        told = _plain(token) if token.type == "inline" else ""
        before = tokens[n - 1].type if n else ""
        if token.type == "tr_open":
            rows.append([])
        elif told and before in ("td_open", "th_open"):
            rows[-1].append(told[:_MOST_CELL])
        elif token.type == "table_close":
            wide = min(max(map(len, rows)), _MOST_COLUMNS)
            full = [tuple((row + [""] * wide)[:wide]) for row in rows[:_MOST_ROWS] if row]
            if len(full) > 1 and wide > 1:
                yield Block("table", tuple(full))
            rows = []
        elif told and token.level > 1:
            items.append(told)
        elif token.level == 0 and token.type.endswith("_list_close") and items:
            yield Block("items", tuple((item,) for item in items))
            items = []
        elif told and before == "heading_open":
            yield Block("heading", ((told,),), int(tokens[n - 1].tag[1]))
        elif told:
            yield Block("text", ((told,),))
        elif token.type in ("fence", "code_block") and token.level == 0 and token.content.strip():
            yield Block("code", tuple((line[:90],) for line in _clean(token.content).strip("\n").split("\n")[:40]))


def _plain(inline: Token) -> str:
    told = [" " if part.type.endswith("break") else part.content for part in inline.children or () if part.type in (
        "text", "code_inline", "softbreak", "hardbreak")]  # fmt: skip
    return " ".join(_clean("".join(told)).split())


def _clean(text: str) -> str:
    return "".join(char for char in text if char in "\n\t" or char.isprintable())
