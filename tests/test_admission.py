"""The way in: the same 401 on every road without an identity, 403 without the scope; nobody is who they only say."""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import config
import search
import server
from access import EVERYONE
from access import tokens as rows
from access.identity import SCOPES, ForgedHeader, NotAllowed, Row, Unauthenticated
from config import PROJECT, load
from errors import UsageError
from service.admission import Admission
from service.brain import without_counts
from tests.directories import without_directory
from tests.engine import connection_to
from tests.served import VACATION, Held, Running, refused, running, settings_for, write_docs

pytestmark = pytest.mark.permission

SYNC_TOKEN = "a-long-secret-word-for-syncs"
MCP = {"accept": "application/json, text/event-stream"}
ROADS: list[tuple[str, str, dict[str, Any] | None, str]] = [
    ("POST", "/ask", {"text": VACATION}, "ask"),
    ("POST", "/ask/stream", {"text": VACATION}, "ask"),
    ("POST", "/search", {"text": VACATION}, "ask"),
    ("POST", "/feedback", {"answer": "0" * 32, "verdict": "right"}, "ask"),
    ("GET", "/documents/leave.md", None, "ask"),
    ("GET", "/examples", None, "ask"),
    ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "ask"),
    ("GET", "/readyz", None, "ask"),
    ("GET", "/metrics", None, "metrics"),
    ("POST", "/sync", {}, "sync"),
    ("GET", "/audit", None, "audit"),
    ("GET", "/audit/verify", None, "audit"),
    ("GET", "/audit/could-have-seen?document=leave.md&on=2026-11-30", None, "audit"),
    ("GET", "/audit/answers/00000000", None, "audit"),
    ("GET", "/audit/runs", None, "audit"),
    ("POST", "/events", {"text": "The ferry is late.", "at": "2026-11-30"}, "write"),
    ("GET", "/audit/merges", None, "audit"),
    ("GET", "/audit/conflicts", None, "audit"),
    ("POST", "/audit/merges/00000000", {"decision": "merge"}, "operate"),
    ("POST", "/audit/conflicts", {"kept": "0", "closed": "1"}, "operate"),
]
PUBLIC = ("/", "/search", "/embed", "/embed.js", "/favicon.ico", "/web/app.js", "/docs", "/openapi.json", "/healthz")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    docs = write_docs(tmp_path_factory.mktemp("guarded") / "docs")
    (docs / "access.toml").write_text("[allow]\n'**' = ['everyone']\n", encoding="utf-8")
    flags = {"auth": "tokens", "metrics": True, "sync_token": SYNC_TOKEN, "follow": False}
    flags |= {"allowed_origins": "https://intranet.example", "events_dir": docs / "events"}
    with Held() as double, running(double.settings(docs, **flags)) as service:
        service.client.headers["authorization"] = f"Bearer {made(service, 'user:watch', 'operate')}"
        service.ready()
        del service.client.headers["authorization"]
        yield service


def made(service: Running, who: str, *scopes: str, days: float | None = None) -> str:
    connection = connection_to(service.settings.db)
    try:
        return rows.make(connection, who, scopes or ("ask",), days)[1]
    finally:
        connection.close()


def sent(
    service: Running, road: tuple[str, str, dict[str, Any] | None, str], token: str = "", **more: Any
) -> httpx.Response:
    method, path, body, _ = road
    headers = MCP | ({"authorization": f"Bearer {token}"} if token else {}) | more.pop("headers", {})
    return service.client.request(method, path, json=body, headers=headers, **more)


# --- who is let in ------------------------------------------------------------------------------------------------


@pytest.mark.refusal
def test_without_an_identity_every_road_says_the_same(guarded: Running) -> None:
    paths = [
        *ROADS,
        ("GET", "/no-such-path", None, ""),
        ("GET", "/documents/no-such.md", None, ""),
        ("POST", "/x", {}, ""),
    ]
    paths += [
        ("DELETE", "/ask", None, ""),
        ("GET", "/web", None, ""),
        ("POST", "/web/app.js", {}, ""),
        ("GET", "/%2fask", None, ""),
    ]
    told = set()
    for road in paths:
        reply = sent(guarded, road)
        refused(reply, 401, "unauthenticated")
        assert reply.headers["www-authenticate"] == "Bearer"
        told.add(reply.text)
    assert len(told) == 1


def test_the_page_and_the_sign_of_life_are_for_all(guarded: Running) -> None:
    for path in PUBLIC:
        assert guarded.client.get(path).status_code == 200, path
        assert guarded.client.head(path).status_code == 200, path
    assert guarded.client.get("/web/../ask").status_code in (401, 404)


def test_the_page_of_auditors_is_for_them_and_for_who_may_still_sign_in(guarded: Running) -> None:
    page = guarded.client.get("/auditor")
    assert (page.status_code, "/web/auditor.js" in page.text) == (200, True)
    for token in ("cb_of_nobody", made(guarded, "user:eve", "audit")):
        assert sent(guarded, ("GET", "/auditor", None, ""), token).content == page.content
    asker = made(guarded, "user:42", *(scope for scope in SCOPES if scope not in ("audit", "act")))
    there, nowhere = (sent(guarded, ("GET", path, None, ""), asker) for path in ("/auditor", "/no-such-path"))
    assert refused(there, 404, "no_such_path") == refused(nowhere, 404, "no_such_path")
    assert sent(guarded, ("GET", "/readyz", None, ""), made(guarded, "user:eve", "ask", "audit")).json()["audits"]
    assert not sent(guarded, ("GET", "/readyz", None, ""), asker).json()["audits"]
    refused(guarded.client.get("/auditor/x"), 401, "unauthenticated")
    refused(guarded.client.post("/auditor", json={}), 401, "unauthenticated")


def test_the_roads_here_are_all_there_are(guarded: Running) -> None:
    known = {re.sub(r"/leave\.md$", "/{path}", path).partition("?")[0] for _, path, _, _ in ROADS} | {"/healthz"}
    known = {re.sub(r"/0{8}$", "/{id}", path) for path in known}
    assert set(guarded.client.get("/openapi.json").json()["paths"]) | {"/mcp"} == known


@pytest.mark.parametrize("road", ROADS, ids=lambda road: road[1])
def test_a_road_is_open_to_its_scope_alone(guarded: Running, road: tuple[str, str, dict[str, Any] | None, str]) -> None:
    reply = sent(guarded, road, made(guarded, "user:42", road[3]))
    assert reply.status_code in (200, 202, 404), reply.text
    assert road[1] in ("/feedback", "/audit/answers/00000000", "/audit/merges/00000000", "/audit/conflicts") or reply.status_code != 404
    others = [scope for scope in SCOPES if scope != road[3]]
    if road[1] == "/readyz":
        others = [scope for scope in others if scope not in ("metrics", "operate")]
    told = refused(sent(guarded, road, made(guarded, "agent:x", *others)), 403, "not_allowed")
    assert f"`{road[3]}`" in told.detail


@pytest.mark.freshness
def test_revoked_is_at_once_and_on_every_road(guarded: Running) -> None:
    token = made(guarded, "user:42", *SCOPES[:-1])
    assert sent(guarded, ROADS[2], token).status_code == 200
    connection = connection_to(guarded.settings.db)
    rows.revoke(connection, token.split("_")[1])
    connection.close()
    assert {sent(guarded, road, token).status_code for road in ROADS} == {401}


def test_a_token_that_has_expired(guarded: Running) -> None:
    token = made(guarded, "user:42", days=1)
    assert sent(guarded, ROADS[0], token).status_code == 200
    connection = connection_to(guarded.settings.db)
    connection.execute(
        "UPDATE tokens SET expires_at = '2026-01-01T00:00:00+00:00' WHERE id = ?", (token.split("_")[1],)
    )
    connection.close()
    assert refused(sent(guarded, ROADS[0], token), 401, "unauthenticated")


def test_a_token_of_another_index(guarded: Running, tmp_path: Path) -> None:
    connection = connection_to(tmp_path / "other.db")
    _, token = rows.make(connection, "user:42", SCOPES[:-1])
    connection.close()
    assert {sent(guarded, road, token).status_code for road in ROADS} == {401}


def test_tokens_are_asked_for_while_a_sync_writes(guarded: Running) -> None:
    token, connection = made(guarded, "user:42"), connection_to(guarded.settings.db)
    connection.execute("BEGIN IMMEDIATE")
    try:
        assert sent(guarded, ("GET", "/readyz", None, "ask"), token).status_code == 200
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def test_many_at_once_are_each_themselves(guarded: Running) -> None:
    tokens = {f"user:{n}": made(guarded, f"user:{n}") for n in range(12)}
    heard: dict[str, int] = {}

    def ask(who: str) -> None:
        answer = sent(guarded, ROADS[0], tokens[who]).json()["id"]
        for other, token in tokens.items():
            body = {"answer": answer, "verdict": "right"}
            reply = sent(guarded, ("POST", "/feedback", body, "ask"), token)
            heard[f"{who} {other}"] = reply.status_code

    threads = [threading.Thread(target=ask, args=(who,)) for who in list(tokens)[:4]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(heard) == 4 * len(tokens)
    assert all((status == 200) == (pair.split()[0] == pair.split()[1]) for pair, status in heard.items())


# --- nobody is who they only say ----------------------------------------------------------------------------------


def test_names_in_body_query_and_headers_are_not_believed(guarded: Running, capsys: pytest.CaptureFixture[str]) -> None:
    token = made(guarded, "user:42")
    for field in ("caller", "principals", "user", "groups"):
        road = ("POST", "/ask", {"text": VACATION, field: ["group:board"]}, "ask")
        refused(sent(guarded, road, token), 422, "invalid_request")
    headers = {
        "x-forwarded-user": "boss",
        "x-forwarded-groups": "board",
        "x-remote-user": "boss",
        "remote-user": "boss",
    }
    reply = sent(guarded, ROADS[0], token, headers=headers, params={"caller": "user:boss", "principals": "group:board"})
    assert reply.status_code == 200
    judged = {"answer": reply.json()["id"], "verdict": "right"}
    assert sent(guarded, ("POST", "/feedback", judged, "ask"), token, headers=headers).status_code == 200
    connection = connection_to(guarded.settings.db)
    (caller,) = connection.execute("SELECT caller FROM feedback WHERE id = ?", (judged["answer"],)).fetchone()
    connection.close()
    assert caller == "user:42"
    assert refused(sent(guarded, ROADS[0], headers=headers), 401, "unauthenticated")


def test_headers_that_are_twice_there_or_too_long(guarded: Running) -> None:
    token = made(guarded, "user:42")
    twice = [("authorization", f"Bearer {token}"), ("authorization", f"Bearer {token}")]
    for extra in (twice, [("Authorization", f"Bearer {token}"), ("AUTHORIZATION", "Basic eDp5")]):
        refused(guarded.client.get("/examples", headers=extra), 403, "forged_header")
    refused(
        guarded.client.get("/examples", headers={"authorization": "Bearer " + "x" * 20_000}), 431, "header_too_large"
    )
    assert (
        400 <= guarded.client.get("/examples", headers={"authorization": "Bearer " + "x" * 100_000}).status_code < 500
    )
    for value in (b"Bearer \xff\xfe", b"Bearer \xc3\xbc", b"\x80", b"Bearer cb_\xff_\xff"):
        refused(guarded.client.get("/examples", headers={b"authorization": value}), 401, "unauthenticated")


def test_an_agent_names_the_person_it_asks_for(guarded: Running) -> None:
    token, other = made(guarded, "agent:helpdesk", "ask", "act"), made(guarded, "agent:helpdesk")
    assert sent(guarded, ROADS[0], token, headers={"x-acting-for": "user:7"}).status_code == 200
    refused(sent(guarded, ROADS[0], other, headers={"x-acting-for": "user:7"}), 403, "not_allowed")
    refused(sent(guarded, ROADS[0], token, headers={"x-acting-for": "group:board"}), 403, "not_allowed")
    refused(sent(guarded, ROADS[0], headers={"x-acting-for": "user:7"}), 401, "unauthenticated")


def test_the_sync_token_opens_that_road_alone(guarded: Running) -> None:
    for road in ROADS:
        assert sent(guarded, road, SYNC_TOKEN).status_code == (202 if road[1] == "/sync" else 401), road
    assert sent(guarded, ROADS[-1], SYNC_TOKEN + "x").status_code == 401


def test_a_listed_page_may_send_a_token(guarded: Running) -> None:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}
    listed = guarded.client.options("/ask", headers={"origin": "https://intranet.example", **asked})
    assert "Authorization" in listed.headers["access-control-allow-headers"]
    refused(
        guarded.client.options("/ask", headers={"origin": "https://evil.example", **asked}), 403, "origin_not_allowed"
    )
    from_there = {"origin": "https://intranet.example"}
    reply = sent(guarded, ROADS[0], made(guarded, "user:42"), headers=from_there)
    assert (reply.status_code, reply.headers["access-control-allow-origin"]) == (200, "https://intranet.example")


# --- what the state tells -----------------------------------------------------------------------------------------


def test_counts_and_times_are_for_who_operates(guarded: Running) -> None:
    for scope, whole in (("ask", False), ("metrics", False), ("operate", True)):
        told = sent(guarded, ROADS[7], made(guarded, "user:42", scope)).json()
        assert ("documents" in told, "sync" in told, "limit" in told) == (whole, whole, whole)
        assert told["ready"] is True
    assert set(told) > {"ready", "code", "detail", "answers", "open", "warning", "model"}
    kept = without_counts(told | {"detail": "/srv/secret/board.md cannot be read"})
    assert set(kept) == {"ready", "code", "detail", "answers", "open", "warning", "model"}
    assert kept["detail"] == "Questions are answered."


def test_an_assistant_sees_as_much(guarded: Running) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "index_status", "arguments": {}}}
    held = sent(guarded, ROADS[7], made(guarded, "user:42", "operate")).json()["documents"]
    assert held >= 3
    for scopes, documents in ((("ask",), None), (("ask", "operate"), held)):
        reply = sent(guarded, ("POST", "/mcp", call, "ask"), made(guarded, "agent:editor", *scopes))
        (line,) = [line for line in reply.text.splitlines() if line.startswith("data: ")] or [f"data: {reply.text}"]
        told = json.loads(line.removeprefix("data: "))["result"]["structuredContent"]
        assert (told["ready"], told["documents"]) == (True, documents)
        assert (told["sync"] is None, told["last_indexed"] is None) == (documents is None, documents is None)


def test_who_waits_for_the_first_sync_learns_no_count(tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    with Held() as double:
        double.hold_texts = "laptop"
        with running(double.settings(docs, auth="tokens")) as service:
            assert double.asked.acquire(timeout=30)
            token = made(service, "user:42")
            told = refused(sent(service, ROADS[0], token), 503, "not_ready").detail
            assert told == "The index is not ready. The documents are being read."
            assert sent(service, ROADS[7], token).json()["detail"] == "The documents are being read."
            double.go.set()


# --- without sign-in ----------------------------------------------------------------------------------------------


def test_an_open_server_lets_everyone_ask_and_no_more(tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    with Held() as double, running(double.settings(docs, open=True, metrics=True)) as service:
        told = service.ready()
        assert (told["open"], "documents" in told) == (True, False)
        answer = service.ask().json()["id"]
        judged = ("POST", "/feedback", {"answer": answer, "verdict": "right"}, "ask")
        assert sent(service, judged).status_code == 200
        refused(service.client.get("/metrics"), 403, "not_allowed")
        refused(service.client.post("/sync", json={}), 403, "sync_off")
        refused(service.client.get("/auditor"), 404, "no_such_path")


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="a file in use keeps its name there")
def test_where_the_index_stands_is_told_to_whoever_runs_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    call = {"name": "read_source", "arguments": {"path": "leave.md"}}
    roads: list[tuple[str, str, dict[str, Any] | None, str]] = [
        ("GET", "/examples", None, "ask"),
        ("POST", "/ask", {"text": VACATION}, "ask"),
        ("POST", "/ask/stream", {"text": VACATION}, "ask"),
        ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, "ask"),
    ]
    docs = write_docs(tmp_path / "docs")
    for is_open in (True, False):
        with Held() as double, running(double.settings(docs, open=is_open)) as service:
            service.ready()
            kept = service.settings.db.rename(tmp_path / "kept.db")
            for road in roads:
                told = sent(service, road).text
                assert ("cannot be used now" in told, str(tmp_path) in told) == (is_open, not is_open), road
            kept.rename(service.settings.db)
    assert f"{service.settings.db} was removed" in caplog.text


def test_beyond_loopback_a_server_needs_sign_in_or_open(tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    with Held() as double:
        for flags, starts in (({}, False), ({"auth": "tokens"}, True), ({"auth": "tokens,none"}, False)):
            settings = double.settings(docs, host="0.0.0.0", **flags)
            if starts:
                server.listening(settings).close()
            else:
                with pytest.raises(UsageError, match="BRAIN_AUTH"):
                    server.listening(settings)


def test_a_wrong_setting_stops_the_server_before_it_listens(tmp_path: Path) -> None:
    docs = write_docs(tmp_path / "docs")
    with Held() as double, pytest.raises(UsageError, match="BRAIN_AUTH: 'toke'"):
        server.Service(double.settings(docs, auth="toke"))


# --- on this machine ----------------------------------------------------------------------------------------------


def test_commands_ask_as_the_token_says(
    guarded: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []
    looked = search.Searcher.search

    def search_as(self: Any, caller: Any, *rest: Any, **more: Any) -> Any:
        asked.append(caller.id)
        return looked(self, caller, *rest, **more)

    monkeypatch.setattr(search.Searcher, "search", search_as)
    for name in [name for name in os.environ if name.startswith(("BRAIN_", "OLLAMA_"))]:
        monkeypatch.delenv(name)
    settings = guarded.settings
    chosen = {
        "CONFIG": os.devnull,
        "DB": str(settings.db),
        "DATABASE": settings.database,
        "DOCS_DIR": str(settings.docs_dir),
        "AUTH": "tokens",
    }
    chosen |= {"BACKEND": "ollama", "OLLAMA_HOST": settings.ollama_host, "MIN_SCORE": "0.2"}
    for name, value in chosen.items():
        monkeypatch.setenv(f"BRAIN_{name}", value)
    with pytest.raises(Exception, match="BRAIN_TOKEN"):
        search.main([VACATION])
    monkeypatch.setenv("BRAIN_TOKEN", made(guarded, "user:42"))
    assert search.main([VACATION]) == 0
    with pytest.raises(Exception, match="impersonate"):
        search.main([VACATION, "--as", "user:7"])
    monkeypatch.setenv("BRAIN_TOKEN", made(guarded, "user:admin", "ask", "impersonate"))
    assert search.main([VACATION, "--as", "user:7"]) == 0
    monkeypatch.setenv("BRAIN_AUTH", "none")
    assert search.main([VACATION, "--as", "agent:x"]) == 0
    assert asked == ["user:42", "user:7", "agent:x"]


def test_an_assistant_over_stdio_needs_a_token_too(guarded: Running) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "OLLAMA_"))}
    settings = guarded.settings
    chosen = {"BRAIN_CONFIG": os.devnull, "BRAIN_AUTH": "tokens", "BRAIN_BACKEND": "embedded"}
    chosen |= {
        "BRAIN_DB": str(settings.db),
        "BRAIN_DATABASE": settings.database,
        "BRAIN_DOCS_DIR": str(settings.docs_dir),
    }
    done = subprocess.run(
        [sys.executable, "mcp_server.py"], cwd=PROJECT, env={**kept, **chosen}, input="", capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "BRAIN_TOKEN" in done.stderr


# --- a proxy names people -----------------------------------------------------------------------------------------


def behind(**more: Any) -> Any:
    chosen = {"auth": "tokens,proxy", "proxy_addresses": "10.1.0.0/16,::1", **more}
    return load(chosen, {config.CONFIG_VARIABLE: os.devnull})


def via_proxy(headers: dict[str, list[str]], peer: str = "10.1.2.3", **more: Any) -> Any:
    return Row(behind(**more), without_directory).identify(headers, peer)


ADA = {"x-forwarded-user": ["ada@example.org"], "x-forwarded-groups": ["hr, Berlin office"]}


def test_a_listed_proxy_says_who_asks() -> None:
    found = via_proxy(ADA)
    wanted = {"user:ada@example.org", EVERYONE, "group:hr", "group:Berlin office"}
    assert (found.caller.id, set(found.caller.principals), found.by) == ("user:ada@example.org", wanted, "proxy")
    assert set(found.scopes) == {"ask"}
    assert set(via_proxy(ADA, operators="group:hr").scopes) == {"ask", "sync", "metrics", "operate"}
    assert via_proxy(ADA, "::ffff:10.1.2.3").by == "proxy"
    assert via_proxy(ADA, "::1").by == "proxy"
    assert (
        via_proxy({"x-who": ["ada"], "x-forwarded-groups": ["hr"]}, proxy_user_header="X-Who").caller.id == "user:ada"
    )


def test_who_narrows_by_a_header_that_is_not_heard_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match="X-Acting-For"):
        via_proxy({**ADA, "x-acting-for": ["user:7"]})
    with running(settings_for(write_docs(tmp_path / "docs"))) as service:
        service.ready()
        refused(service.client.get("/examples", headers={"x-acting-for": "user:7"}), 403, "not_allowed")


@pytest.mark.parametrize(
    "peer", ["10.2.0.1", "127.0.0.1", "::2", "::ffff:10.2.0.1", "", "10.1.2.3.evil", "/run/x.sock"]
)
@pytest.mark.parametrize("names", [ADA, {"x-forwarded-user": ["boss"]}, {"x-forwarded-groups": [""]}])
def test_from_any_other_address_a_name_is_refused(peer: str, names: dict[str, list[str]]) -> None:
    with pytest.raises(ForgedHeader, match="x-forwarded-"):
        via_proxy(names, peer)
    with pytest.raises(ForgedHeader):  # whatever else says who asks
        via_proxy({**names, "authorization": ["Bearer cb_whatever"]}, peer)


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, Unauthenticated),
        ({"x-forwarded-user": [""]}, Unauthenticated),
        ({"x-forwarded-user": ["  "], "x-forwarded-groups": ["hr"]}, Unauthenticated),
        ({"x-forwarded-groups": ["hr"]}, Unauthenticated),
        ({"x-forwarded-user": ["ada", "boss"]}, ForgedHeader),
        ({"x-forwarded-user": ["ada"], "x-forwarded-groups": ["hr", "board"]}, ForgedHeader),
        ({"x-forwarded-user": ["ada,boss"]}, Unauthenticated),
        ({"x-forwarded-user": ["ada;boss"]}, Unauthenticated),
        ({"x-forwarded-user": ["ada\udcff"]}, Unauthenticated),
        ({"x-forwarded-user": ["ada\u200b"]}, Unauthenticated),
        ({"x-forwarded-user": ["a" * 300]}, Unauthenticated),
        ({"x-forwarded-user": ["ada"], "x-forwarded-groups": ["hr,bo\u00adard"]}, Unauthenticated),
        ({"x_forwarded_user": ["ada"]}, Unauthenticated),
        ({"x-remote-user": ["ada"]}, Unauthenticated),
    ],
)
def test_what_a_proxy_may_not_send(headers: dict[str, list[str]], error: type[Exception]) -> None:
    with pytest.raises(error):
        via_proxy(headers)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"proxy_addresses": ""}, "BRAIN_PROXY_ADDRESSES is empty"),
        ({"proxy_addresses": "proxy.example.org"}, "BRAIN_PROXY_ADDRESSES: 'proxy.example.org'"),
        ({"proxy_addresses": "10.1.2.3/16"}, "has host bits set"),
        ({"proxy_addresses": "0.0.0.0/0"}, "half the world"),
        ({"proxy_addresses": "::/0"}, "half the world"),
        ({"proxy_user_header": "Authorization"}, "'Authorization' is no name"),
        ({"proxy_user_header": "X_Forwarded_User"}, "is no name"),
        ({"proxy_groups_header": "x-forwarded-user"}, "are the same"),
    ],
)
def test_proxy_settings_that_cannot_be_meant(values: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        via_proxy(ADA, **values)


def test_a_proxy_in_front_of_the_server(tmp_path: Path) -> None:
    docs, named = write_docs(tmp_path / "docs"), {"x-forwarded-user": "ada", "x-forwarded-groups": "hr"}
    flags = {"auth": "proxy,tokens", "operators": "user:watch"}
    with Held() as double, running(double.settings(docs, proxy_addresses="127.0.0.1", **flags)) as service:
        refused(service.client.get("/readyz", headers=named | {"x-forwarded-user": ""}), 401, "unauthenticated")
        service.client.headers["x-forwarded-user"] = "watch"
        assert "documents" in service.ready()
        del service.client.headers["x-forwarded-user"]
        answer = service.client.post("/ask", json={"text": VACATION}, headers=named)
        assert answer.status_code == 200
        judged = ("POST", "/feedback", {"answer": answer.json()["id"], "verdict": "right"}, "ask")
        refused(sent(service, judged, headers={"x-forwarded-user": "bob"}), 404, "unknown_answer")
        assert sent(service, judged, headers=named).status_code == 200
        twice = [("x-forwarded-user", "ada"), ("X-Forwarded-User", "boss")]
        refused(service.client.get("/examples", headers=twice), 403, "forged_header")
        token = made(service, "user:42")
    with Held() as double, running(double.settings(docs, proxy_addresses="10.0.0.5", **flags)) as service:
        for road in ROADS[:-2]:
            refused(sent(service, road, headers=named), 403, "forged_header")
            refused(sent(service, road, token, headers=named), 403, "forged_header")
        assert sent(service, ROADS[2], token).status_code in (200, 503)


@pytest.mark.parametrize(("knows", "forwarded", "status"), [(True, True, 200), (False, False, 200), (False, True, 403)])
def test_another_server_s_word_on_the_peer_is_not_believed(
    tmp_path: Path, knows: bool, forwarded: bool, status: int
) -> None:
    """uvicorn run by itself puts what X-Forwarded-For says in the place of the peer."""
    sent_back: list[Any] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent_back.append(message)

    headers = [(b"x-forwarded-user", b"boss"), *([(b"x-forwarded-for", b"10.1.2.3:99")] if forwarded else [])]
    scope = {"type": "http", "method": "GET", "path": "/examples", "headers": headers, "client": ("10.1.2.3", 99)}
    admission = Admission(inside, behind(db=tmp_path / "index.db"), lambda: knows)
    asyncio.run(admission(scope, None, send))  # type: ignore[arg-type]
    admission.close()
    assert sent_back[0]["status"] == status
