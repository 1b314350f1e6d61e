"""The page in a real browser: what a person sees, clicks and hears, in each of its states.

Needs `pip install '.[browser]'` and a Chromium (BRAIN_CHROMIUM, or `chromium` on the PATH). BRAIN_AXE names axe.min.js
of axe-core for the accessibility checks, BRAIN_SCREENSHOTS a folder for a picture of each state.
Try: pytest tests/test_page.py
"""

import contextlib
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from access import tokens
from storage.schema import connect
from tests.conftest import write
from tests.served import Held, Running, running, settings_for
from tests.test_next import ASKED, LEAVE
from tests.test_pdf import drawn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install '.[browser]'")
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("BRAIN_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
AXE = os.environ.get("BRAIN_AXE", "")
SHOTS = os.environ.get("BRAIN_SCREENSHOTS", "")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium: apt-get install chromium, or set BRAIN_CHROMIUM")

DOCS = {
    "leave.md": "---\ntitle: Leave\ndate: 2025-02-11\n---\n\n# Leave\n\n## Vacation\n\n"
    "After one year you get 28 vacation days. In the first year you get\n25 vacation days. The balance is shown in "
    "the personnel system.\n\n## Carry-over of vacation days\n\nFive vacation days carry over into the next year.\n",
    "travel.md": "---\ntitle: Travel\n---\n\n# Travel\n\n## Booking of trains\n\nBook second class for trips under "
    "four hours. A first class ticket needs the consent of your lead before you book it.\n",
    "security.md": "# Security\n\n## Laptops at the desk\n\nLock your laptop's screen whenever you leave the desk. "
    "A lost laptop is reported to the security team within the hour.\n",
    "urlaub.md": "# Urlaub\n\n## Anspruch auf Urlaub\n\nJeder Mitarbeiter hat 30 Tage Urlaub im Jahr. Der Antrag "
    "wird spätestens zwei Wochen vorher gestellt.\n",
    "ijaza.md": "# سياسة الإجازات\n\n## الإجازة السنوية\n\nيحصل الموظف على ثلاثين يوم إجازة سنوية في كل عام. يقدم "
    "الطلب قبل أسبوعين من بداية الإجازة.\n",
}
FERRY = [
    [(60, 760 - 20 * n, f"{text} of pier {n} on page {page}.") for n in range(20)]
    for page, text in enumerate(("Gulls sit on the wooden posts", "Ropes lie beside the iron rings", "Nets dry"), 1)
]
FERRY[1].append((60, 300, "The harbour ferry leaves at quarter past seven from the granite quay."))
VACATION = "How many vacation days do I get after one year?"
WRITTEN = (
    "After one year you get **28 vacation days** [1]. Five vacation days carry over into the next year [2]. "
    "The balance is shown in the personnel system [1]."
)
PARTLY = "After one year you get 45 vacation days [1]. Ask your lead about the rest."
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
DONE = "article[data-status]"


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("page") / "docs"
    folder.mkdir()
    write(folder, DOCS)
    write(folder, {"ferry.pdf": drawn(FERRY)})
    return folder


@pytest.fixture(scope="module")
def quoting(docs: Path) -> Iterator[Running]:
    with running(settings_for(docs, min_score=0.35, db=docs.parent / "quoting.db")) as service:
        service.ready(seconds=120)
        yield service


class Writer(Held):
    """A model server that writes what `says` is set to."""

    says = WRITTEN
    understands = ""  # a follow-up so

    def _reply(self, messages: list[dict[str, str]]) -> str:
        super()._reply(messages)
        if "The last question" in messages[-1]["content"]:
            return json.dumps({"question": self.understands})
        return self.says


@pytest.fixture(scope="module")
def model() -> Iterator[Writer]:
    with Writer() as held:
        yield held


@pytest.fixture(scope="module")
def _written(docs: Path, model: Writer) -> Iterator[Running]:
    with running(model.settings(docs, retries=0, db=docs.parent / "written.db")) as service:
        service.ready()
        yield service


@pytest.fixture
def written(_written: Running, model: Writer) -> Running:
    model.says, model.hold_chat = WRITTEN, False
    model.go.clear()
    model._faults.clear()
    return _written


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def until(page: "Page", expression: str) -> None:
    """Waits until it is true; asked from outside, since the page's own policy lets nothing be evaluated in it."""
    end = time.monotonic() + 20
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(30)


class Eyes:
    """A page that is watched: what the console says, which hosts are asked, what axe finds."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.said: list[str] = []
        self.hosts: set[str] = set()
        self.may_fail = False  # the browser reports refused requests on the console
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", self._see)

    def _hear(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def _see(self, request: "Request") -> None:
        self.hosts.add(re.sub(r"^(\w+://[^/]*).*", r"\1", request.url, flags=re.S))

    def open(self, service: Running, address: str = "/") -> "Page":
        self.page.goto(f"http://127.0.0.1:{service.port}{address}")
        until(self.page, "document.documentElement.lang && document.activeElement !== null")
        return self.page

    def ask(self, service: Running, text: str = VACATION) -> "Page":
        """Asks as a person does, and waits for the whole answer."""
        page = self.open(service)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_selector(DONE)
        return page

    def shoot(self, name: str) -> None:
        """A picture of the state, and no violation in it."""
        self.page.wait_for_timeout(350)  # fonts, and what fades in
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name} is {wide} px too wide"
        assert self.violations() == []

    def violations(self) -> list[str]:
        if not AXE:
            return []
        self.page.evaluate(Path(AXE).read_text(encoding="utf-8"))
        found = self.page.evaluate(
            "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}}).then(told => told.violations)", TAGS
        )
        return [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in found for node in one["nodes"]]

    def check(self, service: Running) -> None:
        said = [text for text in self.said if not (self.may_fail and "Failed to load resource" in text)]
        assert said == []
        assert self.hosts <= {f"http://127.0.0.1:{service.port}"}


Opens = Callable[..., Eyes]


@pytest.fixture
def opens(browser: "Browser") -> Iterator[Opens]:
    """A new window: opens(locale="de-DE", color_scheme="dark", ...)."""
    contexts = []

    def opened(**chosen: Any) -> Eyes:
        chosen = {"viewport": {"width": 1280, "height": 860}, "locale": "en-US", **chosen}
        context = browser.new_context(**chosen)
        context.set_default_timeout(20_000)
        contexts.append(context)
        return Eyes(context.new_page())

    yield opened
    for context in contexts:
        context.close()


def told_as(page: "Page", answer: dict[str, Any], events: str = "") -> None:
    """Lets the server's next answers be this one."""
    body = f"{events}event: answer\ndata: {json.dumps(answer)}\n\n"

    def reply(route: "Route") -> None:
        route.fulfill(status=200, content_type="text/event-stream", body=body)

    page.route("**/ask/stream", reply)


def answer_with(**parts: Any) -> dict[str, Any]:
    source = {
        "n": 1, "source": "leave.md", "title": "Leave", "link": "", "lines": "L8-12", "heading": "Leave > Vacation",
        "score": 0.7, "quote": "After one year you get 28 vacation days.", "version": "", "also": [],
        "dated": "2025-02-11", "modified": "", "indexed_at": "", "stale": None,
    }  # fmt: skip
    return {
        "id": "a1", "answer": "After one year you get 28 vacation days. [1]", "status": "answered",
        "needs_review": False, "problems": [], "claims": [], "sources": [source], "conflicts": [], "attempts": 1,
        "confidence": None, "limit": {"min_score": 0.2, "fits": True, "why": ""}, "model": "m", "lang": "en",
        "timings": {"total": 1.0}, **parts,
    }  # fmt: skip


def claim(text: str, status: str = "supported", **more: Any) -> dict[str, Any]:
    return {
        "text": text, "status": status, "about": "documents", "citations": [], "evidence": [], "support": 1.0,
        "reason": "", "judged": None, "judged_why": "", **more,
    }  # fmt: skip


@pytest.mark.skipif(not AXE, reason="no axe-core: npm pack axe-core, then BRAIN_AXE=.../package/axe.min.js")
def test_axe_sees_what_is_wrong(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.open(quoting)
    assert eyes.violations() == []
    page.evaluate("document.getElementById('send').removeAttribute('aria-label')")
    assert [one.split(":")[0] for one in eyes.violations()] == ["button-name"]


# --- asking -------------------------------------------------------------------------------------------------------


def test_the_page_begins_with_the_cursor_in_the_box_and_questions_to_try(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.open(quoting)
    assert page.evaluate("document.activeElement.id") == "question"
    page.wait_for_selector(".example")
    assert 1 <= page.locator(".example").count() <= 4
    assert page.locator("#state-word").inner_text() == "Documents: 6"
    eyes.shoot("empty")
    page.locator(".example").first.click()
    page.wait_for_selector(DONE)
    assert page.locator("article").get_attribute("data-status") == "answered"
    eyes.check(quoting)


def test_where_no_question_comes_out_topics_are_shown(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="de-DE")
    asked: list[str] = []

    def reply(route: "Route") -> None:
        asked.append(route.request.url)
        route.fulfill(json={"examples": [], "topics": [{"text": "Urlaub", "lang": "de"}]})

    eyes.page.route("**/examples?*", reply)
    page = eyes.open(quoting)
    page.wait_for_selector(".example")
    assert page.locator("#examples h2").inner_text() == "Themen in den Dokumenten"
    assert asked == [f"http://127.0.0.1:{quoting.port}/examples?lang=de"]
    eyes.shoot("topics")
    eyes.check(quoting)


def test_an_answer_appears_as_it_streams(opens: Opens, written: Running, model: Writer) -> None:
    eyes = opens()
    page = eyes.open(written)
    model.fail("drip", path="/api/chat", seconds=0.25)
    page.keyboard.type(VACATION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".text .mark")  # the first sentence is marked while others are being written
    assert page.locator(DONE).count() == 0
    assert "personnel system" not in page.locator(".text").inner_text()
    assert page.locator(".text").get_attribute("aria-busy") == "true"
    top = page.evaluate("document.querySelector('.text').getBoundingClientRect().top")
    eyes.shoot("streaming")
    page.wait_for_selector(DONE)
    assert page.evaluate("document.querySelector('.text').getBoundingClientRect().top") == top
    assert page.locator(".text strong").inner_text() == "28 vacation days"
    assert page.locator(".text .mark-proved").count() == 3
    assert page.locator(".text .cite").all_inner_texts() == ["1", "2", "1"]
    assert page.locator("article .status").inner_text() == "Every sentence is proved"
    assert "answer is here" in page.locator("#live").inner_text()
    eyes.check(written)


def test_a_question_can_be_stopped(opens: Opens, written: Running, model: Writer) -> None:
    eyes = opens()
    page = eyes.open(written)
    model.fail("drip", path="/api/chat", seconds=0.4)
    page.keyboard.type(VACATION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".text p")
    page.get_by_role("button", name="Stop").click()
    assert "Stopped" in page.locator("article .status").inner_text()
    eyes.shoot("stopped")
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_selector(DONE)
    eyes.check(written)


def test_a_model_that_is_being_loaded_is_said_to_be(opens: Opens, written: Running, model: Writer) -> None:
    eyes = opens()
    page = eyes.open(written)
    model.hold_chat = True
    page.keyboard.type(VACATION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".status[data-stage=loading]")
    assert "being loaded" in page.locator("article .status").inner_text()
    eyes.shoot("loading")
    model.go.set()
    page.wait_for_selector(DONE)
    eyes.check(written)


def test_without_a_stream_the_answer_comes_whole(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    eyes.may_fail = True
    eyes.page.route("**/ask/stream", lambda route: route.fulfill(status=404, json={"code": "no_such_path"}))
    page = eyes.ask(quoting)
    assert "28 vacation days" in page.locator(".text").inner_text()
    eyes.check(quoting)


def test_the_address_asks_and_back_and_forward_work(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.open(quoting, "/?q=How+many+vacation+days+carry+over%3F")
    page.wait_for_selector(DONE)
    assert page.locator("#question").input_value() == "How many vacation days carry over?"
    page.fill("#question", VACATION)
    page.keyboard.press("Enter")
    until(page, "document.querySelector('article[data-status] h1')?.textContent.includes('one year')")
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url) if re.search(r"/ask(/stream)?$", request.url) else None
    )
    page.go_back()
    until(page, "document.querySelector('article[data-status] h1')?.textContent.includes('carry over')")
    page.go_forward()
    until(page, "document.querySelector('article[data-status] h1')?.textContent.includes('one year')")
    page.reload()
    page.wait_for_selector(DONE)
    assert asked == []
    eyes.check(quoting)


def test_a_follow_up_goes_on_from_what_was_asked_and_can_start_anew(
    opens: Opens, written: Running, model: Writer
) -> None:
    sent: list[Any] = []
    model.understands = "How many vacation days carry over into the next year?"
    eyes = opens()
    eyes.page.on("request", lambda request: sent.append(request.post_data_json) if request.method == "POST" else None)
    page = eyes.ask(written)
    assert not page.locator("#anew").is_visible()
    page.fill("#question", "And how many carry over?")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{DONE} .understood")
    assert page.locator(".understood").inner_text() == f"Understood as: {model.understands}"
    answered = page.locator(".text").inner_text()
    eyes.shoot("follow-up")
    page.reload()
    page.wait_for_selector(f"{DONE} .understood")
    page.fill("#question", "Why?")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('article[data-status] h1')?.textContent === 'Why?'")
    page.get_by_role("button", name="Start anew").click()
    assert page.locator("#start").is_visible()
    page.fill("#question", "And how many carry over?")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('article[data-status] h1')?.textContent.includes('carry over')")
    assert [len(body.get("history", [])) for body in sent] == [0, 1, 2, 0]
    assert sent[1]["history"][0]["question"] == VACATION
    assert [turn["question"] for turn in sent[2]["history"]] == [VACATION, model.understands]
    assert "28 vacation days" in sent[1]["history"][0]["answer"]
    assert "28 vacation days" in answered
    eyes.check(written)


@pytest.mark.parametrize(("lang", "told"), [("en-US", "Quoted"), ("de-DE", "Zitiert")])
def test_a_row_of_a_table_is_not_quoted_word_for_word(opens: Opens, tmp_path: Path, lang: str, told: str) -> None:
    (tmp_path / "docs").mkdir()
    bands = "# Bands\n\n| Band | Role |\n|---|---|\n| B3 | Harbour engineer |\n| B4 | Quay master |\n"
    write(tmp_path / "docs", {"bands.md": bands})
    with running(settings_for(tmp_path / "docs", min_score=0.2)) as service:
        service.ready(seconds=120)
        page = opens(locale=lang).ask(service, "Which band is a harbour engineer in?")
        assert "Band: B3; Role: Harbour engineer" in page.locator("article .text").inner_text()
        assert page.locator(".status strong").inner_text() == told


def test_a_follow_up_without_a_chat_model_says_what_it_lacks(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.ask(quoting)
    page.fill("#question", "And after two years of it?")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('article[data-status] h1')?.textContent.includes('two years')")
    assert "follow-ups need a chat model" in page.locator(".status").inner_text()
    assert not page.locator("#anew").is_visible(), "it goes on from nothing"
    eyes.shoot("follow-up-alone")
    page.reload()
    page.locator(".status .beside").wait_for()
    assert not page.locator("#anew").is_visible()
    eyes.check(quoting)


def test_what_could_be_asked_next_is_asked_by_a_click(opens: Opens, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, {"leave.md": LEAVE})
    with running(settings_for(docs, min_score=0.3, suggest=True)) as service:
        service.ready(seconds=120)
        eyes = opens()
        page = eyes.ask(service, ASKED)
        first = page.locator(".next a").first
        text = first.inner_text()
        eyes.shoot("next")
        at = "getComputedStyle(document.querySelector('.next li')).listStyleType"
        assert page.evaluate(at) == "none", "a bullet would lie on the link's edge"
        first.click()
        until(page, f"document.querySelector('article[data-status] h1')?.textContent === {json.dumps(text)}")
        assert page.locator(DONE).get_attribute("data-status") != "not_found"
        assert not page.locator("#anew").is_visible()
        eyes.check(service)


def test_the_session_s_questions_are_listed_and_can_be_cleared(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.ask(quoting)
    page.locator(".brand").click()
    assert (
        page.locator(".past").all_inner_texts() == [f"Answered:\u00a0{VACATION}"] or page.locator(".past").count() == 1
    )
    eyes.shoot("history")
    page.locator(".past").click()
    page.wait_for_selector(DONE)
    page.locator(".brand").click()
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".past").count() == 0
    assert page.evaluate("sessionStorage.getItem('brain.history')") == "[]"
    assert page.evaluate("document.activeElement.id") == "question"
    eyes.check(quoting)


def test_copied_with_sources(opens: Opens, quoting: Running) -> None:
    eyes = opens(permissions=["clipboard-read", "clipboard-write"])
    page = eyes.ask(quoting)
    page.get_by_role("button", name="Copy with sources").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(VACATION)
    assert re.search(
        r"28 vacation days\..*\[1\].*\n\n\[1\] Leave – Leave › Vacation: leave\.md, lines \d", copied, re.S
    )
    eyes.check(quoting)


def test_a_blank_question_leads_back_to_the_start(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.ask(quoting)
    page.locator("#question").fill("   ")
    page.keyboard.press("Enter")
    until(page, "!document.querySelector('article')")
    assert page.locator("#start").is_visible()
    assert "q=" not in page.url
    eyes.check(quoting)


def test_right_and_wrong_stand_together_where_it_is_narrow(opens: Opens, quoting: Running) -> None:
    eyes = opens(viewport={"width": 360, "height": 740})
    page = eyes.ask(quoting)
    boxes = [page.get_by_role("button", name=name, exact=True).bounding_box() for name in ("Right", "Wrong")]
    assert len({box["y"] for box in boxes if box}) == 1
    assert page.evaluate("import('/web/words.js').then((words) => words.number(-0.001))") == "0.00"
    eyes.check(quoting)


# --- sources, marks -----------------------------------------------------------------------------------------------


def test_a_citation_opens_its_source_by_keyboard_and_escape_returns(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.ask(quoting)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "cite":
            break
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Source 1: Leave"
    page.keyboard.press("Enter")
    page.wait_for_selector("#source mark")
    assert page.evaluate("document.activeElement.id") == "source-close"
    assert "28 vacation days" in " ".join(page.locator("#source mark").all_inner_texts())
    assert "25 vacation days" not in page.locator("#source mark").first.inner_text()
    cited = page.locator("#source .cited .no").evaluate_all("nodes => nodes.map(node => Number(node.dataset.n))")
    assert 10 in cited
    assert page.locator("#source mark").first.is_visible()
    eyes.shoot("source")
    page.keyboard.press("Escape")
    assert not page.locator("#source").is_visible()
    assert page.evaluate("document.activeElement.className") == "cite"
    eyes.check(quoting)


def test_a_pdf_opens_at_its_page(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="de-DE")
    page = eyes.ask(quoting, "When does the harbour ferry leave from the granite quay?")
    assert "ferry.pdf, Seite 2" in page.locator(".card").first.inner_text()
    page.locator("article .cite").first.click()
    page.wait_for_selector("#source mark")
    assert "harbour ferry leaves at quarter past seven" in page.locator("#source mark").first.inner_text()
    assert page.locator("#source mark").first.is_visible()
    assert page.locator("#source .no").count() == 0  # the lines of a PDF mean nothing
    above = page.evaluate(
        "[...document.querySelectorAll('#source .place')].filter(place => "
        "place.compareDocumentPosition(document.querySelector('#source mark')) & 4).pop().textContent"
    )
    assert above == "Seite 2"
    eyes.shoot("pdf")
    for name in ("Frühere Zeilen", "Spätere Zeilen"):
        while page.get_by_role("button", name=name).count():
            before = page.locator("#source .line").count()
            page.get_by_role("button", name=name).click()
            until(page, f"document.querySelectorAll('#source .line').length !== {before}")
            page.wait_for_timeout(50)
    assert page.locator("#source .place").all_inner_texts() == ["Seite 1", "Seite 2", "Seite 3"]
    eyes.check(quoting)


def test_what_is_not_proved_is_marked_and_told(opens: Opens, written: Running, model: Writer) -> None:
    model.says = PARTLY
    eyes = opens()
    page = eyes.ask(written)
    assert page.locator("article").get_attribute("data-status") == "needs_review"
    assert "Needs review" in page.locator("article .status").inner_text()
    assert page.locator(".notice.warn li").count() >= 1
    mark = page.locator(".text .mark-unproved").first
    assert mark.get_attribute("aria-label") == "Not proved: After one year you get 45 vacation days."
    assert "45" in (mark.get_attribute("title") or "")
    shapes = page.locator(".text .mark .icon").evaluate_all("nodes => nodes.map(node => node.firstChild.tagName)")
    assert len(set(shapes)) == len(shapes) == 2  # a shape each: colour says nothing alone
    mark.click()
    assert mark.get_attribute("aria-expanded") == "true"
    assert "45" in page.locator(".why").inner_text()
    eyes.shoot("needs-review")
    eyes.check(written)


BESIDE = [
    {"code": "not_mentioned", "text": "the cited passages do not mention France", "severity": "notice"},
    {"code": "not_addressed", "text": "the question asks for a time, and there is none", "severity": "notice"},
]


def test_what_does_not_answer_is_said_to_in_the_headline(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="de-DE")
    claims = [claim("After one year you get 28 vacation days.", citations=[1])]
    told_as(eyes.page, answer_with(attempts=0, problems=BESIDE, claims=claims))
    page = eyes.ask(quoting)
    head = page.locator("article .status").inner_text()
    assert "beantwortet die Frage" in head
    assert "Wörtlich zitiert" not in head
    for notice in BESIDE:
        assert page.locator("article").get_by_text(notice["text"]).count() == 1  # at the top, and not again below
        assert page.locator(".statusline").get_by_text(notice["text"]).count() == 1
    eyes.shoot("beside")
    page.locator(".brand").click()
    assert "beantwortet die Frage" in page.locator(".past").inner_text()
    eyes.check(quoting)


def test_a_conflict_is_told_once_with_both_quotes(opens: Opens, quoting: Running) -> None:
    eyes = opens(permissions=["clipboard-read", "clipboard-write"])
    sides = [{"n": 1, "value": v, "quote": q, "first_line": 10, "last_line": 10, "dated": d} for v, q, d in (
        ("28 days", "After one year you get 28 days.", "2025-02-11"), ("25 days", "You get 25 days.", ""))]  # fmt: skip
    sides[1] |= {"place": "p12-13"}
    text = (
        "The documents say:\nAfter one year you get 28 vacation days. [1]\n\n"
        "The documents disagree, newest first:\n- 2025-02-11: “After one year you get 28 days.” [1]\n"
        "- “You get 25 days.” [1]"
    )
    problem = {"code": "conflict", "severity": "error", "text": "the documents disagree: 28 days | 25 days"}
    claims = [claim("After one year you get 28 vacation days.", citations=[1])]
    told_as(eyes.page, answer_with(
        answer=text, status="needs_review", needs_review=True, conflicts=[{"sides": sides}], problems=[problem],
        claims=claims))  # fmt: skip
    page = eyes.ask(quoting)
    shown = page.locator("article").inner_text()
    assert "No date · page 12–13" in shown
    assert shown.lower().count("the documents disagree") == 1
    assert shown.count("You get 25 days.") == 1
    assert page.locator(".sides li").count() == 2
    eyes.shoot("conflict-once")
    page.get_by_role("button", name="Copy with sources").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.count("The documents disagree") == 1
    assert "Needs review" not in copied  # all of it is proved
    page.locator(".brand").click()
    assert "The documents disagree" in page.locator(".past").inner_text()
    eyes.check(quoting)


def test_nothing_is_called_newest_by_the_time_of_a_file(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    side = {"n": 1, "quote": "After one year you get 28 days.", "first_line": 10, "last_line": 10, "dated": ""}
    sides = [side | {"value": "28 days", "modified": "2026-03-04T10:00:00+00:00"}, side | {"value": "25 days"}]
    told_as(eyes.page, answer_with(conflicts=[{"sides": sides}], claims=[claim("28 days")]))
    shown = eyes.ask(quoting).locator(".notice.conflict").inner_text()
    assert "Newest" not in shown
    assert "which one is newer is not known" in shown
    assert "File changed on Mar 4, 2026" in shown
    eyes.check(quoting)


def test_conflicts_stand_beside_each_other(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    sides = [
        {"n": 1, "value": "28 days", "quote": "After one year you get 28 vacation days.", "first_line": 10,
         "last_line": 10, "dated": "2025-02-11"},
        {"n": 1, "value": "25 days", "quote": "In the first year you get\n25 vacation days.", "first_line": 10,
         "last_line": 11, "dated": "2023-01-01"},
    ]  # fmt: skip
    notices = [{"code": "not_mentioned", "text": "the cited passages do not mention France", "severity": "notice"}]
    claims = [claim("After one year you get 28 vacation days.", citations=[1], evidence=[sides[0]])]
    told_as(eyes.page, answer_with(conflicts=[{"sides": sides}], problems=notices, claims=claims))
    page = eyes.ask(quoting)
    shown = page.locator(".sides li")
    assert "28 days" in shown.nth(0).inner_text()
    assert "Newest" in shown.nth(0).inner_text()
    assert "25 days" in shown.nth(1).inner_text()
    boxes = [shown.nth(n).bounding_box() for n in (0, 1)]
    assert len({box["y"] for box in boxes if box}) == 1
    eyes.shoot("conflict")
    shown.nth(1).locator(".cite").click()
    page.wait_for_selector("#source mark")
    assert page.locator("#source mark").all_inner_texts() == ["In the first year you get", "25 vacation days."]
    eyes.check(quoting)


def test_every_claim_is_marked_or_listed(opens: Opens, quoting: Running) -> None:
    """What the answer does not hold word for word is told below it with its mark, never lost."""
    text = (
        "# Leave\n\n- After **one year** you get `28` vacation\n  days. [1]\n- There are two documents.\n\n| a | b |\n"
        "|---|---|\n| Five days | carry over |\n\nAsk \\[HR]. Ask \\[HR]."
    )
    claims = [
        claim("After one year you get 28 vacation days.", citations=[1]),
        claim("There are two documents.", "uncited", about="sources"),
        claim("| Five days | carry over |", "unsupported", reason="another subject"),
        claim("Ask [HR].", "uncited"),
        claim("Ask [HR].", "uncited"),
        claim("This stands nowhere.", "bad_citation", reason="[9] is no passage"),
    ]
    eyes = opens()
    told_as(eyes.page, answer_with(answer=text, claims=claims))
    page = eyes.ask(quoting)
    marks = page.locator(".text .mark").evaluate_all("nodes => nodes.map(n => n.className.split('-')[1])")
    assert marks == ["proved", "about", "unproved", "uncited", "uncited"]
    assert page.locator(".claim .claim").count() == 0  # the second of two equal sentences has the second mark
    assert page.locator(".left li").inner_text().strip() == "This stands nowhere."
    assert page.locator(".left .mark-unproved").count() == 1
    assert "[HR]" in page.locator(".text").inner_text()
    eyes.shoot("marks")
    eyes.check(quoting)


def test_a_claim_told_again_replaces_its_mark_and_a_retry_withdraws(opens: Opens, quoting: Running) -> None:
    text = "After one year you get 28 vacation days. [1]"
    told = [
        ("search", {"lang": "en", "passages": [], "limit": {}, "nearest": None}),
        ("token", {"text": "Wrong at first. "}),
        ("claim", {"index": 0, "claim": claim("Wrong at first.", "unsupported")}),
        ("retry", {"attempt": 2, "why": ["wrong"]}),
        ("token", {"text": text}),
        ("claim", {"index": 0, "claim": claim("After one year you get 28 vacation days.", "unsupported")}),
        ("claim", {"index": 0, "claim": claim("After one year you get 28 vacation days.")}),
    ]
    eyes = opens()
    page = eyes.open(quoting)
    page.evaluate(
        """async told => {
          const { run } = await import("/web/ask.js");
          const lines = told.map(([name, data]) => `event: ${name}\\ndata: ${JSON.stringify(data)}\\n\\n`);
          window.fetch = async () => new Response(new ReadableStream({ start(to) {
            for (const line of lines) to.enqueue(new TextEncoder().encode(line));
          } }), { headers: { "content-type": "text/event-stream" } });
          run("Q?", "x");
        }""",
        told,
    )
    page.wait_for_selector(".text .mark-proved")
    assert page.locator(".text .mark").count() == 1
    assert "Wrong" not in page.locator(".text").inner_text()
    assert page.locator(DONE).count() == 0


# --- not found, errors, judgement ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("since", "until"), [("gestern", ""), ("2026", "2025"), ("2026-13", "")])
def test_a_bad_date_in_the_search_is_told_in_plain_words(
    opens: Opens, quoting: Running, since: str, until: str
) -> None:
    eyes = opens(locale="de-DE")
    eyes.may_fail = True
    page = eyes.open(quoting, f"/search?q=Urlaub&since={since}&until={until}")
    told = page.locator("#hits [role=alert]")
    told.wait_for()
    assert "2026-03" in told.inner_text()
    assert "the body" not in told.inner_text()
    assert page.locator("#search-since").get_attribute("aria-invalid") == "true"
    assert page.locator("#search-since").get_attribute("aria-describedby") == "bad-date"
    eyes.shoot("bad-date")
    page.fill("#search-since", "2020")
    page.fill("#search-until", "")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hits")
    assert page.locator("#search-since").get_attribute("aria-invalid") is None
    eyes.check(quoting)


def test_the_search_counts_in_the_order_that_is_shown(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    hit = {"source": "leave.md", "title": "Leave", "heading": "Leave > Vacation", "lines": "L8-12", "dated": "",
           "text": "x", "score": 0.4, "coverage": 0.5, "gave": {"vectors": 0.4}, "passed_by": "vector"}  # fmt: skip
    hits = [{**hit, "passed": passed} for passed in (True, False, True, False)]
    limit = {"min_score": 0.35, "min_coverage": 0.5, "fits": True, "why": ""}
    eyes.page.route("**/search", lambda route: route.fulfill(json={"hits": hits, "limit": limit})
                    if route.request.method == "POST" else route.continue_())  # fmt: skip
    page = eyes.open(quoting, "/search?q=vacation")
    page.wait_for_selector(".hits")
    assert page.locator(".rank").all_inner_texts() == ["1", "2", "3", "4"]
    eyes.check(quoting)


def test_not_found_shows_what_was_nearest_and_takes_a_wish(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    posted: list[Any] = []

    def stored(route: "Route") -> None:
        posted.append(route.request.post_data_json)
        route.continue_()

    eyes.page.route("**/feedback", stored)
    page = eyes.ask(quoting, "Where can I see the menu of the cafeteria?")
    assert page.locator("article").get_attribute("data-status") == "not_found"
    assert "nothing in the documents matched well enough" in page.locator("article .status").inner_text()
    assert page.locator(".nearest .card").count() >= 1
    assert page.locator(".cite").count() == 0
    eyes.shoot("not-found")
    page.locator(".nearest .card").first.click()
    page.wait_for_selector("#source .cited")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="This should be in the documents").click()
    until(page, "document.activeElement.id === 'note'")
    page.keyboard.type("The menu is asked for daily.")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you").first.wait_for()
    (told,) = posted
    assert (told["verdict"], told["note"]) == ("should_be_found", "The menu is asked for daily.")
    assert len(told["answer"]) == 32
    eyes.check(quoting)


def test_a_wrong_refusal_is_told_apart_from_a_wish(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="de-DE", viewport={"width": 375, "height": 720}, color_scheme="dark")
    posted: list[Any] = []

    def stored(route: "Route") -> None:
        posted.append(route.request.post_data_json)
        route.fulfill(json={"stored": True})

    eyes.page.route("**/feedback", stored)
    page = eyes.ask(quoting, "Where can I see the menu of the cafeteria?")
    assert page.locator(".feedback button").all_inner_texts() == [
        "Das sollte in den Dokumenten stehen", "Das steht in den Dokumenten"]  # fmt: skip
    eyes.shoot("wrong-refusal")
    page.get_by_role("button", name="Das steht in den Dokumenten").click()
    until(page, "document.activeElement.id === 'note'")
    assert "Das steht in den Dokumenten" in page.locator(".note label").inner_text()
    page.keyboard.type("leave.md")
    page.locator(".note .primary").click()
    page.locator(".feedback").get_by_text("Danke").wait_for()
    assert [(told["verdict"], told["note"]) for told in posted] == [("wrong", "leave.md")]
    eyes.check(quoting)


@pytest.mark.parametrize(
    ("status", "code", "hides"), [(404, "no_such_path", True), (404, "unknown_answer", False), (503, "store", False)]
)
def test_judging_an_answer(opens: Opens, quoting: Running, status: int, code: str, hides: bool) -> None:
    eyes = opens()
    eyes.may_fail = True
    told = {"code": code, "detail": "Not today."}
    eyes.page.route("**/feedback", lambda route: route.fulfill(status=status, json=told))
    page = eyes.ask(quoting)
    page.get_by_role("button", name="Wrong").click()
    until(page, "document.activeElement.id === 'note'")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Right").click()
    page.get_by_role("button", name="Send").click()
    if hides:
        page.wait_for_selector(".feedback", state="detached")
    else:
        page.get_by_text("Not today.").wait_for()
        eyes.shoot("not-stored")
    eyes.check(quoting)


def test_an_error_is_told_and_can_be_tried_again(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    eyes.may_fail = True
    told = {"code": "model_unavailable", "detail": "Ollama at 127.0.0.1:11434 does not answer. Start it: ollama serve"}
    eyes.page.route("**/ask/stream", lambda route: route.fulfill(status=503, json=told))
    page = eyes.open(quoting)
    page.keyboard.type(VACATION)
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert "The model does not answer" in page.locator("[role=alert]").inner_text()
    assert "ollama serve" in page.locator("[role=alert]").inner_text()
    eyes.shoot("error")
    page.unroute("**/ask/stream")
    page.route("**/ask/stream", lambda route: route.abort())
    page.get_by_role("button", name="Ask again").click()
    page.get_by_text("cannot be reached").wait_for()
    page.unroute("**/ask/stream")
    page.route("**/ask/stream", lambda route: route.fulfill(content_type="text/event-stream", body=": waiting\n\n"))
    page.get_by_role("button", name="Ask again").click()
    page.get_by_text("broke before").wait_for()
    page.unroute("**/ask/stream")
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_selector(DONE)
    eyes.check(quoting)


SIGN_ON = "<!doctype html><title>Sign in</title><form><button>Sign in with your company</button></form>"


@pytest.mark.parametrize(
    ("lang", "reply", "told"),
    [
        ("en-US", {"status": 403, "content_type": "text/html", "body": SIGN_ON}, "Your sign-in may have ended"),
        ("de-DE", {"status": 200, "content_type": "text/html", "body": SIGN_ON}, "Anmeldung ist vielleicht abgelaufen"),
        ("en-US", {"status": 302, "headers": {"Location": "https://sso.example/"}}, "Your sign-in may have ended"),
        ("en-US", {"status": 502, "content_type": "text/html", "body": "Bad Gateway"}, "cannot be reached"),
    ],
)
def test_a_sign_on_that_has_ended_is_told_and_reloaded(
    opens: Opens, quoting: Running, lang: str, reply: dict[str, Any], told: str
) -> None:
    eyes = opens(locale=lang)
    eyes.may_fail = True
    page = eyes.ask(quoting)
    page.route("**/feedback", lambda route: route.fulfill(**reply))
    page.locator(".feedback button").first.click()
    page.locator("form.note .primary").click()
    page.locator(".failed").wait_for()
    if reply["status"] != 502:
        assert told in page.locator(".failed").inner_text()
    page.route("**/ask/stream", lambda route: route.fulfill(**reply))
    page.fill("#question", VACATION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice[role=alert]")
    alert = page.locator(".notice[role=alert]")
    assert told in alert.inner_text()
    assert "HTTP" not in alert.inner_text()
    page.unroute("**/ask/stream")
    if reply["status"] != 502:
        eyes.shoot("signed-out")
        page.evaluate("window.before = true")
    alert.get_by_role("button").click()
    page.wait_for_selector(DONE)
    if reply["status"] != 502:
        assert page.evaluate("window.before") is None, "the page was loaded anew"


# --- search, looks, languages -------------------------------------------------------------------------------------


def test_the_search_shows_the_limit_between_the_passages(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.open(quoting)
    page.get_by_role("link", name="Search").click()
    page.fill("#search-text", "vacation days")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hit")
    assert "/search?q=vacation+days" in page.url
    kinds = page.locator(".hits > li").evaluate_all("nodes => nodes.map(node => node.className)")
    assert kinds.index("limit") > 0
    assert set(kinds[: kinds.index("limit")]) == {"hit"}
    assert set(kinds[kinds.index("limit") + 1 :]) <= {"hit under"}
    assert re.search(r"Ranked by meaning 0\.\d\d \+ words 0\.\d\d", page.locator(".hit").first.inner_text())
    eyes.shoot("search")
    page.fill("#search-path", "travel.md")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.hit').length === 1")
    page.locator(".hit-open").click()
    page.wait_for_selector("#source .cited")
    page.keyboard.press("Escape")
    page.go_back()
    until(page, "document.querySelectorAll('.hit').length > 1")
    page.fill("#search-since", "soon")
    page.keyboard.press("Enter")
    eyes.may_fail = True
    page.wait_for_selector("#hits [role=alert]")
    eyes.check(quoting)


def test_dark_by_the_system_and_by_the_switch(opens: Opens, quoting: Running) -> None:
    def paper(page: "Page") -> Any:
        return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    eyes = opens(color_scheme="dark")
    page = eyes.ask(quoting)
    dark = paper(page)
    page.locator(".cite").first.click()
    page.wait_for_selector("#source mark")
    eyes.shoot("dark")
    page.get_by_role("button", name="Switch to light").click()
    assert paper(page) != dark
    page.reload()
    page.wait_for_selector(DONE)
    assert paper(page) != dark
    page.get_by_role("button", name="Switch to dark").click()
    assert paper(page) == dark
    eyes.check(quoting)


def test_on_a_phone(opens: Opens, quoting: Running) -> None:
    eyes = opens(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = eyes.open(quoting)
    page.wait_for_selector(".example")
    eyes.shoot("phone-empty")
    page.fill("#question", VACATION)
    page.locator("#send").tap()
    page.wait_for_selector(DONE)
    eyes.shoot("phone")
    page.locator(".cite").first.tap()
    page.wait_for_selector("#source mark")
    assert page.evaluate("document.querySelector('#source').matches(':modal')")
    eyes.shoot("phone-source")
    page.keyboard.press("Escape")
    assert not page.locator("#source").is_visible()
    page.goto(f"http://127.0.0.1:{quoting.port}/search?q=vacation")
    page.wait_for_selector(".hit")
    eyes.shoot("phone-search")
    page.locator("#state summary").tap()
    page.wait_for_selector("#state dl")
    eyes.shoot("phone-state")
    eyes.check(quoting)


def test_in_german(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="de-DE")
    page = eyes.ask(quoting, "Wie viele Tage Urlaub hat jeder Mitarbeiter?")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.locator("article .status").inner_text() == "Wörtlich zitiert"
    assert "30 Tage Urlaub" in page.locator(".text").inner_text()
    page.locator("#state summary").click()
    page.wait_for_selector("#state dl")
    eyes.shoot("german")
    eyes.check(quoting)


def test_from_right_to_left(opens: Opens, quoting: Running) -> None:
    eyes = opens(locale="ar")
    page = eyes.ask(quoting, "كم يوم إجازة سنوية يحصل عليها الموظف؟")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    direction = "node => getComputedStyle(node).direction"
    bidi = "node => getComputedStyle(node).unicodeBidi"  # each line of a mixed text has its own direction
    assert page.locator(".text p, .text li").last.evaluate(bidi) == "plaintext"
    assert page.locator("#question").evaluate(direction) == "rtl"
    page.locator(".cite").first.click()
    page.wait_for_selector("#source mark")
    eyes.shoot("arabic")
    page.keyboard.press("Escape")
    page.fill("#question", VACATION)
    assert page.locator("#question").evaluate(direction) == "ltr"
    eyes.check(quoting)


def test_in_every_language_the_frame_fits(opens: Opens, quoting: Running) -> None:
    for locale in ("fr-FR", "es-ES", "zh-CN"):
        eyes = opens(locale=locale, viewport={"width": 360, "height": 740})
        page = eyes.open(quoting, "/search")
        assert page.evaluate("document.documentElement.lang") == locale[:2]
        eyes.shoot(f"phone-search-{locale[:2]}")
        eyes.check(quoting)


def test_the_state_of_the_index(opens: Opens, quoting: Running) -> None:
    eyes = opens()
    page = eyes.open(quoting)
    page.locator("#state summary").click()
    page.wait_for_selector("#state dl")
    told = page.locator("#state-more").inner_text()
    for part in ("Documents", "5", "Last change read", "Limit", "0.35", "Model", "embedded/use+minilm"):
        assert part in told
    eyes.shoot("state")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert not page.locator("#state dl").is_visible()
    eyes.check(quoting)


def test_signing_in_with_a_token_and_out(opens: Opens, docs: Path, tmp_path: Path) -> None:
    with Held() as double, running(double.settings(docs, auth="tokens", db=tmp_path / "index.db")) as service:
        connection = connect(service.settings.db)
        token, text = tokens.make(connection, "user:42")
        eyes = opens()
        eyes.may_fail = True
        page = eyes.open(service)
        page.wait_for_selector("#sign-in[open]")
        assert page.evaluate("document.activeElement.id") == "token"
        eyes.shoot("sign-in")
        for wrong in ("cb_of_nobody", "two words", text[:-1]):
            page.fill("#token", wrong)
            page.keyboard.press("Enter")
            page.wait_for_timeout(300)
            assert page.locator("#token-wrong").inner_text() == "This token does not hold here."
        eyes.shoot("sign-in-wrong")
        page.fill("#token", f" {text} ")
        page.keyboard.press("Enter")
        until(page, "!document.querySelector('#sign-in').open")
        until(page, "document.querySelector('#state').dataset.kind === 'ready'")
        assert page.locator("#state-word").inner_text() == "Ready"
        eyes.ask(service)  # loads the page anew: the tab has kept the token
        eyes.shoot("signed-in")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_selector("#sign-in[open]")
        assert page.evaluate("Object.values(sessionStorage).join()") in ("", "[]")
        assert page.locator("#history li").count() == 0
        page.keyboard.press("Escape")
        page.wait_for_timeout(3500)  # the state is looked at again, and does not ask
        assert not page.locator("#sign-in").evaluate("box => box.open")
        assert page.locator("#state-word").inner_text() == "Not signed in"
        page.locator("#question").fill(VACATION)
        page.keyboard.press("Enter")
        page.wait_for_selector("#sign-in[open]")
        page.fill("#token", text)
        page.keyboard.press("Enter")
        page.wait_for_selector(DONE)
        tokens.revoke(connection, token.id)
        connection.close()
        page.locator("#question").fill("How many days carry over?")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sign-in[open]")
        page.keyboard.press("Escape")
        page.wait_for_selector(".notice.bad")
        assert "Not signed in" in page.locator(".notice.bad").inner_text()
        eyes.check(service)


# --- what a text may not do ---------------------------------------------------------------------------------------

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">", "<script>document.title='owned'</script>",
    "[a link](https://evil.example/?q=1)", "![a picture](https://evil.example/x.png)", "<https://evil.example>",
    "[x]: https://evil.example\n\n[x]", "<iframe src=https://evil.example></iframe>", "javascript:alert(1)",
    "**<b onmouseover=alert(1)>x</b>**", "`<svg/onload=alert(1)>`", "```html\n<script>alert(1)</script>\n```",
    "| <img src=x> | b |\n|---|---|\n| <i>c</i> | d |", "- <form action=https://evil.example>",
    "<style>*{display:none}</style>", "&lt;img src=x&gt;", "{{constructor.constructor('alert(1)')()}}",
]  # fmt: skip


def test_nothing_that_is_told_becomes_markup(opens: Opens, quoting: Running) -> None:
    text = "\n\n".join(HOSTILE)
    eyes = opens()
    evil = {"source": HOSTILE[0], "title": HOSTILE[1], "heading": HOSTILE[0], "also": [HOSTILE[1]], "dated": HOSTILE[0]}
    source = answer_with()["sources"][0] | evil | {"link": "javascript:alert(1)", "quote": HOSTILE[0]}
    problems = [{"code": "x", "text": HOSTILE[0], "severity": severity} for severity in ("error", "notice")]
    claims = [claim(HOSTILE[0], "unsupported", reason=HOSTILE[1])]
    told_as(
        eyes.page,
        answer_with(
            answer=text, sources=[source], problems=problems, claims=claims, needs_review=True, model=HOSTILE[0]
        ),
    )
    eyes.may_fail = True  # the source is no document
    page = eyes.ask(quoting, HOSTILE[0])
    page.locator(".card").click()
    page.get_by_text("could not be opened").wait_for()
    for tag in ("img", "script", "iframe", "form", "style", "b", "i"):
        assert page.locator(f"#result {tag}, #source {tag}").count() == 0, tag
    assert page.locator("#result a, #source a").count() == 0
    shown = page.locator(".text").inner_text()
    for part in ("<img src=x onerror", "<script>", "![a picture](https://evil.example/x.png)", "&lt;img"):
        assert part in shown
    assert "owned" not in page.title().replace(HOSTILE[0], "")
    eyes.check(quoting)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Plain.", "<p>Plain.</p>"),
        ("One.\n\nTwo.\nThree.", "<p>One.</p><p>Two.<br>Three.</p>"),
        ("A **b** *c* `d*e*`", "<p>A <strong>b</strong> <em>c</em> <code>d*e*</code></p>"),
        ("**b [1]** x", "<p><strong>b <cite>1</cite></strong> x</p>"),
        ("A [1][2] \\[3] [9]", "<p>A <cite>1</cite><cite>2</cite> [3] [9]</p>"),
        ("`[1]` a", "<p><code>[1]</code> a</p>"),
        ("```\n[1] **a**\n```\nB", "<pre><code>[1] **a**</code></pre><p>B</p>"),
        ("```\nopen [1]", "<pre><code>open [1]</code></pre>"),
        ("- a\n- b\n  - c\n- d", "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"),
        ("3. a\n\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("- a [1]\n    code", "<ul><li>a <cite>1</cite><br>code</li></ul>"),
        ("- a\n  goes on [1]", "<ul><li>a goes on <cite>1</cite></li></ul>"),
        ("Lead:\n- a", "<p>Lead:</p><ul><li>a</li></ul>"),
        ("# H\nText", "<p>H</p><p>Text</p>"),
        ("> q\n> r", "<blockquote><p>q<br>r</p></blockquote>"),
        ("2 * 3 * 4 and snake_case_name", "<p>2 * 3 * 4 and snake_case_name</p>"),
        ("**open", "<p>**open</p>"),
        ("", ""),
        (
            "| a | b |\n|--|--|\n| c [1] | d |",
            "<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c <cite>1</cite></td>"
            "<td>d</td></tr></tbody></table></div>",
        ),
    ],
)
def test_the_renderer(opens_once: "Page", text: str, wanted: str) -> None:
    made = opens_once.evaluate(
        """async text => {
          const { render } = await import("/web/render.js");
          const place = document.createElement("div");
          const cite = n => n < 9 ? Object.assign(document.createElement("cite"), { textContent: n }) : null;
          for (const end of [text.length >> 1, text.length]) render(place, text.slice(0, end), cite);
          return place.innerHTML.replace(/ (?:dir|class|tabindex)="[^"]*"/g, "");
        }""",
        text,
    )
    assert made == wanted


@pytest.fixture(scope="module")
def opens_once(browser: "Browser", quoting: Running) -> Iterator["Page"]:
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{quoting.port}/")
    yield page
    page.close()


# --- on other pages -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def intranet() -> Iterator[str]:
    """Another origin with one page, whose own policy lets only the box's server in."""
    page = "<!doctype html><html lang=en><title>Intranet</title><h1>Intranet</h1><main></main></html>"

    class Page(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 204)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

    served = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    served.daemon_threads = True
    threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://localhost:{served.server_address[1]}"
    finally:
        served.shutdown()
        served.server_close()


def test_the_box_on_another_page(opens: Opens, docs: Path, quoting: Running) -> None:
    with intranet() as nobody:
        eyes = opens()
        eyes.page.goto(nobody)
        eyes.page.evaluate(EMBEDS, f"http://127.0.0.1:{quoting.port}/embed.js")
        frame = eyes.page.frame_locator("iframe")
        frame.get_by_text(f"BRAIN_ALLOWED_ORIGINS={nobody}").wait_for()  # not listed: nothing else is shown
        assert frame.locator("#question").count() == 0
        eyes.shoot("embed-not-listed")
        eyes.page.evaluate(FRAMES, f"http://127.0.0.1:{quoting.port}/embed")
        eyes.page.wait_for_timeout(1000)
        assert "frame-ancestors" in " ".join(eyes.said)  # without its name the browser refuses to show it
    with intranet() as listed:
        settings = settings_for(docs, min_score=0.35, db=docs.parent / "embed.db", allowed_origins=listed)
        with running(settings) as service:
            service.ready(seconds=120)
            eyes = opens()
            page = eyes.page
            page.goto(listed)
            page.evaluate(EMBEDS, f"http://127.0.0.1:{service.port}/embed.js")
            frame = page.frame_locator("iframe")
            frame.locator("html[lang=de]").wait_for()
            frame.locator("#question").fill("Wie viele Tage Urlaub hat jeder Mitarbeiter?")
            frame.locator("#question").press("Enter")
            frame.locator(DONE).wait_for()
            assert frame.locator("html").get_attribute("lang") == "de"
            assert "30 Tage Urlaub" in frame.locator(".text").inner_text()
            frame.locator(".cite").first.click()
            frame.locator("#source mark").first.wait_for()
            page.wait_for_timeout(300)
            box = page.locator("iframe").bounding_box()
            inside = frame.locator("#page").bounding_box()
            assert box
            assert inside
            assert box["height"] >= inside["height"] - 1  # nothing has to be scrolled within
            eyes.shoot("embed")
            assert eyes.said == []


FRAMES = """address => {
  const frame = document.createElement("iframe");
  frame.src = address;
  document.querySelector("main").append(frame);
}"""
EMBEDS = """address => {
  const script = document.createElement("script");
  script.src = address;
  script.dataset.lang = "de";
  document.querySelector("main").append(script);
}"""


# --- an answer from facts -----------------------------------------------------------------------------------------


def test_an_answer_from_facts_tells_the_status_of_each_and_how_it_was_found(opens: Opens, tmp_path: Path) -> None:
    table = "| Service | Owner | Depends on |\n|---|---|---|\n| quay-plan | Team Heron | tide-feed |\n"
    write(tmp_path / "docs", {"services.md": f"---\ndate: 2020-01-01\n---\n\n# Services\n\n{table}"})
    with running(settings_for(tmp_path / "docs")) as service:
        service.ready()
        eyes = opens()
        page = eyes.open(service)
        page.fill("#question", "Who owns quay-plan?")
        page.keyboard.press("Enter")
        page.wait_for_selector(DONE)
        assert page.locator("article").get_attribute("data-status") == "answered"
        assert page.locator(".text .badge.warn").all_inner_texts() == ["not confirmed for long"]
        told = page.locator(".text").inner_text()
        assert "Team Heron owns quay-plan" in told
        assert "(last confirmed 2020-01-01)" in told
        assert page.locator(".text .cite").all_inner_texts() == ["1"]
        assert page.locator(".byfacts").inner_text().startswith("Found in the company’s facts by chain")
        eyes.check(service)
