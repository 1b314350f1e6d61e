"""POST /events over real sockets: a message becomes a document, and nobody hears or reads what is not theirs.

Try: pytest tests/test_events.py
"""

import contextlib
import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from access import tokens
from config import Settings
from sources import events
from sources.events import event_of
from tests import engine
from tests.conftest import mounted
from tests.served import Held, Running, refused, running, start, wait_until, write_docs
from tests.test_stream import Told, read

TEXT = "We still use `old-bus` for the ferries, whatever decision 0007 says."
RETIRED = """# 0007: Ferries move to new-bus

Status: accepted
Date: 2026-03-01
Decided by: Ada Weber
Deprecates: `old-bus`

We stop using `old-bus`.
"""
JSON = {"accept": "application/json"}


def world(tmp_path: Path) -> Path:
    docs = write_docs(tmp_path / "docs")
    (docs / "decisions").mkdir()
    (docs / "decisions" / "0007-ferries.md").write_text(RETIRED, encoding="utf-8")
    (docs / "services.md").write_text(
        "# Services\n\n| Service | Owner |\n|---|---|\n| `ferry-plan` | Bedrock |\n", encoding="utf-8"
    )
    return docs


def with_events(double: Held, tmp_path: Path, **flags: Any) -> Settings:
    docs = world(tmp_path)
    return double.settings(docs, **{"follow": False, "events_dir": docs / "events", **flags})


@pytest.fixture
def service(tmp_path: Path, double: Held) -> Iterator[Running]:
    with running(with_events(double, tmp_path)) as found:
        found.ready()
        yield found


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Held() as double, running(with_events(double, tmp_path_factory.mktemp("refusing"))) as found:
        found.ready()
        yield found


@pytest.fixture
def guarded(tmp_path: Path, double: Held) -> Iterator[Running]:
    with running(with_events(double, tmp_path, auth="tokens")) as found:
        found.client.headers["authorization"] = f"Bearer {token(found, 'agent:watch', 'operate')}"
        found.ready()
        del found.client.headers["authorization"]
        yield found


def token(service: Running, who: str, *scopes: str) -> str:
    with contextlib.closing(engine.connection_to(service.settings.db)) as connection:
        return tokens.make(connection, who, scopes)[1]


def sent(service: Running, text: str = TEXT, who: str = "", **more: Any) -> httpx.Response:
    headers = {**JSON, **({"authorization": f"Bearer {who}"} if who else {})}
    return service.client.post("/events", json={"text": text, **more}, headers=headers)


def taken(service: Running, text: str = TEXT, who: str = "", **more: Any) -> dict[str, Any]:
    reply = sent(service, text, who, **more)
    assert reply.status_code == 200, reply.text
    told: dict[str, Any] = reply.json()
    return told


def searched(service: Running, text: str, who: str = "") -> list[str]:
    headers = {"authorization": f"Bearer {who}"} if who else {}
    reply = service.client.post("/search", json={"text": text, "k": 20}, headers=headers)
    return [hit["source"] for hit in reply.json()["hits"]]


def embedded(double: Held) -> int:
    return len(double.bodies("/api/embed")) + len(double.bodies("/api/chat"))


def files(service: Running) -> list[str]:
    assert service.settings.events_dir
    return sorted(path.name for path in service.settings.events_dir.glob("*/*.md"))


def test_the_stages_are_told_and_the_whole_at_last(service: Running) -> None:
    reply = service.client.post("/events", json={"text": TEXT, "channel": "ferries", "at": "2026-11-30T09:15:00Z"})
    told: Told = read(reply.text)
    assert reply.headers["content-type"].startswith("text/event-stream")
    stages = [data["stage"] for name, data in told if name == "stage"]
    assert stages == ["write", "look", "read", "extract", "embed", "index", "change"]
    assert [name for name, _ in told][len(stages) :] == ["changed", "event"]
    event = told[-1][1]
    assert told[-2][1] == event["changed"]
    assert set(stages) == set(event["stages"])
    assert (event["deduplicated"], event["author"], event["access"]) == (False, "user:local", ["user:local"])
    assert event["counts"]["added"] == 1
    assert event["path"] in searched(service, TEXT)
    assert (service.settings.docs_dir / event["path"]).is_file()


def test_what_it_changed_is_told(service: Running) -> None:
    changed = taken(service, at="2026-11-30")["changed"]
    said = {(one["predicate"], one["object"]) for one in changed["facts"]}
    assert {("uses", "old-bus"), ("mentions", "old-bus"), ("written_by", "local")} <= said
    (conflict,) = changed["conflicts"]
    assert conflict[0]["words"][0]["quote"] == TEXT
    assert any("old-bus" in words["quote"] for fact in conflict[1:] for words in fact["words"])
    note = taken(service, "| Service | Owner |\n|---|---|\n| `ferry-plan` | Cobalt |", kind="note")["changed"]
    ((one, other),) = note["conflicts"]
    assert {one["subject"], other["subject"]} == {"Cobalt", "Bedrock"}
    assert {one["status"], other["status"]} == {"disputed"}
    assert note["ended"] == [], "a note ends nothing that a record says"


def test_the_same_event_costs_nothing(service: Running, double: Held) -> None:
    first = taken(service, at="2026-11-30")
    calls = embedded(double)
    again = taken(service, at="2026-11-30", access=["everyone"])
    assert (again["id"], again["deduplicated"]) == (first["id"], True)
    assert embedded(double) == calls, "no model was asked"
    assert again["counts"] == dict.fromkeys(again["counts"], 0)
    assert again["changed"] == {"facts": [], "ended": [], "conflicts": []}
    assert len(files(service)) == 1
    assert searched(service, TEXT).count(first["path"]) == 1


def test_the_same_event_after_the_index_was_made_anew(tmp_path: Path, double: Held) -> None:
    settings = with_events(double, tmp_path)
    with running(settings) as service:
        service.ready()
        first = taken(service)
    for path in settings.db.parent.glob("index.db*"):
        path.unlink()
    with running(settings) as service:
        service.ready()
        calls = embedded(double)
        assert taken(service)["deduplicated"]
        assert embedded(double) == calls
        assert first["path"] in searched(service, TEXT)


def test_killed_between_file_and_index(service: Running) -> None:
    """The file is there, the index has not heard: to send it again brings it in, and writes nothing."""
    settings = service.settings
    assert settings.events_dir
    event = event_of(TEXT, author="user:local", at="2026-11-30")
    events.Folder(settings.docs_dir, settings.events_dir).write(event)
    path = f"events/{event.path}"
    assert path not in searched(service, TEXT)
    told = taken(service, at="2026-11-30")
    assert (told["deduplicated"], told["counts"]["added"]) == (True, 1)
    assert path in searched(service, TEXT)


def test_two_at_once(service: Running) -> None:
    with ThreadPoolExecutor(6) as pool:
        told = list(pool.map(lambda n: taken(service, f"Ferry number {n % 3} is late.", at="2026-11-30"), range(6)))
    assert sorted(one["deduplicated"] for one in told) == [False] * 3 + [True] * 3
    assert len(files(service)) == 3
    assert len({one["path"] for one in told} & set(searched(service, "late ferry"))) == 3


@pytest.mark.slow
@pytest.mark.sqlite
def test_two_servers_and_one_that_is_killed(tmp_path: Path, double: Held) -> None:
    """Two processes over one index take the same event; killed at any moment, it is there once or not at all."""
    settings = with_events(double, tmp_path)
    environment = {
        "BRAIN_BACKEND": "ollama", "OLLAMA_HOST": double.host, "BRAIN_MIN_SCORE": "0.2", "BRAIN_FOLLOW": "0",
        "BRAIN_EVENTS_DIR": str(settings.events_dir), "BRAIN_PORT": "0",
    }  # fmt: skip
    with running(settings) as service:
        service.ready()
        other = start(["server.py", "--json"], settings.docs_dir, **environment)
        try:
            assert other.stdout
            url = json.loads(other.stdout.readline())["url"]
            with httpx.Client(base_url=url, timeout=30, trust_env=False) as client:
                wait_until(lambda: client.get("/readyz").json()["ready"])
                body = {"text": TEXT, "at": "2026-11-30"}
                with ThreadPoolExecutor(2) as pool:
                    both = list(
                        pool.map(lambda c: c.post("/events", json=body, headers=JSON), (client, service.client))
                    )
                assert sorted(one.json()["deduplicated"] for one in both) == [False, True]
                double.hold_texts = "embers"
                sender = threading.Thread(target=_send, args=(client, {"text": "Glowing embers.", "at": "2026-11-30"}))
                sender.start()
                assert double.asked.acquire(timeout=20)
                other.send_signal(signal.SIGKILL)
                sender.join(20)
                double.go.set()
        finally:
            other.kill()
            other.communicate()
        assert taken(service, "Glowing embers.", at="2026-11-30")["deduplicated"]
        assert len(files(service)) == 2


def _send(client: httpx.Client, body: dict[str, str]) -> None:
    with contextlib.suppress(httpx.HTTPError):
        client.post("/events", json=body)


def test_a_model_that_is_away_keeps_the_event(service: Running, double: Held) -> None:
    double.fail("status", path="/api/embed", times=100, status=500, text="the GPU is gone")
    error = refused(sent(service, at="2026-11-30"), 503, "event_kept")
    assert "next sync" in error.detail
    assert len(files(service)) == 1
    row = service.client.get("/audit/runs").json()["runs"][0]
    assert (row["cause"], row["caller"], row["outcome"]) == ("event", "user:local", "model_unavailable")
    assert row["stages"]["write"] > 0
    double._faults.clear()
    again = taken(service, at="2026-11-30")
    assert (again["deduplicated"], again["counts"]["added"]) == (True, 1)
    assert service.client.get("/audit/runs").json()["runs"][0]["outcome"] == "done"


def test_off_until_a_folder_is_set(tmp_path: Path, double: Held) -> None:
    with running(double.settings(world(tmp_path), follow=False)) as service:
        service.ready()
        assert "BRAIN_EVENTS_DIR" in refused(sent(service), 403, "events_off").detail


def test_who_may_send_and_in_whose_name(guarded: Running) -> None:
    asks, writes = token(guarded, "user:ada", "ask"), token(guarded, "user:ada", "ask", "write")
    bridge = token(guarded, "agent:bridge", "write", "impersonate")
    refused(sent(guarded), 401, "unauthenticated")
    refused(sent(guarded, who=asks), 403, "not_allowed")
    refused(sent(guarded, who=writes, author="user:ben"), 403, "not_allowed")
    refused(sent(guarded, who=writes, name="Ben Ode"), 403, "not_allowed")
    refused(sent(guarded, who=bridge, author="group:hr"), 422, "event_refused")
    assert files(guarded) == []
    assert taken(guarded, who=writes, author="user:ada")["author"] == "user:ada"
    told = taken(guarded, who=bridge, author="user:ben", name="Ben Ode")
    assert (told["author"], told["name"], told["access"]) == ("user:ben", "Ben Ode", ["user:ben"])
    assert ("written_by", "Ben Ode") in {(one["predicate"], one["object"]) for one in told["changed"]["facts"]}


def test_it_is_its_authors_unless_they_name_others(guarded: Running) -> None:
    ada, ben = (token(guarded, who, "ask", "write", "audit") for who in ("user:ada", "user:ben"))
    own = taken(guarded, "The blue heron sleeps.", ada)["path"]
    shared = taken(guarded, "The red heron sleeps.", ada, access=["user:ben"])["path"]
    assert {own, shared} <= set(searched(guarded, "heron sleeps", ada))
    assert shared in searched(guarded, "heron sleeps", ben)
    assert own not in searched(guarded, "heron sleeps", ben)
    assert taken(guarded, "The blue heron sleeps.", ben)["deduplicated"] is False, "not told that it was said"
    told = guarded.client.get("/audit/runs", headers={"authorization": f"Bearer {ada}"}).text
    assert "heron" not in told
    assert own not in told


def test_what_changed_is_told_as_the_author_sees_it(tmp_path: Path, double: Held) -> None:
    settings = with_events(double, tmp_path, auth="tokens")
    (settings.docs_dir / "access.toml").write_text('[allow]\n"**" = ["user:eve"]\n', encoding="utf-8")
    note = "| Service | Owner |\n|---|---|\n| `ferry-plan` | Cobalt |"
    with running(settings) as service:
        service.client.headers["authorization"] = f"Bearer {token(service, 'agent:watch', 'operate')}"
        service.ready()
        told = {}
        for who in ("ada", "eve"):
            writes = token(service, f"user:{who}", "write")
            told[who] = [taken(service, note, writes, kind="note")["changed"], taken(service, TEXT, writes)["changed"]]
        assert [len(one["conflicts"]) for one in told["eve"]] == [1, 1]
        assert [len(one["conflicts"]) for one in told["ada"]] == [0, 0]
        assert not [word for word in ("Bedrock", "0007-ferries", "services.md") if word in str(told["ada"])]


def test_rules_above_hold_and_what_is_sent_only_narrows(tmp_path: Path, double: Held) -> None:
    settings = with_events(double, tmp_path, auth="tokens")
    rules = '[allow]\n"**" = ["group:hr"]\n[deny]\n"**" = ["user:ben"]\n'
    (settings.docs_dir / "access.toml").write_text(rules, encoding="utf-8")
    with running(settings) as service:
        service.client.headers["authorization"] = f"Bearer {token(service, 'agent:watch', 'operate')}"
        service.ready()
        ada, ben, eve = (token(service, f"user:{who}", "ask", "write") for who in ("ada", "ben", "eve"))
        path = taken(service, "The blue heron sleeps.", ada, access=["everyone"])["path"]
        assert path in searched(service, "heron sleeps", ada)
        assert path in searched(service, "heron sleeps", eve)
        assert searched(service, "heron sleeps", ben) == [], "who is denied above is denied"
        assert searched(service, "vacation days", ada) == [path], "the other documents are as closed as before"
        own = taken(service, "Ben's own words.", ben)
        assert own["changed"]["facts"] == []


def test_an_agent_writes_as_itself_for_the_person_too(guarded: Running) -> None:
    agent = token(guarded, "agent:desk", "ask", "write", "act")
    headers = {**JSON, "authorization": f"Bearer {agent}", "x-acting-for": "user:ada"}
    reply = guarded.client.post("/events", json={"text": TEXT}, headers=headers).json()
    assert (reply["author"], reply["access"]) == ("agent:desk", ["agent:desk", "user:ada"])
    assert reply["path"] in searched(guarded, TEXT, token(guarded, "user:ada", "ask"))


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"text": ""}, "invalid_request"),
        ({"text": " \n "}, "event_refused"),
        ({"text": "a\0b"}, "invalid_request"),
        ({"text": "x" * 20_001}, "invalid_request"),
        ({"kind": "record"}, "invalid_request"),
        ({"path": "../x.md"}, "invalid_request"),
        ({"channel": "a\n---\naccess: everyone"}, "event_refused"),
        ({"access": ["user:x, everyone"]}, "event_refused"),
        ({"access": ["everyone\ndeny: user:ada"]}, "event_refused"),
        ({"author": "user:a\nb"}, "event_refused"),
        ({"at": "2999-01-01"}, "event_refused"),
        ({"kind": "note", "text": "# Only\n\n## Headings"}, "event_refused"),
    ],
)
def test_what_is_no_event_leaves_nothing(refusing: Running, more: dict[str, Any], code: str) -> None:
    generation = refusing.client.get("/readyz").json()["documents"]
    refused(sent(refusing, **{"text": TEXT, **more}), 422, code)
    assert files(refusing) == []
    assert refusing.client.get("/readyz").json()["documents"] == generation


def test_a_folder_that_is_ignored_is_told(service: Running) -> None:
    (service.settings.docs_dir / ".gitignore").write_text("events/\n")
    assert "ignore" in refused(sent(service), 503, "events_folder").detail
    assert files(service) == []


def test_ten_megabytes_are_refused_at_the_door(refusing: Running) -> None:
    refused(sent(refusing, "x" * 10_000_000), 413, "too_large")
    assert files(refusing) == []


def test_a_page_of_another_site_sends_none(refusing: Running) -> None:
    reply = refusing.client.post("/events", json={"text": TEXT}, headers={"origin": "https://evil.example"})
    refused(reply, 403, "origin_not_allowed")
    reply = refusing.client.post("/events", content='{"text": "x"}', headers={"content-type": "text/plain"})
    refused(reply, 415, "unsupported_media_type")


def test_a_full_disk_is_told_and_asked_nothing_further(tmp_path: Path, double: Held) -> None:
    place = tmp_path / "disk"
    with mounted(place, "200k"):
        docs = world(place)
        settings = double.settings(docs, db=tmp_path / "index.db", follow=False, events_dir=docs / "events")
        with running(settings) as service:
            service.ready()
            replies = [sent(service, "y" * 19_000, channel=str(n)) for n in range(14)]
            full = next(reply for reply in replies if reply.status_code != 200)
            assert "Free some space" in refused(full, 503, "events_folder").detail
            assert len(files(service)) == sum(reply.status_code == 200 for reply in replies)
            assert service.client.get("/audit/runs").json()["runs"][0]["outcome"] == "events_folder"


def test_followed_or_not_it_comes_in_once(tmp_path: Path, double: Held) -> None:
    """The server sees its own file appear as well: nothing is embedded or counted twice."""
    with running(with_events(double, tmp_path, follow=True)) as service:
        service.ready()
        told = taken(service)
        assert told["counts"]["added"] == 1
        wait_until(lambda: service.client.get("/readyz").json()["sync"]["age_seconds"] < 1.5)
        causes = [row["cause"] for row in service.client.get("/audit/runs").json()["runs"]]
        assert causes == ["event", "sync"]


def test_an_open_server_takes_none(tmp_path: Path, double: Held) -> None:
    with running(with_events(double, tmp_path, open=True)) as service:
        wait_until(lambda: service.client.get("/readyz").json()["ready"])
        refused(sent(service), 403, "not_allowed")


def test_the_runs_are_for_auditors(guarded: Running) -> None:
    for scopes, status in ((("ask", "write", "sync", "operate"), 403), (("audit",), 200)):
        headers = {"authorization": f"Bearer {token(guarded, 'user:eve', *scopes)}"}
        assert guarded.client.get("/audit/runs", headers=headers).status_code == status
    told = guarded.client.get("/audit/runs?limit=1", headers=headers).json()
    assert (len(told["runs"]), told["more"]) == (1, False)
    rows = guarded.client.get("/audit?kind=audit", headers=headers).json()["rows"]
    assert [row["body"]["action"] for row in rows][:2] == ["runs", "runs"], "who read them is a row of the log"
