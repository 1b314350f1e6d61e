"""The auditors' page in a real browser: the chain, the log, who could have seen a document, what an answer knew.

Needs what tests/test_page.py needs. Try: pytest tests/test_audit_page.py
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from access import AccessList, tokens
from access.audit import add
from access.history import memberships_changed, rights_changed
from database import lasting
from storage.schema import connect
from tests import test_page
from tests.served import VACATION, Held, Running, running, write_docs
from tests.test_audit import unguarded
from tests.test_page import HOSTILE, Opens, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

browser, opens, pytestmark = test_page.browser, test_page.opens, test_page.pytestmark
PATH = "pay & <img src=x onerror=\"document.title='owned'\">.md"
ROWS = ".log > li"
CHAIN = "#chain[data-state]:not([hidden])"
SHOWN = "#found:not([aria-busy]) > *"


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server where people sign in, with a log of a few questions, rights and memberships."""
    docs = write_docs(tmp_path_factory.mktemp("audited") / "docs")
    (docs / "access.toml").write_text("[allow]\n'**' = ['everyone']\n", encoding="utf-8")
    with Held() as double, running(double.settings(docs, auth="tokens", follow=False)) as service:
        service.client.headers["authorization"] = f"Bearer {made(service, 'user:ada', 'ask', 'operate')}"
        service.ready()
        asked = service.ask().json()
        judged = service.client.post("/feedback", json={"answer": asked["id"], "verdict": "right"})
        assert judged.status_code == 200
        helper = {
            "authorization": f"Bearer {made(service, 'agent:helpdesk', 'ask', 'act')}",
            "x-acting-for": "user:mina",
        }
        service.client.post("/ask", json={"text": VACATION}, headers=helper)
        with contextlib.closing(connect(service.settings.db)) as connection, lasting(connection):
            memberships_changed(connection, {"user:ada": ["group:a"], "group:a": ["group:hr"], "user:bob": []})
            rights_changed(connection, PATH, AccessList(frozenset({"group:hr"}), None, frozenset({"user:bob"})))
            memberships_changed(connection, {f"user:n{n}": ["group:a"] for n in range(300)})
            for text in HOSTILE:
                shown = [{"path": text, "version": text, "lines": "L1", "as": "shown", "also": [text]}]
                add(connection, "search", text, {"question": text, "status": text, "documents": shown, "for": text})
                add(connection, "export", text, {"action": text, text: [text, {text: text}]})
        yield service


def made(service: Running, who: str, *scopes: str) -> str:
    with contextlib.closing(connect(service.settings.db)) as connection:
        return tokens.make(connection, who, scopes)[1]


@pytest.fixture
def auditor(opens: Opens, audited: Running) -> "test_page.Eyes":
    return signed_in(opens, audited)


def signed_in(opens: Opens, service: Running, **chosen: object) -> "test_page.Eyes":
    eyes = opens(**chosen)
    text = json.dumps(made(service, "user:eve", "audit"))
    eyes.page.add_init_script(f"try {{ sessionStorage.setItem('brain.token', {text}); }} catch {{}}")
    return eyes


def shown(eyes: "test_page.Eyes", service: Running, query: str = "") -> "Page":
    page = eyes.open(service, f"/auditor{query}")
    page.wait_for_selector(CHAIN)
    page.wait_for_selector(SHOWN)
    return page


def test_who_comes_is_asked_for_a_token_and_then_sees_the_log(opens: Opens, audited: Running) -> None:
    eyes = opens()
    eyes.may_fail = True
    page = eyes.open(audited, "/auditor?kind=question")
    page.wait_for_selector("#sign-in[open]")
    eyes.shoot("audit-sign-in")
    page.fill("#token", made(audited, "user:eve", "audit"))
    page.keyboard.press("Enter")
    page.wait_for_selector(ROWS)
    page.wait_for_selector(CHAIN)
    assert page.locator("#log-kind").input_value() == "question"
    assert "user:ada" in page.locator(ROWS).last.inner_text()
    assert "28 vacation days" not in page.locator("#found").inner_text(), "the log keeps no answers"
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_selector("#sign-in[open]")
    assert page.locator(ROWS).count() == 0
    eyes.check(audited)


def test_who_is_no_auditor_is_told_so_and_nothing_else(opens: Opens, audited: Running) -> None:
    eyes = opens()
    eyes.may_fail = True
    text = json.dumps(made(audited, "user:bob", "ask"))
    eyes.page.add_init_script(f"sessionStorage.setItem('brain.token', {text})")
    page = eyes.open(audited, "/auditor")
    page.locator("#found [role=alert]").wait_for()
    assert page.locator("#found").inner_text() == (
        "This page is for auditors. What you signed in with does not include it."
    )
    assert not page.locator("#chain").is_visible()
    eyes.shoot("audit-not-yours")
    eyes.check(audited)


def test_the_log_is_filtered_by_form_and_address_and_pages_back(auditor: "test_page.Eyes", audited: Running) -> None:
    with contextlib.closing(connect(audited.settings.db)) as connection, lasting(connection):
        for number in range(120):
            add(connection, "sync", "user:many", {"added": number})
    page = shown(auditor, audited, "?caller=user:many")
    assert page.locator(ROWS).count() == 50
    assert "added 119" in page.locator(ROWS).first.inner_text()
    page.get_by_role("link", name="Older rows").click()
    until(page, "document.querySelector('.log > li')?.textContent.includes('69')")
    page.get_by_role("link", name="Older rows").click()
    until(page, "document.querySelectorAll('.log > li').length === 20")
    assert page.get_by_role("link", name="Older rows").count() == 0
    page.go_back()
    until(page, "document.querySelectorAll('.log > li').length === 50")
    page.get_by_role("link", name="Newest rows").click()
    until(page, "document.querySelector('.log > li')?.textContent.includes('119')")
    page.select_option("#log-kind", "question")
    page.fill("#log-caller", "user:mina")
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.log > li').length === 1")
    assert "caller=user%3Amina" in page.url
    assert "agent:helpdesk for user:mina" in " ".join(page.locator(ROWS).inner_text().split())
    auditor.shoot("audit-log")
    page.locator("summary", has_text="Row").click()
    page.wait_for_selector(".log pre")
    assert '"for": "user:mina"' in page.locator(".log pre").inner_text()
    auditor.shoot("audit-row")
    page.fill("#log-caller", "user:nobody")
    page.keyboard.press("Enter")
    page.get_by_text("No row fits.").first.wait_for()
    page.get_by_role("link", name="All rows").click()
    until(page, "document.querySelectorAll('.log > li').length === 50")
    assert "Rows shown: 50" in page.locator("#live").inner_text()
    auditor.check(audited)


def test_from_a_question_to_what_was_known_and_who_could_have_seen_it(
    auditor: "test_page.Eyes", audited: Running
) -> None:
    page = shown(auditor, audited, "?kind=question&caller=user:ada")
    page.get_by_role("link", name="What was known").first.click()
    page.wait_for_selector(".answered-to")
    told = page.locator("#found").inner_text()
    for part in (VACATION, "user:ada", "Answered", "Right", "leave.md", "lines ", "Cited", "score 0.20", "everyone"):
        assert part in told, part
    assert page.evaluate("document.activeElement.id") == "main", "the link that was followed is gone"
    auditor.shoot("audit-answer")
    page.locator(".passages a").first.click()
    page.wait_for_selector(".wide-table")
    assert page.locator("#seen-document").input_value() == "leave.md"
    rows = page.locator(".wide-table tbody tr")
    assert "Was shown it: 1×" in rows.first.inner_text()
    assert page.locator(".spans").inner_text().split()[-1] == "everyone"
    auditor.shoot("audit-seen")
    page.go_back()
    page.wait_for_selector(".answered-to")
    auditor.check(audited)


def test_a_name_that_is_markup_stays_a_name_and_all_people_are_shown(
    auditor: "test_page.Eyes", audited: Running
) -> None:
    page = auditor.open(audited, "/auditor?view=seen")
    assert page.evaluate("document.activeElement.id") == "seen-document"
    assert page.locator("#seen-on").input_value() != "", "today is meant until another day is"
    page.fill("#seen-document", PATH)
    page.keyboard.press("Enter")
    page.wait_for_selector(".wide-table")
    assert page.locator("#found h2").first.inner_text().startswith(PATH)
    assert page.locator("#found img").count() == 0
    assert page.locator(".wide-table tbody tr").count() == 200
    page.get_by_role("button", name="Show all 301").click()
    rows = page.locator(".wide-table tbody tr")
    assert rows.count() == 301
    assert "group:hr through group:a" in rows.first.inner_text()
    assert "user:bob" not in page.locator(".wide-table").inner_text()
    assert "user:bob" in page.locator(".spans").inner_text()
    assert "owned" not in page.title()
    auditor.check(audited)


def test_nothing_that_stands_in_the_log_becomes_markup(auditor: "test_page.Eyes", audited: Running) -> None:
    for kind in ("search", "export"):
        page = shown(auditor, audited, f"?kind={kind}")
        assert page.locator(ROWS).count() == len(HOSTILE)
        for summary in page.locator("summary").all():
            summary.click()
        page.wait_for_timeout(200)
        for tag in ("img", "script", "iframe", "form", "style", "b", "i"):
            assert page.locator(f"#found {tag}").count() == 0, tag
        addresses = page.locator("#found a").evaluate_all("links => links.map(link => link.pathname)")
        assert set(addresses) == {"/auditor"}
        assert HOSTILE[0] in page.locator("#found").inner_text()
        auditor.shoot(f"audit-hostile-{kind}")
    assert "owned" not in page.title()
    auditor.check(audited)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("?view=answer&id=00000000", "holds no answer of this id"),
        ("?view=answer&id=x", "4 to 32 of the digits"),
        ("?view=seen&document=leave.md&on=yesterday", "Write a day as 2026-11-30."),
        ("?since=yesterday", "is no day and no moment"),
        ("?kind=nothing", "There is no kind"),
        ("?view=seen&document=nowhere.md&on=2026-11-30", "Nobody that the log knows of"),
        ("?view=toString", "Rows shown"),
    ],
)
def test_what_cannot_be_found_is_told_in_plain_words(
    auditor: "test_page.Eyes", audited: Running, query: str, told: str
) -> None:
    auditor.may_fail = True
    page = shown(auditor, audited, query)
    assert told in page.locator("#found").inner_text() + page.locator("#live").inner_text()
    auditor.check(audited)


def test_the_whole_chain_is_checked_and_a_changed_row_is_named(opens: Opens, tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    with Held() as double, running(double.settings(docs, follow=False)) as service:
        service.ready()
        with contextlib.closing(connect(service.settings.db)) as connection:
            with lasting(connection):
                for number in range(1100):
                    add(connection, "sync", "user:many", {"added": number})
            eyes = opens(permissions=["clipboard-read", "clipboard-write"])
            page = shown(eyes, service)
            assert "The last 1,000 of" in page.locator("#chain").inner_text()
            page.get_by_role("button", name="Copy the head").click()
            page.get_by_role("button", name="Copied").wait_for()
            head = json.loads(page.evaluate("navigator.clipboard.readText()"))
            (stored,) = connection.execute("SELECT lower(hex(hash)) FROM audit WHERE number = ?", (head["number"],))
            assert head["hash"] == stored[0]
            page.get_by_role("button", name="Check every row").click()
            until(page, "document.getElementById('chain').textContent.includes('every one of the')")
            eyes.shoot("audit-whole")
            with unguarded(connection) as other:
                other.execute("UPDATE audit SET caller = 'user:eve' WHERE number = 2")
            page.reload()
            page.wait_for_selector(CHAIN)
            page.get_by_role("button", name="Check every row").click()
            page.wait_for_selector("#chain[data-state=broken]")
            assert "row 2 is not what was written" in page.locator("#chain").inner_text()
            eyes.shoot("audit-broken")
            page.goto(f"http://127.0.0.1:{service.port}/")
            page.get_by_role("link", name="Audit log").click()
            page.wait_for_selector(ROWS)
            eyes.check(service)


@pytest.mark.parametrize("chosen", [
    {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}, {"locale": "ar"}, {"locale": "de-DE"},
], ids=lambda chosen: "-".join(map(str, chosen)))  # fmt: skip
def test_every_view_fits_in_dark_on_a_phone_and_in_other_languages(
    opens: Opens, audited: Running, chosen: dict[str, object]
) -> None:
    eyes = signed_in(opens, audited, **chosen)
    name = "-".join(str(value) for value in chosen.values() if isinstance(value, str)) or "phone"
    views = {"log": "", "seen": "?view=seen&document=leave.md&on=2026-11-30", "sign-in": "?kind=sign_in"}
    for view, query in views.items():
        shown(eyes, audited, query)
        eyes.shoot(f"audit-{name}-{view}")
    eyes.check(audited)


def test_everything_is_reached_by_the_keyboard(auditor: "test_page.Eyes", audited: Running) -> None:
    page = shown(auditor, audited, "?kind=question")
    page.locator("#log-until").focus()
    page.keyboard.press("Tab")
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(n => n.matches('summary') ? 'row' : n.textContent)(document.activeElement)"))
    assert {"row", "What was known", "agent:helpdesk", "user:mina", "user:ada"} <= reached
    page.locator("#tab-seen").focus()
    page.keyboard.press("Enter")
    until(page, "document.activeElement.id === 'seen-document'")
    auditor.check(audited)


def test_a_question_that_was_hashed_and_an_agent_s_bounds_are_told(auditor: "test_page.Eyes", audited: Running) -> None:
    body = {"id": "feedbeef" * 4, "road": "mcp", "question_hash": "ab" * 32, "status": "model_busy", "documents": [],
            "principals": ["agent:x"], "for": "user:mina", "within": [["group:hr"]], "filter": {"path": "a/*.md"},
            "by": "token:abc of user:root"}  # fmt: skip
    with contextlib.closing(connect(audited.settings.db)) as connection, lasting(connection):
        add(connection, "question", "agent:x", body)
    page = shown(auditor, audited, "?view=answer&id=feedbeef")
    told = " ".join(page.locator("#found").inner_text().split())
    for part in (
        f"Question as a hash: {'ab' * 32}", "agent:x for user:mina asked by token:abc of user:root", "model_busy",
        "Only documents path: a/*.md", "Held agent:x", "Bound by what user:mina held group:hr",
        "No passage was given to the answer.",
    ):  # fmt: skip
        assert part in told, part
    auditor.shoot("audit-hashed")
    auditor.check(audited)
