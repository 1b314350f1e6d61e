"""What is due is done, by one process, and noted; questions go on meanwhile; what fails is seen where people look.

Try: pytest tests/test_scheduled.py
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import doctor
from access import passes
from access.directory import main as directory_main
from access.passes import Pass
from access.readers import wire
from access.sources import declared, late, main
from config import PROJECT, load
from errors import ModelError, SourceError, StoreBusy
from models import Vector
from search import Index, open_index
from service.scheduled import Job, Runner, due
from settings.sources import Declared, Span
from storage.lock import locked
from tests.conftest import HashEmbedder
from tests.directories import Commands
from tests.doubles import Refusal
from tests.drive_double import person
from tests.mirrored import Mirrored, mirrored
from tests.served import running, wait_until

pytest.importorskip("cryptography")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MakeIndex = Callable[..., Index]


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirrored]:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.001)
    with mirrored(tmp_path, "schedule = '6h'\naccess_schedule = '30m'\n") as made:
        yield made


def ago(**span: float) -> str:
    return (NOW - timedelta(**span)).isoformat()


WIKI = Declared("wiki", "wiki", reader="drive", schedule=Span("6h"), access_schedule=Span("30m"))
JOBS = [
    Job("directory", Span("1h")), Job("access wiki", Span("30m"), WIKI, lists_only=True),
    Job("source wiki", Span("6h"), WIKI), Job("documents", Span("1d"), Declared("all")),
]  # fmt: skip
FRESH = {name: Pass(ago(minutes=5)) for name in ("directory", "access wiki", "source wiki", "documents")}
DUE: list[tuple[dict[str, Pass], list[str]]] = [
    ({}, ["directory", "source wiki", "documents"]),
    (FRESH, []),
    (FRESH | {"access wiki": Pass(ago(minutes=30))}, ["access wiki"]),
    (FRESH | {"source wiki": Pass(ago(hours=7)), "access wiki": Pass(ago(hours=7))}, ["source wiki"]),
    (FRESH | {"source wiki": Pass(ago(hours=7), ago(minutes=4))}, []),
    (FRESH | {"source wiki": Pass(ago(hours=7), ago(minutes=6))}, ["source wiki"]),
    (FRESH | {"source wiki": Pass(ago(minutes=4), ago(minutes=6))}, []),
    (FRESH | {"directory ws": Pass(ago(hours=1), ago(minutes=6))}, ["directory"]),
    (FRESH | {"directory ws": Pass(ago(hours=3))}, []),
    (FRESH | {"documents": Pass(ago(hours=-1))}, ["documents"]),
]


@pytest.mark.parametrize(("held", "wanted"), DUE)
def test_what_is_due(held: dict[str, Pass], wanted: list[str]) -> None:
    assert [job.name for job in due(JOBS, held, NOW)] == wanted


def backdated(wiki: Mirrored, *names: str) -> None:
    """The passes as if they had been long ago."""
    for name in names:
        value = json.dumps({"complete": "2026-01-01T00:00:00+00:00"})
        wiki.connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, f"pass {name}"))


def test_the_runner(wiki: Mirrored) -> None:
    told, synced = list[str](), list[int]()
    runner = Runner(wiki.settings, told.append, lambda: synced.append(1))
    wiki.drive.put("f1", "a.md", "text", who=[person("anna"), person("ben")])
    assert runner.run(wiki.connection) == (["source wiki"], [])
    assert told == ["source wiki: 1 files, 1 added"]
    assert runner.run(wiki.connection) == ([], []), "nothing is due"
    backdated(wiki, "access wiki")
    wiki.drive.grants["f1"] = [person("ben")]
    with locked(Path(f"{wiki.settings.db}-passes"), wait=False):
        assert runner.run(wiki.connection) == ([], []), "another process is at it"
    assert runner.run(wiki.connection) == (["access wiki"], [])
    assert (len(synced), wiki.lists()) == (2, {"wiki/a.md": {"user:ben@example.com"}})
    backdated(wiki, "access wiki")
    wiki.drive.fault = lambda number, path: Refusal(403, "") if "/permissions" in path else None
    assert len(runner.run(wiki.connection)[1]) == 1
    assert len(synced) == 3, "a pass that fails may have taken rights before"


def test_what_fails_is_told_once_and_noted(wiki: Mirrored) -> None:
    wiki.declare(access_schedule=Span(""))
    told = list[str]()
    runner = Runner(wiki.settings, told.append, lambda: None)
    wiki.drive.fault = lambda number, path: Refusal(500, "") if "files" in path else None
    (error,) = runner.run(wiki.connection)[1]
    assert "it answers 500" in str(error)
    assert runner.run(wiki.connection) == ([], []), "not before five minutes have gone by"
    held = passes.last(wiki.connection, "source wiki")
    assert held.is_failing
    old = replace(held, failed=(datetime.now(UTC) - timedelta(minutes=6)).isoformat())
    wiki.connection.execute("UPDATE meta SET value = ? WHERE key = 'pass source wiki'", (json.dumps(asdict(old)),))
    assert len(runner.run(wiki.connection)[1]) == 1
    assert len(told) == 1
    assert passes.last(wiki.connection, "source wiki").failed > old.failed


def test_the_directory_on_its_own_schedule(wiki: Mirrored) -> None:
    wiki.settings = replace(wiki.settings, directory_every=Span("1h"), sources=())
    runner = Runner(wiki.settings, lambda text: None, lambda: None)
    wiki.drive.world.groups["g2"] = "Board"
    assert runner.run(wiki.connection) == (["directory"], [])
    assert {*passes.every(wiki.connection)} == {"directory", "directory ws"}
    backdated(wiki, "directory", "directory ws")
    wiki.drive.fault = lambda number, path: Refusal(503, "") if "/groups" in path else None
    done, errors = runner.run(wiki.connection)
    assert (done, [error.code for error in errors]) == ([], ["directory_away"])
    assert passes.last(wiki.connection, "directory ws").is_failing
    assert wiki.connection.execute("SELECT name FROM directory_groups WHERE id = 'ws/g2'").fetchone() == ("Board",)


def test_the_server_does_it_and_answers_meanwhile(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.scheduled.LOOK_SECONDS", 0.05)
    wiki.declare(schedule=Span("1s"), access_schedule=Span(""))
    (wiki.settings.docs_dir / "leave.md").write_text("# Leave\n\nAfter one year you get 28 vacation days.\n")
    go, asked = threading.Event(), threading.Event()

    def hold(path: str) -> None:
        asked.set()
        go.wait(20)

    wiki.drive.put("f1", "Taxi", "# Taxi\n\nA taxi to the airport costs 40 euros.\n", who=[person("ben")])
    wiki.drive.put("f2", "Boat", "# Boat\n\nA boat to the island costs 70 euros.\n", who=[person("anna")])
    wiki.drive.meddle = hold
    wiki.connection.executescript("DELETE FROM directory_groups; DELETE FROM directories;")
    with running(replace(wiki.settings, caller="user:ben@example.com", min_score=0.2)) as server:
        server.ready()
        assert asked.wait(20)
        assert "28" in server.ask("How many vacation days do I get after one year?").json()["answer"]
        go.set()
        wait_until(lambda: "40" in server.ask("What does a taxi to the airport cost?").json()["answer"])
        assert "70 euros" not in json.dumps(server.ask("What does a boat to the island cost?").json())
        told = server.ready()["passes"]
        assert told["source wiki"]["complete"]
        assert "failed" not in told["source wiki"]
        wiki.drive.grants["f1"] = []
        wait_until(lambda: "40 euros" not in json.dumps(server.ask("What does a taxi to the airport cost?").json()))
        wiki.drive.fault = lambda number, path: Refusal(500, "") if "files" in path else None
        wait_until(lambda: "failed" in server.ready()["passes"]["source wiki"])
        assert server.ready()["passes"]["source wiki"]["code"] == "directory_away"


def test_a_stalled_drive_does_not_hold_up_the_server_s_end(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.scheduled.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("service.brain._STOP_SECONDS", 0.1)
    (wiki.settings.docs_dir / "leave.md").write_text("# Leave\n\nAfter one year you get 28 vacation days.\n")
    go, asked = threading.Event(), threading.Event()

    def hold(path: str) -> None:
        asked.set()
        go.wait(20)

    wiki.drive.meddle = hold
    try:
        with running(wiki.settings) as server:
            server.ready()
            assert asked.wait(20)
    finally:
        go.set()


def run(wiki: Mirrored, *words: str) -> subprocess.CompletedProcess[str]:
    assert wiki.settings.directory
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    environment = {**kept, "BRAIN_CONFIG": str(wiki.settings.directory.parent / "brain.toml")}
    return subprocess.run(
        [sys.executable, *words], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120
    )


def test_the_commands(wiki: Mirrored) -> None:
    wiki.drive.put("f1", "Taxi", "# Taxi\n\nA taxi to the airport costs 40 euros.\n", who=[person("ben")])
    wiki.drive.put("f2", "film.mp4", kind="video/mp4")
    done = run(wiki, "-m", "access.sources", "--due", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"due": {"done": ["source wiki"]}}), done.stderr
    assert "note: source wiki: 1 files, 1 added, 1 left out" in done.stderr
    row = json.loads(run(wiki, "-m", "access.sources", "--json").stdout)["wiki"]
    assert (row["documents"], row["reader"], row["schedule"]) == (1, "drive", "every 6h and its lists every 30m")
    assert (row["fresh_share"], row["last_failure"], row["error"]) == (1.0, "", "")
    assert row["last_pass"][:10] == row["access_pass"][:10] == datetime.now(UTC).date().isoformat()
    wiki.drive.fault = lambda number, path: Refusal(403, '{"error": {"message": "Not yours"}}')
    done = run(wiki, "-m", "access.sources", "--now", "wiki")
    assert (done.returncode, done.stdout) == (3, "")
    assert "error: ws: it refuses /token (403: Not yours)" in done.stderr
    told = run(wiki, "-m", "access.sources").stdout
    assert "  error: directory_away: ws: it refuses /token (403: Not yours)" in told


def test_wrong_use(wiki: Mirrored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("BRAIN_CONFIG", str(tmp_path / "brain.toml"))
    command = Commands(main, tmp_path, monkeypatch, capsys)
    for words in (("--due", "--now", "wiki"), ("--lists",), ("--allow-empty",), ("--now", "other")):
        done = command(*words)
        assert done.returncode == 2, done
    assert "No source other is declared in brain.toml; declared: wiki." in done.stderr


class Loose(HashEmbedder):
    """A model whose server comes and goes."""

    is_away = False

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        if self.is_away:
            raise ModelError("The model is away.")
        return super().embed_documents(texts)


def test_a_sync_that_fails_is_noted_until_the_next_whole_one(docs: Path, make_index: MakeIndex) -> None:
    embedder = Loose()
    index = make_index(docs, embedder)
    index.sync()
    first = index.store.passes()["documents"]
    assert first.complete
    index.sync()
    assert index.store.passes()["documents"] == first, "it is not written at each look"
    embedder.is_away = True
    (docs / "new.md").write_text("# New\n\nA new page.\n")
    with pytest.raises(ModelError):
        index.sync()
    held = index.store.passes()["documents"]
    assert (held.complete, held.code, held.error, held.is_failing) == (
        first.complete, "model_unavailable", "The model is away.", True,
    )  # fmt: skip
    embedder.is_away = False
    with locked(index.store.path, wait=False), pytest.raises(StoreBusy):
        index.sync(wait=False)
    assert index.store.passes()["documents"] == held
    docs.rename(docs.parent / "away")
    with pytest.raises(SourceError):
        index.sync()
    assert index.store.passes()["documents"].code == "source"
    (docs.parent / "away").rename(docs)
    index.sync()
    assert not index.store.passes()["documents"].is_failing


def test_an_answer_tells_of_a_drive_that_was_not_looked_at_for_long() -> None:
    sources = declared((WIKI._replace(change_rate="daily", owner="user:x"),), guarded=False)
    paths = ["wiki/a.md", "b.md"]
    long_ago = (datetime.now(UTC) - timedelta(days=5)).isoformat()
    for held, wanted in (({}, ["wiki"]), ({"source wiki": Pass(long_ago)}, ["wiki"])):
        assert [one.name for one, _ in late(sources, paths, 0.0, lambda held=held: held)] == wanted  # type: ignore[misc]
    now = datetime.now(UTC).isoformat()
    assert late(sources, paths, 0.0, lambda: {"source wiki": Pass(now)}) == []
    assert late(sources, ["b.md"], 0.0, lambda: pytest.fail("nobody asks")) == []
    assert [one.name for one, _ in late(sources, paths, 9999.0, lambda: {"source wiki": Pass(now)})] == [
        "documents", "wiki",
    ]  # fmt: skip


def test_the_directory_tells_what_fails(
    wiki: Mirrored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    command = Commands(directory_main, tmp_path, monkeypatch, capsys)
    file = str(wiki.settings.directory)
    assert command("sync", "--file", file).returncode == 0
    wiki.drive.fault = lambda number, path: Refusal(500, "")
    assert command("sync", "--file", file).returncode == 3
    told = json.loads(command("groups", "--json").stdout)["synced"]["ws"]
    assert (told["last"][:19] <= told["failed"][:19], "it answers 500" in told["error"]) == (True, True)
    assert wiki.settings.directory
    wiki.settings.directory.write_text("")
    command("sync", "--file", file, "--allow-empty")
    assert {*passes.every(wiki.connection)} == {"directory"}, "what is no longer named is forgotten"


def test_doctor_names_what_fails(wiki: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_CONFIG", str(wiki.settings.db.parent / "brain.toml"))
    with closing(open_index(load(), notice=lambda text: None).store):
        pass
    wiki.go()
    wiki.drive.fault = lambda number, path: Refusal(500, "")
    with pytest.raises(Exception, match="answers 500"):
        wiki.go(lists_only=True)
    told = {check.name: check for check in doctor.examined({})}
    assert "passes" not in told
    assert (told["access wiki"].status, told["access wiki"].mends) == ("warn", "python -m access.sources --now wiki")
