"""The index follows the documents: real files, real events, real processes; the model server is a double.

Try: pytest tests/test_follow.py
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import commandline
import config
from calibration.first import first_limit
from config import PROJECT
from errors import SourceError, StoreError, UsageError
from search import Index
from server import Service
from sources import watching
from sources.folder import FolderSource
from storage import care, follow
from storage.follow import Follower
from storage.report import Progress, Summary
from storage.watch import json_of, line_of
from tests.conftest import HashEmbedder, age, caller, write
from tests.engine import store_at
from tests.served import Held, Running, refused, running, start, wait_until, write_docs

TOKEN = "a-secret-of-some-length"
MakeIndex = Callable[..., Index]


class Followed:
    """An index and its follower in a thread; what it told and wrote."""

    def __init__(self, index: Index, **more: Any) -> None:
        self.index, self.told, self.wrote, self.syncs = index, list[str](), list[Summary](), 0
        flags = {"own": index.store.path, "epoch": index.store.epoch, **more}
        self.follower = Follower(index.settings.docs_dir, self.sync, self.told.append, wrote=self.wrote.append, **flags)
        self.thread = threading.Thread(target=self.follower.run, daemon=True)

    def sync(self, progress: Progress) -> Summary:
        self.syncs += 1
        return self.index.sync(wait=False, progress=progress)

    def has(self, paths: set[str], text: str = "") -> bool:
        """Whether the index holds exactly these documents, and this text in one of them; waits for it."""
        with contextlib.suppress(AssertionError):
            wait_until(lambda: self.paths() == paths and text in self.texts(), 10)
        return self.paths() == paths and text in self.texts()

    def synced(self, times: int = 1) -> None:
        """Waits for so many more syncs."""
        until = self.syncs + times
        wait_until(lambda: self.syncs >= until)

    def quiet(self) -> int:
        """How many syncs there were, once no further one comes for a while."""
        for _ in range(20):
            count = self.syncs
            time.sleep(0.7)
            if count == self.syncs:
                return count
        raise AssertionError("it syncs without end")

    def tells(self, count: int) -> bool:
        """Whether so much was told in all; waits for it."""
        wait_until(lambda: len(self.told) >= count)
        return len(self.told) == count

    def paths(self) -> set[str]:
        return {row[0] for row in self.index.store.connection().execute("SELECT path FROM documents")}

    def texts(self) -> str:
        return "\n".join(row[0] for row in self.index.store.connection().execute("SELECT text FROM chunks"))


@contextlib.contextmanager
def following(index: Index, **more: Any) -> Iterator[Followed]:
    made = Followed(index, **more)
    made.thread.start()
    try:
        wait_until(lambda: made.syncs >= (2 if more.get("events", True) else 1))  # the second: events come by now
        wait_until(lambda: made.follower.state.code != "syncing")
        yield made
    finally:
        made.follower.stop()
        made.thread.join(10)
        assert not made.thread.is_alive()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(watching, "QUIET_MS", 100)
    monkeypatch.setattr(follow, "PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(follow, "BUSY_SECONDS", 0.1)


# --- what is taken in ---------------------------------------------------------------------------------------------


@pytest.mark.freshness
def test_every_kind_of_change_is_taken_in(docs: Path, make_index: MakeIndex) -> None:
    def saved_over() -> None:  # as editors do: another file takes the name
        write(docs, {".leave.md.swp": "# Leave\n\nNow it is 30 days.\n"})
        os.replace(docs / ".leave.md.swp", docs / "leave.md")

    start = {"leave.md", "travel/expenses.md", "travel/vpn.txt", "zh.md"}
    steps: list[tuple[Callable[[], object], set[str], str]] = [
        (lambda: write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"}), start | {"new.md"}, "4711"),
        (lambda: write(docs, {"new.md": "# New\n\nThe gate code is 4712.\n"}), start | {"new.md"}, "4712"),
        (saved_over, start | {"new.md"}, "30 days"),
        (lambda: (docs / "new.md").rename(docs / "old.md"), start | {"old.md"}, "4712"),
        (lambda: (docs / "old.md").unlink(), start, "30 days"),
        (
            lambda: write(docs, {"a/b/c.md": "This is Deep down.", "a/d.md": "This is less deep."}),
            start | {"a/b/c.md", "a/d.md"},
            "Deep",
        ),
        (lambda: (docs / "a").rename(docs / "e"), start | {"e/b/c.md", "e/d.md"}, "Deep"),
        (lambda: write(docs, {".brainignore": "e/\n*.txt\n"}), start - {"travel/vpn.txt"}, "30 days"),
        (lambda: (docs / ".brainignore").unlink(), start | {"e/b/c.md", "e/d.md"}, "VPN-2"),
        (lambda: (docs / "e" / "d.md").rename(docs.parent / "d.md"), start | {"e/b/c.md"}, "Deep"),
    ]
    with following(make_index(docs, HashEmbedder())) as followed:
        for number, (step, paths, text) in enumerate(steps):
            step()
            assert followed.has(paths, text), (number, followed.paths())
        assert followed.told == []
        assert ("added", "a/d.md") in [named for summary in followed.wrote for named in summary.few]


def test_a_burst_is_one_sync_or_few_and_nothing_of_it_is_lost(docs: Path, make_index: MakeIndex) -> None:
    with following(make_index(docs)) as followed:
        write(docs, {f"n{i % 7}/{i}.md": f"# Note {i}\n\nAbout the thing {i}.\n" for i in range(300)})
        wait_until(lambda: sum(summary.added for summary in followed.wrote) == 304)
        assert len(followed.paths()) == 304
        written = [summary for summary in followed.wrote if summary.added < 5]
        assert len(followed.wrote) - len(written) <= 4, "a slow disk may need more than one, never 300"
        assert followed.wrote[-1].few == []


def test_a_file_is_read_again_when_it_has_settled(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SETTLED_SECONDS", 0.4)
    with following(make_index(docs)) as followed:
        before = followed.quiet()
        (docs / "leave.md").write_text("# Leave\n\nThis is half of the sen", encoding="utf-8")
        wait_until(lambda: "This is half of the sen" in followed.texts())
        wait_until(lambda: followed.syncs >= before + 2)


@pytest.mark.sqlite
def test_the_index_s_own_files_and_hidden_ones_are_no_change(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SETTLED_SECONDS", 0.1)
    index = make_index(docs, db=docs / "index.db")  # the sync writes into the folder that it follows
    with following(index, own=index.store.path) as followed:
        (docs / "leave.md").unlink()
        wait_until(lambda: "leave.md" not in followed.paths())
        before = followed.quiet()
        write(docs, {".git/index": "x", ".hidden.md": "y"})
        (docs / "index.db-journal").touch()
        assert followed.quiet() == before
        write(docs, {"heard.md": "This is heard."})
        wait_until(lambda: "heard.md" in followed.paths())


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_documents_behind_a_hidden_link_that_is_turned_are_a_change(
    tmp_path: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Kubernetes mounts a ConfigMap."""
    monkeypatch.setattr(follow, "SETTLED_SECONDS", 0.1)
    docs = tmp_path / "mounted"
    write(docs, {"..one/leave.md": "Staff get 28 days.", "..two/leave.md": "Staff get thirty days."})
    (docs / "..data").symlink_to("..one")
    (docs / "leave.md").symlink_to("..data/leave.md")
    with following(make_index(docs)) as followed:
        assert followed.has({"leave.md"}, "28 days")
        followed.quiet()
        (docs / "..new").symlink_to("..two")
        os.replace(docs / "..new", docs / "..data")
        assert followed.has({"leave.md"}, "thirty days")


def test_a_folder_whose_changes_nobody_tells_is_looked_at_on_a_schedule(docs: Path, make_index: MakeIndex) -> None:
    with following(make_index(docs), events=False, every=0.1) as followed:
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        wait_until(lambda: "new.md" in followed.paths())


def test_events_that_the_system_refuses_are_told_once_and_done_without(
    docs: Path, make_index: MakeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> Iterator[set[object]]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", refused)
    monkeypatch.setattr(watching, "WITHOUT_EVENTS_SECONDS", 0.1)
    with following(make_index(docs)) as followed:
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        wait_until(lambda: "new.md" in followed.paths())
        assert len(followed.told) == 1
        assert "max_user_watches" in followed.told[0]


# --- what goes wrong ----------------------------------------------------------------------------------------------


def test_a_folder_that_vanishes_is_told_once_and_followed_when_it_is_back(docs: Path, make_index: MakeIndex) -> None:
    away = docs.parent / "away"
    with following(make_index(docs)) as followed:
        docs.rename(away)
        wait_until(lambda: followed.follower.state.code == "source")
        tries = followed.syncs
        wait_until(lambda: followed.syncs > tries + 1)
        assert len(followed.paths()) == 4
        assert len(followed.told) == 1
        assert "does not exist" in followed.told[0]
        away.rename(docs)
        wait_until(lambda: followed.follower.state.code == "idle")
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        wait_until(lambda: "new.md" in followed.paths())
        assert [summary.removed for summary in followed.wrote] == [0] * len(followed.wrote)
        assert "followed again" in followed.told[1]


@pytest.mark.deletion
def test_an_unmounted_share_leaves_an_empty_folder_and_deletes_nothing(docs: Path, make_index: MakeIndex) -> None:
    away = docs.parent / "away"
    with following(make_index(docs)) as followed:
        docs.rename(away)
        docs.mkdir()
        wait_until(lambda: any("--allow-empty" in text for text in followed.told))
        assert len(followed.paths()) == 4
        docs.rmdir()
        shutil.copytree(away, docs)  # mounted again: another folder under the same name
        wait_until(lambda: followed.follower.state.code == "idle")
        followed.quiet()
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        wait_until(lambda: "new.md" in followed.paths())


class Vanishing(FolderSource):
    """A share that goes in the middle of a sync: when the first document is opened."""

    away: Path | None = None

    def read(self, path: str) -> bytes:
        if self.away and not self.away.exists():
            self._root.rename(self.away)
        return super().read(path)


@pytest.mark.parametrize("left", ["nothing", "an empty folder"])
@pytest.mark.deletion
def test_a_folder_that_vanishes_while_it_is_read_deletes_nothing(docs: Path, make_index: MakeIndex, left: str) -> None:
    source = Vanishing(docs)
    index = make_index(docs, source=source)
    index.sync()
    for path in docs.rglob("*.*"):
        age(path)  # another time: each is opened
    source.away = docs.parent / "away"
    if left == "an empty folder":
        reading = source.read

        def read(path: str) -> bytes:
            try:
                return reading(path)
            finally:
                docs.mkdir(exist_ok=True)

        source.read = read  # type: ignore[method-assign]
    with pytest.raises(SourceError):
        index.sync()
    assert index.store.status().documents == 4
    if docs.exists():
        docs.rmdir()
    source.away.rename(docs)
    source.away = None
    assert (index.sync().removed, index.store.status().documents) == (0, 4)


def test_what_is_left_out_is_told_once_and_again_when_it_breaks_anew(docs: Path, make_index: MakeIndex) -> None:
    broken, whole = b"# Plan\n\nA bad byte: \xff here \x80.\n", b"# Plan\n\nNo bad byte.\n"
    with following(make_index(docs)) as followed:
        start = followed.paths()
        for content, paths, count in ((broken, start, 1), (whole, start | {"plan.md"}, 1), (broken, start, 2)):
            write(docs, {"plan.md": content})
            assert followed.tells(count)
            assert followed.has(paths)
            (docs / "zh.md").touch()
            followed.synced()
        assert followed.tells(2)
        assert followed.told[0].startswith("plan.md was left out: ")
        write(docs, {f"bad{i}.md": broken for i in range(5)})
        assert followed.tells(3)
        assert followed.told[2].startswith("5 files were left out")


def test_two_that_follow_one_folder_share_the_work(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    first, second = make_index(docs, embedder), make_index(docs, HashEmbedder())
    go, asked = threading.Event(), threading.Event()
    with following(first) as one, following(second) as two:

        def hold() -> None:
            asked.set()
            go.wait(30)

        embedder.before = two.index.models.embedder.before = hold  # type: ignore[union-attr]
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        wait_until(asked.is_set)
        wait_until(lambda: "store_busy" in (one.follower.state.code, two.follower.state.code))
        assert len(second.searcher().search(caller(), "annual leave").hits) > 0
        go.set()
        wait_until(lambda: one.follower.state.code == two.follower.state.code == "idle")
        for index in (first, second):
            assert index.searcher().search(caller(), "gate code").hits[0].chunk.path == "new.md"
        assert [summary.added for each in (one, two) for summary in each.wrote if summary.added == 1] == [1]
        assert one.told == two.told == []


@pytest.mark.sqlite
def test_a_restored_index_is_compared_with_its_documents_at_once(
    docs: Path, tmp_path: Path, make_index: MakeIndex
) -> None:
    index = make_index(docs)
    with following(index) as followed:
        before, copy = followed.paths(), tmp_path / "copy.db"
        care.backup(index.store.path, copy)
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        assert followed.has(before | {"new.md"})
        count = followed.quiet()
        care.restore(copy, index.store.path, index.source.root)
        wait_until(lambda: followed.syncs > count)
        assert followed.has(before | {"new.md"})


@pytest.mark.skipif(sys.platform == "win32", reason="an open file keeps its name there")
@pytest.mark.sqlite
def test_whoever_asks_hears_of_an_index_that_cannot_be_read(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs)
    with following(index, events=False) as followed:
        followed.quiet()
        index.store.path.rename(index.store.path.with_suffix(".away"))
        asked = followed.follower.request()
        with pytest.raises(StoreError):
            asked.result(10)
        wait_until(lambda: followed.follower.state.code == StoreError.code)


def test_what_is_asked_for_beside_another_process_waits_its_turn(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs)
    with following(index, events=False) as followed:
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        with index.store.locked(wait=False):
            first = followed.follower.request()
            wait_until(lambda: followed.follower.state.code == "store_busy")
            second = followed.follower.request()
            assert not first.done()
        assert first.result(10).added == second.result(10).added == 1


@pytest.mark.deletion
def test_documents_that_all_but_vanish_are_asked_about(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {f"{i}.md": f"# Note {i}\n\nAbout the thing {i}.\n" for i in range(30)})
    index = make_index(docs)
    index.sync()
    docs.rename(docs.with_name("away"))
    write(docs, {"not-mounted.md": "# The share is not mounted\n"})
    with pytest.raises(SourceError, match="holds 1 documents, the index holds 34"):
        index.sync()
    assert index.store.status().documents == 34
    assert index.sync(allow_empty=True).removed == 34


def test_a_stop_ends_a_sync_at_the_next_document(docs: Path, make_index: MakeIndex) -> None:
    write(docs, {f"{i}.md": f"# Note {i}\n\nAbout the thing {i}.\n" for i in range(50)})
    source = FolderSource(docs)
    followed = Followed(make_index(docs, source=source))
    read: list[str] = []
    reading = source.read

    def counted(path: str) -> bytes:
        read.append(path)
        if len(read) == 3:
            followed.follower.stop()
        return reading(path)

    source.read = counted  # type: ignore[method-assign]
    followed.thread.start()
    followed.thread.join(10)
    assert not followed.thread.is_alive()
    assert len(read) == 3
    assert followed.told == []


def test_one_runs_and_one_waits(docs: Path, make_index: MakeIndex) -> None:
    embedder = HashEmbedder()
    go, asked = threading.Event(), threading.Event()
    with following(make_index(docs, embedder), events=False) as followed:

        def hold() -> None:
            asked.set()
            go.wait(30)

        embedder.before = hold
        write(docs, {"new.md": "# New\n\nThe gate code is 4711.\n"})
        first = followed.follower.request()
        wait_until(asked.is_set)
        write(docs, {"later.md": "# Later\n\nThe other code is 4712.\n"})
        second = followed.follower.request()
        assert second is not first
        assert followed.follower.request() is second, "it has not begun, so it will see what this one means"
        go.set()
        assert (first.result(10).added, second.result(10).added) == (1, 1)
        third = followed.follower.request()
        assert third.result(10).wrote is False
    assert followed.follower.state.age is not None


# --- the server ---------------------------------------------------------------------------------------------------


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_docs(tmp_path / "pages")


def sync_state(service: Running) -> dict[str, Any]:
    told: dict[str, Any] = service.client.get("/readyz").json()
    return told


def test_a_model_away_is_told_and_tried_again_while_questions_are_answered(
    pages: Path, double: Held, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(double.settings(pages)) as service:
        service.ready()
        double.poison("Kitchen", 404, "model 'qwen3-embedding:0.6b' not found")
        (pages / "kitchen.md").write_text("# Kitchen\n\nCoffee is free for all of us.\n", encoding="utf-8")
        wait_until(lambda: sync_state(service)["sync"]["state"] not in ("idle", "syncing"))
        told = sync_state(service)
        assert (told["ready"], told["documents"]) == (True, 3)
        assert told["detail"].startswith("The last sync failed")
        assert told["sync"]["last"]
        assert service.ask().json()["sources"][0]["source"] == "leave.md"
        double._poison.clear()
        wait_until(lambda: sync_state(service)["documents"] == 4)
        wait_until(lambda: sync_state(service)["detail"] == "The index is up to date.")
        assert sync_state(service)["sync"]["last_change"]["added"] == 1
    said = capsys.readouterr().err
    assert said.count("ollama pull qwen3-embedding:0.6b (the index stays as it is") == 1
    assert said.count("followed again") == 1


def test_questions_are_answered_while_the_server_takes_in_a_change(pages: Path, double: Held) -> None:
    with running(double.settings(pages)) as service:
        service.ready()
        double.hold_texts = "Coffee"
        (pages / "kitchen.md").write_text("# Kitchen\n\nCoffee is free for all of us.\n", encoding="utf-8")
        wait_until(lambda: sync_state(service)["sync"]["state"] == "syncing")
        reply = service.client.get("/readyz")
        assert (reply.status_code, reply.json()["code"]) == (200, "ready")
        assert "being read" in reply.json()["detail"]
        assert service.ask().json()["sources"][0]["source"] == "leave.md"
        double.go.set()
        wait_until(lambda: sync_state(service)["documents"] == 4)


@pytest.mark.freshness
def test_an_index_that_nobody_compared_lately_is_not_said_to_be_up_to_date(
    pages: Path, double: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(double.settings(pages, follow=False)) as service:
        service.ready()
        assert sync_state(service)["detail"] == "The index is up to date."
        monkeypatch.setattr("service.brain.OLD_SECONDS", 0.0)
        assert "hours ago" in sync_state(service)["detail"]


def post(service: Running, token: str = TOKEN, **more: Any) -> httpx.Response:
    headers = {b"Authorization": f"Bearer {token}".encode("latin-1")} if token else {}
    return service.client.post("/sync", headers=headers, **more)


def test_whoever_holds_the_token_starts_a_sync(pages: Path, double: Held) -> None:
    with running(double.settings(pages, follow=False, sync_token=TOKEN)) as service:
        service.ready()
        for token in ("", "wrong", TOKEN + "x", TOKEN[:-1], TOKEN.upper(), "\xfc" * 20):
            reply = post(service, token, json={})
            refused(reply, 401, "unauthorised")
            assert reply.headers["www-authenticate"] == "Bearer"
        refused(service.client.post("/sync", json={}, headers={"Authorization": f"Basic {TOKEN}"}), 401, "unauthorised")
        for sent in ({}, {"content": b"{", "headers": {"Content-Type": "text/plain"}}, {"data": {"wait": "1"}}):
            refused(service.client.post("/sync", **sent), 401, "unauthorised")
        refused(service.client.post("/sync", headers={"Sec-Fetch-Site": "cross-site"}), 403, "cross_site")
        refused(post(service, content=b"{"), 415, "unsupported_media_type")
        refused(post(service, json={"wait": True, "more": 1}), 422, "invalid_request")
        (pages / "kitchen.md").write_text("# Kitchen\n\nCoffee is free for all of us.\n", encoding="utf-8")
        reply = post(service, json={"wait": True})
        assert (reply.status_code, reply.json()["did"]) == (
            200, {"added": 1, "changed": 0, "removed": 0, "unchanged": 3, "left_out": 0},
        )  # fmt: skip
        (pages / "kitchen.md").unlink()
        reply = post(service)  # no body, no content type
        assert (reply.status_code, reply.json()["did"]) == (202, None)
        wait_until(lambda: sync_state(service)["documents"] == 3)


def test_all_who_ask_while_one_runs_share_the_next(pages: Path, double: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.syncing.WAIT_SECONDS", 0.2)
    with running(double.settings(pages, follow=False, sync_token=TOKEN)) as service:
        service.ready()
        double.hold_texts = "Coffee"
        (pages / "kitchen.md").write_text("# Kitchen\n\nCoffee is free for all of us.\n", encoding="utf-8")
        assert post(service, json={"wait": True}).status_code == 202, "it has not ended in time"
        assert post(service).json()["state"] == "syncing"
        for _ in range(20):
            assert post(service).status_code == 202
        double.go.set()
        wait_until(lambda: sync_state(service)["documents"] == 4)


def test_without_a_token_the_endpoint_is_off(pages: Path, double: Held) -> None:
    with running(double.settings(pages)) as service:
        told = refused(post(service, "anything"), 403, "sync_off")
        assert "BRAIN_SYNC_TOKEN" in told.detail
    for token in ("short", "with a space in it, long", "überlang-überlang-überlang"):
        with pytest.raises(UsageError, match="BRAIN_SYNC_TOKEN must"):
            Service(double.settings(pages, sync_token=token))


def test_the_token_is_never_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_SYNC_TOKEN", TOKEN)
    assert config.main([]) == 0
    printed = capsys.readouterr().out
    assert "BRAIN_SYNC_TOKEN = set\n" in printed
    assert TOKEN not in printed + repr(config.load())
    monkeypatch.delenv("BRAIN_SYNC_TOKEN")
    config.main([])
    assert "BRAIN_SYNC_TOKEN = \n" in capsys.readouterr().out


def test_a_token_of_the_wrong_type_is_not_shown_either(tmp_path: Path) -> None:
    (tmp_path / "brain.toml").write_text("sync_token = 123454321")
    with pytest.raises(UsageError, match="its value is not text") as raised:
        config.load({}, {"BRAIN_CONFIG": str(tmp_path / "brain.toml")})
    assert "123454321" not in str(raised.value)


def test_everything_is_embedded_before_the_chat_model_is_loaded(pages: Path, double: Held) -> None:
    with running(double.settings(pages, min_score=None)) as service:
        service.ready()
    assert double.loads == ["qwen3-embedding:0.6b", "qwen3.5:9b"]
    asked = [path for path, _ in double.requests if path in ("/api/embed", "/api/chat")]
    assert asked.index("/api/chat") == len(asked) - 1, "and nothing is embedded after it"


# --- processes ----------------------------------------------------------------------------------------------------


@pytest.mark.freshness
def test_a_server_answers_from_what_was_just_written(pages: Path, double: Held) -> None:
    def reply(messages: list[dict[str, str]]) -> str:
        if double.hold_chat:
            double.go.wait(60)
        return "The gate code is 4711 [1]." if "4711" in str(messages) else "NOT_FOUND"

    double.handler = reply
    arguments = ["server.py", "--port", "0", "--json"]
    with started(arguments, pages, double) as process:
        assert process.stdout
        address = json.loads(process.stdout.readline())["url"]
        wait_until(lambda: httpx.get(f"{address}/readyz").status_code == 200)

        def answer() -> str:
            asked = httpx.post(f"{address}/ask", json={"text": "What is the gate code?"}, timeout=30)
            return str(asked.json()["answer"])

        assert "4711" not in answer()
        (pages / "gate.md").write_text("# Gate\n\nThe gate code is 4711.\n", encoding="utf-8")
        wait_until(lambda: "4711" in answer())
        double.hold_chat = True
        asked = len(double.bodies("/api/chat"))
        threading.Thread(target=ask_in_vain, args=(address,), daemon=True).start()
        wait_until(lambda: len(double.bodies("/api/chat")) > asked)
        for _ in range(2):  # at once, not after the question at work
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        _, said = process.communicate(timeout=15)
        assert process.returncode == 130
        assert "Traceback" not in said


def ask_in_vain(address: str) -> None:
    with contextlib.suppress(httpx.HTTPError):
        httpx.post(f"{address}/ask", json={"text": "What is the gate code?"}, timeout=30)


@contextlib.contextmanager
def started(arguments: list[str], docs: Path, double: Held) -> Iterator[subprocess.Popen[str]]:
    """A process that does not outlive a test that fails."""
    environment = {"BRAIN_BACKEND": "ollama", "OLLAMA_HOST": double.host, "BRAIN_MIN_SCORE": "0.2"}
    with start(arguments, docs, **environment) as process:
        try:
            yield process
        finally:
            process.kill()


def lines_of(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout
    return [process.stdout.readline() for _ in range(count)]


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_watch_prints_a_line_a_change_and_ends_at_ctrl_c(pages: Path, double: Held) -> None:
    with started(["store.py", "--watch"], pages, double) as process:
        (first,) = lines_of(process, 1)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \S+  3 added \(.*travel\.md\), in \d+\.\d s\n", first)
        (pages / "gate.md").write_text("# Gate\n\nThe gate code is 4711.\n", encoding="utf-8")
        (pages / "travel.md").unlink()
        told = "".join(lines_of(process, 1))
        if "removed" not in told or "added" not in told:  # a slow machine may take them one by one
            told += "".join(lines_of(process, 1))
        assert "1 added (gate.md)" in told
        assert "1 removed (travel.md)" in told
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=15)
    assert (process.returncode, rest) == (130, "")
    assert f"following {pages}; Ctrl-C ends it" in said
    assert said.splitlines()[-1] == "stopped: the index holds the documents as they were read last"


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_ctrl_c_in_a_sync_tells_what_is_kept(tmp_path: Path, double: Held) -> None:
    notes = tmp_path / "notes"
    write(notes, {f"{i:03}.md": f"# Note {i:03}\n\nThis is what we said of thing{i:03}.\n" for i in range(300)})
    double.hold_texts = "thing290"
    with started(["store.py", "--sync"], notes, double) as process:
        assert double.asked.acquire(timeout=30)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=15)
    assert process.returncode == 130
    kept = re.fullmatch(r"stopped: (\d+) documents were brought up to date and stay so; .*\n", said)
    assert kept, said
    store = store_at(tmp_path / "index.db")
    assert store.status().documents == int(kept[1]) == 256
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_a_second_ctrl_c_ends_at_once() -> None:
    program = """
import commandline, time
commandline.stop_quietly()
def main(argv):
    try:
        print("at work", flush=True)
        time.sleep(60)
    finally:
        print("closing", flush=True)
        while True:
            try:
                time.sleep(60)
            except KeyboardInterrupt:
                pass  # what is at work may not hear it
commandline.run(main)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            for expected in ("at work\n", "closing\n"):
                assert lines_of(process, 1) == [expected]
                process.send_signal(signal.SIGINT)
            assert process.wait(15) == 130
        finally:
            process.kill()
        assert process.stderr
        assert process.stderr.read() == "stopped\n"


# --- lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("touched", "said"),
    [
        ({"added": ["a.md", "b.md"], "removed": ["c.md"]}, "2 added (a.md, b.md), 1 removed (c.md), in 0.0 s"),
        ({"changed": [f"{i}.md" for i in range(6)]}, "6 changed, in 0.0 s"),
        ({}, "3 texts embedded anew, in 0.0 s"),
    ],
)
def test_lines(touched: dict[str, list[str]], said: str) -> None:
    summary = Summary(embedded=3)
    for what, paths in touched.items():
        for path in paths:
            summary.name(what, path)
    assert line_of(summary).split("  ", 1)[1] == said
    told = json.loads(json_of(summary))
    assert told["added"] == len(touched.get("added", []))
    assert [row["path"] for row in told["named"]] == [path for _, path in summary.few]


def test_a_first_limit_is_tried_again_when_the_documents_are_twice_as_many(docs: Path, make_index: MakeIndex) -> None:
    index = make_index(docs, HashEmbedder())
    index.sync()
    tried = []
    for sections in (0, 2, 7):
        write(docs, {"more.md": "\n\n".join(f"# Part {i}\n\nThis is the text of part {i}." for i in range(sections))})
        index.sync()
        first_limit(index, lambda _: None, commandline.progress)
        tried.append((index.store.chunk_count(), index.tried_chunks))
    assert tried == [(6, 6), (8, 6), (13, 13)]
    assert index.searcher().limit.why.startswith("never measured: the documents hold too few")
