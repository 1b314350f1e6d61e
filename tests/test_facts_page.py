"""The pages about facts in a real browser: the map at /graph, sending at /ingest, decisions at /auditor.

Needs what tests/test_page.py needs. Try: pytest tests/test_facts_page.py
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from access import tokens
from storage.schema import connect
from tests import test_page
from tests.conftest import write
from tests.served import Held, Running, running
from tests.test_page import Opens, until

if TYPE_CHECKING:
    from playwright.sync_api import Route

browser, opens, pytestmark = test_page.browser, test_page.opens, test_page.pytestmark
EVIL = "<img src=x onerror=\"document.title='owned'\">"
DOCS = {
    "services.md": "---\ndate: 2026-10-01\n---\n\n# Services\n\n| Service | Owner team | Depends on | Tier |\n|---|---|---|---|\n"
    "| plan-store | Bedrock | vault | 1 |\n| billing | Moneta | plan-store | 2 |\n| maps | Roadside | | 3 |\n",
    "teams.md": "---\ndate: 2026-09-01\n---\n\n# Teams\n\n| Team | Lead |\n|---|---|\n| Bedrock | Ada Weber |\n| Moneta | Bo Lind |\n",
    "old.md": "---\ndate: 2026-08-01\n---\n\n# Owners\n\n| Service | Owner team |\n|---|---|\n| billing | Roadside |\n",
    "access.toml": "[allow]\n'**' = ['everyone']\n",
}
STATED = "#stage:not([aria-busy]) #listed .things, #stage:not([aria-busy]) #drawn:not([hidden])"
SENT = "#outcome .notice h2"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server where people sign in, over tables that state facts and one that contradicts."""
    docs = tmp_path_factory.mktemp("facts") / "docs"
    docs.mkdir()
    write(docs, DOCS)
    with Held() as double, running(double.settings(docs, auth="tokens", events_dir=docs / "events")) as service:
        service.client.headers["authorization"] = f"Bearer {token(service, 'user:root', 'ask', 'operate')}"
        service.ready()
        yield service


def token(service: Running, who: str, *scopes: str) -> str:
    with contextlib.closing(connect(service.settings.db)) as connection:
        return tokens.make(connection, who, scopes)[1]


def signed_in(opens: Opens, service: Running, *scopes: str, **chosen: object) -> "test_page.Eyes":
    eyes = opens(**chosen)
    held = json.dumps(token(service, "user:ada", *scopes))
    eyes.page.add_init_script(f"try {{ sessionStorage.setItem('brain.token', {held}); }} catch {{}}")
    return eyes


def test_a_thing_is_found_its_card_quotes_its_documents_and_its_links_lead_on(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask")
    page = eyes.open(facts, "/graph")
    page.wait_for_selector(STATED)
    assert page.locator("#told").inner_text().startswith("Things: ")
    eyes.shoot("graph")
    page.locator("#find").fill("plan-store")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="plan-store").wait_for()
    assert page.evaluate("document.activeElement.id") == "chosen"
    card = page.locator("#chosen")
    row = "| plan-store | Bedrock | vault | 1 |"
    for part in ("Service", "Bedrock", "vault", "Stated", "last confirmed Oct 1, 2026", row):
        assert part in card.inner_text(), part
    eyes.shoot("graph-card")
    card.get_by_role("button", name="services.md, line 9").first.click()
    until(page, "document.querySelector('#source mark')?.textContent.includes('plan-store')")
    eyes.shoot("graph-source")
    page.keyboard.press("Escape")
    card.get_by_role("button", name="Bedrock", exact=True).click()
    page.get_by_role("heading", name="Bedrock").wait_for()
    page.get_by_role("button", name="Around this thing").click()
    until(page, "document.getElementById('told').textContent.includes('Around Bedrock')")
    page.get_by_role("button", name="The whole map").click()
    until(page, "!document.getElementById('told').textContent.includes('Around')")
    page.go_back()
    until(page, "document.getElementById('told').textContent.includes('Around Bedrock')")
    eyes.check(facts)


def test_the_way_between_two_things_shows_the_words_of_each_step(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask")
    page = eyes.open(facts, "/graph")
    page.wait_for_selector(STATED)
    page.locator("#way summary").click()
    page.locator("#way-a").fill("Moneta")
    page.locator("#way-b").fill("vault")
    page.keyboard.press("Enter")
    page.wait_for_selector("ol.way")
    assert page.locator("ol.way > li").count() == 3
    assert "| billing | Moneta | plan-store | 2 |" in page.locator("ol.way").inner_text()
    eyes.shoot("graph-way")
    page.locator("#way-b").fill("nothing of this name")
    page.keyboard.press("Enter")
    page.get_by_text("Nothing of this name is known").wait_for()
    eyes.check(facts)


def test_kinds_relations_dates_and_the_list_narrow_the_same_map(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask")
    page = eyes.open(facts, "/graph?view=list")
    page.wait_for_selector(STATED)
    listed = page.locator("#listed")
    assert "Person (2)" in listed.inner_text()
    assert page.title() == "Graph – Company Brain"
    eyes.shoot("graph-list")
    page.get_by_role("checkbox", name="Person").focus()
    page.keyboard.press("Space")
    until(page, "!document.getElementById('listed').textContent.includes('Ada Weber')")
    assert page.evaluate("document.activeElement.value") == "Person", "the focus stays where it was"
    page.locator("#relations summary").click()
    page.get_by_role("checkbox", name="depends on").check()
    until(page, "!document.getElementById('listed').textContent.includes('Bedrock')")
    assert "plan-store" in listed.inner_text()
    eyes.shoot("graph-relations")
    page.locator("#as-of").focus()
    page.keyboard.press("Home")
    until(page, "location.search.includes('as_of=')")
    assert page.locator("#as-of").get_attribute("aria-valuetext") != "Today"
    page.get_by_label("Join the names of one thing").uncheck()
    until(page, "location.search.includes('merged=0')")
    page.wait_for_selector("#stage:not([aria-busy])")
    eyes.check(facts)


def test_nothing_that_the_server_tells_becomes_markup(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask", "write", "audit")
    page = eyes.page

    def evil(route: "Route") -> None:
        reply = route.fetch()
        route.fulfill(response=reply, body=reply.text().replace("Moneta", json.dumps(EVIL)[1:-1]))

    for address in ("**/graph/*", "**/audit/conflicts", "**/audit/merges*"):
        page.route(address, evil)
    for address in (
        "/graph?view=list&thing=Service/billing", "/graph?a=Service/billing&b=Team/moneta", "/auditor?view=conflicts",
    ):  # fmt: skip
        eyes.open(facts, address)
        page.get_by_text(EVIL).first.wait_for()
        assert page.locator("main img").count() == 0
    assert "owned" not in page.title()
    eyes.check(facts)


def test_the_map_is_moved_by_keys_and_a_thing_is_chosen_by_pointer(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask")
    page = eyes.open(facts, "/graph?types=Person")
    page.wait_for_selector(STATED)
    page.wait_for_timeout(300)
    canvas = page.locator("#canvas")
    before = canvas.screenshot()
    canvas.focus()
    for key in ("ArrowLeft", "ArrowUp", "+"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    assert canvas.screenshot() != before
    page.keyboard.press("0")
    page.wait_for_timeout(200)
    box = canvas.bounding_box()
    assert box
    for across in range(4, 97, 1):
        page.mouse.move(box["x"] + box["width"] * across / 100, box["y"] + box["height"] / 2)
        if canvas.evaluate("node => node.style.cursor") == "pointer":
            break
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("#chosen h2")
    assert page.locator("#chosen h2").inner_text() in ("Ada Weber", "Bo Lind")
    page.keyboard.press("Escape")
    page.locator("#chosen").wait_for(state="hidden")
    eyes.check(facts)


def test_a_message_is_sent_its_stages_fill_and_what_it_changed_is_told(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask", "write")
    page = eyes.open(facts, "/")
    page.get_by_role("link", name="Tell the company").click()
    page.locator("#text").fill("We still use `vault` for the maps service.")
    page.locator("#channel").fill("core")
    page.locator("#access").fill("everyone")
    page.get_by_role("button", name="Send").click()
    page.wait_for_selector(SENT)
    told = page.locator("#outcome").inner_text()
    for part in (
        "Taken in",
        "New facts",
        "This message",
        "vault",
        "user:ada",
        "Written as a document",
        "Compared with before",
    ):
        assert part in told, part
    assert page.locator(".stages li:not(.done)").count() == 0
    assert page.evaluate("document.activeElement.id") == "outcome"
    eyes.shoot("ingest-done")
    page.get_by_role("button", name="Open the document").click()
    until(page, "document.getElementById('source').textContent.includes('We still use')")
    eyes.check(facts)


def test_what_was_sent_before_is_told_to_be_known(opens: Opens, facts: Running) -> None:
    writer = {"authorization": f"Bearer {token(facts, 'user:ada', 'ask', 'write')}"}
    body = {"text": "Billing moves next year.", "channel": "core", "access": ["everyone"], "at": "2026-11-30T08:00:00Z"}
    assert facts.client.post("/events", json=body, headers={**writer, "accept": "application/json"}).status_code == 200
    eyes = signed_in(opens, facts, "ask", "write")
    page = eyes.open(facts, "/ingest")
    page.route("**/events", lambda route: route.continue_(post_data=json.dumps(body)))  # no page names a moment
    page.locator("#text").fill(body["text"])
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(SENT)
    assert page.locator(SENT).inner_text() == "Already known: this was sent before, and nothing changed."
    eyes.shoot("ingest-known")
    eyes.check(facts)


def test_who_may_not_write_is_told_so_before_and_after(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask")
    eyes.may_fail = True
    page = eyes.open(facts, "/ingest")
    page.get_by_text("may ask, and may not write").wait_for()
    eyes.shoot("ingest-not-yours")
    page.locator("#text").fill("Hello")
    page.get_by_role("button", name="Send").click()
    page.locator("#outcome [role=alert]").wait_for()
    assert "may not write" in page.locator("#outcome").inner_text()
    page.goto(f"http://127.0.0.1:{facts.port}/")
    page.locator("#state[data-kind=ready]").wait_for()
    assert not page.locator("#writes").is_visible()
    eyes.check(facts)


def test_where_messages_are_not_taken_the_page_says_what_to_set(opens: Opens, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, {"a.md": "# A\n\nNothing is stated here that could be told apart.\n"})
    with Held() as double, running(double.settings(docs, follow=False)) as service:
        service.ready()
        eyes = opens()
        eyes.may_fail = True
        page = eyes.open(service, "/ingest")
        page.get_by_text("BRAIN_EVENTS_DIR").first.wait_for()
        eyes.shoot("ingest-off")
        page.locator("#text").fill("Hello")
        page.get_by_role("button", name="Send").click()
        page.locator("#outcome [role=alert]").wait_for()
        page.goto(f"http://127.0.0.1:{service.port}/graph")
        page.get_by_text("No facts yet").first.wait_for()
        eyes.shoot("graph-empty")
        eyes.check(service)


def test_a_conflict_is_decided_with_both_quotes_in_sight_and_taken_back(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask", "audit", "operate")
    page = eyes.open(facts, "/auditor?view=conflicts")
    page.wait_for_selector(".pairs .sides")
    assert "Conflicts open\n1" in page.locator(".figures-strip").inner_text()
    sides = page.locator(".pairs .sides").first.inner_text()
    assert "| billing | Moneta | plan-store | 2 |" in sides
    assert "| billing | Roadside |" in sides
    eyes.shoot("audit-conflicts")
    page.get_by_label("Why, for the record").fill("The catalogue is right")
    page.locator(".sides > li", has_text="Moneta").get_by_role("button", name="Keep this").click()
    page.get_by_role("heading", name="Decided: 1").wait_for()
    assert "Conflicts open\n0" in page.locator(".figures-strip").inner_text()
    assert "The catalogue is right" in page.locator("#found").inner_text()
    eyes.shoot("audit-decided")
    page.get_by_role("button", name="Undo").click()
    until(page, "document.getElementById('found').textContent.includes('taken back')")
    assert "Conflicts open\n1" in page.locator(".figures-strip").inner_text()
    page.locator("#tab-runs").click()
    page.locator(".log > li").first.wait_for()
    assert "documents added" in page.locator(".log").inner_text()
    eyes.shoot("audit-runs")
    page.locator("#tab-merges").click()
    page.locator("#merges-view").wait_for()
    page.wait_for_selector("#found:not([aria-busy]) .figures-strip")
    eyes.shoot("audit-names")
    eyes.check(facts)


def test_who_may_not_decide_is_told_so_where_they_tried(opens: Opens, facts: Running) -> None:
    eyes = signed_in(opens, facts, "ask", "audit")
    eyes.may_fail = True
    page = eyes.open(facts, "/auditor?view=conflicts")
    page.get_by_role("button", name="Keep this").first.click()
    page.get_by_text("needs the scope operate").first.wait_for()
    eyes.check(facts)


@pytest.mark.parametrize("chosen", [
    {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}}, {"locale": "ar"}, {"locale": "de-DE"},
], ids=lambda chosen: "-".join(map(str, chosen)))  # fmt: skip
def test_every_page_fits_in_dark_on_a_phone_and_in_other_languages(
    opens: Opens, facts: Running, chosen: dict[str, object]
) -> None:
    eyes = signed_in(opens, facts, "ask", "write", "audit", "operate", **chosen)
    name = "-".join(str(value) for value in chosen.values() if isinstance(value, str)) or "phone"
    for view, address, there in (
        ("graph", "/graph", STATED),
        ("card", "/graph?thing=Service/billing", "#chosen h2"),
        ("drawn", "/graph?view=map", STATED),
        ("ingest", "/ingest", "#text"),
        ("conflicts", "/auditor?view=conflicts", ".figures-strip"),
        ("runs", "/auditor?view=runs", ".figures-strip"),
    ):
        page = eyes.open(facts, address)
        page.wait_for_selector(there)
        eyes.shoot(f"facts-{name}-{view}")
    eyes.check(facts)
