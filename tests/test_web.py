"""What the server gives to browsers: headers, the page's files, documents behind citations, first questions.

The page itself is tried in a browser by tests/test_page.py. Try: pytest tests/test_web.py
"""

import json
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from access import Caller
from config import PROJECT
from errors import UsageError
from search import Index
from service import web
from service.documents import MOST_CHARS, MOST_LINES, NotFound, document_lines, lines_asked
from service.door import Door
from service.examples import Examples
from tests.conftest import NOBODY, Grants, HashEmbedder, caller, write
from tests.served import LEAVE, Running, running, settings_for, write_docs

WEB = PROJECT / "web"
FILES = sorted(path for path in WEB.iterdir() if path.is_file())
FRONT = "---\ntitle: Travel & fares\ndate: 2025-01-02\n---\n\n# Travel\n\n## Trains\n\nBook second class.\n"
PAGES = ("/", "/search", "/embed", "/auditor", "/graph", "/ingest")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    docs = write_docs(tmp_path_factory.mktemp("web") / "docs")
    write(docs, {"sub dir/fares é.md": FRONT, ".hidden/secret.md": "# Secret\n\nNobody's.\n"})
    (docs.parent / "outside.md").write_text("# Outside\n\nNot indexed.\n", encoding="utf-8")
    (docs / "link.md").symlink_to(docs.parent / "outside.md")
    flags = {"allowed_origins": "https://intranet.example,http://wiki.example:8080", "follow": False}
    with running(settings_for(docs, **flags)) as service:
        service.ready()
        yield service


def raw(live: Running, target: str) -> tuple[int, str]:
    """Status and body of a GET whose target goes out byte for byte, as no client would send it."""
    with socket.create_connection(("127.0.0.1", live.port), timeout=20) as client:
        client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        reply = b"".join(iter(lambda: client.recv(65536), b"")).decode("utf-8", "replace")
    head, _, body = reply.partition("\r\n\r\n")
    return int(head.split()[1]), body


# --- headers and files --------------------------------------------------------------------------------------------


def policy(reply: httpx.Response) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in reply.headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in parts}


@pytest.mark.parametrize(
    "path", [*PAGES, "/docs", "/embed.js", "/web/app.js", "/documents/leave.md", "/none", "/readyz"]
)
def test_every_reply_has_the_headers(live: Running, path: str) -> None:
    headers = live.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == ("cross-origin" if path == "/embed.js" else "same-origin")
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cache-control"] == ("no-cache" if path in (*PAGES, "/embed.js", "/web/app.js") else "no-store")


@pytest.mark.parametrize("path", [*PAGES, "/docs", "/documents/leave.md", "/none", "/web/app.js"])
def test_no_reply_may_run_or_load_what_is_not_ours(live: Running, path: str) -> None:
    said = policy(live.client.get(path))
    assert said["default-src"] == said["base-uri"] == said["form-action"] == "'none'"
    assert {value for name, value in said.items() if name.endswith("-src")} <= {"'none'", "'self'"}
    framed_by = "http://wiki.example:8080 https://intranet.example" if path == "/embed" else "'none'"
    assert said["frame-ancestors"] == framed_by
    if path in PAGES:
        assert said["require-trusted-types-for"] == "'script'"
        assert said["trusted-types"] == "'none'"


def test_without_listed_origins_nobody_frames(tmp_path: Path) -> None:
    with running(settings_for(write_docs(tmp_path / "docs"))) as service:
        assert policy(service.client.get("/embed"))["frame-ancestors"] == "'none'"


@pytest.mark.parametrize("origin", ["https://bücher.example", "https://a.example;script-src", "https://a.example'"])
def test_an_origin_that_no_browser_sends_is_refused_at_the_start(tmp_path: Path, origin: str) -> None:
    with pytest.raises(UsageError, match="BRAIN_ALLOWED_ORIGINS"):
        Door(lambda *_: None, settings_for(tmp_path, allowed_origins=origin))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("*/*", True),
        ("", True),
        ("application/json", False),
        ("application/json, text/plain, */*", False),
        ("text/html, application/json", True),
    ],
)
def test_the_root_is_the_page_and_json_for_programs(live: Running, accept: str, is_page: bool) -> None:
    reply = live.client.get("/", headers={"Accept": accept})
    assert reply.headers["content-type"].split(";")[0] == ("text/html" if is_page else "application/json")
    assert "Accept" in reply.headers["vary"]
    if not is_page:
        assert reply.json()["docs"] == "/docs"


def test_every_file_is_served_as_what_it_is(live: Running) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    apart = {"index.html", "auditor.html", "graph.html", "ingest.html", "embed.js"}
    assert {path.name for path in FILES} == {*web.FILES, *apart}
    for path in FILES:
        if path.name in apart:
            continue
        reply = live.client.get(f"/web/{path.name}")
        assert reply.content == path.read_bytes()
        assert reply.headers["content-type"].split(";")[0] == kinds[path.suffix]
    assert live.client.get("/embed.js").content == (WEB / "embed.js").read_bytes()
    assert live.client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
    for address in PAGES:
        name = f"{address[1:]}.html" if address in ("/auditor", "/graph", "/ingest") else "index.html"
        assert live.client.get(address).content == (WEB / name).read_bytes()


def test_what_the_browser_has_is_not_sent_again(live: Running) -> None:
    tag = live.client.get("/web/app.js").headers["etag"]
    for given, status in ((tag, 304), (f'"x", W/{tag}', 304), ('"other"', 200), ("", 200)):
        reply = live.client.get("/web/app.js", headers={"If-None-Match": given})
        assert reply.status_code == status
        assert reply.headers["etag"] == tag
        assert bool(reply.content) == (status == 200)


@pytest.mark.parametrize(
    "target",
    [
        "/web/index.html", "/web/none.js", "/web/", "/web/../server.py", "/web/..%2fserver.py",
        "/web/%2e%2e/server.py", "/web/..\\server.py", "/web/app.js/", "/web/app.js%00", "/web//app.js", "/web/APP.JS",
    ],
)  # fmt: skip
def test_no_other_file_is_served(live: Running, target: str) -> None:
    status, body = raw(live, target)
    assert status == 404
    assert json.loads(body)["code"] in ("not_found", "no_such_path")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_makes_no_markup_of_text_and_names_no_other_host(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setHTML|DOMParser|"
        r"createContextualFragment|srcdoc|javascript:|setTimeout\(\s*[\"'`]|\bon[a-z]+\s*=\s*[\"']|<style|style="
    )
    assert re.findall(forbidden, text) == []
    addresses = set(re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s\"'`)]*", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "https://brain.example/embed.js"}
    if path.suffix == ".html":
        assert re.findall(r"<script(?![^>]* src=\"/web/)[^>]*>|<script[^>]*>[^<]", text) == []
        named = re.findall(r"(?:src|href)=\"/web/([^\"]+)\"", text)
        assert set(named) <= set(web.FILES)
    if path.suffix == ".js":
        assert set(re.findall(r"from \"\./([^\"]+)\"", text)) <= set(web.FILES)


TABLES = ("words.js", "audit-words.js", "facts-words.js")
IN_TABLES = ("lines", "changed_on", "page", "slide", "cell")
"""Words that words.js itself chooses."""


def test_every_word_is_there_in_every_language_and_is_used() -> None:
    text = "".join((WEB / name).read_text(encoding="utf-8") for name in TABLES)
    (listed,) = re.findall(r"LANGUAGES = (\[.*?\]);", text)
    languages = json.loads(listed)
    rows = {key: json.loads(row) for key, row in re.findall(r"^  (\w+): (\[.*\]),$", text, re.M)}
    assert languages[:2] == ["en", "de"]
    assert len(rows) > 80
    for key, row in rows.items():
        assert len(row) == len(languages), key
        assert all(word.strip() for word in row), key
        assert len({frozenset(re.findall(r"\{\w+\}", word)) for word in row}) == 1, key
    used = "".join(path.read_text(encoding="utf-8") for path in FILES if path.name not in TABLES)
    said = set(
        re.findall(
            r"""(?:\bsay|\.stage|(?<![.\w])add|(?<![.\w])more)\(["'](\w+)["']|data-say(?:-label|-hint)?="(\w+)\"""",
            used,
        )
    )
    assert {one or other for one, other in said} <= set(rows)
    built = ("mark_", "why_", "stale_", "passed_", "gave_", "error_", "how_", "state_", "tab_", "theme_", "kind_",
             "status_", "as_", "type_", "fact_", "stage_", "outcome_", "cause_", "run_")  # fmt: skip
    left = [
        key for key in rows if not re.search(rf"\b{key}\b", used) and not key.startswith(built) and key not in IN_TABLES
    ]
    assert left == []


# --- documents ----------------------------------------------------------------------------------------------------


def test_lines_of_a_document(live: Running) -> None:
    told = live.client.get("/documents/leave.md", params={"lines": "3-5"}).json()
    assert told | {"dated": "", "modified": "", "indexed_at": ""} == {
        "path": "leave.md", "title": "Leave", "first_line": 3, "last_line": 5, "total_lines": 9, "stale": None,
        "text": "## Vacation\n\nAfter one year you get 28 vacation days.", "dated": "", "modified": "",
        "indexed_at": "", "places": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "first", "last"), [("", 1, 9), ("1-9", 1, 9), ("8-400", 8, 9), ("9", 9, 9), ("7-", 7, 9), ("6-6", 6, 6)]
)
def test_a_window_holds_the_file_s_lines(live: Running, lines: str, first: int, last: int) -> None:
    told = live.client.get("/documents/leave.md", params={"lines": lines} if lines else {}).json()
    assert (told["first_line"], told["last_line"]) == (first, last)
    assert told["text"] == "\n".join(LEAVE.split("\n")[first - 1 : last])


def test_front_matter_and_lone_headings_are_there_while_the_file_is_unchanged(live: Running) -> None:
    address = "/documents/sub%20dir/fares%20%C3%A9.md"
    told = live.client.get(address).json()
    assert told["text"] == FRONT.rstrip("\n")
    assert (told["title"], told["dated"]) == ("Travel & fares", "2025-01-02")
    path = live.settings.docs_dir / "sub dir" / "fares é.md"
    path.write_text(FRONT.replace("Travel", "SECRET"), encoding="utf-8")
    changed = live.client.get(address).json()
    assert changed["stale"] == "changed"
    assert "SECRET" not in changed["text"]
    assert changed["text"].endswith("Book second class.")
    assert len(changed["text"].split("\n")) == told["total_lines"]
    path.unlink()
    assert live.client.get(address).json() | {"stale": ""} == changed | {"stale": ""}
    path.write_text(FRONT, encoding="utf-8")


def test_plain_text_for_those_who_ask(live: Running) -> None:
    reply = live.client.get("/documents/leave.md?lines=1", headers={"Accept": "text/plain"})
    assert (reply.headers["content-type"], reply.text) == ("text/plain; charset=utf-8", "# Leave")


@pytest.mark.parametrize("lines", ["0", "-3", "3-2", "a", "1-2-3", "1,2", " 1", "9999999999", "10-12", "٣", "1-0"])
def test_lines_that_are_none(live: Running, lines: str) -> None:
    reply = live.client.get("/documents/leave.md", params={"lines": lines})
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_request")


TRICKS = [
    "none.md", "..", "../outside.md", "%2e%2e/outside.md", "%2e%2e%2foutside.md", "..%5coutside.md",
    "sub%20dir/../leave.md", "/leave.md", "//leave.md", "./leave.md", "leave.md/", "leave.md%00", "leave.md%00.txt",
    "link.md", "outside.md", "LEAVE.MD", "sub%20dir%2Ffares%20%C3%A9.md", "sub dir\\fares %C3%A9.md",
    ".hidden/secret.md",
    "%252e%252e/outside.md", "", "C:/leave.md", "leave.md;.txt", "%ff.md", "%ed%a0%80.md", "%", "leave.md%20",
    "/etc/passwd", "file:///etc/passwd", "*.md", "' OR 1=1 --",
]  # fmt: skip


@pytest.mark.parametrize("path", TRICKS)
@pytest.mark.permission
def test_no_path_leads_out_of_the_index(live: Running, path: str) -> None:
    status, body = raw(live, f"/documents/{path.replace(' ', '%20')}")
    known = json.loads(raw(live, "/documents/none.md")[1])
    assert (status, json.loads(body)) == (404, known)


def test_an_absolute_path_of_an_indexed_file_is_none(live: Running) -> None:
    assert raw(live, f"/documents{live.settings.docs_dir}/leave.md")[0] == 404


@pytest.mark.permission
def test_only_what_the_caller_may_read(docs: Path, make_index: Callable[..., Index]) -> None:
    write(docs, {"open.md": "# Open\n\nFor all of us.\n", "board.md": "# Board\n\nFor the board alone.\n"})
    index = make_index(docs, HashEmbedder(), Grants(docs, {"open.md": {"all"}, "board.md": {"board"}}))
    index.sync()
    assert document_lines(index, caller("all"), "open.md", 1, 9).text == "# Open\n\nFor all of us."
    assert document_lines(index, caller("board"), "board.md", 1, 9).total_lines == 3
    refusals = set()
    for who, path in ((caller("all"), "board.md"), (NOBODY, "open.md"), (caller("all"), "none.md")):
        with pytest.raises(NotFound) as raised:
            document_lines(index, who, path, 900, 901)
        refusals.add(str(raised.value))
    assert len(refusals) == 1


def test_a_large_document_comes_in_windows(docs: Path, make_index: Callable[..., Index]) -> None:
    text = "".join(f"Line {n} says {n % 7} things.\n" + "\n" * (n % 9 == 0) for n in range(1200))
    wide = "x" * 60_000
    write(docs, {"long.txt": text, "wide.txt": "\n\n".join([f"begin {wide}"] * 6), "one.txt": "y " * MOST_CHARS})
    index = make_index(docs, HashEmbedder())
    index.sync()
    seen: list[str] = []
    while True:
        told = document_lines(index, caller(), "long.txt", *lines_asked(f"{len(seen) + 1}-"))
        assert told.last_line - told.first_line < MOST_LINES
        seen += told.text.split("\n")
        if told.last_line == told.total_lines:
            break
    assert "\n".join(seen).rstrip("\n") == text.rstrip("\n")
    wide_told = document_lines(index, caller(), "wide.txt", 1, 400)
    assert len(wide_told.text) <= MOST_CHARS
    assert wide_told.last_line == wide_told.text.count("\n") + 1 < wide_told.total_lines
    assert document_lines(index, caller(), "one.txt", 1, 400).last_line == 1


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/plain", "text/plain"),
        ("text/plain;q=0.8, */*;q=0.1", "text/plain"),
        ("text/plain;q=0", "application/json"),
        ("text/plain; q=0.0, application/json", "application/json"),
        ("application/json;q=0.5, text/plain", "text/plain"),
        ("text/plain;q=0.5, application/json", "application/json"),
        ("text/*", "text/plain"),
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("text/plain;q=none", "application/json"),
        ("", "application/json"),
    ],
)
def test_the_kind_of_reply_is_the_one_asked_for(live: Running, accept: str, kind: str) -> None:
    reply = live.client.get("/documents/leave.md", headers={"accept": accept})
    assert reply.headers["content-type"].partition(";")[0] == kind
    assert "Accept" in reply.headers["vary"]


def test_a_program_at_the_root_gets_json_and_a_browser_the_page(live: Running) -> None:
    for accept, kind in (
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"), ("*/*", "text/html"), ("", "text/html"),
        ("application/json", "application/json"), ("application/json, text/html;q=0", "application/json"),
        ("application/json;q=0", "text/html"),
    ):  # fmt: skip
        assert live.client.get("/", headers={"accept": accept}).headers["content-type"].partition(";")[0] == kind


@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        ("https://intranet.example", True),
        ("https://elsewhere.example", False),
        ("null", False),
        ("<b>", False),
        ("", True),
    ],
)
def test_a_frame_of_an_origin_that_is_not_listed_says_so(live: Running, origin: str, shown: bool) -> None:
    reply = live.client.get("/embed", params={"origin": origin} if origin else {})
    assert ("BRAIN_ALLOWED_ORIGINS" in reply.text) is not shown
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = reply.headers["content-security-policy"]
    if shown:
        assert "frame-ancestors http://wiki.example:8080 https://intranet.example" in policy
    else:
        assert policy == "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
        assert "<b>" not in reply.text
        assert reply.status_code == 403


# --- examples -----------------------------------------------------------------------------------------------------


KEPT = "The {} are kept in the cellar of the main office. The {} are tested every May by the porter, who has the key.\n"


def test_examples_are_questions_that_find_their_document(live: Running) -> None:
    told = live.client.get("/examples").json()
    assert told == live.client.get("/examples").json()
    assert set(told) == {"examples", "topics"}
    assert not (told["examples"] and told["topics"])
    for example in told["examples"] + told["topics"]:
        assert set(example) == {"text", "lang"}
    assert all(example["text"].endswith("?") for example in told["examples"])


@pytest.mark.permission
def test_examples_are_of_the_caller_s_documents_alone(docs: Path, make_index: Callable[..., Index]) -> None:
    files = {
        f"{name}.md": f"# Guide\n\n## Spare {name}\n\n{KEPT.format(name, name)}"
        for name in ("lamps", "boards", "chairs")
    }
    write(docs, files)
    lists: dict[str, set[str]] = {"lamps.md": {"all"}, "boards.md": {"board"}, "chairs.md": {"all"}}
    index = make_index(docs, HashEmbedder(), Grants(docs, lists), min_score=0.1)
    index.sync()
    examples = Examples()

    def told(who: Caller) -> set[str]:
        return {example.text for example in examples.of(index, who).examples}

    assert told(caller("all")) == {"When are the lamps tested?", "When are the chairs tested?"}
    assert told(caller("board")) == {"When are the boards tested?"}
    assert told(NOBODY) == set()
    lists["lamps.md"] = set()
    write(docs, {"lamps.md": files["lamps.md"] + "\nMore.\n"})
    index.sync()
    assert told(caller("all")) == {"When are the chairs tested?"}
    index.store.list_seconds = 3600.0
    assert told(caller("all")) == {"When are the chairs tested?"}
    index.store.connection().execute("UPDATE meta SET value = '2020-01-01T00:00:00+00:00' WHERE key LIKE 'access_%'")
    assert told(caller("all")) == set(), "lists that are too old hold no more"


GERMAN = (
    "Der Pförtner hat für jedes Zimmer einen Schlüssel. Wer seinen Schlüssel verliert, geht mit dem Ausweis zu ihm."
)


def test_examples_are_in_one_language_that_documents_have(docs: Path, make_index: Callable[..., Index]) -> None:
    two = "The lamps are tested every May, and the porter of the house has the key to the cellar where they are kept.\n"
    boards = two.replace("lamp", "board")
    write(docs, {"a.md": f"# Lamps\n\n## Spare lamps\n\n{two}", "b.md": f"# Boards\n\n## Spare boards\n\n{boards}",
                 "c.md": f"# Haus\n\n## Verlorene Schlüssel\n\n{GERMAN}\n"})  # fmt: skip
    index = make_index(docs, HashEmbedder(), min_score=-1.0)
    index.sync()
    examples = Examples()

    def told(lang: str) -> set[str]:
        return {example.lang for example in examples.of(index, caller(), lang).examples}

    assert told("de") == {"de"}
    assert told("en") == told("fr") == told("") == {"en"}


@pytest.mark.parametrize(
    ("heading", "body", "examples", "topics"),
    [
        ("How do I get a spare key?", "", ["How do I get a spare key?"], []),
        ("Spare keys", "", [], ["House rules"]),
        ("Lost?", "", [], ["House rules"]),
        ("Spare keys", "If your key is stolen, tell the porter.", ["What do I do if my key is stolen?"], []),
        ("Where Did The Name Come From?", "", [], ["House rules"]),
    ],
)
def test_a_natural_question_or_a_topic(
    docs: Path, make_index: Callable[..., Index], heading: str, body: str, examples: list[str], topics: list[str]
) -> None:
    docs = docs.parent / "other"
    docs.mkdir()
    kept = "The porter keeps a spare key for every room of the house, and you get it from him with your pass."
    write(docs, {"keys.md": f"# House rules\n\n## {heading}\n\n{heading} {kept} {body}\n"})
    index = make_index(docs, HashEmbedder(), min_score=-1.0)
    index.sync()
    found = Examples().of(index, caller())
    assert [example.text for example in found.examples] == examples
    assert [example.text for example in found.topics] == topics
