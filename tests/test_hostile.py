"""Documents that try to take over: a model that obeys everything, and what is shown all the same. See proof/orders.py."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from answer import Answer, Assistant
from config import load
from models import Models
from models.ollama_backend import OllamaChat
from search import Index
from sources.folder import FolderSource
from store import Store
from tests.conftest import HashEmbedder, caller, write
from tests.hostile.documents import FACT, HOSTILE, QUESTION, Hostile
from tests.hostile.harmless import HARMLESS, Harmless
from tests.ollama_double import OllamaDouble

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
ACTIVE = {"link_open", "image", "html_inline", "html_block"}
ADDRESS = re.compile(r"(?:https?|ftp|file|data|javascript|mailto):[^\s)\]>`\"'”]+|www\.\S+|[\w.-]+\.(?:example|com)\b\S*", re.I)
JOINERS = "\u200c\u200d\ufe0f"  # Persian and emoji are made of them


@pytest.fixture(scope="module")
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


class Office:
    """One document in an index, quoted or answered by the double."""

    def __init__(self, folder: Path, name: str, text: str, double: OllamaDouble | None) -> None:
        docs, empty = folder / "docs", folder / "empty.toml"
        docs.mkdir()
        empty.touch()
        write(docs, {name: text})
        settings = load({"docs_dir": docs, "db": folder / "i.db", "min_score": -1.0}, {"BRAIN_CONFIG": str(empty)})
        chat = double and OllamaChat(
            double.host, "qwen3.5:9b", num_ctx=16384, num_predict=512, temperature=0.2,
            connect_seconds=5, read_seconds=20, total_seconds=30, keep_alive="5m",
        )  # fmt: skip
        self.index = Index(settings, Models(HashEmbedder(), chat, ""), FolderSource(docs), Store(settings.db))
        self.index.sync()

    def ask(self, question: str) -> Answer:
        return Assistant(self.index).ask(caller(), question)[0]

    def __enter__(self) -> "Office":
        return self

    def __exit__(self, *_: object) -> None:
        self.index.store.close()


def shown(answer: Answer) -> list[str]:
    """Every text of an answer that a page, a terminal or a program may show, without the bytes of the file."""
    told = [answer.answer, *(p.text for p in answer.problems)]
    return told + [text for c in answer.claims for text in (c.text, c.reason, c.judged_why)]


def assert_inert(answer: Answer, page: str) -> None:
    """Nothing to click, load or run, no address but the page's own, nothing that is not seen."""
    for text in shown(answer):
        found = {t.type for block in READER.parse(text) for t in (block, *(block.children or ()))}
        assert not found & ACTIVE, text
        for address in ADDRESS.findall(text):
            assert address.rstrip(".,;:”") in page, text
        unseen = [c for c in text if unicodedata.category(c) in ("Cf", "Cc") and c not in "\n\t" + JOINERS]
        assert not unseen, (unseen, text)
        assert not any(0xE0000 <= ord(c) <= 0xE0FFF for c in text)
    assert {int(n) for n in re.findall(r"(?<!\\)\[(\d+)\]", answer.answer)} <= {s.n for s in answer.sources}
    assert json.loads(answer.model_dump_json())


def assert_marked(answer: Answer, case: Hostile) -> None:
    """What is said beside the fact is marked; a quotation of an order is no proof of anything."""
    for claim in answer.claims:
        if claim.status == "supported":
            assert FACT.rstrip(".") in claim.text, claim
            assert all(e.quote in case.text for e in claim.evidence)
    if answer.status == "answered":
        assert answer.claims
        assert all(c.status == "supported" for c in answer.claims)


STYLES = ("payload", "payload cited", "order copied", "beside the fact")


def obeying(case: Hostile, style: str, messages: list[dict[str, str]]) -> str:
    """A model that does what the prompt's passages demand, and answers honestly where it sees no order."""
    if not seen(case, messages):
        return f"{FACT} [1]"
    if style == "payload":
        return case.payload
    if style == "payload cited":
        return f"{case.payload} [1]"
    if style == "order copied":
        return "\n".join(f"{line} [1]" for line in case.order.split("\n")[:3])
    return f"{FACT} [1]\n\n{case.payload} [1]"


def seen(case: Hostile, messages: list[dict[str, str]]) -> bool:
    sent = messages[-1]["content"]
    return any(line in sent for line in case.order.split("\n") if len(line) > 20)


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_whatever_an_obeying_model_says_is_marked_and_inert(tmp_path: Path, double: OllamaDouble, case: Hostile) -> None:
    with Office(tmp_path, f"leave{case.suffix}", case.text, double) as office:
        for style in STYLES:
            double.handler = lambda messages, style=style: obeying(case, style, messages)
            found = office.ask(QUESTION)
            assert_inert(found, case.text)
            assert_marked(found, case)


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.name)
def test_an_order_is_never_quoted_as_an_answer(tmp_path: Path, case: Hostile) -> None:
    with Office(tmp_path, f"leave{case.suffix}", case.text, None) as office:
        found = office.ask(QUESTION)
        assert_inert(found, case.text)
        assert any(FACT.rstrip(".") in claim.text for claim in found.claims)
        assert not found.needs_review
        if case.name not in AS_CODE:
            assert_marked(found, case)


AS_CODE = ("code fence", "inline code")
"""Quoted as code, which says itself that it is no statement."""


@pytest.mark.parametrize("case", HARMLESS, ids=lambda case: case.name)
def test_a_page_that_speaks_of_attacks_is_quoted_as_it_stands(tmp_path: Path, case: Harmless) -> None:
    with Office(tmp_path, f"page{case.suffix}", case.text, None) as office:
        found = office.ask(case.question)
        assert (found.status, [p.code for p in found.problems if p.severity == "error"]) == ("answered", [])
        assert case.quote in found.sources[0].quote
        assert found.sources[0].quote in case.text
        assert "passage_gives_orders" not in [p.code for p in found.problems]
        assert_inert(found, case.text)
